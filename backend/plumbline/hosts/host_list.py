"""Reading hosts: the list with its filters and pages.

A page costs the same number of queries whatever it holds.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, and_, func, literal, null, or_, select, tuple_
from sqlmodel import Session

from plumbline.auth.actor import Actor
from plumbline.auth.rights import can_read
from plumbline.auth.scope import GroupNode, effective_mode, host_in_scope, in_scope, read_groups
from plumbline.core.facts.configuration import Subject
from plumbline.core.freshness import freshness_of
from plumbline.core.rules.headlines import Failing, failing_headline
from plumbline.drift.marks import BaselineComparison, drift_of, read_comparisons
from plumbline.evaluation.rollups import read_rollups
from plumbline.hosts.filter_conditions import are_of_combinations, asked_of, combination_conditions, groups_of, row_conditions
from plumbline.hosts.filters import HostListing
from plumbline.hosts.schemas import HostPage, HostRow, WorstRule
from plumbline.hosts.summary_counts import counts_by_combination
from plumbline.infra import cursor
from plumbline.infra.database import UtcDateTime
from plumbline.models.baselines import HOST_BASELINE, HostBaseline
from plumbline.models.findings import FINDING
from plumbline.models.host_summaries import HOST_COMBINATION, HostCombination
from plumbline.models.hosts import HOST, HOST_GROUP, Host, HostGroup
from plumbline.packs.library import KnownRule, Library, read_library


def hosts_from(actor: Actor, columns: Sequence[Any]) -> Select[Any]:
    """These columns of the hosts that this person may read."""
    return select(*columns).select_from(Host).join(HostGroup, HOST_GROUP.id == HOST.group_id).where(in_scope(actor))


def _page(session: Session, actor: Actor, listing: HostListing, conditions: Sequence[ColumnElement[bool]]) -> list[Row[Any]]:
    """The hosts of one page, and one more if there is a next page.

    Hosts without a value to sort by come last, in a query of their own: in one query, PostgreSQL would search for every page from the
    first row on.
    """
    query = _ROWS.where(in_scope(actor), *conditions)
    key, is_falling = _sort_key(listing.sort)
    order = key.desc() if is_falling else key.asc()
    most = listing.limit + 1
    if not listing.after:
        return list(session.execute(query.order_by(order.nulls_last(), HOST.id).limit(most)))
    value, host_id = _read_cursor(listing.after, listing.sort)
    if value is None:
        return list(session.execute(query.where(key.is_(null()), HOST.id > host_id).order_by(HOST.id).limit(most)))
    rows = list(session.execute(query.where(_beyond(key, is_falling, value, host_id)).order_by(order, HOST.id).limit(most)))
    if len(rows) < most:
        rows += session.execute(query.where(key.is_(null())).order_by(HOST.id).limit(most - len(rows)))
    return rows


def list_hosts(session: Session, *, actor: Actor, listing: HostListing) -> HostPage:
    """One page of the hosts that match, by keyset: the next page begins where this one ends, whatever changed in between."""
    library = read_library(session)
    groups = read_groups(session)
    conditions = row_conditions(listing, library, groups)
    rows = _page(session, actor, listing, conditions)
    total, as_of = _count(session, actor, listing, conditions, library, groups)
    shown = rows[: listing.limit]
    following = None
    if len(rows) > listing.limit:
        following = cursor.encode([listing.sort, _sort_value(shown[-1], listing.sort), shown[-1].id])
    comparisons = {row.id: BaselineComparison(row.compared_configuration_id, row.differs, row.unread) for row in shown if row.baseline_of}
    items = [row_of(host, groups, library, as_of, comparisons, worst_headline(library, host.worst_rule_no, host.worst)) for host in shown]
    return HostPage(items=items, total=total, next=following, as_of=as_of)


def _count(
    session: Session,
    actor: Actor,
    listing: HostListing,
    conditions: Sequence[ColumnElement[bool]],
    library: Library,
    groups: dict[int, GroupNode],
) -> tuple[int, datetime]:
    """How many hosts match, and the time: by the counts kept of hosts or of rules where these hold what the filters ask. Two queries
    at most.
    """
    readable = {node.id for node in groups.values() if can_read(actor, node.path)} & groups_of(listing, groups)
    if asked_of(listing) <= {"rule", "group"} and len(listing.rule) == 1 and listing.rule[0] in library.by_address:
        return _count_failing(session, listing.rule[0], readable, library, groups), session.execute(select(func.now())).scalar_one()
    query = hosts_from(actor, (func.count(), func.now())).where(*conditions)
    if are_of_combinations(listing):
        counts = counts_by_combination(readable).subquery()
        query = (
            select(func.coalesce(func.sum(counts.c.hosts), 0), func.now())
            .join(HostCombination, HOST_COMBINATION.id == counts.c.combination_id)
            .where(*combination_conditions(listing, library, groups))
        )
    total, as_of = session.execute(query).one()
    return total, as_of


def _count_failing(session: Session, address: str, counted: set[int], library: Library, groups: dict[int, GroupNode]) -> int:
    """The hosts of these groups that fail a rule or one linked to it, from the rollups, which count linked rules as one."""
    known = library.by_address[address]
    number = -library.linked_nos.get(known.no, known.no)
    roots = [each for each in counted if groups[each].parent_id not in counted]
    rolled = read_rollups(session, roots, lowest=number, highest=number, words=("fail",))
    return rolled.get((number, "fail"), (0, 0, 0.0))[0]


def read_host(session: Session, *, actor: Actor, host_id: str) -> HostRow:
    """One host as lists show it."""
    host, group = host_in_scope(session, actor=actor, host_id=host_id)
    now = session.scalar(select(func.now())) or datetime.now(UTC)
    library = read_library(session)
    worst = session.scalar(select(_WORST_FINDINGS).select_from(Host).where(HOST.id == host.id))
    headline = worst_headline(library, host.worst_rule_no, worst)
    return row_of(host, read_groups(session, of_path=group.path), library, now, read_comparisons(session, [host.id]), headline)


# The failing findings of the rule that costs the host most: [kind, reason, observed] of each. A subquery, so that a page stays one
# statement; their names are in the configurations, which a list does not read.
_WORST_FINDINGS = (
    select(func.jsonb_agg(func.jsonb_build_array(FINDING.subject_kind, FINDING.reason, FINDING.observed)))
    .where(
        FINDING.host_id == HOST.id,
        FINDING.rule_no == HOST.worst_rule_no,
        FINDING.outcome == "fail",
        FINDING.waiver_id.is_(None),
        FINDING.excluded_by == "",
    )
    .correlate(Host)
    .scalar_subquery()
    .label("worst")
)


def worst_headline(library: Library, rule_no: int | None, findings: Sequence[Sequence[str]] | None) -> str:
    """What is wrong under the rule that costs a host most, with the number of its items. `findings`: kind, reason and observed of each."""
    known = library.by_no.get(rule_no or 0)
    return _counted_headline(known, tuple(map(tuple, findings or ()))) if known else ""


# The hosts of a fleet fail in few ways.
@lru_cache(maxsize=4096)
def _counted_headline(known: KnownRule, findings: tuple[tuple[str, str, str], ...]) -> str:
    return failing_headline(known.rule, [Failing(Subject(kind, ""), reason, observed) for kind, reason, observed in findings])


def row_of(
    host: Host | Row[Any],
    groups: dict[int, GroupNode],
    library: Library,
    now: datetime,
    comparisons: Mapping[str, BaselineComparison],
    headline: str,
) -> HostRow:
    """A host's row from what is in hand: the host, or the columns that a list reads; `headline` is that of its worst rule."""
    group = groups.get(host.group_id)
    worst = library.by_no.get(host.worst_rule_no or 0)
    # A row of the list begins with these columns: to ask for each by its name would take as long as the rest.
    plain = zip(_PLAIN, host, strict=False) if isinstance(host, Row) else ((name, getattr(host, name)) for name in _PLAIN)
    return HostRow(
        **dict(plain),
        group_name=group.name if group else "",
        worst=WorstRule(pack=worst.pack.id, rule=worst.rule.id, title=worst.rule.title, headline=headline) if worst else None,
        freshness=freshness_of(host.last_seen_at, host.interval_seconds, now, host.source),
        drift=drift_of(host, library, comparisons),
        mode_effective=effective_mode(host.mode, group),
        changed_24h=host.last_changed_at is not None and now - host.last_changed_at < timedelta(hours=24),
    )


_PLAIN = (
    "id", "name", "group_id", "platform", "os_name", "os_release", "cluster", "families", "initiator_modes", "score", "capped_by",
    "rule_coverage", "n_pass", "n_fail", "n_unknown", "n_not_applicable", "n_waived", "n_excluded", "n_guard_rail", "last_seen_at",
    "paths_healthy", "paths_total", "state", "is_lab", "agent_version", "alarm", "failed_sections", "is_restart_pending",
)  # fmt: skip
# Those, and what the rest of a row is made from.
_READ = (*_PLAIN, "worst_rule_no", "failing", "configuration_id", "interval_seconds", "source", "last_changed_at", "mode")
_OF_BASELINE = (HOST_BASELINE.compared_configuration_id, HOST_BASELINE.differs, HOST_BASELINE.unread)
# Host rows are wide, so only the columns of the list are read, with the comparison with the baseline.
_ROWS = (
    select(*(getattr(HOST, name) for name in _READ), _WORST_FINDINGS, HOST_BASELINE.host_id.label("baseline_of"), *_OF_BASELINE)
    .select_from(Host)
    .join(HostGroup, HOST_GROUP.id == HOST.group_id)
    .outerjoin(HostBaseline, HOST_BASELINE.host_id == HOST.id)
)


_SORTS: dict[str, Any] = {"score": HOST.score, "name": func.lower(HOST.name), "last_seen": HOST.last_seen_at, "paths": HOST.paths_healthy}


def _sort_key(sort: str) -> tuple[Any, bool]:
    return _SORTS[sort.removeprefix("-")], sort.startswith("-")


def _sort_value(host: Row[Any], sort: str) -> Any:
    values = {"score": host.score, "name": host.name.lower(), "last_seen": host.last_seen_at, "paths": host.paths_healthy}
    return values[sort.removeprefix("-")]


def _beyond(key: Any, is_falling: bool, value: Any, host_id: str) -> ColumnElement[bool]:
    """Rows with a key after this one, in the order (key, id)."""
    if is_falling:
        return and_(key <= value, or_(key < value, HOST.id > host_id))
    return tuple_(key, HOST.id) > tuple_(value, host_id)


def _read_cursor(text: str, sort: str) -> tuple[Any, str]:
    """The value that the list is sorted by and the host's id, of the last host on the page before."""
    kind = {"name": str | None, "last_seen": datetime | None}.get(sort.removeprefix("-"), int | None)
    sorted_by, value, host_id = cursor.decode(text, (str, kind, str))
    if sorted_by != sort:
        raise cursor.invalid_cursor()
    return literal(value, UtcDateTime) if isinstance(value, datetime) else value, host_id
