"""Rows that were exported rather than printed: JSON as `ConvertTo-Json` writes it, CSV as `Export-Csv` does."""

import csv
import io
import json
from typing import Any

from plumbline.core.facts.captures.windows_text.names import named
from plumbline.core.facts.captures.windows_text.values import Row, value_of


def read_json(text: str) -> list[Row] | None:
    """The objects of a JSON text; None where it is none. PowerShell 5.1 wraps a list now and then as `{"value": [...], "Count": n}`."""
    stripped = text.strip()
    if stripped[:1] not in ("{", "["):
        return None
    try:
        decoded: Any = json.loads(stripped)
    except (ValueError, RecursionError):
        return None
    if isinstance(decoded, dict) and isinstance(decoded.get("value"), list) and set(decoded) <= {"value", "Count"}:
        decoded = decoded["value"]
    listed = decoded if isinstance(decoded, list) else [decoded]
    return [row for row in listed if isinstance(row, dict)]


def read_csv(lines: list[str]) -> list[Row] | None:
    """The rows of a CSV text with quoted headings; None where it is none."""
    kept = [line for line in lines if line.strip() and not line.startswith("#TYPE")]
    if len(kept) < 2 or not kept[0].startswith('"'):
        return None
    delimiter = next((sign for sign in (";", "\t", ",") if f'"{sign}"' in kept[0]), ",")
    try:
        table = list(csv.reader(io.StringIO("\n".join(kept)), delimiter=delimiter))
    except csv.Error:
        return None
    heading = table[0]
    return [named((name, value_of(cell)) for name, cell in zip(heading, row, strict=True)) for row in table[1:] if len(row) == len(heading)]
