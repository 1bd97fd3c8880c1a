"""The SQL of the committer. Every statement takes arrays, so that a batch of any size costs the same number of them."""

# Statements are put together from the constants of this file alone.
# ruff: noqa: E501, S608

BEGIN = "BEGIN"
COMMIT = "COMMIT"
ROLLBACK = "ROLLBACK"

# The clock is read outside the CTE, so after the lock of the row is held; row order is the lock order that every writer keeps.
LOCK = """
WITH held AS MATERIALIZED (
  SELECT id, epoch, last_seq, state_version, judging_epoch, generation, next_generation, state, interval_seconds, last_seen_at
  FROM host WHERE id = ANY(%s) ORDER BY id FOR NO KEY UPDATE
)
SELECT held.*, clock_timestamp() FROM held
"""
# What a verdict may rest on besides the host itself: the rules in force, and the versions of the domains of its neighbours.
JUDGING_EPOCH = """
SELECT judging_epoch, (SELECT json_object_agg(domain, version) FROM peer_domain WHERE domain = ANY(%s::text[])) FROM installation
"""

# What every check-in moves of its host's row: settings, types of the columns and their names.
_TOUCHED = """
  epoch = v.epoch,
  last_seq = v.seq,
  accepted = CASE WHEN h.epoch = v.epoch
    THEN substring(h.accepted || v.entry FROM greatest(1, octet_length(h.accepted) + 24 - 767)) ELSE v.entry END,
  seq_gaps = h.seq_gaps + v.gap,
  boots = string_to_array(v.boots, ','),
  alarm = CASE WHEN v.alarm = '' THEN h.alarm ELSE v.alarm END,
  generation = v.generation, next_generation = v.next_generation, key_id = v.key_id, next_key_id = v.next_key_id,
  last_seen_at = v.now, skew_seconds = v.skew, agent_version = v.agent, runner_hash = v.runner
"""
_TOUCHED_TYPES = """
  %s::text[], %s::int[], %s::bigint[], %s::bytea[], %s::int[], %s::text[], %s::text[], %s::int[], %s::int[], %s::text[], %s::text[],
  %s::timestamptz[], %s::float8[], %s::text[], %s::text[]
"""
_TOUCHED_NAMES = "id, epoch, seq, entry, gap, boots, alarm, generation, next_generation, key_id, next_key_id, now, skew, agent, runner"
# What a new configuration moves.
_CONFIGURED = """
  configuration_id = v.configuration, os_name = v.os_name, os_release = v.os_release, cluster = v.cluster,
  families = string_to_array(v.families, ','), initiator_modes = string_to_array(v.modes, ','),
  paths_healthy = v.healthy, paths_total = v.total, is_restart_pending = v.pending
"""
_CONFIGURED_TYPES = "%s::bigint[], %s::text[], %s::text[], %s::text[], %s::text[], %s::text[], %s::int[], %s::int[], %s::bool[]"
_CONFIGURED_NAMES = "configuration, os_name, os_release, cluster, families, modes, healthy, total, pending"

TOUCH = f"UPDATE host AS h SET {_TOUCHED} FROM unnest({_TOUCHED_TYPES}) AS v ({_TOUCHED_NAMES}) WHERE h.id = v.id"
# Touch, failed sections and configuration in one: each further statement would write the whole row once more.
TOUCH_CONFIGURED = f"""
UPDATE host AS h SET {_TOUCHED}, failed_sections = string_to_array(v.failed, ','), last_changed_at = v.now, {_CONFIGURED}
FROM unnest({_TOUCHED_TYPES}, %s::text[], {_CONFIGURED_TYPES}) AS v ({_TOUCHED_NAMES}, failed, {_CONFIGURED_NAMES}) WHERE h.id = v.id
"""
# All of a batch of heartbeats: lock, compare, write, and the counters; alone in its transaction, it commits too. What is compared is read
# after the lock of the row is held, and so is the clock. The host's clock is compared with that of the statement's arrival, since what the
# lock took is no part of the difference. Without a row in the answer the host is gone, or is not as the decision had it: nothing was written.
STORE_HEARTBEATS = """
WITH v AS MATERIALIZED (
  SELECT * FROM unnest(
    %s::text[], %s::int[], %s::bigint[], %s::bigint[], %s::bigint[], %s::int[], %s::int[], %s::text[], %s::bigint[], %s::bytea[], %s::int[],
    %s::text[], %s::text[], %s::float8[], %s::text[], %s::text[], %s::bigint[], %s::text[]
  ) AS v (id, epoch, last_seq, state_version, judging_epoch, generation, next_generation, state, seq, entry, gap,
          boots, alarm, sent_at, agent, runner, uptime, list)
), held AS MATERIALIZED (
  SELECT id, epoch, last_seq, state_version, judging_epoch, generation, next_generation, state, interval_seconds, last_seen_at
  FROM host WHERE id = ANY(%s::text[]) ORDER BY id FOR NO KEY UPDATE
), stands AS MATERIALIZED (
  SELECT v.*, held.interval_seconds, held.last_seen_at, clock_timestamp() AS now
  FROM held JOIN v ON v.id = held.id
  WHERE (held.epoch, held.last_seq, held.state_version, held.judging_epoch, held.generation, held.state)
      = (v.epoch, v.last_seq, v.state_version, v.judging_epoch, v.generation, v.state)
    AND held.next_generation IS NOT DISTINCT FROM v.next_generation
), touched AS (
  UPDATE host AS h SET last_seq = s.seq,
    accepted = substring(h.accepted || s.entry FROM greatest(1, octet_length(h.accepted) + 24 - 767)),
    seq_gaps = h.seq_gaps + s.gap, boots = string_to_array(s.boots, ','),
    alarm = CASE WHEN s.alarm = '' THEN h.alarm ELSE s.alarm END,
    last_seen_at = s.now, skew_seconds = s.sent_at - extract(epoch FROM statement_timestamp())::float8,
    agent_version = s.agent, runner_hash = s.runner
  FROM stands AS s WHERE h.id = s.id
), sampled AS (
  INSERT INTO counter_sample (host_id, at, uptime_seconds, values)
  SELECT id, now, uptime, list::float8[] FROM stands WHERE list IS NOT NULL ON CONFLICT DO NOTHING
)
SELECT id, floor(date_part('epoch', now))::bigint, interval_seconds, floor(date_part('epoch', last_seen_at))::bigint FROM stands
"""
ALARM = "UPDATE host AS h SET alarm = v.alarm FROM unnest(%s::text[], %s::text[]) AS v (id, alarm) WHERE h.id = v.id AND h.alarm = ''"

INSERT_CHECK_INS = """
INSERT INTO check_in (host_id, epoch, seq, received_at, digest, made_at, is_changed, size_bytes, rejected, thinned, runner_before, runner_after)
SELECT * FROM unnest(%s::text[], %s::int[], %s::bigint[], %s::timestamptz[], %s::bytea[], %s::text[], %s::bool[], %s::int[], %s::int[], %s::int[],
                     %s::text[], %s::text[])
"""

# A body that is there already, stored by this host before or, where it is shared, by another process a moment ago, answers with its id too.
INSERT_BODIES = """
INSERT INTO section_body (host_id, section, sha256, content, dictionary_id, size_bytes)
SELECT * FROM unnest(%s::text[], %s::text[], %s::bytea[], %s::bytea[], %s::int[], %s::int[])
ON CONFLICT (host_id, section, sha256) DO UPDATE SET size_bytes = excluded.size_bytes
RETURNING host_id, section, sha256, id
"""
FIND_BODIES = """
SELECT b.host_id, b.section, b.sha256, b.id FROM section_body b
JOIN unnest(%s::text[], %s::text[], %s::bytea[]) AS v (host_id, section, sha256)
  ON b.host_id = v.host_id AND b.section = v.section AND b.sha256 = v.sha256
"""
FIND_NAMED = """
SELECT n.section, n.sha256, n.body_id FROM section_name n
JOIN unnest(%s::text[], %s::bytea[]) AS v (section, sha256) ON n.host_id = %s AND n.section = v.section AND n.sha256 = v.sha256
"""
READ_BODIES = "SELECT id, section, content, dictionary_id FROM section_body WHERE id = ANY(%s)"
READ_DICTIONARIES = "SELECT purpose, id, content FROM compression_dictionary WHERE id <> ALL(%s) ORDER BY id"
INSERT_NAMES = """
INSERT INTO section_name (host_id, section, sha256, body_id)
SELECT * FROM unnest(%s::text[], %s::text[], %s::bytea[], %s::bigint[])
ON CONFLICT (host_id, section, sha256) DO UPDATE SET body_id = excluded.body_id, named_at = now()
"""
UPSERT_SECTIONS = """
INSERT INTO host_section (host_id, section, status, error, sha256, body_id, took_ms, changed_at)
SELECT * FROM unnest(%s::text[], %s::text[], %s::text[], %s::text[], %s::bytea[], %s::bigint[], %s::int[], %s::timestamptz[])
ON CONFLICT (host_id, section) DO UPDATE SET status = excluded.status, error = excluded.error, sha256 = excluded.sha256,
  body_id = excluded.body_id, took_ms = excluded.took_ms, changed_at = excluded.changed_at
"""
FAILED_SECTIONS = """
UPDATE host AS h SET failed_sections = string_to_array(v.failed, ','), last_changed_at = v.now
FROM unnest(%s::text[], %s::text[], %s::timestamptz[]) AS v (id, failed, now) WHERE h.id = v.id
"""
INSERT_CONFIGURATIONS = """
INSERT INTO host_configuration (host_id, epoch, seq, received_at, document, dictionary_id, sections)
SELECT v.id, v.epoch, v.seq, v.at, v.document, v.dictionary, v.sections::jsonb
FROM unnest(%s::text[], %s::int[], %s::bigint[], %s::timestamptz[], %s::bytea[], %s::int[], %s::text[])
  AS v (id, epoch, seq, at, document, dictionary, sections)
RETURNING host_id, id
"""
READ_CONFIGURATION = "SELECT document, dictionary_id FROM host_configuration WHERE id = %s"
INSERT_CHANGES = """
INSERT INTO setting_change (received_at, host_id, seq, subject_kind, subject_id, key, old, new, cause, cause_detail, alike)
SELECT v.at, v.host, v.seq, v.kind, v.subject, v.key, v.old::jsonb, v.new::jsonb, v.cause, v.detail, v.alike
FROM unnest(%s::timestamptz[], %s::text[], %s::bigint[], %s::text[], %s::text[], %s::text[], %s::text[], %s::text[], %s::text[], %s::text[], %s::text[])
  AS v (at, host, seq, kind, subject, key, old, new, cause, detail, alike)
"""
SET_CONFIGURATION = f"""
UPDATE host AS h SET {_CONFIGURED} FROM unnest(%s::text[], {_CONFIGURED_TYPES}) AS v (id, {_CONFIGURED_NAMES}) WHERE h.id = v.id
"""
