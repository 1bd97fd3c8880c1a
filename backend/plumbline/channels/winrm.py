"""WinRM to Windows hosts (pywinrm): HTTPS only, with the host's certificate validated or pinned, and a deadline for every command.

Supported: client certificate, Kerberos (an extra; it uses the ticket in the worker's own cache, as pywinrm requests none with a password),
and NTLM as a fallback that has to be chosen by name. Refused: Basic, plain HTTP and CredSSP, which give the password to any machine
that answers.
"""

import contextlib
import hashlib
import os
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Literal, Self
from xml.etree.ElementTree import ParseError
from xml.parsers.expat import ExpatError

import requests
from requests.adapters import HTTPAdapter
from winrm import transport
from winrm.exceptions import (
    AuthenticationError,
    WinRMError,
    WinRMOperationTimeoutError,
    WinRMTransportError,
    WSManFaultError,
)
from winrm.protocol import Protocol

from plumbline.channels.errors import (
    AuthenticationRejected,
    ChannelError,
    CommandRefused,
    HostBusy,
    HostIdentityUnknown,
    HostIdentityWrong,
    HostUnreachable,
    OutcomeUnknown,
)
from plumbline.channels.result import CommandResult, ignore_output
from plumbline.infra.connection_watch import watching
from plumbline.infra.outbound import HostWatch, connect_to_host

_LARGEST_COMMAND = 8000
_LARGEST_OUTPUT = 16 * 1024 * 1024
# Base64 and the envelope around it stay under the 150 kB that a host takes in one message.
_PIECE = 64 * 1024
# One Receive waits this long on the host; the deadline is checked in between.
_RECEIVE_SECONDS = 5
_READ_SECONDS = 15
# What pywinrm and its readers of XML raise where a host answers something else than WS-Management, or half an answer.
_NO_WSMAN = (ParseError, ExpatError, StopIteration, AssertionError, AttributeError, LookupError, TypeError, ValueError)
# After a command's deadline, to end the command and close its shell.
_END_SECONDS = 15.0
# Of one answer; it holds a part of the output.
_LARGEST_ANSWER = 4 * 1024 * 1024
# Shells per user, per plug-in, shells of all, users: WS-Management's quota faults.
_QUOTA_FAULTS = {2150859173, 2150859174, 2150859175, 2150859176, 2150859180}
_MOST_SHELLS_A_HOST = 2
_shells: dict[str, threading.BoundedSemaphore] = {}
_shells_lock = threading.Lock()


@dataclass(frozen=True, slots=True)
class WinRmCredential:
    """How Plumbline signs in: a client certificate with its key (PEM texts), or an account with a password over Kerberos or NTLM."""

    kind: Literal["certificate", "kerberos", "ntlm"]
    account: str = ""
    password: str = field(default="", repr=False)
    certificate: str = ""
    private_key: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class WinRmTarget:
    """Where a host listens, and what proves its identity: a CA file (PEM), or the SHA-256 of its certificate."""

    address: str
    port: int = 5986
    ca_file: str = ""
    certificate_sha256: str = ""


class _Limited(HTTPAdapter):
    """Reads of an answer no more than any host sends."""

    def send(self, *args: Any, **kwargs: Any) -> requests.Response:
        """Overrides requests'. Reading the answer raises `requests.ConnectionError` where it is too long."""
        answer = super().send(*args, **kwargs)
        whole = answer.raw.stream

        def limited(*more: Any, **named: Any) -> Iterator[bytes]:
            read = 0
            for part in whole(*more, **named):
                read += len(part)
                if read > _LARGEST_ANSWER:
                    answer.raw.close()
                    raise requests.exceptions.ConnectionError(f"an answer of more than {_LARGEST_ANSWER} bytes")
                yield part

        answer.raw.stream = limited
        return answer


class _Pinned(_Limited):
    """Checks the certificate's fingerprint on every connection, before anything is sent over it."""

    def __init__(self, sha256: str) -> None:
        self._sha256 = sha256
        super().__init__()

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        super().init_poolmanager(*args, assert_fingerprint=self._sha256, assert_hostname=False, **kwargs)


class WinRmChannel:
    """A host's WS-Management endpoint. Each command has a shell of its own, which is always closed."""

    def __init__(self, target: WinRmTarget, credential: WinRmCredential, *, connect_seconds: float = 15.0) -> None:
        self.target = target
        self._credential = credential
        self._seconds = connect_seconds
        self._files: list[int] = []
        self._paths = ("", "")
        # Called as soon as the host has accepted the credential, before a command is sent.
        self.on_signed_in: Callable[[], None] = lambda: None

    def __enter__(self) -> Self:
        self.open()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def open(self) -> None:
        """Checks the host's certificate before any credential is sent."""
        target = self.target
        if not target.ca_file and not target.certificate_sha256:
            raise HostIdentityUnknown(f"Certificate of {target.address} not verified and no trusted CA; nothing was sent")
        if self._credential.kind not in ("certificate", "kerberos", "ntlm"):
            raise CommandRefused(f"WinRM with {self._credential.kind} is not allowed because it exposes the password")
        if self._credential.kind == "kerberos" and not transport.HAVE_KERBEROS:
            raise CommandRefused(
                "Kerberos needs the extra: install plumbline[kerberos] where the executor workers run (gcc and libkrb5-dev build it); "
                "nothing was sent"
            )
        self._check_certificate()
        if self._credential.kind == "certificate":
            self._paths = (self._in_memory(self._credential.certificate), self._in_memory(self._credential.private_key))

    def _check_certificate(self) -> None:
        """A handshake without a credential, so that unreachable, wrong certificate and wrong credential are three different errors."""
        target = self.target
        if target.certificate_sha256:
            # The fingerprint is compared below; there is no chain to check for a certificate that a person confirmed.
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        else:
            context = ssl.create_default_context(cafile=target.ca_file)
        try:
            with (
                connect_to_host(target.address, target.port, seconds=self._seconds) as plain,
                context.wrap_socket(plain, server_hostname=target.address) as connection,
            ):
                shown = hashlib.sha256(connection.getpeercert(binary_form=True) or b"").hexdigest()
        except ssl.SSLCertVerificationError as error:
            raise HostIdentityWrong(
                f"the certificate of {target.address} is not trusted: {error.verify_message}; nothing was sent"
            ) from error
        except OSError as error:
            raise HostUnreachable(f"{target.address}:{target.port} is unreachable: {error}") from error
        if target.certificate_sha256 and shown != _plain(target.certificate_sha256):
            raise HostIdentityWrong(
                f"{target.address} presented certificate {shown}, which does not match the verified one; nothing was sent"
            )

    def _in_memory(self, text: str) -> str:
        """A file that pywinrm can open by name and that never reaches a disk."""
        descriptor = os.memfd_create("plumbline-credential")
        os.write(descriptor, text.encode())
        self._files.append(descriptor)
        return f"/proc/self/fd/{descriptor}"

    def _protocol(self) -> Protocol:
        """A new session: a broken one cannot be used to clean up after itself."""
        target, credential = self.target, self._credential
        protocol = Protocol(
            endpoint=f"https://{target.address}:{target.port}/wsman",
            transport=credential.kind,
            username=credential.account or None,
            password=credential.password or None,
            cert_pem=self._paths[0] or None,
            cert_key_pem=self._paths[1] or None,
            ca_trust_path=target.ca_file,
            server_cert_validation="ignore" if target.certificate_sha256 else "validate",
            read_timeout_sec=_READ_SECONDS,
            operation_timeout_sec=_RECEIVE_SECONDS,
            proxy=None,
        )
        session = protocol.transport.build_session()
        # Only the address whose certificate was checked is called: a redirect could lead the sign-in to another machine, and without TLS.
        session.max_redirects = 0
        session.mount("https://", _Pinned(_plain(target.certificate_sha256)) if target.certificate_sha256 else _Limited())
        return protocol

    def run(
        self,
        command: str,
        arguments: tuple[str, ...] = (),
        *,
        stdin: bytes = b"",
        deadline_seconds: float,
        on_output: Callable[[bytes], None] = ignore_output,
    ) -> CommandResult:
        """Runs one command line and returns both streams, complete; `on_output` gets each piece of standard output as soon as it comes.

        Raises HostUnreachable, HostBusy or AuthenticationRejected where the command was not sent; OutcomeUnknown where it was and its
        end was not seen.
        """
        length = len(" ".join((command, *arguments)))
        if length > _LARGEST_COMMAND:
            # Windows answers a line that is too long with exit code 0 and no output.
            raise CommandRefused(f"a command line of {length} characters is too long ({_LARGEST_COMMAND})")
        began = time.monotonic()
        deadline = began + deadline_seconds
        with _slot(f"{self.target.address}:{self.target.port}", deadline_seconds), _cut_after(deadline - time.monotonic() + _END_SECONDS):
            protocol = self._protocol()
            try:
                shell = self._open_shell(protocol)
                try:
                    self.on_signed_in()
                    return self._in_shell(protocol, shell, (command, arguments), stdin, began, deadline, on_output)
                finally:
                    self._end(protocol, shell, None)
            finally:
                protocol.transport.close_session()

    def sign_in(self, *, deadline_seconds: float) -> None:
        """Opens a shell and closes it, which proves that the credential is accepted; nothing is run.

        Raises AuthenticationRejected, HostUnreachable, HostBusy.
        """
        with _slot(f"{self.target.address}:{self.target.port}", deadline_seconds), _cut_after(deadline_seconds + _END_SECONDS):
            protocol = self._protocol()
            try:
                self._end(protocol, self._open_shell(protocol), None)
            finally:
                protocol.transport.close_session()

    def _open_shell(self, protocol: Protocol) -> str:
        with _channel_errors(self.target.address, is_sent=False):
            return protocol.open_shell(codepage=65001, noprofile=True, idle_timeout="PT60S")

    def _in_shell(
        self,
        protocol: Protocol,
        shell: str,
        line: tuple[str, tuple[str, ...]],
        stdin: bytes,
        began: float,
        deadline: float,
        on_output: Callable[[bytes], None],
    ) -> CommandResult:
        address = self.target.address
        with _channel_errors(address, is_sent=True):
            # Standard input has to be a pipe: in console mode the host would echo and translate it.
            command = protocol.run_command(shell, line[0], line[1], console_mode_stdin=False, skip_cmd_shell=True)
            try:
                with contextlib.suppress(WSManFaultError):
                    # A command that ended reads no more. What it printed says why; a fault of the shell itself is met again below.
                    for at in range(0, len(stdin), _PIECE):
                        _in_time(address, deadline, began)
                        piece = stdin[at : at + _PIECE]
                        protocol.send_command_input(shell, command, piece, end=at + _PIECE >= len(stdin))
                out, errors = bytearray(), bytearray()
                while True:
                    _in_time(address, deadline, began)
                    try:
                        stdout, stderr, code, is_done = protocol.get_command_output_raw(shell, command)
                    except WinRMOperationTimeoutError:
                        # Nothing was printed for a while. pywinrm's own loop would go on for ever.
                        continue
                    out += stdout
                    errors += stderr
                    if stdout:
                        on_output(stdout)
                    if len(out) + len(errors) > _LARGEST_OUTPUT:
                        raise OutcomeUnknown(f"{address} printed more than {_LARGEST_OUTPUT} bytes")
                    if is_done:
                        return CommandResult(code, bytes(out), bytes(errors), time.monotonic() - began)
            finally:
                self._end(protocol, shell, command)

    def _end(self, protocol: Protocol, shell: str, command: str | None) -> None:
        """Ends a command, or closes a shell, since an open one counts towards the account's quota for hours. Where the session is broken,
        a new one is tried once."""
        for session in (protocol, None):
            usable = session or self._protocol()
            try:
                if command is not None:
                    usable.cleanup_command(shell, command)
                else:
                    usable.close_shell(shell, close_session=False)
                return
            except WSManFaultError:
                # The host answered that there is no such command or shell any more.
                return
            except Exception:  # noqa: S112 (a failed clean-up does not change the outcome of the command)
                continue
            finally:
                if session is None:
                    usable.transport.close_session()

    def close(self) -> None:
        """Forgets the credential."""
        for descriptor in self._files:
            os.close(descriptor)
        self._files.clear()


def shown_certificate(address: str, port: int, *, seconds: float = 15.0) -> str:
    """SHA-256 (hex) of the certificate that a host shows; no credential is sent. Raises HostUnreachable."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    try:
        with (
            connect_to_host(address, port, seconds=seconds) as plain,
            context.wrap_socket(plain, server_hostname=address) as connection,
        ):
            return hashlib.sha256(connection.getpeercert(binary_form=True) or b"").hexdigest()
    except OSError as error:
        raise HostUnreachable(f"{address}:{port} is unreachable: {error}") from error


def _plain(sha256: str) -> str:
    return sha256.replace(":", "").lower()


def _in_time(address: str, deadline: float, began: float) -> None:
    if time.monotonic() > deadline:
        raise OutcomeUnknown(f"{address} didn't finish the command within {deadline - began:.0f} s")


@contextlib.contextmanager
def _slot(host: str, seconds: float) -> Iterator[None]:
    """At most two shells a host from this process."""
    with _shells_lock:
        slot = _shells.setdefault(host, threading.BoundedSemaphore(_MOST_SHELLS_A_HOST))
    if not slot.acquire(timeout=seconds):
        raise HostBusy(f"{_MOST_SHELLS_A_HOST} sessions to {host} are open already")
    try:
        yield
    finally:
        slot.release()


@contextlib.contextmanager
def _cut_after(seconds: float) -> Iterator[None]:
    """Shuts down this thread's connections when the time is over: a host that sends a byte now and then would else hold it for ever."""
    watch = HostWatch()
    try:
        with watching(watch, seconds):
            yield
    finally:
        watch.end()


@contextlib.contextmanager
def _channel_errors(address: str, *, is_sent: bool) -> Iterator[None]:
    """Turns the library's exceptions into `ChannelError`s. `is_sent`: the host may have begun to act."""
    try:
        yield
    except ChannelError:
        raise
    except (AuthenticationError, PermissionError) as error:
        # The NTLM library raises PermissionError.
        raise AuthenticationRejected(f"{address} rejected the credential") from error
    except WSManFaultError as error:
        if error.wsman_fault_code in _QUOTA_FAULTS:
            raise HostBusy(f"{address} refused another shell for this account: {error.reason}") from error
        raise (OutcomeUnknown if is_sent else HostUnreachable)(f"{address} returned an error: {error.reason}") from error
    except requests.exceptions.SSLError as error:
        if not is_sent and "ALERT" in str(error).upper():
            # The host's certificate has been checked before, so an alert that it sends now is about the client certificate.
            raise AuthenticationRejected(f"{address} does not take our certificate: {error}"[:300]) from error
        if not is_sent and ("CERTIFICATE_VERIFY_FAILED" in str(error) or "ingerprint" in str(error)):
            raise HostIdentityWrong(f"the certificate of {address} does not match the verified one; nothing was sent") from error
        raise (OutcomeUnknown if is_sent else HostUnreachable)(f"{address} broke the TLS connection: {error}"[:300]) from error
    except requests.exceptions.TooManyRedirects as error:
        raise (OutcomeUnknown if is_sent else HostUnreachable)(f"{address} redirects to another address, which is not followed") from error
    except (requests.exceptions.RequestException, WinRMError, WinRMTransportError, OSError, *_NO_WSMAN) as error:
        reason = f"{type(error).__name__}: {error}"[:300]
        raise (OutcomeUnknown if is_sent else HostUnreachable)(f"unusable response from {address}: {reason}") from error
