"""Charts and the fleet's symptoms through the API: who may, what is refused, what is exported, what it costs."""

import csv
import io

import pytest

from plumbline.infra.database import session_scope
from plumbline.performance.hours import fold_hours
from tests.api.conftest import Ask
from tests.api.test_counts import counted
from tests.api.world import World
from tests.performance.counted import count_up

RATES = {("host/", "tcp_segments_sent"): 1000.0, ("host/", "tcp_segments_retransmitted"): 4.0}


@pytest.fixture(scope="module")
def counting(world: World) -> World:
    """The world with counters of three hosts."""
    with session_scope() as session:
        for name in ("sql-01", "sql-02", "lab-01"):
            count_up(session, world.hosts[name], rates=RATES)
    for _ in range(3):
        with session_scope() as session:
            fold_hours(session)
    return world


def test_whoever_may_read_a_host_sees_its_charts(ask: Ask, counting: World) -> None:
    host, other = counting.hosts["sql-01"], counting.hosts["lab-01"]
    for login in ("viewer", "operator", "approver", "admin", "prod-viewer"):
        answer = ask(login, "GET", "/performance/charts", params={"host": [host], "hours": 6})
        assert answer.status_code == 200, answer.text
        assert answer.json()["series"][0]["statistics"]["mean"] == pytest.approx(0.4)
    assert ask("prod-viewer", "GET", "/performance/charts", params={"host": [other]}).status_code == 404
    both = ask("prod-viewer", "GET", "/performance/charts", params={"host": [host, other]}).json()
    assert [each["name"] for each in both["hosts"]] == ["sql-01"]
    assert ask("nobody", "GET", "/performance/charts", params={"host": [host]}).status_code == 403
    assert ask("", "GET", "/performance/charts", params={"host": [host]}).status_code == 401


def test_the_fleet_is_that_of_the_scope(ask: Ask, counting: World) -> None:
    whole = ask("viewer", "GET", "/performance/fleet").json()
    assert {cell["label"] for cell in whole["cells"]} >= {"SQL", "LAB"}
    assert next(cell for cell in whole["cells"] if cell["label"] == "SQL")["symptoms"] == ["retransmits"]
    prod = ask("prod-viewer", "GET", "/performance/fleet").json()
    assert "LAB" not in {cell["label"] for cell in prod["cells"]}
    assert ask("prod-viewer", "GET", "/performance/fleet", params={"group": counting.groups["lab"]}).status_code == 404
    hosts = ask("viewer", "GET", "/performance/fleet", params={"cluster": "SQL"}).json()
    assert (hosts["by"], {cell["label"] for cell in hosts["cells"]}) == ("host", {"sql-01", "sql-02"})


@pytest.mark.parametrize(
    ("params", "says"),
    [
        ({}, "at least one host"),
        ({"host": ["x"]}, "host"),
        ({"host": ["HOST"], "hours": 0}, "hours"),
        ({"host": ["HOST"], "compare": "month"}, "compare"),
        ({"host": ["HOST"], "from": "yesterday"}, "from"),
        ({"host": ["HOST"], "from": "2026-03-02T00:00:00Z", "to": "2026-03-01T00:00:00Z"}, "ends before it begins"),
        ({"series": ["no-host:cpu"]}, "series"),
        ({"series": [f"{number:032x}~host/:cpu_percent" for number in range(9)]}, "series"),
    ],
)
def test_bad_input_is_refused_and_named(ask: Ask, counting: World, params: dict[str, object], says: str) -> None:
    filled = {key: [counting.hosts["sql-01"]] if value == ["HOST"] else value for key, value in params.items()}
    answer = ask("viewer", "GET", "/performance/charts", params=filled)
    assert answer.status_code == 422
    assert says in answer.text


def test_a_job_of_another_host_is_not_found(ask: Ask, counting: World) -> None:
    answer = ask("viewer", "GET", "/performance/charts", params={"host": [counting.hosts["sql-01"]], "compare": "job:999"})
    assert answer.status_code == 404
    assert answer.json()["detail"] == "Job 999 is not a job of the hosts in these charts."


def test_a_series_that_is_not_there_leaves_the_usual_ones(ask: Ask, counting: World) -> None:
    host = counting.hosts["sql-01"]
    answer = ask("viewer", "GET", "/performance/charts", params={"series": [f"{host}~volume/gone:reads"]}).json()
    assert [line["name"] for line in answer["series"]] == ["tcp_retransmit_percent"]


def test_the_file_has_the_figures_of_the_chart(ask: Ask, counting: World) -> None:
    filters = {"host": [counting.hosts["sql-01"]], "hours": 6, "compare": "peers"}
    shown = ask("viewer", "GET", "/performance/charts", params=filters).json()
    answer = ask("viewer", "GET", "/exports/performance/charts.csv", params=filters)
    assert answer.status_code == 200
    rows = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
    (line,) = shown["series"]
    assert abs(len(rows) - len(line["values"])) <= 1
    assert {row["host"] for row in rows} == {"sql-01"}
    assert {float(row["mean"]) for row in rows if row["mean"]} == {value for value in line["values"] if value is not None}
    assert {row["compared_mean"] for row in rows} != {""}
    assert ask("prod-operator", "GET", "/exports/performance/charts.csv", params=filters).status_code == 403


def test_the_fleet_costs_the_same_for_any_range(ask: Ask, counting: World) -> None:
    costs = []
    for params in ({}, {"hours": 720}, {"by": "host"}, {"cluster": "SQL", "sort": "latency"}):
        with counted() as seen:
            assert ask("viewer", "GET", "/performance/fleet", params=params).status_code == 200
        costs.append(len(seen))
    assert max(costs) <= 7
