"""PURE: what to do next with a step, from what its host says of it now. Receipt and values decide, never an exit code.

A receipt that says done is done; one that says started, with somebody at work, is waited for; else the values decide.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from plumbline.core.planning.plan import Element

Next = Literal["applied", "begin", "resume", "wait", "conflict", "unreadable", "reverted", "confirmed"]
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
class Answer:
    """One answer of a runner, as `agents/schema/runner.schema.json` has it."""

    state: str
    reason: str | None = None
    error: str | None = None
    wrote: tuple[str, ...] = ()
    before: Mapping[str, str | None] | None = None
    after: Mapping[str, str | None] | None = None
    restart: str | None = None
    deadman: str | None = None
    boot_id: str | None = None
    uptime_s: int | None = None
    fence: Mapping[str, int] | None = None
    health: Mapping[str, int | None] | None = None
    raw: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> "Answer":
        """From an answer's JSON."""
        return cls(
            state=plain["state"],
            reason=plain.get("reason"),
            error=plain.get("error"),
            wrote=tuple(plain.get("wrote") or ()),
            before=plain.get("before"),
            after=plain.get("after"),
            restart=plain.get("restart"),
            deadman=plain.get("deadman"),
            boot_id=plain.get("boot_id"),
            uptime_s=plain.get("uptime_s"),
            fence=plain.get("fence"),
            health=plain.get("health"),
            raw=plain,
        )


@dataclass(frozen=True, slots=True)
class Decision:
    """What to do, why in words, and for `applied` whether it was us."""

    act: Next
    words: str = ""
    is_ours: bool = False


def decide(elements: Sequence[Element], read: Answer) -> Decision:
    """From a `read` of the step's settings under its own op id: receipt and values in one answer."""
    if read.state == "confirmed":
        return Decision("confirmed", "the host says that it was confirmed", True)
    if read.state == "reverted":
        return Decision("reverted", "the host has taken it back")
    if read.state == "done":
        return Decision("applied", "the host's receipt says done", True)
    if read.state == "started" and read.reason == "busy":
        return Decision("wait", "the host is at work on it")
    values = read.after or {}
    unread = [each for each in elements if values.get(each.setting) is None]
    if unread:
        return Decision("unreadable", f"{unread[0].setting} cannot be read: {read.error or 'no reason given'}")
    third = third_value(elements, values)
    if third:
        return Decision("conflict", third)
    is_at_target = all(values[each.setting] == each.target for each in elements)
    if read.state == "started":
        # Its receipt is not closed: a restart may be owed, or a dead-man stands armed that only a closed receipt can disarm.
        if is_at_target and read.restart not in ("owed", "begun") and read.deadman in (None, "disarmed"):
            return Decision("applied", "every value is at its target and no restart is owed", True)
        return Decision("resume", "begun and not finished: the same operation goes on")
    if is_at_target:
        return Decision("applied", "it stood at its target before anything was sent", False)
    return Decision("begin", "")


def third_value(elements: Sequence[Element], values: Mapping[str, str | None]) -> str:
    """The first element that reads neither as the plan saw it nor as it shall be, in words; empty where there is none."""
    for each in elements:
        now = values.get(each.setting)
        if now is not None and now not in (each.seen, each.target):
            return (
                f"{each.label or each.setting} ({each.setting}) reads {now}: neither {each.seen} as planned on nor {each.target} as wanted"
            )
    return ""


def worse(before: Mapping[str, Any], after: Mapping[str, Any] | None) -> str:
    """What is worse after than before, in words; empty where nothing is. A figure known before and not known now is worse."""
    if after is None:
        return "the host's health cannot be read"
    for name in FIGURES:
        was, now = before.get(name), after.get(name)
        if was is None:
            continue
        if now is None:
            return f"{FIGURE_WORDS[name]}: {was} before, not known now"
        if now < was:
            return f"{FIGURE_WORDS[name]}: {was} before, {now} now"
    return ""


def unknown_paths(health: Mapping[str, Any] | None) -> str:
    """Which figure about paths nobody can tell, in words; empty where all are known."""
    missing = [FIGURE_WORDS[name] for name in ("sessions", "paths_healthy", "least_paths") if (health or {}).get(name) is None]
    return f"{missing[0]}: not known" if missing else ""


def under_floor(floor: int, health: Mapping[str, Any] | None) -> str:
    """Why a step that takes a path may not begin, in words; empty where every SAN volume has enough healthy paths."""
    least = (health or {}).get("least_paths")
    if not floor or (health or {}).get("volumes") == 0:
        return ""
    if least is None:
        return "the paths of the volumes cannot be counted now"
    return f"a volume has {least} healthy paths, and {floor} are needed before one is taken" if least < floor else ""
