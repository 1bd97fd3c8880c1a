"""`/metrics`, its alert rules and its dashboard: every series they name is there, and Prometheus' own tool accepts them."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families
from sqlmodel import text

from plumbline.infra.database import session_scope
from plumbline.infra.resources import CHECKOUT
from tests.api.conftest import Ask, address, api_database, app, ask, world
from tests.api.world import World, add_group

__all__ = ["address", "api_database", "app", "ask", "world"]

FOLDER = CHECKOUT / "docs" / "operating" / "prometheus"
ALERTS, ALERT_TESTS, DASHBOARD = (FOLDER / f"plumbline-{name}" for name in ("alerts.yaml", "alerts.test.yaml", "dashboard.json"))
PROMTOOL = shutil.which(os.environ.get("PLUMBLINE_PROMTOOL", "promtool"))
needs_promtool = pytest.mark.skipif(PROMTOOL is None, reason="promtool is not on PATH, and PLUMBLINE_PROMTOOL names none")

Samples = dict[str, list[tuple[dict[str, str], float]]]


def scraped(ask: Ask) -> Samples:
    answer = ask("viewer", "GET", "/metrics")
    assert answer.status_code == 200, answer.text
    found: Samples = {}
    for family in text_string_to_metric_families(answer.text):
        found[family.name] = [(dict(sample.labels), sample.value) for sample in family.samples]
    return found


def test_figures_are_those_of_the_screens(ask: Ask, world: World) -> None:
    found = scraped(ask)
    listed = ask("viewer", "GET", "/hosts?limit=500").json()["items"]
    active = {labels["group"]: value for labels, value in found["plumbline_hosts"] if labels["state"] == "active"}
    assert active == {"PROD": 1, "PROD-B": 2, "LAB": 1}
    assert sum(active.values()) == len(listed)
    failing = sum(value for labels, value in found["plumbline_findings"] if labels["outcome"] == "fail")
    assert failing == sum(host["n_fail"] for host in listed)
    assert {labels["group"]: value for labels, value in found["plumbline_hosts_not_reporting"]} == {"PROD": 1, "PROD-B": 0, "LAB": 0}
    assert sum(value for _, value in found["plumbline_hosts_capped"]) == sum(bool(host["capped_by"]) for host in listed)
    assert found["plumbline_emergency_stop"] == [({}, 0)]
    assert ({"part": "Database"}, 0) in found["plumbline_part_level"]
    assert ({"part": "Broker"}, 3) in found["plumbline_part_level"]


def test_groups_of_one_name_have_series_of_their_own(ask: Ask, world: World) -> None:
    with session_scope() as session:
        twin = add_group(session, "LAB", world.groups["prod"])
        session.execute(text("UPDATE host SET group_id = :group WHERE name = 'esx-01'"), {"group": twin})
    try:
        for name, samples in scraped(ask).items():
            series = [tuple(sorted(labels.items())) for labels, _ in samples]
            assert len(series) == len(set(series)), name
    finally:
        with session_scope() as session:
            session.execute(text("UPDATE host SET group_id = :group WHERE name = 'esx-01'"), {"group": world.groups["prod"]})


def named(expression: str) -> set[str]:
    return set(re.findall(r"\bplumbline_[a-z_]+", expression))


def test_alerts_and_dashboard_name_series_that_are_there(ask: Ask) -> None:
    # One that is there only once a backup was made.
    known = {*scraped(ask), "plumbline_last_backup_timestamp_seconds"}
    rules = [rule for group in yaml.safe_load(ALERTS.read_text())["groups"] for rule in group["rules"]]
    assert len({rule["alert"] for rule in rules}) == len(rules) > 8
    for rule in rules:
        assert named(rule["expr"]) <= known, rule["alert"]
        assert {"summary", "description"} <= set(rule["annotations"])
        assert rule["labels"]["severity"] in ("critical", "warning")
    panels = json.loads(DASHBOARD.read_text())["panels"]
    expressions = [target["expr"] for panel in panels for target in panel["targets"]]
    assert set().union(*(named(each) for each in expressions)) <= known
    assert all(named(each) for each in expressions)
    assert len({panel["id"] for panel in panels}) == len(panels)
    for panel in panels:
        place = panel["gridPos"]
        assert place["x"] + place["w"] <= 24, panel["title"]


def test_the_page_lists_every_metric(ask: Ask) -> None:
    page = (CHECKOUT / "docs" / "operating" / "monitoring.md").read_text()
    listed = set(re.findall(r"^\| `(plumbline_[a-z_]+)` \|", page, re.MULTILINE))
    assert listed == {*scraped(ask), "plumbline_last_backup_timestamp_seconds"}


@needs_promtool
@pytest.mark.parametrize("arguments", [["check", "rules", str(ALERTS)], ["test", "rules", str(ALERT_TESTS)]], ids=["check", "test"])
def test_prometheus_accepts_the_alerts(arguments: list[str]) -> None:
    done = subprocess.run([str(PROMTOOL), *arguments], capture_output=True, text=True, timeout=60, check=False, cwd=FOLDER)
    assert done.returncode == 0, done.stdout + done.stderr


@needs_promtool
def test_prometheus_accepts_what_is_scraped(ask: Ask, tmp_path: Path) -> None:
    shown = ask("viewer", "GET", "/metrics").text
    done = subprocess.run([str(PROMTOOL), "check", "metrics"], input=shown, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
