"""Rows of the matrix if there are too many hosts for rows of their own: groups, from the rollups, or the clusters with the lowest scores.

A cluster's cells are counted from the findings of its hosts, so only a limited number of hosts is counted by cluster; the others are
reached by choosing a group.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from sqlmodel import Session

from plumbline.auth.scope import GroupScope
from plumbline.core.rules.finding_status import FindingStatus
from plumbline.evaluation.linked_counts import LinkedRules, count_linked_hosts, number_of
from plumbline.evaluation.rollups import read_own, read_own_hosts
from plumbline.fleet.matrix_schemas import MatrixGroup
from plumbline.infra.database import sql
from plumbline.models.hosts import COUNTED
from plumbline.packs.library import Library

MOST_BY_CLUSTER = 250
MOST_ROWS = 60

By = Literal["cluster", "group"]
# Group or cluster -> number of the first rule -> hosts by status, where there are any.
Counts = dict[Any, dict[int, dict[FindingStatus, int]]]

_SCOPE = f"h.group_id = ANY(:groups) AND h.{COUNTED} AND (:cluster = '' OR h.cluster = :cluster)"
_CLUSTERS = f"""
SELECT cluster AS key, count(*) AS hosts, avg(score) AS score FROM host h WHERE {_SCOPE} GROUP BY cluster ORDER BY 3 NULLS LAST, 1
"""  # noqa: S608 - constants
_GROUPS = f"""
SELECT group_id AS key, count(*) AS hosts, avg(score) AS score FROM host h WHERE {_SCOPE} GROUP BY group_id
"""  # noqa: S608 - constants


@dataclass(frozen=True, slots=True)
class _Key:
    """A row's hosts and their mean score."""

    key: Any
    hosts: int
    score: float | None


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows, and what of the scope they leave out."""

    rows: list[MatrixGroup] = field(default_factory=list)
    more: int = 0
    hosts_apart: int = 0


def by_group(
    session: Session, scope: GroupScope, library: Library, values: dict[str, Any], column_rules: Sequence[LinkedRules], most: int
) -> Rows:
    """Groups with evaluated hosts of their own, the lowest average score first, up to `most`.

    `values`: `groups` and `cluster`, as the matrix has them.

    Counts come from the rollups, except for a single cluster of the group, and for rules that rollups count only together with others.
    """
    if values["cluster"]:
        keys = [_Key(*row) for row in session.execute(sql(_GROUPS), values)]
    else:
        keys = _evaluated(session, values["groups"])
    keys.sort(key=lambda key: (key.score is None, key.score or 0.0, key.key))
    shown = keys[:most]
    counts: Counts = {}
    numbers = {} if values["cluster"] else {linked.first.no: number_of(library, linked) for linked in column_rules}
    first_of = {number: first for first, number in numbers.items() if number is not None}
    if first_of:
        own = read_own_hosts(session, [row.key for row in shown], list(first_of))
        for (group_id, number), cell in own.items():
            counts.setdefault(group_id, {})[first_of[number]] = cell
    apart = [linked for linked in column_rules if numbers.get(linked.first.no) is None]
    if apart:
        _count(session, counts, "h.group_id", _SCOPE, values, apart)
    firsts = [linked.first.no for linked in column_rules]
    rows = [_row(str(row.key), scope.nodes[row.key].name, row, counts, firsts) for row in shown]
    return Rows(rows, len(keys) - len(shown))


def _evaluated(session: Session, groups: Sequence[int]) -> list[_Key]:
    """The groups that have evaluated hosts of their own, with their average scores."""
    keys = []
    for group_id, rolled in read_own(session, groups, numbers=[0], words=("judged", "scored")).items():
        evaluated, _, _ = rolled.get((0, "judged"), (0, 0, 0.0))
        scored, _, points = rolled.get((0, "scored"), (0, 0, 0.0))
        if evaluated:
            keys.append(_Key(group_id, evaluated, points / scored if scored else None))
    return keys


def by_cluster(session: Session, values: dict[str, Any], column_rules: Sequence[LinkedRules]) -> Rows:
    """The clusters with the lowest average scores, up to `MOST_BY_CLUSTER` hosts in total. Hosts in no cluster are one row if they fit."""
    shown: list[_Key] = []
    left_out: dict[str, int] = {}
    hosts = 0
    for row in itertools.starmap(_Key, session.execute(sql(_CLUSTERS), values)):
        if hosts + row.hosts > MOST_BY_CLUSTER:
            left_out[row.key] = row.hosts
        else:
            shown.append(row)
            hosts += row.hosts
    counts: Counts = {}
    _count(
        session, counts, "h.cluster", f"{_SCOPE} AND h.cluster = ANY(:shown)", {**values, "shown": [row.key for row in shown]}, column_rules
    )
    apart = left_out.pop("", 0)
    firsts = [linked.first.no for linked in column_rules]
    return Rows([_row(row.key, row.key or "No cluster", row, counts, firsts) for row in shown], len(left_out), apart)


def _count(session: Session, counts: Counts, key: str, where: str, values: dict[str, Any], column_rules: Sequence[LinkedRules]) -> None:
    for name, first, word, hosts in count_linked_hosts(session, key, where, values, column_rules):
        counts.setdefault(name, {}).setdefault(first, {})[word] = hosts


def _row(key: str, label: str, row: _Key, counts: Counts, firsts: Sequence[int]) -> MatrixGroup:
    cells = counts.get(row.key, {})
    # The cells as they were counted: to make thousands of them one by one would take longer than to count them.
    return MatrixGroup.model_validate(
        {
            "key": key,
            "label": label,
            "hosts": row.hosts,
            "score_mean": None if row.score is None else round(float(row.score), 1),
            "cells": [cells.get(first) for first in firsts],
        }
    )
