"""Drift over the fleet: the four references counted, and what changed, alike changes together."""

from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Row, and_, false, func, or_, select, text
from sqlmodel import Session

from plumbline.auth.actor import Actor
from plumbline.auth.rights import can_read
from plumbline.auth.scope import KNOWN_STATES, group_in_scope, read_groups
from plumbline.configurations.read import setting_label
from plumbline.core.rules.reading_words import stored_text
from plumbline.drift.marks import REFERENCE_LABELS, drifts_from
from plumbline.drift.schemas import ChangeGroup, ClockCount, DriftCause, DriftPage
from plumbline.infra.schemas import NamedHost, SubjectOut
from plumbline.models.baselines import HOST_BASELINE, HostBaseline
from plumbline.models.hosts import HOST, Host
from plumbline.packs.library import Library, read_library

# At most this many changes are read; if there are more, the oldest are left out and the page says so.
MOST_CHANGES = 20_000
MOST_GROUPS = 200
NAMED_HOSTS = 20
# A setting that could not be read before or after, or was not reported before for a known item: what we can read changed, not the host.
_SEEN = "(c.old IS NOT NULL AND NOT (c.old ? 'unknown' OR coalesce(c.new, '{}'::jsonb) ? 'unknown'))"
# A subject that is gone takes many settings with it: it is one change.
_GONE_FROM = 3
_CHANGES = f"""
SELECT c.id, c.host_id, h.name, c.received_at, c.subject_kind, c.subject_id, c.key, c.old, c.new, c.cause, c.cause_detail, c.alike,
  g.name AS group_name
FROM setting_change c JOIN host h ON h.id = c.host_id JOIN host_group g ON g.id = h.group_id
WHERE c.received_at >= now() - make_interval(hours => :hours) AND c.cause <> 'first_seen' AND (:unread OR {_SEEN})
  AND h.group_id = ANY(:groups) AND h.state = ANY(:known)
ORDER BY c.received_at DESC, c.id DESC LIMIT :most
"""  # noqa: S608 - constants


def read_drift(
    session: Session,
    *,
    actor: Actor,
    group_id: int | None,
    hours: int,
    causes: Iterable[str] = (),
    with_unread: bool = False,
    most_groups: int = MOST_GROUPS,
) -> DriftPage:
    """A group and all below it, the newest `most_groups` groups of changes. Six queries at most, whatever the size of the fleet."""
    group = group_in_scope(session, actor=actor, group_id=group_id)
    below = [each.id for each in read_groups(session).values() if each.path.startswith(group.path) and can_read(actor, each.path)]
    references, hosts, as_of = _count_references(session, below, read_library(session))
    values = {"hours": hours, "unread": with_unread, "groups": below, "known": list(KNOWN_STATES), "most": MOST_CHANGES}
    rows = session.execute(text(_CHANGES), values).all()
    gathered: dict[tuple[Any, ...], list[Row[Any]]] = {}
    gone = Counter((row.host_id, row.received_at, row.subject_kind, row.subject_id) for row in rows if row.new is None)
    for row in rows:
        subject = (row.host_id, row.received_at, row.subject_kind, row.subject_id)
        # A change that no other host shares is grouped by its host and check-in.
        key = ("gone", *subject) if row.new is None and gone[subject] >= _GONE_FROM else (row.alike or row.id,)
        gathered.setdefault(key, []).append(row)
    found = [_group(members, is_gone=key[0] == "gone") for key, members in gathered.items()]
    counts: dict[str, int] = {}
    for each in found:
        counts[each.cause] = counts.get(each.cause, 0) + 1
    wanted = set(causes)
    shown = sorted((each for each in found if not wanted or each.cause in wanted), key=lambda each: each.last_at, reverse=True)
    return DriftPage(
        as_of=as_of,
        group_name=group.name,
        hosts=hosts,
        clocks=references,
        causes=[DriftCause(cause=cause, count=count) for cause, count in sorted(counts.items(), key=lambda each: (-each[1], each[0]))],
        groups=shown[:most_groups],
        more=max(0, len(shown) - most_groups),
        is_cut=len(rows) == MOST_CHANGES,
    )


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


def _group(members: list[Row[Any]], *, is_gone: bool) -> ChangeGroup:
    """Changes that are alike; the rows come newest first."""
    newest = members[0]
    hosts = {row.host_id: row.name for row in members}
    subjects = {(row.host_id, row.subject_kind, row.subject_id) for row in members}
    places = sorted({row.group_name for row in members})
    is_one = len(subjects) == 1 and newest.subject_kind != "host"
    return ChangeGroup(
        id=newest.alike or str(newest.id),
        key=f"{newest.subject_kind}.{newest.key}",
        label=f"Entire {newest.subject_kind.replace('_', ' ')}" if is_gone else setting_label(newest.subject_kind, newest.key),
        old=_name_of(members) if is_gone else stored_text(newest.subject_kind, newest.key, newest.old),
        new="gone" if is_gone else stored_text(newest.subject_kind, newest.key, newest.new),
        cause=newest.cause,
        cause_detail=newest.cause_detail,
        is_expected=newest.cause == "our_job",
        hosts=[NamedHost(id=host_id, name=name) for host_id, name in sorted(hosts.items(), key=lambda each: each[1])[:NAMED_HOSTS]],
        host_count=len(hosts),
        subjects=len(subjects),
        subject=SubjectOut(kind=newest.subject_kind, id=newest.subject_id, label=newest.subject_id) if is_one else None,
        group_name=places[0] if len(places) == 1 else f"{len(places)} groups",
        first_at=members[-1].received_at.astimezone(UTC),
        last_at=newest.received_at.astimezone(UTC),
    )


def _name_of(members: list[Row[Any]]) -> str:
    """What a subject that is gone was called, else its id."""
    named = next((row.old for row in members if row.key == "name"), None)
    return stored_text(members[0].subject_kind, "name", named) if named is not None else str(members[0].subject_id)
