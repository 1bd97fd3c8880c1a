"""Columns arrive in PostgreSQL unchanged, whatever they contain."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlmodel import Session

from plumbline.evaluation.reevaluate import raw_connection
from plumbline.infra.columns import array, columns

ODD = ["", "NULL", "None", 'a "quoted" one', "back\\slash", '\\"', "{}", "a,b", '","', " ", "ü\n\t", "plain"]


def test_every_type_comes_back(session: Session) -> None:
    at = datetime(2026, 11, 22, 10, 0, 0, 123456, tzinfo=timezone(timedelta(hours=2)))
    rows = [(text, number, -number / 3, number % 2 == 0, bytes([number, 0, 255]), at) for number, text in enumerate(ODD)]
    rows.insert(3, (None, None, None, None, None, None))  # type: ignore[arg-type]
    asked = "SELECT * FROM unnest(%s::text[], %s::bigint[], %s::float8[], %s::bool[], %s::bytea[], %s::timestamptz[])"
    found = raw_connection(session).execute(asked, columns(rows)).fetchall()
    assert [(*row[:4], None if row[4] is None else bytes(row[4]), row[5]) for row in found] == rows


@given(st.lists(st.none() | st.text(st.characters(codec="utf-8", exclude_characters="\0")), max_size=5))
def test_text_is_parted_again(values: list[str | None]) -> None:
    assert _parted(array(values)) == values


def test_nothing_else_has_a_column() -> None:
    assert array([]) == "{}"
    assert array([None, None]) == "{NULL,NULL}"
    assert array([datetime(2026, 1, 1, tzinfo=UTC)]) == '{"2026-01-01T00:00:00+00:00"}'
    with pytest.raises(TypeError, match="no column of list"):
        array([None, []])


def _parted(text: str) -> list[str | None]:
    """The elements of an array of text, as PostgreSQL's manual describes them."""
    found: list[str | None] = []
    at = 1
    while text[at] != "}":
        at += text[at] == ","
        if text[at] != '"':
            assert text.startswith("NULL", at)
            found.append(None)
            at += 4
            continue
        at += 1
        read = ""
        while text[at] != '"':
            at += text[at] == "\\"
            read += text[at]
            at += 1
        found.append(read)
        at += 1
    assert at == len(text) - 1
    return found
