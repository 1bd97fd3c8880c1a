"""What remediation forgets by age, as the worker that does it: under its own role of the database."""

from sqlmodel import text

from plumbline.infra.database import session_scope
from plumbline.models.hosts import Host
from plumbline.ops import embedded_servers
from plumbline.remediation.jobs.retention import purge
from tests.conftest import pointed_at

_RUNS = (
    # days ago, size, state
    (200, 9000, "done"),
    (100, 9000, "failed"),
    (95, 1500, "done"),
    (91, 9000, "waiting"),
    (2, 9000, "done"),
)


def test_old_pings_go_and_the_newest_of_each_size_stays(fresh_database: str, cluster: embedded_servers.PostgresCluster) -> None:
    with session_scope() as session:
        session.add(Host(id="a" * 32, name="sql-03", platform="windows", group_id=1, interval_seconds=900))
        session.flush()
        for days, size, state in _RUNS:
            session.execute(
                text(
                    "INSERT INTO probe_run (host_id, size_bytes, asked_by, state, words, asked_at)"
                    " VALUES (repeat('a', 32), :size, 'ana', :state, '', clock_timestamp() - make_interval(days => :days))"
                ),
                {"days": days, "size": size, "state": state},
            )
    with pointed_at(cluster, fresh_database.partition("@/")[2].partition("?")[0], role="plumbline_executor"), session_scope() as session:
        session.execute(
            text(
                "INSERT INTO worker_heartbeat (worker, queue, heard_at) VALUES"
                " ('vm:1', 'remediation', clock_timestamp() - interval '8 days'),"
                " ('vm:2', 'remediation', clock_timestamp())"
            )
        )
    with pointed_at(cluster, fresh_database.partition("@/")[2].partition("?")[0], role="plumbline_background"):
        with session_scope() as session:
            assert purge(session) == {"pings": 2, "workers": 1}
        with session_scope() as session:
            assert purge(session) == {"pings": 0, "workers": 0}
            left = session.execute(text("SELECT size_bytes, state FROM probe_run ORDER BY id")).all()
            assert [tuple(row) for row in left] == [(1500, "done"), (9000, "waiting"), (9000, "done")]
            assert list(session.execute(text("SELECT worker FROM worker_heartbeat")).scalars()) == ["vm:2"]
            shown = session.execute(text("SELECT after FROM audit_entry WHERE action = 'retention.purged'")).scalars().all()
            assert shown == [{"pings": 2, "workers": 1}]
