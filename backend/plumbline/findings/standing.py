"""The word shown for a finding, and the order of those words: one place, shared by rollups, screens and reports."""

from typing import Literal, get_args

from plumbline.scoring.rule import WEIGHTLESS

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
