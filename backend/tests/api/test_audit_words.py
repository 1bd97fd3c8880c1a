"""The audit log in words: by present names, with the codes beside them."""

import pytest

from plumbline.auth.audit_words import act_words, object_words, who_words
from tests.api.conftest import Ask
from tests.api.world import World


def test_who_did_what_to_what_is_said_by_name(ask: Ask, world: World) -> None:
    host = world.hosts["sql-01"]
    changed = ask("admin", "PATCH", f"/groups/{world.groups['prod_b']}", json={"name": "Production B"})
    assert changed.status_code == 200, changed.text
    made = ask("viewer", "POST", "/views", json={"name": "Mine", "url": "/hosts?q=sql", "is_shared": False})
    assert made.status_code == 201, made.text
    items = ask("admin", "GET", "/audit?limit=20").json()["items"]
    saved = next(each for each in items if each["action"] == "view.saved")
    assert (saved["who"], saved["what"], saved["about"]) == ("Viewer", "View saved", f"view {made.json()['id']}")
    renamed = next(each for each in items if each["object_kind"] == "group")
    assert (renamed["who"], renamed["about"]) == ("Admin", "Production B")
    assert renamed["actor"] == f"person:{world.people['admin']} admin"
    tagged = ask("operator", "PATCH", f"/hosts/{host}", json={"tags": ["tier-1"]})
    assert tagged.status_code == 200, tagged.text
    first = ask("admin", "GET", f"/audit?object=host:{host}&limit=1").json()["items"][0]
    assert (first["who"], first["about"]) == ("Operator", "sql-01")


def test_people_are_found_by_their_name(ask: Ask, world: World) -> None:
    ask("viewer", "POST", "/views", json={"name": "Other", "url": "/hosts", "is_shared": False})
    found = ask("admin", "GET", "/audit?actor=VIEWER&limit=50").json()["items"]
    assert found
    # Part of a name is enough: there is a "Prod-Viewer" as well.
    assert "Viewer" in {each["who"] for each in found} <= {"Viewer", "Prod-Viewer"}
    assert ask("admin", "GET", "/audit?actor=nobody-of-that-name").json()["items"] == []


@pytest.mark.parametrize(
    ("actor", "name", "words"),
    [
        ("person:3 ana", "Ana Engineer", "Ana Engineer"),
        ("person:3 ana", "", "ana"),
        ("person:3 ana by token:7 prometheus", "Ana Engineer", "Ana Engineer (token 7 prometheus)"),
        ("system", "", "Plumbline"),
        ("host:0123", "", "Host"),
    ],
)
def test_who(actor: str, name: str, words: str) -> None:
    assert who_words(actor, name) == words


def test_what() -> None:
    assert act_words("report.exported") == "Report downloaded"
    assert act_words("host.check_now_requested") == "Host check now requested"
    assert object_words("plan", "3", "Set MTU 9000") == "Set MTU 9000 (plan 3)"
    assert object_words("secret", "5", "") == "credential 5"
    assert object_words("host", "a" * 64, "") == "host"
