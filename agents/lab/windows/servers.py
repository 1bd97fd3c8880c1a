"""WS-Management of the running lab's Windows hosts, so that remediation has something real to reach.

One authority of the lab's own signs the client; each host shows the same certificate, which is pinned by its fingerprint. Both are made
once and kept in the lab's folder.
"""

import datetime
import ipaddress
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from lab.host import LabHost
from lab.windows.scripts import CheckIn, scripts
from lab.windows.wsman import WsManHost

_YEARS = 10


@dataclass(frozen=True)
class Certificate:
    """A certificate that is its own authority, with its key, as files."""

    certificate: Path
    private_key: Path

    @property
    def sha256(self) -> str:
        """Fingerprint, as pins have it."""
        return x509.load_pem_x509_certificate(self.certificate.read_bytes()).fingerprint(hashes.SHA256()).hex()


@dataclass(frozen=True)
class WinRmDoors:
    """The endpoints, and what signs in to them."""

    endpoints: Mapping[str, WsManHost]
    client: Certificate
    server: Certificate

    def stop(self) -> None:
        """Stops all servers together, since each checks only once a second whether it is to stop."""
        with ThreadPoolExecutor(max(len(self.endpoints), 1)) as pool:
            list(pool.map(WsManHost.stop, self.endpoints.values()))


def client_of(home: Path) -> Certificate:
    """What signs in to the lab's Windows hosts; made with the first question."""
    return _certificate(home / "lab" / "winrm", "plumbline")


def server_of(home: Path) -> Certificate:
    """What the lab's Windows hosts show."""
    return _certificate(home / "lab" / "winrm", "windows-host")


def open_doors(home: Path, hosts: Mapping[str, LabHost], ports: Mapping[str, int], check_in: CheckIn) -> WinRmDoors:
    """Serves every host, on the port it had before where there was one."""
    client, server = client_of(home), server_of(home)
    known = scripts(check_in)
    endpoints = {
        name: WsManHost(
            host,
            known,
            certificate=server.certificate,
            private_key=server.private_key,
            client_ca=client.certificate,
            port=ports.get(name, 0),
            poll_seconds=1.0,
        )
        for name, host in hosts.items()
    }
    for endpoint in endpoints.values():
        endpoint.start()
    return WinRmDoors(endpoints, client, server)


def _certificate(folder: Path, name: str) -> Certificate:
    found = Certificate(folder / f"{name}.pem", folder / f"{name}.key")
    if found.certificate.exists() and found.private_key.exists():
        return found
    folder.mkdir(parents=True, exist_ok=True)
    private = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.UTC)
    names = x509.SubjectAlternativeName([x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(private.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=365 * _YEARS))
        .add_extension(names, critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(private, hashes.SHA256())
    )
    key = private.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    found.private_key.touch(mode=0o600)
    found.private_key.write_bytes(key)
    found.certificate.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    return found
