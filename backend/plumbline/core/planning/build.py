"""The planner: chosen findings on hosts as they are now -> a plan, with everything that is left out and why.

The same input gives the same plan, byte for byte. The work is linear in hosts, findings and paths.
"""

from collections.abc import Sequence

from plumbline.core.planning import gates, impact, mtu, path_floor
from plumbline.core.planning.by_a_person import by_a_person
from plumbline.core.planning.element_builder import Draft
from plumbline.core.planning.elements import drafts_of
from plumbline.core.planning.inputs import Chosen, HostFacts, Limits
from plumbline.core.planning.other_traffic import other_traffic
from plumbline.core.planning.plan import (
    PING_SECONDS,
    VERSION,
    Checklist,
    FindingRef,
    Forecast,
    Gate,
    HostPlan,
    Plan,
    Refusal,
    Step,
    VolumeForecast,
    latest,
)
from plumbline.core.planning.refusals import ManualOnly, Refused
from plumbline.core.planning.runner_settings import RunnerSettings
from plumbline.core.planning.steps import Part, natural, parts_of
from plumbline.core.planning.waves import waves_of
from plumbline.core.rules import words


class NoTargets(ValueError):
    """A plan was requested without a host or without a finding. Nothing chosen never means everything."""


def build_plan(
    hosts: Sequence[HostFacts],
    settings: RunnerSettings,
    limits: Limits,
    *,
    packs: Sequence[str] = (),
    proofs: mtu.Proofs | None = None,
    title: str = "",
) -> Plan:
    """The plan that fixes the chosen findings as far as the gates allow.

    `packs` are `pack@version` of the rules. `proofs` are the frame sizes known to reach each portal of a fabric, besides those proven by
    these hosts (`mtu.proven_frames`). Raises NoTargets if nothing is chosen, ValueError if a host is given twice.
    """
    if not any(host.chosen for host in hosts):
        raise NoTargets("Select at least one failing finding or setting.")
    if len({host.host for host in hosts}) != len(hosts):
        raise ValueError("A host is listed twice.")
    ordered = sorted(hosts, key=lambda host: (natural(host.name), host.host))
    known = {**mtu.proven_frames(ordered)}
    for route, proof in (proofs or {}).items():
        if route not in known or known[route].size_bytes < proof.size_bytes:
            known[route] = proof
    planned = [_HostPlanner(host, settings, limits, known) for host in ordered]
    for one in planned:
        one.run()
    parts = [one.part() for one in planned if one.steps and one.host.without_job is None]
    without_job = [one.part() for one in planned if one.steps and one.host.without_job is not None]
    waves = waves_of(parts, limits)
    forecast = impact.together([part.forecast for part in parts], _plan_words(parts, limits))
    return Plan(
        v=VERSION,
        title=title or _title(parts or without_job, ordered),
        packs=tuple(sorted(set(packs))),
        hosts=tuple(parts),
        waves=waves,
        failure_budget=max(1, limits.failure_budget),
        refusals=tuple(refusal for one in planned for refusal in one.refusals()),
        checklists=tuple(checklist for one in planned for checklist in one.checklists()),
        already_right=tuple(ref for one in planned for ref in one.already_right),
        forecast=forecast,
        without_job=tuple(without_job),
    )


class _HostPlanner:
    """Plans one host: the elements of each finding, their gates, and the steps of the allowed ones."""

    def __init__(self, host: HostFacts, settings: RunnerSettings, limits: Limits, proofs: mtu.Proofs) -> None:
        self.host = host
        self.settings = settings
        self.limits = limits
        self.proofs = proofs
        # Findings by the reason against them, so that each reason is listed once.
        self.refused: dict[Refused, list[FindingRef]] = {}
        self.manual: dict[ManualOnly, list[FindingRef]] = {}
        self.already_right: list[FindingRef] = []
        self.steps: list[Step] = []

    def run(self) -> None:
        chosen = sorted(set(self.host.chosen), key=lambda one: (one.pack, one.name, one.subject, repr(one.setting)))
        why = gates.host_refusal(self.host)
        if why is not None:
            self._refuse(why, [self.host.ref(one) for one in chosen])
            return
        drafts = self._agreeing([draft for one in chosen for draft in self._drafts(one)])
        drafts = self._without_failed_gates(self._on_storage_alone(self._still_wrong(drafts)))
        for part in parts_of(self.host, drafts, self.limits.largest_vector):
            self.steps.append(self._step(part, len(self.steps) + 1))
        if self.host.without_job is not None and self.steps:
            self._refuse(self.host.without_job, list(dict.fromkeys(ref for step in self.steps for ref in step.findings)))

    def refusals(self) -> list[Refusal]:
        """What was refused, each reason once."""
        host = self.host
        return [
            Refusal(host.host, host.name, why.gate, why.about, why.words, why.command, tuple(refs)) for why, refs in self.refused.items()
        ]

    def checklists(self) -> list[Checklist]:
        """The manual fixes, each list once."""
        return [Checklist(self.host.host, self.host.name, tuple(refs), why.because, why.steps) for why, refs in self.manual.items()]

    def part(self) -> HostPlan:
        """What one job carries out on this host."""
        host, forecasts = self.host, [step.forecast for step in self.steps]
        takes_path = any(step.takes_path for step in self.steps)
        return HostPlan(
            host=host.host,
            name=host.name,
            platform=host.configuration.platform,
            release=host.release,
            facts_at=host.facts_at,
            configuration=host.configuration_hash,
            domains=tuple(sorted(host.domains)),
            gates=gates.host_gates(host) if takes_path else (),
            steps=tuple(self.steps),
            forecast=impact.together(forecasts, impact.host_words(forecasts)),
        )

    def _drafts(self, chosen: Chosen) -> list[Draft]:
        """The elements of one finding, including those whose value is already right."""
        found = drafts_of(self.host, chosen, self.settings)
        ref = self.host.ref(chosen)
        if isinstance(found, ManualOnly):
            self.manual.setdefault(found, []).append(ref)
            return []
        if isinstance(found, Refused):
            self._refuse(found, [ref])
            return []
        return found

    def _still_wrong(self, drafts: list[Draft]) -> list[Draft]:
        """The elements that need to be written; a finding without any is right already."""
        wrong = [draft for draft in drafts if not draft.is_right]
        working = {draft.finding for draft in wrong}
        self.already_right.extend(ref for ref in dict.fromkeys(draft.finding for draft in drafts) if ref not in working)
        return wrong

    def _agreeing(self, drafts: list[Draft]) -> list[Draft]:
        """Without the findings that require two values of one setting: a person decides between their rules first."""
        wanted: dict[str, dict[str, list[Draft]]] = {}
        for draft in drafts:
            wanted.setdefault(draft.element.setting, {}).setdefault(draft.element.target, []).append(draft)
        out: set[FindingRef] = set()
        for setting, by_target in sorted(wanted.items()):
            if len(by_target) > 1:
                conflicting = [draft for target in sorted(by_target) for draft in by_target[target]]
                named = ", ".join(f"{_asker(draft.finding)} {draft.element.shown_target}" for draft in conflicting)
                refs = sorted({draft.finding for draft in conflicting}, key=lambda ref: (ref.pack, ref.rule))
                self._refuse(Refused("facts_known", setting, f"{conflicting[0].element.label}: {named}; resolve the conflict first"), refs)
                out.update(refs)
        return [draft for draft in drafts if draft.finding not in out]

    def _on_storage_alone(self, drafts: list[Draft]) -> list[Draft]:
        """Without the findings whose fix would interrupt something that carries more than storage: a person makes these."""
        out: set[FindingRef] = set()
        for draft in drafts:
            if not draft.setting.drops_traffic or draft.finding in out:
                continue
            other = other_traffic(self.host.configuration, draft.subject, self.host.reached_at)
            if other.is_none:
                continue
            out.add(draft.finding)
            if other.words:
                mine = [each for each in drafts if each.finding == draft.finding]
                self.manual.setdefault(by_a_person(self.host, mine, draft.subject, other), []).append(draft.finding)
            else:
                words = f"whether {self.host.name_of(draft.subject)} carries storage alone is not known: {other.unknown}"
                self._refuse(Refused("management_path", other.about, words, other.command), [draft.finding])
        return [draft for draft in drafts if draft.finding not in out]

    def _without_failed_gates(self, drafts: list[Draft]) -> list[Draft]:
        """Without the findings of which an element fails a gate."""
        out: set[FindingRef] = set()
        for draft in drafts:
            why = mtu.frame_gate(self.host, draft, self.limits, self.proofs)
            if isinstance(why, Refused) and draft.finding not in out:
                self._refuse(why, [draft.finding])
                out.add(draft.finding)
        drafts = [draft for draft in drafts if draft.finding not in out]
        for part in parts_of(self.host, drafts, self.limits.largest_vector):
            failed = self._gates(part, self._lost(part))
            if isinstance(failed, Refused):
                new = [ref for ref in part.findings if ref not in out]
                out.update(new)
                if new:
                    self._refuse(failed, new)
        return [draft for draft in drafts if draft.finding not in out]

    def _lost(self, part: Part) -> tuple[VolumeForecast, ...]:
        return path_floor.forecast(self.host.path_map, part.taken(self.host)) if part.drops_traffic else ()

    def _gates(self, part: Part, lost: tuple[VolumeForecast, ...]) -> tuple[Gate, ...] | Refused:
        return gates.part_gates(self.host, part, lost, self.limits, self.proofs)

    def _step(self, part: Part, number: int) -> Step:
        lost = self._lost(part)
        opened = self._gates(part, lost)
        assert not isinstance(opened, Refused), opened  # the same part, or less of it, passed above
        taken = part.taken(self.host)
        fabrics = sorted(part.fabrics(self.host))
        probe_bytes, pings = mtu.pings_of(self.host, part)
        return Step(
            number=number,
            title=step_title(self.host, part),
            elements=tuple(draft.element for draft in part.unique),
            restart=part.restart,
            adapters=tuple(sorted(taken.adapters or _over(self.host, taken))),
            fabric=fabrics[0] if fabrics else "",
            impact=impact.of_part(self.host, part),
            takes_effect=latest([draft.setting.takes_effect for draft in part.drafts]),
            # Pings take time, and the dead-man must not fire while they run.
            deadman_s=self.limits.deadman_s + (PING_SECONDS if pings else 0) if part.drops_traffic else 0,
            health_floor=self.limits.floor_before if lost else 0,
            probe_bytes=probe_bytes,
            forecast=impact.forecast(self.host, part, lost, self.limits),
            gates=opened,
            commands=part.commands(self.host),
            undo_commands=part.undo_commands(self.host),
            findings=part.findings,
            pings=pings,
        )

    def _refuse(self, why: Refused, refs: list[FindingRef]) -> None:
        held = self.refused.setdefault(why, [])
        held.extend(ref for ref in refs if ref not in held)


def _asker(ref: FindingRef) -> str:
    return f"{ref.rule} requires" if ref.pack else "the value to restore is"


def _over(host: HostFacts, taken: path_floor.Taken) -> frozenset[str]:
    """The adapters under an interface: those of the paths that leave from its addresses."""
    return frozenset(path.adapter for path in host.path_map.paths if path.adapter and not taken.spares(path))


def step_title(host: HostFacts, part: Part) -> str:
    """What a step changes, in one line."""
    drafts = part.unique
    owner = host.name_of(part.subject) if part.drops_traffic else ""
    if len(drafts) == 1:
        element = drafts[0].element
        name = owner or (host.name_of(drafts[0].subject) if drafts[0].subject.kind != "host" else "system")
        label = element.label[0].lower() + element.label[1:] if element.label[1:2].islower() else element.label
        return f"{name}: {label} {element.shown_seen} → {element.shown_target}"
    return f"{owner or 'system'}: {len(drafts)} settings{', one restart' if part.restart else ''}"


def _title(parts: list[HostPlan], hosts: list[HostFacts]) -> str:
    labels = sorted({element.label for part in parts for step in part.steps for element in step.elements})
    what = words_list(labels) if labels else "Nothing to change"
    count = len(parts) or len(hosts)
    return f"{what} on {count} host{'' if count == 1 else 's'}"


def words_list(labels: list[str]) -> str:
    """At most two labels by name, the rest by number."""
    shown = ", ".join(labels[:2])
    return shown if len(labels) <= 2 else f"{shown} and {len(labels) - 2} more"


def _plan_words(parts: list[HostPlan], limits: Limits) -> str:
    if not parts:
        return "nothing changes"
    total: Forecast = impact.together([part.forecast for part in parts], "")
    low = total.volumes[0] if total.volumes else None
    parts_of_text = [words.value("", total.impact.replace("_", " "))]
    if low is not None:
        parts_of_text.append(f"at least {low.during} of {low.before} paths stay up")
    parts_of_text.append(f"{len(parts)} host{'' if len(parts) == 1 else 's'}")
    budget = max(1, limits.failure_budget)
    parts_of_text.append(f"pauses after {budget} failure{'' if budget == 1 else 's'}")
    parts_of_text.append(f"about {max(1, round(total.duration_s / 60))} min of work")
    return " · ".join(parts_of_text)
