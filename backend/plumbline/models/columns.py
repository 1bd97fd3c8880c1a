"""The columns of a table, typed: `HOST = columns_of(Host)`, then `HOST.name == "sql-01"` is a condition.

To a type checker `Host.name` is a text, since that is what a row holds. `columns_of(Host).name` is a column of texts, and a misspelt
name is an error: mypy reads the table's fields through `backend/mypy_columns.py`.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Generic, TypeVar, cast

from sqlalchemy import ColumnElement, Dialect, TextClause, TypeDecorator, any_, literal, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped
from sqlmodel import SQLModel

Table = TypeVar("Table", bound=SQLModel)


class ArrayOf(TypeDecorator[list[Any]]):
    """An array as psycopg reads it. SQLAlchemy's own type looks at each member of each array of a list once more."""

    impl = ARRAY
    cache_ok = True

    def result_processor(self, dialect: Dialect, coltype: object) -> None:
        """Nothing: psycopg has made a list of it."""


class Columns(Generic[Table]):
    """Every field of `Table`, as the column that it is stored in."""

    def __getattr__(self, name: str) -> Mapped[object]:
        raise NotImplementedError("for the type checker alone: at run time this is the table itself")


def columns_of(table: type[Table]) -> Columns[Table]:
    """The columns of `table`. A name that is no column raises `AttributeError`."""
    return cast(Columns[Table], table)


def is_one_of(column: Any, values: Iterable[Any]) -> ColumnElement[bool]:
    """A condition: the column has one of these values.

    For values of which there may be many or few. `IN` has a parameter for each, so that every number of them makes a statement of its own,
    which psycopg takes apart and PostgreSQL plans anew.
    """
    found: ColumnElement[bool] = column == any_(literal(list(values), ARRAY(column.type)))
    return found


def by_place(columns: Sequence[Any]) -> list[TextClause]:
    """What a query is grouped by: its first columns, by their places, since their values are bound anew each time they are written."""
    return [text(str(at + 1)) for at in range(len(columns))]
