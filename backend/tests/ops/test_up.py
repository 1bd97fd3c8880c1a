"""`plumbline up` as a user meets it: starts empty, says where it is, answers, stops without orphans, survives being killed."""

import os
import re
import signal
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from plumbline.ops import embedded_servers
from plumbline.ops.supervisor import ended_how, restarts, wait_before
from tests.conftest import free_port


class Up:
    """One `plumbline up` in a home of its own."""

    def __init__(self, home: Path, *arguments: str, lab: str = "--no-demo") -> None:
        self.home = home
        self.out = home.parent / "up.out"
        command = [sys.executable, "-m", "plumbline.cli", "up", "--home", str(home), *([lab] if lab else []), *arguments]
        with self.out.open("w") as out:
            self.process = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT, start_new_session=True)

    def wait(self, seconds: float = 240) -> str:
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            found = re.search(r"Plumbline is running: (\S+)", self.out.read_text())
            if found:
                return found[1]
            assert self.process.poll() is None, self.out.read_text() + self.log()
            time.sleep(0.1)
        raise AssertionError(self.out.read_text() + self.log())

    def log(self) -> str:
        log = self.home / "log" / "plumbline.log"
        return log.read_text()[-4000:] if log.exists() else ""

    def pid(self, part: str) -> int:
        """The process that is this part now."""
        return int((self.home / "run" / f"{part}.pid").read_text().split()[0])

    def left(self) -> list[str]:
        """Processes that name this home and still live."""
        found = []
        for entry in Path("/proc").glob("[0-9]*"):
            try:
                line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                environment = (entry / "environ").read_bytes().decode(errors="replace")
            except OSError:
                continue
            if (str(self.home) in line or f"PLUMBLINE_HOME={self.home}\0" in environment) and int(entry.name) != os.getpid():
                found.append(f"{entry.name} {line}")
        return found

    def wait_until_gone(self, seconds: float) -> list[str]:
        deadline = time.monotonic() + seconds
        while (left := self.left()) and time.monotonic() < deadline:
            time.sleep(0.1)
        return left


def answers(address: str) -> bool:
    """Whether the API answers, with its database."""
    try:
        return httpx.get(f"{address}/healthz", trust_env=False).status_code == 200
    except httpx.HTTPError:
        return False


@pytest.fixture
def homes(tmp_path: Path) -> Iterator[list[Up]]:
    started: list[Up] = []
    yield started
    for one in started:
        if one.process.poll() is None:
            one.process.send_signal(signal.SIGINT)
            one.process.wait(timeout=120)


@pytest.mark.timeout(900)
def test_starts_empty_answers_refuses_a_second_and_stops_without_orphans(tmp_path: Path, homes: list[Up]) -> None:
    port = str(free_port())
    first = Up(tmp_path / "var", "--port", port)
    homes.append(first)
    address = first.wait()
    assert "To create the first admin" in first.out.read_text()
    deadline = time.monotonic() + 60
    while (health := httpx.get(f"{address}/healthz", trust_env=False).json())["status"] != "ok":
        # The broker and the workers may need a moment more than the API.
        assert time.monotonic() < deadline, health
        time.sleep(0.1)
    second = subprocess.run(
        [sys.executable, "-m", "plumbline.cli", "up", "--home", str(tmp_path / "var")],
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert second.returncode == 0
    assert address in second.stdout

    examined = subprocess.run(
        [sys.executable, "-m", "plumbline.cli", "doctor", "--home", str(tmp_path / "var")],
        env={name: value for name, value in os.environ.items() if not name.startswith("PLUMBLINE_")},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert examined.returncode == 0, examined.stdout + examined.stderr
    assert "ok    the broker answers" in examined.stdout

    # A worker that is killed comes back by itself, and the rest never stops; so does the database.
    for part in ("executor", "postgres"):
        lost = first.pid(part)
        os.kill(lost, signal.SIGKILL)
        deadline = time.monotonic() + 60
        while (now := first.pid(part)) == lost or not Path(f"/proc/{now}").exists():
            assert time.monotonic() < deadline, first.log()
            time.sleep(0.05)
    deadline = time.monotonic() + 60
    while not answers(address):
        assert time.monotonic() < deadline, first.log()
        time.sleep(0.1)
    assert first.process.poll() is None
    shown = [(one.part, one.how) for one in restarts(first.home / "run")]
    assert shown[0] == ("executor", "was ended by SIGKILL")
    assert ("postgres", "was ended by SIGKILL") in shown
    first.process.send_signal(signal.SIGINT)
    assert first.process.wait(timeout=120) == 0
    assert first.wait_until_gone(30) == []
    sockets = embedded_servers.postgres_cluster(tmp_path / "var").socket
    assert not sockets.exists()

    again = Up(tmp_path / "var", "--port", port)
    homes.append(again)
    assert again.wait() == address
    again.process.kill()
    again.process.wait()
    # PostgreSQL writes what it holds to disk before it goes.
    assert again.wait_until_gone(60) == []


@pytest.mark.timeout(300)
def test_any_address_but_loopback_is_served_over_tls(tmp_path: Path, homes: list[Up]) -> None:
    up = Up(tmp_path / "var", "--bind", "127.0.0.2")
    homes.append(up)
    address = up.wait()
    assert address.startswith("https://127.0.0.2:")
    trust = ssl.create_default_context(cafile=str(tmp_path / "var" / "keys" / "ca.pem"))
    answer = httpx.get(f"{address}/healthz", verify=trust, trust_env=False)
    assert answer.status_code == 200
    assert "max-age" in answer.headers["strict-transport-security"]
    assert re.search(r"SHA-256\): [0-9a-f]{64}", up.out.read_text())


def test_a_taken_port_is_named(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = subprocess.run(
            [sys.executable, "-m", "plumbline.cli", "up", "--home", str(tmp_path / "var"), "--port", str(port)],
            capture_output=True,
            text=True,
            timeout=240,
            check=False,
        )
    assert done.returncode == 2
    assert f"port {port} on 127.0.0.1 is taken" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_wait_before_a_new_start_grows_to_its_end() -> None:
    assert [wait_before(failures) for failures in (1, 2, 3, 6, 40, 100_000)] == [1, 2, 4, 30, 30, 30]
    assert [ended_how(code) for code in (0, 1, -9, -250)] == [
        "ended with code 0",
        "ended with code 1",
        "was ended by SIGKILL",
        "was ended by signal 250",
    ]
