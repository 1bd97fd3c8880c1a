"""Finds where a second output begins in a text that should hold one, as where two were pasted into one file without a prompt."""

import re
from collections.abc import Callable

from plumbline.core.facts.esxi.esxcfg import nic_rows, vmknic_rows
from plumbline.core.facts.esxi.records import plain
from plumbline.core.facts.esxi.tables import RULE


def _is_nic_row(line: str) -> bool:
    return bool(nic_rows(line))


def _is_vmknic_row(line: str) -> bool:
    return any(vmknic_rows(line))


# Tools of which a row is known by its form: every other line but the heading belongs to something else.
_ROW_READERS: dict[str, tuple[Callable[[str], bool], re.Pattern[str]]] = {
    "esxcfg-nics -l": (_is_nic_row, re.compile(r"^\s*Name\s+PCI\b")),
    "esxcfg-vmknic -l": (_is_vmknic_row, re.compile(r"^\s*Interface\s+Port ?Group\b")),
}
_FIELD = re.compile(r"^(\s*)([^:]{1,60}?)\s*:(?:\s+(.*))?$")
# Commands that answer with one word.
_WORDS = ("maintenanceMode get", "lockdown_is_enabled")


def first_output(command: str, text: str) -> tuple[str, str]:
    """The output that the text begins with, and what follows it in words; empty where nothing does.

    A few words of prose between or behind outputs are no output and are left out.
    """
    lines = text.split("\n")
    if command in _ROW_READERS:
        start = _other_line(command, lines)
    elif command.endswith(_WORDS):
        start = next((at for at in _filled(lines)[1:2]), None)
    elif any(RULE.match(line) for line in lines[1:]):
        start = _after_table(lines)
    elif command.startswith("esxcli "):
        start = _other_block(lines)
    else:
        start = None
    if start is None:
        return text, ""
    return "\n".join(lines[:start]), f"another output follows the one of {command} and is not read: {lines[start].strip()[:80]}"


def _filled(lines: list[str]) -> list[int]:
    return [at for at, line in enumerate(lines) if line.strip()]


def _other_line(command: str, lines: list[str]) -> int | None:
    is_row, heading = _ROW_READERS[command]
    seen = False
    for at in _filled(lines):
        if is_row(lines[at]):
            seen = True
        elif seen and not (heading.match(lines[at]) or lines[at].strip("`- ") == ""):
            return at
    return None


def _titles(line: str) -> set[str]:
    return {plain(word) for word in line.split()}


def _after_table(lines: list[str]) -> int | None:
    """Where a table with other titles begins, or text of at least two lines that belongs to no table."""
    rules = [at for at, line in enumerate(lines) if at and RULE.match(line)]
    before = [line for line in lines[: rules[0] - 1] if (field := _FIELD.match(line)) is not None and field.group(3)]
    if len(before) > 1:
        # Fields stand before the table: they are the first output.
        return rules[0] - 1
    first = _titles(lines[rules[0] - 1])
    for rule in rules[1:]:
        if _titles(lines[rule - 1]) != first:
            return rule - 1
    rest: list[int] = []
    in_table = False
    for at, line in enumerate(lines):
        if at + 1 in rules:
            in_table = True
        elif not line.strip():
            in_table = False
        elif not in_table and at > rules[0] and line.strip("`") != "":
            rest.append(at)
    return rest[0] if len(rest) > 1 else None


def _other_block(lines: list[str]) -> int | None:
    """Where blocks of `Title: value` begin of which hardly a title is among those of the first block."""
    blocks: list[tuple[int, list[str]]] = []
    at_start: int | None = None
    for at, line in enumerate([*lines, ""]):
        match = _FIELD.match(line) if line.strip() else None
        if not line.strip():
            at_start = None
        elif at_start is None:
            at_start = at
            blocks.append((at, []))
        if match is not None and (match.group(3) or not blocks[-1][1]) and blocks:
            blocks[-1][1].append(plain(match.group(2)))
    filled = [(at, titles) for at, titles in blocks if len(titles) > 1]
    if not filled:
        return None
    first, base = set(filled[0][1]), _indent(lines, filled[0][0])
    for at, titles in filled[1:]:
        if len(first & set(titles)) * 3 < len(set(titles)) and _indent(lines, at) <= base:
            return at
    return None


def _indent(lines: list[str], start: int) -> int:
    """Indentation of the first field of a block."""
    for line in lines[start:]:
        match = _FIELD.match(line)
        if match is not None and match.group(3):
            return len(match.group(1))
    return 0
