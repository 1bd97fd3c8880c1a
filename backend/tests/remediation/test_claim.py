"""Claims under contention: many workers at once, one database, never more at a host or in a domain than its slots allow."""

import random
import threading
from datetime import timedelta
from typing import Any

import pytest
from sqlmodel import Session, text

from plumbline.core.planning.plan import Forecast, HostPlan, Plan, Wave, canonical, digest, document
from plumbline.infra.database import now_of, session_scope
from plumbline.models.auth import Person, RoleGrant
from plumbline.models.hosts import Host
from plumbline.models.jobs import DomainBudget, Job
from plumbline.models.plans import Approval
from plumbline.models.plans import Plan as PlanRow
from plumbline.remediation import signing_keys
from plumbline.remediation.failure_domains import domains_of
from plumbline.remediation.jobs.cancel import cancel_job
from plumbline.remediation.jobs.claim import ClaimLost, claim_job, lock_own_job
from plumbline.remediation.jobs.reconcile import reconcile_once
from plumbline.remediation.signed_payload import payload_text
from plumbline.remediation.transitions import lock_job, lock_plan, set_job_state

NOTHING = Forecast("none", "", 0, 0)


def make_jobs(hosts: list[dict[str, Any]], *, jobs_a_host: int = 1) -> list[int]:
    """Approved, queued jobs on hosts of these clusters; the oldest first."""
    with session_scope() as session:
        session.execute(text("UPDATE host_group SET mode = 'remediate' WHERE id = 1"))
        author, *admins = _people(session)
        made = []
        for number, about in enumerate(hosts):
            host = Host(id=f"{number:032x}", name=f"h{number}", platform="esxi", group_id=1, state="active", **about)
            session.add(host)
        session.flush()
        for _ in range(jobs_a_host):
            for number in range(len(hosts)):
                made.append(make_job(session, f"{number:032x}", author, admins))
        return made


def _people(session: Session) -> list[int]:
    """An operator and two admins: a job runs only while those who authorised it have their rights."""
    made = []
    for login, role in (("olga", "operator"), ("ada", "admin"), ("bea", "admin")):
        person = Person(login=login, display_name=login.title())
        session.add(person)
        session.flush()
        session.add(RoleGrant(person_id=person.id, role=role, group_id=1))
        made.append(person.id or 0)
    return made


def make_job(session: Session, host_id: str, author: int, admins: list[int], group_id: int = 1) -> int:
    part = HostPlan(host_id, "h", "esxi", "8.0", "", "", (), (), (), NOTHING)
    plain = document(Plan(1, "t", (), (part,), (Wave(1, "canary", (host_id,), 0),), 1, (), (), (), NOTHING))
    plan = PlanRow(group_id=group_id, title="t", author_id=author, author="person:1 olga", state="RUNNING", wave=1)
    plan.document, plan.digest = canonical(plain).decode(), digest(plain)
    session.add(plan)
    session.flush()
    payload = {
        "v": 1, "kind": "break_glass", "plan_id": plan.id, "digest": plan.digest, "document": plain, "author": {"id": author},
        "approver": {"id": admins[0]}, "second": {"id": admins[1]}, "standing": None, "window": None, "runners": {},
    }  # fmt: skip
    signature, key_id = signing_keys.sign("plan", payload_text(payload))
    session.add(
        Approval(
            plan_id=plan.id or 0, kind="break_glass", payload=payload_text(payload), signature=signature, key_id=key_id, author_id=author
        )
    )
    session.flush()
    job = Job(
        plan_id=plan.id or 0, host_id=host_id, group_id=group_id, wave=1, state="QUEUED", not_after=now_of(session) + timedelta(hours=1)
    )
    job.queued_at = now_of(session)
    job.domains = domains_of(session, session.get_one(Host, host_id))
    session.add(job)
    session.flush()
    return job.id or 0


def take(job_id: int, worker: str = "w") -> bool:
    with session_scope() as session:
        return claim_job(session, job_id, worker=worker, queue="remediation") is not None


def end(job_id: int, state: str = "FAILED") -> None:
    with session_scope() as session:
        set_job_state(session, lock_job(session, job_id), state, "test")


def state_of(job_id: int) -> Job:
    with session_scope() as session:
        return session.get_one(Job, job_id)


@pytest.fixture
def ready(fresh_database: str, keys_folder: object) -> None:
    """A database of the test's own, and keys to sign with."""


def test_many_workers_one_job_one_claim(ready: None) -> None:
    (job_id,) = make_jobs([{"cluster": "a"}])
    won: list[str] = []
    gate = threading.Barrier(8)

    def race(name: str) -> None:
        gate.wait()
        if take(job_id, name):
            won.append(name)

    threads = [threading.Thread(target=race, args=(f"w{n}",)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(won) == 1
    assert state_of(job_id).worker == won[0]


def test_never_above_its_slots_whoever_claims_and_ends_when(ready: None) -> None:
    """Eight workers claim and end jobs of three clusters and two domains at random; a watcher counts what is at work after each claim."""
    hosts = [{"cluster": f"c{number % 3}"} for number in range(9)]
    jobs = make_jobs(hosts, jobs_a_host=2)
    with session_scope() as session:
        session.add(DomainBudget(domain="fabric:1/shared", slots=3))
        session.add(DomainBudget(domain="group:1", slots=2))
    wrong: list[str] = []
    done: set[int] = set()
    lock = threading.Lock()

    def work(seed: int) -> None:
        dice = random.Random(seed)
        for _ in range(400):
            with lock:
                left = [job for job in jobs if job not in done]
            if not left:
                return
            job_id = dice.choice(left)
            if not take(job_id, f"w{seed}"):
                continue
            with session_scope() as session:
                held = session.execute(text("SELECT domain, count(*) FROM domain_slot WHERE job_id IS NOT NULL GROUP BY 1")).all()
                at_hosts = session.execute(text("SELECT host_id, count(*) FROM job WHERE state = 'RUNNING' GROUP BY 1")).all()
            most = {"group:1": 2, "fabric:1/shared": 3}
            wrong.extend(f"{domain}: {count}" for domain, count in held if count > most.get(domain, 1))
            wrong.extend(f"{host}: {count}" for host, count in at_hosts if count > 1)
            end(job_id)
            with lock:
                done.add(job_id)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(200)
    assert wrong == []
    assert done == set(jobs)


def test_all_slots_or_none(ready: None) -> None:
    # A host with one path is in no domain of one slot, once its fabric takes several jobs.
    first, second = make_jobs([{"paths_total": 1}], jobs_a_host=2)
    with session_scope() as session:
        session.add(DomainBudget(domain="fabric:1/shared", slots=5))
    assert not take(second)
    assert f"waiting for older job {first}" in state_of(second).state_words


def test_a_later_claim_shuts_the_earlier_one_out(ready: None) -> None:
    (job_id,) = make_jobs([{"cluster": "a"}])
    with session_scope() as session:
        held = claim_job(session, job_id, worker="slow", queue="remediation")
    assert held is not None
    with session_scope() as session:
        session.execute(text("UPDATE job SET lease_until = clock_timestamp() - interval '1 second', deliveries = 0"))
    with session_scope() as session:
        newer = claim_job(session, job_id, worker="quick", queue="remediation")
    assert newer is not None
    assert newer.gen > held.gen
    with session_scope() as session, pytest.raises(ClaimLost):
        lock_own_job(session, held)
    assert held.lost.is_set()
    with session_scope() as session:
        assert lock_own_job(session, newer).gen == newer.gen


@pytest.mark.parametrize("column", ["lease_until", "next_try_at", "enqueued_at"])
def test_what_was_written_while_the_clock_was_a_year_ahead_holds_nothing_up(ready: None, column: str) -> None:
    (job,) = make_jobs([{"cluster": "a"}])
    assert take(job, "first")
    past = "lease_until = clock_timestamp() - interval '1 second', next_try_at = NULL, enqueued_at = NULL, deliveries = 0"
    with session_scope() as session:
        session.execute(text(f"UPDATE job SET {past}"))
        session.execute(text(f"UPDATE job SET {column} = clock_timestamp() + interval '400 days'"))
    assert reconcile_once() == 1
    assert take(job, "second")
    # A lease that may be true still keeps others out.
    assert not take(job, "third")


def test_both_nodes_of_an_unknown_pair_one_after_the_other(ready: None) -> None:
    first, second = make_jobs([{"paths_total": 4}, {"paths_total": None}])
    with session_scope() as session:
        session.add(DomainBudget(domain="fabric:1/shared", slots=5))
    assert take(first)
    assert not take(second)
    assert "without a known cluster" in state_of(second).state_words


def test_messages_for_anything_do_nothing(ready: None) -> None:
    make_jobs([{"cluster": "a"}])
    with session_scope() as session:
        before = session.execute(text("SELECT md5(string_agg(job::text, '' ORDER BY id)) FROM job")).scalar_one()
    for number in random.Random(8).sample(range(2, 2**31 - 1), 300):
        assert not take(number)
    with session_scope() as session:
        assert claim_job(session, 1, worker="w", queue="isolated") is None
        assert session.execute(text("SELECT md5(string_agg(job::text, '' ORDER BY id)) FROM job")).scalar_one() == before


def test_a_job_is_cancelled_while_its_plan_is_locked_by_whoever_locks_the_job_next(ready: None) -> None:
    (job_id,) = make_jobs([{"cluster": "a"}])
    plan_id = state_of(job_id).plan_id
    with session_scope() as carrying_on:
        lock_plan(carrying_on, plan_id)
        with session_scope() as session:
            session.execute(text("SET LOCAL lock_timeout = '2s'"))
            cancel_job(session, actor="person:1 olga", job_id=job_id, reason="no longer wanted")
        assert lock_job(carrying_on, job_id).state == "CANCELLED"
