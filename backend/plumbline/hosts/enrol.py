"""Enrolment: a token made by a person turns into a host id and a secret, once, however often the answer gets lost.

The token's row is locked, so that its uses are counted right and two requests with the same nonce become one enrolment.
"""

import fnmatch
import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from sqlmodel import Session, col, select

from plumbline import audit
from plumbline.auth.rights_now import holds_now
from plumbline.hosts.agent_keys import KeyRing, key_ring
from plumbline.hosts.name_search import MAX_NAME_CHARACTERS, name_grams
from plumbline.infra.database import now_of
from plumbline.infra.errors import BadInput, Conflict, NotAllowed, NotSignedIn
from plumbline.infra.settings import get_settings
from plumbline.models.hosts import CheckInSource, Enrolment, EnrolmentToken, Host, HostGroup, HostState

NONCE_HOURS = 24
_NAME_WORDS = "name must have 1 to 255 printable characters"
REFUSED = "The token is invalid, expired or used up. Request a new one."


class TokenRefused(NotSignedIn):
    """The token is unknown, expired, revoked, used up, or for a host that has left its group. The response does not show which."""

    code = "token_refused"


@dataclass(frozen=True, slots=True)
class Enrolled:
    """The response to the installer on the host; `secret` is 64 hex digits and is stored nowhere."""

    host_id: str
    secret: str
    epoch: int
    generation: int
    interval_seconds: int
    state: str


def hash_token(token: str) -> bytes:
    """What the database keeps of a token. It has 256 random bits, so a plain hash is enough."""
    return hashlib.sha256(token.encode()).digest()


def enrol(
    session: Session, *, token: str, nonce: str, name: str, platform: Literal["windows", "esxi"], agent_version: str, address: str = ""
) -> Enrolled:
    """Enrols one host, or answers the same again for the same token and nonce within 24 h.

    Raises `TokenRefused`, `NotAllowed` (the token is for other hosts), `BadInput`, `Conflict` (the host was enrolled again since).
    """
    _check(name, nonce, agent_version)
    row = session.exec(select(EnrolmentToken).where(EnrolmentToken.token_hash == hash_token(token)).with_for_update()).first()
    now = now_of(session)
    if row is None or row.id is None or row.revoked_at is not None:
        raise TokenRefused(REFUSED)
    ring = key_ring()
    before = session.get(Enrolment, (row.id, nonce))
    if before is not None and now - before.enrolled_at < timedelta(hours=NONCE_HOURS):
        return _answer_again(session, ring, row, before)
    if row.expires_at <= now or row.uses_left <= 0 or before is not None:
        raise TokenRefused(REFUSED)
    if row.name_pattern and not fnmatch.fnmatchcase(name.lower(), row.name_pattern.lower()):
        raise NotAllowed(f"This token only allows host names matching {row.name_pattern}.")
    if row.host_id is None:
        host = _new_host(session, ring, row, name, platform, agent_version, now)
        host.address = address
    else:
        host = _same_host(session, ring, row, row.host_id, platform, now)
    row.uses_left -= 1
    session.add(row)
    session.add(Enrolment(token_id=row.id, nonce=nonce, host_id=host.id, enrolled_at=now, epoch=host.epoch, generation=host.generation))
    audit.record(
        session,
        actor=f"host:{host.id}",
        action="host.enrolled" if row.host_id is None else "host.enrolled_again",
        about=audit.Object("host", host.id, host.group_id),
        after={"name": host.name, "token": row.name, "epoch": host.epoch, "state": host.state, "address": address},
    )
    session.flush()
    return _answer(ring, host)


def is_host_name(name: str) -> bool:
    """Whether a host may have this name."""
    return 1 <= len(name) <= MAX_NAME_CHARACTERS and name.isprintable() and name == name.strip()


def _check(name: str, nonce: str, agent_version: str) -> None:
    if not is_host_name(name):
        raise BadInput(_NAME_WORDS)
    if not 16 <= len(nonce) <= 128 or not nonce.isascii() or not nonce.isalnum():
        raise BadInput("nonce must have 16 to 128 letters and digits")
    if len(agent_version) > 64 or not agent_version.isprintable():
        raise BadInput("agent_version must have at most 64 printable characters")


def interval_of(session: Session, group_id: int) -> int:
    """Seconds between check-ins of a group's hosts: set on the nearest group upward, else the installation's."""
    group = session.get(HostGroup, group_id)
    while group is not None:
        if group.check_in_interval_seconds is not None:
            return group.check_in_interval_seconds
        group = None if group.parent_id is None else session.get(HostGroup, group.parent_id)
    return get_settings().check_in_interval_seconds


def _new_host(session: Session, ring: KeyRing, token: EnrolmentToken, name: str, platform: str, agent_version: str, now: datetime) -> Host:
    host = Host(
        id=secrets.token_hex(16),
        name=name,
        name_grams=name_grams(name),
        platform=platform,
        group_id=token.group_id,
        # A host that needs no approval is active at once; the rollups count it with its first evaluation.
        state=HostState.ACTIVE if token.is_auto_approved else HostState.WAITING,
        is_lab=token.is_lab,
        enrolled_at=now,
        approved_at=now if token.is_auto_approved else None,
        key_id=ring.newest,
        agent_version=agent_version,
        interval_seconds=interval_of(session, token.group_id),
    )
    session.add(host)
    session.flush()
    return host


def add_from_bundle(session: Session, *, name: str, platform: str, group_id: int, added_by: int | None) -> Host:
    """A new host that only support bundles tell of: active at once. Raises `BadInput` for a name that is none."""
    if not is_host_name(name):
        raise BadInput(_NAME_WORDS)
    now = now_of(session)
    host = Host(
        id=secrets.token_hex(16),
        name=name,
        name_grams=name_grams(name),
        platform=platform,
        group_id=group_id,
        state=HostState.ACTIVE,
        source=CheckInSource.BUNDLE,
        enrolled_at=now,
        approved_at=now,
        approved_by=added_by,
        key_id=key_ring().newest,
        interval_seconds=interval_of(session, group_id),
    )
    session.add(host)
    session.flush()
    return host


def _same_host(session: Session, ring: KeyRing, token: EnrolmentToken, host_id: str, platform: str, now: datetime) -> Host:
    host = session.exec(select(Host).where(col(Host.id) == host_id).with_for_update(key_share=True)).one()
    _refuse_foreign(session, token, host)
    if host.platform != platform:
        raise NotAllowed(f"The token is for a {host.platform} host")
    host.epoch += 1
    host.generation = max(host.generation, host.next_generation or 0) + 1
    host.next_generation, host.next_key_id = None, ""
    host.key_id = ring.newest
    host.last_seq, host.recent_seqs, host.boots, host.alarm = 0, b"", [], ""
    host.source = CheckInSource.AGENT
    host.state_version += 1
    if host.state == HostState.QUARANTINED:
        # The token for this very host, made by a person, is the release.
        host.state = HostState.ACTIVE
    elif host.state == HostState.RETIRED:
        host.state = HostState.ACTIVE if token.is_auto_approved else HostState.WAITING
        host.approved_at = now if token.is_auto_approved else None
    session.add(host)
    session.flush()
    return host


def _refuse_foreign(session: Session, token: EnrolmentToken, host: Host) -> None:
    """Raises `TokenRefused` where the host has left the token's group, or the person who made the token may no longer enrol hosts in
    the host's group.

    The response holds the host's new secret, and the present group decides who may have that.
    """
    paths = dict(session.exec(select(HostGroup.id, HostGroup.path).where(col(HostGroup.id).in_([token.group_id, host.group_id]))).all())
    here = paths[host.group_id]
    if not here.startswith(paths[token.group_id]):
        raise TokenRefused(REFUSED)
    if token.created_by is not None and not holds_now(session, token.created_by, "enrolment.manage", here):
        raise TokenRefused(REFUSED)


def _answer_again(session: Session, ring: KeyRing, token: EnrolmentToken, before: Enrolment) -> Enrolled:
    host = session.get(Host, before.host_id)
    if host is not None and token.host_id is not None:
        _refuse_foreign(session, token, host)
    if host is None or host.epoch != before.epoch or host.generation != before.generation:
        raise Conflict("The host has been re-enrolled since. Request a new token.")
    return _answer(ring, host)


def _answer(ring: KeyRing, host: Host) -> Enrolled:
    return Enrolled(
        host_id=host.id,
        secret=ring.secret(host.id, host.generation, host.key_id).hex(),
        epoch=host.epoch,
        generation=host.generation,
        interval_seconds=host.interval_seconds,
        state=host.state,
    )
