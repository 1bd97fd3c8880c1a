"""`plumbline evaluate`: folders, single files and check-ins, printed in the published shape; nonsense is refused in one line."""

import json
import os
from pathlib import Path

import jsonschema
import pytest
from typer.testing import CliRunner

from plumbline.cli import app
from plumbline.cli.evaluate import evaluate_path
from plumbline.infra.errors import BadInput
from plumbline.infra.resources import SCHEMA

SAMPLES = sorted((SCHEMA / "samples" / "windows").glob("*.checkin")) + sorted((SCHEMA / "samples" / "esxi").glob("*.checkin"))
NIC_GET = """   Advertised Auto Negotiation: true
   Driver Info:
         Bus Info: 0000:04:00:0
         Driver: ixgben
         Version: 1.7.1
   Link Status: Up
   Name: vmnic4
   Pause Autonegotiate: false
   Pause RX: true
   Pause TX: false
   Virtual Address: 00:50:56:5a:00:04
"""


@pytest.fixture(scope="module")
def schema() -> dict[str, object]:
    return json.loads((SCHEMA / "evaluate.schema.json").read_text())  # type: ignore[no-any-return]


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_every_sample_is_understood_and_printed_in_the_published_shape(sample: Path, schema: dict[str, object]) -> None:
    (found,) = evaluate_path(sample)
    jsonschema.validate(found, schema)
    assert found["host"]
    assert len(found["settings"]) > 150
    assert {finding["outcome"] for finding in found["findings"]} >= {"pass", "not_applicable"}
    assert found == evaluate_path(sample)[0]


def test_there_are_samples() -> None:
    assert len(SAMPLES) >= 10


def test_one_file_of_a_folder_is_enough(tmp_path: Path) -> None:
    (tmp_path / "esxi__esxcli-network-nic-get__here.txt").write_text(NIC_GET)
    (found,) = evaluate_path(tmp_path)
    values = {(one["subject"].split("/")[0], one["key"]): one["value"] for one in found["settings"]}
    assert values["adapter", "flow_control"] == "rx"
    assert values["adapter", "driver_version"] == "1.7.1"


def test_what_was_not_collected_is_unknown_not_missing(tmp_path: Path) -> None:
    (tmp_path / "esxi__esxcli-network-nic-get__here.txt").write_text(NIC_GET)
    (found,) = evaluate_path(tmp_path)
    outcomes = {finding["outcome"] for finding in found["findings"] if finding["rule"].startswith("esxi55.")}
    assert "fail" not in outcomes
    assert "unknown" in outcomes


def test_unknown_names_are_listed_never_guessed(tmp_path: Path) -> None:
    (tmp_path / "esxi__esxcli-network-nic-get__here.txt").write_text(NIC_GET)
    (tmp_path / "esxi__esxcli-frobnicate-list__here.txt").write_text("x")
    (found,) = evaluate_path(tmp_path)
    assert [line["file"] for line in found["unread"] if line["file"]] == ["esxi__esxcli-frobnicate-list__here.txt"]


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("nothing.txt", "x", "no captured outputs found"),
        ("bad.checkin", "{", "line 1"),
        ("bad.checkin", '{"agent":{"platform":"beos"},"sections":{}}', "windows or esxi"),
        ("bad.checkin", "[1]", "line 1"),
        ("bad.checkin", "[" * 100_000, "line 1"),
        ("bad.checkin", '{"agent":{"platform":"esxi"},"sections":{"nics":{"status":"odd"}}}', "section nics does not say"),
        ("bad.checkin", '{"agent":{"platform":"esxi"},"sections":{"nics":7}}', "section nics does not say"),
        ("bad.checkin", '{"agent":[],"sections":{}}', "line 1"),
    ],
)
def test_nonsense_is_refused_in_one_sentence(tmp_path: Path, name: str, content: str, words: str) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(BadInput, match=words):
        evaluate_path(tmp_path / name)


def test_a_single_output_of_objects_is_no_check_in(tmp_path: Path, schema: dict[str, object]) -> None:
    path = tmp_path / "windows__Get-NetAdapterRss__here.txt"
    path.write_text('{"Name": "SAN1", "Enabled": true}')
    (found,) = evaluate_path(path)
    jsonschema.validate(found, schema)
    assert {(one["subject"], one["key"]): one["value"] for one in found["settings"]} == {("adapter/SAN1", "rss"): "enabled"}
    assert found["host"] == "windows__Get-NetAdapterRss__here"


def test_a_path_that_is_no_file_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "esxi__esxcli-network-nic-list__x.txt")
    with pytest.raises(BadInput, match="is not a file or folder"):
        evaluate_path(tmp_path / "esxi__esxcli-network-nic-list__x.txt")
    (tmp_path / "empty").mkdir()
    with pytest.raises(BadInput, match="no captured outputs found"):
        evaluate_path(tmp_path / "empty")


def test_a_folder_of_both_platforms_prints_both(tmp_path: Path, schema: dict[str, object]) -> None:
    (tmp_path / "esxi__esxcli-network-nic-get__here.txt").write_text(NIC_GET)
    (tmp_path / "windows__Get-NetAdapterRss__here.txt").write_text("Name : SAN1\nEnabled : True\n")
    (tmp_path / "windows__Get-NetAdapterLso__here.txt").write_bytes(b"")
    found = evaluate_path(tmp_path)
    for one in found:
        jsonschema.validate(one, schema)
    assert [(one["platform"], one["host"]) for one in found] == [("windows", tmp_path.name), ("esxi", tmp_path.name)]
    assert [(line["file"], line["reason"]) for line in found[0]["unread"] if line["file"]] == [
        ("windows__Get-NetAdapterLso__here.txt", "it is empty")
    ]


def test_command_prints_json(tmp_path: Path, schema: dict[str, object]) -> None:
    (tmp_path / "esxi__esxcli-network-nic-get__here.txt").write_text(NIC_GET)
    done = CliRunner().invoke(app, ["evaluate", str(tmp_path), "--json"])
    assert done.exit_code == 0
    jsonschema.validate(json.loads(done.stdout), schema)


def test_every_capture_is_read_by_name(captures: Path) -> None:
    found = evaluate_path(captures)
    assert {one["platform"] for one in found} == {"windows", "esxi"}
    unknown = [line["file"] for one in found for line in one["unread"] if "unrecognised file name" in line["reason"]]
    assert unknown == []
