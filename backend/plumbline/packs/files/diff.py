"""What changed between two versions of a pack, and what activating one would change on hosts."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Literal

from plumbline.core.facts.configuration import Configuration, Subject
from plumbline.core.rules.compile import CompiledPack, compile_pack
from plumbline.core.rules.peers import NO_PEERS, Peers
from plumbline.core.rules.rule import Outcome, Pack, Rule
from plumbline.infra.errors import BadInput

ChangeOf = Literal["added", "removed", "retired", "expectation", "weight", "scope", "words"]

# What each field of a rule means to somebody who is about to publish, the gravest first.
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


@dataclass(frozen=True, slots=True)
class OutcomeChange:
    """A finding that would come out differently under the new version; None where there would be, or was, no such finding."""

    host: str
    rule: str
    subject: Subject
    old: Outcome | None
    new: Outcome | None


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
            gravest = min((_MEANING.get(each, "words") for each in differing), key=_GRAVITY.index)
            changes.append(RuleChange(name, gravest, differing))
    return tuple(sorted(changes, key=lambda change: (_GRAVITY.index(change.change), change.rule)))


def summary(old: Pack, new: Pack) -> list[str]:
    """The lines that `plumbline ruleset diff` prints: each rule that differs, then the version that this calls for."""
    meaning = {
        "added": "new rule",
        "removed": "removed",
        "retired": "retired, or active again",
        "expectation": "expects something else",
        "scope": "applies to others",
        "weight": "weighs otherwise",
        "words": "other words",
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
    """The least version that the changes call for: major for other expectations or fewer rules, minor for anything that judges, else patch.

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


def what_would_change(
    old: Pack | None, new: Pack, hosts: Iterable[tuple[str, Configuration]], peers: Mapping[str, Peers] | None = None
) -> list[OutcomeChange]:
    """The findings that would come out differently on stored configurations; `old` None means that the pack is not active yet."""
    compiled: dict[tuple[str, str], CompiledPack] = {}

    def judged(pack: Pack | None, host: str, configuration: Configuration) -> dict[tuple[str, Subject], Outcome]:
        if pack is None:
            return {}
        key = (pack.content_hash or pack.version, configuration.platform)
        if key not in compiled:
            compiled[key] = compile_pack(pack, configuration.platform)
        verdicts = compiled[key].judge(configuration, (peers or {}).get(host, NO_PEERS))
        return {(verdict.rule.id, verdict.subject): verdict.outcome for verdict in verdicts}

    changes = []
    for host, configuration in hosts:
        before, after = judged(old, host, configuration), judged(new, host, configuration)
        for rule, subject in sorted(before.keys() | after.keys()):
            was, will_be = before.get((rule, subject)), after.get((rule, subject))
            if was != will_be:
                changes.append(OutcomeChange(host, rule, subject, was, will_be))
    return changes
