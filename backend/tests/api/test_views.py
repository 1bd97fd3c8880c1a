"""Saved views: one of them may open in place of its page."""

from tests.api.conftest import Ask


def save(ask: Ask, name: str, url: str) -> int:
    answer = ask("viewer", "POST", "/views", json={"name": name, "url": url})
    assert answer.status_code == 201, answer.text
    return int(answer.json()["id"])


def test_one_view_a_page_opens_by_default(ask: Ask) -> None:
    silent, failing = save(ask, "Silent", "/hosts?freshness=silent"), save(ask, "Failing", "/hosts?outcome=fail")
    rules = save(ask, "My rules", "/rules?pack=plumbline-core")
    for view in (silent, rules, failing):
        assert ask("viewer", "PATCH", f"/views/{view}", json={"is_default": True}).json()["is_default"]
    assert defaults(ask, "viewer") == {failing, rules}
    ask("viewer", "PATCH", f"/views/{failing}", json={"is_default": False})
    assert defaults(ask, "viewer") == {rules}


def test_a_default_view_belongs_to_its_owner_only(ask: Ask) -> None:
    shared = ask("viewer", "POST", "/views", json={"name": "Shared", "url": "/hosts?tag=gold", "is_shared": True}).json()["id"]
    ask("viewer", "PATCH", f"/views/{shared}", json={"is_default": True})
    assert shared in {row["id"] for row in ask("operator", "GET", "/views").json()}
    assert defaults(ask, "operator") == set()
    assert ask("operator", "PATCH", f"/views/{shared}", json={"is_default": True}).status_code == 404


def defaults(ask: Ask, login: str) -> set[int]:
    return {row["id"] for row in ask(login, "GET", "/views").json() if row["is_default"]}
