"""Hours of hosts and of clusters, and the fleet's charts that are drawn from them."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlmodel import Session, text

from plumbline.auth.actor import Actor, Grant
from plumbline.infra.errors import NotFound
from plumbline.performance.fleet_charts import read_fleet_charts
from plumbline.performance.hours import fold_hours
from plumbline.performance.schemas import FleetCharts
from tests.api.world import add_group, add_host
from tests.performance.counted import count_up

READER = Actor(1, "ana", grants=(Grant("viewer", 1, "1/"),))
BAD = {
    ("host/", "tcp_segments_sent"): 1000.0,
    ("host/", "tcp_segments_retransmitted"): 4.7,
    ("adapter/0010180000a1", "packets_received"): 900.0,
    ("adapter/0010180000a1", "packets_sent"): 100.0,
    ("adapter/0010180000a1", "drops_received"): 1.0,
    ("volume/naa.1", "read_bytes"): 1e6,
    ("volume/naa.1", "reads"): 100.0,
    ("volume/naa.1", "read_time_us"): 250_000.0,
}
GOOD = {("host/", "tcp_segments_sent"): 1000.0, ("host/", "tcp_segments_retransmitted"): 0.1}


def _fold_all(session: Session) -> None:
    for _ in range(10):
        fold_hours(session)


def _charts(session: Session, **more: object) -> FleetCharts:
    wanted: dict[str, object] = {"by": "cluster", "group_id": None, "cluster": None, "hours": 6, "sort": "wrong", **more}
    return read_fleet_charts(session, actor=READER, **wanted)  # type: ignore[arg-type]


@pytest.fixture
def fleet(session: Session) -> dict[str, str]:
    """A cluster with one bad and one good host, and a good host without a cluster."""
    hosts = {
        "bad": add_host(session, "sql-01", group_id=1, cluster="SQL"),
        "good": add_host(session, "sql-02", group_id=1, cluster="SQL"),
        "alone": add_host(session, "web-01", group_id=1),
    }
    count_up(session, hosts["bad"], rates=BAD)
    count_up(session, hosts["good"], rates=GOOD)
    count_up(session, hosts["alone"], rates=GOOD, gauges={("host/", "cpu_percent"): 42.0})
    _fold_all(session)
    return hosts


def test_an_hour_holds_what_was_counted_in_it(session: Session, fleet: dict[str, str]) -> None:
    now: datetime = session.execute(text("SELECT now()")).scalar_one()
    hour = now.astimezone(UTC).replace(minute=0, second=0, microsecond=0) - timedelta(hours=2)
    row = session.execute(text("SELECT * FROM counter_hour WHERE host_id = :host AND hour = :hour"), {"host": fleet["bad"], "hour": hour})
    found = row.mappings().one()
    assert found["seconds"] == pytest.approx(3600)
    assert found["segments"] == pytest.approx(3_600_000)
    assert found["retransmitted"] == pytest.approx(16_920)
    assert (found["packets"], found["drops"]) == (pytest.approx(3_600_000), pytest.approx(3600))
    # 250,000 µs in 100 reads a second.
    assert found["latency_us"] == pytest.approx(2500)
    assert found["pauses"] is None
    assert found["restarted_at"] is None


def test_folding_again_changes_nothing_and_late_hours_are_caught_up(session: Session, fleet: dict[str, str]) -> None:
    everything = text("SELECT hour, host_id, segments, drops, latency_us FROM counter_hour ORDER BY hour, host_id")
    before = session.execute(everything).all()
    assert len({row.hour for row in before}) in (6, 7)
    fold_hours(session)
    assert session.execute(everything).all() == before
    sums = session.execute(text("SELECT sum(segments) FROM counter_group_hour")).scalar_one()
    assert sums == pytest.approx(session.execute(text("SELECT sum(segments) FROM counter_hour")).scalar_one())


def test_a_restart_is_kept_with_its_time_and_adds_no_traffic(session: Session) -> None:
    host = add_host(session, "sql-01", group_id=1)
    now = count_up(session, host, rates=GOOD, restarted_at_step=8)
    _fold_all(session)
    restarts = session.execute(text("SELECT restarted_at FROM counter_hour WHERE restarted_at IS NOT NULL")).scalars().all()
    assert [round((now - at).total_seconds()) for at in restarts] == [8 * 900 + 120]
    assert session.execute(text("SELECT max(segments / seconds) FROM counter_hour WHERE seconds > 0")).scalar_one() == pytest.approx(1000)


def test_the_worst_cluster_comes_first_and_says_why(session: Session, fleet: dict[str, str]) -> None:
    answer = _charts(session)
    assert [(cell.kind, cell.label, cell.hosts) for cell in answer.cells] == [("cluster", "SQL", 2), ("group", "All hosts", 1)]
    worst, alone = answer.cells
    assert worst.symptoms == ["retransmits", "drops"]
    assert alone.symptoms == []
    figures = {figure.name: figure for figure in worst.figures}
    # 4.7 and 0.1 of 1,000 each.
    assert figures["retransmits"].mean == pytest.approx(0.24)
    assert figures["drops"].highest == pytest.approx(0.1)
    assert figures["throughput"].mean == pytest.approx(1e6, rel=0.02)
    assert figures["pauses"].mean is None
    assert len(figures["retransmits"].values) == 6
    assert next(figure for figure in alone.figures if figure.name == "cpu").mean == 42.0


def test_a_cluster_opens_to_its_hosts(session: Session, fleet: dict[str, str]) -> None:
    answer = _charts(session, cluster="SQL")
    assert answer.by == "host"
    assert [(cell.label, cell.key, cell.symptoms) for cell in answer.cells] == [
        ("sql-01", f"host:{fleet['bad']}", ["retransmits", "drops"]),
        ("sql-02", f"host:{fleet['good']}", []),
    ]
    assert [cell.label for cell in _charts(session, by="host", sort="name").cells] == ["sql-01", "sql-02", "web-01"]


def test_a_host_that_never_sent_counters_is_shown_without_figures(session: Session, fleet: dict[str, str]) -> None:
    add_host(session, "new-01", group_id=1, cluster="NEW")
    cell = next(cell for cell in _charts(session).cells if cell.label == "NEW")
    assert (cell.hosts, cell.hosts_reporting, cell.symptoms) == (1, 0, [])
    assert all(figure.mean is None for figure in cell.figures)


def test_what_is_outside_the_scope_is_not_there(session: Session, fleet: dict[str, str]) -> None:
    inner = add_group(session, "PROD")
    prod = Actor(
        2, "ben", grants=(Grant("viewer", inner, session.execute(text(f"SELECT path FROM host_group WHERE id = {inner}")).scalar_one()),)
    )
    answer = read_fleet_charts(session, actor=prod, by="cluster", group_id=None, cluster=None, hours=6, sort="wrong")
    assert answer.cells == []
    with pytest.raises(NotFound):
        read_fleet_charts(session, actor=prod, by="cluster", group_id=1, cluster=None, hours=6, sort="wrong")


@pytest.mark.parametrize(("hours", "steps"), [(1, 1), (6, 6), (48, 48), (168, 42), (720, 48)])
def test_small_charts_have_at_most_48_steps(session: Session, fleet: dict[str, str], hours: int, steps: int) -> None:
    answer = _charts(session, hours=hours)
    assert {len(figure.values) for cell in answer.cells for figure in cell.figures} == {steps}
