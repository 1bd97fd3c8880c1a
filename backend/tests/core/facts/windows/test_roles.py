"""Roles, identities, initiator modes and iSOE."""

from plumbline.core.facts.windows.families import family_of
from tests.core.facts.builders import (
    GUID,
    IQN,
    at,
    card,
    ip,
    iscsi,
    mac,
    not_there,
    read,
    refused,
    san_adapters,
    session,
    system,
    value,
    why,
    windows,
)


def test_family_by_pnp_id_and_never_by_name() -> None:
    assert family_of("PCI\\VEN_14E4&DEV_168E&SUBSYS_1F5F1028&REV_10\\1", "") == "bcm57810"
    assert family_of("B06BDRV\\L2ND&PCI_168E14E4&SUBSYS_1F5F1028&REV_10\\5&2A3B4C5D&0&30120101", "bxnd60a.sys") == "bcm57810"
    assert family_of("PCI\\VEN_8086&DEV_10FB&SUBSYS_00038086&REV_01\\1", "ixn65x64.sys") == "x520"
    assert family_of("PCI\\VEN_8086&DEV_1563&SUBSYS_00018086&REV_01\\1", "ixs65x64.sys") == "other"  # X550: a sibling, not the tested card
    assert family_of("PCI\\VEN_1425&DEV_5401&SUBSYS_00001425\\1", "") == "t520"
    assert family_of("PCI\\VEN_1425&DEV_540D&SUBSYS_00001425\\1", "") == "other"  # T580, 40 Gb
    assert family_of("PCI\\VEN_4040&DEV_0100&SUBSYS_01251077\\1", "") == "qle3142"
    assert family_of("", "bxnd60a.sys") == "bcm57810"
    assert family_of("VMBUS\\{F8615163}\\1", "netvsc63.sys") == "other"
    assert family_of("", "") is None


def test_san_adapters_by_the_address_of_their_sessions() -> None:
    host = windows(system=system(), adapters=san_adapters(), iscsi=iscsi(session("10.10.5.1"), session("10.10.5.2"))).configuration
    assert [value(host, f"adapter/{mac(n)}/role") for n in (1, 2, 3)] == ["san_iscsi", "san_iscsi", "management"]
    assert value(host, f"adapter/{mac(1)}/role_reason") == "used for iSCSI (10.10.5.1)"


def test_an_adapter_whose_sessions_are_gone_stays_on_the_san_by_its_portals() -> None:
    host = windows(adapters=san_adapters(), iscsi=iscsi(session("10.10.5.1"))).configuration
    assert value(host, f"adapter/{mac(2)}/role") == "san_iscsi"
    assert value(host, f"adapter/{mac(2)}/role_reason") == "iSCSI portal 10.10.5.10 is in its subnet"


def test_on_a_flat_network_the_default_route_is_not_taken_for_the_san() -> None:
    addresses = read(ip(1, "10.10.5.1"), ip(3, "10.10.5.3"))
    adapters = san_adapters(**{"Get-NetIPAddress": addresses})
    host = windows(system=system(), adapters=adapters, iscsi=iscsi(session("10.10.5.1"))).configuration
    assert value(host, f"adapter/{mac(1)}/role") == "san_iscsi"
    assert value(host, f"adapter/{mac(3)}/role") == "management"


def test_role_is_unknown_where_iscsi_could_not_be_read() -> None:
    reads = iscsi(**{"Get-IscsiSession": refused("x"), "Get-IscsiTargetPortal": refused("x")})
    host = windows(adapters=san_adapters(), iscsi=reads).configuration
    assert why(host, f"adapter/{mac(1)}/role") == "can't tell whether it carries iSCSI: Get-IscsiSession failed: x"


def test_a_stopped_service_means_that_nothing_carries_iscsi() -> None:
    stopped = {
        name: refused("the service is not running", "unavailable")
        for name in ("Get-IscsiSession", "Get-IscsiTargetPortal", "Get-IscsiTarget")
    }
    reads = iscsi(**{"Get-Service": read({"Name": "MSiSCSI", "Status": "Stopped", "StartType": "Manual"}), **stopped})
    assembled = windows(system=system(), adapters=san_adapters(), iscsi=reads, storage={"Get-Disk": read()}, mpio={})
    assert value(assembled.configuration, f"adapter/{mac(3)}/role") == "management"
    assert value(assembled.configuration, f"adapter/{mac(1)}/role") == "other"
    assert assembled.path_map.problem == ""


def test_a_role_set_by_a_person_takes_precedence() -> None:
    sections = {"adapters": san_adapters(), "iscsi": iscsi(session("10.10.5.1"))}
    host = windows({f"adapter/{mac(3)}/role": "san_iscsi", "adapter/ffffffffffff/role": "other"}, **sections).configuration
    assert value(host, f"adapter/{mac(3)}/role") == "san_iscsi"
    assert value(host, f"adapter/{mac(3)}/role_reason") == "set manually"
    assert "adapter/ffffffffffff" not in {f"{subject.kind}/{subject.id}" for subject in host.all_subjects()}


def test_storage_spaces_direct_needs_rdma_or_smb() -> None:
    direct = system(14393, **{"Get-Cluster": read({"Name": "S2D"}), "Get-ClusterStorageSpacesDirect": read({"State": "Enabled"})})
    offload = {"Get-NetAdapterRdma": read({"Name": "SAN1", "InstanceID": GUID.format(1), "Enabled": True})}
    smb = {
        "Get-Disk": read(),
        "Get-SmbMultichannelConnection": read({"ClientIpAddress": "10.10.5.2", "ClientInterfaceIndex": 2, "ClientRdmaCapable": True}),
    }
    stopped = {"Get-Service": read({"Name": "MSiSCSI", "Status": "Stopped"})}
    host = windows(system=direct, adapters=san_adapters(), offload=offload, storage=smb, iscsi=stopped).configuration
    assert [value(host, f"adapter/{mac(n)}/role") for n in (1, 2, 3)] == ["s2d_storage", "s2d_storage", "management"]


def test_a_card_below_a_team_takes_the_teams_role() -> None:
    team = card(9, "Team", Virtual=True, PermanentAddress="A0-36-9F-00-00-01", PnPDeviceID="COMPOSITEBUS\\MS_IMPLAT_MP\\1")
    adapters = san_adapters(
        **{
            "Get-NetAdapter": read(card(1, "P1"), card(2, "P2"), team),
            "Get-NetIPAddress": read(ip(9, "10.10.5.9")),
            "Get-NetRoute": read(),
            "Get-NetLbfoTeam": read({"Name": "Team", "Members": ["P1", "P2"], "TeamNics": ["Team"], "TeamingMode": "Lacp", "Status": "Up"}),
        }
    )
    host = windows(adapters=adapters, iscsi=iscsi(session("10.10.5.9"))).configuration
    assert value(host, f"adapter/{mac(1)}/team") == "Team"
    assert value(host, f"adapter/{mac(1)}/role") == "san_iscsi"
    assert "below team Team" in value(host, f"adapter/{mac(1)}/role_reason")


def test_id_is_the_pci_location_where_the_mac_is_masked_or_taken() -> None:
    adapters = {
        "Get-NetAdapter": read(card(1, "A", PermanentAddress="00-00-00-00-00-00", MacAddress=""), card(2, "B"), card(2, "C", ifIndex=3)),
        "Get-NetAdapterHardwareInfo": read(
            {"Name": "A", "Segment": 0, "Bus": 131, "Device": 0, "Function": 1}, {"Name": "C", "Bus": 4, "Device": 0, "Function": 0}
        ),
    }
    assembled = windows(adapters=adapters)
    assert [subject.id for subject in assembled.configuration.subjects("adapter")] == ["0000:04:00.0", "0000:83:00.1", mac(2)]
    assert any("has the MAC address of B" in problem for problem in assembled.problems)


def test_link_of_an_unplugged_adapter_has_no_speed() -> None:
    unplugged = card(1, "A", ifOperStatus="Down", MediaConnectionState="Disconnected", Speed="18446744073709551615")
    host = windows(adapters={"Get-NetAdapter": read(unplugged)}).configuration
    assert value(host, f"adapter/{mac(1)}/link_up") is False
    assert at(host, f"adapter/{mac(1)}/link_speed_bps").reason == "no link"


ENGINE = "B06BDRV\\L4SC&PCI_168E14E4&SUBSYS_1F5F1028&REV_10\\5&1AAAAAAA&0&20110101"


def test_isoe_hides_the_adapter_and_nothing_is_missing() -> None:
    adapters = san_adapters(
        **{
            "Get-NetAdapter": read(card(3, "LAN")),
            "Win32_SCSIController": read(
                {"Name": "Broadcom iSCSI", "PNPDeviceID": ENGINE, "DriverName": "bxois", "DriverVersion": "7.4.3.0"},
                {"Name": "PERC", "PNPDeviceID": "PCI\\VEN_1000&DEV_005B\\1", "DriverName": "megasas"},
            ),
        }
    )
    ports = read({"InstanceName": f"{ENGINE}_0", "NodeAddress": "iqn.1995-05.com.broadcom:1", "ConnectionType": "iSCSI"})
    host = windows(adapters=adapters, iscsi=iscsi(**{"Get-InitiatorPort": ports})).configuration
    hidden = ENGINE.lower()
    assert [subject.id for subject in host.subjects("initiator")] == ["iqn.1995-05.com.broadcom:1"]
    assert value(host, "initiator/iqn.1995-05.com.broadcom:1/mode") == "isoe"
    assert value(host, "initiator/iqn.1995-05.com.broadcom:1/adapter") == hidden
    assert value(host, f"adapter/{hidden}/family") == "bcm57810"
    assert value(host, f"adapter/{hidden}/role") == "san_iscsi"
    for key in ("mtu", "flow_control", "receive_buffers", "tcp_connection_offload", "rss", "frame_probe"):
        assert why(host, f"adapter/{hidden}/{key}") == "not readable: iSOE hides the adapter from Windows"
    assert "BACS" in why(host, "initiator/iqn.1995-05.com.broadcom:1/flow_control")


def test_mode_is_ndis_only_over_a_card_that_could_offload() -> None:
    sections = {"iscsi": iscsi(session("10.10.5.1"))}
    host = windows(adapters=san_adapters(), **sections).configuration
    assert value(host, f"initiator/{IQN}/mode") == "software"
    broadcom = card(1, "SAN1", PnPDeviceID="PCI\\VEN_14E4&DEV_168E&SUBSYS_1F5F1028\\1", DriverFileName="bxnd60a.sys")
    host = windows(adapters=san_adapters(**{"Get-NetAdapter": read(broadcom)}), **sections).configuration
    assert value(host, f"initiator/{IQN}/mode") == "ndis"
    host = windows(**sections).configuration
    assert why(host, f"initiator/{IQN}/mode") == "adapters unknown"


def test_an_iqn_shared_by_two_initiators_is_no_identity() -> None:
    ports = read(*({"InstanceName": f"PCI\\ENGINE{n}_0", "NodeAddress": IQN, "ConnectionType": "iSCSI"} for n in (1, 2)))
    host = windows(iscsi=iscsi(**{"Get-InitiatorPort": ports})).configuration
    assert [subject.id for subject in host.subjects("initiator")] == ["PCI\\ENGINE1_0", "PCI\\ENGINE2_0"]


def test_three_sessions_are_counted_per_target_and_digests_per_initiator() -> None:
    rows = (session("10.10.5.1"), session("10.10.5.2", IsPersistent=False), session("10.10.5.2", IsConnected=False, IsHeaderDigest=True))
    host = windows(adapters=san_adapters(), iscsi=iscsi(*rows)).configuration
    target = next(subject for subject in host.subjects("target"))
    assert host.value(target, "sessions") == 2
    assert host.value(target, "persistent") is False
    assert value(host, f"initiator/{IQN}/header_digest") == "mixed"
    assert value(host, "san_sessions_spread") == 0


def test_uneven_sessions_show_in_the_spread() -> None:
    rows = (session("10.10.5.1"), session("10.10.5.1", "10.10.5.21"), session("10.10.5.2"))
    host = windows(adapters=san_adapters(), iscsi=iscsi(*rows)).configuration
    assert value(host, "san_sessions_spread") == 1


def test_with_isoe_the_systems_tcp_settings_do_not_matter() -> None:
    engine = {"Name": "Broadcom iSCSI", "PNPDeviceID": ENGINE, "DriverName": "bxois"}
    adapters = san_adapters(**{"Get-NetAdapter": read(card(3, "LAN")), "Win32_SCSIController": read(engine)})
    for build in (9200, 9600, 17763):
        host = windows(system=system(build), adapters=adapters, iscsi=iscsi(), tcp={"Get-NetTransportFilter": read()}).configuration
        assert not_there(host, "tcp.delayed_ack_iscsi").startswith("every SAN adapter offloads iSCSI")


def test_a_visible_card_of_an_offload_engine_is_its_adapter() -> None:
    engine = {"Name": "Broadcom iSCSI", "PNPDeviceID": ENGINE, "DriverName": "bxois"}
    pnp_id = "B06BDRV\\L2ND&PCI_168E14E4&SUBSYS_1F5F1028&REV_10\\5&1AAAAAAA&0&30110101"
    adapters = san_adapters(**{"Get-NetAdapter": read(card(1, "SAN1", PnPDeviceID=pnp_id)), "Win32_SCSIController": read(engine)})
    host = windows(adapters=adapters, iscsi=iscsi()).configuration
    assert [subject.id for subject in host.subjects("adapter")] == [mac(1)]
    assert value(host, f"initiator/{ENGINE}/adapter") == mac(1)
