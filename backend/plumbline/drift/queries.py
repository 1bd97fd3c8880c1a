"""Drift over the fleet: the four references counted, and what changed, one row for each happening."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from sqlalchemy import and_, false, func, or_, select
from sqlmodel import Session

from plumbline.auth.actor import Actor
from plumbline.auth.rights import can_read
from plumbline.auth.scope import KNOWN_STATES, group_in_scope, read_groups
from plumbline.drift.events import describe_events, read_events
from plumbline.drift.marks import REFERENCE_LABELS, drifts_from
from plumbline.drift.schemas import ClockCount, DriftCause, DriftPage
from plumbline.infra.schemas import NamedHost
from plumbline.models.baselines import HOST_BASELINE, HostBaseline
from plumbline.models.hosts import HOST, Host
from plumbline.packs.library import Library, read_library

MOST_GROUPS = 200


def read_drift(
    session: Session,
    *,
    actor: Actor,
    group_id: int | None,
    hours: int,
    causes: Iterable[str] = (),
    host_ids: Sequence[str] = (),
    with_unread: bool = False,
    most_groups: int = MOST_GROUPS,
) -> DriftPage:
    """A group and all below it, the newest `most_groups` events; with `host_ids`, those about one of these hosts. Nine queries at most,
    whatever the size of the fleet.
    """
    group = group_in_scope(session, actor=actor, group_id=group_id)
    below = [each.id for each in read_groups(session).values() if each.path.startswith(group.path) and can_read(actor, each.path)]
    references, hosts, as_of = _count_references(session, below, read_library(session))
    found = read_events(session, groups=below, hours=hours, with_unread=with_unread)
    events, only_hosts = found.events, set(host_ids)
    if only_hosts:
        events = [each for each in events if any(change.host_id in only_hosts for change in each.changes)]
    counts = Counter(each.cause for each in events)
    wanted = set(causes)
    shown = [each for each in events if not wanted or each.cause in wanted]
    return DriftPage(
        as_of=as_of,
        group_name=group.name,
        only_hosts=_named(session, below, host_ids),
        hosts=hosts,
        clocks=references,
        causes=[DriftCause(cause=cause, count=count) for cause, count in sorted(counts.items(), key=lambda each: (-each[1], each[0]))],
        groups=describe_events(session, found, shown[:most_groups]),
        more=max(0, len(shown) - most_groups),
        is_cut=found.is_cut,
    )


def _named(session: Session, groups: Sequence[int], host_ids: Sequence[str]) -> list[NamedHost]:
    """Those of the hosts that are in these groups, by name."""
    if not host_ids:
        return []
    query = select(HOST.id, HOST.name).where(HOST.id.in_(host_ids), HOST.group_id.in_(groups)).order_by(HOST.name)
    return [NamedHost(id=host_id, name=name) for host_id, name in session.execute(query)]


def _count_references(session: Session, groups: list[int], library: Library) -> tuple[list[ClockCount], int, datetime]:
    """The same decisions as the marks of a row (`marks.drift_of`), counted by the database."""
    evaluated = HOST.n_pass + HOST.n_fail + HOST.n_unknown + HOST.n_waived > 0
    drifts = {reference: drifts_from(reference, library) for reference in REFERENCE_LABELS}
    # The condition of `drifts_from`, on the row that is joined anyway.
    drifts["baseline"] = func.coalesce(
        and_(HOST_BASELINE.compared_configuration_id == HOST.configuration_id, HOST_BASELINE.differs > 0), false()
    )
    known = {
        "standard": evaluated,
        "baseline": and_(
            HOST_BASELINE.compared_configuration_id == HOST.configuration_id,
            HOST_BASELINE.differs.is_not(None),
            or_(HOST_BASELINE.differs > 0, HOST_BASELINE.unread == 0),
        ),
        # In this order, since searching the numbers of failing rules costs more than all other conditions.
        "peers": or_(and_(evaluated, HOST.cluster != ""), drifts["peers"]),
        "persisted": or_(drifts["persisted"], HOST.configuration_id.is_not(None)),
    }
    columns = [func.count().filter(drifts[reference]).label(f"drift_{reference}") for reference in REFERENCE_LABELS]
    columns += [func.count().filter(func.coalesce(known[reference], False)).label(f"known_{reference}") for reference in REFERENCE_LABELS]
    row = session.execute(
        select(func.count().label("hosts"), func.now().label("as_of"), *columns)
        .select_from(Host)
        .outerjoin(HostBaseline, HOST_BASELINE.host_id == HOST.id)
        .where(HOST.group_id.in_(groups), HOST.state.in_(KNOWN_STATES))
    ).one()
    counts = [
        ClockCount(clock=reference, drift=getattr(row, f"drift_{reference}"), unknown=row.hosts - getattr(row, f"known_{reference}"))
        for reference in REFERENCE_LABELS
    ]
    return counts, row.hosts, row.as_of.astimezone(UTC)
