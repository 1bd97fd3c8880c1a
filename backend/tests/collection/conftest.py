"""Lab hosts, a served API and a database of the test's own, joined."""

import io
import sys
from collections.abc import Callable
from dataclasses import dataclass

import paramiko
import pytest

from faults.sending import enrol
from plumbline.infra import resources

sys.path.insert(0, str(resources.AGENTS))

from sqlmodel import Session, select

from lab.esxi.ssh import EsxiSsh
from lab.windows.wsman import WsManHost
from plumbline import vault
from plumbline.collection import endpoints
from plumbline.infra.database import session_scope
from plumbline.models.collection import CollectionEndpoint
from plumbline.models.hosts import Host
from tests.channels.conftest import Certificate, client_certificate, esxi, key, server_certificate, windows
from tests.checkin.conftest import Served, serve, served, token

__all__ = ["client_certificate", "esxi", "key", "serve", "served", "server_certificate", "token", "windows"]


@dataclass
class Collecting:
    """A door, and what makes hosts of the lab read by us."""

    served: Served
    token: str
    key: paramiko.PKey
    client_certificate: Certificate
    server_certificate: Certificate

    def ssh_credential(self, **values: str) -> int:
        text = io.StringIO()
        self.key.write_private_key(text)
        with session_scope() as session:
            return vault.put_secret(
                session,
                vault.NewSecret(name="root", purpose="collection", values=values or {"private_key": text.getvalue()}, account="root"),
                actor="test",
            )

    def winrm_credential(self) -> int:
        values = {"certificate": self.client_certificate.certificate, "private_key": self.client_certificate.private_key}
        with session_scope() as session:
            return vault.put_secret(
                session, vault.NewSecret(name="svc", purpose="collection", values=values, kind="certificate"), actor="test"
            )

    def add_ssh(self, server: EsxiSsh, credential: int, *, pins: tuple[str, ...] | None = None, address: str = "127.0.0.1") -> str:
        return self._add("esxi", "ssh", server.machine.host.spec.name, server.port, credential, pins or (server.public_key,), address)

    def add_winrm(self, endpoint: WsManHost, credential: int) -> str:
        name = endpoint.host.spec.name
        return self._add("windows", "winrm", name, endpoint.port, credential, (self.server_certificate.sha256,), "127.0.0.1")

    def _add(self, platform: str, channel: str, name: str, port: int, credential: int, pins: tuple[str, ...], address: str) -> str:
        enrolled = enrol(self.served.client, self.token, name, platform).json()
        with session_scope() as session:
            settings = endpoints.EndpointSettings(channel, address, port, credential, pins)
            row = endpoints.add_endpoint(session, actor="test", enrolled=enrolled, settings=settings)
            return row.host_id


@pytest.fixture
def collecting(
    served: Served, token: str, key: paramiko.PKey, client_certificate: Certificate, server_certificate: Certificate
) -> Collecting:
    return Collecting(served, token, key, client_certificate, server_certificate)


@pytest.fixture
def rows() -> Callable[[str], tuple[Host, CollectionEndpoint]]:
    """The host's row and its endpoint's, as committed."""

    def read(host_id: str) -> tuple[Host, CollectionEndpoint]:
        with session_scope() as session:
            return session.get_one(Host, host_id), session.get_one(CollectionEndpoint, host_id)

    return read


def log_ins(session: Session) -> list[str]:
    from plumbline.models.collection import HostLoginAttempt

    return [row.outcome for row in session.exec(select(HostLoginAttempt).order_by(HostLoginAttempt.id))]  # type: ignore[arg-type]
