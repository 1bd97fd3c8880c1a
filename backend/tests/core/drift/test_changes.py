"""Changes between two configurations."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

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


settings = st.sampled_from([VALUE, OTHER, ABSENT, DARK])
configurations = st.dictionaries(
    st.sampled_from([ADAPTER, Subject("adapter", "b"), HOST]),
    st.dictionaries(st.sampled_from(["mtu", "vlan", "rss_queues"]), settings, min_size=1),
    max_size=3,
).map(lambda each: Configuration("windows", each))


def applied(before: Configuration, changes: list[Change]) -> Configuration:
    """The configuration after the log of changes was applied to it."""
    readings = {subject: dict(before.keys(subject)) for subject in before.all_subjects()}
    for change in changes:
        keys = readings.setdefault(change.subject, {})
        if change.new is None:
            keys.pop(change.key, None)
        else:
            keys[change.key] = change.new
    return Configuration("windows", {subject: keys for subject, keys in readings.items() if keys})


@given(configurations, configurations, configurations)
def test_the_log_of_changes_applied_to_a_configuration_gives_the_later_one(
    first: Configuration, second: Configuration, third: Configuration
) -> None:
    """What stays different is only what is no change: why something is not known, and whether anybody mentioned it."""
    assert diff(applied(first, diff(first, second)), second) == []
    # Also over several check-ins, one after the other.
    replayed = first
    for before, after in ((first, second), (second, third)):
        replayed = applied(replayed, diff(before, after))
    assert diff(replayed, third) == []
