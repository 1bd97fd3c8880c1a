"""The figures on the screens, compared with what was put into the database."""

import json
from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from sqlmodel import Session, text

from plumbline.core.rules.rule import WEIGHTLESS
from plumbline.evaluation.linked_counts import group_linked_rules
from plumbline.hosts.facet_counts import MOST_CLUSTERS
from plumbline.infra.database import session_scope
from plumbline.models.findings import FindingLog
from plumbline.models.hosts import Host
from plumbline.packs.library import read_library
from tests.api.conftest import Ask
from tests.api.world import World, add_change, add_host


def failing_mtu(session: Session, host_id: str) -> tuple[int, str]:
    """A failing rule of the host that reads an adapter's MTU, and the adapter."""
    library = read_library(session)
    for rule_no, subject in session.execute(
        text("SELECT rule_no, subject_id FROM finding WHERE host_id = :h AND outcome = 'fail' AND subject_kind = 'adapter' ORDER BY 1, 2"),
        {"h": host_id},
    ):
        if "adapter.mtu" in library.by_no[rule_no].rule.reads:
            return rule_no, subject
    raise AssertionError("no failing rule reads adapter.mtu")


@pytest.fixture(scope="module")
def worse(world: World, ask: Ask) -> dict[str, Any]:
    """Two hosts whose MTU fell at once after a driver update, two hours ago; the log of outcomes has the same instant."""
    with session_scope() as session:
        at: datetime = session.execute(text("SELECT now() - interval '2 hours'")).scalar_one()
        found = {}
        for name in ("sql-01", "sql-02"):
            rule_no, adapter = failing_mtu(session, world.hosts[name])
            add_change(
                session, world.hosts[name], ("adapter", adapter), "mtu", 9000, 1500, received_at=at, cause="driver_update",
                cause_detail="7.4.23 → 7.8.1", alike="mtu-9000-1500",
            )  # fmt: skip
            session.add(
                FindingLog(
                    at=at, host_id=world.hosts[name], rule_no=rule_no, subject_kind="adapter", subject_id=adapter, old="pass", new="fail"
                )
            )
            found[name] = {"rule_no": rule_no, "adapter": adapter}
    return {"at": at.astimezone(UTC), **found}


def test_worse_groups_alike_changes_and_names_their_cause(ask: Ask, world: World, worse: dict[str, Any]) -> None:
    overview = ask("viewer", "GET", "/overview").json()
    assert overview["headline"]["worse"] == 2
    [group] = overview["worse"]
    assert (group["label"], group["old"], group["new"]) == ("L3 MTU", "9000 bytes", "1500 bytes")
    assert (group["cause"], group["cause_detail"]) == ("driver_update", "7.4.23 → 7.8.1")
    assert {host["name"] for host in group["hosts"]} == {"sql-01", "sql-02"}
    assert (group["host_count"], group["group_name"]) == (2, "PROD-B")
    assert set(group["host_ids"]) == {world.hosts["sql-01"], world.hosts["sql-02"]}
    assert group["rules"], "what a plan for the group would be about"
    assert {(each["pack"], each["rule"]) for each in group["rules"]} <= {(each["pack"], each["rule"]) for each in group["fix_rules"]}
    newly = {host["name"]: host for host in overview["newly_failing"]}
    assert set(newly) == {"sql-01", "sql-02"}
    assert newly["sql-01"]["rules"] == 1
    assert ask("viewer", "GET", f"/overview?group={world.groups['lab']}").json()["worse"] == []


def test_failures_without_a_change_of_a_setting_are_shown_too(ask: Ask, world: World, worse: dict[str, Any]) -> None:
    """The sentence counts a host; so the list has to name it, with what may have done it."""
    rule_no = worse["sql-01"]["rule_no"]
    with session_scope() as session:
        at: datetime = session.execute(text("SELECT now() - interval '1 hour'")).scalar_one()
        twins = group_linked_rules(read_library(session).by_no.values())
        numbers = next(each.numbers for each in twins if rule_no in each.numbers)
        for no in numbers:
            session.add(
                FindingLog(at=at, host_id=world.hosts["esx-01"], rule_no=no, subject_kind="host", subject_id="", old="pass", new="fail")
            )
        host = session.get_one(Host, world.hosts["esx-01"])
        before = list(host.failing)
        host.failing = [*before, *numbers]
    try:
        overview = ask("viewer", "GET", "/overview").json()
        shown, without = overview["worse"]
        assert shown["label"] == "L3 MTU"
        assert (without["host_ids"], len(without["rules"])) == ([world.hosts["esx-01"]], 1)
        # Linked rules are one thing that got worse.
        assert (without["old"], without["new"], without["cause"], without["key"]) == ("pass", "fail", "no_change", "")
        assert without["cause_detail"].startswith("No setting changed on the host")
        assert [host["name"] for host in without["hosts"]] == ["esx-01"]
        assert overview["headline"]["worse"] == shown["host_count"] + without["host_count"]
    finally:
        with session_scope() as session:
            session.execute(text("DELETE FROM finding_log WHERE host_id = :id AND at = :at"), {"id": world.hosts["esx-01"], "at": at})
            session.get_one(Host, world.hosts["esx-01"]).failing = before


def test_a_lost_path_ranks_above_settings_that_more_hosts_lost(ask: Ask, world: World, worse: dict[str, Any]) -> None:
    """One host with a symptom comes before two hosts with a setting, in what got worse and in the rules that fail most."""
    host_id = world.hosts["esx-01"]
    with session_scope() as session:
        at: datetime = session.execute(text("SELECT now() - interval '90 minutes'")).scalar_one()
        by_no = read_library(session).by_no
        number = next(no for no, known in sorted(by_no.items()) if known.rule.id == "core.paths.two_healthy")
        session.add(FindingLog(at=at, host_id=host_id, rule_no=number, subject_kind="volume", subject_id="v1", old="pass", new="fail"))
        host = session.get_one(Host, host_id)
        before = list(host.failing)
        host.failing = [*before, number]
    try:
        overview = ask("viewer", "GET", "/overview").json()
        first, second = overview["worse"]
        assert first["rules"] == [{"pack": "plumbline-core", "rule": "core.paths.two_healthy"}]
        # Nobody sets a path: there is nothing that a plan could carry out.
        assert (first["fix_rules"], second["label"]) == ([], "L3 MTU")
    finally:
        with session_scope() as session:
            session.execute(text("DELETE FROM finding_log WHERE host_id = :id AND at = :at"), {"id": host_id, "at": at})
            session.get_one(Host, host_id).failing = before


def test_a_finding_has_its_previous_value_and_its_start(ask: Ask, world: World, worse: dict[str, Any]) -> None:
    items = ask("viewer", "GET", f"/hosts/{world.hosts['sql-01']}/findings").json()["items"]
    finding = next(
        each for each in items if each["rule_no"] == worse["sql-01"]["rule_no"] and each["subject"]["id"] == worse["sql-01"]["adapter"]
    )
    assert finding["was"]["value"] == "9000 bytes"
    assert datetime.fromisoformat(finding["was"]["until"]) == worse["at"]
    assert finding["was"]["cause"] == "driver_update"
    assert finding["standing"] == finding["outcome"] == "fail"
    assert finding["peers"] == {"same": 1, "of": 1}
    assert finding["source"]["section"]
    assert len(finding["source"]["sha256"]) == 64
    standings = [each["standing"] for each in items]
    assert standings == sorted(standings, key=["fail", "unknown", "excluded", "waived", "advice", "pass", "not_applicable"].index)


def test_the_timeline_has_the_change(ask: Ask, world: World, worse: dict[str, Any]) -> None:
    page = ask("viewer", "GET", f"/hosts/{world.hosts['sql-01']}/changes?limit=1").json()
    assert page["items"][0]["label"] == "L3 MTU"
    assert page["items"][0]["subject"]["label"] == "SAN1"
    assert page["next"] is None
    marks = ask("viewer", "GET", f"/hosts/{world.hosts['sql-01']}/counters").json()["markers"]
    assert "L3 MTU 9000 bytes → 1500 bytes" in [mark["label"] for mark in marks]


def test_counts_of_host_findings_and_overview_agree(ask: Ask) -> None:
    hosts = ask("viewer", "GET", "/hosts?limit=500").json()["items"]
    assert sum(host["n_fail"] > 0 for host in hosts) > 1
    outcomes = ask("viewer", "GET", "/overview").json()["outcomes"]
    for word in ("pass", "fail", "unknown", "not_applicable", "waived"):
        assert outcomes[word] == sum(host[f"n_{word}"] for host in hosts), word
    for host in hosts:
        items = ask("viewer", "GET", f"/hosts/{host['id']}/findings").json()["items"]
        for word in ("pass", "fail", "unknown", "not_applicable"):
            counted = sum(each["standing"] == word for each in items if each["kind"] not in WEIGHTLESS)
            assert host[f"n_{word}"] == counted, (host["name"], word)
        assert not [each for each in items if each["standing"] == "fail" and each["kind"] in WEIGHTLESS]


def test_the_score_taken_apart_makes_the_score(ask: Ask, world: World) -> None:
    uncapped = 0
    for host in ask("viewer", "GET", "/hosts?limit=500").json()["items"]:
        shown = ask("viewer", "GET", f"/hosts/{host['id']}/score").json()
        lost = sum(rule["points_lost"] for rule in shown["rules"])
        assert shown["score"] == host["score"]
        # The same reason is shown once, for any number of linked rules and failing items.
        assert len({cap["because"] for cap in shown["caps"]}) == len(shown["caps"])
        if not shown["caps"]:
            uncapped += 1
            assert abs(100 - lost - host["score"]) < 1.5
        assert sum(rule["points_possible"] for rule in shown["rules"]) == pytest.approx(100, abs=0.5)
    assert uncapped > 0


def test_facets_count_what_the_list_holds(ask: Ask) -> None:
    facets = ask("viewer", "GET", "/hosts/facets").json()
    assert {facet["name"] for facet in facets["facets"]} >= {"group", "platform", "os", "family", "freshness", "state", "outcome", "drift"}
    for facet in facets["facets"]:
        for value in facet["values"]:
            listed = ask("viewer", "GET", "/hosts", params={facet["name"]: value["value"]}).json()["total"]
            assert listed == value["count"], (facet["name"], value)
    labels = {value["label"] for facet in facets["facets"] for value in facet["values"] if facet["name"] in ("freshness", "state")}
    assert labels >= {"Up to date", "Active"}
    # Words for people, never the codes of the API.
    assert not [label for label in labels if label != label.capitalize()]
    narrowed = ask("viewer", "GET", "/hosts/facets?platform=esxi").json()
    values = {facet["name"]: {value["value"]: value["count"] for value in facet["values"]} for facet in narrowed["facets"]}
    assert set(values["platform"]) == {"windows", "esxi"}
    assert sum(values["freshness"].values()) == narrowed["total"] == values["platform"]["esxi"]


def test_of_many_clusters_the_largest_are_listed_and_others_found_by_name(ask: Ask, world: World) -> None:
    def clusters(path: str) -> tuple[dict[str, int], int]:
        facet = ask("viewer", "GET", path).json()
        if "facets" in facet:
            facet = next(each for each in facet["facets"] if each["name"] == "cluster")
        return {value["value"]: value["count"] for value in facet["values"]}, facet["more"]

    with session_scope() as session:
        for number in range(MOST_CLUSTERS + 10):
            for host in range(2 if number % 6 else 1):
                add_host(session, f"many-{number}-{host}", group_id=world.groups["lab"], cluster=f"Many%-{number:02}", platform="esxi")
    try:
        every = Counter(row["cluster"] for row in ask("viewer", "GET", "/hosts?limit=500").json()["items"])
        listed, more = clusters("/hosts/facets")
        assert len(listed) == MOST_CLUSTERS
        assert more == len(every) - MOST_CLUSTERS
        assert listed == {name: every[name] for name in listed}
        assert "" in listed
        assert min(count for name, count in listed.items() if name) == 2
        # A small cluster, once it is chosen, whatever name is searched for.
        small, _ = clusters("/hosts/facets?cluster=Many%25-54")
        assert small["Many%-54"] == 1
        assert clusters("/hosts/facets/cluster?named=many%25-5") == ({f"Many%-{at}": 1 if at == 54 else 2 for at in range(50, 60)}, 0)
        assert clusters("/hosts/facets/cluster?named=y%25-59&cluster=Many%25-54") == ({"Many%-59": 2, "Many%-54": 1}, 0)
        assert clusters("/hosts/facets/cluster?named=many%25-5&platform=windows") == ({}, 0)
        assert clusters("/hosts/facets/cluster?named=MANY") == ({f"Many%-{at:02}": n for at, n in _largest(every)}, 10)
        assert ask("prod-viewer", "GET", "/hosts/facets/cluster?named=many").json()["values"] == []
        assert ask("viewer", "GET", "/hosts/facets/cluster").status_code == 422
    finally:
        with session_scope() as session:
            session.execute(text("DELETE FROM host WHERE name LIKE 'many-%'"))


def _largest(every: Counter[str]) -> list[tuple[int, int]]:
    ranked = sorted(((-count, name) for name, count in every.items() if name.startswith("Many%-")))[:MOST_CLUSTERS]
    return [(int(name.removeprefix("Many%-")), -count) for count, name in ranked]


def test_a_system_is_named_once(ask: Ask) -> None:
    with session_scope() as session:
        add_host(session, "os-01", group_id=1, os_name="Windows Server 2012 R2", os_release="2012r2", n_fail=1)
        add_host(session, "os-02", group_id=1, os_name="VMware ESXi", os_release="8.0", platform="esxi", n_fail=1)
    try:
        labels = {bar["label"] for bar in ask("viewer", "GET", "/overview").json()["by_os"]}
        facets = ask("viewer", "GET", "/hosts/facets").json()["facets"]
        systems = {value["label"] for facet in facets if facet["name"] == "os" for value in facet["values"]}
    finally:
        with session_scope() as session:
            session.execute(text("DELETE FROM host WHERE name LIKE 'os-%'"))
    for named in (labels, systems):
        assert {"Windows Server 2012 R2", "VMware ESXi 8.0"} <= named


def test_filters(ask: Ask, world: World) -> None:
    def names(query: str) -> set[str]:
        return {row["name"] for row in ask("viewer", "GET", f"/hosts?{query}").json()["items"]}

    assert names("q=SQL-0") == {"sql-01", "sql-02"}
    assert names("q=q") == {"sql-01", "sql-02"}
    assert names("q=%25") == set()
    assert names("freshness=silent") == {"esx-01"}
    assert names("freshness=silent&freshness=fresh&platform=esxi") == {"esx-01"}
    assert names("score_below=80") == {"sql-01", "sql-02", "lab-01"}
    assert names("changed_hours=1") == {"sql-01", "sql-02", "lab-01"}
    assert names(f"group={world.groups['prod']}") == {"sql-01", "sql-02", "esx-01"}
    assert names(f"group={world.groups['lab']}&group={world.groups['prod_b']}") == {"sql-01", "sql-02", "lab-01"}
    assert names("state=waiting") == {"new-01"}
    assert names("rule=no/such") == set()
    assert names("cluster=SQL&outcome=fail&outcome=unknown") == {"sql-01", "sql-02"}
    assert names("nonsense=1") == {"sql-01", "sql-02", "lab-01", "esx-01"}


def test_freshness_by_age_and_interval(ask: Ask) -> None:
    with session_scope() as session:
        ages = {"fresh": 29, "late": 31, "late-": 59, "silent": 61}
        made = {name: add_host(session, f"age-{name}", group_id=1, seen_ago=timedelta(minutes=age)) for name, age in ages.items()}
        slow = add_host(session, "age-slow", group_id=1, seen_ago=timedelta(hours=3), interval_seconds=3600)
        never = add_host(session, "age-never", group_id=1, last_seen_at=None)
    try:
        for name, host in made.items():
            assert ask("viewer", "GET", f"/hosts/{host}").json()["freshness"] == name.rstrip("-")
            listed = ask("viewer", "GET", f"/hosts?q=age-&freshness={name.rstrip('-')}").json()["items"]
            assert host in [row["id"] for row in listed]
        assert ask("viewer", "GET", f"/hosts/{slow}").json()["freshness"] == "late"
        assert ask("viewer", "GET", f"/hosts/{never}").json()["freshness"] == "never"
    finally:
        with session_scope() as session:
            session.execute(text("DELETE FROM host WHERE name LIKE 'age-%'"))


def test_settings_have_their_sources(ask: Ask, world: World) -> None:
    shown = ask("viewer", "GET", f"/hosts/{world.hosts['sql-01']}/settings").json()
    settings = {(each["subject"]["label"], each["key"]): each for each in shown["items"]}
    mtu = settings["SAN1", "adapter.mtu"]
    assert mtu["state"] == "value"
    assert mtu["text"].endswith(" bytes")
    assert mtu["source"]["section"]
    assert mtu["source"]["command"]
    assert len(mtu["source"]["sha256"]) == 64
    assert mtu["counterpart_text"] is not None
    assert any(each["state"] == "unknown" and each["reason"] for each in shown["items"])
    assert all(each["text"] == "–" for each in shown["items"] if each["state"] != "value")


def test_paths_and_what_a_restart_leaves(ask: Ask, world: World) -> None:
    shown = ask("viewer", "GET", f"/hosts/{world.hosts['sql-01']}/paths").json()
    assert shown["volumes"]
    for volume in shown["volumes"]:
        rows = [path for path in shown["paths"] if path["volume"] == volume["id"]]
        assert volume["total"] == len(rows)
        assert volume["healthy"] == sum(path["state"] == "healthy" for path in rows)
    for without in shown["without"]:
        for left in without["leaves"]:
            kept = [
                path
                for path in shown["paths"]
                if path["volume"] == left["volume"] and path["state"] == "healthy" and path["adapter"] not in ("", without["adapter"])
            ]
            assert left["healthy"] == len(kept)


def test_host_page_names_its_adapters_and_problems(ask: Ask, world: World) -> None:
    host = ask("viewer", "GET", f"/hosts/{world.hosts['sql-01']}").json()
    assert "BCM57810" in host["adapters_line"]
    assert host["sections"]
    assert host["why"][0]["points_lost"] >= host["why"][-1]["points_lost"] > 0
    assert host["os_build"]


def test_events_announce_check_ins_and_resume(address: str, ask: Ask, world: World) -> None:
    cookie = "; ".join(f"{name}={value}" for name, value in world.cookies["prod-viewer"].items())

    def read(last: str, wanted: int) -> list[tuple[str, str, Any]]:
        found: list[tuple[str, str, Any]] = []
        headers = {"cookie": cookie, **({"last-event-id": last} if last else {})}
        with httpx.stream("GET", f"{address}/api/v1/events", headers=headers, timeout=20) as stream:
            assert stream.headers["content-type"].startswith("text/event-stream")
            assert stream.headers["x-request-id"]
            event: dict[str, str] = {}
            for line in stream.iter_lines():
                if line:
                    name, _, value = line.partition(": ")
                    event[name] = value
                elif "event" in event:
                    found.append((event["event"], event["id"], json.loads(event["data"])))
                    event = {}
                    if len(found) == 1 and not last:
                        touch()
                    if len(found) == wanted:
                        return found
        return found

    def touch() -> None:
        with session_scope() as session:
            ids = [world.hosts["sql-01"], world.hosts["lab-01"]]
            session.execute(text("UPDATE host SET last_seen_at = clock_timestamp() WHERE id = ANY(:ids)"), {"ids": ids})

    first, second, third = read("", 3)
    assert first[0] == "fleet"
    assert (second[0], second[2]) == ("host", {"id": world.hosts["sql-01"]})
    assert third[0] == "fleet"
    resumed = read(first[1], 1)
    assert (resumed[0][0], resumed[0][2]) == ("host", {"id": world.hosts["sql-01"]})
    assert read("not an id", 1)[0][0] == "fleet"
    assert read((datetime.now(UTC) - timedelta(hours=1)).isoformat(), 1)[0][0] == "fleet"
