"""The tables of the screens as rows, read by the functions that the screens use, with the same filters, so that the figures are equal."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

from sqlmodel import Session

from plumbline.auth.actor import Actor
from plumbline.auth.audit_trail import list_entries
from plumbline.core.rules.finding_status import FindingStatus
from plumbline.drift import events as drift_events
from plumbline.drift import queries as drift_queries
from plumbline.drift.baseline_queries import list_baselines
from plumbline.fleet import rules
from plumbline.fleet.matrix import Limits, MatrixQuery, read_matrix
from plumbline.fleet.matrix_schemas import Matrix
from plumbline.fleet.rule_hosts import list_rule_hosts
from plumbline.fleet.score import read_fleet_score
from plumbline.hosts import host_list
from plumbline.hosts.filters import HostListing
from plumbline.infra.errors import BadInput
from plumbline.previews import queries as preview_queries
from plumbline.remediation.jobs import queries as job_queries
from plumbline.remediation.plans import queries as plan_queries
from plumbline.waivers import queries as waiver_queries
from plumbline.waivers.attestations import list_attestations
from plumbline.waivers.queries import WaiverFilters

# A table with more rows is refused rather than cut off, since a reader would take it for complete.
MOST_ROWS = 50_000
# Of the matrix, whose rows are wide.
MOST_MATRIX_HOSTS = 2_000
PAGE = 500
HALF_PAGE = 200

SUBJECT = {"subject_kind": "subject.kind", "subject_id": "subject.id", "subject": "subject.label"}
_RULE = {"pack": "rule.pack", "rule": "rule.rule", "title": "rule.title"}


@dataclass(frozen=True, slots=True)
class Table:
    """A table: the names of its columns, and its rows in order."""

    columns: Sequence[str]
    rows: Sequence[Sequence[object]]


class TooManyRows(BadInput):
    """More rows match than one file may have."""

    code = "too_many_rows"


def table(items: Iterable[Any], columns: Mapping[str, str]) -> Table:
    """Each item as a row: `columns` has the attribute for each heading ("host.name"; the cell is empty where a part of it is None)."""
    paths = [path.split(".") for path in columns.values()]
    return Table(list(columns), [[reduce(_part, path, item) for path in paths] for item in items])


def same(*names: str) -> dict[str, str]:
    """Columns with the names of their attributes."""
    return {name: name for name in names}


def _part(item: Any, name: str) -> Any:
    return None if item is None else getattr(item, name)


def every(read: Callable[[str | None], Any]) -> list[Any]:
    """The items of every page of a list. Raises `TooManyRows`."""
    items: list[Any] = []
    after: str | None = None
    while True:
        page = read(after)
        items += page.items
        if len(items) > MOST_ROWS:
            raise TooManyRows(f"More than {MOST_ROWS:,} rows. Narrow the filters or export group by group.")
        if page.next is None:
            return items
        after = str(page.next)


def hosts(session: Session, actor: Actor, listing: HostListing) -> Table:
    """The list of hosts in its order."""
    found = every(lambda after: host_list.list_hosts(session, actor=actor, listing=listing.model_copy(update={"after": after})))
    return table(
        found,
        {
            "host": "name", "group": "group_name", "platform": "platform", "system": "os_name", "release": "os_release",
            **same("cluster", "families", "initiator_modes", "score", "capped_by", "rule_coverage"),
            "pass": "n_pass", "fail": "n_fail", "unknown": "n_unknown", "waived": "n_waived", "set_aside": "n_excluded",
            "not_applicable": "n_not_applicable", "guard_rails_failing": "n_guard_rail", "worst": "worst.title",
            **same("freshness", "last_seen_at", "paths_healthy", "paths_total"),
            "drift_standard": "drift.standard", "drift_baseline": "drift.baseline", "drift_peers": "drift.peers",
            "drift_persisted": "drift.persisted", "mode": "mode_effective",
            **same("state", "is_restart_pending", "agent_version", "alarm", "is_lab"), "host_id": "id",
            "worst_headline": "worst.headline",
        },
    )  # fmt: skip


def rule_list(
    session: Session, actor: Actor, *, q: str, packs: Sequence[str], kinds: Sequence[str], outcomes: Sequence[FindingStatus]
) -> Table:
    """The rules of the active packs with their hosts by outcome."""
    found = rules.list_rules(session, actor=actor, q=q, packs=packs, kinds=kinds, outcomes=outcomes).items
    shown = table(
        found,
        {
            **same("pack", "pack_version", "rule", "title", "kind", "state", "weight"), "when_wrong": "effect",
            "hosts_fail": "hosts.fail", "hosts_unknown": "hosts.unknown", "hosts_waived": "hosts.waived",
            "hosts_set_aside": "hosts.excluded", "hosts_advice": "hosts.advice", "hosts_pass": "hosts.pass_",
            "hosts_not_applicable": "hosts.not_applicable",
        },
    )  # fmt: skip
    also = [[f"{other.pack}/{other.rule}" for other in row.also] for row in found]
    return Table([*shown.columns, "asked_also_by"], [[*row, linked] for row, linked in zip(shown.rows, also, strict=True)])


def rule_hosts(session: Session, actor: Actor, *, pack: str, rule: str, outcomes: Sequence[FindingStatus]) -> Table:
    """The findings of one rule, failing first."""
    found = every(lambda after: list_rule_hosts(session, actor=actor, pack=pack, rule=rule, outcomes=outcomes, after=after, limit=PAGE))
    return table(found, {"host": "name", **SUBJECT, **same("standing", "reason", "observed", "expected", "score", "host_id", "headline")})


def matrix(session: Session, actor: Actor, *, query: MatrixQuery) -> Table:
    """The matrix of the page with all rows and columns: a row for each host, cluster or group, a column for each rule. Raises
    `TooManyRows`."""
    found = read_matrix(session, actor=actor, query=query, limits=Limits(MOST_MATRIX_HOSTS, MOST_ROWS, MOST_ROWS))
    if not found.is_aggregate and found.total_hosts > len(found.hosts):
        raise TooManyRows(f"more than {MOST_MATRIX_HOSTS:,} hosts match; choose a group or a cluster")
    if found.more or found.hosts_apart:
        raise TooManyRows("Too many clusters. Choose one, or view by group or host.")
    names = [" + ".join([f"{rule.pack}/{rule.rule}", *(f"{one.pack}/{one.rule}" for one in rule.also)]) for rule in found.rules]
    return _groups(found, names) if found.is_aggregate else _cells(found, names)


def _cells(found: Matrix, names: Sequence[str]) -> Table:
    rows = [[row.name, row.group_name, row.cluster, row.score, row.freshness, *row.cells] for row in found.hosts]
    return Table(["host", "group", "cluster", "score", "freshness", *names], rows)


def _groups(found: Matrix, names: Sequence[str]) -> Table:
    words: tuple[FindingStatus, ...] = ("fail", "unknown", "waived", "excluded", "advice", "pass", "not_applicable")
    columns = [f"{name} {word}" for name in names for word in words]
    rows = [
        [row.label, row.hosts, row.score_mean, *(None if cell is None else cell.get(word, 0) for cell in row.cells for word in words)]
        for row in found.groups
    ]
    return Table(["row", "hosts", "score_mean", *columns], rows)


def score(session: Session, actor: Actor, *, group_id: int | None) -> Table:
    """The points that each rule took from the fleet's score."""
    found = read_fleet_score(session, actor=actor, group_id=group_id)
    names = ("pack", "rule", "title", "kind", "hosts_failing", "hosts_judged", "hosts_capped", "points_possible", "points_lost")
    return table(found.rules, same(*names, "counted_possible", "counted_lost"))


def drift(
    session: Session,
    actor: Actor,
    *,
    group_id: int | None,
    hours: int,
    causes: Sequence[str],
    host_ids: Sequence[str],
    with_unread: bool,
) -> Table:
    """Changes of settings, equal changes of several hosts in one row, newest first."""
    found = drift_queries.read_drift(
        session,
        actor=actor,
        group_id=group_id,
        hours=hours,
        causes=causes,
        host_ids=host_ids,
        with_unread=with_unread,
        most_groups=MOST_ROWS,
    )
    if found.is_cut:
        raise TooManyRows(f"More than {drift_events.MOST_CHANGES:,} changes. Choose a shorter period or one group.")
    shown = table(
        found.groups,
        {
            **same("last_at", "first_at", "key", "label", "old", "new", "cause", "cause_detail", "is_expected"),
            "group": "group_name", "hosts": "host_count", "subjects": "subjects", "other_settings": "effect_count",
            "marked_because": "mark.reason",
        },
    )  # fmt: skip
    names = [[host.name for host in group.hosts] for group in found.groups]
    return Table([*shown.columns, "first_hosts"], [[*row, hosts] for row, hosts in zip(shown.rows, names, strict=True)])


def baselines(session: Session, actor: Actor, *, state: str | None) -> Table:
    """Proposed baselines with their decisions, newest first."""
    found = every(lambda after: list_baselines(session, actor=actor, state=state, after=int(after) if after else None, limit=HALF_PAGE))
    columns = {"host": "host.name", "group": "group_name"}
    more = ("hosts", "reason", "ticket", "proposed_by", "proposed_at", "decided_by", "decided_at", "decided_reason")
    return table(found, {**same("id", "state"), **columns, **same(*more)})


def waivers(session: Session, actor: Actor, filters: WaiverFilters) -> Table:
    """Waivers in the order of the list; one past its end is `expired`, also before a task has stored that."""
    found = every(lambda after: waiver_queries.list_waivers(session, actor=actor, filters=filters, after=after, limit=PAGE))
    return table(
        found,
        {
            **same("id", "state"), **_RULE, "where": "scope.label", **same("reason", "ticket"), "owner": "owner.name",
            "requested_by": "requested_by.name", "approved_by": "approved_by.name",
            **same("requested_at", "approved_at", "expires_at", "ended_at"), "why_it_ended": "end_words",
            "findings_waived_now": "findings",
        },
    )  # fmt: skip


def attestations(session: Session, actor: Actor) -> Table:
    """Attestations, active ones first. Raises `TooManyRows`."""
    found = list_attestations(session, actor=actor, most=MOST_ROWS + 1).items
    if len(found) > MOST_ROWS:
        raise TooManyRows(f"there are more than {MOST_ROWS:,} attestations")
    return table(
        found,
        {
            **same("id", "state"), **_RULE, "host": "host.name", "group": "group_name",
            **same("is_so", "statement", "evidence_link"), "author": "author.name",
            **same("made_at", "expires_at", "ended_at"), "why_it_ended": "end_words",
        },
    )  # fmt: skip


def plans(session: Session, actor: Actor, *, states: Sequence[str], mine: bool) -> Table:
    """Plans, newest first."""
    found = every(
        lambda after: plan_queries.list_plans(
            session, actor=actor, states=states, mine=mine, after=int(after) if after else None, limit=HALF_PAGE
        )
    )
    return table(
        found,
        {
            **same("id", "title", "state", "state_words", "state_at", "author"), "group": "group_name",
            **same("created_at", "not_after", "hosts", "digest"),
        },
    )  # fmt: skip


def jobs(session: Session, actor: Actor, *, filters: job_queries.JobFilters) -> Table:
    """Jobs, newest first."""
    found = every(
        lambda after: job_queries.list_jobs(session, actor=actor, filters=filters, after=int(after) if after else None, limit=HALF_PAGE)
    )
    return table(
        found,
        {
            **same("id", "kind"), "host": "host.name",
            **same("plan_id", "plan_title", "wave", "state", "state_words", "state_at", "requested_by", "created_at", "started_at"),
            **same("finished_at", "steps_done", "steps_total", "effect", "undo_until", "undoes_id"), "host_id": "host.id",
        },
    )  # fmt: skip


def run_hosts(session: Session, actor: Actor, *, run_id: int) -> Table:
    """The hosts of a preview or of a past state, those that lose most first."""
    found = every(lambda after: preview_queries.list_run_hosts(session, actor=actor, run_id=run_id, after=after, limit=PAGE))
    names = ("score_before", "score_after", "capped_before", "capped_after", "newly_failing", "no_longer_failing", "absent")
    return table(found, {"host": "host.name", **same("group", *names), "host_id": "host.id"})


def audit_trail(session: Session, actor: Actor, *, action: str, by: str, about: str) -> Table:
    """The audit trail, newest first."""
    found = every(lambda after: list_entries(session, actor=actor, action=action, by=by, about=about, after=after, limit=PAGE))
    return table(
        found,
        {
            **same("number", "at", "actor", "action", "object_kind", "object_id"), "group": "group_name",
            **same("before", "after", "reason", "request_id"),
        },
    )  # fmt: skip
