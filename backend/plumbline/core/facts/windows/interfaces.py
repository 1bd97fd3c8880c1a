"""Settings of each interface: from the typed cmdlet, else from the driver's keyword, else unknown with the reason."""

from typing import Any

from plumbline.core.facts.configuration import HOST, NOT_COLLECTED, NotOffered, Reading, Source, Unknown, Value
from plumbline.core.facts.join import Join
from plumbline.core.facts.windows import adapters, bindings, offload, properties, qos, storage, tcp
from plumbline.core.facts.windows.adapters import Interface
from plumbline.core.facts.windows.observations import Observations

# Sections that name interfaces by GUID or name.
BY_INTERFACE = ("adapters", "offload", "tcp", "bindings", "qos")
_VNIC_KEYS = ("rdma",)
# Settings of an adapter that a single command reads -> (section, command); `_absent_rows` is for adapters of which it has no row.
_READ_BY: dict[str, tuple[str, str]] = {
    "bindings": ("bindings", bindings.BINDING),
    "netbios": ("bindings", bindings.NETBIOS),
    "delayed_ack_registry": ("tcp", tcp.REGISTRY),
    "nagle_registry": ("tcp", tcp.REGISTRY),
    "qos": ("qos", qos.ADAPTER),
    "qos_operational_classes": ("qos", qos.ADAPTER),
    "qos_operational_flow_control": ("qos", qos.ADAPTER),
    "dcbx_remote_classes": ("qos", qos.ADAPTER),
    "dcbx_remote_flow_control": ("qos", qos.ADAPTER),
    **{key: ("offload", command) for key, (command, _) in offload.COMMAND_OF.items()},
}
_KEYS_READ: dict[tuple[str, str], list[str]] = {}
for _key, _place in _READ_BY.items():
    _KEYS_READ.setdefault(_place, []).append(_key)
_READ_TWICE = tuple(key for key in _READ_BY if key in properties.KEYS)
# Cmdlets that list only adapters whose driver supports the feature: a missing row says "not offered", not "not read".
_LISTS_SUPPORT = {*offload.PER_ADAPTER, qos.ADAPTER}
# Every setting of an adapter that some section of Windows holds, for the adapter that iSOE hides.
ADAPTER_KEYS: tuple[str, ...] = tuple(
    dict.fromkeys((*properties.KEYS, *_READ_BY, "mtu_operational", "flow_control_operational", "frame_probe", "frame_probe_size",
                   "admin_up", "link_up", "link_speed_bps", "mac", "interface_guid", "driver_date", "pci", "addresses", "team", "vswitch"))
)  # fmt: skip
_UNSEEN_AGREEMENT = Unknown("Windows shows what the link partners agreed on only in vendor tools")


def set_interfaces(join: Join, observed: Observations) -> None:
    """Every setting of each interface of the inventory."""
    absent = _absent_rows(join)
    for interface in observed.interfaces:
        rows = _typed(join, observed, interface, absent)
        if interface.is_adapter:
            _set_adapter(join, observed, interface, rows)
            continue
        for key, reading in rows.items():
            join.set(interface.subject, key, reading)


def set_rdma_by_smb(join: Join, observed: Observations) -> None:
    """Whether RDMA works, by the connections of SMB Multichannel: up to 2022 no cmdlet of the adapter shows it.

    SMB calls an interface capable only while Network Direct works on it. A connection whose other end has no RDMA shows nothing of this
    one.
    """
    connections = join.observation("storage", "smb_rdma", [])
    is_whole = not join.why_not_whole("storage", storage.SMB)
    for interface in observed.interfaces:
        # A value of the adapter's own comes first, and what the driver does not offer needs no other witness.
        if not interface.is_adapter or not isinstance(join.current(interface.subject, "rdma_operational"), Unknown):
            continue
        ends = [(client, server) for address, index, client, server in connections if index == interface.index or address in interface.ips]
        source = Source("storage", storage.SMB, "ClientRdmaCapable", ", ".join(str(client) for client, _ in ends))
        if (True, True) in ends:
            join.set_value(interface.subject, "rdma_operational", "enabled", source)
        elif ends and is_whole and all(client is False for client, _ in ends):
            join.set_value(interface.subject, "rdma_operational", "disabled", source)


def _typed(join: Join, observed: Observations, interface: Interface, absent: dict[str, Reading]) -> dict[str, Reading]:
    """What the typed commands read of one interface; `absent` where a command has no row for it."""
    rows: dict[str, Reading] = {}
    for key in (f"name:{interface.name.lower()}", observed.guid_of(interface)):
        if key:
            for section in BY_INTERFACE:
                rows.update(join.entry(section, "by_interface", key) or {})
    return {key: rows.get(key, absent[key]) for key in (absent if interface.is_adapter else _VNIC_KEYS)}


def _set_adapter(join: Join, observed: Observations, interface: Interface, rows: dict[str, Reading]) -> None:
    by_keyword = _by_keyword(join, observed, interface)
    readings = by_keyword | rows
    if by_keyword:
        is_unread = bool(join.why_unread("properties", properties.COMMAND))
        for key in _READ_TWICE:
            readings[key] = _of_both(rows[key], by_keyword[key], is_unread=is_unread)
        unread = join.why_unread("adapters", adapters.HARDWARE)
        if unread and not isinstance(readings["numa_node"], Value):
            readings["numa_node"] = Unknown(unread, Source("adapters", adapters.HARDWARE, "NumaNode"))
    debugger = join.value("system", HOST, "kernel_debugger")
    forced = Source("system", "registry:KernelDebugger", "DebuggerEnabled", str(debugger))
    if debugger and not join.observation("system", "flow_control_allowed_under_debugger", False):
        # NDIS forces flow control off under a debugger (Microsoft, "Enumeration keywords": *FlowControl).
        readings["flow_control_operational"] = Value("off", forced)
    else:
        readings["flow_control_operational"] = _UNSEEN_AGREEMENT
    if NOT_COLLECTED in rows.values():
        # What no section mentioned reads as "not collected" anyhow.
        readings = {key: reading for key, reading in readings.items() if reading is not NOT_COLLECTED}
    join.set_default(interface.subject, readings)


def _by_keyword(join: Join, observed: Observations, interface: Interface) -> dict[str, Reading]:
    """Every setting that a driver's keyword may hold."""
    reason = join.why_unread("properties", properties.COMMAND)
    if reason == NOT_COLLECTED.reason:
        return {}
    entry = join.entry
    guid, name = observed.guid_of(interface), f"name:{interface.name.lower()}"
    held = entry("properties", "keywords", guid) or entry("properties", "keywords", name)
    if reason:
        read = {} if held is None else properties.readings(held, *_offers(join, observed, interface))
        return {**properties.unread_below(reason), **read}
    if held is None:
        why = f"{properties.COMMAND} gave nothing for this adapter"
        return dict.fromkeys(properties.KEYS, Unknown(why, Source("properties", properties.COMMAND, "")))
    offers, no_offers = _offers(join, observed, interface)
    base = properties.NONE_SHOWN if held.is_cut else properties.NONE_OFFERED
    return {**base, **properties.readings(held, offers, no_offers)}


def _offers(join: Join, observed: Observations, interface: Interface) -> tuple[dict[str, Any] | None, str]:
    entry = join.entry
    offers = entry("property_catalogue", "drivers", (interface.component_id.lower(), interface.driver_version.lower()))
    if offers is None:
        names = (observed.guid_of(interface), f"name:{interface.name.lower()}")
        offers = next((found for name in names if (found := entry("property_catalogue", "offers_by_interface", name))), None)
    reason = join.why_unread("property_catalogue", properties.COMMAND)
    if offers is not None:
        return offers, reason or "the driver's list does not have it"
    return None, reason or "the driver's list of values was not sent"


def _absent_rows(join: Join) -> dict[str, Reading]:
    """The reading of each setting for an adapter of which its command has no row."""
    found: dict[str, Reading] = {}
    for (section, command), keys in _KEYS_READ.items():
        reason = join.why_unread(section, command)
        reading: Reading
        if reason == NOT_COLLECTED.reason:
            reading = NOT_COLLECTED
        elif reason:
            reading = Unknown(reason, Source(section, command, ""))
        elif command in join.observation(section, "partial_reads", frozenset()):
            reading = Unknown(f"the copied output of {command} shows only some adapters", Source(section, command, ""))
        elif command in _LISTS_SUPPORT:
            reading = NotOffered("driver does not offer it", Source(section, command, ""))
        else:
            reading = Unknown(f"{command} gave no row for this adapter", Source(section, command, ""))
        found.update(dict.fromkeys(keys, reading))
    return found


def _of_both(typed: Reading, by_keyword: Reading, *, is_unread: bool) -> Reading:
    """A setting that a cmdlet and a driver's keyword show: the cmdlet's value, else that of the keyword.

    The driver does not offer it where neither shows it; a cmdlet may show what has no keyword, and the other way round. Of two reasons why
    it is not known the cmdlet's counts, unless it was not run. `is_unread`: the keywords were not read whole.
    """
    if isinstance(typed, Value) or isinstance(by_keyword, Value):
        return typed if isinstance(typed, Value) else by_keyword
    if isinstance(typed, Unknown) and typed is not NOT_COLLECTED:
        return typed
    if isinstance(by_keyword, Unknown) and (is_unread or typed is NOT_COLLECTED):
        return by_keyword
    if typed is NOT_COLLECTED and by_keyword.source is not None:
        why = f"the driver has no keyword {by_keyword.source.field}, and the cmdlet that shows it too was not run"
        return Unknown(why, by_keyword.source)
    return typed
