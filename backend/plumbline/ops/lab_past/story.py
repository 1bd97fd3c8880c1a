"""What happened to the lab's fleet in the 90 days before its first start, oldest first. Times are days before now and an hour of UTC.

The stories that a person can find: a driver update at night that took flow control from three hosts (fixed on one by a job, with benchmark
runs before and after), one host changed manually, a multipathing toolkit that was installed, an adapter that lost its link for a weekend, a
waiver about to end, a host that fell silent, a version of the team's own pack that is stricter than the one before, a plan that waits for
the approver, and a standing approval with which On-call may run its fix.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from plumbline.ops.lab_past import people
from plumbline.ops.lab_past.hosts import PastFleet
from plumbline.ops.lab_past.site_pack import pack_files
from plumbline.remediation.plans.schemas import StandingItem

NIGHT, MORNING, AFTERNOON = 2.2, 9.5, 14.5


@dataclass(frozen=True)
class Event:
    """Something that happens `days_ago` at an `hour` of UTC."""

    days_ago: int
    hour: float
    act: Callable[[PastFleet], None]


@dataclass(frozen=True)
class Change:
    """Settings of hosts that change outside of Plumbline."""

    names: Sequence[str]
    settings: Mapping[str, object]
    what: str

    def __call__(self, fleet: PastFleet) -> None:
        """The change happens, and the hosts check in."""
        fleet.change(self.names, self.settings, self.what)
        fleet.check_in(self.names)


def _fix(names: Sequence[str], like: str, reason: str, ticket: str) -> Callable[[PastFleet], None]:
    def act(fleet: PastFleet) -> None:
        fleet.check_in_twice()
        plan_id = people.plan(names, like, reason, ticket=ticket)

        def some_minutes_later() -> None:
            fleet.pass_minutes(2)
            for name in names:
                fleet.touch(name)
            fleet.check_in(names)

        with fleet.quick_restarts(names):
            people.carry_out(plan_id, some_minutes_later)

    return act


def _plan(names: Sequence[str], like: str, reason: str, ticket: str) -> Callable[[PastFleet], None]:
    def act(fleet: PastFleet) -> None:
        fleet.check_in_twice()
        people.plan(names, like, reason, ticket=ticket)

    return act


def _accept(group: str, reason: str) -> Callable[[PastFleet], None]:
    return lambda _: people.accept_baseline(group, reason)


def _waive(names: Sequence[str], like: str, reason: str, days: float, *, is_approved: bool = True) -> Callable[[PastFleet], None]:
    return lambda _: people.waive(names, like, reason, days=days, is_approved=is_approved)


def _benchmark(name: str, *requests: float) -> Callable[[PastFleet], None]:
    return lambda _: people.run_benchmark(name, requests)


def _pack(version: str, seconds: int, *, why: str, evidence: str, note: str) -> Callable[[PastFleet], None]:
    return lambda _: people.publish_pack(pack_files(version, seconds, why=why, evidence=evidence), "PROD-A", note)


# How hosts were set up at first, before somebody put it right.
BEFORE: dict[str, dict[str, object]] = {
    "sql-01": {"SAN*.flow_control": "off", "SAN*.receive_buffers": 512},
    "sql-02": {"SAN*.flow_control": "off"},
    "sql-04": {"SAN*.flow_control": "off"},
    "ex-01": {"SAN*.mtu": 1500},
    "hv-12": {"qos_class.rdma.bandwidth_percent": 10},
    "esx-a01": {"initiator.delayed_ack": "enabled"},
    "esx-a03": {"initiator.delayed_ack": "enabled"},
    "win-fs2": {"SAN*.mtu": 1500},
    "bk-01": {"SAN*.receive_buffers": 512},
}

_SAN_DRIVER = {"SAN*.driver_version": "7.8.1.0", "SAN*.driver_date": "2014-11-20", "SAN*.flow_control": "off"}

STORY: tuple[Event, ...] = (
    Event(86, MORNING, _accept("PROD-A", "State after the storage migration")),
    Event(86, MORNING, _accept("PROD-B", "State after the storage migration")),
    Event(79, AFTERNOON, Change(["sql-01", "sql-02"], {"SAN*.flow_control": "rx_tx"}, "changed manually")),
    Event(74, MORNING, Change(["win-fs2"], {"SAN*.mtu": 9000}, "changed manually")),
    Event(71, AFTERNOON, _waive(["sql-05"], "%jumbo%", "Moves to the new array next month; not worth an outage before", 73)),
    Event(66, NIGHT, Change(["esx-a01", "esx-a03"], {"initiator.delayed_ack": "disabled"}, "changed manually")),
    Event(58, AFTERNOON, Change(["hv-12"], {"qos_class.rdma.bandwidth_percent": 80}, "changed manually")),
    Event(52, MORNING, Change(["ex-01"], {"SAN*.mtu": 9000}, "changed manually")),
    Event(44, AFTERNOON, _fix(["bk-01"], "%x520.receive_buffers%", "Receive buffers as BP1057 measured them", "CHG-2041")),
    Event(41, MORNING, _pack(
        "1.0.0", 30, why="Our array takes 20 seconds to fail over.", evidence="failover took 20 seconds",
        note="First version of our standard",
    )),
    Event(37, NIGHT, Change(["bk-01"], {"SAN2.link": "down"}, "cable of SAN2 pulled")),
    Event(35, MORNING, Change(["bk-01"], {"SAN2.link": "up"}, "cable of SAN2 plugged in again")),
    Event(30, MORNING, lambda _: people.sign_standing(
        "Flow control on SAN ports, PROD-B", "PROD-B",
        [StandingItem(rule="dell-bp1057-2012r2/bp1057r2.flow_control"), StandingItem(rule="dell-bp1057-2012/bp1057.flow_control")],
        days=60,
    )),
    Event(26, MORNING, _pack(
        "1.1.0", 90, why="Since its firmware update our array takes up to 70 seconds to fail over.", evidence="failover took 70 seconds",
        note="Longer failover since the firmware update; CHG-2058",
    )),
    Event(21, AFTERNOON, Change(["ex-01"], {"SAN2.receive_buffers": 512}, "receive buffers set back manually")),
    Event(14, MORNING, Change(
        ["esx-b09"],
        {"initiator.delayed_ack": "disabled", "initiator.login_timeout_seconds": 60},
        "best practices of the multipathing module applied",
    )),
    Event(9, MORNING, _waive(["tst-win-02"], "%checksum%", "Driver fault under test with the vendor, case 1187204", 30)),
    Event(4, MORNING, lambda fleet: fleet.silence("esx-c01")),
    Event(3, NIGHT, Change(["sql-03", "sql-06", "sql-07"], _SAN_DRIVER, "driver update 7.4.23 to 7.8.1, which resets flow control")),
    Event(2, MORNING, _benchmark("sql-06", 2984.0, 3007.0, 2991.0)),
    Event(2, AFTERNOON, _fix(["sql-06"], "%flow_control%", "Flow control was reset by the driver update", "CHG-2077")),
    Event(2, AFTERNOON + 1.5, _benchmark("sql-06", 4391.0, 4402.0, 4376.0)),
    Event(2, AFTERNOON + 2, lambda _: people.prove(
        "sql-06", "dell-bp1057-2012r2/bp1057r2.flow_control", "Flow control on sql-06, sequential reads of 256 KiB",
    )),
    Event(1, NIGHT, lambda _: people.make_report("viewer")),
    Event(1, MORNING, _waive(["ex-02"], "%transmit_buffers%", "Card is replaced in the December window; CHG-2090", 60, is_approved=False)),
    Event(0, -3.0, _plan(["sql-07"], "%flow_control%", "Flow control was reset by the driver update", "CHG-2081")),
)  # fmt: skip
