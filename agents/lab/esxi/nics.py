"""Uplinks of an ESXi lab host: list, details, rings, pause, offloads, statistics."""

from typing import Any

from lab.esxi.common import Answers, driver_of, is_at_least, mac_of, mtu_of, onoff, pause, pci_of, uplinks_down
from lab.esxi.output_formats import no_such_command, single, table, text
from lab.fleet import cards
from lab.host import LabHost


def nics(host: LabHost) -> Answers:
    """List, details and statistics. The list is from 5.5 and 6.7, its structures from 8.0; lspci with Intel cards, of an
    unknown release, below a heading of the documentation."""
    answers: Answers = {}
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
        if is_at_least(host, "6.7"):
            # In the structures only (8.0).
            row["Link"] = row["Link Status"]
        rows.append({**row, "DPU Id": "N/A"} if is_at_least(host, "8.0") else row)
        rx, tx = pause(port["flow_control"])
        is_native = is_at_least(host, "6.7")
        # From 5.5 with bnx2x, igbn (release unknown), 9.0 with nvmxnet3: native drivers show the function behind a colon.
        detail: dict[str, Any] = {
            "Advertised Auto Negotiation": True,
            "Advertised Link Modes": ["Auto", "10000BaseT/Full"] if card["speed"] > 10**9 else ["Auto", "1000BaseT/Full"],
            "Auto Negotiation": True,
            **({"Backing DPUId": "N/A"} if is_at_least(host, "8.0") else {}),
            "Cable Type": "FIBRE" if card["speed"] > 10**9 else "Twisted Pair",
            "Current Message Level": 0,
            "Driver Info": {
                "Bus Info": ":".join(pci_of(host, name, modern=True).rsplit(".", 1)) if is_native else pci_of(host, name, modern=True),
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
            **({"Virtual Address": "00:00:00:00:00:00"} if is_native else {}),
            "Wakeon": "MagicPacket(tm)",
        }
        answers[f"esxcli network nic get -n {name}"] = single("NicDetail", detail)
        # From 5.0 and 5.5 U3.
        answers[f"ethtool -i {name}"] = text(
            f"driver: {driver}\nversion: {port['driver_version']}\n"
            f"firmware-version: {port['firmware_version']}\nbus-info: {pci_of(host, name)}\n"
        )
        lspci.append(f"{pci_of(host, name, modern=True)} {card['esxi']['vendor']} 1028:1f5f 255/   /     A V {driver:<12} {name}")
        answers.update(_statistics(host, name))
    hidden = ("Link", "DPU Id") if is_at_least(host, "6.7") else ()
    answers["esxcli network nic list"] = table("Nic", rows, hidden=hidden)
    answers["lspci -p"] = text("\n".join(lspci) + "\n")
    return answers


def _statistics(host: LabHost, name: str) -> Answers:
    """`stats get` with an Intel adapter, of an unknown release; of ethtool and vsish only the two lines that are read."""
    port_counters = host.state["counters"]["ports"].get(name, {})
    zero = {
        key: int(port_counters.get(key, 0))
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
    received, sent = int(port_counters.get("pause_received", 0)), int(port_counters.get("pause_sent", 0))
    return {
        f"esxcli network nic stats get -n {name}": single("NicStats", row, title=f"NIC statistics for {name}"),
        f"ethtool -S {name}": text(f"NIC statistics:\n     rx_flow_control_xoff: {received}\n     tx_flow_control_xoff: {sent}\n"),
        f"vsish -e get /net/pNics/{name}/stats": text(
            f"device {{\n   -- General Statistics:\n   Rx Packets:{zero['packets_received']}\n"
            f"   rx_pause_frames:{received}\n   tx_pause_frames:{sent}\n}}\n"
        ),
    }


def tuning(host: LabHost) -> Answers:
    """Pause, rings, offloads, coalescing; what a release lacks, ethtool answers.

    pauseParams from 8.0 with a ConnectX-5, tso from 6.5, software and ethtool -k from 6.0; ring current and coalesce: release unknown.
    No output was seen of ring preset, cso, sg and the other forms of ethtool: those are the documentation's.
    """
    ports = host.state["ports"]
    answers: Answers = {}
    for name, port in ports.items():
        rx, tx = pause(port["flow_control"])
        most = cards()[port["card"]]["esxi"]["ring_maximum"]
        ring = {"RX": port["receive_buffers"], "RX Mini": 0, "RX Jumbo": 0, "TX": port["transmit_buffers"]}
        answers[f"ethtool -a {name}"] = text(
            f"Pause parameters for {name}:\nAutonegotiate:\t{onoff(port['pause_auto'])}\nRX:\t\t{onoff(rx)}\nTX:\t\t{onoff(tx)}\n\n"
        )
        answers[f"ethtool -g {name}"] = text(
            f"Ring parameters for {name}:\nPre-set maximums:\nRX:\t\t{most}\nRX Mini:\t0\nRX Jumbo:\t0\nTX:\t\t{most}\n"
            f"Current hardware settings:\nRX:\t\t{ring['RX']}\nRX Mini:\t0\nRX Jumbo:\t0\nTX:\t\t{ring['TX']}\n\n"
        )
        answers[f"ethtool -k {name}"] = text(
            f"Offload parameters for {name}:\nrx-checksumming: {onoff(port['checksum_rx'] == 'enabled')}\n"
            f"tx-checksumming: {onoff(port['checksum_tx'] == 'enabled')}\nscatter-gather: on\n"
            f"tcp segmentation offload: {onoff(port['tso'] == 'enabled')}\n"
            "udp fragmentation offload: off\ngeneric segmentation offload: off\n"
        )
        answers[f"ethtool -c {name}"] = text(
            f"Coalesce parameters for {name}:\nAdaptive RX: off  TX: off\nrx-usecs: 25\nrx-frames: 0\ntx-usecs: 50\ntx-frames: 0\n\n"
        )
        if is_at_least(host, "6.7"):
            answers[f"esxcli network nic ring current get -n {name}"] = single("NicRing", ring)
            answers[f"esxcli network nic ring preset get -n {name}"] = single(
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
    return {**answers, **(late if is_at_least(host, "6.7") else {command: no_such_command(command) for command in late})}


def legacy(host: LabHost) -> Answers:
    """Legacy programs, for releases and readers that fall back to them: esxcfg-nics from 5.5 U3."""
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
