"""Which session is which path of a disk.

MPIO's driver describes each path by number and SCSI address, the initiator's class each session by its SCSI devices: where both are there,
the join is exact. Else it is stated only where it makes no difference: where all live paths are in one state, or all sessions leave over
one adapter. A path whose session is not known has no adapter, and nothing relies on it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from plumbline.core.facts.paths import Path, PathState
from plumbline.core.facts.windows.iscsi import Device, Session
from plumbline.core.facts.windows.mpio import ScsiAddress


@dataclass(frozen=True, slots=True)
class Carriers:
    """What names the adapter of a session: the id of each source address's adapter, and that of each hardware initiator."""

    by_address: Mapping[str, str]
    by_initiator: Mapping[str, str]

    def adapter_of(self, session: Session) -> str:
        """The adapter's id; empty where it is not known."""
        return self.by_initiator.get(session.initiator) or self.by_address.get(session.source, "")


def sessions_by_scsi(devices: Sequence[Device], sessions: Sequence[Session]) -> dict[ScsiAddress, Session]:
    """The session of each SCSI address. One that several sessions could be has none: a default login shows its portal only."""
    found: dict[ScsiAddress, Session] = {}
    twice: set[ScsiAddress] = set()
    for device in devices:
        fitting = [
            session
            for session in sessions
            if session.target.lower() == device.target
            and session.portal == device.portal
            and (not device.source or device.source == session.source)
        ]
        if len(fitting) == 1 and device.scsi not in found:
            found[device.scsi] = fitting[0]
        else:
            twice.add(device.scsi)
    return {scsi: session for scsi, session in found.items() if scsi not in twice}


def join_paths(
    disk: str, states: Sequence[PathState], sessions: Sequence[Session], exact: Sequence[Session | None], carriers: Carriers
) -> list[Path]:
    """The paths of one disk with their sessions.

    `states`: one a path; `sessions`: those that show the disk; `exact`: the session of each path where the exact join gives one.
    """
    live = [(state, session) for state, session in zip(states, exact, strict=True) if state != "dead"]
    known = [session for _, session in live if session is not None]
    if live and len(known) == len(live) == len(set(map(id, known))):
        found = [_path(disk, state, session, carriers) for state, session in live if session is not None]
    else:
        found = _alike(disk, sorted(state for state, _ in live), sessions, carriers)
    initiators, targets = {session.initiator for session in sessions}, {session.target for session in sessions}
    initiator = initiators.pop() if len(initiators) == 1 else ""
    target = targets.pop() if len(targets) == 1 else ""
    found.extend(Path(disk, initiator, target, "", "", "", state) for state in states if state == "dead")
    return found


def _path(disk: str, state: PathState, session: Session, carriers: Carriers) -> Path:
    return Path(disk, session.initiator, session.target, session.portal, session.source, carriers.adapter_of(session), state)


def _alike(disk: str, live: list[PathState], sessions: Sequence[Session], carriers: Carriers) -> list[Path]:
    ordered = sorted(sessions, key=lambda one: (one.source, one.portal, one.target))
    is_certain = len(set(live)) <= 1 or len({carriers.adapter_of(session) for session in ordered}) == 1
    found: list[Path] = []
    for at, state in enumerate(live):
        if at >= len(ordered):
            found.append(Path(disk, "", "", "", "", "", state))
        elif is_certain:
            found.append(_path(disk, state, ordered[at], carriers))
        else:
            found.append(Path(disk, ordered[at].initiator, ordered[at].target, ordered[at].portal, "", "", state))
    return found
