"""Hosts as they were at an instant: which were known and where, with which configuration, and what the rules of then say of it.

The tree of groups is today's; the group of each host is that of then. A host that was not known, not approved, retired, or not read by
then is absent, with the reason.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import psycopg

from plumbline.core.facts.document import Document
from plumbline.core.rules.peers import NO_PEERS
from plumbline.evaluation.attestations_in_force import attestations_by_host
from plumbline.evaluation.evaluate import Judgement, judge, unread_of
from plumbline.evaluation.inputs import read_documents
from plumbline.evaluation.waivers_in_force import tripped_waivers, waivers_by_host
from plumbline.hosts.host_list import SILENT_AFTER_INTERVALS
from plumbline.packs.in_force import NO_RULES, ActiveRules
from plumbline.previews.peers_as_of import peers_at

# Where a host was is known from the trail of its moves: the group that the first move after the instant took it from.
_HOSTS = """
SELECT c.id, c.name, c.platform, c.group_id, g.path, c.enrolled_at, c.approved_at, c.state, c.retired_at, c.is_silent,
       conf.id, conf.received_at, conf.sections, conf.id = c.newest
FROM (
  SELECT h.id, h.name, h.platform, h.state, h.enrolled_at, coalesce(h.approved_at, h.enrolled_at) AS approved_at,
         h.configuration_id AS newest,
         -- Surely silent then: it was not heard again since.
         coalesce(h.last_seen_at < %(at)s - make_interval(secs => %(silent)s * h.interval_seconds), false) AS is_silent,
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
# As `waivers_in_force.READ_WAIVERS`, with the instant in the place of now. Bound: hosts, their groups then, the instant.
_WAIVERS = """
SELECT h.id, w.id, asked.rule_no, w.subject_kind, w.subject_id, coalesce(mine.wires, w.trip_wires)
FROM unnest(%(hosts)s::text[], %(groups)s::int[]) AS h (id, group_id) JOIN host_group g ON g.id = h.group_id
JOIN waiver w ON w.approved_at <= %(at)s AND w.expires_at > %(at)s AND (w.ended_at IS NULL OR w.ended_at > %(at)s) AND (
  w.host_id = h.id
  OR (NOT w.is_listed AND w.group_id = ANY(string_to_array(trim(both '/' from g.path), '/')::int[]))
  OR (w.is_listed AND EXISTS (SELECT FROM waiver_host l WHERE l.waiver_id = w.id AND l.host_id = h.id)))
LEFT JOIN waiver_host mine ON mine.waiver_id = w.id AND mine.host_id = h.id
CROSS JOIN LATERAL unnest(w.rule_no || w.also_rule_nos) AS asked (rule_no)
WHERE mine.tripped_at IS NULL OR mine.tripped_at > %(at)s ORDER BY w.id, asked.rule_no
"""
# As `attestations_in_force.READ_ATTESTATIONS`, likewise.
_ATTESTATIONS = """
SELECT h.id, a.rule_no || a.also_rule_nos, a.is_so, coalesce(nullif(p.display_name, ''), p.login, 'somebody'),
       to_char(a.made_at AT TIME ZONE 'UTC', 'FMDD Mon YYYY'), to_char(a.expires_at AT TIME ZONE 'UTC', 'FMDD Mon YYYY'), a.statement,
       a.expires_at <= %(at)s AS is_over, coalesce(asked.pack || '/' || asked.rule, '')
FROM unnest(%(hosts)s::text[], %(groups)s::int[]) AS h (id, group_id) JOIN host_group g ON g.id = h.group_id
JOIN attestation a ON a.made_at <= %(at)s AND (a.ended_at IS NULL OR a.ended_at > %(at)s OR a.state = 'expired')
  AND (a.host_id = h.id OR a.group_id = ANY(string_to_array(trim(both '/' from g.path), '/')::int[]))
LEFT JOIN host_group scope ON scope.id = a.group_id LEFT JOIN person p ON p.id = a.author_id
LEFT JOIN rule_number asked ON asked.no = a.rule_no
ORDER BY h.id, is_over, (a.host_id IS NULL), length(scope.path) DESC, a.id DESC
"""


@dataclass(frozen=True, slots=True)
class HostAt:
    """A host at the instant. `absent` says why there is nothing to judge; empty: there is."""

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
    # Hosts in quarantine are judged, but nobody is compared with them.
    is_member: bool
    absent: str


@dataclass(frozen=True, slots=True)
class JudgedAt:
    """What the rules say of a host at the instant, and the configuration that they say it of."""

    document: Document
    judgement: Judgement


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
        host_id, name, platform, group_id, group_path, enrolled_at, approved_at, state, retired_at, is_silent, *configuration = row
        configuration_id, received_at, sections, is_newest = configuration
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
                is_member=state != "quarantined",
                absent=_absent(at, enrolled_at, approved_at, state, retired_at, received_at),
            )
        )
    return found


def _absent(
    at: datetime, enrolled_at: datetime, approved_at: datetime, state: str, retired_at: datetime | None, received_at: datetime | None
) -> str:
    if enrolled_at > at:
        return f"not known yet: it enrolled on {_said(enrolled_at)}"
    if retired_at is not None and retired_at <= at:
        return f"retired on {_said(retired_at)}"
    if state == "waiting" or approved_at > at:
        return "waiting for approval then"
    return "" if received_at is not None else "nothing had been read of it yet"


def _said(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


def judge_at(connection: "psycopg.Connection[Any]", hosts: Sequence[HostAt], rules: ActiveRules, at: datetime) -> dict[str, JudgedAt]:
    """Judges those of the hosts that are there, with the waivers and attestations that stood then. Writes nothing.

    A host whose stored configuration can no longer be read is left out.
    """
    there = [host for host in hosts if not host.absent]
    if not there:
        return {}
    documents = read_documents(connection, [host.configuration_id for host in there if host.configuration_id is not None])
    scope = {"hosts": [host.id for host in there], "groups": [host.group_id for host in there], "at": at}
    waivers = waivers_by_host(connection.execute(_WAIVERS, scope))
    attestations = attestations_by_host(connection.execute(_ATTESTATIONS, scope))
    unread = unread_at(connection, there)
    peers = peers_at(connection, there, documents, unread, rules, at)
    judged = {}
    for host in there:
        document = documents.get(host.id)
        if document is None:
            continue
        mine = waivers.get(host.id, [])
        ended = tripped_waivers(mine, document.configuration)
        judgement = judge(
            rules.by_group.get(host.group_id, NO_RULES),
            document.configuration,
            unread=unread[host.id],
            peers=peers.get(host.id, NO_PEERS),
            waivers=[waiver for waiver in mine if waiver.id not in ended],
            attestations=attestations.get(host.id, ()),
        )
        judged[host.id] = JudgedAt(document, judgement)
    return judged


def unread_at(connection: "psycopg.Connection[Any]", hosts: Sequence[HostAt]) -> dict[str, dict[str, str]]:
    """By host, the kinds of subjects that could not be listed then, and why."""
    now: dict[str, dict[str, tuple[str, str]]] = {}
    for host_id, section, status, error in connection.execute(_SECTIONS, ([host.id for host in hosts if host.is_newest],)):
        now.setdefault(host_id, {})[section] = (status, error)
    return {host.id: unread_of(host.platform, now.get(host.id) or _sections(host.sections)) for host in hosts}


def _sections(stored: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    """(status, error) of each section as it was when the configuration was stored."""
    found = {name: ("ok", "") for name in stored if not name.startswith("!")}
    for name, said in stored.items():
        if name.startswith("!"):
            status, _, error = said.partition(": ")
            found[name[1:]] = (status, error)
    return found
