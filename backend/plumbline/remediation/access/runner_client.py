"""Asking the runner on a host: one request, one answer, over a connection of its own.

A connection that breaks after the request was sent is an unknown outcome; nothing is ever sent again because of it. What is asked next is
always what the host says of the operation.
"""

import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

import msgspec
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session, text

from plumbline import vault
from plumbline.channels import AuthenticationRejected, ChannelError, CommandFailed
from plumbline.channels import runner as wire
from plumbline.channels.ssh import SshChannel
from plumbline.channels.winrm import WinRmChannel
from plumbline.collection import login_limits as log_ins
from plumbline.collection.collect import read_over
from plumbline.collection.open_channel import Reach, over_ssh, over_winrm
from plumbline.core.planning.plan import Element
from plumbline.infra.database import is_database_gone, session_scope
from plumbline.infra.errors import Conflict
from plumbline.models.collection import CollectionEndpoint
from plumbline.models.remediation import RemediationEndpoint
from plumbline.models.vault import VaultSecret
from plumbline.remediation.jobs.next_action import Answer

PURPOSE = "remediation"
# A command is good for this long by the host's own uptime; one that arrives later is refused by the runner as late.
GOOD_FOR_SECONDS = 60
ASK_SECONDS = 120.0
_SETTLE_SECONDS = 10.0
PLATFORM_OF: Mapping[str, Literal["windows", "esxi"]] = {"ssh": "esxi", "winrm": "windows"}

Said = TypeVar("Said")


class NoWayToHost(Conflict):
    """The host has no address and credential for changes: an admin adds them on the host's page."""

    code = "no_way_to_host"


@dataclass(frozen=True, slots=True)
class Way:
    """Everything one connection to a host for changing it needs; the credential is opened for as long as the job runs."""

    host_id: str
    job_id: int
    reach: Reach
    credential_id: int
    place: wire.RunnerPlace


def find_way(session: Session, *, host_id: str, job_id: int = 0, runner_hash: str = "") -> Way:
    """Opens the host's credential for changes; `runner_hash` is that of the signed plan. Raises `NoWayToHost`, `SecretUnusable`,
    `VaultClosed`."""
    endpoint = session.get(RemediationEndpoint, host_id)
    if endpoint is None:
        raise NoWayToHost("no address and credential for changing this host are on record: an admin adds them on the host's page")
    secret = session.get_one(VaultSecret, endpoint.credential_id)
    values = vault.reveal(session, endpoint.credential_id, purpose=PURPOSE)
    reach = Reach(
        endpoint.channel,
        endpoint.address,
        endpoint.port,
        *known_identity(session, endpoint),
        secret.account,
        secret.kind,
        values,
    )
    place = wire.RunnerPlace(PLATFORM_OF[endpoint.channel], runner_hash, endpoint.runner_folder)
    return Way(host_id, job_id, reach, endpoint.credential_id, place)


def known_identity(session: Session, endpoint: RemediationEndpoint) -> tuple[tuple[str, ...], str]:
    """Pins and CA that prove the host: those of the way for changes, or, where it has none, what is known of the same place for reading.

    A key that was imported or confirmed after the way was set is therefore good for both.
    """
    if endpoint.pins or endpoint.ca_certificate:
        return tuple(endpoint.pins), endpoint.ca_certificate
    reading = session.get(CollectionEndpoint, endpoint.host_id)
    if reading is None or (reading.address, reading.port) != (endpoint.address, endpoint.port):
        return (), ""
    return tuple(reading.pins), reading.ca_certificate


def over(way: Way, act: Callable[[SshChannel | WinRmChannel], Said]) -> Said:
    """One connection: counted before it is tried, settled as soon as the host has taken the credential or not. Raises a ChannelError."""
    with session_scope() as session:
        ticket = log_ins.take(session, credential_id=way.credential_id, address=way.reach.address)
    is_in = False

    def take_in() -> None:
        nonlocal is_in
        if not is_in:
            _settle(ticket, "accepted")
            is_in = True

    try:
        if way.reach.channel == "ssh":
            with over_ssh(way.reach) as ssh:
                take_in()
                return act(ssh)
        with over_winrm(way.reach) as winrm:
            # It signs in with the first command: noted at once, because a worker that dies in between leaves a log-in of unknown outcome.
            winrm.on_signed_in = take_in
            return act(winrm)
    except ChannelError as error:
        if not is_in:
            # An outcome that is not known, or an answer of the host's own, means that it had let us in.
            was_in = not error.is_outcome_known or isinstance(error, wire.RunnerMissing | wire.RunnerAltered)
            _settle(ticket, "rejected" if isinstance(error, AuthenticationRejected) else "accepted" if was_in else "not_tried")
        _note(way, error.message)
        raise


def read_all(way: Way) -> str:
    """What the agent's own file prints on the host now, over a connection that is counted like any other. Raises a ChannelError."""
    with session_scope() as session:
        ticket = log_ins.take(session, credential_id=way.credential_id, address=way.reach.address)
    try:
        printed = read_over(way.reach)
    except ChannelError as error:
        was_in = not error.is_outcome_known or isinstance(error, CommandFailed)
        _settle(ticket, "rejected" if isinstance(error, AuthenticationRejected) else "accepted" if was_in else "not_tried")
        _note(way, error.message)
        raise
    _settle(ticket, "accepted")
    return printed


def _settle(ticket: log_ins.Ticket, outcome: str) -> None:
    """Notes what came of a log-in; waits a moment for a database that restarts: a log-in without its outcome counts against the host."""
    until = time.monotonic() + _SETTLE_SECONDS
    while True:
        try:
            with session_scope() as session:
                return log_ins.settle(session, ticket, outcome=outcome)
        except DBAPIError as error:
            if not is_database_gone(error) or time.monotonic() > until:
                raise
        time.sleep(0.5)


def _note(way: Way, error: str) -> None:
    with session_scope() as session:
        session.execute(
            text("UPDATE remediation_endpoint SET last_error = :error WHERE host_id = :id"), {"error": error[:1000], "id": way.host_id}
        )


def note_reached(session: Session, host_id: str) -> None:
    """The host was reached and its runner answered."""
    session.execute(
        text("UPDATE remediation_endpoint SET last_ok_at = clock_timestamp(), last_error = '' WHERE host_id = :id"), {"id": host_id}
    )


def hex_id(number: int) -> str:
    """A job's number as the runner takes ids."""
    return f"{number:016x}"


def ask(
    way: Way,
    verb: str,
    *,
    op_id: str,
    gen: int,
    attempt: int,
    read: Answer | None = None,
    settings: Sequence[str] = (),
    elements: Sequence[Element] = (),
    restart: str = "",
    deadman_s: int = 0,
    floor: Mapping[str, int] | None = None,
) -> Answer:
    """Sends one request and answers what the runner said. `read` is the read just before it, for every verb that changes anything.

    Raises a ChannelError: `OutcomeUnknown` where the request may have arrived.
    """
    step: list[dict[str, str]] = [{"setting": setting} for setting in settings]
    if verb == "begin":
        step = [{"setting": e.setting, "seen": e.seen, "target": e.target, "inverse": e.inverse} for e in elements]
    request = {
        "v": 1,
        "verb": verb,
        "host_id": way.host_id,
        "job_id": hex_id(way.job_id),
        "op_id": op_id,
        "nonce": secrets.token_hex(16),
        "gen": gen,
        "attempt": attempt,
        "boot_id": read.boot_id if read else None,
        "not_after_uptime_s": (read.uptime_s or 0) + GOOD_FOR_SECONDS if read else None,
        "step": step,
        "restart": restart or None,
        "deadman_s": deadman_s or None,
        "health_floor": dict(floor) if floor else None,
    }
    said = over(way, lambda channel: wire.ask(channel, way.place, request, deadline_seconds=ASK_SECONDS))
    return Answer.of(msgspec.to_builtins(said))
