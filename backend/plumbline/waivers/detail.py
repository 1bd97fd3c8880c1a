"""One waiver in full: evidence, history, hosts and findings; and deciding on it, with the rights that this needs."""

from datetime import timedelta
from typing import Any

from sqlalchemy import Select, and_, func, or_, select, text
from sqlmodel import Session

from plumbline.auth.actor import Actor
from plumbline.auth.rights import can_read
from plumbline.auth.scope import KNOWN_STATES, in_scope
from plumbline.configurations.read import Labels, read_labels
from plumbline.core.facts.configuration import Subject
from plumbline.core.rules.finding_status import status_of
from plumbline.infra.errors import NotAllowed, NotFound
from plumbline.infra.schemas import NamedHost, SubjectOut
from plumbline.infra.settings import get_settings
from plumbline.models.audit import AUDIT_ENTRY
from plumbline.models.findings import (
    ATTESTATION,
    FINDING,
    OPEN_WAIVER_STATES,
    WAIVER,
    WAIVER_HOST,
    Attestation,
    AttestationState,
    CurrentFinding,
    Waiver,
    WaiverHost,
    WaiverState,
)
from plumbline.models.hosts import HOST, HOST_GROUP, Host, HostGroup
from plumbline.packs.library import Library, read_library
from plumbline.waivers import lifecycle
from plumbline.waivers.covered import paths_of, read_covered
from plumbline.waivers.evidence import files_of_waiver
from plumbline.waivers.listed_waiver import COLUMNS, ListedWaiver
from plumbline.waivers.preview import preview_of
from plumbline.waivers.queries import STATE, select_in_scope, shows
from plumbline.waivers.rows import WaiverContext, may_withdraw, shown_state, waived_rule, waiver_rows, why_not_decide
from plumbline.waivers.schemas import (
    WaivedFinding,
    WaivedFindings,
    WaivedRule,
    WaiverDetail,
    WaiverEvent,
    WaiverNotices,
    WaiverPreview,
    WiredHost,
)
from plumbline.waivers.scope import rules_linked_to

MOST_HOSTS = 100
MOST_FINDINGS = 200
MOST_NOTICES = 20


def waiver_in_scope(session: Session, *, actor: Actor, waiver_id: int) -> Waiver:
    """A waiver that covers a host which this person may see. Raises `NotFound`."""
    waiver: Waiver | None = session.scalar(select_in_scope(actor, Waiver).where(WAIVER.id == waiver_id))
    if waiver is None:
        raise NotFound("Waiver not found.")
    return waiver


def read_waiver(session: Session, *, actor: Actor, waiver_id: int) -> WaiverDetail:
    """One waiver in full."""
    waiver = waiver_in_scope(session, actor=actor, waiver_id=waiver_id)
    library = read_library(session)
    now = session.execute(text("SELECT now()")).scalar_one()
    state = shown_state(waiver, now)
    context = WaiverContext.read(session, [waiver], people=() if waiver.ended_by is None else (waiver.ended_by,))
    [row] = waiver_rows(actor, library, context, [(waiver, state)])
    return WaiverDetail(
        **row.model_dump(by_alias=False),
        also=[waived_rule(library, no) for no in waiver.also_rule_nos],
        asked_since=_linked_since(library, waiver),
        evidence=waiver.evidence,
        evidence_link=waiver.evidence_link,
        files=files_of_waiver(session, waiver_id),
        ended_by=context.person(waiver.ended_by) if waiver.ended_by is not None else None,
        replaces_id=waiver.replaces_id,
        replaced_by=session.scalar(
            select(func.max(WAIVER.id)).where(
                WAIVER.replaces_id == waiver_id, WAIVER.state.in_((WaiverState.ACTIVE, WaiverState.EXPIRED, WaiverState.TRIPPED))
            )
        ),
        history=_history(session, waiver_id),
        hosts=_hosts(session, actor, waiver_id),
        may_attach=state == WaiverState.REQUESTED and actor.person_id == waiver.requested_by,
        why_not_decide=why_not_decide(actor, waiver, context.covered.paths(waiver)) if state == WaiverState.REQUESTED else "",
    )


def _linked_since(library: Library, waiver: Waiver) -> list[WaivedRule]:
    """Rules linked to the waived one since. A waiver covers the rules that it was approved for, so these still count."""
    known = library.by_no.get(waiver.rule_no)
    if known is None or waiver.state not in OPEN_WAIVER_STATES:
        return []
    return [waived_rule(library, linked.no) for linked in rules_linked_to(library, known) if linked.no not in waiver.also_rule_nos]


def _history(session: Session, waiver_id: int) -> list[WaiverEvent]:
    rows = session.execute(
        select(AUDIT_ENTRY.at, AUDIT_ENTRY.actor, AUDIT_ENTRY.action, AUDIT_ENTRY.reason)
        .where(AUDIT_ENTRY.object_kind == "waiver", AUDIT_ENTRY.object_id == str(waiver_id))
        .order_by(AUDIT_ENTRY.id.desc())
        .limit(200)
    )
    return [
        WaiverEvent(at=at, actor=who.partition(" ")[2] or "Plumbline", action=action.partition(".")[2].replace("_", " "), reason=reason)
        for at, who, action, reason in rows
    ]


def _hosts(session: Session, actor: Actor, waiver_id: int) -> list[WiredHost]:
    rows = session.execute(
        select(HOST.id, HOST.name, WaiverHost)
        .join(Host, HOST.id == WAIVER_HOST.host_id)
        .join(HostGroup, HOST_GROUP.id == HOST.group_id)
        .where(WAIVER_HOST.waiver_id == waiver_id, in_scope(actor))
        .order_by(WAIVER_HOST.tripped_at.is_(None), func.lower(HOST.name), HOST.id)
        .limit(MOST_HOSTS)
    )
    return [
        WiredHost(host=NamedHost(id=host_id, name=name), watched=len(one.wires), tripped_at=one.tripped_at, words=one.words)
        for host_id, name, one in rows
    ]


def list_waived_findings(session: Session, *, actor: Actor, waiver_id: int) -> WaivedFindings:
    """The failing findings that the waiver takes out of the score or, before a decision, would take out."""
    waiver = waiver_in_scope(session, actor=actor, waiver_id=waiver_id)
    library = read_library(session)
    numbers = [waiver.rule_no, *waiver.also_rule_nos]
    listed = select(WAIVER_HOST.host_id).where(WAIVER_HOST.waiver_id == waiver_id)
    own_path = select(HOST_GROUP.path).where(HOST_GROUP.id == waiver.group_id).scalar_subquery()
    in_scope_of_waiver = (
        HOST.id == waiver.host_id
        if waiver.host_id
        else HOST.id.in_(listed)
        if waiver.is_listed
        else func.starts_with(HOST_GROUP.path, own_path)
    )
    under_waiver = FINDING.waiver_id == waiver_id
    if waiver.state == WaiverState.REQUESTED:
        under_waiver = (
            and_(in_scope_of_waiver, FINDING.subject_kind == waiver.subject_kind, FINDING.subject_id == waiver.subject_id)
            if waiver.subject_kind
            else in_scope_of_waiver
        )
    conditions = [FINDING.rule_no.in_(numbers), FINDING.outcome == "fail", under_waiver, HOST.state.in_(KNOWN_STATES), in_scope(actor)]
    joined = (
        select(CurrentFinding, HOST.name)
        .join(Host, HOST.id == FINDING.host_id)
        .join(HostGroup, HOST_GROUP.id == HOST.group_id)
        .where(*conditions)
    )
    rows = session.execute(joined.order_by(func.lower(HOST.name), HOST.id, FINDING.rule_no, FINDING.subject_id).limit(MOST_FINDINGS)).all()
    total = session.scalar(
        select(func.count())
        .select_from(CurrentFinding)
        .join(Host, HOST.id == FINDING.host_id)
        .join(HostGroup, HOST_GROUP.id == HOST.group_id)
        .where(*conditions)
    )
    labels = read_labels(session, {finding.host_id for finding, _ in rows})
    return WaivedFindings(
        items=[
            WaivedFinding(
                host=NamedHost(id=finding.host_id, name=name),
                rule=waived_rule(library, finding.rule_no),
                subject=_subject(finding, labels.get(finding.host_id, Labels())),
                standing=status_of(finding.outcome, finding.waiver_id, finding.excluded_by, finding.kind),
                observed=labels.get(finding.host_id, Labels()).in_words(finding.observed),
                expected=finding.expected,
                failing_since=finding.failing_since,
            )
            for finding, name in rows
        ],
        total=total or 0,
    )


def _subject(finding: CurrentFinding, labels: Labels) -> SubjectOut:
    subject = Subject(finding.subject_kind, finding.subject_id)
    return SubjectOut.of(subject, labels.of_subject(subject))


def preview_waiver(session: Session, *, actor: Actor, waiver_id: int) -> WaiverPreview:
    """What the waiver would change. Raises `NotAllowed` if it covers groups that the person may not read."""
    waiver = waiver_in_scope(session, actor=actor, waiver_id=waiver_id)
    paths = paths_of(session, waiver)
    if not all(can_read(actor, path) for path in paths):
        raise NotAllowed("The waiver covers groups that you can't read, so its preview is not shown.")
    return preview_of(session, waiver, paths=paths)


def approve(session: Session, *, actor: Actor, waiver_id: int) -> WaiverDetail:
    """Puts a waiver in force. Raises `NotFound`, `NotAllowed`, `Conflict`."""
    waiver = waiver_in_scope(session, actor=actor, waiver_id=waiver_id)
    _require_decider(session, actor, waiver)
    lifecycle.approve_waiver(session, actor=actor.audit_name, waiver_id=waiver_id, approved_by=actor.person_id)
    return read_waiver(session, actor=actor, waiver_id=waiver_id)


def refuse(session: Session, *, actor: Actor, waiver_id: int, reason: str) -> WaiverDetail:
    """Refuses a requested waiver. Raises `NotFound`, `NotAllowed`, `Conflict`."""
    waiver = waiver_in_scope(session, actor=actor, waiver_id=waiver_id)
    _require_decider(session, actor, waiver)
    lifecycle.refuse_waiver(session, actor=actor.audit_name, waiver_id=waiver_id, refused_by=actor.person_id, reason=reason)
    return read_waiver(session, actor=actor, waiver_id=waiver_id)


def withdraw(session: Session, *, actor: Actor, waiver_id: int, reason: str) -> WaiverDetail:
    """Ends a waiver, or withdraws the request for it. Raises `NotFound`, `NotAllowed`, `Conflict`."""
    waiver = waiver_in_scope(session, actor=actor, waiver_id=waiver_id)
    if not may_withdraw(actor, waiver, paths_of(session, waiver)):
        raise NotAllowed("this needs the right “waiver.withdraw” on every group that the waiver reaches")
    lifecycle.withdraw_waiver(session, actor=actor.audit_name, waiver_id=waiver_id, withdrawn_by=actor.person_id, reason=reason)
    return read_waiver(session, actor=actor, waiver_id=waiver_id)


def _require_decider(session: Session, actor: Actor, waiver: Waiver) -> None:
    why_not = why_not_decide(actor, waiver, paths_of(session, waiver))
    if why_not:
        raise NotAllowed(why_not)


def read_notices(session: Session, *, actor: Actor) -> WaiverNotices:
    """How many waivers this person can decide on, and which of their own end soon or ended recently."""
    days = get_settings().waiver_reminder_days
    library = read_library(session)
    base = select_in_scope(actor, *COLUMNS, STATE)
    is_own = or_(WAIVER.owner_id == actor.person_id, WAIVER.requested_by == actor.person_id)
    soon = func.now() + timedelta(days=days)
    since = func.now() - timedelta(days=days)
    waiting = _listed(session, base.where(shows(WaiverState.REQUESTED)).order_by(WAIVER.id).limit(500))
    ending = _listed(
        session, base.where(shows(WaiverState.ACTIVE), is_own, WAIVER.expires_at <= soon).order_by(WAIVER.expires_at).limit(MOST_NOTICES)
    )
    late = func.coalesce(WAIVER.ended_at, WAIVER.expires_at)
    ended = _listed(
        session,
        base.where(shows(WaiverState.EXPIRED, WaiverState.TRIPPED, WaiverState.REFUSED), is_own, late > since)
        .order_by(late.desc())
        .limit(MOST_NOTICES),
    )
    covered = read_covered(session, [waiver for waiver, _ in waiting])
    own = [*ending, *ended]
    items = waiver_rows(actor, library, WaiverContext.read(session, [waiver for waiver, _ in own]), own)
    return WaiverNotices(
        to_decide=sum(1 for waiver, _ in waiting if not why_not_decide(actor, waiver, covered.paths(waiver))),
        ending=items[: len(ending)],
        ended=items[len(ending) :],
        attestations_ending=session.scalar(
            select(func.count())
            .select_from(Attestation)
            .where(ATTESTATION.state == AttestationState.ACTIVE, ATTESTATION.author_id == actor.person_id, ATTESTATION.expires_at <= soon)
        )
        or 0,
        reminder_days=days,
    )


def _listed(session: Session, query: Select[Any]) -> list[tuple[ListedWaiver, str]]:
    """Waivers with the state to show."""
    return [(ListedWaiver(*waiver), state) for *waiver, state in session.execute(query)]
