"""API schemas of packs, drafts, activations, runs that evaluate without changing anything, and decisions on conflicts."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field, field_validator

from plumbline.infra.schemas import GroupName, Input, RowId, Schema, Words
from plumbline.packs.rule_schemas import FieldChange
from plumbline.packs.uploads import LARGEST_FILE, MOST_FILES

Reason = Annotated[Words, Field(min_length=3)]
PackName = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]*$", max_length=80)]
RuleAddress = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]*/[a-z0-9][a-z0-9_.-]*$", max_length=260)]


class PackVersionRow(Schema):
    """A published version. `groups` are those on which it is activated; what they pass down is in `PackGroup`."""

    id: int
    version: str
    content_hash: str
    published_at: datetime
    published_by: str
    note: str
    rules: int
    groups: list[GroupName]


class PackSummary(Schema):
    """A pack with the version that evaluates on the topmost group the reader sees; `hosts` are evaluated by any version of it."""

    pack: str
    title: str
    summary: str
    is_builtin: bool
    newest: PackVersionRow
    versions: int
    # The pack with a newer edition of the same paper; empty if there is none.
    superseded_by: str
    in_force: list[PackVersionRow]
    hosts: int
    grace_until: datetime | None


class PackList(Schema):
    """All packs, and the unpublished drafts."""

    items: list[PackSummary]


class PackGroup(Schema):
    """What is in force for one group: its own activation, or what it inherits (`from_group`)."""

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


class PackEvent(Schema):
    """One line of a pack's history."""

    at: datetime
    group: str
    words: str
    by: str
    reason: str


class NoRule(Schema):
    """A row of a paper that became no rule, and why."""

    id: str
    because: str


class PackDetail(Schema):
    """A pack in full. `linked_packs` have rules linked to its rules: usually other editions of its paper."""

    pack: str
    title: str
    summary: str
    is_builtin: bool
    papers: list[str]
    linked_packs: list[str]
    no_rules: list[NoRule]
    versions: list[PackVersionRow]
    groups: list[PackGroup]
    history: list[PackEvent]


class MistakeOut(Schema):
    """One thing that is wrong with an uploaded pack."""

    file: str
    line: int
    message: str


class DraftOut(Schema):
    """An uploaded pack without mistakes. `obstacle` is why it cannot be published; empty if it can."""

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


class UploadResult(Schema):
    """Either a draft, or what is wrong with what was uploaded (the first 200 of `mistake_count`)."""

    draft: DraftOut | None
    mistakes: list[MistakeOut]
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
        if len({file.path for file in files}) != len(files):
            raise ValueError("two files have the same path")
        return files


class PublishDraft(Input):
    """Publishing; `note` says what is new, for the history."""

    note: Words = ""


class RuleDifference(Schema):
    """How one rule differs between two versions. `change` names the gravest of its changes."""

    rule: str
    title: str
    change: Literal["added", "removed", "retired", "expectation", "scope", "weight", "words"]
    words: str
    weight_before: float | None
    weight_after: float | None
    fields: list[FieldChange]


class PackDifference(Schema):
    """Two versions of a pack side by side. `needs` is the least version number that the changes call for."""

    pack: str
    old_version: str
    new_version: str
    needs: str
    is_enough: bool
    rules: list[RuleDifference]
    papers_changed: bool


class SideBySideRule(Schema):
    """A rule that only one of two packs has."""

    rule: str
    title: str
    kind: str
    asks: str
    evidence: list[str]


class SideBySideText(Schema):
    """One difference between two linked rules."""

    name: str
    first: str
    second: str


class SideBySidePair(Schema):
    """A recommendation that two packs have, with its places in their papers."""

    first_rule: str
    second_rule: str
    title: str
    differences: list[SideBySideText]
    first_places: str
    second_places: str


class PacksSideBySide(Schema):
    """Two packs side by side, each in its newest version. `alike` counts rules that are equal in text and places."""

    first: str
    first_version: str
    second: str
    second_version: str
    only_first: list[SideBySideRule]
    only_second: list[SideBySideRule]
    both: list[SideBySidePair]
    alike: int


class Activation(Input):
    """What is in force for a group from now on: a version, none (`off`), or what the group above has (`inherit`)."""

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
