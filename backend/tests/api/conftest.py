"""The application on a real socket over a database of the test module's own, with a small judged fleet in it."""

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn
from fastapi import FastAPI

from plumbline.infra.database import session_scope
from plumbline.infra.settings import get_settings
from plumbline.ops import embedded_servers
from plumbline.web.app import create_app
from plumbline.web.http_limits import LimitedProtocol
from tests.api.world import WRITE, World, make_world
from tests.conftest import make_pairs, own_database, pointed_at

Ask = Callable[..., httpx.Response]


@cache
def the_app() -> FastAPI:
    """The application, put together once a process: it keeps nothing of the database it serves, and each start makes a new check-in
    endpoint."""
    return create_app()


@contextmanager
def served(app: FastAPI) -> Iterator[str]:
    """The application behind a real server; answers its address."""
    server = uvicorn.Server(
        uvicorn.Config(app, host="127.0.0.1", port=0, http=LimitedProtocol, log_level="error", access_log=False, server_header=False)
    )
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    limit = time.monotonic() + 20
    while not server.started:
        assert thread.is_alive(), "the server did not start"
        assert time.monotonic() < limit, "the server did not start in 20 s"
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(timeout=20)


@pytest.fixture(scope="module")
def api_database(cluster: embedded_servers.PostgresCluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A database of this module's own, and a home folder with keys."""
    home: Path = tmp_path_factory.mktemp("home")
    os.environ["PLUMBLINE_HOME"] = str(home)
    make_pairs(home / "keys")
    get_settings.cache_clear()
    with own_database(cluster) as name, pointed_at(cluster, name) as url:
        yield url
    del os.environ["PLUMBLINE_HOME"]
    get_settings.cache_clear()


@pytest.fixture(scope="module")
def world(api_database: str) -> World:
    with session_scope() as session:
        return make_world(session)


@pytest.fixture(scope="module")
def app(api_database: str) -> FastAPI:
    return the_app()


@pytest.fixture(scope="module")
def address(app: FastAPI) -> Iterator[str]:
    with served(app) as base:
        yield base


@pytest.fixture(scope="module")
def ask(address: str, world: World) -> Iterator[Ask]:
    """`ask("viewer", "GET", "/hosts")`: a request of that person; an empty login asks as nobody."""
    with httpx.Client(base_url=address, timeout=30) as client:

        def asked(login: str, method: str, path: str, **more: Any) -> httpx.Response:
            client.cookies.clear()
            headers = {**WRITE, **more.pop("headers", {})}
            if login:
                headers["cookie"] = "; ".join(f"{name}={value}" for name, value in world.cookies[login].items())
            where = path if path.startswith(("/api", "/healthz", "/metrics", "/agent")) else f"/api/v1{path}"
            return client.request(method, where, headers=headers, **more)

        yield asked
