"""Every answer that a client gets is one that the OpenAPI document names: status, content type, and the form of a problem.

Each operation is asked as it should be, and as an attacker would: bodies that are no JSON, no UTF-8, of another type or too large,
parameters that cannot be, keys and host names that are refused. Bodies that could do something are left out.
"""

import re
from typing import Any

import httpx
import jsonschema_rs
import pytest
from fastapi import FastAPI

from tests.api.conftest import Ask
from tests.api.test_rights import _SKIPPED, MAY, _address
from tests.api.world import World

# Reads an export or a report for long, or starts work: asked once, not in each way.
_PLAIN_ONLY = {"finish_sign_in", "start_sign_in", "sign_out_at_provider", "confirm_at_provider"}
_JSON = {"content-type": "application/json"}
_BAD_QUERY = "?limit=x&cursor=%00%ff&group=-1&before=never&host=%27&q=%F0&from=0&to=9999999999999999999&sort=%3B"
_BAD_PATHS = ("%00", "99999999999999999999", "-1", "..%2f..", "%F0%9F", "a" * 3000)


def _bodies() -> list[dict[str, Any]]:
    return [
        {"content": b'{"a":', "headers": _JSON},
        {"content": b'{"a": "\xff\xfe"}', "headers": _JSON},
        {"content": b"\xff\xfe{\x00}\x00", "headers": {"content-type": "application/json; charset=utf-16"}},
        {"content": b"a=b", "headers": {"content-type": "application/x-www-form-urlencoded"}},
        {"content": b"<a/>", "headers": {"content-type": "text/xml"}},
        {"content": b"[" * 100_000, "headers": _JSON},
        {"content": b'{"a": NaN, "a": 1e999, "b": "\\ud800"}', "headers": _JSON},
        {"content": b"1" * (1024 * 1024 + 1), "headers": _JSON},
        {"json": {}, "headers": {"idempotency-key": "short"}},
        {"json": {}, "headers": {"x-plumbline": "0"}},
        {"json": {}, "headers": {"content-encoding": "gzip"}},
    ]


def _requests(name: str, method: str, path: str, world: World) -> list[tuple[str, dict[str, Any]]]:
    good = _address(path, world)
    plain: dict[str, Any] = {} if method in ("GET", "DELETE") else {"json": {}}
    asked = [(good, plain), (good, {**plain, "headers": {"host": "evil.example"}})]
    if name in _PLAIN_ONLY:
        return asked
    if method == "GET":
        asked.append((good + _BAD_QUERY, {}))
    else:
        asked += [(good, more) for more in _bodies()]
    if "{" in path:
        asked += [(re.sub(r"\{\w+\}", bad, path), plain) for bad in _BAD_PATHS]
    return asked


def _fault(document: dict[str, Any], operation: dict[str, Any], answer: httpx.Response, problem: jsonschema_rs.Validator) -> str:
    status = str(answer.status_code)
    documented = operation["responses"].get(status)
    if documented is None:
        return f"{status} is not documented"
    if "$ref" in documented:
        documented = document["components"]["responses"][documented["$ref"].rpartition("/")[2]]
    media = answer.headers.get("content-type", "").split(";")[0]
    content = documented.get("content")
    if content is None:
        return f"{status} has a body of {media}, and none is documented" if answer.content else ""
    if media not in content:
        return f"{status} is {media}, and {sorted(content)} is documented"
    if media == "application/problem+json":
        return "; ".join(error.message for error in problem.iter_errors(answer.json()))
    return ""


def test_every_answer_is_documented(ask: Ask, app: FastAPI, world: World) -> None:
    document = app.openapi()
    schema = {"$ref": "#/components/schemas/Problem", "components": document["components"]}
    problem = jsonschema_rs.validator_for(schema)
    faults: list[str] = []
    asked = 0
    for path, item in document["paths"].items():
        for method, operation in item.items():
            name = operation["operationId"]
            if name in _SKIPPED or name == "finish_setup":
                continue
            who = "" if name in ("start_session", "complete_sign_in") else min(MAY.get(name, {"admin"}))
            for where, more in _requests(name, method.upper(), path, world):
                answer = ask(who, method.upper(), where, **more)
                asked += 1
                fault = _fault(document, operation, answer, problem)
                if fault:
                    faults.append(f"{name}: {fault} ({where[:80]} {str(more)[:90]}): {answer.text[:100]}")
    assert asked > 1500
    assert faults == [], "\n".join(faults[:40])


def test_the_test_finds_what_is_not_documented(app: FastAPI) -> None:
    document = app.openapi()
    problem = jsonschema_rs.validator_for({"$ref": "#/components/schemas/Problem", "components": document["components"]})
    operation = document["paths"]["/api/v1/hosts"]["get"]

    def fault(status: int, media: str, text: str = "{}") -> str:
        return _fault(document, operation, httpx.Response(status, headers={"content-type": media}, text=text), problem)

    assert fault(200, "application/json") == ""
    assert fault(418, "application/json") == "418 is not documented"
    assert "text/html" in fault(200, "text/html")
    assert "application/json" in fault(422, "application/json")
    assert "required" in fault(422, "application/problem+json")


@pytest.mark.parametrize("status", ["400", "401", "403", "404", "405", "408", "409", "413", "414", "421", "422", "429", "431", "503"])
def test_refusals_are_documented_for_every_operation(app: FastAPI, status: str) -> None:
    for item in app.openapi()["paths"].values():
        for operation in item.values():
            assert status in operation["responses"], operation["operationId"]
