"""The status shown for a finding, and the order of the statuses: one place, shared by rollups, screens and reports."""

from typing import Literal, get_args

from plumbline.core.rules.rule import WEIGHTLESS

FindingStatus = Literal["fail", "unknown", "excluded", "waived", "advice", "pass", "not_applicable"]

# Worst first: a host is counted once for a rule, under the worst of its subjects.
FINDING_STATUSES: tuple[FindingStatus, ...] = get_args(FindingStatus)
RANK: dict[str, int] = {status: rank for rank, status in enumerate(FINDING_STATUSES)}


def status_of(outcome: str, waiver_id: int | None, excluded_by: str, kind: str) -> FindingStatus:
    """The status of a finding.

    It is the outcome, but `waived` or `excluded` for a failing finding that a waiver, a conflict or a grace period takes out of the score,
    and `advice` for one whose kind has no weight: it is shown, but never as a failure.
    """
    if outcome == "fail":
        if waiver_id is not None:
            return "waived"
        if excluded_by:
            return "excluded"
        return "advice" if kind in WEIGHTLESS else "fail"
    if outcome == "pass":
        return "excluded" if excluded_by else "pass"
    return "unknown" if outcome == "unknown" else "not_applicable"


# The status of one finding as a bit: the status of one subject under several linked rules follows from the bits of all their findings. A
# pass that a conflict takes out of the score has a bit of its own, since a pass that counts takes precedence over it.
_BITS: dict[str, int] = {
    "fail": 1, "unknown": 2, "excluded": 4, "waived": 8, "advice": 16, "pass": 32, "not_applicable": 64, "excluded_pass": 128,
}  # fmt: skip

# The bit of a finding `f`, in SQL; a test holds it equal to `bit_of`.
BIT_SQL = (
    "CASE f.outcome WHEN 'fail' THEN CASE WHEN f.waiver_id IS NOT NULL THEN 8 WHEN f.excluded_by <> '' THEN 4"
    f" WHEN f.kind IN ({', '.join(repr(kind) for kind in sorted(WEIGHTLESS))}) THEN 16 ELSE 1 END"
    " WHEN 'pass' THEN CASE WHEN f.excluded_by <> '' THEN 128 ELSE 32 END WHEN 'unknown' THEN 2 ELSE 64 END"
)


def bit_of(outcome: str, waiver_id: int | None, excluded_by: str, kind: str) -> int:
    """The bit of one finding."""
    status = status_of(outcome, waiver_id, excluded_by, kind)
    return _BITS["excluded_pass" if outcome == "pass" and status == "excluded" else status]


# Worst first, for one subject under several linked rules: (outcome, status).
_TOGETHER: tuple[tuple[str, FindingStatus], ...] = (
    ("fail", "fail"), ("fail", "advice"), ("fail", "waived"), ("fail", "excluded"), ("unknown", "unknown"), ("pass", "pass"),
    ("pass", "excluded"), ("not_applicable", "not_applicable"),
)  # fmt: skip


def order_together(outcome: str, status: str) -> int:
    """Which finding of one subject counts for several linked rules: the one with the lowest number.

    As in the score: the worst outcome of fail, unknown, pass and not applicable holds, and it is taken out of the score only where every
    finding with that outcome is.
    """
    return _TOGETHER.index((outcome, status))


def status_together(bits: int) -> FindingStatus:
    """The status of one subject under several linked rules, from the bits of their findings; see `order_together`."""
    for outcome, status in _TOGETHER:
        if bits & _BITS["excluded_pass" if (outcome, status) == ("pass", "excluded") else status]:
            return status
    return "not_applicable"


# The rank of the status for each combination of bits, for use as an array in SQL: element `bits + 1`.
RANKS_TOGETHER: list[int] = [RANK[status_together(bits)] for bits in range(256)]
