"""Columns of rows as PostgreSQL reads arrays.

The driver looks at every element of a list to choose its type and its escape, which at the door costs as much as deciding what to write.
The statements over arrays say the type of each column themselves (`%s::text[]`), so a column can travel as the text of an array; and a
statement is then one and the same to the server, whatever its rows hold.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from functools import partial
from typing import Any


def columns(rows: Sequence[tuple[object, ...]]) -> list[str]:
    """Rows, turned by column; each column holds one type and None."""
    return [array(column) for column in zip(*rows, strict=True)]


def array(values: Sequence[object]) -> str:
    """One column of int, float, bool, text, bytes or datetime with time zone, or None. Raises `TypeError` for anything else."""
    for value in values:
        if value is not None:
            break
    else:
        return "{" + ",".join(["NULL"] * len(values)) + "}"
    write = _WRITE.get(value.__class__)
    if write is None:
        raise TypeError(f"no column of {type(value).__name__}")
    return "{" + write(values) + "}"


def _plain(values: Sequence[object]) -> str:
    # No number and no truth value is written with the word.
    return ",".join(map(str, values)).replace("None", "NULL")


def _texts(values: Sequence[Any]) -> str:
    # Quoted always, so that neither an empty text nor the word NULL is taken for something else.
    try:
        whole = '","'.join(values)
    except TypeError:
        return _each(_text, values)
    # Nearly always nothing needs an escape, and one look at the whole says so.
    if "\\" not in whole and whole.count('"') == 2 * len(values) - 2:
        return f'"{whole}"'
    return ",".join(map(_text, values))


def _text(value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _bytes(value: bytes) -> str:
    return f'"\\\\x{value.hex()}"'


def _datetime(value: datetime) -> str:
    return f'"{value.isoformat()}"'


def _each(write: Callable[[Any], str], values: Iterable[Any]) -> str:
    return ",".join(["NULL" if value is None else write(value) for value in values])


_WRITE: dict[type, Callable[[Sequence[Any]], str]] = {
    int: _plain,
    float: _plain,
    bool: _plain,
    str: _texts,
    bytes: partial(_each, _bytes),
    datetime: partial(_each, _datetime),
}
