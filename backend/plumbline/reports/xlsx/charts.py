"""Charts of a spreadsheet: lines and bars over columns of its tables."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from plumbline.reports.xlsx.cells import clean, column_name

_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_NAMES = (
    'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
    ' xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
)


@dataclass(frozen=True, slots=True)
class Series:
    """One line or set of bars: a column of a sheet, from row 2 on. Columns count from 1."""

    name: str
    column: int
    colour: str


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart over the rows of one sheet; `labels` is the column of its categories."""

    title: str
    kind: Literal["line", "bar"]
    sheet: str
    rows: int
    labels: int
    series: Sequence[Series]
    axis_title: str

    def xml(self) -> str:
        """The chart's part."""
        plot = "c:lineChart" if self.kind == "line" else "c:barChart"
        begin = '<c:grouping val="standard"/>' if self.kind == "line" else '<c:barDir val="col"/><c:grouping val="clustered"/>'
        lines = "".join(self._series(place, each) for place, each in enumerate(self.series))
        legend = '<c:legend><c:legendPos val="b"/><c:overlay val="0"/></c:legend>' if len(self.series) > 1 else ""
        gap = "" if self.kind == "line" else '<c:gapWidth val="40"/>'
        marker = '<c:marker val="1"/>' if self.kind == "line" else ""
        return (
            f'{_HEAD}<c:chartSpace {_NAMES}><c:roundedCorners val="0"/><c:chart>{_title(self.title)}<c:autoTitleDeleted val="0"/><c:plotArea>'
            f'<c:layout/><{plot}>{begin}<c:varyColors val="0"/>{lines}{gap}{marker}<c:axId val="1"/><c:axId val="2"/></{plot}>'
            '<c:catAx><c:axId val="1"/><c:scaling><c:orientation val="minMax"/></c:scaling><c:delete val="0"/><c:axPos val="b"/>'
            '<c:numFmt formatCode="General" sourceLinked="1"/><c:majorTickMark val="out"/><c:minorTickMark val="none"/><c:tickLblPos val="low"/>'
            '<c:crossAx val="2"/><c:crosses val="autoZero"/></c:catAx>'
            '<c:valAx><c:axId val="2"/><c:scaling><c:orientation val="minMax"/></c:scaling><c:delete val="0"/><c:axPos val="l"/>'
            f'<c:majorGridlines/>{_title(self.axis_title, size=900)}<c:numFmt formatCode="General" sourceLinked="0"/><c:majorTickMark val="out"/>'
            '<c:minorTickMark val="none"/><c:tickLblPos val="nextTo"/><c:crossAx val="1"/><c:crosses val="autoZero"/></c:valAx>'
            f'</c:plotArea>{legend}<c:plotVisOnly val="1"/><c:dispBlanksAs val="gap"/></c:chart></c:chartSpace>'
        )

    def _series(self, place: int, series: Series) -> str:
        fill = f'<a:solidFill><a:srgbClr val="{series.colour}"/></a:solidFill>'
        look = f'<a:ln w="22225">{fill}</a:ln>' if self.kind == "line" else fill
        after = '<c:marker><c:symbol val="none"/></c:marker>' if self.kind == "line" else '<c:invertIfNegative val="0"/>'
        end = '<c:smooth val="0"/>' if self.kind == "line" else ""
        return (
            f'<c:ser><c:idx val="{place}"/><c:order val="{place}"/><c:tx><c:v>{clean(series.name)}</c:v></c:tx><c:spPr>{look}</c:spPr>{after}'
            f"<c:cat><c:strRef><c:f>{self._range(self.labels)}</c:f></c:strRef></c:cat>"
            f"<c:val><c:numRef><c:f>{self._range(series.column)}</c:f></c:numRef></c:val>{end}</c:ser>"
        )

    def _range(self, column: int) -> str:
        letters = column_name(column)
        return f"'{clean(self.sheet)}'!${letters}$2:${letters}${max(2, self.rows + 1)}"


def _title(words: str, size: int = 1200) -> str:
    return (
        f'<c:title><c:tx><c:rich><a:bodyPr/><a:p><a:pPr><a:defRPr sz="{size}" b="0"/></a:pPr><a:r><a:rPr lang="en-GB" sz="{size}" b="0"/>'
        f'<a:t>{clean(words)}</a:t></a:r></a:p></c:rich></c:tx><c:overlay val="0"/></c:title>'
    )


def drawing(charts: Sequence[Chart], *, column: int) -> str:
    """The part that places charts below each other, beginning at a column (from 0)."""
    anchors = "".join(
        f"<xdr:twoCellAnchor><xdr:from><xdr:col>{column}</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>{1 + 17 * place}</xdr:row>"
        f"<xdr:rowOff>0</xdr:rowOff></xdr:from><xdr:to><xdr:col>{column + 8}</xdr:col><xdr:colOff>0</xdr:colOff>"
        f'<xdr:row>{17 + 17 * place}</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:to><xdr:graphicFrame macro=""><xdr:nvGraphicFramePr>'
        f'<xdr:cNvPr id="{place + 2}" name="Chart {place + 1}" descr="{clean(chart.title)}"/><xdr:cNvGraphicFramePr/></xdr:nvGraphicFramePr>'
        '<xdr:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/></xdr:xfrm><a:graphic>'
        f'<a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/chart"><c:chart r:id="rId{place + 1}"/></a:graphicData>'
        "</a:graphic></xdr:graphicFrame><xdr:clientData/></xdr:twoCellAnchor>"
        for place, chart in enumerate(charts)
    )
    return f'{_HEAD}<xdr:wsDr xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing" {_NAMES}>{anchors}</xdr:wsDr>'
