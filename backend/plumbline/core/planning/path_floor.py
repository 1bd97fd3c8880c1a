"""The path floor: the paths that a step takes, those that every volume keeps, and why a step may not run.

A path whose adapter or source address is not known is counted as taken by every step, so that what is kept is kept for sure.
"""

from dataclasses import dataclass

from plumbline.core.facts.configuration import encode_id
from plumbline.core.facts.paths import Path, PathMap, volume_names
from plumbline.core.planning.inputs import Limits
from plumbline.core.planning.plan import VolumeForecast
from plumbline.core.planning.refusals import Refused


@dataclass(frozen=True, slots=True)
class Taken:
    """What loses its traffic while a step runs: adapters by id, and source addresses (of one virtual interface)."""

    adapters: frozenset[str] = frozenset()
    addresses: frozenset[str] = frozenset()
    words: str = ""  # "SAN1"

    def spares(self, path: Path) -> bool:
        """The path surely stays."""
        return self.spares_route(path.adapter, path.source_address)

    def spares_route(self, adapter: str, source_address: str) -> bool:
        """Whatever goes over this adapter from this address surely stays; both empty where not known."""
        if self.adapters and adapter in ("", *self.adapters):
            return False
        return not self.addresses or source_address not in ("", *self.addresses)


def fact_of(volume: str) -> str:
    """The address of a volume's count of healthy paths, as gates and refusals name it."""
    return f"paths/{encode_id(volume)}"


def forecast(path_map: PathMap, taken: Taken) -> tuple[VolumeForecast, ...]:
    """The volumes that lose a healthy path, the worst first. Linear in the number of paths."""
    before: dict[str, int] = {}
    during: dict[str, int] = {}
    for path in path_map.paths:
        if path.state == "healthy":
            before[path.volume] = before.get(path.volume, 0) + 1
            if taken.spares(path):
                during[path.volume] = during.get(path.volume, 0) + 1
    names = volume_names(path_map)
    found = [
        VolumeForecast(volume.id, names[volume.id], before.get(volume.id, 0), during.get(volume.id, 0))
        for volume in path_map.volumes
        if during.get(volume.id, 0) < before.get(volume.id, 0)
    ]
    return tuple(sorted(found, key=lambda one: (one.during, one.before, one.volume)))


def floor_refusal(path_map: PathMap, taken: Taken, lost: tuple[VolumeForecast, ...], kept: int, limits: Limits) -> Refused | None:
    """Why a step that takes these paths may not run, the gravest reason first; None where every volume keeps `kept` healthy paths.

    `lost` is the result of `forecast` for the same step.
    """
    if path_map.problem:
        return Refused("path_map", "path_map//problem", f"path state unknown: {path_map.problem}")
    if not lost and not _is_blind(path_map, taken):
        return None
    names = volume_names(path_map)
    healthy = dict.fromkeys(names, 0)
    for path in path_map.paths:
        name = names.get(path.volume, path.volume)
        if path.state == "unknown":
            return Refused("path_floor", fact_of(path.volume), f"a path of {name} has unknown state")
        if path.state == "dead":
            over = f" ({path.runtime_name})" if path.runtime_name else f" over {path.source_address}" if path.source_address else ""
            return Refused("path_dead", fact_of(path.volume), f"a path of {name} is already down{over}")
        healthy[path.volume] = healthy.get(path.volume, 0) + (path.state == "healthy")
    for volume in sorted(healthy):
        if healthy[volume] < limits.floor_before:
            has = f"{names.get(volume, volume)} has {_paths(healthy[volume])}"
            words = f"{has}; {limits.floor_before} are required before a path can be taken down"
            return Refused("path_floor", fact_of(volume), words)
    for one in lost:
        if one.during < kept:
            words = f"{one.name} would keep {_paths(one.during, only=True)} of {one.before} without {taken.words}; at least {kept} required"
            return Refused("path_floor", fact_of(one.volume), words)
    return None


def _is_blind(path_map: PathMap, taken: Taken) -> bool:
    """Some path, healthy or not, might be one of those taken."""
    return any(not taken.spares(path) for path in path_map.paths)


def _paths(count: int, *, only: bool = False) -> str:
    if count == 0:
        return "no healthy path"
    return f"{'only ' if only else ''}{count} healthy path{'' if count == 1 else 's'}"
