"""Enrolment tokens and hosts that wait for approval.

`make_token` and `revoke_token` do the act for any actor (a person, a collector, the lab); the functions that take an `Actor` check the
person's right on the group first.
"""

import secrets
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import distinct_on
from sqlmodel import Session

from plumbline import audit
from plumbline.auth.actor import Actor
from plumbline.auth.rights import require
from plumbline.auth.scope import host_in_scope, in_scope
from plumbline.hosts.enrol import hash_token
from plumbline.hosts.enrolment_schemas import EnrolmentTokenCreate, EnrolmentTokenMade, EnrolmentTokenRow, WaitingHost
from plumbline.hosts.install_commands import install_commands
from plumbline.infra.database import now_of
from plumbline.infra.errors import BadInput, NotFound
from plumbline.models.host_locks import HostNotFound
from plumbline.models.hosts import ENROLMENT, ENROLMENT_TOKEN, HOST, HOST_GROUP, EnrolmentToken, Host, HostGroup, HostState

TOKEN_PREFIX = "plt_"  # noqa: S105 (what a token starts with, so that a leaked one is recognised)


@dataclass(frozen=True, slots=True)
class NewToken:
    """The token itself, which is shown once, and its row, which holds only its hash."""

    token: str
    row: EnrolmentToken


@dataclass(frozen=True, slots=True)
class TokenTerms:
    """What a token is good for: hosts of one group whose names match a pattern, so many times and so long.

    With `host_id` it enrols that host again (same id, higher epoch), once.
    """

    name: str
    group_id: int
    name_pattern: str = ""
    is_auto_approved: bool = False
    is_lab: bool = False
    uses: int = 1
    expires_hours: float = 24
    host_id: str | None = None


def make_token(
    session: Session,
    terms: TokenTerms,
    *,
    actor: str = audit.SYSTEM,
    created_by: int | None = None,
) -> NewToken:
    """Creates a token. Raises `NotFound`, `BadInput`."""
    group_id, uses = terms.group_id, terms.uses
    group = session.get(HostGroup, group_id)
    if group is None:
        raise NotFound("Group not found.")
    if not 1 <= uses <= 100_000 or not 0 < terms.expires_hours <= 24 * 3660:
        raise BadInput("A token has 1 to 100,000 uses and lasts at most ten years")
    if terms.host_id is not None:
        host = session.get(Host, terms.host_id)
        if host is None:
            raise HostNotFound("Host not found.")
        group_id, uses = host.group_id, 1
    token = TOKEN_PREFIX + secrets.token_urlsafe(32)
    row = EnrolmentToken(
        name=terms.name,
        token_hash=hash_token(token),
        group_id=group_id,
        name_pattern=terms.name_pattern,
        is_auto_approved=terms.is_auto_approved,
        is_lab=terms.is_lab,
        host_id=terms.host_id,
        uses_left=uses,
        expires_at=now_of(session) + timedelta(hours=terms.expires_hours),
        created_by=created_by,
    )
    session.add(row)
    session.flush()
    described = {
        "name": terms.name, "uses": uses, "pattern": terms.name_pattern, "auto_approved": terms.is_auto_approved, "host": terms.host_id,
    }  # fmt: skip
    audit.record(session, actor=actor, action="token.made", about=audit.Object("token", str(row.id), group_id), after=described)
    return NewToken(token, row)


def revoke_token(session: Session, *, actor: str, token_id: int) -> None:
    """Revokes a token at once; one that is revoked already stays as it is. Raises `NotFound`."""
    row = session.get(EnrolmentToken, token_id, with_for_update=True)
    if row is None:
        raise NotFound("Token not found.")
    if row.revoked_at is not None:
        return
    row.revoked_at = now_of(session)
    session.add(row)
    audit.record(
        session, actor=actor, action="token.revoked", about=audit.Object("token", str(token_id), row.group_id), after={"name": row.name}
    )


def list_tokens(session: Session, *, actor: Actor) -> list[EnrolmentTokenRow]:
    """Tokens of groups in scope, newest first. One query."""
    rows = session.execute(
        select(EnrolmentToken, HOST_GROUP.name)
        .join(HostGroup, HOST_GROUP.id == ENROLMENT_TOKEN.group_id)
        .where(in_scope(actor))
        .order_by(ENROLMENT_TOKEN.id.desc())
        .limit(500)
    )
    return [EnrolmentTokenRow(**token.model_dump(exclude={"token_hash"}), group_name=name) for token, name in rows]


def make_enrolment_token(session: Session, *, actor: Actor, request: EnrolmentTokenCreate) -> EnrolmentTokenMade:
    """Creates a token for a group that this person administers; answers it with the commands to run on the host."""
    group = session.get(HostGroup, request.group_id)
    require(actor, "enrolment.manage", group.path if group else "", missing="Group not found.")
    if request.host_id is not None:
        _, host_group = host_in_scope(session, actor=actor, host_id=request.host_id)
        require(actor, "enrolment.manage", host_group.path, missing="Host not found.")
    made = make_token(
        session,
        TokenTerms(
            name=request.name,
            group_id=request.group_id,
            name_pattern=request.name_pattern,
            is_auto_approved=request.is_auto_approved,
            uses=request.uses,
            expires_hours=request.expires_hours,
            host_id=request.host_id,
        ),
        actor=actor.audit_name,
        created_by=actor.person_id,
    )
    return EnrolmentTokenMade(
        id=made.row.id or 0, token=made.token, expires_at=made.row.expires_at, commands=install_commands(request.platform, made.token)
    )


def revoke_enrolment_token(session: Session, *, actor: Actor, token_id: int) -> None:
    """Revokes a token of a group that this person administers."""
    found = session.execute(
        select(HOST_GROUP.path).join(EnrolmentToken, ENROLMENT_TOKEN.group_id == HOST_GROUP.id).where(ENROLMENT_TOKEN.id == token_id)
    ).first()
    if found is None:
        raise NotFound("Token not found.")
    require(actor, "enrolment.manage", found.path, missing="Token not found.")
    revoke_token(session, actor=actor.audit_name, token_id=token_id)


def list_waiting(session: Session, *, actor: Actor) -> list[WaitingHost]:
    """Hosts that wait for approval, oldest first, with the token they came by. One query."""
    newest = (
        select(ENROLMENT.host_id, ENROLMENT_TOKEN.name, ENROLMENT.enrolled_at)
        .join(EnrolmentToken, ENROLMENT_TOKEN.id == ENROLMENT.token_id)
        .ext(distinct_on(ENROLMENT.host_id))
        .order_by(ENROLMENT.host_id, ENROLMENT.enrolled_at.desc())
        .subquery()
    )
    rows = session.execute(
        select(Host, newest.c.name)
        .join(HostGroup, HOST_GROUP.id == HOST.group_id)
        .outerjoin(newest, newest.c.host_id == HOST.id)
        .where(HOST.state == HostState.WAITING, in_scope(actor))
        .order_by(HOST.enrolled_at)
        .limit(500)
    )
    return [
        WaitingHost(
            id=host.id,
            name=host.name,
            platform=host.platform,
            os_name=host.os_name,
            enrolled_at=host.enrolled_at,
            last_seen_at=host.last_seen_at,
            address=host.address,
            token_name=token_name or "",
            agent_version=host.agent_version,
        )
        for host, token_name in rows
    ]
