"""Reading the tickets that people sent about changes, problems or hosts."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import Row, text
from sqlmodel import Session

from plumbline.infra.schemas import Schema

# Of each ticket the newest delivery: an admin may have sent it again.
_TICKETS = """
SELECT t.notice_id, t.changes, t.problem, t.made_by, n.at, c.name AS system, d.id, d.state, d.words, d.tries, d.ticket_number,
  d.ticket_url
FROM ticket t JOIN notice n ON n.id = t.notice_id
JOIN LATERAL (
  SELECT * FROM notice_delivery e WHERE e.notice_id = t.notice_id ORDER BY (e.ticket_number <> '') DESC, e.due_at DESC LIMIT 1) d ON true
JOIN notice_channel c ON c.id = d.channel_id
"""
_OF_CHANGES = f"{_TICKETS} WHERE t.changes && CAST(:changes AS bigint[]) ORDER BY t.notice_id DESC LIMIT 500"
# An open problem may have been open before, with a ticket that is closed by now.
_OF_PROBLEMS = f"{_TICKETS} WHERE t.problem = ANY(:problems) AND n.at > now() - interval '7 days' ORDER BY t.notice_id DESC LIMIT 500"
_OF_HOST = f"""{_TICKETS} WHERE n.kind = 'ticket' AND n.hosts @> ARRAY[CAST(:host AS text)] AND n.at > now() - interval '90 days'
ORDER BY t.notice_id DESC LIMIT 20"""
_ONE = f"{_TICKETS} WHERE t.notice_id = :notice"


class TicketOut(Schema):
    """A ticket as far as it is known: `number` and `url` once the ticket system answered with them; `words` is what it answered.

    Without its text, which may name hosts of groups that the reader may not see.
    """

    id: int
    system: str
    state: Literal["waiting", "sent", "given_up"]
    words: str
    number: str
    url: str
    by: str
    at: datetime


def tickets_of_changes(session: Session, change_ids: Sequence[int]) -> list[tuple[frozenset[int], TicketOut]]:
    """The tickets about any of these changes, newest first, each with all changes that it is about. One query."""
    rows = session.execute(text(_OF_CHANGES), {"changes": f"{{{','.join(map(str, change_ids))}}}"})
    return [(frozenset(row.changes), _out(row)) for row in rows]


def tickets_of_problems(session: Session, keys: Sequence[str]) -> dict[str, list[TicketOut]]:
    """The tickets of the last week about each of these problems, newest first. One query."""
    found: dict[str, list[TicketOut]] = {}
    for row in session.execute(text(_OF_PROBLEMS), {"problems": list(keys)}):
        found.setdefault(row.problem, []).append(_out(row))
    return found


def tickets_of_host(session: Session, host_id: str) -> list[TicketOut]:
    """The tickets of the last 90 days that are about this host, newest first, whatever they are about. One query."""
    return [_out(row) for row in session.execute(text(_OF_HOST), {"host": host_id})]


def read_ticket(session: Session, notice_id: int) -> TicketOut:
    """One ticket, which must exist."""
    return _out(session.execute(text(_ONE), {"notice": notice_id}).one())


def _out(row: Row[Any]) -> TicketOut:
    return TicketOut(
        id=row.notice_id, system=row.system, state=row.state, words=row.words, number=row.ticket_number,
        url=row.ticket_url, by=row.made_by.partition(" ")[2] or row.made_by, at=row.at,
    )  # fmt: skip
