"""The parts of a workbook, and the file that holds them."""

import io
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from plumbline.reports.xlsx.cells import HEADING, PLAIN, TITLE, Kind, cell, clean, column_name
from plumbline.reports.xlsx.charts import Chart, drawing

_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_TYPE = "application/vnd.openxmlformats-officedocument."
# Plain, text, whole number, one decimal, percent, time, heading, title, and a number that is not whole.
_STYLES = (
    f'{_HEAD}<styleSheet xmlns="{_MAIN}"><numFmts count="3"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm"/><numFmt numFmtId="165" formatCode="0.0"/><numFmt numFmtId="166" formatCode="0.0##"/></numFmts>'
    '<fonts count="3"><font><sz val="10"/><name val="Calibri"/></font><font><b/><sz val="10"/><name val="Calibri"/></font>'
    '<font><b/><sz val="15"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill>'
    '<fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders>'
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="9">'
    + "".join(
        f'<xf numFmtId="{number}" fontId="{font}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1" applyAlignment="1">'
        f'<alignment vertical="top"{extra}/></xf>'
        for number, font, extra in (
            (0, 0, ""), (49, 0, ' wrapText="1"'), (3, 0, ""), (165, 0, ""), (9, 0, ""), (164, 0, ' horizontal="left"'),
            (49, 1, ' wrapText="1"'), (49, 2, ""),
            (166, 0, ""),
        )
    )
    + '</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
)  # fmt: skip


# The row of a title.
_TALL = ' ht="24" customHeight="1"'


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: its heading, what it holds, and its width in characters."""

    heading: str
    kind: Kind = "text"
    width: float = 16


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet that is one table with filters and a frozen head. `lines` are shown above a first sheet's table, the first as its title."""

    name: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[object]]
    lines: Sequence[str] = ()
    charts: Sequence[Chart] = field(default_factory=tuple)

    @property
    def head_row(self) -> int:
        """The row of the headings, from 1."""
        return len(self.lines) + 2 if self.lines else 1

    @property
    def last_row(self) -> int:
        """The last row of the table, which has one empty row where there is nothing to list."""
        return self.head_row + max(1, len(self.rows))


def workbook(sheets: Sequence[Sheet], *, title: str, author: str, made_at: str) -> bytes:
    """The file. `made_at` is written into it in place of the clock's time, so that equal data make equal files."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in _parts(sheets, title=title, author=author, made_at=made_at):
            file.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), content.encode(), zipfile.ZIP_DEFLATED)
    return out.getvalue()


def _parts(sheets: Sequence[Sheet], *, title: str, author: str, made_at: str) -> Iterator[tuple[str, str]]:
    numbered = list(enumerate(sheets, 1))
    with_charts = {number: place for place, (number, sheet) in enumerate(((n, s) for n, s in numbered if s.charts), 1)}
    charts = [chart for sheet in sheets for chart in sheet.charts]
    overrides = [("/xl/workbook.xml", "spreadsheetml.sheet.main"), ("/xl/styles.xml", "spreadsheetml.styles")]
    overrides += [(f"/xl/worksheets/sheet{n}.xml", "spreadsheetml.worksheet") for n, _ in numbered]
    overrides += [(f"/xl/tables/table{n}.xml", "spreadsheetml.table") for n, _ in numbered]
    overrides += [(f"/xl/drawings/drawing{n}.xml", "drawing") for n in with_charts.values()]
    overrides += [(f"/xl/charts/chart{n}.xml", "drawingml.chart") for n in range(1, len(charts) + 1)]
    parts = "".join(f'<Override PartName="{name}" ContentType="{_TYPE}{kind}+xml"/>' for name, kind in overrides)
    yield (
        "[Content_Types].xml",
        f'{_HEAD}<Types xmlns="{_PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.'
        f'relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>{parts}<Override PartName="/docProps/core.xml"'
        ' ContentType="application/vnd.openxmlformats-package.core-properties+xml"/></Types>',
    )
    yield (
        "_rels/.rels",
        _relations(
            [(f"{_RELS}/officeDocument", "xl/workbook.xml"), (f"{_PACKAGE}/relationships/metadata/core-properties", "docProps/core.xml")]
        ),
    )
    yield (
        "docProps/core.xml",
        f'{_HEAD}<cp:coreProperties xmlns:cp="{_PACKAGE}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"'
        ' xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">'
        f"<dc:title>{clean(title)}</dc:title><dc:creator>{clean(author)}</dc:creator>"
        f'<dcterms:created xsi:type="dcterms:W3CDTF">{clean(made_at)}</dcterms:created></cp:coreProperties>',
    )
    listed = "".join(f'<sheet name="{clean(sheet.name)}" sheetId="{n}" r:id="rId{n}"/>' for n, sheet in numbered)
    yield "xl/workbook.xml", f'{_HEAD}<workbook xmlns="{_MAIN}" xmlns:r="{_RELS}"><sheets>{listed}</sheets></workbook>'
    relations = [(f"{_RELS}/worksheet", f"worksheets/sheet{n}.xml") for n, _ in numbered] + [(f"{_RELS}/styles", "styles.xml")]
    yield "xl/_rels/workbook.xml.rels", _relations(relations)
    yield "xl/styles.xml", _STYLES
    first_chart = 1
    for number, sheet in numbered:
        own = [(f"{_RELS}/table", f"../tables/table{number}.xml")]
        if sheet.charts:
            place = with_charts[number]
            own.append((f"{_RELS}/drawing", f"../drawings/drawing{place}.xml"))
            yield f"xl/drawings/drawing{place}.xml", drawing(sheet.charts, column=len(sheet.columns) + 1)
            names = [(f"{_RELS}/chart", f"../charts/chart{first_chart + at}.xml") for at in range(len(sheet.charts))]
            yield f"xl/drawings/_rels/drawing{place}.xml.rels", _relations(names)
            for at, chart in enumerate(sheet.charts):
                yield f"xl/charts/chart{first_chart + at}.xml", chart.xml()
            first_chart += len(sheet.charts)
        yield f"xl/worksheets/sheet{number}.xml", _sheet(sheet, is_first=number == 1)
        yield f"xl/worksheets/_rels/sheet{number}.xml.rels", _relations(own)
        yield f"xl/tables/table{number}.xml", _table(sheet, number)


def _relations(targets: Sequence[tuple[str, str]]) -> str:
    lines = "".join(f'<Relationship Id="rId{n}" Type="{kind}" Target="{target}"/>' for n, (kind, target) in enumerate(targets, 1))
    return f'{_HEAD}<Relationships xmlns="{_PACKAGE}/relationships">{lines}</Relationships>'


def _sheet(sheet: Sheet, *, is_first: bool) -> str:
    head, last = sheet.head_row, sheet.last_row
    selected = ' tabSelected="1"' if is_first else ""
    widths = "".join(f'<col min="{n}" max="{n}" width="{column.width}" customWidth="1"/>' for n, column in enumerate(sheet.columns, 1))
    rows = [
        f'<row r="{at}"{_TALL if at == 1 else ""}>{cell(f"A{at}", line, style=TITLE if at == 1 else PLAIN)}</row>'
        for at, line in enumerate(sheet.lines, 1)
    ]
    heads = "".join(cell(f"{column_name(n)}{head}", column.heading, style=HEADING) for n, column in enumerate(sheet.columns, 1))
    rows.append(f'<row r="{head}">{heads}</row>')
    for at, row in enumerate(sheet.rows or [[None] * len(sheet.columns)], head + 1):
        cells = "".join(
            cell(f"{column_name(n)}{at}", value, column.kind) for n, (value, column) in enumerate(zip(row, sheet.columns, strict=True), 1)
        )
        rows.append(f'<row r="{at}">{cells}</row>')
    pane = f'<pane ySplit="{head}" topLeftCell="A{head + 1}" activePane="bottomLeft" state="frozen"/>'
    parts = '<drawing r:id="rId2"/>' if sheet.charts else ""
    return (
        f'{_HEAD}<worksheet xmlns="{_MAIN}" xmlns:r="{_RELS}"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr><dimension ref="A1:{column_name(len(sheet.columns))}{last}"/>'
        f'<sheetViews><sheetView{selected} workbookViewId="0" showGridLines="0">{pane}</sheetView></sheetViews><cols>{widths}</cols>'
        f'<sheetData>{"".join(rows)}</sheetData><pageMargins left="0.5" right="0.5" top="0.6" bottom="0.6" header="0.3" footer="0.3"/>'
        f'<pageSetup paperSize="9" orientation="landscape" fitToHeight="0"/>{parts}<tableParts count="1"><tablePart r:id="rId1"/></tableParts>'
        "</worksheet>"
    )


def _table(sheet: Sheet, number: int) -> str:
    place = f"A{sheet.head_row}:{column_name(len(sheet.columns))}{sheet.last_row}"
    columns = "".join(f'<tableColumn id="{n}" name="{clean(column.heading)}"/>' for n, column in enumerate(sheet.columns, 1))
    name = "".join(char for char in sheet.name if char.isalnum()) or f"Table{number}"
    return (
        f'{_HEAD}<table xmlns="{_MAIN}" id="{number}" name="{name}" displayName="{name}" ref="{place}" totalsRowShown="0">'
        f'<autoFilter ref="{place}"/><tableColumns count="{len(sheet.columns)}">{columns}</tableColumns>'
        '<tableStyleInfo name="TableStyleLight1" showFirstColumn="0" showLastColumn="0" showRowStripes="1" showColumnStripes="0"/></table>'
    )
