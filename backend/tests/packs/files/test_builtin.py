"""The built-in packs: every case has the outcome in its name, every figure is as the papers print it."""

import pytest

from plumbline.core.facts.catalogue import BY_KEY
from plumbline.core.facts.configuration import Platform
from plumbline.core.rules.compile import compile_pack
from plumbline.core.rules.conflicts import contradictions
from plumbline.core.rules.evaluate import evaluate
from plumbline.core.rules.rule import Check, Pack, Rule, walk
from plumbline.infra.resources import RULESETS
from plumbline.packs.files import load_builtin
from plumbline.packs.files.cases import Case, error_of, load_cases
from plumbline.packs.files.check import check_folder, summary
from plumbline.packs.files.load import load_folder

LOADED = {loaded.pack.id: loaded for loaded in load_folder(RULESETS)}
CASES: list[tuple[Pack, Case]] = [(loaded.pack, case) for loaded in LOADED.values() for case in load_cases(loaded.folder, loaded.pack, [])]
RULES = [rule for loaded in LOADED.values() for rule in loaded.pack.rules]


def _name(value: object) -> str:
    return value.path if isinstance(value, Case) else value.id if isinstance(value, Pack) else ""


@pytest.mark.parametrize(("pack", "case"), CASES, ids=_name)
def test_case(pack: Pack, case: Case) -> None:
    rule = pack.rule(case.rule)
    assert rule is not None
    wrong = error_of(case, rule)
    assert wrong is None, wrong


def test_cases_come_out_alike_when_compiled() -> None:
    platforms: tuple[Platform, ...] = ("windows", "esxi")
    compiled = {(loaded.pack.id, platform): compile_pack(loaded.pack, platform) for loaded in LOADED.values() for platform in platforms}
    for pack, case in CASES:
        verdicts = compiled[pack.id, case.configuration.platform].evaluate(case.configuration, case.peers, case.unread)
        said = {verdict.subject: verdict.outcome for verdict in verdicts if verdict.rule.id == case.rule}
        assert case.outcome in said.values(), case.path


def test_compiled_and_reference_agree_on_every_case() -> None:
    """The cases reach each rule with every outcome, so that no rule depends on what a generator happens to draw."""
    reached: dict[str, set[str]] = {}
    platforms: tuple[Platform, ...] = ("windows", "esxi")
    compiled = {(loaded.pack.id, platform): compile_pack(loaded.pack, platform) for loaded in LOADED.values() for platform in platforms}
    for pack, case in CASES:
        by_rules = evaluate(pack, case.configuration, case.peers, case.unread)
        verdicts = compiled[pack.id, case.configuration.platform].evaluate(case.configuration, case.peers, case.unread)
        assert {(verdict.rule.id, verdict.subject, verdict.outcome) for verdict in verdicts} == {
            (finding.rule, finding.subject, finding.outcome) for finding in by_rules
        }, case.path
        for finding in by_rules:
            reached.setdefault(finding.rule, set()).add(finding.outcome)
    assert {rule.id for rule in RULES} == reached.keys()
    assert {rule for rule, outcomes in reached.items() if outcomes != {"pass", "fail", "not_applicable", "unknown"}} == set()


def test_the_check_finds_nothing_wrong() -> None:
    checked = check_folder(RULESETS)
    assert [problem.message for problem in checked.problems] == []
    assert checked.cases == len(CASES)
    assert summary(checked)[-1] == f"{len(CASES)} cases, each with its expected result"


def test_the_packs_of_the_papers() -> None:
    assert {pack.id: len(pack.rules) for pack in load_builtin()} == {
        "chelsio-s2d-qos": 13,
        "dell-bp1057-2012": 32,
        "dell-bp1057-2012r2": 37,
        "dell-esxi55": 16,
        "plumbline-core": 23,
        "qlogic-qle3142": 7,
    }


@pytest.mark.parametrize(
    ("rule_id", "key", "operator", "figure"),
    [
        ("bcm57810.ndis.jumbo", "adapter.mtu", "at_least", 9000),
        ("bcm57810.ndis.receive_buffers", "adapter.receive_buffers", "driver_maximum", 3000),
        ("bcm57810.ndis.transmit_buffers", "adapter.transmit_buffers", "driver_maximum", 5000),
        ("bcm57810.ndis.toe", "adapter.tcp_connection_offload", "equals", "enabled"),
        ("bcm57810.ndis.toe", "host.tcp.chimney", "equals", "enabled"),
        ("bcm57810.isoe.flow_control", "initiator.flow_control", "equals", "rx_tx"),
        ("bcm57810.isoe.mtu", "initiator.mtu", "at_least", 9000),
        ("x520.jumbo", "adapter.mtu", "at_least", 9000),
        ("x520.receive_buffers", "adapter.receive_buffers", "driver_maximum", 4096),
        ("x520.transmit_buffers", "adapter.transmit_buffers", "driver_maximum", 16384),
        ("flow_control", "adapter.flow_control", "equals", "rx_tx"),
    ],
)
@pytest.mark.parametrize(("pack", "prefix"), [("dell-bp1057-2012", "bp1057"), ("dell-bp1057-2012r2", "bp1057r2")])
def test_recommended_values_of_both_editions(pack: str, prefix: str, rule_id: str, key: str, operator: str, figure: int | str) -> None:
    rule = LOADED[pack].pack.rule(f"{prefix}.{rule_id}")
    assert rule is not None
    asked = {(node.key, node.operator, node.values) for node in walk(rule.expect) if isinstance(node, Check)}
    assert (key, operator, (figure,)) in asked


@pytest.mark.parametrize(
    ("rule_id", "key", "operator", "figure"),
    [
        ("flow_control", "adapter.flow_control", "equals", "rx_tx"),
        ("jumbo.vmkernel", "vnic.mtu", "at_least", 9000),
        ("delayed_ack", "initiator.delayed_ack", "equals", "disabled"),
        ("login_timeout", "initiator.login_timeout_seconds", "at_least", 60),
        ("guard.lro", "host.net.lro", "equals", "enabled"),
        ("guard.rx_checksum", "adapter.checksum_offload_rx", "equals", "enabled"),
        ("tso", "adapter.tso", "equals", "enabled"),
    ],
)
def test_recommended_values_of_esxi(rule_id: str, key: str, operator: str, figure: int | str) -> None:
    rule = LOADED["dell-esxi55"].pack.rule(f"esxi55.{rule_id}")
    assert rule is not None
    assert any(
        isinstance(node, Check) and (node.key, node.operator, node.values) == (key, operator, (figure,)) for node in walk(rule.expect)
    )


def test_figures_are_those_that_the_papers_print() -> None:
    """TOE: retransmits 0.11 to 0, CPU 6 to 4. RSS or auto-tuning off: -30 %. iSOE on Windows: +30 % IOPS, +10 % reads, retransmits,
    CPU 6 to 1.5; on ESXi +13 %. Chelsio: MB/s. QLogic: 90 % and 16 %, 223 to 474 MB/s, CPU 24 to 11. No other figure.
    """
    printed = {(rule.id.split(".", 1)[1], each.change_percent, each.value_from, each.value_to)
               for rule in RULES for each in rule.evidence if each.strength == "measured"}  # fmt: skip
    assert printed == {
        ("bcm57810.ndis.toe", None, 0.11, 0.0),
        ("bcm57810.ndis.toe", None, 6.0, 4.0),
        ("bcm57810.isoe.in_use", 30.0, None, None),
        ("bcm57810.isoe.in_use", 10.0, None, None),
        ("bcm57810.isoe.in_use", None, 0.11, 0.0),
        ("bcm57810.isoe.in_use", None, 6.0, 1.5),
        ("isoe.in_use", 13.0, None, None),
        ("guard.auto_tuning", -30.0, None, None),
        ("guard.x520_rss", -30.0, None, None),
        ("qos_enabled", None, 1443.0, 1563.0),
        ("qos_enabled", None, 2008.0, 210.0),
        ("jumbo", 90.0, None, None),
        ("jumbo", 16.0, None, None),
        ("jumbo", None, 223.0, 474.0),
        ("lso", None, 24.0, 11.0),
        ("checksum", None, 24.0, 11.0),
        ("checksum_udp", None, 24.0, 11.0),
        ("interrupt_moderation", None, 24.0, 11.0),
        ("large_receive", None, 24.0, 11.0),
    }


def test_equal_rules_of_both_editions_are_linked() -> None:
    first, second = LOADED["dell-bp1057-2012"].pack, LOADED["dell-bp1057-2012r2"].pack
    for rule in first.rules:
        (twin_address,) = rule.same_as
        twin = second.rule(twin_address.split("/")[1])
        assert twin is not None
        assert twin.same_as == (rule.address,)
        assert (twin.expect, twin.applies_to, twin.kind) == (rule.expect, rule.applies_to, rule.kind)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.address)
def test_a_step_would_set_what_the_rule_requires(rule: Rule) -> None:
    """Every setting a fix writes is one that the rule reads, and can be written."""
    for each in rule.fix.set:
        assert each.key in rule.reads
        assert BY_KEY[each.key].layer in ("configured", "running")


def test_chelsio_requires_no_percentage_and_no_priority_of_its_own() -> None:
    """The paper recommends no share, and 5 is only this vendor's choice of priority."""
    for rule in LOADED["chelsio-s2d-qos"].pack.rules:
        for node in walk(rule.expect):
            if isinstance(node, Check):
                assert node.operator not in ("equals", "at_least") or node.key not in ("qos_class.bandwidth_percent", "qos_policy.priority")


def test_the_builtin_packs_do_not_contradict_one_another() -> None:
    assert contradictions(load_builtin()) == ()
