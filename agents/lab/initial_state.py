"""The state of a simulated host as it was installed: its cards, their drivers' defaults, and what its system brings."""

import time
from collections.abc import Mapping
from typing import Any

from lab.fleet import HostSpec, cards

State = dict[str, Any]


def initial_state(spec: HostSpec) -> State:
    """The state of a host as it was installed, before its own settings."""
    data = spec.data
    names = data.get("rename", {})
    ports: dict[str, State] = {}
    count: dict[str, int] = {}
    for role, port in (data.get("adapters") or data["nics"]).items():
        card = cards()[port["card"]]
        count[port["card"]] = count.get(port["card"], 0) + 1
        ports[role] = {
            "label": names.get(role, role),
            "card": port["card"],
            "nth": count[port["card"]],
            "use": port.get("use", "lan"),
            "isoe": bool(port.get("isoe", False)),
            "link": "up",
            **_port_settings(card, spec, isoe=bool(port.get("isoe", False))),
        }
    return {
        "ports": ports,
        "volumes": list(data["volumes"]),
        "sessions_per_adapter": int(data["sessions_per_adapter"]),
        "switch_mtu": 12000,
        "installed_at": time.time(),
        "cut": [],
        "qos_class": {},
        "qos_policy": {},
        "counters": {"at": time.time() - 60, "ports": {}, "volumes": {}, "segments_seen": 0, **dict.fromkeys(_HOST_COUNTERS, 0)},
        **(_windows_state() if spec.platform == "windows" else _esxi_state(spec, ports)),
    }


_HOST_COUNTERS = ("tcp_segments_sent", "tcp_segments_retransmitted", "cpu_percent")


def _port_settings(card: Mapping[str, Any], spec: HostSpec, *, isoe: bool) -> State:
    if spec.platform == "esxi":
        own = card["esxi"]
        is_old = spec.data["release"] in ("5.5",)
        return {
            "driver": own["driver"] if spec.data["release"] in ("5.5", "6.7") and (isoe or is_old) else own["native"],
            "driver_version": _esxi_driver_version(own, spec.data["release"]),
            "firmware_version": own["firmware"],
            "mtu": 1500,
            "flow_control": "rx_tx",
            "pause_auto": True,
            "receive_buffers": own["ring"],
            "transmit_buffers": own["ring"],
            "tso": "enabled",
            "checksum_rx": "enabled",
            "checksum_tx": "enabled",
            "lro": "enabled",
        }
    keywords = {keyword: str(row["default"]) for keyword, row in card["keywords"].items()}
    bindings = ("ms_tcpip", "ms_tcpip6", "ms_msclient", "ms_server", "ms_pacer", "ms_lltdio", "ms_rspndr", "ms_implat")
    return {
        "driver_version": card["driver"]["version"],
        "driver_date": card["driver"]["date"],
        "keywords": keywords,
        "mtu": 1500,
        "flow_control": "auto" if isoe else "rx_tx",
        **{key: _unset(card, key) for key in ("receive_buffers", "transmit_buffers")},
        "rss": "enabled",
        "rsc_ipv4": "enabled",
        "lso_ipv4": "enabled",
        "lso_ipv6": "enabled",
        "checksum_tcp_ipv4": "rx_tx",
        "tcp_connection_offload": "disabled",
        "interrupt_moderation": "enabled",
        "rss_queues": int(keywords.get("*NumRssQueues", "4")),
        "rdma": "enabled",
        "qos": "enabled",
        "netbios": 0,
        "ack_frequency": "",
        "no_delay": "",
        "vlan": 0,
        "bindings": {name: "disabled" if name == "ms_implat" else "enabled" for name in bindings},
    }


def _unset(card: Mapping[str, Any], key: str) -> int:
    row = card["keywords"].get("*ReceiveBuffers" if key == "receive_buffers" else "*TransmitBuffers")
    return int(row["default"]) if row else 0


def _esxi_driver_version(own: Mapping[str, Any], release: str) -> str:
    versions = {
        "bnx2x": {"5.5": "1.78.28.v55.2", "6.7": "2.713.30.v60.9"},
        "ixgbe": {"5.5": "3.18.7iov-NAPI", "6.7": "1.7.1.35-1vmw", "7.0": "1.7.1.41-1vmw", "8.0": "1.13.1.0-1vmw"},
        "igb": {"5.5": "5.0.5.1", "6.7": "1.4.1-1vmw", "7.0": "1.4.11.2-1vmw", "8.0": "1.10.2.0-1vmw"},
    }
    later = {"bnx2x": {"7.0": "1.4.8.0-1vmw", "8.0": "1.4.42.0-1vmw"}}
    return versions[own["driver"]].get(release) or later.get(own["driver"], {}).get(release, "1.0")


def _windows_state() -> State:
    return {
        "host": {
            "tcp.rss": "Enabled",
            "tcp.chimney": "Disabled",
            "tcp.rsc": "Enabled",
            "tcp.task_offload": "Enabled",
            "tcp.auto_tuning": "Normal",
            "tcp.delayed_ack_iscsi": "enabled",
            "kernel_debugger": False,
            "pending_reboot": False,
            "mpio.policy": "RR",
            # The state of this node in its cluster, the worst state of the others, and the number of running storage jobs.
            "cluster_node": "Up",
            "cluster_others": "Up",
            "storage_jobs": 0,
        },
        "initiators": {},
    }


def _esxi_state(spec: HostSpec, ports: Mapping[str, State]) -> State:
    san = [name for name, port in ports.items() if port["use"] == "san"]
    software = spec.data["initiator"] == "software"
    hba_names = ["vmhba64"] if software and spec.data["release"] in ("7.0", "8.0") else ["vmhba38"] if software else ["vmhba34", "vmhba35"]
    hba = {"delayed_ack": "enabled", "login_timeout_seconds": 5, "noop_out_interval_seconds": 15, "recovery_timeout_seconds": 10}
    vmks: dict[str, State] = {"vmk0": {"mtu": 1500, "portgroup": "Management Network", "vswitch": "vSwitch0", "uplink": "vmnic0"}}
    for index, name in enumerate(san, start=1):
        vmks[f"vmk{index}"] = {"mtu": 1500, "portgroup": f"iSCSI-{index}", "vswitch": "vSwitch1", "uplink": name}
    return {
        "host": {"net.lro": "enabled", "net.hw_tso": "enabled", "maintenance_mode": False, "lockdown": False},
        "initiators": {name: dict(hba) for name in hba_names},
        "vmks": vmks,
        "vswitches": {"vSwitch0": {"mtu": 1500, "uplinks": ["vmnic0"]}, "vSwitch1": {"mtu": 1500, "uplinks": san}},
    }
