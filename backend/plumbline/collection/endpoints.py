"""The hosts that Plumbline reads: their endpoints, their secret for check-ins, and which are due."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlmodel import Session, col, func, select, text, update

from plumbline import audit, vault
from plumbline.auth.actor import Actor
from plumbline.auth.rights import require
from plumbline.auth.scope import host_in_scope
from plumbline.collection import leases
from plumbline.collection.connections import forget_shown_key
from plumbline.infra.errors import BadInput, Conflict, NotFound
from plumbline.models.collection import Channel, CollectionEndpoint
from plumbline.models.hosts import Host, HostGroup, HostState
from plumbline.models.vault import VaultSecret

PORTS = {"ssh": 22, "winrm": 5986}
CHANNEL_OF = {"esxi": "ssh", "windows": "winrm"}


@dataclass(frozen=True, slots=True)
class EndpointSettings:
    """Where a host is reached, with which credential, and what proves that it is the host."""

    channel: str
    address: str
    port: int
    credential_id: int
    pins: Sequence[str] = ()
    ca_certificate: str = ""

    def new_row(self, host_id: str) -> CollectionEndpoint:
        """A row for a host that has none."""
        return CollectionEndpoint(
            host_id=host_id, channel=self.channel, address=self.address, port=self.port, credential_id=self.credential_id
        )

    def write_to(self, row: CollectionEndpoint) -> None:
        """Replaces all of them in a host's row."""
        row.channel, row.address, row.port, row.credential_id = self.channel, self.address, self.port, self.credential_id
        row.pins, row.ca_certificate = list(self.pins), self.ca_certificate


def add_endpoint(session: Session, *, actor: str, enrolled: Mapping[str, object], settings: EndpointSettings) -> CollectionEndpoint:
    """Makes Plumbline the source of a host that was just enrolled, or enrolled again, for it. Its secret goes into the vault."""
    channel, address, port = settings.channel, settings.address, settings.port
    if channel not in set(Channel):
        raise BadInput(f"Unknown channel {channel}. Choose ssh or winrm.")
    if not 1 <= port <= 65535 or not address or len(address) > 253 or not address.isprintable() or " " in address:
        raise BadInput("address must be a host name or an IP address, port a number from 1 to 65535")
    host_id = str(enrolled["host_id"])
    host = session.exec(select(Host).where(col(Host.id) == host_id).with_for_update(key_share=True)).one()
    if (channel == "ssh") != (host.platform == "esxi"):
        raise BadInput("ESXi hosts are read over ssh, Windows hosts over winrm")
    credential = session.get(VaultSecret, settings.credential_id)
    if credential is None or credential.purpose != "collection":
        raise BadInput("the credential is not one for collection")
    secret_id = vault.put_secret(
        session,
        vault.NewSecret(name=f"check-in of {host.name}", purpose=f"check_in:{host_id}", values={"secret": str(enrolled["secret"])}),
        actor=actor,
        is_audited=False,
    )
    row = session.get(CollectionEndpoint, host_id) or settings.new_row(host_id)
    settings.write_to(row)
    row.check_in_secret_id = secret_id
    row.epoch, row.generation = int(str(enrolled["epoch"])), int(str(enrolled["generation"]))
    row.last_seq, row.failures, row.last_error, row.last_error_code = 0, 0, "", ""
    forget_shown_key(row)
    row.confirmed_by, row.confirmed_at = "", None
    host.source = "collector"
    session.add(row)
    session.add(host)
    session.flush()
    audit.record(
        session,
        actor=actor,
        action="host.collected_by_us",
        about=audit.Object("host", host_id, host.group_id),
        after={"channel": channel, "address": address, "port": port, "credential": credential.name, "pins": len(row.pins)},
    )
    return row


def managed_endpoint(
    session: Session, *, actor: Actor, host_id: str, is_locked: bool = False
) -> tuple[Host, HostGroup, CollectionEndpoint]:
    """A host whose collection this person may manage, its group and its endpoint. Raises `NotFound`."""
    host, group = host_in_scope(session, actor=actor, host_id=host_id)
    require(actor, "collection.manage", group.path, missing="Host not found.")
    row = session.get(CollectionEndpoint, host_id, with_for_update=is_locked or None)
    if row is None:
        raise NotFound("This host is not collected by Plumbline.")
    return host, group, row


def refuse_retired(host: Host) -> None:
    """Raises `Conflict` for a retired host, which no list of collected hosts has."""
    if host.state == HostState.RETIRED:
        raise Conflict(f"{host.name} is retired and can't be collected.")


def plain_pin(channel: str, fingerprint: str) -> str:
    """A fingerprint in the one form that channels compare. Raises BadInput."""
    trimmed = fingerprint.strip()
    if channel == "ssh":
        pin = trimmed.rstrip("=")
        if not re.fullmatch(r"SHA256:[A-Za-z0-9+/]{43}", pin):
            raise BadInput("fingerprint: SHA256: and 43 letters and digits, as ssh-keygen -l prints it")
        return pin
    pin = trimmed.replace(":", "").replace(" ", "").lower()
    if not re.fullmatch(r"[0-9a-f]{64}", pin):
        raise BadInput("fingerprint: the SHA-256 of the certificate, 64 hex digits")
    return pin


def longest_seconds(channel: str) -> int:
    """How long a collection over this channel may take, connection included."""
    return 120 if channel == "ssh" else 150


def take_lease(session: Session, host_id: str) -> CollectionEndpoint | None:
    """Takes the lease on a host and the next number of its check-ins; the lease lasts seconds unless a `leases.Lease` renews it.

    None where another worker has it, or where Plumbline is not the host's source.
    """
    taken = session.execute(
        update(CollectionEndpoint)
        .where(
            col(CollectionEndpoint.host_id) == host_id,
            # A host that has an agent of its own again is left to it: two sources would number check-ins independently.
            select(Host.id).where(col(Host.id) == host_id, col(Host.source) == "collector").exists(),
            leases.is_free(CollectionEndpoint),
        )
        .values(
            claimed_until=leases.NEW_LEASE,
            next_at=leases.DUE_AGAIN,
            last_tried_at=text("clock_timestamp()"),
            last_seq=col(CollectionEndpoint.last_seq) + 1,
        )
    )
    if taken.rowcount != 1:  # type: ignore[attr-defined]
        return None
    return session.exec(select(CollectionEndpoint).where(col(CollectionEndpoint.host_id) == host_id)).one()


def due_hosts(session: Session, *, limit: int = 200) -> list[str]:
    """Hosts that are due, the longest waiting first."""
    rows = session.execute(
        select(col(CollectionEndpoint.host_id))
        .join(Host, col(Host.id) == col(CollectionEndpoint.host_id))
        .where(
            col(CollectionEndpoint.next_at) <= text("clock_timestamp()"),
            # Before a person has confirmed its key, nothing proves that it is the host.
            (func.cardinality(col(CollectionEndpoint.pins)) > 0) | (col(CollectionEndpoint.ca_certificate) != ""),
            leases.is_free(CollectionEndpoint),
            col(Host.source) == "collector",
            col(Host.state).in_(("active", "waiting")),
        )
        .order_by(col(CollectionEndpoint.next_at))
        .limit(limit)
    )
    return [str(row[0]) for row in rows]
