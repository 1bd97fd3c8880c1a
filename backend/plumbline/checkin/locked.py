"""A host's row as locked by the long way, and a check-in that is being stored under the lock."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from plumbline.checkin.pending import Arrival, Decision
from plumbline.checkin.state import HostState


class LockedRow(NamedTuple):
    """A host's row as locked; `now` is the database's clock, read under the lock."""

    id: str
    epoch: int
    last_seq: int
    state_version: int
    judging_epoch: int
    generation: int
    next_generation: int | None
    state: str
    interval_seconds: int
    last_seen_at: datetime | None
    now: datetime

    @property
    def basis(self) -> tuple[Any, ...]:
        """As `HostState.basis`."""
        return (self.epoch, self.last_seq, self.state_version, self.judging_epoch, self.generation, self.next_generation, self.state)

    @property
    def now_seconds(self) -> int:
        """`now` in seconds since 1970."""
        return int(self.now.timestamp())

    @property
    def seen_seconds(self) -> int | None:
        """The time of the check-in before, in seconds since 1970."""
        return None if self.last_seen_at is None else int(self.last_seen_at.timestamp())


@dataclass(slots=True)
class Accepted:
    """A check-in that is being stored, with the host as it will stand."""

    arrival: Arrival
    row: LockedRow
    before: HostState
    after: HostState
    decision: Decision
    alarm: str
    gap: int
