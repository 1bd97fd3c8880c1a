"""The list of waivers: its filters, facets and pages."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, any_, case, func, literal, or_, select
from sqlmodel import Session

from plumbline.auth.actor import Actor
from plumbline.infra import cursor
from plumbline.infra.database import UtcDateTime
from plumbline.models.columns import by_place
from plumbline.models.findings import OPEN_WAIVER_STATES, WAIVER, WAIVER_HOST, Waiver, WaiverState
from plumbline.models.hosts import HOST, HOST_GROUP, Host, HostGroup
from plumbline.packs.library import Library, read_library
from plumbline.waivers.listed_waiver import COLUMNS, ListedWaiver
from plumbline.waivers.rows import WaiverContext, waiver_rows
from plumbline.waivers.schemas import Age, EndsWithin, WaiverFacets, WaiverFacetValue, WaiverPage, WaiverStateOut
from plumbline.waivers.scope import waivers_in_scope

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


def select_in_scope(actor: Actor, *columns: Any) -> Select[Any]:
    """These columns of the waivers that cover a host which this person may see, with their host and group."""
    joined = select(*columns).select_from(Waiver).outerjoin(Host, HOST.id == WAIVER.host_id)
    return joined.outerjoin(HostGroup, HOST_GROUP.id == func.coalesce(HOST.group_id, WAIVER.group_id)).where(waivers_in_scope(actor))


def list_waivers(session: Session, *, actor: Actor, filters: WaiverFilters, after: str | None, limit: int) -> WaiverPage:
    """A page of the waivers that cover a host which this person may see. The number of queries is fixed."""
    library = read_library(session)
    fixed = _fixed(library, filters)
    chosen = [*fixed, *_facet_conditions(filters).values()]
    found = _page(session, select_in_scope(actor, *COLUMNS, STATE).where(*chosen), after, limit + 1)
    counted_rows = _count(session, actor, fixed)
    shown = [(waiver, state) for _, _, waiver, state in found[:limit]]
    context = WaiverContext.read(session, [waiver for waiver, _ in shown], people={row.owner_id for row in counted_rows})
    following = None
    if len(found) > limit:
        part, at, last, _ = found[limit - 1]
        following = cursor.encode([part, at, last.id])
    facets, total = _facets_of(counted_rows, context, filters)
    return WaiverPage(items=waiver_rows(actor, library, context, shown), facets=facets, next=following, total=total)


def _page(session: Session, query: Select[Any], after: str | None, most: int) -> list[tuple[int, datetime, ListedWaiver, str]]:
    """The first waivers, or those after a cursor: the number of the part, the time by which it is sorted, the waiver and its state.

    A query for each part until there are enough. In one query for all, PostgreSQL would sort every waiver for each page.
    """
    first, after_at, after_id = cursor.decode(after, (int, datetime, int)) if after else (0, None, 0)
    found: list[tuple[int, datetime, ListedWaiver, str]] = []
    for part, (condition, key, is_falling) in enumerate(_PARTS):
        if part < first or len(found) >= most:
            continue
        of_part = query.add_columns(key).where(condition).order_by(key.desc() if is_falling else key, WAIVER.id).limit(most - len(found))
        if part == first and after_at is not None:
            at = literal(after_at, UtcDateTime)
            of_part = of_part.where(or_(key < at if is_falling else key > at, and_(key == at, WAIVER.id > after_id)))
        found += [(part, at, ListedWaiver(*waiver), state) for *waiver, state, at in session.execute(of_part).all()]
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


def _count(session: Session, actor: Actor, fixed: list[ColumnElement[bool]]) -> Sequence[Any]:
    """The waivers counted by state, owner, age and the days within which they end."""
    columns = (STATE, WAIVER.owner_id, _AGE, _ENDS_AFTER)
    query = select_in_scope(actor, *columns, func.count()).where(*fixed)
    return session.execute(query.group_by(*by_place(columns))).all()


def _facets_of(rows: Sequence[Any], context: WaiverContext, filters: WaiverFilters) -> tuple[WaiverFacets, int]:
    """Counts of each facet under the filters of the others, and of the waivers under all of them."""
    counts: dict[str, Counter[str]] = {name: Counter() for name in ("state", "owner", "age", "ends_within")}
    owners: dict[str, str] = {}
    total = 0
    for state, owner_id, age, ends_after, waivers in rows:
        owners[str(owner_id)] = context.person(owner_id).name
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
