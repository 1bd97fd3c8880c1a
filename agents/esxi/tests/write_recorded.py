"""Writes `recorded/<host>.txt`: what the commands of one ESXi host print, in each release's own formats, command after command.

The shapes are those of real outputs (column titles and their order, indentation, XML namespace, PCI notation): each answer names the
release whose output it was made from; "no output seen" where there was none, and the form is the documentation's. The figures are ours,
modelled on the test beds of the papers. Run `python3 agents/esxi/tests/write_recorded.py` after a change here; the files are what the
stand-in commands answer with, and what a reviewer reads.
"""

import json
import shlex
from dataclasses import dataclass, field
from pathlib import Path
from xml.sax.saxutils import escape

HERE = Path(__file__).resolve().parent
NAMESPACE = "http://www.vmware.com/Products/ESX/5.0/esxcli"
Value = str | int | bool | list[str] | dict[str, "Value"]


def camel(title: str) -> str:
    return "".join(word[0].upper() + word[1:] for word in title.split())


def said(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return ", ".join(value)
    return str(value)


def leaf(value: Value, indent: str) -> str:
    if isinstance(value, dict):
        return structure("", value, indent)
    if isinstance(value, list):
        inner = "".join(f"{indent}   <string>{escape(item)}</string>\n" for item in value)
        return f'{indent}<list type="string">\n{inner}{indent}</list>\n'
    kind = "boolean" if isinstance(value, bool) else "integer" if isinstance(value, int) else "string"
    return f"{indent}<{kind}>{escape(said(value))}</{kind}>\n"


def structure(kind: str, row: dict[str, Value], indent: str) -> str:
    fields = "".join(
        f'{indent}   <field name="{camel(title)}">\n{leaf(value, indent + "      ")}{indent}   </field>\n' for title, value in row.items()
    )
    return f'{indent}<structure typeName="{kind}">\n{fields}{indent}</structure>\n'


def document(inner: str) -> str:
    return f'<?xml version="1.0" encoding="utf-8"?>\n<output xmlns="{NAMESPACE}">\n<root>\n{inner}</root>\n</output>\n'


def rows_xml(kind: str, rows: list[dict[str, Value]]) -> str:
    return document('   <list type="structure">\n' + "".join(structure(kind, row, "      ") for row in rows) + "   </list>\n")


def table_text(rows: list[dict[str, Value]], titles: list[str]) -> str:
    if not rows:
        return ""
    widths = {title: max([len(title)] + [len(said(row[title])) for row in rows]) for title in titles}

    def cell(title: str, row: dict[str, Value]) -> str:
        value = row[title]
        is_figure = isinstance(value, int) and not isinstance(value, bool)
        return said(value).rjust(widths[title]) if is_figure else said(value).ljust(widths[title])

    lines = ["  ".join(title.ljust(widths[title]) for title in titles).rstrip(), "  ".join("-" * widths[title] for title in titles)]
    lines += ["  ".join(cell(title, row) for title in titles).rstrip() for row in rows]
    return "\n".join(lines) + "\n"


def records_text(rows: list[tuple[str, dict[str, Value]]]) -> str:
    parts = []
    for heading, row in rows:
        lines = [heading] if heading else []
        for title, value in row.items():
            if isinstance(value, dict):
                lines.append(f"   {title}:")
                lines += [f"         {name}: {said(item)}" for name, item in value.items()]
            else:
                lines.append(f"   {title}: {said(value)}")
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


@dataclass
class Nic:
    name: str
    pci: str
    driver: str
    mac: str
    speed: int
    mtu: int
    description: str
    ids: str
    version: str
    firmware: str
    pause: tuple[bool, bool, bool]  # receive, transmit, auto-negotiation
    ring: tuple[int, int, int, int]  # RX, TX, most RX, most TX


@dataclass
class Session:
    vmhba: str
    volume: int
    isid: str
    local: str
    remote: str
    path: str
    state: str = "active"


@dataclass
class Machine:
    """One recorded host."""

    folder: str
    release: str
    version: str
    build: str
    name: str
    nics: list[Nic]
    vswitches: list[tuple[str, int, list[str], list[str]]]  # name, MTU, uplinks, port groups
    vmks: list[tuple[str, str, str, str, int, str]]  # name, port group, vSwitch, address, MTU, MAC
    failover: dict[str, tuple[list[str], list[str], list[str]]]  # port group -> active, standby, unused
    vmhbas: list[tuple[str, str, str, str]]  # name, driver, IQN, description
    bound: list[tuple[str, str, str]]  # vmhba, vmk, vmnic
    delayed_ack: bool
    login_timeout: int
    volumes: list[tuple[str, str, int]]  # id, name, MB
    sessions: list[Session]
    reach: dict[str, int]  # "vmk>portal" -> largest L3 size that gets through; absent: silent
    psp: str = "VMW_PSP_RR"
    iops: int = 1000
    lro_enabled: int = 1
    modules: dict[str, list[dict[str, Value]]] = field(default_factory=dict)
    vibs: list[dict[str, Value]] = field(default_factory=list)
    model: tuple[str, str] = ("Dell Inc.", "PowerEdge R620")
    target_inherits: bool = True
    local_hpp: bool = False


GROUP_ADDRESS = "10.10.10.10"
VENDOR_TARGET = "iqn.2001-05.com.equallogic:0-8a0906-"


class Writer:
    """Collects what one host's commands print: `==== <form> <command line>`, then the output."""

    def __init__(self) -> None:
        self.parts: list[str] = []

    def _add(self, form: str, words: str | list[str], output: str) -> None:
        command = words if isinstance(words, str) else shlex.join(words)
        self.parts.append(f"==== {form} {command}\n{output}")

    def text(self, words: str | list[str], output: str) -> None:
        self._add("text", words, output)

    def both(self, words: str | list[str], xml: str, text: str) -> None:
        self._add("xml", words, xml)
        self._add("text", words, text)

    def table(self, words: str | list[str], kind: str, rows: list[dict[str, Value]], titles: list[str] | None = None) -> None:
        self.both(words, rows_xml(kind, rows), table_text(rows, titles or (list(rows[0]) if rows else [])))

    def records(self, words: str | list[str], kind: str, rows: list[tuple[str, dict[str, Value]]]) -> None:
        self.both(words, rows_xml(kind, [row for _, row in rows]), records_text(rows))

    def single(self, words: str | list[str], kind: str, row: dict[str, Value]) -> None:
        self.both(words, document(structure(kind, row, "   ")), records_text([("", row)]))

    def titled(self, words: str | list[str], kind: str, title: str, row: dict[str, Value]) -> None:
        """One structure under a heading of its own."""
        self.both(words, document(structure(kind, row, "   ")), records_text([(title, row)]))

    def headed(self, words: str | list[str], kind: str, rows: list[dict[str, Value]], head: str) -> None:
        """Blocks under the value of a field that the text does not repeat below."""
        text = [(said(row[head]), {title: value for title, value in row.items() if title != head}) for row in rows]
        self.both(words, rows_xml(kind, rows), records_text(text))

    def refusal(self, words: str | list[str], text: str) -> None:
        """What a command prints that ends with exit code 1."""
        self._add("fail", words, text)

    def value(self, words: str | list[str], value: Value) -> None:
        self.both(words, document(leaf(value, "   ")), said(value) + "\n")


def old_pci(pci: str) -> str:
    """5.5 writes the bus with three digits."""
    segment, bus, rest = pci.split(":")
    return f"{segment}:0{bus}:{rest}"


def native_pci(pci: str) -> str:
    """Native drivers show the function behind a colon."""
    return ":".join(pci.rsplit(".", 1))


PARAMETERS: list[tuple[str, Value, Value, Value, Value, bool]] = [
    ("ErrorRecoveryLevel", 0, 0, 0, 2, False),
    ("InitialLoginRetryMax", 4, 4, 0, 64, False),
    ("InitialR2T", False, False, "na", "na", False),
    ("FirstBurstLength", 262144, 262144, 512, 16777215, True),
    ("MaxBurstLength", 262144, 262144, 512, 16777215, True),
    ("MaxRecvDataSegment", 131072, 131072, 512, 16777215, True),
    ("MaxOutstandingR2T", 1, 1, 1, 8, True),
    ("MaxCmds", 128, 128, 2, 2048, False),
    ("ImmediateData", True, True, "na", "na", False),
    ("DefaultTime2Retain", 0, 0, 0, 60, False),
    ("DefaultTime2Wait", 2, 2, 0, 60, False),
    ("LoginTimeout", 5, 5, 1, 60, True),
    ("LogoutTimeout", 15, 15, 0, 60, False),
    ("NoopOutInterval", 15, 15, 1, 60, True),
    ("NoopOutTimeout", 10, 10, 10, 30, True),
    ("RecoveryTimeout", 10, 10, 1, 120, True),
    ("DelayedAck", True, True, "na", "na", True),
    ("HeaderDigest", "prohibited", "prohibited", "na", "na", True),
    ("DataDigest", "prohibited", "prohibited", "na", "na", True),
]


def parameters(machine: Machine, vmhba: str, *, inherit: bool) -> list[dict[str, Value]]:
    own = {"DelayedAck": machine.delayed_ack, "LoginTimeout": machine.login_timeout}
    return [
        {
            "Adapter": vmhba,
            "Name": name,
            "Current": said(own.get(name, current)),
            "Default": said(default),
            "Min": said(low),
            "Max": said(high),
            "Settable": settable,
            "Inherit": inherit,
        }
        for name, current, default, low, high, settable in PARAMETERS
    ]


def write(machine: Machine) -> None:
    out = Writer()
    is_55 = machine.release == "5.5"
    is_8 = machine.release == "8.0"
    write_system(machine, out)
    write_nics(machine, out, is_55=is_55, is_8=is_8)
    write_switches(machine, out)
    write_iscsi(machine, out)
    write_paths(machine, out)
    for name, listed in machine.modules.items():
        out.table(f"esxcli system module parameters list -m {name}", "ModuleParameter", listed)
        out.single(
            f"esxcli system module get -m {name}",
            "Module",
            {
                "Module": name,
                "Version": next((nic.version for nic in machine.nics if nic.driver == name), "1.0"),
                "Signed Status": "VMware Signed",
            },
        )
    base: Value = "PartnerSupported"
    vibs: list[dict[str, Value]] = [
        {
            "Name": "esx-base",
            "Version": f"{machine.version}-0.0.{machine.build}",
            "Vendor": "VMware",
            "Acceptance Level": base,
            "Install Date": "2026-01-14",
        }
    ]
    platforms: dict[str, Value] = {"Platforms": "host"} if is_8 else {}
    out.table("esxcli software vib list", "VibSummary", [{**vib, **platforms} for vib in vibs + machine.vibs])
    if any(vib["Name"] == "dell-eql-routed-psp" for vib in machine.vibs):
        # From 5.0 with MEM 1.1.2.
        out.table(
            "esxcli equallogic stat summary",
            "Summary",
            [
                {
                    "DeviceId": device.partition(".")[2].upper(),
                    "VolumeName": name,
                    "PathCount": 2,
                    "Reads": 2573,
                    "Writes": 30,
                    "KBRead": 20429,
                    "KBWritten": 14,
                }
                for device, name, _ in machine.volumes
            ],
        )
    out.single(
        "esxcli software profile get",
        "ImageProfile",
        {"Name": f"ESXi-{machine.version}-{machine.build}-standard", "Vendor": "VMware, Inc.", "Acceptance Level": "PartnerSupported"},
    )
    # How far a do-not-fragment ping gets: "interface>portal" -> largest L3 size; a pair that is not named stays silent.
    out.text("reach", json.dumps(machine.reach, sort_keys=True) + "\n")
    folder = HERE / "recorded"
    folder.mkdir(exist_ok=True)
    (folder / (machine.folder + ".txt")).write_text("".join(out.parts), "utf-8")


def write_system(machine: Machine, out: Writer) -> None:
    """Version from 5.5 U3, 6.7 and 9.0, name from 9.0, lockdown from 5.x, advanced settings from 6.0; of the summary no output was seen."""
    update = machine.version.split(".")[2]
    out.single(
        "esxcli system version get",
        "Version",
        {
            "Product": "VMware ESXi",
            "Version": machine.version,
            "Build": f"Releasebuild-{machine.build}",
            "Update": update,
            **({} if machine.release == "5.5" else {"Patch": "0"}),
        },
    )
    out.single(
        "esxcli system hostname get",
        "FullyQualifiedHostName",
        {"Domain Name": "lab.example", "Fully Qualified Domain Name": f"{machine.name}.lab.example", "Host Name": machine.name},
    )
    # From 9.0.
    out.titled(
        "esxcli hardware platform get",
        "PlatformInfo",
        "Platform Information",
        {
            "UUID": "0x4c 0x4c 0x45 0x44 0x0 0x37 0x58 0x10 0x80 0x4b 0xb4 0xc0 0x4f 0x4d 0x30 0x32",
            "Product Name": machine.model[1],
            "Vendor Name": machine.model[0],
            "Serial Number": "7XK2M02",
            "Enclosure Serial Number": "7XK2M02",
            "BIOS Asset Tag": "",
            "IPMI Supported": True,
        },
    )
    out.value("esxcli system maintenanceMode get", "Disabled")
    out.text("vim-cmd -U dcui vimsvc/auth/lockdown_is_enabled", "false\n")
    cores = 12
    out.text(
        "vim-cmd hostsvc/hostsummary",
        "Listsummary:\n\n(vim.host.Summary) {\n   hardware = (vim.host.Summary.HardwareSummary) {\n      cpuMhz = 1999,\n      numCpuCores = "
        f'{cores},\n   }},\n   runtime = (vim.host.RuntimeInfo) {{\n      connectionState = "connected",\n      inMaintenanceMode = false,\n   }},\n'
        "   quickStats = (vim.host.Summary.QuickStats) {\n      overallCpuUsage = 2399,\n      uptime = 864000,\n   },\n   rebootRequired = false,\n}\n",
    )
    out.value("esxcli system stats uptime get", 864000123456)
    # No output seen: it is known to fail on hosts whose firmware has no such table, the words are ours.
    out.refusal("esxcli iscsi ibftboot get", "Unable to get the iBFT boot information.\n")
    lines = "tcp {\n   sndtotal:771234567\n   sndpack:123456789\n   sndrexmitpack:4321\n   rcvtotal:661234567\n}\n"
    out.text("vsish -e get /net/tcpip/instances/defaultTcpipStack/stats/tcp", lines)
    for name, value, default in (
        ("TcpipDefLROEnabled", machine.lro_enabled, 1),
        ("UseHwTSO", 1, 1),
        ("UseHwTSO6", 1, 1),
        ("TcpipDefLROMaxLength", 32768, 32768),
    ):
        out.records(
            f"esxcli system settings advanced list -o /Net/{name}",
            "SettingsAdvancedOption",
            [
                (
                    "",
                    {
                        "Path": f"/Net/{name}",
                        "Type": "integer",
                        "Int Value": value,
                        "Default Int Value": default,
                        "Min Value": 0,
                        "Max Value": 1 if default == 1 else 65535,
                        "String Value": "",
                        "Default String Value": "",
                        "Valid Characters": "",
                        "Description": f"{name} of the TCP/IP stack",
                    },
                )
            ],
        )


def write_nics(machine: Machine, out: Writer, *, is_55: bool, is_8: bool) -> None:
    """List from 5.5 and 6.7, its structures from 8.0; details from 5.5 with bnx2x, with igbn (release unknown) and from 9.0; pauseParams
    from 8.0 with a ConnectX-5; tso from 6.5; software and ethtool -k from 6.0; ethtool -i from 5.5 U3; statistics, ring current and
    coalesce, of an unknown release.
    No output was seen of ring preset, cso, sg and the other forms of ethtool."""
    rows: list[dict[str, Value]] = []
    for nic in machine.nics:
        up = "Up" if nic.speed else "Down"
        duplex = "Full" if nic.speed else "Half"
        row: dict[str, Value] = {"Name": nic.name, "PCI Device": old_pci(nic.pci) if is_55 else nic.pci, "Driver": nic.driver}
        row |= {"Link": up} if is_55 else {"Admin Status": "Up", "Link Status": up}
        row |= {"Speed": nic.speed, "Duplex": duplex, "MAC Address": nic.mac, "MTU": nic.mtu, "Description": nic.description}
        rows.append(row)
    # The structures show more than the text (8.0).
    more: dict[str, Value] = {"DPU Id": "N/A"} if is_8 else {}
    structures = [row if is_55 else {**row, "Link": row["Link Status"], **more} for row in rows]
    out.both("esxcli network nic list", rows_xml("Nic", structures), table_text(rows, list(rows[0])))
    write_hints(machine, out)
    lspci = ["Seg:Bu:Sl.F Vend:Dvid Subv:ISvid ISA/irq/Vec P M Module       Name"]
    for position, nic in enumerate(machine.nics):
        rx, tx, auto = nic.pause
        lspci.append(f"{nic.pci} {nic.ids} {nic.ids.split(':')[0]}:1006 11/   /0x{32 + position:x} A V {nic.driver:<12} {nic.name}")
        out.single(
            f"esxcli network nic get -n {nic.name}",
            "NicInfo",
            {
                "Advertised Auto Negotiation": auto,
                "Advertised Link Modes": ["10000BaseT/Full"] if nic.speed >= 10000 else ["Auto", "1000BaseT/Full", "100BaseT/Full"],
                "Auto Negotiation": auto,
                **({"Backing DPUId": "N/A"} if is_8 else {}),
                "Cable Type": "FIBRE" if nic.speed >= 10000 else "Twisted Pair",
                "Current Message Level": 0,
                "Driver Info": {
                    "Bus Info": nic.pci if is_55 else native_pci(nic.pci),
                    "Driver": nic.driver,
                    "Firmware Version": nic.firmware,
                    "Version": nic.version,
                },
                "Link Detected": bool(nic.speed),
                "Link Status": "Up " if nic.speed else "Down ",
                "Name": nic.name,
                "PHYAddress": 1,
                "Pause Autonegotiate": auto,
                "Pause RX": rx,
                "Pause TX": tx,
                "Supported Ports": ["FIBRE"] if nic.speed >= 10000 else ["TP"],
                "Supports Auto Negotiation": True,
                "Supports Pause": True,
                "Supports Wakeon": False,
                "Transceiver": "internal",
                **({} if is_55 else {"Virtual Address": "00:00:00:00:00:00"}),
                "Wakeon": "None",
            },
        )
        base = 5271156 * (position + 1)
        out.both(
            f"esxcli network nic stats get -n {nic.name}",
            document(structure("NicStatistics", {"Nic Name": nic.name, **_statistics(base)}, "   ")),
            f"NIC statistics for {nic.name}\n" + records_text([("", _statistics(base))]),
        )
        onoff = {True: "on", False: "off"}
        if is_55 or machine.release == "6.7":
            out.text(
                f"ethtool -i {nic.name}",
                f"driver: {nic.driver}\nversion: {nic.version}\nfirmware-version: {nic.firmware}\nbus-info: {nic.pci}\n",
            )
            out.text(
                f"ethtool -k {nic.name}",
                f"Offload parameters for {nic.name}:\nrx-checksumming: on\ntx-checksumming: on\nscatter-gather: on\ntcp segmentation offload: on\n"
                "udp fragmentation offload: off\ngeneric segmentation offload: off\n",
            )
        if is_55:
            out.text(
                f"ethtool -a {nic.name}",
                f"Pause parameters for {nic.name}:\nAutonegotiate:\t{onoff[auto]}\nRX:\t\t{onoff[rx]}\nTX:\t\t{onoff[tx]}\n\n",
            )
            out.text(
                f"ethtool -g {nic.name}",
                f"Ring parameters for {nic.name}:\nPre-set maximums:\nRX:\t\t{nic.ring[2]}\nRX Mini:\t0\nRX Jumbo:\t0\nTX:\t\t{nic.ring[3]}\n"
                f"Current hardware settings:\nRX:\t\t{nic.ring[0]}\nRX Mini:\t0\nRX Jumbo:\t0\nTX:\t\t{nic.ring[1]}\n\n",
            )
            out.text(
                f"ethtool -c {nic.name}",
                f"Coalesce parameters for {nic.name}:\nAdaptive RX: off  TX: off\nrx-usecs: 25\nrx-frames: 0\ntx-usecs: 50\ntx-frames: 0\n\n",
            )
            out.text(
                f"ethtool -S {nic.name}",
                f"NIC statistics:\n     rx_packets: 1000\n     rx_pause_frames: {17 * (position + 1)}\n     tx_pause_frames: {3 * position}\n",
            )
        else:
            out.text(
                f"vsish -e get /net/pNics/{nic.name}/stats",
                f"device {{\n   -- General Statistics:\n   Rx Packets:1000\n   rx_pause_frames:{17 * (position + 1)}\n   tx_pause_frames:{3 * position}\n}}\n",
            )
            out.single(
                f"esxcli network nic ring current get -n {nic.name}",
                "RingInfo",
                {"RX": nic.ring[0], "RX Mini": 0, "RX Jumbo": 0, "TX": nic.ring[1]},
            )
            out.single(
                f"esxcli network nic ring preset get -n {nic.name}",
                "RingInfo",
                {"Max RX": nic.ring[2], "Max RX Mini": 0, "Max RX Jumbo": 0, "Max TX": nic.ring[3]},
            )
    out.text("lspci -p", "\n".join(lspci) + "\n")
    if not is_55:
        out.table(
            "esxcli network nic pauseParams list",
            "PauseParams",
            [
                {
                    "NIC": nic.name,
                    "Pause Params Supported": True,
                    "Pause RX": nic.pause[0],
                    "Pause TX": nic.pause[1],
                    "Auto Negotiation": nic.pause[2],
                    "Auto Negotiation Resolution Avail": False,
                    "RX Auto Negotiation Resolution": False,
                    "TX Auto Negotiation Resolution": False,
                }
                for nic in machine.nics
            ],
        )
        out.table("esxcli network nic tso get", "TSO", [{"NIC": nic.name, "Value": "on"} for nic in machine.nics])
        out.table(
            "esxcli network nic cso get",
            "CSO",
            [{"NIC": nic.name, "RX Checksum Offload": "on", "TX Checksum Offload": "on"} for nic in machine.nics],
        )
        out.table(
            "esxcli network nic sg get",
            "SG",
            [{"NIC": nic.name, "Scatter Gather": "on", "Scatter Gather MP": "on"} for nic in machine.nics],
        )
        out.table(
            "esxcli network nic software list",
            "SoftwareSimulation",
            [{"NIC": nic.name, **dict.fromkeys(SOFTWARE_FEATURES, "off")} for nic in machine.nics],
        )
        out.table(
            "esxcli network nic coalesce get",
            "Coalesce",
            [
                {
                    "NIC": nic.name,
                    "RX microseconds": micro,
                    "RX maximum frames": frames,
                    "TX microseconds": micro,
                    "TX Maximum frames": frames,
                    "Adaptive RX": adaptive,
                    "Adaptive TX": adaptive,
                    "Sample interval seconds": frames,
                }
                for nic in machine.nics
                for micro, frames, adaptive in [("N/A", "N/A", "N/A") if nic.speed < 10000 else ("3", "15", "Off")]
            ],
        )


# From 6.0.
SOFTWARE_FEATURES = (
    "IPv4 CSO,IPv4 TSO,Scatter Gather,Offset Based Offload,VXLAN Encap,Geneve Offload,IPv6 TSO,IPv6 TSO Ext,IPv6 CSO,IPv6 CSO Ext,"
    "High DMA,Scatter Gather MP,VLAN Tagging,VLAN Untagging"
).split(",")
# With an Intel adapter, of an unknown release.
COUNTED = (
    "Multicast packets received,Broadcast packets received,Multicast packets sent,Broadcast packets sent,Total receive errors,"
    "Receive length errors,Receive over errors,Receive CRC errors,Receive frame errors,Receive FIFO errors,Receive missed errors,"
    "Total transmit errors,Transmit aborted errors,Transmit carrier errors,Transmit FIFO errors,Transmit heartbeat errors,"
    "Transmit window errors"
).split(",")


def write_hints(machine: Machine, out: Writer) -> None:
    """CDP by the fields of the API's CdpInfo, in the form of an output of 5.x with a 2960G; of a release's own form no output was seen.

    A port without link heard nothing, and so does the first port of 6.7: its switch announces nothing.
    """
    hints = []
    for position, nic in enumerate(machine.nics):
        is_heard = nic.speed and not (machine.release == "6.7" and position == 0)
        switch = f"san-sw-{position % 2 + 1}" if nic.speed >= 10000 else "lan-sw-1"
        hints.append(
            f'   (vim.host.PhysicalNic.NetworkHint) {{\n      device = "{nic.name}",\n'
            "      subnet = (vim.host.PhysicalNic.NetworkHint.IpNetwork) [\n         (vim.host.PhysicalNic.NetworkHint.IpNetwork) {\n"
            '            vlanId = 0,\n            ipSubnet = "10.10.10.1-10.10.10.127",\n         }\n      ],\n      network = <unset>,\n'
            + ("      connectedSwitchPort = (vim.host.PhysicalNic.CdpInfo) " + (_announced(switch, nic) if is_heard else "null") + ",\n")
            + "      lldpInfo = (vim.host.PhysicalNic.LldpInfo) null\n   }"
        )
    out.text(
        "vim-cmd hostsvc/net/query_networkhint", "(vim.host.PhysicalNic.NetworkHint) [\n" + ",\n".join(hints) + "\n]\n"
    )


def _announced(switch: str, nic: Nic) -> str:
    is_san = nic.speed >= 10000
    fields: dict[str, Value] = {
        "cdpVersion": 2, "timeout": 0, "ttl": 129, "samples": 75216, "devId": f"{switch}.lab.example(SSI1634042A)", "address": "10.0.0.21",
        "portId": f"Ethernet1/{nic.name[-1]}", "softwareVersion": "Cisco Nexus Operating System (NX-OS) Software",
        "hardwarePlatform": "N5K-C5548UP", "ipPrefix": "0.0.0.0", "ipPrefixLen": 0, "vlan": 110 if is_san else 1, "fullDuplex": True,
        "mtu": 9216 if is_san else 0, "systemName": switch if is_san else "", "systemOID": "", "mgmtAddr": "10.0.0.21", "location": "",
    }  # fmt: skip
    lines = [f'         {name} = {f"{chr(34)}{value}{chr(34)}" if isinstance(value, str) else said(value)},\n' for name, value in fields.items()]
    return "{\n" + "".join(lines) + "      }"


def _statistics(base: int) -> dict[str, Value]:
    return {
        "Packets received": base // 700,
        "Packets sent": base // 800,
        "Bytes received": base,
        "Bytes sent": base * 7,
        "Receive packets dropped": 0,
        "Transmit packets dropped": 0,
        **dict.fromkeys(COUNTED, 0),
    }


def write_switches(machine: Machine, out: Writer) -> None:
    """Switches and port groups from 5.0 and 6.5, interfaces from 5.x and 9.0, addresses from 5.0 and 6.7, routes from 9.0; of the failover
    policy no output was seen."""
    out.records(
        "esxcli network vswitch standard list",
        "VirtualSwitch",
        [
            (
                name,
                {
                    "Name": name,
                    "Class": "etherswitch" if machine.release == "5.5" else "cswitch",
                    "Num Ports": 2816,
                    "Used Ports": 5,
                    "Configured Ports": 128,
                    "MTU": mtu,
                    "CDP Status": "listen",
                    "Beacon Enabled": False,
                    "Beacon Interval": 1,
                    "Beacon Threshold": 3,
                    "Beacon Required By": [],
                    "Uplinks": uplinks,
                    "Portgroups": groups,
                },
            )
            for name, mtu, uplinks, groups in machine.vswitches
        ],
    )
    out.both("esxcli network vswitch dvs vmware list", rows_xml("VDSwitch", []), "")
    out.table(
        "esxcli network vswitch standard portgroup list",
        "PortGroup",
        [
            {"Name": group, "Virtual Switch": name, "Active Clients": 1, "VLAN ID": 10 if name == "vSwitch1" else 0}
            for name, _, _, groups in machine.vswitches
            for group in groups
        ],
    )
    for group, (active, standby, unused) in machine.failover.items():
        out.single(
            ["esxcli", "network", "vswitch", "standard", "portgroup", "policy", "failover", "get", "-p", group],
            "PortGroupFailoverPolicy",
            {
                "Load Balancing": "srcport",
                "Network Failure Detection": "link",
                "Notify Switches": True,
                "Failback": True,
                "Active Adapters": active,
                "Standby Adapters": standby,
                "Unused Adapters": unused,
                "Override Vswitch Load Balancing": False,
            },
        )
    # From 5.x, and from 9.0 what later releases added.
    has_stack = machine.release != "5.5"
    opaque: dict[str, Value] = {"Opaque Network ID": "N/A", "Opaque Network Type": "N/A", "External ID": "N/A"}
    out.records(
        "esxcli network ip interface list",
        "NetworkInterface",
        [
            (
                name,
                {
                    "Name": name,
                    "MAC Address": mac,
                    "Enabled": True,
                    "Portset": switch,
                    "Portgroup": group,
                    **({"Netstack Instance": "defaultTcpipStack"} if has_stack else {}),
                    "VDS Name": "N/A",
                    "VDS UUID": "N/A",
                    "VDS Port": "N/A",
                    "VDS Connection": -1,
                    **(opaque if has_stack else {}),
                    "MTU": mtu,
                    "TSO MSS": 65535,
                    **({"RXDispQueue Size": 4} if machine.release == "8.0" else {}),
                    "Port ID": 33554435 + position,
                },
            )
            for position, (name, group, switch, _, mtu, mac) in enumerate(machine.vmks)
        ],
    )
    out.table(
        "esxcli network ip interface ipv4 get",
        "IPv4Interface",
        [
            {
                "Name": name,
                "IPv4 Address": address,
                "IPv4 Netmask": "255.255.255.0",
                "IPv4 Broadcast": address.rsplit(".", 1)[0] + ".255",
                "Address Type": "STATIC",
                **({"Gateway": "192.168.50.1" if name == "vmk0" else "0.0.0.0"} if has_stack else {}),
                "DHCP DNS": False,
            }
            for name, _, _, address, _, _ in machine.vmks
        ],
    )
    routes: list[dict[str, Value]] = [
        {"Network": "default", "Netmask": "0.0.0.0", "Gateway": "192.168.50.1", "Interface": "vmk0", "Source": "MANUAL"}
    ]
    routes += [
        {
            "Network": address.rsplit(".", 1)[0] + ".0",
            "Netmask": "255.255.255.0",
            "Gateway": "0.0.0.0",
            "Interface": name,
            "Source": "MANUAL",
        }
        for name, _, _, address, _, _ in machine.vmks
    ]
    out.table("esxcli network ip route ipv4 list", "IPv4Route", routes)


def port_of(machine: Machine, vmhba: str) -> Nic | None:
    """The port that a hardware initiator sits on; None for the software initiator."""
    driver = next(driver for name, driver, _, _ in machine.vmhbas if name == vmhba)
    if driver == "iscsi_vmk":
        return None
    hbas = [name for name, driver, _, _ in machine.vmhbas if driver != "iscsi_vmk"]
    return [nic for nic in machine.nics if nic.driver == "bnx2x"][hbas.index(vmhba)]


def adapter_detail(machine: Machine, vmhba: str, driver: str, iqn: str, text: str) -> dict[str, Value]:
    """From bnx2i of 5.x; of the software initiator the first five fields were seen (5.5)."""
    port = port_of(machine, vmhba)
    mac = port.mac.replace(":", "") if port else ""
    return {
        "Name": iqn,
        "Alias": f"bnx2i-{mac}" if port else "",
        "Vendor": "VMware",
        "Model": text,
        "Description": text,
        "Serial Number": mac,
        "Hardware Version": "",
        "Asic Version": "",
        "Firmware Version": "",
        "Option Rom Version": "",
        "Driver Name": f"{driver}-{port.name}" if port else driver,
        "Driver Version": "",
        "TCP Protocol Supported": False,
        "Bidirectional Transfers Supported": False,
        "Maximum Cdb Length": 64,
        "Can Be NIC": port is not None,
        "Is NIC": port is not None,
        "Is Initiator": True,
        "Is Target": False,
        "Using TCP Offload Engine": port is not None,
        "Using ISCSI Offload Engine": port is not None,
    }


def write_iscsi(machine: Machine, out: Writer) -> None:
    bound = {vmhba for vmhba, _, _ in machine.bound}
    # From 5.5 and 7.0 with the software initiator; the state of an HBA without a binding from 5.5 U3 with bnx2i.
    out.table(
        "esxcli iscsi adapter list",
        "Adapter",
        [
            {
                "Adapter": name,
                "Driver": driver,
                "State": "online" if driver == "iscsi_vmk" or name in bound else "unbound",
                "UID": f"iscsi.{name}",
                "Description": text,
            }
            for name, driver, _, text in machine.vmhbas
        ],
    )
    titles = ["Name", "Current", "Default", "Min", "Max", "Settable", "Inherit"]
    targets = sorted({session.volume for session in machine.sessions})
    for name, driver, iqn, text in machine.vmhbas:
        out.records(f"esxcli iscsi adapter get -A {name}", "AdapterInfo", [(name, adapter_detail(machine, name, driver, iqn, text))])
        # From 5.0.
        out.table(f"esxcli iscsi adapter param get -A {name}", "AdapterParam", parameters(machine, name, inherit=False), titles)
    portal_rows: list[dict[str, Value]] = []
    for name in sorted({session.vmhba for session in machine.sessions}):
        for volume in targets:
            if any(session.vmhba == name and session.volume == volume for session in machine.sessions):
                target = target_name(machine, volume)
                portal_rows.append({"Adapter": name, "Target": target, "IP": GROUP_ADDRESS, "Port": 3260, "Tpgt": 1})
                listed = parameters(machine, name, inherit=machine.target_inherits)
                out.table(
                    f"esxcli iscsi adapter target portal param get -A {name} -a {GROUP_ADDRESS}:3260 -n {target}",
                    "TargetParam",
                    listed,
                    titles,
                )
    out.table("esxcli iscsi adapter target portal list", "TargetPortal", portal_rows)
    macs = {nic.name: nic for nic in machine.nics}
    vmks = {name: (address, mtu, group, switch, mac) for name, group, switch, address, mtu, mac in machine.vmks}
    out.records(
        "esxcli iscsi networkportal list",
        "NetworkPortal",
        [
            (
                vmhba,
                {
                    "Adapter": vmhba,
                    "Vmknic": vmk,
                    "MAC Address": macs[vmnic].mac,
                    "MAC Address Valid": True,
                    "IPv4": vmks[vmk][0],
                    "IPv4 Subnet Mask": "255.255.255.0",
                    "IPv6": "",
                    "MTU": vmks[vmk][1],
                    "Vlan Supported": True,
                    "Vlan ID": 10,
                    "Reserved Ports": "63488~65536",
                    "TOE": port_of(machine, vmhba) is not None,
                    "TSO": True,
                    "TCP Checksum": False,
                    "Link Up": True,
                    "Current Speed": macs[vmnic].speed,
                    "Rx Packets": 102,
                    "Tx Packets": 34,
                    "NIC Driver": macs[vmnic].driver,
                    "NIC Driver Version": macs[vmnic].version,
                    "NIC Firmware Version": macs[vmnic].firmware,
                    "Compliant Status": "compliant",
                    "NonCompliant Message": "",
                    "NonCompliant Remedy": "",
                    "Vswitch": vmks[vmk][3],
                    "PortGroup": vmks[vmk][2],
                    "VswitchUuid": "",
                    "PortGroupKey": "",
                    "PortKey": "",
                    "Duplex": "Full",
                    "Path Status": "active",
                },
            )
            for vmhba, vmk, vmnic in machine.bound
        ],
    )
    write_candidates(machine, out)
    common: dict[str, Value] = {
        "Authentication Method": "none",
        "Data Pdu In Order": True,
        "Data Sequence In Order": True,
        "Default Time2Retain": 0,
        "Default Time2Wait": 2,
        "Error Recovery Level": 0,
        "First Burst Length": 65536,
        "Immediate Data": True,
        "Initial R2T": False,
        "Max Burst Length": 262144,
        "Max Connections": 1,
        "Max Outstanding R2T": 1,
    }
    session_rows: list[tuple[str, dict[str, Value]]] = []
    connection_rows: list[tuple[str, dict[str, Value]]] = []
    for position, session in enumerate(machine.sessions):
        if session.state == "dead":
            continue
        target = target_name(machine, session.volume)
        heading = f"{session.vmhba},{target},{session.isid}"
        session_rows.append(
            (
                heading,
                {
                    "Adapter": session.vmhba,
                    "Target": target,
                    "ISID": session.isid,
                    "Target Portal Group Tag": 1,
                    **common,
                    "TSIH": 14 + position,
                },
            )
        )
        connection_rows.append(
            (
                heading + ",0",
                {
                    "Adapter": session.vmhba,
                    "Target": target,
                    "ISID": session.isid,
                    "CID": 0,
                    "Data Digest": "NONE",
                    "Header Digest": "NONE",
                    "IF Marker": False,
                    "IF Marker Interval": 0,
                    "Max Recv Data Segment Length": 131072,
                    "Max Transmit Data Segment Length": 65536,
                    "OF Marker": False,
                    "OF Marker Interval": 0,
                    "Connection Address": GROUP_ADDRESS,
                    "Remote Address": session.remote,
                    "Local Address": session.local,
                    "Session Create Time": "11/14/26 18:59:57",
                    "Connection Create Time": "11/14/26 18:59:57",
                    "Connection Start Time": "11/14/26 18:59:57",
                    "State": "logged_in",
                },
            )
        )
    out.records("esxcli iscsi session list", "Session", run_together(session_rows))
    out.records("esxcli iscsi session connection list", "Connection", run_together(connection_rows))


def write_candidates(machine: Machine, out: Writer) -> None:
    """Every interface and every adapter that could be bound, the management's among them: from 5.0 with the software initiator.

    A hardware initiator lists its own port only.
    """
    logical: list[dict[str, Value]] = []
    physical: list[dict[str, Value]] = []
    for vmhba, _, _, _ in machine.vmhbas:
        port = port_of(machine, vmhba)
        for vmk, group, _, _, _, mac in machine.vmks:
            active, standby, _ = machine.failover[group]
            complies = len(active) == 1 and not standby and (port is None or active == [port.name])
            logical.append({"Adapter": vmhba, "Vmknic": vmk, "MAC Address": mac, "MAC Address Valid": True, "Compliant": complies})
        for nic in machine.nics if port is None else [port]:
            physical.append(
                {
                    "Adapter": vmhba,
                    "Vmnic": nic.name,
                    "MAC Address": nic.mac,
                    "MAC Address Valid": True,
                    "Current Speed": nic.speed,
                    "Max Speed": 10000 if nic.driver not in ("tg3", "ntg3") else 1000,
                    "Max Frame Size": nic.mtu,
                }
            )
    out.table("esxcli iscsi logicalnetworkportal list", "LogicalNetworkPortal", logical)
    out.table("esxcli iscsi physicalnetworkportal list", "PhysicalNetworkPortal", physical)


def run_together(rows: list[tuple[str, dict[str, Value]]]) -> list[tuple[str, dict[str, Value]]]:
    """Session lists print their titles without spaces."""
    return [(heading, {title.replace(" ", ""): value for title, value in row.items()}) for heading, row in rows]


def target_name(machine: Machine, volume: int) -> str:
    return VENDOR_TARGET + machine.volumes[volume][0][-12:] + "-" + machine.volumes[volume][1]


def policy_config(psp: str, path: str, iops: int) -> str:
    """What each policy shows of itself: round robin from 5.0 and 6.0, fixed and the array vendor's of 2012."""
    if psp == "VMW_PSP_RR":
        return "{policy=rr,iops=%d,bytes=10485760,useANO=0; lastPathIndex=1: NumIOsPending=0,numBytesPending=0}" % iops
    if psp == "VMW_PSP_FIXED":
        return "{preferred=%s;current=%s}" % (path, path)
    return f"PSP {psp} does not support device configuration."


def core_device(machine: Machine, device: str, title: str, size: int, status: str, *, is_local: bool) -> dict[str, Value]:
    """From 5.x; the boot device is listed since 5.5 U3 (from 6.5), so the release of the paper lacks it."""
    is_55 = machine.release == "5.5"
    plugin = "HPP" if is_local and machine.local_hpp else "NMP"
    vendor, model, revision = ("DELL", "PERC H710", "3.13") if is_local else ("EQLOGIC", "100E-00", "7.0")
    return {
        "Device": device,
        "Display Name": title,
        "Has Settable Display Name": True,
        "Size": size,
        "Device Type": "Direct-Access",
        "Multipath Plugin": plugin,
        "Devfs Path": f"/vmfs/devices/disks/{device}",
        "Vendor": vendor,
        "Model": model,
        "Revision": revision,
        "SCSI Level": 5,
        "Is Pseudo": False,
        "Status": status,
        "Is RDM Capable": not is_local,
        "Is Local": is_local,
        "Is Removable": False,
        "Is SSD": False,
        **({} if is_55 else {"Is VVOL PE": False}),
        "Is Offline": False,
        "Is Perennially Reserved": False,
        "Queue Full Sample Size": 0,
        "Queue Full Threshold": 0,
        "Thin Provisioning Status": "unknown" if is_local else "yes",
        "Attached Filters": "",
        "VAAI Status": "unsupported" if is_local else "supported",
        "Other UIDs": f"vml.02000000{device.rpartition('.')[2][:32]}",
        **({} if is_55 else {"Is Shared Clusterwide": not is_local}),
        "Is Local SAS Device": is_local,
        **({} if is_55 else {"Is SAS": is_local, "Is USB": False}),
        "Is Boot USB Device": False,
        **({} if is_55 else {"Is Boot Device": is_local, "Device Max Queue Depth": 128}),
        "No of outstanding IOs with competing worlds": 32,
    }


def write_paths(machine: Machine, out: Writer) -> None:
    """nmp device list from 5.0 and 6.0, paths of 2015 and from 8.0 (HPP), SATPs and limits of round robin from 6.0 and 6.7; no output was seen
    of the list of HBAs and of device statistics."""
    iqns = {name: iqn for name, _, iqn, _ in machine.vmhbas}
    nmp: list[dict[str, Value]] = []
    devices: list[dict[str, Value]] = []
    for number, (device, name, size) in enumerate(machine.volumes):
        title = f"EQLOGIC iSCSI Disk ({device})"
        mine = [session for session in machine.sessions if session.volume == number]
        config = policy_config(machine.psp, mine[0].path, machine.iops)
        nmp.append(
            {
                "Device": device,
                "Device Display Name": title,
                "Storage Array Type": "VMW_SATP_EQL",
                "Storage Array Type Device Config": "SATP VMW_SATP_EQL does not support device configuration.",
                "Path Selection Policy": machine.psp,
                "Path Selection Policy Device Config": config,
                "Path Selection Policy Device Custom Config": "",
                "Working Paths": [session.path for session in mine if session.state == "active"],
                "Is USB": False,
            }
        )
        status = "on" if all(session.state == "active" for session in mine) else "degraded"
        devices.append(core_device(machine, device, title, size, status, is_local=False))
        if machine.psp.endswith("_RR"):
            out.single(
                f"esxcli storage nmp psp roundrobin deviceconfig get -d {device}",
                "RoundRobinConfig",
                {
                    "Byte Limit": 10485760,
                    "Device": device,
                    "IOOperation Limit": machine.iops,
                    **({} if machine.release == "5.5" else {"Latency Evaluation Interval": "0 milliseconds"}),
                    "Limit Type": "Default" if machine.iops == 1000 else "Iops",
                    **({} if machine.release == "5.5" else {"Number Of Sampling IOs Per Path": 0}),
                    "Use Active Unoptimized Paths": False,
                },
            )
    local = (
        "t10.NVMe____Dell_Express_Flash________________________00014935" if machine.local_hpp else "naa.6b8ca3a0f1e2d3c41234567890abcdef"
    )
    # From 6.x; free blocks change with every backup of the configuration, and the agent leaves them out.
    out.text(
        "vmkfstools -P /bootbank",
        "vfat-0.04 (Raw Major Version: 0) file system spanning 1 partitions.\nFile system label (if any): \nMode: private\n"
        "Capacity 261853184 (63929 file blocks * 4096), 103014400 (25150 blocks) avail, max supported file size 0\n"
        "Disk Block Size: 512/0/0\nUUID: 5d3e1f07-2a6b4c81-9e5f-0a1b2c3d4e5f\n"
        f'Partitions spanned (on "disks"):\n\t{local}:5\nIs Native Snapshot Capable: NO\n',
    )
    devices.append(core_device(machine, local, f"Local DELL Disk ({local})", 286102, "on", is_local=True))
    if not machine.local_hpp:
        nmp.append(
            {
                "Device": local,
                "Device Display Name": f"Local DELL Disk ({local})",
                "Storage Array Type": "VMW_SATP_LOCAL",
                "Storage Array Type Device Config": "SATP VMW_SATP_LOCAL does not support device configuration.",
                "Path Selection Policy": "VMW_PSP_FIXED",
                "Path Selection Policy Device Config": "{preferred=vmhba0:C2:T0:L0;current=vmhba0:C2:T0:L0}",
                "Path Selection Policy Device Custom Config": "",
                "Working Paths": ["vmhba0:C2:T0:L0"],
                "Is USB": False,
            }
        )
    paths: list[tuple[str, dict[str, Value]]] = []
    for session in machine.sessions:
        device = machine.volumes[session.volume][0]
        target = target_name(machine, session.volume)
        uid = f"{iqns[session.vmhba]}-{session.isid},{target},t,1-{device}"
        _, channel, target_number, lun = session.path.split(":")
        paths.append(
            (
                uid,
                {
                    "UID": uid,
                    "Runtime Name": session.path,
                    "Device": device,
                    "Device Display Name": f"EQLOGIC iSCSI Disk ({device})",
                    "Adapter": session.vmhba,
                    "Channel": int(channel[1:]),
                    "Target": int(target_number[1:]),
                    "LUN": int(lun[1:]),
                    "Plugin": "NMP",
                    "State": session.state,
                    "Transport": "iscsi",
                    "Adapter Identifier": iqns[session.vmhba],
                    "Target Identifier": f"{session.isid},{target},t,1",
                    "Adapter Transport Details": iqns[session.vmhba],
                    "Target Transport Details": "Unavailable or path is unclaimed"
                    if session.state == "dead"
                    else f"IQN={target} Alias= Session={session.isid} PortalTag=1",
                    "Maximum IO Size": 131072,
                },
            )
        )
    adapter = "vmhba4" if machine.local_hpp else "vmhba0"
    uid = f"local.{adapter}-{local}"
    paths.append(
        (
            uid,
            {
                "UID": uid,
                "Runtime Name": f"{adapter}:C0:T0:L0" if machine.local_hpp else "vmhba0:C2:T0:L0",
                "Device": local,
                "Device Display Name": f"Local Disk ({local})",
                "Adapter": adapter,
                "Channel": 0,
                "Target": 0,
                "LUN": 0,
                "Plugin": "HPP" if machine.local_hpp else "NMP",
                "State": "active",
                "Transport": "pcie" if machine.local_hpp else "parallel",
                "Adapter Identifier": f"unknown.{adapter}",
                "Target Identifier": "unknown.0:0",
                "Adapter Transport Details": "Unavailable or path is unclaimed",
                "Target Transport Details": "Unavailable or path is unclaimed",
                "Maximum IO Size": 131072,
            },
        )
    )
    out.headed("esxcli storage nmp device list", "NmpDevice", nmp, "Device")
    out.records("esxcli storage core path list", "Path", paths)
    out.headed("esxcli storage core device list", "ScsiDevice", devices, "Device")
    out.table(
        "esxcli storage core adapter list",
        "Adapter",
        [
            {
                "HBA Name": name,
                "Driver": driver,
                "Link State": "online" if driver != "iscsi_vmk" else "online",
                "UID": iqn,
                "Capabilities": "Second Level Lun ID",
                "Description": text,
            }
            for name, driver, iqn, text in machine.vmhbas
        ],
    )
    out.table(
        "esxcli storage nmp satp list",
        "SatpSummary",
        [
            {"Name": "VMW_SATP_EQL", "Default PSP": "VMW_PSP_FIXED", "Description": "Supports EqualLogic arrays"},
            {"Name": "VMW_SATP_DEFAULT_AA", "Default PSP": "VMW_PSP_FIXED", "Description": "Supports non-specific active/active arrays"},
            {"Name": "VMW_SATP_LOCAL", "Default PSP": "VMW_PSP_FIXED", "Description": "Supports direct attached devices"},
        ],
    )
    out.records(
        "esxcli storage core device stats get",
        "ScsiStats",
        [
            (
                device,
                {
                    "Device": device,
                    "Successful Commands": 884213,
                    "Blocks Read": 9934112,
                    "Blocks Written": 1934112,
                    "Read Operations": 442100,
                    "Write Operations": 442113,
                    "Reserve Operations": 12,
                    "Failed Commands": 0,
                },
            )
            for device, _, _ in machine.volumes
        ],
    )
    # No output seen: the names are those that other readers of these statistics use.
    for device, _, _ in machine.volumes:
        out.text(
            f"vsish -e get /storage/scsifw/devices/{device}/stats",
            "Statistics {\n   commands:884213\n   readOps:442100\n   writeOps:442113\n"
            "   latency:Latency {\n      totalTime:1547352900\n      totalTimeReads:663150000\n      totalTimeWrites:884202900\n   }\n}\n",
        )


def parameter(name: str, kind: str, value: str, text: str) -> dict[str, Value]:
    return {"Name": name, "Type": kind, "Value": value, "Description": text}


BNX2X = [
    parameter("disable_tpa", "int", "", "Disable the TPA (LRO) feature"),
    parameter("num_queues", "int", "4", "Set number of queues"),
    parameter("int_mode", "int", "", "Force interrupt mode other than MSI-X (1 INT#x; 2 MSI)"),
]
IXGBEN = [
    parameter("RSS", "array of int", "4,4", "Number of receive-side scaling queues"),
    parameter("VMDQ", "array of int", "", "Number of virtual machine device queues"),
]
OTHER = [parameter("force_hw_addr", "int", "", "")]
# The names of the packages are those of MEM 1.1.2 on 5.0; versions of the packages of 1.2 were not seen, these are ours.
MEM: list[dict[str, Value]] = [
    {
        "Name": name,
        "Version": version,
        "Vendor": "Dell",
        "Acceptance Level": "PartnerSupported",
        "Install Date": "2014-01-15",
    }
    for name, version in (
        ("dell-eql-host-connection-mgr", "1.2.0-364021"),
        ("dell-eql-hostprofile", "1.2.0-363380"),
        ("dell-eql-routed-psp", "1.2.0-363902"),
    )
]


def nic(name: str, pci: str, driver: str, mac: str, speed: int, mtu: int, **other: object) -> Nic:
    cards = {
        "tg3": (
            "Broadcom Corporation NetXtreme BCM5720 Gigabit Ethernet",
            "14e4:165f",
            "3.123c.v55.5",
            "FFV7.6.14 bc 5720-v1.31",
            (True, True, True),
            (200, 511, 511, 511),
        ),
        "ntg3": (
            "Broadcom Corporation NetXtreme BCM5720 Gigabit Ethernet",
            "14e4:165f",
            "4.1.3.2",
            "bc 1.39",
            (True, True, True),
            (200, 511, 511, 511),
        ),
        "bnx2x": (
            "Broadcom Corporation NetXtreme II BCM57810 10 Gigabit Ethernet",
            "14e4:168e",
            "1.78.28.v55.2",
            "bc 7.6.15",
            (True, True, False),
            (0, 0, 4078, 4078),
        ),
        "qfle3": (
            "QLogic Corporation QLogic 57810 10 Gigabit Ethernet Adapter",
            "14e4:168e",
            "1.4.28.0",
            "bc 7.15.24",
            (True, True, False),
            (1024, 1024, 4078, 4078),
        ),
        "ixgben": (
            "Intel(R) 82599 10 Gigabit Dual Port Network Connection",
            "8086:10fb",
            "1.7.1.35",
            "0x18b30001",
            (True, True, True),
            (512, 1024, 4096, 4096),
        ),
    }
    text, ids, version, firmware, pause, ring = cards[driver]
    values: dict[str, object] = {
        "description": text,
        "ids": ids,
        "version": version,
        "firmware": firmware,
        "pause": pause,
        "ring": ring,
    } | other
    return Nic(name, pci, driver, mac, speed, mtu, **values)  # type: ignore[arg-type]


def san(driver: str, base: str, mtu: int = 9000, lom: str = "ntg3", **other: object) -> list[Nic]:
    return [
        nic("vmnic0", "0000:01:00.0", lom, f"{base}:10", 1000, 1500),
        nic("vmnic1", "0000:01:00.1", lom, f"{base}:11", 0, 1500),
        nic("vmnic4", "0000:41:00.0", driver, f"{base}:40", 10000, mtu, **other),
        nic("vmnic5", "0000:41:00.1", driver, f"{base}:41", 10000, mtu, **other),
    ]


def wiring(last: int, mtu: int = 9000, groups: tuple[str, str] = ("iSCSI 1", "iSCSI 2")) -> dict[str, object]:
    return {
        "vswitches": [
            ("vSwitch0", 1500, ["vmnic0", "vmnic1"], ["Management Network", "VM Network"]),
            ("vSwitch1", mtu, ["vmnic4", "vmnic5"], list(groups)),
        ],
        "vmks": [
            ("vmk0", "Management Network", "vSwitch0", f"192.168.50.{last}", 1500, f"00:50:56:60:00:{last % 100:02d}"),
            ("vmk1", groups[0], "vSwitch1", f"10.10.10.{last}", mtu, f"00:50:56:61:00:{last % 100:02d}"),
            ("vmk2", groups[1], "vSwitch1", f"10.10.10.{last + 100}", mtu, f"00:50:56:62:00:{last % 100:02d}"),
        ],
        "failover": {
            "Management Network": (["vmnic0"], ["vmnic1"], []),
            groups[0]: (["vmnic4"], [], ["vmnic5"]),
            groups[1]: (["vmnic5"], [], ["vmnic4"]),
        },
        "reach": {f"vmk{number}>{portal}": mtu for number in (1, 2) for portal in (GROUP_ADDRESS, "10.10.10.11", "10.10.10.12")},
    }


VOLUMES = [("naa.6090a038f0cd6e5bdaa8248e6856d4fe", "vmfs-01", 102400), ("naa.6090a038f0cd4e5bdaa8248e6856d4a1", "vmfs-02", 102400)]


def sessions(last: int, vmhbas: tuple[str, str]) -> list[Session]:
    listed = []
    for volume in (0, 1):
        for number in (0, 1):
            shared = vmhbas[0] == vmhbas[1]
            path = f"{vmhbas[number]}:C{number if shared else 0}:T{volume}:L0"
            listed.append(
                Session(
                    vmhbas[number],
                    volume,
                    f"00023d0000{volume * 2 + number + 1:02d}",
                    f"10.10.10.{last + 100 * number}",
                    f"10.10.10.{11 + number}",
                    path,
                )
            )
    return listed


def machines() -> list[Machine]:
    software = "iSCSI Software Adapter"
    with_dead = sessions(17, ("vmhba64", "vmhba64"))
    with_dead[3].state = "dead"
    return [
        Machine(
            "5.5",
            "5.5",
            "5.5.0",
            "1331820",
            "esx-a01",
            san("bnx2x", "00:10:18:aa:01", lom="tg3"),
            **wiring(15),
            vmhbas=[
                ("vmhba32", "bnx2i", "iqn.1998-01.com.vmware:esx-a01:1093512:33", "Broadcom iSCSI Adapter"),
                ("vmhba33", "bnx2i", "iqn.1998-01.com.vmware:esx-a01:1093512:33", "Broadcom iSCSI Adapter"),
                ("vmhba37", "iscsi_vmk", "iqn.1998-01.com.vmware:esx-a01-5c1a2b3d", software),
            ],
            bound=[("vmhba37", "vmk1", "vmnic4"), ("vmhba37", "vmk2", "vmnic5")],
            delayed_ack=True,
            login_timeout=5,
            volumes=VOLUMES,
            sessions=sessions(15, ("vmhba37", "vmhba37")),
            psp="VMW_PSP_FIXED",
            modules={"bnx2x": BNX2X, "tg3": OTHER, "iscsi_vmk": []},
            vibs=[
                {
                    "Name": "net-bnx2x",
                    "Version": "1.78.28.v55.2-1OEM.550.0.0",
                    "Vendor": "Broadcom",
                    "Acceptance Level": "VMwareCertified",
                    "Install Date": "2014-01-14",
                }
            ],
        ),
        Machine(
            "5.5-isoe",
            "5.5",
            "5.5.0",
            "1331820",
            "esx-a02",
            san("bnx2x", "00:10:18:aa:02", lom="tg3"),
            **wiring(16),
            vmhbas=[
                ("vmhba32", "bnx2i", "iqn.1998-01.com.vmware:esx-a02-0001", "Broadcom iSCSI Adapter"),
                ("vmhba33", "bnx2i", "iqn.1998-01.com.vmware:esx-a02-0001", "Broadcom iSCSI Adapter"),
            ],
            bound=[("vmhba32", "vmk1", "vmnic4"), ("vmhba33", "vmk2", "vmnic5")],
            delayed_ack=False,
            login_timeout=60,
            volumes=VOLUMES,
            sessions=sessions(16, ("vmhba32", "vmhba33")),
            modules={"bnx2x": BNX2X, "tg3": OTHER, "bnx2i": [parameter("en_tcp_dack", "int", "0", "Enable TCP Delayed ACK")]},
            vibs=list(MEM),
        ),
        Machine(
            "6.7",
            "6.7",
            "6.7.0",
            "17167734",
            "esx-b07",
            san("ixgben", "90:e2:ba:0b:07"),
            **wiring(17),
            vmhbas=[("vmhba64", "iscsi_vmk", "iqn.1998-01.com.vmware:esx-b07-3f00aa11", software)],
            bound=[("vmhba64", "vmk1", "vmnic4"), ("vmhba64", "vmk2", "vmnic5")],
            delayed_ack=False,
            login_timeout=60,
            volumes=VOLUMES,
            sessions=sessions(17, ("vmhba64", "vmhba64")),
            iops=3,
            modules={"ixgben": IXGBEN, "ntg3": OTHER, "iscsi_vmk": []},
            vibs=list(MEM),
            model=("Dell Inc.", "PowerEdge R640"),
        ),
        Machine(
            "6.7-german",
            "6.7",
            "6.7.0",
            "17167734",
            "esx-muc03",
            san("ixgben", "90:e2:ba:0c:03", pause=(False, False, True)),
            **wiring(18, groups=("iSCSI-Netz Süd (größer)", "iSCSI-Netz Nord")),
            vmhbas=[("vmhba64", "iscsi_vmk", "iqn.1998-01.com.vmware:esx-muc03-77aa0001", "iSCSI-Software-Adapter")],
            bound=[("vmhba64", "vmk1", "vmnic4"), ("vmhba64", "vmk2", "vmnic5")],
            delayed_ack=True,
            login_timeout=5,
            volumes=VOLUMES,
            sessions=sessions(18, ("vmhba64", "vmhba64")),
            lro_enabled=0,
            modules={"ixgben": IXGBEN, "ntg3": OTHER, "iscsi_vmk": []},
            vibs=[],
            target_inherits=False,
        ),
        Machine(
            "7.0",
            "7.0",
            "7.0.3",
            "21930508",
            "esx-c01",
            san("qfle3", "f4:e9:d4:70:01"),
            **{
                **wiring(17),
                "reach": {
                    "vmk1>10.10.10.10": 9000,
                    "vmk1>10.10.10.11": 9000,
                    "vmk1>10.10.10.12": 9000,
                    "vmk2>10.10.10.10": 1500,
                    "vmk2>10.10.10.11": 1500,
                    "vmk2>10.10.10.12": 1500,
                },
            },
            vmhbas=[("vmhba64", "iscsi_vmk", "iqn.1998-01.com.vmware:esx-c01-1000beef", software)],
            bound=[("vmhba64", "vmk1", "vmnic4"), ("vmhba64", "vmk2", "vmnic5")],
            delayed_ack=True,
            login_timeout=60,
            volumes=VOLUMES,
            sessions=with_dead,
            modules={
                "qfle3": [parameter("enable_lro", "int", "1", "Enable LRO"), parameter("rss_engine_nr", "int", "", "RSS engines")],
                "ntg3": OTHER,
                "iscsi_vmk": [],
            },
            vibs=[],
            model=("Dell Inc.", "PowerEdge R640"),
        ),
        Machine(
            "8.0",
            "8.0",
            "8.0.3",
            "24280767",
            "esx-d01",
            san("ixgben", "a0:36:9f:80:01"),
            **wiring(19, groups=("ストレージ1", "ストレージ2")),
            vmhbas=[("vmhba64", "iscsi_vmk", "iqn.1998-01.com.vmware:esx-d01:1234567:64", software)],
            bound=[("vmhba64", "vmk1", "vmnic4"), ("vmhba64", "vmk2", "vmnic5")],
            delayed_ack=False,
            login_timeout=60,
            volumes=VOLUMES,
            sessions=sessions(19, ("vmhba64", "vmhba64")),
            iops=1,
            modules={"ixgben": IXGBEN, "ntg3": OTHER, "iscsi_vmk": []},
            vibs=[],
            model=("Dell Inc.", "PowerEdge R750"),
            local_hpp=True,
        ),
    ]


if __name__ == "__main__":
    for machine in machines():
        write(machine)
        print(machine.folder)
