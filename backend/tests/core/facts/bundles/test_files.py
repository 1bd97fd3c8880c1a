"""The files that only a bundle has: the API tree, the daemon's database, nicinfo, esx.conf, the registry's export; names and times."""

import pytest

from plumbline.core.facts.bundles.capture_time import captured_at
from plumbline.core.facts.bundles.esx_conf import module_options, read_conf, teaming
from plumbline.core.facts.bundles.esxcfg_info import read_info
from plumbline.core.facts.bundles.iscsi_database import read_database
from plumbline.core.facts.bundles.members import Want, command_of_file, want
from plumbline.core.facts.bundles.nicinfo import read_nicinfo
from plumbline.core.facts.bundles.registry import RegistryReader
from plumbline.core.facts.bundles.vimdump import read_dump

DUMP = """Found 2 managed objects:
=============== 1. vim.HostSystem::ha-host ===============
(vim.host.ConfigInfo) {
   dnsConfig = (vim.host.DnsConfig) {
      hostName = 'esx\\'01',
      domainName = "it's.example",
      address = (str) [
         '10.0.0.1',
         '10.0.0.2'
      ],
      searchDomain = (str) []
   },
   hostBusAdapter = (vim.host.HostBusAdapter) [
      (vim.host.InternetScsiHba) {
         device = 'vmhba64',
         authenticationProperties = (vim.host.InternetScsiHba.AuthenticationProperties) {
            chapName = 'somebody',
            chapSecret = 'hidden words'
         },
         maxSpeedMb = 10000L,
         currentSpeedMb = <unset>
      }
   ]
}
=============== 2. vim.HostSystem::cut ===============
(vim.host.InternetScsiHba) {
   device = 'vmhba99',
"""


def test_the_api_tree_gives_the_objects_that_hold_settings() -> None:
    found = read_dump(DUMP.split("\n"))
    (dns,) = found["vim.host.DnsConfig"]
    assert dns == {"hostName": "esx'01", "domainName": "it's.example", "address": ["10.0.0.1", "10.0.0.2"], "searchDomain": []}
    # The second one is cut off, and nothing of CHAP is kept of the first.
    assert found["vim.host.InternetScsiHba"] == [{"device": "vmhba64", "maxSpeedMb": 10000, "currentSpeedMb": None}]
    assert "hidden words" not in str(found)


def test_records_of_the_database_end_where_a_key_comes_again() -> None:
    text = "=========[Targets]=========\n   `node.name`='iqn.a'\n   `node.conn[0].address`='10.0.0.1'\n   `node.name`='iqn.b'\n"
    assert read_database(text) == {"Targets": [{"node.name": "iqn.a", "node.conn[0].address": "10.0.0.1"}, {"node.name": "iqn.b"}]}
    assert read_database("   `node.session.auth.password`='x'\n   `node.name`=[REDACTED]\n") == {}


def test_nicinfo_without_an_answer_of_a_driver() -> None:
    text = "Name    PCI Device    Driver\n------  ------------  ------\nvmnic0  0000:01:00.0  ntg3\n\n"
    text += "NIC:  vmnic0\n\nUnable to get NIC info: Sysinfo error\n"
    table, (block,) = read_nicinfo(text)
    assert table.startswith("Name")
    assert (block.name, block.get.strip(), block.receive) == ("vmnic0", "Unable to get NIC info: Sysinfo error", 0)


def test_queues_that_differ_give_no_size() -> None:
    text = "NIC:  vmnic4\n\nNIC Private statistics:\n  rxq0 (hwq0): ringSize=1024 a=1\n  rxq1 (hwq1): ringSize=512\n  txq0: ringSize=2048\n"
    (block,) = read_nicinfo(text)[1]
    assert (block.receive, block.transmit) == (0, 2048)


def test_uplinks_beyond_the_most_active_stand_by() -> None:
    base = "/net/vswitch/child[0000]/"
    lines = [
        f'{base}name = "vSwitch1"',
        *(f'{base}uplinks/child[000{at}]/pnic = "vmnic{at}"' for at in range(3)),
        f'{base}portgroup/child[0000]/name = "iSCSI1"',
        f'{base}portgroup/child[0000]/teamPolicy/hasUplinkOrder = "true"',
        f'{base}portgroup/child[0000]/teamPolicy/maxActive = "1"',
        f'{base}portgroup/child[0000]/teamPolicy/uplinks[0000]/pnic = "vmnic1"',
        f'{base}portgroup/child[0000]/teamPolicy/uplinks[0001]/pnic = "vmnic0"',
        f'{base}portgroup/child[0001]/name = "VM"',
        '/vmkernel/module/ixgbe.o/options = "LRO=0,0"',
    ]
    conf = read_conf("\n".join(lines))
    assert teaming(conf) == {"iSCSI1": (["vmnic1"], ["vmnic0"], ["vmnic2"]), "VM": (["vmnic0", "vmnic1", "vmnic2"], [], [])}
    assert module_options(conf) == {"ixgbe": "LRO=0,0"}


def test_the_xml_of_esxcfg_info_with_its_stray_lines() -> None:
    group = (
        '<port-group><value name="name">iSCSI1</value><effective-teaming-policy><value name="uplink-order">vmnic5, vmnic4</value>'
        '<value name="max-active-uplinks">1</value></effective-teaming-policy></port-group>'
    )
    text = f"""<host>
ResourceGroup: <not xml>
<hardware-info><value name="product-name">PowerEdge R640</value></hardware-info>
<virtual-switch><value name="uplinks">vmnic4,vmnic5,vmnic6</value>{group}</virtual-switch></host>"""
    info = read_info(text.encode())
    assert info.teaming == {"iSCSI1": (["vmnic5"], ["vmnic4"], ["vmnic6"])}
    assert info.hardware == {"product-name": "PowerEdge R640"}
    assert read_info(b"<!DOCTYPE x [<!ENTITY a 'b'>]><host>&a;</host>").hardware == {}
    assert read_info(text.encode()[:-30]).teaming == {}


@pytest.mark.parametrize("encoding", ["utf-16", "latin-1"])
@pytest.mark.parametrize("step", [7, 4096])
def test_a_registry_export_is_read_in_any_pieces(encoding: str, step: int) -> None:
    key = "[HKEY_LOCAL_MACHINE\\SYSTEM\\CurrentControlSet\\Services\\Tcpip\\Parameters\\Interfaces\\{4a000501-3a1b-4c5d-8e6f-00a0c9050101}]"
    lines = [
        "Windows Registry Editor Version 5.00",
        "[HKEY_LOCAL_MACHINE\\SOFTWARE\\Other]",
        '"TcpAckFrequency"=dword:00000009',
        key,
        '"EnableDHCP"=dword:00000000',
        '"TcpAckFrequency"=dword:00000001',
        '"DhcpDomain"="x"',
        "[HKEY_LOCAL_MACHINE\\SYSTEM\\ControlSet001\\Services\\SNMP\\Parameters\\ValidCommunities]",
        '"TcpNoDelay"=dword:00000001',
    ]
    data = "\r\n".join(lines).encode(encoding)
    reader = RegistryReader()
    for at in range(0, len(data), step):
        reader.feed(data[at : at + step])
    assert reader.result().decode().split("\n") == ["Windows Registry Editor Version 5.00", key, '"TcpAckFrequency"=dword:00000001', ""]


@pytest.mark.parametrize(
    ("name", "command"),
    [
        ("localcli_storage-nmp-device-list.txt", "localcli_storage-nmp-device-list"),
        ("esxcli_storage-nmp-device-list.txt", "localcli_storage-nmp-device-list"),
        ("1.esxcfg-vmknic_-l.txt", "esxcfg-vmknic_-l"),
        ("nicinfo.sh.txt.FRAG-00003", "nicinfo.sh"),
        ("localcli_storage-nmp-device-list.json", "localcli_storage-nmp-device-list"),
        ("vsi_traverse_-s.txt.FRAG-00000", ""),
        ("localcli_iscsi-adapter-auth-chap-get.txt", ""),
    ],
)
def test_names_of_commands(name: str, command: str) -> None:
    assert command_of_file(name) == command


@pytest.mark.parametrize(
    ("path", "wanted"),
    [
        ("esx-a/commands/nicinfo.sh.txt", Want.WHOLE),
        ("esx-a/etc/vmware/esx.conf", Want.WHOLE),
        ("esx-a/etc/vmware/snmp.xml", None),
        ("esx-a/etc/vmware/ssl/rui.key", None),
        ("esx-a/etc/shadow", None),
        ("esx-a/var/log/vmkernel.log", None),
        ("_Localhost/RegistryFiles.zip!hklm.reg", Want.REGISTRY),
        ("_Localhost/RegistryFiles.zip!hkcu.reg", None),
        ("_Logs/Get-NetView.log", None),
        ("Node_A/GetNetAdapter.XML", Want.WHOLE),
        ("Node_A/GetScheduledTask.xml", None),
        ("0_CloudHealthGatherTranscript.log", None),
        ("RVTools_tabvSC_VMK.csv", Want.WHOLE),
        ("outputs/esxcli-network-nic-list.txt", Want.OUTPUT),
        ("outputs/picture.png", None),
    ],
)
def test_what_is_read(path: str, wanted: Want | None) -> None:
    assert want(path) is wanted


@pytest.mark.parametrize(
    ("readme", "date", "top", "expected"),
    [
        ("Captured on: 2026-01-12 13:56:02.104213", "", "", "2026-01-12T13:56:02Z"),
        ("Captured on: 2026-01-12 13:56:02.1", "Mon Jan 12 13:58:00 UTC 2026", "", "2026-01-12T13:58:00Z"),
        ("", "", "esx-prod-vmware01-2013-08-12--14.06", "2013-08-12T14:06:00Z"),
        ("", "Mo 12. Jan 13:58:00 UTC 2026", "", ""),
        ("Captured on: 2026-99-12 13:56:02", "", "", ""),
    ],
)
def test_the_time_of_collection(readme: str, date: str, top: str, expected: str) -> None:
    assert captured_at(readme, date, top) == expected
