"""Heartbeats: one statement a batch, compared with the host's row; what is different goes to the store transaction."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlmodel import text

from faults.sending import Sender, enrol, sender_of
from plumbline.infra.database import session_scope
from tests.checkin.conftest import Served
from tests.checkin.test_answers import count, host_of

COUNTERS = {
    "at": "2026-11-22T00:00:00Z",
    "uptime_s": 60,
    "series": [
        {"subject": "host", "name": "segments", "value": 7, "kind": "total"},
        {"subject": "host", "name": "load", "value": None, "kind": "gauge"},
    ],
}
SAMPLES = "SELECT count(*) FROM counter_sample WHERE host_id = :id"


def quiet(sender: Sender) -> bytes:
    return sender.body(with_bodies=set())


def test_a_batch_of_heartbeats_with_counters_is_one_statement(served: Served, token: str) -> None:
    senders = [sender_of(enrol(served.client, token, f"win-{number}"), sections={"system": b'{"a":1}'}) for number in range(6)]
    for sender in senders:
        sender.extra = {"counters": COUNTERS}
        assert sender.send(served.client).status_code == 200
    writer = served.app.writer
    before = writer.statements, writer.commits, writer.accepted
    with session_scope() as blocking:
        # While the first is held up by its row, the others gather.
        blocking.execute(text("SELECT 1 FROM host WHERE id = :id FOR UPDATE"), {"id": senders[0].host_id})
        with ThreadPoolExecutor(6) as pool:
            first = pool.submit(lambda: senders[0].send(served.client, quiet(senders[0])).status_code)
            wait_for_lock()
            rest = [pool.submit(lambda each=each: each.send(served.client, quiet(each)).status_code) for each in senders[1:]]
            for _ in range(1000):
                if writer.waiting == 5:
                    break
                threading.Event().wait(0.01)
            blocking.rollback()
            assert {each.result(20) for each in [first, *rest]} == {200}
    assert (writer.statements - before[0], writer.commits - before[1], writer.accepted - before[2]) == (2, 2, 6)
    for sender in senders:
        assert count(SAMPLES, id=sender.host_id) == 2
        host = host_of(sender)
        assert (host.last_seq, len(host.recent_seqs)) == (2, 48)
    with session_scope() as session:
        newest = session.execute(text("SELECT uptime_seconds, values FROM counter_sample ORDER BY at DESC LIMIT 1")).one()
    assert tuple(newest) == (60, [7.0, None])


@pytest.mark.parametrize(
    ("changed", "is_heartbeat"),
    [
        # Nothing of this decides whether sections changed.
        ("state_version = state_version + 1, rules_epoch = 0", True),
        ("sections_digest = NULL", False),
        ("counters_mark = 'x'", False),
        ("boots = '{other}'", False),
    ],
)
def test_what_is_compared_is_the_row_under_its_lock(served: Served, sender: Sender, changed: str, is_heartbeat: bool) -> None:
    sender.extra = {"counters": COUNTERS}
    assert sender.send(served.client).status_code == 200
    writer = served.app.writer
    before = writer.heartbeats, writer.commits
    with session_scope() as blocking, ThreadPoolExecutor(1) as pool:
        blocking.execute(text(f"UPDATE host SET {changed} WHERE id = :id"), {"id": sender.host_id})
        waiting = pool.submit(lambda: sender.send(served.client, quiet(sender)).status_code)
        wait_for_lock()
        blocking.commit()
        assert waiting.result(20) == 200
    assert (writer.heartbeats - before[0], writer.commits - before[1]) == (int(is_heartbeat), 1)
    assert host_of(sender).last_seq == 2
    assert count(SAMPLES, id=sender.host_id) == 2
    # Whatever was missing is known again.
    assert sender.send(served.client, quiet(sender)).status_code == 200
    assert writer.heartbeats - before[0] == 1 + is_heartbeat


def test_a_process_that_knows_nothing_stores_heartbeats(serve: Callable[..., Served], token: str) -> None:
    """An empty cache changes no answer and no path: everything that a heartbeat is compared with is in the row."""
    first = serve()
    senders = [sender_of(enrol(first.client, token, f"win-{number}"), sections={"system": b'{"a":1}'}) for number in range(4)]
    for sender in senders:
        sender.extra = {"counters": COUNTERS}
        assert sender.send(first.client).status_code == 200
    other = serve()
    for sender in senders:
        assert sender.send(other.client, quiet(sender)).status_code == 200
    writer = other.app.writer
    assert (writer.heartbeats, writer.statements, writer.commits) == (4, 4, 4)


def test_counters_in_another_order_stay_heartbeats(served: Served, sender: Sender) -> None:
    """Their numbers do not run as they are sent: the row holds the order."""

    def counters(*series: tuple[str, object]) -> dict[str, object]:
        return {"uptime_s": 1, "series": [{"subject": "host", "name": name, "kind": "total", "value": value} for name, value in series]}

    sender.extra = {"counters": counters(("a", 1), ("b", 2))}
    assert sender.send(served.client).status_code == 200
    sender.extra = {"counters": counters(("c", 3), ("a", 4))}
    assert sender.send(served.client, quiet(sender)).status_code == 200
    before = served.app.writer.heartbeats
    sender.extra = {"counters": counters(("c", "18446744073709551615"), ("a", None))}
    assert sender.send(served.client, quiet(sender)).status_code == 200
    sender.extra = {"counters": counters(("c", 5.5), ("a", 6))}
    assert sender.send(served.client, quiet(sender)).status_code == 200
    assert served.app.writer.heartbeats - before == 2
    with session_scope() as session:
        values = [row[0] for row in session.execute(text("SELECT values FROM counter_sample ORDER BY at"))]
    assert values == [[1.0, 2.0], [4.0, None, 3.0], [None, None, 2.0**64], [6.0, None, 5.5]]


def test_counters_that_break_a_rule_are_refused_though_the_rest_is_as_before(served: Served, sender: Sender) -> None:
    sender.extra = {"counters": COUNTERS}
    assert sender.send(served.client).status_code == 200
    body = quiet(sender).replace(b'"kind":"gauge"', b'"kind":"other"')
    answer = sender.send(served.client, body)
    assert (answer.status_code, host_of(sender).last_seq) == (422, 1)
    assert "kind" in answer.json()["error"]


def test_a_number_that_another_process_took_is_not_taken_again(served: Served, sender: Sender) -> None:
    assert sender.send(served.client).status_code == 200
    with session_scope() as writer, ThreadPoolExecutor(1) as pool:
        writer.execute(text("UPDATE host SET last_seq = 9 WHERE id = :id"), {"id": sender.host_id})
        waiting = pool.submit(lambda: sender.send(served.client, quiet(sender)).json())
        wait_for_lock()
        writer.commit()
        assert waiting.result(20)["seq_used"] == 2
    host = host_of(sender)
    assert (host.last_seq, len(host.recent_seqs)) == (9, 24)


def test_a_retired_host_is_not_touched(served: Served, sender: Sender) -> None:
    assert sender.send(served.client).status_code == 200
    seen = host_of(sender).last_seen_at
    with session_scope() as writer, ThreadPoolExecutor(1) as pool:
        writer.execute(text("UPDATE host SET state = 'retired' WHERE id = :id"), {"id": sender.host_id})
        waiting = pool.submit(lambda: sender.send(served.client, quiet(sender)).status_code)
        wait_for_lock()
        writer.commit()
        assert waiting.result(20) == 403
    assert host_of(sender).last_seen_at == seen


def test_a_heartbeat_does_not_wait_for_the_transaction_of_others(served: Served, token: str) -> None:
    changed, still = (sender_of(enrol(served.client, token, name), sections={"system": b'{"a":1}'}) for name in ("win-1", "win-2"))
    for sender in (changed, still):
        assert sender.send(served.client).status_code == 200
    changed.sections["system"] = b'{"a":2}'
    with session_scope() as blocking, ThreadPoolExecutor(1) as pool:
        blocking.execute(text("SELECT 1 FROM host WHERE id = :id FOR UPDATE"), {"id": changed.host_id})
        waiting = pool.submit(lambda: changed.send(served.client).status_code)
        wait_for_lock()
        assert still.send(served.client, quiet(still)).status_code == 200
        assert not waiting.done()
        blocking.rollback()
        assert waiting.result(20) == 200
    assert (host_of(changed).last_seq, host_of(still).last_seq) == (2, 2)


def wait_for_lock() -> None:
    """Returns once a statement waits for a row."""
    asking = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
    for _ in range(400):
        if count(asking):
            return
        threading.Event().wait(0.01)
    raise AssertionError("nothing waits")
