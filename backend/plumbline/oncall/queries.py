"""Reading the open problems of a person's scope, with what changed, the fixes that may run at once, and their owners."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Row, text
from sqlmodel import Session, col, select

from plumbline.auth.actor import Actor
from plumbline.auth.rights import allow
from plumbline.auth.scope import GroupNode, scope_of_group
from plumbline.configurations.read import Labels, read_labels, setting_label
from plumbline.core.facts.configuration import Subject
from plumbline.core.rules.reading_words import stored_text
from plumbline.drift.ticket_reads import TicketOut, tickets_of_problems
from plumbline.infra.database import now_of
from plumbline.infra.schemas import NamedHost
from plumbline.models.hosts import Host
from plumbline.models.oncall import ProblemNote
from plumbline.oncall.find import HOURS, Scope, find_problems
from plumbline.oncall.fixes import FixOptions, approvers_online, read_fix_options
from plumbline.oncall.problems import KIND_WORDS, Problem, still_holds
from plumbline.oncall.schemas import OnCall, ProblemCause, ProblemChange, ProblemNoteOut, ProblemOut
from plumbline.oncall.symptom_series import series_of
from plumbline.packs.library import Library, read_library
from plumbline.remediation.jobs.queries import undoable_jobs

# Problems of one page; no person works through more in a night, and the total shows how many there are.
MOST_SHOWN = 100
# Changes to undo of one page: what was done tonight. The Jobs page has all.
MOST_UNDOABLE = 10
_CHANGES_OF_A_HOST = 6
_CHANGES = """
SELECT * FROM (
  SELECT c.id, c.host_id, c.received_at, c.subject_kind, c.subject_id, c.key, c.old, c.new, c.cause, c.cause_detail,
    row_number() OVER (PARTITION BY c.host_id ORDER BY c.received_at DESC, c.id DESC) AS place
  FROM setting_change c WHERE c.host_id = ANY(:hosts) AND c.received_at > now() - make_interval(hours => :hours) AND c.cause <> 'first_seen'
) AS newest WHERE place <= 200 ORDER BY host_id, place
"""


def read_on_call(session: Session, *, actor: Actor, group_id: int | None) -> OnCall:
    """The open problems of a group and its subgroups. At most twenty-seven queries, whatever the size of the fleet."""
    chosen = scope_of_group(session, actor=actor, group_id=group_id)
    groups = chosen.nodes
    scope = Scope(chosen.below)
    library = read_library(session)
    problems = find_problems(session, scope, library)
    now = now_of(session)
    notes = notes_on(session, problems, now)
    awake = [each for each in problems if not _is_snoozed(notes.get(each.key))]
    asleep = [each for each in problems if _is_snoozed(notes.get(each.key))]
    shown = [*awake[:MOST_SHOWN], *asleep[:MOST_SHOWN]]
    hosts = {row.id: row for row in session.exec(select(Host).where(col(Host.id).in_({each.host_id for each in shown})))}
    page = _Page(
        actor,
        hosts,
        groups,
        notes,
        _changes(session, shown, library),
        read_fix_options(session, actor, hosts.values(), groups, library, now),
        series_of(session, shown),
        tickets_of_problems(session, [each.key for each in shown]),
    )
    return OnCall(
        as_of=now,
        hours=HOURS,
        problems=[page.problem_out(each) for each in awake[:MOST_SHOWN]],
        snoozed=[page.problem_out(each) for each in asleep[:MOST_SHOWN]],
        total=len(problems),
        undoable=undoable_jobs(session, actor=actor, below=chosen.group.path, limit=MOST_UNDOABLE),
        approvers_about=approvers_online(session, scope.groups, now),
    )


def _is_snoozed(note: ProblemNote | None) -> bool:
    return note is not None and note.kind == "snoozed"


def notes_on(session: Session, problems: Iterable[Problem], now: datetime) -> dict[str, ProblemNote]:
    """Acknowledgements and snoozes that still apply, by problem. One query."""
    by_key = {each.key: each for each in problems}
    rows = session.exec(
        select(ProblemNote).where(
            col(ProblemNote.ended_at).is_(None), col(ProblemNote.until) > now, col(ProblemNote.problem).in_(list(by_key))
        )
    )
    return {row.problem: row for row in rows if still_holds(row.parts, by_key[row.problem].parts)}


def _changes(session: Session, problems: Sequence[Problem], library: Library) -> dict[str, list[ProblemChange]]:
    """The changes of the last day that could explain each problem, by its key: those of settings that its rules read. Two queries."""
    wanted = {each.key: _reads(each, library) for each in problems if each.findings or each.kind in ("paths", "symptom")}
    host_ids = sorted({each.host_id for each in problems if each.key in wanted})
    if not host_ids:
        return {}
    rows = session.execute(text(_CHANGES), {"hosts": host_ids, "hours": HOURS}).all()
    labels = read_labels(session, {row.host_id for row in rows}) if rows else {}
    by_host: dict[str, list[Row[Any]]] = {}
    for row in rows:
        by_host.setdefault(row.host_id, []).append(row)
    return {
        each.key: [
            _change(row, labels.get(row.host_id, Labels()))
            for row in by_host.get(each.host_id, ())
            if f"{row.subject_kind}.{row.key}" in wanted[each.key]
        ][:_CHANGES_OF_A_HOST]
        for each in problems
        if each.key in wanted
    }


def _reads(problem: Problem, library: Library) -> frozenset[str]:
    if problem.kind == "paths":
        return frozenset({"volume.paths_healthy", "adapter.link", "adapter.link_state", "adapter.status"})
    if problem.kind == "symptom":
        return frozenset(problem.reads)
    return frozenset(key for each in problem.findings for key in library.by_no[each.rule_no].rule.reads)


def _change(row: Row[Any], labels: Labels) -> ProblemChange:
    subject = Subject(row.subject_kind, row.subject_id)
    return ProblemChange(
        id=row.id,
        at=row.received_at,
        subject=labels.of_subject(subject),
        label=setting_label(row.subject_kind, row.key),
        old=stored_text(row.subject_kind, row.key, row.old),
        new=stored_text(row.subject_kind, row.key, row.new),
        cause=row.cause,
        cause_detail=row.cause_detail,
    )


class _Page:
    """Builds the API schema of each problem from what was read for all of them together."""

    def __init__(
        self,
        actor: Actor,
        hosts: Mapping[str, Host],
        groups: Mapping[int, GroupNode],
        notes: Mapping[str, ProblemNote],
        changes: Mapping[str, list[ProblemChange]],
        options: FixOptions,
        series: Mapping[str, list[str]],
        tickets: Mapping[str, list[TicketOut]],
    ) -> None:
        self.actor, self.hosts, self.groups, self.notes, self.changes, self.options = actor, hosts, groups, notes, changes, options
        self.series, self.tickets = series, tickets

    def problem_out(self, problem: Problem) -> ProblemOut:
        """One problem for one reader."""
        host = self.hosts[problem.host_id]
        group = self.groups[host.group_id]
        note = self.notes.get(problem.key)
        fixes = self.options.fixes_of(problem, group.path)
        may_note = allow(self.actor, "problem.note", group.path)
        blocked = self.options.blocked_reason(host) if fixes else ""
        may = [
            *(["acknowledge", "snooze"] if may_note else []),
            *(["ticket"] if allow(self.actor, "ticket.create", group.path) else []),
            *(["release"] if may_note and note is not None else []),
            *(["fix"] if fixes and not blocked and allow(self.actor, "plan.draft", group.path) else []),
        ]
        return ProblemOut(
            key=problem.key,
            kind=problem.kind,
            kind_label=KIND_WORDS[problem.kind],
            host=NamedHost(id=host.id, name=host.name),
            group_name=group.name,
            score=host.score,
            paths_healthy=host.paths_healthy,
            paths_total=host.paths_total,
            since=problem.since,
            words=problem.words,
            takes_away=problem.takes_away,
            alike=problem.alike,
            job_id=problem.job_id,
            changes=self.changes.get(problem.key, []),
            series=[f"{host.id}~{each}" for each in self.series[problem.key]],
            causes=[ProblemCause.model_validate(each, from_attributes=True) for each in problem.causes],
            fixes=fixes,
            no_fix_because=blocked,
            note=note_out(note, self.actor) if note is not None else None,
            tickets=self.tickets.get(problem.key, []),
            may=may,
        )


def note_out(note: ProblemNote, actor: Actor) -> ProblemNoteOut:
    """An acknowledgement or snooze, for one reader."""
    return ProblemNoteOut(
        kind=note.kind,
        by=note.by.partition(" ")[2],
        is_mine=note.by_id == actor.person_id,
        reason=note.reason,
        made_at=note.made_at,
        until=note.until,
    )
