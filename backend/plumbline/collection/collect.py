"""Reading one host over its channel and posting what it says through the door."""

import json
import ssl
from collections.abc import Callable
from dataclasses import dataclass

import httpx
import structlog
from sqlmodel import Session, col, text, update

from plumbline import vault
from plumbline.channels import AuthenticationRejected, ChannelError, CommandFailed
from plumbline.collection import endpoints, leases, login_limits, windows_agent
from plumbline.collection.connections import wait_seconds
from plumbline.collection.open_channel import Reach, over_ssh, over_winrm
from plumbline.collection.post_check_in import CheckInRefused, Identity, Posted, post
from plumbline.infra import resources
from plumbline.infra.database import session_scope
from plumbline.infra.errors import Conflict, PlumblineError
from plumbline.infra.settings import get_settings
from plumbline.models.collection import CollectionEndpoint
from plumbline.models.vault import VaultSecret

log = structlog.get_logger()

ESXI_AGENT = resources.AGENTS / "esxi" / "host_agent.py"
# The agent's own limits add up to a minute; the connection comes on top.
ESXI_SECONDS = 90.0
# Python 2 and 3 hosts name their interpreter differently; both read a script from a pipe.
_ESXI_COMMAND = "if command -v python3 >/dev/null 2>&1; then python3 - --collect-only; else python - --collect-only; fi"
# No reading lasts as long, whatever the host does.
_LONGEST_SECONDS = 300.0


class HostTakenOver(Conflict):
    """The claim ran out while the worker slept, and another one reads the host now."""


@dataclass(frozen=True, slots=True)
class Collected:
    """What came of one collection; `error` is empty where the door gave a receipt."""

    host_id: str
    seq: int
    receipt: str = ""
    error: str = ""


@dataclass(frozen=True, slots=True)
class _Task:
    endpoint: CollectionEndpoint
    reach: Reach
    identity: Identity
    ticket: login_limits.Ticket
    interval_seconds: int


def collect(host_id: str, *, client: httpx.Client | None = None) -> Collected | None:
    """Reads a host now; None where another worker is reading it, or where we are not its source.

    What goes wrong is written to the endpoint in words and answered, not raised: a task has nobody to raise to.
    """
    with session_scope() as session:
        endpoint = endpoints.take_lease(session, host_id)
    if endpoint is None:
        return None
    lease = leases.Lease(CollectionEndpoint, host_id, endpoint.claimed_until)
    try:
        with lease.kept(_LONGEST_SECONDS):
            interval, posted = _claimed(endpoint, lease, client)
    except PlumblineError as error:
        _note(host_id, lease, error=error.message)
        return Collected(host_id, endpoint.last_seq, error=error.message)
    _note(host_id, lease, interval_seconds=posted.next_seconds or interval, rotated=posted.rotated)
    return Collected(host_id, endpoint.last_seq, receipt=posted.receipt)


def _claimed(endpoint: CollectionEndpoint, lease: leases.Lease, client: httpx.Client | None) -> tuple[int, Posted]:
    """The host's interval in seconds, and what the door answered. Raises what any part of the way refuses."""
    with session_scope() as session:
        task = _prepare(session, endpoint)
    try:
        printed = read_over(task.reach)
    except ChannelError as error:
        outcome = (
            "rejected" if isinstance(error, AuthenticationRejected) else "accepted" if isinstance(error, CommandFailed) else "not_tried"
        )
        _settle(task, outcome)
        raise
    _settle(task, "accepted")
    # A worker that slept past its claim has a number that the host's next check-in has passed: the door would take it for a clone.
    if not lease.renew():
        raise HostTakenOver("another worker began to read this host before this one had ended")
    return task.interval_seconds, _post(task, printed, client)


def _prepare(session: Session, endpoint: CollectionEndpoint) -> _Task:
    """Everything that is needed before the host is spoken to: one transaction, committed before the first byte is sent."""
    credential = session.get_one(VaultSecret, endpoint.credential_id)
    values = vault.reveal(session, endpoint.credential_id, purpose="collection")
    if endpoint.check_in_secret_id is None:
        raise vault.SecretUnusable("the host has no secret at the door: enrol it for collection again")
    secret = vault.reveal(session, endpoint.check_in_secret_id, purpose=f"check_in:{endpoint.host_id}")["secret"]
    ticket = login_limits.take(session, credential_id=endpoint.credential_id, address=endpoint.address)
    interval = session.execute(text("SELECT interval_seconds FROM host WHERE id = :id"), {"id": endpoint.host_id}).scalar_one()
    identity = Identity(endpoint.host_id, endpoint.epoch, endpoint.generation, secret)
    return _Task(endpoint, Reach.of(endpoint, credential, values), identity, ticket, int(interval))


def read_over(reach: Reach) -> str:
    """What the agent's own file prints on a host that is reached so; nothing is left there. Raises a ChannelError."""
    readers: dict[str, Callable[[Reach], str]] = {"ssh": _over_ssh, "winrm": _over_winrm}
    return readers[reach.channel](reach)


def _over_ssh(reach: Reach) -> str:
    with over_ssh(reach) as channel:
        return channel.run(_ESXI_COMMAND, stdin=ESXI_AGENT.read_bytes(), deadline_seconds=ESXI_SECONDS).text(what="the agent")


def _over_winrm(reach: Reach) -> str:
    with over_winrm(reach) as channel:
        done = channel.run(
            *windows_agent.command_line(), stdin=windows_agent.standard_input(), deadline_seconds=windows_agent.DEADLINE_SECONDS
        )
    return done.text(what="the agent")


def _post(task: _Task, printed: str, client: httpx.Client | None) -> Posted:
    # A Windows console ends lines with CR LF; digests are over the line without either.
    lines = [line.rstrip("\r").encode() for line in printed.split("\n") if line.strip()]
    if not _is_envelope(lines[0]):
        raise CheckInRefused(f"the host printed something else than a check-in: {printed.strip()[:120]!r}")
    if client is not None:
        return post(client, task.identity, seq=task.endpoint.last_seq, line=lines[0], bodies=lines[1:])
    settings = get_settings()
    authority = settings.keys / "ca.pem"
    trusted = ssl.create_default_context(cafile=authority if settings.ca_pin and authority.exists() else None)
    with httpx.Client(base_url=settings.public_url, timeout=30, trust_env=False, verify=trusted) as own:
        return post(own, task.identity, seq=task.endpoint.last_seq, line=lines[0], bodies=lines[1:])


def _is_envelope(line: bytes) -> bool:
    """A banner or a profile script of the account may print before the agent does; the door judges the rest."""
    try:
        said = json.loads(line)
    except ValueError:
        return False
    return isinstance(said, dict) and isinstance(said.get("sections"), dict)


def _settle(task: _Task, outcome: str) -> None:
    with session_scope() as session:
        login_limits.settle(session, task.ticket, outcome=outcome)


def _note(host_id: str, lease: leases.Lease, *, error: str = "", interval_seconds: int = 0, rotated: tuple[str, int] | None = None) -> None:
    """Ends the claim and says when to come again: at the host's interval, or later and later while it fails.

    A claim that another worker has by now is left to it, with all that the row says.
    """
    with session_scope() as session:
        if not lease.end(session):
            return
        row = session.get_one(CollectionEndpoint, host_id)
        row.last_error = error
        row.failures = row.failures + 1 if error else 0
        wait = wait_seconds(row.failures) if error else interval_seconds
        if rotated is not None and row.check_in_secret_id is not None:
            vault.replace_secret(session, row.check_in_secret_id, actor="system", values={"secret": rotated[0]})
            row.generation = rotated[1]
        session.add(row)
        session.flush()
        # A fifth of the wait is spread, so that hosts that failed together do not come back together.
        session.execute(
            update(CollectionEndpoint)
            .where(col(CollectionEndpoint.host_id) == host_id)
            .values(
                next_at=text(f"clock_timestamp() + interval '{int(wait)} seconds' * (1 + random() * 0.2)"),
                **({} if error else {"last_ok_at": text("clock_timestamp()")}),
            )
        )
    if error:
        log.warning("a host could not be read", host=host_id, error=error)
