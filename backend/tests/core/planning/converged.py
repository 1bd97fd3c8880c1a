"""An ESXi 7.0 host with two uplinks that carry everything, as its commands print it: management, vMotion and iSCSI on one switch.

Each iSCSI port uses one uplink alone, as port binding needs it; management uses both, vMotion one.
"""

# The tables are as wide as real ones.
# ruff: noqa: E501

import json
from dataclasses import dataclass, field

from plumbline.core.facts.assemble import Assembled, assemble
from plumbline.core.facts.configuration import SectionReading

MACS = ("043f72aa0010", "043f72aa0011")
TARGETS = ("iqn.2001-05.com.equallogic:0-af1ff6-1f0a4c205-000000a1-vol-a", "iqn.2001-05.com.equallogic:0-af1ff6-1f0a4c205-000000a2-vol-b")
NICS = """\
Name    PCI Device    Driver  Admin Status  Link Status  Speed  Duplex  MAC Address         MTU  Description
------  ------------  ------  ------------  -----------  -----  ------  -----------------  ----  -----------
vmnic2  0000:3b:00.0  ixgben  Up            Up           10000  Full    04:3f:72:aa:00:10  9000  Intel(R) 82599 10 Gigabit Dual Port Network Connection
vmnic3  0000:3b:00.1  ixgben  Up            Up           10000  Full    04:3f:72:aa:00:11  9000  Intel(R) 82599 10 Gigabit Dual Port Network Connection
"""
LSPCI = """\
0000:3b:00.0 8086:10fb 8086:000c 255/   /     A V ixgben       vmnic2
0000:3b:00.1 8086:10fb 8086:000c 255/   /     A V ixgben       vmnic3
"""
PAUSE = """\
NIC     Pause Params Supported  Pause RX  Pause TX  Auto Negotiation  Auto Negotiation Resolution Avail  RX Auto Negotiation Resolution  TX Auto Negotiation Resolution
------  ----------------------  --------  --------  ----------------  ---------------------------------  ------------------------------  ------------------------------
vmnic2                    true     false     false             false                              false                           false                           false
vmnic3                    true     false     false             false                              false                           false                           false
"""
ROUTES = """\
Network      Netmask        Gateway      Interface  Source
-----------  -------------  -----------  ---------  ------
default      0.0.0.0        192.0.2.1    {manager}       MANUAL
192.0.2.0    255.255.255.0  0.0.0.0      {manager}       MANUAL
"""


@dataclass(frozen=True)
class Port:
    """A VMkernel port: its port group, switch, address, frame size, the uplinks that its port group names, and its TCP/IP stack."""

    group: str
    address: str
    active: str
    standby: str = ""
    switch: str = "vSwitch0"
    mtu: int = 1500
    stack: str = "defaultTcpipStack"


MANAGEMENT = Port("Management Network", "192.0.2.21", "vmnic2, vmnic3")
VMOTION = Port("vMotion", "198.51.100.21", "vmnic3", "vmnic2")
SAN = {"vmk2": Port("iSCSI-1", "203.0.113.21", "vmnic2"), "vmk3": Port("iSCSI-2", "203.0.113.22", "vmnic3")}


@dataclass
class Converged:
    """The host. `ports` by name; `switches`: name -> (MTU, uplinks); `lost`: command lines that failed."""

    ports: dict[str, Port] = field(default_factory=lambda: {"vmk0": MANAGEMENT, "vmk1": VMOTION, **SAN})
    switches: dict[str, tuple[int, str]] = field(default_factory=lambda: {"vSwitch0": (1500, "vmnic2, vmnic3")})
    manager: str = "vmk0"
    lost: frozenset[str] = frozenset()

    def read(self) -> Assembled:
        """What the program makes of its outputs."""
        return assemble("esxi", {name: SectionReading("ok", json.dumps(self._kept(reads)).encode()) for name, reads in self._all().items()})

    def _kept(self, reads: dict[str, str]) -> dict[str, object]:
        failed = {"status": "failed", "format": "text", "exit": 1, "output": "", "error": "Connection to the host agent failed"}
        return {
            line: failed if line in self.lost else {"status": "ok", "format": "text", "exit": 0, "output": text}
            for line, text in reads.items()
        }

    def _all(self) -> dict[str, dict[str, str]]:
        return {
            "system": {
                "esxcli system version get": "   Product: VMware ESXi\n   Version: 7.0.3\n   Build: Releasebuild-20036589\n   Update: 3\n   Patch: 50\n",
                "esxcli system maintenanceMode get": "Disabled\n",
                "esxcli iscsi ibftboot get": "",
            },
            "nics": {"esxcli network nic list": NICS, "lspci -p": LSPCI},
            "nic_tuning": {"esxcli network nic pauseParams list": PAUSE},
            "vswitch": self._switches(),
            "vmkernel": self._vmkernel(),
            "iscsi": self._iscsi(),
            "paths": self._paths(),
        }

    def _switches(self) -> dict[str, str]:
        groups = {name: [port.group for port in self.ports.values() if port.switch == name] for name in self.switches}
        listed = "\n".join(
            f"{name}\n   Name: {name}\n   Class: cswitch\n   Num Ports: 5632\n   Used Ports: 9\n   Configured Ports: 128\n   MTU: {mtu}\n"
            f"   CDP Status: listen\n   Uplinks: {uplinks}\n   Portgroups: {', '.join([*groups[name], 'VM Network'])}\n"
            for name, (mtu, uplinks) in self.switches.items()
        )
        policies = {
            f"esxcli network vswitch standard portgroup policy failover get -p {port.group!r}".replace("'", '"'): (
                "   Load Balancing: srcport\n   Network Failure Detection: link\n   Notify Switches: true\n   Failback: true\n"
                f"   Active Adapters: {port.active}\n   Standby Adapters: {port.standby}\n   Unused Adapters:\n"
            )
            for port in self.ports.values()
        }
        return {"esxcli network vswitch standard list": listed, "esxcli network vswitch dvs vmware list": "", **policies}

    def _vmkernel(self) -> dict[str, str]:
        interfaces = "\n".join(
            f"{name}\n   Name: {name}\n   MAC Address: 00:50:56:6a:00:{at:02d}\n   Enabled: true\n   Portset: {port.switch}\n   Portgroup: {port.group}\n"
            f"   Netstack Instance: {port.stack}\n   VDS Name: N/A\n   VDS UUID: N/A\n   MTU: {port.mtu}\n   TSO MSS: 65535\n"
            for at, (name, port) in enumerate(self.ports.items())
        )
        addresses = "Name  IPv4 Address   IPv4 Netmask   IPv4 Broadcast  Address Type  Gateway    DHCP DNS\n"
        addresses += "----  -------------  -------------  --------------  ------------  ---------  --------\n"
        addresses += "".join(
            f"{name}  {port.address:13}  255.255.255.0  {port.address.rpartition('.')[0]}.255    STATIC        192.0.2.1     false\n"
            for name, port in self.ports.items()
        )
        return {
            "esxcli network ip interface list": interfaces,
            "esxcli network ip interface ipv4 get": addresses,
            "esxcli network ip route ipv4 list": ROUTES.format(manager=self.manager),
        }

    def _sessions(self) -> list[tuple[str, str, str]]:
        """(target, ISID, local address) of each session: every target over both iSCSI ports."""
        local = [port.address for port in self.ports.values() if port.group.startswith("iSCSI")]
        return [(target, f"00023d0000{at + 1}{number}", local[at % len(local)]) for number, target in enumerate(TARGETS) for at in range(2)]

    def _iscsi(self) -> dict[str, str]:
        bound = "\n".join(
            f"vmhba64\n   Adapter: vmhba64\n   Vmknic: {name}\n   MAC Address: 04:3f:72:aa:00:{10 + int(port.active[-1]) - 2}\n   MAC Address Valid: true\n"
            f"   IPv4: {port.address}\n   Compliant Status: compliant\n   Vswitch: {port.switch}\n   PortGroup: {port.group}\n   MTU: {port.mtu}\n"
            for name, port in self.ports.items()
            if port.group.startswith("iSCSI-")
        )
        sessions, connections = [], []
        for target, isid, local in self._sessions():
            head = f"   Adapter: vmhba64\n   Target: {target}\n   ISID: {isid}\n"
            sessions.append(f"vmhba64,{target},{isid}\n{head}   TargetPortalGroupTag: 1\n")
            connections.append(
                f"vmhba64,{target},{isid},0\n{head}   CID: 0\n   ConnectionAddress: 203.0.113.100\n   RemoteAddress: 203.0.113.100\n"
                f"   LocalAddress: {local}\n   State: logged_in\n"
            )
        adapters = "Adapter  Driver     State   UID            Description\n-------  ---------  ------  -------------  -----------\n"
        adapters += "vmhba64  iscsi_vmk  online  iscsi.vmhba64  iSCSI Software Adapter\n"
        return {
            "esxcli iscsi adapter list": adapters,
            "esxcli iscsi networkportal list": bound,
            "esxcli iscsi session list": "\n".join(sessions),
            "esxcli iscsi session connection list": "\n".join(connections),
        }

    def _paths(self) -> dict[str, str]:
        listed, devices = [], []
        for number, target in enumerate(TARGETS):
            device = f"naa.6090a0781f0a4c20500000000000a10{number}"
            mine = [(isid, f"vmhba64:C{at}:T{number}:L0") for at, (of, isid, _) in enumerate(self._sessions()) if of == target]
            for isid, runtime in mine:
                uid = f"iqn.1998-01.com.vmware:esx-c1-{isid},{target},t,1-{device}"
                listed.append(
                    f"{uid}\n   UID: {uid}\n   Runtime Name: {runtime}\n   Device: {device}\n   Device Display Name: EQLOGIC iSCSI Disk ({device})\n"
                    f"   Adapter: vmhba64\n   Target Identifier: {isid},{target},t,1\n   LUN: 0\n   Plugin: NMP\n   State: active\n   Transport: iscsi\n"
                )
            devices.append(
                f"{device}\n   Device Display Name: EQLOGIC iSCSI Disk ({device})\n   Storage Array Type: VMW_SATP_EQL\n"
                f"   Path Selection Policy: VMW_PSP_RR\n   Working Paths: {', '.join(runtime for _, runtime in mine)}\n"
            )
        return {"esxcli storage core path list": "\n".join(listed), "esxcli storage nmp device list": "\n".join(devices)}
