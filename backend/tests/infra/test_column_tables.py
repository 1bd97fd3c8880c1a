"""A row class declares its columns once, and its rows arrive in PostgreSQL unchanged."""

from typing import NamedTuple

from sqlmodel import Session

from plumbline.evaluation.reevaluate import raw_connection
from plumbline.infra.columns import Bytes, ColumnTable, IntOrNull, JsonOrNull, SmallInts, Text, Texts, array


class Row(NamedTuple):
    name: Text
    number: IntOrNull
    data: Bytes
    source: JsonOrNull
    words: Texts
    numbers: SmallInts


ROWS = ColumnTable(Row)


def test_rows_come_back(session: Session) -> None:
    rows = [Row('a "b", c', 1, b"\0\xff", '{"x": [1, "y"]}', array(["d", 'e,"f']), array([1, 2])), Row("", None, b"", None, "{}", "{}")]
    found = raw_connection(session).execute(f"SELECT {ROWS.values} FROM {ROWS.rows}", ROWS.arrays(rows)).fetchall()
    assert [(*row[:2], bytes(row[2]), *row[3:]) for row in found] == [
        ('a "b", c', 1, b"\0\xff", {"x": [1, "y"]}, ["d", 'e,"f'], [1, 2]),
        ("", None, b"", None, [], []),
    ]
    assert raw_connection(session).execute(f"SELECT count(*) FROM {ROWS.rows}", ROWS.arrays([])).fetchone() == (0,)


def test_each_column_is_stated_once() -> None:
    assert ROWS.inserted == (
        "(name, number, data, source, words, numbers) SELECT v.name, v.number, v.data, v.source::jsonb, v.words::text[],"
        " v.numbers::smallint[] FROM unnest(%s::text[], %s::int[], %s::bytea[], %s::text[], %s::text[], %s::text[])"
        " AS v (name, number, data, source, words, numbers)"
    )
    assert ROWS.excluded("name", "data", "source", "words") == "number = excluded.number, numbers = excluded.numbers"
    assert ROWS.assigned("name", "data", "source", "number") == "words = v.words::text[], numbers = v.numbers::smallint[]"
