"""What is signed: the whole plan with all that decides how it runs, as one canonical text; read back only after it was checked."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal

from sqlmodel import Session, col, select

from plumbline.core.facts.configuration import Platform
from plumbline.core.planning.plan import IMPACTS, Element, HostPlan, Plan, Step, canonical, digest, read_plan
from plumbline.infra.clock import iso
from plumbline.infra.group_path import is_below
from plumbline.models.jobs import Job, StepState
from plumbline.models.plans import Approval, StandingApproval
from plumbline.models.plans import Plan as PlanRecord
from plumbline.packs.runner_settings import runner_settings
from plumbline.remediation import signing_keys
from plumbline.remediation.signing_keys import SignatureInvalid
from plumbline.remediation.transitions import step_rows

VERSION = 1


@dataclass(frozen=True, slots=True)
class Signed:
    """A checked approval: the payload as data, the plan in it, and the row it came from."""

    payload: Mapping[str, Any]
    plan: Plan
    approval: Approval

    def steps_of(self, job: Job, *, wrote: "Mapping[int, frozenset[str]] | None" = None) -> tuple[Step, ...]:
        """The steps of a job: its host's, or for an undo the inverse of what that job set (`wrote`, settings by step), last first."""
        part = self.host_part(job.host_id)
        if job.kind != "undo":
            return part.steps
        undone = [_inverted(step, (wrote or {}).get(step.number, frozenset()), part.platform) for step in reversed(part.steps)]
        return tuple(replace(step, number=number) for number, step in enumerate((step for step in undone if step.elements), 1))

    def host_part(self, host_id: str) -> HostPlan:
        """The signed part of one host. Raises `SignatureInvalid` where the plan does not name it."""
        part = self.plan.host(host_id)
        if part is None:
            raise SignatureInvalid("the approved plan doesn't include this host")
        return part


def _inverted(step: Step, wrote: frozenset[str], platform: Platform) -> Step:
    """The undo of a step: from what was set back to what was there. A value that the job did not set itself is left alone, and without one
    that works only after a restart nothing is restarted."""
    elements = tuple(
        replace(
            each,
            seen=each.target,
            target=each.inverse,
            inverse=each.target,
            shown_seen=each.shown_target,
            shown_target=each.shown_seen,
        )
        for each in reversed(step.elements)
        if each.setting in wrote
    )
    restart = step.restart if any(_owes_restart(each, platform) for each in elements) else ""
    commands = step.undo_commands if restart == step.restart else tuple(each for each in step.undo_commands if each.element != -1)
    # An undo restores a frame size that worked before: there is nothing to prove, and larger pings would fail.
    return replace(
        step,
        title=f"Undo: {step.title}",
        elements=elements,
        restart=restart,
        commands=commands,
        undo_commands=step.commands,
        pings=(),
        probe_bytes=0,
    )


def _owes_restart(element: Element, platform: Platform) -> bool:
    """Its value works only after a restart. A setting that this version does not list counts as one."""
    kind, _, rest = element.setting.partition("/")
    setting = runner_settings().get(platform, f"{kind}.{rest.partition('/')[2]}")
    return setting is None or setting.restart != "none"


@dataclass(frozen=True, slots=True)
class Signing:
    """What an approval adds to a plan: who approves it and how, and what else decides how it runs.

    `second` and `standing` are as signed.
    """

    kind: Literal["person", "standing", "break_glass"]
    approver: tuple[int, str]
    second: tuple[int, str] | None
    standing: Mapping[str, Any] | None
    host_groups: Mapping[str, str]
    window: Mapping[str, Any] | None
    runners: Mapping[str, str]
    signed_at: datetime


def payload_of(plan: PlanRecord, signing: Signing) -> dict[str, Any]:
    """PURE: everything that is signed of a plan. A job acts on this alone, so nothing here may change without a new `VERSION`."""
    assert plan.not_after is not None
    return {
        "v": VERSION,
        "kind": signing.kind,
        "plan_id": plan.id,
        "digest": plan.digest,
        "document": json.loads(plan.document),
        "title": plan.title,
        "reason": plan.reason,
        "ticket": plan.ticket,
        "group_id": plan.group_id,
        "host_groups": dict(signing.host_groups),
        "author": {"id": plan.author_id, "name": plan.author},
        "approver": _person(signing.approver),
        "second": _person(signing.second) if signing.second else None,
        "standing": signing.standing,
        "window": signing.window,
        "not_before": iso(plan.not_before) if plan.not_before else None,
        "not_after": iso(plan.not_after),
        "runners": dict(signing.runners),
        "signed_at": iso(signing.signed_at),
    }


def _person(person: tuple[int, str]) -> dict[str, Any]:
    return {"id": person[0], "name": person[1]}


def payload_text(payload: Mapping[str, Any]) -> str:
    """The canonical text of a payload."""
    return canonical(payload).decode("ascii")


def read_signed(session: Session, plan_id: int) -> Signed:
    """The approval of a plan, its signature checked now and the document in it against its own hash.

    Raises `SignatureInvalid` where there is no approval, or it is not over this plan, or not by us, or its approver is its author.
    """
    approval = session.exec(select(Approval).where(col(Approval.plan_id) == plan_id).execution_options(populate_existing=True)).first()
    if approval is None:
        raise SignatureInvalid("plan not approved")
    signing_keys.check("plan", approval.payload, bytes(approval.signature), approval.key_id)
    payload = json.loads(approval.payload)
    if payload["v"] != VERSION or payload["plan_id"] != plan_id or digest(payload["document"]) != payload["digest"]:
        raise SignatureInvalid("signature belongs to another plan")
    _check_people(session, payload)
    return Signed(payload, read_plan(payload["document"]), approval)


def _check_people(session: Session, payload: Mapping[str, Any]) -> None:
    author = payload["author"]["id"]
    if payload["kind"] == "person" and payload["approver"]["id"] == author:
        raise SignatureInvalid("plan was approved by its author")
    if payload["kind"] == "break_glass" and payload["approver"]["id"] == payload["second"]["id"]:
        raise SignatureInvalid("break-glass was confirmed by one person only")
    if payload["kind"] != "standing":
        return
    standing = session.get(StandingApproval, payload["standing"]["id"])
    if standing is None:
        raise SignatureInvalid("the standing approval that it names is not here")
    signing_keys.check("standing", standing.payload, bytes(standing.signature), standing.key_id)
    if payload["standing"]["digest"] != digest(json.loads(standing.payload)):
        raise SignatureInvalid("it names another standing approval than the one here")
    if standing.signer_id == author:
        raise SignatureInvalid("you can't use a standing approval you signed")
    check_inside(json.loads(standing.payload), read_plan(payload["document"]), list(payload["host_groups"].values()))


def check_inside(standing: Mapping[str, Any], plan: Plan, group_paths: list[str]) -> None:
    """Raises `SignatureInvalid` unless every step of the plan lies inside the standing approval's list."""
    wrong = outside(standing, plan, group_paths)
    if wrong:
        raise SignatureInvalid(f"outside the standing approval: {wrong[0]}")


def job_steps(session: Session, job: Job, signed: Signed) -> tuple[Step, ...]:
    """The steps of a job; those of an undo are the inverse of what the job before it set itself."""
    if job.kind != "undo" or job.undoes_id is None:
        return signed.steps_of(job)
    wrote = {
        number: frozenset(row.after.get("wrote", ()))
        for number, row in step_rows(session, job.undoes_id).items()
        if row.state == StepState.DONE and row.applied_by == "us"
    }
    return signed.steps_of(job, wrote=wrote)


def outside(standing: Mapping[str, Any], plan: Plan, group_paths: list[str]) -> list[str]:
    """PURE: everything of a plan that its standing approval does not cover, in words; empty where all of it is covered."""
    wrong: list[str] = []
    if len(plan.hosts) != 1:
        wrong.append(f"covers one host at a time; this plan has {len(plan.hosts)}")
    # By their ids: the paths that it was signed with are those of that day, and a group may have been moved since.
    if not all(is_below(path, standing["group_ids"]) for path in group_paths):
        wrong.append("a host is outside its groups")
    largest = IMPACTS.index(standing["largest_impact"])
    rules = {item["rule"] for item in standing["items"] if item.get("rule")}
    values = {(item["setting"], item["value"]) for item in standing["items"] if item.get("setting")}
    for host in plan.hosts:
        for step in host.steps:
            if IMPACTS.index(step.impact) > largest:
                wrong.append(f"{step.title}: disruption “{step.impact}” exceeds the maximum “{standing['largest_impact']}”")
            if not _is_listed(step, rules, values):
                wrong.append(f"{step.title}: not covered")
    return wrong


def _is_listed(step: Step, rules: set[str], values: set[tuple[str, str]]) -> bool:
    if step.findings and all(f"{finding.pack}/{finding.rule}" in rules for finding in step.findings):
        return True
    return all((key_of(element), element.expects) in values for element in step.elements)


def key_of(element: Element) -> str:
    """`adapter.mtu` of `adapter/<id>/mtu`."""
    kind, _, rest = element.catalogue.partition("/")
    return f"{kind}.{rest.partition('/')[2]}"
