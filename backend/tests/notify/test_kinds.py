"""When a notice is due, and when it is due again."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from plumbline.notify.kinds import BACKOFF, GROWN_AFTER, KIND_WORDS, MOST_LINES, REMIND_AFTER, LastNotice, cut, is_due, next_try

NOW = datetime(2026, 11, 22, 9, tzinfo=UTC)


def last_notice(ago: timedelta, parts: tuple[str, ...] = ("a",), rank: int = 3, *, is_kept_back: bool = False) -> LastNotice:
    return LastNotice(parts, rank, NOW - ago, is_kept_back)


def due(before: LastNotice | None, parts: tuple[str, ...] = ("a",), rank: int = 3, *, is_kept_back: bool = False) -> bool:
    return is_due("paths", before, parts=parts, rank=rank, is_kept_back=is_kept_back, now=NOW)


def test_a_problem_is_told_once_and_after_a_day_again() -> None:
    assert due(None)
    assert not due(last_notice(timedelta(minutes=1)))
    assert not due(last_notice(REMIND_AFTER - timedelta(seconds=1)))
    assert due(last_notice(REMIND_AFTER))


def test_one_that_grows_waits_a_little_and_one_that_becomes_more_urgent_does_not() -> None:
    assert not due(last_notice(timedelta(minutes=1)), ("a", "b"))
    assert due(last_notice(GROWN_AFTER), ("a", "b"))
    assert not due(last_notice(GROWN_AFTER, ("a", "b")), ("a",))
    assert due(last_notice(timedelta(seconds=1)), ("a", "b"), rank=0)
    for kind, after in (("needs_human", timedelta(0)), ("silent", timedelta(hours=1))):
        assert is_due(kind, last_notice(after), parts=("b",), rank=3, is_kept_back=False, now=NOW)
    assert not is_due("silent", last_notice(timedelta(minutes=59)), parts=("b",), rank=3, is_kept_back=False, now=NOW)


def test_what_was_kept_back_is_noted_once_and_told_when_nothing_keeps_it_back() -> None:
    assert due(None, is_kept_back=True)
    before = last_notice(timedelta(days=3), is_kept_back=True)
    assert not due(before, is_kept_back=True)
    assert due(before)
    # Told before the hold: nothing more is noted, and after it nothing is said twice.
    assert not due(last_notice(timedelta(hours=1)), ("a", "b"), rank=0, is_kept_back=True)


@given(st.lists(st.tuples(st.integers(0, 4000), st.booleans(), st.integers(0, 3)), max_size=60))
def test_no_story_tells_an_unchanged_problem_more_than_once_a_day(looks: list[tuple[int, bool, int]]) -> None:
    before: LastNotice | None = None
    now, spoken = NOW, []
    for wait, is_kept_back, _ in looks:
        now += timedelta(seconds=wait)
        if is_due("silent", before, parts=("a",), rank=3, is_kept_back=is_kept_back, now=now):
            before = LastNotice(("a",), 3, now, is_kept_back)
            if not is_kept_back:
                spoken.append(now)
    assert all(later - earlier >= REMIND_AFTER for earlier, later in pairwise(spoken))


def test_tries_end_after_some_hours() -> None:
    assert [next_try(tries) for tries in range(1, 7)] == [*BACKOFF, None]
    assert timedelta(hours=7) < sum(BACKOFF, timedelta()) < timedelta(hours=8)


def test_a_long_notice_says_how_much_more_there_is() -> None:
    assert cut(["x"] * MOST_LINES) == ["x"] * MOST_LINES
    assert cut(["x"] * (MOST_LINES + 7))[-1] == "and 7 more"
    assert "test" not in KIND_WORDS
