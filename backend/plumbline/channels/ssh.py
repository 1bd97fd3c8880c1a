"""SSH to ESXi hosts (paramiko) with a pinned host key, one authentication method per attempt, and a deadline over both streams."""

import hashlib
import io
import select
import threading
import time
from base64 import b64decode, b64encode
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

import paramiko
from paramiko import Transport

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
from plumbline.infra.outbound import connect_to_host

# Weak algorithms that paramiko 5.1 still offers: CBC and 3DES, MD5 and truncated MACs, SHA-1 key exchange.
_WEAK = {
    "ciphers": ["3des-cbc", "aes128-cbc", "aes192-cbc", "aes256-cbc"],
    "macs": ["hmac-md5", "hmac-md5-96", "hmac-sha1-96"],
    "kex": ["diffie-hellman-group1-sha1", "diffie-hellman-group14-sha1", "diffie-hellman-group-exchange-sha1"],
    "keys": ["ssh-rsa", "ssh-dss"],
}
_KEY_CLASSES: tuple[type[paramiko.PKey], ...] = (paramiko.Ed25519Key, paramiko.ECDSAKey, paramiko.RSAKey)
_LARGEST_COMMAND = 8000
_LARGEST_OUTPUT = 16 * 1024 * 1024
_PIECE = 32768
# While a command prints nothing, the deadline and the connection are looked at this often.
_QUIET_MS = 250


@dataclass(frozen=True, slots=True)
class SshCredential:
    """An account with a private key (PEM or OpenSSH text) or a password, never both."""

    account: str
    private_key: str = field(default="", repr=False)
    password: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class SshTarget:
    """Where a host listens, and the keys it may show.

    A pin is a public key line (`ssh-ed25519 AAAA…`, as an agent reads it from `/etc/ssh`) or a fingerprint (`SHA256:…`).
    """

    address: str
    port: int = 22
    pins: tuple[str, ...] = ()


class SshChannel:
    """One authenticated connection. Use as a context manager, which always closes it."""

    def __init__(self, target: SshTarget, credential: SshCredential, *, connect_seconds: float = 15.0) -> None:
        self.target = target
        self._credential = credential
        self._seconds = connect_seconds
        self._transport: Transport | None = None

    def __enter__(self) -> Self:
        self.open()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def open(self) -> None:
        """Connects, checks the host's key, and only then authenticates: once, by one method."""
        if not self.target.pins:
            raise HostIdentityUnknown(f"Host key of {self.target.address} not verified; nothing was sent")
        deadline = time.monotonic() + self._seconds
        try:
            connection = connect_to_host(self.target.address, self.target.port, seconds=self._seconds)
        except OSError as error:
            raise HostUnreachable(f"{self.target.address}:{self.target.port} is unreachable: {error}") from error
        try:
            transport = Transport(connection, disabled_algorithms=_WEAK)  # type: ignore[no-untyped-call, unused-ignore]
        except BaseException:
            connection.close()
            raise
        self._transport = transport
        try:
            self._negotiate(transport, deadline)
            self._authenticate(transport, deadline)
        except BaseException:
            self.close()
            raise

    def _negotiate(self, transport: Transport, deadline: float) -> None:
        transport.banner_timeout = transport.handshake_timeout = max(1.0, deadline - time.monotonic())
        pinned_types = _key_types(self.target.pins)
        offered = transport.get_security_options()
        known = [name for name in offered.key_types if name in pinned_types]
        if known:
            # The host may offer only kinds of key that are pinned, so that it does not choose another of its keys.
            offered.key_types = known
        try:
            transport.start_client(timeout=max(1.0, deadline - time.monotonic()))
        except paramiko.SSHException as error:
            if known and "no acceptable host key" in str(error).lower():
                raise HostIdentityWrong(f"{self.target.address} no longer offers the verified key type; nothing was sent") from error
            raise HostUnreachable(f"no SSH algorithms in common with {self.target.address}: {error}") from error
        except (OSError, EOFError) as error:
            raise HostUnreachable(f"{self.target.address} closed the connection: {error}") from error
        try:
            shown = transport.get_remote_server_key()
        except paramiko.SSHException as error:
            # paramiko returns without an error when the timeout ends before the key exchange does.
            raise HostUnreachable(f"{self.target.address} did not finish the SSH handshake in time") from error
        if not any(_is_same(pin, shown) for pin in self.target.pins):
            presented = f"{self.target.address} presented host key {fingerprint(shown.asbytes())}"
            raise HostIdentityWrong(f"{presented}, which does not match the verified key; nothing was sent")

    def _authenticate(self, transport: Transport, deadline: float) -> None:
        account = self._credential.account
        transport.auth_timeout = max(1.0, deadline - time.monotonic())
        try:
            offered = _offered(transport, account)
            if self._credential.private_key:
                if "publickey" not in offered:
                    raise AuthenticationRejected(f"{self.target.address} doesn't accept keys, only {', '.join(offered)}; nothing was sent")
                transport.auth_publickey(account, load_key(self._credential.private_key))
            elif "password" in offered:
                transport.auth_password(account, self._credential.password, fallback=False)
            elif "keyboard-interactive" in offered:
                # One attempt: sending the same secret by both methods would count as two failures towards the lockout.
                transport.auth_interactive(account, self._answers)
            else:
                raise AuthenticationRejected(f"{self.target.address} doesn't accept passwords, only {', '.join(offered)}; nothing was sent")
        except paramiko.AuthenticationException as error:
            raise AuthenticationRejected(f"{self.target.address} rejected the credential of {account}: {error}") from error
        except (paramiko.SSHException, OSError, EOFError) as error:
            raise HostUnreachable(f"{self.target.address} closed the connection during authentication: {error}") from error
        if not transport.is_authenticated():
            raise AuthenticationRejected(f"{self.target.address} requires more than one credential of {account}")

    def _answers(self, _title: str, _instructions: str, prompts: Sequence[tuple[str, bool]]) -> list[str]:
        return [self._credential.password for _ in prompts[:1]] + ["" for _ in prompts[1:]]

    def run(
        self, command: str, *, stdin: bytes = b"", deadline_seconds: float, on_output: Callable[[bytes], None] = ignore_output
    ) -> CommandResult:
        """Runs one command and returns both streams, complete; `on_output` gets each piece of standard output as soon as it comes.

        Raises HostUnreachable or HostBusy where the command was not sent; OutcomeUnknown where it was and no exit code came.
        """
        if len(command) > _LARGEST_COMMAND:
            raise CommandRefused(f"a command line of {len(command)} characters is too long ({_LARGEST_COMMAND})")
        began = time.monotonic()
        channel = self._channel(min(deadline_seconds, self._seconds))
        try:
            try:
                _exec(channel, command, deadline_seconds)
            except (paramiko.SSHException, OSError, EOFError) as error:
                raise OutcomeUnknown(f"{self.target.address} gave no answer to the command: {error or type(error).__name__}") from error
            return self._wait(channel, stdin, began, began + deadline_seconds, on_output)
        finally:
            channel.close()

    def _channel(self, seconds: float) -> paramiko.Channel:
        if self._transport is None or not self._transport.is_active():
            raise HostUnreachable(f"the connection to {self.target.address} is gone")
        try:
            return self._transport.open_session(timeout=seconds)
        except paramiko.ChannelException as error:
            raise HostBusy(f"{self.target.address} opens no further session: {error}") from error
        except (paramiko.SSHException, OSError, EOFError) as error:
            raise HostUnreachable(f"{self.target.address} refused a session: {error}") from error

    def _wait(
        self, channel: paramiko.Channel, stdin: bytes, began: float, deadline: float, on_output: Callable[[bytes], None]
    ) -> CommandResult:
        """Feeds stdin and drains both streams until the exit code is there. paramiko's own wait has no time limit."""
        out, errors, left = bytearray(), bytearray(), memoryview(stdin)
        is_open, pause = True, 0.002
        try:
            channel.setblocking(0)
            while True:
                moved = False
                if left and channel.send_ready():
                    left = left[channel.send(bytes(left[:_PIECE])) :]
                    moved = True
                if not left and is_open:
                    channel.shutdown_write()
                    is_open = False
                while channel.recv_ready():
                    piece = channel.recv(_PIECE)
                    out += piece
                    on_output(piece)
                    moved = True
                while channel.recv_stderr_ready():
                    errors += channel.recv_stderr(_PIECE)
                    moved = True
                if len(out) + len(errors) > _LARGEST_OUTPUT:
                    raise OutcomeUnknown(f"{self.target.address} printed more than {_LARGEST_OUTPUT} bytes")
                if channel.exit_status_ready() and channel.eof_received and not channel.recv_ready() and not channel.recv_stderr_ready():
                    break
                if channel.closed or self._transport is None or not self._transport.is_active():
                    if channel.exit_status_ready():
                        break
                    raise OutcomeUnknown(f"the connection to {self.target.address} broke while the command ran")
                if time.monotonic() > deadline:
                    raise OutcomeUnknown(f"{self.target.address} didn't finish the command within {deadline - began:.0f} s")
                if moved:
                    pause = 0.002
                elif left or channel.eof_received:
                    # Room to send and the exit code announce themselves by nothing that could be waited for.
                    pause = min(pause * 1.5, 0.05)
                    time.sleep(pause)
                else:
                    poll = select.poll()
                    poll.register(channel.fileno(), select.POLLIN)
                    poll.poll(_QUIET_MS)
        except ChannelError:
            raise
        except (paramiko.SSHException, OSError, EOFError) as error:
            raise OutcomeUnknown(f"the connection to {self.target.address} broke while the command ran: {error}") from error
        code = channel.exit_status
        if code < 0:
            raise OutcomeUnknown(f"{self.target.address} ended the session without an exit code")
        return CommandResult(code, bytes(out), bytes(errors), time.monotonic() - began)

    def close(self) -> None:
        """Ends the connection. A command that still runs on the host continues."""
        transport, self._transport = self._transport, None
        if transport is not None:
            transport.close()


def _exec(channel: paramiko.Channel, command: str, seconds: float) -> None:
    """Has the host start the command. paramiko waits without a limit for the host's answer to that, so the channel is closed in time."""

    def close() -> None:
        # Where the connection is gone too, there is nobody to say it to.
        with suppress(paramiko.SSHException, OSError, EOFError):
            channel.close()

    timer = threading.Timer(seconds, close)
    timer.daemon = True
    channel.settimeout(seconds)
    timer.start()
    try:
        channel.exec_command(command)
    finally:
        timer.cancel()


def shown_fingerprint(address: str, port: int, *, seconds: float = 15.0) -> str:
    """The fingerprint of the key that a host shows; no credential is sent. Raises HostUnreachable.

    It proves nothing by itself: a person compares it with the one on the host's console.
    """
    deadline = time.monotonic() + seconds
    try:
        connection = connect_to_host(address, port, seconds=seconds)
    except OSError as error:
        raise HostUnreachable(f"{address}:{port} is unreachable: {error}") from error
    try:
        transport = Transport(connection, disabled_algorithms=_WEAK)  # type: ignore[no-untyped-call, unused-ignore]
    except BaseException:
        connection.close()
        raise
    try:
        transport.banner_timeout = transport.handshake_timeout = max(1.0, deadline - time.monotonic())
        transport.start_client(timeout=max(1.0, deadline - time.monotonic()))
        return fingerprint(transport.get_remote_server_key().asbytes())
    except (paramiko.SSHException, OSError, EOFError) as error:
        raise HostUnreachable(f"no SSH algorithms in common with {address}: {error or type(error).__name__}") from error
    finally:
        transport.close()


def fingerprint(key: bytes) -> str:
    """`SHA256:…` of a public key blob, as OpenSSH prints it."""
    return "SHA256:" + b64encode(hashlib.sha256(key).digest()).decode().rstrip("=")


def load_key(text: str) -> paramiko.PKey:
    """A private key from its text. Raises CommandRefused for a kind that is not supported."""
    for kind in _KEY_CLASSES:
        try:
            return kind.from_private_key(io.StringIO(text))
        except paramiko.SSHException:
            continue
    raise CommandRefused("The private key can't be read. Use Ed25519, ECDSA or RSA without a passphrase.")


def _offered(transport: Transport, account: str) -> list[str]:
    """The authentication methods that the host offers. Asking for them without a credential does not count as a failed login."""
    try:
        transport.auth_none(account)
    except paramiko.BadAuthenticationType as error:
        return list(error.allowed_types)
    raise AuthenticationRejected(f"{account} can sign in without a credential; unexpected host, nothing was sent")


def _key_types(pins: Sequence[str]) -> set[str]:
    """Key algorithms that the pinned public keys allow; empty where a pin is only a fingerprint."""
    types: set[str] = set()
    for pin in pins:
        kind = pin.split(" ", 1)[0]
        if kind.startswith("SHA256:"):
            return set()
        types |= {"rsa-sha2-256", "rsa-sha2-512"} if kind == "ssh-rsa" else {kind}
    return types


def _is_same(pin: str, shown: paramiko.PKey) -> bool:
    blob = shown.asbytes()
    if pin.startswith("SHA256:"):
        return pin.rstrip("=") == fingerprint(blob)
    parts = pin.split()
    try:
        return len(parts) > 1 and b64decode(parts[1], validate=True) == blob
    except ValueError:
        return False


def pin_fingerprint(pin: str) -> str:
    """A pin as people compare it: a public key line becomes its fingerprint, anything else stays."""
    parts = pin.split()
    if len(parts) < 2:
        return pin
    try:
        return fingerprint(b64decode(parts[1], validate=True))
    except ValueError:
        return pin
