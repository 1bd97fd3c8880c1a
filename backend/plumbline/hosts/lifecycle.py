"""The states of a host: waiting, active, quarantined, retired; its move to another group, its secret and its alarm.

Each act locks the host's row, is audited, and re-evaluates the host where that changes findings or figures. Whether a person may do it is
decided before, in `hosts.actions`.
"""

from dataclasses import replace

from sqlmodel import Session

from plumbline import audit
from plumbline.evaluation.findings import (
    Evaluation,
    HostVerdict,
    Writes,
    compare,
    figures,
    marks_of,
    set_verdict,
    statements,
    stored_findings,
)
from plumbline.evaluation.peer_changes import leave
from plumbline.evaluation.reevaluate import raw_connection, reevaluate_hosts
from plumbline.evaluation.rollups import HostFigures, count_findings, count_host
from plumbline.evaluation.statements import READ_FIGURES, READ_FINDINGS
from plumbline.hosts.agent_keys import key_ring
from plumbline.hosts.enrol import interval_of
from plumbline.infra import database
from plumbline.infra.errors import Conflict, NotFound
from plumbline.models import host_locks
from plumbline.models.hosts import Host, HostGroup, HostState


def approve_host(session: Session, *, actor: str, host_id: str, group_id: int | None = None, approved_by: int | None = None) -> Host:
    """Makes a waiting host active, in the given group or the one it is in, and evaluates what it has sent so far.

    Raises `HostNotFound`, `NotFound`, `Conflict`.
    """
    host = host_locks.lock_host(session, host_id)
    if host.state != HostState.WAITING:
        raise Conflict(f"The host is {host.state}, not waiting")
    if group_id is not None:
        if session.get(HostGroup, group_id) is None:
            raise NotFound("Group not found.")
        host.group_id = group_id
    host.approved_at, host.approved_by = database.now_of(session), approved_by
    _set_state(session, host, HostState.ACTIVE, actor=actor, action="host.approved")
    reevaluate_hosts(session, [host_id])
    return host


def quarantine_host(session: Session, *, actor: str, host_id: str, reason: str) -> Host:
    """Refuses the host's check-ins (403) until a person releases it or enrols it again. Its findings stay as they are.

    Its peers are compared with it no longer. Raises `HostNotFound`, `Conflict`.
    """
    host = host_locks.lock_host(session, host_id)
    if host.state != HostState.ACTIVE:
        raise Conflict(f"The host is {host.state}, not active")
    _set_state(session, host, HostState.QUARANTINED, actor=actor, action="host.quarantined", reason=reason)
    leave(raw_connection(session), [host_id])
    return host


def release_quarantine(session: Session, *, actor: str, host_id: str, reason: str) -> Host:
    """Accepts the check-ins of a quarantined host again, clears its alarm and re-evaluates it. Raises `HostNotFound`, `Conflict`."""
    host = host_locks.lock_host(session, host_id)
    if host.state != HostState.QUARANTINED:
        raise Conflict(f"The host is {host.state}, not quarantined")
    host.alarm = ""
    _set_state(session, host, HostState.ACTIVE, actor=actor, action="host.released", reason=reason)
    reevaluate_hosts(session, [host_id])
    return host


def _set_state(session: Session, host: Host, state: str, *, actor: str, action: str, reason: str = "") -> None:
    """Writes a locked host's new state. Its higher `state_version` makes check-ins in progress evaluate again under the lock."""
    before = host.state
    host.state = state
    host.state_version += 1
    session.add(host)
    session.flush()
    audit.record(
        session,
        actor=actor,
        action=action,
        about=audit.Object("host", host.id, host.group_id),
        before={"state": before},
        after={"state": state},
        reason=reason,
    )


def rotate_secret(session: Session, *, actor: str, host_id: str) -> Host:
    """Sends the host a new secret with the answer to its next check-in; both secrets work until the first use of the new one.

    Raises `HostNotFound`, and `Conflict` for a retired host, which is sent no answer.
    """
    host = host_locks.lock_host(session, host_id)
    if host.state == HostState.RETIRED:
        raise Conflict("The host is retired")
    host.next_generation, host.next_key_id = max(host.generation, host.next_generation or 0) + 1, key_ring().newest
    session.add(host)
    session.flush()
    audit.record(
        session,
        actor=actor,
        action="host.secret_rotated",
        about=audit.Object("host", host.id, host.group_id),
        after={"generation": host.next_generation},
    )
    return host


def clear_alarm(session: Session, *, actor: str, host_id: str, reason: str) -> Host:
    """Clears the alarm of a host after a person has checked it. Raises `HostNotFound`, `Conflict` where there is none."""
    host = host_locks.lock_host(session, host_id)
    if not host.alarm:
        raise Conflict("The host has no alarm")
    before, host.alarm = host.alarm, ""
    session.add(host)
    session.flush()
    audit.record(
        session,
        actor=actor,
        action="host.alarm_cleared",
        about=audit.Object("host", host.id, host.group_id),
        before={"alarm": before},
        reason=reason,
    )
    return host


def retire_host(session: Session, *, actor: str, host_id: str, reason: str) -> Host:
    """Takes a host out of the fleet: check-ins are refused, findings are closed as `retired`, no figure counts it; its history stays.

    Raises `HostNotFound`, `Conflict`.
    """
    host = host_locks.lock_host(session, host_id)
    if host.state == HostState.RETIRED:
        raise Conflict("The host is retired already")
    writes = Writes()
    connection = raw_connection(session)
    old = stored_findings(connection.execute(READ_FINDINGS, ([host_id],))).get(host_id, {})
    known = figures(connection.execute(READ_FIGURES, ([host_id],)))[host_id]
    now = database.now_of(session)
    compare(writes, host_id=host_id, group_id=host.group_id, now=now, old=old, evaluation=Evaluation())
    writes.log = [row._replace(new="retired", reason=reason) for row in writes.log]
    set_verdict(writes, host_id=host_id, old=known, new=HostFigures(host.group_id, False), verdict=HostVerdict(), rules_epoch=0)
    for statement, columns in statements(writes):
        connection.execute(statement, columns)
    leave(connection, [host_id])
    session.refresh(host)
    _set_state(session, host, HostState.RETIRED, actor=actor, action="host.retired", reason=reason)
    return host


def move_host(session: Session, *, actor: str, host_id: str, group_id: int) -> Host:
    """Moves a host to another group, whose packs, waivers and check-in interval then apply. Raises `HostNotFound`, `NotFound`."""
    host = host_locks.lock_host(session, host_id)
    if session.get(HostGroup, group_id) is None:
        raise NotFound("Group not found.")
    before = host.group_id
    if before == group_id:
        return host
    writes = Writes()
    connection = raw_connection(session)
    marks = list(marks_of(stored_findings(connection.execute(READ_FINDINGS, ([host_id],))).get(host_id, {})))
    count_findings(writes.deltas, before, marks, -1)
    count_findings(writes.deltas, group_id, marks, 1)
    known = figures(connection.execute(READ_FIGURES, ([host_id],)))[host_id]
    count_host(writes.deltas, known, -1)
    count_host(writes.deltas, replace(known, group_id=group_id), 1)
    for statement, columns in statements(writes):
        connection.execute(statement, columns)
    host.group_id = group_id
    host.interval_seconds = interval_of(session, group_id)
    host.state_version += 1
    session.add(host)
    session.flush()
    reevaluate_hosts(session, [host_id])
    audit.record(
        session,
        actor=actor,
        action="host.moved",
        about=audit.Object("host", host_id, group_id),
        before={"group_id": before},
        after={"group_id": group_id},
    )
    return host
