"""From the host's text to values of the catalogue. Each function returns None for a text that it does not know."""

import re

_TRUE = {"true", "yes", "on", "enabled", "1", "up", "compliant"}
_FALSE = {"false", "no", "off", "disabled", "0", "down"}


def as_bool(text: str | None) -> bool | None:
    """true, yes, on, enabled, up (and their opposites) in any case."""
    word = (text or "").strip().lower()
    return True if word in _TRUE else False if word in _FALSE else None


def as_int(text: str | None) -> int | None:
    """The whole number that a text is or begins with; `na`, `N/A` and prose are none."""
    match = re.match(r"^\s*(-?\d{1,19})\b", text or "")
    value = int(match.group(1)) if match else None
    return value if value is not None and -(2**63) <= value < 2**63 else None


def as_on_off(text: str | None) -> str | None:
    """The catalogue's enabled or disabled."""
    value = as_bool(text)
    return None if value is None else "enabled" if value else "disabled"


def as_list(text: str | None) -> tuple[str, ...]:
    """A comma list without its empty items."""
    return tuple(part.strip() for part in (text or "").split(",") if part.strip())


def is_nothing(text: str | None) -> bool:
    """Empty, N/A and their kin."""
    return (text or "").strip().lower() in ("", "n/a", "na", "none", "unknown", "-", "not supported", "unsupported")


def pause(receive: bool, transmit: bool) -> str:
    """Two pause flags as one word of the catalogue."""
    return "rx_tx" if receive and transmit else "rx" if receive else "tx" if transmit else "off"


def pci_location(text: str | None) -> str:
    """`0000:001:00.0`, `0000:01:00:0`, `000:001:00.0` and `0000:01:00.00` as `0000:01:00.0`; empty where it is none (`Pseudo`)."""
    match = re.match(r"^\s*([0-9a-f]{1,4}):([0-9a-f]{1,3}):([0-9a-f]{1,2})[.:]0?([0-9a-f])\s*$", text or "", re.I)
    if match is None:
        return ""
    segment, bus, device, function = (int(part, 16) for part in match.groups())
    return f"{segment:04x}:{bus:02x}:{device:02x}.{function:x}"


def natural(name: str) -> list[tuple[int, int, str]]:
    """Sort key that puts vmnic2 before vmnic10."""
    return [(1, int(part), "") if part.isdigit() and part.isascii() else (0, 0, part) for part in re.split(r"(\d+)", name)]
