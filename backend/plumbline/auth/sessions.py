"""Browser sessions: opaque ids of 256 bits, stored as a hash only, a new one at each sign-in, ended on the server.

They end after 30 minutes without use and after 12 hours in any case (settings). How often a password may be tried: `attempts`.
"""

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Boolean, ColumnElement, Interval, and_, bindparam, column, delete, func, or_, select, table, text, update
from sqlalchemy.dialects.postgresql import aggregate_order_by
from sqlmodel import Session

from plumbline import audit
from plumbline.auth import passwords
from plumbline.auth.actor import Actor, Grant
from plumbline.auth.attempts import Attempt, network_of
from plumbline.auth.passwords import verify_password
from plumbline.auth.schemas import OwnSession
from plumbline.infra.errors import Conflict, NotFound, NotSignedIn
from plumbline.infra.settings import get_settings
from plumbline.models.auth import (
    PERSON,
    ROLE_GRANT,
    SECOND_FACTOR,
    SECOND_STEP,
    WEB_SESSION,
    OidcProvider,
    Person,
    SecondStep,
    WebSession,
)
from plumbline.models.columns import columns_of

# A session's last use is stored at most this often, so that not every request writes a row.
_TOUCH_EVERY = timedelta(minutes=1)

# SQLModel declares columns as plain attributes; these are the tables as SQL sees them.
OIDC_PROVIDER = columns_of(OidcProvider)

# The columns of host groups that rights depend on.
HOST_GROUP = table("host_group", column("id"), column("name"), column("path"))
INSTALLATION = table("installation", column("id"), column("is_second_factor_required", Boolean))


class SignInRefused(NotSignedIn):
    """Login or password is wrong, or the account is disabled: the answer does not say which."""

    code = "sign_in_refused"


def hash_id(session_id: str) -> bytes:
    """The form in which a session id is stored."""
    return hashlib.sha256(session_id.encode()).digest()


def start(
    session: Session, *, person: Person, address: str, agent: str, proven_at: datetime | None = None, has_second_factor: bool = False
) -> str:
    """A new session of the person; returns its id.

    `proven_at`, for a session that began at the identity provider: when the person last proved their identity there.
    `has_second_factor`: the sign-in took a second step.
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
            has_second_factor=has_second_factor,
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


# Second factors are required here, and this session of a local account began without one.
_LACKS_SECOND_FACTOR = and_(
    INSTALLATION.c.is_second_factor_required, WEB_SESSION.has_second_factor.is_(False), WEB_SESSION.is_by_provider.is_(False)
)
# The groups of `PERSON` at the identity provider count only while that provider is enabled, and for a limited time.
_PROVIDER_GROUPS = (
    select(func.unnest(PERSON.oidc_groups))
    .select_from(OidcProvider)
    .where(
        OIDC_PROVIDER.issuer == PERSON.oidc_issuer,
        OIDC_PROVIDER.is_enabled,
        PERSON.oidc_groups_at > func.now() - bindparam("hold", type_=Interval),
    )
    .correlate(Person)
)
# The grants of `PERSON`: [role, group id, path, name] of each.
_GRANTS = (
    select(
        func.jsonb_agg(
            aggregate_order_by(
                func.jsonb_build_array(ROLE_GRANT.role, ROLE_GRANT.group_id, HOST_GROUP.c.path, HOST_GROUP.c.name), ROLE_GRANT.id
            )
        )
    )
    .join(HOST_GROUP, HOST_GROUP.c.id == ROLE_GRANT.group_id)
    .where(or_(ROLE_GRANT.person_id == PERSON.id, ROLE_GRANT.oidc_group.in_(_PROVIDER_GROUPS)))
    .correlate(Person)
    .scalar_subquery()
    .label("grants")
)
_GRANTS_OF_PERSON = select(_GRANTS).select_from(Person).where(PERSON.id == bindparam("person_id"))
# Every request runs this query, so it is built once, and selects columns instead of rows.
_SESSION_AND_PERSON = (
    select(
        WEB_SESSION.id_hash, WEB_SESSION.ended_at, WEB_SESSION.expires_at, WEB_SESSION.last_used_at, func.now().label("now"),
        PERSON.id, PERSON.login, PERSON.display_name, PERSON.time_zone, PERSON.is_disabled, PERSON.must_set_password,
        _LACKS_SECOND_FACTOR.label("lacks_second_factor"), _GRANTS,
    )
    .join(Person, PERSON.id == WEB_SESSION.person_id)
    .join(INSTALLATION, INSTALLATION.c.id == 1)
    .where(WEB_SESSION.id_hash == bindparam("id_hash"))
)  # fmt: skip


def actor_of(session: Session, session_id: str) -> Actor:
    """The actor of a session; raises `NotSignedIn` for an unknown, ended, idle or expired one. One query."""
    row = session.execute(_SESSION_AND_PERSON, {"id_hash": hash_id(session_id), "hold": _hold()}).first()
    if row is None:
        raise NotSignedIn("Sign in to continue.")
    idle = timedelta(minutes=get_settings().session_idle_minutes)
    # One that was used in the future, while the clock was ahead, would live until then.
    if row.ended_at or row.is_disabled or row.now >= row.expires_at or abs(row.now - row.last_used_at) >= idle:
        raise NotSignedIn("Your session has ended. Sign in again.")
    if row.now - row.last_used_at >= _TOUCH_EVERY:
        session.execute(update(WebSession).where(WEB_SESSION.id_hash == row.id_hash).values(last_used_at=row.now))
    return Actor(
        person_id=row.id,
        login=row.login,
        display_name=row.display_name,
        time_zone=row.time_zone,
        grants=_grants(row.grants),
        session_hash=row.id_hash,
        must_set_password=row.must_set_password,
        must_add_second_factor=row.lacks_second_factor,
    )


def grants_of(session: Session, person_id: int) -> tuple[Grant, ...]:
    """The grants of a person and of their groups at the identity provider, with the paths of the groups they apply to. One query.

    The provider's groups count while it is enabled, and for a limited time after the last sign-in there (settings).
    """
    return _grants(session.scalar(_GRANTS_OF_PERSON, {"person_id": person_id, "hold": _hold()}))


def _hold() -> timedelta:
    return timedelta(days=get_settings().oidc_groups_hold_days)


def _grants(found: Sequence[Sequence[Any]] | None) -> tuple[Grant, ...]:
    return tuple(
        dict.fromkeys(Grant(role=role, group_id=group_id, path=path, group_name=name) for role, group_id, path, name in found or ())
    )


@dataclass(frozen=True, slots=True)
class SessionStart:
    """How a session began: the name of the provider, None for a password; and when its person last proved their identity.

    `confirmed_at` is when they last did so by a second factor in this session; `second_factors` are the kinds that they have.
    """

    provider: str | None
    authenticated_at: datetime
    confirmed_at: datetime | None
    second_factors: list[str]


def start_of(session: Session, *, actor: Actor) -> SessionStart:
    """How the actor's session began. One query."""
    kinds = select(func.array_agg(SECOND_FACTOR.kind.distinct())).where(SECOND_FACTOR.person_id == WEB_SESSION.person_id).scalar_subquery()
    row = session.execute(
        select(WEB_SESSION.is_by_provider, WEB_SESSION.authenticated_at, WEB_SESSION.confirmed_at, OIDC_PROVIDER.name, kinds.label("kinds"))
        .select_from(WebSession)
        .outerjoin(OidcProvider, OIDC_PROVIDER.is_enabled.is_(True))
        .where(WEB_SESSION.id_hash == actor.session_hash)
    ).one()
    return SessionStart(
        provider=row.name or "the identity provider" if row.is_by_provider else None,
        authenticated_at=row.authenticated_at,
        confirmed_at=row.confirmed_at,
        second_factors=sorted(row.kinds or ()),
    )


def end(session: Session, *, actor: Actor) -> None:
    """Ends the actor's session."""
    session.execute(update(WebSession).where(WEB_SESSION.id_hash == actor.session_hash).values(ended_at=func.now()))
    audit.record(session, actor=actor.audit_name, action="session.ended", about=audit.Object("person", str(actor.person_id)))


def end_replaced(session: Session, session_id: str) -> None:
    """Ends the session that a browser had when its next one began; whose it was does not matter. Nothing for an unknown or ended one."""
    session.execute(
        update(WebSession).where(WEB_SESSION.id_hash == hash_id(session_id), WEB_SESSION.ended_at.is_(None)).values(ended_at=func.now())
    )


_KEY = func.encode(func.substring(WEB_SESSION.id_hash, 1, 16), "hex")


def _in_use(actor: Actor) -> ColumnElement[bool]:
    """A condition on sessions: the actor's, neither ended nor expired nor idle."""
    idle = timedelta(minutes=get_settings().session_idle_minutes)
    return and_(
        WEB_SESSION.person_id == actor.person_id,
        WEB_SESSION.ended_at.is_(None),
        WEB_SESSION.expires_at > func.now(),
        WEB_SESSION.last_used_at > func.now() - idle,
    )


def list_own(session: Session, *, actor: Actor) -> list[OwnSession]:
    """The actor's sessions that are in use, this one first, then by their last use. One query."""
    columns = (WEB_SESSION.id_hash, WEB_SESSION.created_at, WEB_SESSION.last_used_at, WEB_SESSION.address, WEB_SESSION.agent)
    rows = session.execute(
        select(_KEY.label("key"), *columns, WEB_SESSION.is_by_provider)
        .where(_in_use(actor))
        .order_by((WEB_SESSION.id_hash == actor.session_hash).desc(), WEB_SESSION.last_used_at.desc())
        .limit(100)
    )
    return [
        OwnSession(
            key=row.key,
            is_this=row.id_hash == actor.session_hash,
            started_at=row.created_at,
            last_used_at=row.last_used_at,
            address=row.address,
            agent=row.agent,
            is_by_provider=row.is_by_provider,
        )
        for row in rows
    ]


def end_own(session: Session, *, actor: Actor, key: str) -> None:
    """Ends another session of the actor. Raises `NotFound`, `Conflict` for the session of this request, which is signed out instead."""
    row = session.scalar(select(WebSession).where(_in_use(actor), _KEY == key))  # noqa: SIM300
    if row is None:
        raise NotFound("Session not found. It may have ended.")
    if row.id_hash == actor.session_hash:
        raise Conflict("this is the session that you use: sign out instead")
    row.ended_at = session.execute(select(func.now())).scalar_one()
    session.add(row)
    _audit_end(session, actor, "another session")


def end_others(session: Session, *, actor: Actor) -> None:
    """Ends all sessions of the actor but this one."""
    end_all(session, person_id=actor.person_id, but=actor.session_hash)
    _audit_end(session, actor, "all other sessions")


def _audit_end(session: Session, actor: Actor, reason: str) -> None:
    about = audit.Object("person", str(actor.person_id))
    audit.record(session, actor=actor.audit_name, action="session.ended", about=about, reason=reason)


def end_all(session: Session, *, person_id: int, but: bytes = b"") -> None:
    """Ends every session of a person, except the one with the hash `but`; and the sign-ins that wait for a second step."""
    session.execute(delete(SecondStep).where(SECOND_STEP.person_id == person_id))
    session.execute(
        update(WebSession)
        .where(WEB_SESSION.person_id == person_id, WEB_SESSION.ended_at.is_(None), WEB_SESSION.id_hash != but)
        .values(ended_at=func.now())
    )


def reauthenticate(session: Session, *, actor: Actor, password: str) -> None:
    """Stores that the person gave the password again just now.

    Raises `SignInRefused` if it is wrong, `TooManyRequests` after ten wrong ones in this session, `passwords.Busy`.
    """
    attempt = Attempt.of_session(actor.session_hash)
    attempt.refuse()
    with passwords.turn(str(actor.person_id), is_known=True):
        attempt.count()
        person = session.get(Person, actor.person_id)
        is_right, _ = verify_password(password, person.password_hash if person else None)
    if not is_right:
        attempt.note_failure(person=person, why="wrong password at a confirmation")
        raise SignInRefused("Wrong password.")
    attempt.forget(session)
    session.execute(update(WebSession).where(WEB_SESSION.id_hash == actor.session_hash).values(authenticated_at=func.now()))


def note_confirmation(session: Session, *, actor: Actor) -> None:
    """Stores that the person confirmed their identity by a second factor just now."""
    values = {"authenticated_at": func.now(), "confirmed_at": func.now()}
    session.execute(update(WebSession).where(WEB_SESSION.id_hash == actor.session_hash).values(**values))


def purge(session: Session) -> int:
    """Deletes sessions that ended more than 30 days ago, and audits it; returns how many."""
    result = session.execute(text("DELETE FROM web_session WHERE coalesce(ended_at, expires_at) < now() - interval '30 days'"))
    purged = int(result.rowcount)  # type: ignore[attr-defined]
    if purged:
        audit.record(session, actor=audit.SYSTEM, action="retention.purged", about=audit.Object("retention"), after={"sessions": purged})
    return purged
