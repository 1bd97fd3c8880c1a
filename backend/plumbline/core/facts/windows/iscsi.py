"""Section `iscsi`: initiators, targets, portals and sessions. Session identifiers change at every login and are no part of it."""

import ipaddress
from dataclasses import dataclass
from functools import lru_cache

from plumbline.core.facts.configuration import Facts, Reading, Subject, Unknown, Value
from plumbline.core.facts.windows.reads import Body, Row, as_bool, as_text, texts

SERVICE = "Get-Service"
INITIATOR = "Get-InitiatorPort"
TARGET = "Get-IscsiTarget"
PORTAL = "Get-IscsiTargetPortal"
SESSION = "Get-IscsiSession"
# Only in folders of captured text: an agent joins connections to their sessions.
CONNECTION = "Get-IscsiConnection"
# The software initiator's device; any other instance is a storage controller of its own.
SOFTWARE_INSTANCE = "root\\iscsiprt"
_ISCSI = ("iscsi", "1", "")
Address = ipaddress.IPv4Address | ipaddress.IPv6Address


@dataclass(frozen=True, slots=True)
class Session:
    """One connected session."""

    initiator: str
    target: str
    source: str  # empty where the session leaves from any address
    portal: str
    disks: tuple[str, ...]


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
            source, portal = address_text(row.get("InitiatorPortalAddress")), address_text(row.get("TargetPortalAddress"))
            sessions.append(Session(initiator, target, source, portal, disks))
    body.facts.observations["sessions"] = sessions
    _targets(body, rows_of, sorted(set(ids.values())))
    _digests(body, rows_of)
    portals: set[str] = {session.portal for session in sessions}
    sources: set[str] = {session.source for session in sessions}
    for row in body.rows(PORTAL):
        portals.add(address_text(row.get("TargetPortalAddress")))
        sources.add(address_text(row.get("InitiatorPortalAddress")))
    for row in body.rows(CONNECTION):
        portals.add(address_text(row.get("TargetAddress") or row.get("TargetNodeAddress")))
        sources.add(address_text(row.get("InitiatorAddress") or row.get("InitiatorNodeAddress")))
    body.facts.observations["portals"] = [ipaddress.ip_address(portal) for portal in sorted(portals) if portal]
    body.facts.observations["session_sources"] = frozenset(source for source in sources if source)
    # A host without iSCSI has the service stopped, and the cmdlets then fail: that nothing leaves over iSCSI is known all the same.
    states = [as_text(row.get("Status")) or "" for row in body.rows(SERVICE) if (as_text(row.get("Name")) or "").lower() == "msiscsi"]
    body.facts.observations["is_stopped"] = bool(states) and states[0].lower() in ("stopped", "1")
    return body.facts


def address(raw: object) -> Address | None:
    """An IP address; None for `0.0.0.0` and `::`, which mean any."""
    return _address((as_text(raw) or "").partition("%")[0].strip("[]"))


# A host's few addresses stand in dozens of rows of its sessions and paths.
@lru_cache(maxsize=64)
def _address(text: str) -> Address | None:
    try:
        found = ipaddress.ip_address(text)
    except ValueError:
        return None
    return None if found.is_unspecified else found


def address_text(raw: object) -> str:
    """An IP address in its canonical text; empty for any address and for what is none."""
    found = address(raw)
    return "" if found is None else str(found)


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
    for (initiator, target_name), rows in rows_of.items():
        target = Subject("target", f"{initiator}>{target_name}")
        connected = [row for row in rows if as_bool(row.get("IsConnected")) is not False]
        body.facts.set_value(target, "sessions", len(connected), body.source(SESSION, "IsConnected"))
        portals = sorted({text for row in rows for text in texts(row.get("TargetPortalAddress"))})
        if portals:
            body.facts.set_value(target, "address", ", ".join(portals), body.source(SESSION, "TargetPortalAddress"))
        for key, field in (("multipath", "IsMultipathEnabled"), ("persistent", "IsPersistent")):
            flags = [as_bool(row.get(field)) for row in rows]
            source = body.source(SESSION, field, ", ".join(str(one) for one in flags))
            if None in flags:
                body.facts.set(target, key, Unknown(f"{SESSION} left {field} empty", source))
            else:
                body.facts.set_value(target, key, all(flags), source)
    if len(initiators) != 1:
        return
    seen = {target for _, target in rows_of}
    for row in body.rows(TARGET):
        name = as_text(row.get("NodeAddress")) or ""
        if name and name not in seen and body.read(SESSION).reason == "":
            body.facts.set_value(
                Subject("target", f"{initiators[0]}>{name}"), "sessions", 0, body.source(TARGET, "IsConnected", row.get("IsConnected"))
            )


def _digests(body: Body, rows_of: dict[tuple[str, str], list[Row]]) -> None:
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
        body.facts.set(Subject("initiator", initiator), key, Value(text, body.source(SESSION, field)))
