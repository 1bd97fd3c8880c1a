"""`esxcfg-info -a -F xml`: the switches with the order of their uplinks, and the machine. Read piece by piece; it may be tens of MiB."""

import io
import re
from xml.etree.ElementTree import Element, ParseError

import msgspec
from defusedxml import DefusedXmlException
from defusedxml.ElementTree import iterparse

# Lines that the tool mixes into its own XML.
_STRAY = re.compile(rb"^ResourceGroup:[^\n]*\n", re.MULTILINE)


class Info(msgspec.Struct):
    """What is read of it. `teaming`: port group -> active, standby, unused uplinks."""

    teaming: dict[str, tuple[list[str], list[str], list[str]]] = msgspec.field(default_factory=dict)
    hardware: dict[str, str] = msgspec.field(default_factory=dict)


def read_info(content: bytes) -> Info:
    """Never raises: of a text that is no XML nothing is read."""
    info = Info()
    try:
        for _, element in iterparse(io.BytesIO(_STRAY.sub(b"", content)), events=("end",), forbid_dtd=True):
            if element.tag == "virtual-switch":
                _switch(info, element)
                element.clear()
            elif element.tag == "hardware-info":
                for name in ("serial-number", "product-name", "vendor-name", "uuid"):
                    value = _leaf(element, name)
                    if value:
                        info.hardware[name] = value
                element.clear()
            elif element.tag in ("storage-info", "resource-info", "psa-info", "all-luns", "lun"):
                element.clear()
    except (ParseError, DefusedXmlException, ValueError, LookupError):
        return Info()
    return info


def _leaf(element: Element, name: str) -> str:
    return next(((child.text or "").strip() for child in element.iter("value") if child.get("name") == name), "")


def _switch(info: Info, switch: Element) -> None:
    uplinks = _words(_leaf(switch, "uplinks"))
    for group in switch.iter("port-group"):
        policy = next(group.iter("effective-teaming-policy"), None)
        name = _leaf(group, "name")
        order, most = ("", "") if policy is None else (_leaf(policy, "uplink-order"), _leaf(policy, "max-active-uplinks"))
        if name and order and most.isdigit():
            names = _words(order)
            info.teaming[name] = (names[: int(most)], names[int(most) :], [one for one in uplinks if one not in names])


def _words(text: str) -> list[str]:
    return [word for word in re.split(r"[,;\s]+", text) if word]
