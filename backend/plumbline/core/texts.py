"""Small texts that many parts write."""

from decimal import Decimal

# Below this, a figure has two digits that say something, however small it is.
_SMALL = 0.1


def counted(number: int, one: str) -> str:
    """`1 host`, `2 hosts`."""
    return f"{number} {one}{'' if number == 1 else 's'}"


def ago(seconds: float) -> str:
    """How long ago something was, as the screens write it: "14 s ago", "6 min ago", "3 h ago"."""
    if seconds < 120:
        return f"{max(seconds, 0):.0f} s ago"
    return f"{seconds / 60:.0f} min ago" if seconds < 120 * 60 else f"{seconds / 3600:.0f} h ago"


def figure(value: float | None, unit: str) -> str:
    """A measured figure as the screens write it: "0.38%", "9.38/s", "2.01 GB/s"; small ones keep two figures."""
    if value is None:
        return "–"
    if unit == "B/s":
        for prefix in ("", "k", "M", "G", "T"):
            if abs(value) < 1000 or prefix == "T":
                return f"{_two_decimals(value)} {prefix}B/s"
            value /= 1000
    size = abs(value)
    digits = format(Decimal(f"{value:.2g}"), "f") if 0 < size < _SMALL else _two_decimals(value) if size < 100 else f"{value:,.0f}"
    return digits + (unit if unit == "%" else "/s" if unit == "1/s" else f" {unit}")


def _two_decimals(value: float) -> str:
    return f"{value:,.2f}".rstrip("0").rstrip(".")
