"""The watch that a job starts: whoever opens the job sees within seconds what the change does to the host."""

from sqlalchemy import text
from sqlmodel import Session

from plumbline.watches.access import why_not

# Long enough for most changes and for the check-in that verifies them.
SECONDS = 600
# A message that comes later than this belongs to a job of long ago.
_STARTS_WITHIN_SECONDS = 120
_JOB = f"""
SELECT j.host_id, j.requested_by FROM job j
WHERE j.id = :job AND j.state = 'RUNNING' AND j.started_at > clock_timestamp() - interval '{_STARTS_WITHIN_SECONDS} seconds'
"""  # noqa: S608 - a constant
_ADD = """
INSERT INTO host_watch (host_id, requested_by, job_id, seconds, end_words, readings) VALUES (:host, :by, :job, :seconds, '', 0)
ON CONFLICT DO NOTHING RETURNING id
"""


def watch_job(session: Session, job_id: int) -> int | None:
    """Adds the watch of a job that has just begun, and answers its id.

    None where nothing is to be watched: the job is over or has its watch, a person watches the host already, or Plumbline can't sign in.
    A watch is a help only, so none of these is an error.
    """
    job = session.execute(text(_JOB), {"job": job_id}).one_or_none()
    if job is None or why_not(session, job.host_id):
        return None
    added = session.execute(
        text(_ADD), {"host": job.host_id, "by": job.requested_by, "job": job_id, "seconds": SECONDS}
    ).scalar_one_or_none()
    return int(added) if added is not None else None
