"""What people do about collection: each act is decided for its object, done in the request's transaction, and audited.

Who points a credential at an address could collect it there: so naming a credential for a host, moving the host's address and confirming
its key all need the right on the credential's group too, and a credential serves only hosts of its group and of the groups below.
"""

import dataclasses
import secrets

from sqlmodel import Session, text

from plumbline import audit, vault
from plumbline.auth.actor import Actor
from plumbline.auth.rights import require
from plumbline.auth.scope import visible_host
from plumbline.channels.ssh import load_key
from plumbline.collection import endpoints, queries
from plumbline.collection.host_keys import stored_pins
from plumbline.collection.schemas import (
    CollectedHost,
    CollectedHostCreate,
    CollectedHostUpdate,
    CredentialCreate,
    CredentialReplace,
    CredentialRow,
    SecretValues,
    Trial,
)
from plumbline.collection.start_agent import START_SECONDS
from plumbline.hosts.enrol import enrol
from plumbline.hosts.enrolment_tokens import make_token
from plumbline.infra.database import now_of
from plumbline.infra.errors import BadInput, Conflict, NotFound, PlumblineError
from plumbline.infra.task_queue import enqueue
from plumbline.models.collection import CollectionEndpoint, CredentialCheck
from plumbline.models.hosts import Host, HostGroup
from plumbline.models.vault import VaultSecret

PORTS = {"ssh": 22, "winrm": 5986}
CHANNEL_OF = {"esxi": "ssh", "windows": "winrm"}
# What each kind of credential consists of, and over which channel it signs in.
PARTS = {
    "ssh_key": ("private_key",),
    "ssh_password": ("password",),
    "certificate": ("certificate", "private_key"),
    # The ticket is in the worker's own cache, kept fresh by a keytab: there is nothing to seal.
    "kerberos": (),
    "ntlm": ("password",),
    "vcenter": ("password",),
}
_KIND_CHANNEL = {
    "ssh_key": "ssh",
    "ssh_password": "ssh",
    "certificate": "winrm",
    "kerberos": "winrm",
    "ntlm": "winrm",
    "vcenter": "vcenter",
}
_SHOWN = {"private_key": "the private key", "password": "the password", "certificate": "the certificate"}


def add_credential(session: Session, *, actor: Actor, asked: CredentialCreate) -> CredentialRow:
    """Seals a new credential for hosts of a group. Raises `BadInput` where a part is missing or cannot be read."""
    group = session.get(HostGroup, asked.group_id)
    require(actor, "credential.manage", group.path if group else "", missing="no such group")
    if asked.kind != "certificate" and not asked.account.strip():
        raise BadInput("account: say which account on the hosts it is for")
    if asked.kind == "vcenter" and asked.purpose != "collection":
        raise BadInput("purpose: a vCenter is only read, nothing is changed through it")
    secret_id = vault.put_secret(
        session,
        actor=actor.audit_name,
        name=asked.name,
        purpose=asked.purpose,
        values=_values(asked.kind, asked),
        account=asked.account.strip(),
        kind=asked.kind,
        group_id=asked.group_id,
    )
    return queries.list_credentials(session, actor=actor, credential_id=secret_id)[0]


def replace_credential(session: Session, *, actor: Actor, credential_id: int, asked: CredentialReplace) -> CredentialRow:
    """Seals new values in the place of the old; a stopped credential is used again from now on."""
    secret, _ = _credential(session, actor, credential_id)
    vault.replace_secret(
        session, credential_id, actor=actor.audit_name, values=_values(secret.kind, asked), account=(asked.account or "").strip()
    )
    session.execute(
        text("UPDATE collection_endpoint SET failures = 0, next_at = clock_timestamp() WHERE credential_id = :id"), {"id": credential_id}
    )
    session.execute(text("UPDATE vcenter SET failures = 0, next_at = clock_timestamp() WHERE credential_id = :id"), {"id": credential_id})
    return queries.list_credentials(session, actor=actor, credential_id=credential_id)[0]


def stop_credential(session: Session, *, actor: Actor, credential_id: int, reason: str) -> CredentialRow:
    """Nobody uses the credential until it is replaced."""
    _credential(session, actor, credential_id)
    vault.stop_secret(session, credential_id, actor=actor.audit_name, reason=reason)
    return queries.list_credentials(session, actor=actor, credential_id=credential_id)[0]


def try_credential(session: Session, *, actor: Actor, credential_id: int, host_id: str) -> Trial:
    """Asks the executor to sign in to a host once with the credential; nothing is run there. Counted like any log-in."""
    secret, group = _credential(session, actor, credential_id)
    host, its_group, endpoint = _endpoint(session, actor, host_id)
    _check_fit(secret, group, endpoint.channel, its_group)
    if not endpoint.pins and not endpoint.ca_certificate:
        raise Conflict(f"the key of {host.name} is not confirmed: nothing is sent to it before that")
    if secret.stopped_at is not None:
        raise Conflict(f"the credential is stopped: {secret.stopped_reason}. Replace it first")
    trial = CredentialCheck(credential_id=credential_id, host_id=host_id, asked_by=actor.audit_name)
    session.add(trial)
    session.flush()
    session.refresh(trial)
    assert trial.id is not None
    audit.record(
        session,
        actor=actor.audit_name,
        action="secret.tested",
        object_kind="secret",
        object_id=str(credential_id),
        group_id=secret.group_id,
        after={"host": host.name},
    )
    enqueue(session, "collection.check_credential", trial.id, queue="collection")
    return queries.trial_shape(trial, host.name)


def add_host(session: Session, *, actor: Actor, asked: CollectedHostCreate) -> CollectedHost:
    """Makes Plumbline the source of a host: a new one, which waits for approval, or one whose agent it takes over from (epoch + 1).

    A host that had an agent brings its keys along; any other waits until a person has confirmed what it shows.
    """
    if (asked.host_id is None) == (asked.name is None):
        raise BadInput("give the name of a new host, or the id of one that is here")
    channel = CHANNEL_OF[asked.platform]
    pins: list[str] = []
    if asked.host_id is not None:
        host, group = visible_host(session, actor=actor, host_id=asked.host_id)
        if host.platform != asked.platform:
            raise BadInput(f"{host.name} is a {host.platform} host")
        if host.source == "collector" and session.get(CollectionEndpoint, host.id) is not None:
            raise Conflict(f"Plumbline reads {host.name} already")
        pins = stored_pins(session, host.id, asked.platform)
    else:
        found = session.get(HostGroup, asked.group_id) if asked.group_id is not None else None
        if found is None:
            require(actor, "collection.manage", "", missing="no such group")
        assert found is not None
        group = found
    require(actor, "collection.manage", group.path, missing="no such group")
    secret, its_group = _credential(session, actor, asked.credential_id)
    _check_fit(secret, its_group, channel, group)
    if asked.keeps_agent:
        if asked.host_id is None or host.source != "agent":
            raise BadInput("keeps_agent: only a host that checks in by an agent of its own can keep it")
        return _reach_agent(session, actor, host, channel, pins, asked)
    assert group.id is not None
    made = make_token(
        session,
        actor=actor.audit_name,
        name=f"collection of {asked.name or asked.host_id}",
        group_id=group.id,
        expires_hours=1,
        host_id=asked.host_id,
        created_by=actor.person_id,
    )
    enrolled = enrol(
        session,
        token=made.token,
        nonce=secrets.token_hex(16),
        name=asked.name or "collected",
        platform=asked.platform,
        agent_version="collector",
        address=asked.address,
    )
    row = endpoints.add_endpoint(
        session,
        actor=actor.audit_name,
        enrolled=dataclasses.asdict(enrolled),
        channel=channel,
        address=asked.address,
        port=asked.port or PORTS[channel],
        credential_id=asked.credential_id,
        pins=pins,
        ca_certificate=asked.ca_certificate,
    )
    enqueue(session, "collection.collect" if pins or row.ca_certificate else "collection.fetch_host_key", row.host_id, queue="collection")
    return queries.list_hosts(session, actor=actor, host_id=row.host_id)[0]


def _reach_agent(session: Session, actor: Actor, host: Host, channel: str, pins: list[str], asked: CollectedHostCreate) -> CollectedHost:
    """Notes how a host is reached whose own agent stays its source; nothing is sent before somebody asks for a check."""
    row = session.get(CollectionEndpoint, host.id) or CollectionEndpoint(
        host_id=host.id, channel=channel, address=asked.address, port=asked.port or PORTS[channel], credential_id=asked.credential_id
    )
    row.channel, row.address, row.port, row.credential_id = channel, asked.address, asked.port or PORTS[channel], asked.credential_id
    row.pins, row.ca_certificate, row.failures, row.last_error = pins, asked.ca_certificate, 0, ""
    session.add(row)
    session.flush()
    _audit(session, actor, "host.agent_reached_by_us", host, before=None, after=_described(row))
    if not pins and not row.ca_certificate:
        enqueue(session, "collection.fetch_host_key", host.id, queue="collection")
    return queries.list_hosts(session, actor=actor, host_id=host.id)[0]


def change_host(session: Session, *, actor: Actor, host_id: str, asked: CollectedHostUpdate) -> CollectedHost:
    """Another address, port or credential. The confirmed key stays: whoever answers there has to be the same host."""
    host, group, row = _endpoint(session, actor, host_id)
    _credential(session, actor, row.credential_id)
    before = _described(row)
    if asked.credential_id is not None:
        secret, its_group = _credential(session, actor, asked.credential_id)
        _check_fit(secret, its_group, row.channel, group)
        row.credential_id = asked.credential_id
    row.address, row.port = asked.address or row.address, asked.port or row.port
    row.failures, row.last_error, row.next_at = 0, "", now_of(session)
    row.shown_pin, row.shown_at, row.look_error = "", None, ""
    session.add(row)
    session.flush()
    _audit(session, actor, "host.collection_changed", host, before=before, after=_described(row))
    enqueue(session, "collection.collect" if row.pins or row.ca_certificate else "collection.fetch_host_key", host_id, queue="collection")
    return queries.list_hosts(session, actor=actor, host_id=host_id)[0]


def remove_host(session: Session, *, actor: Actor, host_id: str) -> None:
    """Plumbline no longer reads the host; its history stays. It goes silent until an agent is enrolled for it, or it is retired."""
    host, _, row = _endpoint(session, actor, host_id)
    _audit(session, actor, "host.collection_ended", host, before=_described(row), after=None)
    session.delete(row)
    session.flush()
    # Without the endpoint nothing may speak for the host at the door any more.
    if row.check_in_secret_id is not None:
        session.delete(session.get_one(VaultSecret, row.check_in_secret_id))
        session.flush()


def look_at_host(session: Session, *, actor: Actor, host_id: str) -> str:
    """Asks the executor which key or certificate the host shows; no credential is sent."""
    _, _, row = _endpoint(session, actor, host_id)
    row.shown_pin, row.shown_at, row.look_error = "", None, ""
    session.add(row)
    enqueue(session, "collection.fetch_host_key", host_id, queue="collection")
    return f"asked: {row.address}:{row.port} is asked for its {'key' if row.channel == 'ssh' else 'certificate'}; no credential is sent"


def confirm_host(session: Session, *, actor: Actor, host_id: str, fingerprint: str) -> CollectedHost:
    """Pins the fingerprint that a person compared with the host's own console; from now on the credential is sent to this key alone.

    Raises `Conflict` where the host showed another one.
    """
    host, _, row = _endpoint(session, actor, host_id, is_locked=True)
    _credential(session, actor, row.credential_id)
    pin = endpoints.plain_pin(row.channel, fingerprint)
    if row.shown_pin and row.shown_pin != pin:
        raise Conflict(f"{host.name} shows {row.shown_pin}, not the fingerprint that you gave: nothing is confirmed")
    before = _described(row)
    row.pins = [pin]
    row.confirmed_by, row.confirmed_at = actor.audit_name, now_of(session)
    row.failures, row.last_error, row.next_at = 0, "", now_of(session)
    session.add(row)
    session.flush()
    _audit(session, actor, "host.key_confirmed", host, before=before, after={**_described(row), "fingerprint": pin})
    enqueue(session, "collection.collect", host_id, queue="collection")
    return queries.list_hosts(session, actor=actor, host_id=host_id)[0]


def check_now(session: Session, *, actor: Actor, host_id: str) -> str:
    """Asks for a fresh check-in: read at once where Plumbline reads the host, by its own agent where that can be started.

    Where nobody said how to reach the host, its agent's next check-in is awaited.
    """
    host, group = visible_host(session, actor=actor, host_id=host_id)
    require(actor, "host.check_now", group.path, missing="no such host")
    if host.state not in ("active", "waiting"):
        raise Conflict(f"the host is {host.state}; it does not check in")
    audit.record(session, actor=actor.audit_name, action="host.check_asked", object_kind="host", object_id=host.id, group_id=host.group_id)
    minutes = max(1, round(host.interval_seconds / 60))
    row = session.get(CollectionEndpoint, host_id)
    if host.source != "collector":
        return _start_agent(session, host, row, minutes)
    if row is None:
        raise Conflict("Plumbline no longer reads this host, and no agent on it checks in: enrol one first")
    if not row.pins and not row.ca_certificate:
        raise Conflict("the host's key is not confirmed: an admin confirms it first, nothing is sent before that")
    enqueue(session, "collection.check_now", host.id, queue="collection")
    over = "SSH" if row.channel == "ssh" else "WinRM"
    return f"Plumbline reads the host now over {over}; it takes up to {endpoints.longest_seconds(row.channel)} s."


def _start_agent(session: Session, host: Host, row: CollectionEndpoint | None, minutes: int) -> str:
    awaited = f"news comes with its next check-in, at the latest in {minutes} min"
    if row is None:
        return (
            f"This host runs its own agent, and nobody said how Plumbline reaches it: {awaited}."
            " An admin can add its address and a credential under Admin, Collection."
        )
    if not row.pins and not row.ca_certificate:
        return f"The host's key is not confirmed, so nothing is sent to it: {awaited}."
    enqueue(session, "collection.check_now", host.id, queue="collection")
    over = "SSH" if row.channel == "ssh" else "WinRM"
    return f"Plumbline starts the host's own agent now over {over}; its check-in comes within {START_SECONDS:.0f} s."


def _values(kind: str, asked: SecretValues) -> dict[str, str]:
    wanted = PARTS.get(kind, ())
    given = {name: getattr(asked, name) for name in _SHOWN if getattr(asked, name)}
    for name in wanted:
        if name not in given:
            raise BadInput(f"{name}: {_SHOWN[name]} is missing")
    for name in given:
        if name not in wanted:
            raise BadInput(f"{name}: a credential of this kind has none")
    if kind == "ssh_key":
        try:
            load_key(given["private_key"])
        except PlumblineError as error:
            raise BadInput(f"private_key: {error.message}") from None
        except ValueError:
            raise BadInput("private_key: it is not a private key in PEM or OpenSSH form") from None
    if kind == "certificate" and "-----BEGIN" not in given["certificate"]:
        raise BadInput("certificate: give it as PEM text")
    return given


def _credential(session: Session, actor: Actor, credential_id: int) -> tuple[VaultSecret, HostGroup]:
    secret = session.get(VaultSecret, credential_id)
    if secret is None or secret.purpose not in ("collection", "remediation"):
        raise NotFound("no such credential")
    group = session.get_one(HostGroup, secret.group_id)
    require(actor, "credential.manage", group.path, missing="no such credential")
    return secret, group


def _check_fit(secret: VaultSecret, its_group: HostGroup, channel: str, group: HostGroup) -> None:
    if secret.purpose != "collection":
        raise BadInput(f"the credential {secret.name!r} is for changing hosts, not for reading them")
    if not group.path.startswith(its_group.path):
        raise BadInput(f"the credential {secret.name!r} is for hosts of {its_group.name} and below, not of {group.name}")
    if _KIND_CHANNEL.get(secret.kind, channel) != channel:
        raise BadInput(f"the credential {secret.name!r} cannot sign in over {'SSH' if channel == 'ssh' else 'WinRM'}")


def _endpoint(session: Session, actor: Actor, host_id: str, *, is_locked: bool = False) -> tuple[Host, HostGroup, CollectionEndpoint]:
    host, group = visible_host(session, actor=actor, host_id=host_id)
    require(actor, "collection.manage", group.path, missing="no such host")
    row = session.get(CollectionEndpoint, host_id, with_for_update=is_locked or None)
    if row is None:
        raise NotFound("Plumbline does not read this host")
    return host, group, row


def _described(row: CollectionEndpoint) -> dict[str, object]:
    return {"address": row.address, "port": row.port, "credential": row.credential_id, "pins": len(row.pins)}


def _audit(
    session: Session, actor: Actor, action: str, host: Host, *, before: dict[str, object] | None, after: dict[str, object] | None
) -> None:
    audit.record(
        session,
        actor=actor.audit_name,
        action=action,
        object_kind="host",
        object_id=host.id,
        group_id=host.group_id,
        before=before,
        after=after,
    )
