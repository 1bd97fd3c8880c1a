"""Virtual switches and VMkernel interfaces of an ESXi lab host."""

from typing import Any

from lab import identity
from lab.esxi import iscsi
from lab.esxi.common import Answers, is_at_least
from lab.esxi.output_formats import records, single, table
from lab.host import LabHost


def vswitch(host: LabHost) -> Answers:
    """Switches, port groups and their teaming: lists from 5.0 and 6.5, class etherswitch reported of 5.x; no output of the policy seen."""
    vmks, switches = host.state["vmks"], host.state["vswitches"]
    groups = {name: [vmk["portgroup"] for vmk in vmks.values() if vmk["vswitch"] == name] for name in switches}
    groups["vSwitch0"] = [*groups["vSwitch0"], "VM Network"]
    rows = [
        {
            "Name": name,
            "Class": "cswitch" if is_at_least(host, "6.7") else "etherswitch",
            "Num Ports": 2816,
            "Used Ports": 2 * len(groups[name]) + 1,
            "Configured Ports": 128,
            "MTU": switch["mtu"],
            "CDP Status": "listen",
            "Beacon Enabled": False,
            "Beacon Interval": 1,
            "Beacon Threshold": 3,
            "Beacon Required By": [],
            "Uplinks": switch["uplinks"],
            "Portgroups": groups[name],
        }
        for name, switch in switches.items()
    ]
    answers: Answers = {
        "esxcli network vswitch standard list": records("VirtualSwitch", "Name", rows),
        "esxcli network vswitch dvs vmware list": records("VDSwitch", "Name", []),
        "esxcli network vswitch standard portgroup list": table(
            "PortGroup",
            [{"Name": group, "Virtual Switch": name, "Active Clients": 1, "VLAN ID": 0} for name in switches for group in groups[name]],
        ),
    }
    for vmk in vmks.values():
        unused = [uplink for uplink in switches[vmk["vswitch"]]["uplinks"] if uplink != vmk["uplink"]]
        answers[f"esxcli network vswitch standard portgroup policy failover get -p {vmk['portgroup']}"] = single(
            "PortGroupFailoverPolicy",
            {
                "Load Balancing": "srcport",
                "Network Failure Detection": "link",
                "Notify Switches": True,
                "Failback": True,
                "Active Adapters": [vmk["uplink"]],
                "Standby Adapters": [],
                "Unused Adapters": unused,
                "Override Vswitch Load Balancing": False,
                "Override Vswitch Network Failure Detection": False,
                "Override Vswitch Notify Switches": False,
                "Override Vswitch Failback": False,
                "Override Vswitch Uplinks": True,
            },
        )
    return answers


def vmkernel(host: LabHost) -> Answers:
    """VMkernel interfaces from 5.x and 9.0, addresses from 5.0 and 6.7, routes from 9.0."""
    rows, addresses = [], []
    for number, (name, vmk) in enumerate(host.state["vmks"].items()):
        mac = identity.mac("005056", host.spec.name, name)
        row: dict[str, Any] = {
            "Name": name,
            "MAC Address": ":".join(mac[at : at + 2] for at in range(0, 12, 2)),
            "Enabled": True,
            "Portset": vmk["vswitch"],
            "Portgroup": vmk["portgroup"],
        }
        if is_at_least(host, "6.7"):
            row["Netstack Instance"] = "defaultTcpipStack"
        row |= {"VDS Name": "N/A", "VDS UUID": "N/A", "VDS Port": "N/A", "VDS Connection": -1}
        if is_at_least(host, "6.7"):
            row |= {"Opaque Network ID": "N/A", "Opaque Network Type": "N/A", "External ID": "N/A"}
        row |= {"MTU": vmk["mtu"], "TSO MSS": 65535}
        if is_at_least(host, "8.0"):
            row["RXDispQueue Size"] = 4
        rows.append({**row, "Port ID": 33554434 + number})
        address = iscsi.vmk_address(host, name)
        addresses.append(
            {
                "Name": name,
                "IPv4 Address": address,
                "IPv4 Netmask": "255.255.255.0",
                "IPv4 Broadcast": address.rsplit(".", 1)[0] + ".255",
                "Address Type": "STATIC",
                **({"Gateway": identity.gateway(host.spec.group) if name == "vmk0" else "0.0.0.0"} if is_at_least(host, "6.7") else {}),
                "DHCP DNS": False,
            }
        )
    lan = identity.lan_address(host.spec.group, host.spec.number).rsplit(".", 1)[0]
    routes = [
        {"Network": "default", "Netmask": "0.0.0.0", "Gateway": identity.gateway(host.spec.group), "Interface": "vmk0", "Source": "MANUAL"},
        {"Network": f"{lan}.0", "Netmask": "255.255.255.0", "Gateway": "0.0.0.0", "Interface": "vmk0", "Source": "MANUAL"},
    ]
    return {
        "esxcli network ip interface list": records("VmknicInterface", "Name", rows),
        "esxcli network ip interface ipv4 get": table("IPv4Interface", addresses),
        "esxcli network ip route ipv4 list": table("Route", routes),
    }
