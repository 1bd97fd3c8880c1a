"""What people do about hosts that Plumbline reads: each act is checked for its host, done in the request's transaction, and audited.

Every act that sends a credential to an address needs the right on the credential's group too: see `credentials`.
"""

import dataclasses
import secrets

from sqlmodel import Session

from plumbline import audit
from plumbline.auth.actor import Actor
from plumbline.auth.rights import require
from plumbline.auth.scope import host_in_scope
from plumbline.collection import endpoints, queries
from plumbline.collection.connections import confirm_key, forget_shown_key, try_again
from plumbline.collection.credentials import managed_credential, require_fit
from plumbline.collection.endpoints import CHANNEL_OF, PORTS, EndpointSettings, managed_endpoint
from plumbline.collection.host_keys import stored_pins
from plumbline.collection.schemas import CollectedHost, CollectedHostCreate, CollectedHostUpdate
from plumbline.collection.start_agent import START_SECONDS
from plumbline.hosts.enrol import enrol
from plumbline.hosts.enrolment_tokens import TokenTerms, make_token
from plumbline.infra.database import now_of
from plumbline.infra.errors import BadInput, Conflict
from plumbline.infra.task_queue import enqueue
from plumbline.models.collection import CollectionEndpoint
from plumbline.models.hosts import Host, HostGroup
from plumbline.models.vault import VaultSecret


def add_host(session: Session, *, actor: Actor, request: CollectedHostCreate) -> CollectedHost:
    """Makes Plumbline the source of a host: a new one, which waits for approval, or one whose agent it takes over from (epoch + 1).

    A host that had an agent brings its keys along; any other waits until a person has confirmed the key that it shows.
    """
    host, group = _host_to_add(session, actor, request)
    channel = CHANNEL_OF[request.platform]
    secret, owner = managed_credential(session, actor=actor, credential_id=request.credential_id)
    require_fit(secret, owner, channel=channel, group=group)
    settings = EndpointSettings(
        channel=channel,
        address=request.address,
        port=request.port or PORTS[channel],
        credential_id=request.credential_id,
        pins=stored_pins(session, host.id, request.platform) if host is not None else (),
        ca_certificate=request.ca_certificate,
    )
    if request.keeps_agent:
        if host is None or host.source != "agent":
            raise BadInput("keeps_agent: only a host that checks in by an agent of its own can keep it")
        return _keep_agent(session, actor, host, settings)
    assert group.id is not None
    token = make_token(
        session,
        TokenTerms(name=f"collection of {request.name or request.host_id}", group_id=group.id, expires_hours=1, host_id=request.host_id),
        actor=actor.audit_name,
        created_by=actor.person_id,
    )
    enrolled = enrol(
        session,
        token=token.token,
        nonce=secrets.token_hex(16),
        name=request.name or "collected",
        platform=request.platform,
        agent_version="collector",
        address=request.address,
    )
    row = endpoints.add_endpoint(session, actor=actor.audit_name, enrolled=dataclasses.asdict(enrolled), settings=settings)
    _enqueue_next(session, row)
    return queries.list_hosts(session, actor=actor, host_id=row.host_id)[0]


def _host_to_add(session: Session, actor: Actor, request: CollectedHostCreate) -> tuple[Host | None, HostGroup]:
    """The host that exists already, if the request names one, and the group in which the host is or will be."""
    if (request.host_id is None) == (request.name is None):
        raise BadInput("Enter a new host name or an existing host ID.")
    host = None
    if request.host_id is not None:
        host, group = host_in_scope(session, actor=actor, host_id=request.host_id)
        endpoints.refuse_retired(host)
        if host.platform != request.platform:
            raise BadInput(f"{host.name} is a {host.platform} host")
        if host.source == "collector" and session.get(CollectionEndpoint, host.id) is not None:
            raise Conflict(f"{host.name} is already collected by Plumbline.")
    else:
        found = session.get(HostGroup, request.group_id) if request.group_id is not None else None
        if found is None:
            require(actor, "collection.manage", "", missing="Group not found.")
        assert found is not None
        group = found
    require(actor, "collection.manage", group.path, missing="Group not found.")
    return host, group


def _keep_agent(session: Session, actor: Actor, host: Host, settings: EndpointSettings) -> CollectedHost:
    """Notes how to reach a host whose own agent stays its source. Nothing is sent until a person requests a check-in."""
    row = session.get(CollectionEndpoint, host.id) or settings.new_row(host.id)
    settings.write_to(row)
    row.failures, row.last_error, row.last_error_code = 0, "", ""
    session.add(row)
    session.flush()
    _audit(session, actor, "host.agent_reached_by_us", host, before=None, after=_described(row))
    if not row.pins and not row.ca_certificate:
        enqueue(session, "collection.fetch_host_key", host.id, queue="collection")
    return queries.list_hosts(session, actor=actor, host_id=host.id)[0]


def change_host(session: Session, *, actor: Actor, host_id: str, request: CollectedHostUpdate) -> CollectedHost:
    """Another address, port or credential. The confirmed key stays: the machine that answers there has to be the same host."""
    host, group, row = managed_endpoint(session, actor=actor, host_id=host_id)
    endpoints.refuse_retired(host)
    managed_credential(session, actor=actor, credential_id=row.credential_id)
    before = _described(row)
    if request.credential_id is not None:
        secret, owner = managed_credential(session, actor=actor, credential_id=request.credential_id)
        require_fit(secret, owner, channel=row.channel, group=group)
        row.credential_id = request.credential_id
    row.address, row.port = request.address or row.address, request.port or row.port
    try_again(row, now_of(session))
    forget_shown_key(row)
    session.add(row)
    session.flush()
    _audit(session, actor, "host.collection_changed", host, before=before, after=_described(row))
    _enqueue_next(session, row)
    return queries.list_hosts(session, actor=actor, host_id=host_id)[0]


def remove_host(session: Session, *, actor: Actor, host_id: str) -> None:
    """Plumbline no longer reads the host; its history stays. It goes silent until an agent is enrolled for it, or it is retired."""
    host, _, row = managed_endpoint(session, actor=actor, host_id=host_id)
    _audit(session, actor, "host.collection_ended", host, before=_described(row), after=None)
    session.delete(row)
    session.flush()
    # Without the endpoint nothing may check in for the host any more.
    if row.check_in_secret_id is not None:
        session.delete(session.get_one(VaultSecret, row.check_in_secret_id))
        session.flush()


def fetch_host_key(session: Session, *, actor: Actor, host_id: str) -> str:
    """Has the executor fetch the key or certificate that the host shows; no credential is sent."""
    host, _, row = managed_endpoint(session, actor=actor, host_id=host_id)
    endpoints.refuse_retired(host)
    forget_shown_key(row)
    session.add(row)
    enqueue(session, "collection.fetch_host_key", host_id, queue="collection")
    shown = "key" if row.channel == "ssh" else "certificate"
    return f"requested: {row.address}:{row.port} is contacted for its {shown}; no credential is sent"


def confirm_host_key(session: Session, *, actor: Actor, host_id: str, fingerprint: str) -> CollectedHost:
    """Pins the fingerprint that a person compared with the host's own console; from now on the credential is sent to this key alone.

    Raises `Conflict` where the host showed another one.
    """
    host, _, row = managed_endpoint(session, actor=actor, host_id=host_id, is_locked=True)
    endpoints.refuse_retired(host)
    managed_credential(session, actor=actor, credential_id=row.credential_id)
    pin = endpoints.plain_pin(row.channel, fingerprint)
    before = _described(row)
    confirm_key(row, pin, name=host.name, confirmed_by=actor.audit_name, now=now_of(session))
    row.pins = [pin]
    session.add(row)
    session.flush()
    _audit(session, actor, "host.key_confirmed", host, before=before, after={**_described(row), "fingerprint": pin})
    enqueue(session, "collection.collect", host_id, queue="collection")
    return queries.list_hosts(session, actor=actor, host_id=host_id)[0]


def check_now(session: Session, *, actor: Actor, host_id: str) -> str:
    """Requests a new check-in: Plumbline reads the host at once, or starts the host's own agent where it knows how to reach it.

    Elsewhere the answer says when the agent checks in next.
    """
    host, group = host_in_scope(session, actor=actor, host_id=host_id)
    require(actor, "host.check_now", group.path, missing="Host not found.")
    if host.state not in ("active", "waiting"):
        raise Conflict(f"The host is {host.state} and doesn't check in.")
    audit.record(session, actor=actor.audit_name, action="host.check_asked", about=audit.Object("host", host.id, host.group_id))
    minutes = max(1, round(host.interval_seconds / 60))
    row = session.get(CollectionEndpoint, host_id)
    if host.source != "collector":
        return _start_agent(session, host, row, minutes)
    if row is None:
        raise Conflict("This host has no collection and no agent. Enrol an agent first.")
    if not row.pins and not row.ca_certificate:
        raise Conflict("Host key not verified. Ask an admin to verify it first.")
    enqueue(session, "collection.check_now", host.id, queue="collection")
    over = "SSH" if row.channel == "ssh" else "WinRM"
    return f"Reading the host over {over}. This can take up to {endpoints.longest_seconds(row.channel)} s."


def _start_agent(session: Session, host: Host, row: CollectionEndpoint | None, minutes: int) -> str:
    awaited = f"next check-in expected within {minutes} min"
    if row is None:
        return f"This host's agent can't be triggered from here; {awaited}. An admin can set this up in Admin > Collection."
    if not row.pins and not row.ca_certificate:
        return f"Host key not verified, so the agent wasn't triggered; {awaited}."
    enqueue(session, "collection.check_now", host.id, queue="collection")
    over = "SSH" if row.channel == "ssh" else "WinRM"
    return f"Agent triggered over {over}. Check-in expected within {START_SECONDS:.0f} s."


def _enqueue_next(session: Session, row: CollectionEndpoint) -> None:
    """Reads the host where its key is confirmed, else fetches the key."""
    is_confirmed = row.pins or row.ca_certificate
    enqueue(session, "collection.collect" if is_confirmed else "collection.fetch_host_key", row.host_id, queue="collection")


def _described(row: CollectionEndpoint) -> dict[str, object]:
    return {"address": row.address, "port": row.port, "credential": row.credential_id, "pins": len(row.pins)}


def _audit(
    session: Session, actor: Actor, action: str, host: Host, *, before: dict[str, object] | None, after: dict[str, object] | None
) -> None:
    audit.record(
        session, actor=actor.audit_name, action=action, about=audit.Object("host", host.id, host.group_id), before=before, after=after
    )
