"""What the Windows agent must send for a host of `agents/windows/tests/hosts/`, worked out a second time, in Python.

Nobody can run PowerShell everywhere, so the samples in `agents/schema/samples/windows/` are held from both sides: this module computes
their bytes from the host data alone and the agreement in `windows-sections.yaml`, and the Pester suite compares what the agent itself
writes with the same files. It shares no code with the agent. `python -m tests.agents.windows.expected` (from `backend/`) writes them.
"""

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[4]
HOSTS = ROOT / "agents" / "windows" / "tests" / "hosts"
SAMPLES = ROOT / "agents" / "schema" / "samples" / "windows"
SECTIONS: dict[str, dict[str, dict[str, Any]]] = yaml.safe_load((ROOT / "agents" / "schema" / "windows-sections.yaml").read_text())

Row = dict[str, Any]
Host = dict[str, Any]

LARGEST_INTEGER = 2**63 - 1
SECTION_TOOK_MS = 100  # durations are not the host's own, so samples carry fixed ones
AGENT_TOOK_MS = 5400
SMALL_ECHO = 60  # L3 size of the echo that tells "too big" from "silent"
# Lists that are sets to the system, which prints them in any order: the agent sorts them.
SETS = {"Members", "TeamNics", "NetAdapterInterfaceDescriptions", "NetAdapterInterfaceDescription", "Disks"}
PRODUCT_WORDS = (
    "broadcom", "cavium", "chelsio", "emulex", "equallogic", "host integration", "intel(r) ethernet", "intel(r) network", "marvell",
    "mellanox", "netxtreme", "nvidia networking", "proset", "qlogic", "unified wire",
)  # fmt: skip
FEATURES = ("Multipath-IO", "Data-Center-Bridging", "Failover-Clustering", "Hyper-V", "FS-FileServer")
INTERFACES = "SYSTEM\\CurrentControlSet\\Services\\Tcpip\\Parameters\\Interfaces"
UNINSTALL = (
    "SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Uninstall",
    "SOFTWARE\\WOW6432Node\\Microsoft\\Windows\\CurrentVersion\\Uninstall",
)
LISTENERS = "SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\WSMAN\\Listener"
NO_INITIATOR = "the service MSiSCSI is not running"
FOREIGN_SOURCE = "Windows shows no adapter with this address"


class ReadFailed(Exception):
    """A read that the host answers with an error: its status and the error as the agent writes it."""

    def __init__(self, status: str, error: str) -> None:
        super().__init__(error)
        self.status = status
        self.error = error


def write_json(value: Any) -> str:
    """The agent's JSON: ASCII, no spaces, keys in the order given, integers past 2^63 - 1 as text, control characters as four digits."""
    if isinstance(value, int) and not isinstance(value, bool) and value > LARGEST_INTEGER:
        value = str(value)
    if value is None or isinstance(value, bool | int):
        return json.dumps(value)
    if isinstance(value, str):
        return '"' + "".join(_escape(char) for char in value) + '"'
    if isinstance(value, list):
        return "[" + ",".join(write_json(item) for item in value) + "]"
    return "{" + ",".join(f"{write_json(key)}:{write_json(item)}" for key, item in value.items()) + "}"


def _escape(char: str) -> str:
    code = ord(char)
    if code == 0:
        return ""
    if char in '"\\':
        return "\\" + char
    if 32 <= code <= 126:
        return char
    if code > 0xFFFF:
        return f"\\u{0xD800 + ((code - 0x10000) >> 10):04x}\\u{0xDC00 + ((code - 0x10000) & 0x3FF):04x}"
    if 0xD800 <= code <= 0xDFFF:
        return "\\ufffd"
    return f"\\u{code:04x}"


def check_in(host: Host) -> bytes:
    """The uncompressed body of a first check-in: line 1, then one line for each section."""
    bodies = {section: write_json(section_body(host, section)).encode("ascii") for section in SECTIONS}
    about = {
        name: {"sha256": hashlib.sha256(body).hexdigest(), "status": "ok", "took_ms": SECTION_TOOK_MS} for name, body in bodies.items()
    }
    envelope = {
        "v": 1,
        "boot": host["boot"],
        "made_at": host["made_at"],
        "agent": {"platform": "windows", "version": host["agent_version"], "runner": None, "took_ms": AGENT_TOOK_MS},
        "sections": about,
        "live": _live(host),
        "counters": _counters(host),
        "runner_before": None,
        "runner_after": None,
        "rejected": 0,
        "thinned": 0,
    }
    return b"\n".join([write_json(envelope).encode("ascii"), *bodies.values()]) + b"\n"


def section_body(host: Host, section: str) -> dict[str, Any]:
    """One section of one host: read name -> {status, error?, rows}."""
    body: dict[str, Any] = {}
    for read, shape in SECTIONS[section].items():
        try:
            rows = _SPECIAL.get((section, read), _plain)(host, read, shape)
            body[read] = {"status": "ok", "rows": rows}
        except ReadFailed as failure:
            body[read] = {"status": failure.status, "error": failure.error, "rows": []}
    return body


def _in_order(rows: Iterable[Row]) -> list[Row]:
    """Rows are in the ordinal order of their own JSON, so no system's order shows; equal rows are listed once."""
    by_text = {write_json(row): row for row in rows}
    return [by_text[text] for text in sorted(by_text)]


def _objects(host: Host, command: str) -> list[Any]:
    """What a cmdlet answers, or the error it answers with."""
    if command in host["missing"]:
        raise ReadFailed("unavailable", f"The term '{command}' is not recognized")
    answer = host["cmdlets"].get(command, [])
    if isinstance(answer, dict):
        fails = answer["fails"]
        status = "unavailable" if fails["category"] == "PermissionDenied" else "failed"
        raise ReadFailed(status, f"{fails['message']} ({fails['id']},{command})")
    return list(answer)


def _class(host: Host, namespace: str, name: str) -> list[Row]:
    if name not in host["cim"][namespace]:
        raise ReadFailed("unavailable", "Invalid class (HRESULT 0x80041010,Get-CimInstance)")
    return list(host["cim"][namespace][name])


def _tree(value: Any) -> Any:
    """Objects inside a row: all their properties, in ordinal order of name."""
    if isinstance(value, dict):
        return {key: _tree(value[key]) for key in sorted(value)}
    if isinstance(value, list):
        return [_tree(item) for item in value]
    return value


def _text(value: Any) -> str:
    return str(value)


def _project(source: Row, shape: dict[str, Any]) -> Row:
    """The agreed fields that this release has, in the agreed order."""
    row: Row = {}
    for name in shape["fields"]:
        if name not in source:
            continue
        value = source[name]
        if name in shape.get("list", ()):
            value = [_text(item) for item in (value if isinstance(value, list) else [value]) if item is not None]
            row[name] = sorted(value) if name in SETS else value
        else:
            row[name] = _tree(value)
    return row


def _plain(host: Host, read: str, shape: dict[str, Any]) -> list[Row]:
    if read.startswith("Win32_"):
        return _in_order(_project(row, shape) for row in _class(host, "root/cimv2", read))
    return _in_order(_project(row, shape) for row in _objects(host, read))


def _registry(host: Host, key: str) -> dict[str, Row]:
    values: dict[str, Row] = host["registry"].get(key, {})
    return values


def _children(host: Host, key: str) -> list[str]:
    """Names of the keys right below one."""
    start = key + "\\"
    return sorted({path[len(start) :].split("\\")[0] for path in host["registry"] if path.startswith(start)})


def _current_version(host: Host, read: str, shape: dict[str, Any]) -> list[Row]:
    values = _registry(host, "SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion")
    return [{name: values[name]["value"] for name in shape["fields"] if name in values}]


def _kernel_debugger(host: Host, read: str, shape: dict[str, Any]) -> list[Row]:
    options = _registry(host, "SYSTEM\\CurrentControlSet\\Control").get("SystemStartOptions", {}).get("value", "")
    row: Row = {"DebuggerEnabled": "DEBUG" in options.split(" ")}
    allowed = _registry(host, "SYSTEM\\CurrentControlSet\\Services\\NDIS\\Parameters").get("AllowFlowControlUnderDebugger")
    if allowed is not None:
        row["AllowFlowControlUnderDebugger"] = allowed["value"]
    return [row]


def _pending_reboot(host: Host, read: str, shape: dict[str, Any]) -> list[Row]:
    current = "SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\"
    return [
        {
            "ComponentBasedServicing": current + "Component Based Servicing\\RebootPending" in host["registry"],
            "WindowsUpdate": current + "WindowsUpdate\\Auto Update\\RebootRequired" in host["registry"],
            "FileRenames": "PendingFileRenameOperations" in _registry(host, "SYSTEM\\CurrentControlSet\\Control\\Session Manager"),
        }
    ]


def _products(host: Host, read: str, shape: dict[str, Any]) -> list[Row]:
    rows = []
    for key in UNINSTALL:
        for child in _children(host, key):
            values = _registry(host, f"{key}\\{child}")
            words = " ".join(str(values[name]["value"]) for name in ("DisplayName", "Publisher") if name in values).lower()
            if "DisplayName" in values and any(word in words for word in PRODUCT_WORDS):
                rows.append({name: values[name]["value"] for name in shape["fields"] if name in values})
    return _in_order(rows)


def _features(host: Host, read: str, shape: dict[str, Any]) -> list[Row]:
    return _in_order(_project(row, shape) for row in _objects(host, read) if row["Name"] in FEATURES)


def _cluster(host: Host, read: str, shape: dict[str, Any]) -> list[Row]:
    if not any(service["Name"] == "ClusSvc" for service in _objects(host, "Get-Service")):
        return []
    return _plain(host, read, shape)


def _listeners(host: Host, read: str, shape: dict[str, Any]) -> list[Row]:
    rows = []
    for child in _children(host, LISTENERS):
        values = _registry(host, f"{LISTENERS}\\{child}")
        row: Row = {"Transport": child.rpartition("+")[2]}
        if "Port" in values:
            row["Port"] = values["Port"]["value"]
        certificate = host["certificates"].get(values.get("certThumbprint", {}).get("value"))
        if certificate:
            row |= {"CertificateSha256": certificate["sha256"], "NotAfter": certificate["not_after"]}
        rows.append(row)
    return _in_order(rows)


def _engine(host: Host, read: str, shape: dict[str, Any]) -> list[Row]:
    return [host["engine"]]


def _adapters(host: Host, read: str, shape: dict[str, Any]) -> list[Row]:
    return _in_order(_project(row, shape) for row in _objects(host, read) if not (row["Hidden"] and row["Virtual"]))


def _default_routes(host: Host, read: str, shape: dict[str, Any]) -> list[Row]:
    return _in_order(_project(row, shape) for row in _objects(host, read) if row["DestinationPrefix"] in ("0.0.0.0/0", "::/0"))


def _controllers(host: Host, read: str, shape: dict[str, Any]) -> list[Row]:
    rows = []
    for controller in _class(host, "root/cimv2", read):
        driver = _registry(host, "SYSTEM\\CurrentControlSet\\Enum\\" + controller["PNPDeviceID"]).get("Driver", {}).get("value")
        values = _registry(host, f"SYSTEM\\CurrentControlSet\\Control\\Class\\{driver}") if driver else {}
        more = {name: values[key]["value"] for name, key in (("DriverVersion", "DriverVersion"), ("InfName", "InfPath")) if key in values}
        rows.append(_project(controller | more, shape))
    return _in_order(rows)


def _properties(host: Host, read: str, shape: dict[str, Any]) -> list[Row]:
    adapters: dict[str, dict[str, list[str]]] = {}
    for row in _objects(host, read):
        value = row["RegistryValue"]
        texts = [_text(item) for item in (value if isinstance(value, list) else [value]) if item is not None]
        adapters.setdefault(row["InstanceID"].split("::")[0], {})[row["RegistryKeyword"]] = texts
    return _in_order({"InterfaceGuid": guid, "properties": {key: found[key] for key in sorted(found)}} for guid, found in adapters.items())


def _property_catalogue(host: Host, read: str, shape: dict[str, Any]) -> list[Row]:
    drivers = {row["InterfaceGuid"]: (row.get("ComponentID"), row.get("DriverVersion")) for row in _objects(host, "Get-NetAdapter")}
    catalogues: dict[tuple[Any, Any], dict[str, Row]] = {}
    for row in _objects(host, read):
        driver = drivers.get(row["InstanceID"].split("::")[0])
        if driver is None or not row["DisplayName"]:
            continue
        offer = _project(row, {"fields": shape["keyword_fields"], "list": shape["list"]})
        keywords = catalogues.setdefault(driver, {})
        other = keywords.get(row["RegistryKeyword"])
        # Two ports of one driver may differ in a figure: the smaller text stands, so that the order of the ports does not show.
        if other is None or write_json(offer) < write_json(other):
            keywords[row["RegistryKeyword"]] = offer
    return _in_order(
        {"ComponentID": component, "DriverVersion": version, "keywords": {key: found[key] for key in sorted(found)}}
        for (component, version), found in catalogues.items()
    )


def _interface_registry(host: Host, read: str, shape: dict[str, Any]) -> list[Row]:
    rows = []
    for child in _children(host, INTERFACES):
        values = _registry(host, f"{INTERFACES}\\{child}")
        row: Row = {"InterfaceGuid": child}
        for name in shape["fields"][1:]:
            row[name] = {"state": "present", **values[name]} if name in values else {"state": "absent"}
        rows.append(row)
    return _in_order(rows)


def _connections_to_portals(host: Host, read: str, shape: dict[str, Any]) -> list[Row]:
    wanted = (row for row in _objects(host, read) if row["RemotePort"] == 3260 and row["State"] == "Established")
    return _in_order(_project(row, shape) for row in wanted)


def _netbios(host: Host, read: str, shape: dict[str, Any]) -> list[Row]:
    return _in_order(_project(row, shape) for row in _class(host, "root/cimv2", read) if row["TcpipNetbiosOptions"] is not None)


def _initiator_service(host: Host, read: str, shape: dict[str, Any]) -> list[Row]:
    start = _registry(host, "SYSTEM\\CurrentControlSet\\Services\\MSiSCSI")["Start"]["value"]
    kind = {2: "Automatic", 3: "Manual", 4: "Disabled"}
    rows = [row for row in _objects(host, read) if row["Name"] == "MSiSCSI"]
    return [_project({"StartType": kind[start], **row}, shape) for row in rows]


def _need_initiator(host: Host) -> None:
    if not any(row["Name"] == "MSiSCSI" and row["Status"] == "Running" for row in _objects(host, "Get-Service")):
        raise ReadFailed("unavailable", NO_INITIATOR)


def _of_initiator(host: Host, read: str, shape: dict[str, Any]) -> list[Row]:
    _need_initiator(host)
    return _plain(host, read, shape)


def _sessions(host: Host, read: str, shape: dict[str, Any]) -> list[Row]:
    _need_initiator(host)
    rows = []
    for session in _objects(host, read):
        portals = sorted({connection["TargetAddress"] for connection in session["StandInConnections"]})
        rows.append(_project(session | {"TargetPortalAddress": portals[0] if portals else None, "Disks": session["StandInDisks"]}, shape))
    return _in_order(rows)


def _local_addresses(host: Host) -> dict[tuple[int, str], str]:
    return {(row["LocalPort"], row["RemoteAddress"]): row["LocalAddress"] for row in _objects(host, "Get-NetTCPConnection")}


def _connections(host: Host, read: str, shape: dict[str, Any]) -> list[Row]:
    _need_initiator(host)
    local = _local_addresses(host)
    rows = []
    for session in _objects(host, "Get-IscsiSession"):
        for connection in session["StandInConnections"]:
            address = local.get((connection["InitiatorPortNumber"], connection["TargetAddress"]))
            rows.append(_project(connection | {"TargetNodeAddress": session["TargetNodeAddress"], "LocalAddress": address}, shape))
    return _in_order(rows)


def _session_class(host: Host, read: str, shape: dict[str, Any]) -> list[Row]:
    _need_initiator(host)
    nested = {
        "ConnectionInformation": {"fields": ["InitiatorAddress", "TargetAddress", "TargetPort"]},
        "Devices": {"fields": ["ScsiLun", "ScsiPathId", "ScsiPortNumber", "ScsiTargetId"]},
    }
    rows = []
    for session in _class(host, "root/wmi", read):
        row = {name: session[name] for name in ("InitiatorName", "TargetName")}
        row |= {name: _in_order(_project(item, inner) for item in session[name]) for name, inner in nested.items()}
        rows.append(row)
    return _in_order(rows)


def _policy(host: Host, read: str, shape: dict[str, Any]) -> list[Row]:
    return [{"Policy": text} for text in _objects(host, read)]


def _wmi(host: Host, read: str, shape: dict[str, Any]) -> list[Row]:
    return _in_order(_project(row, shape) for row in _class(host, "root/wmi", read))


def _balance(host: Host, read: str, shape: dict[str, Any]) -> list[Row]:
    rows = []
    for row in _class(host, "root/wmi", read):
        inner = row["LoadBalancePolicy"]
        flat = {"LoadBalancePolicy": inner["LoadBalancePolicy"], "DSM_Paths": inner["DSM_Paths"]}
        rows.append(_project(row | flat, shape))
    return _in_order(rows)


def _mpclaim(host: Host, read: str, shape: dict[str, Any]) -> list[Row]:
    if not host["mpclaim"]:
        raise ReadFailed("unavailable", "mpclaim.exe is not there")
    return [{"argument": row["argument"], "text": row["text"]} for row in host["mpclaim"]]


def _vm_adapters(host: Host, read: str, shape: dict[str, Any]) -> list[Row]:
    rows = []
    for row in _objects(host, read):
        vlan = row.get("VlanSetting")
        rows.append(_project(row | ({"VlanId": vlan["AccessVlanId"]} if vlan else {}), shape))
    return _in_order(rows)


def _team_mapping(host: Host, read: str, shape: dict[str, Any]) -> list[Row]:
    return _in_order(_project(row | {"ParentAdapter": row["ParentAdapter"]["Name"]}, shape) for row in _objects(host, read))


def _pings(host: Host, read: str, shape: dict[str, Any]) -> list[Row]:
    try:
        _need_initiator(host)
    except ReadFailed:
        return []
    connections = _connections(host, read, SECTIONS["iscsi"]["Get-IscsiConnection"])
    portals = {row["TargetAddress"] for row in connections} | {
        row["TargetPortalAddress"] for row in _objects(host, "Get-IscsiTargetPortal")
    }
    sources = {row["LocalAddress"] or row["InitiatorAddress"] for row in connections} - {"0.0.0.0"}
    rows = []
    for source in sources:
        index = next((row["InterfaceIndex"] for row in _objects(host, "Get-NetIPAddress") if row["IPAddress"] == source), None)
        guid = next((row["InterfaceGuid"] for row in _objects(host, "Get-NetAdapter") if row["InterfaceIndex"] == index), None)
        interfaces = (row for row in _objects(host, "Get-NetIPInterface") if row["AddressFamily"] == "IPv4")
        mtu = next((row["NlMtu"] for row in interfaces if row["InterfaceIndex"] == index), 1500)
        for portal in portals:
            largest = host["echo"].get(source, {}).get(portal, -1)
            for size in {mtu, 1500}:
                row: Row = {"source": source, "interface_guid": guid, "portal": portal, "size": size}
                if guid is None:
                    row |= {"outcome": "not_run", "reason": FOREIGN_SOURCE}
                else:
                    row["outcome"] = "ok" if largest >= size else "too_big" if largest >= SMALL_ECHO else "silent"
                rows.append(row)
    return _in_order(rows)


_SPECIAL = {
    ("system", "registry:CurrentVersion"): _current_version,
    ("system", "registry:KernelDebugger"): _kernel_debugger,
    ("system", "registry:PendingReboot"): _pending_reboot,
    ("system", "registry:Uninstall"): _products,
    ("system", "Get-WindowsFeature"): _features,
    ("system", "Get-Cluster"): _cluster,
    ("system", "Get-ClusterNode"): _cluster,
    ("system", "Get-ClusterStorageSpacesDirect"): _cluster,
    ("system", "WSMan:Listener"): _listeners,
    ("system", "PowerShell"): _engine,
    ("adapters", "Get-NetAdapter"): _adapters,
    ("adapters", "Get-NetRoute"): _default_routes,
    ("adapters", "Win32_SCSIController"): _controllers,
    ("properties", "Get-NetAdapterAdvancedProperty"): _properties,
    ("property_catalogue", "Get-NetAdapterAdvancedProperty"): _property_catalogue,
    ("tcp", "Get-NetTCPConnection"): _connections_to_portals,
    ("tcp", "registry:Tcpip/Parameters/Interfaces"): _interface_registry,
    ("bindings", "Win32_NetworkAdapterConfiguration"): _netbios,
    ("iscsi", "Get-Service"): _initiator_service,
    ("iscsi", "Get-IscsiTarget"): _of_initiator,
    ("iscsi", "Get-IscsiTargetPortal"): _of_initiator,
    ("iscsi", "Get-IscsiSession"): _sessions,
    ("iscsi", "Get-IscsiConnection"): _connections,
    ("iscsi", "MSiSCSIInitiator_SessionClass"): _session_class,
    ("mpio", "Get-MSDSMGlobalDefaultLoadBalancePolicy"): _policy,
    ("mpio", "MPIO_DISK_INFO"): _wmi,
    ("mpio", "DSM_QueryLBPolicy_V2"): _balance,
    ("mpio", "MPIO_PATH_INFORMATION"): _wmi,
    ("mpio", "MPIO_GET_DESCRIPTOR"): _wmi,
    ("mpio", "mpclaim"): _mpclaim,
    ("vswitch", "Get-VMNetworkAdapter"): _vm_adapters,
    ("vswitch", "Get-VMNetworkAdapterTeamMapping"): _team_mapping,
    ("probes", "ping"): _pings,
}


def _live(host: Host) -> dict[str, Any]:
    sessions = []
    if any(row["Name"] == "MSiSCSI" and row["Status"] == "Running" for row in _objects(host, "Get-Service")):
        for session in _objects(host, "Get-IscsiSession"):
            names = ("ConnectionIdentifier", "InitiatorAddress", "InitiatorPortNumber", "TargetAddress", "TargetPortNumber")
            connections = [{name: row[name] for name in names} for row in session["StandInConnections"]]
            sessions.append(
                {name: session[name] for name in ("SessionIdentifier", "TargetNodeAddress")} | {"connections": _in_order(connections)}
            )
    jobs = [_project(row, {"fields": ["Name", "JobState", "PercentComplete"]}) for row in _objects(host, "Get-StorageJob")]
    return {"sessions": _in_order(sessions), "storage_jobs": _in_order(jobs), "nuls_removed": 0, "surrogates_replaced": 0}


ADAPTER_COUNTERS = {
    "bytes_received": ("ReceivedBytes",),
    "bytes_sent": ("SentBytes",),
    "packets_received": ("ReceivedUnicastPackets", "ReceivedMulticastPackets", "ReceivedBroadcastPackets"),
    "packets_sent": ("SentUnicastPackets", "SentMulticastPackets", "SentBroadcastPackets"),
    "drops_received": ("ReceivedDiscardedPackets",),
    "drops_sent": ("OutboundDiscardedPackets",),
    "errors_received": ("ReceivedPacketErrors",),
    "errors_sent": ("OutboundPacketErrors",),
}
VOLUME_TOTALS = {
    "read_bytes": "DiskReadBytesPersec",
    "write_bytes": "DiskWriteBytesPersec",
    "reads": "DiskReadsPersec",
    "writes": "DiskWritesPersec",
}


def _volume_id(unique_id: str) -> str:
    """As on every platform: NAA of 16 bytes; the hosts of the tests have no other."""
    text = unique_id.lower()
    assert len(text) == 32, unique_id
    return ("naa." if text.startswith("6") else "eui.") + text


def _counters(host: Host) -> dict[str, Any]:
    series: list[Row] = []

    def add(subject: str, name: str, value: int, kind: str = "total") -> None:
        series.append({"subject": subject, "name": name, "value": value, "kind": kind})

    macs = {row["InterfaceGuid"]: row["PermanentAddress"].lower() for row in _objects(host, "Get-NetAdapter") if not row["Virtual"]}
    for row in sorted(_objects(host, "Get-NetAdapterStatistics"), key=lambda row: macs[row["InstanceID"]]):
        for name, fields in ADAPTER_COUNTERS.items():
            add(f"adapter/{macs[row['InstanceID']]}", name, sum(row[field] for field in fields))

    samples = host["samples"]
    both = [samples["Win32_PerfRawData_Tcpip_TCPv4"][0][0], samples["Win32_PerfRawData_Tcpip_TCPv6"][0][0]]
    add("host/", "tcp_segments_sent", sum(row["SegmentsSentPersec"] for row in both))
    add("host/", "tcp_segments_retransmitted", sum(row["SegmentsRetransmittedPersec"] for row in both))
    first, second = (next(row for row in rows if row["Name"] == "_Total") for rows in samples["Win32_PerfRawData_PerfOS_Processor"])
    idle, passed = (second[name] - first[name] for name in ("PercentProcessorTime", "Timestamp_Sys100NS"))
    add("host/", "cpu_percent", (passed - idle) * 100 // passed, "gauge")

    disks = {
        row["Number"]: row for row in _objects(host, "Get-Disk") if row["BusType"] in ("iSCSI", "Spaces", "Storage Spaces", "Fibre Channel")
    }
    before, after = ({row["Name"].split(" ")[0]: row for row in rows} for rows in samples["Win32_PerfRawData_PerfDisk_PhysicalDisk"])
    for number, disk in sorted(disks.items(), key=lambda item: _volume_id(item[1]["UniqueId"])):
        old, new = before[str(number)], after[str(number)]
        subject = f"volume/{_volume_id(disk['UniqueId'])}"
        for name, field in VOLUME_TOTALS.items():
            add(subject, name, new[field])
        for name, field in (("read_latency_us", "AvgDisksecPerRead"), ("write_latency_us", "AvgDisksecPerWrite")):
            operations = (new[field + "_Base"] - old[field + "_Base"]) % 2**32
            if operations:
                ticks = (new[field] - old[field]) % 2**32  # a 32-bit counter of the disk driver: it wraps
                add(subject, name, ticks * 1_000_000 // (new["Frequency_PerfTime"] * operations), "gauge")
    return {"at": host["made_at"], "uptime_s": host["uptime_s"], "series": series}


def read_host(path: Path) -> Host:
    """One host of the tests."""
    host: Host = json.loads(path.read_text(encoding="utf-8"))
    return host


def main() -> None:
    """Writes every sample anew."""
    SAMPLES.mkdir(parents=True, exist_ok=True)
    for path in sorted(HOSTS.glob("*.json")):
        (SAMPLES / f"{path.stem}.checkin").write_bytes(check_in(read_host(path)))


if __name__ == "__main__":
    main()
