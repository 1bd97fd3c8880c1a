"""Folding wide rows into day chunks, and reading both tiers through the API's query."""

from datetime import UTC, date, datetime, timedelta

import numpy as np
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st
from sqlmodel import Session, text

from plumbline.auth.actor import Actor, Grant
from plumbline.models.counters import CounterDay, CounterSample, CounterSeries
from plumbline.performance.fold import STEPS, Day, day_of, fold_counters, pack, unpack
from plumbline.performance.queries import RETRANSMIT_PERCENT, read_counters
from plumbline.performance.rates import Line
from tests.api.world import add_host

READER = Actor(1, "ana", grants=(Grant("viewer", 1, "1/"),))


def test_a_chunk_holds_number_minimum_maximum_and_sum_of_each_step() -> None:
    day = date(2026, 3, 1)
    start = int(datetime(2026, 3, 1, tzinfo=UTC).timestamp() * 1000)
    at = np.array([start - 1, start, start + 299_999, start + 300_000, start + 86_399_999, start + 86_400_000])
    folded = unpack(pack(day_of(Line(at, np.array([9.0, 1.0, 3.0, np.nan, 5.0, 9.0])), day)))
    assert (int(folded.n[0]), folded.minimum[0], folded.maximum[0], folded.sum[0]) == (2, 1.0, 3.0, 4.0)
    assert folded.n[1] == 0
    assert (int(folded.n[STEPS - 1]), folded.sum[STEPS - 1]) == (1, 5.0)
    means = folded.means(day)
    assert means.at.tolist() == [start, start + (STEPS - 1) * 300_000]
    assert means.values.tolist() == [2.0, 5.0]


def test_a_chunk_of_an_earlier_version_is_read() -> None:
    n, low, high, total = np.zeros(STEPS, "<u4"), np.zeros(STEPS), np.zeros(STEPS), np.zeros(STEPS)
    n[3], low[3], high[3], total[3] = 2, 1.5, 2.5, 4.0
    plain = b"".join(each.tobytes() for each in (n, low, high, total))
    folded = unpack(b"\x01" + zstandard.ZstdCompressor().compress(plain))
    assert (int(folded.n[3]), folded.minimum[3], folded.maximum[3], folded.sum[3]) == (2, 1.5, 2.5, 4.0)
    assert int(folded.n.sum()) == 2


@given(st.lists(st.tuples(st.integers(0, STEPS * 300 - 1), st.floats(0, 1e12, allow_subnormal=False)), min_size=1, max_size=300))
def test_a_chunk_keeps_every_step_to_six_digits(readings: list[tuple[int, float]]) -> None:
    day = date(2026, 3, 1)
    start = int(datetime(2026, 3, 1, tzinfo=UTC).timestamp() * 1000)
    readings.sort()
    given_day = day_of(Line(np.array([start + 1000 * at for at, _ in readings]), np.array([value for _, value in readings])), day)
    folded = unpack(pack(given_day))
    assert (folded.n == given_day.n).all()
    known = given_day.n > 0
    # Of what a step ranges over: a chart draws the three on one axis.
    size = np.maximum(given_day.maximum[known], 1e-30)
    for name in ("minimum", "maximum"):
        assert (np.abs(getattr(folded, name)[known] - getattr(given_day, name)[known]) <= 1e-6 * size).all()
    assert np.allclose(folded.sum[known] / folded.n[known], given_day.sum[known] / given_day.n[known], rtol=1e-6, atol=1e-30)
    assert not folded.sum[~known].any()


def test_a_day_of_readings_every_quarter_of_an_hour_takes_less_than_half_of_the_bare_numbers() -> None:
    day = date(2026, 3, 1)
    start = int(datetime(2026, 3, 1, tzinfo=UTC).timestamp() * 1000)
    values = 5e7 + 1e6 * np.cumsum(np.random.default_rng(7).normal(size=96))
    assert len(pack(day_of(Line(start + np.arange(96) * 900_000, values), day))) < 96 * 8 / 2


def test_a_chunk_of_another_form_is_refused() -> None:
    empty = Day(np.zeros(STEPS, np.uint32), np.zeros(STEPS), np.zeros(STEPS), np.zeros(STEPS))
    with pytest.raises(ValueError, match="form 7"):
        unpack(b"\x07" + pack(empty)[1:])


@pytest.fixture
def host(session: Session) -> str:
    """A host with four days of readings every 15 minutes: totals grow by 900 and 9 with each reading, with one restart in between."""
    host_id = add_host(session, "sql-01", group_id=1)
    names = (("host/", "tcp_segments_sent", "total"), ("host/", "tcp_segments_retransmitted", "total"), ("host/", "cpu_percent", "gauge"))
    for no, (subject, name, kind) in enumerate(names):
        session.add(CounterSeries(host_id=host_id, no=no, subject=subject, name=name, kind=kind))
    now: datetime = session.execute(text("SELECT now()")).scalar_one()
    total, uptime = 0.0, 1000
    for step in range(4 * 96, 0, -1):
        total, uptime = total + 900, uptime + 900
        if step == 200:
            total, uptime = 900.0, 30
        session.add(
            CounterSample(host_id=host_id, at=now - timedelta(minutes=15 * step), uptime_seconds=uptime, values=[total, total / 100, 42.0])
        )
    session.flush()
    return host_id


def test_folding_makes_each_finished_day_once(session: Session, host: str) -> None:
    made = fold_counters(session)
    assert made in (4, 5)
    assert fold_counters(session) == 0
    days = session.execute(text("SELECT count(DISTINCT day), count(*) FROM counter_day WHERE host_id = :host"), {"host": host}).one()
    assert days == (made, made * 3)
    today = session.execute(text("SELECT (now() AT TIME ZONE 'UTC')::date")).scalar_one()
    assert session.execute(text("SELECT max(day) FROM counter_day")).scalar_one() < today
    whole = sorted(session.execute(text("SELECT DISTINCT day FROM counter_day ORDER BY 1")).scalars())[1]
    chunk = session.get_one(CounterDay, (host, 0, whole)).chunk
    folded = unpack(chunk)
    known = folded.n > 0
    # 900 in 900 s is 1 a second, in every step that has a reading; a day's first rate counts from the last reading of the day before.
    assert np.allclose(folded.sum[known] / folded.n[known], 1.0)
    assert 94 <= int(folded.n.sum()) <= 96


def test_both_tiers_give_the_same_values(session: Session, host: str) -> None:
    raw = read_counters(session, actor=READER, host_id=host, hours=96, wanted=["host/:tcp_segments_sent", RETRANSMIT_PERCENT])
    fold_counters(session)
    both = read_counters(session, actor=READER, host_id=host, hours=96, wanted=["host/:tcp_segments_sent", RETRANSMIT_PERCENT])
    for answer in (raw, both):
        rate, share = answer.series
        assert {round(value, 9) for _, value in rate.points if value is not None} == {1.0}
        assert {round(value, 6) for _, value in share.points if value is not None} == {1.0}
        assert not answer.is_downsampled
    assert abs(len(raw.series[0].points) - len(both.series[0].points)) <= 3
    session.execute(text("DELETE FROM counter_sample WHERE at < now() - interval '48 hours'"))
    alone = read_counters(session, actor=READER, host_id=host, hours=96, wanted=["host/:tcp_segments_sent"])
    assert abs(len(alone.series[0].points) - len(both.series[0].points)) <= 3


def test_the_pick_and_what_there_is(session: Session, host: str) -> None:
    answer = read_counters(session, actor=READER, host_id=host, hours=48, wanted=["no/such:series"])
    assert [line.id for line in answer.series] == [RETRANSMIT_PERCENT]
    assert {choice.unit for choice in answer.available} == {"1/s", "%"}
    start = int(answer.from_.timestamp() * 1000)
    assert all(at >= start for at, _ in answer.series[0].points)
