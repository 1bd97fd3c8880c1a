"""The gates of a plan when it runs: what the approval relied on is read again over the channel, before the first step and before each
later one that needs it. What cannot be told keeps a gate shut, and the words say what to run to look at it.
"""

import time
from collections.abc import Sequence

from plumbline.channels import AuthenticationRejected, ChannelError, HostIdentityUnknown, HostIdentityWrong
from plumbline.core.planning.gates import LOAD
from plumbline.core.planning.plan import Gate, Step
from plumbline.infra.database import session_scope
from plumbline.remediation import host_load as load
from plumbline.remediation.access.runner_client import Way
from plumbline.remediation.jobs import fresh_facts as facts_now
from plumbline.remediation.jobs import mtu_pings as pings
from plumbline.remediation.jobs.claim import Claim
from plumbline.remediation.jobs.outcome import Boundary, between, step_rows
from plumbline.remediation.timings import pace


def first_shut(held: Claim, way: Way, steps: Sequence[Step]) -> str:
    """The first gate of these steps that does not hold now, in words; empty where all do. Raises a ChannelError."""
    part = held.signed.host_part(held.host_id)
    of_host = part.gates if any(step.takes_path for step in steps) else ()
    relied_on = [gate for gate in (*of_host, *(gate for step in steps for gate in step.gates)) if gate.fact]
    if relied_on:
        held.tick()
        now = facts_now.read_facts(way, part.platform)
        shut = facts_now.shut_gate(now, relied_on) or _too_busy(held, now, relied_on)
        if shut:
            return shut
    for step in steps:
        if step.pings:
            held.tick()
            blocked = pings.unproven(way, step.pings, pings.SMALL_BYTES)
            if blocked:
                return f"{blocked}, so that {step.probe_bytes} bytes could not be proven after the change"
    return ""


def wait_open(held: Claim, way: Way, step: Step) -> None:
    """Waits until the gates of a step that is not the first are open, since a host needs a while to settle after the one before.

    Raises `Boundary` where they stay shut: what stands by then is listed.
    """
    if not step.takes_path and not step.gates:
        return
    deadline = time.monotonic() + pace().settle
    while True:
        held.tick()
        try:
            why = first_shut(held, way, (step,))
        except (AuthenticationRejected, HostIdentityWrong, HostIdentityUnknown) as error:
            why, deadline = error.message, 0.0
        except ChannelError as error:
            why = f"host not reached: {error.message}"
        if not why:
            return
        if time.monotonic() > deadline:
            with session_scope() as session:
                raise Boundary(between(step_rows(session, held.job_id), f"step {step.number} was not begun, gate shut: {why}"))
        time.sleep(min(pace().poll * 5, max(0.05, deadline - time.monotonic())))


def _too_busy(held: Claim, now: facts_now.Now, gates: Sequence[Gate]) -> str:
    """Whether the host is under heavy load now, by its own counters against those that it told before; in words."""
    limits = [gate for gate in gates if gate.fact == LOAD]
    if not limits:
        return ""
    strictest = min(limits, key=lambda gate: int(gate.value))
    with session_scope() as session:
        percent = load.busiest_percent(session, held.host_id, now.host.configuration, now=now.counters)
    if percent is None:
        return f"its load over the last minutes is not known: its counters cannot be compared. {strictest.command}"
    if percent >= int(strictest.value):
        return f"its SAN adapters carry {percent} % now; nothing is taken from {strictest.value} % on. {strictest.command}"
    return ""
