"""Requests that are refused for a lack of rights leave a trace in the log, and cannot fill it."""

from typing import Any

import pytest
import structlog
from fastapi import FastAPI

from plumbline.web import refusals
from tests.api.conftest import Ask
from tests.api.world import World


@pytest.fixture(autouse=True)
def nothing_logged_yet(app: FastAPI) -> None:
    """The application is shared with other modules, which may have had the same refused a moment ago."""
    app.state.refusals = refusals.Refusals()


def test_a_refused_request_is_logged_once_a_minute_with_who_asked(ask: Ask, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    with structlog.testing.capture_logs() as logs:
        monkeypatch.setattr(refusals, "log", structlog.get_logger())
        for _ in range(3):
            assert ask("prod-viewer", "GET", "/people").status_code == 403
        assert ask("viewer", "GET", "/people").status_code == 403
        assert ask("viewer", "GET", "/hosts").status_code == 200
    found: list[Any] = [entry for entry in logs if entry["event"] == "request refused" and entry["route"] == "list_people"]
    assert [entry["who"].partition(" ")[2] for entry in found] == ["prod-viewer", "viewer"]
    assert (found[1]["code"], found[1]["left_out_before"]) == ("not_allowed", 2)


def test_many_different_refusals_are_counted_and_not_named(monkeypatch: pytest.MonkeyPatch, ask: Ask, world: World) -> None:
    monkeypatch.setattr(refusals, "MOST_REMEMBERED", 0)
    with structlog.testing.capture_logs() as logs:
        monkeypatch.setattr(refusals, "log", structlog.get_logger())
        assert ask("viewer", "GET", "/people").status_code == 403
    assert [entry for entry in logs if entry["event"] == "request refused"] == []


def test_a_token_that_is_none_is_logged_without_the_token(monkeypatch: pytest.MonkeyPatch, ask: Ask, world: World) -> None:
    token = "plb_" + "q" * 43
    with structlog.testing.capture_logs() as logs:
        monkeypatch.setattr(refusals, "log", structlog.get_logger())
        for _ in range(3):
            assert ask("", "GET", "/waivers", headers={"authorization": f"Bearer {token}"}).status_code == 401
        assert ask("", "GET", "/waivers").status_code == 401
    found: list[Any] = [entry for entry in logs if entry["event"] == "request refused"]
    assert [(entry["who"], entry["code"]) for entry in found] == [("not signed in", "not_signed_in")]
    assert found[0]["network"]
    assert token not in str(logs)
