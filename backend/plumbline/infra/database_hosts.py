"""Connections to a database of several hosts, of which one takes writes.

libpq tries the hosts in the order of the URL for each connection, and waits `connect_timeout` for one that is cut off: each page and each
health check would wait for it, also after the standby took over. Here a host that did not answer is left to the end, and left out for a
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
# For so long a host that did not answer is not asked again while another one does.
QUIET_SECONDS = 5.0


class Hosts:
    """The hosts of one URL, and which of them did not answer lately. Used by all threads of a process."""

    def __init__(self, hosts: Sequence[tuple[str, str]], *, clock: Callable[[], float] = time.monotonic) -> None:
        self._hosts = tuple(hosts)
        self._clock = clock
        self._silent_at: dict[tuple[str, str], float] = {}
        self._lock = threading.Lock()

    def connect(self, connect: Callable[[str, str], Any]) -> Any:
        """The first connection that `connect(host, port)` makes. Raises its last error where no host gave one."""
        failed: psycopg.OperationalError | None = None
        has_answer = False
        for host in self._in_order():
            if has_answer and self._is_silent(host):
                continue
            try:
                made = connect(*host)
            except psycopg.errors.ConnectionTimeout as error:
                failed = failed or error
                self._note(host, is_silent=True)
            except psycopg.OperationalError as error:
                # What a host says tells more than that another one said nothing.
                failed, has_answer = error, True
                self._note(host, is_silent=False)
            else:
                self._note(host, is_silent=False)
                return made
        assert failed is not None
        raise failed

    def _in_order(self) -> list[tuple[str, str]]:
        return sorted(self._hosts, key=self._is_silent)

    def _is_silent(self, host: tuple[str, str]) -> bool:
        with self._lock:
            at = self._silent_at.get(host)
        return at is not None and self._clock() - at < QUIET_SECONDS

    def _note(self, host: tuple[str, str], *, is_silent: bool) -> None:
        with self._lock:
            if is_silent:
                self._silent_at[host] = self._clock()
            else:
                self._silent_at.pop(host, None)


@cache
def _hosts(names: str, ports: str) -> Hosts:
    """The same for every connection of this process to them."""
    each_name, each_port = names.split(","), ports.split(",")
    # One port counts for all hosts, as libpq has it.
    if len(each_port) != len(each_name):
        each_port = each_port * len(each_name)
    return Hosts(list(zip(each_name, each_port, strict=True)))


def connect_to_one(options: Mapping[str, Any], connect: Callable[..., _C]) -> _C:
    """What `connect` makes of these options of libpq; of several hosts with one that answers."""
    names, ports = str(options.get("host") or ""), str(options.get("port") or "")
    if "," not in names:
        return connect(**options)
    made: _C = _hosts(names, ports).connect(lambda host, port: connect(**{**options, "host": host, "port": port}))
    return made


def remember_silent_hosts(engine: Engine) -> None:
    """Lets the engine connect as `Hosts` does, where its URL names several hosts."""

    @event.listens_for(engine, "do_connect")
    def connect(dialect: Any, _record: Any, cargs: Any, options: dict[str, Any]) -> Any:
        return connect_to_one(options, lambda **given: dialect.connect(*cargs, **given))
