"""Ends what a library does over the network when its time is over, also where the peer sends a byte now and then.

The time limits of HTTP libraries are for one read, so a peer that drips keeps them for ever. The watch has a second descriptor of each
connection that its thread makes and shuts the connections down when the time is over; the library then gets the end of the stream, or an
error, at once.
"""

import os
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from functools import cache
from typing import Any


class ConnectionWatch:
    """The connections that one thread makes, and whether their time ran out. Call `end` once no connection is used any more."""

    def __init__(self) -> None:
        self.is_timed_out = False
        self._descriptors: list[int] = []
        self._lock = threading.Lock()

    def check(self, made: socket.socket, address: object) -> None:
        """Called before a connection is made. Raises `OSError` where it may not be."""
        if made.family in (socket.AF_INET, socket.AF_INET6) and isinstance(address, tuple):
            self._keep(made)

    def _keep(self, made: socket.socket) -> None:
        with self._lock:
            if self.is_timed_out:
                raise TimeoutError("timed out")
            # TLS replaces the socket object; a duplicate of the descriptor stays usable to shut the connection down.
            self._descriptors.append(os.dup(made.fileno()))

    def cut(self) -> None:
        """Shuts all open connections down, because the time is over."""
        with self._lock:
            self.is_timed_out = True
            for descriptor in self._descriptors:
                with suppress(OSError), closing(socket.socket(fileno=os.dup(descriptor))) as other:
                    other.shutdown(socket.SHUT_RDWR)

    def end(self) -> None:
        """Closes the duplicated descriptors; connections stay as they are."""
        with self._lock:
            for descriptor in self._descriptors:
                os.close(descriptor)
            self._descriptors.clear()


class _ThreadWatch(threading.local):
    watch: ConnectionWatch | None = None


_THREAD = _ThreadWatch()


@cache
def _install_audit_hook() -> None:
    def check(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "socket.connect" and _THREAD.watch is not None:
            _THREAD.watch.check(*arguments)

    sys.addaudithook(check)


@contextmanager
def watching(watch: ConnectionWatch, seconds: float) -> Iterator[None]:
    """While the block runs, this thread's new connections belong to the watch. All that it has are shut down when the time is over; the
    library inside sees an error of its own. Blocks may follow one another, for connections that are used again."""
    _install_audit_hook()
    timer = threading.Timer(max(0.0, seconds), watch.cut)
    timer.daemon = True
    outer, _THREAD.watch = _THREAD.watch, watch
    timer.start()
    try:
        yield
    finally:
        _THREAD.watch = outer
        timer.cancel()
