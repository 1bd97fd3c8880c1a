"""The backoff law, the phase, and clocks that lie."""

import json
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.agents.esxi.workbench import AGENT, agent, check_in_server, enrolled, write_samples

# Chi-square at p = 0.01 with 19 degrees of freedom.
CRITICAL = 36.19
CAP = 900.0


def chi_square(values: list[float]) -> float:
    """Against an even spread over [0, cap] in 20 cells; a value outside costs as much as an empty cell."""
    cells = [0] * 20
    for value in values:
        cells[min(19, max(0, int(value / CAP * 20)))] += 1
    expected = len(values) / 20
    return sum((count - expected) ** 2 / expected for count in cells)


def test_at_the_twentieth_try_the_delays_fill_the_whole_span() -> None:
    draws = random.Random(20260101)
    values = [agent.backoff_seconds(20, draws.random) for _ in range(10_000)]
    assert chi_square(values) < CRITICAL
    assert 0 <= min(values) < 5
    assert 895 < max(values) <= CAP


@pytest.mark.parametrize(
    "wrong",
    [
        lambda draw: min(CAP, draw() * 5 * 2**20),  # jitter before the cap
        lambda draw: CAP / 2 + draw() * CAP / 2,  # equal jitter
        lambda _: CAP,
    ],
)
def test_the_test_can_fail(wrong: Callable[[Callable[[], float]], float]) -> None:
    draws = random.Random(20260101)
    assert chi_square([wrong(draws.random) for _ in range(10_000)]) > CRITICAL


def test_early_tries_are_short() -> None:
    assert [agent.backoff_seconds(tries, lambda: 1.0) for tries in range(9)] == [5, 10, 20, 40, 80, 160, 320, 640, 900]
    assert agent.backoff_seconds(10_000, lambda: 1.0) == CAP


def test_phases_fill_the_interval_and_stay() -> None:
    phases = [agent.phase_seconds(f"{number:032x}", 900) for number in range(10_000)]
    assert chi_square([float(phase) for phase in phases]) < CRITICAL
    assert phases == [agent.phase_seconds(f"{number:032x}", 900) for number in range(10_000)]


def test_a_wait_that_nobody_set_is_not_kept(tmp_path: Path) -> None:
    (tmp_path / "retry.json").write_text(json.dumps({"tries": 3, "boot": "b", "until": agent.monotonic() + 10**9}))
    assert agent.Waiting(str(tmp_path), "b").left() == 0
    (tmp_path / "retry.json").write_text("{half")
    assert agent.Waiting(str(tmp_path), "b").left() == 0


DRIVER = """
import sys, time
real_time, real_gmtime = time.time, time.gmtime
shifts = {shifts}
state = {{"n": 0}}
def lying():
    state["n"] += 1
    if {frozen}:
        return 1400000000.0
    return real_time() + shifts[state["n"] % len(shifts)]
time.time = lying
time.gmtime = lambda *given: real_gmtime(*(given or (lying(),)))
sys.argv = ["host_agent.py"] + {arguments}
exec(compile(open({path!r}).read(), {path!r}, "exec"), {{"__name__": "__main__", "__file__": {path!r}}})
"""

DAY = 86400


@pytest.mark.parametrize(
    ("name", "shifts", "frozen"),
    [
        ("a day ahead", [DAY], False),
        ("ten years behind", [-3652 * DAY], False),
        ("ten years ahead", [3652 * DAY], False),
        ("frozen", [0], True),
        ("backwards and forwards", [DAY, -DAY, 3652 * DAY, -3652 * DAY], False),
    ],
)
def test_order_and_acceptance_do_not_hang_on_the_clock(name: str, shifts: list[int], frozen: bool, tmp_path: Path) -> None:
    # Only what is quick is asked for: every command but one is missing.
    environment = write_samples.environment(tmp_path, "5.5")
    for tool in (tmp_path / "commands").iterdir():
        tool.unlink()
    # A wait of its own choice may be as short as nothing; one that is asked for is not.
    with check_in_server((503, {"Retry-After": "60"}, {})) as server:
        enrolled(tmp_path / "state", server.url)
        arguments = ["--state", str(tmp_path / "state"), "--pace-seconds", "0", "--once"]
        driver = DRIVER.format(shifts=shifts, frozen=frozen, arguments=arguments, path=str(AGENT))
        codes = []
        for _ in range(4):
            (tmp_path / "state" / "retry.json").unlink(missing_ok=True)
            done = subprocess.run([sys.executable, "-c", driver], env=environment, capture_output=True, timeout=60, check=False)
            codes.append(done.returncode)
        assert codes == [3, 0, 0, 0], done.stderr.decode()
    assert [arrival.seq for arrival in server.arrivals] == [1, 1, 2, 3, 4]
    assert all(arrival.is_signed() for arrival in server.arrivals)
    assert all(len(arrival.headers["plumbline-sent-at"]) == 20 for arrival in server.arrivals), name


def test_retry_after_that_is_no_number_is_left_alone() -> None:
    assert agent.retry_after_seconds("Wed, 21 Oct 2026 07:28:00 GMT", 0) is None
    assert agent.retry_after_seconds(None, 0) is None
    assert agent.retry_after_seconds("999999", 0, lambda: 0.0) == 6 * 3600
