"""Standing approvals: what operators may run at once, signed beforehand by an approver, who never runs plans under it."""

import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from sqlmodel import Session, col, select, text

from plumbline import audit
from plumbline.auth.actor import ROOT_PATH, Actor
from plumbline.auth.rights import require
from plumbline.core.planning.plan import canonical
from plumbline.infra.clock import iso
from plumbline.infra.database import now_of
from plumbline.infra.errors import BadInput, Conflict, NotFound
from plumbline.models.hosts import HostGroup
from plumbline.models.plans import StandingApproval
from plumbline.remediation import signing_keys
from plumbline.remediation.controls.queries import group_ids_in_scope, group_names
from plumbline.remediation.plans.schemas import StandingApprovalOut, StandingCreate, StandingItem

MOST_LISTED = 500


def make_standing(session: Session, *, actor: Actor, request: StandingCreate) -> StandingApproval:
    """Signs a new list. Raises `BadInput`, `NotFound`, `NotAllowed`."""
    groups = session.exec(select(HostGroup).where(col(HostGroup.id).in_(request.group_ids)).order_by(col(HostGroup.id))).all()
    here = {group.id: group for group in groups}
    for group_id in request.group_ids:
        require(actor, "standing.sign", here[group_id].path if group_id in here else "", missing="Group not found.")
    if request.expires_at <= now_of(session):
        raise BadInput("expires_at: in the past")
    items = [_item(item) for item in request.items]
    payload = {
        "v": 1,
        "name": request.name,
        "group_ids": sorted(request.group_ids),
        "group_paths": sorted(group.path for group in groups),
        "items": items,
        "largest_impact": request.largest_impact,
        "hosts_at_a_time": 1,
        "expires_at": iso(request.expires_at),
        "signer": {"id": actor.person_id, "name": actor.audit_name},
        "signed_at": iso(now_of(session)),
    }
    plain = canonical(payload).decode("ascii")
    signature, key_id = signing_keys.sign("standing", plain)
    row = StandingApproval(
        name=request.name,
        group_ids=sorted(request.group_ids),
        payload=plain,
        signature=signature,
        key_id=key_id,
        signer_id=actor.person_id,
        signer=actor.audit_name,
        expires_at=request.expires_at,
    )
    session.add(row)
    session.flush()
    _audit(session, actor, row, "standing_approval.signed", groups[0].id, payload)
    return row


def _item(item: StandingItem) -> dict[str, str]:
    if item.rule and not item.setting and item.value is None:
        return {"rule": item.rule}
    if item.setting and item.value is not None and not item.rule:
        return {"setting": item.setting, "value": item.value}
    raise BadInput("items: each names either a rule, or a setting with its value")


def withdraw_standing(session: Session, *, actor: Actor, standing_id: int, reason: str) -> StandingApproval:
    """Withdraws a standing approval: no job starts under it any more, and running ones end at their next step boundary."""
    row = _locked(session, standing_id)
    # Where its groups are now: the paths that it was signed with are those of that day.
    paths = session.exec(select(HostGroup.path).where(col(HostGroup.id).in_(row.group_ids))).all()
    for path in paths or [ROOT_PATH]:
        require(actor, "standing.sign", path, missing="Standing approval not found.")
    if row.withdrawn_at is not None:
        raise Conflict("it was withdrawn already")
    row.withdrawn_at, row.withdrawn_by, row.withdrawn_reason = now_of(session), actor.audit_name, reason
    session.add(row)
    _audit(session, actor, row, "standing_approval.withdrawn", row.group_ids[0], None, reason)
    return row


def _locked(session: Session, standing_id: int) -> StandingApproval:
    row = session.exec(select(StandingApproval).where(col(StandingApproval.id) == standing_id).with_for_update()).first()
    if row is None:
        raise NotFound("Standing approval not found.")
    return row


def usable(session: Session, *, actor: Actor, standing_id: int) -> StandingApproval:
    """A standing approval that this person may run under now. Raises `NotFound`, `Conflict`."""
    row = _locked(session, standing_id)
    if row.withdrawn_at is not None:
        raise Conflict("standing approval withdrawn")
    if session.execute(text("SELECT clock_timestamp() >= :end"), {"end": row.expires_at}).scalar_one():
        raise Conflict("standing approval expired")
    if row.signer_id == actor.person_id:
        raise Conflict("You can't use a standing approval that you signed.")
    signing_keys.check("standing", row.payload, bytes(row.signature), row.key_id)
    return row


def _audit(
    session: Session, actor: Actor, row: StandingApproval, action: str, group_id: int | None, after: dict[str, Any] | None, reason: str = ""
) -> None:
    audit.record(
        session,
        actor=actor.audit_name,
        action=action,
        about=audit.Object("standing_approval", str(row.id), group_id),
        after=after,
        reason=reason,
    )


def list_standing(session: Session, *, actor: Actor) -> list[StandingApprovalOut]:
    """Standing approvals of a group in scope, the active ones first. Five queries."""
    ids = group_ids_in_scope(session, actor)
    rows = session.exec(select(StandingApproval).order_by(col(StandingApproval.id).desc()).limit(MOST_LISTED)).all()
    rows = [row for row in rows if set(row.group_ids) & set(ids)]
    names, now, used = _names_in(session, ids), now_of(session), _times_used(session, rows)
    shown = [_standing(row, names, now, used) for row in rows]
    return sorted(shown, key=lambda each: not each.is_in_force)


def standing_approval_out(session: Session, row: StandingApproval, *, actor: Actor) -> StandingApprovalOut:
    """One standing approval."""
    names = _names_in(session, group_ids_in_scope(session, actor))
    return _standing(row, names, now_of(session), _times_used(session, [row]))


def _names_in(session: Session, ids: Collection[int]) -> dict[int, str]:
    """Names of these groups by id: of those outside a person's scope, neither is shown."""
    return {group_id: name for group_id, name in group_names(session).items() if group_id in ids}


def _times_used(session: Session, rows: Sequence[StandingApproval]) -> dict[int, int]:
    """How many plans were signed under each, by id; unused ones are left out."""
    counted = session.execute(
        text("SELECT standing_id, count(*) AS times FROM approval WHERE standing_id = ANY(:ids) GROUP BY standing_id"),
        {"ids": [row.id for row in rows]},
    )
    return {row.standing_id: row.times for row in counted}


def _standing(row: StandingApproval, names: dict[int, str], now: Any, used: Mapping[int, int]) -> StandingApprovalOut:
    payload = json.loads(row.payload)
    return StandingApprovalOut(
        id=row.id or 0,
        name=row.name,
        group_ids=[each for each in row.group_ids if each in names],
        group_names=[names[each] for each in row.group_ids if each in names],
        items=payload["items"],
        largest_impact=payload["largest_impact"],
        signer=row.signer.partition(" ")[2],
        signer_id=row.signer_id,
        signed_at=row.signed_at,
        expires_at=row.expires_at,
        withdrawn_at=row.withdrawn_at,
        withdrawn_by=row.withdrawn_by.partition(" ")[2],
        withdrawn_reason=row.withdrawn_reason,
        times_used=used.get(row.id or 0, 0),
        is_in_force=row.withdrawn_at is None and now < row.expires_at,
    )
