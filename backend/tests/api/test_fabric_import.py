"""Fabrics labelled by a CSV: what it changes, what is wrong with which line, and that one mistake changes nothing."""

from typing import Any

import pytest
from sqlmodel import text

from plumbline.infra.database import session_scope
from tests.api.conftest import Ask
from tests.api.world import World

HEADING = "host,adapter,fabric\n"


def sent(ask: Ask, content: str, login: str = "admin", *, is_trial: bool = False) -> dict[str, Any]:
    answer = ask(login, "POST", "/fabric-labels/import", json={"content": content, "is_trial": is_trial})
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


@pytest.fixture(scope="module")
def adapters(ask: Ask, world: World) -> list[dict[str, Any]]:
    return list(ask("viewer", "GET", f"/hosts/{world.hosts['sql-01']}/paths").json()["adapters"])


def labels(ask: Ask, world: World, name: str) -> dict[str, str]:
    found = ask("viewer", "GET", f"/hosts/{world.hosts[name]}/paths").json()["adapters"]
    return {each["id"]: each["fabric"] for each in found}


def test_adapters_are_found_by_name_and_by_mac(ask: Ask, world: World, adapters: list[dict[str, Any]]) -> None:
    first, second = adapters[0], adapters[1]
    mac = "-".join(second["id"][at : at + 2] for at in range(0, 12, 2)).upper()
    content = f"\ufeffFabric;Host;Adapter\r\nA;SQL-01;{first['name']}\r\nB;{world.hosts['sql-01']};{mac}\r\n;;\r\n"
    trial = sent(ask, content, is_trial=True)
    assert (trial["is_done"], trial["mistakes"], len(trial["changes"])) == (False, [], 2)
    assert set(labels(ask, world, "sql-01").values()) == {""}
    assert sent(ask, content)["is_done"]
    after = labels(ask, world, "sql-01")
    assert (after[first["id"]], after[second["id"]]) == ("A", "B")
    with session_scope() as session:
        lag = session.execute(text("SELECT host_id FROM peer_reevaluation")).scalars().all()
        entry = session.execute(text("SELECT after FROM audit_entry WHERE action = 'host.changed' ORDER BY id DESC LIMIT 1")).scalar_one()
    assert world.hosts["sql-01"] in lag
    assert entry["fabrics"] == {first["id"]: "A", second["id"]: "B"}
    # The same again changes nothing; an empty cell takes the label off.
    assert sent(ask, content)["changes"] == []
    [gone] = sent(ask, HEADING + f"sql-01,{first['name']},\n")["changes"]
    assert (gone["before"], gone["after"]) == ("A", "")
    assert labels(ask, world, "sql-01")[first["id"]] == ""


def test_each_mistake_has_its_line_and_nothing_is_written(ask: Ask, world: World, adapters: list[dict[str, Any]]) -> None:
    name = adapters[0]["name"]
    before = labels(ask, world, "sql-01")
    content = HEADING + "\n".join(
        [
            f"sql-01,{name},C",
            f"no-such,{name},C",
            "sql-01,no-such,C",
            f"sql-01,{name},D",
            f"sql-01,{name},*",
            "sql-01,,C",
            "sql-01,only two",
        ]
    )
    shown = sent(ask, content)
    lines = {each["line"]: each["message"] for each in shown["mistakes"]}
    assert sorted(lines) == [3, 4, 5, 6, 7, 8]
    assert "Host 'no-such' not found" in lines[3]
    assert name in lines[4]
    assert "line 2 gives the same adapter another fabric" in lines[5]
    assert "no name of a fabric" in lines[6]
    assert "no adapter is named" in lines[7]
    assert "2 columns, header has 3" in lines[8]
    assert not shown["is_done"]
    assert labels(ask, world, "sql-01") == before


@pytest.mark.parametrize(
    ("content", "words"),
    [("", "Missing: host, adapter, fabric"), ("host,fabric\n", "Missing: adapter"), (HEADING, "No rows"), (HEADING + '"a\n', "line")],
)
def test_what_is_no_such_file_is_refused(ask: Ask, content: str, words: str) -> None:
    answer = ask("admin", "POST", "/fabric-labels/import", json={"content": content})
    assert answer.status_code == 422
    assert words in answer.json()["detail"]


def test_rights_end_at_the_group(ask: Ask, world: World, adapters: list[dict[str, Any]]) -> None:
    assert ask("operator", "POST", "/fabric-labels/import", json={"content": HEADING}).status_code == 403
    shown = sent(ask, HEADING + f"lab-01,{adapters[0]['name']},C", "prod-admin")
    assert "Host 'lab-01' not found." in shown["mistakes"][0]["message"]
