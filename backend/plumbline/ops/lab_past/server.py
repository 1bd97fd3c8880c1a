"""The check-in endpoint of this process on a port of loopback, for hosts that check in while the past is written."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn

from plumbline.checkin.asgi import CheckInApp


@contextmanager
def serving() -> Iterator[str]:
    """Serves until the end of the block; yields the address."""
    server = uvicorn.Server(uvicorn.Config(CheckInApp(), host="127.0.0.1", port=0, log_level="warning", ws="none"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    limit = time.monotonic() + 30
    while not server.started and time.monotonic() < limit:
        time.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(30)
