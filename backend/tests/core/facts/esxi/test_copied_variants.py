"""What shells print of ESXi commands in other releases, drivers and copies, with what a person would read from it.

Forms are those of public sources, the text is our own: `nic get` of i40en (a report to ansible-collections/community.vmware), pause
parameters of ConnectX-5 and X710 (two Japanese blogs on ESXi 8), tables of 5.5, 6.x, 7 and 8 as the captures show them.
"""

import pytest

from plumbline.core.facts.assemble import Assembled, assemble
from plumbline.core.facts.captures.folder import Captured, read_files
from plumbline.core.facts.configuration import NotOffered, Unknown, Value
from tests.core.facts.builders import at, why


def captured(name: str, text: str, **more: str) -> Captured:
    """One output under its file name, and others by the middle part of theirs, `_` for `-`."""
    files = {f"esxi__{name}.txt": text} | {f"esxi__{key.replace('_', '-')}__x.txt": other for key, other in more.items()}
    folder = read_files({key: other.encode() for key, other in files.items()})
    assert folder.unknown_names == ()
    return folder.captured[0]


def read(name: str, text: str, **more: str) -> Assembled:
    """The host that the outputs describe; each must have been read."""
    found = captured(name, text, **more)
    assert found.unread == ()
    assembled = assemble("esxi", found.sections)
    assert assembled.internal_errors == ()
    return assembled


def values_at(assembled: Assembled, *addresses: str) -> list[object]:
    """The values at these addresses, a reading that is none as it is."""
    readings = [at(assembled.configuration, address) for address in addresses]
    return [reading.value if isinstance(reading, Value) else reading for reading in readings]


RINGS = "   RX: 4096\n   RX Mini: 0\n   RX Jumbo: 0\n   TX: 2048\n"


@pytest.mark.parametrize(
    "name",
    [
        "esxcli-network-nic-ring-current-get-n-vmnic4__x",
        "esxcli-network-nic-ring-current-get-nic-name=vmnic4__x",
        "esxcli network nic ring current get -n vmnic4__x",
        "esxcli_network_nic_ring_current_get_vmnic4__x",
        "esxcli-network-nic-ring-current-get__esx1-vmnic4",
        "localcli-network-nic-ring-current-get-n-vmnic4__x",
    ],
)
def test_the_adapter_in_the_name_of_a_file(name: str) -> None:
    assert values_at(read(name, RINGS), "adapter/vmnic4/receive_buffers", "adapter/vmnic4/transmit_buffers") == [4096, 2048]


def test_an_adapter_without_a_name_is_reported() -> None:
    found = read("esxcli-network-nic-ring-current-get__x", RINGS)
    assert values_at(found, "adapter/unnamed/receive_buffers") == [4096]
    assert found.problems == ("an output of this section does not say of which adapter it is",)


def test_a_table_of_esxi_8_with_an_empty_cell_and_two_spaces_inside_a_description() -> None:
    text = """\
Name    PCI Device    Driver      Admin Status  Link Status  Speed  Duplex  MAC Address         MTU  Description               DPU Id
------  ------------  ----------  ------------  -----------  -----  ------  -----------------  ----  ------------------------  ------
vmnic0  0000:19:00.0  nmlx5_core  Up            Up           25000  Full    02:59:9f:00:00:01  9000  MT27710  ConnectX-4 Lx    N/A
vmnic1  0000:19:00.1  qedentv     Up            Down             0  Half    02:59:9f:00:00:02  1500                            N/A
"""
    found = read("esxcli-network-nic-list__x", text)
    assert values_at(found, "adapter/02599f000001/description", "adapter/02599f000001/mtu_operational") == ["MT27710  ConnectX-4 Lx", 9000]
    assert values_at(found, "adapter/02599f000002/mtu_operational", "adapter/02599f000002/link_up") == [1500, False]
    assert not isinstance(at(found.configuration, "adapter/02599f000002/description"), Value)


def test_an_adapter_that_was_switched_off() -> None:
    text = "   Driver Info:\n         Bus Info: 0000:19:00:0\n   Link Status: Down by explicit linkSet\n   Name: vmnic0\n"
    assert values_at(read("esxcli-network-nic-get-n-vmnic0__x", text), "adapter/0000:19:00.0/link_up") == [False]


def test_an_offload_that_the_driver_does_not_have() -> None:
    text = "NIC     Value\n------  -------------\nvmnic0  on\nvmnic2  Not supported\n"
    found = read("esxcli-network-nic-tso-get__x", text)
    assert values_at(found, "adapter/vmnic0/tso") == ["enabled"]
    assert isinstance(at(found.configuration, "adapter/vmnic2/tso"), NotOffered)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("esxcli-network-nic-pauseParams-list__5.5", "Error: Unknown command or namespace network nic pauseParams list\n"),
        ("ethtool-g-vmnic3__x", "Cannot get device ring settings: Operation not supported\nRing parameters for vmnic3:\n"),
        ("esxcli-network-nic-list__x", "~ # esxcli network nic list\n-ash: esxcli: not found\n"),
        ("esxcli-iscsi-adapter-list__x", "Connect to localhost failed: Connection failure\n"),
        ("esxcli-network-nic-list__x", "nothing like a table\n"),
    ],
)
def test_a_refusal_in_place_of_an_answer_is_reported(name: str, text: str) -> None:
    found = captured(name, text)
    assert len(found.unread) == 1
    words = text.rstrip().split("\n")[-1 if "ash" in text else 0]
    assert found.unread[0][1] == (words if "nothing" not in text else "no row of esxcli network nic list was found in it")
    assert assemble("esxi", found.sections).internal_errors == ()


@pytest.mark.parametrize(
    "name", ["esxcfg-advcfg-g-Net-TcpipDefLROEnabled__5.5", "esxcfg-advcfg -g /Net/TcpipDefLROEnabled".replace("/", "-") + "__x"]
)
def test_an_advanced_setting_by_the_old_tool(name: str) -> None:
    assert values_at(read(name, "Value of TcpipDefLROEnabled is 1\n"), "net.lro") == ["enabled"]


def test_an_advanced_setting_whose_path_was_filtered_away() -> None:
    assert values_at(read("esxcli-system-settings-advanced-list-o-Net-UseHwTSO__x", "   Int Value: 0\n"), "net.hw_tso") == ["disabled"]


NICS = "vmnic4  0000:04:00.0 ixgbe       Up   10000Mbps  Full   02:1b:21:00:00:04 9000   Intel 82599\n"


def test_options_that_the_old_tool_does_not_list_are_unknown() -> None:
    head = "Name    PCI          Driver      Link Speed      Duplex MAC Address       MTU    Description\n"
    found = read("esxcfg-module-g-ixgbe__x", "ixgbe enabled = 1 options = 'LRO=0,0 max_vfs=0'\n", esxcfg_nics_l=head + NICS)
    assert values_at(found, "module/ixgbe/parameters", "adapter/021b21000004/lro") == [("LRO=0,0", "max_vfs=0"), "disabled"]
    unset = read("esxcfg-module-g-ixgbe__x", "ixgbe enabled = 1 options = ''\n", esxcfg_nics_l=head + NICS)
    assert "only the driver options that are set" in why(unset.configuration, "adapter/021b21000004/lro")


def test_pci_ids_where_lspci_was_not_run() -> None:
    head = "Name    PCI          Driver      Link Speed      Duplex MAC Address       MTU    Description\n"
    device = "0000:04:00.0\n   Address: 0000:04:00.0\n   VMkernel Name: vmnic4\n   Vendor ID: 0x8086\n   Device ID: 0x10fb\n"
    found = read("esxcli-hardware-pci-list__x", device, esxcfg_nics_l=head + NICS)
    assert values_at(found, "adapter/021b21000004/family", "adapter/021b21000004/pnp_id") == ["x520", "8086:10fb"]


PING = """PING 10.10.5.20 (10.10.5.20): 8972 data bytes
{failed}
--- 10.10.5.20 ping statistics ---
3 packets transmitted, {received} packets received, {lost}% packet loss
"""


@pytest.mark.parametrize(
    ("failed", "received", "outcome"),
    [("sendto() failed (Message too long)", 0, "too_big"), ("", 0, "silent"), ("8980 bytes from 10.10.5.20", 3, "ok")],
)
def test_only_a_ping(failed: str, received: int, outcome: str) -> None:
    text = PING.format(failed=failed, received=received, lost=0 if received else 100)
    assert values_at(read("vmkping-I-vmk1-d-s-8972-10.10.5.20__x", text), "vnic/vmk1/frame_probe") == [outcome]
    unnamed = read("vmkping-d-s-8972__x", text)
    assert unnamed.problems == (f"vmkping: {outcome} at 9000 bytes, but it does not say from which interface",)


@pytest.mark.parametrize(
    "head",
    [
        "PING fd00::20 (fd00::20): 8952 data bytes",
        "PING fe80::20 (fe80::20%vmk1): 8952 data bytes",
        "PING6(9000=40+8+8952 bytes) fd00::10 --> fd00::20",
    ],
)
def test_a_ping_over_ipv6_has_the_longer_header(head: str) -> None:
    text = f"{head}\n\n3 packets transmitted, 3 packets received, 0% packet loss\n"
    found = read("vmkping-6-d-s-8952__x", text)
    assert found.problems == ("vmkping: ok at 9000 bytes, but it does not say from which interface",)


def test_a_parameter_that_went_through_grep() -> None:
    found = read(
        "esxcli-iscsi-adapter-param-get-A-vmhba64__x", "DelayedAck           false       true        na   na            true    false\n"
    )
    assert values_at(found, "initiator/vmhba64/delayed_ack") == ["disabled"]
    assert isinstance(at(found.configuration, "initiator/vmhba64/login_timeout_seconds"), Unknown)


def test_parameters_of_the_only_initiator() -> None:
    adapters = """\
Adapter  Driver     State   UID                           Description
-------  ---------  ------  ----------------------------  ----------------------
vmhba64  iscsi_vmk  online  iqn.1998-01.com.vmware:esx1   iSCSI Software Adapter
"""
    parameters = """\
Name        Current  Default  Min  Max  Settable  Inherit
----------  -------  -------  ---  ---  --------  -------
DelayedAck  false    true     na   na       true    false
"""
    found = read("esxcli-iscsi-adapter-param-get__x", parameters, esxcli_iscsi_adapter_list=adapters)
    assert values_at(found, "initiator/iqn.1998-01.com.vmware:esx1/delayed_ack") == ["disabled"]


def test_a_local_disk_is_no_volume_of_the_san() -> None:
    text = """\
t10.NVMe____Local
   Device Display Name: Local NVMe Disk (t10.NVMe____Local)
   Storage Array Type: VMW_SATP_LOCAL
   Path Selection Policy: VMW_PSP_FIXED
   Working Paths: vmhba1:C0:T0:L0

naa.6090a038f0cd6e5bdaa8248e6856d4fe
   Device Display Name: EQLOGIC iSCSI Disk (naa.6090a038f0cd6e5bdaa8248e6856d4fe)
   Storage Array Type: VMW_SATP_EQL
   Path Selection Policy: VMW_PSP_RR
   Path Selection Policy Device Config: {policy=iops,iops=3,bytes=10485760,useANO=0; lastPathIndex=1: NumIOsPending=0}
   Working Paths: vmhba64:C0:T0:L0, vmhba64:C1:T0:L0
"""
    found = read("esxcli-storage-nmp-device-list__x", text)
    assert [subject.id for subject in found.configuration.subjects("volume")] == ["naa.6090a038f0cd6e5bdaa8248e6856d4fe"]
    assert values_at(found, "volume/naa.6090a038f0cd6e5bdaa8248e6856d4fe/round_robin_iops") == [3]


def test_several_adapters_in_one_copied_shell() -> None:
    text = "".join(
        f"[root@esx1:~] ethtool -a vmnic{at}\nPause parameters for vmnic{at}:\nAutonegotiate:\toff\nRX:\t\ton\nTX:\t\t{tx}\n\n"
        for at, tx in ((4, "off"), (5, "on"))
    )
    assert values_at(read("ethtool-a__x", text), "adapter/vmnic4/flow_control", "adapter/vmnic5/flow_control") == ["rx", "rx_tx"]
