"""Whatever happens to clocks, counters and deliveries, no rate is higher than the traffic was."""

from dataclasses import dataclass, field
from datetime import date

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from plumbline.performance.fold import day_of
from plumbline.performance.grid import Grid, Readings, on_grid
from plumbline.performance.rates import Line, place, rates

HIGHEST = 1000.0
WRAP = 2**32
# A rate from whole seconds of uptime is off by at most one second in the shortest step.
SHORTEST = 60
ROUNDING = SHORTEST / (SHORTEST - 1)


@dataclass
class Told:
    """What the server stored of a host: when it came, the uptime, the total."""

    at: list[int] = field(default_factory=list)
    uptimes: list[int] = field(default_factory=list)
    totals: list[float | None] = field(default_factory=list)


EVENTS = ("none", "none", "none", "reboot", "reset", "wrap", "missing", "suspended", "clock")


@st.composite
def histories(draw: st.DrawFn) -> Told:
    """A host that counts at 0 to 1,000 a second and meets what hosts meet."""
    told = Told()
    clock_error = 0
    now, boot, total = 1_700_000_000, 1_699_990_000, float(draw(st.integers(0, WRAP - 1)))
    held: list[tuple[int, float | None]] = []
    for _ in range(draw(st.integers(2, 40))):
        step = draw(st.integers(SHORTEST, 4000))
        event = draw(st.sampled_from(EVENTS))
        rate = draw(st.sampled_from([0.0, 1.0, HIGHEST / 2, HIGHEST]))
        now += step
        if event == "reboot":
            # A restart takes at least a minute; the counter starts again from 0; the agent makes a reading within an hour.
            up = draw(st.integers(1, min(3600, max(1, step - 60))))
            boot, total = now - up, rate * up
        elif event == "reset":
            total = draw(st.floats(0, rate * step))
        elif event == "wrap":
            total = (total + rate * step) % WRAP
        elif event == "suspended":
            boot += step - 30
            total += rate * 30
        else:
            total += rate * step
        if event == "clock":
            # The server's clock is set; what the host's own clock says is not used at all.
            clock_error += draw(st.integers(-10, 10))
        held.append((now - boot, None if event == "missing" else total))
        if draw(st.booleans()):
            # The agent could send again: all that it kept comes within seconds.
            for late, (uptime, value) in enumerate(held):
                told.at.append((now + clock_error) * 1000 + late * 200)
                told.uptimes.append(uptime)
                told.totals.append(value)
            held = []
    order = np.argsort(told.at, kind="stable")
    return Told([told.at[i] for i in order], [told.uptimes[i] for i in order], [told.totals[i] for i in order])


# A busy machine may hold up the making of an example; that is no fault of what is tested.
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(histories())
def test_no_rate_is_higher_than_the_traffic_was(told: Told) -> None:
    line = rates(told.at, told.uptimes, told.totals)
    known = line.values[np.isfinite(line.values)]
    assert (known >= 0).all()
    assert (known <= HIGHEST * ROUNDING).all()
    assert (np.diff(line.at) >= 0).all()
    if len(line.at) == 0:
        return
    grid = Grid(int(line.at[0]) // 300_000 * 300_000, 300, 500)
    drawn = on_grid(Readings.of(line.at, line.values), grid, 3 * 3600)
    for values in (drawn.means, drawn.lows, drawn.highs):
        assert (values[np.isfinite(values)] <= HIGHEST * ROUNDING * 1.000001).all()


def test_check_ins_that_came_at_once_are_put_back_to_when_they_were_made() -> None:
    hour = 3600
    at = [0, 6 * hour * 1000, 6 * hour * 1000 + 200, 6 * hour * 1000 + 400]
    uptimes = [1000, 1000 + 4 * hour, 1000 + 5 * hour, 1000 + 6 * hour]
    assert [each // 1000 for each in place(at, uptimes)] == [0, 4 * hour, 5 * hour, 6 * hour]
    line = rates(at, uptimes, [0.0, 4.0 * hour, 5.0 * hour, 6.0 * hour])
    assert [None if np.isnan(value) else float(value) for value in line.values] == [None, 1.0, 1.0]


def test_a_restart_that_the_uptime_hides_is_a_gap() -> None:
    # Up for 60 s, restarted, then up for 70 s: the total is one of two boots.
    line = rates([0, 900_000, 1_800_000], [60, 70, 970], [10.0, 70_000.0, 70_900.0])
    assert np.isnan(line.values[0])
    assert line.values[1] == 1.0


def test_a_day_by_which_the_servers_clock_is_set_is_no_burst() -> None:
    for day in (86_400, -86_400):
        at = [second * 1000 for second in (100_000, 100_900, 101_800 + day, 102_700 + day)]
        order = np.argsort(at, kind="stable")
        uptimes, totals = [8000, 8900, 9800, 10_700], [0.0, 900.0, 1800.0, 2700.0]
        line = rates([at[i] for i in order], [uptimes[i] for i in order], [totals[i] for i in order])
        assert {float(value) for value in line.values if np.isfinite(value)} == {1.0}


def test_an_adapter_with_another_address_is_another_series() -> None:
    # Its old series has no readings any more: a missing value is no rate, in rows and in chunks.
    line = rates([0, 900_000, 1_800_000], [60, 960, 1860], [5.0, None, None])
    assert np.isnan(line.values).all()
    assert day_of(Line(line.at, line.values), date(1970, 1, 1)).n.sum() == 0
