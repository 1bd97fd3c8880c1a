"""The path map of an ESXi host: list of paths, multipathing module, sessions, VMkernel interfaces, uplinks, adapters."""

from plumbline.core.facts.esxi.iscsi import CONNECTIONS, SESSIONS, Session, target_subject
from plumbline.core.facts.esxi.join import disagrees
from plumbline.core.facts.esxi.observations import Observations, why_section_unread
from plumbline.core.facts.esxi.paths import Disk, ListedPath
from plumbline.core.facts.esxi.values import natural
from plumbline.core.facts.join import Join
from plumbline.core.facts.paths import Path, PathMap, SessionRoute, Volume


def build(join: Join, observed: Observations) -> PathMap:
    """All iSCSI volumes and their paths. `problem` names the first thing that keeps a path from being known whole."""
    why = why_section_unread(join, "paths")
    if why:
        return PathMap(problem=why)
    has_paths = join.observation("paths", "has_paths", False)
    problems: list[str] = []
    if not has_paths:
        problems.append("the list of paths was not read")
    volumes: list[Volume] = []
    paths: list[Path] = []
    sessions = {(session.vmhba, session.target, session.isid.lower()): session for session in observed.sessions}
    for device in sorted(observed.devices):
        disk = observed.devices[device]
        if not disk.is_volume:
            continue
        volumes.append(Volume(device, disk.name, disk.size_bytes, disk.policy, disk.module or disk.plugin))
        disagreement = disagrees(observed, device) if has_paths else ""
        if disagreement:
            problems.append(disagreement)
        for listed in sorted(disk.paths, key=lambda item: natural(item.runtime)):
            if listed.transport == "iscsi":
                paths.append(_path(join, observed, disk, listed, sessions, problems, is_disputed=bool(disagreement)))
    return PathMap(tuple(volumes), tuple(paths), problems[0] if problems else "")


def session_routes(join: Join, observed: Observations) -> tuple[SessionRoute, ...] | None:
    """Every iSCSI session with its adapter; None where the list of sessions was not read."""
    reads = join.observation("iscsi", "reads", {})
    if why_section_unread(join, "iscsi") or not any(command in reads and not reads[command] for command in (SESSIONS, CONNECTIONS)):
        return None
    return tuple(
        SessionRoute(each.target, each.local, observed.adapter_id(observed.adapter_of_session(each)[0])) for each in observed.sessions
    )


def _path(
    join: Join,
    observed: Observations,
    disk: Disk,
    listed: ListedPath,
    sessions: dict[tuple[str, str, str], Session],
    problems: list[str],
    *,
    is_disputed: bool,
) -> Path:
    initiator = observed.initiators.get(listed.vmhba)
    session = sessions.get((listed.vmhba, listed.target, listed.isid))
    vmnic, reason = "", ""
    if session is not None:
        vmnic, reason = observed.adapter_of_session(session)
    elif initiator is not None and initiator.is_hardware and (port := observed.port_of_hba(listed.vmhba)[0]):
        vmnic = port
    else:
        reason = f"the session of path {listed.runtime} is not listed"
    adapter = observed.adapter_id(vmnic) if vmnic else ""
    if listed.state == "healthy" and not adapter:
        problems.append(
            why_section_unread(join, "nics") or why_section_unread(join, "iscsi") or reason or f"{vmnic} is not in the list of adapters"
        )
    if listed.state == "unknown":
        problems.append(f"path {listed.runtime} is in a state that is not understood")
    return Path(
        volume=disk.id,
        initiator=initiator.subject.id if initiator is not None else listed.vmhba,
        target=target_subject(observed.initiators, listed.vmhba, listed.target).id if listed.target else "",
        portal=session.remote if session is not None else "",
        source_address=session.local if session is not None else "",
        adapter=adapter,
        state="unknown" if is_disputed else listed.state,
        runtime_name=listed.runtime,
    )
