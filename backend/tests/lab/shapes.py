"""Compares the shape of two outputs: which fields their records have, in which order, and what kind of value each holds.

Used to hold the answers of the lab and of the stand-in commands against outputs of real hosts. An output is given as its records: one
mapping of field to value for each row, block or object. Values may be text (of a console) or typed (of a JSON document).
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Records = Sequence[Mapping[str, Any]]

# Values without a kind: an empty cell, and the words that replace a value.
_NOTHING = {"", "n/a", "na", "none", "unknown", "?", "-"}


def kind_of(value: object) -> str:
    """flag, figure, list, object or text; `nothing` where the value does not show its kind."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "flag"
    if isinstance(value, int | float):
        return "figure"
    if isinstance(value, Mapping):
        return "object"
    if isinstance(value, list | tuple):
        return "list" if value else "nothing"
    text = str(value).strip()
    if text.lower() in _NOTHING:
        return "nothing"
    if text.lower() in ("true", "false"):
        return "flag"
    if re.fullmatch(r"-?\d+(\.\d+)?", text):
        return "figure"
    return "text"


def shape_of(records: Records) -> dict[str, set[str]]:
    """Field -> the kinds of value that its records hold, fields in the order in which they are first met."""
    found: dict[str, set[str]] = {}
    for record in records:
        for field, value in record.items():
            kind = kind_of(value)
            found.setdefault(field, set()).update(() if kind == "nothing" else (kind,))
    return found


def differing(ours: Records, real: Records, *, known: Iterable[str] = ()) -> list[str]:
    """What differs, one sentence for each field: it is missing, it is not there in the real output, its kind or its place is another.

    A field whose values show no kind on one side fits any. `known`: fields that may differ, for a reason that the caller gives.
    """
    mine, theirs, left_out = shape_of(ours), shape_of(real), set(known)
    found = [f"{field}: missing" for field in theirs if field not in mine and field not in left_out]
    found += [f"{field}: not in the real output" for field in mine if field not in theirs and field not in left_out]
    shared = [field for field in mine if field in theirs and field not in left_out]
    for field in shared:
        if mine[field] and theirs[field] and not mine[field] & theirs[field]:
            found.append(f"{field}: {_either(mine[field])}, really {_either(theirs[field])}")
    real_order = [field for field in theirs if field in shared]
    if shared != real_order:
        at = next(number for number, (one, other) in enumerate(zip(shared, real_order, strict=True)) if one != other)
        found.append(f"{shared[at]}: stands where {real_order[at]} really does")
    return found


def closest(ours: Records, real: Mapping[str, Records], *, known: Iterable[str] = ()) -> tuple[str, list[str]]:
    """Of several real outputs the one that differs least, by name, and what differs; none: an empty name."""
    each = [(name, differing(ours, records, known=known)) for name, records in sorted(real.items())]
    return min(each, key=lambda one: len(one[1]), default=("", []))


def _either(kinds: set[str]) -> str:
    return " or ".join(sorted(kinds))
