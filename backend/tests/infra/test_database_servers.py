"""A server of the database that does not answer costs one connection its time, and not every one after it."""

import socket
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict
from sqlalchemy import text

from plumbline.checkin.batches import CheckInConnection
from plumbline.infra.database import direct_url, get_engine
from plumbline.infra.database_servers import QUIET_SECONDS, DatabaseServers

A, B = ("db-1", "5432"), ("db-2", "5432")


class Servers:
    """What each server does with a connection, and which were asked."""

    def __init__(self) -> None:
        self.now = 0.0
        self.does: dict[str, str] = {}
        self.asked: list[str] = []
        self.all = DatabaseServers([A, B], clock=lambda: self.now)

    def connect(self) -> str:
        self.asked.clear()
        made: str = self.all.connect(self._one)
        return made

    def _one(self, address: str, port: str) -> str:
        self.asked.append(address)
        if self.does[address] == "silent":
            raise psycopg.errors.ConnectionTimeout(f"{address} timed out")
        if self.does[address] == "standby":
            raise psycopg.OperationalError(f"{address} is read-only")
        return address


@pytest.fixture
def servers() -> Servers:
    return Servers()


def test_servers_are_tried_in_the_order_of_the_url(servers: Servers) -> None:
    servers.does = {"db-1": "standby", "db-2": "primary"}
    assert (servers.connect(), servers.asked) == ("db-2", ["db-1", "db-2"])


def test_a_silent_server_is_asked_last_and_a_standby_that_took_over_at_once(servers: Servers) -> None:
    servers.does = {"db-1": "silent", "db-2": "standby"}
    with pytest.raises(psycopg.OperationalError, match="db-2 is read-only"):
        servers.connect()
    assert servers.asked == ["db-1", "db-2"]
    # The standby answers, so nobody waits for the silent one meanwhile.
    with pytest.raises(psycopg.OperationalError, match="db-2 is read-only"):
        servers.connect()
    assert servers.asked == ["db-2"]
    servers.does["db-2"] = "primary"
    assert (servers.connect(), servers.asked) == ("db-2", ["db-2"])


def test_a_silent_server_is_asked_again_after_a_moment_and_where_no_other_answers(servers: Servers) -> None:
    servers.does = {"db-1": "silent", "db-2": "standby"}
    for _ in range(2):
        with pytest.raises(psycopg.OperationalError):
            servers.connect()
    servers.now = QUIET_SECONDS
    servers.does["db-1"] = "primary"
    assert (servers.connect(), servers.asked) == ("db-1", ["db-1"])
    servers.does = {"db-1": "silent", "db-2": "silent"}
    with pytest.raises(psycopg.OperationalError, match="timed out"):
        servers.connect()
    servers.does["db-1"] = "primary"
    assert servers.connect() == "db-1"


@pytest.fixture
def silent(tmp_path: Path) -> Iterator[str]:
    """A server that takes connections and says nothing; the folder of its socket."""
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / ".s.PGSQL.5432"))
        server.listen(16)
        yield str(tmp_path)


@pytest.mark.usefixtures("session")
def test_an_engine_waits_for_a_silent_server_once(silent: str) -> None:
    from plumbline.infra.settings import get_settings

    own = conninfo_to_dict(direct_url(get_settings().database_url.get_secret_value()))
    hosts = f"host={silent},{own['host']}&port=5432,{own.get('port', 5432)}&connect_timeout=2&target_session_attrs=read-write"
    url = f"postgresql+psycopg://{own['user']}:{own['password']}@/{own['dbname']}?{hosts}"
    engine = get_engine(url)
    try:
        began = time.monotonic()
        with engine.connect() as connection:
            assert connection.execute(text("SELECT 1")).scalar_one() == 1
        assert time.monotonic() - began > 1.5
        engine.dispose()
        began = time.monotonic()
        with engine.connect() as connection:
            assert connection.execute(text("SELECT 1")).scalar_one() == 1
        # What stores check-ins has connections of its own, and knows of the silent server too.
        with CheckInConnection.open(url) as own_connection:
            assert own_connection.execute("SELECT 1").fetchone() == (1,)
        assert time.monotonic() - began < 1.5
    finally:
        engine.dispose()
