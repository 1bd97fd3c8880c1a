"""Standing approvals: what operators may run at once, signed beforehand by an approver, who never runs under it himself."""

import json
from collections.abc import Mapping
from typing import Any

from sqlmodel import Session, col, select, text

from plumbline import audit
from plumbline.auth.actor import Actor
from plumbline.auth.rights import require
from plumbline.core.planning.plan import IMPACTS, Element, Plan, Step, canonical
from plumbline.infra.clock import iso
from plumbline.infra.errors import BadInput, Conflict, NotFound
from plumbline.models.hosts import HostGroup
from plumbline.models.remediation import StandingApproval
from plumbline.remediation import signing_keys as keys
from plumbline.remediation.controls.schemas import StandingCreate, StandingItem
from plumbline.remediation.transitions import now_of


def outside(standing: Mapping[str, Any], plan: Plan, group_paths: list[str]) -> list[str]:
    """PURE: everything of a plan that its standing approval does not cover, in words; empty where all of it is covered."""
    wrong: list[str] = []
    if len(plan.hosts) != 1:
        wrong.append(f"one host at a time, and these are {len(plan.hosts)}")
    if any(not any(path.startswith(allowed) for allowed in standing["group_paths"]) for path in group_paths):
        wrong.append("a host lies outside its groups")
    largest = IMPACTS.index(standing["largest_impact"])
    rules = {item["rule"] for item in standing["items"] if item.get("rule")}
    values = {(item["setting"], item["value"]) for item in standing["items"] if item.get("setting")}
    for host in plan.hosts:
        for step in host.steps:
            if IMPACTS.index(step.impact) > largest:
                wrong.append(f"{step.title}: its impact is {step.impact}, and {standing['largest_impact']} is the largest allowed")
            if not _is_listed(step, rules, values):
                wrong.append(f"{step.title}: not in its list")
    return wrong


def _is_listed(step: Step, rules: set[str], values: set[tuple[str, str]]) -> bool:
    if step.findings and all(f"{finding.pack}/{finding.rule}" in rules for finding in step.findings):
        return True
    return all((key_of(element), element.expects) in values for element in step.elements)


def key_of(element: Element) -> str:
    """`adapter.mtu` of `adapter/<id>/mtu`."""
    kind, _, rest = element.catalogue.partition("/")
    return f"{kind}.{rest.partition('/')[2]}"


def make_standing(session: Session, *, actor: Actor, asked: StandingCreate) -> StandingApproval:
    """Signs a new list. Raises `BadInput`, `NotFound`, `NotAllowed`."""
    groups = session.exec(select(HostGroup).where(col(HostGroup.id).in_(asked.group_ids)).order_by(col(HostGroup.id))).all()
    here = {group.id: group for group in groups}
    for group_id in asked.group_ids:
        require(actor, "standing.sign", here[group_id].path if group_id in here else "", missing="no such group")
    if asked.expires_at <= now_of(session):
        raise BadInput("expires_at: in the past")
    items = [_item(item) for item in asked.items]
    payload = {
        "v": 1,
        "name": asked.name,
        "group_ids": sorted(asked.group_ids),
        "group_paths": sorted(group.path for group in groups),
        "items": items,
        "largest_impact": asked.largest_impact,
        "hosts_at_a_time": 1,
        "expires_at": iso(asked.expires_at),
        "signer": {"id": actor.person_id, "name": actor.audit_name},
        "signed_at": iso(now_of(session)),
    }
    plain = canonical(payload).decode("ascii")
    signature, key_id = keys.sign("standing", plain)
    row = StandingApproval(
        name=asked.name,
        group_ids=sorted(asked.group_ids),
        payload=plain,
        signature=signature,
        key_id=key_id,
        signer_id=actor.person_id,
        signer=actor.audit_name,
        expires_at=asked.expires_at,
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
    """Ends a standing approval: nothing begins under it any more, and what runs ends at its next step boundary."""
    row = _locked(session, standing_id)
    paths = json.loads(row.payload)["group_paths"]
    for path in paths:
        require(actor, "standing.sign", path, missing="no such standing approval")
    if row.withdrawn_at is not None:
        raise Conflict("it was withdrawn already")
    row.withdrawn_at, row.withdrawn_by, row.withdrawn_reason = now_of(session), actor.audit_name, reason
    session.add(row)
    _audit(session, actor, row, "standing_approval.withdrawn", row.group_ids[0], None, reason)
    return row


def _locked(session: Session, standing_id: int) -> StandingApproval:
    row = session.exec(select(StandingApproval).where(col(StandingApproval.id) == standing_id).with_for_update()).first()
    if row is None:
        raise NotFound("no such standing approval")
    return row


def usable(session: Session, *, actor: Actor, standing_id: int) -> StandingApproval:
    """A standing approval that this person may run under now. Raises `NotFound`, `Conflict`."""
    row = _locked(session, standing_id)
    if row.withdrawn_at is not None:
        raise Conflict("the standing approval was withdrawn")
    if session.execute(text("SELECT clock_timestamp() >= :end"), {"end": row.expires_at}).scalar_one():
        raise Conflict("the standing approval has expired")
    if row.signer_id == actor.person_id:
        raise Conflict("nobody runs under a standing approval that he signed")
    keys.check("standing", row.payload, bytes(row.signature), row.key_id)
    return row


def _audit(
    session: Session, actor: Actor, row: StandingApproval, action: str, group_id: int | None, after: dict[str, Any] | None, reason: str = ""
) -> None:
    audit.record(
        session,
        actor=actor.audit_name,
        action=action,
        object_kind="standing_approval",
        object_id=str(row.id),
        group_id=group_id,
        after=after,
        reason=reason,
    )
