"""Starting the agent that a host has of its own, because a person asked. It collects, numbers and sends by itself: we only say when.

So a host never has two counters. The endpoint's row says how it is reached; its credential and its pins are those of collection.
"""

import json
from functools import cache

import structlog
from sqlmodel import Session, col, select, text, update

from plumbline import vault
from plumbline.channels import AuthenticationRejected, ChannelError, CommandFailed
from plumbline.channels import runner as wire
from plumbline.channels.errors import CommandRefused, OutcomeUnknown
from plumbline.collection import leases, login_limits
from plumbline.collection.open_channel import Reach, over_ssh, over_winrm
from plumbline.infra import resources
from plumbline.infra.database import session_scope
from plumbline.infra.errors import PlumblineError
from plumbline.models.collection import CollectionEndpoint
from plumbline.models.hosts import Host
from plumbline.models.vault import VaultSecret

log = structlog.get_logger()

# An agent's own limits add up to a minute and a half; the connection comes on top.
START_SECONDS = 120.0
LONGEST_SECONDS = 300.0
_START_ESXI = resources.AGENTS / "esxi" / "start_agent.py"
NOT_DELIVERED = "the host's agent ran and could not deliver its check-in: it is kept there and sent again"
NOT_INSTALLED_ESXI = "no agent is started by the crontab of root on this host"
NOT_INSTALLED_WINDOWS = "no agent is installed in Program Files on this host"


def start_own_agent(host_id: str) -> str | None:
    """Starts it and waits until it has ended; answers why no check-in came, empty where one did.

    None where the host has no agent of its own, where nobody said how to reach it, or where another worker is at it. What goes wrong is
    written to the endpoint in words and answered, not raised.
    """
    with session_scope() as session:
        lease = _claim(session, host_id)
    if lease is None:
        return None
    with lease.kept(LONGEST_SECONDS):
        error = _claimed(host_id)
    return _note(host_id, lease, error)


def _claimed(host_id: str) -> str:
    """Why no check-in came, in words; empty where one did."""
    try:
        with session_scope() as session:
            reach, ticket = _prepare(session, host_id)
    except PlumblineError as refused:
        return refused.message
    try:
        error = "" if _start(reach) else NOT_DELIVERED
        outcome = "accepted"
    except wire.RunnerMissing:
        error, outcome = NOT_INSTALLED_ESXI if reach.channel == "ssh" else NOT_INSTALLED_WINDOWS, "accepted"
    except ChannelError as failed:
        error = failed.message
        is_in = isinstance(failed, CommandFailed | OutcomeUnknown)
        outcome = "rejected" if isinstance(failed, AuthenticationRejected) else "accepted" if is_in else "not_tried"
    with session_scope() as session:
        login_limits.settle(session, ticket, outcome=outcome)
    return error


def _claim(session: Session, host_id: str) -> leases.Lease | None:
    taken = session.execute(
        update(CollectionEndpoint)
        .where(
            col(CollectionEndpoint.host_id) == host_id,
            select(Host.id).where(col(Host.id) == host_id, col(Host.source) == "agent").exists(),
            leases.is_free(CollectionEndpoint),
        )
        .values(claimed_until=leases.NEW_LEASE, last_tried_at=text("clock_timestamp()"))
        .returning(col(CollectionEndpoint.claimed_until))
    ).first()
    return leases.Lease(CollectionEndpoint, host_id, taken[0]) if taken else None


def _prepare(session: Session, host_id: str) -> tuple[Reach, login_limits.Ticket]:
    """Everything that is needed before the host is spoken to: one transaction, committed before the first byte is sent."""
    endpoint = session.get_one(CollectionEndpoint, host_id)
    credential = session.get_one(VaultSecret, endpoint.credential_id)
    values = vault.reveal(session, endpoint.credential_id, purpose="collection")
    ticket = login_limits.take(session, credential_id=endpoint.credential_id, address=endpoint.address)
    return Reach.of(endpoint, credential, values), ticket


def _start(reach: Reach) -> bool:
    """True where the check-in was taken, False where it lies in the agent's spool. Raises a ChannelError."""
    if reach.channel == "winrm":
        with over_winrm(reach) as channel:
            return wire.start_agent(channel, wire.shipped_place("windows"), deadline_seconds=START_SECONDS)
    with over_ssh(reach) as channel:
        done = channel.run(_ssh_command(), deadline_seconds=START_SECONDS)
    word = _word(done.stdout)
    if word == "not_installed":
        raise wire.RunnerMissing(NOT_INSTALLED_ESXI)
    if word not in ("checked_in", "not_delivered"):
        raise OutcomeUnknown(f"{reach.address} does not say whether its agent was started")
    return word == "checked_in"


def _word(printed: bytes) -> str:
    """The last line is our own text's; a banner of the account may stand before it."""
    lines = [line for line in printed.decode("utf-8", "replace").splitlines() if line.strip()]
    try:
        said = json.loads(lines[-1]) if lines else None
    except ValueError:
        return ""
    return str(said.get("call")) if isinstance(said, dict) and said.get("end") == "plumbline" else ""


@cache
def _ssh_command() -> str:
    """The fixed command line: the host's own Python with our text."""
    program = _START_ESXI.read_text("ascii")
    if "'" in program:
        raise CommandRefused("start_agent.py must not hold a single quote")
    return f"P=$(command -v python3 || command -v python) && exec \"$P\" -c '{program}'"


def _note(host_id: str, lease: leases.Lease, error: str) -> str:
    with session_scope() as session:
        values: dict[str, object] = {"last_error": error}
        if not error:
            values["last_ok_at"] = text("clock_timestamp()")
        if lease.end(session):
            session.execute(update(CollectionEndpoint).where(col(CollectionEndpoint.host_id) == host_id).values(**values))
    if error:
        log.warning("a host's agent could not be started", host=host_id, error=error)
    return error
