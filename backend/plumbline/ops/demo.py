"""The demo: one person for each role, the lab fleet's groups, and the enrolment tokens of its hosts."""

import dataclasses
import json
import os
import secrets
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sqlmodel import Session, col, select

from plumbline import auth, vault
from plumbline.collection import endpoints as collection
from plumbline.hosts import enrolment_tokens
from plumbline.hosts.enrol import enrol
from plumbline.infra.resources import AGENTS
from plumbline.models.collection import CollectionEndpoint
from plumbline.models.controls import RemediationEndpoint
from plumbline.models.hosts import Host, HostGroup, Installation
from plumbline.models.vault import VaultSecret

ACTOR = "system"
# ESXi 8 takes no unsigned packages, so these are read over SSH.
COLLECTED = ("esx-b10", "esx-t01")
# Windows hosts with an agent of their own, all that are in groups with remediation on: Intel and Broadcom adapters, settings of the system,
# nodes of Storage Spaces Direct, whose pre-checks only a person can pass, and those that a driver update at night took from their setting.
CHANGED = (
    "app-de-01", "app-jp-01", "tst-win-01", "tst-win-02", "tst-win-03", "hv-11", "hv-12", "hv-13", "hv-14",
    "sql-03", "sql-06", "sql-07", "win-fs2", "bk-01",
)  # fmt: skip
# The lab's hosts check in every one or two minutes, so one that stops counts as silent within eight.
INTERVAL_SECONDS = 120


def seed(session: Session, home: Path, *, interval_seconds: int = INTERVAL_SECONDS) -> None:
    """Creates the demo once; its hosts check in every `interval_seconds`.

    The logins go into a file that only its owner can read, as do the lab's tokens.
    """
    installation = session.get_one(Installation, 1)
    if installation.is_demo or installation.setup_done_at is not None:
        return
    write_private_logins(home, auth.create_demo_people(session))
    session.get_one(HostGroup, 1).check_in_interval_seconds = interval_seconds
    _token(session, home, "lab", 1, is_auto_approved=True)
    _token(session, home, "lab-waiting", 1, is_auto_approved=False)
    for name in lab_groups():
        group = session.exec(select(HostGroup).where(HostGroup.name == name)).first() or _group(session, name)
        _token(session, home, f"lab-{name.lower()}", group.id or 0, is_auto_approved=True)
    installation.is_demo = True
    session.add(installation)


def write_private_logins(home: Path, people: Sequence[tuple[str, str, str]]) -> None:
    """Writes logins, roles and passwords into a file of the home that only its owner can read."""
    write_private(home / "demo-logins.json", json.dumps([{"login": a, "role": b, "password": c} for a, b, c in people], indent=1) + "\n")


def seed_collection(session: Session, home: Path) -> None:
    """Lets Plumbline read two of the lab's ESXi hosts over SSH. Called on every start, because a port may be in use by then.

    Their host keys are pinned as by an import: the lab creates them beforehand, so that no person has to confirm them.
    """
    add_lab_to_path()
    from lab import fleet
    from lab.esxi import servers

    hosts = {host.name: host for host in session.exec(select(Host).where(col(Host.is_lab), col(Host.name).in_(COLLECTED)))}
    specs = {spec.name: spec for spec in fleet.load() if spec.name in COLLECTED}
    # A host that an older version enrolled with an agent of its own keeps it.
    names = [name for name in specs if name not in hosts or session.get(CollectionEndpoint, hosts[name].id) is not None]
    prepared = servers.prepare(home, names)
    if any(name not in hosts for name in names):
        credential_id = vault.put_secret(
            session,
            vault.NewSecret(
                name="root on the lab's ESXi hosts",
                purpose="collection",
                values={"private_key": prepared.private_key},
                account=prepared.account,
                kind="ssh_key",
            ),
            actor=ACTOR,
        )
    for name in names:
        port, key = prepared.hosts[name]
        if name in hosts:
            endpoint = session.get_one(CollectionEndpoint, hosts[name].id)
            endpoint.port, endpoint.claimed_until = port, None
            session.add(endpoint)
            continue
        group = session.exec(select(HostGroup).where(HostGroup.name == specs[name].group)).one()
        token = enrolment_tokens.make_token(
            session,
            enrolment_tokens.TokenTerms(
                name=f"collection of {name}", group_id=group.id or 0, is_auto_approved=True, is_lab=True, expires_hours=1
            ),
            actor=ACTOR,
        ).token
        enrolled = enrol(session, token=token, nonce=secrets.token_hex(16), name=name, platform="esxi", agent_version="collector")
        settings = collection.EndpointSettings("ssh", "127.0.0.1", port, credential_id, [key])
        collection.add_endpoint(session, actor=ACTOR, enrolled=dataclasses.asdict(enrolled), settings=settings)


def seed_remediation(session: Session, home: Path) -> None:
    """Lets Plumbline change some hosts: a separate credential for each platform, runners, and remediation on for their groups.

    Called on every start, after `seed_collection`, whose ports it uses.
    """
    _change_over_ssh(session)
    _change_over_winrm(session, home)


def _change_over_ssh(session: Session) -> None:
    """The ESXi hosts that Plumbline reads."""
    rows = session.exec(
        select(Host, CollectionEndpoint).join(CollectionEndpoint, col(CollectionEndpoint.host_id) == col(Host.id)).where(col(Host.is_lab))
    ).all()
    credential_id: int | None = None
    for host, reading in rows:
        row = session.get(RemediationEndpoint, host.id)
        if row is None:
            if credential_id is None:
                secret = session.get_one(VaultSecret, reading.credential_id)
                values = vault.reveal(session, reading.credential_id, purpose="collection")
                credential_id = vault.put_secret(
                    session,
                    vault.NewSecret(
                        name="changes on the lab's ESXi hosts",
                        purpose="remediation",
                        values=values,
                        account=secret.account,
                        kind=secret.kind,
                    ),
                    actor=ACTOR,
                )
            row = RemediationEndpoint(host_id=host.id, channel="ssh", address="", port=0, credential_id=credential_id)
            row.runner_asked_by = ACTOR
            _allow_changes(session, host)
        row.channel, row.address, row.port, row.pins = reading.channel, reading.address, reading.port, list(reading.pins)
        session.add(row)


def _change_over_winrm(session: Session, home: Path) -> None:
    """Some Windows hosts, whose own agents check in.

    They are enrolled here with the nonce that the lab will use, so that the lab gets the same identity.
    """
    add_lab_to_path()
    from lab import checkin, fleet
    from lab.windows.servers import client_of

    specs = {spec.name: spec for spec in fleet.load() if spec.name in CHANGED}
    endpoints = _lab_endpoints(home)
    credential_id: int | None = None
    for name in CHANGED:
        host = session.exec(select(Host).where(col(Host.is_lab), col(Host.name) == name)).first()
        if host is None:
            token = (home / "run" / f"lab-{specs[name].group.lower()}.token").read_text("utf-8").strip()
            nonce = checkin.nonce_of(home / "lab" / name)
            enrolled = enrol(session, token=token, nonce=nonce, name=name, platform="windows", agent_version=checkin.AGENT_VERSION)
            host = session.get_one(Host, enrolled.host_id)
        row = session.get(RemediationEndpoint, host.id)
        if row is None:
            if credential_id is None:
                client = client_of(home)
                values = {"certificate": client.certificate.read_text("utf-8"), "private_key": client.private_key.read_text("utf-8")}
                credential_id = vault.put_secret(
                    session,
                    vault.NewSecret(name="changes on the lab's Windows hosts", purpose="remediation", values=values, kind="certificate"),
                    actor=ACTOR,
                )
            row = RemediationEndpoint(host_id=host.id, channel="winrm", address="", port=0, credential_id=credential_id)
            _allow_changes(session, host)
        row.address, row.port, row.pins = endpoints[name]["address"], endpoints[name]["port"], list(endpoints[name]["pins"])
        session.add(row)


def _lab_endpoints(home: Path) -> dict[str, Any]:
    """Address, port and pins of every host that the lab will serve."""
    from lab.esxi import servers

    endpoints: dict[str, Any] = servers.prepare_changes(home)["hosts"]
    return endpoints


def _allow_changes(session: Session, host: Host) -> None:
    group = session.get_one(HostGroup, host.group_id)
    group.mode = "remediate"
    session.add(group)


def lab_groups() -> list[str]:
    """Names of the groups that the lab's hosts are in."""
    add_lab_to_path()
    from lab import fleet

    return sorted({spec.group for spec in fleet.load() if spec.group})


def add_lab_to_path() -> None:
    """Makes the package `lab` importable: it is in the agents' folder, not part of the program."""
    if str(AGENTS) not in sys.path:
        sys.path.insert(0, str(AGENTS))


def _group(session: Session, name: str) -> HostGroup:
    group = HostGroup(parent_id=1, name=name, path=f"new {name}")
    session.add(group)
    session.flush()
    group.path = f"1/{group.id}/"
    session.add(group)
    session.flush()
    return group


def _token(session: Session, home: Path, name: str, group_id: int, *, is_auto_approved: bool) -> None:
    token = enrolment_tokens.make_token(
        session,
        enrolment_tokens.TokenTerms(
            name=name, group_id=group_id, is_auto_approved=is_auto_approved, is_lab=True, uses=1000, expires_hours=24 * 365
        ),
        actor=ACTOR,
    )
    write_private(home / "run" / f"{name}.token", token.token + "\n")


def write_private(path: Path, text: str) -> None:
    """Writes a file that only its owner can read."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(text)
