"""Settings of each interface: the typed cmdlet, else the driver's keyword, else why neither tells."""

from typing import TYPE_CHECKING, Any

from plumbline.core.facts.configuration import HOST, NOT_COLLECTED, NotOffered, Reading, Source, Unknown, Value
from plumbline.core.facts.windows import bindings, offload, properties, qos, tcp
from plumbline.core.facts.windows.adapters import Interface

if TYPE_CHECKING:
    from plumbline.core.facts.windows.join import Join

# Sections that name interfaces by GUID or name.
BY_INTERFACE = ("adapters", "offload", "tcp", "bindings", "qos")
_VNIC_KEYS = ("rdma",)
# Settings that one command alone tells of an adapter -> (section, command); no row means what `absent_rows` says.
_TOLD_BY: dict[str, tuple[str, str]] = {
    "bindings": ("bindings", bindings.BINDING),
    "netbios": ("bindings", bindings.NETBIOS),
    "delayed_ack_registry": ("tcp", tcp.REGISTRY),
    "nagle_registry": ("tcp", tcp.REGISTRY),
    "qos": ("qos", qos.ADAPTER),
    "qos_operational_classes": ("qos", qos.ADAPTER),
    "qos_operational_flow_control": ("qos", qos.ADAPTER),
    **{key: ("offload", command) for key, (command, _) in offload.COMMAND_OF.items()},
}
_KEYS_TOLD: dict[tuple[str, str], list[str]] = {}
for _key, _place in _TOLD_BY.items():
    _KEYS_TOLD.setdefault(_place, []).append(_key)
_TOLD_TWICE = tuple(key for key in _TOLD_BY if key in properties.KEYS)
# Cmdlets that list only adapters whose driver supports the feature: a missing row says "not offered", not "not read".
_LISTS_SUPPORT = {*offload.PER_ADAPTER, qos.ADAPTER}
# Every setting of an adapter that some section of Windows tells, for the adapter that iSOE hides.
ADAPTER_KEYS: tuple[str, ...] = tuple(
    dict.fromkeys((*properties.KEYS, *_TOLD_BY, "mtu_operational", "flow_control_operational", "frame_probe", "frame_probe_size",
                   "admin_up", "link_up", "link_speed_bps", "mac", "interface_guid", "driver_date", "pci", "addresses", "team", "vswitch"))
)  # fmt: skip
_UNSEEN_AGREEMENT = Unknown("Windows shows what the link partners agreed on only in vendor tools")


def typed(join: "Join", interface: Interface) -> dict[str, Reading]:
    """What the commands that tell settings by interface say of one, a command without a row for it included."""
    rows: dict[str, Reading] = {}
    for key in (f"name:{interface.name.lower()}", join.guid_of(interface)):
        if key:
            for section in BY_INTERFACE:
                rows.update(join.steps.entry(section, "by_interface", key) or {})
    absent: dict[str, Reading] = join.steps.value_of("absent rows")
    return {key: rows.get(key, absent[key]) for key in (absent if interface.is_adapter else _VNIC_KEYS)}


def settle(join: "Join", interface: Interface, rows: dict[str, Reading]) -> None:
    """Every setting of one interface of the inventory; `rows` are what `typed` says of it."""
    if interface.is_adapter:
        _adapter(join, interface, rows)
        return
    for key, reading in rows.items():
        join.steps.put(interface.subject, key, reading)


def _adapter(join: "Join", interface: Interface, rows: dict[str, Reading]) -> None:
    readings = _by_keyword(join, interface)
    told = readings | rows
    if readings:
        # The typed cmdlet wins; where it has no row for the adapter, the driver's keyword may still tell.
        for key in _TOLD_TWICE:
            said, fallback = rows[key], readings[key]
            if not isinstance(said, Value) and (_rank(said) < _rank(fallback) or _is_partly(said, fallback)):
                told[key] = fallback
    debugger = join.value("system", HOST, "kernel_debugger")
    forced = Source("system", "registry:KernelDebugger", "DebuggerEnabled", str(debugger))
    if debugger and not join.seen("system", "flow_control_allowed_under_debugger", False):
        # NDIS forces flow control off under a debugger (Microsoft, "Enumeration keywords": *FlowControl).
        told["flow_control_operational"] = Value("off", forced)
    else:
        told["flow_control_operational"] = _UNSEEN_AGREEMENT
    if NOT_COLLECTED in rows.values():
        # What no section mentioned reads as "not collected" anyhow.
        told = {key: reading for key, reading in told.items() if reading is not NOT_COLLECTED}
    join.steps.lay(interface.subject, told)


def _by_keyword(join: "Join", interface: Interface) -> dict[str, Reading]:
    """What the driver's keywords say of every setting that a keyword may hold."""
    reason = join.reason("properties", properties.COMMAND)
    if reason == NOT_COLLECTED.reason:
        return {}
    if reason:
        return dict.fromkeys(properties.KEYS, Unknown(reason, Source("properties", properties.COMMAND, "")))
    entry = join.steps.entry
    held = entry("properties", "keywords", join.guid_of(interface)) or entry("properties", "keywords", f"name:{interface.name.lower()}")
    if held is None:
        why = f"{properties.COMMAND} gave nothing for this adapter"
        return dict.fromkeys(properties.KEYS, Unknown(why, Source("properties", properties.COMMAND, "")))
    offers, no_offers = _offers(join, interface)
    base = properties.NONE_SHOWN if held.is_cut else properties.NONE_OFFERED
    return {**base, **properties.readings(held, offers, no_offers)}


def _offers(join: "Join", interface: Interface) -> tuple[dict[str, Any] | None, str]:
    entry = join.steps.entry
    offers = entry("property_catalogue", "drivers", (interface.component_id.lower(), interface.driver_version.lower()))
    if offers is None:
        names = (join.guid_of(interface), f"name:{interface.name.lower()}")
        offers = next((found for name in names if (found := entry("property_catalogue", "offers_by_interface", name))), None)
    if offers is not None:
        return offers, ""
    reason = join.reason("property_catalogue", properties.COMMAND)
    return None, reason or "the driver's list of values was not sent"


def absent_rows(join: "Join") -> dict[str, Reading]:
    """What an adapter reads as where the command that tells a setting has no row for it."""
    found: dict[str, Reading] = {}
    for (section, command), keys in _KEYS_TOLD.items():
        reason = join.reason(section, command)
        reading: Reading
        if reason == NOT_COLLECTED.reason:
            reading = NOT_COLLECTED
        elif reason:
            reading = Unknown(reason, Source(section, command, ""))
        elif command in join.seen(section, "partial_reads", frozenset()):
            reading = Unknown(f"the copied output of {command} shows only some adapters", Source(section, command, ""))
        elif command in _LISTS_SUPPORT:
            reading = NotOffered("driver does not offer it", Source(section, command, ""))
        else:
            reading = Unknown(f"{command} gave no row for this adapter", Source(section, command, ""))
        found.update(dict.fromkeys(keys, reading))
    return found


def _is_partly(typed: Reading, fallback: Reading) -> bool:
    """A copied output that shows only some keywords says more of what is missing than that nothing else was collected."""
    return typed is NOT_COLLECTED and fallback is properties.NONE_SHOWN[properties.KEYS[0]]


def _rank(reading: Reading) -> int:
    return 2 if isinstance(reading, Value) else 1 if isinstance(reading, NotOffered) else 0
