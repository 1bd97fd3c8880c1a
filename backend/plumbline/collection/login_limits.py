"""Limits on logins, counted in the database across all workers.

At most two rejected logins for an account on a host in 15 minutes; a credential that three hosts rejected is stopped everywhere. ESXi
locks an account after five failures or fewer, for SSH and API alike, so an old password in a fleet tool would lock root on every host.
"""

from dataclasses import dataclass

from sqlmodel import Session, col, func, select, text, update

from plumbline import vault
from plumbline.infra.errors import TooManyRequests
from plumbline.models.collection import HostLoginAttempt
from plumbline.models.vault import VaultSecret

REJECTED_A_HOST = 2
# Logins of unknown outcome: their worker ended before the host's answer came. Where the host accepted this credential before and has not
# rejected it since, they do not mean that it is wrong; still never as many as lock an account (five, ESXi's own default).
UNKNOWN_A_HOST = 4
WINDOW_MINUTES = 15
REJECTING_HOSTS = 3


class LoginsSpent(TooManyRequests):
    """The account was rejected twice on this host within 15 minutes: another attempt could lock it."""

    code = "log_ins_spent"


class CredentialUnproven(TooManyRequests):
    """No host has accepted the credential yet, and it is being tried on as many as may reject it: the others wait for their answers."""

    code = "credential_unproven"


@dataclass(frozen=True, slots=True)
class Ticket:
    """The right to one login."""

    id: int


def take(session: Session, *, credential_id: int, address: str) -> Ticket:
    """Counts one login before it is tried. Commit before trying.

    Raises LogInsSpent, CredentialUnproven; SecretUnusable where the credential is stopped.
    """
    secret = session.exec(select(VaultSecret).where(col(VaultSecret.id) == credential_id).with_for_update()).one()
    if secret.stopped_at is not None:
        raise vault.SecretUnusable(f"Credential {secret.name!r} is disabled: {secret.stopped_reason}")
    _refuse_spent(session, secret, address)
    _refuse_unproven(session, secret, address)
    row = HostLoginAttempt(credential_id=credential_id, credential_version=secret.version, address=address)
    session.add(row)
    session.flush()
    assert row.id is not None
    return Ticket(row.id)


def was_accepted(session: Session, *, credential_id: int, address: str) -> bool:
    """Whether the host accepted the newest login with this credential, so that one more takes nothing from what may still fail."""
    newest = (
        select(HostLoginAttempt.outcome)
        .join(VaultSecret, col(VaultSecret.id) == col(HostLoginAttempt.credential_id))
        .where(
            col(HostLoginAttempt.credential_id) == credential_id,
            col(HostLoginAttempt.credential_version) == col(VaultSecret.version),
            col(HostLoginAttempt.address) == address,
        )
        .order_by(col(HostLoginAttempt.id).desc())
        .limit(1)
    )
    return session.exec(newest).first() == "accepted"


def _refuse_spent(session: Session, secret: VaultSecret, address: str) -> None:
    same_login = (
        col(HostLoginAttempt.credential_id) == secret.id,
        col(HostLoginAttempt.credential_version) == secret.version,
        col(HostLoginAttempt.address) == address,
    )
    last_accepted = session.execute(
        select(func.coalesce(func.max(HostLoginAttempt.id), 0)).where(*same_login, col(HostLoginAttempt.outcome) == "accepted")
    ).scalar_one()
    rows = session.execute(
        select(HostLoginAttempt.outcome, func.count())
        .where(
            *same_login,
            col(HostLoginAttempt.outcome).in_(("open", "rejected")),
            col(HostLoginAttempt.at) > text(f"clock_timestamp() - interval '{WINDOW_MINUTES} minutes'"),
            # An accepted login resets the account's own count of failures.
            col(HostLoginAttempt.id) > last_accepted,
        )
        .group_by(col(HostLoginAttempt.outcome))
    )
    counts: dict[str, int] = {row[0]: row[1] for row in rows}
    rejected, unknown = counts.get("rejected", 0), counts.get("open", 0)
    most = UNKNOWN_A_HOST if last_accepted and not rejected else REJECTED_A_HOST
    if rejected + unknown < most:
        return
    raise LoginsSpent(
        f"{address} rejected credential {secret.name!r} {rejected} times in {WINDOW_MINUTES} minutes"
        + (f", and {unknown} logins ended without a response" if unknown else "")
        + ". Correct the credential first; another attempt could lock the account",
        retry_after_seconds=WINDOW_MINUTES * 60,
    )


def _refuse_unproven(session: Session, secret: VaultSecret, address: str) -> None:
    """Until a first host accepts it, a credential is tried on no more hosts at once than may reject it. Otherwise every worker could send
    a wrong one to another host before the third rejection stops it."""
    same_login = (col(HostLoginAttempt.credential_id) == secret.id, col(HostLoginAttempt.credential_version) == secret.version)
    if (
        session.execute(select(HostLoginAttempt.id).where(*same_login, col(HostLoginAttempt.outcome) == "accepted").limit(1)).first()
        is not None
    ):
        return
    tried = session.execute(
        select(func.count(func.distinct(HostLoginAttempt.address))).where(
            *same_login,
            col(HostLoginAttempt.address) != address,
            col(HostLoginAttempt.outcome).in_(("open", "rejected")),
            col(HostLoginAttempt.at) > text(f"clock_timestamp() - interval '{WINDOW_MINUTES} minutes'"),
        )
    ).scalar_one()
    if tried >= REJECTING_HOSTS:
        raise CredentialUnproven(
            f"Credential {secret.name!r} hasn't been accepted yet. Waiting for {tried} hosts being tried",
            retry_after_seconds=60,
        )


def settle(session: Session, ticket: Ticket, *, outcome: str) -> None:
    """Stores the outcome of a login: `accepted`, `rejected`, or `not_tried` (the host was not reached).

    The third host that rejects a credential stops it everywhere.
    """
    row = session.exec(select(HostLoginAttempt).where(col(HostLoginAttempt.id) == ticket.id)).one()
    secret = session.exec(select(VaultSecret).where(col(VaultSecret.id) == row.credential_id).with_for_update()).one()
    session.execute(update(HostLoginAttempt).where(col(HostLoginAttempt.id) == ticket.id).values(outcome=outcome))
    if outcome != "rejected":
        return
    rejecting = session.execute(
        select(func.count(func.distinct(HostLoginAttempt.address)))
        .select_from(HostLoginAttempt)
        .where(
            col(HostLoginAttempt.credential_id) == row.credential_id,
            col(HostLoginAttempt.credential_version) == secret.version,
            col(HostLoginAttempt.outcome) == "rejected",
            col(HostLoginAttempt.at) > text("clock_timestamp() - interval '24 hours'"),
        )
    ).scalar_one()
    if rejecting >= REJECTING_HOSTS:
        reason = f"rejected by {rejecting} hosts; disabled to avoid account lockouts"
        assert secret.id is not None
        vault.stop_secret(session, secret.id, actor="system", reason=reason)
