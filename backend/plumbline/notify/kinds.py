"""PURE: what there is to tell, and when the same thing is told again."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, get_args

NoticeKind = Literal[
    "paths", "guard_rail", "needs_human", "failed_job", "worse", "silent", "alarm", "approval", "ending", "break_glass", "plumbline", "test"
]  # fmt: skip
Way = Literal["webhook", "mail", "chat", "heartbeat"]
WAYS: tuple[Way, ...] = get_args(Way)

# What a person calls each, in the order of their urgency. A test is chosen by nobody.
KIND_WORDS: dict[NoticeKind, str] = {
    "needs_human": "a job needs a person",
    "paths": "a path is lost",
    "guard_rail": "a guard-rail fails",
    "break_glass": "somebody breaks the glass",
    "plumbline": "a part of Plumbline does not do its work",
    "alarm": "a host raises an alarm",
    "silent": "a host is silent",
    "failed_job": "a job did not succeed",
    "worse": "a rule fails that passed before",
    "approval": "something waits for an approver",
    "ending": "a waiver or an attestation ends soon",
}
KINDS: tuple[NoticeKind, ...] = tuple(KIND_WORDS)

# A problem that grows is told again, but not more often than this, unless it became more urgent. Each job that needs a person is told at
# once; a host that comes and goes is silent anew each time, and is not.
GROWN_AFTER = timedelta(minutes=10)
_GROWN_AFTER: dict[NoticeKind, timedelta] = {"needs_human": timedelta(0), "silent": timedelta(hours=1)}
# One that stays as it is.
REMIND_AFTER = timedelta(hours=24)
# One that goes and comes back within this is the same.
FORGET_AFTER = timedelta(hours=1)
# Hosts and sentences of one notice; the rest is counted.
MOST_LINES = 20

# When a delivery that failed is tried again: after the first try, the second, and so on. Then it is given up, after some seven hours.
BACKOFF = (timedelta(seconds=30), timedelta(minutes=2), timedelta(minutes=10), timedelta(hours=1), timedelta(hours=6))


@dataclass(frozen=True, slots=True)
class Told:
    """What was said of a problem before. `is_kept_back`: nobody was told, because of a hold or of somebody who is at it."""

    parts: tuple[str, ...]
    rank: int
    at: datetime
    is_kept_back: bool


def is_due(kind: NoticeKind, told: Told | None, *, parts: Sequence[str], rank: int, is_kept_back: bool, now: datetime) -> bool:
    """Whether a problem as it is now is to be told, or to be noted as kept back."""
    if told is None:
        return True
    if told.is_kept_back:
        return not is_kept_back
    if is_kept_back:
        return False
    if rank < told.rank:
        return True
    has_grown = not set(parts) <= set(told.parts)
    return now - told.at >= (_GROWN_AFTER.get(kind, GROWN_AFTER) if has_grown else REMIND_AFTER)


def next_try(tries: int) -> timedelta | None:
    """How long to wait after so many failed tries; None: it is given up."""
    return BACKOFF[tries - 1] if tries <= len(BACKOFF) else None


def cut(lines: Sequence[str]) -> list[str]:
    """As many lines as a notice has, and how many more there were."""
    kept = list(lines[:MOST_LINES])
    return [*kept, f"and {len(lines) - MOST_LINES} more"] if len(lines) > MOST_LINES else kept
