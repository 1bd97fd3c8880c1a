"""Tables of groups, hosts and enrolment."""

from datetime import datetime
from enum import StrEnum

from sqlalchemy import BigInteger, Column, Index, LargeBinary, SmallInteger, Text, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlmodel import Field, Session, SQLModel

from plumbline.infra.database import time_column
from plumbline.models.columns import ArrayOf, columns_of


class HostState(StrEnum):
    """`WAITING`: enrolled, not approved. `RETIRED`: gone for good; its history stays."""

    WAITING = "waiting"
    ACTIVE = "active"
    RETIRED = "retired"
    QUARANTINED = "quarantined"


# Hosts in these states are evaluated, scored and counted. The condition follows the name of the table: f"h.{COUNTED}".
COUNTED_STATES = (HostState.ACTIVE, HostState.QUARANTINED)
COUNTED = "state IN ('active', 'quarantined')"


def is_peer(state: str, source: str) -> bool:
    """Whether a host is compared with its peers and they with it: not while it is quarantined, nor where only a support bundle tells of it,
    since that is of another day.
    """
    return state == HostState.ACTIVE and source != CheckInSource.BUNDLE


class Platform(StrEnum):
    WINDOWS = "windows"
    ESXI = "esxi"


class CheckInSource(StrEnum):
    """What feeds a host: its own agent, Plumbline's collector, which reads it over SSH or WinRM, or support bundles that people upload."""

    AGENT = "agent"
    COLLECTOR = "collector"
    BUNDLE = "bundle"


# Hosts that check in by themselves, and fall silent where they stop. The condition follows the name of the table: f"h.{REPORTS}".
REPORTS = "source <> 'bundle'"


class Mode(StrEnum):
    """Whether Plumbline may change a host, or only observe it."""

    OBSERVE = "observe"
    REMEDIATE = "remediate"


class HostGroup(SQLModel, table=True):
    """A node of the one tree of groups. Rights, packs, mode, windows and fabric labels inherit downward."""

    __tablename__ = "host_group"

    id: int | None = Field(default=None, primary_key=True)
    parent_id: int | None = Field(default=None, foreign_key="host_group.id", index=True)
    name: str
    # Ids from the root down to this group, "1/4/9/": a scope is a prefix of it.
    path: str = Field(unique=True)
    # A `Mode`; None inherits. The root group has OBSERVE.
    mode: str | None = None
    check_in_interval_seconds: int | None = None
    is_ticket_required: bool = False
    created_at: datetime = time_column(sa_column_kwargs={"server_default": text("now()")})


class Host(SQLModel, table=True):
    """One host: identity, order of its check-ins, and the figures that lists and rollups need. Rewritten by every heartbeat."""

    __tablename__ = "host"
    __table_args__ = (
        Index("ix_host_name_grams", "name_grams", postgresql_using="gin"),
        Index("ix_host_failing", "failing", postgresql_using="gin"),
        Index("ix_host_score_id", "score", "id"),
        Index("ix_host_group_id_state", "group_id", "state"),
        Index("ix_host_lower_name", text("lower(name)"), "id"),
        Index("ix_host_platform_lower_name", "platform", text("lower(name)"), "id"),
        Index("ix_host_cluster", "cluster", postgresql_where=text("cluster <> ''")),
        {"postgresql_with": {"fillfactor": 70}},
    )

    # 32 hex digits, given at enrolment and never reused.
    id: str = Field(primary_key=True, sa_type=Text)
    name: str
    name_grams: list[str] = Field(default_factory=list, sa_column=Column(ArrayOf(Text), nullable=False, server_default="{}"))
    platform: str
    group_id: int = Field(foreign_key="host_group.id")
    state: str = HostState.WAITING
    # Exactly one feeds the host; changing it raises the epoch.
    source: str = CheckInSource.AGENT
    is_lab: bool = False
    enrolled_at: datetime = time_column(sa_column_kwargs={"server_default": text("now()")})
    approved_at: datetime | None = time_column(default=None, nullable=True)
    approved_by: int | None = None
    # Where it enrolled from, as evidence; never an address to connect to.
    address: str = ""

    # Identity and order of its check-ins.
    epoch: int = 1
    generation: int = 1
    # A higher generation that was handed out and not yet used; both work until first use of the new one.
    next_generation: int | None = None
    key_id: str = "1"
    # The key that `next_generation` was derived from.
    next_key_id: str = ""
    last_seq: int = Field(default=0, sa_type=BigInteger)
    # The last 32 accepted: 8 bytes seq and the first 16 bytes of the digest each, newest last.
    recent_seqs: bytes = Field(default=b"", sa_column=Column(LargeBinary, nullable=False, server_default=text("''::bytea")))
    # The last three boot names in seq order, for the clone alarm.
    boots: list[str] = Field(default_factory=list, sa_column=Column(ArrayOf(Text), nullable=False, server_default="{}"))
    alarm: str = ""
    seq_gaps: int = Field(default=0, sa_type=BigInteger)
    # Compared with the next check-in, to see whether it changes anything: the digest of all sections, the mark of the counters, and
    # the number of each counter in the order in which they were sent (NULL: they are sent in the order of their numbers).
    sections_digest: bytes | None = Field(default=None, sa_column=Column(LargeBinary, nullable=True))
    counters_mark: bytes | None = Field(default=None, sa_column=Column(LargeBinary, nullable=True))
    counters_order: list[int] | None = Field(default=None, sa_column=Column(ArrayOf(SmallInteger), nullable=True))

    # What the newest verdict was made from.
    state_version: int = Field(default=0, sa_type=BigInteger)
    rules_epoch: int = Field(default=0, sa_type=BigInteger)
    configuration_id: int | None = Field(default=None, sa_type=BigInteger)

    # Freshness and evidence of time.
    last_seen_at: datetime | None = time_column(default=None, nullable=True)
    last_changed_at: datetime | None = time_column(default=None, nullable=True)
    skew_seconds: float | None = None
    agent_version: str = ""
    runner_hash: str = ""
    interval_seconds: int = 900

    # From the newest configuration, for lists and facets.
    os_name: str = ""
    os_release: str = ""
    cluster: str = ""
    families: list[str] = Field(default_factory=list, sa_column=Column(ArrayOf(Text), nullable=False, server_default="{}"))
    initiator_modes: list[str] = Field(default_factory=list, sa_column=Column(ArrayOf(Text), nullable=False, server_default="{}"))
    # Fewest healthy and most known paths over the host's volumes; None: no volumes, or paths unknown.
    paths_healthy: int | None = None
    paths_total: int | None = None
    is_restart_pending: bool = False
    failed_sections: list[str] = Field(default_factory=list, sa_column=Column(ArrayOf(Text), nullable=False, server_default="{}"))

    # From the newest verdict.
    score: int | None = Field(default=None, sa_type=SmallInteger)
    # The score as if no waiver stood; the same where none does.
    score_without_waivers: int | None = Field(default=None, sa_type=SmallInteger)
    capped_by: str = ""
    rule_coverage: float | None = None
    n_pass: int = 0
    n_fail: int = 0
    n_unknown: int = 0
    n_not_applicable: int = 0
    n_waived: int = 0
    n_excluded: int = 0
    n_guard_rail: int = 0
    worst_rule_no: int | None = None
    # Numbers of the rules that fail and count, from `rule_number`.
    failing: list[int] = Field(default_factory=list, sa_column=Column(ArrayOf(SmallInteger), nullable=False, server_default="{}"))

    # Set by people.
    tags: list[str] = Field(default_factory=list, sa_column=Column(ArrayOf(Text), nullable=False, server_default="{}"))
    overrides: dict[str, str] = Field(default_factory=dict, sa_column=Column(JSONB, nullable=False, server_default="{}"))
    mode: str | None = None
    hold_by: int | None = None
    hold_reason: str = ""
    hold_until: datetime | None = time_column(default=None, nullable=True)
    # A retired host whose history was moved to another one: the same machine, re-imaged.
    merged_into: str | None = Field(default=None, foreign_key="host.id", sa_type=Text)


class EnrolmentToken(SQLModel, table=True):
    """A token that lets new hosts enrol. Only its hash is kept; the token is shown once."""

    __tablename__ = "enrolment_token"

    id: int | None = Field(default=None, primary_key=True)
    name: str
    token_hash: bytes = Field(sa_column=Column(LargeBinary, nullable=False, unique=True))
    group_id: int = Field(foreign_key="host_group.id")
    # A filter, not a proof: shell pattern that the host's name must match; empty accepts any.
    name_pattern: str = ""
    is_auto_approved: bool = False
    is_lab: bool = False
    # Set: re-enrols this host (same id, higher epoch) and nothing else.
    host_id: str | None = Field(default=None, foreign_key="host.id", sa_type=Text)
    uses_left: int = 1
    expires_at: datetime = time_column()
    revoked_at: datetime | None = time_column(default=None, nullable=True)
    created_by: int | None = None
    created_at: datetime = time_column(sa_column_kwargs={"server_default": text("now()")})


class Enrolment(SQLModel, table=True):
    """One enrolment, kept so that the same token and nonce answer the same id within 24 h."""

    __tablename__ = "enrolment"

    token_id: int = Field(foreign_key="enrolment_token.id", primary_key=True)
    nonce: str = Field(primary_key=True)
    host_id: str = Field(foreign_key="host.id", sa_type=Text)
    # The response. A host that has enrolled again since gets no repeated response.
    epoch: int
    generation: int
    enrolled_at: datetime = time_column(sa_column_kwargs={"server_default": text("now()")})


class HostBundle(SQLModel, table=True):
    """The support bundle that a host without an agent is known from."""

    __tablename__ = "host_bundle"

    host_id: str = Field(foreign_key="host.id", primary_key=True, sa_type=Text)
    # The file's name as the person's machine had it, and its digest as hex.
    bundle: str
    sha256: str
    kind_label: str
    # When the bundle was collected; NULL where it tells no time.
    captured_at: datetime | None = time_column(default=None, nullable=True)
    added_at: datetime = time_column(sa_column_kwargs={"server_default": text("now()")})
    # [section, command, member]: the file of the bundle that answered each command.
    members: list[list[str]] = Field(sa_column=Column(JSONB, nullable=False))


class FabricLabel(SQLModel, table=True):
    """The fabric of an adapter, set by a person or imported; unlabelled adapters count as one shared fabric a group."""

    __tablename__ = "fabric_label"

    host_id: str = Field(foreign_key="host.id", primary_key=True, sa_type=Text)
    adapter_id: str = Field(primary_key=True)
    fabric: str


class Installation(SQLModel, table=True):
    """The single row about this installation."""

    __tablename__ = "installation"

    id: int = Field(default=1, primary_key=True)
    name: str = "Plumbline"
    # One number for the whole installation, raised by activating a pack; hosts evaluated under a lower one are re-evaluated.
    rules_epoch: int = Field(default=1, sa_type=BigInteger)
    is_demo: bool = False
    created_at: datetime = time_column(sa_column_kwargs={"server_default": text("now()")})
    setup_code_hash: bytes | None = Field(default=None, sa_column=Column(LargeBinary, nullable=True))
    setup_done_at: datetime | None = time_column(default=None, nullable=True)
    # Local accounts decide on others' requests only in a session that began with a second factor.
    is_second_factor_required: bool = Field(default=False, sa_column_kwargs={"server_default": text("false")})
    # When hosts that are late, or will be within `checkin.gaps.AHEAD`, were last noted in `host_summary`.
    late_hosts_noted_at: datetime | None = time_column(default=None, nullable=True)


HOST = columns_of(Host)
HOST_BUNDLE = columns_of(HostBundle)
HOST_GROUP = columns_of(HostGroup)

# Held while a group is moved or renamed, and taken before any other lock; also while rollups are folded, which counts along the paths. No
# other advisory lock may have this number.
TREE_LOCK = 0x706C756D62_01


def lock_tree(session: Session) -> None:
    """Waits until no one else moves groups or counts along their paths, until the end of the transaction. Take it before reading."""
    session.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": TREE_LOCK})


ENROLMENT_TOKEN = columns_of(EnrolmentToken)
ENROLMENT = columns_of(Enrolment)
