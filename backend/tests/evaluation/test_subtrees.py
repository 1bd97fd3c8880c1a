"""What a group counts with all below it, after any sequence of deltas, folds, new groups and moves."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test
from sqlalchemy import make_url
from sqlmodel import Session, text

from plumbline.auth.actor import Actor, Grant
from plumbline.evaluation.reevaluate import raw_connection
from plumbline.evaluation.rollups import compare_subtrees, fold_rollups, read_rollups
from plumbline.evaluation.statements import INSERT_DELTAS
from plumbline.hosts.groups import change_group, create_group
from plumbline.infra.database import get_engine, session_scope
from plumbline.infra.errors import BadInput, Conflict
from plumbline.ops import embedded_servers
from tests.conftest import pointed_at

ADMIN = Actor(1, "admin", grants=(Grant("admin", 1, "1/"),))
KEYS = ((0, "judged"), (0, "coverage"), (7, "fail"), (-7, "fail"))
Opened = Callable[[], Any]


@pytest.fixture
def opened(database: str) -> Opened:
    """Sessions whose work is rolled back, one for each example."""

    @contextmanager
    def one() -> Iterator[Session]:
        with get_engine(database).connect() as connection:
            outer = connection.begin()
            with Session(connection, join_transaction_mode="create_savepoint", expire_on_commit=False) as session:
                yield session
            outer.rollback()

    return one


def add_delta(session: Session, group_id: int, key: tuple[int, str], hosts: int) -> None:
    """The deltas of a check-in that changes the status of a host."""
    rule_no, bucket = key
    values = ([group_id], [rule_no], [bucket], [hosts], [2 * hosts], [1000.0 * hosts])
    raw_connection(session).execute(INSERT_DELTAS, values)


def folded(session: Session, group_id: int) -> dict[tuple[int, str], int]:
    """What is folded of a group with all below it, which is not all that is counted: hosts."""
    rows = session.execute(text("SELECT rule_no, bucket, subtree_hosts FROM rollup WHERE group_id = :group"), {"group": group_id})
    return {(row.rule_no, row.bucket): row.subtree_hosts for row in rows if row.subtree_hosts}


def test_subtrees_are_exact_after_anything(opened: Opened) -> None:
    class Tree(RuleBasedStateMachine):
        @initialize()
        def begin(self) -> None:
            self.scope = opened()
            self.session: Session = self.scope.__enter__()
            self.parents: dict[int, int] = {}
            self.counted: dict[int, Counter[tuple[int, str]]] = {1: Counter()}
            # Two subtrees with hosts in each group.
            for place in (0, 1, 0):
                self.make_a_group(place)
            for place, hosts in enumerate((0, 1, 10, 100)):
                self.check_in(place, KEYS[0], hosts)
            self.fold()

        def one_of(self, place: int) -> int:
            return sorted(self.counted)[place % len(self.counted)]

        def below(self, group_id: int) -> set[int]:
            children = [child for child, parent in self.parents.items() if parent == group_id]
            return {group_id}.union(*(self.below(child) for child in children))

        @rule(place=st.integers(0, 99), key=st.sampled_from(KEYS), hosts=st.integers(-3, 3))
        def check_in(self, place: int, key: tuple[int, str], hosts: int) -> None:
            group_id = self.one_of(place)
            add_delta(self.session, group_id, key, hosts)
            self.counted[group_id][key] += hosts

        @rule()
        def fold(self) -> None:
            fold_rollups(self.session)
            for group_id in self.counted:
                assert folded(self.session, group_id) == self.expected(group_id)

        @rule(place=st.integers(0, 99))
        def make_a_group(self, place: int) -> None:
            parent = self.one_of(place)
            try:
                made = create_group(self.session, actor=ADMIN, parent_id=parent, name=f"group {len(self.counted)}")
            except BadInput:  # too deep
                return
            self.parents[made.id], self.counted[made.id] = parent, Counter()

        @rule(place=st.integers(0, 99), parent=st.integers(0, 99))
        def move_a_group(self, place: int, parent: int) -> None:
            group_id, parent_id = self.one_of(place), self.one_of(parent)
            try:
                change_group(self.session, actor=ADMIN, group_id=group_id, changes={"parent_id": parent_id})
            except (BadInput, Conflict):  # too deep; the topmost one, or below itself
                return
            self.parents[group_id] = parent_id

        def expected(self, group_id: int) -> dict[tuple[int, str], int]:
            total: Counter[tuple[int, str]] = Counter()
            for each in self.below(group_id):
                total.update(self.counted[each])
            return {key: hosts for key, hosts in total.items() if hosts}

        @invariant()
        def subtrees_are_exact(self) -> None:
            if hasattr(self, "session"):
                assert compare_subtrees(self.session) == {}
                for group_id in self.counted:
                    assert self.read(group_id) == self.expected(group_id)
                # Some groups that together are all but the topmost one's own hosts, none below another.
                several = Counter(self.counted[1])
                several.update(self.read(*(child for child, parent in self.parents.items() if parent == 1)))
                assert {key: hosts for key, hosts in several.items() if hosts} == self.expected(1)

        def read(self, *roots: int) -> dict[tuple[int, str], int]:
            rolled = read_rollups(self.session, roots, words=("fail",))
            assert all((subjects, amount) == (2 * hosts, 1000.0 * hosts) for hosts, subjects, amount in rolled.values())
            return {key: hosts for key, (hosts, _, _) in rolled.items()}

        def teardown(self) -> None:
            if hasattr(self, "scope"):
                self.scope.__exit__(None, None, None)

    run_state_machine_as_test(  # type: ignore[no-untyped-call]
        Tree,
        settings=settings(
            max_examples=40,
            stateful_step_count=30,
            deadline=timedelta(seconds=60),
            derandomize=True,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        ),
    )


def test_a_background_worker_folds_while_the_api_moves_groups(fresh_database: str, cluster: embedded_servers.PostgresCluster) -> None:
    """Each with its own database role."""
    with session_scope() as session:
        a, b = (create_group(session, actor=ADMIN, parent_id=1, name=name).id for name in ("A", "B"))
        add_delta(session, a, (7, "fail"), 3)
    name = make_url(fresh_database).database or ""
    with pointed_at(cluster, name, role="plumbline_background"), session_scope() as session:
        assert fold_rollups(session) == 1
    with session_scope() as session:
        assert [folded(session, group_id) for group_id in (1, a, b)] == [{(7, "fail"): 3}, {(7, "fail"): 3}, {}]
        change_group(session, actor=ADMIN, group_id=a, changes={"parent_id": b})
    with session_scope() as session:
        assert [folded(session, group_id) for group_id in (1, a, b)] == [{(7, "fail"): 3}] * 3
        assert compare_subtrees(session) == {}


def test_the_comparison_finds_a_wrong_count(session: Session) -> None:
    add_delta(session, 1, (7, "fail"), 3)
    fold_rollups(session)
    session.execute(text("UPDATE rollup SET subtree_hosts = 4 WHERE group_id = 1"))
    assert compare_subtrees(session) == {1: {(7, "fail"): ((4, 6, 3000.0), (3, 6, 3000.0))}}
