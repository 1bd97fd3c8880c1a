"""A process without threads that forks an API for each line of its input, so that the API may die in the middle of a transaction.

Reads lines `METHOD PATH COOKIE DEATH BODY`: the child dies by SIGKILL after its statement number DEATH, after its commit (`commit`), or
not at all (`-`). Answers the status of the answer, or minus nine.
"""

import json
import os
import signal
import sys
import traceback
from typing import Any

from sqlalchemy import event
from sqlmodel import Session
from starlette.testclient import TestClient

from plumbline.auth.dependencies import cookie_name
from plumbline.infra.database import get_engine
from plumbline.packs import in_force  # noqa: F401 (imported once, before any fork)
from plumbline.web.app import PREFIX, create_app


def serve() -> None:
    """Forks until standard input ends."""
    app = create_app()
    for line in sys.stdin:
        method, path, cookie, death, body = line.split(" ", 4)
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(read)
            # Only statuses belong on standard output.
            os.dup2(2, 1)
            try:
                _die_at(death)
                client = TestClient(app, cookies={cookie_name(): cookie}, headers={"X-Plumbline": "1"}, raise_server_exceptions=False)
                os.write(write, str(client.request(method, PREFIX + path, json=json.loads(body)).status_code).encode())
            except Exception:
                traceback.print_exc()
            finally:
                os._exit(0)
        os.close(write)
        status = os.read(read, 10).decode()
        os.close(read)
        _, ended = os.waitpid(child, 0)
        print(status or os.waitstatus_to_exitcode(ended) or "nothing", flush=True)


def _die_at(death: str) -> None:
    def die(*_: Any) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    if death == "commit":
        # Reading the actor is a transaction too: only one that wrote counts.
        event.listen(Session, "after_flush", lambda *_: event.listen(Session, "after_commit", die), once=True)
    elif death != "-":
        left = [int(death)]

        def count(*_: Any) -> None:
            left[0] -= 1
            if left[0] == 0:
                die()

        event.listen(get_engine(), "after_cursor_execute", count)


if __name__ == "__main__":
    serve()
