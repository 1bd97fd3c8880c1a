"""Versions compared by their parts, as numbers: 1.10 comes after 1.9, and 1.2 is 1.2.0."""

import re

_BEGINS = re.compile(r"\d{1,9}(?:\.\d{1,9})*")


def is_at_least(seen: object, wanted: str) -> bool | None:
    """Whether a version read is the wanted one or a later one. Empty, so nothing is installed: no. None where it begins with no number.

    What follows the leading numbers ("-365964", "iov") names a build and is not compared.
    """
    if not isinstance(seen, str):
        return None
    if not seen:
        return False
    own, other = _parts(seen), _parts(wanted)
    return None if own is None or other is None else own >= other


def _parts(version: str) -> tuple[int, ...] | None:
    found = _BEGINS.match(version)
    if found is None:
        return None
    parts = [int(part) for part in found[0].split(".")]
    while parts and not parts[-1]:
        parts.pop()
    return tuple(parts)
