"""A server on this machine that answers and never ends: a byte every now and then."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

_PAUSE_SECONDS = 0.05


@contextmanager
def dripping(beginning: bytes, scheme: str = "http") -> Iterator[str]:
    """Its address. It says `beginning` as soon as somebody connects, and then a letter at a time."""
    done = threading.Event()

    def serve(one: socket.socket) -> None:
        with one, suppress(OSError):
            one.sendall(beginning)
            while not done.wait(_PAUSE_SECONDS):
                one.sendall(b"x")

    def listen(server: socket.socket) -> None:
        with suppress(OSError):
            while not done.is_set():
                threading.Thread(target=serve, args=(server.accept()[0],), daemon=True).start()

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=listen, args=(server,), daemon=True)
        thread.start()
        try:
            yield f"{scheme}://127.0.0.1:{server.getsockname()[1]}"
        finally:
            done.set()
            server.shutdown(socket.SHUT_RDWR)
            thread.join(5)
