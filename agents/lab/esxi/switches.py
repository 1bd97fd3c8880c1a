"""What the physical switches announce on each uplink of an ESXi lab host: CDP, since its virtual switches are standard ones.

Two switches for the SAN and one for the LAN; a host's own `cabling` names another (`vmnic3: san-sw-1`). The form is that of the CdpInfo
of the API as vim-cmd prints it; the address ranges, the time left and the number of announcements change from read to read.
"""

import time

from lab import identity
from lab.esxi.common import Answers
from lab.esxi.output_formats import text
from lab.host import LabHost

HINTS = "vim-cmd hostsvc/net/query_networkhint"
_PLATFORM = {"san": "N5K-C5548UP", "lan": "cisco WS-C3750X-48"}
# Hosts to a pair of switches.
_PORTS = 40
# What a Nexus can carry at most; a lower figure of the lab's network is announced as it is.
_LARGEST = 9216


def hints(host: LabHost) -> Answers:
    """One hint an uplink; a port without link heard nothing."""
    parts = [_hint(host, name, at) for at, name in enumerate(host.state["ports"])]
    return {HINTS: text("(vim.host.PhysicalNic.NetworkHint) [\n" + ", \n".join(parts) + "\n]\n")}


def switch_of(host: LabHost, name: str) -> str:
    """The switch that an uplink is cabled to."""
    given = (host.spec.data.get("cabling") or {}).get(name)
    if given:
        return str(given)
    pair = host.spec.number // _PORTS
    if host.state["ports"][name]["use"] != "san":
        return f"lan-sw-{pair + 1}"
    san = [each for each, port in host.state["ports"].items() if port["use"] == "san"]
    return f"san-sw-{2 * pair + san.index(name) % 2 + 1}"


def _hint(host: LabHost, name: str, at: int) -> str:
    heard = "null" if host.state["ports"][name]["link"] != "up" else _announced(host, name, at)
    seen = int(time.time()) // 60 % 200
    return (
        f'   (vim.host.PhysicalNic.NetworkHint) {{\n      device = "{name}", \n'
        "      subnet = (vim.host.PhysicalNic.NetworkHint.IpNetwork) [\n         (vim.host.PhysicalNic.NetworkHint.IpNetwork) {\n"
        f'            ipSubnet = "10.{seen}.0.1-10.{seen}.0.127", \n         }}\n      ], \n      network = <unset>, \n'
        f"      connectedSwitchPort = (vim.host.PhysicalNic.CdpInfo) {heard}, \n"
        "      lldpInfo = (vim.host.PhysicalNic.LldpInfo) null\n   }"
    )


def _announced(host: LabHost, name: str, at: int) -> str:
    switch = switch_of(host, name)
    use = "san" if host.state["ports"][name]["use"] == "san" else "lan"
    number = host.spec.number % _PORTS + 1
    # A second cable to the same switch has a port of its own.
    twice = [each for each in host.state["ports"] if switch_of(host, each) == switch].index(name)
    port = f"Ethernet{twice + 1}/{number}" if use == "san" else f"GigabitEthernet{twice + 1}/0/{number}"
    address = f"10.0.250.{int(identity.digest(switch)[:2], 16) % 200 + 10}"
    mtu = min(_LARGEST, int(host.state["switch_mtu"])) if use == "san" else 1500
    serial = identity.digest("switch", switch)[:11].upper()
    fields = {
        "cdpVersion": "0",
        "timeout": "60",
        "ttl": str(120 + int(time.time()) % 60),
        "samples": str(int(time.time()) // 60 % 100_000),
        "devId": f'"{switch}.corp.example.com({serial})"',
        "address": f'"{address}"',
        "portId": f'"{port}"',
        "softwareVersion": '"Cisco Nexus Operating System (NX-OS) Software, Version 5.2(1)N1(4)"',
        "hardwarePlatform": f'"{_PLATFORM[use]}"',
        "ipPrefix": '"0.0.0.0"',
        "ipPrefixLen": "0",
        "vlan": str(100 + at if use == "san" else 1),
        "fullDuplex": "true",
        "mtu": str(mtu),
        "systemName": f'"{switch}"',
        "systemOID": '""',
        "mgmtAddr": f'"{address}"',
        "location": '""',
    }
    return "{\n" + "".join(f"         {field} = {value}, \n" for field, value in fields.items()) + "      }"
