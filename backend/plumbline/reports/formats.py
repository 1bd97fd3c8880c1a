"""The formats of a report, each from the frozen data alone."""

import base64
import io
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any, Literal

from plumbline.infra.errors import PlumblineError
from plumbline.reports.cells import csv_bytes
from plumbline.reports.report_tables import COUNTERS, ReportTable, tables_of
from plumbline.reports.xlsx.charts import Chart, Series
from plumbline.reports.xlsx.workbook import Column, Sheet, workbook

Format = Literal["pdf", "xlsx", "csv", "json"]
FORMATS: tuple[Format, ...] = ("pdf", "xlsx", "csv", "json")
MEDIA: dict[Format, str] = {
    "pdf": "application/pdf",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "csv": "application/zip",
    "json": "application/json",
}
# How a file's name ends; CSV files, one a table, are in an archive.
ENDING: dict[Format, str] = {"pdf": ".pdf", "xlsx": ".xlsx", "csv": "-csv.zip", "json": ".json"}
# Rendering takes a second or two; after this time the child is ended and the report fails.
RENDER_SECONDS = 60
_INK, _DIM, _PASS = "1A1D23", "8A919D", "0E6BA8"


class RenderingFailed(PlumblineError):
    """The child that draws the PDF failed or took too long."""

    code = "rendering_failed"


def files_of(data: dict[str, Any]) -> dict[str, bytes]:
    """The report in every format, and the pictures of its first pages. Raises `RenderingFailed`."""
    pdf, pages = drawn(data)
    pictures = {picture_name(number): page for number, page in enumerate(pages, 1)}
    return {"pdf": pdf, "xlsx": to_xlsx(data), "csv": to_csv(data), "json": to_json(data), **pictures}


def picture_name(number: int) -> str:
    """The name under which the picture of a page is stored beside the formats."""
    return f"page-{number}"


def to_csv(data: dict[str, Any]) -> bytes:
    """An archive with a CSV file for each table, and `about.csv`, which says what they are about."""
    report = data["report"]
    about = [
        ("figure", "value"),
        *(
            (name, report[name])
            for name in ("title", "site", "scope_words", "period_words", "as_of", "requested_by", "definition", "method")
        ),
        *(("pack", f"{pack['pack']} {pack['version']}") for pack in report["packs"]),
        *(("paper", paper) for paper in report["papers"]),
    ]
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in (
            ("about", csv_bytes(about)),
            *((table.name, csv_bytes([[field.name for field in table.fields], *table.cells()])) for table in tables_of(data)),
        ):
            file.writestr(zipfile.ZipInfo(f"{name}.csv", (1980, 1, 1, 0, 0, 0)), content, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def to_xlsx(data: dict[str, Any]) -> bytes:
    """A workbook with a sheet for each table; the first has the figures and charts."""
    report = data["report"]
    first, *others = tables_of(data)
    lines = (
        report["title"],
        f"{report['scope_words']} · {report['period_words']} · as of {report['as_of_words']} · created for {report['requested_by']}",
        *data["summary"],
    )
    figures = Sheet(first.sheet, _columns(first), first.cells(), lines, _charts(data))
    method = Sheet(
        "Method",
        [Column("How to read this report", width=120)],
        [[report["definition"]], [report["method"]], *([each] for each in report["papers"])],
    )
    sheets = [figures, *(Sheet(table.sheet, _columns(table), table.cells()) for table in others), method]
    return workbook(sheets, title=report["title"], author=report["site"], made_at=report["as_of"])


def _columns(table: ReportTable) -> list[Column]:
    return [Column(field.heading, field.kind, field.width) for field in table.fields]


def _charts(data: dict[str, Any]) -> list[Chart]:
    charts = [
        Chart("Findings by status", "bar", "Findings by status", 5, 1, [Series("Findings", 2, _PASS)], "Findings"),
        Chart("Hosts by score", "bar", "Hosts by score", len(data["distribution"]), 1, [Series("Hosts", 2, _PASS)], "Hosts"),
    ]
    if len(data["trend"]) > 1:
        series = [Series("Average", 2, _INK), Series("Median", 3, _DIM)]
        charts.insert(0, Chart("Average score by day", "line", "Trend", len(data["trend"]), 1, series, "Score"))
    return charts + _counter_charts(data.get("counters"))


def _counter_charts(counters: dict[str, Any] | None) -> list[Chart]:
    """A chart for each symptom that the fleet has figures of, beside its table."""
    if counters is None or len(counters["steps"]) < 2:
        return []
    columns = {field.name: place for place, field in enumerate(COUNTERS, 1)}
    return [
        Chart(
            each["label"], "line", "Counters", len(counters["steps"]), 1,
            [Series(each["label"], columns[each["name"]], _INK)], each["unit"],
        )
        for each in counters["figures"]
        if each["name"] in ("retransmits", "drops", "latency", "throughput")
    ]  # fmt: skip


def canonical(data: dict[str, Any]) -> bytes:
    """The bytes that the report's checksum covers."""
    return json.dumps(data, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()


def to_json(data: dict[str, Any]) -> bytes:
    """The frozen data, unchanged."""
    return json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False).encode() + b"\n"


def to_pdf(data: dict[str, Any]) -> bytes:
    """The tagged PDF (PDF/UA-1). Raises `RenderingFailed`."""
    return drawn(data)[0]


def drawn(data: dict[str, Any], *, seconds: float = RENDER_SECONDS) -> tuple[bytes, list[bytes]]:
    """The PDF and pictures of its first pages, drawn in a child process with a time limit. Raises `RenderingFailed`."""
    # The child needs neither the database's address nor any key.
    env = {name: value for name, value in os.environ.items() if not name.startswith("PLUMBLINE_")}
    env["PYTHONPATH"] = os.pathsep.join([str(Path(__file__).resolve().parents[2]), *filter(None, [env.get("PYTHONPATH", "")])])
    try:
        done = subprocess.run(
            [sys.executable, "-m", "plumbline.reports.draw"],
            input=canonical(data),
            capture_output=True,
            timeout=seconds,
            env=env,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise RenderingFailed(f"PDF creation timed out after {seconds:g} s") from error
    if done.returncode != 0 or not done.stdout.startswith(b"{"):
        last = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:] or ["no reason given"]
        raise RenderingFailed(f"PDF creation failed: {last[0][:300]}")
    found = json.loads(done.stdout)
    return base64.b64decode(found["pdf"][0]), [base64.b64decode(page) for page in found["pages"]]
