"""What each interface of a Windows host is used for, with the reason in words.

san_iscsi: iSCSI sessions or portals name it. s2d_storage: Storage Spaces Direct is on and SMB uses it with RDMA. management: the default
route. other: none of these. A role that a person set takes precedence.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from plumbline.core.facts.configuration import Reading, Source, Subject, Unknown, Value
from plumbline.core.facts.windows.adapters import Interface
from plumbline.core.facts.windows.iscsi import Address

_SESSION = ("iscsi", "Get-IscsiSession", "InitiatorPortalAddress")
_PORTAL = ("iscsi", "Get-IscsiTargetPortal", "TargetPortalAddress")
_SMB = ("storage", "Get-SmbMultichannelConnection", "ClientIpAddress")
_ROUTE = ("adapters", "Get-NetRoute", "DestinationPrefix")
_INVENTORY = ("adapters", "Get-NetIPAddress", "IPAddress")


@dataclass(frozen=True, slots=True)
class Evidence:
    """What roles are derived from. A reason that is not empty means that a part could not be read, and why."""

    # Address that iSCSI leaves from -> section, command and property that name it.
    session_sources: Mapping[str, tuple[str, str, str]]
    portals: tuple[Address, ...]
    probe_sources: frozenset[str]
    is_s2d: bool | None
    smb_addresses: frozenset[str]
    smb_indices: frozenset[int]
    rdma: Mapping[Subject, bool]
    iscsi_unread: str
    storage_unread: str
    s2d_unread: str = ""
    addresses_unread: str = ""
    routes_unread: str = ""
    # Of each interface of which it is not known whether RDMA is on.
    rdma_unread: Mapping[Subject, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Role:
    """A role, or None where it is not known, and why. `may_be_san`: one that is not known may be that of a SAN adapter."""

    role: str | None
    reason: str
    source: tuple[str, str, str]
    may_be_san: bool = False

    def readings(self) -> tuple[Reading, Reading]:
        """The settings `role` and `role_reason`."""
        source = Source(*self.source, self.reason)
        if self.role is None:
            return Unknown(self.reason, source), Unknown(self.reason, source)
        return Value(self.role, source), Value(self.reason, source)


def roles_of(interfaces: Iterable[Interface], evidence: Evidence, by_person: Mapping[Subject, str]) -> dict[Subject, Role]:
    """The role of every interface. A card below a team or virtual switch takes the role of the interfaces on it; the join does that."""
    interfaces = list(interfaces)
    has_named_source = any(_named_source(interface, evidence) is not None for interface in interfaces)
    return {
        interface.subject: role_by_person(by_person[interface.subject])
        if interface.subject in by_person
        else _derived(interface, evidence, has_named_source)
        for interface in interfaces
    }


def _untold(what: str, reason: str, source: tuple[str, str, str], *, may_be_san: bool = True) -> Role:
    return Role(None, f"can't tell {what}: {reason}", source, may_be_san)


def role_by_person(role: str) -> Role:
    """A role that a person set."""
    return Role(role, "set manually", ("person", "", "role"))


def _named_source(interface: Interface, evidence: Evidence) -> str | None:
    return next((ip for ip in interface.ips if ip in evidence.session_sources), None)


def _derived(interface: Interface, evidence: Evidence, has_named_source: bool) -> Role:
    named = _named_source(interface, evidence)
    if named is not None:
        return Role("san_iscsi", f"used for iSCSI ({named})", evidence.session_sources[named])
    probed = next((ip for ip in interface.ips if ip in evidence.probe_sources), None)
    if probed is not None:
        return Role("san_iscsi", f"the SAN was probed from its address {probed}", ("probes", "ping", "source"))
    on_subnet = _portal_on_subnet(interface, evidence)
    # On a flat network the management adapter is in the portals' subnet too: then only an adapter that sessions use is taken for the SAN.
    if on_subnet is not None and has_named_source and evidence.routes_unread:
        return _untold("whether it has the default route", evidence.routes_unread, _ROUTE)
    if on_subnet is not None and not (interface.has_default_route and has_named_source):
        return Role("san_iscsi", f"iSCSI portal {on_subnet} is in its subnet", _PORTAL)
    storage = _s2d(interface, evidence)
    if storage is not None:
        return storage
    if not interface.addresses and not evidence.addresses_unread:
        return Role("other", "no IP address", _INVENTORY)
    # A card of the SAN must not lose its rules because a read failed.
    if evidence.iscsi_unread:
        return _untold("whether it carries iSCSI", evidence.iscsi_unread, _SESSION)
    if evidence.addresses_unread:
        return _untold("which addresses it has", evidence.addresses_unread, _INVENTORY)
    unsure = _s2d_unsure(interface, evidence)
    if unsure:
        return _untold("whether it carries Storage Spaces Direct", unsure, _SMB, may_be_san=False)
    if interface.has_default_route:
        return Role("management", "has the default route", _ROUTE)
    if evidence.routes_unread:
        return _untold("whether it has the default route", evidence.routes_unread, _ROUTE, may_be_san=False)
    return Role("other", "no iSCSI sessions, portals, storage traffic or default route", _INVENTORY)


def _portal_on_subnet(interface: Interface, evidence: Evidence) -> Address | None:
    for address in interface.addresses:
        if address.ip.is_link_local or address.network.prefixlen == 0:
            continue
        for portal in evidence.portals:
            if portal.version == address.version and portal in address.network:
                return portal
    return None


def _s2d(interface: Interface, evidence: Evidence) -> Role | None:
    if not evidence.is_s2d:
        return None
    uses_smb, has_rdma = _uses_smb(interface, evidence), evidence.rdma.get(interface.subject, False)
    if uses_smb and has_rdma:
        return Role("s2d_storage", "Storage Spaces Direct is on, and SMB Multichannel uses it with RDMA", _SMB)
    if (uses_smb or has_rdma) and evidence.routes_unread:
        return _untold("whether it has the default route", evidence.routes_unread, _ROUTE, may_be_san=bool(evidence.iscsi_unread))
    if uses_smb and not interface.has_default_route:
        return Role("s2d_storage", "Storage Spaces Direct is on, and SMB Multichannel uses it", _SMB)
    if has_rdma and not interface.has_default_route:
        return Role("s2d_storage", "Storage Spaces Direct is on, and RDMA is enabled on it", ("offload", "Get-NetAdapterRdma", "Enabled"))
    return None


def _uses_smb(interface: Interface, evidence: Evidence) -> bool:
    return interface.index in evidence.smb_indices or any(ip in evidence.smb_addresses for ip in interface.ips)


def _s2d_unsure(interface: Interface, evidence: Evidence) -> str:
    """Why an interface that is not known to carry Storage Spaces Direct may carry it all the same; empty where it surely does not."""
    if evidence.is_s2d is False:
        return ""
    rdma_unread = evidence.rdma_unread.get(interface.subject, "")
    may_use_smb = _uses_smb(interface, evidence) or bool(evidence.storage_unread)
    may_have_rdma = evidence.rdma.get(interface.subject, False) or bool(rdma_unread)
    if not (may_use_smb and may_have_rdma) and not ((may_use_smb or may_have_rdma) and not interface.has_default_route):
        return ""
    return evidence.s2d_unread if evidence.is_s2d is None else evidence.storage_unread or rdma_unread
