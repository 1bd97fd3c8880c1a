"""The larger shape as processes: two APIs, two workers of each kind, a scheduler and one that stands by, one database, one broker.

What begins on one API ends on the other; what one worker leaves another takes up.
"""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import psycopg
import pytest
import redis
from sqlmodel import select

from plumbline import auth, vault
from plumbline.hosts import enrolment_tokens
from plumbline.infra.database import session_scope
from plumbline.infra.settings import get_settings
from plumbline.models.vault import VaultSecret
from plumbline.ops import embedded_servers
from plumbline.ops.demo import add_lab_to_path
from tests.conftest import own_database, pointed_at

PASSWORD = "larger shapes need longer words"
HEADERS = {"X-Plumbline": "1"}


@dataclass
class Shape:
    """The running processes and where they answer."""

    addresses: list[str] = field(default_factory=list)
    processes: dict[str, "subprocess.Popen[bytes]"] = field(default_factory=dict)
    logs: Path = Path()
    url: str = ""

    def tail(self) -> str:
        return "\n".join(f"== {log.name}\n{log.read_text(errors='replace')[-1500:]}" for log in sorted(self.logs.glob("*.log")))

    def keys(self, kind: str) -> Path:
        """The folder of keys of this kind of process."""
        return self.logs / "keys" / kind

    def end(self, name: str, number: int = signal.SIGTERM) -> None:
        self.processes[name].send_signal(number)
        self.processes[name].wait(timeout=30)


def until(what: Callable[[], object], seconds: float = 60) -> object:
    """The first true answer within the limit; the last answer otherwise."""
    deadline = time.monotonic() + seconds
    while not (found := what()) and time.monotonic() < deadline:
        time.sleep(0.1)
    return found


@pytest.fixture(scope="module")
def shape(cluster: embedded_servers.PostgresCluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shape]:
    with own_database(cluster) as name, pointed_at(cluster, name) as url:
        yield from _running(cluster, name, url, tmp_path_factory.mktemp("shape"))


def _running(cluster: embedded_servers.PostgresCluster, name: str, url: str, tmp_path: Path) -> Iterator[Shape]:
    shape = Shape(logs=tmp_path, url=url)
    socket = tmp_path / "valkey.sock"
    # Each kind of process has a folder of keys of its own.
    for kind in ("api", "background", "executor"):
        (shape.keys(kind)).mkdir(mode=0o700, parents=True)

    def start(label: str, command: list[str], role: str = "") -> None:
        kind = role.removeprefix("plumbline_")
        environment = os.environ | {"PLUMBLINE_REDIS_URL": f"redis+socket://{socket}", "PLUMBLINE_HOME": str(tmp_path / kind)}
        environment |= {"PLUMBLINE_KEYS_FOLDER": str(shape.keys(kind))} if kind else {}
        if role:
            environment["PLUMBLINE_DATABASE_URL"] = cluster.url(role, name)
        with (tmp_path / f"{label}.log").open("wb") as log:
            shape.processes[label] = subprocess.Popen(command, env=environment, stdout=log, stderr=log)

    program = [sys.executable, "-m", "plumbline.cli"]
    start("valkey", embedded_servers.valkey_command(tmp_path, socket))
    os.environ["PLUMBLINE_KEYS_FOLDER"] = str(shape.keys("api"))
    # As whoever sets it up: the packs come with it.
    shown = subprocess.run(
        [*program, "migrate"],
        env=os.environ | {"PLUMBLINE_DATABASE_URL": cluster.url(embedded_servers.OWNER, name)},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert "Published: chelsio-s2d-qos " in shown
    ports = _free_ports(2)
    for number, port in enumerate(ports, 1):
        start(f"api-{number}", [*program, "api", "--port", str(port)], "plumbline_api")
        shape.addresses.append(f"http://127.0.0.1:{port}")
        start(f"background-{number}", [*program, "worker", "background"], "plumbline_background")
        start(f"executor-{number}", [*program, "worker", "executor"], "plumbline_executor")
    start("beat-1", [*program, "beat"], "plumbline_background")
    start("beat-2", [*program, "beat"], "plumbline_background")
    try:
        with session_scope() as session:
            auth.create_person(
                session, actor="test", login="ana", display_name="Ana", password=PASSWORD, roles=[("viewer", 1), ("operator", 1)]
            )
            auth.create_person(session, actor="test", login="adi", display_name="Adi", password=PASSWORD, roles=[("admin", 1)])
        for address in shape.addresses:
            with httpx.Client(base_url=address, trust_env=False, timeout=2) as client:
                assert until(lambda client=client: _is_up(client), 150), shape.tail()  # type: ignore[misc]
        yield shape
    finally:
        del os.environ["PLUMBLINE_KEYS_FOLDER"]
        for process in shape.processes.values():
            if process.poll() is None:
                process.terminate()
        for process in shape.processes.values():
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()


def _free_ports(count: int) -> list[int]:
    import socket

    opened = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in opened]
    for one in opened:
        one.close()
    return ports


def _is_up(client: httpx.Client) -> bool:
    try:
        return client.get("/healthz").status_code == 200
    except httpx.HTTPError:
        return False


@pytest.mark.timeout(280)
def test_what_begins_on_one_ends_on_the_other(shape: Shape) -> None:
    add_lab_to_path()
    from lab import checkin, fleet
    from lab.host import LabHost

    tmp_path = shape.logs
    first, second = (httpx.Client(base_url=address, trust_env=False, headers=HEADERS, timeout=30) for address in shape.addresses)
    with first, second:
        # A session made by one API is good at the other.
        assert first.post("/api/v1/session", json={"login": "ana", "password": PASSWORD}).status_code == 200, shape.tail()
        second.cookies.update(first.cookies)
        assert second.get("/api/v1/session").json()["person"]["login"] == "ana"

        # A host enrols at one and checks in at both in turn; each sees what the other stored.
        with session_scope() as session:
            token = enrolment_tokens.make_token(
                session, enrolment_tokens.TokenTerms(name="t", group_id=1, is_auto_approved=True, is_lab=True), actor="test"
            ).token
        spec = next(spec for spec in fleet.load() if spec.platform == "windows" and "s2d" not in spec.name)
        host = LabHost(spec, tmp_path / "host")
        host_id = checkin.enrol(first, host, token)["host_id"]
        for client in (second, first, second):
            assert checkin.WindowsClient(host, client).check_in().status == 200, shape.tail()
        for client in (first, second):
            found = client.get(f"/api/v1/hosts/{host_id}").json()
            assert found["freshness"] == "fresh"
            assert found["score"] is not None
            assert found["n_pass"] > 0

        # A report asked for at one API is made by a worker and fetched from the other API.
        asked = first.post("/api/v1/reports", json={"template": "executive", "group_id": 1})
        assert asked.status_code == 201, asked.text + shape.tail()
        report = f"/api/v1/reports/{asked.json()['id']}"
        assert until(lambda: second.get(report).json()["state"] == "ready", 90), second.get(report).text + shape.tail()
        assert second.get(f"{report}/files/pdf").content.startswith(b"%PDF-")

        # With a worker and an API killed, the work goes on.
        for name in ("background-1", "api-1"):
            shape.end(name, signal.SIGKILL)
        asked = second.post("/api/v1/reports", json={"template": "executive", "group_id": 1})
        report = f"/api/v1/reports/{asked.json()['id']}"
        assert until(lambda: second.get(report).json()["state"] == "ready", 90), second.get(report).text + shape.tail()
        assert checkin.WindowsClient(host, second).check_in().status == 200


@pytest.mark.timeout(280)
def test_one_scheduler_works_and_the_other_takes_over(shape: Shape) -> None:
    direct = shape.url.replace("+psycopg", "")

    def holder() -> int:
        with psycopg.connect(direct) as connection:
            rows = connection.execute("SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted AND objid = 7302651").fetchall()
        return int(rows[0][0]) if len(rows) == 1 else 0

    def working() -> str:
        """The scheduler that holds the lock: it names its process in its connection."""
        with psycopg.connect(direct) as connection:
            started = connection.execute("SELECT application_name FROM pg_stat_activity WHERE pid = %s", (holder(),)).fetchone()
        assert started is not None
        return next(name for name in ("beat-1", "beat-2") if str(shape.processes[name].pid) == started[0].rsplit(" ", 1)[1])

    def chained() -> int:
        with psycopg.connect(direct) as connection:
            return int(connection.execute("SELECT count(*) FROM audit_entry WHERE number IS NOT NULL").fetchone()[0])  # type: ignore[index]

    before = until(holder)
    assert before, shape.tail()
    assert until(chained), shape.tail()
    shape.end(working(), signal.SIGKILL)
    assert until(lambda: holder() not in (0, before), 30), shape.tail()
    count = chained()
    with session_scope() as session:
        auth.create_person(session, actor="test", login="ben", display_name="Ben", password=PASSWORD)
    assert until(lambda: chained() > count, 30), shape.tail()


def test_broker_wiped_and_back(shape: Shape) -> None:
    with redis.Redis(unix_socket_path=str(shape.logs / "valkey.sock")) as client:
        client.flushall()
    direct = shape.url.replace("+psycopg", "")

    def chained() -> int:
        with psycopg.connect(direct) as connection:
            return int(connection.execute("SELECT count(*) FROM audit_entry WHERE number IS NULL").fetchone()[0])  # type: ignore[index]

    with session_scope() as session:
        auth.create_person(session, actor="test", login="eve", display_name="Eve", password=PASSWORD)
    assert until(lambda: chained() == 0, 30), shape.tail()


def test_who_only_seals_makes_and_holds_no_key_that_opens(shape: Shape, monkeypatch: pytest.MonkeyPatch) -> None:
    credential = {"name": "svc", "group_id": 1, "kind": "ssh_password", "account": "svc", "password": "a secret of the array"}
    channel = {"name": "bridge", "way": "webhook", "group_id": 1, "kinds": ["silent"], "address": "https://hooks.example/plumbline"}
    with httpx.Client(base_url=f"{shape.addresses[1]}/api/v1", trust_env=False, headers=HEADERS, timeout=30) as api:
        assert api.post("/session", json={"login": "adi", "password": PASSWORD}).status_code == 200
        for path, body, opener, name in (
            ("/collection/credentials", credential, "executor", "vault"),
            ("/notices/channels", channel, "background", "notices"),
        ):
            made = shape.keys(opener) / f"{name}-1.pub"
            assert until(made.exists), shape.tail()
            refused = api.post(path, json=body)
            assert refused.status_code == 503, refused.text
            assert f" {opener} worker once, then copy its {name}-<n>.pub" in refused.json()["detail"]
            shutil.copy(made, shape.keys("api"))
            assert api.post(path, json=body).status_code == 201, shape.tail()
    assert [path.name for path in shape.keys("api").glob("*.key") if path.name.startswith(("vault", "notices"))] == []
    monkeypatch.setenv("PLUMBLINE_KEYS_FOLDER", str(shape.keys("executor")))
    get_settings.cache_clear()
    with session_scope() as session:
        stored = session.exec(select(VaultSecret.id).where(VaultSecret.name == "svc")).one()
        assert vault.reveal(session, stored or 0, purpose="collection") == {"password": "a secret of the array"}
    monkeypatch.undo()
    get_settings.cache_clear()
