"""The SQL of heartbeats: one statement for a whole batch."""

# Statements are put together from the constants of the program alone.
# ruff: noqa: S608

from typing import NamedTuple

from plumbline.checkin.statements import LEAP
from plumbline.infra.columns import BigInt, Bool, Bytes, BytesOrNull, ColumnTable, FloatOrNull, Int, Text, TextOrNull


class HeartbeatRow(NamedTuple):
    """A check-in that may be a heartbeat: the values that are compared with the host's row, and those that are written to it."""

    id: Text
    epoch: Int
    seq: BigInt
    generation: Int
    key_id: Text
    is_newest_key: Bool
    boot: Text
    sections_digest: Bytes
    counters_mark: BytesOrNull
    entry: Bytes
    host_clock: FloatOrNull
    agent_version: Text
    runner_hash: Text
    uptime: BigInt
    values: TextOrNull


HEARTBEATS = ColumnTable(HeartbeatRow)
# The values of a check-in in the order of the host's series. NULL in counters_order: they are sent in that order.
_ORDERED = """
CASE WHEN s.counters_order IS NULL THEN s.values::float8[] ELSE ARRAY(
  SELECT sent.value FROM generate_series(0, (SELECT max(each) FROM unnest(s.counters_order) AS each)) AS number (no)
  LEFT JOIN unnest(s.values::float8[], s.counters_order) AS sent (value, no) ON sent.no = number.no ORDER BY number.no) END
"""
# A whole batch of heartbeats: lock, compare, write, counters; it is a transaction by itself. The columns that are compared, and the clock,
# are read after the lock of the row is held. The host's clock is compared with the clock at the start of the statement, so that waiting for
# the lock does not count. Nothing is written for a host that is missing from the result: it is gone, or something differs.
STORE_HEARTBEATS = f"""
WITH v AS MATERIALIZED (
  SELECT {HEARTBEATS.values} FROM {HEARTBEATS.rows}
), held AS MATERIALIZED (
  SELECT id, state, epoch, last_seq, generation, next_generation, key_id, next_key_id, boots, sections_digest, counters_mark,
         counters_order, interval_seconds, last_seen_at
  FROM host WHERE id = ANY(%s::text[]) ORDER BY id FOR NO KEY UPDATE
), s AS MATERIALIZED (
  SELECT v.*, held.last_seq, held.next_generation, held.next_key_id, held.counters_order, held.interval_seconds, held.last_seen_at,
         clock_timestamp() AS now
  FROM held JOIN v ON v.id = held.id
  WHERE held.sections_digest = v.sections_digest AND held.state IN ('active', 'waiting')
    AND held.epoch = v.epoch AND held.last_seq < v.seq AND v.seq - held.last_seq <= {LEAP}
    AND held.generation = v.generation AND held.key_id = v.key_id
    AND (v.is_newest_key OR held.next_generation IS NOT NULL)
    AND held.boots[cardinality(held.boots)] = v.boot
    AND (v.counters_mark IS NULL OR held.counters_mark = v.counters_mark)
), touched AS (
  UPDATE host AS h SET last_seq = s.seq,
    recent_seqs = substring(h.recent_seqs || s.entry FROM greatest(1, octet_length(h.recent_seqs) + 24 - 767)),
    seq_gaps = CASE WHEN h.last_seq = 0 THEN h.seq_gaps
      ELSE least(h.seq_gaps::numeric + s.seq - h.last_seq - 1, 9223372036854775807)::bigint END,
    last_seen_at = s.now, skew_seconds = s.host_clock - extract(epoch FROM statement_timestamp())::float8,
    agent_version = s.agent_version, runner_hash = s.runner_hash
  FROM s WHERE h.id = s.id
), sampled AS (
  INSERT INTO counter_sample (host_id, at, uptime_seconds, values)
  SELECT s.id, s.now, s.uptime, {_ORDERED} FROM s WHERE s.counters_mark IS NOT NULL ON CONFLICT DO NOTHING
)
SELECT id, floor(date_part('epoch', now))::bigint, floor(date_part('epoch', last_seen_at))::bigint, interval_seconds, next_generation,
       next_key_id
FROM s
"""


class HeartbeatAnswer(NamedTuple):
    """A row of the result of `STORE_HEARTBEATS`; times in seconds since 1970."""

    id: str
    now: int
    seen_before: int | None
    interval_seconds: int
    next_generation: int | None
    next_key_id: str
