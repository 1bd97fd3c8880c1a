"""What a report is about: a group, the hosts of a saved view, and a date in the past, each with the figures of the screen that shows it."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlmodel import text

from plumbline.fleet.view_filters import filters_of
from plumbline.infra.database import session_scope
from plumbline.infra.errors import BadInput
from plumbline.previews.runs import advance_run
from plumbline.reports.build import build_report
from tests.api.conftest import Ask
from tests.api.world import World
from tests.reports.conftest import frozen_now, until


def built(ask: Ask, login: str = "viewer", **asked: Any) -> dict[str, Any]:
    made = ask(login, "POST", "/reports", json={"group_id": 1, **asked})
    assert made.status_code == 201, made.text
    with session_scope() as session:
        build_report(session, made.json()["id"])
    report: dict[str, Any] = ask(login, "GET", f"/reports/{made.json()['id']}").json()
    assert report["state"] == "ready", report["error"]
    return report


def test_a_report_of_a_saved_view_has_the_hosts_of_the_list(ask: Ask, world: World) -> None:
    group = world.groups["prod_b"]
    made = ask(
        "viewer", "POST", "/views", json={"name": "Failing in B", "url": f"/hosts?group={group}&outcome=fail&sort=name", "is_shared": True}
    )
    assert made.status_code == 201, made.text
    report = built(ask, "operator", template="technical", view_id=made.json()["id"])
    listed = ask("operator", "GET", f"/hosts?group={group}&outcome=fail&limit=500").json()["items"]
    assert listed
    data = report["data"]
    assert {host["id"]: host["score"] for host in data["hosts"]} == {host["id"]: host["score"] for host in listed}
    for status, column in (("pass", "n_pass"), ("fail", "n_fail"), ("unknown", "n_unknown"), ("waived", "n_waived")):
        assert data["outcomes"][status] == sum(host[column] for host in listed), status
    assert sum(band["hosts"] for band in data["distribution"]) == sum(host["score"] is not None for host in listed)
    assert {each["host_id"] for each in data["findings"]} <= {host["id"] for host in listed}
    assert (report["view_name"], data["report"]["scope"]["kind"]) == ("Failing in B", "view")
    assert data["report"]["title"] == "Technical report: Failing in B"


def test_counts_of_a_view_of_all_hosts_are_those_of_the_group(world: World) -> None:
    whole, view = frozen_now("technical"), frozen_now("technical", filters={}, view_name="Everything")
    for part in ("outcomes", "distribution", "failing_rules", "risks", "findings", "hosts"):
        assert view[part] == whole[part], part
    assert view["score"]["mean"] == whole["score"]["mean"]


def test_somebody_elses_private_view_and_views_of_other_pages_are_refused(ask: Ask, world: World) -> None:
    private = ask("admin", "POST", "/views", json={"name": "Mine", "url": "/hosts?q=sql", "is_shared": False}).json()["id"]
    assert ask("viewer", "POST", "/reports", json={"group_id": 1, "view_id": private}).status_code == 404
    drift = ask("viewer", "POST", "/views", json={"name": "Drift", "url": "/drift?hours=24", "is_shared": False}).json()["id"]
    refused = ask("viewer", "POST", "/reports", json={"group_id": 1, "view_id": drift})
    assert refused.status_code == 422
    assert "hosts page" in refused.json()["detail"]


def test_filters_of_an_address() -> None:
    assert filters_of("/hosts") == {}
    assert filters_of("/hosts?q=sql&outcome=fail,unknown&score_below=60&sort=name") == {
        "q": "sql",
        "outcome": ["fail", "unknown"],
        "score_below": 60,
    }
    assert filters_of("/hosts?outcome=fail&outcome=unknown") == {"outcome": ["fail", "unknown"]}
    with pytest.raises(BadInput, match="not known any more"):
        filters_of("/hosts?outcome=dreadful")
    with pytest.raises(BadInput, match="colour"):
        filters_of("/hosts?colour=red")


@pytest.mark.parametrize(
    ("period", "word"),
    [
        ({"preset": "custom"}, "first_day"),
        ({"preset": "last_month", "first_day": "2026-01-01", "last_day": "2026-01-31"}, "custom"),
        ({"preset": "custom", "first_day": "2026-03-01", "last_day": "2026-01-31"}, "after"),
        ({"preset": "custom", "first_day": "2999-01-01", "last_day": "2999-01-31"}, "has not started yet"),
        ({"preset": "custom", "first_day": "1999-01-01", "last_day": "2026-01-31"}, "2000"),
        ({"time_zone": "Mars/Olympus"}, "time zone"),
        ({"preset": "eternity"}, "preset"),
    ],
)
def test_a_period_that_cannot_be_is_refused_with_words(ask: Ask, world: World, period: dict[str, str], word: str) -> None:
    refused = ask("viewer", "POST", "/reports", json={"group_id": 1, "period": period})
    assert refused.status_code == 422
    assert word in refused.text


@pytest.fixture
def past(world: World) -> datetime:
    """Configurations that were read three days ago, and packs that were in force by then."""
    with session_scope() as session:
        for statement in (
            "UPDATE host_configuration SET received_at = received_at - interval '3 days'",
            "UPDATE host SET enrolled_at = enrolled_at - interval '9 days', approved_at = NULL",
            "UPDATE pack_activation SET activated_at = activated_at - interval '9 days'",
        ):
            session.execute(text(statement))
    return datetime.now(UTC) - timedelta(days=1)


def test_a_report_of_a_past_date_has_the_figures_of_the_past_state(ask: Ask, world: World, past: datetime) -> None:
    day = past.date() - timedelta(days=1)
    data = frozen_now("technical", period=until(day))
    assert data["report"]["is_past"] is True
    asked = ask("viewer", "POST", "/past-runs", json={"group_id": 1, "as_of": data["report"]["as_of"]})
    assert asked.status_code == 202, asked.text
    more = True
    while more:
        with session_scope() as session:
            more = advance_run(session, asked.json()["id"])
    run = ask("viewer", "GET", f"/judging-runs/{asked.json()['id']}").json()
    assert run["state"] == "ready"
    figures = run["figures"]
    assert figures["hosts_judged"] > 0
    assert data["score"]["mean"] == figures["after"]["mean"]
    assert data["score"]["median"] == figures["after"]["median"]
    assert data["score"]["rule_coverage"] == figures["rule_coverage"]
    assert [band["hosts"] for band in data["distribution"]] == figures["after"]["bands"]
    assert {word: data["outcomes"][word] for word in figures["words"]} == figures["words"]
    hosts = ask("viewer", "GET", f"/judging-runs/{asked.json()['id']}/hosts?limit=500").json()["items"]
    assert {row["host"]["id"]: row["score_after"] for row in hosts if not row["absent"]} == {
        host["id"]: host["score"] for host in data["hosts"] if not host["absent"]
    }
    assert sum(each["status"] == "fail" for each in data["findings"]) == data["outcomes"]["fail"] == data["risks"]["total"]
