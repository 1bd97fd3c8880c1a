"""J8: task messages that Plumbline did not send. J9: rows that Plumbline did not sign."""

import secrets
import time

import psycopg
from celery import Celery
from sqlmodel import text

from faults.engine_threads import at_work
from faults.fleet import approve, job_of, plan_of
from faults.invariants import broken_promises
from faults.journals import finish
from faults.rig import FaultResult, Rig, dice_of
from plumbline.infra.database import session_scope
from plumbline.ops import embedded_servers

_QUEUES = ("remediation", "isolated", "background")


def forged_task_messages(rig: Rig, count: int, seed: int) -> FaultResult:
    """J8: `count` messages with random, ended, huge, negative, empty and foreign ids, doubled and out of order; real jobs go on."""
    result = FaultResult(seed)
    dice, since = dice_of(result), rig.last_job()
    sender = Celery("forger", broker=rig.workers.redis_url)
    logged = len(rig.workers.logged("Traceback", "ERROR"))
    ended = [rig.new_job(host) for host in rig.fleet[:2]]
    rig.settle(result)
    before = sum(len(host.effects()) for host in rig.fleet)
    forged: list[object] = [0, -1, 2**31, 2**63, 2**80, "", "1; DROP TABLE job", None, 1.5, True, {"id": 1}, [1], *ended]
    sent = 0
    with sender.connection_for_write() as connection:
        while sent < count:
            value = dice.choice(forged) if dice.random() < 0.5 else dice.randrange(1, 10**6)
            arguments = [value] if dice.random() < 0.7 else [value, dice.choice((*_QUEUES, "", "other"))]
            for _ in range(2 if dice.random() < 0.2 else 1):
                sender.send_task("remediation.run", args=arguments, queue=dice.choice(_QUEUES[:2]), connection=connection)
                sent += 1
    result.faults["forged, doubled or ancient task message"] = sent
    limit = time.monotonic() + 30 + count / 50
    while any(rig.workers.client().llen(queue) for queue in _QUEUES[:2]) and time.monotonic() < limit:
        time.sleep(0.2)
    time.sleep(1)
    if any(rig.workers.client().llen(queue) for queue in _QUEUES[:2]):
        result.wrong.append("the messages were not all received in time")
    effects = sum(len(host.effects()) for host in rig.fleet) - before
    errors = rig.workers.logged("Traceback", "ERROR")[logged:]
    result.notes.append(f"{effects} effects, {len(errors)} exceptions in the workers' logs")
    result.wrong += [f"{effects} effects came of forged task messages"] * (effects != 0)
    result.wrong += [f"in a worker's log: {line[:200]}" for line in errors[:5]]
    rig.keep_busy(rig.fleet[:1])
    return finish(rig, result, since=since)


def forged_rows(rig: Rig, count: int, seed: int) -> FaultResult:
    """J9: rows written by SQL without a signature, under the signature of another plan, of a stranger, altered, expired, by the author
    himself, or for a host that the plan does not name: `count` of each is refused, and each refusal is audited."""
    result = FaultResult(seed)
    since = rig.last_job()
    makers = {
        "no approval": _without_approval,
        "approval of another plan": _of_another_plan,
        "signed by a stranger": _by_a_stranger,
        "altered after signing": _altered,
        "expired": _expired,
        "approved by its author": _by_its_author,
        "for a host that it does not name": _for_another_host,
    }
    made: dict[int, str] = {}
    before = sum(len(host.effects()) for host in rig.fleet)
    for _ in range(count):
        for number, (name, make) in enumerate(makers.items()):
            made[make(rig, number)] = name
            result.faults[name] += 1
    with at_work(4):
        rig.settle(result)
    with session_scope() as session:
        rows = session.execute(
            text(
                "SELECT j.id, j.state, j.state_words, (SELECT count(*) FROM audit_entry a WHERE a.object_kind = 'job'"
                " AND a.object_id = j.id::text AND a.action = 'job.' || lower(j.state)) FROM job j WHERE j.id > :since"
            ),
            {"since": since},
        ).all()
    for job_id, state, words, audited in rows:
        result.jobs += 1
        result.states[state] += 1
        if state not in ("CANCELLED", "EXPIRED") or audited != 1:
            result.wrong.append(f"{made[job_id]}: {state} ({words}), {audited} audit entries")
    effects = sum(len(host.effects()) for host in rig.fleet) - before
    result.wrong += [f"{effects} effects came of forged rows"] * (effects != 0)
    # The doctor has to name every plan whose signature does not hold; then the forged rows go, so that the next part begins clean.
    shown = [line for line in broken_promises(rig.cluster.url("plumbline_background", rig.database)) if line.startswith("signatures")]
    if len(shown) < count * 4:
        result.wrong.append(f"the doctor named only {len(shown)} of the forged plans and jobs")
    result.notes.append(f"`plumbline doctor` named {len(shown)} forged plans and jobs")
    _sweep_away(rig, since)
    result.wrong += broken_promises(rig.cluster.url("plumbline_background", rig.database))
    return result


def _owner(rig: Rig, *statements: str) -> None:
    """As the owner of the database with its triggers disabled: the strongest forger possible."""
    url = rig.cluster.url(embedded_servers.OWNER, rig.database).replace("+psycopg", "")
    with psycopg.connect(url) as connection:
        connection.execute("SET session_replication_role = replica")
        for statement in statements:
            connection.execute(statement)


def _made(rig: Rig, number: int, *, approver: int | None = None) -> tuple[int, int]:
    """A plan that is signed, because the database takes no job of another; what is forged is forged afterwards, with its guards away."""
    host = rig.fleet[number % len(rig.fleet)]
    with session_scope() as session:
        plan, payload = plan_of(session, host, rig.people, approver=approver)
        approve(session, plan, payload, rig.people)
        job_id = job_of(session, host, plan, steps=len(host.shapes))
        plan_id = plan.id or 0
    return plan_id, job_id


def _queue(rig: Rig, plan_id: int, job_id: int) -> int:
    _owner(
        rig,
        f"UPDATE plan SET state = 'RUNNING' WHERE id = {plan_id}",
        f"UPDATE job SET state = 'QUEUED', state_words = 'forged', queued_at = clock_timestamp() WHERE id = {job_id}",
    )
    return job_id


def _without_approval(rig: Rig, number: int) -> int:
    plan_id, job_id = _made(rig, number)
    _owner(rig, f"DELETE FROM approval WHERE plan_id = {plan_id}")
    return _queue(rig, plan_id, job_id)


def _of_another_plan(rig: Rig, number: int) -> int:
    other, other_job = _made(rig, number)
    plan_id, job_id = _made(rig, number)
    _owner(
        rig,
        f"DELETE FROM approval WHERE plan_id = {plan_id}",
        f"UPDATE approval SET plan_id = {plan_id} WHERE plan_id = {other}",
        f"DELETE FROM job_event WHERE job_id = {other_job}",
        f"DELETE FROM job WHERE id = {other_job}",
        f"DELETE FROM plan_event WHERE plan_id = {other}",
        f"DELETE FROM plan WHERE id = {other}",
    )
    return _queue(rig, plan_id, job_id)


def _by_a_stranger(rig: Rig, number: int) -> int:
    plan_id, job_id = _made(rig, number)
    _owner(rig, f"UPDATE approval SET signature = decode('{secrets.token_hex(64)}', 'hex') WHERE plan_id = {plan_id}")
    return _queue(rig, plan_id, job_id)


def _altered(rig: Rig, number: int) -> int:
    plan_id, job_id = _made(rig, number)
    _owner(rig, f"UPDATE approval SET payload = replace(payload, 'Disabled', 'Enabled') || ' ' WHERE plan_id = {plan_id}")
    return _queue(rig, plan_id, job_id)


def _expired(rig: Rig, number: int) -> int:
    plan_id, job_id = _made(rig, number)
    _owner(rig, f"UPDATE job SET not_after = clock_timestamp() - interval '1 second' WHERE id = {job_id}")
    return _queue(rig, plan_id, job_id)


def _by_its_author(rig: Rig, number: int) -> int:
    return _queue(rig, *_made(rig, number, approver=rig.people[0]))


def _for_another_host(rig: Rig, number: int) -> int:
    plan_id, job_id = _made(rig, number)
    _owner(rig, f"UPDATE job SET host_id = '{rig.fleet[(number + 1) % len(rig.fleet)].id}' WHERE id = {job_id}")
    return _queue(rig, plan_id, job_id)


def _sweep_away(rig: Rig, since: int) -> None:
    url = rig.cluster.url(embedded_servers.OWNER, rig.database).replace("+psycopg", "")
    with psycopg.connect(url) as connection:
        plans = [row[0] for row in connection.execute("SELECT plan_id FROM job WHERE id > %s", (since,)).fetchall()]
    listed = ", ".join(map(str, plans)) or "0"
    _owner(
        rig,
        f"DELETE FROM job_event WHERE job_id > {since}",
        f"DELETE FROM job WHERE id > {since}",
        *(f"DELETE FROM {table} WHERE plan_id IN ({listed})" for table in ("approval", "plan_event")),
        f"DELETE FROM plan WHERE id IN ({listed})",
    )
