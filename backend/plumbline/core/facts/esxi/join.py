"""Settings that need several sections: each adapter's settings by its MAC, roles, binding, probes, paths, boot from SAN."""

from plumbline.core.facts.configuration import HOST, NotOffered, Reading, Source, Subject, Unknown, Value
from plumbline.core.facts.esxi import modules, nic_tuning
from plumbline.core.facts.esxi.boot import set_boot
from plumbline.core.facts.esxi.frame_probes import set_probes
from plumbline.core.facts.esxi.iscsi import (
    ADAPTERS,
    BINDINGS,
    CONNECTIONS,
    IP_CONNECTIONS,
    ISOE_DRIVER,
    ISOE_FAMILY,
    Initiator,
)
from plumbline.core.facts.esxi.nics import Nic
from plumbline.core.facts.esxi.observations import Observations, why_connections_unread, why_section_unread
from plumbline.core.facts.esxi.paths import NMP, PATHS
from plumbline.core.facts.esxi.san_switches import set_san_switches
from plumbline.core.facts.esxi.values import natural
from plumbline.core.facts.esxi.vmkernel import INTERFACES, INTERFACES_OLD, ROUTES
from plumbline.core.facts.esxi.vswitch import DISTRIBUTED, STANDARD, STANDARD_OLD
from plumbline.core.facts.join import Join
from plumbline.core.facts.listings import MISSING, OBSERVATION
from plumbline.core.facts.paths import PathMap

_NOT_PRINTED = "ESXi doesn't report driver defaults"
_LRO_OPTIONS = ("lro", "enable_lro", "hw_lro")
# Broadcom's name of LRO, the other way round.
_TPA_OPTION = "disable_tpa"


def set_joined(join: Join, observed: Observations, path_map: PathMap) -> None:
    """All settings of one host that need several sections."""
    for name in sorted(observed.nics, key=natural):
        nic = observed.nics[name]
        _tuning(join, nic)
        _lro(join, nic)
        _switch(join, observed, nic)
    _roles(join, observed)
    _interfaces(join, observed)
    _initiators(join, observed)
    set_probes(join, observed)
    _spread(join, observed)
    set_san_switches(join, observed)
    _volumes(join, observed, path_map)
    set_boot(join, observed)


# --- Adapters -------------------------------------------------------------------------------------------------------------------------


def _tuning(join: Join, nic: Nic) -> None:
    pause: dict[str, Reading] = join.entry("nics", "pause", nic.name) or {}
    if "nic_tuning" not in join.sections:
        for key, reading in pause.items():
            join.set(nic.subject, key, reading)
        return
    tuning: dict[str, Reading] = join.entry("nic_tuning", "tuning", nic.name) or {}
    everywhere: dict[str, Reading] = join.observation("nic_tuning", "tuning_everywhere", {})
    keys = (
        *nic_tuning.PAUSE_KEYS,
        *nic_tuning.RING_KEYS,
        *nic_tuning.RING_MAXIMUM_KEYS,
        *nic_tuning.FEATURE_KEYS,
        *nic_tuning.COALESCE_KEYS,
    )
    # The list's pause flags take precedence over those of `nic get`, which newer drivers fill less carefully; one source for both layers.
    flow = tuning if isinstance(tuning.get("flow_control"), Value | NotOffered) else pause
    for key in keys:
        found = tuning.get(key)
        if key in ("flow_control", "flow_control_operational"):
            found = flow.get(key) or found
        elif key == "pause_supported":
            found = found or pause.get(key)
        join.set(nic.subject, key, found or everywhere.get(key) or Unknown(f"not reported for {nic.name}"))
    for key in ("receive_buffers_default", "transmit_buffers_default"):
        join.set(nic.subject, key, NotOffered(_NOT_PRINTED))


def _lro(join: Join, nic: Nic) -> None:
    """By the driver's own option: `ethtool -k` of ESXi has no line for it."""
    if "modules" not in join.sections or not nic.driver:
        return
    options: dict[str, str] | None = join.entry("modules", "options", nic.driver)
    line = f"{modules.PARAMETERS} -m {nic.driver}"
    if options is None:
        join.set(nic.subject, "lro", Unknown(f"{line} was not read"))
        return
    by_name = {name.lower(): (name, value) for name, value in options.items()}
    if _TPA_OPTION in by_name:
        join.set(nic.subject, "lro", _switched(line, *by_name[_TPA_OPTION], is_reversed=True))
        return
    found = next((by_name[name] for name in _LRO_OPTIONS if name in by_name), None)
    if found is not None:
        join.set(nic.subject, "lro", _switched(line, *found, is_reversed=False))
    else:
        not_offered = NotOffered("driver does not offer it", Source("modules", line, "Name"))
        join.set(nic.subject, "lro", join.entry("modules", "incomplete", nic.driver) or not_offered)


def _switched(line: str, name: str, raw: str, *, is_reversed: bool) -> Reading:
    source = Source("modules", line, name, raw)
    values = {part.strip() for part in raw.split(",") if part.strip()}
    if not values:
        return Unknown(f"driver option {name} not set; ESXi doesn't report its default", source)
    if values <= {"0", "1"} and len(values) == 1:
        return Value("enabled" if (values == {"1"}) != is_reversed else "disabled", source)
    return Unknown(f"driver option {name} differs by port or reads {raw!r}", source)


def _switch(join: Join, observed: Observations, nic: Nic) -> None:
    """MTU on ESXi is a setting of the virtual switch; what the list of adapters prints is its consequence."""
    of = next((switch for switch in observed.switches.values() if nic.name in switch.uplinks), None)
    if of is not None:
        source = _source_of(join, Subject("vswitch", of.name), "uplinks") or Source("vswitch", "", "Uplinks")
        join.set_value(nic.subject, "vswitch", of.name, source)
        mtu_source = _source_of(join, Subject("vswitch", of.name), "mtu")
        if of.mtu is not None and mtu_source is not None:
            join.set_value(nic.subject, "mtu", of.mtu, mtu_source)
            return
    elif "vswitch" in join.sections:
        # An uplink of none is only what no list of switches names.
        unread = _why_switches_unread(join)
        source = Source("vswitch", STANDARD, "Uplinks")
        join.set(nic.subject, "vswitch", Unknown(unread, source) if unread else Value("", source))
    elif why_section_unread(join, "vswitch"):
        join.set(nic.subject, "vswitch", Unknown(why_section_unread(join, "vswitch")))
    printed = join.reading("nics", nic.subject, "mtu_operational")
    if isinstance(printed, Value):
        join.set(nic.subject, "mtu", printed)


def _why_switches_unread(join: Join) -> str:
    """Why there may be a virtual switch that no list showed; empty where all were listed."""
    if not join.why_not_whole("vswitch", STANDARD_OLD):
        return ""
    has_no_distributed = DISTRIBUTED in join.observation("vswitch", MISSING, ())
    return join.why_not_whole("vswitch", STANDARD) or ("" if has_no_distributed else join.why_not_whole("vswitch", DISTRIBUTED))


def _source_of(join: Join, subject: Subject, key: str) -> Source | None:
    for section in join.sections:
        reading = join.reading(section, subject, key)
        if isinstance(reading, Value):
            return reading.source
    return None


# --- Roles ----------------------------------------------------------------------------------------------------------------------------


def _roles(join: Join, observed: Observations) -> None:
    """san_iscsi by port binding or sessions, management by the default route, else other; not known where iSCSI could not be read."""
    why = why_section_unread(join, "iscsi") or join.observation("iscsi", "why_use_unread", "")
    # Only these show which interfaces carry iSCSI: one that neither lists may be in what was not read.
    why = why or join.why_not_whole("iscsi", BINDINGS) or why_connections_unread(join, observed)
    # And these which adapter is below an interface.
    for section, *commands in (("vmkernel", INTERFACES, INTERFACES_OLD), ("vswitch", STANDARD, STANDARD_OLD)):
        if all(join.why_not_whole(section, command) for command in commands):
            why = why or join.why_not_whole(section, commands[0])
    why = why or why_section_unread(join, "vswitch") or why_section_unread(join, "vmkernel") or observed.why_use_unknown()
    san_vmks, san_adapters = observed.san_vmks(), observed.san_adapters()
    default = join.observation("vmkernel", "default_vmk", "")
    route = f"{default} holds the default route" if default else "vmk0 is the first VMkernel interface"
    manager = default or "vmk0"
    # Only the uplinks that the management interface really uses: a standby one still is management.
    interface = observed.vmks.get(manager)
    switch = observed.switches.get(observed.switch_of(interface)) if interface is not None else None
    teaming = observed.teaming.get(interface.portgroup) if interface is not None else None
    managing = (*teaming.active, *teaming.standby) if teaming is not None else switch.uplinks if switch is not None else ()
    for name, nic in observed.nics.items():
        if name in san_adapters:
            _role(join, nic.subject, "san_iscsi", san_adapters[name].reason, san_adapters[name].source)
        elif why:
            _role(join, nic.subject, None, why, None)
        elif name in managing:
            _role(
                join,
                nic.subject,
                "management",
                f"uplink of {manager}: {route}",
                Source("vmkernel", "esxcli network ip route ipv4 list", "Interface", manager),
            )
        else:
            _role(
                join,
                nic.subject,
                "other",
                "not used for iSCSI or management",
                Source("vswitch", "esxcli network vswitch standard list", "Uplinks"),
            )
    # Among copied outputs the list may not be there at all: then this is not collected.
    has_routes = join.entry("vmkernel", OBSERVATION, ROUTES) is not None
    routes_unread = join.why_not_whole("vmkernel", ROUTES)
    for name in observed.vmks:
        subject = Subject("vnic", name)
        # A role is one word: a port that carries iSCSI too is still the way to the host.
        routed = Source("vmkernel", ROUTES, "Interface", manager)
        if has_routes:
            join.set(subject, "management", Unknown(routes_unread, routed) if routes_unread else Value(name == manager, routed))
        if name in san_vmks:
            join.set_value(subject, "role", "san_iscsi", san_vmks[name].source)
        elif why:
            join.set(subject, "role", Unknown(why))
        else:
            join.set_value(
                subject,
                "role",
                "management" if name == manager else "other",
                Source("vmkernel", "esxcli network ip route ipv4 list", "Interface", manager),
            )


def _role(join: Join, subject: Subject, role: str | None, reason: str, source: Source | None) -> None:
    if role is None or source is None:
        join.set(subject, "role", Unknown(reason))
        join.set(subject, "role_reason", Unknown(reason))
        return
    join.set_value(subject, "role", role, source)
    join.set_value(subject, "role_reason", reason, source)


# --- VMkernel interfaces and initiators -----------------------------------------------------------------------------------------------


def _interfaces(join: Join, observed: Observations) -> None:
    bound = {binding.vmk: binding for binding in observed.bindings}
    for name, interface in observed.vmks.items():
        subject = Subject("vnic", name)
        if not interface.vswitch and observed.switch_of(interface):
            join.set_value(
                subject,
                "vswitch",
                observed.switch_of(interface),
                Source("vswitch", "esxcli network vswitch standard portgroup list", "Virtual Switch"),
            )
        if name not in bound:
            if not join.why_not_whole("iscsi", BINDINGS):
                join.set_value(subject, "bound_to", "", Source("iscsi", BINDINGS, "Vmknic"))
                join.set(subject, "binding_compliant", NotOffered("not bound to an iSCSI adapter"))
            continue
        teaming = observed.teaming.get(interface.portgroup)
        if bound[name].compliant is None and teaming is not None:
            is_single = len(teaming.active) == 1 and not teaming.standby
            raw = f"active {', '.join(teaming.active)}; standby {', '.join(teaming.standby)}"
            join.set_value(
                subject,
                "binding_compliant",
                is_single,
                Source("vswitch", f"failover policy of {interface.portgroup}", "Active Adapters", raw),
            )
        elif bound[name].compliant is None:
            join.set(subject, "binding_compliant", Unknown("neither the binding nor the failover policy was read"))


def _initiators(join: Join, observed: Observations) -> None:
    for initiator in observed.initiators.values():
        _initiator(join, observed, initiator)


def _initiator(join: Join, observed: Observations, initiator: Initiator) -> None:
    if initiator.is_software:
        join.set(initiator.subject, "adapter", NotOffered("a software initiator is not tied to one adapter"))
        join.set(initiator.subject, "mtu", NotOffered("set on the VMkernel interface and the virtual switch"))
        join.set(initiator.subject, "flow_control", NotOffered("set on the adapter"))
        return
    if not initiator.driver:
        return
    vmnic, source = observed.port_of_hba(initiator.vmhba)
    _mode(join, observed, initiator, vmnic)
    if source is None or vmnic not in observed.nics:
        for key in ("adapter", "flow_control"):
            join.set(initiator.subject, key, Unknown(f"which port {initiator.vmhba} is on was not reported"))
        return
    nic = observed.nics[vmnic]
    join.set_value(initiator.subject, "adapter", nic.subject.id, source)
    # Pause belongs to the port, which the hardware initiator and the adapter share.
    join.set(initiator.subject, "flow_control", join.current(nic.subject, "flow_control") or Unknown(f"not reported for {nic.name}"))


def _mode(join: Join, observed: Observations, initiator: Initiator, vmnic: str) -> None:
    """iSOE is what Broadcom's driver makes of a BCM57810. The same driver serves older cards, and other HBAs have drivers of their own."""
    source = Source("iscsi", ADAPTERS, "Driver", initiator.driver)
    if initiator.driver != ISOE_DRIVER:
        join.set_value(initiator.subject, "mode", "hardware", source)
        return
    family = join.reading("nics", observed.nics[vmnic].subject, "family") if vmnic in observed.nics else None
    if isinstance(family, Value):
        join.set_value(initiator.subject, "mode", "isoe" if family.value == ISOE_FAMILY else "hardware", source)
    elif family is not None:
        join.set(initiator.subject, "mode", Unknown(f"the family of its port {vmnic} is not known", source))
    else:
        why = why_section_unread(join, "nics") or f"which port {initiator.vmhba} is on was not reported"
        join.set(initiator.subject, "mode", Unknown(f"{initiator.driver} serves more than one adapter family, and {why}", source))


# --- Sessions, volumes ----------------------------------------------------------------------------------------------------------------


def _spread(join: Join, observed: Observations) -> None:
    """Most minus fewest sessions over the SAN adapters, those without any counted as zero."""
    adapters = observed.san_adapters()
    if not adapters or not (observed.sessions or observed.connected_from):
        return
    # An adapter that is bound and has no session counts as zero, and only the list of bindings shows it.
    why = join.why_not_whole("iscsi", BINDINGS) or why_connections_unread(join, observed)
    if why:
        join.set(HOST, "san_sessions_spread", Unknown(why))
        return
    counts = dict.fromkeys(adapters, 0)
    command, title = (CONNECTIONS, "LocalAddress") if observed.connected_from is None else (IP_CONNECTIONS, "Local Address")
    carried = (
        [observed.adapter_of_session(session) for session in observed.sessions]
        if observed.connected_from is None
        else [observed.adapter_of_address(address) for address in observed.connected_from]
    )
    for vmnic, why in carried:
        if not vmnic:
            join.set(HOST, "san_sessions_spread", Unknown(why))
            return
        counts[vmnic] = counts.get(vmnic, 0) + 1
    raw = ", ".join(f"{vmnic}: {count}" for vmnic, count in sorted(counts.items(), key=lambda item: natural(item[0])))
    source = Source("iscsi", command, title, raw)
    join.set_value(HOST, "san_sessions_spread", max(counts.values()) - min(counts.values()), source)


def _volumes(join: Join, observed: Observations, path_map: PathMap) -> None:
    for volume in path_map.volumes:
        subject = Subject("volume", volume.id)
        mine = [path for path in path_map.paths if path.volume == volume.id]
        disk = observed.devices[volume.id]
        listed, working = disk.paths_read or PATHS, disk.working_read or NMP
        if not join.observation("paths", "has_paths", False):
            # Only the multipathing module was read: it lists working paths only.
            source = Source("paths", working, "Working Paths", ", ".join(disk.working or ()))
            join.set_value(subject, "paths_healthy", len(disk.working or ()), source)
            join.set(subject, "paths_total", Unknown(f"{listed} was not read"))
            continue
        disagreement = disagrees(observed, volume.id)
        if join.observation("paths", "paths_cut", False):
            disagreement = f"{listed}: only a part of the list was printed"
        if disagreement:
            for key in ("paths_healthy", "paths_total", "adapters"):
                join.set(subject, key, Unknown(disagreement))
            continue
        raw = ", ".join(f"{path.runtime_name} {path.state}" for path in mine)
        source = Source("paths", listed, "State", raw)
        join.set_value(subject, "paths_total", len(mine), source)
        if any(path.state == "unknown" for path in mine):
            join.set(subject, "paths_healthy", Unknown("unrecognised path state", source))
        else:
            join.set_value(subject, "paths_healthy", path_map.healthy(volume.id), source)
        healthy = [path for path in mine if path.state == "healthy"]
        if all(path.adapter for path in healthy):
            join.set_value(subject, "adapters", len({path.adapter for path in healthy}), source)
        else:
            join.set(subject, "adapters", Unknown("adapter of a path unknown", source))


def disagrees(observed: Observations, device: str) -> str:
    """Where the multipathing module and the list of paths contradict each other, as text; empty if they agree."""
    disk = observed.devices[device]
    if disk.working is None:
        return ""
    by_runtime = {path.runtime: path for path in disk.paths}
    for runtime in disk.working:
        if runtime not in by_runtime:
            return f"{device}: working path {runtime} is not in the list of paths"
        if by_runtime[runtime].state == "dead":
            return f"{device}: path {runtime} is up in one list and down in the other"
    if not disk.working and any(path.state == "healthy" for path in disk.paths):
        return f"{device}: the list of paths shows active ones, the multipathing module none"
    return ""
