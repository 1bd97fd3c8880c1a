"""How a worker comes back to its broker: within seconds, however long it was away."""

from typing import Any

from celery.worker.consumer import Consumer

# Celery waits two seconds longer after each try in vain, up to half a minute; a new job is to start within 20 seconds of the broker's
# return, and its bell is rung again only every few seconds.
LONGEST_WAIT_SECONDS = 4


class PromptConsumer(Consumer):  # type: ignore[misc]
    """Celery's consumer, which never waits long before it tries the broker again."""

    def ensure_connected(self, conn: Any) -> Any:
        """Connects, trying again for as long as it takes."""
        connect = conn.ensure_connection

        def ensure_connection(*args: Any, **kwargs: Any) -> Any:
            return connect(*args, **{"interval_max": LONGEST_WAIT_SECONDS, **kwargs})

        conn.ensure_connection = ensure_connection
        return super().ensure_connected(conn)
