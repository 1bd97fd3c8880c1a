"""Charts of hosts: exact spans, common steps, comparisons, marks and reference figures."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import event
from sqlmodel import Session, text

from plumbline.auth.actor import Actor, Grant
from plumbline.infra.errors import NotFound
from plumbline.models.findings import FleetEvent
from plumbline.performance.charts import BadRange, ChartRequest, read_charts
from plumbline.performance.fold import fold_counters
from plumbline.performance.hours import fold_hours
from plumbline.performance.schemas import Charts
from tests.api.world import add_change, add_group, add_host, first_samples
from tests.performance.counted import count_up

READER = Actor(1, "ana", grants=(Grant("viewer", 1, "1/"),))
RETRANSMITS = "host/:tcp_retransmit_percent"


def _charts(session: Session, *hosts: str, **more: object) -> Charts:
    return read_charts(session, actor=READER, request=ChartRequest(hosts=hosts, **more))  # type: ignore[arg-type]


def _rates(percent: float) -> dict[tuple[str, str], float]:
    return {("host/", "tcp_segments_sent"): 1000.0, ("host/", "tcp_segments_retransmitted"): 10 * percent}


@pytest.mark.parametrize("hours", [6, 48, 168])
def test_a_range_spans_what_was_requested_whatever_there_is(session: Session, hours: int) -> None:
    host = add_host(session, "sql-01", group_id=1)
    count_up(session, host, rates=_rates(0.4), hours=3)
    answer = _charts(session, host, hours=hours)
    assert answer.to - answer.from_ == timedelta(hours=hours)
    assert answer.starts_at <= answer.from_ < answer.starts_at + timedelta(seconds=answer.step_seconds)
    (line,) = answer.series
    assert line.id == f"{host}~{RETRANSMITS}"
    end = answer.starts_at + timedelta(seconds=answer.step_seconds * len(line.values))
    assert end - timedelta(seconds=answer.step_seconds) < answer.to <= end
    known = [value for value in line.values if value is not None]
    assert {round(value, 5) for value in known} == {0.4}
    assert len(known) * answer.step_seconds == pytest.approx(3 * 3600, abs=2 * answer.step_seconds)
    assert line.statistics.mean == pytest.approx(0.4)


def test_thirty_days_of_eight_series_have_at_most_a_thousand_steps_and_say_that_they_are_means(session: Session) -> None:
    hosts = [add_host(session, f"sql-{number:02}", group_id=1) for number in range(8)]
    for host in hosts:
        count_up(session, host, rates=_rates(0.4), hours=72, minutes=60)
    fold_counters(session)
    answer = _charts(session, *hosts, hours=720)
    assert len(answer.series) == 8
    assert all(len(line.values) <= 1000 for line in answer.series)
    assert answer.step_seconds == 3600
    assert _charts(session, *hosts, hours=24 * 365).is_downsampled
    assert [line.label for line in answer.series][:2] == ["sql-00 TCP retransmits", "sql-01 TCP retransmits"]
    assert all(len(line.values) == len(answer.series[0].values) for line in answer.series)


def test_the_week_before_is_on_the_same_steps(session: Session) -> None:
    host = add_host(session, "sql-01", group_id=1)
    count_up(session, host, rates=_rates(0.4), hours=24 * 9, minutes=60)
    fold_counters(session)
    answer = _charts(session, host, hours=24, compare="week")
    comparison = answer.comparison
    assert comparison is not None
    assert (comparison.label, comparison.shift_seconds, comparison.note) == ("the week before", 7 * 86_400, "")
    (line,) = comparison.lines
    assert line.id == answer.series[0].id
    assert len(line.values) == len(answer.series[0].values)
    assert line.statistics.mean == pytest.approx(0.4)
    nothing = _charts(session, host, hours=24 * 9, compare="week").comparison
    assert nothing is not None
    assert nothing.lines[0].statistics.readings < 60


def test_peers_are_those_of_the_cluster_and_of_no_other(session: Session) -> None:
    hosts = {
        name: add_host(session, name, group_id=1, cluster="SQL" if name < "t" else "WEB") for name in ("sql-1", "sql-2", "sql-3", "web-1")
    }
    for percent, host in enumerate(hosts.values(), start=1):
        count_up(session, host, rates=_rates(percent))
    comparison = _charts(session, hosts["sql-1"], compare="peers").comparison
    assert comparison is not None
    (line,) = comparison.lines
    assert line.label == "TCP retransmits, mean of 2 peers in SQL"
    assert line.statistics.mean == pytest.approx(2.5)
    alone = _charts(session, hosts["web-1"], compare="peers").comparison
    assert alone is not None
    assert (alone.lines, alone.note) == ([], "No other host of the cluster or group reports these counters.")


def test_limits_and_figures_of_the_papers_come_with_their_source(session: Session) -> None:
    host = add_host(session, "sql-01", group_id=1)
    count_up(session, host, rates=_rates(0.4))
    (reference,) = _charts(session, host).references
    assert (reference.value, reference.is_limit) == (0.11, True)
    assert "BP1057 §4.2.4" in reference.source


def test_latency_is_made_of_the_time_that_operations_took(session: Session) -> None:
    host = add_host(session, "esx-01", group_id=1)
    volume = "volume/naa.600"
    count_up(session, host, rates={(volume, "reads"): 200.0, (volume, "read_time_us"): 300_000.0})
    (given,) = _charts(session, host).hosts
    assert {choice.name for choice in given.choices} == {"reads", "read_latency_us"}
    (line,) = _charts(session, series=[f"{host}~{volume}:read_latency_us"]).series
    assert line.unit == "µs"
    assert line.statistics.mean == pytest.approx(1500)


def test_what_a_platform_does_not_give_is_said(session: Session) -> None:
    host = add_host(session, "sql-01", group_id=1)
    count_up(session, host)
    (given,) = _charts(session, host).hosts
    assert given.not_given == ["Windows has no counter of pause frames. Only the tool of the adapter's vendor shows them."]


def test_marks_say_what_happened_and_lead_to_it(session: Session) -> None:
    windows, _ = first_samples()
    host = add_host(session, "sql-01", group_id=1, sample=windows)
    now = count_up(session, host, restarted_at_step=8)
    for _ in range(3):
        fold_hours(session)
    add_change(session, host, ("adapter", "001018aabb01"), "mtu", 9000, 1500, cause="driver_update", received_at=now - timedelta(hours=1))
    session.add(FleetEvent(kind="pack_activated", label="dell-esxi55 1.2.0", at=now - timedelta(minutes=30)))
    session.flush()
    marks = _charts(session, host).marks
    assert [(mark.kind, mark.href) for mark in marks] == [
        ("restart", f"/hosts/{host}?tab=timeline"),
        ("driver", f"/hosts/{host}?tab=timeline"),
        ("pack", "/packs"),
    ]
    assert marks[0].at.replace(microsecond=0) == (now - timedelta(minutes=122)).astimezone(UTC).replace(microsecond=0)
    assert "→" in marks[1].label
    assert marks[2].label == "Rules of dell-esxi55 1.2.0 active"


def test_hosts_outside_the_scope_are_not_there(session: Session) -> None:
    inner = add_group(session, "PROD")
    path = session.execute(text("SELECT path FROM host_group WHERE id = :id"), {"id": inner}).scalar_one()
    mine, other = add_host(session, "sql-01", group_id=inner), add_host(session, "web-01", group_id=1)
    for host in (mine, other):
        count_up(session, host)
    prod = Actor(2, "ben", grants=(Grant("viewer", inner, path),))
    answer = read_charts(session, actor=prod, request=ChartRequest(hosts=[mine, other]))
    assert [host.name for host in answer.hosts] == ["sql-01"]
    assert {line.host_id for line in answer.series} == {mine}
    with pytest.raises(NotFound):
        read_charts(session, actor=prod, request=ChartRequest(hosts=[other]))


def test_bad_ranges_and_jobs_are_refused_with_what_to_do(session: Session) -> None:
    host = add_host(session, "sql-01", group_id=1)
    count_up(session, host)
    at = datetime(2026, 3, 1, tzinfo=UTC)
    with pytest.raises(BadRange, match="ends before it begins"):
        _charts(session, host, since=at, until=at)
    with pytest.raises(BadRange, match="longer than"):
        _charts(session, host, since=at - timedelta(days=800), until=at)
    with pytest.raises(NotFound, match="Job 7 is not a job"):
        _charts(session, host, compare="job:7")
    assert _charts(session, host, since=at, until=at + timedelta(hours=2)).series[0].statistics.readings == 0


def _statements(session: Session, *hosts: str, **more: object) -> int:
    seen: list[str] = []

    def note(_c: object, _cursor: object, statement: str, *_: object) -> None:
        seen.append(statement)

    engine = session.get_bind()
    event.listen(engine, "before_cursor_execute", note)
    try:
        _charts(session, *hosts, **more)
    finally:
        event.remove(engine, "before_cursor_execute", note)
    return len(seen)


@pytest.mark.parametrize(("compare", "most"), [("", 11), ("week", 13), ("peers", 16)])
def test_the_number_of_queries_grows_neither_with_hosts_nor_with_the_range(session: Session, compare: str, most: int) -> None:
    hosts = [add_host(session, f"sql-{number:02}", group_id=1, cluster="SQL") for number in range(10)]
    for host in hosts:
        count_up(session, host, hours=72, minutes=60)
    fold_counters(session)
    session.flush()
    session.expunge_all()
    one = _statements(session, hosts[0], hours=720, compare=compare)
    eight = _statements(session, *hosts[:8], hours=720, compare=compare)
    assert one == eight <= most
