"""Settings and the commands that they are read by of which no real output was ever read right. Written, not edited:
`python -m tests.core.facts.write_unproven`, with real outputs beside the repository.
"""

# platform -> command -> settings
UNPROVEN: dict[str, dict[str, tuple[str, ...]]] = {
    "windows": {
        "DSM_QueryLBPolicy_V2": (
            "volume.adapters",
            "volume.paths_healthy",
            "volume.paths_total",
            "volume.policy",
        ),
        "Get-Cluster": (
            "host.cluster",
            "host.is_clustered",
        ),
        "Get-ClusterNode": (
            "host.cluster_node",
            "host.cluster_others_up",
        ),
        "Get-ClusterStorageSpacesDirect": (
            "host.s2d",
        ),
        "Get-Disk": (
            "host.boot_from_san",
            "volume.name",
            "volume.size_bytes",
        ),
        "Get-InitiatorPort": (
            "initiator.mode",
        ),
        "Get-IscsiConnection": (
            "adapter.role",
            "adapter.role_reason",
            "vnic.role",
        ),
        "Get-IscsiSession": (
            "adapter.role",
            "adapter.role_reason",
            "host.san_sessions_spread",
            "initiator.mode",
            "target.address",
            "vnic.role",
            "volume.adapters",
        ),
        "Get-IscsiTargetPortal": (
            "adapter.role",
            "adapter.role_reason",
            "vnic.role",
        ),
        "Get-MSDSMAutomaticClaimSettings": (
            "host.mpio.claims_iscsi",
        ),
        "Get-NetAdapter": (
            "adapter.is_virtual",
            "adapter.pnp_id",
            "adapter.vlan",
        ),
        "Get-NetAdapterAdvancedProperty": (
            "adapter.mtu_maximum",
            "adapter.rdma",
            "adapter.rdma_technology",
            "adapter.receive_buffers_default",
            "adapter.receive_buffers_maximum",
            "adapter.tcp_connection_offload",
            "adapter.transmit_buffers_default",
            "adapter.transmit_buffers_maximum",
        ),
        "Get-NetAdapterLso": (
            "adapter.lso_ipv4",
            "adapter.lso_ipv6",
        ),
        "Get-NetAdapterRdma": (
            "adapter.rdma_technology",
            "adapter.role",
            "adapter.role_reason",
            "vnic.role",
        ),
        "Get-NetIPAddress": (
            "adapter.addresses",
            "adapter.role",
            "adapter.role_reason",
            "vnic.addresses",
            "vnic.role",
        ),
        "Get-NetIPInterface": (
            "adapter.mtu_operational",
            "vnic.mtu",
        ),
        "Get-NetLbfoTeam": (
            "adapter.team",
        ),
        "Get-NetOffloadGlobalSetting": (
            "host.tcp.chimney",
            "host.tcp.rsc",
            "host.tcp.rss",
            "host.tcp.task_offload",
        ),
        "Get-NetRoute": (
            "adapter.role",
            "adapter.role_reason",
            "vnic.role",
        ),
        "Get-NetTCPConnection": (
            "adapter.role",
            "adapter.role_reason",
            "host.tcp.san_template",
            "vnic.role",
        ),
        "Get-NetTCPSetting": (
            "host.tcp.auto_tuning",
            "host.tcp.auto_tuning_from",
            "host.tcp.delayed_ack_iscsi",
        ),
        "Get-NetTransportFilter": (
            "host.tcp.delayed_ack_iscsi",
            "host.tcp.unrestricted_custom_filter",
            "transport_filter.covers_iscsi",
            "transport_filter.template",
            "transport_filter.unrestricted",
        ),
        "Get-Service": (
            "initiator.state",
        ),
        "Get-SmbMultichannelConnection": (
            "adapter.role",
            "adapter.role_reason",
            "vnic.role",
        ),
        "Get-VMNetworkAdapter": (
            "vnic.vswitch",
        ),
        "Get-VMNetworkAdapterTeamMapping": (
            "vnic.team_mapping",
        ),
        "Get-VMSwitch": (
            "adapter.vswitch",
        ),
        "Get-VMSwitchTeam": (
            "vswitch.load_balancing",
            "vswitch.teaming_mode",
        ),
        "Get-WindowsFeature": (
            "host.features",
            "host.mpio.installed",
        ),
        "MPIO_DISK_INFO": (
            "volume.module",
        ),
        "MPIO_GET_DESCRIPTOR": (
            "volume.paths_total",
        ),
        "Win32_ComputerSystem": (
            "host.domain",
            "host.manufacturer",
            "host.model",
            "host.name",
        ),
        "Win32_NetworkAdapterConfiguration": (
            "adapter.netbios",
        ),
        "Win32_OperatingSystem": (
            "host.language",
            "host.os_build",
            "host.os_name",
            "host.os_release",
            "host.os_version",
            "host.platform",
        ),
        "Win32_SCSIController": (
            "adapter.driver",
            "adapter.driver_version",
            "adapter.family",
            "adapter.is_virtual",
            "adapter.name",
            "adapter.pnp_id",
            "adapter.role",
            "adapter.role_reason",
            "initiator.adapter",
            "initiator.driver",
            "initiator.family",
            "initiator.flow_control",
            "initiator.frame_probe",
            "initiator.mode",
            "initiator.mtu",
            "initiator.name",
            "vnic.role",
        ),
        "ping": (
            "adapter.frame_probe",
            "adapter.frame_probe_size",
            "adapter.role",
            "adapter.role_reason",
            "vnic.frame_probe",
            "vnic.role",
        ),
        "registry:CurrentVersion": (
            "host.os_build",
            "host.os_name",
            "host.os_release",
        ),
        "registry:KernelDebugger": (
            "adapter.flow_control_operational",
            "host.kernel_debugger",
        ),
        "registry:MPIO": (
            "host.mpio.disk_timeout_seconds",
            "host.mpio.path_verification",
            "host.mpio.path_verification_seconds",
            "host.mpio.pdo_remove_seconds",
            "host.mpio.retry_count",
            "host.mpio.retry_interval_seconds",
        ),
        "registry:PendingReboot": (
            "host.pending_reboot",
        ),
        "registry:Tcpip/Parameters/Interfaces": (
            "adapter.delayed_ack_registry",
            "adapter.nagle_registry",
            "host.tcp.delayed_ack_iscsi",
        ),
        "registry:Uninstall": (
            "host.hit_kit",
        ),
    },
    "esxi": {
        "esxcfg-vswitch -l": (
            "adapter.mtu",
            "adapter.vswitch",
        ),
        "esxcli hardware pci list": (
            "adapter.pnp_id",
        ),
        "esxcli iscsi adapter get": (
            "initiator.adapter",
        ),
        "esxcli iscsi adapter param get": (
            "initiator.data_digest",
        ),
        "esxcli iscsi ibftboot get": (
            "host.boot_from_san",
        ),
        "esxcli iscsi logicalnetworkportal list": (
            "vnic.binding_compliant",
        ),
        "esxcli iscsi networkportal list": (
            "adapter.role",
            "adapter.role_reason",
            "initiator.adapter",
            "initiator.mtu",
            "vnic.binding_compliant",
            "vnic.role",
        ),
        "esxcli iscsi physicalnetworkportal list": (
            "initiator.adapter",
        ),
        "esxcli iscsi session connection list": (
            "adapter.role",
            "host.san_sessions_spread",
            "vnic.role",
            "volume.adapters",
        ),
        "esxcli network ip route ipv4 list": (
            "adapter.role",
            "adapter.role_reason",
            "vnic.role",
        ),
        "esxcli network nic cso get": (
            "adapter.checksum_offload_rx",
            "adapter.checksum_offload_tx",
        ),
        "esxcli network nic pauseParams list": (
            "initiator.flow_control",
        ),
        "esxcli network nic ring preset get": (
            "adapter.receive_buffers_maximum",
            "adapter.transmit_buffers_maximum",
        ),
        "esxcli network vswitch dvs vmware list": (
            "adapter.mtu",
        ),
        "esxcli network vswitch standard portgroup policy failover get": (
            "portgroup.active_uplinks",
            "portgroup.standby_uplinks",
            "portgroup.unused_uplinks",
            "vnic.binding_compliant",
        ),
        "esxcli software vib list": (
            "host.mem",
        ),
        "esxcli storage core device list": (
            "volume.module",
            "volume.name",
            "volume.size_bytes",
        ),
        "esxcli storage core path list": (
            "volume.adapters",
        ),
        "esxcli system maintenanceMode get": (
            "host.maintenance_mode",
        ),
        "esxcli system module parameters list": (
            "adapter.lro",
        ),
        "esxcli system settings advanced list": (
            "host.net.hw_tso",
            "host.net.hw_tso6",
        ),
        "ethtool -a": (
            "adapter.flow_control",
            "adapter.flow_control_operational",
        ),
        "ethtool -c": (
            "adapter.coalesce_adaptive",
            "adapter.coalesce_rx_us",
            "adapter.coalesce_tx_us",
        ),
        "ethtool -g": (
            "adapter.receive_buffers",
            "adapter.receive_buffers_maximum",
            "adapter.transmit_buffers",
            "adapter.transmit_buffers_maximum",
        ),
        "lspci -n": (
            "adapter.pnp_id",
        ),
        "lspci -p": (
            "adapter.family",
            "adapter.pnp_id",
            "initiator.mode",
        ),
        "nsxdp-cli ens uplink ring get": (
            "adapter.receive_buffers",
            "adapter.transmit_buffers",
        ),
        "vim-cmd hostsvc/hostsummary": (
            "host.pending_reboot",
        ),
        "vmkping": (
            "adapter.frame_probe",
            "adapter.frame_probe_size",
            "initiator.frame_probe",
            "vnic.frame_probe",
        ),
    },
}
