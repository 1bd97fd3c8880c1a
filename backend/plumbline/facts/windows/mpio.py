"""Section `mpio`: the multipath feature's settings, and what its witnesses say of each disk's paths."""

import re
from dataclasses import dataclass

from plumbline.facts.configuration import HOST, Facts, Unknown
from plumbline.facts.paths import PathState
from plumbline.facts.windows.reads import Body, Row, as_bool, as_int, as_text, choice, on_off

SETTING = "Get-MPIOSetting"
POLICY = "Get-MSDSMGlobalDefaultLoadBalancePolicy"
CLAIM = "Get-MSDSMAutomaticClaimSettings"
DISK_INFO = "MPIO_DISK_INFO"
DSM = "DSM_QueryLBPolicy_V2"
MPCLAIM = "mpclaim"
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
    "lb": "least_blocks",
}  # fmt: skip
# Told apart by form, never by a word that a translation changes: "MPIO Disk0   Disk 2   RR   Microsoft DSM".
_LISTED = re.compile(r"^\s*MPIO\s+\D*?(\d+)\s+\D*?(\d+)\s+(\S+)\s{2,}(\S.*?)\s*$", re.MULTILINE)
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
    """One disk as its DSM tells it: the policy and the state of each path."""

    device: str
    hex_id: str
    policy: str
    states: tuple[PathState, ...]


@dataclass(frozen=True, slots=True)
class Listed:
    """One disk as mpclaim lists it; `paths` is None where its own page was not read."""

    number: int
    disk: int
    policy: str
    dsm: str
    paths: int | None


def parse(body: Body) -> Facts:
    """Timers and default policy; drives, DSM answers and mpclaim's lists for the path map."""
    body.tell(
        HOST,
        {
            "mpio.path_verification": ("PathVerificationState", on_off),
            "mpio.path_verification_seconds": ("PathVerificationPeriod", as_int),
            "mpio.pdo_remove_seconds": ("PDORemovePeriod", as_int),
            "mpio.retry_count": ("RetryCount", as_int),
            "mpio.retry_interval_seconds": ("RetryInterval", as_int),
            "mpio.disk_timeout_seconds": ("DiskTimeoutValue", as_int),
        },
        SETTING,
    )
    body.tell(HOST, {"mpio.policy": ("Policy", _POLICY)}, POLICY)
    body.tell(HOST, {"mpio.claims_iscsi": ("iSCSI", as_bool)}, CLAIM)
    body.facts.observations["drives"] = _drives(body)
    body.facts.observations["claimed"] = _claimed(body)
    body.facts.observations["listed"] = _listed(body)
    if body.read(SETTING).reason == "" and body.first(SETTING) is not None:
        body.facts.observations["answers"] = True
    elif body.read(SETTING).is_unavailable:
        body.facts.observations["answers"] = False
    else:
        body.facts.put(HOST, "mpio.policy", Unknown(body.read(POLICY).reason or "not told", body.source(POLICY, "Policy")))
    return body.facts


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
        found.append(Claimed(device_key(instance), hex_identity(instance), name, tuple(_state(path) for path in rows)))
    return found


def _state(path: Row) -> PathState:
    """The two flags form four states (Microsoft, MPIO_DSM_Path_V2): optimized, unoptimized, standby, unavailable."""
    if as_bool(path.get("FailedPath")):
        return "dead"
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
        texts[argument] = as_text(row.get("text")) or ""
    found: list[Listed] = []
    for match in _LISTED.finditer(texts.get("-s -d", "")):
        number = int(match.group(1))
        detail = texts.get(f"-s -d {number}")
        paths = None if detail is None else len(_PATH_ROW.findall(detail))
        letters = match.group(3).lower()
        found.append(Listed(number, int(match.group(2)), _LETTERS.get(letters, match.group(3)), match.group(4), paths))
    return found
