"""A check-in that waits for its response: what its headers and its body say, and the response to come."""

import asyncio
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import msgspec

from plumbline.checkin.envelope import CheckInBody, RunnerMark
from plumbline.checkin.headers import CheckInHeaders
from plumbline.checkin.sections import digest_of


@dataclass(slots=True)
class Response:
    """The response to an agent: `body` is JSON, or a value to be encoded as JSON."""

    status: int
    body: dict[str, Any] | bytes
    retry_after_seconds: int | None = None

    def content(self) -> bytes:
        """The JSON."""
        return self.body if isinstance(self.body, bytes) else msgspec.json.encode(self.body)


@dataclass(slots=True)
class PendingCheckIn:
    """One check-in with a good signature. `key_id`: the agent key under which it is good. `response`: None where nobody waits for it."""

    headers: CheckInHeaders
    key_id: str
    body: CheckInBody
    response: "asyncio.Future[Response] | None" = None
    arrived_at: float = field(default_factory=time.monotonic)
    sections_digest: bytes = b""

    def __post_init__(self) -> None:
        envelope = self.body.envelope
        self.sections_digest = digest_of(envelope.agent.platform, envelope.sections)

    @property
    def may_be_heartbeat(self) -> bool:
        """It has no body, and nothing that the log of check-ins keeps. The host's row then decides whether anything changed."""
        envelope = self.body.envelope
        return not (self.body.bodies or envelope.rejected or envelope.thinned or envelope.runner_before or envelope.runner_after)

    @property
    def runner_hash(self) -> str:
        """The hash of the runner on the host; empty where there is none."""
        runner = self.body.envelope.agent.runner
        return runner if isinstance(runner, str) else ""

    def runner_mark(self, mark: object) -> str:
        """`op_id/gen` of a runner's mark, empty without one."""
        return f"{mark.op_id}/{mark.gen}" if isinstance(mark, RunnerMark) else ""

    def host_clock(self) -> float | None:
        """The host's clock now, in seconds since 1970: the time of sending that the headers name, plus the time since then. None where
        the header cannot be read."""
        try:
            sent = datetime.fromisoformat(self.headers.sent_at)
        except ValueError:
            return None
        sent = sent if sent.tzinfo is not None else sent.replace(tzinfo=UTC)
        return sent.timestamp() + time.monotonic() - self.arrived_at
