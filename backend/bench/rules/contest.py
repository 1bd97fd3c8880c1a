"""Evaluation compared with Open Policy Agent and JSON Schema: the same rules, the same hosts, the same answers.

Rounds are interleaved, so that a busy machine slows every contestant alike; figures are medians of ratios inside one round. Time is
processor time, of both sides where a server answers.
"""

# The rows of the page are long lines.
# ruff: noqa: E501

import contextlib
import gc
import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import jsonschema

from bench.rules import opa
from bench.rules.fleet import checks, documents, hosts, multiplied, packs
from bench.rules.rego import Rego
from bench.rules.schemas import Answer, Schemas
from plumbline.core.facts.configuration import HOST, Configuration
from plumbline.core.rules.compile import CompiledRules, compile_packs, describe
from plumbline.core.rules.evaluate import Finding
from plumbline.core.rules.score import score, severity
from plumbline.core.rules.weights import Weights, traits_of

SEED = 20131
HOSTS = 60
REGO_HOSTS = 3  # regopy needs some thousand times as long; three hosts of the same fleet are enough for a ratio
SCHEMA_HOSTS = 10
ROUNDS = 9
# name, how often ours it has to take, in words
GOALS: tuple[tuple[str, float, str], ...] = (
    ("jsonschema-rs", 1 / 1.5, "at least 0.67"),
    ("jsonschema", 20.0, "at least 20"),
    ("OPA over REST", 60.0, "at least 60"),
    ("regopy", 25.0, "at least 25"),
)


class PlumblineInSentences:
    """What a check-in does: evaluate, describe the failing and unknown findings, and determine their severity."""

    def __init__(self, compiled: CompiledRules, weights: Weights) -> None:
        self.compiled = compiled
        self.weights = weights

    def findings(self, host: Configuration) -> list[tuple[Finding, str]]:
        """The failing and unknown findings of a host, in words, and their severity."""
        verdicts = self.compiled.evaluate(host)
        traits = traits_of(host)
        findings: list[tuple[Finding, str]] = []
        for verdict in verdicts:
            if verdict[2] in ("fail", "unknown"):
                weight = self.weights.of(verdict.rule, traits.san_families, traits.os_release, "windows")
                findings.append((describe(verdict, host), severity(weight.w, caused_cap=verdict.rule.kind == "guard_rail")))
        return findings


class PlumblineSameAnswer:
    """The answer that the others give, from the same input: values observed and expected instead of sentences, and the severity of each
    rule determined beforehand."""

    def __init__(self, compiled: CompiledRules, severities: Mapping[str, str]) -> None:
        self.compiled = compiled
        self._parts: dict[str, tuple[list[tuple[bool, str]], list[tuple[Any, ...]], str]] = {}
        for rule in (rule for compiled_pack in compiled.packs for rule in compiled_pack.pack.rules):
            parts = list(checks(rule.expect))
            keys = [(part.key.startswith("host."), part.key.split(".", 1)[1]) for part in parts]
            self._parts[rule.address] = (keys, [(part.operator, *part.values) for part in parts], severities[rule.address])

    def answers(self, host: Configuration) -> list[tuple[Any, ...]]:
        """Rule, subject, outcome, observed, expected and severity of each failing and unknown finding."""
        findings = []
        for rule, subject, outcome in self.compiled.evaluate(host):
            if outcome in ("fail", "unknown"):
                keys, expected, severity_of_rule = self._parts[rule.address]
                observed = [host.read(HOST if is_hosts else subject, key) for is_hosts, key in keys]
                findings.append((rule.address, subject.kind, subject.id, outcome, observed, expected, severity_of_rule))
        return findings


class _PythonValidator:
    """jsonschema with the interface of jsonschema-rs."""

    def __init__(self, schema: dict[str, Any]) -> None:
        self._validator = jsonschema.Draft202012Validator(schema)

    def iter_errors(self, document: dict[str, Any]) -> Any:
        for error in self._validator.iter_errors(document):
            error.schema_path = list(error.absolute_schema_path)
            yield error


@dataclass(frozen=True)
class Contest:
    """Seconds a host by contestant, round by round."""

    rounds: list[dict[str, float]]
    growth: float
    rules: int
    found_count: float  # failing or unknown findings a host

    def ratio(self, name: str, reference: str = "plumbline") -> float:
        """How many times as long, the median of the rounds."""
        return statistics.median(seconds[name] / seconds[reference] for seconds in self.rounds)

    def micro(self, name: str) -> str:
        """Microseconds a host, the median of the rounds."""
        return f"{statistics.median(seconds[name] for seconds in self.rounds) * 1e6:,.0f}"


def _seconds(work: Callable[[Any], Any], inputs: list[Any]) -> float:
    started = time.process_time()
    for each in inputs:
        work(each)
    return (time.process_time() - started) / len(inputs)


def _over_rest(server: opa.Server, bodies: list[bytes]) -> float:
    """Both sides' processor time; the server's is read in hundredths of a second, so over all hosts at once."""
    started = time.process_time() + server.cpu_seconds()
    for each in bodies:
        server.findings_of(each)
    return (time.process_time() + server.cpu_seconds() - started) / len(bodies)


def contest(rounds: int = ROUNDS) -> Contest:
    """Compares all answers first, then measures."""
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
    ours, as_theirs = PlumblineInSentences(compiled, weights), PlumblineSameAnswer(compiled, severities)
    rego, schemas = Rego(rules, severities), Schemas(rules, severities)
    python_schemas = Schemas(rules, severities)
    python_schemas._validators = {kind: _PythonValidator({"allOf": schemas.schemas[kind]}) for kind in schemas.schemas}
    plain = [documents(host) for host in fleet]
    prepared = [schemas.prepared(each) for each in plain]
    bodies = [opa.body(each) for each in plain]
    few, many = compile_packs(multiplied(1), "windows"), compile_packs(multiplied(10), "windows")
    with opa.server(rules, severities) if opa.program() else contextlib.nullcontext() as server:
        found_count = 0
        for index, host in enumerate(fleet):
            all_of_it: set[Answer] = {
                (each.rule.address, each.subject.kind, each.subject.id, each.outcome) for each in compiled.evaluate(host)
            }
            failing = {each for each in all_of_it if each[3] in ("fail", "unknown")}
            found_count += len(failing)
            _same("ours, in their shape", {each[:4] for each in as_theirs.answers(host)}, failing)
            _same("jsonschema-rs", schemas.answers(schemas.findings(prepared[index])), failing)
            _same("jsonschema", python_schemas.answers(python_schemas.findings(prepared[index])), failing)
            if server is not None:
                _same("OPA", rego.answers(server.findings_of(bodies[index])), all_of_it)
            if index < REGO_HOSTS:
                _same("regopy", rego.answers(rego.findings(plain[index])), all_of_it)
        gc.disable()
        measured: list[dict[str, float]] = []
        for number in range(rounds):
            gc.collect()
            found = {
                "verdicts": _seconds(compiled.evaluate, fleet),
                "plumbline": _seconds(as_theirs.answers, fleet),
                "words": _seconds(ours.findings, fleet),
                "score": _seconds(lambda host: score(compiled.evaluate(host), weights, traits_of(host)), fleet),
                "few": _seconds(few.evaluate, fleet),
                "many": _seconds(many.evaluate, fleet),
                "jsonschema-rs": _seconds(schemas.findings, prepared),
                "jsonschema": _seconds(python_schemas.findings, prepared[:SCHEMA_HOSTS]),
                "regopy": _seconds(rego.findings, plain[:REGO_HOSTS]),
            }
            if server is not None:
                found["OPA over REST"] = _over_rest(server, bodies)
            measured.append(found)
            print(f"round {number + 1}: {', '.join(f'{name} {seconds * 1e6:,.0f} us' for name, seconds in found.items())}", flush=True)
        gc.enable()
    growth = statistics.median(each["many"] / each["few"] for each in measured)
    return Contest(measured, growth, sum(len(pack.rules) for pack in rules), found_count / len(fleet))


def _same(name: str, theirs: set[Answer], ours: set[Answer]) -> None:
    if theirs != ours:
        raise SystemExit(f"{name} gives other answers: {sorted(theirs ^ ours)[:5]}")


def page(found: Contest, machine: str) -> str:
    """`docs/measured/rules.md`."""
    lines = [
        "# Evaluating rules",
        "",
        f"Made by `cd backend && ../.venv/bin/python -m bench.rules contest --write` (part of `make bench`) on {datetime.now(UTC):%Y-%m-%d};",
        f"{machine}. Processor time, medians of {len(found.rounds)} interleaved rounds. How fast a stored fleet is re-evaluated:",
        "[rescoring.md](rescoring.md).",
        "",
        f"{found.rules} Windows rules of the built-in packs on {HOSTS} generated hosts with 2 or 4 adapters and 4 volumes,",
        f"{found.found_count:.1f} failing or unknown findings a host. Left out for all alike: rules that compare items or require that an",
        "item exists, which JSON Schema cannot say. Before timing the answers were compared: those of Rego on every",
        "finding, those of JSON Schema on every failing and unknown one. Each contestant also gives what was observed, what was expected and",
        "the severity of every failing finding, which all are given for each rule beforehand. Goals are for that same answer; Plumbline also",
        "works the severity out for the host and puts it all into sentences, which the others do not.",
        "",
        "| | µs a host | times ours | times ours in sentences | goal | |",
        "|---|---:|---:|---:|---:|---|",
        *(
            f"| {shown} | {found.micro(name)} | {found.ratio(name):.2f} | {found.ratio(name, 'words'):.2f} | | |"
            for name, shown in (
                ("verdicts", "Plumbline, verdicts alone"),
                ("plumbline", "Plumbline, the same answer"),
                ("words", "Plumbline, in sentences"),
                ("score", "Plumbline, verdicts and score"),
            )
        ),
    ]
    for name, goal, words in GOALS:
        if name in found.rounds[0]:
            times = found.ratio(name)
            lines.append(
                f"| {name} | {found.micro(name)} | {times:,.2f} | {found.ratio(name, 'words'):,.2f} | {words} | {_met(times >= goal)} |"
            )
    lines += [
        "",
        f"Ten times as many rules ({found.rules * 10}) take {found.growth:.1f} times as long (goal: at most 11, {_met(found.growth <= 11)}).",
        "",
        "OPA is the project's own server, built from its Go module (`tools/opa`); over REST the processor time of both sides counts, on one",
        "connection that stays open. regopy is OPA's language in the engine of the rego-cpp project, used as a library."
        if "OPA over REST" in found.rounds[0]
        else "OPA's own server was not on the machine and could not be built; regopy is its language in the engine of the rego-cpp project.",
        "",
    ]
    return "\n".join(lines)


def _met(reached: bool) -> str:
    return "met" if reached else "MISSED"
