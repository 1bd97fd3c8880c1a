"""API shapes of the fleet's score taken apart, and of the matrix."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from plumbline.fleet.schemas import ScoreBand, ScoredHost
from plumbline.infra.schemas import Freshness, Shape, Standing
from plumbline.packs.rule_schemas import AlsoAsked


class FleetRule(Shape):
    """What one rule costs the fleet: `points_lost` of the mean score, weighed by evidence; `counted_lost` if every rule counted alike.

    `also` are the rules that ask the same: they count once on each host, under whichever of them applies there, and once here.
    """

    pack: str
    rule: str
    title: str
    kind: str
    also: list[AlsoAsked]
    hosts_failing: int
    hosts_judged: int
    hosts_capped: int
    points_possible: float
    points_lost: float
    counted_possible: float
    counted_lost: float


class FleetFigures(Shape):
    """The middle and the spread of one way of scoring."""

    mean: float | None
    median: float | None
    worst: list[ScoredHost]
    distribution: list[ScoreBand]


class FleetScoreApart(Shape):
    """The fleet's score taken apart: mean = 100 - what rules lost - what rounding down took - what caps took.

    `rules` is empty where the group has more hosts than `looked_at`: then a smaller group has to be chosen.
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


class MatrixRule(Shape):
    """A column of the matrix: a rule, and those that ask the same (`also`)."""

    pack: str
    rule: str
    rule_no: int
    title: str
    kind: str
    hosts_failing: int
    also: list[AlsoAsked]


class MatrixCell(Shape):
    """Hosts of a group by what stands of one rule; None where the rule says nothing of any of them."""

    fail: int
    unknown: int
    waived: int
    excluded: int
    advice: int
    pass_: int = Field(alias="pass")
    not_applicable: int


class MatrixHost(Shape):
    """A row: a host with one word for each column, in the columns' order; None where the rule says nothing of it."""

    id: str
    name: str
    cluster: str
    group_id: int
    group_name: str
    score: int | None
    freshness: Freshness
    cells: list[Standing | None]


class MatrixGroup(Shape):
    """A row of aggregates: a group or a cluster with counts for each column."""

    key: str
    label: str
    hosts: int
    score_mean: float | None
    cells: list[MatrixCell | None]


class Matrix(Shape):
    """Hosts x rules, or, beyond what can be looked at cell by cell, groups of hosts x rules."""

    as_of: datetime
    rules: list[MatrixRule]
    hosts: list[MatrixHost]
    groups: list[MatrixGroup]
    # Whether `groups` stands in the place of `hosts`, and how many hosts may be looked at one by one.
    is_aggregate: bool
    most_hosts: int
    # What the rows of `groups` are, and how many more there are; by cluster, how many hosts in no cluster have no row.
    by: Literal["cluster", "group"]
    more: int
    hosts_apart: int
    total_hosts: int
    hidden_rules: int
