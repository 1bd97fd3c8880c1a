"""`plumbline assess`: what it prints, in text, JSON and JUnit, the report it writes, and how it refuses."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import Result
from typer.testing import CliRunner

from plumbline.cli import app
from plumbline.cli.assess_plan import print_plan
from tests.bundles import esxi_bundle, windows_bundle
from tests.bundles.archives import tgz, zipped
from tests.reports.text_boxes import off_the_page, overlaps, text_boxes


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("bundles") / "renamed-by-somebody.bin"
    path.write_bytes(tgz(esxi_bundle.files_of("6.7"), top="esx-b07-2026-01-12--13.56-1"))
    return path


def run(*words: object) -> Result:
    return CliRunner().invoke(app, ["assess", *map(str, words)])


def test_a_host_with_its_findings_and_where_they_stand(bundle: Path) -> None:
    done = run(bundle)
    assert done.exit_code == 0, done.output
    assert "esx-b07 · VMware ESXi 6.7 build" in done.output
    assert "vm-support bundle of ESXi, as of 2026-01-12 13:56:02 UTC" in done.output
    assert "rules answered" in done.output
    assert "no command of vm-support prints it" in done.output


def view(folder: Path) -> Path:
    path = folder / "view.zip"
    path.write_bytes(zipped(windows_bundle.net_view(windows_bundle.Host("x520-2012r2-default"))))
    return path


def test_a_failing_finding_names_the_file_and_what_stands_there(tmp_path: Path) -> None:
    output = run(view(tmp_path)).output
    assert "  fail     " in output
    assert "/Get-NetAdapterAdvancedProperty.txt: " in output
    assert "; expected " in output


def test_json_holds_everything(bundle: Path) -> None:
    told = json.loads(run(bundle, "--json").stdout)
    assert set(told) == {"hosts", "bundles", "packs", "problems"}
    (host,) = told["hosts"]
    assert host["rules"]["answered"] > 10
    assert {line["evidence"]["member"] for line in host["passing"] if line["evidence"]} >= {"commands/esxcfg-vmknic_-l.txt"}
    assert told["problems"] == []


def test_junit_has_a_suite_for_each_host_and_a_case_for_each_finding(bundle: Path, tmp_path: Path) -> None:
    windows = view(tmp_path)
    done = run(bundle, windows, "--junit")
    root = ElementTree.fromstring(done.stdout)
    suites = {suite.get("name"): suite for suite in root}
    assert set(suites) == {"esx-b07", "FILE-03"}
    for suite in suites.values():
        assert len(suite) == int(suite.get("tests") or 0) > 20
        assert len(suite.findall("testcase/skipped")) == int(suite.get("skipped") or 0)
        assert len(suite.findall("testcase/failure")) == int(suite.get("failures") or 0)
    assert suites["FILE-03"].findall("testcase/failure")


def test_the_report_is_a_pdf(bundle: Path, tmp_path: Path) -> None:
    done = run(bundle, "--report", tmp_path / "out.pdf")
    assert done.exit_code == 0, done.output
    assert (tmp_path / "out.pdf").read_bytes().startswith(b"%PDF")


def test_what_cannot_be_read_is_named_and_the_rest_is_shown(bundle: Path, tmp_path: Path) -> None:
    (tmp_path / "holiday.zip").write_bytes(zipped({"beach.jpg": b"x"}))
    done = run(bundle, tmp_path / "holiday.zip", tmp_path / "missing.tgz")
    assert done.exit_code == 1
    assert "esx-b07" in done.output
    assert "holiday.zip: no host is recognised in it (beach.jpg)" in done.output
    assert "missing.tgz: it does not exist" in done.output
    assert "Traceback" not in done.output


def test_files_named_for_their_commands_and_copied_consoles(tmp_path: Path) -> None:
    recorded = esxi_bundle.Recorded("6.7")
    (tmp_path / "esxcli-network-nic-list.txt").write_text(recorded.text["esxcli network nic list"], "utf-16")
    session = f"[root@esx-b07:~] esxcli network ip interface list\n{recorded.text['esxcli network ip interface list']}\n[root@esx-b07:~] \n"
    (tmp_path / "putty.log").write_bytes(
        b"=~=~=~=~=~=~=~=~=~=~=~= PuTTY log 2026.01.12 13:56:02 =~=~=~=~=~=~=~=~=~=~=~=\r\n" + session.replace("\n", "\r\r\n").encode()
    )
    (tmp_path / "shopping.txt").write_text("milk, bread")
    told = json.loads(run(tmp_path, "--json").stdout)
    (host,) = told["hosts"]
    assert host["platform"] == "esxi"
    assert any(
        line["rule"] == "esxi55.jumbo.vmkernel" or "MTU" in line["title"] for line in [*host["passing"], *host["failing"], *host["unknown"]]
    )
    assert any(path.endswith("shopping.txt") for path in told["bundles"][0]["unused"])


@pytest.fixture(scope="module")
def failing_bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("failing") / "esx.tgz"
    path.write_bytes(tgz(esxi_bundle.files_of("5.5"), top="esx-a02-2026-01-12--13.56-1"))
    return path


def test_the_plan_of_a_host_is_shown_with_what_a_person_would_run(failing_bundle: Path) -> None:
    output = run(failing_bundle, "--plan").output
    assert "preview, not approved" in output
    steps = [line for line in output.splitlines() if line.startswith("  step ")]
    assert steps
    assert "           run:  esxcli " in output
    assert "           undo: esxcli " in output
    assert "preview, not approved" not in run(failing_bundle).output


def test_the_report_has_the_plan_where_it_is_asked_for(failing_bundle: Path, tmp_path: Path) -> None:
    def words(*options: str) -> str:
        assert run(failing_bundle, "--report", tmp_path / "out.pdf", *options).exit_code == 0
        pdf = (tmp_path / "out.pdf").read_bytes()
        boxes = text_boxes(pdf)
        assert not overlaps(boxes)[:5]
        assert not off_the_page(pdf, boxes)[:5]
        return "".join(box.text for box in boxes).replace("\u200b", "")

    with_plan = words("--plan")
    assert "preview, not approved" in with_plan
    assert "esxcli iscsi adapter param set" in with_plan
    assert "Undo:" in with_plan
    assert "preview, not approved" not in words()


def test_json_has_the_plan_of_each_host_where_it_is_asked_for(failing_bundle: Path, tmp_path: Path) -> None:
    told = json.loads(run(failing_bundle, view(tmp_path), "--plan", "--json").stdout)
    assert [sorted(host["plan"]) for host in told["hosts"]] == [["left_out", "manual", "script", "steps", "words"]] * 2
    first = told["hosts"][0]
    failing = {line["title"] for line in first["failing"]}
    planned = {each["title"] for part in ("steps", "left_out", "manual") for one in first["plan"][part] for each in one["findings"]}
    # Every failing finding is fixed, left out with a reason, or a person's.
    assert failing
    assert failing <= planned
    assert {host["name"] for host in told["hosts"]} == {
        host["name"] for host in json.loads(run(failing_bundle, view(tmp_path), "--json").stdout)["hosts"]
    }
    assert "plan" not in json.loads(run(failing_bundle, "--json").stdout)["hosts"][0]


def test_a_host_without_anything_to_fix_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    print_plan({"steps": [], "left_out": [], "manual": [], "script": "", "words": ""})
    assert capsys.readouterr().out == "  plan     nothing to fix\n"
