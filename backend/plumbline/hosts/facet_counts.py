"""Hosts counted for the facets of their list: by the counts kept of them, by their summaries, or by their rows.

Hosts that may be late are looked at one by one, or taken from what is prepared of a large group; all others are up to date, and are
counted by combination.
"""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from functools import reduce
from operator import add
from typing import Any, NamedTuple

from pydantic import BaseModel
from sqlalchemy import (
    BigInteger,
    Boolean,
    ColumnElement,
    Integer,
    Select,
    Subquery,
    Text,
    and_,
    case,
    cast,
    column,
    func,
    or_,
    select,
    text,
)
from sqlmodel import Session

from plumbline.auth.actor import Actor
from plumbline.auth.rights import can_read
from plumbline.auth.scope import GroupNode, groups_below, read_groups
from plumbline.drift.marks import REFERENCE_LABELS
from plumbline.drift.prepared_parts import read_parts
from plumbline.hosts.cluster_counts import largest_clusters
from plumbline.hosts.filter_conditions import (
    OF_ROWS,
    FilterColumns,
    allows_changes,
    are_of_both,
    are_of_combinations,
    asked_of,
    combination_conditions,
    conditions_of,
    groups_of,
    in_managed_group,
    of_summaries,
    row_conditions,
)
from plumbline.hosts.filters import HostFilters
from plumbline.hosts.host_list import hosts_from
from plumbline.hosts.summary_counts import are_late_hosts_noted, counts_by_group, known_by_group, summaries_from
from plumbline.models.columns import by_place
from plumbline.models.host_summaries import HOST_COMBINATION, HOST_SUMMARY, HostCombination, kept_counts
from plumbline.models.hosts import Mode
from plumbline.packs.library import Library, read_library

# The bits of `Counted.outcomes`, the lowest first.
OUTCOMES = ("fail", "guard_rail", "unknown", "waived")
# Clusters that a facet lists, in addition to the chosen ones and "no cluster".
MOST_CLUSTERS = 50


class Counted(NamedTuple):
    """Hosts that are equal in all of this, and how many they are. `outcomes` and `references` are bits, as in `OUTCOMES` and
    `REFERENCE_LABELS`.
    """

    state: str
    platform: str
    os_release: str
    os_name: str
    families: Sequence[str]
    initiator_modes: Sequence[str]
    tags: Sequence[str]
    freshness: str
    outcomes: int
    references: int
    is_managed: bool
    n: int


class ClusterCounts(NamedTuple):
    """The hosts of some clusters, of so many."""

    hosts: Mapping[str, int]
    of: int


class LateCount(BaseModel):
    """Hosts that may be late and are equal in what is counted."""

    combination_id: int
    freshness: str
    drifts_from_peers: bool
    is_in_managed_group: bool
    n: int


class LateCounts(BaseModel):
    """The hosts of a group, with those of all groups below it, that may be late."""

    counts: list[LateCount]


class Counting:
    """Counts hosts under the same filters again and again: by the counts kept of them where these hold what the filters ask, else by their
    summaries, else by their rows.
    """

    def __init__(self, session: Session, actor: Actor, filters: HostFilters) -> None:
        self.session = session
        self.actor = actor
        self.filters = filters
        self.library = read_library(session)
        self.groups = read_groups(session)
        self.is_by_count = True
        self.is_by_summary = are_of_both(filters)
        self._is_noted = self.is_by_summary and are_late_hosts_noted(session)
        self._of_summaries = of_summaries(is_noted=self._is_noted)
        self._readable = {node.id for node in self.groups.values() if can_read(actor, node.path)}
        self._late: dict[frozenset[int], LateCounts] = {}

    @property
    def columns(self) -> FilterColumns:
        """The columns that are counted."""
        return self._of_summaries if self.is_by_summary else OF_ROWS

    def query(self, columns: Sequence[Any], *, skip: str) -> Select[Any]:
        """These columns of the hosts that match, without the filter of one facet."""
        if self.is_by_summary:
            conditions = conditions_of(self.filters, self._of_summaries, self.library, self.groups, skip=skip)
            return summaries_from(self.actor, self.groups, columns).where(*conditions)
        return hosts_from(self.actor, columns).where(*row_conditions(self.filters, self.library, self.groups, skip=skip))

    def together(self, *, skip: str) -> Sequence[Counted]:
        """Counts of hosts with equal values in the facets that are read together: one row for each combination."""
        if self._is_counted(skip) and self._is_noted:
            rows = self.session.execute(_BY_COUNT.where(*self._combinations(skip)), self._counted(skip))
        else:
            rows = self.session.execute(self._together_by_summary(skip) if self.is_by_summary else self._together_by_row(skip))
        return [Counted(*row) for row in rows]

    def _is_counted(self, skip: str) -> bool:
        return self.is_by_count and self.is_by_summary and are_of_combinations(self.filters, skip=skip)

    def _groups(self, skip: str) -> set[int]:
        return self._readable & groups_of(self.filters, self.groups, skip=skip)

    def _combinations(self, skip: str) -> list[ColumnElement[bool]]:
        return combination_conditions(self.filters, self.library, self.groups, skip=skip)

    def _together_by_row(self, skip: str) -> Select[Any]:
        columns = (
            *(getattr(OF_ROWS, name) for name in _PLAIN),
            OF_ROWS.freshness.label("freshness"),
            _bits(OF_ROWS.has(name) for name in OUTCOMES).label("outcomes"),
            _bits(OF_ROWS.drifts(reference, self.library) for reference in REFERENCE_LABELS).label("references"),
            and_(in_managed_group(OF_ROWS, self.groups), allows_changes(OF_ROWS)).label("is_managed"),
        )
        return self.query((*columns, func.count().label("n")), skip=skip).group_by(*by_place(columns))

    def _together_by_summary(self, skip: str) -> Select[Any]:
        """First the hosts are counted by what is their own, then the few combinations are read: what is computed for each host adds up."""
        own = _own(self._of_summaries, self.library, self.groups)
        return _described(self.query((*own, func.count().label("n")), skip=skip).group_by(*by_place(own)).subquery())

    def _counted(self, skip: str) -> dict[str, Any]:
        """The parameters of `_BY_COUNT`."""
        groups = self._groups(skip)
        managed = [each for each in groups if self.groups[each].mode_effective == Mode.REMEDIATE]
        late = self._late_counts(frozenset(groups))
        return {"groups": list(groups), "managed": managed, "late": json.dumps([each.model_dump() for each in late.counts])}

    def _late_counts(self, groups: frozenset[int]) -> LateCounts:
        """The hosts of these groups that may be late, as prepared or as they are now; read once."""
        if groups not in self._late:
            root = self._root(groups)
            prepared = read_parts(self.session, root, ("late",)).part("late", LateCounts) if root is not None else None
            some = None if len(groups) == len(self.groups) else groups
            self._late[groups] = prepared or _read_late(self.session, self._of_summaries, self.library, self.groups, some)
        return self._late[groups]

    def by_group(self) -> dict[int, int]:
        """Hosts of each group itself."""
        if self._is_counted("group"):
            if not asked_of(self.filters) - {"group"}:
                known, groups = known_by_group(self.session), self._groups("group")
                return {group_id: hosts for group_id, hosts in known.items() if group_id in groups}
            counts = counts_by_group(self._groups("group")).subquery()
            query = (
                select(counts.c.group_id, func.sum(counts.c.hosts).label("n"))
                .join(HostCombination, HOST_COMBINATION.id == counts.c.combination_id)
                .where(*self._combinations("group"))
                .group_by(counts.c.group_id)
            )
        else:
            column = self.columns.group_id
            query = self.query((column.label("group_id"), func.count().label("n")), skip="group").group_by(column)
        return {row.group_id: row.n for row in self.session.execute(query)}

    def clusters(self, named: str = "") -> ClusterCounts:
        """The largest clusters, no cluster, and those that are chosen; or those with this in their name, in either case."""
        groups = self._groups("cluster")
        is_plain = asked_of(self.filters) <= {"cluster", "group"}
        root = self._root(groups) if is_plain and self._is_counted("cluster") else None
        if root is not None and not named:
            chosen = ["", *self.filters.cluster]
            rows = largest_clusters(self.session, root, sorted(groups), most=MOST_CLUSTERS + len(chosen) - 1, chosen=chosen)
            return ClusterCounts({row.value: int(row.hosts) for row in rows}, rows[0].of if rows else 0)
        column, chosen = self.columns.cluster, self.filters.cluster
        query = self.query((column.label("cluster"), func.count().label("n"), func.count().over().label("of")), skip="cluster")
        first = column.in_(["", *chosen])
        if named:
            first = column.in_(chosen)
            query = query.where(or_(first, func.lower(column).contains(named.lower(), autoescape=True)))
        order = (first.desc(), func.count().desc(), column)
        rows = self.session.execute(query.group_by(column).order_by(*order).limit(MOST_CLUSTERS + len(chosen))).all()
        return ClusterCounts({row.cluster: row.n for row in rows}, rows[0].of if rows else 0)

    def _root(self, groups: Collection[int]) -> int | None:
        """The group that these are, with all below it; None where there are several."""
        top = [each for each in groups if self.groups[each].parent_id not in groups]
        return top[0] if len(top) == 1 else None


def prepare_late(session: Session, group_id: int, _: datetime) -> LateCounts:
    """Counts the hosts of a group with many that may be late, for its facets."""
    columns = of_summaries(is_noted=are_late_hosts_noted(session))
    return _read_late(session, columns, read_library(session), read_groups(session), groups_below(session, group_id))


def _read_late(
    session: Session, columns: FilterColumns, library: Library, groups: dict[int, GroupNode], some: Iterable[int] | None
) -> LateCounts:
    """Counts the hosts that may be late of some groups, or of all."""
    own = _own(columns, library, groups)
    query = select(*own, func.count().label("n")).join(HostCombination, HOST_COMBINATION.id == HOST_SUMMARY.combination_id)
    query = query.where(HOST_SUMMARY.may_be_late, *([] if some is None else [HOST_SUMMARY.group_id.in_(some)]))
    rows = session.execute(query.group_by(*by_place(own))).all()
    return LateCounts(counts=[LateCount.model_validate(row, from_attributes=True) for row in rows])


def _own(summary: FilterColumns, library: Library, groups: dict[int, GroupNode]) -> tuple[Any, ...]:
    """What is a host's own, beside its combination."""
    return (
        HOST_SUMMARY.combination_id,
        summary.freshness.label("freshness"),
        summary.drifts("peers", library).label("drifts_from_peers"),
        in_managed_group(summary, groups).label("is_in_managed_group"),
    )


def _bits(conditions: Iterable[ColumnElement[bool]]) -> ColumnElement[int]:
    """Conditions as one number, the first in its lowest bit, so that there is one value to group by instead of several."""
    return reduce(add, (cast(func.coalesce(condition, False), Integer) * 2**at for at, condition in enumerate(conditions)))


# Values that a row of the count has as they are.
_PLAIN = ("state", "platform", "os_release", "os_name", "families", "initiator_modes", "tags")


def _described(counted: Subquery) -> Select[Any]:
    """Counts by combination and what is a host's own, with the values of the combination: the columns of `Counted`. Without freshness, all
    are up to date.
    """
    of_combination = of_summaries(is_noted=False)
    # Which rules compare hosts does not matter: whether a host drifts from its peers is its own.
    drifts = (
        counted.c.drifts_from_peers if reference == "peers" else of_combination.drifts(reference, Library())
        for reference in REFERENCE_LABELS
    )
    return select(
        *(getattr(of_combination, name) for name in _PLAIN),
        func.coalesce(counted.c.freshness, case((HOST_COMBINATION.is_bundle, "bundle"), else_="fresh")),
        _bits(of_combination.has(name) for name in OUTCOMES),
        _bits(drifts),
        and_(counted.c.is_in_managed_group, allows_changes(of_combination)),
        counted.c.n,
    ).join(counted, counted.c.combination_id == HOST_COMBINATION.id)


# All hosts of these groups by combination, of them those of managed groups, those that differ from their peers, and those that do both: as
# far as a host's group and peers go, four numbers of hosts that are up to date. Those that may be late are added as they are, and taken
# away from these. Parameters: `groups`, of them the `managed` ones, and `late`, the counts of hosts that may be late as JSON.
_COUNTED = f"""
WITH late AS (
  SELECT * FROM json_to_recordset(CAST(:late AS json))
    AS t (combination_id bigint, freshness text, drifts_from_peers boolean, is_in_managed_group boolean, n int)),
kept AS (
  SELECT CAST(value AS bigint) AS combination_id, coalesce(sum(hosts) FILTER (WHERE part = 'all'), 0) AS n_all,
    coalesce(sum(hosts) FILTER (WHERE part = 'managed'), 0) AS n_managed,
    coalesce(sum(hosts) FILTER (WHERE part = 'differing'), 0) AS n_differing,
    coalesce(sum(hosts) FILTER (WHERE part = 'both'), 0) AS n_both
  FROM (
    SELECT 'all' AS part, value, hosts FROM ({kept_counts("combination")}) AS a
    UNION ALL SELECT 'managed', value, hosts FROM ({kept_counts("combination", "managed")}) AS b
    UNION ALL SELECT 'differing', value, hosts FROM ({kept_counts("differing")}) AS c
    UNION ALL SELECT 'both', value, hosts FROM ({kept_counts("differing", "managed")}) AS d) AS counts
  GROUP BY 1)
SELECT combination_id, freshness, drifts_from_peers, is_in_managed_group, CAST(sum(n) AS int) AS n FROM (
  SELECT kept.combination_id, NULL AS freshness, part.* FROM kept CROSS JOIN LATERAL (VALUES
    (true, true, n_both), (true, false, n_differing - n_both), (false, true, n_managed - n_both),
    (false, false, n_all - n_managed - n_differing + n_both)) AS part (drifts_from_peers, is_in_managed_group, n)
  UNION ALL SELECT combination_id, NULL, drifts_from_peers, is_in_managed_group, -n FROM late
  UNION ALL SELECT combination_id, freshness, drifts_from_peers, is_in_managed_group, n FROM late) AS counted
GROUP BY 1, 2, 3, 4 HAVING sum(n) <> 0
"""  # noqa: S608 - constants
# Made once: to put the statement together for each page took longer than to run it.
_BY_COUNT = _described(
    text(_COUNTED)
    .columns(
        column("combination_id", BigInteger),
        column("freshness", Text),
        column("drifts_from_peers", Boolean),
        column("is_in_managed_group", Boolean),
        column("n", Integer),
    )
    .subquery()
)
