"""Reading waivers: the list with its facets and pages, and what every view of a waiver shows."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, any_, case, func, literal, or_, select
from sqlmodel import Session

from plumbline.auth import four_eyes
from plumbline.auth.actor import Actor
from plumbline.auth.people import people_of
from plumbline.configurations.read import Labels, read_labels
from plumbline.core.facts.configuration import Subject
from plumbline.core.texts import counted
from plumbline.infra import cursor
from plumbline.infra.database import UtcDateTime
from plumbline.infra.schemas import NamedHost, SubjectOut
from plumbline.models.columns import by_place, is_one_of
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

# `expired` as soon as its end has passed, even if the schedule that ends waivers is late.
STATE: ColumnElement[str] = case(
    (and_(WAIVER.state.in_(OPEN_WAIVER_STATES), WAIVER.expires_at <= func.now()), WaiverState.EXPIRED.value),
    else_=WAIVER.state,
)


def shows(*states: str) -> ColumnElement[bool]:
    """The waivers that show one of these states, as conditions that the index of states and ends answers."""
    is_over = and_(WAIVER.state.in_(OPEN_WAIVER_STATES), WAIVER.expires_at <= func.now())
    conditions = []
    for state in states:
        stored: ColumnElement[bool] = WAIVER.state == state
        if state in OPEN_WAIVER_STATES:
            stored = and_(stored, WAIVER.expires_at > func.now())
        conditions.append(or_(stored, is_over) if state == WaiverState.EXPIRED else stored)
    return or_(*conditions)


_ENDED_AT = func.coalesce(WAIVER.ended_at, WAIVER.expires_at)
# The parts of the list, one after the other, with the time by which each is sorted: what waits for a decision, then active waivers by
# their end, then ended ones, the latest first.
_PARTS: tuple[tuple[ColumnElement[bool], Any, bool], ...] = (
    (shows(WaiverState.REQUESTED), WAIVER.expires_at, False),
    (shows(WaiverState.ACTIVE), WAIVER.expires_at, False),
    (shows(*(state for state in STATES if state not in OPEN_WAIVER_STATES)), _ENDED_AT, True),
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


def _select_in_scope(actor: Actor, *columns: Any) -> Select[Any]:
    joined = select(*columns).select_from(Waiver).outerjoin(Host, HOST.id == WAIVER.host_id)
    return joined.outerjoin(HostGroup, HOST_GROUP.id == func.coalesce(HOST.group_id, WAIVER.group_id)).where(waivers_in_scope(actor))


def list_waivers(session: Session, *, actor: Actor, filters: WaiverFilters, after: str | None, limit: int) -> WaiverPage:
    """A page of the waivers that cover a host which this person may see. The number of queries is fixed."""
    library = read_library(session)
    fixed = _fixed(library, filters)
    chosen = [*fixed, *_facet_conditions(filters).values()]
    rows = _page(session, _select_in_scope(actor, Waiver, STATE).where(*chosen), after, limit + 1)
    following = None
    if len(rows) > limit:
        part, at, last, _ = rows[limit - 1]
        following = cursor.encode([part, at, last.id])
    items = waiver_rows(session, actor, library, [(waiver, state) for _, _, waiver, state in rows[:limit]])
    facets, total = _read_facets(session, actor, fixed, filters)
    return WaiverPage(items=items, facets=facets, next=following, total=total)


def _page(session: Session, query: Select[Any], after: str | None, most: int) -> list[tuple[int, datetime, Waiver, str]]:
    """The first waivers, or those after a cursor: the number of the part, the time by which it is sorted, the waiver and its state.

    A query for each part until there are enough. In one query for all, PostgreSQL would sort every waiver for each page.
    """
    first, after_at, after_id = cursor.decode(after, (int, datetime, int)) if after else (0, None, 0)
    found: list[tuple[int, datetime, Waiver, str]] = []
    for part, (condition, key, is_falling) in enumerate(_PARTS):
        if part < first or len(found) >= most:
            continue
        of_part = query.add_columns(key).where(condition).order_by(key.desc() if is_falling else key, WAIVER.id).limit(most - len(found))
        if part == first and after_at is not None:
            at = literal(after_at, UtcDateTime)
            of_part = of_part.where(or_(key < at if is_falling else key > at, and_(key == at, WAIVER.id > after_id)))
        found += [(part, at, waiver, state) for waiver, state, at in session.execute(of_part).all()]
    return found


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
    query = filters.q.strip().lower()
    if query:
        numbers = [known.no for known in library.by_no.values() if query in f"{known.rule.title} {known.rule.address}".lower()]
        texts = [
            func.lower(column).contains(query, autoescape=True) for column in (WAIVER.reason, WAIVER.ticket, HOST.name, HOST_GROUP.name)
        ]
        conditions.append(or_(WAIVER.rule_no.in_(numbers), *texts))
    return conditions


def _facet_conditions(filters: WaiverFilters) -> dict[str, ColumnElement[bool]]:
    conditions: dict[str, ColumnElement[bool]] = {}
    if filters.state:
        conditions["state"] = shows(*filters.state)
    if filters.owner:
        conditions["owner"] = WAIVER.owner_id.in_(list(filters.owner))
    if filters.age:
        conditions["age"] = _AGE.in_(list(filters.age))
    if filters.ends_within:
        conditions["ends_within"] = _ends_within(int(filters.ends_within))
    return conditions


# Times are compared, since to reckon an age in days costs more than all else about a row.
_AGE: ColumnElement[str] = case(
    (WAIVER.requested_at >= func.now() - timedelta(days=30), "30"), (WAIVER.requested_at >= func.now() - timedelta(days=90), "90"),
    else_="older",
)  # fmt: skip


def _ends_within(days: int) -> ColumnElement[bool]:
    return and_(STATE == WaiverState.ACTIVE, WAIVER.expires_at <= func.now() + timedelta(days=days))


# The first of the numbers of days within which an active waiver ends.
_ENDS_AFTER: ColumnElement[int | None] = case(*((_ends_within(int(days)), int(days)) for days, _ in _ENDS), else_=None)


def _read_facets(session: Session, actor: Actor, fixed: list[ColumnElement[bool]], filters: WaiverFilters) -> tuple[WaiverFacets, int]:
    """Counts of each facet under the filters of the others, and of the waivers under all of them. Counted by PostgreSQL; two queries."""
    columns = (STATE, WAIVER.owner_id, _AGE, _ENDS_AFTER)
    query = _select_in_scope(actor, *columns, func.count()).where(*fixed)
    rows = session.execute(query.group_by(*by_place(columns))).all()
    people = people_of(session, {row[1] for row in rows})
    counts: dict[str, Counter[str]] = {name: Counter() for name in ("state", "owner", "age", "ends_within")}
    owners: dict[str, str] = {}
    total = 0
    for state, owner_id, age, ends_after, waivers in rows:
        owners[str(owner_id)] = people.get(owner_id, f"person {owner_id}")
        ends = [days for days, _ in _ENDS if ends_after is not None and ends_after <= int(days)]
        matches = {
            "state": not filters.state or state in filters.state,
            "owner": not filters.owner or owner_id in filters.owner,
            "age": not filters.age or age in filters.age,
            "ends_within": not filters.ends_within or filters.ends_within in ends,
        }
        total += waivers if all(matches.values()) else 0
        values: dict[str, Sequence[str]] = {"state": [state], "owner": [str(owner_id)], "age": [age], "ends_within": ends}
        for name, counter in counts.items():
            if all(is_match for other, is_match in matches.items() if other != name):
                counter.update(dict.fromkeys(values[name], waivers))
    owned = sorted(counts["owner"].items(), key=lambda item: (-item[1], owners[item[0]]))
    facets = WaiverFacets(
        state=[WaiverFacetValue(value=each, label=each, count=counts["state"][each]) for each in STATES if counts["state"][each]],
        owner=[WaiverFacetValue(value=value, label=owners[value], count=count) for value, count in owned[:50]],
        age=[WaiverFacetValue(value=value, label=label, count=counts["age"][value]) for value, label in _AGES],
        ends_within=[WaiverFacetValue(value=value, label=label, count=counts["ends_within"][value]) for value, label in _ENDS],
    )
    return facets, total


def waiver_rows(session: Session, actor: Actor, library: Library, shown: Sequence[tuple[Waiver, str]]) -> list[WaiverRow]:
    """Rows for waivers, each given with the state to show. Seven queries at most, whatever their number, and none for none."""
    if not shown:
        return []
    waivers = [waiver for waiver, _ in shown]
    context = WaiverContext.read(session, waivers)
    rows = []
    for waiver, state in shown:
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
                end_words=waiver.end_words or ("expired" if state == WaiverState.EXPIRED else ""),
                findings=context.findings.get(waiver.id or 0, 0) if state == WaiverState.ACTIVE else 0,
                may_decide=state == WaiverState.REQUESTED and not why_not_decide(actor, waiver, paths),
                may_withdraw=state in OPEN_WAIVER_STATES and may_withdraw(actor, waiver, paths),
            )
        )
    return rows


def why_not_decide(actor: Actor, waiver: Waiver, paths: Sequence[str]) -> str:
    """Why this person cannot decide on a request; empty: they can."""
    if not may(actor, "waiver.decide", paths):
        return "needs the approver role on every group in scope"
    if four_eyes.is_party(actor.person_id, waiver.requested_by, waiver.owner_id):
        return "you requested or own it"
    return ""


def may_withdraw(actor: Actor, waiver: Waiver, paths: Sequence[str]) -> bool:
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
        """Reads it for these waivers, in a fixed number of queries at most."""
        people = {
            person_id for waiver in waivers for person_id in (waiver.owner_id, waiver.requested_by, waiver.approved_by, waiver.ended_by)
        }
        of_findings = select(FINDING.waiver_id, func.count()).where(FINDING.outcome == "fail").group_by(FINDING.waiver_id)
        of_listed = select(WAIVER_HOST.waiver_id, func.count()).group_by(WAIVER_HOST.waiver_id)
        return cls(
            people=people_of(session, people),
            hosts=_pairs(session, select(HOST.id, HOST.name), HOST.id, {waiver.host_id for waiver in waivers}),
            groups=_pairs(session, select(HOST_GROUP.id, HOST_GROUP.name), HOST_GROUP.id, {waiver.group_id for waiver in waivers}),
            listed=_pairs(session, of_listed, WAIVER_HOST.waiver_id, {waiver.id for waiver in waivers if waiver.is_listed}),
            findings=_pairs(session, of_findings, FINDING.waiver_id, {waiver.id for waiver in waivers}),
            paths=paths_of(session, waivers),
            labels=read_labels(session, {waiver.host_id for waiver in waivers if waiver.subject_kind and waiver.host_id}),
        )

    def person(self, person_id: int) -> PersonName:
        """A person by name; by number if the account is gone."""
        return PersonName(id=person_id, name=self.people.get(person_id, f"person {person_id}"))

    def scope(self, waiver: Waiver) -> WaiverScopeOut:
        """The scope of the waiver, as text and as links."""
        host = NamedHost(id=waiver.host_id, name=self.hosts.get(waiver.host_id, "")) if waiver.host_id else None
        group = self.groups.get(waiver.group_id or 0, "")
        count = self.listed.get(waiver.id or 0, 0)
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


def _pairs(session: Session, query: Select[Any, Any], key: Any, wanted: set[Any]) -> dict[Any, Any]:
    """The pairs whose key is wanted; no query where none is."""
    found = session.execute(query.where(is_one_of(key, wanted - {None}))).all() if wanted - {None} else ()
    return {key: value for key, value in found}  # noqa: C416 (rows are no pairs to mypy)


def shown_state(waiver: Waiver, now: datetime) -> str:
    """The state to show: `expired` as soon as its end has passed."""
    return WaiverState.EXPIRED if waiver.state in OPEN_WAIVER_STATES and waiver.expires_at <= now.astimezone(UTC) else waiver.state
