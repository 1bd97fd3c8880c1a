"""API schemas of open problems."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from plumbline.drift.ticket_reads import TicketOut
from plumbline.infra.schemas import Input, Moment, NamedHost, Schema, Words
from plumbline.oncall.problems import Kind
from plumbline.remediation.jobs.schemas import JobRow
from plumbline.remediation.plans.schemas import FindingChoice


class StandingUse(Schema):
    """The standing approval under which a fix may run at once."""

    id: int
    name: str
    signer: str
    expires_at: datetime


class ProblemFix(Schema):
    """A fix that a plan can carry out on this host. `standing` is None where an approver has to sign it first."""

    pack: str
    rule: str
    title: str
    impact: str
    impact_words: str
    findings: list[FindingChoice]
    standing: StandingUse | None


class ProblemChange(Schema):
    """A setting that the failing rules read and that changed lately; `id` names its event on the drift page."""

    id: int
    at: datetime
    subject: str
    label: str
    old: str
    new: str
    cause: str
    cause_detail: str


class ProblemCause(Schema):
    """A failing rule that could explain a symptom; `subject_id` is its first item."""

    pack: str
    rule: str
    subject_id: str
    headline: str


class ProblemNoteOut(Schema):
    """An acknowledgement or snooze of a problem. It ends at its time, or when the problem gets a new part."""

    kind: Literal["acknowledged", "snoozed"]
    by: str
    is_mine: bool
    reason: str
    made_at: datetime
    until: datetime


class ProblemOut(Schema):
    """One open problem of one host."""

    key: str
    kind: Kind
    kind_label: str
    host: NamedHost
    group_name: str
    score: int | None
    paths_healthy: int | None
    paths_total: int | None
    since: datetime | None
    words: str
    takes_away: str
    alike: int
    job_id: int | None
    changes: list[ProblemChange]
    # What its chart shows, as the charts request it: the counters of the symptom, else the retransmits.
    series: list[str]
    # Of a symptom, the failing rules that could explain it, the likeliest first.
    causes: list[ProblemCause]
    fixes: list[ProblemFix]
    # Why nothing can be changed on this host from here; empty where it can be.
    no_fix_because: str
    note: ProblemNoteOut | None
    # Sent about it in the last week, newest first.
    tickets: list[TicketOut]
    may: list[str]


class OnCall(Schema):
    """The open problems of a scope, the most urgent first, and the snoozed ones. `total` counts all, also those not listed.

    `undoable` are the latest changes that can still be undone, whoever made them.
    """

    as_of: datetime
    hours: int
    problems: list[ProblemOut]
    snoozed: list[ProblemOut]
    total: int
    undoable: list[JobRow]
    # Approvers for what no standing approval covers who used Plumbline within the last 15 minutes.
    approvers_about: list[str]


class DetectorFigure(Schema):
    """How often the detector opened one symptom. `unexplained`: where no failing rule and no change is on record that could explain it.

    `after_one_hour` and `after_three_hours`: how often it would have opened after so many hours in a row above the limit, instead of two.
    """

    name: str
    label: str
    unit: str
    limit: float
    alarms: int
    open_now: int
    unexplained: int
    unexplained_a_week: float
    after_one_hour: int
    after_three_hours: int


class UnexplainedAlarm(Schema):
    """A symptom that was open and that nothing on record explains."""

    host: NamedHost
    label: str
    began: datetime
    ended: datetime | None


class DetectorTest(Schema):
    """The detector of symptoms run over the hours since `since` of `hosts` hosts that sent counters.

    `most_hosts`: only so many of the hosts above a limit were looked at; None: all were. The newest unexplained alarms are listed.
    """

    since: datetime
    hosts: int
    most_hosts: int | None
    figures: list[DetectorFigure]
    unexplained: list[UnexplainedAlarm]


class Acknowledge(Input):
    """Until when a problem is acknowledged; by default for four hours, at most for a day."""

    until: Moment | None = None


class Snooze(Input):
    """Until when a problem is snoozed, at most for a week, and why."""

    until: Moment
    reason: Annotated[Words, Field(min_length=3)]
