"""The state machines, exhaustively: what follows what, what is final, and that database and Python agree."""

import itertools
from enum import StrEnum

import pytest
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session, text

from plumbline.models.jobs import JobState, StepState
from plumbline.models.plans import PlanState
from plumbline.remediation.states import (
    FAILURES,
    HOLDING,
    JOB_FINAL,
    JOB_MOVES,
    JOB_WORDS,
    PLAN_FINAL,
    PLAN_MOVES,
    PLAN_WORDS,
    STEP_MOVES,
    UNRUN,
    IllegalMove,
    check_job_move,
    check_plan_move,
)

# Every move that there may be, written out by hand.
JOB_ARROWS = {
    ("WAITING", "QUEUED"),
    ("QUEUED", "RUNNING"),
    ("RUNNING", "VERIFYING"),
    ("VERIFYING", "SUCCEEDED"),
    ("VERIFYING", "NOT_EFFECTIVE"),
    ("VERIFYING", "UNVERIFIED"),
    ("VERIFYING", "NEEDS_HUMAN"),
    *itertools.product(("WAITING", "QUEUED"), ("CANCELLED", "EXPIRED", "SKIPPED_STALE")),
    ("QUEUED", "WAITING"),
    *(("RUNNING", end) for end in ("SKIPPED_STALE", "WAITING", "FAILED", "ROLLED_BACK", "CANCELLED", "PARTIAL", "NEEDS_HUMAN")),
    ("NEEDS_HUMAN", "RESOLVED"),
}
PLAN_ARROWS = {
    ("DRAFT", "PLANNING"),
    *(("PLANNING", end) for end in ("PLAN_FAILED", "NO_CHANGE", "PLANNED")),
    ("PLANNED", "AWAITING_APPROVAL"),
    ("PLANNED", "APPROVED"),
    ("AWAITING_APPROVAL", "REJECTED"),
    ("AWAITING_APPROVAL", "APPROVED"),
    ("APPROVED", "RUNNING"),
    ("RUNNING", "PAUSED"),
    ("PAUSED", "RUNNING"),
    *itertools.product(("RUNNING", "PAUSED"), ("FINISHED", "STOPPED")),
    *itertools.product(("DRAFT", "PLANNING", "PLANNED", "AWAITING_APPROVAL", "APPROVED"), ("WITHDRAWN", "EXPIRED", "STALE")),
}


@pytest.mark.parametrize(("old", "new"), list(itertools.product(JOB_MOVES, JOB_MOVES)))
def test_each_pair_of_a_job(old: str, new: str) -> None:
    if (old, new) in JOB_ARROWS:
        check_job_move(old, new)
    else:
        with pytest.raises(IllegalMove):
            check_job_move(old, new)


@pytest.mark.parametrize(("old", "new"), list(itertools.product(PLAN_MOVES, PLAN_MOVES)))
def test_each_pair_of_a_plan(old: str, new: str) -> None:
    if (old, new) in PLAN_ARROWS:
        check_plan_move(old, new)
    else:
        with pytest.raises(IllegalMove):
            check_plan_move(old, new)


def test_every_state_can_be_reached_ends_and_has_words() -> None:
    for moves, words, start in ((JOB_MOVES, JOB_WORDS, "WAITING"), (PLAN_MOVES, PLAN_WORDS, "DRAFT")):
        reached, edge = {start}, [start]
        while edge:
            for following in moves[edge.pop()] - reached:
                reached.add(following)
                edge.append(following)
        assert reached == set(moves) == set(words)
    assert {"PENDING", *itertools.chain(*STEP_MOVES.values())} == set(STEP_MOVES)
    assert not set(HOLDING) & JOB_FINAL
    assert set(JOB_MOVES) >= FAILURES
    assert UNRUN <= JOB_FINAL


def test_the_database_never_leaves_a_final_state(session: Session) -> None:
    names = "SELECT regexp_matches(prosrc, '''([A-Z_]{5,})''', 'g') FROM pg_proc WHERE proname = :name"
    listed = {
        kind: {name for row in session.execute(text(names), {"name": f"guard_{kind}"}) for name in row[0]} for kind in ("job", "plan")
    }
    words = {"UPDATE", "INSERT", "DELETE"}
    assert listed["job"] - words == JOB_FINAL
    assert listed["plan"] - words == PLAN_FINAL


def test_no_job_without_an_approval(session: Session) -> None:
    session.execute(text("INSERT INTO person (id, login, display_name, is_disabled, time_zone) VALUES (900, 'x', 'x', false, 'UTC')"))
    session.execute(
        text(
            "INSERT INTO plan (id, group_id, title, reason, ticket, author_id, author, state, state_words, document, digest, deliveries,"
            " wave, accepted_failures, event_no) VALUES (900, 1, '', '', '', 900, '', 'APPROVED', '', '', '', 0, 0, 0, 0)"
        )
    )
    with pytest.raises(DBAPIError, match="not approved"), session.begin_nested():
        session.execute(
            text(
                "INSERT INTO job (plan_id, host_id, group_id, kind, requested_by, steps_total, wave, state, state_words, not_after, gen,"
                " worker, queue, deliveries, isolated_deliveries, cancel_by, cancel_reason, last_op_id, effect, resolved_by, resolution,"
                " event_no)"
                " VALUES (900, 'h', 1, 'change', '', 0, 0, 'WAITING', '', now(), 0, '', '', 0, 0, '', '', '', '', '', '', 0)"
            )
        )


def test_only_the_api_makes_plans_approvals_and_jobs(session: Session) -> None:
    for role in ("plumbline_executor", "plumbline_background"):
        for table in ("plan", "job", "approval", "standing_approval", "stop_switch", "break_glass"):
            may = session.execute(
                text("SELECT has_table_privilege(:role, :table, 'INSERT'), has_table_privilege(:role, :table, 'DELETE')"),
                {"role": role, "table": table},
            ).one()
            assert tuple(may) == (False, False), (role, table)
        assert not session.execute(text("SELECT has_table_privilege(:role, 'approval', 'UPDATE')"), {"role": role}).scalar_one()


@pytest.mark.parametrize(
    ("role", "table", "held"),
    [
        ("plumbline_executor", "probe_run", {"SELECT", "UPDATE"}),
        ("plumbline_background", "probe_run", {"SELECT", "DELETE"}),
        ("plumbline_executor", "worker_heartbeat", {"SELECT", "INSERT", "UPDATE"}),
        ("plumbline_background", "worker_heartbeat", {"SELECT", "DELETE"}),
        ("plumbline_executor", "job_step", {"SELECT", "INSERT", "UPDATE"}),
        ("plumbline_background", "job_step", {"SELECT", "UPDATE"}),
        ("plumbline_executor", "domain_slot", {"SELECT", "INSERT", "UPDATE"}),
        ("plumbline_executor", "job_event", {"SELECT", "INSERT"}),
        ("plumbline_background", "job_event", {"SELECT", "INSERT"}),
        ("plumbline_executor", "remediation_endpoint", {"SELECT"}),
        ("plumbline_background", "remediation_endpoint", {"SELECT"}),
        ("plumbline_background", "vcenter", {"SELECT"}),
        ("plumbline_background", "vault_secret", set()),
    ],
)
def test_a_worker_holds_what_it_uses(session: Session, role: str, table: str, held: set[str]) -> None:
    found = {
        right
        for right in ("SELECT", "INSERT", "UPDATE", "DELETE")
        if session.execute(
            text("SELECT has_table_privilege(:role, :table, :right)"), {"role": role, "table": table, "right": right}
        ).scalar_one()
    }
    assert found == held


def test_planning_reads_whose_a_credential_is_and_whether_it_is_stopped_and_never_what_is_sealed(session: Session) -> None:
    seen = session.execute(
        text(
            "SELECT column_name FROM information_schema.columns WHERE table_name = 'vault_secret'"
            " AND has_column_privilege('plumbline_background', 'vault_secret', column_name, 'SELECT') ORDER BY 1"
        )
    )
    assert list(seen.scalars()) == ["account", "id", "stopped_at", "stopped_reason"]


@pytest.mark.parametrize("kind", [PlanState, JobState, StepState])
def test_a_state_is_stored_as_its_name(kind: type[StrEnum]) -> None:
    assert [str(state) for state in kind] == [state.name for state in kind]
