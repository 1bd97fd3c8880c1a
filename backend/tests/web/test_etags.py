"""An answer that a client has already is not sent again."""

import pytest

from tests.api.conftest import Ask, address, api_database, app, ask, world
from tests.api.world import World

__all__ = ["address", "api_database", "app", "ask", "world"]


def test_the_same_object_is_sent_once(ask: Ask, world: World) -> None:
    path = f"/hosts/{world.hosts['sql-01']}/findings"
    first = ask("viewer", "GET", path)
    tag = first.headers["etag"]
    assert tag.startswith('W/"')
    again = ask("viewer", "GET", path, headers={"if-none-match": tag})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    assert "content-type" not in again.headers
    assert again.headers["x-content-type-options"] == "nosniff"
    several = ask("viewer", "GET", path, headers={"if-none-match": f'"other", {tag}'})
    assert several.status_code == 304
    assert ask("viewer", "GET", path, headers={"if-none-match": "*"}).status_code == 304
    assert ask("viewer", "GET", path, headers={"if-none-match": '"other"'}).json() == first.json()


def test_a_changed_object_has_another_tag(ask: Ask, world: World) -> None:
    path = f"/hosts/{world.hosts['sql-02']}"
    before = ask("viewer", "GET", path).headers["etag"]
    assert ask("admin", "PATCH", path, json={"tags": ["changed"]}).status_code == 200
    after = ask("viewer", "GET", path, headers={"if-none-match": before})
    assert after.status_code == 200
    assert after.headers["etag"] != before


def test_a_tag_gives_nobody_what_they_may_not_see(ask: Ask, world: World) -> None:
    path = f"/hosts/{world.hosts['lab-01']}"
    tag = ask("viewer", "GET", path).headers["etag"]
    assert ask("prod-viewer", "GET", path, headers={"if-none-match": tag}).status_code == 404
    assert ask("", "GET", path, headers={"if-none-match": tag}).status_code == 401


@pytest.mark.parametrize(("method", "path"), [("GET", "/hosts/nope"), ("POST", "/reports"), ("GET", "/evidence-bundles/verify_bundle.py")])
def test_errors_writes_and_files_have_none(ask: Ask, method: str, path: str) -> None:
    assert "etag" not in ask("viewer", method, path, json={} if method == "POST" else None).headers
