"""API schemas of the findings of one host."""

from datetime import datetime

from plumbline.core.rules.finding_status import FindingStatus
from plumbline.core.rules.rule import Outcome
from plumbline.infra.schemas import Schema, Severity, SubjectOut
from plumbline.packs.rule_schemas import Area, EvidenceOut, FixLine


class FindingSource(Schema):
    """How the decisive value was read.

    `member`: the file of the support bundle, for a host that is known from one; else empty.

    `is_proven`: false if this setting was never read from a real host's output of the command, only from what documentation says.
    """

    section: str
    command: str
    field: str
    raw: str
    sha256: str | None
    read_at: datetime | None
    is_proven: bool
    member: str


class Was(Schema):
    """What the setting was before it last changed."""

    value: str
    until: datetime
    cause: str
    cause_detail: str


class Peers(Schema):
    """How many of the other hosts of the cluster (or group) have the same outcome of this rule."""

    same: int
    of: int


class WaiverOut(Schema):
    """The waiver of a finding. `is_over`: its end has passed, but the score has not changed yet."""

    id: int
    reason: str
    approved_by: str
    owner: str
    ticket: str
    expires_at: datetime
    is_over: bool


class Finding(Schema):
    """A finding. `outcome` is the result of the rule; `standing` is the status to show.

    `headline` says what is wrong and where, what could not be checked, or is the title if there is no problem. `headline_template` is
    the same with `{items}` for the item, so that findings that say the same of several items can be shown as one. `reason_repeats`: the
    reason says nothing that `observed` and `expected` do not say.
    """

    pack: str
    pack_version: str
    rule: str
    rule_no: int
    title: str
    headline: str
    headline_template: str
    kind: str
    area: Area
    severity: Severity
    subject: SubjectOut
    outcome: Outcome
    standing: FindingStatus
    reason: str
    reason_repeats: bool
    observed: str
    expected: str
    why: str
    effect: str
    evidence: list[EvidenceOut]
    source: FindingSource | None
    since: datetime
    failing_since: datetime | None
    was: Was | None
    impact: str
    fix: list[FixLine]
    manual: list[str]
    # Why no plan takes these steps; empty if a plan can fix it.
    manual_because: str
    peers: Peers | None
    waiver: WaiverOut | None
    excluded_by: str
    # Until then, failures of its pack do not count. Set only if `excluded_by` is grace.
    grace_until: datetime | None
    same_as: list[str]
    tested_value: str


class HostFindings(Schema):
    """All findings of one host, failing first."""

    as_of: datetime | None
    items: list[Finding]
