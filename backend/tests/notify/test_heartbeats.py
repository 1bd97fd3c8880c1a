"""Heartbeats: an address that is called while all is well."""

import pytest

from plumbline.notify import send
from plumbline.ops import embedded_servers
from tests.api.conftest import Ask, address, api_database, app, ask, world
from tests.notify.receivers import Receiver
from tests.notify.requests import as_background_worker, make, only_channel, retire, run

__all__ = ["address", "api_database", "app", "ask", "world"]

pytestmark = pytest.mark.usefixtures("loopback")


def test_a_heartbeat_is_called_while_all_is_well_and_left_out_with_words_when_not(
    ask: Ask, web: Receiver, cluster: embedded_servers.PostgresCluster, api_database: str
) -> None:
    assert ask("admin", "GET", "/notices/channels").json()["has_heartbeat"] is False
    made = make(ask, way="heartbeat", address=f"{web.address}/ping/abcd", kinds=[]).json()
    assert ask("admin", "GET", "/notices/channels").json()["has_heartbeat"] is True
    assert ask("admin", "POST", f"/notices/channels/{made['id']}/test").status_code == 409
    with as_background_worker(cluster, api_database):
        # The world's own entries wait for a chainer that no test runs.
        run("UPDATE audit_entry SET number = id, hash = '' WHERE number IS NULL")
        assert send.send_heartbeats() == 1
    assert [got.path for got in web.got] == ["/ping/abcd"]
    assert only_channel(ask)["state"] == "works"
    run("INSERT INTO audit_entry (at, actor, action, object_kind, object_id, reason, request_id)"
        " VALUES (clock_timestamp() - interval '5 minutes', 'system', 'test.late', '', '', '', '')")  # fmt: skip
    with as_background_worker(cluster, api_database):
        assert send.send_heartbeats() == 0
    assert len(web.got) == 1
    assert only_channel(ask)["state"] == "fails"
    assert only_channel(ask)["words"].startswith("left out: Audit log sealing is delayed")
    retire(ask, made["id"])


def test_heartbeats_that_answer_come_first_and_are_called_by_one_at_a_time(
    ask: Ask, web: Receiver, cluster: embedded_servers.PostgresCluster, api_database: str
) -> None:
    made = [make(ask, way="heartbeat", address=f"{web.address}/{each}", kinds=[]).json()["id"] for each in ("dead", "well")]
    again: list[int] = []
    with as_background_worker(cluster, api_database):
        run("UPDATE audit_entry SET number = id, hash = '' WHERE number IS NULL")
        web.answers = [(500, {}), (204, {}), (204, {}), (500, {})]
        assert send.send_heartbeats() == 1
        web.meanwhile = [lambda: again.append(send.send_heartbeats())]
        assert send.send_heartbeats() == 1
    assert [got.path for got in web.got] == ["/dead", "/well", "/well", "/dead"]
    assert again == [0]
    retire(ask, *made)
