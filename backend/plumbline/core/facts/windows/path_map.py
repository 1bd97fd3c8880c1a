"""The path map of a Windows host: WMI rows of MPIO and its DSM, sessions joined to disks, source addresses to adapters; mpclaim as a second
source.

Which session is which path is worked out in `path_join.py`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

from plumbline.core.facts.configuration import HOST, Source, Subject, Unknown, Value
from plumbline.core.facts.join import Join
from plumbline.core.facts.paths import Path, PathMap, PathState, SessionRoute, Volume
from plumbline.core.facts.windows import mpio as mpio_section
from plumbline.core.facts.windows.adapters import Interface
from plumbline.core.facts.windows.iscsi import Device, Session
from plumbline.core.facts.windows.mpio import Claimed, Described, Drive, Listed, ScsiAddress
from plumbline.core.facts.windows.path_join import Carriers, join_paths, sessions_by_scsi
from plumbline.core.facts.windows.storage import Disk, volume_id

T = TypeVar("T")
_DSM_POLICY = (mpio_section.DSM, "LoadBalancePolicy")
_DRIVE_MODULE = (mpio_section.DISK_INFO, "DsmName")
_MPCLAIM_POLICY = (mpio_section.MPCLAIM, "LB Policy")
_MPCLAIM_MODULE = (mpio_section.MPCLAIM, "DSM Name")
_NEEDED = ("storage", "iscsi", "mpio", "adapters")


@dataclass(slots=True)
class CheckedPaths:
    """A path map, and why the whole of it or single volumes, by id, cannot be trusted."""

    path_map: PathMap
    whole: str = ""
    by_volume: dict[str, str] = field(default_factory=dict)
    # Where policy and module of a volume were read: command and property.
    read_by: dict[str, tuple[tuple[str, str], tuple[str, str]]] = field(default_factory=dict)
    # Only of a folder of captured outputs: the path states of volumes that are known from mpclaim's page alone.
    counted: dict[str, tuple[PathState, ...]] = field(default_factory=dict)
    # Of a volume whose DSM shows no states: how many paths MPIO's driver describes.
    described: dict[str, int] = field(default_factory=dict)


def build(join: Join, sessions: list[Session], adapters_of: Mapping[str, str]) -> CheckedPaths:
    """All iSCSI volumes of the host and their paths.

    `sessions` are the connected ones, with their source addresses; `adapters_of` names the adapter of each hardware initiator.
    """
    sections, unread = join.sections, join.unread
    missing = [unread.get(section, f"section {section} not collected") for section in _NEEDED if section not in sections]
    reasons = [_read_problem(join, "storage", "Get-Disk")]
    if "iscsi" in sections and not join.observation("iscsi", "is_stopped"):
        reasons.append(_read_problem(join, "iscsi", "Get-IscsiSession"))
    whole = "; ".join([*missing, *(reason for reason in reasons if reason)])
    disks = [disk for disk in _list(join, "storage", "disks", Disk) if disk.is_iscsi]
    if not disks and not sessions and "storage" in sections and "iscsi" in sections:
        # No volume of the SAN: MPIO's other disks do not matter here.
        whole = "; ".join(reason for reason in reasons if reason)
    sources = _DiskSources(join)
    by_scsi = sessions_by_scsi(_list(join, "iscsi", "devices", Device), sessions)
    carriers = Carriers(_addresses(_list(join, "adapters", "interfaces", Interface)), adapters_of)
    described: dict[str, int] = {}
    volumes: dict[str, Volume] = {}
    paths: list[Path] = []
    by_volume: dict[str, str] = {}
    read_by: dict[str, tuple[tuple[str, str], tuple[str, str]]] = {}
    counted: dict[str, tuple[PathState, ...]] = {}
    for disk in disks:
        if disk.id in volumes:
            # Without MPIO every session shows its own disk of the same identity; the first is taken for the volume.
            continue
        mine = [session for session in sessions if disk.unique_id in session.disks or (disk.serial and disk.serial in session.disks)]
        found = sources.paths_of(disk, len(mine))
        if found.problem:
            by_volume[disk.id] = f"volume {disk.id}: {found.problem}"
        if found.described is not None:
            described[disk.id] = found.described
        volumes[disk.id] = Volume(disk.id, disk.name, disk.size_bytes, found.policy, found.module)
        read_by[disk.id] = sources.read_by(disk)
        exact = [session if (session := by_scsi.get(scsi) if scsi is not None else None) in mine else None for scsi in found.scsi]
        paths.extend(join_paths(disk.id, found.states, mine, exact, carriers))
    if "storage" not in sections and "storage" not in unread:
        # A folder of captured outputs with mpclaim alone: its disks are known by their serial, else by MPIO's own numbers; whether they
        # come over iSCSI, and by which session, is not known.
        for listed in _list(join, "mpio", "listed", Listed):
            name = f"MPIO Disk{listed.number}"
            identity = volume_id(listed.serial, listed.serial) if listed.serial else name.lower()
            volumes[identity] = Volume(identity, name, None, listed.policy, listed.dsm)
            read_by[identity] = (_MPCLAIM_POLICY, _MPCLAIM_MODULE)
            # Alone: a better witness that was asked and gave nothing leaves the states unknown.
            if listed.states is not None and mpio_section.DSM not in join.observation("mpio", "reads", {}):
                counted[identity] = listed.states
    problem = "; ".join([part for part in (whole, *(by_volume[key] for key in sorted(by_volume))) if part])
    ordered = tuple(sorted(volumes.values(), key=lambda volume: volume.id))
    return CheckedPaths(PathMap(ordered, tuple(sorted(paths)), problem), whole, by_volume, read_by, counted, described)


def session_routes(join: Join, sessions: list[Session], adapters_of: Mapping[str, str]) -> tuple[SessionRoute, ...] | None:
    """Every connected session with its adapter, as `build` takes them; None where the list of sessions or of adapters was not read."""
    if join.observation("iscsi", "is_stopped"):
        return ()
    if not {"iscsi", "adapters"} <= set(join.sections) or _read_problem(join, "iscsi", "Get-IscsiSession"):
        return None
    addresses = _addresses(_list(join, "adapters", "interfaces", Interface))
    return tuple(
        SessionRoute(each.target, each.source, adapters_of.get(each.initiator) or addresses.get(each.source, "")) for each in sessions
    )


def with_sources(sessions: list[Session], connections: list[tuple[str, str]]) -> list[Session]:
    """Sessions that name no source address, with that of their connection, where all connections to their portal leave from one.

    `connections`: (local, remote) address of each live connection to port 3260.
    """
    if all(session.source for session in sessions):
        return sessions
    leaving: dict[str, set[str]] = {}
    for local, remote in connections:
        leaving.setdefault(remote, set()).add(local)
    found: list[Session] = []
    for session in sessions:
        sources = leaving.get(session.portal, set()) if session.portal else set()
        source = next(iter(sources)) if not session.source and len(sources) == 1 else session.source
        found.append(replace(session, source=source))
    return found


def volume_settings(checked: CheckedPaths, join: Join) -> None:
    """The counts and names of each volume as settings; the counts are unknown where a path's state is, or the list cannot be trusted."""
    found = checked.path_map
    for volume in found.volumes:
        subject = Subject("volume", volume.id)
        named_by = ("storage", "Get-Disk", "FriendlyName") if "storage" in join.sections else ("mpio", mpio_section.MPCLAIM, "MPIO Disk")
        join.set_value(subject, "name", volume.name, Source(*named_by, volume.name))
        if volume.size_bytes is not None:
            join.set_value(subject, "size_bytes", volume.size_bytes, Source("storage", "Get-Disk", "Size", str(volume.size_bytes)))
        mine = [path for path in found.paths if path.volume == volume.id]
        _counts(join, subject, mine, checked.whole or checked.by_volume.get(volume.id, ""))
        if volume.id in checked.described and not checked.whole:
            count = checked.described[volume.id]
            join.set_value(subject, "paths_total", count, Source("mpio", mpio_section.DESCRIPTOR, "NumberPdos", str(count)))
        if volume.id in checked.counted:
            states = checked.counted[volume.id]
            page = Source("mpio", mpio_section.MPCLAIM, "State", ", ".join(states))
            join.replace(subject, "paths_total", Value(len(states), page))
            join.replace(subject, "paths_healthy", Value(states.count("healthy"), page))
        policy_from, module_from = checked.read_by.get(volume.id, (_DSM_POLICY, _DRIVE_MODULE))
        for key, text, (command, name) in (("policy", volume.policy, policy_from), ("module", volume.module, module_from)):
            source = Source("mpio", command, name, text)
            join.set(subject, key, Value(text, source) if text else Unknown(f"not reported by {command}", source))


def _counts(join: Join, subject: Subject, paths: list[Path], problem: str) -> None:
    source = Source("mpio", mpio_section.DSM, "DSM_Paths", ", ".join(path.state for path in paths))
    if problem or any(path.state == "unknown" for path in paths):
        unknown = Unknown(problem or "path state unknown", source)
        for key in ("paths_total", "paths_healthy", "adapters"):
            join.set(subject, key, unknown)
        return
    healthy = [path for path in paths if path.state == "healthy"]
    join.set_value(subject, "paths_total", len(paths), source)
    join.set_value(subject, "paths_healthy", len(healthy), source)
    if all(path.adapter for path in healthy):
        joined = Source("iscsi", "Get-IscsiSession", "InitiatorPortalAddress", ", ".join(path.source_address for path in healthy))
        join.set_value(subject, "adapters", len({path.adapter for path in healthy}), joined)
    else:
        join.set(subject, "adapters", Unknown("adapter of a path unknown", source))


@dataclass(slots=True)
class _DiskPaths:
    """The paths of one disk: the state of each, policy and module, why they cannot be trusted (empty where they can)."""

    states: list[PathState]
    policy: str = ""
    module: str = ""
    problem: str = ""
    # The SCSI address of each path, as far as it is known.
    scsi: list[ScsiAddress | None] = field(default_factory=list)
    # How many paths MPIO's driver describes, where nothing shows their states.
    described: int | None = None

    def __post_init__(self) -> None:
        self.scsi = self.scsi or [None] * len(self.states)


class _DiskSources:
    """What MPIO's driver, the DSM and mpclaim show of a disk, and whether they agree."""

    def __init__(self, join: Join) -> None:
        self.drives = _list(join, "mpio", "drives", Drive)
        self.claimed = _list(join, "mpio", "claimed", Claimed)
        self.listed = _list(join, "mpio", "listed", Listed)
        self.described = _list(join, "mpio", "described", Described)
        system = join.reading("system", HOST, "mpio.installed")
        self.is_installed = system.value if isinstance(system, Value) else None
        if self.is_installed is None and "mpio" in join.sections:
            answers = join.observation("mpio", "answers")
            self.is_installed = answers if isinstance(answers, bool) else None
        self.reasons = {
            command: _read_problem(join, "mpio", command) for command in (mpio_section.DSM, mpio_section.DISK_INFO, mpio_section.MPCLAIM)
        }

    def paths_of(self, disk: Disk, sessions: int) -> "_DiskPaths":
        """What the sources show of a disk's paths, and why it cannot be trusted."""
        if not disk.is_multipath and (self.is_installed is False or (disk.path and self.is_installed)):
            # One disk object has one path: further sessions are further disks of the same identity, not paths.
            return _DiskPaths(["healthy" if sessions else "unknown"], problem="" if sessions else "no session for this disk")
        dsm, drive, described = self._claimed_of(disk), self._drive_of(disk), self._described_of(disk)
        listed = self._listed_of(disk, drive)
        module = drive.dsm if drive is not None else listed.dsm if listed is not None else ""
        policy = dsm.policy if dsm is not None else listed.policy if listed is not None else ""
        if dsm is None or not dsm.states:
            return self._without_states(sessions, drive, described, policy, module)
        count = len(dsm.states)
        alive = sum(1 for state in dsm.states if state in ("healthy", "standby"))
        # A failed path stays in one list and leaves the other until its device is removed: either count agrees.
        for witness, paths in (
            (mpio_section.DISK_INFO, None if drive is None else drive.paths),
            ("mpclaim", None if listed is None else listed.paths),
            (mpio_section.DESCRIPTOR, None if described is None else len(described.paths)),
        ):
            if paths is not None and paths not in (count, alive):
                problem = f"sources disagree: {paths} paths in {witness}, {count} in {mpio_section.DSM}"
                return _DiskPaths(["unknown"] * max(sessions, 1), policy, module, problem)
        if sessions != alive:
            problem = f"sources disagree: {sessions} sessions, but {alive} live paths in {mpio_section.DSM}"
            return _DiskPaths(["unknown"] * max(sessions, 1), policy, module, problem)
        places = dict(described.paths) if described is not None else {}
        scsi = [places.get(number) if number is not None else None for number in dsm.path_ids or [None] * count]
        return _DiskPaths(list(dsm.states), policy, module, scsi=scsi)

    def _without_states(self, sessions: int, drive: Drive | None, described: Described | None, policy: str, module: str) -> "_DiskPaths":
        """A DSM of another maker need not answer the class of the states: how many paths there are is all that is known then."""
        why = self.reasons[mpio_section.DSM] or f"{module or 'its DSM'} does not answer {mpio_section.DSM}"
        problem = f"{why}, so the states of its paths are unknown"
        if described is None or (drive is not None and drive.paths is not None and drive.paths != len(described.paths)):
            return _DiskPaths(["unknown"] * max(sessions, 1), policy, module, problem)
        scsi = [address for _, address in described.paths]
        return _DiskPaths(["unknown"] * len(scsi), policy, module, problem, scsi, len(scsi))

    def read_by(self, disk: Disk) -> tuple[tuple[str, str], tuple[str, str]]:
        """The commands and properties that the policy and the module of a disk were read from."""
        drive = self._drive_of(disk)
        has_listed = self._listed_of(disk, drive) is not None
        policy = _MPCLAIM_POLICY if has_listed and self._claimed_of(disk) is None else _DSM_POLICY
        return policy, _MPCLAIM_MODULE if has_listed and drive is None else _DRIVE_MODULE

    def _claimed_of(self, disk: Disk) -> Claimed | None:
        for claimed in self.claimed:
            if (disk.device and claimed.device == disk.device) or (claimed.hex_id and claimed.hex_id in (disk.unique_id, disk.serial)):
                return claimed
        return None

    def _described_of(self, disk: Disk) -> Described | None:
        for described in self.described:
            if (disk.device and described.device == disk.device) or (
                described.hex_id and described.hex_id in (disk.unique_id, disk.serial)
            ):
                return described
        return None

    def _drive_of(self, disk: Disk) -> Drive | None:
        return next((drive for drive in self.drives if drive.serial and drive.serial in (disk.unique_id, disk.serial)), None)

    def _listed_of(self, disk: Disk, drive: Drive | None) -> Listed | None:
        for listed in self.listed:
            if disk.number is not None and listed.disk == disk.number:
                return listed
            if drive is not None and "".join(sign for sign in drive.name if sign.isdigit()) == str(listed.number):
                return listed
        return None


def _addresses(interfaces: list[Interface]) -> dict[str, str]:
    """Source address -> the adapter's id. An address on a virtual interface names no adapter: which card carries it may change."""
    return {ip: interface.subject.id for interface in interfaces if interface.is_adapter for ip in interface.ips}


def _list(join: Join, section: str, name: str, kind: type[T]) -> list[T]:
    found = join.observation(section, name, [])
    return [one for one in found if isinstance(one, kind)] if isinstance(found, list) else []


def _read_problem(join: Join, section: str, command: str) -> str:
    if section not in join.sections:
        return ""
    found = join.entry(section, "reads", command)
    return f"{command} was not read" if found is None else str(found)
