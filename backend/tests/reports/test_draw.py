"""Every text that a host can send is drawn, or written out, in an accessible PDF."""

import io
import json
from pathlib import Path

import pypdf
import pytest

from plumbline.reports import draw
from plumbline.reports.draw import _covered, drawable


def test_unknown_characters_are_written_out() -> None:
    covered = _covered()
    assert drawable({"a": ["sql-01 ü ß Ω Ж →", "日本☂\u202e\0"]}, covered) == {"a": ["sql-01 ü ß Ω Ж →", "日本\\u2602\\u202e\\u0000"]}
    assert drawable([1, None, True], covered) == [1, None, True]


@pytest.mark.parametrize("block", [*range(0, 0x3800, 0x800), *range(0x4E00, 0xFFFF, 0x1800)])
def test_every_character_of_these_blocks_can_be_drawn(block: int, tmp_path: Path) -> None:
    """PDF/UA refuses a file with a character that no font has: all of them go through the same fonts as a report."""
    import typst

    lines = [
        "".join(chr(code) for code in range(start, start + 64) if not 0xD800 <= code <= 0xDFFF)
        for start in range(block, min(block + 0x800, 0x10000), 64)
    ]
    (tmp_path / "data.json").write_text(json.dumps(drawable(lines, _covered())))
    (tmp_path / "x.typ").write_text(
        '#set document(title: "x")\n#set text(font: ("Inter", "Inter Ext", "Droid Sans Fallback", "DejaVu Sans Mono"), lang: "en")\n'
        '#for line in json("data.json") [#line \\ ]'
    )
    made = typst.compile(
        tmp_path / "x.typ", root=tmp_path, font_paths=[draw._FONTS], ignore_system_fonts=True, format="pdf", pdf_standards=["ua-1"]
    )
    assert len(pypdf.PdfReader(io.BytesIO(made)).pages) >= 1
