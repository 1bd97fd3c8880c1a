"""The canonical form of what an approval signs, and plans that come back from their documents."""

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline.core.planning.plan import NotCanonical, Plan, canonical, digest, document, gravest, latest, read_plan
from tests.core.planning.builders import a_plan

_LEAVES = st.none() | st.booleans() | st.integers() | st.text()


def _nested(depth: int) -> st.SearchStrategy[object]:
    """Plain data of at most this depth. `st.recursive` bounds only the leaves, so that empty lists may nest until Python's own limit."""
    if depth == 0:
        return _LEAVES
    inner = _nested(depth - 1)
    return _LEAVES | st.lists(inner, max_size=6) | st.dictionaries(st.text(), inner, max_size=6)


def test_a_plan_comes_back_from_its_document_unchanged() -> None:
    plan = a_plan()
    assert read_plan(json.loads(canonical(document(plan)))) == plan


@given(_nested(5))
def test_canonical_bytes_decode_to_the_same_data(plain: object) -> None:
    try:
        encoded = canonical(plain)
    except UnicodeEncodeError:
        pytest.fail("canonical form is ASCII")
    assert json.loads(encoded) == plain
    assert canonical(json.loads(encoded)) == encoded


def test_canonical_form_does_not_depend_on_the_order_of_names() -> None:
    assert canonical({"b": 1, "a": [True, None, "ü"]}) == b'{"a":[true,null,"\\u00fc"],"b":1}'
    assert digest({"b": 1, "a": 2}) == digest({"a": 2, "b": 1})


@pytest.mark.parametrize(
    ("plain", "place"), [({"a": [1.5]}, r"\$\.a\[0\]"), ({1: "x"}, r"\$"), ({"a": {"b": b"x"}}, r"\$\.a\.b"), (float("nan"), r"\$")]
)
def test_what_has_no_exact_form_is_refused_with_its_place(plain: object, place: str) -> None:
    with pytest.raises(NotCanonical, match=place):
        canonical(plain)


def test_every_field_of_a_plan_changes_its_digest() -> None:
    plain = document(a_plan())
    first = digest(plain)
    for name in plain:
        assert digest({**plain, name: "another"}) != first, name


def test_a_document_with_a_missing_or_wrong_field_is_refused() -> None:
    plain = document(a_plan())
    del plain["hosts"][0]["steps"][0]["elements"][0]["inverse"]
    with pytest.raises(msgspec.ValidationError, match=r"inverse.*hosts\[0\]\.steps\[0\]\.elements\[0\]|hosts\[\.\.\.\]"):
        read_plan(plain)


def test_no_plan_has_a_floating_number() -> None:
    assert msgspec.convert(document(a_plan()), Plan) == a_plan()
    canonical(document(a_plan()))


def test_unknown_is_the_gravest_impact_and_a_reboot_the_latest_effect() -> None:
    assert gravest(["none", "unknown", "reboot"]) == "unknown"
    assert gravest([]) == "none"
    assert latest(["now", "reboot", "new_session"]) == "reboot"
