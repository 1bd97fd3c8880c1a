"""What a Windows lab host sends, rendered from its state. Rendered by the lab: no PowerShell ran.

Shapes are those of `agents/schema/windows-sections.yaml`. The JSON is compact, ASCII-escaped and in the order of that file, like the
agent's own writer.
"""

import json
from collections.abc import Callable

from lab import identity
from lab.fleet import cards
from lab.host import LabHost, State
from lab.windows import storage
from lab.windows.parts import (
    Reads,
    Row,
    address_of,
    at_least,
    description_of,
    guid_of,
    has,
    index_of,
    mac_of,
    ok,
    unavailable,
    visible,
)
from lab.words import OS_LANGUAGE, display

_FLOW = {"off": "0", "tx": "1", "rx": "2", "rx_tx": "3", "auto": "4"}
_CHECKSUM = {"off": "0", "tx": "1", "rx": "2", "rx_tx": "3"}
_CHECKSUM_TEXT = {"off": "Disabled", "tx": "TxEnabled", "rx": "RxEnabled", "rx_tx": "RxTxEnabled"}
_PROFILES = {"1": "Closest", "2": "ClosestStatic", "3": "NUMA", "4": "NUMAStatic", "5": "Conservative"}


def sections(host: LabHost) -> dict[str, bytes]:
    """Every section body of a host, by name, in the order of the wire."""
    with host.lock:
        return {name: encode(make(host)) for name, make in _SECTIONS.items()}


def encode(reads: Reads) -> bytes:
    """One section body: compact, ASCII only."""
    return json.dumps(reads, ensure_ascii=True, separators=(",", ":")).encode("ascii")


def keywords(port: State) -> dict[str, list[str]]:
    """Advanced properties of an adapter: the driver's own keywords with the values that the state means."""
    card = cards()[port["card"]]
    values = dict(port["keywords"])
    flag = {"enabled": "1", "disabled": "0"}
    meant = {
        "*JumboPacket": str(int(port["mtu"]) + 14),
        "MaxFrameSize": str(port["mtu"]),
        "*FlowControl": _FLOW[port["flow_control"]],
        "FlowControl": _FLOW[port["flow_control"]],
        "*ReceiveBuffers": str(port["receive_buffers"]),
        "*TransmitBuffers": str(port["transmit_buffers"]),
        "*RSS": flag[port["rss"]],
        "*NumRssQueues": str(port["rss_queues"]),
        "*RscIPv4": flag[port["rsc_ipv4"]],
        "*RSCIPv4": flag[port["rsc_ipv4"]],
        "*LsoV2IPv4": flag[port["lso_ipv4"]],
        "*LsoV2IPv6": flag[port["lso_ipv6"]],
        "*TCPChecksumOffloadIPv4": _CHECKSUM[port["checksum_tcp_ipv4"]],
        "*TCPUDPChecksumOffloadIPv4": _CHECKSUM[port["checksum_tcp_ipv4"]],
        "*TCPConnectionOffloadIPv4": flag[port["tcp_connection_offload"]],
        "*TCPConnectionOffloadIPv6": flag[port["tcp_connection_offload"]],
        "*InterruptModeration": flag[port["interrupt_moderation"]],
        "*NetworkDirect": flag[port["rdma"]],
        "*QOS": flag[port["qos"]],
        "VlanID": str(port["vlan"]),
        "VlanId": str(port["vlan"]),
    }
    values.update({keyword: value for keyword, value in meant.items() if keyword in card["keywords"]})
    return {keyword: [values[keyword]] for keyword in sorted(values, key=str.lower)}


def _system(host: LabHost) -> Reads:
    spec, system, machine = host.spec, host.spec.data["system"], host.spec.data["machine"]
    language = spec.data.get("language", "en")
    release = {"2016": "1607", "2019": "1809", "2022": "2009"}.get(spec.data["release"])
    installed = [
        {"DisplayName": "Dell EqualLogic Host Integration Tools", "DisplayVersion": spec.data["hit_kit"], "Publisher": "Dell Inc."}
    ]
    clustered = bool(spec.cluster)
    others = sorted(name for name in _cluster_nodes(host))
    return {
        "Win32_OperatingSystem": ok(
            [
                {
                    "Caption": system["caption"],
                    "Version": system["version"],
                    "BuildNumber": system["build"],
                    "ProductType": 3,
                    "OSLanguage": OS_LANGUAGE[language],
                    "OperatingSystemSKU": 8,
                }
            ]
        ),
        "Win32_ComputerSystem": ok(
            [
                {
                    "Name": spec.name.upper(),
                    "Domain": "corp.example.com",
                    "PartOfDomain": True,
                    "Manufacturer": machine["manufacturer"],
                    "Model": machine["model"],
                    "NumberOfLogicalProcessors": machine["processors"],
                    "TotalPhysicalMemory": machine["memory"],
                }
            ]
        ),
        "registry:CurrentVersion": ok(
            [
                {
                    "ProductName": system["caption"].removeprefix("Microsoft "),
                    "CurrentBuild": system["build"],
                    "UBR": system["ubr"],
                    "EditionID": "ServerDatacenter",
                    "InstallationType": "Server",
                    **({"ReleaseId": release} if release else {}),
                    **({"DisplayVersion": system["display"]} if system["display"] else {}),
                }
            ]
        ),
        "registry:KernelDebugger": ok([{"DebuggerEnabled": host.state["host"]["kernel_debugger"], "AllowFlowControlUnderDebugger": None}]),
        "registry:PendingReboot": ok(
            [{"ComponentBasedServicing": False, "WindowsUpdate": host.state["host"]["pending_reboot"], "FileRenames": False}]
        ),
        "registry:Uninstall": ok(installed if spec.data["hit_kit"] else []),
        "Get-WindowsFeature": ok(
            [
                {
                    "Name": name,
                    "InstallState": "Installed" if has(host, name) or (name == "Failover-Clustering" and clustered) else "Available",
                }
                for name in ("Data-Center-Bridging", "Failover-Clustering", "FS-FileServer", "Hyper-V", "Multipath-IO")
            ]
        ),
        "Get-Cluster": ok([{"Name": spec.cluster, "Id": identity.guid("cluster", spec.cluster)[1:-1].lower()}])
        if clustered
        else unavailable("the feature Failover-Clustering is not installed"),
        "Get-ClusterNode": ok([{"Name": name.upper(), "State": "Up"} for name in others])
        if clustered
        else unavailable("the feature Failover-Clustering is not installed"),
        "Get-ClusterStorageSpacesDirect": ok([{"State": "Enabled"}] if spec.data.get("s2d") else [{"State": "Disabled"}])
        if clustered and at_least(host, "2016")
        else unavailable("no cmdlet Get-ClusterStorageSpacesDirect"),
        "WSMan:Listener": ok(
            [
                {
                    "Transport": "HTTPS",
                    "Port": 5986,
                    "CertificateSha256": identity.digest("winrm", spec.name),
                    "NotAfter": "2030-01-01T00:00:00Z",
                }
            ]
        ),
        "PowerShell": ok([{"PSVersion": system["powershell"], "CLRVersion": "4.0.30319", "Is64Bit": True}]),
    }


def _cluster_nodes(host: LabHost) -> list[str]:
    from lab.fleet import load

    return [spec.name for spec in load() if spec.cluster == host.spec.cluster and spec.platform == "windows"] if host.spec.cluster else []


def _adapters(host: LabHost) -> Reads:
    rows, hardware, addresses, interfaces = [], [], [], []
    for role, port in visible(host):
        card = cards()[port["card"]]
        mac, up, index = mac_of(host, role), port["link"] == "up", index_of(host, role)
        pci = card["pci"]
        rows.append(
            {
                "Name": port["label"],
                "InterfaceDescription": description_of(host, role),
                "InterfaceGuid": guid_of(host, role),
                "ifIndex": index,
                "InterfaceIndex": index,
                "PermanentAddress": mac.upper(),
                "MacAddress": "-".join(mac[at : at + 2] for at in range(0, 12, 2)).upper(),
                "AdminStatus": "Up",
                "ifOperStatus": "Up" if up else "Down",
                "MediaConnectionState": "Connected" if up else "Disconnected",
                # Without link Windows answers 2^64 - 1, which travels as text.
                "Speed": card["speed"] if up else "18446744073709551615",
                "MtuSize": port["mtu"],
                "DriverFileName": card["driver"]["file"],
                "DriverVersion": port["driver_version"],
                "DriverDate": port["driver_date"],
                "DriverProvider": card["driver"]["provider"],
                "NdisVersion": {"2012": "6.30", "2012r2": "6.40", "2016": "6.60", "2019": "6.82", "2022": "6.85"}[
                    host.spec.data["release"]
                ],
                "PnPDeviceID": str(card["pnp"]).replace("{n}", str(port["nth"])),
                "ComponentID": card["component"],
                "Virtual": False,
                "Hidden": False,
                "HardwareInterface": True,
                "ConnectorPresent": True,
                "VlanID": port["vlan"],
            }
        )
        hardware.append(
            {
                "Name": port["label"],
                "InstanceID": guid_of(host, role),
                "Segment": 0,
                "Bus": pci[0],
                "Device": pci[1],
                "Function": port["nth"] - 1,
                "Slot": pci[0],
                "NumaNode": 0,
                "PciExpressCurrentLinkWidth": 8,
            }
        )
        addresses.append(
            {
                "InterfaceIndex": index,
                "InterfaceAlias": port["label"],
                "IPAddress": address_of(host, role),
                "PrefixLength": 24,
                "AddressFamily": "IPv4",
                "PrefixOrigin": "Manual",
                "SkipAsSource": False,
            }
        )
        interfaces.append(
            {
                "InterfaceIndex": index,
                "InterfaceAlias": port["label"],
                "AddressFamily": "IPv4",
                "NlMtu": port["mtu"],
                "Dhcp": "Disabled",
                "ConnectionState": "Connected" if up else "Disconnected",
            }
        )
    lan = next(role for role, port in visible(host) if port["use"] == "lan")
    return {
        "Get-NetAdapter": ok(rows),
        "Get-NetAdapterHardwareInfo": ok(hardware),
        "Get-NetIPAddress": ok(addresses),
        "Get-NetIPInterface": ok(interfaces),
        "Get-NetRoute": ok(
            [
                {
                    "InterfaceIndex": index_of(host, lan),
                    "DestinationPrefix": "0.0.0.0/0",
                    "NextHop": identity.gateway(host.spec.group),
                    "RouteMetric": 256,
                }
            ]
        ),
        **_teams(host),
        "Win32_SCSIController": ok(
            [
                {
                    "Name": f"Broadcom BCM57810 NetXtreme II 10 GigE iSCSI Offload #{port['nth']}",
                    "PNPDeviceID": storage.offload_instance(port),
                    "DriverName": "bxois",
                    "Manufacturer": "Broadcom Corporation",
                    "DriverVersion": "7.4.3.0",
                    "InfName": "oem12.inf",
                }
                for _, port in host.ports("san")
                if port["isoe"]
            ]
        ),
    }


def _teams(host: LabHost) -> Reads:
    team = host.spec.data.get("team")
    if not team:
        return {"Get-NetLbfoTeam": ok([]), "Get-NetLbfoTeamMember": ok([])}
    labels = [host.state["ports"][role]["label"] for role in team["members"]]
    return {
        "Get-NetLbfoTeam": ok(
            [
                {
                    "Name": team["name"],
                    "Members": labels,
                    "TeamNics": [team["name"]],
                    "TeamingMode": "SwitchIndependent",
                    "LoadBalancingAlgorithm": "TransportPorts",
                    "Status": "Up",
                }
            ]
        ),
        "Get-NetLbfoTeamMember": ok(
            [
                {
                    "Name": host.state["ports"][role]["label"],
                    "InterfaceDescription": description_of(host, role),
                    "Team": team["name"],
                    "AdministrativeMode": "Active",
                    "OperationalStatus": "Active",
                    "FailureReason": "NoFailure",
                }
                for role in team["members"]
            ]
        ),
    }


def _properties(host: LabHost) -> Reads:
    return {
        "Get-NetAdapterAdvancedProperty": ok(
            [{"InterfaceGuid": guid_of(host, role), "properties": keywords(port)} for role, port in visible(host)]
        )
    }


def _property_catalogue(host: LabHost) -> Reads:
    language = host.spec.data.get("language", "en")
    rows: dict[tuple[str, str], Row] = {}
    for _, port in visible(host):
        card = cards()[port["card"]]
        key = (card["component"], port["driver_version"])
        rows[key] = {
            "ComponentID": key[0],
            "DriverVersion": key[1],
            "keywords": {
                word: _catalogue_row(row, language) for word, row in sorted(card["keywords"].items(), key=lambda item: item[0].lower())
            },
        }
    return {"Get-NetAdapterAdvancedProperty": ok([rows[key] for key in sorted(rows)])}


def _catalogue_row(row: Row, language: str) -> Row:
    low, high, step = row.get("range", (None, None, None))
    values = row.get("values", {})
    return {
        "DisplayName": display(row["name"], language),
        "DisplayParameterType": 5 if values else 4 if high is not None else 6,
        "DefaultRegistryValue": row["default"],
        "NumericParameterBaseValue": None if high is None else 10,
        "NumericParameterMinValue": low,
        "NumericParameterMaxValue": high,
        "NumericParameterStepValue": step,
        "Optional": False,
        "RegistryDataType": 1,
        "ValidRegistryValues": list(values),
        "ValidDisplayValues": [display(text, language) for text in values.values()],
    }


def _offload(host: LabHost) -> Reads:
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


def _bindings(host: LabHost) -> Reads:
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


def _tcp(host: LabHost) -> Reads:
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


def _qos(host: LabHost) -> Reads:
    if not has(host, "Data-Center-Bridging"):
        gone = unavailable("the feature Data-Center-Bridging is not installed")
        return {
            "Get-NetAdapterQos": ok([]),
            "Get-NetQosPolicy": ok([]),
            "Get-NetQosTrafficClass": gone,
            "Get-NetQosFlowControl": gone,
            "Get-NetQosDcbxSetting": gone,
        }
    classes, policies = host.state["qos_class"], host.state["qos_policy"]
    default = 100 - sum(item["bandwidth_percent"] for item in classes.values())
    adapters = []
    for role, port in host.ports("s2d"):
        on = port["qos"] == "enabled"
        operational = [
            {"Bandwidth": default, "Priorities": "0-4,6-7", "TC": 0, "TSA": "ETS"},
            *(
                {
                    "Bandwidth": item["bandwidth_percent"],
                    "Priorities": ",".join(str(p) for p in item["priorities"]),
                    "TC": at,
                    "TSA": item["algorithm"],
                }
                for at, item in enumerate(classes.values(), start=1)
            ),
        ]
        adapters.append(
            {
                "Name": port["label"],
                "InstanceID": guid_of(host, role),
                "Enabled": on,
                "Capabilities": {"DcbxSupport": "None", "MacSecBypass": "NotSupported", "NumTCsETS": 8, "NumTCsMax": 8, "NumTCsPFC": 8},
                "OperationalTrafficClasses": operational if on else [],
                "OperationalFlowControl": "All Priorities Disabled",
                "OperationalClassifications": [
                    {"PortOrType": item["net_direct_port"], "Priority": item["priority"], "Protocol": "NetDirect"}
                    for item in policies.values()
                ]
                if on
                else [],
            }
        )
    return {
        "Get-NetAdapterQos": ok(adapters),
        "Get-NetQosPolicy": ok(
            [
                {
                    "Name": name,
                    "Owner": "PowerShell / WMI",
                    "NetworkProfile": "All",
                    "Precedence": 127,
                    "Template": "None",
                    "NetDirectPortMatchCondition": item["net_direct_port"],
                    "PriorityValue8021Action": item["priority"],
                    "DSCPAction": -1,
                    "MinBandwidthWeightAction": 0,
                    "ThrottleRateAction": 0,
                    "IPPortMatchCondition": 0,
                    "IPProtocolMatchCondition": "None",
                    "AppPathNameMatchCondition": None,
                }
                for name, item in sorted(policies.items())
            ]
        ),
        "Get-NetQosTrafficClass": ok(
            [
                {
                    "Name": "[Default]",
                    "Algorithm": "ETS",
                    "Bandwidth": default,
                    "Priority": ["0", "1", "2", "3", "4", "6", "7"],
                    "PolicySet": "Global",
                },
                *(
                    {
                        "Name": name,
                        "Algorithm": item["algorithm"],
                        "Bandwidth": item["bandwidth_percent"],
                        "Priority": [str(p) for p in item["priorities"]],
                        "PolicySet": "Global",
                    }
                    for name, item in sorted(classes.items())
                ),
            ]
        ),
        "Get-NetQosFlowControl": ok(
            [{"Priority": number, "Enabled": False, "PolicySet": "Global", "IfAlias": None} for number in range(8)]
        ),
        "Get-NetQosDcbxSetting": ok([{"Willing": False, "PolicySet": "Global", "IfAlias": None}]),
    }


def _vswitch(host: LabHost) -> Reads:
    if not has(host, "Hyper-V"):
        gone = unavailable("the feature Hyper-V is not installed")
        return dict.fromkeys(("Get-VMSwitch", "Get-VMSwitchTeam", "Get-VMNetworkAdapter", "Get-VMNetworkAdapterTeamMapping"), gone)
    role = next(role for role, port in visible(host) if port["use"] == "lan")
    return {
        "Get-VMSwitch": ok(
            [
                {
                    "Name": "vm-lan",
                    "Id": identity.guid(host.spec.name, "vm-lan")[1:-1].lower(),
                    "SwitchType": "External",
                    "EmbeddedTeamingEnabled": False,
                    "AllowManagementOS": True,
                    "NetAdapterInterfaceDescriptions": [description_of(host, role)],
                    "BandwidthReservationMode": "Absolute",
                    "IovEnabled": False,
                }
            ]
        ),
        "Get-VMSwitchTeam": ok([]),
        "Get-VMNetworkAdapter": ok([]),
        "Get-VMNetworkAdapterTeamMapping": ok([]),
    }


_SECTIONS: dict[str, Callable[[LabHost], Reads]] = {
    "system": _system,
    "adapters": _adapters,
    "properties": _properties,
    "property_catalogue": _property_catalogue,
    "offload": _offload,
    "tcp": _tcp,
    "bindings": _bindings,
    "iscsi": storage.iscsi,
    "mpio": storage.mpio,
    "qos": _qos,
    "vswitch": _vswitch,
    "storage": storage.storage,
    "probes": storage.probes,
}
