"""API shapes of groups, hosts, their settings, changes, paths, and of enrolment."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from plumbline.core.facts.configuration import Scalar
from plumbline.infra.schemas import Drift, Freshness, Input, Name, NamedHost, RowId, Shape, SubjectShape, Words

Mode = Literal["observe", "remediate"]
Platform = Literal["windows", "esxi"]
# Begins and ends with a letter or figure: "A" and "A " must not be two fabrics.
FabricName = Annotated[str, Field(max_length=60, pattern=r"^\w(?:[\w .:@+-]*\w)?$")]


class Group(Shape):
    """One group of the tree. `mode` None inherits; `mode_effective` is what holds. `hosts` counts the group and all below it.

    `is_ticket_required`: plans and waivers here and below need a ticket; `is_ticket_required_effective` counts the groups above too.
    """

    id: int
    parent_id: int | None
    name: str
    path: str
    mode: Mode | None
    mode_effective: Mode
    is_ticket_required: bool
    is_ticket_required_effective: bool
    hosts: int


class GroupCreate(Input):
    """A new group below another."""

    parent_id: RowId
    name: Name


class GroupUpdate(Input):
    """Only the fields that are sent are changed; `mode` null makes the group inherit."""

    name: Name | None = None
    mode: Mode | None = None
    is_ticket_required: bool | None = None
    parent_id: RowId | None = None


class WorstRule(Shape):
    """The failing rule that costs the host most."""

    pack: str
    rule: str
    title: str


class DriftMarks(Shape):
    """The four clocks: against the standard, the accepted baseline, the peers, and running against persisted."""

    standard: Drift
    baseline: Drift
    peers: Drift
    persisted: Drift


class HostRow(Shape):
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


class HostPage(Shape):
    """One page of hosts. `next` goes into `after`; `total` counts all that match."""

    items: list[HostRow]
    total: int
    next: str | None
    as_of: datetime


class FacetValue(Shape):
    """One value of a facet with the hosts that have it under the other filters."""

    value: str
    label: str
    count: int


class Facet(Shape):
    """One facet; its own filter does not narrow its values. `more` values with hosts are not listed."""

    name: str
    label: str
    values: list[FacetValue]
    more: int


class HostFacets(Shape):
    """All facets under the present filters."""

    facets: list[Facet]
    total: int


class SectionState(Shape):
    """One section of the newest check-in."""

    name: str
    status: str
    error: str
    took_ms: int | None
    changed_at: datetime
    sha256: str | None


class PointsLost(Shape):
    """What one rule costs the host: `points_lost` of 100."""

    pack: str
    rule: str
    title: str
    points_lost: float


class Hold(Shape):
    """A person keeps jobs and notices off this host until then."""

    by: str
    reason: str
    until: datetime | None


class HostDetail(HostRow):
    """One host, whole. `mode` is the host's own where it is stricter than its group, None where it follows it."""

    mode: Mode | None
    os_version: str
    os_build: str
    manufacturer: str
    model: str
    source: str
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


class EnteredChoice(Shape):
    """One value that may be entered, and what it is called."""

    value: str
    label: str


class HostSetting(Shape):
    """One setting of a host. `text` is the value in words with its unit; `state` says whether there is a value at all.

    `choices` is there where the host cannot tell and a person may enter the value: the values to choose from, none for a number.
    """

    subject: SubjectShape
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
    source: "SettingSourceShape | None"
    takes_effect: str
    counterpart_text: str | None
    choices: list[EnteredChoice] | None


class SettingSourceShape(Shape):
    """Where a value was read: section, command, field, the raw text, and the digest of the body that carried it."""

    section: str
    command: str
    field: str
    raw: str
    sha256: str | None
    read_at: datetime | None


class HostSettings(Shape):
    """All settings of the newest configuration."""

    as_of: datetime | None
    items: list[HostSetting]


class Change(Shape):
    """One setting that changed. `old` and `new` in words; an en dash where there was nothing."""

    id: int
    at: datetime
    subject: SubjectShape
    key: str
    label: str
    old: str
    new: str
    cause: str
    cause_detail: str
    seq: int


class ChangePage(Shape):
    """Changes of one host, newest first."""

    items: list[Change]
    next: str | None


class PathVolume(Shape):
    """A SAN volume and how many of its paths are healthy."""

    id: str
    name: str
    size_bytes: int | None
    policy: str
    module: str
    healthy: int
    total: int


class PathAdapter(Shape):
    """An adapter that carries paths. `issue` says in words what is wrong with it, empty where nothing is."""

    id: str
    name: str
    role: str
    family: str
    fabric: str
    link_up: bool | None
    addresses: list[str]
    issue: str


class PathPortal(Shape):
    """A portal of an array."""

    address: str


class PathRow(Shape):
    """One path."""

    volume: str
    initiator: str
    target: str
    portal: str
    source_address: str
    adapter: str
    state: str
    runtime_name: str


class VolumeLeft(Shape):
    """What a restart of an adapter leaves of one volume's healthy paths."""

    volume: str
    name: str
    healthy: int
    total: int


class WithoutAdapter(Shape):
    """What stays while one adapter restarts."""

    adapter: str
    name: str
    leaves: list[VolumeLeft]


class HostPaths(Shape):
    """The path map. `problem` is empty where every witness agrees."""

    problem: str
    volumes: list[PathVolume]
    adapters: list[PathAdapter]
    portals: list[PathPortal]
    paths: list[PathRow]
    without: list[WithoutAdapter]


class Said(Shape):
    """One sentence about what was done or asked for."""

    words: str


class HostApprove(Input):
    """Approves a waiting host, into another group if one is given."""

    group_id: RowId | None = None


class HostRetire(Input):
    """Takes a host out of the fleet; the reason is kept in the audit trail."""

    reason: Annotated[Words, Field(min_length=3)]


class HostUpdate(Input):
    """Only the fields that are sent are changed. `roles` sets adapter roles by adapter id; null gives the derived role back.

    `entered` sets, by address, settings that no host tells (those of an offload engine); null takes them back. `fabrics` labels adapters
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


class EnrolmentTokenRow(Shape):
    """A token, without the token itself."""

    id: int
    name: str
    group_id: int
    group_name: str
    name_pattern: str
    is_auto_approved: bool
    host_id: str | None
    uses_left: int
    expires_at: datetime
    revoked_at: datetime | None
    created_at: datetime


class EnrolmentTokenCreate(Input):
    """A new token. `name_pattern` is a shell pattern the host's name must match; `host_id` re-enrols that host and nothing else."""

    name: Name
    group_id: RowId
    platform: Platform
    name_pattern: Words = ""
    is_auto_approved: bool = False
    uses: Annotated[int, Field(ge=1, le=10_000)] = 1
    expires_hours: Annotated[int, Field(ge=1, le=24 * 90)] = 24
    host_id: Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")] | None = None


class InstallCommand(Shape):
    """A command to paste on the host."""

    platform: str
    title: str
    command: str
    notes: str


class EnrolmentTokenMade(Shape):
    """The token, shown this once."""

    id: int
    token: str
    expires_at: datetime
    commands: list[InstallCommand]


class WaitingHost(Shape):
    """A host that enrolled and waits for approval."""

    id: str
    name: str
    platform: str
    os_name: str
    enrolled_at: datetime
    last_seen_at: datetime | None
    address: str
    token_name: str
    agent_version: str


__all__ = ["NamedHost"]
