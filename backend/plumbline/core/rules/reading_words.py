"""Readings as text: how a value, a missing value or a stored change is shown."""

from typing import Any

from plumbline.core.facts.configuration import NotOffered, Reading, SettingValue, Unknown, Value
from plumbline.core.rules import words

NOTHING = "–"


def text_of(kind: str, key: str, reading: Reading) -> str:
    """A reading as text; an en dash where there is no value (its reason is shown next to it)."""
    return value_text(kind, key, reading.value) if isinstance(reading, Value) else NOTHING


def value_text(kind: str, key: str, value: SettingValue) -> str:
    """A value with its unit, as in findings."""
    full = f"{kind}.{key}"
    if isinstance(value, int) and not isinstance(value, bool):
        if full.endswith("size_bytes"):
            return size_text(value)
        if full.endswith("_bps"):
            return speed_text(value)
    return words.value(full, value)


def size_text(size_bytes: int) -> str:
    """Bytes in the unit that leaves the fewest digits."""
    amount, unit = float(size_bytes), "B"
    for unit in ("B", "KiB", "MiB", "GiB", "TiB", "PiB"):
        if amount < 1024 or unit == "PiB":
            break
        amount /= 1024
    return f"{amount:.4g} {unit}"


def speed_text(bits_per_second: int) -> str:
    """A link speed."""
    for factor, unit in ((10**9, "Gbit/s"), (10**6, "Mbit/s"), (10**3, "kbit/s")):
        if bits_per_second >= factor:
            return f"{bits_per_second / factor:g} {unit}"
    return f"{bits_per_second} bit/s"


def stored_text(kind: str, key: str, stored: Any) -> str:
    """One side of a stored change: {"value": …}, {"unknown": why}, {"not_offered": why}, or None for absent."""
    if not isinstance(stored, dict):
        return NOTHING
    if "value" in stored:
        value = stored["value"]
        return value_text(kind, key, tuple(value) if isinstance(value, list) else value)
    if "unknown" in stored:
        return f"unknown ({stored['unknown']})"
    return "not supported"


def reason_of(reading: Reading) -> str:
    """Why there is no value; empty where there is one."""
    if isinstance(reading, NotOffered) and reading.reason == words.NOT_OFFERED:
        return words.NOT_SUPPORTED
    return reading.reason if isinstance(reading, Unknown | NotOffered) else ""
