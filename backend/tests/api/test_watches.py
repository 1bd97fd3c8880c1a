"""Watches as people start, see and stop them: who may, what is refused and why, what stands in the audit log."""

from typing import Any

import pytest
from sqlmodel import text

from plumbline.infra.database import session_scope
from tests.api.conftest import Ask
from tests.api.test_acts import acts
from tests.api.test_collection import collected, credential, show
from tests.api.test_counts import counted
from tests.api.world import World

SHOWN = "SHA256:" + "a" * 43


@pytest.fixture(scope="module")
def reached(ask: Ask, world: World) -> str:
    """A host of the lab group that Plumbline reads, with its key confirmed."""
    made = credential(ask, world.groups["lab"], name="of the lab")["id"]
    host_id: str = collected(ask, world, "esx-watched", group="lab", credential_id=made)["host_id"]
    show(host_id, SHOWN)
    assert ask("admin", "POST", f"/collection/hosts/{host_id}/confirm", json={"fingerprint": SHOWN}).status_code == 200
    return host_id


def start(ask: Ask, host_id: str, login: str = "operator", **body: Any) -> Any:
    return ask(login, "POST", f"/hosts/{host_id}/watches", json=body)


def read_in(watch_id: int, readings: list[tuple[int, list[float | None]]]) -> None:
    """Readings as an executor stores them: seconds since the start, and values of sent and retransmitted segments."""
    with session_scope() as session:
        session.execute(
            text("UPDATE host_watch SET started_at = requested_at, readings = :n, series = CAST(:series AS jsonb) WHERE id = :id"),
            {
                "id": watch_id,
                "n": len(readings),
                "series": '[[["host/", "tcp_segments_sent", "total"], ["host/", "tcp_segments_retransmitted", "total"]]]',
            },
        )
        for seconds, values in readings:
            session.execute(
                text(
                    "INSERT INTO watch_reading SELECT id, started_at + make_interval(secs => :s), 1000 * (5000 + :s), 0, :values"
                    " FROM host_watch WHERE id = :id"
                ),
                {"id": watch_id, "s": seconds, "values": values},
            )


def test_an_operator_starts_one_and_stops_it(ask: Ask, reached: str) -> None:
    made = start(ask, reached, minutes=2)
    assert made.status_code == 201, made.text
    watch = made.json()
    assert (watch["state"], watch["seconds"], watch["requested_by"], watch["until"]) == ("waiting", 120, "operator", None)
    listed = ask("viewer", "GET", f"/hosts/{reached}/watches").json()
    assert ([each["id"] for each in listed["watches"]], listed["may_watch"], listed["why_not"]) == ([watch["id"]], False, "")
    again = start(ask, reached)
    assert (again.status_code, again.json()["code"]) == (409, "already_watched")
    stopped = ask("operator", "POST", f"/watches/{watch['id']}/stop")
    assert (stopped.status_code, stopped.json()["state"], stopped.json()["end_words"]) == (200, "ended", "Stopped by operator.")
    # To stop it twice changes nothing, and leaves no second entry.
    assert ask("operator", "POST", f"/watches/{watch['id']}/stop").json() == stopped.json()
    assert acts("host", reached)[-2:] == ["host.watch_requested", "host.watch_stopped"]


@pytest.mark.parametrize("minutes", [0, 16, 1.5, "long"])
def test_a_time_that_is_none_is_refused(ask: Ask, reached: str, minutes: object) -> None:
    assert start(ask, reached, minutes=minutes).status_code == 422


def test_a_host_without_a_way_to_it_says_what_is_missing(ask: Ask, world: World) -> None:
    host = world.hosts["sql-01"]
    refused = start(ask, host)
    assert (refused.status_code, refused.json()["code"]) == (409, "no_way_to_host")
    words = ask("operator", "GET", f"/hosts/{host}/watches").json()["why_not"]
    assert words == "Plumbline doesn't sign in to this host. An admin adds an address and a credential in Admin > Collection."
    assert words in refused.json()["detail"]
    unconfirmed = collected(ask, world, "esx-unconfirmed")["host_id"]
    assert "key not verified" in start(ask, unconfirmed).json()["detail"]


def test_a_retired_host_is_not_watched(ask: Ask, world: World) -> None:
    host_id = collected(ask, world, "esx-gone")["host_id"]
    assert ask("admin", "POST", f"/hosts/{host_id}/retire", json={"reason": "scrapped"}).status_code == 200
    assert "retired" in start(ask, host_id).json()["detail"]


def test_charts_have_exact_rates_on_steps_of_five_seconds(ask: Ask, reached: str) -> None:
    watch_id = start(ask, reached).json()["id"]
    # 1,000 segments a second; from the tenth second on 1 % of them again; the host restarted its counters at 25 s.
    readings = [(0, [10_000.0, 5.0]), (5, [15_000.0, 5.0]), (10, [20_000.0, 5.0]), (15, [25_000.0, 55.0]), (20, [30_000.0, 105.0])]
    read_in(watch_id, [*readings, (25, [0.0, 0.0]), (30, [5_000.0, 0.0])])  # type: ignore[list-item]
    ask("operator", "POST", f"/watches/{watch_id}/stop")
    charts = ask("viewer", "GET", f"/watches/{watch_id}/charts").json()
    (line,) = charts["series"]
    assert (charts["step_seconds"], charts["hosts"][0]["name"], line["name"]) == (5, "esx-watched", "tcp_retransmit_percent")
    assert line["statistics"]["readings"] == 5
    assert (line["statistics"]["minimum"], line["statistics"]["maximum"], line["statistics"]["latest"]) == (0, 1, 0)
    sent = ask("viewer", "GET", f"/watches/{watch_id}/charts?series={reached}~host/:tcp_segments_sent").json()["series"][0]
    assert {value for value in sent["values"] if value is not None} == {1000}
    assert charts["references"][0]["is_limit"]


def test_charts_cost_the_same_for_any_number_of_readings(ask: Ask, reached: str) -> None:
    watch_id = start(ask, reached).json()["id"]
    read_in(watch_id, [(second, [float(second), 0.0]) for second in range(0, 20, 5)])
    costs = []
    for _ in range(2):
        with counted() as seen:
            assert ask("viewer", "GET", f"/watches/{watch_id}/charts").status_code == 200
        costs.append(len(seen))
        with session_scope() as session:
            session.execute(
                text(
                    "INSERT INTO watch_reading SELECT watch_id, at + interval '1 minute', uptime_ms + 60000, 0, values FROM watch_reading"
                    " WHERE watch_id = :id ON CONFLICT DO NOTHING"
                ),
                {"id": watch_id},
            )
    ask("operator", "POST", f"/watches/{watch_id}/stop")
    assert costs[0] == costs[1] <= 12


def test_another_branch_sees_nothing_of_it(ask: Ask, world: World, reached: str) -> None:
    watch_id = ask("viewer", "GET", f"/hosts/{reached}/watches").json()["watches"][0]["id"]
    for method, path in (
        ("GET", f"/hosts/{reached}/watches"),
        ("POST", f"/hosts/{reached}/watches"),
        ("GET", f"/watches/{watch_id}/charts"),
        ("POST", f"/watches/{watch_id}/stop"),
    ):
        body = {} if path.endswith("watches") and method == "POST" else None
        refused = ask("prod-operator", method, path, json=body)
        assert (refused.status_code, refused.json()["code"]) == (404, "host_not_found" if "/hosts/" in path else "watch_not_found")
    assert ask("viewer", "POST", f"/watches/{watch_id}/stop").status_code == 403
    # As one that is not there.
    assert ask("admin", "GET", "/watches/99999999/charts").json()["code"] == "watch_not_found"
