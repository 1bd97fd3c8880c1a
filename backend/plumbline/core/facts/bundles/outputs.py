"""Outputs of commands that people kept in files: named by their command, or consoles copied with their prompts. One folder is one host."""

import re
from collections.abc import Mapping

import msgspec

from plumbline.core.facts.bundles.clixml import is_clixml, read_clixml
from plumbline.core.facts.bundles.hosts import BundledHost, text_of
from plumbline.core.facts.bundles.members import CMDLETS, command_of_file
from plumbline.core.facts.bundles.sddc import add_rows
from plumbline.core.facts.bundles.windows_host import drop_copies, host_of
from plumbline.core.facts.captures import esxi_text
from plumbline.core.facts.captures.copied import as_printed
from plumbline.core.facts.captures.names import Known, recognise, recognise_typed
from plumbline.core.facts.captures.windows_reads import WindowsReads, add_printed, parts_of
from plumbline.core.facts.captures.windows_text import split_typed
from plumbline.core.facts.configuration import SectionReading
from plumbline.core.facts.esxi.entries import split_prompts

_ENDING = re.compile(r"\.[A-Za-z]{2,4}$")
_ESXI_WORDS = re.compile(
    r"^(?:\d{1,3}[ _.-]+)?(?=(?:esxcli|localcli|esxcfg|ethtool|vim-cmd|lspci|vmkping|vmkfstools|nsxdp)\b|(?:esxcli|localcli)_)",
    re.IGNORECASE,
)
_WINDOWS_WORDS = re.compile(r"^(?:\d{1,3}[ _.-]+)?(?=(?:Get-|Win32_|netsh|mpclaim))", re.IGNORECASE)


def read_outputs(files: Mapping[str, bytes], bundle: str) -> tuple[list[BundledHost], list[str]]:
    """The hosts of these files, one for each folder and platform, and the paths that hold no output that is known."""
    folders: dict[str, dict[str, bytes]] = {}
    for path, content in files.items():
        folders.setdefault(path.rpartition("/")[0], {})[path] = content
    hosts: list[BundledHost] = []
    unused: list[str] = []
    for folder, mine in sorted(folders.items()):
        found, unknown = _folder(mine, folder.rpartition("/")[2] or bundle)
        hosts.extend(found)
        unused.extend(unknown)
    return hosts, unused


def _folder(files: Mapping[str, bytes], name: str) -> tuple[list[BundledHost], list[str]]:
    esxi: list[tuple[str, Known, str]] = []
    windows: list[tuple[str, Known, str]] = []
    exported: dict[str, list[tuple[str, str, list[dict[str, object]], str]]] = {}
    unused: list[str] = []
    unread: list[tuple[str, str]] = []
    for path, content in sorted(files.items()):
        if is_clixml(content):
            command = CMDLETS.get(_stem(path).lower(), "")
            if command:
                rows, why = read_clixml(content)
                for row in rows:
                    exported.setdefault(str(row.get("PSComputerName") or ""), []).append((path, command, [row], why))
            else:
                unused.append(path)
            continue
        text = as_printed(text_of(content))
        known = _known(path, text)
        if known is None:
            unused.append(path)
        elif not text.strip():
            unread.append((path, "it is empty"))
        else:
            (windows if known.platform == "windows" else esxi).append((path, known, text))
    hosts = []
    if esxi:
        sections, odd = esxi_text.read_outputs(esxi)
        members = _esxi_members(esxi, sections)
        hosts.append(BundledHost("esxi", "outputs", name, sections, members, unread=(*unread, *odd)))
        unread = []
    if windows or exported:
        hosts.extend(_windows(windows, exported, name, unread))
    return hosts, unused


def _windows(
    listed: list[tuple[str, Known, str]],
    exported: Mapping[str, list[tuple[str, str, list[dict[str, object]], str]]],
    name: str,
    unread: list[tuple[str, str]],
) -> list[BundledHost]:
    """One host of the texts and of the objects without a computer's name; one more for each computer that objects name."""
    hosts = []
    computers = sorted(exported)
    if len(computers) == 1 or listed:
        first = computers[0] if len(computers) == 1 else ""
        computers = [one for one in computers if one != first] if computers else []
        computers.insert(0, first)
    for at, computer in enumerate(computers):
        reads = WindowsReads()
        for path, known, text in listed if at == 0 else ():
            reads.member = path
            for part_known, typed in parts_of(known, text):
                problem = add_printed(reads, part_known, typed)
                if problem:
                    unread.append((path, problem))
        for path, command, rows, why in exported.get(computer, ()):
            reads.member = path
            add_rows(reads, command, rows, is_whole=not why)
        drop_copies(reads)
        hosts.append(host_of("outputs", computer or name, reads, "", unread if at == 0 else ()))
    return hosts


def _stem(path: str) -> str:
    return _ENDING.sub("", path.rpartition("/")[2].rpartition("!")[2])


def _known(path: str, text: str) -> Known | None:
    """The command that a file is named for, else that of the first prompt in it that is known."""
    name = path.rpartition("/")[2]
    known = recognise(name)
    if known is not None:
        return known
    stem = _stem(path)
    if _ESXI_WORDS.match(stem) or command_of_file(name):
        known = recognise("esxi__" + _ESXI_WORDS.sub("", stem).replace("localcli_", "esxcli-").replace("esxcli_", "esxcli-"))
    elif _WINDOWS_WORDS.match(stem):
        known = recognise("windows__" + _WINDOWS_WORDS.sub("", stem))
    if known is not None:
        return known
    for line, _ in split_prompts(text):
        if line and (known := recognise_typed("esxi", line)) is not None:
            return known
    for part in split_typed(text):
        if part.line and (known := recognise_typed("windows", part.line)) is not None:
            return known
    return None


def _esxi_members(listed: list[tuple[str, Known, str]], sections: Mapping[str, SectionReading]) -> dict[tuple[str, str], str]:
    """The file of each read, by the command that its name or its prompts show."""
    lines = [(section, line) for section, reading in sections.items() for line in msgspec.json.decode(reading.body)]
    found: dict[tuple[str, str], str] = {}
    for path, known, text in listed:
        typed = {line for line, _ in split_prompts(text) if line}
        for section, line in lines:
            if line in typed or (not typed and line.startswith(known.command)) or line.endswith(f"| {path}"):
                found.setdefault((section, line), path)
    return found
