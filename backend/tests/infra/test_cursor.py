"""Cursors of lists: what is encoded comes back; anything else that a client sends is refused as bad input."""

import base64
import json
from datetime import UTC, datetime
from typing import Any

import pytest

from plumbline.infra import cursor
from plumbline.infra.errors import BadInput


@pytest.mark.parametrize(
    ("values", "types"),
    [
        (["name", "sql-01", "0a" * 16], (str, str, str)),
        ([datetime(2026, 11, 23, 4, 5, 6, 789, tzinfo=UTC), 7], (datetime, int)),
        ([None, "b"], (int | None, str)),
        ([None], (datetime | None,)),
        ([1, 2.5], (float, float)),
    ],
)
def test_what_is_encoded_comes_back(values: list[Any], types: tuple[Any, ...]) -> None:
    written = cursor.encode(values)
    assert cursor.decode(written, types) == values
    assert "=" not in written
    # Padding, which proxies and people add, does no harm.
    assert cursor.decode(written + "=" * (-len(written) % 4), types) == values


def written(value: Any) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode()


@pytest.mark.parametrize(
    "sent",
    [
        "", "x", "%%%", "é", written({}), written([]), written([1]), written(["a", 1, 2]), written([1, "a"]), written(["a", "1"]),
        written(["a\0", 1]), written(["a", True]), written(["a", 2**62]), written(["a", None]), written([["a"], 1]), written(["a", 1.5]),
    ],
)  # fmt: skip
def test_anything_else_is_refused(sent: str) -> None:
    with pytest.raises(BadInput, match="Invalid page cursor"):
        cursor.decode(sent, (str, int))


@pytest.mark.parametrize("sent", [["2026-11-23T04:05:06", 1], ["yesterday", 1], [7, 1]])
def test_a_time_needs_its_zone(sent: list[Any]) -> None:
    with pytest.raises(BadInput):
        cursor.decode(written(sent), (datetime, int))


def test_a_number_that_is_none_is_refused() -> None:
    for text in ("[NaN]", "[Infinity]", "[1e300]"):
        with pytest.raises(BadInput):
            cursor.decode(base64.urlsafe_b64encode(text.encode()).decode(), (float,))
