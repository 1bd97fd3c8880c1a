"""`plumbline api`: whose word about the address of a client is taken, by a real server with the options of the command."""

import threading
import time
from typing import Any

import httpx
import pytest
import uvicorn
from typer.testing import CliRunner

from plumbline.cli.server import app
from plumbline.infra import database, pid_files
from plumbline.infra.settings import get_settings
from plumbline.ops import migrate

OPTIONS = ("proxy_headers", "forwarded_allow_ips", "http", "server_header", "access_log")


async def who(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Answers with the address of the client as the application sees it."""
    if scope["type"] == "http":
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": scope["client"][0].encode()})


def options_of_the_command(monkeypatch: pytest.MonkeyPatch, trusted: str) -> dict[str, Any]:
    """What the command gives to uvicorn with these trusted proxies."""
    given: dict[str, Any] = {}
    monkeypatch.setattr(uvicorn, "run", lambda *_, **options: given.update(options))
    monkeypatch.setattr(database, "wait_for_database", lambda: None)
    monkeypatch.setattr(migrate, "require_present_revision", lambda: None)
    monkeypatch.setattr(pid_files, "note_pid", lambda: None)
    monkeypatch.setenv("PLUMBLINE_TRUSTED_PROXIES", trusted)
    get_settings.cache_clear()
    try:
        done = CliRunner().invoke(app, ["api"])
    finally:
        monkeypatch.delenv("PLUMBLINE_TRUSTED_PROXIES")
        get_settings.cache_clear()
    assert done.exit_code == 0, done.output
    return {name: given[name] for name in OPTIONS}


@pytest.mark.parametrize(
    ("trusted", "seen"),
    [("", "127.0.0.1"), ("192.0.2.1", "127.0.0.1"), ("127.0.0.1", "198.51.100.7"), ("127.0.0.0/8, 192.0.2.1", "198.51.100.7")],
)
def test_only_a_trusted_proxy_names_the_address_of_a_client(monkeypatch: pytest.MonkeyPatch, trusted: str, seen: str) -> None:
    server = uvicorn.Server(
        uvicorn.Config(who, host="127.0.0.1", port=0, lifespan="off", log_level="error", **options_of_the_command(monkeypatch, trusted))
    )
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.01)
    try:
        address = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}/"
        headers = {"x-real-ip": "203.0.113.9", "forwarded": "for=203.0.113.9"}
        assert httpx.get(address, headers={**headers, "x-forwarded-for": "198.51.100.7"}).text == seen
        # What a client writes in front of what its proxy adds does not count.
        assert httpx.get(address, headers={**headers, "x-forwarded-for": "203.0.113.9, 198.51.100.7"}).text == seen
    finally:
        server.should_exit = True
        thread.join(20)
