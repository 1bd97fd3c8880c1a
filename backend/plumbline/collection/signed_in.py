"""A connection to a host whose sign-in is counted before it is tried, and its outcome noted as soon as it is known."""

import time
from collections.abc import Callable
from typing import TypeVar

from sqlalchemy.exc import DBAPIError

from plumbline.channels import AuthenticationRejected, ChannelError, CommandFailed
from plumbline.channels import runner as wire
from plumbline.channels.ssh import SshChannel
from plumbline.channels.winrm import WinRmChannel
from plumbline.collection import login_limits
from plumbline.collection.open_channel import HostAccess, over_ssh, over_winrm
from plumbline.infra.database import is_database_gone, session_scope

_SETTLE_SECONDS = 10.0
# Answers of the host itself, which come after it has accepted the credential.
_ANSWERS = (CommandFailed, wire.RunnerMissing, wire.RunnerAltered, wire.ConstrainedLanguage)

Result = TypeVar("Result")


def with_channel(access: HostAccess, credential_id: int, act: Callable[[SshChannel | WinRmChannel], Result]) -> Result:
    """Runs `act` over one connection. Raises a ChannelError, and what `login_limits.take` raises."""
    with session_scope() as session:
        ticket = login_limits.take(session, credential_id=credential_id, address=access.address)
    is_in = False

    def note_sign_in() -> None:
        nonlocal is_in
        if not is_in:
            settle(ticket, "accepted")
            is_in = True

    try:
        if access.channel == "ssh":
            with over_ssh(access) as ssh:
                note_sign_in()
                return act(ssh)
        with over_winrm(access) as winrm:
            # It signs in with the first command: noted at once, because a worker that dies in between leaves a login of unknown outcome.
            winrm.on_signed_in = note_sign_in
            return act(winrm)
    except ChannelError as error:
        if not is_in:
            # An unknown outcome, or an answer of the host itself, means that the sign-in had succeeded.
            was_in = not error.is_outcome_known or isinstance(error, _ANSWERS)
            settle(ticket, "rejected" if isinstance(error, AuthenticationRejected) else "accepted" if was_in else "not_tried")
        raise


def settle(ticket: login_limits.Ticket, outcome: str) -> None:
    """Stores the outcome of a login; waits a moment for a database that restarts, as a login without outcome counts against the host."""
    until = time.monotonic() + _SETTLE_SECONDS
    while True:
        try:
            with session_scope() as session:
                return login_limits.settle(session, ticket, outcome=outcome)
        except DBAPIError as error:
            if not is_database_gone(error) or time.monotonic() > until:
                raise
        time.sleep(0.5)
