"""Findings: outcomes of the three-valued logic, with their texts, values and sources."""

from dataclasses import replace
from typing import Any

import pytest

from plumbline.core.facts.configuration import NOT_COLLECTED, NotOffered, SectionReading, Source, Subject, Unknown, Value
from plumbline.core.rules.evaluate import Finding, evaluate_rule, evaluate_subject
from plumbline.core.rules.peer_questions import gather, peer_values
from plumbline.core.rules.rule import Rule
from plumbline.core.rules.unlisted_kinds import unlisted_kinds
from plumbline.packs.files import load_builtin
from tests.core.rules.builders import configuration, san_host

RULES = {rule.id: rule for pack in load_builtin() for rule in pack.rules}


def rule(name: str) -> Rule:
    return RULES[name]


def only(findings: list[Finding]) -> Finding:
    (finding,) = findings
    return finding


def test_a_failing_finding_has_the_value_the_expectation_and_the_source() -> None:
    source = Source("properties", "Get-NetAdapterAdvancedProperty", "*FlowControl", "0")
    finding = only(evaluate_rule(rule("bp1057.flow_control"), san_host(a1={"flow_control": Value("off", source)})))
    assert finding == Finding(
        pack="dell-bp1057-2012",
        rule="bp1057.flow_control",
        subject=Subject("adapter", "a1"),
        outcome="fail",
        kind="recommended",
        reason="Flow control is off; expected Rx & Tx",
        observed="Flow control off",
        expected="Flow control Rx & Tx",
        source=source,
        expected_hash=rule("bp1057.flow_control").expected_hash,
    )


@pytest.mark.parametrize(
    ("name", "adapter", "outcome", "reason"),
    [
        ("bp1057.x520.jumbo", {"mtu": 1500}, "fail", "L3 MTU is 1500 bytes; expected at least 9000 bytes"),
        ("bp1057.x520.jumbo", {"role": "management"}, "not_applicable", "not an iSCSI SAN adapter"),
        (
            "bp1057.x520.jumbo",
            {"role": Unknown("no session was seen")},
            "unknown",
            "can't tell if the rule applies: unknown whether Role is iSCSI SAN (no session was seen)",
        ),
        ("bp1057.x520.jumbo", {"mtu": Unknown("no rights")}, "unknown", "L3 MTU: no rights"),
        ("bp1057.x520.jumbo", {"mtu": NotOffered("")}, "not_applicable", "not supported by the driver: L3 MTU"),
        ("bp1057.guard.x520_rss", {"rss": "disabled"}, "fail", "no effect: both settings are needed; RSS is disabled; expected enabled"),
        ("bp1057.x520.receive_buffers", {"receive_buffers": 512}, "fail",
         "Receive buffers are 512; expected at least 4096"),
        ("bp1057.x520.receive_buffers", {"receive_buffers": 4096, "receive_buffers_maximum": 8192}, "fail",
         "Receive buffers are 4096; expected driver maximum 8192"),
        ("core.probe.adapter", {"frame_probe": "silent"}, "unknown",
         "Frame size, end to end: no reply at any size (pings may be blocked)"),
    ],
)  # fmt: skip
def test_reason(name: str, adapter: dict[str, Any], outcome: str, reason: str) -> None:
    finding = only(evaluate_rule(rule(name), san_host(a1=adapter)))
    assert (finding.outcome, finding.reason) == (outcome, reason)


def test_a_clause_without_a_text_of_its_own_is_the_reason() -> None:
    bare = replace(rule("bp1057.x520.jumbo"), applies_to=replace(rule("bp1057.x520.jumbo").applies_to, subject=()))
    shown = replace(
        bare, applies_to=replace(bare.applies_to, host=(replace(rule("bp1057.advice.nagle").applies_to.host[0], otherwise=""),))
    )
    finding = only(evaluate_rule(shown, san_host(host={"os_release": "2019"}, a1={})))
    assert (finding.outcome, finding.reason) == ("not_applicable", "applies only if Release is 2012, here it is 2019")


def test_a_false_clause_outweighs_an_unknown_one() -> None:
    findings = evaluate_rule(rule("bp1057.x520.jumbo"), san_host(a1={"family": "bcm57810", "role": Unknown("no session was seen")}))
    assert (only(findings).outcome, only(findings).reason) == ("not_applicable", "not an X520")


def test_a_part_not_offered_outweighs_a_failing_one() -> None:
    host = san_host(host={"tcp.rss": "disabled"}, a1={"rss": NotOffered("keyword absent")})
    assert only(evaluate_rule(rule("bp1057.guard.x520_rss"), host)).outcome == "not_applicable"


def test_a_failing_part_outweighs_an_unknown_one() -> None:
    host = san_host(host={"tcp.rss": "disabled"}, a1={"rss": NOT_COLLECTED})
    assert only(evaluate_rule(rule("bp1057.guard.x520_rss"), host)).outcome == "fail"


def test_one_finding_for_each_adapter_that_is_not_left_out() -> None:
    findings = evaluate_rule(rule("bp1057.x520.jumbo"), san_host(a1={}, a2={"mtu": 1500}, m1={"role": "management"}))
    # Both fail: the two sizes differ, and it is unknown which of them is intended.
    assert [(finding.subject.id, finding.outcome) for finding in findings] == [("a1", "fail"), ("a2", "fail")]
    assert findings[0].reason == "L3 MTU is 9000 bytes here and 1500 bytes on a2"


def test_all_left_out_is_one_finding_on_the_host() -> None:
    finding = only(evaluate_rule(rule("bp1057.x520.jumbo"), san_host(m1={"role": "management"}, m2={"family": "t520"})))
    assert (finding.subject, finding.outcome) == (Subject("host", ""), "not_applicable")


def test_subjects_that_could_not_be_listed_are_unknown_and_not_absent() -> None:
    host = configuration({"host": {"os_release": "2012"}})
    assert only(evaluate_rule(rule("core.paths.two_healthy"), host)).reason == "this host has no volume"
    finding = only(evaluate_rule(rule("core.paths.two_healthy"), host, unread={"volume": "section mpio failed"}))
    assert (finding.outcome, finding.reason) == ("unknown", "volumes could not be read: section mpio failed")


def test_the_other_platform() -> None:
    finding = only(evaluate_rule(rule("esxi55.flow_control"), san_host()))
    assert (finding.subject.kind, finding.outcome, finding.reason) == ("host", "not_applicable", "applies to ESXi hosts only")
    assert evaluate_subject(rule("esxi55.flow_control"), Subject("adapter", "a1"), san_host()) is None


def test_a_retired_rule_has_no_findings() -> None:
    assert evaluate_rule(replace(rule("bp1057.x520.jumbo"), retired=True), san_host()) == []


def test_the_hash_of_what_is_expected_follows_meaning_and_not_words() -> None:
    jumbo = rule("bp1057.x520.jumbo")
    assert jumbo.expected_hash == replace(jumbo, title="Other words", why="Other words").expected_hash
    assert jumbo.expected_hash == rule("bp1057r2.x520.jumbo").expected_hash
    assert jumbo.expected_hash != rule("bp1057.x520.receive_buffers").expected_hash


# --- peers ---------------------------------------------------------------------------------------------------------------------------


def test_only_subjects_that_a_rule_evaluates_there_are_compared_with() -> None:
    other = configuration({
        "host": {"is_clustered": True, "mpio.policy": "round_robin"},
        "qos_policy/smb": {"net_direct_port": 445, "priority": 3},
        "qos_policy/vmotion": {"net_direct_port": 0, "priority": 4},
        "qos_policy/odd": {"net_direct_port": 445, "priority": Unknown("no rights")},
        "qos_policy/none": {"net_direct_port": 445, "priority": NotOffered("")},
    })  # fmt: skip
    found = peer_values(load_builtin(), "n2", other, "cluster")
    priorities = found.pop("chelsio-s2d-qos/chelsio.policy_same_in_cluster:qos_policy.priority")
    assert [peer.value for peer in priorities] == [None, 3]
    assert [peer.value for peer in found.pop("plumbline-core/core.cluster.mpio_policy:host.mpio.policy")] == ["round_robin"]
    # No adapter there serves the SAN, and the rest of the host was not read.
    assert {name: [peer.value for peer in values] for name, values in found.items()} == {
        "plumbline-core/core.cluster.auto_tuning:host.tcp.auto_tuning": [None],
        "plumbline-core/core.cluster.build:host.os_build": [None],
        "plumbline-core/core.cluster.flow_control:adapter.flow_control": [],
        "plumbline-core/core.cluster.frame_size:adapter.mtu": [],
        "plumbline-core/core.cluster.toolkit:host.hit_kit": [None],
    }


def test_on_a_fabric_only_the_named_adapters_are_compared_with() -> None:
    other = san_host(b1={"mtu": 1500}, b2={"mtu": 9000})
    agrees = rule("core.mtu.fabric_agrees")
    for adapter, outcome in (("b1", "fail"), ("b2", "pass")):
        peers = gather(load_builtin(), fabric={"a1": [("h2", other, adapter)]})
        assert only(evaluate_rule(agrees, san_host(a1={}), peers)).outcome == outcome
    assert only(evaluate_rule(agrees, san_host(a1={}), gather(load_builtin(), fabric={}))).outcome == "not_applicable"
    assert only(evaluate_rule(agrees, san_host(a1={}), gather(load_builtin()))).outcome == "unknown"


def test_a_difference_names_the_other_host() -> None:
    here = configuration({"host": {"is_clustered": True, "mpio.policy": "round_robin"}, "adapter/a1": {"role": "san_iscsi"}})
    there = configuration({"host": {"mpio.policy": "fail_over_only"}})
    finding = only(evaluate_rule(rule("core.cluster.mpio_policy"), here, gather(load_builtin(), cluster={"node2": there})))
    assert finding.reason == "MPIO default policy is round robin here and fail over only on node2"


# --- sections that were not read -----------------------------------------------------------------------------------------------------


def test_kinds_whose_section_failed_or_never_came_are_unread() -> None:
    sections = {
        "adapters": SectionReading("ok", b"{}"),
        "mpio": SectionReading("failed", error="no such class"),
        "storage": SectionReading("failed", error="access denied"),
        "vswitch": SectionReading("unavailable", error="no Hyper-V"),
        "iscsi": SectionReading("ok", b"{}"),
        "tcp": SectionReading("ok", b"{}"),
    }
    assert unlisted_kinds("windows", sections) == {
        "volume": "section storage failed: access denied",
        "qos_class": "section qos not collected",
        "qos_policy": "section qos not collected",
    }


def test_a_virtual_interface_of_windows_is_listed_by_the_adapters_and_not_by_its_switch() -> None:
    listed = {"adapters": SectionReading("ok", b"{}"), "vswitch": SectionReading("failed", error="access denied")}
    assert "vnic" not in unlisted_kinds("windows", listed)
    failed = {"adapters": SectionReading("failed", error="access denied"), "vswitch": SectionReading("ok", b"{}")}
    assert unlisted_kinds("windows", failed)["vnic"] == "section adapters failed: access denied"
