"""Reading waivers: the list with its facets and pages, one waiver whole, and what concerns the person who asks."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, any_, case, func, literal, or_, select, tuple_
from sqlmodel import Session

from plumbline.auth import four_eyes
from plumbline.auth.actor import Actor
from plumbline.auth.people import people_of
from plumbline.configurations.read import Labels, read_labels
from plumbline.core.facts.configuration import Subject
from plumbline.infra import cursor
from plumbline.infra.schemas import NamedHost, SubjectOut
from plumbline.models.auth import PERSON, Person
from plumbline.models.findings import FINDING, OPEN_WAIVER_STATES, WAIVER, WAIVER_HOST, Waiver, WaiverState
from plumbline.models.hosts import HOST, HOST_GROUP, Host, HostGroup
from plumbline.packs.library import Library, read_library
from plumbline.waivers.schemas import (
    Age,
    EndsWithin,
    PersonName,
    WaivedRule,
    WaiverFacets,
    WaiverFacetValue,
    WaiverPage,
    WaiverRow,
    WaiverScopeOut,
    WaiverStateOut,
)
from plumbline.waivers.scope import may, paths_of, waivers_in_scope

# In the order in which the filter lists them.
STATES = (
    WaiverState.REQUESTED,
    WaiverState.ACTIVE,
    WaiverState.EXPIRED,
    WaiverState.TRIPPED,
    WaiverState.REFUSED,
    WaiverState.WITHDRAWN,
    WaiverState.REPLACED,
)
_AGES: tuple[tuple[Age, str], ...] = (("30", "up to 30 days"), ("90", "31 to 90 days"), ("older", "more than 90 days"))
_ENDS: tuple[tuple[EndsWithin, str], ...] = (("7", "within 7 days"), ("30", "within 30 days"), ("90", "within 90 days"))
# Facets are counted over at most this many waivers, the newest first; a site with more has forgotten what it accepted.
_MOST_COUNTED = 20_000

# `expired` as soon as the time is over: nobody may take a waiver for valid because a schedule was late.
STATE: ColumnElement[str] = case(
    (and_(WAIVER.state.in_(OPEN_WAIVER_STATES), WAIVER.expires_at <= func.now()), WaiverState.EXPIRED.value),
    else_=WAIVER.state,
)
_ENDED_AT = func.coalesce(WAIVER.ended_at, WAIVER.expires_at)
# What waits for a decision first, then what stands, by its end; then what ended, the last first.
_ORDER = (
    case((STATE == WaiverState.REQUESTED, 0), (STATE == WaiverState.ACTIVE, 1), else_=2),
    case(
        (STATE.in_(OPEN_WAIVER_STATES), func.extract("epoch", WAIVER.expires_at)),
        else_=-func.extract("epoch", _ENDED_AT),
    ),
    WAIVER.id,
)


@dataclass(frozen=True, slots=True)
class WaiverFilters:
    """Which waivers. Values of one filter are joined by or, filters by and."""

    state: Sequence[WaiverStateOut] = ()
    owner: Sequence[int] = ()
    age: Sequence[Age] = ()
    ends_within: EndsWithin | None = None
    q: str = ""
    rule: str = ""
    host: str = ""
    group: int | None = None


def _base(actor: Actor, *columns: Any) -> Select[Any]:
    joined = select(*columns).select_from(Waiver).outerjoin(Host, HOST.id == WAIVER.host_id)
    return joined.outerjoin(HostGroup, HOST_GROUP.id == func.coalesce(HOST.group_id, WAIVER.group_id)).where(waivers_in_scope(actor))


def list_waivers(session: Session, *, actor: Actor, filters: WaiverFilters, after: str | None, limit: int) -> WaiverPage:
    """A page of the waivers that meet anything this person may read. The number of queries does not depend on how many there are."""
    library = read_library(session)
    fixed = _fixed(library, filters)
    chosen = [*fixed, *_facet_conditions(filters).values()]
    query = _base(actor, Waiver, STATE, *_ORDER).where(*chosen).order_by(*_ORDER).limit(limit + 1)
    if after:
        query = query.where(tuple_(*_ORDER) > tuple_(*cursor.decode(after, (float, float, float))))
    rows = session.execute(query).all()
    total = session.scalar(_base(actor, func.count()).where(*chosen)) or 0
    following = cursor.encode([float(value) for value in rows[limit - 1][2:]]) if len(rows) > limit else None
    items = shapes_of(session, actor, library, [(row[0], row[1]) for row in rows[:limit]])
    return WaiverPage(items=items, facets=_facets(session, actor, fixed, filters), next=following, total=total)


def _fixed(library: Library, filters: WaiverFilters) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if filters.rule:
        known = library.by_address.get(filters.rule)
        no = known.no if known else 0
        conditions.append(or_(WAIVER.rule_no == no, literal(no) == any_(WAIVER.also_rule_nos)))
    if filters.host:
        listed = select(WAIVER_HOST.waiver_id).where(WAIVER_HOST.host_id == filters.host)
        conditions.append(or_(WAIVER.host_id == filters.host, WAIVER.id.in_(listed)))
    if filters.group is not None:
        conditions.append(func.coalesce(HOST.group_id, WAIVER.group_id) == filters.group)
    wanted = filters.q.strip().lower()
    if wanted:
        numbers = [known.no for known in library.by_no.values() if wanted in f"{known.rule.title} {known.rule.address}".lower()]
        words = [
            func.lower(column).contains(wanted, autoescape=True) for column in (WAIVER.reason, WAIVER.ticket, HOST.name, HOST_GROUP.name)
        ]
        conditions.append(or_(WAIVER.rule_no.in_(numbers), *words))
    return conditions


def _facet_conditions(filters: WaiverFilters) -> dict[str, ColumnElement[bool]]:
    found: dict[str, ColumnElement[bool]] = {}
    if filters.state:
        found["state"] = STATE.in_(list(filters.state))
    if filters.owner:
        found["owner"] = WAIVER.owner_id.in_(list(filters.owner))
    if filters.age:
        found["age"] = _AGE.in_(list(filters.age))
    if filters.ends_within:
        found["ends_within"] = _ends_within(int(filters.ends_within))
    return found


_DAYS_OLD: ColumnElement[Any] = func.extract("epoch", func.now() - WAIVER.requested_at) / 86400
_AGE: ColumnElement[str] = case((_DAYS_OLD <= 30, "30"), (_DAYS_OLD <= 90, "90"), else_="older")


def _ends_within(days: int) -> ColumnElement[bool]:
    return and_(STATE == WaiverState.ACTIVE, WAIVER.expires_at <= func.now() + timedelta(days=days))


def _facets(session: Session, actor: Actor, fixed: list[ColumnElement[bool]], filters: WaiverFilters) -> WaiverFacets:
    """Counts of each facet under the filters of the others. One query."""
    rows = session.execute(
        _base(
            actor,
            STATE,
            WAIVER.owner_id,
            func.coalesce(func.nullif(PERSON.display_name, ""), PERSON.login),
            _AGE,
            WAIVER.expires_at,
            func.now(),
        )
        .outerjoin(Person, PERSON.id == WAIVER.owner_id)
        .where(*fixed)
        .order_by(WAIVER.id.desc())
        .limit(_MOST_COUNTED)
    ).all()
    counts: dict[str, Counter[str]] = {name: Counter() for name in ("state", "owner", "age", "ends_within")}
    owners: dict[str, str] = {}
    for state, owner_id, owner, age, expires_at, now in rows:
        owners[str(owner_id)] = owner or f"person {owner_id}"
        ends = [days for days, _ in _ENDS if state == WaiverState.ACTIVE and expires_at <= now + timedelta(days=int(days))]
        holds = {
            "state": not filters.state or state in filters.state,
            "owner": not filters.owner or owner_id in filters.owner,
            "age": not filters.age or age in filters.age,
            "ends_within": not filters.ends_within or filters.ends_within in ends,
        }
        values: dict[str, Sequence[str]] = {"state": [state], "owner": [str(owner_id)], "age": [age], "ends_within": ends}
        for name, counter in counts.items():
            if all(is_so for other, is_so in holds.items() if other != name):
                counter.update(values[name])
    owned = sorted(counts["owner"].items(), key=lambda each: (-each[1], owners[each[0]]))
    return WaiverFacets(
        state=[WaiverFacetValue(value=each, label=each, count=counts["state"][each]) for each in STATES if counts["state"][each]],
        owner=[WaiverFacetValue(value=value, label=owners[value], count=count) for value, count in owned[:50]],
        age=[WaiverFacetValue(value=value, label=label, count=counts["age"][value]) for value, label in _AGES],
        ends_within=[WaiverFacetValue(value=value, label=label, count=counts["ends_within"][value]) for value, label in _ENDS],
    )


def shapes_of(session: Session, actor: Actor, library: Library, found: Sequence[tuple[Waiver, str]]) -> list[WaiverRow]:
    """The shapes of waivers with the state that is shown. Six queries, however many there are."""
    waivers = [waiver for waiver, _ in found]
    context = WaiverContext.read(session, waivers)
    rows = []
    for waiver, state in found:
        paths = context.paths.get(waiver.id or 0, ())
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
                end_words=waiver.end_words or ("its time is over" if state == WaiverState.EXPIRED else ""),
                findings=context.findings.get(waiver.id or 0, 0) if state == WaiverState.ACTIVE else 0,
                may_decide=state == WaiverState.REQUESTED and not why_not_decide(actor, waiver, paths),
                may_withdraw=state in OPEN_WAIVER_STATES and may_withdraw(actor, waiver, paths),
            )
        )
    return rows


def why_not_decide(actor: Actor, waiver: Waiver, paths: Sequence[str]) -> str:
    """Why this person cannot decide on a request; empty: they can."""
    if not may(actor, "waiver.decide", paths):
        return "this needs the role approver on every group that the waiver reaches"
    if four_eyes.is_party(actor.person_id, waiver.requested_by, waiver.owner_id):
        return "somebody else decides on what you asked for or would own"
    return ""


def may_withdraw(actor: Actor, waiver: Waiver, paths: Sequence[str]) -> bool:
    """Who asked may take a request back; one in force is ended by whoever may ask or decide on its whole scope."""
    return (waiver.state == WaiverState.REQUESTED and actor.person_id == waiver.requested_by) or may(actor, "waiver.withdraw", paths)


def waived_rule(library: Library, rule_no: int) -> WaivedRule:
    """The rule by its number; one that no published pack has any more is called by that."""
    known = library.by_no.get(rule_no)
    if known is None:
        return WaivedRule(pack="", rule="", title=f"rule {rule_no}, no longer in any pack")
    return WaivedRule(pack=known.pack.id, rule=known.rule.id, title=known.rule.title)


@dataclass(frozen=True, slots=True)
class WaiverContext:
    """What other tables hold about some waivers."""

    people: Mapping[int | None, str]
    hosts: Mapping[str, str]
    groups: Mapping[int, str]
    listed: Mapping[int, int]
    findings: Mapping[int, int]
    paths: Mapping[int, tuple[str, ...]]
    labels: Mapping[str, Labels]

    @classmethod
    def read(cls, session: Session, waivers: Sequence[Waiver]) -> "WaiverContext":
        """Reads it for these waivers, in a number of queries that does not depend on how many there are."""
        ids = [waiver.id for waiver in waivers]
        people = {each for waiver in waivers for each in (waiver.owner_id, waiver.requested_by, waiver.approved_by, waiver.ended_by)}
        hosts = {waiver.host_id for waiver in waivers}
        return cls(
            people=people_of(session, people),
            hosts=_pairs(session, select(HOST.id, HOST.name).where(HOST.id.in_(hosts))),
            groups=_pairs(
                session, select(HOST_GROUP.id, HOST_GROUP.name).where(HOST_GROUP.id.in_({waiver.group_id for waiver in waivers}))
            ),
            listed=_pairs(
                session, select(WAIVER_HOST.waiver_id, func.count()).where(WAIVER_HOST.waiver_id.in_(ids)).group_by(WAIVER_HOST.waiver_id)
            ),
            findings=_pairs(
                session,
                select(FINDING.waiver_id, func.count())
                .where(FINDING.waiver_id.in_(ids), FINDING.outcome == "fail")
                .group_by(FINDING.waiver_id),
            ),
            paths=paths_of(session, waivers),
            labels=read_labels(session, {waiver.host_id for waiver in waivers if waiver.subject_kind and waiver.host_id}),
        )

    def person(self, person_id: int) -> PersonName:
        """Somebody by name; one whose account is gone is called by the number."""
        return PersonName(id=person_id, name=self.people.get(person_id, f"person {person_id}"))

    def scope(self, waiver: Waiver) -> WaiverScopeOut:
        """Where the waiver holds, in words and as links."""
        host = NamedHost(id=waiver.host_id, name=self.hosts.get(waiver.host_id, "")) if waiver.host_id else None
        group = self.groups.get(waiver.group_id or 0, "")
        count = self.listed.get(waiver.id or 0, 0)
        subject = None
        if host is not None and waiver.subject_kind:
            it = Subject(waiver.subject_kind, waiver.subject_id)
            subject = SubjectOut.of(it, self.labels.get(host.id, Labels()).of_subject(it))
        if waiver.is_listed:
            kind, label = "hosts", f"{count} hosts in {group}"
        elif host is None:
            kind, label = "group", f"every host of {group}, those that come later too"
        elif subject is not None and subject.kind != "host":
            kind, label = "subject", f"{subject.label} on {host.name}"
        else:
            kind, label = "host", host.name
        return WaiverScopeOut(
            kind=kind, label=label, host=host, subject=subject, group_id=waiver.group_id, group_name=group, hosts=1 if host else count
        )


def _pairs(session: Session, query: Select[Any, Any]) -> dict[Any, Any]:
    return {row[0]: row[1] for row in session.execute(query)}


def shown_state(waiver: Waiver, now: datetime) -> str:
    """The state that is shown: `expired` as soon as the time is over."""
    return WaiverState.EXPIRED if waiver.state in OPEN_WAIVER_STATES and waiver.expires_at <= now.astimezone(UTC) else waiver.state
