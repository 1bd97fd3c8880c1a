"""Hosts counted ahead of time, after any sequence of changes, folds, new groups and moves."""

import runpy
from collections import Counter

import pytest
from sqlmodel import Session, select, text

from plumbline.auth.actor import Actor, Grant
from plumbline.auth.scope import scope_of_group
from plumbline.fleet.host_counts import read_host_counts
from plumbline.hosts.cluster_counts import largest_clusters, most_failing_clusters
from plumbline.hosts.facet_counts import Counting
from plumbline.hosts.filters import HostFilters
from plumbline.hosts.groups import change_group, create_group
from plumbline.hosts.kept_counts import fold_counts, wrong_counts
from plumbline.hosts.summary_counts import counts_by_combination
from plumbline.infra.database import get_engine
from plumbline.infra.errors import BadInput, Conflict
from plumbline.infra.resources import MIGRATIONS
from plumbline.models.hosts import lock_tree
from plumbline.packs.library import read_library
from plumbline.packs.publish import install_builtin
from tests.hosts.random_fleet import Fleet

ADMIN = Actor(1, "admin", grants=(Grant("admin", 1, "1/"),))
_CLUSTERS = """
SELECT cluster, count(*) AS hosts, sum(n_pass) AS n_pass, sum(n_fail) AS n_fail, sum(n_unknown) AS n_unknown FROM host
WHERE state IN ('active', 'quarantined') AND group_id = ANY(:groups) GROUP BY cluster
"""


@pytest.fixture(params=range(3))
def fleet(session: Session, request: pytest.FixtureRequest) -> Fleet:
    return Fleet(session, request.param)


def change_tree(fleet: Fleet) -> None:
    """A new group, or one that moves."""
    session, pick = fleet.session, fleet.pick
    parent = pick.choice(fleet.groups)
    try:
        if pick.random() < 0.3:
            fleet.groups.append(create_group(session, actor=ADMIN, parent_id=parent, name=f"group {len(fleet.groups)}").id)
        else:
            change_group(session, actor=ADMIN, group_id=pick.choice(fleet.groups), changes={"parent_id": parent})
    except (BadInput, Conflict):  # too deep; the topmost one, or below itself
        return


def below(session: Session, root: int) -> list[int]:
    statement = "SELECT g.id FROM host_group g JOIN host_group r ON starts_with(g.path, r.path) WHERE r.id = :root"
    return list(session.execute(text(statement), {"root": root}).scalars())


def counted(session: Session, groups: list[int]) -> dict[int, int]:
    found: Counter[int] = Counter()
    for combination_id, hosts in session.execute(select(counts_by_combination(groups).subquery())):
        found[combination_id] += hosts
    return {combination_id: hosts for combination_id, hosts in found.items() if hosts}


def test_counts_follow_every_change(fleet: Fleet) -> None:
    session, pick = fleet.session, fleet.pick
    assert wrong_counts(session) == []
    folds = 0
    for _ in range(120):
        if pick.random() < 0.2:
            change_tree(fleet)
        else:
            fleet.change()
        if pick.random() < 0.2:
            folds += fold_counts(session)
        assert wrong_counts(session) == []
        # Any groups at all, whether or not one is below another.
        groups = pick.sample(fleet.groups, pick.randrange(len(fleet.groups)))
        rows = session.execute(
            text("SELECT combination_id, count(*) FROM host_summary WHERE group_id = ANY(:groups) GROUP BY 1"), {"groups": groups}
        )
        assert counted(session, groups) == dict(map(tuple, rows))
    assert folds
    session.execute(text("DELETE FROM host_baseline"))
    session.execute(text("DELETE FROM host"))
    assert wrong_counts(session) == []
    fold_counts(session)
    assert session.execute(text("SELECT count(*) FROM host_count")).scalar_one() == 0


def test_the_largest_clusters_are_those_of_the_rows(fleet: Fleet) -> None:
    session, pick = fleet.session, fleet.pick
    for _ in range(60):
        fleet.change()
        session.execute(
            text("UPDATE host SET cluster = :cluster WHERE id = :id"),
            {"cluster": pick.choice(["", *(f"cluster {number}" for number in range(12))]), "id": pick.choice(fleet.hosts)},
        )
        if pick.random() < 0.3:
            change_tree(fleet)
        if pick.random() < 0.2:
            fold_counts(session)
        root = pick.choice(fleet.groups)
        groups = below(session, root)
        rows = session.execute(text(_CLUSTERS), {"groups": groups}).all()
        chosen = [row.cluster for row in rows[-1:]] + ["not there", ""]
        expected = sorted(rows, key=lambda row: (row.cluster not in chosen, -row.hosts, row.cluster))[:6]
        found = largest_clusters(session, root, groups, most=6, chosen=chosen)
        assert [(row.value, row.hosts, row.n_pass, row.n_fail, row.n_unknown, row.of) for row in found] == [
            (*row, len(rows)) for row in expected
        ]
        failing = sorted((row for row in rows if row.cluster), key=lambda row: (-row.n_fail, row.cluster))[:5]
        values = {"root": root, "groups": groups, "most": 5, "chosen": []}
        assert session.execute(text(most_failing_clusters()), values).all() == failing


def test_a_count_that_is_wrong_is_found(fleet: Fleet) -> None:
    session = fleet.session
    fold_counts(session)
    session.execute(text("UPDATE host_count SET hosts = hosts + 1, subtree_hosts = subtree_hosts + 1 WHERE group_id = 1 AND kind = 'all'"))
    assert wrong_counts(session) == ["group 1, all"]
    session.execute(text("UPDATE host_count SET hosts = hosts - 1 WHERE group_id = 1 AND kind = 'all'"))
    assert wrong_counts(session) == ["group 1 and its subgroups, all"]


def test_an_installation_from_before_is_counted_once(fleet: Fleet) -> None:
    session = fleet.session
    change_tree(fleet)
    migration = runpy.run_path(str(MIGRATIONS / "versions" / "2026_11_30_host_counts.py"))
    session.execute(text("DELETE FROM host_count"))
    session.execute(text("DELETE FROM host_count_delta"))
    assert wrong_counts(session) != []
    session.execute(text(migration["FILL"]))
    assert wrong_counts(session) == []


def test_what_can_be_counted_is_not_read_host_by_host(fleet: Fleet) -> None:
    """With the summaries of all hosts wrong, the counts stay what they are."""
    session = fleet.session
    filters = HostFilters(platform=["windows"], outcome=["fail"], group=[fleet.groups[1]])
    by_group, clusters = (
        lambda: Counting(session, ADMIN, filters).by_group(),
        lambda: Counting(session, ADMIN, HostFilters()).clusters(),
    )
    fold_counts(session)
    scope = scope_of_group(session, actor=ADMIN, group_id=1)
    before = by_group(), clusters(), read_host_counts(session, scope).known
    session.execute(text("UPDATE host_summary SET combination_id = 0, cluster = 'none', score = 1"))
    session.execute(text("DELETE FROM host_count_delta"))
    assert (by_group(), clusters(), read_host_counts(session, scope).known) == before
    assert before[0]
    assert len(before[1].hosts) > 1


def test_a_rule_that_begins_or_ceases_to_compare_hosts_is_counted_again(fleet: Fleet) -> None:
    session = fleet.session
    noted = text("SELECT no FROM rule_number WHERE is_consistency ORDER BY no")
    assert list(session.execute(noted).scalars()) == sorted(read_library(session).consistency_rules)
    fold_counts(session)
    differing = text("SELECT sum(hosts) FROM host_count WHERE kind = 'differing'")
    assert (before := session.execute(differing).scalar_one())
    for _ in range(4):
        some = fleet.pick.sample([*fleet.rules, *fleet.consistency], 12)
        session.execute(text("UPDATE rule_number SET is_consistency = NOT is_consistency WHERE no = ANY(:some)"), {"some": some})
        assert wrong_counts(session) == []
        fleet.change()
        assert wrong_counts(session) == []
        fold_counts(session)
    assert session.execute(differing).scalar_one() != before
    # The next start notes what the rules say.
    install_builtin(session)
    assert list(session.execute(noted).scalars()) == sorted(fleet.consistency)
    assert wrong_counts(session) == []


def test_a_fold_does_not_wait_for_a_group_that_moves(fleet: Fleet) -> None:
    with get_engine().connect() as other, other.begin(), Session(other) as moving:
        lock_tree(moving)
        assert fold_counts(fleet.session) == 0
    assert fold_counts(fleet.session) > 0
