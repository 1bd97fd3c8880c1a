"""A check-in on its way through the door: what was claimed, what was read, what was decided, and the answer it waits for."""

import asyncio
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import msgspec

from plumbline.checkin.envelope import CheckInBody, RunnerMark
from plumbline.checkin.headers import Claim
from plumbline.checkin.state import HostState, SectionState, Shown, Warm
from plumbline.evaluation.evaluate import Judgement
from plumbline.evaluation.findings import Identity, StoredFinding
from plumbline.evaluation.peers import Gathered
from plumbline.evaluation.waivers_in_force import ActiveWaiver


@dataclass(slots=True)
class NewBody:
    """A section body to be stored. `owner` is the host's id, or empty for a section known by content alone."""

    section: str
    owner: str
    sha256: bytes
    content: bytes


@dataclass(slots=True)
class SettingChangeRow:
    """One row of the log of setting changes; `old` and `new` are JSON."""

    subject_kind: str
    subject_id: str
    key: str
    old: str | None
    new: str | None
    cause: str
    cause_detail: str
    alike: str


@dataclass(slots=True)
class NewConfiguration:
    """A configuration to be stored, and what lists show of it."""

    document: bytes
    changes: list[SettingChangeRow]
    shown: Shown


@dataclass(slots=True)
class Decision:
    """What a check-in means for its host, made from `basis`. Without sections it is a heartbeat: only `last_seen` moves."""

    basis: tuple[Any, ...]
    # Sections whose row changes, with the body's digest; `body_id` is filled in once the body is stored.
    sections: dict[str, SectionState] = field(default_factory=dict)
    bodies: list[NewBody] = field(default_factory=list)
    # Other names of stored bodies: section, digest, body.
    names: list[tuple[str, bytes, int]] = field(default_factory=list)
    configuration: NewConfiguration | None = None
    judgement: Judgement | None = None
    # The installation's judging epoch that the judgement was made under.
    judging_epoch: int = 0
    # The stored findings that the judgement was compared with.
    old_findings: dict[Identity, StoredFinding] = field(default_factory=dict)
    # The waivers that meet the host, and those of them that the new configuration ends.
    waivers: list[ActiveWaiver] = field(default_factory=list)
    tripped: dict[int, str] = field(default_factory=dict)
    # Sections as memory is to hold them though no row of theirs changes.
    remembered: dict[str, SectionState] = field(default_factory=dict)
    # The new configuration as memory is to hold it.
    warm: Warm | None = None
    # What the host was compared with, and what it tells its neighbours now.
    gathered: Gathered = field(default_factory=Gathered)

    @property
    def is_heartbeat(self) -> bool:
        """Nothing but the time of the last check-in moves."""
        return not self.sections and not self.names


@dataclass(slots=True)
class Answer:
    """What the agent is answered: `body` is JSON, or what becomes it."""

    status: int
    body: dict[str, Any] | bytes
    retry_after_seconds: int | None = None

    def content(self) -> bytes:
        """The JSON."""
        return self.body if isinstance(self.body, bytes) else msgspec.json.encode(self.body)


@dataclass(slots=True)
class Arrival:
    """One check-in with a good signature."""

    claim: Claim
    key_id: str
    body: CheckInBody
    wire_bytes: int
    answer: "asyncio.Future[Answer]"
    arrived_at: float = field(default_factory=time.monotonic)
    state: HostState | None = None
    # What a heartbeat was decided from; such a one needs no decision of its own until it turns out that it takes the long way.
    quiet: tuple[Any, ...] | None = None
    decision: Decision | None = None

    def runner_mark(self, mark: object) -> str:
        """`op_id/gen` of a runner's mark, empty without one."""
        return f"{mark.op_id}/{mark.gen}" if isinstance(mark, RunnerMark) else ""

    @property
    def sent_at(self) -> datetime | None:
        """When the host says that it sent; None where that cannot be read."""
        try:
            sent = datetime.fromisoformat(self.claim.sent_at)
        except ValueError:
            return None
        return sent if sent.tzinfo is not None else sent.replace(tzinfo=UTC)

    def skew_seconds(self, now: datetime) -> float | None:
        """How far the host's clock is ahead of the database's, at the moment the check-in came in; None where it cannot be read."""
        sent = self.sent_at
        if sent is None:
            return None
        waited = time.monotonic() - self.arrived_at
        return (sent - now).total_seconds() + waited
