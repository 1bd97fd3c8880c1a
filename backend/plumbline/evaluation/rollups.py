"""Rollups: counts by group, rule and bucket, kept exact by deltas that every writer of findings adds in its own transaction.

Buckets. A host counts from its first evaluation until it is retired (`rules_epoch` above 0).

- `rule_no` above 0: the bucket is one of `FINDING_STATUSES`; `subjects` counts findings with that status, `hosts` counts hosts whose
  worst finding of that rule has it (so a host has exactly one status for each rule).
- `rule_no` below 0: the same for linked rules, counted once under the negative of their lowest number (`linked_rule_no` of each finding):
  for each item the combined status of its findings, for each host the worst of these. A rule without links is there too.
- `rule_no` 0, about hosts: `judged` (evaluated hosts); `scored` (hosts with a score, `amount` is the sum of scores); `score:00` to
  `score:90` (hosts by bands of ten points, 100 in the last); `coverage` (hosts with a rule coverage, `amount` the sum of thousandths);
  `guard_rail` (hosts with a failing guard-rail, `subjects` how many); `findings:pass` and so on (`subjects` counts what the hosts' own
  rows count: findings of rules with a weight, linked rules once).

A delta names the host's own group. A folded row has two sets of counts: for the hosts in the group itself (`hosts`, `subjects`,
`amount`), and for those in it and all its subgroups (`subtree_hosts` and so on). Folding adds a delta to the group and to all groups above
it. Moving a group moves its counts as well (`carry_subtree`). How fresh hosts are is not counted here: it changes with time and is computed
from `last_seen_at`.

Only the holder of `TREE_LOCK` writes folded rows. Folding tries to take it and does not wait for it; moving a group takes it before any
other lock.

A scope is one or several groups with their subgroups: a reader takes the rows of these groups only, however many subgroups they have. It
adds what is not folded yet (`READ`), in one statement that also reads the positions of groups, so that it never contradicts a receipt.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlmodel import Session

from plumbline.core.rules.finding_status import FINDING_STATUSES, RANK, RANKS_TOGETHER, FindingStatus, bit_of, status_of
from plumbline.infra.database import sql
from plumbline.infra.group_path import ids_on
from plumbline.models.hosts import TREE_LOCK

# Folded and unfolded counts, in one snapshot, with the positions of groups in that snapshot. Parameters: `roots`, the groups that are read
# with their subgroups, none below another; for rules, the wanted numbers and statuses.
READ = """
SELECT rule_no, bucket, sum(hosts)::int AS hosts, sum(subjects)::int AS subjects, sum(amount) AS amount FROM (
  SELECT rule_no, bucket, subtree_hosts AS hosts, subtree_subjects AS subjects, subtree_amount AS amount FROM rollup
  WHERE group_id = ANY(:roots) AND (rule_no = 0 OR rule_no BETWEEN :lowest AND :highest AND bucket = ANY(:words))
  UNION ALL
  SELECT d.rule_no, d.bucket, d.hosts, d.subjects, d.amount
  FROM rollup_delta d JOIN host_group g ON g.id = d.group_id JOIN host_group root ON starts_with(g.path, root.path)
  WHERE root.id = ANY(:roots) AND (d.rule_no = 0 OR d.rule_no BETWEEN :lowest AND :highest AND d.bucket = ANY(:words))
) AS counted GROUP BY rule_no, bucket
"""
_READ_OWN = """
SELECT group_id, rule_no, bucket, sum(hosts)::int AS hosts, sum(subjects)::int AS subjects, sum(amount) AS amount FROM (
  SELECT group_id, rule_no, bucket, hosts, subjects, amount FROM rollup WHERE group_id = ANY(:groups){narrowed}
  UNION ALL
  SELECT group_id, rule_no, bucket, hosts, subjects, amount FROM rollup_delta WHERE group_id = ANY(:groups){narrowed}
) AS counted GROUP BY group_id, rule_no, bucket
"""
# One row for each group and rule, with a column for each status: three times as few as by bucket, each of which Python would go through.
_READ_OWN_HOSTS = """
SELECT group_id, rule_no, {statuses} FROM (
  SELECT group_id, rule_no, bucket, hosts FROM rollup WHERE group_id = ANY(:groups) AND rule_no = ANY(:numbers)
  UNION ALL
  SELECT group_id, rule_no, bucket, hosts FROM rollup_delta WHERE group_id = ANY(:groups) AND rule_no = ANY(:numbers)
) AS counted GROUP BY group_id, rule_no
""".format(statuses=", ".join(f"coalesce(sum(hosts) FILTER (WHERE bucket = '{status}'), 0)::int" for status in FINDING_STATUSES))  # noqa: S608
# The groups below `roots`, these among them.
BELOW = "SELECT g.id FROM host_group g JOIN host_group root ON starts_with(g.path, root.path) WHERE root.id = ANY(:roots)"
_NOT_APPLICABLE = RANK["not_applicable"]

# A rule number is a small integer.
LOWEST, HIGHEST = -32_768, 32_767

# What a host's row counts its findings under.
COUNTED = ("pass", "fail", "unknown", "not_applicable", "waived", "excluded")

Key = tuple[int, int, str]  # group, rule, bucket
Rolled = dict[tuple[int, str], tuple[int, int, float]]  # rule, bucket -> hosts, subjects, amount
# rule_no, subject kind, subject id, outcome, waiver_id, excluded_by, kind, linked_rule_no
FindingMark = tuple[int, str, str, str, int | None, str, str, int]


@dataclass(slots=True)
class HostFigures:
    """What a host itself adds to the rollups of its group."""

    group_id: int
    is_evaluated: bool
    score: int | None = None
    rule_coverage: float | None = None
    n_guard_rail: int = 0
    n_pass: int = 0
    n_fail: int = 0
    n_unknown: int = 0
    n_not_applicable: int = 0
    n_waived: int = 0
    n_excluded: int = 0


@dataclass(slots=True)
class Deltas:
    """Differences by key, summed over a batch."""

    hosts: Counter[Key] = field(default_factory=Counter)
    subjects: Counter[Key] = field(default_factory=Counter)
    amounts: dict[Key, int] = field(default_factory=lambda: defaultdict(int))

    def add(self, key: Key, hosts: int, subjects: int = 0, amount: int = 0) -> None:
        """Adds to one key."""
        self.hosts[key] += hosts
        self.subjects[key] += subjects
        self.amounts[key] += amount

    def rows(self) -> list[tuple[int, int, str, int, int, float]]:
        """The rows to append, without keys whose differences cancel out. They are sorted, so that all batches write in the same order."""
        rows = []
        for key in sorted(set(self.hosts) | set(self.subjects) | set(self.amounts)):
            hosts, subjects, amount = self.hosts[key], self.subjects[key], self.amounts[key]
            if hosts or subjects or amount:
                rows.append((*key, hosts, subjects, float(amount)))
        return rows


def count_host(deltas: Deltas, figures: HostFigures, sign: int) -> None:
    """Adds (1) or takes away (-1) what a host itself counts."""
    if not figures.is_evaluated:
        return
    group = figures.group_id
    deltas.add((group, 0, "judged"), sign)
    if figures.score is not None:
        deltas.add((group, 0, "scored"), sign, amount=sign * figures.score)
        deltas.add((group, 0, f"score:{min(figures.score // 10, 9)}0"), sign)
    if figures.rule_coverage is not None:
        deltas.add((group, 0, "coverage"), sign, amount=sign * round(figures.rule_coverage * 1000))
    if figures.n_guard_rail:
        deltas.add((group, 0, "guard_rail"), sign, sign * figures.n_guard_rail)
    for word in COUNTED:
        count = getattr(figures, f"n_{word}")
        if count:
            deltas.add((group, 0, f"findings:{word}"), 0, sign * count)


def count_findings(deltas: Deltas, group_id: int, findings: Iterable[FindingMark], sign: int) -> None:
    """Adds or subtracts one host's findings. Findings of linked rules must come in one call, since the host is counted under the worst
    of them.
    """
    worst: dict[int, FindingStatus] = {}
    bits_by_number: dict[int, dict[tuple[str, str], int]] = {}
    together: set[int] = set()
    for rule_no, subject_kind, subject_id, outcome, waiver_id, excluded_by, kind, linked_rule_no in findings:
        word = status_of(outcome, waiver_id, excluded_by, kind)
        deltas.add((group_id, rule_no, word), 0, sign)
        if rule_no not in worst or RANK[word] < RANK[worst[rule_no]]:
            worst[rule_no] = word
        if linked_rule_no:
            together.add(linked_rule_no)
        bits = bits_by_number.setdefault(linked_rule_no or rule_no, {})
        subject = (subject_kind, subject_id)
        bits[subject] = bits.get(subject, 0) | bit_of(outcome, waiver_id, excluded_by, kind)
    for rule_no, word in worst.items():
        deltas.add((group_id, rule_no, word), sign)
    for number, bits in bits_by_number.items():
        ranks = {subject: RANKS_TOGETHER[value] for subject, value in bits.items()}
        lowest = min(ranks.values())
        deltas.add((group_id, -number, FINDING_STATUSES[lowest]), sign)
        for (kind, _), rank in ranks.items():
            # One of the rules does not apply to the host as a whole. That does not count if another one applies to an item of it.
            if rank != _NOT_APPLICABLE or kind != "host" or lowest == _NOT_APPLICABLE or number not in together:
                deltas.add((group_id, -number, FINDING_STATUSES[rank]), 0, sign)


# The group `g` and all groups above it: the ids in its path. In order, so that new rows of a group are near each other on disk.
_ABOVE = "unnest(CAST(string_to_array(trim(both '/' from g.path), '/') AS int[])) AS above (id)"
_FOLD = f"""
WITH taken AS (DELETE FROM rollup_delta RETURNING group_id, rule_no, bucket, hosts, subjects, amount),
summed AS (SELECT group_id, rule_no, bucket, sum(hosts) AS hosts, sum(subjects) AS subjects, sum(amount) AS amount, count(*) AS n
           FROM taken GROUP BY group_id, rule_no, bucket),
spread AS (SELECT above.id AS group_id, s.rule_no, s.bucket, s.hosts, s.subjects, s.amount, CAST(above.id = s.group_id AS int) AS is_own
           FROM summed s JOIN host_group g ON g.id = s.group_id CROSS JOIN {_ABOVE}),
folded AS (
  INSERT INTO rollup (group_id, rule_no, bucket, hosts, subjects, amount, subtree_hosts, subtree_subjects, subtree_amount)
  SELECT group_id, rule_no, bucket, sum(is_own * hosts), sum(is_own * subjects), sum(is_own * amount),
    sum(hosts), sum(subjects), sum(amount)
  FROM spread GROUP BY group_id, rule_no, bucket ORDER BY group_id, rule_no, bucket
  ON CONFLICT (group_id, rule_no, bucket) DO UPDATE SET hosts = rollup.hosts + excluded.hosts,
    subjects = rollup.subjects + excluded.subjects, amount = rollup.amount + excluded.amount,
    subtree_hosts = rollup.subtree_hosts + excluded.subtree_hosts, subtree_subjects = rollup.subtree_subjects + excluded.subtree_subjects,
    subtree_amount = rollup.subtree_amount + excluded.subtree_amount
)
SELECT coalesce(sum(n), 0)::int FROM summed
"""  # noqa: S608 - a constant
# Each group that is now above the moved one, or no longer is, gains or loses the counts of the moved one and its subgroups.
_CARRY = """
INSERT INTO rollup (group_id, rule_no, bucket, hosts, subjects, amount, subtree_hosts, subtree_subjects, subtree_amount)
SELECT above.id, r.rule_no, r.bucket, 0, 0, 0, above.sign * r.subtree_hosts, above.sign * r.subtree_subjects, above.sign * r.subtree_amount
FROM rollup r CROSS JOIN unnest(CAST(:above AS int[]), CAST(:signs AS int[])) AS above (id, sign) WHERE r.group_id = :moved
ON CONFLICT (group_id, rule_no, bucket) DO UPDATE SET subtree_hosts = rollup.subtree_hosts + excluded.subtree_hosts,
  subtree_subjects = rollup.subtree_subjects + excluded.subtree_subjects, subtree_amount = rollup.subtree_amount + excluded.subtree_amount
"""
# Where what is folded of a group with all below it is not the sum of what is folded of these by themselves.
_WRONG_BELOW = f"""
WITH summed AS (
  SELECT above.id AS group_id, r.rule_no, r.bucket, sum(r.hosts)::int AS hosts, sum(r.subjects)::int AS subjects, sum(r.amount) AS amount
  FROM rollup r JOIN host_group g ON g.id = r.group_id CROSS JOIN {_ABOVE} GROUP BY above.id, r.rule_no, r.bucket)
SELECT group_id, rule_no, bucket, kept.*, counted.* FROM rollup r FULL JOIN summed s USING (group_id, rule_no, bucket)
CROSS JOIN LATERAL (SELECT coalesce(r.subtree_hosts, 0), coalesce(r.subtree_subjects, 0), coalesce(r.subtree_amount, 0)) AS kept (a, b, c)
CROSS JOIN LATERAL (SELECT coalesce(s.hosts, 0), coalesce(s.subjects, 0), coalesce(s.amount, 0)) AS counted (a, b, c)
WHERE kept <> counted ORDER BY 1, 2, 3
"""  # noqa: S608 - a constant


def fold_rollups(session: Session) -> int:
    """Moves every delta into the folded counts; answers how many rows. Does nothing while another process folds, or moves a group."""
    if not session.execute(sql("SELECT pg_try_advisory_xact_lock(:key)"), {"key": TREE_LOCK}).scalar_one():
        return 0
    return int(session.execute(sql(_FOLD)).scalar_one())


def carry_subtree(session: Session, *, group_id: int, old: str, new: str) -> None:
    """Takes the counts of a group and its subgroups along, once its path is `new` where it was `old`. For who holds `TREE_LOCK`."""
    was, now = set(ids_on(old)), set(ids_on(new))
    left, joined = sorted(was - now), sorted(now - was)
    signs = [-1] * len(left) + [1] * len(joined)
    session.execute(sql(_CARRY), {"above": left + joined, "signs": signs, "moved": group_id})


def read_rollups(
    session: Session, roots: Sequence[int], *, lowest: int = LOWEST, highest: int = HIGHEST, words: Sequence[str] = FINDING_STATUSES
) -> Rolled:
    """(rule number, bucket) -> hosts, subjects, amount over these groups and their subgroups, folded and unfolded together. None of the
    groups may be below another. Zero rows are left out.

    The rule numbers can be limited: a list of linked rules needs none above 0, a page of one rule only that one. Counts about hosts are
    always included.
    """
    rows = session.execute(sql(READ), {"roots": list(roots), "lowest": lowest, "highest": highest, "words": list(words)}).all()
    return {
        (rule_no, bucket): (hosts, subjects, amount) for rule_no, bucket, hosts, subjects, amount in rows if hosts or subjects or amount
    }


def read_own(
    session: Session, group_ids: Sequence[int], *, numbers: Sequence[int] | None = None, words: Sequence[str] | None = None
) -> dict[int, Rolled]:
    """By group, the same over its own hosts only; if given, only for these rule numbers and these buckets."""
    values: dict[str, list[Any]] = {"groups": list(group_ids)}
    narrowed = ""
    if numbers is not None:
        values["numbers"] = list(numbers)
        narrowed += " AND rule_no = ANY(:numbers)"
    if words is not None:
        values["words"] = list(words)
        narrowed += " AND bucket = ANY(:words)"
    found: dict[int, Rolled] = {}
    rows = session.execute(sql(_READ_OWN.format(narrowed=narrowed)), values).all()
    for group_id, rule_no, bucket, hosts, subjects, amount in rows:
        if hosts or subjects or amount:
            found.setdefault(group_id, {})[rule_no, bucket] = (hosts, subjects, amount)
    return found


def read_own_hosts(session: Session, group_ids: Sequence[int], numbers: Sequence[int]) -> dict[tuple[int, int], dict[FindingStatus, int]]:
    """By group and rule number, how many of its own hosts have each status, without the statuses that none has."""
    rows = session.execute(sql(_READ_OWN_HOSTS), {"groups": list(group_ids), "numbers": list(numbers)}).all()
    found: dict[tuple[int, int], dict[FindingStatus, int]] = {}
    for group_id, rule_no, *hosts in rows:
        if cell := {status: count for status, count in zip(FINDING_STATUSES, hosts, strict=True) if count}:
            found[group_id, rule_no] = cell
    return found


def raw_rollups(session: Session, group_ids: list[int]) -> Rolled:
    """Over the own hosts of these groups, counted from hosts and findings themselves: for `doctor`, the nightly comparison and tests.
    Slow on a large fleet.
    """
    deltas = Deltas()
    hosts = session.execute(
        sql(
            "SELECT id, rules_epoch > 0, score, rule_coverage, n_guard_rail, n_pass, n_fail, n_unknown, n_not_applicable, n_waived,"
            " n_excluded FROM host WHERE group_id = ANY(:groups)"
        ),
        {"groups": group_ids},
    ).all()
    for host_id, *figures in hosts:
        count_host(deltas, HostFigures(0, *figures), 1)
        marks = session.execute(
            sql(
                "SELECT rule_no, subject_kind, subject_id, outcome, waiver_id, excluded_by, kind, linked_rule_no"
                " FROM finding WHERE host_id = :host"
            ),
            {"host": host_id},
        ).all()
        count_findings(deltas, 0, [tuple(mark) for mark in marks], 1)
    return {(rule_no, bucket): (hosts, subjects, amount) for _, rule_no, bucket, hosts, subjects, amount in deltas.rows()}


def compare_rollups(session: Session) -> dict[str, dict[tuple[int, str], tuple[Any, Any]]]:
    """By group ("group 7"), every key where rollups and the raw counts differ (rollup, raw); and by group with all below it ("group 7 and
    all below it"), every key where its folded counts are not the sum of those of the groups. Empty: they are exact.

    Several statements: while check-ins come in, call it in a REPEATABLE READ transaction.
    """
    wrong: dict[str, dict[tuple[int, str], tuple[Any, Any]]] = {}
    for (group_id,) in session.execute(sql("SELECT id FROM host_group ORDER BY id")).all():
        rolled, raw = read_own(session, [group_id]).get(group_id, {}), raw_rollups(session, [group_id])
        differing = _differing(rolled, raw)
        if differing:
            wrong[f"group {group_id}"] = differing
    below = compare_subtrees(session)
    return wrong | {f"group {group_id} and its subgroups": differing for group_id, differing in below.items()}


def compare_subtrees(session: Session) -> dict[int, dict[tuple[int, str], tuple[Any, Any]]]:
    """By group, every key where what is folded of it with all below it is not the sum of what is folded of these (rollup, sum)."""
    wrong: dict[int, dict[tuple[int, str], tuple[Any, Any]]] = {}
    for group_id, rule_no, bucket, *counts in session.execute(sql(_WRONG_BELOW)):
        wrong.setdefault(group_id, {})[rule_no, bucket] = (tuple(counts[:3]), tuple(counts[3:]))
    return wrong


def _differing(left: Mapping[Any, Any], right: Mapping[Any, Any]) -> dict[Any, tuple[Any, Any]]:
    return {key: (left.get(key), right.get(key)) for key in left.keys() | right.keys() if left.get(key) != right.get(key)}
