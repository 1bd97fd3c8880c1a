"""The local CA: made once, its certificate verifies in a real TLS handshake, the server's is renewed for a new name."""

import hashlib
import socket
import ssl
import threading
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import serialization

from plumbline.ops.local_ca import local_certificate


def test_pin_is_the_hash_of_the_ca_that_the_server_sends(tmp_path: Path) -> None:
    chain, key, pin = local_certificate(tmp_path, "127.0.0.1")
    certificates = x509.load_pem_x509_certificates(chain.read_bytes())
    assert len(certificates) == 2
    assert hashlib.sha256(certificates[1].public_bytes(serialization.Encoding.DER)).hexdigest() == pin
    assert key.stat().st_mode & 0o077 == 0


def test_handshake_with_the_ca_as_only_root(tmp_path: Path) -> None:
    chain, key, _ = local_certificate(tmp_path, "127.0.0.1")
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(chain, key)
    listener = socket.create_server(("127.0.0.1", 0))

    def answer() -> None:
        connection, _ = listener.accept()
        with server.wrap_socket(connection, server_side=True) as wrapped:
            wrapped.sendall(b"x")

    thread = threading.Thread(target=answer)
    thread.start()
    client = ssl.create_default_context(cafile=str(tmp_path / "ca.pem"))
    with socket.create_connection(listener.getsockname()) as raw, client.wrap_socket(raw, server_hostname="127.0.0.1") as wrapped:
        assert wrapped.recv(1) == b"x"
    thread.join()
    listener.close()


def test_kept_for_the_same_name_and_renewed_for_another(tmp_path: Path) -> None:
    first = local_certificate(tmp_path, "127.0.0.1")[0].read_bytes()
    assert local_certificate(tmp_path, "127.0.0.1")[0].read_bytes() == first
    chain, _, pin = local_certificate(tmp_path, "10.1.2.3")
    assert chain.read_bytes() != first
    assert local_certificate(tmp_path, "127.0.0.1")[2] == pin
