"""The fleet's score taken apart to the rules that made it, by the function that scores hosts; the parts sum to the mean that is shown."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import mean, median
from typing import Any

from sqlmodel import Session

from plumbline.auth.actor import Actor
from plumbline.auth.scope import scope_of_group
from plumbline.configurations.read import read_documents
from plumbline.core.freshness import LATE_AFTER_INTERVALS
from plumbline.core.rules.score import CAP, ScoreExplanation
from plumbline.evaluation.explain import counted_score, explain
from plumbline.evaluation.linked_counts import LinkedRules, linked_rule, links_of
from plumbline.evaluation.read_findings import read_findings
from plumbline.evaluation.rollups import read_rollups
from plumbline.fleet.overview import coverage_of
from plumbline.fleet.schemas import FleetFigures, FleetRule, FleetScoreApart, ScoreBand, ScoredHost
from plumbline.infra.database import sql
from plumbline.models.hosts import COUNTED
from plumbline.packs.library import Library, read_library

# A larger scope shows its totals only: explaining the score of one host takes some milliseconds.
MOST_EXPLAINED = 300

_HOSTS = f"""
SELECT id, name, score, score_without_waivers, n_waived, now() AS as_of,
       coalesce(extract(epoch FROM now() - last_seen_at) <= :late * interval_seconds, false) AS is_fresh
FROM host WHERE group_id = ANY(:groups) AND {COUNTED} ORDER BY score NULLS LAST, lower(name), id
"""  # noqa: S608 (a constant)


@dataclass(slots=True)
class _Cost:
    """The effect of one rule, with the rules linked to it, over all hosts; `is_met` if any host has a finding of it."""

    linked: LinkedRules
    is_met: bool = False
    failing: int = 0
    evaluated: int = 0
    capped: int = 0
    possible: float = 0.0
    lost: float = 0.0
    counted_possible: float = 0.0
    counted_lost: float = 0.0


@dataclass(slots=True)
class _Parts:
    """Sums over scored hosts."""

    costs: dict[str, _Cost] = field(default_factory=dict)
    lost: float = 0.0
    rounding: float = 0.0
    caps: float = 0.0
    capped: int = 0
    counted: dict[str, int] = field(default_factory=dict)


def read_fleet_score(session: Session, *, actor: Actor, group_id: int | None) -> FleetScoreApart:
    """A group and all below it. Seven queries, whatever the fleet."""
    scope = scope_of_group(session, actor=actor, group_id=group_id)
    group = scope.group
    rows = session.execute(sql(_HOSTS), {"groups": scope.below, "late": LATE_AFTER_INTERVALS}).all()
    scored = [row for row in rows if row.score is not None]
    as_of = rows[0].as_of if rows else session.execute(sql("SELECT now()")).scalar_one()
    parts = _parts(session, read_library(session), scored) if len(scored) <= MOST_EXPLAINED else _Parts()
    number = len(scored) or 1
    bare = [row.score_without_waivers for row in scored if row.score_without_waivers is not None]
    names = {row.id: row.name for row in scored}
    return FleetScoreApart(
        as_of=as_of,
        group_id=group.id,
        group_name=group.name,
        hosts_known=len(rows),
        hosts_scored=len(scored),
        hosts_fresh=sum(1 for row in rows if row.is_fresh),
        rule_coverage=coverage_of(read_rollups(session, [group.id])),
        weighed=_figures([(row.id, row.name, row.score) for row in scored]),
        counted=_figures([(host_id, names[host_id], score) for host_id, score in parts.counted.items()]),
        without_waivers=round(mean(bare), 1) if bare else None,
        hosts_waived=sum(1 for row in rows if row.n_waived),
        lost_to_rules=parts.lost / number,
        lost_to_rounding=parts.rounding / number,
        lost_to_caps=parts.caps / number,
        hosts_capped=parts.capped,
        rules=_rules(parts, number),
        looked_at=MOST_EXPLAINED,
    )


def _parts(session: Session, library: Library, hosts: Sequence[Any]) -> _Parts:
    ids = [row.id for row in hosts]
    documents = read_documents(session, ids)
    stored = read_findings(session, ids)
    # Linked rules share one cost, since the one that counts may differ from host to host.
    costs = [_Cost(linked) for linked in links_of(library)]
    parts = _Parts({known.rule.address: cost for cost in costs for known in cost.linked.rules})
    for row in hosts:
        if row.id in documents:
            _add(parts, row, explain(stored.get(row.id, []), library, documents[row.id].configuration))
    return parts


def _add(parts: _Parts, row: Any, explanation: ScoreExplanation) -> None:
    total = sum(line.weight.hundredths for line in explanation.lines if line.evaluated)
    counted = sum(1 for line in explanation.lines if line.evaluated)
    caused = {cap.rule for cap in explanation.caps}
    lost = sum(line.points_lost for line in explanation.lines)
    uncapped = explanation.uncapped if explanation.uncapped is not None else row.score
    parts.lost += lost
    parts.rounding += 100 - lost - uncapped
    parts.caps += uncapped - row.score
    # A cap takes something only where the parts make more than it allows.
    is_capped = bool(explanation.caps) and uncapped > CAP
    parts.capped += is_capped
    plain = counted_score(explanation)
    if plain is not None:
        parts.counted[row.id] = plain
    for line in explanation.lines:
        cost = parts.costs[line.rules[0]]
        cost.is_met = True
        cost.capped += is_capped and not caused.isdisjoint(line.rules)
        if line.evaluated:
            cost.failing += bool(line.failing)
            cost.evaluated += 1
            cost.possible += 100 * line.weight.hundredths / total
            cost.lost += line.points_lost
            cost.counted_possible += 100 / counted
            cost.counted_lost += 100 * line.failing / line.evaluated / counted


def _rules(parts: _Parts, number: int) -> list[FleetRule]:
    rows = []
    for cost in {id(cost): cost for cost in parts.costs.values() if cost.is_met}.values():
        first = cost.linked.shown
        rows.append(
            FleetRule(
                pack=first.pack.id,
                rule=first.rule.id,
                title=first.rule.title,
                kind=first.rule.kind,
                also=[linked_rule(known) for known in cost.linked.also],
                hosts_failing=cost.failing,
                hosts_judged=cost.evaluated,
                hosts_capped=cost.capped,
                points_possible=cost.possible / number,
                points_lost=cost.lost / number,
                counted_possible=cost.counted_possible / number,
                counted_lost=cost.counted_lost / number,
            )
        )
    rows.sort(key=lambda row: (-row.points_lost, -row.counted_lost, -row.points_possible, row.title))
    return rows


def _figures(scores: Sequence[tuple[str, str, int]]) -> FleetFigures:
    values = [score for _, _, score in scores]
    lowest = sorted(scores, key=lambda item: (item[2], item[0]))[:5]
    bands = [sum(1 for score in values if min(score // 10, 9) == band) for band in range(10)]
    return FleetFigures(
        mean=round(mean(values), 1) if values else None,
        median=float(median(values)) if values else None,
        worst=[ScoredHost(id=host_id, name=name, score=score) for host_id, name, score in lowest],
        distribution=[ScoreBand(from_=10 * at, to=100 if at == 9 else 10 * at + 9, hosts=hosts) for at, hosts in enumerate(bands)],
    )
