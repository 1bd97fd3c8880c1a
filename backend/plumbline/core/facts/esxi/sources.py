"""Where each setting is read on ESXi, and which command belongs to which section."""

from plumbline.core.facts.catalogue import SettingSource
from plumbline.core.facts.esxi import (
    advanced,
    iscsi,
    modules,
    network_hints,
    nic_tuning,
    nics,
    paths,
    probes,
    software,
    system,
    vmkernel,
    vswitch,
)

_FROM_6 = "6.0 and later"
_UP_TO_6 = "up to 6.7, where ethtool is"


def _at(section: str, command: str, field: str, versions: str = "") -> SettingSource:
    return SettingSource("esxi", section, command, field, versions)


_NIC_LIST = {
    "name": "Name",
    "description": "Description",
    "mac": "MAC Address",
    "pci": "PCI Device",
    "is_virtual": "PCI Device",
    "admin_up": "Admin Status",
    "link_up": "Link Status",
    "link_speed_bps": "Speed",
    "mtu_operational": "MTU",
}
# CDP's field first, then LLDP's.
_SWITCH = {
    "switch": ("systemName, devId", "System Name, chassisId"),
    "switch_id": ("devId", "chassisId"),
    "switch_port": ("portId", "portId, Port Description"),
    "switch_platform": ("hardwarePlatform", "System Description"),
    "switch_address": ("mgmtAddr, address", "Management Address"),
    "switch_mtu": ("mtu", "MTU"),
    "switch_native_vlan": ("vlan", "Vlan ID"),
    "switch_protocol": ("connectedSwitchPort", "lldpInfo"),
}

SOURCES: dict[str, tuple[SettingSource, ...]] = {
    **{
        f"adapter.{key}": (_at("nics", nics.NIC_LIST, field), _at("nics", nics.NICS_OLD, field, "where esxcli has no list"))
        for key, field in _NIC_LIST.items()
    },
    "adapter.driver": (
        _at("nics", nics.NIC_LIST, "Driver"),
        _at("nics", nics.NIC_GET, "DriverInfo.Driver"),
        _at("nics", nics.DRIVER_OLD, "driver"),
    ),
    "adapter.driver_version": (_at("nics", nics.NIC_GET, "DriverInfo.Version"), _at("nics", nics.DRIVER_OLD, "version", _UP_TO_6)),
    "adapter.firmware_version": (
        _at("nics", nics.NIC_GET, "DriverInfo.FirmwareVersion"),
        _at("nics", nics.DRIVER_OLD, "firmware-version", _UP_TO_6),
    ),
    "adapter.pnp_id": (
        _at("nics", nics.PCI_LIST, "Vend:Dvid"),
        _at("nics", nics.PCI_LIST_SHORT, "Class", "copied outputs"),
        _at("nics", nics.PCI_DEVICES, "Vendor ID, Device ID", "where lspci was not run"),
    ),
    "adapter.family": (_at("nics", nics.PCI_LIST, "Vend:Dvid"), _at("nics", nics.NIC_LIST, "Driver")),
    "adapter.role": (
        _at("iscsi", iscsi.BINDINGS, "Vmknic"),
        _at("iscsi", iscsi.CONNECTIONS, "LocalAddress"),
        _at("vmkernel", vmkernel.ROUTES, "Interface"),
    ),
    "adapter.role_reason": (_at("iscsi", iscsi.BINDINGS, "Vmknic"), _at("vmkernel", vmkernel.ROUTES, "Interface")),
    "adapter.mtu": (
        _at("vswitch", vswitch.STANDARD, "MTU"),
        _at("vswitch", vswitch.DISTRIBUTED, "MTU"),
        _at("vswitch", vswitch.STANDARD_OLD, "MTU"),
    ),
    "adapter.vswitch": (_at("vswitch", vswitch.STANDARD, "Uplinks"), _at("vswitch", vswitch.STANDARD_OLD, "Uplinks")),
    **{
        f"adapter.{key}": (
            _at("nic_tuning", nic_tuning.PAUSE, "Pause RX, Pause TX, Auto Negotiation", _FROM_6),
            _at("nic_tuning", nic_tuning.PAUSE_OLD, "RX, TX, Autonegotiate", _UP_TO_6),
            _at("nics", nics.NIC_GET, "PauseRX, PauseTX, PauseAutonegotiate"),
        )
        for key in ("flow_control", "flow_control_operational")
    },
    "adapter.pause_supported": (
        _at("nic_tuning", nic_tuning.PAUSE, "Pause Params Supported", _FROM_6),
        _at("nics", nics.NIC_GET, "SupportsPause"),
    ),
    "adapter.receive_buffers": (
        _at("nic_tuning", nic_tuning.RING_CURRENT, "RX", _FROM_6),
        _at("nic_tuning", nic_tuning.RING_ENS, "Rx Ring Size", "adapters in ENS mode"),
        _at("nic_tuning", nic_tuning.RING_OLD, "RX", _UP_TO_6),
    ),
    "adapter.transmit_buffers": (
        _at("nic_tuning", nic_tuning.RING_CURRENT, "TX", _FROM_6),
        _at("nic_tuning", nic_tuning.RING_ENS, "Tx Ring Size", "adapters in ENS mode"),
        _at("nic_tuning", nic_tuning.RING_OLD, "TX", _UP_TO_6),
    ),
    "adapter.receive_buffers_maximum": (
        _at("nic_tuning", nic_tuning.RING_PRESET, "Max RX", _FROM_6),
        _at("nic_tuning", nic_tuning.RING_OLD, "RX", _UP_TO_6),
    ),
    "adapter.transmit_buffers_maximum": (
        _at("nic_tuning", nic_tuning.RING_PRESET, "Max TX", _FROM_6),
        _at("nic_tuning", nic_tuning.RING_OLD, "TX", _UP_TO_6),
    ),
    "adapter.tso": (
        _at("nic_tuning", nic_tuning.TSO, "Value", _FROM_6),
        _at("nic_tuning", nic_tuning.FEATURES_OLD, "tcp-segmentation-offload", _UP_TO_6),
    ),
    "adapter.checksum_offload_rx": (
        _at("nic_tuning", nic_tuning.CSO, "RX Checksum Offload", _FROM_6),
        _at("nic_tuning", nic_tuning.FEATURES_OLD, "rx-checksumming", _UP_TO_6),
    ),
    "adapter.checksum_offload_tx": (
        _at("nic_tuning", nic_tuning.CSO, "TX Checksum Offload", _FROM_6),
        _at("nic_tuning", nic_tuning.FEATURES_OLD, "tx-checksumming", _UP_TO_6),
    ),
    "adapter.lro": (_at("modules", modules.PARAMETERS, "LRO, enable_lro, disable_tpa"),),
    "adapter.coalesce_rx_us": (
        _at("nic_tuning", nic_tuning.COALESCE, "RX microseconds", _FROM_6),
        _at("nic_tuning", nic_tuning.COALESCE_OLD, "rx-usecs", _UP_TO_6),
    ),
    "adapter.coalesce_tx_us": (
        _at("nic_tuning", nic_tuning.COALESCE, "TX microseconds", _FROM_6),
        _at("nic_tuning", nic_tuning.COALESCE_OLD, "tx-usecs", _UP_TO_6),
    ),
    "adapter.coalesce_adaptive": (
        _at("nic_tuning", nic_tuning.COALESCE, "Adaptive RX", _FROM_6),
        _at("nic_tuning", nic_tuning.COALESCE_OLD, "Adaptive RX", _UP_TO_6),
    ),
    **{f"adapter.{key}": tuple(_at("nics", network_hints.HINTS, field) for field in fields) for key, fields in _SWITCH.items()},
    "adapter.frame_probe": (_at("probes", probes.VMKPING, "outcome"),),
    "adapter.frame_probe_size": (_at("probes", probes.VMKPING, "size"),),
    "host.name": (_at("system", system.HOSTNAME, "HostName"),),
    "host.domain": (_at("system", system.HOSTNAME, "DomainName"),),
    "host.platform": (_at("system", system.VERSION, "Product"),),
    "host.os_name": (_at("system", system.VERSION, "Product"),),
    "host.os_release": (_at("system", system.VERSION, "Version"),),
    "host.os_version": (_at("system", system.VERSION, "Version"),),
    "host.os_build": (_at("system", system.VERSION, "Build"),),
    "host.manufacturer": (_at("system", system.PLATFORM, "VendorName"),),
    "host.model": (_at("system", system.PLATFORM, "ProductName"),),
    "host.maintenance_mode": (_at("system", system.MAINTENANCE, ""),),
    "host.lockdown": (_at("system", system.LOCKDOWN, ""),),
    "host.pending_reboot": (_at("system", system.SUMMARY, "rebootRequired"),),
    "host.boot_from_san": (
        _at("paths", paths.DEVICES, "Is Boot Device"),
        _at("system", system.BOOT_BANK, ""),
        _at("system", system.IBFT, ""),
    ),
    "host.mem": (_at("software", software.VIBS, "Version"),),
    "host.net.lro": (_at("advanced", f"{advanced.ADVANCED} -o /Net/TcpipDefLROEnabled", "Int Value"),),
    "host.net.hw_tso": (_at("advanced", f"{advanced.ADVANCED} -o /Net/UseHwTSO", "Int Value"),),
    "host.net.hw_tso6": (_at("advanced", f"{advanced.ADVANCED} -o /Net/UseHwTSO6", "Int Value"),),
    "host.san_switches": (_at("nics", network_hints.HINTS, "devId, chassisId"),),
    "host.san_sessions_spread": (
        _at("iscsi", iscsi.CONNECTIONS, "LocalAddress"),
        _at("iscsi", iscsi.IP_CONNECTIONS, "Local Address", "bundles"),
    ),
    "vnic.name": (_at("vmkernel", vmkernel.INTERFACES, "Name"), _at("vmkernel", vmkernel.INTERFACES_OLD, "Interface")),
    "vnic.mtu": (_at("vmkernel", vmkernel.INTERFACES, "MTU"), _at("vmkernel", vmkernel.INTERFACES_OLD, "MTU")),
    "vnic.portgroup": (_at("vmkernel", vmkernel.INTERFACES, "Portgroup"), _at("vmkernel", vmkernel.INTERFACES_OLD, "Port Group")),
    "vnic.vswitch": (_at("vmkernel", vmkernel.INTERFACES, "Portset"),),
    "vnic.netstack": (_at("vmkernel", vmkernel.INTERFACES, "Netstack Instance", "5.5 and later builds"),),
    "vnic.enabled": (_at("vmkernel", vmkernel.INTERFACES, "Enabled"), _at("vmkernel", vmkernel.INTERFACES_OLD, "Enabled")),
    "vnic.addresses": (_at("vmkernel", vmkernel.ADDRESSES, "IPv4 Address"), _at("vmkernel", vmkernel.INTERFACES_OLD, "IP Address")),
    "vnic.role": (
        _at("iscsi", iscsi.BINDINGS, "Vmknic"),
        _at("iscsi", iscsi.CONNECTIONS, "LocalAddress"),
        _at("vmkernel", vmkernel.ROUTES, "Interface"),
    ),
    "vnic.management": (_at("vmkernel", vmkernel.ROUTES, "Interface"),),
    "vnic.bound_to": (_at("iscsi", iscsi.BINDINGS, "Adapter"),),
    "vnic.binding_compliant": (
        _at("iscsi", iscsi.BINDINGS, "Compliant Status"),
        _at("iscsi", iscsi.LOGICAL, "Compliant", "of bound interfaces, where the bindings do not show it"),
        _at("vswitch", vswitch.FAILOVER, "Active Adapters"),
    ),
    "vnic.frame_probe": (_at("probes", probes.VMKPING, "outcome"),),
    "initiator.name": (_at("iscsi", iscsi.ADAPTERS, "Adapter"),),
    "initiator.driver": (_at("iscsi", iscsi.ADAPTERS, "Driver"),),
    "initiator.mode": (_at("iscsi", iscsi.ADAPTERS, "Driver"), _at("nics", nics.PCI_LIST, "Vend:Dvid", "hardware initiators")),
    "initiator.state": (_at("iscsi", iscsi.ADAPTERS, "State"),),
    "initiator.adapter": (
        _at("iscsi", iscsi.PHYSICAL, "Vmnic", "the only row of a hardware initiator"),
        _at("iscsi", iscsi.ADAPTER, "Driver Name"),
        _at("iscsi", iscsi.ADAPTER, "Serial Number"),
        _at("iscsi", iscsi.BINDINGS, "Vmknic"),
    ),
    "initiator.mtu": (_at("iscsi", iscsi.BINDINGS, "MTU"),),
    "initiator.flow_control": (_at("nic_tuning", nic_tuning.PAUSE, "Pause RX, Pause TX"),),
    "initiator.frame_probe": (_at("probes", probes.VMKPING, "outcome"),),
    **{
        f"initiator.{key}": (_at("iscsi", iscsi.PARAMETERS, f"{name}/Current"),)
        for name, key in {
            "DelayedAck": "delayed_ack",
            "LoginTimeout": "login_timeout_seconds",
            "NoopOutInterval": "noop_out_interval_seconds",
            "NoopOutTimeout": "noop_out_timeout_seconds",
            "RecoveryTimeout": "recovery_timeout_seconds",
            "MaxCmds": "max_commands",
            "HeaderDigest": "header_digest",
            "DataDigest": "data_digest",
        }.items()
    },
    "target.address": (_at("iscsi", iscsi.PORTALS, "IP, Port"),),
    "target.delayed_ack": (_at("iscsi", iscsi.TARGET_PARAMETERS, "DelayedAck/Current"),),
    "target.delayed_ack_inherited": (_at("iscsi", iscsi.TARGET_PARAMETERS, "DelayedAck/Inherit"),),
    "target.login_timeout_seconds": (_at("iscsi", iscsi.TARGET_PARAMETERS, "LoginTimeout/Current"),),
    "target.login_timeout_inherited": (_at("iscsi", iscsi.TARGET_PARAMETERS, "LoginTimeout/Inherit"),),
    "target.sessions": (_at("iscsi", iscsi.SESSIONS, "ISID"),),
    "volume.name": (_at("paths", paths.DEVICES, "Display Name"), _at("paths", paths.NMP, "Device Display Name")),
    "volume.size_bytes": (_at("paths", paths.DEVICES, "Size"),),
    "volume.paths_total": (_at("paths", paths.PATHS, "State"), _at("paths", paths.PATHS_OLD, "State", "copied outputs")),
    "volume.paths_healthy": (_at("paths", paths.PATHS, "State"), _at("paths", paths.NMP, "Working Paths")),
    "volume.adapters": (_at("paths", paths.PATHS, "Target Identifier"), _at("iscsi", iscsi.CONNECTIONS, "LocalAddress")),
    "volume.policy": (_at("paths", paths.NMP, "Path Selection Policy"),),
    "volume.module": (_at("paths", paths.NMP, "Storage Array Type"), _at("paths", paths.DEVICES, "Multipath Plugin")),
    "volume.round_robin_iops": (
        _at("paths", paths.ROUND_ROBIN, "IOOperation Limit"),
        _at("paths", paths.NMP, "Path Selection Policy Device Config"),
    ),
    "vswitch.mtu": (_at("vswitch", vswitch.STANDARD, "MTU"), _at("vswitch", vswitch.STANDARD_OLD, "MTU")),
    "vswitch.uplinks": (_at("vswitch", vswitch.STANDARD, "Uplinks"), _at("vswitch", vswitch.STANDARD_OLD, "Uplinks")),
    "vswitch.type": (_at("vswitch", vswitch.STANDARD, "Class"), _at("vswitch", vswitch.DISTRIBUTED, "Class")),
    "portgroup.vswitch": (
        _at("vswitch", vswitch.PORTGROUPS, "Virtual Switch"),
        _at("vswitch", vswitch.STANDARD, "Portgroups"),
        _at("vswitch", vswitch.STANDARD_OLD, "PortGroup Name"),
    ),
    "portgroup.vlan": (_at("vswitch", vswitch.PORTGROUPS, "VLAN ID"), _at("vswitch", vswitch.STANDARD_OLD, "VLAN ID")),
    "portgroup.active_uplinks": (_at("vswitch", vswitch.FAILOVER, "Active Adapters"),),
    "portgroup.standby_uplinks": (_at("vswitch", vswitch.FAILOVER, "Standby Adapters"),),
    "portgroup.unused_uplinks": (_at("vswitch", vswitch.FAILOVER, "Unused Adapters"),),
    "module.parameters": (_at("modules", modules.PARAMETERS, "Value"),),
}

# Command words without options -> section: every command of agents/schema/esxi-sections.yaml.
COMMANDS: dict[str, str] = {
    system.VERSION: "system",
    system.HOSTNAME: "system",
    system.PLATFORM: "system",
    system.MAINTENANCE: "system",
    system.LOCKDOWN: "system",
    system.SUMMARY: "system",
    "esxcli system settings keyvalue list": "system",
    system.IBFT: "system",
    system.BOOT_BANK: "system",
    "ssh host keys": "system",
    nics.NIC_LIST: "nics",
    nics.NICS_OLD: "nics",
    nics.NIC_GET: "nics",
    nics.DRIVER_OLD: "nics",
    nics.PCI_LIST: "nics",
    nics.PCI_LIST_SHORT: "nics",
    nics.PCI_DEVICES: "nics",
    network_hints.HINTS: "nics",
    nic_tuning.PAUSE: "nic_tuning",
    nic_tuning.PAUSE_SET: "nic_tuning",
    nic_tuning.PAUSE_OLD: "nic_tuning",
    nic_tuning.RING_CURRENT: "nic_tuning",
    nic_tuning.RING_PRESET: "nic_tuning",
    nic_tuning.RING_ENS: "nic_tuning",
    nic_tuning.RING_OLD: "nic_tuning",
    nic_tuning.TSO: "nic_tuning",
    nic_tuning.CSO: "nic_tuning",
    "esxcli network nic sg get": "nic_tuning",
    nic_tuning.SOFTWARE: "nic_tuning",
    nic_tuning.COALESCE: "nic_tuning",
    nic_tuning.COALESCE_OLD: "nic_tuning",
    nic_tuning.FEATURES_OLD: "nic_tuning",
    vswitch.STANDARD: "vswitch",
    vswitch.STANDARD_OLD: "vswitch",
    vswitch.DISTRIBUTED: "vswitch",
    vswitch.PORTGROUPS: "vswitch",
    vswitch.FAILOVER: "vswitch",
    vmkernel.INTERFACES: "vmkernel",
    vmkernel.INTERFACES_OLD: "vmkernel",
    vmkernel.ADDRESSES: "vmkernel",
    vmkernel.ROUTES: "vmkernel",
    iscsi.ADAPTERS: "iscsi",
    iscsi.ADAPTER: "iscsi",
    iscsi.PARAMETERS: "iscsi",
    iscsi.PORTALS: "iscsi",
    iscsi.TARGET_PARAMETERS: "iscsi",
    iscsi.BINDINGS: "iscsi",
    iscsi.LOGICAL: "iscsi",
    iscsi.PHYSICAL: "iscsi",
    iscsi.SESSIONS: "iscsi",
    iscsi.CONNECTIONS: "iscsi",
    # An agent does not send it: in a bundle it stands for the list of connections.
    iscsi.IP_CONNECTIONS: "iscsi",
    advanced.ADVANCED: "advanced",
    advanced.ADVANCED_OLD: "advanced",
    paths.NMP: "paths",
    paths.PATHS: "paths",
    paths.PATHS_OLD: "paths",
    paths.PATHS_BRIEF: "paths",
    paths.DEVICES: "paths",
    "esxcli storage core adapter list": "paths",
    "esxcli storage nmp satp list": "paths",
    paths.ROUND_ROBIN: "paths",
    modules.PARAMETERS: "modules",
    modules.OPTIONS_OLD: "modules",
    "esxcli system module get": "modules",
    software.VIBS: "software",
    "esxcli software profile get": "software",
    software.MEM_STATUS: "software",
    probes.VMKPING: "probes",
    # Counters are sent apart from the sections; a copied output is recognised, and yields no setting.
    "esxcli network nic stats get": "counters",
    "ethtool -S": "counters",
    "esxcli storage core device stats get": "counters",
}

# Other ways in which copied outputs name a command -> the command.
ALIASES: dict[str, str] = {
    "esxcli network pauseParams list": nic_tuning.PAUSE,
    "esxcli network pauseParams set": nic_tuning.PAUSE_SET,
    "esxcli iscsi session and connection list": iscsi.SESSIONS,
    "esxcli iscsi networkportal list short": iscsi.BINDINGS,
    "vim-cmd lockdown_is_enabled": system.LOCKDOWN,
    "vim-cmd vimsvc/auth/lockdown_is_enabled": system.LOCKDOWN,
    # The namespace of ESX 4.
    "esxcli nmp device list": paths.NMP,
    **{
        f"esxcli {option} {command.removeprefix('esxcli ')}": command
        for command in COMMANDS
        if command.startswith("esxcli ")
        for option in ("formatter xml", "formatter json", "formatter keyvalue", "formatter csv", "debug formatter json")
    },
}
