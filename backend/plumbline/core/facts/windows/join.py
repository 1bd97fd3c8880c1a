"""What only several sections together tell: each adapter's settings by its MAC, roles, initiator mode, delayed ACK, paths."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from plumbline.core.facts.configuration import HOST, NOT_COLLECTED, Facts, Reading, Source, Subject, Unknown, Value
from plumbline.core.facts.join import Steps
from plumbline.core.facts.paths import PathMap
from plumbline.core.facts.windows import interfaces, probes, without_inventory
from plumbline.core.facts.windows import path_map as san_paths
from plumbline.core.facts.windows import tcp_stack as stack
from plumbline.core.facts.windows.adapters import Interface
from plumbline.core.facts.windows.families import family_of
from plumbline.core.facts.windows.iscsi import Session
from plumbline.core.facts.windows.roles import Evidence, Role, by_hand, roles_of

HIDDEN = "not observable by NDIS cmdlets: iSOE hides the adapter"


@dataclass(frozen=True, slots=True)
class _Hidden:
    """What iSOE hides: the adapter of each of its initiators, and the roles of the adapters that Windows does not show."""

    of_initiators: dict[str, str]
    roles: dict[Subject, Role]


class Join:
    """The sections of one host, joined step by step; each step runs again only where something that it looked at has changed."""

    def __init__(self, steps: Steps) -> None:
        self.steps = steps
        self.parts = steps.parts
        self.unread = steps.unread
        self.by_person = steps.by_person
        self.seen = steps.seen

    @property
    def interfaces(self) -> list[Interface]:
        """What the inventory lists, in its order."""
        found: list[Interface] = self.seen("adapters", "interfaces", [])
        return found

    @property
    def sessions(self) -> list[Session]:
        """The connected sessions, with their source addresses as far as they are told."""
        found: list[Session] = self.steps.value_of("sessions")
        return found

    @property
    def adapters_of_initiators(self) -> dict[str, str]:
        """Hardware initiator -> its adapter's id."""
        found: dict[str, str] = self.steps.value_of("hidden adapters").of_initiators
        return found

    @property
    def hidden(self) -> frozenset[Subject]:
        """Adapters that iSOE has taken out of Windows' networking."""
        return frozenset(self.steps.value_of("hidden adapters").roles)

    @property
    def roles(self) -> dict[Subject, Role]:
        """The role of every interface."""
        found: dict[Subject, Role] = self.steps.value_of("roles")
        return found

    def guid_of(self, interface: Interface) -> str:
        """The GUID of an interface; where a copied inventory does not show it, the one that another command gives to its name alone."""
        return interface.guid or str(self.steps.value_of("import").get(interface.name.lower(), ""))

    def reason(self, section: str, command: str) -> str:
        """Why a read of a section gave nothing; empty where it answered."""
        if section in self.unread:
            return self.unread[section]
        if section not in self.parts:
            return NOT_COLLECTED.reason
        found = self.steps.entry(section, "reads", command)
        return f"{command} was not read" if found is None else str(found)

    def value(self, section: str, subject: Subject, key: str) -> Any:
        """The value that one section gave, or None."""
        reading = self.steps.reading(section, subject, key)
        return reading.value if isinstance(reading, Value) else None

    def run(self) -> tuple[Facts, PathMap]:
        """All derived readings and the path map."""
        step = self.steps.step
        step("sessions", lambda: san_paths.with_sources(self.seen("iscsi", "sessions", []), self.seen("tcp", "connections", [])))
        step("absent rows", lambda: interfaces.absent_rows(self))
        step("import", lambda: without_inventory.lay_adapters(self))
        names = [("interface", number, interface.subject) for number, interface in enumerate(self.interfaces)]
        self.steps.only("interface", names)
        for name, interface in zip(names, self.interfaces, strict=True):
            rows = step(("typed", *name), partial(interfaces.typed, self, interface), interface)
            step(name, partial(interfaces.settle, self, interface, rows), interface, rows)
        step("switches", self._switches)
        step("hidden adapters", self._hidden_adapters)
        step("roles", self._assign_roles)
        step("initiator modes", self._initiator_modes)
        step("stack", lambda: stack.host_settings(self))
        step("probes", self._probes)
        found = step("paths", self._paths)
        step("sessions spread", self._sessions_spread)
        return self.steps.finish(), found

    def _switches(self) -> None:
        uplinks = self.seen("vswitch", "uplinks", {})
        hosted = {one["guid"] or one["name"].lower(): one for one in self.seen("vswitch", "host_interfaces", [])}
        mappings = self.seen("vswitch", "mappings", {})
        reason = self.reason("vswitch", "Get-VMSwitch")
        has_hyper_v = self.seen("system", "features", {}).get("hyper-v")
        source = Source("vswitch", "Get-VMSwitch", "NetAdapterInterfaceDescriptions")
        for interface in self.interfaces:
            if interface.is_adapter:
                if not reason or has_hyper_v is False:
                    self.steps.say(interface.subject, "vswitch", uplinks.get(interface.description, ""), source)
                elif reason != NOT_COLLECTED.reason:
                    self.steps.put(interface.subject, "vswitch", Unknown(reason, source))
                continue
            # The system names the interface `vEthernet (NAME)` after its virtual adapter.
            short = interface.name.partition("(")[2].rstrip(")").lower()
            one = hosted.get(interface.guid) or hosted.get(short) or hosted.get(interface.name.lower())
            if one is None:
                continue
            self.steps.say(
                interface.subject, "vswitch", one["switch"], Source("vswitch", "Get-VMNetworkAdapter", "SwitchName", one["switch"])
            )
            pinned = mappings.get(interface.name.lower(), mappings.get(one["name"].lower(), ""))
            mapping = Source("vswitch", "Get-VMNetworkAdapterTeamMapping", "ParentAdapter", pinned)
            self.steps.say(interface.subject, "team_mapping", pinned, mapping)

    def _hidden_adapters(self) -> _Hidden:
        """iSOE: the card left Windows' networking and shows as a storage controller; its settings are unknown, never missing."""
        found = _Hidden({}, {})
        by_instance = {instance.lower(): subject for subject, (instance, _, _) in self.seen("iscsi", "initiators", {}).items()}
        for engine in self.seen("adapters", "offload_engines", []):
            pnp_id = engine["pnp_id"]
            source = Source("adapters", "Win32_SCSIController", "PNPDeviceID", pnp_id)
            visible = self._card_of(pnp_id)
            adapter = visible.subject if visible is not None else Subject("adapter", pnp_id.lower() or engine["name"].lower())
            initiator = Subject(
                "initiator", next((one for key, one in by_instance.items() if pnp_id and key.startswith(pnp_id.lower())), "")
            )
            if not initiator.id:
                initiator = Subject("initiator", pnp_id or engine["name"])
            found.of_initiators[initiator.id] = adapter.id
            self.steps.say(initiator, "name", engine["name"], Source("adapters", "Win32_SCSIController", "Name", engine["name"]))
            self.steps.say(
                initiator, "driver", engine["driver"], Source("adapters", "Win32_SCSIController", "DriverName", engine["driver"])
            )
            self.steps.say(initiator, "mode", "isoe", source)
            self.steps.say(initiator, "adapter", adapter.id, source)
            for key in ("mtu", "flow_control", "frame_probe"):
                self.steps.put(
                    initiator, key, Unknown("an offload engine's settings are shown only by the vendor's own tool (BACS)", source)
                )
            if visible is None:
                found.roles[adapter] = self._hidden_adapter(adapter, engine, source)
        return found

    def _card_of(self, pnp_id: str) -> Interface | None:
        """The visible card of an engine: both are children of one device of the vendor's bus driver, which has no others."""
        parent = _bus_parent(pnp_id)
        engines = [one for one in self.seen("adapters", "offload_engines", []) if _bus_parent(one["pnp_id"]) == parent]
        cards = [one for one in self.interfaces if one.is_adapter and _bus_parent(one.pnp_id) == parent]
        return cards[0] if parent and len(engines) == len(cards) == 1 else None

    def _hidden_adapter(self, adapter: Subject, engine: Mapping[str, Any], source: Source) -> Role:
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
            self.steps.set(adapter, key, reading)
        if adapter in self.by_person:
            return by_hand(self.by_person[adapter])
        return Role("san_iscsi", "its iSCSI offload engine is on", (source.section, source.command, source.field))

    # Roles.

    def _assign_roles(self) -> dict[Subject, Role]:
        evidence = Evidence(
            session_sources=self.seen("iscsi", "session_sources", frozenset()) | self.seen("tcp", "live_sources", frozenset()),
            portals=tuple(self.seen("iscsi", "portals", ())),
            probe_sources=self.seen("probes", "sources", frozenset()),
            is_s2d=self.value("system", HOST, "s2d") == "enabled",
            smb_addresses=frozenset(address for address, _, _ in self.seen("storage", "smb", []) if address),
            smb_indices=frozenset(index for _, index, _ in self.seen("storage", "smb", []) if index is not None),
            rdma={one.subject: self._is_enabled(one.subject, "rdma") for one in self.interfaces},
            iscsi_unread=self._iscsi_unread(),
            storage_unread=self.reason("storage", "Get-SmbMultichannelConnection"),
        )
        roles: dict[Subject, Role] = dict(self.steps.value_of("hidden adapters").roles)
        for subject, role in roles_of(self.interfaces, evidence, self.by_person).items():
            roles.setdefault(subject, role)
        self._lend_roles(roles)
        for subject, role in roles.items():
            said, reason = role.readings()
            self.steps.set(subject, "role", said)
            if subject.kind == "adapter":
                self.steps.set(subject, "role_reason", reason)
        return roles

    def _iscsi_unread(self) -> str:
        if "iscsi" in self.unread:
            return self.unread["iscsi"]
        if "iscsi" not in self.parts:
            return "section iscsi was not collected"
        if self.seen("iscsi", "is_stopped", False):
            return ""
        sessions = self.reason("iscsi", "Get-IscsiSession")
        return sessions if self.reason("iscsi", "Get-IscsiTargetPortal") else ""

    def _is_enabled(self, subject: Subject, key: str) -> bool:
        reading = self.steps.told(subject, key)
        return isinstance(reading, Value) and reading.value == "enabled"

    def _lend_roles(self, roles: dict[Subject, Role]) -> None:
        """A card below a team or virtual switch carries what the interfaces on it carry."""
        ranks = {"san_iscsi": 3, "s2d_storage": 2, "management": 1}
        for interface in self.interfaces:
            if not interface.is_adapter or interface.subject in self.by_person:
                continue
            switch = self.steps.told(interface.subject, "vswitch")
            switch_name = switch.value if isinstance(switch, Value) else ""
            for other in self.interfaces:
                role = roles[other.subject]
                if other.is_adapter or role.role not in ranks:
                    continue
                on_switch = self.steps.told(other.subject, "vswitch")
                above = bool(switch_name) and isinstance(on_switch, Value) and on_switch.value == switch_name
                in_team = bool(interface.team) and interface.team == other.name
                if (above or in_team) and ranks[role.role] > ranks.get(roles[interface.subject].role or "", 0):
                    where = f"virtual switch {switch_name}" if above else f"team {interface.team}"
                    roles[interface.subject] = Role(role.role, f"below {where}, whose {other.name}: {role.reason}", role.source)

    # Initiators.

    def _initiator_modes(self) -> None:
        by_address = {ip: one for one in self.interfaces if one.is_adapter for ip in one.ips}
        for initiator, (instance, is_software, command) in self.seen("iscsi", "initiators", {}).items():
            subject = Subject("initiator", initiator)
            if initiator in self.adapters_of_initiators:
                continue
            source = Source("iscsi", command, "InstanceName", instance)
            if not is_software:
                self.steps.put(subject, "mode", Unknown(f"{instance} is no device that we know", source))
                continue
            used = [by_address[one.source] for one in self.sessions if one.initiator == initiator and one.source in by_address]
            cards = used or [one for one in self.interfaces if one.is_adapter and self.roles[one.subject].role == "san_iscsi"]
            # A card that could offload and does not is in what BP1057 calls NDIS mode (papers.yaml, W-S1); any other has only the software
            # initiator.
            if "adapters" not in self.parts:
                self.steps.put(subject, "mode", Unknown("the adapters that carry it are not known", source))
                continue
            can_offload = any(self.value("adapters", one.subject, "family") == "bcm57810" for one in cards)
            self.steps.say(subject, "mode", "ndis" if can_offload else "software", source)

    def _paths(self) -> PathMap:
        witnessed = san_paths.build(self.steps, self.sessions, self.adapters_of_initiators)
        san_paths.volume_settings(witnessed, self.steps)
        return witnessed.path_map

    def _sessions_spread(self) -> None:
        source = Source("iscsi", "Get-IscsiSession", "InitiatorPortalAddress")
        san = [subject for subject, role in self.roles.items() if subject.kind == "adapter" and role.role == "san_iscsi"]
        if not san:
            return
        by_address = {ip: one.subject for one in self.interfaces if one.is_adapter for ip in one.ips}
        counts = dict.fromkeys(san, 0)
        for session in self.sessions:
            hidden = self.adapters_of_initiators.get(session.initiator)
            adapter = Subject("adapter", hidden) if hidden else by_address.get(session.source)
            if adapter not in counts:
                self.steps.put(HOST, "san_sessions_spread", Unknown("the adapter of a session is not known", source))
                return
            counts[adapter] += 1
        reason = self.reason("iscsi", "Get-IscsiSession")
        if reason:
            self.steps.put(HOST, "san_sessions_spread", Unknown(reason, source))
        else:
            self.steps.say(HOST, "san_sessions_spread", max(counts.values()) - min(counts.values()), source)

    def _probes(self) -> None:
        pings = self.seen("probes", "pings", {})
        reason = self.reason("probes", probes.COMMAND)
        for interface in self.interfaces:
            if self.roles[interface.subject].role != "san_iscsi":
                continue
            rows = list(pings.get(interface.guid, []))
            for ip in interface.ips:
                rows.extend(pings.get(ip, []))
            keys = ("frame_probe", "frame_probe_size") if interface.is_adapter else ("frame_probe",)
            found = probes.readings(rows, self._mtu(interface)) if rows else {}
            for key in keys:
                absent = Unknown(reason or "no probe left from this adapter", Source("probes", probes.COMMAND, "outcome"))
                if key in found or reason != NOT_COLLECTED.reason:
                    self.steps.put(interface.subject, key, found.get(key, absent))

    def _mtu(self, interface: Interface) -> int | None:
        for reading in (
            self.steps.told(interface.subject, "mtu"),
            self.steps.reading("adapters", interface.subject, "mtu_operational" if interface.is_adapter else "mtu"),
        ):
            if isinstance(reading, Value) and isinstance(reading.value, int):
                return reading.value
        return None


def _bus_parent(pnp_id: str) -> str:
    """What the instance ids of one bus device's children share: `5&2a3b4c5d&0` of `B06BDRV\\L2ND&...\\5&2A3B4C5D&0&30120101`."""
    return pnp_id.lower().rpartition("\\")[2].rpartition("&")[0]
