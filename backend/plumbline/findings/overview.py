"""The fleet at one look, from rollups and host rows; findings themselves are never counted here.

Reports use the same functions at their pinned instant, so screen and document cannot differ.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Any

from sqlalchemy import Row, text
from sqlmodel import Session

from plumbline.auth.actor import Actor
from plumbline.findings.conflicts import count_undecided
from plumbline.findings.rollups import COUNTED, read_rollups
from plumbline.findings.rules import Rolled, scope_groups
from plumbline.findings.schemas import (
    FailingRule,
    FleetEventShape,
    FleetScore,
    Headline,
    NewlyFailing,
    OutcomeBar,
    OutcomeCounts,
    Overview,
    OverviewGroup,
    ScoreBand,
    ScoredHost,
    SilentHost,
    TrendDay,
    WorseGroup,
)
from plumbline.hosts.documents import setting_label
from plumbline.hosts.models import HostGroup
from plumbline.hosts.queries import LATE_AFTER_INTERVALS, SILENT_AFTER_INTERVALS
from plumbline.hosts.readings import stored_text
from plumbline.hosts.visible import visible_group
from plumbline.rulesets.effects import effect_of, weight
from plumbline.rulesets.library import Library, read_library
from plumbline.shapes import NamedHost

TREND_DAYS = 90
MOST_ROWS = 10
# Changes looked at for "worse since": past this many the grouping shows the newest.
_MOST_CHANGES = 20_000
_NAMED_HOSTS = 20

_FRESH = f"coalesce(extract(epoch FROM now() - last_seen_at) <= {LATE_AFTER_INTERVALS} * interval_seconds, false)"
_SILENT = f"(last_seen_at IS NULL OR extract(epoch FROM now() - last_seen_at) > {SILENT_AFTER_INTERVALS} * interval_seconds)"
_KNOWN = "group_id = ANY(:groups) AND state IN ('active', 'quarantined')"


@dataclass(slots=True)
class _Hosts:
    """What host rows say together."""

    known: int
    fresh: int
    silent: int
    scored: int
    mean: float | None
    median: float | None
    waiting: int


def read_overview(session: Session, *, actor: Actor, group_id: int | None, days: int) -> Overview:
    """A group and all below it, compared with `days` days ago. Fifteen queries, whatever the size of the fleet."""
    group = visible_group(session, actor=actor, group_id=group_id)
    groups = scope_groups(session, actor, group.path)
    return overview_of(session, group=group, groups=groups, days=days)


def overview_of(session: Session, *, group: HostGroup, groups: list[int], days: int) -> Overview:
    """The overview of these groups, without asking who wants it."""
    as_of: datetime = session.execute(text("SELECT now()")).scalar_one().astimezone(UTC)
    since = as_of - timedelta(days=days)
    library = read_library(session)
    rolled = read_rollups(session, groups)
    hosts = _hosts(session, groups)
    trend = _trend(session, group.id or 0, as_of)
    turned = _turned(session, groups, since, as_of)
    worse = _worse(session, since, library, turned)
    return Overview(
        as_of=as_of,
        group=OverviewGroup(id=group.id or 0, name=group.name),
        headline=Headline(
            hosts=hosts.known,
            worse=len({row.host_id for row in turned if row.still_fails}),
            conflicts=count_undecided(session, groups, rolled),
            decisions=_decisions(session, groups),
            waivers_ending=_waivers_ending(session, groups),
            silent=hosts.silent,
        ),
        score=FleetScore(
            mean=hosts.mean,
            median=hosts.median,
            change=_change(trend, hosts.mean, since.date()),
            worst=_worst(session, groups),
            rule_coverage=coverage_of(rolled),
            hosts_fresh=hosts.fresh,
            hosts_known=hosts.known,
            hosts_scored=hosts.scored,
        ),
        distribution=bands_of(rolled),
        trend=trend,
        events=_events(session, group, as_of),
        outcomes=outcomes_of(rolled),
        by_os=_bars(session, groups, "os_release", _OS_LABEL),
        by_cluster=_bars(session, groups, "cluster", "cluster"),
        worse=worse,
        failing_rules=failing_rules(rolled, library)[:MOST_ROWS],
        silent=_silent(session, groups),
        newly_failing=_newly_failing(turned, library, as_of - timedelta(hours=24)),
        waiting=hosts.waiting,
    )


# The release of Windows stands in its product name already, in words ("2012 R2" for 2012r2).
_OS_LABEL = (
    "CASE WHEN os_name = '' THEN 'unknown system' WHEN platform = 'windows' OR strpos(os_name, os_release) > 0 THEN os_name"
    " ELSE os_name || ' ' || os_release END"
)


def _hosts(session: Session, groups: list[int]) -> _Hosts:
    row = session.execute(
        text(
            f"SELECT count(*) FILTER (WHERE known) AS known, count(*) FILTER (WHERE known AND {_FRESH}) AS fresh,"  # noqa: S608 - constants
            f" count(*) FILTER (WHERE known AND {_SILENT}) AS silent, count(score) FILTER (WHERE known) AS scored,"
            " avg(score) FILTER (WHERE known) AS mean, percentile_cont(0.5) WITHIN GROUP (ORDER BY score) FILTER (WHERE known) AS median,"
            " count(*) FILTER (WHERE state = 'waiting') AS waiting"
            " FROM (SELECT *, state IN ('active', 'quarantined') AS known FROM host WHERE group_id = ANY(:groups)) AS h"
        ),
        {"groups": groups},
    ).one()
    return _Hosts(
        known=row.known,
        fresh=row.fresh,
        silent=row.silent,
        scored=row.scored,
        mean=None if row.mean is None else round(float(row.mean), 1),
        median=None if row.median is None else float(row.median),
        waiting=row.waiting,
    )


def _worst(session: Session, groups: list[int]) -> list[ScoredHost]:
    rows = session.execute(
        text(f"SELECT id, name, score FROM host WHERE {_KNOWN} AND score IS NOT NULL ORDER BY score, id LIMIT 5"),  # noqa: S608
        {"groups": groups},
    )
    return [ScoredHost(id=row.id, name=row.name, score=row.score) for row in rows]


def coverage_of(rolled: Rolled) -> float | None:
    """Mean rule coverage over the hosts that have one, 0 to 1."""
    hosts, _, thousandths = rolled.get((0, "coverage"), (0, 0, 0.0))
    return round(thousandths / hosts / 1000, 3) if hosts else None


def bands_of(rolled: Rolled) -> list[ScoreBand]:
    """Hosts by bands of ten points; 100 is in the last."""
    return [
        ScoreBand(from_=low, to=100 if low == 90 else low + 9, hosts=rolled.get((0, f"score:{low:02d}"), (0, 0, 0.0))[0])
        for low in range(0, 100, 10)
    ]


def outcomes_of(rolled: Rolled) -> OutcomeCounts:
    """Findings by the word shown: those of rules that weigh, rules that ask the same counted once."""
    found = {word: rolled.get((0, f"findings:{word}"), (0, 0, 0.0))[1] for word in COUNTED}
    return OutcomeCounts(
        pass_=found["pass"],
        fail=found["fail"],
        unknown=found["unknown"],
        waived=found["waived"],
        excluded=found["excluded"],
        not_applicable=found["not_applicable"],
        guard_rail=rolled.get((0, "guard_rail"), (0, 0, 0.0))[1],
    )


def failing_rules(rolled: Rolled, library: Library) -> list[FailingRule]:
    """Every rule that fails somewhere, by hosts x weight; rules that ask the same are told once."""
    found = []
    for (rule_no, word), (hosts, subjects, _) in rolled.items():
        known = library.by_no.get(rule_no)
        if word == "fail" and hosts and known is not None:
            rule = known.rule
            heavy = hosts * max(weight(rule), 0.5)
            shape = FailingRule(
                pack=known.pack.id,
                rule=rule.id,
                rule_no=rule_no,
                title=rule.title,
                hosts=hosts,
                subjects=subjects,
                effect=effect_of(rule),
                kind=rule.kind,
            )
            found.append((-heavy, rule.title, shape))
    shown: set[str] = set()
    rows = []
    for _, _, shape in sorted(found, key=lambda each: (each[0], each[1], each[2].rule_no)):
        # Rules that ask the same are one line, as they count once in the score: the pack that comes first stands for them.
        address = f"{shape.pack}/{shape.rule}"
        if address not in shown:
            shown.update((address, *library.by_address[address].rule.same_as))
            rows.append(shape)
    return rows


def _trend(session: Session, group_id: int, as_of: datetime) -> list[TrendDay]:
    rows = session.execute(
        text(
            "SELECT day, score_mean, score_median, hosts, rule_coverage, n_fail FROM fleet_day"
            " WHERE group_id = :group AND day >= :first ORDER BY day"
        ),
        {"group": group_id, "first": as_of.date() - timedelta(days=TREND_DAYS)},
    )
    return [TrendDay(**row._mapping) for row in rows]


def _change(trend: list[TrendDay], mean: float | None, since: date) -> float | None:
    """The mean against the newest day not after `since`; None where that day is not on record."""
    before = [day.score_mean for day in trend if day.day <= since and day.score_mean is not None]
    return round(mean - before[-1], 1) if before and mean is not None else None


def _events(session: Session, group: HostGroup, as_of: datetime) -> list[FleetEventShape]:
    """Marks that are about this group: set on the whole fleet, on a group above it, or on one below it."""
    rows = session.execute(
        text(
            "SELECT e.at, e.kind, e.label || CASE WHEN g.id IS NULL OR g.id IN (1, :group) THEN '' ELSE ' on ' || g.name END AS label"
            " FROM fleet_event e LEFT JOIN host_group g ON g.id = e.group_id"
            " WHERE e.at >= :first AND (g.id IS NULL OR starts_with(g.path, :path) OR starts_with(:path, g.path))"
            " ORDER BY e.at DESC LIMIT 200"
        ),
        {"first": as_of - timedelta(days=TREND_DAYS), "group": group.id, "path": group.path},
    ).all()
    return [FleetEventShape(at=row.at.astimezone(UTC), kind=row.kind, label=row.label) for row in reversed(rows)]


def _bars(session: Session, groups: list[int], value: str, label: str) -> list[OutcomeBar]:
    rows = session.execute(
        text(
            f"SELECT {value} AS value, min({label}) AS label, sum(n_pass)::int AS pass, sum(n_fail)::int AS fail,"  # noqa: S608 - constants
            f" sum(n_unknown)::int AS unknown FROM host WHERE {_KNOWN} AND {value} <> '' GROUP BY {value} ORDER BY 4 DESC, 1 LIMIT 40"
        ),
        {"groups": groups},
    )
    return [OutcomeBar(value=row.value, label=row.label, pass_=row[2], fail=row.fail, unknown=row.unknown) for row in rows]


def _decisions(session: Session, groups: list[int]) -> int:
    """Waivers that wait for an approver."""
    return int(
        session.execute(
            text(
                "SELECT count(*) FROM waiver w LEFT JOIN host h ON h.id = w.host_id"
                " WHERE w.state = 'requested' AND coalesce(h.group_id, w.group_id) = ANY(:groups)"
            ),
            {"groups": groups},
        ).scalar_one()
    )


def _waivers_ending(session: Session, groups: list[int]) -> int:
    return int(
        session.execute(
            text(
                "SELECT count(*) FROM waiver w LEFT JOIN host h ON h.id = w.host_id WHERE w.state = 'active'"
                " AND w.expires_at < now() + interval '7 days' AND coalesce(h.group_id, w.group_id) = ANY(:groups)"
            ),
            {"groups": groups},
        ).scalar_one()
    )


def _silent(session: Session, groups: list[int]) -> list[SilentHost]:
    rows = session.execute(
        text(
            f"SELECT id, name, last_seen_at, source, alarm, interval_seconds FROM host WHERE {_KNOWN} AND {_SILENT}"  # noqa: S608
            " ORDER BY last_seen_at NULLS FIRST, id LIMIT 50"
        ),
        {"groups": groups},
    )
    return [
        SilentHost(id=row.id, name=row.name, last_seen_at=row.last_seen_at, why=_why_silent(row.last_seen_at, row.source, row.alarm))
        for row in rows
    ]


def _why_silent(last_seen_at: datetime | None, source: str, alarm: str) -> str:
    if alarm:
        return alarm
    if last_seen_at is None:
        return "enrolled, never checked in"
    return "could not be read" if source == "collector" else "the agent stopped, or cannot reach us"


@dataclass(slots=True)
class _Turned:
    """A finding that began to fail, not counting first sightings."""

    host_id: str
    name: str
    score: int | None
    group_id: int
    rule_no: int
    at: datetime
    still_fails: bool
    subjects: set[tuple[str, str]] = field(default_factory=set)


def _turned(session: Session, groups: list[int], since: datetime, as_of: datetime) -> list[_Turned]:
    """Rules that turned to fail on a host since then (or in the last day, whichever is longer ago), newest first. One query."""
    rows = session.execute(
        text(
            "SELECT l.host_id, h.name, h.score, h.group_id, l.rule_no, l.at, l.rule_no = ANY(h.failing) AS still_fails,"
            " l.subject_kind, l.subject_id FROM finding_log l JOIN host h ON h.id = l.host_id"
            " WHERE l.at >= :since AND l.new = 'fail' AND l.old NOT IN ('', 'fail') AND h.group_id = ANY(:groups)"
            " AND h.state IN ('active', 'quarantined') ORDER BY l.at DESC, l.id DESC LIMIT :most"
        ),
        {"since": min(since, as_of - timedelta(hours=24)), "groups": groups, "most": _MOST_CHANGES},
    )
    found: dict[tuple[str, int, datetime], _Turned] = {}
    for row in rows:
        key = (row.host_id, row.rule_no, row.at)
        turned = found.setdefault(
            key, _Turned(row.host_id, row.name, row.score, row.group_id, row.rule_no, row.at.astimezone(UTC), bool(row.still_fails))
        )
        turned.subjects.add((row.subject_kind, row.subject_id))
    return list(found.values())


def _worse(session: Session, since: datetime, library: Library, turned: Iterable[_Turned]) -> list[WorseGroup]:
    """Setting changes that came with a finding turning to fail, alike ones together. One query, for those check-ins only."""
    by_moment: dict[tuple[str, datetime], list[_Turned]] = {}
    for each in turned:
        if each.at >= since and each.still_fails:
            by_moment.setdefault((each.host_id, each.at), []).append(each)
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
    gathered: dict[tuple[Any, ...], list[tuple[Row[Any], _Turned]]] = {}
    for row in rows:
        full = f"{row.subject_kind}.{row.key}"
        blamed = [
            each
            for each in by_moment.get((row.host_id, row.received_at.astimezone(UTC)), [])
            if each.rule_no in library.by_no and full in library.by_no[each.rule_no].rule.reads
        ]
        if blamed:
            key = (row.alike,) if row.alike else (full, str(row.old), str(row.new), row.cause, row.cause_detail, row.host_id)
            gathered.setdefault(key, []).append((row, blamed[0]))
    groups_found = [_worse_group(members) for members in gathered.values()]
    groups_found.sort(key=lambda each: (-each.host_count, -each.last_at.timestamp()))
    return groups_found[:MOST_ROWS]


def _worse_group(members: list[tuple[Row[Any], _Turned]]) -> WorseGroup:
    first = members[0][0]
    names = {row.host_id: turned.name for row, turned in members}
    where = Counter(row.group_name for row, _ in members)
    return WorseGroup(
        alike=first.alike,
        key=f"{first.subject_kind}.{first.key}",
        label=setting_label(first.subject_kind, first.key),
        old=stored_text(first.subject_kind, first.key, first.old),
        new=stored_text(first.subject_kind, first.key, first.new),
        cause=first.cause,
        cause_detail=first.cause_detail,
        hosts=[NamedHost(id=host_id, name=name) for host_id, name in sorted(names.items(), key=lambda each: each[1])[:_NAMED_HOSTS]],
        host_count=len(names),
        group_name=where.most_common(1)[0][0] if len(where) == 1 else f"{len(where)} groups",
        first_at=first.received_at.astimezone(UTC),
        last_at=members[-1][0].received_at.astimezone(UTC),
    )


def _newly_failing(turned: Iterable[_Turned], library: Library, since: datetime) -> list[NewlyFailing]:
    """Hosts with rules that turned to fail in the last day and still do."""
    by_host: dict[str, list[_Turned]] = {}
    for each in turned:
        if each.at >= since and each.still_fails:
            by_host.setdefault(each.host_id, []).append(each)
    found = []
    for host_id, rows in by_host.items():
        numbers = list(dict.fromkeys(row.rule_no for row in rows))
        title = library.title(numbers[0])
        words = title if len(numbers) == 1 else f"{title} and {len(numbers) - 1} more"
        found.append(
            NewlyFailing(
                id=host_id, name=rows[0].name, rules=len(numbers), words=words, score=rows[0].score, at=max(row.at for row in rows)
            )
        )
    found.sort(key=lambda each: (each.score is None, each.score or 0, each.name))
    return found[:50]
