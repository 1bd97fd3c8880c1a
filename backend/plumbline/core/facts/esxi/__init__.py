"""What the sections of an ESXi host mean: settings by subject, and the path map. Pure; nothing here raises on odd input."""

from collections.abc import Callable

from plumbline.core.facts.configuration import Facts
from plumbline.core.facts.esxi import advanced, iscsi, modules, nic_tuning, nics, paths, probes, software, system, vmkernel, vswitch
from plumbline.core.facts.esxi.entries import Body, Entry, read_body
from plumbline.core.facts.esxi.join import set_joined
from plumbline.core.facts.esxi.observations import observe
from plumbline.core.facts.esxi.path_map import build as build_path_map
from plumbline.core.facts.esxi.path_map import session_routes
from plumbline.core.facts.esxi.readers import is_whole
from plumbline.core.facts.join import Join
from plumbline.core.facts.listings import MISSING, OBSERVATION
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
    by_words: dict[str, list[Entry]] = {}
    for entry in read.entries:
        by_words.setdefault(entry.command.words, []).append(entry)
    listings = {
        words: "" if any(is_whole(entry) for entry in entries) else _why_not_whole(entries[0]) for words, entries in by_words.items()
    }
    if section == "nics" and not facts.observations.get("nics"):
        # Every host has an adapter: a list that shows none was not understood.
        for words in nics.LISTS & by_words.keys():
            listings[words] = listings[words] or f"{words}: no adapter could be read from it"
    facts.observations[OBSERVATION] = listings
    facts.observations[MISSING] = frozenset(entry.command.words for entry in read.entries if entry.status == "unavailable")
    facts.observations["reads"] = {entry.line: "" if entry.is_ok else entry.error or entry.status for entry in read.entries}
    return facts


def _why_not_whole(entry: Entry) -> str:
    if entry.is_partial:
        return f"{entry.line}: the bundle has only a part of it"
    return f"{entry.line}: no row of it could be read" if entry.is_ok else entry.why_not


def join_sections(join: Join) -> tuple[Facts, PathMap]:
    """All settings that need several sections, and the path map."""
    observed = observe(join)
    path_map = build_path_map(join, observed)
    set_joined(join, observed, path_map)
    join.facts.observations["routes"] = session_routes(join, observed)
    return join.facts, path_map
