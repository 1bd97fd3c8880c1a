"""A pack's life through the API: uploaded, compared, previewed, published, activated for a group, in grace, gone back from."""

from contextlib import nullcontext
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlmodel import text

from plumbline.core.facts.configuration import HOST
from plumbline.core.rules.finding_status import status_of
from plumbline.evaluation.rollups import compare_rollups
from plumbline.infra.database import session_scope
from plumbline.packs.activation import end_grace
from plumbline.previews import runs
from tests.api.conftest import Ask
from tests.api.test_waivers import rewrite
from tests.api.world import World
from tests.packs import site
from tests.packs.conftest import Publish, judge_all, work_off

ZIP = {"headers": {"content-type": "application/zip"}}

Words = dict[tuple[str, str, str, str], str]  # host, rule, subject kind, subject id -> word


def standing() -> tuple[Words, dict[str, tuple[int | None, str]]]:
    """The status of every finding, and each host's score and cap."""
    with session_scope() as session:
        rows = session.execute(
            text(
                "SELECT f.host_id, n.pack || '/' || n.rule AS rule, f.subject_kind, f.subject_id, f.outcome, f.waiver_id, f.excluded_by,"
                " f.kind FROM finding f JOIN rule_number n ON n.no = f.rule_no"
            )
        )
        words = {
            (row.host_id, row.rule, row.subject_kind, row.subject_id): status_of(row.outcome, row.waiver_id, row.excluded_by, row.kind)
            for row in rows
        }
        hosts = {
            row.id: (row.score, row.capped_by)
            for row in session.execute(text("SELECT id, score, capped_by FROM host WHERE rules_epoch > 0"))
        }
        assert compare_rollups(session) == {}
    return words, hosts


def preview(ask: Ask, **asked: Any) -> dict[str, Any]:
    answer = ask("admin", "POST", "/previews", json=asked)
    assert answer.status_code == 202, answer.text
    work_off(answer.json()["id"])
    found: dict[str, Any] = ask("admin", "GET", f"/judging-runs/{answer.json()['id']}").json()
    assert found["state"] == "ready", found
    return found


def hosts_of(ask: Ask, run: dict[str, Any]) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = []
    after = None
    while True:
        page = ask("admin", "GET", f"/judging-runs/{run['id']}/hosts", params={"limit": 1, **({"after": after} if after else {})}).json()
        items += page["items"]
        after = page["next"]
        if after is None:
            assert page["total"] == len(items)
            return items


def activate(ask: Ask, pack: str, **asked: Any) -> dict[str, Any]:
    answer = ask("admin", "POST", f"/packs/{pack}/activations", json={"reason": "for a test", **asked})
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()
    return found


def assert_came_true(run: dict[str, Any], hosts: list[dict[str, Any]], before: Any, after: Any) -> None:
    """The activation did exactly what the preview showed: each finding, each score, and the sums."""
    words_before, figures_before = before
    words_after, figures_after = after
    happened = {
        (*key, words_before.get(key, ""), words_after.get(key, ""))
        for key in words_before.keys() | words_after.keys()
        if words_before.get(key) != words_after.get(key)
        # A preview leaves out changes between no finding and "not applicable".
        and {words_before.get(key, ""), words_after.get(key, "")} != {"", "not_applicable"}
    }
    said = {
        (
            host["host"]["id"],
            f"{each['pack']}/{each['rule']}",
            each["subject"]["kind"],
            each["subject"]["id"],
            each["before"],
            each["after"],
        )
        for host in hosts
        for each in host["changes"]
    }
    assert said == happened
    shown = {host["host"]["id"]: host for host in hosts}
    for host_id, (score, capped) in figures_after.items():
        if host_id in shown:
            assert (shown[host_id]["score_after"], shown[host_id]["capped_after"]) == (score, capped)
            assert (shown[host_id]["score_before"], shown[host_id]["capped_before"]) == figures_before[host_id]
        else:
            assert figures_before[host_id] == (score, capped)
    newly = [each for each in happened if each[5] == "fail"]
    gone = [each for each in happened if each[4] == "fail"]
    figures = run["figures"]
    assert (figures["newly_failing"], figures["newly_failing_hosts"]) == (len(newly), len({each[0] for each in newly}))
    assert (figures["no_longer_failing"], figures["no_longer_failing_hosts"]) == (len(gone), len({each[0] for each in gone}))
    assert sum(rule["newly_failing"] for rule in figures["rules"]) == len(newly)


def test_an_activation_does_what_its_preview_shows(ask: Ask, world: World, publish: Publish) -> None:
    content = site.archive(site.files(version="0.1.0", rss="disabled"))
    draft = ask("admin", "POST", "/pack-drafts/archive", content=content, **ZIP).json()["draft"]
    asked = {"group_id": world.groups["prod"], "pack": "site-array", "what": "draft", "draft_id": draft["id"]}
    judge_all()
    before = standing()
    said = preview(ask, **asked)
    assert standing() == before
    assert said["figures"]["newly_failing"] > 0
    assert said["figures"]["newly_undecided"] > 0
    assert said["chosen"] == [{"pack": "site-array", "version": "0.1.0", "is_draft": True, "in_grace": False}]
    hosts = hosts_of(ask, said)
    assert {host["host"]["name"] for host in hosts} == {"sql-01", "sql-02"}

    published = ask("admin", "POST", f"/pack-drafts/{draft['id']}/publish", json={"note": ""}).json()
    judge_all()
    assert standing() == before

    activate(ask, "site-array", group_id=world.groups["prod"], what="version", version_id=published["published_version_id"])
    assert ask("admin", "GET", f"/judging-runs/{said['id']}").json()["is_outdated"]
    judge_all()
    after = standing()
    assert_came_true(said, hosts, before, after)

    # A newer version that requires less, then back to the older one, then off again: each as its preview showed.
    newer = publish(version="0.2.0", rss="enabled", called="Called otherwise since 0.2")
    older = published["published_version_id"]
    # A preview calls rules as the version that it tries does, not as the one in force.
    tried = hosts_of(ask, preview(ask, group_id=world.groups["lab"], pack="site-array", what="version", version_id=newer))
    called = {change["title"] for host in tried for change in host["changes"] if change["rule"] == "site.flow_control.off"}
    assert called == {"Called otherwise since 0.2"}
    for what in ({"what": "version", "version_id": newer}, {"what": "version", "version_id": older}, {"what": "off"}, {"what": "inherit"}):
        before = standing()
        said = preview(ask, group_id=world.groups["prod"], pack="site-array", **what)
        hosts = hosts_of(ask, said)
        activate(ask, "site-array", group_id=world.groups["prod"], **what)
        judge_all()
        assert_came_true(said, hosts, before, standing())


SAME_RSS = """\
id: site.rss.same_in_cluster
kind: consistency
title: One RSS state in a cluster
summary: All members have the same.
why: A role that moves should find the same network stack.
status: {state: active}
applies_to: {platform: windows}
expect: {setting: host.tcp.rss, same_across: cluster}
impact: none
fix: {manual_only: ["Set the odd one."], because: "which is right is for the cluster's owner"}
"""


def test_a_rule_with_new_peer_questions_is_previewed_with_the_peers(ask: Ask, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """No host has answered this question yet, and each host is a chunk of its own: peers answer from their configurations all the same."""
    node = "platform: windows\nsettings:\n  host: {os_release: '2012', tcp.rss: enabled}\n"
    made = site.files(version="0.4.0") | {
        "rules/site.rss.same_in_cluster.yaml": SAME_RSS,
        "cases/site.rss.same_in_cluster.agree.pass.yaml": node + "cluster: {n2: {host: {os_release: '2012', tcp.rss: enabled}}}\n",
        "cases/site.rss.same_in_cluster.differ.fail.yaml": node + "cluster: {n2: {host: {os_release: '2012', tcp.rss: disabled}}}\n",
        "cases/site.rss.same_in_cluster.esxi.not_applicable.yaml": "platform: esxi\nsettings:\n  host: {os_release: '8.0'}\n",
        "cases/site.rss.same_in_cluster.unread.unknown.yaml": node.replace("enabled", "{unknown: access denied}"),
    }
    result = ask("admin", "POST", "/pack-drafts/archive", content=site.archive(made), **ZIP).json()
    assert result["mistakes"] == []
    with session_scope() as session:
        for name in ("sql-01", "sql-02"):
            rewrite(session, world.hosts[name], HOST, "cluster", "SQL")
    judge_all()
    before = standing()
    monkeypatch.setattr(runs, "CHUNK", 1)
    said = preview(ask, group_id=world.groups["prod_b"], pack="site-array", what="draft", draft_id=result["draft"]["id"])
    hosts = hosts_of(ask, said)
    mine = [each for host in hosts for each in host["changes"] if each["rule"] == "site.rss.same_in_cluster"]
    assert [each["after"] for each in mine] == ["pass", "pass"]
    published = ask("admin", "POST", f"/pack-drafts/{result['draft']['id']}/publish", json={"note": ""}).json()
    activate(ask, "site-array", group_id=world.groups["prod_b"], what="version", version_id=published["published_version_id"])
    judge_all()
    assert_came_true(said, hosts, before, standing())
    activate(ask, "site-array", group_id=world.groups["prod_b"], what="inherit")
    judge_all()


def test_a_preview_restarts_if_other_rules_come_into_force_meanwhile(ask: Ask, world: World, publish: Publish) -> None:
    version = publish(version="0.3.0", rss="disabled")
    run = ask("admin", "POST", "/previews", json={"group_id": 1, "pack": "site-array", "what": "version", "version_id": version}).json()
    with session_scope() as session:
        assert runs.advance_run(session, run["id"])
    activate(ask, "site-array", group_id=world.groups["lab"], what="version", version_id=version)
    judge_all()
    work_off(run["id"])
    done = ask("admin", "GET", f"/judging-runs/{run['id']}").json()
    assert (done["state"], done["is_outdated"]) == ("ready", False)
    # In LAB the version is active already, so nothing would change there.
    assert {group["name"] for group in done["figures"]["groups"] if group["hosts_changed"]} == {"PROD-B"}
    activate(ask, "site-array", group_id=world.groups["lab"], what="inherit")
    judge_all()


def test_in_grace_nothing_counts_until_the_end_is_written(ask: Ask, world: World, publish: Publish) -> None:
    version = publish(version="5.0.0", rss="disabled")
    until = datetime.now(UTC) + timedelta(days=7)
    asked = {"group_id": world.groups["lab"], "what": "version", "version_id": version}
    said = preview(ask, pack="site-array", in_grace=True, **asked)
    before = standing()
    detail = activate(ask, "site-array", grace_until=until.isoformat(), **asked)
    [lab] = [group for group in detail["groups"] if group["name"] == "LAB"]
    assert (lab["how"], lab["version"], lab["grace_until"] is not None) == ("own", "5.0.0", True)
    judge_all()
    after = standing()
    assert_came_true(said, hosts_of(ask, said), before, after)
    assert said["figures"]["in_grace"] > 0
    key = (world.hosts["lab-01"], "site-array/site.rss.on", "host", "")
    assert (before[0].get(key), after[0][key]) == (None, "excluded")

    def shown() -> dict[str, Any]:
        items = ask("viewer", "GET", f"/hosts/{world.hosts['lab-01']}/findings").json()["items"]
        return next(one for one in items if one["rule"] == "site.rss.on")  # type: ignore[no-any-return]

    # The finding has the end of the grace period.
    assert (shown()["excluded_by"], datetime.fromisoformat(shown()["grace_until"])) == ("grace", until)

    # After its end, but before the end is written, all processes still evaluate alike.
    with session_scope() as session:
        session.execute(text("UPDATE pack_activation SET grace_until = clock_timestamp() - interval '1 s' WHERE grace_until IS NOT NULL"))
    judge_all()
    assert standing() == after
    with session_scope() as session:
        assert end_grace(session) == 1
    with session_scope() as session:
        assert end_grace(session) == 0
    judge_all()
    assert standing()[0][key] == "fail"
    assert shown()["grace_until"] is None
    marks = ask("viewer", "GET", "/overview").json()["events"]
    assert [mark["label"] for mark in marks[-2:]] == ["site-array 5.0.0 on LAB", "site-array: grace ended on LAB"]
    words = [event["words"] for event in ask("viewer", "GET", "/packs/site-array").json()["history"]]
    assert words[0] == "grace period ended: failures count"
    activate(ask, "site-array", group_id=world.groups["lab"], what="inherit")
    judge_all()


def test_marks_are_on_the_trends_of_their_groups(ask: Ask, world: World, publish: Publish) -> None:
    version = publish(version="6.0.0")
    activate(ask, "site-array", group_id=world.groups["prod_b"], what="version", version_id=version)
    judge_all()

    def labels(group: str) -> list[str]:
        return [mark["label"] for mark in ask("viewer", "GET", "/overview", params={"group": world.groups[group]}).json()["events"]]

    assert "site-array 6.0.0 on PROD-B" in labels("root")
    assert "site-array 6.0.0 on PROD-B" in labels("prod")
    assert "site-array 6.0.0" in labels("prod_b")
    assert not any("6.0.0" in label for label in labels("lab"))
    activate(ask, "site-array", group_id=world.groups["prod_b"], what="inherit")
    judge_all()


def test_activations_that_change_nothing_or_are_invalid_are_refused(ask: Ask, world: World, publish: Publish) -> None:
    version = publish(version="7.0.0")
    prod = world.groups["prod"]
    good = {"group_id": prod, "what": "version", "version_id": version, "reason": "for a test"}
    yesterday = (datetime.now(UTC) - timedelta(days=1)).isoformat()
    for status, change in (
        (404, {"group_id": 99_999}),
        (404, {"version_id": 99_999}),
        (422, {"version_id": None}),
        (422, {"what": "off"}),
        (422, {"reason": ""}),
        (422, {"grace_until": yesterday}),
        (422, {"grace_until": "2030-01-01T00:00:00"}),
        (422, {"group_id": 1, "what": "inherit", "version_id": None}),
        (409, {"what": "inherit", "version_id": None}),
    ):
        answer = ask("admin", "POST", "/packs/site-array/activations", json=good | change)
        assert answer.status_code == status, (change, answer.text)
    assert ask("admin", "POST", "/packs/no-such/activations", json=good).status_code == 404
    assert ask("prod-admin", "POST", "/packs/site-array/activations", json=good | {"group_id": world.groups["lab"]}).status_code == 404
    activate(ask, "site-array", group_id=prod, what="version", version_id=version)
    assert ask("prod-admin", "POST", "/packs/site-array/activations", json=good).status_code == 409
    answer = ask("prod-admin", "POST", "/packs/site-array/activations", json={"group_id": prod, "what": "inherit", "reason": "enough"})
    assert answer.status_code == 201
    judge_all()


def test_a_reader_of_a_branch_sees_that_branch(ask: Ask, world: World, publish: Publish) -> None:
    version = publish(version="8.0.0")
    activate(ask, "site-array", group_id=world.groups["lab"], what="version", version_id=version)
    detail = ask("prod-viewer", "GET", "/packs/site-array").json()
    assert {group["name"] for group in detail["groups"]} == {"PROD", "PROD-B"}
    assert not any(event["group"] == "LAB" for event in detail["history"])
    mine = {each["pack"]: each for each in ask("prod-viewer", "GET", "/packs").json()["items"]}
    assert (mine["site-array"]["in_force"], mine["site-array"]["hosts"]) == ([], 0)
    assert mine["dell-esxi55"]["hosts"] == 3
    run = ask("admin", "POST", "/previews", json={"group_id": world.groups["lab"], "pack": "site-array", "what": "off"}).json()
    assert ask("prod-admin", "GET", f"/judging-runs/{run['id']}").status_code == 404
    assert ask("prod-admin", "GET", f"/judging-runs/{run['id']}/hosts").status_code == 404
    assert ask("prod-operator", "POST", "/previews", json={"group_id": 1, "pack": "site-array", "what": "off"}).status_code == 404
    work_off(run["id"])
    activate(ask, "site-array", group_id=world.groups["lab"], what="inherit")
    judge_all()


def test_runs_at_work_are_limited_and_bad_page_addresses_refused(ask: Ask) -> None:
    asked = {"group_id": 1, "pack": "dell-esxi55", "what": "off"}
    runs = []
    while (answer := ask("operator", "POST", "/previews", json=asked)).status_code == 202:
        runs.append(answer.json()["id"])
    assert (len(runs), answer.status_code) == (5, 429)
    for run in runs:
        work_off(run)
    for cursor in ("x", "W10", "WzEsMiwzLDRd", "WyJhIiwxLDIsICJiIl0"):
        assert ask("operator", "GET", f"/judging-runs/{runs[0]}/hosts", params={"after": cursor}).status_code == 422


def test_a_run_that_breaks_off_repeats_nothing_and_loses_nothing(ask: Ask, publish: Publish, monkeypatch: pytest.MonkeyPatch) -> None:
    version = publish(version="9.0.0", rss="disabled")
    asked = {"group_id": 1, "pack": "site-array", "what": "version", "version_id": version}
    judge_all()
    whole = preview(ask, **asked)
    # A host a chunk, and every second chunk is lost with its worker before it was committed.
    monkeypatch.setattr(runs, "CHUNK", 1)
    run = ask("admin", "POST", "/previews", json=asked).json()
    seen = []
    for attempt in range(100):
        with pytest.raises(InterruptedError) if attempt % 2 else nullcontext(), session_scope() as session:
            more = runs.advance_run(session, run["id"])
            if attempt % 2:
                raise InterruptedError
        if attempt % 2 == 0:
            seen.append(ask("admin", "GET", f"/judging-runs/{run['id']}").json()["hosts_done"])
            if not more:
                break
    broken = ask("admin", "GET", f"/judging-runs/{run['id']}").json()
    assert seen == [*range(1, broken["hosts_total"] + 1), broken["hosts_total"]]
    assert broken["figures"] == whole["figures"]
    assert hosts_of(ask, broken) == hosts_of(ask, whole)
