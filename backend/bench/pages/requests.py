"""Requests every page of a fleet and times each of its statements, and the whole page over HTTP.

In the database: from sending a statement to having its last row, in the process that serves the page. Over HTTP: a server process of its
own, one connection, the whole answer read. Both are by the wall clock, so that a busy machine lengthens them; the pages take turns, so that
it lengthens all alike. The processor time of PostgreSQL and of the server is measured too, which a busy machine hardly changes.
"""

import contextlib
import functools
import multiprocessing
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from multiprocessing.synchronize import Event
from pathlib import Path

import httpx
import uvicorn
from sqlalchemy import event
from sqlmodel import Session, text

from bench.checkin_stack import children_of, cpu_of
from plumbline.checkin.gaps import record_gaps
from plumbline.fleet.tasks import prepare_pages
from plumbline.infra.database import get_engine, session_scope
from plumbline.infra.resources import CHECKOUT
from plumbline.web.app import create_app

WARM = 2
MOST_FOR_CPU = 60
WRITE = {"x-plumbline": "1", "sec-fetch-site": "same-origin"}
RULE = "dell-bp1057-2012/bp1057.x520.receive_buffers"

# The figures of the whole fleet, counted and rolled up.
RAW = "SELECT outcome, kind, count(*), count(DISTINCT host_id) FROM finding GROUP BY 1, 2"
ROLLED = "SELECT bucket, sum(hosts), sum(subjects), sum(amount) FROM rollup WHERE rule_no = 0 GROUP BY 1"


@dataclass
class Page:
    """One request of the interface, sent many times: milliseconds."""

    name: str
    path: str
    statements: int = 0
    all_together: list[float] = field(default_factory=list)  # of each time, its statements together
    slowest: list[float] = field(default_factory=list)  # of each time, its slowest statement
    over_http: list[float] = field(default_factory=list)
    database_cpu: float = 0.0  # a time, on average
    server_cpu: float = 0.0
    culprit: str = ""
    bytes: int = 0


@dataclass(frozen=True)
class Fleet:
    """What was measured of a fleet of one size."""

    hosts: int
    findings: int
    groups: int
    pages: list[Page]
    raw_ms: float
    rolled_ms: float


def measure(cookie: str, times: int, postgres: int) -> Fleet:
    """Requests every page of the fleet so many times; `PLUMBLINE_*` name its database."""
    with Session(get_engine()) as session:
        hosts, findings, groups = session.execute(
            text("SELECT (SELECT count(*) FROM host), (SELECT count(*) FROM finding), (SELECT count(*) FROM host_group)")
        ).one()
        raw, rolled = (min(_timed(session, statement) for _ in range(often)) for statement, often in ((RAW, 1), (ROLLED, 5)))
    client_of = functools.partial(httpx.Client, timeout=120, headers={"cookie": cookie, **WRITE})
    with worker_beside() as worker, served() as (address, server), client_of(base_url=address) as client:
        pages = pages_of(client)
        for number in range(times + WARM):
            for page in pages:
                started = time.perf_counter()
                answer = request(client, page)
                if number >= WARM:
                    page.over_http.append(1000 * (time.perf_counter() - started))
                    page.bytes = len(answer.content)
        for page in pages:
            # What the worker costs meanwhile is no page's.
            with worker:
                _note_cpu(client, page, postgres, server)
        _in_database(pages, cookie, times)
    return Fleet(hosts, findings, groups, pages, raw, rolled)


@contextlib.contextmanager
def worker_beside() -> Iterator[AbstractContextManager[object]]:
    """What a worker of the product does beside the pages, in a process of its own: notes late hosts every 15 s, and prepares the pages of
    large groups. It waits while somebody holds the lock. Raises `SystemExit` where it cannot begin.
    """
    spawning = multiprocessing.get_context("spawn")
    is_over, has_begun, is_working = spawning.Event(), spawning.Event(), spawning.Lock()
    worker = spawning.Process(target=_work, args=(is_over, has_begun, is_working))
    worker.start()
    while not has_begun.wait(1):
        if not worker.is_alive():
            raise SystemExit("the worker beside the pages did not begin")
    try:
        yield is_working
    finally:
        is_over.set()
        worker.join()


def _work(is_over: Event, has_begun: Event, is_working: AbstractContextManager[object]) -> None:
    while True:
        with is_working:
            with session_scope() as session:
                record_gaps(session)
            prepare_pages()
        has_begun.set()
        if is_over.wait(15):
            return


def _timed(session: Session, statement: str) -> float:
    started = time.perf_counter()
    session.execute(text(statement)).all()
    return 1000 * (time.perf_counter() - started)


def pages_of(client: httpx.Client) -> list[Page]:
    """The requests of the interface: lists from their first page and from their middle, narrowed, one host, one rule, one group."""
    group = max(each["id"] for each in client.get("/api/v1/groups").raise_for_status().json())
    facets = {each["name"]: each["values"] for each in client.get("/api/v1/hosts/facets").raise_for_status().json()["facets"]}
    cluster = next(each["value"] for each in facets["cluster"] if each["value"])
    middle, host = _middle(client)
    return [
        Page("overview", "/overview"),
        Page("overview of a site", f"/overview?group={group}"),
        Page("hosts, worst first", "/hosts"),
        Page("hosts, a page from the middle", f"/hosts?after={middle}"),
        Page("hosts by name", "/hosts?sort=name"),
        Page("hosts, searched", "/hosts?q=win-012"),
        Page("hosts that fail a rule", f"/hosts?rule={RULE}"),
        Page("hosts, the facets", "/hosts/facets"),
        Page("rules", "/rules"),
        Page("rules that fail somewhere", "/rules?outcome=fail"),
        Page("a rule", f"/rules/{RULE}"),
        Page("a rule, its failing hosts", f"/rules/{RULE}/hosts?outcome=fail"),
        Page("matrix of the fleet", "/matrix"),
        Page("matrix of a site", f"/matrix?group={group}"),
        Page("matrix of a cluster", f"/matrix?cluster={cluster}"),
        Page("drift", "/drift"),
        Page("drift of a site", f"/drift?group={group}"),
        Page("waivers", "/waivers"),
        Page("waivers, what concerns me", "/waivers/notices"),
        Page("attestations", "/attestations"),
        Page("conflicts", "/conflicts"),
        Page("a host", f"/hosts/{host}"),
        Page("a host, its findings", f"/hosts/{host}/findings"),
        Page("a host, its score", f"/hosts/{host}/score"),
        Page("a host, its settings", f"/hosts/{host}/settings"),
        Page("a host, its changes", f"/hosts/{host}/changes"),
        Page("search", "/search?q=win-01"),
    ]


def _note_cpu(client: httpx.Client, page: Page, postgres: int, server: int) -> None:
    """Requests the page until a second has passed, since processor time is measured in hundredths of a second."""
    before, started, requests = (cpu_of(children_of(postgres)), cpu_of([server])), time.perf_counter(), 0
    while requests < MOST_FOR_CPU and (requests < 2 or time.perf_counter() - started < 1.0):
        request(client, page)
        requests += 1
    page.database_cpu = 1000 * (cpu_of(children_of(postgres)) - before[0]) / requests
    page.server_cpu = 1000 * (cpu_of([server]) - before[1]) / requests


def _middle(client: httpx.Client) -> tuple[str, str]:
    """The cursor half way through the fleet, and a host of the page before it."""
    page = client.get("/api/v1/hosts?limit=500").raise_for_status().json()
    for _ in range(page["total"] // 1000 - 1):
        page = client.get(f"/api/v1/hosts?limit=500&after={page['next']}").raise_for_status().json()
    return page["next"], page["items"][0]["id"]


def _in_database(pages: list[Page], cookie: str, times: int) -> None:
    seen: list[tuple[float, str]] = []
    began = [0.0]

    def before(*_: object) -> None:
        began[0] = time.perf_counter()

    def after(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        seen.append((1000 * (time.perf_counter() - began[0]), statement))

    engine = get_engine()
    event.listen(engine, "before_cursor_execute", before)
    event.listen(engine, "after_cursor_execute", after)
    try:
        with _served_here() as address, httpx.Client(base_url=address, timeout=120, headers={"cookie": cookie, **WRITE}) as client:
            for number in range(times + WARM):
                for page in pages:
                    seen.clear()
                    request(client, page)
                    if number >= WARM:
                        _note(page, seen)
    finally:
        event.remove(engine, "before_cursor_execute", before)
        event.remove(engine, "after_cursor_execute", after)


def request(client: httpx.Client, page: Page) -> httpx.Response:
    answer = client.get(f"/api/v1{page.path}")
    if answer.status_code != 200:
        raise SystemExit(f"{page.path}: {answer.status_code} {answer.text[:300]}")
    return answer


def _note(page: Page, seen: list[tuple[float, str]]) -> None:
    slowest = max(seen)
    if slowest[0] > max(page.slowest, default=0.0):
        page.culprit = " ".join(slowest[1].split())
    page.statements = len(seen)
    page.slowest.append(slowest[0])
    page.all_together.append(sum(each for each, _ in seen))


@contextlib.contextmanager
def _served_here() -> Iterator[str]:
    """The application in this process, where its statements can be timed; without the check-in endpoint, which no page uses."""
    server = uvicorn.Server(uvicorn.Config(create_app(), host="127.0.0.1", port=0, log_level="error", lifespan="off"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    _wait(lambda: server.started)
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(30)


@contextlib.contextmanager
def served(checkout: Path = CHECKOUT) -> Iterator[tuple[str, int]]:
    """A server process of a checkout: its address and its process id."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    # As the product is served, with its check-in endpoint, whose start sets how often the garbage collector scans long-lived objects.
    backend = str(checkout / "backend")
    command = [sys.executable, "-m", "plumbline.cli", "api", "--port", str(port)]
    process = subprocess.Popen(command, cwd=backend, env=os.environ | {"PYTHONPATH": backend})
    address = f"http://127.0.0.1:{port}"
    try:
        _wait(lambda: _is_up(address))
        yield address, process.pid
    finally:
        process.terminate()
        process.wait(30)


def _is_up(address: str) -> bool:
    try:
        return httpx.get(f"{address}/healthz", timeout=5).status_code < 600
    except httpx.HTTPError:
        return False


def _wait(is_there: Callable[[], bool]) -> None:
    for _ in range(1800):
        if is_there():
            return
        time.sleep(0.05)
    raise SystemExit("the server did not start within 90 s")
