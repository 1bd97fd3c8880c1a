"""Columns of rows as PostgreSQL reads arrays.

The driver looks at every element of a list to choose its type and its escape, which at the door costs as much as deciding what to write.
The statements over arrays say the type of each column themselves (`%s::text[]`), so a column can travel as the text of an array; and a
statement is then one and the same to the server, whatever its rows hold.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime


def columns(rows: Sequence[tuple[object, ...]]) -> list[str]:
    """Rows, turned by column; each column holds one type and None."""
    return [array(column) for column in zip(*rows, strict=True)]


def array(values: Iterable[object]) -> str:
    """One column of int, float, bool, text, bytes or datetime with time zone, or None. Raises `TypeError` for anything else."""
    values = list(values)
    first = next((value for value in values if value is not None), None)
    if first is None:
        return "{" + ",".join(["NULL"] * len(values)) + "}"
    write = _WRITE.get(type(first))
    if write is None:
        raise TypeError(f"no column of {type(first).__name__}")
    if None in values:
        return "{" + ",".join(["NULL" if value is None else write(value) for value in values]) + "}"
    return "{" + ",".join(map(write, values)) + "}"


def _text(value: str) -> str:
    # Quoted always, so that neither an empty text nor the word NULL is taken for something else.
    if "\\" in value:
        value = value.replace("\\", "\\\\")
    if '"' in value:
        value = value.replace('"', '\\"')
    return f'"{value}"'


def _bytes(value: bytes) -> str:
    return f'"\\\\x{value.hex()}"'


def _datetime(value: datetime) -> str:
    return f'"{value.isoformat()}"'


_WRITE: dict[type, Callable[..., str]] = {
    int: str, float: str, bool: str, str: _text, bytes: _bytes, datetime: _datetime,
}  # fmt: skip
