"""The answers of ESXi lab hosts and of the stand-in commands have the shape of what real hosts print."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from lab.esxi import render
from lab.host import LabHost
from plumbline.core.facts.esxi.readers import rows_of
from plumbline.infra import resources
from tests.lab.esxi_answers import RECORDED, by_command, captured, recorded, records
from tests.lab.shapes import Records, closest

SHARED = Path(resources.AGENTS).parent.parent / "shared"
FOLDERS = [SHARED / name for name in ("captures", "captures-2")]
# One host of each release, and one with hardware initiators.
HOSTS = ("esx-a01", "esx-a02", "esx-a03", "esx-b08", "esx-b10")
RECORDINGS = sorted(path.stem for path in RECORDED.glob("*.txt"))

# Answers that are no records of fields: rows read by their form, counters of one driver, free text.
NO_RECORDS = {
    "lspci -p",
    "vmkping",
    "ethtool -S",
    "vim-cmd hostsvc/hostsummary",
    # Objects of the API as text; `test_network_hints.py` has those that are public.
    "vim-cmd hostsvc/net/query_networkhint",
    "vsish -e get /net/tcpip/instances/defaultTcpipStack/stats/tcp",
}
# fmt: off
_PORTAL_FIELDS = [
    "MAC Address", "MAC Address Valid", "IPv4", "IPv4 Subnet Mask", "IPv6", "MTU", "Vlan Supported", "Vlan ID", "Reserved Ports",
    "TOE", "TSO", "TCP Checksum", "Link Up", "Current Speed", "Rx Packets", "Tx Packets", "NIC Driver", "NIC Driver Version",
    "NIC Firmware Version", "Compliant Status", "NonCompliant Message", "NonCompliant Remedy", "Vswitch", "PortGroup", "VswitchUuid",
    "PortGroupKey", "PortKey", "Duplex", "Path Status",
]
# fmt: on
# Fields that differ, with the reason.
KNOWN: dict[str, dict[str, str]] = {
    "esxcli network ip interface list": {
        "RXDispQueue Size": "captured of 5.x and 9.0 only: which release began to print it is not known",
        "URPF": "captured of 9.0, which the lab does not have",
    },
    "esxcli software vib list": {"Platforms": "captured of 8.0 U1 in rows without their heading"},
    "esxcli system module parameters list": {"Value": "one figure or several, by the option"},
    "esxcli storage core device list": {"Revision": "letters or figures, by the model"},
    "esxcli iscsi adapter get": {"Serial Number": "a MAC, which may have no letter"},
    # Both captures were cut by their authors after the second field; the rest is of the same release, seen in full elsewhere.
    "esxcli iscsi networkportal list": dict.fromkeys(_PORTAL_FIELDS, "the captures are cut"),
}
# Commands of which no output of a real host is at hand, so that their form is that of the documentation.
NOT_CAPTURED = {
    "esxcli iscsi physicalnetworkportal list",
    "esxcli network nic cso get",
    "esxcli network nic ring preset get",
    "esxcli network nic sg get",
    "esxcli network vswitch standard portgroup policy failover get",
    "esxcli software profile get",
    "esxcli storage core adapter list",
    "esxcli storage core device stats get",
    "esxcli storage vmfs extent list",
    "esxcli system module get",
    "ethtool -a",
    "ethtool -c",
    "ethtool -g",
    "vmkfstools -P /bootbank",
    "vsish -e get /storage/scsifw/devices/DEVICE/stats",
}


def real() -> dict[str, dict[str, Records]]:
    absent = [folder.name for folder in FOLDERS if not folder.is_dir()]
    if absent:
        pytest.skip(f"outputs of real hosts are not here: {', '.join(absent)}")
    return captured(FOLDERS)


def differences(answers: Mapping[str, str]) -> list[str]:
    """What differs from the closest captured output of each command."""
    captures = real()
    found = []
    for command, text in by_command(answers).items():
        if command in captures and command not in NO_RECORDS:
            name, sentences = closest(records(text), captures[command], known=KNOWN.get(command, {}))
            found += [f"{command} ({name}): {sentence}" for sentence in sentences]
    return found


def printed(host: LabHost) -> dict[str, str]:
    """What the host's commands print as text, refusals left out."""
    return {line: answer.as_text() for line, answer in render.answers(host).items() if not answer.exit}


@pytest.mark.parametrize("name", HOSTS)
def test_a_lab_host_prints_what_real_hosts_print(name: str, lab_host: Callable[[str], LabHost]) -> None:
    assert differences(printed(lab_host(name))) == []


@pytest.mark.parametrize("name", RECORDINGS)
def test_a_recorded_host_prints_what_real_hosts_print(name: str) -> None:
    assert differences(dict(recorded(RECORDED / f"{name}.txt"))) == []


def test_commands_without_a_capture_are_listed(lab_host: Callable[[str], LabHost]) -> None:
    answers: dict[str, str] = {}
    for name in HOSTS:
        answers |= printed(lab_host(name))
    for name in RECORDINGS:
        answers |= dict(recorded(RECORDED / f"{name}.txt"))
    without = set(by_command(answers)) - set(real()) - NO_RECORDS
    print("no output of a real host:", ", ".join(sorted(without)))
    assert without == NOT_CAPTURED


def test_the_structures_say_what_real_ones_say(lab_host: Callable[[str], LabHost]) -> None:
    path = FOLDERS[0] / "esxi__esxcli-formatter-xml-network-nic-list__warlock.txt"
    if not path.is_file():
        pytest.skip("outputs of real hosts are not here")
    fields = [title for title, _ in rows_of(path.read_text("utf-8"))[0].fields()]
    answer = render.answers(lab_host("esx-b10"))["esxcli network nic list"]
    assert [title for title, _ in rows_of(answer.as_xml())[0].fields()] == fields
    part = (RECORDED / "8.0.txt").read_text("utf-8").split("==== xml esxcli network nic list\n")[1].split("==== ")[0]
    assert sorted(title for title, _ in rows_of(part)[0].fields()) == sorted(fields)
