"""What people do about vCenters: add one, confirm its certificate, ask for a reading, link its hosts, forget it.

As with hosts, whoever points a credential at an address could collect it there: so each act needs the right on the credential's group too.
"""

from sqlmodel import Session, col, select, text

from plumbline import audit
from plumbline.auth.actor import Actor
from plumbline.auth.rights import require
from plumbline.auth.scope import visible_host
from plumbline.collection import endpoints, vcenter_queries
from plumbline.collection.vcenter_clusters import forget_clusters, take_cluster
from plumbline.collection.vcenter_match import BY_HAND
from plumbline.collection.vcenter_schemas import VCenterCreate, VCenterHostRow, VCenterRow, VCenterUpdate
from plumbline.infra.database import now_of
from plumbline.infra.errors import BadInput, Conflict, NotFound
from plumbline.infra.task_queue import enqueue
from plumbline.models.collection import VCenter, VCenterHost
from plumbline.models.hosts import HostGroup
from plumbline.models.vault import VaultSecret

KIND = "vcenter"
LOOK, READ = "collection.fetch_vcenter_certificate", "collection.read_vcenter"
_QUEUE = "collection"


def add_vcenter(session: Session, *, actor: Actor, asked: VCenterCreate) -> VCenterRow:
    """A vCenter to be asked about the hosts of a group. A person confirms its certificate before anything is sent."""
    group = session.get(HostGroup, asked.group_id)
    require(actor, "collection.manage", group.path if group else "", missing="no such group")
    assert group is not None
    _check_credential(session, actor, asked.credential_id, group)
    taken = select(VCenter.id).where(
        col(VCenter.address) == asked.address, col(VCenter.port) == asked.port, col(VCenter.group_id) == group.id
    )
    if session.exec(taken).first() is not None:
        raise Conflict(f"{asked.address}:{asked.port} is asked about this group already")
    row = VCenter(**asked.model_dump(), created_by=actor.audit_name)
    session.add(row)
    session.flush()
    session.refresh(row)
    _audit(session, actor, "vcenter.added", row)
    enqueue(session, LOOK, row.id or 0, queue=_QUEUE)
    return vcenter_queries.list_vcenters(session, actor=actor, vcenter_id=row.id)[0]


def change_vcenter(session: Session, *, actor: Actor, vcenter_id: int, asked: VCenterUpdate) -> VCenterRow:
    """Another name, address, port or credential. The confirmed certificate stays: whoever answers there has to be the same vCenter."""
    row, group = _vcenter(session, actor, vcenter_id)
    if asked.credential_id is not None:
        _check_credential(session, actor, asked.credential_id, group)
        row.credential_id = asked.credential_id
    row.name = asked.name or row.name
    row.address, row.port = asked.address or row.address, asked.port or row.port
    row.failures, row.last_error, row.next_at = 0, "", now_of(session)
    row.shown_pin, row.shown_at, row.look_error = "", None, ""
    session.add(row)
    session.flush()
    _audit(session, actor, "vcenter.changed", row)
    enqueue(session, READ if row.pin else LOOK, vcenter_id, queue=_QUEUE)
    return vcenter_queries.list_vcenters(session, actor=actor, vcenter_id=vcenter_id)[0]


def look_at_vcenter(session: Session, *, actor: Actor, vcenter_id: int) -> str:
    """Asks the executor which certificate it shows; no credential is sent."""
    row, _ = _vcenter(session, actor, vcenter_id)
    row.shown_pin, row.shown_at, row.look_error = "", None, ""
    session.add(row)
    enqueue(session, LOOK, vcenter_id, queue=_QUEUE)
    return f"asked: {row.address}:{row.port} is asked for its certificate; no credential is sent"


def confirm_vcenter(session: Session, *, actor: Actor, vcenter_id: int, fingerprint: str) -> VCenterRow:
    """Pins the certificate that a person compared; from now on the credential is sent to it alone. Raises `Conflict` for another one."""
    row, _ = _vcenter(session, actor, vcenter_id)
    pin = endpoints.plain_pin("winrm", fingerprint)
    if row.shown_pin and row.shown_pin != pin:
        raise Conflict(f"{row.name} shows {row.shown_pin}, not the fingerprint that you gave: nothing is confirmed")
    row.pin, row.confirmed_by, row.confirmed_at = pin, actor.audit_name, now_of(session)
    row.failures, row.last_error, row.next_at = 0, "", now_of(session)
    session.add(row)
    session.flush()
    _audit(session, actor, "vcenter.certificate_confirmed", row)
    enqueue(session, READ, vcenter_id, queue=_QUEUE)
    return vcenter_queries.list_vcenters(session, actor=actor, vcenter_id=vcenter_id)[0]


def read_now(session: Session, *, actor: Actor, vcenter_id: int) -> str:
    """Asks the executor to read it at once."""
    row, _ = _vcenter(session, actor, vcenter_id)
    if not row.pin:
        raise Conflict(f"the certificate of {row.name} is not confirmed: nothing is sent to it before that")
    row.next_at = now_of(session)
    session.add(row)
    enqueue(session, READ, vcenter_id, queue=_QUEUE)
    return f"{row.name} is read now: clusters, lockdown, SSH and maintenance mode of its hosts. It is told to do nothing."


def link_host(session: Session, *, actor: Actor, vcenter_id: int, moid: str, host_id: str | None) -> VCenterHostRow:
    """Says which of our hosts one of the vCenter's is, or that it is none. Reading again leaves that alone."""
    row, group = _vcenter(session, actor, vcenter_id)
    told = session.get(VCenterHost, (vcenter_id, moid), with_for_update=True)
    if told is None:
        raise NotFound("the vCenter tells of no such host")
    before = told.host_id
    if host_id is not None:
        host, its_group = visible_host(session, actor=actor, host_id=host_id)
        require(actor, "collection.manage", its_group.path, missing="no such host")
        if host.platform != "esxi" or not its_group.path.startswith(group.path):
            raise BadInput(f"{host.name} is no ESXi host of {group.name} and below: {row.name} may not speak of it")
        other = select(VCenterHost).where(col(VCenterHost.host_id) == host_id, col(VCenterHost.moid) != moid)
        if (taken := session.exec(other).first()) is not None:
            raise Conflict(f"{host.name} is linked with {taken.name} already: unlink that first")
    told.host_id, told.is_linked_by_hand = host_id, True
    told.matched_words = BY_HAND if host_id else "a person says that it is none of the hosts here"
    session.add(told)
    session.flush()
    _audit(session, actor, "vcenter.host_linked", row, host=told.name, before=before, after=host_id)
    # Rows of hosts are locked in the order of their ids.
    for changed in sorted({each for each in (before, host_id) if each is not None and before != host_id}):
        told_now = told.cluster if changed == host_id else ""
        take_cluster(session, actor=actor.audit_name, host_id=changed, cluster=told_now, vcenter=row.name)
    return vcenter_queries.list_vcenter_hosts(session, actor=actor, vcenter_id=vcenter_id, moid=moid)[0]


def remove_vcenter(session: Session, *, actor: Actor, vcenter_id: int) -> None:
    """Forgets a vCenter and what it told. The clusters that came from it go too: a cluster that nobody vouches for is not known."""
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
    secret = session.get(VaultSecret, credential_id)
    its_group = session.get(HostGroup, secret.group_id) if secret is not None else None
    if secret is None or its_group is None or secret.purpose != "collection":
        raise NotFound("no such credential")
    require(actor, "credential.manage", its_group.path, missing="no such credential")
    if secret.kind != KIND:
        raise BadInput(f"the credential {secret.name!r} is not an account of a vCenter")
    if not group.path.startswith(its_group.path):
        raise BadInput(f"the credential {secret.name!r} is for hosts of {its_group.name} and below, not of {group.name}")


def _vcenter(session: Session, actor: Actor, vcenter_id: int) -> tuple[VCenter, HostGroup]:
    row = session.get(VCenter, vcenter_id, with_for_update=True)
    group = session.get(HostGroup, row.group_id) if row is not None else None
    require(actor, "collection.manage", group.path if group else "", missing="no such vCenter")
    assert row is not None
    assert group is not None
    secret = session.get_one(VaultSecret, row.credential_id)
    require(actor, "credential.manage", session.get_one(HostGroup, secret.group_id).path, missing="no such vCenter")
    return row, group


def _audit(session: Session, actor: Actor, action: str, row: VCenter, **more: object) -> None:
    audit.record(
        session,
        actor=actor.audit_name,
        action=action,
        object_kind="vcenter",
        object_id=str(row.id),
        group_id=row.group_id,
        after={"name": row.name, "address": row.address, "port": row.port, "credential": row.credential_id, "pin": row.pin, **more},
    )
