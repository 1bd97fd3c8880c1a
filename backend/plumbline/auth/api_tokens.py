"""API tokens: opaque, shown once, stored as a hash only, ended by expiry or by revoking them.

A token is limited by its own roles and group, and at each use by the grants that its person then has. It has no session, so acts that
require the password again refuse it, as do acts that only people may do (`rights.PERSONS_ONLY`).
"""

import hashlib
import secrets
from collections.abc import Sequence
from datetime import timedelta
from typing import get_args

from sqlalchemy import func, or_, select, update
from sqlmodel import Session

from plumbline import audit
from plumbline.auth.actor import Actor, Grant, Role
from plumbline.auth.api_token_schemas import TokenCreate, TokenMade, TokenRole, TokenRow
from plumbline.auth.rights import ACTIONS, allow, require
from plumbline.auth.sessions import HOST_GROUP, grants_of
from plumbline.infra.errors import BadInput, Conflict, NotAllowed, NotFound, NotSignedIn
from plumbline.models.auth import PERSON, ApiToken, Person
from plumbline.models.columns import columns_of

PREFIX = "plb_"  # what a token starts with, so that a leaked one is recognised
_LENGTH = len(PREFIX) + 43
# An approval has to come from a second person, so no token ever has that role.
TOKEN_ROLES: tuple[TokenRole, ...] = get_args(TokenRole)
MOST_ACTIVE = 50
# The last use is stored at most this often, so that a program's every request does not write a row.
_TOUCH_EVERY = timedelta(minutes=1)

# SQLModel declares columns as plain attributes; these are the tables as SQL sees them.
API_TOKEN = columns_of(ApiToken)


def hash_token(token: str) -> bytes:
    """The form in which a token is stored."""
    return hashlib.sha256(token.encode()).digest()


def actor_of_token(session: Session, token: str, *, address: str) -> Actor:
    """The actor of a token, with the grants that the token and its person share now. Raises `NotSignedIn`."""
    refused = NotSignedIn("Token unknown, expired or revoked.")
    if not token.startswith(PREFIX) or len(token) != _LENGTH or not token.isascii():
        raise refused
    found = session.execute(
        select(ApiToken, Person, HOST_GROUP.c.path, func.now())
        .join(Person, PERSON.id == API_TOKEN.person_id)
        .join(HOST_GROUP, HOST_GROUP.c.id == API_TOKEN.group_id)
        .where(API_TOKEN.token_hash == hash_token(token))
    ).first()
    if found is None:
        raise refused
    row, person, path, now = found
    if row.revoked_at is not None or row.expires_at <= now or person.is_disabled:
        raise refused
    if row.last_used_at is None or now - row.last_used_at >= _TOUCH_EVERY:
        session.execute(update(ApiToken).where(API_TOKEN.id == row.id).values(last_used_at=now, last_used_from=address[:64]))
    return Actor(
        person_id=person.id,
        login=person.login,
        display_name=row.service or person.display_name,
        time_zone=person.time_zone,
        grants=shared_grants(grants_of(session, person.id), row.roles, row.group_id, path),
        token=f"token:{row.id} {row.service or row.name}",
    )


def shared_grants(grants: Sequence[Grant], roles: Sequence[str], group_id: int, path: str) -> tuple[Grant, ...]:
    """The grants of a person narrowed to a token's roles and group: never more than either."""
    shared = []
    for grant in grants:
        if grant.role not in roles:
            continue
        if path.startswith(grant.path):
            shared.append(Grant(grant.role, group_id, path))
        elif grant.path.startswith(path):
            shared.append(grant)
    return tuple(shared)


def list_tokens(session: Session, *, actor: Actor) -> list[TokenRow]:
    """The actor's own tokens, and those on groups that they administer; active ones first. One query."""
    administered = actor.scopes_as(ACTIONS["token.manage"].roles)
    is_seen = or_(API_TOKEN.person_id == actor.person_id, *(HOST_GROUP.c.path.startswith(path, autoescape=True) for path in administered))
    is_over = or_(API_TOKEN.revoked_at.is_not(None), API_TOKEN.expires_at <= func.now())
    rows = session.execute(
        select(ApiToken, Person, HOST_GROUP.c.name, func.now())
        .join(Person, PERSON.id == API_TOKEN.person_id)
        .join(HOST_GROUP, HOST_GROUP.c.id == API_TOKEN.group_id)
        .where(is_seen)
        .order_by(is_over, API_TOKEN.id.desc())
        .limit(500)
    )
    return [
        TokenRow(
            id=row.id,
            name=row.name,
            service=row.service,
            person_id=person.id,
            person_name=person.display_name or person.login,
            is_own=person.id == actor.person_id and not row.service,
            roles=[role for role in TOKEN_ROLES if role in row.roles],
            group_id=row.group_id,
            group_name=group_name,
            state="revoked" if row.revoked_at else "expired" if row.expires_at <= now else "disabled" if person.is_disabled else "living",
            created_at=row.created_at,
            expires_at=row.expires_at,
            last_used_at=row.last_used_at,
            last_used_from=row.last_used_from,
            revoked_at=row.revoked_at,
        )
        for row, person, group_name, now in rows
    ]


def make_token(session: Session, *, actor: Actor, request: TokenCreate) -> TokenMade:
    """Creates a token within the actor's own grants; for a service only where they administer the group. It is shown this once.

    Raises `NotFound` for a group outside the scope, `NotAllowed`, `BadInput`, `Conflict`.
    """
    path = session.scalar(select(HOST_GROUP.c.path).where(HOST_GROUP.c.id == request.group_id))
    if path is None or not path.startswith(actor.scopes):
        raise NotFound("Group not found.")
    if request.service:
        require(actor, "token.manage", path, missing="Group not found.")
    roles = _roles(actor, request.roles, path)
    active = session.scalar(
        select(func.count())
        .select_from(ApiToken)
        .where(API_TOKEN.person_id == actor.person_id, API_TOKEN.revoked_at.is_(None), API_TOKEN.expires_at > func.now())
    )
    if (active or 0) >= MOST_ACTIVE:
        raise Conflict(f"You have {MOST_ACTIVE} active tokens. Revoke one you no longer use.")
    token = PREFIX + secrets.token_urlsafe(32)
    now = session.execute(select(func.now())).scalar_one()
    row = ApiToken(
        person_id=actor.person_id,
        service=request.service,
        name=request.name,
        token_hash=hash_token(token),
        roles=roles,
        group_id=request.group_id,
        expires_at=now + timedelta(days=request.expires_days),
    )
    session.add(row)
    session.flush()
    _audit(session, actor, row, "api_token.made")
    return TokenMade(id=row.id or 0, token=token, expires_at=row.expires_at)


def _roles(actor: Actor, requested: Sequence[Role], path: str) -> list[str]:
    roles = [role for role in TOKEN_ROLES if role in requested]
    if not roles:
        raise BadInput("a token needs at least one role")
    for role in roles:
        if not any(grant.role == role and path.startswith(grant.path) for grant in actor.grants):
            raise NotAllowed(f"You don't have the {role} role on this group, so your token can't either.")
    return list(roles)


def revoke_token(session: Session, *, actor: Actor, token_id: int) -> None:
    """Ends a token at once: one of the actor's own, or one on a group that they administer. Raises `NotFound`."""
    row = session.get(ApiToken, token_id, with_for_update=True)
    path = session.scalar(select(HOST_GROUP.c.path).where(HOST_GROUP.c.id == row.group_id)) if row is not None else None
    if row is None or path is None or (row.person_id != actor.person_id and not allow(actor, "token.manage", path)):
        raise NotFound("Token not found.")
    if row.revoked_at is None:
        row.revoked_at = session.execute(select(func.now())).scalar_one()
        session.add(row)
        _audit(session, actor, row, "api_token.revoked")


def end_all(session: Session, *, person_id: int) -> None:
    """Revokes every token that acts with this person's rights. The caller audits why."""
    session.execute(update(ApiToken).where(API_TOKEN.person_id == person_id, API_TOKEN.revoked_at.is_(None)).values(revoked_at=func.now()))


def _audit(session: Session, actor: Actor, row: ApiToken, action: str) -> None:
    audit.record(
        session,
        actor=actor.audit_name,
        action=action,
        about=audit.Object("api_token", str(row.id), row.group_id),
        after={"name": row.name, "service": row.service, "roles": list(row.roles), "expires_at": row.expires_at.isoformat()},
    )
