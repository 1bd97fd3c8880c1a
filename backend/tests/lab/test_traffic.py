"""The lab's traffic answers to settings: each in the direction that a paper measured, and by its figure where it has one."""

from collections.abc import Callable
from typing import Any

import pytest

from lab import traffic
from lab.host import LabHost

Make = Callable[[str], LabHost]
WINDOWS, X520, ESXI = "sql-03", "tst-win-03", "esx-a03"


@pytest.fixture
def counted(lab_host: Make, monkeypatch: pytest.MonkeyPatch) -> Callable[..., dict[str, float]]:
    """What ten minutes of a host with these settings count, always the same ten: chance follows the clock."""

    def count(name: str, **settings: str) -> dict[str, float]:
        host = lab_host(name)
        recommended = {
            "SAN*.mtu": 9000, "SAN*.flow_control": "rx_tx", "SAN*.receive_buffers": 0, "SAN*.rss": "enabled", "SAN*.lso_ipv4": "enabled",
            "SAN*.checksum_tcp_ipv4": "rx_tx", "SAN*.tcp_connection_offload": "disabled",
            "host.tcp.chimney": "Disabled", "host.tcp.auto_tuning": "Normal",
        } if host.spec.platform == "windows" else {
            "SAN*.mtu": 9000, "SAN*.flow_control": "rx_tx", "SAN*.receive_buffers": 0, "SAN*.tso": "enabled", "SAN*.checksum_rx": "enabled",
            "initiator.delayed_ack": "enabled",
        }  # fmt: skip
        san = {name for name, _ in host.ports("san")}
        for setting, value in {**recommended, **settings}.items():
            part, _, key = setting.partition(".")
            for each in sorted(san) if part == "SAN*" else [part]:
                host.set(f"{each}.{key}", value, cause="test")
        with monkeypatch.context() as frozen:
            frozen.setattr("lab.host.time.time", lambda: 1_800_000_000.0)
            before = _sums(host)
            host.state["counters"]["at"] = 1_800_000_000.0 - 600
            host.tick()
        after = _sums(host)
        found = {key: after[key] - before[key] for key in ("received", "drops", "pauses", "sent", "again")}
        return {**found, "share": found["again"] / found["sent"], "cpu": after["cpu"], "latency": after["latency"]}

    return count


def _sums(host: LabHost) -> dict[str, float]:
    counters: dict[str, Any] = host.state["counters"]
    ports = [counters["ports"].get(name, {}) for name, _ in host.ports("san")]
    volumes = list(counters["volumes"].values())
    return {
        "received": sum(port.get("bytes_received", 0) for port in ports),
        "drops": sum(port.get("drops_received", 0) for port in ports),
        "pauses": sum(port.get("pause_received", 0) for port in ports),
        "sent": counters["tcp_segments_sent"],
        "again": counters["tcp_segments_retransmitted"],
        "cpu": counters["cpu_percent"],
        "latency": volumes[0]["read_latency_us"] if volumes else 0,
    }


@pytest.mark.parametrize("name", [WINDOWS, ESXI])
def test_without_flow_control_pauses_end_and_packets_are_dropped_and_sent_again(counted: Any, name: str) -> None:
    calm, off = counted(name), counted(name, **{"SAN*.flow_control": "off"})
    assert (calm["drops"], off["pauses"]) == (0, 0)
    assert calm["pauses"] > 0
    assert off["drops"] > 0
    assert calm["share"] < 0.0001
    assert off["share"] > 0.0011  # BP1057 Figure 4, congested
    assert off["latency"] > calm["latency"]


def test_large_buffers_drop_less_under_congestion(counted: Any) -> None:
    small = counted(WINDOWS, **{"SAN*.flow_control": "off"})
    large = counted(WINDOWS, **{"SAN*.flow_control": "off", "SAN*.receive_buffers": "3000"})
    assert large["drops"] == pytest.approx(0.5 * small["drops"], rel=0.01)


@pytest.mark.parametrize(
    ("name", "setting", "value", "factor"),
    [
        (WINDOWS, "SAN*.mtu", "1500", 0.8),
        (ESXI, "SAN*.mtu", "1500", 0.8),
        (X520, "SAN*.rss", "disabled", 0.7),  # BP1057 §4.2.2
        (WINDOWS, "SAN*.rss", "disabled", 1.0),  # no effect on this adapter
        (WINDOWS, "host.tcp.auto_tuning", "Disabled", 0.7),  # BP1057 §4.2.7
        (WINDOWS, "SAN*.lso_ipv4", "disabled", 0.93),
        (ESXI, "SAN*.tso", "disabled", 0.93),
        (WINDOWS, "SAN*.interrupt_moderation", "disabled", 1.0),  # BP1057 §4.2.1
        (WINDOWS, "SAN*.rsc_ipv4", "disabled", 1.0),  # BP1057 §4.2.3
    ],
)
def test_throughput_follows_the_setting(counted: Any, name: str, setting: str, value: str, factor: float) -> None:
    assert counted(name, **{setting: value})["received"] == pytest.approx(factor * counted(name)["received"], rel=0.001)


def test_an_offloaded_host_has_no_retransmits_and_less_load(counted: Any) -> None:
    congested = counted(WINDOWS, **{"SAN*.flow_control": "off"})
    offload = {"SAN*.tcp_connection_offload": "enabled", "host.tcp.chimney": "Enabled"}
    offloaded = counted(WINDOWS, **{"SAN*.flow_control": "off"}, **offload)
    assert offloaded["again"] == 0  # BP1057 §4.2.4: 0.11 % to 0, 6 % to 4 % of the processor
    assert offloaded["cpu"] < congested["cpu"]
    # The adapter's half without the system's does nothing.
    assert counted(WINDOWS, **{"SAN*.tcp_connection_offload": "enabled"})["again"] > 0


@pytest.mark.parametrize(("name", "setting"), [(WINDOWS, "SAN*.checksum_tcp_ipv4"), (ESXI, "SAN*.checksum_rx")])
def test_without_checksum_offload_more_is_sent_again_at_a_higher_load(counted: Any, name: str, setting: str) -> None:
    usual, without = counted(name), counted(name, **{setting: "disabled"})
    assert without["share"] > 10 * usual["share"]
    assert without["cpu"] > usual["cpu"]


def test_delayed_acknowledgements_slow_esxi_under_congestion_alone(counted: Any) -> None:
    off = {"initiator.delayed_ack": "disabled"}
    assert counted(ESXI, **off)["latency"] == counted(ESXI)["latency"]
    congested = {"SAN*.flow_control": "off"}
    assert counted(ESXI, **off, **congested)["latency"] < counted(ESXI, **congested)["latency"]
    # BP1057 §4.2.8: no effect on Windows.
    assert counted(WINDOWS, **{"SAN*.ack_frequency": "1"})["latency"] == counted(WINDOWS)["latency"]


def test_an_offload_engine_carries_the_network_itself() -> None:
    port = {"mtu": 9600, "flow_control": "rx_tx", "isoe": True, "link": "up", "card": "bcm57810"}
    state = {"host": {}, "initiators": {}}
    assert traffic.of_host(state, [port, port]) == traffic.HostTraffic(0.0, 1.5 / 6, 1.0)  # BP1057 §4.2.10
    assert traffic.of_port(state, port).load == pytest.approx(1.1)
