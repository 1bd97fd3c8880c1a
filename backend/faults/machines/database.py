"""PostgreSQL on two machines under Patroni, with etcd on three others."""

import contextlib
import os
import time
from collections.abc import Callable
from typing import Any, TypeVar

import httpx
import psycopg

from faults.machines.documented import Documented
from faults.machines.machine import Machine
from faults.machines.tools import Tools
from plumbline.ops.embedded_servers import PostgresCluster

Found = TypeVar("Found")

_SYNCHRONOUS = "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming' AND sync_state IN ('sync', 'quorum')"


class Database:
    """The two database machines. `binaries` names PostgreSQL's programs and the user they run as."""

    def __init__(self, page: Documented, tools: Tools, binaries: PostgresCluster, machines: list[Machine], voters: list[Machine]) -> None:
        self.machines, self._page, self._binaries, self._tools = machines, page, binaries, tools
        for voter in voters:
            self._add_etcd(voter)
        for machine in machines:
            self._add_patroni(machine)
            if machine is machines[0]:
                self.wait_until(self.primary, "a first primary", 90)
        self.wait_until(self.is_whole, "a synchronous standby", 90)

    def _add_etcd(self, machine: Machine) -> None:
        variables = self._page.environment("/etc/default/etcd", {"/var/lib/etcd/plumbline": str(machine.home / "etcd")})
        for name in ("ETCD_NAME", "ETCD_INITIAL_ADVERTISE_PEER_URLS", "ETCD_ADVERTISE_CLIENT_URLS"):
            variables[name] = variables[name].replace("background-1", machine.name)
        machine.add("etcd", [self._tools.etcd, "--logger", "zap", "--log-level", "warn"], variables)

    def _add_patroni(self, machine: Machine) -> None:
        user, group = self._binaries.user_id, self._binaries.group_id
        data, sockets = machine.home / "postgresql", machine.home / "sockets"
        for folder in (data, sockets):
            folder.mkdir(mode=0o700)
            if user is not None:
                os.chown(folder, user, group or 0)
        text = self._page.text(
            "/etc/patroni.yml",
            {
                "/usr/lib/postgresql/18/bin": str(self._binaries.binaries), "/var/lib/postgresql/18/plumbline": str(data / "data"),
                "/var/lib/postgresql/pgpass": str(data / "pgpass"), "/var/run/postgresql": str(sockets),
            },
        )  # fmt: skip
        for line in ("name: db-1", 'connect_address: "db-1:8008"', 'connect_address: "db-1:5432"'):
            text = text.replace(line, line.replace("db-1", machine.name))
        file = machine.home / "patroni.yml"
        file.write_text(text)
        as_user = ["setpriv", f"--reuid={user}", f"--regid={group}", "--clear-groups"] if user is not None else []
        # Python may be installed where that user cannot read; PostgreSQL only asks that it is not root.
        as_user += ["--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search"] if user is not None else []
        machine.add("patroni", [*as_user, self._tools.patroni, str(file)])

    def _states(self) -> dict[str, dict[str, Any]]:
        found = {}
        for machine in self.machines:
            with contextlib.suppress(httpx.HTTPError):
                found[machine.name] = httpx.get(f"http://{machine.address}:8008/patroni", timeout=2, trust_env=False).json()
        return found

    def primary(self) -> Machine | None:
        """The machine whose server is the primary, by Patroni; None: there is none."""
        roles = {name: state.get("role") for name, state in self._states().items() if state.get("state") == "running"}
        return next((machine for machine in self.machines if roles.get(machine.name) in ("primary", "master")), None)

    def standby(self) -> Machine:
        """The other one."""
        return next(machine for machine in self.machines if machine is not self.primary())

    def is_whole(self) -> bool:
        """Whether a standby holds what is committed, so that the primary may fail."""
        with contextlib.suppress(psycopg.Error), psycopg.connect(self.url("postgres", "postgres"), connect_timeout=3) as connection:
            row = connection.execute(_SYNCHRONOUS).fetchone()
            return row is not None and row[0] >= 1
        return False

    def wait_until(self, what: Callable[[], Found | None], words: str, seconds: float) -> Found:
        """The first true answer. Raises RuntimeError with the end of the logs."""
        limit = time.monotonic() + seconds
        while not (found := what()):
            if time.monotonic() > limit:
                raise RuntimeError(f"no {words} within {seconds:.0f} s\n" + "\n".join(machine.tail(20) for machine in self.machines))
            time.sleep(0.3)
        return found

    def url(self, user: str, database: str = "plumbline", password: str = "") -> str:
        """The address of the primary, for this run itself."""
        secret = password or self._page.password(f"{user.upper()}_PASSWORD")
        return f"postgresql://{user}:{secret}@/{database}?host=db-1,db-2&port=5432,5432&target_session_attrs=read-write"

    def create(self) -> None:
        """The owner and the database, as the page says."""
        statements = self._page.text("as postgres, on the primary").strip().split("\n")
        with psycopg.connect(self.url("postgres", "postgres"), autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement)
