"""Waivers as they meet a host that is being evaluated: which do, which of them its configuration ends, and how that is written.

Shared by check-in and re-evaluation; both hold the host's lock.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from plumbline.core.facts.configuration import Configuration
from plumbline.evaluation.statements import TRIPPED
from plumbline.evaluation.trip_wires import touched


class ActiveWaiver(NamedTuple):
    """A waiver that may meet a host. Empty subject: any. `trip_wires` are addresses of settings with the value they had."""

    id: int
    rule_no: int
    subject_kind: str
    subject_id: str
    trip_wires: Mapping[str, object]


# One row for each rule that a waiver covers: its own and those linked to it. A waiver past its end covers nothing, even before its end is
# written. A waiver that a trip-wire ended for a host no longer covers that host.
READ_WAIVERS = """
SELECT h.id, w.id, asked.rule_no, w.subject_kind, w.subject_id, coalesce(mine.wires, w.trip_wires)
FROM host h JOIN host_group g ON g.id = h.group_id
JOIN waiver w ON w.state = 'active' AND w.expires_at > now() AND (
  w.host_id = h.id
  OR (NOT w.is_listed AND w.group_id = ANY(string_to_array(trim(both '/' from g.path), '/')::int[]))
  OR (w.is_listed AND EXISTS (SELECT FROM waiver_host l WHERE l.waiver_id = w.id AND l.host_id = h.id)))
LEFT JOIN waiver_host mine ON mine.waiver_id = w.id AND mine.host_id = h.id
CROSS JOIN LATERAL unnest(w.rule_no || w.also_rule_nos) AS asked (rule_no)
WHERE h.id = ANY(%s) AND mine.tripped_at IS NULL ORDER BY w.id, asked.rule_no
"""


# A waiver on one host ends. One on several hosts or a group ends for that host and continues for the others, until the last listed host is
# gone. Each end is recorded in the audit log in its own transaction.
TRIP_WAIVERS = f"""
WITH hit AS (SELECT DISTINCT ON (waiver_id, host_id) waiver_id, host_id, words
             FROM {TRIPPED.rows}),
noted AS (
  INSERT INTO waiver_host (waiver_id, host_id, wires, tripped_at, words)
  SELECT hit.waiver_id, hit.host_id, '{{}}', clock_timestamp(), hit.words FROM hit JOIN waiver w ON w.id = hit.waiver_id
  WHERE w.state = 'active'
  ON CONFLICT (waiver_id, host_id) DO UPDATE SET tripped_at = excluded.tripped_at, words = excluded.words
  RETURNING waiver_id, host_id, words),
logged AS (
  INSERT INTO audit_entry (actor, action, object_kind, object_id, group_id, after, reason, request_id)
  SELECT 'system', 'waiver.tripped', 'waiver', noted.waiver_id::text, h.group_id, jsonb_build_object('host', h.name), noted.words, ''
  FROM noted JOIN host h ON h.id = noted.host_id)
UPDATE waiver w SET state = 'tripped', ended_at = clock_timestamp(), end_words = noted.words
FROM noted WHERE w.id = noted.waiver_id AND w.state = 'active' AND (w.host_id IS NOT NULL OR (w.is_listed AND NOT EXISTS (
  SELECT FROM waiver_host other WHERE other.waiver_id = w.id AND other.tripped_at IS NULL
  AND other.host_id NOT IN (SELECT host_id FROM hit WHERE hit.waiver_id = w.id))))
"""  # noqa: S608 (constants of the program)


def waivers_by_host(rows: Iterable[Sequence[Any]]) -> dict[str, list[ActiveWaiver]]:
    """The rows of `READ_WAIVERS` by host."""
    found: dict[str, list[ActiveWaiver]] = {}
    for host_id, *rest in rows:
        found.setdefault(host_id, []).append(ActiveWaiver(*rest))
    return found


def tripped_waivers(waivers: Sequence[ActiveWaiver], configuration: Configuration) -> dict[int, str]:
    """Waivers that end for this host because something they rest on has another value now: which value, in words."""
    found = {waiver.id: touched(configuration, waiver.trip_wires) for waiver in waivers}
    return {waiver_id: words for waiver_id, words in found.items() if words}
