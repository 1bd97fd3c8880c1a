"""The tree of groups where several people change it at once."""

import threading
import time
from collections.abc import Callable

from sqlmodel import Session, text

from plumbline.auth.actor import Actor, Grant
from plumbline.database import session_scope
from plumbline.errors import Conflict
from plumbline.findings.rollups import fold_rollups
from plumbline.hosts.groups import change_group, create_group, lock_tree

ADMIN = Actor(1, "admin", grants=(Grant("admin", 1, "1/"),))


def add(name: str, parent_id: int = 1) -> int:
    with session_scope() as session:
        return create_group(session, actor=ADMIN, parent_id=parent_id, name=name).id


def paths() -> dict[str, str]:
    with session_scope() as session:
        return dict(tuple(row) for row in session.execute(text("SELECT name, path FROM host_group")))


def after(first: Callable[[Session], object], second: Callable[[Session], object]) -> list[Exception]:
    """Begins the second act while the first is not committed yet, and lets it wait; answers what the second ended with."""
    failed: list[Exception] = []

    def act() -> None:
        try:
            with session_scope() as session:
                second(session)
        except Exception as error:
            failed.append(error)

    with session_scope() as session:
        first(session)
        other = threading.Thread(target=act)
        other.start()
        waiting = text("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")
        limit = time.monotonic() + 20
        while not session.execute(waiting).scalar_one():
            assert time.monotonic() < limit, "the second did not wait for the first"
            time.sleep(0.01)
    other.join(20)
    assert not other.is_alive()
    return failed


def test_two_moves_at_once_never_make_a_ring(fresh_database: str) -> None:
    a, b = add("A"), add("B")
    failed = after(
        lambda session: change_group(session, actor=ADMIN, group_id=a, changes={"parent_id": b}),
        lambda session: change_group(session, actor=ADMIN, group_id=b, changes={"parent_id": a}),
    )
    assert [type(error) for error in failed] == [Conflict]
    assert paths() == {"All hosts": "1/", "A": f"1/{b}/{a}/", "B": f"1/{b}/"}


def test_a_group_made_below_one_that_moves_lies_where_that_goes(fresh_database: str) -> None:
    a, b = add("A"), add("B")
    failed = after(
        lambda session: change_group(session, actor=ADMIN, group_id=a, changes={"parent_id": b}),
        lambda session: create_group(session, actor=ADMIN, parent_id=a, name="C"),
    )
    assert failed == []
    assert paths()["C"].startswith(f"1/{b}/{a}/")


def test_a_fold_waits_for_nobody(fresh_database: str) -> None:
    with session_scope() as session:
        session.execute(
            text("INSERT INTO rollup_delta (group_id, rule_no, bucket, hosts, subjects, amount) VALUES (1, 0, 'judged', 1, 0, 0)")
        )
    with session_scope() as session:
        lock_tree(session)
        with session_scope() as other:
            assert fold_rollups(other) == 0
    with session_scope() as session:
        assert fold_rollups(session) == 1
