"""A time without check-ins is recorded once a host is late, and ended by its next check-in, through the real door."""

from datetime import datetime, timedelta

from sqlmodel import select, text

from faults.sending import Sender
from plumbline.checkin.gaps import record_gaps
from plumbline.infra.database import session_scope
from plumbline.models.check_ins import CheckInGap
from plumbline.models.hosts import Host
from tests.checkin.conftest import Served, host_of


def sweep() -> tuple[int, int]:
    with session_scope() as session:
        return record_gaps(session)


def gaps() -> list[CheckInGap]:
    with session_scope() as session:
        return list(session.exec(select(CheckInGap).order_by(text("began_at"))))


def set_host(sender: Sender, **values: object) -> None:
    with session_scope() as session:
        host = session.get_one(Host, sender.host_id)
        for name, value in values.items():
            setattr(host, name, value)


def check_in(served: Served, sender: Sender) -> datetime:
    assert sender.send(served.client).status_code == 200
    seen = host_of(sender).last_seen_at
    assert seen is not None
    return seen


def test_a_gap_begins_with_the_last_check_in_and_ends_with_the_next(served: Served, sender: Sender) -> None:
    check_in(served, sender)
    assert sweep() == (0, 0)
    long_ago = check_in(served, sender) - timedelta(seconds=1900)
    set_host(sender, last_seen_at=long_ago)
    assert sweep() == (1, 0)
    assert sweep() == (0, 0), "recorded already"
    assert [(gap.began_at, gap.interval_seconds, gap.ended_at) for gap in gaps()] == [(long_ago, 900, None)]
    back = check_in(served, sender)
    assert sweep() == (0, 1)
    assert [(gap.began_at, gap.ended_at) for gap in gaps()] == [(long_ago, back)]
    # The next gap is another one.
    set_host(sender, last_seen_at=back - timedelta(seconds=1900))
    assert sweep() == (1, 0)
    assert len(gaps()) == 2


def test_a_gap_that_began_and_ended_between_two_runs_is_not_known(served: Served, sender: Sender) -> None:
    check_in(served, sender)
    set_host(sender, last_seen_at=host_of(sender).enrolled_at - timedelta(hours=3))
    check_in(served, sender)
    assert sweep() == (0, 0)
    assert gaps() == []


def test_a_host_that_is_not_expected_to_check_in_is_not_late(served: Served, sender: Sender) -> None:
    seen = check_in(served, sender)
    set_host(sender, last_seen_at=seen - timedelta(hours=2))
    assert sweep() == (1, 0)
    set_host(sender, state="retired")
    assert sweep() == (0, 1)
    assert gaps()[0].ended_at is not None
    # It is late again as soon as it is expected again: the same time, which has not ended after all.
    set_host(sender, state="active")
    assert sweep() == (1, 0)
    assert [gap.ended_at for gap in gaps()] == [None]
    set_host(sender, source="bundle")
    assert sweep() == (0, 1)
    # A host that never checked in has no last check-in to count from.
    set_host(sender, source="agent", last_seen_at=None)
    assert sweep() == (0, 0)
