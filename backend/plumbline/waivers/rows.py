"""What every view of a waiver shows: its state, rule, scope and people, and what the reader may do about it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import text
from sqlmodel import Session

from plumbline.auth import four_eyes
from plumbline.auth.actor import Actor
from plumbline.auth.people import people_of
from plumbline.configurations.read import Labels, read_labels
from plumbline.core.facts.configuration import Subject
from plumbline.core.texts import counted
from plumbline.infra.schemas import NamedHost, SubjectOut
from plumbline.models.findings import OPEN_WAIVER_STATES, Waiver, WaiverState
from plumbline.packs.library import Library
from plumbline.waivers.covered import Covered, read_covered
from plumbline.waivers.listed_waiver import ListedWaiver
from plumbline.waivers.schemas import PersonName, WaivedRule, WaiverRow, WaiverScopeOut
from plumbline.waivers.scope import may

_FINDINGS = text("SELECT waiver_id, count(*) FROM finding WHERE waiver_id = ANY(:waivers) AND outcome = 'fail' GROUP BY waiver_id")


def waiver_rows(
    actor: Actor, library: Library, context: "WaiverContext", shown: Sequence[tuple[Waiver | ListedWaiver, str]]
) -> list[WaiverRow]:
    """Rows for waivers, each given with the state to show. `context` is of these waivers."""
    rows = []
    for waiver, state in shown:
        paths = context.covered.paths(waiver)
        rows.append(
            WaiverRow(
                id=waiver.id,
                state=state,
                rule=waived_rule(library, waiver.rule_no),
                scope=context.scope(waiver),
                reason=waiver.reason,
                ticket=waiver.ticket,
                owner=context.person(waiver.owner_id),
                requested_by=context.person(waiver.requested_by),
                approved_by=context.person(waiver.approved_by) if waiver.approved_by is not None else None,
                requested_at=waiver.requested_at,
                approved_at=waiver.approved_at,
                expires_at=waiver.expires_at,
                ended_at=waiver.ended_at or (waiver.expires_at if state == WaiverState.EXPIRED else None),
                end_words=waiver.end_words or ("expired" if state == WaiverState.EXPIRED else ""),
                findings=context.findings.get(waiver.id or 0, 0) if state == WaiverState.ACTIVE else 0,
                may_decide=state == WaiverState.REQUESTED and not why_not_decide(actor, waiver, paths),
                may_withdraw=state in OPEN_WAIVER_STATES and may_withdraw(actor, waiver, paths),
            )
        )
    return rows


def why_not_decide(actor: Actor, waiver: Waiver | ListedWaiver, paths: Sequence[str]) -> str:
    """Why this person cannot decide on a request; empty: they can."""
    if not may(actor, "waiver.decide", paths):
        return "needs the approver role on every group in scope"
    if four_eyes.is_party(actor.person_id, waiver.requested_by, waiver.owner_id):
        return "you requested or own it"
    return ""


def may_withdraw(actor: Actor, waiver: Waiver | ListedWaiver, paths: Sequence[str]) -> bool:
    """The requester may withdraw a request. Anyone with the right on the whole scope may end an active waiver."""
    return (waiver.state == WaiverState.REQUESTED and actor.person_id == waiver.requested_by) or may(actor, "waiver.withdraw", paths)


def waived_rule(library: Library, rule_no: int) -> WaivedRule:
    """The rule of this number; if no published pack has it any more, the number is its title."""
    known = library.by_no.get(rule_no)
    if known is None:
        return WaivedRule(pack="", rule="", title=f"Removed rule {rule_no}")
    return WaivedRule(pack=known.pack.id, rule=known.rule.id, title=known.rule.title)


@dataclass(frozen=True, slots=True)
class WaiverContext:
    """What other tables hold about some waivers. `findings`: how many failing ones each takes out of the score."""

    people: Mapping[int, PersonName]
    covered: Covered
    findings: Mapping[int, int]
    labels: Mapping[str, Labels]

    @classmethod
    def read(cls, session: Session, waivers: Sequence[Waiver | ListedWaiver], *, people: Collection[int] = ()) -> "WaiverContext":
        """Reads it for these waivers, with the names of their people and of these: five queries at most, whatever their number."""
        of_waivers = {person_id for waiver in waivers for person_id in (waiver.owner_id, waiver.requested_by, waiver.approved_by)}
        names = people_of(session, of_waivers.union(people))
        in_force = [waiver.id for waiver in waivers if waiver.state == WaiverState.ACTIVE]
        found = session.execute(_FINDINGS, {"waivers": in_force}).all() if in_force else ()
        return cls(
            people={person_id: PersonName(id=person_id, name=name) for person_id, name in names.items() if person_id is not None},
            covered=read_covered(session, waivers),
            findings={waiver_id: findings for waiver_id, findings in found},  # noqa: C416 (rows are no pairs to mypy)
            labels=read_labels(session, {waiver.host_id for waiver in waivers if waiver.subject_kind and waiver.host_id}),
        )

    def person(self, person_id: int) -> PersonName:
        """A person by name; by number if the account is gone."""
        return self.people.get(person_id) or PersonName(id=person_id, name=f"person {person_id}")

    def scope(self, waiver: Waiver | ListedWaiver) -> WaiverScopeOut:
        """The scope of the waiver, as text and as links."""
        host = NamedHost(id=waiver.host_id, name=self.covered.name_of_host(waiver.host_id)) if waiver.host_id else None
        group = self.covered.name_of_group(waiver.group_id)
        count = self.covered.number_listed(waiver)
        subject = None
        if host is not None and waiver.subject_kind:
            subject_key = Subject(waiver.subject_kind, waiver.subject_id)
            subject = SubjectOut.of(subject_key, self.labels.get(host.id, Labels()).of_subject(subject_key))
        if waiver.is_listed:
            kind, label = "hosts", f"{counted(count, 'host')} in {group}"
        elif host is None:
            kind, label = "group", f"all hosts in {group}, including future ones"
        elif subject is not None and subject.kind != "host":
            kind, label = "subject", f"{subject.label} on {host.name}"
        else:
            kind, label = "host", host.name
        return WaiverScopeOut(
            kind=kind, label=label, host=host, subject=subject, group_id=waiver.group_id, group_name=group, hosts=1 if host else count
        )


def shown_state(waiver: Waiver, now: datetime) -> str:
    """The state to show: `expired` as soon as its end has passed."""
    return WaiverState.EXPIRED if waiver.state in OPEN_WAIVER_STATES and waiver.expires_at <= now.astimezone(UTC) else waiver.state
