"""Records of what people and jobs did: waivers, attestations, plans with their approvals, jobs with their receipts, and the audit log.

Each is what was known at the instant: later decisions, events and ends are left out.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import text
from sqlmodel import Session

from plumbline.infra.clock import iso

Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Span:
    """What a bundle is about: its groups, the groups above them, and the time."""

    groups: Sequence[int]
    above: Sequence[int]
    since: datetime
    at: datetime

    @property
    def values(self) -> dict[str, Any]:
        """As parameters of a statement."""
        return {"groups": list(self.groups), "scopes": [*self.groups, *self.above], "since": self.since, "at": self.at}


def _time(at: datetime | None) -> str | None:
    return None if at is None else iso(at)


_PERSON = "coalesce(nullif({0}.display_name, ''), {0}.login, '')"
_WAIVERS = f"""
SELECT w.*, h.name AS host, g.name AS group_name, {_PERSON.format("o")} AS owner, {_PERSON.format("r")} AS requester,
  {_PERSON.format("a")} AS approver,
  CASE WHEN w.is_listed THEN (SELECT count(*) FROM waiver_host l WHERE l.waiver_id = w.id) END AS listed,
  (SELECT array_agg(n.pack || '/' || n.rule ORDER BY n.no <> w.rule_no, n.no) FROM rule_number n
   WHERE n.no = ANY(w.rule_no || w.also_rule_nos)) AS rules
FROM waiver w LEFT JOIN host h ON h.id = w.host_id LEFT JOIN host_group g ON g.id = w.group_id LEFT JOIN person o ON o.id = w.owner_id
LEFT JOIN person r ON r.id = w.requested_by LEFT JOIN person a ON a.id = w.approved_by
WHERE w.requested_at <= :at AND (w.id = ANY(:in_force) OR (coalesce(w.ended_at, w.expires_at) > :since
  AND (h.group_id = ANY(:groups) OR (NOT w.is_listed AND w.group_id = ANY(:scopes))
    OR (w.is_listed AND EXISTS (SELECT FROM waiver_host l JOIN host lh ON lh.id = l.host_id
      WHERE l.waiver_id = w.id AND lh.group_id = ANY(:groups))))))
ORDER BY w.id
"""  # noqa: S608 (constants of the program)


def read_waivers(session: Session, span: Span, waived_hosts: Mapping[int, Sequence[str]]) -> Iterator[Record]:
    """Waivers that were in force on a host of the bundle, requested, or ended after `since`."""
    for row in session.execute(text(_WAIVERS), {**span.values, "in_force": sorted(waived_hosts)}):
        is_approved = row.approved_at is not None and row.approved_at <= span.at
        ended_at = row.ended_at if row.ended_at is not None and row.ended_at <= span.at else None
        yield {
            "record": f"waiver {row.id}",
            "id": row.id,
            "rules": row.rules or [],
            "subject": [row.subject_kind, row.subject_id] if row.subject_kind else None,
            "where": row.host or (f"{row.listed} hosts chosen one by one" if row.is_listed else f"group {row.group_name}"),
            "hosts": sorted(waived_hosts.get(row.id, ())),
            "state": row.state if ended_at else "requested" if not is_approved else "expired" if row.expires_at <= span.at else "active",
            "reason": row.reason,
            "ticket": row.ticket,
            "evidence": row.evidence,
            "evidence_link": row.evidence_link,
            "owner": row.owner,
            "requested_by": row.requester,
            "requested_by_id": row.requested_by,
            "approved_by": row.approver if is_approved else "",
            "approved_by_id": row.approved_by if is_approved else None,
            "requested_at": _time(row.requested_at),
            "approved_at": _time(row.approved_at) if is_approved else None,
            "expires_at": _time(row.expires_at),
            "ended_at": _time(ended_at),
            "end_words": row.end_words if ended_at else "",
            "trip_wires": row.trip_wires,
        }


_ATTESTATIONS = f"""
SELECT t.*, h.name AS host, g.name AS group_name, {_PERSON.format("p")} AS author,
  (SELECT array_agg(n.pack || '/' || n.rule ORDER BY n.no <> t.rule_no, n.no) FROM rule_number n
   WHERE n.no = ANY(t.rule_no || t.also_rule_nos)) AS rules
FROM attestation t LEFT JOIN host h ON h.id = t.host_id LEFT JOIN host_group g ON g.id = t.group_id LEFT JOIN person p ON p.id = t.author_id
WHERE t.made_at <= :at AND coalesce(t.ended_at, t.expires_at) > :since AND (h.group_id = ANY(:groups) OR t.group_id = ANY(:scopes))
ORDER BY t.id
"""  # noqa: S608 (constants of the program)


def read_attestations(session: Session, span: Span) -> Iterator[Record]:
    """Attestations about these groups or their hosts."""
    for row in session.execute(text(_ATTESTATIONS), span.values):
        ended_at = row.ended_at if row.ended_at is not None and row.ended_at <= span.at else None
        yield {
            "record": f"attestation {row.id}",
            "id": row.id,
            "rules": row.rules or [],
            "where": row.host or f"group {row.group_name}",
            "is_so": row.is_so,
            "state": row.state if ended_at else "expired" if row.expires_at <= span.at else "active",
            "statement": row.statement,
            "evidence_link": row.evidence_link,
            "author": row.author,
            "made_at": _time(row.made_at),
            "expires_at": _time(row.expires_at),
            "ended_at": _time(ended_at),
            "end_words": row.end_words if ended_at else "",
        }


# A plan that reaches beyond the groups is left out: its document names hosts that the bundle's readers may not know of.
_PLANS = """
SELECT p.*, coalesce((SELECT jsonb_agg(jsonb_build_array(to_char(e.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), e.kind, e.state,
    e.words, e.actor) ORDER BY e.number) FROM plan_event e WHERE e.plan_id = p.id AND e.at <= :at), '[]') AS events
FROM plan p WHERE p.group_id = ANY(:groups) AND p.created_at <= :at AND p.state_at > :since ORDER BY p.id
"""


def read_plans(session: Session, span: Span) -> Iterator[Record]:
    """Plans about these groups, with what happened to them."""
    for row in session.execute(text(_PLANS), span.values):
        yield {
            "record": f"plan {row.id}",
            "id": row.id,
            "title": row.title,
            "reason": row.reason,
            "ticket": row.ticket,
            "author": row.author,
            "created_at": _time(row.created_at),
            "state": _last_state(row.events, row.state, row.state_at, span.at),
            "digest": row.digest,
            "document": row.document,
            "request": row.request,
            "not_before": _time(row.not_before),
            "not_after": _time(row.not_after),
            "events": row.events,
        }


def _last_state(events: Sequence[Sequence[Any]], state: str, state_at: datetime, at: datetime) -> str:
    """The state then: that of the row, or, if it changed since, that of the last event by then."""
    return state if state_at <= at else next((str(event[2]) for event in reversed(events) if event[2]), "")


_APPROVALS = """
SELECT a.* FROM approval a JOIN plan p ON p.id = a.plan_id
WHERE p.group_id = ANY(:groups) AND p.created_at <= :at AND p.state_at > :since AND a.signed_at <= :at ORDER BY a.id
"""


def read_approvals(session: Session, span: Span) -> Iterator[Record]:
    """The signature over each plan, with the text that was signed."""
    for row in session.execute(text(_APPROVALS), span.values):
        is_reviewed = row.reviewed_at is not None and row.reviewed_at <= span.at
        yield {
            "record": f"approval of plan {row.plan_id}",
            "plan": row.plan_id,
            "kind": row.kind,
            "approver": row.approver,
            "signed_at": _time(row.signed_at),
            "payload": row.payload,
            "signature": bytes(row.signature).hex(),
            "key_id": row.key_id,
            "reviewed_at": _time(row.reviewed_at) if is_reviewed else None,
            "reviewed_by": row.reviewed_by if is_reviewed else "",
            "review": row.review_words if is_reviewed else "",
        }


_JOBS = """
SELECT j.*, h.name AS host, NOT p.group_id = ANY(:groups) AS is_plan_outside,
  coalesce((SELECT jsonb_agg(jsonb_build_array(to_char(e.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), e.kind, e.step_no, e.state,
    e.words) ORDER BY e.number) FROM job_event e WHERE e.job_id = j.id AND e.at <= :at), '[]') AS events,
  coalesce((SELECT jsonb_agg(jsonb_build_object('step', s.step_no, 'state', s.state, 'op_id', s.op_id, 'gen', s.gen,
    'attempt', s.attempt, 'applied_by', s.applied_by, 'words', s.words, 'before', s.before, 'after', s.after,
    'health_before', s.health_before, 'health_after', s.health_after, 'boot_id', s.boot_id,
    'intent_at', to_char(s.intent_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
    'finished_at', to_char(s.finished_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')) ORDER BY s.step_no)
    FROM job_step s WHERE s.job_id = j.id AND s.finished_at <= :at), '[]') AS receipts
FROM job j JOIN host h ON h.id = j.host_id JOIN plan p ON p.id = j.plan_id
WHERE h.group_id = ANY(:groups) AND j.created_at <= :at AND coalesce(j.finished_at, 'infinity') > :since ORDER BY j.id
"""


def read_jobs(session: Session, span: Span) -> Iterator[Record]:
    """Jobs on hosts of these groups. A receipt is what the runner on the host answered for a finished step."""
    for row in session.execute(text(_JOBS), span.values):
        yield {
            "record": f"job {row.id} on {row.host}",
            "id": row.id,
            "plan": row.plan_id,
            "is_plan_outside": row.is_plan_outside,
            "host": row.host_id,
            "host_name": row.host,
            "kind": row.kind,
            "undoes": row.undoes_id,
            "requested_by": row.requested_by,
            "wave": row.wave,
            "created_at": _time(row.created_at),
            "started_at": _time(row.started_at) if row.started_at and row.started_at <= span.at else None,
            "finished_at": _time(row.finished_at) if row.finished_at and row.finished_at <= span.at else None,
            "state": row.state if row.state_at <= span.at else next((str(each[3]) for each in reversed(row.events) if each[3]), ""),
            "effect": row.effect,
            "health_before": row.health_before,
            "receipts": row.receipts,
            "events": row.events,
        }


_AUDIT_RANGE = """
SELECT min(number) AS first, max(number) AS last, count(*) FILTER (WHERE number IS NULL) AS unchained
FROM audit_entry WHERE group_id = ANY(:groups) AND at > :since AND at <= :at
"""
# Up to the next signed head, so that what is in the bundle leads to a signature.
_HEADS = """
SELECT number, hash, signature, at FROM audit_head WHERE number >= :first
  AND number <= coalesce((SELECT min(number) FROM audit_head WHERE number >= :last), :last) ORDER BY number
"""
_AUDIT = """
SELECT number, hash, group_id = ANY(:groups) AND at > :since AND at <= :at AS is_whole, id, at, actor, action, object_kind, object_id,
  group_id, before, after, reason, request_id
FROM audit_entry WHERE number BETWEEN :before_first AND :last ORDER BY number
"""


@dataclass(slots=True)
class AuditSlice:
    """The part of the audit log that a bundle holds."""

    heads: list[Record]
    first: int
    last: int
    unchained: int


def read_audit_slice(session: Session, span: Span) -> AuditSlice:
    """From the first to the last entry about the groups in the time, on to the next signed head."""
    found = session.execute(text(_AUDIT_RANGE), span.values).one()
    if found.first is None:
        return AuditSlice([], 0, 0, found.unchained)
    heads = [
        {
            "record": f"signed head {row.number} of the audit log",
            "number": row.number,
            "hash": bytes(row.hash).hex(),
            "signature": bytes(row.signature).hex(),
            "at": _time(row.at),
        }
        for row in session.execute(text(_HEADS), {"first": found.first, "last": found.last})
    ]
    last = max([found.last, *(int(head["number"]) for head in heads)])
    return AuditSlice(heads, found.first, last, found.unchained)


def read_audit(session: Session, span: Span, part: AuditSlice) -> Iterator[Record]:
    """The entries; of those about other groups only number and hash, which the chain needs."""
    if not part.first:
        return
    if part.first == 1:
        yield {"record": "beginning of the audit log", "number": 0, "hash": bytes(32).hex()}
    statement = text(_AUDIT).execution_options(yield_per=1000)
    for row in session.execute(statement, {**span.values, "before_first": part.first - 1, "last": part.last}):
        digest = bytes(row.hash).hex()
        if not row.is_whole:
            yield {"record": f"audit entry {row.number}, outside this bundle", "number": row.number, "hash": digest}
            continue
        yield {
            "record": f"audit entry {row.number}, {row.action}",
            "number": row.number,
            "hash": digest,
            "id": row.id,
            "at": row.at.astimezone(UTC).isoformat(timespec="microseconds"),
            **{
                name: getattr(row, name)
                for name in ("actor", "action", "object_kind", "object_id", "group_id", "before", "after", "reason", "request_id")
            },
        }
