"""Summaries of hosts follow every change of a host or its baseline, and counts by them are the counts of the rows."""

from dataclasses import replace
from typing import Any

import pytest
from sqlmodel import Session, text

from plumbline.auth.actor import Actor, Grant
from plumbline.auth.scope import scope_of_group
from plumbline.checkin.gaps import record_gaps
from plumbline.core.freshness import LATE_NOTED_AHEAD_SECONDS, LATE_NOTED_FOR_SECONDS
from plumbline.fleet.host_counts import read_host_counts
from plumbline.hosts.facet_counts import Counting
from plumbline.hosts.facets import facets_of
from plumbline.hosts.filters import HostFilters, HostListing
from plumbline.hosts.host_list import list_hosts
from plumbline.hosts.kept_counts import fold_counts
from plumbline.hosts.summary_counts import are_late_hosts_noted
from plumbline.hosts.verify_summaries import wrong_summaries
from tests.hosts.random_fleet import INTERVAL, Fleet

ADMIN = Actor(1, "admin", grants=(Grant("admin", 1, "1/"),))
# Known hosts, those up to date, those not reporting, and the sum of scores, by the rows.
BY_ROWS = """
SELECT count(*) AS known, sum(score) AS scores,
  count(*) FILTER (WHERE source <> 'bundle' AND last_seen_at >= now() - 2 * interval_seconds * interval '1 second') AS fresh,
  count(*) FILTER (WHERE source <> 'bundle' AND (last_seen_at IS NULL OR last_seen_at < now() - 4 * interval_seconds * interval '1 second'))
    AS silent
FROM host WHERE state IN ('active', 'quarantined')
"""


@pytest.fixture(params=range(3))
def fleet(session: Session, request: pytest.FixtureRequest) -> Fleet:
    return Fleet(session, request.param)


def test_a_summary_follows_every_change(fleet: Fleet) -> None:
    assert wrong_summaries(fleet.session) == []
    for _ in range(120):
        fleet.change()
        assert wrong_summaries(fleet.session) == []
    assert fleet.session.execute(text("SELECT count(*) FROM host_summary")).scalar_one() == len(fleet.hosts)
    fleet.session.execute(text("DELETE FROM host_baseline"))
    fleet.session.execute(text("DELETE FROM host WHERE id = :id"), {"id": fleet.hosts[0]})
    assert fleet.session.execute(text("SELECT count(*) FROM host_summary")).scalar_one() == len(fleet.hosts) - 1


def test_a_summary_that_is_wrong_is_found(fleet: Fleet) -> None:
    fleet.session.execute(text("UPDATE host_summary SET n_fail = n_fail + 1 WHERE host_id = :id"), {"id": fleet.hosts[3]})
    fleet.session.execute(text("DELETE FROM host_summary WHERE host_id = :id"), {"id": fleet.hosts[5]})
    assert wrong_summaries(fleet.session) == [fleet.hosts[3], fleet.hosts[5]]


@pytest.mark.parametrize("is_noted", [True, False])
def test_facets_by_summaries_are_those_of_the_rows(fleet: Fleet, is_noted: bool) -> None:
    for _ in range(60):
        fleet.change()
        if is_noted:
            record_gaps(fleet.session)
        if fleet.pick.random() < 0.3:
            fold_counts(fleet.session)
        assert are_late_hosts_noted(fleet.session) == is_noted
        actor, filters = fleet.actor(), fleet.filters()
        counting, by_summary, by_rows = (Counting(fleet.session, actor, filters) for _ in range(3))
        assert counting.is_by_summary
        by_summary.is_by_count = False
        by_rows.is_by_summary = False
        of_rows = facets_of(by_rows)
        assert facets_of(by_summary) == of_rows, filters
        assert facets_of(counting) == of_rows, filters
        fleet.roll_up()
        listed = list_hosts(fleet.session, actor=actor, listing=HostListing(**filters.model_dump(), limit=500))
        assert listed.total == len(listed.items)
        assert counting.clusters("cl") == by_rows.clusters("cl")
    named = Counting(fleet.session, fleet.actor(), HostFilters(q="host-1"))
    assert not named.is_by_summary


def test_the_overview_counts_the_same_whether_late_hosts_are_noted_or_not(fleet: Fleet) -> None:
    assert not are_late_hosts_noted(fleet.session)
    whole = scope_of_group(fleet.session, actor=ADMIN, group_id=1)
    # As if there were one more group that this person may not read.
    before = read_host_counts(fleet.session, replace(whole, nodes={**whole.nodes, 0: whole.group}))
    record_gaps(fleet.session)
    assert are_late_hosts_noted(fleet.session)
    assert fold_counts(fleet.session)
    assert read_host_counts(fleet.session, whole) == before
    below = read_host_counts(fleet.session, scope_of_group(fleet.session, actor=ADMIN, group_id=fleet.groups[2]))
    assert 0 < below.known < before.known
    rows = fleet.session.execute(text(BY_ROWS)).one()
    assert (before.known, before.fresh, before.silent) == (rows.known, rows.fresh, rows.silent)
    assert sum(score * hosts for score, hosts in before.scores.items()) == rows.scores
    assert 0 < before.fresh < before.known
    assert before.silent


def candidates(session: Session) -> set[str]:
    return set(session.execute(text("SELECT host_id FROM host_summary WHERE may_be_late")).scalars())


def test_only_hosts_that_may_be_late_are_noted_and_in_time(fleet: Fleet) -> None:
    session = fleet.session
    assert candidates(session) == set(fleet.hosts), "of a new host nothing is known"
    assert LATE_NOTED_AHEAD_SECONDS > LATE_NOTED_FOR_SECONDS + 15, "a run that is late by one round, and the time that a count takes"
    session.execute(text("UPDATE host SET last_seen_at = now(), interval_seconds = :interval"), {"interval": INTERVAL})
    late, soon, later = fleet.hosts[:3]
    for host, before in ((late, -1), (soon, LATE_NOTED_AHEAD_SECONDS - 1), (later, LATE_NOTED_AHEAD_SECONDS + 1)):
        session.execute(
            text("UPDATE host SET last_seen_at = now() - make_interval(secs => :age) WHERE id = :id"),
            {"age": 2 * INTERVAL - before, "id": host},
        )
    session.execute(text("UPDATE host SET last_seen_at = NULL WHERE id = :id"), {"id": fleet.hosts[3]})
    record_gaps(session)
    assert candidates(session) == {late, soon, fleet.hosts[3]}
    # Whoever has to check in more often than before may be late at once; a check-in takes the note away with the next run.
    session.execute(text("UPDATE host SET interval_seconds = 60 WHERE id = :id"), {"id": later})
    session.execute(text("UPDATE host SET last_seen_at = now() WHERE id = :id"), {"id": late})
    assert later in candidates(session)
    record_gaps(session)
    assert candidates(session) == {later, soon, fleet.hosts[3]}
    # What no worker looked after for a minute is not used.
    assert are_late_hosts_noted(session)
    session.execute(text("UPDATE installation SET late_hosts_noted_at = now() - interval '61 seconds'"))
    assert not are_late_hosts_noted(session)


def test_a_heartbeat_writes_no_summary(fleet: Fleet) -> None:
    def written() -> list[Any]:
        return list(fleet.session.execute(text("SELECT host_id, xmin, ctid FROM host_summary ORDER BY 1")))

    before = written()
    fleet.session.execute(text("UPDATE host SET last_seen_at = now(), last_seq = last_seq + 1, agent_version = '9'"))
    assert written() == before
