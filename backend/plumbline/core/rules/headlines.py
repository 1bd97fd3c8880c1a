"""The headline of a finding: what is wrong and where, what could not be checked, or the neutral title of a rule that is met.

A headline is made when it is read, from the rule and from the reason and the observed value that are stored with the finding. So the
texts of a newer pack are used at once, and no list has to read a configuration. Only texts that `words.py` writes are taken apart here;
one that an older version wrote in another form gives "not as required" instead of a headline that might be false.

A template has `{items}` where the items belong, so that a page can name one item or several in the same sentence.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from plumbline.core.facts.configuration import Platform, Subject
from plumbline.core.rules import words
from plumbline.core.rules.rule import AllOf, Attested, Check, Exists, Expectation, Outcome, Rule, keys_of, walk

ITEMS = "{items}"
VALUE = "{value}"
# More items than this are counted: "SAN1, SAN2 and 3 more".
_NAMED = 3
# A longer headline does not fit into a row of a list.
LONGEST_HEADLINE = 60


class Failing(NamedTuple):
    """A failing finding as it is stored. `observed` may be empty: then the value is read from the reason."""

    subject: Subject
    reason: str
    observed: str = ""


def failing_headline(rule: Rule, findings: Iterable[Failing], label: Callable[[Subject], str] | None = None) -> str:
    """The headline of all failing findings of one rule on one host; without `label` its items are counted.

    If they fail in several ways, the most frequent one is named: "Flow control is off on SAN1 and SAN2, and 1 more".
    """
    groups: dict[str, list[Subject]] = {}
    for each in findings:
        groups.setdefault(template(rule, each.subject, "fail", each.reason, each.observed), []).append(each.subject)
    if not groups:
        return not_as_required(rule.title)
    text, subjects = max(groups.items(), key=lambda group: len(group[1]))
    line = (
        with_items(text, map(label, subjects)) if label else counted_items(text, subjects[0].kind, len(subjects), rule.applies_to.platform)
    )
    more = sum(map(len, groups.values())) - len(subjects)
    return f"{line}, and {more} more" if more else line


def headline(rule: Rule, subject: Subject, outcome: str, reason: str, observed: str, items: Sequence[str]) -> str:
    """The whole headline of one finding, or of several that say the same of these items."""
    return with_items(template(rule, subject, outcome, reason, observed), items)


def template(rule: Rule, subject: Subject, outcome: str, reason: str, observed: str) -> str:
    """The headline with `{items}` in place of the items; without it where the finding is about the host or has no problem."""
    if outcome == "fail":
        return _failing(rule, subject, reason, observed)
    if outcome == "unknown":
        return _on_items(_unknown(rule, reason, observed), subject)
    return rule.title


def with_items(template: str, items: Iterable[str]) -> str:
    """A template with its items: "TCP checksum offload is off on SAN1, SAN2 and 3 more"."""
    return template.replace(ITEMS, listed(items))


def counted_items(template: str, kind: str, count: int, platform: Platform | None = None) -> str:
    """A template with the number of its items, for lists that do not read their names: "Flow control is off on 2 adapters"."""
    return template.replace(ITEMS, words.counted_kind(kind, count, platform))


def listed(items: Iterable[str]) -> str:
    """Several names as one phrase; from the fourth on they are counted."""
    names = list(dict.fromkeys(items))
    if len(names) <= 1:
        return "".join(names)
    if len(names) > _NAMED:
        return f"{', '.join(names[: _NAMED - 1])} and {len(names) - _NAMED + 1} more"
    return f"{', '.join(names[:-1])} and {names[-1]}"


def not_as_required(title: str) -> str:
    """The headline of a failing finding whose rule has none, or whose stored texts cannot be read back."""
    return f"{title}: not as required"


def not_checked(title: str) -> str:
    """The headline of an unknown finding whose rule says nothing more exact."""
    return f"{title}: could not be checked"


def parts_of(expectation: Expectation) -> tuple[Expectation, ...]:
    """The parts that may have a headline of their own: those of `all_of`, else the whole expectation."""
    return expectation.parts if isinstance(expectation, AllOf) else (expectation,)


def _failing(rule: Rule, subject: Subject, reason: str, observed: str) -> str:
    parts = parts_of(rule.expect)
    index = 0
    if len(rule.headline) > 1:
        index = _failing_part(parts, reason)
    if not rule.headline or index < 0:
        return _on_items(not_as_required(rule.title), subject)
    part = parts[index] if len(rule.headline) > 1 else rule.expect
    text = rule.headline[index]
    if VALUE in text:
        value = _value(rule, part, observed) if observed else _value_in_reason(rule, part, reason)
        if not value:
            return _on_items(not_as_required(rule.title), subject)
        text = text.replace(VALUE, value)
    return text if _is_about_host(part) else _on_items(text, subject)


def _on_items(text: str, subject: Subject) -> str:
    return text if subject.kind == "host" or ITEMS in text else f"{text} on {ITEMS}"


def _is_about_host(part: Expectation) -> bool:
    """The part reads the host itself, so that its failure is at no item."""
    return isinstance(part, Check) and part.key.startswith("host.")


def _unknown(rule: Rule, reason: str, observed: str) -> str:
    """The rule's own text where the setting or the attestation is what is missing, not an item or a clause."""
    by_value = dict(rule.headline_unknown)
    if isinstance(rule.expect, Attested):
        is_own = not reason.startswith(words.CANNOT_TELL)
    else:
        keys = tuple(keys_of(rule.expect))
        is_own = any(_key_of(fragment, keys) for fragment in reason.split("; "))
    if not is_own:
        return not_checked(rule.title)
    for part in parts_of(rule.expect):
        if isinstance(part, Check):
            value = _value(rule, part, observed)
            for token, text in by_value.items():
                if token and value == words.value(part.key, token):
                    return text
    return by_value.get("", not_checked(rule.title))


def _failing_part(parts: Sequence[Expectation], reason: str) -> int:
    """The first part that the reason of a failing `all_of` is about; -1 where it names none."""
    fragments = reason.split("; ")
    keys = tuple(key for part in parts for key in keys_of(part))
    for index, part in enumerate(parts):
        if any(_is_of(fragment, node, keys) for node in walk(part) for fragment in fragments):
            return index
    return -1


def _is_of(fragment: str, node: Expectation, keys: Sequence[str]) -> bool:
    if isinstance(node, Check):
        is_comparison = words.HERE_AND in fragment or words.HERE_MORE in fragment
        return _key_of(fragment, keys) == node.key and is_comparison == (node.operator == "same_across")
    if isinstance(node, Exists):
        return fragment.startswith(words.THERE_IS) and fragment.removeprefix("there is ").removeprefix("no ") in node.words
    return isinstance(node, Attested) and fragment.startswith(words.NOT_MET)


def _key_of(fragment: str, keys: Sequence[str]) -> str:
    """The setting whose label a sentence begins with; of "RSS" and "RSS queues" the longer one. Empty: none."""
    begun = [key for key in keys if fragment.startswith((f"{words.label(key)} ", f"{words.label(key)}:"))]
    return max(begun, key=lambda key: len(words.label(key)), default="")


def _value(rule: Rule, part: Expectation, observed: str) -> str:
    """The observed value of a part, without its label; empty where it is not among the observed ones."""
    if not isinstance(part, Check):
        return ""
    keys = tuple(keys_of(rule.expect))
    for fragment in observed.split("; "):
        if _key_of(fragment, keys) == part.key:
            return fragment[len(words.label(part.key)) :].lstrip(": ")
    return ""


def _value_in_reason(rule: Rule, part: Expectation, reason: str) -> str:
    """The same where only the reason is known: it says what was read, and then what is expected."""
    if not isinstance(part, Check):
        return ""
    keys = tuple(keys_of(rule.expect))
    for fragment, following in pairwise([*reason.split("; "), ""]):
        if _key_of(fragment, keys) == part.key and following.startswith(words.EXPECTED):
            return fragment[len(words.label(part.key)) :].removeprefix(":").removeprefix(" is").removeprefix(" are").strip()
    return ""


def of_cases(rule: Rule, findings: Iterable[tuple[Subject, Outcome, str, str]]) -> list[str]:
    """The headlines that a case gives, one for each wording, for `plumbline ruleset check`: (item, outcome, reason, observed)."""
    items: dict[str, list[str]] = {}
    for subject, outcome, reason, observed in findings:
        items.setdefault(template(rule, subject, outcome, reason, observed), []).append(subject.id)
    return [with_items(text, names) for text, names in items.items()]


def problems_of(rule: Rule) -> list[str]:
    """What a reader of the rule's title and headlines would stumble over; texts only, so `plumbline ruleset check` warns of it."""
    found = []
    if verb := next((word for word in rule.title.split() if word.lower() in _STATE_VERBS), ""):
        found.append(f"the title has the verb {verb!r}: a title names the subject, and beside a fail mark a state reads as its opposite")
    if not rule.headline and not rule.retired:
        found.append(f"no headline: a failing finding shows {not_as_required(rule.title)!r}")
    texts = [*rule.headline, *(text for _, text in rule.headline_unknown)]
    for text in texts:
        if len(text) > LONGEST_HEADLINE:
            found.append(f"{text!r} has {len(text)} characters; at most {LONGEST_HEADLINE} fit into a list")
        if text.endswith("."):
            found.append(f"{text!r} ends with a full stop")
    return found


_STATE_VERBS = frozenset({"stays", "stay", "is", "are", "must", "may", "works", "work"})
