"""API schemas of evaluating without changing anything: previews of an activation, and hosts and fleet at another date."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field, field_validator

from plumbline.core.rules.finding_status import FindingStatus
from plumbline.core.rules.rule import Outcome
from plumbline.infra.schemas import GroupName, Input, NamedHost, RowId, Schema, SubjectOut
from plumbline.packs.schemas import PackName


class PreviewCreate(Input):
    """What an activation would change: as `Activation`, or with a draft that is not published."""

    group_id: RowId
    pack: PackName
    what: Literal["version", "draft", "off", "inherit"]
    version_id: RowId | None = None
    draft_id: RowId | None = None
    in_grace: bool = False


class PastCreate(Input):
    """The fleet at an instant, evaluated by what was in force then, or by other versions."""

    group_id: RowId
    as_of: datetime
    version_ids: Annotated[list[RowId], Field(max_length=20)] = []  # noqa: RUF012

    @field_validator("as_of")
    @classmethod
    def _has_zone(cls, at: datetime) -> datetime:
        if at.tzinfo is None:
            raise ValueError("give the time zone, as in 2026-09-03T12:00:00Z")
        return at


class ChosenVersion(Schema):
    """A pack that a run evaluates otherwise than what is, or was, in force. `version` empty: switched off."""

    pack: str
    version: str
    is_draft: bool
    in_grace: bool


class ScoreFigures(Schema):
    """Scores over the hosts of a run. `bands` are hosts by ten points, the last includes 100."""

    hosts: int
    mean: float | None
    median: float | None
    bands: list[int]
    capped: int


class RunRule(Schema):
    """The findings and hosts of one rule, by the status that they would get (preview) or had (past state)."""

    pack: str
    rule: str
    title: str
    newly_failing: int
    newly_failing_hosts: int
    no_longer_failing: int
    no_longer_failing_hosts: int
    words: dict[str, int]
    hosts: dict[str, int]


class RunGroup(Schema):
    """What a preview changes for the hosts directly in one group."""

    id: int
    name: str
    path: str
    hosts: int
    hosts_changed: int
    newly_failing: int
    no_longer_failing: int
    score_before: float | None
    score_after: float | None


class RunFigures(Schema):
    """The figures of a finished run. A past state has only `after`, `words` and `rules`."""

    hosts_judged: int
    hosts_absent: int
    hosts_changed: int
    newly_failing: int
    newly_failing_hosts: int
    no_longer_failing: int
    no_longer_failing_hosts: int
    newly_capped: int
    no_longer_capped: int
    newly_undecided: int
    in_grace: int
    before: ScoreFigures
    after: ScoreFigures
    words: dict[str, int]
    rule_coverage: float | None
    rules: list[RunRule]
    groups: list[RunGroup]


class MovedGroup(Schema):
    """A group that was moved after the instant of a past state, and when last."""

    id: int
    name: str
    at: datetime


class PreviewRunOut(Schema):
    """A run. `is_outdated`: other rules came into force since, so its figures are old; `moved_groups`: for a past state, the groups that
    had another parent group then.
    """

    id: int
    kind: Literal["preview", "past"]
    group: GroupName
    as_of: datetime
    chosen: list[ChosenVersion]
    state: Literal["queued", "running", "ready", "failed"]
    error: str
    hosts_total: int
    hosts_done: int
    requested_by: str
    requested_at: datetime
    finished_at: datetime | None
    is_outdated: bool
    moved_groups: list[MovedGroup]
    figures: RunFigures | None


class RunChange(Schema):
    """A finding whose status would change; an empty status: there is no such finding."""

    pack: str
    rule: str
    title: str
    subject: SubjectOut
    before: str
    after: str


class RunHost(Schema):
    """The result of a run for one host; `absent` is why it could not be evaluated."""

    host: NamedHost
    group: str
    score_before: int | None
    score_after: int | None
    capped_before: str
    capped_after: str
    newly_failing: int
    no_longer_failing: int
    absent: str
    counts: dict[str, int]
    changes: list[RunChange]


class RunHostPage(Schema):
    """Hosts of a run, those that lose most first."""

    items: list[RunHost]
    next: str | None
    total: int


class PastVersion(Schema):
    """A pack version that evaluated a host in a past state; `is_chosen` if the reader chose it."""

    pack: str
    version: str
    version_id: int
    is_chosen: bool
    in_grace: bool


class PastFinding(Schema):
    """A finding of a rule as of then; `now` is the status of the same finding today, empty if there is none."""

    pack: str
    rule: str
    title: str
    # What was wrong and where; the title where nothing was.
    headline: str
    kind: str
    subject: SubjectOut
    outcome: Outcome
    standing: FindingStatus
    excluded_by: str
    reason: str
    observed: str
    expected: str
    section: str
    command: str
    now: str


class PastBundle(Schema):
    """The support bundle that a configuration is from. `collected_at` is null where it tells no time."""

    bundle: str
    collected_at: datetime | None
    added_at: datetime


class HostPast(Schema):
    """A host as of an instant. `absent` is why there is nothing to show. `from_bundle`: of a host that was known from a bundle then."""

    host: NamedHost
    group: str
    as_of: datetime
    absent: str
    configuration_at: datetime | None
    from_bundle: PastBundle | None
    versions: list[PastVersion]
    score: int | None
    score_now: int | None
    capped_by: str
    rule_coverage: float | None
    counts: dict[str, int]
    waivers: int
    items: list[PastFinding]
    moved_groups: list[MovedGroup]
