"""What a report is about: a group with its subgroups, or within it the hosts of a saved view; and from when to when."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import func, select
from sqlmodel import Session

from plumbline.auth.actor import Actor, Grant
from plumbline.auth.scope import GroupNode, read_groups
from plumbline.hosts.filter_conditions import row_conditions
from plumbline.hosts.filters import HostFilters
from plumbline.hosts.host_list import hosts_from
from plumbline.infra.errors import NotFound
from plumbline.models.hosts import HOST
from plumbline.packs.library import Library, read_library
from plumbline.reports.period import Period


@dataclass(frozen=True)
class Scope:
    """A report's group and its subgroups in one snapshot of the database.

    `host_ids` is None for all their hosts; for a saved view, the hosts that match it now. `reader` sees exactly this group, so that the
    functions of the screens list what belongs to the report.
    """

    session: Session
    group: GroupNode
    nodes: Mapping[int, GroupNode]
    period: Period
    now: datetime
    as_of: datetime
    library: Library
    host_ids: Sequence[str] | None = None
    filters: Mapping[str, Any] = field(default_factory=dict)
    view_name: str = ""

    @property
    def is_past(self) -> bool:
        """The end of the period lies in the past: hosts are evaluated as they were then."""
        return self.as_of < self.now

    @property
    def groups(self) -> list[int]:
        """The group and its subgroups."""
        return [node.id for node in self.nodes.values() if node.path.startswith(self.group.path)]

    @property
    def above(self) -> list[int]:
        """The groups above it, whose waivers and attestations hold here too."""
        return [node.id for node in self.nodes.values() if self.group.path.startswith(node.path) and node.id != self.group.id]

    @property
    def reader(self) -> Actor:
        """Somebody who sees this group and nothing else."""
        return Actor(person_id=0, login="", grants=(Grant("viewer", self.group.id, self.group.path, self.group.name),))

    @property
    def sql(self) -> dict[str, Any]:
        """The parameters by which statements of this package choose hosts `h`: see `IN_SCOPE`."""
        return {
            "groups": self.groups,
            "hosts": list(self.host_ids) if self.host_ids is not None else None,
            "from": self.period.start,
            "to": self.as_of,
        }


# A host `h` is in the report's scope.
IN_SCOPE = "h.group_id = ANY(:groups) AND (CAST(:hosts AS text[]) IS NULL OR h.id = ANY(CAST(:hosts AS text[])))"


def read_scope(session: Session, *, group_id: int, filters: Mapping[str, Any] | None, view_name: str, period: Period) -> Scope:
    """The scope of a report, in the snapshot of this session. Raises `NotFound`."""
    nodes = read_groups(session)
    if group_id not in nodes:
        raise NotFound("Group not found.")
    now: datetime = session.execute(select(func.now())).scalar_one()
    library = read_library(session)
    scope = Scope(session, nodes[group_id], nodes, period, now, min(period.end, now), library)
    if filters is None:
        return scope
    chosen = row_conditions(HostFilters.model_validate(filters), library, dict(nodes))
    ids = list(session.scalars(hosts_from(scope.reader, (HOST.id,)).where(*chosen)))
    return Scope(session, nodes[group_id], nodes, period, now, scope.as_of, library, ids, dict(filters), view_name)
