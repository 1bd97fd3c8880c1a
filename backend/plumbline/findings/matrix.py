"""The matrix of hosts and rules: one word a cell, worst first, in a fixed number of queries.

Beyond what a person can look at cell by cell, hosts are counted by cluster or by group, and each such row leads to its hosts.
"""

from collections.abc import Sequence
from typing import Any, Literal

from sqlalchemy import text
from sqlmodel import Session

from plumbline.auth.actor import Actor
from plumbline.errors import BadInput
from plumbline.findings.rollups import read_rollups
from plumbline.findings.rules import scope_groups
from plumbline.findings.score_schemas import Matrix, MatrixCell, MatrixGroup, MatrixHost, MatrixRule
from plumbline.findings.standing import RANK, STANDINGS, standing_of
from plumbline.hosts.queries import freshness_of
from plumbline.hosts.visible import read_groups, visible_group
from plumbline.rulesets.library import KnownRule, Library, read_library
from plumbline.shapes import Standing

MOST_HOSTS = 60
MOST_RULES = 60

By = Literal["cluster", "group"]
Rules = Literal["failing", "all"]

_HOSTS = """
SELECT id, name, cluster, group_id, score, last_seen_at, interval_seconds, now() AS as_of FROM host
WHERE group_id = ANY(:groups) AND state IN ('active', 'quarantined') AND (:cluster = '' OR cluster = :cluster)
ORDER BY lower(name), id LIMIT :most
"""
_COUNT = """
SELECT count(*), now() FROM host
WHERE group_id = ANY(:groups) AND state IN ('active', 'quarantined') AND (:cluster = '' OR cluster = :cluster)
"""
# One row for each host, rule and distinct mark: the word is chosen where every other page chooses it.
_CELLS = """
SELECT DISTINCT host_id, rule_no, outcome, waiver_id IS NOT NULL AS is_waived, excluded_by, kind FROM finding
WHERE host_id = ANY(:hosts) AND rule_no = ANY(:rules)
"""
_AGGREGATES = """
SELECT key, rule_no, outcome, is_waived, excluded_by, kind, hosts FROM (
  SELECT {key} AS key, f.rule_no, f.outcome, f.waiver_id IS NOT NULL AS is_waived, f.excluded_by, f.kind, array_agg(DISTINCT f.host_id) AS hosts
  FROM finding f JOIN host h ON h.id = f.host_id
  WHERE h.group_id = ANY(:groups) AND h.state IN ('active', 'quarantined') AND f.rule_no = ANY(:rules) AND (:cluster = '' OR h.cluster = :cluster)
  GROUP BY 1, 2, 3, 4, 5, 6) AS counted
"""  # noqa: E501
_KEYS = """
SELECT {key} AS key, count(*) AS hosts, avg(h.score) AS score FROM host h
WHERE h.group_id = ANY(:groups) AND h.state IN ('active', 'quarantined') AND (:cluster = '' OR h.cluster = :cluster)
GROUP BY 1 ORDER BY 3 NULLS LAST, 1 LIMIT 200
"""
_KEY = {"cluster": "h.cluster", "group": "h.group_id::text"}


def read_matrix(
    session: Session,
    *,
    actor: Actor,
    group_id: int | None,
    cluster: str,
    by: By,
    packs: Sequence[str],
    rules: Rules,
    hosts_too: bool,
) -> Matrix:
    """The matrix of a group and all below it. Eight queries at most, whatever the fleet.

    `rules` "failing" leaves out columns where nothing in scope fails or is unknown. Hosts are told one by one up to `MOST_HOSTS`, or
    where `hosts_too` asks for the first ones anyway.
    """
    group = visible_group(session, actor=actor, group_id=group_id)
    groups = scope_groups(session, actor, group.path)
    library = read_library(session)
    rolled = read_rollups(session, groups)
    columns, hidden = _columns(library, rolled, packs, rules)
    total, as_of = session.execute(text(_COUNT), {"groups": groups, "cluster": cluster}).one()
    numbers = [known.no for known, _ in columns]
    is_aggregate = total > MOST_HOSTS and not hosts_too
    values = {"groups": groups, "cluster": cluster, "rules": numbers}
    return Matrix(
        as_of=as_of,
        rules=[
            MatrixRule(
                pack=known.pack.id,
                rule=known.rule.id,
                rule_no=known.no,
                title=known.rule.title,
                kind=known.rule.kind,
                hosts_failing=failing,
            )
            for known, failing in columns
        ],
        hosts=[] if is_aggregate else _hosts(session, values, numbers),
        groups=_groups(session, values, numbers, by) if is_aggregate else [],
        is_aggregate=is_aggregate,
        most_hosts=MOST_HOSTS,
        total_hosts=total,
        hidden_rules=hidden,
    )


def _columns(library: Library, rolled: Any, packs: Sequence[str], rules: Rules) -> tuple[list[tuple[KnownRule, int]], int]:
    """The rules that make columns, those that fail on most hosts first, and how many are left out."""
    active = {pack.id for pack, _ in library.active}
    unknown_packs = set(packs) - active
    if unknown_packs:
        raise BadInput(f"no active pack is called {sorted(unknown_packs)[0]}")
    found = []
    hidden = 0
    for known in library.by_no.values():
        if known.pack.id not in active or known.rule.retired or (packs and known.pack.id not in packs):
            continue
        count = {word: rolled.get((known.no, word), (0, 0, 0.0))[0] for word in STANDINGS}
        is_open = any(count[word] for word in ("fail", "unknown", "excluded", "waived", "advice"))
        if (rules == "failing" and not is_open) or not any(count[word] for word in STANDINGS if word != "not_applicable"):
            hidden += 1
        else:
            found.append((known, count["fail"], count["unknown"]))
    found.sort(key=lambda each: (-each[1], -each[2], each[0].rule.title, each[0].no))
    return [(known, failing) for known, failing, _ in found[:MOST_RULES]], hidden + max(0, len(found) - MOST_RULES)


def _hosts(session: Session, values: dict[str, Any], numbers: list[int]) -> list[MatrixHost]:
    rows = session.execute(text(_HOSTS), {**values, "most": MOST_HOSTS}).all()
    ids = [row.id for row in rows]
    words: dict[tuple[str, int], Standing] = {}
    for host_id, rule_no, outcome, is_waived, excluded_by, kind in session.execute(text(_CELLS), {"hosts": ids, "rules": numbers}):
        word = standing_of(outcome, 1 if is_waived else None, excluded_by, kind)
        held = words.get((host_id, rule_no))
        if held is None or RANK[word] < RANK[held]:
            words[host_id, rule_no] = word
    names = read_groups(session)
    hosts = [
        MatrixHost(
            id=row.id,
            name=row.name,
            cluster=row.cluster,
            group_id=row.group_id,
            group_name=names[row.group_id].name,
            score=row.score,
            freshness=freshness_of(row.last_seen_at, row.interval_seconds, row.as_of),
            cells=[words.get((row.id, no)) for no in numbers],
        )
        for row in rows
    ]
    hosts.sort(key=lambda each: (-each.cells.count("fail"), each.score if each.score is not None else 101, each.name.casefold()))
    return hosts


def _groups(session: Session, values: dict[str, Any], numbers: list[int], by: By) -> list[MatrixGroup]:
    """Counts of hosts by cluster or group. A host counts once a column, under the worst of its findings."""
    keys = session.execute(text(_KEYS.format(key=_KEY[by])), values).all()
    worst: dict[tuple[str, int, str], Standing] = {}
    for key, rule_no, outcome, is_waived, excluded_by, kind, hosts in session.execute(text(_AGGREGATES.format(key=_KEY[by])), values):
        word = standing_of(outcome, 1 if is_waived else None, excluded_by, kind)
        for host_id in hosts:
            held = worst.get((key, rule_no, host_id))
            if held is None or RANK[word] < RANK[held]:
                worst[key, rule_no, host_id] = word
    counts: dict[tuple[str, int], dict[str, int]] = {}
    for (key, rule_no, _), word in worst.items():
        of_cell = counts.setdefault((key, rule_no), dict.fromkeys(STANDINGS, 0))
        of_cell[word] += 1
    names = {str(node.id): node.name for node in read_groups(session).values()}
    return [
        MatrixGroup(
            key=row.key,
            label=names.get(row.key, row.key) if by == "group" else row.key or "no cluster",
            hosts=row.hosts,
            score_mean=None if row.score is None else round(float(row.score), 1),
            cells=[_cell(counts.get((row.key, no))) for no in numbers],
        )
        for row in keys
    ]


def _cell(counts: dict[str, int] | None) -> MatrixCell | None:
    if counts is None:
        return None
    others = {word: counts[word] for word in STANDINGS if word != "pass"}
    return MatrixCell(pass_=counts["pass"], **others)
