"""A host beside another host, its baseline, its peers or another date."""

from datetime import UTC, datetime, timedelta

import pytest

from tests.api.conftest import Ask
from tests.api.test_baselines import changed, decided, proposed
from tests.api.world import World


def test_beside_another_host_only_differences_are_listed_unless_all_are_requested(ask: Ask, world: World) -> None:
    host, other = world.hosts["sql-01"], world.hosts["sql-02"]
    found = ask("viewer", "GET", f"/hosts/{host}/comparison?reference=host&other={other}").json()
    assert (found["right_label"], found["other"]["id"], found["problem"]) == ("sql-02", other, "")
    assert found["differs"] == len(found["items"])
    assert found["same"] > 20
    every = ask("viewer", "GET", f"/hosts/{host}/comparison?reference=host&other={other}&same=true").json()
    assert len(every["items"]) == found["differs"] + found["same"] + found["not_known"]


def test_beside_its_baseline_a_changed_value_can_be_planned_back(ask: Ask, world: World) -> None:
    host = world.hosts["sql-01"]
    without = ask("viewer", "GET", f"/hosts/{host}/comparison?reference=baseline").json()
    assert (without["items"], without["problem"]) == ([], "No baseline was accepted for this host yet")
    changed(host, value="rx_tx")
    decided(ask, proposed(ask, host_id=host)["id"])
    changed(host, value="off")
    found = ask("operator", "GET", f"/hosts/{host}/comparison?reference=baseline").json()
    [row] = [each for each in found["items"] if each["key"] == "adapter.flow_control"]
    assert (row["what"], row["restore_to"], row["why_not_restore"]) == ("differs", "rx_tx", "")
    assert found["may_plan"]
    assert row["left"] != row["right"]


def test_beside_another_date(ask: Ask, world: World) -> None:
    host = world.hosts["sql-01"]
    now = datetime.now(UTC).isoformat().replace("+00:00", "Z")
    found = ask("viewer", "GET", f"/hosts/{host}/comparison?reference=date&at={now}").json()
    assert (found["right_label"], found["items"]) == ("This host then", [])
    before = (datetime.now(UTC) - timedelta(days=900)).isoformat().replace("+00:00", "Z")
    assert (
        "No configuration from that time" in ask("viewer", "GET", f"/hosts/{host}/comparison?reference=date&at={before}").json()["problem"]
    )


def test_beside_the_majority_of_its_peers_the_odd_ones_are_named(ask: Ask, world: World) -> None:
    found = ask("viewer", "GET", f"/hosts/{world.hosts['sql-01']}/comparison?reference=peers&same=true").json()
    if found["problem"]:
        assert found["problem"] == "This host has fewer than two peers: there is no majority"
        assert len(found["peers"]) < 2
        return
    assert found["peers_are"] in ("cluster", "alike")
    for row in found["items"]:
        assert row["agreeing"] * 2 > row["peers"] >= 2
        assert len(row["odd"]) == min(10, row["peers"] - row["agreeing"])


@pytest.mark.parametrize("query", ["reference=host", "reference=date", "reference=host&other={host}"])
def test_a_reference_without_what_it_needs_is_refused(ask: Ask, world: World, query: str) -> None:
    host = world.hosts["sql-01"]
    assert ask("viewer", "GET", f"/hosts/{host}/comparison?{query.format(host=host)}").status_code in (400, 422)


def test_hosts_out_of_scope_do_not_exist_on_either_side(ask: Ask, world: World) -> None:
    lab, prod = world.hosts["lab-01"], world.hosts["sql-01"]
    assert ask("prod-viewer", "GET", f"/hosts/{lab}/comparison").status_code == 404
    assert ask("prod-viewer", "GET", f"/hosts/{prod}/comparison?reference=host&other={lab}").status_code == 404


def test_another_platform_is_not_comparable(ask: Ask, world: World) -> None:
    found = ask("viewer", "GET", f"/hosts/{world.hosts['sql-01']}/comparison?reference=host&other={world.hosts['esx-01']}").json()
    assert "another operating system" in found["problem"]


def test_the_download_has_the_rows_of_the_page(ask: Ask, world: World) -> None:
    path = f"hosts/{world.hosts['sql-01']}/comparison"
    query = f"reference=host&other={world.hosts['sql-02']}"
    page = ask("viewer", "GET", f"/{path}?{query}").json()
    lines = ask("viewer", "GET", f"/exports/{path}.csv?{query}").text.strip().splitlines()
    assert len(lines) == 1 + len(page["items"])
    assert "points_lost" in lines[0]


def test_stored_values_that_do_not_run_yet_say_when_they_change(ask: Ask, world: World) -> None:
    host = world.hosts["sql-01"]
    found = ask("viewer", "GET", f"/hosts/{host}/comparison?reference=running&same=true").json()
    assert found["right_label"] == "Running values"
    assert {each["key"] for each in found["items"]} <= {
        "adapter.mtu",
        "adapter.flow_control",
        "adapter.rsc_ipv4",
        "adapter.rsc_ipv6",
        "adapter.rdma",
    }
    changed(host, key="mtu", value="4321")
    rows = ask("viewer", "GET", f"/hosts/{host}/comparison?reference=running").json()["items"]
    [row] = [each for each in rows if each["key"] == "adapter.mtu" and each["left"].startswith("4321")]
    assert (row["why_not_restore"], row["restore_to"]) == ("changes at the next adapter restart", None)
