"""Section `paths`: storage devices and their paths. Only devices that an iSCSI path leads to are volumes of the SAN."""

import re
from dataclasses import dataclass, field

from plumbline.core.facts.configuration import Facts, Subject
from plumbline.core.facts.esxi.entries import Body, Entry, Sink
from plumbline.core.facts.esxi.esxcfg import brief_paths
from plumbline.core.facts.esxi.iscsi import STORAGE_ADAPTERS, is_iscsi_adapter
from plumbline.core.facts.esxi.readers import Record, each_row, rows
from plumbline.core.facts.esxi.values import as_bool, as_int, as_list
from plumbline.core.facts.paths import PathState

NMP = "esxcli storage nmp device list"
PATHS = "esxcli storage core path list"
PATHS_OLD = "esxcfg-mpath -l"
PATHS_BRIEF = "esxcfg-mpath -b"
DEVICES = "esxcli storage core device list"
ROUND_ROBIN = "esxcli storage nmp psp roundrobin deviceconfig get"

_STATES: dict[str, PathState] = {"active": "healthy", "standby": "standby", "dead": "dead", "disabled": "dead", "off": "dead"}
_DEVICE = re.compile(r"^(naa|eui|t10|mpx|vml|vmhba\S*:C)\S*", re.I)


@dataclass(frozen=True, slots=True)
class ListedPath:
    """One path as `core path list` shows it."""

    runtime: str
    device: str
    vmhba: str
    state: PathState
    transport: str
    target: str
    isid: str
    plugin: str


@dataclass(slots=True)
class Disk:
    """One storage device as the section shows it."""

    id: str
    name: str = ""
    size_bytes: int | None = None
    policy: str = ""
    module: str = ""
    plugin: str = ""
    working: tuple[str, ...] | None = None
    is_boot: bool | None = None
    is_local: bool | None = None
    working_read: str = ""  # the command lines that showed its working paths, and its paths
    paths_read: str = ""
    paths: list[ListedPath] = field(default_factory=list)
    by_adapters: bool | None = None  # where no path is listed: whether its working paths are over iSCSI adapters
    is_volume: bool = False  # of the SAN

    @property
    def is_iscsi(self) -> bool | None:
        """Whether an iSCSI path leads to it; None where neither a listed path nor the adapters of its working paths show that."""
        return any(path.transport == "iscsi" for path in self.paths) if self.paths else self.by_adapters


def parse(body: Body) -> Facts:
    """Observations: `devices` (id -> Disk), `has_paths` (whether the list of paths was read), `has_nmp`. `paths_cut`: a filter left only
    some of the paths."""
    sink = Sink(body)
    devices: dict[str, Disk] = {}
    path_entry, nmp_entry = body.find(PATHS), body.find(NMP)
    if path_entry is None or not path_entry.is_ok:
        path_entry = next((one for one in (body.find(PATHS_OLD), body.find(PATHS_BRIEF)) if one is not None and one.is_ok), path_entry)
    for entry, record in _path_records([] if path_entry is None else body.each(path_entry.command.words)):
        path = listed_path(record)
        if path is not None:
            disk = devices.setdefault(path.device, Disk(path.device))
            disk.name = record.get("Device Display Name") or disk.name
            if all(path.runtime != known.runtime for known in disk.paths):
                disk.paths.append(path)
                disk.paths_read = entry.line
    nmp, listed = _multipathing(body, devices), _disks(body, devices)
    has_paths = path_entry is not None and path_entry.is_ok
    if not has_paths:
        _by_adapters(body, devices)
    # A host whose list of paths failed may have Fibre Channel too; outputs that a person copied without it are of the SAN.
    is_copied = path_entry is None
    for disk in devices.values():
        # Without the list of paths the transport is not known; a local disk is marked as one.
        is_local = disk.module == "VMW_SATP_LOCAL"
        disk.is_volume = disk.is_iscsi or (disk.is_iscsi is None and is_copied and disk.working is not None and not is_local)
        if disk.is_volume:
            _volume(sink, disk, nmp.get(disk.id), path_entry, listed.get(disk.id))
    for entry in body.each(ROUND_ROBIN):
        for record in rows(entry):
            device = record.get("Device") or entry.command.options.get("-d") or ""
            limit = as_int(record.get("IOOperation Limit"))
            known = devices.get(device)
            # A device that the list of paths does not show is no volume of this host.
            is_volume = is_copied if known is None else bool(known.is_iscsi) or (known.is_iscsi is None and (is_copied or has_paths))
            if limit is not None and device and is_volume:
                sink.value(Subject("volume", device), "round_robin_iops", limit, entry, record.title("IOOperation Limit"), str(limit))
    sink.facts.observations.update(
        devices=devices,
        has_paths=has_paths,
        has_nmp=nmp_entry is not None and nmp_entry.is_ok,
        paths_cut=path_entry is not None and path_entry.is_filtered,
    )
    return sink.facts


def _multipathing(body: Body, devices: dict[str, Disk]) -> dict[str, tuple[Entry, Record]]:
    """Adds what the multipathing module lists to the disks; returns its entry for each."""
    nmp: dict[str, tuple[Entry, Record]] = {}
    for entry, record in each_row(body.each(NMP)):
        device = record.get("Device") or record.heading or _in_parentheses(record.get("Device Display Name"))
        if device and _DEVICE.match(device):
            nmp[device] = (entry, record)
            disk = devices.setdefault(device, Disk(device))
            disk.name = record.get("Device Display Name") or disk.name
            disk.policy = record.get("Path Selection Policy") or ""
            disk.module = record.get("Storage Array Type") or ""
            # A block that was cut off does not show them: that is not none.
            disk.working = as_list(record.get("Working Paths")) if record.has("Working Paths") else None
            disk.working_read = entry.line
    return nmp


def _disks(body: Body, devices: dict[str, Disk]) -> dict[str, Entry]:
    """Adds what the list of disks shows to the disks; returns the read that listed each."""
    listed: dict[str, Entry] = {}
    for entry, record in each_row(body.each(DEVICES)):
        device = record.get("Device") or record.heading
        if device and _DEVICE.match(device):
            disk = devices.setdefault(device, Disk(device))
            listed[device] = entry
            size = as_int(record.get("Size"))
            disk.name = record.get("Display Name") or disk.name
            # The list counts in units of 2^20 bytes, as its own `Size` of a 100 GB volume shows.
            disk.size_bytes = size * 1024 * 1024 if size is not None and size >= 0 else None
            disk.plugin = record.get("Multipath Plugin") or ""
            disk.is_boot = as_bool(record.get("Is Boot Device"))
            disk.is_local = as_bool(record.get("Is Local"))
    return listed


def _by_adapters(body: Body, devices: dict[str, Disk]) -> None:
    """Without a list of paths: the list of storage adapters shows which of the adapters that lead to a disk are iSCSI adapters."""
    kinds = {record.get("HBA Name") or "": is_iscsi_adapter(record) for _, record in each_row(body.each(STORAGE_ADAPTERS))}
    for disk in devices.values():
        adapters = {runtime.split(":")[0] for runtime in disk.working or ()}
        if adapters and adapters <= kinds.keys():
            disk.by_adapters = any(kinds[adapter] for adapter in adapters)


def _path_records(entries: list[Entry]) -> list[tuple[Entry, Record]]:
    brief = [entry for entry in entries if entry.is_ok and entry.command.words == PATHS_BRIEF]
    return [(entry, record) for entry in brief for record in brief_paths(entry.output)] or list(each_row(entries))


def _in_parentheses(text: str | None) -> str:
    match = re.search(r"\(([^()\s]+)\)\s*$", text or "")
    return match.group(1) if match else ""


def listed_path(record: Record) -> ListedPath | None:
    """A row of the list of paths; None where it names no device."""
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
    return ListedPath(
        runtime=runtime,
        device=device,
        # The older tool has channel, target and LUN in the line of the adapter.
        vmhba=(record.get("Adapter") or runtime.split(":")[0]).split(" ")[0],
        state=_STATES.get((record.get("State") or "").lower(), "unknown"),
        transport=(record.get("Transport") or "").lower(),
        target=target,
        isid=isid.lower(),
        plugin=record.get("Plugin") or "",
    )


def _volume(sink: Sink, disk: Disk, nmp: tuple[Entry, Record] | None, path_entry: Entry | None, device_entry: Entry | None) -> None:
    """`device_entry`: the read that listed it as a device."""
    subject = Subject("volume", disk.id)
    entry = nmp[0] if nmp is not None else path_entry
    if entry is None:
        return
    if disk.name:
        if device_entry is not None:
            sink.value(subject, "name", disk.name, device_entry, "Display Name", disk.name)
        else:
            sink.value(subject, "name", disk.name, entry, "Device Display Name", disk.name)
    if disk.size_bytes is not None and device_entry is not None:
        sink.value(subject, "size_bytes", disk.size_bytes, device_entry, "Size", str(disk.size_bytes // 1048576))
    if nmp is None:
        plugin = disk.plugin or next((path.plugin for path in disk.paths if path.plugin), "")
        if plugin and plugin != "NMP":
            sink.value(subject, "module", plugin, entry, "Plugin", plugin)
            sink.not_offered(subject, ("round_robin_iops",), f"{plugin} has no limit here", entry)
        return
    record = nmp[1]
    for key, title in (("policy", "Path Selection Policy"), ("module", "Storage Array Type")):
        text = record.get(title)
        if text:
            sink.value(subject, key, text, entry, record.title(title), text)
    config = record.get("Path Selection Policy Device Config") or ""
    # `policy=rr` and `policy=iops` both occur; the limit is what counts.
    match = re.search(r"\biops=(\d+)", config)
    if match:
        sink.value(subject, "round_robin_iops", int(match.group(1)), entry, record.title("Path Selection Policy Device Config"), config)
    elif disk.policy and not disk.policy.upper().endswith("_RR"):
        sink.not_offered(subject, ("round_robin_iops",), f"{disk.policy} is not round robin", entry)
