"""Section `paths`: storage devices and their paths. Only devices that an iSCSI path leads to are volumes of the SAN."""

import re
from dataclasses import dataclass, field

from plumbline.core.facts.configuration import Facts, Subject
from plumbline.core.facts.esxi.entries import Body, Entry, Sink
from plumbline.core.facts.esxi.readers import Record, rows
from plumbline.core.facts.esxi.values import as_bool, as_int, as_list
from plumbline.core.facts.paths import PathState

NMP = "esxcli storage nmp device list"
PATHS = "esxcli storage core path list"
DEVICES = "esxcli storage core device list"
ROUND_ROBIN = "esxcli storage nmp psp roundrobin deviceconfig get"

_STATES: dict[str, PathState] = {"active": "healthy", "standby": "standby", "dead": "dead", "disabled": "dead", "off": "dead"}
_DEVICE = re.compile(r"^(naa|eui|t10|mpx|vml|vmhba\S*:C)\S*", re.I)


@dataclass(frozen=True, slots=True)
class Way:
    """One path as `core path list` tells it."""

    runtime: str
    device: str
    vmhba: str
    state: PathState
    transport: str
    target: str
    isid: str
    plugin: str


@dataclass(slots=True)
class Seen:
    """What the section says of one device."""

    id: str
    name: str = ""
    size_bytes: int | None = None
    policy: str = ""
    module: str = ""
    plugin: str = ""
    working: tuple[str, ...] | None = None
    is_boot: bool | None = None
    ways: list[Way] = field(default_factory=list)

    @property
    def is_iscsi(self) -> bool | None:
        """Whether an iSCSI path leads to it; None where no path is told."""
        return any(way.transport == "iscsi" for way in self.ways) if self.ways else None


def parse(body: Body) -> Facts:
    """Observations: `devices` (id -> Seen), `has_paths` (whether the list of paths was read), `has_nmp`."""
    sink = Sink(body)
    devices: dict[str, Seen] = {}
    path_entry, nmp_entry, device_entry = body.find(PATHS), body.find(NMP), body.find(DEVICES)
    for record in rows(path_entry):
        way = _way(record)
        if way is not None:
            devices.setdefault(way.device, Seen(way.device)).ways.append(way)
    nmp: dict[str, Record] = {}
    for record in rows(nmp_entry):
        device = record.get("Device") or record.heading or _in_parentheses(record.get("Device Display Name"))
        if device and _DEVICE.match(device):
            nmp[device] = record
            seen = devices.setdefault(device, Seen(device))
            seen.name = record.get("Device Display Name") or seen.name
            seen.policy = record.get("Path Selection Policy") or ""
            seen.module = record.get("Storage Array Type") or ""
            seen.working = as_list(record.get("Working Paths"))
    for record in rows(device_entry):
        device = record.get("Device") or record.heading
        if device and _DEVICE.match(device):
            seen = devices.setdefault(device, Seen(device))
            size = as_int(record.get("Size"))
            seen.name = record.get("Display Name") or seen.name
            # The list counts in units of 2^20 bytes, as its own `Size` of a 100 GB volume shows.
            seen.size_bytes = size * 1024 * 1024 if size is not None and size >= 0 else None
            seen.plugin = record.get("Multipath Plugin") or ""
            seen.is_boot = as_bool(record.get("Is Boot Device"))
    has_paths = path_entry is not None and path_entry.is_ok
    for seen in devices.values():
        # Without the list of paths the transport is not told; a local disk says that it is one.
        is_local = seen.module == "VMW_SATP_LOCAL"
        if seen.is_iscsi or (seen.is_iscsi is None and not has_paths and seen.working is not None and not is_local):
            _volume(sink, seen, nmp.get(seen.id), nmp_entry, path_entry, device_entry)
    for entry in body.each(ROUND_ROBIN):
        for record in rows(entry)[:1]:
            device = entry.command.options.get("-d") or record.get("Device") or ""
            limit = as_int(record.get("IOOperation Limit"))
            known = devices.get(device)
            if limit is not None and device and (known is None or known.is_iscsi is not False):
                sink.value(Subject("volume", device), "round_robin_iops", limit, entry, record.title("IOOperation Limit"), str(limit))
    sink.facts.observations.update(devices=devices, has_paths=has_paths, has_nmp=nmp_entry is not None and nmp_entry.is_ok)
    return sink.facts


def _in_parentheses(text: str | None) -> str:
    match = re.search(r"\(([^()\s]+)\)\s*$", text or "")
    return match.group(1) if match else ""


def _way(record: Record) -> Way | None:
    device, runtime = record.get("Device") or "", record.get("Runtime Name") or ""
    if not device or not _DEVICE.match(device):
        return None
    # `00023d000001,iqn.2001-05.com.equallogic:...,t,1`
    parts = (record.get("Target Identifier") or "").split(",")
    isid = parts[0] if len(parts) > 1 and re.fullmatch(r"[0-9a-f]{12}", parts[0], re.I) else ""
    target = parts[1] if isid else ""
    details = re.search(r"IQN=(\S+)(?:.*?Session=([0-9a-fA-F]{12}))?", record.get("Target Transport Details") or "")
    if details:
        target = target or details.group(1)
        isid = isid or (details.group(2) or "")
    return Way(
        runtime=runtime,
        device=device,
        vmhba=record.get("Adapter") or runtime.split(":")[0],
        state=_STATES.get((record.get("State") or "").lower(), "unknown"),
        transport=(record.get("Transport") or "").lower(),
        target=target,
        isid=isid.lower(),
        plugin=record.get("Plugin") or "",
    )


def _volume(
    sink: Sink, seen: Seen, nmp: Record | None, nmp_entry: Entry | None, path_entry: Entry | None, device_entry: Entry | None
) -> None:
    subject = Subject("volume", seen.id)
    entry = nmp_entry if nmp is not None else path_entry
    if entry is None:
        return
    if seen.name:
        sink.value(subject, "name", seen.name, device_entry or entry, "Display Name", seen.name)
    if seen.size_bytes is not None and device_entry is not None:
        sink.value(subject, "size_bytes", seen.size_bytes, device_entry, "Size", str(seen.size_bytes // 1048576))
    if nmp is None:
        plugin = seen.plugin or next((way.plugin for way in seen.ways if way.plugin), "")
        if plugin and plugin != "NMP":
            sink.value(subject, "module", plugin, entry, "Plugin", plugin)
            sink.not_offered(subject, ("round_robin_iops",), f"{plugin} has no such limit here", entry)
        return
    for key, title in (("policy", "Path Selection Policy"), ("module", "Storage Array Type")):
        text = nmp.get(title)
        if text:
            sink.value(subject, key, text, entry, nmp.title(title), text)
    config = nmp.get("Path Selection Policy Device Config") or ""
    # `policy=rr` and `policy=iops` both occur; the limit is what counts.
    match = re.search(r"\biops=(\d+)", config)
    if match:
        sink.value(subject, "round_robin_iops", int(match.group(1)), entry, nmp.title("Path Selection Policy Device Config"), config)
    elif seen.policy and not seen.policy.upper().endswith("_RR"):
        sink.not_offered(subject, ("round_robin_iops",), f"{seen.policy} is not round robin", entry)
