"""Findings that started to fail and still do: all of them in a time, and the hosts that they are on."""

import functools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from sqlalchemy import text
from sqlmodel import Session

from plumbline.core.facts.configuration import Subject
from plumbline.core.rules.headlines import Failing, failing_headline
from plumbline.evaluation.linked_counts import first_linked
from plumbline.fleet.schemas import NewlyFailing
from plumbline.models.hosts import COUNTED
from plumbline.packs.library import Library
from plumbline.packs.rule_words import urgency

MOST_HOSTS = 50
# At most this many changes are read, the newest first.
MOST_CHANGES = 20_000


_OF_ALL = "finding_log l JOIN host h ON h.id = l.host_id"
# The same from the hosts on: `OFFSET 0` keeps PostgreSQL from turning it round.
_OF_FEW = "host h CROSS JOIN LATERAL (SELECT * FROM finding_log WHERE host_id = h.id AND at >= :since OFFSET 0) l"
_RECENT = f"""
SELECT l.host_id, h.name, h.score, h.group_id, l.rule_no, l.at, l.old AS was, g.name AS group_name, l.subject_kind, l.subject_id, l.reason
FROM {{log}} JOIN host_group g ON g.id = h.group_id
WHERE l.at >= :since AND l.new = 'fail' AND l.old <> '' AND l.old <> 'fail' AND h.group_id = ANY(:groups) AND h.{COUNTED}
  AND l.rule_no = ANY(h.failing)
ORDER BY l.at DESC, l.id DESC LIMIT :most
"""  # noqa: S608 (a constant)


@dataclass(slots=True)
class RecentFailure:
    """A finding that began to fail and still does, not counting first sightings."""

    host_id: str
    name: str
    score: int | None
    group_id: int
    rule_no: int
    at: datetime
    was: str
    group_name: str
    # Item -> why it fails, from the log: a list across hosts reads no findings.
    subjects: dict[tuple[str, str], str] = field(default_factory=dict)

    def headline(self, library: Library) -> str:
        """What is wrong, with the number of items; empty where no pack has the rule any more."""
        known = library.by_no.get(self.rule_no)
        failing = [Failing(Subject(kind, subject_id), reason) for (kind, subject_id), reason in self.subjects.items()]
        return failing_headline(known.rule, failing) if known else ""


def recent_failures(
    session: Session, groups: list[int], since: datetime, as_of: datetime, *, has_few_hosts: bool = False
) -> list[RecentFailure]:
    """Findings that started to fail since then (or in the last day, whichever is longer) and still do, newest first. `has_few_hosts`: these
    groups have no more than `FEW_HOSTS`. One query.
    """
    rows = session.execute(
        text(_RECENT.replace("{log}", _OF_FEW if has_few_hosts else _OF_ALL)),
        {"since": min(since, as_of - timedelta(hours=24)), "groups": groups, "most": MOST_CHANGES},
    )
    found: dict[tuple[str, int, datetime], RecentFailure] = {}
    for host_id, name, score, group_id, rule_no, at, was, group_name, subject_kind, subject_id, reason in rows:
        failure = found.get((host_id, rule_no, at))
        if failure is None:
            failure = RecentFailure(host_id, name, score, group_id, rule_no, at.astimezone(UTC), was, group_name)
            found[host_id, rule_no, at] = failure
        failure.subjects[subject_kind, subject_id] = reason
    return list(found.values())


@functools.lru_cache(maxsize=4)
def urgencies(library: Library) -> Mapping[int, int]:
    """The urgency of each rule, by its number. A library stays the same object until a pack is published or activated."""
    return {no: urgency(known.rule) for no, known in library.by_no.items()}


def urgency_of(numbers: Iterable[int], library: Library) -> int:
    """The urgency of the most urgent of these rules."""
    known = urgencies(library)
    return min((known[no] for no in numbers if no in known), default=1)


def newly_failing(failures: Iterable[RecentFailure], library: Library, since: datetime) -> list[NewlyFailing]:
    """Hosts with rules that started to fail in the last day and still fail."""
    first = {no: linked.no for no, linked in first_linked(library).items()}
    by_host: dict[str, list[RecentFailure]] = {}
    for failure in failures:
        if failure.at >= since:
            by_host.setdefault(failure.host_id, []).append(failure)
    found = []
    for host_id, rows in by_host.items():
        # Linked rules are one problem to fix.
        numbers = list(dict.fromkeys(first.get(row.rule_no, row.rule_no) for row in rows))
        numbers.sort(key=lambda no: urgency_of([no], library))
        worst = next(row for row in rows if first.get(row.rule_no, row.rule_no) == numbers[0])
        line = worst.headline(library)
        words = line if len(numbers) == 1 else f"{line}, and {len(numbers) - 1} more"
        found.append(
            NewlyFailing(
                id=host_id, name=rows[0].name, rules=len(numbers), words=words, score=rows[0].score, at=max(row.at for row in rows)
            )
        )
    found.sort(key=lambda each: (each.score is None, each.score or 0, each.name))
    return found[:MOST_HOSTS]
