"""A section body of an ESXi check-in as its reads: which command, how it ended, what it printed."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, get_args

import msgspec

from plumbline.core.facts.configuration import HOST, Facts, NotOffered, Reading, SettingValue, Source, Subject, Unknown

Status = Literal["ok", "unavailable", "failed"]
_STATUSES: dict[str, Status] = {name: name for name in get_args(Status)}

# Long names of options, as people type them, and the short ones that the agent uses.
_OPTIONS = {
    "--nic-name": "-n",
    "--nic": "-n",
    "--module": "-m",
    "--adapter": "-A",
    "--option": "-o",
    "--device": "-d",
    "--portgroup-name": "-p",
    "--address": "-a",
    "--name": "-n",
}

_COMMANDS = r"(?:esxcli|localcli|esxcfg-\w+|ethtool|vmkping|vmkfstools|nsxdp-cli|vim-cmd|vsish|lspci)(?=\s|$)"
# `~ # cmd`, `[root@host:~] cmd`, `# cmd`, `> cmd`, `/vmfs/volumes # cmd`: what precedes a command in a copied terminal.
_PROMPT = re.compile(rf"^\s*(?:(?:\[[^\]\n]*\]|[~/]\S*)\s*(?:[#$]\s*)?|[#$>]\s*)({_COMMANDS}.*)$")
# Any other command at a prompt that can be nothing else, and a prompt alone: the output before it ends there.
_ANY_PROMPT = re.compile(r"^\s*(?:\[\w+@[^\]\n]*\]\s*[#$]?|~\s*#|/\S*\s+#)(?:\s+(\S.*))?$")
# A command without a prompt: the first line of a copy, and later only one that asks for a list.
_BARE = re.compile(rf"^\s*({_COMMANDS}.*)$")
_BARE_LIST = re.compile(r"^\s*((?:esxcli|localcli)(?: \w+)+ (?:list|get)(?: -.*)?)$")


_FILTER = re.compile(r"\|\s*(?:[ef]?grep|head|tail|awk|sed|cut)\b")
# What esxcli prints in place of an answer: for a namespace without a command its usage, and ends well.
_NO_ANSWER = re.compile(r"^\s*(?:Usage: (?:esxcli|localcli)\b|Error: Unknown command or namespace\b)")


@dataclass(frozen=True, slots=True)
class Command:
    """A command line taken apart: its words without options, and the options by their short names."""

    words: str
    options: dict[str, str] = field(default_factory=dict)
    argument: str = ""  # the last plain word of tools that take one: `ethtool -k vmnic2`


@dataclass(frozen=True, slots=True)
class Entry:
    """One read of a section body."""

    line: str
    command: Command
    status: Status
    output: str
    error: str
    form: str
    exit: int | None
    # Only of bundles: another file told a part of what the command prints.
    is_partial: bool = False

    @property
    def is_ok(self) -> bool:
        """The command was there and ended well."""
        return self.status == "ok"

    @property
    def is_filtered(self) -> bool:
        """A filter in the copied command line took lines away, or only a part of the answer is told: the rest may have been there."""
        return self.is_partial or _FILTER.search(self.line) is not None

    @property
    def why_not(self) -> str:
        """Why it cannot be read, in words for a person."""
        return f"{self.line}: {self.error or self.status}"


def command_of(line: str) -> Command:
    """Takes a command line apart. Formatter options and what follows a pipe are left out."""
    line = line.split(" | ")[0].strip()
    try:
        parts = shlex.split(line)
    except ValueError:
        parts = line.split()
    if not parts:
        return Command("")
    name = parts[0]
    if name in ("esxcli", "localcli"):
        return _esxcli_command(parts[1:])
    if name == "ethtool" or name.startswith("esxcfg-") or name == "lspci":
        flags = [part for part in parts[1:] if part.startswith("-")]
        plain = [part for part in parts[1:] if not part.startswith("-")]
        return Command(" ".join([name, *flags[:1]]), {}, plain[-1] if plain else "")
    if name == "vim-cmd" and parts[1:2] == ["hostsvc/net/query_networkhint"]:
        # With or without `--pnic-name`: the answer names its adapters.
        return Command(" ".join(parts[:2]))
    if name == "vmkping":
        return Command(name, dict(_pairs(parts[1:])), parts[-1] if len(parts) > 1 else "")
    if name == "nsxdp-cli":
        words = [part for part in parts if not part.startswith("-")]
        options = dict(_pairs(parts[1:]))
        return Command(" ".join(word for word in words if word not in options.values()), options)
    return Command(" ".join(parts))


def _esxcli_command(parts: list[str]) -> Command:
    words: list[str] = []
    options: dict[str, str] = {}
    rest = list(parts)
    while rest:
        part = rest.pop(0)
        if part == "--debug" or part.startswith("--formatter="):
            continue
        if part == "--formatter":
            rest = rest[1:]
        elif part.startswith("-"):
            name, equals, value = part.partition("=")
            if not equals and rest and not rest[0].startswith("-"):
                value = rest.pop(0)
            options[_OPTIONS.get(name, name)] = value
        elif not options:
            words.append(part)
    if words[:1] == ["nmp"]:
        # The namespace of ESX 4, which later releases still take.
        words.insert(0, "storage")
    return Command(" ".join(["esxcli", *words]), options)


def _pairs(parts: list[str]) -> Iterator[tuple[str, str]]:
    for position, part in enumerate(parts[:-1]):
        if part.startswith("-") and not parts[position + 1].startswith("-"):
            yield part, parts[position + 1]


def split_prompts(text: str) -> list[tuple[str, str]]:
    """A copied terminal as (command line, what it printed); text before the first prompt has an empty command line."""
    parts: list[tuple[str, list[str]]] = [("", [])]
    is_first = True
    for line in text.split("\n"):
        match = _PROMPT.match(line) or _ANY_PROMPT.match(line) or (_BARE if is_first else _BARE_LIST).match(line)
        is_first = is_first and not line.strip()
        if match:
            parts.append(((match.group(1) or "").strip(), []))
        else:
            parts[-1][1].append(line)
    return [(command, "\n".join(lines)) for command, lines in parts if command or "".join(lines).strip()]


class Body:
    """The reads of one section, found by their command without options."""

    def __init__(self, section: str, entries: list[Entry], problems: list[str]) -> None:
        self.section = section
        self.entries = entries
        self.problems = problems

    def find(self, words: str) -> Entry | None:
        """The read of one command, the one that went well where there are two."""
        found = self.each(words)
        return next((entry for entry in found if entry.is_ok), found[0] if found else None)

    def each(self, words: str) -> list[Entry]:
        """All reads of one command, whatever its options."""
        return [entry for entry in self.entries if entry.command.words == words]


def read_body(section: str, body: bytes) -> Body:
    """Decodes a section body. What is not understood becomes a sentence; it never raises."""
    problems: list[str] = []
    try:
        document = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        return Body(section, [], [f"{section}: the body is not JSON ({error})"])
    if not isinstance(document, dict):
        return Body(section, [], [f"{section}: the body is not an object"])
    entries: list[Entry] = []
    for line, value in document.items():
        if not isinstance(value, dict):
            problems.append(f"{section}: {line} is not an entry")
            continue
        entries.extend(_entries(str(line), value))
    return Body(section, entries, problems)


def _entries(line: str, value: dict[str, object]) -> Iterator[Entry]:
    status = _STATUSES.get(str(value.get("status", "ok")), "failed")
    output = value.get("output", "")
    if not isinstance(output, str):
        # A list or object in place of its text: the same once it is written out.
        output = msgspec.json.encode(output).decode()
    code = value.get("exit")
    error, form = str(value.get("error") or ""), str(value.get("format") or "text")
    exit_code = code if isinstance(code, int) and not isinstance(code, bool) else None
    is_partial = value.get("partial") is True
    parts = split_prompts(output) if form == "text" else []
    # A copied terminal shows what was typed, options included.
    prompted = [(typed, text) for typed, text in parts if typed]
    for typed, text in prompted or [(line, output)]:
        if status == "ok" and _NO_ANSWER.match(text):
            words = text.strip().split("\n")[0].strip()
            yield Entry(typed, command_of(typed), "unavailable", text, words, form, exit_code, is_partial)
            continue
        yield Entry(typed, command_of(typed), status, text, error, form, exit_code, is_partial)


class Sink:
    """Fills the facts of one section, with the source of each reading."""

    def __init__(self, body: Body) -> None:
        self.section = body.section
        self.facts = Facts(problems=list(body.problems))

    def source(self, entry: Entry, field_name: str, raw: str = "") -> Source:
        """Where something was read."""
        return Source(self.section, entry.line, field_name, raw)

    def value(self, subject: Subject, key: str, value: SettingValue, entry: Entry, field_name: str, raw: str = "") -> None:
        """Sets a value that was read."""
        self.facts.set_value(subject, key, value, self.source(entry, field_name, raw))

    def set(self, subject: Subject, key: str, reading: Reading) -> None:
        """Sets any reading."""
        self.facts.set(subject, key, reading)

    def unknown(self, subject: Subject, keys: tuple[str, ...], reason: str, entry: Entry | None = None) -> None:
        """Sets settings that could not be read to unknown, with the reason."""
        for key in keys:
            self.facts.set(subject, key, Unknown(reason, None if entry is None else self.source(entry, "")))

    def not_offered(self, subject: Subject, keys: tuple[str, ...], reason: str, entry: Entry | None = None) -> None:
        """Sets settings that the driver or release does not have to not offered."""
        for key in keys:
            if not isinstance(self.facts.readings.get(subject, {}).get(key), NotOffered):
                self.facts.set(subject, key, NotOffered(reason, None if entry is None else self.source(entry, "")))

    def problem(self, sentence: str) -> None:
        """Adds a sentence about something that was not understood."""
        self.facts.problems.append(sentence)


__all__ = ["HOST", "Body", "Command", "Entry", "Sink", "command_of", "read_body", "split_prompts"]
