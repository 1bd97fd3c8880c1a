"""Which hosts were not reporting at an instant: those that did not check in since, and those that did after a long enough gap."""

from datetime import datetime, timedelta

import pytest
from sqlmodel import Session, text

from plumbline.evaluation.reevaluate import raw_connection
from plumbline.infra.database import session_scope
from plumbline.models.check_ins import CheckInGap
from plumbline.models.hosts import Host
from plumbline.previews.hosts_as_of import hosts_at
from tests.api.world import World


@pytest.fixture(scope="module")
def now(world: World) -> datetime:
    """Now; `sql-02` had no check-in from ten hours ago to five hours ago, and an hour ago checked in late."""
    with session_scope() as session:
        moment: datetime = session.execute(text("SELECT now()")).scalar_one()
        host = session.get_one(Host, world.hosts["sql-02"])
        host.enrolled_at = host.approved_at = moment - timedelta(days=3)
        for began, ended in ((10.0, 5.0), (1.5, 1.0)):
            gap = {"host_id": host.id, "interval_seconds": 900, "noticed_at": moment}
            session.add(CheckInGap(**gap, began_at=moment - timedelta(hours=began), ended_at=moment - timedelta(hours=ended)))
        host.last_seen_at = moment
        return moment


def is_silent(session: Session, host_id: str, at: datetime) -> bool:
    [host] = hosts_at(raw_connection(session), at, path="", ids=[host_id])
    return host.is_silent


@pytest.mark.parametrize(
    ("hours_ago", "expected"),
    # Four intervals of a quarter of an hour after the last check-in it counts as not reporting, until the next one.
    [(11.0, False), (9.5, False), (8.9, True), (5.1, True), (4.9, False), (1.2, False), (0.0, False)],
)
def test_a_host_was_not_reporting_in_a_gap_that_was_long_enough(world: World, now: datetime, hours_ago: float, expected: bool) -> None:
    with session_scope() as session:
        assert is_silent(session, world.hosts["sql-02"], now - timedelta(hours=hours_ago)) is expected


def test_a_gap_that_has_not_ended_goes_on(world: World, now: datetime) -> None:
    with session_scope() as session:
        host_id = world.hosts["sql-01"]
        session.add(CheckInGap(host_id=host_id, began_at=now - timedelta(hours=3), interval_seconds=900, noticed_at=now))
        session.flush()
        assert is_silent(session, host_id, now - timedelta(hours=1)) is True
        session.rollback()
