"""API schemas of watches."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from plumbline.infra.schemas import Input, NamedHost, Schema

LONGEST_MINUTES = 15


class WatchCreate(Input):
    """How long a host is watched."""

    minutes: Annotated[int, Field(ge=1, le=LONGEST_MINUTES)] = 5


class WatchOut(Schema):
    """A watch. `until`: when it ends by itself, once started; `end_words`: why it ended early; `job_id`: the job that started it."""

    id: int
    job_id: int | None
    host: NamedHost
    state: Literal["waiting", "running", "ended"]
    requested_by: str
    requested_at: datetime
    seconds: int
    started_at: datetime | None
    until: datetime | None
    ended_at: datetime | None
    end_words: str
    readings: int
    last_at: datetime | None


class HostWatches(Schema):
    """The newest watches of a host, and whether this person may start one; `why_not` says what is missing on the host's side."""

    may_watch: bool
    why_not: str
    watches: list[WatchOut]
