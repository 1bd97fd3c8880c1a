"""Which hosts are read by us, and how they came to be: endpoints, their enrolment, and what is due."""

import re
from collections.abc import Sequence

from sqlmodel import Session, col, func, select, text, update

from plumbline import audit, vault
from plumbline.collection import leases
from plumbline.infra.errors import BadInput
from plumbline.models.collection import Channel, CollectionEndpoint
from plumbline.models.hosts import Host
from plumbline.models.vault import VaultSecret


def add_endpoint(
    session: Session,
    *,
    actor: str,
    enrolled: dict[str, object],
    channel: str,
    address: str,
    port: int,
    credential_id: int,
    pins: Sequence[str] = (),
    ca_certificate: str = "",
) -> CollectionEndpoint:
    """Makes us the source of a host that was just enrolled (or enrolled anew) for it. Its secret goes into the vault."""
    if channel not in set(Channel):
        raise BadInput(f"no such channel: {channel}; choose ssh or winrm")
    if not 1 <= port <= 65535 or not address or len(address) > 253 or not address.isprintable() or " " in address:
        raise BadInput("address must be a host name or an IP address, port a number from 1 to 65535")
    host_id = str(enrolled["host_id"])
    host = session.exec(select(Host).where(col(Host.id) == host_id).with_for_update(key_share=True)).one()
    if (channel == "ssh") != (host.platform == "esxi"):
        raise BadInput("ESXi hosts are read over ssh, Windows hosts over winrm")
    credential = session.get(VaultSecret, credential_id)
    if credential is None or credential.purpose != "collection":
        raise BadInput("the credential is not one for collection")
    secret_id = vault.put_secret(
        session,
        actor=actor,
        name=f"check-in of {host.name}",
        purpose=f"check_in:{host_id}",
        values={"secret": str(enrolled["secret"])},
        is_audited=False,
    )
    row = session.get(CollectionEndpoint, host_id) or CollectionEndpoint(
        host_id=host_id, channel=channel, address=address, port=port, credential_id=credential_id
    )
    row.channel, row.address, row.port, row.credential_id = channel, address, port, credential_id
    row.pins, row.ca_certificate, row.check_in_secret_id = list(pins), ca_certificate, secret_id
    row.epoch, row.generation = int(str(enrolled["epoch"])), int(str(enrolled["generation"]))
    row.last_seq, row.failures, row.last_error = 0, 0, ""
    row.shown_pin, row.shown_at, row.look_error, row.confirmed_by, row.confirmed_at = "", None, "", "", None
    host.source = "collector"
    session.add(row)
    session.add(host)
    session.flush()
    audit.record(
        session,
        actor=actor,
        action="host.collected_by_us",
        object_kind="host",
        object_id=host_id,
        group_id=host.group_id,
        after={"channel": channel, "address": address, "port": port, "credential": credential.name, "pins": len(pins)},
    )
    return row


def plain_pin(channel: str, fingerprint: str) -> str:
    """A fingerprint in the one form that channels compare. Raises BadInput."""
    given = fingerprint.strip()
    if channel == "ssh":
        pin = given.rstrip("=")
        if not re.fullmatch(r"SHA256:[A-Za-z0-9+/]{43}", pin):
            raise BadInput("fingerprint: SHA256: and 43 letters and digits, as ssh-keygen -l prints it")
        return pin
    pin = given.replace(":", "").replace(" ", "").lower()
    if not re.fullmatch(r"[0-9a-f]{64}", pin):
        raise BadInput("fingerprint: the SHA-256 of the certificate, 64 hex digits")
    return pin


def longest_seconds(channel: str) -> int:
    """How long a collection over this channel may take, connection included."""
    return 120 if channel == "ssh" else 150


def claim(session: Session, host_id: str) -> CollectionEndpoint | None:
    """Takes the right to read a host now, with the next number of its check-ins; it lasts seconds unless a `leases.Lease` keeps it.

    None where another worker is at it, or where we do not read it.
    """
    taken = session.execute(
        update(CollectionEndpoint)
        .where(
            col(CollectionEndpoint.host_id) == host_id,
            # A host that has an agent of its own again is left to it: two sources would be two counters.
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
    """Hosts whose time has come, longest waiting first."""
    rows = session.execute(
        select(col(CollectionEndpoint.host_id))
        .join(Host, col(Host.id) == col(CollectionEndpoint.host_id))
        .where(
            col(CollectionEndpoint.next_at) <= text("clock_timestamp()"),
            # Nothing proves yet that it is the host: a person confirms its key first.
            (func.cardinality(col(CollectionEndpoint.pins)) > 0) | (col(CollectionEndpoint.ca_certificate) != ""),
            leases.is_free(CollectionEndpoint),
            col(Host.source) == "collector",
            col(Host.state).in_(("active", "waiting")),
        )
        .order_by(col(CollectionEndpoint.next_at))
        .limit(limit)
    )
    return [str(row[0]) for row in rows]
