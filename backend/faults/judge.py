"""The judge: what the hosts' own journals say, held against the rows. Nothing that the engine wrote of itself counts as proof."""

import json
import secrets
from collections import Counter, defaultdict
from collections.abc import Collection
from typing import Any

from sqlmodel import Session, text

from faults.fleet import FaultHost
from faults.invariants import broken_promises
from faults.rig import Rig, Seen
from plumbline.channels import ChannelError
from plumbline.infra.database import session_scope
from plumbline.remediation.access.runner_client import RunnerRequest, call_runner, find_target

# What jobs of a part may end as where nothing else is said: nobody is needed, nothing failed.
WELL = ("SUCCEEDED", "SKIPPED_STALE", "CANCELLED")
_NOTHING_STANDS = ("SKIPPED_STALE", "CANCELLED", "EXPIRED", "FAILED", "ROLLED_BACK")


def judge(rig: Rig, seen: Seen, *, since: int = 0, may_end: Collection[str] = WELL) -> None:
    """Judges every job after number `since`, and every effect that hosts noted for them."""
    with session_scope() as session:
        query = text("SELECT id, host_id, state, state_words FROM job WHERE id > :since ORDER BY id")
        rows = session.execute(query, {"since": since}).all()
        targets = _targets(session, since)
        told = _told(session, since)
    effects: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for host in rig.fleet:
        _judge_host(host, since, told, effects, seen)
    for job_id, _, state, words in rows:
        seen.jobs += 1
        seen.states[state] += 1
        if state not in may_end:
            seen.wrong.append(f"job {job_id} ended as {state}: {words}")
        stands = _standing(effects[job_id])
        if state == "SUCCEEDED" and stands != targets[job_id]:
            seen.wrong.append(f"job {job_id} succeeded, and its host's journal has {stands}")
        if state in _NOTHING_STANDS and stands:
            seen.wrong.append(f"job {job_id} is {state}, and {sorted(stands)} stand on its host")


def finish(rig: Rig, seen: Seen, *, since: int = 0, may_end: Collection[str] = WELL) -> Seen:
    """Settles, judges, and asks the doctor."""
    rig.settle(seen)
    judge(rig, seen, since=since, may_end=may_end)
    seen.wrong += broken_promises(rig.place.url("plumbline_background", rig.database))
    return seen


def _judge_host(host: FaultHost, since: int, told: set[tuple[str, int]], effects: dict[int, list[dict[str, Any]]], seen: Seen) -> None:
    mine = [row for row in host.effects() if int(row["job_id"], 16) > since]
    seen.steps += len(mine)
    for row in mine:
        effects[int(row["job_id"], 16)].append(row)
    twice = [key for key, count in Counter((row["op_id"], row["setting"], row["reverting"]) for row in mine).items() if count > 1]
    seen.wrong += [f"{setting} was set twice by operation {op}" for op, setting, _ in twice]
    # A dead-man acts by itself, under the operation that armed it.
    seen.wrong += [
        f"{row['setting']}: acted without an intent" for row in mine if (row["op_id"], row["gen"]) not in told and not row["reverting"]
    ]
    last = {row["setting"]: row["new"] for row in host.effects()}
    for setting, value in last.items():
        if host.platform == "windows" and host.read(setting) != value and not _is_touched(host, setting):
            seen.wrong.append(f"{setting} reads {host.read(setting)}, and the journal's last word is {value}")


def _is_touched(host: FaultHost, setting: str) -> bool:
    """A person of the fault run set it since."""
    return any(row.get("cause") == "person" and row.get("address") == setting for row in host.lab.read_journal())


def _standing(rows: list[dict[str, Any]]) -> dict[str, str]:
    """What the effects of a job left: a setting that went back to where it began does not stand."""
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


def _told(session: Session, since: int) -> set[tuple[str, int]]:
    rows = session.execute(
        text("SELECT data ->> 'op_id', (data ->> 'gen')::bigint FROM job_event WHERE kind IN ('intent', 'resumed') AND job_id > :since"),
        {"since": since},
    )
    return {(row[0], row[1]) for row in rows}


def refuses_stale(host: FaultHost) -> bool:
    """A command under a number that the host has passed changes nothing: as a worker would send that slept through a claim."""
    try:
        with session_scope() as session:
            way = find_target(session, host_id=host.id, job_id=1, runner_hash=host.runner_hash)
        read = call_runner(way, RunnerRequest("read", secrets.token_hex(16), gen=0))
        before = len(host.effects())
        said = call_runner(way, RunnerRequest("fence", secrets.token_hex(16), gen=0), read=read)
        return said.state == "refused" and said.reason == "fenced" and len(host.effects()) == before
    except ChannelError:
        return False
