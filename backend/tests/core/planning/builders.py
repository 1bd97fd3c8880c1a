"""Builders of plans and of the hosts that plans are made for: each takes what the test is about and fills in the rest."""

from plumbline.core.planning.plan import VERSION, Command, Element, FindingRef, Forecast, Gate, HostPlan, Plan, Step, VolumeForecast, Wave

HOST = "0197c1f0-0000-7000-8000-000000000001"
SAN1, SAN2 = "001018f1c2d0", "001018f1c2d2"


def a_finding(host: str = HOST, rule: str = "bp1057.flow_control", subject_id: str = SAN1) -> FindingRef:
    """The identity of a failing finding on an adapter."""
    return FindingRef(host, "dell-bp1057-2012r2", rule, "adapter", subject_id)


def an_element(adapter: str = SAN1) -> Element:
    """Flow control of an adapter, off in the text of Windows, to both directions."""
    return Element(
        f"adapter/{adapter}/flow_control", "0", "3", "0", f"adapter/{adapter}/flow_control", "rx_tx", "Flow control", "off", "rx & tx"
    )  # fmt: skip


def a_step(number: int = 1, adapter: str = SAN1) -> Step:
    """A step that restarts one adapter."""
    return Step(
        number=number,
        title="SAN1: flow control off → rx & tx",
        elements=(an_element(adapter),),
        restart=f"adapter/{adapter}",
        adapters=(adapter,),
        fabric="A",
        impact="adapter_restart",
        takes_effect="adapter_restart",
        deadman_s=90,
        health_floor=2,
        probe_bytes=0,
        forecast=Forecast("adapter_restart", "one restart of SAN1, 4 → 2 paths", 12, 90, (VolumeForecast("6090a0", "vol-a", 4, 2),)),
        gates=(Gate("path_floor", "every volume has at least 2 healthy paths", "paths/6090a0", "4"),),
        commands=(Command("powershell", "Restart-NetAdapter -Name 'SAN1'"),),
        undo_commands=(Command("powershell", "Restart-NetAdapter -Name 'SAN1'"),),
        findings=(a_finding(subject_id=adapter),),
    )


def a_plan(hosts: int = 1) -> Plan:
    """A plan of two steps a host, the first host the canary."""
    # The words are those of an earlier version: what is signed of them is pinned by `test_signed_bytes`.
    names = [f"{HOST[:-2]}{at:02d}" for at in range(1, hosts + 1)]
    forecast = Forecast("adapter_restart", "adapter restart · never below 2 paths of 4", 24, 180)
    parts = tuple(
        HostPlan(
            name, f"sql-{at:02d}", "windows", "2012r2", "2026-11-21T09:41:00Z", "ab" * 32, ("group:1",), (),
            (a_step(1, SAN1), a_step(2, SAN2)), forecast,
        )
        for at, name in enumerate(names, 1)
    )  # fmt: skip
    waves = tuple(Wave(at, "canary" if at == 1 else "wave", (name,), 600) for at, name in enumerate(names, 1))
    return Plan(VERSION, "Flow control on 1 host", ("dell-bp1057-2012r2@1.0.0",), parts, waves, 1, (), (), (), forecast)
