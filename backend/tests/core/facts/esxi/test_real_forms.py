"""Forms that real shells print and that the readers once misread: older tools, filters, refusals, versions of bundles."""

import json

import pytest

from plumbline.core.facts.assemble import assemble
from plumbline.core.facts.captures.folder import read_files
from plumbline.core.facts.configuration import HOST, Subject, Value
from tests.core.facts.esxi.reading import Host, entry, read_one
from tests.core.facts.esxi.test_copied_variants import captured

VMKNIC = "esxcfg-vmknic -l"
MAC = "00:50:56:aa:00:01"


def test_rows_without_ipv4_and_rows_of_ipv6() -> None:
    text = f"""\
Interface  Port Group/DVPort/Opaque Network        IP Family IP Address                    Netmask         Broadcast       MAC Address       MTU     TSO MSS   Enabled Type                NetStack  # noqa: E501
vmk0       Management Network                      IPv4      192.0.2.10                    255.255.255.0   192.0.2.255     {MAC} 1500    65535     true    STATIC              defaultTcpipStack
vmk0       Management Network                      IPv6      fe80::250:56ff:feaa:1         64                              {MAC} 1500    65535     true    STATIC, PREFERRED   defaultTcpipStack
vmk1       SAN a                                   IPv4      N/A                           N/A             N/A             {MAC} 9000    65535     false   NONE                san stack
"""  # noqa: E501
    host = read_one(VMKNIC, text)
    assert host.problems == []
    assert host.read("vnic", "vmk0", "addresses") == ("192.0.2.10", "fe80::250:56ff:feaa:1")
    shown = host.all("vnic", "vmk1")
    assert (shown["portgroup"], shown["mtu"], shown["enabled"]) == ("SAN a", 9000, False)
    assert "addresses" not in shown


def test_a_column_that_a_release_does_not_print_is_unknown() -> None:
    text = f"Interface  Port Group  IP Address  Netmask  MAC Address  MTU  Type\nvmk2  iSCSI 1  192.0.2.12  255.255.255.0  {MAC}  9000  STATIC\n"  # noqa: E501
    shown = read_one(VMKNIC, text).all("vnic", "vmk2")
    assert (shown["portgroup"], shown["addresses"], shown["mtu"]) == ("iSCSI 1", ("192.0.2.12",), 9000)
    assert shown["enabled"] == "unknown: this release does not print this column"


def test_rows_that_lost_their_spaces_and_their_heading() -> None:
    text = f"vmk3 iSCSI Netz 2 IPv4 192.0.2.13 255.255.255.0 192.0.2.255 {MAC} 9000 65535 true STATIC\n"
    shown = read_one(VMKNIC, text).all("vnic", "vmk3")
    assert (shown["portgroup"], shown["addresses"], shown["mtu"], shown["enabled"]) == ("iSCSI Netz 2", ("192.0.2.13",), 9000, True)


def test_a_row_that_is_not_understood_is_told() -> None:
    host = read_one(VMKNIC, "Interface  Port Group\nvmk4       something else\n")
    assert host.ids("vnic") == []
    assert host.problems == ["esxcfg-vmknic -l: a row is not understood: vmk4       something else"]


ROW = "vmnic3  0000:0a:00.01 bnx2x       Up   10000Mbps Full   02:10:18:00:00:03 9000   A card\n"


def test_one_row_without_a_heading() -> None:
    shown = read_one("esxcfg-nics -l", ROW).all("adapter", "021018000003")
    assert (shown["name"], shown["pci"], shown["driver"], shown["link_up"], shown["admin_up"]) == (
        "vmnic3",
        "0000:0a:00.1",
        "bnx2x",
        True,
        True,
    )
    assert (shown["link_speed_bps"], shown["mtu_operational"], shown["description"]) == (10_000_000_000, 9000, "A card")
    esxcli = "vmnic3  0000:0a:00.1  qfle3  Up  Down  0  Half  02:10:18:00:00:03  1500  A card\n"
    shown = read_one("esxcli network nic list", esxcli).all("adapter", "021018000003")
    assert (shown["admin_up"], shown["link_up"], shown["driver"]) == (True, False, "qfle3")


def test_port_groups_of_a_virtual_switch() -> None:
    text = "vSwitch1\n   Name: vSwitch1\n   MTU: 9000\n   Uplinks: vmnic2\n   Portgroups: SAN A, SAN B\n"
    host = read_one("esxcli network vswitch standard list", text)
    assert {id: host.read("portgroup", id, "vswitch") for id in host.ids("portgroup")} == {"SAN A": "vSwitch1", "SAN B": "vSwitch1"}


def test_a_table_with_one_run_of_dashes_under_all_titles() -> None:
    title = "Adapter  Vmknic  MAC Address        MAC Address Valid  Compliant"
    logical = f"{title}\n{'-' * 65}\nvmhba38  vmk1    {MAC}  true               false\n"
    reads = {
        "esxcli iscsi networkportal list": entry("vmhba38\n   Adapter: vmhba38\n   Vmknic: vmk1\n"),
        "esxcli iscsi logicalnetworkportal list": entry(logical),
    }
    host = Host({"iscsi": json.dumps(reads).encode()})
    assert host.read("vnic", "vmk1", "binding_compliant") is False
    reading = host.configuration.read(Subject("vnic", "vmk1"), "binding_compliant")
    assert isinstance(reading, Value)
    assert (reading.source.command, reading.source.field) == ("esxcli iscsi logicalnetworkportal list", "Compliant")


# --- Answers that are none -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "Usage: esxcli network nic {cmd} [cmd options]\n\nAvailable Namespaces:\n  ring  Rings\n",
        "Error: Unknown command or namespace network nic list\n",
    ],
)
def test_a_usage_text_with_exit_0_is_no_answer(text: str) -> None:
    facts = read_one("esxcli network nic list", text).parts["nics"]
    assert facts.readings == {}
    assert facts.observations["reads"] == {"esxcli network nic list": text.split("\n")[0]}


def test_a_driver_that_has_no_rings_says_so() -> None:
    line = "esxcli network nic ring current get -n vmnic2"
    words = "Unable to complete Sysinfo operation.  Please see the VMkernel log file for more details.: Not supported"
    read = {line: entry("", "text", "failed", words, 1)}
    assert (
        Host({"nic_tuning": json.dumps(read).encode()}).read("adapter", "vmnic2", "receive_buffers")
        == "not offered: driver does not offer it"
    )
    read = {line: entry("", "text", "failed", "no answer within 8 s", None)}
    assert (
        Host({"nic_tuning": json.dumps(read).encode()}).read("adapter", "vmnic2", "receive_buffers")
        == f"unknown: {line}: no answer within 8 s"
    )


IBFT = "esxcli iscsi ibftboot get"


def booting(ibft: dict[str, object], adapters: str = "", **paths: str) -> object:
    sections = {
        "system": json.dumps({IBFT: ibft}).encode(),
        "iscsi": json.dumps({"esxcli iscsi adapter list": entry(adapters)}).encode(),
    }
    if paths:
        sections["paths"] = json.dumps({name.replace("_", " "): entry(text) for name, text in paths.items()}).encode()
    return Host(sections).read("host", "", "boot_from_san")


FAILED = entry("", "text", "failed", "no table", 1)
HBA = "Adapter  Driver   State   UID           Description\n-------  -------  ------  ------------  -----------\nvmhba2   {}  online  iscsi.vmhba2  HBA\n"  # noqa: E501
DISK = "naa.6001\n   Display Name: A disk\n   Is Local: {}\n   Is Boot Device: true\n"
PATH = "x\n   Runtime Name: vmhba64:C0:T0:L0\n   Device: naa.6001\n   Adapter: vmhba64\n   State: active\n   Transport: iscsi\n"


def test_a_failing_boot_table_means_that_the_host_does_not_boot_by_it() -> None:
    assert booting(FAILED) is False
    assert booting(FAILED, HBA.format("bnx2i  ")) is False
    assert booting(entry("Target: iqn.2001-05.com.equallogic:boot\n")) is True
    # No answer is another thing, and an HBA with a BIOS of its own can boot without that table.
    assert booting(entry("", "text", "failed", "no answer within 8 s", None)) == "unknown: no boot device information"
    assert booting(FAILED, HBA.format("qla4xxx")) == "unknown: vmhba2 can boot the host on its own, and no boot device was reported"


def test_the_boot_device_comes_before_the_table() -> None:
    listed = {"esxcli_storage_core_device_list": DISK.format("false"), "esxcli_storage_core_path_list": PATH}
    assert booting(FAILED, **listed) is True
    assert booting(FAILED, HBA.format("qla4xxx"), esxcli_storage_core_device_list=DISK.format("true")) is False


# --- Packages --------------------------------------------------------------------------------------------------------------------------

VIBS = "Name  Version  Vendor  Acceptance Level  Install Date\n----  -------  ------  ----------------  ------------\n"
MEM_112 = (
    "dell-eql-host-connection-mgr  1.1.1-268843  Dell  VMwareAccepted  2013-03-01\n"
    "dell-eql-hostprofile  1.1.0-212190  Dell  VMwareAccepted  2013-03-01\n"
    "dell-eql-routed-psp  1.1.1-262227  Dell  VMwareAccepted  2013-03-01\n"
)


@pytest.mark.parametrize(
    ("text", "mem"),
    [
        (VIBS + "esx-base  6.7.0-1  VMware  VMwareCertified  2019-01-01\n", ""),
        (VIBS + MEM_112, "1.1.2"),
        (MEM_112, "1.1.2"),
        (
            VIBS + "dell-eql-routed-psp  1.5.0-1  Dell  VMwareAccepted  2016-01-01\n",
            "unknown: which version of MEM these packages belong to is not known: dell-eql-routed-psp 1.5.0-1",
        ),
        (
            "~ # esxcli software vib list | head -3\n" + VIBS + "esx-base  6.7.0-1  VMware  VMwareCertified  2019-01-01\n",
            "unknown: esxcli software vib list | head -3: only a part of the list was printed",
        ),
        (
            "esx-base  6.7.0-1  VMware  VMwareCertified  2019-01-01    host\n",
            "unknown: esxcli software vib list: only a part of the list was printed",
        ),
    ],
)
def test_the_version_of_mem_is_that_of_its_bundle(text: str, mem: str) -> None:
    assert read_one("esxcli software vib list", text).read("host", "", "mem") == mem


def test_options_that_a_filter_left_prove_nothing_about_the_others() -> None:
    head = "Name     Type  Value  Description\n-------  ----  -----  -----------\n"
    nics = {"esxcli network nic list": entry("Name    PCI Device    Driver\n------  ------------  ------\nvmnic0  0000:01:00.0  ixgbe\n")}

    def lro(prompt: str) -> object:
        modules = {"esxcli system module parameters list -m ixgbe": entry(f"{prompt}{head}IntMode  int   0      Interrupts\n")}
        host = Host({"nics": json.dumps(nics).encode(), "modules": json.dumps(modules).encode()})
        return host.read("adapter", host.ids("adapter")[0], "lro")

    assert lro("") == "not offered: driver does not offer it"
    cut = "[root@esx:~] esxcli system module parameters list -m ixgbe | grep -E 'IntMode|^Name|^-'\n"
    assert lro(cut) == "unknown: only some of the driver's options were printed"


# --- Several outputs in one file -------------------------------------------------------------------------------------------------------

NICS = "Name    PCI Device    Driver  Link\n------  ------------  ------  ----\nvmnic0  0000:01:00.0  igbn    Up\n"
VERSION = "   Product: VMware ESXi\n   Version: 7.0.3\n   Build: Releasebuild-21930508\n   Update: 3\n"
PORTS = "Name   Virtual Switch  Active Clients  VLAN ID\n-----  --------------  --------------  -------\nSAN A  vSwitch1                     1       10\n"  # noqa: E501
NMP = "naa.6001\n   Device Display Name: A (naa.6001)\n   Storage Array Type: VMW_SATP_EQL\n   Path Selection Policy: VMW_PSP_RR\n   Working Paths: vmhba64:C0:T0:L0\n"  # noqa: E501
PATHS = "x\n   UID: x\n   Runtime Name: vmhba64:C0:T0:L0\n   Device: naa.6001\n   Adapter: vmhba64\n   Channel: 0\n   State: active\n   Transport: iscsi\n"  # noqa: E501
VMKNICS = f"Interface  Port Group  IP Address  Netmask  MAC Address  MTU  Enabled  Type\nvmk0  Mgmt  192.0.2.1  255.255.255.0  {MAC}  1500  true  STATIC\n"  # noqa: E501


@pytest.mark.parametrize(
    ("name", "first", "second", "line"),
    [
        ("esxcli-network-nic-list", NICS, PORTS, PORTS),
        ("esxcli-network-nic-list", NICS, "\n" + VERSION, VERSION),
        ("esxcli-system-version-get", VERSION, "\n" + NICS, NICS),
        ("esxcli-storage-nmp-device-list", NMP, "\n" + PATHS, PATHS),
        ("esxcfg-nics-l", ROW, VMKNICS, VMKNICS),
        ("esxcfg-vmknic-l", VMKNICS, ROW, ROW),
        ("esxcli-system-maintenanceMode-get", "Enabled\n", "Disabled\n", "Disabled"),
    ],
)
def test_a_second_output_without_a_prompt_is_reported_by_the_files_name(name: str, first: str, second: str, line: str) -> None:
    file = f"{name}__both"
    both, alone = captured(file, first + second), captured(file, first)
    assert alone.unread == ()
    ((reported, reason),) = both.unread
    assert reported == f"esxi__{file}.txt"
    assert reason.endswith(f"is not read: {line.strip().split(chr(10))[0][:80]}")
    # The output before that line is read as if it were alone.
    assert list(assemble("esxi", both.sections).configuration) == list(assemble("esxi", alone.sections).configuration)


def test_outputs_with_their_prompts_are_read_in_their_own_sections() -> None:
    text = f"[root@esx:~] esxcli network nic list\n{NICS}\n[root@esx:~] esxcli system version get\n{VERSION}[root@esx:~] ls\nfile\n"
    found = captured("esxcli-network-nic-list__both", text)
    assert found.unread == (("esxi__esxcli-network-nic-list__both.txt", "what was typed is not known: ls"),)
    configuration = assemble("esxi", found.sections).configuration
    assert configuration.value(HOST, "os_release") == "7.0"
    assert [configuration.value(subject, "name") for subject in configuration.subjects("adapter")] == ["vmnic0"]


def test_a_command_without_a_prompt_in_the_first_line() -> None:
    found = captured("esxcli-network-nic-get__x", "esxcli network nic get -n vmnic7\n   Link Status: Up\n   Name: vmnic7\n")
    assert found.unread == ()
    assert assemble("esxi", found.sections).configuration.value(Subject("adapter", "vmnic7"), "link_up") is True


def test_answers_for_several_devices_in_several_files() -> None:
    def device(number: int) -> bytes:
        text = NMP.replace("naa.6001", f"naa.600{number}").replace("C0:T0", f"C0:T{number}")
        return f"~ # esxcli storage nmp device list -d naa.600{number}\n{text}".encode()

    files = {f"esxi__esxcli-storage-nmp-device-list-d__{number}.txt": device(number) for number in (1, 2)}
    found = read_files(files).captured[0]
    assert found.unread == ()
    configuration = assemble("esxi", found.sections).configuration
    assert [subject.id for subject in configuration.subjects("volume")] == ["naa.6001", "naa.6002"]
    reading = configuration.read(Subject("volume", "naa.6002"), "policy")
    assert isinstance(reading, Value)
    assert (reading.value, reading.source.command) == ("VMW_PSP_RR", "esxcli storage nmp device list -d naa.6002")


def test_the_last_of_several_answers_of_one_terminal_counts() -> None:
    line = "esxcli system maintenanceMode get"
    text = f"~ # {line}\nDisabled\n~ # esxcli system maintenanceMode set -e true\n~ # {line}\nEnabled\n"
    found = captured("esxcli-system-maintenanceMode-get__x", text)
    assert found.unread == (("esxi__esxcli-system-maintenanceMode-get__x.txt", f"{line} was printed more than once; the last is used"),)
    assert assemble("esxi", found.sections).configuration.value(HOST, "maintenance_mode") is True


def test_blocks_of_several_adapters_in_one_output() -> None:
    block = "Pause parameters for {}:\nAutonegotiate:\toff\nRX:\t\t{}\nTX:\t\t{}\n\n"
    found = captured("ethtool-a__x", block.format("vmnic2", "on", "on") + block.format("vmnic3", "off", "off"))
    configuration = assemble("esxi", found.sections).configuration
    assert found.unread == ()
    assert [configuration.value(Subject("adapter", name), "flow_control") for name in ("vmnic2", "vmnic3")] == ["rx_tx", "off"]


def test_paths_by_the_older_tool_in_short_and_at_length() -> None:
    brief = (
        "naa.6001 : A disk (naa.6001)\n"
        "   vmhba64:C0:T0:L0 LUN:0 state:active iscsi Adapter: iqn.1998-01.com.vmware:x  Target: IQN=iqn.2001-05.y Session=00023d000001\n"
        "   vmhba64:C1:T0:L0 LUN:0 state:dead iscsi Adapter: iqn.1998-01.com.vmware:x  Target: IQN=iqn.2001-05.y Session=00023d000002\n"
    )
    host = read_one("esxcfg-mpath -b", brief)
    assert (host.read("volume", "naa.6001", "paths_total"), host.read("volume", "naa.6001", "paths_healthy")) == (2, 1)
    reading = host.configuration.read(Subject("volume", "naa.6001"), "paths_total")
    assert isinstance(reading, Value)
    assert reading.source.command == "esxcfg-mpath -b"
    cut = read_one("esxcfg-mpath -b", f"~ # esxcfg-mpath -b | head -2\n{brief}")
    assert cut.read("volume", "naa.6001", "paths_total") == "unknown: esxcfg-mpath -b | head -2: only a part of the list was printed"
    whole = PATHS.replace("Adapter: vmhba64\n   Channel: 0\n", "Adapter: vmhba64 Channel: 0 Target: 0 LUN: 0\n")
    assert [path.vmhba for path in read_one("esxcfg-mpath -l", whole).parts["paths"].observations["devices"]["naa.6001"].paths] == [
        "vmhba64"
    ]  # type: ignore[index,attr-defined]
