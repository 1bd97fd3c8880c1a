"""Small texts that many parts write."""


def counted(number: int, one: str) -> str:
    """`1 host`, `2 hosts`."""
    return f"{number} {one}{'' if number == 1 else 's'}"


def figure(value: float | None, unit: str) -> str:
    """A measured figure as the screens write it: "0.38%", "9.38/s", "2.01 GB/s"; small ones keep two figures."""
    if value is None:
        return "–"
    if unit == "B/s":
        for prefix in ("", "k", "M", "G"):
            if abs(value) < 1000:
                return f"{value:.3g} {prefix}B/s"
            value /= 1000
        return f"{value:.3g} TB/s"
    size = abs(value)
    digits = f"{value:.2g}" if 0.0001 <= size < 0.1 else f"{value:,.2f}".rstrip("0").rstrip(".") if size < 100 else f"{value:,.0f}"
    return digits + (unit if unit == "%" else "/s" if unit == "1/s" else f" {unit}")
