"""Reads one host over its channel and posts its data to the check-in endpoint."""

import json
import ssl
from collections.abc import Callable
from dataclasses import dataclass

import httpx
import structlog
from sqlmodel import Session, col, text, update

from plumbline import vault
from plumbline.channels import AuthenticationRejected, ChannelError, CommandFailed
from plumbline.channels.runner import ConstrainedLanguage
from plumbline.collection import endpoints, esxi_agent, leases, login_limits, windows_agent
from plumbline.collection.connections import wait_seconds
from plumbline.collection.open_channel import HostAccess, over_ssh, over_winrm
from plumbline.collection.post_check_in import CheckInRefused, Identity, Posted, post
from plumbline.infra.database import session_scope
from plumbline.infra.errors import Conflict, PlumblineError
from plumbline.infra.settings import get_settings
from plumbline.models.collection import CollectionEndpoint
from plumbline.models.vault import VaultSecret

log = structlog.get_logger()

# Longer than any reading: the lease is not renewed past it.
_LONGEST_SECONDS = 300.0


class HostTakenOver(Conflict):
    """The lease ended while this worker was suspended, and another one reads the host now."""


@dataclass(frozen=True, slots=True)
class CollectionResult:
    """The result of one collection; `error` is empty where there is a receipt."""

    host_id: str
    seq: int
    receipt: str = ""
    error: str = ""


@dataclass(frozen=True, slots=True)
class _Reading:
    endpoint: CollectionEndpoint
    access: HostAccess
    identity: Identity
    ticket: login_limits.Ticket
    interval_seconds: int


def collect(host_id: str, *, client: httpx.Client | None = None) -> CollectionResult | None:
    """Reads a host now; None where another worker is reading it, or where Plumbline is not its source.

    Errors are written to the endpoint and returned, not raised, since a task has no caller to raise to.
    """
    with session_scope() as session:
        endpoint = endpoints.take_lease(session, host_id)
    if endpoint is None:
        return None
    lease = leases.Lease(CollectionEndpoint, host_id, endpoint.claimed_until)
    try:
        with lease.kept(_LONGEST_SECONDS):
            interval, posted = _read(endpoint, lease, client)
    except PlumblineError as error:
        _note(host_id, lease, failed=error)
        return CollectionResult(host_id, endpoint.last_seq, error=error.message)
    _note(host_id, lease, interval_seconds=posted.next_seconds or interval, rotated=posted.rotated)
    return CollectionResult(host_id, endpoint.last_seq, receipt=posted.receipt)


def _read(endpoint: CollectionEndpoint, lease: leases.Lease, client: httpx.Client | None) -> tuple[int, Posted]:
    """Reads and posts under the lease. Returns the host's interval in seconds and the receipt. Raises `PlumblineError`s of all parts."""
    with session_scope() as session:
        reading = _prepare(session, endpoint)
    try:
        printed = read_over(reading.access)
    except ChannelError as error:
        is_in = isinstance(error, CommandFailed | ConstrainedLanguage)
        outcome = "rejected" if isinstance(error, AuthenticationRejected) else "accepted" if is_in else "not_tried"
        _settle_login(reading, outcome)
        raise
    _settle_login(reading, "accepted")
    # After a lost lease a later check-in may have gone out already, and this one's smaller number would look like a cloned host.
    if not lease.renew():
        raise HostTakenOver("another worker began to read this host before this one had ended")
    return reading.interval_seconds, _post(reading, printed, client)


def _prepare(session: Session, endpoint: CollectionEndpoint) -> _Reading:
    """All that is needed before the host is contacted, in one transaction that is committed before the first byte is sent."""
    credential = session.get_one(VaultSecret, endpoint.credential_id)
    values = vault.reveal(session, endpoint.credential_id, purpose="collection")
    if endpoint.check_in_secret_id is None:
        raise vault.SecretUnusable("the host has no check-in secret: add it for collection again")
    secret = vault.reveal(session, endpoint.check_in_secret_id, purpose=f"check_in:{endpoint.host_id}")["secret"]
    ticket = login_limits.take(session, credential_id=endpoint.credential_id, address=endpoint.address)
    interval = session.execute(text("SELECT interval_seconds FROM host WHERE id = :id"), {"id": endpoint.host_id}).scalar_one()
    identity = Identity(endpoint.host_id, endpoint.epoch, endpoint.generation, secret)
    return _Reading(endpoint, HostAccess.of(endpoint, credential, values), identity, ticket, int(interval))


def read_over(access: HostAccess) -> str:
    """What the agent's file prints when it is run on the host; nothing stays there. Raises a ChannelError."""
    readers: dict[str, Callable[[HostAccess], str]] = {"ssh": _over_ssh, "winrm": _over_winrm}
    return readers[access.channel](access)


def _over_ssh(access: HostAccess) -> str:
    with over_ssh(access) as channel:
        done = channel.run(
            esxi_agent.command_line("--collect-only"), stdin=esxi_agent.standard_input(), deadline_seconds=esxi_agent.DEADLINE_SECONDS
        )
    return done.text(what="the agent")


def _over_winrm(access: HostAccess) -> str:
    with over_winrm(access) as channel:
        done = channel.run(
            *windows_agent.command_line(), stdin=windows_agent.standard_input(), deadline_seconds=windows_agent.DEADLINE_SECONDS
        )
    if done.exit == windows_agent.CONSTRAINED:
        raise ConstrainedLanguage(access.address)
    return done.text(what="the agent")


def _post(reading: _Reading, printed: str, client: httpx.Client | None) -> Posted:
    # A Windows console ends lines with CR LF; digests are over the line without either.
    lines = [line.rstrip("\r").encode() for line in printed.split("\n") if line.strip()]
    if not _is_envelope(lines[0]):
        raise CheckInRefused(f"the host printed something else than a check-in: {printed.strip()[:120]!r}")
    if client is not None:
        return post(client, reading.identity, seq=reading.endpoint.last_seq, line=lines[0], bodies=lines[1:])
    settings = get_settings()
    authority = settings.keys / "ca.pem"
    trusted = ssl.create_default_context(cafile=authority if settings.ca_pin and authority.exists() else None)
    with httpx.Client(base_url=settings.public_url, timeout=30, trust_env=False, verify=trusted) as own:
        return post(own, reading.identity, seq=reading.endpoint.last_seq, line=lines[0], bodies=lines[1:])


def _is_envelope(line: bytes) -> bool:
    """False where a banner or a profile script of the account printed first. The check-in endpoint checks the rest."""
    try:
        envelope = json.loads(line)
    except ValueError:
        return False
    return isinstance(envelope, dict) and isinstance(envelope.get("sections"), dict)


def _settle_login(reading: _Reading, outcome: str) -> None:
    with session_scope() as session:
        login_limits.settle(session, reading.ticket, outcome=outcome)


def _note(
    host_id: str,
    lease: leases.Lease,
    *,
    failed: PlumblineError | None = None,
    interval_seconds: int = 0,
    rotated: tuple[str, int] | None = None,
) -> None:
    """Ends the lease and sets the next time: after the host's interval, or after growing waits while it fails.

    Where another worker has the lease by now, the row is left as it is.
    """
    with session_scope() as session:
        if not lease.end(session):
            return
        row = session.get_one(CollectionEndpoint, host_id)
        row.last_error, row.last_error_code = (failed.message, failed.code) if failed else ("", "")
        row.failures = row.failures + 1 if failed else 0
        wait = wait_seconds(row.failures) if failed else interval_seconds
        if rotated is not None and row.check_in_secret_id is not None:
            vault.replace_secret(session, row.check_in_secret_id, actor="system", values={"secret": rotated[0]})
            row.generation = rotated[1]
        session.add(row)
        session.flush()
        # Up to a fifth is added at random, so that hosts that failed together are not tried again together.
        session.execute(
            update(CollectionEndpoint)
            .where(col(CollectionEndpoint.host_id) == host_id)
            .values(
                next_at=text(f"clock_timestamp() + interval '{int(wait)} seconds' * (1 + random() * 0.2)"),
                **({} if failed else {"last_ok_at": text("clock_timestamp()")}),
            )
        )
    if failed:
        log.warning("host not read", host=host_id, error=failed.message)
