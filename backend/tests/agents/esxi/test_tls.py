"""The pinned CA: a real TLS server with a CA and a certificate of its own, real sockets."""

import datetime
import http.server
import ipaddress
import shutil
import ssl
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.agents.esxi.workbench import agent


def _certificate(
    name: str, issuer: tuple[x509.Certificate, ec.EllipticCurvePrivateKey] | None, address: str = ""
) -> tuple[x509.Certificate, ec.EllipticCurvePrivateKey]:
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.UTC)
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer[0].subject if issuer else subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=30))
        .add_extension(x509.BasicConstraints(ca=issuer is None, path_length=None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )
    if issuer is None:
        usage = x509.KeyUsage(True, False, False, False, False, True, True, False, False)
        builder = builder.add_extension(usage, critical=True)
    else:
        authority = x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer[1].public_key())
        builder = builder.add_extension(authority, critical=False)
    if address:
        names = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address(address))])
        builder = builder.add_extension(names, critical=False)
    return builder.sign(issuer[1] if issuer else key, hashes.SHA256()), key


def _pem(certificate: x509.Certificate) -> str:
    return certificate.public_bytes(serialization.Encoding.PEM).decode()


class Listening:
    """Where the server listens, its CA's fingerprint, and what it was asked."""

    def __init__(self, port: int, pin: str, asked: list[str]) -> None:
        self.url, self.pin, self.asked = f"https://127.0.0.1:{port}", pin, asked


def _serve(folder: Path, address: str) -> Iterator[Listening]:
    authority = _certificate("Plumbline local CA", None)
    own, key = _certificate("plumbline", authority, address)
    chain = folder / "chain.pem"
    private = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    chain.write_text(private.decode() + _pem(own) + _pem(authority[0]))
    asked: list[str] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked.append(self.rfile.read(int(self.headers["content-length"])).decode())
            self.send_response(200)
            self.send_header("Content-Length", "2")
            self.end_headers()
            self.wfile.write(b"{}")

        def log_message(self, *_: object) -> None:
            """Quiet."""

    class Server(http.server.ThreadingHTTPServer):
        def handle_error(self, *_: object) -> None:
            """A client that turns away in the handshake is what some tests are about."""

    server = Server(("127.0.0.1", 0), Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(chain)
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield Listening(server.server_address[1], authority[0].fingerprint(hashes.SHA256()).hex(), asked)
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Listening]:
    """A server whose certificate names its address."""
    if shutil.which("openssl") is None:
        pytest.skip("no openssl command here, which the agent asks for the chain as on ESXi")
    yield from _serve(tmp_path, "127.0.0.1")


@pytest.fixture
def misnamed(tmp_path: Path) -> Iterator[Listening]:
    """A server whose certificate names another address."""
    if shutil.which("openssl") is None:
        pytest.skip("no openssl command here, which the agent asks for the chain as on ESXi")
    yield from _serve(tmp_path, "127.0.0.2")


@pytest.mark.parametrize("spelling", [str, lambda pin: "SHA256:" + ":".join(pin[at : at + 2] for at in range(0, 64, 2)).upper()])
def test_the_pinned_ca_is_fetched_checked_and_kept(spelling: object, server: Listening, tmp_path: Path) -> None:
    one = agent.Server(server.url, str(tmp_path), spelling(server.pin), None)  # type: ignore[operator]
    assert one.post("/x", b"hello", {})[0] == 200
    assert (tmp_path / "ca.pem").is_file()
    before = (tmp_path / "ca.pem").stat().st_mtime_ns
    assert one.post("/x", b"again", {})[0] == 200
    assert (tmp_path / "ca.pem").stat().st_mtime_ns == before
    assert server.asked == ["hello", "again"]


def test_another_pin_sends_nothing(server: Listening, tmp_path: Path) -> None:
    with pytest.raises(agent.AgentError, match="nothing was sent"):
        agent.Server(server.url, str(tmp_path), "00" * 32, None).post("/x", b"secret", {})
    assert server.asked == []
    assert not (tmp_path / "ca.pem").exists()


def test_without_a_pin_an_unknown_ca_is_refused(server: Listening, tmp_path: Path) -> None:
    with pytest.raises(ssl.SSLCertVerificationError):
        agent.Server(server.url, str(tmp_path), None, None).post("/x", b"secret", {})
    assert server.asked == []


def test_the_name_is_checked_too(misnamed: Listening, tmp_path: Path) -> None:
    with pytest.raises(ssl.SSLCertVerificationError):
        agent.Server(misnamed.url, str(tmp_path), misnamed.pin, None).post("/x", b"secret", {})
    assert misnamed.asked == []


def test_a_kept_ca_of_another_pin_is_replaced_only_by_the_pinned_one(server: Listening, tmp_path: Path) -> None:
    other = _pem(_certificate("another CA", None)[0])
    (tmp_path / "ca.pem").write_text(other)
    assert agent.Server(server.url, str(tmp_path), server.pin, None).post("/x", b"hello", {})[0] == 200
    assert (tmp_path / "ca.pem").read_text() != other
