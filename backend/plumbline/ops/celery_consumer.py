"""A worker's connection to its broker, which is restored within seconds, however long the broker was unavailable."""

from typing import Any

from celery.worker.consumer import Consumer

# Celery waits two seconds longer after each failed attempt, up to half a minute. A new job is to start within 20 seconds of the broker's
# return, and its task is enqueued again only every few seconds.
LONGEST_WAIT_SECONDS = 4


class PromptConsumer(Consumer):  # type: ignore[misc]
    """Celery's consumer with a short wait between attempts to connect."""

    def ensure_connected(self, conn: Any) -> Any:
        """Connects, trying again for as long as it takes."""
        connect = conn.ensure_connection

        def ensure_connection(*args: Any, **kwargs: Any) -> Any:
            return connect(*args, **{"interval_max": LONGEST_WAIT_SECONDS, **kwargs})

        conn.ensure_connection = ensure_connection
        return super().ensure_connected(conn)
