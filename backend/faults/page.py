"""The pages of measured faults: one row per fault, with the command that ran it, so that a page can be filled fault by fault."""

import os
import platform
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from faults.report import Line

_MOST_SENTENCES = 20
_ROW = re.compile(r"^\| ([A-Za-z]+\d*[a-z]*) \|")
_SENTENCE = re.compile(r"^- ([A-Za-z]+\d*[a-z]*): ")
_HEADS = {
    "agents": (
        "# Faults of agents and check-ins",
        f"{os.cpu_count()} shared cores. One server process and PostgreSQL with durability on; the rate limit is opened wide, so that",
        "every request reaches the work behind it. After each fault the checks of `plumbline doctor` ran.",
    ),
    "jobs": (
        "# Faults of jobs",
        f"{os.cpu_count()} shared cores. Celery workers on Valkey, PostgreSQL with durability on, lab Windows hosts over WS-Management;",
        "proved against the lab, whose own journals decide. After each fault the checks of `plumbline doctor` ran.",
    ),
    "machines": (
        "# Faults of machines",
        f"{os.cpu_count()} shared cores for all machines, each a network namespace laid out and set as",
        "[larger-installation.md](../operating/larger-installation.md) says; lab hosts over SSH and WS-Management, whose journals decide.",
    ),
    "installation": (
        "# Faults of an installation on one machine",
        f"{os.cpu_count()} shared cores. A whole `plumbline up`, agents that check in all the time and keep their receipts, and lab",
        "hosts whose own journals decide. After each fault the checks of `plumbline doctor` ran.",
    ),
    "security": (
        "# Attacks and mistakes",
        f"{os.cpu_count()} shared cores. PostgreSQL with durability on, lab hosts over SSH and WS-Management whose own counters and",
        "journals decide. After each fault the checks of `plumbline doctor` ran.",
    ),
}
_COLUMNS = "| fault | done | seen | command, day, load of the machine before and after | took | held |"


def page_of(lines: Sequence[Line], command: str, *, part: str = "agents") -> str:
    """The page of one run."""
    title, first, second = _HEADS[part]
    page = [
        title,
        "",
        f"Command: `{command}` from `backend/`, {datetime.now(UTC):%Y-%m-%d}, Python {platform.python_version()},",
        first,
        second,
        "",
        "| fault | done | seen | took | held |",
        "|---|---|---|---|---|",
        *(f"| {line.name} | {line.what} | {line.seen} | {_took(line)} | {_held(line)} |" for line in lines),
        "",
        *(f"- {line.name}: {wrong}" for line in lines for wrong in line.wrong[:_MOST_SENTENCES]),
    ]
    return "\n".join(page).rstrip() + "\n"


class Page:
    """The page of a part, one row per fault: a new run replaces the row, and faults that did not run keep theirs."""

    def __init__(self, file: Path, part: str, order: Sequence[str]) -> None:
        self.file, self.part, self.order = file, part, order

    def put(self, line: Line, command: str) -> None:
        """Writes one row, and a sentence for each broken promise."""
        rows, sentences = self._read()
        load = " to ".join(f"{figure:.0f}" for figure in (line.load_before, os.getloadavg()[0]))
        ran = f"`{command}`, {datetime.now(UTC):%Y-%m-%d}, load {load}"
        cells = (line.name, line.what, line.seen, ran, _took(line), _held(line))
        rows[line.name] = "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"
        sentences = [sentence for sentence in sentences if _SENTENCE.match(sentence)[1] != line.name]  # type: ignore[index]
        sentences += [f"- {line.name}: {wrong}".replace("\n", " ") for wrong in line.wrong[:_MOST_SENTENCES]]
        listed = [name for name in self.order if name in rows]
        title, first, second = _HEADS[self.part]
        command = f"python -m faults {self.part} --write"
        by = f"Written by `{command}` from `backend/`, each row by its own command, Python {platform.python_version()},"
        head = [title, "", by, first, second]
        table = [_COLUMNS, "|---|---|---|---|---|---|", *(rows[name] for name in listed)]
        missing = [name for name in self.order if name not in rows]
        foot = [f"Not measured yet: {', '.join(missing)}.", ""] if missing else []
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.file.write_text("\n".join([*head, "", *table, "", *foot, *sentences]).rstrip() + "\n")

    def _read(self) -> tuple[dict[str, str], list[str]]:
        if not self.file.exists():
            return {}, []
        lines = self.file.read_text().splitlines()
        rows = {match[1]: line for line in lines if (match := _ROW.match(line)) and match[1] in self.order}
        return rows, [line for line in lines if _SENTENCE.match(line)]


def _took(line: Line) -> str:
    return f"{line.took_seconds:.0f} s"


def _held(line: Line) -> str:
    return "**no**" if line.wrong else "yes"
