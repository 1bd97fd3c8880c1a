"""What agents send since 1.1.0: the raw properties of Windows' classes, beside the names that 1.0.0 and printed outputs have."""

import json
from typing import Any, cast

import pytest

from plumbline.core.facts.assemble import parse_section
from plumbline.core.facts.configuration import NotOffered, Source, Value
from plumbline.core.facts.windows.families import family_of
from plumbline.core.facts.windows.mpio import Claimed
from tests.core.facts.builders import (
    GUID,
    IQN,
    TARGET,
    VOLUME,
    at,
    dsm_path,
    iscsi,
    mac,
    mpio,
    not_there,
    read,
    san_adapters,
    session,
    storage,
    system,
    value,
    why,
    windows,
)

# --- QoS ------------------------------------------------------------------------------------------------------------------------------

TABLES = {
    "BandwidthAssignmentTable": [30, 70, 0, 0, 0, 0, 0, 0],
    "PriorityAssignmentTable": [0, 0, 0, 1, 0, 0, 0, 2],
    "TsaAssignmentTable": [2, 2, 0, 0, 0, 0, 0, 0],
    "PriorityFlowControlEnableArray": [False, False, False, True, False, False, False, True],
    "TransmissionSelectionEnabled": True,
    "FlowControlEnabled": True,
}
RUNS, PAUSES = f"adapter/{mac(1)}/qos_operational_classes", f"adapter/{mac(1)}/qos_operational_flow_control"


def qos(**more: Any) -> Any:
    row = {"Name": "SAN1", "InstanceID": GUID.format(1), "Enabled": True, **more}
    return windows(adapters=san_adapters(), qos={"Get-NetAdapterQos": read(row)}).configuration


def test_the_tables_of_an_adapters_qos() -> None:
    found = qos(OperationalSettings=TABLES)
    assert value(found, RUNS) == ("0:ets:30:0,1,2,4,5,6", "1:ets:70:3", "2:strict::7")
    assert value(found, PAUSES) == (3, 7)
    assert at(found, RUNS).source.field == "OperationalSettings.TsaAssignmentTable"


def test_nothing_runs_where_the_settings_are_null_or_switched_off() -> None:
    assert [value(qos(OperationalSettings=None), key) for key in (RUNS, PAUSES)] == [(), ()]
    off = qos(OperationalSettings={**TABLES, "TransmissionSelectionEnabled": False, "FlowControlEnabled": False})
    assert [value(off, key) for key in (RUNS, PAUSES)] == [(), ()]


def test_what_the_switch_announced_is_read_beside_what_runs() -> None:
    classes, flow = f"adapter/{mac(1)}/dcbx_remote_classes", f"adapter/{mac(1)}/dcbx_remote_flow_control"
    heard = qos(OperationalSettings=TABLES, RemoteSettings={**TABLES, "BandwidthAssignmentTable": [50, 50, 0, 0, 0, 0, 0, 0]})
    assert value(heard, classes) == ("0:ets:50:0,1,2,4,5,6", "1:ets:50:3", "2:strict::7")
    assert (value(heard, flow), value(heard, RUNS)[0]) == ((3, 7), "0:ets:30:0,1,2,4,5,6")
    assert at(heard, classes).source.field == "RemoteSettings.TsaAssignmentTable"
    # No switch was heard; an older agent did not ask; a printed output shows it in words.
    assert [value(qos(OperationalSettings=TABLES, RemoteSettings=None), key) for key in (classes, flow)] == [(), ()]
    assert why(qos(OperationalSettings=TABLES), classes) == "not collected"
    printed = qos(RemoteTrafficClasses=" 0 ETS    40%       0-2,5-7\n 1 ETS    60%       3-4", RemoteFlowControl="Priorities 3-4 Enabled")
    assert (value(printed, classes), value(printed, flow)) == (("0:ets:40:0,1,2,5,6,7", "1:ets:60:3,4"), (3, 4))


@pytest.mark.parametrize("table", [None, [2, "ets"], [2], [9] * 8])
def test_odd_tables_are_unknown(table: object) -> None:
    assert "class" in why(qos(OperationalSettings={**TABLES, "TsaAssignmentTable": table}), RUNS)
    assert "flow control" in why(qos(OperationalSettings={**TABLES, "PriorityFlowControlEnableArray": [True, "x"]}), PAUSES)
    assert "unrecognised value" in why(qos(OperationalSettings="x"), RUNS)


SHOWN = "TC TSA    Bandwidth Priorities\n-- ---    --------- ----------\n 0 ETS    20%       0-4,6-7\n 1 ETS    80%       5\n"


def test_texts_for_a_screen_are_the_fallback() -> None:
    found = qos(OperationalTrafficClasses=SHOWN, OperationalFlowControl="Priority 5 Enabled")
    assert [value(found, key) for key in (RUNS, PAUSES)] == [("0:ets:20:0,1,2,3,4,6,7", "1:ets:80:5"), (5,)]
    none = qos(OperationalTrafficClasses="Not Available", OperationalFlowControl="Not Available")
    assert [value(none, key) for key in (RUNS, PAUSES)] == [(), ()]
    odd = qos(OperationalTrafficClasses="nicht verfügbar", OperationalFlowControl="nicht verfügbar")
    assert ["has an unrecognised value" in why(odd, key) for key in (RUNS, PAUSES)] == [True, True]


def test_shares_of_traffic_classes_by_either_name() -> None:
    rows = [
        {"Name": "[Default]", "Algorithm": "ETS", "BandwidthPercentage": 20, "Priority": ["0-4", "6", "7"], "IfAlias": None},
        {"Name": "rdma", "Algorithm": "ETS", "Bandwidth": 80, "Priority": ["5"]},
        {"Name": "other", "Algorithm": "ETS", "BandwidthPercentage": 50, "Priority": ["3"], "IfAlias": "SAN1"},
    ]
    found = windows(qos={"Get-NetQosTrafficClass": read(*rows)})
    assert [value(found.configuration, f"qos_class/{name}/bandwidth_percent") for name in ("[Default]", "rdma")] == [20, 80]
    assert len(found.configuration.subjects("qos_class")) == 2
    assert found.problems == ("Get-NetQosTrafficClass: class other holds on SAN1 alone, which is not read",)


def test_the_case_of_a_policys_name_does_not_matter() -> None:
    for name in ("SMB Direct", "smb direct"):
        found = windows(qos={"Get-NetQosPolicy": read({"Name": name, "PriorityValue8021Action": 3})}).configuration
        assert value(found, "qos_policy/smb direct/priority") == 3


# --- RDMA, LSO, TCP -------------------------------------------------------------------------------------------------------------------


def offload(command: str, **more: Any) -> Any:
    row = {"Name": "SAN1", "InstanceID": GUID.format(1), **more}
    return windows(adapters=san_adapters(), offload={command: read(row)}).configuration


@pytest.mark.parametrize(
    ("connections", "word"),
    [
        ([(True, True)], "enabled"),
        ([(False, True), (True, True)], "enabled"),
        ([(False, True)], "disabled"),
        # The other end has no RDMA: this one may work all the same.
        ([(True, False)], None),
        ([], None),
    ],
)
def test_smb_shows_whether_rdma_works_where_the_release_does_not(connections: list[tuple[bool, bool]], word: str | None) -> None:
    def connection(address: str, index: int, client: bool, server: bool) -> dict[str, Any]:
        shown = {"ServerName": "hv-2", "ClientIpAddress": address, "ClientInterfaceIndex": index}
        return {**shown, "ClientRdmaCapable": client, "ServerRdmaCapable": server}

    rows = [connection("10.10.5.1", 1, client, server) for client, server in connections]
    row = {"Name": "SAN1", "InstanceID": GUID.format(1), "Enabled": True}
    other = connection("192.168.1.1", 3, client=False, server=True)
    for failed in (False, True):
        smb = {**read(*rows, other), **({"status": "failed", "error": "out of time"} if failed else {})}
        found = windows(adapters=san_adapters(), offload={"Get-NetAdapterRdma": read(row)}, storage={"Get-SmbMultichannelConnection": smb})
        reading = at(found.configuration, f"adapter/{mac(1)}/rdma_operational")
        # Of a list that broke off, a connection that works may be missing.
        expected = None if failed and word == "disabled" else word
        assert (reading.value if isinstance(reading, Value) else None) == expected
        # The driver of the third adapter has no RDMA: that SMB does not use it there is no news.
        assert not_there(found.configuration, f"adapter/{mac(3)}/rdma_operational") == "driver does not offer it"


@pytest.mark.parametrize(("number", "word"), [(1, "iwarp"), (2, "infiniband"), (3, "roce"), (4, "rocev2")])
def test_the_technology_of_rdma_is_inside_its_capabilities(number: int, word: str) -> None:
    found = offload("Get-NetAdapterRdma", Enabled=True, OperationalState=False, RdmaAdapterInfo={"RdmaTechnology": number, "VendorId": 1})
    assert value(found, f"adapter/{mac(1)}/rdma_technology") == word
    assert value(found, f"adapter/{mac(1)}/rdma_operational") == "disabled"


def test_whether_rdma_works_is_unknown_where_the_release_does_not_show_it() -> None:
    found = offload("Get-NetAdapterRdma", Enabled=True, RdmaAdapterInfo={"RdmaTechnology": 9})
    assert "does not show whether RDMA works" in why(found, f"adapter/{mac(1)}/rdma_operational")
    assert "unrecognised value" in why(found, f"adapter/{mac(1)}/rdma_technology")
    before = offload("Get-NetAdapterRdma", Enabled=True, Operational=True, RdmaTechnology="iWARP")
    assert [value(before, f"adapter/{mac(1)}/{key}") for key in ("rdma_operational", "rdma_technology")] == ["enabled", "iwarp"]


def test_an_adapter_with_version_one_of_lso_alone_segments() -> None:
    key = f"adapter/{mac(1)}/lso_ipv4"
    assert value(offload("Get-NetAdapterLso", V1IPv4Enabled=True, IPv4Enabled=False), key) == "enabled"
    assert value(offload("Get-NetAdapterLso", V1IPv4Enabled=False, IPv4Enabled=False), key) == "disabled"
    assert value(offload("Get-NetAdapterLso", V1IPv4Enabled=False, IPv4Enabled=True), key) == "enabled"


@pytest.mark.parametrize("suffix", ["", "Ms"])
def test_times_of_a_template_by_either_name(suffix: str) -> None:
    row = {"SettingName": "Internet", f"MinRto{suffix}": 300, f"DelayedAckTimeout{suffix}": 40, "DelayedAckFrequency": 2}
    found = windows(tcp={"Get-NetTCPSetting": read(row)}).configuration
    assert [value(found, f"tcp_template/Internet/{key}") for key in ("min_rto_ms", "delayed_ack_timeout_ms")] == [300, 40]
    named = at(found, "tcp_template/Internet/min_rto_ms").source
    assert named == Source("tcp", "Get-NetTCPSetting", f"MinRto{suffix}", "300")


def level(**more: Any) -> Any:
    row = {"AutoTuningLevelLocal": "Normal", "AutoTuningLevelEffective": "Local", **more}
    templates = read({"SettingName": "Internet", **row}, {"SettingName": "Datacenter", **row})
    return windows(system=system(), tcp={"Get-NetTCPSetting": templates, "Get-NetTransportFilter": read()}).configuration


def test_a_level_that_heuristics_may_lower_is_unknown() -> None:
    assert value(level(ScalingHeuristics="Disabled"), "tcp.auto_tuning") == "normal"
    assert why(level(ScalingHeuristics="Enabled"), "tcp.auto_tuning") == "window scaling heuristics are on and may hold it below normal"
    # Lower than that they cannot go.
    assert value(level(ScalingHeuristics="Enabled", AutoTuningLevelLocal="Disabled"), "tcp.auto_tuning") == "disabled"


def test_templates_of_2012_have_no_frequency() -> None:
    row = {"SettingName": "Custom", "MinRto": 20, "DelayedAckTimeout": 10, "CwndRestart": "True", "AutoTuningLevelLocal": "Normal"}
    found = windows(tcp={"Get-NetTCPSetting": read(row)}).configuration
    assert isinstance(at(found, "tcp_template/Custom/delayed_ack_frequency"), NotOffered)
    moved = {"SettingName": "Custom", "Protocol": "TCP", "RemotePortStart": 0, "RemotePortEnd": 65535, "DestinationPrefix": "*"}
    assert value(windows(tcp={"Get-NetTransportFilter": read(moved)}).configuration, "tcp.unrestricted_custom_filter") is True


# --- iSCSI ----------------------------------------------------------------------------------------------------------------------------


def test_a_session_leaves_from_the_address_of_its_connection() -> None:
    default = session("0.0.0.0", LocalAddress="10.10.5.2")
    found = windows(system=system(), adapters=san_adapters(), iscsi=iscsi(session("10.10.5.1"), default)).configuration
    reading = at(found, f"adapter/{mac(2)}/role")
    assert (reading.value, reading.source.field) == ("san_iscsi", "LocalAddress")
    assert at(found, f"adapter/{mac(1)}/role").source.field == "InitiatorPortalAddress"
    assert value(found, "san_sessions_spread") == 0


def test_equal_sessions_are_as_many_as_there_are() -> None:
    one = session("10.10.5.1")
    found = windows(adapters=san_adapters(), iscsi=iscsi(one, one)).configuration
    assert value(found, f"target/{IQN}>{TARGET}/sessions") == 2


def test_multipath_shows_in_the_number_of_sessions() -> None:
    one = {key: held for key, held in session("10.10.5.1").items() if key != "IsMultipathEnabled"}
    key = f"target/{IQN}>{TARGET}/multipath"
    assert value(windows(iscsi=iscsi(one, {**one, "InitiatorPortalAddress": "10.10.5.2"})).configuration, key) is True
    assert why(windows(iscsi=iscsi(one)).configuration, key) == "no release shows how a single session was made"


@pytest.mark.parametrize(("kind", "count"), [("iSCSI", 1), ("2", 1), (2, 1), ("1", 0), ("Fibre Channel", 0)])
def test_a_port_of_type_one_is_fibre_channel(kind: object, count: int) -> None:
    port = read({"InstanceName": "ROOT\\ISCSIPRT\\0000_0", "NodeAddress": IQN, "ConnectionType": kind})
    found = windows(iscsi=iscsi(**{"Get-InitiatorPort": port, "Get-IscsiSession": read()})).configuration
    assert len(found.subjects("initiator")) == count


# --- MPIO -----------------------------------------------------------------------------------------------------------------------------

ONLY_PRINTS = {"status": "unavailable", "error": "Get-MPIOSetting of this release only prints its settings", "rows": []}
HELD = read(
    {"Service": "Disk", "TimeOutValue": 120},
    {"Service": "mpio", "PathVerifyEnabled": 1, "PathVerificationPeriod": 30, "PDORemovePeriod": 20, "RetryCount": 3},
    {"Service": "msdsm", "PDORemovePeriod": 60},
)


def test_the_timers_of_2012_r2_come_from_the_registry() -> None:
    found = windows(mpio=mpio(**{"Get-MPIOSetting": ONLY_PRINTS, "registry:MPIO": HELD})).configuration
    keys = ("path_verification", "path_verification_seconds", "pdo_remove_seconds", "retry_count", "disk_timeout_seconds")
    assert [value(found, f"mpio.{key}") for key in keys] == ["enabled", 30, 60, 3, 120]
    assert why(found, "mpio.retry_interval_seconds") == "registry:MPIO holds no RetryInterval"
    # That the host has the drivers' keys does not show whether the feature is installed.
    assert why(found, "mpio.installed") == "not collected"


def test_the_cmdlet_counts_where_it_has_rows() -> None:
    found = windows(mpio=mpio(**{"registry:MPIO": HELD})).configuration
    assert value(found, "mpio.path_verification_seconds") == 30
    assert not_there(found, "mpio.pdo_remove_seconds") == "Get-MPIOSetting of this release has no PDORemovePeriod"


def _scsi(number: int) -> dict[str, int]:
    return {"PortNumber": 3, "ScsiPathId": 0, "TargetId": number, "Lun": 0}


def _described(*numbers: int) -> dict[str, Any]:
    instance = mpio()["DSM_QueryLBPolicy_V2"]["rows"][0]["InstanceName"]
    devices = [{"PathIdentifier": 100 + number, "DeviceState": 0, "ScsiAddress": _scsi(number)} for number in numbers]
    return read({"InstanceName": instance, "NumberPdos": len(numbers), "PdoInformation": devices})


def _of_session(source: str, portal: str, number: int) -> dict[str, Any]:
    device = {"ScsiPortNumber": 3, "ScsiPathId": 0, "ScsiTargetId": number, "ScsiLun": 0}
    connection = {"InitiatorAddress": source, "TargetAddress": portal, "TargetPort": 3260}
    return {"InitiatorName": IQN, "TargetName": TARGET, "ConnectionInformation": [connection], "Devices": [device]}


def paths(states: list[dict[str, Any]], *devices: dict[str, Any], **more: Any) -> Any:
    """A host of two sessions with these paths, and what the initiator's class shows of each session's devices."""
    sessions = iscsi(session("10.10.5.1", "10.10.5.20"), session("10.10.5.2", "10.10.5.21"), MSiSCSIInitiator_SessionClass=read(*devices))
    claimed = mpio(*states, **{"MPIO_GET_DESCRIPTOR": _described(1, 2), **more})
    return windows(system=system(), adapters=san_adapters(), iscsi=sessions, mpio=claimed, storage=storage())


MIXED = [dsm_path(DsmPathId=101), dsm_path(DsmPathId=102, PrimaryPath=0)]
DEVICES = (_of_session("10.10.5.2", "10.10.5.21", 1), _of_session("10.10.5.1", "10.10.5.20", 2))


def test_a_path_is_the_session_with_its_scsi_address() -> None:
    found = paths(MIXED, *DEVICES)
    assert [(path.adapter, path.state) for path in found.path_map.paths] == [(mac(1), "standby"), (mac(2), "healthy")]
    assert value(found.configuration, f"volume/{VOLUME}/adapters") == 1


def test_paths_in_different_states_without_an_address_have_no_adapter() -> None:
    for devices in ((), DEVICES[:1], (DEVICES[0], _of_session("10.10.5.2", "10.10.5.21", 1))):
        assert {path.adapter for path in paths(MIXED, *devices).path_map.paths} == {""}


def test_default_logins_to_one_portal_cannot_be_told_apart() -> None:
    devices = (_of_session("0.0.0.0", "10.10.5.21", 1), _of_session("0.0.0.0", "10.10.5.20", 2))
    assert {path.adapter for path in paths(MIXED, *devices).path_map.paths} == {mac(1), mac(2)}
    same = (_of_session("0.0.0.0", "10.10.5.21", 1), _of_session("0.0.0.0", "10.10.5.21", 2))
    assert {path.adapter for path in paths(MIXED, *same).path_map.paths} == {""}


@pytest.mark.parametrize(("group", "healthy"), [(0, 2), (1, 2), (2, 1), (3, 1), (16, 2)])
def test_a_path_whose_port_group_is_not_active_is_not_healthy(group: int, healthy: int) -> None:
    states = [dsm_path(DsmPathId=101), dsm_path(DsmPathId=102, TargetPortGroup_State=group)]
    sessions = [session("10.10.5.1", "10.10.5.20")] if group == 3 else [session("10.10.5.1", "10.10.5.20"), session("10.10.5.2")]
    found = windows(system=system(), adapters=san_adapters(), iscsi=iscsi(*sessions), mpio=mpio(*states), storage=storage()).configuration
    assert value(found, f"volume/{VOLUME}/paths_healthy") == healthy


def test_a_dsm_of_another_maker_shows_how_many_paths_there_are_and_not_how_they_are() -> None:
    gone = {"status": "unavailable", "error": "Not supported (HRESULT 0x8004100c,Get-CimInstance)", "rows": []}
    drive = {"Name": "MPIO Disk0", "SerialNumber": storage()["Get-Disk"]["rows"][1]["SerialNumber"], "DsmName": "EqualLogic MPIO DSM"}
    for counted, total in ((2, True), (3, False)):
        info = read({"NumberDrives": 1, "DriveInfo": [{**drive, "NumberPaths": counted}]})
        found = paths([], *DEVICES, DSM_QueryLBPolicy_V2=gone, MPIO_DISK_INFO=info)
        assert "states of its paths are unknown" in why(found.configuration, f"volume/{VOLUME}/paths_healthy")
        assert "states of its paths are unknown" in found.path_map.problem
        if total:
            assert value(found.configuration, f"volume/{VOLUME}/paths_total") == 2
            assert {(path.adapter, path.state) for path in found.path_map.paths} == {(mac(1), "unknown"), (mac(2), "unknown")}
        else:
            why(found.configuration, f"volume/{VOLUME}/paths_total")


def test_a_descriptor_that_counts_other_paths_is_a_witness_against_the_dsm() -> None:
    found = paths([dsm_path(DsmPathId=101), dsm_path(DsmPathId=102)], MPIO_GET_DESCRIPTOR=_described(1, 2, 3))
    assert "sources disagree: 3 paths in MPIO_GET_DESCRIPTOR" in found.path_map.problem


# --- Virtual switches and families -----------------------------------------------------------------------------------------------------


def test_a_virtual_adapter_is_mapped_to_the_card_that_the_row_names() -> None:
    vnic = {**san_adapters()["Get-NetAdapter"]["rows"][0], "Name": "vEthernet (rdma1)", "InterfaceGuid": GUID.format(9), "Virtual": True}
    adapters = san_adapters(**{"Get-NetAdapter": read(*san_adapters()["Get-NetAdapter"]["rows"], vnic)})
    reads = {
        "Get-VMSwitch": read({"Name": "sw0", "NetAdapterInterfaceDescription": ["Adapter 1"]}),
        "Get-VMNetworkAdapter": read({"Name": "rdma1", "SwitchName": "sw0", "DeviceId": GUID.format(9), "IsManagementOs": True}),
        "Get-VMNetworkAdapterTeamMapping": read({"NetAdapterName": "SAN1", "ParentAdapter": "rdma1"}),
    }
    found = windows(adapters=adapters, vswitch=reads).configuration
    own = f"vnic/{GUID.format(9)[1:-1]}"
    assert value(found, f"{own}/team_mapping") == "SAN1"
    assert value(found, "vswitch/sw0/uplinks") == ("Adapter 1",)
    assert value(found, f"adapter/{mac(1)}/vswitch") == "sw0"
    # The team or virtual interface shows the card's MAC address; the card keeps it.
    assert value(found, f"adapter/{mac(1)}/name") == "SAN1"


@pytest.mark.parametrize("driver", ["chvbdx64.sys", "cht4vx64.sys", "cht4iscsi"])
def test_a_driver_of_every_chelsio_card_tells_no_family(driver: str) -> None:
    assert family_of("", driver) is None
    assert family_of("PCI\\VEN_1425&DEV_5401&SUBSYS_00001425\\1", driver) == "t520"


@pytest.mark.parametrize(("failed", "state"), [(0, "healthy"), (1, "dead")])
def test_a_path_that_failed_is_dead_whatever_its_other_flags_are(failed: int, state: str) -> None:
    facts = parse_section("windows", "mpio", json.dumps(mpio(dsm_path(FailedPath=failed))).encode())
    (claimed,) = cast("list[Claimed]", facts.observations["claimed"])
    assert claimed.states == (state,)
