"""What the API's TLS offers, by real handshakes: authenticated encryption first, nothing anonymous, and the suites of old Windows."""

import socket
import ssl
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import uvicorn
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import NameOID
from typer.testing import CliRunner

from plumbline.cli.server import app
from plumbline.infra import database, pid_files
from plumbline.ops import migrate
from plumbline.ops.tls_suites import TLS_SUITES

SUITES = TLS_SUITES.split(":")


@pytest.fixture(scope="module", params=["ECDSA", "RSA"])
def served(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, ssl.SSLContext]:
    """The kind of key, and the context that uvicorn makes of our arguments."""
    key = ec.generate_private_key(ec.SECP256R1()) if request.param == "ECDSA" else rsa.generate_private_key(65537, 2048)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    made = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key()).serial_number(1)
    certificate = made.not_valid_before(now - timedelta(days=1)).not_valid_after(now + timedelta(days=1)).sign(key, hashes.SHA256())
    folder = tmp_path_factory.mktemp(f"tls-{request.param}")
    (folder / "cert.pem").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    (folder / "key.pem").write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    config = uvicorn.Config(lambda: None, ssl_certfile=folder / "cert.pem", ssl_keyfile=folder / "key.pem", ssl_ciphers=TLS_SUITES)
    config.load()
    assert config.ssl is not None
    return request.param, config.ssl


def shake_hands(server: ssl.SSLContext, client: ssl.SSLContext) -> tuple[str, str]:
    """Protocol and suite of one handshake over loopback. Raises ssl.SSLError or OSError where there is none."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def answer() -> None:
            connection, _ = listening.accept()
            try:
                with server.wrap_socket(connection, server_side=True) as secure:
                    secure.recv(1)
            except (ssl.SSLError, OSError):
                connection.close()

        thread = threading.Thread(target=answer)
        thread.start()
        try:
            with (
                socket.create_connection(listening.getsockname(), timeout=10) as plain,
                client.wrap_socket(plain, server_hostname="localhost") as secure,
            ):
                suite = secure.cipher()
                assert suite is not None
                return str(secure.version()), suite[0]
        finally:
            thread.join(10)


def client_of(suites: str = "", version: ssl.TLSVersion = ssl.TLSVersion.TLSv1_2) -> ssl.SSLContext:
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    made.check_hostname, made.verify_mode = False, ssl.CERT_NONE
    made.minimum_version = made.maximum_version = version
    if suites:
        made.set_ciphers(suites)
    return made


def test_tls_1_3_and_1_2_are_spoken_with_authenticated_encryption(served: tuple[str, ssl.SSLContext]) -> None:
    kind, context = served
    assert shake_hands(context, client_of(version=ssl.TLSVersion.TLSv1_3))[0] == "TLSv1.3"
    version, suite = shake_hands(context, client_of())
    assert (version, suite) == ("TLSv1.2", f"ECDHE-{kind}-AES256-GCM-SHA384")


@pytest.mark.parametrize("suite", SUITES)
def test_each_suite_is_spoken_with_the_key_it_is_for(served: tuple[str, ssl.SSLContext], suite: str) -> None:
    kind, context = served
    if f"-{kind}-" in suite:
        assert shake_hands(context, client_of(suite)) == ("TLSv1.2", suite)
    else:
        with pytest.raises((ssl.SSLError, OSError)):
            shake_hands(context, client_of(suite))


@pytest.mark.parametrize(
    "suite", ["ECDHE-RSA-AES256-SHA:ECDHE-ECDSA-AES256-SHA", "AES128-GCM-SHA256", "AECDH-AES256-SHA:@SECLEVEL=0", "eNULL:@SECLEVEL=0"]
)
def test_sha_1_anonymous_and_unencrypted_suites_are_not(served: tuple[str, ssl.SSLContext], suite: str) -> None:
    with pytest.raises((ssl.SSLError, OSError)):
        shake_hands(served[1], client_of(suite))


def test_every_suite_is_authenticated_and_has_forward_secrecy(served: tuple[str, ssl.SSLContext]) -> None:
    offered = [each["name"] for each in served[1].get_ciphers() if not each["name"].startswith("TLS_")]
    assert offered == SUITES
    assert all(name.startswith("ECDHE-") and "NULL" not in name for name in offered)
    # Before TLS 1.2 none of them can be chosen, whatever the machine's OpenSSL allows.
    assert {each["protocol"] for each in served[1].get_ciphers()} == {"TLSv1.2", "TLSv1.3"}


def test_the_command_serves_with_them(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    given: dict[str, object] = {}
    monkeypatch.setattr(uvicorn, "run", lambda *_, **options: given.update(options))
    monkeypatch.setattr(database, "wait_for_database", lambda: None)
    monkeypatch.setattr(migrate, "require_present_revision", lambda: None)
    monkeypatch.setattr(pid_files, "note_pid", lambda: None)
    done = CliRunner().invoke(app, ["api", "--certificate", str(tmp_path / "c.pem"), "--certificate-key", str(tmp_path / "k.pem")])
    assert done.exit_code == 0, done.output
    assert given["ssl_ciphers"] == TLS_SUITES
