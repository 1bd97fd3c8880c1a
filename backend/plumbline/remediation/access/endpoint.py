"""The endpoint of a host for changes: its address, a credential of its own, the known identity, and the runner that an admin installs."""

from typing import Literal

import structlog
from sqlmodel import Session, col, select, text

from plumbline import audit
from plumbline.auth.actor import Actor
from plumbline.auth.rights import require
from plumbline.auth.scope import host_in_scope
from plumbline.channels import ChannelError, runner
from plumbline.channels.ssh import SshChannel
from plumbline.channels.winrm import WinRmChannel
from plumbline.collection.endpoints import CHANNEL_OF, PORTS
from plumbline.collection.host_keys import stored_pins
from plumbline.infra.database import now_of, session_scope
from plumbline.infra.errors import BadInput, Conflict, NotFound, PlumblineError
from plumbline.infra.task_queue import enqueue
from plumbline.models.collection import CollectionEndpoint
from plumbline.models.controls import RemediationEndpoint
from plumbline.models.hosts import Host, HostGroup
from plumbline.models.vault import VaultSecret
from plumbline.remediation.access.runner_client import PURPOSE, find_target, known_identity, with_channel
from plumbline.remediation.access.schemas import WaySet, WayToHost
from plumbline.remediation.task_names import INSTALL_RUNNER

log = structlog.get_logger()


def set_access(session: Session, *, actor: Actor, host_id: str, request: WaySet) -> WayToHost:
    """Names the credential for changes, and the address where it differs from the one for reading.

    The host's identity is proven by what collection or its agent recorded; without that, nothing is sent.

    Raises `BadInput`, `Conflict`.
    """
    host, group = host_in_scope(session, actor=actor, host_id=host_id)
    require(actor, "host.manage", group.path, missing="Host not found.")
    secret = session.get(VaultSecret, request.credential_id)
    owner = session.get(HostGroup, secret.group_id) if secret is not None else None
    if secret is None or owner is None or secret.purpose != PURPOSE:
        raise BadInput("Choose a remediation credential.")
    require(actor, "credential.manage", owner.path, missing="Credential not found.")
    if not group.path.startswith(owner.path):
        raise Conflict(f"This credential is for hosts in {owner.name}; {host.name} is not in it.")
    reading = session.get(CollectionEndpoint, host_id)
    address = request.address or (reading.address if reading is not None else "")
    if not address:
        raise BadInput("Enter an address: this host is not collected by Plumbline.")
    channel = CHANNEL_OF[host.platform]
    row = session.get(RemediationEndpoint, host_id) or RemediationEndpoint(
        host_id=host_id, channel=channel, address=address, port=PORTS[channel], credential_id=request.credential_id
    )
    row.channel, row.address, row.credential_id = channel, address, request.credential_id
    row.port = request.port or (reading.port if reading is not None else PORTS[channel])
    is_same_place = reading is not None and (reading.address, reading.port) == (row.address, row.port)
    platform: Literal["windows", "esxi"] = "esxi" if host.platform == "esxi" else "windows"
    row.pins = list(reading.pins) if reading is not None and is_same_place else stored_pins(session, host_id, platform)
    row.ca_certificate = reading.ca_certificate if reading is not None and is_same_place else ""
    row.changed_by, row.changed_at, row.last_error = actor.audit_name, now_of(session), ""
    session.add(row)
    audit.record(
        session,
        actor=actor.audit_name,
        action="host.reached_for_changes",
        about=audit.Object("host", host_id, host.group_id),
        after={"channel": channel, "address": row.address, "port": row.port, "credential": secret.name, "pins": len(row.pins)},
    )
    session.flush()
    return read_access(session, actor=actor, host_id=host_id)


def read_access(session: Session, *, actor: Actor, host_id: str) -> WayToHost:
    """How the host is reached for changes. Raises `NotFound` where nothing is set up."""
    host, _ = host_in_scope(session, actor=actor, host_id=host_id)
    row = session.get(RemediationEndpoint, host_id)
    if row is None:
        raise NotFound("Remediation is not set up for this host: no address and credential.")
    secret = session.get_one(VaultSecret, row.credential_id)
    platform: Literal["windows", "esxi"] = "esxi" if host.platform == "esxi" else "windows"
    wanted = runner.digest(platform, runner.shipped(platform))
    # On Windows an installer puts the runner there, and the host's agent reports its hash.
    there = row.runner_sha256 if platform == "esxi" else host.runner_hash
    return WayToHost(
        host_id=host_id,
        channel=row.channel,
        address=row.address,
        port=row.port,
        credential_id=row.credential_id,
        credential_name=secret.name,
        is_identity_known=any(known_identity(session, row)),
        runner_folder=row.runner_folder,
        runner_sha256=there,
        runner_wanted=wanted,
        is_runner_current=there == wanted,
        runner_installed_at=row.runner_installed_at,
        last_ok_at=row.last_ok_at,
        last_error=row.last_error,
    )


def request_runner(session: Session, *, actor: Actor, host_id: str) -> WayToHost:
    """Requests the runner of this version on an ESXi host. Raises `Conflict` on Windows, where an installer puts it there."""
    host, group = host_in_scope(session, actor=actor, host_id=host_id)
    require(actor, "host.manage", group.path, missing="Host not found.")
    row = session.exec(select(RemediationEndpoint).where(col(RemediationEndpoint.host_id) == host_id).with_for_update()).first()
    if row is None:
        raise NotFound("Remediation is not set up for this host: no address and credential.")
    if host.platform != "esxi":
        raise Conflict("On Windows, install the runner by running Install-Plumbline.ps1 on the host as administrator.")
    row.runner_asked_by = actor.audit_name
    session.add(row)
    audit.record(
        session,
        actor=actor.audit_name,
        action="host.runner_asked_for",
        about=audit.Object("host", host_id, host.group_id),
        after={"sha256": runner.digest("esxi", runner.shipped("esxi"))},
    )
    session.flush()
    enqueue(session, INSTALL_RUNNER, host_id, queue="remediation")
    return read_access(session, actor=actor, host_id=host_id)


def install_runner(host_id: str) -> None:
    """Installs the runner of this version on an ESXi host, if an admin requested it. Safe to call for any id at any time."""
    with session_scope() as session:
        row = session.get(RemediationEndpoint, host_id)
        if row is None or not row.runner_asked_by or row.channel != "ssh":
            return
        asked_by, folder = row.runner_asked_by, row.runner_folder
        host = session.get_one(Host, host_id)
        group_id = host.group_id
    try:
        with session_scope() as session:
            target = find_target(session, host_id=host_id)

        def put(channel: SshChannel | WinRmChannel) -> runner.InstalledRunner:
            assert isinstance(channel, SshChannel)
            return runner.install(channel, folder or runner.find_runner_folder(channel)[0])

        place = with_channel(target, put)
    except (ChannelError, PlumblineError) as error:
        log.warning("runner not installed", host=host_id, error=error.message)
        with session_scope() as session:
            session.execute(
                text("UPDATE remediation_endpoint SET last_error = :error WHERE host_id = :id"),
                {"error": error.message[:1000], "id": host_id},
            )
        return
    with session_scope() as session:
        session.execute(
            text(
                "UPDATE remediation_endpoint SET runner_folder = :folder, runner_sha256 = :sha, runner_installed_at = clock_timestamp(),"
                " last_ok_at = clock_timestamp(), last_error = '' WHERE host_id = :id"
            ),
            {"folder": place.folder, "sha": place.sha256, "id": host_id},
        )
        audit.record(
            session,
            actor=asked_by,
            action="host.runner_installed",
            about=audit.Object("host", host_id, group_id),
            after={"folder": place.folder, "sha256": place.sha256},
        )
