"""The facets of the host list: the values of each filter, with the number of hosts that each would leave.

A facet ignores its own filter, so that its other values can still be chosen. Facets without a filter are counted over the same hosts, in
one query. The database groups by plain columns; labels are added here. There may be thousands of clusters: the largest are listed, the
others are searched by a part of their name.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import add
from typing import Any

from sqlalchemy import ColumnElement, Integer, Row, cast, func, or_, text
from sqlmodel import Session

from plumbline.auth.actor import Actor
from plumbline.auth.scope import KNOWN_STATES, GroupNode, read_groups
from plumbline.core.freshness import FRESHNESS_LABELS
from plumbline.drift.marks import REFERENCE_LABELS, drifts_from
from plumbline.hosts.filters import HostFilters
from plumbline.hosts.host_list import FRESHNESS, conditions_of, hosts_from, managed
from plumbline.hosts.labels import FAMILY_LABELS, MODE_LABELS, os_label
from plumbline.hosts.schemas import Facet, FacetValue, HostFacets
from plumbline.models.hosts import HOST
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
# Facets whose values have a fixed order.
_IN_ORDER = {"outcome": tuple(_OUTCOMES), "drift": tuple(REFERENCE_LABELS), "managed": ("observe", "remediate")}
_SHOWN = ("group", "platform", "os", "family", "mode", "cluster", "freshness", "state", "tag", "outcome", "drift", "managed")


def list_facets(session: Session, *, actor: Actor, filters: HostFilters) -> HostFacets:
    """All facets with values and counts. Three queries besides groups and library, and one more for each facet that has a filter."""
    library = read_library(session)
    groups = read_groups(session)
    facets: dict[str, Facet] = {}
    filtered = [kind for kind in _TOGETHER if getattr(filters, kind.name)]
    rows = _count(session, actor, filters, library, groups, skip="state" if not filters.state else "")
    # The state is a filter too, which applies to every facet but its own.
    counted = [row for row in rows if row.state in (filters.state or KNOWN_STATES)]
    for kind in _TOGETHER:
        if kind not in filtered:
            facets[kind.name] = _facet(kind, rows if kind.name == "state" else counted)
    for kind in filtered:
        facets[kind.name] = _facet(kind, _count(session, actor, filters, library, groups, skip=kind.name))
    own = hosts_from(actor, (HOST.group_id, func.count().label("n"))).where(*conditions_of(filters, library, groups, skip="group"))
    counts = {row.group_id: row.n for row in session.execute(own.group_by(HOST.group_id))}
    facets["group"] = Facet(name="group", label="Group", values=_groups(counts, groups, actor), more=0)
    facets["cluster"] = _clusters(session, actor, filters, library, groups)
    return HostFacets(facets=[facets[name] for name in _SHOWN if facets[name].values], total=sum(row.n for row in counted))


def find_clusters(session: Session, *, actor: Actor, filters: HostFilters, named: str) -> Facet:
    """The facet of clusters: those with this in their name, in either case, and those chosen. One query besides groups and library."""
    return _clusters(session, actor, filters, read_library(session), read_groups(session), named)


def _clusters(
    session: Session, actor: Actor, filters: HostFilters, library: Library, groups: dict[int, GroupNode], named: str = ""
) -> Facet:
    query = hosts_from(actor, (HOST.cluster, func.count().label("n"), func.count().over().label("of")))
    query = query.where(*conditions_of(filters, library, groups, skip="cluster"))
    first = HOST.cluster.in_(["", *filters.cluster])
    if named:
        first = HOST.cluster.in_(filters.cluster)
        query = query.where(or_(first, func.lower(HOST.cluster).contains(named.lower(), autoescape=True)))
    order = (first.desc(), func.count().desc(), HOST.cluster)
    rows = session.execute(query.group_by(HOST.cluster).order_by(*order).limit(MOST_CLUSTERS + len(filters.cluster))).all()
    values = [FacetValue(value=row.cluster, label=row.cluster or "No cluster", count=row.n) for row in rows]
    more = rows[0].of - len(rows) if rows else 0
    return Facet(name="cluster", label="Cluster", values=sorted(values, key=_by_count), more=more)


def _count(
    session: Session, actor: Actor, filters: HostFilters, library: Library, groups: dict[int, GroupNode], *, skip: str
) -> Sequence[Row[Any]]:
    """Counts of hosts with equal values in all these facets: one row for each combination."""
    columns = (
        HOST.state, HOST.platform, HOST.os_release, HOST.os_name, HOST.families, HOST.initiator_modes, HOST.tags,
        FRESHNESS.label("freshness"),
        _bits(getattr(HOST, f"n_{name}") > 0 for name in _OUTCOMES).label("outcomes"),
        _bits(drifts_from(reference, library) for reference in REFERENCE_LABELS).label("references"),
        managed("remediate", groups).label("is_managed"),
    )  # fmt: skip
    query = hosts_from(actor, (*columns, func.count().label("n"))).where(*conditions_of(filters, library, groups, skip=skip))
    return session.execute(query.group_by(*(text(str(at + 1)) for at in range(len(columns))))).all()


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


def _by_count(value: FacetValue) -> tuple[int, str]:
    return (-value.count, value.label)


def _groups(own: Mapping[int, int], groups: Mapping[int, GroupNode], actor: Actor) -> list[FacetValue]:
    """Groups with the hosts in them and below, in the order of the tree."""
    values = []
    for node in groups.values():
        count = sum(number for group_id, number in own.items() if groups[group_id].path.startswith(node.path))
        if count and any(node.path.startswith(scope) for scope in actor.scopes):
            values.append(FacetValue(value=str(node.id), label=node.name, count=count))
    return values
