"""Messages to workers: each carries ids only, and is sent after the transaction has committed, never before.

A message that cannot be sent (Redis is unavailable) is not an error: the row is the work, and a scheduled task finds it. So enqueuing
never makes a request fail; it is only logged.
"""

from functools import cache
from typing import Any

import structlog
from celery import Celery
from sqlalchemy import event
from sqlmodel import Session

from plumbline.infra.settings import get_settings

log = structlog.get_logger()


@cache
def _sender() -> Celery:
    sender = Celery("plumbline-sender", broker=get_settings().redis_url)
    sender.conf.update(
        task_ignore_result=True,
        task_serializer="json",
        broker_connection_retry=False,
        broker_transport_options={"socket_timeout": 2, "socket_connect_timeout": 1},
    )
    return sender


def enqueue(session: Session, task: str, *ids: str | int, queue: str = "background") -> None:
    """Sends `task` with these ids once `session` has committed; a rollback sends nothing."""

    def send(_: Any) -> None:
        enqueue_now(task, *ids, queue=queue)

    event.listen(session, "after_commit", send, once=True)


def enqueue_now(task: str, *ids: str | int, queue: str = "background") -> bool:
    """Sends at once; returns whether the broker accepted it."""
    if not get_settings().redis_url:
        return False
    try:
        _sender().send_task(task, args=list(ids), queue=queue, retry=False)
    except Exception as error:
        log.warning("task not enqueued", task=task, error=str(error))
        return False
    return True


def broker_answers() -> bool:
    """Whether the broker accepts connections now."""
    try:
        with _sender().connection_for_read() as connection:
            connection.ensure_connection(max_retries=1, timeout=2)
    except Exception:  # kombu raises what its transport raises
        return False
    return True
