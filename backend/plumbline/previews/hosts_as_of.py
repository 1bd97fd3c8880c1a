"""Which hosts were known at an instant, in which group, and with which configuration."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import psycopg

from plumbline.core.freshness import SILENT_AFTER_INTERVALS
from plumbline.evaluation.evaluate import unread_of
from plumbline.models.hosts import HostState

# Where a host was is known from the trail of its moves: the group that the first move after the instant took it from.
_HOSTS = """
SELECT c.id, c.name, c.platform, c.group_id, g.path, c.enrolled_at, c.approved_at, c.state, c.retired_at, c.is_silent, c.is_from_bundle,
       conf.id, conf.received_at, conf.sections, conf.id = c.newest
FROM (
  SELECT h.id, h.name, h.platform, h.state, h.enrolled_at, coalesce(h.approved_at, h.enrolled_at) AS approved_at,
         h.source = 'bundle' AS is_from_bundle,
         h.configuration_id AS newest,
         -- It has not checked in since, or did so after a gap that was long enough by then.
         h.source <> 'bundle' AND (coalesce(h.last_seen_at < %(at)s - make_interval(secs => %(silent)s * h.interval_seconds), false)
           OR EXISTS (SELECT FROM check_in_gap t WHERE t.host_id = h.id AND coalesce(t.ended_at, 'infinity') > %(at)s
                      AND t.began_at < %(at)s - make_interval(secs => %(silent)s * t.interval_seconds))) AS is_silent,
         coalesce((SELECT (a.before ->> 'group_id')::int FROM audit_entry a WHERE a.object_kind = 'host' AND a.object_id = h.id
                   AND a.action = 'host.moved' AND a.at > %(at)s ORDER BY a.id LIMIT 1), h.group_id) AS group_id,
         (SELECT min(a.at) FROM audit_entry a WHERE a.object_kind = 'host' AND a.object_id = h.id AND a.action = 'host.retired')
           AS retired_at
  FROM host h WHERE h.id > %(after)s AND (%(ids)s::text[] IS NULL OR h.id = ANY(%(ids)s))
) AS c JOIN host_group g ON g.id = c.group_id
LEFT JOIN LATERAL (
  SELECT id, received_at, sections FROM host_configuration WHERE host_id = c.id AND received_at <= %(at)s
  ORDER BY received_at DESC, id DESC LIMIT 1
) AS conf ON true
WHERE starts_with(g.path, %(path)s) ORDER BY c.id LIMIT %(limit)s
"""


_SECTIONS = "SELECT host_id, section, status, error FROM host_section WHERE host_id = ANY(%s)"


@dataclass(frozen=True, slots=True)
class HostAt:
    """A host as of the instant. `absent` is why it can't be evaluated; empty if it can."""

    id: str
    name: str
    platform: str
    group_id: int
    path: str
    configuration_id: int | None
    configuration_at: datetime | None
    sections: Mapping[str, str]
    is_newest: bool
    is_silent: bool
    # Quarantined hosts are evaluated, but are no one's peers.
    is_member: bool
    absent: str


def hosts_at(
    connection: "psycopg.Connection[Any]", at: datetime, *, path: str, after: str = "", limit: int = 200, ids: Sequence[str] | None = None
) -> list[HostAt]:
    """Hosts that were below the group with this path, by id, from the one after `after` on."""
    values = {
        "at": at, "path": path, "after": after, "limit": limit, "ids": list(ids) if ids is not None else None,
        "silent": SILENT_AFTER_INTERVALS,
    }  # fmt: skip
    found = []
    for row in connection.execute(_HOSTS, values).fetchall():
        host_id, name, platform, group_id, group_path, enrolled_at, approved_at, state, retired_at, *rest = row
        is_silent, is_from_bundle, configuration_id, received_at, sections, is_newest = rest
        found.append(
            HostAt(
                id=host_id,
                name=name,
                platform=platform,
                group_id=group_id,
                path=group_path,
                configuration_id=configuration_id,
                configuration_at=received_at,
                sections=sections or {},
                is_newest=bool(is_newest),
                is_silent=is_silent,
                is_member=state != HostState.QUARANTINED and not is_from_bundle,
                absent=_absent(at, enrolled_at, approved_at, state, retired_at, received_at),
            )
        )
    return found


def _absent(
    at: datetime, enrolled_at: datetime, approved_at: datetime, state: str, retired_at: datetime | None, received_at: datetime | None
) -> str:
    if enrolled_at > at:
        return f"not enrolled until {_day_text(enrolled_at)}"
    if retired_at is not None and retired_at <= at:
        return f"retired on {_day_text(retired_at)}"
    if state == HostState.WAITING or approved_at > at:
        return "pending approval at that time"
    return "" if received_at is not None else "no data yet at that time"


def _day_text(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


def unread_at(connection: "psycopg.Connection[Any]", hosts: Sequence[HostAt]) -> dict[str, dict[str, str]]:
    """By host, the kinds of subjects that could not be listed then, and why."""
    now: dict[str, dict[str, tuple[str, str]]] = {}
    for host_id, section, status, error in connection.execute(_SECTIONS, ([host.id for host in hosts if host.is_newest],)):
        now.setdefault(host_id, {})[section] = (status, error)
    return {host.id: unread_of(host.platform, now.get(host.id) or _sections(host.sections)) for host in hosts}


def _sections(stored: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    """(status, error) of each section as it was when the configuration was stored."""
    found = {name: ("ok", "") for name in stored if not name.startswith("!")}
    for name, text in stored.items():
        if name.startswith("!"):
            status, _, error = text.partition(": ")
            found[name[1:]] = (status, error)
    return found
