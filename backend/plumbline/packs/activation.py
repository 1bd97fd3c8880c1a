"""Putting pack versions in force for groups, and ending times of grace."""

from typing import Any

from sqlalchemy import select
from sqlmodel import Session

from plumbline import audit
from plumbline.auth.actor import Actor
from plumbline.auth.rights import require
from plumbline.infra.errors import BadInput, Conflict, NotFound
from plumbline.infra.task_queue import enqueue
from plumbline.models.hosts import HostGroup
from plumbline.models.packs import PACK_ACTIVATION, PACK_VERSION, PackActivation, PackVersion
from plumbline.packs import publish
from plumbline.packs.queries import read_pack
from plumbline.packs.schemas import Activation, PackDetail


def activate(session: Session, *, actor: Actor, pack: str, asked: Activation) -> PackDetail:
    """Says what is in force for a group from now on. Hosts are re-evaluated in the background, trends are marked.

    Raises `NotFound`, `NotAllowed`, `BadInput`, and `Conflict` where nothing would change.
    """
    group = session.get(HostGroup, asked.group_id)
    require(actor, "pack.activate", group.path if group else "", missing="no such group")
    assert group is not None
    if session.scalar(select(PACK_VERSION.id).where(PACK_VERSION.pack == pack).limit(1)) is None:
        raise NotFound(f"there is no pack {pack}")
    if (asked.what == "version") != (asked.version_id is not None):
        raise BadInput("name a version to activate, and none to switch off or inherit")
    if asked.what == "inherit" and group.parent_id is None:
        raise BadInput("the topmost group has none above it; activate a version or switch the pack off")
    before = session.scalars(
        select(PackActivation)
        .where(PACK_ACTIVATION.group_id == group.id, PACK_ACTIVATION.pack == pack)
        .order_by(PACK_ACTIVATION.id.desc())
        .limit(1)
    ).first()
    _refuse_same(before, asked)
    made = publish.activate(
        session,
        group_id=asked.group_id,
        pack=pack,
        version_id=asked.version_id,
        activated_by=actor.person_id,
        grace_until=asked.grace_until,
        is_inherited=asked.what == "inherit",
        reason=asked.reason,
    )
    audit.record(
        session,
        actor=actor.audit_name,
        action="pack.activated" if asked.what == "version" else "pack.switched_off" if asked.what == "off" else "pack.inherited",
        object_kind="pack",
        object_id=pack,
        group_id=group.id,
        before=_said(session, before),
        after=_said(session, made),
        reason=asked.reason,
    )
    enqueue(session, "evaluation.reevaluate")
    return read_pack(session, actor=actor, pack=pack)


def _refuse_same(before: PackActivation | None, asked: Activation) -> None:
    """Activating what is activated would mark trends and re-evaluate everything for nothing."""
    is_inherited = before is None or before.is_inherited
    if asked.what == "inherit" and is_inherited:
        raise Conflict("the group follows the one above already")
    if before is None or is_inherited:
        return
    in_grace = before.grace_until if before.grace_ended_at is None else None
    if asked.what == "off" and before.pack_version_id is None:
        raise Conflict("the pack is switched off here already")
    if asked.what == "version" and before.pack_version_id == asked.version_id and in_grace == asked.grace_until:
        raise Conflict("this version judges the group already")


def _said(session: Session, activation: PackActivation | None) -> dict[str, Any] | None:
    if activation is None:
        return None
    version = session.get(PackVersion, activation.pack_version_id) if activation.pack_version_id is not None else None
    grace = activation.grace_until.isoformat() if activation.grace_until is not None else None
    return {"version": version.version if version else None, "is_inherited": activation.is_inherited, "grace_until": grace}


def end_grace(session: Session) -> int:
    """Ends the times of grace that are over, each audited; answers how many. The hosts then lag, and are re-evaluated in the background."""
    ended = publish.end_grace(session)
    for each in ended:
        audit.record(
            session,
            actor=audit.SYSTEM,
            action="pack.grace_ended",
            object_kind="pack",
            object_id=each.pack,
            group_id=each.group_id,
            after={"grace_until": each.grace_until.isoformat() if each.grace_until else None},
        )
    return len(ended)
