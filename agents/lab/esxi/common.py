"""What the answers of an ESXi lab host have in common."""

from lab import identity
from lab.esxi.output_formats import Answer
from lab.fleet import cards
from lab.host import LabHost

Answers = dict[str, Answer]
_RELEASES = ("5.5", "6.7", "7.0", "8.0")


def is_at_least(host: LabHost, release: str) -> bool:
    """The host's release is this one or a later one."""
    return _RELEASES.index(host.spec.data["release"]) >= _RELEASES.index(release)


def onoff(is_on: bool) -> str:
    """`on` or `off`."""
    return "on" if is_on else "off"


def flag(is_on: bool) -> str:
    """`true` or `false`."""
    return "true" if is_on else "false"


def pause(flow_control: str) -> tuple[bool, bool]:
    """Whether pause frames are received and sent."""
    return flow_control in ("rx_tx", "rx"), flow_control in ("rx_tx", "tx")


def driver_of(host: LabHost, name: str) -> str:
    """The driver module of an uplink."""
    return str(host.state["ports"][name]["driver"])


def mac_of(host: LabHost, name: str, separator: str = "") -> str:
    """MAC of an uplink."""
    port = host.state["ports"][name]
    mac = identity.mac(str(cards()[port["card"]]["oui"]), host.spec.name, port["card"], port["nth"])
    return separator.join(mac[at : at + 2] for at in range(0, 12, 2))


def pci_of(host: LabHost, name: str, *, modern: bool = False) -> str:
    """PCI location of an uplink; 5.5 prints the bus with three digits."""
    port = host.state["ports"][name]
    bus, device = cards()[port["card"]]["pci"]
    wide = not is_at_least(host, "6.7") and not modern
    return f"0000:{bus:03x}:{device:02x}.{port['nth'] - 1}" if wide else f"0000:{bus:02x}:{device:02x}.{port['nth'] - 1}"


def mtu_of(host: LabHost, name: str) -> int:
    """MTU of an uplink: a consequence of its virtual switch."""
    for switch in host.state["vswitches"].values():
        if name in switch["uplinks"]:
            return int(switch["mtu"])
    return 1500


def uplinks_down(host: LabHost) -> set[str]:
    """Uplinks without link."""
    return {name for name, port in host.state["ports"].items() if port["link"] != "up"}
