"""Section `vswitch`: virtual switches, port groups, teaming."""

import re
from dataclasses import dataclass

from plumbline.core.facts.configuration import Facts, Subject
from plumbline.core.facts.esxi.entries import Body, Entry, Sink
from plumbline.core.facts.esxi.readers import Record, each_row, rows
from plumbline.core.facts.esxi.values import as_int, as_list, is_nothing

STANDARD = "esxcli network vswitch standard list"
STANDARD_OLD = "esxcfg-vswitch -l"
DISTRIBUTED = "esxcli network vswitch dvs vmware list"
PORTGROUPS = "esxcli network vswitch standard portgroup list"
FAILOVER = "esxcli network vswitch standard portgroup policy failover get"

FAILOVER_KEYS = ("active_uplinks", "standby_uplinks", "unused_uplinks")


@dataclass(frozen=True, slots=True)
class Switch:
    """A virtual switch: its MTU and uplinks."""

    name: str
    mtu: int | None
    uplinks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Teaming:
    """Which uplinks a port group may use."""

    active: tuple[str, ...]
    standby: tuple[str, ...]
    unused: tuple[str, ...]


def parse(body: Body) -> Facts:
    """Observations: `switches` (name -> Switch), `groups` (port group -> switch), `teaming` (port group -> Teaming)."""
    sink = Sink(body)
    switches: dict[str, Switch] = {}
    groups: dict[str, str] = {}
    teaming: dict[str, Teaming] = {}
    for command, kind in ((STANDARD, "standard"), (DISTRIBUTED, "distributed")):
        for entry, record in each_row(body.each(command)):
            _switch(sink, entry, record, kind, switches, groups)
    for entry in body.each(STANDARD_OLD):
        if entry.is_ok and not switches:
            _old(sink, entry, switches, groups)
    for entry, record in each_row(body.each(PORTGROUPS)):
        _port_group(sink, entry, record, groups)
    for entry in body.each(FAILOVER):
        _teaming(sink, entry, teaming)
    sink.facts.observations.update(switches=switches, groups=groups, teaming=teaming)
    return sink.facts


def _switch(sink: Sink, entry: Entry, record: Record, kind: str, switches: dict[str, Switch], groups: dict[str, str]) -> None:
    name = record.get("Name") or record.heading
    if not name:
        return
    subject = Subject("vswitch", name)
    sink.value(subject, "type", kind, entry, record.title("Class"), record.get("Class") or "")
    mtu = as_int(record.get("MTU"))
    if mtu is not None:
        sink.value(subject, "mtu", mtu, entry, record.title("MTU"), record.get("MTU") or "")
    uplinks = tuple(name for name in as_list(record.get("Uplinks")) if name.startswith("vmnic"))
    if record.has("Uplinks"):
        sink.value(subject, "uplinks", uplinks, entry, record.title("Uplinks"), record.get("Uplinks") or "")
    else:
        sink.unknown(subject, ("uplinks",), f"{entry.line}: no uplinks in the block of {name}", entry)
    switches[name] = Switch(name, mtu, uplinks)
    for group in as_list(record.get("Portgroups")):
        groups[group] = name
        sink.value(Subject("portgroup", group), "vswitch", name, entry, record.title("Portgroups"), record.get("Portgroups") or "")


def _port_group(sink: Sink, entry: Entry, record: Record, groups: dict[str, str]) -> None:
    name = record.get("Name")
    if not name:
        return
    subject = Subject("portgroup", name)
    switch = record.get("Virtual Switch")
    if switch:
        groups[name] = switch
        sink.value(subject, "vswitch", switch, entry, record.title("Virtual Switch"), switch)
    vlan = as_int(record.get("VLAN ID"))
    if vlan is not None:
        sink.value(subject, "vlan", vlan, entry, record.title("VLAN ID"), record.get("VLAN ID") or "")


def _teaming(sink: Sink, entry: Entry, teaming: dict[str, Teaming]) -> None:
    name = entry.command.options.get("-p", "")
    if not name:
        return
    subject = Subject("portgroup", name)
    record = next(iter(rows(entry)), None)
    if record is None:
        sink.unknown(subject, FAILOVER_KEYS, entry.why_not, entry)
        return
    listed = []
    for key, title in zip(FAILOVER_KEYS, ("Active Adapters", "Standby Adapters", "Unused Adapters"), strict=True):
        if not record.has(title):
            sink.unknown(subject, (key,), f"{entry.line}: no {title} in it", entry)
            continue
        raw = record.get(title)
        value = as_list("" if is_nothing(raw) else raw)
        listed.append(value)
        sink.value(subject, key, value, entry, record.title(title), raw or "")
    if len(listed) == len(FAILOVER_KEYS):
        teaming[name] = Teaming(*listed)


def _old(sink: Sink, entry: Entry, switches: dict[str, Switch], groups: dict[str, str]) -> None:
    """`esxcfg-vswitch -l`: a switch line, below it its port groups, indented; distributed switches after them in the same way."""
    kind = ""
    current = ""
    is_group_header = False
    for line in entry.output.split("\n"):
        if re.match(r"^(Switch|DVS) Name\b", line):
            kind, is_group_header = ("standard" if line.startswith("Switch") else "distributed"), False
            continue
        if re.match(r"^\s+(PortGroup Name|DVPort ID)\b", line):
            is_group_header = line.strip().startswith("PortGroup")
            continue
        match = re.match(r"^(\S.*?)\s+(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s*(\S*)\s*$", line)
        if match and kind:
            current, mtu = match.group(1), int(match.group(5))
            is_cut = match.group(6).endswith(",")
            uplinks = tuple(name for name in as_list(match.group(6)) if name.startswith("vmnic"))
            subject = Subject("vswitch", current)
            sink.value(subject, "type", kind, entry, "", kind)
            sink.value(subject, "mtu", mtu, entry, "MTU", match.group(5))
            if is_cut:
                sink.unknown(subject, ("uplinks",), f"{entry.line}: the list of uplinks of {current} is cut off", entry)
            else:
                sink.value(subject, "uplinks", uplinks, entry, "Uplinks", match.group(6))
            switches[current] = Switch(current, mtu, uplinks)
            is_group_header = False
            continue
        match = re.match(r"^\s+(\S.*?)\s+(\d+)\s+(\d+)\s*(\S*)\s*$", line)
        if match and is_group_header and current:
            group = Subject("portgroup", match.group(1))
            groups[match.group(1)] = current
            sink.value(group, "vswitch", current, entry, "PortGroup Name", current)
            sink.value(group, "vlan", int(match.group(2)), entry, "VLAN ID", match.group(2))
