"""Tables of what is counted of hosts, kept by triggers of the database whenever a host or its baseline changes (decisions 0044, 0045)."""

from sqlalchemy import BigInteger, Column, ForeignKey, Identity, Index, SmallInteger, Text, text
from sqlmodel import Field, SQLModel

from plumbline.models.columns import ArrayOf, columns_of


class HostCombination(SQLModel, table=True):
    """Values that many hosts have in common. Rows are never changed; one that no host has any more stays."""

    __tablename__ = "host_combination"

    # A digest of the values.
    id: int = Field(sa_column=Column(BigInteger, primary_key=True, autoincrement=False))
    state: str
    # Known from a support bundle only.
    is_bundle: bool
    platform: str
    os_name: str
    os_release: str
    families: list[str] = Field(sa_column=Column(ArrayOf(Text), nullable=False))
    initiator_modes: list[str] = Field(sa_column=Column(ArrayOf(Text), nullable=False))
    tags: list[str] = Field(sa_column=Column(ArrayOf(Text), nullable=False))
    # The host's own `Mode`; empty: its group's.
    mode: str
    has_cluster: bool
    is_evaluated: bool
    has_configuration: bool
    is_restart_pending: bool
    has_pass: bool
    has_fail: bool
    has_unknown: bool
    has_waived: bool
    has_excluded: bool
    has_not_applicable: bool
    has_guard_rail: bool
    # "differs" or "same", compared with the present configuration; empty: unknown.
    baseline: str


class HostSummary(SQLModel, table=True):
    """One host in as few bytes as counting takes: host rows are wide, and to count those of a large fleet costs far more."""

    __tablename__ = "host_summary"
    __table_args__ = (
        Index("ix_host_summary_group_id", "group_id"),
        Index("ix_host_summary_may_be_late", "host_id", postgresql_where=text("may_be_late")),
        {"postgresql_with": {"fillfactor": 80}},
    )

    host_id: str = Field(sa_column=Column(Text, ForeignKey("host.id", ondelete="CASCADE"), primary_key=True))
    combination_id: int = Field(sa_type=BigInteger)
    group_id: int
    cluster: str
    score: int | None = Field(default=None, sa_type=SmallInteger)
    n_pass: int
    n_fail: int
    n_unknown: int
    failing: list[int] = Field(sa_column=Column(ArrayOf(SmallInteger), nullable=False))
    # Late, or soon to be: `checkin.gaps` notes it of every host ahead of time, so that the others need not be looked at.
    may_be_late: bool = Field(default=True, sa_column_kwargs={"server_default": "true"})


class HostCountDelta(SQLModel, table=True):
    """What one change of a host's summary adds to `HostCount` and takes from it. Folded by one process."""

    __tablename__ = "host_count_delta"

    id: int | None = Field(default=None, sa_column=Column(BigInteger, Identity(always=True), primary_key=True))
    # The host's own group.
    group_id: int
    kind: str
    value: str
    hosts: int
    n_pass: int
    n_fail: int
    n_unknown: int


class HostCount(SQLModel, table=True):
    """Folded counts of hosts by group. A reader adds the deltas that are not folded yet.

    `kind` is what `value` is: "combination" (its id; hosts of every state), "differing" (the same, of hosts that fail a rule which
    compares them with their peers), or of known hosts "score" (hosts that have one), "cluster"
    (empty: none), "all" (an empty value). Findings are summed up for combinations and clusters.
    """

    __tablename__ = "host_count"
    __table_args__ = (
        Index("ix_host_count_subtree_n_fail", "group_id", text("subtree_n_fail DESC"), "value", postgresql_where=text("kind = 'cluster'")),
        Index("ix_host_count_subtree_hosts", "group_id", text("subtree_hosts DESC"), "value", postgresql_where=text("kind = 'cluster'")),
        Index("ix_host_count_empty", "group_id", postgresql_where=text("subtree_hosts = 0")),
        {"postgresql_with": {"fillfactor": 80}},
    )

    group_id: int = Field(primary_key=True)
    kind: str = Field(primary_key=True)
    value: str = Field(primary_key=True)
    # Of the hosts in the group itself.
    hosts: int
    n_pass: int
    n_fail: int
    n_unknown: int
    # Of the hosts in the group and in all groups below it.
    subtree_hosts: int
    subtree_n_pass: int
    subtree_n_fail: int
    subtree_n_unknown: int


HOST_COMBINATION = columns_of(HostCombination)
HOST_SUMMARY = columns_of(HostSummary)

# Counts of one kind over the hosts of any set of groups, folded and unfolded ones in one snapshot, with the positions of groups in it: each
# group that is in the set while its parent is not adds what it has with its subgroups; one that is not, though its parent is, subtracts it.
# `{groups}` is the name of a parameter, a list of groups. PostgreSQL expects most groups to be such edges: `OFFSET 0` keeps it from
# reading the counts of all groups for the one or two that are.
_KEPT = """
SELECT k.value, edge.sign * k.hosts AS hosts, edge.sign * k.n_pass AS n_pass, edge.sign * k.n_fail AS n_fail,
  edge.sign * k.n_unknown AS n_unknown
FROM (SELECT id, CAST(sum(sign) AS int) AS sign FROM (
        SELECT id, 1 AS sign FROM unnest(CAST(:{groups} AS int[])) AS own (id)
        UNION ALL SELECT g.id, -1 FROM unnest(CAST(:{groups} AS int[])) AS above (id) JOIN host_group g ON g.parent_id = above.id) AS signed
      GROUP BY id HAVING sum(sign) <> 0) AS edge
CROSS JOIN LATERAL (
  SELECT value, subtree_hosts AS hosts, subtree_n_pass AS n_pass, subtree_n_fail AS n_fail, subtree_n_unknown AS n_unknown
  FROM host_count WHERE group_id = edge.id AND kind = '{kind}' OFFSET 0) AS k
UNION ALL
SELECT value, hosts, n_pass, n_fail, n_unknown FROM host_count_delta WHERE group_id = ANY(:{groups}) AND kind = '{kind}'
"""


def kept_counts(kind: str, groups: str = "groups") -> str:
    """SQL that reads the counts of a kind: value, hosts, n_pass, n_fail, n_unknown; a value may come several times. `groups` is the name of
    its parameter, the groups whose own hosts are counted.
    """
    return _KEPT.replace("{groups}", groups).replace("{kind}", kind)
