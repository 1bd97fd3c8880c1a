"""One host over a time: the settings that changed, the rules that began or ceased to fail, and its alarms."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import select, text
from sqlmodel import Session

from plumbline.auth.actor import Actor
from plumbline.auth.scope import host_in_scope
from plumbline.configurations.read import Labels, read_document
from plumbline.core.facts.configuration import Subject
from plumbline.core.rules.headlines import Failing, failing_headline
from plumbline.hosts.configuration_queries import change_row
from plumbline.hosts.timeline_alarms import read_alarms
from plumbline.hosts.timeline_gaps import read_gaps
from plumbline.hosts.timeline_paths import read_paths_down
from plumbline.hosts.timeline_schemas import LONGEST_HOURS, HostTimeline, TimelineFinding
from plumbline.infra.database import now_of, sql
from plumbline.infra.errors import BadInput
from plumbline.models.configurations import BOTH_READ, SETTING_CHANGE, SettingChange
from plumbline.packs.library import KnownRule, read_library

# Of changes and of findings; where there are more, the oldest are left out and the answer says so.
MOST = 500
# A rule that ceases to fail because its item is gone, or because the rule is, was not put right.
_TURNS = """
SELECT at, rule_no, subject_kind, subject_id, reason, new = 'fail' AS begins FROM finding_log
WHERE host_id = :host AND at >= :since AND at <= :until
  AND (new = 'fail' AND old NOT IN ('', 'fail') OR old = 'fail' AND new IN ('pass', 'unknown', 'not_applicable'))
ORDER BY at DESC, id DESC LIMIT :most
"""


def read_timeline(
    session: Session, *, actor: Actor, host_id: str, since: datetime | None, until: datetime | None, hours: int | None, with_unread: bool
) -> HostTimeline:
    """From `since`, or so many hours ago, or else from its enrolment, to `until` or now. Raises `BadInput`."""
    host, _ = host_in_scope(session, actor=actor, host_id=host_id)
    until = (until or now_of(session)).astimezone(UTC)
    if since is None:
        since = max(host.enrolled_at, until - timedelta(hours=LONGEST_HOURS)) if hours is None else until - timedelta(hours=hours)
    since = since.astimezone(UTC)
    if since >= until:
        raise BadInput("The range ends before it begins. Set 'to' to a later time than 'from'.")
    query = (
        select(SettingChange)
        .where(SETTING_CHANGE.host_id == host.id, SETTING_CHANGE.cause != "first_seen")
        .where(SETTING_CHANGE.received_at >= since, SETTING_CHANGE.received_at <= until)
        .order_by(SETTING_CHANGE.received_at.desc(), SETTING_CHANGE.id.desc())
        .limit(MOST + 1)
    )
    if not with_unread:
        query = query.where(text(BOTH_READ))
    changes = session.scalars(query).all()
    turns = session.execute(sql(_TURNS), {"host": host.id, "since": since, "until": until, "most": MOST + 1}).all()
    stored = read_document(session, host)
    labels = Labels.of(stored.document if stored else None)
    library = read_library(session)
    return HostTimeline(
        **{"from": since, "to": until},
        changes=[change_row(row, labels) for row in changes[:MOST]],
        findings=_findings(turns[:MOST], library.by_no, labels),
        alarms=[
            *read_gaps(session, host.id, since=since, until=until),
            *read_paths_down(session, host.id, labels=labels, since=since, until=until),
            *read_alarms(session, host.id, library=library, since=since, until=until),
        ],
        is_cut=max(len(changes), len(turns)) > MOST,
    )


def _findings(turns: Sequence[Any], by_no: Mapping[int, KnownRule], labels: Labels) -> list[TimelineFinding]:
    """One for each rule and moment, whatever the number of its items, the newest first."""
    together: dict[tuple[datetime, int, bool], list[Any]] = {}
    for row in turns:
        together.setdefault((row.at, row.rule_no, row.begins), []).append(row)
    found = []
    for (at, no, begins), rows in together.items():
        known = by_no.get(no)
        if known is None:
            continue
        failing = [Failing(Subject(row.subject_kind, row.subject_id), row.reason) for row in rows]
        words = labels.in_words(failing_headline(known.rule, failing)) if begins else known.rule.title
        found.append(TimelineFinding(at=at, pack=known.rule.pack, rule=known.rule.id, words=words, begins=begins))
    return found
