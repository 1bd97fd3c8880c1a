"""The difference of differences, with cases worked out by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline.core.proof.job_effect import LEAST_SAMPLES, Window, effect


def _window(*values: float, load: float | None = 1e6) -> Window:
    return Window(values, load)


STEADY = (_window(0.40, 0.40, 0.40, 0.40), _window(0.40, 0.40, 0.40, 0.40))


def test_fewer_retransmits_beside_steady_hosts_are_better() -> None:
    """0.47 % to 0.01 % while three others stay within a hundredth."""
    controls = [
        (_window(*[0.40] * 4), _window(*[0.41] * 4)),
        (_window(*[0.42] * 4), _window(*[0.42] * 4)),
        (_window(*[0.44] * 4), _window(*[0.43] * 4)),
    ]
    found = effect(_window(*[0.47] * 4), _window(*[0.01] * 4), controls, is_lower_better=True)
    # Their changes are +0.01, 0 and -0.01: mean 0, variance 0.0001; times 1 + 1/3, root 0.011547; t of 2 degrees 4.303.
    assert found.difference == pytest.approx(-0.46)
    assert (found.low, found.high) == (
        pytest.approx(-0.46 - 4.303 * 0.0115470, abs=1e-5),
        pytest.approx(-0.46 + 4.303 * 0.0115470, abs=1e-5),
    )
    assert (found.answer, found.controls, found.before, found.after) == ("better", 3, pytest.approx(0.47), pytest.approx(0.01))


def test_what_happened_to_everybody_is_no_effect() -> None:
    """The others improve as much: the fabric became calmer, not the host."""
    controls = [(_window(*[0.40] * 4), _window(*[late] * 4)) for late in (0.02, 0.04, 0.00)]
    found = effect(_window(*[0.40] * 4), _window(*[0.02] * 4), controls, is_lower_better=True)
    assert (found.answer, found.difference) == ("no_effect", pytest.approx(0.0))


def test_a_quiet_hour_is_not_called_a_gain() -> None:
    found = effect(_window(*[0.47] * 4, load=1e8), _window(*[0.0] * 4, load=1e7), [STEADY] * 3, is_lower_better=True)
    assert (found.answer, found.difference) == ("load_differs", None)
    assert effect(_window(*[0.47] * 4), _window(*[0.0] * 4, load=0.0), [STEADY] * 3, is_lower_better=True).answer == "too_little_load"
    assert effect(_window(*[0.47] * 4, load=None), _window(*[0.0] * 4), [STEADY] * 3, is_lower_better=True).answer == "too_little_load"


def test_throughput_rises_for_the_better() -> None:
    found = effect(_window(100, 101, 99, 100), _window(150, 151, 149, 150), [STEADY] * 3, is_lower_better=False, needs_load=False)
    assert found.answer == "better"
    assert effect(_window(150, 150, 150, 150), _window(100, 100, 100, 100), [STEADY] * 3, is_lower_better=False).answer == "worse"


def test_too_few_samples_or_hosts() -> None:
    assert effect(_window(0.4, 0.4), _window(*[0.1] * 4), [STEADY] * 3, is_lower_better=True).answer == "too_few_samples"
    assert effect(_window(), _window(), [], is_lower_better=True).answer == "too_few_samples"
    assert effect(_window(*[0.4] * 4), _window(*[0.1] * 4), [STEADY] * 2, is_lower_better=True).answer == "no_controls"
    thin = (_window(0.4), _window(0.4))
    assert effect(_window(*[0.4] * 4), _window(*[0.1] * 4), [STEADY, STEADY, thin], is_lower_better=True).answer == "no_controls"


Samples = st.lists(st.floats(min_value=0, max_value=100), min_size=LEAST_SAMPLES, max_size=12)


@given(Samples, Samples, st.lists(st.tuples(Samples, Samples), min_size=3, max_size=6), st.floats(min_value=-50, max_value=50))
def test_a_shift_of_everybody_changes_nothing(
    before: list[float], after: list[float], controls: list[tuple[list[float], list[float]]], shift: float
) -> None:
    def found(moved: float) -> float:
        pairs = [(Window(early, 1.0), Window([value + moved for value in late], 1.0)) for early, late in controls]
        result = effect(Window(before, 1.0), Window([value + moved for value in after], 1.0), pairs, is_lower_better=True)
        assert result.difference is not None
        return result.difference

    assert found(0.0) == pytest.approx(found(shift), abs=1e-6)


@given(Samples, Samples, st.lists(st.tuples(Samples, Samples), min_size=3, max_size=6))
def test_better_only_where_the_interval_is_beyond_zero(
    before: list[float], after: list[float], controls: list[tuple[list[float], list[float]]]
) -> None:
    pairs = [(Window(early, 1.0), Window(late, 1.0)) for early, late in controls]
    found = effect(Window(before, 1.0), Window(after, 1.0), pairs, is_lower_better=True)
    assert found.low is not None
    assert found.high is not None
    is_tiny = abs(found.difference or 0) <= 1e-6 * max(found.before or 0, found.after or 0)
    assert {"better": found.high < 0, "worse": found.low > 0, "no_effect": found.low <= 0 <= found.high or is_tiny}[found.answer]
