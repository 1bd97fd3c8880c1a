"""The cursor of a list: the sort values of a page's last row, as one opaque text that the client sends back for the next page."""

import base64
import json
from collections.abc import Sequence
from datetime import datetime
from types import UnionType
from typing import Any

from plumbline.infra.errors import BadInput

# No sort value exceeds these, and the database would refuse a larger number.
_MOST_INTEGER = 2**62
_MOST_FLOAT = 1e15


def encode(values: Sequence[str | int | float | datetime | None]) -> str:
    """The cursor for these values."""
    plain = [value.isoformat() if isinstance(value, datetime) else value for value in values]
    return base64.urlsafe_b64encode(json.dumps(plain).encode()).decode().rstrip("=")


def decode(cursor: str, types: Sequence[type | UnionType]) -> list[Any]:
    """The values of a cursor, one for each type: `str`, `int`, `float`, `datetime`, or one of them `| None`.

    Raises `BadInput` where it is not a cursor of such values: it is part of an address, which anybody can write.
    """
    try:
        values = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
        if not isinstance(values, list) or len(values) != len(types):
            raise ValueError
        return [_value(value, kind) for value, kind in zip(values, types, strict=True)]
    except (ValueError, TypeError) as error:
        raise invalid_cursor() from error


def invalid_cursor() -> BadInput:
    """The error for a cursor that this list cannot have returned."""
    return BadInput("Invalid page cursor. Start from the first page.")


def _value(value: Any, kind: type | UnionType) -> Any:
    if isinstance(value, str) and kind in (datetime, datetime | None):
        moment = datetime.fromisoformat(value)
        if moment.tzinfo is None:
            raise ValueError
        return moment
    if isinstance(value, int) and kind is float:
        value = float(value)
    is_valid = isinstance(value, kind) and not isinstance(value, bool)
    if isinstance(value, int):
        is_valid = is_valid and abs(value) < _MOST_INTEGER
    elif isinstance(value, float):
        is_valid = is_valid and abs(value) < _MOST_FLOAT
    elif isinstance(value, str):
        is_valid = is_valid and "\0" not in value
    if not is_valid:
        raise ValueError
    return value
