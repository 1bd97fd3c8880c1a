"""Taking a plan back while its jobs move."""

import threading
import time

from sqlmodel import text

from plumbline.database import session_scope
from plumbline.remediation.cancel import cancel_jobs
from plumbline.remediation.models import Job
from plumbline.remediation.record import lock_job, lock_plan, move_job
from tests.remediation.test_claim import make_jobs, state_of

_WAITS = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"


def test_a_job_that_ends_meanwhile_does_not_keep_the_others_from_being_cancelled(fresh_database: str, keys_folder: object) -> None:
    first, other = make_jobs([{"cluster": "a"}, {"cluster": "b"}])
    plan_id, not_after = state_of(first).plan_id, state_of(first).not_after
    with session_scope() as session:
        later = Job(plan_id=plan_id, host_id=state_of(other).host_id, group_id=1, wave=1, state="QUEUED", not_after=not_after)
        session.add(later)
        session.execute(text("UPDATE job SET state = 'RUNNING' WHERE id = :id"), {"id": first})
        session.flush()
        second = later.id or 0
    failed: list[Exception] = []

    def withdraw() -> None:
        try:
            with session_scope() as session:
                cancel_jobs(session, lock_plan(session, plan_id), actor="person:1 olga", reason="the wrong hosts")
        except Exception as error:
            failed.append(error)

    person = threading.Thread(target=withdraw)
    with session_scope() as session:
        move_job(session, lock_job(session, first), "SKIPPED_STALE", "facts changed since approval")
        person.start()
        until = time.monotonic() + 10
        while time.monotonic() < until:
            with session_scope() as looking:
                if looking.execute(text(_WAITS)).scalar_one():
                    break
            time.sleep(0.02)
    person.join(10)
    assert failed == []
    assert (state_of(first).state, state_of(second).state) == ("SKIPPED_STALE", "CANCELLED")
