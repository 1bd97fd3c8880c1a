"""The second clock: what counts as a difference from the accepted configuration."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline.core.drift.compare import compare
from plumbline.core.facts.configuration import HOST, Configuration, NotOffered, Reading, Source, Subject, Unknown, Value

ADAPTER = Subject("adapter", "a0369f000001")
SOURCE = Source("s", "c", "f", "")
NINE, SMALL = Value(9000, SOURCE), Value(1500, SOURCE)
ABSENT, DARK = NotOffered("driver does not offer it"), Unknown("section properties failed")


def one(reading: Reading | None, key: str = "mtu", subject: Subject = ADAPTER) -> Configuration:
    keys: dict[str, Reading] = {"flow_control": Value("rx_tx", SOURCE)} if subject == ADAPTER else {}
    return Configuration("windows", {subject: keys if reading is None else {**keys, key: reading}})


@pytest.mark.parametrize(
    ("accepted", "now", "differs", "unread"),
    [
        (NINE, NINE, 0, 0),
        (NINE, Value(9000, Source("other", "d", "g", "9014")), 0, 0),
        (NINE, SMALL, 1, 0),
        (NINE, DARK, 0, 1),
        (NINE, None, 0, 1),
        (NINE, ABSENT, 1, 0),
        (ABSENT, NINE, 1, 0),
        (ABSENT, DARK, 0, 0),
        # What was not read when it was accepted cannot have drifted.
        (DARK, NINE, 0, 0),
        (None, NINE, 0, 0),
    ],
)
def test_a_setting_compared_with_the_accepted_one(accepted: Reading | None, now: Reading | None, differs: int, unread: int) -> None:
    found = compare(one(accepted), one(now))
    assert (len(found.differences), len(found.unread)) == (differs, unread)


def test_what_a_host_does_at_the_moment_is_not_compared() -> None:
    assert compare(one(Value(True, SOURCE), "link_up"), one(Value(False, SOURCE), "link_up")).differences == ()
    agent = [one(Value(version, SOURCE), "agent_version", HOST) for version in ("1.0.0", "1.1.0")]
    assert compare(*agent).differences == ()


def test_a_subject_that_came_or_went_is_one_difference() -> None:
    before, after = one(NINE), Configuration("windows", {})
    assert [(each.subject, each.key, each.now) for each in compare(before, after).differences] == [(ADAPTER, "", None)]
    assert [each.accepted for each in compare(after, before).differences] == [None]
    # One that cannot be read now is still there.
    hidden = Configuration("windows", {ADAPTER: {"mtu": DARK, "flow_control": DARK}})
    assert (len(compare(before, hidden).differences), len(compare(before, hidden).unread)) == (0, 2)


readings = st.sampled_from([NINE, SMALL, ABSENT, DARK])
configurations = st.dictionaries(
    st.sampled_from([ADAPTER, Subject("adapter", "b"), HOST]),
    st.dictionaries(st.sampled_from(["mtu", "vlan", "rss_queues"]), readings),
    max_size=3,
).map(lambda each: Configuration("windows", each))


@given(configurations, configurations)
def test_nothing_differs_from_itself_and_every_difference_is_between_known_readings(a: Configuration, b: Configuration) -> None:
    assert compare(a, a) == compare(Configuration("windows", {}), Configuration("windows", {}))
    for each in compare(a, b).differences:
        assert not isinstance(each.accepted, Unknown)
        assert not isinstance(each.now, Unknown)
        assert each.accepted != each.now
