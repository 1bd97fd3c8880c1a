"""The pinned CA: a real TLS server with a CA and a certificate of its own, real sockets."""

import datetime
import http.server
import ipaddress
import os
import shutil
import ssl
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.agents.esxi.old_pythons import VERSIONS, missing, old_python
from tests.agents.esxi.workbench import AGENT, NO_LOCALE, agent


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


# The Pythons of ESXi hosts. A 2.7 of today has contexts; one of ESXi 6.0 has not, so they are taken from it here.
POST = """
import ssl, sys
if sys.version_info[0] == 2 and hasattr(ssl, "create_default_context"):
    del ssl.create_default_context
path, url, state, pin = sys.argv[1:5]
names = {"__name__": "host_agent", "__file__": path}
with open(path, "rb") as source:
    exec(compile(source.read(), path, "exec"), names)
try:
    status, _, body = names["Server"](url, state, pin or None, None).post("/x", b"hello", {})
    sys.stdout.write("%d" % status)
except Exception as error:
    sys.stdout.write("%s: %s" % (type(error).__name__, error))
"""


def _post(version: str, server: Listening, state: Path, pin: str | None = None) -> str:
    engine = old_python(version)
    if engine is None:
        pytest.skip(missing(version))
    command = [*engine, "-c", POST, str(AGENT), server.url, str(state), server.pin if pin is None else pin]
    done = subprocess.run(command, capture_output=True, env=os.environ | NO_LOCALE, timeout=60, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


@pytest.mark.parametrize("version", VERSIONS)
def test_an_old_python_checks_the_pinned_ca_and_sends(version: str, server: Listening, tmp_path: Path) -> None:
    assert _post(version, server, tmp_path) == "200"
    assert _post(version, server, tmp_path) == "200"
    assert server.asked == ["hello", "hello"]


@pytest.mark.parametrize("version", VERSIONS)
def test_an_old_python_checks_the_name(version: str, misnamed: Listening, tmp_path: Path) -> None:
    said = _post(version, misnamed, tmp_path)
    assert said.split(":")[0] in ("SSLError", "CertificateError", "SSLCertVerificationError")
    assert misnamed.asked == []


@pytest.mark.parametrize("version", VERSIONS)
def test_an_old_python_refuses_a_chain_of_another_ca(version: str, server: Listening, tmp_path: Path) -> None:
    other = _certificate("another CA", None)[0]
    (tmp_path / "ca.pem").write_text(_pem(other))
    said = _post(version, server, tmp_path, other.fingerprint(hashes.SHA256()).hex())
    assert said.startswith(("SSLError", "SSLCertVerificationError")), said
    assert server.asked == []


@pytest.mark.parametrize("version", ["2.6", "2.7"])
def test_a_python_without_contexts_sends_nothing_without_a_pin(version: str, server: Listening, tmp_path: Path) -> None:
    assert "enrol again with --ca-pin" in _post(version, server, tmp_path, "")
    assert server.asked == []


@pytest.mark.parametrize(
    ("names", "host", "is_it"),
    [
        ((("DNS", "plumbline.example"),), "plumbline.example", True),
        ((("DNS", "PLUMBLINE.example"),), "plumbline.Example", True),
        ((("DNS", "*.example.com"),), "plumbline.example.com", True),
        ((("DNS", "*.example.com"),), "a.plumbline.example.com", False),
        ((("DNS", "*.com"),), "example.com", False),
        ((("DNS", "*.example.com"),), "example.com", False),
        ((("DNS", "10.0.0.1"),), "10.0.0.1", False),
        ((("IP Address", "10.0.0.1"),), "10.0.0.1", True),
        ((("IP Address", "10.0.0.10"),), "10.0.0.1", False),
        ((("IP Address", "0:0:0:0:0:0:0:1\n"),), "::1", True),
        ((("email", "plumbline.example"),), "plumbline.example", False),
        ((), "plumbline.example", False),
    ],
)
def test_names_of_a_certificate(names: tuple[tuple[str, str], ...], host: str, is_it: bool) -> None:
    assert agent.is_certified({"subjectAltName": names, "subject": ((("commonName", host),),)}, host) is is_it


def test_no_certificate_is_for_nobody() -> None:
    assert not agent.is_certified(None, "plumbline.example")
    assert not agent.is_certified({}, "plumbline.example")
