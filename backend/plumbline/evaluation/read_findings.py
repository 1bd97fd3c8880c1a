"""The stored findings of hosts, for pages and reports that go through all of them."""

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Text, any_, bindparam, select
from sqlalchemy.dialects.postgresql import ARRAY
from sqlmodel import Session

from plumbline.models.findings import FINDING


class ReadFinding(NamedTuple):
    """A stored finding, by the names of its columns. A host has about a hundred: SQLAlchemy would take longer to make objects of the table
    than PostgreSQL to find them.
    """

    host_id: str
    rule_no: int
    subject_kind: str
    subject_id: str
    outcome: str
    kind: str
    reason: str
    observed: str
    expected: str
    # section, command, field, raw of the decisive reading
    source: dict[str, str] | None
    pack_version_id: int
    since: datetime
    failing_since: datetime | None
    waiver_id: int | None
    excluded_by: str
    linked_rule_no: int


_READ = select(*(getattr(FINDING, name) for name in ReadFinding._fields)).where(
    FINDING.host_id == any_(bindparam("hosts", type_=ARRAY(Text)))
)


def read_findings(session: Session, host_ids: Iterable[str]) -> dict[str, list[ReadFinding]]:
    """The findings of each of these hosts. One query; hosts without any are left out."""
    found: dict[str, list[ReadFinding]] = {}
    for row in session.execute(_READ, {"hosts": list(host_ids)}).all():
        found.setdefault(row[0], []).append(ReadFinding._make(row))
    return found


def findings_of(session: Session, host_id: str) -> list[ReadFinding]:
    """The findings of one host. One query."""
    return read_findings(session, [host_id]).get(host_id, [])
