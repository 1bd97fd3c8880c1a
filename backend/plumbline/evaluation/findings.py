"""Findings by identity: what a new verdict changes in the stored ones, and the statements that write it.

The comparison is plain data and is shared by every writer (the committer, rescoring, waivers, retirement); each runs the statements on
the connection that holds the host's lock, and each raises `state_version` where it is not the host's own check-in that writes.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

import msgspec

from plumbline.evaluation.rollups import INSERT_DELTAS, Deltas, FindingMark, HostFigures, count_findings, count_host
from plumbline.evaluation.statements import DELETE_FINDINGS, INSERT_LOG, SET_VERDICTS, UPSERT_FINDINGS
from plumbline.infra.columns import columns

Identity = tuple[int, str, str]  # rule_no, subject kind, subject id


@dataclass(slots=True)
class FindingRow:
    """One finding as it is to stand. `source` is JSON with sorted keys and no spaces, or None."""

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
    judged_by: int
    waiver_id: int | None = None
    excluded_by: str = ""
    told_as: int = 0

    @property
    def identity(self) -> Identity:
        """What stays the same whatever the pack version."""
        return (self.rule_no, self.subject_kind, self.subject_id)


@dataclass(slots=True)
class StoredFinding:
    """What memory or the table holds of a finding: enough to see whether anything a reader sees has changed."""

    outcome: str
    kind: str
    waiver_id: int | None
    excluded_by: str
    expected_hash: str
    judged_by: int
    words: int | None  # hash of the texts; None: they were not read, and whatever is said of it now is written
    since: datetime
    failing_since: datetime | None
    told_as: int = 0


@dataclass(slots=True)
class HostVerdict:
    """A host's verdict as it is to stand on its row."""

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
class Writes:
    """Rows of a whole batch, by statement."""

    upserts: list[tuple[Any, ...]] = field(default_factory=list)
    deletes: list[tuple[str, int, str, str]] = field(default_factory=list)
    log: list[tuple[Any, ...]] = field(default_factory=list)
    verdicts: list[tuple[Any, ...]] = field(default_factory=list)
    deltas: Deltas = field(default_factory=Deltas)


def words_mark(reason: str, observed: str, expected: str, source: str | None) -> int:
    """A mark of the texts, compared within one process only."""
    return hash((reason, observed, expected, source))


def compare(
    writes: Writes,
    *,
    host_id: str,
    group_id: int,
    now: datetime,
    old: Mapping[Identity, StoredFinding],
    new: Sequence[FindingRow],
    is_unread: Callable[[Identity], str],
    known_rules: frozenset[int],
    kept: frozenset[Identity] = frozenset(),
    is_partial: bool = False,
) -> dict[Identity, StoredFinding]:
    """Adds to `writes` what turns `old` into `new`; answers what then stands.

    `is_unread` says, for a finding whose subject the new configuration no longer has, why its section was not read (empty: it was read,
    and the subject is gone). `known_rules` are the rules in force; findings of others are closed. `kept` stand as they
    are; where `is_partial`, everything stands that `new` does not name, and is no part of the answer.
    """
    stands: dict[Identity, StoredFinding] = {}
    touched = _Touched(set(), set())
    for row in new:
        before = old.get(row.identity)
        after, changed = _next(row, before, now)
        stands[row.identity] = after if changed or before is None else before
        if before is None or changed:
            _write(writes, host_id, row, before, after, now)
            if before is None or _mark(before) != _mark(after):
                touched.add(row.rule_no, before, after)
    for identity, before in () if is_partial else old.items():
        if identity in stands:
            continue
        if identity in kept:
            stands[identity] = before
            continue
        left = _close(writes, host_id, identity, before, now, is_unread(identity) if identity[0] in known_rules else None)
        if left is not None:
            stands[identity] = left
        if left is None or _mark(left) != _mark(before):
            touched.add(identity[0], before, left)
    if touched.rules:
        count_findings(writes.deltas, group_id, touched.marks(old), -1)
        count_findings(writes.deltas, group_id, touched.marks({**old, **stands} if is_partial else stands), 1)
    return stands


class _Touched(NamedTuple):
    """What of a host has to be counted anew: rules of which a finding moved, and all that is told together with one that did."""

    rules: set[int]
    told: set[int]

    def add(self, rule_no: int, *stood: StoredFinding | None) -> None:
        """Notes a finding that moved, as it stood and as it stands."""
        self.rules.add(rule_no)
        self.told.update((found.told_as or rule_no) for found in stood if found is not None)

    def marks(self, findings: Mapping[Identity, StoredFinding]) -> list[FindingMark]:
        """What rollups count of these. What is among them and did not move is so before and after, and cancels out."""
        rules, told = self
        return [(*key, *_mark(found)) for key, found in findings.items() if key[0] in rules or found.told_as in told or key[0] in told]


def _mark(found: StoredFinding) -> tuple[str, int | None, str, str, int]:
    return (found.outcome, found.waiver_id, found.excluded_by, found.kind, found.told_as)


def marks_of(findings: Mapping[Identity, StoredFinding]) -> list[FindingMark]:
    """What rollups count of one host's findings."""
    return [(*identity, *_mark(found)) for identity, found in findings.items()]


def _next(row: FindingRow, before: StoredFinding | None, now: datetime) -> tuple[StoredFinding, bool]:
    words = words_mark(row.reason, row.observed, row.expected, row.source)
    if before is None:
        failing_since = now if row.outcome == "fail" else None
        stored = StoredFinding(
            row.outcome, row.kind, row.waiver_id, row.excluded_by, row.expected_hash, row.judged_by, words, now, failing_since, row.told_as
        )
        return stored, True
    same_outcome = before.outcome == row.outcome
    failing_since = _failing_since(row, before, now)
    after = StoredFinding(
        row.outcome,
        row.kind,
        row.waiver_id,
        row.excluded_by,
        row.expected_hash,
        row.judged_by,
        words,
        before.since if same_outcome else now,
        failing_since,
        row.told_as,
    )
    return after, after != before


def _failing_since(row: FindingRow, before: StoredFinding, now: datetime) -> datetime | None:
    """Kept while it fails or cannot be read, unless another thing is asked now."""
    if row.outcome == "unknown":
        return before.failing_since
    if row.outcome != "fail":
        return None
    if before.failing_since is not None and before.expected_hash == row.expected_hash:
        return before.failing_since
    return now


def _write(writes: Writes, host_id: str, row: FindingRow, before: StoredFinding | None, after: StoredFinding, now: datetime) -> None:
    writes.upserts.append(
        (host_id, row.rule_no, row.subject_kind, row.subject_id, row.outcome, row.kind, row.reason, row.observed, row.expected, row.source,
         row.expected_hash, row.judged_by, after.since, after.failing_since, row.waiver_id, row.excluded_by,
         row.told_as)
    )  # fmt: skip
    if before is None or before.outcome != row.outcome:
        old = "" if before is None else before.outcome
        writes.log.append((now, host_id, *row.identity, old, row.outcome, row.reason))
    elif row.outcome == "fail" and before.expected_hash != row.expected_hash:
        writes.log.append((now, host_id, *row.identity, "fail", "fail", "rule changed"))


def _close(
    writes: Writes, host_id: str, identity: Identity, before: StoredFinding, now: datetime, unread: str | None
) -> StoredFinding | None:
    """A finding that the new verdict does not have: unknown where its subject was not read (`unread` says why), else closed."""
    if unread:
        if before.outcome == "unknown":
            return before
        after = StoredFinding(
            "unknown", before.kind, None, "", before.expected_hash, before.judged_by, words_mark(unread, "", "", None), now,
            before.failing_since, before.told_as,
        )  # fmt: skip
        writes.upserts.append(
            (host_id, *identity, "unknown", "", unread, "", "", None, before.expected_hash, before.judged_by, now, before.failing_since,
             None, "", before.told_as)
        )  # fmt: skip
        writes.log.append((now, host_id, *identity, before.outcome, "unknown", unread))
        return after
    writes.deletes.append((host_id, *identity))
    word, reason = ("rule_gone", "the rule is no longer in force") if unread is None else ("subject_gone", "")
    writes.log.append((now, host_id, *identity, before.outcome, word, reason))
    return None


def set_verdict(writes: Writes, *, host_id: str, old: HostFigures, new: HostFigures, verdict: HostVerdict, judging_epoch: int) -> None:
    """Adds a host's own row and its part of the rollups."""
    if old != new:
        count_host(writes.deltas, old, -1)
        count_host(writes.deltas, new, 1)
    writes.verdicts.append(
        (host_id, judging_epoch, verdict.score, verdict.score_without_waivers, verdict.capped_by, verdict.rule_coverage, verdict.n_pass,
         verdict.n_fail, verdict.n_unknown, verdict.n_not_applicable, verdict.n_waived, verdict.n_excluded, verdict.n_guard_rail,
         verdict.worst_rule_no, ",".join(map(str, verdict.failing)))
    )  # fmt: skip


def statements(writes: Writes) -> list[tuple[str, tuple[Any, ...]]]:
    """The statements of a batch, in the one order that every writer uses; those without rows are left out."""
    found: list[tuple[str, Sequence[tuple[Any, ...]]]] = [
        (UPSERT_FINDINGS, writes.upserts),
        (DELETE_FINDINGS, writes.deletes),
        (INSERT_LOG, writes.log),
        (SET_VERDICTS, writes.verdicts),
        (INSERT_DELTAS, writes.deltas.rows()),
    ]
    return [(statement, tuple(columns(rows))) for statement, rows in found if rows]


def stored_findings(rows: Iterable[Sequence[Any]]) -> dict[str, dict[Identity, StoredFinding]]:
    """The rows of `READ_FINDINGS` by host and identity."""
    found: dict[str, dict[Identity, StoredFinding]] = {}
    for (
        host_id,
        rule_no,
        skind,
        subject,
        outcome,
        kind,
        waiver,
        excluded,
        hashed,
        by,
        reason,
        observed,
        expected,
        source,
        since,
        failing,
        told_as,
    ) in rows:
        found.setdefault(host_id, {})[(rule_no, skind, subject)] = StoredFinding(
            outcome, kind, waiver, excluded, hashed, by, words_mark(reason, observed, expected, canonical(source)), since, failing, told_as
        )
    return found


def bare_findings(rows: Iterable[Sequence[Any]]) -> dict[str, dict[Identity, StoredFinding]]:
    """The rows of `READ_BARE_FINDINGS` by host and identity; `texts_to_read` says of which the texts have to be read after all."""
    found: dict[str, dict[Identity, StoredFinding]] = {}
    for host_id, rule_no, skind, subject, outcome, kind, waiver, excluded, hashed, by, since, failing, told_as in rows:
        held = found.get(host_id)
        if held is None:
            held = found[host_id] = {}
        held[(rule_no, skind, subject)] = StoredFinding(outcome, kind, waiver, excluded, hashed, by, None, since, failing, told_as)
    return found


def texts_to_read(old: Mapping[Identity, StoredFinding], new: Iterable[FindingRow]) -> list[Identity]:
    """The findings that differ, if at all, in their texts alone. Any other that differs is written whatever its texts were."""
    found = []
    for row in new:
        before = old.get(row.identity)
        if (
            before is not None
            and before.words is None
            and (before.outcome, before.kind, before.waiver_id, before.excluded_by, before.expected_hash, before.judged_by, before.told_as)
            == (row.outcome, row.kind, row.waiver_id, row.excluded_by, row.expected_hash, row.judged_by, row.told_as)
        ):
            found.append(row.identity)
    return found


def take_texts(stored: Mapping[str, Mapping[Identity, StoredFinding]], rows: Iterable[Sequence[Any]]) -> None:
    """Notes the texts of `READ_TEXTS` on the findings they belong to."""
    for host_id, rule_no, skind, subject, reason, observed, expected, source in rows:
        stored[host_id][(rule_no, skind, subject)].words = words_mark(reason, observed, expected, canonical(source))


def canonical(source: str | None) -> str | None:
    """JSON as `FindingRow.source` has it, from JSON as the database prints it."""
    return None if source is None else msgspec.json.encode(msgspec.json.decode(source), order="sorted").decode()


def figures_of(group_id: int, verdict: HostVerdict) -> HostFigures:
    """What a judged host adds to the rollups of its group."""
    return HostFigures(
        group_id, True, verdict.score, verdict.rule_coverage, verdict.n_guard_rail, verdict.n_pass, verdict.n_fail, verdict.n_unknown,
        verdict.n_not_applicable, verdict.n_waived, verdict.n_excluded,
    )  # fmt: skip


def figures(rows: Iterable[Sequence[Any]]) -> dict[str, HostFigures]:
    """The rows of `READ_FIGURES` by host."""
    return {row[0]: HostFigures(*row[1:]) for row in rows}
