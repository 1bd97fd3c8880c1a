"""What is stored on simulated time carries it, and the database has its own time again afterwards, whatever happened."""

from datetime import UTC, datetime, timedelta

import psycopg

from plumbline.infra.database import direct_url
from plumbline.ops import lab_past
from plumbline.ops.lab_past import simulated_time
from plumbline.ops.lab_past.simulated_time import SimulatedTime

START = datetime(2026, 3, 1, 2, 30, tzinfo=UTC)
_SCHEMA = """
SELECT c.relname, a.attname, pg_get_expr(d.adbin, d.adrelid) FROM pg_attrdef d
  JOIN pg_class c ON c.oid = d.adrelid JOIN pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum
 WHERE c.relnamespace = 'public'::regnamespace
UNION ALL SELECT proname, array_to_string(proconfig, ' '), prosrc FROM pg_proc WHERE pronamespace = 'public'::regnamespace
ORDER BY 1, 2
"""


def schema(url: str) -> list[tuple[object, ...]]:
    with psycopg.connect(direct_url(url)) as connection:
        return connection.execute(_SCHEMA).fetchall()


def test_defaults_and_statements_have_the_simulated_time(owner: str) -> None:
    before = schema(owner)
    with SimulatedTime(owner, START) as clock:
        with psycopg.connect(direct_url(owner)) as connection:
            row = connection.execute(
                "INSERT INTO host_group (parent_id, name, path, is_ticket_required) VALUES (1, 'A', '1/9/', false)"
                " RETURNING created_at, now()"
            ).fetchone()
        assert row is not None
        assert all(timedelta(0) <= each - START < timedelta(seconds=20) for each in row)
        clock.move_to(START + timedelta(days=40))
        with psycopg.connect(direct_url(owner)) as connection:
            connection.execute("SELECT make_partitions('check_in', 'month', 0)")
            assert connection.execute("SELECT to_regclass('public.check_in_y2026m04')").fetchone() != (None,)
        assert timedelta(0) <= datetime.now(UTC) - START - timedelta(days=40) < timedelta(seconds=20)
    after = schema(owner)
    assert [row for row in after if not str(row[0]).startswith("check_in_y2026m04")] == before
    with psycopg.connect(direct_url(owner)) as connection:
        assert connection.execute("SELECT now() > %s, to_regnamespace('simulated')", (START + timedelta(days=100),)).fetchone() == (
            True,
            None,
        )


def test_what_a_killed_process_left_is_mended(owner: str) -> None:
    before = schema(owner)
    broken = SimulatedTime(owner, START).__enter__()
    assert broken._python is not None
    broken._python.stop()
    assert schema(owner) != before
    assert lab_past.is_unfinished(owner)
    simulated_time.remove(owner)
    assert schema(owner) == before
    assert not lab_past.is_unfinished(owner)
    simulated_time.remove(owner)
    assert schema(owner) == before
