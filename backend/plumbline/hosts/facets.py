"""The facets of the host list: the values of each filter, with the number of hosts that each would leave.

A facet ignores its own filter, so that its other values can still be chosen. Facets without a filter are counted over the same hosts, in
one query. The database groups by plain columns; labels are added here. There may be thousands of clusters: the largest are listed, the
others are searched by a part of their name.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import reduce
from operator import add
from typing import Any

from pydantic import BaseModel
from sqlalchemy import (
    BigInteger,
    Boolean,
    ColumnElement,
    Integer,
    Row,
    Select,
    Subquery,
    Text,
    TextualSelect,
    and_,
    case,
    cast,
    column,
    func,
    literal,
    or_,
    select,
    text,
    union_all,
)
from sqlmodel import Session

from plumbline.auth.actor import Actor
from plumbline.auth.rights import can_read
from plumbline.auth.scope import KNOWN_STATES, GroupNode, groups_below, read_groups
from plumbline.core.freshness import FRESHNESS_LABELS
from plumbline.drift.marks import REFERENCE_LABELS
from plumbline.drift.prepared_parts import read_part
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
from plumbline.hosts.labels import FAMILY_LABELS, MODE_LABELS, os_label
from plumbline.hosts.schemas import Facet, FacetValue, HostFacets
from plumbline.hosts.summary_counts import are_late_hosts_noted, counts_by_combination, counts_by_group, known_by_group, summaries_from
from plumbline.infra.group_path import ids_on
from plumbline.models.host_summaries import HOST_COMBINATION, HOST_SUMMARY, HostCombination
from plumbline.models.hosts import Mode
from plumbline.packs.library import Library, read_library

# Clusters that a facet lists, in addition to the chosen ones and "no cluster".
MOST_CLUSTERS = 50

_STATES = {"waiting": "Pending approval", "active": "Active", "quarantined": "Quarantined", "retired": "Retired"}
_OUTCOMES = {"fail": "Rule failing", "guard_rail": "Guardrail failing", "unknown": "Has unknown", "waived": "Has waivers"}


@dataclass(frozen=True, slots=True)
class _Kind:
    """One facet that is read with the others: which values a row of the count has (`None`: no value), and what they are called."""

    name: str
    label: str
    values: Callable[[Any], Iterable[Any]]
    words: Mapping[str, str] = field(default_factory=dict)


_TOGETHER = (
    _Kind("platform", "Platform", lambda row: (row.platform,), {"windows": "Windows", "esxi": "ESXi"}),
    _Kind("os", "Operating system", lambda row: (row.os_release,)),
    _Kind("family", "Adapter family", lambda row: row.families, FAMILY_LABELS),
    _Kind("mode", "Initiator mode", lambda row: row.initiator_modes, MODE_LABELS),
    _Kind("freshness", "Check-in status", lambda row: (row.freshness,), FRESHNESS_LABELS),
    _Kind("state", "Enrolment state", lambda row: (row.state,), _STATES),
    _Kind("tag", "Tag", lambda row: row.tags),
    _Kind("outcome", "Findings", lambda row: [name for at, name in enumerate(_OUTCOMES) if row.outcomes >> at & 1], _OUTCOMES),
    _Kind("drift", "Drift", lambda row: [name for at, name in enumerate(REFERENCE_LABELS) if row.references >> at & 1], REFERENCE_LABELS),
    _Kind(
        "managed", "Remediation mode", lambda row: ("remediate" if row.is_managed else "observe",),
        {"observe": "Observe only", "remediate": "Remediation on"},
    ),
)  # fmt: skip
# Values that a row of the count has as they are.
_PLAIN = ("state", "platform", "os_release", "os_name", "families", "initiator_modes", "tags")
# Facets whose values have a fixed order.
_IN_ORDER = {"outcome": tuple(_OUTCOMES), "drift": tuple(REFERENCE_LABELS), "managed": ("observe", "remediate")}
_LATE_ROWS = """
SELECT * FROM json_to_recordset(CAST(:late AS json))
  AS t (combination_id bigint, freshness text, drifts_from_peers boolean, is_in_managed_group boolean, n int)
"""
_SHOWN = ("group", "platform", "os", "family", "mode", "cluster", "freshness", "state", "tag", "outcome", "drift", "managed")


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
        self._parts: dict[int | None, LateCounts | None] = {None: None}

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

    def together(self, *, skip: str) -> Sequence[Row[Any]]:
        """Counts of hosts with equal values in the facets that are read together: one row for each combination."""
        if self._is_counted(skip) and self._is_noted:
            query = self._together_by_count(skip)
        else:
            query = self._together_by_summary(skip) if self.is_by_summary else self._together_by_row(skip)
        return self.session.execute(query).all()

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
            _bits(OF_ROWS.has(name) for name in _OUTCOMES).label("outcomes"),
            _bits(OF_ROWS.drifts(reference, self.library) for reference in REFERENCE_LABELS).label("references"),
            and_(in_managed_group(OF_ROWS, self.groups), allows_changes(OF_ROWS)).label("is_managed"),
        )
        return self.query((*columns, func.count().label("n")), skip=skip).group_by(*_places(columns))

    def _together_by_summary(self, skip: str) -> Select[Any]:
        """First the hosts are counted by what is their own, then the few combinations are read: what is computed for each host adds up."""
        own = _own(self._of_summaries, self.library, self.groups)
        return self._described(self.query((*own, func.count().label("n")), skip=skip).group_by(*_places(own)).subquery())

    def _together_by_count(self, skip: str) -> Select[Any]:
        """Hosts that may be late are looked at one by one, unless this is prepared of their group, and taken from the counts of all."""
        groups = self._groups(skip)
        own = _own(self._of_summaries, self.library, self.groups)
        part = self._late_counts(self._root(groups))
        if part is None:
            in_groups = [] if len(groups) == len(self.groups) else [HOST_SUMMARY.group_id.in_(groups)]
            late = _late(own).where(*in_groups).cte("late")
        else:
            late = _rows_of(part).cte("late")
        fresh = case((HOST_COMBINATION.is_bundle, "bundle"), else_="fresh").label("freshness")

        def of_combinations(combination_id: Any, differs: Any, is_in_managed_group: Any, hosts: Any) -> Select[Any]:
            columns = (combination_id, fresh, differs.label("drifts_from_peers"), is_in_managed_group, hosts.label("n"))
            return select(*columns).join(HostCombination, HOST_COMBINATION.id == combination_id)

        managed = {node.id for node in self.groups.values() if node.mode_effective == Mode.REMEDIATE}
        parts = [of_combinations(late.c.combination_id, late.c.drifts_from_peers, late.c.is_in_managed_group, -late.c.n)]
        for name, is_managed, some in (("managed", True, groups & managed), ("others", False, groups - managed)):
            every = counts_by_combination(some, name).subquery(name)
            differing = counts_by_combination(some, name, kind="differing").cte(f"differing_{name}")
            parts += [
                of_combinations(every.c.combination_id, literal(False), literal(is_managed), every.c.hosts),
                of_combinations(differing.c.combination_id, literal(False), literal(is_managed), -differing.c.hosts),
                of_combinations(differing.c.combination_id, literal(True), literal(is_managed), differing.c.hosts),
            ]
        counts = union_all(select(late), *parts).subquery()
        names = [each.name for each in own]
        summed = select(*(counts.c[name] for name in names), func.sum(counts.c.n).label("n")).group_by(*(counts.c[name] for name in names))
        return self._described(summed.having(func.sum(counts.c.n) != 0).subquery()).where(*self._combinations(skip))

    def _late_counts(self, root: int | None) -> LateCounts | None:
        """What is prepared of the group, read once."""
        if root is not None and root not in self._parts:
            self._parts[root] = read_part(self.session, root, "late", LateCounts)
        return self._parts[root]

    def _described(self, counted: Subquery) -> Select[Any]:
        """Counts by combination and what is a host's own, with the values of the combination."""
        summary = self._of_summaries
        drifts = (
            counted.c.drifts_from_peers if reference == "peers" else summary.drifts(reference, self.library)
            for reference in REFERENCE_LABELS
        )
        return select(
            *(getattr(summary, name) for name in _PLAIN),
            counted.c.freshness,
            _bits(summary.has(name) for name in _OUTCOMES).label("outcomes"),
            _bits(drifts).label("references"),
            and_(counted.c.is_in_managed_group, allows_changes(summary)).label("is_managed"),
            counted.c.n,
        ).join(counted, counted.c.combination_id == HOST_COMBINATION.id)

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

    def clusters(self, named: str = "") -> Facet:
        """The largest clusters, no cluster, and those that are chosen; or those with this in their name, in either case."""
        groups = self._groups("cluster")
        is_plain = asked_of(self.filters) <= {"cluster", "group"}
        root = self._root(groups) if is_plain and self._is_counted("cluster") else None
        if root is not None and not named:
            chosen = ["", *self.filters.cluster]
            rows = largest_clusters(self.session, root, sorted(groups), most=MOST_CLUSTERS + len(chosen) - 1, chosen=chosen)
            return _clusters({row.value: row.hosts for row in rows}, rows[0].of if rows else 0)
        column, chosen = self.columns.cluster, self.filters.cluster
        query = self.query((column.label("cluster"), func.count().label("n"), func.count().over().label("of")), skip="cluster")
        first = column.in_(["", *chosen])
        if named:
            first = column.in_(chosen)
            query = query.where(or_(first, func.lower(column).contains(named.lower(), autoescape=True)))
        order = (first.desc(), func.count().desc(), column)
        rows = self.session.execute(query.group_by(column).order_by(*order).limit(MOST_CLUSTERS + len(chosen))).all()
        return _clusters({row.cluster: row.n for row in rows}, rows[0].of if rows else 0)

    def _root(self, groups: set[int]) -> int | None:
        """The group that these are, with all below it; None where there are several."""
        top = [each for each in groups if self.groups[each].parent_id not in groups]
        return top[0] if len(top) == 1 else None


def list_facets(session: Session, *, actor: Actor, filters: HostFilters) -> HostFacets:
    """All facets with values and counts. Five queries besides groups and library, and one more for each facet that has a filter."""
    return facets_of(Counting(session, actor, filters))


def facets_of(counting: Counting) -> HostFacets:
    """The same, counted either way."""
    filters = counting.filters
    facets: dict[str, Facet] = {}
    filtered = [kind for kind in _TOGETHER if getattr(filters, kind.name)]
    rows = counting.together(skip="state" if not filters.state else "")
    # The state is a filter too, which applies to every facet but its own.
    counted = [row for row in rows if row.state in (filters.state or KNOWN_STATES)]
    for kind in _TOGETHER:
        if kind not in filtered:
            facets[kind.name] = _facet(kind, rows if kind.name == "state" else counted)
    for kind in filtered:
        facets[kind.name] = _facet(kind, counting.together(skip=kind.name))
    facets["group"] = Facet(name="group", label="Group", values=_groups(counting.by_group(), counting.groups, counting.actor), more=0)
    facets["cluster"] = counting.clusters()
    return HostFacets(facets=[facets[name] for name in _SHOWN if facets[name].values], total=sum(row.n for row in counted))


def find_clusters(session: Session, *, actor: Actor, filters: HostFilters, named: str) -> Facet:
    """The facet of clusters: those with this in their name, in either case, and those chosen. Two queries besides groups and library."""
    return Counting(session, actor, filters).clusters(named)


def _clusters(counts: Mapping[str, int], of: int) -> Facet:
    """Some of so many clusters."""
    values = [FacetValue(value=name, label=name or "No cluster", count=int(count)) for name, count in counts.items()]
    return Facet(name="cluster", label="Cluster", values=sorted(values, key=_by_count), more=of - len(values) if values else 0)


def prepare_late(session: Session, group_id: int, _: datetime) -> LateCounts:
    """Counts the hosts of a group with many that may be late, for its facets."""
    own = _own(of_summaries(is_noted=are_late_hosts_noted(session)), read_library(session), read_groups(session))
    rows = session.execute(_late(own).where(HOST_SUMMARY.group_id.in_(groups_below(session, group_id))))
    return LateCounts(counts=[LateCount.model_validate(row, from_attributes=True) for row in rows])


def _late(own: Sequence[Any]) -> Select[Any]:
    joined = select(*own, func.count().label("n")).join(HostCombination, HOST_COMBINATION.id == HOST_SUMMARY.combination_id)
    return joined.where(HOST_SUMMARY.may_be_late).group_by(*_places(own))


def _rows_of(part: LateCounts) -> TextualSelect:
    """The counts as rows of a query."""
    types = {"combination_id": BigInteger, "freshness": Text, "drifts_from_peers": Boolean, "is_in_managed_group": Boolean, "n": Integer}
    rows = text(_LATE_ROWS).bindparams(late=json.dumps([each.model_dump() for each in part.counts]))
    return rows.columns(*(column(name, kind) for name, kind in types.items()))


def _own(summary: FilterColumns, library: Library, groups: dict[int, GroupNode]) -> tuple[Any, ...]:
    """What is a host's own, beside its combination."""
    return (
        HOST_SUMMARY.combination_id,
        summary.freshness.label("freshness"),
        summary.drifts("peers", library).label("drifts_from_peers"),
        in_managed_group(summary, groups).label("is_in_managed_group"),
    )


def _places(columns: Sequence[Any]) -> Iterable[Any]:
    """What a query is grouped by: its first columns, by their places, since their values are bound anew each time they are written."""
    return (text(str(at + 1)) for at in range(len(columns)))


def _bits(conditions: Iterable[ColumnElement[bool]]) -> ColumnElement[int]:
    """Conditions as one number, the first in its lowest bit, so that there is one value to group by instead of several."""
    return reduce(add, (cast(func.coalesce(condition, False), Integer) * 2**at for at, condition in enumerate(conditions)))


def _facet(kind: _Kind, rows: Iterable[Row[Any]]) -> Facet:
    counts: Counter[str] = Counter()
    labels: dict[str, str] = {}
    for row in rows:
        for value in kind.values(row):
            counts[value] += row.n
            if kind.name == "os":
                # A release may go by several names.
                label = os_label(row.platform, row.os_name, row.os_release)
                labels[value] = min(labels.get(value, label), label)
    values = [
        FacetValue(value=value, label=kind.words.get(value, labels.get(value, value)), count=count) for value, count in counts.items()
    ]
    order = _IN_ORDER.get(kind.name)
    values.sort(key=_by_count if order is None else lambda each: order.index(each.value))
    return Facet(name=kind.name, label=kind.label, values=values, more=0)


def _by_count(value: FacetValue) -> tuple[int, str, str]:
    return (-value.count, value.label, value.value)


def _groups(own: Mapping[int, int], groups: Mapping[int, GroupNode], actor: Actor) -> list[FacetValue]:
    """Groups with the hosts in them and below, in the order of the tree."""
    below: Counter[int] = Counter()
    for group_id, hosts in own.items():
        for above in ids_on(groups[group_id].path):
            below[above] += hosts
    values = []
    for node in groups.values():
        if below[node.id] and any(node.path.startswith(scope) for scope in actor.scopes):
            values.append(FacetValue(value=str(node.id), label=node.name, count=below[node.id]))
    return values
