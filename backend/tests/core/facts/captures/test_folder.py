"""File names of captured outputs, and what `evaluate` prints."""

import json
from pathlib import Path

import jsonschema
import pytest

from plumbline.core.facts.assemble import assemble
from plumbline.core.facts.captures.folder import read_files, read_folder, recognise
from plumbline.core.facts.captures.output import FindingLine, build
from tests.core.facts.builders import CAPTURES, REPOSITORY, capture, iscsi, refused, san_adapters, session, system, windows

SCHEMA = json.loads((REPOSITORY / "agents" / "schema" / "evaluate.schema.json").read_text())
EXAMPLES = REPOSITORY / "agents" / "schema" / "samples" / "evaluate"


@pytest.mark.parametrize(
    ("name", "section", "command", "variant"),
    [
        ("windows__Get-NetAdapter-select-all__x.txt", "adapters", "Get-NetAdapter", "select-all"),
        ("windows__Get-NetAdapterRss__x.txt", "offload", "Get-NetAdapterRss", ""),
        ("windows__Get-NetQosPolicy-ActiveStore__x.txt", "qos", "Get-NetQosPolicy", "ActiveStore"),
        ("windows__mpclaim-s-d-0__x.txt", "mpio", "mpclaim -s -d", "0"),
        ("windows__netsh-interface-tcp-show-global__x.txt", "offload", "netsh int tcp show global", ""),
        ("windows__get-netadapter.txt", "adapters", "Get-NetAdapter", ""),
    ],
)
def test_the_longest_known_beginning_is_the_command(name: str, section: str, command: str, variant: str) -> None:
    known = recognise(name)
    assert known is not None
    assert (known.section, known.command, known.variant) == (section, command, variant)


@pytest.mark.parametrize(
    "name", ["windows__Get-NetAdapterXyz__x.txt", "linux__ip-a__x.txt", "readme.txt", "windows__ipconfig.txt", "esxi__.txt"]
)
def test_a_name_that_is_not_known_is_never_guessed(name: str) -> None:
    assert recognise(name) is None


def test_unknown_names_are_listed_and_empty_files_are_reported(tmp_path: Path) -> None:
    (tmp_path / "windows__ipconfig-all__a.txt").write_text("x")
    (tmp_path / "windows__Get-NetAdapter__a.txt").write_text("PS C:\\> Get-NetAdapter\n")
    (tmp_path / "notes.md").write_text("not looked at")
    folder = read_folder(tmp_path)
    assert folder.unknown_names == ("windows__ipconfig-all__a.txt",)
    assert folder.captured[0].unread == (("windows__Get-NetAdapter__a.txt", "no row of Get-NetAdapter was found in it"),)


def test_every_captured_output_is_known_by_its_name() -> None:
    capture("README.md")

    folder = read_folder(CAPTURES)
    # What a changing command answers belongs to no section.
    assert [name for name in folder.unknown_names if "-set-" not in name] == []
    assert {captured.platform for captured in folder.captured} == {"windows", "esxi"}


def printed() -> dict[str, object]:
    assembled = windows(system=system(), adapters=san_adapters(**{"Get-NetLbfoTeam": refused()}), iscsi=iscsi(session("10.10.5.1")))
    line = FindingLine(
        "plumbline-core", "core.paths", "host/", "unknown", "recommended", "not collected", "", "at least 2", "Paths: could not be checked"
    )
    return build(assembled, [line], [("windows__x.txt", "not known")])


def test_what_is_printed_fits_the_schema_and_is_sorted() -> None:
    found = printed()
    jsonschema.validate(found, SCHEMA)
    settings = found["settings"]
    assert isinstance(settings, list)
    assert [(one["subject"], one["key"]) for one in settings] == sorted((one["subject"], one["key"]) for one in settings)
    assert found["host"] == "SQL-03"
    mtu = next(one for one in settings if one["key"] == "mtu_operational")
    assert (mtu["unit"], mtu["layer"], mtu["source"]["command"]) == ("bytes", "operational", "Get-NetIPInterface")
    assert {one["file"] for one in found["unread"]} == {"", "windows__x.txt"}  # type: ignore[union-attr,attr-defined]


@pytest.mark.parametrize("broken", ["settings", "unknown", "host"])
def test_the_schema_refuses_what_lacks_a_part(broken: str) -> None:
    found = printed()
    del found[broken]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(found, SCHEMA)


def test_the_worked_examples_are_what_is_printed() -> None:
    examples = sorted(EXAMPLES.glob("*/expected.json"))
    assert len(examples) == 3
    for expected in examples:
        wanted = json.loads(expected.read_text())
        jsonschema.validate(wanted, SCHEMA)
        folder = read_folder(expected.parent)
        (captured,) = folder.captured
        assembled = assemble(captured.platform, captured.sections)
        unread = [*captured.unread, *((name, "unrecognised file name") for name in folder.unknown_names)]
        assert json.loads(json.dumps(build(assembled, (), unread, expected.parent.name))) == {**wanted, "findings": []}


def test_a_second_output_of_a_command_adds_its_rows_on_windows() -> None:
    row = "Name : {0}\nIPv4Enabled : True\n"
    files = {f"windows__Get-NetAdapterRsc__{name}.txt": row.format(name).encode() for name in ("a", "b")}
    sections = read_files(files).captured[0].sections
    rows = json.loads(sections["offload"].body)["Get-NetAdapterRsc"]["rows"]
    assert [one["Name"] for one in rows] == ["a", "b"]
