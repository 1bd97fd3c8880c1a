"""Reading benchmark runs and proofs: lists by pages, and one of each, whole."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import select, text, tuple_
from sqlmodel import Session

from plumbline.auth.actor import Actor
from plumbline.auth.people import people_of
from plumbline.auth.rights import allow
from plumbline.auth.scope import in_scope
from plumbline.configurations.read import Labels, read_labels, setting_label
from plumbline.core.benchmarks.paper_method import (
    LARGEST_RELATIVE_DEVIATION_PERCENT,
    RUN_SECONDS,
    RUNS_PER_WORKLOAD,
    SIGNIFICANT_FROM_PERCENT,
)
from plumbline.core.facts.configuration import Subject
from plumbline.core.proof.reference_runs import REFERENCE_RUNS
from plumbline.core.proof.verdict import METHOD_QUESTIONS
from plumbline.core.rules.reading_words import stored_text
from plumbline.infra import cursor
from plumbline.infra.errors import NotFound
from plumbline.infra.schemas import NamedHost
from plumbline.models.hosts import HOST, HOST_GROUP, Host, HostGroup
from plumbline.models.proofs import (
    BENCHMARK_FILE,
    BENCHMARK_RUN,
    PROOF,
    PROOF_RUN,
    BenchmarkFile,
    BenchmarkRunRow,
    Decision,
    Proof,
    ProofRun,
    Side,
)
from plumbline.packs.library import Library, read_library
from plumbline.proofs.run_rows import shown
from plumbline.proofs.schemas import (
    AnswerOut,
    ChangeBetween,
    FindingToRevert,
    LoadVerdictOut,
    ProofDetail,
    ProofMethod,
    ProofPage,
    ProofRow,
    ReferenceRunOut,
    RunDetail,
    RunPage,
    RunRow,
)

_MOST_CHANGES = 200


def _runs(actor: Actor) -> Any:
    return (
        select(BenchmarkRunRow, BenchmarkFile, Host, HostGroup)
        .join(BenchmarkFile, BENCHMARK_FILE.id == BENCHMARK_RUN.file_id)
        .join(Host, HOST.id == BENCHMARK_RUN.host_id)
        .join(HostGroup, HOST_GROUP.id == HOST.group_id)
        .where(in_scope(actor))
    )


def list_runs(session: Session, *, actor: Actor, host_id: str | None, tool: str | None, after: str | None, limit: int) -> RunPage:
    """A page of runs, the newest first. One query."""
    query = _runs(actor).order_by(BENCHMARK_RUN.measured_at.desc(), BENCHMARK_RUN.id.desc()).limit(limit + 1)
    if host_id:
        query = query.where(BENCHMARK_RUN.host_id == host_id)
    if tool:
        query = query.where(BENCHMARK_RUN.tool == tool)
    if after:
        query = query.where(tuple_(BENCHMARK_RUN.measured_at, BENCHMARK_RUN.id) < tuple_(*cursor.decode(after, (datetime, int))))
    rows = session.execute(query).all()
    last = rows[limit - 1][0] if len(rows) > limit else None
    return RunPage(items=[_shown(row) for row in rows[:limit]], next=cursor.encode([last.measured_at, last.id]) if last else None)


def _shown(row: Any) -> RunRow:
    run, file, host, _ = row
    return shown(run, host=NamedHost(id=host.id, name=host.name), file_name=file.name)


def read_run(session: Session, *, actor: Actor, run_id: int) -> RunDetail:
    """One run with its file."""
    row = session.execute(_runs(actor).where(BENCHMARK_RUN.id == run_id)).first()
    if row is None:
        raise NotFound("Run not found.")
    run, file, _, group = row
    used_query = (
        select(PROOF_RUN.proof_id)
        .join(BenchmarkRunRow, BENCHMARK_RUN.id == PROOF_RUN.run_id)
        .where(BENCHMARK_RUN.file_id == file.id)
        .distinct()
    )
    used = sorted(session.scalars(used_query.limit(100)))
    return RunDetail(
        **_shown(row).model_dump(),
        computer=run.computer,
        started_text=run.started_text,
        warm_up_seconds=run.warm_up_seconds,
        parameters=run.parameters,
        parameter_name=file.parameter_name,
        file_sha256=file.sha256.hex(),
        file_size_bytes=file.size_bytes,
        uploaded_by=_uploader(file.uploaded_by),
        uploaded_at=file.uploaded_at,
        has_configuration=run.configuration_id is not None,
        proof_ids=used,
        may_delete=not used and allow(actor, "benchmark.delete", group.path),
    )


def _uploader(audit_name: str) -> str:
    """`person:3 ana` as ana, `account:ana on ops-1, command line` as it is after the colon."""
    kind, _, rest = audit_name.partition(":")
    return rest.partition(" ")[2] if kind == "person" else rest or audit_name


def runs_in_scope(session: Session, *, actor: Actor, ids: Iterable[int]) -> dict[int, tuple[BenchmarkRunRow, RunRow]]:
    """Runs by their ids. Raises `NotFound` if any is outside the scope. One query."""
    wanted = set(ids)
    found = {row[0].id: (row[0], _shown(row)) for row in session.execute(_runs(actor).where(BENCHMARK_RUN.id.in_(wanted)))}
    if missing := sorted(wanted - set(found)):
        raise NotFound(f"there is no run {missing[0]}")
    return found


def _proofs(actor: Actor) -> Any:
    return (
        select(Proof, Host, HostGroup)
        .join(Host, HOST.id == PROOF.host_id)
        .join(HostGroup, HOST_GROUP.id == HOST.group_id)
        .where(in_scope(actor))
    )


def list_proofs(session: Session, *, actor: Actor, host_id: str | None, job_id: int | None, after: int | None, limit: int) -> ProofPage:
    """A page of proofs, the newest first. Three queries."""
    query = _proofs(actor).order_by(PROOF.id.desc()).limit(limit + 1)
    if host_id:
        query = query.where(PROOF.host_id == host_id)
    if job_id is not None:
        query = query.where(PROOF.job_id == job_id)
    if after is not None:
        query = query.where(PROOF.id < after)
    rows = session.execute(query).all()
    names = people_of(session, (row[0].made_by for row in rows))
    library = read_library(session)
    items = [_proof_row(proof, host, names, library) for proof, host, _ in rows[:limit]]
    return ProofPage(items=items, next=str(items[-1].id) if len(rows) > limit else None)


def _proof_row(proof: Proof, host: Host, names: Mapping[int | None, str], library: Library) -> ProofRow:
    changes = [each["change_percent"] for each in proof.verdict["loads"] if each["change_percent"] is not None]
    return ProofRow(
        id=proof.id,
        title=proof.title,
        host=NamedHost(id=host.id, name=host.name),
        grade=proof.grade,
        outcome=proof.outcome,
        change_percent=max(changes, key=abs, default=None),
        decision=proof.decision,
        job_id=proof.job_id,
        rule_title=rule_title(library, proof.pack, proof.rule),
        made_by=names.get(proof.made_by, f"person {proof.made_by}"),
        made_at=proof.made_at,
    )


def rule_title(library: Library, pack: str, rule: str) -> str:
    """A rule's title; its address where no pack has it any more; empty for no rule."""
    known = library.by_address.get(f"{pack}/{rule}")
    return known.rule.title if known else f"{pack}/{rule}" if rule else ""


def proof_in_scope(session: Session, *, actor: Actor, proof_id: int) -> tuple[Proof, Host, HostGroup]:
    """A proof with its host and group. Raises `NotFound`."""
    found = session.execute(_proofs(actor).where(PROOF.id == proof_id)).first()
    if found is None:
        raise NotFound("Proof not found.")
    return found[0], found[1], found[2]


def read_proof(session: Session, *, actor: Actor, proof_id: int) -> ProofDetail:
    """One proof with its runs, what changed between them, and what a plan could take back."""
    proof, host, group = proof_in_scope(session, actor=actor, proof_id=proof_id)
    sides: dict[str, list[tuple[BenchmarkRunRow, RunRow]]] = {Side.BEFORE: [], Side.AFTER: []}
    query = (
        _runs(actor).add_columns(PROOF_RUN.side).join(ProofRun, PROOF_RUN.run_id == BENCHMARK_RUN.id).where(PROOF_RUN.proof_id == proof_id)
    )
    for run, file, run_host, _, side in session.execute(query.order_by(BENCHMARK_RUN.measured_at, BENCHMARK_RUN.id)):
        sides[side].append((run, shown(run, host=NamedHost(id=run_host.id, name=run_host.name), file_name=file.name)))
    runs = [run for side in sides.values() for run, _ in side]
    is_time_known = bool(runs) and all(run.is_time_known for run in runs)
    library = read_library(session)
    names = people_of(session, (proof.made_by, proof.decided_by))
    changes: list[ChangeBetween] = []
    to_revert: list[FindingToRevert] = []
    if is_time_known and sides[Side.BEFORE] and sides[Side.AFTER]:
        since = max(run.measured_at for run, _ in sides[Side.BEFORE])
        until = max(since, min(run.measured_at for run, _ in sides[Side.AFTER]))
        labels = read_labels(session, [host.id]).get(host.id) or Labels()
        changes = _changes(session, host.id, since, until, labels)
        to_revert = _to_revert(session, host.id, since, until, library)
    verdict = proof.verdict
    return ProofDetail(
        **_proof_row(proof, host, names, library).model_dump(),
        pack=proof.pack,
        rule=proof.rule,
        subject_kind=proof.subject_kind,
        subject_id=proof.subject_id,
        advice=verdict["advice"],
        loads=[LoadVerdictOut(**{**each, "paper_label": (each["paper_load"] or {}).get("label", "")}) for each in verdict["loads"]],
        deviations=verdict["deviations"],
        answers=[_answer(name, proof.answers.get(name, "unknown")) for name in METHOD_QUESTIONS],
        before=[row for _, row in sides[Side.BEFORE]],
        after=[row for _, row in sides[Side.AFTER]],
        changes=changes,
        is_time_known=is_time_known,
        to_revert=to_revert,
        evidence=evidence_of(proof),
        decision_reason=proof.decision_reason,
        test_again_on=proof.test_again_on,
        plan_id=proof.plan_id,
        decided_by=names.get(proof.decided_by, "") if proof.decided_by else "",
        decided_at=proof.decided_at,
        may_decide=proof.decision == Decision.OPEN and allow(actor, "proof.make", group.path),
    )


def evidence_of(proof: Proof) -> str:
    """The verdict in a sentence or two, as evidence of a waiver."""
    parts = []
    for each in proof.verdict["loads"]:
        change = "not comparable" if each["change_percent"] is None else f"{each['change_percent']:+.1f}%"
        parts.append(f"{each['words']}: {change}")
    grade = "paper grade" if proof.grade == "paper" else "quick look, indicative only"
    return f"Proof {proof.id} ({grade}): {'; '.join(parts)}. Differences under {SIGNIFICANT_FROM_PERCENT:.0f}% are no significant effect."


def _answer(name: str, answer: str) -> AnswerOut:
    question, at = METHOD_QUESTIONS[name]
    return AnswerOut(name=name, question=question, at=at, answer=answer)


def _changes(session: Session, host_id: str, since: datetime, until: datetime, labels: Labels) -> list[ChangeBetween]:
    rows = session.execute(
        text(
            "SELECT received_at, subject_kind, subject_id, key, old, new, cause FROM setting_change WHERE host_id = :host"
            " AND received_at > :since AND received_at <= :until AND cause <> 'first_seen' ORDER BY received_at, id LIMIT :most"
        ),
        {"host": host_id, "since": since, "until": until, "most": _MOST_CHANGES},
    )
    return [
        ChangeBetween(
            at=row.received_at,
            label=setting_label(row.subject_kind, row.key),
            item="" if row.subject_kind == "host" else labels.of_subject(Subject(row.subject_kind, row.subject_id)),
            old=stored_text(row.subject_kind, row.key, row.old),
            new=stored_text(row.subject_kind, row.key, row.new),
            cause=row.cause,
        )
        for row in rows
    ]


def _to_revert(session: Session, host_id: str, since: datetime, until: datetime, library: Library) -> list[FindingToRevert]:
    """Findings that turned from pass to fail between the runs, and fail now."""
    rows = session.execute(
        text(
            "SELECT DISTINCT l.rule_no, l.subject_kind, l.subject_id FROM finding_log l JOIN finding f"
            " ON (f.host_id, f.rule_no, f.subject_kind, f.subject_id) = (l.host_id, l.rule_no, l.subject_kind, l.subject_id)"
            " WHERE l.host_id = :host AND l.at > :since AND l.at <= :until AND l.old = 'pass' AND l.new = 'fail' AND f.outcome = 'fail'"
            " ORDER BY 1, 2, 3 LIMIT 100"
        ),
        {"host": host_id, "since": since, "until": until},
    )
    found = []
    for row in rows:
        known = library.by_no.get(row.rule_no)
        # A rule whose fix is a person's work makes no plan.
        if known is not None and not known.rule.fix.is_manual:
            found.append(
                FindingToRevert(
                    pack=known.pack.id,
                    rule=known.rule.id,
                    title=known.rule.title,
                    subject_kind=row.subject_kind,
                    subject_id=row.subject_id,
                )
            )
    return found


def read_method() -> ProofMethod:
    """The papers' method and their own results."""
    return ProofMethod(
        runs=RUNS_PER_WORKLOAD,
        run_seconds=RUN_SECONDS,
        largest_deviation_percent=LARGEST_RELATIVE_DEVIATION_PERCENT,
        significant_from_percent=SIGNIFICANT_FROM_PERCENT,
        questions=[_answer(name, "unknown") for name in METHOD_QUESTIONS],
        references=[ReferenceRunOut.model_validate(each) for each in REFERENCE_RUNS],
    )
