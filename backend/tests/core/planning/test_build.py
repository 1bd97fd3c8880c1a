"""The plan of one host: coalescing, order, gates, refusals, forecast."""

import pytest

from plumbline.core.facts.configuration import HOST, Configuration, Subject, Unknown
from plumbline.core.facts.paths import Path
from plumbline.core.planning.build import NoTargets, build_plan
from plumbline.core.planning.inputs import ClusterState, FrameProof, HostFacts, Limits
from plumbline.core.planning.plan import PING_SECONDS, Ping, Plan, Refusal, Step
from tests.core.planning.hosts import (
    MACS,
    a_rule,
    by_hand,
    esxi_host,
    facts,
    on,
    path_map,
    paths_over,
    raw,
    the_settings,
    two_ways,
    windows_adapter,
    windows_host,
)
from tests.core.rules.builders import configuration

SAN1, SAN2 = on(MACS[0]), on(MACS[1])
PAUSE = a_rule("adapter.flow_control", "rx_tx")
BUFFERS = a_rule("adapter.receive_buffers", None)
FRAME = a_rule("adapter.mtu", 9000)
RSS = a_rule("host.tcp.rss", "enabled")
ATTESTED = Limits(frame_attested_by="ana")


def plan(*hosts: HostFacts, limits: Limits = Limits(), **more: object) -> Plan:
    """The plan of these hosts."""
    return build_plan(hosts, the_settings(), limits, **more)  # type: ignore[arg-type]


def steps(host: HostFacts, limits: Limits = Limits()) -> tuple[Step, ...]:
    """The steps of a host that must have some, and nothing refused."""
    made = plan(host, limits=limits)
    assert made.refusals == ()
    return made.hosts[0].steps


def refusal(host: HostFacts, limits: Limits = Limits()) -> Refusal:
    """The one refusal of a host on which nothing is left."""
    made = plan(host, limits=limits)
    assert made.is_empty
    (one,) = made.refusals
    return one


# --- Targets ----------------------------------------------------------------------------------------------------------------------------


def test_an_empty_choice_is_an_error_and_never_means_all() -> None:
    with pytest.raises(NoTargets, match="never means everything"):
        plan()
    with pytest.raises(NoTargets):
        plan(facts())


def test_a_host_may_not_stand_twice() -> None:
    with pytest.raises(ValueError, match="twice"):
        plan(facts((PAUSE, SAN1)), facts((PAUSE, SAN2)))


def test_what_is_already_right_needs_no_step() -> None:
    held = windows_host({MACS[0]: windows_adapter("SAN1", flow_control=raw("rx_tx", "3"))})
    made = plan(facts((PAUSE, SAN1), held=held, paths=path_map()))
    assert made.is_empty
    assert made.waves == ()
    assert [ref.subject_id for ref in made.already_right] == [MACS[0]]


def test_what_only_people_can_do_becomes_one_checklist() -> None:
    made = plan(facts((by_hand("adapter"), SAN1), (by_hand("adapter"), SAN2), (PAUSE, SAN1)))
    (checklist,) = made.checklists
    assert [ref.subject_id for ref in checklist.findings] == [MACS[0], MACS[1]]
    assert checklist.steps == ("Do it.",)
    assert len(made.hosts[0].steps) == 1


# --- Steps ------------------------------------------------------------------------------------------------------------------------------


def test_all_settings_of_an_adapter_share_one_restart() -> None:
    one, two = steps(facts(*((rule, san) for rule in (PAUSE, BUFFERS, FRAME) for san in (SAN1, SAN2))), ATTESTED)
    assert [len(step.elements) for step in (one, two)] == [3, 3]
    assert [step.restart for step in (one, two)] == [f"adapter/{MACS[0]}", f"adapter/{MACS[1]}"]
    assert [command.text for command in one.commands if command.text.startswith("Restart")] == ["Restart-NetAdapter -Name 'SAN1'"]
    assert one.commands[-1].text.startswith("Restart-NetAdapter")
    assert [command.element for command in one.commands] == [0, 1, 2, -1]
    assert [command.element for command in one.undo_commands] == [2, 1, 0, -1]
    assert one.title == "SAN1: 3 settings, one restart"
    assert one.forecast.words == "3 settings, one restart of SAN1, 2 → 1 paths for about 12 s"


def test_settings_that_disturb_nothing_come_first_and_take_no_path() -> None:
    first, second = steps(facts((PAUSE, SAN1), (RSS, HOST)))
    assert (first.restart, first.adapters, first.deadman_s, first.health_floor, first.impact) == ("", (), 0, 0, "none")
    assert (second.adapters, second.deadman_s, second.health_floor, second.fabric) == ((MACS[0],), 90, 2, "A")


def test_two_findings_that_ask_for_the_same_value_share_the_element() -> None:
    (step,) = steps(facts((PAUSE, SAN1), (a_rule("adapter.flow_control", "rx_tx", "another"), SAN1)))
    assert len(step.elements) == 1
    assert [ref.rule for ref in step.findings] == ["another", PAUSE.id]


def test_two_findings_that_ask_for_different_values_are_refused_by_name() -> None:
    one = refusal(facts((PAUSE, SAN1), (a_rule("adapter.flow_control", "off", "another"), SAN1)))
    assert "another asks for off" in one.words
    assert "decide between them first" in one.words
    assert len(one.findings) == 2


def test_half_a_fix_is_none() -> None:
    both = a_rule("adapter.rss", "enabled")
    held = windows_host({MACS[0]: windows_adapter("SAN1"), MACS[1]: windows_adapter("SAN2", rss=Unknown("no row"))})
    made = plan(facts((both, SAN1), (both, SAN2), held=held))
    assert [step.adapters for step in made.hosts[0].steps] == [(MACS[0],)]
    assert [ref.subject_id for ref in made.refusals[0].findings] == [MACS[1]]


def test_adapters_go_fabric_by_fabric_in_the_order_of_their_names() -> None:
    macs = {mac: windows_adapter(name) for mac, name in zip(MACS, ("SAN10", "SAN3", "SAN2", "SAN1"), strict=True)}
    host = facts(*((PAUSE, on(mac)) for mac in MACS), held=windows_host(macs), paths=path_map(*paths_over(*MACS)))
    assert [(step.fabric, step.title.partition(":")[0]) for step in steps(host)] == [
        ("A", "SAN2"),
        ("A", "SAN10"),
        ("B", "SAN1"),
        ("B", "SAN3"),
    ]


def test_a_frame_grows_from_the_switch_inwards_and_shrinks_outwards() -> None:
    wide = path_map(*paths_over(MACS[0], MACS[1], each=2))
    grown = facts((a_rule("vnic.mtu", 9000), Subject("vnic", "vmk1")), held=esxi_host(), paths=wide)
    assert [step.elements[0].setting for step in steps(grown, ATTESTED)] == ["vswitch/vSwitch1/mtu", "vnic/vmk1/mtu"]
    large = {
        **{f"vswitch/vSwitch{at}": {"mtu": 9000, "type": "standard"} for at in (1, 2)},
        **{f"vnic/vmk{at}": {"name": f"vmk{at}", "mtu": 9000, "vswitch": f"vSwitch{at}", "addresses": [f"10.{at}.0.1"]} for at in (1, 2)},
    }
    shrunk = facts(
        (a_rule("vnic.mtu", 1500), Subject("vnic", "vmk1")), (a_rule("adapter.mtu", 1500), SAN1), held=esxi_host(large), paths=wide
    )
    assert [step.elements[0].setting for step in steps(shrunk)] == ["vnic/vmk1/mtu", "vswitch/vSwitch1/mtu"]


def test_a_deferred_effect_says_what_it_waits_for() -> None:
    held = esxi_host(net__lro="disabled")
    initiator = Subject("initiator", "iqn.host")
    session, reboot = steps(
        facts((a_rule("host.net.lro", "enabled"), HOST), (a_rule("initiator.delayed_ack", "disabled"), initiator), held=held)
    )
    assert (session.pending, reboot.pending) == ("new_session", "reboot")
    assert "which a person makes" in reboot.forecast.words


def test_long_vectors_are_cut_and_every_setting_is_still_there() -> None:
    targets = {
        f"target/iqn.host>iqn.t{at}": {"delayed_ack": "enabled", "delayed_ack_inherited": False, "address": "10.9.0.1:3260"}
        for at in range(70)
    }
    rule = a_rule("target.delayed_ack", "disabled")
    made = steps(facts(*((rule, Subject("target", f"iqn.host>iqn.t{at}")) for at in range(70)), held=esxi_host(targets)))
    assert [len(step.elements) for step in made] == [32, 32, 6]


# --- The floor --------------------------------------------------------------------------------------------------------------------------


def test_a_volume_with_its_last_other_path_gone_is_refused_by_name() -> None:
    paths = path_map(*paths_over(MACS[0], MACS[1]), *paths_over(MACS[0], volumes=("vol-erp",), each=2))
    made = plan(facts((PAUSE, SAN1), (PAUSE, SAN2), paths=paths))
    (one,) = made.refusals
    assert (one.gate, one.about) == ("path_floor", "paths/vol-erp")
    assert one.words == "vol-erp would be left with no healthy path of 2 without SAN1; 1 must stay"
    assert one.command == "mpclaim -s -d"
    assert [step.adapters for step in made.hosts[0].steps] == [(MACS[1],)]


def test_a_dead_path_anywhere_stops_every_step_that_takes_one() -> None:
    paths = path_map(*paths_over(MACS[0], MACS[1], each=2), *paths_over(MACS[1], volumes=("vol-b",), state="dead"))
    one = refusal(facts((PAUSE, SAN1), paths=paths))
    assert one.gate == "path_dead"
    assert "a path of vol-b is dead already" in one.words


def test_a_volume_below_two_healthy_paths_is_refused() -> None:
    one = refusal(facts((PAUSE, SAN1), paths=path_map(*paths_over(MACS[0], MACS[1]), *paths_over(MACS[1], volumes=("vol-b",)))))
    assert one.words == "vol-b has 1 healthy path; 2 are needed before a path is taken"


def test_unknown_paths_and_a_map_with_a_problem_are_refused() -> None:
    assert refusal(facts((PAUSE, SAN1), paths=path_map(*paths_over(MACS[0], MACS[1], state="unknown")))).gate == "path_floor"
    one = refusal(facts((PAUSE, SAN1), paths=path_map(problem="witnesses disagree")))
    assert (one.gate, one.about) == ("path_map", "path_map//problem")
    assert "witnesses disagree" in one.words


def test_a_path_over_an_unknown_adapter_is_not_counted_as_staying() -> None:
    paths = path_map(*paths_over(MACS[0]), Path("vol-a", "", "", "", "", "", "healthy"), Path("vol-a", "", "", "", "", "", "healthy"))
    assert "no healthy path of 3" in refusal(facts((PAUSE, SAN1), paths=paths)).words


def test_a_group_may_ask_for_more_than_one_path_to_stay() -> None:
    host = facts((PAUSE, SAN1), paths=two_ways(each=2))
    assert steps(host, Limits(floor_during=2))
    assert "3 must stay" in refusal(host, Limits(floor_during=3)).words


def test_an_adapter_without_san_paths_asks_for_none() -> None:
    held = windows_host({MACS[2]: windows_adapter("LAN", role="other")})
    (step,) = steps(facts((PAUSE, on(MACS[2])), held=held, paths=two_ways()))
    assert (step.health_floor, step.deadman_s) == (0, 90)
    assert "no SAN path over it" in step.forecast.words


# --- Other gates ------------------------------------------------------------------------------------------------------------------------


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
    assert refusal(facts((RSS, HOST), stale="silent since 02:11")).words == "its facts are too old to plan on: silent since 02:11"


def test_heavy_load_is_refused_from_its_threshold_on() -> None:
    assert steps(facts((PAUSE, SAN1), load_percent=59))
    one = refusal(facts((PAUSE, SAN1), load_percent=60))
    assert one.gate == "heavy_load"
    assert "60 %" in one.words
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
    assert one.words == "vol-a would be left with 1 healthy path of 2 without vmk1; 2 must stay"
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
    assert "A and B at once" in one.words


def frame_host(**adapter: object) -> HostFacts:
    """A host whose frames are to grow."""
    held = windows_host({MACS[0]: windows_adapter("SAN1", **adapter), MACS[1]: windows_adapter("SAN2")})
    return facts((FRAME, SAN1), held=held)


def test_a_frame_grows_only_where_the_way_is_proven_or_attested() -> None:
    one = refusal(frame_host())
    assert one.gate == "frame_size"
    assert "nobody has yet sent 9000 bytes whole to 10.9.0.0:3260" in one.words
    assert one.command == "ping -f -l 8972 -S 10.1.0.11 10.9.0.0"
    proven = plan(frame_host(), proofs={("fabric:/A", "10.9.0.0:3260"): FrameProof(9000, "sql-07")})
    assert any(gate.words == "sql-07 sends 9000 bytes whole to 10.9.0.0:3260" for gate in proven.hosts[0].steps[0].gates)
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
    assert "no path leaves over SAN1" in refusal(idle, ATTESTED).words
    nowhere = tuple(Path("vol-a", "iqn.host", "", "", "10.1.0.1", mac, "healthy", mac) for mac in MACS[:2])
    assert "is not known" in refusal(facts((FRAME, SAN1), held=held, paths=path_map(*nowhere)), ATTESTED).words
    newer = tuple(Path("vol-a", "iqn.host", "", "[fd00::9]:3260", "10.1.0.1", mac, "healthy", mac) for mac in MACS[:2])
    assert "IPv6" in refusal(facts((FRAME, SAN1), held=held, paths=path_map(*newer)), ATTESTED).words
    assert "no ping of SAN1 is answered" in refusal(frame_host(frame_probe="silent"), ATTESTED).words


def test_an_interface_pings_and_the_switch_above_it_does_not() -> None:
    wide = path_map(*paths_over(MACS[0], MACS[1], each=2))
    grown = facts((a_rule("vnic.mtu", 9000), Subject("vnic", "vmk1")), held=esxi_host(), paths=wide)
    switch, interface = steps(grown, ATTESTED)
    assert (switch.probe_bytes, switch.pings) == (0, ())
    assert (interface.probe_bytes, interface.pings) == (9000, (Ping("vmk1", "10.9.0.0"), Ping("vmk1", "10.9.0.1")))
    # An interface that sends larger frames than its switch carries is pinged with the switch's own step.
    large = {"vnic/vmk1": {"name": "vmk1", "mtu": 9000, "vswitch": "vSwitch1", "addresses": ["10.1.0.1"]}}
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
def test_the_ping_to_look_with_is_the_interfaces_own(netstack: str, portal: str, command: str) -> None:
    vmk = {"name": "vmk1", "mtu": 1500, "vswitch": "vSwitch1", "addresses": ["10.1.0.1"], "netstack": netstack}
    held = esxi_host({"vnic/vmk1": vmk, "vswitch/vSwitch1": {"mtu": 9000, "type": "standard", "uplinks": ["vmnic1"]}})
    ways = tuple(Path("vol-a", "iqn.host", "", portal, "10.1.0.1", mac, "healthy", mac) for mac in (MACS[0], MACS[0], MACS[1], MACS[1]))
    made = plan(facts((a_rule("vnic.mtu", 9000), Subject("vnic", "vmk1")), held=held, paths=path_map(*ways)))
    assert command in {each.command for each in made.refusals}, made.refusals


def test_a_way_that_is_too_small_already_is_never_asked_for_more() -> None:
    assert "find the hop that is too small first" in refusal(frame_host(frame_probe="too_big"), ATTESTED).words


def test_frames_of_one_host_prove_the_way_of_another() -> None:
    proven = {MACS[0]: windows_adapter("SAN1", frame_probe="ok", frame_probe_size=9000)}
    neighbour = facts((PAUSE, SAN1), held=windows_host(proven), host="other", name="sql-02")
    made = plan(neighbour, frame_host())
    assert made.refusals == ()
    assert any("sql-02 sends 9000" in gate.words for gate in (made.host(frame_host().host) or made.hosts[0]).steps[0].gates)


def test_shrinking_a_frame_asks_for_no_proof() -> None:
    held = windows_host({MACS[0]: windows_adapter("SAN1", mtu=raw(9000, "9014"))})
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


def test_an_adapter_that_carries_the_management_path_says_so() -> None:
    held = windows_host({MACS[0]: windows_adapter("SAN1", role="management"), MACS[1]: windows_adapter("SAN2")})
    (step,) = steps(facts((PAUSE, SAN1), held=held))
    assert any(gate.name == "management_path" for gate in step.gates)
    assert step.deadman_s > 0


# --- Forecast ---------------------------------------------------------------------------------------------------------------------------


def test_the_forecast_names_the_worst_of_all_steps() -> None:
    made = plan(facts((PAUSE, SAN1), (PAUSE, SAN2), paths=two_ways(each=2)))
    assert made.hosts[0].forecast.words == "2 interruptions, one after the other, never below 2 paths of 4"
    assert made.forecast.impact == "adapter_restart"
    assert made.forecast.words == "adapter restart · never below 2 paths of 4 · 1 host · stops after 1 failure · about 2 min of work"
    assert (made.forecast.seconds, made.forecast.duration_s) == (24, 144)


@pytest.mark.parametrize(
    ("key", "to", "held", "impact"),
    [
        ("host.tcp.rss", "enabled", windows_host(), "none"),
        ("initiator.delayed_ack", "disabled", esxi_host(), "new_sessions"),
        ("adapter.flow_control", "rx_tx", windows_host(), "adapter_restart"),
        ("host.net.lro", "enabled", esxi_host(net__lro="disabled"), "reboot"),
    ],
)
def test_each_class_of_impact_is_told_for_this_host(key: str, to: str, held: Configuration, impact: str) -> None:
    kind = key.partition(".")[0]
    subject = {"host": HOST, "initiator": Subject("initiator", "iqn.host"), "adapter": SAN1}[kind]
    assert steps(facts((a_rule(key, to), subject), held=held))[0].impact == impact


def test_volumes_of_one_product_are_told_apart() -> None:
    paths = two_ways(("naa.6090a0aaaaaa", "naa.6090a0bbbbbb"))
    named = type(paths)(tuple(type(one)(one.id, "EQLOGIC", None, "", "") for one in paths.volumes), paths.paths)
    (step,) = steps(facts((PAUSE, SAN1), paths=named))
    assert [one.name for one in step.forecast.volumes] == ["EQLOGIC (…aaaaaa)", "EQLOGIC (…bbbbbb)"]


def test_a_host_without_a_name_for_its_adapter_is_still_planned() -> None:
    keys = {name: value for name, value in windows_adapter("x").items() if name != "name"}
    host = facts((PAUSE, SAN1), held=configuration({"host": {"boot_from_san": False}, f"adapter/{MACS[0]}": keys}))
    assert MACS[0] in plan(host).hosts[0].steps[0].commands[0].text
