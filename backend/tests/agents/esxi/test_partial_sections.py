"""A list that fails costs what it would have shown, and nothing else: the rest of its section is sent, and read by the service."""

import io
import json
import os
import sys
import threading
from contextlib import redirect_stderr
from pathlib import Path
from typing import Any

import pytest

from plumbline.core.facts.assemble import Assembled, assemble
from plumbline.core.facts.configuration import HOST, SectionReading, Subject, Unknown, Value
from tests.agents.esxi.workbench import agent, stand_in
from tests.core.rules.removal import Host, Sections, Variant

RECORDED = Path(stand_in.__file__).with_name("recorded")
ERROR = "no answer within 8 s"
# The lists that others are read along, by the section that they open; what takes the place of the first fails too.
LISTS = {
    "system": ("esxcli system version get",),
    "nics": ("esxcli network nic list", "esxcfg-nics -l"),
    "vswitch": ("esxcli network vswitch standard list", "esxcfg-vswitch -l"),
    "vmkernel": ("esxcli network ip interface list", "esxcfg-vmknic -l"),
    "iscsi": ("esxcli iscsi adapter list",),
    "paths": ("esxcli storage nmp device list",),
    "software": ("esxcli software vib list",),
}
MORE = (
    "esxcli iscsi session list",
    "esxcli iscsi networkportal list",
    "esxcli iscsi adapter target portal list",
    "esxcli iscsi session connection list",
    "esxcli storage core path list",
)
DENIED = [*LISTS.values(), *((command,) for command in MORE)]


class Recorded(agent.Commands):  # type: ignore[misc]
    """Commands of a recorded host, without a process for each; those in `hanging` give no answer."""

    def __init__(self, recording: str, hanging: tuple[str, ...] = ()) -> None:
        super().__init__()
        self.recording, self.hanging = recording, hanging
        self.lock = threading.Lock()

    def find(self, name: str) -> str | None:
        return name if name in stand_in.NAMES else None

    def run(self, words: list[str], deadline: float) -> tuple[int | None, bytes, bytes, str | None]:
        line = agent.quoted([word for word in words if not word.startswith("--")])
        if line in self.hanging:
            return None, b"", b"", ERROR
        with self.lock:
            printed, said = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
            kept, sys.stdout = sys.stdout, printed
            os.environ["STAND_IN_FILE"] = str(RECORDED / f"{self.recording}.txt")
            try:
                with redirect_stderr(said):
                    code = stand_in.main(list(words))
            finally:
                sys.stdout = kept
                del os.environ["STAND_IN_FILE"]
            printed.flush()
            return code, printed.buffer.getvalue(), said.getvalue().encode(), None  # type: ignore[attr-defined]


def sent(recording: str, *hanging: str) -> tuple[Sections, dict[str, Any]]:
    """The sections as the service receives them, and the envelope's line of each."""
    check_in = agent.collect(Recorded(recording, hanging))
    lines = json.loads(check_in.line)["sections"]
    readings = {
        name: SectionReading("ok", check_in.bodies[name]) if line["status"] == "ok" else SectionReading(line["status"], error=line["error"])
        for name, line in lines.items()
    }
    return readings, lines


def entries(sections: Sections, name: str) -> dict[str, Any]:
    body: dict[str, Any] = json.loads(sections[name].body)
    return body


@pytest.mark.parametrize(("name", "lists"), LISTS.items())
def test_what_was_read_is_sent_and_the_failed_list_is_named(name: str, lists: tuple[str, ...]) -> None:
    whole, _ = sent("6.7")
    partial, lines = sent("6.7", *lists)
    assert lines[name]["status"] == "ok"
    now = entries(partial, name)
    for command in lists:
        assert (now[command]["status"], now[command]["error"]) == ("failed", ERROR)
    kept = {command: entry for command, entry in now.items() if entry["status"] == "ok"}
    assert kept
    before = entries(whole, name)
    assert {command: entry for command, entry in kept.items() if command in before} == {
        command: before[command] for command in kept if command in before
    }


def test_a_section_of_which_nothing_was_read_is_failed_with_its_first_command() -> None:
    _, lines = sent("6.7", "esxcli software vib list", "esxcli software profile get")
    _, others = sent("6.7", *(command for command in entries(sent("6.7")[0], "vmkernel")), "esxcfg-vmknic -l")
    assert lines["software"]["status"] == "ok"  # the extension answers
    assert others["vmkernel"]["status"] == "failed"
    assert others["vmkernel"]["error"] == f"esxcli network ip interface list: {ERROR}"


def test_sections_that_run_along_the_adapters_name_the_list_that_failed() -> None:
    partial, lines = sent("6.7", "esxcli network nic list", "esxcfg-nics -l", "esxcli iscsi adapter list")
    for name in ("nic_tuning", "nics"):
        assert entries(partial, name)["esxcli network nic list"]["error"] == ERROR
    assert entries(partial, "nic_tuning")["esxcli network nic pauseParams list"]["status"] == "ok"
    assert (lines["modules"]["status"], lines["modules"]["error"]) == ("failed", f"esxcli network nic list: {ERROR}")


def test_pings_are_sent_with_the_list_of_portals_that_failed() -> None:
    whole, _ = sent("6.7")
    partial, _ = sent("6.7", "esxcli iscsi session connection list")
    now = entries(partial, "probes")
    assert now["esxcli iscsi session connection list"]["error"] == ERROR
    assert json.loads(now["vmkping"]["output"])
    before, after = _assembled(whole), _assembled(partial)
    passed = [each for each in before.configuration.all_subjects() if before.configuration.value(each, "frame_probe") == "ok"]
    assert passed
    for subject in passed:
        assert isinstance(after.configuration.read(subject, "frame_probe"), Unknown), subject


def test_without_any_portal_to_ping_nothing_is_said_of_the_frames() -> None:
    lists = ("esxcli iscsi networkportal list", "esxcli iscsi adapter target portal list", "esxcli iscsi session connection list")
    _, lines = sent("6.7", *lists)
    assert lines["probes"]["status"] == "failed"


def _assembled(sections: Sections, before: tuple[Subject, ...] = ()) -> Assembled:
    found = assemble("esxi", sections, known_subjects=before)
    assert found.internal_errors == ()
    return found


@pytest.fixture(scope="module", params=["5.5-isoe", "6.7", "8.0"])
def whole_host(request: pytest.FixtureRequest) -> tuple[str, Host]:
    return request.param, Host("esxi", sent(request.param)[0])


@pytest.mark.parametrize("hanging", DENIED, ids=lambda lists: lists[0])
def test_a_list_that_hangs_changes_no_value_adds_no_item_and_betters_no_finding(
    hanging: tuple[str, ...], whole_host: tuple[str, Host]
) -> None:
    recording, host = whole_host
    partial, _ = sent(recording, *hanging)
    before = host.configuration
    after = _assembled(partial, tuple(before.all_subjects())).configuration
    assert set(after.all_subjects()) <= set(before.all_subjects())
    for subject in after.all_subjects():
        for key, reading in after.keys(subject).items():
            # Two things may show that an adapter is of the SAN; the reason names one that was read.
            if isinstance(reading, Value) and key != "role_reason":
                assert reading.value == before.value(subject, key), (subject, key, reading)
    assert host.problems_of(Variant(hanging[0], "", partial)) == []


def test_initiators_and_targets_keep_their_names_without_the_list_of_iscsi_adapters() -> None:
    whole, partial = (_assembled(sent("6.7", *hanging)[0]).configuration for hanging in ((), ("esxcli iscsi adapter list",)))
    for kind in ("initiator", "target"):
        assert partial.subjects(kind) == whole.subjects(kind)
    (initiator,) = partial.subjects("initiator")
    for key in ("driver", "mode", "name", "delayed_ack"):
        assert partial.value(initiator, key) == whole.value(initiator, key)


def test_volumes_without_the_list_of_paths_are_those_of_iscsi_adapters() -> None:
    """The recorded host has a local disk that the multipathing module lists like the volumes of the array."""
    whole, partial = (_assembled(sent("6.7", *hanging)[0]).configuration for hanging in ((), ("esxcli storage core path list",)))
    assert whole.subjects("volume")
    assert partial.subjects("volume") == whole.subjects("volume")
    both = sent("6.7", "esxcli storage core path list", "esxcli storage core adapter list")[0]
    assert _assembled(both).configuration.subjects("volume") == ()


@pytest.mark.parametrize("recording", ["5.5", "7.0"])
def test_the_disk_of_the_boot_files_shows_whether_the_host_boots_from_the_san(recording: str) -> None:
    sections, _ = sent(recording)
    entry = entries(sections, "system")["vmkfstools -P /bootbank"]
    assert "avail" not in entry["output"]
    assert entry["output"].endswith(":5")
    assert _assembled(sections).configuration.value(HOST, "boot_from_san") is False
    (volume, *_) = _assembled(sections).configuration.subjects("volume")
    body = entries(sections, "system")
    body["vmkfstools -P /bootbank"] = {**entry, "output": f"{volume.id}:5"}
    moved = _assembled({**sections, "system": SectionReading("ok", json.dumps(body).encode())}).configuration.read(HOST, "boot_from_san")
    assert isinstance(moved, Value)
    assert (moved.value, moved.source.command) == (True, "vmkfstools -P /bootbank")
