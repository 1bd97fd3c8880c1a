"""What people do to hosts. Each action checks the person's right on the host's group; those that change its state are in `lifecycle`."""

from typing import Any

from sqlmodel import Session, select

from plumbline import audit
from plumbline.auth.actor import Actor
from plumbline.auth.rights import require
from plumbline.auth.scope import host_in_scope
from plumbline.configurations.read import read_document
from plumbline.core.facts.entered import entered_value, may_be_entered, split_address
from plumbline.core.rules import words
from plumbline.evaluation.reevaluate import reevaluate_hosts
from plumbline.hosts import lifecycle, reread
from plumbline.infra.errors import BadInput
from plumbline.models import host_locks
from plumbline.models.hosts import FabricLabel, Host, HostGroup, Mode


def approve(session: Session, *, actor: Actor, host_id: str, group_id: int | None) -> None:
    """Lets a waiting host count; into another group only where the person administers that one too."""
    _require_host(session, actor, "host.approve", host_id)
    if group_id is not None:
        _require_group(session, actor, "host.approve", group_id)
    lifecycle.approve_host(session, actor=actor.audit_name, host_id=host_id, group_id=group_id, approved_by=actor.person_id)


def retire(session: Session, *, actor: Actor, host_id: str, reason: str) -> None:
    """Takes a host out of the fleet."""
    _require_host(session, actor, "host.retire", host_id)
    lifecycle.retire_host(session, actor=actor.audit_name, host_id=host_id, reason=reason)


def quarantine(session: Session, *, actor: Actor, host_id: str, reason: str) -> None:
    """Refuses the host's check-ins until it is released."""
    _require_host(session, actor, "host.quarantine", host_id)
    lifecycle.quarantine_host(session, actor=actor.audit_name, host_id=host_id, reason=reason)


def release_quarantine(session: Session, *, actor: Actor, host_id: str, reason: str) -> None:
    """Accepts the host's check-ins again."""
    _require_host(session, actor, "host.quarantine", host_id)
    lifecycle.release_quarantine(session, actor=actor.audit_name, host_id=host_id, reason=reason)


def clear_alarm(session: Session, *, actor: Actor, host_id: str, reason: str) -> None:
    """Clears the alarm that the host's check-ins raised."""
    _require_host(session, actor, "host.clear_alarm", host_id)
    lifecycle.clear_alarm(session, actor=actor.audit_name, host_id=host_id, reason=reason)


def rotate_secret(session: Session, *, actor: Actor, host_id: str) -> None:
    """Sends the host a new secret with its next check-in."""
    _require_host(session, actor, "host.rotate_secret", host_id)
    lifecycle.rotate_secret(session, actor=actor.audit_name, host_id=host_id)


def change(session: Session, *, actor: Actor, host_id: str, changes: dict[str, Any]) -> None:
    """Tags, mode, roles and fabrics of adapters, group, and what only the vendor's tool shows.

    Tags are open to operators, and so is what they attest by entering it; the rest is for admins, a move for admins of both groups.
    """
    _, group = host_in_scope(session, actor=actor, host_id=host_id)
    require(actor, "host.tag", group.path, missing="Host not found.")
    if changes.keys() - {"tags", "entered"}:
        require(actor, "host.manage", group.path, missing="Host not found.")
    if changes.get("entered"):
        require(actor, "attestation.make", group.path, missing="Host not found.")
    if changes.get("group_id") is not None:
        _require_group(session, actor, "host.manage", changes["group_id"])
    host = host_locks.lock_host(session, host_id)
    before: dict[str, Any] = {}
    after: dict[str, Any] = {}
    if changes.get("tags") is not None:
        before["tags"], after["tags"] = host.tags, sorted(set(changes["tags"]))
        host.tags = after["tags"]
    if "mode" in changes:
        if changes["mode"] == Mode.REMEDIATE:
            raise BadInput("A host can't be less strict than its group. Choose observe, or null to inherit.")
        before["mode"], after["mode"] = host.mode, changes["mode"]
        host.mode = changes["mode"]
    if changes.get("roles"):
        before["roles"], after["roles"] = reread.without_request(host.overrides), _overrides(session, host, changes["roles"])
        host.overrides = after["roles"]
        host.state_version += 1
    if changes.get("entered"):
        before["entered"], after["entered"] = reread.without_request(host.overrides), _entered(session, host, changes["entered"])
        host.overrides = after["entered"]
        host.state_version += 1
    if changes.get("fabrics"):
        before["fabrics"], after["fabrics"] = _label(session, host, changes["fabrics"])
    session.add(host)
    session.flush()
    if after:
        audit.record(
            session,
            actor=actor.audit_name,
            action="host.changed",
            about=audit.Object("host", host_id, host.group_id),
            before=before,
            after=after,
        )
    if changes.get("roles") or changes.get("entered"):
        reread.request_reread(session, host)
    if changes.get("fabrics"):
        # Whom the adapters are compared with has changed; the peers on either fabric are re-evaluated by their marks.
        reevaluate_hosts(session, [host_id])
    if changes.get("group_id") is not None:
        lifecycle.move_host(session, actor=actor.audit_name, host_id=host_id, group_id=changes["group_id"])
    session.flush()
    session.expire_all()


def _require_host(session: Session, actor: Actor, action: str, host_id: str) -> None:
    _, group = host_in_scope(session, actor=actor, host_id=host_id)
    require(actor, action, group.path, missing="Host not found.")


def _require_group(session: Session, actor: Actor, action: str, group_id: int) -> None:
    group = session.get(HostGroup, group_id)
    require(actor, action, group.path if group else "", missing="Group not found.")


def _label(session: Session, host: Host, fabrics: dict[str, str | None]) -> tuple[dict[str, str], dict[str, str]]:
    """Labels adapters with their fabrics, or takes the label off where None; answers the host's labels before and after.

    A label of a card that is gone can be taken off; a new one needs an adapter that the host has.
    """
    stored = read_document(session, host)
    known = {subject.id for subject in stored.document.configuration.subjects("adapter")} if stored else set()
    rows = {row.adapter_id: row for row in session.exec(select(FabricLabel).where(FabricLabel.host_id == host.id)).all()}
    before = {adapter: row.fabric for adapter, row in rows.items()}
    after = dict(before)
    for adapter, fabric in fabrics.items():
        if adapter not in known and (fabric is not None or adapter not in rows):
            raise BadInput(f"the host has no adapter {adapter[:60]!r}")
        if fabric is None:
            after.pop(adapter, None)
            if adapter in rows:
                session.delete(rows[adapter])
            continue
        after[adapter] = fabric
        row = rows.get(adapter) or FabricLabel(host_id=host.id, adapter_id=adapter, fabric=fabric)
        row.fabric = fabric
        session.add(row)
    return before, after


def _overrides(session: Session, host: Host, roles: dict[str, str | None]) -> dict[str, str]:
    """The host's overrides with these roles set, or given back where None. Only adapters that the host has."""
    stored = read_document(session, host)
    known = {subject.id for subject in stored.document.configuration.subjects("adapter")} if stored else set()
    overrides = reread.without_request(host.overrides)
    for adapter, role in roles.items():
        if adapter not in known:
            raise BadInput(f"the host has no adapter {adapter[:60]!r}")
        address = f"adapter/{adapter}/role"
        overrides.pop(address, None)
        if role is not None:
            overrides[address] = role
    return overrides


def _entered(session: Session, host: Host, entered: dict[str, str | None]) -> dict[str, str]:
    """The host's overrides with these settings entered, or removed where None: only settings that it can't report, of items that it has."""
    stored = read_document(session, host)
    configuration = stored.document.configuration if stored else None
    overrides = reread.without_request(host.overrides)
    for address, text in entered.items():
        subject, key = split_address(address)
        reading = configuration.read(subject, key) if configuration is not None and subject in configuration.all_subjects() else None
        if reading is None or not may_be_entered(subject, key, reading):
            raise BadInput(f"{address[:80]!r} can't be entered: the host reports it, or does not have it.")
        overrides.pop(address, None)
        if text is not None:
            if entered_value(f"{subject.kind}.{key}", text) is None:
                raise BadInput(f"{text[:20]!r} is not a valid value for {words.label(f'{subject.kind}.{key}')}.")
            overrides[address] = text
    return overrides
