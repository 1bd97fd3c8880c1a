"""The counters of a report are those of the Performance page, step by step, of a group and of a saved view."""

from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from sqlmodel import text

from plumbline.infra.database import session_scope
from plumbline.performance.hours import fold_hours
from plumbline.reports.formats import to_csv
from plumbline.reports.frozen.counters import _step_hours
from plumbline.reports.period import Period
from tests.api.conftest import Ask
from tests.api.world import World
from tests.performance.counted import count_up
from tests.reports.conftest import csv_rows, frozen_now, until

RATES = {
    ("host/", "tcp_segments_sent"): 1000.0,
    ("host/", "tcp_segments_retransmitted"): 4.0,
    ("adapter/0010180000a1", "packets_received"): 900.0,
    ("adapter/0010180000a1", "drops_received"): 0.1,
}


@pytest.fixture(scope="module")
def counting(world: World) -> World:
    """The world with counters of two hosts of one group and one of another."""
    with session_scope() as session:
        for name, share in (("sql-01", 1.0), ("sql-02", 0.5), ("lab-01", 2.0)):
            rates = {key: rate * (share if "retransmitted" in key[1] else 1) for key, rate in RATES.items()}
            count_up(session, world.hosts[name], rates=rates)
        for _ in range(3):
            fold_hours(session)
    return world


def two_days() -> Period:
    """Yesterday and today: steps of an hour, as on the page over 48 hours."""
    today = datetime.now(UTC).date()
    return Period(today - timedelta(days=1), today, "UTC")


def page(ask: Ask, label: str, **where: Any) -> dict[str, dict[str, float]]:
    """Figure -> time -> value of one cell of the Performance page."""
    answer = ask("viewer", "GET", "/performance/fleet", params={"hours": 48, **where}).json()
    (cell,) = [each for each in answer["cells"] if each["label"] == label]
    begins = datetime.fromisoformat(answer["from"])
    return {
        figure["name"]: {
            f"{begins + timedelta(hours=place):%Y-%m-%dT%H:%M:%SZ}": value
            for place, value in enumerate(figure["values"])
            if value is not None
        }
        for figure in cell["figures"]
    }


def check_equal(counters: Mapping[str, Any], shown: Mapping[str, Mapping[str, float]]) -> None:
    assert counters["step_hours"] == 1
    assert [each["name"] for each in counters["figures"]] == ["retransmits", "drops"]
    for name in ("retransmits", "drops"):
        reported = {step["at"]: step[name] for step in counters["steps"] if step[name] is not None}
        assert len(reported) >= 5
        assert reported == pytest.approx(dict(shown[name]))


def test_those_of_a_group_are_the_sums_of_the_page(ask: Ask, counting: World) -> None:
    counters = frozen_now("technical", group_id=counting.groups["lab"], period=two_days())["counters"]
    check_equal(counters, page(ask, "lab-01", by="host", group=counting.groups["lab"]))
    figure = counters["figures"][0]
    assert (figure["label"], figure["mean_words"], figure["limit_words"]) == ("TCP retransmits", "0.8%", "0.11%")
    assert figure["limit_source"] == "Dell BP1057 §4.2.4"


def test_those_of_a_saved_view_are_of_its_hosts_alone(ask: Ask, counting: World) -> None:
    counters = frozen_now("technical", period=two_days(), filters={"q": "sql-02"}, view_name="mine")["counters"]
    check_equal(counters, page(ask, "sql-02", cluster="SQL"))
    assert counters["figures"][0]["mean_words"] == "0.2%"
    assert {step["hosts"] for step in counters["steps"]} == {1.0}


def test_a_period_without_counters_says_so(counting: World) -> None:
    empty = frozen_now("technical", period=until(date(2026, 6, 30)))
    assert (empty["counters"]["figures"], empty["counters"]["steps"]) == ([], [])
    assert empty["counters"]["words"] == "No host sent counters in this period."
    view = frozen_now("technical", period=until(date(2026, 6, 30)), filters={"q": "sql-02"}, view_name="mine")
    assert "last 31 days" in view["counters"]["words"]
    assert csv_rows(to_csv(empty))["counters"] == []


def test_the_table_has_every_step(counting: World) -> None:
    data = frozen_now("technical", period=two_days())
    rows = csv_rows(to_csv(data))["counters"]
    assert [row["at"] for row in rows] == [step["at"] for step in data["counters"]["steps"]]
    assert [float(row["retransmits"]) for row in rows] == pytest.approx([step["retransmits"] for step in data["counters"]["steps"]])


def test_two_hosts_are_one_sum(counting: World) -> None:
    # 4 and 2 of 1,000 segments on each.
    counters = frozen_now("technical", group_id=counting.groups["prod"], period=two_days())["counters"]
    with session_scope() as session:
        folded = session.execute(
            text("SELECT count(DISTINCT host_id) FROM counter_hour WHERE host_id = ANY(:hosts)"),
            {"hosts": [counting.hosts["sql-01"], counting.hosts["sql-02"]]},
        ).scalar_one()
    assert folded == 2
    assert counters["figures"][0]["mean"] == pytest.approx(0.3)


@pytest.mark.parametrize(
    ("hours", "step"), [(1, 1), (48, 1), (101, 2), (24 * 7, 2), (24 * 31, 8), (24 * 90, 24), (24 * 366, 96), (24 * 800, 336)]
)
def test_a_chart_has_at_most_a_hundred_steps(hours: int, step: int) -> None:
    assert _step_hours(hours) == step
