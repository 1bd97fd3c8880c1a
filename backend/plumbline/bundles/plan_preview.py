"""What a plan for a host of a bundle would hold: the planner's own steps as text. No plan is stored, and nothing can be approved or run."""

from collections.abc import Sequence

from plumbline.bundles.assess import found_on
from plumbline.bundles.schemas import PlanPreview, PreviewElement, PreviewFinding, PreviewLeftOut, PreviewManual, PreviewStep
from plumbline.core.facts.bundles.kept import KeptHost
from plumbline.core.facts.configuration import HOST, Subject, label_of
from plumbline.core.planning.build import build_plan
from plumbline.core.planning.commands import one_line
from plumbline.core.planning.inputs import Chosen, HostFacts, Limits
from plumbline.core.planning.open_steps import OpenStep, open_steps
from plumbline.core.planning.plan import Command, FindingRef, HostPlan, Plan, Refusal, Step
from plumbline.core.planning.refusals import Refused
from plumbline.core.planning.script import host_script
from plumbline.core.rules.finding_status import status_of
from plumbline.core.rules.rule import Rule
from plumbline.packs.runner_settings import runner_settings

_BUNDLE = "the host of the bundle"
LIMITS = Limits()
# No job may carry anything out on a host that is known from a bundle alone.
NO_JOB = Refused(
    "remediation_on",
    HOST.address("remediation"),
    "known from a support bundle only: install the agent or add a credential, and plan from its first check-in",
)


def preview_plan(kept: KeptHost, *, name: str, captured_at: str, bundle: str) -> PlanPreview:
    """The steps that would fix what fails, in the order of a plan, with what each interrupts; and what is left out, with the reason."""
    configuration = kept.document.configuration
    found, excluded = found_on(configuration, kept.unread)
    failing = [
        (rule, finding.subject)
        for rule, finding in found
        if status_of(finding.outcome, None, "conflict" if (rule.address, finding.subject) in excluded else "", finding.kind) == "fail"
    ]
    if not failing:
        return PlanPreview(steps=[], left_out=[], manual=[], script="", words="")
    facts = HostFacts(
        host=_BUNDLE,
        name=name,
        configuration=configuration,
        path_map=kept.document.path_map,
        chosen=tuple(Chosen(rule, subject) for rule, subject in failing),
        facts_at=captured_at or "an unknown time",
        configuration_hash="",
        sessions=kept.routes,
        without_job=NO_JOB,
    )
    return _shown(build_plan([facts], runner_settings(), LIMITS), facts, {rule.address: rule for rule, _ in failing}, bundle)


def _shown(plan: Plan, facts: HostFacts, rules: dict[str, Rule], bundle: str) -> PlanPreview:
    configuration = facts.configuration
    shown_before: set[tuple[Command, ...]] = set()

    def named(refs: tuple[FindingRef, ...]) -> list[PreviewFinding]:
        return [
            PreviewFinding(
                pack=ref.pack,
                rule=ref.rule,
                title=rules[f"{ref.pack}/{ref.rule}"].title,
                item=label_of(configuration, Subject(ref.subject_kind, ref.subject_id)) if ref.subject_kind != "host" else "",
            )
            for ref in refs
        ]

    def left_out(refusal: Refusal) -> PreviewLeftOut:
        # What several refusals hold back is shown with the first of them.
        steps = [step for step in open_steps(facts, refusal, runner_settings(), LIMITS) if step.commands not in shown_before]
        shown_before.update(step.commands for step in steps)
        shown = [_step(number, step, step.words, step.needed, named(step.findings)) for number, step in enumerate(steps, 1)]
        return PreviewLeftOut(words=refusal.words, command=refusal.command, findings=named(refusal.findings), steps=shown)

    part = next(iter(plan.without_job), None)
    return PlanPreview(
        steps=[
            _step(step.number, step, step.forecast.words, [gate.words for gate in step.gates], named(step.findings)) for step in part.steps
        ]
        if part is not None
        else [],
        left_out=[left_out(one) for one in plan.refusals if one.words != NO_JOB.words],
        manual=[PreviewManual(because=one.because, steps=list(one.steps), findings=named(one.findings)) for one in plan.checklists],
        script=_script(part, bundle) if part is not None else "",
        words=part.forecast.words if part is not None else "",
    )


def _step(number: int, step: Step | OpenStep, words: str, needed: Sequence[str], findings: list[PreviewFinding]) -> PreviewStep:
    return PreviewStep(
        number=number,
        title=step.title,
        impact=step.impact,
        words=words,
        elements=[PreviewElement(label=each.label, seen=each.shown_seen, target=each.shown_target) for each in step.elements],
        commands=[command.text for command in step.commands],
        undo=[command.text for command in step.undo_commands],
        needed=list(needed),
        findings=findings,
    )


def _script(part: HostPlan, bundle: str) -> str:
    return host_script(part, wave=f"preview from {one_line(bundle)}: not approved, check each value on the host first")
