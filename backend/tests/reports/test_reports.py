"""One frozen data set, three formats, the same figures; made once, exported with an entry in the audit trail."""

import csv
import hashlib
import io
import json
import time
from pathlib import Path
from typing import Any

import pypdf
import pytest
from sqlmodel import select, text

from plumbline.infra.database import session_scope
from plumbline.models.audit import AuditEntry
from plumbline.reports.build import build_report, queued_reports
from plumbline.reports.cells import guarded
from plumbline.reports.data import freeze
from plumbline.reports.formats import RenderingFailed, canonical, to_csv, to_pdf
from tests.api.conftest import Ask
from tests.api.world import World


@pytest.fixture(scope="module")
def report(ask: Ask, world: World) -> dict[str, Any]:
    made = ask("viewer", "POST", "/reports", json={"group_id": 1})
    assert made.status_code == 201
    assert made.json()["state"] == "queued"
    with session_scope() as session:
        assert build_report(session, made.json()["id"]) is True
    with session_scope() as session:
        assert build_report(session, made.json()["id"]) is False
    shown: dict[str, Any] = ask("viewer", "GET", f"/reports/{made.json()['id']}").json()
    return shown


def _file(ask: Ask, report: dict[str, Any], name: str) -> bytes:
    answer = ask("viewer", "GET", f"/reports/{report['id']}/files/{name}")
    assert answer.status_code == 200
    assert "attachment" in answer.headers["content-disposition"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    kept = next(each for each in report["files"] if each["format"] == name)
    assert hashlib.sha256(answer.content).hexdigest() == kept["sha256"]
    assert len(answer.content) == kept["bytes"]
    return answer.content


def test_screen_pdf_csv_and_json_have_the_same_figures(ask: Ask, report: dict[str, Any]) -> None:
    assert report["state"] == "ready", report["error"]
    screen = ask("viewer", "GET", "/overview").json()
    data = json.loads(_file(ask, report, "json"))
    assert data == report["data"]
    assert hashlib.sha256(canonical(data)).hexdigest() == report["data_sha256"]
    assert data["overview"]["outcomes"] == screen["outcomes"]
    assert data["overview"]["headline"] == screen["headline"]
    assert {key: data["overview"]["score"][key] for key in ("mean", "median", "rule_coverage", "worst")} == {
        key: screen["score"][key] for key in ("mean", "median", "rule_coverage", "worst")
    }
    rows = list(csv.reader(io.StringIO(_file(ask, report, "csv").decode("utf-8-sig"))))
    figures = {(row[0], row[1]): row[2] for row in rows if len(row) == 3}
    for name, value in screen["outcomes"].items():
        assert figures["outcomes", name] == str(value)
    assert figures["score", "mean"] == str(screen["score"]["mean"])
    hosts = {row[1]: row for row in rows if row and row[0] == "host"}
    listed = ask("viewer", "GET", "/hosts?limit=500").json()["items"]
    assert {(name, row[6]) for name, row in hosts.items()} == {(host["name"], str(host["score"])) for host in listed}
    pages = pypdf.PdfReader(io.BytesIO(_file(ask, report, "pdf"))).pages
    text_of_pdf = " ".join(page.extract_text() for page in pages)
    words = " ".join(text_of_pdf.split())
    for name, value in (
        ("pass", "pass"),
        ("fail", "fail"),
        ("unknown", "unknown"),
        ("waived", "waived"),
        ("not_applicable", "not applicable"),
    ):
        assert f"{value} {screen['outcomes'][name]}" in words, name
    # Rounded down, as on screen.
    assert f"{int(screen['score']['mean'])} of 100" in words
    assert f"median {int(screen['score']['median'])}" in words
    for host in listed:
        assert host["name"] in words


def test_pdf_is_tagged_titled_and_of_ua_1(ask: Ask, report: dict[str, Any]) -> None:
    read = pypdf.PdfReader(io.BytesIO(_file(ask, report, "pdf")))
    assert read.metadata is not None
    assert read.metadata.title
    assert read.metadata.title.startswith("Compliance report: All hosts")
    catalogue = read.trailer["/Root"]
    assert catalogue["/MarkInfo"]["/Marked"]
    assert catalogue["/Lang"] == "en"
    assert b"pdfuaid" in catalogue["/Metadata"].get_data()
    fonts = {str(font.get_object()["/BaseFont"]) for page in read.pages for font in page["/Resources"].get("/Font", {}).values()}
    assert any("Inter" in font for font in fonts)


def test_each_export_is_an_act(ask: Ask, report: dict[str, Any]) -> None:
    _file(ask, report, "csv")
    with session_scope() as session:
        acts = [entry for entry in session.exec(select(AuditEntry)) if entry.action == "report.exported" and entry.after["format"] == "csv"]
    assert acts
    assert acts[-1].actor.endswith(" viewer")
    assert acts[-1].object_id == str(report["id"])


def test_only_viewers_export_and_others_in_scope_see_that_it_is_there(ask: Ask, report: dict[str, Any]) -> None:
    assert ask("admin", "GET", f"/reports/{report['id']}").status_code == 200
    assert ask("admin", "GET", f"/reports/{report['id']}/files/pdf").status_code == 403
    assert ask("prod-viewer", "GET", f"/reports/{report['id']}").status_code == 404
    assert ask("prod-viewer", "GET", f"/reports/{report['id']}/files/pdf").status_code == 404
    assert ask("prod-viewer", "GET", "/reports").json() == []
    assert ask("prod-viewer", "POST", "/reports", json={"group_id": 1}).status_code == 404


def test_a_report_of_a_branch_speaks_of_that_branch_alone(world: World, ask: Ask) -> None:
    data = freeze(report_id=9, group_id=world.groups["prod_b"], requested_by="Ana", site_name="Here")
    assert {host["name"] for host in data["hosts"]} == {"sql-01", "sql-02"}
    screen = ask("viewer", "GET", f"/overview?group={world.groups['prod_b']}").json()
    assert data["overview"]["outcomes"] == screen["outcomes"]


def test_all_figures_are_of_one_instant(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """A host that is retired while the data are read is in all of them: the snapshot began before."""
    from plumbline.reports import data as reading

    real = reading.read_library

    def retire_meanwhile(session: Any) -> Any:
        with session_scope() as other:
            other.execute(text("UPDATE host SET state = 'retired' WHERE name = 'sql-02'"))
        return real(session)

    monkeypatch.setattr(reading, "read_library", retire_meanwhile)
    try:
        frozen = freeze(report_id=9, group_id=1, requested_by="Ana", site_name="Here")
    finally:
        with session_scope() as session:
            session.execute(text("UPDATE host SET state = 'active' WHERE name = 'sql-02'"))
    assert "sql-02" in {host["name"] for host in frozen["hosts"]}
    assert len(frozen["hosts"]) == frozen["overview"]["headline"]["hosts"]


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-1+x", "@SUM(A1)", "\t=1", "\r=1", "\0=1", "＝1+1", "＠x", "  =1+1"])
def test_a_cell_that_could_be_a_formula_is_guarded(cell: str) -> None:
    assert guarded(cell).startswith("'")


def test_other_cells_are_left_as_they_are() -> None:
    assert [guarded(cell) for cell in ("sql-01", -5, 3.5, None, True, "a=b")] == ["sql-01", "-5", "3.5", "", "yes", "a=b"]
    assert guarded("a\u202eb") == "a\\u202eb"


def test_host_strings_reach_csv_and_pdf_as_text(world: World) -> None:
    data = freeze(report_id=9, group_id=1, requested_by='=HYPERLINK("x")', site_name='#eval("1")')
    data["hosts"][0]["name"] = '=cmd|calc #panic("x") $x$ *b* <a> \\ 日本'
    rows = list(csv.reader(io.StringIO(to_csv(data).decode("utf-8-sig"))))
    assert any(row[1:2] == ["'" + data["hosts"][0]["name"]] for row in rows)
    words = " ".join(" ".join(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(to_pdf(data))).pages).split())
    assert '#panic("x") $x$ *b* <a>' in words
    assert "\\u65e5\\u672c" in words


def test_drawing_that_takes_too_long_is_ended(world: World) -> None:
    data = freeze(report_id=9, group_id=1, requested_by="Ana", site_name="Here")
    begun = time.monotonic()
    with pytest.raises(RenderingFailed, match="longer than"):
        to_pdf(data, seconds=0.05)
    assert time.monotonic() - begun < 10


def test_a_report_that_cannot_be_drawn_says_why(ask: Ask, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    made = ask("viewer", "POST", "/reports", json={"group_id": 1}).json()
    monkeypatch.setattr("plumbline.reports.draw._TEMPLATES", Path("/nowhere"))
    with session_scope() as session:
        session.execute(text("UPDATE report SET template = 'no-such' WHERE id = :id"), {"id": made["id"]})
        session.execute(text("UPDATE report SET requested_at = now() - interval '1 minute' WHERE id = :id"), {"id": made["id"]})
    with session_scope() as session:
        assert queued_reports(session) == [made["id"]]
    monkeypatch.setattr("plumbline.reports.build.to_pdf", lambda data: to_pdf({"report": {}}))
    with session_scope() as session:
        build_report(session, made["id"])
    shown = ask("viewer", "GET", f"/reports/{made['id']}").json()
    assert shown["state"] == "failed"
    assert "PDF creation failed" in shown["error"]
    assert shown["files"] == []
    assert ask("viewer", "GET", f"/reports/{made['id']}/files/pdf").status_code == 404
