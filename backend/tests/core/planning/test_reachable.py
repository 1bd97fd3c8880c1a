"""A host without a verified channel: nothing is planned on it, and the refusal says what a person can change."""

import dataclasses

from plumbline.core.planning.build import build_plan
from plumbline.core.planning.inputs import Limits
from tests.core.planning.hosts import MACS, a_rule, facts, on, the_settings

PAUSE = a_rule("adapter.flow_control", "rx_tx")


def test_a_host_that_shuts_us_out_is_refused_whole_and_others_go_on() -> None:
    here = facts((PAUSE, on(MACS[0])))
    locked = dataclasses.replace(here, host="0197c1f0-0000-7000-8000-000000000002", name="esx-a03", shut_out="lockdown is on (normal)")
    made = build_plan([here, locked], the_settings(), Limits())
    (refused,) = made.refusals
    assert (refused.host, refused.gate) == (locked.host, "reachable")
    assert refused.words == "not ready for remediation: lockdown is on (normal)"
    assert [host.host for host in made.hosts] == [here.host]
