"""The tables of a report's frozen data: sheets of the workbook, and files of the CSV archive, with the same rows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from plumbline.reports.xlsx.cells import Kind

Data = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Field:
    """A column: the name in CSV files, the heading in the workbook, what it holds, and its width there."""

    name: str
    heading: str
    kind: Kind = "text"
    width: float = 16


@dataclass(frozen=True, slots=True)
class ReportTable:
    """A table of a report: the file's name, the sheet's name, its columns, and its rows as mappings of column names."""

    name: str
    sheet: str
    fields: Sequence[Field]
    rows: Sequence[Mapping[str, Any]]

    def cells(self) -> list[list[Any]]:
        """The rows in the order of the columns, lists as text."""
        return [[_flat(row.get(field.name)) for field in self.fields] for row in self.rows]


def _flat(value: Any) -> Any:
    return "; ".join(str(each) for each in value) if isinstance(value, list) else value


def _integer(name: str, heading: str) -> Field:
    return Field(name, heading, "integer", 11)


def _time(name: str, heading: str) -> Field:
    return Field(name, f"{heading} (UTC)", "time", 17)


_HOSTS = (
    Field("name", "Host", width=24),
    Field("group", "Group"),
    Field("system", "System", width=26),
    Field("cluster", "Cluster"),
    Field("families", "Adapter families", width=20),
    _integer("score", "Score"),
    Field("capped_by", "Capped by", width=34),
    Field("rule_coverage", "Coverage", "share", 11),
    _integer("pass", "Pass"),
    _integer("fail", "Fail"),
    _integer("unknown", "Unknown"),
    _integer("waived", "Waived"),
    _integer("excluded", "Excluded"),
    _integer("not_applicable", "N/A"),
    _integer("guard_rail", "Guardrail failures"),
    Field("worst_headline", "Top finding", width=44),
    Field("worst", "Top finding's rule", width=32),
    Field("freshness_words", "Check-in"),
    _time("last_seen_at", "Last check-in"),
    Field("paths", "Healthy paths", width=11),
    Field("absent", "Not evaluated because", width=26),
    Field("is_lab", "Simulated", "yes_no", 11),
    Field("id", "Host ID", width=34),
)
_FINDINGS = (
    Field("host", "Host", width=24),
    Field("title", "Rule", width=36),
    Field("subject", "Item", width=24),
    Field("status", "Status", width=11),
    Field("severity", "Severity", width=11),
    Field("observed", "Observed", width=30),
    Field("expected", "Expected", width=30),
    Field("reason", "Reason", width=40),
    _time("since", "Since"),
    Field("pack", "Pack", width=20),
    Field("rule", "Rule ID", width=28),
    _integer("waiver_id", "Waiver"),
    Field("subject_kind", "Kind of item"),
    Field("subject_id", "Item ID", width=24),
    Field("host_id", "Host ID", width=34),
)
_RULES = (
    Field("title", "Rule", width=36),
    _integer("hosts", "Hosts"),
    _integer("subjects", "Findings"),
    Field("effect", "Impact", width=44),
    Field("kind", "Kind"),
    Field("pack", "Pack", width=20),
    Field("rule", "Rule ID", width=28),
    Field("also", "Also required by", width=30),
)
_WAIVERS = (
    _integer("id", "Waiver"),
    Field("rule", "Rule", width=36),
    Field("rules", "Rule IDs", width=36),
    Field("scope", "Scope", width=30),
    Field("state", "State", width=12),
    _integer("findings", "Findings"),
    Field("reason", "Reason", width=40),
    Field("evidence", "Evidence", width=26),
    Field("ticket", "Ticket"),
    Field("owner", "Owner"),
    Field("requested_by", "Requested by"),
    Field("approver", "Approved by"),
    _integer("age_days", "Age in days"),
    _time("approved_at", "Approved"),
    _time("expires_at", "Expires"),
    _time("ended_at", "Ended"),
    Field("end_words", "Why it ended", width=30),
    Field("tripped_hosts", "Ended early on", width=30),
)
_ATTESTATIONS = (
    _integer("id", "Attestation"),
    Field("rule", "Rule", width=36),
    Field("rules", "Rule IDs", width=36),
    Field("scope", "Scope", width=30),
    Field("state", "State", width=12),
    Field("is_so", "Confirmed", "yes_no", 11),
    Field("statement", "Statement", width=40),
    Field("evidence", "Evidence", width=26),
    Field("author", "Author"),
    _time("made_at", "Made"),
    _time("expires_at", "Expires"),
    _time("ended_at", "Ended"),
    Field("end_words", "Why it ended", width=30),
)
_PLANS = (
    _integer("id", "Plan"),
    Field("title", "Title", width=36),
    Field("state", "State", width=18),
    Field("state_words", "Details", width=34),
    _integer("hosts", "Hosts"),
    Field("group", "Group"),
    Field("author", "Requested by"),
    Field("approver", "Approved by"),
    Field("approval", "Approval", width=12),
    Field("is_by_another", "By another person", "yes_no", 11),
    Field("ticket", "Ticket"),
    _time("created_at", "Requested"),
    _time("approved_at", "Approved"),
    _time("ended_at", "Ended"),
    Field("result", "Result", width=34),
)
_JOBS = (
    _integer("id", "Job"),
    _integer("plan_id", "Plan"),
    Field("plan", "Plan title", width=32),
    Field("host", "Host", width=24),
    Field("kind", "Kind", width=10),
    Field("state", "State", width=16),
    Field("state_words", "Details", width=36),
    _integer("steps_done", "Steps done"),
    _integer("steps_total", "Steps"),
    Field("requested_by", "Requested by"),
    _time("created_at", "Created"),
    _time("started_at", "Started"),
    _time("finished_at", "Ended"),
    Field("host_id", "Host ID", width=34),
)
_GAINS = (
    Field("what", "Fixed", width=40),
    _integer("jobs", "Jobs"),
    _integer("hosts", "Hosts"),
    Field("counter", "Counter", width=24),
    Field("unit", "Unit", width=8),
    Field("before", "Before", "number", 12),
    Field("after", "After", "number", 12),
    Field("controls_before", "Untreated before", "number", 12),
    Field("controls_after", "Untreated after", "number", 12),
    _integer("better", "Better"),
    _integer("worse", "Worse"),
    _integer("no_effect", "No effect"),
    _integer("cannot_tell", "Unknown"),
)
_PROOFS = (
    _integer("id", "Proof"),
    Field("title", "Title", width=32),
    Field("host", "Host", width=24),
    Field("rule", "Rule", width=36),
    Field("grade_words", "Grade", width=14),
    Field("outcome_words", "Result", width=24),
    Field("change_percent", "Largest change (%)", "number", 12),
    _integer("job_id", "Job"),
    Field("made_by", "Made by"),
    _time("made_at", "Made"),
    Field("host_id", "Host ID", width=34),
)
_AUDIT = (
    _integer("number", "No."),
    _time("at", "Time"),
    Field("who", "Who", width=20),
    Field("what", "What", width=44),
    Field("group", "Group"),
    Field("reason", "Reason", width=30),
    Field("action", "Action", width=24),
    Field("actor", "Actor", width=24),
    Field("object_kind", "Kind of object"),
    Field("object_id", "Object", width=34),
)
_APPROVALS = (
    Field("label", "Approved"),
    _integer("decided", "Approvals"),
    _integer("by_another", "By another person"),
    Field("rate", "Share", "share", 11),
    _integer("standing", "Standing approval"),
    _integer("break_glass", "Break-glass"),
)
_TREND = (
    Field("day", "Day", width=12),
    Field("score_mean", "Average score", "decimal", 12),
    Field("score_median", "Median score", "decimal", 12),
    _integer("hosts", "Hosts"),
    _integer("n_fail", "Failing findings"),
)
COUNTERS = (
    _time("at", "From"),
    Field("hosts", "Hosts reporting", "decimal", 11),
    Field("retransmits", "TCP retransmits (%)", "number", 14),
    Field("drops", "Dropped packets (%)", "number", 14),
    Field("errors", "Packets with errors (%)", "number", 14),
    Field("pauses", "Pause frames (1/s)", "number", 14),
    Field("latency", "Latency of the slowest volume (µs)", "number", 18),
    Field("throughput", "Throughput of volumes (B/s)", "number", 18),
    Field("operations", "Operations (1/s)", "number", 14),
    Field("cpu", "CPU (%)", "number", 10),
)
_STATUSES = (Field("label", "Status", width=14), _integer("count", "Findings"))
_BANDS = (Field("label", "Score", width=14), _integer("hosts", "Hosts"))
_DRIFT = (Field("label", "Cause", width=24), _integer("changes", "Changes"), _integer("hosts", "Hosts"), Field("cause", "Code", width=18))
_FIGURES = (
    Field("section", "Section", width=20),
    Field("label", "Figure", width=34),
    Field("value", "Value", "number", 14),
    Field("figure", "Name", width=26),
)

STATUS_LABELS = {
    "pass": "Pass",
    "fail": "Fail",
    "unknown": "Unknown",
    "waived": "Waived",
    "excluded": "Excluded",
    "not_applicable": "N/A",
}


def tables_of(data: Data) -> list[ReportTable]:
    """Every table that the report's data has, figures first."""
    gains = data.get("gains", {"rows": [], "proofs": []})  # data of version 2 has none
    found = [
        ReportTable("figures", "Figures", _FIGURES, figures_of(data)),
        ReportTable("findings_by_status", "Findings by status", _STATUSES, _statuses(data)),
        ReportTable("hosts_by_score", "Hosts by score", _BANDS, _bands(data)),
        ReportTable("trend", "Trend", _TREND, data["trend"]),
        ReportTable("risks_by_age", "Risks by age", _risk_fields(data), _risks(data)),
        ReportTable("failing_rules", "Failing rules", _RULES, [_rule(rule) for rule in data["failing_rules"]]),
        ReportTable("hosts", "Hosts", _HOSTS, data["hosts"]),
        ReportTable("findings", "Findings", _FINDINGS, data["findings"]),
        ReportTable("waivers", "Waivers", _WAIVERS, data["exceptions"]),
        ReportTable("attestations", "Attestations", _ATTESTATIONS, data["attestations"]),
        ReportTable("plans", "Plans", _PLANS, data["plans"]),
        ReportTable("jobs", "Jobs", _JOBS, data["jobs"]),
        ReportTable("gains", "Gains measured", _GAINS, gains["rows"]),
        ReportTable("proofs", "Proofs", _PROOFS, gains["proofs"]),
        # Data of versions before 4 has none.
        *([ReportTable("counters", "Counters", COUNTERS, data["counters"]["steps"])] if "counters" in data else []),
        ReportTable("approvals", "Approvals", _APPROVALS, data["approvals"]["rows"]),
        ReportTable("drift", "Drift", _DRIFT, data["drift"]["by_cause"]),
    ]
    if "audit" in data:
        found.append(ReportTable("audit_log", "Audit log", _AUDIT, data["audit"]["entries"]))
    if not data["findings"]:
        # A template without findings lists none: an empty table would look as if nothing failed.
        found = [table for table in found if table.name != "findings"]
    return found


def figures_of(data: Data) -> list[dict[str, Any]]:
    """The single figures: section, name, label and value."""
    rows: list[dict[str, Any]] = []

    def add(section: str, source: Mapping[str, Any], labels: Mapping[str, str]) -> None:
        rows.extend({"section": section, "figure": name, "label": label, "value": source[name]} for name, label in labels.items())

    add(
        "Score",
        data["score"],
        {
            "mean": "Average score",
            "median": "Median score",
            "lowest": "Lowest score",
            "mean_before": "Average at the start",
            "change": "Change",
            "rule_coverage": "Coverage (0 to 1)",
            "hosts_known": "Hosts",
            "hosts_fresh": "Hosts up to date",
            "hosts_silent": "Hosts not reporting",
            "hosts_scored": "Scored hosts",
            "hosts_capped": "Hosts capped at 59",
            "hosts_waiting": "Hosts pending approval",
        },
    )
    add("Findings", data["outcomes"], {**STATUS_LABELS, "guard_rail": "Guardrail failures (in Fail)"})
    add("Turns", data["turns"], {"began_to_fail": "Findings that began to fail", "fixed": "Findings fixed"})
    add("Time to fix", data["time_to_fix"], {"median_hours": "Median hours from failing to fixed"})
    add("Jobs", data["job_times"], {"done": "Jobs verified", "median_hours": "Median hours from request to verified"})
    names = {
        "decided": "Approvals",
        "by_another": "By another person",
        "rate": "Share by another person (0 to 1)",
        "standing": "Under a standing approval",
        "break_glass": "Break-glass",
    }
    add("Approvals", data["approvals"], names)
    for section, counts in (("Waivers", data["waivers_by_state"]), ("Attestations", data["attestations_by_state"])):
        add(section, counts, {name: STATE_LABELS[name] for name in counts})
    return rows


STATE_LABELS = {
    "active": "Active",
    "requested": "Requested",
    "tripped": "Ended early",
    "expired": "Expired",
    "refused": "Rejected",
    "withdrawn": "Withdrawn",
    "replaced": "Replaced",
}


def _statuses(data: Data) -> list[dict[str, Any]]:
    return [{"label": label, "count": data["outcomes"][name]} for name, label in STATUS_LABELS.items()]


def _bands(data: Data) -> list[dict[str, Any]]:
    return [{"label": f"{band['from']}–{band['to']}", "hosts": band["hosts"]} for band in data["distribution"]]


def _risk_fields(data: Data) -> list[Field]:
    bands = [_integer(f"band_{place}", label.capitalize()) for place, label in enumerate(data["risks"]["bands"])]
    return [Field("label", "Severity", width=14), *bands, _integer("total", "Total")]


def _risks(data: Data) -> list[dict[str, Any]]:
    return [
        {"label": row["label"], "total": row["total"], **{f"band_{place}": count for place, count in enumerate(row["counts"])}}
        for row in data["risks"]["rows"]
    ]


def _rule(rule: Mapping[str, Any]) -> dict[str, Any]:
    return {**rule, "also": [f"{other['pack']}/{other['rule']}" for other in rule["also"]]}
