"""The word shown for a finding, and the order of those words: one place, shared by rollups, screens and reports."""

from typing import Literal, get_args

Standing = Literal["fail", "unknown", "excluded", "waived", "pass", "not_applicable"]

# Worst first: a host is counted once for a rule, under the worst of its subjects.
STANDINGS: tuple[Standing, ...] = get_args(Standing)
RANK: dict[str, int] = {word: rank for rank, word in enumerate(STANDINGS)}


def standing_of(outcome: str, waiver_id: int | None, excluded_by: str) -> Standing:
    """The outcome, but `waived` or `excluded` for a failing finding that a waiver, a conflict or a time of grace takes out of the score."""
    if outcome == "fail":
        if waiver_id is not None:
            return "waived"
        return "excluded" if excluded_by else "fail"
    if outcome == "pass":
        return "excluded" if excluded_by else "pass"
    return "unknown" if outcome == "unknown" else "not_applicable"
