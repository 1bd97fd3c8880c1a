"""The ESXi runner on answers of real hosts' forms: which uplink carries a path, what a driver does not offer, where a runner may live."""

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from plumbline.core.planning.runner_settings import parse
from tests.agents.esxi.workbench import REPOSITORY, _load
from tests.agents.runner.workbench import RUNNER

runner = _load(RUNNER, "host_runner_words")
TARGET = "iqn.2001-05.com.example:vol-1"
NICS = [
    {"Name": "vmnic4", "MACAddress": "00:1b:21:00:00:04", "PCIDevice": "0000:05:00.0", "LinkStatus": "Up"},
    {"Name": "vmnic5", "MACAddress": "00:1b:21:00:00:05", "PCIDevice": "0000:05:00.1", "LinkStatus": "Up"},
]


def _team(active: str, standby: str = "") -> list[dict[str, str]]:
    return [{"ActiveAdapters": active, "StandbyAdapters": standby, "UnusedAdapters": ""}]


class Host(runner.Commands):  # type: ignore[misc,name-defined]
    """Two bound VMkernel ports, one session of one target over each; `answers` replaces what a command prints, `said` what a set prints."""

    def __init__(self, answers: dict[str, Any] | None = None, said: dict[str, str] | None = None) -> None:
        super().__init__()
        self.ran: list[str] = []
        self.said = said or {}
        group = "network vswitch standard portgroup policy failover get -p "
        self.answers: dict[str, Any] = {
            "network nic list": NICS,
            "iscsi networkportal list": [],
            "network ip interface list": [
                {"Name": "vmk1", "Portgroup": "iSCSI Süd", "Portset": "vSwitch1"},
                {"Name": "vmk2", "Portgroup": "iSCSI Nord", "Portset": "vSwitch1"},
            ],
            group + "iSCSI Süd": _team("vmnic4"),
            group + "iSCSI Nord": _team("vmnic5"),
            "network ip interface ipv4 get": [
                {"Name": "vmk1", "IPv4Address": "10.10.5.11"},
                {"Name": "vmk2", "IPv4Address": "10.10.5.12"},
            ],
            "iscsi session list": [{"Target": TARGET}, {"Target": TARGET}],
            "iscsi session connection list": [
                {"Target": TARGET, "LocalAddress": "10.10.5.11", "State": "logged_in"},
                {"Target": TARGET, "LocalAddress": "10.10.5.12", "State": "logged_in"},
            ],
        } | (answers or {})

    def rows(self, *words: str) -> list[dict[str, str]]:
        command = " ".join(words)
        found = self.answers.get(command)
        if found is None or isinstance(found, str):
            raise runner.Unreadable(f"esxcli {command}: {found or 'Unknown command or namespace'}")
        return list(found)

    def run(self, words: list[str], seconds: float = 0) -> tuple[int, str]:
        line = " ".join(words)
        self.ran.append(line)
        fault = next((text for part, text in self.said.items() if part in line), None)
        return (0, "") if fault is None else (1, fault)


def _connection(**changes: str) -> dict[str, Any]:
    first, second = Host().answers["iscsi session connection list"]
    return {"iscsi session connection list": [first, second | changes]}


LAST = f"it would take the last path of {TARGET}"
GROUP = "network vswitch standard portgroup policy failover get -p iSCSI Nord"
# A port binding on a distributed switch: no port group, and the adapter's own MAC.
DISTRIBUTED = {
    "network ip interface list": [{"Name": name, "Portgroup": "N/A", "Portset": "DvsPortset-0"} for name in ("vmk1", "vmk2")],
    "iscsi networkportal list": [
        {"Vmknic": "vmk1", "MACAddress": "00:1B:21:00:00:04", "Portgroup": "N/A"},
        {"Vmknic": "vmk2", "MACAddress": "00:1b:21:00:00:05", "Portgroup": "N/A"},
    ],
}


@pytest.mark.parametrize(
    ("answers", "fault"),
    [
        pytest.param({}, None, id="one over each"),
        pytest.param(_connection(LocalAddress="10.10.5.11"), LAST, id="both over the first"),
        pytest.param(_connection(State="in_login"), LAST, id="the other is not logged in"),
        pytest.param({GROUP: _team("vmnic4")}, LAST, id="the other port group has the same uplink"),
        pytest.param({GROUP: _team("vmnic5", "vmnic4")}, None, id="the first is only a standby of the other"),
        pytest.param({GROUP: _team("vmnic5, vmnic4")}, LAST, id="a team of both may use either"),
        pytest.param({GROUP: _team("vmnic9", "vmnic4")}, LAST, id="its active uplink has no link"),
        pytest.param({"network nic list": [NICS[0], NICS[1] | {"LinkStatus": "Down"}]}, LAST, id="the other has no link"),
        pytest.param({"network nic list": [NICS[0] | {"LinkStatus": "Down"}, NICS[1]]}, None, id="nothing goes over the first"),
        pytest.param(DISTRIBUTED, None, id="distributed switch, bound"),
        pytest.param(
            {"iscsi session list": [{"Target": TARGET}, {"Target": TARGET}, {"Target": "iqn.x:other"}]}, "iqn.x:other", id="no connection"
        ),
        pytest.param({"iscsi session list": [], "iscsi session connection list": []}, None, id="no session at all"),
        pytest.param(_connection(LocalAddress="0.0.0.0"), "no VMkernel interface has the address 0.0.0.0", id="unknown address"),
        pytest.param(_connection(LocalAddress=""), "no VMkernel interface has the address that is not shown", id="no address"),
        pytest.param(DISTRIBUTED | {"iscsi networkportal list": []}, "vmk2 is on a distributed switch", id="distributed switch, not bound"),
        pytest.param({GROUP: "Connection failed"}, "Connection failed", id="teaming unread"),
        pytest.param({"iscsi session connection list": "Connection failed"}, "Connection failed", id="connections unread"),
    ],
)
def test_which_uplink_carries_a_path(answers: dict[str, Any], fault: str | None) -> None:
    found = runner.stop_fault(Host(answers), "adapter/001b21000004/receive_buffers", None)
    assert (found is None) == (fault is None), found
    assert fault is None or fault in found


def test_addresses_of_ipv6_are_joined_too() -> None:
    answers = _connection(LocalAddress="FD00::12%vmk2") | {
        "network ip interface ipv6 address list": [{"Interface": "vmk2", "Address": "fd00::12", "Netmask": "64"}]
    }
    assert runner.stop_fault(Host(answers), "vnic/vmk1/mtu", None) is None


# What a driver does not offer.

PAUSE = {"network nic pauseParams list": [{"NIC": "vmnic4", "AutoNegotiation": "true", "PauseRX": "true", "PauseTX": "false"}]}
PAUSE_ADDRESS = "adapter/001b21000004/flow_control"


@pytest.mark.parametrize(
    ("target", "command"),
    [
        ("true,true,true", "-n vmnic4 -t true"),
        ("true,false,true", "-n vmnic4 -r false -t true"),
        ("false,true,false", "-n vmnic4 -a false"),
    ],
)
def test_only_what_differs_of_pause_frames_is_sent(target: str, command: str) -> None:
    host = Host(PAUSE)
    assert runner.write_setting(host, PAUSE_ADDRESS, target, "true,true,false") is None
    assert host.ran == [f"esxcli network nic pauseParams set {command}"]


def test_pause_frames_that_stand_already_are_not_sent() -> None:
    host = Host(PAUSE)
    assert runner.write_setting(host, PAUSE_ADDRESS, "true,true,false", "true,true,false") is None
    assert host.ran == []


def test_a_driver_without_pause_auto_negotiation_says_so() -> None:
    node = "Unable to complete Sysinfo operation.  Please see the log.: Not supported: VSI node (12:net_pNics_pauseParams)"
    found = runner.write_setting(Host(PAUSE, {"-a": node}), PAUSE_ADDRESS, "false,true,true", "true,true,false")
    assert found.startswith("the driver of vmnic4 does not let pause frames (auto-negotiation among them) be set on this release: ")
    assert found.endswith(node)


def test_a_driver_without_rings_is_told_in_words() -> None:
    reading = Host({"network nic ring current get -n vmnic4": "Not supported"})
    with pytest.raises(runner.Unreadable, match="the driver of vmnic4 does not show the size of its rings: "):
        runner.read_setting(reading, "adapter/001b21000004/receive_buffers")
    found = runner.write_setting(Host(None, {"ring current set": "Not supported"}), "adapter/001b21000004/receive_buffers", "4096", "512")
    assert found.startswith("the driver of vmnic4 does not let the size of its rings be set on this release: ")


# A target of several portals.

PORTALS = [{"Adapter": "vmhba64", "Target": TARGET, "IP": f"10.10.5.{last}", "Port": "3260"} for last in (1, 2)]
ADDRESS = f"target/vmhba64>{TARGET}/delayed_ack"


def _portals(first: str, second: str) -> dict[str, Any]:
    found: dict[str, Any] = {
        "iscsi adapter list": [{"Adapter": "vmhba64", "UID": "iscsi.vmhba64"}],
        "iscsi adapter target portal list": PORTALS,
    }
    for portal, value in zip(PORTALS, (first, second), strict=True):
        command = f"iscsi adapter target portal param get -A vmhba64 -a {portal['IP']}:3260 -n {TARGET}"
        found[command] = [{"Name": "DelayedAck", "Current": value, "Inherit": "false"}]
    return found


def test_portals_that_were_set_before_one_failed_are_put_back() -> None:
    host = Host(_portals("true", "true"), {"10.10.5.2:3260": "Invalid portal"})
    found = runner.write_setting(host, ADDRESS, "false", "true")
    assert found.endswith("Invalid portal; the other portals were put back")
    assert [line.split()[-6:] for line in host.ran] == [
        ["-n", TARGET, "-k", "DelayedAck", "-v", value] for value in ("false", "false", "true")
    ]
    assert "10.10.5.1:3260" in host.ran[-1]


def test_portals_that_cannot_be_put_back_are_told() -> None:
    host = Host(_portals("true", "true"), {"10.10.5.2:3260": "Invalid portal", "-v true": "Connection failed"})
    assert runner.write_setting(host, ADDRESS, "false", "true").endswith("; and the other portals could not be put back")


@pytest.mark.parametrize(
    ("values", "mine", "is_ours"),
    [
        (("true", "false"), [ADDRESS], True),
        (("true", "false"), [], False),
        (("true", "inherit"), [ADDRESS], False),
    ],
)
def test_a_target_that_this_operation_left_half_set_is_its_own(
    values: tuple[str, str], mine: list[str], is_ours: bool, tmp_path: Path
) -> None:
    one = runner.Runner(str(tmp_path), str(tmp_path / "run"))
    one.commands = Host(_portals(*values))
    element = {"setting": ADDRESS, "seen": "true", "target": "false", "inverse": "true"}
    now = runner.read_setting(one.commands, ADDRESS)
    assert now == "differs"
    assert one.is_between(element, now, {"mine": mine}) is is_ours
    assert one.standing(element, now, {"mine": mine}) == ("new" if is_ours else "foreign")


# Where a runner may live.


def test_the_systems_own_volume_is_no_home() -> None:
    def extent(name: str, uuid: str, device: str) -> dict[str, str]:
        return {"VolumeName": name, "VMFSUUID": uuid, "DeviceName": device}

    answers = {
        "storage core device list": [{"Device": "t10.local", "IsLocal": "true"}, {"Device": "naa.san", "IsLocal": "false"}],
        "storage vmfs extent list": [
            extent("OSDATA-63aa0000-1", "63aa0000-1", "t10.local"),
            extent("ds-san", "63aa0000-2", "naa.san"),
            extent("scratch", "63aa0000-3", "t10.local"),
        ],
    }
    assert sorted(runner.local_datastores(Host(answers))) == ["63aa0000-3", "scratch"]
    assert runner.place(Host(answers))["folder"] == "/vmfs/volumes/scratch/plumbline"
    answers["storage vmfs extent list"] = answers["storage vmfs extent list"][:2]
    assert runner.place(Host(answers))["folder"] == "/etc/plumbline"


@pytest.mark.parametrize("number", [errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOLCK])
def test_no_file_locks_is_told_and_is_not_busy(number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(runner.fcntl, "flock", refuse)
    with pytest.raises(runner.Refused, match="does not offer file locks") as refusal:
        runner.Lock(str(tmp_path / "lock")).take()
    assert refusal.value.reason == "failed"


def test_pause_frames_are_marked_as_lost_with_a_restart() -> None:
    settings = parse((REPOSITORY / "agents" / "schema" / "runner-settings.yaml").read_text("utf-8"))
    marked = settings.get("esxi", "adapter.flow_control")
    assert marked is not None
    assert "/etc/rc.local.d/local.sh" in marked.until_restart
    assert "Secure Boot" in marked.until_restart
    rings = settings.get("esxi", "adapter.receive_buffers")
    assert rings is not None
    assert rings.until_restart == ""
