"""The executor's two tasks with a vCenter: fetching the certificate that it shows, and reading what it reports about its hosts."""

from dataclasses import asdict, dataclass

import structlog
from sqlmodel import Session, col, func, select, text, update

from plumbline import vault
from plumbline.channels import AuthenticationRejected, ChannelError, CommandFailed
from plumbline.channels.vcenter import ReportedHost, VCenterChannel, VCenterTarget
from plumbline.channels.winrm import shown_certificate
from plumbline.collection import leases, login_limits
from plumbline.collection.connections import wait_seconds
from plumbline.collection.vcenter_clusters import set_cluster
from plumbline.collection.vcenter_match import KnownHost, VCenterEntry, match_hosts
from plumbline.infra.database import session_scope
from plumbline.infra.errors import PlumblineError
from plumbline.models.collection import CollectionEndpoint, VCenter, VCenterHost
from plumbline.models.hosts import Host, HostGroup
from plumbline.models.vault import VaultSecret

log = structlog.get_logger()

# Reading takes two calls a host and the pages of properties; a vCenter with a thousand hosts answers well within this.
READ_SECONDS = 300.0
_LONGEST_SECONDS = 420.0
_EVERY_SECONDS = 900
ACTOR = "system"


@dataclass(frozen=True, slots=True)
class _VCenterAccess:
    target: VCenterTarget
    account: str
    password: str
    ticket: login_limits.Ticket


def fetch_certificate(vcenter_id: int) -> str:
    """Stores and returns the certificate that a vCenter shows, for the person who confirms it; empty where it shows none."""
    with session_scope() as session:
        row = session.get(VCenter, vcenter_id)
        if row is None:
            return ""
        address, port = row.address, row.port
    shown, error = "", ""
    try:
        shown = shown_certificate(address, port)
    except ChannelError as failed:
        error = failed.message
    with session_scope() as session:
        session.execute(
            update(VCenter)
            # The address may have been changed meanwhile.
            .where(col(VCenter.id) == vcenter_id, col(VCenter.address) == address, col(VCenter.port) == port)
            .values(shown_pin=shown, look_error=error, shown_at=text("clock_timestamp()"))
        )
    return shown


def due_vcenters(session: Session, *, limit: int = 50) -> list[int]:
    """vCenters with a confirmed certificate that are due."""
    rows = session.execute(
        select(col(VCenter.id))
        .where(
            col(VCenter.next_at) <= text("clock_timestamp()"),
            col(VCenter.pin) != "",
            leases.is_free(VCenter),
        )
        .order_by(col(VCenter.next_at))
        .limit(limit)
    )
    return [int(row[0]) for row in rows]


def read_vcenter(vcenter_id: int) -> str | None:
    """Reads a vCenter and stores its hosts. Returns the error, empty for a success; None where another worker has the lease.

    Errors are written to its row and returned, not raised, since a task has no caller to raise to.
    """
    with session_scope() as session:
        lease = _take_lease(session, vcenter_id)
    if lease is None:
        return None
    with lease.kept(_LONGEST_SECONDS):
        reported, product, failed = _read(vcenter_id)
    return _note(vcenter_id, lease, failed, reported=reported, product=product)


def _read(vcenter_id: int) -> tuple[list[ReportedHost], str, PlumblineError | None]:
    """Its hosts, its product and version, and the error where it could not be read."""
    try:
        with session_scope() as session:
            access = _prepare(session, vcenter_id)
    except PlumblineError as refused:
        return [], "", refused
    outcome, is_in = "not_tried", False
    try:
        with VCenterChannel(access.target, access.account, access.password) as channel:
            is_in = True
            reported, product = channel.read_hosts(deadline_seconds=READ_SECONDS), channel.product
    except ChannelError as failed:
        if is_in or isinstance(failed, CommandFailed):
            outcome = "accepted"
        elif isinstance(failed, AuthenticationRejected):
            outcome = "rejected"
        _settle(access, outcome)
        return [], "", failed
    _settle(access, "accepted")
    return reported, product, None


def _take_lease(session: Session, vcenter_id: int) -> leases.Lease | None:
    taken = session.execute(
        update(VCenter)
        .where(
            col(VCenter.id) == vcenter_id,
            leases.is_free(VCenter),
        )
        .values(claimed_until=leases.NEW_LEASE, next_at=leases.DUE_AGAIN, last_tried_at=text("clock_timestamp()"))
        .returning(col(VCenter.claimed_until))
    ).first()
    return leases.Lease(VCenter, vcenter_id, taken[0]) if taken else None


def _prepare(session: Session, vcenter_id: int) -> _VCenterAccess:
    """All that is needed before the vCenter is contacted, in one transaction that is committed before the first byte is sent."""
    row = session.get_one(VCenter, vcenter_id)
    secret = session.get_one(VaultSecret, row.credential_id)
    values = vault.reveal(session, row.credential_id, purpose="collection")
    ticket = login_limits.take(session, credential_id=row.credential_id, address=row.address)
    return _VCenterAccess(VCenterTarget(row.address, row.port, row.pin), secret.account, values["password"], ticket)


def _settle(access: _VCenterAccess, outcome: str) -> None:
    with session_scope() as session:
        login_limits.settle(session, access.ticket, outcome=outcome)


def _store(session: Session, vcenter_id: int, reported: list[ReportedHost]) -> None:
    """Stores the reported hosts in one transaction: their facts, the links with Plumbline's hosts, and the clusters of those."""
    row = session.get(VCenter, vcenter_id, with_for_update=True)
    if row is None:
        return
    stored = {host.moid: host for host in session.exec(select(VCenterHost).where(col(VCenterHost.vcenter_id) == vcenter_id)).all()}
    by_hand = {moid: host.host_id for moid, host in stored.items() if host.is_linked_by_hand}
    # A host that a person marked as none of Plumbline's is not matched again.
    unmatched = [
        VCenterEntry(host.moid, host.name, host.addresses, by_hand.get(host.moid))
        for host in reported
        if by_hand.get(host.moid, "") is not None
    ]
    matches = match_hosts(unmatched, _known_hosts(session, row.group_id))
    clusters: dict[str, str] = {host.host_id: "" for host in stored.values() if host.host_id is not None}
    for host in reported:
        kept = stored.pop(host.moid, None) or VCenterHost(vcenter_id=vcenter_id, moid=host.moid, name=host.name)
        for name, value in asdict(host).items():
            setattr(kept, name, list(value) if isinstance(value, tuple) else value)
        match = matches.get(host.moid)
        if match is not None:
            kept.host_id, kept.matched_words = match.host_id, match.words
        kept.read_at = session.execute(select(func.clock_timestamp())).scalar_one()
        session.add(kept)
        if kept.host_id is not None:
            clusters[kept.host_id] = host.cluster
    for gone in stored.values():
        session.delete(gone)
    session.flush()
    for host_id, cluster in sorted(clusters.items()):
        set_cluster(session, actor=ACTOR, host_id=host_id, cluster=cluster, vcenter=row.name)


def _known_hosts(session: Session, group_id: int) -> list[KnownHost]:
    """ESXi hosts of the vCenter's group and of the groups below it, with the addresses at which Plumbline reaches them."""
    path = session.get_one(HostGroup, group_id).path
    rows = session.execute(
        select(Host.id, Host.name, CollectionEndpoint.address)
        .join(HostGroup, col(HostGroup.id) == col(Host.group_id))
        .outerjoin(CollectionEndpoint, col(CollectionEndpoint.host_id) == col(Host.id))
        .where(col(Host.platform) == "esxi", col(Host.state) != "retired", col(HostGroup.path).startswith(path, autoescape=True))
        .order_by(col(Host.id))
    )
    return [KnownHost(host_id, name, (address,) if address else ()) for host_id, name, address in rows]


def _note(vcenter_id: int, lease: leases.Lease, failed: PlumblineError | None, *, reported: list[ReportedHost], product: str) -> str:
    """Stores the hosts, ends the lease and sets the next time: in a quarter of an hour, or after growing waits while it fails."""
    error = failed.message if failed else ""
    with session_scope() as session:
        if not lease.end(session):
            return error
        row = session.get_one(VCenter, vcenter_id)
        if not error:
            _store(session, vcenter_id, reported)
        row.last_error, row.last_error_code = error, failed.code if failed else ""
        row.failures = row.failures + 1 if error else 0
        row.product = product or row.product
        wait = wait_seconds(row.failures) if error else _EVERY_SECONDS
        session.add(row)
        session.flush()
        session.execute(
            update(VCenter)
            .where(col(VCenter.id) == vcenter_id)
            .values(
                next_at=text(f"clock_timestamp() + interval '{int(wait)} seconds' * (1 + random() * 0.2)"),
                **({} if error else {"last_ok_at": text("clock_timestamp()")}),
            )
        )
    if error:
        log.warning("vCenter not read", vcenter=vcenter_id, error=error)
    return error
