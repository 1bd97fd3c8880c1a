"""Frame sizes: one grows only where its far end is known to carry it, and is kept only after the host's own pings came back whole.

No host can send a frame that is larger than its own interface takes, so the pings of exactly these paths cannot come before the change.
What can be checked before is checked before: no probe is too big or silent, and the portals of the same fabric are proven by another
host, or a person attests array and switches. The rest is part of the step (`Step.pings`): the pings are sent while the dead-man is
armed, and one that does not come back whole undoes the change.

What is proven is what the far end has to carry (`core/facts/frame_sizes.py`): a port that is set to 9600 bytes is proven at the 9000 of
the array's portals.
"""

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass

from plumbline.core.facts.configuration import Subject
from plumbline.core.facts.frame_sizes import carried_bytes
from plumbline.core.facts.paths import Path
from plumbline.core.planning.commands import quoted
from plumbline.core.planning.element_builder import Draft
from plumbline.core.planning.inputs import FrameProof, HostFacts, Limits
from plumbline.core.planning.plan import Gate, Ping
from plumbline.core.planning.refusals import Refused
from plumbline.core.planning.steps import Part

# Bytes of an echo's headers over IPv4 and IPv6: a ping of 8972 bytes is a packet of 9000.
_PING_HEADERS = 28
_PING6_HEADERS = 48
# The number of portals that the Windows agent pings from each address (`Plumbline-Agent.ps1`, ProbePortalLimit).
_WINDOWS_PORTALS = 16

# Network stacks of ESXi that a ping need not name.
_COMMON_STACKS = ("", "defaultTcpipStack", "N/A")

# (fabric, portal) -> the largest frame that was answered whole.
Proofs = Mapping[tuple[str, str], FrameProof]


def frame_bytes(draft: Draft) -> int:
    """The L3 size that an element raises a frame to; 0 where it raises none."""
    if not draft.key.endswith(".mtu") or not draft.element.seen.isdigit() or int(draft.element.target) <= int(draft.element.seen):
        return 0
    return int(draft.element.expects)


def frame_gate(host: HostFacts, draft: Draft, limits: Limits, proofs: Proofs) -> tuple[Gate, ...] | Refused:
    """The gates that let a frame grow, or the refusal. None for an element that raises no frame size."""
    size = carried_bytes(frame_bytes(draft))
    if not size:
        return ()
    name = host.name_of(draft.subject)
    key = draft.subject.address("frame_probe")
    probe = host.configuration.value(draft.subject, "frame_probe")
    if probe == "too_big":
        words = f"current frames from {name} already don't fit the path to a portal; fix the hop with the smaller MTU first"
        return Refused("frame_size", key, words, _ping(host, draft, size, "<portal>"))
    if probe == "silent":
        words = f"no ping from {name} gets a reply, so the new size can't be verified; allow ping on the portals first"
        return Refused("frame_size", key, words, _ping(host, draft, 1500, "<portal>"))
    over = _paths(host, Part(draft.subject, (draft,)))
    planned = _pings(host, draft, size, over)
    if isinstance(planned, str):
        return Refused("frame_size", key, planned, _ping(host, draft, size, "<portal>"))
    wanted = sorted({(host.fabric_of(path.adapter), path.portal) for path in over if path.portal})
    proven = {route: proofs[route] for route in wanted if route in proofs and proofs[route].size_bytes >= size}
    if wanted and len(proven) == len(wanted):
        return tuple(
            Gate("frame_size", f"{proof.host_name} has verified {size} bytes to {portal}", "", str(proof.size_bytes))
            for (_, portal), proof in proven.items()
        )
    if limits.frame_attested_by:
        words = (
            f"{limits.frame_attested_by} confirmed {size} bytes on array and switches; verified by pings from {name} before the change is "
            "kept"
        )
        return (Gate("frame_size", words, "", str(size), "person"),)
    missing = next((route[1] for route in wanted if route not in proven), "the portals")
    words = (
        f"{size}-byte frames to {missing} are not verified. Configure array and switches first, then run the frame test on a host of "
        "this fabric that already uses this size, or confirm it in Edit rollout."
    )
    return Refused("frame_size", key, words, _ping(host, draft, size, missing))


def pings_of(host: HostFacts, part: Part) -> tuple[int, tuple[Ping, ...]]:
    """The size and the pings that must all come back before a step is kept: from every address that it lets send larger frames to every
    portal of its paths. None for a step that raises no one's frames, such as a virtual switch above interfaces that stay small."""
    found: dict[Ping, None] = {}
    largest = 0
    for draft in part.unique:
        size = carried_bytes(frame_bytes(draft))
        pings = _pings(host, draft, size, _paths(host, part)) if size else ()
        if not isinstance(pings, str) and pings:
            largest = max(largest, size)
            found.update(dict.fromkeys(pings))
    return largest, tuple(found)


def proven_frames(hosts: list[HostFacts]) -> dict[tuple[str, str], FrameProof]:
    """For each fabric and portal, the largest frame that reached it from any of these hosts. Linear in the number of paths."""
    found: dict[tuple[str, str], FrameProof] = {}
    for host in sorted(hosts, key=lambda one: (one.name, one.host)):
        held = host.configuration
        sizes: dict[str, int] = {}
        for adapter in held.subjects("adapter"):
            size = held.value(adapter, "frame_probe_size")
            if held.value(adapter, "frame_probe") == "ok" and isinstance(size, int):
                sizes[adapter.id] = size
        for route, size in _answered(host, sizes):
            if route not in found or found[route].size_bytes < size:
                found[route] = FrameProof(size, host.name)
    return found


def _answered(host: HostFacts, sizes: Mapping[str, int]) -> list[tuple[tuple[str, str], int]]:
    """(fabric, portal) with the size that was answered there, from the sizes of a host's adapters.

    An agent on ESXi pings the portals that an interface has paths to; one on Windows pings every portal from every SAN address, as long as
    there are not more than it has time for.
    """
    paths = [path for path in host.path_map.paths if path.portal]
    portals = {path.portal for path in paths}
    if host.configuration.platform == "windows" and len(portals) <= _WINDOWS_PORTALS:
        return [((host.fabric_of(adapter), portal), size) for adapter, size in sizes.items() for portal in portals]
    return [((host.fabric_of(path.adapter), path.portal), sizes[path.adapter]) for path in paths if path.adapter in sizes]


def portal_address(portal: str) -> str:
    """The address of a portal without its TCP port; empty where it is none."""
    bare = portal.partition("]")[0].removeprefix("[") if portal.startswith("[") else portal
    bare = bare.rpartition(":")[0] if bare.count(":") == 1 else bare
    try:
        return str(ipaddress.ip_address(bare))
    except ValueError:
        return ""


def ping_sources(host: HostFacts, path: Path) -> tuple[str, str]:
    """What a ping of this path is sent from: what the host's own ping is bound to (a VMkernel interface, or on Windows the address), and
    the interface's id; both empty where that is not known."""
    if host.configuration.platform == "windows":
        return (path.source_address, "") if portal_address(path.source_address) else ("", "")
    for interface in host.configuration.subjects("vnic"):
        addresses = host.configuration.value(interface, "addresses")
        if isinstance(addresses, tuple) and path.source_address in {str(address).partition("/")[0] for address in addresses}:
            return interface.id, interface.id
    return "", ""


@dataclass(frozen=True, slots=True, order=True)
class SanPing:
    """One ping over a host's SAN paths: what is sent, over which adapter, in which fabric, and the portal as the paths name it."""

    ping: Ping
    adapter: str
    fabric: str
    portal: str


def san_pings(host: HostFacts) -> tuple[SanPing, ...]:
    """From every SAN address of a host to every portal that its paths lead to from there."""
    found = set()
    for path in host.path_map.paths:
        source, _ = ping_sources(host, path)
        portal = portal_address(path.portal)
        if source and portal and not (host.configuration.platform == "windows" and ":" in source + portal):
            found.add(SanPing(Ping(source, portal), path.adapter, host.fabric_of(path.adapter), path.portal))
    return tuple(sorted(found))


def _paths(host: HostFacts, part: Part) -> list[Path]:
    taken = part.taken(host)
    return [path for path in host.path_map.paths if not taken.spares(path)]


def _pings(host: HostFacts, draft: Draft, size: int, over: list[Path]) -> tuple[Ping, ...] | str:
    """The pings that prove a new size, or why none can."""
    name = host.name_of(draft.subject)
    found: dict[Ping, None] = {}
    for path in over:
        source, interface = ping_sources(host, path)
        portal = portal_address(path.portal)
        if not source or not portal:
            return f"paths of {name} are unknown, so the new size can't be verified"
        if host.configuration.platform == "windows" and (":" in portal or ":" in source):
            return f"{portal} is IPv6; the frame test isn't supported for IPv6 on Windows. Set the MTU manually, array and switches first"
        if draft.subject.kind == "vswitch" and _is_small(host, interface, size):
            continue
        found[Ping(source, portal)] = None
    if not found and draft.subject.kind != "vswitch":
        return f"{name} has no active path, so the new size can't be verified"
    return tuple(sorted(found))


def _is_small(host: HostFacts, interface: str, size: int) -> bool:
    """The interface sends no frame of this size, whatever its switch carries."""
    own = host.configuration.value(Subject("vnic", interface), "mtu")
    return isinstance(own, int) and own < size


def _ping(host: HostFacts, draft: Draft, size: int, portal: str) -> str:
    bare = portal_address(portal) or portal
    if host.configuration.platform == "windows":
        addresses = host.configuration.value(draft.subject, "addresses")
        source = str(addresses[0]).partition("/")[0] if isinstance(addresses, tuple) and addresses else "<source>"
        return f"ping -f -l {size - _PING_HEADERS} -S {source} {bare}"
    interface = draft.subject.id if draft.subject.kind == "vnic" else "<vmk>"
    stack = host.configuration.value(draft.subject, "netstack") if draft.subject.kind == "vnic" else None
    of_stack = f" -S {quoted('esxi', stack)}" if isinstance(stack, str) and stack not in _COMMON_STACKS else ""
    if ":" in bare:
        return f"vmkping -6 -d -s {size - _PING6_HEADERS} -I {interface}{of_stack} {bare}"
    return f"vmkping -d -s {size - _PING_HEADERS} -I {interface}{of_stack} {bare}"
