"""A simulated present for one process and one database, so that what the product does now is stored as done at another time.

PostgreSQL looks for functions in the schemas of the search path in order. A schema before `pg_catalog` there that has `now()` and its
kin of its own therefore sets the time of every statement, and defaults of columns are pointed there as well. Python's clocks are moved with
them; `time.monotonic`, and so every wait and lease within a step, goes on as it is.
"""

from datetime import UTC, datetime
from types import TracebackType
from typing import Self

import psycopg
import time_machine
from psycopg import sql

from plumbline.infra.database import direct_url

_CLOCKS = ("now", "clock_timestamp", "statement_timestamp", "transaction_timestamp")
# Functions of ours that name their search path themselves and read the time.
_FUNCTIONS = ("make_partitions(text, text, integer)",)

_DEFAULTS = r"""
SELECT c.relname, a.attname, pg_get_expr(d.adbin, d.adrelid)
  FROM pg_attrdef d
  JOIN pg_class c ON c.oid = d.adrelid AND c.relnamespace = 'public'::regnamespace
  JOIN pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum
 WHERE pg_get_expr(d.adbin, d.adrelid) ~ %s
"""


class SimulatedTime:
    """While entered, all connections that are opened to the database, and this process, have the simulated time. `url` is the owner's."""

    def __init__(self, url: str, start: datetime) -> None:
        self._url = direct_url(url)
        self._start = start
        self._connection: psycopg.Connection[tuple[object, ...]] | None = None
        self._python: time_machine.travel | None = None
        self._traveller: time_machine.Traveller | None = None

    def __enter__(self) -> Self:
        remove(self._url)
        connection = psycopg.connect(self._url, autocommit=True)
        connection.execute("CREATE SCHEMA simulated")
        connection.execute("CREATE UNLOGGED TABLE simulated.clock (ahead interval NOT NULL)")
        connection.execute("INSERT INTO simulated.clock VALUES ('0')")
        for name in _CLOCKS:
            volatility = "VOLATILE" if name == "clock_timestamp" else "STABLE"
            connection.execute(
                f"CREATE FUNCTION simulated.{name}() RETURNS timestamptz LANGUAGE sql {volatility} PARALLEL SAFE AS"  # noqa: S608 (constants)
                f" $$ SELECT pg_catalog.{name}() + (SELECT ahead FROM simulated.clock) $$"
            )
        connection.execute("GRANT USAGE ON SCHEMA simulated TO PUBLIC")
        connection.execute("GRANT SELECT ON simulated.clock TO PUBLIC")
        _point_defaults(connection, simulated=True)
        _set_search_path(connection, "public, simulated, pg_catalog")
        self._connection = connection
        self._python = time_machine.travel(self._start, tick=True)
        self._traveller = self._python.start()
        self.move_to(self._start)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        assert self._connection is not None
        assert self._python is not None
        self._python.stop()
        self._connection.close()
        remove(self._url)

    def move_to(self, instant: datetime) -> None:
        """Sets both clocks; they go on from there."""
        assert self._connection is not None
        assert self._traveller is not None
        self._traveller.move_to(instant)
        self._connection.execute("UPDATE simulated.clock SET ahead = %s - pg_catalog.clock_timestamp()", (instant,))

    @staticmethod
    def now() -> datetime:
        """The simulated present."""
        return datetime.now(UTC)


def remove(url: str) -> None:
    """Gives the database its own time again. Does nothing where it has it; also mends what a killed process left."""
    with psycopg.connect(direct_url(url), autocommit=True) as connection:
        if connection.execute("SELECT to_regnamespace('simulated')").fetchone() == (None,):
            return
        # Otherwise PostgreSQL prints `simulated.now()` as `now()`, and the defaults would not be found.
        connection.execute("SET search_path = public")
        with connection.transaction():
            _point_defaults(connection, simulated=False)
            _set_search_path(connection, None)
            # No CASCADE: a default that still used them would be dropped with them.
            for name in _CLOCKS:
                connection.execute(f"DROP FUNCTION simulated.{name}()")
            connection.execute("DROP TABLE simulated.clock")
            connection.execute("DROP SCHEMA simulated")


def _point_defaults(connection: psycopg.Connection[tuple[object, ...]], *, simulated: bool) -> None:
    clocks = "|".join(_CLOCKS)
    pattern = rf"(^|[^.\w])({clocks})\(\)" if simulated else rf"simulated\.({clocks})\(\)"
    for table, column, expression in connection.execute(_DEFAULTS, (pattern,)).fetchall():
        changed = str(expression)
        for name in _CLOCKS:
            changed = (
                changed.replace(f"{name}()", f"simulated.{name}()") if simulated else changed.replace(f"simulated.{name}()", f"{name}()")
            )
        connection.execute(
            sql.SQL("ALTER TABLE {} ALTER COLUMN {} SET DEFAULT ").format(sql.Identifier(str(table)), sql.Identifier(str(column)))
            + sql.SQL(changed)
        )


def _set_search_path(connection: psycopg.Connection[tuple[object, ...]], path: str | None) -> None:
    database = sql.Identifier(connection.info.dbname)
    if path is None:
        connection.execute(sql.SQL("ALTER DATABASE {} RESET search_path").format(database))
    else:
        connection.execute(sql.SQL("ALTER DATABASE {} SET search_path = {}").format(database, sql.SQL(path)))
    for function in _FUNCTIONS:
        # Temporary objects last, as the migrations have it.
        connection.execute(f"ALTER FUNCTION public.{function} SET search_path = {path or 'public'}, pg_temp")
