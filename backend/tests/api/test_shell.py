"""What every answer wears, how errors read, and what is refused before a route sees it."""

import contextlib
import json
import os
import re
import socket
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import psycopg
import pytest
from sqlalchemy import text as sql

from plumbline.infra.database import direct_url, session_scope
from plumbline.infra.pid_files import start_time
from plumbline.infra.settings import get_settings
from plumbline.ops.embedded_servers import OWNER, PostgresCluster
from plumbline.web.http_limits import _answer as refused_before_any_route
from plumbline.web.middleware import HEADERS, LARGEST_BODY, Outermost, WebInterface
from tests.api.conftest import Ask
from tests.api.world import WRITE, World

ROOT = Path(__file__).resolve().parents[3]

PLACES = [
    ("GET", "/api/v1/session", 200),
    ("GET", "/api/v1/nowhere", 404),
    ("DELETE", "/api/v1/overview", 405),
    ("GET", "/api/v1/hosts?limit=0", 422),
    ("GET", "/api/v1/hosts?after=nonsense", 422),
    ("GET", "/api/openapi.json", 200),
    ("GET", "/healthz", 200),
    ("GET", "/agent/v1/nowhere", 404),
    ("POST", "/agent/v1/check-in", 400),
    ("GET", "/metrics", 200),
]


@pytest.mark.parametrize(("method", "path", "status"), PLACES)
def test_every_answer_bears_the_headers_and_a_request_id(ask: Ask, method: str, path: str, status: int) -> None:
    answer = ask("viewer", method, path)
    assert answer.status_code == status or path.startswith("/agent/v1/check-in")
    for name, value in HEADERS.items():
        assert answer.headers.get_list(name) == [value], (path, name)
    assert answer.headers["x-request-id"]
    assert "no-store" in answer.headers["cache-control"]
    assert "server" not in answer.headers


@pytest.mark.parametrize(("method", "path", "status"), [place for place in PLACES if place[2] >= 400 and "/api/" in place[1]])
def test_errors_are_problem_details(ask: Ask, method: str, path: str, status: int) -> None:
    answer = ask("viewer", method, path)
    assert answer.headers["content-type"] == "application/problem+json"
    body = answer.json()
    assert body["status"] == status
    assert body["request_id"] == answer.headers["x-request-id"]
    assert body["title"]
    assert body["detail"]
    assert body["code"]


def test_a_request_without_a_session_is_refused(ask: Ask) -> None:
    answer = ask("", "GET", "/hosts")
    assert answer.status_code == 401
    assert answer.json()["code"] == "not_signed_in"


def test_a_request_id_that_is_offered_is_kept_if_it_is_harmless(ask: Ask) -> None:
    assert ask("viewer", "GET", "/session", headers={"x-request-id": "abc-12345678"}).headers["x-request-id"] == "abc-12345678"
    assert ask("viewer", "GET", "/session", headers={"x-request-id": 'x" onload='}).headers["x-request-id"] != 'x" onload='


@pytest.mark.parametrize(
    "headers",
    [
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"x-plumbline": "0"},
        {"sec-fetch-site": "", "origin": "http://evil.example"},
    ],
)
def test_a_write_from_another_site_is_refused(ask: Ask, world: World, headers: dict[str, str]) -> None:
    sent = {name: value for name, value in {**WRITE, **headers}.items() if value}
    answer = ask(
        "viewer", "POST", "/views", json={"name": "x", "url": "/hosts"}, headers=sent | {name: "" for name in headers if not headers[name]}
    )
    assert answer.status_code == 403
    assert answer.json()["code"] == "cross_site"


def test_a_write_without_the_custom_header_is_refused(address: str, world: World) -> None:
    cookies = "; ".join(f"{name}={value}" for name, value in world.cookies["viewer"].items())
    body = {"name": "x", "url": "/hosts"}
    for more, expected in (
        ({}, 403),
        ({"x-plumbline": "1"}, 201),
        ({"x-plumbline": "1", "origin": address}, 201),
        ({"x-plumbline": "1", "origin": "null"}, 403),
    ):
        answer = httpx.post(f"{address}/api/v1/views", json=body, headers={"cookie": cookies, **more})
        assert answer.status_code == expected, more


HOSTILE = [
    b"",
    b"{",
    b"[" * 100_000,
    b'{"name":' * 900 + b"1" + b"}" * 900,
    b'{"name": NaN, "url": "/hosts"}',
    b'{"name": 1e999, "url": "/hosts"}',
    b'{"name": "\\ud800", "url": "/hosts"}',
    b'{"name": "a\\u0000b", "url": "/hosts"}',
    b'{"name": "a", "url": "//evil.example/x"}',
    b'{"name": "a", "url": "javascript:alert(1)"}',
    b'{"name": "a", "url": "/hosts", "person_id": 1}',
    b"\xff\xfe{\x00}\x00",
    json.dumps({"name": "x" * 5000, "url": "/hosts"}).encode(),
]


@pytest.mark.parametrize("body", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_bodies_are_answered_with_a_4xx(ask: Ask, body: bytes) -> None:
    answer = ask("viewer", "POST", "/views", content=body, headers={"content-type": "application/json"})
    assert 400 <= answer.status_code < 500, answer.text[:300]
    assert answer.json()["code"]


@pytest.mark.parametrize(
    "path", ["/hosts?q=%00", "/hosts?group=99999999999999999999", "/search?q=%ED%A0%80", "/rules/x/y%00z", "/hosts/zz"]
)
def test_hostile_addresses_are_answered_with_a_4xx(ask: Ask, path: str) -> None:
    assert ask("viewer", "GET", path).status_code in (200, 404, 422)


def test_a_body_past_the_limit_is_refused_unread(ask: Ask) -> None:
    answer = ask("viewer", "POST", "/views", content=b"x" * (LARGEST_BODY + 1), headers={"content-type": "application/json"})
    assert answer.status_code == 413
    assert answer.json()["code"] == "too_large"


def test_an_endless_chunked_body_is_refused(address: str, world: World) -> None:
    """No length is declared and it never ends: refused at the limit, not buffered."""
    place = urlsplit(address)
    cookie = "; ".join(f"{name}={value}" for name, value in world.cookies["viewer"].items())
    with socket.create_connection((place.hostname, place.port or 80), timeout=20) as wire:
        wire.sendall(
            f"POST /api/v1/views HTTP/1.1\r\nHost: {place.netloc}\r\nCookie: {cookie}\r\nX-Plumbline: 1\r\n"
            "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
        )
        piece = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
        sent, answer = 0, b""
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            for _ in range(1024):
                wire.sendall(piece)
                sent += len(piece)
        with contextlib.suppress(ConnectionResetError):
            answer = wire.recv(4096)
        # Either the answer came through, or the connection was reset under the flood; never was all of it taken.
        assert answer.startswith(b"HTTP/1.1 413") or (answer == b"" and sent < 1024 * len(piece))


@pytest.mark.parametrize("path", ["/", "/hosts", "/api/v1/hosts", "/api/v1/session", "/agent/v1/check-in", "/healthz", "/metrics"])
@pytest.mark.parametrize("method", ["TRACE", "CONNECT", "OPTIONS", "PUT"])
def test_other_methods_are_refused_and_show_nothing_of_the_request(address: str, world: World, path: str, method: str) -> None:
    place = urlsplit(address)
    with socket.create_connection((place.hostname, place.port or 80), timeout=20) as wire:
        target = f"{place.netloc}" if method == "CONNECT" else path
        wire.sendall(f"{method} {target} HTTP/1.1\r\nHost: {place.netloc}\r\nX-Secret: hunter2\r\nConnection: close\r\n\r\n".encode())
        answer = b"".join(iter(lambda: wire.recv(65536), b""))
    assert answer.startswith(b"HTTP/1.1 4"), answer[:200]
    assert b"hunter2" not in answer
    assert b"access-control-" not in answer.lower()


def test_with_tls_every_answer_binds_the_browser_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    async def fine(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    assert b"strict-transport-security" not in dict(_call(Outermost(fine), "/")[0][0]["headers"])
    monkeypatch.setenv("PLUMBLINE_IS_TLS", "true")
    get_settings.cache_clear()
    try:
        headers = dict(_call(Outermost(fine), "/")[0][0]["headers"])
        refused = refused_before_any_route(431)
    finally:
        monkeypatch.delenv("PLUMBLINE_IS_TLS")
        get_settings.cache_clear()
    assert headers[b"strict-transport-security"] == b"max-age=31536000; includeSubDomains"
    assert b"\r\nstrict-transport-security: max-age=31536000; includeSubDomains\r\n" in refused


def _call(app: Any, path: str) -> tuple[list[dict[str, Any]], Any]:
    import asyncio

    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    headers = [(b"host", b"127.0.0.1")]
    scope = {"type": "http", "method": "GET", "path": path, "headers": headers, "query_string": b"", "http_version": "1.1"}
    asyncio.run(app(scope, receive, send))
    return sent, None


def test_an_internal_error_shows_no_details() -> None:
    async def broken(scope: Any, receive: Any, send: Any) -> None:
        raise RuntimeError("the password is hunter2")

    sent, _ = _call(Outermost(broken), "/api/v1/x")
    assert sent[0]["status"] == 500
    body = json.loads(sent[1]["body"])
    assert body["code"] == "internal"
    assert "hunter2" not in json.dumps(body)
    assert "Traceback" not in json.dumps(body)
    assert dict(sent[0]["headers"])[b"content-security-policy"]


def test_the_interface_answers_files_and_its_own_addresses(tmp_path: Any) -> None:
    (tmp_path / "web" / "assets").mkdir(parents=True)
    (tmp_path / "web" / "index.html").write_text("<title>start</title>")
    (tmp_path / "web" / "assets" / "x-1a2b.js").write_text("1")
    (tmp_path / "secret.txt").write_text("secret")
    web = WebInterface(tmp_path / "web")
    assert web.answer("/").headers["cache-control"] == "no-cache"
    assert web.answer("/hosts/abc").status_code == 200
    assert "immutable" in web.answer("/assets/x-1a2b.js").headers["cache-control"]
    assert web.answer("/assets/gone.js").status_code == 404
    assert web.answer("/../secret.txt").status_code == 404
    assert Path(web.answer("/%2e%2e/secret.txt").path).name == "index.html"  # type: ignore[attr-defined]
    assert Path(web.answer("/rules/dell-esxi55/esxi55.delayed_ack").path).name == "index.html"  # type: ignore[attr-defined]
    assert web.answer("/robots.txt").status_code == 404
    assert web.answer("/..\\secret.txt").status_code == 404
    assert WebInterface(tmp_path / "nothing").answer("/").status_code == 503


def test_openapi_names_every_operation_once_and_its_problems(ask: Ask) -> None:
    document = ask("", "GET", "/api/openapi.json").json()
    names = [operation["operationId"] for item in document["paths"].values() for operation in item.values()]
    assert len(names) == len(set(names))
    assert all(name.isidentifier() for name in names)
    for item in document["paths"].values():
        for operation in item.values():
            for status in ("401", "404", "422"):
                given = operation["responses"][status]
                given = document["components"]["responses"][given["$ref"].rpartition("/")[2]] if "$ref" in given else given
                assert "application/problem+json" in given["content"]


def test_health_includes_the_database(ask: Ask) -> None:
    said = ask("", "GET", "/healthz").json()
    # No broker belongs to this test.
    assert (said["status"], said["database"], said["redis"], said["workers"], said["down"]) == ("degraded", "ok", "away", "ok", [])
    assert said["version"]


def test_health_names_a_part_that_is_down(ask: Ask) -> None:
    run = get_settings().home / "run"
    run.mkdir(exist_ok=True)
    # No process has this id: it is above the highest that Linux gives.
    (run / "executor.pid").write_text("4194305 1\n")
    (run / "beat.pid").write_text(f"{os.getpid()} {start_time(os.getpid())}\n")
    try:
        said = ask("", "GET", "/healthz")
    finally:
        for name in ("executor", "beat"):
            (run / f"{name}.pid").unlink()
    assert said.status_code == 200
    assert (said.json()["status"], said.json()["workers"], said.json()["down"]) == ("degraded", "away", ["executor"])


def test_a_database_that_takes_no_writes_is_away_and_no_mistake_of_ours(ask: Ask, cluster: PostgresCluster) -> None:
    """As a standby that a connection leads to during a failover: the proxy goes to another node, and a page says to try again."""
    with session_scope() as session:
        name = session.execute(sql("SELECT current_database()")).scalar_one()
    end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s"
    with psycopg.connect(direct_url(cluster.url(OWNER, "postgres")), autocommit=True) as owner:
        owner.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
        try:
            owner.execute(end, (name,))
            health = ask("", "GET", "/healthz")
            refused = ask("admin", "POST", "/groups", json={"parent_id": 1, "name": "of a standby"})
        finally:
            owner.execute(f"ALTER DATABASE {name} RESET default_transaction_read_only")
            owner.execute(end, (name,))
    assert (health.status_code, health.json()["status"], health.json()["database"]) == (503, "away", "away")
    assert (refused.status_code, refused.json()["code"], refused.headers["retry-after"]) == (503, "unavailable", "5")
    assert ask("", "GET", "/healthz").status_code == 200


def test_metrics_are_prometheus_text(ask: Ask) -> None:
    text = ask("viewer", "GET", "/metrics").text
    assert re.search(r'^plumbline_hosts{group="PROD-B",group_id="\d+",state="active"} 2.0$', text, re.MULTILINE)
    assert ask("prod-viewer", "GET", "/metrics").status_code == 403


def test_actions_that_search_finds_lead_to_pages_that_are_there(ask: Ask) -> None:
    router = (ROOT / "frontend" / "src" / "app" / "router.tsx").read_text()
    tabs = (ROOT / "frontend" / "src" / "features" / "admin" / "search.ts").read_text()
    found = {}
    for words in ("enrol", "report", "people", "audit", "groups"):
        found |= {hit["label"]: hit["url"] for hit in ask("admin", "GET", f"/search?q={words}").json() if hit["kind"] == "action"}
    assert {"Users and roles", "Audit log", "Groups"} <= found.keys()
    for label, url in found.items():
        page, _, tab = url.partition("?tab=")
        assert f'path: "{page}"' in router, label
        assert not tab or f'"{tab}"' in tabs, label


def test_no_identity_provider_is_no_error(ask: Ask) -> None:
    """The admin page asks each time; a refusal would stand in the browser's console on every visit."""
    answer = ask("admin", "GET", "/sign-in/provider")
    assert (answer.status_code, answer.json()) == (200, None)


@pytest.mark.parametrize(
    ("accepted", "coding"),
    [
        ("gzip, deflate, br", "br"),
        ("gzip, deflate", "gzip"),
        ("GZIP;q=0.5", "gzip"),
        ("br;q=0, gzip", "gzip"),
        ("br; q=0.000, gzip; q=0", ""),
        ("identity", ""),
        ("brotli, gzipped", ""),
        ("", ""),
    ],
)
def test_files_go_out_compressed_to_clients_that_take_it(tmp_path: Path, accepted: str, coding: str) -> None:
    folder = tmp_path / "web"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html>")
    script = folder / "assets" / "index-1.js"
    script.write_text("export {};")
    for ending in ("br", "gz"):
        script.with_name(f"index-1.js.{ending}").write_bytes(ending.encode())
    answer = WebInterface(folder).answer("/assets/index-1.js", accepted=accepted)
    assert answer.headers.get("content-encoding", "") == coding
    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.headers["vary"] == "accept-encoding"
    # A file without a smaller form beside it goes out as it is.
    assert "content-encoding" not in WebInterface(folder).answer("/", accepted=accepted).headers
