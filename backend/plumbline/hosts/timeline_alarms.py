"""The alarms of one host over a time: when a guardrail failed on it, and when a volume had fewer than two healthy paths.

The history of findings holds what each one turned from and to, so the turns since `since` and the findings that fail now are enough: what
did not turn since then was all the time as it is now.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import text
from sqlmodel import Session

from plumbline.core.rules.score import PATHS_RULE
from plumbline.hosts.timeline_schemas import TimelineAlarm
from plumbline.packs.library import Library

# A finding that turns more often than this in one answer flaps, and its oldest turns are left out.
_MOST_TURNS = 2000
_TURNS = """
SELECT at, rule_no, subject_kind, subject_id, old = 'fail' AS failed, new = 'fail' AS fails FROM finding_log
WHERE host_id = :host AND rule_no = ANY(:rules) AND at > :since ORDER BY at DESC, id DESC LIMIT :most
"""
_FAILING = """
SELECT rule_no, subject_kind, subject_id, failing_since FROM finding
WHERE host_id = :host AND rule_no = ANY(:rules) AND outcome = 'fail'
"""


class Span(NamedTuple):
    """A time; a bound that lies outside of what is looked at, or is not there yet, is None."""

    began: datetime | None
    ended: datetime | None


def read_alarms(session: Session, host_id: str, *, library: Library, since: datetime, until: datetime) -> list[TimelineAlarm]:
    """Each guardrail, and the rule of two healthy paths, that failed from `since` to `until`, waived or not, by its title."""
    rules = [no for no, known in library.by_no.items() if known.rule.caps or known.rule.address == PATHS_RULE]
    values = {"host": host_id, "rules": rules, "since": since, "most": _MOST_TURNS}
    turns: dict[int, dict[tuple[str, str], list[Any]]] = defaultdict(lambda: defaultdict(list))
    for row in reversed(session.execute(text(_TURNS), values).all()):
        turns[row.rule_no][row.subject_kind, row.subject_id].append(row)
    spans: dict[int, list[Span]] = defaultdict(list)
    for no, subjects in turns.items():
        for rows in subjects.values():
            spans[_first(library, no)] += failing_spans([(row.at, row.failed, row.fails) for row in rows])
    for row in session.execute(text(_FAILING), values):
        if (row.subject_kind, row.subject_id) not in turns.get(row.rule_no, {}):
            spans[_first(library, row.rule_no)].append(Span(row.failing_since, None))
    return _in_words(library, spans, since, until)


def failing_spans(turns: Sequence[tuple[datetime, bool, bool]]) -> list[Span]:
    """When one finding failed, of its turns in order: when, whether it failed before, and whether it fails from then on."""
    found: list[Span] = []
    began: datetime | None = None
    is_failing = turns[0][1]
    for at, _, fails in turns:
        if is_failing and not fails:
            found.append(Span(began, at))
        elif fails and not is_failing:
            began = at
        is_failing = fails
    return [*found, Span(began, None)] if is_failing else found


def joined(spans: Iterable[Span]) -> list[Span]:
    """The times in which any of these held, in order and apart from one another."""
    found: list[Span] = []
    for span in sorted(spans, key=lambda each: (each.began is not None, each.began)):
        last = found[-1] if found else None
        if last is not None and (last.ended is None or span.began is None or span.began <= last.ended):
            ends = None if last.ended is None or span.ended is None else max(last.ended, span.ended)
            found[-1] = Span(last.began, ends)
        else:
            found.append(span)
    return found


def is_within(span: Span, since: datetime, until: datetime) -> bool:
    """Whether a part of it lies between the two."""
    return (span.began is None or span.began <= until) and (span.ended is None or span.ended >= since)


def _first(library: Library, no: int) -> int:
    """Of rules that ask the same in several editions, one stands for all."""
    return library.linked_nos.get(no, no)


def _in_words(library: Library, spans: Mapping[int, Sequence[Span]], since: datetime, until: datetime) -> list[TimelineAlarm]:
    found = []
    for no in sorted(spans):
        known = library.by_no.get(no)
        for span in joined(spans[no]) if known else ():
            if known and is_within(span, since, until):
                rule = known.rule
                alarm = TimelineAlarm(
                    kind="rule", pack=rule.pack, rule=rule.id, title=rule.title, words="Failing", began=span.began, ended=span.ended
                )
                found.append(alarm)
    return found
