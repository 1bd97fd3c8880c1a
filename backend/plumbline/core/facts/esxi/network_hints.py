"""What the physical switch says of itself on each uplink: CDP and LLDP as `vim-cmd hostsvc/net/query_networkhint` prints them.

The fields are those of vim.host.PhysicalNic.CdpInfo and LldpInfo (vSphere Web Services API reference). A standard virtual switch listens
to CDP alone, a distributed one to CDP or LLDP (vSphere Networking, "Switch Discovery Protocol"). The output has the objects of the API as
text; the agent sends only its lines that stay the same from read to read, without the brackets, so the reader needs no brackets either.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from plumbline.core.facts.configuration import Facts, Subject, Value
from plumbline.core.facts.esxi.entries import Body, Entry, Sink
from plumbline.core.facts.esxi.values import as_int

HINTS = "vim-cmd hostsvc/net/query_networkhint"
KEYS = ("switch", "switch_id", "switch_port", "switch_platform", "switch_address", "switch_mtu", "switch_native_vlan", "switch_protocol")
NOT_HEARD = "the switch announces nothing on this port: turn on CDP there, or LLDP where the uplink is of a distributed switch"
LINK_DOWN = "the link is down"

_FIELD = re.compile(r"^\s*(\w+) = (.*?),?\s*$")
_ABSENT = re.compile(r"^(?:<unset>|null|\(.*\)\s*null)$")
# `sw-san-1.example.com(FOC1234X0AB)`: NX-OS and CatOS put the serial number behind the name.
_SERIAL = re.compile(r"\([0-9A-Za-z]+\)$")
_MAC = re.compile(r"^(?:[0-9a-f]{2}[:.-]?){5}[0-9a-f]{2}$", re.I)
_LONGEST = 200


@dataclass(slots=True)
class Hint:
    """One uplink and what was heard on it: fields of CDP, fields and parameters of LLDP; an empty mapping where it was not heard."""

    device: str
    cdp: dict[str, str] = field(default_factory=dict)
    lldp: dict[str, str] = field(default_factory=dict)


def hints_of(output: str) -> list[Hint]:
    """The uplinks of an output, in its order; empty where it has none."""
    found: list[Hint] = []
    heard: dict[str, str] | None = None
    parameter = ""
    for line in output.replace("\r", "").split("\n"):
        match = _FIELD.match(line)
        if match is None:
            continue
        name, raw = match.groups()
        if name == "device":
            found.append(Hint(_plain(raw)))
            heard = None
        elif not found:
            continue
        elif name == "connectedSwitchPort":
            heard = None if _ABSENT.match(raw) else found[-1].cdp
        elif name == "lldpInfo":
            heard = None if _ABSENT.match(raw) else found[-1].lldp
        elif heard is None:
            continue
        elif name == "key":
            parameter = _plain(raw)
        elif name == "value" and parameter:
            heard.setdefault(parameter, _plain(raw))
            parameter = ""
        elif not raw.endswith(("{", "[")) and not _ABSENT.match(raw):
            heard.setdefault(name, _plain(raw))
    return found


def _plain(raw: str) -> str:
    """The text of a value: `"Eth1/17"`, `9216`, `(string) "Eth1/17"`, `(int) 9216`."""
    text = re.sub(r"^\([\w.:]+\)\s*", "", raw.strip())
    if text.startswith('"'):
        # The text of some switches goes over several lines, of which this is the first.
        text = text[1:].removesuffix('"').replace('\\"', '"')
    return text.strip()[:_LONGEST]


def set_hints(sink: Sink, body: Body, adapters: Mapping[str, Subject]) -> None:
    """The switch of each adapter (name -> subject), as its port announces it. Nothing where the command was not run."""
    asked = body.find(HINTS)
    if asked is None:
        return
    # People ask for one adapter at a time; the agent asks once for all.
    hints = {hint.device: (entry, hint) for entry in body.each(HINTS) if entry.is_ok for hint in hints_of(entry.output)}
    for name, subject in adapters.items():
        entry, hint = hints.get(name, (asked, None))
        if hint is None:
            sink.unknown(subject, KEYS, f"{asked.line} does not name {name}" if asked.is_ok else asked.why_not, asked)
        elif hint.cdp:
            _set(sink, entry, subject, "cdp", _of_cdp(hint.cdp))
        elif hint.lldp:
            _set(sink, entry, subject, "lldp", _of_lldp(hint.lldp))
        else:
            sink.unknown(subject, KEYS, LINK_DOWN if _is_down(sink.facts, subject) else NOT_HEARD, entry)


def _is_down(facts: Facts, subject: Subject) -> bool:
    link = facts.readings.get(subject, {}).get("link_up")
    return isinstance(link, Value) and link.value is False


def _of_cdp(heard: dict[str, str]) -> dict[str, tuple[str, str]]:
    """Setting -> field and text."""
    device = heard.get("devId", "")
    name = "systemName" if heard.get("systemName") else "devId"
    address = "mgmtAddr" if _is_address(heard.get("mgmtAddr", "")) else "address"
    return {
        "switch": (name, _SERIAL.sub("", heard.get(name, ""))),
        "switch_id": ("devId", device.lower()),
        "switch_port": ("portId", heard.get("portId", "")),
        "switch_platform": ("hardwarePlatform", heard.get("hardwarePlatform", "")),
        "switch_address": (address, heard.get(address, "")),
        "switch_mtu": ("mtu", heard.get("mtu", "")),
        "switch_native_vlan": ("vlan", heard.get("vlan", "")),
    }


def _of_lldp(heard: dict[str, str]) -> dict[str, tuple[str, str]]:
    chassis = heard.get("chassisId", "")
    name = "System Name" if heard.get("System Name") else "chassisId"
    # A port may be named by its number or its address alone; its description then is what people know it by.
    port = "portId"
    if (heard.get("portId", "").isdigit() or _MAC.match(heard.get("portId", ""))) and heard.get("Port Description"):
        port = "Port Description"
    vlan = next((key for key in heard if "vlan id" in key.lower()), "Vlan ID")
    return {
        "switch": (name, heard.get(name, "")),
        "switch_id": ("chassisId", chassis.lower()),
        "switch_port": (port, heard.get(port, "")),
        "switch_platform": ("System Description", heard.get("System Description", "").partition(",")[0]),
        "switch_address": ("Management Address", heard.get("Management Address", "")),
        "switch_mtu": ("MTU", heard.get("MTU", "")),
        "switch_native_vlan": (vlan, heard.get(vlan, "")),
    }


def _is_address(text: str) -> bool:
    return text not in ("", "0.0.0.0")  # noqa: S104 - what CDP prints for none


def _set(sink: Sink, entry: Entry, subject: Subject, protocol: str, told: dict[str, tuple[str, str]]) -> None:
    sink.value(subject, "switch_protocol", protocol, entry, "connectedSwitchPort" if protocol == "cdp" else "lldpInfo")
    for key, (title, text) in told.items():
        if key in ("switch_mtu", "switch_native_vlan"):
            # Zero is what is printed where the switch does not send it.
            number = as_int(text) or None
            value: int | str | None = number
        else:
            value = text if _is_address(text) else None
        if value is None:
            sink.unknown(subject, (key,), f"the switch does not announce it over {protocol.upper()}", entry)
        else:
            sink.value(subject, key, value, entry, title, text)
