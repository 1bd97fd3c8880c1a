"""What the OpenAPI document says about every operation, in one place: its right, whether a repeat is harmless, and the refusals that any
request may meet before its route is reached."""

from collections.abc import Iterable, Mapping
from typing import Any

from plumbline.auth import idempotency
from plumbline.auth.rights import ACTIONS

PROBLEM = "application/problem+json"
# Answered ahead of the routes (`http_limits`, `host_names`, `middleware`) or by the framework. 500 is no answer that a client may expect.
_BEFORE_ROUTES = {
    "400": "The request can't be read, or names no host",
    "405": "No route takes this method here, for instance because an id contains a slash",
    "408": "The request did not arrive in time",
    "413": "The request is too large",
    "414": "The address is too long",
    "421": "The host name is not one of this installation",
    "431": "The head is too large",
}


def complete(document: dict[str, Any], *, rights: Mapping[str, str], idempotent: Iterable[str]) -> None:
    """Writes into the document what the routes do not declare one by one. `rights`: operation -> action.

    A document that is complete is left as it is: the application keeps the one that it built.
    """
    if "responses" in document["components"]:
        return
    repeatable = frozenset(idempotent)
    shared = document["components"].setdefault("responses", {})
    for item in document["paths"].values():
        for operation in item.values():
            name = operation["operationId"]
            operation["x-right"] = rights[name]
            operation["x-reach"] = ACTIONS[rights[name]].reach
            if name in repeatable:
                operation.setdefault("parameters", []).append(idempotency.PARAMETER)
            _complete_responses(operation["responses"], shared)


def _complete_responses(responses: dict[str, Any], shared: dict[str, Any]) -> None:
    schema = next(iter(responses["422"]["content"].values()))
    for status, words in _BEFORE_ROUTES.items():
        responses.setdefault(status, {"description": words, "content": {PROBLEM: schema}})
    for status, answer in responses.items():
        content = answer.get("content")
        if status[0] not in "45" or not content or answer.pop("x-is-no-problem", False):
            continue
        answer["content"] = {PROBLEM: next(iter(content.values()))}
        # The same for every operation: named once, which keeps the document and the types made from it small.
        if shared.setdefault(f"Problem{status}", answer) == answer:
            responses[status] = {"$ref": f"#/components/responses/Problem{status}"}
