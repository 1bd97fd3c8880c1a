"""Taking a plan back, or stopping it, while its jobs move."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from sqlmodel import Session, text

from plumbline.infra.database import session_scope
from plumbline.models.jobs import Job
from plumbline.remediation.jobs.cancel import cancel_jobs, stop_plan
from plumbline.remediation.transitions import lock_job, lock_plan, set_job_state
from tests.remediation.test_claim import make_jobs, state_of

_WAITS = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"


@pytest.fixture
def two_jobs(fresh_database: str, keys_folder: object) -> tuple[int, int]:
    """A queued job, and one that was made later and runs in the cluster's slot; both of one plan."""
    queued, other = make_jobs([{"cluster": "a"}, {"cluster": "b"}])
    with session_scope() as session:
        shown = state_of(queued)
        host_id = state_of(other).host_id
        later = Job(plan_id=shown.plan_id, host_id=host_id, group_id=1, wave=1, state="RUNNING", not_after=shown.not_after)
        session.add(later)
        session.flush()
        session.execute(text("INSERT INTO domain_slot (domain, slot_no, job_id) VALUES ('cluster:a', 1, :job)"), {"job": later.id})
        return queued, later.id or 0


@contextmanager
def meanwhile(act: Callable[[Session], object]) -> Iterator[list[Exception]]:
    """Acts in another thread; what is inside begins once that one waits for a lock, and ends when it is through."""
    failed: list[Exception] = []

    def run() -> None:
        try:
            with session_scope() as session:
                act(session)
        except Exception as error:
            failed.append(error)

    person = threading.Thread(target=run)
    person.start()
    until = time.monotonic() + 10
    while time.monotonic() < until:
        with session_scope() as looking:
            if looking.execute(text(_WAITS)).scalar_one():
                break
        time.sleep(0.02)
    yield failed


def withdraw(plan_id: int) -> Callable[[Session], object]:
    return lambda session: cancel_jobs(session, lock_plan(session, plan_id), actor="person:1 olga", reason="the wrong hosts")


def test_a_job_that_ends_meanwhile_does_not_keep_the_others_from_being_cancelled(two_jobs: tuple[int, int]) -> None:
    queued, running = two_jobs
    with session_scope() as session:
        job = lock_job(session, queued)
        set_job_state(session, job, "EXPIRED", "approval expired; nothing was changed")
        with meanwhile(withdraw(job.plan_id)) as failed:
            session.commit()
    _settled(lambda: state_of(running).cancel_at is not None or bool(failed))
    assert failed == []
    assert (state_of(queued).state, state_of(running).cancel_reason) == ("EXPIRED", "the wrong hosts")


@pytest.mark.parametrize("is_stopped", [True, False])
def test_a_claim_meanwhile_is_no_deadlock(two_jobs: tuple[int, int], is_stopped: bool) -> None:
    """A claim locks the slots of its domains and then its job; so does whoever takes several jobs at a time."""
    queued, running = two_jobs
    plan_id = state_of(queued).plan_id
    act = (lambda session: stop_plan(session, actor="person:1 olga", plan_id=plan_id, reason="no")) if is_stopped else withdraw(plan_id)
    with session_scope() as session:
        session.execute(text("SELECT FROM domain_slot WHERE domain = 'cluster:a' FOR UPDATE"))
        with meanwhile(act) as failed:
            # Past the time after which PostgreSQL looks for a deadlock, whoever waits longer would be refused.
            session.execute(text("SET LOCAL lock_timeout = '3s'"))
            session.execute(text("SELECT FROM job WHERE id = :id FOR NO KEY UPDATE"), {"id": queued})
            session.commit()
    _settled(lambda: state_of(queued).state == "CANCELLED" or bool(failed))
    assert failed == []
    assert state_of(running).cancel_at is not None


def _settled(is_so: Callable[[], bool]) -> None:
    until = time.monotonic() + 10
    while not is_so() and time.monotonic() < until:
        time.sleep(0.02)
