"""Linked rules count once: the combined status of their findings, without a database."""

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from plumbline.core.rules.finding_status import bit_of, order_together, status_of, status_together

OUTCOMES = ("pass", "fail", "unknown", "not_applicable")
MARKS = list(product(OUTCOMES, (None, 7), ("", "conflict", "grace"), ("recommended", "advisory")))


@given(st.lists(st.sampled_from(MARKS), min_size=1, max_size=4))
def test_the_bits_and_the_order_give_the_same_status(marks: list[tuple[str, int | None, str, str]]) -> None:
    words = [(outcome, status_of(outcome, waiver, excluded, kind)) for outcome, waiver, excluded, kind in marks]
    bits = 0
    for mark in marks:
        bits |= bit_of(*mark)
    assert status_together(bits) == min(words, key=lambda each: order_together(*each))[1]


def test_a_waived_failure_and_a_linked_unknown_are_waived_as_in_the_score() -> None:
    assert status_together(bit_of("fail", 7, "", "recommended") | bit_of("unknown", None, "", "recommended")) == "waived"


def test_a_pass_that_counts_makes_up_for_one_that_a_conflict_takes_out() -> None:
    assert status_together(bit_of("pass", None, "conflict", "recommended") | bit_of("pass", None, "", "recommended")) == "pass"
