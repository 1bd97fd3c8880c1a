"""Captured outputs of ESXi commands as section bodies: which command each part of a file answers, and whether it is an answer."""

import json
import re
import shlex
from collections.abc import Iterator
from typing import Any

import msgspec

from plumbline.core.facts.captures.names import Format, Known, recognise_typed
from plumbline.core.facts.captures.pasted import first_output
from plumbline.core.facts.configuration import SectionReading
from plumbline.core.facts.esxi.entries import split_prompts
from plumbline.core.facts.esxi.esxcfg import nic_rows, package_rows
from plumbline.core.facts.esxi.readers import rows_of

# Commands whose output holds counters and no setting.
_COUNTERS = "counters"
# Commands that print a word or free text, or of which a single line is still understood.
_SCALARS = ("maintenanceMode get", "ibftboot get", "pauseParams set", "param get", "module parameters list")
_NO_COMMAND = re.compile(r"^(?:Error: )?Unknown command or namespace|: (?:command )?not found$", re.IGNORECASE)
_REFUSED = re.compile(
    r"^(?:Error:|Usage:|Cannot get |Connect to |Unable to |Invalid )|Operation not (?:supported|permitted)$|Function not implemented$",
    re.IGNORECASE,
)
# ethtool prints one block for each adapter, under a heading that names it.
_BLOCK_OF_ADAPTER = re.compile(r"^(?:Pause|Ring|Offload|Coalesce) parameters for (vmnic\d+):", re.M)

Unread = list[tuple[str, str]]
Sections = dict[str, SectionReading]


class _Bodies:
    """Section bodies while they are gathered, and what was not understood of which file."""

    def __init__(self) -> None:
        self.reads: dict[str, dict[str, dict[str, Any]]] = {}
        self.unread: Unread = []

    def add(self, name: str, known: Known, command: str, text: str) -> None:
        """One output of one command. The same command again, in another file or further down, is listed and does not replace the first."""
        if known.section == _COUNTERS:
            # Known, and no setting comes of it.
            return
        body = self.reads.setdefault(known.section, {})
        if command in body and _is_run_for_each(known.command) and body[command]["output"].strip() != text.strip():
            # What follows a pipe is no part of a command; it only keeps the two apart.
            command = f"{command} | {name}"
        if command in body:
            if body[command]["output"].strip() != text.strip():
                self.unread.append((name, f"a second output of {command}; the first is used"))
            return
        refusal = _refusal(text)
        if refusal:
            body[command] = {"status": refusal[0], "error": refusal[1], "format": "text", "exit": 1, "output": text}
            self.unread.append((name, refusal[1]))
            return
        form = _format(known.format, text)
        if form == "text":
            text, why = first_output(known.command, text)
            if why:
                self.unread.append((name, why))
        if command.startswith("esxcli ") and not known.command.endswith(_SCALARS) and not _has_rows(known.command, text):
            self.unread.append((name, f"no row of {known.command} was found in it"))
        body[command] = {"status": "ok", "format": form, "exit": 0, "output": text}


def read_outputs(found: list[tuple[str, Known, str]]) -> tuple[Sections, Unread]:
    """The sections that these files (name, the command in it, text) make up, and what was not understood of which file."""
    bodies = _Bodies()
    for name, known, text in found:
        parts = list(_parts(name, known, text, bodies.unread))
        last = {command: part for _, command, part in parts}
        for part_known, command, part in parts:
            if part.strip() == last[command].strip():
                bodies.add(name, part_known, command, part)
                continue
            # Further down in one terminal is later: something was changed in between.
            note = (name, f"{command} was printed more than once; the last is used")
            if note not in bodies.unread:
                bodies.unread.append(note)
    return {section: SectionReading("ok", msgspec.json.encode(body)) for section, body in bodies.reads.items()}, bodies.unread


def _parts(name: str, known: Known, text: str, unread: Unread) -> Iterator[tuple[Known, str, str]]:
    """A copied terminal by the commands that it shows, each with its own section; else the text as what the file is named for."""
    typed = [(line, part) for line, part in split_prompts(text) if line or part.strip()]
    if not any(line for line, _ in typed):
        yield from _by_adapter(known, _command_line(known, text), text)
        return
    for line, part in typed:
        one = recognise_typed("esxi", line) if line else known
        if one is None and known.command.removeprefix("esxcli ") in " ".join(line.split()):
            # The file's command in a line that does more with it, as a loop over adapters.
            one, line = known, ""
        if one is None:
            if part.strip():
                unread.append((name, f"what was typed is not known: {line[:80]}"))
        elif line:
            yield from _by_adapter(one, line, part)
        elif rows_of(part) or not any(other for other, _ in typed[1:]):
            yield from _by_adapter(known, _command_line(known, part), part)


def _by_adapter(known: Known, command: str, text: str) -> Iterator[tuple[Known, str, str]]:
    places = list(_BLOCK_OF_ADAPTER.finditer(text)) if known.command.startswith("ethtool ") else []
    if len({place.group(1) for place in places}) < 2:
        yield known, command, text
        return
    for place, following in zip(places, [*places[1:], None], strict=True):
        part = text[place.start() : following.start() if following else len(text)]
        yield known, f"{known.command} {place.group(1)}", part


def _has_rows(command: str, text: str) -> bool:
    if rows_of(text):
        return True
    # One row, or what a filter left without the heading.
    return bool(nic_rows(text)) if command.endswith("nic list") else bool(package_rows(text)) if command.endswith("vib list") else False


def _refusal(text: str) -> tuple[str, str] | None:
    """(status, words) where a command printed why it did not answer, in place of an answer."""
    printed = [line.strip() for line in text.split("\n") if line.strip()]
    if not printed:
        return "failed", "it holds no answer"
    if _NO_COMMAND.search(printed[0]):
        return "unavailable", printed[0]
    return ("failed", printed[0]) if _REFUSED.search(printed[0]) else None


_DEVICE = re.compile(r"(?<![a-z0-9])(vmnic\d+|vmhba\d+|vmk\d+)(?![a-z0-9])", re.IGNORECASE)
_VOLUME = re.compile(r"\b((?:naa|eui|t10)\.\w+)", re.IGNORECASE)
_OPTION_OF = {"vmnic": "-n", "vmhba": "-A", "vmk": "-I"}


def _command_line(known: Known, text: str) -> str:
    """The command with what it was run for, by its file's name: an adapter, a driver, a volume, a port group."""
    command, variant = known.command, known.variant
    device = _DEVICE.search(variant) or (_DEVICE.search(known.remark) if _is_run_for_each(command) else None)
    volume = _VOLUME.search(variant)
    if volume and "device" in command:
        return f"{command} -d {volume.group(1).lower()}"
    if command.endswith("module parameters list"):
        module = re.match(r"(?:-*(?:m|module)[-= ]+)?(\w+)", variant)
        return f"{command} -m {module.group(1)}" if module else command
    if command.endswith("failover get") and (group := re.match(r"(?:p|portgroup-name)[-= ]+(.+)", variant)):
        return f"{command} -p {shlex.quote(group.group(1))}"
    if (
        command.endswith("advanced list")
        and "Path" not in text
        and (setting := re.search(r"(?:^|[-/ ])(Net|ISCSI|Disk)[-/](\w+)", variant, re.IGNORECASE))
    ):
        return f"{command} -o /{setting.group(1)}/{setting.group(2)}"
    if device is None:
        return command
    name = device.group(1).lower()
    if command.startswith("ethtool"):
        return f"{command} {name}"
    return f"{command} {_OPTION_OF[re.sub(r'[0-9]', '', name)]} {name}"


def _is_run_for_each(command: str) -> bool:
    """Whether a command answers for one adapter, port group or target, so that a folder may hold several outputs of it."""
    return command.startswith(("ethtool ", "vmkping", "nsxdp-cli ", "esxcfg-module", "esxcfg-advcfg")) or command.endswith(
        (" get", "ring current get", "module parameters list", "advanced list")
    )


def _format(asked: Format, text: str) -> str:
    """The format of a file: the one in its name, else detected from its content."""
    if asked != "text":
        return asked
    start = text.lstrip()[:1]
    if start == "<":
        return "xml"
    if start in ("{", "["):
        try:
            json.loads(text)
        except (ValueError, RecursionError):
            return "text"
        return "json"
    return "text"
