"""Packs and rules as plain data that `verify_bundle.py` evaluates: the closed list of operators, without any text that decides nothing."""

from typing import Any

from plumbline.core.rules.conflicts import contradictions
from plumbline.core.rules.rule import (
    AllOf,
    AnyOf,
    Attested,
    Check,
    Condition,
    Exists,
    Expectation,
    Has,
    HostClause,
    Pack,
    Rule,
    SubjectClause,
    is_list,
    is_version,
)
from plumbline.packs.in_force import GroupRules


def rule_form(rule: Rule) -> dict[str, Any]:
    """A rule with all that decides its findings and its weight."""
    return {
        "address": rule.address,
        "pack": rule.pack,
        "rule": rule.id,
        "title": rule.title,
        "kind": rule.kind,
        "subject_kind": rule.subject_kind,
        "platform": rule.applies_to.platform,
        "host": [_clause(clause) for clause in rule.applies_to.host],
        "subject": [_clause(clause) for clause in rule.applies_to.subject],
        "expect": _expectation(rule.expect),
        "evidence": [
            {
                "paper": each.paper,
                "at": each.at,
                "band": each.band,
                "strength": each.strength,
                "families": list(each.families),
                "os_releases": list(each.os_releases),
            }
            for each in rule.evidence
        ],
        "same_as": list(rule.same_as),
        "retired": rule.retired,
    }


def pack_form(pack: Pack, *, version: str, document: Any) -> dict[str, Any]:
    """A published pack version: its own document, and its rules and papers as they are evaluated."""
    return {
        "record": f"pack {pack.id} {version}",
        "pack": pack.id,
        "version": version,
        "title": pack.title,
        "content_hash": pack.content_hash,
        "papers": [
            {
                "id": paper.id,
                "title": paper.title,
                "publisher": paper.publisher,
                "edition": paper.edition,
                "beds": [
                    {"platform": bed.platform, "os_releases": list(bed.os_releases), "families": list(bed.families)} for bed in paper.beds
                ],
            }
            for paper in pack.papers
        ],
        "rules": [rule_form(rule) for rule in pack.rules],
        "document": document,
    }


def rules_in_force_form(rules: GroupRules, *, name: str, versions: dict[int, str]) -> dict[str, Any]:
    """Which pack versions were in force, and what else decided which findings count."""
    return {
        "record": f"rules {name}",
        "id": name,
        "packs": [f"{pack.id} {versions[rules.version_ids[pack.id]]}" for pack in rules.packs],
        "grace": sorted(rules.grace),
        "decisions": dict(rules.decisions),
        "contradictions": [
            {
                "id": each.id,
                "key": each.key,
                "first": {"rule": each.first.rule, "demand": each.first.demand},
                "second": {"rule": each.second.rule, "demand": each.second.demand},
            }
            for each in contradictions(rules.packs)
        ],
    }


def _condition(condition: Condition) -> dict[str, Any]:
    return {"is": "condition", "key": condition.key, "test": condition.test, "values": list(condition.values)}


def _clause(clause: HostClause | SubjectClause) -> dict[str, Any]:
    if isinstance(clause, Condition):
        return _condition(clause)
    if isinstance(clause, Has):
        where = [_condition(each) for each in clause.where]
        return {"is": "has", "kind": clause.kind, "where": where, "id_contains": clause.id_contains, "modes": list(clause.modes)}
    return {"is": "initiator_mode", "modes": list(clause.modes)}


def _expectation(node: Expectation) -> dict[str, Any]:
    if isinstance(node, Check):
        return {
            "is": "check",
            "operator": node.operator,
            "key": node.key,
            "type": "list" if is_list(node.key) else "version" if is_version(node.key) else "plain",
            "values": list(node.values),
            "scope": node.scope,
            "where": [_condition(each) for each in node.where],
        }
    if isinstance(node, Exists):
        return {"is": "exists", "kind": node.kind, "where": [_condition(each) for each in node.where], "wanted": node.wanted}
    if isinstance(node, Attested):
        return {"is": "attested"}
    parts = [_expectation(part) for part in node.parts]
    match node:
        case AllOf():
            return {"is": "all_of", "parts": parts}
        case AnyOf():
            return {"is": "any_of", "parts": parts}
