"""Section `iscsi`: initiators, targets, portals and sessions. Session identifiers change at every login and are no part of it."""

import ipaddress
from dataclasses import dataclass
from functools import lru_cache

from plumbline.core.facts.configuration import Facts, Reading, Subject, Unknown, Value
from plumbline.core.facts.windows.mpio import ScsiAddress, scsi_address
from plumbline.core.facts.windows.reads import Body, Row, as_bool, as_text, texts

SERVICE = "Get-Service"
INITIATOR = "Get-InitiatorPort"
TARGET = "Get-IscsiTarget"
PORTAL = "Get-IscsiTargetPortal"
SESSION = "Get-IscsiSession"
# One row a connection. An agent joins them to their sessions, a folder of captured text cannot.
CONNECTION = "Get-IscsiConnection"
SESSION_CLASS = "MSiSCSIInitiator_SessionClass"
# The software initiator's device; any other instance is a storage controller of its own.
SOFTWARE_INSTANCE = "root\\iscsiprt"
# MSFT_InitiatorPort's ConnectionType: 1 is Fibre Channel, 2 is iSCSI.
_ISCSI = ("iscsi", "2", "")
_LONGEST_ADDRESS = 100
Address = ipaddress.IPv4Address | ipaddress.IPv6Address


@dataclass(frozen=True, slots=True)
class Device:
    """One SCSI device of a session, as the initiator's own class shows it; `source` is empty for a default login."""

    target: str
    source: str
    portal: str
    scsi: ScsiAddress


@dataclass(frozen=True, slots=True)
class Session:
    """One connected session."""

    initiator: str
    target: str
    source: str  # empty where the session leaves from any address
    portal: str
    disks: tuple[str, ...]
    source_field: str = "InitiatorPortalAddress"  # the property that showed the source


def parse(body: Body) -> Facts:
    """Initiators and targets as subjects; sessions and portals for role and path map."""
    ids = _initiators(body)
    sessions: list[Session] = []
    rows_of: dict[tuple[str, str], list[Row]] = {}
    for row in body.rows(SESSION):
        target = as_text(row.get("TargetNodeAddress")) or ""
        initiator = ids.get(_instance_key(row), "")
        if not target or not initiator:
            body.facts.problems.append(f"{SESSION}: a session without initiator or target")
            continue
        rows_of.setdefault((initiator, target), []).append(row)
        if as_bool(row.get("IsConnected")) is not False:
            disks = tuple(sorted({disk.lower() for disk in texts(row.get("Disks"))}))
            # A default login shows no portal of its own (0.0.0.0): where its connection leaves from counts first.
            field = "LocalAddress" if address_text(row.get("LocalAddress")) else "InitiatorPortalAddress"
            portal = address_text(row.get("TargetPortalAddress"))
            sessions.append(Session(initiator, target, address_text(row.get(field)), portal, disks, field))
    body.facts.observations["sessions"] = sessions
    body.facts.observations["devices"] = _devices(body)
    _targets(body, rows_of, sorted(set(ids.values())))
    _digests(body, rows_of)
    portals: set[str] = {session.portal for session in sessions}
    # Address -> the command and property that name it as a source; the first that does is cited.
    sources: dict[str, tuple[str, str]] = {}
    for session in sessions:
        sources.setdefault(session.source, (SESSION, session.source_field))
    for row in body.rows(PORTAL):
        portals.add(address_text(row.get("TargetPortalAddress")))
        sources.setdefault(address_text(row.get("InitiatorPortalAddress")), (PORTAL, "InitiatorPortalAddress"))
    for row in body.rows(CONNECTION):
        portals.add(address_text(row.get("TargetAddress") or row.get("TargetNodeAddress")))
        # Printed outputs have the initiator's own name of the property.
        for field in ("LocalAddress", "InitiatorAddress", "InitiatorNodeAddress"):
            sources.setdefault(address_text(row.get(field)), (CONNECTION, field))
    sources.pop("", None)
    body.facts.observations["portals"] = [ipaddress.ip_address(portal) for portal in sorted(portals) if portal]
    body.facts.observations["session_sources"] = sources
    # A host without iSCSI has the service stopped, and the cmdlets then fail: that nothing leaves over iSCSI is known all the same.
    states = [as_text(row.get("Status")) or "" for row in body.rows(SERVICE) if (as_text(row.get("Name")) or "").lower() == "msiscsi"]
    body.facts.observations["is_stopped"] = bool(states) and states[0].lower() in ("stopped", "1")
    return body.facts


def _devices(body: Body) -> list[Device]:
    found: list[Device] = []
    for row in body.rows(SESSION_CLASS):
        target = as_text(row.get("TargetName")) or ""
        connections = [one for one in _listed(row.get("ConnectionInformation")) if isinstance(one, dict)]
        if len(connections) != 1:
            # Several connections of one session: which of them carries a device is not shown.
            continue
        source, portal = address_text(connections[0].get("InitiatorAddress")), address_text(connections[0].get("TargetAddress"))
        for device in _listed(row.get("Devices")):
            scsi = scsi_address(device, ("ScsiPortNumber", "ScsiPathId", "ScsiTargetId", "ScsiLun"))
            if scsi is not None:
                found.append(Device(target.lower(), source, portal, scsi))
    return found


def _listed(raw: object) -> list[object]:
    return raw if isinstance(raw, list) else [raw]


def address(raw: object) -> Address | None:
    """An IP address; None for `0.0.0.0` and `::`, which mean any."""
    return _address(_short(raw))[0]


def address_text(raw: object) -> str:
    """An IP address in its canonical text; empty for any address and for what is none."""
    return _address(_short(raw))[1]


def _short(raw: object) -> str:
    """The text, or nothing where it is longer than any address with its zone, so that none of it is kept."""
    text = as_text(raw) or ""
    return text if len(text) <= _LONGEST_ADDRESS else ""


# A host's few addresses stand in dozens of rows of its sessions and paths.
@lru_cache(maxsize=64)
def _address(text: str) -> tuple[Address | None, str]:
    try:
        found = ipaddress.ip_address(text.partition("%")[0].strip("[]"))
    except ValueError:
        return None, ""
    return (None, "") if found.is_unspecified else (found, str(found))


def _instance_key(row: Row) -> tuple[str, str]:
    instance = as_text(row.get("InitiatorInstanceName")) or as_text(row.get("InstanceName")) or ""
    name = as_text(row.get("InitiatorNodeAddress")) or as_text(row.get("NodeAddress")) or ""
    return instance.lower(), name.lower()


def _initiators(body: Body) -> dict[tuple[str, str], str]:
    """Every (instance, IQN) of the host with its subject id: the IQN, or the instance where two instances share one IQN."""
    found: dict[tuple[str, str], tuple[str, str, str]] = {}
    for command in (INITIATOR, SESSION):
        for row in body.rows(command):
            if command == INITIATOR and (as_text(row.get("ConnectionType")) or "").lower() not in _ISCSI:
                continue
            key = _instance_key(row)
            if key in found or key == ("", ""):
                continue
            instance = as_text(row.get("InitiatorInstanceName")) or as_text(row.get("InstanceName")) or ""
            iqn = as_text(row.get("InitiatorNodeAddress")) or as_text(row.get("NodeAddress")) or ""
            found[key] = (instance, iqn, command)
    instances_of: dict[str, set[str]] = {}
    for instance_key, iqn_key in found:
        instances_of.setdefault(iqn_key, set()).add(instance_key)
    ids: dict[tuple[str, str], str] = {}
    initiators: dict[str, tuple[str, bool, str]] = {}
    for key, (instance, iqn, command) in found.items():
        is_shared = len(instances_of[key[1]]) > 1
        ids[key] = iqn.lower() if iqn and not is_shared else (instance or iqn)
        subject = Subject("initiator", ids[key])
        is_software = key[0].startswith(SOFTWARE_INSTANCE) or not key[0]
        body.facts.set_value(
            subject, "name", "Microsoft iSCSI Initiator" if is_software else instance, body.source(command, "InstanceName", instance)
        )
        if is_software:
            body.facts.set_value(subject, "driver", "msiscsi", body.source(command, "InstanceName", instance))
            body.facts.set(subject, "state", _service_state(body))
        initiators[ids[key]] = (instance, is_software, command)
    if initiators:
        body.facts.observations["initiators"] = initiators
    return ids


def _service_state(body: Body) -> Reading:
    for row in body.rows(SERVICE):
        if (as_text(row.get("Name")) or "").lower() == "msiscsi":
            return body.reading(SERVICE, row, "Status", lambda raw: (as_text(raw) or "").lower() or None)
    return body.missing(SERVICE, "Status")


def _targets(body: Body, rows_of: dict[tuple[str, str], list[Row]], initiators: list[str]) -> None:
    reason = body.read(SESSION).reason
    for (initiator, target_name), rows in rows_of.items():
        target = Subject("target", f"{initiator}>{target_name}")
        connected = [row for row in rows if as_bool(row.get("IsConnected")) is not False]
        counted = body.source(SESSION, "IsConnected", len(connected))
        body.facts.set(target, "sessions", Unknown(reason, counted) if reason else Value(len(connected), counted))
        portals = sorted({text for row in rows for text in texts(row.get("TargetPortalAddress"))})
        if portals:
            shown = body.source(SESSION, "TargetPortalAddress", ", ".join(portals))
            body.facts.set(target, "address", Unknown(reason, shown) if reason else Value(", ".join(portals), shown))
        body.facts.set(target, "persistent", _all_set(body, rows, "IsPersistent"))
        body.facts.set(target, "multipath", _multipath(body, rows, len(connected)))
    if len(initiators) != 1:
        return
    seen = {target for _, target in rows_of}
    for row in body.rows(TARGET):
        name = as_text(row.get("NodeAddress")) or ""
        if name and name not in seen and body.read(SESSION).reason == "":
            body.facts.set_value(
                Subject("target", f"{initiators[0]}>{name}"), "sessions", 0, body.source(TARGET, "IsConnected", row.get("IsConnected"))
            )


def _all_set(body: Body, rows: list[Row], field: str) -> Reading:
    """A flag that every session of a target must have."""
    flags = [as_bool(row.get(field)) for row in rows]
    source = body.source(SESSION, field, ", ".join(str(one) for one in flags))
    if False in flags:
        return Value(False, source)
    if None in flags:
        return Unknown(f"{SESSION} left {field} empty", source)
    reason = body.read(SESSION).reason
    return Unknown(reason, source) if reason else Value(True, source)


def _multipath(body: Body, rows: list[Row], connected: int) -> Reading:
    """The flag was in printed outputs of older releases only. Two sessions to one target show the same."""
    if any("IsMultipathEnabled" in row for row in rows):
        return _all_set(body, rows, "IsMultipathEnabled")
    source = body.source(SESSION, "TargetNodeAddress", f"{connected} sessions")
    return Value(True, source) if connected > 1 else Unknown("no release shows how a single session was made", source)


def _digests(body: Body, rows_of: dict[tuple[str, str], list[Row]]) -> None:
    reason = body.read(SESSION).reason
    flags: dict[tuple[str, str], set[bool]] = {}
    for (initiator, _), rows in rows_of.items():
        for row in rows:
            for key, field in (("header_digest", "IsHeaderDigest"), ("data_digest", "IsDataDigest")):
                value = as_bool(row.get(field))
                if value is not None:
                    flags.setdefault((initiator, key), set()).add(value)
    for (initiator, key), values in flags.items():
        text = "mixed" if len(values) == 2 else "enabled" if True in values else "disabled"
        field = "IsHeaderDigest" if key == "header_digest" else "IsDataDigest"
        source = body.source(SESSION, field)
        # Of a list that broke off, the next session may have another digest.
        reading: Reading = Unknown(reason, source) if reason and len(values) == 1 else Value(text, source)
        body.facts.set(Subject("initiator", initiator), key, reading)
