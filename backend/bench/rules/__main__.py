"""`python -m bench.rules` (from `backend/`): judging beside Open Policy Agent's engine and JSON Schema, same rules, same answers.

Rounds are interleaved, so that a busy machine slows every contestant alike; figures are medians of ratios inside one round.
Writes `docs/measured/rules.md`.
"""

import gc
import platform
import statistics
import time
from collections.abc import Callable
from typing import Any

import jsonschema
import zstandard

from bench.rules.fleet import documents, hosts, multiplied, packs
from bench.rules.rego import Rego
from bench.rules.schemas import Schemas
from plumbline.evaluate import _check_in
from plumbline.facts import document
from plumbline.facts.assemble import assemble
from plumbline.facts.configuration import Configuration, Platform
from plumbline.facts.partial import reader_of
from plumbline.findings.stored import keys_asked
from plumbline.resources import CHECKOUT, SCHEMA
from plumbline.rulesets import load_builtin
from plumbline.rulesets.active import ActiveRules, JudgingRules
from plumbline.scoring.compile import CompiledRules, compile_packs, describe
from plumbline.scoring.evaluate import Finding
from plumbline.scoring.score import Weights, score, severity, traits_of

SEED = 20131
HOSTS = 60
REGO_HOSTS = 3  # Rego needs some thousand times as long; three hosts of the same fleet are enough for a ratio
ROUNDS = 9
GOALS = {"regopy": 25.0, "jsonschema": 20.0, "jsonschema-rs": 1 / 1.5}


class Ours:
    """What the door does: judge, put the failing and unknown into words, and say how severe they are."""

    def __init__(self, compiled: CompiledRules, weights: Weights) -> None:
        self.compiled = compiled
        self.weights = weights

    def findings(self, host: Configuration) -> list[tuple[Finding, str]]:
        verdicts = self.compiled.judge(host)
        traits = traits_of(host)
        told = []
        for verdict in verdicts:
            if verdict[2] in ("fail", "unknown"):
                weight = self.weights.of(verdict.rule, traits.san_families, traits.os_release, "windows")
                told.append((describe(verdict, host), severity(weight.w, caused_cap=verdict.rule.kind == "guard_rail")))
        return told


def _seconds(work: Callable[[Any], Any], inputs: list[Any]) -> float:
    """Processor time a host, so that other programs of a shared machine count less."""
    started = time.process_time()
    for each in inputs:
        work(each)
    return (time.process_time() - started) / len(inputs)


def main() -> None:
    rules = packs()
    fleet = hosts(HOSTS, SEED)
    weights = Weights(rules)
    compiled = compile_packs(rules, "windows")
    traits = traits_of(fleet[0])
    severities = {
        rule.address: severity(weights.of(rule, traits.san_families, "2012", "windows").w, caused_cap=rule.kind == "guard_rail")
        for pack in rules
        for rule in pack.rules
    }
    ours, rego, schemas = Ours(compiled, weights), Rego(rules, severities), Schemas(rules, severities)
    python_schemas = Schemas(rules, severities)
    python_schemas._validators = {
        kind: _PythonValidator({"allOf": schemas.schemas[kind]}) for kind in schemas.schemas
    }  # fmt: skip
    plain = [documents(host) for host in fleet]
    prepared = [schemas.prepared(each) for each in plain]

    failing = 0
    for index, host in enumerate(fleet):
        all_of_it = {(each.rule.address, each.subject.kind, each.subject.id, each.outcome) for each in compiled.judge(host)}
        told = {each for each in all_of_it if each[3] in ("fail", "unknown")}
        failing += len(told)
        assert schemas.answers(schemas.findings(prepared[index])) == told, "jsonschema-rs answers otherwise"
        assert python_schemas.answers(python_schemas.findings(prepared[index])) == told, "jsonschema answers otherwise"
        if index < REGO_HOSTS:
            assert rego.answers(rego.findings(plain[index])) == all_of_it, "Rego answers otherwise"

    gc.disable()
    rounds: list[dict[str, float]] = []
    for _ in range(ROUNDS):
        gc.collect()
        rounds.append({
            "judging": _seconds(compiled.judge, fleet),
            "plumbline": _seconds(ours.findings, fleet),
            "score": _seconds(lambda host: score(compiled.judge(host), weights, traits_of(host)), fleet),
            "jsonschema-rs": _seconds(schemas.findings, prepared),
            "jsonschema": _seconds(python_schemas.findings, prepared[:10]),
            "regopy": _seconds(rego.findings, plain[:REGO_HOSTS]),
        })  # fmt: skip
    few = compile_packs(multiplied(1), "windows")
    many = compile_packs(multiplied(10), "windows")
    growth = statistics.median(_seconds(many.judge, fleet) / _seconds(few.judge, fleet) for _ in range(ROUNDS))
    again = stored_again()
    gc.enable()
    count = sum(len(pack.rules) for pack in rules)
    text = report(rounds, growth, again, count, failing / len(fleet))
    print(text)
    path = CHECKOUT / "docs" / "measured" / "rules.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


class _PythonValidator:
    """jsonschema with the interface of jsonschema-rs."""

    def __init__(self, schema: dict[str, Any]) -> None:
        self._validator = jsonschema.Draft202012Validator(schema)

    def iter_errors(self, document: dict[str, Any]) -> Any:
        for error in self._validator.iter_errors(document):
            error.schema_path = list(error.absolute_schema_path)
            yield error


def stored_again() -> dict[str, float]:
    """Hosts a second and core that can be judged again from their stored form: the sample hosts, of real size and compressed."""
    stored: dict[Platform, list[bytes]] = {"windows": [], "esxi": []}
    for path in sorted(SCHEMA.glob("samples/*/*.checkin")):
        platform_of, sections, version = _check_in(path)
        assembled = assemble(platform_of, sections, agent_version=version)
        encoded = document.encode(document.Document(assembled.configuration, assembled.path_map))
        stored[platform_of].append(zstandard.compress(encoded, 3))
    everything = load_builtin()
    changed = [pack for pack in everything if pack.id in ("dell-bp1057-2012", "dell-esxi55")]
    compiled = {platform_of: (compile_packs(changed, platform_of), compile_packs(everything, platform_of)) for platform_of in stored}
    weights = Weights(everything)
    unpack = zstandard.ZstdDecompressor().decompress

    # As rescoring does, with the keys that these packs ask for.
    readers = [reader_of(keys_asked(ActiveRules(1, {1: JudgingRules(tuple(packs), {}, {})}))).read for packs in (changed, everything)]

    def one_pack(each: tuple[Platform, bytes]) -> None:
        compiled[each[0]][0].judge(readers[0](unpack(each[1])))

    def all_and_score(each: tuple[Platform, bytes]) -> None:
        configuration = readers[1](unpack(each[1]))
        score(compiled[each[0]][1].judge(configuration), weights, traits_of(configuration))

    def reading(each: tuple[Platform, bytes]) -> None:
        readers[0](unpack(each[1]))

    hosts_again = [(platform_of, each) for platform_of, texts in stored.items() for each in texts] * 5
    works = {"read": reading, "one pack": one_pack, "all": all_and_score}
    rates = {name: 1 / statistics.median(_seconds(work, hosts_again) for _ in range(ROUNDS)) for name, work in works.items()}
    return {**rates, "hosts": len(hosts_again) / 5}


def report(rounds: list[dict[str, float]], growth: float, again: dict[str, float], count: int, failing: float) -> str:
    """The page."""

    def micro(name: str) -> str:
        return f"{statistics.median(each[name] for each in rounds) * 1e6:,.0f}"

    def ratio(name: str, beside: str) -> float:
        return statistics.median(each[name] / each[beside] for each in rounds)

    lines = [
        "# Judging rules",
        "",
        "Made by `cd backend && ../.venv/bin/python -m bench.rules` (part of `make bench`).",
        f"Python {platform.python_version()}, {platform.machine()}; processor time, medians of {ROUNDS} interleaved rounds.",
        "",
        f"{count} Windows rules of the built-in packs on {HOSTS} generated hosts with 2 or 4 adapters and 4 volumes,",
        f"{failing:.1f} failing or unknown findings a host. Left out for all alike: rules that compare subjects or ask for a",
        "subject's existence, which JSON Schema cannot say. Before timing the answers were compared: those of Rego on every",
        "finding, those of JSON Schema on every failing and unknown one. Each contestant also gives what was observed, what",
        "was expected and the severity of every failing finding; ours in words.",
        "",
        "| | µs a host | times ours | goal | |",
        "|---|---:|---:|---:|---|",
        f"| Plumbline, verdicts alone | {micro('judging')} | {ratio('judging', 'plumbline'):.2f} | | |",
        f"| Plumbline, with words and severity | {micro('plumbline')} | 1 | | |",
        f"| Plumbline, verdicts and score | {micro('score')} | {ratio('score', 'plumbline'):.2f} | | |",
    ]
    for name, goal in (("jsonschema-rs", "at least 0.67"), ("jsonschema", "at least 20"), ("regopy", "at least 25")):
        times = ratio(name, "plumbline")
        lines.append(f"| {name} | {micro(name)} | {times:,.2f} | {goal} | {_met(times >= GOALS[name])} |")
    lines += [
        "",
        f"Ten times as many rules ({count * 10}) take {growth:.1f} times as long (goal: at most 11, {_met(growth <= 11)}).",
        "",
        f"From their stored form ({again['hosts']:.0f} sample hosts, zstd) one core reads {again['read']:,.0f} hosts a second, judges",
        f"{again['one pack']:,.0f} of them again under one changed pack (goal: 10,000, {_met(again['one pack'] >= 10_000)}), and",
        f"{again['all']:,.0f} under all {len(load_builtin())} packs with the score. Most of it is reading the stored form.",
        "",
        "regopy is Open Policy Agent's language in the engine of the rego-cpp project, used as a library. OPA's own server was not on the",
        "machine, so the goal against OPA over REST was not measured.",
        "",
    ]
    return "\n".join(lines)


def _met(reached: bool) -> str:
    return "met" if reached else "MISSED"


if __name__ == "__main__":
    main()
