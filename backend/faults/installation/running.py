"""A whole `plumbline up` on this machine, for faults that meet all of it: its parts, its files, its disk."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx
import psutil
from sqlmodel import text

from faults.checkin_process import ServedApi
from faults.esxi import make_esxi
from faults.fleet import make_people, make_windows
from faults.installation.steady_agents import Steady
from faults.invariants import broken_promises
from faults.journals import check_jobs
from faults.processes import BACKEND
from faults.rig import LONGEST_SECONDS, TIMINGS, FaultResult, Rig
from plumbline.hosts.enrolment_tokens import TokenTerms, make_token
from plumbline.infra.database import get_engine, session_scope
from plumbline.infra.settings import get_settings
from plumbline.models.jobs import DomainBudget
from plumbline.ops import embedded_servers
from plumbline.ops.supervisor import restarts
from plumbline.remediation.timings import job_timings

PARTS = ("postgres", "valkey", "api", "background", "executor", "isolated", "beat", "watch")
_START_SECONDS = 180.0
_END_SECONDS = 60.0


class Installation:
    """One `plumbline up` in a home of its own. `start` returns when it answers; `use` points this process at its database."""

    def __init__(self, home: Path, *, more: Mapping[str, str] | None = None) -> None:
        self.home = home
        self.more = dict(more or {})
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def cluster(self) -> embedded_servers.PostgresCluster:
        """Its database."""
        return embedded_servers.postgres_cluster(self.home)

    def start(self, *, seconds: float = _START_SECONDS) -> float:
        """Starts it and waits until all parts work; answers the seconds it took. Raises RuntimeError with what it printed."""
        began = time.monotonic()
        kept = {name: value for name, value in os.environ.items() if not name.startswith("PLUMBLINE_")}
        timings = {f"PLUMBLINE_JOB_{name}_SECONDS": value for name, value in TIMINGS.items()}
        out = self.home.parent / f"{self.home.name}.out"
        with out.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "faults.installation.up_process", str(self.home), str(self.port)],
                cwd=BACKEND, env=kept | timings | self.more, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
            )  # fmt: skip
        self.wait_until("ok", seconds, out)
        return time.monotonic() - began

    def wait_until(self, status: str, seconds: float, out: Path | None = None) -> float:
        """Waits until health answers this status; answers the seconds it took. Raises RuntimeError."""
        began = time.monotonic()
        said: Any = None
        while time.monotonic() - began < seconds:
            said = self.health()
            if said.get("status") == status:
                return time.monotonic() - began
            if self.process is not None and self.process.poll() is not None:
                break
            time.sleep(0.2)
        raise RuntimeError(f"health is {said} after {time.monotonic() - began:.0f} s: {out.read_text()[-1500:] if out else ''}{self.log()}")

    def health(self) -> dict[str, Any]:
        """What `/healthz` answers; empty while nothing does."""
        try:
            answer = httpx.get(f"{self.url}/healthz", timeout=5, trust_env=False)
            said: dict[str, Any] = answer.json()
        except (httpx.HTTPError, ValueError):
            return {}
        return said

    def log(self) -> str:
        """The end of the log."""
        log = self.home / "log" / "plumbline.log"
        return log.read_text(errors="replace")[-3000:] if log.exists() else ""

    def pid(self, part: str) -> int:
        """The process that is this part now; 0 where none is."""
        try:
            return int((self.home / "run" / f"{part}.pid").read_text().split()[0])
        except (OSError, ValueError, IndexError):
            return 0

    def processes(self) -> list[psutil.Process]:
        """The supervisor and everything below it."""
        if self.process is None:
            return []
        try:
            supervisor = psutil.Process(self.process.pid)
            return [supervisor, *supervisor.children(recursive=True)]
        except psutil.NoSuchProcess:
            return []

    def restarted(self) -> list[str]:
        """The parts that ended by themselves, as the supervisor noted them."""
        return [one.part for one in restarts(self.home / "run")]

    def cut_power(self) -> None:
        """SIGKILL for all of it at one moment: everything is stopped first, so that no part sees another one end."""
        found = self.processes()
        for how in (signal.SIGSTOP, signal.SIGKILL):
            for one in found:
                with contextlib.suppress(psutil.NoSuchProcess):
                    one.send_signal(how)
        psutil.wait_procs(found, timeout=30)
        if self.process is not None:
            self.process.wait(30)
            self.process = None

    def stop(self) -> int:
        """Asks it to end, as Ctrl-C does, and answers its exit code; what is left after a minute is killed (code -9)."""
        if self.process is None:
            return 0
        left = self.processes()
        self.process.send_signal(signal.SIGINT)
        try:
            return self.process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            return -9
        finally:
            for one in left:
                with contextlib.suppress(psutil.NoSuchProcess):
                    one.kill()
            self.process.wait(30)
            self.process = None

    @contextlib.contextmanager
    def used(self) -> Iterator[None]:
        """Points this process at its database as the API's role, and back."""
        before = dict(os.environ)
        os.environ |= {
            "PLUMBLINE_HOME": str(self.home),
            "PLUMBLINE_KEYS_FOLDER": str(self.home / "keys"),
            "PLUMBLINE_DATABASE_URL": self.cluster.url("plumbline_api"),
            "PLUMBLINE_PUBLIC_URL": self.url,
            **{f"PLUMBLINE_JOB_{name}_SECONDS": value for name, value in TIMINGS.items()},
        }
        _forget()
        try:
            yield
        finally:
            get_engine().dispose()
            os.environ.clear()
            os.environ.update(before)
            _forget()

    def token(self) -> str:
        """A token that enrols hosts without an approval."""
        with session_scope() as session:
            return make_token(session, TokenTerms(name="faults", group_id=1, is_auto_approved=True, uses=1000)).token

    @contextlib.contextmanager
    def rig(self, *, windows: int, esxi: int) -> Iterator[Rig]:
        """Hosts of both platforms on which jobs of this installation run, inside `used`."""
        with session_scope() as session:
            for domain in ("fabric:1/shared", "group:1"):
                session.merge(DomainBudget(domain=domain, slots=windows + esxi, changed_by="faults"))
        people, token = make_people(), self.token()
        folder = self.home.parent / f"{self.home.name}-lab"
        # The agents on the Windows hosts use it as long as the rig lives.
        with httpx.Client(base_url=self.url, timeout=60, trust_env=False) as client:
            fleet = make_windows(folder, client, token, windows)
            fleet += make_esxi(folder, client, token, ["esx-b10", "esx-b09"][:esxi]) if esxi else []
            try:
                yield Rig(self.home, self.cluster, embedded_servers.DATABASE, ServedApi(self.port), fleet, people)
            finally:
                for host in fleet:
                    host.stop()


def _forget() -> None:
    get_settings.cache_clear()
    get_engine.cache_clear()
    job_timings.cache_clear()


@contextlib.contextmanager
def installed(home: Path, *, more: Mapping[str, str] | None = None) -> Iterator[Installation]:
    """A running installation, ended at the end."""
    home.parent.mkdir(parents=True, exist_ok=True)
    one = Installation(home, more=more)
    try:
        one.start()
        with one.used():
            yield one
    finally:
        one.stop()


def judge(
    one: Installation, rig: Rig, seen: Steady, result: FaultResult, *, longest: float = LONGEST_SECONDS, fewest_jobs: int = 1
) -> None:
    """Waits until no job is open; then jobs, receipts, what agents were answered, and the promises of the doctor decide."""
    rig.settle(result, longest=longest)
    check_jobs(rig.fleet, result)
    result.wrong += [f"only {result.jobs} jobs ran"] * (result.jobs < fewest_jobs)
    url = one.cluster.url("plumbline_background")
    result.wrong += seen.lost(url)
    result.wrong += [f"an agent was answered {said}" for said in seen.odd[:5]]
    result.wrong += broken_promises(url)
    result.notes.append(seen.words())


def rows(query: str, **named: object) -> list[Any]:
    """Rows of a query in the database that this process uses."""
    with session_scope() as session:
        return list(session.execute(text(query), named).all())
