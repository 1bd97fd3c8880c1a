"""The watches of a host, and the charts of one."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
from sqlalchemy import select, text
from sqlmodel import Session

from plumbline.auth.actor import Actor
from plumbline.auth.rights import allow
from plumbline.auth.scope import host_in_scope
from plumbline.configurations.read import Labels, read_document
from plumbline.infra.database import now_of
from plumbline.models.columns import columns_of
from plumbline.models.watches import HostWatch
from plumbline.performance.charts import MOST_SERIES, chart_host, chart_line, chart_references, usual_series
from plumbline.performance.fold import line_of
from plumbline.performance.grid import Readings, grid_for
from plumbline.performance.lines import gridded, parts_of
from plumbline.performance.marks import read_marks
from plumbline.performance.metrics import Series, with_computed
from plumbline.performance.schemas import Charts
from plumbline.watches.access import why_not
from plumbline.watches.schemas import HostWatches
from plumbline.watches.scope import watch_in_scope, watch_out

HOST_WATCH = columns_of(HostWatch)

READING_SECONDS = 5
# A busy host is read less often; after a longer time without a reading there is a gap.
_LONGEST_SECONDS = 60.0
_MOST_LISTED = 10
_READINGS = """
SELECT (extract(epoch FROM at) * 1000)::bigint AS at_ms, uptime_ms, series_no, values FROM watch_reading WHERE watch_id = :watch ORDER BY at
"""


def read_host_watches(session: Session, *, actor: Actor, host_id: str) -> HostWatches:
    """The newest watches of a host, the newest first. Four queries at most."""
    host, group = host_in_scope(session, actor=actor, host_id=host_id)
    rows = session.scalars(select(HostWatch).where(HOST_WATCH.host_id == host.id).order_by(HOST_WATCH.id.desc()).limit(_MOST_LISTED))
    return HostWatches(
        may_watch=allow(actor, "host.watch", group.path),
        why_not=why_not(session, host.id),
        watches=[watch_out(row, host) for row in rows],
    )


def read_watch_charts(session: Session, *, actor: Actor, watch_id: int, wanted: Sequence[str]) -> Charts:
    """The requested series ("<host>~<subject>:<name>") of a watch on steps of five seconds, or the usual ones. Ten queries at most."""
    watch, host, group = watch_in_scope(session, actor=actor, watch_id=watch_id)
    document = read_document(session, host)
    labels = Labels.of(document.document if document else None)
    documents = {host.id: document.document} if document else {}
    known = with_computed(_series_of(watch))
    picked = [each.partition("~")[2] for each in dict.fromkeys(wanted) if each.startswith(f"{host.id}~")]
    series = [known[each] for each in picked if each in known][:MOST_SERIES] or usual_series({host.id: known}, documents)
    since, until = _span(watch, now_of(session))
    grid = grid_for(_ms(since), _ms(until), READING_SECONDS)
    found = gridded(series, _readings(session, watch, parts_of(series)), grid, _LONGEST_SECONDS)
    return Charts(
        from_=since,
        to=until,
        starts_at=datetime.fromtimestamp(grid.start_ms / 1000, UTC),
        step_seconds=grid.step_seconds,
        reading_seconds=READING_SECONDS,
        is_downsampled=False,
        hosts=[chart_host(host, group.name, known, labels)],
        series=[chart_line(each, found[host.id, each.id], host.name, labels, False, False) for each in series],
        comparison=None,
        references=chart_references(series, {each.name for each in series}, {host.id: host}, documents, {host.id: labels}),
        marks=read_marks(session, hosts={host.id: host.name}, since=since, until=until),
    )


def _span(watch: HostWatch, now: datetime) -> tuple[datetime, datetime]:
    """From its start to its end or to now; at least a minute, so that a chart that has just begun has room."""
    since = (watch.started_at or watch.requested_at).astimezone(UTC)
    until = (watch.ended_at or now).astimezone(UTC)
    return since, max(until, since + timedelta(minutes=1))


def _ms(at: datetime) -> int:
    return int(at.timestamp() * 1000)


def _series_of(watch: HostWatch) -> list[Series]:
    named = {(subject, name): kind for listed in watch.series for subject, name, kind in listed}
    return [Series(watch.host_id, subject, name, kind) for (subject, name), kind in named.items()]


def _readings(session: Session, watch: HostWatch, series: Sequence[Series]) -> Mapping[tuple[str, str], Readings]:
    rows = session.execute(text(_READINGS), {"watch": watch.id}).all()
    places = [{f"{subject}:{name}": at for at, (subject, name, _) in enumerate(listed)} for listed in watch.series]
    at_ms, uptimes = [row.at_ms for row in rows], [row.uptime_ms / 1000 for row in rows]
    return {(each.host_id, each.id): _of_series(each, rows, places, at_ms, uptimes) for each in series}


def _of_series(
    series: Series, rows: Sequence[Any], places: Sequence[Mapping[str, int]], at_ms: Sequence[int], uptimes: Sequence[float]
) -> Readings:
    if not rows:
        return Readings.of(np.empty(0, dtype=np.int64), np.empty(0))
    values = [None if (place := places[row.series_no].get(series.id)) is None else row.values[place] for row in rows]
    line = line_of(series.kind, at_ms, uptimes, values)
    return Readings.of(line.at, line.values)
