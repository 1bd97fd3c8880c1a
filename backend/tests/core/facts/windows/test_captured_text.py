"""Each captured output of a real Windows host, with the values that it must give, derived manually."""

from typing import Any

import pytest

from plumbline.core.facts.assemble import Assembled, assemble
from plumbline.core.facts.captures.folder import read_files
from plumbline.core.facts.configuration import NotOffered, Value
from tests.core.facts.builders import at, capture, why


def imported(*names: str, **texts: str) -> Assembled:
    """The captures of these names, or the given texts under file names, as one host."""
    files = {name: capture(name) for name in names} | {
        f"windows__{name.replace('_', '-')}__x.txt": text.encode() for name, text in texts.items()
    }
    folder = read_files(files)
    assert folder.unknown_names == ()
    assert [captured.unread for captured in folder.captured] == [()]
    assembled = assemble("windows", folder.captured[0].sections)
    assert assembled.internal_errors == ()
    return assembled


X550 = "adapter/8e5a25a3-83a0-417a-b310-b1811c1658f7"
CONTOSO, MICROSOFT = "iqn.1991-05.com.contoso:deepcore.contoso.com", "iqn.1991-05.com.microsoft:deepcore.contoso.com"
DEEPCORE = "iqn.1991-05.com.contoso:testiscsi-deepcore-target"
EXPECTED: dict[str, dict[str, Any]] = {
    "windows__Get-IscsiSession__msdocs-three-sessions.txt": {
        # Three connected sessions, multipath off: one for the first IQN, two for the second.
        f"target/{MICROSOFT}>{DEEPCORE}/sessions": 1,
        f"target/{CONTOSO}>{DEEPCORE}/sessions": 2,
        f"target/{CONTOSO}>{DEEPCORE}/multipath": False,
        f"target/{CONTOSO}>{DEEPCORE}/persistent": True,
        f"initiator/{CONTOSO}/header_digest": "disabled",
        f"initiator/{CONTOSO}/driver": "msiscsi",
    },
    "windows__Get-MPIOSetting__msdocs.txt": {
        "mpio.installed": True,
        "mpio.path_verification": "disabled",
        "mpio.path_verification_seconds": 30,
        "mpio.pdo_remove_seconds": 20,
        "mpio.retry_count": 3,
        "mpio.retry_interval_seconds": 1,
        "mpio.disk_timeout_seconds": 120,
    },
    "windows__Get-MSDSMGlobalDefaultLoadBalancePolicy__msdocs.txt": {"mpio.policy": "round_robin"},
    "windows__Get-NetAdapter-select-all__msdocs-cnic-m1.txt": {
        "adapter/7cfe90938fa1/name": "M1",
        "adapter/7cfe90938fa1/mac": "7C-FE-90-93-8F-A1",
        "adapter/7cfe90938fa1/description": "Mellanox ConnectX-3 Pro Ethernet Adapter",
        "adapter/7cfe90938fa1/interface_guid": "{39B58B4C-8833-4ED2-A2FD-E105E7146D43}",
        "adapter/7cfe90938fa1/driver": "mlx4eth63.sys",
        "adapter/7cfe90938fa1/driver_version": "5.25.12665.0",
        "adapter/7cfe90938fa1/family": "other",
        "adapter/7cfe90938fa1/admin_up": True,
        "adapter/7cfe90938fa1/link_up": True,
        "adapter/7cfe90938fa1/link_speed_bps": 40_000_000_000,
    },
    "windows__Get-NetAdapterAdvancedProperty-select-all__intel-mfd-e810.txt": {"adapter/44a7afa5-1066-4d72-8e26-909aca6541c0/vlan": 0},
    "windows__Get-NetAdapterQos-disabled__msdocs-dcbadapter1.txt": {
        "adapter/DCBADAPTER1/qos": "disabled",
        "adapter/DCBADAPTER1/qos_operational_classes": (),
    },
    "windows__Get-NetAdapterRsc-ndiscompat__wireshark-forum.txt": {
        # Switched on, but not in effect: the two layers differ.
        "adapter/Ethernet 4/rsc_ipv4": "enabled",
        "adapter/Ethernet 4/rsc_ipv4_operational": "disabled",
        "adapter/Ethernet 4/rsc_ipv4_failure_reason": "NDISCompatibility",
        "adapter/Ethernet 3/rsc_ipv6": "enabled",
        "adapter/Ethernet 3/rsc_ipv6_operational": "disabled",
    },
    "windows__Get-NetAdapterRss__intel-mfd-e810.txt": {
        "adapter/SLOT 4 Port 2/rss": "enabled",
        "adapter/SLOT 4 Port 2/rss_queues": 16,
        "adapter/SLOT 4 Port 2/rss_profile": "conservative",
    },
    "windows__Get-NetLbfoTeamMember__intel-mfd-teamblue.txt": {
        "team/TeamBlue/members": ("Ethernet 10", "Ethernet 9"),
        "adapter/Ethernet 10/team": "TeamBlue",
        "adapter/Ethernet 9/team": "TeamBlue",
    },
    "windows__Get-NetLbfoTeam__intel-mfd-teamblue.txt": {
        "team/TeamBlue/members": ("Ethernet 10", "Ethernet 9"),
        "team/TeamBlue/mode": "SwitchIndependent",
        "team/TeamBlue/load_balancing": "Dynamic",
        "team/TeamBlue/status": "Up",
    },
    "windows__Get-NetQosFlowControl__msdocs.txt": {"qos.pfc_priorities": (3,)},
    "windows__Get-NetQosPolicy-ActiveStore__msdocs.txt": {
        # Each record prints other properties: a property that it does not print is not set.
        "qos_policy/smb policy/priority": 3,
        "qos_policy/smb policy/template": "SMB",
        "qos_policy/smb policy/owner": "Group Policy (Machine)",
        "qos_policy/smb policy/net_direct_port": 0,
        "qos_policy/ntttcp 1/min_bandwidth_weight": 30,
        "qos_policy/ntttcp 1/priority": -1,
        "qos_policy/backup/dscp": 40,
        "qos_policy/ftp/owner": "PowerShell / WMI",
    },
    "windows__Get-NetQosTrafficClass__msdocs.txt": {
        "qos_class/SMB/algorithm": "ets",
        "qos_class/SMB/bandwidth_percent": 60,
        "qos_class/SMB/priorities": (3,),
        "qos_class/SMB/is_default": False,
        "qos_class/[Default]/bandwidth_percent": 40,
        "qos_class/[Default]/priorities": (0, 1, 2, 4, 5, 6, 7),
        "qos_class/[Default]/is_default": True,
    },
    "windows__Get-VMSwitch-select-all__intel-mfd-hyperv-1.txt": {
        "vswitch/managementvSwitch/type": "external",
        "vswitch/managementvSwitch/embedded_teaming": False,
        "vswitch/managementvSwitch/allow_management": True,
        "vswitch/managementvSwitch/software_rsc": "enabled",
        "vswitch/managementvSwitch/uplinks": ("Intel(R) Ethernet Controller X550",),
    },
    "windows__mpclaim-s-d__njeffrey-nagios.txt": {
        f"volume/mpio disk{number}/{key}": shown
        for number in (0, 1, 2)
        for key, shown in (("policy", "round_robin"), ("module", "Microsoft DSM"))
    },
    "windows__netsh-int-tcp-show-global-ws2019plus__notes-repo.txt": {
        "tcp.rss": "enabled",
        "tcp.rsc": "enabled",
        "tcp.auto_tuning": "normal",
    },
    "windows__registry-class-key-params-json__intel-x550-mfd.txt": {
        # An untouched X550, whose defaults are those that BP1057 lists for the X520.
        f"{X550}/flow_control": "rx_tx",
        f"{X550}/mtu": 1500,
        f"{X550}/receive_buffers": 512,
        f"{X550}/transmit_buffers": 512,
        f"{X550}/interrupt_moderation": "enabled",
        f"{X550}/rss": "enabled",
        f"{X550}/rss_queues": 8,
        f"{X550}/rss_profile": "closest",
        f"{X550}/rsc_ipv4": "enabled",
        f"{X550}/rsc_ipv6": "enabled",
        f"{X550}/lso_ipv4": "enabled",
        f"{X550}/lso_ipv6": "enabled",
        f"{X550}/checksum_ip_ipv4": "rx_tx",
        f"{X550}/checksum_tcp_ipv4": "rx_tx",
        f"{X550}/checksum_udp_ipv6": "rx_tx",
        f"{X550}/qos": "disabled",
        f"{X550}/vlan": 0,
        f"{X550}/numa_node": 65535,
    },
}


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_a_captured_output_gives_its_settings(name: str) -> None:
    configuration = imported(name).configuration
    found = {address: at(configuration, address) for address in EXPECTED[name]}
    assert {address: reading.value if isinstance(reading, Value) else reading for address, reading in found.items()} == EXPECTED[name]


def test_a_connection_names_a_portal_of_the_san_and_no_source() -> None:
    name = "windows__Get-IscsiConnection__msdocs.txt"
    on_its_subnet = '[{"Name": "A", "PermanentAddress": "02-00-00-00-00-01", "ifIndex": 4}]'
    address = '[{"InterfaceIndex": 4, "IPAddress": "10.121.235.9", "PrefixLength": 24}]'
    found = imported(name, **{"Get-NetAdapter": on_its_subnet, "Get-NetIPAddress": address})
    assert at(found.configuration, "adapter/020000000001/role").value == "san_iscsi"
    assert at(found.configuration, "adapter/020000000001/role_reason").value == "iSCSI portal 10.121.235.126 is in its subnet"


def test_netsh_without_a_chimney_line_means_not_offered() -> None:
    found = imported("windows__netsh-int-tcp-show-global-ws2019plus__notes-repo.txt").configuration
    assert isinstance(at(found, "tcp.chimney"), NotOffered)
    older = imported(netsh_int_tcp_show_global="TCP Global Parameters\nChimney Offload State               : disabled\n").configuration
    assert at(older, "tcp.chimney").value == "disabled"


def test_paths_of_disks_that_only_mpclaim_lists_are_unknown() -> None:
    found = imported("windows__mpclaim-s-d__njeffrey-nagios.txt")
    assert "section storage not collected" in why(found.configuration, "volume/mpio disk1/paths_healthy")


def test_a_folder_of_several_outputs_is_one_host() -> None:
    found = imported(
        "windows__Get-NetLbfoTeam__intel-mfd-teamblue.txt", "windows__Get-NetLbfoTeamMember__intel-mfd-teamblue.txt"
    ).configuration
    assert at(found, "team/TeamBlue/mode").value == "SwitchIndependent"
    assert at(found, "adapter/Ethernet 9/team").value == "TeamBlue"


COLLAPSED = """PS C:\\> Get-NetAdapterRsc
Name IPv4Enabled IPv6Enabled IPv4OperationalState IPv6OperationalState IPv4FailureReason IPv6FailureReason
---- ----------- ----------- -------------------- -------------------- ----------------- -----------------
SAN Port 4 True False True False NoFailure NicPropertyDisabled
"""


def test_a_table_whose_spaces_were_lost_is_read_by_words() -> None:
    found = imported(Get_NetAdapterRsc=COLLAPSED).configuration
    assert at(found, "adapter/SAN Port 4/rsc_ipv4_operational").value == "enabled"
    assert at(found, "adapter/SAN Port 4/rsc_ipv6").value == "disabled"
    assert at(found, "adapter/SAN Port 4/rsc_ipv4_failure_reason").value == ""


QOS = """Name                       : ch_p0
Enabled                    : True
Capabilities               :                       Hardware     Current
                                                   --------     -------
                             MacSecBypass        : NotSupported NotSupported
OperationalTrafficClasses  : TC TSA    Bandwidth Priorities
                             -- ---    --------- ----------
                              0 ETS    20%       0-4,6-7
                              1 ETS    80%       5
OperationalFlowControl     : Priority 5 Enabled
"""


def test_the_table_inside_an_adapters_qos() -> None:
    found = imported(Get_NetAdapterQos=QOS).configuration
    assert at(found, "adapter/ch_p0/qos_operational_classes").value == ("0:ets:20:0,1,2,3,4,6,7", "1:ets:80:5")
    assert at(found, "adapter/ch_p0/qos_operational_flow_control").value == (5,)


ADVANCED = """
Name : SAN1
RegistryKeyword : *JumboPacket
RegistryValue : {9014}
DisplayParameterType : 5
ValidRegistryValues : {1514, 4088, 9014}
Name : SAN1
RegistryKeyword : *ReceiveBuffers
RegistryValue : {512}
NumericParameterMaxValue : 4096
"""


def test_records_that_lost_the_blank_line_between_them() -> None:
    found = imported(Get_NetAdapterAdvancedProperty=ADVANCED).configuration
    assert at(found, "adapter/SAN1/mtu").value == 9000
    assert at(found, "adapter/SAN1/mtu_maximum").value == 9000
    assert at(found, "adapter/SAN1/receive_buffers_maximum").value == 4096
    assert not_there_or_absent(found, "adapter/SAN1/flow_control")


def not_there_or_absent(configuration: Any, address: str) -> bool:
    """A setting that no keyword of the capture has: never a value."""
    return not isinstance(at(configuration, address), Value)
