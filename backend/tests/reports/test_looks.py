"""What the pages of a report look like: no text over other text or off the page, nothing cut, one page for the executive report.

The same fonts and templates draw every report, so invented fleets show what a real one can: many hosts, long names, Japanese, nothing.
"""

import io
from typing import Any, get_args

import pypdf
import pytest

from plumbline.reports.draw import MOST_PICTURES, draw, draw_pages
from plumbline.reports.templates import TEMPLATES, TemplateName
from tests.reports.examples import JAPANESE, LONG, example
from tests.reports.text_boxes import off_the_page, overlaps, text_boxes

CASES: dict[str, dict[str, Any]] = {
    "usual": {},
    "nothing": {"hosts": 0},
    "one": {"hosts": 1},
    "unknown": {"unknown_only": True},
    "long": {"hosts": 4, "name": LONG + "{n}", "words": f"{LONG} {'Wort' * 12} {LONG}"},
    "japanese": {"hosts": 4, "name": JAPANESE + "{n}", "words": JAPANESE * 3},
    "signs": {"hosts": 3, "name": "a\\u202e{n}\\t☂", "words": "☂\u202e #panic(1) $x$ \\\\server\\share <b> [x] _y_ @z"},
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("template", get_args(TemplateName))
def test_no_text_covers_other_text_or_leaves_the_page(template: str, case: str) -> None:
    pdf = draw(example(template, **CASES[case]))
    boxes = text_boxes(pdf)
    assert boxes
    assert not overlaps(boxes)[:5]
    assert not off_the_page(pdf, boxes)[:5]


@pytest.mark.parametrize("template", get_args(TemplateName))
def test_a_fleet_of_500_hosts_is_drawn_whole(template: str) -> None:
    data = example(template, hosts=500)
    pdf = draw(data)
    boxes = text_boxes(pdf)
    assert not overlaps(boxes)[:5]
    assert not off_the_page(pdf, boxes)[:5]
    if template in ("technical", "audit"):
        words = "".join(box.text for box in boxes).replace("\u200b", "")
        assert not [host["name"] for host in data["hosts"] if host["name"] not in words]


@pytest.mark.parametrize("case", [*CASES, "many"])
def test_the_executive_report_is_one_page(case: str) -> None:
    pdf = draw(example("executive", **CASES.get(case, {"hosts": 5000})))
    assert len(pypdf.PdfReader(io.BytesIO(pdf)).pages) == 1


def test_pictures_of_the_first_pages() -> None:
    assert len(draw_pages(example("executive"))) == 1
    pages = draw_pages(example("technical", hosts=60))
    assert len(pages) == MOST_PICTURES
    assert all(page.startswith(b"\x89PNG") for page in pages)


def test_long_names_are_whole_in_the_lists() -> None:
    data = example("technical", hosts=2, name=LONG + "{n}")
    words = "".join(box.text for box in text_boxes(draw(data))).replace("\u200b", "").replace(" ", "")
    for host in data["hosts"]:
        assert host["name"] in words


def test_japanese_is_written_as_it_is() -> None:
    words = "".join(box.text for box in text_boxes(draw(example("technical", hosts=2, words=JAPANESE)))).replace("\u200b", "")
    assert JAPANESE in words
    assert "\\u" not in words


def test_a_broken_layout_is_noticed() -> None:
    """The test itself: two words at one place, and one off the page, are found."""
    import typst

    source = (
        b"#set page(margin: 15mm)\n#place(dx: 0pt)[Change]#place(dx: 4pt)[Likely cause]#place(dx: 170mm)[beyond the margin of the page]"
    )
    pdf = typst.compile(source, format="pdf")
    boxes = text_boxes(pdf)
    assert {box.text for pair in overlaps(boxes) for box in pair} == {"Change", "Likely cause"}
    assert [box.text for box in off_the_page(pdf, boxes)] == ["beyond the margin of the page"]


def test_every_template_has_a_file_and_a_title() -> None:
    assert set(TEMPLATES) == set(get_args(TemplateName))
    assert len({template.title for template in TEMPLATES.values()}) == len(TEMPLATES)
