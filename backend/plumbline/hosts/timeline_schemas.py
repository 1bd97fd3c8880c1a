"""API schemas of a host's timeline."""

from datetime import datetime
from typing import Literal, Self

from pydantic import BaseModel, Field

from plumbline.hosts.schemas import Change
from plumbline.infra.schemas import Moment, Schema

LONGEST_HOURS = 24 * 731


class TimelineSpan(BaseModel):
    """Which time. `from` and `to` stand above `hours`; without any, since the host's enrolment. `unread`: also settings that only could or
    could not be read.
    """

    hours: int | None = Field(default=None, ge=1, le=LONGEST_HOURS)
    from_: Moment | None = Field(default=None, alias="from")
    to: Moment | None = None
    unread: bool = False


class TimelineFinding(Schema):
    """A rule that began to fail on a host (what is wrong, in words), or that no longer fails (its title)."""

    at: datetime
    pack: str
    rule: str
    words: str
    begins: bool


class TimelineAlarm(Schema):
    """A time in which a guardrail or the rule of two healthy paths failed ("rule"; only these have `pack` and `rule`), paths of
    volumes were down ("paths"), or the host was not reporting ("check_ins"). `words`: what held then.

    `began` None: at some time before what was asked for. `ended` None: it has not ended.
    """

    kind: Literal["rule", "paths", "check_ins"]
    pack: str
    rule: str
    title: str
    words: str
    began: datetime | None
    ended: datetime | None

    @classmethod
    def of(cls, kind: Literal["paths", "check_ins"], title: str, words: str, began: datetime | None, ended: datetime | None) -> Self:
        """An alarm that no rule stands for."""
        return cls(kind=kind, pack="", rule="", title=title, words=words, began=began, ended=ended)


class HostTimeline(Schema):
    """What happened on one host from `from` to `to`, the newest first, and its alarms by kind and rule, the oldest first.

    `is_cut`: there are more changes or findings than are listed.
    """

    from_: datetime = Field(alias="from")
    to: datetime
    changes: list[Change]
    findings: list[TimelineFinding]
    alarms: list[TimelineAlarm]
    is_cut: bool
