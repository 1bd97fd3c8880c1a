"""Connections notice a server that vanished without a word, and a server that takes no writes counts as gone."""

import socket
import threading
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import psycopg
import pytest
from sqlalchemy import text
from sqlalchemy.exc import InternalError

from plumbline.checkin.batches import CheckInConnection
from plumbline.infra.database import direct_url, get_engine, is_database_gone, link_options, session_scope


def _pump(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while piece := source.recv(65536):
            target.sendall(piece)
        target.shutdown(socket.SHUT_WR)


@pytest.fixture
def over_tcp(database: str) -> Iterator[str]:
    """The URL of the database by TCP, as that of a database on another machine: the server of the tests has a Unix socket only."""
    parts = urlsplit(database)
    path = str(Path(parse_qs(parts.query)["host"][0]) / ".s.PGSQL.5432")
    listener = socket.create_server(("127.0.0.1", 0))
    opened: list[socket.socket] = []

    def accept() -> None:
        with suppress(OSError):
            while True:
                client, _ = listener.accept()
                server = socket.socket(socket.AF_UNIX)
                server.connect(path)
                opened.extend((client, server))
                for pair in ((client, server), (server, client)):
                    threading.Thread(target=_pump, args=pair, daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    yield f"{parts.scheme}://{parts.netloc}127.0.0.1:{listener.getsockname()[1]}{parts.path}"
    get_engine.cache_clear()
    for each in (listener, *opened):
        with suppress(OSError):
            each.shutdown(socket.SHUT_RDWR)
        each.close()


def _limits(connection: "psycopg.Connection[object]") -> tuple[int, int, int, int]:
    with closing(socket.socket(fileno=socket.dup(connection.fileno()))) as own:
        names = (socket.TCP_KEEPIDLE, socket.TCP_KEEPINTVL, socket.TCP_KEEPCNT, socket.TCP_USER_TIMEOUT)
        idle, interval, count, unanswered = (own.getsockopt(socket.IPPROTO_TCP, name) for name in names)
        assert own.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
        return idle, interval, count, unanswered


def test_every_connection_notices_a_vanished_server_within_seconds(over_tcp: str) -> None:
    engine = get_engine(over_tcp)
    with engine.connect() as pooled:
        driver = pooled.connection.driver_connection
        assert isinstance(driver, psycopg.Connection)
        assert _limits(driver) == (5, 2, 3, 10_000)
    engine.dispose()
    with CheckInConnection.open(over_tcp) as connection:
        assert _limits(connection) == (5, 2, 3, 10_000)


def test_what_the_url_says_is_kept() -> None:
    two = "postgresql+psycopg://plumbline_api:x@/plumbline?host=db-1,db-2&port=5432,5432&target_session_attrs=read-write"
    assert link_options(two)["connect_timeout"] == 3
    assert link_options(f"{two}&connect_timeout=20&tcp_user_timeout=0") == {
        "keepalives_idle": 5,
        "keepalives_interval": 2,
        "keepalives_count": 3,
    }
    # SQLAlchemy hands both machines and the wish for the one that takes writes to the driver.
    _, options = get_engine(two).dialect.create_connect_args(get_engine(two).url)
    assert (options["host"], options["target_session_attrs"]) == ("db-1,db-2", "read-write")
    assert direct_url(two).startswith("postgresql://plumbline_api:x@/plumbline?host=db-1,db-2")


def test_a_server_that_takes_no_writes_counts_as_gone(database: str) -> None:
    with session_scope() as session:
        session.execute(text("SET TRANSACTION READ ONLY"))
        with pytest.raises(InternalError) as caught:
            session.execute(text("UPDATE host_group SET name = name"))
        session.rollback()
    assert is_database_gone(caught.value)
