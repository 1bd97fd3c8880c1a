"""The overview of the fleet, from rollups and host rows; findings themselves are never counted here.

Reports use the same functions at their fixed instant, so screen and document cannot differ.
"""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta

from sqlmodel import Session

from plumbline.auth.actor import Actor
from plumbline.auth.scope import FEW_HOSTS, groups_below, scope_of_group
from plumbline.drift.prepared_parts import read_parts
from plumbline.evaluation.linked_counts import linked_rollups, linked_rule, links_of
from plumbline.evaluation.rollups import COUNTED, Rolled, read_rollups
from plumbline.fleet.host_counts import KNOWN, LateHosts, read_host_counts
from plumbline.fleet.recent_failures import newly_failing, recent_failures, urgencies
from plumbline.fleet.schemas import (
    FailingRule,
    FleetEventOut,
    FleetScore,
    GotWorse,
    GotWorsePart,
    Headline,
    OpenRequests,
    OutcomeCounts,
    Overview,
    OverviewGroup,
    ScoreBand,
    ScoredHost,
    TrendDay,
)
from plumbline.fleet.worse import what_got_worse
from plumbline.infra.database import sql
from plumbline.packs.conflicts import count_undecided
from plumbline.packs.library import Library, read_library
from plumbline.packs.rule_text import effect_of, weight

TREND_DAYS = 90
DEFAULT_DAYS = 7
MOST_ROWS = 10

# Hosts pending approval, waivers that are requested or end within seven days, and what others requested.
_WAITS = sql(
    "SELECT now() AS as_of, (SELECT count(*) FROM host WHERE group_id = ANY(:groups) AND state = 'waiting') AS hosts,"
    " (SELECT count(*) FROM plan WHERE state = 'AWAITING_APPROVAL' AND group_id = ANY(:groups) AND author_id <> :person) AS plans,"
    " (SELECT count(*) FROM baseline WHERE state = 'proposed' AND group_id = ANY(:groups) AND proposed_by <> :person) AS baselines,"
    " (SELECT count(*) FROM job WHERE state = 'NEEDS_HUMAN' AND group_id = ANY(:groups)) AS jobs,"
    " count(*) FILTER (WHERE w.state = 'requested') AS decisions, count(*) FILTER (WHERE w.state = 'active') AS waivers_ending"
    " FROM waiver w LEFT JOIN host h ON h.id = w.host_id"
    " WHERE (w.state = 'requested' OR w.state = 'active' AND w.expires_at < now() + interval '7 days')"
    " AND coalesce(h.group_id, w.group_id) = ANY(:groups)"
)


def read_overview(session: Session, *, actor: Actor, group_id: int | None, days: int) -> Overview:
    """A group and all below it, compared with `days` days ago. Seventeen queries at most, whatever the size of the fleet."""
    scope = scope_of_group(session, actor=actor, group_id=group_id)
    group, groups = scope.group, scope.below
    waits = session.execute(_WAITS, {"groups": groups, "person": actor.person_id}).one()
    as_of: datetime = waits.as_of.astimezone(UTC)
    since = as_of - timedelta(days=days)
    library = read_library(session)
    roots = [group.id]
    rolled = read_rollups(session, roots, words=("fail", "excluded"))
    parts = read_parts(session, group.id, ("silent", "worse"))
    counts_of_hosts = read_host_counts(session, scope, prepared=parts.part("silent", LateHosts))
    trend = trend_days(session, group.id, as_of.date() - timedelta(days=TREND_DAYS))
    has_few_hosts = counts_of_hosts.known <= FEW_HOSTS
    worse = parts.part("worse", GotWorsePart) if days == DEFAULT_DAYS else None
    if worse is None:
        worse = _got_worse(session, groups, since, as_of, library, has_few_hosts=has_few_hosts)
    return Overview(
        **{name: getattr(worse, name) for name in GotWorse.model_fields},
        as_of=as_of,
        group=OverviewGroup(id=group.id, name=group.name),
        headline=Headline(
            hosts=counts_of_hosts.known,
            worse=worse.worse_hosts,
            conflicts=count_undecided(session, groups, rolled),
            decisions=waits.decisions,
            waivers_ending=waits.waivers_ending,
            silent=counts_of_hosts.silent,
        ),
        score=FleetScore(
            mean=counts_of_hosts.mean,
            median=counts_of_hosts.median,
            change=_change(trend, counts_of_hosts.mean, since.date()),
            worst=_worst(session, groups, has_few_hosts=has_few_hosts),
            rule_coverage=coverage_of(rolled),
            hosts_fresh=counts_of_hosts.fresh,
            hosts_known=counts_of_hosts.known,
            hosts_scored=counts_of_hosts.scored,
        ),
        distribution=bands_of(rolled),
        trend=trend,
        events=fleet_events(session, group_id=group.id, path=group.path, first=as_of - timedelta(days=TREND_DAYS)),
        outcomes=outcomes_of(rolled),
        by_os=counts_of_hosts.by_os,
        by_cluster=counts_of_hosts.by_cluster,
        failing_rules=failing_rules(session, roots, rolled, library)[:MOST_ROWS],
        silent=counts_of_hosts.silent_hosts,
        waiting=waits.hosts,
        open=OpenRequests(plans=waits.plans, baselines=waits.baselines, jobs=waits.jobs),
    )


def prepare_worse(session: Session, group_id: int, as_of: datetime) -> GotWorsePart:
    """What the overview shows as worse of a group with many hosts."""
    as_of = as_of.astimezone(UTC)
    since = as_of - timedelta(days=DEFAULT_DAYS)
    return _got_worse(session, groups_below(session, group_id), since, as_of, read_library(session), has_few_hosts=False)


def _got_worse(
    session: Session, groups: list[int], since: datetime, as_of: datetime, library: Library, *, has_few_hosts: bool
) -> GotWorsePart:
    failures = recent_failures(session, groups, since, as_of, has_few_hosts=has_few_hosts)
    worse = what_got_worse(session, since, library, failures, has_few_hosts=has_few_hosts)
    return GotWorsePart(
        worse_as_of=as_of,
        worse=worse.groups,
        stricter=worse.stricter,
        newly_failing=newly_failing(worse.failures, library, as_of - timedelta(hours=24)),
        worse_hosts=len({row.host_id for row in worse.failures}),
    )


def _worst(session: Session, groups: list[int], *, has_few_hosts: bool) -> list[ScoredHost]:
    # With the hosts of a fleet by score at hand, PostgreSQL would go through them until five of a few are found, unless kept from it.
    kept = "OFFSET 0" if has_few_hosts else ""
    known = f"SELECT id, name, score FROM host WHERE {KNOWN} AND score IS NOT NULL {kept}"  # noqa: S608
    rows = session.execute(sql(f"SELECT * FROM ({known}) h ORDER BY score, id LIMIT 5"), {"groups": groups})  # noqa: S608
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
    """Findings by status: those of rules with a weight, linked rules counted once."""
    counts = {word: rolled.get((0, f"findings:{word}"), (0, 0, 0.0))[1] for word in COUNTED}
    return OutcomeCounts(
        pass_=counts["pass"],
        fail=counts["fail"],
        unknown=counts["unknown"],
        waived=counts["waived"],
        excluded=counts["excluded"],
        not_applicable=counts["not_applicable"],
        guard_rail=rolled.get((0, "guard_rail"), (0, 0, 0.0))[1],
    )


def failing_rules(session: Session, roots: Sequence[int], rolled: Rolled, library: Library) -> list[FailingRule]:
    """The rules that fail somewhere, those about paths first, then by hosts x weight; linked rules are one row, each host counts once."""
    groups = [linked for linked in links_of(library) if any((no, "fail") in rolled for no in linked.numbers)]
    counts = linked_rollups(session, library, roots, rolled, groups)
    ranked = []
    for linked in groups:
        hosts, subjects, _ = counts.get((linked.first.no, "fail"), (0, 0, 0.0))
        if hosts:
            rule = linked.shown.rule
            heavy = hosts * max(0.5, *(weight(known.rule) for known in linked.rules))
            row = FailingRule(
                pack=linked.shown.pack.id,
                rule=rule.id,
                rule_no=linked.first.no,
                title=rule.title,
                hosts=hosts,
                subjects=subjects,
                effect=effect_of(rule),
                kind=rule.kind,
                also=[linked_rule(known) for known in linked.also if (known.no, "fail") in rolled],
            )
            ranked.append((urgencies(library)[linked.shown.no], -heavy, rule.title, linked.first.no, row))
    return [row for *_, row in sorted(ranked, key=lambda item: item[:4])]


def trend_days(session: Session, group_id: int, first: date, last: date | None = None) -> list[TrendDay]:
    """The daily figures of a group with its subgroups, from one day to another, both included."""
    rows = session.execute(
        sql(
            "SELECT day, score_mean, score_median, hosts, rule_coverage, n_fail FROM fleet_day"
            " WHERE group_id = :group AND day >= :first AND (CAST(:last AS date) IS NULL OR day <= :last) ORDER BY day"
        ),
        {"group": group_id, "first": first, "last": last},
    )
    return [TrendDay(**row._mapping) for row in rows]


def _change(trend: list[TrendDay], mean: float | None, since: date) -> float | None:
    """The mean against the newest day not after `since`; None where that day is not on record."""
    before = [day.score_mean for day in trend if day.day <= since and day.score_mean is not None]
    return round(mean - before[-1], 1) if before and mean is not None else None


def fleet_events(session: Session, *, group_id: int, path: str, first: datetime) -> list[FleetEventOut]:
    """Marks that are about this group: set on the whole fleet, on a group above it, or on one below it. The newest 200, oldest first."""
    rows = session.execute(
        sql(
            "SELECT e.at, e.kind, e.label || CASE WHEN g.id IS NULL OR g.id IN (1, :group) THEN '' ELSE ' on ' || g.name END AS label"
            " FROM fleet_event e LEFT JOIN host_group g ON g.id = e.group_id"
            " WHERE e.at >= :first AND (g.id IS NULL OR starts_with(g.path, :path) OR starts_with(:path, g.path))"
            " ORDER BY e.at DESC LIMIT 200"
        ),
        {"first": first, "group": group_id, "path": path},
    ).all()
    return [FleetEventOut(at=row.at.astimezone(UTC), kind=row.kind, label=row.label) for row in reversed(rows)]
