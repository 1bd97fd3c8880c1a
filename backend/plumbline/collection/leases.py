"""One worker for a host or a vCenter at a time: a lease in its row that lasts seconds and is renewed while the work goes on.

A host is therefore free within `LEASE_SECONDS` after its worker died. A lease is identified by the end time that was written last.
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

from plumbline.infra.database import is_past, session_scope
from plumbline.models.collection import CollectionEndpoint, VCenter

log = structlog.get_logger()

# How long a lease lasts unless it is renewed; it is renewed four times as often.
LEASE_SECONDS = 20.0
# When a leased row is due again if its worker dies, so that a host that kills workers is not tried every few seconds.
AGAIN_SECONDS = 300
NEW_LEASE = text(f"clock_timestamp() + interval '{LEASE_SECONDS} seconds'")
DUE_AGAIN = text(f"greatest(next_at, clock_timestamp() + interval '{AGAIN_SECONDS} seconds')")

Leased = type[CollectionEndpoint] | type[VCenter]


def is_free(table: Leased) -> ColumnElement[bool]:
    """No worker has the lease, or it has ended."""
    until = col(table.claimed_until)
    return until.is_(None) | text(is_past(f"{table.__tablename__}.claimed_until"))


class Lease:
    """A lease on one row."""

    def __init__(self, table: Leased, key: str | int, until: datetime | None) -> None:
        """`until`: the end time that was written when the lease was taken; None where it was not taken."""
        self._table = table
        self._key = key
        self._until = until
        self._lock = threading.Lock()

    def renew(self) -> bool:
        """Extends the lease; false, from then on, where another worker has taken it. One that ended and that nobody took is still this
        worker's. Raises `SQLAlchemyError` while the database is unavailable."""
        with self._lock:
            if self._until is None:
                return False
            with session_scope() as session:
                row = session.execute(self._update().values(claimed_until=NEW_LEASE).returning(col(self._table.claimed_until))).first()
            self._until = row[0] if row else None
            return self._until is not None

    def end(self, session: Session) -> bool:
        """Frees the row and keeps it locked until the transaction ends; false, with nothing written, where another worker has it."""
        with self._lock:
            if self._until is None:
                return False
            ended = session.execute(self._update().values(claimed_until=None))
            return bool(ended.rowcount == 1)  # type: ignore[attr-defined]

    def _update(self) -> Update:
        (key,) = inspect(self._table).primary_key
        return update(self._table).where(key == self._key, col(self._table.claimed_until) == self._until)

    @contextmanager
    def kept(self, longest_seconds: float) -> Iterator[None]:
        """Renews in the background while the block runs, but no longer than `longest_seconds`."""
        done = threading.Event()
        until = time.monotonic() + longest_seconds

        def keep() -> None:
            while not done.wait(LEASE_SECONDS / 4) and time.monotonic() < until:
                try:
                    if not self.renew():
                        return
                except SQLAlchemyError as error:  # the database is unavailable: the lease ends, or is renewed later
                    log.warning("lease not renewed", table=self._table.__tablename__, key=self._key, error=str(error)[:200])

        thread = threading.Thread(target=keep, name=f"lease of {self._key}", daemon=True)
        thread.start()
        try:
            yield
        finally:
            done.set()
            thread.join(LEASE_SECONDS)
