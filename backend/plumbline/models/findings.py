"""Tables of findings, their log, waivers and attestations, and the rollups that screens read."""

from datetime import date, datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import ARRAY, BigInteger, CheckConstraint, Column, Date, Identity, Index, LargeBinary, SmallInteger, Text, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlmodel import Field, SQLModel

from plumbline.infra.database import time_column
from plumbline.models.columns import columns_of


class WaiverState(StrEnum):
    """`TRIPPED`: ended early, since a setting that it depends on changed. `REPLACED`: by its own edit or renewal."""

    REQUESTED = "requested"
    ACTIVE = "active"
    REFUSED = "refused"
    EXPIRED = "expired"
    TRIPPED = "tripped"
    WITHDRAWN = "withdrawn"
    REPLACED = "replaced"


# Neither has ended yet.
OPEN_WAIVER_STATES = (WaiverState.REQUESTED, WaiverState.ACTIVE)


class AttestationState(StrEnum):
    ACTIVE = "active"
    EXPIRED = "expired"
    WITHDRAWN = "withdrawn"
    REPLACED = "replaced"


class CurrentFinding(SQLModel, table=True):
    """The current result of one rule for one item. Identity: host, rule number (which means pack and rule), item."""

    __tablename__ = "finding"
    __table_args__ = (
        Index("ix_finding_rule_no_outcome", "rule_no", "outcome"),
        Index("ix_finding_failing", "host_id", postgresql_where=text("outcome = 'fail'")),
        Index("ix_finding_conflict", "rule_no", postgresql_where=text("excluded_by = 'conflict'")),
        Index("ix_finding_waiver_id", "waiver_id", postgresql_where=text("waiver_id IS NOT NULL")),
        {"postgresql_with": {"fillfactor": 85}},
    )

    host_id: str = Field(primary_key=True, sa_type=Text)
    rule_no: int = Field(primary_key=True, sa_type=SmallInteger)
    subject_kind: str = Field(primary_key=True)
    subject_id: str = Field(primary_key=True)
    outcome: str
    kind: str
    reason: str = ""
    observed: str = ""
    expected: str = ""
    # section, command, field, raw of the decisive reading
    source: dict[str, str] | None = Field(default=None, sa_column=Column(JSONB, nullable=True))
    expected_hash: str = ""
    pack_version_id: int = 0  # pack_version.id
    since: datetime = time_column()  # of the present outcome
    failing_since: datetime | None = time_column(default=None, nullable=True)
    waiver_id: int | None = None
    excluded_by: str = ""
    # The lowest number among linked rules, at evaluation: rollups count them once under it. 0: the rule has no links.
    linked_rule_no: int = Field(default=0, sa_column=Column(SmallInteger, nullable=False, server_default="0"))


class FindingLog(SQLModel, table=True):
    """Each change of an outcome. Append-only, partitioned by month."""

    __tablename__ = "finding_log"
    __table_args__ = (
        Index("ix_finding_log_host_id_at", "host_id", "at"),
        Index("ix_finding_log_at", "at"),
        Index("ix_finding_log_turned", "at", postgresql_where=text("new = 'fail' AND old <> '' AND old <> 'fail'")),
        {"postgresql_partition_by": "RANGE (at)"},
    )

    id: int | None = Field(default=None, sa_column=Column(BigInteger, Identity(always=True), primary_key=True))
    at: datetime = time_column(primary_key=True)
    host_id: str = Field(sa_type=Text)
    rule_no: int = Field(sa_type=SmallInteger)
    subject_kind: str
    subject_id: str
    old: str = ""  # empty: first seen
    new: str = ""  # "subject_gone" or "retired" close it
    reason: str = ""


class Waiver(SQLModel, table=True):
    """A dated, owned, expiring acceptance of a failing finding. It changes the score, never the finding.

    It meets one subject of a host, a host, the hosts listed in `waiver_host` (`is_listed`; `group_id` is then the nearest group above
    them all), or a group with every host that is or comes below it.
    """

    __tablename__ = "waiver"
    __table_args__ = (
        Index("ix_waiver_state_expires_at", "state", "expires_at"),
        # Only the API may write `approved_by`: a worker that ends waivers brings none into force.
        CheckConstraint("state <> 'active' OR approved_by IS NOT NULL", name="ck_waiver_active_is_approved"),
    )

    id: int | None = Field(default=None, primary_key=True)
    state: str = WaiverState.REQUESTED
    rule_no: int = Field(sa_type=SmallInteger)
    # Rules of other packs that were linked when it was requested; they count once, so they are waived together.
    also_rule_nos: list[int] = Field(default_factory=list, sa_column=Column(ARRAY(SmallInteger), nullable=False, server_default="{}"))
    host_id: str | None = Field(default=None, foreign_key="host.id", index=True, sa_type=Text)
    group_id: int | None = Field(default=None, foreign_key="host_group.id")
    is_listed: bool = Field(default=False, sa_column_kwargs={"server_default": text("false")})
    subject_kind: str = ""
    subject_id: str = ""
    reason: str
    evidence: str = ""
    evidence_link: str = Field(default="", sa_column_kwargs={"server_default": ""})
    ticket: str = ""
    owner_id: int
    requested_by: int
    approved_by: int | None = None
    requested_at: datetime = time_column(sa_column_kwargs={"server_default": text("now()")})
    approved_at: datetime | None = time_column(default=None, nullable=True)
    expires_at: datetime = time_column()
    # The waiver that this one takes the place of once it is approved: an edit or a renewal.
    replaces_id: int | None = Field(default=None, foreign_key="waiver.id")
    ended_at: datetime | None = time_column(default=None, nullable=True)
    ended_by: int | None = None
    # Why it ended, in words: the refusal's reason, or which value changed.
    end_words: str = Field(default="", sa_column_kwargs={"server_default": ""})
    reminded_at: datetime | None = time_column(default=None, nullable=True)
    # Settings whose change ends the waiver early: address -> value when it was approved.
    trip_wires: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSONB, nullable=False, server_default="{}"))


class WaiverHost(SQLModel, table=True):
    """One host under a waiver: that it is listed, its own trip-wires, and whether one of them was touched."""

    __tablename__ = "waiver_host"

    waiver_id: int = Field(foreign_key="waiver.id", primary_key=True)
    host_id: str = Field(foreign_key="host.id", primary_key=True, index=True, sa_type=Text)
    # address -> value when the waiver was approved, or when the host came under it.
    wires: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSONB, nullable=False, server_default="{}"))
    tripped_at: datetime | None = time_column(default=None, nullable=True)
    words: str = ""


class Attestation(SQLModel, table=True):
    """A person's statement about something that hosts can't report, for a host or for a group with all its hosts, until it expires."""

    __tablename__ = "attestation"
    __table_args__ = (Index("ix_attestation_state_expires_at", "state", "expires_at"),)

    id: int | None = Field(default=None, primary_key=True)
    state: str = AttestationState.ACTIVE
    rule_no: int = Field(sa_type=SmallInteger)
    also_rule_nos: list[int] = Field(default_factory=list, sa_column=Column(ARRAY(SmallInteger), nullable=False, server_default="{}"))
    host_id: str | None = Field(default=None, foreign_key="host.id", index=True, sa_type=Text)
    group_id: int | None = Field(default=None, foreign_key="host_group.id", index=True)
    is_so: bool
    statement: str
    evidence_link: str = ""
    author_id: int
    made_at: datetime = time_column(sa_column_kwargs={"server_default": text("now()")})
    expires_at: datetime = time_column()
    ended_at: datetime | None = time_column(default=None, nullable=True)
    ended_by: int | None = None
    end_words: str = ""
    reminded_at: datetime | None = time_column(default=None, nullable=True)


class EvidenceFile(SQLModel, table=True):
    """A file that a person attached to a waiver or an attestation; served as an attachment only."""

    __tablename__ = "evidence_file"

    id: int | None = Field(default=None, primary_key=True)
    waiver_id: int | None = Field(default=None, foreign_key="waiver.id", index=True)
    attestation_id: int | None = Field(default=None, foreign_key="attestation.id", index=True)
    name: str
    media_type: str
    size_bytes: int
    sha256: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    content: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    uploaded_by: int
    uploaded_at: datetime = time_column(sa_column_kwargs={"server_default": text("now()")})


class RollupDelta(SQLModel, table=True):
    """What one committed batch changed, added in the same transaction and folded into the rollups by one process."""

    __tablename__ = "rollup_delta"

    id: int | None = Field(default=None, sa_column=Column(BigInteger, Identity(always=True), primary_key=True))
    group_id: int
    # 0 means hosts: then `bucket` counts hosts by score band, freshness and outcome. Below 0: linked rules, counted once.
    rule_no: int = Field(sa_type=SmallInteger)
    bucket: str
    hosts: int = 0
    subjects: int = 0
    amount: float = 0.0


class Rollup(SQLModel, table=True):
    """Folded counts by group, rule and bucket. A reader adds the deltas not folded yet, so it never disagrees with a receipt."""

    __tablename__ = "rollup"

    group_id: int = Field(primary_key=True)
    rule_no: int = Field(primary_key=True, sa_type=SmallInteger)
    bucket: str = Field(primary_key=True)
    # Of the hosts in the group itself.
    hosts: int = 0
    subjects: int = 0
    amount: float = 0.0
    # Of the hosts in the group and in all groups below it.
    subtree_hosts: int = 0
    subtree_subjects: int = 0
    subtree_amount: float = 0.0


class FleetDay(SQLModel, table=True):
    """The fleet's figures at the end of a day (or now, for today), by group: what trends are drawn from."""

    __tablename__ = "fleet_day"

    day: date = Field(sa_column=Column(Date, primary_key=True))
    group_id: int = Field(primary_key=True)
    hosts: int = 0
    fresh: int = 0
    scored: int = 0
    score_mean: float | None = None
    score_median: float | None = None
    rule_coverage: float | None = None
    n_pass: int = 0
    n_fail: int = 0
    n_unknown: int = 0
    n_waived: int = 0
    n_not_applicable: int = 0


class FleetEvent(SQLModel, table=True):
    """Marks on trends: a pack published or activated, a fleet-wide act."""

    __tablename__ = "fleet_event"

    id: int | None = Field(default=None, primary_key=True)
    at: datetime = time_column(sa_column_kwargs={"server_default": text("now()")})
    kind: str
    label: str
    # The group that it is about, and all below it; None: the whole fleet.
    group_id: int | None = None


class SavedView(SQLModel, table=True):
    """A named URL of a page with its filters."""

    __tablename__ = "saved_view"

    id: int | None = Field(default=None, primary_key=True)
    person_id: int
    name: str
    url: str
    is_shared: bool = False
    # Opens instead of the page itself; one a person and page.
    is_default: bool = False
    created_at: datetime = time_column(sa_column_kwargs={"server_default": text("now()")})


class PeerAnswer(SQLModel, table=True):
    """An evaluated host's answers to its peers: the values that rules comparing hosts read of it, and its peer domains."""

    __tablename__ = "peer_answer"
    __table_args__ = (Index("ix_peer_answer_domains", "domains", postgresql_using="gin"),)

    host_id: str = Field(foreign_key="host.id", primary_key=True, sa_type=Text)
    # Failure domains that compare: "cluster:NAME", "fabric:LABEL", and "group:ID" for adapters without a label.
    domains: list[str] = Field(sa_column=Column(ARRAY(Text), nullable=False))
    # The peer domain of each adapter that takes part.
    adapters: dict[str, str] = Field(sa_column=Column(JSONB, nullable=False))
    # Question -> [[item id, value or null]]; a question without an entry was not asked when the host was evaluated.
    answers: dict[str, Any] = Field(sa_column=Column(JSONB, nullable=False))
    # A digest of these questions.
    asked: str
    is_silent: bool = False


class PeerDomain(SQLModel, table=True):
    """The version of a domain: another number after each change in it. Only the background worker sets it."""

    __tablename__ = "peer_domain"

    domain: str = Field(primary_key=True)
    version: int = Field(default=0, sa_type=BigInteger)


class PeerDomainChange(SQLModel, table=True):
    """Something changed in a domain, added in the same transaction. Its hosts lag until the background has taken it."""

    __tablename__ = "peer_domain_change"

    id: int | None = Field(default=None, sa_column=Column(BigInteger, Identity(always=True), primary_key=True))
    domain: str


class PeerReevaluation(SQLModel, table=True):
    """A host whose peers changed: to be re-evaluated."""

    __tablename__ = "peer_reevaluation"

    id: int | None = Field(default=None, sa_column=Column(BigInteger, Identity(always=True), primary_key=True))
    host_id: str = Field(sa_type=Text, index=True)


FINDING = columns_of(CurrentFinding)
WAIVER = columns_of(Waiver)
WAIVER_HOST = columns_of(WaiverHost)
ATTESTATION = columns_of(Attestation)
EVIDENCE_FILE = columns_of(EvidenceFile)
SAVED_VIEW = columns_of(SavedView)
