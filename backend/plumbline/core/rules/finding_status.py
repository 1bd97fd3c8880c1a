"""The word shown for a finding, and the order of those words: one place, shared by rollups, screens and reports."""

from typing import Literal, get_args

from plumbline.core.rules.rule import WEIGHTLESS

Standing = Literal["fail", "unknown", "excluded", "waived", "advice", "pass", "not_applicable"]

# Worst first: a host is counted once for a rule, under the worst of its subjects.
STANDINGS: tuple[Standing, ...] = get_args(Standing)
RANK: dict[str, int] = {word: rank for rank, word in enumerate(STANDINGS)}


def standing_of(outcome: str, waiver_id: int | None, excluded_by: str, kind: str) -> Standing:
    """The word for a finding.

    The outcome, but `waived` or `excluded` for a failing finding that a waiver, a conflict or a time of grace takes out of the score,
    and `advice` for one whose kind weighs nothing: it is shown, and never as a failure.
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


# What stands of one finding, as a bit: what several findings of one subject come to together is told from the bits of all of them. The
# pass that a conflict takes out of the score has a bit of its own, since beside a pass that counts it says nothing.
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
    word = standing_of(outcome, waiver_id, excluded_by, kind)
    return _BITS["excluded_pass" if outcome == "pass" and word == "excluded" else word]


# Worst first, for one subject of which several rules say the same thing: (outcome, word).
_TOGETHER: tuple[tuple[str, Standing], ...] = (
    ("fail", "fail"), ("fail", "advice"), ("fail", "waived"), ("fail", "excluded"), ("unknown", "unknown"), ("pass", "pass"),
    ("pass", "excluded"), ("not_applicable", "not_applicable"),
)  # fmt: skip


def order_together(outcome: str, word: str) -> int:
    """Which of the findings of one subject tells for all where several rules ask the same: the one with the lowest number.

    As in the score: the worst outcome of fail, unknown, pass and not applicable holds, and it is taken out of the score only where every
    finding with that outcome is.
    """
    return _TOGETHER.index((outcome, word))


def standing_together(bits: int) -> Standing:
    """The word for one subject of which several rules say the same thing, from the bits of their findings; see `order_together`."""
    for outcome, word in _TOGETHER:
        if bits & _BITS["excluded_pass" if (outcome, word) == ("pass", "excluded") else word]:
            return word
    return "not_applicable"


# The rank of the word for each combination of bits, for use as an array in SQL: element `bits + 1`.
RANKS_TOGETHER: list[int] = [RANK[standing_together(bits)] for bits in range(256)]
