"""Waivers as they meet findings: put in force, ended, expired, tripped. Approving one is `approve_waiver`; asking for one only adds a row.

Putting in force or ending a waiver judges the hosts it meets again, under their locks, in chunks: the finding's outcome stays, the
waiver stands beside it, and the score follows in the same transaction.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select, text

from plumbline import audit
from plumbline.errors import Conflict, NotFound
from plumbline.facts.configuration import Configuration, Subject, Value, decode_id
from plumbline.findings.judging import ActiveWaiver
from plumbline.findings.models import Waiver

TRIP_WAIVERS = "UPDATE waiver SET state = 'tripped', ended_at = clock_timestamp() WHERE id = ANY(%s) AND state = 'active'"


def tripped_waivers(waivers: Sequence[ActiveWaiver], configuration: Configuration) -> frozenset[int]:
    """Waivers with a trip-wire that the configuration has touched: a setting known to have another value than when it was approved.

    A setting that cannot be read does not trip one: nobody knows that it changed.
    """
    return frozenset(
        waiver.id for waiver in waivers if any(_is_touched(configuration, address, value) for address, value in waiver.trip_wires.items())
    )


def _is_touched(configuration: Configuration, address: str, value: object) -> bool:
    kind, _, rest = address.partition("/")
    encoded, _, key = rest.partition("/")
    reading = configuration.read(Subject(kind, decode_id(encoded)), key)
    if not isinstance(reading, Value):
        return False
    now = list(reading.value) if isinstance(reading.value, tuple) else reading.value
    return now != value


def approve_waiver(session: Session, *, actor: str, waiver_id: int, approved_by: int) -> Waiver:
    """Puts a requested waiver in force. The approver is never the one who asked. Raises `NotFound`, `Conflict`."""
    waiver = session.exec(select(Waiver).where(col(Waiver.id) == waiver_id).with_for_update()).first()
    if waiver is None:
        raise NotFound("No such waiver")
    if waiver.state != "requested":
        raise Conflict(f"The waiver is {waiver.state}, not requested")
    if approved_by in (waiver.requested_by, waiver.owner_id):
        raise Conflict("A waiver is approved by somebody else than who asked for it or owns it")
    now: datetime = session.execute(text("SELECT clock_timestamp()")).scalar_one()
    if waiver.expires_at <= now:
        raise Conflict("The waiver's end has passed")
    waiver.state, waiver.approved_by, waiver.approved_at = "active", approved_by, now
    session.add(waiver)
    session.flush()
    _audit(session, actor, waiver, "waiver.approved")
    apply_waivers(session, [waiver])
    return waiver


def withdraw_waiver(session: Session, *, actor: str, waiver_id: int) -> Waiver:
    """Ends a waiver before its time. Raises `NotFound`, `Conflict`."""
    waiver = session.exec(select(Waiver).where(col(Waiver.id) == waiver_id).with_for_update()).first()
    if waiver is None:
        raise NotFound("No such waiver")
    if waiver.state not in ("requested", "active"):
        raise Conflict(f"The waiver is {waiver.state}")
    was_active = waiver.state == "active"
    waiver.state, waiver.ended_at = "withdrawn", session.execute(text("SELECT clock_timestamp()")).scalar_one()
    session.add(waiver)
    session.flush()
    _audit(session, actor, waiver, "waiver.withdrawn")
    if was_active:
        apply_waivers(session, [waiver])
    return waiver


def expire_waivers(session: Session) -> int:
    """Ends the waivers whose time is over, and the scores follow; answers how many. Safe to run twice and side by side."""
    query = select(Waiver).where(Waiver.state == "active", text("expires_at <= clock_timestamp()")).order_by(col(Waiver.id))
    ended = list(session.exec(query.with_for_update(skip_locked=True)))
    for waiver in ended:
        waiver.state, waiver.ended_at = "expired", waiver.expires_at
        session.add(waiver)
        _audit(session, audit.SYSTEM, waiver, "waiver.expired")
    session.flush()
    if ended:
        apply_waivers(session, ended)
    return len(ended)


def apply_waivers(session: Session, waivers: Sequence[Waiver]) -> int:
    """Judges again every host that these waivers meet; answers how many."""
    from plumbline.findings.rejudge import rejudge_hosts  # here: rescoring needs the trip-wires of this module

    ids: set[str] = set()
    for waiver in waivers:
        ids.update(_met(session, waiver))
    return rejudge_hosts(session, sorted(ids))


def _met(session: Session, waiver: Waiver) -> list[str]:
    """Hosts in the waiver's scope that have a finding of its rule."""
    rows = session.execute(
        text(
            """
            SELECT DISTINCT h.id FROM host h JOIN host_group g ON g.id = h.group_id JOIN finding f ON f.host_id = h.id AND f.rule_no = :rule
            WHERE h.id = :host OR :group = ANY(string_to_array(trim(both '/' from g.path), '/')::int[])
            """
        ),
        {"rule": waiver.rule_no, "host": waiver.host_id, "group": waiver.group_id},
    )
    return [row[0] for row in rows]


def _audit(session: Session, actor: str, waiver: Waiver, action: str) -> None:
    after: dict[str, Any] = {"rule_no": waiver.rule_no, "host": waiver.host_id, "subject": f"{waiver.subject_kind}/{waiver.subject_id}"}
    audit.record(
        session,
        actor=actor,
        action=action,
        object_kind="waiver",
        object_id=str(waiver.id),
        group_id=waiver.group_id,
        before=None,
        after=after,
        reason=waiver.reason,
    )
