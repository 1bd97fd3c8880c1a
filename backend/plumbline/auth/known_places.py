"""From which networks people have signed in lately, kept in memory, so that a flood of sign-ins can be told from them without a query."""

import threading
import time

from sqlalchemy import func, select

from plumbline.auth.attempts import KNOWN_FOR, network_of
from plumbline.infra.database import session_scope
from plumbline.models.auth import PERSON, WEB_SESSION, Person

# How old an answer may be. A person who signs in from a new network is as all others there for so long.
FRESH_SECONDS = 30.0
# Pairs of a login and an address: a few MB at most.
_MOST = 100_000


class _KnownPlaces:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._read_at = -FRESH_SECONDS
        self._pairs: frozenset[tuple[str, str]] = frozenset()

    def has(self, login: str, network: str) -> bool:
        # One thread reads, the others go on with the answer before.
        if time.monotonic() - self._read_at >= FRESH_SECONDS and self._lock.acquire(blocking=False):
            try:
                self._pairs = _read()
                self._read_at = time.monotonic()
            finally:
                self._lock.release()
        return (login, network) in self._pairs


def _read() -> frozenset[tuple[str, str]]:
    login = func.lower(PERSON.login)
    with session_scope() as session:
        rows = session.execute(
            select(login, WEB_SESSION.address)
            .join(Person, PERSON.id == WEB_SESSION.person_id)
            .where(WEB_SESSION.created_at > func.now() - KNOWN_FOR)
            .distinct()
            .limit(_MOST)
        ).all()
    return frozenset((name, network_of(address)) for name, address in rows)


_known = _KnownPlaces()


def has(login: str, network: str) -> bool:
    """Whether the person with this login, in lower case, had signed in from the network as of at most `FRESH_SECONDS` ago. What decides
    on limits is `Attempt.refuse`; this only says whose limits are worth reading while many sign in."""
    return _known.has(login, network)
