"""What people do about enrolment: each act is decided for its object, then done by `hosts.service`, which audits it."""

from typing import Any

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import distinct_on
from sqlmodel import Session

from plumbline.auth.actor import Actor
from plumbline.auth.rights import require
from plumbline.auth.scope import in_scope, visible_host
from plumbline.hosts import service
from plumbline.hosts.install_commands import install_commands
from plumbline.hosts.schemas import EnrolmentTokenCreate, EnrolmentTokenMade, EnrolmentTokenRow, WaitingHost
from plumbline.infra.errors import NotFound
from plumbline.models.hosts import Enrolment, EnrolmentToken, Host, HostGroup

T: Any = EnrolmentToken
H: Any = Host
G: Any = HostGroup
E: Any = Enrolment


def list_tokens(session: Session, *, actor: Actor) -> list[EnrolmentTokenRow]:
    """Tokens of groups in scope, newest first. One query."""
    rows = session.execute(
        select(EnrolmentToken, HostGroup.name)  # type: ignore[call-overload]
        .join(HostGroup, G.id == T.group_id)
        .where(in_scope(actor))
        .order_by(T.id.desc())
        .limit(500)
    )
    return [EnrolmentTokenRow(**token.model_dump(exclude={"token_hash"}), group_name=name) for token, name in rows]


def make_enrolment_token(session: Session, *, actor: Actor, asked: EnrolmentTokenCreate) -> EnrolmentTokenMade:
    """A token for a group this person administers, with the commands to paste on the host."""
    group = session.get(HostGroup, asked.group_id)
    require(actor, "enrolment.manage", group.path if group else "", missing="no such group")
    if asked.host_id is not None:
        _, its_group = visible_host(session, actor=actor, host_id=asked.host_id)
        require(actor, "enrolment.manage", its_group.path, missing="no such host")
    made = service.make_token(
        session,
        actor=actor.audit_name,
        name=asked.name,
        group_id=asked.group_id,
        name_pattern=asked.name_pattern,
        is_auto_approved=asked.is_auto_approved,
        uses=asked.uses,
        expires_hours=asked.expires_hours,
        host_id=asked.host_id,
        created_by=actor.person_id,
    )
    return EnrolmentTokenMade(
        id=made.row.id or 0, token=made.token, expires_at=made.row.expires_at, commands=install_commands(asked.platform, made.token)
    )


def revoke_token(session: Session, *, actor: Actor, token_id: int) -> None:
    """Ends a token."""
    found = session.execute(select(HostGroup.path).join(EnrolmentToken, T.group_id == G.id).where(T.id == token_id)).first()  # type: ignore[call-overload]
    if found is None:
        raise NotFound("no such token")
    require(actor, "enrolment.manage", found.path, missing="no such token")
    service.revoke_token(session, actor=actor.audit_name, token_id=token_id)


def list_waiting(session: Session, *, actor: Actor) -> list[WaitingHost]:
    """Hosts that wait for approval, oldest first, with the token they came by. One query."""
    newest = (
        select(E.host_id, T.name, E.enrolled_at)
        .join(EnrolmentToken, T.id == E.token_id)
        .ext(distinct_on(E.host_id))
        .order_by(E.host_id, E.enrolled_at.desc())
        .subquery()
    )
    rows = session.execute(
        select(Host, newest.c.name)
        .join(HostGroup, G.id == H.group_id)
        .outerjoin(newest, newest.c.host_id == H.id)
        .where(H.state == "waiting", in_scope(actor))
        .order_by(H.enrolled_at)
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
            address=getattr(host, "address", ""),
            token_name=token_name or "",
            agent_version=host.agent_version,
        )
        for host, token_name in rows
    ]
