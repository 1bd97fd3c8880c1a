"""Linked rules: their links lead to rules that exist and that can require the same at all."""

from collections.abc import Mapping

from plumbline.core.rules.rule import Check, Rule, walk
from plumbline.packs.files.yaml_lines import Located


def check_links(rules: Mapping[str, tuple[Located, Rule]]) -> None:
    """`same_as` leads to rules that exist, evaluate the same kind of subject, and read one setting in common."""
    for located, rule in rules.values():
        for index, address in enumerate(rule.same_as):
            if address == rule.address:
                raise located.wrong(("same_as", index), "a rule is not the same as itself")
            if address not in rules:
                raise located.wrong(("same_as", index), f"there is no rule {address!r}")
            other = rules[address][1]
            if other.subject_kind != rule.subject_kind:
                raise located.wrong(
                    ("same_as", index), f"{address} applies to each {other.subject_kind}, this rule each {rule.subject_kind}"
                )
            own_keys = {node.key for node in walk(rule.expect) if isinstance(node, Check)}
            other_keys = {node.key for node in walk(other.expect) if isinstance(node, Check)}
            if own_keys and other_keys and not own_keys & other_keys:
                raise located.wrong(("same_as", index), f"{address} reads other settings, so it can't require the same")
