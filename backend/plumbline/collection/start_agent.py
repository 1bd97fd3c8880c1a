"""Starts a host's own agent at a person's request. The agent collects, numbers and sends the check-in by itself.

A host therefore never has two sources of check-in numbers. The address, the credential and the pins are those of the collection endpoint.
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
from plumbline.collection.open_channel import HostAccess, over_ssh, over_winrm
from plumbline.infra import resources
from plumbline.infra.database import session_scope
from plumbline.infra.errors import PlumblineError
from plumbline.models.collection import CollectionEndpoint
from plumbline.models.hosts import Host
from plumbline.models.vault import VaultSecret

log = structlog.get_logger()

# An agent's own limits add up to a minute and a half; the connection is added to that.
START_SECONDS = 120.0
LONGEST_SECONDS = 300.0
_START_ESXI = resources.AGENTS / "esxi" / "start_agent.py"
NOT_INSTALLED_ESXI = "no agent in root's crontab on this host"
NOT_INSTALLED_WINDOWS = "no agent in Program Files on this host"


def start_own_agent(host_id: str) -> str | None:
    """Starts the agent and waits until it has ended. Returns the error, empty where a check-in came.

    None where the host has no agent of its own or no endpoint, or where another worker has the lease. Errors are written to the endpoint
    and returned, not raised.
    """
    with session_scope() as session:
        lease = _take_lease(session, host_id)
    if lease is None:
        return None
    with lease.kept(LONGEST_SECONDS):
        error, code = _sign_in_and_start(host_id)
    return _note(host_id, lease, error, code)


def _sign_in_and_start(host_id: str) -> tuple[str, str]:
    """The reason why no check-in came, in words and as a code; both empty where one did."""
    try:
        with session_scope() as session:
            access, ticket = _prepare(session, host_id)
    except PlumblineError as refused:
        return refused.message, refused.code
    code = ""
    try:
        error = _start(access)
        outcome = "accepted"
    except wire.RunnerMissing:
        error, outcome = NOT_INSTALLED_ESXI if access.channel == "ssh" else NOT_INSTALLED_WINDOWS, "accepted"
    except ChannelError as failed:
        error, code = failed.message, failed.code
        is_in = isinstance(failed, CommandFailed | OutcomeUnknown | wire.ConstrainedLanguage)
        outcome = "rejected" if isinstance(failed, AuthenticationRejected) else "accepted" if is_in else "not_tried"
    with session_scope() as session:
        login_limits.settle(session, ticket, outcome=outcome)
    return error, code


def _take_lease(session: Session, host_id: str) -> leases.Lease | None:
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


def _prepare(session: Session, host_id: str) -> tuple[HostAccess, login_limits.Ticket]:
    """All that is needed before the host is contacted, in one transaction that is committed before the first byte is sent."""
    endpoint = session.get_one(CollectionEndpoint, host_id)
    credential = session.get_one(VaultSecret, endpoint.credential_id)
    values = vault.reveal(session, endpoint.credential_id, purpose="collection")
    ticket = login_limits.take(session, credential_id=endpoint.credential_id, address=endpoint.address)
    return HostAccess.of(endpoint, credential, values), ticket


def _start(access: HostAccess) -> str:
    """Empty where the check-in was accepted, else why none came. Raises a ChannelError."""
    if access.channel == "winrm":
        with over_winrm(access) as channel:
            return wire.start_agent(channel, wire.shipped_runner("windows"), deadline_seconds=START_SECONDS)
    with over_ssh(access) as channel:
        done = channel.run(_ssh_command(), deadline_seconds=START_SECONDS)
    word = _word(done.stdout)
    if word == "not_installed":
        raise wire.RunnerMissing(NOT_INSTALLED_ESXI)
    if word not in ("checked_in", "not_delivered"):
        raise OutcomeUnknown(f"{access.address} didn't confirm that the agent started")
    return "" if word == "checked_in" else wire.NOT_DELIVERED


def _word(printed: bytes) -> str:
    """The script's result, from the last line; a banner of the account may print before it. Empty where there is none."""
    lines = [line for line in printed.decode("utf-8", "replace").splitlines() if line.strip()]
    try:
        answer = json.loads(lines[-1]) if lines else None
    except ValueError:
        return ""
    return str(answer.get("call")) if isinstance(answer, dict) and answer.get("end") == "plumbline" else ""


@cache
def _ssh_command() -> str:
    """The command line that runs Plumbline's script with the host's own Python."""
    program = _START_ESXI.read_text("ascii")
    if "'" in program:
        raise CommandRefused("start_agent.py must not hold a single quote")
    return f"P=$(command -v python3 || command -v python) && exec \"$P\" -c '{program}'"


def _note(host_id: str, lease: leases.Lease, error: str, code: str) -> str:
    with session_scope() as session:
        values: dict[str, object] = {"last_error": error, "last_error_code": code}
        if not error:
            values["last_ok_at"] = text("clock_timestamp()")
        if lease.end(session):
            session.execute(update(CollectionEndpoint).where(col(CollectionEndpoint.host_id) == host_id).values(**values))
    if error:
        log.warning("agent not started", host=host_id, error=error)
    return error
