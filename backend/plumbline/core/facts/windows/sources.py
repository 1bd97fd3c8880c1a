"""Where each setting is read on Windows: section, command, property, and the releases where that differs."""

from plumbline.core.facts.catalogue import SettingSource

_PROPERTY = "Get-NetAdapterAdvancedProperty"


def _of(section: str, command: str, field: str, versions: str = "") -> SettingSource:
    return SettingSource("windows", section, command, field, versions)


def _keyword(field: str) -> SettingSource:
    return _of("properties", _PROPERTY, field)


def _typed(command: str, field: str, *keywords: str) -> tuple[SettingSource, ...]:
    """The typed cmdlet, and the driver's keyword where the cmdlet has no row for the adapter."""
    return (_of("offload", command, field), *(_keyword(keyword) for keyword in keywords))


def _one(section: str, command: str, *settings: tuple[str, str]) -> dict[str, tuple[SettingSource, ...]]:
    return {key: (_of(section, command, field),) for key, field in settings}


_SINCE_2012R2 = "2012 R2 and later"
_SINCE_2016 = "2016 and later"

_SOURCE_OF_SESSION = tuple(_of("iscsi", "Get-IscsiSession", field) for field in ("LocalAddress", "InitiatorPortalAddress"))
_INSTANCE = (_of("iscsi", "Get-InitiatorPort", "InstanceName"), _of("iscsi", "Get-IscsiSession", "InitiatorInstanceName"))

SOURCES: dict[str, tuple[SettingSource, ...]] = {
    # system
    **_one(
        "system",
        "Win32_OperatingSystem",
        ("host.platform", "Caption"),
        ("host.os_version", "Version"),
        ("host.language", "OSLanguage"),
    ),
    **{
        key: (_of("system", "Win32_OperatingSystem", "BuildNumber"), _of("system", "registry:CurrentVersion", "CurrentBuild"))
        for key in ("host.os_build", "host.os_release", "host.os_name")
    },
    **_one(
        "system",
        "Win32_ComputerSystem",
        ("host.name", "Name"),
        ("host.domain", "Domain"),
        ("host.manufacturer", "Manufacturer"),
        ("host.model", "Model"),
    ),
    **_one("system", "Get-Cluster", ("host.cluster", "Name"), ("host.is_clustered", "Name")),
    **_one("system", "Get-ClusterNode", ("host.cluster_node", "State"), ("host.cluster_others_up", "State")),
    "host.s2d": (_of("system", "Get-ClusterStorageSpacesDirect", "State", _SINCE_2016),),
    "host.kernel_debugger": (_of("system", "registry:KernelDebugger", "DebuggerEnabled"),),
    "host.pending_reboot": (_of("system", "registry:PendingReboot", "ComponentBasedServicing, WindowsUpdate, FileRenames"),),
    "host.features": (_of("system", "Get-WindowsFeature", "InstallState"),),
    "host.hit_kit": (_of("system", "registry:Uninstall", "DisplayVersion"),),
    "host.boot_from_san": (_of("storage", "Get-Disk", "IsBoot"),),
    "host.storage_jobs": (_of("storage", "Get-StorageJob", "JobState"),),
    # adapters
    **_one(
        "adapters",
        "Get-NetAdapter",
        ("adapter.description", "InterfaceDescription"),
        ("adapter.mac", "PermanentAddress"),
        ("adapter.interface_guid", "InterfaceGuid"),
        ("adapter.driver_date", "DriverDate"),
        ("adapter.admin_up", "AdminStatus"),
        ("adapter.link_up", "ifOperStatus"),
        ("adapter.link_speed_bps", "Speed"),
        ("vnic.name", "Name"),
        ("vnic.enabled", "AdminStatus"),
    ),
    **{
        f"adapter.{key}": (_of("adapters", "Get-NetAdapter", field), _of("adapters", "Win32_SCSIController", hidden, "iSOE"))
        for key, field, hidden in (
            ("name", "Name", "Name"),
            ("pnp_id", "PnPDeviceID", "PNPDeviceID"),
            ("family", "PnPDeviceID", "PNPDeviceID"),
            ("driver", "DriverFileName", "DriverName"),
            ("driver_version", "DriverVersion", "DriverVersion"),
            ("is_virtual", "Virtual", "PNPDeviceID"),
        )
    },
    "adapter.pci": (_of("adapters", "Get-NetAdapterHardwareInfo", "Bus"),),
    "adapter.numa_node": (_of("adapters", "Get-NetAdapterHardwareInfo", "NumaNode"), _keyword("*NumaNodeId")),
    "adapter.addresses": (_of("adapters", "Get-NetIPAddress", "IPAddress"),),
    "vnic.addresses": (_of("adapters", "Get-NetIPAddress", "IPAddress"),),
    "adapter.mtu_operational": (_of("adapters", "Get-NetIPInterface", "NlMtu"),),
    "vnic.mtu": (_of("adapters", "Get-NetIPInterface", "NlMtu"),),
    "adapter.team": (_of("adapters", "Get-NetLbfoTeamMember", "Team"), _of("adapters", "Get-NetLbfoTeam", "Members")),
    **_one(
        "adapters",
        "Get-NetLbfoTeam",
        ("team.members", "Members"),
        ("team.mode", "TeamingMode"),
        ("team.load_balancing", "LoadBalancingAlgorithm"),
        ("team.status", "Status"),
    ),
    # properties and property_catalogue
    "adapter.mtu": (_keyword("*JumboPacket"), _keyword("MaxFrameSize")),
    "adapter.mtu_maximum": (_of("property_catalogue", _PROPERTY, "*JumboPacket"),),
    "adapter.flow_control": (_keyword("*FlowControl"),),
    "adapter.flow_control_operational": (_of("system", "registry:KernelDebugger", "DebuggerEnabled"),),
    "adapter.pause_supported": (_keyword("*FlowControl"),),
    "adapter.receive_buffers": (_keyword("*ReceiveBuffers"), _keyword("ReceiveBuffers")),
    "adapter.receive_buffers_maximum": (_of("property_catalogue", _PROPERTY, "*ReceiveBuffers"),),
    "adapter.receive_buffers_default": (_of("property_catalogue", _PROPERTY, "*ReceiveBuffers"),),
    "adapter.transmit_buffers": (_keyword("*TransmitBuffers"), _keyword("TransmitBuffers")),
    "adapter.transmit_buffers_maximum": (_of("property_catalogue", _PROPERTY, "*TransmitBuffers"),),
    "adapter.transmit_buffers_default": (_of("property_catalogue", _PROPERTY, "*TransmitBuffers"),),
    "adapter.interrupt_moderation": (_keyword("*InterruptModeration"),),
    "adapter.tcp_connection_offload": (_keyword("*TCPConnectionOffloadIPv4"), _keyword("*TCPConnectionOffloadIPv6")),
    "adapter.vlan": (_of("adapters", "Get-NetAdapter", "VlanID"), _keyword("VlanId")),
    # offload
    "adapter.rss": _typed("Get-NetAdapterRss", "Enabled", "*RSS"),
    "adapter.rss_queues": _typed("Get-NetAdapterRss", "NumberOfReceiveQueues", "*NumRssQueues"),
    "adapter.rss_profile": _typed("Get-NetAdapterRss", "Profile", "*RSSProfile"),
    "adapter.rsc_ipv4": _typed("Get-NetAdapterRsc", "IPv4Enabled", "*RscIPv4"),
    "adapter.rsc_ipv4_operational": _typed("Get-NetAdapterRsc", "IPv4OperationalState"),
    "adapter.rsc_ipv4_failure_reason": _typed("Get-NetAdapterRsc", "IPv4FailureReason"),
    "adapter.rsc_ipv6": _typed("Get-NetAdapterRsc", "IPv6Enabled", "*RscIPv6"),
    "adapter.rsc_ipv6_operational": _typed("Get-NetAdapterRsc", "IPv6OperationalState"),
    "adapter.lso_ipv4": (
        *_typed("Get-NetAdapterLso", "IPv4Enabled", "*LsoV2IPv4", "*LsoV1IPv4"),
        _of("offload", "Get-NetAdapterLso", "V1IPv4Enabled"),
    ),
    "adapter.lso_ipv6": _typed("Get-NetAdapterLso", "IPv6Enabled", "*LsoV2IPv6"),
    "adapter.checksum_ip_ipv4": _typed("Get-NetAdapterChecksumOffload", "IpIPv4Enabled", "*IPChecksumOffloadIPv4"),
    **{
        f"adapter.checksum_{protocol}_ipv{version}": _typed(
            "Get-NetAdapterChecksumOffload",
            f"{protocol.capitalize()}IPv{version}Enabled",
            f"*{protocol.upper()}ChecksumOffloadIPv{version}",
            f"*TCPUDPChecksumOffloadIPv{version}",
        )
        for protocol in ("tcp", "udp")
        for version in (4, 6)
    },
    "adapter.rdma": _typed("Get-NetAdapterRdma", "Enabled", "*NetworkDirect"),
    "adapter.rdma_operational": (
        _of("offload", "Get-NetAdapterRdma", "OperationalState", "23H2 and later"),
        _of("storage", "Get-SmbMultichannelConnection", "ClientRdmaCapable", "where the adapter does not show it"),
    ),
    "adapter.rdma_technology": _typed("Get-NetAdapterRdma", "RdmaAdapterInfo", "*NetworkDirectTechnology"),
    "vnic.rdma": _typed("Get-NetAdapterRdma", "Enabled"),
    **_one(
        "offload",
        "Get-NetOffloadGlobalSetting",
        ("host.tcp.rss", "ReceiveSideScaling"),
        ("host.tcp.rsc", "ReceiveSegmentCoalescing"),
        ("host.tcp.task_offload", "TaskOffload"),
        ("host.tcp.network_direct", "NetworkDirect"),
    ),
    "host.tcp.chimney": (_of("offload", "Get-NetOffloadGlobalSetting", "Chimney", "2012 and 2012 R2"),),
    # tcp
    "host.tcp.auto_tuning": (_of("tcp", "Get-NetTCPSetting", "AutoTuningLevelLocal, AutoTuningLevelGroupPolicy, ScalingHeuristics"),),
    "host.tcp.auto_tuning_from": (_of("tcp", "Get-NetTCPSetting", "AutoTuningLevelEffective"),),
    "host.tcp.delayed_ack_iscsi": (
        _of("tcp", "registry:Tcpip/Parameters/Interfaces", "TcpAckFrequency", "2012"),
        _of("tcp", "Get-NetTransportFilter", "SettingName", _SINCE_2012R2),
        _of("tcp", "Get-NetTCPSetting", "DelayedAckFrequency", _SINCE_2012R2),
    ),
    "host.tcp.san_template": (_of("tcp", "Get-NetTCPConnection", "AppliedSetting", _SINCE_2012R2),),
    "host.tcp.unrestricted_custom_filter": (_of("tcp", "Get-NetTransportFilter", "SettingName"),),
    "adapter.delayed_ack_registry": (_of("tcp", "registry:Tcpip/Parameters/Interfaces", "TcpAckFrequency"),),
    "adapter.nagle_registry": (_of("tcp", "registry:Tcpip/Parameters/Interfaces", "TcpNoDelay"),),
    **_one(
        "tcp",
        "Get-NetTCPSetting",
        ("tcp_template.auto_tuning", "AutoTuningLevelLocal, AutoTuningLevelGroupPolicy"),
        ("tcp_template.delayed_ack_frequency", "DelayedAckFrequency"),
        ("tcp_template.delayed_ack_timeout_ms", "DelayedAckTimeout"),
        ("tcp_template.congestion_provider", "CongestionProvider"),
        ("tcp_template.ecn", "EcnCapability"),
        ("tcp_template.min_rto_ms", "MinRto"),
    ),
    **_one(
        "tcp",
        "Get-NetTransportFilter",
        ("transport_filter.template", "SettingName"),
        ("transport_filter.covers_iscsi", "RemotePortStart"),
        ("transport_filter.unrestricted", "RemotePortStart"),
    ),
    # bindings
    "adapter.bindings": (_of("bindings", "Get-NetAdapterBinding", "ComponentID"),),
    "adapter.netbios": (_of("bindings", "Win32_NetworkAdapterConfiguration", "TcpipNetbiosOptions"),),
    # iscsi
    "initiator.name": (*_INSTANCE, _of("adapters", "Win32_SCSIController", "Name")),
    "initiator.driver": (*_INSTANCE, _of("adapters", "Win32_SCSIController", "DriverName")),
    "initiator.mode": (*_INSTANCE, _of("adapters", "Win32_SCSIController", "PNPDeviceID")),
    "initiator.state": (_of("iscsi", "Get-Service", "Status"),),
    "initiator.adapter": (_of("adapters", "Win32_SCSIController", "PNPDeviceID"),),
    "initiator.family": (_of("adapters", "Win32_SCSIController", "PNPDeviceID"),),
    **_one("adapters", "Win32_SCSIController", *((f"initiator.{key}", "PNPDeviceID") for key in ("mtu", "flow_control", "frame_probe"))),
    **_one(
        "iscsi",
        "Get-IscsiSession",
        ("initiator.header_digest", "IsHeaderDigest"),
        ("initiator.data_digest", "IsDataDigest"),
        ("target.address", "TargetPortalAddress"),
        ("target.sessions", "IsConnected"),
        ("target.multipath", "TargetNodeAddress"),
        ("target.persistent", "IsPersistent"),
    ),
    "host.san_sessions_spread": _SOURCE_OF_SESSION,
    # roles: each from whatever names the interface
    **{
        key: (
            *_SOURCE_OF_SESSION,
            _of("tcp", "Get-NetTCPConnection", "LocalAddress"),
            _of("iscsi", "Get-IscsiConnection", "LocalAddress"),
            _of("iscsi", "Get-IscsiTargetPortal", "TargetPortalAddress"),
            _of("probes", "ping", "source"),
            _of("storage", "Get-SmbMultichannelConnection", "ClientIpAddress", _SINCE_2016),
            _of("offload", "Get-NetAdapterRdma", "Enabled", _SINCE_2016),
            _of("adapters", "Get-NetRoute", "DestinationPrefix"),
            _of("adapters", "Get-NetIPAddress", "IPAddress"),
            _of("adapters", "Win32_SCSIController", "PNPDeviceID"),
        )
        for key in ("adapter.role", "adapter.role_reason", "vnic.role")
    },
    **_one("adapters", "Get-NetRoute", ("adapter.management", "DestinationPrefix"), ("vnic.management", "DestinationPrefix")),
    # mpio
    "host.mpio.installed": (_of("system", "Get-WindowsFeature", "InstallState"), _of("mpio", "Get-MPIOSetting", "PathVerificationState")),
    "host.mpio.policy": (_of("mpio", "Get-MSDSMGlobalDefaultLoadBalancePolicy", "Policy"),),
    "host.mpio.claims_iscsi": (_of("mpio", "Get-MSDSMAutomaticClaimSettings", "iSCSI"),),
    **{
        f"host.mpio.{key}": (_of("mpio", "Get-MPIOSetting", field), _of("mpio", "registry:MPIO", held, "2012 R2"))
        for key, field, held in (
            ("path_verification", "PathVerificationState", "PathVerifyEnabled"),
            ("path_verification_seconds", "PathVerificationPeriod", "PathVerificationPeriod"),
            ("pdo_remove_seconds", "PDORemovePeriod", "PDORemovePeriod"),
            ("retry_count", "RetryCount", "RetryCount"),
            ("retry_interval_seconds", "RetryInterval", "RetryInterval"),
            ("disk_timeout_seconds", "DiskTimeoutValue", "TimeOutValue"),
        )
    },
    # volumes
    "volume.name": (_of("storage", "Get-Disk", "FriendlyName"),),
    "volume.size_bytes": (_of("storage", "Get-Disk", "Size"),),
    "volume.paths_total": (_of("mpio", "DSM_QueryLBPolicy_V2", "DSM_Paths"), _of("mpio", "MPIO_GET_DESCRIPTOR", "NumberPdos")),
    "volume.paths_healthy": (_of("mpio", "DSM_QueryLBPolicy_V2", "DSM_Paths"),),
    "volume.adapters": (
        *_SOURCE_OF_SESSION,
        _of("mpio", "DSM_QueryLBPolicy_V2", "DSM_Paths"),
    ),
    "volume.policy": (_of("mpio", "DSM_QueryLBPolicy_V2", "LoadBalancePolicy"), _of("mpio", "mpclaim", "LB Policy")),
    "volume.module": (_of("mpio", "MPIO_DISK_INFO", "DsmName"), _of("mpio", "mpclaim", "DSM Name")),
    # qos
    "adapter.qos": (_of("qos", "Get-NetAdapterQos", "Enabled"), _keyword("*QOS")),
    "adapter.qos_operational_classes": (_of("qos", "Get-NetAdapterQos", "OperationalSettings"),),
    "adapter.qos_operational_flow_control": (_of("qos", "Get-NetAdapterQos", "OperationalSettings"),),
    "adapter.dcbx_remote_classes": (_of("qos", "Get-NetAdapterQos", "RemoteSettings"),),
    "adapter.dcbx_remote_flow_control": (_of("qos", "Get-NetAdapterQos", "RemoteSettings"),),
    "host.qos.pfc_priorities": (_of("qos", "Get-NetQosFlowControl", "Enabled"),),
    "host.qos.dcbx_willing": (_of("qos", "Get-NetQosDcbxSetting", "Willing"),),
    **_one(
        "qos",
        "Get-NetQosTrafficClass",
        ("qos_class.is_default", "Name"),
        ("qos_class.algorithm", "Algorithm"),
        ("qos_class.bandwidth_percent", "BandwidthPercentage"),
        ("qos_class.priorities", "Priority"),
    ),
    **_one(
        "qos",
        "Get-NetQosPolicy",
        ("qos_policy.priority", "PriorityValue8021Action"),
        ("qos_policy.net_direct_port", "NetDirectPortMatchCondition"),
        ("qos_policy.template", "Template"),
        ("qos_policy.owner", "Owner"),
        ("qos_policy.dscp", "DSCPAction"),
        ("qos_policy.min_bandwidth_weight", "MinBandwidthWeightAction"),
    ),
    # vswitch
    **_one(
        "vswitch",
        "Get-VMSwitch",
        ("adapter.vswitch", "NetAdapterInterfaceDescriptions"),
        ("vswitch.uplinks", "NetAdapterInterfaceDescriptions"),
        ("vswitch.type", "SwitchType"),
        ("vswitch.embedded_teaming", "EmbeddedTeamingEnabled"),
        ("vswitch.allow_management", "AllowManagementOS"),
        ("vswitch.software_rsc", "SoftwareRscEnabled"),
    ),
    **_one("vswitch", "Get-VMSwitchTeam", ("vswitch.teaming_mode", "TeamingMode"), ("vswitch.load_balancing", "LoadBalancingAlgorithm")),
    "vnic.vswitch": (_of("vswitch", "Get-VMNetworkAdapter", "SwitchName"),),
    "vnic.team_mapping": (_of("vswitch", "Get-VMNetworkAdapterTeamMapping", "NetAdapterName"),),
    # probes
    "adapter.frame_probe": (_of("probes", "ping", "outcome"),),
    "adapter.frame_probe_size": (_of("probes", "ping", "size"),),
    "vnic.frame_probe": (_of("probes", "ping", "outcome"),),
}
