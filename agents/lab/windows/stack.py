"""The network stack of a Windows lab host: offloads, TCP templates and filters, bindings."""

from lab import identity
from lab.host import LabHost
from lab.windows.adapters import keywords
from lab.windows.common import Reads, Row, address_of, at_least, description_of, guid_of, index_of, ok, visible

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
                    **({"OperationalState": on and port["link"] == "up"} if at_least(host, "2025") else {}),
                    "RdmaAdapterInfo": {"MaxRegistrationSize": "18446744073709551615", "RdmaTechnology": 1, "VendorId": 5157},
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
                    "NetworkDirect": system.get("tcp.network_direct", "Enabled"),
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


# Beside these every release has `Automatic`, which has no values of its own.
TEMPLATES = ("Compat", "Datacenter", "DatacenterCustom", "Internet", "InternetCustom")
TEMPLATES_2012 = ("Compat", "Custom", "Datacenter", "Internet")
# Provider of congestion control for connections that are not a data centre's, up to 2016; CUBIC afterwards.
_PROVIDERS = {"2012": "CTCP", "2012r2": "CTCP", "2016": "CTCP"}
_SINCE_2012R2 = ("DelayedAckFrequency", "AutomaticUseCustom", "NonSackRttResiliency", "ForceWS", "MaxSynRetransmissions")


def templates(host: LabHost) -> tuple[str, ...]:
    """The names of the host's templates with values."""
    return TEMPLATES_2012 if host.spec.data["release"] == "2012" else TEMPLATES


_ISCSI_FILTER = "TCP,0-65535,3260-3260,*"


def _has_quick_filter(host: LabHost) -> bool:
    """Set up for immediate acknowledgement of iSCSI from the start, by the mechanism of 2012 R2 and later."""
    return bool(host.state["host"]["tcp.delayed_ack_iscsi"] != "enabled" and host.spec.data["release"] != "2012")


def filters(host: LabHost) -> dict[str, str]:
    """Transport filters of people: tuple to template."""
    found = {_ISCSI_FILTER: "DatacenterCustom"} if _has_quick_filter(host) else {}
    found.update(host.state.setdefault("filters", {}))
    return {one: name for one, name in found.items() if name != "absent"}


def template_of_new(host: LabHost) -> str:
    """The template that a connection to a portal gets when it is made now; those that live keep theirs (`session_template`)."""
    return filters(host).get(_ISCSI_FILTER, "Internet")


def _frequency(host: LabHost, name: str) -> int:
    return 1 if name == "DatacenterCustom" and _has_quick_filter(host) else 2


def template_value(host: LabHost, name: str, field: str) -> str | None:
    """One field of a TCP template; None where the release has none of that name."""
    row = _template(host, name, _frequency(host, name), _titled(host.state["host"]["tcp.auto_tuning"]))
    return str(row[field]) if field in row else None


def _filter(one: str, name: str) -> Row:
    protocol, local, remote, prefix = one.split(",")
    ends = [int(port) for span in (local, remote) for port in span.split("-")]
    return {
        "SettingName": name,
        "Protocol": protocol,
        "LocalPortStart": ends[0],
        "LocalPortEnd": ends[1],
        "RemotePortStart": ends[2],
        "RemotePortEnd": ends[3],
        "DestinationPrefix": prefix,
    }


def tcp(host: LabHost) -> Reads:
    """Templates, filters, live connections, and the registry of each interface."""
    is_2012 = host.spec.data["release"] == "2012"
    slow = host.state["host"]["tcp.delayed_ack_iscsi"] == "enabled"
    tuning = _titled(host.state["host"]["tcp.auto_tuning"])
    rows_of = [_template(host, name, _frequency(host, name), tuning) for name in templates(host)]
    automatic = {field: None for field in rows_of[0] if field not in _SINCE_2012R2[1:]}
    rows = [_filter("TCP,0-65535,0-65535,*", "Automatic")]
    rows += [_filter(one, name) for one, name in filters(host).items()]
    used = host.state.get("session_template") or template_of_new(host)
    pairs = {
        (address_of(host, path["port"]), identity.portals(host.spec.group)[path["index"] % 2]) for path in host.sessions() if path["alive"]
    }
    hidden = any(port["isoe"] for _, port in host.ports("san"))
    registry = []
    for role, port in visible(host):
        on = is_2012 and not slow and port["use"] == "san"
        frequency = port["ack_frequency"] or ("1" if on else "")
        registry.append(
            {
                "InterfaceGuid": guid_of(host, role),
                "TcpAckFrequency": _dword(frequency),
                "TcpNoDelay": _dword(port["no_delay"]),
                "TcpDelAckTicks": _dword(""),
            }
        )
    return {
        "Get-NetTCPSetting": ok([{**automatic, "SettingName": "Automatic"}, *rows_of]),
        "Get-NetTransportFilter": ok(rows),
        "Get-NetTCPConnection": ok(
            []
            if hidden
            else [
                {"LocalAddress": local, "RemoteAddress": remote, "RemotePort": 3260, "AppliedSetting": used}
                for local, remote in sorted(pairs)
            ]
        ),
        "registry:Tcpip/Parameters/Interfaces": ok(registry),
    }


def _dword(value: str) -> Row:
    return {"state": "present", "kind": "DWord", "value": int(value)} if value else {"state": "absent"}


def _template(host: LabHost, name: str, frequency: int, tuning: str) -> Row:
    """One template, at the values that the release prints for it."""
    release = host.spec.data["release"]
    datacenter = name.startswith(("Datacenter", "Custom"))
    is_cubic = at_least(host, "2019")
    if name == "Compat":
        provider, delay = "NewReno" if is_cubic else "Default", 200
    elif datacenter:
        provider, delay = "CUBIC" if is_cubic else "DCTCP", 10
    else:
        provider, delay = _PROVIDERS.get(release, "CUBIC"), 40 if is_cubic else 50
    row = {
        "SettingName": name,
        "MinRto": 20 if datacenter else 300,
        "InitialCongestionWindow": 2 if name == "Compat" else 10 if is_cubic else 4,
        "CongestionProvider": provider,
        "CwndRestart": str(datacenter and not is_cubic),
        "DelayedAckTimeout": delay,
        "DelayedAckFrequency": frequency,
        "MemoryPressureProtection": "Enabled",
        "AutoTuningLevelLocal": tuning,
        "AutoTuningLevelGroupPolicy": "NotConfigured",
        "AutoTuningLevelEffective": "Local",
        "EcnCapability": "Enabled" if datacenter else "Disabled",
        "Timestamps": "Disabled",
        "InitialRto": 3000,
        "ScalingHeuristics": "Disabled",
        "AutomaticUseCustom": "Disabled",
        "NonSackRttResiliency": "Disabled",
        "ForceWS": "Disabled",
        "MaxSynRetransmissions": 2,
        **host.state.setdefault("templates", {}).get(name, {}),
    }
    return {field: held for field, held in row.items() if release != "2012" or field not in _SINCE_2012R2}
