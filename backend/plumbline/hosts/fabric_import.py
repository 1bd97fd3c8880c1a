"""Labels of fabrics for many adapters at once, from a CSV that a network team can write: host, adapter, fabric.

All or nothing: one mistake in the file and no label is set. Each mistake is reported with its line.
"""

import csv
import io
import re
from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import TypeAdapter, ValidationError
from sqlalchemy import func, or_, select, text
from sqlmodel import Session, col

from plumbline import audit
from plumbline.auth.actor import Actor
from plumbline.auth.rights import allow
from plumbline.auth.scope import KNOWN_STATES, in_scope
from plumbline.configurations.read import Labels, read_documents
from plumbline.hosts.fabric_schemas import FabricChange, FabricImport, FabricMistake
from plumbline.hosts.schemas import FabricName
from plumbline.infra.errors import BadInput
from plumbline.models import host_locks
from plumbline.models.hosts import FabricLabel, Host, HostGroup

COLUMNS = ("host", "adapter", "fabric")
MOST_LINES = 20_000
MOST_HOSTS = 2_000
_MOST_MISTAKES = 200
_FABRIC: TypeAdapter[str] = TypeAdapter(FabricName)
_SEPARATORS = re.compile(r"[:.-]")
# Hosts whose peers changed. The background worker re-evaluates them one by one, each under its own lock.
_LAG = "INSERT INTO peer_reevaluation (host_id) SELECT unnest(CAST(:hosts AS text[]))"


@dataclass(frozen=True, slots=True)
class _Line:
    number: int
    host: str
    adapter: str
    fabric: str


def import_fabrics(session: Session, *, actor: Actor, content: str, is_dry_run: bool) -> FabricImport:
    """Sets the labels that the CSV names and removes those whose fabric is empty; `is_dry_run` only reports what would change.

    Raises `BadInput` if the text is no such CSV. The number of queries does not depend on the lines.
    """
    lines, mistakes = _read(content)
    hosts = _hosts(session, actor, lines, mistakes)
    if len(set(hosts.values())) > MOST_HOSTS:
        raise BadInput(f"the file names {len(set(hosts.values()))} hosts; an import takes {MOST_HOSTS}, so split it")
    locked = {host.id: host for host in host_locks.lock_hosts(session, sorted(set(hosts.values())))}
    requested = _adapters(session, lines, hosts, mistakes)
    rows = session.scalars(select(FabricLabel).where(col(FabricLabel.host_id).in_(list(locked))))
    labels = {(row.host_id, row.adapter_id): row for row in rows}
    changes = []
    for (host_id, adapter_id), (name, fabric) in requested.items():
        before = labels[host_id, adapter_id].fabric if (host_id, adapter_id) in labels else ""
        if before != fabric:
            host = locked[host_id].name
            changes.append(FabricChange(host_id=host_id, host=host, adapter_id=adapter_id, adapter=name, before=before, after=fabric))
    if not mistakes and not is_dry_run:
        _write(session, actor, locked, labels, changes)
    mistakes.sort(key=lambda mistake: mistake.line)
    return FabricImport(
        lines=len(lines),
        hosts=len(locked),
        changes=changes,
        mistakes=mistakes[:_MOST_MISTAKES],
        mistakes_total=len(mistakes),
        is_done=not mistakes and not is_dry_run,
    )


def _read(content: str) -> tuple[list[_Line], list[FabricMistake]]:
    """The lines after the heading. Columns are found by name, in any order, separated by commas or semicolons."""
    content = content.removeprefix("\ufeff")
    heading = content.partition("\n")[0]
    delimiter = ";" if heading.count(";") > heading.count(",") else ","
    reader = csv.reader(io.StringIO(content), delimiter=delimiter, strict=True)
    names = [name.strip().casefold() for name in next(reader, [])]
    if missing := [name for name in COLUMNS if name not in names]:
        raise BadInput(f"The header must contain host, adapter and fabric. Missing: {', '.join(missing)}.")
    places = [names.index(name) for name in COLUMNS]
    lines: list[_Line] = []
    mistakes: list[FabricMistake] = []
    try:
        for row in reader:
            if not any(cell.strip() for cell in row):
                continue
            if len(lines) >= MOST_LINES:
                raise BadInput(f"more than {MOST_LINES} lines; split the file")
            if len(row) != len(names):
                mistakes.append(FabricMistake(line=reader.line_num, message=f"{len(row)} columns, header has {len(names)}"))
                continue
            host, adapter, fabric = (row[place].strip() for place in places)
            lines.append(_Line(reader.line_num, host, adapter, fabric))
    except csv.Error as error:
        raise BadInput(f"line {reader.line_num}: {error}") from error
    if not lines and not mistakes:
        raise BadInput("No rows after the header")
    found = {line.number: _misspelt(line) for line in lines}
    mistakes += [FabricMistake(line=number, message=words) for number, words in found.items() if words]
    return [line for line in lines if not found[line.number]], mistakes


def _misspelt(line: _Line) -> str:
    """What is wrong with the line itself; empty if nothing."""
    if not line.host or not line.adapter:
        return f"no {'host' if not line.host else 'adapter'} is named"
    if line.fabric:
        try:
            _FABRIC.validate_python(line.fabric)
        except ValidationError:
            words = "a fabric has at most 60 letters, figures, blanks or .:@+-_ and starts and ends with a letter or figure"
            return f"{line.fabric[:60]!r} is no name of a fabric: {words}"
    return ""


def _hosts(session: Session, actor: Actor, lines: list[_Line], mistakes: list[FabricMistake]) -> dict[str, str]:
    """Host ids by the names used in the file, for each name that means one host which the person may manage."""
    words = sorted({line.host for line in lines})
    lowered = sorted({word.lower() for word in words})
    rows = session.execute(
        select(col(Host.id), col(Host.name), col(HostGroup.path))
        .join(HostGroup, col(HostGroup.id) == Host.group_id)
        .where(col(Host.state).in_(KNOWN_STATES), in_scope(actor), or_(func.lower(Host.name).in_(lowered), col(Host.id).in_(words)))
    ).all()
    found: dict[str, str] = {}
    wrong: dict[str, str] = {}
    for word in words:
        matching = [row for row in rows if row.id == word] or [row for row in rows if row.name.lower() == word.lower()]
        if not matching:
            wrong[word] = f"Host {word[:120]!r} not found."
        elif len(matching) > 1:
            wrong[word] = f"{len(matching)} hosts are named {word[:120]!r}. Use the host ID from the host page URL."
        elif not allow(actor, "host.manage", matching[0].path):
            wrong[word] = f"Only admins of its group can label {word[:120]!r}."
        else:
            found[word] = matching[0].id
    mistakes += [FabricMistake(line=line.number, message=wrong[line.host]) for line in lines if line.host in wrong]
    return found


def _adapters(
    session: Session, lines: list[_Line], hosts: Mapping[str, str], mistakes: list[FabricMistake]
) -> dict[tuple[str, str], tuple[str, str]]:
    """(host id, adapter id) -> name of the adapter, requested fabric. The file names an adapter as its host does, or by MAC address."""
    documents = read_documents(session, sorted(set(hosts.values())))
    known: dict[str, dict[str, list[tuple[str, str]]]] = {}
    for read_id, document in documents.items():
        labels = Labels.of(document)
        names = known.setdefault(read_id, {})
        for subject in document.configuration.subjects("adapter"):
            called = labels.of_subject(subject)
            for name in {called.casefold(), subject.id.casefold()}:
                names.setdefault(name, []).append((subject.id, called))
    requested: dict[tuple[str, str], tuple[str, str]] = {}
    first: dict[tuple[str, str], _Line] = {}
    for line in lines:
        host_id = hosts.get(line.host)
        if host_id is None:
            continue
        names = known.get(host_id, {})
        matching = names.get(line.adapter.casefold()) or names.get(_SEPARATORS.sub("", line.adapter).casefold()) or []
        if len(matching) != 1:
            there = ", ".join(sorted({called for found in names.values() for _, called in found})[:8]) or "none was read yet"
            words = "has no adapter" if not matching else f"has {len(matching)} adapters called"
            mistakes.append(FabricMistake(line=line.number, message=f"{line.host} {words} {line.adapter[:60]!r}; it has: {there}"))
            continue
        key = (host_id, matching[0][0])
        if key in first and first[key].fabric != line.fabric:
            words = f"line {first[key].number} gives the same adapter another fabric, {first[key].fabric[:60]!r}"
            mistakes.append(FabricMistake(line=line.number, message=words))
            continue
        first.setdefault(key, line)
        requested[key] = (matching[0][1], line.fabric)
    return requested


def _write(
    session: Session, actor: Actor, hosts: Mapping[str, Host], before: Mapping[tuple[str, str], FabricLabel], changes: list[FabricChange]
) -> None:
    by_host: dict[str, list[FabricChange]] = {}
    for change in changes:
        by_host.setdefault(change.host_id, []).append(change)
        row = before.get((change.host_id, change.adapter_id))
        if not change.after:
            session.delete(row)
            continue
        row = row or FabricLabel(host_id=change.host_id, adapter_id=change.adapter_id, fabric=change.after)
        row.fabric = change.after
        session.add(row)
    for host_id, of_host in by_host.items():
        audit.record(
            session,
            actor=actor.audit_name,
            action="host.changed",
            about=audit.Object("host", host_id, hosts[host_id].group_id),
            before={"fabrics": {change.adapter_id: change.before for change in of_host}},
            after={"fabrics": {change.adapter_id: change.after for change in of_host}, "by": "import"},
        )
    session.flush()
    if by_host:
        session.execute(text(_LAG), {"hosts": sorted(by_host)})
