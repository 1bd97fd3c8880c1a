"""Requests to the runner on a host: one request, one answer, over a connection of its own.

A connection that breaks after the request was sent is an unknown outcome; nothing is ever sent again because of it. The next request
always reads the state of the operation on the host.
"""

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

import msgspec
from sqlmodel import Session, text

from plumbline import vault
from plumbline.channels import AuthenticationRejected, ChannelError, CommandFailed
from plumbline.channels import runner as wire
from plumbline.channels.ssh import SshChannel
from plumbline.channels.winrm import WinRmChannel
from plumbline.collection import login_limits, signed_in
from plumbline.collection.collect import read_over
from plumbline.collection.open_channel import HostAccess
from plumbline.collection.signed_in import settle
from plumbline.core.planning.plan import Element
from plumbline.infra.database import session_scope
from plumbline.infra.errors import Conflict
from plumbline.models.collection import CollectionEndpoint
from plumbline.models.controls import RemediationEndpoint
from plumbline.models.vault import VaultSecret

PURPOSE = "remediation"
# A command is valid this long by the host's own uptime; the runner refuses one that arrives later as late.
GOOD_FOR_SECONDS = 60
CALL_SECONDS = 120.0
PLATFORM_OF: Mapping[str, Literal["windows", "esxi"]] = {"ssh": "esxi", "winrm": "windows"}

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class RunnerAnswer:
    """One answer of a runner, as `agents/schema/runner.schema.json` has it."""

    state: str
    reason: str | None = None
    error: str | None = None
    wrote: tuple[str, ...] = ()
    before: Mapping[str, str | None] | None = None
    after: Mapping[str, str | None] | None = None
    restart: str | None = None
    deadman: str | None = None
    boot_id: str | None = None
    uptime_s: int | None = None
    fence: Mapping[str, int] | None = None
    health: Mapping[str, int | None] | None = None
    raw: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> "RunnerAnswer":
        """From an answer's JSON."""
        return cls(
            state=plain["state"],
            reason=plain.get("reason"),
            error=plain.get("error"),
            wrote=tuple(plain.get("wrote") or ()),
            before=plain.get("before"),
            after=plain.get("after"),
            restart=plain.get("restart"),
            deadman=plain.get("deadman"),
            boot_id=plain.get("boot_id"),
            uptime_s=plain.get("uptime_s"),
            fence=plain.get("fence"),
            health=plain.get("health"),
            raw=plain,
        )


class NoAccessToHost(Conflict):
    """The host has no address and credential for changes: an admin adds them on the host's page."""

    code = "no_way_to_host"


@dataclass(frozen=True, slots=True)
class RunnerTarget:
    """Everything one connection to a host for changing it needs; the credential is opened for as long as the job runs."""

    host_id: str
    job_id: int
    connection: HostAccess
    credential_id: int
    runner: wire.InstalledRunner


def find_target(session: Session, *, host_id: str, job_id: int = 0, runner_hash: str = "") -> RunnerTarget:
    """Opens the host's credential for changes; `runner_hash` is that of the signed plan. Raises `NoAccessToHost`, `SecretUnusable`,
    `VaultClosed`."""
    endpoint = session.get(RemediationEndpoint, host_id)
    if endpoint is None:
        raise NoAccessToHost("Remediation is not set up for this host. An admin adds an address and a credential on the host's page.")
    secret = session.get_one(VaultSecret, endpoint.credential_id)
    values = vault.reveal(session, endpoint.credential_id, purpose=PURPOSE)
    access = HostAccess(
        endpoint.channel,
        endpoint.address,
        endpoint.port,
        *known_identity(session, endpoint),
        secret.account,
        secret.kind,
        values,
    )
    place = wire.InstalledRunner(PLATFORM_OF[endpoint.channel], runner_hash, endpoint.runner_folder)
    return RunnerTarget(host_id, job_id, access, endpoint.credential_id, place)


def known_identity(session: Session, endpoint: RemediationEndpoint) -> tuple[tuple[str, ...], str]:
    """Pins and CA that prove the host: those of the endpoint for changes, or, where it has none, those of the same address for reading.

    A key that was imported or confirmed later is therefore valid for both.
    """
    if endpoint.pins or endpoint.ca_certificate:
        return tuple(endpoint.pins), endpoint.ca_certificate
    reading = session.get(CollectionEndpoint, endpoint.host_id)
    if reading is None or (reading.address, reading.port) != (endpoint.address, endpoint.port):
        return (), ""
    return tuple(reading.pins), reading.ca_certificate


def with_channel(target: RunnerTarget, act: Callable[[SshChannel | WinRmChannel], Result]) -> Result:
    """Runs `act` over one connection, whose sign-in is counted; what failed is noted at the endpoint. Raises a ChannelError."""
    try:
        return signed_in.with_channel(target.connection, target.credential_id, act)
    except ChannelError as error:
        _note(target, error.message)
        raise


def read_all(target: RunnerTarget) -> str:
    """What the agent script prints on the host now; the sign-in is counted like any other. Raises a ChannelError."""
    with session_scope() as session:
        ticket = login_limits.take(session, credential_id=target.credential_id, address=target.connection.address)
    try:
        printed = read_over(target.connection)
    except ChannelError as error:
        was_in = not error.is_outcome_known or isinstance(error, CommandFailed)
        settle(ticket, "rejected" if isinstance(error, AuthenticationRejected) else "accepted" if was_in else "not_tried")
        _note(target, error.message)
        raise
    settle(ticket, "accepted")
    return printed


def _note(target: RunnerTarget, error: str) -> None:
    with session_scope() as session:
        session.execute(
            text("UPDATE remediation_endpoint SET last_error = :error WHERE host_id = :id"), {"error": error[:1000], "id": target.host_id}
        )


def note_reached(session: Session, host_id: str) -> None:
    """The host was reached and its runner answered."""
    session.execute(
        text("UPDATE remediation_endpoint SET last_ok_at = clock_timestamp(), last_error = '' WHERE host_id = :id"), {"id": host_id}
    )


def hex_id(number: int) -> str:
    """A job's id in the form that the runner takes."""
    return f"{number:016x}"


@dataclass(frozen=True, slots=True)
class RunnerRequest:
    """A request about one operation. `read` names settings; only `begin` names elements, a restart, a dead-man and a health floor."""

    verb: str
    op_id: str
    gen: int
    attempt: int = 0
    settings: Sequence[str] = ()
    elements: Sequence[Element] = ()
    restart: str = ""
    deadman_s: int = 0
    floor: Mapping[str, int] | None = None

    @property
    def step(self) -> list[dict[str, str]]:
        """Its settings or elements, as the runner takes them."""
        if self.verb == "begin":
            return [{"setting": e.setting, "seen": e.seen, "target": e.target, "inverse": e.inverse} for e in self.elements]
        return [{"setting": setting} for setting in self.settings]


def call_runner(target: RunnerTarget, request: RunnerRequest, *, read: RunnerAnswer | None = None) -> RunnerAnswer:
    """Sends one request and returns the runner's answer. `read` is the read just before it, for every verb that changes anything.

    Raises a ChannelError: `OutcomeUnknown` where the request may have arrived.
    """
    message = {
        "v": 1,
        "verb": request.verb,
        "host_id": target.host_id,
        "job_id": hex_id(target.job_id),
        "op_id": request.op_id,
        "nonce": secrets.token_hex(16),
        "gen": request.gen,
        "attempt": request.attempt,
        "boot_id": read.boot_id if read else None,
        "not_after_uptime_s": (read.uptime_s or 0) + GOOD_FOR_SECONDS if read else None,
        "step": request.step,
        "restart": request.restart or None,
        "deadman_s": request.deadman_s or None,
        "health_floor": dict(request.floor) if request.floor else None,
    }
    answer = with_channel(target, lambda channel: wire.send_request(channel, target.runner, message, deadline_seconds=CALL_SECONDS))
    return RunnerAnswer.of(msgspec.to_builtins(answer))
