"""Versions are compared part by part as numbers, never as text and never as one number; both evaluators alike."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline.core.facts.configuration import HOST
from plumbline.core.rules.compile import compile_pack
from plumbline.core.rules.conflicts import contradictions
from plumbline.core.rules.evaluate import evaluate
from plumbline.core.rules.rule import AppliesTo, Check, Fix, Pack, Rule
from plumbline.core.rules.versions import is_at_least
from tests.core.rules.builders import configuration


def pack(check: Check, name: str = "one") -> Pack:
    rule = Rule(name, f"{name}.mem", "recommended", "", "", "", "host", AppliesTo(), check, "none", Fix(manual_steps=("x",), because="x"))
    return Pack(name, "1.0.0", "", "", (), (rule,))


@pytest.mark.parametrize(
    ("seen", "wanted", "meets"),
    [
        ("1.2.0-365964", "1.2", True),
        ("1.2-365964", "1.2", True),
        ("1.2", "1.2.0", True),
        ("1.10.0", "1.9", True),
        ("1.10", "1.2", True),
        ("2", "1.2", True),
        ("1.1.2-999999", "1.2", False),
        ("1", "1.2", False),
        ("0.9.12", "1.2", False),
        ("", "1.2", False),
        ("unknown build", "1.2", None),
        ("v1.2", "1.2", None),
    ],
)
def test_by_parts(seen: str, wanted: str, meets: bool | None) -> None:
    assert is_at_least(seen, wanted) is meets
    host = configuration({"host": {"mem": seen}}, "esxi")
    asked = pack(Check("at_least", "host.mem", (wanted,)))
    (finding,) = evaluate(asked, host)
    assert finding.outcome == {True: "pass", False: "fail", None: "unknown"}[meets]
    (verdict,) = compile_pack(asked, "esxi").evaluate(host)
    assert (verdict.subject, verdict.outcome) == (HOST, finding.outcome)


_PARTS = st.lists(st.integers(0, 99), min_size=1, max_size=4)


@given(_PARTS, _PARTS)
def test_the_order_is_that_of_the_numbers(left: list[int], right: list[int]) -> None:
    one, other = ".".join(map(str, left)), ".".join(map(str, right))
    long = max(len(left), len(right))
    padded = [[*each, *[0] * (long - len(each))] for each in (left, right)]
    assert is_at_least(one, other) is (padded[0] >= padded[1])
    assert is_at_least(f"{one}-build", other) is is_at_least(one, other)


@pytest.mark.parametrize(
    ("seen", "reason"),
    [
        ("", "EqualLogic MEM not found; expected at least 1.2"),
        ("1.1.2-292203", "EqualLogic MEM is 1.1.2-292203; expected at least 1.2"),
        ("unknown build", "EqualLogic MEM: value can't be compared"),
    ],
)
def test_versions_are_compared_with_a_reason(seen: str, reason: str) -> None:
    (finding,) = evaluate(pack(Check("at_least", "host.mem", ("1.2",))), configuration({"host": {"mem": seen}}, "esxi"))
    assert finding.reason == reason


def test_a_version_to_have_contradicts_only_having_none() -> None:
    wanted = pack(Check("at_least", "host.mem", ("1.2",)))
    assert contradictions([wanted, pack(Check("absent", "host.mem"), "two")])
    assert contradictions([wanted, pack(Check("present", "host.mem"), "two")]) == ()
    assert contradictions([wanted, pack(Check("at_least", "host.mem", ("1.3",)), "two")]) == ()
