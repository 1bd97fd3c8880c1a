"""The same rules as a Rego module, for Open Policy Agent's engine as a library (regopy)."""

import json
from collections.abc import Mapping
from typing import Any

from regopy import Interpreter

from plumbline.core.facts.catalogue import BY_KEY
from plumbline.core.rules.rule import AllOf, Check, Condition, Expectation, Pack

Answer = tuple[str, str, str, str]  # rule, subject kind, subject id, outcome

_HEAD = """\
package plumbline
import rego.v1

reading(s, key) := object.get(s, key, {"u": true})

h := input.host[0]

one_of(r, values) := 1 if r.v in values
one_of(r, values) := 0 if { some v in [r.v]; not v in values }
one_of(r, _) := 0 if r.n
one_of(r, _) := 2 if r.u
none_of(r, values) := 0 if r.v in values
none_of(r, values) := 1 if { some v in [r.v]; not v in values }
none_of(r, _) := 1 if r.n
none_of(r, _) := 2 if r.u
at_least(r, n) := 1 if r.v >= n
at_least(r, n) := 0 if r.v < n
at_least(r, _) := 0 if r.n
at_least(r, _) := 2 if r.u
at_most(r, n) := 1 if r.v <= n
at_most(r, n) := 0 if r.v > n
at_most(r, _) := 0 if r.n
at_most(r, _) := 2 if r.u

state(1, _) := "pass"
state(0, r) := "fail" if not r.n
state(0, r) := "not_applicable" if r.n
state(2, _) := "unknown"
empty(r) := 1 if r.v in ["", []]
empty(r) := 0 if { some v in [r.v]; not v in ["", []] }
empty(r) := 0 if r.n
empty(r) := 2 if r.u
filled(r) := 0 if r.v in ["", []]
filled(r) := 1 if { some v in [r.v]; not v in ["", []] }
filled(r) := 0 if r.n
filled(r) := 2 if r.u
between(r, low, high) := 1 if { r.v >= low; r.v <= high }
between(r, low, _) := 0 if r.v < low
between(r, _, high) := 0 if r.v > high
between(r, _, _) := 0 if r.n
between(r, _, _) := 2 if r.u
subset(r, values) := 1 if { r.v; count([m | some m in r.v; not m in values]) == 0 }
subset(r, values) := 0 if count([m | some m in r.v; not m in values]) > 0
subset(r, _) := 0 if r.n
subset(r, _) := 2 if r.u
proves(r, word) := 1 if r.v == word
proves(r, word) := 2 if r.v in ["silent", "not_run"]
proves(r, word) := 0 if { some v in [r.v]; not v in [word, "silent", "not_run"] }
proves(r, _) := 0 if r.n
proves(r, _) := 2 if r.u
maximum(r, m, _) := at_least(r, m.v) if m.v
maximum(r, m, n) := at_least(r, n) if not m.v

all_of(outcomes) := "not_applicable" if "not_applicable" in outcomes
all_of(outcomes) := "fail" if { not "not_applicable" in outcomes; "fail" in outcomes }
all_of(outcomes) := "unknown" if { not "not_applicable" in outcomes; not "fail" in outcomes; "unknown" in outcomes }
all_of(outcomes) := "pass" if { not "not_applicable" in outcomes; not "fail" in outcomes; not "unknown" in outcomes }

apply(states, outcome) := "not_applicable" if 0 in states
apply(states, outcome) := "unknown" if { not 0 in states; 2 in states }
apply(states, outcome) := outcome if { not 0 in states; not 2 in states }
"""


def _json(value: object) -> str:
    return json.dumps(value)


def _read(key: str) -> str:
    return f"reading({'h' if key.startswith('host.') else 's'}, {_json(key)})"


def _state(it: Condition) -> str:
    values: object = list(it.values) if it.test in ("one_of", "none_of") else it.values[0]
    return f"{it.test}({_read(it.key)}, {_json(values)})"


def _outcome(it: Expectation) -> str:
    if isinstance(it, AllOf):
        return f"all_of([{', '.join(_outcome(part) for part in it.parts)}])"
    assert isinstance(it, Check)
    read = _read(it.key)
    match it.operator:
        case "one_of" if it.key == "adapter.bindings":
            state = f"subset({read}, {_json(list(it.values))})"
        case "equals" if BY_KEY[it.key].type == "list":
            state = f"one_of({read}, {_json([list(it.values)])})"
        case "equals" | "one_of":
            state = f"one_of({read}, {_json(list(it.values))})"
        case "at_least" | "at_most":
            state = f"{it.operator}({read}, {_json(it.values[0])})"
        case "between":
            state = f"between({read}, {_json(it.values[0])}, {_json(it.values[1])})"
        case "driver_maximum":
            state = f"maximum({read}, {_read(it.key + '_maximum')}, {_json(it.values[0])})"
        case "present":
            state = f"filled({read})"
        case "absent":
            state = f"empty({read})"
        case "proves":
            state = f"proves({read}, {_json(it.values[0])})"
        case _:
            raise AssertionError(it.operator)
    return f"state({state}, {read})"


def module(packs: list[Pack], severities: Mapping[str, str]) -> str:
    """The Rego text. Subjects are picked once for each distinct set of clauses, as somebody who knows Rego would write it."""
    lines = [_HEAD]
    groups: dict[tuple[str, tuple[Any, ...]], str] = {}
    for rule in (rule for pack in packs for rule in pack.rules):
        key = (rule.subject_kind, rule.applies_to.subject)
        if key not in groups:
            name = groups[key] = f"group_{len(groups)}"
            states = ", ".join(_state(it) for it in rule.applies_to.subject if isinstance(it, Condition)) or "1"
            lines.append(f'{name} := [{{"s": s, "w": w}} | some s in input[{_json(rule.subject_kind)}]; w := [{states}]; not 0 in w]')
        name = groups[key]
        host = ", ".join(_state(it) for it in rule.applies_to.host if isinstance(it, Condition))
        observed = ", ".join(_read(check.key) for check in _checks(rule.expect))
        expected = _json([[check.operator, *check.values] for check in _checks(rule.expect)])
        lines.append(
            f"findings contains [{_json(rule.address)}, {_json(rule.subject_kind)}, s.id, o, [{observed}], {expected}, "
            f"{_json(severities.get(rule.address, 'low'))}] if {{ some m in {name}; s := m.s; "
            f"o := apply(array.concat([{host}], m.w), {_outcome(rule.expect)}) }}"
        )
        lines.append(f'findings contains [{_json(rule.address)}, "host", "", "not_applicable", [], [], "low"] if count({name}) == 0')
    return "\n".join(lines) + "\n"


def _checks(it: Expectation) -> list[Check]:
    return [part for each in it.parts for part in _checks(each)] if isinstance(it, AllOf) else [it] if isinstance(it, Check) else []


class Rego:
    """The engine with the module loaded; one query a host."""

    def __init__(self, packs: list[Pack], severities: Mapping[str, str]) -> None:
        self._rego = Interpreter()
        self._rego.add_module("plumbline", module(packs, severities))

    def findings(self, document: Mapping[str, Any]) -> list[list[Any]]:
        """All findings of a host, with observed, expected and severity."""
        self._rego.set_input(document)
        output = self._rego.query("data.plumbline.findings")
        return list(json.loads(str(output))["expressions"][0])

    @staticmethod
    def answers(findings: list[list[Any]]) -> set[Answer]:
        """What all contestants must agree on."""
        return {(rule, kind, subject, outcome) for rule, kind, subject, outcome, *_ in findings}
