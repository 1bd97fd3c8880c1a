"""Section `mpio`: the multipath feature's settings, and what its sources show of each disk's paths."""

import re
from dataclasses import dataclass

from plumbline.core.facts.configuration import HOST, Facts, Unknown
from plumbline.core.facts.paths import PathState
from plumbline.core.facts.windows.reads import Body, Convert, Row, as_bool, as_int, as_text, choice, on_off

SETTING = "Get-MPIOSetting"
POLICY = "Get-MSDSMGlobalDefaultLoadBalancePolicy"
CLAIM = "Get-MSDSMAutomaticClaimSettings"
DISK_INFO = "MPIO_DISK_INFO"
DSM = "DSM_QueryLBPolicy_V2"
DESCRIPTOR = "MPIO_GET_DESCRIPTOR"
MPCLAIM = "mpclaim"
# The drivers' own values: what Get-MPIOSetting shows, and all there is on 2012 R2, where it only prints.
REGISTRY = "registry:MPIO"
_POLICY = choice(
    {
        "none": "none", "foo": "fail_over_only", "rr": "round_robin", "lqd": "least_queue_depth", "lb": "least_blocks",
        "0": "none", "1": "fail_over_only", "2": "round_robin", "4": "least_queue_depth", "6": "least_blocks",
    }
)  # fmt: skip
# DSM_Load_Balance_Policy_V2.LoadBalancePolicy (Microsoft, mpiodisk.h), and mpclaim's letters.
_POLICY_NAMES = {
    1: "fail_over_only", 2: "round_robin", 3: "round_robin_with_subset", 4: "least_queue_depth", 5: "weighted_paths", 6: "least_blocks",
    7: "vendor_specific",
}  # fmt: skip
_LETTERS = {
    "foo": "fail_over_only", "rr": "round_robin", "rrws": "round_robin_with_subset", "lqd": "least_queue_depth", "wp": "weighted_paths",
    "lb": "least_blocks", "vs": "vendor_specific",
}  # fmt: skip
# Told apart by form, never by a word that a translation changes: "MPIO Disk0   Disk 2   RR   Microsoft DSM".
_LISTED = re.compile(r"^\s*MPIO\s+\D*?(\d+)\s+\D*?(\d+)\s+(\S+)\s{2,}(\S.*?)\s*$", re.MULTILINE)
# Its own page: "MPIO Disk0: 04 Paths, Round Robin, ALUA Not Supported", then the DSM, the serial number and a row for each path.
_PAGE = re.compile(r"^\s*MPIO\s+\D*?(\d+):\s*(\d+)\s+[^,\n]*,\s*([^,\n]*)", re.MULTILINE)
_PAGE_DSM = re.compile(r"^\s*[^:\n]*\bDSM\b[^:\n]*:\s*(\S.*?)\s*$", re.MULTILINE)
_PAGE_SERIAL = re.compile(r"^\s*SN:\s*([0-9A-Za-z]{8,})\s*$", re.MULTILINE)
_PAGE_STATE = re.compile(r"^\s*[0-9A-Fa-f]{16}\s+(\S.*?)\s+\d{3}\|\d{3}\|", re.MULTILINE)
_PAGE_POLICIES = {
    "fail over only": "fail_over_only", "round robin": "round_robin", "round robin with subset": "round_robin_with_subset",
    "least queue depth": "least_queue_depth", "weighted paths": "weighted_paths", "least blocks": "least_blocks",
    "vendor specific": "vendor_specific",
}  # fmt: skip
# The same states as `_state` reads from the flags of the DSM.
_PAGE_STATES: dict[str, PathState] = {
    "active/optimized": "healthy", "active/unoptimized": "healthy", "active": "healthy", "standby": "standby", "unavailable": "dead",
    "failed": "dead",
}  # fmt: skip
_PATH_ROW = re.compile(r"^\s*([0-9A-Fa-f]{16})\s+\S", re.MULTILINE)
_INSTANCE_SUFFIX = re.compile(r"_\d+$")


@dataclass(frozen=True, slots=True)
class Drive:
    """One disk as the MPIO driver lists it."""

    name: str
    serial: str
    dsm: str
    paths: int | None


@dataclass(frozen=True, slots=True)
class Claimed:
    """One disk as its DSM shows it: the policy, and state and number of each path."""

    device: str
    hex_id: str
    policy: str
    states: tuple[PathState, ...]
    path_ids: tuple[int | None, ...] = ()


# Port, bus, target and LUN: the address of a SCSI device, by which a path of MPIO is a device of an iSCSI session.
ScsiAddress = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Described:
    """One disk as MPIO's driver describes it, whatever its DSM: number and SCSI address of each path."""

    device: str
    hex_id: str
    paths: tuple[tuple[int, ScsiAddress | None], ...]


@dataclass(frozen=True, slots=True)
class Listed:
    """One disk as mpclaim lists it; `paths` is None where its own page was not read."""

    number: int
    disk: int | None
    policy: str
    dsm: str
    paths: int | None
    # Of its own page: the serial number, and the state of each path where all of them are words that we know.
    serial: str = ""
    states: tuple[PathState, ...] | None = None


def parse(body: Body) -> Facts:
    """Timers and default policy; drives, DSM answers and mpclaim's lists for the path map."""
    _timers(body)
    body.set_from_row(HOST, {"mpio.policy": ("Policy", _POLICY)}, POLICY)
    body.set_from_row(HOST, {"mpio.claims_iscsi": ("iSCSI", as_bool)}, CLAIM)
    body.facts.observations["drives"] = _drives(body)
    body.facts.observations["claimed"] = _claimed(body)
    body.facts.observations["described"] = _described(body)
    body.facts.observations["listed"] = _listed(body)
    if body.first(SETTING) is not None:
        body.facts.observations["answers"] = True
    elif body.read(SETTING).is_unavailable and body.first(REGISTRY) is None:
        body.facts.observations["answers"] = False
    else:
        body.facts.set(HOST, "mpio.policy", Unknown(body.read(POLICY).reason or "not reported", body.source(POLICY, "Policy")))
    return body.facts


_TIMERS: dict[str, tuple[str, Convert]] = {
    "mpio.path_verification": ("PathVerificationState", on_off),
    "mpio.path_verification_seconds": ("PathVerificationPeriod", as_int),
    "mpio.pdo_remove_seconds": ("PDORemovePeriod", as_int),
    "mpio.retry_count": ("RetryCount", as_int),
    "mpio.retry_interval_seconds": ("RetryInterval", as_int),
    "mpio.disk_timeout_seconds": ("DiskTimeoutValue", as_int),
}
_IN_REGISTRY = {"PathVerificationState": "PathVerifyEnabled", "DiskTimeoutValue": "TimeOutValue"}


def _timers(body: Body) -> None:
    """The timers as the cmdlet shows them; where it has no rows, as the registry holds them. A value that no driver has there is unknown:
    which default then counts is the driver's own affair."""
    rows = {(as_text(row.get("Service")) or "").lower(): row for row in body.rows(REGISTRY)}
    if body.first(SETTING) is not None or not rows:
        body.set_from_row(HOST, _TIMERS, SETTING)
        return
    for key, (shown, convert) in _TIMERS.items():
        field = _IN_REGISTRY.get(shown, shown)
        # The Microsoft DSM's own value overrides that of MPIO.
        row = next((rows[service] for service in ("msdsm", "mpio", "disk") if rows.get(service, {}).get(field) is not None), None)
        missing = Unknown(body.read(REGISTRY).reason or f"{REGISTRY} holds no {field}", body.source(REGISTRY, field))
        body.facts.set(HOST, key, missing if row is None else body.reading(REGISTRY, row, field, convert))


def device_key(text: str) -> str:
    r"""A device path (`\\?\mpio#disk&ven_...#1&7f6&0&3630#{...}`) or WMI instance name (`MPIO\DISK&VEN_...\1&7f6&0&3630_0`), made alike."""
    text = text.lower().removeprefix("\\\\?\\")
    text = re.sub(r"#\{[0-9a-f-]+\}$", "", text)
    return _INSTANCE_SUFFIX.sub("", text.replace("#", "\\"))


def hex_identity(text: str) -> str:
    """What the last part of an MPIO device name spells in hexadecimal ASCII: the disk's identity; empty where it spells nothing."""
    tail = device_key(text).rpartition("&")[2]
    try:
        return bytes.fromhex(tail).decode("ascii").strip().lower()
    except (ValueError, UnicodeDecodeError):
        return ""


def _drives(body: Body) -> list[Drive]:
    found: list[Drive] = []
    for row in body.rows(DISK_INFO):
        drives = row.get("DriveInfo")
        for drive in drives if isinstance(drives, list) else [drives] if isinstance(drives, dict) else []:
            if isinstance(drive, dict):
                paths = as_int(drive.get("NumberPaths"))
                serial = (as_text(drive.get("SerialNumber")) or "").lower()
                found.append(Drive(as_text(drive.get("Name")) or "", serial, as_text(drive.get("DsmName")) or "", paths))
    return found


def _claimed(body: Body) -> list[Claimed]:
    found: list[Claimed] = []
    for row in body.rows(DSM):
        instance = as_text(row.get("InstanceName")) or ""
        policy: object = row.get("LoadBalancePolicy")
        paths: object = row.get("DSM_Paths")
        if isinstance(policy, dict):
            # The WMI class holds the policy as an object of its own; an agent may have sent it whole.
            paths = paths if paths is not None else policy.get("DSM_Paths")
            policy = policy.get("LoadBalancePolicy")
        rows = [path for path in paths if isinstance(path, dict)] if isinstance(paths, list) else []
        number = as_int(policy)
        name = _POLICY_NAMES.get(number, str(number)) if number is not None else ""
        states, numbers = tuple(_state(path) for path in rows), tuple(as_int(path.get("DsmPathId")) for path in rows)
        found.append(Claimed(device_key(instance), hex_identity(instance), name, states, numbers))
    return found


def _described(body: Body) -> list[Described]:
    found: list[Described] = []
    for row in body.rows(DESCRIPTOR):
        instance, devices = as_text(row.get("InstanceName")) or "", row.get("PdoInformation")
        paths: list[tuple[int, ScsiAddress | None]] = []
        for device in devices if isinstance(devices, list) else [devices]:
            if isinstance(device, dict) and (number := as_int(device.get("PathIdentifier"))) is not None:
                paths.append((number, scsi_address(device.get("ScsiAddress"), ("PortNumber", "ScsiPathId", "TargetId", "Lun"))))
        if len(paths) == as_int(row.get("NumberPdos")):
            # A list of another length than its own count is no witness.
            found.append(Described(device_key(instance), hex_identity(instance), tuple(paths)))
    return found


def scsi_address(raw: object, fields: tuple[str, str, str, str]) -> ScsiAddress | None:
    """The address in an object of these properties; None where one is missing."""
    if not isinstance(raw, dict):
        return None
    port, bus, target, lun = (as_int(raw.get(field)) for field in fields)
    return None if port is None or bus is None or target is None or lun is None else (port, bus, target, lun)


# TargetPortGroup_State (SPC-4 section 6.33): 0 and 1 carry traffic. Other states show nothing of their own.
_GROUP_STATES: dict[int, PathState] = {2: "standby", 3: "dead", 14: "dead", 15: "unknown"}


def _state(path: Row) -> PathState:
    """The two flags form four states (Microsoft, MPIO_DSM_Path_V2): optimized, unoptimized, standby, unavailable. The state of the target
    port group may be worse."""
    if as_bool(path.get("FailedPath")):
        return "dead"
    group = as_int(path.get("TargetPortGroup_State"))
    if group in _GROUP_STATES:
        return _GROUP_STATES[group]
    primary, optimized = as_bool(path.get("PrimaryPath")), as_bool(path.get("OptimizedPath"))
    if primary is None:
        return "unknown"
    if primary:
        return "healthy"
    return "unknown" if optimized is None else "standby" if optimized else "dead"


def _listed(body: Body) -> list[Listed]:
    texts: dict[str, str] = {}
    for row in body.rows(MPCLAIM):
        argument = " ".join((as_text(row.get("argument")) or "").split())
        texts[argument] = (texts.get(argument, "") + "\n" + (as_text(row.get("text")) or "")).strip("\n")
    pages = {page.number: page for text in texts.values() for page in _pages(text)}
    found: list[Listed] = []
    for match in _LISTED.finditer(texts.get("-s -d", "")):
        number = int(match.group(1))
        detail = texts.get(f"-s -d {number}")
        page = pages.pop(number, None)
        paths = page.paths if page is not None else None if detail is None else len(_PATH_ROW.findall(detail))
        policy = _LETTERS.get(match.group(3).lower(), match.group(3))
        serial, states = (page.serial, page.states) if page is not None else ("", None)
        found.append(Listed(number, int(match.group(2)), policy, match.group(4), paths, serial, states))
    return [*found, *(pages[number] for number in sorted(pages))]


def _pages(text: str) -> list[Listed]:
    """The pages of single disks in a text, as `mpclaim -s -d 0` and `mpclaim -v` print them."""
    heads = list(_PAGE.finditer(text))
    found: list[Listed] = []
    for at, head in enumerate(heads):
        page = text[head.end() : heads[at + 1].start() if at + 1 < len(heads) else len(text)]
        dsm, serial = _PAGE_DSM.search(page), _PAGE_SERIAL.search(page)
        rows = len(_PATH_ROW.findall(page))
        states = [_PAGE_STATES.get(state.lower().lstrip("*")) for state in _PAGE_STATE.findall(page)]
        is_whole = rows == int(head.group(2)) == len(states) and None not in states
        found.append(
            Listed(
                number=int(head.group(1)),
                disk=None,
                policy=_PAGE_POLICIES.get(head.group(3).strip().lower(), ""),
                dsm=dsm.group(1) if dsm else "",
                paths=rows,
                serial=serial.group(1).lower() if serial else "",
                states=tuple(state for state in states if state is not None) if is_whole else None,
            )
        )
    return found
