"""A folder of captured outputs without Get-NetAdapter: interfaces are known by the GUID or the name that other commands give them.

A check-in has no such gap: there, what no inventory lists is not there.
"""

from typing import TYPE_CHECKING

from plumbline.facts.configuration import Facts, Reading, Subject, Value
from plumbline.facts.windows import adapters, properties
from plumbline.facts.windows.adapters import ADAPTER, HARDWARE, Interface, address_of, pci_location
from plumbline.facts.windows.interfaces import BY_INTERFACE
from plumbline.facts.windows.reads import Body, Row, as_int, as_text

if TYPE_CHECKING:
    from plumbline.facts.windows.derive import Join

_INTERFACE = "Get-NetIPInterface"
_ADDRESS = "Get-NetIPAddress"


def parse(body: Body) -> Facts:
    """Section `adapters`; where a folder has no inventory, what its other commands tell of interfaces by name."""
    facts = adapters.parse(body)
    reads = facts.observations["reads"]
    if not isinstance(reads, dict) or ADAPTER in reads:
        return facts
    for row in body.rows(_INTERFACE):
        mtu = as_int(row.get("NlMtu"))
        # The SAN speaks IPv4 in every paper; the IPv6 row stands in only where there is no other.
        is_first = (as_text(row.get("AddressFamily")) or "").lower() in ("ipv4", "2")
        if mtu is not None and 0 < mtu <= 65535:
            _tell(
                body,
                row,
                "InterfaceAlias",
                "mtu_operational",
                Value(mtu, body.source(_INTERFACE, "NlMtu", row.get("NlMtu"))),
                is_first=is_first,
            )
    for row in body.rows(HARDWARE):
        place = pci_location(row)
        if place:
            _tell(body, row, "Name", "pci", Value(place, body.source(HARDWARE, "Bus", place)))
        if "NumaNode" in row:
            _tell(body, row, "Name", "numa_node", body.reading(HARDWARE, row, "NumaNode", as_int))
    addresses: dict[str, list[str]] = {}
    for row in body.rows(_ADDRESS):
        address = address_of(row.get("IPAddress"), row.get("PrefixLength"))
        if address is not None:
            listed = addresses.setdefault((as_text(row.get("InterfaceAlias")) or "").lower(), [])
            listed.append(str(address))
            _tell(body, row, "InterfaceAlias", "addresses", Value(tuple(sorted(listed)), body.source(_ADDRESS, "IPAddress")))
    return facts


def _tell(body: Body, row: Row, name_field: str, key: str, reading: Reading, *, is_first: bool = True) -> None:
    name = as_text(row.get(name_field))
    if not name or name.lower().startswith("loopback"):
        return
    place = f"name:{name.lower()}"
    mine = body.by_interface().setdefault(place, {})
    if is_first or key not in mine:
        mine[key] = reading
    body.facts.observations.setdefault("names", {}).setdefault(place, name)  # type: ignore[attr-defined]


def lay_adapters(join: "Join") -> None:
    """An adapter for every interface that some command names. A name that one GUID alone carries is that interface."""
    if "adapters" in join.unread or ADAPTER in join.seen("adapters", "reads", {}):
        return
    names: dict[str, str] = {}
    for section in (*BY_INTERFACE, "properties"):
        names.update(join.seen(section, "names", {}))
    guids: dict[str, list[str]] = {}
    for key, name in names.items():
        if not key.startswith("name:"):
            guids.setdefault(f"name:{name.lower()}", []).append(key)
    told: dict[str, dict[str, Reading]] = {}
    for section in BY_INTERFACE:
        for key, read in join.seen(section, "by_interface", {}).items():
            same = guids.get(key, [])
            told.setdefault(same[0] if len(same) == 1 else key, {}).update(read)
    for key in sorted({*told, *join.seen("properties", "keywords", {})}):
        name = names.get(key, key.removeprefix("name:"))
        guid = "" if key.startswith("name:") else key
        interface = Interface(Subject("adapter", guid or name), guid, name, "", None, "", "", "", "", "")
        join.steps.complain(f"adapter {interface.subject.id}: Get-NetAdapter was not read, so its MAC address is not known")
        readings = dict(told.get(key, {}))
        held = join.seen("properties", "keywords", {}).get(key)
        if held is not None:
            offers = join.seen("property_catalogue", "offers_by_interface", {}).get(key)
            readings = {**properties.readings(held, offers, "the driver's list of values was not read"), **readings}
        join.steps.lay(interface.subject, readings)
