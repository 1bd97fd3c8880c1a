"""The SQL that reads and writes findings. Every statement takes arrays; `findings.statements` gives them in the order of every writer."""

# Statements are built from constants of the program only.
# ruff: noqa: S608

from typing import NamedTuple

from plumbline.infra.columns import (
    BigInt,
    ColumnTable,
    Float,
    FloatOrNull,
    Int,
    IntOrNull,
    JsonOrNull,
    SmallInt,
    SmallIntOrNull,
    SmallInts,
    Text,
    Time,
    TimeOrNull,
)


class FindingRow(NamedTuple):
    """A row of `finding`."""

    host_id: Text
    rule_no: SmallInt
    subject_kind: Text
    subject_id: Text
    outcome: Text
    kind: Text
    reason: Text
    observed: Text
    expected: Text
    source: JsonOrNull
    expected_hash: Text
    pack_version_id: Int
    since: Time
    failing_since: TimeOrNull
    waiver_id: IntOrNull
    excluded_by: Text
    linked_rule_no: SmallInt


class FindingKey(NamedTuple):
    """What stays the same of a finding whatever the pack version."""

    host_id: Text
    rule_no: SmallInt
    subject_kind: Text
    subject_id: Text


class FindingLogRow(NamedTuple):
    """A row of `finding_log`: a finding whose outcome changed."""

    at: Time
    host_id: Text
    rule_no: SmallInt
    subject_kind: Text
    subject_id: Text
    old: Text
    new: Text
    reason: Text


class VerdictRow(NamedTuple):
    """The verdict columns of a row of `host`."""

    id: Text
    rules_epoch: BigInt
    score: SmallIntOrNull
    score_without_waivers: SmallIntOrNull
    capped_by: Text
    rule_coverage: FloatOrNull
    n_pass: Int
    n_fail: Int
    n_unknown: Int
    n_not_applicable: Int
    n_waived: Int
    n_excluded: Int
    n_guard_rail: Int
    worst_rule_no: IntOrNull
    failing: SmallInts


class DeltaRow(NamedTuple):
    """A row of `rollup_delta`."""

    group_id: Int
    rule_no: SmallInt
    bucket: Text
    hosts: Int
    subjects: Int
    amount: Float


class TrippedRow(NamedTuple):
    """A waiver that ends for a host, because something it rests on has another value now."""

    waiver_id: Int
    host_id: Text
    words: Text


FINDINGS = ColumnTable(FindingRow)
FINDING_KEYS = ColumnTable(FindingKey)
FINDING_LOG = ColumnTable(FindingLogRow)
VERDICTS = ColumnTable(VerdictRow)
DELTAS = ColumnTable(DeltaRow)
TRIPPED = ColumnTable(TrippedRow)

_KEY = FindingKey._fields
_TEXTS = ("kind", "expected")
_SEEN = [name for name in FindingRow._fields if name not in _KEY]
# An empty kind means that the item's kind was not listed; the expectation is then kept. A finding of which only the texts may differ is
# sent as a whole and compared here: reading the stored texts first would cost as much.
UPSERT_FINDINGS = f"""
INSERT INTO finding {FINDINGS.inserted}
ON CONFLICT ({FINDING_KEYS.names}) DO UPDATE SET {FINDINGS.excluded(*_KEY, *_TEXTS)},
  kind = CASE WHEN excluded.kind = '' THEN finding.kind ELSE excluded.kind END,
  expected = CASE WHEN excluded.kind = '' THEN finding.expected ELSE excluded.expected END
WHERE ({", ".join(f"finding.{name}" for name in _SEEN)}) IS DISTINCT FROM ({", ".join(f"excluded.{name}" for name in _SEEN)})
"""
DELETE_FINDINGS = f"""
DELETE FROM finding AS f USING {FINDING_KEYS.rows}
WHERE (f.host_id, f.rule_no, f.subject_kind, f.subject_id) = ({FINDING_KEYS.values})
"""
INSERT_LOG = f"INSERT INTO finding_log {FINDING_LOG.inserted}"
SET_VERDICTS = f"UPDATE host AS h SET {VERDICTS.assigned('id')} FROM {VERDICTS.rows} WHERE h.id = v.id"
INSERT_DELTAS = f"INSERT INTO rollup_delta {DELTAS.inserted}"

# Without the texts, which are most of the bytes: most findings of a host that is evaluated stay as they are.
READ_FINDINGS = """
SELECT host_id, rule_no, subject_kind, subject_id, outcome, kind, waiver_id, excluded_by, expected_hash, pack_version_id, since,
       failing_since, linked_rule_no
FROM finding WHERE host_id = ANY(%s)
"""
FIGURES = """
group_id, rules_epoch > 0, score, rule_coverage, n_guard_rail, n_pass, n_fail, n_unknown, n_not_applicable, n_waived, n_excluded
"""
READ_FIGURES = f"SELECT id, {FIGURES} FROM host WHERE id = ANY(%s)"
