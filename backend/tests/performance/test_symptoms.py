"""When figures of a host are a symptom: by cases worked out by hand, by properties, and from readings through folded hours."""

import itertools
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlmodel import Session, text

from plumbline.performance.fleet_metrics import FLEET_METRICS
from plumbline.performance.hours import fold_hours
from plumbline.performance.symptoms import (
    DETECTOR,
    LARGEST_GAP,
    LEAST_AMOUNT,
    Detector,
    Symptom,
    find_symptoms,
    open_since,
    open_times,
    usable,
)
from tests.api.world import add_group, add_host
from tests.performance.counted import count_up

HOUR = timedelta(hours=1)
NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
RETRANSMITS = next(each for each in FLEET_METRICS if each.name == "retransmits")
LIMIT = 1.0


def hourly(*values: float) -> list[tuple[datetime, float]]:
    return [(NOON + place * HOUR, value) for place, value in enumerate(values)]


@pytest.mark.parametrize(
    ("values", "began"),
    [
        ((0.1, 5.0, 0.1), None),
        ((0.1, 5.0), None),
        ((0.1, 5.0, 5.0), 1),
        # A value at the limit neither opens nor, at 90 %, closes.
        ((1.0, 1.0, 1.0), None),
        ((5.0, 5.0, 0.9, 0.9, 0.9), 0),
        # One good hour does not close it; two do.
        ((5.0, 5.0, 0.1, 5.0), 0),
        ((5.0, 5.0, 0.1, 0.1), None),
        ((5.0, 5.0, 0.1, 0.1, 5.0, 5.0), 4),
        # Up and down every hour never opens.
        ((5.0, 0.1) * 6, None),
    ],
)
def test_two_hours_open_it_and_two_close_it(values: Sequence[float], began: int | None) -> None:
    assert open_since(hourly(*values), LIMIT) == (None if began is None else NOON + began * HOUR)


def test_times_are_those_in_which_it_was_open() -> None:
    assert open_times(hourly(5.0, 5.0, 0.1, 0.1, 0.1, 5.0, 5.0, 5.0), LIMIT) == [
        (NOON, NOON + 3 * HOUR),
        (NOON + 5 * HOUR, None),
    ]
    # A single hour opens none, but for a plain threshold.
    assert open_times(hourly(5.0, 0.1, 5.0, 0.1), LIMIT) == []
    assert open_times(hourly(5.0, 0.1, 5.0, 0.1), LIMIT, Detector(1, 1, 1.0)) == [(NOON, NOON + HOUR), (NOON + 2 * HOUR, NOON + 3 * HOUR)]
    # A long gap ends it with the last hour before.
    far = NOON + HOUR + LARGEST_GAP + HOUR
    assert open_times([*hourly(5.0, 5.0), (far, 5.0)], LIMIT) == [(NOON, NOON + HOUR)]


def test_after_a_long_gap_nothing_is_known() -> None:
    before = hourly(5.0, 5.0, 5.0)
    later = before[-1][0] + LARGEST_GAP + HOUR
    assert open_since([*before, (later, 5.0)], LIMIT) is None
    assert open_since([*before, (later, 5.0), (later + HOUR, 5.0)], LIMIT) == later


@given(st.lists(st.floats(0, 10, allow_nan=False), max_size=40))
def test_open_times_are_apart_in_order_and_end_as_the_present_says(found: list[float]) -> None:
    times = open_times(hourly(*found), LIMIT)
    assert all(each.ended is not None and each.began < each.ended <= later.began for each, later in itertools.pairwise(times))
    for place in range(len(found)):
        # What the detector says at each hour is what the back-test says of that hour.
        at = NOON + place * HOUR
        since = open_since(hourly(*found[: place + 1]), LIMIT)
        covering = [each.began for each in times if each.began < at and (each.ended is None or at < each.ended)]
        assert covering == ([] if since is None else [since])


values = st.lists(st.floats(0, 10, allow_nan=False), max_size=30)


@given(values)
def test_no_single_hour_decides(found: list[float]) -> None:
    points = hourly(*found)
    since = open_since(points, LIMIT)
    if since is not None:
        at = round((since - NOON) / HOUR)
        assert all(value > LIMIT for value in found[at : at + 2])
        assert len(found) >= at + 2
    if len(found) >= 2 and all(value < DETECTOR.closes_below * LIMIT for value in found[-2:]):
        assert since is None
    # One more hour, whatever its value, closes nothing unless the one before was below already.
    if since is not None and found[-1] >= DETECTOR.closes_below * LIMIT:
        assert open_since([*points, (NOON + len(points) * HOUR, 0.0)], LIMIT) == since


def test_an_hour_with_few_readings_or_little_traffic_is_not_usable() -> None:
    row = {"seconds": 3600.0, "segments": float(LEAST_AMOUNT), "retransmitted": 50.0, "hosts": 1}
    assert usable(RETRANSMITS, row) == pytest.approx(0.5)
    assert usable(RETRANSMITS, {**row, "seconds": 600.0}) is None
    assert usable(RETRANSMITS, {**row, "segments": LEAST_AMOUNT - 1.0}) is None
    assert usable(RETRANSMITS, {**row, "segments": None}) is None


# --- from readings ---------------------------------------------------------------------------------------------------------------------


def sending(percent: float, segments: float = 1000.0) -> dict[tuple[str, str], float]:
    return {("host/", "tcp_segments_sent"): segments, ("host/", "tcp_segments_retransmitted"): segments * percent / 100}


def found(session: Session) -> dict[str, list[Symptom]]:
    for _ in range(10):
        fold_hours(session)
    return find_symptoms(session, groups=[1], most=100)


def test_a_host_that_sends_again_too_much_is_found_beside_its_peers(session: Session) -> None:
    hosts = [add_host(session, f"sy-{number}", group_id=1, cluster="SY") for number in range(4)]
    for host, percent in zip(hosts, (0.47, 0.01, 0.02, 0.03), strict=True):
        count_up(session, host, rates=sending(percent))
    (symptom,) = found(session)[hosts[0]]
    assert (symptom.metric.name, symptom.value, symptom.is_a_day) == ("retransmits", pytest.approx(0.47), False)
    assert (symptom.peers, symptom.peers_value) == (3, pytest.approx(0.02))
    assert symptom.excess == pytest.approx(0.47 / 0.11)
    assert set(find_symptoms(session, groups=[1], most=100)) == {hosts[0]}
    # A host of a group that the reader does not see is none of its peers.
    session.execute(
        text("UPDATE host SET group_id = :other WHERE id = :host"), {"other": add_group(session, "elsewhere"), "host": hosts[3]}
    )
    (beside,) = find_symptoms(session, groups=[1], most=100)[hosts[0]]
    assert (beside.peers, beside.peers_value) == (2, pytest.approx(0.015))
    assert find_symptoms(session, groups=[2], most=100) == {}
    assert find_symptoms(session, groups=[1], host_id=hosts[1], most=100) == {}


def test_restarts_little_traffic_and_hosts_without_counters_open_nothing(session: Session) -> None:
    restarted, quiet, mute = (add_host(session, name, group_id=1) for name in ("sy-restarted", "sy-quiet", "sy-mute"))
    count_up(session, restarted, rates=sending(0.01), restarted_at_step=3)
    count_up(session, quiet, rates=sending(50.0, segments=1.0))
    assert {restarted, quiet, mute}.isdisjoint(found(session))
