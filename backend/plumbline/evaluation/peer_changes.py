"""Peer domains in which something changed: hosts that left, stopped or resumed reporting; and who is re-evaluated for it."""

from collections.abc import Sequence

from plumbline.core.freshness import SILENT_AFTER_INTERVALS
from plumbline.evaluation.peers import ADD_CHANGES, Connection

_TAKE_CHANGES = """
DELETE FROM peer_domain_change WHERE id IN (SELECT id FROM peer_domain_change ORDER BY id LIMIT %s FOR UPDATE SKIP LOCKED) RETURNING domain
"""
# Random, not counted up: in a restored database a count would start again, and a process would take its cached domains for current ones.
_DRAW_VERSIONS = """
INSERT INTO peer_domain (domain, version)
SELECT domain, 1 + floor(random() * 4e18)::bigint FROM unnest(%s::text[]) AS v (domain) ORDER BY domain
ON CONFLICT (domain) DO UPDATE SET version = excluded.version
"""
_SILENT_OR_GONE = """
SELECT p.host_id, h.state = 'active', p.domains FROM peer_answer p JOIN host h ON h.id = p.host_id
WHERE h.state <> 'active' OR p.is_silent IS DISTINCT FROM
  (h.last_seen_at IS NULL OR h.last_seen_at < clock_timestamp() - make_interval(secs => %s * h.interval_seconds))
ORDER BY p.host_id LIMIT 1000 FOR UPDATE OF p SKIP LOCKED
"""
_LEAVE = "DELETE FROM peer_answer WHERE host_id = ANY(%s) RETURNING domains"
_MARK_WAITING = "INSERT INTO peer_reevaluation (host_id) SELECT host_id FROM peer_answer WHERE domains && %s::text[]"
_WAITING = "SELECT id, host_id FROM peer_reevaluation ORDER BY host_id, id LIMIT %s FOR UPDATE SKIP LOCKED"
_TURN_SILENT = "UPDATE peer_answer SET is_silent = NOT is_silent WHERE host_id = ANY(%s)"
_MANY = 10_000


def leave(connection: Connection, host_ids: Sequence[str]) -> None:
    """Takes hosts out of every domain; their peers are evaluated again. The caller holds their locks."""
    left = {domain for (domains,) in connection.execute(_LEAVE, (list(host_ids),)) for domain in domains}
    if left:
        connection.execute(ADD_CHANGES, (sorted(left),))


def take_changes(connection: Connection) -> int:
    """Marks the hosts of changed domains for re-evaluation. Returns how many domains.

    This is a transaction of its own, committed before those hosts are evaluated, because domains are cached by their version.
    """
    domains = sorted({row[0] for row in connection.execute(_TAKE_CHANGES, (_MANY,))})
    if domains:
        connection.execute(_DRAW_VERSIONS, (domains,))
        connection.execute(_MARK_WAITING, (domains,))
    return len(domains)


def waiting_hosts(connection: Connection, limit: int) -> list[tuple[int, str]]:
    """The marks of up to `limit` hosts, locked until the end of the transaction; marks that another process has locked are skipped."""
    return [(mark, host_id) for mark, host_id in connection.execute(_WAITING, (limit,))]


def mark_silent(connection: Connection) -> int:
    """Records hosts that stopped or resumed reporting, and removes those that no longer count. Returns how many. One transaction."""
    rows = connection.execute(_SILENT_OR_GONE, (SILENT_AFTER_INTERVALS,)).fetchall()
    turned = [host_id for host_id, is_active, _ in rows if is_active]
    gone = [host_id for host_id, is_active, _ in rows if not is_active]
    if turned:
        connection.execute(_TURN_SILENT, (turned,))
        connection.execute(ADD_CHANGES, (sorted({domain for _, is_active, domains in rows if is_active for domain in domains}),))
    if gone:
        leave(connection, gone)
    return len(rows)
