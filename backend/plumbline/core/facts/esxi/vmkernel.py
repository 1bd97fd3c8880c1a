"""Section `vmkernel`: VMkernel interfaces, their addresses, the default route."""

import ipaddress
from dataclasses import dataclass

from plumbline.core.facts.configuration import Facts, Subject
from plumbline.core.facts.esxi.entries import Body, Entry, Sink
from plumbline.core.facts.esxi.esxcfg import VmknicRow, vmknic_rows
from plumbline.core.facts.esxi.readers import Record, each_row, rows
from plumbline.core.facts.esxi.values import as_bool, as_int, is_nothing

INTERFACES = "esxcli network ip interface list"
INTERFACES_OLD = "esxcfg-vmknic -l"
ADDRESSES = "esxcli network ip interface ipv4 get"
ROUTES = "esxcli network ip route ipv4 list"

_ANY = "0.0.0.0"  # noqa: S104 (the default route's network, nothing is bound)


@dataclass(frozen=True, slots=True)
class Interface:
    """One VMkernel interface as other sections need it."""

    name: str
    portgroup: str
    vswitch: str
    mtu: int | None
    address: str = ""


def parse(body: Body) -> Facts:
    """Observations: `vmks` (name -> Interface), `default_vmk` (of the default route; empty where it is not known)."""
    sink = Sink(body)
    vmks: dict[str, Interface] = {}
    for entry, record in each_row(body.each(INTERFACES)):
        _interface(sink, entry, record, vmks)
    is_listed = bool(vmks)
    addresses: dict[str, list[str]] = {}
    for old in body.each(INTERFACES_OLD):
        _old(sink, old, vmks, addresses, fill=not is_listed)
    for entry, record in each_row(body.each(ADDRESSES)):
        name, address = record.get("Name") or "", record.get("IPv4 Address") or ""
        if name and _is_address(address):
            addresses.setdefault(name, [])
            if address not in addresses[name]:
                addresses[name].append(address)
            sink.value(Subject("vnic", name), "addresses", tuple(addresses[name]), entry, record.title("IPv4 Address"), address)
    for name, listed in addresses.items():
        if name in vmks and listed:
            known = vmks[name]
            vmks[name] = Interface(known.name, known.portgroup, known.vswitch, known.mtu, listed[0])
    sink.facts.observations["vmks"] = vmks
    sink.facts.observations["default_vmk"] = _default(rows(body.find(ROUTES)))
    return sink.facts


def _is_address(text: str) -> bool:
    try:
        return not ipaddress.ip_address(text.partition("%")[0]).is_unspecified
    except ValueError:
        return False


def _interface(sink: Sink, entry: Entry, record: Record, vmks: dict[str, Interface]) -> None:
    name = record.get("Name") or record.heading
    if not name:
        return
    subject = Subject("vnic", name)
    sink.value(subject, "name", name, entry, record.title("Name"), name)
    mtu = as_int(record.get("MTU"))
    if mtu is not None:
        sink.value(subject, "mtu", mtu, entry, record.title("MTU"), record.get("MTU") or "")
    enabled = as_bool(record.get("Enabled"))
    if enabled is not None:
        sink.value(subject, "enabled", enabled, entry, record.title("Enabled"), record.get("Enabled") or "")
    group = "" if is_nothing(record.get("Portgroup")) else record.get("Portgroup") or ""
    # On a distributed switch the port set is a number of the kernel's own; the switch's name is in a column of its own.
    title = "Portset" if is_nothing(record.get("VDS Name")) else "VDS Name"
    switch = record.get(title) or ""
    if group:
        sink.value(subject, "portgroup", group, entry, record.title("Portgroup"), group)
    elif record.has("Portgroup"):
        sink.not_offered(subject, ("portgroup",), "a port of a distributed switch has no port group name here", entry)
    if switch:
        sink.value(subject, "vswitch", switch, entry, record.title(title), switch)
    stack = record.get("Netstack Instance")
    if stack:
        sink.value(subject, "netstack", stack, entry, record.title("Netstack Instance"), stack)
    else:
        sink.not_offered(subject, ("netstack",), "this release has one network stack", entry)
    vmks[name] = Interface(name, group, switch, mtu)


def _old(sink: Sink, entry: Entry, vmks: dict[str, Interface], addresses: dict[str, list[str]], *, fill: bool) -> None:
    """`esxcfg-vmknic -l`: one row for each address of a port. `fill`: there is no other list of ports."""
    if not entry.is_ok:
        return
    found, odd = vmknic_rows(entry.output)
    for line in odd:
        sink.problem(f"{entry.line}: a row is not understood: {line[:80]}")
    for row in found:
        listed = addresses.setdefault(row.name, [])
        if row.address and _is_address(row.address) and row.address not in listed:
            listed.append(row.address)
            # Sessions and pings of the SAN are recognised by their IPv4 address.
            listed.sort(key=lambda address: ":" in address)
        if fill:
            _old_row(sink, entry, row, tuple(listed), vmks)


def _old_row(sink: Sink, entry: Entry, row: VmknicRow, addresses: tuple[str, ...], vmks: dict[str, Interface]) -> None:
    subject = Subject("vnic", row.name)
    sink.value(subject, "name", row.name, entry, "Interface", row.name)
    is_port_number = row.portgroup.isdigit() and "dvport" in entry.output.lower()
    if is_port_number:
        # The column names the port of a distributed switch where there is no port group.
        why = f"{row.portgroup} is a port of a distributed switch, or a port group of that name"
        sink.unknown(subject, ("portgroup",), why, entry)
    else:
        sink.value(subject, "portgroup", row.portgroup, entry, "Port Group", row.portgroup)
    if addresses:
        sink.value(subject, "addresses", addresses, entry, "IP Address", ", ".join(addresses))
    sink.value(subject, "mtu", row.mtu, entry, "MTU", str(row.mtu))
    if row.enabled is None:
        sink.unknown(subject, ("enabled",), "this release does not print this column", entry)
    else:
        sink.value(subject, "enabled", row.enabled, entry, "Enabled", str(row.enabled).lower())
    if row.netstack is not None:
        sink.value(subject, "netstack", row.netstack, entry, "NetStack", row.netstack)
    vmks[row.name] = Interface(row.name, "" if is_port_number else row.portgroup, "", row.mtu)


def _default(routes: list[Record]) -> str:
    for record in routes:
        network = (record.get("Network") or "").lower()
        if network == "default" or (network == _ANY and record.get("Netmask") in (None, "", _ANY)):
            return record.get("Interface") or ""
    return ""
