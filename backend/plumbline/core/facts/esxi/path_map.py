"""The path map of an ESXi host: list of paths, multipathing module, sessions, VMkernel interfaces, uplinks, adapters."""

from plumbline.core.facts.esxi.iscsi import Session, target_subject
from plumbline.core.facts.esxi.join import disagrees
from plumbline.core.facts.esxi.observations import Joins
from plumbline.core.facts.esxi.paths import Seen, Way
from plumbline.core.facts.esxi.values import natural
from plumbline.core.facts.paths import Path, PathMap, Volume


def build(joins: Joins) -> PathMap:
    """All iSCSI volumes and their paths. `problem` names the first thing that keeps a path from being known whole."""
    why = joins.why_unread("paths")
    if why:
        return PathMap(problem=why)
    has_paths = joins.seen("paths", "has_paths", False)
    problems: list[str] = []
    if not has_paths:
        problems.append("the list of paths was not read")
    volumes: list[Volume] = []
    paths: list[Path] = []
    sessions = {(session.vmhba, session.target, session.isid.lower()): session for session in joins.sessions}
    for device in sorted(joins.devices):
        seen = joins.devices[device]
        if seen.is_iscsi is False or (seen.is_iscsi is None and (has_paths or seen.working is None or seen.module == "VMW_SATP_LOCAL")):
            continue
        volumes.append(Volume(device, seen.name, seen.size_bytes, seen.policy, seen.module or seen.plugin))
        disagreement = disagrees(joins, device) if has_paths else ""
        if disagreement:
            problems.append(disagreement)
        for way in sorted(seen.ways, key=lambda item: natural(item.runtime)):
            if way.transport == "iscsi":
                paths.append(_path(joins, seen, way, sessions, problems, is_disputed=bool(disagreement)))
    return PathMap(tuple(volumes), tuple(paths), problems[0] if problems else "")


def _path(
    joins: Joins, seen: Seen, way: Way, sessions: dict[tuple[str, str, str], Session], problems: list[str], *, is_disputed: bool
) -> Path:
    initiator = joins.initiators.get(way.vmhba)
    session = sessions.get((way.vmhba, way.target, way.isid))
    vmnic, reason = "", ""
    if session is not None:
        vmnic, reason = joins.adapter_of_session(session)
    elif initiator is not None and not initiator.is_software and len(joins.hba_uplinks.get(way.vmhba, ())) == 1:
        vmnic = joins.hba_uplinks[way.vmhba][0]
    else:
        reason = f"the session of path {way.runtime} is not listed"
    adapter = joins.adapter_id(vmnic) if vmnic else ""
    if way.state == "healthy" and not adapter:
        problems.append(joins.why_unread("nics") or joins.why_unread("iscsi") or reason or f"{vmnic} is not in the list of adapters")
    if way.state == "unknown":
        problems.append(f"path {way.runtime} is in a state that is not understood")
    return Path(
        volume=seen.id,
        initiator=initiator.subject.id if initiator is not None else way.vmhba,
        target=target_subject(joins.initiators, way.vmhba, way.target).id if way.target else "",
        portal=session.remote if session is not None else "",
        source_address=session.local if session is not None else "",
        adapter=adapter,
        state="unknown" if is_disputed else way.state,
        runtime_name=way.runtime,
    )
