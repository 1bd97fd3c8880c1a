"""Reading a host's facts anew before its first step: what the plan relied on must hold now, not only when somebody approved it."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from plumbline.channels import OutcomeUnknown
from plumbline.core.facts.assemble import Assembled, assemble
from plumbline.core.facts.configuration import Platform, SectionReading, Subject, Unknown, decode_id
from plumbline.core.planning.gates import LOAD
from plumbline.core.planning.plan import Gate, reading_text
from plumbline.remediation.access.runner_client import Way, read_all
from plumbline.remediation.host_load import CountersNow

_UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Now:
    """A host as it says itself to be now, and its counters; None where it told none."""

    host: Assembled
    counters: CountersNow | None


def read_facts(way: Way, platform: Platform) -> Now:
    """The host as its own agent's file says it now, over a connection of its own. Raises a ChannelError."""
    lines = [line.rstrip("\r").encode() for line in read_all(way).split("\n") if line.strip()]
    try:
        told = json.loads(lines[0])
        sections = {name: _section(about, lines[1:]) for name, about in told["sections"].items()}
        counters = _counters(told.get("counters") or {})
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise OutcomeUnknown("the host printed something else than its facts") from error
    return Now(assemble(platform, sections), counters)


def _counters(told: dict[str, Any]) -> CountersNow | None:
    if "uptime_s" not in told:
        return None
    return CountersNow(int(told["uptime_s"]), {(row["subject"], row["name"]): int(row["value"]) for row in told["series"]})


def _section(about: dict[str, str], bodies: list[bytes]) -> SectionReading:
    if about["status"] != "ok":
        return SectionReading(about["status"], error=about.get("error", ""))  # type: ignore[arg-type]
    body = next((line for line in bodies if hashlib.sha256(line).hexdigest() == about["sha256"]), None)
    return SectionReading("ok", body) if body is not None else SectionReading("failed", error="its body did not arrive")


def fact_text(now: Now, fact: str) -> str:
    """The value of a gate's fact now, in the words in which the plan holds it."""
    kind, _, rest = fact.partition("/")
    encoded, _, key = rest.partition("/")
    if kind == "paths":
        return _UNKNOWN if now.host.path_map.problem else str(now.host.path_map.healthy(decode_id(rest)))
    if kind == "path_map":
        return now.host.path_map.problem
    return reading_text(now.host.configuration.read(Subject(kind, decode_id(encoded)), key))


def shut_gate(now: Now, gates: Sequence[Gate]) -> str:
    """The first gate whose fact no longer holds, in words; empty where all do. The load is not a fact, it is measured apart.

    A count of paths may have risen; everything else must read as it did when the plan was approved.
    """
    for gate in gates:
        if not gate.fact or gate.fact == LOAD:
            continue
        value = fact_text(now, gate.fact)
        if value == gate.value:
            continue
        if gate.fact.startswith("paths/") and value.isdigit() and gate.value.isdigit() and int(value) >= int(gate.value):
            continue
        if value == _UNKNOWN:
            said = f"{gate.words}: this cannot be told now{_why_unknown(now, gate.fact)}"
        else:
            said = f"{gate.words}: {gate.fact} was {gate.value or 'in order'} and is {value or 'in order'} now"
        return f"{said}. {gate.command}" if gate.command else said
    return ""


def _why_unknown(now: Now, fact: str) -> str:
    kind, _, rest = fact.partition("/")
    if kind == "paths":
        return f" ({now.host.path_map.problem})"
    encoded, _, key = rest.partition("/")
    reading = now.host.configuration.read(Subject(kind, decode_id(encoded)), key)
    return f" ({reading.reason})" if isinstance(reading, Unknown) and reading.reason else ""
