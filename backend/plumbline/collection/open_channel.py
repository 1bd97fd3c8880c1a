"""Opens a channel to a host: its address, what proves its identity, and an opened credential for as long as one session lasts."""

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Self

from plumbline.channels import CommandRefused
from plumbline.channels.ssh import SshChannel, SshCredential, SshTarget
from plumbline.channels.winrm import WinRmChannel, WinRmCredential, WinRmTarget
from plumbline.models.collection import CollectionEndpoint
from plumbline.models.vault import VaultSecret

_SIGN_IN_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class HostAccess:
    """Everything that one session with a host needs."""

    channel: str
    address: str
    port: int
    pins: tuple[str, ...]
    ca_certificate: str
    account: str
    kind: str
    values: Mapping[str, str] = field(repr=False)

    @classmethod
    def of(cls, endpoint: CollectionEndpoint, secret: VaultSecret, values: Mapping[str, str]) -> Self:
        """From an endpoint's row and an opened credential."""
        pins = tuple(endpoint.pins)
        return cls(endpoint.channel, endpoint.address, endpoint.port, pins, endpoint.ca_certificate, secret.account, secret.kind, values)


@contextmanager
def over_ssh(access: HostAccess) -> Iterator[SshChannel]:
    """An authenticated SSH session. Raises a ChannelError."""
    target = SshTarget(access.address, access.port, access.pins)
    credential = SshCredential(access.account, private_key=access.values.get("private_key", ""), password=access.values.get("password", ""))
    with SshChannel(target, credential) as channel:
        yield channel


@contextmanager
def over_winrm(access: HostAccess) -> Iterator[WinRmChannel]:
    """A WinRM channel to a host whose certificate has been checked; it signs in with the first command. Raises a ChannelError."""
    kind = access.kind
    if kind not in ("certificate", "kerberos", "ntlm"):
        raise CommandRefused(f"a credential of kind {kind!r} cannot sign in over WinRM: certificate, kerberos and ntlm can")
    credential = WinRmCredential(
        kind,  # type: ignore[arg-type]
        account=access.account,
        password=access.values.get("password", ""),
        certificate=access.values.get("certificate", ""),
        private_key=access.values.get("private_key", ""),
    )
    with _certificate_file(access.ca_certificate) as authority:
        target = WinRmTarget(
            access.address,
            access.port,
            ca_file=authority,
            certificate_sha256=access.pins[0] if access.pins else "",
        )
        with WinRmChannel(target, credential) as channel:
            yield channel


@contextmanager
def _certificate_file(certificate: str) -> Iterator[str]:
    """The name of a temporary file with the certificate; empty where there is none."""
    if not certificate:
        yield ""
        return
    with tempfile.NamedTemporaryFile("w", suffix=".pem") as file:
        file.write(certificate)
        file.flush()
        yield file.name


def sign_in(access: HostAccess) -> None:
    """Signs in once and ends the session. Raises AuthenticationRejected or another ChannelError."""
    if access.channel == "ssh":
        with over_ssh(access):
            return
    with over_winrm(access) as channel:
        channel.sign_in(deadline_seconds=_SIGN_IN_SECONDS)
