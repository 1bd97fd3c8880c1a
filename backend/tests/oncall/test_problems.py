"""The parts of a problem, its urgency, and when an acknowledgement or snooze no longer applies."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from plumbline.oncall.problems import KIND_WORDS, RANKS, Problem, in_order, path_parts, path_rank, path_words, still_holds

NOW = datetime(2026, 11, 22, 2, 11, tzinfo=UTC)
one_volume = st.tuples(st.sampled_from(["vol-a", "vol-b", "vol-c"]), st.integers(0, 8), st.integers(1, 8))
volumes = st.lists(one_volume, min_size=1, max_size=3, unique_by=lambda each: each[0])


def problem(rank: int, minutes_ago: int | None, host_id: str = "a") -> Problem:
    since = None if minutes_ago is None else NOW - timedelta(minutes=minutes_ago)
    return Problem("worse", host_id, since, "", "", (), rank)


def test_the_most_urgent_comes_first_and_among_equals_what_began_last() -> None:
    given_ = [problem(5, 1), problem(1, 500), problem(5, 90), problem(5, None)]
    assert in_order(given_) == [given_[1], given_[0], given_[2], given_[3]]


def test_no_path_at_all_is_graver_than_anything_else_and_any_lost_path_than_a_guard_rail() -> None:
    first = [path_rank(0), RANKS["needs_human"], path_rank(1), path_rank(2), RANKS["guard_rail"]]
    ranks = [*first, RANKS["worse"], RANKS["silent"], RANKS["waiting_job"], RANKS["failed_job"]]
    assert ranks == sorted(set(ranks))
    assert set(RANKS) | {"paths"} == set(KIND_WORDS)


def test_one_path_left_says_what_one_more_failure_takes_away() -> None:
    words, takes_away = path_words([("vol-erp", 1, 4), ("vol-log", 3, 4)])
    assert words == "vol-erp: 1 of 4 paths up, and 1 more"
    assert "One more failure takes the volume offline" in takes_away
    assert path_words([("vol-erp", 0, 4)])[1] == "The host can't reach the volume"


@given(volumes)
def test_losing_one_more_path_wakes_what_was_put_off_and_getting_one_back_does_not(thin: list[tuple[str, int, int]]) -> None:
    noted = path_parts(thin)
    name, healthy, known = thin[0]
    if 0 < healthy <= known:
        assert not still_holds(noted, path_parts([(name, healthy - 1, known), *thin[1:]]))
    assert still_holds(noted, path_parts([(name, healthy + 1, known), *thin[1:]]))
    assert still_holds(noted, noted)


@given(st.sets(st.text()), st.sets(st.text()))
def test_what_was_said_holds_exactly_while_nothing_was_added(noted: set[str], now: set[str]) -> None:
    assert still_holds(noted, now) == (now <= noted)
