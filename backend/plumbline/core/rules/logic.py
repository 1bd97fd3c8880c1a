"""The result of a part of an expectation, and how results combine: three-valued `all_of` and `any_of`."""

from collections.abc import Sequence

import msgspec

from plumbline.core.facts.configuration import Source
from plumbline.core.rules import words
from plumbline.core.rules.rule import AllOf, Outcome, keys_of


class PartResult(msgspec.Struct, frozen=True, gc=False):
    """The result of one part of an expectation."""

    outcome: Outcome
    reason: str = ""
    observed: str = ""
    source: Source | None = None


def _observed(parts: Sequence[PartResult]) -> str:
    return "; ".join(dict.fromkeys(part.observed for part in parts if part.observed))


def _reasons(parts: Sequence[PartResult]) -> str:
    return "; ".join(dict.fromkeys(part.reason for part in parts if part.reason))


def _is_half_on(all_of: AllOf, parts: Sequence[PartResult]) -> bool:
    """Some settings are as they should be and others not. Two demands on one and the same setting have no halves."""
    by_outcome: dict[str, set[str]] = {"pass": set(), "fail": set()}
    for part, result in zip(all_of.parts, parts, strict=True):
        if result.outcome in by_outcome:
            by_outcome[result.outcome].update(keys_of(part))
    return bool(by_outcome["pass"] - by_outcome["fail"])


def all_of(all_of: AllOf, parts: Sequence[PartResult]) -> PartResult:
    """If a part is not offered: not applicable; else a fail is fail, else an unknown is unknown. Some met and some not: "no effect"."""
    observed = _observed(parts)
    for outcome in ("not_applicable", "fail", "unknown"):
        decisive = [part for part in parts if part.outcome == outcome]
        if not decisive:
            continue
        reason = _reasons(decisive)
        if outcome == "fail" and _is_half_on(all_of, parts):
            reason = f"{words.INEFFECTIVE_BOTH if len(parts) == 2 else words.INEFFECTIVE_ALL}; {reason}"
        return PartResult(outcome, reason, observed, decisive[0].source)
    return PartResult("pass", words.MEETS, observed, parts[0].source)


def any_of(parts: Sequence[PartResult]) -> PartResult:
    """Parts not offered are left out; any pass is pass, else any unknown is unknown."""
    offered = [part for part in parts if part.outcome != "not_applicable"]
    if not offered:
        return PartResult("not_applicable", _reasons(parts), "", parts[0].source)
    observed = _observed(offered)
    for outcome in ("pass", "unknown", "fail"):
        decisive = [part for part in offered if part.outcome == outcome]
        if decisive:
            reason = words.MEETS if outcome == "pass" else _reasons(decisive)
            return PartResult(outcome, reason, observed, decisive[0].source)
    raise AssertionError("unreachable")
