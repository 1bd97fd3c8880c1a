"""Finding the open problems of a scope: jobs that need a person, lost paths, symptoms, failing guardrails, new failures, silent hosts, jobs
that wait or failed.

Nothing here is stored; each read finds the present problems. Sixteen statements, whatever the size of the fleet.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row, text
from sqlmodel import Session

from plumbline.configurations.read import Labels, read_documents, read_labels
from plumbline.core.facts.configuration import Subject
from plumbline.core.facts.document import Document
from plumbline.core.facts.paths import volume_names
from plumbline.core.freshness import SILENT_AFTER_INTERVALS
from plumbline.core.rules import headlines
from plumbline.core.rules.score import PATHS_RULE
from plumbline.models.hosts import REPORTS
from plumbline.models.jobs import JobState
from plumbline.oncall.problems import RANKS, Failing, Kind, Problem, in_order, path_parts, path_rank, path_words
from plumbline.oncall.symptoms import of_symptoms, read_explaining
from plumbline.packs.library import Library
from plumbline.packs.rule_text import effect_of, weight
from plumbline.performance.symptoms import find_symptoms
from plumbline.remediation.states import JOB_WORDS

# How far back something counts as new tonight.
HOURS = 24
# A job that was tried and has not begun for so many minutes is a problem, if it is tried again within so many.
LONG_WAIT_MINUTES, SOON_MINUTES = 30, 10
# Hosts whose path map is read, and rows of each query: no person works through a longer list.
MOST = 200

# What a support bundle tells is of another day: nobody is woken for it.
_HOSTS = f"h.group_id = ANY(:groups) AND h.state IN ('active', 'quarantined') AND h.{REPORTS} AND (:host = '' OR h.id = :host)"
_JOBS = f"""
SELECT j.id, j.host_id, j.state, j.state_words, j.state_at FROM job j JOIN host h ON h.id = j.host_id
WHERE {_HOSTS} AND (j.state = 'NEEDS_HUMAN' OR (j.finished_at > now() - make_interval(hours => :hours)
  AND j.state IN ('FAILED', 'ROLLED_BACK', 'PARTIAL', 'NOT_EFFECTIVE', 'UNVERIFIED')
  AND NOT EXISTS (SELECT 1 FROM job later WHERE later.host_id = j.host_id AND later.id > j.id
    AND later.state NOT IN ('CANCELLED', 'EXPIRED'))))
ORDER BY j.id DESC LIMIT :most
"""  # noqa: S608 - constants
# Tried, and not begun for half an hour: its host is not reached, or a pre-check fails. A job that waits for a window, its turn or the end
# of a freeze is tried again at a known time, or stays queued.
_WAITING_JOBS = f"""
SELECT j.id, j.host_id, j.state_words, j.queued_at, j.not_after FROM job j JOIN host h ON h.id = j.host_id
WHERE {_HOSTS} AND j.state = 'WAITING' AND j.first_intent_at IS NULL AND j.queued_at < now() - make_interval(mins => :long)
  AND (j.next_try_at IS NULL OR j.next_try_at < now() + make_interval(mins => :soon))
ORDER BY j.id LIMIT :most
"""  # noqa: S608 - constants
_MISSING_PATHS = f"SELECT h.id FROM host h WHERE {_HOSTS} AND h.paths_healthy < h.paths_total ORDER BY h.paths_healthy, h.id LIMIT :most"  # noqa: S608
_LOST_AT = """
SELECT host_id, max(received_at) AS at FROM setting_change
WHERE host_id = ANY(:hosts) AND subject_kind = 'volume' AND key = 'paths_healthy' AND cause <> 'first_seen' GROUP BY host_id
"""
_GUARD_RAILS = f"""
SELECT f.host_id, f.rule_no, f.subject_kind, f.subject_id, f.failing_since AS since, f.reason, f.observed
FROM host h JOIN finding f ON f.host_id = h.id
WHERE {_HOSTS} AND h.n_guard_rail > 0 AND f.outcome = 'fail' AND f.kind = 'guard_rail' AND f.waiver_id IS NULL AND f.excluded_by = ''
ORDER BY f.host_id, f.rule_no, f.subject_kind, f.subject_id LIMIT 5000
"""  # noqa: S608
# A first evaluation is not worse than before: only what passed before and fails now.
_WORSE = f"""
SELECT DISTINCT f.host_id, f.rule_no, f.subject_kind, f.subject_id, f.failing_since AS since, f.reason, f.observed
FROM finding_log l JOIN host h ON h.id = l.host_id
JOIN finding f ON f.host_id = l.host_id AND f.rule_no = l.rule_no AND f.subject_kind = l.subject_kind AND f.subject_id = l.subject_id
WHERE {_HOSTS} AND l.at > now() - make_interval(hours => :hours) AND l.new = 'fail' AND l.old NOT IN ('', 'fail')
  AND f.outcome = 'fail' AND f.kind <> 'guard_rail' AND f.waiver_id IS NULL AND f.excluded_by = '' AND f.rule_no = ANY(h.failing)
ORDER BY 1, 2, 3, 4 LIMIT 5000
"""  # noqa: S608
_SILENT = f"""
SELECT h.id, h.last_seen_at, h.source, h.alarm FROM host h
WHERE {_HOSTS} AND (h.last_seen_at IS NULL OR extract(epoch FROM now() - h.last_seen_at) > {SILENT_AFTER_INTERVALS} * h.interval_seconds)
ORDER BY h.last_seen_at DESC NULLS LAST, h.id LIMIT :most
"""  # noqa: S608
_LOST_BY_JOB = {
    JobState.PARTIAL: "Some steps completed, others didn't",
    JobState.NOT_EFFECTIVE: "The value was set but has no effect",
    JobState.UNVERIFIED: "Not verified yet",
}


@dataclass(frozen=True, slots=True)
class Scope:
    """Where to search: groups by id, and a single host where it is named."""

    groups: Sequence[int]
    host_id: str = ""

    @property
    def values(self) -> dict[str, Any]:
        """The parameters of every statement here."""
        waits = {"long": LONG_WAIT_MINUTES, "soon": SOON_MINUTES}
        return {"groups": list(self.groups), "host": self.host_id, "hours": HOURS, "most": MOST, **waits}


def find_problems(session: Session, scope: Scope, library: Library) -> list[Problem]:
    """Every open problem of the scope, the most urgent first."""
    lost_paths = _of_paths(session, scope)
    hosts_with_lost_paths = {problem.host_id for problem in lost_paths}
    paths_rule = library.by_address.get(PATHS_RULE)
    # A failing guardrail on paths and the lost paths themselves are one problem.
    guard_rails = [
        row
        for row in session.execute(text(_GUARD_RAILS), scope.values)
        if not (row.host_id in hosts_with_lost_paths and paths_rule is not None and row.rule_no == paths_rule.no)
    ]
    worse = session.execute(text(_WORSE), scope.values).all()
    symptoms = find_symptoms(session, groups=scope.groups, host_id=scope.host_id, most=MOST)
    explaining = read_explaining(session, symptoms, library)
    # The rest of a long list counts its items instead of naming them.
    labels = read_labels(session, list(dict.fromkeys(row.host_id for row in (*explaining, *guard_rails, *worse)))[:MOST])
    problems = [
        *_of_jobs(session.execute(text(_JOBS), scope.values).all()),
        *lost_paths,
        *of_symptoms(symptoms, explaining, library, labels),
        *_of_findings("guard_rail", guard_rails, library, labels),
        *_of_findings("worse", worse, library, labels),
        *_of_silence(session.execute(text(_SILENT), scope.values).all()),
        *_of_waiting_jobs(session.execute(text(_WAITING_JOBS), scope.values).all()),
    ]
    return in_order(problems)


def _of_jobs(rows: Iterable[Row[Any]]) -> list[Problem]:
    found: dict[str, Problem] = {}
    for row in rows:
        kind: Kind = "needs_human" if row.state == JobState.NEEDS_HUMAN else "failed_job"
        label = JOB_WORDS[row.state]
        problem = Problem(
            kind=kind,
            host_id=row.host_id,
            since=row.state_at,
            words=f"job {row.id} {label}" + (f": {row.state_words}" if row.state_words and row.state_words != label else ""),
            takes_away="The host is locked for other jobs until this is resolved"
            if kind == "needs_human"
            else _LOST_BY_JOB.get(row.state, "Nothing was changed; the original problem remains"),
            parts=(f"job {row.id}",),
            rank=RANKS[kind],
            job_id=row.id,
        )
        found.setdefault(problem.key, problem)
    return list(found.values())


def _of_waiting_jobs(rows: Iterable[Row[Any]]) -> list[Problem]:
    found: dict[str, Problem] = {}
    for row in rows:
        problem = Problem(
            kind="waiting_job",
            host_id=row.host_id,
            since=row.queued_at,
            words=f"job {row.id} can't start: {row.state_words}",
            takes_away=f"nothing is changed yet; it is tried again until {row.not_after:%Y-%m-%d %H:%M} UTC, then its approval expires",
            parts=(f"job {row.id}",),
            rank=RANKS["waiting_job"],
            job_id=row.id,
        )
        found.setdefault(problem.key, problem)
    return list(found.values())


def _of_paths(session: Session, scope: Scope) -> list[Problem]:
    ids = list(session.execute(text(_MISSING_PATHS), scope.values).scalars())
    if not ids:
        return []
    since = {row.host_id: row.at for row in session.execute(text(_LOST_AT), {"hosts": ids})}
    found = []
    for host_id, document in read_documents(session, ids).items():
        volumes = volumes_missing_paths(document)
        if volumes:
            words, takes_away = path_words(volumes)
            rank = path_rank(volumes[0][1])
            found.append(Problem("paths", host_id, since.get(host_id), words, takes_away, path_parts(volumes), rank))
    return found


def volumes_missing_paths(document: Document) -> list[tuple[str, int, int]]:
    """(name, healthy, known) of each SAN volume that misses a path known to the host, fewest healthy paths first."""
    names = volume_names(document.path_map)
    known = Counter(path.volume for path in document.path_map.paths)
    healthy = Counter(path.volume for path in document.path_map.paths if path.state == "healthy")
    missing = [(names.get(volume, volume), healthy[volume], count) for volume, count in known.items() if healthy[volume] < count]
    return sorted(missing, key=lambda volume: (volume[1], volume[0]))


def _of_findings(kind: Kind, rows: Iterable[Row[Any]], library: Library, labels: Mapping[str, Labels]) -> list[Problem]:
    by_host: dict[str, list[Failing]] = {}
    for row in rows:
        if row.rule_no in library.by_no:
            failing = Failing(row.rule_no, row.subject_kind, row.subject_id, row.since, row.reason, row.observed)
            by_host.setdefault(row.host_id, []).append(failing)
    hosts_of = Counter(rule for findings in by_host.values() for rule in {finding.rule_no for finding in findings})
    return [_of_host(kind, host_id, findings, library, hosts_of, labels.get(host_id)) for host_id, findings in by_host.items()]


def _of_host(
    kind: Kind, host_id: str, findings: list[Failing], library: Library, hosts_of: Mapping[int, int], labels: Labels | None
) -> Problem:
    rules = heaviest_unlinked((finding.rule_no for finding in findings), library)
    first = library.by_no[rules[0]].rule
    of_first = [
        headlines.Failing(Subject(each.subject_kind, each.subject_id), each.reason, each.observed)
        for each in findings
        if each.rule_no == rules[0]
    ]
    line = headlines.failing_headline(first, of_first, labels.of_subject if labels else None)
    more = f", and {len(rules) - 1} more" if len(rules) > 1 else ""
    effect = effect_of(first)
    if not effect or effect.startswith("recommended"):
        effect = f"Not measured; {effect}" if effect else "Not measured"
    return Problem(
        kind=kind,
        host_id=host_id,
        since=max(finding.since for finding in findings),
        words=f"{line}{more}",
        takes_away=f"{effect}; score capped at 59" if kind == "guard_rail" else effect,
        parts=tuple(f"{library.by_no[f.rule_no].rule.address} {f.subject_kind}/{f.subject_id} {f.since.isoformat()}" for f in findings),
        rank=RANKS[kind],
        findings=tuple(findings),
        alike=hosts_of[rules[0]] - 1,
    )


def heaviest_unlinked(numbers: Iterable[int], library: Library) -> list[int]:
    """Rules by weight, the heaviest first; of linked rules only one."""
    shown: set[str] = set()
    rules = []
    for no in sorted(set(numbers), key=lambda number: (-weight(library.by_no[number].rule), number)):
        rule = library.by_no[no].rule
        if rule.address not in shown:
            shown.update((rule.address, *rule.same_as))
            rules.append(no)
    return rules


def _of_silence(rows: Iterable[Row[Any]]) -> list[Problem]:
    found = []
    for row in rows:
        never = "Enrolled but never checked in" if row.last_seen_at is None else ""
        stopped = "it can't be read" if row.source == "collector" else "agent stopped or can't reach the server"
        seen = row.last_seen_at.isoformat() if row.last_seen_at else "never"
        takes_away = "Changes on this host are not detected or fixed"
        words = row.alarm or never or f"No check-in: {stopped}"
        found.append(Problem("silent", row.id, row.last_seen_at, words, takes_away, (f"not reporting since {seen}",), RANKS["silent"]))
    return found
