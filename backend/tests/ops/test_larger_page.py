"""The configuration that the page on larger installations prints: each file is there, can be read, and fits the others. Where network
namespaces can be made, `python -m faults machines` runs all of it."""

import contextlib
import shutil
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import pytest
import yaml
from sqlalchemy import make_url

from faults.machines import command, tools
from faults.machines.documented import Documented
from faults.machines.traffic import Seen
from plumbline.infra.database import direct_url, link_options
from plumbline.infra.settings import Settings
from tests.conftest import free_port

FILES = {
    "/etc/default/etcd",
    "/etc/patroni.yml",
    "as postgres, on the primary",
    "plumbline migrate",
    "/etc/valkey/valkey.conf",
    "/etc/haproxy/haproxy.cfg",
    "/etc/keepalived/keepalived.conf",
    "/etc/plumbline/api.env",
}


@pytest.fixture(scope="module")
def page() -> Documented:
    return Documented()


def test_every_file_is_on_the_page_and_no_password_is_left(page: Documented) -> None:
    assert set(page.blocks) == FILES
    for name in FILES:
        words = page.text(name).replace("PLUMBLINE_", "").split("\n")
        assert not [line for line in words if "_PASSWORD" in line.partition("=")[2]], name
    with pytest.raises(ValueError, match="does not say"):
        page.text("/etc/patroni.yml", {"/no/such/path": ""})


def test_patroni_fails_over_in_time_and_commits_wait_for_the_standby(page: Documented) -> None:
    patroni = yaml.safe_load(page.text("/etc/patroni.yml"))
    dcs = patroni["bootstrap"]["dcs"]
    # Patroni's own rule, and the promise of the page: a new primary within half a minute.
    assert dcs["loop_wait"] + 2 * dcs["retry_timeout"] <= dcs["ttl"] == 20
    assert dcs["synchronous_mode"] is True
    assert len(patroni["etcd3"]["hosts"]) == 3
    members = page.environment("/etc/default/etcd")["ETCD_INITIAL_CLUSTER"].split(",")
    assert {one.partition("=")[0] for one in members} == {one.partition(":")[0] for one in patroni["etcd3"]["hosts"]}


def test_the_settings_name_both_databases_and_only_settings_that_exist(page: Documented) -> None:
    variables = page.environment("/etc/plumbline/api.env")
    url = variables["PLUMBLINE_DATABASE_URL"]
    assert make_url(url).query["host"] == "db-1,db-2"
    assert "target_session_attrs=read-write" in direct_url(url)
    assert link_options(url)["tcp_user_timeout"] == 10_000
    assert {name.removeprefix("PLUMBLINE_").lower() for name in variables} <= set(Settings.model_fields)
    assert page.password("BROKER_PASSWORD") in variables["PLUMBLINE_REDIS_URL"]
    assert page.password("API_PASSWORD") in url
    assert page.environment("plumbline migrate")["PLUMBLINE_API_PASSWORD"] == page.password("API_PASSWORD")


@pytest.fixture
def haproxy(page: Documented, tmp_path: Path) -> tuple[str, Callable[[dict[str, str]], Path]]:
    """The program, and what writes the page's file with other addresses."""
    program = tools.find("haproxy")
    if program is None or shutil.which("openssl") is None:
        pytest.skip("haproxy or openssl is not installed here: the file was not checked")
    pem = tmp_path / "plumbline.pem"
    made = ["-keyout", tmp_path / "key", "-out", tmp_path / "crt"]
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=x", *made], check=True, capture_output=True)
    pem.write_text((tmp_path / "crt").read_text() + (tmp_path / "key").read_text())

    def write(addresses: dict[str, str]) -> Path:
        text = page.text("/etc/haproxy/haproxy.cfg", {"/etc/haproxy/plumbline.pem": str(pem)})
        for name, address in addresses.items():
            assert name in text
            text = text.replace(name, address)
        (tmp_path / "haproxy.cfg").write_text(text)
        return tmp_path / "haproxy.cfg"

    return program, write


# Names of machines are not known here.
BROKERS = {"valkey-1:": "127.0.0.1:", "valkey-2:": "127.0.0.1:"}


def test_haproxy_takes_the_file(haproxy: tuple[str, Callable[[dict[str, str]], Path]]) -> None:
    program, write = haproxy
    file = write({**BROKERS, " api-1:": " 127.0.0.1:", " api-2:": " 127.0.0.1:"})
    done = subprocess.run([program, "-c", "-f", file], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_browser_stays_with_its_node_and_agents_come_to_both(haproxy: tuple[str, Callable[[dict[str, str]], Path]]) -> None:
    """A bundle is uploaded in parts to one API node."""
    program, write = haproxy
    with contextlib.ExitStack() as ends:
        nodes = [ends.enter_context(_node(name)) for name in ("api-1", "api-2")]
        port, other = free_port(), free_port()
        ours = {f" api-{number}:8080": f" 127.0.0.1:{node}" for number, node in enumerate(nodes, start=1)}
        file = write({**BROKERS, **ours, "bind :443": f"bind 127.0.0.1:{port}", "bind :6379": f"bind 127.0.0.1:{other}"})
        running = subprocess.Popen([program, "-db", "-f", file], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        ends.callback(running.wait, 10)
        ends.callback(running.terminate)
        url = f"https://127.0.0.1:{port}"
        agent = ends.enter_context(httpx.Client(verify=False, trust_env=False))
        deadline = time.monotonic() + 30
        while len(_answered(lambda: httpx.Client(verify=False, trust_env=False), url, 4)) < 2:
            assert time.monotonic() < deadline, "both nodes were never there"
            time.sleep(0.2)
        assert len(_answered(lambda: agent, url, 12)) == 1
        # Without a cookie, as agents come, both are used.
        agent.cookies.clear()
        assert agent.get(url).headers["set-cookie"].startswith("plumbline-node=")


def _answered(client: Callable[[], httpx.Client], url: str, times: int) -> set[str]:
    """The nodes that answered so many requests."""
    found = set()
    for _ in range(times):
        with contextlib.suppress(httpx.HTTPError):
            answer = client().get(url)
            if answer.status_code == 200:
                found.add(answer.text)
    return found


@contextlib.contextmanager
def _node(name: str) -> Iterator[int]:
    """A server that says its name."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Length", str(len(name)))
            self.end_headers()
            self.wfile.write(name.encode())

        def log_message(self, *_: object) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield server.server_port
        finally:
            server.shutdown()


def test_a_run_that_cannot_be_says_why(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(tools.os, "getuid", lambda: 1000)
    monkeypatch.setenv("PATRONI", "/no/such/patroni")
    monkeypatch.setattr(tools, "find", lambda name: None if name in ("patroni", "etcd") else f"/usr/bin/{name}")
    ended = command.run_command([], wanted=["M1"], is_short=True, seed=1, targets=[], note=lambda _: None)
    assert ended == command.SKIPPED != 0
    said = capsys.readouterr().err
    assert said.startswith("SKIPPED")
    for reason in ("needs root", "etcd is not installed (Debian: etcd-server)", "patroni is not installed"):
        assert reason in said


@pytest.mark.parametrize(
    ("answers", "seconds"),
    [
        # A request a second, each answered after half a second; the fault at 10.
        ("", 0.0),
        ("+++++", 0.0),
        ("+--+-+++++", 5.5),
        ("---", float("inf")),
        ("--++", float("inf")),
        ("-+++-+", 1.5),
    ],
)
def test_pages_are_back_with_the_first_of_three_good_ones(answers: str, seconds: float) -> None:
    seen = Seen([(8.0, 8.5, False), *((10.0 + number, 10.5 + number, sign == "+") for number, sign in enumerate(answers))])
    assert seen.back_after(10.0) == seconds
    assert seen.failures_after(10.0) == answers.count("-")
