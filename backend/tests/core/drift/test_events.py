"""One event, one row: which changes are one happening."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from plumbline.core.drift.events import LoggedChange, events_of

START = datetime(2026, 3, 2, 2, 0, tzinfo=UTC)
_NEXT = iter(range(1, 10_000_000))


def change(
    key: str, old: object, new: object, *, host: str = "sql-01", subject: str = "adapter/a", minutes: int = 0, cause: str = "unknown",
    detail: str = "", job_id: int | None = None,
) -> LoggedChange:  # fmt: skip
    kind, _, subject_id = subject.partition("/")
    text = [
        None if value is None else f'{{"value": {"true" if value is True else "false" if value is False else value}}}'
        for value in (old, new)
    ]
    return LoggedChange(next(_NEXT), host, START + timedelta(minutes=minutes), kind, subject_id, key, *text, cause, detail, job_id)


def test_a_link_that_went_down_is_one_event_with_its_paths() -> None:
    changes = [
        change("link_up", True, False),
        change("link_speed_bps", 10**10, 0),
        *(change("paths_healthy", 4, 2, subject=f"volume/v{number}") for number in range(4)),
        change("sessions", 4, 2, subject="host/"),
    ]
    (event,) = events_of(changes)
    assert (event.headline.key, len(event.changes), len(event.effects)) == ("link_up", 7, 4)


def test_a_setting_changed_while_a_link_went_down_is_an_event_of_its_own() -> None:
    events = events_of([change("link_up", True, False), change("paths_healthy", 4, 2, subject="volume/v"), change("mtu", 9000, 1500)])
    assert sorted(event.headline.key for event in events) == ["link_up", "mtu"]


def test_a_driver_update_on_seven_hosts_is_one_event_with_everything_it_changed() -> None:
    more = {"cause": "driver_update", "detail": "driver version 1.78 to 1.79"}
    changes = [
        each
        for number in range(7)
        for each in (
            change("driver_version", 178, 179, host=f"sql-{number}", minutes=60 * number, **more),
            change("flow_control", 1, 0, host=f"sql-{number}", minutes=60 * number, **more),
            *([change("receive_buffers", 4096, 512, host="sql-0", **more)] if number == 0 else []),
        )
    ]
    (event,) = events_of(changes)
    assert event.headline.key == "flow_control"
    assert [len(members) for members in event.effects] == [7, 1, 7]


def test_the_same_change_by_hand_is_one_event_until_a_day_without_it_has_passed() -> None:
    changes = [change("mtu", 9000, 1500, host=f"esx-{number}", minutes=600 * number) for number in range(4)]
    changes.append(change("mtu", 9000, 1500, host="esx-9", minutes=600 * 3 + 25 * 60))
    changes.append(change("mtu", 9000, 1400, host="esx-10"))
    assert sorted(len(event.changes) for event in events_of(changes)) == [1, 1, 4]


def test_what_a_plan_of_ours_did_is_one_event_however_long_it_ran() -> None:
    detail = "plan 7, requested by operator"
    changes = [change("mtu", 1500, 9000, host=f"esx-{n}", minutes=3000 * n, cause="our_job", detail=detail, job_id=n) for n in range(3)]
    (event,) = events_of(changes)
    assert {each.job_id for each in event.changes} == {0, 1, 2}


def test_items_that_are_gone_are_one_event_of_their_host() -> None:
    lost = [
        change(key, old, None, host=host, subject=f"volume/{volume}")
        for host in ("a", "b")
        for volume in ("v1", "v2")
        for key, old in (("name", 1), ("policy", 2), ("size_bytes", 3))
    ]
    events = events_of([*lost, change("mtu", 9000, 1500, host="a")])
    assert [(event.is_gone, len(event.changes)) for event in events if event.is_gone] == [(True, 6), (True, 6)]


def test_the_given_weight_chooses_the_headline() -> None:
    first, second = change("mtu", 9000, 1500), change("flow_control", 1, 0)
    assert events_of([first, second])[0].headline.key == "flow_control"
    assert events_of([first, second], weights={first.id: 0})[0].headline.key == "mtu"


logged = st.builds(
    change,
    key=st.sampled_from(["link_up", "mtu", "flow_control", "driver_version", "paths_healthy", "name", "nonsense"]),
    old=st.sampled_from([None, True, False, 1, 2]),
    new=st.sampled_from([None, True, False, 1, 2]),
    host=st.sampled_from(["a", "b", "c"]),
    subject=st.sampled_from(["adapter/x", "adapter/y", "volume/v", "host/"]),
    minutes=st.integers(0, 10_000),
    cause=st.sampled_from(["unknown", "reboot", "our_job", "driver_update", "os_update"]),
    detail=st.sampled_from(["", "one", "two"]),
)


@given(st.lists(logged, max_size=40), st.randoms())
def test_events_partition_changes_whatever_their_order(changes: list[LoggedChange], random: object) -> None:
    events = events_of(changes)
    assert sorted(each.id for event in events for each in event.changes) == sorted(each.id for each in changes)
    for event in events:
        assert sorted(each.id for members in event.effects for each in members) == [each.id for each in sorted(event.changes)]
        assert {each.cause for each in event.changes} == {event.cause}
        assert {each.cause_detail for each in event.changes} == {event.cause_detail}
    mixed = list(changes)
    random.shuffle(mixed)  # type: ignore[attr-defined]
    assert events_of(mixed) == events
