"""What consoles print of Windows commands in other views, widths, languages and encodings, with what a person would read from it.

Forms are those of public captures, the text is our own: wrapped headings of Get-NetAdapterRsc (ask.wireshark.org, September 2014), German
`netsh` (a report to MysticFoxDE/WINDOWS-OPTIMIZATIONS), Japanese `netsh` (wiki.onakasuita.org; oresamalabo.net, 2025), single
pages of `mpclaim` (a public note on VPLEX path tests), `Get-NetTCPSetting` of Windows 10 (a report to esnet/iperf).
"""

import json

import pytest

from plumbline.core.facts.configuration import NotOffered, Unknown, Value
from tests.core.facts.builders import at, why
from tests.core.facts.windows.printed import ADAPTERS, captured, read, values_at


def test_the_adapters_as_the_cmdlet_shows_them_by_itself() -> None:
    found = read(Get_NetAdapter=ADAPTERS)
    assert values_at(found, *(f"adapter/020af7112233/{key}" for key in ("name", "admin_up", "link_up", "link_speed_bps"))) == [
        "SLOT 3 Port 1",
        True,
        True,
        10_000_000_000,
    ]
    assert values_at(found, "adapter/025056a01234/link_up", "adapter/025056a01234/admin_up", "adapter/025056a01235/admin_up") == [
        False,
        True,
        False,
    ]
    assert values_at(found, "vnic/vEthernet (SAN)/enabled") == [True]
    assert "cut off" in why(found.configuration, "adapter/020af7112233/description")
    assert values_at(found, "adapter/025056a01234/description") == ["Intel(R) X520"]
    # What a view leaves out was not read; it is not a thing that the release lacks.
    for key in ("pnp_id", "driver_version", "is_virtual"):
        assert isinstance(at(found.configuration, f"adapter/020af7112233/{key}"), Unknown)


RSC = """
Name                           IPv4Enabled  IPv6Enabled  IPv4Operational IPv6Operational IPv4FailureReason IPv6Failure
                                                         State           State                             Reason
----                           -----------  -----------  --------------- --------------- ----------------- ------------
Ethernet 4                     True         False        False           False           NDISCompatibility NicProper...

Ethernet 5                     True         True         True            True            NoFailure         NoFailure
"""


def test_a_heading_of_two_lines() -> None:
    keys = ("rsc_ipv4", "rsc_ipv6", "rsc_ipv4_operational", "rsc_ipv4_failure_reason")
    found = read(Get_NetAdapterRsc=RSC)
    assert values_at(found, *(f"adapter/Ethernet 4/{key}" for key in keys)) == ["enabled", "disabled", "disabled", "NDISCompatibility"]
    assert values_at(found, *(f"adapter/Ethernet 5/{key}" for key in keys)) == ["enabled", "enabled", "enabled", ""]


PROPERTIES = """
Name                      DisplayName                    DisplayValue                   RegistryKeyword RegistryValue
----                      -----------                    ------------                   --------------- -------------
SAN1                      Datenflusssteuerung            Rx & Tx aktiviert              *FlowControl    {3}
SAN1                      Großrahmen                     9014 Bytes                     *JumboPacket    {9014}
SAN1                      TCP-Prüfsummenabladung (IPv4)  Rx & Tx aktiviert              *TCPChecksum... {3}
"""


def test_a_keyword_that_was_cut_off_leaves_what_is_missing_unknown() -> None:
    inventory = '[{"Name": "SAN1", "PermanentAddress": "02-00-00-00-00-01", "ifIndex": 4, "Virtual": false}]'
    found = read(Get_NetAdapterAdvancedProperty=PROPERTIES.encode("utf-16"), Get_NetAdapter=inventory)
    assert values_at(found, "adapter/020000000001/flow_control", "adapter/020000000001/mtu") == ["rx_tx", 9000]
    assert "only some properties" in why(found.configuration, "adapter/020000000001/checksum_tcp_ipv4")
    whole = PROPERTIES.replace("*TCPChecksum...", "*RSS           ")
    complete = read(Get_NetAdapterAdvancedProperty=whole, Get_NetAdapter=inventory)
    assert "the cmdlet that shows it too was not run" in why(complete.configuration, "adapter/020000000001/checksum_tcp_ipv4")
    cmdlet = "\nName TcpIPv4Enabled\n---- --------------\nLAN1 RxTxEnabled\n"
    both = read(Get_NetAdapterAdvancedProperty=whole, Get_NetAdapter=inventory, Get_NetAdapterChecksumOffload=cmdlet)
    assert isinstance(at(both.configuration, "adapter/020000000001/checksum_tcp_ipv4"), NotOffered)


OFFERED = """
Name                 : SAN1
RegistryKeyword      : *ReceiveBuffers
RegistryValue        : {512}
ValidRegistryValues  : {256, 512, 1024, 2048...}

Name                 : SAN1
RegistryKeyword      : TransmitBuffers
RegistryValue        : {5}
ValidRegistryValues  : {0, 1, 2, 3...}
ValidDisplayValues   : {1024, 2048, 4096, 8192...}
"""


def test_a_list_that_was_cut_off_has_no_largest_value() -> None:
    found = read(Get_NetAdapterAdvancedProperty=OFFERED)
    assert values_at(found, "adapter/SAN1/receive_buffers") == [512]
    assert "no maximum" in why(found.configuration, "adapter/SAN1/receive_buffers_maximum")
    # An index beyond the entries that were shown: never the index itself.
    assert "is no count" in why(found.configuration, "adapter/SAN1/transmit_buffers")


WRAPPED = """
    Name                 : SAN1
    InterfaceDescription : Intel(R) Ethernet
                           Server Adapter X520-2
    PnPDeviceID          : PCI\\VEN_8086&DEV_10FB&SUBSY
                           S_00038086&REV_01\\A0369F
    MacAddress           : 02-36-9F-1A-2B-3C
"""


def test_values_that_go_on_in_the_next_line_of_an_indented_copy() -> None:
    found = read(Get_NetAdapter=WRAPPED)
    assert values_at(found, "adapter/02369f1a2b3c/description", "adapter/02369f1a2b3c/pnp_id", "adapter/02369f1a2b3c/family") == [
        "Intel(R) Ethernet Server Adapter X520-2",
        "PCI\\VEN_8086&DEV_10FB&SUBSYS_00038086&REV_01\\A0369F",
        "x520",
    ]


FEATURES = """
Display Name                                            Name                       Install State
------------                                            ----                       -------------
[X] Multipfad-E/A                                       Multipath-IO                   Installed
[ ] Data Center Bridging                                Data-Center-Bridging           Available
    [X] Failoverclustering                              Failover-Clustering            Installed
"""


def test_headings_of_a_view_are_its_properties() -> None:
    assert values_at(read(Get_WindowsFeature=FEATURES), "mpio.installed", "features") == [True, ("Failover-Clustering", "Multipath-IO")]


def test_a_hash_table_prints_as_names_and_values() -> None:
    text = "\nName                 Value\n----                 -----\nSAS                  False\niSCSI                True\n"
    assert values_at(read(Get_MSDSMAutomaticClaimSettings=text), "mpio.claims_iscsi") == [True]


NETSH_DE = """
C:\\Windows\\system32>netsh int tcp show global
Der aktive Status wird abgefragt...

Globale TCP-Parameter
----------------------------------------------
Zustand der empfangsseitigen Skalierung          : disabled
{chimney}Autom. Abstimmungsgrad Empfangsfenster    : restricted
Add-On "Überlastungssteuerungsanbieter"  : default
ECN-Funktion                      : enabled
RFC 1323-Zeitstempel                 : disabled
RTO (anfänglich)                         : 1000
Zustand der Empfangssegmentzusammenfügung    : enabled
Fast Open                           : disabled
"""
NETSH_JA = """
TCP グローバル パラメーター
----------------------------------------------
Receive-Side Scaling 状態              : disabled
Chimney オフロード状態                 : automatic
NetDMA 状態                            : enabled
Direct Cache Acess (DCA)               : disabled
受信ウィンドウ自動チューニング レベル  : restricted
アドオン輻輳制御プロバイダー           : none
ECN 機能                               : disabled
初期 RTO                               : 3000
Receive Segment Coalescing 状態        : enabled
"""


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "cp850"])
def test_netsh_in_german(encoding: str) -> None:
    found = read(netsh_int_tcp_show_global=NETSH_DE.format(chimney="").encode(encoding))
    assert values_at(found, "tcp.rss", "tcp.auto_tuning", "tcp.rsc") == ["disabled", "restricted", "enabled"]
    assert isinstance(at(found.configuration, "tcp.chimney"), NotOffered)
    older = read(netsh_int_tcp_show_global=NETSH_DE.format(chimney="Chimney-Abladezustand       : enabled\n").encode(encoding))
    assert values_at(older, "tcp.chimney") == ["enabled"]


@pytest.mark.parametrize("encoding", ["utf-8", "cp932"])
def test_netsh_in_japanese(encoding: str) -> None:
    found = read(netsh_interface_tcp_show_global=NETSH_JA.encode(encoding))
    assert values_at(found, "tcp.rss", "tcp.chimney", "tcp.auto_tuning", "tcp.rsc") == ["disabled", "automatic", "restricted", "enabled"]


def test_netsh_lines_that_are_out_of_order_in_another_language_are_not_read() -> None:
    lines = NETSH_JA.strip().split("\n")
    shuffled = "\n".join([*lines[:2], *reversed(lines[2:])])
    assert captured(netsh_int_tcp_show_global=shuffled).unread[0][1] == "no row of netsh int tcp show global was found in it"


PAGE = """
PS C:\\Users\\Administrator> mpclaim -s -d {number}

MPIO Disk{number}: 03 Paths, Round Robin with Subset, ALUA Not Supported
    Controlling DSM: Microsoft DSM
    SN: 6090A09850C4C5DB3F0A01001A0B001{number}
    Supported Load Balance Policies: FOO RR RRWS LQD WP LB

    Path ID          State              SCSI Address      Weight
    ---------------------------------------------------------------------------
    0000000077040009 Active/Optimized   004|000|009|001   0
      TPG_State : Active/Optimized  , TPG_Id: 1, : 32769
    000000007704000b Active/Unoptimized 004|000|011|001   0
    0000000077040005 Standby            004|000|005|001   0
"""


@pytest.mark.parametrize("name", ["mpclaim_s_d_0", "mpclaim_v", "mpclaim.exe_s_d"])
def test_a_page_of_mpclaim_gives_the_paths_of_its_disk(name: str) -> None:
    found = read(**{name: PAGE.format(number=0)})
    keys = ("paths_total", "paths_healthy", "policy", "module")
    assert values_at(found, *(f"volume/naa.6090a09850c4c5db3f0a01001a0b0010/{key}" for key in keys)) == [
        3,
        2,
        "round_robin_with_subset",
        "Microsoft DSM",
    ]


def test_a_page_with_a_state_in_another_language_counts_no_healthy_path() -> None:
    found = read(mpclaim_s_d_0=PAGE.format(number=0).replace("Active/Optimized ", "Aktiv/Optimiert  "))
    assert isinstance(at(found.configuration, "volume/naa.6090a09850c4c5db3f0a01001a0b0010/paths_healthy"), Unknown)


REGISTRY = "HKEY_LOCAL_MACHINE\\SYSTEM\\CurrentControlSet\\Services\\Tcpip\\Parameters\\Interfaces\\"
GUIDS = ("{5d9b2c11-6f0e-4f63-9a0d-0c41b7e50a01}", "{5d9b2c11-6f0e-4f63-9a0d-0c41b7e50a02}")
QUERY = f"""
{REGISTRY}{GUIDS[0]}
    EnableDHCP    REG_DWORD    0x0
    Domain    REG_SZ
    TcpAckFrequency    REG_DWORD    0x1
    TCPNoDelay    REG_DWORD    0x0

{REGISTRY}{GUIDS[1]}
    EnableDHCP    REG_DWORD    0x1
"""
EXPORT = f"""Windows Registry Editor Version 5.00

[{REGISTRY}{GUIDS[0]}]
"EnableDHCP"=dword:00000000
"TcpAckFrequency"=dword:00000001

[{REGISTRY}{GUIDS[1]}]
"Domain"=""
"""
ITEMS = f"""
EnableDHCP      : 0
TcpAckFrequency : 1
PSPath          : Microsoft.PowerShell.Core\\Registry::{REGISTRY}{GUIDS[0]}
PSChildName     : {GUIDS[0]}

EnableDHCP      : 1
PSPath          : Microsoft.PowerShell.Core\\Registry::{REGISTRY}{GUIDS[1]}
PSChildName     : {GUIDS[1]}
"""


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("reg_query_HKLM_SYSTEM_CurrentControlSet_Services_Tcpip_Parameters_Interfaces_s", QUERY),
        ("registry_Tcpip_Parameters_Interfaces", QUERY),
        ("reg_export_Tcpip_Interfaces", EXPORT),
        ("Get_ItemProperty_HKLM_Services_Tcpip_Parameters_Interfaces", ITEMS),
    ],
)
def test_the_registry_of_interfaces(name: str, text: str) -> None:
    found = read(**{name: text})
    first, second = (f"adapter/{guid.strip('{}')}/delayed_ack_registry" for guid in GUIDS)
    assert values_at(found, first, second) == ["disabled", "enabled"]


def test_a_query_for_one_value_leaves_the_others_unknown() -> None:
    found = read(reg_query_Tcpip_Parameters_Interfaces=f"{REGISTRY}{GUIDS[0]}\n    TcpAckFrequency    REG_DWORD    0x1\n")
    assert values_at(found, f"adapter/{GUIDS[0].strip('{}')}/delayed_ack_registry") == ["disabled"]
    assert not isinstance(at(found.configuration, f"adapter/{GUIDS[0].strip('{}')}/nagle_registry"), Value)


ERROR = """Get-NetAdapterRss : Es wurden keine passenden Objekte gefunden
In Zeile:1 Zeichen:1
+ Get-NetAdapterRss -Name SAN9
    + CategoryInfo          : ObjectNotFound: (SAN9:String) [Get-NetAdapterRss], CimJobException
    + FullyQualifiedErrorId : {name},Get-NetAdapterRss
"""


@pytest.mark.parametrize(("name", "status"), [("CmdletizationQuery_NotFound_Name", "failed"), ("CommandNotFoundException", "unavailable")])
def test_an_error_in_place_of_rows_is_the_reason(name: str, status: str) -> None:
    found = captured(Get_NetAdapterRss=ERROR.format(name=name))
    assert found.unread[0][1] == "Get-NetAdapterRss: Es wurden keine passenden Objekte gefunden"
    assert json.loads(found.sections["offload"].body)["Get-NetAdapterRss"]["status"] == status


def test_an_error_as_powershell_7_prints_it() -> None:
    text = "Get-NetAdapterRss: No matching objects found by CIM query.\nLine |\n   1 |  Get-NetAdapterRss\n     |  ~~~~~~~~~~~~~~~~~\n"
    assert captured(Get_NetAdapterRss=text).unread[0][1] == "Get-NetAdapterRss: No matching objects found by CIM query."


SESSION = """**********************
[sql-03]: PS C:\\Users\\adm\\Documents> Get-NetAdapterRss -Name SAN1 | fl Name, Enabled

Name    : SAN1
Enabled : True

[sql-03]: PS C:\\Users\\adm\\Documents> hostname
SQL-03
[sql-03]: PS C:\\Users\\adm\\Documents> Get-NetAdapterLso

Name                           Version         V1IPv4Enabled  IPv4Enabled  IPv6Enabled PSComputerName
----                           -------         -------------  -----------  ----------- --------------
SAN1                           LSO Version 2   False          True         False       sql-03

[sql-03]: PS C:\\Users\\adm\\Documents> exit
"""


def test_a_copied_console_shows_what_was_typed() -> None:
    found = read(Get_NetAdapterRss=SESSION)
    assert values_at(found, "adapter/SAN1/rss", "adapter/SAN1/lso_ipv4", "adapter/SAN1/lso_ipv6") == ["enabled", "enabled", "disabled"]
    assert isinstance(at(found.configuration, "adapter/SAN1/rss_queues"), Unknown)


def test_rows_of_two_computers_are_no_host() -> None:
    rows = "Name : SAN1\nEnabled : True\nPSComputerName : a\n\nName : SAN1\nEnabled : False\nPSComputerName : b\n"
    assert "several computers (a, b)" in captured(Get_NetAdapterRss=rows).unread[0][1]


JAPANESE = """
Name                      InterfaceDescription                    ifIndex Status       MacAddress             LinkSpeed
----                      --------------------                    ------- ------       ----------             ---------
{name} {description} {index} Up           02-00-00-00-00-01        10 Gbps
"""


@pytest.mark.parametrize("is_console", [True, False])
def test_east_asian_names_move_the_columns_of_a_console(is_console: bool) -> None:
    name = "ストレージ 1"
    text = JAPANESE.format(
        name=name + " " * (25 - len(name) - (5 if is_console else 0)), description="Intel X520".ljust(39), index="12".rjust(7)
    )
    found = read(Get_NetAdapter=text)
    keys = ("name", "description", "link_up", "link_speed_bps")
    assert values_at(found, *(f"adapter/020000000001/{key}" for key in keys)) == [name, "Intel X520", True, 10_000_000_000]
