"""How a job's steps ended, and what of them stands."""

from collections.abc import Mapping
from dataclasses import dataclass

from sqlmodel import Session, col, select

from plumbline.infra.errors import PlumblineError
from plumbline.models.remediation import JobStep


@dataclass(frozen=True, slots=True)
class Ended:
    """How a job's steps ended: the state it goes to and why. None of it is written yet."""

    state: str
    words: str


class Boundary(Exception):
    """The job ends or waits at this step boundary."""

    def __init__(self, ended: Ended) -> None:
        super().__init__(ended.words)
        self.ended = ended


class GivenUp(PlumblineError):
    """The step cannot be brought to an end by us."""

    code = "given_up"

    def __init__(self, ended: Ended) -> None:
        super().__init__(ended.words)
        self.ended = ended


def step_rows(session: Session, job_id: int) -> dict[int, JobStep]:
    """The rows of a job's steps by number, read anew."""
    query = select(JobStep).where(col(JobStep.job_id) == job_id).execution_options(populate_existing=True)
    return {row.step_no: row for row in session.exec(query)}


def effects(rows: Mapping[int, JobStep]) -> list[int]:
    """Numbers of the steps that stand because of this job."""
    return sorted(number for number, row in rows.items() if row.state == "DONE" and row.applied_by == "us")


def standing_words(rows: Mapping[int, JobStep]) -> str:
    """Which steps stand, in words."""
    done = effects(rows)
    return f"step{'s' if len(done) > 1 else ''} {', '.join(map(str, done))} stand{'' if len(done) > 1 else 's'}"


def between(rows: Mapping[int, JobStep], words: str) -> Ended:
    """The end of a job that stops between two steps, after its first intent: what stands is listed, nothing else happened."""
    if effects(rows):
        return Ended("PARTIAL", f"{words}; {standing_words(rows)}")
    return Ended("CANCELLED", f"{words}; nothing had taken effect")
