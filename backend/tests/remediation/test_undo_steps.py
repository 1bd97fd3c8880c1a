"""The steps of an undo: only what the job set goes back, and an adapter is restarted only where a value needs it."""

from typing import cast

from plumbline.core.facts.configuration import Subject
from plumbline.models.jobs import Job
from plumbline.models.plans import Approval
from plumbline.remediation.signed_payload import Signed
from tests.core.planning.hosts import MACS, a_rule, facts, windows_adapter, windows_host
from tests.core.planning.planned import plan

SAN1 = Subject("adapter", MACS[0])
PAUSE = f"adapter/{MACS[0]}/flow_control"
LLTD = f"adapter/{MACS[0]}/binding.ms_lltdio"


def signed() -> Signed:
    """A plan whose one step sets a driver's value, which needs a restart, and a binding, which works at once."""
    bound = windows_adapter("SAN1", bindings=["ms_lltdio", "ms_tcpip"])
    held = windows_host({MACS[0]: bound, MACS[1]: windows_adapter("SAN2")})
    chosen = (a_rule("adapter.flow_control", "rx_tx"), SAN1), (a_rule("adapter.bindings", ("ms_tcpip",)), SAN1)
    made = plan(facts(*chosen, held=held))
    assert [{each.setting for each in step.elements} for step in made.hosts[0].steps] == [{PAUSE, LLTD}]
    return Signed({}, made, cast(Approval, None))


def undone(*wrote: str) -> list[tuple[str, list[str]]]:
    """Restart and settings of each step that undoes what was written."""
    found = signed()
    job = Job(kind="undo", host_id=found.plan.hosts[0].host)
    return [(step.restart, [each.setting for each in step.elements]) for step in found.steps_of(job, wrote={1: frozenset(wrote)})]


def test_what_works_only_after_a_restart_is_undone_with_one() -> None:
    assert undone(PAUSE) == [(f"adapter/{MACS[0]}", [PAUSE])]
    assert undone(PAUSE, LLTD) == [(f"adapter/{MACS[0]}", [PAUSE, LLTD])]


def test_what_works_at_once_restarts_nothing() -> None:
    assert undone(LLTD) == [("", [LLTD])]
    found = signed()
    job = Job(kind="undo", host_id=found.plan.hosts[0].host)
    (step,) = found.steps_of(job, wrote={1: frozenset({LLTD})})
    assert not any("Restart-NetAdapter" in command.text for command in step.commands)
    # It still interrupts the adapter for a moment: the paths are asked for all the same.
    assert step.takes_path


def test_what_the_job_did_not_set_is_left_alone() -> None:
    assert undone() == []
