"""Requesting a waiver: with a reason, an owner, an end and evidence; another person decides.

An edit or a renewal is a request too. Once approved, it replaces the waiver that it names.
"""

from datetime import UTC, datetime, timedelta

from sqlalchemy import select, text
from sqlmodel import Session

from plumbline import audit
from plumbline.auth.actor import Actor
from plumbline.infra.database import now_of
from plumbline.infra.errors import BadInput, Conflict, NotFound
from plumbline.infra.settings import get_settings
from plumbline.models.auth import PERSON, ROLE_GRANT, Person, RoleGrant
from plumbline.models.findings import Waiver, WaiverState
from plumbline.models.hosts import HOST_GROUP, HostGroup
from plumbline.waivers.covered import paths_of
from plumbline.waivers.lifecycle import group_of, list_hosts
from plumbline.waivers.preview import ResolvedRequest, problem_of, resolve_request
from plumbline.waivers.schemas import PersonName, WaiverCreate
from plumbline.waivers.scope import is_ticket_required, may

# A shorter waiver would end before anyone has decided on it.
SHORTEST = timedelta(hours=1)
_FINDINGS = """
SELECT count(*) FROM finding f JOIN host h ON h.id = f.host_id WHERE f.rule_no = ANY(:rules) AND f.outcome = 'fail'
  AND h.id = ANY(:hosts) AND (:skind = '' OR (f.subject_kind = :skind AND f.subject_id = :sid))
"""


def request_waiver(session: Session, *, actor: Actor, request: WaiverCreate) -> Waiver:
    """Adds the request. Raises `BadInput`, `Conflict`, `NotFound`, `NotAllowed`."""
    resolved = resolve_request(session, actor=actor, request=request)
    now = now_of(session)
    check_end(request.expires_at, now)
    _check_ticket(session, resolved, request.ticket)
    owner_id = _owner(session, actor, request.owner_id)
    replaced = _replaced(session, actor, request.replaces_id, resolved)
    problem = problem_of(session, resolved, findings=_failing(session, resolved), replaces_id=request.replaces_id)
    if problem:
        raise Conflict(problem)
    scope = resolved.scope
    waiver = Waiver(
        rule_no=resolved.known.no,
        also_rule_nos=sorted(known.no for known in resolved.also),
        host_id=scope.host_id,
        group_id=scope.group_id,
        is_listed=scope.is_listed,
        subject_kind=scope.subject_kind,
        subject_id=scope.subject_id,
        reason=request.reason.strip(),
        evidence=request.evidence,
        evidence_link=request.evidence_link,
        ticket=request.ticket.strip(),
        owner_id=owner_id,
        requested_by=actor.person_id,
        requested_at=now,
        expires_at=request.expires_at.astimezone(UTC),
        replaces_id=replaced.id if replaced is not None else None,
    )
    session.add(waiver)
    session.flush()
    if scope.is_listed:
        list_hosts(session, waiver.id or 0, scope.host_ids)
    audit.record(
        session,
        actor=actor.audit_name,
        action="waiver.requested",
        about=audit.Object("waiver", str(waiver.id), group_of(session, waiver)),
        after={
            "rule": resolved.known.rule.address,
            "also": [known.rule.address for known in resolved.also],
            "hosts": list(scope.host_ids),
            "group": scope.group_id,
            "subject": f"{scope.subject_kind}/{scope.subject_id}" if scope.subject_kind else "",
            "owner": owner_id,
            "expires_at": request.expires_at.isoformat(),
            "ticket": request.ticket,
            "replaces": request.replaces_id,
        },
        reason=request.reason,
    )
    return waiver


def check_end(expires_at: datetime, now: datetime) -> None:
    """Refuses an end without a zone, in the past, or further away than this installation allows."""
    longest = get_settings().waiver_longest_days
    if expires_at.tzinfo is None:
        raise BadInput("expires_at needs a time zone, for example 2027-03-01T12:00:00Z")
    if expires_at < now + SHORTEST:
        raise BadInput("Choose an expiry at least one hour from now.")
    if expires_at > now + timedelta(days=longest):
        raise BadInput(f"Choose an expiry within {longest} days. You can renew the waiver later.")


def _check_ticket(session: Session, resolved: ResolvedRequest, ticket: str) -> None:
    if not ticket.strip() and is_ticket_required(session, resolved.scope.paths):
        raise BadInput("This group requires a ticket for waivers.")


def _owner(session: Session, actor: Actor, owner_id: int | None) -> int:
    if owner_id is None or owner_id == actor.person_id:
        return actor.person_id
    person = session.get(Person, owner_id)
    if person is None or person.is_disabled:
        raise BadInput("The owner must be a Plumbline user.")
    return owner_id


def _replaced(session: Session, actor: Actor, waiver_id: int | None, resolved: ResolvedRequest) -> Waiver | None:
    if waiver_id is None:
        return None
    old = session.get(Waiver, waiver_id)
    if old is None or not may(actor, "waiver.request", paths_of(session, old)):
        raise NotFound("Waiver not found.")
    if old.rule_no not in resolved.numbers:
        raise BadInput("A renewal must be for the same rule. Request a new waiver instead.")
    if old.state not in (WaiverState.ACTIVE, WaiverState.EXPIRED, WaiverState.TRIPPED):
        raise Conflict(f"The waiver to renew is {old.state}. Request a new one.")
    return old


def _failing(session: Session, resolved: ResolvedRequest) -> int:
    values = {
        "rules": resolved.numbers,
        "hosts": list(resolved.scope.host_ids),
        "skind": resolved.scope.subject_kind,
        "sid": resolved.scope.subject_id,
    }
    return int(session.execute(text(_FINDINGS), values).scalar_one())


def list_owners(session: Session, *, actor: Actor) -> list[PersonName]:
    """People who may own a waiver: those with a grant on a group at, above or below what this person may read. By name."""
    rows = session.execute(
        select(PERSON.id, PERSON.display_name, PERSON.login, HOST_GROUP.path)
        .join(RoleGrant, ROLE_GRANT.person_id == PERSON.id)
        .join(HostGroup, HOST_GROUP.id == ROLE_GRANT.group_id)
        .where(PERSON.is_disabled.is_(False))
        .order_by(PERSON.display_name, PERSON.login)
    )
    found: dict[int, str] = {}
    for person_id, display, login, path in rows:
        if any(path.startswith(scope) or scope.startswith(path) for scope in actor.scopes):
            found[person_id] = display or login
    return [PersonName(id=person_id, name=name) for person_id, name in found.items()]
