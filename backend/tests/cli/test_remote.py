"""Commands over the API with a token, against a served fleet: what they print, what they write, and their exit codes."""

import json
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree as ET

import pytest

from plumbline.cli import main
from plumbline.evidence.build import build_bundle, queued_bundles
from plumbline.evidence.verify_bundle import verify
from plumbline.infra.database import session_scope
from plumbline.reports.build import build_report, queued_reports
from tests.api.conftest import Ask, address, api_database, app, ask, world
from tests.api.world import World

__all__ = ["address", "api_database", "app", "ask", "world"]


class Done(NamedTuple):
    """The end of a command."""

    code: int
    out: str
    err: str


Run = Callable[..., Done]


@pytest.fixture
def run(ask: Ask, address: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Run:
    """Runs a command with the token of a role, in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PLUMBLINE_CLI_CONFIG", str(tmp_path / "cli.toml"))
    monkeypatch.setenv("COLUMNS", "200")

    def run_it(*words: str, role: str = "viewer", url: str = address) -> Done:
        made = ask(role, "POST", "/tokens", json={"name": "cli", "roles": [role], "group_id": 1, "expires_days": 1})
        monkeypatch.setenv("PLUMBLINE_URL", url)
        monkeypatch.setenv("PLUMBLINE_TOKEN", made.json()["token"])
        return run_plain(*words)

    def run_plain(*words: str) -> Done:
        monkeypatch.setattr(sys, "argv", ["plumbline", *words])
        capsys.readouterr()
        code = 0
        try:
            main()
        except SystemExit as end:
            code = int(end.code or 0)
        said = capsys.readouterr()
        return Done(code, said.out, said.err)

    return run_it


@pytest.fixture
def worker(api_database: str) -> Iterator[None]:
    """Makes what is queued, as the background worker does."""
    is_over = threading.Event()

    def work() -> None:
        while not is_over.wait(0.2):
            with session_scope() as session:
                bundles, reports = queued_bundles(session, older_than_seconds=0), queued_reports(session, older_than_seconds=0)
            for made, ids in ((build_bundle, bundles), (build_report, reports)):
                for each in ids:
                    with session_scope() as session:
                        made(session, each)

    thread = threading.Thread(target=work)
    thread.start()
    yield
    is_over.set()
    thread.join()


def test_hosts_are_those_of_the_page(run: Run, ask: Ask) -> None:
    listed = ask("viewer", "GET", "/hosts?limit=500&sort=score").json()["items"]
    done = run("hosts")
    assert done.code == 0, done.err
    lines = done.out.splitlines()
    assert lines[0].split()[:3] == ["Host", "Score", "Failing"]
    assert [line.split()[0] for line in lines[1:]] == [host["name"] for host in listed]
    assert [host["id"] for host in json.loads(run("hosts", "--json").out)] == [host["id"] for host in listed]
    assert json.loads(run("hosts", "--json", "--group", "PROD-B").out) == json.loads(run("hosts", "sql", "--json").out)
    assert run("hosts", "nothing-like-it").out == "No host matches.\n"


def test_findings_fail_a_pipeline(run: Run, ask: Ask, world: World) -> None:
    rows = ask("viewer", "GET", f"/hosts/{world.hosts['sql-01']}/findings").json()["items"]
    failing = [row for row in rows if row["standing"] == "fail"]
    assert failing
    done = run("findings", "sql-01", "--status", "fail", "--json")
    assert done.code == 1
    assert [row["rule"] for row in json.loads(done.out)] == [row["rule"] for row in failing]
    assert run("findings", "sql-01", "--fail-on", "never").code == 0
    worst = max(("low", "medium", "high", "critical").index(row["severity"]) for row in failing)
    assert run("findings", "sql-01", "--fail-on", ("low", "medium", "high", "critical")[worst]).code == 1
    shown = run("findings", "sql-01", "--status", "fail").out
    assert failing[0]["headline"] in shown
    refused = run("findings", "sql-01", "--fail-on", "terrible")
    assert (refused.code, refused.out) == (2, "")
    assert "--fail-on is one of low, medium, high, critical, never" in refused.err
    assert run("findings", "no-such-host").code == 2


def test_junit_counts_what_the_page_counts(run: Run, ask: Ask, world: World, tmp_path: Path) -> None:
    run("findings", "sql-01", "esx-01", "--junit", "found.xml")
    root = ET.parse(tmp_path / "found.xml").getroot()
    assert [suite.get("name") for suite in root] == ["sql-01", "esx-01"]
    for suite in root:
        rows = ask("viewer", "GET", f"/hosts/{world.hosts[str(suite.get('name'))]}/findings").json()["items"]
        count = {status: sum(row["standing"] == status for row in rows) for status in ("fail", "unknown", "pass")}
        assert int(str(suite.get("tests"))) == len(rows) == len(suite.findall("testcase"))
        assert int(str(suite.get("failures"))) == count["fail"] == len(suite.findall("testcase/failure"))
        assert int(str(suite.get("errors"))) == count["unknown"]
        assert int(str(suite.get("skipped"))) == len(rows) - sum(count.values())
    assert int(str(root.get("tests"))) == sum(int(str(suite.get("tests"))) for suite in root)


def test_sarif_has_a_result_for_each_finding_that_applies(run: Run, ask: Ask, world: World, address: str, tmp_path: Path) -> None:
    run("findings", "sql-01", "--sarif", "found.sarif")
    document = json.loads((tmp_path / "found.sarif").read_text())
    assert document["version"] == "2.1.0"
    (one,) = document["runs"]
    rows = [
        row
        for row in ask("viewer", "GET", f"/hosts/{world.hosts['sql-01']}/findings").json()["items"]
        if row["standing"] != "not_applicable"
    ]
    assert len(one["results"]) == len(rows)
    rules = one["tool"]["driver"]["rules"]
    assert len({rule["id"] for rule in rules}) == len(rules)
    for result, row in zip(one["results"], rows, strict=True):
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"] == f"{row['pack']}/{row['rule']}"
        # SARIF 3.27.10: only a failure has a level.
        assert (result["level"] == "none") == (result["kind"] != "fail")
        assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == f"{address}/hosts/{world.hosts['sql-01']}"
    prints = [result["partialFingerprints"]["plumblineFinding/v1"] for result in one["results"]]
    assert len(set(prints)) == len(prints)


def test_drift_names_what_changed(run: Run, world: World) -> None:
    from tests.api.world import add_change

    assert run("drift", "--group", "LAB", "--fail-on-change") == Done(0, "No change in 24 h.\n", "")
    with session_scope() as session:
        add_change(session, world.hosts["lab-01"], ("host", ""), "mpio.policy", "round_robin", "fail_over")
    done = run("drift", "--group", "LAB", "--fail-on-change")
    assert done.code == 1
    assert "lab-01" in done.out
    assert json.loads(run("drift", "--group", "LAB", "--json").out)["groups"][0]["host_count"] == 1


def test_inventory_is_one_that_ansible_reads(run: Run, ask: Ask) -> None:
    document = json.loads(run("inventory", "--list").out)
    known = document["_meta"]["hostvars"]
    assert set(known) == {host["name"] for host in ask("viewer", "GET", "/hosts?limit=500").json()["items"]}
    for name in document["all"]["children"]:
        assert name.isidentifier()
        assert set(document[name]["hosts"]) <= set(known)
    assert document["plumbline_cluster_sql"]["hosts"] == ["sql-01", "sql-02"]
    assert json.loads(run("inventory", "--host", "sql-01").out) == known["sql-01"]
    assert json.loads(run("inventory", "--host", "no-such-host").out) == {}


def test_reports_and_evidence_are_made_and_saved(run: Run, ask: Ask, worker: None, tmp_path: Path) -> None:
    done = run("report", "make", "--group", "PROD", "--format", "json", "--output", "report.json")
    assert done.code == 0, done.err
    assert json.loads((tmp_path / "report.json").read_text())["report"]["scope"]["name"] == "PROD"
    assert "PROD" in run("report", "list").out
    made = ask("viewer", "POST", "/views", json={"name": "Failing", "url": "/hosts?outcome=fail", "is_shared": True})
    assert made.status_code == 201, made.text
    words = ("--template", "remediation", "--view", "failing", "--from", "2026-01-01", "--to", "2026-03-31", "--time-zone", "Europe/Berlin")
    done = run("report", "make", "--group", "1", "--format", "json", "--output", "quarter.json", *words)
    assert done.code == 0, done.err
    about = json.loads((tmp_path / "quarter.json").read_text())["report"]
    assert (about["template"], about["scope"]["name"], about["period_words"]) == (
        "remediation",
        "Failing",
        "1 Jan to 31 Mar 2026 (Europe/Berlin)",
    )
    assert "remediation" in run("report", "list").out
    done = run("report", "make", "--group", "PROD", "--format", "xlsx", "--period", "last_month", "--output", "month.xlsx")
    assert done.code == 0, done.err
    assert (tmp_path / "month.xlsx").read_bytes().startswith(b"PK")
    refused = run("report", "make", "--group", "PROD", "--output", "x.pdf", "--view", "nothing")
    assert (refused.code, "known: Failing (" in refused.err) == (2, True)
    assert run("report", "make", "--group", "PROD", "--output", "x.pdf", "--from", "2026-03-31", "--to", "2026-01-01").code == 2
    assert run("report", "make", "--group", "PROD", "--output", "x.pdf", "--template", "poem").code == 2
    done = run("evidence", "make", "--group", "PROD", "--output", "bundle.zip")
    assert done.code == 0, done.err
    found = verify((tmp_path / "bundle.zip").read_bytes())
    assert found["holds"]
    assert found["key_id"] in done.out
    assert found["key_id"] in run("evidence", "list").out
    assert run("evidence", "make", "--group", "PROD", "--output", "x.zip", "--as-of", "2999-01-01T00:00:00Z").code == 2
    assert run("evidence", "make", "--group", "PROD", "--output", "/nowhere/x.zip").code == 2


def test_waivers_and_plans_are_requested_not_approved(run: Run, ask: Ask, world: World) -> None:
    rows = ask("viewer", "GET", f"/hosts/{world.hosts['sql-02']}/findings").json()["items"]
    rule = next(f"{row['pack']}/{row['rule']}" for row in rows if row["standing"] == "fail")
    done = run("waive", rule, "--host", "sql-02", "--reason", "replaced in spring", "--days", "30", "--json", role="operator")
    assert done.code == 0, done.err
    waiver = json.loads(done.out)
    assert (waiver["state"], waiver["reason"]) == ("requested", "replaced in spring")
    refused = run("waive", rule, "--host", "sql-02", "--reason", "replaced in spring")
    assert refused.code == 3
    assert "operator" in refused.err
    assert run("waive", "no-slash", "--host", "sql-02", "--reason", "x", role="operator").code == 2
    assert run("plan", "list").out == "No plan.\n"
    assert run("job", "list").out == "No job.\n"


def test_what_is_wrong_is_said_in_one_line(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def refused(*words: str, **more: Any) -> Done:
        done = run(*words, **more)
        assert done.out == ""
        assert done.err.startswith("plumbline: ")
        assert done.err.count("\n") == 1
        return done

    done = refused("hosts", url="http://127.0.0.1:1")
    assert done.code == 3
    assert "cannot be reached" in done.err
    assert refused("hosts", "--group", "NO-SUCH").code == 2
    assert refused("plan", "text", "999").code == 3


def test_a_file_that_others_may_read_is_refused(
    run: Run, ask: Ask, address: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    token = ask("viewer", "POST", "/tokens", json={"name": "cli", "roles": ["viewer"], "group_id": 1, "expires_days": 1}).json()["token"]
    assert run("connect", "--url", address, "--token", token).code == 0
    kept = tmp_path / "cli.toml"
    assert kept.stat().st_mode & 0o777 == 0o600
    for name in ("PLUMBLINE_URL", "PLUMBLINE_TOKEN"):
        monkeypatch.delenv(name)
    monkeypatch.setattr(sys, "argv", ["plumbline", "hosts", "--json"])
    main_code = _ended(main)
    assert (main_code, bool(json.loads(capsys.readouterr().out))) == (0, True)
    kept.chmod(0o644)
    assert _ended(main) == 2
    assert "others may read it: run `chmod 600" in capsys.readouterr().err
    kept.unlink()
    assert _ended(main) == 2
    assert "no server is set: run `plumbline connect`" in capsys.readouterr().err


def _ended(program: Callable[[], None]) -> int:
    try:
        program()
    except SystemExit as end:
        return int(end.code or 0)
    return 0


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "powershell"])
def test_completion_is_there(shell: str) -> None:
    from typer._completion_shared import get_completion_script

    assert "plumbline" in get_completion_script(prog_name="plumbline", complete_var="_PLUMBLINE_COMPLETE", shell=shell)
