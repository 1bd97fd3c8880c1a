"""What people do with proofs: make one, and decide what follows from it."""

import json
from dataclasses import asdict
from typing import Any

from sqlalchemy import select
from sqlmodel import Session

from plumbline import audit
from plumbline.auth.actor import Actor
from plumbline.auth.rights import require
from plumbline.auth.scope import host_in_scope
from plumbline.core.proof.verdict import Answer, judge
from plumbline.infra.database import now_of
from plumbline.infra.errors import BadInput, Conflict
from plumbline.models.jobs import Job
from plumbline.models.plans import Plan
from plumbline.models.proofs import PROOF, Decision, Proof, ProofRun, Side
from plumbline.packs.library import read_library
from plumbline.proofs.queries import proof_in_scope, runs_in_scope
from plumbline.proofs.run_rows import from_row
from plumbline.proofs.schemas import ProofCreate, ProofDecision


def make_proof(session: Session, *, actor: Actor, request: ProofCreate) -> Proof:
    """Judges the runs and keeps the verdict as it is now. Raises `BadInput` if they cannot be one proof."""
    host, group = host_in_scope(session, actor=actor, host_id=request.host_id)
    require(actor, "proof.make", group.path, missing="Host not found.")
    before, after = list(dict.fromkeys(request.before)), list(dict.fromkeys(request.after))
    if both := set(before) & set(after):
        raise BadInput(f"run {min(both)} is on both sides; a run was made either before or after the change")
    runs = runs_in_scope(session, actor=actor, ids=[*before, *after])
    if other := next((row for row, _ in runs.values() if row.host_id != host.id), None):
        raise BadInput(f"run {other.id} was made on another host; a proof compares runs of one host")
    if all(row.is_time_known for row, _ in runs.values()):
        last, first = max(runs[each][0].measured_at for each in before), min(runs[each][0].measured_at for each in after)
        if first < last:
            raise BadInput("a run “after” the change is older than one “before” it; check which runs are on which side")
    if bool(request.pack) != bool(request.rule):
        raise BadInput("give both pack and rule of the finding, or neither")
    if request.rule and f"{request.pack}/{request.rule}" not in read_library(session).by_address:
        raise BadInput(f"there is no rule {request.pack}/{request.rule}")
    if request.job_id is not None:
        job = session.get(Job, request.job_id)
        if job is None or job.host_id != host.id:
            raise BadInput(f"job {request.job_id} is no job of {host.name}")
    answers: dict[str, Answer] = {str(name): answer for name, answer in request.answers.items()}
    verdict = judge([from_row(runs[each][0]) for each in before], [from_row(runs[each][0]) for each in after], answers)
    plain: dict[str, Any] = json.loads(json.dumps(asdict(verdict)))
    proof = Proof(
        host_id=host.id,
        title=request.title,
        pack=request.pack,
        rule=request.rule,
        job_id=request.job_id,
        answers=dict(answers),
        verdict=plain,
        grade=verdict.grade,
        outcome=verdict.outcome,
        made_by=actor.person_id,
    )
    session.add(proof)
    session.flush()
    session.add_all([ProofRun(proof_id=proof.id or 0, run_id=each, side=Side.BEFORE) for each in before])
    session.add_all([ProofRun(proof_id=proof.id or 0, run_id=each, side=Side.AFTER) for each in after])
    session.flush()
    audit.record(
        session,
        actor=actor.audit_name,
        action="proof.made",
        about=audit.Object("proof", str(proof.id), host.group_id),
        after={"title": proof.title, "host": host.id, "grade": proof.grade, "outcome": proof.outcome, "before": before, "after": after},
    )
    return proof


def decide_proof(session: Session, *, actor: Actor, proof_id: int, request: ProofDecision) -> None:
    """Records keep, revert or waive. Raises `Conflict` if it is decided already, `BadInput` for a plan of other hosts."""
    proof, host, group = proof_in_scope(session, actor=actor, proof_id=proof_id)
    require(actor, "proof.make", group.path, missing="Proof not found.")
    # Two people at once: the second waits here and then finds the first one's decision.
    session.execute(select(Proof).where(PROOF.id == proof_id).with_for_update().execution_options(populate_existing=True))
    if proof.decision != Decision.OPEN:
        raise Conflict(f"this proof is decided already: {proof.decision}")
    now = now_of(session)
    if request.plan_id is not None:
        plan = session.get(Plan, request.plan_id)
        if request.decision != "revert" or plan is None or plan.group_id != host.group_id:
            raise BadInput(f"plan {request.plan_id} is no plan that takes this change back")
    if request.test_again_on is not None and request.test_again_on <= now.date():
        raise BadInput("the day of the next test has to be in the future")
    proof.decision = request.decision
    proof.decision_reason = request.reason
    proof.test_again_on = request.test_again_on
    proof.plan_id = request.plan_id
    proof.decided_by = actor.person_id
    proof.decided_at = now
    session.add(proof)
    session.flush()
    audit.record(
        session,
        actor=actor.audit_name,
        action="proof.decided",
        about=audit.Object("proof", str(proof.id), host.group_id),
        after={"decision": proof.decision, "plan": proof.plan_id},
        reason=request.reason,
    )
