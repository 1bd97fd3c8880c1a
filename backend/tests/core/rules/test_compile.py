"""The compiled evaluator gives the reference's outcomes, on any configuration."""

from typing import Any, get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from plumbline.core.facts import attestations
from plumbline.core.facts.catalogue import BY_KEY
from plumbline.core.facts.configuration import Configuration, NotOffered, Reading, Source, Subject, Unknown, Value
from plumbline.core.rules.codegen import literal
from plumbline.core.rules.compile import compile_pack, compile_packs, describe
from plumbline.core.rules.evaluate import evaluate
from plumbline.core.rules.peers import Peers, PeerValue
from plumbline.core.rules.rule import (
    AllOf,
    AnyOf,
    AppliesTo,
    Attested,
    Check,
    Condition,
    Exists,
    Fix,
    Has,
    InitiatorMode,
    Operator,
    Pack,
    Rule,
    walk,
)
from plumbline.packs.files import load_builtin
from tests.core.rules.builders import san_host

SOURCE = Source("section", "command", "field", "raw")


def _rule(name: str, subject_kind: str, expect: Any, applies_to: AppliesTo | None = None, **more: Any) -> Rule:
    return Rule(
        pack="every",
        id=name,
        kind="recommended",
        title=name,
        summary=name,
        why=name,
        subject_kind=subject_kind,
        applies_to=applies_to or AppliesTo(),
        expect=expect,
        impact="none",
        fix=Fix(manual_steps=("do",), because="test"),
        **more,
    )


SAN = Condition("adapter.role", "one_of", ("san_iscsi",), "not a SAN adapter")
QOS_445 = Condition("qos_policy.net_direct_port", "one_of", (445,))
EVERY_OPERATOR = Pack(
    id="every",
    version="1.0.0",
    title="Every operator",
    summary="",
    papers=(),
    rules=(
        _rule("equals.text", "adapter", Check("equals", "adapter.flow_control", ("rx_tx",)), AppliesTo(subject=(SAN,))),
        _rule("equals.bool", "host", Check("equals", "host.mpio.installed", (True,))),
        _rule("equals.int", "adapter", Check("equals", "adapter.rss_queues", (1,))),
        _rule("equals.list", "qos_class", Check("equals", "qos_class.priorities", (5, 3))),
        _rule("equals.nothing", "qos_class", Check("equals", "qos_class.priorities", ())),
        _rule("one_of.text", "adapter", Check("one_of", "adapter.flow_control", ("rx_tx", "rx"))),
        _rule("one_of.list", "adapter", Check("one_of", "adapter.bindings", ("ms_tcpip", "ms_pacer"))),
        _rule("at_least", "adapter", Check("at_least", "adapter.mtu", (9000,))),
        _rule("at_most", "host", Check("at_most", "host.san_sessions_spread", (1,))),
        _rule("between", "adapter", Check("between", "adapter.rss_queues", (2, 8))),
        _rule("driver_maximum", "adapter", Check("driver_maximum", "adapter.receive_buffers", (4096,))),
        _rule("driver_maximum.only", "adapter", Check("driver_maximum", "adapter.transmit_buffers")),
        _rule("present", "host", Check("present", "host.hit_kit")),
        _rule("absent", "adapter", Check("absent", "adapter.team")),
        _rule("same.host", "adapter", Check("same_across", "adapter.mtu"), AppliesTo(subject=(SAN,))),
        _rule("same.cluster", "qos_policy", Check("same_across", "qos_policy.priority", scope="cluster"), AppliesTo(subject=(QOS_445,))),
        _rule("same.cluster.host", "host", Check("same_across", "host.mpio.policy", scope="cluster")),
        _rule("same.fabric", "adapter", Check("same_across", "adapter.mtu", scope="fabric"), AppliesTo(subject=(SAN,))),
        _rule("distinct", "host", Check("distinct", "qos_class.priorities")),
        _rule("sum", "host", Check("sum_at_most", "qos_class.bandwidth_percent", (100,),
                                   where=(Condition("qos_class.algorithm", "one_of", ("ets",)),))),
        _rule("proves", "adapter", Check("proves", "adapter.frame_probe", ("ok",))),
        _rule("exists", "host", Exists("qos_policy", (QOS_445,), True, "a policy")),
        _rule("exists.not", "host", Exists("qos_policy", (QOS_445,), False, "a policy")),
        _rule("exists.value", "qos_policy", Exists("qos_class", (
            Condition("qos_class.algorithm", "one_of", ("ets",)),
            Condition("qos_class.priorities", "contains_value_of", ("qos_policy.priority",)),
        ), True, "a class")),
        _rule("all_of", "adapter", AllOf((Check("equals", "adapter.rss", ("enabled",)), Check("equals", "host.tcp.rss", ("enabled",))))),
        _rule("any_of", "adapter", AnyOf((Check("equals", "adapter.rss", ("enabled",)), Check("equals", "host.tcp.rss", ("enabled",))))),
        _rule("nested", "adapter", AllOf((
            Check("at_least", "adapter.mtu", (9000,)),
            AnyOf((Check("equals", "adapter.flow_control", ("rx_tx",)), AllOf((
                Check("equals", "adapter.rss", ("enabled",)), Check("equals", "host.tcp.rss", ("enabled",)),
            )))),
        ))),
        _rule("attested", "host", Attested("somebody says so")),
        _rule("clauses", "adapter", Check("at_least", "adapter.mtu", (9000,)), AppliesTo(
            platform="windows",
            host=(
                Condition("host.os_release", "one_of", ("2012", "2012r2")),
                Condition("host.os_build", "at_most", (14392,)),
                Condition("host.is_clustered", "none_of", (True,)),
                Has("volume", (Condition("volume.paths_healthy", "at_least", (1,)),)),
                Has("target", (), "equallogic"),
            ),
            subject=(
                SAN,
                Condition("adapter.family", "none_of", ("other",)),
                Condition("adapter.bindings", "contains", ("ms_tcpip",)),
                InitiatorMode(("software", "ndis")),
            ),
        )),
        _rule("initiator.isoe", "adapter", Check("at_least", "adapter.mtu", (9000,)), AppliesTo(subject=(InitiatorMode(("isoe",)),))),
        _rule("has.modes", "host", Check("present", "host.hit_kit"), AppliesTo(host=(Has("adapter", (SAN,), modes=("software", "ndis")),))),
        _rule("esxi", "adapter", Check("at_least", "adapter.mtu", (9000,)), AppliesTo(platform="esxi")),
        _rule("retired", "host", Check("present", "host.hit_kit"), retired=True),
    ),
)  # fmt: skip

PACKS = (*load_builtin(), EVERY_OPERATOR)
COMPILED = {platform: compile_packs(PACKS, platform) for platform in ("windows", "esxi")}
RULES = [rule for pack in PACKS for rule in pack.rules]
# `pack/rule:key` of every comparison with other hosts, by scope, and the rules that wait for a person.
COMPARISONS = {
    scope: [
        f"{rule.address}:{node.key}"
        for rule in RULES
        for node in walk(rule.expect)
        if isinstance(node, Check) and node.operator == "same_across" and node.scope == scope
    ]
    for scope in ("cluster", "fabric")
}
ATTESTED = [rule.address for rule in RULES for node in walk(rule.expect) if isinstance(node, Attested)]

# Every key that any rule reads, by kind, and for each the values in rules and some others.
KEYS: dict[str, list[str]] = {}
for _pack in PACKS:
    for _each in _pack.rules:
        for _key in _each.reads:
            _kind, _name = _key.split(".", 1)
            if _name not in KEYS.setdefault(_kind, []):
                KEYS[_kind].append(_name)
for _names in KEYS.values():
    _names.sort()
COUNTS = {"adapter": 3, "initiator": 2, "qos_class": 3, "qos_policy": 2, "volume": 2, "vnic": 2, "target": 2, "vswitch": 1}
IDS = {"target": ["iqn>iqn.2001-05.com.equallogic:a", "iqn>iqn.other:b"]}
NUMBERS = [0, 1, 2, 5, 8, 9, 60, 100, 445, 1500, 4096, 9000, 9600, 14393]


def _values(kind: str, name: str) -> list[Reading]:
    entry = BY_KEY[f"{kind}.{name}"]
    plain: list[Any]
    if name == "adapter":
        plain = ["a0", "a1", ""]
    elif entry.type == "bool":
        plain = [True, False, 1]
    elif entry.type == "int":
        plain = [*NUMBERS, "Auto", True]
    elif entry.type == "list":
        plain = [(), (5,), (5, 3), (3, 5), (True,), ("ms_tcpip",), ("ms_tcpip", "ms_server"), "ms_tcpip"]
    else:
        plain = [*entry.values, "", "SwitchIndependent", "Dynamic"]
    values: list[Reading] = [Value(each, SOURCE) for each in plain]
    # What decides whether a rule applies is mostly known, so that the rest of the rule is reached.
    if name in ("role", "family", "mode", "os_release", "net_direct_port"):
        values += values[:4] * 2
    return [*values, Unknown("unread"), NotOffered("no such thing"), NotOffered("")]


CHOICES = {(kind, name): st.sampled_from([None, *_values(kind, name)]) for kind, names in KEYS.items() for name in names}


@st.composite
def configurations(draw: st.DrawFn) -> Configuration:
    readings: dict[Subject, dict[str, Reading]] = {}
    for kind, names in KEYS.items():
        count = 1 if kind == "host" else draw(st.integers(0, COUNTS.get(kind, 1)))
        for index in range(count):
            identity = "" if kind == "host" else IDS[kind][index] if kind in IDS else f"a{index}"
            keys = {name: choice for name in names if (choice := draw(CHOICES[kind, name])) is not None}
            readings[Subject(kind, identity)] = keys
    host = Configuration(draw(st.sampled_from(["windows", "esxi"])), readings)
    said = st.builds(
        attestations.Attested,
        is_so=st.booleans(),
        by=st.just("ann"),
        on=st.just("2026-01-01"),
        until=st.just("2027-01-01"),
        statement=st.just("seen"),
        is_over=st.booleans(),
    )
    return attestations.with_attestations(host, draw(st.dictionaries(st.sampled_from(ATTESTED), said, max_size=4)))


@st.composite
def surroundings(draw: st.DrawFn) -> Peers:
    values = st.lists(
        st.sampled_from([PeerValue("n2", 5), PeerValue("n3", 9000), PeerValue("n4", None), PeerValue("n5", 1500)]), max_size=2
    )
    in_cluster = {name: values.map(tuple) for name in COMPARISONS["cluster"]}
    on_fabric = {(name, adapter): values.map(tuple) for name in COMPARISONS["fabric"] for adapter in ("a0", "a1")}
    return Peers(
        cluster=draw(st.none() | st.fixed_dictionaries(in_cluster)),
        fabric=draw(st.none() | st.fixed_dictionaries({}, optional=on_fabric)),
    )


UNREAD = st.dictionaries(
    st.sampled_from(["adapter", "volume", "qos_policy", "qos_class", "initiator"]), st.just("section failed"), max_size=2
)


@given(configurations(), surroundings(), UNREAD)
@settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
)
def test_compiled_and_reference_give_the_same(host: Configuration, peers: Peers, unread: dict[str, str]) -> None:
    verdicts = COMPILED[host.platform].evaluate(host, peers, unread)
    said = {(verdict.rule.address, verdict.subject): verdict.outcome for verdict in verdicts}
    expected = {
        (f"{finding.pack}/{finding.rule}", finding.subject): finding for pack in PACKS for finding in evaluate(pack, host, peers, unread)
    }
    assert said == {identity: finding.outcome for identity, finding in expected.items()}
    assert len(verdicts) == len(said)
    for verdict in verdicts:
        assert describe(verdict, host, peers, unread) == expected[verdict.rule.address, verdict.subject]


def test_every_operator_and_every_form_is_tried() -> None:
    nodes = [node for rule in EVERY_OPERATOR.rules for node in walk(rule.expect)]
    assert {node.operator for node in nodes if isinstance(node, Check)} == set(get_args(Operator))
    assert {type(node) for node in nodes} == {Check, Exists, AllOf, AnyOf, Attested}
    assert {node.scope for node in nodes if isinstance(node, Check) and node.operator == "same_across"} == {"host", "cluster", "fabric"}
    tests = {clause.test for rule in EVERY_OPERATOR.rules for clause in (*rule.applies_to.host, *rule.applies_to.subject)
             if isinstance(clause, Condition)}  # fmt: skip
    tests |= {condition.test for node in nodes if isinstance(node, Exists) for condition in node.where}
    assert tests >= {"one_of", "none_of", "at_most", "contains", "contains_value_of"}


@pytest.mark.parametrize("text", ["'); import os; ('", 'a"b\n\\', "{v}", "\u2028"])
def test_text_of_a_rule_never_becomes_code(text: str) -> None:
    rule = _rule(
        "text", "adapter", Check("equals", "adapter.name", (text,)), AppliesTo(subject=(Condition("adapter.team", "one_of", (text,)),))
    )
    compiled = compile_pack(Pack("every", "1.0.0", text, text, (), (rule,)), "windows")
    host = san_host(a1={"name": text, "team": text})
    assert [verdict.outcome for verdict in compiled.evaluate(host)] == ["pass"]


@pytest.mark.parametrize("value", [1.5, None, ("a",), b"a"])
def test_only_checked_values_become_literals(value: Any) -> None:
    with pytest.raises(TypeError, match="cannot be part of generated code"):
        literal(value)


def test_a_host_of_another_platform_is_refused() -> None:
    with pytest.raises(ValueError, match="compiled for esxi"):
        compile_pack(EVERY_OPERATOR, "esxi").evaluate(san_host())


def test_a_rule_that_breaks_becomes_one_unknown_finding_and_the_others_go_on() -> None:
    broken = _rule("broken", "adapter", Check("at_least", "adapter.mtu", ("not a number",)))
    good = _rule("good", "adapter", Check("at_least", "adapter.mtu", (9000,)))
    host = san_host(a1={})
    verdicts = compile_pack(Pack("every", "1.0.0", "", "", (), (broken, good)), "windows").evaluate(host)
    assert sorted((verdict.rule.id, verdict.subject.kind, verdict.outcome) for verdict in verdicts) == [
        ("broken", "host", "unknown"),
        ("good", "adapter", "pass"),
    ]
    assert describe(verdicts[0], host).reason == "internal error in this rule: ValueError"


MODES = [None, Unknown("unread"), NotOffered(""), *(Value(mode, SOURCE) for mode in ("software", "ndis", "isoe"))]


@pytest.mark.parametrize("first", MODES, ids=str)
@pytest.mark.parametrize("second", MODES, ids=str)
def test_two_initiators_on_one_adapter(first: Reading | None, second: Reading | None) -> None:
    """Exhaustive, because two initiators that name the same adapter are rare among generated hosts."""
    readings: dict[Subject, dict[str, Reading]] = {
        Subject("adapter", "a0"): {"mtu": Value(9000, SOURCE), "role": Value("san_iscsi", SOURCE), "family": Value("x520", SOURCE)},
        Subject("host", ""): {"hit_kit": Value("4.5", SOURCE)},
    }
    for index, mode in enumerate((first, second)):
        initiator: dict[str, Reading] = {"adapter": Value("a0", SOURCE)}
        readings[Subject("initiator", f"i{index}")] = initiator if mode is None else {**initiator, "mode": mode}
    host = Configuration("windows", readings)
    said = {(verdict.rule.address, verdict.subject): verdict.outcome for verdict in COMPILED["windows"].evaluate(host)}
    assert said == {(f"{each.pack}/{each.rule}", each.subject): each.outcome for pack in PACKS for each in evaluate(pack, host)}
    modes = {mode.value for mode in (first, second) if isinstance(mode, Value)}
    doubtful = any(mode is None or isinstance(mode, Unknown) for mode in (first, second))
    expected = "not_applicable" if "isoe" in modes else "unknown" if doubtful else "pass"
    assert said["every/has.modes", Subject("host", "")] == expected
