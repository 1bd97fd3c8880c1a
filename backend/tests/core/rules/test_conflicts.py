"""Packs that require opposite values of one setting are found, and only on items that both evaluate."""

from typing import Any

import pytest

from plumbline.core.rules.compile import compile_packs
from plumbline.core.rules.conflicts import conflicts_on, contradictions
from plumbline.core.rules.rule import AllOf, AnyOf, AppliesTo, Check, Condition, Expectation, Fix, Pack, Rule
from plumbline.core.rules.score import score
from plumbline.core.rules.weights import Weights, traits_of
from tests.core.rules.builders import san_host


def pack(name: str, expect: Expectation, applies_to: AppliesTo | None = None, **more: Any) -> Pack:
    rule = Rule(
        pack=name,
        id=f"{name}.rule",
        kind=more.pop("kind", "recommended"),
        title=f"Rule of {name}",
        summary="",
        why="",
        subject_kind=more.pop("subject_kind", "adapter"),
        applies_to=applies_to or AppliesTo(),
        expect=expect,
        impact="none",
        fix=Fix(manual_steps=("x",), because="x"),
        **more,
    )
    return Pack(name, "1.0.0", "", "", (), (rule,))


def mtu(operator: Any, *values: int) -> Check:
    return Check(operator, "adapter.mtu", values)


def flow(operator: Any, *values: str) -> Check:
    return Check(operator, "adapter.flow_control", values)


@pytest.mark.parametrize(
    ("left", "right", "opposite"),
    [
        (mtu("at_least", 9000), mtu("at_most", 1500), True),
        (mtu("at_least", 9000), mtu("at_most", 9000), False),
        (mtu("at_least", 9000), mtu("equals", 1500), True),
        (mtu("between", 1500, 4000), mtu("between", 4001, 9000), True),
        (mtu("between", 1500, 4000), mtu("between", 4000, 9000), False),
        (mtu("at_least", 9000), mtu("at_least", 1500), False),
        (flow("equals", "rx_tx"), flow("equals", "off"), True),
        (flow("equals", "rx_tx"), flow("one_of", "rx_tx", "rx"), False),
        (flow("one_of", "tx", "off"), flow("one_of", "rx_tx", "rx"), True),
        (Check("absent", "adapter.team"), Check("present", "adapter.team"), True),
        (Check("absent", "adapter.team"), Check("equals", "adapter.team", ("t",)), True),
        (Check("driver_maximum", "adapter.rss_queues", (16,)), Check("at_most", "adapter.rss_queues", (4,)), True),
        (flow("equals", "rx_tx"), mtu("at_most", 1500), False),
        (mtu("same_across"), mtu("at_most", 1500), False),
        (AllOf((mtu("at_least", 9000), flow("equals", "rx_tx"))), mtu("at_most", 1500), True),
        (AnyOf((mtu("at_least", 9000), flow("equals", "rx_tx"))), mtu("at_most", 1500), False),
    ],
)
def test_opposite_demands(left: Expectation, right: Expectation, opposite: bool) -> None:
    for packs in ((pack("a", left), pack("b", right)), (pack("a", right), pack("b", left))):
        assert bool(contradictions(packs)) is opposite


def test_rules_of_one_pack_do_not_count() -> None:
    one, other = pack("a", mtu("at_least", 9000)), pack("a", mtu("at_most", 1500))
    assert contradictions([Pack("a", "1.0.0", "", "", (), one.rules + other.rules)]) == ()


@pytest.mark.parametrize("more", [{"kind": "advisory"}, {"retired": True}, {"subject_kind": "vnic"}])
def test_what_demands_nothing_here_does_not_count(more: dict[str, Any]) -> None:
    assert contradictions([pack("a", mtu("at_least", 9000)), pack("b", mtu("at_most", 1500), **more)]) == ()


def role(value: str) -> AppliesTo:
    return AppliesTo(subject=(Condition("adapter.role", "one_of", (value,)),))


def test_rules_for_different_roles_or_platforms_never_meet() -> None:
    jumbo = pack("a", mtu("at_least", 9000), role("san_iscsi"))
    assert contradictions([jumbo, pack("b", mtu("at_most", 1500), role("s2d_storage"))]) == ()
    assert (
        contradictions([pack("a", mtu("at_least", 9000), AppliesTo("esxi")), pack("b", mtu("at_most", 1500), AppliesTo("windows"))]) == ()
    )
    assert len(contradictions([jumbo, pack("b", mtu("at_most", 1500))])) == 1


def test_a_conflict_names_both_sides_and_keeps_their_findings_out_of_the_score() -> None:
    packs = [pack("a", mtu("at_least", 9000), role("san_iscsi")), pack("b", mtu("at_most", 1500)), pack("c", flow("equals", "rx_tx"))]
    known = contradictions(packs)
    assert [(each.id, each.first.asks, each.second.asks) for each in known] == [
        ("a/a.rule|b/b.rule|adapter.mtu", "L3 MTU at least 9000 bytes", "L3 MTU at most 1500 bytes")
    ]
    host = san_host(a1={}, m1={"role": "management", "mtu": 1500})
    verdicts = compile_packs(packs, "windows").evaluate(host)
    (conflict,) = conflicts_on(known, verdicts)
    assert [subject.id for subject in conflict.subjects] == ["a1"]
    undecided = score(verdicts, Weights(packs), traits_of(host), excluded=frozenset(conflict.identities))
    # What is left: the flow control of both, and b's rule on the management adapter.
    assert (undecided.score, undecided.counts["excluded"]) == (100, 2)
    assert score(verdicts, Weights(packs), traits_of(host)).score == 83


def test_no_conflict_on_a_host_where_they_do_not_meet() -> None:
    packs = [pack("a", mtu("at_least", 9000), role("san_iscsi")), pack("b", mtu("at_most", 1500))]
    host = san_host(m1={"role": "management", "mtu": 1500})
    assert conflicts_on(contradictions(packs), compile_packs(packs, "windows").evaluate(host)) == ()
