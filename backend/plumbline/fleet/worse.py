"""What got worse and why: the happenings with which findings started to fail. A first read and a stricter pack version are neither."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlmodel import Session

from plumbline.core.drift.events import ChangeEvent, LoggedChange, events_of
from plumbline.drift.events import effect_of, read_jobs
from plumbline.evaluation.linked_counts import first_linked
from plumbline.fleet.recent_failures import MOST_CHANGES, RecentFailure, urgencies, urgency_of
from plumbline.fleet.schemas import RuleName, StricterPack, WorseGroup
from plumbline.infra.database import sql
from plumbline.infra.schemas import NamedHost
from plumbline.models.configurations import BOTH_READ
from plumbline.packs.library import Library

MOST_GROUPS = 10
# As many hosts as a plan may have (remediation/plans/draft.py).
_MOST_PLANNED = 500
_NAMED_HOSTS = 20
# Thousands of them: as lists, psycopg would take longer to write them than PostgreSQL to find the rows.
_HOSTS, _MOMENTS = "string_to_array(:hosts, ',')", "CAST(string_to_array(:moments, ',') AS timestamptz[])"
_CHANGES = f"""
SELECT c.id, c.host_id, c.received_at, c.subject_kind, c.subject_id, c.key, c.old::text AS old, c.new::text AS new, c.cause, c.cause_detail,
  c.job_id, g.name AS group_name
FROM setting_change c
JOIN unnest({_HOSTS}, {_MOMENTS}) AS v (host_id, at) ON v.host_id = c.host_id AND v.at = c.received_at
JOIN host h ON h.id = c.host_id JOIN host_group g ON g.id = h.group_id
WHERE c.cause <> 'first_seen' AND c.received_at >= :since AND {BOTH_READ} ORDER BY c.received_at, c.id LIMIT :most
"""  # noqa: S608 (a constant)
# An evaluation that no check-in caused, within a day of an activation that is in force for the host: its rules changed, not the host.
_STRICTER = f"""
SELECT DISTINCT ON (f.host_id, f.at, f.pack) f.host_id, f.at, f.pack, v.version, a.activated_at
FROM unnest({_HOSTS}, {_MOMENTS}, string_to_array(:packs, ',')) AS f (host_id, at, pack)
JOIN host h ON h.id = f.host_id JOIN host_group g ON g.id = h.group_id
JOIN pack_activation a ON a.pack = f.pack AND a.activated_at <= f.at AND a.activated_at > f.at - interval '24 hours'
  AND a.group_id::text = ANY(string_to_array(trim(BOTH '/' FROM g.path), '/'))
JOIN pack_version v ON v.id = a.pack_version_id
WHERE NOT EXISTS (SELECT FROM check_in c WHERE c.host_id = f.host_id AND c.received_at = f.at)
ORDER BY f.host_id, f.at, f.pack, a.activated_at DESC
"""  # noqa: S608 (constants)
# What changed on the host's peers in the hour before, as far as its value was known: from the changes of that time, which are few, to the
# hosts of the same group or cluster.
_WHILE = "received_at > (SELECT min(at) FROM f) - interval '1 hour' AND received_at <= (SELECT max(at) FROM f)"
_OF_ALL = f"(SELECT * FROM setting_change WHERE {_WHILE}) c JOIN host p ON p.id = c.host_id"  # noqa: S608 (constants)
# Or, of few failures, from their peers to the changes. `OFFSET 0` keeps PostgreSQL from turning it round; asked for both kinds of peers at
# once, or for several groups, it would read every host.
_OF_FEW = f"""
(SELECT p.* FROM (SELECT DISTINCT group_id FROM f) g
   CROSS JOIN LATERAL (SELECT id, group_id, cluster FROM host WHERE group_id = g.group_id OFFSET 0) p
 UNION
 SELECT p.* FROM (SELECT DISTINCT cluster FROM f WHERE cluster <> '') g
   CROSS JOIN LATERAL (SELECT id, group_id, cluster FROM host WHERE cluster = g.cluster AND cluster <> '' OFFSET 0) p) p
CROSS JOIN LATERAL (SELECT * FROM setting_change WHERE host_id = p.id AND {_WHILE} OFFSET 0) c
"""  # noqa: S608 (constants)
_PEERS_CHANGED = f"""
WITH f AS MATERIALIZED (
  SELECT f.host_id, f.at, h.group_id, h.cluster FROM unnest({_HOSTS}, {_MOMENTS}) AS f (host_id, at)
  JOIN host h ON h.id = f.host_id),
c AS MATERIALIZED (
  SELECT c.id, c.received_at, c.subject_kind || '.' || c.key AS key, p.group_id, p.cluster
  FROM {{changes}} WHERE c.cause <> 'first_seen' AND {BOTH_READ})
SELECT f.host_id, f.at, c.id, c.key FROM f JOIN c ON c.group_id = f.group_id
WHERE c.received_at <= f.at AND c.received_at > f.at - interval '1 hour'
UNION
SELECT f.host_id, f.at, c.id, c.key FROM f JOIN c ON c.cluster = f.cluster AND f.cluster <> ''
WHERE c.received_at <= f.at AND c.received_at > f.at - interval '1 hour'
"""  # noqa: S608 (a constant)


@dataclass(frozen=True, slots=True)
class Worse:
    """What got worse: its groups, every failure that counts as worse, and the pack versions that require more since."""

    groups: list[WorseGroup]
    failures: list[RecentFailure]
    stricter: list[StricterPack]


def what_got_worse(
    session: Session, since: datetime, library: Library, failures: Iterable[RecentFailure], *, has_few_hosts: bool = False
) -> Worse:
    """Happenings that findings started to fail with, one row for each; then rules that started to fail without a change of a setting.
    `has_few_hosts`: the groups of these failures have no more than `FEW_HOSTS`.

    Left out are first reads: a finding that was not known before, and with which nothing changed that was known. Four queries, for those
    check-ins only.
    """
    by_moment: dict[tuple[str, datetime], list[RecentFailure]] = {}
    for failure in failures:
        if failure.at >= since:
            by_moment.setdefault((failure.host_id, failure.at), []).append(failure)
    if not by_moment:
        return Worse([], [], [])
    changes, places = _changes_with(session, since, by_moment)
    blamed = {change.id: found for change in changes if (found := _blamed(change, by_moment, library))}
    weights = {number: urgency_of((failure.rule_no for failure in found), library) for number, found in blamed.items()}
    events = [event for event in events_of(changes, weights=weights) if any(change.id in blamed for change in event.changes)]
    explained = {id(failure) for found in blamed.values() for failure in found}
    rest = [each for moment in by_moment.values() for each in moment if id(each) not in explained and each.was not in _NOT_KNOWN]
    rest, peers = _without_peers(session, rest, events, library, has_few_hosts=has_few_hosts)
    stricter = _stricter(session, rest, library)
    rest = [each for each in rest if id(each) not in stricter.failures]
    jobs = read_jobs(session, {change.job_id for event in events for change in event.changes if change.job_id is not None})
    ranked = [
        *(_worse_group(event, blamed, places, jobs, library, len(peers.get(event.id, ()))) for event in events),
        *_without_change(rest, library),
    ]
    ranked.sort(key=lambda each: (each[0], -each[1].host_count, -each[1].last_at.timestamp()))
    counted = [each for moment in by_moment.values() for each in moment if id(each) in explained]
    return Worse([group for _, group in ranked[:MOST_GROUPS]], [*counted, *rest], stricter.packs)


# Before it failed, nobody could say whether it would pass.
_NOT_KNOWN = frozenset({"unknown", "not_applicable"})


def _changes_with(
    session: Session, since: datetime, moments: Iterable[tuple[str, datetime]]
) -> tuple[list[LoggedChange], Mapping[str, str]]:
    """The changes of these hosts at these moments, and the group of each host."""
    rows = session.execute(sql(_CHANGES), {**_lists(moments), "since": since, "most": MOST_CHANGES}).all()
    changes = [LoggedChange(number, host_id, at.astimezone(UTC), *rest) for number, host_id, at, *rest, _ in rows]
    return changes, {row[1]: row[-1] for row in rows}


def _lists(moments: Iterable[tuple[str, datetime]]) -> dict[str, str]:
    """Hosts, and a moment of each, for `_HOSTS` and `_MOMENTS`."""
    named = list(moments)
    return {"hosts": ",".join(host_id for host_id, _ in named), "moments": ",".join(at.isoformat() for _, at in named)}


def _blamed(change: LoggedChange, by_moment: Mapping[tuple[str, datetime], list[RecentFailure]], library: Library) -> list[RecentFailure]:
    """The failures that read what changed."""
    key = f"{change.subject_kind}.{change.key}"
    reading = library.numbers_reading.get(key, frozenset())
    return [each for each in by_moment.get((change.host_id, change.at), []) if each.rule_no in reading]


def _rules_of(numbers: Iterable[int], library: Library) -> tuple[list[RuleName], list[RuleName]]:
    """The rules, linked ones once, and those that a plan can fix. Of linked rules each may be the one that applies on some of the hosts,
    so all of them are among the latter; the planner sets what several require once.
    """
    linked = first_linked(library)
    known = [library.by_no[no] for no in sorted(set(numbers)) if no in library.by_no]
    first = {linked[each.no].no: each for each in reversed(known)}
    return (
        [RuleName(pack=each.pack.id, rule=each.rule.id) for each in known if each in first.values()],
        [RuleName(pack=each.pack.id, rule=each.rule.id) for each in known if not each.rule.fix.is_manual],
    )


def _worse_group(
    event: ChangeEvent,
    blamed: Mapping[int, list[RecentFailure]],
    places: Mapping[str, str],
    jobs: Mapping[int, Any],
    library: Library,
    peer_count: int,
) -> tuple[int, WorseGroup]:
    """One happening with the failures that came with it; only the hosts on which something failed are counted."""
    failures = [failure for change in event.changes for failure in blamed.get(change.id, ())]
    names = {failure.host_id: failure.name for failure in failures}
    where = Counter(places[host_id] for host_id in names)
    numbers = {failure.rule_no for failure in failures}
    rules, fix_rules = _rules_of(numbers, library)
    effect = effect_of(event.effects[0])
    worst = min(failures, key=lambda failure: urgency_of([failure.rule_no], library))
    named = [jobs[no] for no in dict.fromkeys(change.job_id for change in event.changes) if no is not None and no in jobs]
    return urgency_of(numbers, library), WorseGroup(
        alike=f"event {event.id}",
        event_id=str(event.id),
        key=effect.key,
        label=effect.label,
        headline=worst.headline(library),
        old=effect.old,
        new=effect.new,
        effect_count=len(event.effects) - 1,
        peer_count=peer_count,
        cause=event.cause,
        cause_detail=event.cause_detail,
        job_id=named[0].id if len(named) == 1 else None,
        plan_id=named[0].plan_id if named else None,
        **_hosts(names),
        rules=rules,
        fix_rules=fix_rules,
        group_name=where.most_common(1)[0][0] if len(where) == 1 else f"{len(where)} groups",
        first_at=event.changes[0].at,
        last_at=event.changes[-1].at,
    )


def _hosts(names: Mapping[str, str]) -> dict[str, Any]:
    ordered = sorted(names.items(), key=lambda each: each[1])
    return {
        "hosts": [NamedHost(id=host_id, name=name) for host_id, name in ordered[:_NAMED_HOSTS]],
        "host_count": len(names),
        "host_ids": sorted(names)[:_MOST_PLANNED],
    }


def _without_peers(
    session: Session, rest: Sequence[RecentFailure], events: Sequence[ChangeEvent], library: Library, *, has_few_hosts: bool
) -> tuple[list[RecentFailure], dict[int, set[str]]]:
    """Without failures of rules that compare hosts, where a change of a peer is shown already (by event, the hosts that only differ from
    it now), or where no peer changed: one was read for the first time. One query.
    """
    comparing = [each for each in rest if each.rule_no in library.by_no and library.by_no[each.rule_no].rule.kind == "consistency"]
    if not comparing:
        return list(rest), {}
    changed: dict[tuple[str, datetime], list[Any]] = {}
    statement = _PEERS_CHANGED.replace("{changes}", _OF_FEW if has_few_hosts else _OF_ALL)
    for row in session.execute(sql(statement), _lists({(each.host_id, each.at): None for each in comparing})):
        changed.setdefault((row.host_id, row.at.astimezone(UTC)), []).append(row)
    event_of = {change.id: event.id for event in events for change in event.changes}
    peers: dict[int, set[str]] = {}
    left_out: set[int] = set()
    for failure in comparing:
        reads = library.by_no[failure.rule_no].rule.reads
        read = [row.id for row in changed.get((failure.host_id, failure.at), ()) if row.key in reads]
        shown = next((event_of[number] for number in read if number in event_of), None)
        if shown is not None:
            peers.setdefault(shown, set()).add(failure.host_id)
        if shown is not None or not read:
            left_out.add(id(failure))
    return [each for each in rest if id(each) not in left_out], peers


@dataclass(frozen=True, slots=True)
class _Stricter:
    packs: list[StricterPack]
    failures: frozenset[int]


def _stricter(session: Session, rest: Sequence[RecentFailure], library: Library) -> _Stricter:
    """Failures that a newly activated pack version began, by version. One query."""
    # What peers, proofs and people tell changes without a check-in of the host as well.
    named = [
        (each, library.by_no[each.rule_no].pack.id)
        for each in rest
        if each.rule_no in library.by_no and library.by_no[each.rule_no].rule.kind not in _WITHOUT_CHANGE
    ]
    if not named:
        return _Stricter([], frozenset())
    wanted = dict.fromkeys((each.host_id, each.at, pack) for each, pack in named)
    values = {**_lists((host_id, at) for host_id, at, _ in wanted), "packs": ",".join(pack for *_, pack in wanted)}
    found = {(row.host_id, row.at.astimezone(UTC), row.pack): row for row in session.execute(sql(_STRICTER), values)}
    by_version: dict[tuple[str, str], list[RecentFailure]] = {}
    activated: dict[tuple[str, str], datetime] = {}
    for each, pack in named:
        row = found.get((each.host_id, each.at, pack))
        if row is not None:
            by_version.setdefault((pack, row.version), []).append(each)
            activated[pack, row.version] = row.activated_at
    packs = [
        StricterPack(
            pack=pack,
            version=version,
            activated_at=activated[pack, version],
            hosts=len({each.host_id for each in members}),
            rules=_rules_of((each.rule_no for each in members), library)[0],
        )
        for (pack, version), members in sorted(by_version.items())
    ]
    return _Stricter(packs, frozenset(id(each) for members in by_version.values() for each in members))


# Why a rule can start to fail on a host without a change of a setting.
_WITHOUT_CHANGE = {
    "consistency": "Peer data changed or was first read",
    "proof": "Frame test result changed",
    "attestation": "Attestation changed or expired",
}
_OTHERWISE = "No setting changed on the host: what can be read of it changed"


def _without_change(rest: Iterable[RecentFailure], library: Library) -> list[tuple[int, WorseGroup]]:
    """Rules that started to fail without a change of a setting that they read, one row for failure rule; linked rules are one."""
    first = first_linked(library)
    gathered: dict[int, list[RecentFailure]] = {}
    for failure in rest:
        if failure.rule_no in first:
            gathered.setdefault(first[failure.rule_no].no, []).append(failure)
    found = []
    for no, members in gathered.items():
        was = Counter(member.was for member in members).most_common(1)[0][0]
        names = {member.host_id: member.name for member in members}
        where = Counter(member.group_name for member in members)
        rule = first[no].rule
        rules, fix_rules = _rules_of((member.rule_no for member in members), library)
        group = WorseGroup(
            alike=f"rule {no}",
            event_id="",
            key="",
            label=rule.title,
            headline=members[0].headline(library),
            old=was.replace("_", " "),
            new="fail",
            effect_count=0,
            peer_count=0,
            cause="no_change",
            cause_detail=_WITHOUT_CHANGE.get(rule.kind, _OTHERWISE),
            job_id=None,
            plan_id=None,
            **_hosts(names),
            rules=rules,
            fix_rules=fix_rules,
            group_name=where.most_common(1)[0][0] if len(where) == 1 else f"{len(where)} groups",
            first_at=min(member.at for member in members),
            last_at=max(member.at for member in members),
        )
        found.append((urgencies(library)[no], group))
    return found
