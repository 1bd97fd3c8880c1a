"""Folding: wide rows of counters become one chunk a series and day, in steps of five minutes, before the wide rows are dropped."""

import struct
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

import numpy as np
import zstandard
from sqlalchemy import text
from sqlmodel import Session

from plumbline.performance.rates import Line, gauge, place, rates, rising

STEP_SECONDS = 300
STEPS = 86_400 // STEP_SECONDS
_FORM = 2
_MOST_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class Day:
    """A day of one series: for each step of five minutes the number of readings, their minimum, maximum and sum."""

    n: np.ndarray[Any, np.dtype[np.uint32]]
    minimum: np.ndarray[Any, np.dtype[np.float64]]
    maximum: np.ndarray[Any, np.dtype[np.float64]]
    sum: np.ndarray[Any, np.dtype[np.float64]]

    def means(self, day: date) -> Line:
        """The average of each step, at its start; steps without a reading are left out."""
        known = np.flatnonzero(self.n)
        start = int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp() * 1000)
        return Line(start + known.astype(np.int64) * STEP_SECONDS * 1000, self.sum[known] / self.n[known])


def day_of(line: Line, day: date) -> Day:
    """The steps of a day from a line; unknown values count as no reading."""
    start = int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp() * 1000)
    inside = (line.at >= start) & (line.at < start + 86_400_000) & np.isfinite(line.values)
    step = (line.at[inside] - start) // (STEP_SECONDS * 1000)
    values = line.values[inside]
    n = np.zeros(STEPS, dtype=np.uint32)
    minimum = np.full(STEPS, np.inf)
    maximum = np.full(STEPS, -np.inf)
    total = np.zeros(STEPS)
    np.add.at(n, step, 1)
    np.minimum.at(minimum, step, values)
    np.maximum.at(maximum, step, values)
    np.add.at(total, step, values)
    return Day(n, np.where(n > 0, minimum, 0.0), np.where(n > 0, maximum, 0.0), total)


def pack(day: Day) -> bytes:
    """The bytes stored of a day, in form 2: the number of readings of each step, and of each step with one the mean, and how far the lowest
    and the highest reading are from it.

    Means have seven digits, more than any chart shows. Where a step has one reading the distances are 0, and compress to nothing.
    """
    known = np.flatnonzero(day.n)
    mean = day.sum[known] / day.n[known]
    columns = (mean, mean - day.minimum[known], day.maximum[known] - mean)
    plain = day.n.astype("<u2").tobytes() + b"".join(_bytewise(each) for each in columns)
    return struct.pack("<B", _FORM) + zstandard.ZstdCompressor(level=6).compress(plain)


def unpack(chunk: bytes) -> Day:
    """The day again. Raises ValueError for a form that this program does not know."""
    if chunk[0] not in (1, _FORM):
        raise ValueError(f"counter chunk of form {chunk[0]}, this program reads forms 1 and {_FORM}")
    plain = _decompressor().decompress(chunk[1:], max_output_size=_MOST_BYTES)
    if chunk[0] == 1:
        return _unpacked_form_1(plain)
    n = np.frombuffer(plain[: 2 * STEPS], "<u2").astype(np.uint32)
    known = np.flatnonzero(n)
    mean, below, above = (_from_bytewise(each, known) for each in np.frombuffer(plain[2 * STEPS :], np.uint8).reshape(3, 4 * len(known)))
    return Day(n, mean - below, mean + above, mean * n)


def _bytewise(values: np.ndarray[Any, np.dtype[np.float64]]) -> bytes:
    """Single-precision numbers, the first byte of all, then the second, and so on: the last two are alike and compress well."""
    return values.astype("<f4").view(np.uint8).reshape(len(values), 4).T.tobytes()


def _from_bytewise(plain: np.ndarray[Any, np.dtype[np.uint8]], known: np.ndarray[Any, Any]) -> np.ndarray[Any, np.dtype[np.float64]]:
    found = np.zeros(STEPS)
    found[known] = plain.reshape(4, len(known)).T.copy().view("<f4").reshape(len(known))
    return found


def _unpacked_form_1(plain: bytes) -> Day:
    """As versions before 2026-11-28 stored a day: number, minimum, maximum and sum, in double precision."""
    sizes = (STEPS * 4, STEPS * 8, STEPS * 8, STEPS * 8)
    parts, at = [], 0
    for size in sizes:
        parts.append(plain[at : at + size])
        at += size
    return Day(
        np.frombuffer(parts[0], "<u4"), np.frombuffer(parts[1], "<f8"), np.frombuffer(parts[2], "<f8"), np.frombuffer(parts[3], "<f8")
    )


# To make one costs more than to use it; no two threads may use the same.
_of_thread = threading.local()


def _decompressor() -> zstandard.ZstdDecompressor:
    if not hasattr(_of_thread, "decompressor"):
        _of_thread.decompressor = zstandard.ZstdDecompressor()
    found: zstandard.ZstdDecompressor = _of_thread.decompressor
    return found


def line_of(kind: str, at_ms: Sequence[int], uptimes: Sequence[float], values: Sequence[float | None]) -> Line:
    """A series' line from its readings: totals as rates, gauges as they are."""
    if kind == "total":
        return rates(at_ms, uptimes, values)
    return rising(gauge([int(at) for at in place(at_ms, uptimes)], values) if len(at_ms) else gauge(at_ms, values))


def fold_counters(session: Session, *, most: int = 500) -> int:
    """Folds host days that are over and have no chunks yet. Returns how many (at most `most`). Safe to run twice.

    The last reading of the day before is read too: the day's first rate is computed from it.
    """
    waiting = session.execute(
        text(
            "SELECT DISTINCT s.host_id, (s.at AT TIME ZONE 'UTC')::date AS day FROM counter_sample s"
            " WHERE s.at < date_trunc('day', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' AND NOT EXISTS ("
            "  SELECT 1 FROM counter_day d WHERE d.host_id = s.host_id AND d.day = (s.at AT TIME ZONE 'UTC')::date)"
            " ORDER BY 2, 1 LIMIT :most"
        ),
        {"most": most},
    ).all()
    for host_id, day in waiting:
        _fold_day(session, host_id, day)
    return len(waiting)


def _fold_day(session: Session, host_id: str, day: date) -> None:
    start = datetime(day.year, day.month, day.day, tzinfo=UTC)
    samples = session.execute(
        text(
            "(SELECT at, uptime_seconds, values FROM counter_sample WHERE host_id = :host AND at >= :before AND at < :start"
            " ORDER BY at DESC LIMIT 1) UNION ALL"
            " (SELECT at, uptime_seconds, values FROM counter_sample WHERE host_id = :host AND at >= :start AND at < :end) ORDER BY at"
        ),
        {"host": host_id, "before": start - timedelta(hours=3), "start": start, "end": start + timedelta(days=1)},
    ).all()
    series = session.execute(text("SELECT no, kind FROM counter_series WHERE host_id = :host ORDER BY no"), {"host": host_id}).all()
    at_ms = [int(row.at.timestamp() * 1000) for row in samples]
    uptimes = [row.uptime_seconds for row in samples]
    rows = []
    for no, kind in series:
        values = [row.values[no] if no < len(row.values) else None for row in samples]
        folded = day_of(line_of(kind, at_ms, uptimes, values), day)
        rows.append({"host": host_id, "no": no, "day": day, "chunk": pack(folded)})
    if rows:
        session.execute(
            text(
                "INSERT INTO counter_day (host_id, no, day, chunk) VALUES (:host, :no, :day, :chunk)"
                " ON CONFLICT (host_id, no, day) DO UPDATE SET chunk = excluded.chunk"
            ),
            rows,
        )
