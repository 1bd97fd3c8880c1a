"""Outputs that went through a terminal, a logger, a pager, a chat or a web page read as those that did not, or leave settings unknown."""

import re
from collections.abc import Callable

import pytest

from plumbline.core.facts.assemble import assemble
from plumbline.core.facts.captures.copied import as_printed
from plumbline.core.facts.captures.folder import read_files
from plumbline.core.facts.configuration import HOST, Configuration, Subject, Unknown, Value

NIC_LIST = "\n".join(
    [
        "Name     PCI Device    Driver  Admin Status  Link Status  Speed  Duplex  MAC Address        MTU   Description",
        "-------  ------------  ------  ------------  -----------  -----  ------  -----------------  ----  -----------",
        *(
            f"vmnic{at:<3} 0000:0{at}:00.0  ixgben  Up            Up           10000  Full    a0:36:9f:10:20:{at:02x}  9000  Intel(R) 82599"
            for at in range(1, 9)
        ),
        "",
    ]
)
DEVICES = """naa.6090a0f8107ab1c2d3e4f50000000aaa
   Device Display Name: EQLOGIC iSCSI Disk (naa.6090a0f8107ab1c2d3e4f50000000aaa)
   Storage Array Type: VMW_SATP_EQL
   Storage Array Type Device Config: SATP VMW_SATP_EQL does not support device configuration.
   Path Selection Policy: VMW_PSP_RR
   Path Selection Policy Device Config: {policy=rr,iops=3,bytes=10485760,useANO=0; lastPathIndex=1: NumIOsPending=0,numBytesPending=0}
   Path Selection Policy Device Custom Config:
   Working Paths: vmhba64:C0:T1:L0, vmhba64:C1:T1:L0
   Is USB: false
"""
ADAPTERS = """
Name                      InterfaceDescription                    ifIndex Status       MacAddress             LinkSpeed
----                      --------------------                    ------- ------       ----------             ---------
SAN1                      Broadcom BCM57810 NetXtreme II 10 Gi...      12 Up           00-10-18-AA-01-01        10 Gbps
SAN2                      Broadcom BCM57810 NetXtreme II 10...#2       13 Up           00-10-18-AA-01-02        10 Gbps
LAN                       Broadcom NetXtreme Gigabit Ethernet          14 Disconnected 00-10-18-AA-01-03          0 bps
"""
RSS = """
Name                                            : SAN1
InterfaceDescription                            : Intel(R) Ethernet Server Adapter X520-2
Enabled                                         : True
NumberOfReceiveQueues                           : 8
Profile                                         : NUMAStatic
BaseProcessor: [Group:Number]                   : 0:0
MaxProcessor: [Group:Number]                    : 0:30
MaxProcessors                                   : 16
"""
FILES = {
    "esxi__esxcli-network-nic-list__x.txt": NIC_LIST,
    "esxi__esxcli-storage-nmp-device-list__x.txt": DEVICES,
    "windows__Get-NetAdapter__x.txt": ADAPTERS,
    "windows__Get-NetAdapterRss__x.txt": RSS,
}
ERASED = "--More--"
LOG_IN = """The time and date of this login have been sent to the system logs.

WARNING:
   All commands run on the ESXi shell are logged and may be included in
   support bundles. Do not provide passwords directly on the command line.
   Most tools can prompt for secrets or accept them from standard input.

VMware offers powerful and supported automation tools. Please see
www.vmware.com/go/sysadmintools for details.

The ESXi Shell can be disabled by an administrative user. See the
vSphere Security documentation for more information.
"""
STARS = "*" * 22
TRANSCRIPT = (
    f"{STARS}\nStart der Windows PowerShell-Aufzeichnung\nStartzeit: 20260311102231\nBenutzername: CORP\\op\n{STARS}\n"
    "Die Aufzeichnung wurde gestartet. Die Ausgabedatei ist C:\\temp\\san.txt\n%s\n"
    f"{STARS}\nEnde der Windows PowerShell-Aufzeichnung\nEndzeit: 20260311102301\n{STARS}\n"
)


def paged(prompt: str, each: int = 4) -> Callable[[str], str]:
    """With a pager's prompt after every few lines."""

    def change(text: str) -> str:
        lines = text.split("\n")
        return "\n".join(line if not at or at % each else f"{line}\n{prompt}" for at, line in enumerate(lines))

    return change


def wiped(wipe: str) -> Callable[[str], str]:
    """With a prompt that the pager wiped: what follows is in the same line of the file."""

    def change(text: str) -> str:
        lines = text.split("\n")
        return "\n".join(line if not at or at % 4 else wipe + line for at, line in enumerate(lines))

    return change


def each_line(change: Callable[[str], str]) -> Callable[[str], str]:
    return lambda text: "\n".join(change(line) for line in text.split("\n"))


# What copying leaves of an output, by what did it; the text must read as before.
COPIES: dict[str, Callable[[str], str | bytes]] = {
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "CR twice": lambda text: text.replace("\n", "\r\r\n"),
    "UTF-16 of a redirection": lambda text: b"\xff\xfe" + text.replace("\n", "\r\n").encode("utf-16-le"),
    "UTF-16 without its mark": lambda text: text.encode("utf-16-be"),
    "UTF-8 with its mark": lambda text: b"\xef\xbb\xbf" + text.encode(),
    "spaces at the ends of lines": each_line(lambda line: line + "   "),
    "lines as long as the window": each_line(lambda line: line.ljust(160)),
    "indented as in a mail": each_line(lambda line: "    " + line if line.strip() else line),
    "quoted": each_line(lambda line: "> " + line),
    "quoted without a space": each_line(lambda line: ">" + line),
    "a fence of Markdown": lambda text: f"```text\n{text}\n```\n",
    "no-break spaces": lambda text: text.replace("  ", "\u00a0 "),
    "PuTTY's log": lambda text: f"=~=~=~=~=~=~=~=~=~=~=~= PuTTY log 2026.03.11 10:22:31 =~=~=~=~=~=~=~=~=~=~=~=\n{text}",
    "more of cmd": paged("-- More  --"),
    "more of cmd with its share": paged("-- More (34%) --"),
    "more of a German cmd": paged("-- Fortsetzung --"),
    "more of a Japanese cmd": paged("-- 続き --"),
    "more of ESXi's shell": paged("--More-- (31% of 2094 bytes)"),
    "Out-Host -Paging": paged("<SPACE> next page; <CR> next line; Q quit"),
    "less": paged("lines 1-4/20 21%"),
    "a prompt wiped by spaces": wiped(f"{ERASED}\r{' ' * len(ERASED)}\r"),
    "a prompt wiped by backspaces": wiped(ERASED + "\b" * len(ERASED) + " " * len(ERASED) + "\b" * len(ERASED)),
    "a coloured prompt": wiped(f"\x1b[7m{ERASED}\x1b[27m\r{' ' * len(ERASED)}\r"),
    "ESXi's words at log-in": lambda text: LOG_IN + "\n" + text,
    "a transcript": lambda text: TRANSCRIPT % text,
}


def _read(name: str, content: str | bytes) -> Configuration:
    folder = read_files({name: content if isinstance(content, bytes) else content.encode()})
    assert folder.unknown_names == ()
    (captured,) = folder.captured
    assembled = assemble(captured.platform, captured.sections)
    assert assembled.internal_errors == ()
    return assembled.configuration


def _values(configuration: Configuration) -> dict[tuple[Subject, str], object]:
    return {
        (subject, key): reading.value
        for subject in configuration.all_subjects()
        for key, reading in configuration.keys(subject).items()
        if isinstance(reading, Value)
    }


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("copy", COPIES)
def test_a_copy_reads_as_the_output(name: str, copy: str) -> None:
    before = _values(_read(name, FILES[name]))
    assert len(before) > 2
    assert _values(_read(name, COPIES[copy](FILES[name]))) == before


@pytest.mark.parametrize("width", [80, 100])
def test_a_table_broken_at_the_width_of_its_window_is_joined(width: int) -> None:
    name = "esxi__esxcli-network-nic-list__x.txt"
    assert _values(_read(name, _broken(NIC_LIST, width))) == _values(_read(name, NIC_LIST))


def _broken(text: str, width: int) -> str:
    return "\n".join(line[at : at + width] for line in text.split("\n") for at in range(0, max(len(line), 1), width))


def test_a_table_of_tabs_reads_as_one_of_spaces() -> None:
    name = "esxi__esxcli-network-nic-list__x.txt"
    cells = re.sub(r"(?m)(?<=\S)  +(?=\S)", "\t", NIC_LIST.replace("Status  L", "Status  L"))
    assert "\t" in cells
    assert _values(_read(name, cells)) == _values(_read(name, NIC_LIST))


def test_what_a_broken_line_left_is_no_adapter() -> None:
    """Without its line of dashes nothing shows where the lines were broken: rows are lost, none is made up."""
    heading, _, *rows = NIC_LIST.split("\n")
    old = "\n".join([heading.replace("Admin Status  ", ""), *(row.replace("Up            ", "", 1) for row in rows)])
    configuration = _read("esxi__esxcfg-nics-l__x.txt", _broken(old, 80))
    names = {configuration.value(subject, "name") for subject in configuration.subjects("adapter")}
    assert names <= {f"vmnic{at}" for at in range(1, 9)}


def test_a_list_in_which_no_adapter_was_recognised_is_no_proof_that_there_is_none() -> None:
    configuration = _read("esxi__esxcli-network-nic-list__x.txt", "Name  Driver  MAC Address\n----  ------  -----------\ncription  x  y\n")
    assert configuration.subjects("adapter") == ()
    assert "no adapter could be read" in configuration.unlisted["adapter"]


def test_a_block_that_was_cut_off_has_no_paths_to_count() -> None:
    cut = DEVICES[: DEVICES.index("   Path Selection Policy Device Custom")]
    configuration = _read("esxi__esxcli-storage-nmp-device-list__x.txt", cut)
    volumes = configuration.subjects("volume")
    assert not any(isinstance(configuration.read(volume, "paths_healthy"), Value) for volume in volumes)


def test_a_switch_whose_block_was_cut_off_has_unknown_uplinks() -> None:
    text = "vSwitch1\n   Name: vSwitch1\n   Class: cswitch\n   Num Ports: 2560\n   MTU: 9000\n"
    configuration = _read("esxi__esxcli-network-vswitch-standard-list__x.txt", text)
    assert configuration.value(Subject("vswitch", "vSwitch1"), "mtu") == 9000
    assert isinstance(configuration.read(Subject("vswitch", "vSwitch1"), "uplinks"), Unknown)


def test_options_of_a_broken_row_are_unknown() -> None:
    text = "Name                   Type          Value  Description\nRSS                    array of int      Receive-Side\n1 = on\n"
    reading = _read("esxi__esxcli-system-module-parameters-list-m-ixgbe__x.txt", text).read(Subject("module", "ixgbe"), "parameters")
    assert not isinstance(reading, Value) or all("1" not in option for option in reading.value), reading  # type: ignore[union-attr]
    junk = _read("esxi__esxcli-system-module-parameters-list-m-ixgbe__x.txt", "(0,1), default 1 = on\n")
    assert isinstance(junk.read(Subject("module", "ixgbe"), "parameters"), Unknown)


def test_priorities_are_known_where_all_eight_are_shown() -> None:
    heading = "Priority   Enabled    PolicySet        IfIndex IfAlias\n--------   -------    ---------        ------- -------\n"
    rows = [f"{at}          {at == 4!s:10} Global\n" for at in range(8)]
    name = "windows__Get-NetQosFlowControl__x.txt"
    assert _read(name, heading + "".join(rows)).value(HOST, "qos.pfc_priorities") == (4,)
    reading = _read(name, heading + "".join(rows[:4])).read(HOST, "qos.pfc_priorities")
    assert isinstance(reading, Unknown)
    assert "0, 1, 2, 3" in reading.reason


@pytest.mark.parametrize(
    "text",
    [
        "> esxcli network nic list\nName  Driver\n----  ------\nvmnic0  ixgben",  # a prompt, not a quotation
        "-- \nName : SAN1\n--- 10.0.0.1 ping statistics ---\n-----  -----",
        "   Name: vSwitch0\n   MTU: 9000",  # an indentation of esxcli's own
        "********\nDescription: ***\n",
    ],
)
def test_what_an_output_may_hold_itself_stays(text: str) -> None:
    assert as_printed(text) == text
