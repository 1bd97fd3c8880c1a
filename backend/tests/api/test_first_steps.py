"""The checklist of a new installation: each step with its state."""

from datetime import UTC, datetime
from typing import Any

from sqlmodel import text

from plumbline import audit
from plumbline.infra.database import session_scope
from plumbline.models.notify import NoticeChannel
from tests.api.conftest import Ask
from tests.api.world import World


def steps(ask: Ask) -> dict[str, dict[str, Any]]:
    answer = ask("admin", "GET", "/first-steps")
    assert answer.status_code == 200, answer.text
    return {step["step"]: step for step in answer.json()["items"]}


def test_each_step_has_its_state(ask: Ask, world: World) -> None:
    first = steps(ask)
    assert list(first) == ["group", "token", "host", "credential", "notifications", "heartbeat", "backup"]
    assert (first["group"]["is_done"], first["group"]["words"]) == (True, "3 groups")
    assert first["host"]["is_done"]
    assert not first["heartbeat"]["is_done"]
    assert (first["backup"]["is_done"], first["backup"]["at"]) == (False, None)

    with session_scope() as session:
        session.add(NoticeChannel(group_id=1, way="heartbeat", name="outside", kinds=[], shown="monitor.example.com"))
        audit.record(session, actor=audit.SYSTEM, action="installation.backed_up", about=audit.Object("installation"), after={"file": "a"})
    now = steps(ask)
    assert (now["heartbeat"]["is_done"], now["heartbeat"]["words"]) == (True, "1 heartbeat")
    assert now["notifications"]["is_done"] is first["notifications"]["is_done"]
    assert datetime.now(UTC).date() == datetime.fromisoformat(now["backup"]["at"]).date()

    # A deleted channel is kept for the log, and calls nobody.
    with session_scope() as session:
        session.execute(text("UPDATE notice_channel SET removed_at = now() WHERE name = 'outside'"))
    assert not steps(ask)["heartbeat"]["is_done"]


def test_only_admins_of_the_root_group_read_it(ask: Ask, world: World) -> None:
    assert ask("prod-admin", "GET", "/first-steps").status_code == 403
    assert ask("operator", "GET", "/first-steps").status_code == 403
