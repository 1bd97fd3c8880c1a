"""The child process that draws a report: frozen data on standard input, PDF on standard output. It reads nothing else.

`python -m plumbline.reports.draw < data.json > report.pdf`
"""

import json
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

import typst
import vl_convert

_TEMPLATES = Path(__file__).with_name("typst")
_FONTS = Path(__file__).with_name("fonts")
# Characters that typst's own DejaVu draws where Inter lacks them.
_SYMBOLS = frozenset("\n→−–×µ≥≤")
# Colours of the light design tokens. They differ in lightness too, so that the page can be read in black and white.
_INK, _LINE, _PASS, _FAIL, _FONT = "#1a1d23", "#d0d5dd", "#0e6ba8", "#a8071a", "Inter, DejaVu Sans, sans-serif"


def _covered() -> frozenset[int]:
    """The characters that can be drawn: Inter's, listed in `coverage.json`, and Greek and Cyrillic letters of typst's own DejaVu."""
    ranges = json.loads((_FONTS / "coverage.json").read_text())
    letters = (*range(0x391, 0x3A2), *range(0x3A3, 0x3CF), *range(0x400, 0x460))
    return frozenset(letters).union(*(range(first, last + 1) for first, last in ranges))


def drawable(data: Any, covered: frozenset[int]) -> Any:
    """The data with characters that no font has written as `\\u65e5`, since an accessible PDF refuses characters that it cannot show."""
    if isinstance(data, str):
        return "".join(char if ord(char) in covered or char in _SYMBOLS else f"\\u{ord(char):04x}" for char in data)
    if isinstance(data, list):
        return [drawable(item, covered) for item in data]
    if isinstance(data, dict):
        return {key: drawable(value, covered) for key, value in data.items()}
    return data


def main() -> None:
    """Draws one report."""
    data = json.loads(sys.stdin.buffer.read())
    sys.stdout.buffer.write(draw(data))


def draw(data: dict[str, Any]) -> bytes:
    """The PDF of the frozen data."""
    data = drawable(data, _covered())
    template = data["report"]["template"]
    # Passed in memory, so that a killed child leaves no data of the fleet on disk. (typst's type stub knows one file only.)
    files: Any = {
        "main": (_TEMPLATES / f"{template}.typ").read_bytes(),
        "data.json": json.dumps(data, ensure_ascii=False).encode(),
    }
    if "overview" in data:
        files |= {"trend.svg": trend_svg(data).encode(), "distribution.svg": distribution_svg(data).encode()}
    pdf: bytes = typst.compile(
        files,
        font_paths=[_FONTS] if _FONTS.is_dir() else [],
        ignore_system_fonts=True,
        format="pdf",
        pdf_standards=["ua-1"],
        timestamp=datetime.fromisoformat(data["report"]["as_of"]),
    )
    return pdf


def _spec(values: list[dict[str, Any]], width: int, height: int, **more: Any) -> str:
    axis = {"labelColor": _INK, "titleColor": _INK, "domainColor": _LINE, "tickColor": _LINE, "gridColor": _LINE, "labelFontSize": 9}
    spec = {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "data": {"values": values},
        "width": width,
        "height": height,
        "background": None,
        "config": {"font": _FONT, "view": {"stroke": None}, "axis": axis},
        **more,
    }
    return str(vl_convert.vegalite_to_svg(spec))


def trend_svg(data: dict[str, Any]) -> str:
    """The fleet's mean and median by day."""
    values = [
        {"day": day["day"], "score": day[key], "figure": name}
        for day in data["overview"]["trend"]
        for key, name in (("score_mean", "mean"), ("score_median", "median"))
        if day[key] is not None
    ]
    if len({value["day"] for value in values}) < 2:
        return _spec([{"x": 0}], 420, 30, mark={"type": "text", "text": "Not enough data for a trend", "color": _INK})
    dash = {"field": "figure", "legend": {"orient": "top", "title": None, "symbolType": "stroke"}, "type": "nominal"}
    encoding = {
        "x": {"field": "day", "type": "temporal", "title": None, "axis": {"format": "%e %b", "grid": False, "tickCount": 6}},
        "y": {"field": "score", "type": "quantitative", "title": "score", "scale": {"zero": False, "nice": True}},
        "strokeDash": dash,
    }
    return _spec(values, 420, 110, mark={"type": "line", "color": _INK, "strokeWidth": 1.5}, encoding=encoding)


def distribution_svg(data: dict[str, Any]) -> str:
    """Hosts by bands of ten points."""
    values = [
        {"band": f"{band['from']}–{band['to']}", "hosts": band["hosts"], "low": band["from"]} for band in data["overview"]["distribution"]
    ]
    encoding = {
        "x": {"field": "band", "type": "ordinal", "sort": {"field": "low"}, "title": "score", "axis": {"labelAngle": 0}},
        "y": {"field": "hosts", "type": "quantitative", "title": "hosts", "axis": {"tickMinStep": 1}},
        "color": {"condition": {"test": "datum.low < 60", "value": _FAIL}, "value": _PASS},
    }
    return _spec(values, 420, 80, mark={"type": "bar", "stroke": _INK, "strokeWidth": 0.5}, encoding=encoding)


if __name__ == "__main__":
    main()
