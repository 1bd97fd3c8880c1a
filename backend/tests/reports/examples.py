"""Frozen data of invented fleets, for what a report looks like: any number of hosts, long names, foreign scripts, nothing at all."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any

from plumbline.core.rules.finding_status import FINDING_STATUSES
from plumbline.reports.frozen.gains import gains_words
from plumbline.reports.frozen.words import AGE_BANDS

LONG = "san-host-with-a-very-long-name-that-nobody-would-choose-but-somebody-did-0123456789.storage.example.internal"
JAPANESE = "東京データセンター・本番ストレージ系統その壱"
RULE_TITLES = (
    "Jumbo frames: L3 MTU at least 9000 on every SAN adapter",
    "Flow control is on for receive",
    "Receive buffers at the driver's maximum",
    "Delayed ACK is off for iSCSI sessions",
    "RSS is on",
    "At least two healthy paths to every SAN volume",
    "Large receive offload matches the paper's recommendation for this adapter family and driver version",
    "Multipath policy is least queue depth",
)
DAY = date(2026, 11, 20)


def _gains(hosts: int, said: Callable[[str], str]) -> dict[str, Any]:
    """Counters of two rules that were fixed, one that nobody can tell of, and a proof."""
    if not hosts:
        return {"jobs": 0, "jobs_read": 0, "rows": [], "proofs": [], "words": gains_words(0, 0, [], [])}
    measured = {"unit": "%", "before": 0.38, "after": 0.01, "controls_before": 0.4, "controls_after": 0.41}
    rows = [
        {
            "what": said(title),
            "jobs": 12,
            "hosts": min(hosts, 12),
            "counter": counter,
            **(measured if counter else dict.fromkeys(measured)),
            "change_words": "0.38% to 0.01%" if counter else "",
            "controls_words": "0.4% to 0.41%" if counter else "",
            "better": 5 if counter else 0,
            "worse": 1 if counter else 0,
            "no_effect": 3 if counter else 0,
            "cannot_tell": 3 if counter else 12,
        }
        for title, counter in ((RULE_TITLES[1], "TCP retransmits"), (RULE_TITLES[2], "Dropped packets"), (RULE_TITLES[3], ""))
    ]
    proofs = [
        {
            "id": 4,
            "title": said("Flow control on sql-001"),
            "host": said("sql-001"),
            "host_id": "0" * 32,
            "rule": said(RULE_TITLES[1]),
            "grade_words": "Paper grade",
            "outcome": "better",
            "outcome_words": "Better",
            "change_percent": 31.2,
            "job_id": 7,
            "made_by": said("Ana Engineer"),
            "made_at": "2026-10-02T01:00:00Z",
        }
    ]
    return {"jobs": 60, "jobs_read": 40, "rows": rows, "proofs": proofs, "words": gains_words(60, 40, rows, proofs)}


def _counters(hosts: int) -> dict[str, Any]:
    """Three days of hours with a gap, a figure past its limit, and one without a limit."""
    begins = datetime(2026, 11, 17, 10, tzinfo=UTC)
    steps = [
        {
            "at": f"{begins + timedelta(hours=place):%Y-%m-%dT%H:%M:%SZ}",
            "place": place,
            "hosts": float(hosts),
            "retransmits": 0.4 if 20 < place < 40 else 0.002,
            "drops": None,
            "errors": 0.0,
            "pauses": 3.5,
            "latency": 2_000.0 + 40 * (place % 24),
            "throughput": 1.6e8,
            "operations": 9_000.0,
            "cpu": 17.5,
        }
        for place in range(72)
        if hosts and place not in range(50, 56)
    ]
    figures = [
        {
            "name": name, "label": label, "unit": unit, "limit": limit, "mean": 1.0, "highest": max(step[name] for step in steps),
            "limit_source": "Plumbline's recommendation" if limit else "", "mean_words": f"1 {unit}",
            "highest_words": f"2 {unit}", "limit_words": f"{limit} {unit}" if limit else "",
        }
        for name, label, unit, limit in (
            ("retransmits", "TCP retransmits", "%", 0.11), ("errors", "Packets with errors", "%", 0.001),
            ("latency", "Latency of the slowest volume", "µs", 20_000.0), ("throughput", "Throughput of volumes", "B/s", None),
        )
        if steps
    ]  # fmt: skip
    words = "" if steps else "No host sent counters in this period."
    return {
        "from": "2026-11-17T10:00:00Z", "to": "2026-11-20T09:59:00Z", "step_hours": 1, "places": 72,
        "figures": figures, "steps": steps, "words": words,
    }  # fmt: skip


def example(template: str, *, hosts: int = 12, name: str = "sql-{n:03d}", words: str = "", unknown_only: bool = False) -> dict[str, Any]:
    """The frozen data of one invented report. `words` takes the place of every text that people or hosts give."""

    def said(default: str) -> str:
        return words or default

    names = [name.format(n=number) for number in range(hosts)]
    per_host = {"pass": 0, "fail": 0, "unknown": 40} if unknown_only else {"pass": 31, "fail": 6, "unknown": 2}
    host_rows = [
        {
            "id": f"{number:032x}",
            "name": each,
            "group": said("PROD-B"),
            "system": said("Windows Server 2019 Standard"),
            "cluster": said("CL-01"),
            "families": "Intel X520, Broadcom BCM57810",
            "score": None if unknown_only else 40 + number * 7 % 61,
            "capped_by": "" if unknown_only or number % 3 else "guard_rail",
            "rule_coverage": 0.0 if unknown_only else 0.971,
            **per_host,
            "waived": number % 4,
            "excluded": 0,
            "not_applicable": 12,
            "guard_rail": number % 2,
            "worst": said(RULE_TITLES[0]),
            "worst_headline": said("MTU is 1500 on 2 adapters"),
            "freshness": "fresh",
            "freshness_words": "Up to date",
            "last_seen_at": "2026-11-20T09:41:20Z",
            "paths": "4/4",
            "is_lab": False,
            "absent": "",
        }
        for number, each in enumerate(names)
    ]
    failing = [] if unknown_only or not hosts else list(enumerate(RULE_TITLES))
    status = "unknown" if unknown_only else "fail"
    findings = [
        {
            "host": each["name"],
            "host_id": each["id"],
            "rule_no": number,
            "pack": "dell-bp1057-2012r2",
            "rule": f"rule-{number}",
            "title": said(title),
            "subject": said("Ethernet 3 (iqn.1991-05.com.microsoft:sql-01.example.internal)"),
            "status": status,
            "severity": ("critical", "high", "medium", "low")[number % 4],
            "observed": said("1500"),
            "expected": said("at least 9000"),
            "reason": said("the adapter's MTU is 1500"),
            "since": "2026-10-02T08:00:00Z",
            "waiver_id": None,
        }
        for each in host_rows
        for number, title in (enumerate(RULE_TITLES) if unknown_only else failing)
    ]
    rules = [
        {
            "rule_no": number,
            "address": f"dell-bp1057-2012r2/rule-{number}",
            "title": said(title),
            "severity": "high",
            "severity_label": "High",
            "effect": said("up to 25 % less throughput"),
            "counts": {status: hosts},
            "hosts": {status: hosts},
        }
        for number, title in enumerate(RULE_TITLES)
        if hosts
    ]
    waivers = [
        {
            "id": number,
            "rule": said(RULE_TITLES[number % 8]),
            "rules": [f"dell-esxi55/rule-{number}"],
            "scope": said("sql-01, adapter 001b21aabbcc"),
            "state": state,
            "reason": said("Driver 7.4 has no such setting"),
            "evidence": said("vendor case 4711"),
            "ticket": said("CHG-1201"),
            "owner": said("Ana Engineer"),
            "requested_by": said("Ana Engineer"),
            "approver": "" if state == "requested" else said("Otto Approver"),
            "age_days": 30 * number,
            "approved_at": "2026-08-01T00:00:00Z",
            "expires_at": "2026-12-01T00:00:00Z",
            "ended_at": None,
            "end_words": said("driver 7.4 became 7.8") if state == "tripped" else "",
            "findings": 3 if state == "active" else 0,
            "tripped_hosts": [said("sql-01: driver changed")] if state == "tripped" else [],
        }
        for number, state in enumerate(("active", "requested", "tripped", "expired", "refused", "withdrawn", "replaced"), 1)
        if hosts
    ]
    attestations = [
        {
            "id": number,
            "rule": said("Switch ports have flow control on"),
            "rules": ["dell-bp1057-2012/x"],
            "scope": said("PROD-B and subgroups"),
            "state": state,
            "is_so": state == "active",
            "statement": said("Checked on both switches"),
            "evidence": "",
            "author": said("Ana Engineer"),
            "made_at": "2026-09-01T00:00:00Z",
            "expires_at": "2026-12-01T00:00:00Z",
            "ended_at": None,
            "end_words": "",
        }
        for number, state in enumerate(("active", "expired"), 1)
        if hosts
    ]
    plans = [
        {
            "id": number,
            "title": said("Set MTU 9000 on PROD-B"),
            "state": "FINISHED",
            "state_label": "Finished",
            "state_words": "",
            "group": said("PROD-B"),
            "author": said("Ana Engineer"),
            "approver": said("Otto Approver"),
            "approver_words": said("Otto Approver"),
            "approval": "person",
            "is_by_another": True,
            "ticket": said("CHG-1200"),
            "created_at": "2026-10-01T08:00:00Z",
            "approved_at": "2026-10-01T12:00:00Z",
            "ended_at": "2026-10-02T03:00:00Z",
            "hosts": 12,
            "has_run": True,
            "result": said("12 verified"),
        }
        for number in range(8 if hosts else 0)
    ]
    jobs = [
        {
            "id": number,
            "plan_id": number % 8,
            "host": each,
            "host_id": f"{number:032x}",
            "kind": "change",
            "state": "SUCCEEDED",
            "state_label": "Verified",
            "state_words": said("all values as planned"),
            "steps_done": 4,
            "steps_total": 4,
            "requested_by": said("Ana Engineer"),
            "created_at": "2026-10-01T12:00:00Z",
            "started_at": "2026-10-02T01:00:00Z",
            "finished_at": "2026-10-02T01:10:00Z",
        }
        for number, each in enumerate(names)
    ]
    total = {word: sum(row.get(word, 0) for row in host_rows) for word in FINDING_STATUSES if word != "advice"}
    trend = [
        {
            "day": str(DAY - timedelta(days=90 - number)),
            "ordinal": (DAY - timedelta(days=90 - number)).toordinal(),
            "score_mean": round(62 + number * 0.2, 1),
            "score_median": 60 + number // 5,
            "hosts": hosts,
            "n_fail": 100,
        }
        for number in range(91 if hosts > 1 and not unknown_only else 0)
    ]
    counts = [hosts * 2, hosts, hosts * 3, 0] if failing else [0, 0, 0, 0]
    return {
        "report": {
            "id": 7,
            "version": 4,
            "template": template,
            "title": f"Compliance report: {said('All hosts')}",
            "site": said("Plumbline"),
            "scope": {"kind": "group", "group_id": 1, "name": said("All hosts"), "filters": {}},
            "scope_words": f"{said('All hosts')} and subgroups",
            "period_words": "1 July to 30 September 2026 (Europe/Berlin)",
            "as_of": "2026-11-20T09:41:20Z",
            "as_of_words": "20 Nov 2026 09:41 UTC",
            "is_past": False,
            "requested_by": said("Vera Viewer"),
            "period": {"from": "2026-06-30T22:00:00Z", "to": "2026-09-30T22:00:00Z", "name": "quarter", "time_zone": "Europe/Berlin"},
            "definition": "A host's score is the weighted share of evaluated checks that pass, times 100. " * 2,
            "method": "Pending and retired hosts are not counted. Waived findings are counted as waived, never as passing.",
            "packs": [
                {"pack": f"pack-number-{n}", "version": "1.4.0", "title": said("Best practices"), "published_at": "2026-01-01T00:00:00Z"}
                for n in range(6 if hosts else 0)
            ],
            "papers": [said("Best Practices for Enhancing Microsoft Windows Server with a SAN, Dell (2012)")] * 3,
        },
        "score": {
            "mean": None if unknown_only or not hosts else 71.4,
            "median": None if unknown_only or not hosts else 70.0,
            "lowest": None if unknown_only or not hosts else 40,
            "mean_before": 68.0,
            "change": 3.4,
            "change_words": "+3.4 since 1 Jul 2026",
            "rule_coverage": 0.971 if hosts else None,
            "hosts_fresh": hosts,
            "hosts_known": hosts,
            "hosts_scored": 0 if unknown_only else hosts,
            "worst": [
                {"id": row["id"], "name": row["name"], "score": row["score"], "headline": row["worst_headline"]}
                for row in ([] if unknown_only else host_rows[:5])
            ],
            "hosts_silent": 0,
            "hosts_waiting": 1,
            "hosts_capped": hosts // 3,
            "hosts_lab": 0,
        },
        "outcomes": {**total, "guard_rail": hosts // 2},
        "distribution": [{"from": low, "to": low + 9 if low < 90 else 100, "hosts": hosts // 10} for low in range(0, 100, 10)],
        "trend": trend,
        "events": [{"at": "2026-10-10T00:00:00Z", "kind": "pack", "label": "pack 1.4", "ordinal": date(2026, 10, 10).toordinal()}],
        "summary": [
            f"The average score of {hosts} hosts rose from 68.0 to 71.4.",
            "30 findings began to fail and 120 were fixed.",
            f"{said('12 hosts')} were changed by 8 plans.",
        ],
        "turns": {"began_to_fail": 30, "fixed": 120},
        "failing_rules": [
            {
                "pack": "dell-bp1057-2012r2",
                "rule": f"rule-{number}",
                "address": f"dell-bp1057-2012r2/rule-{number}",
                "rule_no": number,
                "title": said(title),
                "hosts": max(1, hosts - number),
                "subjects": 2 * hosts,
                "effect": said("up to 25 % less throughput"),
                "kind": "recommended",
                "also": [{"pack": "dell-bp1057-2012", "rule": "x"}],
            }
            for number, title in failing
        ],
        "risks": {
            "bands": list(AGE_BANDS),
            "total": sum(counts) * 4,
            "rows": [
                {"severity": word.lower(), "label": word, "counts": counts, "total": sum(counts)}
                for word in ("Critical", "High", "Medium", "Low")
            ],
        },
        "hosts": host_rows,
        "findings": findings,
        "finding_rules": rules,
        "exceptions": waivers,
        "waivers_by_state": {
            each: int(hosts > 0) for each in ("active", "requested", "tripped", "expired", "refused", "withdrawn", "replaced")
        },
        "waived_findings": 3 if hosts else 0,
        "waiver_ages": [{"label": label, "count": 1} for label in ("up to 30 days", "31 to 90 days", "more than 90 days")],
        "waiver_owners": [{"owner": said("Ana Engineer"), "waivers": 1, "findings": 3}] if hosts else [],
        "oldest_waiver": {"age_days": 210, "owner": said("Ana Engineer")} if hosts else None,
        "attestations": attestations,
        "attestations_by_state": {"active": int(hosts > 0), "expired": int(hosts > 0), "withdrawn": 0, "replaced": 0},
        "time_to_fix": {"fixed": 120 if hosts else 0, "median_hours": 70.0, "median_words": "2.9 days"},
        "job_times": {"done": 40 if hosts else 0, "median_hours": 20.0, "median_words": "20 hours"},
        "plans": plans,
        "jobs": jobs,
        "approvals": {
            "decided": 14 if hosts else 0,
            "by_another": 13,
            "rate": 0.9286,
            "standing": 2,
            "break_glass": 1 if hosts else 0,
            "rows": [
                {"label": label, "decided": 7, "by_another": 6, "rate": 0.857, "standing": 1, "break_glass": 1}
                for label in ("Plans", "Waivers", "All")
            ],
        },
        "drift": {
            "changes": 210,
            "by_cause": [{"cause": "driver_update", "label": "Driver update", "changes": 210, "hosts": hosts}] if hosts else [],
        },
        "counters": _counters(hosts),
        "gains": _gains(hosts, said),
        "audit": {
            "total": 1000 if hosts else 0,
            "head": {"number": 812, "hash": "ab" * 32} if hosts else None,
            "entries": [
                {
                    "number": 900 - number,
                    "at": "2026-10-02T01:00:00Z",
                    "actor": "person:3 ana",
                    "who": said("Ana Engineer"),
                    "action": "plan.approved",
                    "what": said("Approved plan 3: Set MTU 9000 on PROD-B"),
                    "group": said("PROD-B"),
                    "reason": said("change board"),
                }
                for number in range(200 if hosts else 0)
            ],
        },
    }
