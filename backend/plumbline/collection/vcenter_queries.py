"""What screens show of vCenters and of their hosts."""

from datetime import timedelta
from typing import Any

from sqlalchemy import func, select, text
from sqlmodel import Session

from plumbline.auth.actor import Actor
from plumbline.auth.scope import in_scope
from plumbline.collection.vcenter_schemas import EsxcliRead, VCenterFacts, VCenterHostRow, VCenterRow
from plumbline.infra.database import now_of
from plumbline.infra.errors import NotFound
from plumbline.infra.schemas import NamedHost
from plumbline.models.collection import VCenter, VCenterHost
from plumbline.models.columns import columns_of
from plumbline.models.hosts import HOST, HOST_GROUP, Host, HostGroup
from plumbline.models.vault import VaultSecret

VCENTER = columns_of(VCenter)
VCENTER_HOST = columns_of(VCenterHost)
VAULT_SECRET = columns_of(VaultSecret)
_MOST = 5000
# Facts of a vCenter are relied on until three readings in a row have failed.
GOOD_FOR = timedelta(minutes=45)


def list_vcenters(session: Session, *, actor: Actor, vcenter_id: int | None = None) -> list[VCenterRow]:
    """vCenters of groups in scope, by name. One query."""
    counts = (
        select(VCENTER_HOST.vcenter_id, func.count().label("hosts"), func.count(VCENTER_HOST.host_id).label("linked"))
        .group_by(VCENTER_HOST.vcenter_id)
        .subquery()
    )
    rows = session.execute(
        select(VCenter, HostGroup.name, VaultSecret, _is_running(), func.coalesce(counts.c.hosts, 0), func.coalesce(counts.c.linked, 0))  # type: ignore[call-overload]
        .join(HostGroup, HOST_GROUP.id == VCENTER.group_id)
        .join(VaultSecret, VAULT_SECRET.id == VCENTER.credential_id)
        .outerjoin(counts, counts.c.vcenter_id == VCENTER.id)
        .where(in_scope(actor), *([VCENTER.id == vcenter_id] if vcenter_id is not None else []))
        .order_by(VCENTER.name, VCENTER.id)
    )
    return [
        VCenterRow(
            **row.model_dump(exclude={"claimed_until", "created_by", "created_at"}),
            group_name=group_name,
            credential_name=secret.name,
            account=secret.account,
            is_running=bool(is_running),
            hosts=hosts,
            linked=linked,
        )
        for row, group_name, secret, is_running, hosts, linked in rows
    ]


def list_vcenter_hosts(session: Session, *, actor: Actor, vcenter_id: int, moid: str | None = None) -> list[VCenterHostRow]:
    """The hosts of a vCenter in scope, by name. Two queries. Raises `NotFound`."""
    if not list_vcenters(session, actor=actor, vcenter_id=vcenter_id):
        raise NotFound("vCenter not found.")
    rows = session.execute(
        select(VCenterHost, Host.name)  # type: ignore[call-overload]
        .outerjoin(Host, HOST.id == VCENTER_HOST.host_id)
        .where(VCENTER_HOST.vcenter_id == vcenter_id, *([VCENTER_HOST.moid == moid] if moid is not None else []))
        .order_by(VCENTER_HOST.name, VCENTER_HOST.moid)
        .limit(_MOST)
    )
    shown = set(VCenterHostRow.model_fields) - {"host"}
    return [
        VCenterHostRow(**row.model_dump(include=shown), host=NamedHost(id=row.host_id, name=name) if row.host_id else None)
        for row, name in rows
    ]


def read_facts(session: Session, *, host_id: str) -> VCenterFacts | None:
    """The newest facts that a vCenter reported about a host that the caller may see. One query."""
    newest = session.execute(
        select(VCenterHost, VCenter.name)  # type: ignore[call-overload]
        .join(VCenter, VCENTER.id == VCENTER_HOST.vcenter_id)
        .where(VCENTER_HOST.host_id == host_id)
        .order_by(VCENTER_HOST.read_at.desc())
        .limit(1)
    ).first()
    if newest is None:
        return None
    row, name = newest
    return VCenterFacts(
        **row.model_dump(exclude={"reads", "host_id", "matched_words", "is_linked_by_hand"}),
        vcenter_name=name,
        reads=[EsxcliRead(command=command, **answer) for command, answer in sorted(row.reads.items())],
        is_fresh=now_of(session) - row.read_at <= GOOD_FOR,
    )


def _is_running() -> Any:
    return func.coalesce(VCENTER.claimed_until > text("clock_timestamp()"), False)
