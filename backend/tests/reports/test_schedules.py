"""Schedules: who may set them up, when their reports are made, and with whose rights."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from sqlmodel import text

from plumbline.infra.database import session_scope
from plumbline.reports.build import build_report
from plumbline.reports.schedules import make_due
from tests.api.conftest import Ask
from tests.api.world import World

WEEKLY = {"name": "Weekly", "group_id": 1, "every": "week", "on_day": 1, "hour": 7, "time_zone": "Europe/Berlin", "template": "technical"}


@pytest.fixture(autouse=True)
def no_schedules(world: World) -> Iterator[None]:
    yield
    with session_scope() as session:
        session.execute(text("UPDATE report_schedule SET removed_at = now()"))


def create(ask: Ask, login: str = "viewer", **more: Any) -> dict[str, Any]:
    made = ask(login, "POST", "/report-schedules", json={**WEEKLY, **more})
    assert made.status_code == 201, made.text
    return dict(made.json())


def let_it_be_due(schedule: int, at: str = "now() - interval '1 minute'") -> None:
    with session_scope() as session:
        session.execute(text(f"UPDATE report_schedule SET next_due_at = {at} WHERE id = :id"), {"id": schedule})


def made_now() -> int:
    with session_scope() as session:
        return make_due(session)


def test_a_schedule_says_when_it_is_due_in_its_zone(ask: Ask) -> None:
    made = create(ask)
    due = datetime.fromisoformat(made["next_due_at"])
    assert due > datetime.now(UTC)
    assert due.strftime("%a") == "Mon"
    assert due.hour in (5, 6)
    assert (made["owner"], made["may_change"], made["channel_id"]) == ("Viewer", True, None)


def test_a_report_is_made_once_about_the_week_before(ask: Ask) -> None:
    made = create(ask)
    let_it_be_due(made["id"], "'2026-11-23T06:00:00Z'")
    assert made_now() == 1
    assert made_now() == 0
    [report] = ask("viewer", "GET", f"/reports?schedule={made['id']}").json()
    assert (report["template"], report["first_day"], report["last_day"]) == ("technical", "2026-11-16", "2026-11-22")
    assert (report["schedule_name"], report["requested_by"]) == ("Weekly", "Viewer")
    with session_scope() as session:
        assert build_report(session, report["id"])
    ready = ask("viewer", "GET", f"/reports/{report['id']}").json()
    assert ready["state"] == "ready", ready["error"]
    assert ready["mails"] == []
    [schedule] = ask("viewer", "GET", "/report-schedules").json()
    assert schedule["last_report_id"] == report["id"]
    assert datetime.fromisoformat(schedule["next_due_at"]) > datetime.now(UTC)


def test_without_the_right_of_its_owner_nothing_is_made_and_it_says_so(ask: Ask, world: World) -> None:
    made = create(ask, "operator")
    let_it_be_due(made["id"])
    with session_scope() as session:
        session.execute(text("UPDATE person SET is_disabled = true WHERE id = :id"), {"id": world.people["operator"]})
    try:
        assert made_now() == 0
    finally:
        with session_scope() as session:
            session.execute(text("UPDATE person SET is_disabled = false WHERE id = :id"), {"id": world.people["operator"]})
    [schedule] = ask("viewer", "GET", "/report-schedules").json()
    assert schedule["is_enabled"] is False
    assert "may no longer" in schedule["off_words"]
    # Whoever saves it again owns it, and it goes on.
    saved = ask("viewer", "PUT", f"/report-schedules/{made['id']}", json=WEEKLY)
    assert saved.status_code == 200, saved.text
    assert (saved.json()["owner"], saved.json()["is_enabled"], saved.json()["off_words"]) == ("Viewer", True, "")


def test_one_that_is_off_or_removed_makes_nothing(ask: Ask) -> None:
    off, gone = create(ask, is_enabled=False), create(ask, name="Gone")
    assert ask("viewer", "DELETE", f"/report-schedules/{gone['id']}").status_code == 204
    for each in (off, gone):
        let_it_be_due(each["id"])
    assert made_now() == 0
    assert [each["name"] for each in ask("viewer", "GET", "/report-schedules").json()] == ["Weekly"]
    assert ask("viewer", "DELETE", f"/report-schedules/{gone['id']}").status_code == 404
    assert ask("viewer", "PUT", f"/report-schedules/{gone['id']}", json=WEEKLY).status_code == 404


def test_others_neither_see_nor_change_it(ask: Ask, world: World) -> None:
    made = create(ask)
    assert ask("prod-viewer", "GET", "/report-schedules").json() == []
    assert ask("prod-viewer", "DELETE", f"/report-schedules/{made['id']}").status_code == 404
    assert ask("prod-viewer", "POST", "/report-schedules", json=WEEKLY).status_code == 404
    assert ask("approver", "DELETE", f"/report-schedules/{made['id']}").status_code == 403
    assert ask("approver", "GET", "/report-schedules").json()[0]["may_change"] is False


@pytest.mark.parametrize(
    ("wrong", "word"),
    [
        ({"on_day": 8}, "on_day"),
        ({"on_day": 0}, "on_day"),
        ({"hour": 24}, "hour"),
        ({"every": "day"}, "every"),
        ({"time_zone": "Nowhere"}, "time zone"),
        ({"name": " "}, "name"),
        ({"mail": {"channel_id": 99, "recipients": ["a@example.com"]}}, "mail channel not found"),
    ],
)
def test_what_cannot_be_is_refused_with_words(ask: Ask, wrong: dict[str, Any], word: str) -> None:
    refused = ask("viewer", "POST", "/report-schedules", json={**WEEKLY, **wrong})
    assert refused.status_code == 422, refused.text
    assert word in refused.text


def test_every_change_is_in_the_audit_log(ask: Ask) -> None:
    made = create(ask)
    ask("viewer", "PUT", f"/report-schedules/{made['id']}", json={**WEEKLY, "hour": 9})
    ask("viewer", "DELETE", f"/report-schedules/{made['id']}")
    acts = ask("admin", "GET", f"/audit?object=report_schedule:{made['id']}").json()["items"]
    assert [act["action"] for act in acts] == ["report_schedule.removed", "report_schedule.changed", "report_schedule.created"]
    assert (acts[1]["before"]["hour"], acts[1]["after"]["hour"]) == (7, 9)
