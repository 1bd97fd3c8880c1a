"""The path map: volume -> paths -> initiator -> source address -> adapter -> fabric.

An observation, not a setting: drift, impact and remediation all read it. Where its sources disagree, or a multipath module cannot
be read, its paths are unknown (`problem` says why) and no step that would take a path may be planned.
"""

import re
from collections import Counter
from typing import Literal

import msgspec

PathState = Literal["healthy", "standby", "dead", "unknown"]
# An EqualLogic target: the name that a person gave the volume follows four groups that the array made.
_ARRAY_PREFIX = re.compile(r"^[0-9a-f]+-[0-9a-f]{6}-[0-9a-f]+-[0-9a-f]+-(?=.)")


class Path(msgspec.Struct, frozen=True, order=True, array_like=True, gc=False):
    """One connection from the host to a volume. Ids are those of the settings' subjects; empty where they are not known."""

    volume: str
    initiator: str
    target: str
    portal: str
    source_address: str
    adapter: str
    state: PathState
    runtime_name: str = ""


class Volume(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A SAN volume as the host sees it."""

    id: str
    name: str
    size_bytes: int | None
    policy: str
    module: str


class SessionRoute(msgspec.Struct, frozen=True, order=True, array_like=True, gc=False):
    """One connected session: the target's name on the wire (IQN), the source address and the adapter, both empty where not known.

    Read with every check-in and stored with none: a target may have sessions and no volume, which the path map cannot show.
    """

    target: str
    source_address: str
    adapter: str


class PathMap(msgspec.Struct, frozen=True):
    """All SAN paths of one host; `problem` is empty where all sources agree."""

    volumes: tuple[Volume, ...] = ()
    paths: tuple[Path, ...] = ()
    problem: str = ""

    def healthy(self, volume: str) -> int:
        """How many healthy paths a volume has."""
        return sum(1 for path in self.paths if path.volume == volume and path.state == "healthy")

    def without_adapter(self, volume: str, adapter: str) -> int:
        """How many healthy paths a volume surely keeps while one adapter restarts: a path over an adapter we do not know is not counted."""
        return sum(1 for path in self.paths if path.volume == volume and path.state == "healthy" and path.adapter not in ("", adapter))


def volume_names(path_map: PathMap) -> dict[str, str]:
    """The name to show for each volume.

    The name that its array gave it, where a target leads to this volume alone: a disk of Windows is named by its model, and
    all of them alike. Else the host's own name, with the end of the id where several volumes share it.
    """
    targets: dict[str, set[str]] = {}
    behind: dict[str, set[str]] = {}
    for path in path_map.paths:
        iqn = path.target.rpartition(">")[2]
        if iqn:
            targets.setdefault(path.volume, set()).add(iqn)
            behind.setdefault(iqn, set()).add(path.volume)
    names = {}
    for volume in path_map.volumes:
        given = {_given_name(iqn) for iqn in targets.get(volume.id, ()) if behind[iqn] == {volume.id}}
        names[volume.id] = given.pop() if len(given) == 1 and "" not in given else volume.name or volume.id
    shared = {name for name, number in Counter(names.values()).items() if number > 1}
    return {each: f"{name} (…{each[-6:]})" if name in shared and name != each else name for each, name in names.items()}


def _given_name(iqn: str) -> str:
    """The part of a target's IQN that a person chose: what follows the naming authority, without the array's own digits."""
    _, _, rest = iqn.partition(":")
    return _ARRAY_PREFIX.sub("", rest)
