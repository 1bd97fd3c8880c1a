"""API schemas of the drift page."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import Field

from plumbline.drift.ticket_reads import TicketOut
from plumbline.infra.schemas import Drift, Input, NamedHost, Schema, SubjectOut, Words


class ClockCount(Schema):
    """Counts of hosts that drift from one reference, and of hosts for which this is unknown."""

    clock: str
    drift: int
    unknown: int


class ChangeEffect(Schema):
    """The same change of one setting, on one or more hosts and items."""

    key: str
    label: str
    old: str
    new: str
    host_count: int
    subjects: int


class ChangeMarkOut(Schema):
    """Who marked changes as expected, and why."""

    id: int
    reason: str
    ticket: str
    by: str
    at: datetime


class JobOfChange(Schema):
    """A job of ours that made the change, and whether it can be undone now."""

    job_id: int
    plan_id: int
    host: NamedHost
    requested_by: str
    undo_until: datetime | None


class ChangeGroup(Schema):
    """One event: everything that one happening changed on one or more hosts.

    `id` is the number of its oldest change. The setting that says most of it is the headline (`key`, `label`, `old`, `new`); `effects` are
    the first of the other changes, `effect_count` all of them. `subjects`: how many adapters, volumes and so on the headline is about;
    `subject` names it where it is one. `is_expected`: a job of ours did it, or a person marked it (`mark`).
    `hosts` and `jobs` name the first.
    """

    id: str
    key: str
    label: str
    old: str
    new: str
    cause: str
    cause_detail: str
    is_expected: bool
    mark: ChangeMarkOut | None
    # Those that people sent about it, newest first.
    tickets: list[TicketOut]
    jobs: list[JobOfChange]
    job_count: int
    hosts: list[NamedHost]
    host_count: int
    subjects: int
    subject: SubjectOut | None
    effects: list[ChangeEffect]
    effect_count: int
    change_count: int
    group_name: str
    first_at: datetime
    last_at: datetime


class DriftCause(Schema):
    """One cause with the events that have it."""

    cause: str
    count: int


class Changes(Schema):
    """Events, newest first, at most so many and how many more there are; and how many have each cause.

    `is_cut`: there are more changes than are read; the oldest are left out. `changes_as_of`: in a group with many hosts they are put
    together ahead of time (`drift.prepared_parts`), up to some minutes before the rest of the page.
    """

    changes_as_of: datetime
    causes: list[DriftCause]
    groups: list[ChangeGroup]
    more: int
    is_cut: bool


class DriftPage(Changes):
    """Events, newest first; and the four references.

    `only_hosts`: those that the request named and the person may see; the events are then those that changed something on one of them, each
    with all its hosts.
    """

    as_of: datetime
    group_name: str
    only_hosts: list[NamedHost]
    hosts: int
    clocks: list[ClockCount]


class EventChange(Schema):
    """One change of an event, with what the host has now.

    `restore_to` is the former value as a plan sets it; None where it cannot be restored, and `why_not_restore` says why.
    """

    change_id: int
    host: NamedHost
    subject: SubjectOut
    key: str
    label: str
    old: str
    new: str
    now: str
    at: datetime
    cause_detail: str
    job_id: int | None
    restore_to: Any
    why_not_restore: str


class RuleOfEvent(Schema):
    """A rule by its pack and its name there."""

    pack: str
    rule: str


class FailingRuleOfEvent(Schema):
    """A rule that reads what changed and fails now on hosts of the event; linked rules are named once.

    `fix_rules` are those of the linked ones that a plan can fix; none: it is fixed manually.
    """

    pack: str
    rule: str
    title: str
    fix_rules: list[RuleOfEvent]
    host_ids: list[str]


class EventDetail(Schema):
    """One event with its changes, what fails on its hosts since, and what this person may do about it.

    `changes_not_shown`: more changes belong to it than are listed.
    """

    event: ChangeGroup
    changes: list[EventChange]
    changes_not_shown: int
    rules: list[FailingRuleOfEvent]
    may_plan: bool
    may_propose: bool
    may_waive: bool
    may_mark: bool
    may_send_ticket: bool


class ChangeMarkCreate(Input):
    """Marks changes as expected, with the reason."""

    change_ids: Annotated[list[Annotated[int, Field(ge=1, lt=2**63)]], Field(min_length=1, max_length=5000)]
    reason: Annotated[Words, Field(min_length=3)]
    ticket: Annotated[Words, Field(max_length=200)] = ""


class ChangeMarkMade(Schema):
    """The mark, and how many changes it covers."""

    id: int
    changes: int


class DriftMarks(Schema):
    """The four references: against the standard, the accepted baseline, the peers, and running against persisted."""

    standard: Drift
    baseline: Drift
    peers: Drift
    persisted: Drift
