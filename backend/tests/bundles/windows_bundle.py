"""Windows bundles of a recorded host: the rows that an agent reads, printed as Get-NetView and Get-SDDCDiagnosticInfo write them."""

import json
from typing import Any
from xml.sax.saxutils import escape

from plumbline.core.facts.captures.check_in import read_check_in
from plumbline.infra.resources import SCHEMA
from tests.bundles.archives import zipped

SAMPLES = SCHEMA / "samples" / "windows"
HOSTS = sorted(path.stem for path in SAMPLES.glob("*.checkin"))
Row = dict[str, Any]
# Cmdlets that Get-NetView runs once for each adapter, into that adapter's folder.
PER_ADAPTER = (
    *("Get-NetAdapter", "Get-NetAdapterHardwareInfo", "Get-NetAdapterAdvancedProperty", "Get-NetAdapterBinding"),
    *(
        "Get-NetAdapterChecksumOffload",
        "Get-NetAdapterLso",
        "Get-NetAdapterRss",
        "Get-NetAdapterRsc",
        "Get-NetAdapterQos",
        "Get-NetAdapterRdma",
    ),
)
PLACES = {
    "Get-NetOffloadGlobalSetting": "",
    "Get-VMSwitch": "",
    "Get-VMNetworkAdapter": "",
    "Get-NetLbfoTeam": "",
    "Get-NetLbfoTeamMember": "",
    "Get-NetIPAddress": "",
    "Get-NetTCPSetting": "NetIp/",
    "Get-NetTransportFilter": "NetIp/",
    "Get-NetIPInterface": "NetIp/",
    "Get-NetRoute": "NetIp/",
    "Get-NetQosPolicy": "NetQoS/",
    "Get-NetQosFlowControl": "NetQoS/",
    "Get-NetQosTrafficClass": "NetQoS/",
    "Get-NetQosDcbxSetting": "NetQoS/",
}
IN_SDDC = (
    *("Get-NetAdapter", "Get-NetAdapterAdvancedProperty", "Get-NetAdapterBinding", "Get-NetAdapterChecksumOffload", "Get-NetAdapterLso"),
    *(
        "Get-NetAdapterRdma",
        "Get-NetAdapterRsc",
        "Get-NetAdapterRss",
        "Get-NetLbfoTeam",
        "Get-NetLbfoTeamMember",
        "Get-NetOffloadGlobalSetting",
    ),
    *("Get-NetQosPolicy", "Get-NetTCPSetting", "Get-NetTCPConnection", "Get-NetIPAddress", "Get-Disk", "Get-WindowsFeature"),
    *("Win32_OperatingSystem", "Win32_ComputerSystem"),
)


class Host:
    """The reads of one recorded host."""

    def __init__(self, name: str) -> None:
        _, sections, _ = read_check_in((SAMPLES / f"{name}.checkin").read_bytes())
        self.reads: dict[str, dict[str, Any]] = {}
        for section, reading in sections.items():
            body = json.loads(reading.body or b"{}")
            self.reads |= {("offers" if section == "property_catalogue" else command): read for command, read in body.items()}

    def rows(self, command: str) -> list[Row]:
        """The rows of one cmdlet, as the cmdlet has them."""
        if command == "Get-NetAdapterAdvancedProperty":
            return self._properties()
        return list(self.reads.get(command, {}).get("rows", []))

    def status(self, command: str) -> str:
        return str(self.reads.get(command, {}).get("status", ""))

    @property
    def name(self) -> str:
        return str(self.rows("Win32_ComputerSystem")[0]["Name"])

    def _properties(self) -> list[Row]:
        adapters = {row["InterfaceGuid"].lower(): row for row in self.rows("Get-NetAdapter")}
        offers = {(row["ComponentID"], row["DriverVersion"]): row["keywords"] for row in self.reads.get("offers", {}).get("rows", [])}
        found = []
        for row in self.reads["Get-NetAdapterAdvancedProperty"]["rows"]:
            adapter = adapters.get(row["InterfaceGuid"].lower(), {})
            known = offers.get((adapter.get("ComponentID"), adapter.get("DriverVersion")), {})
            for keyword, value in row["properties"].items():
                instance = f"{row['InterfaceGuid']}::{keyword}"
                found.append(
                    {"Name": adapter.get("Name"), "InstanceID": instance, "RegistryKeyword": keyword, "RegistryValue": value}
                    | known.get(keyword, {})
                )
        return found


# --- Get-NetView ----------------------------------------------------------------------------------------------------------------------


def net_view(host: Host, *, registry: bool = True, width: int = 4096) -> dict[str, bytes]:
    """The files of `msdbg.<computer>`, as they lie in its zip."""
    files: dict[str, str] = {}
    system, computer = host.rows("Win32_OperatingSystem")[0], host.rows("Win32_ComputerSystem")[0]
    info = {
        "OsName": system["Caption"],
        "OsVersion": system["Version"],
        "OsBuildNumber": system["BuildNumber"],
        "CsName": computer["Name"],
        "CsDomain": computer["Domain"],
        "CsManufacturer": computer["Manufacturer"],
        "CsModel": computer["Model"],
    }
    files["Get-ComputerInfo.txt"] = _framed(host, "Get-ComputerInfo", listed([info], width))
    for adapter in host.rows("Get-NetAdapter"):
        folder = f"pNIC.{adapter['ifIndex']}.{adapter['Name']}.{adapter['InterfaceDescription']}".replace("/", "_")
        for command in PER_ADAPTER:
            if host.status(command) != "ok":
                continue
            mine = [row for row in host.rows(command) if row.get("Name") == adapter["Name"]]
            run = f'{command} -Name "{adapter["Name"]}" -IncludeHidden | Format-List -Property *'
            files[f"{folder}/{command}.txt"] = _framed(host, run, listed(mine, width))
    files["Get-NetAdapter.txt"] = _framed(
        host, "Get-NetAdapter -IncludeHidden | Format-List -Property *", listed(host.rows("Get-NetAdapter"), width)
    )
    for command, place in PLACES.items():
        failed = "" if host.status(command) == "ok" else "[Unavailable]\n"
        files[f"{place}{command}.txt"] = _framed(host, f"{command} | Format-List -Property *", failed or listed(host.rows(command), width))
    files["NetIp/Get-NetTCPConnection.txt"] = _framed(host, "Get-NetTCPConnection | Format-Table -AutoSize", _connections(host))
    files["_Localhost/ServicesDrivers/dism.txt"] = _framed(host, "dism /online /get-features", _features(host))
    found = {path: content.replace("\n", "\r\n").encode() for path, content in files.items()}
    if registry:
        found["_Localhost/RegistryFiles.zip"] = zipped({"hklm.reg": registry_of(host).encode("utf-16")})
    return found


def _framed(host: Host, run: str, printed: str) -> str:
    return f"Administrator @ {host.name}:\nPS C:\\Windows\\system32> {run}\n{printed}\n\n"


def listed(rows: list[Row], width: int = 4096) -> str:
    """`Format-List`: what does not fit into the window goes on below, under the value."""
    lines: list[str] = []
    for row in rows:
        lines.append("")
        column = max(map(len, row))
        for name, value in (row | {"CimClass": "ROOT/StandardCimv2:Anything"}).items():
            text = printed(value)
            room = width - column - 3
            lines.append(f"{name:<{column}} : {text[:room]}")
            while text := text[room:]:
                lines.append(" " * (column + 3) + text[:room])
    return "\n".join(lines)


def printed(value: object) -> str:
    """A value as Format-List prints it: at most four members of an array."""
    if value is None:
        return ""
    if isinstance(value, list):
        return "{" + ", ".join(printed(one) for one in value[:4]) + ("..." if len(value) > 4 else "") + "}"
    return str(value)


def _features(host: Host) -> str:
    names = {"Multipath-IO": "MultipathIo", "Hyper-V": "Microsoft-Hyper-V", "Data-Center-Bridging": "DataCenterBridging"}
    lines = ["", "Deployment Image Servicing and Management tool", "Version: 10.0.20348.1", "", "Features listing for package : x", ""]
    for row in host.rows("Get-WindowsFeature"):
        if row["Name"] in names:
            lines += [
                f"Feature Name : {names[row['Name']]}",
                f"State : {'Enabled' if row['InstallState'] == 'Installed' else 'Disabled'}",
                "",
            ]
    return "\n".join(lines)


def _connections(host: Host) -> str:
    titles = ("LocalAddress", "LocalPort", "RemoteAddress", "RemotePort", "State", "AppliedSetting", "OwningProcess")
    other = {"LocalAddress": "192.168.20.12", "RemoteAddress": "192.168.20.9", "RemotePort": 445, "AppliedSetting": "Internet"}
    rows = [
        {"LocalPort": 49700 + at, "State": "Established", "OwningProcess": 4} | row
        for at, row in enumerate([*host.rows("Get-NetTCPConnection"), other])
    ]
    cells = [[str(row.get(title, "")) for title in titles] for row in rows]
    widths = [max([len(title), *(len(line[at]) for line in cells)]) for at, title in enumerate(titles)]
    table = [list(titles), ["-" * len(title) for title in titles], *cells]
    return "\n".join(" ".join(cell.ljust(widths[at]) for at, cell in enumerate(line)).rstrip() for line in table)


def registry_of(host: Host, extra: str = "") -> str:
    """The export of HKEY_LOCAL_MACHINE, of which the wanted keys are a small part."""
    base = "[HKEY_LOCAL_MACHINE\\SYSTEM\\CurrentControlSet\\Services"
    lines = ["Windows Registry Editor Version 5.00", "", "[HKEY_LOCAL_MACHINE\\SOFTWARE\\Other]", '"Value"="text"', ""]
    for row in host.rows("registry:Tcpip/Parameters/Interfaces"):
        lines += [f"{base}\\Tcpip\\Parameters\\Interfaces\\{_braced(row['InterfaceGuid'])}]", '"EnableDHCP"=dword:00000000']
        for name in ("TcpAckFrequency", "TcpNoDelay", "TcpDelAckTicks"):
            if row.get(name, {}).get("state") == "present":
                lines.append(f'"{name}"=dword:{int(row[name]["value"]):08x}')
        lines.append("")
    for row in host.rows("Win32_NetworkAdapterConfiguration"):
        if row.get("TcpipNetbiosOptions") is not None:
            lines += [
                f"{base}\\NetBT\\Parameters\\Interfaces\\Tcpip_{row['SettingID']}]",
                f'"NetbiosOptions"=dword:{int(row["TcpipNetbiosOptions"]):08x}',
                "",
            ]
    for row in host.rows("Get-Cluster"):
        lines += ["[HKEY_LOCAL_MACHINE\\Cluster]", f'"ClusterName"="{row["Name"]}"', f'"S2DEnabled"=dword:{_s2d(host):08x}', ""]
    return "\r\n".join(lines) + extra


def _s2d(host: Host) -> int:
    return int(any(row.get("State") == "Enabled" for row in host.rows("Get-ClusterStorageSpacesDirect")))


def _braced(guid: str) -> str:
    return "{" + guid.strip("{}") + "}"


# --- Get-SDDCDiagnosticInfo -----------------------------------------------------------------------------------------------------------


def sddc(host: Host, *, nested: bool = False) -> dict[str, bytes]:
    """The files of the zip for a cluster of this one node; `nested` puts its Get-NetView zip into the node's folder."""
    node = f"Node_{host.name}.storage.example"
    files = {
        "0_CloudHealthGatherTranscript.log": b"transcript",
        "GetParameters.XML": clixml([{"TodayDate": "2026-03-02T09:15:00.1234567+01:00"}]),
        f"{node}/SystemInfo.TXT": "Host Name: x\r\n".encode("utf-16"),
    }
    for command in IN_SDDC:
        if host.status(command) == "ok":
            more = [{"LocalAddress": "192.168.20.12", "RemoteAddress": "192.168.20.9", "RemotePort": 445}] if "TCPConn" in command else []
            files[f"{node}/{command.replace('-', '')}.xml"] = clixml([*host.rows(command), *more])
    if host.rows("Get-Cluster"):
        files["GetCluster.XML"] = clixml([row | {"S2DEnabled": _s2d(host)} for row in host.rows("Get-Cluster")])
        files["GetClusterNode.XML"] = clixml(host.rows("Get-ClusterNode"))
    if nested:
        files[f"{node}/GetNetView/msdbg.{host.name}-2026.03.02_09.10.00.zip"] = zipped(net_view(host))
    return files


def clixml(rows: list[Row]) -> bytes:
    """Export-Clixml of Windows PowerShell: UTF-16 with a byte order mark."""
    objects = []
    for number, row in enumerate(rows):
        leaves = "".join(_leaf(name, value) for name, value in row.items())
        objects.append(
            f'<Obj RefId="{number}"><TN RefId="0"><T>Microsoft.Management.Infrastructure.CimInstance</T></TN><ToString>x</ToString>'
            f'<Props>{leaves}</Props><MS><Obj N="__ClassMetadata" RefId="{number + 9000}"><LST /></Obj></MS></Obj>'
        )
    text = '<Objs Version="1.1.0.1" xmlns="http://schemas.microsoft.com/powershell/2004/04">' + "".join(objects) + "</Objs>"
    return text.encode("utf-16")


def _leaf(name: str, value: object) -> str:
    at = f' N="{escape(name)}"' if name else ""
    if value is None:
        return f"<Nil{at} />"
    if isinstance(value, bool):
        return f"<B{at}>{str(value).lower()}</B>"
    if isinstance(value, int):
        return f"<I64{at}>{value}</I64>"
    if isinstance(value, list):
        return f"<Obj{at}><LST>{''.join(_leaf('', one) for one in value)}</LST></Obj>"
    if isinstance(value, dict):
        return f"<Obj{at}><Props>{''.join(_leaf(str(key), one) for key, one in value.items())}</Props></Obj>"
    return f"<S{at}>{escape(str(value)).replace(chr(10), '_x000A_')}</S>"
