"""Sending a notification to a channel again; and notifications of reports that are made and of drift."""

import json

import pytest
from sqlmodel import text

from plumbline import audit
from plumbline.audit.chain import chain_pending
from plumbline.infra.database import session_scope
from plumbline.notify import send
from plumbline.notify.audit_events import take_acts
from plumbline.notify.changes import take_changes
from plumbline.ops import embedded_servers
from tests.api.conftest import Ask, address, api_database, app, ask, world
from tests.api.world import World, add_change
from tests.notify.receivers import Receiver
from tests.notify.requests import add_notice, as_background_worker, as_owner, last_delivery, make, retire, run

__all__ = ["address", "api_database", "app", "ask", "world"]


@pytest.fixture(autouse=True)
def allowed(loopback: None, world: World) -> None:
    """Receivers are on this machine."""


def test_a_notification_is_sent_again_under_a_new_id(
    ask: Ask, web: Receiver, cluster: embedded_servers.PostgresCluster, api_database: str
) -> None:
    made = make(ask, address=f"{web.address}/hook").json()
    add_notice(made["id"])
    with as_background_worker(cluster, api_database):
        assert send.deliver() == 1
    # However old it is.
    with as_owner(cluster, api_database):
        run("UPDATE notice SET at = at - interval '30 days'")
    first = last_delivery(ask)
    assert first["state"] == "sent"
    answer = ask("admin", "POST", f"/notices/deliveries/{first['id']}/replay")
    assert answer.status_code == 202, answer.text
    assert sorted(each["state"] for each in answer.json()["deliveries"]) == ["sent", "waiting"]
    assert ask("admin", "POST", f"/notices/deliveries/{first['id']}/replay").status_code == 409
    with as_background_worker(cluster, api_database):
        assert send.deliver() == 1
    one, two = web.got
    # The row was made older meanwhile, so its time differs and nothing else.
    first_said, second_said = json.loads(one.body), json.loads(two.body)
    assert (first_said["type"], first_said["data"]) == (second_said["type"], second_said["data"])
    assert one.headers["webhook-id"] != two.headers["webhook-id"]
    with session_scope() as session:
        actions = session.execute(text("SELECT actor FROM audit_entry WHERE action = 'notice_delivery.replayed'")).scalars().all()
    assert len(actions) == 1
    assert actions[0].endswith(" admin")
    for login, status in (("viewer", 403), ("prod-admin", 404)):
        assert ask(login, "POST", f"/notices/deliveries/{first['id']}/replay").status_code == status
    assert ask("admin", "POST", f"/notices/deliveries/dlv_{'0' * 24}/replay").status_code == 404
    assert ask("admin", "POST", "/notices/deliveries/nonsense/replay").status_code == 422
    assert ask("admin", "PATCH", f"/notices/channels/{made['id']}", json={"is_enabled": False}).status_code == 200
    refused = ask("admin", "POST", f"/notices/deliveries/{first['id']}/replay")
    assert (refused.status_code, refused.json()["detail"]) == (409, "the channel is switched off: switch it on first")
    retire(ask, made["id"])


def test_reports_and_bundles_that_are_made_are_notified(
    ask: Ask, web: Receiver, cluster: embedded_servers.PostgresCluster, api_database: str
) -> None:
    made = make(ask, address=f"{web.address}/hook", kinds=["report"]).json()
    with session_scope() as session:
        for action, error in (("report.made", ""), ("evidence.made", "the group has more than 5,000 hosts")):
            audit.record(session, actor=audit.SYSTEM, action=action, about=audit.Object("report", "7", 1), after={"error": error})
    with as_background_worker(cluster, api_database):
        with session_scope() as session:
            chain_pending(session)
        with session_scope() as session:
            assert take_acts(session) == 2
    titles = [notice["title"] for notice in ask("admin", "GET", "/notices?limit=2").json()["items"]]
    assert titles == ["Evidence bundle 7 could not be made", "Report 7 is ready"]
    retire(ask, made["id"])


def test_changes_are_notified_once_and_not_our_own(
    ask: Ask, web: Receiver, cluster: embedded_servers.PostgresCluster, api_database: str, world: World
) -> None:
    made = make(ask, address=f"{web.address}/hook", kinds=["drift"]).json()
    below = make(ask, login="prod-admin", address=f"{web.address}/prod", kinds=["drift"], group_id=world.groups["prod"]).json()

    def look() -> int:
        with as_background_worker(cluster, api_database), session_scope() as session:
            return take_changes(session)

    assert look() == 0
    with as_background_worker(cluster, api_database):
        run("UPDATE notice_cursor SET changes_until = now() - interval '1 hour'")
    with session_scope() as session:
        at = session.execute(text("SELECT now() - interval '10 minutes'")).scalar_one()
        lab, sql = world.hosts["lab-01"], world.hosts["sql-01"]
        add_change(session, lab, ("adapter", "aa"), "mtu", 9000, 1500, received_at=at)
        add_change(session, sql, ("host", ""), "mpio.policy", "round_robin", "fail_over", received_at=at, cause="reboot")
        add_change(session, sql, ("host", ""), "mpio.installed", False, True, received_at=at, cause="our_job")
        add_change(session, sql, ("host", ""), "mpio.installed", False, True, received_at=at, cause="first_seen")
        # Received a moment ago: the next look takes it.
        add_change(session, sql, ("adapter", "bb"), "mtu", 9000, 1500)
    assert look() == 2
    prod, whole = sorted(ask("admin", "GET", "/notices?limit=2").json()["items"], key=lambda notice: len(notice["lines"]))
    assert (prod["title"], whole["title"]) == ("1 setting changed on 1 host", "2 settings changed on 2 hosts")
    assert whole["lines"][0].startswith("lab-01: ")
    assert "9000" in whole["lines"][0]
    assert prod["lines"] == [line for line in whole["lines"] if line.startswith("sql-01: ")]
    assert prod["lines"][0].endswith("(reboot)")
    assert look() == 0
    retire(ask, made["id"], below["id"])
