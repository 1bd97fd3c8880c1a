"""The WinRM channel, pywinrm and all, against the lab's WS-Management endpoints."""

import hashlib
import json
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from winrm import transport

from lab.windows.scripts import AGENT, COLLECT_SHA256
from lab.windows.wsman import WsManHost
from plumbline.channels import (
    AuthenticationRejected,
    CommandFailed,
    CommandRefused,
    HostBusy,
    HostIdentityUnknown,
    HostIdentityWrong,
    HostUnreachable,
    OutcomeUnknown,
)
from plumbline.channels.winrm import WinRmChannel, WinRmCredential, WinRmTarget
from plumbline.collection import windows_agent as collecting
from tests.channels.conftest import Certificate, make_certificate

Start = Callable[..., WsManHost]


@pytest.fixture
def credential(client_certificate: Certificate) -> WinRmCredential:
    return WinRmCredential("certificate", certificate=client_certificate.certificate, private_key=client_certificate.private_key)


@pytest.fixture
def target(server_certificate: Certificate) -> Callable[[WsManHost], WinRmTarget]:
    return lambda endpoint: WinRmTarget("127.0.0.1", endpoint.port, certificate_sha256=server_certificate.sha256)


def _collect(channel: WinRmChannel, **options: float) -> str:
    done = channel.run(*collecting.command_line(), stdin=collecting.standard_input(), deadline_seconds=options.get("deadline_seconds", 30))
    return done.text(what="the agent")


def _is_clean(endpoint: WsManHost) -> bool:
    return endpoint.shells == {} and endpoint.opened == endpoint.closed > 0


@dataclass
class Answering:
    """A server that gives every request the same answer, and counts them."""

    port: int
    asked: int = 0


@contextmanager
def answering(status: int, *, location: str = "", context: ssl.SSLContext | None = None) -> Iterator[Answering]:
    class Handler(BaseHTTPRequestHandler):
        def answer(self) -> None:
            seen.asked += 1
            self.send_response(status)
            if location:
                self.send_header("Location", location)
            self.send_header("Content-Length", "0")
            self.end_headers()

        do_POST = do_GET = answer

        def log_message(self, *_: object) -> None:
            """Says nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        if context is not None:
            server.socket = context.wrap_socket(server.socket, server_side=True)
        seen = Answering(server.server_address[1])
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield seen
        finally:
            server.shutdown()
            thread.join(10)


def test_a_collection_answers_the_whole_check_in_and_leaves_no_shell(windows: Start, credential: WinRmCredential, target: Callable) -> None:
    endpoint = windows()
    with WinRmChannel(target(endpoint), credential) as channel:
        lines = _collect(channel).splitlines()
    sections = json.loads(lines[0])["sections"]
    digests = {hashlib.sha256(line.encode()).hexdigest() for line in lines[1:]}
    assert {section["sha256"] for section in sections.values()} == digests
    assert _is_clean(endpoint)


def test_a_ca_file_is_trusted_too(windows: Start, credential: WinRmCredential, server_certificate: Certificate) -> None:
    endpoint = windows()
    trusted = WinRmTarget("127.0.0.1", endpoint.port, ca_file=str(server_certificate.certificate_file))
    with WinRmChannel(trusted, credential) as channel:
        assert _collect(channel)


def test_output_in_many_pieces_is_put_together(windows: Start, credential: WinRmCredential, target: Callable) -> None:
    endpoint = windows()
    endpoint.faults.drip_bytes = 20_000
    with WinRmChannel(target(endpoint), credential) as channel:
        assert len(_collect(channel)) > 20_000


def test_the_lab_knows_the_bootstrap_by_its_hash() -> None:
    text = (Path(collecting.__file__).parent / "bootstrap.ps1").read_text("utf-8")
    assert hashlib.sha256(text.encode()).hexdigest() == COLLECT_SHA256


def test_a_damaged_file_is_not_run(windows: Start, credential: WinRmCredential, target: Callable) -> None:
    endpoint = windows()
    with WinRmChannel(target(endpoint), credential) as channel:
        done = channel.run(*collecting.command_line(), stdin=b"0" * 64 + b"\n" + AGENT.read_bytes(), deadline_seconds=20)
        assert done.exit == 90
        with pytest.raises(CommandFailed, match="damaged"):
            done.text(what="the agent")
    assert _is_clean(endpoint)


def test_a_command_that_hangs_ends_at_the_deadline_and_its_shell_is_closed(
    windows: Start, credential: WinRmCredential, target: Callable
) -> None:
    endpoint = windows()
    endpoint.faults.hang = True
    began = time.monotonic()
    with WinRmChannel(target(endpoint), credential) as channel, pytest.raises(OutcomeUnknown, match="didn't finish the command"):
        _collect(channel, deadline_seconds=1)
    # One Receive is in flight when the time is over; it lasts at most five seconds on the host.
    assert time.monotonic() - began < 9
    assert _is_clean(endpoint)


def test_a_connection_that_breaks_is_unknown_and_the_shell_is_closed_over_a_new_one(
    windows: Start, credential: WinRmCredential, target: Callable
) -> None:
    endpoint = windows()
    endpoint.faults.drop_receive = True
    with WinRmChannel(target(endpoint), credential) as channel, pytest.raises(OutcomeUnknown):
        _collect(channel)
    assert _is_clean(endpoint)


def test_empty_output_with_exit_code_0_is_unknown(windows: Start, credential: WinRmCredential, target: Callable) -> None:
    endpoint = windows()
    endpoint.faults.empty_success = True
    with WinRmChannel(target(endpoint), credential) as channel, pytest.raises(OutcomeUnknown, match="printed nothing"):
        _collect(channel)
    assert _is_clean(endpoint)


def test_the_shell_quota_says_busy_and_opens_nothing(windows: Start, credential: WinRmCredential, target: Callable) -> None:
    endpoint = windows()
    endpoint.faults.shell_quota = 0
    with WinRmChannel(target(endpoint), credential) as channel, pytest.raises(HostBusy) as caught:
        _collect(channel)
    assert caught.value.is_retryable
    assert endpoint.opened == 0


def test_more_calls_than_the_quota_do_not_use_it_up(windows: Start, credential: WinRmCredential, target: Callable) -> None:
    endpoint = windows()
    with WinRmChannel(target(endpoint), credential) as channel:
        for _ in range(32):
            assert channel.run("ver", deadline_seconds=10).exit == 1
    assert endpoint.opened == endpoint.closed == 32


def test_an_unknown_certificate_stops_before_signing_in(windows: Start, credential: WinRmCredential) -> None:
    endpoint = windows()
    with pytest.raises(HostIdentityWrong):
        WinRmChannel(WinRmTarget("127.0.0.1", endpoint.port, certificate_sha256="00" * 32), credential).open()
    assert endpoint.host.read_journal() == []


def test_a_certificate_of_another_ca_stops_before_signing_in(
    windows: Start, credential: WinRmCredential, client_certificate: Certificate
) -> None:
    endpoint = windows()
    with pytest.raises(HostIdentityWrong):
        WinRmChannel(WinRmTarget("127.0.0.1", endpoint.port, ca_file=str(client_certificate.certificate_file)), credential).open()
    assert endpoint.host.read_journal() == []


@pytest.mark.parametrize("kind", ["certificate", "ntlm"])
def test_a_certificate_for_another_name_stops_before_anything_is_sent(
    windows: Start, credential: WinRmCredential, server_certificate: Certificate, kind: str
) -> None:
    """The CA is the right one; the host that answers at this address is not the one that the certificate is for."""
    endpoint = windows(address="127.0.0.2")
    used = credential if kind == "certificate" else WinRmCredential("ntlm", account="LAB\\svc", password="right")
    target = WinRmTarget("127.0.0.2", endpoint.port, ca_file=str(server_certificate.certificate_file))
    with pytest.raises(HostIdentityWrong, match="not trusted"), WinRmChannel(target, used) as channel:
        _collect(channel)
    assert (endpoint.opened, endpoint.host.read_journal()) == (0, [])


@pytest.mark.parametrize("status", [301, 302, 307, 308])
@pytest.mark.parametrize("kind", ["certificate", "ntlm"])
@pytest.mark.parametrize("is_pinned", [True, False])
def test_a_redirect_is_not_followed(
    credential: WinRmCredential, server_certificate: Certificate, status: int, kind: str, is_pinned: bool
) -> None:
    """The host with the right certificate sends us on, to a machine whose certificate nobody checked."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(server_certificate.certificate_file, server_certificate.key_file)
    used = credential if kind == "certificate" else WinRmCredential("ntlm", account="LAB\\svc", password="right")
    with answering(200) as elsewhere, answering(status, location=f"http://127.0.0.1:{elsewhere.port}/wsman", context=context) as host:
        pin = {"certificate_sha256": server_certificate.sha256} if is_pinned else {"ca_file": str(server_certificate.certificate_file)}
        with (
            pytest.raises(HostUnreachable, match="redirects to another address"),
            WinRmChannel(WinRmTarget("127.0.0.1", host.port, **pin), used) as channel,
        ):
            _collect(channel)
        assert (host.asked > 0, elsewhere.asked) == (True, 0)


@pytest.mark.skipif(transport.HAVE_KERBEROS, reason="the extra for Kerberos is installed")
def test_kerberos_without_its_extra_says_what_to_install_and_sends_nothing(windows: Start, target: Callable) -> None:
    endpoint = windows()
    with pytest.raises(CommandRefused, match=r"plumbline\[kerberos\]"):
        WinRmChannel(target(endpoint), WinRmCredential("kerberos", account="svc@EXAMPLE.NET")).open()
    assert endpoint.opened == 0


def test_without_a_certificate_on_record_nothing_is_sent(windows: Start, credential: WinRmCredential) -> None:
    endpoint = windows()
    with pytest.raises(HostIdentityUnknown):
        WinRmChannel(WinRmTarget("127.0.0.1", endpoint.port), credential).open()


def test_a_wrong_credential_is_said_so(windows: Start, target: Callable, tmp_path) -> None:
    endpoint = windows()
    other = make_certificate(tmp_path, "stranger")
    wrong = WinRmCredential("certificate", certificate=other.certificate, private_key=other.private_key)
    with WinRmChannel(target(endpoint), wrong) as channel, pytest.raises(AuthenticationRejected):
        _collect(channel)
    assert endpoint.opened == 0


def test_a_password_over_ntlm_that_the_host_refuses_is_rejected(windows: Start, target: Callable) -> None:
    endpoint = windows()
    with (
        WinRmChannel(target(endpoint), WinRmCredential("ntlm", account="LAB\\svc", password="wrong")) as channel,
        pytest.raises(AuthenticationRejected),
    ):
        _collect(channel)
    assert (endpoint.opened, endpoint.refused_log_ins) == (0, 1)


def test_a_password_over_ntlm_signs_in(windows: Start, target: Callable) -> None:
    endpoint = windows()
    with WinRmChannel(target(endpoint), WinRmCredential("ntlm", account="LAB\\svc", password="right")) as channel:
        assert _collect(channel)
    assert _is_clean(endpoint)
    assert endpoint.refused_log_ins == 0


def test_basic_is_refused_by_name(windows: Start, target: Callable) -> None:
    with pytest.raises(CommandRefused):
        WinRmChannel(target(windows()), WinRmCredential("basic", account="a", password="b")).open()  # type: ignore[arg-type]


def test_an_over_long_command_is_not_sent(windows: Start, credential: WinRmCredential, target: Callable) -> None:
    endpoint = windows()
    with WinRmChannel(target(endpoint), credential) as channel, pytest.raises(CommandRefused):
        channel.run("cmd", ("x" * 8001,), deadline_seconds=5)
    assert endpoint.opened == 0


def test_nobody_listens(credential: WinRmCredential) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with pytest.raises(HostUnreachable) as caught:
        WinRmChannel(WinRmTarget("127.0.0.1", port, certificate_sha256="00" * 32), credential).open()
    assert caught.value.is_retryable
