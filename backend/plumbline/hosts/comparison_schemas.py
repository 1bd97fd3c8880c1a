"""API schemas of a host compared with something else."""

from datetime import datetime
from typing import Any, Literal

from plumbline.core.facts.same_host import Likeness
from plumbline.core.rules.finding_status import FindingStatus
from plumbline.infra.schemas import NamedHost, Schema, SubjectOut

Reference = Literal["host", "baseline", "peers", "best", "date", "running", "bundle"]


class ComparedRule(Schema):
    """A rule that reads the setting and fails on this host, with the points of the score that it takes."""

    pack: str
    rule: str
    title: str
    points_lost: float


class OddPeer(Schema):
    """A peer that differs from the majority."""

    name: str
    value: str


class ComparedSetting(Schema):
    """One setting on both sides; `left` is the host itself. With an empty label a whole item is on one side only.

    `subject` is the item on the left, or on the right where only that has it. For the majority of peers, `agreeing` of `peers` have the
    value, and `odd` are the others. `restore_to` is the right value as a plan sets it; None where it cannot be set, and `why_not_restore`
    says why. `member` is the file of a bundle that the right value was read from.
    """

    subject: SubjectOut
    other_subject: SubjectOut | None
    key: str
    label: str
    left: str
    right: str
    what: Literal["same", "differs", "only_left", "only_right", "not_known"]
    is_configured: bool
    agreeing: int | None
    peers: int | None
    odd: list[OddPeer]
    rules: list[ComparedRule]
    restore_to: Any
    why_not_restore: str
    member: str = ""


class FindingSide(Schema):
    """A finding on one side: its status, its outcome without waivers and conflicts, and what was observed. `member` as above."""

    status: FindingStatus
    outcome: str
    observed: str
    member: str


class ComparedFinding(Schema):
    """A finding that fails on one side only: `new` fails on the host now, `fixed` failed in the bundle. A side without it is None: the item
    is not there, or the rule does not apply to it.
    """

    pack: str
    rule: str
    title: str
    subject: SubjectOut
    what: Literal["new", "fixed"]
    left: FindingSide | None
    right: FindingSide | None


class ComparedBundle(Schema):
    """The host of a support bundle on the right side. `likeness` says whether it is this host, `identity` by which marks."""

    assessment_id: int
    assessed_id: int
    bundle: str
    name: str
    kind_label: str
    captured_at: str
    likeness: Likeness
    identity: str


class ComparedPeer(Schema):
    """A host that may be compared with: one of the peers, best score first."""

    id: str
    name: str
    score: int | None


class HostComparison(Schema):
    """One host beside another host, its baseline, the majority of its peers, its best peer, itself on another date, its own running
    values beside the stored ones, or what a support bundle shows of it.

    `right_label` says what stands on the right; `problem` why there is nothing to compare with (then `items` is empty). `peers_are` says
    whom the peers are: its cluster, or hosts alike in its group. `same` settings are equal and `not_known` are not known on one side; they
    are among the items only where all were requested. `findings` are compared with a bundle alone; `findings_not_known` more are unknown on
    one side.
    """

    host: NamedHost
    reference: Reference
    right_label: str
    other: NamedHost | None
    left_at: datetime | None
    right_at: datetime | None
    problem: str
    items: list[ComparedSetting]
    differs: int
    same: int
    not_known: int
    peers: list[ComparedPeer]
    peers_are: Literal["cluster", "alike", ""]
    may_plan: bool
    bundle: ComparedBundle | None
    findings: list[ComparedFinding]
    findings_not_known: int
