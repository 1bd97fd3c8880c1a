"""Column tables: rows of one `NamedTuple`, sent to PostgreSQL as one array for each column.

A row class names the type of each column (`host_id: Text`), and `ColumnTable` derives from it every list of names that a statement over
arrays needs, so that a column is declared once. A column is sent as the text of an array, because the driver would inspect every element of
a list to choose its type and escape. The statement is the same for the server, however many rows it gets.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from functools import partial
from typing import Annotated, Any, get_type_hints

# The types of columns. A column that may be NULL is written `Annotated[int | None, "int"]`.
Text = Annotated[str, "text"]
SmallInt = Annotated[int, "smallint"]
Int = Annotated[int, "int"]
BigInt = Annotated[int, "bigint"]
Float = Annotated[float, "float8"]
Bool = Annotated[bool, "bool"]
Bytes = Annotated[bytes, "bytea"]
Time = Annotated[datetime, "timestamptz"]
TextOrNull = Annotated[str | None, "text"]
SmallIntOrNull = Annotated[int | None, "smallint"]
IntOrNull = Annotated[int | None, "int"]
BigIntOrNull = Annotated[int | None, "bigint"]
FloatOrNull = Annotated[float | None, "float8"]
BoolOrNull = Annotated[bool | None, "bool"]
BytesOrNull = Annotated[bytes | None, "bytea"]
TimeOrNull = Annotated[datetime | None, "timestamptz"]
# These are sent as text and cast: JSON, and arrays as `array` writes them.
Json = Annotated[str, "jsonb"]
JsonOrNull = Annotated[str | None, "jsonb"]
Texts = Annotated[str, "text[]"]
TextsOrNull = Annotated[str | None, "text[]"]
SmallInts = Annotated[str, "smallint[]"]
SmallIntsOrNull = Annotated[str | None, "smallint[]"]
Floats = Annotated[str, "float8[]"]
FloatsOrNull = Annotated[str | None, "float8[]"]


class ColumnTable:
    """The columns of one row class, as the parts of a statement that takes its rows as arrays."""

    def __init__(self, row: type, alias: str = "v") -> None:
        """`alias` names the rows in the statement."""
        hints = get_type_hints(row, include_extras=True)
        self._types: dict[str, str] = {name: hint.__metadata__[0] for name, hint in hints.items()}
        self.alias = alias
        self.names = ", ".join(self._types)
        sent = ", ".join(f"%s::{_sent_as(kind)}[]" for kind in self._types.values())
        # The rows as a table of the statement.
        self.rows = f"unnest({sent}) AS {alias} ({self.names})"

    def value(self, name: str) -> str:
        """One column of the rows, with its type."""
        kind = self._types[name]
        return f"{self.alias}.{name}" if _sent_as(kind) == kind else f"{self.alias}.{name}::{kind}"

    @property
    def values(self) -> str:
        """All columns of the rows, with their types."""
        return ", ".join(map(self.value, self._types))

    @property
    def inserted(self) -> str:
        """All rows, as they follow INSERT INTO and the table. The statement itself names its table, so that its writers can be found."""
        return f"({self.names}) SELECT {self.values} FROM {self.rows}"  # noqa: S608 (names of the program)

    def excluded(self, *key: str) -> str:
        """What DO UPDATE sets: every column but these."""
        return ", ".join(f"{name} = excluded.{name}" for name in self._types if name not in key)

    def assigned(self, *but: str) -> str:
        """What UPDATE sets from the rows: every column but these."""
        return ", ".join(f"{name} = {self.value(name)}" for name in self._types if name not in but)

    def arrays(self, rows: Sequence[tuple[Any, ...]]) -> list[str]:
        """The rows as parameters of the statement."""
        return columns(rows) if rows else ["{}"] * len(self._types)


def _sent_as(kind: str) -> str:
    return "text" if kind == "jsonb" or kind.endswith("[]") else kind


def columns(rows: Sequence[tuple[object, ...]]) -> list[str]:
    """Rows as columns; each column has values of one type, and None."""
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
    # No number or boolean is written with the word None in it.
    return ",".join(map(str, values)).replace("None", "NULL")


def _texts(values: Sequence[Any]) -> str:
    # Always quoted, so that an empty text and the text "NULL" stay what they are.
    try:
        joined = '","'.join(values)
    except TypeError:
        return _each(_text, values)
    # In most columns nothing needs an escape, which one check of the joined text shows.
    if "\\" not in joined and joined.count('"') == 2 * len(values) - 2:
        return f'"{joined}"'
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
