"""The packs that come with Plumbline: every case as its name says, every row of the papers accounted for, every figure as printed."""

import pytest

from plumbline.facts.catalogue import BY_KEY
from plumbline.facts.configuration import Platform
from plumbline.resources import RULESETS
from plumbline.rulesets import load_builtin
from plumbline.rulesets.cases import Case, complaint, load_cases
from plumbline.rulesets.check import check_folder, summary
from plumbline.rulesets.load import load_folder
from plumbline.scoring.compile import compile_pack
from plumbline.scoring.conflicts import contradictions
from plumbline.scoring.rule import Check, Pack, Rule, walk

LOADED = {loaded.pack.id: loaded for loaded in load_folder(RULESETS)}
CASES: list[tuple[Pack, Case]] = [(loaded.pack, case) for loaded in LOADED.values() for case in load_cases(loaded.folder, loaded.pack)]
RULES = [rule for loaded in LOADED.values() for rule in loaded.pack.rules]


def _name(value: object) -> str:
    return value.path if isinstance(value, Case) else value.id if isinstance(value, Pack) else ""


@pytest.mark.parametrize(("pack", "case"), CASES, ids=_name)
def test_case(pack: Pack, case: Case) -> None:
    rule = pack.rule(case.rule)
    assert rule is not None
    wrong = complaint(case, rule)
    assert wrong is None, wrong


def test_cases_come_out_alike_when_compiled() -> None:
    platforms: tuple[Platform, ...] = ("windows", "esxi")
    compiled = {(loaded.pack.id, platform): compile_pack(loaded.pack, platform) for loaded in LOADED.values() for platform in platforms}
    for pack, case in CASES:
        verdicts = compiled[pack.id, case.configuration.platform].judge(case.configuration, case.peers, case.unread)
        said = {verdict.subject: verdict.outcome for verdict in verdicts if verdict.rule.id == case.rule}
        assert case.outcome in said.values(), case.path


def test_the_check_finds_nothing_wrong() -> None:
    checked = check_folder(RULESETS)
    assert [problem.message for problem in checked.problems] == []
    assert checked.cases == len(CASES)
    assert summary(checked)[-1] == f"{len(CASES)} cases, each as its name says"


def test_the_packs_of_the_papers() -> None:
    assert {pack.id: len(pack.rules) for pack in load_builtin()} == {
        "chelsio-s2d-qos": 8,
        "dell-bp1057-2012": 24,
        "dell-bp1057-2012r2": 27,
        "dell-esxi55": 11,
        "plumbline-core": 9,
        "qlogic-qle3142": 3,
    }


def _accounted(pack: str) -> set[str]:
    loaded = LOADED[pack].pack
    return {each for rule in loaded.rules for each in rule.covers} | {each.id for each in loaded.no_rules}


def _numbered(letter: str, numbers: range) -> set[str]:
    return {f"{letter}{number}" for number in numbers}


def test_every_recommendation_of_the_papers_is_a_rule_or_a_reason() -> None:
    """W-R, W-D, E-R, C-R and Q-R number the rows of the papers' recommendations; W-T4 to W-T13 the tests of further options."""
    windows = _numbered("W-R", range(1, 13)) | _numbered("W-D", range(1, 10)) | {"W-D12"} | _numbered("W-T", range(4, 8))
    windows |= _numbered("W-T", range(9, 14))
    assert windows <= _accounted("dell-bp1057-2012")
    # The later edition adds the settings of the switches.
    assert windows | {"W-D10", "W-D11"} <= _accounted("dell-bp1057-2012r2")
    assert _numbered("E-R", range(1, 12)) <= _accounted("dell-esxi55")
    assert _numbered("C-R", range(1, 10)) <= _accounted("chelsio-s2d-qos")
    assert _numbered("Q-R", range(1, 6)) <= _accounted("qlogic-qle3142")


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
        ("tso", "host.net.hw_tso", "equals", "enabled"),
    ],
)
def test_recommended_values_of_esxi(rule_id: str, key: str, operator: str, figure: int | str) -> None:
    rule = LOADED["dell-esxi55"].pack.rule(f"esxi55.{rule_id}")
    assert rule is not None
    assert any(
        isinstance(node, Check) and (node.key, node.operator, node.values) == (key, operator, (figure,)) for node in walk(rule.expect)
    )


def test_figures_are_those_that_the_papers_print() -> None:
    """TOE: retransmits 0.11 to 0, CPU 6 to 4. RSS or auto-tuning off: -30 %. Chelsio: MB/s. QLogic: 16 % and CPU. No other figure."""
    printed = {(rule.id.split(".", 1)[1], each.change_percent, each.value_from, each.value_to)
               for rule in RULES for each in rule.evidence if each.strength == "measured"}  # fmt: skip
    assert printed == {
        ("bcm57810.ndis.toe", None, 0.11, 0.0),
        ("bcm57810.ndis.toe", None, 6.0, 4.0),
        ("guard.auto_tuning", -30.0, None, None),
        ("guard.x520_rss", -30.0, None, None),
        ("qos_enabled", None, 1443.0, 1563.0),
        ("qos_enabled", None, 2008.0, 210.0),
        ("jumbo", 16.0, None, None),
        ("lso", None, 24.0, 11.0),
        ("checksum", None, 24.0, 11.0),
    }


def test_both_editions_ask_the_same_and_say_so() -> None:
    first, second = LOADED["dell-bp1057-2012"].pack, LOADED["dell-bp1057-2012r2"].pack
    for rule in first.rules:
        (twin_address,) = rule.same_as
        twin = second.rule(twin_address.split("/")[1])
        assert twin is not None
        assert twin.same_as == (rule.address,)
        assert (twin.expect, twin.applies_to, twin.kind) == (rule.expect, rule.applies_to, rule.kind)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.address)
def test_a_step_would_set_what_the_rule_asks(rule: Rule) -> None:
    """Every setting a fix writes is one that the rule reads, and can be written."""
    for each in rule.fix.set:
        assert each.key in rule.reads
        assert BY_KEY[each.key].layer in ("configured", "running")


def test_chelsio_asks_for_no_percentage_and_no_priority_of_its_own() -> None:
    """The paper recommends no share, and 5 is only this vendor's choice of priority."""
    for rule in LOADED["chelsio-s2d-qos"].pack.rules:
        for node in walk(rule.expect):
            if isinstance(node, Check):
                assert node.operator not in ("equals", "at_least") or node.key not in ("qos_class.bandwidth_percent", "qos_policy.priority")


def test_the_builtin_packs_do_not_contradict_one_another() -> None:
    assert contradictions(load_builtin()) == ()
