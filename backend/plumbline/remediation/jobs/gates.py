"""The gates of a plan when it runs: what the approval relied on is read again over the channel, before the first step and before each
later one that needs it. What cannot be evaluated keeps a gate shut, and the reason names the command to check it.
"""

import time
from collections.abc import Sequence

from plumbline.channels import AuthenticationRejected, ChannelError, HostIdentityUnknown, HostIdentityWrong
from plumbline.core.planning.gates import LOAD
from plumbline.core.planning.plan import Gate, Step
from plumbline.infra.database import session_scope
from plumbline.models.hosts import Host
from plumbline.remediation import host_load
from plumbline.remediation.access.runner_client import RunnerTarget
from plumbline.remediation.jobs import fresh_facts, mtu_pings, path_gate
from plumbline.remediation.jobs.claim import Claim
from plumbline.remediation.jobs.outcome import Boundary, between
from plumbline.remediation.timings import job_timings
from plumbline.remediation.transitions import step_rows


def first_shut(claim: Claim, target: RunnerTarget, steps: Sequence[Step]) -> str:
    """Why the first shut gate of these steps is shut now; empty where all are open. Raises a ChannelError."""
    part = claim.signed.host_part(claim.host_id)
    of_host = part.gates if any(step.takes_path for step in steps) else ()
    relied_on = [gate for gate in (*of_host, *(gate for step in steps for gate in step.gates)) if gate.fact]
    if relied_on or any(path_gate.interrupts(step) for step in steps):
        claim.tick()
        now = _read(claim, target)
        shut = (
            fresh_facts.shut_gate(now, relied_on)
            or _too_busy(claim, now, relied_on)
            or _last_path(now, steps)
            or next((why for step in steps if (why := path_gate.carries_more(now, step))), "")
        )
        if shut:
            return shut
    for step in steps:
        if step.pings:
            claim.tick()
            blocked = mtu_pings.unproven(target, step.pings, mtu_pings.SMALL_BYTES)
            if blocked:
                return f"{blocked}, so {step.probe_bytes}-byte frames can't be verified after the change"
    return ""


def shut_to_go_on(claim: Claim, target: RunnerTarget, step: Step) -> str:
    """Why a step that was started may not interrupt its adapters now; empty where it may. What the plan relied on besides its paths is not
    asked again: the step is half done, and its own restart changes counters and counts. Raises a ChannelError."""
    return _paths_shut(claim, target, step, is_taking_back=False)


def shut_to_take_back(claim: Claim, target: RunnerTarget, step: Step) -> str:
    """Why this step may not be taken back now: its adapter carries a last path. Empty where it may. Raises a ChannelError."""
    return _paths_shut(claim, target, step, is_taking_back=True)


def _paths_shut(claim: Claim, target: RunnerTarget, step: Step, *, is_taking_back: bool) -> str:
    if not path_gate.interrupts(step):
        return ""
    claim.tick()
    now = _read(claim, target)
    return path_gate.shut(now, step, is_taking_back=is_taking_back)


def _read(claim: Claim, target: RunnerTarget) -> fresh_facts.FreshFacts:
    with session_scope() as session:
        entered = dict(session.get_one(Host, claim.host_id).overrides)
    return fresh_facts.read_facts(target, claim.signed.host_part(claim.host_id).platform, entered)


def _last_path(now: fresh_facts.FreshFacts, steps: Sequence[Step]) -> str:
    """Why the first of these steps that would take too much may not run now; empty where all may."""
    return next((why for step in steps if (why := path_gate.shut(now, step))), "")


def wait_open(claim: Claim, target: RunnerTarget, step: Step) -> None:
    """Waits until the gates of a step that is not the first are open, since a host needs a while to settle after the one before.

    Raises `Boundary` where they stay shut, with the steps that took effect by then.
    """
    if not path_gate.interrupts(step) and not step.gates:
        return
    deadline = time.monotonic() + job_timings().settle_seconds
    while True:
        claim.tick()
        try:
            why = first_shut(claim, target, (step,))
        except (AuthenticationRejected, HostIdentityWrong, HostIdentityUnknown) as error:
            why, deadline = error.message, 0.0
        except ChannelError as error:
            why = f"host unreachable: {error.message}"
        if not why:
            return
        if time.monotonic() > deadline:
            with session_scope() as session:
                raise Boundary(between(step_rows(session, claim.job_id), f"step {step.number} not started, pre-check failed: {why}"))
        time.sleep(min(job_timings().poll_seconds * 5, max(0.05, deadline - time.monotonic())))


def _too_busy(claim: Claim, now: fresh_facts.FreshFacts, gates: Sequence[Gate]) -> str:
    """Why the load of the host is too high now, by its counters against earlier ones; empty where it is not."""
    limits = [gate for gate in gates if gate.fact == LOAD]
    if not limits:
        return ""
    strictest = min(limits, key=lambda gate: int(gate.value))
    with session_scope() as session:
        percent = host_load.busiest_percent(session, claim.host_id, now.host.configuration, now=now.counters)
    if percent is None:
        return f"current load is unknown (counters can't be compared). {strictest.command}"
    if percent >= int(strictest.value):
        return f"SAN adapters are at {percent}% load; the limit is {strictest.value}%. {strictest.command}"
    return ""
