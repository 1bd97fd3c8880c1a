"""Reading hosts: the list with its filters and pages.

A page costs the same number of queries whatever it holds.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, and_, case, cast, func, literal, null, or_, select, tuple_
from sqlalchemy.dialects.postgresql import ARRAY, INTERVAL
from sqlalchemy.types import SmallInteger, Text
from sqlmodel import Session

from plumbline.auth.actor import Actor
from plumbline.auth.scope import KNOWN_STATES, GroupNode, effective_mode, in_scope, read_groups, visible_host
from plumbline.core.freshness import LATE_AFTER_INTERVALS, SILENT_AFTER_INTERVALS, freshness_of
from plumbline.drift.marks import BaselineComparison, drift_of, drifts_from, read_comparisons
from plumbline.hosts.filters import HostFilters, HostListing
from plumbline.hosts.name_search import search_grams
from plumbline.hosts.schemas import HostPage, HostRow, WorstRule
from plumbline.infra import cursor
from plumbline.infra.database import UtcDateTime
from plumbline.models.baselines import HostBaseline
from plumbline.models.hosts import Host, HostGroup
from plumbline.packs.library import Library, read_library

# SQLModel declares columns as plain attributes; this is the table as SQL sees it.
H: Any = Host
G: Any = HostGroup
B: Any = HostBaseline


def _seen_within(intervals: int) -> ColumnElement[bool]:
    """An instant is held against an instant, which costs less for each row than taking its age apart."""
    return H.last_seen_at >= func.now() - H.interval_seconds * cast(timedelta(seconds=intervals), INTERVAL)  # type: ignore[no-any-return]


FRESHNESS: ColumnElement[str] = case(
    (_seen_within(LATE_AFTER_INTERVALS), "fresh"),
    (_seen_within(SILENT_AFTER_INTERVALS), "late"),
    (H.last_seen_at.is_(None), "never"),
    else_="silent",
)


def conditions_of(filters: HostFilters, library: Library, groups: dict[int, GroupNode], *, skip: str = "") -> list[ColumnElement[bool]]:
    """The filters as conditions; `skip` leaves out one facet's own, so that its other values stay on offer."""
    found: list[ColumnElement[bool]] = []

    def add(name: str, values: Any, make: Any) -> None:
        if values and skip != name:
            found.append(make(values))

    if skip != "state":
        found.append(H.state.in_(filters.state or KNOWN_STATES))
    if filters.q:
        grams = search_grams(filters.q)
        if grams:
            found.append(H.name_grams.bool_op("@>")(cast(grams, ARRAY(Text))))
        found.append(func.lower(H.name).contains(filters.q.lower(), autoescape=True))
    if filters.group and skip != "group":
        paths = [groups[each].path for each in filters.group if each in groups]
        found.append(or_(*[G.path.startswith(path, autoescape=True) for path in paths]) if paths else literal(False))
    add("platform", filters.platform, H.platform.in_)
    add("os", filters.os, H.os_release.in_)
    add("family", filters.family, lambda values: H.families.bool_op("&&")(cast(values, ARRAY(Text))))
    add("mode", filters.mode, lambda values: H.initiator_modes.bool_op("&&")(cast(values, ARRAY(Text))))
    add("cluster", filters.cluster, H.cluster.in_)
    add("tag", filters.tag, lambda values: H.tags.bool_op("&&")(cast(values, ARRAY(Text))))
    add("freshness", filters.freshness, FRESHNESS.in_)
    columns = {name: getattr(H, f"n_{name}") for name in ("fail", "unknown", "waived", "guard_rail", "pass", "excluded", "not_applicable")}
    add("outcome", filters.outcome, lambda values: or_(*[columns[value] > 0 for value in values]))
    add("drift", filters.drift, lambda values: or_(*[drifts_from(each, library) for each in values]))
    if filters.managed and skip != "managed" and len(filters.managed) == 1:
        found.append(managed(filters.managed[0], groups))
    if filters.rule:
        numbers = [library.by_address[each].no for each in filters.rule if each in library.by_address]
        found.append(H.failing.bool_op("&&")(cast(numbers, ARRAY(SmallInteger))) if numbers else literal(False))
    if filters.score_below is not None:
        found.append(H.score < filters.score_below)
    if filters.changed_hours is not None:
        found.append(H.last_changed_at > func.now() - cast(timedelta(hours=filters.changed_hours), INTERVAL))
    return found


def managed(mode: str, groups: dict[int, GroupNode]) -> ColumnElement[bool]:
    """The hosts that may be changed by Plumbline ("remediate"), or those that may not."""
    remediated = [node.id for node in groups.values() if node.mode_effective == "remediate"]
    may = and_(H.group_id.in_(remediated), func.coalesce(H.mode, "") != "observe")
    return may if mode == "remediate" else ~may


def hosts_from(actor: Actor, columns: Sequence[Any]) -> Select[Any]:
    """These columns of the hosts that this person may read."""
    return select(*columns).select_from(Host).join(HostGroup, G.id == H.group_id).where(in_scope(actor))


def _page(session: Session, actor: Actor, listing: HostListing, conditions: Sequence[ColumnElement[bool]]) -> list[Row[Any]]:
    """The hosts of one page and the next one, if any. Hosts without a value to sort by come last, and are asked for only there: asked for
    together with the others, each page would be sought from the first on. Of the wide rows only what a list shows is read, each with how it
    compares with its baseline.
    """
    columns = (*(getattr(H, name) for name in _READ), B.host_id.label("baseline_of"), B.compared_configuration_id, B.differs, B.unread)
    query = hosts_from(actor, columns).outerjoin(HostBaseline, B.host_id == H.id).where(*conditions)
    key, is_falling = _sort_key(listing.sort)
    order = key.desc() if is_falling else key.asc()
    most = listing.limit + 1
    if not listing.after:
        return list(session.execute(query.order_by(order.nulls_last(), H.id).limit(most)))
    value, host_id = _read_cursor(listing.after, listing.sort)
    if value is None:
        return list(session.execute(query.where(key.is_(null()), H.id > host_id).order_by(H.id).limit(most)))
    rows = list(session.execute(query.where(_beyond(key, is_falling, value, host_id)).order_by(order, H.id).limit(most)))
    if len(rows) < most:
        rows += session.execute(query.where(key.is_(null())).order_by(H.id).limit(most - len(rows)))
    return rows


def list_hosts(session: Session, *, actor: Actor, listing: HostListing) -> HostPage:
    """One page of the hosts that match, by keyset: the next page begins where this one ends, whatever changed in between."""
    library = read_library(session)
    groups = read_groups(session)
    conditions = conditions_of(listing, library, groups)
    rows = _page(session, actor, listing, conditions)
    total, as_of = session.execute(hosts_from(actor, (func.count(), func.now())).where(*conditions)).one()
    shown = rows[: listing.limit]
    following = None
    if len(rows) > listing.limit:
        following = cursor.encode([listing.sort, _sort_value(shown[-1], listing.sort), shown[-1].id])
    comparisons = {row.id: BaselineComparison(row.compared_configuration_id, row.differs, row.unread) for row in shown if row.baseline_of}
    items = [row_of(host, groups, library, as_of, comparisons) for host in shown]
    return HostPage(items=items, total=total, next=following, as_of=as_of)


def read_host(session: Session, *, actor: Actor, host_id: str) -> HostRow:
    """One host as lists show it."""
    host, _ = visible_host(session, actor=actor, host_id=host_id)
    now = session.scalar(select(func.now())) or datetime.now(UTC)
    return row_of(host, read_groups(session), read_library(session), now, read_comparisons(session, [host.id]))


def row_of(
    host: Host | Row[Any], groups: dict[int, GroupNode], library: Library, now: datetime, comparisons: Mapping[str, BaselineComparison]
) -> HostRow:
    """A host's row from what is in hand: the host, or the columns that a list reads."""
    group = groups.get(host.group_id)
    worst = library.by_no.get(host.worst_rule_no or 0)
    return HostRow(
        **{name: getattr(host, name) for name in _PLAIN},
        group_name=group.name if group else "",
        worst=WorstRule(pack=worst.pack.id, rule=worst.rule.id, title=worst.rule.title) if worst else None,
        freshness=freshness_of(host.last_seen_at, host.interval_seconds, now),
        drift=drift_of(host, library, comparisons),
        mode_effective=effective_mode(host.mode, group),
        changed_24h=host.last_changed_at is not None and now - host.last_changed_at < timedelta(hours=24),
    )


_PLAIN = (
    "id", "name", "group_id", "platform", "os_name", "os_release", "cluster", "families", "initiator_modes", "score", "capped_by",
    "rule_coverage", "n_pass", "n_fail", "n_unknown", "n_not_applicable", "n_waived", "n_excluded", "n_guard_rail", "last_seen_at",
    "paths_healthy", "paths_total", "state", "is_lab", "agent_version", "alarm", "failed_sections", "is_restart_pending",
)  # fmt: skip
# Those, and what the rest of a row is made from.
_READ = (*_PLAIN, "worst_rule_no", "failing", "configuration_id", "interval_seconds", "last_changed_at", "mode")


_SORTS: dict[str, Any] = {"score": H.score, "name": func.lower(H.name), "last_seen": H.last_seen_at, "paths": H.paths_healthy}


def _sort_key(sort: str) -> tuple[Any, bool]:
    return _SORTS[sort.removeprefix("-")], sort.startswith("-")


def _sort_value(host: Row[Any], sort: str) -> Any:
    values = {"score": host.score, "name": host.name.lower(), "last_seen": host.last_seen_at, "paths": host.paths_healthy}
    return values[sort.removeprefix("-")]


def _beyond(key: Any, is_falling: bool, value: Any, host_id: str) -> ColumnElement[bool]:
    """Rows with a key after this one, in the order (key, id)."""
    if is_falling:
        return and_(key <= value, or_(key < value, H.id > host_id))
    return tuple_(key, H.id) > tuple_(value, host_id)


def _read_cursor(text: str, sort: str) -> tuple[Any, str]:
    """The value that the list is sorted by and the host's id, of the last host on the page before."""
    kind = {"name": str | None, "last_seen": datetime | None}.get(sort.removeprefix("-"), int | None)
    sorted_by, value, host_id = cursor.decode(text, (str, kind, str))
    if sorted_by != sort:
        raise cursor.invalid_cursor()
    return literal(value, UtcDateTime) if isinstance(value, datetime) else value, host_id
