"""What people do with hosts and tokens. Every change takes the host's row lock and raises `state_version`, and is audited with its reason.

What changes findings (retiring, approving, moving to another group, roles of adapters) stands in `hosts/lifecycle.py` and
`hosts/actions.py`, which call these.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session, col, select, text

from plumbline import audit
from plumbline.hosts.agent_keys import key_ring
from plumbline.hosts.enrol import hash_token
from plumbline.infra.errors import BadInput, Conflict, NotFound
from plumbline.models.hosts import EnrolmentToken, Host, HostGroup

TOKEN_PREFIX = "plt_"  # noqa: S105 (what a token starts with, so that a leaked one is recognised)


class HostNotFound(NotFound):
    """No such host, or not in the asking person's scope."""

    code = "host_not_found"


@dataclass(frozen=True, slots=True)
class NewToken:
    """A token as shown once, and its row."""

    token: str
    row: EnrolmentToken


def lock_hosts(session: Session, host_ids: Sequence[str]) -> list[Host]:
    """The rows of these hosts, locked in the one order that every writer uses. Rows are read anew once the locks are held."""
    query = select(Host).where(col(Host.id).in_(list(host_ids))).order_by(col(Host.id)).with_for_update(key_share=True)
    return list(session.exec(query.execution_options(populate_existing=True)))


def lock_host(session: Session, host_id: str) -> Host:
    """One host's row, locked. Raises `HostNotFound`."""
    found = lock_hosts(session, [host_id])
    if not found:
        raise HostNotFound("No such host")
    return found[0]


def now_of(session: Session) -> datetime:
    """The database's clock, which alone decides on ages."""
    moment: datetime = session.execute(text("SELECT clock_timestamp()")).scalar_one()
    return moment


def make_token(
    session: Session,
    *,
    actor: str = audit.SYSTEM,
    name: str,
    group_id: int,
    name_pattern: str = "",
    is_auto_approved: bool = False,
    is_lab: bool = False,
    uses: int = 1,
    expires_hours: float = 24,
    host_id: str | None = None,
    created_by: int | None = None,
) -> NewToken:
    """Makes a token; `host_id` makes it one that enrols that host again (same id, higher epoch). Raises `NotFound`, `BadInput`."""
    group = session.get(HostGroup, group_id)
    if group is None:
        raise NotFound("No such group")
    if not 1 <= uses <= 100_000 or not 0 < expires_hours <= 24 * 3660:
        raise BadInput("A token has 1 to 100,000 uses and lasts at most ten years")
    if host_id is not None:
        host = session.get(Host, host_id)
        if host is None:
            raise HostNotFound("No such host")
        group_id, uses = host.group_id, 1
    token = TOKEN_PREFIX + secrets.token_urlsafe(32)
    row = EnrolmentToken(
        name=name,
        token_hash=hash_token(token),
        group_id=group_id,
        name_pattern=name_pattern,
        is_auto_approved=is_auto_approved,
        is_lab=is_lab,
        host_id=host_id,
        uses_left=uses,
        expires_at=now_of(session) + timedelta(hours=expires_hours),
        created_by=created_by,
    )
    session.add(row)
    session.flush()
    described = {"name": name, "uses": uses, "pattern": name_pattern, "auto_approved": is_auto_approved, "host": host_id}
    _audit(session, actor, "token.made", "token", str(row.id), group_id, None, described, "")
    return NewToken(token, row)


def revoke_token(session: Session, *, actor: str, token_id: int) -> None:
    """Ends a token at once. Raises `NotFound`."""
    row = session.get(EnrolmentToken, token_id, with_for_update=True)
    if row is None:
        raise NotFound("No such token")
    if row.revoked_at is None:
        row.revoked_at = now_of(session)
        session.add(row)
        _audit(session, actor, "token.revoked", "token", str(token_id), row.group_id, None, {"name": row.name}, "")


def approve_host(session: Session, *, actor: str, host_id: str, group_id: int | None = None, approved_by: int | None = None) -> Host:
    """Lets a waiting host count, in the given group or the token's. `findings.rejudge` judges it in its next round, or its caller at once.

    Raises `HostNotFound`, `Conflict`.
    """
    host = lock_host(session, host_id)
    if host.state != "waiting":
        raise Conflict(f"The host is {host.state}, not waiting")
    if group_id is not None:
        if session.get(HostGroup, group_id) is None:
            raise NotFound("No such group")
        host.group_id = group_id
    host.state, host.approved_at, host.approved_by = "active", now_of(session), approved_by
    host.state_version += 1
    session.add(host)
    _audit(session, actor, "host.approved", "host", host.id, host.group_id, {"state": "waiting"}, {"state": "active"}, "")
    return host


def quarantine_host(session: Session, *, actor: str, host_id: str, reason: str) -> Host:
    """Refuses the host's check-ins (403) until a person enrols it again or releases it; its findings stay as they were."""
    host = lock_host(session, host_id)
    if host.state != "active":
        raise Conflict(f"The host is {host.state}, not active")
    host.state = "quarantined"
    host.state_version += 1
    session.add(host)
    _audit(session, actor, "host.quarantined", "host", host.id, host.group_id, {"state": "active"}, {"state": "quarantined"}, reason)
    return host


def release_host(session: Session, *, actor: str, host_id: str, reason: str) -> Host:
    """Ends a quarantine."""
    host = lock_host(session, host_id)
    if host.state != "quarantined":
        raise Conflict(f"The host is {host.state}, not quarantined")
    host.state, host.alarm = "active", ""
    host.state_version += 1
    session.add(host)
    _audit(session, actor, "host.released", "host", host.id, host.group_id, {"state": "quarantined"}, {"state": "active"}, reason)
    return host


def rotate_secret(session: Session, *, actor: str, host_id: str) -> Host:
    """Hands a new secret with the next answer; both work until the new one is first used."""
    host = lock_host(session, host_id)
    host.next_generation, host.next_key_id = max(host.generation, host.next_generation or 0) + 1, key_ring().newest
    session.add(host)
    _audit(session, actor, "host.secret_rotated", "host", host.id, host.group_id, None, {"generation": host.next_generation}, "")
    return host


def clear_alarm(session: Session, *, actor: str, host_id: str, reason: str) -> Host:
    """A person has looked at the alarm of a host."""
    host = lock_host(session, host_id)
    before, host.alarm = host.alarm, ""
    session.add(host)
    _audit(session, actor, "host.alarm_cleared", "host", host.id, host.group_id, {"alarm": before}, None, reason)
    return host


def _audit(
    session: Session,
    actor: str,
    action: str,
    kind: str,
    object_id: str,
    group_id: int | None,
    before: dict[str, Any] | None,
    after: dict[str, Any] | None,
    reason: str,
) -> None:
    audit.record(
        session,
        actor=actor,
        action=action,
        object_kind=kind,
        object_id=object_id,
        group_id=group_id,
        before=before,
        after=after,
        reason=reason,
    )
