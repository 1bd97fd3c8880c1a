"""What happened in the period of a report: findings that began to fail or were fixed, changes of settings, and the audit log."""

from typing import Any

from sqlalchemy import text

from plumbline.auth.people import people_of
from plumbline.infra.clock import iso
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
_IN_PERIOD = "e.at >= :from AND e.at < :to AND (e.group_id = ANY(:groups) OR :is_all AND e.group_id IS NULL)"
_ENTRIES = f"""
SELECT e.number, e.at, e.actor, e.action, e.object_kind, e.object_id, e.reason, g.name AS group_name,
  coalesce(h.name, p.title, person.login, '') AS object_name
FROM audit_entry e LEFT JOIN host_group g ON g.id = e.group_id
LEFT JOIN host h ON e.object_kind = 'host' AND h.id = e.object_id
LEFT JOIN plan p ON e.object_kind = 'plan' AND p.id::text = e.object_id
LEFT JOIN person ON e.object_kind = 'person' AND person.id::text = e.object_id
WHERE {_IN_PERIOD} ORDER BY e.id DESC LIMIT :most
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
    values = {**scope.sql, "is_all": scope.group.parent_id is None, "most": MOST_ENTRIES}
    total = scope.session.execute(text(f"SELECT count(*) FROM audit_entry e WHERE {_IN_PERIOD}"), values).scalar_one()  # noqa: S608
    rows = scope.session.execute(text(_ENTRIES), values).all()
    head = scope.session.execute(
        text("SELECT number, encode(hash, 'hex') AS hash FROM audit_entry WHERE number IS NOT NULL ORDER BY number DESC LIMIT 1")
    ).first()
    names = people_of(scope.session, {_person_id(row.actor) for row in rows})
    entries = [
        {
            "number": row.number,
            "at": iso(row.at),
            "actor": row.actor,
            "who": names.get(_person_id(row.actor)) if _person_id(row.actor) is not None else row.actor.partition(":")[0].capitalize(),
            "action": row.action,
            "what": act_words(row.action, row.object_kind, row.object_id, row.object_name),
            "object_kind": row.object_kind,
            "object_id": row.object_id,
            "group": row.group_name or "",
            "reason": row.reason,
        }
        for row in rows
    ]
    return {"total": total, "entries": entries, "head": {"number": head.number, "hash": head.hash} if head else None}


def _person_id(actor: str) -> int | None:
    number = actor.removeprefix("person:").partition(" ")[0]
    return int(number) if actor.startswith("person:") and number.isdigit() else None


def act_words(action: str, object_kind: str, object_id: str, object_name: str) -> str:
    """An act as a sentence: "Plan approved: Set MTU 9000 (plan 3)"."""
    said = action.replace(".", " ").replace("_", " ").capitalize()
    if object_name:
        number = f" ({object_kind.replace('_', ' ')} {object_id})" if object_id.isdigit() else ""
        return f"{said}: {object_name}{number}"
    return f"{said}: {object_kind.replace('_', ' ')} {object_id}" if object_id and len(object_id) < 20 else said
