"""A clock is in step or minutes off, turns at the limit and turns back a little later."""

import pytest

from plumbline.core.facts.assemble import assemble
from plumbline.core.facts.clock_skew import ADDRESS, clock_state
from tests.core.facts.builders import WINDOWS_SAMPLES, not_there, sections_of, value, why

SECTIONS = sections_of(WINDOWS_SAMPLES / "x520-2012r2-default.checkin")


@pytest.mark.parametrize(
    ("skew", "before", "state"),
    [
        (0.0, None, "in_step"),
        (-300.0, None, "in_step"),
        (300.5, "in_step", "minutes_off"),
        (-86_400.0, "in_step", "minutes_off"),
        (260.0, "in_step", "in_step"),
        (260.0, "minutes_off", "minutes_off"),
        (-240.0, "minutes_off", "in_step"),
        (400.0, "not_compared", "minutes_off"),
    ],
)
def test_where_it_turns(skew: float, before: str | None, state: str) -> None:
    assert clock_state(skew, before) == state


def test_what_the_server_saw_is_a_setting_of_the_host() -> None:
    assert value(assemble("windows", SECTIONS, {ADDRESS: "minutes_off"}).configuration, "clock") == "minutes_off"
    assert "agentless" in not_there(assemble("windows", SECTIONS, {ADDRESS: "not_compared"}).configuration, "clock")
    assert why(assemble("windows", SECTIONS, {ADDRESS: "nonsense"}).configuration, "clock") == "not collected"
    assert why(assemble("windows", SECTIONS).configuration, "clock") == "not collected"
