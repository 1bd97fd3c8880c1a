"""What a step disrupts on this host as it is now: one of seven classes, the paths it takes, and for how long.

The seconds are estimates of our own (`Limits`); they are shown as "about".
"""

from plumbline.core.facts.configuration import HOST
from plumbline.core.planning.inputs import HostFacts, Limits
from plumbline.core.planning.plan import Forecast, VolumeForecast, gravest
from plumbline.core.planning.steps import Part
from plumbline.core.rules.rule import Impact

_NOTHING_NOW = {
    "none": "no interruption",
    "new_sessions": "no interruption; applies to new sessions",
    "reboot": "no interruption now; applies after the next host restart (manual)",
}


def of_part(host: HostFacts, part: Part) -> Impact:
    """The class of a step on this host now. A storage adapter of S2D without another that is up is its only connection: path_loss."""
    declared = gravest([draft.setting.impact for draft in part.drafts])
    if changes_frame_of_kernel(part) and host.configuration.value(HOST, "maintenance_mode") is True:
        return "maintenance"
    if part.drops_traffic and _is_only_adapter(host, part):
        return gravest([declared, "path_loss"])
    return declared


def changes_frame_of_kernel(part: Part) -> bool:
    """Whether it sets the frame size of a VMkernel interface or a virtual switch, which needs more paths or maintenance mode."""
    return any(draft.key in ("vnic.mtu", "vswitch.mtu") for draft in part.drafts)


def forecast(host: HostFacts, part: Part, lost: tuple[VolumeForecast, ...], limits: Limits) -> Forecast:
    """The forecast of one step. `lost` is the result of `path_floor.forecast` for it."""
    impact = of_part(host, part)
    if not part.drops_traffic:
        return Forecast(impact, _NOTHING_NOW.get(impact, impact), 0, limits.write_seconds)
    seconds = limits.restart_seconds if part.restart else limits.cut_seconds
    name = part.taken(host).words
    count = len(part.unique)
    changes = f"{count} settings, " if count > 1 else ""
    what = f"{changes}one restart of {name}" if part.restart else f"{changes}one interruption of {name}"
    worst = f", {lost[0].before} → {lost[0].during} paths" if lost else ", no SAN paths affected"
    return Forecast(impact, f"{what}{worst} for about {seconds} s", seconds, seconds + limits.settle_seconds, lost)


def together(forecasts: list[Forecast], words: str) -> Forecast:
    """Several forecasts as one: the gravest class, each volume at its worst, the times added."""
    worst: dict[str, VolumeForecast] = {}
    for one in forecasts:
        for volume in one.volumes:
            held = worst.get(volume.volume)
            if held is None or volume.during < held.during:
                worst[volume.volume] = volume
    volumes = tuple(sorted(worst.values(), key=lambda one: (one.during, one.before, one.volume)))
    return Forecast(
        gravest([one.impact for one in forecasts]),
        words,
        sum(one.seconds for one in forecasts),
        sum(one.duration_s for one in forecasts),
        volumes,
    )


def host_words(forecasts: list[Forecast]) -> str:
    """A host's part in one line."""
    restarts = sum(1 for one in forecasts if one.seconds)
    lows = [volume for one in forecasts for volume in one.volumes]
    if not restarts:
        return "no interruption"
    kept = min(lows, key=lambda one: one.during, default=None)
    never = f"at least {kept.during} of {kept.before} paths stay up" if kept else "no SAN paths affected"
    return f"{restarts} interruption{'' if restarts == 1 else 's'}, one at a time, {never}"


def _is_only_adapter(host: HostFacts, part: Part) -> bool:
    held = host.configuration
    if held.value(HOST, "s2d") != "enabled" or held.value(part.subject, "role") not in ("s2d_storage", None):
        return False
    others = [one for one in held.subjects(part.subject.kind) if one != part.subject and held.value(one, "role") == "s2d_storage"]
    up = "link_up" if part.subject.kind == "adapter" else "enabled"
    return not any(held.value(one, up) is True for one in others)
