"""Imports the keys of many hosts from a trusted file: shown line by line first, then pinned, all of the file or nothing."""

from collections.abc import Sequence

from pydantic import ValidationError
from sqlalchemy import true
from sqlmodel import Session, col, select

from plumbline import audit
from plumbline.auth.actor import Actor
from plumbline.auth.rights import allow
from plumbline.auth.scope import in_scope
from plumbline.channels.ssh import pin_fingerprint
from plumbline.collection.connections import try_again
from plumbline.collection.key_lines import KeyLine, read_lines
from plumbline.collection.schemas import ImportedKeys, ImportedLine, ImportState, KeysImport
from plumbline.core.texts import counted
from plumbline.infra.database import now_of
from plumbline.infra.errors import BadInput
from plumbline.infra.schemas import NamedHost
from plumbline.infra.task_queue import enqueue
from plumbline.models.collection import CollectionEndpoint
from plumbline.models.hosts import Host, HostGroup
from plumbline.models.vault import VaultSecret

_MOST_LINES = 5000
_SHOWN_FAULTS = 5
_WORDS: dict[ImportState, str] = {
    "set": "set",
    "replaced": "replaced",
    "same": "already known",
    "differs": "different key already verified, kept",
    "no_host": "no matching host",
    "passed_over": "skipped",
    "fault": "broken",
}


def import_keys(session: Session, *, actor: Actor | None, request: KeysImport) -> ImportedKeys:
    """What each line means for the hosts here; with `is_applied` the pins are set, in this transaction.

    `actor` None is the console of this machine: it sees every host, and the audit trail names the system. A host that has other pins keeps
    them unless `replaces` is set. Raises `BadInput` for a broken line in a file to be applied: with half a file imported it would be
    unclear which hosts are safe.
    """
    lines = read_lines(request.text, request.form)
    if not lines:
        raise BadInput("No keys found.")
    if len(lines) > _MOST_LINES:
        raise BadInput(f"text: {len(lines)} lines are too many, at most {_MOST_LINES} at a time")
    faults = [line for line in lines if line.is_fault]
    if faults and request.is_applied:
        reasons = "; ".join(f"line {line.number}: {line.why_not}" for line in faults[:_SHOWN_FAULTS])
        raise BadInput(
            f"Nothing was imported. {reasons}" + (f"; and {len(faults) - _SHOWN_FAULTS} more" if len(faults) > _SHOWN_FAULTS else "")
        )
    hosts = _hosts(session, actor, is_locked=request.is_applied)
    by_line: dict[int, list[tuple[CollectionEndpoint, Host]]] = {line.number: [] for line in lines}
    by_host: dict[str, list[KeyLine]] = {}
    for line in lines:
        for row, host in hosts if not line.why_not else ():
            if any(line.is_for(name, row.port) for name in {host.name, row.address}):
                by_line[line.number].append((row, host))
                if line.channel == row.channel:
                    by_host.setdefault(host.id, []).append(line)
    states: dict[str, ImportState] = {}
    for row, host in hosts:
        if host.id in by_host:
            states[host.id] = _state_of(row, [line.pin for line in by_host[host.id]], replaces=request.replaces)
            if request.is_applied and states[host.id] in ("set", "replaced"):
                _pin(session, actor.audit_name if actor is not None else audit.SYSTEM, row, host, by_host[host.id], request.form)
    session.flush()
    return ImportedKeys(
        is_applied=request.is_applied,
        lines=[shown for line in lines for shown in _shown(line, by_line[line.number], states)],
        pinned=sum(state in ("set", "replaced") for state in states.values()),
        faults=len(faults),
    )


def _hosts(session: Session, actor: Actor | None, *, is_locked: bool) -> list[tuple[CollectionEndpoint, Host]]:
    """Hosts that Plumbline signs in to and whose key this person may confirm: with the right on the host's group and the credential's."""
    groups = {group.id: group.path for group in session.exec(select(HostGroup))}
    query = (
        select(CollectionEndpoint, Host, VaultSecret.group_id)
        .join(Host, col(Host.id) == col(CollectionEndpoint.host_id))
        .join(HostGroup, col(HostGroup.id) == col(Host.group_id))
        .join(VaultSecret, col(VaultSecret.id) == col(CollectionEndpoint.credential_id))
        .where(in_scope(actor) if actor is not None else true(), col(Host.state) != "retired")
        .order_by(col(CollectionEndpoint.host_id))
    )
    if is_locked:
        query = query.with_for_update(of=CollectionEndpoint)
    return [
        (row, host)
        for row, host, owner in session.exec(query)
        if actor is None or (allow(actor, "collection.manage", groups[host.group_id]) and allow(actor, "credential.manage", groups[owner]))
    ]


def _state_of(row: CollectionEndpoint, pins: Sequence[str], *, replaces: bool) -> ImportState:
    """What the file's pins mean for a host, compared with the pins that it has."""
    present, imported = {pin_fingerprint(pin) for pin in row.pins}, {pin_fingerprint(pin) for pin in pins}
    if not present:
        return "set"
    if imported <= present:
        return "same"
    return "replaced" if replaces else "differs"


def _pin(session: Session, actor: str, row: CollectionEndpoint, host: Host, lines: Sequence[KeyLine], form: str) -> None:
    before = [pin_fingerprint(pin) for pin in row.pins]
    row.pins = list(dict.fromkeys(line.pin for line in lines))
    row.confirmed_by, row.confirmed_at = actor, now_of(session)
    try_again(row, now_of(session))
    session.add(row)
    audit.record(
        session,
        actor=actor,
        action="host.key_imported",
        about=audit.Object("host", host.id, host.group_id),
        before={"pins": before},
        after={"pins": [pin_fingerprint(pin) for pin in row.pins], "from": form, "lines": [line.number for line in lines]},
    )
    if host.source == "collector":
        enqueue(session, "collection.collect", host.id, queue="collection")


def _shown(line: KeyLine, hosts: Sequence[tuple[CollectionEndpoint, Host]], states: dict[str, ImportState]) -> list[ImportedLine]:
    pin = pin_fingerprint(line.pin) if line.pin else ""
    names = ", ".join("a hashed name" if name.startswith("|1|") else name for name in line.names)[:200]
    if line.why_not:
        return [ImportedLine(line=line.number, names=names, pin=pin, state="fault" if line.is_fault else "passed_over", words=line.why_not)]
    if not hosts:
        words = "no host here that Plumbline signs in to has this name or address"
        return [ImportedLine(line=line.number, names=names, pin=pin, state="no_host", words=words)]
    shown = []
    for row, host in hosts:
        state, words = states.get(host.id, "fault"), ""
        if line.channel != row.channel:
            needed = "an SSH host key" if row.channel == "ssh" else "the SHA-256 of its certificate"
            state, words = "passed_over", f"it is reached over {'SSH' if row.channel == 'ssh' else 'WinRM'}: {needed} is wanted"
        elif state == "differs":
            words = f"it has {', '.join(pin_fingerprint(known) for known in row.pins)} already"
        named = NamedHost(id=host.id, name=host.name)
        shown.append(ImportedLine(line=line.number, names=names, pin=pin, state=state, words=words, host=named))
    return shown


def import_file(session: Session, content: str, *, form: str, is_applied: bool, replaces: bool) -> list[str]:
    """The import for the console: one line of text for each line of the file, with its outcome. Raises `BadInput`."""
    try:
        request = KeysImport.model_validate({"text": content, "form": form, "is_applied": is_applied, "replaces": replaces})
    except ValidationError as error:
        raise BadInput("; ".join(f"{problem['loc'][0]}: {problem['msg']}" for problem in error.errors())) from None
    result = import_keys(session, actor=None, request=request)
    lines = [
        f"line {line.line}: {_WORDS[line.state]}"
        + (f", {line.host.name}" if line.host else f", {line.names}" if line.names else "")
        + (f" ({line.words})" if line.words else "")
        for line in result.lines
    ]
    verb = "imported" if is_applied else "would be imported; add --apply to import"
    return [
        *lines,
        f"Keys of {counted(result.pinned, 'host')} {verb}." + (f" {counted(result.faults, 'invalid line')}." if result.faults else ""),
    ]
