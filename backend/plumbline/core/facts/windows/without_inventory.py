"""A folder of captured outputs whose Get-NetAdapter is missing, or does not list every adapter that its other commands name.

Interfaces are known then by the GUID or the name that those commands give them. A check-in has no such gap: there, what no inventory
lists is not there.
"""

from collections.abc import Mapping

from plumbline.core.facts.configuration import NOT_COLLECTED, Facts, Reading, Subject, Value
from plumbline.core.facts.join import Join
from plumbline.core.facts.windows import adapters, bindings, properties, tcp
from plumbline.core.facts.windows.adapters import HARDWARE, address_of, pci_location
from plumbline.core.facts.windows.interfaces import BY_INTERFACE
from plumbline.core.facts.windows.link import ADAPTER
from plumbline.core.facts.windows.observations import Observations
from plumbline.core.facts.windows.reads import Body, Row, as_int, as_text

_INTERFACE = "Get-NetIPInterface"
_ADDRESS = "Get-NetIPAddress"
# These also list tunnels, miniports and cards that are long gone: what only they name need not be an adapter.
_NAME_MORE_THAN_ADAPTERS = frozenset({_INTERFACE, _ADDRESS, tcp.REGISTRY, bindings.NETBIOS})
# Interfaces of Windows itself. It marks hidden miniports with a star, which it allows in no other name.
_OWN_NAMES = ("loopback", "isatap", "teredo", "6to4")
_MOST_NAMED = 5
# Setting of an adapter -> the same of a virtual interface.
_OF_VNIC = {"rdma": "rdma", "addresses": "addresses", "mtu_operational": "mtu"}


def parse(body: Body) -> Facts:
    """Section `adapters`, and readings by interface name from its other commands, where a folder's inventory may lack interfaces."""
    facts = adapters.parse(body)
    if body.read(ADAPTER).is_copied or not _has_inventory(facts):
        _read_by_name(body)
    return facts


def _has_inventory(facts: Facts) -> bool:
    reads = facts.observations["reads"]
    return not isinstance(reads, dict) or ADAPTER in reads


def _read_by_name(body: Body) -> None:
    for row in body.rows(_INTERFACE):
        mtu = as_int(row.get("NlMtu"))
        # The SAN uses IPv4 in every paper; the IPv6 row is used only where there is no other.
        is_first = (as_text(row.get("AddressFamily")) or "").lower() in ("ipv4", "2")
        if mtu is not None and 0 < mtu <= 65535:
            read = Value(mtu, body.source(_INTERFACE, "NlMtu", row.get("NlMtu")))
            _note(body, row, "InterfaceAlias", "mtu_operational", read, is_first=is_first)
    for row in body.rows(HARDWARE):
        place = pci_location(row)
        if place:
            _note(body, row, "Name", "pci", Value(place, body.source(HARDWARE, "Bus", place)))
        if "NumaNode" in row:
            _note(body, row, "Name", "numa_node", body.reading(HARDWARE, row, "NumaNode", as_int))
    addresses: dict[str, list[str]] = {}
    for row in body.rows(_ADDRESS):
        address = address_of(row.get("IPAddress"), row.get("PrefixLength"))
        if address is not None:
            listed = addresses.setdefault((as_text(row.get("InterfaceAlias")) or "").lower(), [])
            listed.append(str(address))
            _note(body, row, "InterfaceAlias", "addresses", Value(tuple(sorted(listed)), body.source(_ADDRESS, "IPAddress")))


def _note(body: Body, row: Row, name_field: str, key: str, reading: Reading, *, is_first: bool = True) -> None:
    name = as_text(row.get(name_field))
    if not name or name.lower().startswith(_OWN_NAMES) or "*" in name:
        return
    place = f"name:{name.lower()}"
    by_name = body.facts.observations.setdefault("read_by_name", {})
    assert isinstance(by_name, dict)
    mine = by_name.setdefault(place, {})
    if is_first or key not in mine:
        mine[key] = reading
    names = body.facts.observations.setdefault("names", {})
    assert isinstance(names, dict)
    names.setdefault(place, name)


def add_adapters(join: Join, observed: Observations) -> dict[str, str]:
    """An adapter for every interface that some command names and no inventory lists; what need not be an adapter becomes a problem.

    Returns, by the lower-case name of a listed interface, the GUID that a command gives to that name alone.
    """
    has_inventory = ADAPTER in join.observation("adapters", "reads", {})
    if "adapters" in join.unread or (has_inventory and ADAPTER not in join.observation("adapters", "copied_reads", ())):
        return {}
    names: dict[str, str] = {}
    for section in (*BY_INTERFACE, "properties"):
        names.update(join.observation(section, "names", {}))
    guids: dict[str, list[str]] = {}
    for key, name in names.items():
        if not key.startswith("name:"):
            guids.setdefault(f"name:{name.lower()}", []).append(key)
    own_guid = {name: found[0] for name, found in guids.items() if len(found) == 1}
    by_key = _readings_by_interface(join, own_guid)
    listed = {f"name:{one.name.lower()}" for one in observed.interfaces}
    # A name that two GUIDs carry is no name of either.
    aliases = {name.removeprefix("name:"): guid for name, guid in own_guid.items() if name in listed}
    listed |= {*(one.guid for one in observed.interfaces), *aliases.values(), *join.observation("adapters", "passed_over", ())}
    left_out: dict[tuple[str, ...], list[str]] = {}
    for key in sorted({*by_key, *join.observation("properties", "keywords", {})} - listed):
        name = names.get(key, key.removeprefix("name:"))
        readings = _with_keywords(join, key, by_key.get(key, {}))
        commands = _commands(readings)
        if has_inventory and _NAME_MORE_THAN_ADAPTERS.issuperset(commands):
            left_out.setdefault(commands, []).append(name)
            continue
        _add(join, "" if key.startswith("name:") else key, name, readings, commands if has_inventory else ())
    for commands, found in left_out.items():
        more = f" and {len(found) - _MOST_NAMED} more" if len(found) > _MOST_NAMED else ""
        join.problem(f"Get-NetAdapter does not list {', '.join(found[:_MOST_NAMED])}{more}: left out of {', '.join(commands)}")
    return aliases


def _readings_by_interface(join: Join, own_guid: Mapping[str, str]) -> dict[str, dict[str, Reading]]:
    found: dict[str, dict[str, Reading]] = {}
    for section, name in (("adapters", "read_by_name"), *((section, "by_interface") for section in BY_INTERFACE)):
        for key, read in join.observation(section, name, {}).items():
            collected = {setting: reading for setting, reading in read.items() if reading is not NOT_COLLECTED}
            found.setdefault(own_guid.get(key, key), {}).update(collected)
    return found


def _with_keywords(join: Join, key: str, readings: Mapping[str, Reading]) -> dict[str, Reading]:
    held = join.observation("properties", "keywords", {}).get(key)
    if held is None:
        return dict(readings)
    offers = join.observation("property_catalogue", "offers_by_interface", {}).get(key)
    return {**properties.readings(held, offers, "the driver's list of values was not read"), **readings}


def _commands(readings: Mapping[str, Reading]) -> tuple[str, ...]:
    return tuple(sorted({reading.source.command for reading in readings.values() if reading.source is not None}))


def _add(join: Join, guid: str, name: str, readings: Mapping[str, Reading], commands: tuple[str, ...]) -> None:
    if name.startswith("vEthernet ("):
        join.set_default(Subject("vnic", guid or name), {_OF_VNIC[key]: read for key, read in readings.items() if key in _OF_VNIC})
        join.problem(f"vnic {name}: Get-NetAdapter {'does not list it' if commands else 'was not read'}")
        return
    subject = Subject("adapter", guid or name)
    if commands:
        known = f"Get-NetAdapter does not list it, so its MAC address is not known; it is in {', '.join(commands)}"
        join.problem(f"adapter {subject.id}: {known}")
    else:
        join.problem(f"adapter {subject.id}: Get-NetAdapter was not read, so its MAC address is not known")
    join.set_default(subject, readings)
