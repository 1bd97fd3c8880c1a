"""What people do about vCenters: add one, confirm its certificate, have it read, link its hosts, remove it.

As with hosts, a person who points a credential at an address could collect it there: so each act needs the right on the credential's
group too.
"""

from sqlmodel import Session, col, select, text

from plumbline import audit
from plumbline.auth.actor import Actor
from plumbline.auth.rights import require
from plumbline.auth.scope import host_in_scope
from plumbline.collection import endpoints, vcenter_queries
from plumbline.collection.connections import confirm_key, forget_shown_key, try_again
from plumbline.collection.credentials import managed_credential, require_in_group
from plumbline.collection.vcenter_clusters import forget_clusters, set_cluster
from plumbline.collection.vcenter_match import BY_HAND
from plumbline.collection.vcenter_schemas import VCenterCreate, VCenterHostRow, VCenterRow, VCenterUpdate
from plumbline.infra.database import now_of
from plumbline.infra.errors import BadInput, Conflict, NotFound
from plumbline.infra.task_queue import enqueue
from plumbline.models.collection import VCenter, VCenterHost
from plumbline.models.hosts import HostGroup
from plumbline.models.vault import VaultSecret

KIND = "vcenter"
FETCH_CERTIFICATE, READ = "collection.fetch_vcenter_certificate", "collection.read_vcenter"
_QUEUE = "collection"


def add_vcenter(session: Session, *, actor: Actor, request: VCenterCreate) -> VCenterRow:
    """Adds a vCenter of a group. No credential is sent before a person has confirmed its certificate."""
    group = session.get(HostGroup, request.group_id)
    require(actor, "collection.manage", group.path if group else "", missing="Group not found.")
    assert group is not None
    _check_credential(session, actor, request.credential_id, group)
    existing = select(VCenter.id).where(
        col(VCenter.address) == request.address, col(VCenter.port) == request.port, col(VCenter.group_id) == group.id
    )
    if session.exec(existing).first() is not None:
        raise Conflict(f"{request.address}:{request.port} is asked about this group already")
    row = VCenter(**request.model_dump(), created_by=actor.audit_name)
    session.add(row)
    session.flush()
    session.refresh(row)
    _audit(session, actor, "vcenter.added", row)
    enqueue(session, FETCH_CERTIFICATE, row.id or 0, queue=_QUEUE)
    return vcenter_queries.list_vcenters(session, actor=actor, vcenter_id=row.id)[0]


def change_vcenter(session: Session, *, actor: Actor, vcenter_id: int, request: VCenterUpdate) -> VCenterRow:
    """Another name, address, port or credential. The confirmed certificate stays: it has to be the same vCenter."""
    row, group = _vcenter(session, actor, vcenter_id)
    if request.credential_id is not None:
        _check_credential(session, actor, request.credential_id, group)
        row.credential_id = request.credential_id
    row.name = request.name or row.name
    row.address, row.port = request.address or row.address, request.port or row.port
    try_again(row, now_of(session))
    forget_shown_key(row)
    session.add(row)
    session.flush()
    _audit(session, actor, "vcenter.changed", row)
    enqueue(session, READ if row.pin else FETCH_CERTIFICATE, vcenter_id, queue=_QUEUE)
    return vcenter_queries.list_vcenters(session, actor=actor, vcenter_id=vcenter_id)[0]


def fetch_vcenter_certificate(session: Session, *, actor: Actor, vcenter_id: int) -> str:
    """Has the executor fetch the certificate that the vCenter shows; no credential is sent."""
    row, _ = _vcenter(session, actor, vcenter_id)
    forget_shown_key(row)
    session.add(row)
    enqueue(session, FETCH_CERTIFICATE, vcenter_id, queue=_QUEUE)
    return f"requested: {row.address}:{row.port} is contacted for its certificate; no credential is sent"


def confirm_vcenter(session: Session, *, actor: Actor, vcenter_id: int, fingerprint: str) -> VCenterRow:
    """Pins the certificate that a person compared; from now on the credential is sent to it alone. Raises `Conflict` for another one."""
    row, _ = _vcenter(session, actor, vcenter_id)
    pin = endpoints.plain_pin("winrm", fingerprint)
    confirm_key(row, pin, name=row.name, confirmed_by=actor.audit_name, now=now_of(session))
    row.pin = pin
    session.add(row)
    session.flush()
    _audit(session, actor, "vcenter.certificate_confirmed", row)
    enqueue(session, READ, vcenter_id, queue=_QUEUE)
    return vcenter_queries.list_vcenters(session, actor=actor, vcenter_id=vcenter_id)[0]


def read_now(session: Session, *, actor: Actor, vcenter_id: int) -> str:
    """Has the executor read the vCenter at once."""
    row, _ = _vcenter(session, actor, vcenter_id)
    if not row.pin:
        raise Conflict(f"Verify the certificate of {row.name} first.")
    row.next_at = now_of(session)
    session.add(row)
    enqueue(session, READ, vcenter_id, queue=_QUEUE)
    return f"Reading {row.name}: clusters, lockdown, SSH and maintenance mode."


def link_host(session: Session, *, actor: Actor, vcenter_id: int, moid: str, host_id: str | None) -> VCenterHostRow:
    """Links a host of the vCenter's list with one of Plumbline's, or notes that it is none of them. Later readings keep the link."""
    row, group = _vcenter(session, actor, vcenter_id)
    listed = session.get(VCenterHost, (vcenter_id, moid), with_for_update=True)
    if listed is None:
        raise NotFound("The vCenter doesn't list this host.")
    before = listed.host_id
    if host_id is not None:
        host, host_group = host_in_scope(session, actor=actor, host_id=host_id)
        require(actor, "collection.manage", host_group.path, missing="Host not found.")
        if host.platform != "esxi" or not host_group.path.startswith(group.path):
            raise BadInput(f"{host.name} is not an ESXi host in {group.name}, the scope of {row.name}.")
        other = select(VCenterHost).where(col(VCenterHost.host_id) == host_id, col(VCenterHost.moid) != moid)
        if (linked := session.exec(other).first()) is not None:
            raise Conflict(f"{host.name} is already linked to {linked.name}. Unlink it first.")
    listed.host_id, listed.is_linked_by_hand = host_id, True
    listed.matched_words = BY_HAND if host_id else "marked as not in Plumbline"
    session.add(listed)
    session.flush()
    _audit(session, actor, "vcenter.host_linked", row, host=listed.name, before=before, after=host_id)
    # Rows of hosts are locked in the order of their ids.
    for changed in sorted({host for host in (before, host_id) if host is not None and before != host_id}):
        cluster = listed.cluster if changed == host_id else ""
        set_cluster(session, actor=actor.audit_name, host_id=changed, cluster=cluster, vcenter=row.name)
    return vcenter_queries.list_vcenter_hosts(session, actor=actor, vcenter_id=vcenter_id, moid=moid)[0]


def remove_vcenter(session: Session, *, actor: Actor, vcenter_id: int) -> None:
    """Removes a vCenter with its list of hosts, and from hosts the clusters that came from it, since nothing confirms them any more."""
    row, _ = _vcenter(session, actor, vcenter_id)
    _audit(session, actor, "vcenter.removed", row)
    hosts = session.exec(
        select(VCenterHost.host_id).where(col(VCenterHost.vcenter_id) == vcenter_id, col(VCenterHost.host_id).is_not(None))
    )
    forget_clusters(session, actor=actor.audit_name, host_ids=[host for host in hosts if host is not None], vcenter=row.name)
    session.execute(text("DELETE FROM vcenter_host WHERE vcenter_id = :id"), {"id": vcenter_id})
    session.delete(row)
    session.flush()


def _check_credential(session: Session, actor: Actor, credential_id: int, group: HostGroup) -> None:
    secret, owner = managed_credential(session, actor=actor, credential_id=credential_id, purposes=("collection",))
    if secret.kind != KIND:
        raise BadInput(f"the credential {secret.name!r} is not an account of a vCenter")
    require_in_group(secret, owner, group=group)


def _vcenter(session: Session, actor: Actor, vcenter_id: int) -> tuple[VCenter, HostGroup]:
    row = session.get(VCenter, vcenter_id, with_for_update=True)
    group = session.get(HostGroup, row.group_id) if row is not None else None
    require(actor, "collection.manage", group.path if group else "", missing="vCenter not found.")
    assert row is not None
    assert group is not None
    secret = session.get_one(VaultSecret, row.credential_id)
    require(actor, "credential.manage", session.get_one(HostGroup, secret.group_id).path, missing="vCenter not found.")
    return row, group


def _audit(session: Session, actor: Actor, action: str, row: VCenter, **more: object) -> None:
    audit.record(
        session,
        actor=actor.audit_name,
        action=action,
        about=audit.Object("vcenter", str(row.id), row.group_id),
        after={"name": row.name, "address": row.address, "port": row.port, "credential": row.credential_id, "pin": row.pin, **more},
    )
