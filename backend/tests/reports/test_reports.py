"""One frozen data set, four formats, the same figures; made once, exported with an entry in the audit trail."""

import hashlib
import io
import json
import time
from typing import Any

import pypdf
import pytest
from sqlmodel import select, text

from plumbline.infra.database import session_scope
from plumbline.models.audit import AuditEntry
from plumbline.reports.build import build_report, queued_reports
from plumbline.reports.cells import guarded
from plumbline.reports.formats import RenderingFailed, canonical, drawn, to_csv, to_pdf
from tests.api.conftest import Ask
from tests.api.world import World
from tests.reports.conftest import csv_rows, frozen_now


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


def test_screens_and_every_format_have_the_same_figures(ask: Ask, report: dict[str, Any]) -> None:
    assert report["state"] == "ready", report["error"]
    screen = ask("viewer", "GET", "/overview?days=90").json()
    data = json.loads(_file(ask, report, "json"))
    assert data == report["data"]
    assert hashlib.sha256(canonical(data)).hexdigest() == report["data_sha256"]
    assert data["outcomes"] == screen["outcomes"]
    assert data["distribution"] == screen["distribution"]
    for figure in ("mean", "median", "rule_coverage", "hosts_known", "hosts_fresh", "hosts_scored"):
        assert data["score"][figure] == screen["score"][figure], figure
    assert [(host["id"], host["score"]) for host in data["score"]["worst"]] == [(h["id"], h["score"]) for h in screen["score"]["worst"]]
    assert data["score"]["hosts_silent"] == screen["headline"]["silent"]
    assert data["score"]["hosts_waiting"] == screen["waiting"]
    assert data["failing_rules"][:10] == [{**rule, "address": f"{rule['pack']}/{rule['rule']}"} for rule in screen["failing_rules"]]
    assert data["risks"]["total"] == screen["outcomes"]["fail"]
    assert [(day["day"], day["score_mean"]) for day in data["trend"]] == [(day["day"], day["score_mean"]) for day in screen["trend"]]
    tables = csv_rows(_file(ask, report, "csv"))
    figures = {row["figure"]: row["value"] for row in tables["figures"] if row["section"] == "Findings"}
    assert figures == {name: str(value) for name, value in screen["outcomes"].items()}
    listed = ask("viewer", "GET", "/hosts?limit=500").json()["items"]
    assert {(row["name"], row["score"], row["fail"]) for row in tables["hosts"]} == {
        (host["name"], str(host["score"] if host["score"] is not None else ""), str(host["n_fail"])) for host in listed
    }
    words = words_of(_file(ask, report, "pdf"))
    for name, value in (("Pass", "pass"), ("Fail", "fail"), ("Unknown", "unknown"), ("Waived", "waived"), ("N/A", "not_applicable")):
        assert f"{name} {screen['outcomes'][value]:,}" in words, name
    # Rounded down, as on screen.
    assert f"{int(screen['score']['mean'])} /100" in words
    assert f"Median {int(screen['score']['median'])}" in words


def words_of(pdf: bytes) -> str:
    """The text of a PDF, without the invisible places at which lines may end."""
    pages = pypdf.PdfReader(io.BytesIO(pdf)).pages
    return " ".join(" ".join(page.extract_text() for page in pages).replace("\u200b", "").split())


def test_findings_and_severities_are_those_of_the_hosts_pages(ask: Ask, world: World) -> None:
    data = frozen_now("technical")
    shown = {"fail", "unknown", "waived", "excluded"}
    for name in ("sql-01", "sql-02"):
        page = ask("viewer", "GET", f"/hosts/{world.hosts[name]}/findings").json()["items"]
        expected = {
            (
                each["rule"],
                each["subject"]["label"],
                each["standing"],
                each["severity"] if each["standing"] == "fail" else "",
                each["observed"],
            )
            for each in page
            if each["standing"] in shown
        }
        mine = [each for each in data["findings"] if each["host"] == name]
        assert {(e["rule"], e["subject"], e["status"], e["severity"], e["observed"]) for e in mine} == expected
        assert len(mine) == len(expected)
    assert sum(each["status"] == "fail" for each in data["findings"]) == data["outcomes"]["fail"]


def test_pdf_is_tagged_titled_and_of_ua_1(ask: Ask, report: dict[str, Any]) -> None:
    read = pypdf.PdfReader(io.BytesIO(_file(ask, report, "pdf")))
    assert read.metadata is not None
    assert read.metadata.title
    assert read.metadata.title.startswith("Executive report: All hosts")
    catalogue = read.trailer["/Root"]
    assert catalogue["/MarkInfo"]["/Marked"]
    assert catalogue["/Lang"] == "en-GB"
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


def test_who_may_make_and_download_reports(ask: Ask, report: dict[str, Any]) -> None:
    for login, status in (("operator", 200), ("admin", 200), ("approver", 403), ("prod-viewer", 404)):
        assert ask(login, "GET", f"/reports/{report['id']}/files/pdf").status_code == status, login
        assert ask(login, "GET", f"/reports/{report['id']}").status_code == (404 if status == 404 else 200)
    assert ask("approver", "GET", f"/reports/{report['id']}").json()["may_export"] is False
    assert ask("prod-viewer", "GET", "/reports").json() == []
    assert ask("prod-viewer", "POST", "/reports", json={"group_id": 1}).status_code == 404
    assert ask("approver", "POST", "/reports", json={"group_id": 1}).status_code == 403


def test_the_first_pages_are_pictures_for_everybody_who_reads_the_report(ask: Ask, report: dict[str, Any]) -> None:
    assert report["pictures"] == 1
    page = ask("approver", "GET", f"/reports/{report['id']}/pages/1")
    assert page.status_code == 200
    assert (page.headers["content-type"], page.content[:8]) == ("image/png", b"\x89PNG\r\n\x1a\n")
    assert ask("viewer", "GET", f"/reports/{report['id']}/pages/2").status_code == 404
    assert ask("prod-viewer", "GET", f"/reports/{report['id']}/pages/1").status_code == 404


def test_a_report_of_a_branch_speaks_of_that_branch_alone(world: World, ask: Ask) -> None:
    data = frozen_now(group_id=world.groups["prod_b"])
    assert {host["name"] for host in data["hosts"]} == {"sql-01", "sql-02"}
    screen = ask("viewer", "GET", f"/overview?group={world.groups['prod_b']}").json()
    assert data["outcomes"] == screen["outcomes"]


def test_all_figures_are_of_one_instant(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """A host that is retired while the data are read is in all of them: the snapshot began before."""
    from plumbline.reports.frozen import scope as reading

    real = reading.read_library

    def retire_meanwhile(session: Any) -> Any:
        with session_scope() as other:
            other.execute(text("UPDATE host SET state = 'retired' WHERE name = 'sql-02'"))
        return real(session)

    monkeypatch.setattr(reading, "read_library", retire_meanwhile)
    try:
        frozen = frozen_now()
    finally:
        with session_scope() as session:
            session.execute(text("UPDATE host SET state = 'active' WHERE name = 'sql-02'"))
    assert "sql-02" in {host["name"] for host in frozen["hosts"]}
    assert (
        len(frozen["hosts"])
        == frozen["score"]["hosts_known"]
        == frozen["score"]["hosts_scored"] + sum(host["score"] is None for host in frozen["hosts"])
    )


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-1+x", "@SUM(A1)", "\t=1", "\r=1", "\0=1", "＝1+1", "＠x", "  =1+1"])
def test_a_cell_that_could_be_a_formula_is_guarded(cell: str) -> None:
    assert guarded(cell).startswith("'")


def test_other_cells_are_left_as_they_are() -> None:
    assert [guarded(cell) for cell in ("sql-01", -5, 3.5, None, True, "a=b")] == ["sql-01", "-5", "3.5", "", "yes", "a=b"]
    assert guarded("a\u202eb") == "a\\u202eb"


def test_host_strings_reach_csv_and_pdf_as_text(world: World) -> None:
    data = frozen_now("technical", requested_by='=HYPERLINK("x")', site_name='#eval("1")')
    data["hosts"][0]["name"] = '=cmd|calc #panic("x") $x$ *b* <a> \\ 日本 ☂'
    assert any(row["name"] == "'" + data["hosts"][0]["name"] for row in csv_rows(to_csv(data))["hosts"])
    words = words_of(to_pdf(data))
    assert '#panic("x") $x$ *b* <a>' in words
    assert "日本" in words
    # No font has an umbrella.
    assert "\\u2602" in words


def test_drawing_that_takes_too_long_is_ended(world: World) -> None:
    data = frozen_now()
    begun = time.monotonic()
    with pytest.raises(RenderingFailed, match="timed out"):
        drawn(data, seconds=0.05)
    assert time.monotonic() - begun < 10


def test_a_report_that_cannot_be_drawn_says_why(ask: Ask, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    made = ask("viewer", "POST", "/reports", json={"group_id": 1}).json()
    with session_scope() as session:
        session.execute(text("UPDATE report SET requested_at = now() - interval '1 minute' WHERE id = :id"), {"id": made["id"]})
    with session_scope() as session:
        assert queued_reports(session) == [made["id"]]
    monkeypatch.setattr("plumbline.reports.build.files_of", lambda data: {"pdf": to_pdf({"report": {}})})
    with session_scope() as session:
        build_report(session, made["id"])
    shown = ask("viewer", "GET", f"/reports/{made['id']}").json()
    assert shown["state"] == "failed"
    assert "PDF creation failed" in shown["error"]
    assert shown["files"] == []
    assert ask("viewer", "GET", f"/reports/{made['id']}/files/pdf").status_code == 404
