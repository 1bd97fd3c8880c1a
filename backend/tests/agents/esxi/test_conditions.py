"""The ESXi agent where a host makes it hard: names beyond ASCII and no locale, hundreds of LUNs, slow lists, no file locks."""

import errno
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.agents.esxi.old_pythons import VERSIONS, missing, old_python
from tests.agents.esxi.workbench import Arrival, agent, collected, stand_in, write_samples

PORTGROUP = "iSCSI-Netz Süd"


@pytest.mark.parametrize("version", ["3", *VERSIONS])
def test_a_name_beyond_ascii_is_asked_for_without_a_locale(version: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = [sys.executable] if version == "3" else old_python(version)
    if engine is None:
        pytest.skip(missing(version))
    recorded = Path(stand_in.__file__).with_name("recorded") / "6.7.txt"
    text = recorded.read_text("utf-8")
    assert text.count("iSCSI 1") > 3
    other = tmp_path / "recorded.txt"
    other.write_text(text.replace("iSCSI 1", PORTGROUP), "utf-8")
    # The stand-in commands have a locale, whatever the host has.
    monkeypatch.setattr(stand_in, "folder_of_commands", _with_locale(stand_in.folder_of_commands))
    extra = {"STAND_IN_FILE": str(other)}
    shown = Arrival("", {}, collected("6.7", tmp_path, engine, extra=extra)).bodies()
    entry = json.loads(shown["vswitch"])[f'esxcli network vswitch standard portgroup policy failover get -p "{PORTGROUP}"']
    assert (entry["status"], "vmnic4" in entry["output"]) == ("ok", True), entry


def _with_locale(make: Any) -> Any:
    def wrapped(folder: Path, *arguments: Any, **options: Any) -> Path:
        made: Path = make(folder, *arguments, **options)
        for path in made.iterdir():
            path.write_text(path.read_text("utf-8").replace("exec ", "LC_ALL=C.UTF-8 exec ", 1), "utf-8")
        return made

    return wrapped


@pytest.mark.parametrize("version", ["3", *VERSIONS])
def test_what_is_said_to_a_person_needs_no_locale(version: str, tmp_path: Path) -> None:
    """A folder with a name beyond ASCII: not enrolled there, and the sentence about that names the folder."""
    engine = [sys.executable] if version == "3" else old_python(version)
    if engine is None:
        pytest.skip(missing(version))
    command = [*engine, str(agent.__file__), "--once", "--state", str(tmp_path / "Süd"), "--run-folder", str(tmp_path / "run")]
    environment = write_samples.environment(tmp_path, "6.7") | {"LANG": "C", "LC_ALL": "C"}
    done = subprocess.run(command, capture_output=True, env=environment, timeout=60, check=False)
    assert done.returncode == 1
    said = done.stderr.decode("utf-8", "surrogateescape")
    assert "not enrolled" in said
    assert str(tmp_path / "Süd") in said
    assert "Traceback" not in said


def _devices(count: int, configuration: str) -> str:
    rows = "".join(
        f'<structure typeName="NMPDevice"><field name="Device"><string>naa.{number:032x}</string></field>'
        f'<field name="PathSelectionPolicy"><string>VMW_PSP_RR</string></field>'
        f'<field name="PathSelectionPolicyDeviceConfig"><string>{configuration}</string></field></structure>'
        for number in range(count)
    )
    return f'<output><root><list type="structure">{rows}</list></root></output>'


@pytest.mark.parametrize(
    ("configuration", "asked"),
    [("{policy=rr,iops=3,bytes=10485760,useANO=0}", 64), ("{policy=rr}", 256)],
    ids=["shown in the list", "not shown"],
)
def test_256_luns_are_asked_one_by_one_only_where_the_list_does_not_say_it(configuration: str, asked: int) -> None:
    host = agent.Host(agent.Commands(path="/nowhere"))
    host.esxcli = lambda *words: _entry(words, _devices(256, configuration) if words[:3] == ("storage", "nmp", "device") else "")
    host.ahead = lambda *commands: None
    body = agent.section_paths(host)
    assert len([command for command, _ in body if "deviceconfig get" in command]) == asked


def _entry(words: tuple[str, ...], output: str) -> Any:
    return agent.Entry(agent.quoted(("esxcli", *words)), "ok", output, "xml")


def test_the_output_of_256_luns_with_eight_paths_fits(tmp_path: Path) -> None:
    """A path of the 6.7 sample host takes about 1.3 KB as XML."""
    tool = tmp_path / "esxcli"
    tool.write_text(f"#!/bin/sh\nexec head -c {256 * 8 * 1300} /dev/zero\n")
    tool.chmod(0o755)
    code, out, _, reason = agent.Commands(path=f"{tmp_path}:/bin:/usr/bin").run(["esxcli"], agent.monotonic() + 30)
    assert (code, len(out), reason) == (0, 256 * 8 * 1300, None)


def test_a_list_of_all_disks_gets_more_time_than_other_commands(tmp_path: Path) -> None:
    tool = tmp_path / "esxcli"
    tool.write_text("#!/bin/sh\nsleep 1.5\necho done\n")
    tool.chmod(0o755)
    commands = agent.Commands(1.0, path=f"{tmp_path}:/bin:/usr/bin")
    for words, expected in ((["storage", "core", "device", "list"], 0), (["network", "nic", "list"], None)):
        code, _, _, reason = commands.run(["esxcli", "--formatter=xml", *words], agent.monotonic() + 30)
        assert (code, reason) == (expected, None if expected == 0 else "no answer within 1 s")


def test_paths_are_read_first_and_sent_in_their_old_place() -> None:
    names = [name for name, _ in agent.reading_order()]
    assert names[:3] == ["system", "paths", "iscsi"]
    assert names[-1] == "probes"
    assert sorted(names) == sorted(name for name, _ in agent.SECTIONS)


def test_a_slow_host_sends_its_paths_and_what_else_was_read_in_time(tmp_path: Path) -> None:
    """Every other command hangs from the sections after the paths on: paths are there, and the rest shows why it was not read."""
    journal = tmp_path / "journal"
    hang = "network (nic (get|ring|stats|pause|tso|cso|sg|software|coalesce)|vswitch|ip route)|system module|software"
    extra = {"STAND_IN_HANG": hang, "STAND_IN_JOURNAL": str(journal)}
    began = time.monotonic()
    shown = collected("6.7", tmp_path, [sys.executable], "--command-seconds", "1", extra=extra)
    assert time.monotonic() - began < 60
    sections = json.loads(shown.split(b"\n", 1)[0])["sections"]
    bodies = Arrival("", {}, shown).bodies()
    assert [sections[name]["status"] for name in ("system", "paths", "iscsi", "nics", "vmkernel")] == ["ok"] * 5
    paths = json.loads(bodies["paths"])
    assert {entry["status"] for entry in paths.values()} == {"ok"}
    nics = json.loads(bodies["nics"])
    assert nics["esxcli network nic list"]["status"] == "ok"
    assert {entry["error"] for command, entry in nics.items() if "nic get" in command} == {"no answer within 1 s"}


@pytest.mark.parametrize("number", [errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOLCK])
def test_no_file_locks_is_not_another_instance(number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(agent.fcntl, "flock", refuse)
    first, second = (agent.Lock(str(tmp_path), "state") for _ in range(2))
    assert first.take()
    assert not second.take()
    # A process that ended without removing its file does not hold the lock.
    Path(first.path + ".pid").write_text("999999999")
    assert second.take()


def test_a_lock_that_another_instance_holds_is_told_apart(tmp_path: Path) -> None:
    first, second = (agent.Lock(str(tmp_path), "state") for _ in range(2))
    assert first.take()
    assert not second.take()
    assert not Path(first.path + ".pid").exists()
