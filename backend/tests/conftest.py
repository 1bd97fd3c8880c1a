"""A real PostgreSQL for every test that asks for one: one cluster a test run, one migrated database a test worker.

`database` gives a migrated, empty database and points the process at it as the API's role; `session` a session whose work is rolled back
at the end of the test. Tests that commit (the door, workers, several processes) ask for `fresh_database` and get one of their own.
"""

import contextlib
import gc
import os
import random
import shutil
import socket
import tempfile
import uuid
from collections.abc import Iterator
from pathlib import Path

# Its plugin imports it as the very last of a run; after deep tests Python 3.11.7 can compile nothing more then, and the run fails.
import hypothesis  # noqa: F401
import psycopg
import pytest
from sqlmodel import Session

from plumbline.evaluation import peers
from plumbline.infra.database import get_engine
from plumbline.infra.log_text import configure_logs
from plumbline.infra.settings import get_settings
from plumbline.ops import embedded_servers
from plumbline.ops.migrate import upgrade
from plumbline.performance import hours
from plumbline.previews import peers_as_of
from plumbline.vault import seal

# The hosts of tests listen on this machine, which an operator would have to allow.
os.environ["PLUMBLINE_HOSTS_ON_LOOPBACK"] = "true"

# As the product's processes log: by itself structlog draws the values of all local variables, which can take seconds.
configure_logs(as_json=False)

# The files that take longest, longest first: they begin first, so that none runs alone at the end.
LONGEST = (
    "remediation/test_crashes.py",
    "remediation/test_faults.py",
    "agents/runner/test_esxi_runner.py",
    "ops/test_up.py",
    "remediation/test_thread.py",
    "checkin/test_faults.py",
    "agents/esxi/test_collecting.py",
    "agents/runner/test_esxi_crashes.py",
    "auth/test_provider.py",
    "agents/esxi/test_answers.py",
    "checkin/test_answers.py",
    "remediation/test_frames.py",
    "fleet/test_rule_hosts.py",
    "collection/test_collect.py",
    "ops/test_larger_shape.py",
    "remediation/test_windows.py",
    "collection/test_processes.py",
    "test_wheel.py",
    "remediation/test_gates.py",
    "lab/test_run.py",
    "auth/test_sign_in.py",
    "lab/test_esxi_render.py",
    "channels/test_winrm_channel.py",
    "ops/test_doctor.py",
    "agents/runner/test_same_semantics.py",
    "api/test_rights.py",
    "lab/test_neighbours.py",
    "core/planning/test_safety.py",
    "packs/files/test_paper_states.py",
    "agents/esxi/test_spool.py",
    "packs/test_rollups_stay_exact.py",
    "packs/test_publish_uploads.py",
    "channels/test_runner_over_winrm.py",
    "channels/test_ssh_channel.py",
    "api/test_figures.py",
    "auth/test_oidc.py",
    "collection/test_start_agent.py",
    "packs/test_publish_life.py",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    place = {here / name: number for number, name in enumerate(LONGEST)}
    if gone := [str(path) for path in place if not path.exists()]:
        raise pytest.UsageError(f"LONGEST in conftest.py names files that are not there: {gone}")
    items.sort(key=lambda item: place.get(item.path, len(place)))


def pytest_collection_finish() -> None:
    # Whatever was imported stays for the whole run: looking through it for cycles again and again finds none.
    gc.collect()
    gc.freeze()


@contextlib.contextmanager
def running_cluster() -> Iterator[embedded_servers.PostgresCluster]:
    """A running PostgreSQL, gone at the end. Kept in memory-backed temporary space where there is one; durability is off, and so is the
    vacuum that comes by itself: it sees nothing of what a test has not committed, and what it notes then makes plans bad by chance."""
    home = Path(tempfile.mkdtemp(prefix="plumbline-test-", dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None))
    home.chmod(0o755)
    place = embedded_servers.postgres_cluster(home)
    embedded_servers.prepare_postgres(place)
    options = ("fsync=off", "full_page_writes=off", "synchronous_commit=off", "autovacuum=off")
    process = embedded_servers.start_postgres(place, home / "postgres.log", options=[word for each in options for word in ("-c", each)])
    try:
        embedded_servers.wait_for_postgres(place)
        yield place
    finally:
        process.terminate()
        process.wait(timeout=30)
        shutil.rmtree(home, ignore_errors=True)
        shutil.rmtree(place.socket, ignore_errors=True)


def role_passwords(place: embedded_servers.PostgresCluster) -> dict[str, str]:
    """The passwords of the program's roles in a cluster."""
    return {role: (place.secrets / f"{role}.password").read_text().strip() for role in embedded_servers.ROLES}


@pytest.fixture(scope="session")
def cluster(worker_id: str) -> Iterator[embedded_servers.PostgresCluster]:
    """The PostgreSQL of this test worker, with a migrated database to copy."""
    with running_cluster() as place:
        _sql(place, "CREATE DATABASE template_migrated")
        upgrade(place.url(embedded_servers.OWNER, "template_migrated"), role_passwords=role_passwords(place))
        yield place


def _sql(place: embedded_servers.PostgresCluster, statement: str) -> None:
    with psycopg.connect(place.url(embedded_servers.OWNER, "postgres").replace("+psycopg", ""), autocommit=True) as connection:
        connection.execute(statement)


def free_port() -> int:
    """A port of loopback on which nothing listens, below those that connections are given: none takes it before the server does."""
    for port in random.sample(range(23_000, 32_000), 100):
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port
    raise RuntimeError("no port is free")


@contextlib.contextmanager
def own_database(cluster: embedded_servers.PostgresCluster) -> Iterator[str]:
    """A migrated, empty database, dropped at the end; answers its name."""
    name = f"test_{uuid.uuid4().hex[:12]}"
    # Copied as files: the usual way writes each of its blocks to the log as well, which takes half as long again.
    _sql(cluster, f"CREATE DATABASE {name} TEMPLATE template_migrated STRATEGY FILE_COPY")
    try:
        yield name
    finally:
        get_engine.cache_clear()
        _sql(cluster, f"DROP DATABASE {name} WITH (FORCE)")


@contextlib.contextmanager
def pointed_at(cluster: embedded_servers.PostgresCluster, name: str, *, role: str = "plumbline_api") -> Iterator[str]:
    """Points the process at a database as one role; answers the URL."""
    url = cluster.url(role, name)
    before = os.environ.get("PLUMBLINE_DATABASE_URL")
    os.environ["PLUMBLINE_DATABASE_URL"] = url
    get_settings.cache_clear()
    get_engine.cache_clear()
    peers.MEMORY.clear()
    peers_as_of.forget_answers()
    hours.forget_san_adapters()
    try:
        yield url
    finally:
        get_engine().dispose()
        get_engine.cache_clear()
        if before is None:
            del os.environ["PLUMBLINE_DATABASE_URL"]
        else:
            os.environ["PLUMBLINE_DATABASE_URL"] = before
        get_settings.cache_clear()


@pytest.fixture(scope="session")
def shared_database(cluster: embedded_servers.PostgresCluster) -> Iterator[str]:
    """One database of this worker, for tests that roll back."""
    with own_database(cluster) as name:
        yield name


@pytest.fixture
def database(cluster: embedded_servers.PostgresCluster, shared_database: str) -> Iterator[str]:
    """URL (the API's role) of the worker's shared database; nothing may be committed in it."""
    with pointed_at(cluster, shared_database) as url:
        yield url


@pytest.fixture
def fresh_database(cluster: embedded_servers.PostgresCluster) -> Iterator[str]:
    """URL (the API's role) of a database of this test alone; it may commit."""
    with own_database(cluster) as name, pointed_at(cluster, name) as url:
        yield url


@pytest.fixture
def session(database: str) -> Iterator[Session]:
    """A session in a transaction that is rolled back at the end; `commit()` inside becomes a savepoint's release."""
    engine = get_engine(database)
    with engine.connect() as connection:
        outer = connection.begin()
        with Session(connection, join_transaction_mode="create_savepoint", expire_on_commit=False) as opened:
            yield opened
        outer.rollback()
    engine.dispose()


@pytest.fixture(scope="session")
def captures() -> Path:
    """Folder of real command outputs beside the repository; tests that need them are skipped elsewhere."""
    folder = Path(__file__).resolve().parents[3] / "shared" / "captures"
    if not folder.is_dir():
        pytest.skip("the folder of captures is not here")
    return folder


def make_pairs(folder: Path) -> None:
    """As executor and background workers do at their start."""
    for name in (seal.VAULT, seal.NOTICES):
        seal.ensure_keys(folder, name)


@pytest.fixture
def keys_folder(tmp_path: Path) -> Iterator[Path]:
    """A folder of key files of this test alone, in force for the process."""
    folder = tmp_path / "keys"
    folder.mkdir(mode=0o700)
    make_pairs(folder)
    os.environ["PLUMBLINE_KEYS_FOLDER"] = str(folder)
    get_settings.cache_clear()
    yield folder
    del os.environ["PLUMBLINE_KEYS_FOLDER"]
    get_settings.cache_clear()


@pytest.fixture
def loopback(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Providers and receivers run on this machine, which the operator of a server has to allow."""
    monkeypatch.setenv("PLUMBLINE_OUTBOUND_LOOPBACK", "true")
    get_settings.cache_clear()
    yield
    monkeypatch.undo()
    get_settings.cache_clear()
