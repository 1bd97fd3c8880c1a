"""From the sections of one check-in to one configuration, whatever the platform and however little of it could be read."""

from collections.abc import Iterable, Mapping
from functools import cache

import msgspec

from plumbline.core.facts import esxi, windows
from plumbline.core.facts.catalogue import BY_KEY, ROLES
from plumbline.core.facts.clock_skew import set_clock
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
    merge,
)
from plumbline.core.facts.entered import set_entered
from plumbline.core.facts.esxi import sources as esxi_sources
from plumbline.core.facts.join import Join
from plumbline.core.facts.listings import LISTINGS, not_listed
from plumbline.core.facts.paths import PathMap, SessionRoute
from plumbline.core.facts.windows import sources as windows_sources

_ROLE_SUFFIX = "/role"
_JOIN_FAILED = "internal error while combining sections"


class Unread(msgspec.Struct, frozen=True):
    """A section, or one command of it, that gave nothing, and why."""

    section: str
    command: str
    reason: str


class Assembled(msgspec.Struct, frozen=True):
    """The configuration of one host, from one check-in.

    `problems` are sentences for the host page. `internal_errors` are our own faults: they cost the settings of one section and are
    alarmed; once the fault is fixed, the stored sections are read again. `routes` are the connected iSCSI sessions; None where the list
    of them could not be read.
    """

    configuration: Configuration
    path_map: PathMap
    problems: tuple[str, ...] = ()
    unread: tuple[Unread, ...] = ()
    internal_errors: tuple[str, ...] = ()
    routes: tuple[SessionRoute, ...] | None = None


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

    `overrides`: what a person entered, by address (`{"adapter/0010187a2b3c/role": "san_iscsi", "initiator/iqn.../mtu": "9600"}`),
    and the state of the host's clock as the server measured it (`clock_skew.py`).
    `parsed`: facts of sections that were parsed before (check-in caches them by digest); they must be those of the same bodies.
    `known_subjects`: those of the configuration before. Where their kind was not listed whole, they stay, with every setting unknown,
    so that no subject vanishes only because a list could not be read.
    """
    internal: list[str] = []
    facts, unread, unread_reads = _read_sections(platform, sections, parsed or {}, internal)
    roles = _roles(overrides or {})
    joined, path_map = _join(platform, Join(facts, unread, roles), internal)
    unlisted = not_listed(platform, facts, unread, frozenset(name for name, section in sections.items() if section.status == "unavailable"))
    if _JOIN_FAILED in joined.problems:
        unlisted = {**dict.fromkeys(LISTINGS[platform], _JOIN_FAILED), **unlisted}
    missing = {subject: unlisted[subject.kind] for subject in known_subjects if subject.kind in unlisted}
    added = _added(joined, facts, roles, missing, agent_version)
    set_entered(added, (*facts.values(), joined), overrides or {})
    set_clock(added, overrides or {})
    configuration = merge(platform, (added, *facts.values(), joined))
    if _JOIN_FAILED in joined.problems:
        # The join itself failed: whatever it gives is unknown, for every subject that is there.
        unread = {**dict.fromkeys(_keys_by_section(platform), _JOIN_FAILED), **unread}
    if unread or missing:
        configuration = _fill(platform, configuration, unread, missing)
    problems = tuple(problem for part in (*facts.values(), joined) for problem in part.problems)
    routes = joined.observations.get("routes")
    known = routes if isinstance(routes, tuple) else None
    return Assembled(configuration.with_unlisted(unlisted), path_map, problems, tuple(unread_reads), tuple(internal), known)


def _read_sections(
    platform: Platform, sections: Mapping[str, SectionReading], parsed: Mapping[str, Facts], internal: list[str]
) -> tuple[dict[str, Facts], dict[str, str], list[Unread]]:
    """The facts of the sections that were read, why the others gave nothing, and both kinds of failures one by one."""
    facts: dict[str, Facts] = {}
    unread: dict[str, str] = {}
    reads: list[Unread] = []
    for section, reading in sections.items():
        found: Facts | None = None
        if reading.status != "ok":
            status = "failed" if reading.status == "failed" else "is not available"
            unread[section] = f"section {section} {status}" + (f": {reading.error}" if reading.error else "")
        else:
            found = parsed.get(section) or _parse_guarded(platform, section, reading.body, internal)
            if found is None:
                unread[section] = f"internal error in section {section}"
        if found is None:
            reads.append(Unread(section, "", unread[section]))
        else:
            facts[section] = found
            reads.extend(_unread_commands(section, found))
    return facts, unread, reads


def _parse_guarded(platform: Platform, section: str, body: bytes, internal: list[str]) -> Facts | None:
    """Runs one parser. Whatever it raises is a fault of ours and must not cost the check-in."""
    try:
        return parse_section(platform, section, body)
    except Exception as error:
        internal.append(f"section {section}: {type(error).__name__}: {error}"[:300])
        return None


def _join(platform: Platform, join: Join, internal: list[str]) -> tuple[Facts, PathMap]:
    try:
        return windows.join_sections(join) if platform == "windows" else esxi.join_sections(join)
    except Exception as error:
        internal.append(f"joining the sections: {type(error).__name__}: {error}"[:300])
        return Facts(problems=[_JOIN_FAILED]), PathMap(problem=_JOIN_FAILED)


def _roles(overrides: Mapping[str, str]) -> dict[Subject, str]:
    roles: dict[Subject, str] = {}
    for address, role in overrides.items():
        kind, slash, rest = address.partition("/")
        if slash and rest.endswith(_ROLE_SUFFIX) and role in ROLES:
            roles[Subject(kind, decode_id(rest.removesuffix(_ROLE_SUFFIX)))] = role
    return roles


def _added(
    joined: Facts, facts: Mapping[str, Facts], roles: Mapping[Subject, str], missing: Mapping[Subject, str], agent_version: str
) -> Facts:
    """Settings that no section holds or that take precedence over all sections: the agent's version, and roles that a person set, on every
    platform, for adapters that are there or that could not be looked for."""
    added = Facts()
    if agent_version:
        added.set_value(HOST, "agent_version", agent_version, Source("envelope", "agent", "version", agent_version))
    for subject, role in roles.items():
        if subject not in joined.readings and subject not in missing and not any(subject in part.readings for part in facts.values()):
            continue
        keys = added.readings.setdefault(subject, {})
        keys["role"] = Value(role, Source("person", "", "role", role))
        if subject.kind == "adapter":
            keys["role_reason"] = Value("set manually", Source("person", "", "role", role))
    return added


def _unread_commands(section: str, facts: Facts) -> list[Unread]:
    reads = facts.observations.get("reads")
    if not isinstance(reads, dict):
        return []
    return [Unread(section, str(command), str(reason)) for command, reason in reads.items() if reason]


@cache
def _keys_by_section(platform: Platform) -> dict[str, dict[str, tuple[tuple[str, str, str], ...]]]:
    """Section -> kind -> (key, command, field) of every setting that has a source in it. The catalogue never changes while we run."""
    sources = windows_sources.SOURCES if platform == "windows" else esxi_sources.SOURCES
    found: dict[str, dict[str, list[tuple[str, str, str]]]] = {}
    for key, places in sources.items():
        entry = BY_KEY[key]
        for place in places:
            keys = found.setdefault(place.section, {}).setdefault(entry.kind, [])
            if all(entry.name != known for known, _, _ in keys):
                keys.append((entry.name, place.command, place.field))
    return {section: {kind: tuple(keys) for kind, keys in kinds.items()} for section, kinds in found.items()}


def _fill(platform: Platform, configuration: Configuration, unread: Mapping[str, str], missing: Mapping[Subject, str]) -> Configuration:
    """Settings of sections that were not read are unknown, for the section's reason, unless another section has them.

    `missing`: items known before whose kind was not listed whole, with the reason; all their settings are unknown.
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
                    if current is None or (isinstance(current, Unknown) and current.reason in ("not collected", "not reported")):
                        mine.setdefault(key, Unknown(reason, Source(section, command, field)))
    held = Facts(readings={subject: dict(configuration.keys(subject)) for subject in configuration.all_subjects()})
    return merge(platform, [held, Facts(readings=extra)])
