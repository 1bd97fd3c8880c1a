"""PURE: the states of plans, jobs and steps, which state may follow which, and the label of each on screen."""

from collections.abc import Mapping, Sequence

from plumbline.infra.errors import BadInput, Conflict
from plumbline.models.jobs import JobState, StepState
from plumbline.models.plans import PlanState

_ENDS_BEFORE_RUNNING = (PlanState.WITHDRAWN, PlanState.EXPIRED, PlanState.STALE)

PLAN_MOVES: Mapping[str, frozenset[PlanState]] = {
    PlanState.DRAFT: frozenset({PlanState.PLANNING, *_ENDS_BEFORE_RUNNING}),
    PlanState.PLANNING: frozenset({PlanState.PLAN_FAILED, PlanState.NO_CHANGE, PlanState.PLANNED, *_ENDS_BEFORE_RUNNING}),
    # APPROVED at once under a standing approval only.
    PlanState.PLANNED: frozenset({PlanState.AWAITING_APPROVAL, PlanState.APPROVED, *_ENDS_BEFORE_RUNNING}),
    PlanState.AWAITING_APPROVAL: frozenset({PlanState.REJECTED, PlanState.APPROVED, *_ENDS_BEFORE_RUNNING}),
    PlanState.APPROVED: frozenset({PlanState.RUNNING, *_ENDS_BEFORE_RUNNING}),
    PlanState.RUNNING: frozenset({PlanState.PAUSED, PlanState.FINISHED, PlanState.STOPPED}),
    PlanState.PAUSED: frozenset({PlanState.RUNNING, PlanState.STOPPED, PlanState.FINISHED}),
    **{
        final: frozenset()
        for final in (
            PlanState.PLAN_FAILED,
            PlanState.NO_CHANGE,
            PlanState.REJECTED,
            PlanState.WITHDRAWN,
            PlanState.EXPIRED,
            PlanState.STALE,
            PlanState.FINISHED,
            PlanState.STOPPED,
        )
    },
}
PLAN_FINAL = frozenset(state for state, following in PLAN_MOVES.items() if not following)

JOB_MOVES: Mapping[str, frozenset[JobState]] = {
    JobState.WAITING: frozenset({JobState.QUEUED, JobState.CANCELLED, JobState.EXPIRED, JobState.SKIPPED_STALE}),
    # Back to WAITING: its window closed, or its wave was paused, before a worker claimed it.
    JobState.QUEUED: frozenset({JobState.RUNNING, JobState.WAITING, JobState.CANCELLED, JobState.EXPIRED, JobState.SKIPPED_STALE}),
    JobState.RUNNING: frozenset(
        {
            JobState.VERIFYING,
            JobState.WAITING,
            JobState.SKIPPED_STALE,
            JobState.FAILED,
            JobState.ROLLED_BACK,
            JobState.CANCELLED,
            JobState.PARTIAL,
            JobState.NEEDS_HUMAN,
        }
    ),
    JobState.VERIFYING: frozenset({JobState.SUCCEEDED, JobState.NOT_EFFECTIVE, JobState.UNVERIFIED, JobState.NEEDS_HUMAN}),
    JobState.NEEDS_HUMAN: frozenset({JobState.RESOLVED}),
    **{
        final: frozenset()
        for final in (
            JobState.SUCCEEDED,
            JobState.NOT_EFFECTIVE,
            JobState.UNVERIFIED,
            JobState.CANCELLED,
            JobState.EXPIRED,
            JobState.SKIPPED_STALE,
            JobState.FAILED,
            JobState.ROLLED_BACK,
            JobState.PARTIAL,
            JobState.RESOLVED,
        )
    },
}
JOB_FINAL = frozenset(state for state, following in JOB_MOVES.items() if not following)
# A host has at most one job in these states, and its slots are held as long.
HOLDING = (JobState.RUNNING, JobState.VERIFYING, JobState.NEEDS_HUMAN)
# What counts against a plan's failure budget. A job that found other facts than the plan did nothing wrong.
FAILURES = frozenset(
    {
        JobState.FAILED,
        JobState.ROLLED_BACK,
        JobState.PARTIAL,
        JobState.NEEDS_HUMAN,
        JobState.RESOLVED,
        JobState.NOT_EFFECTIVE,
        JobState.UNVERIFIED,
    }
)
# Ended before it began: none of its steps ran.
UNRUN = frozenset({JobState.CANCELLED, JobState.EXPIRED, JobState.SKIPPED_STALE})

STEP_MOVES: Mapping[str, frozenset[StepState]] = {
    StepState.PENDING: frozenset({StepState.INTENT, StepState.CANCELLED}),
    StepState.INTENT: frozenset(
        {StepState.IN_FLIGHT, StepState.APPLIED, StepState.CONFLICT, StepState.UNKNOWN, StepState.FAILED, StepState.REVERTED}
    ),
    StepState.IN_FLIGHT: frozenset(
        {StepState.IN_FLIGHT, StepState.APPLIED, StepState.CONFLICT, StepState.UNKNOWN, StepState.FAILED, StepState.REVERTED}
    ),
    StepState.UNKNOWN: frozenset({StepState.IN_FLIGHT, StepState.APPLIED, StepState.CONFLICT, StepState.FAILED, StepState.REVERTED}),
    StepState.APPLIED: frozenset({StepState.DONE, StepState.REVERTED, StepState.UNKNOWN}),
    StepState.DONE: frozenset(),
    StepState.FAILED: frozenset(),
    StepState.CONFLICT: frozenset(),
    StepState.REVERTED: frozenset(),
    StepState.CANCELLED: frozenset(),
}
STEP_FINAL = frozenset(state for state, following in STEP_MOVES.items() if not following)

PLAN_WORDS: Mapping[str, str] = {
    PlanState.DRAFT: "draft",
    PlanState.PLANNING: "planning",
    PlanState.PLAN_FAILED: "planning failed",
    PlanState.NO_CHANGE: "nothing to change",
    PlanState.PLANNED: "planned",
    PlanState.AWAITING_APPROVAL: "pending approval",
    PlanState.REJECTED: "rejected",
    PlanState.APPROVED: "approved",
    PlanState.RUNNING: "running",
    PlanState.PAUSED: "paused",
    PlanState.FINISHED: "finished",
    PlanState.STOPPED: "stopped",
    PlanState.WITHDRAWN: "withdrawn",
    PlanState.EXPIRED: "expired",
    PlanState.STALE: "outdated: host changed since planning",
}
JOB_WORDS: Mapping[str, str] = {
    JobState.WAITING: "waiting",
    JobState.QUEUED: "queued",
    JobState.RUNNING: "running",
    JobState.VERIFYING: "verifying",
    JobState.SUCCEEDED: "verified",
    JobState.NOT_EFFECTIVE: "set, no effect",
    JobState.UNVERIFIED: "done, not verified in time",
    JobState.CANCELLED: "cancelled, nothing changed",
    JobState.EXPIRED: "expired, nothing changed",
    JobState.SKIPPED_STALE: "skipped: host changed since approval",
    JobState.FAILED: "failed, nothing changed",
    JobState.ROLLED_BACK: "rolled back",
    JobState.PARTIAL: "partly done; completed steps remain",
    JobState.NEEDS_HUMAN: "needs attention",
    JobState.RESOLVED: "resolved manually",
}


class IllegalMove(Conflict):
    """The plan or job is in a state from which this cannot follow; another request or worker was faster."""

    code = "illegal_move"


def check_plan_move(old: str, new: str) -> None:
    """Raises `IllegalMove` unless a plan may go from `old` to `new`."""
    if new not in PLAN_MOVES[old]:
        raise IllegalMove(f"The plan is {PLAN_WORDS[old]} and can't change to “{PLAN_WORDS[new]}”.")


def check_job_move(old: str, new: str) -> None:
    """Raises `IllegalMove` unless a job may go from `old` to `new`."""
    if new not in JOB_MOVES[old]:
        raise IllegalMove(f"The job is {JOB_WORDS[old]} and can't change to “{JOB_WORDS[new]}”.")


def check_states(given: Sequence[str], known: Mapping[str, object]) -> None:
    """Raises `BadInput` for a state to filter by that there is not."""
    wrong = next((state for state in given if state not in known), None)
    if wrong is not None:
        raise BadInput(f"state: there is no {wrong}; choose from {', '.join(known)}")
