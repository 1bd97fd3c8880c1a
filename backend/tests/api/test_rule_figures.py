"""Rules on their pages, compared with the lists of hosts and what was put into the database."""

from collections import Counter
from typing import Any

import pytest
from sqlmodel import select

from plumbline.infra.database import session_scope
from plumbline.models.packs import PackVersion
from tests.api.conftest import Ask
from tests.api.world import World


def test_rule_page_and_list_and_hosts_agree(ask: Ask) -> None:
    listed = ask("viewer", "GET", "/rules").json()
    assert {pack["pack"] for pack in listed["packs"]} >= {"plumbline-core", "dell-bp1057-2012"}
    row = next(each for each in listed["items"] if each["hosts"]["fail"])
    rule = ask("viewer", "GET", f"/rules/{row['pack']}/{row['rule']}").json()
    assert rule["hosts"] == row["hosts"]
    assert rule["evidence"]
    weight = rule["weight"]
    assert weight["w"] == pytest.approx(weight["band_points"] * weight["strength_factor"] * weight["fit"])
    assert rule["settings"]
    assert rule["yaml"].startswith("id: ")
    for word in ("fail", "pass", "unknown", "not_applicable"):
        page = ask("viewer", "GET", f"/rules/{row['pack']}/{row['rule']}/hosts?outcome={word}&limit=500").json()
        assert page["total"] == len(page["items"]) == rule["subjects"][word], word
        assert {each["standing"] for each in page["items"]} <= {word}
    paged: list[Any] = []
    shown: list[str] = []
    after = ""
    while True:
        page = ask("viewer", "GET", f"/rules/{row['pack']}/{row['rule']}/hosts?limit=2{after}").json()
        paged += [(each["host_id"], each["subject"]["id"]) for each in page["items"]]
        shown += [each["standing"] for each in page["items"]]
        if page["next"] is None:
            break
        after = f"&after={page['next']}"
    assert len(paged) == len(set(paged)) == page["total"]
    # What a person has to put right comes first, on every page of the list.
    assert shown == sorted(shown, key=["fail", "advice", "unknown", "excluded", "waived", "pass", "not_applicable"].index)
    assert len(set(shown)) > 1
    assert ask("viewer", "GET", f"/hosts?rule={row['pack']}/{row['rule']}").json()["total"] == row["hosts"]["fail"]
    narrow = ask("viewer", "GET", f"/rules?q={row['title'][:12]}&outcome=fail&kind={row['kind']}").json()["items"]
    assert row["rule"] in [each["rule"] for each in narrow]
    assert ask("viewer", "GET", "/rules?pack=dell-esxi55&outcome=fail").json()["items"] == []


def test_hosts_are_listed_under_every_name_of_a_linked_rule(ask: Ask) -> None:
    linked = [row for row in ask("viewer", "GET", "/rules").json()["items"] if row["also"] and row["hosts"]["fail"]]
    assert linked
    for row in linked:
        names = [f"{rule['pack']}/{rule['rule']}" for rule in (row, *row["also"])]
        assert {ask("viewer", "GET", f"/hosts?rule={name}").json()["total"] for name in names} == {row["hosts"]["fail"]}, names


def test_a_rule_has_its_papers_cases_and_versions(ask: Ask) -> None:
    where = "/rules/dell-esxi55/esxi55.delayed_ack"
    rule = ask("viewer", "GET", where).json()
    assert rule["covers"]
    assert all(line["at"] and line["says"] for line in rule["covers"])
    assert {bed["paper"] for bed in rule["beds"]} == {each["paper"] for each in rule["evidence"]}
    forgotten = next(each for each in rule["cases"] if each["name"] == "one hba forgotten")
    assert forgotten["expected"] == "fail"
    assert forgotten["about"] == "Each hardware initiator has its own setting; one was forgotten."
    assert forgotten["holds"].startswith("platform: esxi")
    assert [(each["is_first"], each["fields"]) for each in rule["versions"]] == [(True, [])]
    with session_scope() as session:
        first = session.exec(select(PackVersion).where(PackVersion.pack == "dell-esxi55")).one()
        rules = [{**each, "title": "Another title"} if each["id"] == rule["rule"] else each for each in first.document["rules"]]
        session.add(PackVersion(pack=first.pack, version="99.0.0", content_hash="later", document={**first.document, "rules": rules}))
    newer, older = ask("viewer", "GET", where).json()["versions"]
    assert (newer["version"], newer["is_first"], older["is_first"]) == ("99.0.0", False, True)
    assert newer["fields"] == [{"field": "title", "old": rule["title"], "new": "Another title"}]


def test_every_rule_has_a_page(ask: Ask) -> None:
    rows = ask("viewer", "GET", "/rules").json()["items"]
    assert len(rows) > 80
    for row in rows:
        answer = ask("viewer", "GET", f"/rules/{row['pack']}/{row['rule']}")
        assert answer.status_code == 200, row
        rule = answer.json()
        assert rule["expect_words"]
        # A setting of both platforms is shown as it is read on the rule's platform only.
        assert {source["platform"] for setting in rule["settings"] for source in setting["sources"]} <= set(rule["platforms"])


def test_the_subjects_listed_under_a_rule_s_outcome_are_those_counted(ask: Ask) -> None:
    listed: Counter[str] = Counter()
    for rule in ask("viewer", "GET", "/rules").json()["items"]:
        for outcome, number in rule["subjects"].items():
            page = ask("viewer", "GET", f"/rules/{rule['pack']}/{rule['rule']}/hosts?outcome={outcome}&limit=200")
            assert page.status_code == 200, (rule["rule"], outcome, page.text)
            assert page.json()["total"] == number, (rule["rule"], outcome)
            assert {row["standing"] for row in page.json()["items"]} <= {outcome}
            listed[outcome] += number
    assert listed["fail"]
    assert listed["advice"]


def test_advice_is_never_counted_or_named_as_failing(ask: Ask) -> None:
    rules = {(rule["pack"], rule["rule"]): rule for rule in ask("viewer", "GET", "/rules").json()["items"]}
    for rule in rules.values():
        if rule["weight"] == 0:
            assert rule["hosts"]["fail"] == rule["subjects"]["fail"] == 0, rule["rule"]
    for row in ask("viewer", "GET", "/hosts?limit=500").json()["items"]:
        if row["worst"]:
            assert rules[row["worst"]["pack"], row["worst"]["rule"]]["weight"] > 0, row["name"]
    for line in ask("viewer", "GET", "/overview").json()["failing_rules"]:
        assert rules[line["pack"], line["rule"]]["weight"] > 0, line["rule"]


def test_a_pack_that_is_off_for_the_root_and_on_for_a_group_is_in_the_library(ask: Ask, world: World) -> None:
    versions = ask("viewer", "GET", "/packs/dell-esxi55").json()["versions"]
    on = {"group_id": world.groups["lab"], "what": "version", "version_id": versions[0]["id"], "reason": "for a test"}
    assert ask("admin", "POST", "/packs/dell-esxi55/activations", json=on).status_code == 201
    root: dict[str, Any] = {"group_id": 1, "what": "off", "reason": "for a test"}
    assert ask("admin", "POST", "/packs/dell-esxi55/activations", json=root).status_code == 201
    try:
        assert "dell-esxi55" in {pack["pack"] for pack in ask("viewer", "GET", "/rules").json()["packs"]}
        inherits = {"group_id": world.groups["lab"], "what": "inherit", "reason": "for a test"}
        assert ask("admin", "POST", "/packs/dell-esxi55/activations", json=inherits).status_code == 201
        assert "dell-esxi55" not in {pack["pack"] for pack in ask("viewer", "GET", "/rules").json()["packs"]}
    finally:
        root |= {"what": "version", "version_id": versions[0]["id"]}
        assert ask("admin", "POST", "/packs/dell-esxi55/activations", json=root).status_code == 201
