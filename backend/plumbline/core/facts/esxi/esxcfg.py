"""Rows of the esxcfg tools, and rows of their kind without a heading. Names in them hold spaces and columns differ by release, so a row is
read by the form of what it must hold: addresses, states, figures."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from plumbline.core.facts.esxi.records import Record, record_of

_MAC = r"(?:[0-9a-fA-FxX*]{2}:){5}[0-9a-fA-FxX*]{2}"
_IPV4 = r"(?:\d{1,3}\.){3}\d{1,3}"
_IPV6 = r"[0-9a-fA-F]*:[0-9a-fA-F:.]*(?:%\w+)?"
_NONE = r"N/A"

# Name, PCI device, driver, admin and link state or the link alone, speed, duplex, MAC, MTU, description; of a DPU's host an id at the end.
_NIC = re.compile(
    rf"^\s*((?:vmnic|vusb)\d+)\s+(\S+)\s+(\S+)\s+(Up|Down)(?:\s+(Up|Down))?\s+(\d+)(?:Mbps)?\s+(Full|Half)\s+({_MAC})\s+(\d+)(?:\s+(.*))?$"
)
# `vmnic4 0000:0b:00.00 e1000e Up 1000Mbps ...`: what such a row is of in the words of the lists that have a heading.
_NIC_TITLES = ["Name", "PCI Device", "Driver", "Link Status", "Speed", "Duplex", "MAC Address", "MTU", "Description"]

_VMK = re.compile(rf"^\s*(vmk\d+)\s+(.*?)\s+({_MAC})\s+(\d+)\b(.*)$")
_ADDRESS_WITH_FAMILY = re.compile(rf"^(.*?)\s+(?:IPv4|IPv6)\s+({_IPV4}|{_IPV6}|{_NONE})\b.*$")
_ADDRESS = re.compile(rf"^(.*?)\s+({_IPV4}|{_IPV6}|{_NONE})\s+(?:{_IPV4}|\d{{1,3}}|{_NONE})(?:\s+(?:{_IPV4}|{_NONE}))?$")


def nic_rows(output: str) -> list[Record]:
    """Rows of adapters, with or without a heading; lines of another form are left out."""
    found = []
    for line in output.split("\n"):
        match = _NIC.match(line)
        if match is None:
            continue
        name, pci, driver, first, second, *rest = (part or "" for part in match.groups())
        record = record_of(_NIC_TITLES, [name, pci, driver, second or first, *rest])
        if second:
            record.add("Admin Status", first)
        found.append(record)
    return found


@dataclass(frozen=True, slots=True)
class VmknicRow:
    """One row of `esxcfg-vmknic -l`: a VMkernel port has one for each of its addresses. `enabled` and `netstack` are None where the
    release prints no such column; `address` is empty where the port has none."""

    name: str
    portgroup: str
    address: str
    mtu: int
    enabled: bool | None
    netstack: str | None


def vmknic_rows(output: str) -> tuple[list[VmknicRow], list[str]]:
    """The rows, and the lines that name a VMkernel port and are not understood."""
    found: list[VmknicRow] = []
    odd: list[str] = []
    heading = next((line for line in output.split("\n") if re.match(r"^\s*Interface\s+Port ?Group", line)), "")
    has_stack = re.search(r"\bNetStack\b", heading, re.I) is not None
    for line in _vmk_lines(output):
        match = _VMK.match(line)
        place = None if match is None else _ADDRESS_WITH_FAMILY.match(match.group(2)) or _ADDRESS.match(match.group(2))
        if match is None or place is None:
            odd.append(line.strip())
            continue
        rest = match.group(5).split()
        words = [word.lower() for word in rest]
        enabled = True if "true" in words else False if "false" in words else None
        found.append(
            VmknicRow(
                match.group(1),
                place.group(1).strip(),
                "" if place.group(2) == _NONE else place.group(2),
                int(match.group(4)),
                enabled,
                rest[-1] if has_stack and len(rest) > 1 else None,
            )
        )
    return found, odd


def _vmk_lines(output: str) -> Iterator[str]:
    return (line for line in output.split("\n") if re.match(r"^\s*vmk\d+\s", line))


_PACKAGE = re.compile(
    r"^\s*(\S+)\s+(\S+)\s+(\S.*?)\s+(VMwareCertified|VMwareAccepted|PartnerSupported|CommunitySupported)\s+(\d{4}-\d{2}-\d{2})(?:\s+(\S+))?\s*$"
)


def package_rows(output: str) -> list[Record]:
    """Rows of `esxcli software vib list` as `grep` leaves them, without their heading."""
    titles = ["Name", "Version", "Vendor", "Acceptance Level", "Install Date", "Platforms"]
    return [record_of(titles, [part or "" for part in match.groups()]) for match in map(_PACKAGE.match, output.split("\n")) if match]


_BRIEF_DEVICE = re.compile(r"^\s*(\S+) : (.*)$")
_BRIEF_PATH = re.compile(r"^\s*(vmhba\d+):(C\d+:T\d+:L\d+) LUN:\d+ state:(\S+) (\S+) Adapter:\s+(\S+)\s+Target:\s+(.*)$")


def brief_paths(output: str) -> list[Record]:
    """`esxcfg-mpath -b`: a device in a line of its own, below it its paths, in the words of `esxcli storage core path list`."""
    titles = ["Runtime Name", "Device", "Device Display Name", "Adapter", "State", "Transport", "Adapter Identifier"]
    found = []
    device = name = ""
    for line in output.split("\n"):
        match = _BRIEF_PATH.match(line)
        if match is None:
            heading = _BRIEF_DEVICE.match(line)
            device, name = heading.groups() if heading else (device, name)
            continue
        vmhba, place, state, transport, adapter, target = match.groups()
        record = record_of(titles, [f"{vmhba}:{place}", device, name.strip(), vmhba, state, transport, adapter])
        record.add("Target Transport Details", target)
        found.append(record)
    return found
