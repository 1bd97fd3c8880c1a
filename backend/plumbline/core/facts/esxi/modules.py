"""Section `modules`: options of the drivers of network and iSCSI adapters."""

import re

from plumbline.core.facts.configuration import Facts, Subject, Unknown
from plumbline.core.facts.esxi.entries import Body, Entry, Sink
from plumbline.core.facts.esxi.readers import Record, rows

PARAMETERS = "esxcli system module parameters list"
OPTIONS_OLD = "esxcfg-module -g"

# What a broken line left of a description is no option's name.
_OPTION = re.compile(r"^[A-Za-z_]\w*$")
_TYPE = r"array of \w+|\w+"


def parse(body: Body) -> Facts:
    """Observation `options`: module -> option -> value (empty where it is not set). Modules that could not be read are left out.
    Observation `incomplete`: modules of which only some options were printed, with the reason and the read."""
    sink = Sink(body)
    options: dict[str, dict[str, str]] = {}
    incomplete: dict[str, Unknown] = {}
    for entry in body.each(PARAMETERS):
        module = entry.command.options.get("-m", "")
        if not module:
            sink.problem(f"{entry.line}: it does not say of which module")
            continue
        subject = Subject("module", module)
        if not entry.is_ok:
            sink.unknown(subject, ("parameters",), entry.why_not, entry)
            continue
        found = dict(_options(entry))
        if not found and entry.output.strip() and entry.output.strip()[0] not in "<[{":
            # Text without a row that could be taken apart: not a driver without options.
            sink.unknown(subject, ("parameters",), f"{entry.line}: no option could be read from it", entry)
            continue
        options[module] = found
        if entry.is_filtered:
            incomplete[module] = Unknown("only some of the driver's options were printed", sink.source(entry, "Name"))
        listed = tuple(f"{name}={value}" for name, value in sorted(found.items()) if value)
        sink.value(subject, "parameters", listed, entry, "Value", ", ".join(listed))
    for entry in body.each(OPTIONS_OLD):
        # `ixgbe enabled = 1 options = 'LRO=0,0 max_vfs=0'`: the options that are set, and no other.
        match = re.search(r"^\s*(\S+) enabled = \d+ options = '([^']*)'", entry.output, re.MULTILINE) if entry.is_ok else None
        if match is None or match.group(1) in options:
            continue
        pairs = [part.partition("=") for part in match.group(2).split()]
        options[match.group(1)] = {name: value for name, equals, value in pairs if equals}
        incomplete[match.group(1)] = Unknown("only the driver options that are set were printed", sink.source(entry, "options"))
        listed = tuple(f"{name}={value}" for name, value in sorted(options[match.group(1)].items()))
        sink.value(Subject("module", match.group(1)), "parameters", listed, entry, "options", match.group(2))
    sink.facts.observations["options"] = options
    sink.facts.observations["incomplete"] = incomplete
    return sink.facts


def _options(entry: Entry) -> list[tuple[str, str]]:
    is_copy = "  " not in entry.output.strip() and not entry.output.strip().startswith(("<", "{", "["))
    if is_copy:
        return [found for line in entry.output.split("\n") if (found := _copied(line)) is not None]
    return [(name, _value(record)) for record in rows(entry) if _OPTION.match(name := record.get("Name") or "")]


def _value(record: Record) -> str:
    return (record.get("Value") or "").strip()


def _copied(line: str) -> tuple[str, str] | None:
    """A row without its runs of spaces: `LRO array of int 0 Large Receive Offload`. A value is recognised by its form."""
    match = re.match(rf"^\s*(\w+)\s+({_TYPE})(?:\s+(.*))?$", line)
    if match is None or match.group(1) in ("Name",) or set(line.strip()) <= {"-", " "}:
        return None
    rest = (match.group(3) or "").split(" ")[0]
    return match.group(1), rest if re.fullmatch(r"-?\d+(,-?\d+)*|0x[0-9a-fA-F]+", rest) else ""
