"""Every setting Plumbline knows, declared once: key, type, unit, label, meaning, layer, counterpart, when a change takes effect.

Rules, screens, drift and remediation name settings by the keys of this list and nothing else. Where each is read, per platform and
version, is in `windows/sources.py` and `esxi/sources.py`; `sources.py` joins them. Which reads list the subjects of a kind is in
`listings.py`.
"""

from dataclasses import dataclass
from typing import Literal

# A version is text as the system prints it, compared by the numbers it begins with ("1.2.0-365964"); empty where there is none.
SettingType = Literal["bool", "int", "text", "version", "enum", "list"]
Layer = Literal["configured", "running", "operational", "identity"]
TakesEffect = Literal["now", "new_session", "adapter_restart", "reboot"]

KINDS: dict[str, str] = {
    "host": "the host itself; empty id",
    "adapter": "a network adapter: permanent MAC, lower case without separators; masked or missing: PCI location",
    "vnic": "a VMkernel port (its vmk name) or a vNIC (its interface GUID)",
    "initiator": "IQN; none, or shared by two on the host: vmhba name",
    "target": "initiator id, `>`, target IQN",
    "volume": "NAA, EUI or serial",
    "vswitch": "name",
    "portgroup": "name",
    "team": "name",
    "tcp_template": "name",
    "transport_filter": "its tuple: protocol,local ports,remote ports,prefix",
    "module": "name",
    "qos_class": "name",
    "qos_policy": "name",
}


@dataclass(frozen=True, slots=True)
class Entry:
    """One setting of the catalogue."""

    key: str  # with its kind: "adapter.mtu"
    type: SettingType
    label: str
    meaning: str
    unit: str = ""
    values: tuple[str, ...] = ()
    layer: Layer = "configured"
    counterpart: str = ""  # the key of the same thing in the other layer; drift to the stored configuration compares these
    takes_effect: TakesEffect = "now"
    proof_key: str = ""  # the setting that shows that a deferred change has taken effect

    @property
    def kind(self) -> str:
        """The subject kind, the part before the first point."""
        return self.key.split(".", 1)[0]

    @property
    def name(self) -> str:
        """The key inside its subject, the part after the first point."""
        return self.key.split(".", 1)[1]


@dataclass(frozen=True, slots=True)
class SettingSource:
    """Where a setting is read on one platform. `versions` in words; empty means every supported one."""

    platform: Literal["windows", "esxi"]
    section: str
    command: str
    field: str
    versions: str = ""


ON_OFF = ("enabled", "disabled")
PAUSE = ("rx_tx", "rx", "tx", "off", "auto")
CHECKSUM = ("rx_tx", "rx", "tx", "off")
FAMILIES = ("bcm57810", "x520", "t520", "qle3142", "other")
ROLES = ("san_iscsi", "s2d_storage", "management", "other")
MODES = ("software", "ndis", "isoe", "hardware")

# What no host reports and a person may enter: an offload engine's settings show only in the vendor's own tool.
ENTERED = frozenset({"initiator.mtu", "initiator.flow_control"})

_RESTART: TakesEffect = "adapter_restart"


# One setting a line, so that the list reads as a table.
# fmt: off
_ADAPTER_SETTINGS: tuple[Entry, ...] = (
    Entry("adapter.name", "text", "Name", "The name the operating system shows.", layer="identity"),
    Entry("adapter.description", "text", "Description", "The product text of the driver. Never matched.", layer="identity"),
    Entry("adapter.mac", "text", "MAC address", "The permanent address.", layer="identity"),
    Entry("adapter.interface_guid", "text", "Interface GUID", "Windows' own id of the interface.", layer="identity"),
    Entry("adapter.pnp_id", "text", "PnP id", "The device id with vendor, device and subsystem.", layer="identity"),
    Entry("adapter.pci", "text", "PCI location", "Segment, bus, device and function.", layer="identity"),
    Entry("adapter.family", "enum", "Adapter family", "From PnP id and driver file, not the product name.", values=FAMILIES, layer="identity"),
    Entry("adapter.role", "enum", "Role", "What the adapter is used for, derived or set manually.", values=ROLES, layer="identity"),
    Entry("adapter.role_reason", "text", "Role source", "What the role was derived from.", layer="identity"),
    Entry("adapter.driver", "text", "Driver", "Name of the driver module or file.", layer="identity"),
    Entry("adapter.driver_version", "text", "Driver version", "As the system prints it.", layer="identity"),
    Entry("adapter.driver_date", "text", "Driver date", "As the system prints it.", layer="identity"),
    Entry("adapter.firmware_version", "text", "Firmware version", "As the system prints it.", layer="identity"),
    Entry("adapter.admin_up", "bool", "Enabled", "An administrator has it switched on."),
    Entry("adapter.link_up", "bool", "Link", "The link is up.", layer="operational"),
    Entry("adapter.link_speed_bps", "int", "Link speed", "Negotiated speed.", unit="bit/s", layer="operational"),
    Entry("adapter.is_virtual", "bool", "Virtual", "A virtual adapter, not a card.", layer="identity"),
    Entry("adapter.mtu", "int", "L3 MTU", "Frame size as one layer-3 figure, whatever the driver counts.", unit="bytes", counterpart="adapter.mtu_operational", takes_effect=_RESTART, proof_key="adapter.mtu_operational"),
    Entry("adapter.mtu_operational", "int", "Active L3 MTU", "What the IP layer uses now.", unit="bytes", layer="operational", counterpart="adapter.mtu"),
    Entry("adapter.mtu_maximum", "int", "Maximum L3 MTU", "The largest that the driver offers.", unit="bytes", layer="identity"),
    Entry("adapter.flow_control", "enum", "Flow control", "802.3x pause frames.", values=PAUSE, counterpart="adapter.flow_control_operational", takes_effect=_RESTART),
    Entry("adapter.flow_control_operational", "enum", "Active flow control", "What the link partners agreed on.", values=PAUSE, layer="operational", counterpart="adapter.flow_control"),
    Entry("adapter.pause_supported", "bool", "Pause supported", "The adapter can send and honour pause frames.", layer="identity"),
    Entry("adapter.receive_buffers", "int", "Receive buffers", "Receive ring size in descriptors. 0 means automatic if the driver supports "
                                                               "it.", unit="buffers", takes_effect=_RESTART),
    Entry("adapter.receive_buffers_maximum", "int", "Maximum receive buffers", "Maximum reported by the driver.", unit="buffers", layer="identity"),
    Entry("adapter.receive_buffers_default", "int", "Default receive buffers", "Default reported by the driver.", unit="buffers", layer="identity"),
    Entry("adapter.transmit_buffers", "int", "Transmit buffers", "Descriptors of the transmit ring; 0 means automatic if the driver supports it.", unit="buffers", takes_effect=_RESTART),
    Entry("adapter.transmit_buffers_maximum", "int", "Maximum transmit buffers", "Maximum reported by the driver.", unit="buffers", layer="identity"),
    Entry("adapter.transmit_buffers_default", "int", "Default transmit buffers", "Default reported by the driver.", unit="buffers", layer="identity"),
    Entry("adapter.interrupt_moderation", "enum", "Interrupt moderation", "Batching of interrupts.", values=ON_OFF, takes_effect=_RESTART),
    Entry("adapter.rss", "enum", "RSS", "Receive-side scaling on the adapter.", values=ON_OFF, takes_effect=_RESTART),
    Entry("adapter.rss_queues", "int", "RSS queues", "Number of receive queues.", unit="queues", takes_effect=_RESTART),
    Entry("adapter.rss_profile", "enum", "RSS profile", "How queues are spread over processors.", values=("closest", "closest_static", "numa_scaling", "numa_scaling_static", "conservative"), takes_effect=_RESTART),
    Entry("adapter.rsc_ipv4", "enum", "RSC IPv4", "Receive segment coalescing switched on.", values=ON_OFF, counterpart="adapter.rsc_ipv4_operational", takes_effect=_RESTART),
    Entry("adapter.rsc_ipv4_operational", "enum", "Active RSC IPv4", "Coalescing works.", values=ON_OFF, layer="operational", counterpart="adapter.rsc_ipv4"),
    Entry("adapter.rsc_ipv4_failure_reason", "text", "RSC IPv4 failure reason", "Why it does not work though switched on.", layer="operational"),
    Entry("adapter.rsc_ipv6", "enum", "RSC IPv6", "Receive segment coalescing switched on.", values=ON_OFF, counterpart="adapter.rsc_ipv6_operational", takes_effect=_RESTART),
    Entry("adapter.rsc_ipv6_operational", "enum", "Active RSC IPv6", "Coalescing works.", values=ON_OFF, layer="operational", counterpart="adapter.rsc_ipv6"),
    Entry("adapter.lro", "enum", "LRO", "Large receive offload of the ESXi driver.", values=ON_OFF, takes_effect="reboot"),
    Entry("adapter.lso_ipv4", "enum", "LSO V2 IPv4", "Large send offload.", values=ON_OFF, takes_effect=_RESTART),
    Entry("adapter.lso_ipv6", "enum", "LSO V2 IPv6", "Large send offload.", values=ON_OFF, takes_effect=_RESTART),
    Entry("adapter.tso", "enum", "TSO", "Segmentation offload as ESXi shows it.", values=ON_OFF, layer="operational"),
    Entry("adapter.checksum_ip_ipv4", "enum", "IP checksum offload", "IPv4 header checksum.", values=CHECKSUM, takes_effect=_RESTART),
    Entry("adapter.checksum_tcp_ipv4", "enum", "TCP checksum offload IPv4", "Checksum of TCP in the adapter.", values=CHECKSUM, takes_effect=_RESTART),
    Entry("adapter.checksum_tcp_ipv6", "enum", "TCP checksum offload IPv6", "Checksum of TCP in the adapter.", values=CHECKSUM, takes_effect=_RESTART),
    Entry("adapter.checksum_udp_ipv4", "enum", "UDP checksum offload IPv4", "Checksum of UDP in the adapter.", values=CHECKSUM, takes_effect=_RESTART),
    Entry("adapter.checksum_udp_ipv6", "enum", "UDP checksum offload IPv6", "Checksum of UDP in the adapter.", values=CHECKSUM, takes_effect=_RESTART),
    Entry("adapter.checksum_offload_rx", "enum", "Receive checksum offload", "As ESXi shows it (ethtool or cso).", values=ON_OFF, layer="operational"),
    Entry("adapter.checksum_offload_tx", "enum", "Transmit checksum offload", "As ESXi shows it (ethtool or cso).", values=ON_OFF, layer="operational"),
    Entry("adapter.tcp_connection_offload", "enum", "TCP connection offload", "TOE on the adapter; needs Chimney in the system too.", values=ON_OFF, takes_effect=_RESTART),
    Entry("adapter.rdma", "enum", "RDMA", "Network Direct switched on.", values=ON_OFF, counterpart="adapter.rdma_operational", takes_effect=_RESTART),
    Entry("adapter.rdma_operational", "enum", "Active RDMA", "Network Direct works.", values=ON_OFF, layer="operational", counterpart="adapter.rdma"),
    Entry("adapter.rdma_technology", "enum", "RDMA technology", "iWARP, InfiniBand or RoCE.", values=("iwarp", "infiniband", "roce", "rocev2"), layer="identity"),
    Entry("adapter.qos", "enum", "QoS (DCB)", "Data center bridging switched on for the adapter.", values=ON_OFF),
    Entry("adapter.qos_operational_classes", "list", "Active traffic classes", "`name:algorithm:percent:priorities` as the adapter runs them.", layer="operational"),
    Entry("adapter.qos_operational_flow_control", "list", "Active PFC priorities", "Priorities with PFC on the adapter.", layer="operational"),
    Entry("adapter.vlan", "int", "VLAN", "Tag set on the adapter; 0 means none.", takes_effect=_RESTART),
    Entry("adapter.team", "text", "LBFO team", "The Windows team it belongs to; empty for none."),
    Entry("adapter.vswitch", "text", "Virtual switch", "The virtual switch it is an uplink of; empty for none."),
    Entry("adapter.bindings", "list", "Bound components", "Component ids bound to the adapter (ms_tcpip, ms_server ...)."),
    Entry("adapter.netbios", "enum", "NetBIOS over TCP/IP", "On the adapter's IPv4 settings.", values=("dhcp", "enabled", "disabled")),
    Entry("adapter.delayed_ack_registry", "enum", "Delayed ACK (registry)", "TcpAckFrequency of the interface; absent means enabled.", values=ON_OFF, takes_effect="reboot"),
    Entry("adapter.nagle_registry", "enum", "Nagle (registry)", "TcpNoDelay of the interface; absent means enabled.", values=ON_OFF, takes_effect="reboot"),
    Entry("adapter.addresses", "list", "IP addresses", "IPv4 and IPv6 addresses.", layer="identity"),
    Entry("adapter.management", "bool", "Management traffic", "The default route leaves over it, whatever else it carries.", layer="identity"),
    Entry("adapter.numa_node", "int", "NUMA node", "NUMA node of the adapter; 65535 means any.", layer="identity"),
    Entry("adapter.coalesce_rx_us", "int", "Receive coalescing", "Interrupt delay on receive.", unit="microseconds"),
    Entry("adapter.coalesce_tx_us", "int", "Transmit coalescing", "Interrupt delay on transmit.", unit="microseconds"),
    Entry("adapter.coalesce_adaptive", "enum", "Adaptive coalescing", "The driver adjusts the delay by load.", values=ON_OFF),
    Entry("adapter.switch", "text", "Switch", "Name of the switch at the other end of the cable, as the switch announces it.", layer="operational"),
    Entry("adapter.switch_id", "text", "Switch id", "Id that the switch announces: CDP device id or LLDP chassis id. A stack has one.", layer="operational"),
    Entry("adapter.switch_port", "text", "Switch port", "Port of the switch that the cable ends on.", layer="operational"),
    Entry("adapter.switch_platform", "text", "Switch platform", "Model or system of the switch, as it announces it.", layer="operational"),
    Entry("adapter.switch_address", "text", "Switch address", "Management address of the switch.", layer="operational"),
    Entry("adapter.switch_mtu", "int", "Switch port MTU", "MTU that the switch announces for the port. Some switches announce 1500 whatever the port is set to.", unit="bytes", layer="operational"),
    Entry("adapter.switch_native_vlan", "int", "Native VLAN", "Untagged VLAN of the switch port.", layer="operational"),
    Entry("adapter.switch_protocol", "enum", "Heard by", "The protocol the switch announces itself with.", values=("cdp", "lldp"), layer="operational"),
    Entry("adapter.dcbx_remote_classes", "list", "Switch traffic classes", "`name:algorithm:percent:priorities` as the switch announces them by DCBX; empty: none heard.", layer="operational"),
    Entry("adapter.dcbx_remote_flow_control", "list", "Switch PFC priorities", "Priorities with PFC that the switch announces by DCBX; empty: none.", layer="operational"),
    Entry("adapter.frame_probe", "enum", "Frame size, end to end", "Worst answer of the do-not-fragment pings at the adapter's MTU, at most 9000 bytes.", values=("ok", "too_big", "silent", "not_run"), layer="operational"),
    Entry("adapter.frame_probe_size", "int", "Probed frame size", "Largest packet size that succeeded on all paths.", unit="bytes", layer="operational"),
)


_HOST_SETTINGS: tuple[Entry, ...] = (
    Entry("host.name", "text", "Name", "The host's own name.", layer="identity"),
    Entry("host.platform", "enum", "Platform", "Windows or ESXi.", values=("windows", "esxi"), layer="identity"),
    Entry("host.os_name", "text", "System", "Product name as we write it.", layer="identity"),
    Entry("host.os_release", "enum", "Release", "The release that rules refer to.", values=("2012", "2012r2", "2016", "2019", "2022", "2025", "5.0", "5.1", "5.5", "6.0", "6.5", "6.7", "7.0", "8.0", "9.0"), layer="identity"),
    Entry("host.os_version", "text", "Version", "As the system prints it.", layer="identity"),
    Entry("host.os_build", "int", "Build", "Build number.", layer="identity"),
    Entry("host.manufacturer", "text", "Manufacturer", "Of the hardware.", layer="identity"),
    Entry("host.model", "text", "Model", "Of the hardware.", layer="identity"),
    Entry("host.language", "text", "Display language", "OS display language. Not used for reading settings.", layer="identity"),
    Entry("host.domain", "text", "Domain", "DNS or Active Directory domain.", layer="identity"),
    Entry("host.agent_version", "text", "Agent version", "Of the collector that read this.", layer="identity"),
    Entry("host.cluster", "text", "Cluster", "Name of its failover or vSphere cluster; empty for none.", layer="identity"),
    Entry("host.is_clustered", "bool", "Clustered", "Member of a failover cluster.", layer="identity"),
    Entry("host.cluster_node", "enum", "Cluster node", "Cluster node state. A paused node takes no new work.", values=("up", "paused", "down", "joining"), layer="running"),
    Entry("host.cluster_others_up", "bool", "Other nodes up", "Every other node of its cluster is up.", layer="running"),
    Entry("host.storage_jobs", "int", "Storage jobs", "Storage jobs that are not finished: repair, resync, rebalance.", layer="running"),
    Entry("host.s2d", "enum", "Storage Spaces Direct", "The cluster's own storage.", values=ON_OFF, layer="identity"),
    Entry("host.boot_from_san", "bool", "Boots from the SAN", "The boot disk is an iSCSI volume.", layer="identity"),
    Entry("host.kernel_debugger", "bool", "Kernel debugger", "Enabled: NDIS then forces flow control off.", layer="running"),
    Entry("host.pending_reboot", "bool", "Restart pending", "The system reports that a restart is due.", layer="running"),
    Entry("host.clock", "enum", "Clock", "Host clock compared with the server.", values=("in_step", "minutes_off"), layer="operational"),
    Entry("host.maintenance_mode", "bool", "Maintenance mode", "ESXi is in maintenance mode.", layer="running"),
    Entry("host.lockdown", "bool", "Lockdown mode", "ESXi blocks direct logins.", layer="running"),
    Entry("host.features", "list", "Windows features", "Installed features that matter here.", layer="identity"),
    Entry("host.hit_kit", "text", "Host Integration Toolkit", "Version; empty when not installed.", layer="identity"),
    Entry("host.mem", "version", "EqualLogic MEM", "Version of the multipathing extension module; empty when not installed.", layer="identity"),
    Entry("host.tcp.rss", "enum", "RSS (system)", "Receive-side scaling in the TCP stack.", values=ON_OFF),
    Entry("host.tcp.chimney", "enum", "Chimney (system)", "TCP offload in the stack; gone from 2016 on.", values=("enabled", "disabled", "automatic"), takes_effect="new_session"),
    Entry("host.tcp.rsc", "enum", "RSC (system)", "Receive segment coalescing in the stack.", values=ON_OFF),
    Entry("host.tcp.task_offload", "enum", "Task offload (system)", "All task offloads.", values=ON_OFF),
    Entry("host.tcp.network_direct", "enum", "Network Direct (system)", "RDMA in the stack.", values=ON_OFF),
    Entry("host.tcp.auto_tuning", "enum", "Receive window auto-tuning", "The level in effect for the SAN's template.", values=("disabled", "highlyrestricted", "restricted", "normal", "experimental"), takes_effect="new_session"),
    Entry("host.tcp.auto_tuning_from", "enum", "Auto-tuning source", "Local setting or group policy.", values=("local", "group_policy"), layer="identity"),
    Entry("host.tcp.delayed_ack_iscsi", "enum", "Delayed ACK for iSCSI", "Set in the registry on 2012, by a transport filter on 2012 R2 and later.", values=ON_OFF, takes_effect="new_session"),
    Entry("host.tcp.san_template", "text", "TCP template of SAN sessions", "The template that a connection to port 3260 gets.", layer="operational"),
    Entry("host.tcp.unrestricted_custom_filter", "bool", "Unrestricted custom filter", "A transport filter moves every connection to a custom template."),
    Entry("host.mpio.installed", "bool", "MPIO installed", "The Multipath-IO feature is there.", takes_effect="reboot"),
    Entry("host.mpio.policy", "enum", "MPIO default policy", "Default of the Microsoft DSM.", values=("none", "fail_over_only", "round_robin", "least_queue_depth", "least_blocks")),
    Entry("host.mpio.claims_iscsi", "bool", "MPIO claims iSCSI", "iSCSI disks are claimed automatically.", takes_effect="reboot"),
    Entry("host.mpio.path_verification", "enum", "Path verification", "The DSM tests idle paths.", values=ON_OFF),
    Entry("host.mpio.path_verification_seconds", "int", "Path verification period", "", unit="seconds"),
    Entry("host.mpio.pdo_remove_seconds", "int", "PDO remove period", "", unit="seconds"),
    Entry("host.mpio.retry_count", "int", "Retry count", "", unit="tries"),
    Entry("host.mpio.retry_interval_seconds", "int", "Retry interval", "", unit="seconds"),
    Entry("host.mpio.disk_timeout_seconds", "int", "Disk timeout", "", unit="seconds"),
    Entry("host.qos.dcbx_willing", "bool", "DCBX willing", "The switch may override the host's QoS."),
    Entry("host.qos.pfc_priorities", "list", "PFC priorities", "Priorities with priority flow control configured."),
    Entry("host.net.lro", "enum", "LRO of the TCP/IP stack", "/Net/TcpipDefLROEnabled.", values=ON_OFF, takes_effect="reboot"),
    Entry("host.net.hw_tso", "enum", "Hardware TSO", "/Net/UseHwTSO.", values=ON_OFF),
    Entry("host.net.hw_tso6", "enum", "Hardware TSO IPv6", "/Net/UseHwTSO6.", values=ON_OFF),
    Entry("host.san_switches", "int", "Number of SAN switches", "Physical switches that the SAN adapters are cabled to, by what the switches announce.", unit="switches", layer="operational"),
    Entry("host.san_sessions_spread", "int", "iSCSI session imbalance", "Most minus fewest iSCSI sessions over the host's SAN adapters.", unit="sessions", layer="operational"),
)


_OTHER_SETTINGS: tuple[Entry, ...] = (
    Entry("vnic.name", "text", "Name", "", layer="identity"),
    Entry("vnic.mtu", "int", "L3 MTU", "", unit="bytes"),
    Entry("vnic.portgroup", "text", "Port group", "", layer="identity"),
    Entry("vnic.vswitch", "text", "Virtual switch", "", layer="identity"),
    Entry("vnic.netstack", "text", "Network stack", "", layer="identity"),
    Entry("vnic.enabled", "bool", "Enabled", ""),
    Entry("vnic.addresses", "list", "IP addresses", "", layer="identity"),
    Entry("vnic.role", "enum", "Role", "", values=ROLES, layer="identity"),
    Entry("vnic.management", "bool", "Management traffic", "The default route leaves over it, whatever else it carries. ESXi without one: vmk0.", layer="identity"),
    Entry("vnic.rdma", "enum", "RDMA", "", values=ON_OFF, takes_effect=_RESTART),
    Entry("vnic.team_mapping", "text", "Bound to adapter", "Physical adapter the host vNIC is mapped to."),
    Entry("vnic.bound_to", "text", "Bound to iSCSI adapter", "vmhba it is bound to; empty for none."),
    Entry("vnic.binding_compliant", "bool", "Port binding compliant", "Exactly one active uplink, the others unused.", layer="operational"),
    Entry("vnic.frame_probe", "enum", "Frame size, end to end", "Worst answer of the do-not-fragment pings.", values=("ok", "too_big", "silent", "not_run"), layer="operational"),
    Entry("initiator.name", "text", "Name", "vmhba name or the Microsoft initiator.", layer="identity"),
    Entry("initiator.driver", "text", "Driver", "iscsi_vmk, bnx2i, msiscsi ...", layer="identity"),
    Entry("initiator.mode", "enum", "Mode", "Software initiator over an ordinary adapter, NDIS, iSOE, or another hardware initiator.", values=MODES, layer="identity"),
    Entry("initiator.state", "text", "State", "", layer="operational"),
    Entry("initiator.adapter", "text", "Adapter", "The adapter a hardware initiator sits on.", layer="identity"),
    Entry("initiator.family", "enum", "Adapter family", "Family of the card that a hardware initiator is a function of.", values=FAMILIES, layer="identity"),
    Entry("initiator.delayed_ack", "enum", "Delayed ACK", "", values=ON_OFF, takes_effect="new_session"),
    Entry("initiator.login_timeout_seconds", "int", "Login timeout", "", unit="seconds", takes_effect="new_session"),
    Entry("initiator.noop_out_interval_seconds", "int", "NOP-Out interval", "", unit="seconds"),
    Entry("initiator.noop_out_timeout_seconds", "int", "NOP-Out timeout", "", unit="seconds"),
    Entry("initiator.recovery_timeout_seconds", "int", "Recovery timeout", "", unit="seconds"),
    Entry("initiator.header_digest", "text", "Header digest", ""),
    Entry("initiator.data_digest", "text", "Data digest", ""),
    Entry("initiator.max_commands", "int", "Maximum outstanding commands", "", unit="commands"),
    Entry("initiator.mtu", "int", "L3 MTU", "Frame size of a hardware initiator.", unit="bytes"),
    Entry("initiator.flow_control", "enum", "Flow control", "Of a hardware initiator.", values=PAUSE),
    Entry("initiator.frame_probe", "enum", "Frame size, end to end", "", values=("ok", "too_big", "silent", "not_run"), layer="operational"),
    Entry("target.address", "text", "Portals", "", layer="identity"),
    Entry("target.delayed_ack", "enum", "Delayed ACK", "Of this target; wins over the initiator's when it does not inherit.", values=ON_OFF, takes_effect="new_session"),
    Entry("target.delayed_ack_inherited", "bool", "Delayed ACK inherited", ""),
    Entry("target.login_timeout_seconds", "int", "Login timeout", "", unit="seconds", takes_effect="new_session"),
    Entry("target.login_timeout_inherited", "bool", "Login timeout inherited", ""),
    Entry("target.sessions", "int", "Sessions", "", layer="operational"),
    Entry("target.multipath", "bool", "Multipath sessions", "Sessions were created with multipath enabled."),
    Entry("target.persistent", "bool", "Persistent sessions", "Sessions come back after a restart."),
    Entry("volume.name", "text", "Name", "", layer="identity"),
    Entry("volume.size_bytes", "int", "Size", "", unit="bytes", layer="identity"),
    Entry("volume.paths_total", "int", "Paths", "", layer="operational"),
    Entry("volume.paths_healthy", "int", "Healthy paths", "", layer="operational"),
    Entry("volume.adapters", "int", "Adapters in use", "Adapters that carry a healthy path of it.", layer="operational"),
    Entry("volume.policy", "text", "Path policy", "Load-balance policy or path selection policy."),
    Entry("volume.module", "text", "Multipath module", "DSM or SATP.", layer="identity"),
    Entry("volume.round_robin_iops", "int", "Round robin limit", "", unit="commands"),
    Entry("vswitch.mtu", "int", "L3 MTU", "", unit="bytes"),
    Entry("vswitch.uplinks", "list", "Uplinks", ""),
    Entry("vswitch.type", "text", "Type", "standard, distributed, external, internal, private.", layer="identity"),
    Entry("vswitch.embedded_teaming", "bool", "Embedded teaming (SET)", ""),
    Entry("vswitch.teaming_mode", "text", "Teaming mode", ""),
    Entry("vswitch.load_balancing", "text", "Load balancing", ""),
    Entry("vswitch.allow_management", "bool", "Management vNIC allowed", ""),
    Entry("vswitch.software_rsc", "enum", "Software RSC", "", values=ON_OFF),
    Entry("portgroup.vswitch", "text", "Virtual switch", "", layer="identity"),
    Entry("portgroup.vlan", "int", "VLAN", ""),
    Entry("portgroup.active_uplinks", "list", "Active uplinks", ""),
    Entry("portgroup.standby_uplinks", "list", "Standby uplinks", ""),
    Entry("portgroup.unused_uplinks", "list", "Unused uplinks", ""),
    Entry("team.members", "list", "Members", ""),
    Entry("team.mode", "text", "Teaming mode", ""),
    Entry("team.load_balancing", "text", "Load balancing", ""),
    Entry("team.status", "text", "Status", "", layer="operational"),
    Entry("tcp_template.auto_tuning", "enum", "Auto-tuning", "", values=("disabled", "highlyrestricted", "restricted", "normal", "experimental"), takes_effect="new_session"),
    Entry("tcp_template.delayed_ack_frequency", "int", "Delayed ACK frequency", "1 means every segment is acknowledged at once.", unit="segments", takes_effect="new_session"),
    Entry("tcp_template.delayed_ack_timeout_ms", "int", "Delayed ACK timeout", "", unit="ms", takes_effect="new_session"),
    Entry("tcp_template.congestion_provider", "text", "Congestion provider", ""),
    Entry("tcp_template.ecn", "enum", "ECN", "", values=ON_OFF),
    Entry("tcp_template.min_rto_ms", "int", "Minimum RTO", "", unit="ms"),
    Entry("transport_filter.template", "text", "Template", "", takes_effect="new_session"),
    Entry("transport_filter.covers_iscsi", "bool", "Covers iSCSI", "Port 3260 or a SAN prefix falls under it."),
    Entry("transport_filter.unrestricted", "bool", "Unrestricted", "It moves every connection."),
    Entry("module.parameters", "list", "Driver options", "`name=value`, only those that are set.", takes_effect="reboot"),
    Entry("qos_class.algorithm", "enum", "Algorithm", "", values=("ets", "strict")),
    Entry("qos_class.bandwidth_percent", "int", "Share", "", unit="%"),
    Entry("qos_class.priorities", "list", "Priorities", ""),
    Entry("qos_class.is_default", "bool", "Default class", "Windows' own class, which holds whatever no other class does.", layer="identity"),
    Entry("qos_policy.priority", "int", "Priority", "802.1p value; -1 means not set."),
    Entry("qos_policy.net_direct_port", "int", "SMB Direct port", "Traffic it matches."),
    Entry("qos_policy.template", "text", "Template", ""),
    Entry("qos_policy.owner", "text", "Set by", "", layer="identity"),
    Entry("qos_policy.dscp", "int", "DSCP", ""),
    Entry("qos_policy.min_bandwidth_weight", "int", "Weight", ""),
)

# fmt: on


ENTRIES: tuple[Entry, ...] = _HOST_SETTINGS + _ADAPTER_SETTINGS + _OTHER_SETTINGS
BY_KEY: dict[str, Entry] = {entry.key: entry for entry in ENTRIES}
