"""Reading the lines of any series of any hosts, from wide rows and day chunks, with a fixed number of queries."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

import numpy as np
from sqlalchemy import text
from sqlmodel import Session

from plumbline.performance.fold import STEP_SECONDS, line_of, unpack
from plumbline.performance.grid import Grid, Gridded, Readings, on_grid, ratio
from plumbline.performance.metrics import RATIOS, Series, with_computed

# Within this time the wide rows are all there and finer than the chunks.
IN_FULL = timedelta(hours=48)
# One reading more than the span shows is needed for its first rate.
_BEFORE = timedelta(hours=1)

_SERIES = "SELECT host_id, no, subject, name, kind FROM counter_series WHERE host_id = ANY(:hosts) ORDER BY host_id, no"
# A reading speaks for the time before it, so one taken at the very end of a span belongs to it.
_SAMPLES = """
SELECT w.place, array_agg((extract(epoch FROM s.at) * 1000)::bigint ORDER BY s.at) AS at,
       array_agg(s.uptime_seconds ORDER BY s.at) AS uptimes, array_agg(s.values[w.no + 1] ORDER BY s.at) AS values
FROM unnest(CAST(:hosts AS text[]), CAST(:numbers AS int[])) WITH ORDINALITY AS w (host_id, no, place)
JOIN counter_sample s ON s.host_id = w.host_id
WHERE s.at >= :since AND s.at <= :until GROUP BY w.place
"""
_CHUNKS = """
SELECT w.place, d.day, d.chunk
FROM unnest(CAST(:hosts AS text[]), CAST(:numbers AS int[])) WITH ORDINALITY AS w (host_id, no, place)
JOIN counter_day d ON d.host_id = w.host_id AND d.no = w.no
WHERE d.day >= :first AND d.day <= :last ORDER BY w.place, d.day
"""


@dataclass(frozen=True, slots=True)
class Span:
    """A span of time, and how often the hosts in question report."""

    since: datetime
    until: datetime
    reading_seconds: int

    def shifted(self, seconds: int) -> "Span":
        """The same length of time so many seconds earlier."""
        by = timedelta(seconds=seconds)
        return Span(self.since - by, self.until - by, self.reading_seconds)

    @property
    def longest_seconds(self) -> float:
        """For how long a reading counts; after that the time up to the next one is a gap."""
        return min(3 * 3600.0, max(900.0, 3.0 * self.reading_seconds))


def read_series(session: Session, host_ids: Iterable[str]) -> dict[str, dict[str, Series]]:
    """The series of each host by id, computed ones included. One query."""
    stored: dict[str, list[Series]] = {}
    for row in session.execute(text(_SERIES), {"hosts": list(host_ids)}):
        stored.setdefault(row.host_id, []).append(Series(row.host_id, row.subject, row.name, row.kind, no=row.no))
    return {host_id: with_computed(series) for host_id, series in stored.items()}


def read_on_grid(session: Session, series: Sequence[Series], grid: Grid, span: Span, *, now: datetime) -> dict[tuple[str, str], Gridded]:
    """Each series on the grid, by host and id. Two queries, however many series and whatever the span."""
    wanted = parts_of(series)
    readings = dict(zip(((each.host_id, each.id) for each in wanted), _read(session, wanted, span, now=now), strict=True))
    return gridded(series, readings, grid, span.longest_seconds)


def parts_of(series: Sequence[Series]) -> list[Series]:
    """The series that have readings of their own: those from which others are computed, in the place of these."""
    return list(dict.fromkeys(part for each in series for part in (each.parts or (each,))))


def gridded(
    series: Sequence[Series], readings: Mapping[tuple[str, str], Readings], grid: Grid, longest_seconds: float
) -> dict[tuple[str, str], Gridded]:
    """Each series on the grid, by host and id, from the readings of `parts_of` them."""
    found = {}
    for each in series:
        if each.parts is None:
            found[each.host_id, each.id] = on_grid(readings[each.host_id, each.id], grid, longest_seconds)
            continue
        part, whole = (readings[one.host_id, one.id] for one in each.parts)
        of = RATIOS[each.name]
        points = _ratio_readings(part, whole, of.factor, of.most)
        found[each.host_id, each.id] = ratio(
            on_grid(part, grid, longest_seconds),
            on_grid(whole, grid, longest_seconds),
            on_grid(points, grid, longest_seconds),
            of.factor,
            of.most,
        )
    return found


def _ratio_readings(part: Readings, whole: Readings, factor: float, most: float) -> Readings:
    at, own, other = np.intersect1d(part.at, whole.at, return_indices=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        values = factor * part.values[own] / whole.values[other]
    return Readings.of(at, np.where(np.isfinite(values) & (values <= most), values, np.nan))


def _read(session: Session, series: Sequence[Series], span: Span, *, now: datetime) -> list[Readings]:
    names = {"hosts": [each.host_id for each in series], "numbers": [each.no for each in series]}
    is_recent = span.since >= now - IN_FULL
    chunks: dict[int, dict[date, bytes]] = {}
    if not is_recent:
        for row in session.execute(text(_CHUNKS), {**names, "first": (span.since - _BEFORE).date(), "last": span.until.date()}):
            chunks.setdefault(row.place, {})[row.day] = row.chunk
    # Days with a chunk are read from it: only the wide rows of the last days are still there.
    since = span.since - _BEFORE if is_recent else max(span.since - _BEFORE, now - IN_FULL - timedelta(days=1))
    samples = {row.place: row for row in session.execute(text(_SAMPLES), {**names, "since": since, "until": span.until})}
    return [_joined(each, samples.get(place), chunks.get(place, {})) for place, each in enumerate(series, start=1)]


def _joined(series: Series, samples: object, chunks: dict[date, bytes]) -> Readings:
    """Chunks where there are some, wide rows for the other days."""
    at: list[np.ndarray] = []
    values, lows, highs = [], [], []
    for day, chunk in chunks.items():
        folded = unpack(chunk)
        known = np.flatnonzero(folded.n)
        start = int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp() * 1000)
        # In the middle of the step in which the readings came.
        at.append(start + known.astype(np.int64) * STEP_SECONDS * 1000 + STEP_SECONDS * 500)
        values.append(folded.sum[known] / folded.n[known])
        lows.append(folded.minimum[known])
        highs.append(folded.maximum[known])
    if samples is not None:
        line = line_of(series.kind, samples.at, samples.uptimes, samples.values)  # type: ignore[attr-defined]
        days = line.at // 86_400_000
        is_folded = np.isin(days, [(day - date(1970, 1, 1)).days for day in chunks])
        at.append(line.at[~is_folded])
        for each in (values, lows, highs):
            each.append(line.values[~is_folded])
    if not at:
        return Readings.of(np.empty(0, dtype=np.int64), np.empty(0))
    times = np.concatenate(at)
    order = np.argsort(times, kind="stable")
    return Readings(times[order], *(np.concatenate(each)[order] for each in (values, lows, highs)))
