"""Collection as it runs: API, scheduler and workers as processes, a lab host's real SSH server, and people's requests over HTTP."""

import io
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import paramiko
import pytest
from sqlmodel import text

from lab.esxi.ssh import EsxiSsh
from plumbline import auth
from plumbline.infra.database import session_scope
from plumbline.ops import embedded_servers
from plumbline.packs import publish
from plumbline.vault import seal
from tests.conftest import free_port, own_database, pointed_at

PASSWORD = "collection needs longer words"


@dataclass
class Running:
    """The processes' API, as one signed-in person, and where their logs are."""

    client: httpx.Client
    folder: Path

    def ask(self, method: str, path: str, **body: Any) -> Any:
        answer = self.client.request(method, f"/api/v1{path}", json=None if method == "GET" else body)
        assert answer.status_code < 300, f"{path}: {answer.status_code} {answer.text}\n{self.tail()}"
        return answer.json() if answer.content else None

    def host(self, host_id: str) -> Any:
        return next(row for row in self.ask("GET", "/collection/hosts") if row["host_id"] == host_id)

    def tail(self) -> str:
        return "\n".join(f"== {log.name}\n{log.read_text(errors='replace')[-1500:]}" for log in sorted(self.folder.glob("*.log")))

    def until(self, what: Callable[[], object], seconds: float = 60) -> None:
        deadline = time.monotonic() + seconds
        while not what():
            assert time.monotonic() < deadline, self.tail()
            time.sleep(0.2)


@pytest.fixture
def running(cluster: embedded_servers.PostgresCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Running]:
    port = free_port()
    url, broker, keys = f"http://127.0.0.1:{port}", tmp_path / "valkey.sock", tmp_path / "keys"
    seal.make_keys(keys)
    monkeypatch.setenv("PLUMBLINE_KEYS_FOLDER", str(keys))
    common = {
        "PLUMBLINE_REDIS_URL": f"redis+socket://{broker}",
        "PLUMBLINE_HOME": str(tmp_path),
        "PLUMBLINE_KEYS_FOLDER": str(keys),
        "PLUMBLINE_PUBLIC_URL": url,
    }
    program = [sys.executable, "-m", "plumbline.cli"]
    started: list[subprocess.Popen[bytes]] = []
    with own_database(cluster) as name, pointed_at(cluster, name):

        def start(label: str, command: list[str], role: str = "") -> None:
            own = {"PLUMBLINE_DATABASE_URL": cluster.url(role, name)} if role else {}
            with (tmp_path / f"{label}.log").open("wb") as log:
                started.append(subprocess.Popen(command, env=os.environ | common | own, stdout=log, stderr=log))

        try:
            with session_scope() as session:
                publish.install_builtin(session)
                roles: Any = [("admin", 1), ("operator", 1)]
                auth.create_person(session, actor="test", login="ana", display_name="Ana", password=PASSWORD, roles=roles)
            start("valkey", embedded_servers.valkey_command(tmp_path, broker))
            start("api", [*program, "api", "--port", str(port)], "plumbline_api")
            start("executor", [*program, "worker", "executor"], "plumbline_executor")
            start("background", [*program, "worker", "background"], "plumbline_background")
            start("beat", [*program, "beat"], "plumbline_background")
            with httpx.Client(base_url=url, trust_env=False, timeout=30, headers={"X-Plumbline": "1"}) as client:
                shape = Running(client, tmp_path)
                shape.until(lambda: _answers(client), 150)
                shape.ask("POST", "/session", login="ana", password=PASSWORD)
                yield shape
        finally:
            for process in started:
                process.terminate()
            for process in started:
                try:
                    process.wait(timeout=20)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()


def _answers(client: httpx.Client) -> bool:
    try:
        return client.get("/healthz").status_code == 200
    except httpx.HTTPError:
        return False


@pytest.mark.timeout(280)
def test_a_host_is_added_confirmed_read_checked_now_and_read_on_schedule(
    running: Running, esxi: Callable[..., EsxiSsh], key: paramiko.PKey
) -> None:
    server = esxi("esx-b10")
    written = io.StringIO()
    key.write_private_key(written)
    credential = running.ask(
        "POST", "/collection/credentials", name="root", group_id=1, kind="ssh_key", account="root", private_key=written.getvalue()
    )
    wrong = running.ask("POST", "/collection/credentials", name="old", group_id=1, kind="ssh_password", account="root", password="old")
    added = running.ask(
        "POST",
        "/collection/hosts",
        name="esx-b10",
        platform="esxi",
        group_id=1,
        address="127.0.0.1",
        port=server.port,
        credential_id=credential["id"],
    )
    host_id = added["host_id"]

    # The worker asks for the key alone: nobody signed in, nothing ran.
    running.until(lambda: running.host(host_id)["shown_pin"])
    shown = running.host(host_id)["shown_pin"]
    assert (server.failed_log_ins, server.commands, running.host(host_id)["last_tried_at"]) == (0, [], None)
    running.ask("POST", f"/collection/hosts/{host_id}/confirm", fingerprint=shown)
    running.until(lambda: running.host(host_id)["last_ok_at"])
    assert len(server.commands) == 1
    detail = running.ask("GET", f"/hosts/{host_id}")
    assert (detail["state"], detail["source"], detail["os_release"]) == ("waiting", "collector", "8.0")

    # Approved, it is scored; asked for, it is read at once.
    assert running.ask("POST", f"/hosts/{host_id}/approve")["score"] is not None
    assert "Reading the host over SSH" in running.ask("POST", f"/hosts/{host_id}/check-now")["words"]
    running.until(lambda: len(server.commands) == 2 and not running.host(host_id)["is_running"])

    # When its time has come, the scheduler has it read without anybody asking.
    with session_scope() as session:
        session.execute(text("UPDATE collection_endpoint SET next_at = now()"))
    running.until(lambda: len(server.commands) == 3 and not running.host(host_id)["is_running"])
    with session_scope() as session:
        assert session.execute(text("SELECT last_seq FROM host WHERE id = :id"), {"id": host_id}).scalar_one() == 3

    # A right credential and a wrong one are tried once each; neither runs anything.
    for one, state in ((credential, "accepted"), (wrong, "rejected")):
        trial = running.ask("POST", f"/collection/credentials/{one['id']}/test", host_id=host_id)
        running.until(lambda trial=trial: running.ask("GET", f"/collection/tests/{trial['id']}")["finished_at"])  # type: ignore[misc]
        assert running.ask("GET", f"/collection/tests/{trial['id']}")["state"] == state
    assert (server.failed_log_ins, len(server.commands)) == (1, 3)

    # Another key, as after a new installation: nothing is sent, and the page says what is wrong.
    server.change_host_key()
    running.ask("POST", f"/hosts/{host_id}/check-now")
    running.until(lambda: running.host(host_id)["last_error"])
    assert "does not match the verified key" in running.host(host_id)["last_error"]
    assert (server.failed_log_ins, len(server.commands)) == (1, 3)
