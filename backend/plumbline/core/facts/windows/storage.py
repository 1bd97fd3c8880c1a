"""Section `storage`: disks, and the SMB connections that show which adapters carry Storage Spaces Direct."""

from dataclasses import dataclass

from plumbline.core.facts.configuration import HOST, Facts, Unknown
from plumbline.core.facts.windows.mpio import device_key
from plumbline.core.facts.windows.reads import Body, Row, as_bool, as_int, as_text

DISK = "Get-Disk"
SMB = "Get-SmbMultichannelConnection"
JOBS = "Get-StorageJob"
# Names of Get-Disk's BusType and the numbers of MSFT_Disk.
_ISCSI_BUS = ("iscsi", "9")
# Names and numbers of MSFT_StorageJob's JobState (those of CIM_ConcreteJob): a job in one of these is over, in any other it is not.
_OVER = frozenset({"completed", "completedwithwarnings", "terminated", "killed", "exception", "7", "8", "9", "10"})


@dataclass(frozen=True, slots=True)
class Disk:
    """A disk as Windows lists it."""

    id: str
    unique_id: str
    serial: str
    number: int | None
    name: str
    size_bytes: int | None
    is_iscsi: bool
    path: str
    device: str  # the path as the WMI instance names of MPIO spell it
    is_multipath: bool  # MPIO has claimed it: its device path then begins with the MPIO enumerator


def parse(body: Body) -> Facts:
    """Disks for the path map, whether the host boots from the SAN, storage jobs that are not finished, and SMB's use of interfaces."""
    disks: list[Disk] = []
    boot: Row | None = None
    for row in body.rows(DISK):
        disk = _disk(row)
        if not disk.id:
            body.facts.problems.append(f"{DISK}: a disk without identity, path or number")
            continue
        disks.append(disk)
        if disk.is_iscsi and as_bool(row.get("IsBoot")):
            boot = row
    body.facts.observations["disks"] = disks
    read = body.read(DISK)
    source = body.source(DISK, "IsBoot", "" if boot is None else f"disk {boot.get('Number')}: BusType {boot.get('BusType')}")
    if boot is not None:
        body.facts.set_value(HOST, "boot_from_san", True, source)
    elif read.reason or not read.rows:
        body.facts.set(HOST, "boot_from_san", Unknown(read.reason or f"{DISK} listed no disk", source))
    elif read.lacks_fields and any("BusType" not in row or "IsBoot" not in row for row in read.rows):
        body.facts.set(HOST, "boot_from_san", Unknown(f"the copied output of {DISK} does not show BusType and IsBoot", source))
    else:
        body.facts.set_value(HOST, "boot_from_san", False, source)
    body.facts.observations["smb"] = [
        (as_text(row.get("ClientIpAddress")) or "", as_int(row.get("ClientInterfaceIndex")), bool(as_bool(row.get("ClientRdmaCapable"))))
        for row in body.rows(SMB)
        if as_bool(row.get("Selected")) is not False
    ]
    # For each connection in use: the client's address and interface, and whether SMB may use RDMA at either end.
    body.facts.observations["smb_rdma"] = [
        (
            as_text(row.get("ClientIpAddress")) or "",
            as_int(row.get("ClientInterfaceIndex")),
            as_bool(row.get("ClientRdmaCapable")),
            as_bool(row.get("ServerRdmaCapable")),
        )
        for row in body.rows(SMB)
        if as_bool(row.get("Selected")) is not False
    ]
    _jobs(body)
    return body.facts


def _jobs(body: Body) -> None:
    """How many storage jobs are not finished. One without a state makes the count unknown, so that it is never taken for none."""
    states = [(as_text(row.get("JobState")) or "").replace(" ", "").lower() for row in body.rows(JOBS)]
    source = body.source(JOBS, "JobState", ", ".join(states))
    reason = body.read(JOBS).reason or ("a storage job reports no state" if "" in states else "")
    if reason:
        body.facts.set(HOST, "storage_jobs", Unknown(reason, source))
    else:
        body.facts.set_value(HOST, "storage_jobs", sum(state not in _OVER for state in states), source)


def _disk(row: Row) -> Disk:
    unique = as_text(row.get("UniqueId")) or ""
    serial = as_text(row.get("SerialNumber")) or ""
    path = as_text(row.get("Path")) or ""
    number = as_int(row.get("Number"))
    return Disk(
        id=volume_id(unique, serial) or (device_key(path) if path else "") or ("" if number is None else f"disk {number}"),
        unique_id=unique.lower(),
        serial=serial.lower(),
        number=number,
        name=as_text(row.get("FriendlyName")) or "",
        size_bytes=as_int(row.get("Size")),
        is_iscsi=(as_text(row.get("BusType")) or "").lower() in _ISCSI_BUS,
        path=path,
        device=device_key(path) if path else "",
        is_multipath="mpio#" in path.lower(),
    )


def volume_id(unique_id: str, serial: str) -> str:
    """NAA or EUI as ESXi writes them (`naa.6090...`, `eui.0017...`), so that one volume has one id on every host; else the serial."""
    text = unique_id.strip().lower()
    for prefix in ("naa.", "eui."):
        if text.startswith(prefix):
            return text
    if text and all(sign in "0123456789abcdef" for sign in text):
        # The first digit is the NAA format: 2, 3, 5 (8 bytes) and 6 (16 bytes); 8 bytes of another format are an EUI-64.
        if (len(text) == 32 and text[0] == "6") or (len(text) == 16 and text[0] in "235"):
            return f"naa.{text}"
        if len(text) in (16, 32):
            return f"eui.{text}"
    return serial.strip() or unique_id.strip()
