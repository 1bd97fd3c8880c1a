"""API schemas of merging."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from plumbline.infra.schemas import HostId, Input, Schema, Words, plain

Reason = Annotated[Words, Field(min_length=3)]
SubjectId = Annotated[str, Field(min_length=1, max_length=300), AfterValidator(plain)]
MergedKind = Literal["adapter", "vnic", "initiator", "volume"]


class HostMerge(Input):
    """The host that this one goes on as; the reason is kept in the audit log."""

    old_id: HostId
    reason: Reason


class SubjectMerge(Input):
    """A thing that was replaced by another of its kind."""

    kind: MergedKind
    old_id: SubjectId
    new_id: SubjectId
    reason: Reason


class NamedSubject(Schema):
    """A subject that is there."""

    id: str
    name: str


class GoneSubject(Schema):
    """A subject that the host no longer has, and what it has of the same kind."""

    kind: MergedKind
    id: str
    name: str
    gone_at: datetime
    instead: list[NamedSubject]
