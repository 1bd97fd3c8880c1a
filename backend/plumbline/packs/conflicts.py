"""Conflicts between packs on hosts: which contradictions, on which hosts, and which of them are undecided.

A contradiction is a conflict on a host if both rules evaluate the same item of it. The findings themselves say that an undecided conflict
does not count (`excluded_by`); this module only reads.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlmodel import Session

from plumbline.core.rules.conflicts import Contradiction, contradictions
from plumbline.infra.database import sql
from plumbline.models.hosts import COUNTED
from plumbline.packs.in_force import ActiveRules, read_active

_KNOWN: dict[tuple[str, ...], tuple[Contradiction, ...]] = {}
_MOST_KEPT = 200


@dataclass(frozen=True, slots=True)
class HostInConflict:
    """A host on which a contradiction is a conflict. `is_decided`: a decision says which side holds for the host's group."""

    host_id: str
    name: str
    group_id: int
    subjects: int
    is_decided: bool


@dataclass(frozen=True, slots=True)
class HostConflict:
    """Two demands that contradict each other, each made by one or several rules, and the hosts in scope with this conflict.

    All contradictions share one id, so one decision covers them all.
    """

    contradictions: tuple[Contradiction, ...]
    hosts: tuple[HostInConflict, ...]

    @property
    def id(self) -> str:
        """The name that decisions are made for."""
        return self.contradictions[0].id

    @property
    def undecided(self) -> int:
        """The number of hosts without a decision."""
        return sum(not host.is_decided for host in self.hosts)


def contradictions_in(rules: ActiveRules, groups: Sequence[int]) -> dict[str, tuple[Contradiction, ...]]:
    """The contradictions between packs that evaluate one of these groups, by id."""
    found: dict[str, dict[tuple[str, str], Contradiction]] = {}
    for packs in {id(rules.by_group[group]): rules.by_group[group].packs for group in groups if group in rules.by_group}.values():
        key = tuple(pack.content_hash for pack in packs)
        if key not in _KNOWN:
            if len(_KNOWN) >= _MOST_KEPT:
                _KNOWN.clear()
            _KNOWN[key] = contradictions(packs)
        for contradiction in _KNOWN[key]:
            found.setdefault(contradiction.id, {})[contradiction.first.rule, contradiction.second.rule] = contradiction
    return {identity: tuple(pairs[names] for names in sorted(pairs)) for identity, pairs in found.items()}


def host_conflicts(session: Session, groups: Sequence[int], rules: ActiveRules | None = None) -> list[HostConflict]:
    """The conflicts on hosts of these groups, undecided ones first. One query besides those of the rules in force."""
    rules = rules or read_active(session)
    known = contradictions_in(rules, groups)
    if not known:
        return []
    numbers = _numbers(rules)
    pairs_in_force = [pair for pairs in known.values() for pair in pairs if pair.first.rule in numbers and pair.second.rule in numbers]
    rows = session.execute(
        sql(
            f"""
            SELECT pair.place, h.id, h.name, h.group_id, count(*)::int AS subjects
            FROM unnest(CAST(:places AS int[]), CAST(:firsts AS smallint[]), CAST(:seconds AS smallint[])) AS pair (place, first, second)
            JOIN finding a ON a.rule_no = pair.first AND a.outcome IN ('pass', 'fail')
            JOIN finding b ON b.host_id = a.host_id AND b.rule_no = pair.second AND b.subject_kind = a.subject_kind
              AND b.subject_id = a.subject_id AND b.outcome IN ('pass', 'fail')
            JOIN host h ON h.id = a.host_id
            WHERE h.group_id = ANY(:groups) AND h.{COUNTED}
            GROUP BY pair.place, h.id, h.name, h.group_id ORDER BY lower(h.name), h.id
            """  # noqa: S608 (a constant)
        ),
        {
            "places": list(range(len(pairs_in_force))),
            "firsts": [numbers[pair.first.rule] for pair in pairs_in_force],
            "seconds": [numbers[pair.second.rule] for pair in pairs_in_force],
            "groups": list(groups),
        },
    )
    hosts: dict[str, dict[str, HostInConflict]] = {}
    for row in rows:
        in_force = rules.by_group.get(row.group_id)
        pair = pairs_in_force[row.place]
        # Rules of packs that are no longer in force for this host do not count, even before their findings are closed.
        if in_force is None or pair.first.rule not in in_force.rules or pair.second.rule not in in_force.rules:
            continue
        of_conflict = hosts.setdefault(pair.id, {})
        before = of_conflict[row.id].subjects if row.id in of_conflict else 0
        of_conflict[row.id] = HostInConflict(row.id, row.name, row.group_id, max(before, row.subjects), pair.id in in_force.decisions)
    found = [HostConflict(known[identity], tuple(of_conflict.values())) for identity, of_conflict in hosts.items()]
    return sorted(found, key=lambda conflict: (conflict.undecided == 0, -conflict.undecided, conflict.id))


def _numbers(rules: ActiveRules) -> Mapping[str, int]:
    return next(iter(rules.by_group.values())).numbers if rules.by_group else {}


def count_undecided(session: Session, groups: Sequence[int], rolled: Mapping[tuple[int, str], tuple[int, int, float]]) -> int:
    """How many conflicts wait for a decision in these groups. No query if the rollups have no excluded findings, which is usual."""
    if not any(rule_no and word == "excluded" for rule_no, word in rolled):
        return 0
    return sum(conflict.undecided > 0 for conflict in host_conflicts(session, groups))
