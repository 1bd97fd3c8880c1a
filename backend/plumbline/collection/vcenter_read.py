"""What the executor does with a vCenter: asks which certificate it shows, and reads what it tells of its hosts. It is told to do
nothing."""

from dataclasses import asdict, dataclass

import structlog
from sqlmodel import Session, col, func, select, text, update

from plumbline import vault
from plumbline.channels import AuthenticationRejected, ChannelError, CommandFailed
from plumbline.channels.vcenter import HostTold, VCenterChannel, VCenterPlace
from plumbline.channels.winrm import shown_certificate
from plumbline.collection import leases, login_limits
from plumbline.collection.connections import wait_seconds
from plumbline.collection.vcenter_clusters import set_cluster
from plumbline.collection.vcenter_match import Ours, Theirs, match_hosts
from plumbline.infra.database import session_scope
from plumbline.infra.errors import PlumblineError
from plumbline.models.collection import CollectionEndpoint, VCenter, VCenterHost
from plumbline.models.hosts import Host, HostGroup
from plumbline.models.vault import VaultSecret

log = structlog.get_logger()

# Two calls for each host besides the pages of properties; a vCenter with a thousand hosts answers well within this.
READ_SECONDS = 300.0
_LONGEST_SECONDS = 420.0
_EVERY_SECONDS = 900
ACTOR = "system"


@dataclass(frozen=True, slots=True)
class _Reach:
    place: VCenterPlace
    account: str
    password: str
    ticket: login_limits.Ticket


def look(vcenter_id: int) -> str:
    """Notes the certificate that a vCenter shows, for the person who confirms it; answers it, empty where it shows none."""
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
            # An address that was changed meanwhile is another question.
            .where(col(VCenter.id) == vcenter_id, col(VCenter.address) == address, col(VCenter.port) == port)
            .values(shown_pin=shown, look_error=error, shown_at=text("clock_timestamp()"))
        )
    return shown


def due_vcenters(session: Session, *, limit: int = 50) -> list[int]:
    """vCenters with a confirmed certificate whose time has come."""
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
    """Reads what a vCenter tells and keeps it; answers why not, empty where it did. None where another worker is at it.

    What goes wrong is written to its row in words and answered, not raised: a task has nobody to raise to.
    """
    with session_scope() as session:
        lease = _claim(session, vcenter_id)
    if lease is None:
        return None
    with lease.kept(_LONGEST_SECONDS):
        told, product, error = _claimed(vcenter_id)
    return _note(vcenter_id, lease, error, told=told, product=product)


def _claimed(vcenter_id: int) -> tuple[list[HostTold], str, str]:
    """What it tells of its hosts, its product and version, and why it told nothing."""
    try:
        with session_scope() as session:
            reach = _prepare(session, vcenter_id)
    except PlumblineError as refused:
        return [], "", refused.message
    outcome, is_in = "not_tried", False
    try:
        with VCenterChannel(reach.place, reach.account, reach.password) as channel:
            is_in = True
            told, product = channel.read_hosts(deadline_seconds=READ_SECONDS), channel.product
    except ChannelError as failed:
        if is_in or isinstance(failed, CommandFailed):
            outcome = "accepted"
        elif isinstance(failed, AuthenticationRejected):
            outcome = "rejected"
        _settle(reach, outcome)
        return [], "", failed.message
    _settle(reach, "accepted")
    return told, product, ""


def _claim(session: Session, vcenter_id: int) -> leases.Lease | None:
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


def _prepare(session: Session, vcenter_id: int) -> _Reach:
    """Everything that is needed before the vCenter is spoken to: one transaction, committed before the first byte is sent."""
    row = session.get_one(VCenter, vcenter_id)
    secret = session.get_one(VaultSecret, row.credential_id)
    values = vault.reveal(session, row.credential_id, purpose="collection")
    ticket = login_limits.take(session, credential_id=row.credential_id, address=row.address)
    return _Reach(VCenterPlace(row.address, row.port, row.pin), secret.account, values["password"], ticket)


def _settle(reach: _Reach, outcome: str) -> None:
    with session_scope() as session:
        login_limits.settle(session, reach.ticket, outcome=outcome)


def _keep(session: Session, vcenter_id: int, told: list[HostTold]) -> None:
    """Writes what was told in one transaction: the hosts' facts, which of ours they are, and the clusters of those."""
    row = session.get(VCenter, vcenter_id, with_for_update=True)
    if row is None:
        return
    held = {each.moid: each for each in session.exec(select(VCenterHost).where(col(VCenterHost.vcenter_id) == vcenter_id)).all()}
    by_hand = {moid: each.host_id for moid, each in held.items() if each.is_linked_by_hand}
    theirs = [Theirs(each.moid, each.name, each.addresses, by_hand.get(each.moid)) for each in told]
    matches = match_hosts([each for each in theirs if by_hand.get(each.moid, "") is not None], _ours(session, row.group_id))
    clusters: dict[str, str] = {each.host_id: "" for each in held.values() if each.host_id is not None}
    for each in told:
        kept = held.pop(each.moid, None) or VCenterHost(vcenter_id=vcenter_id, moid=each.moid, name=each.name)
        for name, value in asdict(each).items():
            setattr(kept, name, list(value) if isinstance(value, tuple) else value)
        match = matches.get(each.moid)
        if match is not None:
            kept.host_id, kept.matched_words = match.host_id, match.words
        kept.read_at = session.execute(select(func.clock_timestamp())).scalar_one()
        session.add(kept)
        if kept.host_id is not None:
            clusters[kept.host_id] = each.cluster
    for gone in held.values():
        session.delete(gone)
    session.flush()
    for host_id, cluster in sorted(clusters.items()):
        set_cluster(session, actor=ACTOR, host_id=host_id, cluster=cluster, vcenter=row.name)


def _ours(session: Session, group_id: int) -> list[Ours]:
    """ESXi hosts of the vCenter's group and of the groups below it, with the addresses at which they are reached."""
    path = session.get_one(HostGroup, group_id).path
    rows = session.execute(
        select(Host.id, Host.name, CollectionEndpoint.address)
        .join(HostGroup, col(HostGroup.id) == col(Host.group_id))
        .outerjoin(CollectionEndpoint, col(CollectionEndpoint.host_id) == col(Host.id))
        .where(col(Host.platform) == "esxi", col(Host.state) != "retired", col(HostGroup.path).startswith(path, autoescape=True))
        .order_by(col(Host.id))
    )
    return [Ours(host_id, name, (address,) if address else ()) for host_id, name, address in rows]


def _note(vcenter_id: int, lease: leases.Lease, error: str, *, told: list[HostTold], product: str) -> str:
    """Keeps what was told, ends the claim and says when to come again: in a quarter of an hour, or later and later while it fails."""
    with session_scope() as session:
        if not lease.end(session):
            return error
        row = session.get_one(VCenter, vcenter_id)
        if not error:
            _keep(session, vcenter_id, told)
        row.last_error = error
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
        log.warning("a vCenter could not be read", vcenter=vcenter_id, error=error)
    return error
