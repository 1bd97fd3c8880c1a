"""How a waiver changes its state: approved, refused, withdrawn, expired, extended to hosts that joined its group.

`request.py` adds the request; `evaluation/waivers_in_force.py` ends a waiver early when a trip-wire changes.

Activating or ending a waiver re-evaluates its hosts under their locks, in chunks. The finding keeps its outcome and refers to the waiver;
the score changes in the same transaction. Hosts are locked before the waiver, because a check-in that trips a wire holds its host's lock
when it writes the waiver.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec
import structlog
import zstandard
from sqlmodel import Session, col, select, text

from plumbline import audit
from plumbline.auth import four_eyes
from plumbline.core.facts.configuration import Subject
from plumbline.core.facts.document import decode
from plumbline.evaluation.reevaluate import raw_connection, reevaluate_hosts
from plumbline.evaluation.trip_wires import wires_of
from plumbline.infra.database import now_of
from plumbline.infra.errors import Conflict, NotFound
from plumbline.models.findings import OPEN_WAIVER_STATES, Waiver, WaiverHost, WaiverState
from plumbline.models.host_locks import lock_hosts
from plumbline.models.hosts import COUNTED

log = structlog.get_logger()

# Waivers that one run of the background worker ends or extends; the next run does the rest.
MOST_AT_ONCE = 20
# The list of hosts in `waiver_host` is kept even if a host has no finding of the waiver's rules.
_HOSTS_WITH_FINDINGS = f"""
SELECT h.id FROM host h JOIN host_group g ON g.id = h.group_id
WHERE h.{COUNTED} AND (
  h.id = :host
  OR (NOT :is_listed AND :group = ANY(string_to_array(trim(both '/' from g.path), '/')::int[]))
  OR (:is_listed AND EXISTS (SELECT FROM waiver_host l WHERE l.waiver_id = :waiver AND l.host_id = h.id)))
  AND EXISTS (SELECT FROM finding f WHERE f.host_id = h.id AND f.rule_no = ANY(:rules))
ORDER BY h.id
"""  # noqa: S608 (a constant)
_DOCUMENTS = """
SELECT h.id, c.document, d.content FROM host h JOIN host_configuration c ON c.id = h.configuration_id
LEFT JOIN compression_dictionary d ON d.id = c.dictionary_id WHERE h.id = ANY(%s)
"""
_SET_WIRES = """
INSERT INTO waiver_host (waiver_id, host_id, wires, words) SELECT %s, v.host, v.wires::jsonb, ''
FROM unnest(%s::text[], %s::text[]) AS v (host, wires)
ON CONFLICT (waiver_id, host_id) DO UPDATE SET wires = excluded.wires
"""
# Hosts that came under a group's waiver since it was approved: they have no wires of their own yet.
_CAME_SINCE = f"""
SELECT w.id AS waiver_id, h.id AS host_id FROM waiver w JOIN host_group g ON w.group_id = ANY(string_to_array(trim(both '/' from g.path), '/')::int[])
JOIN host h ON h.group_id = g.id AND h.{COUNTED} AND h.configuration_id IS NOT NULL
WHERE w.state = 'active' AND NOT w.is_listed AND w.host_id IS NULL
  AND NOT EXISTS (SELECT FROM waiver_host m WHERE m.waiver_id = w.id AND m.host_id = h.id)
  AND EXISTS (SELECT FROM finding f WHERE f.host_id = h.id AND f.rule_no = ANY(w.rule_no || w.also_rule_nos))
ORDER BY w.id, h.id LIMIT :most
"""  # noqa: E501, S608 (a constant)


def approve_waiver(session: Session, *, actor: str, waiver_id: int, approved_by: int) -> Waiver:
    """Activates a requested waiver and ends the one it replaces. The approver is neither its requester nor its owner.

    Raises `NotFound`, `Conflict`.
    """
    requested = _read(session, waiver_id)
    old = _read(session, requested.replaces_id) if requested.replaces_id is not None else None
    host_ids = sorted({*hosts_with_findings(session, requested), *(hosts_with_findings(session, old) if old is not None else ())})
    lock_hosts(session, host_ids)
    waiver = _locked(session, waiver_id)
    if waiver.state != WaiverState.REQUESTED:
        raise Conflict(f"The waiver is {waiver.state}, not requested")
    if four_eyes.is_party(approved_by, waiver.requested_by, waiver.owner_id):
        raise Conflict("You requested or own this waiver. Another person must approve it.")
    now = now_of(session)
    if waiver.expires_at <= now:
        raise Conflict("The waiver's expiry has passed. Request it again with a later date.")
    waiver.state, waiver.approved_by, waiver.approved_at = WaiverState.ACTIVE, approved_by, now
    session.add(waiver)
    if old is not None:
        _replace(session, actor, _locked(session, old.id or 0), waiver, now)
    session.flush()
    set_wires(session, waiver, [host_id for host_id in host_ids if host_id in set(hosts_with_findings(session, waiver))])
    audit.record(
        session,
        actor=actor,
        action="waiver.approved",
        about=audit.Object("waiver", str(waiver.id), group_of(session, waiver)),
        after=audit_values(waiver),
        reason=waiver.reason,
    )
    reevaluate_hosts(session, host_ids)
    return waiver


def _replace(session: Session, actor: str, old: Waiver, by: Waiver, now: datetime) -> None:
    if old.state != WaiverState.ACTIVE:
        return
    old.state, old.ended_at, old.end_words = WaiverState.REPLACED, now, f"replaced by waiver {by.id}"
    session.add(old)
    audit.record(
        session,
        actor=actor,
        action="waiver.replaced",
        about=audit.Object("waiver", str(old.id), group_of(session, old)),
        after=audit_values(old),
        reason=old.end_words,
    )


def refuse_waiver(session: Session, *, actor: str, waiver_id: int, refused_by: int, reason: str) -> Waiver:
    """Refuses a requested waiver, with a reason for its owner. Raises `NotFound`, `Conflict`."""
    waiver = _locked(session, waiver_id)
    if waiver.state != WaiverState.REQUESTED:
        raise Conflict(f"The waiver is {waiver.state}, not requested")
    if four_eyes.is_party(refused_by, waiver.requested_by):
        raise Conflict("You requested this. Withdraw it instead, or ask another approver.")
    _end(session, waiver, WaiverState.REFUSED, now_of(session), actor=actor, by=refused_by, words=reason)
    return waiver


def withdraw_waiver(session: Session, *, actor: str, waiver_id: int, withdrawn_by: int | None = None, reason: str = "") -> Waiver:
    """Ends a waiver, or the request for one, before its time. Raises `NotFound`, `Conflict`."""
    host_ids = hosts_with_findings(session, _read(session, waiver_id))
    lock_hosts(session, host_ids)
    waiver = _locked(session, waiver_id)
    if waiver.state not in OPEN_WAIVER_STATES:
        raise Conflict(f"The waiver is {waiver.state}")
    was_active = waiver.state == WaiverState.ACTIVE
    _end(session, waiver, WaiverState.WITHDRAWN, now_of(session), actor=actor, by=withdrawn_by, words=reason)
    if was_active:
        reevaluate_hosts(session, host_ids)
    return waiver


def expire_waivers(session: Session) -> int:
    """Ends waivers past their end and re-evaluates their hosts. Returns how many. Safe to run twice and concurrently."""
    query = select(Waiver).where(col(Waiver.state).in_(OPEN_WAIVER_STATES), text("expires_at <= clock_timestamp()"))
    due = list(session.exec(query.order_by(col(Waiver.id)).limit(MOST_AT_ONCE)))
    if not due:
        return 0
    host_ids = sorted({host_id for waiver in due if waiver.state == WaiverState.ACTIVE for host_id in hosts_with_findings(session, waiver)})
    lock_hosts(session, host_ids)
    ended = 0
    for waiver in _locked_all(session, [waiver.id or 0 for waiver in due]):
        if waiver.state in OPEN_WAIVER_STATES:
            words = "expired" if waiver.state == WaiverState.ACTIVE else "expired before a decision"
            _end(session, waiver, WaiverState.EXPIRED, waiver.expires_at, actor=audit.SYSTEM, by=None, words=words)
            ended += 1
    reevaluate_hosts(session, host_ids)
    return ended


def extend_waivers(session: Session) -> int:
    """Applies group waivers to hosts that joined the group since the approval: stores their trip-wires, re-evaluates. Returns how many."""
    rows = session.execute(text(_CAME_SINCE), {"most": 200}).all()
    by_waiver: dict[int, list[str]] = {}
    for waiver_id, host_id in rows:
        by_waiver.setdefault(waiver_id, []).append(host_id)
    ids = sorted({host_id for _, host_id in rows})
    if not ids:
        return 0
    lock_hosts(session, ids)
    for waiver in _locked_all(session, sorted(by_waiver)):
        if waiver.state == WaiverState.ACTIVE:
            set_wires(session, waiver, by_waiver[waiver.id or 0])
    return reevaluate_hosts(session, ids)


def hosts_with_findings(session: Session, waiver: Waiver) -> list[str]:
    """Ids of the hosts in the waiver's scope that have a finding of its rules, in order."""
    values = {
        "waiver": waiver.id, "host": waiver.host_id, "group": waiver.group_id, "is_listed": waiver.is_listed,
        "rules": [waiver.rule_no, *waiver.also_rule_nos],
    }  # fmt: skip
    return [row[0] for row in session.execute(text(_HOSTS_WITH_FINDINGS), values)]


def set_wires(session: Session, waiver: Waiver, host_ids: Sequence[str]) -> None:
    """Stores for each host the current values that the waiver depends on. The caller holds the hosts' locks."""
    connection = raw_connection(session)
    subject = Subject(waiver.subject_kind or "host", waiver.subject_id)
    wires = dict.fromkeys(host_ids, "{}")
    for host_id, packed, dictionary in connection.execute(_DOCUMENTS, (list(host_ids),)).fetchall():
        wires[host_id] = _wires(packed, dictionary, subject, host_id)
    connection.execute(_SET_WIRES, (waiver.id, list(wires), list(wires.values())))
    session.expire_all()


def _wires(packed: bytes, dictionary: bytes | None, subject: Subject, host_id: str) -> str:
    data = zstandard.ZstdCompressionDict(dictionary) if dictionary is not None else None
    try:
        document = decode(zstandard.ZstdDecompressor(dict_data=data).decompress(packed, max_output_size=16 * 1024 * 1024))
    except Exception as error:  # a damaged document must not keep the waiver from starting or ending
        log.error("stored configuration cannot be read", host=host_id, error=str(error)[:300])
        return "{}"
    return msgspec.json.encode(wires_of(document.configuration, subject)).decode()


def list_hosts(session: Session, waiver_id: int, host_ids: Sequence[str]) -> None:
    """Writes the hosts of a listed waiver."""
    session.add_all([WaiverHost(waiver_id=waiver_id, host_id=host_id) for host_id in host_ids])
    session.flush()


def _read(session: Session, waiver_id: int) -> Waiver:
    waiver = session.get(Waiver, waiver_id)
    if waiver is None:
        raise NotFound("Waiver not found.")
    return waiver


def _locked_all(session: Session, ids: Sequence[int]) -> list[Waiver]:
    """The rows, locked in order and read again. The lock allows KEY SHARE, so that a check-in can add a host of the waiver meanwhile."""
    query = select(Waiver).where(col(Waiver.id).in_(list(ids))).order_by(col(Waiver.id)).with_for_update(key_share=True)
    return list(session.exec(query.execution_options(populate_existing=True)))


def _locked(session: Session, waiver_id: int) -> Waiver:
    found = _locked_all(session, [waiver_id])
    if not found:
        raise NotFound("Waiver not found.")
    return found[0]


def _end(session: Session, waiver: Waiver, state: WaiverState, at: datetime, *, actor: str, by: int | None, words: str) -> None:
    """Ends a waiver and records `waiver.<state>`."""
    waiver.state, waiver.ended_at, waiver.ended_by, waiver.end_words = state, at, by, words
    session.add(waiver)
    session.flush()
    audit.record(
        session,
        actor=actor,
        action=f"waiver.{state}",
        about=audit.Object("waiver", str(waiver.id), group_of(session, waiver)),
        after=audit_values(waiver),
        reason=words or waiver.reason,
    )


def audit_values(waiver: Waiver) -> dict[str, Any]:
    """A waiver as its audit entries show it."""
    return {"rule_no": waiver.rule_no, "host": waiver.host_id, "subject": f"{waiver.subject_kind}/{waiver.subject_id}"}


def group_of(session: Session, waiver: Waiver) -> int | None:
    """The group whose readers see the act in the audit log: the host's group, or the waiver's."""
    if waiver.group_id is not None or waiver.host_id is None:
        return waiver.group_id
    found: int | None = session.execute(text("SELECT group_id FROM host WHERE id = :id"), {"id": waiver.host_id}).scalar_one_or_none()
    return found
