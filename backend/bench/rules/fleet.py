"""The rules and hosts of the benchmark: the built-in packs without what the peers cannot say, and hosts that break some of them.

JSON Schema sees one subject at a time, so comparisons between subjects, existence of subjects and clauses about other subjects are left
out for all contestants alike.
"""

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from plumbline.core.facts.catalogue import BY_KEY
from plumbline.core.facts.configuration import Configuration, NotOffered, Reading, Source, Subject, Unknown, Value
from plumbline.core.rules.rule import AllOf, Check, Condition, Expectation, Pack, Rule
from plumbline.packs.files import load_builtin

SOURCE = Source("section", "Get-Setting", "Field", "raw")
KINDS = ("host", "adapter", "volume", "initiator", "vnic")


def packs() -> list[Pack]:
    """The Windows rules that every contestant can state."""
    kept = []
    for pack in load_builtin():
        rules = tuple(simple for rule in pack.rules if (simple := _simplified(rule)) is not None)
        kept.append(replace(pack, rules=rules))
    return [pack for pack in kept if pack.rules]


def multiplied(times: int) -> list[Pack]:
    """The same rules several times over under other names, for the question whether the time grows with their number alone."""
    many = []
    for index in range(times):
        for pack in packs():
            name = f"{pack.id}-{index}"
            rules = tuple(replace(rule, pack=name, id=f"{rule.id}-{index}", same_as=()) for rule in pack.rules)
            many.append(replace(pack, id=name, rules=rules, content_hash=f"{pack.content_hash}-{index}"))
    return many


def _simplified(rule: Rule) -> Rule | None:
    if rule.applies_to.platform == "esxi" or rule.subject_kind not in KINDS:
        return None
    expect = _simple(rule.expect)
    if expect is None:
        return None
    applies_to = replace(
        rule.applies_to,
        platform=None,
        host=tuple(clause for clause in rule.applies_to.host if isinstance(clause, Condition)),
        subject=tuple(clause for clause in rule.applies_to.subject if isinstance(clause, Condition)),
    )
    return replace(rule, applies_to=applies_to, expect=expect)


def _simple(it: Expectation) -> Expectation | None:
    # A host with the driver's own maxima would need two settings compared, which a schema cannot; so nobody reads them here.
    if isinstance(it, Check) and it.operator not in ("same_across", "distinct", "sum_at_most") and not it.key.endswith("_maximum"):
        return it
    if isinstance(it, AllOf):
        parts = tuple(part for part in map(_simple, it.parts) if part is not None)
        return parts[0] if len(parts) == 1 else AllOf(parts) if parts else None
    return None


def checks(it: Expectation) -> Iterator[Check]:
    """The checks of a simplified expectation."""
    if isinstance(it, Check):
        yield it
    elif isinstance(it, AllOf):
        for part in it.parts:
            yield from checks(part)


def hosts(count: int, seed: int) -> list[Configuration]:
    """Hosts on which one setting in twenty is wrong and one in fifty could not be read."""
    dice = random.Random(seed)
    good = _good_values()
    return [_host(dice, good) for _ in range(count)]


def _good_values() -> dict[str, Any]:
    good: dict[str, Any] = {}
    for pack in packs():
        for rule in pack.rules:
            for check in checks(rule.expect):
                is_list = BY_KEY[check.key].type == "list"
                if check.operator == "equals" and is_list:
                    good[check.key] = check.values
                elif check.operator in ("equals", "one_of", "at_least", "at_most", "between", "driver_maximum", "proves"):
                    value: Any = check.values[0] if check.values else 0
                    good[check.key] = (value,) if is_list else value
                elif check.operator == "present":
                    good[check.key] = ("1:ets:80:5",) if is_list else "4.7.1"
                else:
                    good[check.key] = ""
    return good


def _host(dice: random.Random, good: dict[str, Any]) -> Configuration:
    subjects: list[tuple[Subject, dict[str, Any]]] = [
        (Subject("host", ""), {"os_release": dice.choice(["2012", "2012r2", "2019"]), "os_build": 9200})
    ]
    for index in range(dice.choice([2, 4])):
        role = "san_iscsi" if index < 2 else "management"
        subjects.append((Subject("adapter", f"a{index}"), {"family": dice.choice(["bcm57810", "x520"]), "role": role}))
    subjects += [(Subject("volume", f"v{index}"), {}) for index in range(4)]
    readings: dict[Subject, dict[str, Reading]] = {}
    for subject, fixed in subjects:
        readings[subject] = {key: Value(value, SOURCE) for key, value in fixed.items()}
        for key, value in good.items():
            kind, name = key.split(".", 1)
            if kind == subject.kind and name not in fixed:
                readings[subject][name] = _reading(dice, key, value)
    return Configuration("windows", readings)


def _reading(dice: random.Random, key: str, value: Any) -> Reading:
    roll = dice.random()
    if roll < 0.02:
        return Unknown("section failed")
    if roll < 0.03:
        return NotOffered("keyword absent")
    if roll < 0.08:
        return Value(_wrong(key, value), SOURCE)
    return Value(value, SOURCE)


def _wrong(key: str, value: Any) -> Any:
    entry = BY_KEY[key]
    if entry.type == "bool":
        return not value
    if entry.type == "int":
        return value // 2 if value > 1 else value + 7
    if entry.type == "list":
        return ("ms_server",)
    others = [each for each in entry.values if each != value]
    return others[0] if others else "SanTeam" if value == "" else ""


def documents(host: Configuration) -> dict[str, Any]:
    """A host as plain JSON, the input of the peers: `{"v": value}`, `{"n": true}` (not offered) or `{"u": true}` (unknown) by full key."""
    by_kind: dict[str, Any] = {kind: [] for kind in KINDS}
    for kind in KINDS:
        for subject in host.subjects(kind):
            document: dict[str, Any] = {"id": subject.id}
            for name, reading in host.keys(subject).items():
                document[f"{kind}.{name}"] = _plain(reading)
            by_kind[kind].append(document)
    return by_kind


def _plain(reading: Reading) -> dict[str, Any]:
    if isinstance(reading, Value):
        return {"v": list(reading.value) if isinstance(reading.value, tuple) else reading.value}
    return {"n": True} if isinstance(reading, NotOffered) else {"u": True}
