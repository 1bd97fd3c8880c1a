"""S5 and S9: every route of the OpenAPI document, asked as a browser that another site steers would, and the headers of every answer."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import httpx

from faults.people import granted, served_api
from faults.rig import FaultResult, Rig
from plumbline.auth.dependencies import COOKIE_TLS, cookie_name
from plumbline.web.middleware import HEADERS, STRICT_TRANSPORT

# What a browser sends with a request that another site made it send; and what it can't send at all without permission.
_FORGED: dict[str, dict[str, str]] = {
    "from another site": {"x-plumbline": "1", "sec-fetch-site": "cross-site"},
    "from a site beside": {"x-plumbline": "1", "sec-fetch-site": "same-site"},
    "with another origin": {"x-plumbline": "1", "origin": "https://evil.example"},
    "with the origin null": {"x-plumbline": "1", "origin": "null"},
    "without the header": {"sec-fetch-site": "same-origin"},
    "with another value of the header": {"x-plumbline": "0", "sec-fetch-site": "same-origin"},
}
_OWN = {"x-plumbline": "1", "sec-fetch-site": "same-origin"}
# Answers to what is no request of the API, but for the text of the message.
_ODD = (
    ("GET", "/"),
    ("GET", "/hosts"),
    ("GET", "/nowhere.js"),
    ("GET", "/api/v1/nowhere"),
    ("TRACE", "/api/v1/hosts"),
    ("GET", "/healthz"),
)
_PARAMETER = re.compile(r"{[^}]*}")
# Values of a parameter: a row's id, a host's, and a word that is neither.
_VALUES = ("1", "0" * 32, "nowhere")


def forged_requests(rig: Rig, count: int, seed: int) -> FaultResult:
    """S5: each route that changes something, as a signed-in admin, forged in six ways, `count` times: 403 each time. With its own headers
    the same request is not refused for that."""
    result = FaultResult(seed)
    answers: Counter[tuple[str, int]] = Counter()
    with served_api() as url:
        cookies = {cookie_name(): granted(rig.people[1], "admin")}
        routes = [(method, path) for method, path in _routes(url) if method not in ("GET", "HEAD")]
        with httpx.Client(base_url=url, cookies=cookies, timeout=30, trust_env=False) as client:
            for _ in range(count):
                for method, path in routes:
                    for name, headers in _FORGED.items():
                        answer = client.request(method, path, headers=headers, json={})
                        result.faults[f"request {name}"] += 1
                        answers[name, answer.status_code] += 1
                        if answer.status_code != 403 or answer.json()["code"] != "cross_site":
                            result.wrong.append(f"{method} {path} {name}: {answer.status_code}")
                    own = client.request(method, path, headers=_OWN, json={})
                    is_refused = own.status_code == 403 and own.json()["code"] == "cross_site"
                    result.wrong += [f"{method} {path} was refused with its own headers"] * is_refused
                    client.cookies.update(cookies)
    result.notes.append(f"{len(routes)} routes that change something; answers: {_said(answers)}")
    result.wrong += ["no route changes anything"] * (not routes)
    return result


def headers_of_answers(rig: Rig, count: int, seed: int) -> FaultResult:
    """S9: every route with `count` kinds of parameters at most, signed in and not, with nothing in the body: the headers and the flags of
    cookies of all answers."""
    result = FaultResult(seed)
    statuses: Counter[tuple[str, int]] = Counter()
    # As behind TLS, where the strictest set is sent.
    with served_api({"PLUMBLINE_IS_TLS": "true"}) as url, httpx.Client(base_url=url, timeout=30, trust_env=False) as client:
        routes = [*_routes(url), *_ODD]
        for who in ("an admin", "nobody"):
            cookie = ""
            for method, path in routes:
                for value in _VALUES[: max(1, count)] if "{" in path else _VALUES[:1]:
                    if who == "an admin" and not cookie:
                        cookie = f"{COOKIE_TLS}={granted(rig.people[1], 'admin')}"
                    sent = {**_OWN, "cookie": cookie}
                    with client.stream(method, _PARAMETER.sub(value, path), headers=sent) as answer:
                        result.faults[f"request of {who}"] += 1
                        statuses[who, answer.status_code] += 1
                        result.wrong += [f"{method} {path} ({answer.status_code}): {words}" for words in _wrong_headers(answer)]
                    # Signing out is a route too.
                    if answer.status_code in (204, 401):
                        cookie = ""
    result.notes.append(f"{len(routes)} routes; answers: {_said(statuses)}")
    result.wrong += ["the admin was not signed in"] * (statuses["an admin", 200] < 20)
    result.wrong += [f"an answer {status} of {who}" for who, status in statuses if status >= 500 and status != 503]
    return result


def _wrong_headers(answer: httpx.Response) -> Iterator[str]:
    for name, value in {**HEADERS, "strict-transport-security": STRICT_TRANSPORT}.items():
        if answer.headers.get_list(name) != [value]:
            yield f"{name} is {answer.headers.get_list(name)}"
    if not answer.headers.get("x-request-id"):
        yield "no x-request-id"
    if "server" in answer.headers:
        yield "it names its server"
    kept = answer.headers.get("cache-control", "")
    if not kept or (
        "no-store" not in kept and answer.request.url.path.startswith("/api/") and "private" not in kept and "no-cache" not in kept
    ):
        yield f"cache-control is {kept!r}"
    for cookie in answer.headers.get_list("set-cookie"):
        flags = {part.strip().lower() for part in cookie.split(";")[1:]}
        if not {"httponly", "secure"} <= flags or not any(flag.startswith("samesite=") for flag in flags):
            yield f"the cookie {cookie.partition('=')[0]} has the flags {sorted(flags)}"


def _routes(url: str) -> list[tuple[str, str]]:
    """Method and path of each route that the document names."""
    document: dict[str, Any] = httpx.get(f"{url}/api/openapi.json", timeout=60, trust_env=False).raise_for_status().json()
    return [(method.upper(), path) for path, item in document["paths"].items() for method in item if method in _METHODS]


_METHODS = ("get", "put", "post", "delete", "patch")


def _said(counts: Counter[tuple[str, int]]) -> str:
    return ", ".join(f"{number} x {status} {name}" for (name, status), number in sorted(counts.items()))
