"""`plumbline up`: the whole product on one machine, with its own PostgreSQL and Valkey, under one supervisor.

The first start and every later one do the same: prepare the cluster, migrate, seed, then let the supervisor run all processes in the
foreground and start again those that end by themselves. Ctrl-C stops all of them; a `watch` child ends the others if this one is killed.
"""

import fcntl
import json
import math
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

import httpx
import psycopg
from sqlalchemy import text

from plumbline.auth import people
from plumbline.infra.database import direct_url, get_engine, session_scope
from plumbline.infra.errors import BadInput
from plumbline.infra.pid_files import is_alive
from plumbline.infra.settings import Settings, get_settings
from plumbline.ops import demo, embedded_servers, generated_fleet, lab_past, lab_removal
from plumbline.ops.child_processes import end_leftovers
from plumbline.ops.local_ca import local_certificate
from plumbline.ops.log_file import LogFile
from plumbline.ops.migrate import upgrade
from plumbline.ops.running import read_address
from plumbline.ops.supervisor import Supervisor
from plumbline.packs import publish
from plumbline.vault import seal

DEFAULT_PORT = 8080


@dataclass
class UpOptions:
    """The options of `plumbline up`."""

    home: Path = Path("var")
    bind: str = "127.0.0.1"
    port: int | None = None
    # Whether the lab fleet runs; None: in an empty home, and in one that has a lab.
    is_demo: bool | None = None
    certificate: Path | None = None
    certificate_key: Path | None = None
    # Days of the lab's past that the first start writes; 0: the fleet begins now.
    past_days: int = 90
    out: IO[str] = field(default_factory=lambda: sys.stdout)


@dataclass(frozen=True)
class Prepared:
    """An installation whose database is ready: whether it is a lab, and what its people need to sign in."""

    is_demo: bool
    setup_code: str = ""
    logins: Path | None = None


def up(options: UpOptions) -> int:
    """Starts everything and returns the exit code after all of it has stopped."""
    home = options.home.resolve()
    run = home / "run"
    with _locked(home) as is_ours:
        if not is_ours:
            _print(options, f"Plumbline is already running in {home}: {read_address(home) or 'starting'}")
            return 0
        end_leftovers(run)
        port = _pick_port(options)
        tls = _tls(options, home)
        address = f"{'https' if tls else 'http'}://{_shown_host(options.bind)}:{port}"
        env = _environment(home, address, tls)
        while True:
            (run / "address").write_text(address + "\n")
            with _ended_in_order():
                prepared = _prepare(options, home, env)
            code = _supervise(options, env | (_LAB_ENVIRONMENT if prepared.is_demo else {}), port, tls, prepared)
            if code is not None:
                return code
            _print(options, "Removing the lab ...")


def generate(options: UpOptions, *, hosts: int, days: int) -> int:
    """Fills an empty home with a generated fleet. Returns how many hosts were evaluated. Raises `BadInput`."""
    home = options.home.resolve()
    with _locked(home) as is_ours:
        if not is_ours:
            raise BadInput(f"Plumbline is running in {home}. Stop it, or name another folder.")
        env = _environment(home, "http://127.0.0.1", None)
        with _started_database(options, home) as cluster, _pointed_at(env, cluster):
            with session_scope() as session:
                if session.execute(
                    text("SELECT EXISTS (SELECT FROM host) OR (SELECT setup_done_at IS NOT NULL FROM installation)")
                ).scalar_one():
                    raise BadInput(f"{home} is in use already. Name an empty folder.")
            return generated_fleet.generate(home, cluster.url(embedded_servers.OWNER), hosts=hosts, days=days)


@contextmanager
def _locked(home: Path) -> Iterator[bool]:
    """Whether no other process has this home; its folders and keys are there."""
    for folder in (home, home / "run", home / "keys", home / "log"):
        folder.mkdir(parents=True, exist_ok=True)
    (home / "keys").chmod(0o700)
    for name in (seal.VAULT, seal.NOTICES):
        seal.ensure_keys(home / "keys", name)
    with (home / "run" / "up.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            yield False
        else:
            yield True


@contextmanager
def _ended_in_order() -> Iterator[None]:
    """A request to end stops what was started meanwhile too; afterwards the supervisor answers it."""
    before = signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _print(options: UpOptions, line: str) -> None:
    # The output may be a file on a disk that is full, or a terminal that was closed.
    with suppress(OSError):
        print(line, file=options.out, flush=True)


def _shown_host(bind: str) -> str:
    return {"0.0.0.0": socket.gethostname(), "::": socket.gethostname()}.get(bind, bind)  # noqa: S104


def _pick_port(options: UpOptions) -> int:
    """The port of the options, or without one the first free port from the default on."""
    for port in [options.port] if options.port is not None else range(DEFAULT_PORT, DEFAULT_PORT + 40):
        with socket.socket(socket.AF_INET6 if ":" in options.bind else socket.AF_INET) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((options.bind, port))
            except OSError:
                continue
            if options.port is None and port != DEFAULT_PORT:
                _print(options, f"Port {DEFAULT_PORT} is taken by another program; using {port}.")
            return port
    raise BadInput(
        f"port {options.port or DEFAULT_PORT} on {options.bind} is taken: choose another with --port, or end the program that has it"
    )


def _tls(options: UpOptions, home: Path) -> tuple[Path, Path, str] | None:
    """Certificate, key and CA pin. Loopback is served over http; any other address always over TLS."""
    if options.certificate and options.certificate_key:
        return options.certificate.resolve(), options.certificate_key.resolve(), ""
    if options.bind in ("127.0.0.1", "::1", "localhost"):
        return None

    return local_certificate(home / "keys", options.bind)


# Settings that `up` decides itself; an operator may set all others in the environment.
_DECIDED = ("HOME", "KEYS_FOLDER", "DATABASE_URL", "REDIS_URL", "PUBLIC_URL", "IS_DEMO", "IS_TLS", "CA_PIN")
_PASSED_ON = tuple(f"PLUMBLINE_{name}" for each in Settings.model_fields if (name := each.upper()) not in _DECIDED)


# The lab's hosts listen on this machine.
_LAB_ENVIRONMENT = {"PLUMBLINE_IS_DEMO": "true", "PLUMBLINE_HOSTS_ON_LOOPBACK": "true"}


def _environment(home: Path, address: str, tls: tuple[Path, Path, str] | None) -> dict[str, str]:
    """The settings of every part, without those of a lab."""
    cluster = embedded_servers.postgres_cluster(home)
    env = {name: value for name, value in os.environ.items() if not name.startswith("PLUMBLINE_")}
    env |= {
        "PLUMBLINE_HOME": str(home),
        "PLUMBLINE_KEYS_FOLDER": str(home / "keys"),
        "PLUMBLINE_REDIS_URL": embedded_servers.broker_url(cluster),
        "PLUMBLINE_PUBLIC_URL": address,
        "PLUMBLINE_IS_DEMO": "false",
        "PLUMBLINE_IS_TLS": "true" if tls else "false",
        "PLUMBLINE_CA_PIN": tls[2] if tls else "",
        "PYTHONUNBUFFERED": "1",
    }
    for name in _PASSED_ON:
        if name in os.environ:
            env[name] = os.environ[name]
    return env


def _prepare(options: UpOptions, home: Path, env: dict[str, str]) -> Prepared:
    """Cluster, database, migrations, seed. The server is stopped afterwards and started again under the supervisor."""
    with _started_database(options, home) as cluster:
        is_demo = _prepare_lab(options, home, env, cluster)
        with _pointed_at(env | (_LAB_ENVIRONMENT if is_demo else {}), cluster):
            return seed(home, is_demo=is_demo)


@contextmanager
def _started_database(options: UpOptions, home: Path) -> Iterator[embedded_servers.PostgresCluster]:
    """PostgreSQL with the database at the newest migration, stopped at the end."""
    cluster = embedded_servers.postgres_cluster(home)
    _print(options, "Preparing the database ...")
    embedded_servers.prepare_postgres(cluster)
    process = embedded_servers.start_postgres(cluster, home / "log" / "postgres.log")
    try:
        embedded_servers.wait_for_postgres(cluster)
        _upgrade(cluster)
        yield cluster
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(timeout=60)


@contextmanager
def _pointed_at(env: dict[str, str], cluster: embedded_servers.PostgresCluster) -> Iterator[None]:
    """This process with the settings of a part, as the API's role, and back."""
    before = dict(os.environ)
    os.environ.update(env | {"PLUMBLINE_DATABASE_URL": cluster.url("plumbline_api")})
    get_settings.cache_clear()
    try:
        yield
    finally:
        get_engine().dispose()
        get_engine.cache_clear()
        os.environ.clear()
        os.environ.update(before)
        get_settings.cache_clear()


def _upgrade(cluster: embedded_servers.PostgresCluster) -> None:
    """The database, at the newest migration."""
    with psycopg.connect(direct_url(cluster.url(embedded_servers.OWNER, "postgres")), autocommit=True) as connection:
        if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", (embedded_servers.DATABASE,)).fetchone():
            connection.execute(f"CREATE DATABASE {embedded_servers.DATABASE}")
    passwords = {role: (cluster.secrets / f"{role}.password").read_text().strip() for role in embedded_servers.ROLES}
    upgrade(cluster.url(embedded_servers.OWNER), role_passwords=passwords)


def _prepare_lab(options: UpOptions, home: Path, env: dict[str, str], cluster: embedded_servers.PostgresCluster) -> bool:
    """Removes a lab that shall go, writes the past of a new one. Returns whether there is a lab."""
    owner = cluster.url(embedded_servers.OWNER)

    def start_over() -> None:
        lab_past.start_over(home, cluster.url(embedded_servers.OWNER, "postgres"), embedded_servers.DATABASE)
        _upgrade(cluster)

    if lab_removal.is_asked(home):
        if lab_removal.loses_only_a_lab(owner):
            start_over()
            lab_removal.remove_files(home)
            return False
        _print(options, "Nothing is removed: this home has a host that is not simulated, or is no lab any more.")
        lab_removal.finish(home)
    if lab_past.is_unfinished(owner):
        start_over()
    is_demo, remark = lab_past.wants_lab(owner, options.is_demo)
    if remark:
        _print(options, remark)
    if is_demo and options.past_days and lab_past.is_new(owner):
        _print(options, f"Writing {options.past_days} days of the lab's past, about half a minute (--past-days 0 goes without) ...")
        lab_env = env | _LAB_ENVIRONMENT
        if problem := lab_past.write_in_child(home, lab_env, owner, options.past_days, home / "log" / "lab-past.log"):
            _print(options, problem)
            start_over()
    return is_demo


def seed(home: Path, *, is_demo: bool) -> Prepared:
    """Packs, first people, and in a demo the lab's tokens. Safe on every start."""
    code = ""
    with session_scope() as session:
        publish.install_builtin(session)
        if is_demo:
            demo.seed(session, home)
            demo.seed_collection(session, home)
            demo.seed_remediation(session, home)
        elif people.needs_setup(session):
            code = people.make_setup_code(session, lab_removal.asked_code(home))
    lab_removal.finish(home)
    logins = home / "demo-logins.json"
    return Prepared(is_demo, code, logins if logins.exists() else None)


def _supervise(options: UpOptions, env: dict[str, str], port: int, tls: tuple[Path, Path, str] | None, prepared: Prepared) -> int | None:
    """Runs all parts until a person stops them. Returns the exit code; None where they ended so that the lab can be removed."""
    home = Path(env["PLUMBLINE_HOME"])
    cluster = embedded_servers.postgres_cluster(home)
    log = LogFile(home / "log" / "plumbline.log")
    manager = Supervisor(log, home / "run")
    roles = {
        "api": "plumbline_api",
        "beat": "plumbline_background",
        "background": "plumbline_background",
        "executor": "plumbline_executor",
        "isolated": "plumbline_executor",
    }
    program = f"exec {sys.executable} -m plumbline.cli"
    serve = f"{program} api --bind {options.bind} --port {port}"
    if tls:
        serve += f" --certificate {tls[0]} --certificate-key {tls[1]}"
    commands = {
        "postgres": f"{program} child postgres --home {home}",
        "valkey": f"{program} child valkey --home {home}",
        "api": serve,
        "background": f"{program} worker background",
        "executor": f"{program} worker executor",
        "isolated": f"{program} worker isolated",
        "beat": f"{program} beat",
        "watch": f"{program} child watch --home {home} --parent {os.getpid()}",
    }
    if prepared.is_demo:
        commands["lab"] = f"{program} lab run --home {home}"
    for name, command in commands.items():
        child_env = env | {"PLUMBLINE_PROCESS": name, "PLUMBLINE_PID_FILE": str(home / "run" / f"{name}.pid")}
        if name in roles:
            child_env["PLUMBLINE_DATABASE_URL"] = cluster.url(roles[name])
        manager.add_process(name, command, env=child_env, cwd=str(home))
    threading.Thread(target=_announce, args=(options, env, prepared, manager), daemon=True).start()
    threading.Thread(target=_end_on_removal, args=(home, manager), daemon=True).start()
    started = time.monotonic()
    manager.loop()
    stopped_by_person = manager.returncode in (130, 143)
    is_lab_removed = lab_removal.is_asked(home)
    if not stopped_by_person and not is_lab_removed:
        _print(
            options,
            f"A component stopped {time.monotonic() - started:.0f} s after start, so Plumbline shut down. Last lines of {log.name}:",
        )
        _print(options, "\n".join(Path(log.name).read_text(errors="replace").splitlines()[-15:]))
    elif stopped_by_person:
        _print(options, "Plumbline has stopped.")
    for left in (home / "run").glob("*.pid"):
        left.unlink()
    (home / "run" / "address").unlink(missing_ok=True)
    embedded_servers.remove_sockets(cluster)
    if stopped_by_person:
        return 0
    return None if is_lab_removed else 1


def _answers(address: str, home: Path) -> bool:
    """Whether this home's API serves. Another program, even another Plumbline, may use the port, so the API's process must run too."""
    if not is_alive(home / "run" / "api.pid"):
        return False
    try:
        # Unverified, since only whether the process answers matters here.
        return httpx.get(f"{address}/healthz", verify=False, timeout=3, trust_env=False).status_code == 200  # noqa: S501
    except httpx.HTTPError:
        return False


def _end_on_removal(home: Path, manager: Supervisor) -> None:
    """Ends all parts once an admin asked for the lab to be removed."""
    while not lab_removal.is_asked(home):
        time.sleep(0.5)
    manager.terminate()


def _announce(options: UpOptions, env: dict[str, str], prepared: Prepared, manager: Supervisor) -> None:
    home, address = Path(env["PLUMBLINE_HOME"]), env["PLUMBLINE_PUBLIC_URL"]
    deadline = time.monotonic() + 120
    while not _answers(address, home):
        if time.monotonic() > deadline:
            _print(options, f"The web interface isn't responding yet. See {home / 'log' / 'plumbline.log'}")
            deadline = math.inf
        time.sleep(0.2)
    manager.is_up.set()
    _print(options, f"\nPlumbline is running: {address}\n")
    if prepared.logins:
        _print(options, f"Demo logins (saved in {prepared.logins}):")
        for login in json.loads(prepared.logins.read_text()):
            _print(options, f"  {login['role']:<9} {login['login']:<10} {login['password']}")
    if prepared.is_demo:
        _print(options, "All hosts are simulated (lab fleet). To start empty, an admin removes the lab: Lab fleet, at the top of any page.")
    if prepared.setup_code:
        _print(options, f"To create the first admin, open {address}/setup and enter code {prepared.setup_code}")
    if env["PLUMBLINE_CA_PIN"]:
        _print(options, f"Agents pin this CA certificate (SHA-256): {env['PLUMBLINE_CA_PIN']}")
    _print(options, "Press Ctrl-C to stop.")
