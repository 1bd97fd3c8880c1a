"""PURE: what to do next with a step, from the state that its host reports now. Receipt and values decide, never an exit code.

A receipt that says done is done; one that says started while the runner is still working is waited for; else the values decide.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from plumbline.core.planning.plan import Element
from plumbline.remediation.access.runner_client import RunnerAnswer

ActionKind = Literal["applied", "begin", "resume", "wait", "conflict", "unreadable", "reverted", "confirmed"]
# Counts that may not be fewer afterwards than before.
FIGURES = ("sessions", "paths_healthy", "least_paths", "volumes", "adapters_up")
FIGURE_WORDS = {
    "sessions": "iSCSI sessions",
    "paths_healthy": "healthy paths",
    "least_paths": "healthy paths of the worst volume",
    "volumes": "SAN volumes online",
    "adapters_up": "adapters with link",
}


@dataclass(frozen=True, slots=True)
class NextAction:
    """What to do and why, and for `applied` whether this job did it."""

    kind: ActionKind
    words: str = ""
    is_ours: bool = False


def next_action(elements: Sequence[Element], read: RunnerAnswer) -> NextAction:
    """From a `read` of the step's settings under its own op id: receipt and values in one answer."""
    if read.state == "confirmed":
        return NextAction("confirmed", "host reports: confirmed", True)
    if read.state == "reverted":
        return NextAction("reverted", "host rolled back")
    if read.state == "refused":
        # A read is refused as a whole where the host cannot answer it: nothing follows from it.
        return NextAction("unreadable", f"the host can't be read: {read.error or read.reason or 'no reason given'}")
    if read.state == "done":
        return NextAction("applied", "host reports: done", True)
    if read.state == "started" and read.reason == "busy":
        return NextAction("wait", "host is applying it")
    values = read.after or {}
    unread = [element for element in elements if values.get(element.setting) is None]
    if unread:
        return NextAction("unreadable", f"{unread[0].setting} can't be read: {read.error or 'no reason given'}")
    third = third_value(elements, values)
    if third:
        return NextAction("conflict", third)
    is_at_target = all(values[element.setting] == element.target for element in elements)
    if read.state == "started":
        # Its receipt is not closed: a restart may be owed, or a dead-man is armed that only a closed receipt can disarm.
        if is_at_target and read.restart not in ("owed", "begun") and read.deadman in (None, "disarmed"):
            return NextAction("applied", "all values are set and no restart is pending", True)
        return NextAction("resume", "started but not finished; resuming")
    if is_at_target:
        return NextAction("applied", "already correct before the change", False)
    return NextAction("begin", "")


def third_value(elements: Sequence[Element], values: Mapping[str, str | None]) -> str:
    """Which element has neither the value that the plan saw nor the one it sets; empty where there is none."""
    for element in elements:
        now = values.get(element.setting)
        if now is not None and now not in (element.seen, element.target):
            name = f"{element.label or element.setting} ({element.setting})"
            return f"{name} is {now}: expected {element.seen} (planned from) or {element.target} (target)"
    return ""


def worse(before: Mapping[str, Any], after: Mapping[str, Any] | None) -> str:
    """What is worse after than before; empty where nothing is. A figure known before and not known now is worse."""
    if after is None:
        return "host health can't be read"
    for name in FIGURES:
        was, now = before.get(name), after.get(name)
        if was is None:
            continue
        if now is None:
            return f"{FIGURE_WORDS[name]}: was {was}, now unknown"
        if now < was:
            return f"{FIGURE_WORDS[name]}: was {was}, now {now}"
    return ""


def unknown_paths(health: Mapping[str, Any] | None) -> str:
    """Which figure about paths is unknown; empty where all are known."""
    missing = [FIGURE_WORDS[name] for name in ("sessions", "paths_healthy", "least_paths") if (health or {}).get(name) is None]
    return f"{missing[0]}: not known" if missing else ""


def under_floor(floor: int, health: Mapping[str, Any] | None) -> str:
    """Why a step that takes a path may not begin; empty where every SAN volume has enough healthy paths.

    No volume is no proof that there is none to lose: one that its multipath module does not show still has its sessions. So a host has
    nothing to lose only where both are counted and both are 0.
    """
    if not floor:
        return ""
    least, volumes, sessions = ((health or {}).get(name) for name in ("least_paths", "volumes", "sessions"))
    if least is None or volumes is None or sessions is None:
        return "volume paths can't be counted"
    if volumes == 0 and sessions == 0:
        return ""
    if volumes == 0:
        return f"{sessions} iSCSI sessions, and no volume shows its paths"
    return f"a volume has {least} healthy paths; {floor} are required before one can be taken down" if least < floor else ""
