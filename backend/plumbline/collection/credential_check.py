"""The executor's other two tasks with a host: fetching the key that it shows, and checking a credential. Neither runs a command there."""

from sqlmodel import Session, col, text, update

from plumbline import vault
from plumbline.channels import AuthenticationRejected, ChannelError
from plumbline.channels.ssh import shown_fingerprint
from plumbline.channels.winrm import shown_certificate
from plumbline.collection import login_limits
from plumbline.collection.open_channel import HostAccess, sign_in
from plumbline.infra.database import session_scope
from plumbline.infra.errors import PlumblineError
from plumbline.models.collection import CollectionEndpoint, CredentialCheck
from plumbline.models.vault import VaultSecret


def fetch_host_key(host_id: str) -> str:
    """Stores and returns the fingerprint that a host shows, for the person who confirms it; empty where it shows none."""
    with session_scope() as session:
        row = session.get(CollectionEndpoint, host_id)
        if row is None:
            return ""
        channel, address, port = row.channel, row.address, row.port
    shown, error = "", ""
    try:
        shown = shown_fingerprint(address, port) if channel == "ssh" else shown_certificate(address, port)
    except ChannelError as failed:
        error = failed.message
    with session_scope() as session:
        session.execute(
            update(CollectionEndpoint)
            # The address may have been changed meanwhile.
            .where(
                col(CollectionEndpoint.host_id) == host_id,
                col(CollectionEndpoint.address) == address,
                col(CollectionEndpoint.port) == port,
            )
            .values(shown_pin=shown, look_error=error, shown_at=text("clock_timestamp()"))
        )
    return shown


def check_credential(check_id: int) -> None:
    """Signs in to the check's host once and stores the outcome. Safe to enqueue twice: one worker takes it."""
    with session_scope() as session:
        taken = session.execute(
            update(CredentialCheck)
            .where(col(CredentialCheck.id) == check_id, col(CredentialCheck.state) == "waiting")
            .values(state="running")
        )
        if taken.rowcount != 1:  # type: ignore[attr-defined]
            return
    try:
        with session_scope() as session:
            access, ticket = _prepare(session, check_id)
    except PlumblineError as error:
        _finish(check_id, "not_tried", error.message)
        return
    try:
        sign_in(access)
    except AuthenticationRejected as error:
        outcome, message = "rejected", error.message
    except ChannelError as error:
        outcome, message = "not_tried", error.message
    else:
        outcome, message = "accepted", f"{access.address} takes the credential."
    with session_scope() as session:
        login_limits.settle(session, ticket, outcome=outcome)
    _finish(check_id, outcome, message)


def _prepare(session: Session, check_id: int) -> tuple[HostAccess, login_limits.Ticket]:
    check = session.get_one(CredentialCheck, check_id)
    row = session.get(CollectionEndpoint, check.host_id)
    if row is None:
        raise vault.SecretUnusable("Plumbline no longer reads this host: nothing was sent")
    secret = session.get_one(VaultSecret, check.credential_id)
    values = vault.reveal(session, check.credential_id, purpose="collection")
    ticket = login_limits.take(session, credential_id=check.credential_id, address=row.address)
    return HostAccess.of(row, secret, values), ticket


def _finish(check_id: int, state: str, message: str) -> None:
    with session_scope() as session:
        session.execute(
            update(CredentialCheck)
            .where(col(CredentialCheck.id) == check_id)
            .values(state=state, words=message, finished_at=text("clock_timestamp()"))
        )
