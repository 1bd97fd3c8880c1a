"""Drift over the fleet: the four references counted, and what changed, one row for each happening."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Row, func, select, text
from sqlmodel import Session

from plumbline.auth.actor import Actor
from plumbline.auth.rights import can_read
from plumbline.auth.scope import FEW_HOSTS, KNOWN_STATES, group_in_scope, read_groups
from plumbline.drift.events import describe_events, read_events
from plumbline.drift.marks import REFERENCE_LABELS, summary_drifts_from
from plumbline.drift.schemas import ClockCount, DriftCause, DriftPage
from plumbline.infra.schemas import NamedHost
from plumbline.models.host_summaries import HOST_COMBINATION, HOST_SUMMARY, HostCombination
from plumbline.models.hosts import HOST
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
    nodes = read_groups(session).values()
    below = [each.id for each in nodes if each.path.startswith(group.path) and can_read(actor, each.path)]
    references, hosts, as_of = _count_references(session, below if len(below) < len(nodes) else None, read_library(session))
    found = read_events(session, groups=below, hours=hours, with_unread=with_unread, has_few_hosts=hosts <= FEW_HOSTS)
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


def _count_references(session: Session, groups: list[int] | None, library: Library) -> tuple[list[ClockCount], int, datetime]:
    """The same decisions as the marks of a row (`marks.drift_of`), counted by the database over the summaries of hosts in these groups, or
    of all.
    """
    peers = summary_drifts_from("peers", library).label("drifts_from_peers")
    in_scope = () if groups is None else (HOST_SUMMARY.group_id.in_(groups),)
    # First the hosts are counted by what is their own, then the few combinations are read.
    own = (
        select(HOST_SUMMARY.combination_id, peers, func.count().label("hosts"))
        .where(*in_scope)
        .group_by(HOST_SUMMARY.combination_id, peers)
        .subquery()
    )
    rows = session.execute(
        select(
            *(getattr(HOST_COMBINATION, name) for name in ("is_evaluated", "has_fail", "has_cluster", "has_configuration")),
            HOST_COMBINATION.is_restart_pending,
            HOST_COMBINATION.baseline,
            own.c.drifts_from_peers,
            func.sum(own.c.hosts).label("hosts"),
            func.now().label("as_of"),
        )
        .select_from(own)
        .join(HostCombination, HOST_COMBINATION.id == own.c.combination_id)
        .where(HOST_COMBINATION.state.in_(KNOWN_STATES))
        .group_by(text("1, 2, 3, 4, 5, 6, 7"))
    ).all()
    drifts: Counter[str] = Counter()
    known: Counter[str] = Counter()
    for row in rows:
        for reference, (is_drift, is_known) in _marks(row).items():
            drifts[reference] += int(row.hosts) * is_drift
            known[reference] += int(row.hosts) * is_known
    hosts = sum(int(row.hosts) for row in rows)
    as_of = rows[0].as_of if rows else session.execute(select(func.now())).scalar_one()
    counts = [ClockCount(clock=each, drift=drifts[each], unknown=hosts - known[each]) for each in REFERENCE_LABELS]
    return counts, hosts, as_of.astimezone(UTC)


def _marks(row: Row[Any]) -> dict[str, tuple[bool, bool]]:
    """Of each reference, whether hosts with these values drift from it, and whether that is known."""
    peers = row.drifts_from_peers
    return {
        "standard": (row.has_fail, row.is_evaluated),
        "baseline": (row.baseline == "differs", row.baseline != ""),
        "peers": (peers, peers or (row.is_evaluated and row.has_cluster)),
        "persisted": (row.is_restart_pending, row.is_restart_pending or row.has_configuration),
    }
