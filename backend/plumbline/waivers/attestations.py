"""Attestations: a person confirms something that hosts can't report, for a host or a group, until a date.

An attestation of one rule also counts for all rules linked to it, now or later. Making, withdrawing or expiring one re-evaluates its hosts
under their locks.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Select, and_, func, literal, or_, select, text
from sqlmodel import Session

from plumbline import audit
from plumbline.auth.actor import Actor
from plumbline.auth.people import people_of
from plumbline.auth.rights import allow, require
from plumbline.auth.scope import KNOWN_STATES, in_scope, read_groups
from plumbline.evaluation.linked_counts import group_linked_rules, linked_rollups
from plumbline.evaluation.reevaluate import reevaluate_hosts
from plumbline.evaluation.rollups import read_rollups
from plumbline.infra.database import now_of
from plumbline.infra.errors import BadInput, Conflict, NotFound
from plumbline.infra.schemas import NamedHost
from plumbline.infra.settings import get_settings
from plumbline.models.columns import is_one_of
from plumbline.models.findings import ATTESTATION, Attestation, AttestationState
from plumbline.models.host_locks import HostNotFound, lock_hosts
from plumbline.models.hosts import COUNTED, HOST, HOST_GROUP, Host, HostGroup
from plumbline.packs.library import KnownRule, Library, read_library
from plumbline.packs.rule_text import manual_lines
from plumbline.waivers.evidence import files_of_attestations
from plumbline.waivers.request import check_end
from plumbline.waivers.rows import waived_rule
from plumbline.waivers.schemas import AttestableRule, AttestationCreate, AttestationRow, Attestations, PersonName

MOST_ROWS = 500
MOST_AT_ONCE = 20
_HOSTS_IN_SCOPE = f"""
SELECT h.id FROM host h JOIN host_group g ON g.id = h.group_id
WHERE h.{COUNTED} AND (h.id = :host OR :group = ANY(string_to_array(trim(both '/' from g.path), '/')::int[]))
ORDER BY h.id
"""  # noqa: S608 (a constant)


def attest(session: Session, *, actor: Actor, request: AttestationCreate) -> AttestationRow:
    """Makes an attestation, active at once. It replaces an earlier one of the same scope. Raises `BadInput`, `NotFound`."""
    library = read_library(session)
    known = _rule(library, request)
    group_id = _scope(session, actor, request)
    now = now_of(session)
    check_end(request.expires_at, now)
    row = Attestation(
        rule_no=known.no,
        also_rule_nos=_linked_rule_nos(library, known),
        host_id=request.host_id,
        group_id=request.group_id,
        is_so=request.is_so,
        statement=request.statement.strip(),
        evidence_link=request.evidence_link,
        author_id=actor.person_id,
        made_at=now,
        expires_at=request.expires_at.astimezone(UTC),
    )
    host_ids = _hosts_in_scope(session, row)
    lock_hosts(session, host_ids)
    _replace(session, row, now)
    session.add(row)
    session.flush()
    audit.record(
        session,
        actor=actor.audit_name,
        action="attestation.made",
        about=audit.Object("attestation", str(row.id), group_id),
        after=_audit_values(library, row),
        reason=row.statement,
    )
    reevaluate_hosts(session, host_ids)
    return _row(session, actor, library, row)


def _rule(library: Library, request: AttestationCreate) -> KnownRule:
    known = library.by_address.get(f"{request.pack}/{request.rule}")
    if known is None:
        raise NotFound(f"no active pack has the rule {request.pack}/{request.rule}")
    if known.rule.kind != "attestation":
        raise BadInput("This rule is read from hosts and can't be attested.")
    return known


def _scope(session: Session, actor: Actor, request: AttestationCreate) -> int:
    """The group that the audit entry belongs to, after checking the right on it."""
    if (request.host_id is None) == (request.group_id is None):
        raise BadInput("Choose one host or one group.")
    if request.group_id is not None:
        group = session.get(HostGroup, request.group_id)
        require(actor, "attestation.make", group.path if group else "", missing="Group not found.")
        return request.group_id
    found = session.execute(
        select(HOST.group_id, HOST_GROUP.path)
        .join(HostGroup, HOST_GROUP.id == HOST.group_id)
        .where(HOST.id == request.host_id, HOST.state.in_(KNOWN_STATES), in_scope(actor))
    ).first()
    if found is None:
        raise HostNotFound("Host not found.")
    require(actor, "attestation.make", found[1], missing="Host not found.")
    return int(found[0])


def _linked_rule_nos(library: Library, known: KnownRule) -> list[int]:
    together = library.linked_nos.get(known.no)
    return sorted(
        no
        for no, number in library.linked_nos.items()
        if number == together and no != known.no and library.by_no[no].rule.kind == "attestation"
    )


def _replace(session: Session, row: Attestation, now: datetime) -> None:
    """Ends earlier attestations of the same scope, made for this rule or a linked one."""
    numbers = [row.rule_no, *row.also_rule_nos]
    query = select(Attestation).where(
        ATTESTATION.state.in_((AttestationState.ACTIVE, AttestationState.EXPIRED)),
        ATTESTATION.rule_no.in_(numbers),
        ATTESTATION.host_id == row.host_id,
        ATTESTATION.group_id == row.group_id,
    )
    for old in session.scalars(query.order_by(ATTESTATION.id).with_for_update()):
        old.state, old.ended_at, old.end_words = AttestationState.REPLACED, now, "replaced"
        session.add(old)


def withdraw_attestation(session: Session, *, actor: Actor, attestation_id: int, reason: str) -> AttestationRow:
    """Ends an attestation before its end; the rule is unknown again. Raises `NotFound`, `NotAllowed`, `Conflict`."""
    row = attestation_in_scope(session, actor=actor, attestation_id=attestation_id)
    require(actor, "attestation.make", _path(session, row), missing="Attestation not found.")
    host_ids = _hosts_in_scope(session, row)
    lock_hosts(session, host_ids)
    session.refresh(row, with_for_update=True)
    if row.state not in (AttestationState.ACTIVE, AttestationState.EXPIRED):
        raise Conflict(f"the attestation is {row.state}")
    _end(session, row, AttestationState.WITHDRAWN, now_of(session), by=actor.person_id, reason=reason)
    library = read_library(session)
    audit.record(
        session,
        actor=actor.audit_name,
        action="attestation.withdrawn",
        about=audit.Object("attestation", str(row.id), _group_id(session, row)),
        after=_audit_values(library, row),
        reason=reason or row.statement,
    )
    reevaluate_hosts(session, host_ids)
    return _row(session, actor, library, row)


def expire_attestations(session: Session) -> int:
    """Ends attestations past their end: their rules are unknown from now on. Returns how many. Safe to run twice."""
    due = list(
        session.scalars(
            select(Attestation)
            .where(ATTESTATION.state == AttestationState.ACTIVE, ATTESTATION.expires_at <= func.now())
            .limit(MOST_AT_ONCE)
        )
    )
    if not due:
        return 0
    host_ids = sorted({host_id for row in due for host_id in _hosts_in_scope(session, row)})
    lock_hosts(session, host_ids)
    ids = [row.id for row in due]
    locked = (
        select(Attestation)
        .where(ATTESTATION.id.in_(ids), ATTESTATION.state == AttestationState.ACTIVE)
        .order_by(ATTESTATION.id)
        .with_for_update()
    )
    library = read_library(session)
    ended = 0
    for row in session.scalars(locked.execution_options(populate_existing=True)):
        _end(session, row, AttestationState.EXPIRED, row.expires_at, by=None, reason="expired")
        audit.record(
            session,
            actor=audit.SYSTEM,
            action="attestation.expired",
            about=audit.Object("attestation", str(row.id), _group_id(session, row)),
            after=_audit_values(library, row),
            reason=row.statement,
        )
        ended += 1
    reevaluate_hosts(session, host_ids)
    return ended


def _end(session: Session, row: Attestation, state: str, at: datetime, *, by: int | None, reason: str) -> None:
    row.state, row.ended_at, row.ended_by, row.end_words = state, at, by, reason
    session.add(row)
    session.flush()


def _hosts_in_scope(session: Session, row: Attestation) -> list[str]:
    """Ids of the hosts in scope, in order."""
    return list(session.scalars(text(_HOSTS_IN_SCOPE), {"host": row.host_id, "group": row.group_id}))


def _select_in_scope(actor: Actor) -> Select[Any]:
    above = or_(*[func.starts_with(literal(scope), HOST_GROUP.path) for scope in actor.scopes]) if actor.scopes else literal(False)
    return (
        select(Attestation)
        .outerjoin(Host, HOST.id == ATTESTATION.host_id)
        .outerjoin(HostGroup, HOST_GROUP.id == func.coalesce(HOST.group_id, ATTESTATION.group_id))
        .where(or_(in_scope(actor), and_(ATTESTATION.host_id.is_(None), above)))
    )


def attestation_in_scope(session: Session, *, actor: Actor, attestation_id: int) -> Attestation:
    """An attestation that covers something this person may see. Raises `NotFound`."""
    row: Attestation | None = session.scalar(_select_in_scope(actor).where(ATTESTATION.id == attestation_id))
    if row is None:
        raise NotFound("Attestation not found.")
    return row


def list_attestations(session: Session, *, actor: Actor, host_id: str | None = None, most: int = MOST_ROWS) -> Attestations:
    """The rules that people attest, linked ones as one, with their counts; and up to `most` attestations, active ones first."""
    library = read_library(session)
    roots = actor.scope_roots
    rolled = read_rollups(session, roots, highest=0)
    query = _select_in_scope(actor)
    if host_id is not None:
        own = select(HOST_GROUP.path).join(Host, HOST.group_id == HOST_GROUP.id).where(HOST.id == host_id).scalar_subquery()
        query = query.where(
            or_(ATTESTATION.host_id == host_id, and_(ATTESTATION.host_id.is_(None), func.starts_with(own, HOST_GROUP.path)))
        )
    rows = list(
        session.scalars(query.order_by(ATTESTATION.state != AttestationState.ACTIVE, ATTESTATION.expires_at, ATTESTATION.id).limit(most))
    )
    linked_groups = group_linked_rules(known for known in library.by_no.values() if _is_attested_now(library, known))
    counts = linked_rollups(session, library, roots, rolled, linked_groups)
    rules = []
    for linked in linked_groups:
        known = linked.shown
        hosts = {word: counts.get((linked.first.no, word), (0, 0, 0.0))[0] for word in ("pass", "advice", "unknown", "not_applicable")}
        rules.append(
            AttestableRule(
                rule=waived_rule(library, known.no),
                also=[waived_rule(library, other.no) for other in linked.also],
                expected=known.shown.expected,
                why=known.rule.why,
                manual=manual_lines(known.rule),
                attested=hosts["pass"],
                not_so=hosts["advice"],
                unknown=hosts["unknown"],
                not_applicable=hosts["not_applicable"],
            )
        )
    rules.sort(key=lambda rule: (rule.rule.title, rule.rule.pack))
    return Attestations(rules=rules, items=_rows(session, actor, library, rows), longest_days=get_settings().waiver_longest_days)


def _is_attested_now(library: Library, known: KnownRule) -> bool:
    return known.rule.kind == "attestation" and not known.rule.retired and known.pack.id in {pack.id for pack, _ in library.active}


def _answered_rule_nos(library: Library, row: Attestation) -> list[int]:
    """Numbers of the other active rules that an attestation counts for: those linked to its rule when it was made, or now."""
    numbers = {row.rule_no, *row.also_rule_nos}
    together = {library.linked_nos[no] for no in numbers if no in library.linked_nos}
    numbers |= {no for no, number in library.linked_nos.items() if number in together}
    return sorted(no for no in numbers - {row.rule_no} if no in library.by_no and _is_attested_now(library, library.by_no[no]))


def _row(session: Session, actor: Actor, library: Library, row: Attestation) -> AttestationRow:
    return _rows(session, actor, library, [row])[0]


def _rows(session: Session, actor: Actor, library: Library, rows: Sequence[Attestation]) -> list[AttestationRow]:
    """Five queries, however many rows."""
    nodes = read_groups(session)
    hosts = {
        host_id: (name, group_id)
        for host_id, name, group_id in session.execute(
            select(HOST.id, HOST.name, HOST.group_id).where(is_one_of(HOST.id, {row.host_id for row in rows} - {None}))
        )
    }
    people = people_of(session, {row.author_id for row in rows})
    files = files_of_attestations(session, [row.id or 0 for row in rows])
    now: datetime = session.execute(select(func.now())).scalar_one()
    items = []
    for row in rows:
        name, of_host = hosts.get(row.host_id or "", ("", None))
        node = nodes.get(row.group_id or of_host or 0)
        known = library.by_no.get(row.rule_no)
        is_over = row.state == AttestationState.ACTIVE and row.expires_at <= now
        items.append(
            AttestationRow(
                id=row.id,
                state=AttestationState.EXPIRED if is_over else row.state,
                rule=waived_rule(library, row.rule_no),
                also=[waived_rule(library, no) for no in _answered_rule_nos(library, row)],
                expected=known.shown.expected if known else "",
                host=NamedHost(id=row.host_id, name=name) if row.host_id else None,
                group_id=row.group_id,
                group_name=node.name if node else "",
                is_so=row.is_so,
                statement=row.statement,
                evidence_link=row.evidence_link,
                author=PersonName(id=row.author_id, name=people.get(row.author_id, f"person {row.author_id}")),
                made_at=row.made_at,
                expires_at=row.expires_at,
                ended_at=row.ended_at,
                end_words=row.end_words,
                files=files.get(row.id or 0, []),
                may_withdraw=row.state in (AttestationState.ACTIVE, AttestationState.EXPIRED)
                and allow(actor, "attestation.make", node.path if node else ""),
            )
        )
    return items


def _path(session: Session, row: Attestation) -> str:
    group = session.get(HostGroup, _group_id(session, row))
    return group.path if group else ""


def _group_id(session: Session, row: Attestation) -> int | None:
    if row.group_id is not None:
        return row.group_id
    found: int | None = session.scalar(select(HOST.group_id).where(HOST.id == row.host_id))
    return found


def _audit_values(library: Library, row: Attestation) -> dict[str, Any]:
    known = library.by_no.get(row.rule_no)
    return {
        "rule": known.rule.address if known else str(row.rule_no),
        "host": row.host_id,
        "group": row.group_id,
        "is_so": row.is_so,
        "expires_at": row.expires_at.isoformat(),
    }
