"""When paths of a volume were down, from the changes of how many healthy ones it has."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from plumbline.hosts.timeline_alarms import Span
from plumbline.hosts.timeline_paths import PathChange, PathsDown, times_down

START = datetime(2026, 11, 1, tzinfo=UTC)


def at(hours: int) -> datetime:
    return START + timedelta(hours=hours)


def test_one_path_of_four_is_down_until_it_is_back() -> None:
    assert times_down([PathChange(at(1), 4, 3), PathChange(at(2), 3, 4)]) == [PathsDown(Span(at(1), at(2)), 3, 4)]


def test_paths_that_go_down_one_after_the_other_are_one_alarm_which_ends_only_when_all_paths_are_back() -> None:
    changes = [PathChange(at(1), 4, 3), PathChange(at(2), 3, 1), PathChange(at(3), 1, 3), PathChange(at(4), 3, 4)]
    assert times_down(changes) == [PathsDown(Span(at(1), at(4)), 1, 4)]


def test_more_paths_than_before_are_no_alarm() -> None:
    assert times_down([PathChange(at(1), 2, 4)]) == []


def test_paths_stay_down_while_nobody_can_tell_how_many_paths_there_are() -> None:
    changes = [PathChange(at(1), 4, 2), PathChange(at(2), 2, None), PathChange(at(3), None, 4)]
    assert times_down(changes) == [PathsDown(Span(at(1), at(3)), 2, 4)]


def test_of_a_volume_that_is_gone_no_path_is_down_any_more() -> None:
    assert times_down([PathChange(at(1), 4, 2), PathChange(at(2), 2, None, is_gone=True)]) == [PathsDown(Span(at(1), at(2)), 2, 4)]


def test_what_was_expected_is_no_alarm_and_ends_one() -> None:
    assert times_down([PathChange(at(1), 4, 2, is_expected=True)]) == []
    assert times_down([PathChange(at(1), 4, 3), PathChange(at(2), 3, 2, is_expected=True)]) == [PathsDown(Span(at(1), at(2)), 3, 4)]


@given(st.lists(st.integers(0, 8), min_size=2, max_size=12))
def test_while_paths_are_down_there_are_always_fewer_paths_than_before_and_otherwise_never_fewer_than_at_its_end(
    numbers: list[int],
) -> None:
    changes = [PathChange(at(hour), old, new) for hour, (old, new) in enumerate(pairwise(numbers), start=1) if old != new]
    downs = times_down(changes)
    for hour, number in enumerate(numbers):
        moment = at(hour) + timedelta(minutes=30)
        inside = [
            down for down in downs if down.span.began and down.span.began <= moment and not (down.span.ended and down.span.ended <= moment)
        ]
        assert len(inside) <= 1
        for down in inside:
            assert down.fewest <= number < down.before
        if not inside and hour:
            assert numbers[hour] >= numbers[hour - 1] or any(down.span.ended == at(hour) for down in downs)
