"""Symptoms as problems over the API: found, explained by what fails on the host, told in a notice, closed when they are gone."""

from datetime import timedelta
from typing import Any

import pytest
from sqlmodel import Session, text

from plumbline.infra.database import session_scope
from plumbline.oncall.find import Scope, find_problems
from plumbline.oncall.symptoms import EXPLAINED_BY
from plumbline.packs.library import read_library
from plumbline.performance.hours import fold_hours
from tests.api.conftest import Ask
from tests.api.test_counts import cost_of
from tests.api.test_on_call import problems
from tests.api.world import World, add_host
from tests.performance.counted import count_up

BAD = {
    ("host/", "tcp_segments_sent"): 1000.0,
    ("host/", "tcp_segments_retransmitted"): 4.7,
    ("adapter/0010180000a1", "packets_received"): 900.0,
    ("adapter/0010180000a1", "drops_received"): 0.1,
}

_COLUMNS = "SELECT column_name FROM information_schema.columns WHERE table_name = 'counter_hour' AND table_schema = current_schema()"


def copy_hours(session: Session, host: str, other: str) -> None:
    """The hours of a host as those of another one."""
    names = ", ".join(column for (column,) in session.execute(text(_COLUMNS)) if column != "host_id")
    session.execute(text(f"INSERT INTO counter_hour (host_id, {names}) SELECT :other, {names} FROM counter_hour WHERE host_id = :host"),
                    {"host": host, "other": other})  # fmt: skip


@pytest.fixture(scope="module")
def symptom(ask: Ask, world: World) -> dict[str, Any]:
    """The problem of sql-01, which sends 0.47 % again and drops one packet in 9,000."""
    with session_scope() as session:
        count_up(session, world.hosts["sql-01"], rates=BAD)
        for _ in range(10):
            fold_hours(session)
    found: dict[str, Any] = problems(ask)[f"symptom-{world.hosts['sql-01']}"]
    return found


def test_it_says_what_how_much_and_what_it_takes_away(symptom: dict[str, Any]) -> None:
    # 0.1 of 900 packets, eleven times its limit; the retransmits are four times theirs.
    assert symptom["words"] == "Dropped packets 0.011%, limit 0.001%, and TCP retransmits"
    assert symptom["kind_label"] == "Symptom"
    assert "sent again" in symptom["takes_away"]
    assert symptom["since"] is not None


def test_its_causes_are_what_fails_here_on_settings_that_could_explain_it(ask: Ask, world: World, symptom: dict[str, Any]) -> None:
    keys = {*EXPLAINED_BY["retransmits"], *EXPLAINED_BY["drops"]}
    with session_scope() as session:
        library = read_library(session)
        failing = session.execute(
            text(
                "SELECT DISTINCT rule_no FROM finding WHERE host_id = :host AND outcome = 'fail' AND waiver_id IS NULL AND excluded_by = ''"
            ),
            {"host": world.hosts["sql-01"]},
        ).scalars()
        expected = {library.by_no[no].rule.address for no in failing if keys & set(library.by_no[no].rule.reads)}
    assert expected, "the sample host has to fail something that could explain it"
    assert {f"{each['pack']}/{each['rule']}" for each in symptom["causes"]} == expected
    assert {f"{each['pack']}/{each['rule']}" for each in symptom["fixes"]} <= expected
    # The likeliest comes first: nothing of what is left is read from a setting that stands before those of the first.
    order = [*EXPLAINED_BY["drops"], *EXPLAINED_BY["retransmits"]]
    places = [
        min(
            (order.index(key) for key in library.by_address[f"{each['pack']}/{each['rule']}"].rule.reads if key in order),
            default=len(order),
        )
        for each in symptom["causes"]
    ]
    assert places == sorted(places)


def test_a_host_of_which_nothing_is_known_has_no_cause_and_pages_cost_the_same(ask: Ask, world: World, symptom: dict[str, Any]) -> None:
    cost_of(ask, "/on-call")
    before = cost_of(ask, "/on-call")
    with session_scope() as session:
        hosts = [add_host(session, f"sy-{number}", group_id=world.groups["prod"]) for number in range(4)]
        for host in hosts:
            copy_hours(session, world.hosts["sql-01"], host)
    found = problems(ask)
    assert all(found[f"symptom-{host}"]["causes"] == [] for host in hosts)
    assert cost_of(ask, "/on-call") == before
    # A present fault stands above a failing rule.
    kinds = [each["kind"] for each in ask("operator", "GET", "/on-call").json()["problems"]]
    assert max(place for place, kind in enumerate(kinds) if kind == "symptom") < min(
        (place for place, kind in enumerate(kinds) if kind in ("guard_rail", "worse", "silent")), default=len(kinds)
    )


def detector(ask: Ask, **where: Any) -> dict[str, Any]:
    answer = ask("viewer", "GET", "/performance/detector", params=where)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_the_back_test_counts_alarms_and_those_that_nothing_on_record_explains(ask: Ask, world: World, symptom: dict[str, Any]) -> None:
    found = detector(ask)
    by_name = {each["name"]: each for each in found["figures"]}
    # sql-01 fails rules that explain it; its four copies, of which the test before made hosts, have nothing on record.
    for name in ("retransmits", "drops"):
        assert (by_name[name]["alarms"], by_name[name]["open_now"], by_name[name]["unexplained"]) == (5, 5, 4), name
    assert (by_name["errors"]["alarms"], by_name["latency"]["alarms"]) == (0, 0)
    assert {each["host"]["name"] for each in found["unexplained"]} == {f"sy-{number}" for number in range(4)}
    assert (found["hosts"], found["most_hosts"]) == (5, None)
    # Six hours of readings are less than a week: what was found is not called that of a week.
    assert by_name["drops"]["unexplained_a_week"] == pytest.approx(4 / (1 / 7), abs=0.1)
    # A group that has none of them.
    assert detector(ask, group=world.groups["lab"])["hosts"] == 0
    assert cost_of(ask, "/performance/detector") == 11


@pytest.mark.parametrize(("hours_before", "is_explained"), [(8, True), (40, False)])
def test_a_change_of_a_setting_that_could_cause_it_explains_it(
    ask: Ask, world: World, symptom: dict[str, Any], hours_before: int, is_explained: bool
) -> None:
    with session_scope() as session:
        host = session.execute(text("SELECT id FROM host WHERE name = 'sy-0'")).scalar_one()
        session.execute(text("DELETE FROM setting_change WHERE host_id = :host"), {"host": host})
        session.execute(
            text(
                "INSERT INTO setting_change (received_at, host_id, seq, subject_kind, subject_id, key, cause, cause_detail, alike)"
                " VALUES (now() - make_interval(hours => :hours), :host, 1, 'adapter', 'a', 'receive_buffers', 'unknown', '', '')"
            ),
            {"host": host, "hours": hours_before},
        )
    names = [each["host"]["name"] for each in detector(ask)["unexplained"]]
    assert ("sy-0" not in names) == is_explained


def test_it_is_gone_when_it_is_gone(ask: Ask, world: World, symptom: dict[str, Any]) -> None:
    host = world.hosts["sql-01"]
    with session_scope() as session:
        session.execute(
            text("UPDATE counter_hour SET retransmitted = 0, drops = 0 WHERE host_id = :host AND hour > now() - interval '4 hours'"),
            {"host": host},
        )
        library = read_library(session)
        assert not [each for each in find_problems(session, Scope([world.groups["prod_b"]], host), library) if each.kind == "symptom"]
    assert f"symptom-{host}" not in problems(ask)
    # What was read long ago says nothing about now.
    with session_scope() as session:
        session.execute(
            text("UPDATE counter_hour SET retransmitted = 0.05 * segments, hour = hour - :ago WHERE host_id = :host"),
            {"host": host, "ago": timedelta(hours=5)},
        )
    assert f"symptom-{host}" not in problems(ask)


def test_the_chart_shows_the_counters_of_the_symptom(ask: Ask, world: World, symptom: dict[str, Any]) -> None:
    host = world.hosts["sql-01"]
    assert symptom["series"] == [f"{host}~adapter/0010180000a1:drops_received"]
    # Every other problem is shown beside the retransmits.
    others = [each for each in problems(ask).values() if each["kind"] != "symptom"]
    assert others
    assert {each["series"][0].partition("~")[2] for each in others} == {"host/:tcp_retransmit_percent"}
    answer = ask("viewer", "GET", f"/performance/charts?host={host}&series={symptom['series'][0]}&hours=24")
    assert answer.status_code == 200
    assert [line["statistics"]["readings"] > 0 for line in answer.json()["series"]] == [True]
