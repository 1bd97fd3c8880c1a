"""Releasing a claim after the database went away while its worker lives on: the job is free at once, and the claim does not count.

Claims are counted so that a job which crashes its workers ends with a person. A database that restarts crashes no worker;
counted all the same, three restarts during one job would leave its host to a person.
"""

import time

import structlog
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session, text

from plumbline.infra.database import is_database_gone, session_scope
from plumbline.models.jobs import JobState
from plumbline.remediation.jobs.claim import Claim
from plumbline.remediation.timings import job_timings
from plumbline.remediation.transitions import add_job_event, lock_job

log = structlog.get_logger()

_PAUSE_SECONDS = 0.5
# A job that crashes the database each time must end as well.
_MOST = 20
_BEFORE = text("SELECT count(*) FROM job_event WHERE job_id = :job AND kind = 'given_back'")


def release_claim(claim: Claim) -> bool:
    """Releases the claim once the database answers, unless another worker has the job by then; False where the claim stays counted.

    Gives up after the time of one lease: then the lease has ended by itself. No work of this claim may still be running.
    """
    until = time.monotonic() + job_timings().lease_seconds
    while True:
        try:
            with session_scope() as session:
                return _release(session, claim)
        except DBAPIError as error:
            if not is_database_gone(error):
                raise
            if time.monotonic() > until:
                log.warning("claim not released", job=claim.job_id, gen=claim.gen)
                return False
        time.sleep(_PAUSE_SECONDS)


def _release(session: Session, claim: Claim) -> bool:
    job = lock_job(session, claim.job_id)
    # Without a worker: released before, by a commit whose answer was lost.
    if job.gen != claim.gen or job.state not in (JobState.RUNNING, JobState.VERIFYING) or not job.worker:
        return False
    if session.execute(_BEFORE, {"job": job.id}).scalar_one() >= _MOST:
        return False
    job.worker = ""
    job.deliveries = max(0, job.deliveries - 1)
    if job.queue == "isolated":
        job.isolated_deliveries = max(0, job.isolated_deliveries - 1)
    job.lease_until = session.execute(text("SELECT clock_timestamp()")).scalar_one()
    add_job_event(session, job, "given_back", "the database was briefly unavailable; the job resumes from its stored state")
    return True
