"""A certificate authority of this installation, created at the first start of `plumbline up --bind ADDRESS` without a certificate.

Agents pin the CA's certificate, so the server's own may be renewed without touching a host.
"""

import hashlib
import ipaddress
import socket
from datetime import timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from plumbline.infra.clock import utc_now
from plumbline.infra.durable_files import replace

CA_YEARS = 10
SERVER_DAYS = 397


def local_certificate(folder: Path, bind: str) -> tuple[Path, Path, str]:
    """Chain file (server, then CA), key file, and the CA's SHA-256 in lower-case hex. Renews the server's 30 days before its end."""
    ca_key, ca = _authority(folder)
    names = sorted({bind, socket.gethostname(), socket.getfqdn(), "localhost", "127.0.0.1"})
    chain, key_file = folder / "server.pem", folder / "server.key"
    if not _is_good(chain, key_file, names):
        key = ec.generate_private_key(ec.SECP256R1())
        now = utc_now()
        certificate = (
            x509.CertificateBuilder()
            .subject_name(_name(socket.gethostname()))
            .issuer_name(ca.subject)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - timedelta(hours=1))
            .not_valid_after(now + timedelta(days=SERVER_DAYS))
            .add_extension(x509.SubjectAlternativeName([_alternative(name) for name in names]), critical=False)
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
            .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(ca_key.public_key()), critical=False)
            .sign(ca_key, hashes.SHA256())
        )
        replace(key_file, _pem(key))
        replace(chain, certificate.public_bytes(serialization.Encoding.PEM) + ca.public_bytes(serialization.Encoding.PEM))
    return chain, key_file, hashlib.sha256(ca.public_bytes(serialization.Encoding.DER)).hexdigest()


def _authority(folder: Path) -> tuple[ec.EllipticCurvePrivateKey, x509.Certificate]:
    key_file, certificate_file = folder / "ca.key", folder / "ca.pem"
    if key_file.exists() and certificate_file.exists():
        key = serialization.load_pem_private_key(key_file.read_bytes(), None)
        assert isinstance(key, ec.EllipticCurvePrivateKey)
        return key, x509.load_pem_x509_certificate(certificate_file.read_bytes())
    key = ec.generate_private_key(ec.SECP256R1())
    name = _name(f"Plumbline local CA {socket.gethostname()}")
    now = utc_now()
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(days=365 * CA_YEARS))
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(
            x509.KeyUsage(
                digital_signature=True, key_cert_sign=True, crl_sign=True, content_commitment=False, key_encipherment=False,
                data_encipherment=False, key_agreement=False, encipher_only=False, decipher_only=False,
            ),
            critical=True,
        )
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )  # fmt: skip
    replace(key_file, _pem(key))
    replace(certificate_file, certificate.public_bytes(serialization.Encoding.PEM))
    return key, certificate


def _is_good(chain: Path, key_file: Path, names: list[str]) -> bool:
    """Whether the certificate holds for these names for 30 days, and its key is there: a power cut may leave a new key by an old one."""
    try:
        certificate = x509.load_pem_x509_certificate(chain.read_bytes())
        key = serialization.load_pem_private_key(key_file.read_bytes(), None)
    except (OSError, ValueError):
        return False
    if key.public_key() != certificate.public_key():
        return False
    found = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    known = {*found.get_values_for_type(x509.DNSName), *(str(ip) for ip in found.get_values_for_type(x509.IPAddress))}
    return certificate.not_valid_after_utc - utc_now() > timedelta(days=30) and set(names) <= known


def _name(common_name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common_name[:64])])


def _alternative(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def _pem(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
