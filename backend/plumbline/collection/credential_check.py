"""What the executor does besides collecting: asks a host which key it shows, and tries a credential once. Neither runs anything on the
host."""

from sqlmodel import Session, col, text, update

from plumbline import vault
from plumbline.channels import AuthenticationRejected, ChannelError
from plumbline.channels.ssh import shown_fingerprint
from plumbline.channels.winrm import shown_certificate
from plumbline.collection import login_limits
from plumbline.collection.open_channel import Reach, sign_in
from plumbline.infra.database import session_scope
from plumbline.infra.errors import PlumblineError
from plumbline.models.collection import CollectionEndpoint, CredentialCheck
from plumbline.models.vault import VaultSecret


def look(host_id: str) -> str:
    """Notes the fingerprint that a host shows, for the person who confirms it; answers it, empty where it shows none."""
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
            # An address that was changed meanwhile is another question.
            .where(
                col(CollectionEndpoint.host_id) == host_id,
                col(CollectionEndpoint.address) == address,
                col(CollectionEndpoint.port) == port,
            )
            .values(shown_pin=shown, look_error=error, shown_at=text("clock_timestamp()"))
        )
    return shown


def try_credential(trial_id: int) -> None:
    """Signs in to the trial's host once and writes what came of it in words. Safe to ring twice: one worker takes it."""
    with session_scope() as session:
        taken = session.execute(
            update(CredentialCheck)
            .where(col(CredentialCheck.id) == trial_id, col(CredentialCheck.state) == "waiting")
            .values(state="running")
        )
        if taken.rowcount != 1:  # type: ignore[attr-defined]
            return
    try:
        with session_scope() as session:
            reach, ticket = _prepare(session, trial_id)
    except PlumblineError as error:
        _finish(trial_id, "not_tried", error.message)
        return
    try:
        sign_in(reach)
    except AuthenticationRejected as error:
        outcome, words = "rejected", error.message
    except ChannelError as error:
        outcome, words = "not_tried", error.message
    else:
        outcome, words = "accepted", f"{reach.address} takes the credential."
    with session_scope() as session:
        login_limits.settle(session, ticket, outcome=outcome)
    _finish(trial_id, outcome, words)


def _prepare(session: Session, trial_id: int) -> tuple[Reach, login_limits.Ticket]:
    trial = session.get_one(CredentialCheck, trial_id)
    row = session.get(CollectionEndpoint, trial.host_id)
    if row is None:
        raise vault.SecretUnusable("Plumbline no longer reads this host: nothing was sent")
    secret = session.get_one(VaultSecret, trial.credential_id)
    values = vault.reveal(session, trial.credential_id, purpose="collection")
    ticket = login_limits.take(session, credential_id=trial.credential_id, address=row.address)
    return Reach.of(row, secret, values), ticket


def _finish(trial_id: int, state: str, words: str) -> None:
    with session_scope() as session:
        session.execute(
            update(CredentialCheck)
            .where(col(CredentialCheck.id) == trial_id)
            .values(state=state, words=words, finished_at=text("clock_timestamp()"))
        )
