"""What happened in the period of a report: findings that began to fail or were fixed, changes of settings, and the audit log."""

from typing import Any

from sqlalchemy import ColumnElement, func, or_, select, text

from plumbline.auth.audit_trail import entries, row_of
from plumbline.infra.clock import iso
from plumbline.models.audit import AUDIT_ENTRY, AuditEntry
from plumbline.reports.frozen.scope import IN_SCOPE, Scope
from plumbline.reports.frozen.words import duration_words

# So many entries of the audit log are in a report; the evidence bundle has all.
MOST_ENTRIES = 500

CAUSES = {
    "driver_update": "Driver update", "firmware_update": "Firmware update", "toolkit": "Vendor toolkit", "reboot": "Host restart",
    "our_job": "Plumbline job",
}  # fmt: skip

# The turns of findings in the period, linked rules once: each with the time of the turn before.
_TURNS = f"""
WITH turned AS (
  SELECT l.host_id, coalesce(linked.first, l.rule_no) AS rule_no, l.subject_kind, l.subject_id, l.old, l.new, l.at,
    lag(l.at) OVER (PARTITION BY l.host_id, l.rule_no, l.subject_kind, l.subject_id ORDER BY l.at, l.id) AS before
  FROM finding_log l JOIN host h ON h.id = l.host_id
  LEFT JOIN unnest(CAST(:nos AS smallint[]), CAST(:firsts AS smallint[])) AS linked (no, first) ON linked.no = l.rule_no
  WHERE {IN_SCOPE} AND l.at <= :to AND l.at > CAST(:from AS timestamptz) - interval '366 days'),
once AS (
  SELECT DISTINCT ON (host_id, rule_no, subject_kind, subject_id, at, old, new) old, new, at, before FROM turned
  WHERE at >= :from ORDER BY host_id, rule_no, subject_kind, subject_id, at, old, new, before)
SELECT count(*) FILTER (WHERE new = 'fail' AND old NOT IN ('', 'fail')) AS began,
  count(*) FILTER (WHERE old = 'fail' AND new = 'pass') AS fixed,
  percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM at - before))
    FILTER (WHERE old = 'fail' AND new = 'pass' AND before IS NOT NULL) AS median
FROM once
"""  # noqa: S608
_CAUSES = f"""
SELECT c.cause, count(*) AS changes, count(DISTINCT c.host_id) AS hosts FROM setting_change c JOIN host h ON h.id = c.host_id
WHERE {IN_SCOPE} AND c.received_at >= :from AND c.received_at < :to AND c.cause <> 'first_seen' GROUP BY 1 ORDER BY 2 DESC, 1
"""  # noqa: S608


def read_turns(scope: Scope) -> tuple[dict[str, int], dict[str, Any]]:
    """How many findings began to fail and were fixed, and half of these within which time."""
    linked = dict(scope.library.linked_nos)
    row = scope.session.execute(text(_TURNS), {**scope.sql, "nos": list(linked), "firsts": list(linked.values())}).one()
    hours = None if row.median is None else round(float(row.median) / 3600, 1)
    return (
        {"began_to_fail": row.began, "fixed": row.fixed},
        {"fixed": row.fixed, "median_hours": hours, "median_words": duration_words(hours)},
    )


def read_drift(scope: Scope) -> dict[str, Any]:
    """Changes of settings by their likely cause."""
    rows = scope.session.execute(text(_CAUSES), scope.sql).all()
    causes = [{"cause": row.cause, "label": CAUSES.get(row.cause, "Unknown"), "changes": row.changes, "hosts": row.hosts} for row in rows]
    return {"changes": sum(row.changes for row in rows), "by_cause": causes}


def read_audit(scope: Scope) -> dict[str, Any]:
    """The newest entries of the audit log about this group and its subgroups, their number, and the head of the log."""
    about: ColumnElement[bool] = AUDIT_ENTRY.group_id.in_(scope.groups)
    if scope.group.parent_id is None:
        about = or_(about, AUDIT_ENTRY.group_id.is_(None))
    in_period = (AUDIT_ENTRY.at >= scope.period.start, AUDIT_ENTRY.at < scope.as_of, about)
    total = scope.session.execute(select(func.count()).select_from(AuditEntry).where(*in_period)).scalar_one()
    rows = [row_of(*row) for row in scope.session.execute(entries().where(*in_period).limit(MOST_ENTRIES))]
    head = scope.session.execute(
        text("SELECT number, encode(hash, 'hex') AS hash FROM audit_entry WHERE number IS NOT NULL ORDER BY number DESC LIMIT 1")
    ).first()
    return {
        "total": total,
        "head": {"number": head.number, "hash": head.hash} if head else None,
        "entries": [
            {
                "number": row.number,
                "at": iso(row.at),
                "actor": row.actor,
                "who": row.who,
                "action": row.action,
                "what": f"{row.what}: {row.about}",
                "object_kind": row.object_kind,
                "object_id": row.object_id,
                "group": row.group_name,
                "reason": row.reason,
            }
            for row in rows
        ],
    }
