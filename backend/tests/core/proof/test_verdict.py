"""The papers' verdict, with cases worked out by hand."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline.core.benchmarks.run import BenchmarkRun, Load, Results
from plumbline.core.proof.statistics import change_percent, spread
from plumbline.core.proof.verdict import METHOD_QUESTIONS, Answer, judge

YES: dict[str, Answer] = dict.fromkeys(METHOD_QUESTIONS, "yes")
MIX = Load(8192, 67.0, "random", threads=5)
READ = Load(262_144, 100.0, "sequential", threads=5)
WRITE = Load(262_144, 0.0, "sequential", threads=5)


def _runs(load: Load, *values: float, seconds: float = 1200.0) -> list[BenchmarkRun]:
    def results(value: float) -> Results:
        return Results(iops=value, bytes_per_second=value * (load.block_bytes or 1))

    return [BenchmarkRun("vdbench", 1, load, results(value), planned_seconds=seconds) for value in values]


def test_sample_deviation_by_hand() -> None:
    # 98, 100, 102: mean 100, squares 4 + 0 + 4, divided by two: 4, root 2.
    found = spread([98, 100, 102])
    assert (found.count, found.mean, found.deviation, found.relative_deviation_percent) == (3, 100, 2, 2)


def test_a_clean_gain_of_thirty_percent_is_better() -> None:
    # Before: 9,950 10,000 10,050 (mean 10,000, deviation 50: 0.5%). After: 12,950 13,000 13,050 (mean 13,000, 0.3846 %).
    found = judge(_runs(MIX, 9950, 10_000, 10_050), _runs(MIX, 12_950, 13_000, 13_050), YES)
    (load,) = found.loads
    assert (found.outcome, found.advice, load.change_percent) == ("better", "keep", 30.0)
    assert load.before is not None
    assert load.before.relative_deviation_percent == 0.5
    assert load.after is not None
    assert load.after.relative_deviation_percent == pytest.approx(100 * 50 / 13_000)


def test_noisy_runs_are_refused() -> None:
    # After: 12,610 13,000 13,390: deviation 390, which is 3% of 13,000.
    found = judge(_runs(MIX, 9950, 10_000, 10_050), _runs(MIX, 12_610, 13_000, 13_390), YES)
    assert (found.outcome, found.advice) == ("run_again", "run_again")
    assert "3.00%" in found.loads[0].reason


def test_two_percent_is_no_significant_effect() -> None:
    found = judge(_runs(MIX, 9950, 10_000, 10_050), _runs(MIX, 10_150, 10_200, 10_250), YES)
    assert (found.outcome, found.advice, found.loads[0].change_percent) == ("no_effect", "waive", 2.0)


def test_bounds_are_met_exactly() -> None:
    # 99, 100, 101: deviation 1, exactly 1%: still a result. 105 after 100: exactly 5 %: significant.
    found = judge(_runs(MIX, 99, 100, 101), _runs(MIX, 105, 105, 105), YES)
    assert (found.outcome, found.loads[0].change_percent) == ("better", 5.0)
    assert judge(_runs(MIX, 100, 100, 100), _runs(MIX, 104.99, 104.99, 104.99), YES).outcome == "no_effect"
    assert judge(_runs(MIX, 100, 100, 100), _runs(MIX, 95, 95, 95), YES).outcome == "worse"
    assert judge(_runs(MIX, 98.98, 100, 101.02), _runs(MIX, 130, 130, 130), YES).outcome == "run_again"


def test_two_runs_are_too_few() -> None:
    assert judge(_runs(MIX, 100, 100), _runs(MIX, 130, 130, 130), YES).outcome == "too_few_runs"


def test_no_run_is_dropped() -> None:
    """A fourth run that differs counts like the others: nobody picks the best three."""
    assert judge(_runs(MIX, 100, 100, 100, 110), _runs(MIX, 130, 130, 130), YES).outcome == "run_again"


def test_another_load_is_not_compared() -> None:
    found = judge(_runs(MIX, 100, 100, 100), _runs(READ, 130, 130, 130), YES)
    assert found.outcome == "not_comparable"
    assert {each.reason for each in found.loads} == {
        "there is no run with this load before the change",
        "there is no run with this load after the change",
    }


def test_better_and_worse_is_for_a_person_to_decide() -> None:
    before = _runs(MIX, 100, 100, 100) + _runs(READ, 100, 100, 100)
    after = _runs(MIX, 130, 130, 130) + _runs(READ, 70, 70, 70)
    found = judge(before, after, YES)
    assert (found.outcome, found.advice) == ("mixed", "decide")


def test_paper_grade_needs_all_three_loads_three_runs_of_twenty_minutes_and_every_answer() -> None:
    before = [run for load in (MIX, READ, WRITE) for run in _runs(load, 100, 100, 100)]
    after = [run for load in (MIX, READ, WRITE) for run in _runs(load, 130, 130, 130)]
    assert (judge(before, after, YES).grade, judge(before, after, YES).deviations) == ("paper", ())
    assert judge(before[:6], after[:6], YES).deviations == ("not all three loads of the paper were run: 256K sequential write missing",)
    short = [run for load in (MIX, READ, WRITE) for run in _runs(load, 100, 100, 100, seconds=60)]
    assert judge(short, after, YES).deviations == ("runs of 60 s; the paper's are 20 minutes",)
    for name in METHOD_QUESTIONS:
        assert judge(before, after, {**YES, name: "no"}).grade == "quick_look"
        assert len(judge(before, after, {**YES, name: "unknown"}).deviations) == 1
    assert len(judge(before, after, {}).deviations) == len(METHOD_QUESTIONS)


def test_an_unknown_order_is_no_load_of_the_paper() -> None:
    unknown = Load(262_144, 100.0, "unknown", threads=5)
    before = _runs(MIX, 100, 100, 100) + _runs(unknown, 100, 100, 100) + _runs(WRITE, 100, 100, 100)
    assert "256K sequential read missing" in judge(before, before, YES).deviations[0]


def test_a_result_that_no_file_gives_is_not_comparable() -> None:
    nothing = [BenchmarkRun("vdbench", 1, MIX, Results()) for _ in range(3)]
    assert judge(nothing, nothing, YES).outcome == "not_comparable"
    assert judge([], [], YES).outcome == "not_comparable"
    assert judge(_runs(MIX, 0, 0, 0), _runs(MIX, 1, 1, 1), YES).outcome == "run_again"


Values = st.lists(st.floats(min_value=1, max_value=1e7), min_size=3, max_size=6)


@given(Values, st.floats(min_value=1e-3, max_value=1e3))
def test_deviation_does_not_depend_on_the_unit(values: list[float], factor: float) -> None:
    one, other = spread(values), spread([value * factor for value in values])
    assert one.relative_deviation_percent == pytest.approx(other.relative_deviation_percent, rel=1e-6, abs=1e-6)


@given(Values, Values)
def test_a_verdict_says_better_or_worse_only_beyond_both_bounds(before: list[float], after: list[float]) -> None:
    found = judge(_runs(MIX, *before), _runs(MIX, *after), YES)
    if found.outcome in ("better", "worse"):
        for side in (before, after):
            mean = math.fsum(side) / len(side)
            deviation = math.sqrt(math.fsum((value - mean) ** 2 for value in side) / (len(side) - 1))
            assert deviation / mean <= 0.01 + 1e-9
        assert abs(found.loads[0].change_percent or 0) >= 5


@given(Values, st.permutations(range(3)))
def test_the_order_of_runs_does_not_matter(values: list[float], order: list[int]) -> None:
    first = values[:3]
    one = judge(_runs(MIX, *first), _runs(MIX, *values), YES)
    other = judge(_runs(MIX, *(first[place] for place in order)), _runs(MIX, *values), YES)
    assert one.outcome == other.outcome


@pytest.mark.parametrize("values", [[], [math.nan], [math.inf], [-1.0]])
def test_no_spread_of_nothing(values: list[float]) -> None:
    with pytest.raises(ValueError, match="measurement"):
        spread(values)


def test_no_percentage_of_zero() -> None:
    assert change_percent(0, 5) is None
    assert spread([0, 0, 0]).relative_deviation_percent is None
    assert spread([5]).deviation is None
