"""A printed cell or value as what it means, and marked as cut off where it was not printed whole."""

import re
from typing import Any

Row = dict[str, Any]

_CUT = ("...", "\u2026")
# Of names that differ in their number only, the view keeps the number: `Intel(R) Ethernet Conne...#2`, `Embedded LOM ...1`.
_CUT_OFF = re.compile(r"(?:\.\.\.|\u2026)(?:\s*#?\d+)?$")
# What Export-Csv and the like print in place of a list.
_TYPES = ("System.String[]", "System.Object[]", "System.UInt16[]", "System.UInt32[]")


def value_of(text: str) -> Any:
    """Text; a list of texts from `{a, b}`; None where nothing is printed; `{"cut": ...}` where only a part of it is."""
    text = text.strip()
    if not text:
        return None
    if text in _TYPES:
        return {"cut": text}
    if text.startswith("{") and text.endswith("}") and text.count("{") == 1:
        return _list(text)
    return {"cut": text} if _CUT_OFF.search(text) else text


def _list(text: str) -> Any:
    inner = text[1:-1].strip()
    parts = [part.strip() for part in inner.split(", ")] if inner else []
    if parts and parts[-1].endswith(_CUT):
        # The console shows four items of a list and then an ellipsis ($FormatEnumerationLimit): those shown are whole, the list is not.
        last = parts[-1].removesuffix(_CUT[0]).removesuffix(_CUT[1]).rstrip(", ")
        return {"cut": text, "shown": [*parts[:-1], *([last] if last else [])]}
    return parts
