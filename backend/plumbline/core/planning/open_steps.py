"""Steps that the planner leaves out only because a fact is not known, as a person would make them who answers the question on the host.

For previews of hosts that cannot be asked. They are never part of a plan: what is known to stand against a step keeps it out here too.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from plumbline.core.facts.configuration import HOST, Unknown
from plumbline.core.planning import impact, last_path, mtu, path_floor
from plumbline.core.planning.build import step_title
from plumbline.core.planning.element_builder import Draft
from plumbline.core.planning.elements import drafts_of
from plumbline.core.planning.inputs import HostFacts, Limits
from plumbline.core.planning.path_floor import Taken
from plumbline.core.planning.plan import Command, Element, FindingRef, Refusal
from plumbline.core.planning.refusals import ManualOnly, Refused
from plumbline.core.planning.runner_settings import RunnerSettings
from plumbline.core.planning.steps import Part, parts_of
from plumbline.core.rules.rule import Impact

# Gates that refuse for want of knowledge alone.
_ALWAYS_OPEN = frozenset({"path_map", "management_path"})


@dataclass(frozen=True, slots=True)
class OpenStep:
    """One such step. `words` say what it interrupts, `needed` what has to hold besides the answer."""

    title: str
    elements: tuple[Element, ...]
    impact: Impact
    words: str
    needed: tuple[str, ...]
    commands: tuple[Command, ...]
    undo_commands: tuple[Command, ...]
    findings: tuple[FindingRef, ...]


def open_steps(host: HostFacts, refusal: Refusal, settings: RunnerSettings, limits: Limits) -> tuple[OpenStep, ...]:
    """The steps behind one refusal of a plan; none where it rests on what is known."""
    if not _is_open(host, refusal):
        return ()
    drafts = [draft for draft in _drafts(host, refusal.findings, settings) if not draft.is_right]
    held_back = {draft.finding for draft in drafts if isinstance(mtu.frame_gate(host, draft, limits, {}), Refused)}
    parts = parts_of(host, [draft for draft in drafts if draft.finding not in held_back], limits.largest_vector)
    return tuple(_step(host, part, limits) for part in parts if not _is_known_to_harm(host, part, limits))


def _is_open(host: HostFacts, refusal: Refusal) -> bool:
    if refusal.gate == "boot_from_san":
        return isinstance(host.configuration.read(HOST, "boot_from_san"), Unknown)
    return refusal.gate in _ALWAYS_OPEN


def _drafts(host: HostFacts, refs: Sequence[FindingRef], settings: RunnerSettings) -> list[Draft]:
    found: list[Draft] = []
    for chosen in host.chosen:
        drafts = drafts_of(host, chosen, settings) if host.ref(chosen) in refs else []
        if not isinstance(drafts, ManualOnly | Refused):
            found.extend(drafts)
    return found


def _is_known_to_harm(host: HostFacts, part: Part, limits: Limits) -> bool:
    """Whatever the answer is: a path is down already, or too few stay. What is not known of a path is left to the person."""
    if not part.drops_traffic:
        return False
    taken, path_map = part.taken(host), host.path_map
    if any(path.state == "dead" for path in path_map.paths) and path_floor.forecast(path_map, taken):
        return True
    for volume in path_map.volumes:
        mine = [path for path in path_map.paths if path.volume == volume.id]
        is_known = all(path.state != "unknown" and _is_placed(taken, path.adapter, path.source_address) for path in mine)
        kept = sum(1 for path in mine if path.state == "healthy" and taken.spares(path))
        if is_known and mine and kept < limits.floor_during:
            return True
    routes = last_path.connections(host.sessions, path_map)
    is_known = routes is not None and all(_is_placed(taken, each.adapter, each.source_address) for each in routes)
    return is_known and last_path.refusal(routes or (), taken, host.configuration) is not None


def _is_placed(taken: Taken, adapter: str, source_address: str) -> bool:
    """It is known whether the step takes what goes over this adapter from this address."""
    return bool(adapter or not taken.adapters) and bool(source_address or not taken.addresses)


def _step(host: HostFacts, part: Part, limits: Limits) -> OpenStep:
    lost = path_floor.forecast(host.path_map, part.taken(host)) if part.drops_traffic else ()
    taken = part.taken(host)
    if any(path.state == "unknown" or not _is_placed(taken, path.adapter, path.source_address) for path in host.path_map.paths):
        # Paths that may or may not be taken give no forecast.
        lost = ()
    words = impact.forecast(host, part, lost, limits).words
    if part.drops_traffic and not lost:
        # Without paths in the map this would read as if none was lost.
        name = part.taken(host).words
        words = f"one {'restart' if part.restart else 'interruption'} of {name}; the paths that it takes are not known"
    kept = f"every volume keeps a healthy path over another adapter without {part.taken(host).words}"
    return OpenStep(
        step_title(host, part),
        tuple(draft.element for draft in part.unique),
        impact.of_part(host, part),
        words,
        (kept,) if part.drops_traffic else (),
        part.commands(host),
        part.undo_commands(host),
        part.findings,
    )
