"""The SQL that writes findings. Every statement takes arrays; `store.statements` gives them in the order that every writer uses."""

# Statements are put together from the constants of this file alone.
# ruff: noqa: E501, S608

FINDING_COLUMNS = """
host_id, rule_no, subject_kind, subject_id, outcome, kind, reason, observed, expected, source, expected_hash, judged_by,
since, failing_since, waiver_id, excluded_by, told_as
"""
# A finding that stands already; an empty kind comes from a subject that nobody could look for, and leaves what was expected.
ON_KNOWN_FINDING = """
ON CONFLICT (host_id, rule_no, subject_kind, subject_id) DO UPDATE SET
  outcome = excluded.outcome, kind = CASE WHEN excluded.kind = '' THEN finding.kind ELSE excluded.kind END, reason = excluded.reason,
  observed = excluded.observed,
  expected = CASE WHEN excluded.kind = '' THEN finding.expected ELSE excluded.expected END, source = excluded.source,
  expected_hash = excluded.expected_hash, judged_by = excluded.judged_by, since = excluded.since, failing_since = excluded.failing_since,
  waiver_id = excluded.waiver_id, excluded_by = excluded.excluded_by, told_as = excluded.told_as
"""
UPSERT_FINDINGS = f"""
INSERT INTO finding ({FINDING_COLUMNS})
SELECT v.host, v.rule, v.skind, v.sid, v.outcome, v.kind, v.reason, v.observed, v.expected, v.source::jsonb, v.hash, v.by, v.since, v.failing,
       v.waiver, v.excluded, v.told
FROM unnest(%s::text[], %s::smallint[], %s::text[], %s::text[], %s::text[], %s::text[], %s::text[], %s::text[], %s::text[], %s::text[],
            %s::text[], %s::int[], %s::timestamptz[], %s::timestamptz[], %s::int[], %s::text[], %s::smallint[])
  AS v (host, rule, skind, sid, outcome, kind, reason, observed, expected, source, hash, by, since, failing, waiver, excluded, told)
{ON_KNOWN_FINDING}
"""
DELETE_FINDINGS = """
DELETE FROM finding AS f USING unnest(%s::text[], %s::smallint[], %s::text[], %s::text[]) AS v (host, rule, kind, id)
WHERE f.host_id = v.host AND f.rule_no = v.rule AND f.subject_kind = v.kind AND f.subject_id = v.id
"""
INSERT_LOG = """
INSERT INTO finding_log (at, host_id, rule_no, subject_kind, subject_id, old, new, reason)
SELECT * FROM unnest(%s::timestamptz[], %s::text[], %s::smallint[], %s::text[], %s::text[], %s::text[], %s::text[], %s::text[])
"""
SET_VERDICTS = """
UPDATE host AS h SET judging_epoch = v.epoch, score = v.score, score_without_waivers = v.bare, capped_by = v.capped, rule_coverage = v.coverage, n_pass = v.n_pass,
  n_fail = v.n_fail, n_unknown = v.n_unknown, n_not_applicable = v.n_na, n_waived = v.n_waived, n_excluded = v.n_excluded,
  n_guard_rail = v.n_guard, worst_rule_no = v.worst, failing = string_to_array(v.failing, ',')::smallint[]
FROM unnest(%s::text[], %s::bigint[], %s::smallint[], %s::smallint[], %s::text[], %s::float8[], %s::int[], %s::int[], %s::int[], %s::int[], %s::int[], %s::int[],
            %s::int[], %s::int[], %s::text[])
  AS v (id, epoch, score, bare, capped, coverage, n_pass, n_fail, n_unknown, n_na, n_waived, n_excluded, n_guard, worst, failing)
WHERE h.id = v.id
"""
READ_FINDINGS = """
SELECT host_id, rule_no, subject_kind, subject_id, outcome, kind, waiver_id, excluded_by, expected_hash, judged_by, reason, observed, expected,
       source::text, since, failing_since, told_as
FROM finding WHERE host_id = ANY(%s)
"""
# The same without the texts, which are most of the bytes: most findings of a host judged again stand as they are.
READ_BARE_FINDINGS = """
SELECT host_id, rule_no, subject_kind, subject_id, outcome, kind, waiver_id, excluded_by, expected_hash, judged_by, since, failing_since,
       told_as
FROM finding WHERE host_id = ANY(%s)
"""
READ_TEXTS = """
SELECT f.host_id, f.rule_no, f.subject_kind, f.subject_id, f.reason, f.observed, f.expected, f.source::text
FROM unnest(%s::text[], %s::smallint[], %s::text[], %s::text[]) AS v (host, rule, kind, id)
JOIN finding f ON f.host_id = v.host AND f.rule_no = v.rule AND f.subject_kind = v.kind AND f.subject_id = v.id
"""
READ_FIGURES = """
SELECT id, group_id, judging_epoch > 0, score, rule_coverage, n_guard_rail, n_pass, n_fail, n_unknown, n_not_applicable, n_waived, n_excluded
FROM host WHERE id = ANY(%s)
"""
