"""Lab hosts with their real SSH and WS-Management servers, on loopback."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import paramiko
import pytest

from plumbline import resources

sys.path.insert(0, str(resources.AGENTS))

from lab import fleet
from lab.esxi.agent import EsxiMachine
from lab.esxi.ssh import EsxiSsh
from lab.host import LabHost

Spec = fleet.HostSpec


def spec_of(name: str) -> Spec:
    """A host of the fleet by name."""
    return next(spec for spec in fleet.load() if spec.name == name)


@pytest.fixture
def key() -> paramiko.ECDSAKey:
    """A private key that the lab's hosts may let in."""
    return paramiko.ECDSAKey.generate()


@pytest.fixture
def esxi(tmp_path: Path, key: paramiko.ECDSAKey) -> Iterator[Callable[..., EsxiSsh]]:
    """Starts the SSH server of an ESXi lab host by name; lets `key` and the password `right` in."""
    started: list[EsxiSsh] = []

    def start(name: str = "esx-a03") -> EsxiSsh:
        host = LabHost(spec_of(name), tmp_path / name)
        server = EsxiSsh(EsxiMachine(host), password="right", authorized_key=f"{key.get_name()} {key.get_base64()}")
        server.start()
        started.append(server)
        return server

    yield start
    for server in started:
        server.stop()
