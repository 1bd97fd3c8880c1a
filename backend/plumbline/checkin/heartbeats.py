"""Heartbeats: check-ins that change nothing but the time of the last one and the counters, stored by one statement for a whole batch.

Nineteen of twenty check-ins are heartbeats. The statement compares each check-in with its host's row, under the row's lock: the digest of
all sections, the mark of the counters, sequence, key and boot. So the process needs no memory of its hosts, and a heartbeat costs the same
with any number of hosts and of API processes. A check-in that differs is not stored here; it goes to the store transaction.
"""

from collections.abc import Sequence
from typing import Any

import psycopg

from plumbline.checkin.heartbeat_statements import HEARTBEATS, STORE_HEARTBEATS, HeartbeatAnswer, HeartbeatRow
from plumbline.checkin.pending import PendingCheckIn, Response
from plumbline.checkin.receipts import Receipted, receipt
from plumbline.checkin.sequence import recent_entry
from plumbline.hosts.agent_keys import KeyRing
from plumbline.infra.columns import array


def store_heartbeats(
    connection: "psycopg.Connection[Any]", check_ins: Sequence[PendingCheckIn], ring: KeyRing
) -> list[tuple[PendingCheckIn, Response | None]]:
    """Stores and commits; None instead of a response for a check-in that is not a heartbeat."""
    newest = ring.newest
    rows = sorted(_row(each, newest) for each in check_ins)
    cursor = connection.execute(STORE_HEARTBEATS, (*HEARTBEATS.arrays(rows), array([row.id for row in rows])))
    stored = {row[0]: HeartbeatAnswer(*row) for row in cursor.fetchall()}
    responses: list[tuple[PendingCheckIn, Response | None]] = []
    for check_in in check_ins:
        found = stored.get(check_in.headers.host_id)
        responses.append((check_in, None if found is None else receipt(check_in, Receipted(*found[1:]), ring)))
    return responses


def _row(check_in: PendingCheckIn, newest_key: str) -> HeartbeatRow:
    headers, body = check_in.headers, check_in.body
    counters = body.counters
    return HeartbeatRow(
        headers.host_id,
        headers.epoch,
        headers.seq,
        headers.generation,
        check_in.key_id,
        check_in.key_id == newest_key,
        body.envelope.boot,
        check_in.sections_digest,
        counters.mark or None,
        recent_entry(headers.seq, body.digest),
        check_in.host_clock(),
        body.envelope.agent.version,
        check_in.runner_hash,
        counters.uptime_seconds,
        "{" + counters.values[1:-1].decode() + "}" if counters.mark else None,
    )
