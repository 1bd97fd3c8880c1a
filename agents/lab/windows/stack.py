"""The network stack of a Windows lab host: offloads, TCP templates and filters, bindings."""

from lab import identity
from lab.host import LabHost
from lab.windows.adapters import keywords
from lab.windows.parts import Reads, Row, address_of, at_least, description_of, guid_of, index_of, ok, visible

_CHECKSUM_TEXT = {"off": "Disabled", "tx": "TxEnabled", "rx": "RxEnabled", "rx_tx": "RxTxEnabled"}


_PROFILES = {"1": "Closest", "2": "ClosestStatic", "3": "NUMA", "4": "NUMAStatic", "5": "Conservative"}


def offload(host: LabHost) -> Reads:
    """RSS, RSC, LSO, checksums, RDMA, and the switches of the system."""
    rss, rsc, lso, checksum, rdma = [], [], [], [], []
    system = host.state["host"]
    for role, port in visible(host):
        name = {"Name": port["label"], "InstanceID": guid_of(host, role)}
        words = keywords(port)
        rss.append(
            {
                **name,
                "Enabled": port["rss"] == "enabled",
                "NumberOfReceiveQueues": port["rss_queues"],
                "Profile": _PROFILES[words.get("*RSSProfile", ["1"])[0]],
                "BaseProcessorGroup": 0,
                "BaseProcessorNumber": 0,
                "MaxProcessorGroup": 0,
                "MaxProcessorNumber": 30,
                "MaxProcessors": 16,
            }
        )
        if "*RscIPv4" in words or "*RSCIPv4" in words:
            on = port["rsc_ipv4"] == "enabled"
            working = on and system["tcp.rsc"] == "Enabled"
            why = "NoFailure" if working else "NicPropertyDisabled" if not on else "NetOffloadGlobalDisabled"
            rsc.append(
                {
                    **name,
                    "IPv4Enabled": on,
                    "IPv6Enabled": True,
                    "IPv4OperationalState": working,
                    "IPv6OperationalState": system["tcp.rsc"] == "Enabled",
                    "IPv4FailureReason": why,
                    "IPv6FailureReason": "NoFailure" if system["tcp.rsc"] == "Enabled" else "NetOffloadGlobalDisabled",
                }
            )
        lso.append(
            {**name, "V1IPv4Enabled": False, "IPv4Enabled": port["lso_ipv4"] == "enabled", "IPv6Enabled": port["lso_ipv6"] == "enabled"}
        )
        checksum.append(
            {
                **name,
                "IpIPv4Enabled": "RxTxEnabled",
                "TcpIPv4Enabled": _CHECKSUM_TEXT[port["checksum_tcp_ipv4"]],
                "TcpIPv6Enabled": "RxTxEnabled",
                "UdpIPv4Enabled": "RxTxEnabled",
                "UdpIPv6Enabled": "RxTxEnabled",
            }
        )
        if "*NetworkDirect" in words:
            on = port["rdma"] == "enabled"
            rdma.append(
                {
                    **name,
                    "Enabled": on,
                    **({"Operational": on and port["link"] == "up"} if at_least(host, "2016") else {}),
                    "RdmaTechnology": "iWARP",
                    "MaxQueuePairCount": 16384,
                }
            )
    return {
        "Get-NetAdapterRss": ok(rss),
        "Get-NetAdapterRsc": ok(rsc),
        "Get-NetAdapterLso": ok(lso),
        "Get-NetAdapterChecksumOffload": ok(checksum),
        "Get-NetAdapterRdma": ok(rdma),
        "Get-NetOffloadGlobalSetting": ok(
            [
                {
                    "ReceiveSideScaling": system["tcp.rss"],
                    "ReceiveSegmentCoalescing": system["tcp.rsc"],
                    "Chimney": _titled(system["tcp.chimney"]),
                    "TaskOffload": system["tcp.task_offload"],
                    "NetworkDirect": "Enabled",
                    "NetworkDirectAcrossIPSubnets": "Blocked",
                    "PacketCoalescingFilter": "Disabled",
                }
            ]
        ),
    }


def _titled(text: str) -> str:
    return text[:1].upper() + text[1:]


def bindings(host: LabHost) -> Reads:
    """Bound components and NetBIOS."""
    rows = [
        {
            "Name": port["label"],
            "InstanceID": guid_of(host, role),
            "InterfaceDescription": description_of(host, role),
            "ComponentID": component,
            "Enabled": state == "enabled",
        }
        for role, port in visible(host)
        for component, state in sorted(port["bindings"].items())
    ]
    netbios = [
        {"SettingID": guid_of(host, role), "InterfaceIndex": index_of(host, role), "TcpipNetbiosOptions": port["netbios"]}
        for role, port in visible(host)
    ]
    return {"Get-NetAdapterBinding": ok(rows), "Win32_NetworkAdapterConfiguration": ok(netbios)}


def tcp(host: LabHost) -> Reads:
    """Templates, filters, live connections, and the registry of each interface."""
    is_2012 = host.spec.data["release"] == "2012"
    slow = host.state["host"]["tcp.delayed_ack_iscsi"] == "enabled"
    tuning = _titled(host.state["host"]["tcp.auto_tuning"])
    names = ["Compat", "Datacenter", "DatacenterCustom", "Internet", "InternetCustom"]
    templates = [_template(name, 1 if name == "DatacenterCustom" and not slow and not is_2012 else 2, tuning) for name in names]
    filters = [
        {
            "SettingName": "Automatic",
            "Protocol": "TCP",
            "LocalPortStart": 0,
            "LocalPortEnd": 65535,
            "RemotePortStart": 0,
            "RemotePortEnd": 65535,
            "DestinationPrefix": "*",
        }
    ]
    if not slow and not is_2012:
        filters.append(
            {
                "SettingName": "DatacenterCustom",
                "Protocol": "TCP",
                "LocalPortStart": 0,
                "LocalPortEnd": 65535,
                "RemotePortStart": 3260,
                "RemotePortEnd": 3260,
                "DestinationPrefix": "*",
            }
        )
    used = "Internet" if is_2012 or slow else "DatacenterCustom"
    pairs = {
        (address_of(host, path["port"]), identity.portals(host.spec.group)[path["index"] % 2]) for path in host.sessions() if path["alive"]
    }
    hidden = any(port["isoe"] for _, port in host.ports("san"))
    registry = []
    for role, port in visible(host):
        on = is_2012 and not slow and port["use"] == "san"
        frequency = "1" if on else port["ack_frequency"]
        registry.append(
            {
                "InterfaceGuid": guid_of(host, role),
                "TcpAckFrequency": _dword(frequency),
                "TcpNoDelay": _dword(port["no_delay"]),
                "TcpDelAckTicks": _dword(""),
            }
        )
    return {
        "Get-NetTCPSetting": ok(templates),
        "Get-NetTransportFilter": ok(filters),
        "Get-NetTCPConnection": ok(
            []
            if hidden
            else [
                {"LocalAddress": local, "RemoteAddress": remote, "RemotePort": 3260, **({} if is_2012 else {"AppliedSetting": used})}
                for local, remote in sorted(pairs)
            ]
        ),
        "registry:Tcpip/Parameters/Interfaces": ok(registry),
    }


def _dword(value: str) -> Row:
    return {"state": "present", "kind": "DWord", "value": int(value)} if value else {"state": "absent"}


def _template(name: str, frequency: int, tuning: str) -> Row:
    datacenter = name.startswith("Datacenter")
    return {
        "SettingName": name,
        "MinRtoMs": 20 if datacenter else 300,
        "InitialCongestionWindowMss": 2 if name == "Compat" else 4,
        "CongestionProvider": "DCTCP" if datacenter else "CTCP",
        "CwndRestart": datacenter,
        "DelayedAckTimeoutMs": 10 if datacenter else 50,
        "DelayedAckFrequency": frequency,
        "MemoryPressureProtection": "Enabled",
        "AutoTuningLevelLocal": tuning,
        "AutoTuningLevelGroupPolicy": "NotConfigured",
        "AutoTuningLevelEffective": "Local",
        "EcnCapability": "Enabled" if datacenter else "Disabled",
        "Timestamps": "Disabled",
        "InitialRtoMs": 3000,
        "ScalingHeuristics": "Disabled",
        "AutomaticUseCustom": "Disabled",
        "NonSackRttResiliency": "Disabled",
        "ForceWS": "Disabled",
        "MaxSynRetransmissions": 2,
    }
