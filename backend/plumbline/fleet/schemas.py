"""API schemas of the overview, the score, rules, search and saved views."""

from datetime import date, datetime
from typing import Literal

from pydantic import Field

from plumbline.core.rules.finding_status import FindingStatus
from plumbline.hosts.schemas import WorstRule
from plumbline.infra.schemas import Input, Name, NamedHost, Schema, SubjectOut
from plumbline.packs.rule_schemas import LinkedRule


class Headline(Schema):
    """The figures of the one sentence. `conflicts` are contradictions between packs that wait for a decision."""

    hosts: int
    worse: int
    conflicts: int
    decisions: int
    waivers_ending: int
    silent: int


class ScoredHost(Schema):
    """A host and its score."""

    id: str
    name: str
    score: int


class FleetScore(Schema):
    """The fleet's score: the mean over scored hosts, never without median, worst five and both coverages."""

    mean: float | None
    median: float | None
    change: float | None
    worst: list[ScoredHost]
    rule_coverage: float | None
    hosts_fresh: int
    hosts_known: int
    hosts_scored: int


class ScoreBand(Schema):
    """Hosts with a score between `from` and `to`, both included."""

    from_: int = Field(alias="from")
    to: int
    hosts: int


class TrendDay(Schema):
    """The fleet at the end of one day."""

    day: date
    score_mean: float | None
    score_median: float | None
    hosts: int
    rule_coverage: float | None
    n_fail: int


class FleetEventOut(Schema):
    """A mark on the trend."""

    at: datetime
    kind: str
    label: str


class OutcomeCounts(Schema):
    """Findings by the word shown; `guard_rail` counts failing guard-rails, which are among `fail` too."""

    pass_: int = Field(alias="pass")
    fail: int
    unknown: int
    waived: int
    excluded: int
    not_applicable: int
    guard_rail: int


class OutcomeBar(Schema):
    """Findings of the hosts with one value."""

    value: str
    label: str
    pass_: int = Field(alias="pass")
    fail: int
    unknown: int


class RuleName(Schema):
    """A rule by its pack and its name there."""

    pack: str
    rule: str


class WorseGroup(Schema):
    """One happening that made one or more hosts worse. `headline` says what fails since, on its first host.

    The setting that explains most of it is `key`, changed from `old` to `new`; `effect_count` other settings changed with it, and
    `peer_count` other hosts only differ from these now. `event_id` is its number on the drift page. `plan_id` and, where it was a single
    one, `job_id`: the work of ours that did it.

    `rules` began to fail with it; linked rules are named once. `fix_rules` are those of them with a fix that a plan can carry out, and
    `host_ids` the hosts that such a plan would be for, at most as many as a plan may have.
    """

    alike: str
    event_id: str
    key: str
    label: str
    headline: str
    old: str
    new: str
    effect_count: int
    peer_count: int
    cause: str
    cause_detail: str
    job_id: int | None
    plan_id: int | None
    hosts: list[NamedHost]
    host_count: int
    host_ids: list[str]
    rules: list[RuleName]
    fix_rules: list[RuleName]
    group_name: str
    first_at: datetime
    last_at: datetime


class StricterPack(Schema):
    """A pack version that requires more than the one before: these rules fail since it was activated, and no host changed."""

    pack: str
    version: str
    activated_at: datetime
    hosts: int
    rules: list[RuleName]


class FailingRule(Schema):
    """A rule, with the rules linked to it (`also`), and on how many hosts it fails; each host counts once."""

    pack: str
    rule: str
    rule_no: int
    title: str
    hosts: int
    subjects: int
    effect: str
    kind: str
    also: list[LinkedRule]


class SilentHost(Schema):
    """A host that has stopped checking in."""

    id: str
    name: str
    last_seen_at: datetime | None
    why: str


class NewlyFailing(Schema):
    """A host with rules that began to fail in the last 24 hours; `words` is the headline of the first, and how many more there are."""

    id: str
    name: str
    rules: int
    words: str
    score: int | None
    at: datetime


class OpenRequests(Schema):
    """What others requested and nobody has decided yet, and jobs that need attention. The caller's own requests are not counted."""

    plans: int
    baselines: int
    jobs: int


class OverviewGroup(Schema):
    """The group that the overview is about."""

    id: int
    name: str


class GotWorse(Schema):
    """What got worse. `worse_as_of`: in a group with many hosts it is put together ahead of time (`drift.prepared_parts`), up to some
    minutes before the rest of the page.
    """

    worse_as_of: datetime
    worse: list[WorseGroup]
    stricter: list[StricterPack]
    newly_failing: list[NewlyFailing]


class GotWorsePart(GotWorse):
    """The same, with the number of hosts that got worse."""

    worse_hosts: int


class Overview(GotWorse):
    """The overview of the fleet."""

    as_of: datetime
    group: OverviewGroup
    headline: Headline
    score: FleetScore
    distribution: list[ScoreBand]
    trend: list[TrendDay]
    events: list[FleetEventOut]
    outcomes: OutcomeCounts
    by_os: list[OutcomeBar]
    by_cluster: list[OutcomeBar]
    failing_rules: list[FailingRule]
    silent: list[SilentHost]
    waiting: int
    open: OpenRequests


class RuleHost(Schema):
    """One subject that a rule evaluated, on its host. `headline` and `reason_repeats` as in the findings of a host."""

    host_id: str
    name: str
    subject: SubjectOut
    standing: FindingStatus
    headline: str
    reason: str
    reason_repeats: bool
    observed: str
    expected: str
    score: int | None


class RuleHostPage(Schema):
    """One page of a rule's hosts."""

    items: list[RuleHost]
    next: str | None
    total: int


class FirstStep(Schema):
    """One thing to set up in a new installation: whether it is done, and how much of it there is ("2 groups")."""

    step: Literal["group", "token", "host", "credential", "notifications", "heartbeat", "backup"]
    is_done: bool
    words: str
    # When it was done last; only backups.
    at: datetime | None = None


class FirstSteps(Schema):
    """All steps, in the order in which an admin takes them."""

    items: list[FirstStep]


class SearchHit(Schema):
    """One answer of the search field; `url` is a page of the web interface."""

    kind: Literal["host", "rule", "view", "action"]
    id: str
    label: str
    detail: str
    url: str


class View(Schema):
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


class FleetRule(Schema):
    """The cost of one rule: `points_lost` of the average score, weighted by evidence; `counted_lost` if all rules had equal weight.

    `also` are the linked rules: they count once on each host, under the one that applies there, and once here.
    """

    pack: str
    rule: str
    title: str
    kind: str
    also: list[LinkedRule]
    hosts_failing: int
    hosts_judged: int
    hosts_capped: int
    points_possible: float
    points_lost: float
    counted_possible: float
    counted_lost: float


class FleetFigures(Schema):
    """The average and the spread of one way of scoring."""

    mean: float | None
    median: float | None
    worst: list[ScoredHost]
    distribution: list[ScoreBand]


class FleetScoreApart(Schema):
    """How the fleet's score is made up: average = 100 - lost to rules - lost to rounding - lost to caps.

    `rules` is empty if the group has more hosts than `looked_at`; choose a smaller group then.
    """

    as_of: datetime
    group_id: int
    group_name: str
    hosts_known: int
    hosts_scored: int
    hosts_fresh: int
    rule_coverage: float | None
    weighed: FleetFigures
    counted: FleetFigures
    without_waivers: float | None
    hosts_waived: int
    lost_to_rules: float
    lost_to_rounding: float
    lost_to_caps: float
    hosts_capped: int
    rules: list[FleetRule]
    looked_at: int
