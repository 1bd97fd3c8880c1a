"""The short way of heartbeats: one statement a batch, nothing written for a host that moved meanwhile, and then the long way."""

import threading
from concurrent.futures import ThreadPoolExecutor

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
    committer = served.door.committer
    before = committer.statements, committer.commits, committer.accepted
    with session_scope() as blocking:
        # While the first is held up by its row, the others gather.
        blocking.execute(text("SELECT 1 FROM host WHERE id = :id FOR UPDATE"), {"id": senders[0].host_id})
        with ThreadPoolExecutor(6) as pool:
            first = pool.submit(lambda: senders[0].send(served.client, quiet(senders[0])).status_code)
            wait_for_lock()
            rest = [pool.submit(lambda each=each: each.send(served.client, quiet(each)).status_code) for each in senders[1:]]
            for _ in range(1000):
                if committer.waiting == 5:
                    break
                threading.Event().wait(0.01)
            blocking.rollback()
            assert {each.result(20) for each in [first, *rest]} == {200}
    assert (committer.statements - before[0], committer.commits - before[1], committer.accepted - before[2]) == (2, 2, 6)
    for sender in senders:
        assert count(SAMPLES, id=sender.host_id) == 2
        host = host_of(sender)
        assert (host.last_seq, len(host.accepted)) == (2, 48)
    with session_scope() as session:
        newest = session.execute(text("SELECT uptime_seconds, values FROM counter_sample ORDER BY at DESC LIMIT 1")).one()
    assert tuple(newest) == (60, [7.0, None])


def test_a_host_that_moved_while_its_row_was_awaited_takes_the_long_way(served: Served, sender: Sender) -> None:
    sender.extra = {"counters": COUNTERS}
    assert sender.send(served.client).status_code == 200
    committer = served.door.committer
    before = committer.statements, committer.commits
    with session_scope() as writer, ThreadPoolExecutor(1) as pool:
        writer.execute(text("UPDATE host SET state_version = state_version + 1 WHERE id = :id"), {"id": sender.host_id})
        waiting = pool.submit(lambda: sender.send(served.client, quiet(sender)).status_code)
        wait_for_lock()
        writer.commit()
        assert waiting.result(20) == 200
    assert committer.commits - before[1] == 1
    assert committer.statements - before[0] > 4
    assert host_of(sender).last_seq == 2
    assert count(SAMPLES, id=sender.host_id) == 2
    state = served.door.states.get(sender.host_id)
    assert state is not None
    assert state.basis[2] == host_of(sender).state_version


def test_a_number_that_another_process_took_is_not_taken_again(served: Served, sender: Sender) -> None:
    assert sender.send(served.client).status_code == 200
    with session_scope() as writer, ThreadPoolExecutor(1) as pool:
        writer.execute(text("UPDATE host SET last_seq = 9 WHERE id = :id"), {"id": sender.host_id})
        waiting = pool.submit(lambda: sender.send(served.client, quiet(sender)).json())
        wait_for_lock()
        writer.commit()
        assert waiting.result(20)["seq_used"] == 2
    host = host_of(sender)
    assert (host.last_seq, len(host.accepted)) == (9, 24)


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
    """Returns once a statement of the door waits for a row."""
    asking = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
    for _ in range(400):
        if count(asking):
            return
        threading.Event().wait(0.01)
    raise AssertionError("nothing waits")
