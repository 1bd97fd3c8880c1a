"""Section `adapters`: the inventory that every other section's rows are joined to."""

import ipaddress
from dataclasses import dataclass, field

from plumbline.core.facts.configuration import Facts, NotOffered, Subject, Unknown, Value
from plumbline.core.facts.windows.families import family_of, pci_ids
from plumbline.core.facts.windows.link import ADAPTER, STATUS, UP, driver_date, driver_version, is_told_in_one, set_link
from plumbline.core.facts.windows.reads import Body, Row, as_bool, as_int, as_text, guid_in, is_cut, raw_text, texts

HARDWARE = "Get-NetAdapterHardwareInfo"
_VIRTUAL_BUSES = ("root\\", "compositebus\\", "swd\\", "comp_")


@dataclass(slots=True)
class Interface:
    """One network interface of the host as the join sees it: an adapter (a card) or a vnic (a virtual interface)."""

    subject: Subject
    guid: str
    name: str
    description: str
    index: int | None
    pnp_id: str
    driver: str
    driver_version: str
    component_id: str
    mac: str
    team: str = ""
    addresses: list[ipaddress.IPv4Interface | ipaddress.IPv6Interface] = field(default_factory=list)
    ips: list[str] = field(default_factory=list)  # the same without prefix, in canonical text
    has_default_route: bool = False

    @property
    def is_adapter(self) -> bool:
        """A card, not a virtual interface."""
        return self.subject.kind == "adapter"


def parse(body: Body) -> Facts:
    """Identity and link of every interface; teams; hardware initiators that show as storage controllers."""
    interfaces = _interfaces(body)
    body.facts.observations["interfaces"] = interfaces
    _addresses(body, interfaces)
    _teams(body, interfaces)
    body.facts.observations["offload_engines"] = _offload_engines(body)
    return body.facts


def mac_of(raw: object) -> str:
    """A MAC address as twelve lower-case hex digits; empty where it is masked, all zero or no MAC at all."""
    text = (as_text(raw) or "").lower()
    for sign in "-:. ":
        text = text.replace(sign, "")
    if len(text) != 12 or any(sign not in "0123456789abcdef" for sign in text) or text in ("0" * 12, "f" * 12):
        return ""
    return text


def _interfaces(body: Body) -> list[Interface]:
    hardware = {(as_text(row.get("Name")) or "").lower(): row for row in body.rows(HARDWARE)}
    taken: dict[Subject, str] = {}
    interfaces: list[Interface] = []
    for row in body.rows(ADAPTER):
        name = as_text(row.get("Name")) or as_text(row.get("InterfaceAlias")) or as_text(row.get("ifAlias")) or ""
        guid = guid_in(row.get("InterfaceGuid")) or guid_in(row.get("InstanceID")) or guid_in(row.get("DeviceID"))
        if as_bool(row.get("Hidden")):
            passed_over = body.facts.observations.setdefault("passed_over", [])
            assert isinstance(passed_over, list)
            passed_over += [guid, f"name:{name.lower()}"]
            continue
        card = hardware.get(name.lower(), {})
        interface = Interface(
            subject=Subject("", ""),
            guid=guid,
            name=name,
            description=as_text(row.get("InterfaceDescription")) or as_text(row.get("ifDesc")) or "",
            index=as_int(row.get("ifIndex")) if row.get("ifIndex") is not None else as_int(row.get("InterfaceIndex")),
            pnp_id=as_text(row.get("PnPDeviceID")) or "",
            driver=as_text(row.get("DriverFileName")) or "",
            driver_version=as_text(row.get("DriverVersion")) or "",
            component_id=as_text(row.get("ComponentID")) or "",
            mac=mac_of(row.get("PermanentAddress")) or mac_of(row.get("MacAddress")),
        )
        if _is_virtual(row, interface):
            interface.subject = Subject("vnic", guid or name)
        else:
            interface.subject = _adapter_subject(body, interface, card, taken)
        if interface.subject in taken or not interface.subject.id:
            shown = row.get("Name")
            named = name or (shown["cut"] if isinstance(shown, dict) and is_cut(shown) else "") or "an adapter"
            body.facts.problems.append(f"{ADAPTER}: {named} has no identity of its own (no MAC, PCI location or GUID); left out")
            continue
        taken[interface.subject] = name
        interfaces.append(interface)
        if interface.is_adapter:
            _identity(body, interface, row, card)
        else:
            _virtual_identity(body, interface, row)
    read = body.read(ADAPTER)
    if read.reason:
        body.facts.problems.append(read.reason)
    return interfaces


def _is_virtual(row: Row, interface: Interface) -> bool | None:
    """None where a copied table shows neither flag nor PnP id, nor a name or description that Windows gives to virtual interfaces."""
    virtual = as_bool(row.get("Virtual"))
    if virtual is not None:
        return virtual
    if interface.pnp_id or "PnPDeviceID" in row:
        return interface.pnp_id.lower().startswith(_VIRTUAL_BUSES)
    # They show the MAC address of a card below them, whose row it must not replace. A view may cut the description off.
    described = raw_text(row.get("InterfaceDescription") or row.get("ifDesc")).lower()
    is_named = interface.name.startswith("vEthernet (") or "multiplex" in described or ("hyper-v" in described and "virtu" in described)
    return True if is_named else None


def _adapter_subject(body: Body, interface: Interface, card: Row, taken: dict[Subject, str]) -> Subject:
    location = pci_location(card)
    by_mac = Subject("adapter", interface.mac)
    if interface.mac and by_mac not in taken:
        return by_mac
    if interface.mac:
        body.facts.problems.append(f"{ADAPTER}: {interface.name} has the MAC address of {taken[by_mac]}; it is known by its PCI location")
    return Subject("adapter", location or interface.guid)


def pci_location(card: Row) -> str:
    """A row of Get-NetAdapterHardwareInfo as `0000:04:00.1`; empty where it names no place."""
    segment, bus, device, function = (as_int(card.get(part)) for part in ("Segment", "Bus", "Device", "Function"))
    if bus is None or device is None or function is None or min(bus, device, function) < 0:
        return ""
    return f"{max(segment or 0, 0):04x}:{bus:02x}:{device:02x}.{function:x}"


def _identity(body: Body, interface: Interface, row: Row, card: Row) -> None:
    facts, subject = body.facts, interface.subject
    facts.set(
        subject,
        "name",
        Value(interface.name, body.source(ADAPTER, "Name", interface.name))
        if interface.name
        else body.reading(ADAPTER, row, "Name", as_text),
    )
    if _is_virtual(row, interface) is None:
        facts.set(subject, "is_virtual", Unknown("neither a flag nor a PnP id is shown", body.source(ADAPTER, "Virtual")))
    else:
        facts.set_value(subject, "is_virtual", False, body.source(ADAPTER, "Virtual", row.get("Virtual")))
    if interface.guid:
        facts.set_value(
            subject, "interface_guid", "{" + interface.guid.upper() + "}", body.source(ADAPTER, "InterfaceGuid", interface.guid)
        )
    vlan = as_int(row.get("VlanID"))
    if vlan is not None:
        facts.set_value(subject, "vlan", vlan, body.source(ADAPTER, "VlanID", row.get("VlanID")))
    if interface.mac:
        field_name = "PermanentAddress" if mac_of(row.get("PermanentAddress")) else "MacAddress"
        mac = "-".join(interface.mac[at : at + 2] for at in range(0, 12, 2)).upper()
        facts.set_value(subject, "mac", mac, body.source(ADAPTER, field_name, row.get(field_name)))
    else:
        facts.set(subject, "mac", Unknown("the system shows no permanent MAC address", body.source(ADAPTER, "PermanentAddress")))
    body.set_from_row(
        subject,
        {
            "description": ("InterfaceDescription" if "InterfaceDescription" in row else "ifDesc", as_text),
            "pnp_id": ("PnPDeviceID", as_text),
            "driver": ("DriverFileName", as_text),
            "driver_version": ("DriverVersion", as_text) if not is_told_in_one(row) else ("DriverInformation", driver_version),
            "driver_date": ("DriverDate", as_text) if not is_told_in_one(row) else ("DriverInformation", driver_date),
        },
        ADAPTER,
        row,
    )
    set_link(body, subject, row)
    location = pci_location(card)
    if location:
        facts.set_value(subject, "pci", location, body.source(HARDWARE, "Bus", location))
    else:
        facts.set(subject, "pci", body.missing(HARDWARE, "Bus"))
    if card:
        facts.set(subject, "numa_node", body.reading(HARDWARE, card, "NumaNode", as_int))
    family = family_of(interface.pnp_id, interface.driver)
    family_source = body.source(
        ADAPTER, "PnPDeviceID" if pci_ids(interface.pnp_id)[0] else "DriverFileName", interface.pnp_id or interface.driver
    )
    if family is None:
        facts.set(subject, "family", Unknown("neither PnP id nor driver file is known", family_source))
    else:
        facts.set_value(subject, "family", family, family_source)


def _virtual_identity(body: Body, interface: Interface, row: Row) -> None:
    body.facts.set_value(interface.subject, "name", interface.name, body.source(ADAPTER, "Name", interface.name))
    admin = body.reading(ADAPTER, row, "AdminStatus", UP)
    summary = STATUS.get((as_text(row.get("Status")) or "").lower()) if "AdminStatus" not in row else None
    if summary is not None and summary[0] is not None:
        body.facts.set_value(interface.subject, "enabled", summary[0], body.source(ADAPTER, "Status", row.get("Status")))
        return
    body.facts.set(interface.subject, "enabled", Value(admin.value == "up", admin.source) if isinstance(admin, Value) else admin)


def _addresses(body: Body, interfaces: list[Interface]) -> None:
    by_index: dict[int | None, Interface] = {interface.index: interface for interface in interfaces if interface.index is not None}
    by_name = {interface.name.lower(): interface for interface in interfaces}
    read = body.read("Get-NetIPAddress")
    for row in read.rows:
        found = by_index.get(as_int(row.get("InterfaceIndex")))
        if found is None and "InterfaceIndex" not in row:
            found = by_name.get((as_text(row.get("InterfaceAlias")) or "").lower())
        address = address_of(row.get("IPAddress"), row.get("PrefixLength"))
        if found is not None and address is not None:
            found.addresses.append(address)
            found.ips.append(str(address.ip))
    for interface in interfaces:
        source = body.source("Get-NetIPAddress", "IPAddress")
        if read.reason:
            body.facts.set(interface.subject, "addresses", Unknown(read.reason, source))
        else:
            body.facts.set_value(interface.subject, "addresses", tuple(sorted(str(address) for address in interface.addresses)), source)
    for row in body.rows("Get-NetRoute"):
        found = by_index.get(as_int(row.get("InterfaceIndex")))
        if found is not None and as_text(row.get("DestinationPrefix")) in ("0.0.0.0/0", "::/0"):
            found.has_default_route = True
    _management(body, interfaces)
    _mtu_in_use(body, interfaces)


def _management(body: Body, interfaces: list[Interface]) -> None:
    """Whether the default route leaves over each; not collected where the routes are not among copied outputs."""
    if not body.has("Get-NetRoute"):
        return
    routes = body.read("Get-NetRoute")
    unread = routes.reason or ("the copied output of Get-NetRoute shows only some routes" if routes.lacks_rows else "")
    for interface in interfaces:
        source = body.source("Get-NetRoute", "DestinationPrefix")
        if unread and not interface.has_default_route:
            body.facts.set(interface.subject, "management", Unknown(unread, source))
        else:
            body.facts.set_value(interface.subject, "management", interface.has_default_route, source)


def address_of(address: object, prefix: object) -> ipaddress.IPv4Interface | ipaddress.IPv6Interface | None:
    """An address with its prefix; None where it is none."""
    text = (as_text(address) or "").partition("%")[0]
    length = as_int(prefix)
    try:
        return ipaddress.ip_interface(text if length is None else f"{text}/{length}")
    except ValueError:
        return None


def _mtu_in_use(body: Body, interfaces: list[Interface]) -> None:
    command = "Get-NetIPInterface"
    found: dict[int | str | None, Row] = {}
    for row in body.rows(command):
        # The SAN uses IPv4 in every paper; the IPv6 row is used only where there is no other.
        # A copied view may leave the index out.
        key = as_int(row.get("InterfaceIndex")) if "InterfaceIndex" in row else (as_text(row.get("InterfaceAlias")) or "").lower()
        family = (as_text(row.get("AddressFamily")) or "").lower()
        if key not in found or family in ("ipv4", "2"):
            found[key] = row
    for interface in interfaces:
        setting = "mtu_operational" if interface.is_adapter else "mtu"
        mine = (found.get(interface.index) if interface.index is not None else None) or found.get(interface.name.lower())
        if mine is None:
            body.facts.set(interface.subject, setting, body.missing(command, "NlMtu"))
            continue
        mtu = as_int(mine.get("NlMtu"))
        source = body.source(command, "NlMtu", mine.get("NlMtu"))
        if mtu is None or not 0 < mtu <= 65535:
            body.facts.set(interface.subject, setting, Unknown(f"NlMtu is {source.raw!r}", source))
        else:
            body.facts.set_value(interface.subject, setting, mtu, source)


def _teams(body: Body, interfaces: list[Interface]) -> None:
    command = "Get-NetLbfoTeam"
    read = body.read(command)
    for row in read.rows:
        name = as_text(row.get("Name"))
        if not name:
            body.facts.problems.append(f"{command}: a team without a name")
            continue
        members = sorted(texts(row.get("Members")))
        team = Subject("team", name)
        body.facts.set(team, "members", body.reading(command, {"Members": row.get("Members") or []}, "Members", lambda _: tuple(members)))  # noqa: B023
        body.set_from_row(
            team,
            {
                "mode": ("TeamingMode", as_text),
                "load_balancing": ("LoadBalancingAlgorithm", as_text),
                "status": ("Status", as_text),
            },
            command,
            row,
        )
        for interface in interfaces:
            if interface.name in members:
                interface.team = name
    member = "Get-NetLbfoTeamMember"
    members_of: dict[str, set[str]] = {}
    for row in body.rows(member):
        team_name, name = as_text(row.get("Team")), as_text(row.get("Name"))
        if team_name and name:
            members_of.setdefault(team_name, set()).add(name)
            names_seen = body.facts.observations.setdefault("names", {})
            assert isinstance(names_seen, dict)
            names_seen.setdefault(f"name:{name.lower()}", name)
            body.by_interface().setdefault(f"name:{name.lower()}", {})["team"] = Value(team_name, body.source(member, "Team", team_name))
        for interface in interfaces:
            if interface.name and interface.name == as_text(row.get("Name")):
                interface.team = as_text(row.get("Team")) or interface.team
    for team_name, names in members_of.items():
        # Get-NetLbfoTeam names the members itself; where only the members answered, they make the team known.
        if Subject("team", team_name) not in body.facts.readings:
            body.facts.set(Subject("team", team_name), "members", Value(tuple(sorted(names)), body.source(member, "Name")))
    for interface in interfaces:
        if not interface.is_adapter:
            continue
        if interface.team:
            body.facts.set_value(interface.subject, "team", interface.team, body.source(member, "Team", interface.team))
        elif read.reason and not read.is_unavailable:
            body.facts.set(interface.subject, "team", Unknown(read.reason, body.source(command, "Members")))
        elif read.is_unavailable:
            body.facts.set(interface.subject, "team", NotOffered("this release has no LBFO teaming", body.source(command, "Members")))
        else:
            body.facts.set_value(interface.subject, "team", "", body.source(command, "Members"))


def _offload_engines(body: Body) -> list[Row]:
    """Storage controllers that are iSCSI functions of a network card: how iSOE shows itself (papers.yaml, W-S2 and T18)."""
    found: list[Row] = []
    for row in body.rows("Win32_SCSIController"):
        pnp_id = as_text(row.get("PNPDeviceID")) or ""
        driver = (as_text(row.get("DriverName")) or as_text(row.get("InfName")) or "").lower()
        vendor, device = pci_ids(pnp_id)
        if family_of(pnp_id, driver) == "bcm57810" or (vendor == "14e4" and device) or driver.startswith(("bxois", "be2iscsi")):
            if not pnp_id and not as_text(row.get("Name")):
                body.facts.problems.append("Win32_SCSIController: an offload engine without PnP id or name")
                continue
            found.append({"pnp_id": pnp_id, "name": raw_text(row.get("Name")), "driver": driver, "row": row})
    return found
