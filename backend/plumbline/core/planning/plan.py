"""What a plan is: frozen data, the same for the planner, for the person who approves it and for the worker who carries it out.

`document` gives a plan as plain JSON data, `canonical` the bytes of such data that an approval signs, `read_plan` the plan of a document
again. Every value is text, a whole number, a truth value or a list of these: no floating number is ever signed.
"""

import hashlib
import json
from dataclasses import dataclass
from typing import Any, Literal, cast

import msgspec

from plumbline.core.facts.catalogue import TakesEffect
from plumbline.core.facts.configuration import Platform, Reading, Unknown, Value, setting_text
from plumbline.core.rules.rule import Impact

VERSION = 1
# How long the pings of one step may take altogether; the scripts on the hosts keep to half of it.
PING_SECONDS = 60
ABSENT = "absent"  # the host's text of a thing that does not exist: written, it deletes

GateName = Literal[
    "path_map", "path_floor", "path_dead", "boot_from_san", "management_path", "cluster_health", "node_paused", "storage_jobs",
    "maintenance_mode", "heavy_load", "frame_size", "facts_known", "facts_fresh", "release", "manual_only", "group_policy", "driver_limit",
    "failure_domain", "reachable", "remediation_on",
]  # fmt: skip
Opener = Literal["host", "person"]
WaveKind = Literal["canary", "wave"]

# From the mildest to the gravest; `unknown` counts as the gravest.
IMPACTS: tuple[Impact, ...] = ("none", "new_sessions", "adapter_restart", "path_loss", "maintenance", "reboot", "unknown")
# From the soonest to the latest.
EFFECTS: tuple[TakesEffect, ...] = ("now", "new_session", "adapter_restart", "reboot")


@dataclass(frozen=True, slots=True)
class FindingRef:
    """The identity of a finding, whatever its pack's version. Without a pack it is a setting that is to be set: `rule` is then its key."""

    host: str
    pack: str
    rule: str
    subject_kind: str
    subject_id: str


@dataclass(frozen=True, slots=True)
class Element:
    """One value of a step, as the runner compares and sets it.

    `setting` is an address of `agents/schema/runner-settings.yaml`; `seen`, `target` and `inverse` are the host's own text, and `absent`
    stands for what does not exist. `catalogue` is the address of the setting that people know, `expects` the value that a check-in shows
    for it afterwards (`setting_text`; empty where it shows only with the next session or restart), `shown_seen` and `shown_target` the two
    values in words. `until_restart` says in words that the value lasts until the next restart of the host, and how to keep it; empty where
    it lasts.
    """

    setting: str
    seen: str
    target: str
    inverse: str
    catalogue: str
    expects: str
    label: str
    shown_seen: str
    shown_target: str
    until_restart: str = ""


@dataclass(frozen=True, slots=True)
class Gate:
    """A condition that held when the plan was made and is read again before the first step: what it relies on, and the value then.

    `fact` is the address of a setting, `paths/<volume>` for a count of healthy paths, `path_map//problem` for the path map as a whole,
    `load//percent` for the load of the busiest SAN adapter (`value` is then the limit that it stays under), or empty where this host cannot
    tell it (a ping of another host); `value` is then as it was told. `command` is what a person runs to look at it.
    `opened_by` is `person` where only a person can make it true; `command` then says how.
    """

    name: GateName
    words: str
    fact: str
    value: str
    opened_by: Opener = "host"
    command: str = ""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a host, or one finding of it, is left out: the volume, path or fact that stands against it, and what to run to look at it."""

    host: str
    host_name: str
    gate: GateName
    about: str
    words: str
    command: str
    findings: tuple[FindingRef, ...] = ()


@dataclass(frozen=True, slots=True)
class Checklist:
    """What only a person can do for these findings of a host, step by step, and why."""

    host: str
    host_name: str
    findings: tuple[FindingRef, ...]
    because: str
    steps: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class VolumeForecast:
    """Healthy paths of one volume before a step and at the worst moment of it."""

    volume: str
    name: str
    before: int
    during: int


@dataclass(frozen=True, slots=True)
class Forecast:
    """What a step, or a host's whole part, does to this host as it is now.

    `seconds` is the estimated interruption of the paths it takes (0: none); `duration_s` the estimated time it runs, waiting for sessions
    to come back included. `volumes` holds those that lose a path, the worst first.
    """

    impact: Impact
    words: str
    seconds: int
    duration_s: int
    volumes: tuple[VolumeForecast, ...] = ()


@dataclass(frozen=True, slots=True)
class Command:
    """What a person would type for a part of a step. Shown and copied, never run by us: the runner acts on the elements.

    `element` is the place of its element in the step, -1 for the restart that all of them share.
    """

    shell: Literal["powershell", "esxcli"]
    text: str
    element: int = -1


@dataclass(frozen=True, slots=True, order=True)
class Ping:
    """One do-not-fragment ping. `source` is what the host's own ping is bound to: a VMkernel interface (`vmk1`), or on Windows the source
    address. `portal` is an address without a port."""

    source: str
    portal: str


@dataclass(frozen=True, slots=True)
class Step:
    """A vector of elements and at most one restart; the least that is carried out, confirmed and undone.

    `adapters` are the adapters whose paths it takes while it runs (empty: none), `fabric` their fabric. `restart` is the address of what
    restarts once (`adapter/<id>`, `vnic/<id>`) or empty. `deadman_s` is the time after which the host undoes it by itself unless it is
    confirmed, 0 where it cannot cut its own path. `health_floor` is the number of healthy paths that every SAN volume must have before it
    begins, 0 where it takes none. `pings` are sent with an L3 size of `probe_bytes` and must all be answered before it is
    confirmed; none, and 0, where no frame grows. `pending` says what its effect still waits for afterwards.
    """

    number: int
    title: str
    elements: tuple[Element, ...]
    restart: str
    adapters: tuple[str, ...]
    fabric: str
    impact: Impact
    takes_effect: TakesEffect
    deadman_s: int
    health_floor: int
    probe_bytes: int
    forecast: Forecast
    gates: tuple[Gate, ...]
    commands: tuple[Command, ...]
    undo_commands: tuple[Command, ...]
    findings: tuple[FindingRef, ...]
    pings: tuple[Ping, ...] = ()

    @property
    def pending(self) -> Literal["", "new_session", "reboot"]:
        """What must still happen before the new value works: a new session or a restart of the host."""
        return self.takes_effect if self.takes_effect in ("new_session", "reboot") else ""

    @property
    def takes_path(self) -> bool:
        """It drops traffic of at least one adapter while it runs."""
        return bool(self.adapters)


@dataclass(frozen=True, slots=True)
class HostPlan:
    """The part of a plan that one job carries out on one host.

    `domains` are the names of its failure domains (`cluster:<name>`, `group:<id>`, `fabric:<group>/<label>`), `facts_at` the time of the
    check-in (RFC 3339, UTC) and `configuration` the hash of the configuration that it was made from.
    """

    host: str
    name: str
    platform: Platform
    release: str
    facts_at: str
    configuration: str
    domains: tuple[str, ...]
    gates: tuple[Gate, ...]
    steps: tuple[Step, ...]
    forecast: Forecast


@dataclass(frozen=True, slots=True)
class Wave:
    """Hosts whose jobs may run in the same span; the next wave begins after all of them ended well and `bake_s` went by."""

    number: int
    kind: WaveKind
    hosts: tuple[str, ...]
    bake_s: int


@dataclass(frozen=True, slots=True)
class Plan:
    """The ordered steps that would clear the chosen findings, and everything that was left out with its reason.

    The plan pauses as soon as `failure_budget` jobs, at least 1, ended other than well. `already_right` are chosen findings whose
    values are what the fix would set. `packs` are `pack@version` of the rules. `without_job` are parts of hosts that Plumbline may not
    change or cannot reach: their findings are among the refusals, no job is made of them, and their commands are for people to copy.
    """

    v: int
    title: str
    packs: tuple[str, ...]
    hosts: tuple[HostPlan, ...]
    waves: tuple[Wave, ...]
    failure_budget: int
    refusals: tuple[Refusal, ...]
    checklists: tuple[Checklist, ...]
    already_right: tuple[FindingRef, ...]
    forecast: Forecast
    without_job: tuple[HostPlan, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Nothing is left to do on any host."""
        return not any(host.steps for host in self.hosts)

    def host(self, host_id: str) -> HostPlan | None:
        """The part of one host, or None."""
        return next((part for part in self.hosts if part.host == host_id), None)


class NotCanonical(ValueError):
    """Data that has no canonical form: a floating number, a name that is no text, anything that JSON does not have."""


def document(plan: Plan) -> dict[str, Any]:
    """A plan as plain JSON data. What is empty and was not known to older versions is left out: what is signed keeps its bytes."""
    plain = cast(dict[str, Any], msgspec.to_builtins(plan))
    if not plan.without_job:
        del plain["without_job"]
    hosts = [*plain["hosts"], *plain.get("without_job", ())]
    for element in (element for host in hosts for step in host["steps"] for element in step["elements"]):
        if not element["until_restart"]:
            del element["until_restart"]
    return plain


def read_plan(plain: Any) -> Plan:
    """The plan of a document, every field checked; raises `msgspec.ValidationError` naming the place."""
    return msgspec.convert(plain, Plan)


def canonical(plain: Any) -> bytes:
    """The one form in which data is signed: names sorted, ASCII with escapes, no spaces, no floating numbers.

    Raises NotCanonical with the place of what cannot be said so.
    """
    _refuse_inexact(plain, "$")
    return json.dumps(plain, sort_keys=True, ensure_ascii=True, separators=(",", ":"), allow_nan=False).encode("ascii")


def digest(plain: Any) -> str:
    """SHA-256 of the canonical form, in lower-case hex: the plan's hash as screens show it."""
    return hashlib.sha256(canonical(plain)).hexdigest()


def _refuse_inexact(value: Any, place: str) -> None:
    if value is None or isinstance(value, bool | int | str):
        return
    if isinstance(value, dict):
        for name, part in value.items():
            if not isinstance(name, str):
                raise NotCanonical(f"{place}: the name {name!r} is no text")
            _refuse_inexact(part, f"{place}.{name}")
        return
    if isinstance(value, list | tuple):
        for at, part in enumerate(value):
            _refuse_inexact(part, f"{place}[{at}]")
        return
    raise NotCanonical(f"{place}: {type(value).__name__} has no canonical form")


def reading_text(reading: Reading) -> str:
    """A reading as the value of a gate's fact: its text, `unknown` or `not offered`."""
    if isinstance(reading, Value):
        return setting_text(reading.value)
    return "unknown" if isinstance(reading, Unknown) else "not supported"


def gravest(impacts: "list[Impact] | tuple[Impact, ...]") -> Impact:
    """The gravest of several impacts; `none` of no impact."""
    return max(impacts, key=IMPACTS.index, default="none")


def latest(effects: "list[TakesEffect] | tuple[TakesEffect, ...]") -> TakesEffect:
    """The latest of several times of effect; `now` of none."""
    return max(effects, key=EFFECTS.index, default="now")
