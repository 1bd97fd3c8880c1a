"""How a host can be reached for a watch: by the account that reads it, else by the one that changes it."""

from dataclasses import dataclass
from typing import TypeGuard

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
    """Why the host can't be watched, in words; empty where it can. Three queries at most."""
    reading = session.get(CollectionEndpoint, host_id)
    if _has_key(reading):
        return ""
    changing = session.get(RemediationEndpoint, host_id)
    if changing is not None and any(known_identity(session, changing)):
        return ""
    if changing is not None or reading is not None:
        return "Host key not verified. Ask an admin to verify it first."
    return "Plumbline doesn't sign in to this host. An admin adds an address and a credential in Admin > Collection."


def open_access(session: Session, host_id: str) -> WatchAccess:
    """Opens the host's credential. Raises `NoWayToWatch`, `SecretUnusable`, `VaultClosed`."""
    if reason := why_not(session, host_id):
        raise NoWayToWatch(reason)
    reading = session.get(CollectionEndpoint, host_id)
    if not _has_key(reading):
        target = find_target(session, host_id=host_id)
        return WatchAccess(target.connection, target.credential_id)
    secret = session.get_one(VaultSecret, reading.credential_id)
    values = vault.reveal(session, reading.credential_id, purpose="collection")
    return WatchAccess(HostAccess.of(reading, secret, values), reading.credential_id)


def _has_key(reading: CollectionEndpoint | None) -> TypeGuard[CollectionEndpoint]:
    """Whether Plumbline reads the host and its key is verified."""
    return reading is not None and bool(reading.pins or reading.ca_certificate)
