"""What screens show of collection: credentials, hosts that Plumbline reads, and how one host is read."""

from typing import Any

from sqlalchemy import func, select, text
from sqlalchemy.dialects.postgresql import distinct_on
from sqlmodel import Session

from plumbline.auth.actor import Actor
from plumbline.auth.rights import allow
from plumbline.auth.scope import host_in_scope, in_scope
from plumbline.channels.ssh import pin_fingerprint
from plumbline.collection.schemas import CollectedHost, CredentialRow, HostCollection, Trial
from plumbline.infra.errors import NotFound
from plumbline.infra.schemas import NamedHost
from plumbline.models.collection import CollectionEndpoint, CredentialCheck
from plumbline.models.columns import columns_of
from plumbline.models.hosts import HOST, HOST_GROUP, CheckInSource, Host, HostGroup
from plumbline.models.vault import VaultSecret

COLLECTION_ENDPOINT = columns_of(CollectionEndpoint)
VAULT_SECRET = columns_of(VaultSecret)
CREDENTIAL_CHECK = columns_of(CredentialCheck)
_MOST = 1000


def list_credentials(session: Session, *, actor: Actor, credential_id: int | None = None) -> list[CredentialRow]:
    """Credentials for reading and for changing hosts that this person may change, by name. Two queries."""
    uses = select(COLLECTION_ENDPOINT.credential_id, func.count().label("hosts")).group_by(COLLECTION_ENDPOINT.credential_id).subquery()
    rows = session.execute(
        select(VaultSecret, HostGroup, func.coalesce(uses.c.hosts, 0))
        .join(HostGroup, HOST_GROUP.id == VAULT_SECRET.group_id)
        .outerjoin(uses, uses.c.credential_id == VAULT_SECRET.id)
        .where(
            VAULT_SECRET.purpose.in_(("collection", "remediation")),
            in_scope(actor),
            *([VAULT_SECRET.id == credential_id] if credential_id is not None else []),
        )
        .order_by(VAULT_SECRET.name, VAULT_SECRET.id)
        .limit(_MOST)
    ).all()
    managed = [(secret, group, hosts) for secret, group, hosts in rows if allow(actor, "credential.manage", group.path)]
    newest = (
        select(CredentialCheck, Host.name)  # type: ignore[call-overload]
        .join(Host, HOST.id == CREDENTIAL_CHECK.host_id)
        .where(CREDENTIAL_CHECK.credential_id.in_([secret.id for secret, _, _ in managed]))
        .ext(distinct_on(CREDENTIAL_CHECK.credential_id))
        .order_by(CREDENTIAL_CHECK.credential_id, CREDENTIAL_CHECK.id.desc())
    )
    checks = {check.credential_id: trial_of(check, name) for check, name in session.execute(newest)}
    return [
        CredentialRow(
            **secret.model_dump(
                include={
                    "id",
                    "name",
                    "purpose",
                    "kind",
                    "account",
                    "group_id",
                    "version",
                    "created_by",
                    "changed_at",
                    "stopped_at",
                    "stopped_reason",
                }
            ),
            group_name=group.name,
            hosts=hosts,
            last_trial=checks.get(secret.id),
        )
        for secret, group, hosts in managed
    ]


def read_trial(session: Session, *, actor: Actor, trial_id: int) -> Trial:
    """One check of a credential; `NotFound` outside the scope."""
    found = session.execute(
        select(CredentialCheck, Host.name)  # type: ignore[call-overload]
        .join(Host, HOST.id == CREDENTIAL_CHECK.host_id)
        .join(VaultSecret, VAULT_SECRET.id == CREDENTIAL_CHECK.credential_id)
        .join(HostGroup, HOST_GROUP.id == VAULT_SECRET.group_id)
        .where(CREDENTIAL_CHECK.id == trial_id, in_scope(actor))
    ).first()
    if found is None:
        raise NotFound("Test not found.")
    return trial_of(found[0], found[1])


def trial_of(check: CredentialCheck, host_name: str) -> Trial:
    """A check of a credential as the API shows it."""
    return Trial(**check.model_dump(exclude={"host_id", "asked_by"}), host=NamedHost(id=check.host_id, name=host_name))


def list_hosts(session: Session, *, actor: Actor, host_id: str | None = None) -> list[CollectedHost]:
    """Hosts in scope that Plumbline reads, or whose own agent it can start, by name. One query."""
    rows = session.execute(
        select(CollectionEndpoint, Host, HostGroup.name, VaultSecret, _is_running())  # type: ignore[call-overload]
        .join(Host, HOST.id == COLLECTION_ENDPOINT.host_id)
        .join(HostGroup, HOST_GROUP.id == HOST.group_id)
        .join(VaultSecret, VAULT_SECRET.id == COLLECTION_ENDPOINT.credential_id)
        .where(in_scope(actor), HOST.state != "retired", *([HOST.id == host_id] if host_id is not None else []))
        .order_by(HOST.name, HOST.id)
        .limit(_MOST)
    )
    return [
        CollectedHost(
            **endpoint.model_dump(
                exclude={"pins", "ca_certificate", "check_in_secret_id", "epoch", "generation", "last_seq", "claimed_until"}
            ),
            name=host.name,
            state=host.state,
            source=host.source,
            platform=host.platform,
            group_id=host.group_id,
            group_name=group_name,
            credential_name=secret.name,
            account=secret.account,
            pins=[pin_fingerprint(pin) for pin in endpoint.pins],
            is_ca_trusted=bool(endpoint.ca_certificate),
            is_running=bool(is_running),
        )
        for endpoint, host, group_name, secret, is_running in rows
    ]


def read_host_collection(session: Session, *, actor: Actor, host_id: str) -> HostCollection:
    """How the data of one host gets here, as a sentence, with the endpoint where there is one."""
    host, _ = host_in_scope(session, actor=actor, host_id=host_id)
    minutes = max(1, round(host.interval_seconds / 60))
    found = session.execute(select(CollectionEndpoint, _is_running()).where(COLLECTION_ENDPOINT.host_id == host_id)).first()
    if host.source != "collector" and found is not None:
        endpoint, is_running = found
        over = "SSH" if endpoint.channel == "ssh" else "WinRM"
        return HostCollection(
            source="agent",
            words=f"Agent checks in about every {minutes} min. It can be triggered over {over} at {endpoint.address}.",
            is_running=bool(is_running),
            channel=endpoint.channel,
            address=endpoint.address,
            port=endpoint.port,
            last_tried_at=endpoint.last_tried_at,
            last_ok_at=endpoint.last_ok_at,
            last_error=endpoint.last_error,
        )
    if host.source == CheckInSource.BUNDLE:
        words = "Known from a support bundle only. Add a newer bundle, enrol an agent, or let Plumbline read the host over SSH or WinRM."
        return HostCollection(source=host.source, words=words)
    if found is None or host.source != "collector":
        words = f"Agent checks in about every {minutes} min. Plumbline doesn't sign in to this host."
        if host.source == "collector":
            words = "No collection and no agent. Enrol an agent or retire the host."
        return HostCollection(source=host.source, words=words)
    endpoint, is_running = found
    over = "SSH" if endpoint.channel == "ssh" else "WinRM"
    return HostCollection(
        source="collector",
        words=f"Collected over {over} at {endpoint.address}, about every {minutes} min.",
        is_running=bool(is_running),
        channel=endpoint.channel,
        address=endpoint.address,
        port=endpoint.port,
        last_tried_at=endpoint.last_tried_at,
        last_ok_at=endpoint.last_ok_at,
        last_error=endpoint.last_error,
        next_at=endpoint.next_at,
    )


def _is_running() -> Any:
    return func.coalesce(COLLECTION_ENDPOINT.claimed_until > text("clock_timestamp()"), False)
