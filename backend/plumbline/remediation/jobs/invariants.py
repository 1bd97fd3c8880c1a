"""What must always hold of plans and jobs (invariants I2 to I10), checked on a running database.

`plumbline doctor` prints what does not. Hosts' own journals are compared by the fault tests, which alone can read them.
"""

from collections.abc import Iterator

from sqlmodel import Session, col, select, text

from plumbline.core.texts import counted
from plumbline.models.jobs import JobState, StepState
from plumbline.models.plans import Approval
from plumbline.remediation.failure_domains import default_slots, may_be_raised
from plumbline.remediation.signed_payload import read_signed
from plumbline.remediation.signing_keys import SignatureInvalid
from plumbline.remediation.timings import job_timings

# An open job that no worker takes up for this long is lost; the reconciler runs every second and a half.
LOST_SECONDS = 120
# A queue whose workers take no task for this long, while a job is queued, has no working worker.
NO_WORKER_SECONDS = 60


def one_job_a_host(session: Session) -> Iterator[str]:
    """I2: one job a host, and no failure domain above its slots."""
    rows = session.execute(
        text(
            "SELECT host_id, count(*) FROM job WHERE state IN ('RUNNING', 'VERIFYING', 'NEEDS_HUMAN') GROUP BY host_id HAVING count(*) > 1"
        )
    )
    for host_id, count in rows:
        yield f"host {host_id}: {counted(count, 'job')} at once"
    budgets = {row.domain: row.slots for row in session.execute(text("SELECT domain, slots FROM domain_budget"))}
    used = session.execute(text("SELECT domain, count(*) FROM domain_slot WHERE job_id IS NOT NULL GROUP BY domain"))
    for domain, count in used:
        most = max(default_slots(domain), budgets.get(domain, 0) if may_be_raised(domain) else 0)
        # Lowering a number takes no slot from a job that holds one: only more than was ever allowed is wrong.
        if count > most and domain not in budgets:
            yield f"{domain}: {counted(count, 'job')} at once, but no more than {most} allowed"
    loose = session.execute(
        text(
            "SELECT s.domain, s.job_id, j.state FROM domain_slot s JOIN job j ON j.id = s.job_id"
            " WHERE j.state NOT IN ('RUNNING', 'VERIFYING', 'NEEDS_HUMAN')"
        )
    )
    for domain, job_id, state in loose:
        yield f"{domain}: held by job {job_id}, which is {state}"
    without = session.execute(
        text(
            "SELECT id FROM job j WHERE state IN ('RUNNING', 'VERIFYING', 'NEEDS_HUMAN')"
            " AND NOT EXISTS (SELECT 1 FROM domain_slot WHERE job_id = j.id)"
        )
    )
    for (job_id,) in without:
        yield f"job {job_id} is running on its host without a concurrency limit"


def intents(session: Session) -> Iterator[str]:
    """I3: whatever was sent had its intent committed before, under the same operation. The numbers of the events tell the order: their
    times do not where the database's clock was set back in between.
    """
    rows = session.execute(
        text(
            """
            SELECT s.job_id, s.step_no FROM job_step s
            WHERE s.sent_at IS NOT NULL AND NOT EXISTS (
              SELECT 1 FROM job_event e WHERE e.job_id = s.job_id AND e.step_no = s.step_no AND e.kind = 'intent'
              AND e.data ->> 'op_id' = s.op_id AND NOT EXISTS (
                SELECT 1 FROM job_event sent WHERE sent.job_id = s.job_id AND sent.step_no = s.step_no AND sent.state = :in_flight
                AND sent.data ->> 'op_id' = s.op_id AND sent.number < e.number))
            """
        ),
        {"in_flight": StepState.IN_FLIGHT},
    )
    for job_id, step_no in rows:
        yield f"job {job_id}, step {step_no}: sent without an intent"


def signatures(session: Session) -> Iterator[str]:
    """I4: every job belongs to a plan with a valid signature."""
    for plan_id in session.exec(select(Approval.plan_id).order_by(col(Approval.plan_id))).all():
        try:
            read_signed(session, plan_id)
        except (SignatureInvalid, KeyError, TypeError, ValueError) as error:
            yield f"plan {plan_id}: {error}"
    for (job_id,) in session.execute(
        text("SELECT id FROM job j WHERE NOT EXISTS (SELECT 1 FROM approval a WHERE a.plan_id = j.plan_id) ORDER BY id")
    ):
        yield f"job {job_id} has no approval"


def fences(session: Session) -> Iterator[str]:
    """I5: the number of a claim only rises, in every job's own events and against the installation's sequence."""
    rows = session.execute(
        text(
            "SELECT job_id, number FROM (SELECT job_id, number, gen, lag(gen) OVER (PARTITION BY job_id ORDER BY number) AS before"
            " FROM job_event) e WHERE gen < before"
        )
    )
    for job_id, number in rows:
        yield f"job {job_id}, event {number}: written by an older claim after a newer one"
    last, is_called, highest = session.execute(
        text("SELECT last_value, is_called, (SELECT coalesce(max(gen), 0) FROM job) FROM job_gen")
    ).one()
    if highest > (last if is_called else last - 1):
        yield f"a job bears generation {highest}, and the sequence is at {last}: raise it (`plumbline restore` does)"


def verified(session: Session) -> Iterator[str]:
    """I6: a job that succeeded has a check-in that carries its last operation before and after collecting."""
    rows = session.execute(
        text(
            """
            SELECT id FROM job j WHERE state = 'SUCCEEDED' AND last_op_id <> '' AND finished_at > clock_timestamp() - interval '80 days'
              AND NOT EXISTS (SELECT 1 FROM check_in c WHERE c.host_id = j.host_id AND split_part(c.runner_before, '/', 1) = j.last_op_id
                              AND split_part(c.runner_after, '/', 1) = j.last_op_id)
            """
        )
    )
    for (job_id,) in rows:
        yield f"job {job_id} is verified by no check-in"


def nothing_lost(session: Session) -> Iterator[str]:
    """I7: an open job has a claim in force, waits for a named person or time, or is taken up soon."""
    rows = session.execute(
        text(
            """
            SELECT id, state, state_words FROM job
            WHERE (state IN ('RUNNING', 'VERIFYING') AND coalesce(lease_until, state_at) < clock_timestamp() - make_interval(secs => :lost)
                   AND coalesce(next_try_at, state_at) < clock_timestamp() - make_interval(secs => :lost))
               OR (state IN ('WAITING', 'QUEUED') AND not_after < clock_timestamp() - make_interval(secs => :lost))
               OR (state = 'WAITING' AND state_words = '')
            ORDER BY id
            """
        ),
        {"lost": LOST_SECONDS + job_timings().lease_seconds},
    )
    for job_id, state, words in rows:
        if state == JobState.WAITING and not words and not _is_later_wave(session, job_id):
            yield f"job {job_id} is waiting without a recorded reason"
        elif state != JobState.WAITING or words:
            yield f"job {job_id} is {state} but no worker has picked it up"


def _is_later_wave(session: Session, job_id: int) -> bool:
    """It waits for its wave, or for the next round of the reconciler."""
    return bool(
        session.execute(
            text(
                "SELECT j.wave > p.wave OR p.state = 'PAUSED' OR j.state_at > clock_timestamp() - make_interval(secs => :soon)"
                " FROM job j JOIN plan p ON p.id = j.plan_id WHERE j.id = :id"
            ),
            {"id": job_id, "soon": LOST_SECONDS},
        ).scalar_one()
    )


def boundaries(session: Session) -> Iterator[str]:
    """I9: every step of an ended job has ended too, unless a person resolved the job."""
    rows = session.execute(
        text(
            """
            SELECT s.job_id, s.step_no, s.state, j.state FROM job_step s JOIN job j ON j.id = s.job_id
            WHERE s.state IN ('INTENT', 'IN_FLIGHT', 'UNKNOWN', 'APPLIED')
              AND j.state IN ('SUCCEEDED', 'NOT_EFFECTIVE', 'UNVERIFIED', 'CANCELLED', 'FAILED', 'ROLLED_BACK', 'PARTIAL', 'SKIPPED_STALE')
            ORDER BY 1, 2
            """
        )
    )
    for job_id, step_no, step, state in rows:
        yield f"job {job_id} is {state}, and its step {step_no} is {step}"


def restored(session: Session) -> Iterator[str]:
    """I12: between a restore and the hour at which an admin lifted the stop no job went on; each that was open then is marked so."""
    rows = session.execute(
        text(
            """
            SELECT e.job_id, e.number, e.kind FROM audit_entry r
            CROSS JOIN LATERAL (SELECT coalesce(min(l.at), 'infinity') AS lifted FROM audit_entry l
                                WHERE l.action = 'everything.released' AND l.at > r.at) AS after
            JOIN job_event e ON e.at > r.at AND e.at < after.lifted AND e.kind IN ('claimed', 'intent', 'resumed', 'step', 'unknown')
            WHERE r.action = 'installation.restored' ORDER BY e.job_id, e.number
            """
        )
    )
    for job_id, number, kind in rows:
        yield f"job {job_id}, event {number} ({kind}): it went on before an admin lifted the stop after a restore"
    unmarked = session.execute(
        text(
            """
            SELECT j.id FROM audit_entry r JOIN job j ON j.created_at < r.at AND coalesce(j.finished_at, 'infinity') > r.at
            WHERE r.action = 'installation.restored'
              AND NOT EXISTS (SELECT 1 FROM job_event e WHERE e.job_id = j.id AND e.kind = 'restored'
                              AND e.at < r.at + interval '1 minute')
            ORDER BY j.id
            """
        )
    )
    for (job_id,) in unmarked:
        yield f"job {job_id} was open at a restore and is not marked to be read back first"


def audited(session: Session) -> Iterator[str]:
    """I10: each change of state has exactly one audit entry, and each event its number without a gap."""
    for kind, table, events in (("job", "job", "job_event"), ("plan", "plan", "plan_event")):
        rows = session.execute(
            text(
                f"""
                SELECT t.id, e.moves, coalesce(a.entries, 0) FROM {table} t
                JOIN (SELECT {kind}_id AS id, count(*) AS moves FROM {events} WHERE kind = 'state' GROUP BY 1) e ON e.id = t.id
                LEFT JOIN (SELECT object_id, count(*) AS entries FROM audit_entry
                           WHERE object_kind = :kind AND before ? 'state' AND after ? 'state' GROUP BY 1) a ON a.object_id = t.id::text
                WHERE e.moves <> coalesce(a.entries, 0) ORDER BY t.id
                """  # noqa: S608 (our own names)
            ),
            {"kind": kind},
        )
        for row_id, moves, entries in rows:
            yield f"{kind} {row_id}: {counted(moves, 'state change')}, but {entries} in the audit log"
        gaps = session.execute(
            text(
                f"SELECT t.id, t.event_no, count(e.number) FROM {table} t LEFT JOIN {events} e ON e.{kind}_id = t.id"  # noqa: S608
                " GROUP BY t.id, t.event_no HAVING count(e.number) <> t.event_no ORDER BY t.id"
            )
        )
        for row_id, last, count in gaps:
            yield f"{kind} {row_id}: its last event is number {last}, but {counted(count, 'event')} stored"


def people_needed(session: Session) -> Iterator[str]:
    """What waits for people: jobs that need one, break-glass runs without a review, a stop switch left on."""
    for job_id, words in session.execute(text("SELECT id, state_words FROM job WHERE state = 'NEEDS_HUMAN' ORDER BY id LIMIT 50")):
        yield f"job {job_id} needs attention: {words}"
    for plan_id, by in session.execute(
        text("SELECT plan_id, review_by FROM approval WHERE kind = 'break_glass' AND reviewed_at IS NULL AND review_by < clock_timestamp()")
    ):
        yield f"plan {plan_id}: break-glass run not reviewed by {by:%Y-%m-%d %H:%M} UTC"
    for (reason,) in session.execute(text("SELECT reason FROM stop_switch WHERE is_stopped")):
        yield f"emergency stop is on: {reason}"


def queues_without_worker(session: Session) -> Iterator[str]:
    """A worker of a queue has taken a task within a minute, wherever a job is queued for longer than that."""
    rows = session.execute(
        text(
            """
            SELECT j.queue, count(*) FROM job j
            WHERE j.state = 'QUEUED' AND j.queued_at < clock_timestamp() - make_interval(secs => :s)
              AND NOT EXISTS (SELECT 1 FROM worker_heartbeat w
                              WHERE w.queue = j.queue AND w.heard_at > clock_timestamp() - make_interval(secs => :s))
            GROUP BY j.queue
            """
        ),
        {"s": NO_WORKER_SECONDS},
    )
    for queue, count in rows:
        yield f"{counted(count, 'job')} queued on {queue}, no worker active for {NO_WORKER_SECONDS} s"
