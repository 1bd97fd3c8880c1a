"""How a job's steps ended, and which of them took effect."""

from collections.abc import Mapping
from dataclasses import dataclass

from plumbline.infra.errors import PlumblineError
from plumbline.models.jobs import JobState, JobStep, StepState


@dataclass(frozen=True, slots=True)
class Ended:
    """How a job's steps ended: the state it goes to and why. None of it is written yet."""

    state: JobState
    words: str


class Boundary(Exception):
    """The job ends or waits at this step boundary."""

    def __init__(self, ended: Ended) -> None:
        super().__init__(ended.words)
        self.ended = ended


class GivenUp(PlumblineError):
    """The step cannot be finished automatically."""

    code = "given_up"

    def __init__(self, ended: Ended) -> None:
        super().__init__(ended.words)
        self.ended = ended


def effects(rows: Mapping[int, JobStep]) -> list[int]:
    """Numbers of the steps that this job put into effect."""
    return sorted(number for number, row in rows.items() if row.state == StepState.DONE and row.applied_by == "us")


def effect_text(rows: Mapping[int, JobStep]) -> str:
    """Which steps are in effect, as text."""
    done = effects(rows)
    return f"step{'s' if len(done) > 1 else ''} {', '.join(map(str, done))} remain{'' if len(done) > 1 else 's'} in effect"


def between(rows: Mapping[int, JobStep], words: str) -> Ended:
    """The end of a job that stops between two steps, after its first intent: the steps in effect are listed, nothing else happened."""
    if effects(rows):
        return Ended(JobState.PARTIAL, f"{words}; {effect_text(rows)}")
    return Ended(JobState.CANCELLED, f"{words}; nothing was changed")
