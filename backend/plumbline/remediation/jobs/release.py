"""A claim is given back by a worker that lives and lost the database in the middle: the job is free at once, and the claim does not count.

Claims count so that a job that takes its workers down ends with a person. A database that restarts takes nobody down;
counted all the same, three restarts within one job would stop its host for a person.
"""

import time

import structlog
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session, text

from plumbline.infra.database import is_database_gone, session_scope
from plumbline.remediation.jobs.claim import Claim
from plumbline.remediation.timings import pace
from plumbline.remediation.transitions import lock_job, tell_job

log = structlog.get_logger()

_PAUSE_SECONDS = 0.5
# A job that takes the database down each time must come to an end as well.
_MOST = 20
_BEFORE = text("SELECT count(*) FROM job_event WHERE job_id = :job AND kind = 'given_back'")


def give_back(held: Claim) -> bool:
    """Gives the claim back once the database answers, if nobody else has the job by then; False where the claim stays counted.

    Gives up after the time of one lease: then the lease has ended by itself. Nothing of this claim may be under way any more.
    """
    until = time.monotonic() + pace().lease
    while True:
        try:
            with session_scope() as session:
                return _given_back(session, held)
        except DBAPIError as error:
            if not is_database_gone(error):
                raise
            if time.monotonic() > until:
                log.warning("a claim could not be given back", job=held.job_id, gen=held.gen)
                return False
        time.sleep(_PAUSE_SECONDS)


def _given_back(session: Session, held: Claim) -> bool:
    job = lock_job(session, held.job_id)
    # Without a worker: given back before, by a commit whose answer was lost.
    if job.gen != held.gen or job.state not in ("RUNNING", "VERIFYING") or not job.worker:
        return False
    if session.execute(_BEFORE, {"job": job.id}).scalar_one() >= _MOST:
        return False
    job.worker = ""
    job.deliveries = max(0, job.deliveries - 1)
    if job.queue == "alone":
        job.alone_deliveries = max(0, job.alone_deliveries - 1)
    job.lease_until = session.execute(text("SELECT clock_timestamp()")).scalar_one()
    tell_job(session, job, "given_back", "the database was away for a moment; the job goes on from what is on record")
    return True
