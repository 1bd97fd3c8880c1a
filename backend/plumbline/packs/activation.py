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


def activate(session: Session, *, actor: Actor, pack: str, request: Activation) -> PackDetail:
    """Sets what is active for a group from now on. Hosts are re-evaluated in the background, and trends are marked.

    Raises `NotFound`, `NotAllowed`, `BadInput`, and `Conflict` if nothing would change.
    """
    group = session.get(HostGroup, request.group_id)
    require(actor, "pack.activate", group.path if group else "", missing="Group not found.")
    assert group is not None
    if session.scalar(select(PACK_VERSION.id).where(PACK_VERSION.pack == pack).limit(1)) is None:
        raise NotFound(f"there is no pack {pack}")
    if (request.what == "version") != (request.version_id is not None):
        raise BadInput("Choose a version only when activating.")
    if request.what == "inherit" and group.parent_id is None:
        raise BadInput("The root group can't inherit. Activate a version or turn the pack off.")
    before = session.scalars(
        select(PackActivation)
        .where(PACK_ACTIVATION.group_id == group.id, PACK_ACTIVATION.pack == pack)
        .order_by(PACK_ACTIVATION.id.desc())
        .limit(1)
    ).first()
    _refuse_same(before, request)
    activation = publish.activate(
        session,
        group_id=request.group_id,
        pack=pack,
        choice=publish.PackChoice(request.version_id, request.grace_until, is_inherited=request.what == "inherit"),
        activated_by=actor.person_id,
        reason=request.reason,
    )
    audit.record(
        session,
        actor=actor.audit_name,
        action="pack.activated" if request.what == "version" else "pack.switched_off" if request.what == "off" else "pack.inherited",
        about=audit.Object("pack", pack, group.id),
        before=_audit_values(session, before),
        after=_audit_values(session, activation),
        reason=request.reason,
    )
    enqueue(session, "evaluation.reevaluate")
    return read_pack(session, actor=actor, pack=pack)


def _refuse_same(before: PackActivation | None, request: Activation) -> None:
    """Activating what is activated would mark trends and re-evaluate everything for nothing."""
    is_inherited = before is None or before.is_inherited
    if request.what == "inherit" and is_inherited:
        raise Conflict("The group already inherits.")
    if before is None or is_inherited:
        return
    in_grace = before.grace_until if before.grace_ended_at is None else None
    if request.what == "off" and before.pack_version_id is None:
        raise Conflict("The pack is already off here.")
    if request.what == "version" and before.pack_version_id == request.version_id and in_grace == request.grace_until:
        raise Conflict("This version is already active here.")


def _audit_values(session: Session, activation: PackActivation | None) -> dict[str, Any] | None:
    if activation is None:
        return None
    version = session.get(PackVersion, activation.pack_version_id) if activation.pack_version_id is not None else None
    grace = activation.grace_until.isoformat() if activation.grace_until is not None else None
    return {"version": version.version if version else None, "is_inherited": activation.is_inherited, "grace_until": grace}


def end_grace(session: Session) -> int:
    """Ends grace periods that are over, each with an audit entry. Returns how many. Hosts are then re-evaluated in the background."""
    ended = publish.end_grace(session)
    for activation in ended:
        audit.record(
            session,
            actor=audit.SYSTEM,
            action="pack.grace_ended",
            about=audit.Object("pack", activation.pack, activation.group_id),
            after={"grace_until": activation.grace_until.isoformat() if activation.grace_until else None},
        )
    return len(ended)
