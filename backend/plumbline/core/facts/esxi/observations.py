"""The observations of all sections of one host side by side, and the joins between them: vmk to adapter, session to adapter."""

from plumbline.core.facts.configuration import Subject
from plumbline.core.facts.esxi.iscsi import Binding, Initiator, Session
from plumbline.core.facts.esxi.nics import Nic
from plumbline.core.facts.esxi.paths import Seen
from plumbline.core.facts.esxi.probes import Probe
from plumbline.core.facts.esxi.values import natural
from plumbline.core.facts.esxi.vmkernel import Interface
from plumbline.core.facts.esxi.vswitch import Switch, Teaming
from plumbline.core.facts.join import Steps


class Joins:
    """The observations as steps of the join look at them. `unread`: sections that gave nothing, with their words."""

    def __init__(self, steps: Steps) -> None:
        self.steps = steps
        self.parts = steps.parts
        self.unread = steps.unread
        self.seen = steps.seen

    @property
    def nics(self) -> dict[str, Nic]:
        """Adapters by name."""
        if "nics" in self.parts or "nics" in self.unread:
            found: dict[str, Nic] = self.seen("nics", "nics", {})
            return found
        # Copied outputs without the list of adapters: their own names are the best ids there are. Never so on a live host, where the
        # section either is there or is told as unread.
        return {name: Nic(name, Subject("adapter", name), "", "", "") for name in self.seen("nic_tuning", "tuning", {})}

    @property
    def switches(self) -> dict[str, Switch]:
        """Virtual switches by name."""
        found: dict[str, Switch] = self.seen("vswitch", "switches", {})
        return found

    @property
    def groups(self) -> dict[str, str]:
        """Port group -> its virtual switch."""
        found: dict[str, str] = self.seen("vswitch", "groups", {})
        return found

    @property
    def teaming(self) -> dict[str, Teaming]:
        """Failover policies by port group."""
        found: dict[str, Teaming] = self.seen("vswitch", "teaming", {})
        return found

    @property
    def vmks(self) -> dict[str, Interface]:
        """VMkernel interfaces by name."""
        found: dict[str, Interface] = self.seen("vmkernel", "vmks", {})
        return found

    @property
    def by_address(self) -> dict[str, Interface]:
        """VMkernel interfaces by address."""
        return {interface.address: interface for interface in self.vmks.values() if interface.address}

    @property
    def initiators(self) -> dict[str, Initiator]:
        """iSCSI adapters by vmhba."""
        found: dict[str, Initiator] = self.seen("iscsi", "initiators", {})
        return found

    @property
    def bindings(self) -> list[Binding]:
        """Port bindings."""
        found: list[Binding] = self.seen("iscsi", "bindings", [])
        return found

    @property
    def hba_uplinks(self) -> dict[str, tuple[str, ...]]:
        """vmhba -> the adapters that are its ports."""
        found: dict[str, tuple[str, ...]] = self.seen("iscsi", "uplinks", {})
        return found

    @property
    def sessions(self) -> list[Session]:
        """iSCSI sessions."""
        found: list[Session] = self.seen("iscsi", "sessions", [])
        return found

    @property
    def devices(self) -> dict[str, Seen]:
        """Devices by id."""
        found: dict[str, Seen] = self.seen("paths", "devices", {})
        return found

    @property
    def probes(self) -> list[Probe]:
        """Pings with their outcomes."""
        found: list[Probe] = self.seen("probes", "probes", [])
        return found

    def why_unread(self, section: str) -> str:
        """Why a section gave nothing; empty where it is there."""
        return "" if section in self.parts else self.unread.get(section, f"section {section} was not collected")

    def adapter_id(self, vmnic: str) -> str:
        """The settings' id of an adapter, empty where the host did not list it."""
        return self.nics[vmnic].subject.id if vmnic in self.nics else ""

    def switch_of(self, interface: Interface) -> str:
        """The virtual switch of a VMkernel interface."""
        return interface.vswitch or self.groups.get(interface.portgroup, "")

    def uplinks_of(self, vmk: str) -> tuple[tuple[str, ...], str]:
        """The adapters that may carry a VMkernel interface's traffic, and why it is not exactly one (empty where it is)."""
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

    def adapter_of_session(self, session: Session) -> tuple[str, str]:
        """The vmnic that carries a session, or an empty name and why it is not known."""
        initiator = self.initiators.get(session.vmhba)
        if initiator is not None and not initiator.is_software and len(self.hba_uplinks.get(session.vmhba, ())) == 1:
            return self.hba_uplinks[session.vmhba][0], ""
        if not session.local:
            return "", f"session {session.isid} of {session.vmhba} has no listed connection"
        interface = self.by_address.get(session.local)
        if interface is None:
            return "", f"no VMkernel interface has the address {session.local}"
        uplinks, why = self.uplinks_of(interface.name)
        return (uplinks[0], "") if len(uplinks) == 1 and not why else ("", why)

    def san_vmks(self) -> dict[str, str]:
        """VMkernel interfaces that carry iSCSI, each with the reason in words."""
        found: dict[str, str] = {}
        for binding in self.bindings:
            found.setdefault(binding.vmk, f"bound to iSCSI adapter {binding.vmhba}")
        for session in self.sessions:
            interface = self.by_address.get(session.local)
            if interface is not None:
                found.setdefault(interface.name, f"iSCSI sessions of {session.vmhba} run from its address {session.local}")
        return found

    def san_adapters(self) -> dict[str, str]:
        """vmnics that carry iSCSI, each with the reason in words."""
        found: dict[str, str] = {}
        for vmhba, vmnics in self.hba_uplinks.items():
            for vmnic in vmnics:
                found.setdefault(vmnic, f"port of iSCSI adapter {vmhba}")
        for vmk, reason in sorted(self.san_vmks().items(), key=lambda item: natural(item[0])):
            for vmnic in self.uplinks_of(vmk)[0]:
                found[vmnic] = f"active uplink of {vmk}, {reason}"
        return found
