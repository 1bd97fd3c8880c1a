"""The back-test of the detector of symptoms: how often it opened in the last weeks, and how often nothing on record explains why.

An alarm is explained by a rule on a setting that could cause it and that failed as it opened, or by a change of such a setting in the day
before. What nothing explains may be a false alarm, or a fault that no setting shows: at most so many were false.
"""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import text
from sqlmodel import Session

from plumbline.auth.actor import Actor
from plumbline.auth.rights import can_read
from plumbline.auth.scope import group_in_scope, read_groups
from plumbline.hosts.timeline_alarms import Span, failing_spans, is_within
from plumbline.infra.schemas import NamedHost
from plumbline.oncall.schemas import DetectorFigure, DetectorTest, UnexplainedAlarm
from plumbline.oncall.symptoms import EXPLAINED_BY
from plumbline.packs.library import Library, read_library
from plumbline.performance.past_alarms import MOST_HOSTS, BackTest, PastAlarm, run_back_test
from plumbline.performance.symptoms import LIMITED

# A change in so long a time before the first hour above the limit counts as a cause.
CAUSED_WITHIN = timedelta(hours=24)
# The second hour in a row opens an alarm: what is found failing then was so as it opened.
_OPENS_WITHIN = timedelta(hours=2)
_MOST_SHOWN = 20
_WEEK = timedelta(days=7)
# What failed as it was evaluated for the first time, with the host or with a new rule, was so before.
_TURNS = """
SELECT host_id, at, rule_no, subject_kind, subject_id, old = 'fail' OR (old = '' AND new = 'fail') AS failed, new = 'fail' AS fails
FROM finding_log
WHERE host_id = ANY(:hosts) AND rule_no = ANY(:rules) AND at > :since ORDER BY at, id
"""
_FAILING = """
SELECT host_id, rule_no, subject_kind, subject_id, failing_since FROM finding
WHERE host_id = ANY(:hosts) AND rule_no = ANY(:rules) AND outcome = 'fail'
"""
_CHANGED = """
SELECT DISTINCT host_id, received_at AS at, subject_kind || '.' || key AS setting FROM setting_change
WHERE host_id = ANY(:hosts) AND received_at > :since AND cause <> 'first_seen'
"""


def read_detector_test(session: Session, *, actor: Actor, group_id: int | None) -> DetectorTest:
    """The back-test over the hosts of a group and its subgroups. At most eleven queries for any fleet. Raises `NotFound`."""
    group = group_in_scope(session, actor=actor, group_id=group_id)
    groups = [node.id for node in read_groups(session).values() if can_read(actor, node.path) and node.path.startswith(group.path)]
    done = run_back_test(session, groups=groups)
    unexplained = _unexplained(session, done, read_library(session))
    weeks = max((done.until - done.since) / _WEEK, 1 / 7)
    return DetectorTest(
        since=done.since,
        hosts=done.hosts,
        most_hosts=MOST_HOSTS if done.is_cut else None,
        figures=[_figure(metric.name, done, unexplained, weeks) for metric in LIMITED],
        unexplained=[
            UnexplainedAlarm(
                host=NamedHost(id=each.host_id, name=each.host), label=each.metric.label, began=each.time.began, ended=each.time.ended
            )
            for each in sorted(unexplained, key=lambda each: each.time.began, reverse=True)[:_MOST_SHOWN]
        ],
    )


def _figure(name: str, done: BackTest, unexplained: Sequence[PastAlarm], weeks: float) -> DetectorFigure:
    (metric,) = (each for each in LIMITED if each.name == name)
    alarms = [each for each in done.alarms if each.metric.name == name]
    doubtful = sum(each.metric.name == name for each in unexplained)
    after_one, after_three = done.with_others[name]
    return DetectorFigure(
        name=name,
        label=metric.label,
        unit=metric.unit,
        limit=metric.limit or 0,
        alarms=len(alarms),
        open_now=sum(each.time.ended is None for each in alarms),
        unexplained=doubtful,
        unexplained_a_week=round(doubtful / weeks, 2),
        after_one_hour=after_one,
        after_three_hours=after_three,
    )


def _unexplained(session: Session, done: BackTest, library: Library) -> list[PastAlarm]:
    """The alarms for which no rule failed and no setting changed that could explain them. Three queries."""
    hosts = sorted({each.host_id for each in done.alarms})
    if not hosts:
        return []
    explaining = {
        name: {number for number, known in library.by_no.items() if set(keys) & set(known.rule.reads)}
        for name, keys in EXPLAINED_BY.items()
    }
    values = {"hosts": hosts, "rules": sorted(set().union(*explaining.values())), "since": done.since - CAUSED_WITHIN}
    failing = _failing(session, values)
    changed: dict[str, list[tuple[datetime, str]]] = defaultdict(list)
    for row in session.execute(text(_CHANGED), values):
        changed[row.host_id].append((row.at, row.setting))

    def is_explained(alarm: PastAlarm) -> bool:
        began, opened, name = alarm.time.began, alarm.time.began + _OPENS_WITHIN, alarm.metric.name
        return any(is_within(span, began, opened) for number in explaining[name] for span in failing[alarm.host_id][number]) or any(
            began - CAUSED_WITHIN <= at <= opened and setting in EXPLAINED_BY[name] for at, setting in changed[alarm.host_id]
        )

    return [each for each in done.alarms if not is_explained(each)]


def _failing(session: Session, values: dict[str, Any]) -> defaultdict[str, defaultdict[int, list[Span]]]:
    """Host -> rule -> when a finding of it failed, by its turns; what has not turned failed all the time. Two queries."""
    turns: dict[tuple[str, int, str, str], list[tuple[datetime, bool, bool]]] = defaultdict(list)
    for row in session.execute(text(_TURNS), values):
        turns[row.host_id, row.rule_no, row.subject_kind, row.subject_id].append((row.at, row.failed, row.fails))
    found: defaultdict[str, defaultdict[int, list[Span]]] = defaultdict(lambda: defaultdict(list))
    for (host_id, number, _, _), each in turns.items():
        found[host_id][number] += failing_spans(each)
    for row in session.execute(text(_FAILING), values):
        if (row.host_id, row.rule_no, row.subject_kind, row.subject_id) not in turns:
            found[row.host_id][row.rule_no].append(Span(row.failing_since, None))
    return found
