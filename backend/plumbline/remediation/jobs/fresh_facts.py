"""Reading a host's facts again before its first step: what the plan relied on must still be true, not only when it was approved."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from plumbline.channels import OutcomeUnknown
from plumbline.core.facts.assemble import Assembled, assemble
from plumbline.core.facts.configuration import Platform, SectionReading, Subject, Unknown, decode_id
from plumbline.core.facts.paths import SessionRoute
from plumbline.core.planning import last_path
from plumbline.core.planning.gates import CONNECTIONS, LOAD
from plumbline.core.planning.plan import Gate, reading_text
from plumbline.remediation.access.runner_client import RunnerTarget, read_all
from plumbline.remediation.host_load import CountersNow

_UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class FreshFacts:
    """A host's facts as read now, and its counters, None where it reported none."""

    host: Assembled
    counters: CountersNow | None

    @property
    def routes(self) -> tuple[SessionRoute, ...] | None:
        """Every connection of the host to a target. None: not known."""
        return last_path.connections(self.host.routes, self.host.path_map)


def read_facts(target: RunnerTarget, platform: Platform, entered: Mapping[str, str]) -> FreshFacts:
    """The host's facts, printed by the agent script now, over a connection of its own. Raises a ChannelError.

    `entered`: what people entered for the host, such as the roles of its adapters (`host.overrides`).
    """
    lines = [line.rstrip("\r").encode() for line in read_all(target).split("\n") if line.strip()]
    try:
        envelope = json.loads(lines[0])
        sections = {name: _section(about, lines[1:]) for name, about in envelope["sections"].items()}
        counters = _counters(envelope.get("counters") or {})
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise OutcomeUnknown("the host printed something else than its facts") from error
    return FreshFacts(assemble(platform, sections, entered), counters)


def _counters(plain: dict[str, Any]) -> CountersNow | None:
    if "uptime_s" not in plain:
        return None
    return CountersNow(int(plain["uptime_s"]), {(row["subject"], row["name"]): int(row["value"]) for row in plain["series"]})


def _section(about: dict[str, str], bodies: list[bytes]) -> SectionReading:
    if about["status"] != "ok":
        return SectionReading(about["status"], error=about.get("error", ""))  # type: ignore[arg-type]
    body = next((line for line in bodies if hashlib.sha256(line).hexdigest() == about["sha256"]), None)
    return SectionReading("ok", body) if body is not None else SectionReading("failed", error="its body did not arrive")


def fact_text(now: FreshFacts, fact: str) -> str:
    """The value of a gate's fact now, as the plan writes it."""
    kind, _, rest = fact.partition("/")
    encoded, _, key = rest.partition("/")
    if kind == "paths":
        return _UNKNOWN if now.host.path_map.problem else str(now.host.path_map.healthy(decode_id(rest)))
    if kind == "path_map":
        return now.host.path_map.problem
    return reading_text(now.host.configuration.read(Subject(kind, decode_id(encoded)), key))


def shut_gate(now: FreshFacts, gates: Sequence[Gate]) -> str:
    """Why the first gate with a changed fact is shut; empty where none is. The load is not a fact: it is measured separately.

    A count of paths may have risen; everything else must be as it was when the plan was approved.
    """
    for gate in gates:
        if not gate.fact or gate.fact == LOAD:
            continue
        if gate.fact == CONNECTIONS:
            gone = last_path.SESSIONS_UNREAD if now.routes is None else last_path.moved(gate.value, now.routes)
            if gone:
                return f"{gate.words}: {gone}. {gate.command}"
            continue
        value = fact_text(now, gate.fact)
        if value == gate.value:
            continue
        if gate.fact.startswith("paths/") and value.isdigit() and gate.value.isdigit() and int(value) >= int(gate.value):
            continue
        if value == _UNKNOWN:
            reason = f"{gate.words}: can't be checked now{_why_unknown(now, gate.fact)}"
        else:
            reason = f"{gate.words}: {gate.fact} was {gate.value or 'in order'}, now {value or 'in order'}"
        return f"{reason}. {gate.command}" if gate.command else reason
    return ""


def _why_unknown(now: FreshFacts, fact: str) -> str:
    kind, _, rest = fact.partition("/")
    if kind == "paths":
        return f" ({now.host.path_map.problem})"
    encoded, _, key = rest.partition("/")
    reading = now.host.configuration.read(Subject(kind, decode_id(encoded)), key)
    return f" ({reading.reason})" if isinstance(reading, Unknown) and reading.reason else ""
