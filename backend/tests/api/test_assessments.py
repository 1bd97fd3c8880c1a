"""Assessments over the API: announced, uploaded part by part, read in a process of its own, looked at, reported, thrown away."""

import time
from pathlib import Path
from typing import Any

import pytest

from plumbline.bundles import uploads
from plumbline.infra.settings import get_settings
from tests.api.conftest import Ask
from tests.api.world import WRITE, World
from tests.bundles import esxi_bundle
from tests.bundles.archives import tgz, zipped
from tests.bundles.test_secrets import PLANTED, esxi_files
from tests.reports.text_boxes import text_boxes

BUNDLE = tgz(esxi_bundle.files_of("6.7"), top="esx-esx-b07-2026-01-12--13.56-1")
# Less than half of the bundle, so that it takes several parts.
PART = 2_000


def begin(ask: Ask, login: str, content: bytes, name: str = "esx-b07.tgz") -> int:
    answer = ask(login, "POST", "/assessments", json={"name": name, "size_bytes": len(content)})
    assert answer.status_code == 201, answer.text
    return int(answer.json()["id"])


def upload(ask: Ask, login: str, number: int, content: bytes) -> None:
    for offset in range(0, len(content), PART):
        answer = put(ask, login, number, offset, content[offset : offset + PART])
        assert answer.status_code == 200, answer.text


def put(ask: Ask, login: str, number: int, offset: int, content: bytes) -> Any:
    return ask(
        login,
        "PUT",
        f"/assessments/{number}/content?offset={offset}",
        content=content,
        headers={**WRITE, "content-type": "application/octet-stream"},
    )


def finished(ask: Ask, login: str, number: int) -> dict[str, Any]:
    for _ in range(300):
        told: dict[str, Any] = ask(login, "GET", f"/assessments/{number}").json()
        if told["state"] not in ("receiving", "reading"):
            return told
        time.sleep(0.1)
    raise AssertionError("it is not read after 30 s")


@pytest.fixture(scope="module")
def assessed(ask: Ask, world: World) -> int:
    number = begin(ask, "viewer", BUNDLE)
    upload(ask, "viewer", number, BUNDLE)
    assert finished(ask, "viewer", number)["state"] == "ready"
    return number


def test_a_bundle_is_uploaded_in_parts_and_read(ask: Ask, assessed: int) -> None:
    told = ask("viewer", "GET", f"/assessments/{assessed}").json()
    assert (told["name"], told["error"], told["host_count"]) == ("esx-b07.tgz", "", 1)
    (host,) = told["hosts"]
    assert (host["name"], host["kind_label"], host["captured_at"]) == ("esx-b07", "vm-support bundle of ESXi", "2026-01-12T13:56:02Z")
    assert host["answered"] > 10
    whole = ask("viewer", "GET", f"/assessments/{assessed}/hosts/{host['id']}").json()
    places = {finding["evidence"]["member"] for finding in whole["passes"] if finding["evidence"]}
    assert "commands/esxcfg-vmknic_-l.txt" in places
    assert len(whole["fails"]) == host["failing"]
    assert len(whole["unknowns"]) == host["unknown"]


def test_the_upload_is_not_kept(assessed: int) -> None:
    assert list((get_settings().home / "bundles").glob(f"{assessed}.part")) == []


def test_the_report_is_a_pdf(ask: Ask, assessed: int) -> None:
    answer = ask("viewer", "GET", f"/assessments/{assessed}/report")
    assert answer.status_code == 200
    assert answer.content.startswith(b"%PDF")
    assert answer.headers["content-disposition"] == f'attachment; filename="plumbline-assessment-{assessed}.pdf"'


def test_the_report_has_the_plan_where_it_is_asked_for(ask: Ask, assessed: int) -> None:
    def words(query: str) -> str:
        pdf = ask("viewer", "GET", f"/assessments/{assessed}/report{query}").content
        return "".join(box.text for box in text_boxes(pdf)).replace("\u200b", "")

    assert "preview, not approved" in words("?plan=true")
    assert "preview, not approved" not in words("")


def test_only_its_person_sees_it(ask: Ask, assessed: int) -> None:
    host = ask("viewer", "GET", f"/assessments/{assessed}").json()["hosts"][0]["id"]
    for method, path in (("GET", ""), ("GET", "/report"), ("GET", f"/hosts/{host}"), ("DELETE", "")):
        assert ask("admin", method, f"/assessments/{assessed}{path}").status_code == 404
    assert assessed not in [row["id"] for row in ask("admin", "GET", "/assessments").json()]
    assert assessed in [row["id"] for row in ask("viewer", "GET", "/assessments").json()]
    assert ask("", "GET", "/assessments").status_code == 401


def test_an_upload_goes_on_where_it_broke_off(ask: Ask, world: World) -> None:
    number = begin(ask, "operator", BUNDLE)
    assert put(ask, "operator", number, 0, BUNDLE[:PART]).json()["received_bytes"] == PART
    refused = put(ask, "operator", number, 0, BUNDLE[:PART])
    assert (refused.status_code, refused.json()["detail"]) == (409, f"the next part begins at byte {PART}")
    assert ask("operator", "GET", f"/assessments/{number}").json()["received_bytes"] == PART
    for offset in range(PART, len(BUNDLE), PART):
        assert put(ask, "operator", number, offset, BUNDLE[offset : offset + PART]).status_code == 200
    assert finished(ask, "operator", number)["state"] == "ready"
    again = put(ask, "operator", number, 0, BUNDLE[:PART])
    assert (again.status_code, again.json()["detail"]) == (409, "this bundle arrived already")


def test_parts_that_cannot_be_are_refused(ask: Ask, world: World) -> None:
    number = begin(ask, "operator", b"x" * 10)
    assert put(ask, "operator", number, 0, b"x" * 11).status_code == 422
    assert put(ask, "operator", number, 0, b"").status_code == 422
    assert put(ask, "operator", number, -1, b"x").status_code == 422
    assert put(ask, "operator", 999_999, 0, b"x").status_code == 404
    too_large = ask("operator", "POST", "/assessments", json={"name": "x", "size_bytes": uploads.LARGEST_BUNDLE + 1})
    assert too_large.status_code == 422
    assert ask("operator", "GET", f"/assessments/{number}/report").status_code == 404


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (zipped({"a": b"x" * 5000})[:-40], "ends before its list of files"),
        (tgz({"holiday.jpg": b"x"}), "no host is recognised in it"),
        (b"plain text that is no bundle at all", "no host is recognised in it"),
    ],
    ids=["truncated", "no host", "text"],
)
def test_what_is_wrong_with_a_bundle_is_said(ask: Ask, world: World, content: bytes, words: str) -> None:
    number = begin(ask, "operator", content, "holiday.zip")
    upload(ask, "operator", number, content)
    told = finished(ask, "operator", number)
    assert told["state"] == "failed"
    assert words in told["error"]
    assert told["hosts"] == []


def test_it_is_thrown_away(ask: Ask, world: World) -> None:
    number = begin(ask, "operator", b"x" * 10)
    put(ask, "operator", number, 0, b"x")
    assert ask("operator", "DELETE", f"/assessments/{number}").status_code == 204
    assert ask("operator", "GET", f"/assessments/{number}").status_code == 404
    assert uploads.received(number) == 0


def test_no_secret_reaches_database_or_disk(ask: Ask, world: World, api_database: str) -> None:
    from sqlalchemy import text

    from plumbline.core.facts.bundles.kept import unpack, unpack_sections
    from plumbline.core.facts.document import encode
    from plumbline.infra.database import session_scope

    content = tgz(esxi_files())
    number = begin(ask, "operator", content)
    upload(ask, "operator", number, content)
    told = finished(ask, "operator", number)
    assert told["state"] == "ready"
    shown = ask("operator", "GET", f"/assessments/{number}/hosts/{told['hosts'][0]['id']}").text
    with session_scope() as session:
        stored = str(session.execute(text("SELECT told::text FROM assessment_host")).all())
        stored += str(session.execute(text("SELECT about::text, error FROM assessment")).all())
        kept = [unpack(row) for row in session.scalars(text("SELECT kept FROM assessment_host WHERE kept IS NOT NULL"))]
        bodies = [unpack_sections(row).sections for row in session.scalars(text("SELECT content FROM assessment_host_sections"))]
    assert kept
    assert any(bodies)
    stored += str(bodies)
    stored += str([(encode(each.document), each.members, each.unread, each.routes) for each in kept])
    home: Path = get_settings().home
    files = b"".join(path.read_bytes() for path in home.rglob("*") if path.is_file() and "bundles" in path.parts)
    for secret in PLANTED:
        assert secret not in shown
        assert secret not in stored
        assert secret.encode() not in files


def test_the_list_takes_as_many_queries_for_many_as_for_one(ask: Ask, world: World) -> None:
    from sqlalchemy import event

    from plumbline.auth.actor import Actor
    from plumbline.bundles.queries import list_assessments
    from plumbline.infra.database import get_engine, session_scope

    statements: list[str] = []

    def note(*arguments: Any) -> None:
        statements.append(str(arguments[2]))

    with session_scope() as session:
        event.listen(get_engine(), "before_cursor_execute", note)
        try:
            list_assessments(session, actor=Actor(1, "x"))
        finally:
            event.remove(get_engine(), "before_cursor_execute", note)
    assert len(statements) == 2
