"""Copies that went through a person: pasted together, cut, spaced differently, and rows that share a MAC address."""

import json

import pytest

from plumbline.core.facts.configuration import Unknown
from tests.core.facts.builders import at, why
from tests.core.facts.windows.printed import ADAPTERS, captured, read, values_at

RSS = """
Name             : SAN1
Enabled          : True
NumberOfReceiveQueues : 4
"""
LSO = """
Name                           Version         V1IPv4Enabled  IPv4Enabled  IPv6Enabled
----                           -------         -------------  -----------  -----------
SAN1                           LSO Version 2   False          True         True
"""
ROUTES = """
DestinationPrefix NextHop      RouteMetric
----------------- -------      -----------
0.0.0.0/0         192.168.20.1         256
"""


def test_a_second_table_below_the_first_is_reported_and_not_mixed_in() -> None:
    found = captured(Get_NetAdapterLso=LSO + ROUTES)
    assert found.unread == (
        ("windows__Get-NetAdapterLso__x.txt", "another table follows and is not read: DestinationPrefix NextHop      RouteMetric"),
    )
    (row,) = json.loads(found.sections["offload"].body)["Get-NetAdapterLso"]["rows"]
    assert "NextHop" not in row


def test_the_same_table_twice_is_one_output() -> None:
    found = read(Get_NetAdapterLso=LSO + LSO.replace("SAN1", "SAN2"))
    assert values_at(found, "adapter/SAN1/lso_ipv6", "adapter/SAN2/lso_ipv6") == ["enabled", "enabled"]


def test_a_second_list_below_the_first_is_reported_and_not_mixed_in() -> None:
    other = "\nSettingName : Internet\nMinRto(ms)  : 300\n"
    found = captured(Get_NetAdapterRss=RSS + other)
    assert found.unread == (("windows__Get-NetAdapterRss__x.txt", "another output follows and is not read: SettingName, MinRto"),)
    assert len(json.loads(found.sections["offload"].body)["Get-NetAdapterRss"]["rows"]) == 1


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_blank_lines_between_heading_dashes_and_rows(encoding: str) -> None:
    spaced = ADAPTERS.strip().replace("\n", " \n\n")
    found = read(Get_NetAdapter=spaced.encode(encoding))
    assert values_at(found, "adapter/025056a01234/name", "adapter/020af7112233/link_speed_bps") == ["Ethernet 2", 10_000_000_000]


@pytest.mark.parametrize(("label", "bits"), [("LinkSpeed(Gbps)", 10**10), ("LinkSpeed(Mbps)", 10**7)])
def test_a_speed_whose_unit_is_in_its_label(label: str, bits: int) -> None:
    driver = "DriverInformation : Driver Date 2015-03-20 Version 4.1.2 NDIS 6.30"
    text = f"Name : SAN1\nMacAddress : 02-00-00-00-00-01\nStatus : Up\n{label} : 10\n{driver}\n"
    found = read(Get_NetAdapter=text)
    keys = ("link_speed_bps", "driver_version", "driver_date")
    assert values_at(found, *(f"adapter/020000000001/{key}" for key in keys)) == [bits, "4.1.2", "2015-03-20"]


SAME_MAC = """
Name                      InterfaceDescription                    ifIndex Status       MacAddress             LinkSpeed
----                      --------------------                    ------- ------       ----------             ---------
{rows}
"""
ROW = "{name:<25} {description:<39} {index:>7} Up           02-00-00-00-00-01        10 Gbps"


@pytest.mark.parametrize(
    ("name", "description"),
    [
        ("SANTeam", "Microsoft Network Adapter Multiplexo..."),
        ("SANTeam", "Microsoft-Netzwerkadapter-Multiplext..."),
        ("vEthernet (LAN)", "Hyper-V Virtual Ethernet Adapter"),
        ("vManagement(converged)", "Hyper-V Virtual Ethernet Adapter #2"),
        ("LAN am Switch", "Virtueller Hyper-V-Ethernet-Adapter"),
    ],
)
def test_a_virtual_row_never_replaces_the_card_with_its_mac_address(name: str, description: str) -> None:
    virtual, card = ROW.format(name=name, description=description, index=21), ROW.format(name="SAN1", description="Intel X520", index=12)
    for rows in (f"{virtual}\n{card}", f"{card}\n{virtual}"):
        found = read(Get_NetAdapter=SAME_MAC.format(rows=rows))
        assert values_at(found, "adapter/020000000001/name", f"vnic/{name}/name") == ["SAN1", name]
        assert found.problems == ()


def test_the_port_of_a_guest_is_a_card_to_it() -> None:
    row = ROW.format(name="Ethernet", description="Microsoft Hyper-V Network Adapter", index=6)
    assert values_at(read(Get_NetAdapter=SAME_MAC.format(rows=row)), "adapter/020000000001/name") == ["Ethernet"]


NETSH = """
TCP Global Parameters
----------------------------------------------
Receive-Side Scaling State          : enabled
Receive Window Auto-Tuning Level    : {level}
Add-On Congestion Control Provider  : default
Receive Segment Coalescing State    : enabled
** The above autotuninglevel setting is the result of Windows Scaling heuristics
overriding any local/policy configuration on at least one profile.
"""


def test_a_level_that_heuristics_override_is_not_what_the_list_says() -> None:
    found = read(netsh_int_tcp_show_global=NETSH.format(level="normal"))
    assert why(found.configuration, "tcp.auto_tuning") == (
        "according to its footnote, window scaling heuristics override the level it shows (normal)"
    )
    assert values_at(found, "tcp.rss", "tcp.rsc") == ["enabled", "enabled"]
    assert values_at(read(netsh_int_tcp_show_global=NETSH.format(level="disabled")), "tcp.auto_tuning") == ["disabled"]
    plain = "\n".join(NETSH.format(level="normal").split("\n")[:-3])
    assert values_at(read(netsh_int_tcp_show_global=plain), "tcp.auto_tuning") == ["normal"]


def test_the_members_of_an_object_are_no_values() -> None:
    members = "\nName    MemberType Definition\n----    ---------- ----------\nEnabled Property   bool Enabled {get;}\n"
    found = captured(Get_NetAdapterRss=members)
    assert found.unread[0][1] == "Get-NetAdapterRss: it lists the members of an object (Get-Member), not their values"


def test_objects_that_a_person_left_out_may_have_the_setting() -> None:
    inventory = json.dumps(
        [{"Name": name, "PermanentAddress": f"02-00-00-00-00-0{at}", "ifIndex": at} for at, name in enumerate(("A", "B"))]
    )
    rows = "Name : A\nIPv4Enabled : True\nIPv6Enabled : True\nInstanceID : x\n...\n"
    found = read(Get_NetAdapter=inventory, Get_NetAdapterLso_select_all=rows)
    assert values_at(found, "adapter/020000000000/lso_ipv4") == ["enabled"]
    assert isinstance(at(found.configuration, "adapter/020000000001/lso_ipv4"), Unknown)


POLICIES = """
\tName           :SMB Direct
\tOwner          :Group Policy (Machine)
\tNetDirectPort  :445
\tPriorityValue  :3

\tName           :other
\tPriorityValue  :1
"""


def test_properties_whose_colon_lost_its_space() -> None:
    found = read(Get_NetQosPolicy=POLICIES)
    keys = ("qos_policy/smb direct/priority", "qos_policy/smb direct/net_direct_port", "qos_policy/other/priority")
    assert values_at(found, *keys) == [3, 445, 1]


CLASS_KEY = """NetCfgInstanceId                        {5D9B2C11-6F0E-4F63-9A0D-0C41B7E50A01}
*FlowControl                            3
----------------------Values *FlowControl---------------------------------------
      ParamDesc                         Flusssteuerung
      default                           0
            0                           Deaktiviert
*JumboPacket                            9014
"""


def test_a_class_key_as_a_script_prints_it() -> None:
    found = read(registry_class_key_params=CLASS_KEY)
    guid = "adapter/5d9b2c11-6f0e-4f63-9a0d-0c41b7e50a01"
    assert values_at(found, f"{guid}/flow_control", f"{guid}/mtu") == ["rx_tx", 9000]


@pytest.mark.parametrize("text", ["RR\n", "\nValue\n-----\nRR\n", "PS C:\\> Get-MSDSMGlobalDefaultLoadBalancePolicy\nRR\n"])
def test_an_output_of_one_value(text: str) -> None:
    assert values_at(read(Get_MSDSMGlobalDefaultLoadBalancePolicy=text), "mpio.policy") == ["round_robin"]


def test_what_follows_an_output_of_one_value_is_reported() -> None:
    found = captured(Get_MSDSMGlobalDefaultLoadBalancePolicy="RR\n\nLQD\n")
    assert found.unread[0][1] == "another output follows and is not read: LQD"
    assert json.loads(found.sections["mpio"].body)["Get-MSDSMGlobalDefaultLoadBalancePolicy"]["rows"] == [{"Policy": "RR"}]
