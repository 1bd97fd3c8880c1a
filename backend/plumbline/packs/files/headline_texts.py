"""The headlines of a rule file, checked against what the rule requires. Each error names file and line."""

import re

from msgspec import UnsetType

from plumbline.core.facts.catalogue import BY_KEY
from plumbline.core.rules.headlines import ITEMS, VALUE, parts_of
from plumbline.core.rules.rule import AllOf, Check, Expectation
from plumbline.packs.files.document import RuleDocument
from plumbline.packs.files.yaml_lines import Located, Steps

_PLACEHOLDER = re.compile(r"\{[^}]*\}?|\}")


def headlines_of(located: Located, document: RuleDocument, expect: Expectation) -> tuple[str, ...]:
    """One headline, or one for each part of `all_of`; none where the file has none. Raises `RulesetInvalid`."""
    written = document.headline
    if isinstance(written, UnsetType):
        return ()
    if isinstance(written, str):
        _check_placeholders(located, written, expect, ("headline",))
        return (written,)
    parts = parts_of(expect)
    if not isinstance(expect, AllOf) or len(written) != len(parts):
        needed = f"this one has {len(parts)} parts" if isinstance(expect, AllOf) else "this rule has no all_of: write one text"
        raise located.wrong(("headline",), f"a list of headlines has one for each part of all_of; {needed}")
    for index, (text, part) in enumerate(zip(written, parts, strict=True)):
        _check_placeholders(located, text, part, ("headline", index))
    return tuple(written)


def unknown_headlines_of(located: Located, document: RuleDocument, expect: Expectation) -> tuple[tuple[str, str], ...]:
    """The headlines of unknown findings, by the value read; under "" the one for all. Raises `RulesetInvalid`."""
    written = document.headline_unknown
    if isinstance(written, UnsetType):
        return ()
    by_value = {"": written} if isinstance(written, str) else written
    values = {value for part in parts_of(expect) if isinstance(part, Check) and part.key in BY_KEY for value in BY_KEY[part.key].values}
    for value, text in by_value.items():
        steps: Steps = ("headline_unknown", value) if value else ("headline_unknown",)
        if value and value not in values:
            known = ", ".join(sorted(values)) or "it has none by name"
            raise located.wrong(steps, f"{value!r} is not a value of the setting that this rule requires ({known})")
        for found in _PLACEHOLDER.findall(text):
            if found != ITEMS:
                raise located.wrong(steps, f"{found} is not known here; only {ITEMS} is")
    # In the order of their names: a published pack comes back from the database with its mappings in another order.
    return tuple(sorted(by_value.items()))


def _check_placeholders(located: Located, text: str, part: Expectation, steps: Steps) -> None:
    for found in _PLACEHOLDER.findall(text):
        if found not in (ITEMS, VALUE):
            raise located.wrong(steps, f"{found} is not known in a headline; {VALUE} and {ITEMS} are")
        if found == VALUE and (not isinstance(part, Check) or part.operator in ("distinct", "sum_at_most", "same_across")):
            message = f"{VALUE} is the value of one setting; this headline is of none, or of several"
            raise located.wrong(steps, message)
