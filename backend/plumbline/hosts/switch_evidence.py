"""What the hosts of a group, or one host, hear of their switches, in words: evidence for a person who attests the switches."""

from typing import Any

from sqlalchemy import Row, text
from sqlmodel import Session

from plumbline.auth.actor import Actor
from plumbline.auth.scope import group_in_scope, host_in_scope
from plumbline.core.facts.storage_adapters import STORAGE_ROLES
from plumbline.core.texts import counted
from plumbline.hosts.switch_schemas import SwitchEvidence
from plumbline.infra.database import now_of
from plumbline.models.hosts import COUNTED

_MOST_NAMES = 5
# A host with one storage adapter says nothing about redundancy. An adapter that hears nothing may be on another switch.
_HEARD = f"""
WITH port AS (
  SELECT p.*, h.name AS host, p.switch_id <> '' AND p.lost_at IS NULL AS is_heard
  FROM switch_port p JOIN host h ON h.id = p.host_id JOIN host_group g ON g.id = h.group_id
  WHERE p.role IN {STORAGE_ROLES} AND h.{COUNTED}
    AND (h.id = :host OR :group = ANY(string_to_array(trim(both '/' from g.path), '/')::int[]))
), per_host AS (
  SELECT host, count(*) AS adapters, count(DISTINCT switch_id) FILTER (WHERE is_heard) AS switches, bool_and(is_heard) AS is_whole
  FROM port GROUP BY host_id, host
)
SELECT count(*) AS hosts, count(*) FILTER (WHERE switches > 1) AS on_two,
  count(*) FILTER (WHERE adapters > 1 AND switches = 1 AND is_whole) AS on_one,
  (SELECT array_agg(host ORDER BY lower(host)) FROM per_host WHERE adapters > 1 AND switches = 1 AND is_whole) AS names_on_one,
  (SELECT array_agg(DISTINCT switch) FROM port WHERE is_heard) AS names,
  (SELECT jsonb_object_agg(switch_mtu, ports) FROM (
     SELECT switch_mtu, count(*) AS ports FROM port WHERE is_heard AND switch_mtu IS NOT NULL GROUP BY switch_mtu) AS m) AS mtus
FROM per_host
"""  # noqa: S608 (a constant)


def read_switch_evidence(session: Session, *, actor: Actor, host_id: str | None, group_id: int | None) -> SwitchEvidence:
    """The evidence of one host, or of a group with its subgroups; no text where nothing is heard. Raises `HostNotFound`, `NotFound`."""
    if host_id is not None:
        host_in_scope(session, actor=actor, host_id=host_id)
    else:
        group_id = group_in_scope(session, actor=actor, group_id=group_id).id
    row = session.execute(text(_HEARD), {"host": host_id, "group": None if host_id is not None else group_id}).one()
    as_of = now_of(session)
    return SwitchEvidence(as_of=as_of, hosts=row.hosts, text=_words(row) if row.names else "")


def _words(row: Row[Any]) -> str:
    unknown = row.hosts - row.on_two - row.on_one
    parts = []
    if row.on_two:
        parts.append(f"{counted(row.on_two, 'host')} cabled to at least two switches")
    if row.on_one:
        parts.append(f"{counted(row.on_one, 'host')} to one switch only ({_listed(row.names_on_one)})")
    if unknown:
        parts.append(f"{counted(unknown, 'host')} not known")
    found = f"Switches heard: {_listed(sorted(row.names))}. {', '.join(parts)}."
    if row.mtus:
        mtus = sorted(((int(mtu), ports) for mtu, ports in row.mtus.items()), reverse=True)
        found += " Announced MTU: " + ", ".join(f"{mtu} on {counted(ports, 'port')}" for mtu, ports in mtus) + "."
    return found


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    return f"{', '.join(names[:_MOST_NAMES])}{more}"
