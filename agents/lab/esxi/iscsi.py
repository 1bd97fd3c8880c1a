"""The storage side of an ESXi lab host: initiators, port binding, sessions, devices and paths, frame probes."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from lab import identity
from lab.esxi.common import Answers, driver_of, mac_of, mtu_of
from lab.esxi.output_formats import Answer, no_such_command, records, refused, single, table, text
from lab.fleet import cards
from lab.host import LabHost


def hba_of(host: LabHost, index: int) -> str:
    """The iSCSI adapter that the SAN uplink of this index uses."""
    names = list(host.state["initiators"])
    return str(names[0] if len(names) == 1 else names[index])


def is_hardware(host: LabHost) -> bool:
    """The initiators are offload engines."""
    return bool(host.spec.data["initiator"] == "isoe")


def iqn_of(host: LabHost, hba: str) -> str:
    """Name of an initiator; the hardware initiators of a host share one, as those of one driver do."""
    is_software = hba in host.state["initiators"] and not is_hardware(host)
    mark = identity.digest("iqn", host.spec.name, "" if is_software else "hba")[:8]
    return f"iqn.1998-01.com.vmware:{host.spec.name}-{mark}"


def hbas(host: LabHost) -> dict[str, str]:
    """Every iSCSI adapter with the uplink that it sits on (empty: the software initiator): a Broadcom card of 10 Gb/s shows an HBA for
    each of its ports, used or unused."""
    san = [name for name, _ in host.ports("san")]
    if is_hardware(host):
        return {hba: san[index] for index, hba in enumerate(host.state["initiators"])}
    unused = [name for name, port in host.state["ports"].items() if port["card"] == "bcm57810"]
    return {**{f"vmhba{32 + index}": name for index, name in enumerate(unused)}, **dict.fromkeys(host.state["initiators"], "")}


def volumes(host: LabHost) -> list[tuple[str, str]]:
    """Volumes of the host: name and device id."""
    return [(volume, f"naa.{identity.naa(host.spec.group, volume)}") for volume in host.state["volumes"]]


def vmk_address(host: LabHost, vmk: str) -> str:
    """IPv4 address of a VMkernel interface."""
    index = list(host.state["vmks"]).index(vmk)
    if index == 0:
        return identity.lan_address(host.spec.group, host.spec.number)
    return identity.san_address(host.spec.group, host.spec.number, index - 1)


_AT_DEFAULTS = {"delayed_ack": "enabled", "login_timeout_seconds": 5, "noop_out_interval_seconds": 15, "recovery_timeout_seconds": 10}


def initiators(host: LabHost) -> Answers:
    """Adapters and targets, each with their parameters."""
    found: Answers = {}
    rows = []
    for hba, uplink in hbas(host).items():
        words = "Broadcom iSCSI Adapter" if uplink else "iSCSI Software Adapter"
        # From 5.5 and 7.0 with the software initiator; the state of an unused HBA from 5.5 U3 with bnx2i.
        is_used = hba in host.state["initiators"]
        driver, state = "bnx2i" if uplink else "iscsi_vmk", "online" if is_used else "unbound"
        rows.append({"Adapter": hba, "Driver": driver, "State": state, "UID": f"iscsi.{hba}", "Description": words})
        found[f"esxcli iscsi adapter get -A {hba}"] = _detail(host, hba, uplink, words)
        own = host.state["initiators"].get(hba, _AT_DEFAULTS)
        # From 5.0.
        found[f"esxcli iscsi adapter param get -A {hba}"] = table("IscsiAdapterParam", _parameters(own, inherit=False))
        for volume in host.state["volumes"] if is_used else ():
            for portal in identity.portals(host.spec.group):
                target = identity.target_iqn(host.spec.group, volume)
                found[f"esxcli iscsi adapter target portal param get -A {hba} -a {portal}:3260 -n {target}"] = table(
                    "IscsiTargetPortalParam", _parameters(own, inherit=True, overridden=overrides(host).get(f"{hba}>{target}", {}))
                )
    found["esxcli iscsi adapter list"] = table("IscsiAdapter", rows)
    # From 5.0.
    found["esxcli iscsi adapter target portal list"] = table(
        "IscsiTargetPortal",
        [
            {"Adapter": hba, "Target": identity.target_iqn(host.spec.group, volume), "IP": portal, "Port": 3260, "Tpgt": 1}
            for hba in host.state["initiators"]
            for volume in host.state["volumes"]
            for portal in identity.portals(host.spec.group)
        ],
    )
    # No output seen: known to fail where the firmware has no such table, the words are ours.
    found["esxcli iscsi ibftboot get"] = refused("Unable to get the iBFT boot information.")
    return found


def _detail(host: LabHost, hba: str, uplink: str, words: str) -> Answer:
    """From bnx2i of 5.x; of the software initiator the first five fields were seen (5.5)."""
    is_hba = bool(uplink)
    mac = mac_of(host, uplink) if is_hba else ""
    row = {
        "Name": iqn_of(host, hba),
        "Alias": f"bnx2i-{mac}" if is_hba else "",
        "Vendor": "VMware",
        "Model": words,
        "Description": words,
        "Serial Number": mac,
        "Hardware Version": "",
        "Asic Version": "",
        "Firmware Version": "",
        "Option Rom Version": "",
        "Driver Name": f"bnx2i-{uplink}" if is_hba else "iscsi_vmk",
        "Driver Version": "",
        "TCP Protocol Supported": False,
        "Bidirectional Transfers Supported": False,
        "Maximum Cdb Length": 64,
        "Can Be NIC": is_hba,
        "Is NIC": is_hba,
        "Is Initiator": True,
        "Is Target": False,
        "Using TCP Offload Engine": is_hba,
        "Using ISCSI Offload Engine": is_hba,
    }
    return single("IscsiAdapterDetail", row, title=hba)


def overrides(host: LabHost) -> dict[str, dict[str, str]]:
    """Parameters that a target has of its own: `vmhba>target` -> name -> text."""
    found: dict[str, dict[str, str]] = host.state.setdefault("targets", {})
    return found


def _parameters(own: dict[str, Any], *, inherit: bool, overridden: Mapping[str, str] = MappingProxyType({})) -> list[dict[str, Any]]:
    delayed = "true" if own["delayed_ack"] == "enabled" else "false"
    rows: list[tuple[str, Any, Any, Any, Any, bool]] = [
        ("ErrorRecoveryLevel", 0, 0, 0, 2, False),
        ("InitialLoginRetryMax", 4, 4, 0, 64, False),
        ("InitialR2T", "false", "false", "na", "na", False),
        ("FirstBurstLength", 262144, 262144, 512, 16777215, True),
        ("MaxBurstLength", 262144, 262144, 512, 16777215, True),
        ("MaxRecvDataSegment", 131072, 131072, 512, 16777215, True),
        ("MaxOutstandingR2T", 1, 1, 1, 8, True),
        ("MaxCmds", 128, 128, 2, 2048, False),
        ("ImmediateData", "true", "true", "na", "na", False),
        ("DefaultTime2Retain", 0, 0, 0, 60, False),
        ("DefaultTime2Wait", 2, 2, 0, 60, False),
        ("LoginTimeout", own["login_timeout_seconds"], 5, 1, 60, True),
        ("LogoutTimeout", 15, 15, 0, 60, False),
        ("NoopOutInterval", own["noop_out_interval_seconds"], 15, 1, 60, True),
        ("NoopOutTimeout", 10, 10, 10, 30, True),
        ("RecoveryTimeout", own["recovery_timeout_seconds"], 10, 1, 120, True),
        ("DelayedAck", delayed, "true", "na", "na", True),
        ("HeaderDigest", "prohibited", "prohibited", "na", "na", True),
        ("DataDigest", "prohibited", "prohibited", "na", "na", True),
    ]
    return [
        {
            "Name": name,
            "Current": overridden.get(name, str(now)),
            "Default": str(default),
            "Min": str(low),
            "Max": str(high),
            "Settable": settable,
            "Inherit": inherit and name not in overridden,
        }
        for name, now, default, low, high, settable in rows
    ]


def network(host: LabHost) -> Answers:
    """Port binding: which VMkernel interface an adapter uses, and whether its path is alive; and whatever else could be bound."""
    rows = [_binding(host, index, uplink, port) for index, (uplink, port) in enumerate(host.ports("san"))]
    logical, physical = [], []
    for hba, own in hbas(host).items():
        for vmk, state in host.state["vmks"].items():
            mac = identity.mac("005056", host.spec.name, vmk)
            row = {"Adapter": hba, "Vmknic": vmk, "MAC Address": ":".join(mac[at : at + 2] for at in range(0, 12, 2))}
            logical.append({**row, "MAC Address Valid": True, "Compliant": not own or state["uplink"] == own})
        for uplink, port in host.state["ports"].items():
            if own in ("", uplink):
                fastest = cards()[port["card"]]["speed"] // 1_000_000
                row = {"Adapter": hba, "Vmnic": uplink, "MAC Address": mac_of(host, uplink, ":"), "MAC Address Valid": True}
                speed = fastest if port["link"] == "up" else 0
                physical.append({**row, "Current Speed": speed, "Max Speed": fastest, "Max Frame Size": mtu_of(host, uplink)})
    return {
        # All three from 5.0 with the software initiator; that a hardware initiator lists its own port only was reported, not seen.
        "esxcli iscsi networkportal list": records("NetworkPortal", "Adapter", rows),
        "esxcli iscsi logicalnetworkportal list": table("LogicalNetworkPortal", logical),
        "esxcli iscsi physicalnetworkportal list": table("PhysicalNetworkPortal", physical),
    }


def _binding(host: LabHost, index: int, uplink: str, port: dict[str, Any]) -> dict[str, Any]:
    vmk = f"vmk{index + 1}"
    up, own = port["link"] == "up", host.state["vmks"][vmk]
    return {
        "Adapter": hba_of(host, index),
        "Vmknic": vmk,
        # That of the physical adapter, not of the interface.
        "MAC Address": mac_of(host, uplink, ":"),
        "MAC Address Valid": True,
        "IPv4": vmk_address(host, vmk),
        "IPv4 Subnet Mask": "255.255.255.0",
        "IPv6": "",
        "MTU": own["mtu"],
        "Vlan Supported": True,
        "Vlan ID": 0,
        "Reserved Ports": "63488~65536",
        "TOE": is_hardware(host),
        "TSO": True,
        "TCP Checksum": False,
        "Link Up": up,
        "Current Speed": cards()[port["card"]]["speed"] // 1_000_000 if up else 0,
        "Rx Packets": 0,
        "Tx Packets": 0,
        "NIC Driver": driver_of(host, uplink),
        "NIC Driver Version": port["driver_version"],
        "NIC Firmware Version": port["firmware_version"],
        "Compliant Status": "compliant",
        "NonCompliant Message": "",
        "NonCompliant Remedy": "",
        "Vswitch": own["vswitch"],
        "PortGroup": own["portgroup"],
        "VswitchUuid": "",
        "PortGroupKey": "",
        "PortKey": "",
        "Duplex": "Full" if up else "",
        "Path Status": "active" if up else "unused",
    }


def live_paths(host: LabHost) -> list[dict[str, Any]]:
    """Paths that are logged in, each with its session's id, addresses and runtime name."""
    found = []
    portals = identity.portals(host.spec.group)
    channels: dict[str, int] = {}
    for path in host.sessions():
        key = f"{path['volume']}/{hba_of(host, path['index'])}"
        channel = channels.get(key, 0)
        channels[key] = channel + 1
        hba = hba_of(host, path["index"])
        number = host.state["volumes"].index(path["volume"])
        found.append(
            {
                **path,
                "hba": hba,
                "channel": channel,
                "target": number,
                "isid": f"00023d0000{number * 8 + channel + 1:02x}",
                "portal": portals[(path["index"] + path["turn"]) % 2],
                "local": vmk_address(host, f"vmk{path['index'] + 1}"),
                "iqn": identity.target_iqn(host.spec.group, path["volume"]),
                "runtime": f"{hba}:C{channel}:T{number}:L0",
            }
        )
    return found


def sessions(host: LabHost) -> Answers:
    """Sessions and their connections, from 5.0."""
    rows, connections = [], []
    for path in live_paths(host):
        if not path["alive"]:
            continue
        rows.append(
            {
                "Session": f"{path['hba']},{path['iqn']},{path['isid']}",
                "Adapter": path["hba"],
                "Target": path["iqn"],
                "ISID": path["isid"],
                "TargetPortalGroupTag": 1,
                "AuthenticationMethod": "none",
                "DataPduInOrder": True,
                "DataSequenceInOrder": True,
                "DefaultTime2Retain": 0,
                "DefaultTime2Wait": 2,
                "ErrorRecoveryLevel": 0,
                "FirstBurstLength": 65536,
                "ImmediateData": True,
                "InitialR2T": True,
                "MaxBurstLength": 262144,
                "MaxConnections": 1,
                "MaxOutstandingR2T": 1,
                "TSIH": 14 + path["channel"],
            }
        )
        connections.append(
            {
                "Session": f"{path['hba']},{path['iqn']},{path['isid']},0",
                "Adapter": path["hba"],
                "Target": path["iqn"],
                "ISID": path["isid"],
                "CID": 0,
                "DataDigest": "NONE",
                "HeaderDigest": "NONE",
                "IFMarker": False,
                "IFMarkerInterval": 0,
                "MaxRecvDataSegmentLength": 131072,
                "MaxTransmitDataSegmentLength": 32768,
                "OFMarker": False,
                "OFMarkerInterval": 0,
                "ConnectionAddress": path["portal"],
                "RemoteAddress": path["portal"],
                "LocalAddress": path["local"],
                "SessionCreateTime": "11/20/26 18:59:57",
                "ConnectionCreateTime": "11/20/26 18:59:57",
                "ConnectionStartTime": "11/20/26 18:59:57",
                "State": "logged_in",
            }
        )
    return {
        "esxcli iscsi session list": _sessions("IscsiSession", rows),
        "esxcli iscsi session connection list": _sessions("IscsiConnection", connections),
    }


def _sessions(type_name: str, rows: list[dict[str, Any]]) -> Answer:
    """Text is headed by the session's name, which the structures do not carry."""
    bare = [{title: item for title, item in row.items() if title != "Session"} for row in rows]
    answer = records(type_name, "Adapter", bare)
    heads = [row["Session"] for row in rows]
    return _Headed("records", type_name, answer.rows, "Adapter", heads=tuple(heads))


class _Headed(Answer):
    """Records whose heading is not one of their fields."""

    def __init__(self, kind: str, type_name: str, rows: tuple[dict[str, Any], ...], head: str, *, heads: tuple[str, ...]) -> None:
        super().__init__(kind, type_name, rows, head)
        object.__setattr__(self, "heads", heads)

    def as_text(self) -> str:
        """Each block under its session's name."""
        heads: tuple[str, ...] = self.heads  # type: ignore[attr-defined]
        blocks = [Answer("single", self.type_name, (row,)).as_text() for row in self.rows]
        return "\n".join(f"{head}\n{block}" for head, block in zip(heads, blocks, strict=True))


def pings(host: LabHost) -> Answers:
    """As of 9.0: do-not-fragment pings from every bound VMkernel interface to every portal, for the sizes that probes use."""
    found: Answers = {}
    if is_hardware(host) and not host.state["vmks"]:
        return {"vmkping": no_such_command("vmkping")}
    for index, (_, port) in enumerate(host.ports("san")):
        vmk = f"vmk{index + 1}"
        own = int(host.state["vmks"][vmk]["mtu"])
        leaving = min(own, int(host.state["vswitches"][host.state["vmks"][vmk]["vswitch"]]["mtu"]))
        for portal in identity.portals(host.spec.group):
            carried = min(leaving, host.carried_to(portal))
            # Its own size, those that a person may probe, and the small one that distinguishes "too big" from "silent".
            for size in {own - 28, 1472, 8972, 56}:
                for count in (1, 2):
                    command = f"vmkping -d -c {count} -W 1 -s {size} -I {vmk} {portal}"
                    found[command] = _ping(portal, size, count, is_up=port["link"] == "up", largest=carried - 28, own=own - 28)
    return found


def _ping(portal: str, size: int, count: int, *, is_up: bool, largest: int, own: int) -> Answer:
    head = f"PING {portal} ({portal}): {size} data bytes\n"
    tail = f"--- {portal} ping statistics ---\n"
    if is_up and size <= largest:
        lines = "".join(f"{size + 8} bytes from {portal}: icmp_seq={at} ttl=64 time=0.{312 + at * 7} ms\n" for at in range(count))
        return text(
            f"{head}{lines}\n{tail}{count} packets transmitted, {count} packets received, 0% packet loss\n"
            "round-trip min/avg/max = 0.312/0.315/0.319 ms\n"
        )
    lines = "sendto() failed (Message too long)\n" * count if is_up and size > own else ""
    return Answer("error", text=f"{head}{lines}\n{tail}{count} packets transmitted, 0 packets received, 100% packet loss\n", exit=1)
