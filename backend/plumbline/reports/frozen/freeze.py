"""The frozen data of a report, read in one snapshot by the functions that the screens use.

Everything in it is plain JSON. PDF, XLSX, CSV and JSON are made from it alone, so their figures are equal.
"""

from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlmodel import Session

from plumbline.fleet.overview import bands_of, coverage_of, failing_rules, fleet_events, outcomes_of, trend_days
from plumbline.infra.clock import iso
from plumbline.infra.database import get_engine
from plumbline.packs.library import Library
from plumbline.packs.rule_text import effect_of
from plumbline.reports.frozen.activity import read_audit, read_drift, read_turns
from plumbline.reports.frozen.counters import read_counters
from plumbline.reports.frozen.exceptions import ATTESTATION_STATES, WAIVER_STATES, counts_by_state, read_attestations, read_waivers
from plumbline.reports.frozen.gains import read_gains
from plumbline.reports.frozen.posture import Posture, read_posture
from plumbline.reports.frozen.remediation import job_times, read_approvals, read_jobs, read_plans
from plumbline.reports.frozen.scope import Scope, read_scope
from plumbline.reports.frozen.words import AGE_BANDS, age_band, median, minute_words, plural
from plumbline.reports.period import Period
from plumbline.reports.templates import TEMPLATES, TemplateName

# Rises when the shape of the data changes.
VERSION = 4
DEFINITION = (
    "A host's score is the weighted share of evaluated checks that pass, times 100. A rule's weight depends on the effect its source "
    "measured or states. Waived, unknown and N/A findings are not counted. A failing guardrail or a SAN volume with fewer than two healthy "
    "paths caps the score at 59. The fleet score is the average of all scored hosts."
)
METHOD = (
    "Pending and retired hosts are not counted. Waived findings are counted as waived, never as passing; a waiver or an attestation that "
    "expired or ended early counts for nothing and is listed as such. Equivalent rules are listed and counted once. Late and non-reporting "
    "hosts keep their last known values and are listed. An approval is by another person if the approver did not request it."
)
PAST_METHOD = " At a past date a host is counted as up to date unless it has not been heard of since."
SEVERITIES = ("critical", "high", "medium", "low")


def freeze(
    *,
    report_id: int,
    template: TemplateName,
    group_id: int,
    period: Period,
    requested_by: str,
    site_name: str,
    filters: Mapping[str, Any] | None = None,
    view_name: str = "",
) -> dict[str, Any]:
    """The data of a report, read in one REPEATABLE READ transaction, so that all figures are of one moment.

    Raises `NotFound`, `TooManyFindings`.
    """
    with get_engine().connect().execution_options(isolation_level="REPEATABLE READ") as connection, Session(connection) as snapshot:
        scope = read_scope(snapshot, group_id=group_id, filters=filters, view_name=view_name, period=period)
        data = _data(scope, template)
        connection.rollback()
    data["report"] = {"id": report_id, "template": template, "site": site_name, "requested_by": requested_by, **data["report"]}
    return data


def _data(scope: Scope, template: TemplateName) -> dict[str, Any]:
    kind = TEMPLATES[template]
    posture = read_posture(scope, with_findings=kind.has_findings)
    turns, time_to_fix = read_turns(scope)
    plans, jobs = read_plans(scope), read_jobs(scope)
    waivers = read_waivers(scope)
    if scope.is_past:
        waivers = [{**each, "findings": posture.waived[each["id"]] if each["state"] == "active" else 0} for each in waivers]
    attestations = read_attestations(scope)
    score = _score(scope, posture)
    outcomes = outcomes_of(posture.rolled).model_dump(mode="json", by_alias=True)
    failing = failing_rules(scope.session, [scope.group.id], posture.rolled, scope.library)
    active = [waiver for waiver in waivers if waiver["state"] == "active"]
    data = {
        "report": _about(scope, kind.title),
        "score": score,
        "outcomes": outcomes,
        "distribution": [band.model_dump(mode="json", by_alias=True) for band in bands_of(posture.rolled)],
        "trend": _trend(scope),
        "events": _events(scope),
        "turns": turns,
        "risks": _risks(scope, posture),
        "failing_rules": [rule.model_dump(mode="json") | {"address": f"{rule.pack}/{rule.rule}"} for rule in failing],
        "hosts": posture.hosts,
        "exceptions": waivers,
        "waivers_by_state": counts_by_state(waivers, WAIVER_STATES),
        "waived_findings": sum(waiver["findings"] for waiver in active),
        "waiver_ages": _waiver_ages(active),
        "waiver_owners": _waiver_owners(active),
        "oldest_waiver": max(active, key=lambda each: each["age_days"], default=None),
        "attestations": attestations,
        "attestations_by_state": counts_by_state(attestations, ATTESTATION_STATES),
        "time_to_fix": time_to_fix,
        "plans": plans,
        "jobs": jobs,
        "job_times": job_times(plans, jobs),
        "approvals": read_approvals(scope, plans),
        "drift": read_drift(scope),
        "gains": read_gains(scope, jobs),
        "counters": read_counters(scope),
        "findings": posture.findings,
        "finding_rules": _finding_rules(scope.library, posture.findings),
    }
    if kind.has_audit_log:
        data["audit"] = read_audit(scope)
    data["summary"] = _summary(scope, data)
    return data


def _about(scope: Scope, title: str) -> dict[str, Any]:
    name = scope.view_name or scope.group.name
    packs = [
        {"pack": pack.id, "version": published.version, "title": pack.title, "published_at": iso(published.published_at)}
        for pack, published in scope.library.active
    ]
    return {
        "version": VERSION,
        "title": f"{title}: {name}",
        "scope": {
            "kind": "group" if scope.host_ids is None else "view",
            "group_id": scope.group.id,
            "group": scope.group.name,
            "name": name,
            "filters": dict(scope.filters),
        },
        "scope_words": f"{scope.group.name} and subgroups" if scope.host_ids is None else f"Saved view {name}, in {scope.group.name}",
        "as_of": iso(scope.as_of),
        "as_of_words": minute_words(scope.as_of),
        "is_past": scope.is_past,
        "period": {
            "from": iso(scope.period.start),
            "to": iso(scope.as_of),
            "first_day": scope.period.first.isoformat(),
            "last_day": scope.period.last.isoformat(),
            "name": scope.period.preset,
            "time_zone": scope.period.zone,
        },
        "period_words": scope.period.words,
        "definition": DEFINITION,
        "method": METHOD + (PAST_METHOD if scope.is_past else ""),
        "packs": packs,
        "papers": sorted({f"{each.title}, {each.publisher} ({each.edition})" for pack, _ in scope.library.active for each in pack.papers}),
    }


def _score(scope: Scope, posture: Posture) -> dict[str, Any]:
    hosts = posture.hosts
    counted = [host for host in hosts if not host["absent"]]
    scores = [host["score"] for host in counted if host["score"] is not None]
    mean = round(sum(scores) / len(scores), 1) if scores else None
    before, before_on = _mean_before(scope)
    change = round(mean - before, 1) if mean is not None and before is not None else None
    return {
        "mean": mean,
        "median": median(scores),
        "lowest": min(scores, default=None),
        "mean_before": before,
        "change": change,
        "change_words": _change_words(change, before_on, scope),
        "worst": [
            {"id": host["id"], "name": host["name"], "score": host["score"], "headline": host["worst_headline"]}
            # As on the overview: of equal scores the lower id.
            for host in sorted((host for host in counted if host["score"] is not None), key=lambda host: (host["score"], host["id"]))[:5]
        ],
        "rule_coverage": coverage_of(posture.rolled),
        "hosts_known": len(counted),
        "hosts_fresh": sum(host["freshness"] == "fresh" for host in counted),
        "hosts_silent": sum(host["freshness"] in ("silent", "never") for host in counted),
        "hosts_scored": len(scores),
        "hosts_capped": sum(bool(host["capped_by"]) for host in counted),
        "hosts_waiting": posture.waiting,
        "hosts_lab": sum(host["is_lab"] for host in counted),
        "hosts_absent": len(hosts) - len(counted),
    }


def _mean_before(scope: Scope) -> tuple[float | None, str]:
    """The average at the beginning of the period, from the group's daily figures. A saved view has none."""
    if scope.host_ids is not None:
        return None, ""
    days = trend_days(scope.session, scope.group.id, scope.period.start.date() - timedelta(days=7), scope.period.first)
    known = [day for day in days if day.score_mean is not None]
    return (known[-1].score_mean, f"{known[-1].day:%-d %b %Y}") if known else (None, "")


def _change_words(change: float | None, since: str, scope: Scope) -> str:
    if scope.host_ids is not None:
        return "no earlier figure of a saved view"
    if change is None:
        return f"no figure of {scope.period.first:%-d %b %Y}"
    return f"{'+' if change >= 0 else '−'}{abs(change):.1f} since {since}"


def _trend(scope: Scope) -> list[dict[str, Any]]:
    """The group's daily figures over the period, or over 30 days where that is shorter. None of a saved view."""
    if scope.host_ids is not None:
        return []
    first = min(scope.period.first, scope.as_of.date() - timedelta(days=30))
    return [
        {**day.model_dump(mode="json"), "ordinal": day.day.toordinal()}
        for day in trend_days(scope.session, scope.group.id, first, min(scope.period.last, scope.as_of.date()))
    ]


def _events(scope: Scope) -> list[dict[str, Any]]:
    events = fleet_events(scope.session, group_id=scope.group.id, path=scope.group.path, first=scope.period.start)
    return [
        {**event.model_dump(mode="json"), "at": iso(event.at), "ordinal": event.at.date().toordinal()}
        for event in events
        if event.at < scope.as_of
    ]


def _risks(scope: Scope, posture: Posture) -> dict[str, Any]:
    """Failing findings by severity and by how long they have failed. What failed at its first reading counts from then."""
    counts: Counter[tuple[str, int]] = Counter()
    for severity, since in posture.failing:
        counts[severity, age_band(scope.as_of - (since or datetime.min.replace(tzinfo=UTC)).astimezone(UTC))] += 1
    rows = [
        {
            "severity": severity,
            "label": severity.capitalize(),
            "counts": [counts[severity, band] for band in range(len(AGE_BANDS))],
            "total": sum(counts[severity, band] for band in range(len(AGE_BANDS))),
        }
        for severity in SEVERITIES
    ]
    return {"bands": list(AGE_BANDS), "rows": rows, "total": sum(counts.values())}


def _finding_rules(library: Library, findings: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rules of the findings, the most severe first, with findings and hosts by status."""
    gathered: dict[int, list[dict[str, Any]]] = {}
    for finding in findings:
        gathered.setdefault(finding["rule_no"], []).append(finding)
    rules = []
    for number, rows in gathered.items():
        rank = min(row["severity_rank"] for row in rows)
        hosts: dict[str, set[str]] = {}
        for row in rows:
            hosts.setdefault(row["status"], set()).add(row["host_id"])
        rules.append(
            {
                "rule_no": number,
                "address": f"{rows[0]['pack']}/{rows[0]['rule']}",
                "title": rows[0]["title"],
                "severity": SEVERITIES[rank],
                "severity_label": SEVERITIES[rank].capitalize(),
                "effect": effect_of(library.by_no[number].rule),
                "counts": dict(Counter(row["status"] for row in rows)),
                "hosts": {status: len(ids) for status, ids in hosts.items()},
            }
        )
    return sorted(rules, key=lambda rule: (SEVERITIES.index(rule["severity"]), -rule["hosts"].get("fail", 0), rule["title"]))


def _waiver_ages(active: list[dict[str, Any]]) -> list[dict[str, Any]]:
    counts = Counter(age_band(timedelta(days=waiver["age_days"])) for waiver in active)
    return [{"label": label, "count": counts[band]} for band, label in enumerate(AGE_BANDS)]


def _waiver_owners(active: list[dict[str, Any]]) -> list[dict[str, Any]]:
    owners: dict[str, list[int]] = {}
    for waiver in active:
        line = owners.setdefault(waiver["owner"], [0, 0])
        line[0] += 1
        line[1] += waiver["findings"]
    rows = [{"owner": owner, "waivers": waivers, "findings": findings} for owner, (waivers, findings) in owners.items()]
    return sorted(rows, key=lambda row: (-row["findings"], -row["waivers"], row["owner"]))


def _summary(scope: Scope, data: Mapping[str, Any]) -> list[str]:
    """The report in a few sentences."""
    score, turns, outcomes = data["score"], data["turns"], data["outcomes"]
    hosts = plural(score["hosts_known"], "host")
    if not score["hosts_known"]:
        return ["No host was counted at this time." if scope.is_past else "No host is counted here yet."]
    if score["mean"] is None:
        sentences = [f"None of {hosts} has a score: nothing could be evaluated."]
    elif score["change"] is None:
        sentences = [f"The average score of {hosts} is {int(score['mean'])}."]
    else:
        verb = "rose" if score["change"] > 0 else "fell" if score["change"] < 0 else "stayed"
        moved = f"{verb} from {score['mean_before']:.1f} to {score['mean']:.1f}" if score["change"] else f"stayed at {score['mean']:.1f}"
        sentences = [f"The average score of {hosts} {moved}."]
    guardrails = plural(outcomes["guard_rail"], "guardrail failure")
    sentences.append(f"{plural(outcomes['fail'], 'finding')} {'fails' if outcomes['fail'] == 1 else 'fail'}, {guardrails} among them.")
    sentences.append(f"In the period {plural(turns['began_to_fail'], 'finding')} began to fail and {turns['fixed']:,} were fixed.")
    ran = [plan for plan in data["plans"] if plan["has_run"]]
    if ran:
        sentences.append(f"{plural(len(ran), 'plan')} changed hosts.")
    over = data["waivers_by_state"]["expired"] + data["waivers_by_state"]["tripped"]
    if over:
        sentences.append(f"{plural(over, 'waiver')} expired or ended early.")
    return sentences
