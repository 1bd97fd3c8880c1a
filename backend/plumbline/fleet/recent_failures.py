"""What got worse and why: findings that started to fail, and the changes of settings that came with them."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import Row, text
from sqlmodel import Session

from plumbline.configurations.read import setting_label
from plumbline.core.facts.configuration import Subject
from plumbline.core.rules.headlines import Failing, failing_headline
from plumbline.core.rules.reading_words import stored_text
from plumbline.evaluation.linked_counts import group_linked_rules
from plumbline.fleet.schemas import NewlyFailing, RuleName, WorseGroup
from plumbline.infra.schemas import NamedHost
from plumbline.models.hosts import COUNTED
from plumbline.packs.library import Library
from plumbline.packs.rule_words import urgency

MOST_GROUPS = 10
# As many hosts as a plan may have (remediation/plans/draft.py).
_MOST_PLANNED = 500
MOST_HOSTS = 50
# At most this many changes are read, the newest first.
_MOST_CHANGES = 20_000
_NAMED_HOSTS = 20


_RECENT = f"""
SELECT l.host_id, h.name, h.score, h.group_id, l.rule_no, l.at, l.rule_no = ANY(h.failing) AS still_fails, l.old AS was,
  g.name AS group_name, l.subject_kind, l.subject_id, l.reason
FROM finding_log l JOIN host h ON h.id = l.host_id JOIN host_group g ON g.id = h.group_id
WHERE l.at >= :since AND l.new = 'fail' AND l.old <> '' AND l.old <> 'fail' AND h.group_id = ANY(:groups) AND h.{COUNTED}
ORDER BY l.at DESC, l.id DESC LIMIT :most
"""  # noqa: S608 (a constant)


@dataclass(slots=True)
class RecentFailure:
    """A finding that began to fail, not counting first sightings."""

    host_id: str
    name: str
    score: int | None
    group_id: int
    rule_no: int
    at: datetime
    still_fails: bool
    was: str
    group_name: str
    # Item -> why it fails, from the log: a list across hosts reads no findings.
    subjects: dict[tuple[str, str], str] = field(default_factory=dict)

    def headline(self, library: Library) -> str:
        """What is wrong, with the number of items; empty where no pack has the rule any more."""
        known = library.by_no.get(self.rule_no)
        failing = [Failing(Subject(kind, subject_id), reason) for (kind, subject_id), reason in self.subjects.items()]
        return failing_headline(known.rule, failing) if known else ""


def recent_failures(session: Session, groups: list[int], since: datetime, as_of: datetime) -> list[RecentFailure]:
    """Findings that started to fail since then (or in the last day, whichever is longer), newest first. One query."""
    rows = session.execute(
        text(_RECENT),
        {"since": min(since, as_of - timedelta(hours=24)), "groups": groups, "most": _MOST_CHANGES},
    )
    found: dict[tuple[str, int, datetime], RecentFailure] = {}
    for row in rows:
        key = (row.host_id, row.rule_no, row.at)
        at = row.at.astimezone(UTC)
        failure = found.setdefault(
            key,
            RecentFailure(
                row.host_id, row.name, row.score, row.group_id, row.rule_no, at, bool(row.still_fails), row.was, group_name=row.group_name
            ),
        )
        failure.subjects[row.subject_kind, row.subject_id] = row.reason
    return list(found.values())


def what_got_worse(session: Session, since: datetime, library: Library, failures: Iterable[RecentFailure]) -> list[WorseGroup]:
    """Setting changes that came with findings that started to fail, identical ones grouped, then rules that started to fail without a
    change of a setting. One query, for those check-ins only.
    """
    by_moment: dict[tuple[str, datetime], list[RecentFailure]] = {}
    for failure in failures:
        if failure.at >= since and failure.still_fails:
            by_moment.setdefault((failure.host_id, failure.at), []).append(failure)
    if not by_moment:
        return []
    rows = session.execute(
        text(
            "SELECT c.host_id, c.received_at, c.subject_kind, c.subject_id, c.key, c.old, c.new, c.cause, c.cause_detail, c.alike,"
            " g.name AS group_name FROM setting_change c"
            " JOIN unnest(CAST(:hosts AS text[]), CAST(:moments AS timestamptz[])) AS v (host_id, at)"
            " ON v.host_id = c.host_id AND v.at = c.received_at JOIN host h ON h.id = c.host_id JOIN host_group g ON g.id = h.group_id"
            " WHERE c.cause <> 'first_seen' AND c.received_at >= :since ORDER BY c.received_at, c.id LIMIT :most"
        ),
        {
            "hosts": [host for host, _ in by_moment],
            "moments": [moment for _, moment in by_moment],
            "since": since,
            "most": _MOST_CHANGES,
        },
    )
    gathered: dict[tuple[Any, ...], list[tuple[Row[Any], list[RecentFailure]]]] = {}
    explained: set[int] = set()
    for row in rows:
        full = f"{row.subject_kind}.{row.key}"
        blamed = [
            failure
            for failure in by_moment.get((row.host_id, row.received_at.astimezone(UTC)), [])
            if failure.rule_no in library.by_no and full in library.by_no[failure.rule_no].rule.reads
        ]
        if blamed:
            key = (row.alike,) if row.alike else (full, str(row.old), str(row.new), row.cause, row.cause_detail, row.host_id)
            gathered.setdefault(key, []).append((row, blamed))
            explained.update(id(failure) for failure in blamed)
    rest = [failure for moment in by_moment.values() for failure in moment if id(failure) not in explained]
    ranked = [*(_worse_group(members, library) for members in gathered.values()), *_without_change(rest, library)]
    ranked.sort(key=lambda each: (each[0], -each[1].host_count, -each[1].last_at.timestamp()))
    return [group for _, group in ranked[:MOST_GROUPS]]


def _urgency_of(numbers: Iterable[int], library: Library) -> int:
    return min((urgency(library.by_no[no].rule) for no in numbers if no in library.by_no), default=1)


def _rules_of(numbers: Iterable[int], library: Library) -> tuple[list[RuleName], list[RuleName]]:
    """The rules, linked ones once, and those that a plan can fix. Of linked rules each may be the one that applies on some of the hosts,
    so all of them are among the latter; the planner sets what several require once.
    """
    linked = {no: group.first.no for group in group_linked_rules(library.by_no.values()) for no in group.numbers}
    known = [library.by_no[no] for no in sorted(set(numbers)) if no in library.by_no]
    first = {linked.get(each.no, each.no): each for each in reversed(known)}
    return (
        [RuleName(pack=each.pack.id, rule=each.rule.id) for each in known if each in first.values()],
        [RuleName(pack=each.pack.id, rule=each.rule.id) for each in known if not each.rule.fix.is_manual],
    )


def _worse_group(members: list[tuple[Row[Any], list[RecentFailure]]], library: Library) -> tuple[int, WorseGroup]:
    first, failures_of_first = members[0]
    names = {row.host_id: blamed[0].name for row, blamed in members}
    where = Counter(row.group_name for row, _ in members)
    numbers = {failure.rule_no for _, blamed in members for failure in blamed}
    rules, fix_rules = _rules_of(numbers, library)
    return _urgency_of(numbers, library), WorseGroup(
        alike=first.alike,
        key=f"{first.subject_kind}.{first.key}",
        label=setting_label(first.subject_kind, first.key),
        headline=min(failures_of_first, key=lambda failure: _urgency_of([failure.rule_no], library)).headline(library),
        old=stored_text(first.subject_kind, first.key, first.old),
        new=stored_text(first.subject_kind, first.key, first.new),
        cause=first.cause,
        cause_detail=first.cause_detail,
        hosts=[NamedHost(id=host_id, name=name) for host_id, name in sorted(names.items(), key=lambda each: each[1])[:_NAMED_HOSTS]],
        host_count=len(names),
        host_ids=sorted(names)[:_MOST_PLANNED],
        rules=rules,
        fix_rules=fix_rules,
        group_name=where.most_common(1)[0][0] if len(where) == 1 else f"{len(where)} groups",
        first_at=first.received_at.astimezone(UTC),
        last_at=members[-1][0].received_at.astimezone(UTC),
    )


# Why a rule can start to fail on a host without a change of a setting.
_WITHOUT_CHANGE = {
    "consistency": "Peer data changed or was first read",
    "proof": "Frame test result changed",
    "attestation": "Attestation changed or expired",
}
_OTHERWISE = "No setting changed on the host: pack version or readable data changed"


def _without_change(rest: Iterable[RecentFailure], library: Library) -> list[tuple[int, WorseGroup]]:
    """Rules that started to fail without a change of a setting that they read, one row for failure rule; linked rules are one."""
    first = {no: linked.first for linked in group_linked_rules(library.by_no.values()) for no in linked.numbers}
    gathered: dict[tuple[int, str], list[RecentFailure]] = {}
    for failure in rest:
        if failure.rule_no in first:
            gathered.setdefault((first[failure.rule_no].no, failure.was), []).append(failure)
    found = []
    for (no, was), members in gathered.items():
        names = {member.host_id: member.name for member in members}
        where = Counter(member.group_name for member in members)
        rule = first[no].rule
        rules, fix_rules = _rules_of((member.rule_no for member in members), library)
        group = WorseGroup(
            alike=f"rule {no} {was}",
            key="",
            label=rule.title,
            headline=members[0].headline(library),
            old=was.replace("_", " "),
            new="fail",
            cause="no_change",
            cause_detail=_WITHOUT_CHANGE.get(rule.kind, _OTHERWISE),
            hosts=[NamedHost(id=host_id, name=name) for host_id, name in sorted(names.items(), key=lambda each: each[1])[:_NAMED_HOSTS]],
            host_count=len(names),
            host_ids=sorted(names)[:_MOST_PLANNED],
            rules=rules,
            fix_rules=fix_rules,
            group_name=where.most_common(1)[0][0] if len(where) == 1 else f"{len(where)} groups",
            first_at=min(member.at for member in members),
            last_at=max(member.at for member in members),
        )
        found.append((urgency(rule), group))
    return found


def newly_failing(failures: Iterable[RecentFailure], library: Library, since: datetime) -> list[NewlyFailing]:
    """Hosts with rules that started to fail in the last day and still fail."""
    first = {no: linked.first.no for linked in group_linked_rules(library.by_no.values()) for no in linked.numbers}
    by_host: dict[str, list[RecentFailure]] = {}
    for failure in failures:
        if failure.at >= since and failure.still_fails:
            by_host.setdefault(failure.host_id, []).append(failure)
    found = []
    for host_id, rows in by_host.items():
        # Linked rules are one problem to fix.
        numbers = list(dict.fromkeys(first.get(row.rule_no, row.rule_no) for row in rows))
        numbers.sort(key=lambda no: _urgency_of([no], library))
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
