"""One installation under faults: a database, the API, lab hosts, people and, if wanted, workers, scheduler and broker.

Every part creates jobs on it, causes faults, waits until no job is open, and checks the hosts' own journals.
"""

import contextlib
import os
import random
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import httpx
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import text

from faults.checkin_process import ServedApi, served_api
from faults.esxi import make_esxi
from faults.fleet import FaultHost, Shape, make_job, make_people, make_windows
from faults.processes import Processes
from plumbline.hosts.enrolment_tokens import TokenTerms, make_token
from plumbline.infra.database import get_engine, session_scope
from plumbline.infra.settings import get_settings
from plumbline.models.jobs import DomainBudget
from plumbline.ops import embedded_servers
from plumbline.packs.publish import install_builtin
from plumbline.remediation.timings import job_timings
from plumbline.vault import seal

LEASE_SECONDS = 4.0
# The longest time from the last fault to the end of the last job.
LONGEST_SECONDS = 60.0
# All timings of jobs, shortened; `RETRY` is the wait of a job that could not begin.
TIMINGS = {
    "POLL": "0.2",
    "BACK_OFF": "1",
    "RETRY": "1",
    "VERIFY_AGAIN": "1",
    "RECONCILE": "0.5",
    "ENQUEUE_AGAIN": "1",
    "LEASE": str(LEASE_SECONDS),
    "SETTLE": "20",
}
OPEN = ("WAITING", "QUEUED", "RUNNING", "VERIFYING")


@dataclass
class FaultResult:
    """What a part did and observed. `wrong` names every broken promise, and a fault that never happened."""

    seed: int = 1
    faults: Counter[str] = field(default_factory=Counter)
    jobs: int = 0
    steps: int = 0
    states: Counter[str] = field(default_factory=Counter)
    stale_refused: int = 0
    settled_seconds: float = 0.0
    notes: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def done(self) -> str:
        """The faults that were caused, for the page."""
        return f"seed {self.seed}: " + ", ".join(f"{count} x {name}" for name, count in self.faults.items())

    def words(self) -> str:
        """The observations, for the page."""
        ended = ", ".join(f"{count} {state}" for state, count in sorted(self.states.items()))
        parts = [*self.notes]
        if self.jobs:
            parts += [f"{self.jobs} jobs ({ended}), {self.steps} effects in the journals", f"all ended {self.settled_seconds:.0f} s after"]
        if self.stale_refused:
            parts.append(f"{self.stale_refused} stale commands refused by hosts")
        return "; ".join(parts)


@dataclass
class Rig:
    """The installation that the parts work on."""

    home: Path
    cluster: embedded_servers.PostgresCluster
    database: str
    api: ServedApi
    fleet: list[FaultHost]
    people: tuple[int, int]
    processes: Processes | None = None

    @property
    def workers(self) -> Processes:
        """The processes. Raises where this rig has none."""
        if self.processes is None:
            raise RuntimeError("this rig was made without workers")
        return self.processes

    def new_job(self, host: FaultHost, shapes: Sequence[Shape] | None = None) -> int:
        """A signed plan and its job for one host."""
        with session_scope() as session:
            return make_job(session, host, self.people, shapes=shapes)

    def keep_busy(self, hosts: Sequence[FaultHost] | None = None) -> int:
        """Creates a job for every host without an open one; returns how many. While the database recovers, the next round does it."""
        made = 0
        with contextlib.suppress(SQLAlchemyError):
            with session_scope() as session:
                open_at = {row[0] for row in session.execute(text(f"SELECT host_id FROM job WHERE state IN {(*OPEN, 'NEEDS_HUMAN')}"))}
            for host in hosts or self.fleet:
                if host.id not in open_at:
                    self.new_job(host)
                    made += 1
        return made

    def last_job(self) -> int:
        """The newest job's number."""
        with session_scope() as session:
            return int(session.execute(text("SELECT coalesce(max(id), 0) FROM job")).scalar_one())

    def settle(self, result: FaultResult, *, longest: float = LONGEST_SECONDS) -> None:
        """Waits until no job is open; more than `longest` seconds after the last fault is wrong."""
        began = time.monotonic()
        left: list[tuple[int, str, str]] = [(0, "", "")]
        while left and time.monotonic() - began < longest * 3:
            with contextlib.suppress(SQLAlchemyError):
                left = self.open_jobs()
            if self.processes is not None:
                self.processes.keep_beat()
            time.sleep(0.2)
        result.settled_seconds = time.monotonic() - began
        result.wrong += [f"job {job_id} is still {state}: {words}" for job_id, state, words in left]
        if not left and result.settled_seconds > longest:
            result.wrong.append(f"the last job ended {result.settled_seconds:.0f} s after the last fault, and {longest:.0f} s are allowed")

    def open_jobs(self) -> list[tuple[int, str, str]]:
        """Jobs that have not ended and do not need a person."""
        with session_scope() as session:
            rows = session.execute(text(f"SELECT id, state, state_words FROM job WHERE state IN {OPEN} ORDER BY id"))
            return [(row[0], row[1], row[2]) for row in rows]


def set_up(home: Path, cluster: embedded_servers.PostgresCluster, database: str, hosts: int) -> None:
    """Keys, packs and times; the environment of every process that is started from now on."""
    folder = home / "keys"
    folder.mkdir(parents=True, exist_ok=True)
    if seal.newest_public(folder) is None:
        seal.make_keys(folder)
    os.environ |= {
        "PLUMBLINE_HOME": str(home),
        "PLUMBLINE_KEYS_FOLDER": str(folder),
        "PLUMBLINE_DATABASE_URL": cluster.url("plumbline_api", database),
        "PLUMBLINE_ADMISSION_PER_SECOND": "100000",
        "PLUMBLINE_ADMISSION_BURST": "100000",
        **{f"PLUMBLINE_JOB_{name}_SECONDS": value for name, value in TIMINGS.items()},
    }
    get_settings.cache_clear()
    get_engine.cache_clear()
    job_timings.cache_clear()
    with session_scope() as session:
        install_builtin(session)
        # The hosts share one fabric and one group. All may change at a time, so that faults meet several jobs at once.
        for domain in ("fabric:1/shared", "group:1"):
            session.merge(DomainBudget(domain=domain, slots=hosts, changed_by="faults"))


@contextlib.contextmanager
def running_rig(
    home: Path,
    cluster: embedded_servers.PostgresCluster,
    database: str,
    *,
    windows: int = 8,
    esxi: Sequence[str] = (),
    groups: int = 3,
    restart_seconds: float = 0.0,
    prefix: str = "win",
) -> Iterator[Rig]:
    """A running rig; `groups` 0: without workers, scheduler and broker. Hosts of two rigs on one database need two prefixes."""
    set_up(home, cluster, database, windows + len(esxi))
    people = make_people()
    with session_scope() as session:
        token = make_token(session, TokenTerms(name="faults", group_id=1, is_auto_approved=True, uses=1000)).token
    with served_api() as api, httpx.Client(base_url=api.url, timeout=30, trust_env=False) as client:
        os.environ["PLUMBLINE_PUBLIC_URL"] = api.url
        get_settings.cache_clear()
        fleet = make_windows(home / "lab", client, token, windows, prefix=prefix, restart_seconds=restart_seconds)
        fleet += make_esxi(home / "lab", client, token, list(esxi)) if esxi else []
        processes = Processes(home, cluster, database, groups=groups) if groups else None
        try:
            if processes is not None:
                processes.start()
            yield Rig(home, cluster, database, api, fleet, people, processes)
        finally:
            if processes is not None:
                processes.stop()
            for host in fleet:
                host.stop()


def dice_of(result: FaultResult) -> random.Random:
    """The random numbers of a part, from its printed seed."""
    return random.Random(result.seed)
