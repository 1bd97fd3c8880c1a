"""What host rows say together, against countings of the same rows one by one."""

import random
from collections import Counter
from datetime import timedelta
from statistics import mean, median
from typing import Any

from sqlmodel import select, text

from plumbline.fleet.host_counts import MOST_BARS
from plumbline.infra.database import session_scope
from plumbline.models.hosts import Host
from tests.api.conftest import Ask
from tests.api.world import World, add_host

SYSTEMS = (
    ("windows", "Windows Server 2012 R2", "2012r2"),
    ("windows", "Windows Server 2012 R2 Core", "2012r2"),
    ("esxi", "VMware ESXi", "8.0"),
    ("esxi", "VMware ESXi 7.0", "7.0"),
    ("esxi", "", "6.7"),
    ("windows", "", ""),
)


def _fill(group_id: int) -> None:
    drawn = random.Random(20)
    with session_scope() as session:
        for number in range(120):
            platform, os_name, os_release = drawn.choice(SYSTEMS)
            age = {"seen_ago": timedelta(minutes=drawn.choice((1, 9, 11, 19, 21, 29, 31, 59, 61, 119, 121, 239, 241)))}
            add_host(
                session,
                f"census-{number:03}",
                group_id=group_id,
                state=drawn.choice(("active", "active", "active", "quarantined", "waiting", "retired")),
                cluster=drawn.choice(("", *(f"cl-{each:02}" for each in range(60)))),
                platform=platform,
                os_name=os_name,
                os_release=os_release,
                interval_seconds=drawn.choice((300, 900, 3600)),
                score=drawn.choice((None, *range(0, 101, 7))),
                n_pass=drawn.randrange(30),
                n_fail=drawn.randrange(4),
                n_unknown=drawn.randrange(3),
                **(age if drawn.random() < 0.9 else {"last_seen_at": None}),
            )


def _bars(hosts: list[dict[str, Any]], value: str, label: str) -> list[tuple[Any, ...]]:
    found: dict[str, Counter[str]] = {}
    labels: dict[str, str] = {}
    for host in hosts:
        if host[value]:
            found.setdefault(host[value], Counter()).update({word: host[f"n_{word}"] for word in ("pass", "fail", "unknown")})
            labels[host[value]] = min(labels.get(host[value], host[label]), host[label])
    bars = [(each, labels[each], sums["pass"], sums["fail"], sums["unknown"]) for each, sums in found.items()]
    return sorted(bars, key=lambda bar: (-bar[3], bar[0]))[:MOST_BARS]


def _told(bars: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    return [(bar["value"], bar["label"], bar["pass"], bar["fail"], bar["unknown"]) for bar in bars]


def test_one_pass_counts_what_the_rows_say_one_by_one(ask: Ask, world: World) -> None:
    group = ask("admin", "POST", "/groups", json={"name": "census", "parent_id": world.groups["lab"]}).json()["id"]
    _fill(group)
    try:
        overview = ask("viewer", "GET", f"/overview?group={group}").json()
        listed = ask("viewer", "GET", f"/hosts?group={group}&limit=500").json()["items"]
        labels = {row["value"]: row["label"] for row in _bars_asked(ask, group)}
        with session_scope() as session:
            names = {row.id: row.os_name for row in session.execute(select(Host.id, Host.os_name)).all()}
    finally:
        with session_scope() as session:
            session.execute(text("DELETE FROM host WHERE name LIKE 'census-%'"))
    fresh = Counter(row["freshness"] for row in listed)
    assert min(fresh.values()) > 1
    assert set(fresh) == {"fresh", "late", "silent", "never"}
    score = overview["score"]
    scores = [row["score"] for row in listed if row["score"] is not None]
    assert (score["hosts_known"], score["hosts_fresh"], score["hosts_scored"]) == (len(listed), fresh["fresh"], len(scores))
    assert overview["headline"]["silent"] == fresh["silent"] + fresh["never"]
    assert len(overview["silent"]) == min(50, overview["headline"]["silent"])
    assert (score["mean"], score["median"]) == (round(mean(scores), 1), median(scores))
    assert _told(overview["by_cluster"]) == _bars(listed, "cluster", "cluster")
    assert len(overview["by_cluster"]) == MOST_BARS
    hosts = [{**row, "os_label": _label(row, names[row["id"]])} for row in listed]
    assert _told(overview["by_os"]) == _bars(hosts, "os_release", "os_label")
    assert labels["2012r2"] == "Windows Server 2012 R2"
    assert {labels["8.0"], labels["7.0"], labels["6.7"]} == {"VMware ESXi 8.0", "VMware ESXi 7.0", "Unknown OS"}


def _bars_asked(ask: Ask, group: int) -> list[dict[str, Any]]:
    facets = ask("viewer", "GET", f"/hosts/facets?group={group}").json()["facets"]
    return next(facet["values"] for facet in facets if facet["name"] == "os")


def _label(row: dict[str, Any], os_name: str) -> str:
    if not os_name:
        return "Unknown OS"
    return os_name if row["platform"] == "windows" or row["os_release"] in os_name else f"{os_name} {row['os_release']}"
