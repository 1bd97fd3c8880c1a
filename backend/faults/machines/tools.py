"""The programs that the run needs, and why it cannot run where one is missing."""

import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

# Debian keeps some of them out of an ordinary user's path.
_PLACES = os.pathsep.join(("/usr/sbin", "/sbin", "/usr/local/sbin"))
_PACKAGES = {
    "ip": "iproute2", "tc": "iproute2", "nsenter": "util-linux", "unshare": "util-linux", "setpriv": "util-linux", "pgrep": "procps",
    "etcd": "etcd-server", "haproxy": "haproxy", "keepalived": "keepalived", "openssl": "openssl",
}  # fmt: skip


@dataclass(frozen=True)
class Tools:
    """Paths of the programs that a machine runs."""

    etcd: str
    patroni: str
    haproxy: str
    keepalived: str


def find(name: str) -> str | None:
    """A program on PATH, in the folders of administrators, or next to this Python."""
    return shutil.which(name) or shutil.which(name, path=_PLACES) or shutil.which(name, path=str(Path(sys.executable).parent))


def _patroni() -> str | None:
    named = os.environ.get("PATRONI", "")
    return named if named and os.access(named, os.X_OK) else find("patroni")


def missing() -> list[str]:
    """One sentence for each thing without which the run cannot be."""
    wrong = [] if os.getuid() == 0 else ["it needs root, to make network namespaces"]
    wrong += [f"{name} is not installed (Debian: {package})" for name, package in _PACKAGES.items() if find(name) is None]
    if _patroni() is None:
        wrong.append('patroni is not installed: python -m venv /opt/patroni, /opt/patroni/bin/pip install "patroni[etcd3,psycopg3]==4.1.5",'
                     " and name it in PATRONI=/opt/patroni/bin/patroni")  # fmt: skip
    return wrong


def tools() -> Tools:
    """The programs; `missing` has been asked before."""
    found = {name: find(name) or name for name in ("etcd", "haproxy", "keepalived")}
    return Tools(patroni=_patroni() or "patroni", **found)
