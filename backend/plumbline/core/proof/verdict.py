"""The papers' verdict on runs before and after a change: three runs each, at most 1 % deviation, effects from 5 %. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from plumbline.core.benchmarks.loads import NamedLoad, is_same_load, judged_by, load_words, paper_load
from plumbline.core.benchmarks.paper_method import (
    LARGEST_RELATIVE_DEVIATION_PERCENT,
    RUN_SECONDS,
    RUNS_PER_WORKLOAD,
    SIGNIFICANT_FROM_PERCENT,
)
from plumbline.core.benchmarks.run import BenchmarkRun
from plumbline.core.proof.statistics import Spread, change_percent, spread

# better, worse: beyond the margin. no_effect: within it. run_again: the runs of one side differ too much. too_few_runs: fewer than three.
Outcome = Literal["better", "worse", "no_effect", "run_again", "too_few_runs", "not_comparable"]
Grade = Literal["paper", "quick_look"]
Advice = Literal["keep", "revert", "waive", "run_again", "decide"]
Answer = Literal["yes", "no", "unknown"]

# What no file of results tells and people are asked. Name -> (question, where the papers ask for it).
METHOD_QUESTIONS: Mapping[str, tuple[str, str]] = {
    "restarted_before_each_run": ("Was the host restarted before each run?", "BP1057 3.2"),
    "sessions_checked": ("Was the spread of iSCSI sessions over adapters and array ports checked after each restart?", "BP1057 3.2"),
    "load_balancing_off": ("Was load balancing on the array off during the runs?", "ESXi paper 3.1"),
    "one_change": ("Was only this one setting changed between before and after?", "BP1057 3.4"),
    "san_isolated": ("Was the SAN free of other traffic during the runs?", "BP1057 1, ESXi paper 1"),
}
_UNMET = {
    "restarted_before_each_run": "the host was not restarted before each run",
    "sessions_checked": "the spread of sessions was not checked",
    "load_balancing_off": "load balancing on the array was not off",
    "one_change": "more than one setting was changed",
    "san_isolated": "other traffic was on the SAN",
}
# The three loads of BP1057 that a proof of paper grade needs.
PAPER_LOADS: tuple[str, ...] = ("8k_random_mix", "256k_seq_read", "256k_seq_write")


@dataclass(frozen=True, slots=True)
class LoadVerdict:
    """The verdict on one load. `measure` is the result that is judged; `change_percent` None where the value before is zero."""

    words: str
    paper_load: NamedLoad | None
    measure: str
    before: Spread | None
    after: Spread | None
    change_percent: float | None
    outcome: Outcome
    reason: str


@dataclass(frozen=True, slots=True)
class ProofVerdict:
    """The verdict as a whole. `deviations` says what did not follow the papers' method; with any, the grade is a quick look."""

    grade: Grade
    outcome: Outcome | Literal["mixed"]
    advice: Advice
    loads: tuple[LoadVerdict, ...]
    deviations: tuple[str, ...]


def judge(before: Sequence[BenchmarkRun], after: Sequence[BenchmarkRun], answers: Mapping[str, Answer]) -> ProofVerdict:
    """The verdict on these runs. Runs of the same load are judged together; every run that was given counts, none is dropped."""
    verdicts = tuple(_judge_load(first, second) for first, second in _by_load(before, after))
    outcome = _overall([each.outcome for each in verdicts])
    deviations = _deviations(before, after, answers, verdicts)
    return ProofVerdict("quick_look" if deviations else "paper", outcome, _advice(outcome), verdicts, deviations)


def _by_load(before: Sequence[BenchmarkRun], after: Sequence[BenchmarkRun]) -> list[tuple[list[BenchmarkRun], list[BenchmarkRun]]]:
    groups: list[tuple[list[BenchmarkRun], list[BenchmarkRun]]] = []
    for side, runs in ((0, before), (1, after)):
        for run in runs:
            for group in groups:
                if is_same_load((group[0] or group[1])[0], run):
                    group[side].append(run)
                    break
            else:
                groups.append(([run], []) if side == 0 else ([], [run]))
    return groups


def _judge_load(before: list[BenchmarkRun], after: list[BenchmarkRun]) -> LoadVerdict:
    load = (before or after)[0].load
    measure = judged_by(load)
    sides = [[getattr(run.results, measure) for run in runs] for runs in (before, after)]
    spreads = [spread(values) if values and None not in values else None for values in sides]
    outcome, change, reason = _outcome(before, after, spreads[0], spreads[1])
    return LoadVerdict(load_words(load), paper_load(load), measure, spreads[0], spreads[1], change, outcome, reason)


def _outcome(
    before: list[BenchmarkRun], after: list[BenchmarkRun], first: Spread | None, second: Spread | None
) -> tuple[Outcome, float | None, str]:
    if not before or not after:
        side = "before" if not before else "after"
        return "not_comparable", None, f"there is no run with this load {side} the change"
    if first is None or second is None:
        return "not_comparable", None, "a run does not report the result that is compared"
    change = change_percent(first.mean, second.mean)
    if min(first.count, second.count) < RUNS_PER_WORKLOAD:
        return "too_few_runs", change, f"{first.count} runs before and {second.count} after; the method needs {RUNS_PER_WORKLOAD} of each"
    for side, found in (("before", first), ("after", second)):
        deviation = found.relative_deviation_percent
        if deviation is None or deviation > LARGEST_RELATIVE_DEVIATION_PERCENT:
            words = "have a mean of zero" if deviation is None else f"differ by {deviation:.2f}% (relative standard deviation)"
            return (
                "run_again",
                change,
                f"the runs {side} {words}; more than {LARGEST_RELATIVE_DEVIATION_PERCENT:.0f}% is no result: run again",
            )
    if change is None:
        return "not_comparable", None, "the mean before is zero"
    if abs(change) < SIGNIFICANT_FROM_PERCENT:
        return "no_effect", change, f"a difference under {SIGNIFICANT_FROM_PERCENT:.0f}% is no significant effect"
    return ("better" if change > 0 else "worse"), change, f"a difference of {SIGNIFICANT_FROM_PERCENT:.0f}% or more is significant"


def _overall(outcomes: Sequence[Outcome]) -> Outcome | Literal["mixed"]:
    if not outcomes or "not_comparable" in outcomes:
        return "not_comparable"
    if "too_few_runs" in outcomes or "run_again" in outcomes:
        return "run_again" if "run_again" in outcomes else "too_few_runs"
    if "better" in outcomes and "worse" in outcomes:
        return "mixed"
    return "worse" if "worse" in outcomes else "better" if "better" in outcomes else "no_effect"


def _advice(outcome: str) -> Advice:
    advice: dict[str, Advice] = {"better": "keep", "worse": "revert", "no_effect": "waive", "mixed": "decide"}
    return advice.get(outcome, "run_again")


def _deviations(
    before: Sequence[BenchmarkRun], after: Sequence[BenchmarkRun], answers: Mapping[str, Answer], verdicts: Sequence[LoadVerdict]
) -> tuple[str, ...]:
    found = []
    named = {each.paper_load.name for each in verdicts if each.paper_load and each.paper_load.is_order_known}
    if missing := [name for name in PAPER_LOADS if name not in named]:
        labels = {"8k_random_mix": "8K random mix", "256k_seq_read": "256K sequential read", "256k_seq_write": "256K sequential write"}
        found.append(f"not all three loads of the paper were run: {', '.join(labels[name] for name in missing)} missing")
    if {side.count if side else 0 for each in verdicts for side in (each.before, each.after)} - {RUNS_PER_WORKLOAD}:
        found.append(f"not exactly {RUNS_PER_WORKLOAD} runs of each load, before and after")
    lengths = [run.planned_seconds or run.measured_seconds for run in (*before, *after)]
    if any(length is None for length in lengths):
        found.append("a file does not say how long its run was")
    elif short := [length for length in lengths if length is not None and length < RUN_SECONDS]:
        found.append(f"runs of {min(short):.0f} s; the paper's are {RUN_SECONDS // 60} minutes")
    for name in METHOD_QUESTIONS:
        if answers.get(name) == "no":
            found.append(_UNMET[name])
        elif answers.get(name) != "yes":
            found.append(f"not answered: {METHOD_QUESTIONS[name][0]}")
    return tuple(found)
