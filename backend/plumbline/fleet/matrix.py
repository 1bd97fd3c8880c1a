"""The matrix of hosts and rules: one status in each cell, worst first, in a fixed number of queries.

If there are too many hosts for cells of their own, they are counted by cluster or by group, and each such row links to its hosts.
"""

import functools
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from sqlmodel import Session

from plumbline.auth.actor import Actor
from plumbline.auth.scope import GroupScope, scope_of_group
from plumbline.core.freshness import freshness_of
from plumbline.evaluation.linked_counts import LinkedRules, count_linked_hosts, group_linked_rules, linked_rollups, linked_rule
from plumbline.evaluation.rollups import HIGHEST, Rolled, read_rollups
from plumbline.fleet import matrix_groups
from plumbline.fleet.matrix_groups import By, Rows, by_cluster, by_group
from plumbline.fleet.matrix_schemas import Matrix, MatrixHost, MatrixRule
from plumbline.infra.database import sql
from plumbline.infra.errors import BadInput
from plumbline.models.host_summaries import kept_counts
from plumbline.models.hosts import COUNTED
from plumbline.packs.library import Library, read_library

MOST_HOSTS = 60
MOST_RULES = 60

Rules = Literal["failing", "all"]


class MatrixQuery(NamedTuple):
    """What a matrix shows: the hosts of a group and its subgroups, of one cluster or all, against the rules of some packs or all."""

    group_id: int | None = None
    cluster: str = ""
    # More than `MOST_HOSTS` hosts are counted by group, or within a single group by cluster, unless this says which.
    by: By | None = None
    packs: Sequence[str] = ()
    # "failing" leaves out columns where nothing in scope fails or is unknown.
    rules: Rules = "failing"
    # A row for each of the first hosts, however many there are.
    hosts_too: bool = False


class Limits(NamedTuple):
    """The most rows and columns of a matrix."""

    hosts: int
    groups: int
    rules: int


_HOSTS = f"""
SELECT id, name, cluster, group_id, score, last_seen_at, interval_seconds, source, now() AS as_of FROM host
WHERE group_id = ANY(:groups) AND {COUNTED} AND (:cluster = '' OR cluster = :cluster)
ORDER BY lower(name), id LIMIT :most
"""  # noqa: S608 (a constant)
_COUNT = f"SELECT coalesce(sum(hosts), 0)::int, now() FROM ({kept_counts('all')}) AS kept"  # noqa: S608 (constants)
_COUNT_OF_CLUSTER = f"SELECT count(*), now() FROM host WHERE group_id = ANY(:groups) AND {COUNTED} AND cluster = :cluster"  # noqa: S608


def read_matrix(
    session: Session,
    *,
    actor: Actor,
    query: MatrixQuery,
    limits: Limits | None = None,
) -> Matrix:
    """The matrix of a group and its subgroups, up to `limits`, or as much of it as a page shows.

    Eight queries at most, for a fleet of any size.
    """
    limits = limits or Limits(MOST_HOSTS, matrix_groups.MOST_ROWS, MOST_RULES)
    scope = scope_of_group(session, actor=actor, group_id=query.group_id)
    groups = scope.below
    library = read_library(session)
    roots = [scope.group.id]
    rolled = read_rollups(session, roots, highest=HIGHEST if query.packs else 0)
    columns, hidden = _columns(session, roots, library, rolled, query, limits.rules)
    values = {"groups": groups, "cluster": query.cluster}
    total, as_of = session.execute(sql(_COUNT_OF_CLUSTER if query.cluster else _COUNT), values).one()
    column_rules = [linked for linked, _ in columns]
    is_aggregate = total > MOST_HOSTS and not query.hosts_too
    by = query.by or ("group" if len(groups) > 1 else "cluster")
    rows = Rows()
    if is_aggregate:
        rows = (
            by_group(session, scope, library, values, column_rules, limits.groups)
            if by == "group"
            else by_cluster(session, values, column_rules)
        )
    return Matrix(
        as_of=as_of,
        rules=[
            MatrixRule(
                pack=linked.shown.pack.id,
                rule=linked.shown.rule.id,
                rule_no=linked.first.no,
                title=linked.shown.rule.title,
                kind=linked.shown.rule.kind,
                hosts_failing=failing,
                also=[linked_rule(known) for known in linked.also],
            )
            for linked, failing in columns
        ],
        hosts=[] if is_aggregate else _hosts(session, scope, values, column_rules, limits.hosts),
        groups=rows.rows,
        is_aggregate=is_aggregate,
        by=by,
        more=rows.more,
        hosts_apart=rows.hosts_apart,
        most_hosts=MOST_HOSTS,
        total_hosts=total,
        hidden_rules=hidden,
    )


def _columns(
    session: Session, roots: list[int], library: Library, rolled: Rolled, query: MatrixQuery, most: int
) -> tuple[list[tuple[LinkedRules, int]], int]:
    """The columns, the rule that fails on most hosts first, and how many are left out. Linked rules are one column."""
    active = {pack.id for pack, _ in library.active}
    unknown_packs = set(query.packs) - active
    if unknown_packs:
        raise BadInput(f"no active pack is called {sorted(unknown_packs)[0]}")
    column_rules = _rules_of(library, tuple(query.packs))
    counts: dict[int, dict[str, int]] = {}
    for (first, word), (hosts, _, _) in linked_rollups(session, library, roots, rolled, column_rules).items():
        counts.setdefault(first, {})[word] = hosts
    shown = []
    hidden = 0
    for linked in column_rules:
        count = counts.get(linked.first.no, {})
        is_open = any(count.get(word) for word in ("fail", "unknown", "excluded", "waived", "advice"))
        if is_open or (query.rules == "all" and count.get("pass")):
            shown.append((linked, count.get("fail", 0), count.get("unknown", 0)))
        else:
            hidden += 1
    shown.sort(key=lambda item: (-item[1], -item[2], item[0].first.rule.title, item[0].first.no))
    return [(linked, failing) for linked, failing, _ in shown[:most]], hidden + max(0, len(shown) - most)


@functools.lru_cache(maxsize=8)
def _rules_of(library: Library, packs: tuple[str, ...]) -> tuple[LinkedRules, ...]:
    """The rules of these packs in force, or of all. A library stays the same object until a pack is published or activated."""
    active = {pack.id for pack, _ in library.active}
    shown = active.intersection(packs) if packs else active
    return tuple(group_linked_rules(rule for rule in library.by_no.values() if rule.pack.id in shown and not rule.rule.retired))


def _hosts(session: Session, scope: GroupScope, values: dict[str, Any], column_rules: list[LinkedRules], most: int) -> list[MatrixHost]:
    rows = session.execute(sql(_HOSTS), {**values, "most": most}).all()
    cells = count_linked_hosts(session, "h.id", "h.id = ANY(:hosts)", {"hosts": [row.id for row in rows]}, column_rules)
    words = {(host_id, first): word for host_id, first, word, _ in cells}
    numbers = [linked.first.no for linked in column_rules]
    hosts = [
        MatrixHost(
            id=row.id,
            name=row.name,
            cluster=row.cluster,
            group_id=row.group_id,
            group_name=scope.nodes[row.group_id].name,
            score=row.score,
            freshness=freshness_of(row.last_seen_at, row.interval_seconds, row.as_of, row.source),
            cells=[words.get((row.id, number)) for number in numbers],
        )
        for row in rows
    ]
    hosts.sort(key=lambda host: (-host.cells.count("fail"), host.score if host.score is not None else 101, host.name.casefold()))
    return hosts
