"""The number of statements a page costs does not grow with its rows."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import event, text

from plumbline.hosts.name_search import name_grams
from plumbline.infra.database import get_engine, now_of, session_scope
from plumbline.models.findings import Waiver, WaiverHost
from plumbline.models.hosts import Host
from tests.api.conftest import Ask
from tests.api.world import World, add_change, add_host, first_samples


@contextmanager
def counted() -> Iterator[list[str]]:
    """Every statement that the process sends through its engine."""
    seen: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        seen.append(statement)

    engine = get_engine()
    event.listen(engine, "before_cursor_execute", note)
    try:
        yield seen
    finally:
        event.remove(engine, "before_cursor_execute", note)


def add_waivers(world: World, number: int) -> None:
    """So many waivers of each scope, which wait for a decision, are in force or end soon."""
    host, day = world.hosts["sql-01"], timedelta(days=1)
    with session_scope() as session:
        admin = session.execute(text("SELECT id FROM person WHERE login = 'admin'")).scalar_one()
        now = now_of(session)
        for at in range(3 * number):
            scope: dict[str, Any] = ({"host_id": host}, {"group_id": 1}, {"group_id": 1, "is_listed": True})[at % 3]
            state = "requested" if at % 2 else "active"
            waiver = Waiver(
                **scope, state=state, rule_no=1, reason="test", owner_id=admin, requested_by=admin, approved_by=admin, expires_at=now + day
            )
            session.add(waiver)
            session.flush()
            if waiver.is_listed:
                session.add(WaiverHost(waiver_id=waiver.id or 0, host_id=host))


def cost_of(ask: Ask, path: str) -> int:
    """How many statements a page costs an admin."""
    with counted() as seen:
        assert ask("admin", "GET", path).status_code == 200
    return len(seen)


# Statements a page may cost, the one that finds the person included.
BUDGET = {
    "/session": 3,
    "/groups": 3,
    "/hosts": 5,
    "/hosts?rule=dell-bp1057-2012r2/bp1057r2.fabric.redundant": 6,
    "/hosts/facets": 7,
    "/hosts/facets/cluster?named=sql": 5,
    "/baselines": 3,
    "/drift": 6,
    "/overview": 13,
    "/rules": 3,
    "/search?q=sql": 5,
    "/audit": 2,
    "/enrolment/waiting": 2,
    "/people": 3,
    "/waivers": 10,
    "/waivers/notices": 12,
    "/attestations": 8,
    "/reports": 4,
    "/report-schedules": 2,
    "/evidence-bundles": 2,
    "/system-health": 38,
    "/switches": 4,
    "/matrix": 7,
    "/conflicts": 10,
    "/packs": 6,
    "/pack-drafts": 3,
    "/judging-runs": 6,
    "/plans": 3,
    "/jobs": 3,
    "/pending-effects": 3,
    "/standing-approvals": 6,
    "/broken-glass": 3,
    "/stop-switch": 2,
    "/windows": 5,
    "/freezes": 5,
    "/domains": 5,
    "/remediation/workers": 2,
    "/on-call": 20,
    "/performance/fleet": 5,
    "/benchmark-runs": 2,
    "/proofs": 3,
    "/views": 2,
    "/tokens": 2,
    "/notices": 5,
    "/notices/channels": 5,
    "/collection/hosts": 2,
    "/collection/credentials": 3,
    "/collection/vcenters": 2,
    "/enrolment/tokens": 2,
    "/switch-evidence": 4,
    "/first-steps": 2,
    "/assessments": 3,
}


def _cost(ask: Ask, path: str) -> int:
    ask("admin", "GET", path)
    with counted() as seen:
        answer = ask("admin", "GET", path)
    assert answer.status_code == 200, answer.text[:300]
    return len(seen)


def _paths(world: World) -> dict[str, int]:
    host = world.hosts["sql-01"]
    return {
        **BUDGET,
        f"/hosts/{host}": 10,
        f"/hosts/{host}/findings": 8,
        f"/hosts/{host}/settings": 3,
        f"/hosts/{host}/changes": 4,
        f"/hosts/{host}/timeline": 11,
        f"/hosts/{host}/paths": 4,
        f"/hosts/{host}/counters": 9,
        f"/hosts/{host}/watches": 5,
        "/rules/plumbline-core/core.paths.two_healthy": 4,
        "/rules/plumbline-core/core.paths.two_healthy/hosts": 5,
    }


def test_pages_cost_the_same_for_any_number_of_rows(ask: Ask, world: World) -> None:
    add_waivers(world, 2)
    before = {path: _cost(ask, path) for path in _paths(world)}
    add_waivers(world, 25)
    with session_scope() as session:
        for number in range(300):
            name = f"many-{number:03}"
            session.add(
                Host(
                    id=f"{number:032x}",
                    name=name,
                    name_grams=name_grams(name),
                    platform="windows",
                    group_id=1,
                    state="active",
                    score=number % 101,
                )
            )
        for number in range(3):
            add_host(session, f"sql-1{number}", group_id=world.groups["prod_b"], sample=first_samples()[0], cluster="SQL")
        for number in range(200):
            add_change(session, world.hosts["sql-01"], ("adapter", f"{number:012x}"), "mtu", 1500, 9000)
    after = {path: _cost(ask, path) for path in _paths(world)}
    assert after == before
    over = {path: (cost, _paths(world)[path]) for path, cost in after.items() if cost > _paths(world)[path]}
    assert not over


def test_overview_counts_no_findings(ask: Ask) -> None:
    ask("viewer", "GET", "/overview")
    with counted() as seen:
        ask("viewer", "GET", "/overview")
    assert seen
    assert not [statement for statement in seen if " finding " in statement.lower() or "from finding\n" in statement.lower()]


@pytest.mark.parametrize("sort", ["score", "-score", "name", "-name", "last_seen", "-last_seen", "paths", "-paths"])
def test_pages_join_to_the_whole_list_in_order(ask: Ask, sort: str) -> None:
    whole = [row["id"] for row in ask("viewer", "GET", f"/hosts?sort={sort}&limit=500").json()["items"]]
    assert len(whole) == len(set(whole)) == ask("viewer", "GET", "/hosts").json()["total"]
    pages: list[str] = []
    after = ""
    while True:
        page = ask("viewer", "GET", f"/hosts?sort={sort}&limit=37{after}").json()
        pages += [row["id"] for row in page["items"]]
        if page["next"] is None:
            break
        after = f"&after={page['next']}"
    assert pages == whole
