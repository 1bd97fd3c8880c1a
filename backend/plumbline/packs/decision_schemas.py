"""API schemas of conflicts between packs and of the decisions on them."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from plumbline.infra.schemas import GroupName, Input, NamedHost, RowId, Schema, Words
from plumbline.packs.rule_schemas import EvidenceOut
from plumbline.packs.schemas import Reason, RuleAddress


class ConflictSide(Schema):
    """One of the two demands: the rule that makes it, linked rules (`also`), what it requires and why. Decisions name its `demand`."""

    demand: str
    pack: str
    rule: str
    title: str
    also: list[str]
    asks: str
    why: str
    weight: float
    evidence: list[EvidenceOut]


class DecisionOut(Schema):
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
    # One of the rules requires something else since then.
    is_to_review: bool


class ConflictHost(Schema):
    """A host that the conflict meets; `decided` is the id of the decision that holds there."""

    host: NamedHost
    group: GroupName
    subjects: int
    decided: int | None


class ConflictCard(Schema):
    """Two rules of different packs that no value of one setting can satisfy, where both evaluate a host."""

    id: str
    key: str
    label: str
    first: ConflictSide
    second: ConflictSide
    hosts: int
    hosts_undecided: int
    groups: list[GroupName]
    decisions: list[DecisionOut]
    some_hosts: list[ConflictHost]


class ConflictList(Schema):
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
