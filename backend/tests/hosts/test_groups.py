"""The tree of groups: what a change may not make of it, and several people who change it at once."""

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from sqlmodel import Session, text

from plumbline.auth.actor import Actor, Grant
from plumbline.evaluation.rollups import fold_rollups
from plumbline.hosts.groups import change_group, create_group, list_groups
from plumbline.infra.database import session_scope
from plumbline.infra.errors import BadInput, Conflict
from plumbline.models.hosts import lock_tree
from tests.api.world import add_host

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


def change(group_id: int, **changes: Any) -> None:
    with session_scope() as session:
        change_group(session, actor=ADMIN, group_id=group_id, changes=changes)


def test_a_group_is_not_moved_under_a_parent_with_a_group_of_the_same_name(fresh_database: str) -> None:
    site = add("Site")
    add("Lab")
    below = add("LAB", site)
    with pytest.raises(Conflict, match="A group named “LAB” already exists here"):
        change(below, parent_id=1)
    change(below, parent_id=1, name="Second lab")
    assert paths()["Second lab"] == f"1/{below}/"


def test_a_group_may_be_renamed_in_letter_case_only(fresh_database: str) -> None:
    group = add("lab")
    change(group, name="Lab")
    assert paths()["Lab"] == f"1/{group}/"
    with pytest.raises(Conflict, match="A group named “LAB”"):
        add("LAB")


def test_two_groups_are_not_given_one_name_at_once(fresh_database: str) -> None:
    a, b = add("A"), add("B")
    failed = after(
        lambda session: change_group(session, actor=ADMIN, group_id=a, changes={"name": "Lab"}),
        lambda session: change_group(session, actor=ADMIN, group_id=b, changes={"name": "lab"}),
    )
    assert [type(error) for error in failed] == [Conflict]
    assert set(paths()) == {"All hosts", "Lab", "B"}


def test_a_group_is_not_moved_if_a_subgroup_would_be_too_deep(fresh_database: str) -> None:
    deepest = 1
    for level in range(7):
        deepest = add(f"level {level}", deepest)
    with pytest.raises(BadInput, match="groups nest at most 8 deep"):
        add("one more", deepest)
    pair = add("pair")
    add("below the pair", pair)
    with pytest.raises(BadInput, match="groups nest at most 8 deep"):
        change(pair, parent_id=deepest)
    above = int(paths()["level 5"].split("/")[-2])
    with pytest.raises(BadInput, match="groups nest at most 8 deep"):
        change(pair, parent_id=above)
    change(pair, parent_id=int(paths()["level 4"].split("/")[-2]))
    assert paths()["below the pair"].count("/") == 8


def test_a_group_counts_its_hosts_and_those_of_all_below_it(session: Session) -> None:
    ids = {"All hosts": 1}
    for name, parent in (("A", "All hosts"), ("B", "A"), ("C", "A"), ("D", "All hosts")):
        ids[name] = create_group(session, actor=ADMIN, parent_id=ids[parent], name=name).id
    for number, (name, state) in enumerate([("B", "active"), ("B", "quarantined"), ("C", "active"), ("A", "active"), ("D", "retired")]):
        add_host(session, f"host-{number}", group_id=ids[name], state=state)
    assert {group.name: group.hosts for group in list_groups(session, actor=ADMIN)} == {"All hosts": 4, "A": 4, "B": 2, "C": 1, "D": 0}


def test_two_moves_at_once_never_make_a_ring(fresh_database: str) -> None:
    a, b = add("A"), add("B")
    failed = after(
        lambda session: change_group(session, actor=ADMIN, group_id=a, changes={"parent_id": b}),
        lambda session: change_group(session, actor=ADMIN, group_id=b, changes={"parent_id": a}),
    )
    assert [type(error) for error in failed] == [Conflict]
    assert paths() == {"All hosts": "1/", "A": f"1/{b}/{a}/", "B": f"1/{b}/"}


def test_a_group_created_below_a_group_that_moves_moves_with_it(fresh_database: str) -> None:
    a, b = add("A"), add("B")
    failed = after(
        lambda session: change_group(session, actor=ADMIN, group_id=a, changes={"parent_id": b}),
        lambda session: create_group(session, actor=ADMIN, parent_id=a, name="C"),
    )
    assert failed == []
    assert paths()["C"].startswith(f"1/{b}/{a}/")


def test_folding_does_not_wait_for_locks(fresh_database: str) -> None:
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
