"""The real file on recorded hosts, under the Pythons that are here."""

import json
import os
import re
import sys
import time
from pathlib import Path

import jsonschema
import pytest
import yaml

from tests.agents.esxi.old_pythons import VERSIONS, missing, old_python
from tests.agents.esxi.workbench import (
    AGENT,
    RECORDINGS,
    REPOSITORY,
    SAMPLES,
    Arrival,
    agent,
    collected,
    python_27,
    stand_in,
    write_samples,
)

SCHEMA = json.loads((REPOSITORY / "agents" / "schema" / "check-in.schema.json").read_text())
SECTIONS = yaml.safe_load((REPOSITORY / "agents" / "schema" / "esxi-sections.yaml").read_text())


def bodies(body: bytes) -> dict[str, bytes]:
    """Section bodies of a printed check-in."""
    return Arrival("", {}, body).bodies()


def envelope(body: bytes) -> dict[str, object]:
    """Line 1 of a printed check-in."""
    return json.loads(body.split(b"\n", 1)[0])  # type: ignore[no-any-return]


@pytest.mark.parametrize("path", sorted((REPOSITORY / "agents" / "schema" / "samples").glob("*/*.checkin")), ids=lambda path: path.stem)
def test_samples_keep_the_schema(path: Path) -> None:
    jsonschema.Draft202012Validator(SCHEMA).validate(envelope(path.read_bytes()))


@pytest.mark.parametrize(
    "change",
    [
        {"v": 2},
        {"boot": "x"},
        {"extra": 1},
        {"rejected": -1},
        {"runner_before": {}},
        {"sections": {"nics": {"status": "ok", "took_ms": 1}}},
        {"sections": {"nics": {"status": "failed", "took_ms": 1}}},
        {
            "counters": {
                "at": "2026-01-01T00:00:00Z",
                "uptime_s": 1,
                "series": [{"subject": "disk/1", "name": "reads", "value": 1, "kind": "total"}],
            }
        },
    ],
)
def test_the_schema_can_fail(change: dict[str, object]) -> None:
    document = envelope((SAMPLES / "8.0.checkin").read_bytes()) | change
    assert not jsonschema.Draft202012Validator(SCHEMA).is_valid(document)


@pytest.mark.parametrize("recording", RECORDINGS)
def test_python_3_sends_the_sample(recording: str, tmp_path: Path) -> None:
    shown = collected(recording, tmp_path, [sys.executable])
    assert bodies(shown) == bodies((SAMPLES / f"{recording}.checkin").read_bytes())
    jsonschema.Draft202012Validator(SCHEMA).validate(envelope(shown))
    assert {facts["status"] for facts in envelope(shown)["sections"].values()} == {"ok"}  # type: ignore[attr-defined]


@pytest.mark.parametrize("recording", ["5.5", "6.7-german", "8.0"])
@pytest.mark.parametrize("version", VERSIONS)
def test_the_pythons_of_esxi_send_the_same_bytes(version: str, recording: str, tmp_path: Path) -> None:
    engine = old_python(version) or (python_27() if version == "2.7" else None)
    if engine is None:
        pytest.skip(missing(version))
    assert bodies(collected(recording, tmp_path, engine)) == bodies((SAMPLES / f"{recording}.checkin").read_bytes())


def test_every_command_of_the_agreement_is_asked_for(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    # A release that lacks the newer commands is asked for the fallbacks too.
    deny = "pauseParams|ring|tso get|cso get|coalesce|nic get|interface list|standard list"
    for extra in ({}, {"STAND_IN_DENY": deny}):
        collected("6.7", tmp_path, [sys.executable], extra={"STAND_IN_JOURNAL": str(journal), **extra})
    asked = {words_of(line) for line in journal.read_text().splitlines()}
    wanted = [item[key] for section in SECTIONS.values() for item in section for key in ("command", "below") if key in item]
    # The keys are read from a folder; that the list of adapters has its fallback is shown where that list hangs.
    elsewhere = ("ssh host keys", "esxcfg-nics -l")
    assert [command for command in wanted if command not in elsewhere and words_of(command) not in asked] == []


def words_of(line: str) -> str:
    """A command line without formatter, and without the values of its options."""
    words = [word for word in line.split() if word != "--debug" and not word.startswith("--formatter=")]
    if words[0] != "esxcli":
        return " ".join(word for word in words[:4] if not word.startswith("vmnic")) if words[0] not in ("vmkping",) else words[0]
    if "advanced" in words:
        return " ".join(words)
    first = next((position for position, word in enumerate(words) if word.startswith("-")), len(words))
    return " ".join(words[:first] + [word for word in words[first:] if re.fullmatch("-[a-zA-Z]", word)])


def test_json_is_taken_where_xml_is_refused_and_text_where_both_are(tmp_path: Path) -> None:
    read = {}
    lists = {"nics": "esxcli network nic list", "vmkernel": "esxcli network ip interface list"}
    for formats in ("json", "none"):
        shown = bodies(collected("8.0", tmp_path, [sys.executable], extra={"STAND_IN_FORMATS": formats}))
        read[formats] = {json.loads(shown[name])[command]["format"] for name, command in lists.items()}
        # The same adapters, targets and interfaces were found to ask after, whatever the format.
        for name in ("nics", "iscsi", "vswitch", "paths", "modules"):
            assert list(json.loads(shown[name])) == list(json.loads(bodies((SAMPLES / "8.0.checkin").read_bytes())[name]))
    assert read == {"json": {"json"}, "none": {"text"}}


def test_wanted_sections_only(tmp_path: Path) -> None:
    assert sorted(bodies(collected("5.5", tmp_path, [sys.executable], "--want", "nics,iscsi"))) == ["iscsi", "nics"]


def test_collecting_writes_nothing(tmp_path: Path) -> None:
    environment = write_samples.environment(tmp_path, "5.5")
    before = sorted(path for path in tmp_path.rglob("*"))
    assert not Path(environment["PLUMBLINE_RUN_FOLDER"]).exists()
    collected("5.5", tmp_path, [sys.executable])
    assert sorted(path for path in tmp_path.rglob("*")) == before


@pytest.mark.parametrize(
    ("pattern", "section", "command"),
    [
        ("network nic list", "nics", "esxcli network nic list"),
        ("nic get -n vmnic4|param get|vib list", "software", "esxcli software vib list"),
        ("^(vsish|vim-cmd|vmkping)", "probes", ""),
    ],
)
def test_a_hung_command_costs_its_own_read_only(pattern: str, section: str, command: str, tmp_path: Path) -> None:
    began = time.monotonic()
    journal = tmp_path / "journal"
    extra = {"STAND_IN_HANG": pattern, "STAND_IN_JOURNAL": str(journal)}
    shown = collected("5.5", tmp_path, [sys.executable], "--command-seconds", "0.7", extra=extra)
    # What a whole check-in may take, on a machine however busy; the commands that hang would take ten minutes each.
    assert time.monotonic() - began < 60
    assert ("esxcfg-nics -l" in journal.read_text()) == (section == "nics")
    sections = envelope(shown)["sections"]
    # Every read of 5.5 in that section is for one adapter, and none could be named.
    without = {"nic_tuning"} if section == "nics" else set()
    assert {name for name, facts in sections.items() if facts["status"] != "ok"} == without  # type: ignore[attr-defined]
    for name in without:
        assert sections[name]["error"] == f"{command}: no answer within 0.7 s"  # type: ignore[index]
    # What runs along the list of adapters is not empty because the list is: it could not be asked, and that is told.
    for name in ("nics", "modules") if section == "nics" else (section,) if command else ():
        entry = json.loads(bodies(shown)[name])[command]
        assert (entry["status"], entry["error"]) == ("failed", "no answer within 0.7 s")
    if not command:
        outcomes = {item["outcome"] for item in json.loads(json.loads(bodies(shown)["probes"])["vmkping"]["output"])}
        assert outcomes == {"not_run"}


def test_everything_hung_still_makes_a_check_in(tmp_path: Path) -> None:
    shown = collected("5.5", tmp_path, [sys.executable], "--command-seconds", "0.15", extra={"STAND_IN_HANG": "."})
    document = envelope(shown)
    jsonschema.Draft202012Validator(SCHEMA).validate(document)
    assert {facts["status"] for name, facts in document["sections"].items() if name not in ("probes", "system")} <= {"failed", "ok"}  # type: ignore[attr-defined]
    assert document["sections"]["nics"]["status"] == "failed"  # type: ignore[index]


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_each_command_hung_in_turn(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    collected("5.5", tmp_path, [sys.executable], extra={"STAND_IN_JOURNAL": str(journal)})
    # One line of each command: that it hangs for every adapter alike is shown by the time limits of its section.
    lines = {words_of(line): line for line in journal.read_text().splitlines()}
    assert len(lines) > 40
    for line in lines.values():
        began = time.monotonic()
        shown = collected("5.5", tmp_path, [sys.executable], "--command-seconds", "1", extra={"STAND_IN_HANG": "^" + re.escape(line) + "$"})
        assert time.monotonic() - began < 60, line
        assert envelope(shown)["v"] == 1, line


@pytest.mark.slow
def test_everything_hung_at_the_limits_of_the_field_takes_less_than_a_minute(tmp_path: Path) -> None:
    began = time.monotonic()
    collected("5.5", tmp_path, [sys.executable], extra={"STAND_IN_HANG": "."})
    assert time.monotonic() - began < 60


def test_a_command_that_leaves_a_child_behind_is_ended_with_it(tmp_path: Path) -> None:
    tool = tmp_path / "esxcli"
    tool.write_text("#!/bin/sh\nsleep 300 &\necho $! > " + str(tmp_path / "pid") + "\nsleep 300\n")
    tool.chmod(0o755)
    commands = agent.Commands(0.5, path=f"{tmp_path}:/bin:/usr/bin")
    code, _, _, reason = commands.run(["esxcli"], agent.monotonic() + 5)
    assert (code, reason) == (None, "no answer within 0.5 s")
    pid = int((tmp_path / "pid").read_text())
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline and _is_alive(pid):
        time.sleep(0.02)
    assert not _is_alive(pid)


def _is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
    return state != "Z"


def test_output_without_end_is_cut_off(tmp_path: Path) -> None:
    tool = tmp_path / "yes-forever"
    tool.write_text("#!/bin/sh\nexec yes\n")
    tool.chmod(0o755)
    _, out, _, reason = agent.Commands(5, path=f"{tmp_path}:/bin:/usr/bin").run(["yes-forever"], agent.monotonic() + 5)
    assert reason == "more than 4194304 bytes of output"
    assert len(out) <= 4194304


def test_probes_tell_too_big_from_silent_without_reading_words(tmp_path: Path) -> None:
    shown = json.loads(json.loads(bodies((SAMPLES / "7.0.checkin").read_bytes())["probes"])["vmkping"]["output"])
    outcomes = {(item["vmk"], item["size"]): item["outcome"] for item in shown}
    assert outcomes == {("vmk1", 9000): "ok", ("vmk1", 1500): "ok", ("vmk2", 9000): "too_big", ("vmk2", 1500): "ok"}
    commands = stand_in.folder_of_commands(tmp_path / "commands", ("esxcli", "vmkping"))
    # The same answers in another language: figures and exit code alone decide.
    text = Path(stand_in.__file__).read_text()
    words = {
        "packets transmitted": "Pakete gesendet",
        "packets received": "empfangen",
        "packet loss": "Verlust",
        "Message too long": "zu lang",
    }
    for english, other in words.items():
        text = text.replace(english, other)
    (tmp_path / "stand_in.py").write_text(text)
    for tool in commands.iterdir():
        tool.write_text(tool.read_text().replace(stand_in.__file__, str(tmp_path / "stand_in.py")))
    os.environ["STAND_IN_FILE"] = str(AGENT.parent / "tests" / "recorded" / "7.0.txt")
    try:
        host = agent.Host(agent.Commands(5, path=str(commands)), 30)
        listed, _ = agent.probe(host, ("vmk2", 9000, "10.10.10.117", "", "10.10.10.11"))
        silent, _ = agent.probe(host, ("vmk2", 9000, "10.10.10.117", "", "10.10.10.99"))
    finally:
        del os.environ["STAND_IN_FILE"]
    assert [(dict(item)["size"], dict(item)["outcome"]) for item in listed] == [(1500, "ok"), (9000, "too_big")]
    assert {dict(item)["outcome"] for item in silent} == {"silent"}


@pytest.mark.parametrize(("mtu", "sizes"), [(1500, [1500]), (9000, [1500, 9000]), (9190, [1500, 9000, 9190])])
def test_pings_have_the_own_size_what_portals_carry_and_the_ordinary_size(mtu: int, sizes: list[int], tmp_path: Path) -> None:
    tool = tmp_path / "vmkping"
    tool.write_text('#!/bin/sh\necho "1 packets transmitted, 1 packets received, 0% packet loss"\n')
    tool.chmod(0o755)
    host = agent.Host(agent.Commands(5, path=f"{tmp_path}:/bin:/usr/bin"), 30)
    listed, _ = agent.probe(host, ("vmk2", mtu, "", "", "10.10.10.11"))
    assert [dict(item)["size"] for item in listed] == sizes


def test_a_ping_is_as_large_as_the_headers_of_its_family_leave_room_for(tmp_path: Path) -> None:
    """20 bytes of IPv4 or 40 of IPv6, and 8 of the echo request, are part of the L3 size and not of what -s counts."""
    tool = tmp_path / "vmkping"
    tool.write_text(f'#!/bin/sh\necho "$*" >> {tmp_path}/asked\necho "1 packets transmitted, 1 packets received, 0% packet loss"\n')
    tool.chmod(0o755)
    host = agent.Host(agent.Commands(5, path=f"{tmp_path}:/bin:/usr/bin"), 30)
    for portal, netstack in (("10.10.10.11", ""), ("fd00::11", ""), ("fd00::11", "san-a")):
        listed, _ = agent.probe(host, ("vmk2", 9000, "", netstack, portal))
        assert [(dict(item)["size"], dict(item)["outcome"]) for item in listed] == [(1500, "ok"), (9000, "ok")]
    assert (tmp_path / "asked").read_text().splitlines() == [
        "-d -c 1 -W 1 -s 8972 -I vmk2 10.10.10.11",
        "-d -c 1 -W 1 -s 1472 -I vmk2 10.10.10.11",
        "-6 -d -c 1 -W 1 -s 8952 -I vmk2 fd00::11",
        "-6 -d -c 1 -W 1 -s 1452 -I vmk2 fd00::11",
        "-6 -d -c 1 -W 1 -s 8952 -I vmk2 -S san-a fd00::11",
        "-6 -d -c 1 -W 1 -s 1452 -I vmk2 -S san-a fd00::11",
    ]


def test_figures_that_change_on_every_read_stay_out_of_the_body(tmp_path: Path) -> None:
    shown = json.loads(bodies((SAMPLES / "6.7.checkin").read_bytes())["paths"])["esxcli storage nmp device list"]["output"]
    assert "lastPathIndex=?" in shown
    assert "iops=3" in shown
    first, second = (bodies(collected("6.7", tmp_path, [sys.executable], "--want", "paths,probes,iscsi,system")) for _ in range(2))
    assert first == second


def test_odd_bytes_are_cleaned_and_noted() -> None:
    assert agent.clean(b"a\x00b") == ("ab", "NUL removed")
    text, note = agent.clean(b"\xff ok \xed\xa0\x80")
    assert "ok" in text
    assert "\x00" not in text
    assert note
    assert agent.clean("Größe ストレージ".encode()) == ("Größe ストレージ", None)


def test_json_is_ascii_and_keeps_order() -> None:
    pairs = agent.Pairs([("b", 1), ("a", ["ü", None, True, 1.5]), ("c", agent.Pairs())])
    assert agent.to_json(pairs) == '{"b":1,"a":["\\u00fc",null,true,1.5],"c":{}}'
