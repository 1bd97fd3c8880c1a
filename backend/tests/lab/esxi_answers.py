"""Outputs of ESXi commands as records, by command: those of the lab, those of the stand-in commands, those captured on real hosts."""

import re
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path

from plumbline.core.facts.captures.decoding import decode
from plumbline.core.facts.captures.names import recognise, recognise_typed
from plumbline.core.facts.esxi.entries import command_of, split_prompts
from plumbline.core.facts.esxi.readers import rows_of
from plumbline.infra import resources
from tests.lab.shapes import Records

# A heading that names the adapter is a title like any other.
_ADAPTER = re.compile(r"vmnic\d+")
RECORDED = Path(resources.AGENTS) / "esxi" / "tests" / "recorded"
# The name of a volume within a path of vsish.
_DEVICE = re.compile(r"\bnaa\.[0-9a-f]+")


def records(text: str) -> Records:
    """The records of an output, fields by the titles that were printed, in their order."""
    return [{_ADAPTER.sub("vmnicN", title): value for title, value in record.fields()} for record in rows_of(text)]


def captured(folders: list[Path]) -> dict[str, dict[str, Records]]:
    """Command -> name of the file -> its records, for every captured text in which records can be read."""
    found: dict[str, dict[str, Records]] = {}
    for path in sorted(path for folder in folders for path in folder.glob("esxi__*.txt")):
        known = recognise(path.name)
        if known is None or known.format != "text":
            continue
        for typed, text in split_prompts(decode(path.read_bytes())):
            one = recognise_typed("esxi", typed) if typed else known
            if one is None and known.command.removeprefix("esxcli ") in " ".join(typed.split()):
                one = known
            if one is not None and (read := records(text)):
                found.setdefault(one.command, {})[path.stem] = read
    return found


def recorded(path: Path) -> Iterator[tuple[str, str]]:
    """The command lines of one recorded host with what they print as text."""
    for part in path.read_text("utf-8").split("==== ")[1:]:
        head, _, output = part.partition("\n")
        form, _, line = head.partition(" ")
        if form == "text" and line != "reach":
            yield shlex.join(shlex.split(line)), output


def by_command(answers: Mapping[str, str]) -> dict[str, str]:
    """The first answer of each command, whatever its options and device; those without a record are left out."""
    found: dict[str, str] = {}
    for line, text in answers.items():
        words = _DEVICE.sub("DEVICE", command_of(line).words)
        if words not in found and records(text):
            found[words] = text
    return found
