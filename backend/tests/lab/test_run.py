"""The lab as a process against a real API: it enrols, checks in, changes, obeys; and what the database then holds."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlmodel import Session, select

from lab import control, fleet
from lab.esxi import servers
from lab.run import Lab, LabOptions
from plumbline.channels import runner
from plumbline.channels.ssh import SshChannel, SshCredential, SshTarget
from plumbline.channels.winrm import WinRmChannel, WinRmCredential, WinRmTarget
from plumbline.hosts.enrolment_tokens import TokenTerms, make_token
from plumbline.infra.database import session_scope
from plumbline.models.hosts import Host
from plumbline.packs import publish
from tests.checkin.conftest import Served

HOSTS = ("sql-03", "fs-01", "win-fs2", "new-01", "esx-b07", "esx-c01")


@pytest.fixture
def home(tmp_path: Path, served: Served) -> Path:
    """A home with the tokens that `plumbline up` writes."""
    run = tmp_path / "run"
    run.mkdir()
    with session_scope() as session:
        for name, is_auto in (("lab", True), ("lab-waiting", False)):
            made = make_token(session, TokenTerms(name=name, group_id=1, is_auto_approved=is_auto, is_lab=True, uses=100))
            (run / f"{name}.token").write_text(made.token + "\n")
    (run / "address").write_text(served.url + "\n")
    return tmp_path


@pytest.fixture
def start(home: Path) -> Iterator[Callable[..., Lab]]:
    running: list[tuple[Lab, threading.Thread]] = []

    def begin(*hosts: str, interval: float = 3600, with_events: bool = False) -> Lab:
        lab = Lab(LabOptions(home, hosts=hosts or HOSTS, interval_seconds=interval, with_events=with_events))
        thread = threading.Thread(target=lab.run, daemon=True)
        thread.start()
        running.append((lab, thread))
        return lab

    yield begin
    for lab, thread in running:
        lab.stop()
        thread.join(30)
        assert not thread.is_alive()


def _until(check: Callable[[], bool], seconds: float = 40) -> None:
    deadline = time.monotonic() + seconds
    while not check():
        assert time.monotonic() < deadline, "not in time"
        time.sleep(0.1)


def _hosts() -> dict[str, Host]:
    with session_scope() as session:
        return {host.name: host for host in session.exec(select(Host))}


def test_every_host_stands_in_the_database_as_its_file_says(start: Callable[..., Lab]) -> None:
    start()
    _until(lambda: {name for name, host in _hosts().items() if host.last_seq >= 1} == set(HOSTS))
    hosts = _hosts()
    assert all(host.is_lab for host in hosts.values())
    assert (hosts["sql-03"].os_release, hosts["sql-03"].families, hosts["sql-03"].paths_healthy) == ("2016", ["bcm57810"], 4)
    assert hosts["fs-01"].initiator_modes == ["isoe"]
    assert hosts["win-fs2"].failed_sections == ["iscsi"]
    assert hosts["new-01"].state == "waiting"
    assert (hosts["esx-b07"].paths_healthy, hosts["esx-b07"].paths_total) == (2, 4)


def test_a_host_stays_silent_after_its_first_check_in(start: Callable[..., Lab], home: Path) -> None:
    first = start("esx-c01")
    _until(lambda: (home / "lab" / "esx-c01" / "checked-in-once").exists())
    first.stop()
    _until(lambda: not (home / "run" / "lab-control.json").exists())
    start("esx-c01", interval=1)
    _until(lambda: (home / "run" / "lab-control.json").exists() and control.call(home, "hosts")[0]["silent"])
    assert _hosts()["esx-c01"].last_seq == 1


def test_control_changes_a_setting_and_the_server_sees_it(start: Callable[..., Lab], home: Path) -> None:
    start("sql-03")
    _until(lambda: _hosts().get("sql-03") is not None and _hosts()["sql-03"].last_seq == 1)
    before = _hosts()["sql-03"]
    changed = control.call(home, "set", host="sql-03", setting="SAN2.link", value="down")
    assert changed == {"changed": ["SAN2.link: up -> down"]}
    assert control.call(home, "check-in", host="sql-03") == {"said": "200"}
    after = _hosts()["sql-03"]
    assert (before.paths_healthy, after.paths_healthy) == (4, 2)
    assert after.configuration_id != before.configuration_id
    assert control.call(home, "journal", host="sql-03")[-1]["setting"] == "SAN2.link: up -> down"


def test_control_refuses_what_the_lab_does_not_know(start: Callable[..., Lab], home: Path) -> None:
    start("sql-03")
    _until(lambda: (home / "run" / "lab-control.json").exists())
    with pytest.raises(control.LabRefused, match="no part 'SAN9'"):
        control.call(home, "set", host="sql-03", setting="SAN9.mtu", value=9000)
    with pytest.raises(control.LabRefused, match="no host 'nobody'"):
        control.call(home, "check-in", host="nobody")
    assert (home / "run" / "lab-control.json").stat().st_mode & 0o777 == 0o600


def test_without_a_lab_the_command_says_so(tmp_path: Path) -> None:
    with pytest.raises(control.LabRefused, match="no lab runs"):
        control.call(tmp_path, "hosts")


def test_unchanged_check_ins_send_no_bodies_again(start: Callable[..., Lab], home: Path) -> None:
    start("sql-03", "esx-b07")
    _until(lambda: {name: host.last_seq for name, host in _hosts().items()} == {"sql-03": 1, "esx-b07": 1})
    with session_scope() as session:
        before = _bodies(session)
    for name in ("sql-03", "esx-b07"):
        assert control.call(home, "check-in", host=name)["said"] in ("200", "exit 0")
    assert {host.last_seq for host in _hosts().values()} == {2}
    with session_scope() as session:
        assert _bodies(session) == before


def _bodies(session: Session) -> int:
    from sqlmodel import text

    return int(session.execute(text("SELECT count(*) FROM section_body")).scalar_one())


def test_a_running_lab_host_can_be_read_over_ssh(start: Callable[..., Lab], home: Path) -> None:
    start("esx-b10")
    file = home / "run" / "lab-channels.json"
    _until(file.exists)
    assert file.stat().st_mode & 0o777 == 0o600
    _until(lambda: bool(file.read_text()))
    said = json.loads(file.read_text())
    reach = said["hosts"]["esx-b10"]
    place = SshTarget(reach["address"], reach["port"], tuple(reach["pins"]))
    with SshChannel(place, SshCredential(said["account"], private_key=said["private_key"])) as channel:
        assert "8.0.3" in channel.run("esxcli system version get", deadline_seconds=20).text(what="esxcli")


def test_the_whole_fleet_is_up_in_time_and_a_believable_mix(start: Callable[..., Lab], home: Path) -> None:
    with session_scope() as session:
        publish.install_builtin(session)
    start(*[spec.name for spec in fleet.load()])
    _until(lambda: len(_hosts()) == len(fleet.load()) and all(host.last_seq >= 1 for host in _hosts().values()), 60)
    hosts = _hosts()
    waiting = {name for name, host in hosts.items() if host.state == "waiting"}
    scores = {name: host.score for name, host in hosts.items() if name not in waiting}
    assert waiting == {"new-01"}
    assert all(score is not None for score in scores.values())
    # Some all right, some not: a fleet that is all green or all red shows nobody anything.
    assert sum(score >= 95 for score in scores.values() if score is not None) >= 8
    assert sum(score <= 75 for score in scores.values() if score is not None) >= 4
    assert any(host.capped_by for host in hosts.values())
    assert (scores["sql-03"] or 0) > (scores["sql-05"] or 0)


def test_hosts_of_both_kinds_can_be_changed_and_told_to_check_in(start: Callable[..., Lab], home: Path) -> None:
    prepared = servers.prepare_changes(home)
    assert len({row["port"] for row in prepared["hosts"].values()}) == len(fleet.load())
    lab = start("sql-05", "esx-b07")
    file = home / "run" / "lab-channels.json"
    _until(lambda: file.exists() and all(member.last_at for member in lab.members.values()))
    about = json.loads(file.read_text())
    windows, esxi = about["hosts"]["sql-05"], about["hosts"]["esx-b07"]
    # Plumbline was told before the lab ran, and it was true.
    assert (windows, esxi) == (prepared["hosts"]["sql-05"], prepared["hosts"]["esx-b07"])
    assert {key: about[key] for key in ("account", "private_key", "winrm")} == {
        key: prepared[key] for key in ("account", "private_key", "winrm")
    }
    signed = WinRmCredential("certificate", **about["winrm"])
    asked = {
        "v": 1,
        "verb": "read",
        "host_id": "ab" * 16,
        "job_id": "cd" * 16,
        "op_id": "ef" * 16,
        "nonce": "12" * 16,
        "gen": 0,
        "attempt": 0,
    }
    asked |= dict.fromkeys(("boot_id", "not_after_uptime_s", "restart", "deadman_s", "health_floor")) | {"step": []}
    with WinRmChannel(WinRmTarget("127.0.0.1", windows["port"], certificate_sha256=windows["pins"][0]), signed) as channel:
        place = runner.shipped_runner("windows")
        assert runner.send_request(channel, place, asked).state == "none"
        before = lab.members["sql-05"].last_at
        assert runner.start_agent(channel, place) == ""
        assert lab.members["sql-05"].last_at > before
    credential = SshCredential(about["account"], private_key=about["private_key"])
    with SshChannel(SshTarget("127.0.0.1", esxi["port"], tuple(esxi["pins"])), credential) as ssh:
        place = runner.shipped_runner("esxi", esxi["folder"])
        assert runner.send_request(ssh, place, asked).state == "none"
        assert runner.start_agent(ssh, place) == ""
    boot = lab.members["sql-05"].host.folder / "boot"
    named = boot.read_text()
    control.call(home, "boot", host="sql-05")
    control.call(home, "fence", host="sql-05", gen=12)
    control.call(home, "set", host="sql-05", setting="fault.lie", value="2")
    assert control.call(home, "faults", host="sql-05")["set"]["lie"] == 2
    with WinRmChannel(WinRmTarget("127.0.0.1", windows["port"], certificate_sha256=windows["pins"][0]), signed) as channel:
        found = runner.send_request(channel, runner.shipped_runner("windows"), asked)
    assert found.boot_id != named
    assert found.fence == runner.Fence(12, 0)
