"""Changes between two configurations."""

import pytest

from plumbline.core.drift.changes import Change, diff
from plumbline.core.facts.configuration import HOST, Configuration, NotOffered, Reading, Source, Subject, Unknown, Value

ADAPTER = Subject("adapter", "a0369f000001")


def source(raw: str = "", command: str = "c") -> Source:
    return Source("s", command, "f", raw)


def one(reading: Reading | None, subject: Subject = ADAPTER, key: str = "mtu") -> Configuration:
    return Configuration("windows", {subject: {key: reading}} if reading is not None else {})


VALUE, OTHER = Value(9000, source("9014")), Value(1500, source("1514"))
ABSENT, DARK = NotOffered("driver does not offer it"), Unknown("section properties failed")


@pytest.mark.parametrize(
    ("old", "new", "is_change"),
    [
        (VALUE, VALUE, False),
        (VALUE, OTHER, True),
        (VALUE, Value(9000, source("9000", "another command")), False),
        (VALUE, DARK, True),
        (DARK, VALUE, True),
        (DARK, Unknown("for another reason"), False),
        (VALUE, ABSENT, True),
        (ABSENT, DARK, True),
        (ABSENT, NotOffered("in other words"), False),
        (None, VALUE, True),
        (VALUE, None, True),
        (None, DARK, False),
        (DARK, None, False),
        (Value(("a", "b"), source()), Value(("b", "a"), source()), True),
    ],
)
def test_what_is_a_change(old: Reading | None, new: Reading | None, is_change: bool) -> None:
    expected = [Change(ADAPTER, "mtu", old, new)] if is_change else []
    assert diff(one(old), one(new)) == expected


def test_a_first_configuration_is_a_beginning() -> None:
    assert diff(None, one(VALUE)) == []


def test_changes_are_sorted_and_untouched_subjects_are_left_out() -> None:
    old = Configuration("windows", {HOST: {"tcp.rss": Value("enabled", source())}, ADAPTER: {"b": VALUE, "a": VALUE}})
    new = Configuration("windows", {HOST: {"tcp.rss": Value("enabled", source())}, ADAPTER: {"b": OTHER, "a": OTHER}})
    assert [change.key for change in diff(old, new)] == ["a", "b"]


def test_a_lost_path_is_a_change_of_its_count() -> None:
    volume = Subject("volume", "naa.6090")
    (change,) = diff(one(Value(2, source()), volume, "paths_healthy"), one(Value(1, source()), volume, "paths_healthy"))
    assert change == Change(volume, "paths_healthy", Value(2, source()), Value(1, source()))
