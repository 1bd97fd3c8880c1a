"""The same rules as JSON Schemas, for jsonschema-rs: one schema for each kind of subject, all rules in it.

A schema can only say valid or not, so the outcomes are told apart by where an error arises: a failing rule breaks a `not`, an unknown one
a `const`. Pass and not_applicable look alike. The host's own settings are copied into each subject's document beforehand, because a
schema cannot look elsewhere; that copying is not counted.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import jsonschema_rs

from bench.rules.fleet import KINDS, checks
from plumbline.core.facts.catalogue import BY_KEY
from plumbline.core.rules.rule import AllOf, Check, Condition, Expectation, Pack, Rule

Answer = tuple[str, str, str, str]
Schema = dict[str, Any]


def _at(key: str, inner: Schema) -> Schema:
    return {"required": [key], "properties": {key: inner}}


def _value(key: str, test: Schema) -> Schema:
    return _at(key, {"required": ["v"], "properties": {"v": test}})


def _not_offered(key: str) -> Schema:
    return _at(key, {"required": ["n"]})


def _test(operator: str, values: Iterable[Any]) -> Schema:
    values = list(values)
    match operator:
        case "one_of" | "equals":
            return {"enum": values}
        case "none_of":
            return {"not": {"enum": values}}
        case "at_least" | "driver_maximum":
            return {"minimum": values[0]}
        case "at_most":
            return {"maximum": values[0]}
        case "between":
            return {"minimum": values[0], "maximum": values[1]}
        case "present":
            return {"not": {"enum": ["", []]}}
        case "absent":
            return {"enum": ["", []]}
        case "proves":
            return {"const": values[0]}
        case _:
            raise AssertionError(operator)


def _condition_holds(it: Condition) -> Schema:
    holds = _value(it.key, _test(it.test, it.values))
    return {"anyOf": [holds, _not_offered(it.key)]} if it.test == "none_of" else holds


def _condition_is_false(it: Condition) -> Schema:
    wrong = _value(it.key, {"not": _test(it.test, it.values)})
    return wrong if it.test == "none_of" else {"anyOf": [wrong, _not_offered(it.key)]}


def _check_fails(it: Check) -> Schema:
    if it.operator == "one_of" and BY_KEY[it.key].type == "list":
        return _value(it.key, {"not": {"items": {"enum": list(it.values)}}})
    if it.operator == "equals" and BY_KEY[it.key].type == "list":
        return _value(it.key, {"not": {"const": list(it.values)}})
    if it.operator == "proves":
        return _value(it.key, {"not": {"enum": [it.values[0], "silent", "not_run"]}})
    return _value(it.key, {"not": _test(it.operator, it.values)})


def _check_unknown(it: Check) -> Schema:
    unread: Schema = {"not": {"anyOf": [_at(it.key, {"required": ["v"]}), _not_offered(it.key)]}}
    if it.operator == "proves":
        return {"anyOf": [unread, _value(it.key, {"enum": ["silent", "not_run"]})]}
    return unread


def _any(schemas: list[Schema]) -> Schema:
    return schemas[0] if len(schemas) == 1 else {"anyOf": schemas}


def _expect(it: Expectation) -> Schema:
    parts = list(checks(it))
    unknown: Schema = {"if": _any([_check_unknown(part) for part in parts]), "then": {"const": "unknown"}}
    if isinstance(it, AllOf) or parts:
        return {
            "if": _any([_not_offered(part.key) for part in parts]),
            "else": {"if": _any([_check_fails(part) for part in parts]), "then": {"not": {}}, "else": unknown},
        }
    raise AssertionError(it)


def rule_schema(rule: Rule) -> Schema:
    """What makes a rule fail, or its outcome unknown."""
    clauses = [clause for clause in (*rule.applies_to.host, *rule.applies_to.subject) if isinstance(clause, Condition)]
    if not clauses:
        return _expect(rule.expect)
    return {
        "if": _any([_condition_is_false(clause) for clause in clauses]),
        "else": {
            "if": {"allOf": [_condition_holds(clause) for clause in clauses]},
            "then": _expect(rule.expect),
            "else": {"const": "unknown"},
        },
    }


class Schemas:
    """One validator for each kind of subject."""

    def __init__(self, packs: list[Pack], severities: Mapping[str, str]) -> None:
        self._severities = severities
        self._rules: dict[str, list[tuple[str, list[str], Any]]] = {}
        self._validators: dict[str, Any] = {}
        self.schemas: dict[str, list[Schema]] = {}
        for kind in KINDS:
            rules = [rule for pack in packs for rule in pack.rules if rule.subject_kind == kind]
            self._rules[kind] = [
                (rule.address, [part.key for part in checks(rule.expect)], [(part.operator, part.values) for part in checks(rule.expect)])
                for rule in rules
            ]
            self.schemas[kind] = [rule_schema(rule) for rule in rules] or [{}]
            self._validators[kind] = jsonschema_rs.Draft202012Validator({"allOf": self.schemas[kind]})

    @staticmethod
    def prepared(documents: Mapping[str, Any]) -> dict[str, list[dict[str, Any]]]:
        """The host's settings copied into every subject's document."""
        host = documents["host"][0]
        return {kind: [{**host, **subject} for subject in documents[kind]] for kind in KINDS}

    def findings(self, prepared: Mapping[str, list[dict[str, Any]]]) -> list[tuple[str, str, str, str, list[Any], Any, str]]:
        """The failing and unknown findings of a host, with observed, expected and severity."""
        found = []
        for kind, subjects in prepared.items():
            validator, rules = self._validators[kind], self._rules[kind]
            for subject in subjects:
                for error in validator.iter_errors(subject):
                    path = error.schema_path
                    address, keys, expected = rules[path[1]]
                    outcome = "unknown" if path[-1] == "const" else "fail"
                    observed = [subject.get(key) for key in keys]
                    found.append((address, kind, subject["id"], outcome, observed, expected, self._severities.get(address, "low")))
        return found

    @staticmethod
    def answers(findings: list[tuple[str, str, str, str, list[Any], Any, str]]) -> set[Answer]:
        """What all contestants must agree on."""
        return {finding[:4] for finding in findings}
