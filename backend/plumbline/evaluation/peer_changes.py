"""Peer domains in which something changed: hosts that leave, fall silent or are heard again, and who is re-evaluated for it."""

from collections.abc import Sequence

from plumbline.core.freshness import SILENT_AFTER_INTERVALS
from plumbline.evaluation.peers import ADD_CHANGES, Connection

_TAKE_CHANGES = """
DELETE FROM peer_domain_change WHERE id IN (SELECT id FROM peer_domain_change ORDER BY id LIMIT %s FOR UPDATE SKIP LOCKED) RETURNING domain
"""
# Drawn, not counted: a count begins anew in a database that was restored, and a process would take what it remembers for what is there.
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
    """Marks the hosts of domains in which something changed; answers how many domains.

    A transaction of its own, committed before those hosts are evaluated: a version is remembered beside what was read under it.
    """
    domains = sorted({row[0] for row in connection.execute(_TAKE_CHANGES, (_MANY,))})
    if domains:
        connection.execute(_DRAW_VERSIONS, (domains,))
        connection.execute(_MARK_WAITING, (domains,))
    return len(domains)


def waiting_hosts(connection: Connection, limit: int) -> list[tuple[int, str]]:
    """Marks of up to `limit` hosts, held until the end of the transaction; those that another process holds are left to it."""
    return [(mark, host_id) for mark, host_id in connection.execute(_WAITING, (limit,))]


def mark_silent(connection: Connection) -> int:
    """Notes the hosts that fell silent or are heard again, and takes out those that no longer count; answers how many. One transaction."""
    rows = connection.execute(_SILENT_OR_GONE, (SILENT_AFTER_INTERVALS,)).fetchall()
    turned = [host_id for host_id, is_active, _ in rows if is_active]
    gone = [host_id for host_id, is_active, _ in rows if not is_active]
    if turned:
        connection.execute(_TURN_SILENT, (turned,))
        connection.execute(ADD_CHANGES, (sorted({domain for _, is_active, domains in rows if is_active for domain in domains}),))
    if gone:
        leave(connection, gone)
    return len(rows)
