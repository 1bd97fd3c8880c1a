"""PURE: what a problem is, how urgent it is, and whether an acknowledgement or snooze still applies to it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

Kind = Literal["needs_human", "paths", "symptom", "guard_rail", "worse", "silent", "waiting_job", "failed_job"]

# The label of each kind.
KIND_WORDS: dict[Kind, str] = {
    "needs_human": "Job needs attention",
    "paths": "Path down",
    "symptom": "Symptom",
    "guard_rail": "Guardrail failing",
    "worse": "New failure",
    "silent": "Not reporting",
    "waiting_job": "Job can't start",
    "failed_job": "Job failed",
}
KINDS: tuple[Kind, ...] = tuple(KIND_WORDS)


@dataclass(frozen=True, slots=True)
class Failing:
    """A failing finding of a problem: its rule's number and subject, since when it fails, and its texts."""

    rule_no: int
    subject_kind: str
    subject_id: str
    since: datetime
    reason: str = ""
    observed: str = ""


@dataclass(frozen=True, slots=True)
class Cause:
    """A failing rule that could explain a symptom, in a headline; `subject_id` is its first item."""

    pack: str
    rule: str
    subject_id: str
    headline: str


@dataclass(frozen=True, slots=True)
class Problem:
    """One problem of one host that needs a person.

    `parts` name what it consists of: an acknowledgement or snooze ends when the problem gets another part. `rank` orders by urgency, the
    most urgent first; `alike` counts other hosts of the scope with the same one. Of a symptom, `reads` are the settings that could explain
    it, and `causes` the rules on them that fail.
    """

    kind: Kind
    host_id: str
    since: datetime | None
    words: str
    takes_away: str
    parts: tuple[str, ...]
    rank: int
    findings: tuple[Failing, ...] = ()
    job_id: int | None = None
    alike: int = 0
    reads: tuple[str, ...] = ()
    causes: tuple[Cause, ...] = ()

    @property
    def key(self) -> str:
        """Identifies it in a URL; a host has at most one of each kind."""
        return f"{self.kind}-{self.host_id}"


def path_rank(fewest: int | None) -> int:
    """No path at all comes before a job that needs a person. A lost path is a present fault and comes before a failing guardrail, which is
    a risk, even if only redundancy was lost.
    """
    return 0 if fewest == 0 else 2 if fewest == 1 else 3


# Ranks of the other kinds. The rank of paths depends on how many are left. A symptom is a present fault, a failing rule is a risk.
RANKS: dict[Kind, int] = {
    "needs_human": 1, "symptom": 4, "guard_rail": 5, "worse": 6, "silent": 7, "waiting_job": 8, "failed_job": 9,
}  # fmt: skip


def path_words(volumes: Sequence[tuple[str, int, int]]) -> tuple[str, str]:
    """Headline and loss, from (name, healthy, known) of each volume that misses a path, fewest healthy first."""
    name, healthy, known = volumes[0]
    more = f", and {len(volumes) - 1} more" if len(volumes) > 1 else ""
    words = f"{name}: {healthy} of {known} paths up{more}"
    if healthy == 0:
        return words, "The host can't reach the volume"
    if healthy == 1:
        return words, "One more failure takes the volume offline. Fixes that take a path down are blocked."
    return words, f"Reduced redundancy: {healthy} paths carry the load of {known}"


def path_parts(volumes: Iterable[tuple[str, int, int]]) -> tuple[str, ...]:
    """A part for every path that a volume misses, so that losing one more is a new part and getting one back is none."""
    return tuple(f"{name}: fewer than {limit}" for name, healthy, known in volumes for limit in range(healthy + 1, known + 1))


def still_holds(noted: Iterable[str], now: Iterable[str]) -> bool:
    """Whether an acknowledgement or snooze still applies: the problem has no part that it did not have then."""
    return set(now) <= set(noted)


def in_order(problems: Iterable[Problem]) -> list[Problem]:
    """The most urgent first; among equals the latest, because an alarm is about what just happened."""
    return sorted(problems, key=lambda each: (each.rank, -(each.since.timestamp() if each.since else 0), each.host_id))
