"""API schemas of the matrix of hosts and rules."""

from datetime import datetime
from typing import Literal

from plumbline.core.rules.finding_status import FindingStatus
from plumbline.infra.schemas import Freshness, Schema
from plumbline.packs.rule_schemas import LinkedRule


class MatrixRule(Schema):
    """A column of the matrix: a rule, and the rules linked to it (`also`)."""

    pack: str
    rule: str
    rule_no: int
    title: str
    kind: str
    hosts_failing: int
    also: list[LinkedRule]


class MatrixHost(Schema):
    """A row: a host with one status for each column, in the columns' order; None if it has no finding of the rule."""

    id: str
    name: str
    cluster: str
    group_id: int
    group_name: str
    score: int | None
    freshness: Freshness
    cells: list[FindingStatus | None]


class MatrixGroup(Schema):
    """An aggregate row: a group or a cluster. Each cell counts its hosts by the status of one rule, without the statuses that none has;
    None where no host has a finding of the rule.
    """

    key: str
    label: str
    hosts: int
    score_mean: float | None
    cells: list[dict[FindingStatus, int] | None]


class Matrix(Schema):
    """Hosts x rules, or, if there are too many hosts for rows of their own, groups of hosts x rules."""

    as_of: datetime
    rules: list[MatrixRule]
    hosts: list[MatrixHost]
    groups: list[MatrixGroup]
    # Whether `groups` is filled instead of `hosts`, and how many hosts may have rows of their own.
    is_aggregate: bool
    most_hosts: int
    # What the rows of `groups` are, and how many more there are; by cluster, how many hosts in no cluster have no row.
    by: Literal["cluster", "group"]
    more: int
    hosts_apart: int
    total_hosts: int
    hidden_rules: int
