"""Tables of what is counted of hosts, kept by triggers of the database whenever a host or its baseline changes (decision 0044)."""

from sqlalchemy import ARRAY, BigInteger, Column, ForeignKey, Index, SmallInteger, Text, text
from sqlmodel import Field, SQLModel

from plumbline.models.columns import columns_of


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
    families: list[str] = Field(sa_column=Column(ARRAY(Text), nullable=False))
    initiator_modes: list[str] = Field(sa_column=Column(ARRAY(Text), nullable=False))
    tags: list[str] = Field(sa_column=Column(ARRAY(Text), nullable=False))
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
    failing: list[int] = Field(sa_column=Column(ARRAY(SmallInteger), nullable=False))
    # Late, or soon to be: `checkin.gaps` notes it of every host ahead of time, so that the others need not be looked at.
    may_be_late: bool = Field(default=True, sa_column_kwargs={"server_default": "true"})


HOST_COMBINATION = columns_of(HostCombination)
HOST_SUMMARY = columns_of(HostSummary)
