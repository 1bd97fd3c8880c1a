"""The SQL of changed check-ins that rest on memory: everything of a batch in one statement, after one that locks the hosts' rows."""

# Statements are put together from the constants of the program alone.
# ruff: noqa: E501, S608

import re
from itertools import count

from plumbline.evaluation.statements import FINDING_COLUMNS, ON_KNOWN_FINDING

LOCK_HOSTS = "SELECT id FROM host WHERE id = ANY(%s::text[]) ORDER BY id FOR NO KEY UPDATE"

# Stands for the time at which the row is written, where the time of a row is one of several.
AT_COMMIT = "timestamptz '0001-01-01 00:00:00+00'"

# The hosts that still stand as the decision had them, and the clock; read after the locks are held, by a statement of its own. A verdict
# stands only under the rules that it was made under, and beside neighbours of the versions that it was compared with.
_STANDS = """
WITH v AS MATERIALIZED (
  SELECT * FROM unnest(
    %s::text[], %s::int[], %s::bigint[], %s::bigint[], %s::bigint[], %s::int[], %s::int[], %s::text[], %s::bigint[], %s::bytea[], %s::int[],
    %s::text[], %s::text[], %s::float8[], %s::text[], %s::text[], %s::bigint[], %s::text[],
    %s::bigint[], %s::bytea[], %s::text[], %s::int[], %s::int[], %s::int[], %s::text[], %s::text[], %s::text[],
    %s::text[], %s::text[], %s::text[], %s::text[], %s::text[], %s::int[], %s::int[], %s::bool[], %s::bytea[], %s::int[], %s::text[]
  ) AS v (id, epoch, last_seq, state_version, judging_epoch, generation, next_generation, state, seq, entry, gap,
          boots, alarm, sent_at, agent, runner, uptime, list,
          under, digest, made_at, size, rejected, thinned, runner_before, runner_after, failed,
          os_name, os_release, cluster, families, modes, healthy, total, pending, document, dictionary, digests)
), beside AS (
  SELECT * FROM unnest(%s::text[], %s::text[], %s::bigint[]) AS d (host, domain, version)
), stands AS MATERIALIZED (
  SELECT v.*, h.interval_seconds, h.last_seen_at, clock_timestamp() AS now
  FROM host h JOIN v ON v.id = h.id
  WHERE (h.epoch, h.last_seq, h.state_version, h.judging_epoch, h.generation, h.state)
      = (v.epoch, v.last_seq, v.state_version, v.judging_epoch, v.generation, v.state)
    AND h.next_generation IS NOT DISTINCT FROM v.next_generation
    AND (v.under IS NULL OR v.under = (SELECT judging_epoch FROM installation))
    AND NOT EXISTS (SELECT FROM beside d LEFT JOIN peer_domain p ON p.domain = d.domain
                    WHERE d.host = v.id AND coalesce(p.version, 0) <> d.version)
)"""

# Shared bodies in one order in every process, so that two batches with the same ones cannot wait for each other.
_STORED = """, bodies AS (
  INSERT INTO section_body (host_id, section, sha256, content, dictionary_id, size_bytes)
  SELECT DISTINCT ON (b.owner, b.section, b.sha256) b.owner, b.section, b.sha256, b.content, b.dictionary, b.size
  FROM unnest(%s::text[], %s::text[], %s::text[], %s::bytea[], %s::bytea[], %s::int[], %s::int[])
    AS b (host, owner, section, sha256, content, dictionary, size) JOIN stands s ON s.id = b.host
  ORDER BY b.owner, b.section, b.sha256
  ON CONFLICT (host_id, section, sha256) DO UPDATE SET size_bytes = excluded.size_bytes
  RETURNING host_id, section, sha256, id
), placed AS (
  INSERT INTO host_section (host_id, section, status, error, sha256, body_id, took_ms, changed_at)
  SELECT s.id, n.section, n.status, n.error, n.sha256, coalesce(n.body, b.id), n.took, s.now
  FROM unnest(%s::text[], %s::text[], %s::text[], %s::text[], %s::text[], %s::bytea[], %s::bigint[], %s::int[])
    AS n (host, section, owner, status, error, sha256, body, took) JOIN stands s ON s.id = n.host
  LEFT JOIN bodies b ON b.host_id = n.owner AND b.section = n.section AND b.sha256 = n.sha256
  ON CONFLICT (host_id, section) DO UPDATE SET status = excluded.status, error = excluded.error, sha256 = excluded.sha256,
    body_id = excluded.body_id, took_ms = excluded.took_ms, changed_at = excluded.changed_at
  RETURNING host_id, section, body_id
), stored AS (
  INSERT INTO host_configuration (host_id, epoch, seq, received_at, document, dictionary_id, sections)
  SELECT id, epoch, seq, now, document, dictionary, digests::jsonb FROM stands
  RETURNING host_id, id
), noted AS (
  INSERT INTO check_in (host_id, epoch, seq, received_at, digest, made_at, is_changed, size_bytes, rejected, thinned, runner_before, runner_after)
  SELECT id, epoch, seq, now, digest, made_at, true, size, rejected, thinned, runner_before, runner_after FROM stands
), sampled AS (
  INSERT INTO counter_sample (host_id, at, uptime_seconds, values)
  SELECT id, now, uptime, list::float8[] FROM stands WHERE list IS NOT NULL ON CONFLICT DO NOTHING
), logged AS (
  INSERT INTO setting_change (received_at, host_id, seq, subject_kind, subject_id, key, old, new, cause, cause_detail, alike)
  SELECT s.now, s.id, s.seq, c.kind, c.subject, c.key, c.old::jsonb, c.new::jsonb, c.cause, c.detail, c.alike
  FROM unnest(%s::text[], %s::text[], %s::text[], %s::text[], %s::text[], %s::text[], %s::text[], %s::text[], %s::text[])
    AS c (host, kind, subject, key, old, new, cause, detail, alike) JOIN stands s ON s.id = c.host
)"""

_FOUND = f""", found AS (
  INSERT INTO finding ({FINDING_COLUMNS})
  SELECT f.host, f.rule, f.skind, f.sid, f.outcome, f.kind, f.reason, f.observed, f.expected, f.source::jsonb, f.hash, f.by,
         CASE WHEN f.since = {AT_COMMIT} THEN s.now ELSE f.since END, CASE WHEN f.failing = {AT_COMMIT} THEN s.now ELSE f.failing END,
         f.waiver, f.excluded, f.told
  FROM unnest(%s::text[], %s::smallint[], %s::text[], %s::text[], %s::text[], %s::text[], %s::text[], %s::text[], %s::text[], %s::text[],
              %s::text[], %s::int[], %s::timestamptz[], %s::timestamptz[], %s::int[], %s::text[], %s::smallint[])
    AS f (host, rule, skind, sid, outcome, kind, reason, observed, expected, source, hash, by, since, failing, waiver, excluded, told)
  JOIN stands s ON s.id = f.host
  {ON_KNOWN_FINDING}
)"""

# Only where some outcome moved. A host that does not stand must not be in the rollups either, so that they are summed here.
_MOVED = """, verdicts AS MATERIALIZED (
  SELECT * FROM unnest(%s::text[], %s::bigint[], %s::smallint[], %s::smallint[], %s::text[], %s::float8[], %s::int[], %s::int[], %s::int[], %s::int[], %s::int[],
                       %s::int[], %s::int[], %s::int[], %s::text[])
    AS v (id, epoch, score, bare, capped, coverage, n_pass, n_fail, n_unknown, n_na, n_waived, n_excluded, n_guard, worst, failing)
), gone AS (
  DELETE FROM finding AS f
  USING unnest(%s::text[], %s::smallint[], %s::text[], %s::text[]) AS x (host, rule, kind, id) JOIN stands s ON s.id = x.host
  WHERE f.host_id = x.host AND f.rule_no = x.rule AND f.subject_kind = x.kind AND f.subject_id = x.id
), told AS (
  INSERT INTO finding_log (at, host_id, rule_no, subject_kind, subject_id, old, new, reason)
  SELECT s.now, l.host, l.rule, l.kind, l.id, l.old, l.new, l.reason
  FROM unnest(%s::text[], %s::smallint[], %s::text[], %s::text[], %s::text[], %s::text[], %s::text[])
    AS l (host, rule, kind, id, old, new, reason) JOIN stands s ON s.id = l.host
), summed AS (
  INSERT INTO rollup_delta (group_id, rule_no, bucket, hosts, subjects, amount)
  SELECT r.group_id, r.rule_no, r.bucket, sum(r.hosts), sum(r.subjects), sum(r.amount)
  FROM unnest(%s::text[], %s::int[], %s::smallint[], %s::text[], %s::int[], %s::int[], %s::float8[])
    AS r (host, group_id, rule_no, bucket, hosts, subjects, amount) JOIN stands s ON s.id = r.host
  GROUP BY 1, 2, 3 HAVING sum(r.hosts) <> 0 OR sum(r.subjects) <> 0 OR sum(r.amount) <> 0 ORDER BY 1, 2, 3
)"""

# One update of the host's row, whatever moves of it. The host's clock is compared with the arrival of the transaction, since what the
# lock took is no part of the difference.
_TOUCHED = """, touched AS (
  UPDATE host AS h SET last_seq = s.seq,
    accepted = substring(h.accepted || s.entry FROM greatest(1, octet_length(h.accepted) + 24 - 767)),
    seq_gaps = h.seq_gaps + s.gap, boots = string_to_array(s.boots, ','),
    alarm = CASE WHEN s.alarm = '' THEN h.alarm ELSE s.alarm END,
    last_seen_at = s.now, skew_seconds = s.sent_at - extract(epoch FROM transaction_timestamp())::float8,
    agent_version = s.agent, runner_hash = s.runner,
    failed_sections = string_to_array(s.failed, ','), last_changed_at = s.now,
    configuration_id = k.id, os_name = s.os_name, os_release = s.os_release, cluster = s.cluster,
    families = string_to_array(s.families, ','), initiator_modes = string_to_array(s.modes, ','),
    paths_healthy = s.healthy, paths_total = s.total, is_restart_pending = s.pending"""
_FROM_STANDS = """
  FROM stands s JOIN stored k ON k.host_id = s.id"""
_JUDGED = {
    "judging_epoch": "epoch", "score": "score", "score_without_waivers": "bare", "capped_by": "capped", "rule_coverage": "coverage",
    "n_pass": "n_pass", "n_fail": "n_fail", "n_unknown": "n_unknown", "n_not_applicable": "n_na", "n_waived": "n_waived",
    "n_excluded": "n_excluded", "n_guard_rail": "n_guard", "worst_rule_no": "worst",
}  # fmt: skip
_VERDICT = "".join(f",\n    {column} = CASE WHEN j.id IS NULL THEN h.{column} ELSE j.{name} END" for column, name in _JUDGED.items()) + (
    ",\n    failing = CASE WHEN j.id IS NULL THEN h.failing ELSE string_to_array(j.failing, ',')::smallint[] END"
)

# Without a row in the answer the host is gone, or is not as the decision had it: nothing of it was written.
_ANSWER = """
  WHERE h.id = s.id
)
SELECT s.id, (extract(epoch FROM s.now) * 1000000)::bigint, s.interval_seconds, floor(date_part('epoch', s.last_seen_at))::bigint, k.id,
  (SELECT string_agg(p.section || ' ' || p.body_id, ',') FROM placed p WHERE p.host_id = s.id AND p.body_id IS NOT NULL)
FROM stands s JOIN stored k ON k.host_id = s.id
"""


def _raw(statement: str) -> bytes:
    """The statement with its places numbered as the server reads them: so long a one the driver would translate anew at every use."""
    numbers = count(1)
    return re.sub("%s", lambda _: f"${next(numbers)}", statement).encode()


STORE_CHANGES = _raw(_STANDS + _STORED + _FOUND + _TOUCHED + _FROM_STANDS + _ANSWER)
STORE_CHANGES_MOVED = _raw(
    _STANDS + _STORED + _FOUND + _MOVED + _TOUCHED + _VERDICT + _FROM_STANDS + "\n  LEFT JOIN verdicts j ON j.id = s.id" + _ANSWER
)
