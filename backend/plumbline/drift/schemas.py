"""API schemas of the drift page."""

from datetime import datetime

from plumbline.infra.schemas import Drift, NamedHost, Schema, SubjectOut


class ClockCount(Schema):
    """Counts of hosts that drift from one reference, and of hosts for which this is unknown."""

    clock: str
    drift: int
    unknown: int


class ChangeGroup(Schema):
    """The same change on one or more hosts. `subjects`: how many adapters, volumes and so on; `subject` names it where it is one.

    `is_expected`: a job of ours did it. `hosts` names the first of them.
    """

    id: str
    key: str
    label: str
    old: str
    new: str
    cause: str
    cause_detail: str
    is_expected: bool
    hosts: list[NamedHost]
    host_count: int
    subjects: int
    subject: SubjectOut | None
    group_name: str
    first_at: datetime
    last_at: datetime


class DriftCause(Schema):
    """One cause with the groups of changes that have it."""

    cause: str
    count: int


class DriftPage(Schema):
    """Changes, newest first, identical ones grouped; and the four references.

    `is_cut`: there are more changes than are read; the oldest are left out.
    """

    as_of: datetime
    group_name: str
    hosts: int
    clocks: list[ClockCount]
    causes: list[DriftCause]
    groups: list[ChangeGroup]
    more: int
    is_cut: bool


class DriftMarks(Schema):
    """The four references: against the standard, the accepted baseline, the peers, and running against persisted."""

    standard: Drift
    baseline: Drift
    peers: Drift
    persisted: Drift
