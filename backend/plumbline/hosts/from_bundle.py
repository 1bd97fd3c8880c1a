"""The support bundle that a host without an agent is known from: when it was collected, and the file in it that tells a value."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from sqlmodel import Session

from plumbline.hosts.schemas import KnownFromBundle
from plumbline.models.hosts import CheckInSource, Host, HostBundle


@dataclass(frozen=True, slots=True)
class Origin:
    """What a host's values were read from. Of one that checks in, nothing here: each value names its own check-in."""

    row: HostBundle | None = None
    as_of: datetime | None = None
    members: Mapping[tuple[str, str], str] = field(default_factory=dict)

    def member_of(self, section: str, command: str) -> str:
        """The file of the bundle that answered this command; empty where none did."""
        return self.members.get((section, command), "")

    def read_at(self, otherwise: datetime | None) -> datetime | None:
        """When a value was read: as its bundle was collected, or `otherwise`."""
        return self.as_of if self.row is not None else otherwise

    def out(self) -> KnownFromBundle | None:
        """The bundle as pages name it."""
        row = self.row
        if row is None or self.as_of is None:
            return None
        return KnownFromBundle(
            bundle=row.bundle, kind_label=row.kind_label, as_of=self.as_of, tells_time=row.captured_at is not None, added_at=row.added_at,
        )  # fmt: skip


def read_origin(session: Session, host: Host) -> Origin:
    """The origin of a host's values. One query for a host of a bundle, none for any other."""
    row = session.get(HostBundle, host.id) if host.source == CheckInSource.BUNDLE else None
    if row is None:
        return Origin()
    return Origin(row, host.last_seen_at, {(section, command): member for section, command, member in row.members})
