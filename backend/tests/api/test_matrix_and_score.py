"""The matrix has the status of the findings, and the parts of a score add up to it."""

import math
from collections import Counter
from itertools import product

import pytest
from sqlmodel import text

from plumbline.core.rules.finding_status import BIT_SQL, bit_of
from plumbline.fleet import matrix, matrix_groups
from plumbline.infra.database import session_scope
from tests.api.conftest import Ask
from tests.api.test_counts import counted
from tests.api.world import World, add_host, first_samples

RANK = ["fail", "unknown", "excluded", "waived", "advice", "pass", "not_applicable"]


def test_every_cell_is_the_worst_finding_of_its_host_and_rule(ask: Ask) -> None:
    shown = ask("viewer", "GET", "/matrix?rules=all").json()
    assert not shown["is_aggregate"]
    assert shown["total_hosts"] == len(shown["hosts"])
    for host in shown["hosts"]:
        pages = ask("viewer", "GET", f"/hosts/{host['id']}/findings").json()["items"]
        told_once = {(each["pack"], each["rule"]): each["standing"] for each in reversed(pages)}
        for rule, cell in zip(shown["rules"], host["cells"], strict=True):
            key = (rule["pack"], rule["rule"])
            if key in told_once:
                worst = min((each["standing"] for each in pages if (each["pack"], each["rule"]) == key), key=RANK.index)
                assert cell == worst, (host["name"], key)


def test_linked_rules_are_one_column_one_row_and_one_line(ask: Ask) -> None:
    """Both editions of BP1057 are active: linked rules are shown once, name both editions, and count each host once."""
    columns = ask("viewer", "GET", "/matrix?rules=all").json()["rules"]
    rows = ask("viewer", "GET", "/rules").json()["items"]
    lines = ask("viewer", "GET", "/overview").json()["failing_rules"]
    parts = ask("viewer", "GET", "/score").json()["rules"]
    for shown in (columns, rows, lines, parts):
        named = [f"{each['pack']}/{each['rule']}" for one in shown for each in (one, *one["also"])]
        assert len(named) == len(set(named))
        both = next(one for one in shown if one["rule"] == "bp1057.bcm57810.ndis.receive_buffers")
        assert [each["rule"] for each in both["also"]] == ["bp1057r2.bcm57810.ndis.receive_buffers"]
    alone = ask("viewer", "GET", "/rules?pack=dell-bp1057-2012r2").json()["items"]
    assert alone
    assert all(one["pack"] == "dell-bp1057-2012r2" and one["also"] == [] for one in alone)


def test_linked_rules_count_each_failing_host_once(ask: Ask) -> None:
    lines = {(one["pack"], one["rule"]): one for one in ask("viewer", "GET", "/overview").json()["failing_rules"]}
    rules = ask("viewer", "GET", "/rules").json()["items"]
    assert any(one["hosts"]["fail"] > 1 for one in rules)
    for one in rules:
        failing = set()
        for each in (one, *one["also"]):
            page = ask("viewer", "GET", f"/rules/{each['pack']}/{each['rule']}/hosts?outcome=fail&limit=200")
            failing |= {(item["host_id"], item["subject"]["kind"], item["subject"]["id"]) for item in page.json()["items"]}
        assert one["hosts"]["fail"] == len({host for host, *_ in failing})
        assert one["subjects"]["fail"] == len(failing)
        line = lines.get((one["pack"], one["rule"]))
        if line is not None:
            assert (line["hosts"], line["subjects"]) == (one["hosts"]["fail"], one["subjects"]["fail"])


def test_the_word_in_sql_is_the_word_in_python(world: World) -> None:
    kinds = ("recommended", "guard_rail", "advisory", "informational", "capability", "attestation")
    marks = list(product(("pass", "fail", "unknown", "not_applicable"), (None, 7), ("", "conflict", "grace"), kinds))
    o, w, e, k = (list(column) for column in zip(*marks, strict=True))
    asked = (
        f"SELECT {BIT_SQL} FROM unnest(CAST(:o AS text[]), CAST(:w AS int[]), CAST(:e AS text[]), CAST(:k AS text[]))"
        " WITH ORDINALITY AS f (outcome, waiver_id, excluded_by, kind, at) ORDER BY at"
    )
    with session_scope() as session:
        assert list(session.execute(text(asked), {"o": o, "w": w, "e": e, "k": k}).scalars()) == [bit_of(*mark) for mark in marks]


def test_columns_and_rows_begin_with_what_fails_most(ask: Ask) -> None:
    shown = ask("viewer", "GET", "/matrix").json()
    failing = [rule["hosts_failing"] for rule in shown["rules"]]
    assert failing == sorted(failing, reverse=True)
    rows = [host["cells"].count("fail") for host in shown["hosts"]]
    assert rows == sorted(rows, reverse=True)
    for at, rule in enumerate(shown["rules"]):
        assert rule["hosts_failing"] == sum(1 for host in shown["hosts"] if host["cells"][at] == "fail"), rule["rule"]
    assert shown["hidden_rules"] > 0
    assert len(ask("viewer", "GET", "/matrix?rules=all").json()["rules"]) > len(shown["rules"])


def test_too_many_hosts_are_counted_by_group(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = ask("viewer", "GET", "/matrix").json()
    monkeypatch.setattr(matrix, "MOST_HOSTS", 2)
    for by in ("cluster", "group"):
        shown = ask("viewer", "GET", f"/matrix?by={by}").json()
        assert shown["is_aggregate"]
        assert shown["hosts"] == []
        assert sum(group["hosts"] for group in shown["groups"]) == shown["total_hosts"]
        # A status that no host has is left out.
        assert all(hosts for group in shown["groups"] for cell in group["cells"] if cell is not None for hosts in cell.values())
        for at, _ in enumerate(whole["rules"]):
            cells = Counter(host["cells"][at] for host in whole["hosts"] if host["cells"][at])
            summed = Counter(
                {word: sum(group["cells"][at].get(word, 0) for group in shown["groups"] if group["cells"][at]) for word in RANK}
            )
            assert +summed == cells
    assert ask("viewer", "GET", "/matrix").json()["by"] == "group"
    assert (shown["more"], shown["hosts_apart"]) == (0, 0)
    monkeypatch.setattr(matrix_groups, "MOST_ROWS", 1)
    one = ask("viewer", "GET", "/matrix?by=group").json()
    assert (one["groups"], one["more"]) == (shown["groups"][:1], len(shown["groups"]) - 1)
    monkeypatch.setattr(matrix_groups, "MOST_BY_CLUSTER", 2)
    few = ask("viewer", "GET", "/matrix?by=cluster").json()
    assert sum(group["hosts"] for group in few["groups"]) <= 2
    whole_rows = Counter(host["cluster"] for host in whole["hosts"])
    left_out = whole_rows.keys() - {group["key"] for group in few["groups"]}
    assert (few["more"], few["hosts_apart"]) == (len(left_out - {""}), whole_rows[""] if "" in left_out else 0)
    one = ask("viewer", "GET", "/matrix?cluster=SQL").json()
    assert not one["is_aggregate"]
    assert {host["name"] for host in one["hosts"]} == {"sql-01", "sql-02"}


def test_the_matrix_ends_at_the_scope_and_refuses_nonsense(ask: Ask, world: World) -> None:
    assert {host["name"] for host in ask("prod-viewer", "GET", "/matrix").json()["hosts"]} == {"sql-01", "sql-02", "esx-01"}
    assert ask("prod-viewer", "GET", f"/matrix?group={world.groups['lab']}").status_code == 404
    assert ask("viewer", "GET", "/matrix?pack=no-such").status_code == 422
    assert ask("viewer", "GET", "/matrix?by=nothing").status_code == 422
    assert ask("viewer", "GET", "/matrix?cluster=%00").status_code == 422


def test_the_parts_of_a_host_sum_to_its_score(ask: Ask) -> None:
    hosts = ask("viewer", "GET", "/hosts?limit=500").json()["items"]
    assert len(hosts) > 3
    for host in hosts:
        shown = ask("viewer", "GET", f"/hosts/{host['id']}/score").json()
        left = 100 - sum(rule["points_lost"] for rule in shown["rules"])
        assert math.floor(left + 1e-9) == shown["uncapped"]
        assert shown["score"] == min(shown["uncapped"], *(cap["limit"] for cap in shown["caps"]), 100) == host["score"]
        plain = 100 - sum(rule["counted_lost"] for rule in shown["rules"])
        assert math.floor(plain + 1e-9) == shown["count_based"]
        assert sum(rule["points_possible"] for rule in shown["rules"]) == pytest.approx(100)
        assert sum(rule["counted_possible"] for rule in shown["rules"]) == pytest.approx(100)
        for rule in shown["rules"]:
            assert rule["weight"] == pytest.approx(rule["band_points"] * rule["strength_factor"] * rule["fit"])


def test_the_parts_of_the_fleet_sum_to_its_mean(ask: Ask, world: World) -> None:
    for login, query in (("viewer", ""), ("viewer", f"?group={world.groups['prod_b']}"), ("prod-viewer", "")):
        shown = ask(login, "GET", f"/score{query}").json()
        overview = ask(login, "GET", f"/overview{query}").json()["score"]
        assert shown["weighed"]["mean"] == overview["mean"]
        assert shown["weighed"]["median"] == overview["median"]
        assert [each["score"] for each in shown["weighed"]["worst"]] == [each["score"] for each in overview["worst"]]
        assert shown["rule_coverage"] == overview["rule_coverage"]
        lost = sum(rule["points_lost"] for rule in shown["rules"])
        assert lost == pytest.approx(shown["lost_to_rules"])
        made = 100 - lost - shown["lost_to_rounding"] - shown["lost_to_caps"]
        # A cap is shown only if it lowers the score.
        assert (shown["hosts_capped"] > 0) == (shown["lost_to_caps"] > 0)
        assert made == pytest.approx(shown["weighed"]["mean"], abs=0.06)
        assert sum(band["hosts"] for band in shown["weighed"]["distribution"]) == shown["hosts_scored"]
        assert shown["without_waivers"] == shown["weighed"]["mean"]
    assert ask("prod-viewer", "GET", f"/score?group={world.groups['lab']}").status_code == 404


def test_more_hosts_cost_no_more_queries(ask: Ask, world: World) -> None:
    def cost(path: str) -> int:
        ask("admin", "GET", path)
        with counted() as seen:
            assert ask("admin", "GET", path).status_code == 200
        return len(seen)

    paths = ("/matrix", "/score")
    before = {path: cost(path) for path in paths}
    with session_scope() as session:
        for number in range(3):
            add_host(session, f"more-{number}", group_id=world.groups["lab"], sample=first_samples()[0])
        session.execute(text("SELECT 1"))
    assert {path: cost(path) for path in paths} == before
    assert max(before.values()) <= 14
