"""`/metrics`, its alert rules and its dashboard: every series they name is there, Prometheus' own tool accepts the rules, a real Prometheus
answers what the dashboard asks, and the dashboard is one by Grafana's own types.
"""

import contextlib
import json
import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families
from sqlmodel import text

from plumbline.infra.database import session_scope
from plumbline.infra.resources import CHECKOUT
from tests.api.conftest import Ask, address, api_database, app, ask, world
from tests.api.world import World, add_group, add_person
from tests.conftest import free_port

__all__ = ["address", "api_database", "app", "ask", "world"]

FOLDER = CHECKOUT / "docs" / "operating" / "prometheus"
ALERTS, ALERT_TESTS, DASHBOARD = (FOLDER / f"plumbline-{name}" for name in ("alerts.yaml", "alerts.test.yaml", "dashboard.json"))
MONITORING = FOLDER.parent / "monitoring.md"
_BUILT = CHECKOUT / "tools" / ".prometheus"


def _program(name: str) -> str | None:
    """On PATH or named by a variable, or as `make prometheus` builds it."""
    return shutil.which(os.environ.get(f"PLUMBLINE_{name.upper()}", name)) or shutil.which(_BUILT / name)


PROMTOOL, PROMETHEUS, DASHBOARD_CHECK = _program("promtool"), _program("prometheus"), _program("plumbline-dashboard")
needs_promtool = pytest.mark.skipif(PROMTOOL is None, reason="promtool is not there; where Go is, `make prometheus` builds it")
needs_prometheus = pytest.mark.skipif(PROMETHEUS is None, reason="Prometheus is not there; where Go is, `make prometheus` builds it")
needs_dashboard_check = pytest.mark.skipif(
    DASHBOARD_CHECK is None, reason="the check of dashboards is not there; where Go is, `make prometheus` builds it"
)

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


def _checked(file: Path) -> tuple[int, str]:
    """The exit code of the check, and what it finds against a dashboard."""
    done = subprocess.run([str(DASHBOARD_CHECK), str(file)], capture_output=True, text=True, timeout=60, check=False)
    return done.returncode, done.stderr


@needs_dashboard_check
def test_the_dashboard_is_one_by_grafanas_types(tmp_path: Path) -> None:
    assert _checked(DASHBOARD) == (0, "")
    # And the check finds what is wrong: an option that the panel does not have, a place in words, a query without its text.
    for damage, words in (
        (lambda panel: panel["options"].update(graphStyle="area"), "unexpected field 'graphStyle'"),
        (lambda panel: panel["gridPos"].update(x="left"), "gridPos"),
        (lambda panel: panel["targets"][0].pop("expr"), "targets[0].expr"),
    ):
        document = json.loads(DASHBOARD.read_text())
        damage(document["panels"][0])
        (tmp_path / "damaged.json").write_text(json.dumps(document))
        code, found = _checked(tmp_path / "damaged.json")
        assert code == 1
        assert words in found


def test_the_page_lists_every_metric(ask: Ask) -> None:
    page = MONITORING.read_text()
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


@pytest.fixture
def prometheus(ask: Ask, address: str, world: World, tmp_path: Path) -> Iterator[str]:
    """A Prometheus that scrapes this application as the page says, with the alert rules; its address."""
    (block,) = re.findall(r"```yaml\n(scrape_configs:.*?)```", MONITORING.read_text(), re.DOTALL)
    config = yaml.safe_load(block)
    (job,) = config["scrape_configs"]
    person = f"monitor-{tmp_path.name}"
    with session_scope() as session:
        add_person(session, person, [("admin", 1), ("viewer", 1)], world)
    terms = {"name": "prometheus", "roles": ["viewer"], "group_id": 1, "expires_days": 30, "service": "prometheus"}
    made = ask(person, "POST", "/tokens", json=terms)
    assert made.status_code == 201, made.text
    (tmp_path / "token").write_text(made.json()["token"])
    # The address of this run; everything else is the page's.
    job["scheme"], job["static_configs"] = "http", [{"targets": [address.removeprefix("http://")]}]
    job["authorization"]["credentials_file"] = str(tmp_path / "token")
    config |= {"global": {"scrape_interval": "1s", "evaluation_interval": "1s"}, "rule_files": [str(ALERTS)]}
    (tmp_path / "prometheus.yml").write_text(yaml.safe_dump(config))
    port = free_port()
    words = [
        f"--config.file={tmp_path / 'prometheus.yml'}",
        f"--storage.tsdb.path={tmp_path / 'data'}",
        f"--web.listen-address=127.0.0.1:{port}",
    ]
    with (tmp_path / "log").open("wb") as log:
        process = subprocess.Popen([str(PROMETHEUS), *words], stdout=log, stderr=log)
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(30)


@needs_prometheus
def test_a_real_prometheus_scrapes_what_the_screens_show_and_loads_the_alerts(ask: Ask, prometheus: str) -> None:
    with httpx.Client(base_url=f"{prometheus}/api/v1", timeout=10, trust_env=False) as client:

        def asked(path: str, **params: str) -> Any:
            answer = client.get(path, params=params).json()
            assert answer["status"] == "success", answer
            return answer["data"]

        limit = time.monotonic() + 60
        found: list[Any] = []
        while not found and time.monotonic() < limit:
            with contextlib.suppress(httpx.HTTPError, ValueError, AssertionError):
                found = asked("/query", query='sum(plumbline_hosts{state="active"})')["result"]
            time.sleep(0.5)
        assert float(found[0]["value"][1]) == len(ask("viewer", "GET", "/hosts?limit=500").json()["items"])
        (target,) = asked("/targets")["activeTargets"]
        assert (target["health"], target["lastError"]) == ("up", "")
        rules = [rule for group in asked("/rules")["groups"] for rule in group["rules"]]
        assert len(rules) == sum(len(group["rules"]) for group in yaml.safe_load(ALERTS.read_text())["groups"])
        while any(rule["health"] == "unknown" for rule in rules) and time.monotonic() < limit:
            time.sleep(0.5)
            rules = [rule for group in asked("/rules")["groups"] for rule in group["rules"]]
        assert {rule["name"]: rule.get("lastError", "") for rule in rules if rule["health"] != "ok"} == {}
        # What the dashboard asks has an answer, with every group chosen; of waivers and jobs there may be none.
        for panel in json.loads(DASHBOARD.read_text())["panels"]:
            for target in panel["targets"]:
                answer = asked("/query", query=target["expr"].replace("$group", ".*"))["result"]
                assert answer or panel["title"] in ("Open jobs by state",), panel["title"]
        (mean,) = asked("/query", query=_mean_score().replace("$group", ".*"))["result"]
        scores = [host["score"] for host in ask("viewer", "GET", "/hosts?limit=500").json()["items"] if host["score"] is not None]
        assert float(mean["value"][1]) == pytest.approx(sum(scores) / len(scores), abs=0.1)


def _mean_score() -> str:
    (panel,) = [each for each in json.loads(DASHBOARD.read_text())["panels"] if each["title"] == "Mean score"]
    return str(panel["targets"][0]["expr"])
