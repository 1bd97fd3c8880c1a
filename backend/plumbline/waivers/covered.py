"""What waivers cover: their hosts and groups by name, and the groups on which a decision about them needs a right."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import text
from sqlmodel import Session

from plumbline.models.findings import Waiver
from plumbline.waivers.listed_waiver import ListedWaiver

# Hosts one by one, and of lists of hosts their number by group. Two queries in one: joined by either condition, PostgreSQL would read every
# host of the fleet.
_HOSTS = text("""
SELECT CAST(NULL AS int) AS waiver_id, h.id, h.name, g.path, 1 AS hosts
FROM host h JOIN host_group g ON g.id = h.group_id WHERE h.id = ANY(:hosts)
UNION ALL
SELECT l.waiver_id, '', '', g.path, count(*)
FROM waiver_host l JOIN host h ON h.id = l.host_id JOIN host_group g ON g.id = h.group_id WHERE l.waiver_id = ANY(:listed)
GROUP BY l.waiver_id, g.path
""")
# Name and path of what has been deleted.
_GONE = ("", "")
_GROUPS = text("SELECT id, name, path FROM host_group WHERE id = ANY(:groups)")


@dataclass(frozen=True, slots=True)
class Covered:
    """The hosts and groups of some waivers: of each host and group its name and path, and for each waiver of listed hosts their number in
    each group, by its path.
    """

    hosts: Mapping[str, tuple[str, str]]
    groups: Mapping[int, tuple[str, str]]
    listed: Mapping[int, Mapping[str, int]]

    def paths(self, waiver: Waiver | ListedWaiver) -> tuple[str, ...]:
        """The paths of all groups that a decision on this waiver affects; of what is gone none, or one on which nobody has a right."""
        if waiver.is_listed:
            return tuple(sorted(self.listed.get(waiver.id or 0, ())))
        of_what = self.hosts.get(waiver.host_id, _GONE) if waiver.host_id is not None else self.groups.get(waiver.group_id or 0, _GONE)
        return (of_what[1],)

    def name_of_host(self, host_id: str) -> str:
        """The name of a host; empty if it is gone."""
        return self.hosts.get(host_id, _GONE)[0]

    def name_of_group(self, group_id: int | None) -> str:
        """The name of a group; empty for none, or if it is gone."""
        return self.groups.get(group_id or 0, _GONE)[0]

    def number_listed(self, waiver: Waiver | ListedWaiver) -> int:
        """How many hosts a waiver of listed hosts has; 0 for any other."""
        return sum(self.listed.get(waiver.id or 0, {}).values())


def read_covered(session: Session, waivers: Sequence[Waiver | ListedWaiver]) -> Covered:
    """What these waivers cover. Two queries at most."""
    single = {waiver.host_id for waiver in waivers if waiver.host_id is not None}
    of_lists = [waiver.id for waiver in waivers if waiver.is_listed]
    of_groups = {waiver.group_id for waiver in waivers if waiver.group_id is not None}
    hosts: dict[str, tuple[str, str]] = {}
    listed: dict[int, dict[str, int]] = {}
    if single or of_lists:
        for waiver_id, host_id, name, path, number in session.execute(_HOSTS, {"hosts": list(single), "listed": of_lists}):
            if waiver_id is None:
                hosts[host_id] = (name, path)
            else:
                listed.setdefault(waiver_id, {})[path] = number
    rows = session.execute(_GROUPS, {"groups": list(of_groups)}).all() if of_groups else ()
    return Covered(hosts, {group_id: (name, path) for group_id, name, path in rows}, listed)


def paths_of(session: Session, waiver: Waiver) -> tuple[str, ...]:
    """The paths of all groups that a decision on this waiver affects. Two queries at most."""
    return read_covered(session, [waiver]).paths(waiver)
