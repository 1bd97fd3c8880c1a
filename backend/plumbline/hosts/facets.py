"""The facets of the host list: the values of each filter, with the number of hosts that each would leave.

A facet ignores its own filter, so that its other values can still be chosen. Facets without a filter are counted over the same hosts, in
one query. The database groups by plain columns; labels are added here. There may be thousands of clusters: the largest are listed, the
others are searched by a part of their name.
"""

import operator
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlmodel import Session

from plumbline.auth.actor import Actor
from plumbline.auth.scope import KNOWN_STATES, GroupNode
from plumbline.core.freshness import FRESHNESS_LABELS
from plumbline.drift.marks import REFERENCE_LABELS
from plumbline.hosts.facet_counts import OUTCOMES, ClusterCounts, Counted, Counting
from plumbline.hosts.filters import HostFilters
from plumbline.hosts.labels import FAMILY_LABELS, MODE_LABELS, os_label
from plumbline.hosts.schemas import Facet, FacetValue, HostFacets
from plumbline.infra.group_path import ids_on

_STATES = {"waiting": "Pending approval", "active": "Active", "quarantined": "Quarantined", "retired": "Retired"}
_OUTCOMES = dict(zip(OUTCOMES, ("Rule failing", "Guardrail failing", "Has unknown", "Has waivers"), strict=True))


@dataclass(frozen=True, slots=True)
class _Kind:
    """One facet that is read with the others: the column of `Counted` with its values, where one may hold several how they are told
    apart, and what they are called.
    """

    name: str
    label: str
    column: str
    values: Callable[[Any], Iterable[str]] | None = None
    words: Mapping[str, str] = field(default_factory=dict)


def _names_by_bits(names: Iterable[str]) -> list[list[str]]:
    """For each number the names whose bits it has, the first in the lowest."""
    listed = list(names)
    return [[name for at, name in enumerate(listed) if number >> at & 1] for number in range(2 ** len(listed))]


_OUTCOMES_BY_BITS = _names_by_bits(_OUTCOMES)
_REFERENCES_BY_BITS = _names_by_bits(REFERENCE_LABELS)
_MANAGED = {False: "observe", True: "remediate"}
_TOGETHER = (
    _Kind("platform", "Platform", "platform", words={"windows": "Windows", "esxi": "ESXi"}),
    _Kind("os", "Operating system", "os_release"),
    _Kind("family", "Adapter family", "families", list, FAMILY_LABELS),
    _Kind("mode", "Initiator mode", "initiator_modes", list, MODE_LABELS),
    _Kind("freshness", "Check-in status", "freshness", words=FRESHNESS_LABELS),
    _Kind("state", "Enrolment state", "state", words=_STATES),
    _Kind("tag", "Tag", "tags", list),
    _Kind("outcome", "Findings", "outcomes", _OUTCOMES_BY_BITS.__getitem__, _OUTCOMES),
    _Kind("drift", "Drift", "references", _REFERENCES_BY_BITS.__getitem__, REFERENCE_LABELS),
    _Kind(
        "managed", "Remediation mode", "is_managed", lambda is_managed: (_MANAGED[is_managed],),
        {"observe": "Observe only", "remediate": "Remediation on"},
    ),
)  # fmt: skip
# Facets whose values have a fixed order.
_IN_ORDER = {"outcome": OUTCOMES, "drift": tuple(REFERENCE_LABELS), "managed": ("observe", "remediate")}
_SHOWN = ("group", "platform", "os", "family", "mode", "cluster", "freshness", "state", "tag", "outcome", "drift", "managed")


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
    facets["cluster"] = _clusters(counting.clusters())
    return HostFacets(facets=[facets[name] for name in _SHOWN if facets[name].values], total=sum(row.n for row in counted))


def find_clusters(session: Session, *, actor: Actor, filters: HostFilters, named: str) -> Facet:
    """The facet of clusters: those with this in their name, in either case, and those chosen. Two queries besides groups and library."""
    return _clusters(Counting(session, actor, filters).clusters(named))


def _clusters(counts: ClusterCounts) -> Facet:
    values = [FacetValue(value=name, label=name or "No cluster", count=count) for name, count in counts.hosts.items()]
    return Facet(name="cluster", label="Cluster", values=sorted(values, key=_by_count), more=counts.of - len(values) if values else 0)


def _facet(kind: _Kind, rows: Sequence[Counted]) -> Facet:
    counts: defaultdict[str, int] = defaultdict(int)
    for value, count in map(operator.attrgetter(kind.column, "n"), rows):
        if kind.values is None:
            counts[value] += count
        else:
            for each in kind.values(value):
                counts[each] += count
    labels = _release_labels(rows) if kind.name == "os" else kind.words
    values = [FacetValue(value=value, label=labels.get(value, value), count=count) for value, count in counts.items()]
    order = _IN_ORDER.get(kind.name)
    values.sort(key=_by_count if order is None else lambda each: order.index(each.value))
    return Facet(name=kind.name, label=kind.label, values=values, more=0)


def _release_labels(rows: Iterable[Counted]) -> dict[str, str]:
    """What each release is called: it may go by several names, of which the first in the alphabet is shown."""
    labels: dict[str, str] = {}
    for platform, os_name, release in {(row.platform, row.os_name, row.os_release) for row in rows}:
        label = os_label(platform, os_name, release)
        labels[release] = min(labels.get(release, label), label)
    return labels


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
        if below[node.id] and node.path.startswith(actor.scopes):
            values.append(FacetValue(value=str(node.id), label=node.name, count=below[node.id]))
    return values
