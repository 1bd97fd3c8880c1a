"""API schemas of assessments."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from plumbline.bundles.uploads import LARGEST_BUNDLE
from plumbline.core.facts.same_host import Likeness
from plumbline.infra.schemas import Input, Name, Schema


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
    """An assessment with its hosts, the lowest score first, and what the bundle as a whole tells."""

    sha256: str
    notes: list[str]
    unused: list[str]
    unused_count: int
    refused: list[dict[str, str]]
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
    """A host of the fleet that a bundle may be of. `likeness` says how sure that is, `identity` by which marks."""

    id: str
    name: str
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
