"""API schemas of baselines."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field, model_validator

from plumbline.infra.schemas import Drift, HostId, Input, NamedHost, RowId, Schema, SubjectOut, Words

BaselineState = Literal["proposed", "accepted", "refused", "withdrawn"]
Reason = Annotated[Words, Field(min_length=3)]


class BaselineProposal(Input):
    """Proposes the present configuration of one host, or of every host of a group and below it, as the baseline; or, by the numbers of
    changes, only the present values of those settings.
    """

    host_id: HostId | None = None
    group_id: RowId | None = None
    change_ids: Annotated[list[Annotated[int, Field(ge=1, lt=2**63)]], Field(max_length=5000, default_factory=list)]
    reason: Reason
    ticket: Annotated[Words, Field(max_length=200)] = ""

    @model_validator(mode="after")
    def _has_one_scope(self) -> "BaselineProposal":
        if sum((self.host_id is not None, self.group_id is not None, bool(self.change_ids))) != 1:
            raise ValueError("name one of host_id, group_id and change_ids")
        return self


class BaselineDecision(Input):
    """Why, in the words that the proposer reads; may be left out where a proposal is accepted."""

    reason: Words = ""


class BaselineRefusal(Input):
    """Why not, in the words that the proposer reads."""

    reason: Reason


class BaselineRow(Schema):
    """One proposal and what came of it. `host` None: it is for the group and all below it, `hosts` of them.

    `why_not_decide`: why the one who reads it may not decide on it, in words; empty where he may or where nothing waits.
    """

    id: int
    state: BaselineState
    host: NamedHost | None
    group_id: int
    group_name: str
    hosts: int
    # How many settings it is about; None: whole configurations.
    settings: int | None
    reason: str
    ticket: str
    proposed_by: str
    proposed_by_id: int
    proposed_at: datetime
    decided_by: str
    decided_at: datetime | None
    decided_reason: str
    may_decide: bool
    why_not_decide: str
    may_withdraw: bool


class BaselineList(Schema):
    """Proposals, newest first. `next` goes into `after`. `waiting` counts those that are not decided yet."""

    items: list[BaselineRow]
    waiting: int
    may_propose: bool
    next: int | None


class SettingDifference(Schema):
    """One setting as text, as accepted and as it is now. For an item as a whole, `what` is whether it was added or removed."""

    subject: SubjectOut
    key: str
    label: str
    accepted: str
    now: str
    what: Literal["changed", "came", "went"]


class UnreadSetting(Schema):
    """A setting that was accepted and cannot be compared, with the reason."""

    subject: SubjectOut
    key: str
    label: str
    reason: str


class ProposedHost(Schema):
    """One host of a proposal. `differences`: what its proposed configuration changes of the accepted one; None where it has none yet.

    `has_changed_since`: the host reads otherwise now than when it was proposed; what was proposed is what is accepted.
    """

    host: NamedHost
    has_baseline: bool
    differences: list[SettingDifference]
    more: int
    has_changed_since: bool
    is_readable: bool


class BaselineDetail(BaselineRow):
    """One proposal with the hosts that it changes most; `hosts_not_shown` of them are left out."""

    changes: list[ProposedHost]
    hosts_not_shown: int


class HostBaselineOut(Schema):
    """One host compared with its baseline, now.

    `state` is unknown if nothing was accepted (`accepted_at` None), if one of both cannot be read, or if only settings that cannot be read
    now may differ.
    """

    state: Drift
    accepted_at: datetime | None
    accepted_by: str
    proposed_by: str
    reason: str
    baseline_id: int | None
    configuration_read_at: datetime | None
    as_of: datetime | None
    differs_since: datetime | None
    differences: list[SettingDifference]
    unread: list[UnreadSetting]
    waiting: list[BaselineRow]
    may_propose: bool
