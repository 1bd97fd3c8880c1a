"""What only several sections together tell: each adapter's settings by its MAC, roles, binding, probes, paths, boot from SAN."""

from functools import partial

from plumbline.core.facts.configuration import HOST, Facts, NotOffered, Reading, Source, Subject, Unknown, Value
from plumbline.core.facts.esxi import modules, nic_tuning
from plumbline.core.facts.esxi.frame_probes import say_probes
from plumbline.core.facts.esxi.iscsi import BINDINGS, Initiator
from plumbline.core.facts.esxi.nics import Nic
from plumbline.core.facts.esxi.observations import Joins
from plumbline.core.facts.esxi.values import natural
from plumbline.core.facts.join import Steps
from plumbline.core.facts.paths import PathMap

_NOT_PRINTED = "ESXi does not print a driver's default"
_LRO_OPTIONS = ("lro", "enable_lro", "hw_lro")
# Broadcom's name of LRO, the other way round.
_TPA_OPTION = "disable_tpa"


def derive_facts(joins: Joins, path_map: PathMap) -> Facts:
    """All derived readings of one host; each step runs again only where something that it looked at has changed."""
    steps = joins.steps
    nics = {("nic", name): joins.nics[name] for name in sorted(joins.nics, key=natural)}
    steps.only("nic", nics)
    for name, nic in nics.items():
        steps.step(name, partial(_nic, joins, steps, nic), nic)
    steps.step("roles", lambda: _roles(joins, steps))
    steps.step("interfaces", lambda: _interfaces(joins, steps))
    steps.step("initiators", lambda: _initiators(joins, steps))
    steps.step("probes", lambda: say_probes(joins, steps))
    steps.step("sessions spread", lambda: _spread(joins, steps))
    steps.step("volumes", lambda: _volumes(joins, steps, path_map), path_map)
    steps.step("boot", lambda: _boot(joins, steps))
    return steps.finish()


# --- Adapters -------------------------------------------------------------------------------------------------------------------------


def _nic(joins: Joins, facts: Steps, nic: Nic) -> None:
    _tuning(joins, facts, nic)
    _lro(joins, facts, nic)
    _switch(joins, facts, nic)


def _tuning(joins: Joins, facts: Steps, nic: Nic) -> None:
    pause: dict[str, Reading] = joins.steps.entry("nics", "pause", nic.name) or {}
    if "nic_tuning" not in joins.parts:
        for key, reading in pause.items():
            facts.put(nic.subject, key, reading)
        return
    told: dict[str, Reading] = joins.steps.entry("nic_tuning", "tuning", nic.name) or {}
    everywhere: dict[str, Reading] = joins.seen("nic_tuning", "tuning_everywhere", {})
    keys = (
        *nic_tuning.PAUSE_KEYS,
        *nic_tuning.RING_KEYS,
        *nic_tuning.RING_MAXIMUM_KEYS,
        *nic_tuning.FEATURE_KEYS,
        *nic_tuning.COALESCE_KEYS,
    )
    # Pause flags of the list stand above those of `nic get`, which newer drivers fill less carefully; one source for both layers.
    flow = told if isinstance(told.get("flow_control"), Value | NotOffered) else pause
    for key in keys:
        found = told.get(key)
        if key in ("flow_control", "flow_control_operational"):
            found = flow.get(key) or found
        elif key == "pause_supported":
            found = found or pause.get(key)
        facts.put(nic.subject, key, found or everywhere.get(key) or Unknown(f"not told for {nic.name}"))
    for key in ("receive_buffers_default", "transmit_buffers_default"):
        facts.put(nic.subject, key, NotOffered(_NOT_PRINTED))


def _lro(joins: Joins, facts: Steps, nic: Nic) -> None:
    told = (joins.steps.entry("nic_tuning", "tuning", nic.name) or {}).get("lro")
    if isinstance(told, Value):
        facts.put(nic.subject, "lro", told)
        return
    if "modules" not in joins.parts or not nic.driver:
        return
    options: dict[str, str] | None = joins.steps.entry("modules", "options", nic.driver)
    line = f"{modules.PARAMETERS} -m {nic.driver}"
    if options is None:
        facts.put(nic.subject, "lro", Unknown(f"{line} was not read"))
        return
    by_name = {name.lower(): (name, value) for name, value in options.items()}
    if _TPA_OPTION in by_name:
        facts.put(nic.subject, "lro", _switched(line, *by_name[_TPA_OPTION], is_reversed=True))
        return
    found = next((by_name[name] for name in _LRO_OPTIONS if name in by_name), None)
    if found is None and nic.driver in joins.seen("modules", "set_only", frozenset()):
        facts.put(
            nic.subject,
            "lro",
            Unknown("only the driver options that are set were printed", Source("modules", modules.OPTIONS_OLD, "options")),
        )
    elif found is None:
        facts.put(nic.subject, "lro", NotOffered("driver does not offer it", Source("modules", line, "Name")))
    else:
        facts.put(nic.subject, "lro", _switched(line, *found, is_reversed=False))


def _switched(line: str, name: str, raw: str, *, is_reversed: bool) -> Reading:
    source = Source("modules", line, name, raw)
    values = {part.strip() for part in raw.split(",") if part.strip()}
    if not values:
        return Unknown(f"driver option {name} is not set, and its default is not printed", source)
    if values <= {"0", "1"} and len(values) == 1:
        return Value("enabled" if (values == {"1"}) != is_reversed else "disabled", source)
    return Unknown(f"driver option {name} differs by port or reads {raw!r}", source)


def _switch(joins: Joins, facts: Steps, nic: Nic) -> None:
    """MTU on ESXi is a setting of the virtual switch; what the list of adapters prints is its consequence."""
    of = next((switch for switch in joins.switches.values() if nic.name in switch.uplinks), None)
    if of is not None:
        source = _source_of(joins, Subject("vswitch", of.name), "uplinks") or Source("vswitch", "", "Uplinks")
        facts.say(nic.subject, "vswitch", of.name, source)
        mtu_source = _source_of(joins, Subject("vswitch", of.name), "mtu")
        if of.mtu is not None and mtu_source is not None:
            facts.say(nic.subject, "mtu", of.mtu, mtu_source)
            return
    elif "vswitch" in joins.parts and joins.switches:
        facts.say(nic.subject, "vswitch", "", Source("vswitch", "esxcli network vswitch standard list", "Uplinks"))
    elif joins.why_unread("vswitch"):
        facts.put(nic.subject, "vswitch", Unknown(joins.why_unread("vswitch")))
    printed = joins.steps.reading("nics", nic.subject, "mtu_operational")
    if isinstance(printed, Value):
        facts.put(nic.subject, "mtu", printed)


def _source_of(joins: Joins, subject: Subject, key: str) -> Source | None:
    for section in joins.parts:
        reading = joins.steps.reading(section, subject, key)
        if isinstance(reading, Value):
            return reading.source
    return None


# --- Roles ----------------------------------------------------------------------------------------------------------------------------


def _roles(joins: Joins, facts: Steps) -> None:
    """san_iscsi by port binding or sessions, management by the default route, else other; not known where iSCSI could not be read."""
    why = joins.why_unread("iscsi") or ("" if joins.seen("iscsi", "is_read", False) else "the list of iSCSI adapters was not read")
    why = why or joins.why_unread("vswitch") or joins.why_unread("vmkernel")
    san_vmks, san_adapters = joins.san_vmks(), joins.san_adapters()
    default = joins.seen("vmkernel", "default_vmk", "")
    route = f"{default} holds the default route" if default else "vmk0 is the first VMkernel interface"
    manager = default or "vmk0"
    # Only the uplinks that the management interface really uses: a standby one still is management.
    interface = joins.vmks.get(manager)
    switch = joins.switches.get(joins.switch_of(interface)) if interface is not None else None
    teaming = joins.teaming.get(interface.portgroup) if interface is not None else None
    managing = (*teaming.active, *teaming.standby) if teaming is not None else switch.uplinks if switch is not None else ()
    for name, nic in joins.nics.items():
        if name in san_adapters:
            _role(facts, nic.subject, "san_iscsi", san_adapters[name], Source("iscsi", BINDINGS, "Vmknic", san_adapters[name]))
        elif why:
            _role(facts, nic.subject, None, why, None)
        elif name in managing:
            _role(
                facts,
                nic.subject,
                "management",
                f"uplink of {manager}: {route}",
                Source("vmkernel", "esxcli network ip route ipv4 list", "Interface", manager),
            )
        else:
            _role(
                facts,
                nic.subject,
                "other",
                "no iSCSI interface and no management interface uses it",
                Source("vswitch", "esxcli network vswitch standard list", "Uplinks"),
            )
    for name in joins.vmks:
        subject = Subject("vnic", name)
        if name in san_vmks:
            facts.say(subject, "role", "san_iscsi", Source("iscsi", BINDINGS, "Vmknic", san_vmks[name]))
        elif why:
            facts.put(subject, "role", Unknown(why))
        else:
            facts.say(
                subject,
                "role",
                "management" if name == manager else "other",
                Source("vmkernel", "esxcli network ip route ipv4 list", "Interface", manager),
            )


def _role(facts: Steps, subject: Subject, role: str | None, reason: str, source: Source | None) -> None:
    if role is None or source is None:
        facts.put(subject, "role", Unknown(reason))
        facts.put(subject, "role_reason", Unknown(reason))
        return
    facts.say(subject, "role", role, source)
    facts.say(subject, "role_reason", reason, source)


# --- VMkernel interfaces and initiators -----------------------------------------------------------------------------------------------


def _interfaces(joins: Joins, facts: Steps) -> None:
    bound = {binding.vmk: binding for binding in joins.bindings}
    for name, interface in joins.vmks.items():
        subject = Subject("vnic", name)
        if not interface.vswitch and joins.switch_of(interface):
            facts.say(
                subject,
                "vswitch",
                joins.switch_of(interface),
                Source("vswitch", "esxcli network vswitch standard portgroup list", "Virtual Switch"),
            )
        if name not in bound:
            if joins.seen("iscsi", "is_read", False):
                facts.say(subject, "bound_to", "", Source("iscsi", BINDINGS, "Vmknic"))
                facts.put(subject, "binding_compliant", NotOffered("not bound to an iSCSI adapter"))
            continue
        teaming = joins.teaming.get(interface.portgroup)
        if bound[name].compliant is None and teaming is not None:
            is_single = len(teaming.active) == 1 and not teaming.standby
            raw = f"active {', '.join(teaming.active)}; standby {', '.join(teaming.standby)}"
            facts.say(
                subject,
                "binding_compliant",
                is_single,
                Source("vswitch", f"failover policy of {interface.portgroup}", "Active Adapters", raw),
            )
        elif bound[name].compliant is None:
            facts.put(subject, "binding_compliant", Unknown("neither the binding nor the failover policy was read"))


def _initiators(joins: Joins, facts: Steps) -> None:
    for initiator in joins.initiators.values():
        _initiator(joins, facts, initiator)


def _initiator(joins: Joins, facts: Steps, initiator: Initiator) -> None:
    if initiator.is_software:
        facts.put(initiator.subject, "adapter", NotOffered("a software initiator is not tied to one adapter"))
        facts.put(initiator.subject, "mtu", NotOffered("set on the VMkernel interface and the virtual switch"))
        facts.put(initiator.subject, "flow_control", NotOffered("set on the adapter"))
        return
    if not initiator.driver:
        return
    vmnics = joins.hba_uplinks.get(initiator.vmhba, ())
    if not vmnics:
        vmnics = tuple(
            {vmnic for binding in joins.bindings if binding.vmhba == initiator.vmhba for vmnic in joins.uplinks_of(binding.vmk)[0]}
        )
    if len(vmnics) != 1 or vmnics[0] not in joins.nics:
        reason = "its port is not known" if not vmnics else f"it lists {len(vmnics)} ports"
        for key in ("adapter", "flow_control"):
            facts.put(initiator.subject, key, Unknown(reason))
        return
    nic = joins.nics[vmnics[0]]
    facts.say(initiator.subject, "adapter", nic.subject.id, Source("iscsi", "esxcli iscsi physicalnetworkportal list", "Vmnic", nic.name))
    # Pause belongs to the port, which the hardware initiator and the adapter share.
    facts.put(initiator.subject, "flow_control", facts.told(nic.subject, "flow_control") or Unknown(f"not told for {nic.name}"))


# --- Sessions, volumes, boot ----------------------------------------------------------------------------------------------------------


def _spread(joins: Joins, facts: Steps) -> None:
    """Most minus fewest sessions over the SAN adapters, those without any counted as zero."""
    adapters = joins.san_adapters()
    if not adapters or not joins.sessions:
        return
    counts = dict.fromkeys(adapters, 0)
    for session in joins.sessions:
        vmnic, why = joins.adapter_of_session(session)
        if not vmnic:
            facts.put(HOST, "san_sessions_spread", Unknown(why))
            return
        counts[vmnic] = counts.get(vmnic, 0) + 1
    raw = ", ".join(f"{vmnic}: {count}" for vmnic, count in sorted(counts.items(), key=lambda item: natural(item[0])))
    source = Source("iscsi", "esxcli iscsi session connection list", "LocalAddress", raw)
    facts.say(HOST, "san_sessions_spread", max(counts.values()) - min(counts.values()), source)


def _volumes(joins: Joins, facts: Steps, path_map: PathMap) -> None:
    listed = "esxcli storage core path list"
    for volume in path_map.volumes:
        subject = Subject("volume", volume.id)
        mine = [path for path in path_map.paths if path.volume == volume.id]
        seen = joins.devices[volume.id]
        if not joins.seen("paths", "has_paths", False):
            # Only the multipathing module was asked: it counts the paths that work, and no others.
            source = Source("paths", "esxcli storage nmp device list", "Working Paths", ", ".join(seen.working or ()))
            facts.say(subject, "paths_healthy", len(seen.working or ()), source)
            facts.put(subject, "paths_total", Unknown(f"{listed} was not read"))
            continue
        disagreement = disagrees(joins, volume.id)
        if disagreement:
            for key in ("paths_healthy", "paths_total", "adapters"):
                facts.put(subject, key, Unknown(disagreement))
            continue
        raw = ", ".join(f"{path.runtime_name} {path.state}" for path in mine)
        source = Source("paths", listed, "State", raw)
        facts.say(subject, "paths_total", len(mine), source)
        if any(path.state == "unknown" for path in mine):
            facts.put(subject, "paths_healthy", Unknown("a path is in a state that is not understood", source))
        else:
            facts.say(subject, "paths_healthy", path_map.healthy(volume.id), source)
        healthy = [path for path in mine if path.state == "healthy"]
        if all(path.adapter for path in healthy):
            facts.say(subject, "adapters", len({path.adapter for path in healthy}), source)
        else:
            facts.put(subject, "adapters", Unknown("the adapter of a path is not known", source))


def disagrees(joins: Joins, device: str) -> str:
    """Where the multipathing module and the list of paths contradict each other, in words; empty where they agree."""
    seen = joins.devices[device]
    if seen.working is None:
        return ""
    by_runtime = {way.runtime: way for way in seen.ways}
    for runtime in seen.working:
        if runtime not in by_runtime:
            return f"{device}: working path {runtime} is not in the list of paths"
        if by_runtime[runtime].state == "dead":
            return f"{device}: path {runtime} is working by one list and dead by the other"
    if not seen.working and any(way.state == "healthy" for way in seen.ways):
        return f"{device}: the list of paths shows active ones, the multipathing module none"
    return ""


def _boot(joins: Joins, facts: Steps) -> None:
    by_table = joins.seen("system", "ibft", None)
    boot = [seen for seen in joins.devices.values() if seen.is_boot]
    if by_table:
        facts.say(HOST, "boot_from_san", True, Source("system", "esxcli iscsi ibftboot get", "", "the iSCSI boot table names a target"))
    elif any(seen.is_iscsi for seen in boot):
        name = next(seen.id for seen in boot if seen.is_iscsi)
        facts.say(HOST, "boot_from_san", True, Source("paths", "esxcli storage core device list", "Is Boot Device", name))
    elif boot and all(seen.is_iscsi is False for seen in boot):
        facts.say(HOST, "boot_from_san", False, Source("paths", "esxcli storage core device list", "Is Boot Device", boot[0].id))
    elif by_table is False:
        facts.say(HOST, "boot_from_san", False, Source("system", "esxcli iscsi ibftboot get", "", "no target in the iSCSI boot table"))
    elif "system" in joins.parts or "paths" in joins.parts:
        facts.put(HOST, "boot_from_san", Unknown("neither the iSCSI boot table nor a boot device was told"))
