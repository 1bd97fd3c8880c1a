"""What the commands of an ESXi lab host answer, rendered from its state in the forms of its release."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lab import identity
from lab.esxi import iscsi
from lab.esxi.parts import (
    Answers,
    driver_of,
    flag,
    is_at_least,
    mac_of,
    mtu_of,
    onoff,
    pause,
    pci_of,
    uplinks_down,
)
from lab.esxi.shapes import no_such_command, records, single, table, text, value
from lab.fleet import cards
from lab.host import LabHost


def answers(host: LabHost) -> Answers:
    """Every command that the host answers, by command line without the formatter."""
    with host.lock:
        found: Answers = {}
        for part in _PARTS:
            found.update(part(host))
        # Gone with the native drivers.
        return {command: answer for command, answer in found.items() if not (command.startswith("ethtool") and is_at_least(host, "7.0"))}


def write_answers(host: LabHost, folder: Path) -> None:
    """Puts the answers where the stand-in commands look: `<form>/<command line>`, with `<command line>.exit` where it is not 0.

    The command line is a path on purpose: a slash in an option makes a folder, and the stand-in needs no more than the shell's own
    words to find the file.
    """
    for command, answer in answers(host).items():
        for form, body in (("text", answer.as_text()), ("xml", answer.as_xml()), ("json", answer.as_json())):
            if form != "text" and (not command.startswith("esxcli ") or (form == "json" and not is_at_least(host, "6.7"))):
                continue
            file = folder / form / command
            if not file.parent.is_dir():
                file.parent.mkdir(parents=True, exist_ok=True)
            if file.exists() and file.read_text("utf-8") == body:
                continue
            waiting = file.with_name(f"{file.name}.{os.getpid()}.tmp")
            waiting.write_text(body, "utf-8")
            waiting.replace(file)
            if answer.exit:
                (folder / form / f"{command}.exit").write_text(str(answer.exit))


def _system(host: LabHost) -> Answers:
    spec, system = host.spec, host.spec.data["system"]
    update = system["version"].rsplit(".", 1)[-1]
    version = {"Product": system["product"], "Version": system["version"], "Build": f"Releasebuild-{system['build']}", "Update": update}
    if is_at_least(host, "6.7"):
        version["Patch"] = {"6.7.0": "135", "7.0.3": "105", "8.0.3": "95"}[system["version"]]
    serial = identity.digest("serial", spec.name)[:7].upper()
    return {
        "esxcli system version get": single("VersionGet", version),
        "esxcli system hostname get": single(
            "FullyQualifiedHostName",
            {
                "Domain Name": "corp.example.com",
                "Fully Qualified Domain Name": f"{spec.name}.corp.example.com",
                "Host Name": spec.name,
            },
        ),
        "esxcli hardware platform get": single(
            "PlatformGet",
            {
                "UUID": " ".join(f"0x{identity.digest(spec.name)[at : at + 2]}" for at in range(0, 32, 2)),
                "Product Name": spec.data["machine"]["model"],
                "Vendor Name": spec.data["machine"]["manufacturer"],
                "Serial Number": serial,
                "Enclosure Serial Number": serial,
                "BIOS Asset Tag": "",
                "IPMI Supported": True,
            },
        ),
        "esxcli system maintenanceMode get": value("Enabled" if host.state["host"]["maintenance_mode"] else "Disabled"),
        "vim-cmd -U dcui vimsvc/auth/lockdown_is_enabled": text(flag(host.state["host"]["lockdown"]) + "\n"),
        **_summary(host),
        "esxcli system settings keyvalue list": no_such_command("esxcli system settings keyvalue list"),
    }


def _summary(host: LabHost) -> Answers:
    """What changes on every read: processor use, uptime, TCP segments."""
    counters, machine = host.state["counters"], host.spec.data["machine"]
    cores, mhz = machine["processors"] // 2, 1999
    uptime = int(counters["at"] - host.state["installed_at"]) + 864000
    used = int(float(counters["cpu_percent"]) / 100 * cores * mhz)
    maintenance = flag(host.state["host"]["maintenance_mode"])
    return {
        "vim-cmd hostsvc/hostsummary": text(
            "Listsummary:\n\n(vim.host.Summary) {\n   hardware = (vim.host.Summary.HardwareSummary) {\n"
            f"      cpuMhz = {mhz},\n      numCpuCores = {cores},\n   }},\n   runtime = (vim.host.RuntimeInfo) {{\n"
            f'      connectionState = "connected",\n      inMaintenanceMode = {maintenance},\n   }},\n'
            "   quickStats = (vim.host.Summary.QuickStats) {\n"
            f"      overallCpuUsage = {used},\n      uptime = {uptime},\n   }},\n   rebootRequired = false,\n}}\n"
        ),
        "esxcli system stats uptime get": value(uptime * 1_000_000),
        "vsish -e get /net/tcpip/instances/defaultTcpipStack/stats/tcp": text(
            f"tcp {{\n   sndtotal:{counters['tcp_segments_sent'] * 6000}\n   sndpack:{counters['tcp_segments_sent']}\n"
            f"   sndrexmitpack:{counters['tcp_segments_retransmitted']}\n   rcvtotal:0\n}}\n"
        ),
    }


def _nics(host: LabHost) -> Answers:
    found: Answers = {}
    rows, lspci = [], ["Seg:Bu:Sl.F Vend:Dvid Subv:Subd ISA/irq/Vec P M Module       Name"]
    for name, port in host.state["ports"].items():
        card = cards()[port["card"]]
        up = port["link"] == "up"
        driver = driver_of(host, name)
        row: dict[str, Any] = {"Name": name, "PCI Device": pci_of(host, name), "Driver": driver}
        row |= (
            {"Admin Status": "Up", "Link Status": "Up" if up else "Down"} if is_at_least(host, "6.7") else {"Link": "Up" if up else "Down"}
        )
        row |= {
            "Speed": card["speed"] // 1_000_000 if up else 0,
            "Duplex": "Full" if up else "Half",
            "MAC Address": mac_of(host, name, ":"),
            "MTU": mtu_of(host, name),
            "Description": card["esxi"]["description"],
        }
        rows.append({**row, "DPU Id": "N/A"} if is_at_least(host, "8.0") else row)
        rx, tx = pause(port["flow_control"])
        detail: dict[str, Any] = {
            "Advertised Auto Negotiation": True,
            "Advertised Link Modes": ["Auto", "10000BaseT/Full"] if card["speed"] > 10**9 else ["Auto", "1000BaseT/Full"],
            "Auto Negotiation": True,
            "Cable Type": "FIBRE" if card["speed"] > 10**9 else "Twisted Pair",
            "Current Message Level": 0,
            "Driver Info": {
                "Bus Info": pci_of(host, name),
                "Driver": driver,
                "Firmware Version": port["firmware_version"],
                "Version": port["driver_version"],
            },
            "Link Detected": up,
            "Link Status": "Up " if up else "Down",
            "Name": name,
            "PHYAddress": 0,
            "Pause Autonegotiate": port["pause_auto"],
            "Pause RX": rx,
            "Pause TX": tx,
            "Supported Ports": ["FIBRE"],
            "Supports Auto Negotiation": True,
            "Supports Pause": True,
            "Supports Wakeon": True,
            "Transceiver": "internal",
            "Wakeon": "MagicPacket(tm)",
        }
        found[f"esxcli network nic get -n {name}"] = single("NicDetail", detail)
        found[f"ethtool -i {name}"] = text(
            f"driver: {driver}\nversion: {port['driver_version']}\n"
            f"firmware-version: {port['firmware_version']}\nbus-info: {pci_of(host, name)}\n"
        )
        lspci.append(f"{pci_of(host, name, modern=True)} {card['esxi']['vendor']} 1028:1f5f 255/   /     A V {driver:<12} {name}")
        found.update(_statistics(host, name))
    found["esxcli network nic list"] = table("Nic", rows)
    found["lspci -p"] = text("\n".join(lspci) + "\n")
    return found


def _statistics(host: LabHost, name: str) -> Answers:
    mine = host.state["counters"]["ports"].get(name, {})
    zero = {
        key: int(mine.get(key, 0))
        for key in (
            "packets_received",
            "packets_sent",
            "bytes_received",
            "bytes_sent",
            "drops_received",
            "drops_sent",
            "errors_received",
            "errors_sent",
        )
    }
    row = {
        "Packets received": zero["packets_received"],
        "Packets sent": zero["packets_sent"],
        "Bytes received": zero["bytes_received"],
        "Bytes sent": zero["bytes_sent"],
        "Receive packets dropped": zero["drops_received"],
        "Transmit packets dropped": zero["drops_sent"],
        "Multicast packets received": 0,
        "Broadcast packets received": 0,
        "Multicast packets sent": 0,
        "Broadcast packets sent": 0,
        "Total receive errors": zero["errors_received"],
        "Receive length errors": 0,
        "Receive over errors": 0,
        "Receive CRC errors": 0,
        "Receive frame errors": 0,
        "Receive FIFO errors": 0,
        "Receive missed errors": 0,
        "Total transmit errors": zero["errors_sent"],
        "Transmit aborted errors": 0,
        "Transmit carrier errors": 0,
        "Transmit FIFO errors": 0,
        "Transmit heartbeat errors": 0,
        "Transmit window errors": 0,
    }
    received, sent = int(mine.get("pause_received", 0)), int(mine.get("pause_sent", 0))
    return {
        f"esxcli network nic stats get -n {name}": single("NicStats", {"NIC statistics for": name, **row}),
        f"ethtool -S {name}": text(f"NIC statistics:\n     rx_flow_control_xoff: {received}\n     tx_flow_control_xoff: {sent}\n"),
        f"vsish -e get /net/pNics/{name}/stats": text(
            f"device {{\n   -- General Statistics:\n   Rx Packets:{zero['packets_received']}\n"
            f"   rx_pause_frames:{received}\n   tx_pause_frames:{sent}\n}}\n"
        ),
    }


def _tuning(host: LabHost) -> Answers:
    ports = host.state["ports"]
    found: Answers = {}
    for name, port in ports.items():
        rx, tx = pause(port["flow_control"])
        most = cards()[port["card"]]["esxi"]["ring_maximum"]
        ring = {"RX": port["receive_buffers"], "RX Mini": 0, "RX Jumbo": 0, "TX": port["transmit_buffers"]}
        found[f"ethtool -a {name}"] = text(
            f"Pause parameters for {name}:\nAutonegotiate:\t{onoff(port['pause_auto'])}\nRX:\t\t{onoff(rx)}\nTX:\t\t{onoff(tx)}\n\n"
        )
        found[f"ethtool -g {name}"] = text(
            f"Ring parameters for {name}:\nPre-set maximums:\nRX:\t\t{most}\nRX Mini:\t0\nRX Jumbo:\t0\nTX:\t\t{most}\n"
            f"Current hardware settings:\nRX:\t\t{ring['RX']}\nRX Mini:\t0\nRX Jumbo:\t0\nTX:\t\t{ring['TX']}\n\n"
        )
        found[f"ethtool -k {name}"] = text(
            f"Offload parameters for {name}:\nrx-checksumming: {onoff(port['checksum_rx'] == 'enabled')}\n"
            f"tx-checksumming: {onoff(port['checksum_tx'] == 'enabled')}\nscatter-gather: on\n"
            f"tcp segmentation offload: {onoff(port['tso'] == 'enabled')}\n"
            "udp fragmentation offload: off\ngeneric segmentation offload: off\n"
        )
        found[f"ethtool -c {name}"] = text(
            f"Coalesce parameters for {name}:\nAdaptive RX: off  TX: off\nrx-usecs: 25\nrx-frames: 0\ntx-usecs: 50\ntx-frames: 0\n\n"
        )
        if is_at_least(host, "6.7"):
            found[f"esxcli network nic ring current get -n {name}"] = single("NicRing", ring)
            found[f"esxcli network nic ring preset get -n {name}"] = single(
                "NicRingPreset", {"Max RX": most, "Max RX Mini": 0, "Max RX Jumbo": 0, "Max TX": most}
            )
    late = {
        "esxcli network nic pauseParams list": table(
            "NicPauseParams",
            [
                {
                    "NIC": name,
                    "Pause Params Supported": True,
                    "Pause RX": pause(port["flow_control"])[0],
                    "Pause TX": pause(port["flow_control"])[1],
                    "Auto Negotiation": port["pause_auto"],
                    "Auto Negotiation Resolution Avail": False,
                    "RX Auto Negotiation Resolution": False,
                    "TX Auto Negotiation Resolution": False,
                }
                for name, port in ports.items()
            ],
        ),
        "esxcli network nic tso get": table(
            "NicTso", [{"NIC": name, "Value": onoff(port["tso"] == "enabled")} for name, port in ports.items()]
        ),
        "esxcli network nic cso get": table(
            "NicCso",
            [
                {
                    "NIC": name,
                    "RX Checksum Offload": onoff(port["checksum_rx"] == "enabled"),
                    "TX Checksum Offload": onoff(port["checksum_tx"] == "enabled"),
                }
                for name, port in ports.items()
            ],
        ),
        "esxcli network nic sg get": table("NicSg", [{"NIC": name, "Scatter Gather": "on", "Scatter Gather MP": "on"} for name in ports]),
        "esxcli network nic software list": table(
            "NicSoftware",
            [
                {
                    "NIC": name,
                    "IPv4 CSO": "off",
                    "IPv4 TSO": "off",
                    "Scatter Gather": "off",
                    "Offset Based Offload": "off",
                    "VXLAN Encap": "off",
                    "Geneve Offload": "off",
                    "IPv6 TSO": "off",
                    "IPv6 TSO Ext": "off",
                    "IPv6 CSO": "off",
                    "IPv6 CSO Ext": "off",
                    "High DMA": "off",
                    "Scatter Gather MP": "off",
                    "VLAN Tagging": "off",
                    "VLAN Untagging": "off",
                }
                for name in ports
            ],
        ),
        "esxcli network nic coalesce get": table(
            "NicCoalesce",
            [
                {
                    "NIC": name,
                    "RX microseconds": "N/A" if port["use"] == "lan" else "25",
                    "RX maximum frames": "N/A" if port["use"] == "lan" else "15",
                    "TX microseconds": "N/A" if port["use"] == "lan" else "50",
                    "TX Maximum frames": "N/A" if port["use"] == "lan" else "1",
                    "Adaptive RX": "N/A" if port["use"] == "lan" else "Off",
                    "Adaptive TX": "N/A" if port["use"] == "lan" else "Off",
                    "Sample interval seconds": "N/A" if port["use"] == "lan" else "0",
                }
                for name, port in ports.items()
            ],
        ),
    }
    return {**found, **(late if is_at_least(host, "6.7") else {command: no_such_command(command) for command in late})}


def _vswitch(host: LabHost) -> Answers:
    vmks, switches = host.state["vmks"], host.state["vswitches"]
    groups = {name: [vmk["portgroup"] for vmk in vmks.values() if vmk["vswitch"] == name] for name in switches}
    groups["vSwitch0"] = [*groups["vSwitch0"], "VM Network"]
    rows = [
        {
            "Name": name,
            "Class": "cswitch" if is_at_least(host, "6.7") else "etherswitch",
            "Num Ports": 2816,
            "Used Ports": 2 * len(groups[name]) + 1,
            "Configured Ports": 128,
            "MTU": switch["mtu"],
            "CDP Status": "listen",
            "Beacon Enabled": False,
            "Beacon Interval": 1,
            "Beacon Threshold": 3,
            "Beacon Required By": [],
            "Uplinks": switch["uplinks"],
            "Portgroups": groups[name],
        }
        for name, switch in switches.items()
    ]
    found: Answers = {
        "esxcli network vswitch standard list": records("VirtualSwitch", "Name", rows),
        "esxcli network vswitch dvs vmware list": records("VDSwitch", "Name", []),
        "esxcli network vswitch standard portgroup list": table(
            "PortGroup",
            [{"Name": group, "Virtual Switch": name, "Active Clients": 1, "VLAN ID": 0} for name in switches for group in groups[name]],
        ),
    }
    for vmk in vmks.values():
        unused = [uplink for uplink in switches[vmk["vswitch"]]["uplinks"] if uplink != vmk["uplink"]]
        found[f"esxcli network vswitch standard portgroup policy failover get -p {vmk['portgroup']}"] = single(
            "PortGroupFailoverPolicy",
            {
                "Load Balancing": "srcport",
                "Network Failure Detection": "link",
                "Notify Switches": True,
                "Failback": True,
                "Active Adapters": [vmk["uplink"]],
                "Standby Adapters": [],
                "Unused Adapters": unused,
                "Override Vswitch Load Balancing": False,
                "Override Vswitch Network Failure Detection": False,
                "Override Vswitch Notify Switches": False,
                "Override Vswitch Failback": False,
                "Override Vswitch Uplinks": True,
            },
        )
    return found


def _vmkernel(host: LabHost) -> Answers:
    rows, addresses = [], []
    for number, (name, vmk) in enumerate(host.state["vmks"].items()):
        mac = identity.mac("005056", host.spec.name, name)
        row: dict[str, Any] = {
            "Name": name,
            "MAC Address": ":".join(mac[at : at + 2] for at in range(0, 12, 2)),
            "Enabled": True,
            "Portset": vmk["vswitch"],
            "Portgroup": vmk["portgroup"],
        }
        if is_at_least(host, "6.7"):
            row["Netstack Instance"] = "defaultTcpipStack"
        row |= {"VDS Name": "N/A", "VDS UUID": "N/A", "VDS Port": "N/A", "VDS Connection": -1}
        if is_at_least(host, "7.0"):
            row |= {"Opaque Network ID": "N/A", "Opaque Network Type": "N/A", "External ID": "N/A"}
        rows.append({**row, "MTU": vmk["mtu"], "TSO MSS": 65535, "Port ID": 33554434 + number})
        address = iscsi.vmk_address(host, name)
        addresses.append(
            {
                "Name": name,
                "IPv4 Address": address,
                "IPv4 Netmask": "255.255.255.0",
                "IPv4 Broadcast": address.rsplit(".", 1)[0] + ".255",
                "Address Type": "STATIC",
                **({"Gateway": identity.gateway(host.spec.group) if name == "vmk0" else "0.0.0.0"} if is_at_least(host, "6.7") else {}),
                "DHCP DNS": False,
            }
        )
    lan = identity.lan_address(host.spec.group, host.spec.number).rsplit(".", 1)[0]
    routes = [
        {"Network": "default", "Netmask": "0.0.0.0", "Gateway": identity.gateway(host.spec.group), "Interface": "vmk0", "Source": "MANUAL"},
        {"Network": f"{lan}.0", "Netmask": "255.255.255.0", "Gateway": "0.0.0.0", "Interface": "vmk0", "Source": "MANUAL"},
    ]
    return {
        "esxcli network ip interface list": records("VmknicInterface", "Name", rows),
        "esxcli network ip interface ipv4 get": table("IPv4Interface", addresses),
        "esxcli network ip route ipv4 list": table("Route", routes),
    }


def _advanced(host: LabHost) -> Answers:
    settings = host.state["host"]
    options = {
        "/Net/TcpipDefLROEnabled": (int(settings["net.lro"] == "enabled"), 1, 0, 1, "LRO enabled for TCP/IP"),
        "/Net/UseHwTSO": (int(settings["net.hw_tso"] == "enabled"), 1, 0, 1, "When non-zero, use pNIC HW TSO offload if available"),
        "/Net/UseHwTSO6": (1, 1, 0, 1, "When non-zero, use pNIC HW IPv6 TSO offload if available"),
        "/Net/TcpipDefLROMaxLength": (32768, 32768, 1, 65535, "LRO default max length for TCP/IP"),
    }
    return {
        f"esxcli system settings advanced list -o {path}": records(
            "SettingsEntry",
            "Path",
            [
                {
                    "Path": path,
                    "Type": "integer",
                    "Int Value": now,
                    "Default Int Value": default,
                    "Min Value": low,
                    "Max Value": high,
                    "String Value": "",
                    "Default String Value": "",
                    "Valid Characters": "",
                    "Description": words,
                }
            ],
        )
        for path, (now, default, low, high, words) in options.items()
    }


def _modules(host: LabHost) -> Answers:
    found: Answers = {}
    drivers = {driver_of(host, name): port for name, port in host.state["ports"].items()}
    for driver, port in drivers.items():
        old = driver in ("bnx2x", "ixgbe", "igb")
        rows = [{"Name": "RSS", "Type": "array of int" if not old else "int", "Value": "", "Description": "Number of receive queues"}]
        if driver == "ixgbe":
            rows.append(
                {
                    "Name": "LRO",
                    "Type": "array of int",
                    "Value": "" if port["lro"] == "enabled" else "0,0",
                    "Description": "Large Receive Offload (0,1), default 1 = on",
                }
            )
        found[f"esxcli system module parameters list -m {driver}"] = table("Parameter", rows)
        found[f"esxcli system module get -m {driver}"] = single(
            "Module",
            {
                "Module": driver,
                "Module File": f"/usr/lib/vmware/vmkmod/{driver}",
                "License": "GPLv2" if old else "ThirdParty:unknown",
                "Version": port["driver_version"],
                "Signed Status": "VMware Signed",
                "Signature Issuer": "VMware, Inc.",
                "Provided Namespaces": [],
                "Required Namespaces": ["com.vmware.vmkapi"],
                "Containing VIB": f"net-{driver}",
            },
        )
    for driver in ("iscsi_vmk", "bnx2i"):
        found[f"esxcli system module parameters list -m {driver}"] = table(
            "Parameter", [{"Name": "iscsivmk_LunQDepth", "Type": "int", "Value": "", "Description": "Maximum Outstanding Commands Per LUN"}]
        )
        found[f"esxcli system module get -m {driver}"] = single(
            "Module", {"Module": driver, "Module File": f"/usr/lib/vmware/vmkmod/{driver}", "Version": "1.0", "Containing VIB": driver}
        )
    return found


def _software(host: LabHost) -> Answers:
    release, mem = host.spec.data["release"], host.spec.data["mem"]
    build = host.spec.data["system"]["build"]
    vibs = [
        {
            "Name": "esx-base",
            "Version": f"{host.spec.data['system']['version']}-0.0.{build}",
            "Vendor": "VMware",
            "Acceptance Level": "VMwareCertified",
            "Install Date": "2020-02-11",
        }
    ]
    for name in sorted({driver_of(host, name) for name in host.state["ports"]}):
        port = next(port for role, port in host.state["ports"].items() if driver_of(host, role) == name)
        vibs.append(
            {
                "Name": f"net-{name}" if release == "5.5" else name,
                "Version": port["driver_version"],
                "Vendor": "VMW",
                "Acceptance Level": "VMwareCertified",
                "Install Date": "2020-02-11",
            }
        )
    if mem:
        vibs.append(
            {
                "Name": "dell-eql-routed-psp",
                "Version": mem,
                "Vendor": "Dell",
                "Acceptance Level": "VMwareAccepted",
                "Install Date": "2020-02-12",
            }
        )
    return {
        "esxcli software vib list": table("VIBSummary", vibs),
        "esxcli software profile get": records(
            "ImageProfile",
            "Name",
            [
                {
                    "Name": f"ESXi-{host.spec.data['system']['version']}-{build}-standard",
                    "Vendor": "VMware, Inc.",
                    "Acceptance Level": "PartnerSupported",
                }
            ],
        ),
        "esxcli equallogic stat summary": table(
            "EqualLogicSummary",
            [{"DeviceId": volume[1], "VolumeName": volume[0], "PathCount": 2, "Status": "ok"} for volume in iscsi.volumes(host)],
        )
        if mem
        else no_such_command("esxcli equallogic stat summary"),
    }


def _down(host: LabHost) -> Answers:
    """Legacy programs, for releases and readers that fall back to them."""
    rows = ["Name    PCI          Driver      Link Speed      Duplex MAC Address       MTU    Description"]
    for name, port in host.state["ports"].items():
        card, up = cards()[port["card"]], name not in uplinks_down(host)
        speed = f"{card['speed'] // 1_000_000}Mbps" if up else "0Mbps"
        rows.append(
            f"{name:<7} {pci_of(host, name, modern=True):<12} {driver_of(host, name):<11} "
            f"{'Up' if up else 'Down':<4} {speed:<10} {'Full' if up else 'Half':<6} "
            f"{mac_of(host, name, ':')} {mtu_of(host, name):<6} {card['esxi']['description']}"
        )
    return {"esxcfg-nics -l": text("\n".join(rows) + "\n")}


_PARTS: tuple[Callable[[LabHost], Answers], ...] = (
    *(_system, _nics, _tuning, _vswitch, _vmkernel, iscsi.initiators, iscsi.network, iscsi.sessions, iscsi.devices),
    *(_advanced, _modules, _software, _down, iscsi.pings),
)
