"""The gates of a plan: what each refuses, and the fact it relies on if it is open."""

import pytest

from plumbline.core.facts.configuration import HOST, Subject, Unknown
from plumbline.core.facts.paths import Path
from plumbline.core.planning.inputs import ClusterState, FrameProof, HostFacts, Limits
from plumbline.core.planning.plan import PING_SECONDS, Ping
from tests.core.planning.hosts import (
    MACS,
    a_rule,
    esxi_host,
    facts,
    path_map,
    paths_over,
    raw,
    san_port,
    two_ways,
    windows_adapter,
    windows_host,
)
from tests.core.planning.planned import ATTESTED, FRAME, PAUSE, RSS, SAN1, plan, refusal, steps


def test_a_host_that_boots_from_the_san_is_refused_whole() -> None:
    one = refusal(facts((PAUSE, SAN1), (RSS, HOST), held=windows_host(boot_from_san=True)))
    assert (one.gate, one.about) == ("boot_from_san", "host//boot_from_san")
    assert len(one.findings) == 2


def test_where_the_boot_disk_is_not_known_only_what_takes_no_path_is_planned() -> None:
    made = plan(facts((PAUSE, SAN1), (RSS, HOST), held=windows_host(boot_from_san=Unknown("Get-Disk failed"))))
    assert [step.adapters for step in made.hosts[0].steps] == [()]
    assert made.refusals[0].gate == "boot_from_san"
    assert "Get-Disk failed" in made.refusals[0].words


def test_stale_facts_are_refused() -> None:
    assert refusal(facts((RSS, HOST), stale="silent since 02:11")).words == "data is too old: silent since 02:11"


def test_heavy_load_is_refused_from_its_threshold_on() -> None:
    assert steps(facts((PAUSE, SAN1), load_percent=59))
    one = refusal(facts((PAUSE, SAN1), load_percent=60))
    assert one.gate == "heavy_load"
    assert "limit is 60%" in one.words
    assert steps(facts((RSS, HOST), load_percent=99))


def test_without_counters_a_path_loss_is_refused_and_a_restart_is_not() -> None:
    assert steps(facts((PAUSE, SAN1), load_percent=None))
    vmk = (a_rule("vnic.mtu", 9000), Subject("vnic", "vmk1"))
    wide = esxi_host({"vswitch/vSwitch1": {"mtu": 9000, "type": "standard"}})
    assert refusal(facts(vmk, held=wide, paths=two_ways(each=2), load_percent=None), ATTESTED).gate == "heavy_load"


def test_an_interface_keeps_two_paths_or_waits_for_maintenance_mode() -> None:
    vmk = (a_rule("vnic.mtu", 9000), Subject("vnic", "vmk1"))
    wide = {"vswitch/vSwitch1": {"mtu": 9000, "type": "standard"}}
    one = refusal(facts(vmk, held=esxi_host(wide), paths=two_ways()), ATTESTED)
    assert one.words == "vol-a would keep only 1 healthy path of 2 without vmk1; at least 2 required"
    assert one.command == "esxcli system maintenanceMode set --enable true"
    (step,) = steps(facts(vmk, held=esxi_host(wide, maintenance_mode=True), paths=two_ways()), ATTESTED)
    assert step.impact == "maintenance"
    assert any(gate.name == "maintenance_mode" and gate.opened_by == "person" for gate in step.gates)
    assert steps(facts(vmk, held=esxi_host(wide), paths=two_ways(each=2)), ATTESTED)[0].impact == "path_loss"


def test_maintenance_mode_is_not_offered_where_it_would_not_help() -> None:
    one_switch = {
        "vswitch/vSwitch1": {"mtu": 1500, "type": "standard"},
        **{f"adapter/{mac}": {"name": mac, "vswitch": "vSwitch1", "mtu": 1500} for mac in MACS[:2]},
    }
    one = refusal(facts((FRAME, SAN1), held=esxi_host(one_switch), fabrics={}), ATTESTED)
    assert "no healthy path of 2 without switch vSwitch1" in one.words
    assert one.command == "esxcli storage core path list"


def test_the_canary_is_interrupted_like_the_others_and_keeps_the_most_paths() -> None:
    quiet = facts((RSS, HOST), host="h1", name="a-quiet")
    narrow = facts((PAUSE, SAN1), host="h2", name="b-narrow")
    wide = facts((PAUSE, SAN1), host="h3", name="c-wide", paths=two_ways(each=2))
    made = plan(quiet, narrow, wide)
    assert made.waves[0].hosts == ("h3",)
    assert plan(quiet, narrow, wide, limits=Limits(canary="h2")).waves[0].hosts == ("h2",)


def test_a_switch_under_both_fabrics_is_refused() -> None:
    both = {
        "vswitch/vSwitch1": {"mtu": 1500, "type": "standard"},
        **{f"adapter/{mac}": {"name": mac, "vswitch": "vSwitch1", "mtu": 1500} for mac in MACS[:2]},
    }
    one = refusal(facts((FRAME, SAN1), held=esxi_host(both, maintenance_mode=True)), ATTESTED)
    assert one.gate == "failure_domain"
    assert "A and B at the same time" in one.words


def frame_host(**adapter: object) -> HostFacts:
    """A host whose frames are to grow."""
    held = windows_host({MACS[0]: windows_adapter("SAN1", **adapter), MACS[1]: windows_adapter("SAN2")})
    return facts((FRAME, SAN1), held=held)


def test_a_frame_grows_only_if_the_path_is_proven_or_attested() -> None:
    one = refusal(frame_host())
    assert one.gate == "frame_size"
    assert "9000-byte frames to 10.9.0.0:3260 are not verified" in one.words
    assert one.command == "ping -f -l 8972 -S 10.1.0.11 10.9.0.0"
    proven = plan(frame_host(), proofs={("fabric:/A", "10.9.0.0:3260"): FrameProof(9000, "sql-07")})
    assert any(gate.words == "sql-07 has verified 9000 bytes to 10.9.0.0:3260" for gate in proven.hosts[0].steps[0].gates)
    assert plan(frame_host(), proofs={("fabric:/A", "10.9.0.0:3260"): FrameProof(8999, "sql-07")}).is_empty
    # The same address in another fabric, or at another site, is another portal.
    assert plan(frame_host(), proofs={("fabric:/B", "10.9.0.0:3260"): FrameProof(9000, "sql-07")}).is_empty
    (step,) = steps(frame_host(), ATTESTED)
    assert [gate.opened_by for gate in step.gates if gate.name == "frame_size"] == ["person"]


def test_a_larger_frame_is_kept_only_after_pings_over_exactly_its_paths() -> None:
    (step,) = steps(frame_host(), ATTESTED)
    assert (step.probe_bytes, step.pings) == (9000, (Ping("10.1.0.1", "10.9.0.0"),))
    assert step.deadman_s == ATTESTED.deadman_s + PING_SECONDS


def test_without_a_ping_that_could_prove_it_no_frame_grows() -> None:
    held = windows_host({MACS[0]: windows_adapter("SAN1"), MACS[1]: windows_adapter("SAN2")})
    idle = facts((FRAME, SAN1), held=held, paths=path_map(*paths_over(MACS[1], each=2)))
    assert "SAN1 has no active path" in refusal(idle, ATTESTED).words
    nowhere = tuple(Path("vol-a", "iqn.host", "", "", "10.1.0.1", mac, "healthy", mac) for mac in MACS[:2])
    assert "are unknown" in refusal(facts((FRAME, SAN1), held=held, paths=path_map(*nowhere)), ATTESTED).words
    newer = tuple(Path("vol-a", "iqn.host", "", "[fd00::9]:3260", "10.1.0.1", mac, "healthy", mac) for mac in MACS[:2])
    assert "IPv6" in refusal(facts((FRAME, SAN1), held=held, paths=path_map(*newer)), ATTESTED).words
    assert "no ping from SAN1 gets a reply" in refusal(frame_host(frame_probe="silent"), ATTESTED).words


def test_an_interface_pings_and_the_switch_above_it_does_not() -> None:
    wide = path_map(*paths_over(MACS[0], MACS[1], each=2))
    grown = facts((a_rule("vnic.mtu", 9000), Subject("vnic", "vmk1")), held=esxi_host(), paths=wide)
    switch, interface = steps(grown, ATTESTED)
    assert (switch.probe_bytes, switch.pings) == (0, ())
    assert (interface.probe_bytes, interface.pings) == (9000, (Ping("vmk1", "10.9.0.0"), Ping("vmk1", "10.9.0.1")))
    # An interface that sends larger frames than its switch carries is pinged with the switch's own step.
    large = {"vnic/vmk1": san_port(1, 9000)}
    adapter = facts((a_rule("adapter.mtu", 9000), SAN1), held=esxi_host(large), paths=wide)
    (step,) = steps(adapter, ATTESTED)
    assert {ping.source for ping in step.pings} == {"vmk1"}


@pytest.mark.parametrize(
    ("netstack", "portal", "command"),
    [
        ("defaultTcpipStack", "10.9.0.0:3260", "vmkping -d -s 8972 -I vmk1 10.9.0.0"),
        ("san a", "10.9.0.0:3260", "vmkping -d -s 8972 -I vmk1 -S 'san a' 10.9.0.0"),
        ("san-a", "[fd00::9]:3260", "vmkping -6 -d -s 8952 -I vmk1 -S san-a fd00::9"),
    ],
)
def test_the_ping_to_check_with_is_the_interfaces_own(netstack: str, portal: str, command: str) -> None:
    vmk = san_port(1, netstack=netstack)
    held = esxi_host({"vnic/vmk1": vmk, "vswitch/vSwitch1": {"mtu": 9000, "type": "standard", "uplinks": ["vmnic1"]}})
    ways = tuple(Path("vol-a", "iqn.host", "", portal, "10.1.0.1", mac, "healthy", mac) for mac in (MACS[0], MACS[0], MACS[1], MACS[1]))
    made = plan(facts((a_rule("vnic.mtu", 9000), Subject("vnic", "vmk1")), held=held, paths=path_map(*ways)))
    assert command in {each.command for each in made.refusals}, made.refusals


def test_a_path_that_is_too_small_already_gets_no_larger_frame() -> None:
    assert "fix the hop with the smaller MTU first" in refusal(frame_host(frame_probe="too_big"), ATTESTED).words


def test_frames_of_one_host_prove_the_path_of_another() -> None:
    proven = {MACS[0]: windows_adapter("SAN1", frame_probe="ok", frame_probe_size=9000), MACS[1]: windows_adapter("SAN2")}
    neighbour = facts((PAUSE, SAN1), held=windows_host(proven), host="other", name="sql-02")
    made = plan(neighbour, frame_host())
    assert made.refusals == ()
    assert any("sql-02 has verified 9000" in gate.words for gate in (made.host(frame_host().host) or made.hosts[0]).steps[0].gates)


def test_shrinking_a_frame_needs_no_proof() -> None:
    held = windows_host({MACS[0]: windows_adapter("SAN1", mtu=raw(9000, "9014")), MACS[1]: windows_adapter("SAN2")})
    (step,) = steps(facts((a_rule("adapter.mtu", 1500), SAN1), held=held))
    assert step.probe_bytes == 0


def s2d_node(cluster: ClusterState = ClusterState()) -> HostFacts:
    """A node of Storage Spaces Direct whose only storage adapter would restart."""
    held = windows_host({MACS[0]: windows_adapter("ch_p0", role="s2d_storage", link_up=True)}, s2d="enabled", is_clustered=True)
    return facts((PAUSE, SAN1), held=held, paths=path_map(), cluster=cluster)


@pytest.mark.parametrize(
    ("cluster", "gate", "command"),
    [
        (ClusterState(), "cluster_health", "Get-ClusterNode"),
        (ClusterState("paused", False, 0), "cluster_health", "Get-ClusterNode"),
        (ClusterState("paused", True, None), "storage_jobs", "Get-StorageJob"),
        (ClusterState("paused", True, 2), "storage_jobs", "Get-StorageJob"),
        (ClusterState("up", True, 0), "node_paused", "Suspend-ClusterNode -Name 'sql-01' -Drain -Wait"),
        (ClusterState(None, True, 0), "node_paused", "Suspend-ClusterNode -Name 'sql-01' -Drain -Wait"),
    ],
)
def test_a_storage_node_waits_for_a_person_to_pause_it(cluster: ClusterState, gate: str, command: str) -> None:
    one = refusal(s2d_node(cluster))
    assert (one.gate, one.command) == (gate, command)


def test_a_paused_node_without_storage_jobs_may_be_changed() -> None:
    (step,) = steps(s2d_node(ClusterState("paused", True, 0)))
    assert step.impact == "path_loss"
    assert {gate.name for gate in step.gates} == {"node_paused", "storage_jobs", "cluster_health", "heavy_load"}
