"""The workbook and the CSV archive: real tables with filters and number formats, charts over them, and the figures of the data."""

import io
import re
import zipfile
from datetime import UTC, datetime
from typing import Any
from xml.etree import ElementTree

import pytest

from plumbline.reports.formats import to_csv, to_xlsx
from plumbline.reports.report_tables import tables_of
from plumbline.reports.xlsx.cells import cell, column_name, serial_of
from tests.reports.conftest import csv_rows
from tests.reports.examples import JAPANESE, example

MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


class Book:
    """A workbook as its parts say: what a spreadsheet program reads."""

    def __init__(self, content: bytes) -> None:
        with zipfile.ZipFile(io.BytesIO(content)) as file:
            assert file.testzip() is None
            self.parts = {name: file.read(name) for name in file.namelist()}
        for name, part in self.parts.items():
            ElementTree.fromstring(part)  # each part is well formed
            assert b"<f>" not in part or "/charts/" in name, "no cell holds a formula"
        names = [sheet.get("name") for sheet in self.xml("xl/workbook.xml").iter(f"{MAIN}sheet")]
        self.sheets = {str(name): number for number, name in enumerate(names, 1)}

    def xml(self, name: str) -> ElementTree.Element:
        return ElementTree.fromstring(self.parts[name])

    def sheet(self, name: str) -> ElementTree.Element:
        return self.xml(f"xl/worksheets/sheet{self.sheets[name]}.xml")

    def table(self, name: str) -> ElementTree.Element:
        return self.xml(f"xl/tables/table{self.sheets[name]}.xml")

    def rows(self, name: str) -> list[list[Any]]:
        """The cells of each row, texts and numbers."""
        found = []
        for row in self.sheet(name).iter(f"{MAIN}row"):
            cells = []
            for each in row:
                value = each.find(f"{MAIN}v")
                words = "".join(each.itertext())
                cells.append(float(words) if value is not None else words)
            found.append(cells)
        return found


@pytest.fixture(scope="module")
def data() -> dict[str, Any]:
    return example("audit", hosts=7)


@pytest.fixture(scope="module")
def book(data: dict[str, Any]) -> Book:
    return Book(to_xlsx(data))


def test_each_sheet_is_a_table_with_a_filter_and_a_frozen_head(book: Book, data: dict[str, Any]) -> None:
    assert set(book.sheets) == {table.sheet for table in tables_of(data)} | {"Method"}
    names = set()
    for name in book.sheets:
        table = book.table(name)
        place = table.get("ref") or ""
        assert table.find(f"{MAIN}autoFilter").get("ref") == place  # type: ignore[union-attr]
        head = int(re.findall(r"\d+", place)[0])
        pane = next(book.sheet(name).iter(f"{MAIN}pane"))
        assert (pane.get("state"), pane.get("ySplit")) == ("frozen", str(head))
        headings = [column.get("name") for column in table.iter(f"{MAIN}tableColumn")]
        assert book.rows(name)[[row.get("r") for row in book.sheet(name).iter(f"{MAIN}row")].index(str(head))] == headings
        assert len(set(headings)) == len(headings)
        names.add(table.get("displayName"))
    assert len(names) == len(book.sheets)


def test_the_workbook_and_the_csv_files_have_the_rows_of_the_data(book: Book, data: dict[str, Any]) -> None:
    files = csv_rows(to_csv(data))
    for table in tables_of(data):
        assert len(files[table.name]) == len(table.rows), table.name
        shown = [row for row in book.rows(table.sheet) if len(row) == len(table.fields)][1:]
        assert len(shown) == max(1, len(table.rows)), table.name
    hosts = book.rows("Hosts")[1:]
    assert [row[0] for row in hosts] == [host["name"] for host in data["hosts"]] == [row["name"] for row in files["hosts"]]
    assert [row[5] for row in hosts] == [float(host["score"]) for host in data["hosts"]]
    assert [row["score"] for row in files["hosts"]] == [str(host["score"]) for host in data["hosts"]]
    figures = {row["figure"]: row["value"] for row in files["figures"] if row["section"] == "Findings"}
    assert figures["fail"] == str(data["outcomes"]["fail"])
    assert {row["figure"] for row in files["about"]} >= {"title", "as_of", "definition", "method", "pack", "paper"}


def test_numbers_shares_and_times_are_no_text(book: Book) -> None:
    row = dict(zip(book.rows("Hosts")[0], book.rows("Hosts")[1], strict=True))
    assert row["Coverage"] == pytest.approx(0.971)
    assert row["Last check-in (UTC)"] == pytest.approx(serial_of("2026-11-20T09:41:20Z"))
    styles = book.xml("xl/styles.xml")
    formats = [style.get("numFmtId") for style in styles.find(f"{MAIN}cellXfs")]  # type: ignore[union-attr]
    first = next(each for each in book.sheet("Hosts").iter(f"{MAIN}row") if each.get("r") == "2")
    shown = {heading: formats[int(each.get("s") or 0)] for heading, each in zip(book.rows("Hosts")[0], first, strict=True)}
    # 3: thousands separators; 9: percent; 164: date and time; 49: text.
    assert (shown["Score"], shown["Coverage"], shown["Last check-in (UTC)"], shown["Host"]) == ("3", "9", "164", "49")


def test_charts_cover_the_rows_of_their_tables(book: Book, data: dict[str, Any]) -> None:
    charts = [part.decode() for name, part in book.parts.items() if name.startswith("xl/charts/")]
    # Score, findings and scores; and of the counters those that the hosts have and that a person compares.
    assert len(charts) == 6
    ranges = {found for chart in charts for found in re.findall(r"<c:f>([^<]+)</c:f>", chart)}
    assert f"'Trend'!$B$2:$B${len(data['trend']) + 1}" in ranges
    assert "'Hosts by score'!$B$2:$B$11" in ranges
    assert "'Findings by status'!$B$2:$B$6" in ranges
    steps = len(data["counters"]["steps"])
    assert {f"'Counters'!${column}$2:${column}${steps + 1}" for column in "CGH"} <= ranges
    assert book.rows("Counters")[0][2] == "TCP retransmits (%)"
    assert (book.rows("Counters")[0][6], book.rows("Counters")[0][7]) == (
        "Latency of the slowest volume (µs)",
        "Throughput of volumes (B/s)",
    )
    anchors = book.parts["xl/drawings/drawing1.xml"].decode()
    assert anchors.count("descr=") == 6, "each chart says what it shows"


def test_a_report_of_nothing_makes_a_workbook_too() -> None:
    book = Book(to_xlsx(example("audit", hosts=0)))
    assert book.rows("Hosts")[1] == [""] * len(book.rows("Hosts")[0])
    assert sum(name.startswith("xl/charts/chart") for name in book.parts) == 2, "without days there is no trend"


def test_the_same_data_make_the_same_files(data: dict[str, Any]) -> None:
    assert to_xlsx(data) == to_xlsx(data)
    assert to_csv(data) == to_csv(data)


def test_texts_of_hosts_stay_texts() -> None:
    words = Book(to_xlsx(example("technical", hosts=1, words='=1+1 <a> & "b" \x01 ' + JAPANESE))).rows("Findings")[1]
    assert words[1].startswith('=1+1 <a> & "b" \ufffd ')
    assert words[1].endswith(JAPANESE)


def test_places_and_days() -> None:
    assert [column_name(number) for number in (1, 26, 27, 702, 703)] == ["A", "Z", "AA", "ZZ", "AAA"]
    assert serial_of(datetime(2026, 11, 20, 12, tzinfo=UTC)) == 46346.5
    assert cell("A1", None, "integer") == '<c r="A1" s="2"/>'
    assert cell("A1", True, "yes_no") == '<c r="A1" s="1" t="inlineStr"><is><t xml:space="preserve">yes</t></is></c>'
    assert cell("B2", 3, "number") == '<c r="B2" s="2"><v>3</v></c>'
    assert cell("B2", 0.25, "number") == '<c r="B2" s="8"><v>0.25</v></c>'
