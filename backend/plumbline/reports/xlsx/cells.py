"""Cells of a spreadsheet: how each kind of value is written and shown."""

from datetime import UTC, date, datetime
from typing import Literal
from xml.sax.saxutils import escape

# What a column holds. `number` is whole or not, each shown as it is; `time` is text such as 2026-11-20T09:41:20Z, shown as a date and time in UTC; `share` is 0 to 1, shown in percent.
Kind = Literal["text", "integer", "decimal", "number", "share", "time", "yes_no"]

# The place of each kind's format in the list of formats of `parts.STYLES`.
STYLE: dict[Kind, int] = {"text": 1, "integer": 2, "decimal": 3, "number": 8, "share": 4, "time": 5, "yes_no": 1}
HEADING, TITLE, PLAIN = 6, 7, 0
# A cell holds no more characters than this.
_MOST_CHARACTERS = 32_767
# Days are counted from here, which makes the numbers from March 1900 on those of every spreadsheet.
_DAY_ZERO = datetime(1899, 12, 30, tzinfo=UTC)


def column_name(number: int) -> str:
    """The letters of a column, from 1: A, Z, AA."""
    letters = ""
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def clean(value: object) -> str:
    """Text as XML may hold it: control characters and halves of characters become the replacement character."""
    characters = "".join(char if _is_allowed(ord(char)) else "\ufffd" for char in str(value))
    return escape(characters[:_MOST_CHARACTERS], {'"': "&quot;"})


def _is_allowed(code: int) -> bool:
    return code in (9, 10, 13) or 0x20 <= code <= 0xD7FF or 0xE000 <= code <= 0xFFFD or code >= 0x10000


def serial_of(at: str | datetime | date) -> float:
    """An instant as the number of days, in UTC."""
    if isinstance(at, str):
        at = datetime.fromisoformat(at)
    if not isinstance(at, datetime):
        at = datetime(at.year, at.month, at.day, tzinfo=UTC)
    at = at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
    return round((at - _DAY_ZERO).total_seconds() / 86400, 9)


def cell(place: str, value: object, kind: Kind = "text", style: int | None = None) -> str:
    """One cell. Text is stored as text whatever it begins with, so nothing of it is ever taken for a formula."""
    if kind == "number" and isinstance(value, int):
        kind = "integer"
    chosen = STYLE[kind] if style is None else style
    if value is None or value == "":
        return f'<c r="{place}" s="{chosen}"/>'
    if kind == "yes_no":
        value = "yes" if value else "no"
    elif kind == "time":
        return f'<c r="{place}" s="{chosen}"><v>{serial_of(str(value))}</v></c>'
    elif kind != "text" and isinstance(value, int | float):
        return f'<c r="{place}" s="{chosen}"><v>{value}</v></c>'
    return f'<c r="{place}" s="{chosen}" t="inlineStr"><is><t xml:space="preserve">{clean(value)}</t></is></c>'
