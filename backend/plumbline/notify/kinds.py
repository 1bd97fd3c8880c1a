"""PURE: the kinds of notices, and when a notice about the same problem is due again."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

NoticeKind = Literal[
    "paths", "symptom", "guard_rail", "needs_human", "waiting_job", "failed_job", "worse", "silent", "alarm", "approval", "ending",
    "break_glass", "grant", "password", "provider", "plumbline", "job", "report", "drift", "ticket", "test",
]  # fmt: skip
Transport = Literal["webhook", "mail", "chat", "heartbeat", "ticket"]

# The text of each kind, the most urgent first. A ticket and a test cannot be chosen for a channel: a person sends them.
KIND_WORDS: dict[NoticeKind, str] = {
    "needs_human": "Job needs attention",
    "paths": "Path down",
    "symptom": "Symptom past its limit",
    "guard_rail": "Guardrail failing",
    "break_glass": "Break-glass used",
    "grant": "User rights changed, or a user with changed rights decided",
    "password": "Password set",
    "provider": "Identity provider changed",
    "plumbline": "Plumbline component failing",
    "alarm": "Host alarm",
    "silent": "Host not reporting",
    "waiting_job": "Job can't start",
    "failed_job": "Job failed",
    "worse": "New rule failure",
    "approval": "Approval needed",
    "ending": "Waiver or attestation expiring",
    "job": "Job ended",
    "report": "Report or evidence bundle ready",
    "drift": "Settings changed",
}
KINDS: tuple[NoticeKind, ...] = tuple(KIND_WORDS)
# Transports of channels that get no kind by themselves.
WITHOUT_KINDS: frozenset[Transport] = frozenset({"heartbeat", "ticket"})
SENT_BY_PEOPLE: dict[NoticeKind, str] = {"ticket": "a ticket", "test": "a test"}

# A problem that grows is notified again, but not more often than this, unless it became more urgent. Each further job that needs a person
# is notified at once; a host that is silent again and again is not.
GROWN_AFTER = timedelta(minutes=10)
_GROWN_AFTER: dict[NoticeKind, timedelta] = {"needs_human": timedelta(0), "silent": timedelta(hours=1)}
# A problem that stays as it is, is notified again after this.
REMIND_AFTER = timedelta(hours=24)
# A problem that disappears and returns within this is the same.
FORGET_AFTER = timedelta(hours=1)
# Hosts and lines in one notice; the rest is counted.
MOST_LINES = 20

# The wait after the first failed attempt of a delivery, the second, and so on. Then it is given up, after some seven hours.
BACKOFF = (timedelta(seconds=30), timedelta(minutes=2), timedelta(minutes=10), timedelta(hours=1), timedelta(hours=6))


@dataclass(frozen=True, slots=True)
class LastNotice:
    """The last notice about a problem. `is_kept_back`: it was not sent, because of a hold, an acknowledgement or a snooze."""

    parts: tuple[str, ...]
    rank: int
    at: datetime
    is_kept_back: bool


def is_due(kind: NoticeKind, last: LastNotice | None, *, parts: Sequence[str], rank: int, is_kept_back: bool, now: datetime) -> bool:
    """Whether a notice about a problem, as it is now, is to be written (sent or kept back)."""
    if last is None:
        return True
    if last.is_kept_back:
        return not is_kept_back
    if is_kept_back:
        return False
    if rank < last.rank:
        return True
    has_grown = not set(parts) <= set(last.parts)
    return now - last.at >= (_GROWN_AFTER.get(kind, GROWN_AFTER) if has_grown else REMIND_AFTER)


def next_try(tries: int) -> timedelta | None:
    """How long to wait after so many failed attempts; None: it is given up."""
    return BACKOFF[tries - 1] if tries <= len(BACKOFF) else None


def cut(lines: Sequence[str]) -> list[str]:
    """As many lines as a notice may have, and how many more there were."""
    kept = list(lines[:MOST_LINES])
    return [*kept, f"and {len(lines) - MOST_LINES} more"] if len(lines) > MOST_LINES else kept
