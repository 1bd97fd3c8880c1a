"""Findings by identity: what a new evaluation changes in the stored ones, and the statements that write it.

The comparison is plain data that all writers share (check-in, re-evaluation, waivers, retirement). Each runs the statements on the
connection that holds the host's lock. Every writer but the host's own check-in raises `state_version`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from plumbline.evaluation.rollups import Deltas, FindingMark, HostFigures, count_findings, count_host
from plumbline.evaluation.statements import (
    DELETE_FINDINGS,
    DELTAS,
    FINDING_KEYS,
    FINDING_LOG,
    FINDINGS,
    INSERT_DELTAS,
    INSERT_LOG,
    SET_VERDICTS,
    TRIPPED,
    UPSERT_FINDINGS,
    VERDICTS,
    DeltaRow,
    FindingKey,
    FindingLogRow,
    FindingRow,
    TrippedRow,
    VerdictRow,
)
from plumbline.evaluation.waivers_in_force import TRIP_WAIVERS
from plumbline.infra.columns import array

Identity = tuple[int, str, str]  # rule_no, subject kind, subject id


@dataclass(slots=True)
class NewFinding:
    """One finding of a host as evaluated. `source` is JSON with sorted keys and no spaces, or None."""

    rule_no: int
    subject_kind: str
    subject_id: str
    outcome: str
    kind: str
    reason: str
    observed: str
    expected: str
    source: str | None
    expected_hash: str
    pack_version_id: int
    waiver_id: int | None = None
    excluded_by: str = ""
    linked_rule_no: int = 0

    @property
    def identity(self) -> Identity:
        """What stays the same whatever the pack version."""
        return (self.rule_no, self.subject_kind, self.subject_id)


class StoredFinding(NamedTuple):
    """A finding of a host as the table holds it, without its texts."""

    outcome: str
    kind: str
    waiver_id: int | None
    excluded_by: str
    expected_hash: str
    pack_version_id: int
    since: datetime
    failing_since: datetime | None
    linked_rule_no: int = 0


@dataclass(slots=True)
class HostVerdict:
    """A host's verdict as it is written on its row."""

    score: int | None = None
    score_without_waivers: int | None = None
    capped_by: str = ""
    rule_coverage: float | None = None
    n_pass: int = 0
    n_fail: int = 0
    n_unknown: int = 0
    n_not_applicable: int = 0
    n_waived: int = 0
    n_excluded: int = 0
    n_guard_rail: int = 0
    worst_rule_no: int | None = None
    failing: list[int] = field(default_factory=list)


@dataclass(slots=True)
class Evaluation:
    """An evaluated host: the findings to compare with the stored ones, those known to be unchanged, and the verdict.

    `known_rules` are the rules in force; findings of other rules are closed. `unread_kinds` holds, for items that the configuration no
    longer has, why their kind was not listed (empty: it was listed, and the item is gone).
    """

    findings: Sequence[NewFinding] = ()
    # Findings with the same outcome and expectation, none of whose settings changed: their texts are not written again.
    kept: frozenset[Identity] = frozenset()
    verdict: HostVerdict = field(default_factory=HostVerdict)
    known_rules: frozenset[int] = frozenset()
    unread_kinds: Mapping[str, str] = field(default_factory=dict)
    # Evaluating failed for a fault of ours: every finding is unknown for this reason.
    error: str = ""

    def why_unread(self, identity: Identity) -> str:
        """Why the item of a stored finding was not read; empty if its kind was listed and the item is gone."""
        return self.error or self.unread_kinds.get(identity[1], "")


@dataclass(slots=True)
class Writes:
    """Rows of a whole batch, by statement."""

    upserts: list[FindingRow] = field(default_factory=list)
    deletes: list[FindingKey] = field(default_factory=list)
    log: list[FindingLogRow] = field(default_factory=list)
    verdicts: list[VerdictRow] = field(default_factory=list)
    deltas: Deltas = field(default_factory=Deltas)
    tripped: list[TrippedRow] = field(default_factory=list)


def compare(
    writes: Writes, *, host_id: str, group_id: int, now: datetime, old: Mapping[Identity, StoredFinding], evaluation: Evaluation
) -> dict[Identity, StoredFinding]:
    """Adds to `writes` what turns `old` into what was evaluated; answers the findings that are then current."""
    current: dict[Identity, StoredFinding] = {}
    touched = _Touched(set(), set())
    for new in evaluation.findings:
        before = old.get(new.identity)
        after = current[new.identity] = _next(new, before, now)
        _write(writes, host_id, new, before, after, now)
        if before is None or _mark(before) != _mark(after):
            touched.add(new.rule_no, before, after)
    for identity, before in old.items():
        if identity in current:
            continue
        if identity in evaluation.kept:
            current[identity] = before
            continue
        why = evaluation.why_unread(identity) if identity[0] in evaluation.known_rules else None
        left = _close(writes, host_id, identity, before, now, why)
        if left is not None:
            current[identity] = left
        if left is None or _mark(left) != _mark(before):
            touched.add(identity[0], before, left)
    if touched.rules:
        count_findings(writes.deltas, group_id, touched.marks(old), -1)
        count_findings(writes.deltas, group_id, touched.marks(current), 1)
    return current


class _Touched(NamedTuple):
    """The findings of a host to count again: of rules with a changed finding, and of rules linked to one of them."""

    rules: set[int]
    linked: set[int]

    def add(self, rule_no: int, *both: StoredFinding | None) -> None:
        """Notes a finding that changed, as it was and as it is."""
        self.rules.add(rule_no)
        self.linked.update((found.linked_rule_no or rule_no) for found in both if found is not None)

    def marks(self, findings: Mapping[Identity, StoredFinding]) -> list[FindingMark]:
        """What rollups count of these. What is among them and did not change is there before and after, and cancels out."""
        rules, linked = self
        return [
            (*key, *_mark(found))
            for key, found in findings.items()
            if key[0] in rules or found.linked_rule_no in linked or key[0] in linked
        ]


def _mark(found: StoredFinding) -> tuple[str, int | None, str, str, int]:
    return (found.outcome, found.waiver_id, found.excluded_by, found.kind, found.linked_rule_no)


def marks_of(findings: Mapping[Identity, StoredFinding]) -> list[FindingMark]:
    """What rollups count of one host's findings."""
    return [(*identity, *_mark(found)) for identity, found in findings.items()]


def _next(new: NewFinding, before: StoredFinding | None, now: datetime) -> StoredFinding:
    return StoredFinding(
        new.outcome,
        new.kind,
        new.waiver_id,
        new.excluded_by,
        new.expected_hash,
        new.pack_version_id,
        before.since if before is not None and before.outcome == new.outcome else now,
        _failing_since(new, before, now),
        new.linked_rule_no,
    )


def _failing_since(new: NewFinding, before: StoredFinding | None, now: datetime) -> datetime | None:
    """Kept while the finding fails or is unknown, unless the rule now expects something else."""
    if new.outcome == "unknown":
        return before.failing_since if before is not None else None
    if new.outcome != "fail":
        return None
    if before is not None and before.failing_since is not None and before.expected_hash == new.expected_hash:
        return before.failing_since
    return now


def _write(writes: Writes, host_id: str, new: NewFinding, before: StoredFinding | None, after: StoredFinding, now: datetime) -> None:
    writes.upserts.append(
        FindingRow(
            host_id, new.rule_no, new.subject_kind, new.subject_id, new.outcome, new.kind, new.reason, new.observed, new.expected,
            new.source, new.expected_hash, new.pack_version_id, after.since, after.failing_since, new.waiver_id, new.excluded_by,
            new.linked_rule_no,
        )
    )  # fmt: skip
    if before is None or before.outcome != new.outcome:
        old = "" if before is None else before.outcome
        writes.log.append(FindingLogRow(now, host_id, *new.identity, old, new.outcome, new.reason))
    elif new.outcome == "fail" and before.expected_hash != new.expected_hash:
        writes.log.append(FindingLogRow(now, host_id, *new.identity, "fail", "fail", "rule changed"))


def _close(
    writes: Writes, host_id: str, identity: Identity, before: StoredFinding, now: datetime, unread: str | None
) -> StoredFinding | None:
    """A finding that the evaluation does not have: unknown if its item was not read (`unread` says why), else closed."""
    if unread:
        if before.outcome == "unknown":
            return before
        after = before._replace(outcome="unknown", waiver_id=None, excluded_by="", since=now)
        writes.upserts.append(
            FindingRow(
                host_id, *identity, "unknown", "", unread, "", "", None, before.expected_hash, before.pack_version_id, now,
                before.failing_since, None, "", before.linked_rule_no,
            )
        )  # fmt: skip
        writes.log.append(FindingLogRow(now, host_id, *identity, before.outcome, "unknown", unread))
        return after
    writes.deletes.append(FindingKey(host_id, *identity))
    word, reason = ("rule_gone", "the rule is no longer active") if unread is None else ("subject_gone", "")
    writes.log.append(FindingLogRow(now, host_id, *identity, before.outcome, word, reason))
    return None


def set_verdict(writes: Writes, *, host_id: str, old: HostFigures, new: HostFigures, verdict: HostVerdict, rules_epoch: int) -> None:
    """Adds a host's own row and its part of the rollups."""
    if old != new:
        count_host(writes.deltas, old, -1)
        count_host(writes.deltas, new, 1)
    writes.verdicts.append(
        VerdictRow(
            host_id, rules_epoch, verdict.score, verdict.score_without_waivers, verdict.capped_by, verdict.rule_coverage, verdict.n_pass,
            verdict.n_fail, verdict.n_unknown, verdict.n_not_applicable, verdict.n_waived, verdict.n_excluded, verdict.n_guard_rail,
            verdict.worst_rule_no, array(verdict.failing),
        )
    )  # fmt: skip


def statements(writes: Writes) -> list[tuple[str, list[str]]]:
    """The statements of a batch, in the one order that every writer uses; those without rows are left out."""
    found = (
        (UPSERT_FINDINGS, FINDINGS, writes.upserts),
        (DELETE_FINDINGS, FINDING_KEYS, writes.deletes),
        (INSERT_LOG, FINDING_LOG, writes.log),
        (SET_VERDICTS, VERDICTS, writes.verdicts),
        (INSERT_DELTAS, DELTAS, [DeltaRow(*row) for row in writes.deltas.rows()]),
        (TRIP_WAIVERS, TRIPPED, writes.tripped),
    )
    return [(statement, table.arrays(rows)) for statement, table, rows in found if rows]


def stored_findings(rows: Iterable[Sequence[Any]]) -> dict[str, dict[Identity, StoredFinding]]:
    """The rows of `READ_FINDINGS` by host and identity."""
    found: dict[str, dict[Identity, StoredFinding]] = {}
    for row in rows:
        of_host = found.get(row[0])
        if of_host is None:
            of_host = found[row[0]] = {}
        of_host[row[1:4]] = StoredFinding._make(row[4:])  # type: ignore[index]
    return found


def figures_of(group_id: int, verdict: HostVerdict) -> HostFigures:
    """What an evaluated host adds to the rollups of its group."""
    return HostFigures(
        group_id, True, verdict.score, verdict.rule_coverage, verdict.n_guard_rail, verdict.n_pass, verdict.n_fail, verdict.n_unknown,
        verdict.n_not_applicable, verdict.n_waived, verdict.n_excluded,
    )  # fmt: skip


def figures(rows: Iterable[Sequence[Any]]) -> dict[str, HostFigures]:
    """The rows of `READ_FIGURES` by host."""
    return {row[0]: HostFigures(*row[1:]) for row in rows}
