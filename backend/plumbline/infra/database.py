"""The database: one engine per process, one session per request or task, one time type, one naming scheme of constraints.

A session is one transaction. Its scope commits; other code flushes when it needs an id and never commits. Only the batch writer of
check-ins and the steps of remediation jobs commit by themselves.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import cache, lru_cache
from typing import Any

import msgspec
from psycopg.conninfo import conninfo_to_dict
from sqlalchemy import Column, DateTime, Engine, TextClause, create_engine
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.engine import Dialect
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.types import TypeDecorator
from sqlmodel import Field, Session, SQLModel, text

from plumbline.infra.database_servers import remember_silent_servers
from plumbline.infra.errors import BadInput, Unavailable
from plumbline.infra.settings import get_settings

# Set before any table is declared, so that every constraint has a name that a migration can refer to.
SQLModel.metadata.naming_convention = {
    "ix": "ix_%(column_0_N_label)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}

# The server is going down, has crashed, or is not ready yet (PostgreSQL, appendix A, class 57); or it takes no writes (25006), as a
# standby does after a failover.
_AWAY = ("57P01", "57P02", "57P03", "25006")
# What a connection does about a server that vanished without a word, as a machine does that lost its power or its cable: the kernel's own
# settings wait for 15 minutes, and with them every check-in and page. Seconds, and milliseconds for the last.
_LINK: dict[str, int] = {
    "connect_timeout": 3,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
}


class UtcDateTime(TypeDecorator[datetime]):
    """`timestamptz` that refuses naive times and always returns aware UTC (PostgreSQL returns the session's zone)."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        if value is not None and value.tzinfo is None:
            raise ValueError("a time without a zone reached the database")
        return value

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        return None if value is None else value.astimezone(UTC)


def time_column(**kwargs: Any) -> Any:
    """A column of a table that holds a time; `kwargs` are those of SQLModel's `Field`."""
    return Field(sa_type=UtcDateTime, **kwargs)


def written_at_column() -> Any:
    """A time that PostgreSQL sets when the row is written, not when its transaction began."""
    return time_column(sa_column_kwargs={"server_default": text("clock_timestamp()")})


def json_column(default: str = "{}") -> Any:
    """A JSONB column; `default` is the JSON of a row that says nothing."""
    return Column(JSONB, nullable=False, server_default=text(f"'{default}'::jsonb"))


def link_options(url: str) -> dict[str, int]:
    """The options of every connection, except those that the URL itself gives. They have no effect on a Unix socket."""
    given = conninfo_to_dict(direct_url(url))
    return {name: value for name, value in _LINK.items() if name not in given}


def direct_url(url: str) -> str:
    """The URL as psycopg takes it: without the name of SQLAlchemy's driver."""
    return url.replace("+psycopg", "", 1)


@lru_cache(maxsize=1024)
def sql(statement: str) -> TextClause:
    """A statement in SQL. The same text is the same object, which SQLAlchemy takes apart once instead of at every request."""
    return text(statement)


@cache
def get_engine(url: str | None = None) -> Engine:
    """The engine of this process (`PLUMBLINE_DATABASE_URL`), or of the given URL."""
    settings = get_settings()
    address = url or settings.database_url.get_secret_value()
    if not address:
        raise BadInput("PLUMBLINE_DATABASE_URL is not set: start with `plumbline up`, or set it to the URL of the process's role")
    engine = create_engine(
        address,
        pool_size=settings.database_pool_size,
        max_overflow=5,
        pool_pre_ping=True,
        # Pages read thousands of small JSON values.
        json_deserializer=msgspec.json.decode,
        # Keeps parameters of statements out of error messages, and so out of the log.
        hide_parameters=True,
        connect_args=link_options(address),
    )
    remember_silent_servers(engine)
    return engine


@contextmanager
def session_scope(**info: Any) -> Iterator[Session]:
    """One transaction: commits at the end, rolls back on any exception."""
    with Session(get_engine(), expire_on_commit=False, info=info) as session:
        try:
            yield session
        except BaseException:
            session.rollback()
            raise
        session.commit()


# Longer than any lease, and than any wait before work is tried again.
LONGEST_AHEAD = timedelta(minutes=10)


def is_past(moment: str) -> str:
    """SQL: whether the end of a lease or of a wait, given as SQL, is over. One that lies further ahead than any lasts was written while the
    database's clock was ahead, and is over too: work would else stand still for as long as the clock was wrong by."""
    return f"({moment} <= clock_timestamp() OR {moment} > clock_timestamp() + interval '{LONGEST_AHEAD.total_seconds():.0f} seconds')"


def is_database_gone(error: DBAPIError) -> bool:
    """Whether the connection was lost or could not be made, or leads to a server that takes no writes, in contrast to a statement that
    failed."""
    if error.connection_invalidated:
        return True
    state = getattr(error.orig, "sqlstate", None)
    if state in _AWAY:
        return True
    return isinstance(error, OperationalError) and (state is None or state.startswith("08"))


def wait_for_database(seconds: float = 60) -> None:
    """Returns once the database answers, for programs that start together with it. Raises `Unavailable`."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            with get_engine().connect():
                return
        except OperationalError as error:
            if time.monotonic() > deadline:
                raise Unavailable(f"the database did not answer within {seconds:.0f} s: {error.orig}") from None
            time.sleep(0.2)


def now_of(session: Session) -> datetime:
    """The time by the database's clock, the only one that decides on ages."""
    moment: datetime = session.execute(text("SELECT clock_timestamp()")).scalar_one()
    return moment
