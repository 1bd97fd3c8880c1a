"""The switches that the hosts are cabled to, by what they announce: one bad switch is seen as one thing, not as a finding on every host."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row, text
from sqlmodel import Session

from plumbline.auth.actor import Actor
from plumbline.auth.rights import can_read
from plumbline.auth.scope import read_groups
from plumbline.core.facts.esxi.values import natural
from plumbline.core.facts.storage_adapters import STORAGE_ROLES
from plumbline.core.facts.switch_port import LOST_FRAMES
from plumbline.core.texts import counted
from plumbline.hosts.switch_schemas import PortIssue, SwitchDetail, SwitchList, SwitchPortRow, SwitchRow, UnheardHost
from plumbline.infra.errors import NotFound
from plumbline.models.hosts import COUNTED

MOST_PORTS = 1000
MOST_UNHEARD = 100
# What is wrong with a port. A lower MTU of the switch alone is none: some announce 1500 whatever the port is set to.
_ISSUES: dict[PortIssue, str] = {
    "link_down": "p.link_up IS FALSE",
    "not_heard": "p.lost_at IS NOT NULL AND p.link_up IS NOT FALSE",
    "paths_down": "p.paths_dead > 0",
    "frames": "p.frame_probe = 'too_big'",
    "mtu": f"p.switch_mtu < p.mtu AND p.frame_probe IN {LOST_FRAMES}",
}
_ANY = " OR ".join(f"({condition})" for condition in _ISSUES.values())
_COUNTS = ", ".join(f"count(*) FILTER (WHERE {condition}) AS {name}" for name, condition in _ISSUES.items())
_STORAGE = f"p.role IN {STORAGE_ROLES}"
_OF_GROUPS = f"FROM switch_port p JOIN host h ON h.id = p.host_id WHERE h.group_id = ANY(:groups) AND h.{COUNTED}"
# A host is on one switch only if none of its storage adapters heard another or none.
_SWITCHES = f"""
WITH p AS MATERIALIZED (SELECT p.*, h.platform AS host_platform {_OF_GROUPS}), alone AS (
  SELECT min(p.switch_id) AS switch_id FROM p WHERE {_STORAGE} GROUP BY p.host_id
  HAVING count(*) > 1 AND min(p.switch_id) = max(p.switch_id) AND min(p.switch_id) <> ''
)
SELECT p.switch_id, max(p.switch) AS switch, max(p.platform) AS platform, max(p.address) AS address, max(p.protocol) AS protocol,
  count(*) AS ports, count(DISTINCT p.host_id) AS hosts, count(*) FILTER (WHERE {_ANY}) AS failing, {_COUNTS},
  (SELECT count(*) FROM alone WHERE alone.switch_id = p.switch_id) AS only_here, p.host_platform = 'windows' AND p.switch_id = '' AS windows
FROM p GROUP BY p.switch_id, p.host_platform = 'windows' AND p.switch_id = ''
ORDER BY failing DESC, only_here DESC, count(*) FILTER (WHERE {_STORAGE}) DESC, lower(max(p.switch)), p.switch_id
"""  # noqa: S608 - constants
_PORTS = f"""
SELECT p.*, h.name AS host, h.cluster, g.path AS group_path, array_remove(ARRAY[
  {", ".join(f"CASE WHEN {condition} THEN '{name}' END" for name, condition in _ISSUES.items())}], NULL) AS issues
FROM switch_port p JOIN host h ON h.id = p.host_id JOIN host_group g ON g.id = h.group_id
WHERE p.switch_id = :switch AND h.group_id = ANY(:groups) AND h.{COUNTED}
ORDER BY ({_ANY}) DESC, lower(h.name), p.name LIMIT {MOST_PORTS}
"""  # noqa: S608 - constants

_UNHEARD = f"""
SELECT h.id, h.name, array_agg(p.name ORDER BY p.name) AS adapters
{_OF_GROUPS} AND p.switch_id = '' AND h.platform <> 'windows' GROUP BY h.id ORDER BY lower(h.name) LIMIT {MOST_UNHEARD}
"""


def list_switches(session: Session, *, actor: Actor) -> SwitchList:
    """Every switch that a host of this person's groups hears or heard last. Three queries for any fleet."""
    groups = _groups(session, actor)
    rows = _switches(session, groups)
    return SwitchList(
        items=[_switch(row) for row in rows if row.switch_id],
        unheard_esxi=sum(row.ports for row in rows if not row.switch_id and not row.windows),
        unheard_hosts=[
            UnheardHost(id=row.id, name=row.name, adapters=row.adapters) for row in session.execute(text(_UNHEARD), {"groups": groups})
        ],
        unheard_windows=sum(row.ports for row in rows if row.windows),
    )


def read_switch(session: Session, *, actor: Actor, switch_id: str) -> SwitchDetail:
    """A switch and at most 1,000 of its ports. Raises `NotFound` if no host of this person's groups is on it. Three queries."""
    groups = _groups(session, actor)
    found = next((row for row in _switches(session, groups) if row.switch_id == switch_id), None) if switch_id else None
    if found is None:
        raise NotFound("Switch not found.")
    rows = [_port(row) for row in session.execute(text(_PORTS), {"switch": switch_id, "groups": groups})]
    # In the order of a front panel: Ethernet1/2 before Ethernet1/10.
    rows.sort(key=lambda row: (not row.issues, natural(row.port), row.host.casefold()))
    return SwitchDetail(**_switch(found).model_dump(), port_rows=rows)


def _groups(session: Session, actor: Actor) -> list[int]:
    return [node.id for node in read_groups(session).values() if can_read(actor, node.path)]


def _switches(session: Session, groups: Sequence[int]) -> Sequence[Row[Any]]:
    return session.execute(text(_SWITCHES), {"groups": list(groups)}).all()


def _switch(row: Row[Any]) -> SwitchRow:
    issues: dict[PortIssue, int] = {name: getattr(row, name) for name in _ISSUES if getattr(row, name)}
    return SwitchRow(
        id=row.switch_id,
        name=row.switch,
        platform=row.platform,
        address=row.address,
        protocol=row.protocol,
        ports=row.ports,
        hosts=row.hosts,
        failing=row.failing,
        issues=issues,
        only_here=row.only_here,
    )


def _port(row: Row[Any]) -> SwitchPortRow:
    return SwitchPortRow(
        host_id=row.host_id,
        host=row.host,
        group=row.group_path,
        cluster=row.cluster,
        adapter=row.adapter,
        adapter_name=row.name,
        role=row.role,
        port=row.port,
        mtu=row.mtu,
        switch_mtu=row.switch_mtu,
        native_vlan=row.native_vlan,
        paths_healthy=row.paths_total - row.paths_dead,
        paths_total=row.paths_total,
        issues=row.issues,
        # A lower MTU of the switch says already that frames are lost, and why.
        problem="; ".join(_words(row, issue) for issue in row.issues if issue != "frames" or "mtu" not in row.issues),
        lost_at=row.lost_at,
    )


def _words(row: Row[Any], issue: PortIssue) -> str:
    if issue == "link_down":
        return "link down"
    if issue == "not_heard":
        return "the switch is not heard any more"
    if issue == "paths_down":
        return f"{row.paths_dead} of {counted(row.paths_total, 'path')} down"
    if issue == "frames":
        return f"frames of {row.mtu or 'the set size'} do not get through"
    return f"the switch announces MTU {row.switch_mtu}, and frames of {row.mtu} do not get through"
