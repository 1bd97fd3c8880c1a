"""What the Windows agent must send for a host of `agents/windows/tests/hosts/`, worked out a second time, in Python.

Nobody can run PowerShell everywhere, so the samples in `agents/schema/samples/windows/` are held from both sides: this module computes
their bytes from the host data alone and the agreement in `windows-sections.yaml`, and the Pester suite compares what the agent itself
writes with the same files. It shares no code with the agent. `python -m tests.agents.windows.expected` (from `backend/`) writes them.
The hosts themselves are read in `host_data.py`; sessions and probes are in `expected_iscsi.py`, what is outside the sections in
`expected_live.py`.
"""

import hashlib
import re
from typing import Any

from tests.agents.windows.expected_iscsi import connections, initiator_service, of_initiator, pings, session_class, sessions
from tests.agents.windows.expected_live import counters_of, live_of
from tests.agents.windows.host_data import (
    HOSTS,
    ROOT,
    SAMPLES,
    SECTIONS,
    Host,
    ReadFailed,
    Row,
    children,
    in_order,
    instances,
    objects,
    project,
    read_host,
    registry,
    text,
    write_json,
)

SECTION_TOOK_MS = 100  # durations are not the host's own, so samples carry fixed ones
AGENT_TOOK_MS = 5400
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
        "live": live_of(host),
        "counters": counters_of(host),
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


def _plain(host: Host, read: str, shape: dict[str, Any]) -> list[Row]:
    rows = instances(host, "root/cimv2", read) if read.startswith("Win32_") else objects(host, read)
    return in_order((project(row, shape) for row in rows), distinct=shape.get("distinct", False))


def _current_version(host: Host, read: str, shape: dict[str, Any]) -> list[Row]:
    values = registry(host, "SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion")
    return [{name: values[name]["value"] for name in shape["fields"] if name in values}]


def _kernel_debugger(host: Host, read: str, shape: dict[str, Any]) -> list[Row]:
    options = registry(host, "SYSTEM\\CurrentControlSet\\Control").get("SystemStartOptions", {}).get("value", "")
    row: Row = {"DebuggerEnabled": "DEBUG" in options.split(" ")}
    allowed = registry(host, "SYSTEM\\CurrentControlSet\\Services\\NDIS\\Parameters").get("AllowFlowControlUnderDebugger")
    if allowed is not None:
        row["AllowFlowControlUnderDebugger"] = allowed["value"]
    return [row]


def _pending_reboot(host: Host, read: str, shape: dict[str, Any]) -> list[Row]:
    current = "SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\"
    return [
        {
            "ComponentBasedServicing": current + "Component Based Servicing\\RebootPending" in host["registry"],
            "WindowsUpdate": current + "WindowsUpdate\\Auto Update\\RebootRequired" in host["registry"],
            "FileRenames": "PendingFileRenameOperations" in registry(host, "SYSTEM\\CurrentControlSet\\Control\\Session Manager"),
        }
    ]


def _products(host: Host, read: str, shape: dict[str, Any]) -> list[Row]:
    rows = []
    for key in UNINSTALL:
        for child in children(host, key):
            values = registry(host, f"{key}\\{child}")
            words = " ".join(str(values[name]["value"]) for name in ("DisplayName", "Publisher") if name in values).lower()
            if "DisplayName" in values and any(word in words for word in PRODUCT_WORDS):
                rows.append({name: values[name]["value"] for name in shape["fields"] if name in values})
    return in_order(rows)


def _features(host: Host, read: str, shape: dict[str, Any]) -> list[Row]:
    return in_order(project(row, shape) for row in objects(host, read) if row["Name"] in FEATURES)


def _cluster(host: Host, read: str, shape: dict[str, Any]) -> list[Row]:
    """The key is there on a member of a cluster and nowhere else; without it a service that starts by itself is one that does not run."""
    if "Cluster" in host["registry"]:
        return _plain(host, read, shape)
    if registry(host, "SYSTEM\\CurrentControlSet\\Services\\ClusSvc").get("Start", {}).get("value") == 2:
        raise ReadFailed("failed", "the cluster service is set up on this host and does not run")
    return []


def _listeners(host: Host, read: str, shape: dict[str, Any]) -> list[Row]:
    rows = []
    for child in children(host, LISTENERS):
        values = registry(host, f"{LISTENERS}\\{child}")
        row: Row = {"Transport": child.rpartition("+")[2]}
        if "Port" in values:
            row["Port"] = values["Port"]["value"]
        certificate = host["certificates"].get(values.get("certThumbprint", {}).get("value"))
        if certificate:
            row |= {"CertificateSha256": certificate["sha256"], "NotAfter": certificate["not_after"]}
        rows.append(row)
    return in_order(rows)


def _engine(host: Host, read: str, shape: dict[str, Any]) -> list[Row]:
    return [host["engine"]]


def _adapters(host: Host, read: str, shape: dict[str, Any]) -> list[Row]:
    return in_order(project(row, shape) for row in objects(host, read) if not (row["Hidden"] and row["Virtual"]))


def _default_routes(host: Host, read: str, shape: dict[str, Any]) -> list[Row]:
    return in_order(project(row, shape) for row in objects(host, read) if row["DestinationPrefix"] in ("0.0.0.0/0", "::/0"))


def _controllers(host: Host, read: str, shape: dict[str, Any]) -> list[Row]:
    rows = []
    for controller in instances(host, "root/cimv2", read):
        driver = registry(host, "SYSTEM\\CurrentControlSet\\Enum\\" + controller["PNPDeviceID"]).get("Driver", {}).get("value")
        values = registry(host, f"SYSTEM\\CurrentControlSet\\Control\\Class\\{driver}") if driver else {}
        more = {name: values[key]["value"] for name, key in (("DriverVersion", "DriverVersion"), ("InfName", "InfPath")) if key in values}
        rows.append(project(controller | more, shape))
    return in_order(rows)


def _properties(host: Host, read: str, shape: dict[str, Any]) -> list[Row]:
    adapters: dict[str, dict[str, list[str]]] = {}
    for row in objects(host, read):
        value = row["RegistryValue"]
        texts = [text(item) for item in (value if isinstance(value, list) else [value]) if item is not None]
        adapters.setdefault(row["InstanceID"].split("::")[0], {})[row["RegistryKeyword"]] = texts
    return in_order({"InterfaceGuid": guid, "properties": {key: found[key] for key in sorted(found)}} for guid, found in adapters.items())


def _property_catalogue(host: Host, read: str, shape: dict[str, Any]) -> list[Row]:
    drivers = {row["InterfaceGuid"]: (row.get("ComponentID"), row.get("DriverVersion")) for row in objects(host, "Get-NetAdapter")}
    catalogues: dict[tuple[Any, Any], dict[str, Row]] = {}
    for row in objects(host, read):
        driver = drivers.get(row["InstanceID"].split("::")[0])
        if driver is None or not row["DisplayName"]:
            continue
        offer = project(row, {"fields": shape["keyword_fields"], "list": shape["list"]})
        keywords = catalogues.setdefault(driver, {})
        other = keywords.get(row["RegistryKeyword"])
        # Two ports of one driver may differ in a figure: the smaller text stands, so that the order of the ports does not show.
        if other is None or write_json(offer) < write_json(other):
            keywords[row["RegistryKeyword"]] = offer
    return in_order(
        {"ComponentID": component, "DriverVersion": version, "keywords": {key: found[key] for key in sorted(found)}}
        for (component, version), found in catalogues.items()
    )


def _interface_registry(host: Host, read: str, shape: dict[str, Any]) -> list[Row]:
    rows = []
    for child in children(host, INTERFACES):
        values = registry(host, f"{INTERFACES}\\{child}")
        row: Row = {"InterfaceGuid": child}
        for name in shape["fields"][1:]:
            row[name] = {"state": "present", **values[name]} if name in values else {"state": "absent"}
        rows.append(row)
    return in_order(rows)


def _connections_to_portals(host: Host, read: str, shape: dict[str, Any]) -> list[Row]:
    wanted = (row for row in objects(host, read) if row["RemotePort"] == 3260 and row["State"] == "Established")
    return in_order((project(row, shape) for row in wanted), distinct=shape["distinct"])


def _netbios(host: Host, read: str, shape: dict[str, Any]) -> list[Row]:
    return in_order(project(row, shape) for row in instances(host, "root/cimv2", read) if row["TcpipNetbiosOptions"] is not None)


def _mpio_settings(host: Host, read: str, shape: dict[str, Any]) -> list[Row]:
    rows = objects(host, read)
    if rows and not any("PDORemovePeriod" in row for row in rows):
        # 2012 R2: what it answers is the layout of a list.
        raise ReadFailed("unavailable", "Get-MPIOSetting of this release only prints its settings")
    return in_order(project(row, shape) for row in rows)


def _mpio_registry(host: Host, read: str, shape: dict[str, Any]) -> list[Row]:
    """One row a driver that has a key; the disk's time-out only beside one of MPIO's."""
    places = {"mpio": "mpio\\Parameters", "msdsm": "msdsm\\Parameters", "Disk": "Disk"}
    keys = {name: "SYSTEM\\CurrentControlSet\\Services\\" + place for name, place in places.items()}
    if not {keys["mpio"], keys["msdsm"]} & host["registry"].keys():
        raise ReadFailed("unavailable", "no MPIO driver is set up on this host")
    rows = []
    for name, key in keys.items():
        if key in host["registry"]:
            wanted = ["TimeOutValue"] if name == "Disk" else [field for field in shape["fields"] if field != "TimeOutValue"]
            values = {field: held["value"] for field, held in registry(host, key).items() if field in wanted}
            rows.append(project({"Service": name, **values}, shape))
    return in_order(rows)


def _policy(host: Host, read: str, shape: dict[str, Any]) -> list[Row]:
    return [{"Policy": text} for text in objects(host, read)]


def _wmi(host: Host, read: str, shape: dict[str, Any]) -> list[Row]:
    return in_order(project(row, shape) for row in instances(host, "root/wmi", read))


def _balance(host: Host, read: str, shape: dict[str, Any]) -> list[Row]:
    rows = []
    for row in instances(host, "root/wmi", read):
        inner = row["LoadBalancePolicy"]
        flat = {"LoadBalancePolicy": inner["LoadBalancePolicy"], "DSM_Paths": inner["DSM_Paths"]}
        rows.append(project(row | flat, shape))
    return in_order(rows)


def _mpclaim(host: Host, read: str, shape: dict[str, Any]) -> list[Row]:
    if not host["mpclaim"]:
        raise ReadFailed("unavailable", "mpclaim.exe is not there")
    shown = {row["argument"]: row["text"] for row in host["mpclaim"]}
    arguments = ["-s -d"]
    if not host["cim"]["root/wmi"].get("DSM_QueryLBPolicy_V2"):
        drives = (drive for row in host["cim"]["root/wmi"].get("MPIO_DISK_INFO", []) for drive in row["DriveInfo"])
        arguments += [f"-s -d {number}" for number in sorted(int(re.sub(r"\D", "", drive["Name"])) for drive in drives)]
    return [{"argument": argument, "text": shown[argument]} for argument in arguments]


def _vm_adapters(host: Host, read: str, shape: dict[str, Any]) -> list[Row]:
    rows = []
    for row in objects(host, read):
        vlan = row.get("VlanSetting")
        rows.append(project(row | ({"VlanId": vlan["AccessVlanId"]} if vlan else {}), shape))
    return in_order(rows)


def _team_mapping(host: Host, read: str, shape: dict[str, Any]) -> list[Row]:
    return in_order(project(row | {"ParentAdapter": row["ParentAdapter"]["Name"]}, shape) for row in objects(host, read))


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
    ("iscsi", "Get-Service"): initiator_service,
    ("iscsi", "Get-IscsiTarget"): of_initiator,
    ("iscsi", "Get-IscsiTargetPortal"): of_initiator,
    ("iscsi", "Get-IscsiSession"): sessions,
    ("iscsi", "Get-IscsiConnection"): connections,
    ("iscsi", "MSiSCSIInitiator_SessionClass"): session_class,
    ("mpio", "Get-MPIOSetting"): _mpio_settings,
    ("mpio", "registry:MPIO"): _mpio_registry,
    ("mpio", "Get-MSDSMGlobalDefaultLoadBalancePolicy"): _policy,
    ("mpio", "MPIO_DISK_INFO"): _wmi,
    ("mpio", "DSM_QueryLBPolicy_V2"): _balance,
    ("mpio", "MPIO_PATH_INFORMATION"): _wmi,
    ("mpio", "MPIO_GET_DESCRIPTOR"): _wmi,
    ("mpio", "mpclaim"): _mpclaim,
    ("vswitch", "Get-VMNetworkAdapter"): _vm_adapters,
    ("vswitch", "Get-VMNetworkAdapterTeamMapping"): _team_mapping,
    ("probes", "ping"): pings,
}


def main() -> None:
    """Writes every sample anew."""
    SAMPLES.mkdir(parents=True, exist_ok=True)
    for path in sorted(HOSTS.glob("*.json")):
        (SAMPLES / f"{path.stem}.checkin").write_bytes(check_in(read_host(path)))


__all__ = ["HOSTS", "ROOT", "SAMPLES", "SECTIONS", "check_in", "read_host", "section_body", "write_json"]

if __name__ == "__main__":
    main()
