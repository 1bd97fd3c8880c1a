"""The pre-checks of a plan, called gates in its data: each a sentence, the fact it relies on and its value, or the refusal that names it.

A fact that is not known fails its gate. Gates that only a person can open state how.
"""

from plumbline.core.facts.configuration import HOST, Unknown
from plumbline.core.planning import impact, last_path, path_floor
from plumbline.core.planning.commands import quoted
from plumbline.core.planning.inputs import HostFacts, Limits
from plumbline.core.planning.mtu import Proofs, frame_gate
from plumbline.core.planning.plan import Gate, VolumeForecast, reading_text
from plumbline.core.planning.refusals import Refused
from plumbline.core.planning.steps import Part
from plumbline.core.texts import counted

# Not a setting: the load of the busiest SAN adapter in percent. The gate's value is the limit that it must stay under.
LOAD = "load//percent"
# Not a setting: the adapters that each target is connected over. A connection that is not there when the job runs fails the gate.
CONNECTIONS = "connections//by_adapter"
_NODE = HOST.address("cluster_node")
_OTHERS_UP = HOST.address("cluster_others_up")
_STORAGE_JOBS = HOST.address("storage_jobs")


def host_refusal(host: HostFacts) -> Refused | None:
    """Why nothing at all is planned on a host."""
    if host.stale:
        return Refused("facts_fresh", HOST.address("facts"), f"data is too old: {host.stale}")
    if host.shut_out:
        return Refused("reachable", HOST.address("lockdown"), f"not ready for remediation: {host.shut_out}")
    if host.configuration.value(HOST, "boot_from_san") is True:
        text = "the host boots from SAN; losing paths would take its boot disk offline"
        return Refused("boot_from_san", HOST.address("boot_from_san"), text, _boot_command(host))
    return None


def host_gates(host: HostFacts) -> tuple[Gate, ...]:
    """What every step that takes a path of the host relies on."""
    booted = reading_text(host.configuration.read(HOST, "boot_from_san"))
    routes = last_path.by_adapter_text(last_path.connections(host.sessions, host.path_map) or ())
    words = "every target is connected over the same adapters as when planned"
    connected = (Gate("path_map", words, CONNECTIONS, routes, "host", _paths_command(host)),) if routes else ()
    return (
        *connected,
        Gate("path_map", "all path sources agree", "path_map//problem", "", "host", _paths_command(host)),
        Gate("boot_from_san", "host doesn't boot from SAN", HOST.address("boot_from_san"), booted, "host", _boot_command(host)),
    )


def part_gates(host: HostFacts, part: Part, lost: tuple[VolumeForecast, ...], limits: Limits, proofs: Proofs) -> tuple[Gate, ...] | Refused:
    """The gates of one step, or the first that fails. `lost` is the result of `path_floor.forecast` for it."""
    gates: list[Gate] = []
    path_gates = (_boot_known(host), _one_fabric(host, part), _floor(host, part, lost, limits), _load(host, part, limits))
    for refused_or in (*(path_gates if part.drops_traffic else ()), _cluster(host, part)):
        if isinstance(refused_or, Refused):
            return refused_or
        gates.extend(refused_or)
    for draft in part.unique:
        framed = frame_gate(host, draft, limits, proofs)
        if isinstance(framed, Refused):
            return framed
        gates.extend(framed)
    return tuple(gates)


def _boot_known(host: HostFacts) -> tuple[Gate, ...] | Refused:
    reading = host.configuration.read(HOST, "boot_from_san")
    if isinstance(reading, Unknown):
        text = f"can't tell if the host boots from SAN: {reading.reason}"
        return Refused("boot_from_san", HOST.address("boot_from_san"), text, _boot_command(host))
    return ()


def _one_fabric(host: HostFacts, part: Part) -> tuple[Gate, ...] | Refused:
    labels = sorted(part.fabrics(host))
    if len(labels) > 1:
        named = " and ".join(label or "the unlabelled fabric" for label in labels)
        text = f"{part.taken(host).words} affects paths on {named} at the same time"
        return Refused("failure_domain", part.subject.address("fabric"), text)
    return ()


def _floor(host: HostFacts, part: Part, lost: tuple[VolumeForecast, ...], limits: Limits) -> tuple[Gate, ...] | Refused:
    kept, gates = limits.floor_during, []
    if impact.changes_frame_of_kernel(part):
        if host.configuration.value(HOST, "maintenance_mode") is True:
            address, command = HOST.address("maintenance_mode"), "esxcli system maintenanceMode set --enable true"
            gates.append(Gate("maintenance_mode", "host is in maintenance mode", address, "true", "person", command))
        else:
            kept = max(kept, limits.floor_mtu)
    refused = path_floor.floor_refusal(host.path_map, part.taken(host), lost, kept, limits)
    if refused is not None:
        command = _paths_command(host)
        # Maintenance mode opens it only where a path stays even so.
        if refused.gate == "path_floor" and kept > limits.floor_during and lost and lost[0].during >= limits.floor_during:
            command = "esxcli system maintenanceMode set --enable true"
        return Refused(refused.gate, refused.about, refused.words, command)
    routes = last_path.connections(host.sessions, host.path_map)
    if routes is None:
        if last_path.has_no_link(part.taken(host), host.configuration):
            return ()
        return Refused("path_map", "path_map//sessions", last_path.SESSIONS_UNREAD, _sessions_command(host))
    last = last_path.refusal(routes, part.taken(host), host.configuration, _sessions_command(host))
    if last is not None:
        return last
    gates.extend(
        Gate(
            "path_floor",
            f"{one.name} has {one.before} healthy paths and keeps {one.during}",
            path_floor.fact_of(one.volume),
            str(one.before),
            "host",
            _paths_command(host),
        )
        for one in lost
    )
    return tuple(gates)


def _load(host: HostFacts, part: Part, limits: Limits) -> tuple[Gate, ...] | Refused:
    most, command = limits.heavy_load_percent, _load_command(host)
    if host.load_percent is None:
        if impact.of_part(host, part) in ("path_loss", "maintenance"):
            return Refused("heavy_load", LOAD, "load in the last 5 minutes is unknown (no counters)", command)
        return ()
    if host.load_percent >= most:
        text = f"SAN adapters are at {host.load_percent}% load (5 min average); the limit is {most}%"
        return Refused("heavy_load", LOAD, text, command)
    text = f"SAN adapter load is below {most}% ({host.load_percent}% at planning)"
    return (Gate("heavy_load", text, LOAD, str(most), "host", command),)


def _cluster(host: HostFacts, part: Part) -> tuple[Gate, ...] | Refused:
    """Of a clustered or S2D node that loses its storage: paused by a person, no storage job running, the other nodes up."""
    held = host.configuration
    clustered = held.value(HOST, "is_clustered") is True or held.value(HOST, "s2d") == "enabled"
    if held.platform != "windows" or not clustered or impact.of_part(host, part) not in ("path_loss", "maintenance", "reboot"):
        return ()
    state, node = host.cluster, quoted("windows", host.name)
    if state.others_up is not True:
        text = "another cluster node is down" if state.others_up is False else "state of other cluster nodes unknown"
        return Refused("cluster_health", _OTHERS_UP, text, "Get-ClusterNode")
    if state.storage_jobs != 0:
        text = "storage job state unknown" if state.storage_jobs is None else f"{counted(state.storage_jobs, 'storage job')} still running"
        return Refused("storage_jobs", _STORAGE_JOBS, text, "Get-StorageJob")
    if state.node != "paused":
        text = "node is not paused; drain and pause it first" if state.node else "node state unknown"
        return Refused("node_paused", _NODE, text, f"Suspend-ClusterNode -Name {node} -Drain -Wait")
    resume = f"Suspend-ClusterNode -Name {node} -Drain -Wait; afterwards Resume-ClusterNode -Name {node} -Failback Immediate"
    return (
        Gate("node_paused", "node is paused", _NODE, "paused", "person", resume),
        Gate("storage_jobs", "no storage jobs running", _STORAGE_JOBS, "0", "host", "Get-StorageJob"),
        Gate("cluster_health", "all other nodes are up", _OTHERS_UP, "true", "host", "Get-ClusterNode"),
    )


def _boot_command(host: HostFacts) -> str:
    return "Get-Disk | Where-Object IsBoot" if host.configuration.platform == "windows" else "esxcli iscsi ibftboot get"


def _paths_command(host: HostFacts) -> str:
    return "mpclaim -s -d" if host.configuration.platform == "windows" else "esxcli storage core path list"


def _sessions_command(host: HostFacts) -> str:
    return "Get-IscsiConnection" if host.configuration.platform == "windows" else "esxcli iscsi session connection list"


def _load_command(host: HostFacts) -> str:
    return "Get-NetAdapterStatistics" if host.configuration.platform == "windows" else "esxtop"
