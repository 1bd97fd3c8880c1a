"""Settings that need several sections: each adapter's settings by its MAC, roles, initiator mode, delayed ACK, paths."""

from collections.abc import Mapping
from typing import Any

from plumbline.core.facts.configuration import HOST, NOT_COLLECTED, Facts, NotOffered, Reading, Source, Subject, Unknown, Value
from plumbline.core.facts.join import Join
from plumbline.core.facts.paths import PathMap
from plumbline.core.facts.windows import interfaces, path_map, probes, tcp, tcp_stack, vswitch, without_inventory
from plumbline.core.facts.windows.adapters import Interface
from plumbline.core.facts.windows.families import family_of
from plumbline.core.facts.windows.link import ADAPTER
from plumbline.core.facts.windows.observations import Observations
from plumbline.core.facts.windows.roles import Evidence, Role, role_by_person, roles_of

HIDDEN = "not readable: iSOE hides the adapter from Windows"
_RANKS = {"san_iscsi": 3, "s2d_storage": 2, "management": 1}


def join_sections(join: Join) -> tuple[Facts, PathMap]:
    """All settings that need several sections, and the path map."""
    # Of a list that broke off, another connection to the same portal may leave from another address.
    connections = [] if join.why_unread("tcp", tcp.CONNECTIONS) else join.observation("tcp", "connections", [])
    observed = Observations(
        interfaces=join.observation("adapters", "interfaces", []),
        sessions=path_map.with_sources(join.observation("iscsi", "sessions", []), connections),
    )
    observed.guid_by_name = without_inventory.add_adapters(join, observed)
    interfaces.set_interfaces(join, observed)
    interfaces.set_rdma_by_smb(join, observed)
    _switches(join, observed)
    hidden_roles = _offload_engines(join, observed)
    observed.hidden = frozenset(hidden_roles)
    observed.roles = _roles(join, observed, hidden_roles)
    _initiator_modes(join, observed)
    tcp_stack.host_settings(join, observed)
    _probes(join, observed)
    found = path_map.build(join, observed.sessions, observed.adapters_of_initiators)
    path_map.volume_settings(found, join)
    join.facts.observations["routes"] = path_map.session_routes(join, observed.sessions, observed.adapters_of_initiators)
    _sessions_spread(join, observed)
    return join.facts, found.path_map


def _switches(join: Join, observed: Observations) -> None:
    uplinks = join.observation("vswitch", "uplinks", {})
    host_interfaces = {row["guid"] or row["name"].lower(): row for row in join.observation("vswitch", "host_interfaces", [])}
    mappings = join.observation("vswitch", "mappings", {})
    reason = join.why_unread("vswitch", "Get-VMSwitch")
    has_hyper_v = join.observation("system", "features", {}).get("hyper-v")
    source = Source("vswitch", "Get-VMSwitch", "NetAdapterInterfaceDescriptions")
    for interface in observed.interfaces:
        if interface.is_adapter:
            if not reason or has_hyper_v is False or interface.description in uplinks:
                join.set_value(interface.subject, "vswitch", uplinks.get(interface.description, ""), source)
            elif reason != NOT_COLLECTED.reason:
                join.set(interface.subject, "vswitch", Unknown(reason, source))
            continue
        # The system names the interface `vEthernet (NAME)` after its virtual adapter.
        short = interface.name.partition("(")[2].rstrip(")").lower()
        row = host_interfaces.get(interface.guid) or host_interfaces.get(short) or host_interfaces.get(interface.name.lower())
        if row is None:
            unlisted = join.why_unread("vswitch", vswitch.HOST_INTERFACE)
            if vswitch.HOST_INTERFACE in join.observation("vswitch", "failed_reads", ()):
                join.set(interface.subject, "vswitch", Unknown(unlisted, Source("vswitch", vswitch.HOST_INTERFACE, "SwitchName")))
            continue
        switch = Source("vswitch", "Get-VMNetworkAdapter", "SwitchName", row["switch"])
        join.set_value(interface.subject, "vswitch", row["switch"], switch)
        card = mappings.get(row["name"].lower(), "")
        mapping = Source("vswitch", vswitch.MAPPING, "NetAdapterName", card)
        # A release without the cmdlet pins nothing.
        has_none = vswitch.MAPPING in join.observation("vswitch", "unavailable_reads", ())
        unread = "" if has_none else join.why_unread("vswitch", vswitch.MAPPING)
        join.set(interface.subject, "team_mapping", Unknown(unread, mapping) if unread and not card else Value(card, mapping))


# --- iSCSI offload engines ------------------------------------------------------------------------------------------------------------


def _offload_engines(join: Join, observed: Observations) -> dict[Subject, Role]:
    """iSOE: the card left Windows' networking and shows as a storage controller; its settings are unknown, never missing.

    Returns the roles of the adapters that Windows does not show.
    """
    roles: dict[Subject, Role] = {}
    initiators = join.observation("iscsi", "initiators", {}).items()
    by_instance = {instance.lower(): subject for subject, (instance, _, _) in initiators}
    for engine in join.observation("adapters", "offload_engines", []):
        pnp_id = engine["pnp_id"]
        source = Source("adapters", "Win32_SCSIController", "PNPDeviceID", pnp_id)
        visible = _card_of(join, observed, pnp_id)
        adapter = visible.subject if visible is not None else Subject("adapter", pnp_id.lower() or engine["name"].lower())
        known = next((found for instance, found in by_instance.items() if pnp_id and instance.startswith(pnp_id.lower())), "")
        initiator = Subject("initiator", known or pnp_id or engine["name"])
        observed.adapters_of_initiators[initiator.id] = adapter.id
        join.set_value(initiator, "name", engine["name"], Source("adapters", "Win32_SCSIController", "Name", engine["name"]))
        join.set_value(initiator, "driver", engine["driver"], Source("adapters", "Win32_SCSIController", "DriverName", engine["driver"]))
        join.set_value(initiator, "mode", "isoe", source)
        join.set_value(initiator, "adapter", adapter.id, source)
        family = family_of(pnp_id, engine["driver"])
        join.set(
            initiator, "family", Unknown("neither PnP id nor driver file is known", source) if family is None else Value(family, source)
        )
        for key in ("mtu", "flow_control", "frame_probe"):
            join.set(initiator, key, Unknown("only shown in the vendor tool (BACS)", source))
        if visible is None:
            roles[adapter] = _hidden_adapter(join, adapter, engine, source)
    return roles


def _card_of(join: Join, observed: Observations, pnp_id: str) -> Interface | None:
    """The visible card of an engine: both are children of one device of the vendor's bus driver, which has no others."""
    parent = _bus_parent(pnp_id)
    engines = [row for row in join.observation("adapters", "offload_engines", []) if _bus_parent(row["pnp_id"]) == parent]
    cards = [interface for interface in observed.interfaces if interface.is_adapter and _bus_parent(interface.pnp_id) == parent]
    return cards[0] if parent and len(engines) == len(cards) == 1 else None


def _hidden_adapter(join: Join, adapter: Subject, engine: Mapping[str, Any], source: Source) -> Role:
    hidden = Unknown(HIDDEN, source)
    readings: dict[str, Reading] = dict.fromkeys(interfaces.ADAPTER_KEYS, hidden)
    family = family_of(engine["pnp_id"], engine["driver"])
    readings["family"] = Value(family, source) if family is not None else hidden
    readings["name"] = Value(engine["name"], Source("adapters", "Win32_SCSIController", "Name", engine["name"]))
    readings["pnp_id"] = Value(engine["pnp_id"], source)
    readings["driver"] = Value(engine["driver"], Source("adapters", "Win32_SCSIController", "DriverName", engine["driver"]))
    version = engine["row"].get("DriverVersion")
    if isinstance(version, str) and version:
        readings["driver_version"] = Value(version, Source("adapters", "Win32_SCSIController", "DriverVersion", version))
    readings["is_virtual"] = Value(False, source)
    for key, reading in readings.items():
        join.replace(adapter, key, reading)
    if adapter in join.roles_by_person:
        return role_by_person(join.roles_by_person[adapter])
    return Role("san_iscsi", "iSCSI offload engine is on", (source.section, source.command, source.field))


def _bus_parent(pnp_id: str) -> str:
    """What the instance ids of one bus device's children share: `5&2a3b4c5d&0` of `B06BDRV\\L2ND&...\\5&2A3B4C5D&0&30120101`."""
    return pnp_id.lower().rpartition("\\")[2].rpartition("&")[0]


# --- Roles ----------------------------------------------------------------------------------------------------------------------------


def _roles(join: Join, observed: Observations, hidden: Mapping[Subject, Role]) -> dict[Subject, Role]:
    """The role of every interface, and of the adapters that iSOE hides."""
    smb = join.observation("storage", "smb", [])
    s2d_unread = _s2d_unread(join)
    evidence = Evidence(
        session_sources=_session_sources(join),
        portals=tuple(join.observation("iscsi", "portals", ())),
        probe_sources=join.observation("probes", "sources", frozenset()),
        is_s2d=None if s2d_unread else join.value("system", HOST, "s2d") == "enabled",
        smb_addresses=frozenset(address for address, _, _ in smb if address),
        smb_indices=frozenset(index for _, index, _ in smb if index is not None),
        rdma={interface.subject: _is_enabled(join, interface.subject, "rdma") for interface in observed.interfaces},
        iscsi_unread=_iscsi_unread(join, observed),
        storage_unread=join.why_not_whole("storage", "Get-SmbMultichannelConnection"),
        s2d_unread=s2d_unread,
        addresses_unread=join.why_not_whole("adapters", "Get-NetIPAddress"),
        routes_unread=join.why_not_whole("adapters", "Get-NetRoute"),
        rdma_unread=_unread_rdma(join, observed),
    )
    roles = dict(hidden)
    for subject, role in roles_of(observed.interfaces, evidence, join.roles_by_person).items():
        roles.setdefault(subject, role)
    _take_roles_from_above(join, observed, roles)
    for subject, role in roles.items():
        reading, reason = role.readings()
        join.replace(subject, "role", reading)
        if subject.kind == "adapter":
            join.replace(subject, "role_reason", reason)
    return roles


def _session_sources(join: Join) -> dict[str, tuple[str, str, str]]:
    live = join.observation("tcp", "live_sources", frozenset())
    found = dict.fromkeys(live, ("tcp", tcp.CONNECTIONS, "LocalAddress"))
    for address, (command, name) in join.observation("iscsi", "session_sources", {}).items():
        found[address] = ("iscsi", command, name)
    return found


def _iscsi_unread(join: Join, observed: Observations) -> str:
    """Why an interface that neither session nor portal names may carry iSCSI all the same; empty where it surely does not."""
    if _has_all_connections(join) and join.why_not_whole("iscsi", "Get-IscsiSession"):
        return ""
    if "iscsi" in join.unread:
        return join.unread["iscsi"]
    if "iscsi" not in join.sections:
        return "section iscsi not collected"
    if join.observation("iscsi", "is_stopped", False):
        return ""
    unread = join.why_not_whole("iscsi", "Get-IscsiSession") or join.why_not_whole("iscsi", "Get-IscsiTargetPortal")
    if not unread and any(not session.source and session.initiator not in observed.adapters_of_initiators for session in observed.sessions):
        # A default login names no address: then the connections show where the session leaves from.
        unread = join.why_not_whole("tcp", tcp.CONNECTIONS)
    return unread


def _has_all_connections(join: Join) -> bool:
    """Whether all TCP connections of the host were listed whole, as in a bundle: then those to targets show what carries iSCSI."""
    return bool(join.observation("tcp", "lists_all_connections", False)) and not join.why_not_whole("tcp", tcp.CONNECTIONS)


def _s2d_unread(join: Join) -> str:
    """Why it is not known whether Storage Spaces Direct is on; empty where it is."""
    reading = join.reading("system", HOST, "s2d")
    if reading is None:
        return join.unread.get("system", "section system not collected")
    return reading.reason if isinstance(reading, Unknown) else ""


def _unread_rdma(join: Join, observed: Observations) -> dict[Subject, str]:
    found: dict[Subject, str] = {}
    for interface in observed.interfaces:
        reading = join.current(interface.subject, "rdma") or NOT_COLLECTED
        if isinstance(reading, Unknown):
            found[interface.subject] = reading.reason
    return found


def _is_enabled(join: Join, subject: Subject, key: str) -> bool:
    reading = join.current(subject, key)
    return isinstance(reading, Value) and reading.value == "enabled"


def _take_roles_from_above(join: Join, observed: Observations, roles: dict[Subject, Role]) -> None:
    """A card below a team or virtual switch carries what the interfaces on it carry."""
    for interface in observed.interfaces:
        if not interface.is_adapter or interface.subject in join.roles_by_person:
            continue
        switch = join.current(interface.subject, "vswitch")
        switch_name = switch.value if isinstance(switch, Value) else ""
        for other in observed.interfaces:
            role = roles[other.subject]
            if other.is_adapter or (role.role is not None and role.role not in _RANKS):
                continue
            on_switch = join.current(other.subject, "vswitch")
            above = bool(switch_name) and isinstance(on_switch, Value) and on_switch.value == switch_name
            in_team = bool(interface.team) and interface.team == other.name
            own = roles[interface.subject]
            where = f"virtual switch {switch_name}" if above else f"team {interface.team}"
            if (above or in_team) and role.role is None:
                if own.role is not None and _RANKS.get(own.role, 0) < _RANKS["san_iscsi"]:
                    roles[interface.subject] = Role(None, f"below {where}, whose {other.name}: {role.reason}", role.source, role.may_be_san)
            elif (above or in_team) and _RANKS[role.role or ""] > _RANKS.get(own.role or "", 0):
                roles[interface.subject] = Role(role.role, f"below {where}, whose {other.name}: {role.reason}", role.source)
        if roles[interface.subject].role != "san_iscsi":
            unsure = _above_unread(join, observed, roles, interface)
            if unsure and roles[interface.subject].role is not None:
                source = ("adapters", "Get-NetAdapter", "Name")
                roles[interface.subject] = Role(None, f"can't tell what it carries: {unsure}", source, may_be_san=True)


def _above_unread(join: Join, observed: Observations, roles: Mapping[Subject, Role], interface: Interface) -> str:
    """Why an interface that is not known to be above a card may be above it; empty where none is."""
    own = _RANKS.get(roles[interface.subject].role or "", 0)
    heavier = [
        other
        for other in observed.interfaces
        if not other.is_adapter and ((role := roles[other.subject].role) is None or _RANKS.get(role, 0) > own)
    ]
    switch = join.current(interface.subject, "vswitch")
    switch_name = switch.value if isinstance(switch, Value) else ""
    team = join.reading("adapters", interface.subject, "team")
    inventory = join.why_unread("adapters", "Get-NetAdapter")
    if inventory and (switch_name or interface.team or isinstance(switch, Unknown) or isinstance(team, Unknown)):
        return inventory
    if not heavier:
        return ""
    if isinstance(switch, Unknown) and switch != NOT_COLLECTED:
        return switch.reason
    if isinstance(team, Unknown):
        return team.reason
    on_switches = [join.current(other.subject, "vswitch") for other in heavier]
    return next((found.reason for found in on_switches if switch_name and isinstance(found, Unknown)), "")


# --- Initiators, sessions, probes -----------------------------------------------------------------------------------------------------


def _initiator_modes(join: Join, observed: Observations) -> None:
    cards = [interface for interface in observed.interfaces if interface.is_adapter]
    by_address = {ip: card for card in cards for ip in card.ips}
    for initiator, (instance, is_software, command) in join.observation("iscsi", "initiators", {}).items():
        subject = Subject("initiator", initiator)
        if initiator in observed.adapters_of_initiators:
            continue
        source = Source("iscsi", command, "InstanceName", instance)
        if not is_software:
            for key in ("mode", "family"):
                join.set(subject, key, Unknown(f"{instance} is no device that we know", source))
            continue
        join.set(subject, "family", NotOffered("a software initiator is not tied to one adapter", source))
        sessions = [session for session in observed.sessions if session.initiator == initiator]
        used = [by_address[session.source] for session in sessions if session.source in by_address]
        carrying = used or [card for card in cards if observed.roles[card.subject].role == "san_iscsi"]
        families = [join.value("adapters", card.subject, "family") for card in carrying]
        unsure = join.why_unread("iscsi", "Get-IscsiSession") if used else tcp_stack.has_unknown_san(join, observed)
        # A card that could offload and does not is in what BP1057 calls NDIS mode (papers.yaml, W-S1); any other has only the software
        # initiator.
        if "adapters" not in join.sections:
            join.set(subject, "mode", Unknown("adapters unknown", source))
            continue
        unread = unsure or _carriers_unread(join, observed, carrying)
        if "bcm57810" in families:
            join.set_value(subject, "mode", "ndis", source)
        elif unread or None in families:
            join.set(subject, "mode", Unknown(unread or "the family of an adapter that carries it is not known", source))
        else:
            join.set_value(subject, "mode", "software", source)


def _carriers_unread(join: Join, observed: Observations, carrying: list[Interface]) -> str:
    """Why the cards that carry an initiator are not all known; empty where they are."""
    for command in (ADAPTER, "Get-NetIPAddress"):
        if why := join.why_not_whole("adapters", command):
            return f"adapters unknown: {why}"
    if not carrying and any(role.role is None for subject, role in observed.roles.items() if subject.kind == "adapter"):
        return "adapters unknown: the role of one is not known"
    return ""


def _sessions_spread(join: Join, observed: Observations) -> None:
    """Most minus fewest sessions over the SAN adapters, those without any counted as zero."""
    fields = sorted({session.source_field for session in observed.sessions}) or ["InitiatorPortalAddress"]
    source = Source("iscsi", "Get-IscsiSession", ", ".join(fields))
    san = [subject for subject, role in observed.roles.items() if subject.kind == "adapter" and role.role == "san_iscsi"]
    if not san:
        return
    by_address = {ip: interface.subject for interface in observed.interfaces if interface.is_adapter for ip in interface.ips}
    counts = dict.fromkeys(san, 0)
    is_by_connections = _has_all_connections(join) and bool(join.why_unread("iscsi", "Get-IscsiSession"))
    if is_by_connections:
        source = Source("tcp", tcp.CONNECTIONS, "LocalAddress")
        carried = [by_address.get(local) for local, _ in join.observation("tcp", "connections", [])]
    else:
        carried = [
            Subject("adapter", hidden)
            if (hidden := observed.adapters_of_initiators.get(session.initiator))
            else by_address.get(session.source)
            for session in observed.sessions
        ]
    for adapter in carried:
        if adapter not in counts:
            join.set(HOST, "san_sessions_spread", Unknown("the adapter of a session is not known", source))
            return
        counts[adapter] += 1
    reason = "" if is_by_connections else join.why_unread("iscsi", "Get-IscsiSession")
    reason = reason or tcp_stack.has_unknown_san(join, observed)
    if reason:
        join.set(HOST, "san_sessions_spread", Unknown(reason, source))
    else:
        join.set_value(HOST, "san_sessions_spread", max(counts.values()) - min(counts.values()), source)


def _probes(join: Join, observed: Observations) -> None:
    pings = join.observation("probes", "pings", {})
    reason = join.why_unread("probes", probes.COMMAND)
    for interface in observed.interfaces:
        if observed.roles[interface.subject].role != "san_iscsi":
            continue
        rows = list(pings.get(interface.guid, []))
        for ip in interface.ips:
            rows.extend(pings.get(ip, []))
        keys = ("frame_probe", "frame_probe_size") if interface.is_adapter else ("frame_probe",)
        found = probes.readings(rows, _mtu(join, interface), join.why_not_whole("probes", probes.COMMAND)) if rows else {}
        for key in keys:
            absent = Unknown(reason or "no test sent from this adapter", Source("probes", probes.COMMAND, "outcome"))
            if key in found or reason != NOT_COLLECTED.reason:
                join.set(interface.subject, key, found.get(key, absent))


def _mtu(join: Join, interface: Interface) -> int | None:
    configured = join.current(interface.subject, "mtu")
    in_use = join.reading("adapters", interface.subject, "mtu_operational" if interface.is_adapter else "mtu")
    for reading in (configured, in_use):
        if isinstance(reading, Value) and isinstance(reading.value, int):
            return reading.value
    return None
