"""How a host is reached: its place, what proves that it is the host, and a credential in the clear for as long as one session lasts."""

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Self

from plumbline.channels import CommandRefused
from plumbline.channels.ssh import SshChannel, SshCredential, SshPlace
from plumbline.channels.winrm import WinRmChannel, WinRmCredential, WinRmPlace
from plumbline.models.collection import CollectionEndpoint
from plumbline.models.vault import VaultSecret

_SIGN_IN_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Reach:
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
def over_ssh(reach: Reach) -> Iterator[SshChannel]:
    """An authenticated SSH session. Raises a ChannelError."""
    place = SshPlace(reach.address, reach.port, reach.pins)
    credential = SshCredential(reach.account, private_key=reach.values.get("private_key", ""), password=reach.values.get("password", ""))
    with SshChannel(place, credential) as channel:
        yield channel


@contextmanager
def over_winrm(reach: Reach) -> Iterator[WinRmChannel]:
    """A WinRM channel to a host that was made sure of; it signs in with the first command. Raises a ChannelError."""
    kind = reach.kind
    if kind not in ("certificate", "kerberos", "ntlm"):
        raise CommandRefused(f"a credential of kind {kind!r} cannot sign in over WinRM: certificate, kerberos and ntlm can")
    credential = WinRmCredential(
        kind,  # type: ignore[arg-type]
        account=reach.account,
        password=reach.values.get("password", ""),
        certificate=reach.values.get("certificate", ""),
        private_key=reach.values.get("private_key", ""),
    )
    with _kept(reach.ca_certificate) as authority:
        place = WinRmPlace(
            reach.address,
            reach.port,
            ca_file=authority,
            certificate_sha256=reach.pins[0] if reach.pins else "",
        )
        with WinRmChannel(place, credential) as channel:
            yield channel


@contextmanager
def _kept(certificate: str) -> Iterator[str]:
    """The name of a file that holds a certificate meanwhile; empty where there is none."""
    if not certificate:
        yield ""
        return
    with tempfile.NamedTemporaryFile("w", suffix=".pem") as file:
        file.write(certificate)
        file.flush()
        yield file.name


def sign_in(reach: Reach) -> None:
    """Signs in once and ends the session. Raises AuthenticationRejected or another ChannelError."""
    if reach.channel == "ssh":
        with over_ssh(reach):
            return
    with over_winrm(reach) as channel:
        channel.sign_in(deadline_seconds=_SIGN_IN_SECONDS)
