"""Waivers and attestations in a report: active ones, those that an early-end trigger ended, and expired ones, with their owners.

Their states are those of the pages (`waivers/queries.py`, `waivers/attestations.py`): one past its end is expired, also before its end is
stored.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC
from typing import Any

from sqlalchemy import text

from plumbline.infra.clock import iso
from plumbline.models.hosts import COUNTED
from plumbline.packs.library import Library
from plumbline.reports.frozen.scope import IN_SCOPE, Scope

# In the order of the lists.
WAIVER_STATES = ("active", "requested", "tripped", "expired", "refused", "withdrawn", "replaced")
ATTESTATION_STATES = ("active", "expired", "withdrawn", "replaced")
_MOST_NAMED = 20

# In scope: for a host of the scope, for a list that names one, or for one of its groups or a group above with a host of the scope in it.
_ABOUT = f"""
(h.id IS NOT NULL AND {IN_SCOPE}
  OR NOT {{is_listed}} AND {{group}} = ANY(:scopes) AND (CAST(:hosts AS text[]) IS NULL OR EXISTS (
    SELECT FROM host below JOIN host_group bg ON bg.id = below.group_id JOIN host_group wg ON wg.id = {{group}}
    WHERE below.id = ANY(CAST(:hosts AS text[])) AND starts_with(bg.path, wg.path)))
  OR {{is_listed}} AND EXISTS (SELECT FROM waiver_host l JOIN host h ON h.id = l.host_id WHERE l.waiver_id = {{id}} AND {IN_SCOPE}))
"""  # noqa: S608
# A waiver as it was at the report's time: one that was decided or ended later had not been then.
_STATE = """
CASE WHEN w.state NOT IN ('active', 'requested') AND coalesce(w.ended_at, w.requested_at) <= :to THEN w.state
  WHEN w.expires_at <= :to THEN 'expired' WHEN w.approved_at <= :to THEN 'active' ELSE 'requested' END
"""
_WAIVERS = f"""
SELECT w.id, w.rule_no, w.also_rule_nos, w.reason, w.evidence, w.ticket, w.requested_at, w.approved_at, w.expires_at, w.ended_at,
  w.end_words, {_STATE} AS state,
  CASE WHEN w.is_listed THEN (SELECT count(*) FROM waiver_host l JOIN host h ON h.id = l.host_id
    WHERE l.waiver_id = w.id AND {IN_SCOPE}) END AS listed,
  h.name AS host, g.name AS group_name, w.subject_kind, w.subject_id,
  coalesce(nullif(o.display_name, ''), o.login, '') AS owner, coalesce(nullif(r.display_name, ''), r.login, '') AS requested_by,
  coalesce(nullif(a.display_name, ''), a.login, '') AS approver,
  (SELECT count(*) FROM finding f JOIN host h ON h.id = f.host_id WHERE f.waiver_id = w.id AND {IN_SCOPE} AND h.{COUNTED}) AS findings
FROM waiver w LEFT JOIN host h ON h.id = w.host_id LEFT JOIN host_group g ON g.id = w.group_id LEFT JOIN person o ON o.id = w.owner_id
LEFT JOIN person r ON r.id = w.requested_by LEFT JOIN person a ON a.id = w.approved_by
WHERE w.requested_at <= :to AND (least(w.ended_at, w.expires_at) > :from OR w.ended_at IS NULL AND w.expires_at > :from)
  AND {_ABOUT.format(is_listed="w.is_listed", group="w.group_id", id="w.id")}
ORDER BY w.expires_at, w.id
"""  # noqa: S608
_TRIPPED = f"""
SELECT l.waiver_id, h.name, l.words FROM waiver_host l JOIN host h ON h.id = l.host_id
WHERE l.waiver_id = ANY(:ids) AND l.tripped_at <= :to AND {IN_SCOPE} ORDER BY l.waiver_id, lower(h.name)
"""  # noqa: S608
_ATTESTATIONS = f"""
SELECT t.id, t.rule_no, t.also_rule_nos, t.is_so, t.statement, t.evidence_link, t.made_at, t.expires_at, t.ended_at, t.end_words,
  CASE WHEN t.ended_at <= :to THEN t.state WHEN t.expires_at <= :to THEN 'expired' ELSE 'active' END AS state,
  h.name AS host, g.name AS group_name, coalesce(nullif(p.display_name, ''), p.login, '') AS author
FROM attestation t LEFT JOIN host h ON h.id = t.host_id LEFT JOIN host_group g ON g.id = t.group_id LEFT JOIN person p ON p.id = t.author_id
WHERE t.made_at <= :to AND coalesce(least(t.ended_at, t.expires_at), t.expires_at) > :from
  AND {_ABOUT.format(is_listed="false", group="t.group_id", id="0")}
ORDER BY t.expires_at, t.id
"""  # noqa: S608


def read_waivers(scope: Scope) -> list[dict[str, Any]]:
    """Waivers for hosts of the scope that were active or requested at its time, or ended within the period. Two queries.

    `findings` are those that the waiver keeps out of the score now: none unless it is active.
    """
    session, library, as_of = scope.session, scope.library, scope.as_of
    rows = session.execute(text(_WAIVERS), {**scope.sql, "scopes": [*scope.groups, *scope.above]}).all()
    tripped: dict[int, list[str]] = {}
    for row in session.execute(text(_TRIPPED), {**scope.sql, "ids": [row.id for row in rows]}):
        tripped.setdefault(row.waiver_id, []).append(f"{row.name}: {row.words}" if row.words else row.name)
    waivers = [
        {
            "id": row.id,
            **_rules(library, row),
            "scope": _scope(row),
            "state": row.state,
            "reason": row.reason,
            "evidence": row.evidence,
            "ticket": row.ticket,
            "owner": row.owner,
            "requested_by": row.requested_by,
            "approver": row.approver,
            "age_days": max(0, (as_of - row.requested_at.astimezone(UTC)).days),
            "approved_at": iso(row.approved_at) if row.approved_at else None,
            "expires_at": iso(row.expires_at),
            "ended_at": iso(row.ended_at) if row.ended_at else None,
            "end_words": row.end_words,
            "findings": row.findings if row.state == "active" else 0,
            "tripped_hosts": tripped.get(row.id, [])[:_MOST_NAMED],
        }
        for row in rows
    ]
    return sorted(waivers, key=lambda waiver: WAIVER_STATES.index(waiver["state"]))


def read_attestations(scope: Scope) -> list[dict[str, Any]]:
    """Attestations about the scope that were active at its time, or ended within the period. One query."""
    library = scope.library
    values = {**scope.sql, "scopes": [*scope.groups, *scope.above]}
    attestations = [
        {
            "id": row.id,
            **_rules(library, row),
            "scope": _scope(row),
            "state": row.state,
            "is_so": row.is_so,
            "statement": row.statement,
            "evidence": row.evidence_link,
            "author": row.author,
            "made_at": iso(row.made_at),
            "expires_at": iso(row.expires_at),
            "ended_at": iso(row.ended_at) if row.ended_at else None,
            "end_words": row.end_words,
        }
        for row in scope.session.execute(text(_ATTESTATIONS), values)
    ]
    return sorted(attestations, key=lambda attestation: ATTESTATION_STATES.index(attestation["state"]))


def counts_by_state(rows: Sequence[Mapping[str, Any]], states: Sequence[str]) -> dict[str, int]:
    """How many are in each state."""
    return {state: sum(1 for row in rows if row["state"] == state) for state in states}


def _rules(library: Library, row: Any) -> dict[str, Any]:
    """The rule's title, and the addresses of it and its linked rules, which are waived and attested together."""
    addresses = [library.by_no[no].rule.address for no in (row.rule_no, *row.also_rule_nos) if no in library.by_no]
    return {"rule": library.title(row.rule_no), "rules": addresses}


def _scope(row: Any) -> str:
    if row.host:
        subject_id = getattr(row, "subject_id", "")
        return f"{row.host}, {row.subject_kind} {subject_id}" if subject_id else str(row.host)
    listed = getattr(row, "listed", None)
    if listed is not None:
        return f"{listed} selected host{'' if listed == 1 else 's'}"
    return f"{row.group_name or '?'} and subgroups"
