"""Compares the summaries of hosts with the hosts, for `plumbline doctor` and for tests."""

from sqlalchemy import text
from sqlmodel import Session

from plumbline.models.host_summaries import HostCombination, HostSummary

_COMBINED = [name for name in HostCombination.model_fields if name != "id"]
_OWN = [name for name in HostSummary.model_fields if name not in ("host_id", "may_be_late")]
# `host_value` is the view from which the triggers take a summary.
_WRONG = f"""
SELECT v.host_id FROM host_value v LEFT JOIN host_summary s ON s.host_id = v.host_id
LEFT JOIN host_combination c ON c.id = s.combination_id
WHERE ({", ".join(f"v.{name}" for name in (*_OWN, *_COMBINED))})
  IS DISTINCT FROM ({", ".join([*(f"s.{name}" for name in _OWN), *(f"c.{name}" for name in _COMBINED)])})
ORDER BY v.host_id LIMIT :most
"""  # noqa: S608 - names of columns


def wrong_summaries(session: Session, *, most: int = 20) -> list[str]:
    """Ids of hosts whose summary is missing or another than it has to be; at most so many. One query, which reads every host."""
    return list(session.execute(text(_WRONG), {"most": most}).scalars())
