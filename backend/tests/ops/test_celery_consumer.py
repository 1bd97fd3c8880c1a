"""A worker tries the broker again every few seconds, however long it was away."""

from typing import Any

import pytest
from kombu.connection import Connection

from plumbline.ops.celery_consumer import LONGEST_WAIT_SECONDS, PromptConsumer
from plumbline.ops.worker import celery


class Enough(Exception):
    """Ends the test's waiting."""


class LongAway(Connection):
    """A connection of kombu's to a broker that does not listen, after so many tries that the wait is at its longest."""

    def ensure_connection(self, errback: Any, _max_retries: Any, **more: Any) -> Any:
        def noted(error: Exception, interval: float) -> None:
            errback(error, interval)
            raise Enough(interval)

        return super().ensure_connection(noted, **{**more, "interval_start": 60})  # type: ignore[no-untyped-call]


def test_no_wait_for_the_broker_is_longer_than_a_few_seconds() -> None:
    assert celery.conf.worker_consumer == "plumbline.ops.celery_consumer:PromptConsumer"
    consumer = object.__new__(PromptConsumer)
    consumer.app, consumer.first_connection_attempt, consumer.broker_connection_retry_attempt = celery, False, 0
    with pytest.raises(Enough) as waited:
        consumer.ensure_connected(LongAway("redis://127.0.0.1:9/0"))  # type: ignore[no-untyped-call]
    assert waited.value.args == (LONGEST_WAIT_SECONDS,)
