"""PURE: the states of plans, jobs and steps, which may follow which, and what each is called on screen."""

from collections.abc import Mapping

from plumbline.infra.errors import Conflict

BEFORE_RUNNING = ("DRAFT", "PLANNING", "PLANNED", "AWAITING_APPROVAL", "APPROVED")
_ENDS_BEFORE_RUNNING = ("WITHDRAWN", "EXPIRED", "STALE")

PLAN_MOVES: Mapping[str, frozenset[str]] = {
    "DRAFT": frozenset({"PLANNING", *_ENDS_BEFORE_RUNNING}),
    "PLANNING": frozenset({"PLAN_FAILED", "NO_CHANGE", "PLANNED", *_ENDS_BEFORE_RUNNING}),
    # APPROVED at once under a standing approval only.
    "PLANNED": frozenset({"AWAITING_APPROVAL", "APPROVED", *_ENDS_BEFORE_RUNNING}),
    "AWAITING_APPROVAL": frozenset({"REJECTED", "APPROVED", *_ENDS_BEFORE_RUNNING}),
    "APPROVED": frozenset({"RUNNING", *_ENDS_BEFORE_RUNNING}),
    "RUNNING": frozenset({"PAUSED", "FINISHED", "STOPPED"}),
    "PAUSED": frozenset({"RUNNING", "STOPPED", "FINISHED"}),
    **{final: frozenset() for final in ("PLAN_FAILED", "NO_CHANGE", "REJECTED", "WITHDRAWN", "EXPIRED", "STALE", "FINISHED", "STOPPED")},
}
PLAN_FINAL = frozenset(state for state, following in PLAN_MOVES.items() if not following)

JOB_MOVES: Mapping[str, frozenset[str]] = {
    "WAITING": frozenset({"QUEUED", "CANCELLED", "EXPIRED", "SKIPPED_STALE"}),
    # Back to WAITING: its window closed, or its wave was paused, before anybody claimed it.
    "QUEUED": frozenset({"RUNNING", "WAITING", "CANCELLED", "EXPIRED", "SKIPPED_STALE"}),
    "RUNNING": frozenset({"VERIFYING", "WAITING", "SKIPPED_STALE", "FAILED", "ROLLED_BACK", "CANCELLED", "PARTIAL", "NEEDS_HUMAN"}),
    "VERIFYING": frozenset({"SUCCEEDED", "NOT_EFFECTIVE", "UNVERIFIED", "NEEDS_HUMAN"}),
    "NEEDS_HUMAN": frozenset({"RESOLVED"}),
    **{
        final: frozenset()
        for final in (
            "SUCCEEDED",
            "NOT_EFFECTIVE",
            "UNVERIFIED",
            "CANCELLED",
            "EXPIRED",
            "SKIPPED_STALE",
            "FAILED",
            "ROLLED_BACK",
            "PARTIAL",
            "RESOLVED",
        )
    },
}
JOB_FINAL = frozenset(state for state, following in JOB_MOVES.items() if not following)
# A host has at most one job in these; its domain slots are held as long.
HOLDING = ("RUNNING", "VERIFYING", "NEEDS_HUMAN")
# What counts against a plan's failure budget. A job that found other facts than the plan did nothing wrong.
FAILURES = frozenset({"FAILED", "ROLLED_BACK", "PARTIAL", "NEEDS_HUMAN", "RESOLVED", "NOT_EFFECTIVE", "UNVERIFIED"})
# Ended before it began: nothing of it ever ran.
UNRUN = frozenset({"CANCELLED", "EXPIRED", "SKIPPED_STALE"})

STEP_MOVES: Mapping[str, frozenset[str]] = {
    "PENDING": frozenset({"INTENT", "CANCELLED"}),
    "INTENT": frozenset({"IN_FLIGHT", "APPLIED", "CONFLICT", "UNKNOWN", "FAILED", "REVERTED"}),
    "IN_FLIGHT": frozenset({"IN_FLIGHT", "APPLIED", "CONFLICT", "UNKNOWN", "FAILED", "REVERTED"}),
    "UNKNOWN": frozenset({"IN_FLIGHT", "APPLIED", "CONFLICT", "FAILED", "REVERTED"}),
    "APPLIED": frozenset({"DONE", "REVERTED", "UNKNOWN"}),
    "DONE": frozenset(),
    "FAILED": frozenset(),
    "CONFLICT": frozenset(),
    "REVERTED": frozenset(),
    "CANCELLED": frozenset(),
}
STEP_FINAL = frozenset(state for state, following in STEP_MOVES.items() if not following)

PLAN_WORDS: Mapping[str, str] = {
    "DRAFT": "draft",
    "PLANNING": "being planned",
    "PLAN_FAILED": "could not be planned",
    "NO_CHANGE": "nothing to change",
    "PLANNED": "planned",
    "AWAITING_APPROVAL": "waits for approval",
    "REJECTED": "refused",
    "APPROVED": "approved",
    "RUNNING": "running",
    "PAUSED": "paused",
    "FINISHED": "finished",
    "STOPPED": "stopped",
    "WITHDRAWN": "withdrawn",
    "EXPIRED": "expired",
    "STALE": "facts changed since planning",
}
JOB_WORDS: Mapping[str, str] = {
    "WAITING": "waits",
    "QUEUED": "queued",
    "RUNNING": "running",
    "VERIFYING": "being verified",
    "SUCCEEDED": "verified",
    "NOT_EFFECTIVE": "set, but without effect",
    "UNVERIFIED": "done, not verified in time",
    "CANCELLED": "cancelled, nothing changed",
    "EXPIRED": "expired, nothing changed",
    "SKIPPED_STALE": "skipped: facts changed since approval",
    "FAILED": "failed, nothing took effect",
    "ROLLED_BACK": "rolled back",
    "PARTIAL": "ended part-way; the steps done stand",
    "NEEDS_HUMAN": "needs a person",
    "RESOLVED": "resolved by a person",
}


class IllegalMove(Conflict):
    """A plan or job is not in a state from which this can follow; somebody else was quicker."""

    code = "illegal_move"


def check_plan_move(old: str, new: str) -> None:
    """Raises `IllegalMove` unless a plan may go from `old` to `new`."""
    if new not in PLAN_MOVES[old]:
        raise IllegalMove(f"the plan is {PLAN_WORDS[old]}: it cannot become “{PLAN_WORDS[new]}” now")


def check_job_move(old: str, new: str) -> None:
    """Raises `IllegalMove` unless a job may go from `old` to `new`."""
    if new not in JOB_MOVES[old]:
        raise IllegalMove(f"the job is {JOB_WORDS[old]}: it cannot become “{JOB_WORDS[new]}” now")
