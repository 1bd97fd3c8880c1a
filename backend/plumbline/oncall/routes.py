"""Routes of open problems."""

from typing import Annotated

from fastapi import APIRouter, Path

from plumbline.auth.actor import Actor
from plumbline.auth.dependencies import May, SessionDep
from plumbline.infra.schemas import Done, RowId
from plumbline.oncall import actions, back_test, queries
from plumbline.oncall.problems import KINDS
from plumbline.oncall.schemas import Acknowledge, DetectorTest, OnCall, ProblemNoteOut, Snooze

router = APIRouter()

ProblemKey = Annotated[str, Path(pattern=rf"^({'|'.join(KINDS)})-[0-9a-f]{{32}}$", description="kind and host, as in `key`")]
Noter = Annotated[Actor, May("problem.note")]


@router.get("/on-call")
def read_on_call(session: SessionDep, actor: Annotated[Actor, May("problem.read")], group: RowId | None = None) -> OnCall:
    """Problems that need a person now, the most urgent first, with the fixes that may run at once."""
    return queries.read_on_call(session, actor=actor, group_id=group)


@router.get("/performance/detector")
def read_detector_test(session: SessionDep, actor: Annotated[Actor, May("problem.read")], group: RowId | None = None) -> DetectorTest:
    """How often the detector of symptoms opened in the last four weeks, and how often nothing on record explains why."""
    return back_test.read_detector_test(session, actor=actor, group_id=group)


@router.put("/on-call/{problem}/acknowledgement")
def acknowledge_problem(problem: ProblemKey, body: Acknowledge, session: SessionDep, actor: Noter) -> ProblemNoteOut:
    """Acknowledges the problem until a time: the caller takes care of it."""
    return actions.acknowledge(session, actor=actor, key=problem, request=body)


@router.put("/on-call/{problem}/snooze")
def snooze_problem(problem: ProblemKey, body: Snooze, session: SessionDep, actor: Noter) -> ProblemNoteOut:
    """Snoozes the problem until a time, with the reason; it returns sooner if it gets worse."""
    return actions.snooze(session, actor=actor, key=problem, request=body)


@router.delete("/on-call/{problem}/note")
def release_problem(problem: ProblemKey, session: SessionDep, actor: Noter) -> Done:
    """Ends its acknowledgement or snooze."""
    actions.release(session, actor=actor, key=problem)
    return Done(words="it is open again, and not acknowledged")
