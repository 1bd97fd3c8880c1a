"""API schemas of assessments."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from plumbline.bundles.uploads import LARGEST_BUNDLE
from plumbline.core.facts.same_host import Likeness
from plumbline.core.rules.rule import Impact
from plumbline.infra.schemas import Input, Name, RowId, Schema


class AssessmentCreate(Input):
    """Announces the upload of a bundle."""

    name: Name
    size_bytes: Annotated[int, Field(ge=1, le=LARGEST_BUNDLE)]


class AssessmentRow(Schema):
    """One assessment in a list. `received_bytes` counts while it arrives, `read_bytes` while it is read."""

    id: int
    name: str
    state: Literal["receiving", "reading", "ready", "failed"]
    error: str
    size_bytes: int
    received_bytes: int
    read_bytes: int
    host_count: int
    created_at: datetime


class AssessedHostRow(Schema):
    """One host of an assessment."""

    id: int
    name: str
    platform: Literal["windows", "esxi"]
    kind_label: str
    os: str
    captured_at: str
    score: int | None
    failing: int
    unknown: int
    passing: int
    answered: int
    applicable: int


class AssessmentDetail(AssessmentRow):
    """An assessment with the first of its hosts, the lowest score first, and what the bundle as a whole tells.

    `match_count` is the number of hosts with the name that was searched for: all of them where none was.
    """

    sha256: str
    notes: list[str]
    unused: list[str]
    unused_count: int
    refused: list[dict[str, str]]
    match_count: int
    hosts: list[AssessedHostRow]


class EvidenceLine(Schema):
    """Where a value stands: the member of the bundle, the command it answers, the field, and the text."""

    member: str
    command: str
    field: str
    raw: str


class AssessedFinding(Schema):
    """One finding on a host of a bundle."""

    pack: str
    rule: str
    title: str
    status: str
    item: str
    headline: str
    reason: str
    observed: str
    expected: str
    evidence: EvidenceLine | None


class FleetHost(Schema):
    """A host of the fleet that a bundle may be of. `likeness` says how sure that is, `identity` by which marks. `source`: what feeds it."""

    id: str
    name: str
    source: Literal["agent", "collector", "bundle"]
    last_seen_at: datetime | None
    likeness: Likeness
    identity: str


class AssessedHost(AssessedHostRow):
    """One host with its findings. `notes` are sentences about its bundle, `unread` files that were not understood.

    `fleet` are the hosts of the fleet that it may be, the likeliest first. `has_settings` is false where it was assessed by a version that
    kept none: then it can neither be compared nor planned.
    """

    build: str
    model: str
    bundle: str
    partly: int
    capped_by: list[str]
    notes: list[str]
    unread: list[dict[str, str]]
    fails: list[AssessedFinding]
    advice: list[AssessedFinding]
    passes: list[AssessedFinding]
    unknowns: list[AssessedFinding]
    has_settings: bool
    fleet: list[FleetHost]


class JoinFleet(Input):
    """Hosts of an assessment that a person adds to a group of the fleet, at most 50 at a time.

    `with_unsure`: also those that may be a host of the fleet already, where name and adapters do not say it for sure.
    """

    group_id: RowId
    assessed_ids: Annotated[list[RowId], Field(min_length=1, max_length=50)]
    with_unsure: bool = False


class JoinedHost(Schema):
    """What became of one: `added`, `updated` (a host of the fleet that is known from an older bundle), or `left_out`, and why."""

    assessed_id: int
    name: str
    outcome: Literal["added", "updated", "left_out"]
    words: str
    host_id: str | None


class PreviewFinding(Schema):
    """A failing finding that a part of the preview is about; `item` is empty for the host itself."""

    pack: str
    rule: str
    title: str
    item: str


class PreviewElement(Schema):
    """One value that a step sets: as the bundle shows it, and as the rules require it."""

    label: str
    seen: str
    target: str


class PreviewStep(Schema):
    """One step: what it sets, what it interrupts, what has to hold before it, and what a person would type for it and to undo it."""

    number: int
    title: str
    impact: Impact
    words: str
    elements: list[PreviewElement]
    commands: list[str]
    undo: list[str]
    needed: list[str]
    findings: list[PreviewFinding]


class PreviewLeftOut(Schema):
    """Findings that the planner leaves out: why, and the command that shows it on the host. `steps` would fix them where only a fact is not
    known that a person can look up there; none where something known stands against it.
    """

    words: str
    command: str
    findings: list[PreviewFinding]
    steps: list[PreviewStep]


class PreviewManual(Schema):
    """Findings that only a person can fix: why, and the steps."""

    because: str
    steps: list[str]
    findings: list[PreviewFinding]


class PlanPreview(Schema):
    """What a plan for the host would hold if its agent reported what the bundle shows. It can be read and copied, never approved or run."""

    steps: list[PreviewStep]
    left_out: list[PreviewLeftOut]
    manual: list[PreviewManual]
    script: str
    words: str
