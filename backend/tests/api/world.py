"""A small fleet in the database, judged by the real rules from the agents' own samples."""

import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import zstandard
from sqlmodel import Session, text

from plumbline import audit
from plumbline.auth import sessions
from plumbline.auth.actor import Role
from plumbline.core.facts.assemble import assemble
from plumbline.core.facts.configuration import HOST, SectionReading
from plumbline.core.facts.document import Document, encode
from plumbline.evaluation.reevaluate import reevaluate_hosts
from plumbline.hosts.name_search import name_grams
from plumbline.infra.resources import SCHEMA
from plumbline.models.auth import Person, RoleGrant
from plumbline.models.configurations import HostConfiguration, HostSection, SettingChange
from plumbline.models.hosts import Host, HostGroup
from plumbline.packs.publish import install_builtin
from tests.superseded import activate_superseded

SAMPLES = SCHEMA / "samples"
WRITE = {"x-plumbline": "1", "sec-fetch-site": "same-origin"}


@dataclass
class World:
    """The ids of what was made."""

    groups: dict[str, int] = field(default_factory=dict)
    hosts: dict[str, str] = field(default_factory=dict)
    people: dict[str, int] = field(default_factory=dict)
    cookies: dict[str, dict[str, str]] = field(default_factory=dict)


def add_group(session: Session, name: str, parent_id: int = 1) -> int:
    """A group below another."""
    parent = session.get_one(HostGroup, parent_id)
    group = HostGroup(parent_id=parent_id, name=name, path=f"{parent.path}{secrets.token_hex(4)}")
    session.add(group)
    session.flush()
    group.path = f"{parent.path}{group.id}/"
    session.add(group)
    session.flush()
    assert group.id is not None
    return group.id


def add_person(session: Session, login: str, roles: Sequence[tuple[Role, int]], world: World | None = None) -> int:
    """Somebody with grants and a living session; without a password, which would cost half a second each."""
    person = Person(login=login, display_name=login.title())
    session.add(person)
    session.flush()
    assert person.id is not None
    for role, group_id in roles:
        session.add(RoleGrant(person_id=person.id, role=role, group_id=group_id))
    session_id = sessions.start(session, person=person, address="127.0.0.1", agent="test")
    if world is not None:
        world.people[login] = person.id
        world.cookies[login] = {"plumbline-development": session_id}
    return person.id


def read_sample(path: Path) -> tuple[dict[str, Any], dict[str, bytes]]:
    """Line 1 and the section bodies of a sample check-in."""
    import hashlib

    head, *bodies = path.read_bytes().splitlines()
    envelope = json.loads(head)
    by_digest = {hashlib.sha256(body).hexdigest(): body for body in bodies}
    named = {name: by_digest[said["sha256"]] for name, said in envelope["sections"].items() if said.get("sha256") in by_digest}
    return envelope, named


def add_host(
    session: Session,
    name: str,
    *,
    group_id: int,
    sample: Path | None = None,
    state: str = "active",
    cluster: str = "",
    seen_ago: timedelta = timedelta(minutes=3),
    **more: Any,
) -> str:
    """A host with the configuration of a sample; judged if it is active."""
    now: datetime = session.execute(text("SELECT now()")).scalar_one()
    host_id = secrets.token_hex(16)
    platform = "esxi" if sample is not None and sample.parent.name == "esxi" else "windows"
    host = Host(
        id=host_id,
        name=name,
        name_grams=name_grams(name),
        platform=platform,
        group_id=group_id,
        state=state,
        cluster=cluster,
        last_seen_at=now - seen_ago,
        last_changed_at=now - seen_ago,
        agent_version="1.0.0",
    )
    for key, value in more.items():
        setattr(host, key, value)
    session.add(host)
    session.flush()
    if sample is not None:
        _configure(session, host, sample, now)
        session.flush()
        if state in ("active", "quarantined"):
            reevaluate_hosts(session, [host_id])
            session.refresh(host)
    return host_id


def _configure(session: Session, host: Host, sample: Path, now: datetime) -> None:
    envelope, bodies = read_sample(sample)
    readings = {
        name: SectionReading(said["status"], bodies.get(name, b""), said.get("error", "")) for name, said in envelope["sections"].items()
    }
    read = assemble(host.platform, readings)  # type: ignore[arg-type]
    digests = {name: said["sha256"] for name, said in envelope["sections"].items() if said.get("sha256")}
    row = HostConfiguration(
        host_id=host.id,
        epoch=1,
        seq=1,
        received_at=now,
        document=zstandard.compress(encode(Document(read.configuration, read.path_map, read.problems))),
        sections=digests,
    )
    session.add(row)
    session.flush()
    host.configuration_id = row.id
    host.os_name = str(read.configuration.value(HOST, "os_name") or "")
    host.os_release = str(read.configuration.value(HOST, "os_release") or "")
    host.families = sorted({str(read.configuration.value(each, "family")) for each in read.configuration.subjects("adapter")} - {"None"})
    host.initiator_modes = sorted(
        {str(read.configuration.value(each, "mode")) for each in read.configuration.subjects("initiator")} - {"None"}
    )
    session.add(host)
    for name, said in envelope["sections"].items():
        digest = bytes.fromhex(said["sha256"]) if said.get("sha256") else None
        session.add(
            HostSection(host_id=host.id, section=name, status=said["status"], error=said.get("error", ""), sha256=digest, changed_at=now)
        )


def add_change(session: Session, host_id: str, subject: tuple[str, str], key: str, old: Any, new: Any, **more: Any) -> None:
    """A line of the log of setting changes."""
    values: dict[str, Any] = {"received_at": session.execute(text("SELECT now()")).scalar_one(), "seq": 2, "cause": "unknown", **more}
    session.add(
        SettingChange(
            host_id=host_id, subject_kind=subject[0], subject_id=subject[1], key=key, old={"value": old}, new={"value": new}, **values
        )
    )


def first_samples() -> tuple[Path, Path]:
    """One Windows and one ESXi sample."""
    return sorted((SAMPLES / "windows").glob("*.checkin"))[0], sorted((SAMPLES / "esxi").glob("*.checkin"))[0]


def make_world(session: Session) -> World:
    """Two branches of groups, a person of each role on the root and on one branch, and a handful of judged hosts.

    Both editions of BP1057 are active, as where a site runs both on purpose.
    """
    install_builtin(session)
    activate_superseded(session)
    world = World()
    world.groups = {"root": 1, "prod": add_group(session, "PROD")}
    world.groups["prod_b"] = add_group(session, "PROD-B", world.groups["prod"])
    world.groups["lab"] = add_group(session, "LAB")
    for role in ("viewer", "operator", "approver", "admin"):
        add_person(session, role, [(role, 1)], world)  # type: ignore[list-item]
        add_person(session, f"prod-{role}", [(role, world.groups["prod"])], world)  # type: ignore[list-item]
    add_person(session, "nobody", [], world)
    windows, esxi = first_samples()
    world.hosts["sql-01"] = add_host(session, "sql-01", group_id=world.groups["prod_b"], sample=windows, cluster="SQL")
    world.hosts["sql-02"] = add_host(session, "sql-02", group_id=world.groups["prod_b"], sample=windows, cluster="SQL")
    world.hosts["esx-01"] = add_host(session, "esx-01", group_id=world.groups["prod"], sample=esxi, seen_ago=timedelta(days=2))
    world.hosts["lab-01"] = add_host(session, "lab-01", group_id=world.groups["lab"], sample=windows, is_lab=True)
    world.hosts["new-01"] = add_host(session, "new-01", group_id=world.groups["lab"], sample=windows, state="waiting")
    audit.record(session, actor=audit.SYSTEM, action="test.made", about=audit.Object("group", "1", world.groups["lab"]))
    session.flush()
    return world


def client_of(client: httpx.Client, world: World, login: str) -> dict[str, Any]:
    """What a request of this person carries."""
    return {"cookies": world.cookies[login], "headers": WRITE}
