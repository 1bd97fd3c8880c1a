"""Times in which a finding failed, from its turns; and the union of such times."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from plumbline.hosts.timeline_alarms import Span, failing_spans, joined

START = datetime(2026, 11, 1, tzinfo=UTC)


def at(hours: int) -> datetime:
    return START + timedelta(hours=hours)


def holds(spans: list[Span], hour: float) -> bool:
    moment = START + timedelta(hours=hour)
    return any((span.began is None or span.began <= moment) and (span.ended is None or moment < span.ended) for span in spans)


def test_a_finding_that_failed_before_and_fails_again_has_two_times_open_at_their_ends() -> None:
    turns = [(at(2), True, False), (at(5), False, False), (at(7), False, True), (at(8), True, True)]
    assert failing_spans(turns) == [Span(None, at(2)), Span(at(7), None)]


def test_a_finding_that_never_failed_has_none() -> None:
    assert failing_spans([(at(2), False, False)]) == []


@given(st.booleans(), st.lists(st.booleans(), min_size=1, max_size=12))
def test_the_times_say_of_each_hour_what_the_turns_say(first: bool, later: list[bool]) -> None:
    states = [first, *later]
    turns = [(at(hour), states[hour - 1], states[hour]) for hour in range(1, len(states))]
    spans = failing_spans(turns)
    for hour, fails in enumerate(states):
        assert holds(spans, hour + 0.5) == fails


_bound = st.none() | st.integers(0, 20)


@given(st.lists(st.tuples(_bound, _bound).filter(lambda both: None in both or both[0] < both[1]), max_size=6))
def test_joined_times_hold_exactly_where_one_of_them_does_and_are_apart(bounds: list[tuple[int | None, int | None]]) -> None:
    spans = [Span(None if began is None else at(began), None if ended is None else at(ended)) for began, ended in bounds]
    together = joined(spans)
    for half in range(-1, 43):
        hour = half / 2 + 0.25
        assert holds(together, hour) == holds(spans, hour)
    for before, after in pairwise(together):
        assert before.ended is not None
        assert after.began is not None
        assert before.ended < after.began
