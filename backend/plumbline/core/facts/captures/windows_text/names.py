"""What a printed heading or label is called by the object: `Install State` and `NlMtu(Bytes)` are labels of a view, not names."""

import re
from collections.abc import Iterable
from functools import cache
from typing import Any

# Names that the readers of `facts/windows/` know (agents/schema/windows-sections.yaml): a label is one of them once its spaces, its unit in
# brackets and its case are gone.
_FIELDS = """
    " Caption Version BuildNumber ProductType OSLanguage OperatingSystemSKU Name Domain PartOfDomain Manufacturer Model InstallState
    Id State InterfaceDescription InterfaceGuid InterfaceIndex InterfaceAlias PermanentAddress MacAddress AdminStatus ifOperStatus
    MediaConnectionState Speed LinkSpeed Status MtuSize DriverFileName DriverVersion DriverDate DriverProvider NdisVersion PnPDeviceID
    ComponentID Virtual Hidden HardwareInterface ConnectorPresent VlanID InstanceID Segment Bus Device Function Slot NumaNode
    IPAddress PrefixLength AddressFamily PrefixOrigin SkipAsSource NlMtu Dhcp ConnectionState DestinationPrefix NextHop RouteMetric
    Members TeamNics TeamingMode LoadBalancingAlgorithm Team AdministrativeMode OperationalStatus FailureReason PNPDeviceID DriverName
    InfName DisplayName DisplayValue RegistryKeyword RegistryValue DisplayParameterType DefaultRegistryValue NumericParameterBaseValue
    NumericParameterMinValue NumericParameterMaxValue NumericParameterStepValue Optional RegistryDataType ValidRegistryValues
    ValidDisplayValues Enabled NumberOfReceiveQueues Profile BaseProcessorGroup BaseProcessorNumber MaxProcessors IPv4Enabled
    IPv6Enabled IPv4OperationalState IPv6OperationalState IPv4FailureReason IPv6FailureReason V1IPv4Enabled IpIPv4Enabled
    TcpIPv4Enabled TcpIPv6Enabled UdpIPv4Enabled UdpIPv6Enabled Operational OperationalState RdmaTechnology RdmaAdapterInfo
    MaxQueuePairCount ReceiveSideScaling ReceiveSegmentCoalescing Chimney TaskOffload NetworkDirect NetworkDirectAcrossIPSubnets
    PacketCoalescingFilter SettingName MinRto InitialCongestionWindow CongestionProvider CwndRestart DelayedAckTimeout
    DelayedAckFrequency MemoryPressureProtection AutoTuningLevelLocal AutoTuningLevelGroupPolicy AutoTuningLevelEffective
    EcnCapability Timestamps InitialRto ScalingHeuristics AutomaticUseCustom NonSackRttResiliency ForceWS MaxSynRetransmissions
    Protocol LocalPortStart LocalPortEnd RemotePortStart RemotePortEnd LocalAddress RemoteAddress RemotePort AppliedSetting
    TcpAckFrequency TcpNoDelay TcpDelAckTicks SettingID TcpipNetbiosOptions StartType InstanceName NodeAddress PortAddress
    ConnectionType IsConnected TargetPortalAddress TargetPortalPortNumber InitiatorPortalAddress InitiatorInstanceName IsHeaderDigest
    IsDataDigest InitiatorNodeAddress TargetNodeAddress IsMultipathEnabled IsPersistent NumberOfConnections Disks InitiatorAddress
    TargetAddress TargetPortNumber PathVerificationState PathVerificationPeriod PDORemovePeriod RetryCount RetryInterval
    UseCustomPathRecoveryTime CustomPathRecoveryTime DiskTimeoutValue Policy iSCSI SAS NumberDrives DriveInfo LoadBalancePolicy
    DSM_Paths Capabilities OperationalTrafficClasses OperationalFlowControl OperationalClassifications Owner NetworkProfile Precedence
    Template NetDirectPortMatchCondition PriorityValue8021Action DSCPAction MinBandwidthWeightAction ThrottleRateAction
    IPPortMatchCondition IPProtocolMatchCondition AppPathNameMatchCondition Algorithm Bandwidth BandwidthPercentage Priority PolicySet
    IfAlias Willing SwitchType EmbeddedTeamingEnabled AllowManagementOS NetAdapterInterfaceDescription NetAdapterInterfaceDescriptions
    BandwidthReservationMode IovEnabled SoftwareRscEnabled SwitchName DeviceId IsManagementOs NetAdapterName ParentAdapter Number
    UniqueId SerialNumber FriendlyName BusType Size IsBoot IsSystem IsClustered Path HealthStatus ResiliencySettingName JobState
    ServerName ClientIpAddress ServerIpAddress ClientInterfaceIndex ClientRdmaCapable ServerRdmaCapable CurrentChannels Selected
"""
# Labels of views that are other words than the name.
_LABELS = {
    "priorityvalue": "PriorityValue8021Action",
    "netdirectport": "NetDirectPortMatchCondition",
    "dscpvalue": "DSCPAction",
    "minbandwidthweight": "MinBandwidthWeightAction",
    "throttlerate": "ThrottleRateAction",
    "apppathname": "AppPathNameMatchCondition",
    "ipprotocol": "IPProtocolMatchCondition",
    "ipport": "IPPortMatchCondition",
    "interfaceoperationalstatus": "ifOperStatus",
    "totalsize": "Size",
    "ifdesc": "InterfaceDescription",
    "ifindex": "InterfaceIndex",
    "clientip": "ClientIpAddress",
    "serverip": "ServerIpAddress",
    "clientrsscapable": "ClientRSSCapable",
    "netadapterinterfacename": "NetAdapterName",
}
_UNIT = re.compile(r"\([A-Za-z%/]*\)$")


@cache
def _known() -> dict[str, str]:
    return {**{name.lower(): name for name in _FIELDS.split()}, **_LABELS}


@cache
def _exact() -> frozenset[str]:
    return frozenset(_FIELDS.split())


@cache
def name_of(label: str) -> str:
    """The property that a label means; a label that is none of the known ones stays as it is."""
    if label.strip() in _exact():
        return label.strip()
    folded = _UNIT.sub("", label.strip())
    return _known().get("".join(sign for sign in folded.lower() if sign.isalnum()), label.strip())


def is_known(label: str) -> bool:
    """Whether a label means a property that the readers know."""
    return name_of(label) in _exact()


def _with_unit(label: str, name: str, value: Any) -> Any:
    """A speed whose unit is in its label, as `LinkSpeed(Gbps) : 10`, with the unit behind it."""
    unit = _UNIT.search(label.strip())
    return f"{value} {unit.group(0)[1:-1]}" if name == "LinkSpeed" and unit and isinstance(value, str) and value.isdigit() else value


def named(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """A row by property names from (label, value). `Format-List *` prints an alias and its property: the property itself counts, then
    the first label that has a value."""
    listed = list(pairs)
    found: dict[str, Any] = {}
    for label, value in listed:
        name = name_of(label)
        value = _with_unit(label, name, value)
        if name not in found or (found[name] is None and value is not None):
            found[name] = value
    found.update((label, value) for label, value in listed if name_of(label) == label and value is not None)
    return found
