"""A plan as an Ansible playbook: a play for each wave and platform, one host at a time, stopped by the first failure.

Text of a host is tagged `!unsafe`, so that Ansible never takes a part of it for a template. The inventory is the reader's own.
"""

import re
from typing import Any

import yaml

from plumbline.core.facts.configuration import Platform
from plumbline.core.planning.commands import one_line
from plumbline.core.planning.plan import HostPlan, Plan, Step, Wave

# What Ansible takes as the name of a host and not as a pattern over several.
_PLAIN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,252}")
_CHECK = {"windows": "mpclaim -s -d", "esxi": "esxcli storage core path list"}


class _Unsafe(str):
    """Text that is never a template."""

    __slots__ = ()


class _Dumper(yaml.SafeDumper):
    """Writes `!unsafe` text, and lists indented below their name."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: ARG002
        super().increase_indent(flow, False)


def _unsafe(dumper: yaml.SafeDumper, text: _Unsafe) -> yaml.Node:
    return dumper.represent_scalar("!unsafe", str(text), style="|" if "\n" in text else "'")


_Dumper.add_representer(_Unsafe, _unsafe)


def playbook(plan: Plan, *, undo: bool = False) -> str:
    """The plan as YAML. A host whose name would be a pattern for Ansible is named by its id instead, with a comment."""
    parts: list[tuple[Wave | None, HostPlan]] = [
        (wave, part) for wave in plan.waves for host in wave.hosts if (part := plan.host(host)) is not None
    ]
    parts += [(None, part) for part in plan.without_job]
    plays = [_play(wave, part, undo=undo) for wave, part in parts]
    renamed = [
        f"# {_inventory_name(part)} is the host that calls itself {one_line(part.name)!r}"
        for _, part in parts
        if _inventory_name(part) != part.name
    ]
    head = [
        f"# {one_line(plan.title)}{' (undo)' if undo else ''}",
        "# One play for each host, in the order of the waves; the first failure ends the run.",
        "# Windows hosts need the collection ansible.windows; ESXi hosts are reached by ssh (connection with `raw`, no Python needed).",
        *(f"# left out: {one_line(refusal.host_name)}: {one_line(refusal.words)}" for refusal in plan.refusals),
        *renamed,
    ]
    body = yaml.dump(plays, Dumper=_Dumper, sort_keys=False, allow_unicode=False, width=1000)
    return "\n".join(head) + "\n---\n" + body


def _play(wave: Wave | None, part: HostPlan, *, undo: bool) -> dict[str, Any]:
    steps = list(reversed(part.steps)) if undo else list(part.steps)
    tasks: list[dict[str, Any]] = []
    for at, step in enumerate(steps):
        tasks.append(_task(part.platform, step, undo=undo))
        if step.takes_path and at + 1 < len(steps):
            prompt = f"Continue only when all paths are back ({_CHECK[part.platform]})"
            tasks.append({"name": "Wait for an operator to confirm all paths", "ansible.builtin.pause": {"prompt": prompt}})
    kind = "no job" if wave is None else "canary" if wave.kind == "canary" else f"wave {wave.number}"
    return {
        "name": _Unsafe(f"{kind}: {one_line(part.name)}"),
        "hosts": _inventory_name(part),
        "gather_facts": False,
        "any_errors_fatal": True,
        "tasks": tasks,
    }


def _task(platform: Platform, step: Step, *, undo: bool) -> dict[str, Any]:
    lines = [command.text for command in (step.undo_commands if undo else step.commands)]
    name = _Unsafe(one_line(f"{'Undo ' if undo else ''}{step.number}. {step.title}"))
    if platform == "windows":
        script = "\n".join(["$ErrorActionPreference = 'Stop'", *lines])
        return {"name": name, "ansible.windows.win_powershell": {"script": _Unsafe(script)}}
    return {"name": name, "ansible.builtin.raw": _Unsafe(" && ".join(lines))}


def inventory_name(name: str, host_id: str) -> str:
    """What a host is called in playbooks and in the inventory: its name, or its id where Ansible would take the name for a pattern."""
    return name if _PLAIN_NAME.fullmatch(name) else f"host_{re.sub(r'[^A-Za-z0-9]', '', host_id)}"


def _inventory_name(part: HostPlan) -> str:
    return inventory_name(part.name, part.host)
