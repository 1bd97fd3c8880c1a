"""A database that goes away in the middle of a job: the worker lives, so its claim is given back and does not count."""

import pytest
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session, create_engine, text

from plumbline.infra.database import is_database_gone, session_scope
from plumbline.remediation.jobs.claim import Claim, claim_job
from plumbline.remediation.jobs.release import release_claim
from tests.remediation.test_claim import end, make_jobs, state_of


@pytest.fixture
def job_id(fresh_database: str, keys_folder: object) -> int:
    """A queued job, in a database of the test's own."""
    (made,) = make_jobs([{"cluster": "a"}])
    return made


def taken(job_id: int, queue: str = "remediation") -> Claim:
    with session_scope() as session:
        held = claim_job(session, job_id, worker="w", queue=queue)
    assert held is not None
    return held


def expire(job_id: int) -> None:
    with session_scope() as session:
        session.execute(text("UPDATE job SET lease_until = clock_timestamp() - interval '1 second' WHERE id = :id"), {"id": job_id})


def test_a_claim_given_back_is_free_at_once_and_does_not_count(job_id: int) -> None:
    held = taken(job_id)
    assert release_claim(held)
    job = state_of(job_id)
    assert (job.state, job.deliveries, job.worker, job.queue) == ("RUNNING", 0, "", "remediation")
    again = taken(job_id)
    assert again.gen > held.gen
    assert state_of(job_id).queue == "remediation"


def test_alone_three_lost_databases_are_not_three_dead_workers(job_id: int) -> None:
    taken(job_id)
    expire(job_id)
    with session_scope() as session:
        assert claim_job(session, job_id, worker="w", queue="remediation") is None
    for _ in range(5):
        assert release_claim(taken(job_id, "isolated"))
    assert state_of(job_id).isolated_deliveries == 0
    for _ in range(3):
        taken(job_id, "isolated")
        expire(job_id)
    with session_scope() as session:
        assert claim_job(session, job_id, worker="w", queue="isolated") is None
    assert state_of(job_id).state == "NEEDS_HUMAN"


def test_a_job_that_takes_the_database_down_each_time_counts_in_the_end(job_id: int) -> None:
    for _ in range(20):
        assert release_claim(taken(job_id))
    assert not release_claim(taken(job_id))
    assert state_of(job_id).deliveries == 1


def test_nothing_is_given_back_twice_nor_by_who_lost_it_nor_of_a_job_that_ended(job_id: int) -> None:
    held = taken(job_id)
    assert release_claim(held)
    assert not release_claim(held)
    newer = taken(job_id)
    assert not release_claim(held)
    assert state_of(job_id).gen == newer.gen
    assert state_of(job_id).worker == "w"
    end(job_id)
    assert not release_claim(newer)


def test_only_a_lost_or_refused_connection_is_a_database_that_is_gone(fresh_database: str) -> None:
    def gone(statement: str) -> bool:
        with session_scope() as session:
            session.execute(text("SET LOCAL statement_timeout = 50"))
            with pytest.raises(DBAPIError) as caught:
                session.execute(text(statement))
            session.rollback()
        return is_database_gone(caught.value)

    assert gone("SELECT pg_terminate_backend(pg_backend_pid())")
    assert not gone("SELECT 1 / 0")
    assert not gone("SELECT pg_sleep(5)")
    nowhere = create_engine("postgresql+psycopg://nobody@127.0.0.1:9/none", connect_args={"connect_timeout": 2})
    with pytest.raises(DBAPIError) as refused, Session(nowhere) as session:
        session.execute(text("SELECT 1"))
    assert is_database_gone(refused.value)
