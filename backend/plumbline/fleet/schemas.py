"""API shapes of findings, the taken-apart score, the overview and saved views."""

from datetime import date, datetime
from typing import Literal

from pydantic import Field

from plumbline.hosts.schemas import WorstRule
from plumbline.infra.schemas import Input, Name, NamedHost, Outcome, Severity, Shape, Standing, SubjectShape
from plumbline.packs.rule_schemas import AlsoAsked, EvidenceShape, FixLine

Area = Literal["adapter", "tcp", "iscsi", "mpio", "qos", "paths", "host"]


class FindingSource(Shape):
    """How the decisive value was read."""

    section: str
    command: str
    field: str
    raw: str
    sha256: str | None
    read_at: datetime | None


class Was(Shape):
    """What the setting was before it last changed."""

    value: str
    until: datetime
    cause: str
    cause_detail: str


class Peers(Shape):
    """How many of the other hosts of the cluster (or group) have the same outcome of this rule."""

    same: int
    of: int


class WaiverShape(Shape):
    """The waiver that stands beside a finding. `is_over`: its time has passed and only the score has not followed yet."""

    id: int
    reason: str
    approved_by: str
    owner: str
    ticket: str
    expires_at: datetime
    is_over: bool


class Finding(Shape):
    """What one rule says of one subject. `outcome` is what is so, `standing` the word shown."""

    pack: str
    pack_version: str
    rule: str
    rule_no: int
    title: str
    kind: str
    area: Area
    severity: Severity
    subject: SubjectShape
    outcome: Outcome
    standing: Standing
    reason: str
    observed: str
    expected: str
    why: str
    effect: str
    evidence: list[EvidenceShape]
    source: FindingSource | None
    since: datetime
    failing_since: datetime | None
    was: Was | None
    impact: str
    fix: list[FixLine]
    manual: list[str]
    peers: Peers | None
    waiver: WaiverShape | None
    excluded_by: str
    # Until then the failures of its pack do not count; only where `excluded_by` says grace.
    grace_until: datetime | None
    same_as: list[str]
    tested_value: str


class HostFindings(Shape):
    """All findings of one host, failing first."""

    as_of: datetime | None
    items: list[Finding]


class ScoreCap(Shape):
    """A cap that holds the score down."""

    limit: int
    because: str


class ScoreRule(Shape):
    """What one rule brings to the score: `points_possible` and `points_lost` of 100, weighed by evidence; `counted_*` the same if every
    rule counted alike. weight = `band_points` x `strength_factor` x `fit`; 1 where no evidence stands behind the rule.
    """

    pack: str
    rule: str
    title: str
    kind: str
    weight: float
    band: str
    band_points: float
    strength: str
    strength_factor: float
    fit: float
    source: str
    passing: int
    failing: int
    judged: int
    points_possible: float
    points_lost: float
    counted_possible: float
    counted_lost: float
    waived: int
    excluded: int
    unknown: int
    has_capped: bool
    also_asked_by: list[str]


class HostScore(Shape):
    """The score taken apart. `uncapped` is what the parts make, rounded down, before caps; `count_based` what it would be if every rule
    counted the same (rounded down, not capped).
    """

    score: int | None
    uncapped: int | None
    capped_by: str
    caps: list[ScoreCap]
    rule_coverage: float | None
    without_waivers: int | None
    count_based: int | None
    rules: list[ScoreRule]


class Headline(Shape):
    """The figures of the one sentence. `conflicts` are contradictions between packs that wait for a decision."""

    hosts: int
    worse: int
    conflicts: int
    decisions: int
    waivers_ending: int
    silent: int


class ScoredHost(Shape):
    """A host and its score."""

    id: str
    name: str
    score: int


class FleetScore(Shape):
    """The fleet's score: the mean over scored hosts, never without median, worst five and both coverages."""

    mean: float | None
    median: float | None
    change: float | None
    worst: list[ScoredHost]
    rule_coverage: float | None
    hosts_fresh: int
    hosts_known: int
    hosts_scored: int


class ScoreBand(Shape):
    """Hosts whose score lies from `from` to `to`, both included."""

    from_: int = Field(alias="from")
    to: int
    hosts: int


class TrendDay(Shape):
    """The fleet at the end of one day."""

    day: date
    score_mean: float | None
    score_median: float | None
    hosts: int
    rule_coverage: float | None
    n_fail: int


class FleetEventShape(Shape):
    """A mark on the trend."""

    at: datetime
    kind: str
    label: str


class OutcomeCounts(Shape):
    """Findings by the word shown; `guard_rail` counts failing guard-rails, which are among `fail` too."""

    pass_: int = Field(alias="pass")
    fail: int
    unknown: int
    waived: int
    excluded: int
    not_applicable: int
    guard_rail: int


class OutcomeBar(Shape):
    """Findings of the hosts with one value."""

    value: str
    label: str
    pass_: int = Field(alias="pass")
    fail: int
    unknown: int


class WorseGroup(Shape):
    """A change that happened alike on one or more hosts and made them worse."""

    alike: str
    key: str
    label: str
    old: str
    new: str
    cause: str
    cause_detail: str
    hosts: list[NamedHost]
    host_count: int
    group_name: str
    first_at: datetime
    last_at: datetime


class FailingRule(Shape):
    """A rule, with those that ask the same (`also`), and on how many hosts it fails: each host counted once."""

    pack: str
    rule: str
    rule_no: int
    title: str
    hosts: int
    subjects: int
    effect: str
    kind: str
    also: list[AlsoAsked]


class SilentHost(Shape):
    """A host that has stopped checking in."""

    id: str
    name: str
    last_seen_at: datetime | None
    why: str


class NewlyFailing(Shape):
    """A host with rules that began to fail in the last 24 hours."""

    id: str
    name: str
    rules: int
    words: str
    score: int | None
    at: datetime


class OverviewGroup(Shape):
    """The group that the overview is about."""

    id: int
    name: str


class Overview(Shape):
    """The fleet at one look."""

    as_of: datetime
    group: OverviewGroup
    headline: Headline
    score: FleetScore
    distribution: list[ScoreBand]
    trend: list[TrendDay]
    events: list[FleetEventShape]
    outcomes: OutcomeCounts
    by_os: list[OutcomeBar]
    by_cluster: list[OutcomeBar]
    worse: list[WorseGroup]
    failing_rules: list[FailingRule]
    silent: list[SilentHost]
    newly_failing: list[NewlyFailing]
    waiting: int


class RuleHost(Shape):
    """One subject that a rule judged, on its host."""

    host_id: str
    name: str
    subject: SubjectShape
    standing: Standing
    reason: str
    observed: str
    expected: str
    score: int | None


class RuleHostPage(Shape):
    """One page of a rule's hosts."""

    items: list[RuleHost]
    next: str | None
    total: int


class SearchHit(Shape):
    """One answer of the search field; `url` is a page of the web interface."""

    kind: Literal["host", "rule", "view", "action"]
    id: str
    label: str
    detail: str
    url: str


class View(Shape):
    """A named URL."""

    id: int
    name: str
    url: str
    is_shared: bool
    is_mine: bool
    # It opens in place of its page, for its owner.
    is_default: bool


class ViewCreate(Input):
    """Keeps the present page with its filters under a name. `url` is a path of the web interface."""

    name: Name
    url: str = Field(pattern=r"^/[^/\\\s\x00-\x1f][^\s\x00-\x1f]*$|^/$", max_length=2000)
    is_shared: bool = False


class ViewUpdate(Input):
    """Whether the view opens in place of its page."""

    is_default: bool


__all__ = ["WorstRule"]
