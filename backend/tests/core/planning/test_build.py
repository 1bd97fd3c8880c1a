"""The plan of one host: coalescing, order, gates, refusals, forecast."""

import pytest

from plumbline.core.facts.configuration import HOST, Configuration, Subject, Unknown
from plumbline.core.facts.paths import Path
from plumbline.core.planning.build import NoTargets
from plumbline.core.planning.inputs import Limits
from tests.core.planning.hosts import (
    MACS,
    a_rule,
    esxi_host,
    facts,
    manual_rule,
    on,
    path_map,
    paths_over,
    raw,
    san_port,
    two_ways,
    windows_adapter,
    windows_host,
)
from tests.core.planning.planned import ATTESTED, BUFFERS, FRAME, PAUSE, RSS, SAN1, SAN2, plan, refusal, steps
from tests.core.rules.builders import configuration

# --- Targets ----------------------------------------------------------------------------------------------------------------------------


def test_an_empty_choice_is_an_error_and_never_means_all() -> None:
    with pytest.raises(NoTargets, match="Select at least one"):
        plan()
    with pytest.raises(NoTargets):
        plan(facts())


def test_a_host_may_not_be_given_twice() -> None:
    with pytest.raises(ValueError, match="twice"):
        plan(facts((PAUSE, SAN1)), facts((PAUSE, SAN2)))


def test_what_is_already_right_needs_no_step() -> None:
    held = windows_host({MACS[0]: windows_adapter("SAN1", flow_control=raw("rx_tx", "3"))})
    made = plan(facts((PAUSE, SAN1), held=held, paths=path_map()))
    assert made.is_empty
    assert made.waves == ()
    assert [ref.subject_id for ref in made.already_right] == [MACS[0]]


def test_what_only_people_can_do_becomes_one_checklist() -> None:
    made = plan(facts((manual_rule("adapter"), SAN1), (manual_rule("adapter"), SAN2), (PAUSE, SAN1)))
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


def test_two_findings_that_need_the_same_value_share_the_element() -> None:
    (step,) = steps(facts((PAUSE, SAN1), (a_rule("adapter.flow_control", "rx_tx", "another"), SAN1)))
    assert len(step.elements) == 1
    assert [ref.rule for ref in step.findings] == ["another", PAUSE.id]


def test_two_findings_that_need_different_values_are_refused_by_name() -> None:
    one = refusal(facts((PAUSE, SAN1), (a_rule("adapter.flow_control", "off", "another"), SAN1)))
    assert "another requires off" in one.words
    assert "resolve the conflict first" in one.words
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
        **{f"vnic/vmk{at}": san_port(at, 9000) for at in (1, 2)},
    }
    shrunk = facts(
        (a_rule("vnic.mtu", 1500), Subject("vnic", "vmk1")), (a_rule("adapter.mtu", 1500), SAN1), held=esxi_host(large), paths=wide
    )
    assert [step.elements[0].setting for step in steps(shrunk)] == ["vnic/vmk1/mtu", "vswitch/vSwitch1/mtu"]


def test_a_deferred_effect_names_what_it_waits_for() -> None:
    held = esxi_host(net__lro="disabled")
    initiator = Subject("initiator", "iqn.host")
    session, reboot = steps(
        facts((a_rule("host.net.lro", "enabled"), HOST), (a_rule("initiator.delayed_ack", "disabled"), initiator), held=held)
    )
    assert (session.pending, reboot.pending) == ("new_session", "reboot")
    assert "(manual)" in reboot.forecast.words


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
    assert one.words == "vol-erp would keep no healthy path of 2 without SAN1; at least 1 required"
    assert one.command == "mpclaim -s -d"
    assert [step.adapters for step in made.hosts[0].steps] == [(MACS[1],)]


def test_a_dead_path_anywhere_stops_every_step_that_takes_one() -> None:
    paths = path_map(*paths_over(MACS[0], MACS[1], each=2), *paths_over(MACS[1], volumes=("vol-b",), state="dead"))
    one = refusal(facts((PAUSE, SAN1), paths=paths))
    assert one.gate == "path_dead"
    assert "a path of vol-b is already down" in one.words


def test_a_volume_below_two_healthy_paths_is_refused() -> None:
    one = refusal(facts((PAUSE, SAN1), paths=path_map(*paths_over(MACS[0], MACS[1]), *paths_over(MACS[1], volumes=("vol-b",)))))
    assert one.words == "vol-b has 1 healthy path; 2 are required before a path can be taken down"


def test_unknown_paths_and_a_map_with_a_problem_are_refused() -> None:
    assert refusal(facts((PAUSE, SAN1), paths=path_map(*paths_over(MACS[0], MACS[1], state="unknown")))).gate == "path_floor"
    one = refusal(facts((PAUSE, SAN1), paths=path_map(problem="sources disagree")))
    assert (one.gate, one.about) == ("path_map", "path_map//problem")
    assert "sources disagree" in one.words


def test_a_path_over_an_unknown_adapter_is_not_counted_as_staying() -> None:
    paths = path_map(*paths_over(MACS[0]), Path("vol-a", "", "", "", "", "", "healthy"), Path("vol-a", "", "", "", "", "", "healthy"))
    assert "no healthy path of 3" in refusal(facts((PAUSE, SAN1), paths=paths)).words


def test_a_group_may_require_more_than_one_path_to_stay() -> None:
    host = facts((PAUSE, SAN1), paths=two_ways(each=2))
    assert steps(host, Limits(floor_during=2))
    assert "at least 3 required" in refusal(host, Limits(floor_during=3)).words


def test_an_adapter_without_san_paths_needs_none() -> None:
    # The adapters of the paths are listed: over one that is not, nothing is known to stay.
    held = windows_host({mac: windows_adapter(f"SAN{number}") for number, mac in enumerate(MACS[:3], 1)})
    (step,) = steps(facts((PAUSE, on(MACS[2])), held=held, paths=two_ways()))
    assert (step.health_floor, step.deadman_s) == (0, 90)
    assert "no SAN paths affected" in step.forecast.words


# --- Forecast ---------------------------------------------------------------------------------------------------------------------------


def test_the_forecast_names_the_worst_of_all_steps() -> None:
    made = plan(facts((PAUSE, SAN1), (PAUSE, SAN2), paths=two_ways(each=2)))
    assert made.hosts[0].forecast.words == "2 interruptions, one at a time, at least 2 of 4 paths stay up"
    assert made.forecast.impact == "adapter_restart"
    assert made.forecast.words == "adapter restart · at least 2 of 4 paths stay up · 1 host · pauses after 1 failure · about 2 min of work"
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
def test_each_class_of_impact_is_worked_out_for_this_host(key: str, to: str, held: Configuration, impact: str) -> None:
    kind = key.partition(".")[0]
    subject = {"host": HOST, "initiator": Subject("initiator", "iqn.host"), "adapter": SAN1}[kind]
    assert steps(facts((a_rule(key, to), subject), held=held))[0].impact == impact


def test_volumes_of_one_product_are_distinguished() -> None:
    paths = two_ways(("naa.6090a0aaaaaa", "naa.6090a0bbbbbb"))
    named = type(paths)(tuple(type(one)(one.id, "EQLOGIC", None, "", "") for one in paths.volumes), paths.paths)
    (step,) = steps(facts((PAUSE, SAN1), paths=named))
    assert [one.name for one in step.forecast.volumes] == ["EQLOGIC (…aaaaaa)", "EQLOGIC (…bbbbbb)"]


def test_a_host_without_a_name_for_its_adapter_is_still_planned() -> None:
    keys = {name: value for name, value in windows_adapter("x").items() if name != "name"}
    other = {f"adapter/{MACS[1]}": windows_adapter("SAN2")}
    host = facts((PAUSE, SAN1), held=configuration({"host": {"boot_from_san": False}, f"adapter/{MACS[0]}": keys, **other}))
    assert MACS[0] in plan(host).hosts[0].steps[0].commands[0].text
