"""Limits on guessing passwords, such that a stranger who fails on purpose keeps no other person out.

Tries are counted by account and network together: failing elsewhere does not touch the person. The limits of a whole network, and of an
account from all networks, do not hold for a person who has signed in from this network in the last 30 days. A signed-in person who
confirms their identity is counted by session. Second steps of sign-ins are counted apart from passwords and by the same limits, with a
lower one from everywhere, since a code has six digits only. A refused try is not counted, so refusals end 15 minutes after the last counted
try at the latest, however often the person goes on.
"""

import ipaddress
from dataclasses import dataclass
from datetime import timedelta

import structlog
from sqlalchemy import delete, func, select, text, update
from sqlmodel import Session

from plumbline import audit
from plumbline.infra.database import session_scope
from plumbline.infra.errors import TooManyRequests
from plumbline.models.auth import PERSON, WEB_SESSION, FailedSignIn, Person
from plumbline.models.columns import columns_of

log = structlog.get_logger()

WINDOW = timedelta(minutes=15)
TRIES_PER_ACCOUNT = 10
TRIES_PER_NETWORK = 50
# Of one account from all networks: more is guessing from many places at once.
TRIES_PER_ACCOUNT_EVERYWHERE = 100
# Of one account's second steps from all networks: the right password was given each time.
STEPS_PER_ACCOUNT_EVERYWHERE = 30
TRIES_PER_SESSION = 10
# A network from which the person signed in this recently is known.
KNOWN_FOR = timedelta(days=30)
_LONGEST_LOGIN = 64

FAILED_SIGN_IN = columns_of(FailedSignIn)


def network_of(address: str) -> str:
    """The network a sign-in comes from: /24 for IPv4, /56 for IPv6."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return "local"
    return str(ipaddress.ip_network(f"{address}/{24 if parsed.version == 4 else 56}", strict=False))


@dataclass(frozen=True, slots=True)
class Attempt:
    """One try at the password of an account from a network, of a session (`session_hash`), or at a person's second step (`person_id`)."""

    login: str
    network: str
    session_hash: bytes = b""
    person_id: int | None = None

    @classmethod
    def of_sign_in(cls, login: str, address: str) -> "Attempt":
        """A try to sign in."""
        return cls(login.casefold()[:_LONGEST_LOGIN], network_of(address))

    @classmethod
    def of_session(cls, session_hash: bytes) -> "Attempt":
        """A try to confirm the password in a session."""
        return cls(f"session:{session_hash.hex()}"[:_LONGEST_LOGIN], "", session_hash)

    @classmethod
    def of_second_step(cls, person_id: int, address: str) -> "Attempt":
        """A try at the second step of a sign-in. No login contains a colon."""
        return cls(f"second:{person_id}", network_of(address), person_id=person_id)

    def refuse(self) -> bool:
        """Raises `TooManyRequests` where a limit is reached. Counts nothing, and is cheap. Returns whether the person is known here: a
        signed-in one, or one who has signed in from this network lately."""
        with session_scope() as session:
            if self._is_over(session):
                raise _too_many()
            return bool(self.session_hash) or self._is_known(session)

    def count(self) -> None:
        """Counts the try before the password is checked. Raises `TooManyRequests` where a limit is reached, and counts nothing then.

        It is counted in a transaction of its own, which stays when the sign-in fails, and one after the other for each network or session,
        so that the limits hold for tries that arrive together.
        """
        with session_scope() as session:
            key = f"{self.network} {self.login if self.session_hash else ''}"
            session.execute(text("SELECT pg_advisory_xact_lock(hashtextextended(:key, 7302653))"), {"key": key})
            if self._is_over(session):
                raise _too_many()
            session.add(FailedSignIn(login=self.login, network=self.network))
            # Also those of a time at which the clock was ahead: they would count for as long as it was.
            is_old = (FAILED_SIGN_IN.at < func.now() - timedelta(days=1)) | (FAILED_SIGN_IN.at > func.now() + WINDOW)
            session.execute(delete(FailedSignIn).where(is_old))

    def forget(self, session: Session) -> None:
        """The password was right: the tries of this account from this network, or of this session, no longer count."""
        session.execute(delete(FailedSignIn).where(FAILED_SIGN_IN.login == self.login, FAILED_SIGN_IN.network == self.network))

    def _is_over(self, session: Session) -> bool:
        since = func.now() - WINDOW
        is_here = (FAILED_SIGN_IN.login == self.login) & (FAILED_SIGN_IN.network == self.network)
        recent = select(
            func.count().filter(is_here),
            func.count().filter(FAILED_SIGN_IN.network == self.network),
            func.count().filter(FAILED_SIGN_IN.login == self.login),
        ).where(
            FAILED_SIGN_IN.at > since,
            FAILED_SIGN_IN.at < func.now() + WINDOW,
            (FAILED_SIGN_IN.login == self.login) | (FAILED_SIGN_IN.network == self.network),
        )
        here, from_network, everywhere = session.execute(recent).one()
        if self.session_hash:
            return bool(here >= TRIES_PER_SESSION)
        if here >= TRIES_PER_ACCOUNT:
            return True
        most_everywhere = TRIES_PER_ACCOUNT_EVERYWHERE if self.person_id is None else STEPS_PER_ACCOUNT_EVERYWHERE
        if from_network < TRIES_PER_NETWORK and everywhere < most_everywhere:
            return False
        return not self._is_known(session)

    def _is_known(self, session: Session) -> bool:
        """The person has signed in from this network lately."""
        addresses = session.scalars(
            select(WEB_SESSION.address)
            .join(Person, PERSON.id == WEB_SESSION.person_id)
            .where(
                func.lower(PERSON.login) == self.login if self.person_id is None else PERSON.id == self.person_id,
                WEB_SESSION.created_at > func.now() - KNOWN_FOR,
            )
            .distinct()
            .limit(500)
        )
        return any(network_of(address) == self.network for address in addresses)

    def note_failure(self, *, person: Person | None, why: str) -> None:
        """Leaves a trace of a failed try: in the log always, in the audit log the first of a row, and the one that reaches the limit.

        What was typed as a login is written only where it is an account's: people type passwords there.
        """
        whose = person.login if person is not None else "Account not found."
        log.warning("sign-in refused", login=whose, network=self.network, why=why, request_id=audit.REQUEST_ID.get())
        with session_scope() as session:
            is_here = (FAILED_SIGN_IN.login == self.login) & (FAILED_SIGN_IN.network == self.network)
            tries = session.scalar(select(func.count()).select_from(FailedSignIn).where(is_here, FAILED_SIGN_IN.at > func.now() - WINDOW))
            most = TRIES_PER_SESSION if self.session_hash else TRIES_PER_ACCOUNT
            if tries not in (1, most):
                return
            if person is None:
                # As much work as the entry about an account: else the time that an answer takes would say which accounts exist.
                session.execute(update(FailedSignIn).where(is_here).values(network=self.network))
                return
            refused = "session.confirmation_refused" if self.session_hash else "session.refused"
            audit.record(
                session,
                actor=f"person:{person.id} {person.login}" if self.session_hash else audit.SYSTEM,
                action="session.locked_out" if tries == most else refused,
                about=audit.Object("person", str(person.id)),
                after={"network": self.network, "tries": tries} if self.network else {"tries": tries},
                reason=why,
            )


def _too_many() -> TooManyRequests:
    return TooManyRequests("Too many attempts. Wait 15 minutes or ask an admin.", retry_after_seconds=int(WINDOW.total_seconds()))
