"""Reading baselines: the list of proposals, one proposal with its changes, and one host compared with its baseline."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import func, or_, select
from sqlmodel import Session

from plumbline.auth import four_eyes
from plumbline.auth.actor import Actor
from plumbline.auth.people import people_of
from plumbline.auth.rights import allow
from plumbline.auth.scope import KNOWN_STATES, host_in_scope, in_scope
from plumbline.configurations.read import Labels, setting_label
from plumbline.core.drift.compare import Comparison, Difference, compare, with_settings
from plumbline.core.facts.configuration import Subject
from plumbline.core.rules.reading_words import NOTHING, text_of
from plumbline.drift.baseline_compare import StoredDocument, read_stored
from plumbline.drift.baseline_schemas import (
    BaselineDetail,
    BaselineList,
    BaselineRow,
    HostBaselineOut,
    ProposedHost,
    SettingDifference,
    UnreadSetting,
)
from plumbline.drift.baselines import BaselineNotFound, may_revoke
from plumbline.infra.schemas import Drift, NamedHost, SubjectOut
from plumbline.models.baselines import BASELINE, BASELINE_HOST, HOST_BASELINE, Baseline, BaselineState, HostBaseline
from plumbline.models.hosts import HOST, HOST_GROUP, Host, HostGroup

SHOWN_HOSTS = 50
SHOWN_DIFFERENCES = 60


def list_baselines(session: Session, *, actor: Actor, state: str | None = None, after: int | None = None, limit: int = 100) -> BaselineList:
    """Proposals in scope, newest first. Three queries."""
    query = _rows(actor).order_by(BASELINE.id.desc()).limit(limit + 1)
    if state:
        query = query.where(BASELINE.state == state)
    if after:
        query = query.where(BASELINE.id < after)
    rows = session.execute(query).all()
    waiting = (
        select(func.count())
        .select_from(Baseline)
        .join(HostGroup, HOST_GROUP.id == BASELINE.group_id)
        .where(BASELINE.state == BaselineState.PROPOSED, in_scope(actor))
    )
    return BaselineList(
        items=baseline_rows(session, actor, rows[:limit]),
        waiting=session.scalar(waiting) or 0,
        may_propose=allow(actor, "baseline.propose"),
        next=rows[limit - 1][0].id if len(rows) > limit else None,
    )


def _rows(actor: Actor) -> Any:
    return (
        select(Baseline, HOST_GROUP.name.label("group_name"), HOST_GROUP.path, HOST.name.label("host_name"))
        .join(HostGroup, HOST_GROUP.id == BASELINE.group_id)
        .outerjoin(Host, HOST.id == BASELINE.host_id)
        .where(in_scope(actor))
    )


def baseline_rows(session: Session, actor: Actor, rows: Sequence[Any]) -> list[BaselineRow]:
    """Rows of (baseline, group name, its path, host name) with the names of the people. One query."""
    people = people_of(session, [each for row in rows for each in (row[0].proposed_by, row[0].decided_by)])
    return [_baseline_row(actor, row, people) for row in rows]


def _why_not_decide(actor: Actor, baseline: Baseline, path: str) -> str:
    if four_eyes.is_party(actor.person_id, baseline.proposed_by):
        return "you proposed it"
    return "" if allow(actor, "baseline.decide", path) else "only approvers of the group can"


def _baseline_row(actor: Actor, row: Any, people: dict[int | None, str]) -> BaselineRow:
    baseline, group_name, path, host_name = row
    is_open = baseline.state == BaselineState.PROPOSED
    why_not = _why_not_decide(actor, baseline, path) if is_open else ""
    return BaselineRow(
        id=baseline.id,
        state=baseline.state,
        host=NamedHost(id=baseline.host_id, name=host_name or "") if baseline.host_id else None,
        group_id=baseline.group_id,
        group_name=group_name,
        hosts=baseline.n_hosts,
        settings=len(baseline.settings) or None,
        reason=baseline.reason,
        ticket=baseline.ticket,
        proposed_by=people.get(baseline.proposed_by, ""),
        proposed_by_id=baseline.proposed_by,
        proposed_at=baseline.proposed_at,
        decided_by=people.get(baseline.decided_by, "") if baseline.decided_by is not None else "",
        decided_at=baseline.decided_at,
        decided_reason=baseline.decided_reason,
        may_decide=is_open and not why_not,
        why_not_decide=why_not,
        may_withdraw=(is_open or may_revoke(baseline)) and allow(actor, "baseline.withdraw", path),
    )


def read_baseline(session: Session, *, actor: Actor, baseline_id: int) -> BaselineDetail:
    """One proposal with what it changes. Six queries, whatever it holds."""
    row = session.execute(_rows(actor).where(BASELINE.id == baseline_id)).first()
    if row is None:
        raise BaselineNotFound("Baseline not found.")
    summary = baseline_rows(session, actor, [row])[0]
    is_same = HOST_BASELINE.configuration_id == BASELINE_HOST.configuration_id
    comparison = session.execute(
        select(
            BASELINE_HOST.host_id,
            BASELINE_HOST.configuration_id,
            HOST.name,
            HOST.configuration_id.label("newest"),
            HOST_BASELINE.configuration_id.label("accepted"),
            HOST_BASELINE.settings.label("accepted_settings"),
        )
        .join(Host, HOST.id == BASELINE_HOST.host_id)
        .join(HostGroup, HOST_GROUP.id == HOST.group_id)
        .outerjoin(HostBaseline, HOST_BASELINE.host_id == BASELINE_HOST.host_id)
        .where(BASELINE_HOST.baseline_id == baseline_id, in_scope(actor))
        .order_by(func.coalesce(is_same, False), HOST.name, HOST.id)
        .limit(SHOWN_HOSTS)
    ).all()
    stored = read_stored(session, [each for host in comparison for each in (host.configuration_id, host.accepted) if each is not None])
    only = {(each["host"], each["kind"], each["id"], each["key"]) for each in row[0].settings}
    changes = [_proposed(host, stored, only) for host in comparison]
    return BaselineDetail(**summary.model_dump(), changes=changes, hosts_not_shown=max(0, summary.hosts - len(changes)))


def _proposed(host: Any, stored: dict[int, StoredDocument], only: set[tuple[str, str, str, str]]) -> ProposedHost:
    proposed, accepted = stored.get(host.configuration_id), stored.get(host.accepted) if host.accepted is not None else None
    differences: list[SettingDifference] = []
    if proposed is not None and accepted is not None:
        before = with_settings(accepted.document.configuration, host.accepted_settings)
        differences = _differences(compare(before, proposed.document.configuration), accepted, proposed)
    if only:
        named = {(kind, id_, f"{kind}.{key}") for host_id, kind, id_, key in only if host_id == host.host_id}
        differences = [each for each in differences if (each.subject.kind, each.subject.id, each.key) in named]
    return ProposedHost(
        host=NamedHost(id=host.host_id, name=host.name),
        has_baseline=host.accepted is not None,
        differences=differences[:SHOWN_DIFFERENCES],
        more=max(0, len(differences) - SHOWN_DIFFERENCES),
        has_changed_since=host.newest != host.configuration_id,
        is_readable=proposed is not None and (host.accepted is None or accepted is not None),
    )


def read_host_baseline(session: Session, *, actor: Actor, host_id: str) -> HostBaselineOut:
    """One host compared now with its accepted baseline, and the proposals for it that wait. Six queries at most."""
    host, group = host_in_scope(session, actor=actor, host_id=host_id)
    may_propose = host.state in KNOWN_STATES and host.configuration_id is not None and allow(actor, "baseline.propose", group.path)
    named = select(BASELINE_HOST.baseline_id).where(BASELINE_HOST.host_id == host.id)
    waiting = session.execute(
        _rows(actor)
        .where(BASELINE.state == BaselineState.PROPOSED, or_(BASELINE.host_id == host.id, BASELINE.id.in_(named)))
        .order_by(BASELINE.id.desc())
    ).all()
    waits = baseline_rows(session, actor, waiting)
    accepted_row = session.get(HostBaseline, host.id)
    if accepted_row is None:
        return _nothing_accepted(waits, may_propose=may_propose)
    baseline = session.get_one(Baseline, accepted_row.baseline_id)
    people = people_of(session, [baseline.proposed_by, baseline.decided_by])
    ids = [accepted_row.configuration_id, *([host.configuration_id] if host.configuration_id is not None else [])]
    stored = read_stored(session, ids)
    accepted = stored.get(accepted_row.configuration_id)
    newest = stored.get(host.configuration_id) if host.configuration_id is not None else None
    comparison = None
    if accepted and newest:
        comparison = compare(with_settings(accepted.document.configuration, accepted_row.settings), newest.document.configuration)
    return HostBaselineOut(
        state=_state(comparison),
        accepted_at=accepted_row.accepted_at,
        accepted_by=people.get(baseline.decided_by, ""),
        proposed_by=people.get(baseline.proposed_by, ""),
        reason=baseline.reason,
        baseline_id=baseline.id,
        configuration_read_at=accepted.read_at if accepted else None,
        as_of=newest.read_at if newest else None,
        differs_since=accepted_row.differs_since if comparison is not None and comparison.differences else None,
        differences=_differences(comparison, accepted, newest) if comparison and accepted and newest else [],
        unread=_unread(comparison, accepted) if comparison and accepted else [],
        waiting=waits,
        may_propose=may_propose,
    )


def _nothing_accepted(waiting: list[BaselineRow], *, may_propose: bool) -> HostBaselineOut:
    return HostBaselineOut(
        state="unknown", accepted_at=None, accepted_by="", proposed_by="", reason="", baseline_id=None, configuration_read_at=None,
        as_of=None, differs_since=None, differences=[], unread=[], waiting=waiting, may_propose=may_propose,
    )  # fmt: skip


def _state(comparison: Comparison | None) -> Drift:
    if comparison is None:
        return "unknown"
    return "drift" if comparison.differences else "unknown" if comparison.unread else "none"


def _differences(comparison: Comparison, accepted: StoredDocument, now: StoredDocument) -> list[SettingDifference]:
    before, after = Labels.of(accepted.document), Labels.of(now.document)
    return [_difference(difference, before if difference.now is None else after) for difference in comparison.differences]


def _difference(each: Difference, labels: Labels) -> SettingDifference:
    subject, whole = each.subject, not each.key
    return SettingDifference(
        subject=SubjectOut.of(subject, labels.of_subject(subject)),
        key=f"{subject.kind}.{each.key}" if each.key else subject.kind,
        label="" if whole else setting_label(subject.kind, each.key),
        accepted=_words(subject, each.key, each.accepted),
        now=_words(subject, each.key, each.now),
        what=("came" if each.accepted is None else "went") if whole else "changed",
    )


def _words(subject: Subject, key: str, reading: Any) -> str:
    if not key:
        return NOTHING if reading is None else "there"
    text = text_of(subject.kind, key, reading)
    return "not supported" if text == NOTHING else text


def _unread(comparison: Comparison, accepted: StoredDocument) -> list[UnreadSetting]:
    labels = Labels.of(accepted.document)
    return [
        UnreadSetting(
            subject=SubjectOut.of(subject, labels.of_subject(subject)),
            key=f"{subject.kind}.{key}",
            label=setting_label(subject.kind, key),
            reason=reason,
        )
        for subject, key, reason in comparison.unread
    ]
