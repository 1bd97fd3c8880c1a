"""How a host can be reached for a watch: by the account that reads it, else by the one that changes it."""

from dataclasses import dataclass

from sqlmodel import Session

from plumbline import vault
from plumbline.collection.open_channel import HostAccess
from plumbline.infra.errors import Conflict
from plumbline.models.collection import CollectionEndpoint
from plumbline.models.controls import RemediationEndpoint
from plumbline.models.vault import VaultSecret
from plumbline.remediation.access.runner_client import find_target, known_identity


class NoWayToWatch(Conflict):
    """Plumbline can't sign in to the host."""

    code = "no_way_to_host"


@dataclass(frozen=True, slots=True)
class WatchAccess:
    """What a session needs, and whose sign-in is counted."""

    host: HostAccess
    credential_id: int


def why_not(session: Session, host_id: str) -> str:
    """Why the host can't be watched, in words; empty where it can."""
    if _endpoint_with_key(session, host_id) is not None:
        return ""
    changing = session.get(RemediationEndpoint, host_id)
    if changing is not None and any(known_identity(session, changing)):
        return ""
    if changing is not None or session.get(CollectionEndpoint, host_id) is not None:
        return "Host key not verified. Ask an admin to verify it first."
    return "Plumbline doesn't sign in to this host. An admin adds an address and a credential in Admin > Collection."


def open_access(session: Session, host_id: str) -> WatchAccess:
    """Opens the host's credential. Raises `NoWayToWatch`, `SecretUnusable`, `VaultClosed`."""
    if reason := why_not(session, host_id):
        raise NoWayToWatch(reason)
    reading = _endpoint_with_key(session, host_id)
    if reading is None:
        target = find_target(session, host_id=host_id)
        return WatchAccess(target.connection, target.credential_id)
    secret = session.get_one(VaultSecret, reading.credential_id)
    values = vault.reveal(session, reading.credential_id, purpose="collection")
    return WatchAccess(HostAccess.of(reading, secret, values), reading.credential_id)


def _endpoint_with_key(session: Session, host_id: str) -> CollectionEndpoint | None:
    """How Plumbline reads the host; None where it doesn't, or where its key is not verified."""
    reading = session.get(CollectionEndpoint, host_id)
    return reading if reading is not None and (reading.pins or reading.ca_certificate) else None
