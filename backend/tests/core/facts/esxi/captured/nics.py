"""Lists of adapters, and what one adapter shows of itself."""

from tests.core.facts.esxi.captured import Facts, nic

I350, BCM5719, X540 = (
    "Intel(R) I350 Gigabit Network Connection",
    "Broadcom Corporation NetXtreme BCM5719 Gigabit Ethernet",
    "Intel(R) Ethernet Controller X540-AT2",
)
BCM5720, NC360T = (
    "Broadcom Corporation NetXtreme BCM5720 Gigabit Ethernet",
    "Intel Corporation NC360T PCI Express Dual Port Gigabit Server Adapter",
)
E810, X710 = "Intel(R) Ethernet Controller E810-C for SFP", "Intel(R) Ethernet Controller X710 for 10GbE SFP+"
BCM57416, X520 = (
    "Broadcom BCM57416 NetXtreme-E 10GBASE-T RDMA Ethernet Controller",
    "Intel(R) 82599 10 Gigabit Dual Port Network Connection",
)
I350_OLD, QLOGIC_1G, QLOGIC_10G = (
    "Intel Corporation I350 Gigabit Network Connection",
    "Broadcom Corporation QLogic 5709 1000Base-T",
    "Broadcom Corporation QLogic 57712 10 Gigabit Ethernet Adapter",
)
X550, XL710, XXV710 = (
    "Intel(R) Ethernet Controller X550",
    "Intel(R) Ethernet Controller XL710 for 40GbE QSFP+",
    "Intel(R) Ethernet Controller XXV710 for 25GbE SFP28",
)
WARLOCK: Facts = {
    **nic("78ac4407b2c4", "vmnic0", "0000:18:00.0", "ixgben", 10000, 1500, X550, family=""),
    **nic("78ac4407b2c5", "vmnic1", "0000:18:00.1", "ixgben", 10000, 1500, X550, family=""),
    **nic("78ac4407b2c6", "vmnic2", "0000:19:00.0", "igbn", 0, 1500, I350, up=False),
    **nic("78ac4407b2c7", "vmnic3", "0000:19:00.1", "igbn", 0, 1500, I350, up=False),
    **nic("f8f21ebcf080", "vmnic4", "0000:3b:00.0", "i40en", 40000, 1500, XL710),
    **nic("f8f21ebcf081", "vmnic5", "0000:3b:00.1", "i40en", 40000, 9000, XL710),
    **nic("40a6b7356e30", "vmnic6", "0000:88:00.0", "i40en", 25000, 9000, XXV710),
    **nic("40a6b7356e31", "vmnic7", "0000:88:00.1", "i40en", 25000, 1500, XXV710),
}


def detail(id: str, name: str, driver: str, version: str, firmware: str, pause: str, *, family: str = "other") -> Facts:
    facts: Facts = {"name": name, "driver": driver, "driver_version": version, "firmware_version": firmware, "pci": id, "link_up": True}
    facts |= {"flow_control": pause, "flow_control_operational": pause, "pause_supported": True} if pause else {"pause_supported": False}
    if family:
        facts["family"] = family
    return {f"adapter/{id}/{key}": value for key, value in facts.items()}


def by_ethtool(id: str, name: str, driver: str, version: str, firmware: str, family: str) -> Facts:
    facts = {"name": name, "driver": driver, "driver_version": version, "firmware_version": firmware, "pci": id, "family": family}
    return {f"adapter/{id}/{key}": value for key, value in facts.items() if value}


FACTS: dict[str, Facts] = {
    "esxcfg-nics-l__intel-mfd-esxi-x710": {
        **nic("6805caaabbcc", "vmnic0", "0000:4b:00.0", "icen", 25000, 1500, E810),
        **nic("6805caaabbcd", "vmnic1", "0000:4b:00.1", "icen", 25000, 1500, E810),
        **nic("3cfdaabbcce0", "vmnic10", "0000:ca:00.0", "i40en", 10000, 1500, X710),
        **nic("3cfdaabbcce1", "vmnic11", "0000:ca:00.1", "i40en", 10000, 1500, X710),
        **nic("3cfdaabbcce2", "vmnic12", "0000:ca:00.2", "i40en", 10000, 1500, X710),
        **nic("3cfdaabbcce3", "vmnic13", "0000:ca:00.3", "i40en", 10000, 1500, X710),
        **nic("8416aabbccf0", "vmnic14", "0000:98:00.0", "bnxtnet", 0, 1500, BCM57416, up=False, admin=None),
        **nic("8416aabbccf1", "vmnic15", "0000:98:00.1", "bnxtnet", 0, 1500, BCM57416, up=False, admin=None),
        **nic("6805aabbccc2", "vmnic2", "0000:4b:00.2", "icen", 25000, 1500, E810),
        **nic("6805aabbccc3", "vmnic3", "0000:4b:00.3", "icen", 25000, 1500, E810),
        **nic("48df37aabbcc", "vmnic4", "0000:31:00.0", "igbn", 1000, 1500, I350),
        **nic("48df37aabbcd", "vmnic5", "0000:31:00.1", "igbn", 0, 1500, I350, up=False, admin=None),
        **nic("48df37aabbce", "vmnic6", "0000:31:00.2", "igbn", 0, 1500, I350, up=False, admin=None),
        **nic("48df37aabbcf", "vmnic7", "0000:31:00.3", "igbn", 0, 1500, I350, up=False, admin=None),
        # ixgben drives several families; the list has no PCI ids.
        **nic("90e2aabbcc34", "vmnic8", "0000:b1:00.0", "ixgben", 10000, 1500, X520, family=""),
        **nic("90e2aabbcc35", "vmnic9", "0000:b1:00.1", "ixgben", 10000, 1500, X520, family=""),
    },
    "esxcfg-nics-l-grep__elatov-vnx5300": {
        **nic("002655dfc998", "vmnic4", "0000:0b:00.0", "e1000e", 1000, 1500, NC360T),
        **nic("002655dfc999", "vmnic5", "0000:0b:00.1", "e1000e", 1000, 1500, NC360T),
    },
    "esxcfg-nics-l-tg3__vn-bonding": {
        **nic("ac162d709214", "vmnic0", "0000:03:00.0", "tg3", 1000, 1500, BCM5719),
        **nic("ac162d709215", "vmnic1", "0000:03:00.1", "tg3", 0, 1500, BCM5719, up=False, admin=None),
        **nic("ac162d709216", "vmnic2", "0000:03:00.2", "tg3", 0, 1500, BCM5719, up=False, admin=None),
        **nic("ac162d709217", "vmnic3", "0000:03:00.3", "tg3", 0, 1500, BCM5719, up=False, admin=None),
        **nic("2c768a5a7e9a", "vmnic4", "0000:0a:00.0", "tg3", 0, 1500, BCM5720, up=False, admin=None),
        **nic("2c768a5a7e9b", "vmnic5", "0000:0a:00.1", "tg3", 0, 1500, BCM5720, up=False, admin=None),
    },
    "esxcfg-nics-l__kperryuc-ucs-55u3": {
        **nic("508789ad4756", "vmnic0", "0000:01:00.0", "bnx2", 0, 1500, QLOGIC_1G, up=False, admin=None),
        **nic("508789ad4758", "vmnic1", "0000:01:00.1", "bnx2", 0, 1500, QLOGIC_1G, up=False, admin=None),
        **nic("a0369f3eb460", "vmnic2", "0000:03:00.0", "igb", 1000, 1500, I350_OLD),
        **nic("a0369f3eb461", "vmnic3", "0000:03:00.1", "igb", 1000, 1500, I350_OLD),
        **nic("a0369f3eb462", "vmnic4", "0000:03:00.2", "igb", 1000, 1500, I350_OLD),
        **nic("a0369f3eb463", "vmnic5", "0000:03:00.3", "igb", 1000, 1500, I350_OLD),
        # bnx2x drives the BCM57810 and older cards.
        **nic("f40f1b495c98", "vmnic6", "0000:84:00.0", "bnx2x", 0, 1500, QLOGIC_10G, up=False, admin=None, family=""),
        **nic("f40f1b495c9a", "vmnic7", "0000:84:00.1", "bnx2x", 0, 1500, QLOGIC_10G, up=False, admin=None, family=""),
    },
    "esxcli-formatter-keyvalue-network-nic-list__warlock": WARLOCK,
    "esxcli-formatter-xml-network-nic-list__warlock": WARLOCK,
    "esxcli-network-nic-list-55format__elatov-macmini62": {
        **nic("685b35c99610", "vmnic0", "0000:01:00.0", "tg3", 1000, 1500, "Broadcom Corporation NetXtreme BCM57766 Gigabit Ethernet"),
        **nic("685b35914785", "vmnic1", "0000:09:00.0", "tg3", 1000, 1500, "Broadcom Corporation NetXtreme BCM57762 Gigabit Ethernet PCIe"),
    },
    "esxcli-network-nic-list-82599__blog-esxcli-vmk0": {
        # The addresses are masked: two adapters show the same, so the PCI location is the id.
        **nic(
            "0000:81:00.0",
            "vmnic0",
            "0000:81:00.0",
            "ixgben",
            10000,
            1500,
            "Intel Corporation 82599EB 10-Gigabit SFI/SFP+ Network Connection",
            family="",
        ),
        **nic(
            "0000:81:00.1",
            "vmnic1",
            "0000:81:00.1",
            "ixgben",
            0,
            1500,
            "Intel Corporation 82599EB 10-Gigabit SFI/SFP+ Network Connection",
            up=False,
            family="",
        ),
        **nic("0000:01:00.0", "vmnic2", "0000:01:00.0", "igbn", 1000, 1500, "Intel Corporation Ethernet Server Adapter I350-T2"),
        **nic("0000:01:00.1", "vmnic3", "0000:01:00.1", "igbn", 0, 1500, "Intel Corporation Ethernet Server Adapter I350-T2", up=False),
    },
    "esxcli-network-nic-list-bcm5719-670__vagrant-blog": {
        **nic("20677cd9a16c", "vmnic0", "0000:02:00.0", "ntg3", 1000, 1500, BCM5719),
        **nic("20677cd9a16d", "vmnic1", "0000:02:00.1", "ntg3", 1000, 1500, BCM5719),
        **nic("20677cd9a16e", "vmnic2", "0000:02:00.2", "ntg3", 0, 1500, BCM5719, up=False),
        **nic("20677cd9a16f", "vmnic3", "0000:02:00.3", "ntg3", 0, 1500, BCM5719, up=False),
    },
    "esxcli-network-nic-list-e1000e__cn-55u3": nic(
        "001871eaca38", "vmnic0", "0000:01:00.0", "e1000e", 1000, 1500, "Intel Corporation 82572EI Gigabit Ethernet Controller"
    ),
    "esxcli-network-nic-list-igbn__aqn108-702": {
        # The descriptions are longer than the dashes above them.
        **nic("04d4c45ae278", "vmnic0", "0000:04:00.0", "igbn", 1000, 1500, "Intel Corporation I210 Gigabit Network Connection"),
        **nic("04d4c45ae277", "vmnic1", "0000:05:00.0", "igbn", 1000, 1500, "Intel Corporation I210 Gigabit Network Connection"),
    },
    "esxcli-network-nic-list-x540-650__r630-notes": {
        **nic("246e962f6980", "vmnic0", "0000:01:00.0", "ixgbe", 10000, 1500, X540, family=""),
        **nic("246e962f6982", "vmnic1", "0000:01:00.1", "ixgbe", 10000, 9000, X540, family=""),
        **nic("246e962f6984", "vmnic2", "0000:06:00.0", "igbn", 1000, 9000, I350_OLD),
        **nic("246e962f6985", "vmnic3", "0000:06:00.1", "igbn", 1000, 1500, I350_OLD),
        **nic("a0369fb68120", "vmnic4", "0000:04:00.0", "ixgbe", 10000, 1500, "Intel(R) Ethernet Controller 10G X550T", family=""),
        **nic("a0369fb68122", "vmnic5", "0000:04:00.1", "ixgbe", 0, 1500, "Intel(R) Ethernet Controller 10G X550T", up=False, family=""),
    },
    "esxcli-network-nic-list__esxi9-nested": nic(
        "005056b3b989", "vmnic0", "0000:02:01.0", "nvmxnet3", 10000, 1500, "VMware Inc. vmxnet3 Virtual Ethernet Controller"
    ),
    "esxcli-network-nic-get-pause-on__intel-mfd-igbn": detail("0000:04:00.0", "vmnic0", "igbn", "1.9.1.0", "1.48.0:0x800006e7", "rx_tx"),
    "esxcli-network-nic-get__intel-mfd-xl710-i40en": detail(
        "0000:4b:00.0", "vmnic0", "i40en", "2.5.0.28", "8.15 0x80009621 1.2829.0", "off"
    ),
    "esxcli-network-nic-get-55-bnx2x__nsx-notes": detail(
        "0000:01:00.2", "vmnic2", "bnx2x", "2.710.39.v55.2", "FFV7.10.18 bc 7.10.11", "rx_tx", family=""
    ),
    # `Supports Pause: false`: the adapter does not offer flow control.
    "esxcli-network-nic-get-vmnic0__esxi9-nested": detail("0000:02:01.0", "vmnic0", "nvmxnet3", "2.0.0.31", "7", ""),
    "ethtool-i-vmnic__elatov-x520": by_ethtool("0000:02:00.0", "vmnic7", "ixgbe", "3.1.17.1-NAPI", "1.0-3", ""),
    # `firmware-version: N/A`.
    "ethtool-i-vmnic0-e1000__juanma-50": by_ethtool("0000:02:00.0", "vmnic0", "e1000", "8.0.3.1-NAPI", "", "other"),
    "ethtool-i-vmnic2-igb__kperryuc-ucs-55u3": by_ethtool("0000:03:00.0", "vmnic2", "igb", "5.3.1", "1.63, 0x80000aa6, 0.384.130", "other"),
    "ethtool-k__aquantia-readme": {
        "adapter/vmnic1/checksum_offload_rx": "enabled",
        "adapter/vmnic1/checksum_offload_tx": "enabled",
        "adapter/vmnic1/tso": "enabled",
    },
    "esxcli-network-nic-coalesce-get__blockbridge-kb": {
        f"adapter/{name}/{key}": value
        for name in ("vmnic1000202", "vmnic2")
        for key, value in (("coalesce_rx_us", 3), ("coalesce_tx_us", 0), ("coalesce_adaptive", "disabled"))
    },
    "esxcli-network-nic-ring-current-get__intel-mfd-network-adapter": {
        "adapter/unnamed/receive_buffers": 1024,
        "adapter/unnamed/transmit_buffers": 1024,
    },
    "esxcli-network-nic-tso-get__elatov-hp-z2": {"adapter/vmnic0/tso": "disabled", "adapter/vmnic32/tso": "disabled"},
    "esxcli-network-pauseParams-list-cx5-esxi8__jp-blog": {
        f"adapter/{name}/{key}": value
        for name in ("vmnic0", "vmnic1")
        for key, value in (("flow_control", "rx_tx"), ("flow_control_operational", "rx_tx"), ("pause_supported", True))
    },
}
