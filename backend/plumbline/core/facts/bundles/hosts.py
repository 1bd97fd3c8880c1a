"""A host as a bundle shows it, and the gathering of its section bodies with the member that each read came from."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Literal

import msgspec

from plumbline.core.facts.captures.decoding import decode
from plumbline.core.facts.configuration import Platform, SectionReading

Kind = Literal["vm-support", "get-netview", "sddc", "rvtools", "outputs", "check-in"]
KIND_LABELS: dict[Kind, str] = {
    "vm-support": "vm-support bundle of ESXi",
    "get-netview": "Get-NetView of Windows",
    "sddc": "Get-SDDCDiagnosticInfo of Windows",
    "rvtools": "RVTools export",
    "outputs": "copied command outputs",
    "check-in": "printed check-in of an agent",
}


class BundledHost(msgspec.Struct, frozen=True):
    """One host of a bundle, as the sections that an agent's check-in would have.

    `members`: section and command -> the member that it came from. `captured_at`: when the bundle was collected, in UTC as ISO 8601;
    empty where it does not say. `identity`: marks of the machine by which it is recognised again (uuid, serial). `notes`: sentences
    about the bundle as a whole. `unread`: members that were recognised and not understood, with the reason.
    """

    platform: Platform
    kind: Kind
    name: str
    sections: dict[str, SectionReading]
    members: dict[tuple[str, str], str]
    captured_at: str = ""
    identity: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    unread: tuple[tuple[str, str], ...] = ()
    agent_version: str = ""


def collected_at(told: str) -> datetime | None:
    """The time at which a bundle was collected, from `BundledHost.captured_at`; None where it tells none."""
    try:
        taken = datetime.fromisoformat(told)
    except ValueError:
        return None
    return taken if taken.tzinfo is not None else taken.replace(tzinfo=UTC)


class EsxiReads:
    """The reads of an ESXi host while they are gathered: the first answer of a command counts, an answer beats a failure."""

    def __init__(self, section_of: Mapping[str, str]) -> None:
        self._section_of = section_of
        self._reads: dict[str, dict[str, dict[str, Any]]] = {}
        self.members: dict[tuple[str, str], str] = {}

    def has(self, words: str, line: str = "") -> bool:
        """Whether a command was answered."""
        return self._reads.get(self._section_of[words], {}).get(line or words, {}).get("status") == "ok"

    def text(self, words: str, output: str, member: str, *, line: str = "", is_partial: bool = False) -> None:
        """What a command printed."""
        start = output.lstrip()[:1]
        form = "json" if start in ("{", "[") else "xml" if start == "<" else "text"
        self._add(words, line, {"status": "ok", "format": form, "exit": 0, "output": output}, member, is_partial)

    def records(
        self, words: str, rows: list[dict[str, Any]] | dict[str, Any], member: str, *, line: str = "", is_partial: bool = False
    ) -> None:
        """What a command would have printed, from another file that tells the same."""
        self.text(words, msgspec.json.encode(rows).decode(), member, line=line, is_partial=is_partial)

    def missing(self, words: str, looked_for: str, *, line: str = "") -> None:
        """A command that the bundle does not answer; `looked_for` is the sentence that says where it was looked for."""
        read = {"status": "failed", "error": looked_for, "format": "text", "exit": None, "output": ""}
        self._reads.setdefault(self._section_of[words], {}).setdefault(line or words, read)

    def _add(self, words: str, line: str, read: dict[str, Any], member: str, is_partial: bool) -> None:
        section, line = self._section_of[words], line or words
        if self.has(words, line):
            return
        self._reads.setdefault(section, {})[line] = read | ({"partial": True} if is_partial else {})
        self.members[section, line] = member

    def sections(self) -> dict[str, SectionReading]:
        """The section bodies."""
        return {name: SectionReading("ok", msgspec.json.encode(body)) for name, body in self._reads.items()}


# Words of a line that may hold a secret. No setting that Plumbline reads has one of them in its title.
_SECRET = re.compile(
    r"passw(?:or)?d|passphrase|secret|\bcommunit(?:y|ies)\b|\btoken|authenticationprop|\bchap(?:Name|Secret|Password)?\b"
    r"|auth\.(?:user|pass)|private.?key|BEGIN [A-Z ]*KEY",
    re.IGNORECASE,
)


def text_of(content: bytes) -> str:
    """A member as text, without the lines that may hold a secret."""
    text = decode(content)
    if _SECRET.search(text) is None:
        return text
    return "\n".join(line for line in text.split("\n") if _SECRET.search(line) is None)


def is_secret(text: str) -> bool:
    """Whether a text may hold a secret."""
    return _SECRET.search(text) is not None
