"""Printed outputs that show only some objects, properties or adapters: what is missing is never taken for absent."""

import json

from plumbline.core.facts.configuration import NotOffered, Unknown
from tests.core.facts.builders import at, why
from tests.core.facts.windows.printed import ADAPTERS, captured, read, values_at


def test_objects_of_a_filter_do_not_make_the_others_lack_the_feature() -> None:
    inventory = json.dumps(
        [{"Name": name, "PermanentAddress": f"02-00-00-00-00-0{at}", "ifIndex": at} for at, name in enumerate(("A", "B"))]
    )
    row = "Name : A\nIPv4Enabled : True\nIPv6Enabled : True\nInstanceID : x\n"
    some = read(Get_NetAdapter=inventory, Get_NetAdapterLso_Name_A=row)
    assert isinstance(at(some.configuration, "adapter/020000000001/lso_ipv4"), Unknown)
    every = read(Get_NetAdapter=inventory, Get_NetAdapterLso_select_all=row)
    assert isinstance(at(every.configuration, "adapter/020000000001/lso_ipv4"), NotOffered)


def test_an_embedded_team_hides_its_cards_from_the_switch() -> None:
    switch = "\n".join(
        (
            "Name            SwitchType NetAdapterInterfaceDescription",
            "----            ---------- ------------------------------",
            "Converged       External   Teamed-Interface",
        )
    )
    team = """Name : Converged
NetAdapterInterfaceDescription : {Mellanox A, Mellanox B}
TeamingMode : SwitchIndependent
LoadBalancingAlgorithm : HyperVPort
"""
    alone = read(Get_VMSwitch=switch)
    assert "does not show all" in why(alone.configuration, "vswitch/Converged/uplinks")
    for found in (read(Get_VMSwitch=switch, Get_VMSwitchTeam=team), read(Get_VMSwitchTeam=team)):
        assert values_at(found, "vswitch/Converged/uplinks", "vswitch/Converged/teaming_mode") == [
            ("Mellanox A", "Mellanox B"),
            "SwitchIndependent",
        ]


INTERFACES = """
ifIndex InterfaceAlias                  AddressFamily NlMtu(Bytes) InterfaceMetric Dhcp     ConnectionState PolicyStore
------- --------------                  ------------- ------------ --------------- ----     --------------- -----------
12      SAN1                            IPv6                  1280              15 Enabled  Connected       ActiveStore
12      SAN1                            IPv4                  9000              15 Disabled Connected       ActiveStore
"""


def test_interfaces_without_the_inventory_are_known_by_name() -> None:
    assert values_at(read(Get_NetIPInterface=INTERFACES), "adapter/SAN1/mtu_operational") == [9000]
    place = "\nName Segment Bus Device Function\n---- ------- --- ------ --------\nSAN1 0 4 0 1\n"
    assert values_at(read(Get_NetAdapterHardwareInfo=place), "adapter/SAN1/pci") == ["0000:04:00.1"]


def test_a_name_and_its_guid_are_one_interface() -> None:
    guid = "5d9b2c11-6f0e-4f63-9a0d-0c41b7e50a01"
    keyword = f"Name : SAN1\nInstanceID : {{{guid}}}::*RSS\nRegistryKeyword : *RSS\nRegistryValue : {{1}}\n"
    found = read(Get_NetAdapterAdvancedProperty=keyword, Get_NetAdapterLso="Name : SAN1\nIPv4Enabled : True\n")
    assert values_at(found, f"adapter/{guid}/rss", f"adapter/{guid}/lso_ipv4") == ["enabled", "enabled"]
    assert len(found.configuration.subjects("adapter")) == 1


def test_without_the_bus_of_disks_boot_from_san_is_unknown() -> None:
    text = """
Number Friendly Name Serial Number                    HealthStatus         OperationalStatus      Total Size Partition
                                                                                                             Style
------ ------------- -------------                    ------------         -----------------      ---------- ----------
0      DELL PERC ... 00a1b2c3d4e5                     Healthy              Online                  465.25 GB GPT
"""
    assert "does not show BusType" in why(read(Get_Disk=text).configuration, "boot_from_san")


def test_exported_rows() -> None:
    csv = '#TYPE Selected\n"Name","Enabled","NumberOfReceiveQueues"\n"SAN1","True","8"\n'
    wrapped = '{"value": [{"Name": "SAN1", "Enabled": true, "NumberOfReceiveQueues": 8}], "Count": 1}'
    for text in (csv, csv.replace(",", ";"), wrapped):
        assert values_at(read(Get_NetAdapterRss=text), "adapter/SAN1/rss", "adapter/SAN1/rss_queues") == ["enabled", 8]


QOS = """
Name                       : SMB1
Enabled                    : True
Capabilities               :                       Hardware     Current
                                                   --------     -------
                             MacSecBypass        : NotSupported NotSupported
                             NumTCs(Max/ETS/PFC) : 8/8/8        8/8/8

OperationalTrafficClasses  : TC TSA    Bandwidth Priorities
                             -- ---    --------- ----------
                              0 ETS    49%       0-2,4-6
                              1 ETS    50%       3
                              2 Strict           7

OperationalFlowControl     : Priorities 3,7 Enabled
OperationalClassifications : Protocol  Port/Type Priority
                             --------  --------- --------
                             Default             0
                             NetDirect 445       3

Name                       : SMB2
Enabled                    : False
"""


def test_blank_lines_inside_a_record_of_qos() -> None:
    """As the conv-nic pages of MicrosoftDocs/windowsserverdocs print it."""
    found = read(Get_NetAdapterQos=QOS)
    assert found.problems == tuple(f"adapter SMB{at}: Get-NetAdapter was not read, so its MAC address is not known" for at in (1, 2))
    assert values_at(found, "adapter/SMB1/qos_operational_classes", "adapter/SMB1/qos_operational_flow_control", "adapter/SMB2/qos") == [
        ("0:ets:49:0,1,2,4,5,6", "1:ets:50:3", "2:strict::7"),
        (3, 7),
        "disabled",
    ]


def test_a_view_without_the_value_gives_no_setting() -> None:
    table = "\nName RegistryKeyword DisplayValue\n---- --------------- ------------\nSAN1 *FlowControl    Disabled\n"
    assert captured(Get_NetAdapterAdvancedProperty=table).unread[0][1] == "no property with a keyword was found in it"


NARROW = """
Name                       DisplayName                           DisplayValue                 RegistryKeyword         R
                                                                                                                      e
                                                                                                                      g
                                                                                                                      i
                                                                                                                      s
                                                                                                                      t
                                                                                                                      r
                                                                                                                      y
                                                                                                                      V
                                                                                                                      a
                                                                                                                      l
                                                                                                                      u
                                                                                                                      e
----                       -----------                           ------------                 ---------------         -
SAN1                       Flusssteuerung                        Deaktiviert                  *FlowControl            {
                                                                                                                      0
                                                                                                                      }
SAN1                       Großrahmen                            9014 Bytes                   *JumboPacket            {
                                                                                                                      9
                                                                                                                      0
                                                                                                                      1
                                                                                                                      4
                                                                                                                      }
"""


def test_a_column_that_was_left_one_letter_wide() -> None:
    """As a German console printed it in a report to MysticFoxDE/WINDOWS-OPTIMIZATIONS."""
    assert values_at(read(Get_NetAdapterAdvancedProperty=NARROW), "adapter/SAN1/flow_control", "adapter/SAN1/mtu") == ["off", 9000]


def test_adapters_that_the_inventory_leaves_out_are_shown_with_what_is_known() -> None:
    guid = "5d9b2c11-6f0e-4f63-9a0d-0c41b7e50a01"
    keyword = f"Name : SAN9\nInstanceID : {{{guid}}}::*RSS\nRegistryKeyword : *RSS\nRegistryValue : {{1}}\n"
    lso = "Name : SAN9\nIPv4Enabled : True\n\nName : LAN 3\nIPv4Enabled : False\n"
    found = read(Get_NetAdapter=ADAPTERS, Get_NetAdapterAdvancedProperty=keyword, Get_NetAdapterLso=lso)
    assert values_at(found, f"adapter/{guid}/rss", f"adapter/{guid}/lso_ipv4") == ["enabled", "enabled"]
    assert len(found.configuration.subjects("adapter")) == 4
    known = "it is in Get-NetAdapterAdvancedProperty, Get-NetAdapterLso"
    assert f"adapter {guid}: Get-NetAdapter does not list it, so its MAC address is not known; {known}" in found.problems


def test_a_virtual_interface_that_the_inventory_leaves_out() -> None:
    rdma = "Name : vEthernet (SMB1)\nEnabled : True\n"
    found = read(Get_NetAdapter=ADAPTERS, Get_NetAdapterRdma=rdma)
    assert values_at(found, "vnic/vEthernet (SMB1)/rdma") == ["enabled"]
    assert "vnic vEthernet (SMB1): Get-NetAdapter does not list it" in found.problems


def test_names_that_need_not_be_adapters_are_reported_and_left_out() -> None:
    own = INTERFACES.replace("SAN1            ", "isatap.{5D9B2C11}").replace("IPv6", "IPv4")
    assert read(Get_NetAdapter=ADAPTERS, Get_NetIPInterface=own).problems == ()
    found = read(Get_NetAdapter=ADAPTERS, Get_NetIPInterface=INTERFACES)
    assert found.problems == ("Get-NetAdapter does not list SAN1: left out of Get-NetIPInterface",)
    assert len(found.configuration.subjects("adapter")) == 3


def test_a_table_without_guids_meets_the_registry_by_the_name_that_another_command_gives() -> None:
    guid = "5d9b2c11-6f0e-4f63-9a0d-0c41b7e50a01"
    place = "HKEY_LOCAL_MACHINE\\SYSTEM\\CurrentControlSet\\Services\\Tcpip\\Parameters\\Interfaces"
    keys = f"{place}\\{{{guid}}}\n    TcpAckFrequency    REG_DWORD    0x1\n"
    registry = {"registry-Tcpip-Parameters-Interfaces": keys}
    alone = read(Get_NetAdapter=ADAPTERS, **registry)
    assert alone.problems == (f"Get-NetAdapter does not list {guid}: left out of registry:Tcpip/Parameters/Interfaces",)
    keyword = f"Name : LAN 3\nInstanceID : {{{guid}}}::*RSS\nRegistryKeyword : *RSS\nRegistryValue : {{1}}\n"
    named = read(Get_NetAdapter=ADAPTERS, Get_NetAdapterAdvancedProperty=keyword, **registry)
    assert values_at(named, "adapter/025056a01235/delayed_ack_registry", "adapter/025056a01235/rss") == ["disabled", "enabled"]
    assert named.problems == ()


def test_a_view_without_the_index_is_joined_by_name() -> None:
    text = (
        "InterfaceAlias AddressFamily NlMtu(Bytes)\n-------------- ------------- ------------\nLAN 3          IPv4                  9000\n"
    )
    address = "InterfaceAlias : LAN 3\nIPAddress : 10.0.0.5\nPrefixLength : 24\n"
    found = read(Get_NetAdapter=ADAPTERS, Get_NetIPInterface=text, Get_NetIPAddress=address)
    assert values_at(found, "adapter/025056a01235/mtu_operational", "adapter/025056a01235/addresses") == [9000, ("10.0.0.5/24",)]
