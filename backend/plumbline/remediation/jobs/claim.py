"""Claiming a job: one transaction that takes its slots, a fence number and a lease, or takes nothing.

The number comes from one sequence of the installation and is checked on the host, so that a worker which slept past its lease can do no
harm. Every later write of a worker goes through `lock_own_job`, which fails once the claim is lost.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import structlog
from sqlmodel import Session, col, select, text

from plumbline.infra.database import is_past, session_scope
from plumbline.infra.errors import PlumblineError
from plumbline.infra.task_queue import enqueue
from plumbline.models.hosts import Host
from plumbline.models.jobs import DomainSlot, Job, JobState
from plumbline.remediation import failure_domains
from plumbline.remediation.controls import checks
from plumbline.remediation.signed_payload import Signed, read_signed
from plumbline.remediation.signing_keys import SignatureInvalid
from plumbline.remediation.task_names import WATCH_JOB
from plumbline.remediation.timings import job_timings
from plumbline.remediation.transitions import add_job_event, lock_job, set_job_state

log = structlog.get_logger()

# After this long without progress a worker no longer renews its lease: every wait inside a step has a shorter deadline.
LONGEST_SILENCE_SECONDS = 240
ISOLATED_CLAIMS = 3
_LEASE = "clock_timestamp() + make_interval(secs => :lease)"


class ClaimLost(PlumblineError):
    """Another worker has the job now, or it has ended: stop at once, write nothing, send nothing."""

    code = "claim_lost"


@dataclass(frozen=True, slots=True)
class Claim:
    """The right to execute a job: the fence number, and the job as it was when claimed.

    The host's fence is (generation, attempt) for the host, not for an operation: so `attempt` only rises within a claim, over
    all its steps; a new claim has a higher generation and starts at one again.
    """

    job_id: int
    host_id: str
    gen: int
    state: str
    signed: Signed
    attempt: list[int] = field(default_factory=lambda: [1])
    lost: threading.Event = field(default_factory=threading.Event)
    # The lease could not be renewed because the database did not answer.
    unrenewed: threading.Event = field(default_factory=threading.Event)
    ticked: list[float] = field(default_factory=lambda: [time.monotonic()])

    def tick(self) -> None:
        """Notes that the work goes on. Raises `ClaimLost` once the lease could not be renewed."""
        self.ticked[0] = time.monotonic()
        if self.lost.is_set():
            raise ClaimLost("another worker may be running this job")


def claim_job(session: Session, job_id: int, *, worker: str, queue: str) -> Claim | None:
    """Takes the job if it may be taken now; None where there is nothing to do.

    The caller commits. A job that waits for a slot, or behind an older one, stays QUEUED.
    """
    peek = session.exec(select(Job).where(col(Job.id) == job_id)).first()
    if peek is None or peek.state not in (JobState.QUEUED, JobState.RUNNING, JobState.VERIFYING) or peek.queue != queue:
        return None
    if checks.is_restored(session):
        # Not even a started job goes on: it may have ended long ago, after the backup that this database was restored from.
        return None
    # Kept as a value: the row itself is read again under its locks.
    seen = peek.state
    slots: dict[str, list[DomainSlot]] = {}
    if seen == JobState.QUEUED:
        host = session.exec(select(Host).where(col(Host.id) == peek.host_id)).one()
        slots = failure_domains.lock_slots(session, failure_domains.domains_of(session, host))
    job = lock_job(session, job_id)
    if job.state != seen or job.queue != queue:
        return None
    try:
        signed = read_signed(session, job.plan_id)
        signed.host_part(job.host_id)
    except (SignatureInvalid, KeyError, TypeError, ValueError) as error:
        _refuse_unsigned(session, job, error)
        return None
    if job.state == JobState.QUEUED:
        return _claim_queued(session, job, signed, slots, worker)
    return _claim_again(session, job, signed, worker)


def _refuse_unsigned(session: Session, job: Job, error: Exception) -> None:
    """A row without a valid signature is not an executable job."""
    why = error.message if isinstance(error, SignatureInvalid) else "the signed text can't be read"
    if job.state == JobState.QUEUED:
        set_job_state(session, job, JobState.CANCELLED, f"refused: {why}")
    elif job.state == JobState.RUNNING and job.lease_until is None:
        set_job_state(session, job, JobState.NEEDS_HUMAN, f"stopped during the run: {why}")
    log.error("job refused: signature not valid", job=job.id, why=why)


def _claim_queued(session: Session, job: Job, signed: Signed, slots: dict[str, list[DomainSlot]], worker: str) -> Claim | None:
    assert job.id is not None
    block = checks.blocked_by(session, job, signed.payload) or checks.blocked_by_plan(session, job)
    if block is not None:
        _apply_block(session, job, block)
        return None
    job.domains = sorted(slots)
    session.add(job)
    if _is_host_taken(session, job):
        _wait(session, job, "waiting: another job is running on this host")
        return None
    older = _older_waiting(session, job, slots)
    if older is not None:
        _wait(session, job, f"waiting for older job {older}")
        return None
    full = failure_domains.take_slots(session, job.id, slots)
    if full:
        _wait(session, job, f"waiting: concurrency limit reached for {failure_domains.domain_words(full)}")
        return None
    job.deliveries = job.isolated_deliveries = 0
    _fence(session, job, worker)
    set_job_state(session, job, JobState.RUNNING, "begun")
    if job.started_at is None:
        job.started_at = job.state_at
        enqueue(session, WATCH_JOB, job.id, queue="collection")
    session.add(job)
    session.flush()
    return Claim(job.id, job.host_id, job.gen, job.state, signed)


def _apply_block(session: Session, job: Job, block: checks.Block) -> None:
    if block.name in checks.ENDING:
        set_job_state(session, job, JobState.EXPIRED if block.name == "expired" else JobState.CANCELLED, block.words)
        return
    if block.name == "stop":
        # It stays queued: nothing is claimed while the emergency stop is on.
        return
    job.next_try_at = block.until
    set_job_state(session, job, JobState.WAITING, block.words)


def _wait(session: Session, job: Job, words: str) -> None:
    if job.state_words != words:
        job.state_words = words
        add_job_event(session, job, "waits", words)


def _is_host_taken(session: Session, job: Job) -> bool:
    # Two jobs of a host share its domains, so a job that runs there holds slots that are locked now.
    return bool(
        session.execute(
            text("SELECT EXISTS (SELECT 1 FROM job WHERE host_id = :host AND state IN ('RUNNING', 'VERIFYING', 'NEEDS_HUMAN'))"),
            {"host": job.host_id},
        ).scalar_one()
    )


def _older_waiting(session: Session, job: Job, slots: dict[str, list[DomainSlot]]) -> int | None:
    """An older job of the same host, or one for which too few slots of a domain would be left. Jobs that wait behind one that needs a
    person block no other.

    While a domain has a free slot for each older job and for this one, no job waits for that domain: an older job may wait for another
    of its domains, or its task message may still be under way.
    """
    free = {domain: sum(row.job_id in (None, job.id) for row in rows) for domain, rows in slots.items()}
    found = session.execute(
        text(
            """
            WITH older AS (
              SELECT older.id, older.host_id, older.domains, older.queued_at FROM job AS older
              WHERE older.state = 'QUEUED' AND older.cancel_at IS NULL AND older.not_after > clock_timestamp()
                AND older.domains && CAST(:domains AS text[]) AND (older.queued_at, older.id) < (:queued_at, :id)
                AND NOT EXISTS (
                  SELECT 1 FROM domain_slot s JOIN job h ON h.id = s.job_id AND h.state = 'NEEDS_HUMAN'
                  WHERE s.domain = ANY(older.domains)
                    AND NOT EXISTS (SELECT 1 FROM domain_slot f WHERE f.domain = s.domain AND f.job_id IS NULL)
                )
                AND NOT EXISTS (SELECT 1 FROM job h WHERE h.host_id = older.host_id AND h.state = 'NEEDS_HUMAN')
            ), short AS (
              SELECT f.domain FROM unnest(CAST(:domains AS text[]), CAST(:free AS int[])) AS f(domain, free)
              WHERE (SELECT count(*) FROM older WHERE f.domain = ANY(older.domains)) >= f.free
            )
            SELECT id FROM older WHERE host_id = :host OR domains && (SELECT coalesce(array_agg(domain), '{}') FROM short)
            ORDER BY queued_at, id LIMIT 1
            """
        ),
        {"domains": list(free), "free": list(free.values()), "queued_at": job.queued_at, "id": job.id, "host": job.host_id},
    ).scalar_one_or_none()
    return int(found) if found is not None else None


def _claim_again(session: Session, job: Job, signed: Signed, worker: str) -> Claim | None:
    """A running job whose worker is gone, or one that is due for verification."""
    assert job.id is not None
    is_free = session.execute(
        text(f"SELECT coalesce({is_past('lease_until')}, true) AND coalesce({is_past('next_try_at')}, true) FROM job WHERE id = :id"),  # noqa: S608
        {"id": job.id},
    ).scalar_one()
    if not is_free:
        return None
    if job.state == JobState.RUNNING:
        if job.deliveries >= 1 and job.queue != "isolated":
            job.queue = "isolated"
            add_job_event(session, job, "alone", "worker stopped without progress; retrying in a separate queue")
            session.add(job)
            return None
        if job.queue == "isolated":
            if job.isolated_deliveries >= ISOLATED_CLAIMS:
                set_job_state(
                    session,
                    job,
                    JobState.NEEDS_HUMAN,
                    f"{ISOLATED_CLAIMS} workers stopped while running this job",
                )
                return None
            job.isolated_deliveries += 1
    _fence(session, job, worker)
    add_job_event(session, job, "claimed", "taken over from a stopped worker" if job.state == JobState.RUNNING else "Verifying")
    session.flush()
    return Claim(job.id, job.host_id, job.gen, job.state, signed)


def _fence(session: Session, job: Job, worker: str) -> None:
    job.gen = session.execute(text("SELECT nextval('job_gen')")).scalar_one()
    job.lease_until = session.execute(text(f"SELECT {_LEASE}"), {"lease": job_timings().lease_seconds}).scalar_one()
    job.worker = worker
    job.next_try_at = None
    job.deliveries += 1
    session.add(job)


def lock_own_job(session: Session, claim: Claim, *, states: tuple[JobState, ...] = (JobState.RUNNING,)) -> Job:
    """The job's row, locked, if the claim still holds. Raises `ClaimLost`. Every write of a worker begins with this."""
    job = lock_job(session, claim.job_id)
    alive = session.execute(
        text("SELECT gen = :gen AND lease_until > clock_timestamp() FROM job WHERE id = :id"), {"gen": claim.gen, "id": claim.job_id}
    ).scalar_one()
    if not alive or job.state not in states:
        claim.lost.set()
        raise ClaimLost("another worker is running this job, or it has finished")
    return job


def note_progress(job: Job) -> None:
    """A step made progress: the count of claims starts again."""
    job.deliveries = job.isolated_deliveries = 0
    job.queue = "remediation"


@contextmanager
def renewing_lease(claim: Claim) -> Iterator[None]:
    """Renews the lease in the background while the work inside goes on, but not for a worker that makes no progress."""
    done = threading.Event()

    def renew() -> None:
        while not done.wait(job_timings().lease_seconds / 3):
            if time.monotonic() - claim.ticked[0] > LONGEST_SILENCE_SECONDS:
                return
            try:
                with session_scope() as session:
                    kept = session.execute(
                        text(
                            f"UPDATE job SET lease_until = {_LEASE} WHERE id = :id AND gen = :gen AND lease_until > clock_timestamp()"  # noqa: S608
                            " AND state IN ('RUNNING', 'VERIFYING')"
                        ),
                        {"id": claim.job_id, "gen": claim.gen, "lease": job_timings().lease_seconds},
                    )
                    if kept.rowcount != 1:  # type: ignore[attr-defined]
                        claim.lost.set()
                        return
                claim.unrenewed.clear()
            except Exception as error:  # the database is away: the lease ends by itself, and the next write fails
                claim.unrenewed.set()
                log.warning("lease not renewed", job=claim.job_id, error=str(error)[:200])

    thread = threading.Thread(target=renew, name=f"lease of job {claim.job_id}", daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join(job_timings().lease_seconds)
