"""One worker at a host or a vCenter at a time: a claim in its row that lasts seconds and is renewed while the work goes on.

So a worker that dies leaves the host free within `LEASE_SECONDS`: a job that waits for the host's own word does not wait for a dead one.
The moment that was written last is what tells one claim from the next; nothing else is kept of it.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

import structlog
from sqlalchemy import ColumnElement, Update, inspect
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session, col, text, update

from plumbline.infra.database import session_scope
from plumbline.models.collection import CollectionEndpoint, VCenter

log = structlog.get_logger()

# How long a claim lasts unless it is renewed; it is renewed four times as often.
LEASE_SECONDS = 20.0
# When a row that is claimed is due again by itself, should its worker die: what ends workers is not tried every few seconds.
AGAIN_SECONDS = 300
NEW_LEASE = text(f"clock_timestamp() + interval '{LEASE_SECONDS} seconds'")
DUE_AGAIN = text(f"greatest(next_at, clock_timestamp() + interval '{AGAIN_SECONDS} seconds')")

Claimed = type[CollectionEndpoint] | type[VCenter]


def is_free(table: Claimed) -> ColumnElement[bool]:
    """Nobody is at it, or whoever was is gone."""
    until = col(table.claimed_until)
    return until.is_(None) | (until < text("clock_timestamp()"))


class Hold:
    """A claim that was taken: which row, and the moment that our last renewal wrote."""

    def __init__(self, table: Claimed, key: str | int, until: datetime | None) -> None:
        """`until`: what the claim wrote; None where it was not taken, so that it never was ours."""
        self._table = table
        self._key = key
        self._until = until
        self._lock = threading.Lock()

    def renew(self) -> bool:
        """Lengthens the claim; False where another worker has it by now, and for good. A claim that ran out and that nobody took is
        still ours. Raises `SQLAlchemyError` while the database is away."""
        with self._lock:
            if self._until is None:
                return False
            with session_scope() as session:
                row = session.execute(self._mine().values(claimed_until=NEW_LEASE).returning(col(self._table.claimed_until))).first()
            self._until = row[0] if row else None
            return self._until is not None

    def end(self, session: Session) -> bool:
        """Frees the row and holds it locked until the transaction ends; False, and nothing is written, where it is not ours."""
        with self._lock:
            if self._until is None:
                return False
            ended = session.execute(self._mine().values(claimed_until=None))
            return bool(ended.rowcount == 1)  # type: ignore[attr-defined]

    def _mine(self) -> Update:
        (key,) = inspect(self._table).primary_key
        return update(self._table).where(key == self._key, col(self._table.claimed_until) == self._until)

    @contextmanager
    def kept(self, longest_seconds: float) -> Iterator[None]:
        """Renews in the background while the work inside goes on, and no longer than `longest_seconds`: every wait inside is shorter."""
        done = threading.Event()
        until = time.monotonic() + longest_seconds

        def keep() -> None:
            while not done.wait(LEASE_SECONDS / 4) and time.monotonic() < until:
                try:
                    if not self.renew():
                        return
                except SQLAlchemyError as error:  # the database is away: the claim ends by itself, or is renewed when it is back
                    log.warning("a claim could not be renewed", of=self._table.__tablename__, key=self._key, error=str(error)[:200])

        thread = threading.Thread(target=keep, name=f"claim of {self._key}", daemon=True)
        thread.start()
        try:
            yield
        finally:
            done.set()
            thread.join(LEASE_SECONDS)
