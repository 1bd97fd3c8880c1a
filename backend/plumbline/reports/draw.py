"""The child process that draws a report: frozen data on standard input; on standard output JSON with the PDF and pictures of its first
pages, in base64. It reads nothing else.

`python -m plumbline.reports.draw < data.json > drawn.json`
"""

import base64
import json
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

import typst

_TEMPLATES = Path(__file__).with_name("typst")
_FONTS = Path(__file__).with_name("fonts")
# Pictures of so many pages are kept, sharp enough to read on a screen.
MOST_PICTURES = 3
_PICTURE_PPI = 110
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
    files = _files(json.loads(sys.stdin.buffer.read()))
    drawn = {"pdf": _pdf(*files), "pages": _pages(*files)}
    json.dump({name: [base64.b64encode(each).decode() for each in found] for name, found in drawn.items()}, sys.stdout)


def draw(data: dict[str, Any]) -> bytes:
    """The PDF of the frozen data."""
    [pdf] = _pdf(*_files(data))
    return pdf


def draw_pages(data: dict[str, Any]) -> list[bytes]:
    """Pictures (PNG) of the first pages."""
    return _pages(*_files(data))


def _files(data: dict[str, Any]) -> tuple[dict[str, bytes], datetime]:
    data = drawable(data, _covered())
    # Passed in memory, so that a killed child leaves no data of the fleet on disk.
    files = {
        "main": (_TEMPLATES / f"{data['report']['template']}.typ").read_bytes(),
        "data.json": json.dumps(data, ensure_ascii=False).encode(),
        **{path.name: path.read_bytes() for path in _TEMPLATES.glob("*.typ")},
    }
    return files, datetime.fromisoformat(data["report"]["as_of"])


# typst's type stub knows one file only.
def _pdf(files: Any, at: datetime) -> list[bytes]:
    return [typst.compile(files, font_paths=[_FONTS], ignore_system_fonts=True, format="pdf", pdf_standards=["ua-1"], timestamp=at)]


def _pages(files: Any, at: datetime) -> list[bytes]:
    drawn: Any = typst.compile(files, font_paths=[_FONTS], ignore_system_fonts=True, format="png", ppi=_PICTURE_PPI, timestamp=at)
    pages = drawn if isinstance(drawn, list) else [drawn]
    return [bytes(page) for page in pages[:MOST_PICTURES]]


if __name__ == "__main__":
    main()
