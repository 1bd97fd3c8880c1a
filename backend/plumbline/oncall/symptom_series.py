"""Which series of a host show its symptom, for the chart on its card."""

from collections.abc import Mapping, Sequence
from typing import Final

from sqlalchemy import text
from sqlmodel import Session

from plumbline.oncall.problems import Problem

RETRANSMITS = "host/:tcp_retransmit_percent"
# At most this many series of a card: more than a chart is asked to read.
MOST_SERIES = 8
# Symptom -> what its counters are called, and what the chart shows of each.
_COUNTERS: Final[Mapping[str, Mapping[str, str]]] = {
    "drops": {"drops_received": "drops_received", "drops_sent": "drops_sent"},
    "errors": {"errors_received": "errors_received", "errors_sent": "errors_sent"},
    "latency": {
        "read_latency_us": "read_latency_us", "write_latency_us": "write_latency_us",
        "read_time_us": "read_latency_us", "write_time_us": "write_latency_us",
    },
}  # fmt: skip
# Storage adapters first: a symptom of the SAN is not shown on the LAN.
_SERIES = """
SELECT c.host_id, c.subject, c.name FROM counter_series c
LEFT JOIN switch_port p ON p.host_id = c.host_id AND c.subject = 'adapter/' || p.adapter AND p.role IN ('san_iscsi', 's2d_storage')
WHERE c.host_id = ANY(:hosts) AND c.name = ANY(:names) ORDER BY c.host_id, p.adapter IS NULL, c.subject, c.name
"""


def series_of(session: Session, problems: Sequence[Problem]) -> dict[str, list[str]]:
    """Problem -> ids of the series that show it, `subject:name`: its symptom's, else the retransmits. One query if a symptom needs it."""
    symptoms = {each.host_id: each.parts[0] for each in problems if each.kind == "symptom" and each.parts[0] in _COUNTERS}
    found: dict[str, list[str]] = {host_id: [] for host_id in symptoms}
    if symptoms:
        names = sorted({name for symptom in symptoms.values() for name in _COUNTERS[symptom]})
        for host_id, subject, name in session.execute(text(_SERIES), {"hosts": list(symptoms), "names": names}):
            shown = _COUNTERS[symptoms[host_id]].get(name)
            if shown is not None and f"{subject}:{shown}" not in found[host_id]:
                found[host_id].append(f"{subject}:{shown}")
    return {each.key: (found.get(each.host_id, []) if each.kind == "symptom" else [])[:MOST_SERIES] or [RETRANSMITS] for each in problems}
