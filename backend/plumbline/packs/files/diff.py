"""What changed between two versions of a pack."""

from dataclasses import dataclass, fields, replace
from typing import Literal

from plumbline.core.rules.rule import AppliesTo, Pack, Rule
from plumbline.infra.errors import BadInput

ChangeOf = Literal["added", "removed", "retired", "expectation", "weight", "scope", "words"]

# What a change of each field of a rule means to the publisher, the most serious first.
_MEANING: dict[str, ChangeOf] = {
    "expect": "expectation",
    "retired": "retired",
    "applies_to": "scope",
    "subject_kind": "scope",
    "kind": "weight",
    "evidence": "weight",
    "same_as": "weight",
}
_GRAVITY: tuple[ChangeOf, ...] = ("added", "removed", "retired", "expectation", "scope", "weight", "words")


@dataclass(frozen=True, slots=True)
class RuleChange:
    """How one rule changed: the gravest change, and the names of the fields that differ."""

    rule: str
    change: ChangeOf
    fields: tuple[str, ...] = ()


def compare(old: Pack, new: Pack) -> tuple[RuleChange, ...]:
    """The rules that differ between two versions, by id."""
    if old.id != new.id:
        raise BadInput(f"{old.id} and {new.id} are different packs, not versions of one")
    before = {rule.id: rule for rule in old.rules}
    after = {rule.id: rule for rule in new.rules}
    changes = [RuleChange(name, "removed") for name in before.keys() - after.keys()]
    changes += [RuleChange(name, "added") for name in after.keys() - before.keys()]
    for name in before.keys() & after.keys():
        differing = tuple(
            each.name for each in fields(Rule) if each.init and getattr(before[name], each.name) != getattr(after[name], each.name)
        )
        if differing:
            gravest = min((_meaning(each, before[name], after[name]) for each in differing), key=_GRAVITY.index)
            changes.append(RuleChange(name, gravest, differing))
    return tuple(sorted(changes, key=lambda change: (_GRAVITY.index(change.change), change.rule)))


def _meaning(field: str, before: Rule, after: Rule) -> ChangeOf:
    """What a change of a field means. Where only the text of a clause differs (`else`), the rule applies to the same hosts."""
    if field == "applies_to" and _without_texts(before.applies_to) == _without_texts(after.applies_to):
        return "words"
    return _MEANING.get(field, "words")


def _without_texts(applies_to: AppliesTo) -> AppliesTo:
    return replace(
        applies_to,
        host=tuple(replace(clause, otherwise="") for clause in applies_to.host),
        subject=tuple(replace(clause, otherwise="") for clause in applies_to.subject),
    )


def summary(old: Pack, new: Pack) -> list[str]:
    """The lines that `plumbline ruleset diff` prints: each rule that differs, then the version that this calls for."""
    meaning = {
        "added": "new rule",
        "removed": "removed",
        "retired": "retired, or active again",
        "expectation": "requirement changed",
        "scope": "scope changed",
        "weight": "weight changed",
        "words": "text changed",
    }
    lines = []
    for change in compare(old, new):
        named = f" ({', '.join(change.fields)})" if change.fields else ""
        lines.append(f"{change.rule}: {meaning[change.change]}{named}")
    if not lines:
        lines.append(f"{new.id}: no rule differs")
    needed = needed_version(old, new)
    lines.append(
        f"{new.id} {old.version} -> {new.version}" + ("" if _parts(new.version) >= _parts(needed) else f"; needs {needed} or higher")
    )
    return lines


def _parts(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


def needed_version(old: Pack, new: Pack) -> str:
    """The least version that the changes call for: major for other expectations or fewer rules, minor for other findings, else patch.

    Equal content needs no new version; then the old one is returned.
    """
    changes = {change.change for change in compare(old, new)}
    major, minor, patch = (int(part) for part in old.version.split("."))
    if not changes and old.content_hash == new.content_hash:
        return old.version
    if changes & {"removed", "expectation"}:
        return f"{major + 1}.0.0"
    if changes & {"added", "retired", "scope", "weight"}:
        return f"{major}.{minor + 1}.0"
    return f"{major}.{minor}.{patch + 1}"
