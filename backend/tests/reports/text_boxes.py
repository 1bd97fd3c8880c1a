"""Where the text of a PDF stands: the box of each piece of text, worked out from the content streams and the fonts' widths.

With it a test sees what a reader sees: text over other text, and text that runs off the page.
"""

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pypdf
from pypdf.generic import ArrayObject, ContentStream

Matrix = tuple[float, float, float, float, float, float]
_SAME: Matrix = (1, 0, 0, 1, 0, 0)
# Of the font size: letters reach from the base line about so high. Parts below the line are left out, since lines are set close.
_HEIGHT = 0.7


@dataclass(frozen=True, slots=True)
class TextBox:
    """A piece of text on a page (from 1), in points from the lower left corner."""

    page: int
    left: float
    bottom: float
    right: float
    top: float
    text: str


def text_boxes(pdf: bytes) -> list[TextBox]:
    """All pieces of text of the document."""
    reader = pypdf.PdfReader(io.BytesIO(pdf))
    return [box for number, page in enumerate(reader.pages, 1) for box in _boxes_of(reader, page, number)]


def overlaps(boxes: Sequence[TextBox], *, allowed: float = 0.8) -> list[tuple[TextBox, TextBox]]:
    """Pairs of pieces that cover each other by more than `allowed` points in both directions."""
    found = []
    ordered = sorted(boxes, key=lambda box: (box.page, box.bottom))
    for at, box in enumerate(ordered):
        for other in ordered[at + 1 :]:
            if other.page != box.page or other.bottom > box.top:
                break
            wide = min(box.right, other.right) - max(box.left, other.left)
            high = min(box.top, other.top) - max(box.bottom, other.bottom)
            # Letters of one line stand closer where the font says so ("7,", "Wo").
            is_kerned = abs(box.bottom - other.bottom) < 0.01 and wide < 0.25 * (box.top - box.bottom)
            if wide > allowed and high > allowed and not is_kerned:
                found.append((box, other))
    return found


def off_the_page(pdf: bytes, boxes: Sequence[TextBox], *, side: float = 40, foot: float = 22) -> list[TextBox]:
    """Pieces that reach into the margins or off the page."""
    sizes = {number: page.mediabox for number, page in enumerate(pypdf.PdfReader(io.BytesIO(pdf)).pages, 1)}
    return [
        box
        for box in boxes
        if box.left < side
        or box.bottom < foot
        or box.right > float(sizes[box.page].width) - side
        or box.top > float(sizes[box.page].height) - foot
    ]


def _times(left: Matrix, right: Matrix) -> Matrix:
    a, b, c, d, e, f = left
    g, h, i, j, k, m = right
    return (a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m)


class _Font:
    """The widths of a font's glyphs, and the characters they stand for."""

    def __init__(self, font: Any) -> None:
        descendant = font["/DescendantFonts"][0].get_object()
        self.default = float(descendant.get("/DW", 1000))
        self.widths = dict(_widths(descendant.get("/W", ArrayObject())))
        self.characters = dict(_characters(font["/ToUnicode"].get_object().get_data().decode("latin-1"))) if "/ToUnicode" in font else {}

    def read(self, shown: bytes) -> tuple[float, str]:
        """The width in thousandths of the size, and the text."""
        codes = [int.from_bytes(shown[at : at + 2], "big") for at in range(0, len(shown), 2)]
        return sum(self.widths.get(code, self.default) for code in codes), "".join(self.characters.get(code, "") for code in codes)


def _widths(entries: Any) -> Iterator[tuple[int, float]]:
    entries = list(entries)
    while entries:
        first, second = int(entries.pop(0)), entries.pop(0)
        if isinstance(second, ArrayObject):
            yield from ((first + at, float(width)) for at, width in enumerate(second))
        else:
            width = float(entries.pop(0))
            yield from ((code, width) for code in range(first, int(second) + 1))


def _characters(cmap: str) -> Iterator[tuple[int, str]]:
    """The `bfchar` and `bfrange` lines of a ToUnicode map."""
    for block in cmap.split("beginbfchar")[1:]:
        for line in block.partition("endbfchar")[0].split("\n"):
            parts = [part.strip("<> ") for part in line.split("> <")] if "> <" in line else line.replace("<", " ").replace(">", " ").split()
            if len(parts) == 2:
                yield int(parts[0], 16), bytes.fromhex(parts[1]).decode("utf-16-be")
    for block in cmap.split("beginbfrange")[1:]:
        for line in block.partition("endbfrange")[0].split("\n"):
            parts = line.replace("<", " ").replace(">", " ").split()
            if len(parts) == 3:
                first, last, start = (int(part, 16) for part in parts)
                yield from ((code, chr(start + code - first)) for code in range(first, last + 1))


def _boxes_of(reader: pypdf.PdfReader, page: Any, number: int) -> Iterator[TextBox]:
    fonts: dict[str, _Font] = {}
    resources = page["/Resources"].get("/Font", {})
    placed, text, kept = _SAME, _SAME, []
    font, size = None, 0.0
    for operands, operator in ContentStream(page.get_contents(), reader).operations:
        if operator == b"q":
            kept.append((placed, font, size))
        elif operator == b"Q":
            placed, font, size = kept.pop()
        elif operator == b"cm":
            placed = _times(_matrix(operands), placed)
        elif operator == b"BT":
            text = _SAME
        elif operator == b"Tm":
            text = _matrix(operands)
        elif operator in (b"Td", b"TD"):
            text = _times((1, 0, 0, 1, float(operands[0]), float(operands[1])), text)
        elif operator == b"Tf":
            name, size = operands[0], float(operands[1])
            font = fonts.setdefault(name, _Font(resources[name].get_object()))
        elif operator in (b"Tj", b"TJ") and font is not None:
            width, words = 0.0, ""
            for part in operands[0] if operator == b"TJ" else operands:
                if isinstance(part, (bytes, str)):
                    raw = part if isinstance(part, bytes) else part.original_bytes
                    more, characters = font.read(raw)
                    width, words = width + more, words + characters
                else:
                    width -= float(part)
            start = _times(text, placed)
            length = width / 1000 * size
            a, b, c, d, e, f = start
            corners = [(e, f), (e + a * length, f + b * length), (e + c * size * _HEIGHT, f + d * size * _HEIGHT)]
            if words.strip().replace("\u200b", ""):
                xs, ys = zip(*corners, strict=True)
                yield TextBox(number, min(xs), min(ys), max(xs), max(ys), words)
            text = _times((1, 0, 0, 1, length, 0), text)


def _matrix(operands: Sequence[Any]) -> Matrix:
    a, b, c, d, e, f = (float(value) for value in operands)
    return a, b, c, d, e, f
