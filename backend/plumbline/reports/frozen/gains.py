"""What was measured of the changes of a report's period: counters beside untreated hosts, and the verdicts of benchmark proofs.

Both are read by the functions of the job's and the proof's page, so the figures are those of the screens.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import text

from plumbline.core.texts import figure
from plumbline.infra.clock import iso
from plumbline.proofs.job_effects import read_job_effect
from plumbline.proofs.queries import list_proofs, rule_title
from plumbline.proofs.schemas import CounterEffect, EffectWindow
from plumbline.reports.frozen.scope import Scope
from plumbline.reports.frozen.words import count_words, plural

# The newest jobs: each takes the seven queries of its own page.
MOST_JOBS = 40
_PROOFS_A_PAGE = 200
_COMPARED = ("better", "worse", "no_effect")
_OUTCOME_WORDS = {
    "better": "Better",
    "worse": "Worse",
    "no_effect": "No significant effect",
    "mixed": "Better and worse",
    "run_again": "Run again",
    "too_few_runs": "Too few runs",
    "not_comparable": "Not comparable",
}
_GRADE_WORDS = {"paper": "Paper grade", "quick_look": "Quick look"}


def read_gains(scope: Scope, jobs: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Rows of counters by what was fixed, every answer counted, and the proofs that were made in the period."""
    start, end = iso(scope.period.start), iso(scope.as_of)
    treated = [
        job
        for job in jobs
        if job["kind"] == "change" and job["state"] == "SUCCEEDED" and job["finished_at"] and start <= job["finished_at"] <= end
    ]
    read = treated[:MOST_JOBS]
    rows = _rows(scope, read)
    proofs = _proofs(scope)
    return {
        "jobs": len(treated),
        "jobs_read": len(read),
        "rows": rows,
        "proofs": proofs,
        "words": gains_words(len(treated), len(read), rows, proofs),
    }


def gains_words(jobs: int, jobs_read: int, rows: Sequence[Mapping[str, Any]], proofs: Sequence[Mapping[str, Any]]) -> list[str]:
    """The gains in a few sentences, what did not get better and what nobody can tell among them."""
    if not jobs and not proofs:
        return ["No job changed a host in this period and no benchmarks were compared, so nothing was measured."]
    sentences = []
    of_jobs = plural(jobs, "job") if jobs_read == jobs else f"the newest {jobs_read} of {plural(jobs, 'job')}"
    if jobs:
        total = Counter({name: sum(row[name] for row in rows) for name in (*_COMPARED, "cannot_tell")})
        if any(total[name] for name in _COMPARED):
            counts = [
                count_words(total[name], words) for name, words in (("better", "better"), ("worse", "worse"), ("no_effect", "unchanged"))
            ]
            sentences.append(
                f"Counters of {of_jobs}, before and after beside untreated hosts: {', '.join(filter(None, counts))}"
                + (f"; {total['cannot_tell']} unknown." if total["cannot_tell"] else ".")
            )
        else:
            sentences.append(f"Counters cannot tell what {of_jobs} did: too few readings, too little load or no untreated hosts.")
    if proofs:
        counts = [f"{count} {words.lower()}" for words, count in Counter(proof["outcome_words"] for proof in proofs).items()]
        sentences.append(f"{plural(len(proofs), 'comparison')} of benchmark runs: {', '.join(counts)}.")
    return sentences


def _rows(scope: Scope, jobs: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """One row for each thing that was fixed and each counter that can be compared; one without a counter where none can."""
    fixed = _fixed(scope, jobs)
    groups: dict[str, list[Mapping[str, Any]]] = {}
    for job in jobs:
        groups.setdefault(fixed.get(job["id"], job["plan"]), []).append(job)
    rows: list[dict[str, Any]] = []
    for what, members in groups.items():
        read = [window for job in members if (window := _window(scope, job["id"])) is not None]
        counters: dict[str, list[CounterEffect]] = {}
        for window in read:
            for counter in window.counters:
                counters.setdefault(counter.name, []).append(counter)
        found = [
            _row(what, members, of_counter) for of_counter in counters.values() if any(each.answer in _COMPARED for each in of_counter)
        ]
        rows.extend(found or [_nothing_known(what, members)])
    # What changed the most comes first; what nobody can tell comes last.
    return sorted(rows, key=lambda row: (row["counter"] == "", row["better"] + row["worse"] == 0, -row["better"], row["what"]))


def _window(scope: Scope, job_id: int) -> EffectWindow | None:
    """The longest span after the job that has passed."""
    effect = read_job_effect(scope.session, actor=scope.reader, job_id=job_id)
    over = [window for window in effect.windows if window.is_over]
    return max(over, key=lambda window: window.hours, default=None)


def _fixed(scope: Scope, jobs: Sequence[Mapping[str, Any]]) -> dict[int, str]:
    """What each job put right, in the titles of the rules."""
    plans = {
        row.id: row.request
        for row in scope.session.execute(
            text("SELECT id, request FROM plan WHERE id = ANY(:ids)"), {"ids": [job["plan_id"] for job in jobs]}
        )
    }
    found = {}
    for job in jobs:
        request = plans.get(job["plan_id"], {})
        titles = {
            rule_title(scope.library, each["pack"], each["rule"])
            for each in request.get("findings", ())
            if each["host_id"] == job["host_id"]
        }
        if any(each["host_id"] == job["host_id"] for each in request.get("settings", ())):
            titles.add("Settings restored")
        if titles:
            found[job["id"]] = "; ".join(sorted(titles))
    return found


def _row(what: str, members: Sequence[Mapping[str, Any]], counters: Sequence[CounterEffect]) -> dict[str, Any]:
    compared = [each for each in counters if each.answer in _COMPARED]
    first = compared[0]
    counts = Counter(each.answer for each in compared)
    before, after = _mean([each.before for each in compared]), _mean([each.after for each in compared])
    controls_before, controls_after = _mean([each.controls_before for each in compared]), _mean([each.controls_after for each in compared])
    return {
        "what": what,
        "jobs": len(members),
        "hosts": len({job["host_id"] for job in members}),
        "counter": first.label,
        "unit": first.unit,
        "before": before,
        "after": after,
        "controls_before": controls_before,
        "controls_after": controls_after,
        "change_words": f"{figure(before, first.unit)} to {figure(after, first.unit)}",
        "controls_words": f"{figure(controls_before, first.unit)} to {figure(controls_after, first.unit)}",
        "better": counts["better"],
        "worse": counts["worse"],
        "no_effect": counts["no_effect"],
        "cannot_tell": len(members) - len(compared),
    }


def _nothing_known(what: str, members: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    return {
        "what": what,
        "jobs": len(members),
        "hosts": len({job["host_id"] for job in members}),
        **dict.fromkeys(("counter", "unit", "change_words", "controls_words"), ""),
        **dict.fromkeys(("before", "after", "controls_before", "controls_after")),
        "better": 0,
        "worse": 0,
        "no_effect": 0,
        "cannot_tell": len(members),
    }


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return math.fsum(known) / len(known) if known else None


def _proofs(scope: Scope) -> list[dict[str, Any]]:
    """The proofs that were made in the period, newest first."""
    found = []
    after: int | None = None
    while True:
        page = list_proofs(scope.session, actor=scope.reader, host_id=None, job_id=None, after=after, limit=_PROOFS_A_PAGE)
        found += [
            {
                "id": proof.id,
                "title": proof.title,
                "host": proof.host.name,
                "host_id": proof.host.id,
                "rule": proof.rule_title,
                "grade_words": _GRADE_WORDS[proof.grade],
                "outcome": proof.outcome,
                "outcome_words": _OUTCOME_WORDS[proof.outcome],
                "change_percent": proof.change_percent,
                "job_id": proof.job_id,
                "made_by": proof.made_by,
                "made_at": iso(proof.made_at),
            }
            for proof in page.items
            if scope.period.start <= proof.made_at < scope.as_of and (scope.host_ids is None or proof.host.id in scope.host_ids)
        ]
        if page.next is None or page.items[-1].made_at < scope.period.start:
            return found
        after = int(page.next)
