"""How the settings of a lab host shape its SAN traffic, in the directions and, where the papers have figures, by the amounts they measured.

BP1057 is Dell's paper on Windows, ESXI55 that on ESXi, QLOGIC the paper on the QLE3142. What has no source is the lab's own, so that an
effect without a figure in the text is seen at all.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

# Retransmits per million segments: nearly none where pause frames work.
_CALM = 15.0
# BP1057 §4.2.4, Figure 4: 0.11 % at 4:1 congestion without offload. The lab's SAN is congested harder.
_CONGESTED = 1100.0 * 3.5
# BP1057 §4.2.6: without checksum offload the array sends more again; no figure.
_WITHOUT_CHECKSUMS = 900.0
# Packets that a port drops where no pause frame keeps them back.
_DROPS = 0.0011
# BP1057 §4.1.3: large buffers help under congestion; no figure.
_LARGE_BUFFERS, _WITH_LARGE_BUFFERS = 2048, 0.5


@dataclass(frozen=True)
class PortTraffic:
    """One SAN port: its load, 1 with all recommended settings; the share of packets it drops; whether it gets pause frames."""

    load: float
    drops: float
    has_pauses: bool


@dataclass(frozen=True)
class HostTraffic:
    """The host: retransmits per million segments; processor and latency, 1 with all recommended settings."""

    retransmits: float
    cpu: float
    latency: float


def of_port(state: Mapping[str, Any], port: Mapping[str, Any]) -> PortTraffic:
    """What a SAN port of the host carries with its settings."""
    load = 1.0
    if int(port["mtu"]) < 9000:
        # BP1057 §4.1.1 has a chart without a figure; QLOGIC measured 16 % at 8 KB.
        load *= 0.8
    if port.get("rss") == "disabled" and port["card"] == "x520":
        load *= 0.7  # BP1057 §4.2.2: 30 % less on the X520, nothing on the other adapter
    if state["host"].get("tcp.auto_tuning", "Normal").lower() == "disabled":
        load *= 0.7  # BP1057 §4.2.7: 30 % less
    if "disabled" in (port.get("lso_ipv4"), port.get("tso")):
        load *= 0.93  # BP1057 §4.2.5: worse in almost every workload; no figure
    if port.get("isoe"):
        load *= 1.1  # BP1057 §4.2.10: 10 % more of sequential reads
    has_pauses = port["flow_control"] in ("rx_tx", "rx")
    drops = 0.0 if has_pauses else _DROPS
    if int(port.get("receive_buffers") or 0) >= _LARGE_BUFFERS:
        drops *= _WITH_LARGE_BUFFERS
    return PortTraffic(load, drops, has_pauses)


def of_host(state: Mapping[str, Any], san: list[Mapping[str, Any]]) -> HostTraffic:
    """What the settings of the host and of its SAN ports, which are `san`, do to it."""
    is_congested = any(port["flow_control"] != "rx_tx" for port in san if port["link"] == "up")
    retransmits, cpu, latency = (_CONGESTED, 1.0, 1.8) if is_congested else (_CALM, 1.0, 1.0)
    if any(_is_without_checksums(port) for port in san):
        retransmits += _WITHOUT_CHECKSUMS
        cpu *= 24 / 11  # QLOGIC, one thread with jumbo frames: 11 % with offloads, 24 % without
    elif any("disabled" in (port.get("lso_ipv4"), port.get("tso")) for port in san):
        cpu *= 1.4
    if san and all(port.get("isoe") for port in san):
        retransmits, cpu = 0.0, cpu * 1.5 / 6  # BP1057 §4.2.10, Figure 4: 6 % to 1.5 %, 0.11 % to 0
    elif san and all(_is_offloaded(state, port) for port in san):
        retransmits, cpu = 0.0, cpu * 4 / 6  # BP1057 §4.2.4, Figure 4: 6 % to 4 %, 0.11 % to 0
    if is_congested and any(hba["delayed_ack"] == "enabled" for hba in state["initiators"].values()):
        latency *= 1.2  # ESXI55 has charts without figures; on Windows BP1057 §4.2.8 saw no effect
    return HostTraffic(retransmits, cpu, latency)


def _is_without_checksums(port: Mapping[str, Any]) -> bool:
    return "disabled" in (port.get("checksum_tcp_ipv4"), port.get("checksum_rx"), port.get("checksum_tx"))


def _is_offloaded(state: Mapping[str, Any], port: Mapping[str, Any]) -> bool:
    return port.get("tcp_connection_offload") == "enabled" and state["host"].get("tcp.chimney", "").lower() in ("enabled", "automatic")
