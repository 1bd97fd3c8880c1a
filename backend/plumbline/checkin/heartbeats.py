"""Heartbeats: check-ins that move nothing but the time of the last one and the counters, stored by one statement for a whole batch.

Nineteen of twenty check-ins are such. The statement does all that the long way does in a transaction of its own: it locks the hosts' rows
in the order of their ids, compares each row with what the decision was made from, writes those that still stand so, and commits. A host
that does not stand so is left as it is, and its check-in takes the long way.
"""

import time
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import psycopg

from plumbline.checkin.arrival import Answer, Arrival
from plumbline.checkin.order import follow_boots, place_of
from plumbline.checkin.receipts import receipt
from plumbline.checkin.state import HostState, push_entry, ring_entry
from plumbline.checkin.statements import STORE_HEARTBEATS
from plumbline.findings.arrays import array, columns
from plumbline.hosts.keys import KeyRing
from plumbline.performance import store as counters

_MAX_GAP = 2**31 - 1


@dataclass(slots=True)
class Heartbeat:
    """One such check-in, with the host as it will stand."""

    arrival: Arrival
    after: HostState
    row: tuple[Any, ...]


def heartbeat_of(arrival: Arrival, newest_key: str) -> Heartbeat | None:
    """The check-in as a heartbeat; None where it moves more, or where anything about it has to be looked up."""
    host, decision = arrival.state, arrival.decision
    if host is None or decision is None or not decision.is_heartbeat or decision.basis != host.basis:
        return None
    envelope = arrival.body.envelope
    if envelope.rejected or envelope.thinned or envelope.runner_before or envelope.runner_after:
        # Such a check-in has a row of its own in the log.
        return None
    if host.key_id != newest_key and host.next_generation is None:
        return None
    place = place_of(arrival, host, newest_key)
    if place.kind != "new" or place.is_first_use or place.is_raised:
        return None
    uptime, values = 0, None
    sent = arrival.counters
    if sent is not None and sent.series:
        if len(sent.series) != len(host.series_numbers) or counters.mark_of(sent.series) != host.series_mark:
            return None
        uptime = int(sent.uptime_s) if isinstance(sent.uptime_s, int | float) else 0
        values = counters.array_text(host.series_numbers, [series.value for series in sent.series])
    return _moved(arrival, host, uptime, values)


def _moved(arrival: Arrival, host: HostState, uptime: int, values: str | None) -> Heartbeat:
    seq, agent = arrival.claim.seq, arrival.body.envelope.agent
    boots, alarm = follow_boots(host.boots, arrival.body.envelope.boot)
    entry = ring_entry(seq, arrival.body.digest)
    after = host.following()
    after.last_seq, after.boots, after.alarm = seq, boots, alarm or host.alarm
    after.accepted = push_entry(host.accepted, entry)
    gap = min(max(0, seq - host.last_seq - 1), _MAX_GAP) if host.last_seq else 0
    row = (
        host.id, *host.basis, seq, entry, gap, ",".join(boots), alarm, _sent_at(arrival), agent.version,
        agent.runner if isinstance(agent.runner, str) else "", uptime, values,
    )  # fmt: skip
    return Heartbeat(arrival, after, row)


def _sent_at(arrival: Arrival) -> float | None:
    """The host's clock now: when it says it sent, and what has passed since the check-in came in. Seconds since 1970."""
    sent = arrival.sent_at
    return None if sent is None else sent.timestamp() + time.monotonic() - arrival.arrived_at


async def store_heartbeats(
    connection: "psycopg.AsyncConnection[Any]", heartbeats: list[Heartbeat], ring: KeyRing
) -> list[tuple[Heartbeat, Answer | None]]:
    """Stores and commits; None instead of an answer where the host does not stand any more as it did when that was decided."""
    heartbeats.sort(key=lambda each: each.after.id)
    ids = array(each.after.id for each in heartbeats)
    cursor = await connection.execute(STORE_HEARTBEATS, (*columns([each.row for each in heartbeats]), ids))
    stored: dict[str, tuple[datetime, int, datetime | None]] = {row[0]: row[1:] for row in await cursor.fetchall()}
    answered: list[tuple[Heartbeat, Answer | None]] = []
    for each in heartbeats:
        found = stored.get(each.after.id)
        if found is None:
            answered.append((each, None))
            continue
        now, each.after.interval_seconds, seen_before = found
        answered.append((each, Answer(200, receipt(each.arrival, each.after, ring, now=now, seen_before=seen_before))))
    return answered
