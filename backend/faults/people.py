"""People at an API process of a fault run: signed in over HTTP with roles of their own, as browsers are."""

import contextlib
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import httpx
from sqlmodel import text

from plumbline.auth import sessions
from plumbline.auth.dependencies import cookie_name
from plumbline.infra.database import session_scope
from plumbline.models.auth import Person

BACKEND = Path(__file__).resolve().parents[1]
_START_SECONDS = 180.0
_GRANT = """
INSERT INTO role_grant (person_id, role, group_id) SELECT :person, CAST(:role AS varchar), 1
WHERE NOT EXISTS (SELECT 1 FROM role_grant WHERE person_id = :person AND role = CAST(:role AS varchar) AND group_id = 1)
"""


@contextlib.contextmanager
def served_api(more: Mapping[str, str] | None = None, *, log: Path = Path(os.devnull)) -> Iterator[str]:
    """An API process with the environment of this one and `more`, which logs into this file; answers its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with log.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "plumbline.cli", "api", "--port", str(port)], cwd=BACKEND, env={**os.environ, **(more or {})},
            stdout=out, stderr=out,
        )  # fmt: skip
    url = f"http://127.0.0.1:{port}"
    try:
        wait_for(url)
        yield url
    finally:
        process.terminate()
        process.wait(30)


def wait_for(url: str) -> None:
    """Returns once an API answers there. Raises RuntimeError."""
    limit = time.monotonic() + _START_SECONDS
    while time.monotonic() < limit:
        with contextlib.suppress(httpx.HTTPError):
            if httpx.get(f"{url}/healthz", timeout=2, trust_env=False).status_code < 500:
                return
        time.sleep(0.05)
    raise RuntimeError("the API does not answer")


def granted(person_id: int, role: str) -> str:
    """Gives a person a role on the whole tree and a session that began a moment ago; answers the session's id."""
    with session_scope() as session:
        session.execute(text(_GRANT), {"person": person_id, "role": role})
        return sessions.start(session, person=session.get_one(Person, person_id), address="127.0.0.1", agent="faults")


def signed_in(url: str, person_id: int, role: str) -> httpx.Client:
    """A person with a role on the root group, signed in at an API."""
    cookies = {cookie_name(): granted(person_id, role)}
    return httpx.Client(base_url=f"{url}/api/v1", cookies=cookies, headers={"X-Plumbline": "1"}, timeout=30, trust_env=False)
