"""Cells of an exported table: text that no spreadsheet takes for a formula, times in UTC, lists in one cell."""

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime

# A spreadsheet takes a cell that begins with one of these for a formula (OWASP CSV injection; ASVS 5.0, 1.2.10).
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\0", "＝", "＋", "－", "＠")
# Characters that change the direction of text are written as escapes.
_BIDI = {code: f"\\u{code:04x}" for code in (*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F, 0x061C)}


def guarded(cell: object) -> str:
    """A cell that no spreadsheet takes for a formula: text that could be one gets a quote in front. Numbers stay numbers."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, int | float):
        return str(cell)
    if isinstance(cell, datetime):
        return cell.astimezone(UTC).isoformat().replace("+00:00", "Z")
    shown = str(cell).translate(_BIDI)
    is_formula = shown.startswith(_FORMULA) or shown.lstrip().startswith(_FORMULA)
    return "'" + shown.replace("\0", "") if is_formula else shown


def joined(cell: object) -> object:
    """A list as the text "a; b", a mapping as JSON; anything else unchanged."""
    if isinstance(cell, Mapping):
        return json.dumps(cell, ensure_ascii=False, sort_keys=True, default=str)
    return "; ".join(guarded(item) for item in cell) if isinstance(cell, list | tuple) else cell


def csv_bytes(rows: Iterable[Sequence[object]]) -> bytes:
    """Comma-separated values (RFC 4180) in UTF-8 with a byte order mark, by which spreadsheets recognise the encoding.

    Every cell is quoted, since spreadsheets of some countries separate by semicolons and would split a name that contains one.
    """
    out = io.StringIO()
    writer = csv.writer(out, quoting=csv.QUOTE_ALL)
    for row in rows:
        writer.writerow([guarded(joined(cell)) for cell in row])
    return out.getvalue().encode("utf-8-sig", "replace")
