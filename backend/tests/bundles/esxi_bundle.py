"""A vm-support bundle of a recorded ESXi host: the same answers that an agent gets, in the files that the collector writes.

Outputs that the collector runs stand as they were recorded. What it does not run is written into the files that tell the same: the host's
API tree (`vmware-vimdump`), the lists of the esxcfg tools, the list of TCP connections.
"""

import json
from pathlib import Path

from plumbline.core.facts.esxi.entries import command_of
from plumbline.core.facts.esxi.readers import rows_of
from plumbline.core.facts.esxi.records import Record

REPOSITORY = Path(__file__).resolve().parents[3]
RECORDED = REPOSITORY / "agents" / "esxi" / "tests" / "recorded"
HOSTS = sorted(path.stem for path in RECORDED.glob("*.txt"))
COLLECTED = (
    "iscsi networkportal list",
    "iscsi logicalnetworkportal list",
    "iscsi physicalnetworkportal list",
    "storage nmp device list",
    "storage core path list",
    "storage core device list",
    "storage core adapter list",
    "storage nmp satp list",
    "software vib list",
    "software profile get",
)


class Recorded:
    """The recording of one host: outputs by command line, text where there is one."""

    def __init__(self, host: str) -> None:
        self.text: dict[str, str] = {}
        self.xml: dict[str, str] = {}
        for part in (RECORDED / f"{host}.txt").read_text("utf-8").split("==== ")[1:]:
            head, _, output = part.partition("\n")
            form, _, line = head.partition(" ")
            if form in ("text", "xml"):
                (self.text if form == "text" else self.xml)[line] = output

    def rows(self, line: str) -> list[Record]:
        """The records of an answer."""
        return rows_of(self.xml.get(line, "") or self.text.get(line, ""))

    def lines(self, words: str) -> list[str]:
        """The recorded command lines of one command."""
        return [line for line in self.xml if command_of(line).words == words]


def files_of(host: str) -> dict[str, bytes]:
    """Path below the top folder -> content."""
    recorded = Recorded(host)
    version = recorded.rows("esxcli system version get")[0]
    name = recorded.rows("esxcli system hostname get")[0]
    number, build = version.get("Version") or "", (version.get("Build") or "").rpartition("-")[2]
    full = ".".join(filter(None, (name.get("Host Name"), name.get("Domain Name"))))
    files = {
        "README": _readme(full),
        "action.log": "\n".join(f"Running localcli {words}" for words in COLLECTED),
        "error.log": "",
        "commands/vmware_-vl.txt": f"VMware ESXi {number} build-{build}\nVMware ESXi {number} GA\n\n",
        "commands/uname_-a.txt": f"VMkernel {full} {number} #1 SMP Release build-{build} Jan  1 2026 00:00:00 x86_64 x86_64 x86_64 ESXi\n",
        "commands/date.txt": "Mon Jan 12 13:56:01 UTC 2026\n",
        "commands/nicinfo.sh.txt": _nicinfo(recorded),
        "commands/esxcfg-vmknic_-l.txt": _vmknic(recorded),
        "commands/esxcfg-vswitch_-l.txt": _vswitch(recorded),
        "commands/esxcfg-route_-l.txt": _routes(recorded),
        "commands/localcli_network-ip-connection-list.txt": _connections(recorded),
        "commands/vmware-vimdump_-o----U-dcui.txt": dump_of(recorded),
        "commands/lspci_-p.txt": recorded.text.get("lspci -p", ""),
    }
    for words in COLLECTED:
        output = recorded.text.get(f"esxcli {words}") or ""
        if output.strip():
            files[f"commands/localcli_{words.replace(' ', '-')}.txt"] = output
    return {path: content.encode() for path, content in files.items() if content or path == "error.log"}


def _readme(name: str) -> str:
    return (
        "Command line: /bin/vm-support\n"
        f"Bundle name: esx-{name}-2026-01-12--13.56-2107676\n"
        "Captured on: 2026-01-12 13:56:02.104213\n"
        "vm-support version: v3.3\n"
        "Options: {'groups': '', 'manifests': 'default', 'stream': False, 'zip': False, 'obfuscate': False}\n"
    )


def _nicinfo(recorded: Recorded) -> str:
    blocks = ["Network Interface Cards Information.\n", recorded.text["esxcli network nic list"]]
    for line in recorded.lines("esxcli network nic get"):
        name = command_of(line).options["-n"]
        blocks.append(f"NIC:  {name}\n\n{recorded.text.get(line, '')}\nNIC statistics for {name}\n   Packets received: 1\n")
        rings = recorded.rows(f"esxcli network nic ring current get -n {name}")
        if rings:
            queues = "\n".join(f"   {side}xq0: ringSize={rings[0].get(side.upper() + 'X')}" for side in "rt")
            blocks.append(f"NIC Private statistics:\n{queues}\n")
    return "\n".join(blocks)


def _vmknic(recorded: Recorded) -> str:
    addresses = {row.get("Name"): row for row in recorded.rows("esxcli network ip interface ipv4 get")}
    lines = [
        "Interface  Port Group/DVPort/Opaque Network        IP Family IP Address                              Netmask         "
        "Broadcast       MAC Address       MTU     TSO MSS   Enabled Type                NetStack            "
    ]
    for row in recorded.rows("esxcli network ip interface list"):
        name = row.get("Name") or ""
        at = addresses.get(name)
        address, mask = (at.get("IPv4 Address"), at.get("IPv4 Netmask")) if at else ("N/A", "N/A")
        lines.append(
            f"{name:<10} {row.get('Portgroup') or '':<39} IPv4      {address:<39} {mask:<15} {'10.255.255.255':<15} "
            f"{row.get('MAC Address')} {row.get('MTU'):<7} 65535     {row.get('Enabled') or 'true':<7} STATIC              "
            f"{row.get('Netstack Instance') or 'defaultTcpipStack':<20}"
        )
    return "\n".join(lines) + "\n"


def _vswitch(recorded: Recorded) -> str:
    groups = recorded.rows("esxcli network vswitch standard portgroup list")
    lines = []
    for row in recorded.rows("esxcli network vswitch standard list"):
        name, uplinks = row.get("Name") or "", ",".join((row.get("Uplinks") or "").replace(" ", "").split(","))
        lines.append("Switch Name      Num Ports   Used Ports  Configured Ports  MTU     Uplinks")
        lines.append(f"{name:<16} 1536        5           128               {row.get('MTU'):<7} {uplinks}")
        lines.append("  PortGroup Name                            VLAN ID  Used Ports  Uplinks")
        lines.extend(
            f"  {group.get('Name'):<41} {group.get('VLAN ID'):<8} 1           {uplinks}"
            for group in groups
            if group.get("Virtual Switch") == name
        )
        lines.append("")
    return "\n".join(lines)


def _routes(recorded: Recorded) -> str:
    lines = ["VMkernel Routes:", "Network          Netmask          Gateway          Interface"]
    for row in recorded.rows("esxcli network ip route ipv4 list"):
        network = row.get("Network") or ""
        gateway = row.get("Gateway") or ""
        shown = "Local Subnet" if gateway in ("0.0.0.0", "") else gateway
        lines.append(f"{network:<16} {row.get('Netmask') or '0.0.0.0':<16} {shown:<16} {row.get('Interface')}")
    return "\n".join(lines) + "\n"


def _connections(recorded: Recorded) -> str:
    lines = [
        "Proto  Recv Q  Send Q  Local Address        Foreign Address      State        World ID  CC Algo  World Name",
        "-----  ------  ------  -------------------  -------------------  -----------  --------  -------  ----------",
        "tcp         0       0  127.0.0.1:80         127.0.0.1:18312      ESTABLISHED   2099243  newreno  rhttpproxy-IO",
    ]
    for number, row in enumerate(recorded.rows("esxcli iscsi session connection list")):
        remote = row.get("Remote Address") or row.get("Connection Address") or ""
        local = f"{row.get('Local Address')}:{40000 + number}"
        lines.append(f"tcp         0       0  {local:<19}  {remote + ':3260':<19}  ESTABLISHED   2097800  newreno  idle0")
    return "\n".join(lines) + "\n"


# --- The host's API tree --------------------------------------------------------------------------------------------------------------


def dump_of(recorded: Recorded, *, secrets: dict[str, str] | None = None) -> str:
    """What `vmware-vimdump` prints of the recorded host; `secrets` are put where real hosts have CHAP's."""
    machine = recorded.rows("esxcli hardware platform get")
    state = recorded.text.get("esxcli system maintenanceMode get", "").strip()
    name = recorded.rows("esxcli system hostname get")[0]
    tree = {
        "runtime": ("vim.host.RuntimeInfo", {"inMaintenanceMode": state == "Enabled"}),
        "hardware": (
            "vim.host.HardwareInfo",
            {
                "systemInfo": (
                    "vim.host.SystemInfo",
                    {"vendor": machine[0].get("Vendor Name"), "model": machine[0].get("Product Name"), "uuid": "44454c4c-0037-5810"},
                )
            }
            if machine
            else {},
        ),
        "config": (
            "vim.host.ConfigInfo",
            {
                "option": ("vim.option.OptionValue", [{"key": key, "value": value} for key, value in _options(recorded)]),
                "network": (
                    "vim.host.NetworkInfo",
                    {
                        "vswitch": (
                            "vim.host.VirtualSwitch",
                            [{"name": row.get("Name")} for row in recorded.rows("esxcli network vswitch standard list")],
                        ),
                        "portgroup": ("vim.host.PortGroup", list(_port_groups(recorded))),
                        "dnsConfig": ("vim.host.DnsConfig", {"hostName": name.get("Host Name"), "domainName": name.get("Domain Name")}),
                    },
                ),
                "storageDevice": (
                    "vim.host.StorageDeviceInfo",
                    {"hostBusAdapter": ("vim.host.HostBusAdapter", list(_adapters(recorded, secrets)))},
                ),
            },
        ),
    }
    printed = _printed("val", ("vim.HostSystem", tree), 0)
    return (
        f"Found 1 managed objects:\n1. vim.HostSystem::ha-host\n\n=============== 1. vim.HostSystem::ha-host ===============\n{printed}\n"
    )


def _options(recorded: Recorded) -> list[tuple[str, object]]:
    return [
        ((row.get("Path") or "").strip("/").replace("/", "."), int(row.get("Int Value") or 0))
        for line in recorded.lines("esxcli system settings advanced list")
        for row in recorded.rows(line)
    ]


def _port_groups(recorded: Recorded) -> list[dict[str, object]]:
    switches = {row.get("Name"): row.get("Virtual Switch") for row in recorded.rows("esxcli network vswitch standard portgroup list")}
    found: list[dict[str, object]] = []
    for line in recorded.lines("esxcli network vswitch standard portgroup policy failover get"):
        name = command_of(line).options["-p"]
        row = recorded.rows(line)[0]
        order = {
            f"{kind}Nic": ("str", [one.strip() for one in (row.get(f"{kind.title()} Adapters") or "").split(",") if one.strip()])
            for kind in ("active", "standby")
        }
        teaming = ("vim.host.NetworkPolicy.NicTeamingPolicy", {"nicOrder": ("vim.host.NetworkPolicy.NicOrderPolicy", order)})
        policy = ("vim.host.NetworkPolicy", {"nicTeaming": teaming})
        found.append(
            {"spec": ("vim.host.PortGroup.Specification", {"name": name, "vswitchName": switches.get(name)}), "computedPolicy": policy}
        )
    return found


def _adapters(recorded: Recorded, secrets: dict[str, str] | None) -> list[object]:
    found: list[object] = []
    portals = recorded.rows("esxcli iscsi adapter target portal list")
    keys = {"NoopOutInterval": "NoopInterval", "NoopOutTimeout": "NoopTimeout", "MaxCmds": "MaxCommands"}

    def options(line: str) -> tuple[str, list[dict[str, object]]]:
        listed = []
        for row in recorded.rows(line):
            text = row.get("Current") or ""
            value: object = text == "true" if text in ("true", "false") else int(text) if text.isdigit() else None
            if value is not None:
                inherited = row.get("Inherit")
                listed.append(
                    {
                        "key": keys.get(row.get("Name") or "", row.get("Name")),
                        "value": value,
                        "isInherited": inherited == "true" if inherited else None,
                    }
                )
        return "vim.host.InternetScsiHba.ParamValue", listed

    for row in recorded.rows("esxcli iscsi adapter list"):
        name = row.get("Adapter") or ""
        targets = []
        for portal in portals:
            if portal.get("Adapter") == name:
                target = portal.get("Target")
                address = f"{portal.get('IP')}:{portal.get('Port')}" if portal.get("Port") else portal.get("IP")
                line = f"esxcli iscsi adapter target portal param get -A {name} -a {address} -n {target}"
                targets.append(
                    {
                        "address": portal.get("IP"),
                        "port": int(portal.get("Port") or 3260),
                        "iScsiName": target,
                        "advancedOptions": options(line),
                    }
                )
        found.append(
            (
                "vim.host.InternetScsiHba",
                {
                    "device": name,
                    "driver": row.get("Driver"),
                    "iScsiName": row.get("UID"),
                    "authenticationProperties": (
                        "vim.host.InternetScsiHba.AuthenticationProperties",
                        secrets or {"chapAuthEnabled": False},
                    ),
                    "configuredStaticTarget": ("vim.host.InternetScsiHba.StaticTarget", targets),
                    "advancedOptions": options(f"esxcli iscsi adapter param get -A {name}"),
                },
            )
        )
    return found


def _printed(key: str, value: object, depth: int) -> str:
    pad = "   " * depth
    begin = f"{pad}{key} = " if key else pad
    if isinstance(value, tuple):
        kind, inner = value
        if isinstance(inner, list):
            if not inner:
                return f"{begin}({kind}) []"
            items = ",\n".join(_printed("", item if isinstance(item, str | tuple) else (kind, item), depth + 1) for item in inner)
            return f"{begin}({kind}) [\n{items}\n{pad}]"
        items = ",\n".join(_printed(name, item, depth + 1) for name, item in inner.items())
        return f"{begin}({kind}) {{\n{items}\n{pad}}}"
    if value is None:
        return f"{begin}<unset>"
    if isinstance(value, bool):
        return f"{begin}{str(value).lower()}"
    return f"{begin}{value}L" if isinstance(value, int) else f"{begin}{value!r}"


def as_json(text: str) -> str:
    """A text answer in the form of the collector's JSON: human labels, lists as lists."""
    found = []
    for record in rows_of(text):
        row: dict[str, object] = dict(record.fields())
        if record.has("Working Paths"):
            row["Working Paths"] = [one.strip() for one in (record.get("Working Paths") or "").split(",")]
        found.append(row)
    return json.dumps(found)
