"""What is signed: the whole plan with all that decides how it runs, as one canonical text; read back only after it was checked."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from sqlmodel import Session, col, select

from plumbline.core.planning.plan import HostPlan, Plan, Step, canonical, digest, read_plan
from plumbline.models.remediation import Approval, Job, StandingApproval
from plumbline.remediation import signing_keys as keys
from plumbline.remediation.signing_keys import SignatureInvalid

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
        undone = [_inverted(step, (wrote or {}).get(step.number, frozenset())) for step in reversed(part.steps)]
        return tuple(replace(step, number=number) for number, step in enumerate((step for step in undone if step.elements), 1))

    def host_part(self, host_id: str) -> HostPlan:
        """The signed part of one host. Raises `SignatureInvalid` where the plan does not name it."""
        part = self.plan.host(host_id)
        if part is None:
            raise SignatureInvalid("the signed plan does not name this host")
        return part


def _inverted(step: Step, wrote: frozenset[str]) -> Step:
    """A step taken back: it starts from what was set and leads to what was there. What others had set already is left alone."""
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
    # An undo leads back to a frame size that worked before: nothing is to be proven, and larger pings would not come back.
    return replace(
        step,
        title=f"Undo: {step.title}",
        elements=elements,
        commands=step.undo_commands,
        undo_commands=step.commands,
        pings=(),
        probe_bytes=0,
    )


def payload_text(payload: Mapping[str, Any]) -> str:
    """The canonical text of a payload."""
    return canonical(payload).decode("ascii")


def read_signed(session: Session, plan_id: int) -> Signed:
    """The approval of a plan, its signature checked now and the document in it against its own hash.

    Raises `SignatureInvalid` where there is no approval, or it is not over this plan, or not by us, or its approver is its author.
    """
    approval = session.exec(select(Approval).where(col(Approval.plan_id) == plan_id).execution_options(populate_existing=True)).first()
    if approval is None:
        raise SignatureInvalid("nobody has approved this plan")
    keys.check("plan", approval.payload, bytes(approval.signature), approval.key_id)
    payload = json.loads(approval.payload)
    if payload["v"] != VERSION or payload["plan_id"] != plan_id or digest(payload["document"]) != payload["digest"]:
        raise SignatureInvalid("the signature is over another plan")
    _check_people(session, payload)
    return Signed(payload, read_plan(payload["document"]), approval)


def _check_people(session: Session, payload: Mapping[str, Any]) -> None:
    author = payload["author"]["id"]
    if payload["kind"] == "person" and payload["approver"]["id"] == author:
        raise SignatureInvalid("the author approved it himself")
    if payload["kind"] == "break_glass" and payload["approver"]["id"] == payload["second"]["id"]:
        raise SignatureInvalid("one person broke the glass alone")
    if payload["kind"] != "standing":
        return
    standing = session.get(StandingApproval, payload["standing"]["id"])
    if standing is None:
        raise SignatureInvalid("the standing approval that it names is not here")
    keys.check("standing", standing.payload, bytes(standing.signature), standing.key_id)
    if payload["standing"]["digest"] != digest(json.loads(standing.payload)):
        raise SignatureInvalid("it names another standing approval than the one here")
    if standing.signer_id == author:
        raise SignatureInvalid("nobody runs under a standing approval that he signed")
    check_inside(json.loads(standing.payload), read_plan(payload["document"]), list(payload["host_groups"].values()))


def check_inside(standing: Mapping[str, Any], plan: Plan, group_paths: list[str]) -> None:
    """Raises `SignatureInvalid` unless every step of the plan lies inside the standing approval's list."""
    from plumbline.remediation.plans.standing_approvals import outside  # here: that module signs with this one's text

    wrong = outside(standing, plan, group_paths)
    if wrong:
        raise SignatureInvalid(f"outside the standing approval: {wrong[0]}")
