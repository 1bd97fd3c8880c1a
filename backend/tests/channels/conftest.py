"""Lab hosts with their real SSH and WS-Management servers, on loopback."""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import paramiko
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from plumbline.infra import resources

sys.path.insert(0, str(resources.AGENTS))

from lab import fleet
from lab.esxi.agent import EsxiMachine
from lab.esxi.ssh import EsxiSsh
from lab.host import LabHost
from lab.windows.scripts import scripts
from lab.windows.wsman import WsManHost

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

    def start(name: str = "esx-a03", address: str = "127.0.0.1") -> EsxiSsh:
        host = LabHost(spec_of(name), tmp_path / name)
        server = EsxiSsh(EsxiMachine(host), password="right", authorized_key=f"{key.get_name()} {key.get_base64()}", address=address)
        server.start()
        started.append(server)
        return server

    yield start
    for server in started:
        server.stop()


@dataclass(frozen=True)
class Certificate:
    """A self-signed certificate with its key, as PEM texts and files."""

    certificate: str
    private_key: str
    certificate_file: Path
    key_file: Path
    sha256: str


def make_certificate(folder: Path, name: str) -> Certificate:
    """A certificate that is its own CA, for `localhost` and 127.0.0.1."""
    private = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    names = x509.SubjectAlternativeName([x509.DNSName("localhost"), x509.IPAddress(ip_address("127.0.0.1"))])
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(private.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(names, critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(private, hashes.SHA256())
    )
    pem = made.public_bytes(serialization.Encoding.PEM).decode()
    key_text = private.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()).decode()
    (folder / f"{name}.pem").write_text(pem)
    (folder / f"{name}.key").write_text(key_text)
    return Certificate(pem, key_text, folder / f"{name}.pem", folder / f"{name}.key", made.fingerprint(hashes.SHA256()).hex())


@pytest.fixture
def client_certificate(tmp_path: Path) -> Certificate:
    """The certificate that signs us in at Windows lab hosts."""
    return make_certificate(tmp_path, "collector")


@pytest.fixture
def server_certificate(tmp_path: Path) -> Certificate:
    """The certificate that Windows lab hosts show."""
    return make_certificate(tmp_path, "windows-host")


@pytest.fixture
def windows(tmp_path: Path, client_certificate: Certificate, server_certificate: Certificate) -> Iterator[Callable[..., WsManHost]]:
    """Starts the WS-Management endpoint of a Windows lab host by name."""
    started: list[WsManHost] = []
    accounts = tmp_path / "accounts"
    accounts.write_text("LAB:svc:right\n")

    def start(name: str = "sql-03", address: str = "127.0.0.1") -> WsManHost:
        endpoint = WsManHost(
            LabHost(spec_of(name), tmp_path / name),
            scripts(),
            certificate=server_certificate.certificate_file,
            private_key=server_certificate.key_file,
            client_ca=client_certificate.certificate_file,
            ntlm_users=accounts,
            address=address,
        )
        endpoint.start()
        started.append(endpoint)
        return endpoint

    yield start
    for endpoint in started:
        endpoint.stop()
