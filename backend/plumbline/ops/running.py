"""For commands beside `plumbline up`: use what runs from a home folder, or its database alone while nothing runs."""

import fcntl
import os
import signal
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from plumbline.infra.errors import BadInput, Conflict
from plumbline.infra.settings import get_settings
from plumbline.ops import embedded_servers
from plumbline.ops.child_processes import end_leftovers


def read_address(home: Path) -> str:
    """The address of what runs from this home, or starts; empty where nothing does."""
    path = home / "run" / "address"
    return path.read_text().strip() if path.exists() else ""


def use_running(home: Path, *, role: str = "plumbline_executor") -> None:
    """Configures this process to use a running `up`, by default as an executor worker. Raises `BadInput` where none runs."""
    home = home.resolve()
    address = read_address(home)
    if not address:
        raise BadInput(f"no Plumbline runs from {home}: start it with `plumbline up --home {home}`")
    cluster = embedded_servers.postgres_cluster(home)
    authority = home / "keys" / "ca.pem"
    is_own_ca = address.startswith("https") and authority.exists()
    os.environ |= {
        "PLUMBLINE_HOME": str(home),
        "PLUMBLINE_KEYS_FOLDER": str(home / "keys"),
        "PLUMBLINE_DATABASE_URL": cluster.url(role),
        "PLUMBLINE_REDIS_URL": embedded_servers.broker_url(cluster),
        "PLUMBLINE_PUBLIC_URL": address,
        "PLUMBLINE_CA_PIN": sha256(ssl.PEM_cert_to_DER_cert(authority.read_text())).hexdigest() if is_own_ca else "",
    }
    get_settings.cache_clear()


def owner_url(home: Path | None) -> str:
    """Address of the database as its owner: that of a running `up`, or PLUMBLINE_DATABASE_URL. Raises `BadInput` where none runs."""
    if home is None:
        return get_settings().database_url.get_secret_value()
    use_running(home, role=embedded_servers.OWNER)
    return get_settings().database_url.get_secret_value()


@contextmanager
def stopped_database(home: Path | None) -> Iterator[str]:
    """URL of the database as its owner, with only the database of a home's `up` running. Raises `Conflict` while all of it runs."""
    if home is None:
        yield get_settings().database_url.get_secret_value()
        return
    home = home.resolve()
    run = home / "run"
    for folder in (home, run, home / "keys", home / "log"):
        folder.mkdir(parents=True, exist_ok=True)
    with (run / "up.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise Conflict(f"Plumbline runs from {home}: stop it first, then restore") from None
        end_leftovers(run)
        cluster = embedded_servers.postgres_cluster(home)
        embedded_servers.prepare_postgres(cluster)
        server = embedded_servers.start_postgres(cluster, home / "log" / "postgres.log")
        try:
            embedded_servers.wait_for_postgres(cluster)
            yield cluster.url(embedded_servers.OWNER)
        finally:
            server.send_signal(signal.SIGINT)
            server.wait(60)
            embedded_servers.remove_sockets(cluster)
