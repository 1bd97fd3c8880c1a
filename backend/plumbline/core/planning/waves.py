"""Hosts in waves: the canary alone, then never more hosts of a failure domain than it has slots. Linear in hosts and domains."""

from plumbline.core.planning.inputs import Limits
from plumbline.core.planning.plan import HostPlan, Wave
from plumbline.core.planning.steps import natural


def waves_of(parts: list[HostPlan], limits: Limits) -> tuple[Wave, ...]:
    """The waves of all hosts that have something to do, each host in the earliest wave with room in all its failure domains."""
    working = sorted((part for part in parts if part.steps), key=lambda part: (natural(part.name), part.host))
    if not working:
        return ()
    canary = next((part for part in working if part.host == limits.canary), None) or min(working, key=_as_canary)
    waves = [Wave(1, "canary", (canary.host,), limits.canary_bake_s if len(working) > 1 else 0)]
    placed = _placed([part for part in working if part is not canary], limits)
    for number, hosts in enumerate(placed, 2):
        waves.append(Wave(number, "wave", tuple(hosts), limits.wave_bake_s if number <= len(placed) else 0))
    return tuple(waves)


def _placed(working: list[HostPlan], limits: Limits) -> list[list[str]]:
    """Host ids by wave. Each domain remembers the first of its waves with room, so that no wave is searched twice."""
    waves: list[list[str]] = []
    first_free: dict[str, tuple[int, int]] = {}  # domain -> (wave, slots of it that are used there)
    for part in working:
        domains = (*part.domains, "")
        at = max(first_free.get(domain, (0, 0))[0] for domain in domains)
        for domain in domains:
            wave, used = first_free.get(domain, (0, 0))
            used = used + 1 if wave == at else 1
            slots = limits.slots_of(domain) if domain else max(1, limits.wave_size)
            first_free[domain] = (at, used) if used < slots else (at + 1, 0)
        while len(waves) <= at:
            waves.append([])
        waves[at].append(part.host)
    return waves


def _as_canary(part: HostPlan) -> tuple[object, ...]:
    """The one that shows most and risks least: it is interrupted as the others will be, and keeps the most paths meanwhile."""
    kept = min((volume.during for volume in part.forecast.volumes), default=0)
    return (part.forecast.seconds == 0, -kept, len(part.steps), natural(part.name), part.host)
