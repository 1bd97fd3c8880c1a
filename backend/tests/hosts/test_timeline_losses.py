"""When a volume had lost paths, from the changes of how many healthy ones it has."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from plumbline.hosts.timeline_alarms import Span
from plumbline.hosts.timeline_losses import Loss, PathChange, losses_of

START = datetime(2026, 11, 1, tzinfo=UTC)


def at(hours: int) -> datetime:
    return START + timedelta(hours=hours)


def test_one_path_of_four_is_lost_until_it_is_back() -> None:
    assert losses_of([PathChange(at(1), 4, 3), PathChange(at(2), 3, 4)]) == [Loss(Span(at(1), at(2)), 3, 4)]


def test_a_loss_in_two_steps_is_one_and_ends_only_when_all_paths_are_back() -> None:
    changes = [PathChange(at(1), 4, 3), PathChange(at(2), 3, 1), PathChange(at(3), 1, 3), PathChange(at(4), 3, 4)]
    assert losses_of(changes) == [Loss(Span(at(1), at(4)), 1, 4)]


def test_more_paths_than_before_are_no_loss() -> None:
    assert losses_of([PathChange(at(1), 2, 4)]) == []


def test_a_loss_lasts_while_nobody_can_tell_how_many_paths_there_are() -> None:
    changes = [PathChange(at(1), 4, 2), PathChange(at(2), 2, None), PathChange(at(3), None, 4)]
    assert losses_of(changes) == [Loss(Span(at(1), at(3)), 2, 4)]


def test_a_volume_that_is_gone_has_lost_nothing_any_more() -> None:
    assert losses_of([PathChange(at(1), 4, 2), PathChange(at(2), 2, None, is_gone=True)]) == [Loss(Span(at(1), at(2)), 2, 4)]


def test_a_loss_that_was_expected_is_none_and_ends_one() -> None:
    assert losses_of([PathChange(at(1), 4, 2, is_expected=True)]) == []
    assert losses_of([PathChange(at(1), 4, 3), PathChange(at(2), 3, 2, is_expected=True)]) == [Loss(Span(at(1), at(2)), 3, 4)]


@given(st.lists(st.integers(0, 8), min_size=2, max_size=12))
def test_within_a_loss_there_are_always_fewer_paths_than_before_it_and_outside_never_fewer_than_at_its_end(numbers: list[int]) -> None:
    changes = [PathChange(at(hour), old, new) for hour, (old, new) in enumerate(pairwise(numbers), start=1) if old != new]
    losses = losses_of(changes)
    for hour, number in enumerate(numbers):
        moment = at(hour) + timedelta(minutes=30)
        inside = [
            loss for loss in losses if loss.span.began and loss.span.began <= moment and not (loss.span.ended and loss.span.ended <= moment)
        ]
        assert len(inside) <= 1
        for loss in inside:
            assert loss.fewest <= number < loss.before
        if not inside and hour:
            assert numbers[hour] >= numbers[hour - 1] or any(loss.span.ended == at(hour) for loss in losses)
