"""Reading a host's facts anew before its first step: what the plan relied on must hold now, not only when somebody approved it."""

import hashlib
import json
from collections.abc import Sequence

from plumbline.channels import OutcomeUnknown
from plumbline.collection.collect import read_over
from plumbline.facts.assemble import Assembled, assemble
from plumbline.facts.configuration import Platform, SectionReading, Subject, decode_id
from plumbline.planning.plan import Gate, reading_text
from plumbline.remediation.remote import Way

_UNKNOWN = "unknown"


def read_facts(way: Way, platform: Platform) -> Assembled:
    """The host as its own agent's file says it now, over a connection of its own. Raises a ChannelError."""
    printed = read_over(way.reach)
    lines = [line.rstrip("\r").encode() for line in printed.split("\n") if line.strip()]
    try:
        named = json.loads(lines[0])["sections"]
        sections = {name: _section(about, lines[1:]) for name, about in named.items()}
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise OutcomeUnknown("the host printed something else than its facts") from error
    return assemble(platform, sections)


def _section(about: dict[str, str], bodies: list[bytes]) -> SectionReading:
    if about["status"] != "ok":
        return SectionReading(about["status"], error=about.get("error", ""))  # type: ignore[arg-type]
    body = next((line for line in bodies if hashlib.sha256(line).hexdigest() == about["sha256"]), None)
    return SectionReading("ok", body) if body is not None else SectionReading("failed", error="its body did not arrive")


def fact_text(now: Assembled, fact: str) -> str:
    """The value of a gate's fact now, in the words in which the plan holds it."""
    kind, _, rest = fact.partition("/")
    encoded, _, key = rest.partition("/")
    if kind == "paths":
        return _UNKNOWN if now.path_map.problem else str(now.path_map.healthy(decode_id(rest)))
    if kind == "path_map":
        return now.path_map.problem
    return reading_text(now.configuration.read(Subject(kind, decode_id(encoded)), key))


def shut_gate(now: Assembled, gates: Sequence[Gate]) -> str:
    """The first gate that no longer holds, in words; empty where all do.

    A count of paths may have risen; everything else must read as it did when the plan was approved.
    """
    for gate in gates:
        if not gate.fact:
            continue
        value = fact_text(now, gate.fact)
        if value == gate.value:
            continue
        if gate.fact.startswith("paths/") and value.isdigit() and gate.value.isdigit() and int(value) >= int(gate.value):
            continue
        said = f"{gate.words}: {gate.fact} was {gate.value or 'in order'} and is {value or 'in order'} now"
        return f"{said}. {gate.command}" if gate.command else said
    return ""
