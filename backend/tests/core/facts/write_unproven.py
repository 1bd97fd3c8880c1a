"""Writes `plumbline/core/facts/unproven.py` from the real outputs beside the repository: `python -m tests.core.facts.write_unproven`."""

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from plumbline.core.facts.assemble import assemble
from plumbline.core.facts.captures.folder import Captured, read_files
from plumbline.core.facts.configuration import Platform, Value
from plumbline.core.facts.esxi import sources as esxi
from plumbline.core.facts.proven import words_of
from plumbline.core.facts.windows import sources as windows

REPOSITORY = Path(__file__).resolve().parents[4]
CAPTURES = tuple(REPOSITORY.parent / "shared" / name for name in ("captures", "captures-2"))
FILE = REPOSITORY / "backend" / "plumbline" / "core" / "facts" / "unproven.py"
_HEAD = '''"""Settings and the commands that they are read by of which no real output was ever read right. Written, not edited:
`python -m tests.core.facts.write_unproven`, with real outputs beside the repository.
"""

# platform -> command -> settings
UNPROVEN: dict[str, dict[str, tuple[str, ...]]] = {
'''

Read = tuple[Platform, str, str]  # platform, `kind.key`, command without options


def captured_hosts() -> Iterator[Captured]:
    """Each real output alone, and those of one host together."""
    hosts: dict[str, dict[str, bytes]] = defaultdict(dict)
    for folder in CAPTURES:
        for path in sorted(folder.glob("*__*__*.txt")) if folder.is_dir() else ():
            yield from read_files({path.name: path.read_bytes()}).captured
            hosts[path.stem.rpartition("__")[2]][path.name] = path.read_bytes()
    for files in hosts.values():
        if len(files) > 1:
            yield from read_files(files).captured


def values_of(captured: Captured) -> set[Read]:
    """Every setting that has a value, with the command that is cited for it."""
    configuration = assemble(captured.platform, captured.sections).configuration
    return {
        (captured.platform, f"{subject.kind}.{key}", words_of(captured.platform, reading.source.command))
        for subject, key, reading in configuration
        if isinstance(reading, Value)
    }


def catalogued() -> set[Read]:
    """Every setting with each command that the catalogue names for it."""
    return {
        (source.platform, key, words_of(source.platform, source.command))
        for sources in (windows.SOURCES, esxi.SOURCES)
        for key, listed in sources.items()
        for source in listed
    }


def text() -> str:
    """What the file should hold."""
    seen: set[Read] = set()
    for captured in captured_hosts():
        seen |= values_of(captured)
    unproven: dict[str, dict[str, list[str]]] = {"windows": defaultdict(list), "esxi": defaultdict(list)}
    for platform, key, command in sorted(catalogued() - seen):
        unproven[platform][command].append(key)
    lines = [_HEAD]
    for platform, commands in unproven.items():
        lines.append(f'    "{platform}": {{\n')
        for command, keys in sorted(commands.items()):
            lines.append(f'        "{command}": (\n')
            lines.extend(f'            "{key}",\n' for key in keys)
            lines.append("        ),\n")
        lines.append("    },\n")
    return "".join([*lines, "}\n"])


if __name__ == "__main__":
    FILE.write_text(text())
