"""The planner's input: hosts as they are now, the findings chosen on them, and the limits to keep."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from plumbline.core.facts.configuration import HOST, Configuration, Subject
from plumbline.core.facts.paths import PathMap, SessionRoute
from plumbline.core.planning.plan import FindingRef
from plumbline.core.planning.refusals import Refused
from plumbline.core.rules.rule import Fix, FixSetting, Rule


@dataclass(frozen=True, slots=True)
class Chosen:
    """What a person wants on one item: a failing finding fixed, with the rule that failed; or, without a rule, one setting set to a value
    that it had before or that another host has.
    """

    rule: Rule | None
    subject: Subject
    setting: FixSetting | None = None

    @property
    def pack(self) -> str:
        """The pack of the rule; empty where no rule is meant."""
        return self.rule.pack if self.rule is not None else ""

    @property
    def name(self) -> str:
        """The rule's id, or the key of the setting."""
        return self.rule.id if self.rule is not None else self.setting.key if self.setting is not None else ""

    @property
    def fix(self) -> Fix:
        """What is to be set."""
        if self.rule is not None:
            return self.rule.fix
        return Fix(set=(self.setting,) if self.setting is not None else ())


@dataclass(frozen=True, slots=True)
class ClusterState:
    """What is known of a host's failover cluster or S2D. None: not known.

    `node` is `up`, `paused` or `down`; `others_up`: every other node is up; `storage_jobs`: storage jobs that run (resync, repair).
    """

    node: str | None = None
    others_up: bool | None = None
    storage_jobs: int | None = None


@dataclass(frozen=True, slots=True)
class FrameProof:
    """The largest frame that a host was seen to send, whole and unfragmented, to a portal."""

    size_bytes: int
    host_name: str


@dataclass(frozen=True, slots=True)
class HostFacts:
    """One host as it is now.

    `facts_at` is the time of its check-in (RFC 3339, UTC), `configuration_hash` the name of its configuration, `stale` why its facts are
    too old to plan on (empty: they are fresh), `shut_out` why Plumbline cannot sign in to it (empty: no reason known), `reached_at` the
    address under which it would (empty: none is set up). `without_job` is why Plumbline itself carries nothing out on it (observe only, no
    credential), None where it may.
    `sessions` are its connected iSCSI sessions, those of targets without a volume included; None where their list could not be read.
    `fabrics` maps adapter ids to labels; one without a label belongs to the shared fabric "".
    `domains` are its failure domains, as the plan carries them. `load_percent` is the load of its busiest SAN adapter over the last
    5 minutes, None without counters.
    """

    host: str
    name: str
    configuration: Configuration
    path_map: PathMap
    chosen: tuple[Chosen, ...]
    facts_at: str
    configuration_hash: str
    domains: tuple[str, ...] = ()
    fabrics: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    cluster: ClusterState = ClusterState()
    load_percent: int | None = None
    stale: str = ""
    sessions: tuple[SessionRoute, ...] | None = None
    shut_out: str = ""
    without_job: Refused | None = None
    reached_at: str = ""

    @property
    def release(self) -> str:
        """The release as rules name it; empty where it is not known."""
        value = self.configuration.value(HOST, "os_release")
        return value if isinstance(value, str) else ""

    def fabric_of(self, adapter: str) -> str:
        """The failure domain of an adapter's fabric: its label, within the group that it is a label of."""
        label = self.fabrics.get(adapter, "") or "shared"
        group = next((domain.partition("/")[0] for domain in self.domains if domain.startswith("fabric:")), "fabric:")
        return f"{group}/{label}"

    def ref(self, chosen: Chosen) -> FindingRef:
        """The identity of a chosen finding."""
        return FindingRef(self.host, chosen.pack, chosen.name, chosen.subject.kind, chosen.subject.id)

    def name_of(self, subject: Subject) -> str:
        """What the host itself calls a subject; its id where it has no other name."""
        name = self.configuration.value(subject, "name")
        return name if isinstance(name, str) and name else subject.id or self.name


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a plan. A person may set them by group.

    `floor_before` and `floor_during`: healthy paths that each SAN volume must have before a step takes a path, and keeps while it does.
    `floor_mtu`: those it keeps without a VMkernel interface whose frame size changes, unless the host is in maintenance mode.
    `slots`: hosts of one failure domain at a time, by the domain's kind; `domain_slots` by its whole name, where a person set it.
    `heavy_load_percent`: from this load on nothing is changed. `frame_attested_by`: who attests that array and switches carry the new
    frame size, empty for no one. `canary`: host id of the canary, empty to let the planner choose.
    Estimates, recommended by Plumbline: `restart_seconds` for an adapter to be back with its sessions, `cut_seconds` where only the link or
    interface resets, `settle_seconds` of steady sessions before the next step, `write_seconds` for a step without either.
    """

    floor_before: int = 2
    floor_during: int = 1
    floor_mtu: int = 2
    slots: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({"cluster": 1, "fabric": 1, "group": 10}))
    domain_slots: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    wave_size: int = 10
    canary: str = ""
    canary_bake_s: int = 600
    wave_bake_s: int = 0
    failure_budget: int = 1
    deadman_s: int = 90
    heavy_load_percent: int = 60
    frame_attested_by: str = ""
    restart_seconds: int = 12
    cut_seconds: int = 5
    settle_seconds: int = 60
    write_seconds: int = 5
    largest_vector: int = 32

    def slots_of(self, domain: str) -> int:
        """How many hosts of a failure domain may be changed at a time."""
        return max(1, self.domain_slots.get(domain, self.slots.get(domain.partition(":")[0], 1)))
