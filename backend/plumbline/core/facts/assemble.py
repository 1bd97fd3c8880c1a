"""From the sections of one check-in to one configuration, whatever the platform and however little of it could be read."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cache

import msgspec

from plumbline.core.facts import esxi, windows
from plumbline.core.facts.catalogue import BY_KEY, ROLES, SettingSource
from plumbline.core.facts.clock_skew import say_clock
from plumbline.core.facts.configuration import (
    HOST,
    Configuration,
    Facts,
    Platform,
    Reading,
    SectionReading,
    Source,
    Subject,
    Unknown,
    Value,
    decode_id,
    differing_keys,
    merge,
    merged,
)
from plumbline.core.facts.entered import enter
from plumbline.core.facts.join import Steps
from plumbline.core.facts.paths import PathMap

_ROLE_SUFFIX = "/role"
_JOIN_FAILED = "internal error while joining the sections"
# The section, and on Windows the reads, that say which subjects of a kind there are. A subject that they do not list is gone; one that
# they could not look for stays.
_INVENTORY: dict[Platform, dict[str, tuple[str, tuple[str, ...]]]] = {
    "windows": {
        "adapter": ("adapters", ("Get-NetAdapter",)),
        "vnic": ("adapters", ("Get-NetAdapter",)),
        "team": ("adapters", ("Get-NetLbfoTeam",)),
        "initiator": ("iscsi", ("Get-InitiatorPort", "Get-IscsiSession")),
        "target": ("iscsi", ("Get-IscsiSession",)),
        "volume": ("storage", ("Get-Disk",)),
        "vswitch": ("vswitch", ("Get-VMSwitch",)),
        "tcp_template": ("tcp", ("Get-NetTCPSetting",)),
        "transport_filter": ("tcp", ("Get-NetTransportFilter",)),
        "qos_class": ("qos", ("Get-NetQosTrafficClass",)),
        "qos_policy": ("qos", ("Get-NetQosPolicy",)),
    },
    "esxi": {
        "adapter": ("nics", ()),
        "vnic": ("vmkernel", ()),
        "initiator": ("iscsi", ()),
        "target": ("iscsi", ()),
        "volume": ("paths", ()),
        "vswitch": ("vswitch", ()),
        "portgroup": ("vswitch", ()),
        "module": ("modules", ()),
    },
}


class Unread(msgspec.Struct, frozen=True):
    """A section, or one command of it, that gave nothing, and why."""

    section: str
    command: str
    reason: str


class Assembled(msgspec.Struct, frozen=True):
    """One host as understood from one check-in.

    `problems` are sentences for the host page. `internal_errors` are our own faults: they cost the settings of one section, are alarmed,
    and `plumbline rejudge` repairs them once the fault is mended.
    """

    configuration: Configuration
    path_map: PathMap
    problems: tuple[str, ...] = ()
    unread: tuple[Unread, ...] = ()
    internal_errors: tuple[str, ...] = ()
    # The only settings that may read otherwise than in the configuration of the memory it was assembled with, keys by subject; None: any.
    moved: Mapping[Subject, Collection[str]] | None = None


@dataclass(frozen=True, slots=True)
class Memory:
    """What assembling one host leaves for its next check-in: whatever rests on nothing that changed is taken from it."""

    platform: Platform
    steps: Steps
    # Everything that was merged, in the order of merging, and what came of it; None where reasons had to be filled in.
    merged: tuple[Facts, ...]
    configuration: Configuration | None
    # The reads that gave nothing, by section, and the kinds whose inventory could not be read.
    lost: Mapping[str, list[Unread]]
    unseen: Mapping[str, str]


def parse_section(platform: Platform, section: str, body: bytes) -> Facts:
    """The facts of one section body; raises only on a fault of ours, which `assemble` turns into unknown settings."""
    return windows.parse_section(section, body) if platform == "windows" else esxi.parse_section(section, body)


def assemble(
    platform: Platform,
    sections: Mapping[str, SectionReading],
    overrides: Mapping[str, str] | None = None,
    *,
    parsed: Mapping[str, Facts] | None = None,
    known_subjects: Iterable[Subject] = (),
    agent_version: str = "",
) -> Assembled:
    """The configuration of one host.

    `overrides`: what a person set, by address (`{"adapter/0010187a2b3c/role": "san_iscsi", "initiator/iqn.../mtu": "9600"}`),
    and what the server saw of the host's clock (`core/facts/clock_skew.py`).
    `parsed`: facts of sections already parsed (the door keeps them by digest); they must be those of the same bodies.
    `known_subjects`: those of the configuration before. Where their inventory failed (`_INVENTORY`), they stay, with every setting unknown,
    so that no subject vanishes only because nobody could look.
    """
    return assemble_again(None, platform, sections, overrides, parsed=parsed, known_subjects=known_subjects, agent_version=agent_version)[0]


def assemble_again(
    memory: Memory | None,
    platform: Platform,
    sections: Mapping[str, SectionReading],
    overrides: Mapping[str, str] | None = None,
    *,
    parsed: Mapping[str, Facts] | None = None,
    known_subjects: Iterable[Subject] = (),
    agent_version: str = "",
    moved: Collection[str] | None = None,
) -> tuple[Assembled, Memory | None]:
    """As `assemble`, and what to give to the host's next check-in as `memory`; None where something of ours failed.

    `memory` spares work only where facts in `parsed` are the very objects of the check-in before. Settings of a subject that read as before
    are the very object of before. `moved`: every section was read, then and now, `parsed` holds the facts of all, and only these sections'
    are not the very objects of `memory`; then no other is looked at.
    """
    internal: list[str] = []
    if memory is not None and memory.platform != platform:
        memory = None
    if memory is not None and parsed is not None and moved is not None:
        taken = _taken_again(memory, parsed, moved)
    else:
        moved = None
        taken = _taken(memory, platform, sections, parsed or {}, internal)
    parts, unread, lost = taken.parts, taken.unread, taken.lost
    known = memory.steps.parts if memory is not None else {}
    roles = _roles(overrides or {})
    steps = Steps(parts, dict(unread), roles, memory.steps if memory is not None else None, moved)
    derived, path_map = _understand(platform, steps, internal)
    is_broken = _JOIN_FAILED in derived.problems
    is_seen = memory is not None and not unread and not memory.steps.unread
    if memory is not None and is_seen and _is_inventory_known(platform, parts, known, moved):
        unseen = memory.unseen
    else:
        unseen = _unseen(platform, parts, unread)
    missing = {subject: unseen[subject.kind] for subject in known_subjects if subject.kind in unseen} if unseen else {}
    said = _said_beside(derived, parts, roles, missing, agent_version)
    enter(said, (*parts.values(), derived), overrides or {})
    say_clock(said, overrides or {})
    told = (said, *parts.values(), derived)
    configuration, differing = _merged(platform, told, memory, None if is_broken else steps.differing)
    if is_broken:
        # The join itself failed: whatever it tells is unknown, for every subject that is there.
        unread = {**dict.fromkeys(_keys_by_section(platform), _JOIN_FAILED), **unread}
    is_filled = bool(unread or missing)
    left = None if is_broken else Memory(platform, steps, told, None if is_filled else configuration, taken.lost_reads, unseen)
    if is_filled:
        configuration, differing = _fill(platform, configuration, unread, missing), None
    problems = [problem for facts in (*parts.values(), derived) for problem in facts.problems]
    return Assembled(configuration, path_map, tuple(problems), tuple(lost), tuple(internal), differing), left


@dataclass(slots=True)
class _Taken:
    """Sections as far as they were read: their facts, why others gave nothing, and the reads that gave nothing by section."""

    parts: Mapping[str, Facts]
    unread: dict[str, str]
    lost: list[Unread]
    lost_reads: Mapping[str, list[Unread]]


def _taken(
    memory: Memory | None, platform: Platform, sections: Mapping[str, SectionReading], parsed: Mapping[str, Facts], internal: list[str]
) -> _Taken:
    parts: dict[str, Facts] = {}
    unread: dict[str, str] = {}
    lost: list[Unread] = []
    lost_reads: dict[str, list[Unread]] = {}
    known = memory.steps.parts if memory is not None else {}
    for section, reading in sections.items():
        if reading.status != "ok":
            words = "failed" if reading.status == "failed" else "is not available"
            unread[section] = f"section {section} {words}" + (f": {reading.error}" if reading.error else "")
            lost.append(Unread(section, "", unread[section]))
            continue
        facts = parsed.get(section)
        if facts is None:
            facts = _guarded(lambda name=section, body=reading.body: parse_section(platform, name, body), section, internal)  # type: ignore[misc]
        if facts is None:
            unread[section] = f"internal error while reading section {section}"
            lost.append(Unread(section, "", unread[section]))
            continue
        parts[section] = facts
        reads = memory.lost.get(section) if memory is not None and known.get(section) is facts else _lost_reads(section, facts)
        if reads:
            lost_reads[section] = reads
            lost.extend(reads)
    return _Taken(parts, unread, lost, lost_reads)


def _taken_again(memory: Memory, parts: Mapping[str, Facts], moved: Collection[str]) -> _Taken:
    """As `_taken`, where every section was read and only some are not as they were."""
    fresh = {section: _lost_reads(section, parts[section]) for section in moved}
    lost_reads = memory.lost
    if any(reads != lost_reads.get(section, []) for section, reads in fresh.items()):
        found = {**memory.lost, **fresh}
        lost_reads = {section: found[section] for section in parts if found.get(section)}
    return _Taken(parts, {}, [each for reads in lost_reads.values() for each in reads], lost_reads)


def _merged(
    platform: Platform, parts: tuple[Facts, ...], memory: Memory | None, differing: Mapping[Subject, Collection[str]] | None
) -> tuple[Configuration, Mapping[Subject, Collection[str]] | None]:
    """As `merge`, and what may read otherwise than before; only what some part tells otherwise than before is merged again.

    `differing`: that of the last part, where it is known.
    """
    if memory is None or memory.configuration is None or len(memory.merged) != len(parts):
        return merge(platform, parts), None
    told: dict[Subject, set[str]] = {}
    for before, now in zip(memory.merged, parts, strict=True):
        if before is not now:
            for subject, keys in (differing if now is parts[-1] and differing is not None else _told_otherwise(before, now)).items():
                told.setdefault(subject, set()).update(keys)
    if not told:
        return memory.configuration, {}
    again: dict[Subject, dict[str, Reading]] = {}
    for subject, moved in told.items():
        mine = [told_of for part in parts if (told_of := part.readings.get(subject)) is not None]
        was = memory.configuration.keys(subject)
        if not was:
            moved.update(*mine)
        if not mine:
            moved.update(was)
            continue
        again[subject] = found = dict(was)
        for key in moved:
            reading = merged([each.get(key) for each in mine])
            if reading is None:
                found.pop(key, None)
            else:
                found[key] = reading
    return memory.configuration.changed(told, Configuration.taking(platform, again)), told


def _told_otherwise(before: Facts, now: Facts) -> dict[Subject, list[str]]:
    """What one part tells otherwise than before, keys by subject."""
    found: dict[Subject, list[str]] = {}
    for subject in {*before.readings, *now.readings}:
        was, told = before.readings.get(subject), now.readings.get(subject)
        if was is not told and was != told:
            found[subject] = differing_keys(was or {}, told or {})
    return found


def _guarded(parse: Callable[[], Facts], section: str, internal: list[str]) -> Facts | None:
    """Runs one parser. Whatever it raises is a fault of ours and must not cost the check-in."""
    try:
        return parse()
    except Exception as error:
        internal.append(f"section {section}: {type(error).__name__}: {error}"[:300])
        return None


def _understand(platform: Platform, steps: Steps, internal: list[str]) -> tuple[Facts, PathMap]:
    try:
        return windows.join(steps) if platform == "windows" else esxi.join(steps)
    except Exception as error:
        internal.append(f"joining the sections: {type(error).__name__}: {error}"[:300])
        return Facts(problems=[_JOIN_FAILED]), PathMap(problem=_JOIN_FAILED)


@cache
def _inventory_sections(platform: Platform) -> frozenset[str]:
    return frozenset(section for section, _ in _INVENTORY[platform].values())


def _is_inventory_known(platform: Platform, parts: Mapping[str, Facts], known: Mapping[str, Facts], moved: Collection[str] | None) -> bool:
    listing = _inventory_sections(platform)
    return listing.isdisjoint(moved) if moved is not None else all(parts.get(name) is known.get(name) for name in listing)


def _unseen(platform: Platform, parts: Mapping[str, Facts], unread: Mapping[str, str]) -> dict[str, str]:
    """Kinds whose inventory could not be read, with the words for it. A command that is not there has nothing to list."""
    found: dict[str, str] = {}
    for kind, (section, commands) in _INVENTORY[platform].items():
        if section in unread:
            found[kind] = unread[section]
        elif section in parts and commands:
            reads = parts[section].observations.get("reads")
            failed = parts[section].observations.get("failed_reads")
            if isinstance(reads, dict) and isinstance(failed, frozenset) and not failed.isdisjoint(commands):
                found[kind] = "; ".join(str(reads[command]) for command in commands if command in failed)
    return found


def _roles(overrides: Mapping[str, str]) -> dict[Subject, str]:
    roles: dict[Subject, str] = {}
    for address, role in overrides.items():
        kind, slash, rest = address.partition("/")
        if slash and rest.endswith(_ROLE_SUFFIX) and role in ROLES:
            roles[Subject(kind, decode_id(rest.removesuffix(_ROLE_SUFFIX)))] = role
    return roles


def _said_beside(
    derived: Facts, parts: Mapping[str, Facts], roles: Mapping[Subject, str], missing: Mapping[Subject, str], agent_version: str
) -> Facts:
    """What no section says and what stands above them: the agent's version, and roles that a person set, on every platform, for adapters
    that are there or could not be looked for."""
    said = Facts()
    if agent_version:
        said.say(HOST, "agent_version", agent_version, Source("envelope", "agent", "version", agent_version))
    for subject, role in roles.items():
        if subject not in derived.readings and subject not in missing and not any(subject in facts.readings for facts in parts.values()):
            continue
        keys = said.readings.setdefault(subject, {})
        keys["role"] = Value(role, Source("person", "", "role", role))
        if subject.kind == "adapter":
            keys["role_reason"] = Value("set by a person", Source("person", "", "role", role))
    return said


def _lost_reads(section: str, facts: Facts) -> list[Unread]:
    reads = facts.observations.get("reads")
    if not isinstance(reads, dict):
        return []
    if not any(reads.values()):
        return []
    return [Unread(section, str(command), str(reason)) for command, reason in reads.items() if reason]


@cache
def _keys_by_section(platform: Platform) -> dict[str, dict[str, tuple[tuple[str, str, str], ...]]]:
    """Section -> kind -> (key, command, field) of every setting that has a source in it. The catalogue never changes while we run."""
    sources: Mapping[str, tuple[SettingSource, ...]]
    if platform == "windows":
        from plumbline.core.facts.windows import sources as windows_sources

        sources = windows_sources.SOURCES
    else:
        from plumbline.core.facts.esxi import sources as esxi_sources

        sources = esxi_sources.SOURCES
    found: dict[str, dict[str, list[tuple[str, str, str]]]] = {}
    for key, places in sources.items():
        entry = BY_KEY[key]
        for place in places:
            keys = found.setdefault(place.section, {}).setdefault(entry.kind, [])
            if all(entry.name != known for known, _, _ in keys):
                keys.append((entry.name, place.command, place.field))
    return {section: {kind: tuple(keys) for kind, keys in kinds.items()} for section, kinds in found.items()}


def _fill(platform: Platform, configuration: Configuration, unread: Mapping[str, str], missing: Mapping[Subject, str]) -> Configuration:
    """Settings whose section gave nothing are unknown, with the section's own words, wherever nothing else told them.

    `missing`: subjects known before that nobody could look for, with the reason; all their settings are unknown.
    """
    by_section = _keys_by_section(platform)
    extra: dict[Subject, dict[str, Reading]] = {}
    for section, kinds in by_section.items():
        for kind, keys in kinds.items():
            absent = {subject: reason for subject, reason in missing.items() if subject.kind == kind}
            present = [HOST] if kind == "host" else configuration.subjects(kind)
            for subject in {*absent, *(present if section in unread else ())}:
                has = configuration.keys(subject)
                mine = extra.setdefault(subject, {})
                reason = unread.get(section) or absent[subject]
                for key, command, field in keys:
                    current = has.get(key)
                    if current is None or (isinstance(current, Unknown) and current.reason in ("not collected", "not told")):
                        mine.setdefault(key, Unknown(reason, Source(section, command, field)))
    held = Facts(readings={subject: dict(configuration.keys(subject)) for subject in configuration.all_subjects()})
    return merge(platform, [held, Facts(readings=extra)])
