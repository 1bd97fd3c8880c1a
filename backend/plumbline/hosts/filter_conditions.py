"""The filters of host lists as conditions: one grammar over two sets of columns, those of host rows and those of their summaries.

A summary and its combination hold all that filters ask but names, ids and times of change.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy import ColumnElement, and_, case, cast, func, literal, or_, select
from sqlalchemy.dialects.postgresql import ARRAY, INTERVAL
from sqlalchemy.types import Text

from plumbline.auth.scope import KNOWN_STATES, GroupNode
from plumbline.core.freshness import LATE_AFTER_INTERVALS, SILENT_AFTER_INTERVALS
from plumbline.drift.marks import drifts_from, fails_one_of, summary_drifts_from
from plumbline.hosts.filters import HostFilters
from plumbline.hosts.name_search import search_grams
from plumbline.models.host_summaries import HOST_COMBINATION, HOST_SUMMARY, HostSummary
from plumbline.models.hosts import HOST, Mode
from plumbline.packs.library import Library


def _seen_within(intervals: int) -> ColumnElement[bool]:
    """Compares two times, which costs less for each row than computing an age."""
    return HOST.last_seen_at >= func.now() - HOST.interval_seconds * cast(timedelta(seconds=intervals), INTERVAL)


_FRESHNESS: ColumnElement[str] = case(
    (HOST.source == "bundle", "bundle"),
    (_seen_within(LATE_AFTER_INTERVALS), "fresh"),
    (_seen_within(SILENT_AFTER_INTERVALS), "late"),
    (HOST.last_seen_at.is_(None), "never"),
    else_="silent",
)


@dataclass(frozen=True, slots=True)
class FilterColumns:
    """What the filters are about, as it is called in the tables that are read.

    `has` is whether a host has findings with an outcome, `drifts` whether it drifts from a reference.
    """

    group_id: Any
    state: Any
    platform: Any
    os_name: Any
    os_release: Any
    families: Any
    initiator_modes: Any
    cluster: Any
    tags: Any
    mode: Any
    score: Any
    failing: Any
    freshness: ColumnElement[str]
    has: Callable[[str], ColumnElement[bool]]
    drifts: Callable[[str, Library], ColumnElement[bool]]


_OF_BOTH = ("state", "platform", "os_name", "os_release", "families", "initiator_modes", "tags", "mode")
OF_ROWS = FilterColumns(
    **{name: getattr(HOST, name) for name in (*_OF_BOTH, "group_id", "cluster", "score", "failing")},
    freshness=_FRESHNESS,
    has=lambda outcome: getattr(HOST, f"n_{outcome}") > 0,
    drifts=drifts_from,
)


def of_summaries(*, is_noted: bool) -> FilterColumns:
    """The columns of summaries. The row of a host is read only where nothing else says how fresh it is; `is_noted` is
    `summary_counts.are_late_hosts_noted`.
    """
    of_row = select(_FRESHNESS).where(HOST.id == HOST_SUMMARY.host_id).correlate(HostSummary).scalar_subquery()
    is_fresh = [(~HOST_SUMMARY.may_be_late, "fresh")] if is_noted else []
    return FilterColumns(
        **{name: getattr(HOST_COMBINATION, name) for name in _OF_BOTH},
        **{name: getattr(HOST_SUMMARY, name) for name in ("group_id", "cluster", "score", "failing")},
        freshness=case((HOST_COMBINATION.is_bundle, "bundle"), *is_fresh, else_=of_row),
        has=lambda outcome: getattr(HOST_COMBINATION, f"has_{outcome}"),
        drifts=summary_drifts_from,
    )


def conditions_of(
    filters: HostFilters, columns: FilterColumns, library: Library, groups: dict[int, GroupNode], *, skip: str = ""
) -> list[ColumnElement[bool]]:
    """The filters that both sets of columns know; `skip` leaves out one facet's own, so that its other values stay on offer."""
    conditions: list[ColumnElement[bool]] = []

    def add(name: str, values: Any, make: Any) -> None:
        if values and skip != name:
            conditions.append(make(values))

    if skip != "state":
        conditions.append(columns.state.in_(filters.state or KNOWN_STATES))
    add("group", filters.group, lambda values: columns.group_id.in_(_at_or_below(values, groups)))
    add("platform", filters.platform, columns.platform.in_)
    add("os", filters.os, columns.os_release.in_)
    add("family", filters.family, lambda values: columns.families.bool_op("&&")(cast(values, ARRAY(Text))))
    add("mode", filters.mode, lambda values: columns.initiator_modes.bool_op("&&")(cast(values, ARRAY(Text))))
    add("cluster", filters.cluster, columns.cluster.in_)
    add("tag", filters.tag, lambda values: columns.tags.bool_op("&&")(cast(values, ARRAY(Text))))
    add("freshness", filters.freshness, columns.freshness.in_)
    add("outcome", filters.outcome, lambda values: or_(*[columns.has(value) for value in values]))
    add("drift", filters.drift, lambda values: or_(*[columns.drifts(each, library) for each in values]))
    if filters.managed and skip != "managed" and len(filters.managed) == 1:
        may = and_(in_managed_group(columns, groups), allows_changes(columns))
        conditions.append(may if filters.managed[0] == "remediate" else ~may)
    if filters.rule:
        # Lists and counts show linked rules as one, under any of their names.
        conditions.append(fails_one_of(columns.failing, [no for address in filters.rule for no in library.with_linked(address)]))
    if filters.score_below is not None:
        conditions.append(columns.score < filters.score_below)
    return conditions


def row_conditions(filters: HostFilters, library: Library, groups: dict[int, GroupNode], *, skip: str = "") -> list[ColumnElement[bool]]:
    """All filters, as conditions on host rows."""
    conditions = conditions_of(filters, OF_ROWS, library, groups, skip=skip)
    if filters.q:
        grams = search_grams(filters.q)
        if grams:
            conditions.append(HOST.name_grams.bool_op("@>")(cast(grams, ARRAY(Text))))
        conditions.append(func.lower(HOST.name).contains(filters.q.lower(), autoescape=True))
    if filters.host:
        conditions.append(HOST.id.in_(filters.host))
    if filters.changed_hours is not None:
        conditions.append(HOST.last_changed_at > func.now() - cast(timedelta(hours=filters.changed_hours), INTERVAL))
    return conditions


def are_of_both(filters: HostFilters) -> bool:
    """Whether these filters ask nothing but what summaries hold too."""
    return not (filters.q or filters.host or filters.changed_hours is not None)


# The filters that counts by combination can answer; of drift, not whether a host differs from its peers, which is counted apart.
_OF_COMBINATIONS = frozenset({"group", "state", "platform", "os", "family", "mode", "tag", "outcome", "drift"})


def are_of_combinations(filters: HostFilters, *, skip: str = "") -> bool:
    """Whether these filters, but for the skipped one, ask nothing but what the counts by combination hold too."""
    return asked_of(filters) - {skip} <= _OF_COMBINATIONS and not (skip != "drift" and "peers" in filters.drift)


def combination_conditions(
    filters: HostFilters, library: Library, groups: dict[int, GroupNode], *, skip: str = ""
) -> list[ColumnElement[bool]]:
    """The filters but that of groups, as conditions on combinations; for filters that `are_of_combinations`."""
    return conditions_of(filters.model_copy(update={"group": []}), of_summaries(is_noted=False), library, groups, skip=skip)


def asked_of(filters: HostFilters) -> set[str]:
    """The names of the filters that are set."""
    return {name for name in HostFilters.model_fields if getattr(filters, name) not in ([], "", None)}


def groups_of(filters: HostFilters, groups: dict[int, GroupNode], *, skip: str = "") -> set[int]:
    """The groups that the filter of groups leaves."""
    return set(_at_or_below(filters.group, groups)) if filters.group and skip != "group" else set(groups)


def in_managed_group(columns: FilterColumns, groups: dict[int, GroupNode]) -> ColumnElement[bool]:
    """The hosts of groups in which Plumbline may change hosts."""
    found: ColumnElement[bool] = columns.group_id.in_([node.id for node in groups.values() if node.mode_effective == Mode.REMEDIATE])
    return found


def allows_changes(columns: FilterColumns) -> ColumnElement[bool]:
    """The hosts whose own mode does not forbid what their group's allows."""
    found: ColumnElement[bool] = func.coalesce(columns.mode, literal("")) != Mode.OBSERVE.value
    return found


def _at_or_below(chosen: Sequence[int], groups: dict[int, GroupNode]) -> list[int]:
    paths = tuple(groups[each].path for each in chosen if each in groups)
    return [node.id for node in groups.values() if paths and node.path.startswith(paths)]
