"""A peer on this machine that accepts a connection and then says nothing, sends a byte now and then, or sends without end."""

import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

BEHAVIOURS = ("silent", "drip", "endless")
_BLOCK = b"x" * 65536


@contextmanager
def talking(
    behaviour: str,
    beginning: bytes = b"",
    *,
    certificate: Path | None = None,
    private_key: Path | None = None,
    pause_seconds: float = 0.05,
    block: bytes = _BLOCK,
) -> Iterator[int]:
    """Its port on 127.0.0.1. With a certificate it speaks TLS. It says `beginning` once it has received something or 0.3 s have gone by,
    and then behaves as it is asked to, on every connection, until the block ends or the client closes. `block` is what it
    sends without end."""
    done = threading.Event()
    context = None
    if certificate is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, private_key)

    def serve(plain: socket.socket) -> None:
        with suppress(OSError), plain:
            plain.settimeout(10)
            one = context.wrap_socket(plain, server_side=True) if context is not None else plain
            one.settimeout(0.3)
            with suppress(TimeoutError):
                one.recv(65536)
            one.settimeout(10)
            one.sendall(beginning)
            while not done.wait(0 if behaviour == "endless" else pause_seconds):
                if behaviour == "drip":
                    one.sendall(b"x")
                elif behaviour == "endless":
                    one.sendall(block)

    def listen(server: socket.socket) -> None:
        with suppress(OSError):
            while not done.is_set():
                threading.Thread(target=serve, args=(server.accept()[0],), daemon=True).start()

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=listen, args=(server,), daemon=True)
        thread.start()
        try:
            yield server.getsockname()[1]
        finally:
            done.set()
            server.shutdown(socket.SHUT_RDWR)
            thread.join(5)
