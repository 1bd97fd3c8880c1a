"""A plan as scripts to run manually: one for each host, in the shell of its platform.

Every text from a host is quoted in it or, in comments, on one line, so that nothing of it can become a command.
"""

from plumbline.core.planning.commands import one_line, quoted
from plumbline.core.planning.plan import Command, Forecast, HostPlan, Plan, Step

_CHECK = {"windows": "mpclaim -s -d", "esxi": "esxcli storage core path list"}
_BEGIN = {"windows": "$ErrorActionPreference = 'Stop'", "esxi": "set -eu"}


def plan_script(plan: Plan, *, undo: bool = False) -> str:
    """The scripts of all hosts, wave by wave. Each part names the one host that it is for."""
    parts = [
        host_script(part, wave=f"wave {wave.number}{', the canary' if wave.kind == 'canary' else ''}", undo=undo)
        for wave in plan.waves
        for host in wave.hosts
        if (part := plan.host(host)) is not None
    ]
    parts += [host_script(part, wave="no job: Plumbline does not change this host", undo=undo) for part in plan.without_job]
    head = [
        f"# {one_line(plan.title)}{' (undo)' if undo else ''}",
        f"# {_impact(plan.forecast)}",
        "# One part for each host. Run a part on its own host, and the next only when the one before ended well.",
    ]
    left_out = [f"# left out: {one_line(refusal.host_name)}: {one_line(refusal.words)}" for refusal in plan.refusals]
    return "\n\n".join(["\n".join([*head, *left_out]), *parts]) + "\n"


def host_script(part: HostPlan, *, wave: str = "", undo: bool = False) -> str:
    """The script of one host: its steps in order, or for an undo their opposites from the last to the first."""
    name = one_line(part.name)
    steps = list(reversed(part.steps)) if undo else list(part.steps)
    lines = [
        f"# ==== {name}{f' ({wave})' if wave else ''} ====",
        f"# facts of {one_line(part.facts_at)}; {_impact(part.forecast)}",
        *(f"# needed: {one_line(gate.words)}" for gate in part.gates),
        _BEGIN[part.platform],
        *_guard(part),
    ]
    for at, step in enumerate(steps):
        lines += _step(part, step, step.undo_commands if undo else step.commands, undo=undo)
        if step.takes_path and at + 1 < len(steps):
            lines.append(f"# Continue only when all paths are back: {_CHECK[part.platform]}")
    return "\n".join(lines)


def _guard(part: HostPlan) -> list[str]:
    """A script on the wrong host ends before it does anything."""
    short = one_line(part.name).partition(".")[0]
    name = quoted(part.platform, short)
    if part.platform == "windows":
        text = quoted("windows", f"This part is for {short}")
        return [f"if ($env:COMPUTERNAME -ne {name}) {{ throw {text} }}"]
    text = quoted("esxi", f"This part is for {short}")
    return [f'[ "$(hostname -s)" = {name} ] || {{ echo {text} >&2; exit 1; }}']


def _step(part: HostPlan, step: Step, commands: tuple[Command, ...], *, undo: bool) -> list[str]:
    now = "back to" if undo else "to"
    lines = ["", f"# {step.number}. {one_line(step.title)}", f"#    {_impact(step.forecast)}"]
    lines += [f"#    needed: {one_line(gate.words)}" for gate in step.gates]
    for element in step.elements:
        value, other = (element.inverse, element.target) if undo else (element.target, element.seen)
        lines.append(f"#    {one_line(element.label)}: {one_line(other)} {now} {one_line(value)}")
        if element.until_restart:
            lines.append(f"#    {one_line(element.until_restart)}")
    if step.restart and part.platform == "windows":
        lines.append("#    the values are written without a restart, then one restart applies all of them")
    return [*lines, *(command.text for command in commands)]


def _impact(forecast: Forecast) -> str:
    return one_line(forecast.words)
