"""The observations of all sections of one host side by side, and how they belong together: VMkernel port to adapter, session to adapter."""

from dataclasses import dataclass, field
from typing import Any

from plumbline.core.facts.configuration import Source, Subject
from plumbline.core.facts.esxi.iscsi import BINDINGS, CONNECTIONS, IP_CONNECTIONS, Binding, HbaPort, Initiator, Session
from plumbline.core.facts.esxi.nics import Nic
from plumbline.core.facts.esxi.paths import Disk
from plumbline.core.facts.esxi.probes import Probe
from plumbline.core.facts.esxi.values import natural
from plumbline.core.facts.esxi.vmkernel import Interface
from plumbline.core.facts.esxi.vswitch import Switch, Teaming
from plumbline.core.facts.join import Join


@dataclass(frozen=True, slots=True)
class Use:
    """Why something counts as part of the SAN, and the command that shows that."""

    reason: str
    source: Source


@dataclass(frozen=True, slots=True)
class Observations:
    """What one host was seen to have."""

    nics: dict[str, Nic]  # adapters by name
    switches: dict[str, Switch]  # virtual switches by name
    switch_of_portgroup: dict[str, str]
    teaming: dict[str, Teaming]  # failover policies by port group
    vmks: dict[str, Interface]  # VMkernel ports by name
    initiators: dict[str, Initiator]  # iSCSI adapters by vmhba
    bindings: list[Binding]  # port bindings
    hba_ports: dict[str, tuple[HbaPort, ...]]  # vmhba -> what is known of its port, the surest first
    sessions: list[Session]
    # Local addresses of connections to targets; None where the sessions' own connections are listed, or none of both.
    connected_from: tuple[str, ...] | None
    devices: dict[str, Disk]  # by id
    probes: list[Probe]  # pings with their outcomes
    vmk_of_address: dict[str, Interface] = field(init=False)

    def __post_init__(self) -> None:
        by_address = {interface.address: interface for interface in self.vmks.values() if interface.address}
        object.__setattr__(self, "vmk_of_address", by_address)

    def adapter_id(self, vmnic: str) -> str:
        """The settings' id of an adapter, empty where the host did not list it."""
        return self.nics[vmnic].subject.id if vmnic in self.nics else ""

    def switch_of(self, interface: Interface) -> str:
        """The virtual switch of a VMkernel port."""
        return interface.vswitch or self.switch_of_portgroup.get(interface.portgroup, "")

    def uplinks_of(self, vmk: str) -> tuple[tuple[str, ...], str]:
        """The adapters that may carry a VMkernel port's traffic, and why it is not exactly one (empty where it is)."""
        interface = self.vmks.get(vmk)
        if interface is None:
            return (), f"{vmk} is not in the list of VMkernel interfaces"
        teaming = self.teaming.get(interface.portgroup)
        switch = self.switches.get(self.switch_of(interface))
        uplinks = teaming.active if teaming is not None else switch.uplinks if switch is not None else ()
        if len(uplinks) == 1:
            return uplinks, ""
        # The list of port bindings shows the address of the adapter it uses.
        shown = {binding.mac for binding in self.bindings if binding.vmk == vmk and binding.mac}
        named = [nic.name for nic in self.nics.values() if nic.subject.id in shown]
        if len(named) == 1:
            return (named[0],), ""
        if not uplinks:
            return (), f"the uplink of {vmk} is not known"
        return uplinks, f"{vmk} has {len(uplinks)} active uplinks ({', '.join(uplinks)})"

    def port_of_hba(self, vmhba: str) -> tuple[str, Source | None]:
        """The adapter that a hardware initiator sits on and where that was read; an empty name where no command shows the adapter."""
        by_mac = {nic.mac.lower().replace(":", ""): nic.name for nic in self.nics.values() if nic.mac}
        for said in self.hba_ports.get(vmhba, ()):
            name = said.vmnic or by_mac.get(said.mac, "")
            if name in self.nics:
                return name, said.source
        # A bound interface has the HBA's own port as its one uplink.
        ports = {self.uplinks_of(binding.vmk)[0] for binding in self.bindings if binding.vmhba == vmhba}
        if len(ports) == 1 and len(only := ports.pop()) == 1:
            return only[0], Source("iscsi", BINDINGS, "Vmknic", only[0])
        return "", None

    def adapter_of_session(self, session: Session) -> tuple[str, str]:
        """The vmnic that carries a session, or an empty name and why it is not known."""
        initiator = self.initiators.get(session.vmhba)
        if initiator is not None and initiator.is_hardware and (port := self.port_of_hba(session.vmhba)[0]):
            return port, ""
        if not session.local:
            return "", f"session {session.isid} of {session.vmhba} has no listed connection"
        return self.adapter_of_address(session.local)

    def adapter_of_address(self, address: str) -> tuple[str, str]:
        """The vmnic that carries what runs from an address of a VMkernel interface, or an empty name and why it is not known."""
        interface = self.vmk_of_address.get(address)
        if interface is None:
            return "", f"no VMkernel interface has the address {address}"
        uplinks, why = self.uplinks_of(interface.name)
        return (uplinks[0], "") if len(uplinks) == 1 and not why else ("", why)

    def why_use_unknown(self) -> str:
        """Why it is not known of each adapter whether it carries iSCSI: a session or a port of the SAN that leads to none."""
        if self.connected_from is not None:
            strange = next((address for address in self.connected_from if address not in self.vmk_of_address), "")
            if strange:
                return f"no VMkernel interface has the address {strange}"
        for session in self.sessions if self.connected_from is None else ():
            initiator = self.initiators.get(session.vmhba)
            if initiator is not None and initiator.is_hardware and self.port_of_hba(session.vmhba)[0]:
                continue
            if session.local not in self.vmk_of_address:
                return self.adapter_of_session(session)[1]
        return next((why for vmk in self.san_vmks() for uplinks, why in (self.uplinks_of(vmk),) if not uplinks), "")

    def san_vmks(self) -> dict[str, Use]:
        """VMkernel ports that carry iSCSI: those that are bound or that sessions run from. That a port could be bound proves nothing."""
        found: dict[str, Use] = {}
        for binding in self.bindings:
            reason = f"bound to iSCSI adapter {binding.vmhba}"
            found.setdefault(binding.vmk, Use(reason, Source("iscsi", BINDINGS, "Vmknic", reason)))
        for session in self.sessions:
            interface = self.vmk_of_address.get(session.local)
            if interface is not None:
                reason = f"iSCSI sessions of {session.vmhba} run from its address {session.local}"
                found.setdefault(interface.name, Use(reason, Source("iscsi", CONNECTIONS, "LocalAddress", reason)))
        for address in self.connected_from or ():
            interface = self.vmk_of_address.get(address)
            if interface is not None:
                reason = f"connections to iSCSI targets run from its address {address}"
                found.setdefault(interface.name, Use(reason, Source("iscsi", IP_CONNECTIONS, "Local Address", reason)))
        return found

    def san_adapters(self) -> dict[str, Use]:
        """vmnics that carry iSCSI: ports of hardware initiators in use, and uplinks of the VMkernel ports that carry it."""
        found: dict[str, Use] = {}
        used = {binding.vmhba for binding in self.bindings} | {session.vmhba for session in self.sessions}
        for vmhba, initiator in self.initiators.items():
            vmnic, source = self.port_of_hba(vmhba) if initiator.is_hardware and vmhba in used else ("", None)
            if vmnic and source is not None:
                reason = f"port of iSCSI adapter {vmhba}"
                found.setdefault(vmnic, Use(reason, source))
        for vmk, use in sorted(self.san_vmks().items(), key=lambda item: natural(item[0])):
            for vmnic in self.uplinks_of(vmk)[0]:
                found[vmnic] = Use(f"active uplink of {vmk}, {use.reason}", use.source)
        return found


def observe(join: Join) -> Observations:
    """The observations of one host; what a section did not show is empty."""
    seen = join.observation
    has_own = not join.why_not_whole("iscsi", CONNECTIONS)
    connected = None if has_own or join.why_not_whole("iscsi", IP_CONNECTIONS) else seen("iscsi", "connected_from", ())
    return Observations(
        nics=_nics(join),
        switches=seen("vswitch", "switches", {}),
        switch_of_portgroup=seen("vswitch", "groups", {}),
        teaming=seen("vswitch", "teaming", {}),
        vmks=seen("vmkernel", "vmks", {}),
        initiators=seen("iscsi", "initiators", {}),
        bindings=seen("iscsi", "bindings", []),
        hba_ports=seen("iscsi", "hba_ports", {}),
        sessions=seen("iscsi", "sessions", []),
        connected_from=connected,
        devices=seen("paths", "devices", {}),
        probes=seen("probes", "probes", []),
    )


def why_connections_unread(join: Join, observed: Observations) -> str:
    """Why it is not known from which addresses all sessions run; empty where it is."""
    return "" if observed.connected_from is not None else join.why_not_whole("iscsi", CONNECTIONS)


def why_section_unread(join: Join, section: str) -> str:
    """Why a section gave nothing; empty where it is there."""
    return "" if section in join.sections else join.unread.get(section, f"section {section} not collected")


def _nics(join: Join) -> dict[str, Nic]:
    if "nics" in join.sections or "nics" in join.unread:
        found: dict[str, Nic] = join.observation("nics", "nics", {})
        return found
    # Copied outputs without the list of adapters: their own names are the best ids there are. Never so on a live host, where the
    # section either is there or is known to be unread.
    tuning: dict[str, Any] = join.observation("nic_tuning", "tuning", {})
    return {name: Nic(name, Subject("adapter", name), "", "", "") for name in tuning}
