"""Every captured ESXi output, with what it must yield worked out by hand from the file."""

from pathlib import Path

import pytest

from plumbline.core.facts.configuration import Facts
from plumbline.core.facts.esxi import parse_section
from plumbline.core.facts.esxi.sources import COMMANDS
from tests.core.facts.esxi.reading import CAPTURES, body, capture, entry, read_one

NIC_LIST = "esxcli network nic list"
IQN = "iqn.2010-09.org.openindiana:02:bd79a6ff-33c2-41d3-8f0e-9c8d8b6e9fcb"


def test_every_captured_file_has_a_test_here() -> None:
    if not CAPTURES.is_dir():
        pytest.skip("the folder of captures is not here")
    source = Path(__file__).read_text("utf-8")
    names = [path.name.removeprefix("esxi__").removesuffix(".txt") for path in CAPTURES.glob("esxi__*.txt")]
    assert [name for name in names if f'"{name}"' not in source] == []


def test_esxcfg_nics() -> None:
    host = read_one("esxcfg-nics -l", capture("esxcfg-nics-l__intel-mfd-esxi-x710"))
    assert len(host.ids("adapter")) == 16
    assert host.all("adapter", "3cfdaabbcce0") == {
        "name": "vmnic10",
        "mac": "3c:fd:aa:bb:cc:e0",
        "description": "Intel(R) Ethernet Controller X710 for 10GbE SFP+",
        "pci": "0000:ca:00.0",
        "is_virtual": False,
        "driver": "i40en",
        "family": "other",
        "admin_up": True,
        "link_up": True,
        "link_speed_bps": 10_000_000_000,
        "mtu_operational": 1500,
        "mtu": 1500,
        "vswitch": "unknown: section vswitch not collected",
        "role": "unknown: section iscsi not collected",
        "role_reason": "unknown: section iscsi not collected",
    }
    assert host.read("adapter", "8416aabbccf0", "link_up") is False
    assert host.read("adapter", "8416aabbccf0", "link_speed_bps") == 0
    assert host.read("adapter", "8416aabbccf0", "admin_up") == "unknown: this release prints the link only"
    # ixgben drives 82599 and X540 and X550 alike: without PCI ids its family is not known.
    assert (
        host.read("adapter", "90e2aabbcc34", "family")
        == "unknown: driver ixgben serves more than one family, and the PCI ids were not read"
    )
    assert host.problems == []


def test_esxcfg_vmknic() -> None:
    host = read_one("esxcfg-vmknic -l", capture("esxcfg-vmknic-l__elatov-vnx5300"))
    assert host.ids("vnic") == ["vmk0", "vmk1", "vmk2", "vmk3"]
    assert host.all("vnic", "vmk2") == {
        "name": "vmk2",
        "portgroup": "iSCSI-VLAN22",
        "addresses": ("10.10.22.102",),
        "mtu": 1500,
        "enabled": True,
        "role": "unknown: section iscsi not collected",
    }


def test_esxcfg_vswitch() -> None:
    host = read_one("esxcfg-vswitch -l", capture("esxcfg-vswitch-l__intel-mfd-esxi-vss9000"))
    assert host.all("vswitch", "TESTvSwitch") == {"type": "standard", "mtu": 9000, "uplinks": ("vmnic4",)}
    assert host.all("vswitch", "TestSwitch") == {"type": "distributed", "mtu": 1500, "uplinks": ("vmnic0", "vmnic1")}
    assert host.ids("portgroup") == ["PGvmnic4", "TestNetwork"]
    assert host.all("portgroup", "PGvmnic4") == {"vswitch": "TESTvSwitch", "vlan": 0}


def test_system_version_json() -> None:
    host = read_one("esxcli system version get", capture("esxcli-debug-formatter-json-system-version-get__vmware-disk-health"), "json")
    shown = host.all("host", "")
    assert (shown["os_version"], shown["os_release"], shown["os_build"], shown["os_name"]) == ("8.0.3", "8.0", 25205845, "VMware ESXi 8.0")


def test_nic_list_keyvalue() -> None:
    host = read_one(NIC_LIST, capture("esxcli-formatter-keyvalue-network-nic-list__warlock"), "keyvalue")
    shown = host.all("adapter", "f8f21ebcf081")
    assert (shown["name"], shown["driver"], shown["pci"], shown["link_up"], shown["admin_up"]) == (
        "vmnic5",
        "i40en",
        "0000:3b:00.1",
        True,
        True,
    )
    assert (shown["mtu_operational"], shown["link_speed_bps"]) == (9000, 40_000_000_000)
    assert host.read("adapter", "78ac4407b2c6", "link_up") is False


def test_nic_list_xml_gives_the_same_as_keyvalue() -> None:
    xml = read_one(NIC_LIST, capture("esxcli-formatter-xml-network-nic-list__warlock"), "xml")
    keyvalue = read_one(NIC_LIST, capture("esxcli-formatter-keyvalue-network-nic-list__warlock"), "keyvalue")
    shared = set(xml.ids("adapter")) & set(keyvalue.ids("adapter"))
    assert len(shared) >= 7
    for id in shared:
        assert xml.all("adapter", id) == keyvalue.all("adapter", id)


def test_iscsi_adapter_list() -> None:
    host = read_one("esxcli iscsi adapter list", capture("esxcli-iscsi-adapter-list__elatov-macmini62"))
    # Its UID is no IQN on this build, so its own name is the id.
    assert host.all("initiator", "vmhba37") == {
        "name": "vmhba37",
        "driver": "iscsi_vmk",
        "mode": "software",
        "state": "online",
        "adapter": "not offered: a software initiator is not tied to one adapter",
        "mtu": "not offered: set on the VMkernel interface and the virtual switch",
        "flow_control": "not offered: set on the adapter",
    }


def test_iscsi_adapter_parameters() -> None:
    # The vmhba is in the copied prompt.
    host = read_one("esxcli iscsi adapter param get", capture("esxcli-iscsi-adapter-param-get__elatov-vcap5-64"))
    assert host.all("initiator", "vmhba33") == {
        "name": "vmhba33",
        "delayed_ack": "disabled",
        "login_timeout_seconds": 5,
        "noop_out_interval_seconds": 15,
        "noop_out_timeout_seconds": 10,
        "recovery_timeout_seconds": 10,
        "max_commands": 128,
        "header_digest": "prohibited",
        "data_digest": "not offered: the initiator does not offer it",
    }


def test_iscsi_target_parameters_inherit() -> None:
    host = read_one(
        "esxcli iscsi adapter target portal param get", capture("esxcli-iscsi-adapter-target-portal-param-get__elatov-vcap5-64")
    )
    assert host.all("target", f"vmhba33>{IQN}") == {
        "delayed_ack": "disabled",
        "delayed_ack_inherited": True,
        "login_timeout_seconds": 5,
        "login_timeout_inherited": True,
    }


def test_network_portal_cut_short() -> None:
    host = read_one("esxcli iscsi networkportal list", capture("esxcli-iscsi-networkportal-list-short__elatov-zfs"))
    assert host.all("vnic", "vmk1") == {"bound_to": "vmhba32"}


def test_two_commands_in_one_copy_sessions_and_connections() -> None:
    host = read_one("esxcli iscsi session list", capture("esxcli-iscsi-session-and-connection-list__elatov-vcap5-64"))
    assert host.all("target", f"vmhba33>{IQN}") == {"sessions": 2}
    sessions = host.parts["iscsi"].observations["sessions"]
    assert [(item.isid, item.local, item.remote) for item in sessions] == [  # type: ignore[attr-defined]
        ("00023d000001", "192.168.1.106", "192.168.1.107"),
        ("00023d000003", "192.168.1.106", "192.168.1.107"),
    ]


def test_vmkernel_interfaces_without_indentation() -> None:
    host = read_one("esxcli network ip interface list", capture("esxcli-network-ip-interface-list__elatov-vcap5-21"))
    assert host.ids("vnic") == ["vmk0", "vmk1", "vmk2"]
    assert host.all("vnic", "vmk1") == {
        "name": "vmk1",
        "mtu": 1500,
        "enabled": True,
        "portgroup": "ISCSI_1",
        "vswitch": "vSwitch1",
        "netstack": "not offered: this release has one network stack",
        "role": "unknown: section iscsi not collected",
    }


def test_coalescing_with_not_available_cells_and_long_names() -> None:
    host = read_one("esxcli network nic coalesce get", capture("esxcli-network-nic-coalesce-get__blockbridge-kb"))
    assert host.ids("adapter") == ["vmnic0", "vmnic1", "vmnic1000202", "vmnic2"]
    for name in ("vmnic2", "vmnic1000202"):
        assert (host.read("adapter", name, "coalesce_rx_us"), host.read("adapter", name, "coalesce_tx_us")) == (3, 0)
        assert host.read("adapter", name, "coalesce_adaptive") == "disabled"
    assert host.read("adapter", "vmnic0", "coalesce_rx_us") == "not offered: driver does not offer it"
    assert host.read("adapter", "vmnic0", "coalesce_adaptive") == "not offered: driver does not offer it"


def test_nic_get_with_pause_on() -> None:
    host = read_one("esxcli network nic get -n vmnic0", capture("esxcli-network-nic-get-pause-on__intel-mfd-igbn"))
    shown = host.all("adapter", "0000:04:00.0")
    assert (shown["driver"], shown["driver_version"], shown["firmware_version"]) == ("igbn", "1.9.1.0", "1.48.0:0x800006e7")
    assert (shown["flow_control"], shown["flow_control_operational"], shown["pause_supported"]) == ("rx_tx", "rx_tx", True)
    assert shown["link_up"] is True


def test_nic_get_indented_with_pause_off() -> None:
    host = read_one("esxcli network nic get -n vmnic0", capture("esxcli-network-nic-get__intel-mfd-xl710-i40en"))
    shown = host.all("adapter", "0000:4b:00.0")
    assert (shown["driver"], shown["driver_version"], shown["firmware_version"]) == ("i40en", "2.5.0.28", "8.15 0x80009621 1.2829.0")
    assert (shown["flow_control"], shown["flow_control_operational"], shown["pause_supported"]) == ("off", "off", True)


def test_nic_list_of_5_5() -> None:
    host = read_one(NIC_LIST, capture("esxcli-network-nic-list-55format__elatov-macmini62"))
    assert host.ids("adapter") == ["685b35914785", "685b35c99610"]
    shown = host.all("adapter", "685b35914785")
    assert (shown["name"], shown["pci"], shown["link_up"], shown["admin_up"]) == ("vmnic1", "0000:09:00.0", True, True)
    assert (shown["link_speed_bps"], shown["mtu_operational"]) == (1_000_000_000, 1500)
    assert shown["description"] == "Broadcom Corporation NetXtreme BCM57762 Gigabit Ethernet PCIe"


def test_nic_list_with_masked_addresses() -> None:
    host = read_one(NIC_LIST, capture("esxcli-network-nic-list-82599__blog-esxcli-vmk0"))
    # Two adapters show the same address, so it identifies neither; the PCI location does.
    assert host.ids("adapter") == ["0000:01:00.0", "0000:01:00.1", "0000:81:00.0", "0000:81:00.1"]
    shown = host.all("adapter", "0000:81:00.1")
    assert (shown["name"], shown["admin_up"], shown["link_up"], shown["link_speed_bps"]) == ("vmnic1", True, False, 0)
    assert shown["mac"] == "unknown: MAC address masked or missing in the output"


def test_ring_current() -> None:
    host = read_one(
        "esxcli network nic ring current get -n vmnic4", capture("esxcli-network-nic-ring-current-get__intel-mfd-network-adapter")
    )
    assert (host.read("adapter", "vmnic4", "receive_buffers"), host.read("adapter", "vmnic4", "transmit_buffers")) == (1024, 1024)


def test_software_list_is_read_and_gives_no_hardware_setting() -> None:
    host = read_one("esxcli network nic software list", capture("esxcli-network-nic-software-list__elatov-10gb"))
    # Software fall-backs are not the adapter's offloads: taking them for those would be wrong.
    assert host.ids("adapter") == []
    assert host.problems == []


def test_statistics_are_counters_not_settings() -> None:
    text = capture("esxcli-network-nic-stats-get__intel-mfd-vmnic9")
    assert COMMANDS["esxcli network nic stats get"] == "counters"
    from plumbline.core.facts.esxi.readers import rows_of

    record = rows_of(text)[-1]
    assert (record.get("Bytes received"), record.get("Bytes sent"), record.get("Packets received")) == ("5271156", "39259722", "0")
    assert (record.get("Receive packets dropped"), record.get("Total receive errors")) == ("0", "0")


def test_tso() -> None:
    host = read_one("esxcli network nic tso get", capture("esxcli-network-nic-tso-get__elatov-hp-z2"))
    assert {id: host.read("adapter", id, "tso") for id in host.ids("adapter")} == {"vmnic0": "disabled", "vmnic32": "disabled"}


def test_pause_parameters() -> None:
    host = read_one("esxcli network nic pauseParams list", capture("esxcli-network-pauseParams-list-cx5-esxi8__jp-blog"))
    for name in ("vmnic0", "vmnic1"):
        assert host.read("adapter", name, "flow_control") == "rx_tx"
        assert host.read("adapter", name, "flow_control_operational") == "rx_tx"
        assert host.read("adapter", name, "pause_supported") is True


def test_refused_auto_negotiation_is_reported_and_gives_nothing() -> None:
    host = read_one("esxcli network nic pauseParams set", capture("esxcli-network-pauseParams-set-auto-error__jp-blog"))
    assert host.ids("adapter") == []
    assert [problem for problem in host.problems if "Not supported" in problem and "-n vmnic0 -a true" in problem]


def test_standard_switches() -> None:
    host = read_one("esxcli network vswitch standard list", capture("esxcli-network-vswitch-standard-list-storage9000__elatov-proxmox"))
    assert host.all("vswitch", "storage") == {"type": "standard", "mtu": 9000, "uplinks": ("vmnic32",)}
    assert host.all("vswitch", "vSwitch0") == {"type": "standard", "mtu": 1500, "uplinks": ("vmnic0",)}
    assert host.parts["vswitch"].observations["groups"] == {
        "VM_VLAN1": "vSwitch0",
        "VM Network": "vSwitch0",
        "VM_VLAN3": "vSwitch0",
        "Management Network": "vSwitch0",
        "nfs-for-vm": "storage",
        "iscsi": "storage",
    }


def test_port_groups() -> None:
    host = read_one(
        "esxcli network vswitch standard portgroup list", capture("esxcli-network-vswitch-standard-portgroup-list__elatov-proxmox")
    )
    assert host.all("portgroup", "VM_VLAN3") == {"vswitch": "vSwitch0", "vlan": 3}
    assert host.all("portgroup", "Management Network") == {"vswitch": "vSwitch0", "vlan": 0}
    assert host.all("portgroup", "iscsi") == {"vswitch": "storage", "vlan": 0}
    assert len(host.ids("portgroup")) == 6


def test_paths_of_local_disks_are_no_san_volumes() -> None:
    host = read_one("esxcli storage core path list", capture("esxcli-storage-core-path-list-hpp__vmware-disk-health"))
    assert host.ids("volume") == []
    assert host.path_map.volumes == ()
    assert host.path_map.problem == ""
    devices = host.parts["paths"].observations["devices"]
    assert sorted((disk.paths[0].plugin, disk.paths[0].transport) for disk in devices.values()) == [("HPP", "pcie"), ("NMP", "usb")]  # type: ignore[attr-defined]


def test_multipathing_device_with_two_working_paths() -> None:
    host = read_one("esxcli storage nmp device list", capture("esxcli-storage-nmp-device-list-rr__elatov-10gb"))
    assert host.all("volume", "naa.600144f009d4d236000056918f920002") == {
        "policy": "VMW_PSP_RR",
        "module": "VMW_SATP_ALUA",
        "round_robin_iops": 1000,
        "paths_healthy": 2,
        "paths_total": "unknown: esxcli storage core path list was not read",
    } | {"name": host.read("volume", "naa.600144f009d4d236000056918f920002", "name")}
    assert host.read("volume", "naa.600144f009d4d236000056918f920002", "name") == "SUN iSCSI Disk (naa.600144f009d4d236000056918f920002)"
    assert host.path_map.problem == "the list of paths was not read"


def test_round_robin_limit() -> None:
    host = read_one(
        "esxcli storage nmp psp roundrobin deviceconfig get",
        capture("esxcli-storage-nmp-psp-roundrobin-deviceconfig-get-67__blockbridge-kb"),
    )
    assert host.read("volume", "naa.60a010a03ff1bb511962194c40626cd1", "round_robin_iops") == 8


def test_satp_list_is_read_and_gives_no_setting() -> None:
    text = capture("esxcli-storage-nmp-satp-list-60__elatov-10gb")
    facts = parse_section("paths", body(**{"esxcli storage nmp satp list": entry(text)}))
    assert facts.readings == {}
    assert facts.problems == []
    from plumbline.core.facts.esxi.readers import rows_of

    records = {record.get("Name"): record for record in rows_of(text.split("\n", 1)[1])}
    assert records["VMW_SATP_EQL"].get("Default PSP") == "VMW_PSP_FIXED"
    assert records["VMW_SATP_DEFAULT_AA"].get("Description") == "Supports non-specific active/active arrays"
    assert len(records) == 13


def test_module_parameters_filtered_by_grep() -> None:
    host = read_one("esxcli system module parameters list", capture("esxcli-system-module-parameters-list-ixgbe-LRO__elatov-10gb"))
    assert host.all("module", "ixgbe") == {"parameters": ("LRO=0",)}


def test_advanced_setting() -> None:
    text = capture("esxcli-system-settings-advanced-list-TcpipDefLROEnabled__elatov-10gb")
    host = read_one("esxcli system settings advanced list -o /Net/TcpipDefLROEnabled", text)
    assert host.read("host", "", "net.lro") == "disabled"


def test_ethtool_driver() -> None:
    host = read_one("ethtool -i vmnic7", capture("ethtool-i-vmnic__elatov-x520"))
    shown = host.all("adapter", "0000:02:00.0")
    assert (shown["name"], shown["driver"], shown["driver_version"], shown["firmware_version"]) == (
        "vmnic7",
        "ixgbe",
        "3.1.17.1-NAPI",
        "1.0-3",
    )


def test_vmkping() -> None:
    host = read_one("vmkping", capture("vmkping-d-s-8972-success__vmware-notes"))
    facts: Facts = host.parts["probes"]
    found = facts.observations["probes"]
    assert [(probe.portal, probe.size, probe.outcome) for probe in found] == [("192.168.100.12", 9000, "ok")]  # type: ignore[attr-defined]
