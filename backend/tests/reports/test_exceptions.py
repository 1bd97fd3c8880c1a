"""Waivers and attestations in a report: apart from what passes, with who answers for them, and never green once they are over."""

import io
import json
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pypdf
import pytest
from sqlmodel import text

from plumbline.infra.database import session_scope
from plumbline.reports import draw
from plumbline.reports.formats import to_csv, to_json, to_pdf
from tests.api.conftest import Ask
from tests.api.world import World
from tests.reports.conftest import csv_rows, frozen_now


def later(days: float) -> str:
    return (datetime.now(UTC) + timedelta(days=days)).isoformat()


@pytest.fixture(scope="module")
def frozen(ask: Ask, world: World) -> dict[str, Any]:
    """One waiver of each kind of life: in force, asked for, past its time though nobody wrote that yet, ended by a trip-wire; and two
    attestations, of which one is past its time.
    """
    failing: dict[tuple[str, str, str], str] = {}
    for name, host in world.hosts.items():
        items = ask("viewer", "GET", f"/hosts/{host}/findings").json()["items"]
        failing |= {(host, each["pack"], each["rule"]): name for each in items if each["standing"] == "fail"}
    chosen = sorted(failing, key=lambda each: (failing[each] != "sql-01", each))[:4]
    made = []
    for number, (host, pack, rule) in enumerate(chosen):
        said = {"pack": pack, "rule": rule, "reason": f"life number {number}", "expires_at": later(30), "host_ids": [host]}
        answer = ask("operator", "POST", "/waivers", json=said)
        assert answer.status_code == 201, answer.text
        made.append(answer.json()["id"])
    for waiver in (made[0], made[2], made[3]):
        assert ask("approver", "POST", f"/waivers/{waiver}/approve").status_code == 200
    host = world.hosts["sql-01"]
    items = ask("viewer", "GET", f"/hosts/{host}/findings").json()["items"]
    unseen = [each for each in items if each["kind"] == "attestation" and each["outcome"] != "not_applicable"][:2]
    for number, each in enumerate(unseen):
        said = {"pack": each["pack"], "rule": each["rule"], "is_so": True, "statement": f"looked at it, {number}", "expires_at": later(30)}
        answer = ask("operator", "POST", "/attestations", json={**said, "host_id": host} if number == 0 else {**said, "group_id": 1})
        assert answer.status_code == 201, answer.text
    with session_scope() as session:
        session.execute(text("UPDATE waiver SET expires_at = now() - interval '1 minute' WHERE id = :id"), {"id": made[2]})
        session.execute(
            text("UPDATE waiver SET state = 'tripped', ended_at = now(), end_words = 'driver 7.4 became 7.8' WHERE id = :id"),
            {"id": made[3]},
        )
        session.execute(text("UPDATE attestation SET expires_at = now() - interval '1 minute' WHERE group_id = 1"))
    return frozen_now("exceptions")


def test_states_are_those_of_the_pages(ask: Ask, frozen: dict[str, Any]) -> None:
    facets = {each["value"]: each["count"] for each in ask("viewer", "GET", "/waivers").json()["facets"]["state"]}
    shown = Counter(each["state"] for each in frozen["exceptions"])
    assert shown == {"active": 1, "requested": 1, "expired": 1, "tripped": 1} == {key: n for key, n in facets.items() if n}
    assert {key: n for key, n in frozen["waivers_by_state"].items() if n} == shown
    assert Counter(each["state"] for each in frozen["attestations"]) == {"active": 1, "expired": 1}


def test_each_says_who_answers_for_it_and_until_when(frozen: dict[str, Any]) -> None:
    by_state = {each["state"]: each for each in frozen["exceptions"]}
    assert all(each["owner"] and each["expires_at"] and each["scope"] for each in by_state.values())
    assert by_state["active"]["approver"]
    assert not by_state["requested"]["approver"]
    assert by_state["active"]["findings"] > 0
    assert by_state["tripped"]["end_words"] == "driver 7.4 became 7.8"
    assert all(each["author"] and each["statement"] for each in frozen["attestations"])
    # What both editions of a paper ask is waived together, and both are named.
    assert any(len(each["rules"]) == 2 for each in frozen["exceptions"])


def test_csv_and_json_and_pdf_list_the_same(frozen: dict[str, Any]) -> None:
    assert json.loads(to_json(frozen)) == frozen
    tables = csv_rows(to_csv(frozen))
    assert Counter(row["state"] for row in tables["waivers"]) == Counter(each["state"] for each in frozen["exceptions"])
    assert {row["author"] for row in tables["attestations"]} == {each["author"] for each in frozen["attestations"]}
    pages = pypdf.PdfReader(io.BytesIO(to_pdf(frozen))).pages
    words = " ".join(" ".join(page.extract_text() for page in pages).replace("\u200b", "").split())
    assert "Waivers that expired or ended early" in words
    over = words.partition("Waivers that expired or ended early")[2].partition("Attestations Rule")[0]
    assert "life number 2" in over
    assert "life number 3" in over
    assert "driver 7.4 became 7.8" in over
    assert "life number 0" not in over
    attested = words.partition("Attestations Rule")[2]
    assert "looked at it, 0" in attested
    assert "Expired" in attested.partition("looked at it, 1")[0]


def test_neither_an_expired_nor_an_ended_waiver_is_green_or_keeps_findings_away(frozen: dict[str, Any]) -> None:
    over = [each for each in frozen["exceptions"] if each["state"] in ("expired", "tripped")]
    assert [each["findings"] for each in over] == [0, 0]
    assert frozen["waived_findings"] == sum(each["findings"] for each in frozen["exceptions"] if each["state"] == "active") > 0
    template = (Path(draw.__file__).parent / "typst" / "common.typ").read_text()
    states = template.partition("#let state-of(state)")[2].partition(
        "#let",
    )[0]
    assert 'expired: ("✕", colours.fail' in template
    assert 'tripped: ("✕", colours.fail' in states
    assert "colours.pass" not in states


def test_a_branch_tells_of_what_stands_above_it_and_not_of_what_stands_beside(world: World, frozen: dict[str, Any]) -> None:
    branch = frozen_now("exceptions", group_id=world.groups["prod_b"])
    in_branch = {"sql-01", "sql-02"}
    assert branch["exceptions"] == [each for each in frozen["exceptions"] if each["scope"] in in_branch]
    assert branch["exceptions"]
    assert len(branch["attestations"]) == 2
    beside = frozen_now("exceptions", group_id=world.groups["lab"])
    assert not any(each["scope"] in in_branch for each in beside["exceptions"])
    assert [each["scope"] for each in beside["attestations"]] == ["All hosts and subgroups"]
