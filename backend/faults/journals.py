"""Checks jobs against the hosts' own journals. Nothing that the engine recorded itself counts as proof."""

import json
import secrets
from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from typing import Any

from sqlmodel import Session, text

from faults.fleet import FaultHost
from faults.invariants import broken_promises
from faults.rig import FaultResult, Rig
from plumbline.channels import ChannelError
from plumbline.infra.database import session_scope
from plumbline.remediation.access.runner_client import RunnerRequest, call_runner, find_target

# The states in which jobs may end unless a fault allows others: nothing failed and no person is needed.
WELL = ("SUCCEEDED", "SKIPPED_STALE", "CANCELLED")
_NO_EFFECT_LEFT = ("SKIPPED_STALE", "CANCELLED", "EXPIRED", "FAILED", "ROLLED_BACK")


def check_jobs(fleet: Sequence[FaultHost], result: FaultResult, *, since: int = 0, may_end: Collection[str] = WELL) -> None:
    """Checks every job after number `since`, and every effect that the hosts recorded for them."""
    with session_scope() as session:
        query = text("SELECT id, host_id, state, state_words FROM job WHERE id > :since ORDER BY id")
        rows = session.execute(query, {"since": since}).all()
        targets = _targets(session, since)
        intents = _intents(session, since)
    effects: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for host in fleet:
        _check_host(host, since, intents, effects, result)
    for job_id, _, state, words in rows:
        result.jobs += 1
        result.states[state] += 1
        if state not in may_end:
            result.wrong.append(f"job {job_id} ended as {state}: {words}")
        net = _net_effects(effects[job_id])
        if state == "SUCCEEDED" and net != targets[job_id]:
            result.wrong.append(f"job {job_id} succeeded, and its host's journal has {net}")
        if state in _NO_EFFECT_LEFT and net:
            result.wrong.append(f"job {job_id} is {state}, and {sorted(net)} stand on its host")


def finish(rig: Rig, result: FaultResult, *, since: int = 0, may_end: Collection[str] = WELL) -> FaultResult:
    """Waits until no job is open, checks the jobs, and runs the doctor's checks."""
    rig.settle(result)
    check_jobs(rig.fleet, result, since=since, may_end=may_end)
    result.wrong += broken_promises(rig.cluster.url("plumbline_background", rig.database))
    return result


def _check_host(
    host: FaultHost, since: int, intents: set[tuple[str, int]], effects: dict[int, list[dict[str, Any]]], result: FaultResult
) -> None:
    rows_of_host = [row for row in host.effects() if int(row["job_id"], 16) > since]
    result.steps += len(rows_of_host)
    for row in rows_of_host:
        effects[int(row["job_id"], 16)].append(row)
    twice = [key for key, count in Counter((row["op_id"], row["setting"], row["reverting"]) for row in rows_of_host).items() if count > 1]
    result.wrong += [f"{setting} was set twice by operation {op}" for op, setting, _ in twice]
    # A dead-man reverts without an intent, under the operation that armed it.
    result.wrong += [
        f"{row['setting']}: acted without an intent"
        for row in rows_of_host
        if (row["op_id"], row["gen"]) not in intents and not row["reverting"]
    ]
    last = {row["setting"]: row["new"] for row in host.effects()}
    for setting, value in last.items():
        if host.platform == "windows" and host.read(setting) != value and not _is_touched(host, setting):
            result.wrong.append(f"{setting} reads {host.read(setting)}, and the journal's last word is {value}")


def _is_touched(host: FaultHost, setting: str) -> bool:
    """The fault run itself set it in the meantime, as a person would."""
    return any(row.get("cause") == "person" and row.get("address") == setting for row in host.lab.read_journal())


def _net_effects(rows: list[dict[str, Any]]) -> dict[str, str]:
    """The effects of a job that remain: a setting that returned to its first value is left out."""
    first: dict[str, str] = {}
    last: dict[str, str] = {}
    for row in rows:
        first.setdefault(row["setting"], row["old"])
        last[row["setting"]] = row["new"]
    return {setting: value for setting, value in last.items() if value != first[setting]}


def _targets(session: Session, since: int) -> dict[int, dict[str, str]]:
    rows = session.execute(
        text("SELECT j.id, j.host_id, p.document FROM job j JOIN plan p ON p.id = j.plan_id WHERE j.id > :since"), {"since": since}
    )
    found = {}
    for job_id, host_id, document in rows:
        parts = [part for part in json.loads(document)["hosts"] if part["host"] == host_id]
        found[job_id] = {each["setting"]: each["target"] for part in parts for step in part["steps"] for each in step["elements"]}
    return found


def _intents(session: Session, since: int) -> set[tuple[str, int]]:
    rows = session.execute(
        text("SELECT data ->> 'op_id', (data ->> 'gen')::bigint FROM job_event WHERE kind IN ('intent', 'resumed') AND job_id > :since"),
        {"since": since},
    )
    return {(row[0], row[1]) for row in rows}


def refuses_stale(host: FaultHost) -> bool:
    """Whether the host refuses a command under an outdated number, as a worker would send it after it lost its claim."""
    try:
        with session_scope() as session:
            target = find_target(session, host_id=host.id, job_id=1, runner_hash=host.runner_hash)
        read = call_runner(target, RunnerRequest("read", secrets.token_hex(16), gen=0))
        before = len(host.effects())
        answer = call_runner(target, RunnerRequest("fence", secrets.token_hex(16), gen=0), read=read)
        return answer.state == "refused" and answer.reason == "fenced" and len(host.effects()) == before
    except ChannelError:
        return False
