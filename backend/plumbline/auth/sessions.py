"""Browser sessions: opaque ids of 256 bits, stored as a hash only, a new one at each sign-in, ended on the server.

They end after 30 minutes without use and after 12 hours in any case (settings). Attempts are limited per account and per network, and
counted before the password is checked.
"""

import hashlib
import ipaddress
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Interval, bindparam, column, delete, func, or_, select, table, text, update
from sqlmodel import Session

from plumbline import audit
from plumbline.auth.actor import Actor, Grant
from plumbline.auth.passwords import verify_password
from plumbline.infra.database import session_scope
from plumbline.infra.errors import NotSignedIn, TooManyRequests
from plumbline.infra.settings import get_settings
from plumbline.models.auth import PERSON, ROLE_GRANT, WEB_SESSION, FailedSignIn, OidcProvider, Person, WebSession
from plumbline.models.columns import columns_of

TRIES_WINDOW = timedelta(minutes=15)
TRIES_PER_ACCOUNT = 10
TRIES_PER_NETWORK = 50
# A session's last use is stored at most this often, so that not every request writes a row.
_TOUCH_EVERY = timedelta(minutes=1)

# SQLModel declares columns as plain attributes; these are the tables as SQL sees them.
FAILED_SIGN_IN = columns_of(FailedSignIn)
OIDC_PROVIDER = columns_of(OidcProvider)

# The columns of host groups that rights depend on.
HOST_GROUP = table("host_group", column("id"), column("name"), column("path"))

_WRONG = "login or password is wrong"


class SignInRefused(NotSignedIn):
    """Login or password is wrong, or the account is disabled: the answer does not say which."""

    code = "sign_in_refused"


def hash_id(session_id: str) -> bytes:
    """The form in which a session id is stored."""
    return hashlib.sha256(session_id.encode()).digest()


def network_of(address: str) -> str:
    """The network a sign-in comes from: /24 for IPv4, /56 for IPv6."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return "local"
    return str(ipaddress.ip_network(f"{address}/{24 if parsed.version == 4 else 56}", strict=False))


def count_attempt(login: str, address: str) -> None:
    """Counts an attempt before the password is checked. Raises `TooManyRequests` once there are too many.

    Counting first makes the limit hold for attempts that arrive together; its own transaction keeps the row when the sign-in fails.
    """
    network = network_of(address)
    with session_scope() as session:
        session.add(FailedSignIn(login=login.casefold()[:64], network=network))
    with session_scope() as session:
        since = func.now() - TRIES_WINDOW
        by_account = session.scalar(
            select(func.count()).select_from(FailedSignIn).where(FAILED_SIGN_IN.login == login.casefold()[:64], FAILED_SIGN_IN.at > since)
        )
        by_network = session.scalar(
            select(func.count()).select_from(FailedSignIn).where(FAILED_SIGN_IN.network == network, FAILED_SIGN_IN.at > since)
        )
        session.execute(delete(FailedSignIn).where(FAILED_SIGN_IN.at < func.now() - timedelta(days=1)))
    if (by_account or 0) > TRIES_PER_ACCOUNT or (by_network or 0) > TRIES_PER_NETWORK:
        raise TooManyRequests(
            "too many sign-in tries; wait 15 minutes or ask an admin", retry_after_seconds=int(TRIES_WINDOW.total_seconds())
        )


def sign_in(session: Session, *, login: str, password: str, address: str, agent: str) -> tuple[str, Person]:
    """Checks the password and starts a session; returns its id, which is stored nowhere, and the person.

    Wrong logins, disabled accounts and wrong passwords cost the same work and get the same error.
    """
    count_attempt(login, address)
    person = session.scalar(select(Person).where(func.lower(PERSON.login) == login.casefold()))
    is_right, renewed = verify_password(password, person.password_hash if person else None)
    if person is None or person.id is None or not is_right or person.is_disabled:
        raise SignInRefused(_WRONG)
    if renewed:
        person.password_hash = renewed
    session.execute(delete(FailedSignIn).where(FAILED_SIGN_IN.login == login.casefold()[:64]))
    return start(session, person=person, address=address, agent=agent), person


def start(session: Session, *, person: Person, address: str, agent: str, proven_at: datetime | None = None) -> str:
    """A new session of the person; returns its id.

    `proven_at`, for a session that began at the identity provider: when the person last proved their identity there.
    """
    assert person.id is not None
    session_id = secrets.token_urlsafe(32)
    now = session.scalar(select(func.now()))
    assert isinstance(now, datetime)
    session.add(
        WebSession(
            id_hash=hash_id(session_id),
            person_id=person.id,
            created_at=now,
            last_used_at=now,
            authenticated_at=proven_at or now,
            is_by_provider=proven_at is not None,
            expires_at=now + timedelta(hours=get_settings().session_absolute_hours),
            address=address[:64],
            agent=agent[:200],
        )
    )
    person.last_signed_in_at = now
    audit.record(
        session,
        actor=f"person:{person.id} {person.login}",
        action="session.started",
        about=audit.Object("person", str(person.id)),
        after={"network": network_of(address)},
    )
    session.flush()
    return session_id


# Every request runs these queries, so they are built once, and select columns instead of rows.
_SESSION_AND_PERSON = (
    select(
        WEB_SESSION.id_hash, WEB_SESSION.ended_at, WEB_SESSION.expires_at, WEB_SESSION.last_used_at, func.now().label("now"),
        PERSON.id, PERSON.login, PERSON.display_name, PERSON.time_zone, PERSON.is_disabled,
    )
    .join(Person, PERSON.id == WEB_SESSION.person_id)
    .where(WEB_SESSION.id_hash == bindparam("id_hash"))
)  # fmt: skip
# The person's groups at the identity provider count only while that provider is enabled.
_PROVIDER_GROUPS = (
    select(func.unnest(PERSON.oidc_groups))
    .join(OidcProvider, (OIDC_PROVIDER.issuer == PERSON.oidc_issuer) & OIDC_PROVIDER.is_enabled)
    .where(PERSON.id == bindparam("person_id"), PERSON.oidc_groups_at > func.now() - bindparam("hold", type_=Interval))
)
_GRANTS = (
    select(ROLE_GRANT.role, ROLE_GRANT.group_id, HOST_GROUP.c.path, HOST_GROUP.c.name)
    .join(HOST_GROUP, HOST_GROUP.c.id == ROLE_GRANT.group_id)
    .where(or_(ROLE_GRANT.person_id == bindparam("person_id"), ROLE_GRANT.oidc_group.in_(_PROVIDER_GROUPS)))
    .order_by(ROLE_GRANT.id)
)


def actor_of(session: Session, session_id: str) -> Actor:
    """The actor of a session; raises `NotSignedIn` for an unknown, ended, idle or expired one."""
    row = session.execute(_SESSION_AND_PERSON, {"id_hash": hash_id(session_id)}).first()
    if row is None:
        raise NotSignedIn("sign in to go on")
    idle = timedelta(minutes=get_settings().session_idle_minutes)
    if row.ended_at or row.is_disabled or row.now >= row.expires_at or row.now - row.last_used_at >= idle:
        raise NotSignedIn("your session has ended; sign in again")
    if row.now - row.last_used_at >= _TOUCH_EVERY:
        session.execute(update(WebSession).where(WEB_SESSION.id_hash == row.id_hash).values(last_used_at=row.now))
    return Actor(
        person_id=row.id,
        login=row.login,
        display_name=row.display_name,
        time_zone=row.time_zone,
        grants=grants_of(session, row.id),
        session_hash=row.id_hash,
    )


def grants_of(session: Session, person_id: int) -> tuple[Grant, ...]:
    """The grants of a person and of their groups at the identity provider, with the paths of the groups they apply to. One query.

    The provider's groups count while it is enabled, and for a limited time after the last sign-in there (settings).
    """
    hold = timedelta(days=get_settings().oidc_groups_hold_days)
    rows = session.execute(_GRANTS, {"person_id": person_id, "hold": hold})
    return tuple(dict.fromkeys(Grant(role=role, group_id=group_id, path=path, group_name=name) for role, group_id, path, name in rows))


@dataclass(frozen=True, slots=True)
class SessionStart:
    """How a session began: the name of the provider, None for a password; and when its person last proved their identity."""

    provider: str | None
    authenticated_at: datetime


def start_of(session: Session, *, actor: Actor) -> SessionStart:
    """How the actor's session began. One query."""
    row = session.execute(
        select(WEB_SESSION.is_by_provider, WEB_SESSION.authenticated_at, OIDC_PROVIDER.name)
        .select_from(WebSession)
        .outerjoin(OidcProvider, OIDC_PROVIDER.is_enabled.is_(True))
        .where(WEB_SESSION.id_hash == actor.session_hash)
    ).one()
    return SessionStart(provider=row.name or "the identity provider" if row.is_by_provider else None, authenticated_at=row.authenticated_at)


def end(session: Session, *, actor: Actor) -> None:
    """Ends the actor's session."""
    session.execute(update(WebSession).where(WEB_SESSION.id_hash == actor.session_hash).values(ended_at=func.now()))
    audit.record(session, actor=actor.audit_name, action="session.ended", about=audit.Object("person", str(actor.person_id)))


def end_all(session: Session, *, person_id: int, but: bytes = b"") -> None:
    """Ends every session of a person, except the one with the hash `but`."""
    session.execute(
        update(WebSession)
        .where(WEB_SESSION.person_id == person_id, WEB_SESSION.ended_at.is_(None), WEB_SESSION.id_hash != but)
        .values(ended_at=func.now())
    )


def reauthenticate(session: Session, *, actor: Actor, password: str, address: str) -> None:
    """Stores that the person gave the password again just now; raises `SignInRefused` if it is wrong."""
    count_attempt(actor.login, address)
    person = session.get(Person, actor.person_id)
    is_right, _ = verify_password(password, person.password_hash if person else None)
    if not is_right:
        raise SignInRefused("the password is wrong")
    session.execute(delete(FailedSignIn).where(FAILED_SIGN_IN.login == actor.login.casefold()))
    session.execute(update(WebSession).where(WEB_SESSION.id_hash == actor.session_hash).values(authenticated_at=func.now()))


def purge(session: Session) -> int:
    """Deletes sessions that ended more than 30 days ago, and audits it; returns how many."""
    result = session.execute(text("DELETE FROM web_session WHERE coalesce(ended_at, expires_at) < now() - interval '30 days'"))
    purged = int(result.rowcount)  # type: ignore[attr-defined]
    if purged:
        audit.record(session, actor=audit.SYSTEM, action="retention.purged", about=audit.Object("retention"), after={"sessions": purged})
    return purged
