"""The gates in front of what a plan would do: each a sentence, the fact it relies on and its value, or the refusal that names it.

A fact that is not known keeps a gate shut. Gates that only a person can open say how (contracts.md, "Gates that only a person can open").
"""

from collections.abc import Mapping

from plumbline.facts.configuration import HOST, Unknown
from plumbline.planning import impact, paths
from plumbline.planning.commands import quoted
from plumbline.planning.host import FrameProof, HostFacts, Limits
from plumbline.planning.maker import Draft
from plumbline.planning.plan import Gate, VolumeForecast, reading_text
from plumbline.planning.reasons import Refused
from plumbline.planning.steps import Part

# Bytes of an ICMP echo's headers: a ping of 8972 bytes is a packet of 9000 (domain.md 3.1, gate 3).
_PING_HEADERS = 28
_NODE = HOST.address("cluster_node")
_OTHERS_UP = HOST.address("cluster_others_up")


def host_refusal(host: HostFacts) -> Refused | None:
    """Why nothing at all is planned on a host."""
    if host.stale:
        return Refused("facts_fresh", HOST.address("facts"), f"its facts are too old to plan on: {host.stale}")
    if host.configuration.value(HOST, "boot_from_san") is True:
        told = "it boots from the SAN: what cuts its paths takes its own disk away"
        return Refused("boot_from_san", HOST.address("boot_from_san"), told, _boot_command(host))
    return None


def host_gates(host: HostFacts, limits: Limits) -> tuple[Gate, ...]:
    """What a host that loses a path relies on, whichever step takes it."""
    booted = reading_text(host.configuration.read(HOST, "boot_from_san"))
    load = "not known" if host.load_percent is None else f"{host.load_percent}"
    return (
        Gate("path_map", "every witness of its paths agrees", "path_map//problem", ""),
        Gate("boot_from_san", "it does not boot from the SAN", HOST.address("boot_from_san"), booted),
        Gate("heavy_load", f"its SAN adapters carry less than {limits.heavy_load_percent} % (now: {load})", "", load),
    )


def part_gates(
    host: HostFacts, part: Part, lost: tuple[VolumeForecast, ...], limits: Limits, proofs: Mapping[str, FrameProof]
) -> tuple[Gate, ...] | Refused:
    """The gates of one step, or the first that is shut. `lost` is what `paths.forecast` says of it."""
    gates: list[Gate] = []
    ways = (_boot_known(host), _one_fabric(host, part), _floor(host, part, lost, limits), _load(host, part, limits))
    for refused_or in (*(ways if part.drops_traffic else ()), _cluster(host, part)):
        if isinstance(refused_or, Refused):
            return refused_or
        gates.extend(refused_or)
    if host.configuration.value(part.subject, "role") == "management":
        told = (
            f"{host.name_of(part.subject)} may carry the way to the host: the step runs there by itself and undoes itself unless confirmed"
        )
        gates.append(Gate("management_path", told, part.subject.address("role"), "management"))
    for draft in part.unique:
        framed = frame_gate(host, draft, limits, proofs)
        if isinstance(framed, Refused):
            return framed
        gates.extend(framed)
    return tuple(gates)


def frame_gate(host: HostFacts, draft: Draft, limits: Limits, proofs: Mapping[str, FrameProof]) -> tuple[Gate, ...] | Refused:
    """A frame size grows only where the way to every portal is proven to carry it, or a person says so; the outermost comes first."""
    size = frame_bytes(draft)
    if not size:
        return ()
    name = host.name_of(draft.subject)
    proof_key = draft.subject.address("frame_probe")
    if host.configuration.value(draft.subject, "frame_probe") == "too_big":
        told = f"frames of {name} are too big for the way to a portal already; find the hop that is too small first"
        return Refused("frame_size", proof_key, told, _ping(host, draft, size, "<portal>"))
    if not limits.is_probed:
        told = f"no job pings with {size} bytes from {name} before it keeps the new size yet: set it by hand, array and switches first"
        return Refused("frame_size", proof_key, told, _ping(host, draft, size, "<portal>"))
    portals = sorted({path.portal for path in host.path_map.paths if path.portal and not Part(draft.subject, ()).taken(host).spares(path)})
    proven = {portal: proofs[portal] for portal in portals if portal in proofs and proofs[portal].size_bytes >= size}
    if portals and len(proven) == len(portals):
        return tuple(
            Gate("frame_size", f"{proof.host_name} sends {size} bytes whole to {portal}", "", str(proof.size_bytes))
            for portal, proof in proven.items()
        )
    if limits.frame_attested_by:
        told = f"{limits.frame_attested_by} says that array and switches carry {size} bytes; a ping from {name} shows it before it is kept"
        return (Gate("frame_size", told, "", str(size), "person"),)
    missing = next((portal for portal in portals if portal not in proven), "the portals")
    told = (
        f"nobody has yet sent {size} bytes whole to {missing}: set array and switches first, then prove the way or say that they carry it"
    )
    return Refused("frame_size", proof_key, told, _ping(host, draft, size, missing))


def frame_bytes(draft: Draft) -> int:
    """The L3 size that an element raises a frame to; 0 where it raises none."""
    if not draft.key.endswith(".mtu") or not draft.element.seen.isdigit() or int(draft.element.target) <= int(draft.element.seen):
        return 0
    return int(draft.element.expects)


def proven_frames(hosts: list[HostFacts]) -> dict[str, FrameProof]:
    """For each portal the largest frame that any of these hosts was answered whole. Linear in the number of paths."""
    found: dict[str, FrameProof] = {}
    for host in sorted(hosts, key=lambda one: (one.name, one.host)):
        held = host.configuration
        sizes: dict[str, int] = {}
        for adapter in held.subjects("adapter"):
            size = held.value(adapter, "frame_probe_size")
            if held.value(adapter, "frame_probe") == "ok" and isinstance(size, int):
                sizes[adapter.id] = size
        for path in host.path_map.paths:
            size = sizes.get(path.adapter, 0)
            if path.portal and size and (path.portal not in found or found[path.portal].size_bytes < size):
                found[path.portal] = FrameProof(size, host.name)
    return found


def _boot_known(host: HostFacts) -> tuple[Gate, ...] | Refused:
    reading = host.configuration.read(HOST, "boot_from_san")
    if isinstance(reading, Unknown):
        told = f"it is not known whether it boots from the SAN: {reading.reason}"
        return Refused("boot_from_san", HOST.address("boot_from_san"), told, _boot_command(host))
    return ()


def _one_fabric(host: HostFacts, part: Part) -> tuple[Gate, ...] | Refused:
    labels = sorted(part.fabrics(host))
    if len(labels) > 1:
        named = " and ".join(label or "the unlabelled fabric" for label in labels)
        told = f"{part.taken(host).words} takes paths of {named} at once"
        return Refused("failure_domain", part.subject.address("fabric"), told)
    return ()


def _floor(host: HostFacts, part: Part, lost: tuple[VolumeForecast, ...], limits: Limits) -> tuple[Gate, ...] | Refused:
    kept, gates = limits.floor_during, []
    if impact.changes_frame_of_kernel(part):
        if host.configuration.value(HOST, "maintenance_mode") is True:
            gates.append(Gate("maintenance_mode", "it is in maintenance mode", HOST.address("maintenance_mode"), "true", "person"))
        else:
            kept = max(kept, limits.floor_mtu)
    refused = paths.floor_refusal(host.path_map, part.taken(host), lost, kept, limits)
    if refused is not None:
        command = _paths_command(host)
        # Maintenance mode opens it only where a path stays even so.
        if refused.gate == "path_floor" and kept > limits.floor_during and lost and lost[0].during >= limits.floor_during:
            command = "esxcli system maintenanceMode set --enable true"
        return Refused(refused.gate, refused.about, refused.words, command)
    gates.extend(
        Gate("path_floor", f"{one.name} has {one.before} healthy paths, and keeps {one.during}", paths.fact_of(one.volume), str(one.before))
        for one in lost
    )
    return tuple(gates)


def _load(host: HostFacts, part: Part, limits: Limits) -> tuple[Gate, ...] | Refused:
    if host.load_percent is None:
        if impact.of_part(host, part) in ("path_loss", "maintenance"):
            return Refused("heavy_load", "load", "its load over the last 5 minutes is not known: no counters came")
        return ()
    if host.load_percent >= limits.heavy_load_percent:
        told = (
            f"its SAN adapters carry {host.load_percent} % over the last 5 minutes; nothing is taken from {limits.heavy_load_percent} % on"
        )
        return Refused("heavy_load", "load", told)
    return ()


def _cluster(host: HostFacts, part: Part) -> tuple[Gate, ...] | Refused:
    """Of a clustered or S2D node that loses its storage: paused by a person, no storage job running, the other nodes up."""
    held = host.configuration
    clustered = held.value(HOST, "is_clustered") is True or held.value(HOST, "s2d") == "enabled"
    if held.platform != "windows" or not clustered or impact.of_part(host, part) not in ("path_loss", "maintenance", "reboot"):
        return ()
    state, node = host.cluster, quoted("windows", host.name)
    if state.others_up is not True:
        told = "another node of its cluster is not up" if state.others_up is False else "it is not known whether the other nodes are up"
        return Refused("cluster_health", _OTHERS_UP, told, "Get-ClusterNode")
    if state.storage_jobs != 0:
        told = "it is not known whether storage jobs run" if state.storage_jobs is None else f"{state.storage_jobs} storage jobs still run"
        return Refused("storage_jobs", "storage jobs", told, "Get-StorageJob")
    if state.node != "paused":
        told = "the node is not paused; a person drains and pauses it" if state.node else "it is not known whether the node is paused"
        return Refused("node_paused", _NODE, told, f"Suspend-ClusterNode -Name {node} -Drain -Wait")
    resume = f"Suspend-ClusterNode -Name {node} -Drain -Wait; afterwards Resume-ClusterNode -Name {node} -Failback Immediate"
    return (
        Gate("node_paused", "the node is paused by a person", _NODE, "paused", "person", resume),
        Gate("storage_jobs", "no storage job runs", "", "0"),
        Gate("cluster_health", "every other node is up", _OTHERS_UP, "true"),
    )


def _ping(host: HostFacts, draft: Draft, size: int, portal: str) -> str:
    bare = portal.rpartition(":")[0] if portal.count(":") == 1 else portal
    if host.configuration.platform == "windows":
        addresses = host.configuration.value(draft.subject, "addresses")
        source = str(addresses[0]).partition("/")[0] if isinstance(addresses, tuple) and addresses else "<source>"
        return f"ping -f -l {size - _PING_HEADERS} -S {source} {bare}"
    interface = draft.subject.id if draft.subject.kind == "vnic" else "<vmk>"
    return f"vmkping -d -s {size - _PING_HEADERS} -I {interface} {bare}"


def _boot_command(host: HostFacts) -> str:
    return "Get-Disk | Where-Object IsBoot" if host.configuration.platform == "windows" else "esxcli iscsi ibftboot get"


def _paths_command(host: HostFacts) -> str:
    return "mpclaim -s -d" if host.configuration.platform == "windows" else "esxcli storage core path list"
