"""Drift over the fleet: the four references counted, and what changed, one row for each happening."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from sqlalchemy import Row, func, select
from sqlmodel import Session

from plumbline.auth.actor import Actor
from plumbline.auth.scope import FEW_HOSTS, groups_below, scope_of_group
from plumbline.drift.events import describe_events, read_events
from plumbline.drift.marks import REFERENCE_LABELS
from plumbline.drift.prepared_parts import read_parts
from plumbline.drift.schemas import Changes, ClockCount, DriftCause, DriftPage
from plumbline.infra.database import sql
from plumbline.infra.schemas import NamedHost
from plumbline.models.host_summaries import kept_counts
from plumbline.models.hosts import COUNTED, HOST

MOST_GROUPS = 200
DEFAULT_HOURS = 24 * 7
# By combination of values, the hosts that drift from their peers, and the others.
_REFERENCES = f"""
WITH differing AS (SELECT value, hosts FROM ({kept_counts("differing")}) AS kept),
counted AS (
  SELECT value, false AS drifts_from_peers, hosts FROM ({kept_counts("combination")}) AS kept
  UNION ALL SELECT value, false, -hosts FROM differing
  UNION ALL SELECT value, true, hosts FROM differing)
SELECT c.is_evaluated, c.has_fail, c.has_cluster, c.has_configuration, c.is_restart_pending, c.baseline, counted.drifts_from_peers,
  sum(counted.hosts) AS hosts, now() AS as_of
FROM counted JOIN host_combination c ON c.id = CAST(counted.value AS bigint) WHERE c.{COUNTED} GROUP BY 1, 2, 3, 4, 5, 6, 7
"""  # noqa: S608 - constants


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
    scope = scope_of_group(session, actor=actor, group_id=group_id)
    group, below = scope.group, scope.below
    references, hosts, as_of = _count_references(session, below)
    chosen = _Chosen(hours, frozenset(causes), frozenset(host_ids), with_unread, most_groups)
    changes = read_parts(session, group.id, ("changes",)).part("changes", Changes) if chosen == _PREPARED else None
    if changes is None:
        changes = _read_changes(session, below, chosen, as_of, has_few_hosts=hosts <= FEW_HOSTS)
    return DriftPage(
        as_of=as_of,
        group_name=group.name,
        only_hosts=_named(session, below, host_ids),
        hosts=hosts,
        clocks=references,
        **dict(changes),
    )


class _Chosen(NamedTuple):
    """Which changes are shown."""

    hours: int
    causes: frozenset[str] = frozenset()
    host_ids: frozenset[str] = frozenset()
    with_unread: bool = False
    most_groups: int = MOST_GROUPS


# What the page shows where a person chooses nothing.
_PREPARED = _Chosen(DEFAULT_HOURS)


def prepare_changes(session: Session, group_id: int, as_of: datetime) -> Changes:
    """The changes that the drift page shows of a group with many hosts."""
    return _read_changes(session, groups_below(session, group_id), _PREPARED, as_of.astimezone(UTC), has_few_hosts=False)


def _read_changes(session: Session, groups: Sequence[int], chosen: _Chosen, as_of: datetime, *, has_few_hosts: bool) -> Changes:
    """The events in these groups. Six queries at most."""
    found = read_events(session, groups=groups, hours=chosen.hours, with_unread=chosen.with_unread, has_few_hosts=has_few_hosts)
    events = found.events
    if chosen.host_ids:
        events = [each for each in events if any(change.host_id in chosen.host_ids for change in each.changes)]
    counts = Counter(each.cause for each in events)
    shown = [each for each in events if not chosen.causes or each.cause in chosen.causes]
    return Changes(
        changes_as_of=as_of,
        causes=[DriftCause(cause=cause, count=count) for cause, count in sorted(counts.items(), key=lambda each: (-each[1], each[0]))],
        groups=describe_events(session, found, shown[: chosen.most_groups]),
        more=max(0, len(shown) - chosen.most_groups),
        is_cut=found.is_cut,
    )


def _named(session: Session, groups: Sequence[int], host_ids: Sequence[str]) -> list[NamedHost]:
    """Those of the hosts that are in these groups, by name."""
    if not host_ids:
        return []
    query = select(HOST.id, HOST.name).where(HOST.id.in_(host_ids), HOST.group_id.in_(groups)).order_by(HOST.name)
    return [NamedHost(id=host_id, name=name) for host_id, name in session.execute(query)]


def _count_references(session: Session, groups: list[int]) -> tuple[list[ClockCount], int, datetime]:
    """The same decisions as the marks of a row (`marks.drift_of`) over the hosts in these groups."""
    rows = session.execute(sql(_REFERENCES), {"groups": groups}).all()
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
