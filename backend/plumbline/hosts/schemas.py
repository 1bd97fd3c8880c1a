"""API schemas of hosts: list, page, settings, changes and paths."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from plumbline.core.facts.configuration import Scalar
from plumbline.drift.schemas import DriftMarks
from plumbline.drift.ticket_reads import TicketOut
from plumbline.infra.schemas import Freshness, Input, RowId, Schema, SubjectOut, Words

Mode = Literal["observe", "remediate"]
Platform = Literal["windows", "esxi"]
# Begins and ends with a letter or figure: "A" and "A " must not be two fabrics.
FabricName = Annotated[str, Field(max_length=60, pattern=r"^\w(?:[\w .:@+-]*\w)?$")]


class WorstRule(Schema):
    """The failing rule that costs the host most. `headline` says what is wrong; a list counts its items, the page of a host names them."""

    pack: str
    rule: str
    title: str
    headline: str


class HostRow(Schema):
    """A host as lists show it."""

    id: str
    name: str
    group_id: int
    group_name: str
    platform: str
    os_name: str
    os_release: str
    cluster: str
    families: list[str]
    initiator_modes: list[str]
    score: int | None
    capped_by: str
    rule_coverage: float | None
    n_pass: int
    n_fail: int
    n_unknown: int
    n_not_applicable: int
    n_waived: int
    n_excluded: int
    n_guard_rail: int
    worst: WorstRule | None
    freshness: Freshness
    last_seen_at: datetime | None
    paths_healthy: int | None
    paths_total: int | None
    drift: DriftMarks
    mode_effective: Mode
    state: str
    is_lab: bool
    agent_version: str
    alarm: str
    failed_sections: list[str]
    is_restart_pending: bool
    changed_24h: bool


class HostPage(Schema):
    """One page of hosts. `next` goes into `after`; `total` counts all that match."""

    items: list[HostRow]
    total: int
    next: str | None
    as_of: datetime


class FacetValue(Schema):
    """One value of a facet with the hosts that have it under the other filters."""

    value: str
    label: str
    count: int


class Facet(Schema):
    """One facet; its own filter does not narrow its values. `more` values with hosts are not listed."""

    name: str
    label: str
    values: list[FacetValue]
    more: int


class HostFacets(Schema):
    """All facets under the present filters."""

    facets: list[Facet]
    total: int


class SectionState(Schema):
    """One section of the newest check-in."""

    name: str
    status: str
    error: str
    took_ms: int | None
    changed_at: datetime
    sha256: str | None


class PointsLost(Schema):
    """What one rule costs the host: `points_lost` of 100. `headline` says what is wrong and where."""

    pack: str
    rule: str
    title: str
    headline: str
    points_lost: float


class Hold(Schema):
    """A person keeps jobs and notices off this host until then."""

    by: str
    reason: str
    until: datetime | None


class KnownFromBundle(Schema):
    """The support bundle that a host without an agent is known from. `as_of`: when it was collected, or where it tells no time
    (`tells_time` false) when it was uploaded.
    """

    bundle: str
    kind_label: str
    as_of: datetime
    tells_time: bool
    added_at: datetime


class HostDetail(HostRow):
    """One host, whole. `mode` is the host's own where it is stricter than its group, None where it follows it."""

    mode: Mode | None
    os_version: str
    os_build: str
    manufacturer: str
    model: str
    source: str
    from_bundle: KnownFromBundle | None
    skew_seconds: float | None
    enrolled_at: datetime
    approved_at: datetime | None
    interval_seconds: int
    sections: list[SectionState]
    problems: list[str]
    why: list[PointsLost]
    hold: Hold | None
    overrides: dict[str, str]
    tags: list[str]
    cause_of_cap: str
    adapters_line: str
    path_problem: str
    # Of the last 90 days, newest first.
    tickets: list[TicketOut]


class EnteredChoice(Schema):
    """One value that may be entered, and what it is called."""

    value: str
    label: str


class HostSetting(Schema):
    """One setting of a host. `text` is the value as text with its unit; `state` says whether there is a value.

    `choices` is set if the host can't report the value and a person may enter it: the values to choose from; empty for a number.
    """

    subject: SubjectOut
    address: str
    key: str
    label: str
    meaning: str
    text: str
    value: Scalar | list[Scalar] | None
    unit: str
    layer: str
    state: Literal["value", "unknown", "not_offered"]
    reason: str
    source: "SettingSourceOut | None"
    takes_effect: str
    counterpart_text: str | None
    choices: list[EnteredChoice] | None


class SettingSourceOut(Schema):
    """Where a value was read: section, command, field, the raw text, and the digest of the body that carried it.

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


class HostSettings(Schema):
    """All settings of the newest configuration."""

    as_of: datetime | None
    items: list[HostSetting]


class Change(Schema):
    """One setting that changed. `old` and `new` in words; an en dash where there was nothing."""

    id: int
    at: datetime
    subject: SubjectOut
    key: str
    label: str
    old: str
    new: str
    cause: str
    cause_detail: str
    job_id: int | None
    seq: int


class ChangePage(Schema):
    """Changes of one host, newest first."""

    items: list[Change]
    next: str | None


class PathVolume(Schema):
    """A SAN volume and how many of its paths are healthy."""

    id: str
    name: str
    size_bytes: int | None
    policy: str
    module: str
    healthy: int
    total: int


class AdapterSwitch(Schema):
    """The switch port that an adapter is cabled to, as the switch announces it; null for an MTU or VLAN that it does not announce.

    `unknown` says why it is not known, and is empty where it is; `cause` names the port as the likely cause of frames that do not get
    through, and is empty where they do, or where the port announces enough.
    """

    id: str
    name: str
    port: str
    platform: str
    address: str
    mtu: int | None
    native_vlan: int | None
    protocol: str
    unknown: str
    cause: str
    # Classes and priorities that the switch announces by DCBX, beside the host's own; empty where none is heard.
    remote_classes: list[str]
    own_classes: list[str]
    remote_flow_control: list[int]
    own_flow_control: list[int]


class PathAdapter(Schema):
    """An adapter that carries paths. `issue` is what is wrong with it; empty if nothing. No `switch`: its host was never asked."""

    id: str
    name: str
    role: str
    family: str
    fabric: str
    link_up: bool | None
    addresses: list[str]
    issue: str
    switch: AdapterSwitch | None


class PathPortal(Schema):
    """A portal of an array."""

    address: str


class PathRow(Schema):
    """One path."""

    volume: str
    initiator: str
    target: str
    portal: str
    source_address: str
    adapter: str
    state: str
    runtime_name: str


class VolumeLeft(Schema):
    """What a restart of an adapter leaves of one volume's healthy paths."""

    volume: str
    name: str
    healthy: int
    total: int


class WithoutAdapter(Schema):
    """What stays while one adapter restarts."""

    adapter: str
    name: str
    leaves: list[VolumeLeft]


class HostPaths(Schema):
    """The path map. `problem` is empty where every witness agrees."""

    problem: str
    volumes: list[PathVolume]
    adapters: list[PathAdapter]
    portals: list[PathPortal]
    paths: list[PathRow]
    without: list[WithoutAdapter]


class HostApprove(Input):
    """Approves a waiting host, into another group if one is given."""

    group_id: RowId | None = None


class HostRetire(Input):
    """Takes a host out of the fleet; the reason is kept in the audit log."""

    reason: Annotated[Words, Field(min_length=3)]


class HostReason(Input):
    """Why a host is quarantined or released, or its alarm cleared; saved in the audit log."""

    reason: Annotated[Words, Field(min_length=3)]


class HostUpdate(Input):
    """Only the fields that are sent are changed. `roles` sets adapter roles by adapter id; null gives the derived role back.

    `entered` sets, by address, settings that hosts can't report (those of an offload engine); null removes them. `fabrics` labels adapters
    by id with the fabric that they are cabled to; null takes the label off.
    """

    group_id: RowId | None = None
    tags: Annotated[list[Annotated[str, Field(pattern=r"^[\w.:@+-]{1,60}$")]], Field(max_length=50)] | None = None
    mode: Mode | None = None
    roles: dict[str, Literal["san_iscsi", "s2d_storage", "management", "other"] | None] | None = None
    entered: (
        Annotated[dict[Annotated[str, Field(max_length=400)], Annotated[str, Field(max_length=20)] | None], Field(max_length=40)] | None
    ) = None
    fabrics: Annotated[dict[Annotated[str, Field(max_length=400)], FabricName | None], Field(max_length=200)] | None = None
