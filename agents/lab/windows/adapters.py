"""Adapters of a Windows lab host: inventory, teams, advanced properties and what the drivers offer."""

from lab import identity
from lab.display_texts import display
from lab.fleet import cards
from lab.host import LabHost
from lab.initial_state import State
from lab.windows import storage
from lab.windows.common import Reads, Row, address_of, carrier_of, description_of, guid_of, index_of, is_teamed, mac_of, ok, visible

_FLOW = {"off": "0", "tx": "1", "rx": "2", "rx_tx": "3", "auto": "4"}


_NDIS = {"2012": "6.30", "2012r2": "6.40", "2016": "6.60", "2019": "6.82", "2022": "6.85", "2025": "6.89"}
_CHECKSUM = {"off": "0", "tx": "1", "rx": "2", "rx_tx": "3"}


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


def running_mtu(port: State) -> int:
    """The frame size in force: what is configured takes an adapter restart."""
    return int(port.get("running", {}).get("mtu", port["mtu"]))


def adapters(host: LabHost) -> Reads:
    """Inventory, addresses, teams, and offload engines that show as storage controllers."""
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
                "MtuSize": running_mtu(port),
                "DriverFileName": card["driver"]["file"],
                "DriverVersion": port["driver_version"],
                "DriverDate": port["driver_date"],
                "DriverProvider": card["driver"]["provider"],
                "NdisVersion": _NDIS[host.spec.data["release"]],
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
        _, carrier, alias = carrier_of(host, role)
        addresses.append(
            {
                "InterfaceIndex": carrier,
                "InterfaceAlias": alias,
                "IPAddress": address_of(host, role),
                "PrefixLength": 24,
                "AddressFamily": "IPv4",
                "PrefixOrigin": "Manual",
                "SkipAsSource": False,
            }
        )
        if carrier != index:
            # A member of a team and a card below a virtual switch carry no IP of their own.
            continue
        interfaces.append(
            {
                "InterfaceIndex": index,
                "InterfaceAlias": port["label"],
                "AddressFamily": "IPv4",
                "NlMtu": running_mtu(port),
                "Dhcp": "Disabled",
                "ConnectionState": "Connected" if up else "Disconnected",
            }
        )
    for virtual in _virtual(host):
        rows.append(virtual)
        interfaces.append(
            {
                "InterfaceIndex": virtual["InterfaceIndex"],
                "InterfaceAlias": virtual["Name"],
                "AddressFamily": "IPv4",
                "NlMtu": virtual["MtuSize"],
                "Dhcp": "Disabled",
                "ConnectionState": "Connected",
            }
        )
    # A host of which iSCSI offload took every other adapter still has one for its own network.
    lan = next(role for role, port in visible(host) if port["use"] == "lan")
    return {
        "Get-NetAdapter": ok(rows),
        "Get-NetAdapterHardwareInfo": ok(hardware),
        "Get-NetIPAddress": ok(addresses),
        "Get-NetIPInterface": ok(interfaces),
        "Get-NetRoute": ok(
            [
                {
                    "InterfaceIndex": carrier_of(host, lan)[1],
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


def _virtual(host: LabHost) -> list[Row]:
    """The team's interface and the host's port on the virtual switch. Either shows the MAC address of a card below it."""
    found: list[Row] = []
    for role, port in visible(host):
        guid, index, name = carrier_of(host, role)
        if guid == guid_of(host, role) or any(row["InterfaceGuid"] == guid for row in found):
            continue
        mac, teamed = mac_of(host, role), is_teamed(host, role)
        found.append(
            {
                "Name": name,
                "InterfaceDescription": "Microsoft Network Adapter Multiplexor Driver" if teamed else "Hyper-V Virtual Ethernet Adapter",
                "InterfaceGuid": guid,
                "ifIndex": index,
                "InterfaceIndex": index,
                "PermanentAddress": mac.upper(),
                "MacAddress": "-".join(mac[at : at + 2] for at in range(0, 12, 2)).upper(),
                "AdminStatus": "Up",
                "ifOperStatus": "Up",
                "MediaConnectionState": "Connected",
                "Speed": cards()[port["card"]]["speed"],
                "MtuSize": running_mtu(port),
                "DriverFileName": "NdisImPlatform.sys" if teamed else "vmswitch.sys",
                "DriverVersion": host.spec.data["system"]["version"] + ".1",
                "DriverDate": "2006-06-21",
                "DriverProvider": "Microsoft",
                "NdisVersion": _NDIS[host.spec.data["release"]],
                "PnPDeviceID": "COMPOSITEBUS\\MS_IMPLAT_MP\\{1}" if teamed else "ROOT\\VMS_MP\\0000",
                "ComponentID": "COMPOSITEBUS\\MS_IMPLAT_MP" if teamed else "vms_mp",
                "Virtual": True,
                "Hidden": False,
                "HardwareInterface": False,
                "ConnectorPresent": False,
                "VlanID": None,
            }
        )
    return found


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


def properties(host: LabHost) -> Reads:
    """Advanced properties: keyword to value."""
    return {
        "Get-NetAdapterAdvancedProperty": ok(
            [{"InterfaceGuid": guid_of(host, role), "properties": keywords(port)} for role, port in visible(host)]
        )
    }


def property_catalogue(host: LabHost) -> Reads:
    """What each driver offers."""
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
