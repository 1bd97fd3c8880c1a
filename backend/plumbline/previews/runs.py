"""Runs that evaluate the hosts of a group and change nothing: requesting one, and processing it in chunks.

Each chunk of at most 200 hosts is one transaction that locks the run's row. Results, sums and cursor are committed together, so a crash
repeats nothing and loses nothing, and no two workers do the same chunk.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

import structlog
from sqlalchemy import func, select, text
from sqlmodel import Session

from plumbline import audit
from plumbline.auth.actor import Actor
from plumbline.auth.rights import require
from plumbline.core.rules.finding_status import status_of
from plumbline.core.rules.peers import Peers
from plumbline.evaluation.evaluate import CurrentFindings
from plumbline.evaluation.findings import NewFinding, StoredFinding
from plumbline.evaluation.inputs import read_documents
from plumbline.evaluation.peers import questions_in_force
from plumbline.evaluation.reevaluate import CHUNK, HOST_COLUMNS, LockedHost, evaluate_stored, raw_connection
from plumbline.infra.database import now_of
from plumbline.infra.errors import BadInput, NotFound, TooManyRequests
from plumbline.infra.task_queue import enqueue
from plumbline.models.hosts import COUNTED, HostGroup
from plumbline.models.packs import PACK_VERSION, PackVersion
from plumbline.models.previews import (
    FINISHED_RUN_STATES,
    OPEN_RUN_STATES,
    PREVIEW_RUN,
    PackDraft,
    PreviewRun,
    PreviewRunHost,
    RunKind,
    RunState,
)
from plumbline.packs.drafts import draft_of
from plumbline.packs.files.load import pack_from_document
from plumbline.packs.in_force import NO_RULES, ActiveRules, Choice, GroupRules, pack_of, read_active
from plumbline.previews.as_of import evaluate_at
from plumbline.previews.hosts_as_of import hosts_at, unread_at
from plumbline.previews.peers_as_of import peers_at
from plumbline.previews.schemas import PastCreate, PreviewCreate
from plumbline.previews.sums import Sums

if TYPE_CHECKING:
    import psycopg

log = structlog.get_logger()

MOST_OPEN = 5
MOST_KEPT = 200
MOST_CHANGES = 500

_COUNT_NOW = f"""
SELECT count(*) FROM host h JOIN host_group g ON g.id = h.group_id WHERE starts_with(g.path, :path) AND h.{COUNTED}
"""  # noqa: S608 (a constant)
_CHUNK = f"""
WITH host AS (
  SELECT h.* FROM host h JOIN host_group g ON g.id = h.group_id
  WHERE starts_with(g.path, %s) AND h.id > %s AND h.{COUNTED} ORDER BY h.id LIMIT %s
) SELECT {HOST_COLUMNS} FROM host ORDER BY id
"""  # noqa: S608 (constants of the program)


def request_preview(session: Session, *, actor: Actor, request: PreviewCreate) -> int:
    """Queues a preview of an activation; answers the run's id. Raises `NotFound`, `NotAllowed`, `BadInput`, `TooManyRequests`."""
    group = _group(session, actor, "pack.preview", request.group_id)
    choice: dict[str, Any] = {"pack": request.pack, "version_id": None, "draft_id": None, "in_grace": request.in_grace}
    if request.what == "version":
        version = session.get(PackVersion, request.version_id) if request.version_id is not None else None
        if version is None or version.pack != request.pack:
            raise NotFound(f"Version of {request.pack} not found.")
        choice["version_id"] = version.id
    elif request.what == "draft":
        if request.draft_id is None or draft_of(session, request.draft_id).pack != request.pack:
            raise NotFound(f"Draft of {request.pack} not found.")
        choice["draft_id"] = request.draft_id
    elif request.what == "inherit":
        if group.parent_id is None:
            raise BadInput("The root group has no parent group to inherit from.")
        above = read_active(session).by_group[group.parent_id]
        choice["version_id"] = above.version_ids.get(request.pack)
        choice["in_grace"] = request.pack in above.grace
    now = now_of(session)
    return _queue(session, actor, RunKind.PREVIEW, group, now, [choice])


def request_past(session: Session, *, actor: Actor, request: PastCreate) -> int:
    """Queues a run that evaluates a group as of an instant. Returns its id. Raises as `request_preview`."""
    group = _group(session, actor, "past.read", request.group_id)
    now = now_of(session)
    if request.as_of > now:
        raise BadInput("Choose a date in the past. To see the effect of an activation, use its preview.")
    return _queue(session, actor, RunKind.PAST, group, request.as_of, chosen_versions(session, request.version_ids))


def chosen_versions(session: Session, version_ids: Sequence[int]) -> list[dict[str, Any]]:
    """Choices of published versions, one a pack. Raises `NotFound`, `BadInput`."""
    rows = session.execute(select(PACK_VERSION.id, PACK_VERSION.pack).where(PACK_VERSION.id.in_(list(version_ids)))).all()
    if len(rows) != len(set(version_ids)):
        raise NotFound("Pack version not found.")
    if len({row.pack for row in rows}) != len(rows):
        raise BadInput("name one version a pack")
    return [{"pack": row.pack, "version_id": row.id, "draft_id": None, "in_grace": False} for row in rows]


def _group(session: Session, actor: Actor, action: str, group_id: int) -> HostGroup:
    group = session.get(HostGroup, group_id)
    require(actor, action, group.path if group else "", missing="Group not found.")
    assert group is not None
    return group


def _queue(session: Session, actor: Actor, kind: str, group: HostGroup, as_of: datetime, choices: list[dict[str, Any]]) -> int:
    open_runs = (
        select(func.count())
        .select_from(PreviewRun)
        .where(PREVIEW_RUN.requested_by == actor.person_id, PREVIEW_RUN.state.in_(OPEN_RUN_STATES))
    )
    if (session.scalar(open_runs) or 0) >= MOST_OPEN:
        raise TooManyRequests(f"You have {MOST_OPEN} runs in progress. Wait for one to finish.", retry_after_seconds=30)
    epoch = int(session.execute(text("SELECT rules_epoch FROM installation")).scalar_one())
    run = PreviewRun(
        kind=kind, group_id=group.id or 0, as_of=as_of, choices=choices, rules_epoch=epoch, sums={}, requested_by=actor.person_id
    )
    session.add(run)
    session.flush()
    old = session.scalars(
        select(PREVIEW_RUN.id).where(PREVIEW_RUN.state.in_(FINISHED_RUN_STATES)).order_by(PREVIEW_RUN.id.desc()).offset(MOST_KEPT)
    ).all()
    if old:
        session.execute(text("DELETE FROM preview_run WHERE id = ANY(:ids)"), {"ids": list(old)})
    audit.record(
        session,
        actor=actor.audit_name,
        action=f"run.{kind}_requested",
        about=audit.Object("run", str(run.id), group.id),
        after={"choices": choices, "as_of": as_of.isoformat()},
    )
    enqueue(session, "previews.advance", run.id or 0)
    return run.id or 0


def open_runs(session: Session) -> list[int]:
    """Runs that are not finished, oldest first; the schedule finds those whose task message was lost."""
    return list(session.scalars(select(PREVIEW_RUN.id).where(PREVIEW_RUN.state.in_(OPEN_RUN_STATES)).order_by(PREVIEW_RUN.id)))


def fail_run(session: Session, run_id: int, error: str) -> None:
    """Ends a run that cannot be worked off; its words are shown."""
    run = session.get(PreviewRun, run_id, with_for_update=True)
    if run is not None and run.state in OPEN_RUN_STATES:
        run.state, run.error, run.finished_at = RunState.FAILED, error[:500], now_of(session)
        session.add(run)


def advance_run(session: Session, run_id: int) -> bool:
    """Works off one chunk; answers whether there may be more to do. False also where another worker has the run in hand."""
    run = session.scalars(select(PreviewRun).where(PREVIEW_RUN.id == run_id).with_for_update(skip_locked=True)).first()
    if run is None or run.state not in OPEN_RUN_STATES:
        return False
    group = session.get_one(HostGroup, run.group_id)
    choices = _choices(session, run)
    if run.state == RunState.QUEUED:
        run.state = RunState.RUNNING
        # A past state covers all hosts, since each may have been in this group then.
        counted = text(_COUNT_NOW).bindparams(path=group.path) if run.kind == RunKind.PREVIEW else text("SELECT count(*) FROM host")
        run.hosts_total = int(session.execute(counted).scalar_one())
    if run.kind == RunKind.PREVIEW:
        _begin_again_under_other_rules(session, run)
    sums = Sums.of(run.sums)
    step = _preview_chunk if run.kind == RunKind.PREVIEW else _past_chunk
    last, done = step(session, run, group.path, choices, sums)
    run.cursor, run.hosts_done, run.sums = last or run.cursor, run.hosts_done + done, sums.stored()
    if last is None:
        # Hosts come and go while a run is at work; what was walked is what there was.
        run.state, run.hosts_total, run.finished_at = RunState.READY, run.hosts_done, now_of(session)
    session.add(run)
    session.flush()
    return last is not None


def _begin_again_under_other_rules(session: Session, run: PreviewRun) -> None:
    """Restarts a preview if the rules in force have changed: its figures would mix two sets of rules."""
    epoch = int(session.execute(text("SELECT rules_epoch FROM installation")).scalar_one())
    if epoch != run.rules_epoch:
        session.execute(text("DELETE FROM preview_run_host WHERE run_id = :run"), {"run": run.id})
        run.rules_epoch, run.cursor, run.hosts_done, run.sums = epoch, "", 0, {}


def _choices(session: Session, run: PreviewRun) -> list[Choice]:
    """The pack choices of the run. A draft discarded meanwhile ends the run."""
    active_choices = []
    for choice in run.choices:
        content, version_id = None, 0
        if choice["draft_id"] is not None:
            draft = session.get(PackDraft, choice["draft_id"])
            if draft is None:
                raise NotFound("the draft was discarded before the run was done")
            content = pack_from_document(draft.document)
        elif choice["version_id"] is not None:
            content, version_id = pack_of(session.get_one(PackVersion, choice["version_id"])), choice["version_id"]
        group_id = run.group_id if run.kind == RunKind.PREVIEW else None
        active_choices.append(Choice(choice["pack"], content, version_id, group_id, bool(choice["in_grace"])))
    return active_choices


def _preview_chunk(session: Session, run: PreviewRun, path: str, choices: Sequence[Choice], sums: Sums) -> tuple[str | None, int]:
    """Evaluates a chunk twice, by what is in force and by what would be, with the code that check-ins use."""
    connection = raw_connection(session)
    hosts = [LockedHost.of(row) for row in connection.execute(_CHUNK, (path, run.cursor, CHUNK))]
    if not hosts:
        return None, 0
    now, then = read_active(session), read_active(session, choices=choices)
    readable = [host for host in hosts if host.is_evaluated]
    before = evaluate_stored(connection, readable, now)[0].current
    affected = [host for host in readable if not _is_same(_rules(now, host.figures.group_id), _rules(then, host.figures.group_id))]
    peers = _peers_for_new_questions(connection, affected, now, then)
    after = {**before, **evaluate_stored(connection, affected, then, peers=peers)[0].current}
    addresses = _addresses(now, then)
    for host in hosts:
        host_id, group_id, name = host.id, host.figures.group_id, host.name
        if host_id not in before or host_id not in after:
            sums.add_absent(group_id)
            continue
        changes = _changes(before[host_id], after[host_id], addresses)
        row = sums.add_compared(host_id, group_id, before[host_id].verdict, after[host_id].verdict, changes)
        sums.newly_undecided += _excluded(after[host_id], "conflict") - _excluded(before[host_id], "conflict")
        sums.in_grace += _excluded(after[host_id], "grace") - _excluded(before[host_id], "grace")
        if changes or row.score_before != row.score_after or row.capped_before != row.capped_after:
            row.run_id, row.name, row.changes = run.id or 0, name, [list(change) for change in changes[:MOST_CHANGES]]
            session.add(row)
    return hosts[-1].id, len(hosts)


def _peers_for_new_questions(
    connection: "psycopg.Connection[Any]", affected: Sequence[LockedHost], now: ActiveRules, then: ActiveRules
) -> dict[str, Peers] | None:
    """The peers of hosts if the chosen rules have questions that peers have not answered yet: computed from their configurations.

    None if there are no new questions: the stored peer answers, which check-ins use, are then complete.
    """
    request = {question.mark for question in questions_in_force(now).items}
    if not affected or all(question.mark in request for question in questions_in_force(then).items):
        return None
    at: datetime = connection.execute("SELECT clock_timestamp()").fetchall()[0][0]
    ids = [host.id for host in affected]
    hosts = [host for host in hosts_at(connection, at, path="", limit=len(ids), ids=ids) if not host.absent]
    documents = read_documents(connection, [host.configuration_id for host in hosts if host.configuration_id is not None])
    return peers_at(connection, hosts, documents, unread_at(connection, hosts), then, at)


def _rules(rules: ActiveRules, group_id: int) -> GroupRules:
    return rules.by_group.get(group_id, NO_RULES)


def _is_same(left: GroupRules, right: GroupRules) -> bool:
    """Nothing could come out differently: the same content, in the same grace, under the same decisions."""
    return (
        [pack.content_hash for pack in left.packs] == [pack.content_hash for pack in right.packs]
        and left.grace == right.grace
        and left.decisions == right.decisions
    )


def _addresses(*all_rules: ActiveRules) -> dict[int, str]:
    """Rule number -> address, those of a draft's new rules included."""
    return {number: address for rules in all_rules for each in rules.by_group.values() for address, number in each.numbers.items()}


def _word(finding: StoredFinding | None) -> str:
    return "" if finding is None else status_of(finding.outcome, finding.waiver_id, finding.excluded_by, finding.kind)


def _excluded(evaluated: CurrentFindings, why: str) -> int:
    return sum(finding.excluded_by == why for finding in evaluated.findings.values())


def _changes(before: CurrentFindings, after: CurrentFindings, addresses: Mapping[int, str]) -> list[tuple[str, str, str, str, str]]:
    """(rule, subject kind, subject id, status before, status after) of each finding whose status would change, failing ones first.

    A change between no finding and "not applicable" is left out.
    """
    changes = []
    for identity in before.findings.keys() | after.findings.keys():
        was, will_be = _word(before.findings.get(identity)), _word(after.findings.get(identity))
        if was != will_be and {was, will_be} != {"", "not_applicable"}:
            number, kind, subject = identity
            changes.append((addresses.get(number, f"?/{number}"), kind, subject, was, will_be))
    return sorted(changes, key=lambda change: (change[4] != "fail", change[3] != "fail", change))


def _past_chunk(session: Session, run: PreviewRun, path: str, choices: Sequence[Choice], sums: Sums) -> tuple[str | None, int]:
    connection = raw_connection(session)
    hosts = hosts_at(connection, run.as_of, path=path, after=run.cursor, limit=CHUNK)
    if not hosts:
        return None, 0
    rules = read_active(session, at=run.as_of, choices=choices)
    evaluated_hosts = evaluate_at(connection, hosts, rules, run.as_of)
    addresses = _addresses(rules)
    for host in hosts:
        past = evaluated_hosts.get(host.id)
        row = PreviewRunHost(run_id=run.id or 0, host_id=host.id, name=host.name, group_id=host.group_id, absent=host.absent)
        if past is None:
            row.absent = host.absent or "its stored configuration can no longer be read"
            sums.add_absent(host.group_id)
        else:
            words = words_of(past.evaluation.findings, addresses)
            sums.add_past(row, past.evaluation.verdict, words)
        session.add(row)
    return hosts[-1].id, len(hosts)


def words_of(findings: Iterable[NewFinding], addresses: Mapping[int, str]) -> list[tuple[str, str]]:
    """(rule, status) of each finding."""
    return [(addresses.get(row.rule_no, ""), status_of(row.outcome, row.waiver_id, row.excluded_by, row.kind)) for row in findings]
