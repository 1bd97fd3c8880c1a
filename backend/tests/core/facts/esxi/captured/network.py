"""Virtual switches, VMkernel ports, iSCSI."""

from tests.core.facts.esxi.captured import Facts

IQN = "iqn.2010-09.org.openindiana:02:bd79a6ff-33c2-41d3-8f0e-9c8d8b6e9fcb"


def vmk(name: str, mtu: int, portgroup: str, **more: object) -> Facts:
    facts = {"name": name, "mtu": mtu, "portgroup": portgroup, "enabled": True, **more}
    return {f"vnic/{name}/{key}": value for key, value in facts.items() if value != ""}


def switch(name: str, mtu: int, uplinks: tuple[str, ...], groups: tuple[str, ...] = (), kind: str = "standard") -> Facts:
    facts: Facts = {f"vswitch/{name}/type": kind, f"vswitch/{name}/mtu": mtu, f"vswitch/{name}/uplinks": uplinks}
    return facts | {f"portgroup/{group}/vswitch": name for group in groups}


def group(name: str, of: str, vlan: int) -> Facts:
    return {f"portgroup/{name}/vswitch": of, f"portgroup/{name}/vlan": vlan}


def initiator(vmhba: str) -> Facts:
    return {
        f"initiator/{vmhba}/name": vmhba,
        f"initiator/{vmhba}/driver": "iscsi_vmk",
        f"initiator/{vmhba}/mode": "software",
        f"initiator/{vmhba}/state": "online",
    }


FACTS: dict[str, Facts] = {
    "esxcfg-vmknic-l__elatov-vnx5300": {
        **vmk("vmk0", 1500, "Mgmt", addresses=("10.10.222.23",)),
        **vmk("vmk1", 1500, "vMotion", addresses=("10.10.221.24",)),
        **vmk("vmk2", 1500, "iSCSI-VLAN22", addresses=("10.10.22.102",)),
        **vmk("vmk3", 1500, "iSCSI-VLAN24", addresses=("10.10.24.102",)),
    },
    "esxcfg-vmknic-l-netstack__nsx-kr": {
        **vmk("vmk0", 1500, "Management Network", addresses=("172.18.128.14",), netstack="defaultTcpipStack"),
        **vmk("vmk1", 1500, "ISCSI", addresses=("172.18.0.114",), netstack="defaultTcpipStack"),
        # Its column shows 8: a port of a distributed switch, no port group.
        **vmk("vmk2", 1600, "", addresses=("172.18.192.21",), netstack="vxlan"),
    },
    "esxcfg-vswitch-l__intel-mfd-esxi-vss9000": {
        **switch("TESTvSwitch", 9000, ("vmnic4",)),
        **group("TestNetwork", "TESTvSwitch", 0),
        **group("PGvmnic4", "TESTvSwitch", 0),
        **switch("TestSwitch", 1500, ("vmnic0", "vmnic1"), kind="distributed"),
    },
    "esxcli-network-vswitch-standard-list-storage9000__elatov-proxmox": {
        **switch("vSwitch0", 1500, ("vmnic0",), ("VM_VLAN1", "VM Network", "VM_VLAN3", "Management Network")),
        **switch("storage", 9000, ("vmnic32",), ("nfs-for-vm", "iscsi")),
    },
    "esxcli-network-vswitch-standard-list-cswitch-4uplinks__vn-bonding": {
        **switch(
            "vSwitch0",
            1500,
            ("vmnic3", "vmnic2", "vmnic1", "vmnic0"),
            ("Vivas-1Gbps", "Media_Private_IP_941", "VM Network", "Management Network"),
        ),
        **switch("vSwitch1", 1500, ("vmnic5", "vmnic4"), ("vivas1",)),
    },
    "esxcli-network-vswitch-standard-list__more-poodle": switch("vSwitch0", 1500, ("vmnic0",), ("VM Network", "eno1")),
    "esxcli-network-vswitch-dvs-vmware-list__esxi9-nested": switch("VDS-Prod", 1500, (), kind="distributed"),
    "esxcli-network-vswitch-standard-portgroup-list__elatov-proxmox": {
        **group("Management Network", "vSwitch0", 0),
        **group("VM Network", "vSwitch0", 0),
        **group("VM_VLAN1", "vSwitch0", 0),
        **group("VM_VLAN3", "vSwitch0", 3),
        **group("iscsi", "storage", 0),
        **group("nfs-for-vm", "storage", 0),
    },
    "esxcli-network-vswitch-standard-portgroup-list__elatov-vcap5-21": {
        **group("ISCSI_1", "vSwitch1", 0),
        **group("Management Network", "vSwitch0", 0),
        **group("VM_Net", "vSwitch2", 0),
        **group("vMotion", "vSwitch3", 0),
    },
    "esxcli-network-ip-interface-list__elatov-vcap5-21": {
        **vmk("vmk0", 1500, "Management Network", vswitch="vSwitch0"),
        **vmk("vmk1", 1500, "ISCSI_1", vswitch="vSwitch1"),
        **vmk("vmk2", 1500, "vMotion", vswitch="vSwitch3"),
    },
    "esxcli-network-ip-interface-list__net-cmds-5x": vmk("vmk0", 1500, "Management Network", vswitch="vSwitch0"),
    "esxcli-network-ip-interface-list-mtu9000__vcf9-notes": vmk(
        "vmk0", 9000, "Management Network", vswitch="vSwitch0", netstack="defaultTcpipStack"
    ),
    "esxcli-network-ip-interface-ipv4-get-670__vagrant-blog": {"vnic/vmk1/addresses": ("10.130.2.122",)},
    "esxcli-network-ip-interface-ipv4-get__elatov-vcap5-63": {
        "vnic/vmk0/addresses": ("192.168.0.103",),
        "vnic/vmk1/addresses": ("192.168.1.106",),
        "vnic/vmk2/addresses": ("192.168.3.102",),
    },
    "esxcli-iscsi-adapter-list__elatov-macmini62": initiator("vmhba37"),
    "esxcli-iscsi-adapter-list-70__jimangel": initiator("vmhba64"),
    "esxcli-iscsi-adapter-list-vmhba64__ceph-docs": initiator("vmhba64"),
    "esxcli-iscsi-adapter-param-get__elatov-vcap5-64": {
        f"initiator/vmhba33/{key}": value
        for key, value in {
            "name": "vmhba33",
            "delayed_ack": "disabled",
            "login_timeout_seconds": 5,
            "noop_out_interval_seconds": 15,
            "noop_out_timeout_seconds": 10,
            "recovery_timeout_seconds": 10,
            "max_commands": 128,
            "header_digest": "prohibited",
        }.items()
    },
    "esxcli-iscsi-adapter-target-portal-param-get__elatov-vcap5-64": {
        f"target/vmhba33>{IQN}/{key}": value
        for key, value in {
            "delayed_ack": "disabled",
            "delayed_ack_inherited": True,
            "login_timeout_seconds": 5,
            "login_timeout_inherited": True,
        }.items()
    },
    "esxcli-iscsi-adapter-target-portal-list__elatov-vcap5-64": {f"target/vmhba33>{IQN}/address": "10.131.67.12:3260, 192.168.1.107:3260"},
    "esxcli-iscsi-networkportal-list-short__elatov-zfs": {"vnic/vmk1/bound_to": "vmhba32"},
    "esxcli-iscsi-networkportal-list-short__elatov-macmini62": {"vnic/vmk1/bound_to": "vmhba37"},
    "esxcli-iscsi-session-and-connection-list__elatov-vcap5-64": {f"target/vmhba33>{IQN}/sessions": 2},
}
