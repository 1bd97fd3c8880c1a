"""Events of the drift page, one or several that were selected: their changes beside what the hosts have now, what fails since, and what
may be done about it.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import text
from sqlmodel import Session

from plumbline.auth.actor import Actor
from plumbline.auth.rights import allow
from plumbline.auth.scope import scope_of_group
from plumbline.configurations.read import Labels, read_documents
from plumbline.core.drift.events import WINDOW, ChangeEvent, LoggedChange
from plumbline.core.facts.configuration import Configuration, SettingValue, Subject, Value
from plumbline.core.facts.document import Document
from plumbline.core.planning.elements import is_settable
from plumbline.core.rules.reading_words import text_of
from plumbline.core.rules.weights import linked_rules
from plumbline.drift.events import describe_events, effect_of, read_events, side_text
from plumbline.drift.schemas import EventChange, EventDetail, FailingRuleOfEvent, RuleOfEvent
from plumbline.infra.errors import NotFound
from plumbline.infra.schemas import NamedHost, SubjectOut
from plumbline.models.configurations import BOTH_READ
from plumbline.packs.library import KnownRule, Library, read_library
from plumbline.packs.runner_settings import runner_settings

MOST_CHANGES_SHOWN = 500
# Of so many hosts the configurations are read, to say what they have now.
MOST_HOSTS = 100
# And of so many where several events are read at once.
MOST_HOSTS_TOGETHER = 500
# As many hosts as a plan may have (remediation/plans/draft.py).
MOST_PLANNED = 500
_WHEN = f"SELECT c.received_at, {BOTH_READ} AS is_seen FROM setting_change c WHERE c.id = ANY(:ids) AND c.cause <> 'first_seen'"  # noqa: S608
_FAILING = "SELECT id, failing FROM host WHERE id = ANY(:hosts)"


class EventNotFound(NotFound):
    """This change does not exist for this person and group."""

    code = "event_not_found"


def read_event(session: Session, *, actor: Actor, event_id: int, group_id: int | None, with_unread: bool = False) -> EventDetail:
    """The event that this change belongs to. Twelve queries at most. Raises `NotFound`."""
    found = read_event_details(session, actor=actor, event_ids=[event_id], group_id=group_id, with_unread=with_unread)
    if not found:
        raise EventNotFound("Event not found.")
    return found[0]


def read_event_details(
    session: Session, *, actor: Actor, event_ids: Sequence[int], group_id: int | None, with_unread: bool = False
) -> list[EventDetail]:
    """The events that these changes belong to, the newest first; those that do not exist for this person are left out. Twelve queries at
    most, whatever their number. Raises `NotFound` for the group.
    """
    scope = scope_of_group(session, actor=actor, group_id=group_id)
    began = session.execute(text(_WHEN), {"ids": list(event_ids)}).all()
    if not began:
        return []
    # An event is followed back as far as two happenings may lie apart; what came before that is one of its own.
    found = read_events(
        session,
        groups=scope.below,
        since=min(row.received_at for row in began) - WINDOW,
        with_unread=with_unread or not all(row.is_seen for row in began),
    )
    ids = set(event_ids)
    events = [each for each in found.events if any(change.id in ids for change in each.changes)]
    shown = {event.id: [change for members in event.effects for change in members][:MOST_CHANGES_SHOWN] for event in events}
    hosts = dict.fromkeys(host_id for event in events for host_id in _first_hosts(shown[event.id]))
    documents = read_documents(session, list(hosts)[:MOST_HOSTS_TOGETHER])
    rules = _failing_rules(session, events)
    details = []
    for event, described in zip(events, describe_events(session, found, events), strict=True):
        changes = [_change(change, found.host_names, documents) for change in shown[event.id] if change.host_id in documents]
        detail = EventDetail(
            event=described,
            changes=changes,
            changes_not_shown=len(event.changes) - len(changes),
            rules=rules[event.id],
            may_plan=allow(actor, "plan.draft"),
            may_propose=allow(actor, "baseline.propose"),
            may_waive=allow(actor, "waiver.request"),
            may_mark=allow(actor, "change.mark"),
            may_send_ticket=allow(actor, "ticket.create"),
        )
        details.append(detail)
    return details


def _first_hosts(changes: Sequence[LoggedChange]) -> list[str]:
    """Those hosts of one event whose configurations are read."""
    return list(dict.fromkeys(change.host_id for change in changes))[:MOST_HOSTS]


def _change(change: LoggedChange, names: Mapping[str, str], documents: Mapping[str, Document]) -> EventChange:
    document = documents[change.host_id]
    configuration = document.configuration
    subject = Subject(change.subject_kind, change.subject_id)
    value, why_not = restorable(configuration, subject, change.key, value_in(change.old))
    effect = effect_of([change])
    return EventChange(
        change_id=change.id,
        host=NamedHost(id=change.host_id, name=names[change.host_id]),
        subject=SubjectOut.of(subject, Labels.of(document).of_subject(subject)),
        key=effect.key,
        label=effect.label,
        old=side_text(change, change.old),
        new=side_text(change, change.new),
        now=text_of(subject.kind, change.key, configuration.read(subject, change.key)),
        at=change.at,
        cause_detail=change.cause_detail,
        job_id=change.job_id,
        restore_to=list(value) if isinstance(value, tuple) else value,
        why_not_restore=why_not,
    )


def value_in(side: str | None) -> SettingValue | None:
    """The value of one side of a change; None where there was none."""
    plain: Any = json.loads(side) if side is not None else {}
    value = plain.get("value")
    return tuple(value) if isinstance(value, list) else value


def restorable(configuration: Configuration, subject: Subject, key: str, wanted: SettingValue | None) -> tuple[SettingValue | None, str]:
    """The value that a plan can set, and otherwise why it cannot."""
    if wanted is None:
        return None, "it had no known value"
    if not is_settable(configuration.platform, f"{subject.kind}.{key}", runner_settings()):
        return None, "Plumbline does not set this"
    now = configuration.read(subject, key)
    if not isinstance(now, Value):
        return None, "its value now is not known"
    return (None, "it has this value already") if now.value == wanted else (wanted, "")


def _failing_rules(session: Session, events: Sequence[ChangeEvent]) -> dict[int, list[FailingRuleOfEvent]]:
    """By event, the rules that read what changed and fail on its hosts now. Two queries."""
    library = read_library(session)
    hosts = sorted({change.host_id for event in events for change in event.changes})
    failing = {row.id: row.failing for row in session.execute(text(_FAILING), {"hosts": hosts})}
    return {event.id: _rules_of(event, failing, library) for event in events}


def _rules_of(event: ChangeEvent, failing_on: Mapping[str, Sequence[int]], library: Library) -> list[FailingRuleOfEvent]:
    keys = {f"{change.subject_kind}.{change.key}" for change in event.changes}
    reading = {no: library.by_no[no] for key in keys for no in library.numbers_reading.get(key, ())}
    failing: dict[int, set[str]] = {}
    for host_id in {change.host_id for change in event.changes}:
        for no in failing_on.get(host_id, ()):
            if no in reading:
                failing.setdefault(no, set()).add(host_id)
    group_of = linked_rules(known.rule for known in reading.values())
    groups: dict[str, list[KnownRule]] = {}
    for no in sorted(failing):
        groups.setdefault(group_of[reading[no].rule.address], []).append(reading[no])
    found = [
        FailingRuleOfEvent(
            pack=members[0].pack.id,
            rule=members[0].rule.id,
            title=members[0].rule.title,
            fix_rules=[RuleOfEvent(pack=each.pack.id, rule=each.rule.id) for each in members if not each.rule.fix.is_manual],
            host_ids=sorted(set().union(*(failing[each.no] for each in members)))[:MOST_PLANNED],
        )
        for members in groups.values()
    ]
    return sorted(found, key=lambda each: (-len(each.host_ids), each.pack, each.rule))
