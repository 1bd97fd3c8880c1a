"""The commands a person would type: for the approver to read, for a script to copy. We never run them; the runner acts on elements.

Every text from a host is quoted in them, so that a name can neither end a string nor begin a command.
"""

import re
import shlex
import unicodedata
from collections.abc import Mapping
from typing import Literal

from plumbline.core.planning.plan import ABSENT, Command
from plumbline.core.planning.runner_settings import RunnerSetting

# PowerShell takes the typographic quotes for the plain one.
_POWERSHELL_QUOTES = re.compile("(['\u2018\u2019\u201a\u201b])")
INHERIT = "inherit"


def quoted(platform: str, text: str) -> str:
    """A text as one argument of the platform's shell, on one line."""
    text = one_line(text)
    if platform == "windows":
        return "'" + _POWERSHELL_QUOTES.sub(r"\1\1", text) + "'"
    return shlex.quote(text)


def one_line(text: str) -> str:
    """A text without control characters and line ends of any kind, so that it is safe in a comment or an argument."""
    return "".join(" " if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp") else char for char in text)


def write_commands(
    platform: str, setting: RunnerSetting, names: Mapping[str, str], before: str, after: str, component: str = ""
) -> tuple[Command, ...]:
    """What sets one value that now reads `before` to `after`, both in the host's own text.

    `names` are what the template may name: `name`, `guid`, `target`, portals under `portals` (separated by spaces), and the `keyword` that
    the adapter's driver has.
    """
    shell: Literal["powershell", "esxcli"] = "powershell" if platform == "windows" else "esxcli"
    if setting.keywords:
        name, keyword = names["name"], names.get("keyword") or setting.keywords[0]
        text = (
            f"Set-NetAdapterAdvancedProperty -Name {quoted(platform, name)} -RegistryKeyword {quoted(platform, keyword)}"
            f" -RegistryValue {quoted(platform, after)} -NoRestart"
        )
        return (Command(shell, text),)
    if after == ABSENT:
        return (Command(shell, _filled(platform, setting.delete, setting, names, before, component)),)
    template = setting.inherit if after == INHERIT else setting.write
    if "{portal}" in template:
        return tuple(
            Command(shell, _filled(platform, template, setting, {**names, "portal": portal}, after, component))
            for portal in names.get("portals", "").split()
        )
    if after.startswith("strict:"):
        # Windows gives a strict class no share.
        template = template.replace(" -BandwidthPercentage {percent}", "")
    text = _filled(platform, template, setting, names, after, component)
    if template.startswith("netsh "):
        # A program that fails does not stop a script by itself.
        text += "; if ($LASTEXITCODE -ne 0) { throw 'netsh refused it' }"
    if platform == "windows" and before not in (ABSENT, "") and template.startswith("New-"):
        # What exists already is removed first: these cmdlets only create.
        return (Command(shell, _filled(platform, setting.delete, setting, names, before, component)), Command(shell, text))
    return (Command(shell, text),)


def restart_command(name: str) -> Command:
    """The one restart of an adapter that puts its new values in force."""
    return Command("powershell", f"Restart-NetAdapter -Name {quoted('windows', name)}")


def _filled(platform: str, template: str, setting: RunnerSetting, names: Mapping[str, str], value: str, component: str) -> str:
    """A template with its placeholders filled, quoted unless the template needs the plain value (patterns keep those safe)."""
    parts = {
        **{key: quoted(platform, text) for key, text in names.items()},
        **_parts(value),
        **_tuple_parts(platform, names.get("id", "")),
        "guid": names.get("guid", ""),
        "value": _bare(value) if platform == "windows" else quoted(platform, value),
        "component": component,
        "field": setting.field,
        "option": setting.option,
    }
    return template.format_map(parts)


def _bare(value: str) -> str:
    """Values must match patterns of letters, digits and a few signs; PowerShell takes such a word literally."""
    return value if re.fullmatch(r"[A-Za-z0-9_]+", value) else quoted("windows", value)


def _parts(value: str) -> dict[str, str]:
    """The parts of a composed value: `445:5`, `ets:50:3,5`, `false,true,true`."""
    fields = value.split(":")
    if len(fields) == 2:
        return {"port": fields[0], "priority": fields[1]}
    if len(fields) == 3:
        return {"algorithm": fields[0].upper() if fields[0] == "ets" else "Strict", "percent": fields[1], "priorities": fields[2]}
    flags = value.split(",")
    return dict(zip(("auto", "receive", "transmit"), flags, strict=True)) if len(flags) == 3 else {}


def _tuple_parts(platform: str, identity: str) -> dict[str, str]:
    """The parts of a transport filter's id: `TCP,0-65535,3260-3260,*`."""
    fields = identity.split(",")
    if len(fields) != 4:
        return {}
    local, remote = fields[1].partition("-"), fields[2].partition("-")
    return {
        "local_start": local[0],
        "local_end": local[2],
        "remote_start": remote[0],
        "remote_end": remote[2],
        "prefix": quoted(platform, fields[3]),
    }
