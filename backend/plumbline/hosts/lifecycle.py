"""Acts on hosts that change findings or where they count: retiring, approving, moving. Each takes the host's lock and is audited."""

from dataclasses import replace

from sqlmodel import Session, text

from plumbline import audit
from plumbline.evaluation.findings import HostVerdict, Writes, compare, figures, marks_of, set_verdict, statements, stored_findings
from plumbline.evaluation.peer_changes import leave
from plumbline.evaluation.reevaluate import raw_connection, rejudge_hosts
from plumbline.evaluation.rollups import HostFigures, count_findings, count_host
from plumbline.evaluation.statements import READ_FIGURES, READ_FINDINGS
from plumbline.hosts import service
from plumbline.hosts.enrol import interval_of
from plumbline.infra.errors import Conflict, NotFound
from plumbline.models.hosts import Host, HostGroup


def approve_host(session: Session, *, actor: str, host_id: str, group_id: int | None = None, approved_by: int | None = None) -> Host:
    """Lets a waiting host count and judges what it has sent so far. Raises `HostNotFound`, `NotFound`, `Conflict`."""
    host = service.approve_host(session, actor=actor, host_id=host_id, group_id=group_id, approved_by=approved_by)
    session.flush()
    rejudge_hosts(session, [host_id])
    return host


def retire_host(session: Session, *, actor: str, host_id: str, reason: str) -> Host:
    """Ends a host: its check-ins are refused, its findings are closed as `retired`, it counts nowhere; its history stays.

    Raises `HostNotFound`, `Conflict`.
    """
    host = service.lock_host(session, host_id)
    if host.state == "retired":
        raise Conflict("The host is retired already")
    before = host.state
    writes = Writes()
    connection = raw_connection(session)
    old = stored_findings(connection.execute(READ_FINDINGS, ([host_id],))).get(host_id, {})
    known = figures(connection.execute(READ_FIGURES, ([host_id],)))[host_id]
    now = service.now_of(session)
    compare(writes, host_id=host_id, group_id=host.group_id, now=now, old=old, new=[], is_unread=lambda _: "", known_rules=frozenset())
    writes.log = [(*row[:6], "retired", reason) for row in writes.log]
    set_verdict(writes, host_id=host_id, old=known, new=HostFigures(host.group_id, False), verdict=HostVerdict(), judging_epoch=0)
    for statement, columns in statements(writes):
        connection.execute(statement, columns)
    leave(connection, [host_id])
    session.refresh(host)
    host.state = "retired"
    host.state_version += 1
    session.add(host)
    audit.record(
        session,
        actor=actor,
        action="host.retired",
        object_kind="host",
        object_id=host_id,
        group_id=host.group_id,
        before={"state": before},
        after={"state": "retired"},
        reason=reason,
    )
    session.flush()
    return host


def move_host(session: Session, *, actor: str, host_id: str, group_id: int) -> Host:
    """Puts a host into another group, whose packs, waivers and interval then hold. Raises `HostNotFound`, `NotFound`."""
    host = service.lock_host(session, host_id)
    if session.get(HostGroup, group_id) is None:
        raise NotFound("No such group")
    before = host.group_id
    if before == group_id:
        return host
    writes = Writes()
    connection = raw_connection(session)
    marks = list(marks_of(stored_findings(connection.execute(READ_FINDINGS, ([host_id],))).get(host_id, {})))
    count_findings(writes.deltas, before, marks, -1)
    count_findings(writes.deltas, group_id, marks, 1)
    known = figures(connection.execute(READ_FIGURES, ([host_id],)))[host_id]
    count_host(writes.deltas, known, -1)
    count_host(writes.deltas, replace(known, group_id=group_id), 1)
    for statement, columns in statements(writes):
        connection.execute(statement, columns)
    host.group_id = group_id
    host.interval_seconds = interval_of(session, group_id)
    host.state_version += 1
    session.add(host)
    session.flush()
    rejudge_hosts(session, [host_id])
    audit.record(
        session,
        actor=actor,
        action="host.moved",
        object_kind="host",
        object_id=host_id,
        group_id=group_id,
        before={"group_id": before},
        after={"group_id": group_id},
        reason="",
    )
    return host


def note_day(session: Session) -> int:
    """Writes today's figures of every group, each over the group and all below it: what trends are drawn from. Answers how many groups.

    Days are UTC. Safe to run at any time; the last run of a day stands.
    """
    done = session.execute(
        text(
            """
            INSERT INTO fleet_day (day, group_id, hosts, fresh, scored, score_mean, score_median, rule_coverage, n_pass, n_fail, n_unknown,
                                   n_waived, n_not_applicable)
            SELECT (now() AT TIME ZONE 'UTC')::date, g.id, count(h.id),
                   count(h.id) FILTER (WHERE h.last_seen_at > now() - make_interval(secs => 2 * h.interval_seconds)), count(h.score),
                   avg(h.score), percentile_cont(0.5) WITHIN GROUP (ORDER BY h.score), avg(h.rule_coverage), coalesce(sum(h.n_pass), 0),
                   coalesce(sum(h.n_fail), 0), coalesce(sum(h.n_unknown), 0), coalesce(sum(h.n_waived), 0),
                   coalesce(sum(h.n_not_applicable), 0)
            FROM host_group g
            LEFT JOIN host_group below ON starts_with(below.path, g.path)
            LEFT JOIN host h ON h.group_id = below.id AND h.state IN ('active', 'quarantined')
            GROUP BY g.id
            ON CONFLICT (day, group_id) DO UPDATE SET hosts = excluded.hosts, fresh = excluded.fresh, scored = excluded.scored,
              score_mean = excluded.score_mean, score_median = excluded.score_median, rule_coverage = excluded.rule_coverage,
              n_pass = excluded.n_pass, n_fail = excluded.n_fail, n_unknown = excluded.n_unknown, n_waived = excluded.n_waived,
              n_not_applicable = excluded.n_not_applicable
            """
        )
    )
    return int(done.rowcount)  # type: ignore[attr-defined]
