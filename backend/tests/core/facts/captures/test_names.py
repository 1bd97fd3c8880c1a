"""Names that people give to captured outputs, and other files in the folder."""

from pathlib import Path

import pytest

from plumbline.core.facts.captures.folder import LARGEST_FILE, read_folder
from plumbline.core.facts.captures.names import recognise, recognise_typed


@pytest.mark.parametrize(
    ("name", "command"),
    [
        ("windows__netsh_int_tcp_show_global__x.txt", "netsh int tcp show global"),
        ("windows__netsh int tcp show global__x.txt", "netsh int tcp show global"),
        ("WINDOWS__GET-NETADAPTER__X.TXT", "Get-NetAdapter"),
        ("windows__Get-NetAdapter.log", "Get-NetAdapter"),
        ("windows__Get-NetAdapterRss__sql-03.example.com.json", "Get-NetAdapterRss"),
        ("windows__powershell-Get-NetAdapterRss__x.txt", "Get-NetAdapterRss"),
        ("windows__Get-CimInstance-Win32_OperatingSystem__x.txt", "Win32_OperatingSystem"),
        ("windows__Get-WmiObject-Class-Win32_NetworkAdapterConfiguration__x.txt", "Win32_NetworkAdapterConfiguration"),
        ("windows__gwmi-Namespace-root-wmi-Class-MPIO_DISK_INFO__x.txt", "MPIO_DISK_INFO"),
        ("windows__mpclaim.exe-s-d-3__x.txt", "mpclaim -s -d"),
        ("windows__mpclaim-v__x.txt", "mpclaim -s -d"),
        (
            "windows__reg-query-HKLM-SYSTEM-CurrentControlSet-Services-Tcpip-Parameters-Interfaces-s__x.txt",
            "registry:Tcpip/Parameters/Interfaces",
        ),
        ("esxi__esxcli --formatter=json network nic list__x.json", "esxcli network nic list"),
        ("esxi__esxcli-debug-formatter-json-network-nic-list__x.txt", "esxcli network nic list"),
        ("esxi__localcli-network-nic-list__x.txt", "esxcli network nic list"),
        ("esxi__esxcli-network-nic-pauseparams-list__x.txt", "esxcli network nic pauseParams list"),
        ("esxi__vim-cmd-hostsvc-hostsummary__x.txt", "vim-cmd hostsvc/hostsummary"),
    ],
)
def test_names_of_one_command(name: str, command: str) -> None:
    known = recognise(name)
    assert known is not None
    assert known.command == command


@pytest.mark.parametrize(
    "name",
    [
        "windows__Get-NetAdapterStatistics__x.txt",
        "windows__mpclaim-e__x.txt",
        "windows__reg-query-HKLM-Software__x.txt",
        "esxi__esxcli-network-nic-listing__x.txt",
        "esxi__esxcli-network__x.txt",
        "windows____x.txt",
    ],
)
def test_what_is_not_known_stays_so(name: str) -> None:
    assert recognise(name) is None


def test_lines_typed_at_a_prompt() -> None:
    typed = {
        r"C:\Windows\System32\mpclaim.exe -s -d 0": "mpclaim -s -d",
        "Get-NetAdapterRss -Name SAN1 | fl *": "Get-NetAdapterRss",
        "$rss = Get-NetAdapterRss": "Get-NetAdapterRss",
        "netsh interface tcp show global": "netsh int tcp show global",
    }
    for line, command in typed.items():
        known = recognise_typed("windows", line)
        assert known is not None
        assert known.command == command
    assert recognise_typed("windows", "hostname") is None


def test_other_files_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "windows__Get-NetAdapterLso__a.log").write_text("Name : SAN1\nIPv4Enabled : True\n")
    (tmp_path / "windows__Get-NetAdapterRss__a.txt").write_bytes(b"")
    (tmp_path / "windows__Get-NetAdapterRsc__a.txt").mkdir()
    with (tmp_path / "esxi__esxcli-network-nic-list__a.txt").open("wb") as opened:
        opened.truncate(LARGEST_FILE + 1)
    (tmp_path / "esxi__esxcli-network-nic-get__a.txt").symlink_to(tmp_path / "nowhere")
    (tmp_path / "README.md").write_text("not looked at")
    (tmp_path / "old").mkdir()
    folder = read_folder(tmp_path)
    assert folder.unknown_names == ()
    unread = {name: reason for captured in folder.captured for name, reason in captured.unread}
    assert unread == {
        "windows__Get-NetAdapterRss__a.txt": "it is empty",
        "windows__Get-NetAdapterRsc__a.txt": "it is a folder, and only the files beside it are read",
        "esxi__esxcli-network-nic-list__a.txt": f"it is larger than {LARGEST_FILE} bytes",
        "esxi__esxcli-network-nic-get__a.txt": "it is no ordinary file",
    }
    assert {captured.platform: len(captured.sections) for captured in folder.captured} == {"windows": 1, "esxi": 0}
