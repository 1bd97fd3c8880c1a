"""The SQL of check-ins. Every statement takes arrays, so that a batch of any size costs the same number of them."""

# Statements are put together from the constants of the program alone.
# ruff: noqa: S608

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from plumbline.evaluation.rollups import HostFigures
from plumbline.evaluation.statements import FIGURES
from plumbline.infra.columns import (
    BigInt,
    BigIntOrNull,
    Bool,
    Bytes,
    BytesOrNull,
    ColumnTable,
    FloatOrNull,
    Int,
    IntOrNull,
    Json,
    JsonOrNull,
    SmallInt,
    SmallIntsOrNull,
    Text,
    TextOrNull,
    Texts,
    TextsOrNull,
    Time,
)
from plumbline.models.hosts import is_peer

# An agent leaves out the numbers of what it thinned and rejected: this is a month at one check-in a minute. Above that it is reported:
# a person with a copy of the secret can shut the host out by a number that the host never reaches.
LEAP = 50_000

# --- what the store transaction reads ----------------------------------------------------------------------------------------------------


class HostRow(NamedTuple):
    """A host's row as locked; `now` is the database's clock, read under the lock."""

    id: str
    name: str
    platform: str
    group_id: int
    state: str
    source: str
    epoch: int
    generation: int
    next_generation: int | None
    key_id: str
    next_key_id: str
    last_seq: int
    recent_seqs: bytes
    boots: list[str]
    alarm: str
    agent_version: str
    overrides: dict[str, str]
    configuration_id: int | None
    rules_epoch: int
    interval_seconds: int
    last_seen_at: datetime | None
    counters_mark: bytes | None
    counters_order: list[int] | None
    now: datetime
    figures: HostFigures

    @classmethod
    def of(cls, row: Sequence[Any]) -> "HostRow":
        """From a row of `LOCK_HOSTS`."""
        return cls._make((*row[:24], HostFigures(*row[24:35])))

    @property
    def is_member(self) -> bool:
        """It is compared with its peers, and they with it."""
        return is_peer(self.state, self.source)

    @property
    def seen_before(self) -> int | None:
        """The time of the check-in before, in seconds since 1970."""
        return None if self.last_seen_at is None else int(self.last_seen_at.timestamp())


_HOST_COLUMNS = f"{', '.join(HostRow._fields[:23])}, clock_timestamp(), {FIGURES}"
# The clock is read outside the CTE, that is, after the lock of the row is held. Every writer locks hosts in the order of their ids.
LOCK_HOSTS = f"""
WITH host AS MATERIALIZED (SELECT * FROM host WHERE id = ANY(%s) ORDER BY id FOR NO KEY UPDATE) SELECT {_HOST_COLUMNS} FROM host
"""
READ_SECTIONS = "SELECT host_id, section, status, error, sha256, body_id FROM host_section WHERE host_id = ANY(%s)"
# Other digests of bodies that are current; older ones are found by `FIND_ALIASES` when a host goes back to them.
READ_ALIASES = """
SELECT a.host_id, a.section, a.sha256 FROM section_body_alias a
JOIN host_section s ON s.host_id = a.host_id AND s.section = a.section AND s.body_id = a.body_id
WHERE a.host_id = ANY(%s)
"""
READ_RULES_EPOCH = "SELECT rules_epoch FROM installation"


class WantedRow(NamedTuple):
    """A digest that a check-in names without its body."""

    host_id: Text
    owner: Text
    section: Text
    sha256: Bytes


WANTED = ColumnTable(WantedRow)
FIND_BODIES = f"""
SELECT v.host_id, v.section, b.id, b.content, b.dictionary_id FROM {WANTED.rows}
JOIN section_body b ON b.host_id = v.owner AND b.section = v.section AND b.sha256 = v.sha256
UNION ALL
SELECT w.host_id, w.section, b.id, b.content, b.dictionary_id FROM {ColumnTable(WantedRow, "w").rows}
JOIN section_body_alias a ON a.host_id = w.host_id AND a.section = w.section AND a.sha256 = w.sha256
JOIN section_body b ON b.id = a.body_id
"""
READ_BODIES = "SELECT id, content, dictionary_id FROM section_body WHERE id = ANY(%s)"


class JobRow(NamedTuple):
    """A row of `READ_JOBS`: a job that began a step. `steps`: those of the plan for this host; `begun`: the numbers of those begun."""

    host_id: str
    job_id: int
    plan_id: int
    is_undo: bool
    requested_by: str
    is_recent: bool
    steps: list[dict[str, Any]]
    begun: list[int]


# Jobs that began a step and ran lately on these hosts, with the signed steps of the host. A job that ended before the check-in before may
# still have written what shows now: a check-in that was read before the write is stored after it.
READ_JOBS = """
SELECT j.host_id, j.id, j.plan_id, j.kind = 'undo', CASE WHEN j.requested_by <> '' THEN j.requested_by ELSE p.author END,
       coalesce(j.finished_at > h.last_seen_at, j.state <> 'NEEDS_HUMAN'), part.value->'steps',
       ARRAY(SELECT s.step_no FROM job_step s WHERE s.job_id = j.id AND s.intent_at IS NOT NULL)
FROM job j JOIN host h ON h.id = j.host_id JOIN plan p ON p.id = j.plan_id
CROSS JOIN LATERAL (SELECT value FROM jsonb_array_elements(p.document::jsonb->'hosts') WHERE value->>'host' = j.host_id) part
WHERE j.host_id = ANY(%s) AND j.first_intent_at IS NOT NULL
  AND (j.finished_at IS NULL OR j.finished_at > h.last_seen_at - interval '1 hour')
"""
READ_SERIES = "SELECT host_id, subject, name, no FROM counter_series WHERE host_id = ANY(%s)"

# --- what it writes ----------------------------------------------------------------------------------------------------------------------


class TouchRow(NamedTuple):
    """What every check-in changes of its host's row. NULL in `failed_sections` or `counters_mark`: unchanged."""

    id: Text
    epoch: Int
    last_seq: BigInt
    entry: Bytes
    gap: BigInt
    boots: Texts
    alarm: Text
    generation: Int
    next_generation: IntOrNull
    key_id: Text
    next_key_id: Text
    now: Time
    skew_seconds: FloatOrNull
    agent_version: Text
    runner_hash: Text
    failed_sections: TextsOrNull
    sections_digest: Bytes
    counters_mark: BytesOrNull
    counters_order: SmallIntsOrNull


class AlarmRow(NamedTuple):
    """An alarm on a host whose check-in was refused."""

    id: Text
    alarm: Text


class CheckInRow(NamedTuple):
    """A row of `check_in`."""

    host_id: Text
    epoch: Int
    seq: BigInt
    received_at: Time
    digest: Bytes
    made_at: Text
    is_changed: Bool
    size_bytes: Int
    rejected: Int
    thinned: Int
    runner_before: Text
    runner_after: Text


class SeriesRow(NamedTuple):
    """A row of `counter_series`."""

    host_id: Text
    no: SmallInt
    subject: Text
    name: Text
    kind: Text


class SampleRow(NamedTuple):
    """A row of `counter_sample`; the values as the text of an array."""

    host_id: Text
    at: Time
    uptime_seconds: BigInt
    values: TextOrNull


class BodyRow(NamedTuple):
    """A row of `section_body`."""

    host_id: Text
    section: Text
    sha256: Bytes
    content: Bytes
    dictionary_id: IntOrNull
    size_bytes: Int


class AliasRow(NamedTuple):
    """A row of `section_body_alias`."""

    host_id: Text
    section: Text
    sha256: Bytes
    body_id: BigInt


class SectionRow(NamedTuple):
    """A row of `host_section`. `owner`: the host id under which the body is stored, for a body whose `body_id` is not known yet."""

    host_id: Text
    section: Text
    status: Text
    error: Text
    sha256: BytesOrNull
    body_id: BigIntOrNull
    took_ms: IntOrNull
    changed_at: Time
    owner: Text


class ConfigurationRow(NamedTuple):
    """A row of `host_configuration`, and what lists show of it on the host's row."""

    host_id: Text
    epoch: Int
    seq: BigInt
    received_at: Time
    document: Bytes
    dictionary_id: IntOrNull
    sections: Json
    os_name: Text
    os_release: Text
    cluster: Text
    families: Texts
    initiator_modes: Texts
    paths_healthy: IntOrNull
    paths_total: IntOrNull
    is_restart_pending: Bool


class ChangeRow(NamedTuple):
    """A row of `setting_change`; `old` and `new` are readings."""

    received_at: Time
    host_id: Text
    seq: BigInt
    subject_kind: Text
    subject_id: Text
    key: Text
    old: JsonOrNull
    new: JsonOrNull
    cause: Text
    cause_detail: Text
    alike: Text
    job_id: IntOrNull


TOUCHED = ColumnTable(TouchRow)
ALARMS = ColumnTable(AlarmRow)
CHECK_INS = ColumnTable(CheckInRow)
SERIES = ColumnTable(SeriesRow)
SAMPLES = ColumnTable(SampleRow)
BODIES = ColumnTable(BodyRow)
ALIASES = ColumnTable(AliasRow)
SECTIONS = ColumnTable(SectionRow)
CONFIGURATIONS = ColumnTable(ConfigurationRow)
CHANGES = ColumnTable(ChangeRow)

_SPECIAL = ("id", "entry", "gap", "alarm", "now", "failed_sections", "counters_mark", "counters_order")
TOUCH = f"""
UPDATE host AS h SET {TOUCHED.assigned(*_SPECIAL)}, last_seen_at = v.now,
  recent_seqs = CASE WHEN h.epoch = v.epoch
    THEN substring(h.recent_seqs || v.entry FROM greatest(1, octet_length(h.recent_seqs) + 24 - 767)) ELSE v.entry END,
  seq_gaps = least(h.seq_gaps::numeric + v.gap, 9223372036854775807)::bigint, alarm = CASE WHEN v.alarm = '' THEN h.alarm ELSE v.alarm END,
  failed_sections = coalesce({TOUCHED.value("failed_sections")}, h.failed_sections),
  last_changed_at = CASE WHEN v.failed_sections IS NULL THEN h.last_changed_at ELSE v.now END,
  counters_mark = coalesce(v.counters_mark, h.counters_mark),
  counters_order = CASE WHEN v.counters_mark IS NULL THEN h.counters_order ELSE {TOUCHED.value("counters_order")} END
FROM {TOUCHED.rows} WHERE h.id = v.id
"""
SET_ALARMS = f"UPDATE host AS h SET alarm = v.alarm FROM {ALARMS.rows} WHERE h.id = v.id AND h.alarm = ''"
INSERT_CHECK_INS = f"INSERT INTO check_in {CHECK_INS.inserted}"
INSERT_SERIES = f"INSERT INTO counter_series {SERIES.inserted} ON CONFLICT DO NOTHING"
INSERT_SAMPLES = f"""
INSERT INTO counter_sample ({SAMPLES.names}) SELECT v.host_id, v.at, v.uptime_seconds, v.values::float8[] FROM {SAMPLES.rows}
ON CONFLICT DO NOTHING
"""
# A body may be stored already, by this host earlier or, where it is shared, by another process a moment ago. Its row is then locked, so
# that it is not purged before its section refers to it.
INSERT_BODIES = f"""
INSERT INTO section_body {BODIES.inserted}
ON CONFLICT (host_id, section, sha256) DO UPDATE SET size_bytes = excluded.size_bytes
"""
INSERT_ALIASES = f"""
INSERT INTO section_body_alias {ALIASES.inserted}
ON CONFLICT (host_id, section, sha256) DO UPDATE SET body_id = excluded.body_id, named_at = now()
"""
UPSERT_SECTIONS = f"""
INSERT INTO host_section AS old (host_id, section, status, error, sha256, body_id, took_ms, changed_at)
SELECT v.host_id, v.section, v.status, v.error, v.sha256, coalesce(v.body_id, b.id), v.took_ms, v.changed_at FROM {SECTIONS.rows}
LEFT JOIN section_body b ON b.host_id = v.owner AND b.section = v.section AND b.sha256 = v.sha256
ON CONFLICT (host_id, section) DO UPDATE SET status = excluded.status, error = excluded.error, sha256 = excluded.sha256,
  body_id = excluded.body_id, took_ms = excluded.took_ms, changed_at = excluded.changed_at
"""
_STORED = ("host_id", "epoch", "seq", "received_at", "document", "dictionary_id", "sections")
_SHOWN = tuple(name for name in ConfigurationRow._fields if name not in _STORED)
# New configurations, and the rows of their hosts.
STORE_CONFIGURATIONS = f"""
WITH v AS MATERIALIZED (
  SELECT {CONFIGURATIONS.values} FROM {CONFIGURATIONS.rows}
), stored AS (
  INSERT INTO host_configuration ({", ".join(_STORED)}) SELECT {", ".join(_STORED)} FROM v RETURNING host_id, id
)
UPDATE host AS h SET configuration_id = stored.id, {", ".join(f"{name} = v.{name}" for name in _SHOWN)}
FROM v JOIN stored ON stored.host_id = v.host_id WHERE h.id = v.host_id
"""
INSERT_CHANGES = f"INSERT INTO setting_change {CHANGES.inserted}"
