"""Reads captured outputs and section bodies for the tests of this folder."""

import json
from pathlib import Path

import pytest

from plumbline.core.facts import esxi
from plumbline.core.facts.configuration import Configuration, Facts, NotOffered, Subject, Unknown, Value, merge
from plumbline.core.facts.esxi.entries import command_of
from plumbline.core.facts.esxi.sources import COMMANDS
from plumbline.core.facts.join import Join

REPOSITORY = Path(__file__).resolve().parents[5]
CAPTURES = REPOSITORY.parent / "shared" / "captures"
SAMPLES = REPOSITORY / "agents" / "schema" / "samples" / "esxi"


def capture(name: str) -> str:
    """The text of one captured output; the test is skipped where the captures are not there."""
    path = CAPTURES / f"esxi__{name}.txt"
    if not path.is_file():
        pytest.skip("captures are not here")
    return path.read_text("utf-8")


def entry(output: str, form: str = "text", status: str = "ok", error: str = "", code: int | None = 0) -> dict[str, object]:
    """One entry of a section body."""
    return {"status": status, "format": form, "exit": code, "output": output} | ({"error": error} if error else {})


def body(**reads: dict[str, object]) -> bytes:
    """A section body from reads by command line."""
    return json.dumps(reads).encode()


class Host:
    """What some sections of one host mean, read by `kind/id/key`."""

    def __init__(self, sections: dict[str, bytes], unread: dict[str, str] | None = None, parts: dict[str, Facts] | None = None) -> None:
        self.parts: dict[str, Facts] = parts or {name: esxi.parse_section(name, data) for name, data in sections.items()}
        joined, self.path_map = esxi.join_sections(Join(self.parts, unread))
        self.configuration: Configuration = merge("esxi", [*self.parts.values(), joined])
        self.problems = [problem for part in self.parts.values() for problem in part.problems]

    @classmethod
    def of_parts(cls, parts: dict[str, Facts]) -> "Host":
        """The host that these facts make up."""
        return cls({}, parts=parts)

    def all(self, kind: str, id: str) -> dict[str, object]:
        """Every reading of one item: the value, or the kind of reading without a value."""
        return {key: shown(reading) for key, reading in self.configuration.keys(Subject(kind, id)).items()}

    def read(self, kind: str, id: str, key: str) -> object:
        """One reading; see `shown`."""
        return shown(self.configuration.read(Subject(kind, id), key))

    def ids(self, kind: str) -> list[str]:
        """Ids of all subjects of a kind."""
        return [subject.id for subject in self.configuration.subjects(kind)]


def shown(reading: object) -> object:
    """A value as it is, else `not offered: reason` or `unknown: reason`."""
    if isinstance(reading, Value):
        return reading.value
    if isinstance(reading, NotOffered):
        return f"not offered: {reading.reason}"
    assert isinstance(reading, Unknown)
    return f"unknown: {reading.reason}"


def read_one(command: str, output: str, form: str = "text") -> Host:
    """The host that the output of a single command describes."""
    section = COMMANDS[command_of(command).words]
    return Host({section: json.dumps({command: entry(output, form)}).encode()})


def sample(name: str) -> dict[str, bytes]:
    """Section bodies of one sample check-in."""
    import hashlib

    lines = (SAMPLES / f"{name}.checkin").read_bytes().split(b"\n")
    sections = json.loads(lines[0])["sections"]
    names = {facts["sha256"]: section for section, facts in sections.items() if "sha256" in facts}
    return {names[hashlib.sha256(line).hexdigest()]: line for line in lines[1:] if line}
