"""More outputs of real Windows hosts: every value of each, worked out from its text by a person; and which hold nothing that is read.

A file is compared as a whole: a value that its text does not show fails like one that is missing.
"""

from typing import Any

import pytest

from plumbline.core.facts.assemble import Assembled, assemble
from plumbline.core.facts.captures.folder import read_files
from plumbline.core.facts.configuration import HOST, Value
from tests.core.facts.builders import CAPTURES, REPOSITORY, at, why
from tests.core.facts.windows import test_captured_text as first

FOLDER = REPOSITORY.parent / "shared" / "captures-2"
Facts = dict[str, Any]


def _bytes(name: str) -> bytes:
    path = FOLDER / name
    if not path.exists():
        pytest.skip("the captures are not here")
    return path.read_bytes()


def _read(*names: str) -> Assembled:
    (captured,) = read_files({name: _bytes(name) for name in names}).captured
    assert captured.unread == ()
    return assemble("windows", captured.sections)


def _values(assembled: Assembled) -> Facts:
    """Every value by its address; why an adapter has no role is no part of the text."""
    return {
        (key if subject == HOST else f"{subject.kind}/{subject.id}/{key}"): reading.value
        for subject, key, reading in assembled.configuration
        if isinstance(reading, Value) and key != "role_reason"
    }


def _of(subject: str, **facts: Any) -> Facts:
    return {f"{subject}/{key}": value for key, value in facts.items()}


def _card(mac: str, name: str, speed: int | None, **facts: Any) -> Facts:
    """One row of the table that Get-NetAdapter shows: a card that is up at a speed, or without link."""
    shown = "-".join(mac[number : number + 2] for number in range(0, 12, 2)).upper()
    up = {} if speed is None else {"link_speed_bps": speed}
    return _of(f"adapter/{mac}", **({"name": name} if name else {}), mac=shown, admin_up=True, link_up=speed is not None, **up, **facts)


def _checksums(name: str, *words: str) -> Facts:
    keys = ("checksum_ip_ipv4", "checksum_tcp_ipv4", "checksum_tcp_ipv6", "checksum_udp_ipv4", "checksum_udp_ipv6")
    return _of(f"adapter/{name}", **dict(zip(keys, words, strict=True)))


def _policy(name: str, priority: int, owner: str = "PowerShell / WMI", template: str = "", port: int = 0) -> Facts:
    unset = {"dscp": -1, "min_bandwidth_weight": 0}
    return _of(f"qos_policy/{name}", priority=priority, owner=owner, template=template, net_direct_port=port, **unset)


def _template(name: str, provider: str, rto: int, delay: int, **facts: Any) -> Facts:
    return _of(f"tcp_template/{name}", congestion_provider=provider, min_rto_ms=rto, delayed_ack_timeout_ms=delay, **facts)


def _disk(number: int, policy: str, module: str) -> Facts:
    return _of(f"volume/mpio disk{number}", name=f"MPIO Disk{number}", policy=policy, module=module)


GIGABIT, TEN, TWENTY_FIVE, HUNDRED = 10**9, 10**10, 25 * 10**9, 10**11
SOFTLAYER = ("PrivateNetwork-A", "PrivateNetwork-B", "PublicNetwork-A", "PublicNetwork-B")
# The four ports of the Broadcom card, of which one has a link.
BCM5709 = {
    **_card("3c4a92f33f70", "Ethernet", None),
    **_card("3c4a92f33f72", "Ethernet 3", None),
    **_card("3c4a92f33f74", "Ethernet 2", GIGABIT),
    **_card("3c4a92f33f76", "Ethernet 4", None),
}
I217 = "adapter/f854964f-b5db-4b9a-b292-6a1991fe10aa"
EXPECTED: dict[str, Facts] = {
    # Neither the bus nor IsBoot of a disk is shown, or the disk is not known to be of iSCSI.
    "windows__Get-Disk-fl__nutanix-docstring.txt": {},
    "windows__Get-Disk__virtuallab-vl-cl1.txt": {},
    # The IQN is cut off: the instance names the initiator.
    "windows__Get-InitiatorPort__msdocs.txt": _of("initiator/ROOT\\ISCSIPRT\\0000_0", name="Microsoft iSCSI Initiator", driver="msiscsi"),
    # A portal given by a name that is no address.
    "windows__Get-IscsiTargetPortal__msdocs-testiscsi.txt": {},
    "windows__Get-NetAdapter-before-vswitch__bcm5709c-abdramane.txt": BCM5709,
    # The host's port on the virtual switch shows the MAC address of Ethernet 2, which stays the card's.
    "windows__Get-NetAdapter-vswitch-same-mac__bcm5709c-abdramane.txt": BCM5709,
    "windows__Get-NetAdapter-vswitch-same-mac__nested-azure.txt": {
        **_card("00224894f68a", "Ethernet", HUNDRED, description="Microsoft Hyper-V Network Adapter"),
        **_of("vnic/vEthernet (Azure)", name="vEthernet (Azure)", enabled=True),
    },
    # Every second line is blank, and the names are cut off in the middle.
    "windows__Get-NetAdapter-set-same-mac__azure-local-640flr.txt": {
        **_card("b88303589188", "", TWENTY_FIVE),
        **_card("b88303589189", "", TWENTY_FIVE),
        **_of("vnic/vManagement(converged)", name="vManagement(converged)", enabled=True),
    },
    "windows__Get-NetAdapter-fl__dne-i218v.txt": _card(
        "7824af43d1c5",
        "Ethernet",
        GIGABIT,
        description="Intel(R) Ethernet Connection (2) I218-V",
        driver_version="12.12.50.6",
        driver_date="2015-03-20",
    ),
    "windows__Get-NetAdapterAdvancedProperty-jumbo__softlayer-x11.txt": {f"adapter/{name}/mtu": 1500 for name in SOFTLAYER},
    "windows__Get-NetAdapterAdvancedProperty-receive-buffers__softlayer-x11.txt": {
        f"adapter/{name}/receive_buffers": 4096 for name in SOFTLAYER
    },
    "windows__Get-NetAdapterBinding-german__psforadmins.txt": _of(
        "adapter/Ethernet 2", bindings=("ms_lldp", "ms_pacer", "ms_tcpip", "ms_tcpip6")
    ),
    "windows__Get-NetAdapterChecksumOffload-after__softlayer-x11.txt": {
        address: word
        for name in (*SOFTLAYER, "PrivateNetwork-Teamed", "PublicNetwork-Teamed")
        for address, word in _checksums(name, "rx_tx", "off", "rx_tx", "off", "rx_tx").items()
    },
    # Virtual interfaces have no such settings, and the name of one is cut off.
    "windows__Get-NetAdapterChecksumOffload__antrea-node.txt": {
        address: word
        for name in ("antrea-gw0", "br-int", "Ethernet0")
        for address, word in _checksums(name, "rx_tx", "off", "rx_tx", "rx_tx", "rx_tx").items()
    },
    "windows__Get-NetAdapterHardwareInfo__p-hpc-cx4.txt": {
        **_of("adapter/Ethernet2", pci="0000:01:00.1", numa_node=0),
        **_of("adapter/Ethernet", pci="0000:01:00.0", numa_node=0),
    },
    # The last priority of the first card's first class is cut off, so its classes are not known.
    "windows__Get-NetAdapterQos-two-cards__p-hpc-cx4.txt": {
        **_of("adapter/Ethernet 2", qos="enabled", qos_operational_flow_control=(3, 5)),
        **_of(
            "adapter/Ethernet",
            qos="enabled",
            qos_operational_flow_control=(3, 5),
            qos_operational_classes=("0:ets:4:0,1,2,4,6,7", "1:ets:16:3", "2:ets:80:5"),
        ),
    },
    "windows__Get-NetAdapterRdma-operational__p-hpc-cx4.txt": {
        **_of("adapter/Ethernet 2", rdma="enabled", rdma_operational="enabled"),
        **_of("adapter/Ethernet", rdma="enabled", rdma_operational="enabled"),
        **_of("vnic/vEthernet (Mellanox-IOV-Sw)", rdma="enabled"),
        **_of("vnic/vEthernet (Mellanox-Lx 4 En)", rdma="disabled"),
    },
    "windows__Get-NetAdapterRss-numa-a__softlayer-x11.txt": _of(
        "adapter/PublicNetwork-A", rss="enabled", rss_queues=8, rss_profile="numa_scaling"
    ),
    "windows__Get-NetAdapterRss-teams__softlayer-x11.txt": {
        address: value
        for name in ("PrivateNetwork-Teamed", "PublicNetwork-Teamed")
        for address, value in _of(f"adapter/{name}", rss="enabled", rss_queues=0, rss_profile="numa_scaling_static").items()
    },
    "windows__Get-NetLbfoTeam-degraded__contrail-team0.txt": _of(
        "team/Team0", members=("Ethernet1", "Ethernet2"), mode="SwitchIndependent", load_balancing="Dynamic", status="Degraded"
    ),
    "windows__Get-NetOffloadGlobalSetting-select__p-hpc-cx4.txt": {"tcp.network_direct": "enabled"},
    "windows__Get-NetQosDcbxSetting__p-hpc-cx4.txt": {"qos.dcbx_willing": True},
    "windows__Get-NetQosPolicy-activestore-lowercase__p-hpc-cx4.txt": {
        **_policy("smb", 3, "Group Policy (Machine)", "SMB"),
        **_policy("tcp", 1),
        **_policy("udp", 1),
        **_policy("smbdirect", 3, port=445),
        **_policy("default", 3, template="Default"),
    },
    "windows__Get-NetQosTrafficClass__p-hpc-cx4.txt": {
        **_of("qos_class/[Default]", algorithm="ets", bandwidth_percent=4, priorities=(0, 1, 2, 4, 6, 7), is_default=True),
        **_of("qos_class/TCP1", algorithm="ets", bandwidth_percent=16, priorities=(3,), is_default=False),
        **_of("qos_class/TCP2", algorithm="ets", bandwidth_percent=80, priorities=(5,), is_default=False),
    },
    # Connections to another port than 3260.
    "windows__Get-NetTCPConnection-internet__etwanalyzer.txt": {},
    "windows__Get-NetTCPSetting-2012-custom__wireshark-43102.txt": {
        **_template("Custom", "DCTCP", 20, 10, auto_tuning="normal", ecn="enabled"),
        **_template("Compat", "Default", 300, 200, auto_tuning="normal", ecn="enabled"),
        **_template("Datacenter", "DCTCP", 20, 10, auto_tuning="normal", ecn="enabled"),
        **_template("Internet", "CTCP", 300, 50, auto_tuning="normal", ecn="enabled"),
    },
    "windows__Get-NetTCPSetting-ft-2019-default__hyperv-set-notes.txt": {
        **_template("InternetCustom", "CUBIC", 300, 40, delayed_ack_frequency=2),
        **_template("DatacenterCustom", "CUBIC", 20, 10, delayed_ack_frequency=2),
        **_template("Compat", "NewReno", 300, 200, delayed_ack_frequency=2),
        **_template("Datacenter", "CUBIC", 20, 10, delayed_ack_frequency=2),
        **_template("Internet", "CUBIC", 300, 40, delayed_ack_frequency=2),
    },
    "windows__Get-NetTCPSetting-win11-cut__etwanalyzer.txt": {
        **_template("Datacenter", "CUBIC", 20, 10, delayed_ack_frequency=2, auto_tuning="normal", ecn="disabled"),
        **_template("Internet", "CUBIC", 300, 40, delayed_ack_frequency=2, auto_tuning="normal", ecn="disabled"),
    },
    # Which adapters SMB uses shows only beside an inventory: below.
    "windows__Get-SmbMultichannelConnection-one-server__msdocs-contoso.txt": {},
    "windows__Get-SmbMultichannelConnection__msdocs-contoso.txt": {},
    "windows__Get-StorageJob__msdocs-s2d-maintenance.txt": {"storage_jobs": 3},
    # Adapters of a guest, none of the host itself.
    "windows__Get-VMNetworkAdapter__p-hpc-cx4.txt": {},
    "windows__Get-VMSwitch__bcm5709c-brice.txt": {
        **_of("vswitch/Primary Virtual Switch", type="external", uplinks=("QLogic BCM5709C Gigabit Ethernet (NDIS VBD Client) #4",)),
        **_of("vswitch/nat", type="internal", uplinks=()),
    },
    # No setting is made of virtual disks.
    "windows__Get-VirtualDisk-healthy__msdocs-s2d-maintenance.txt": {},
    "windows__Get-VirtualDisk-inservice__msdocs-s2d-maintenance.txt": {},
    "windows__mpclaim-s-d-1-symmetric__failover-notes.txt": _of(
        "volume/6002ae000000013b006e3b", name="MPIO Disk1", policy="round_robin", module="Microsoft DSM", paths_total=2, paths_healthy=2
    ),
    "windows__mpclaim-s-d-vendor-dsm__check_mpio-template.txt": {
        **_disk(4, "round_robin", "Microsoft DSM"),
        **_disk(0, "vendor_specific", "IBM SDDDSM"),
        **_disk(11, "round_robin_with_subset", "Microsoft DSM"),
    },
    "windows__mpclaim-s-d__njeffrey.txt": {
        address: value for number in (0, 1, 2) for address, value in _disk(number, "round_robin", "Microsoft DSM").items()
    },
    "windows__registry-class-key-params-german__crwinnetdiag-i217lm.txt": _of(
        I217,
        flow_control="rx_tx",
        pause_supported=True,
        interrupt_moderation="enabled",
        checksum_ip_ipv4="rx_tx",
        mtu=1500,
        lso_ipv4="enabled",
        lso_ipv6="enabled",
        receive_buffers=256,
        rss="enabled",
        transmit_buffers=512,
    ),
}
# Files that hold nothing that is read, with the reason; those of the second group are named for no command that is known.
REFUSED = {
    "windows__Get-NetAdapterRdma-RdmaAdapterInfo-members__trove.txt": "it lists the members of an object (Get-Member), not their values",
    "windows__MPIO_DISK_INFO-check__icinga.txt": "no row of MPIO_DISK_INFO was found in it",
}
NO_COMMAND_THAT_IS_READ = {
    "windows__Connect-IscsiTarget-session__virtuallab-vl-cl1.txt": "a command that logs in",
    "windows__Connect-IscsiTarget__msdocs-testiscsi.txt": "a command that logs in, with prose",
    "windows__Get-NetAdapterStatistics-wide__azure-mana.txt": "counters, which no setting is made of",
    "windows__Get-NetAdapterVmq__hyperv-set-notes.txt": "virtual machine queues, which no rule asks for",
    "windows__Get-SmbClientNetworkInterface-select-all__msdocs.txt": "what SMB thinks of each interface; connections are read instead",
    "windows__Get-SmbClientNetworkInterface__msdocs.txt": "what SMB thinks of each interface; connections are read instead",
    "windows__Get-SmbConnection__p-hpc-cx4.txt": "shares in use, no adapter",
    "windows__New-NetLbfoTeam-lacp__windows11lbfo.txt": "a command that makes a team",
    "windows__New-NetQosPolicy-backup__msdocs.txt": "a command that makes a policy",
    "windows__New-NetQosPolicy-localhost-store__p-hpc-cx4.txt": "a command that makes a policy",
    "windows__New-NetQosPolicy-smb__msdocs.txt": "a command that makes a policy",
    "windows__New-VMSwitch-external__bcm5709c-hakim.txt": "a command that makes a switch",
    "windows__Set-NetQosDcbxSetting-prompt__p-hpc-cx4.txt": "a command that sets, and its question",
    "windows__checkmk-windows_if-adapters__node01.txt": "the output of a monitoring agent",
    "windows__driver-properties-manual__qlogic-3100-page-7-5.txt": "a page of a manual",
    "windows__netsh-int-tcp-show-heuristics-2012__wireshark-43102.txt": "the heuristics, which the list of TCP settings names",
}


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_a_captured_output_gives_what_it_says_and_nothing_else(name: str) -> None:
    assert _values(_read(name)) == EXPECTED[name]


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_an_output_that_holds_no_value_is_reported_with_the_reason(name: str) -> None:
    (captured,) = read_files({name: _bytes(name)}).captured
    assert [REFUSED[name] in reason for _, reason in captured.unread] == [True]
    assert _values(assemble("windows", captured.sections)) == {}


@pytest.mark.parametrize("name", sorted(NO_COMMAND_THAT_IS_READ))
def test_a_file_named_for_no_command_that_is_read_is_listed(name: str) -> None:
    folder = read_files({name: _bytes(name)})
    assert (folder.unknown_names, folder.captured) == ((name,), ())


def test_every_captured_output_of_windows_is_accounted_for() -> None:
    if not FOLDER.is_dir():
        pytest.skip("the captures are not here")
    here = {path.name for path in FOLDER.glob("windows__*")}
    assert here == EXPECTED.keys() | REFUSED.keys() | NO_COMMAND_THAT_IS_READ.keys()
    before = {path.name for path in CAPTURES.glob("windows__*")}
    assert before == first.EXPECTED.keys() | {"windows__Get-IscsiConnection__msdocs.txt"}
    assert sum(map(len, EXPECTED.values())) >= 230


def test_what_a_copy_cut_off_is_unknown() -> None:
    qos = _read("windows__Get-NetAdapterQos-two-cards__p-hpc-cx4.txt").configuration
    assert "0-2,4,6-" in str(at(qos, "adapter/Ethernet 2/qos_operational_classes"))
    assert "unrecognised value" in why(qos, "adapter/Ethernet 2/qos_operational_classes")
    cards = _read("windows__Get-NetAdapter-set-same-mac__azure-local-640flr.txt").configuration
    assert why(cards, "adapter/b88303589188/name") == "Name is cut off in the copied output: Embedded FlexibleLOM ...1"
    disk = _read("windows__Get-Disk-fl__nutanix-docstring.txt").configuration
    assert why(disk, "boot_from_san") == "the copied output of Get-Disk does not show BusType and IsBoot"


def test_templates_that_a_person_cut_out_may_be_there() -> None:
    found = _read("windows__Get-NetTCPSetting-win11-cut__etwanalyzer.txt").configuration
    assert {subject.id for subject in found.subjects("tcp_template")} == {"Automatic", "Datacenter", "Internet"}


@pytest.mark.parametrize(
    ("name", "count"),
    [("Get-SmbMultichannelConnection-one-server__msdocs-contoso", 2), ("Get-SmbMultichannelConnection__msdocs-contoso", 6)],
)
def test_headings_of_three_lines_name_the_columns(name: str, count: int) -> None:
    from plumbline.core.facts.windows import parse_section

    (captured,) = read_files({f"windows__{name}.txt": _bytes(f"windows__{name}.txt")}).captured
    smb = parse_section("storage", captured.sections["storage"].body).observations["smb"]
    assert isinstance(smb, list)
    assert len(smb) == count
    assert set(smb) == {("192.168.102.13", 15, True), ("192.168.101.13", 12, True)}


def test_a_portal_by_name_names_no_address() -> None:
    from plumbline.core.facts.windows import parse_section

    name = "windows__Get-IscsiTargetPortal__msdocs-testiscsi.txt"
    (captured,) = read_files({name: _bytes(name)}).captured
    assert parse_section("iscsi", captured.sections["iscsi"].body).observations["portals"] == []
