"""A job that a person settled ends, though nobody received the message that was sent for it."""

from collections.abc import Iterator
from queue import Empty
from typing import Any

import pytest
from sqlmodel import text

from plumbline.infra import task_queue
from plumbline.infra.database import session_scope
from plumbline.infra.settings import get_settings
from plumbline.remediation.jobs import reconcile
from plumbline.remediation.jobs.resolve import request_resolution
from plumbline.remediation.task_names import RAISE_FENCE
from tests.remediation.test_claim import make_jobs


@pytest.fixture
def messages(fresh_database: str, keys_folder: object, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """What was rung on the queue of the executors, in a broker within this process."""
    monkeypatch.setenv("PLUMBLINE_REDIS_URL", "memory://")
    get_settings.cache_clear()
    task_queue._sender.cache_clear()
    with task_queue._sender().connection_for_read() as connection, connection.SimpleQueue("remediation") as queue:
        queue.clear()
        yield queue
        queue.clear()
    monkeypatch.undo()
    get_settings.cache_clear()
    task_queue._sender.cache_clear()


def queued(queue: Any) -> list[tuple[str, int]]:
    found = []
    while True:
        try:
            message = queue.get(block=False)
        except Empty:
            return found
        message.ack()
        found.append((message.headers["task"], message.payload[0][0]))


def test_the_message_for_a_fence_is_sent_again_until_the_job_has_ended(messages: Any) -> None:
    (job_id,) = make_jobs([{"cluster": "a"}])
    with session_scope() as session:
        session.execute(text("UPDATE job SET state = 'NEEDS_HUMAN' WHERE id = :id"), {"id": job_id})
    reconcile._next_fences[0] = 0.0
    reconcile.reconcile_once()
    assert queued(messages) == []
    with session_scope() as session:
        request_resolution(session, actor="person:1 olga", job_id=job_id, words="looked at it, it stays")
    assert queued(messages) == [(RAISE_FENCE, job_id)]
    # Nobody had it: the broker was wiped, or the worker ended.
    reconcile.reconcile_once()
    assert queued(messages) == []
    reconcile._next_fences[0] = 0.0
    reconcile.reconcile_once()
    assert queued(messages) == [(RAISE_FENCE, job_id)]
