"""Pages over large groups show what was prepared of them, and never without what somebody did since."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlmodel import Session, text

from plumbline.checkin.gaps import record_gaps
from plumbline.drift.prepared_parts import MANY_HOSTS, prepare_parts
from plumbline.fleet import tasks
from plumbline.hosts.kept_counts import fold_counts
from plumbline.infra.database import get_engine, session_scope
from plumbline.models.findings import FindingLog
from tests.api.conftest import Ask
from tests.api.test_figures import failing_mtu
from tests.api.world import World, add_change

OF_CHANGES = ("causes", "groups", "more", "is_cut")
OF_WORSE = ("worse", "stricter", "newly_failing")


def prepare() -> int:
    """Prepares the pages of every group that has a host."""
    return prepare_parts(tasks.MAKERS, more_than=0)


def worsen(world: World, name: str, minutes: int) -> None:
    """So many minutes ago the host's MTU fell, and a rule fails since."""
    with session_scope() as session:
        at: datetime = session.execute(text("SELECT now()")).scalar_one() - timedelta(minutes=minutes)
        rule_no, adapter = failing_mtu(session, world.hosts[name])
        add_change(session, world.hosts[name], ("adapter", adapter), "mtu", 9000, 1500 + minutes, received_at=at)
        session.add(
            FindingLog(
                at=at, host_id=world.hosts[name], rule_no=rule_no, subject_kind="adapter", subject_id=adapter, old="pass", new="fail"
            )
        )


@pytest.fixture(autouse=True)
def changed(world: World) -> Iterator[None]:
    """Two hosts got worse; nothing is prepared yet."""
    with session_scope() as session:
        for table in ("setting_change", "finding_log", "prepared_part", "prepared_part_change"):
            session.execute(text(f"DELETE FROM {table}"))
        fold_counts(session)
    worsen(world, "sql-01", 30)
    worsen(world, "lab-01", 20)
    yield
    with session_scope() as session:
        session.execute(text("DELETE FROM prepared_part"))


def is_prepared(page: dict[str, Any]) -> bool:
    """Whether a page has a prepared part: it is older than the page."""
    return bool((page["changes_as_of"] if "changes_as_of" in page else page["worse_as_of"]) != page["as_of"])


def test_prepared_pages_are_those_put_together_from_the_changes(ask: Ask, world: World) -> None:
    paths = [f"/{page}{group}" for page in ("drift", "overview") for group in ("", *(f"?group={each}" for each in world.groups.values()))]
    before = {path: ask("viewer", "GET", path).json() for path in paths}
    assert not any(is_prepared(page) for page in before.values())
    # Root, PROD, PROD-B and LAB.
    assert prepare() == 4 * len(tasks.MAKERS) == 16
    assert prepare() == 0, "the next ones are due in fifteen seconds"
    for path in paths:
        now = ask("viewer", "GET", path).json()
        assert is_prepared(now), path
        for part in OF_CHANGES if "drift" in path else OF_WORSE:
            assert now[part] == before[path][part], (path, part)
        if "overview" in path:
            assert now["headline"] == before[path]["headline"]
    assert before["/drift"]["groups"]
    assert len(before["/overview"]["worse"]) == 2
    # Who reads one branch has the parts of that branch.
    assert [each["name"] for group in ask("prod-viewer", "GET", "/drift").json()["groups"] for each in group["hosts"]] == ["sql-01"]


def test_small_groups_are_not_prepared(ask: Ask) -> None:
    assert MANY_HOSTS == 5_000
    tasks.prepare_pages()
    assert not is_prepared(ask("viewer", "GET", "/drift").json())
    with session_scope() as session:
        assert session.execute(text("SELECT count(*) FROM prepared_part")).scalar_one() == 0


def test_what_a_person_chooses_is_put_together_at_once(ask: Ask, world: World) -> None:
    prepare()
    for chosen in ("hours=24", "cause=unknown", f"host={world.hosts['sql-01']}", "unread=true"):
        assert not is_prepared(ask("viewer", "GET", f"/drift?{chosen}").json()), chosen
    assert not is_prepared(ask("viewer", "GET", "/overview?days=1").json())
    # A table to download is whole.
    assert len(ask("viewer", "GET", "/exports/drift.csv").text.strip().splitlines()) == 3


def test_a_later_change_is_shown_with_the_next_part(ask: Ask, world: World) -> None:
    prepare()
    worsen(world, "sql-02", 1)
    assert len(ask("viewer", "GET", "/drift").json()["groups"]) == 2
    with session_scope() as session:
        session.execute(text("UPDATE prepared_part SET used_until = used_until - interval '25 seconds'"))
    assert prepare() == 16
    assert len(ask("viewer", "GET", "/drift").json()["groups"]) == 3
    assert ask("viewer", "GET", "/overview").json()["headline"]["worse"] == 3
    # Where no worker prepares any more, the page is put together from the changes.
    worsen(world, "sql-02", 2)
    with session_scope() as session:
        session.execute(text("UPDATE prepared_part SET used_until = now()"))
    page = ask("viewer", "GET", "/drift").json()
    assert (is_prepared(page), len(page["groups"])) == (False, 4)


def test_marks_are_seen_at_once(ask: Ask) -> None:
    prepare()
    [first, _] = ask("operator", "GET", "/drift").json()["groups"]
    made = ask("operator", "POST", "/drift/marks", json={"change_ids": [int(first["id"])], "reason": "announced to us"})
    assert made.status_code == 201
    assert [each["is_expected"] for each in ask("operator", "GET", "/drift").json()["groups"]] == [True, False]
    prepare_again()
    page = ask("operator", "GET", "/drift").json()
    assert (is_prepared(page), [each["is_expected"] for each in page["groups"]]) == (True, [True, False])
    assert ask("operator", "POST", f"/drift/marks/{made.json()['id']}/end").status_code == 204
    assert [each["is_expected"] for each in ask("operator", "GET", "/drift").json()["groups"]] == [False, False]


def prepare_again() -> None:
    """As when the next parts are due."""
    with session_scope() as session:
        session.execute(text("UPDATE prepared_part SET used_until = now()"))
    prepare()


def test_a_host_that_moves_is_not_shown_where_it_was(ask: Ask, world: World) -> None:
    prepare()
    assert [each["name"] for each in ask("prod-viewer", "GET", "/overview").json()["newly_failing"]] == ["sql-01"]
    assert ask("admin", "PATCH", f"/hosts/{world.hosts['sql-01']}", json={"group_id": world.groups["lab"]}).status_code == 200
    assert ask("prod-viewer", "GET", "/overview").json()["newly_failing"] == []
    assert ask("prod-viewer", "GET", "/drift").json()["groups"] == []
    assert ask("admin", "PATCH", f"/hosts/{world.hosts['sql-01']}", json={"group_id": world.groups["prod_b"]}).status_code == 200
    prepare_again()
    assert is_prepared(ask("prod-viewer", "GET", "/drift").json())
    # The same where the group moves with its hosts.
    with session_scope() as session:
        session.execute(text("UPDATE host_group SET path = '1/' || id || '/' WHERE id = :id"), {"id": world.groups["prod_b"]})
    assert ask("prod-viewer", "GET", "/drift").json()["groups"] == []
    with session_scope() as session:
        path = f"1/{world.groups['prod']}/{world.groups['prod_b']}/"
        session.execute(text("UPDATE host_group SET path = :path WHERE id = :id"), {"id": world.groups["prod_b"], "path": path})


def seen(world: World, name: str, intervals: float) -> None:
    """The host checked in so many intervals ago; which hosts may be late is noted, as a worker does."""
    with session_scope() as session:
        ago = "now() - make_interval(secs => :intervals * interval_seconds)"
        session.execute(text(f"UPDATE host SET last_seen_at = {ago} WHERE id = :id"), {"id": world.hosts[name], "intervals": intervals})
        record_gaps(session)


def freshness(ask: Ask, path: str = "/hosts/facets") -> dict[str, int]:
    facets = {each["name"]: each["values"] for each in ask("viewer", "GET", path).json()["facets"]}
    return {each["value"]: each["count"] for each in facets["freshness"]}


def test_hosts_without_check_ins_are_counted_as_of_the_last_part(ask: Ask, world: World) -> None:
    for name in world.hosts:
        seen(world, name, 0)
    seen(world, "sql-01", 3)
    seen(world, "lab-01", 9)
    paths = ["/overview", "/hosts/facets", *(f"/hosts/facets?group={each}" for each in world.groups.values()), "/hosts/facets?os=2016"]
    before = {path: ask("viewer", "GET", path).json() for path in paths}
    assert (before["/overview"]["headline"]["silent"], [each["name"] for each in before["/overview"]["silent"]]) == (1, ["lab-01"])
    counted = freshness(ask)
    assert (counted["late"], counted["silent"]) == (1, 1)
    prepare()
    after = {path: ask("viewer", "GET", path).json() for path in paths}
    times = ("as_of", "worse_as_of")
    assert {path: {name: page[name] for name in page if name not in times} for path, page in after.items()} == {
        path: {name: page[name] for name in page if name not in times} for path, page in before.items()
    }
    # Both check in again, and one has another release and fails more: whatever is counted by these is right at once.
    seen(world, "sql-01", 0)
    seen(world, "lab-01", 0)
    with session_scope() as session:
        session.execute(text("UPDATE host SET os_release = '2025', tags = '{new}' WHERE id = :id"), {"id": world.hosts["lab-01"]})
    assert ask("viewer", "GET", "/overview").json()["headline"]["silent"] == 1
    assert freshness(ask) == counted
    page = ask("viewer", "GET", "/hosts/facets").json()
    assert page["total"] == before["/hosts/facets"]["total"]
    values = {each["name"]: {value["value"]: value["count"] for value in each["values"]} for each in page["facets"]}
    assert (values["os"]["2025"], values["tag"]["new"]) == (1, 1)
    assert all(count > 0 for facet in values.values() for count in facet.values())
    assert [each["name"] for each in ask("viewer", "GET", "/hosts?freshness=silent").json()["items"]] == []
    prepare_again()
    assert ask("viewer", "GET", "/overview").json()["headline"]["silent"] == 0
    assert set(freshness(ask)) <= {"fresh", "bundle"}


def test_a_part_that_could_not_see_a_change_is_not_used(ask: Ask, world: World) -> None:
    """The part is made while somebody moves a host, and is stored before that is committed."""
    with Session(get_engine()) as moving:
        moving.execute(text("UPDATE host SET group_id = :lab WHERE id = :id"), {"lab": world.groups["lab"], "id": world.hosts["sql-01"]})
        assert prepare() == 16
        assert is_prepared(ask("prod-viewer", "GET", "/drift").json())
        moving.commit()
    page = ask("prod-viewer", "GET", "/drift").json()
    assert (is_prepared(page), page["groups"]) == (False, [])
    with session_scope() as session:
        session.execute(
            text("UPDATE host SET group_id = :group WHERE id = :id"), {"group": world.groups["prod_b"], "id": world.hosts["sql-01"]}
        )
    prepare_again()
    assert is_prepared(ask("prod-viewer", "GET", "/drift").json())


def test_a_part_of_another_version_is_not_used(ask: Ask) -> None:
    prepare()
    before = ask("viewer", "GET", "/drift").json()
    assert is_prepared(before)
    with session_scope() as session:
        session.execute(text("UPDATE prepared_part SET document = :document"), {"document": '{"events": []}'})
    now = ask("viewer", "GET", "/drift").json()
    assert (is_prepared(now), now["groups"]) == (False, before["groups"])
    assert not is_prepared(ask("viewer", "GET", "/overview").json())


def test_what_is_out_of_use_is_deleted() -> None:
    prepare()
    with session_scope() as session:
        session.execute(text("UPDATE host SET state = state"))
        assert session.execute(text("SELECT count(*) FROM prepared_part_change")).scalar_one() == 0, "nothing changed"
        session.execute(text("INSERT INTO prepared_part_change (at) VALUES (now() - interval '3 hours')"))
        session.execute(text("UPDATE prepared_part SET used_until = now() - interval '2 hours'"))
    tasks.prepare_pages()
    with session_scope() as session:
        assert session.execute(text("SELECT count(*) FROM prepared_part")).scalar_one() == 0
        assert session.execute(text("SELECT count(*) FROM prepared_part_change")).scalar_one() == 0
