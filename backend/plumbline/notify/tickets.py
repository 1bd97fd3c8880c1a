"""Tickets: what a person sends to a ticket system about changes of settings, about a problem, or about what fails on hosts."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row
from sqlmodel import Session, col, select, text

from plumbline import audit
from plumbline.auth.actor import Actor
from plumbline.auth.rights import require
from plumbline.core.texts import counted
from plumbline.drift.expected_changes import ChangeNotFound
from plumbline.drift.ticket_reads import TicketOut, read_ticket
from plumbline.infra.errors import Conflict, NotFound
from plumbline.infra.schemas import NamedHost
from plumbline.models.hosts import Host, HostGroup
from plumbline.models.notify import Notice, NoticeChannel, NoticeDelivery, Ticket
from plumbline.notify.changes import changed_lines, changed_title
from plumbline.notify.kinds import cut
from plumbline.notify.outbox import NoticeContent, write_notice
from plumbline.notify.schemas import TicketAbout, TicketCreate, TicketPreview, TicketSystem
from plumbline.oncall.find import Scope, find_problems
from plumbline.oncall.problems import KIND_WORDS
from plumbline.packs.library import read_library

RIGHT = "ticket.create"
_CHANGES = """
SELECT c.id, c.host_id, h.name, h.group_id, g.path, c.subject_kind, c.subject_id, c.key, c.old, c.new, c.cause
FROM setting_change c JOIN host h ON h.id = c.host_id JOIN host_group g ON g.id = h.group_id WHERE c.id = ANY(:ids)
ORDER BY lower(h.name), h.id, c.subject_kind, c.subject_id, c.key, c.id
"""


# Rules of one host that are named; the rest is counted.
_MOST_RULES = 6
_HOSTS = """
SELECT h.id, h.name, h.failing, g.path FROM host h JOIN host_group g ON g.id = h.group_id WHERE h.id = ANY(:ids)
ORDER BY lower(h.name), h.id
"""


class TicketSystemNotFound(NotFound):
    """No such ticket system, or it is not one of the groups of these hosts."""

    code = "ticket_system_not_found"


@dataclass(frozen=True, slots=True)
class _About:
    """What a ticket is about: the text that it begins with, its page, its hosts by name, and the groups that they are in."""

    title: str
    lines: list[str]
    page: str
    hosts: list[NamedHost]
    paths: list[str]
    group_id: int


def preview_ticket(session: Session, *, actor: Actor, about: TicketAbout) -> TicketPreview:
    """The text that a ticket would begin with, and the ticket systems that it can be sent to. Raises `NotFound`, `NotAllowed`."""
    found = _read_about(session, actor, about)
    return TicketPreview(
        title=found.title,
        description="\n".join(cut(found.lines)),
        hosts=found.hosts,
        systems=[TicketSystem(id=row.id or 0, name=row.name, shown=row.shown) for row in _systems(session, found.paths)],
    )


def create_ticket(session: Session, *, actor: Actor, request: TicketCreate) -> TicketOut:
    """Sends a ticket; the background worker does, and stores its number. Raises `NotFound`, `NotAllowed`, `Conflict`."""
    found = _read_about(session, actor, request)
    system = next((row for row in _systems(session, found.paths) if row.id == request.system_id), None)
    if system is None:
        raise TicketSystemNotFound("Ticket system not found.")
    # Two people who press at once send one ticket: the second waits here, and then finds the first one's.
    session.exec(select(NoticeChannel.id).where(NoticeChannel.id == system.id).with_for_update())
    if _is_waiting(session, system, request, found):
        raise Conflict("A ticket about this is on its way to this system already.")
    lines = request.description.strip().splitlines()
    content = NoticeContent("ticket", request.title, lines, [host.id for host in found.hosts], found.page, is_whole=True)
    notice = write_notice(session, [system], group_id=found.group_id, content=content)
    ticket = Ticket(
        notice_id=notice.id or 0, changes=sorted(set(request.change_ids)), problem=request.problem,
        made_by=actor.audit_name, made_by_id=actor.person_id,
    )  # fmt: skip
    session.add(ticket)
    session.flush()
    audit.record(
        session,
        actor=actor.audit_name,
        action="ticket.created",
        about=audit.Object("notice_channel", str(system.id), found.group_id),
        after={"title": notice.title, "hosts": len(found.hosts), "changes": len(ticket.changes), "problem": ticket.problem},
    )
    return read_ticket(session, ticket.notice_id)


def _is_waiting(session: Session, system: NoticeChannel, about: TicketAbout, found: _About) -> bool:
    waiting = (
        select(Ticket.notice_id)
        .join(Notice, col(Notice.id) == Ticket.notice_id)
        .join(NoticeDelivery, col(NoticeDelivery.notice_id) == Ticket.notice_id)
        .where(NoticeDelivery.channel_id == system.id, NoticeDelivery.state == "waiting")
        .where(Ticket.problem == about.problem, Ticket.changes == sorted(set(about.change_ids)))
        .where(Notice.hosts == [host.id for host in found.hosts])
    )
    return session.exec(waiting.limit(1)).first() is not None


def _systems(session: Session, paths: Sequence[str]) -> list[NoticeChannel]:
    """The ticket systems of groups that all of the hosts are in or below, by name."""
    rows = session.exec(
        select(NoticeChannel, HostGroup.path)
        .join(HostGroup, col(HostGroup.id) == NoticeChannel.group_id)
        .where(NoticeChannel.way == "ticket", NoticeChannel.is_enabled, col(NoticeChannel.removed_at).is_(None))
        .order_by(NoticeChannel.name, col(NoticeChannel.id))
    )
    return [row for row, above in rows if all(path.startswith(above) for path in paths)]


def _read_about(session: Session, actor: Actor, about: TicketAbout) -> _About:
    if about.problem:
        return _of_problem(session, actor, about.problem)
    return _of_changes(session, actor, about.change_ids) if about.change_ids else _of_hosts(session, actor, about.host_ids)


def _of_hosts(session: Session, actor: Actor, host_ids: Sequence[str]) -> _About:
    ids = sorted(set(host_ids))
    rows = session.execute(text(_HOSTS), {"ids": ids}).all()
    _require(actor, [row.path for row in rows])
    if len(rows) < len(ids):
        raise NotFound("Host not found.")
    library = read_library(session)
    titles = {row.id: [library.by_no[no].rule.title for no in row.failing if no in library.by_no] for row in rows}
    rules = {title for each in titles.values() for title in each}
    title = f"{counted(len(rules), 'rule')} failing on {rows[0].name if len(rows) == 1 else counted(len(rows), 'host')}"
    lines = [f"{row.name}: {_named(titles[row.id])}" for row in rows]
    page = f"/hosts/{rows[0].id}" if len(rows) == 1 else "/hosts"
    return _About(
        title, lines, page, [NamedHost(id=row.id, name=row.name) for row in rows], [row.path for row in rows], _group_above(session, rows)
    )


def _named(titles: Sequence[str]) -> str:
    if not titles:
        return "no rule fails"
    more = len(titles) - _MOST_RULES
    return "; ".join([*titles[:_MOST_RULES], *([f"{more} more"] if more > 0 else [])])


def _of_changes(session: Session, actor: Actor, change_ids: Sequence[int]) -> _About:
    ids = sorted(set(change_ids))
    rows = session.execute(text(_CHANGES), {"ids": ids}).all()
    _require(actor, [row.path for row in rows])
    if len(rows) < len(ids):
        missing = set(ids) - {row.id for row in rows}
        raise ChangeNotFound(f"Change: {min(missing)} not found.")
    hosts = list({row.host_id: NamedHost(id=row.host_id, name=row.name) for row in rows}.values())
    page, lines = f"/drift?event={ids[0]}", changed_lines(session, rows)
    return _About(
        lines[0] if len(lines) == 1 else changed_title(rows), lines, page, hosts, [row.path for row in rows], _group_above(session, rows)
    )


def _group_above(session: Session, rows: Sequence[Row[Any]]) -> int:
    """The lowest group that all of the hosts are in or below: its people may see the ticket's text."""
    groups: dict[str, int] = {row.path: row.id for row in session.execute(text("SELECT id, path FROM host_group"))}
    paths = {row.path for row in rows}
    return groups[max((above for above in groups if all(path.startswith(above) for path in paths)), key=len)]


def _of_problem(session: Session, actor: Actor, key: str) -> _About:
    host_id = key.rpartition("-")[2]
    found = session.exec(select(Host, HostGroup).join(HostGroup, col(HostGroup.id) == Host.group_id).where(Host.id == host_id)).first()
    _require(actor, [found[1].path] if found is not None else [])
    assert found is not None  # nobody has a right on a host that is not there
    host, group = found
    problems = find_problems(session, Scope([host.group_id], host.id), read_library(session))
    problem = next((each for each in problems if each.key == key), None)
    if problem is None:
        raise NotFound("This problem is resolved.")
    lines = [f"Impact: {problem.takes_away}", *([f"Since {problem.since:%Y-%m-%d %H:%M} UTC"] if problem.since else [])]
    title = f"{host.name}: {KIND_WORDS[problem.kind]}: {problem.words}"
    return _About(title, lines, f"/on-call?problem={key}", [NamedHost(id=host.id, name=host.name)], [group.path], group.id or 0)


def _require(actor: Actor, paths: Sequence[str]) -> None:
    for path in sorted(set(paths)) or [""]:
        require(actor, RIGHT, path, missing="Not found: the change or problem is over, or its host is in a group you can't access.")
