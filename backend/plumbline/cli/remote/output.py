"""What commands print: tables for people, JSON for programs. Text of hosts never moves the cursor or changes colours."""

import json
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from plumbline.infra.errors import BadInput


def plain(value: Any) -> str:
    """A value in one line, without control characters."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ", ".join(plain(each) for each in value)
    return "".join(char if unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Zl", "Zp") else " " for char in str(value))


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 0 if unicodedata.combining(char) else 1 for char in text)


def print_table(heads: Sequence[str], rows: Iterable[Sequence[Any]], *, empty: str) -> None:
    """Rows under their heads, aligned; numbers to the right. The last column is as long as its text."""
    texts = [[plain(cell) for cell in row] for row in rows]
    values = [list(row) for row in rows] if isinstance(rows, list) else []
    if not texts:
        print(empty)
        return
    numbers = [bool(values) and all(isinstance(row[at], int | float | None) for row in values) for at in range(len(heads))]
    widths = [max(_width(line[at]) for line in [list(heads), *texts]) for at in range(len(heads))]
    for line in [list(heads), *texts]:
        cells = []
        for at, cell in enumerate(line):
            space = " " * (widths[at] - _width(cell))
            cells.append(space + cell if numbers[at] else cell + space)
        print("  ".join(cells).rstrip())


def print_json(value: Any) -> None:
    """JSON, as the API has it."""
    print(json.dumps(value, indent=1, ensure_ascii=False))


def print_fields(fields: Mapping[str, Any]) -> None:
    """One thing, field by field."""
    width = max(len(name) for name in fields)
    for name, value in fields.items():
        print(f"{name.ljust(width)}  {plain(value)}")


def write_file(path: Path, content: bytes) -> None:
    """Writes a file. Raises `BadInput`."""
    try:
        path.write_bytes(content)
    except OSError as error:
        raise BadInput(f"{path} cannot be written: {error.strerror}") from None
