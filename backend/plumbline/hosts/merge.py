"""Merging what is one and the same under two ids: a re-imaged host with its old self, a new card with the one it replaced.

Both are a person's act, under the locks of the hosts, audited with the reason. History follows to the id that lives on: changes,
configurations, the log of findings, counters, waivers, attestations, roles and labels. What a person signed (plans, jobs) and the
audit trail name the id of their time and stay.
"""

from dataclasses import dataclass
from typing import Any

from sqlmodel import Session, text

from plumbline import audit
from plumbline.auth.actor import Actor
from plumbline.auth.rights import require
from plumbline.auth.scope import host_in_scope
from plumbline.configurations.read import Labels, read_document
from plumbline.core.facts.configuration import Subject, Unknown, encode_id
from plumbline.evaluation.reevaluate import reevaluate_hosts
from plumbline.hosts import lifecycle, reread
from plumbline.hosts.merge_schemas import GoneSubject
from plumbline.hosts.merge_statements import GONE, HOST_HISTORY, KEEP_FAILING, SUBJECT_FAILING, SUBJECT_HISTORY
from plumbline.infra.errors import BadInput, Conflict
from plumbline.models import host_locks
from plumbline.models.hosts import CheckInSource, Host, HostState

# Kinds whose id belongs to a replaceable part. Items of other kinds are named by people and keep their id.
MERGED_KINDS = ("adapter", "vnic", "initiator", "volume")
_ALIVE = (HostState.WAITING, HostState.ACTIVE, HostState.QUARANTINED)


def merge_hosts(session: Session, *, actor: Actor, host_id: str, old_id: str, reason: str) -> None:
    """The host `host_id` goes on as `old_id` did: it takes its history, place and waivers, and the old one is retired.

    A host that waits is approved by it. Raises `NotFound`, `NotAllowed`, `BadInput`, `Conflict` where both check in.
    """
    for each in (host_id, old_id):
        _, group = host_in_scope(session, actor=actor, host_id=each)
        require(actor, "host.merge", group.path, missing="Host not found.")
    if host_id == old_id:
        raise BadInput("A host can't be merged with itself.")
    # In the one order of ids that every writer uses.
    locked = {host.id: host for host in host_locks.lock_hosts(session, [host_id, old_id])}
    host, old = locked[host_id], locked[old_id]
    _check(host, old)
    before = {"id": old.id, "name": old.name, "state": old.state, "group_id": old.group_id}
    # Copied now: retiring the old host closes its findings.
    session.execute(text(KEEP_FAILING), {"new": host_id, "old": old_id})
    place = old.group_id
    tags, overrides = sorted({*host.tags, *old.tags}), {**old.overrides, **host.overrides}
    has_new_roles = overrides != host.overrides
    mode, enrolled_at = host.mode or old.mode, min(host.enrolled_at, old.enrolled_at)
    if old.state != HostState.RETIRED:
        lifecycle.retire_host(session, actor=actor.audit_name, host_id=old_id, reason=f"merged into {host.name} ({host_id}): {reason}")
    for statement in HOST_HISTORY:
        session.execute(text(statement), {"new": host_id, "old": old_id})
    session.refresh(old)
    session.refresh(host)
    old.merged_into, old.configuration_id, old.overrides = host_id, None, {}
    host.tags, host.overrides, host.mode, host.enrolled_at = tags, overrides, mode, enrolled_at
    host.state_version += 1
    session.add_all([old, host])
    session.flush()
    if host.state == HostState.WAITING:
        lifecycle.approve_host(session, actor=actor.audit_name, host_id=host_id, group_id=place, approved_by=actor.person_id)
    elif host.group_id != place:
        lifecycle.move_host(session, actor=actor.audit_name, host_id=host_id, group_id=place)
    reevaluate_hosts(session, [host_id])
    if has_new_roles:
        session.refresh(host)
        reread.request_reread(session, host)
    audit.record(
        session,
        actor=actor.audit_name,
        action="host.merged",
        about=audit.Object("host", host_id, place),
        before=before,
        after={"id": host_id, "name": host.name},
        reason=reason,
    )


def _check(host: Host, old: Host) -> None:
    if host.platform != old.platform:
        raise BadInput(f"{old.name} runs {old.platform} and {host.name} runs {host.platform}, so they can't be merged.")
    if host.state not in _ALIVE:
        raise Conflict(f"{host.name} is {host.state}. Merge into the active host.")
    if old.merged_into is not None:
        raise Conflict(f"{old.name} was merged already")
    checks_in = old.source != CheckInSource.BUNDLE and old.state in _ALIVE
    if checks_in and old.last_seen_at is not None and old.last_seen_at > host.enrolled_at:
        raise Conflict(f"{old.name} checked in after {host.name} was enrolled, so both are active. They can't be merged.")


@dataclass(frozen=True, slots=True)
class _Merged:
    """One merge of two subjects of a host, as its statements bind it."""

    host_id: str
    kind: str
    old: str
    new: str

    def bound(self) -> dict[str, Any]:
        old, new = Subject(self.kind, self.old), Subject(self.kind, self.new)
        return {
            "host": self.host_id,
            "kind": self.kind,
            "old": self.old,
            "new": self.new,
            # Trip-wires, roles and counters are named by address.
            "old_prefix": old.address(""),
            "new_prefix": new.address(""),
            "old_subject": f"{self.kind}/{encode_id(self.old)}",
            "new_subject": f"{self.kind}/{encode_id(self.new)}",
        }


def merge_subjects(session: Session, *, actor: Actor, host_id: str, kind: str, old_id: str, new_id: str, reason: str) -> None:
    """What was known of the subject `old_id` goes on under `new_id`, which is there in its place.

    Raises `NotFound`, `NotAllowed`, `BadInput`, `Conflict` where the old one is still there.
    """
    _, group = host_in_scope(session, actor=actor, host_id=host_id)
    require(actor, "host.merge", group.path, missing="Host not found.")
    if kind not in MERGED_KINDS:
        raise BadInput(f"kind: only {', '.join(MERGED_KINDS)} can be replaced by another of its kind")
    if old_id == new_id:
        raise BadInput("An item can't be merged with itself.")
    host = host_locks.lock_host(session, host_id)
    stored = read_document(session, host)
    if stored is None:
        raise Conflict("the host has not been read yet")
    configuration = stored.document.configuration
    old, new = Subject(kind, old_id), Subject(kind, new_id)
    if not configuration.keys(new):
        raise BadInput(f"new_id: the host has no {kind} {new_id[:60]!r}")
    if any(not isinstance(reading, Unknown) for reading in configuration.keys(old).values()):
        raise Conflict(f"the {kind} {old_id[:60]} is still in the host: these are two")
    merged = _Merged(host_id, kind, old_id, new_id)
    known = session.execute(text(SUBJECT_FAILING), merged.bound()).rowcount  # type: ignore[attr-defined]
    for statement in SUBJECT_HISTORY:
        known += session.execute(text(statement), merged.bound()).rowcount  # type: ignore[attr-defined]
    if not known:
        raise BadInput(f"old_id: nothing is known of a {kind} {old_id[:60]!r} on this host")
    session.refresh(host)
    roles = {address: role for address, role in host.overrides.items() if address.startswith(merged.bound()["old_prefix"])}
    if roles:
        moved = {address.replace(merged.bound()["old_prefix"], merged.bound()["new_prefix"], 1): role for address, role in roles.items()}
        host.overrides = {**moved, **{address: role for address, role in host.overrides.items() if address not in roles}}
        reread.request_reread(session, host)
    host.state_version += 1
    session.add(host)
    session.flush()
    reevaluate_hosts(session, [host_id])
    audit.record(
        session,
        actor=actor.audit_name,
        action="host.subjects_merged",
        about=audit.Object("host", host_id, host.group_id),
        before={"kind": kind, "id": old_id},
        after={"kind": kind, "id": new_id},
        reason=reason,
    )


def list_gone_subjects(session: Session, *, actor: Actor, host_id: str) -> list[GoneSubject]:
    """Subjects that the host had and has no longer, the last ones first, with those of the same kind that it has now."""
    host, _ = host_in_scope(session, actor=actor, host_id=host_id)
    stored = read_document(session, host)
    if stored is None:
        return []
    configuration = stored.document.configuration
    labels = Labels.of(stored.document)
    rows = session.execute(text(GONE), {"host": host_id, "kinds": list(MERGED_KINDS)})
    return [
        GoneSubject(
            kind=kind,
            id=subject_id,
            name=name or subject_id,
            gone_at=gone_at,
            instead=[{"id": each.id, "name": labels.of_subject(each)} for each in configuration.subjects(kind)],
        )
        for kind, subject_id, name, gone_at in rows
        if not configuration.keys(Subject(kind, subject_id))
    ]
