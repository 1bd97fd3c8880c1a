"""Heartbeats: check-ins that move nothing but the time of the last one and the counters, stored by one statement for a whole batch.

Nineteen of twenty check-ins are such. The statement does all that the long way does in a transaction of its own: it locks the hosts' rows
in the order of their ids, compares each row with what the decision was made from, writes those that still stand so, and commits. A host
that does not stand so is left as it is, and its check-in takes the long way.
"""

import time
from typing import Any, NamedTuple

import psycopg

from plumbline.checkin import counter_rows as counters
from plumbline.checkin.pending import Answer, Arrival
from plumbline.checkin.receipts import receipt
from plumbline.checkin.sequence import follow_boots, place_of
from plumbline.checkin.state import HostState, push_entry, ring_entry
from plumbline.checkin.statements import STORE_HEARTBEATS
from plumbline.hosts.agent_keys import KeyRing
from plumbline.infra.columns import array, columns

_MAX_GAP = 2**31 - 1


class Heartbeat(NamedTuple):
    """One such check-in, and its row of the statement."""

    arrival: Arrival
    host: HostState
    row: tuple[Any, ...]


def heartbeat_of(arrival: Arrival, newest_key: str) -> Heartbeat | None:
    """The check-in as a heartbeat; None where it moves more, or where anything about it has to be looked up."""
    host, quiet = arrival.state, arrival.quiet
    if host is None or quiet is None or quiet != host.basis:
        return None
    envelope = arrival.body.envelope
    if envelope.rejected or envelope.thinned or envelope.runner_before or envelope.runner_after:
        # Such a check-in has a row of its own in the log.
        return None
    row = touch_row(arrival, host, newest_key)
    return None if row is None else Heartbeat(arrival, host, row)


def touch_row(arrival: Arrival, host: HostState, newest_key: str) -> tuple[Any, ...] | None:
    """What a check-in moves of its host's row, after what it was decided from; None where it moves the secret, the epoch or the series
    of counters, or is not new in its host's order: such a one is looked up first."""
    if host.key_id != newest_key and host.next_generation is None:
        return None
    place = place_of(arrival, host, newest_key)
    if place.kind != "new" or place.is_first_use or place.is_raised:
        return None
    values = None
    sent = arrival.body.counters
    if sent.mark:
        if sent.mark != host.series_mark:
            return None
        values = counters.array_text(host.series_numbers, sent.values)
    seq, agent = arrival.claim.seq, arrival.body.envelope.agent
    boots, alarm = follow_boots(host.boots, arrival.body.envelope.boot)
    gap = min(max(0, seq - host.last_seq - 1), _MAX_GAP) if host.last_seq else 0
    return (
        host.id, *host.basis, seq, ring_entry(seq, arrival.body.digest), gap, ",".join(boots), alarm, _sent_at(arrival), agent.version,
        agent.runner if isinstance(agent.runner, str) else "", sent.uptime_seconds, values,
    )  # fmt: skip


def _sent_at(arrival: Arrival) -> float | None:
    """The host's clock now: when it says it sent, and what has passed since the check-in came in. Seconds since 1970."""
    sent = arrival.sent_at
    return None if sent is None else sent.timestamp() + time.monotonic() - arrival.arrived_at


async def store_heartbeats(
    connection: "psycopg.AsyncConnection[Any]", heartbeats: list[Heartbeat], ring: KeyRing
) -> list[tuple[Arrival, Answer | None]]:
    """Stores, commits, and lets memory follow; None instead of an answer where the host does not stand any more as it did when that was
    decided."""
    heartbeats.sort(key=_id_of)
    ids = array([each.host.id for each in heartbeats])
    cursor = await connection.execute(STORE_HEARTBEATS, (*columns([each.row for each in heartbeats]), ids))
    stored: dict[str, tuple[int, int, int | None]] = {row[0]: row[1:] for row in await cursor.fetchall()}
    answered: list[tuple[Arrival, Answer | None]] = []
    for arrival, host, _ in heartbeats:
        found = stored.get(host.id)
        if found is None:
            answered.append((arrival, None))
            continue
        now, host.interval_seconds, seen_before = found
        follow(arrival, host)
        answered.append((arrival, Answer(200, receipt(arrival, host, ring, now=now, seen_before=seen_before))))
    return answered


def _id_of(heartbeat: Heartbeat) -> str:
    return heartbeat.host.id


def follow(arrival: Arrival, host: HostState) -> None:
    """After COMMIT: what is remembered of the host stands as its row does. A decision made from before notices by its basis."""
    host.last_seq = arrival.claim.seq
    host.accepted = push_entry(host.accepted, ring_entry(host.last_seq, arrival.body.digest))
    host.boots, alarm = follow_boots(host.boots, arrival.body.envelope.boot)
    host.alarm = alarm or host.alarm
