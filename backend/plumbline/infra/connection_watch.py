"""Ends what a library does over the network when its time is over, also where the peer sends a byte now and then, or without end.

The time limits of HTTP libraries are for one read, so a peer that drips keeps them for ever. The watch has a second descriptor of each
connection that its thread makes and shuts the connections down when the time is over; the library then gets the end of the stream, or an
error, at once. Libraries that read a whole answer into memory can be given a limit of size as well: the system counts what has arrived.
"""

import os
import socket
import struct
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from functools import cache
from typing import Any

# Where the kernel's `struct tcp_info` holds the number of bytes received: linux/tcp.h, `tcpi_bytes_received` (Linux 4.1 and newer).
_BYTES_RECEIVED = struct.Struct("128xQ")
# How often the size is looked at. What arrives in between is read: on a fast network some megabytes.
_LOOK_SECONDS = 0.02


class ConnectionWatch:
    """The connections that one thread makes, and whether their time ran out. Call `end` once no connection is used any more.

    `most_bytes`: what may arrive on one connection; None for any. `is_flooded` once more did. Where the system does not count, there is no
    limit of size.
    """

    def __init__(self, *, most_bytes: int | None = None) -> None:
        self.is_timed_out = False
        self.is_flooded = False
        self.most_bytes = most_bytes
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

    def look(self) -> bool:
        """Whether more has arrived on a connection than may."""
        with self._lock:
            self.is_flooded = self.is_flooded or any(_received(each) > (self.most_bytes or 0) for each in self._descriptors)
            return self.is_flooded

    def cut(self) -> None:
        """Shuts all open connections down, because the time is over, or too much arrived."""
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


def _received(descriptor: int) -> int:
    """Bytes that have arrived on a TCP connection; 0 where the system does not say."""
    if not hasattr(socket, "TCP_INFO"):
        return 0
    with suppress(OSError), closing(socket.socket(fileno=os.dup(descriptor))) as one:
        told = one.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _BYTES_RECEIVED.size)
        if len(told) == _BYTES_RECEIVED.size:
            return int(_BYTES_RECEIVED.unpack(told)[0])
    return 0


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
    """While the block runs, this thread's new connections belong to the watch. All that it has are shut down when the time is over, or too
    much has arrived; the library inside sees an error of its own. Blocks may follow one another, for connections that are used again."""
    _install_audit_hook()
    over = threading.Event()
    outer, _THREAD.watch = _THREAD.watch, watch
    threading.Thread(target=_cut_at_the_limits, args=(watch, time.monotonic() + seconds, over), daemon=True).start()
    try:
        yield
    finally:
        _THREAD.watch = outer
        over.set()


def _cut_at_the_limits(watch: ConnectionWatch, until: float, over: threading.Event) -> None:
    while not over.wait(_LOOK_SECONDS if watch.most_bytes is not None else max(0.0, until - time.monotonic())):
        if time.monotonic() >= until or (watch.most_bytes is not None and watch.look()):
            watch.cut()
            return
