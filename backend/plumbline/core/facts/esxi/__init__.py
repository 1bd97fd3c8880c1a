"""What the sections of an ESXi host mean: settings by subject, and the path map. Pure; nothing here raises on odd input."""

from collections.abc import Callable, Mapping

from plumbline.core.facts.configuration import Facts, Subject
from plumbline.core.facts.esxi import advanced, iscsi, modules, nic_tuning, nics, paths, probes, software, system, vmkernel, vswitch
from plumbline.core.facts.esxi.entries import Body, read_body
from plumbline.core.facts.esxi.join import derive_facts
from plumbline.core.facts.esxi.observations import Joins
from plumbline.core.facts.esxi.path_map import build as build_path_map
from plumbline.core.facts.join import Steps
from plumbline.core.facts.paths import PathMap

_PARSERS: dict[str, Callable[[Body], Facts]] = {
    "system": system.parse,
    "nics": nics.parse,
    "nic_tuning": nic_tuning.parse,
    "vswitch": vswitch.parse,
    "vmkernel": vmkernel.parse,
    "iscsi": iscsi.parse,
    "advanced": advanced.parse,
    "paths": paths.parse,
    "modules": modules.parse,
    "software": software.parse,
    "probes": probes.parse,
}
SECTIONS: tuple[str, ...] = tuple(_PARSERS)


def parse_section(section: str, body: bytes) -> Facts:
    """The facts of one section body. A section we do not know yields none and a problem sentence."""
    parser = _PARSERS.get(section)
    if parser is None:
        return Facts(problems=[f"section {section} is not known on ESXi"])
    read = read_body(section, body)
    facts = parser(read)
    facts.observations["reads"] = {entry.line: "" if entry.is_ok else entry.error or entry.status for entry in read.entries}
    return facts


def understand(
    parts: Mapping[str, Facts], unread: Mapping[str, str] | None = None, roles: Mapping[Subject, str] | None = None
) -> tuple[Facts, PathMap]:
    """What several sections together tell. `unread`: failed sections with their words; `roles`: what a person set."""
    return join(Steps(parts, unread or {}, roles or {}))


def join(steps: Steps) -> tuple[Facts, PathMap]:
    """What several sections together tell, taken over from the check-in before wherever nothing moved.

    Roles that a person set the caller lays over.
    """
    joins = Joins(steps)
    ways = steps.step("paths", lambda: build_path_map(joins))
    return derive_facts(joins, ways), ways


def derive(parts: Mapping[str, Facts]) -> Facts:
    """The derived facts alone."""
    return understand(parts)[0]


def path_map(parts: Mapping[str, Facts]) -> PathMap:
    """The path map alone."""
    return understand(parts)[1]
