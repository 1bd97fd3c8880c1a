"""The child process that draws a report: frozen data on standard input, PDF on standard output. It reads nothing else.

`python -m plumbline.reports.draw < data.json > report.pdf`
"""

import json
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

import typst

_TEMPLATES = Path(__file__).with_name("typst")
_FONTS = Path(__file__).with_name("fonts")
# Characters that typst's own DejaVu draws where Inter lacks them.
_SYMBOLS = frozenset("\n→−–×µ≥≤")


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
    # Passed in memory, so that a killed child leaves no data of the fleet on disk. (typst's type stub knows one file only.)
    files: Any = {
        "main": (_TEMPLATES / f"{data['report']['template']}.typ").read_bytes(),
        "data.json": json.dumps(data, ensure_ascii=False).encode(),
        **{path.name: path.read_bytes() for path in _TEMPLATES.glob("*.typ")},
    }
    pdf: bytes = typst.compile(
        files,
        font_paths=[_FONTS] if _FONTS.is_dir() else [],
        ignore_system_fonts=True,
        format="pdf",
        pdf_standards=["ua-1"],
        timestamp=datetime.fromisoformat(data["report"]["as_of"]),
    )
    return pdf


if __name__ == "__main__":
    main()
