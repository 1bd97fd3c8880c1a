"""API shapes of packs, drafts, activations, runs that judge without changing anything, and decisions on conflicts."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field, field_validator

from plumbline.packs.uploads import LARGEST_FILE, MOST_FILES
from plumbline.rulesets.schemas import EvidenceShape, FieldChange
from plumbline.shapes import Input, NamedHost, Outcome, RowId, Shape, Standing, SubjectShape, Words

Reason = Annotated[Words, Field(min_length=3)]
PackName = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]*$", max_length=80)]
RuleAddress = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]*/[a-z0-9][a-z0-9_.-]*$", max_length=260)]


class GroupName(Shape):
    """A group as a link."""

    id: int
    name: str
    path: str


class PackVersionRow(Shape):
    """A published version. `groups` are those on which it is activated; what they pass down is in `PackGroup`."""

    id: int
    version: str
    content_hash: str
    published_at: datetime
    published_by: str
    note: str
    rules: int
    groups: list[GroupName]


class PackSummary(Shape):
    """A pack with the version that judges on the topmost group the reader sees; `hosts` are judged by any version of it."""

    pack: str
    title: str
    summary: str
    is_builtin: bool
    newest: PackVersionRow
    versions: int
    in_force: list[PackVersionRow]
    hosts: int
    grace_until: datetime | None


class PackList(Shape):
    """All packs, and the drafts that nobody published yet."""

    items: list[PackSummary]


class PackGroup(Shape):
    """What judges one group: its own activation, or what it inherits (`from_group`)."""

    id: int
    parent_id: int | None
    name: str
    path: str
    hosts: int
    version_id: int | None
    version: str | None
    # own, inherited, off (switched off here), off_inherited, none (activated nowhere above)
    how: Literal["own", "inherited", "off", "off_inherited", "none"]
    from_group: str
    activated_at: datetime | None
    activated_by: str
    grace_until: datetime | None
    reason: str


class PackEvent(Shape):
    """One line of a pack's history."""

    at: datetime
    group: str
    words: str
    by: str
    reason: str


class NoRule(Shape):
    """A row of a paper that became no rule, and why."""

    id: str
    because: str


class PackDetail(Shape):
    """A pack whole."""

    pack: str
    title: str
    summary: str
    is_builtin: bool
    papers: list[str]
    no_rules: list[NoRule]
    versions: list[PackVersionRow]
    groups: list[PackGroup]
    history: list[PackEvent]


class MistakeShape(Shape):
    """One thing that is wrong with an uploaded pack."""

    file: str
    line: int
    message: str


class DraftShape(Shape):
    """An uploaded pack that is in order. `obstacle` says why it cannot be published; empty: it can."""

    id: int
    pack: str
    version: str
    content_hash: str
    title: str
    source: str
    rules: int
    cases: int
    made_at: datetime
    published_version_id: int | None
    previous_version_id: int | None
    obstacle: str


class UploadResult(Shape):
    """Either a draft, or what is wrong with what was uploaded (the first 200 of `mistake_count`)."""

    draft: DraftShape | None
    mistakes: list[MistakeShape]
    mistake_count: int


class UploadFile(Input):
    """A YAML file by its path in the pack."""

    path: Annotated[str, Field(min_length=1, max_length=400)]
    text: Annotated[str, Field(max_length=LARGEST_FILE)]


class UploadFiles(Input):
    """The files of one pack."""

    files: Annotated[list[UploadFile], Field(min_length=1, max_length=MOST_FILES)]

    @field_validator("files")
    @classmethod
    def _once(cls, files: list[UploadFile]) -> list[UploadFile]:
        if len({each.path for each in files}) != len(files):
            raise ValueError("two files have the same path")
        return files


class PublishDraft(Input):
    """Publishing; `note` says what is new, for whoever reads the history."""

    note: Words = ""


class RuleDifference(Shape):
    """How one rule differs between two versions. `change` names the gravest of its changes."""

    rule: str
    title: str
    change: Literal["added", "removed", "retired", "expectation", "scope", "weight", "words"]
    words: str
    weight_before: float | None
    weight_after: float | None
    fields: list[FieldChange]


class PackDifference(Shape):
    """Two versions of a pack side by side. `needs` is the least version number that the changes call for."""

    pack: str
    old_version: str
    new_version: str
    needs: str
    is_enough: bool
    rules: list[RuleDifference]
    papers_changed: bool


class Activation(Input):
    """What judges a group from now on: a version, none (`off`), or what the group above has (`inherit`)."""

    group_id: RowId
    what: Literal["version", "off", "inherit"]
    version_id: RowId | None = None
    grace_until: datetime | None = None
    reason: Reason

    @field_validator("grace_until")
    @classmethod
    def _has_zone(cls, at: datetime | None) -> datetime | None:
        if at is not None and at.tzinfo is None:
            raise ValueError("give the time zone, as in 2026-12-01T00:00:00Z")
        return at


class PreviewAsk(Input):
    """What an activation would change: as `Activation`, or with a draft that is not published."""

    group_id: RowId
    pack: PackName
    what: Literal["version", "draft", "off", "inherit"]
    version_id: RowId | None = None
    draft_id: RowId | None = None
    in_grace: bool = False


class PastAsk(Input):
    """The fleet at an instant, judged by what was in force then, or by other versions."""

    group_id: RowId
    as_of: datetime
    version_ids: Annotated[list[RowId], Field(max_length=20)] = []  # noqa: RUF012

    @field_validator("as_of")
    @classmethod
    def _has_zone(cls, at: datetime) -> datetime:
        if at.tzinfo is None:
            raise ValueError("give the time zone, as in 2026-09-03T12:00:00Z")
        return at


class ChosenVersion(Shape):
    """A pack that a run judges otherwise than what is, or was, in force. `version` empty: switched off."""

    pack: str
    version: str
    is_draft: bool
    in_grace: bool


class ScoreFigures(Shape):
    """Scores over the hosts of a run. `bands` are hosts by ten points, the last includes 100."""

    hosts: int
    mean: float | None
    median: float | None
    bands: list[int]
    capped: int


class RunRule(Shape):
    """What a run says of one rule: findings and hosts by what they change to (preview), or by the word shown (past)."""

    pack: str
    rule: str
    title: str
    newly_failing: int
    newly_failing_hosts: int
    no_longer_failing: int
    no_longer_failing_hosts: int
    words: dict[str, int]
    hosts: dict[str, int]


class RunGroup(Shape):
    """What a preview says of the hosts directly in one group."""

    id: int
    name: str
    path: str
    hosts: int
    hosts_changed: int
    newly_failing: int
    no_longer_failing: int
    score_before: float | None
    score_after: float | None


class RunFigures(Shape):
    """The figures of a finished run. For a look at the past only `after`, `words` and `rules` say something."""

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


class RunShape(Shape):
    """A run. `is_outdated`: other rules came into force since, so the figures are of then."""

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
    figures: RunFigures | None


class RunChange(Shape):
    """A finding that would stand otherwise; an empty word: there is no such finding."""

    pack: str
    rule: str
    title: str
    subject: SubjectShape
    before: str
    after: str


class RunHost(Shape):
    """What a run says of one host; `absent` says why nothing could be judged."""

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


class RunHostPage(Shape):
    """Hosts of a run, those that lose most first."""

    items: list[RunHost]
    next: str | None
    total: int


class PastVersion(Shape):
    """A pack version that judged a host in a look at the past; `is_chosen` where the reader asked for it."""

    pack: str
    version: str
    version_id: int
    is_chosen: bool
    in_grace: bool


class PastFinding(Shape):
    """What a rule said, or would have said, of a subject then; `now` is how the same finding stands today, empty if there is none."""

    pack: str
    rule: str
    title: str
    kind: str
    subject: SubjectShape
    outcome: Outcome
    standing: Standing
    excluded_by: str
    reason: str
    observed: str
    expected: str
    section: str
    command: str
    now: str


class HostPast(Shape):
    """A host at an instant. `absent` says why there is nothing to show."""

    host: NamedHost
    group: str
    as_of: datetime
    absent: str
    configuration_at: datetime | None
    versions: list[PastVersion]
    score: int | None
    score_now: int | None
    capped_by: str
    rule_coverage: float | None
    counts: dict[str, int]
    waivers: int
    items: list[PastFinding]


class ConflictSide(Shape):
    """One of the two demands: the rule that makes it, others that ask the same (`also`), what and why. `demand` is what decisions name."""

    demand: str
    pack: str
    rule: str
    title: str
    also: list[str]
    asks: str
    why: str
    weight: float
    evidence: list[EvidenceShape]


class DecisionShape(Shape):
    """A decision, proposed or made. `holds` is the demand that counts; empty: neither does."""

    id: int
    group: GroupName
    holds: str
    state: Literal["proposed", "active", "refused", "withdrawn", "replaced"]
    reason: str
    proposed_by: str
    proposed_by_id: int
    proposed_at: datetime
    decided_by: str
    decided_at: datetime | None
    decided_reason: str
    ended_by: str
    ended_at: datetime | None
    end_reason: str
    # One of the rules asks for something else since then.
    is_to_review: bool


class ConflictHost(Shape):
    """A host that the conflict meets; `decided` is the id of the decision that holds there."""

    host: NamedHost
    group: GroupName
    subjects: int
    decided: int | None


class ConflictCard(Shape):
    """Two rules of different packs that no value of one setting can satisfy, where both judge a host."""

    id: str
    key: str
    label: str
    first: ConflictSide
    second: ConflictSide
    hosts: int
    hosts_undecided: int
    groups: list[GroupName]
    decisions: list[DecisionShape]
    some_hosts: list[ConflictHost]


class ConflictList(Shape):
    """The conflicts in scope, undecided ones first."""

    items: list[ConflictCard]
    undecided: int


class DecisionProposal(Input):
    """A proposal: which side holds for a group and all below it; `holds` empty: neither."""

    conflict: Annotated[str, Field(max_length=700)]
    group_id: RowId
    holds: RuleAddress | Literal[""]
    reason: Reason


class DecisionAct(Input):
    """Approving, refusing or withdrawing; refusing and withdrawing need a reason."""

    reason: Words = ""
