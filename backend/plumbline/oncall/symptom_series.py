"""Which series of a host show its symptom, for the chart on its card."""

from collections.abc import Mapping, Sequence
from typing import Final

from sqlalchemy import text
from sqlmodel import Session

from plumbline.core.facts.storage_adapters import STORAGE_ROLES
from plumbline.oncall.problems import Problem

RETRANSMITS = "host/:tcp_retransmit_percent"
# A chart takes at most eight series.
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
# Of a host whose storage adapters are known these alone: a symptom of the SAN is not one of the LAN.
_SERIES = f"""
WITH storage AS (
  SELECT host_id, 'adapter/' || adapter AS subject FROM switch_port WHERE host_id = ANY(:hosts) AND role IN {STORAGE_ROLES}
)
SELECT c.host_id, c.subject, c.name FROM counter_series c WHERE c.host_id = ANY(:hosts) AND c.name = ANY(:names) AND (
  c.subject NOT LIKE 'adapter/%' OR EXISTS (SELECT FROM storage s WHERE s.host_id = c.host_id AND s.subject = c.subject)
  OR NOT EXISTS (SELECT FROM storage s WHERE s.host_id = c.host_id))
ORDER BY c.host_id, c.subject, c.name
"""  # noqa: S608 (a constant)


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
