"""Claiming a job: one transaction that takes its slots, a fence number and a lease, or takes nothing.

The number comes from one sequence of the installation and is checked on the host, so that a worker who slept past his lease can do no harm.
Every later write of a worker goes through `mine`, which fails for whoever lost the claim.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import structlog
from sqlmodel import Session, col, select, text

from plumbline.infra.database import session_scope
from plumbline.infra.errors import PlumblineError
from plumbline.models.hosts import Host
from plumbline.models.remediation import DomainSlot, Job
from plumbline.remediation import failure_domains as domains
from plumbline.remediation.controls import checks as brakes
from plumbline.remediation.signed_payload import Signed, read_signed
from plumbline.remediation.signing_keys import SignatureInvalid
from plumbline.remediation.timings import pace
from plumbline.remediation.transitions import lock_job, move_job, tell_job

log = structlog.get_logger()

# A worker that shows no progress of its own for this long renews no more: every wait inside has a shorter deadline than that.
LONGEST_SILENCE_SECONDS = 240
ALONE_CLAIMS = 3
_LEASE = "clock_timestamp() + make_interval(secs => :lease)"


class ClaimLost(PlumblineError):
    """Another worker holds the job now, or it has ended: stop at once, write nothing, send nothing."""

    code = "claim_lost"


@dataclass(frozen=True, slots=True)
class Claim:
    """The right to carry a job on: the fence number, and the job as it was when claimed.

    The host's fence is (generation, attempt) for the host, not for an operation: so `attempt` only rises within a claim, whatever step it
    is at; a new claim has a higher generation and begins at one again.
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
        """Says that the work goes on. Raises `ClaimLost` once the lease could not be renewed."""
        self.ticked[0] = time.monotonic()
        if self.lost.is_set():
            raise ClaimLost("another worker may hold this job now")


def claim(session: Session, job_id: int, *, worker: str, queue: str) -> Claim | None:
    """Takes the job if it may be taken now; None where there is nothing to do for this bell.

    The caller commits. A job that waits for a slot, or behind an older one, stays QUEUED.
    """
    peek = session.exec(select(Job).where(col(Job.id) == job_id)).first()
    if peek is None or peek.state not in ("QUEUED", "RUNNING", "VERIFYING") or peek.queue != queue:
        return None
    if brakes.is_restored(session):
        # Not even what was in the middle goes on: it may have ended long ago, in the world that this database does not know.
        return None
    # Kept apart: the row itself is read anew once its locks are held.
    seen = peek.state
    slots: dict[str, list[DomainSlot]] = {}
    if seen == "QUEUED":
        host = session.exec(select(Host).where(col(Host.id) == peek.host_id)).one()
        slots = domains.lock_slots(session, domains.domains_of(session, host))
    job = lock_job(session, job_id)
    if job.state != seen or job.queue != queue:
        return None
    try:
        signed = read_signed(session, job.plan_id)
        signed.host_part(job.host_id)
    except (SignatureInvalid, KeyError, TypeError, ValueError) as error:
        _refuse_unsigned(session, job, error)
        return None
    if job.state == "QUEUED":
        return _claim_queued(session, job, signed, slots, worker)
    return _claim_again(session, job, signed, worker)


def _refuse_unsigned(session: Session, job: Job, error: Exception) -> None:
    """A row without a valid signature is not an executable job."""
    why = error.message if isinstance(error, SignatureInvalid) else "the signed text cannot be read"
    if job.state == "QUEUED":
        move_job(session, job, "CANCELLED", f"refused: {why}")
    elif job.state == "RUNNING" and job.lease_until is None:
        move_job(session, job, "NEEDS_HUMAN", f"refused in the middle: {why}")
    log.error("a job without a valid signature was refused", job=job.id, why=why)


def _claim_queued(session: Session, job: Job, signed: Signed, slots: dict[str, list[DomainSlot]], worker: str) -> Claim | None:
    assert job.id is not None
    brake = brakes.brake_on(session, job, signed.payload) or brakes.plan_brake(session, job)
    if brake is not None:
        _brake_queued(session, job, brake)
        return None
    job.domains = sorted(slots)
    session.add(job)
    if _is_host_taken(session, job):
        _wait(session, job, "waits: another job is at this host")
        return None
    older = _older_waiting(session, job, slots)
    if older is not None:
        _wait(session, job, f"waits behind job {older}, which is older")
        return None
    full = domains.take_slots(session, job.id, slots)
    if full:
        _wait(session, job, f"waits: {domains.domain_words(full)} has as many jobs as it may")
        return None
    job.deliveries = job.alone_deliveries = 0
    _fence(session, job, worker)
    move_job(session, job, "RUNNING", "begun")
    job.started_at = job.started_at or job.state_at
    session.add(job)
    session.flush()
    return Claim(job.id, job.host_id, job.gen, job.state, signed)


def _brake_queued(session: Session, job: Job, brake: brakes.Brake) -> None:
    if brake.name in brakes.ENDING:
        move_job(session, job, "EXPIRED" if brake.name == "expired" else "CANCELLED", brake.words)
        return
    if brake.name == "stop":
        # It stays where it is: nothing is claimed while everything is stopped.
        return
    job.next_try_at = brake.until
    move_job(session, job, "WAITING", brake.words)


def _wait(session: Session, job: Job, words: str) -> None:
    if job.state_words != words:
        job.state_words = words
        tell_job(session, job, "waits", words)


def _is_host_taken(session: Session, job: Job) -> bool:
    # Two jobs of a host share its domains, so whoever runs there holds slots that are locked now.
    return bool(
        session.execute(
            text("SELECT EXISTS (SELECT 1 FROM job WHERE host_id = :host AND state IN ('RUNNING', 'VERIFYING', 'NEEDS_HUMAN'))"),
            {"host": job.host_id},
        ).scalar_one()
    )


def _older_waiting(session: Session, job: Job, slots: dict[str, list[DomainSlot]]) -> int | None:
    """An older job of the same host, or one for which too few slots of a domain would be left. Those that wait behind a job that needs a
    person keep nobody back.

    While a domain has a free slot for each older job and for this one, nobody waits for that domain: an older job may wait for another of
    its own, or its bell may not have been heard yet.
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
    """A job whose worker is gone, or that is to be verified now."""
    assert job.id is not None
    is_free = session.execute(
        text(
            "SELECT coalesce(lease_until <= clock_timestamp(), true) AND coalesce(next_try_at <= clock_timestamp(), true)"
            " FROM job WHERE id = :id"
        ),
        {"id": job.id},
    ).scalar_one()
    if not is_free:
        return None
    if job.state == "RUNNING":
        if job.deliveries >= 1 and job.queue != "alone":
            job.queue = "alone"
            tell_job(session, job, "alone", "its worker ended without getting anywhere: it goes on in a queue of its own")
            session.add(job)
            return None
        if job.queue == "alone":
            if job.alone_deliveries >= ALONE_CLAIMS:
                move_job(session, job, "NEEDS_HUMAN", f"{ALONE_CLAIMS} workers ended one after the other while they carried it out alone")
                return None
            job.alone_deliveries += 1
    _fence(session, job, worker)
    tell_job(session, job, "claimed", "taken over: the worker before is gone" if job.state == "RUNNING" else "being verified")
    session.flush()
    return Claim(job.id, job.host_id, job.gen, job.state, signed)


def _fence(session: Session, job: Job, worker: str) -> None:
    job.gen = session.execute(text("SELECT nextval('job_gen')")).scalar_one()
    job.lease_until = session.execute(text(f"SELECT {_LEASE}"), {"lease": pace().lease}).scalar_one()
    job.worker = worker
    job.next_try_at = None
    job.deliveries += 1
    session.add(job)


def mine(session: Session, held: Claim, *, states: tuple[str, ...] = ("RUNNING",)) -> Job:
    """The job's row, locked, if the claim still holds. Raises `ClaimLost`. Every write of a worker begins with this."""
    job = lock_job(session, held.job_id)
    alive = session.execute(
        text("SELECT gen = :gen AND lease_until > clock_timestamp() FROM job WHERE id = :id"), {"gen": held.gen, "id": held.job_id}
    ).scalar_one()
    if not alive or job.state not in states:
        held.lost.set()
        raise ClaimLost("another worker holds this job now, or it has ended")
    return job


def note_progress(job: Job) -> None:
    """A step moved on: the claims so far were not in vain."""
    job.deliveries = job.alone_deliveries = 0
    job.queue = "remediation"


@contextmanager
def renewed(held: Claim) -> Iterator[None]:
    """Renews the lease in the background while the work inside goes on; a worker that shows no life of its own is not renewed."""
    done = threading.Event()

    def renew() -> None:
        while not done.wait(pace().lease / 3):
            if time.monotonic() - held.ticked[0] > LONGEST_SILENCE_SECONDS:
                return
            try:
                with session_scope() as session:
                    kept = session.execute(
                        text(
                            f"UPDATE job SET lease_until = {_LEASE} WHERE id = :id AND gen = :gen AND lease_until > clock_timestamp()"  # noqa: S608
                            " AND state IN ('RUNNING', 'VERIFYING')"
                        ),
                        {"id": held.job_id, "gen": held.gen, "lease": pace().lease},
                    )
                    if kept.rowcount != 1:  # type: ignore[attr-defined]
                        held.lost.set()
                        return
                held.unrenewed.clear()
            except Exception as error:  # the database is away: the lease ends by itself, and the next write says so
                held.unrenewed.set()
                log.warning("a lease could not be renewed", job=held.job_id, error=str(error)[:200])

    thread = threading.Thread(target=renew, name=f"lease of job {held.job_id}", daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join(pace().lease)
