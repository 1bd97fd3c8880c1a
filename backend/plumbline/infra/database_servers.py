"""Connections to a database of several servers, of which one takes writes.

libpq tries the servers in the order of the URL for each connection, and waits `connect_timeout` for one that is cut off: each page and each
health check would wait for it, also after the standby took over. Here a server that did not answer is left to the end, and left out for a
moment where another one answers, even if only to say that it is a standby.
"""

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, TypeVar

import psycopg
from sqlalchemy import Engine, event

_C = TypeVar("_C")
# For so long a server that did not answer is not asked again while another one does.
QUIET_SECONDS = 5.0


class DatabaseServers:
    """The servers of one URL by address and port, and which of them did not answer lately. Used by all threads of a process."""

    def __init__(self, servers: Sequence[tuple[str, str]], *, clock: Callable[[], float] = time.monotonic) -> None:
        self._servers = tuple(servers)
        self._clock = clock
        self._silent_at: dict[tuple[str, str], float] = {}
        self._lock = threading.Lock()

    def connect(self, connect: Callable[[str, str], _C]) -> _C:
        """The first connection that `connect(address, port)` makes. Raises its last error where no server gave one."""
        failed: psycopg.OperationalError | None = None
        has_answer = False
        for server in self._in_order():
            if has_answer and self._is_silent(server):
                continue
            try:
                made = connect(*server)
            except psycopg.errors.ConnectionTimeout as error:
                failed = failed or error
                self._note(server, is_silent=True)
            except psycopg.OperationalError as error:
                # What a server says tells more than that another one said nothing.
                failed, has_answer = error, True
                self._note(server, is_silent=False)
            else:
                self._note(server, is_silent=False)
                return made
        assert failed is not None
        raise failed

    def _in_order(self) -> list[tuple[str, str]]:
        return sorted(self._servers, key=self._is_silent)

    def _is_silent(self, server: tuple[str, str]) -> bool:
        with self._lock:
            at = self._silent_at.get(server)
        return at is not None and self._clock() - at < QUIET_SECONDS

    def _note(self, server: tuple[str, str], *, is_silent: bool) -> None:
        with self._lock:
            if is_silent:
                self._silent_at[server] = self._clock()
            else:
                self._silent_at.pop(server, None)


@cache
def _servers(addresses: str, ports: str) -> DatabaseServers:
    """The same for every connection of this process to them."""
    each_address, each_port = addresses.split(","), ports.split(",")
    # One port counts for all servers, as libpq has it.
    if len(each_port) != len(each_address):
        each_port = each_port * len(each_address)
    return DatabaseServers(list(zip(each_address, each_port, strict=True)))


def connect_to_one(options: Mapping[str, Any], connect: Callable[..., _C]) -> _C:
    """What `connect` makes of these options of libpq, whose `host` may name several servers: then with one that answers."""
    addresses, ports = str(options.get("host") or ""), str(options.get("port") or "")
    if "," not in addresses:
        return connect(**options)
    return _servers(addresses, ports).connect(lambda address, port: connect(**{**options, "host": address, "port": port}))


def remember_silent_servers(engine: Engine) -> None:
    """Lets the engine connect by `connect_to_one`."""

    @event.listens_for(engine, "do_connect")
    def connect(dialect: Any, _record: Any, cargs: Any, options: dict[str, Any]) -> Any:
        return connect_to_one(options, lambda **given: dialect.connect(*cargs, **given))
