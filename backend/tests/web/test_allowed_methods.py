"""Methods that a path does not take: 405 with all those that it takes, and a word in a path is never taken for an id."""

import re

import pytest
from fastapi.routing import APIRoute, iter_route_contexts

from plumbline.web.allowed_methods import AllowedMethods
from plumbline.web.app import create_app
from tests.api.conftest import Ask, address, api_database, app, ask, world

__all__ = ["address", "api_database", "app", "ask", "world"]
HOST = "0" * 32


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        # The router would name the methods of the first of two routes alone.
        ("DELETE", "/api/v1/hosts", "GET"),
        ("PUT", "/api/v1/waivers", "GET, POST"),
        # The web interface answers every other GET.
        ("GET", f"/api/v1/hosts/{HOST}/check-now", "POST"),
        # Another route has a parameter in this place.
        ("GET", "/api/v1/pack-drafts/archive", "POST"),
        ("PATCH", "/api/openapi.json", None),
    ],
)
def test_a_method_that_is_not_taken_is_405_with_those_that_are(ask: Ask, method: str, path: str, allowed: str | None) -> None:
    answer = ask("admin", method, path)
    assert answer.status_code == 405, answer.text
    assert answer.json()["detail"] == f"{method} isn't supported at {path}."
    if allowed is not None:
        assert answer.headers["allow"] == allowed


def test_what_is_nowhere_stays_404(ask: Ask) -> None:
    for path in ("/api/v1/nowhere", "/agent/v1/nowhere", f"/api/v1/hosts/{HOST}/nowhere"):
        assert ask("admin", "GET", path).status_code == 404


def test_every_route_takes_its_own_methods() -> None:
    contexts = [each for each in iter_route_contexts(create_app().routes) if isinstance(each.original_route, APIRoute)]
    allowed = AllowedMethods((each.path or "", each.methods or ()) for each in contexts)
    assert len(contexts) > 200
    for each in contexts:
        path = re.sub(r"{[^}]*}", "1", each.path or "")
        assert set(each.methods or ()) <= allowed.of(path), path
        assert not any(allowed.refuses(path, method) for method in each.methods or ())


@pytest.mark.parametrize("value", ["1764000000", "1764000000.5", " -5 ", "+1"])
def test_a_number_is_no_time(ask: Ask, value: str) -> None:
    answer = ask("viewer", "GET", "/performance/charts", params={"host": [HOST], "from": value})
    assert answer.status_code == 422
    assert "date and time with its offset" in answer.json()["detail"]


@pytest.mark.parametrize("value", [1764000000, 1764000000.5, "1764000000", True])
def test_a_number_is_no_time_in_a_body(ask: Ask, value: object) -> None:
    answer = ask("operator", "PUT", f"/on-call/silent-{HOST}/acknowledgement", json={"until": value})
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["place"] == "body.until"
