"""Proposing a baseline and deciding on it: an operator proposes, an approver accepts or refuses, never his own proposal.

A proposal names the configurations that its hosts have at that moment; exactly those are accepted, whatever the hosts read since. So the
approver decides on what the page shows.
"""

from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import func, select, text
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session

from plumbline import audit
from plumbline.auth import four_eyes
from plumbline.auth.actor import Actor
from plumbline.auth.rights import require
from plumbline.auth.scope import KNOWN_STATES, host_in_scope
from plumbline.drift.accepted_settings import accept_settings, proposed_settings, revoke_settings
from plumbline.drift.baseline_compare import compare_lagging
from plumbline.drift.baseline_schemas import BaselineProposal
from plumbline.infra.database import now_of
from plumbline.infra.errors import BadInput, Conflict, NotFound
from plumbline.infra.group_path import ids_on
from plumbline.models.baselines import BASELINE_HOST, HOST_BASELINE, Baseline, BaselineHost, BaselineState
from plumbline.models.hosts import HOST_GROUP, HostGroup

_NAME_HOSTS = """
INSERT INTO baseline_host (baseline_id, host_id, configuration_id)
SELECT :baseline, h.id, h.configuration_id FROM host h JOIN host_group g ON g.id = h.group_id
WHERE starts_with(g.path, :path) AND (CAST(:host AS text) IS NULL OR h.id = :host)
  AND h.state = ANY(:known) AND h.configuration_id IS NOT NULL
"""
# Hosts that left the group since the proposal are not accepted: this approver was not asked about them.
_ACCEPT = """
INSERT INTO host_baseline (host_id, baseline_id, configuration_id, accepted_at, unread)
SELECT p.host_id, p.baseline_id, p.configuration_id, clock_timestamp(), 0
FROM baseline_host p JOIN host h ON h.id = p.host_id JOIN host_group g ON g.id = h.group_id
WHERE p.baseline_id = :baseline AND starts_with(g.path, :path) AND h.state = ANY(:known) ORDER BY p.host_id
ON CONFLICT (host_id) DO UPDATE SET baseline_id = excluded.baseline_id, configuration_id = excluded.configuration_id,
  accepted_at = excluded.accepted_at, settings = '[]', compared_configuration_id = NULL, differs = NULL, unread = 0, differs_since = NULL
"""


class BaselineNotFound(NotFound):
    """No proposal of this number is there for this person."""

    code = "baseline_not_found"


def propose(session: Session, *, actor: Actor, request: BaselineProposal) -> Baseline:
    """Raises `NotFound`, `NotAllowed`, `BadInput` (nothing to accept, a ticket is missing), `Conflict` (one waits already)."""
    named = proposed_settings(session, actor, request.change_ids) if request.change_ids else None
    group = _group_above(session, named.paths) if named is not None else _scope(session, actor, request)
    if not request.ticket.strip() and _is_ticket_required(session, group):
        raise BadInput("This group requires a ticket for baselines.")
    baseline = Baseline(
        host_id=request.host_id,
        group_id=group.id or 0,
        reason=request.reason.strip(),
        ticket=request.ticket.strip(),
        proposed_by=actor.person_id,
        settings=named.settings if named is not None else [],
    )
    try:
        with session.begin_nested():
            session.add(baseline)
            session.flush()
    except IntegrityError as error:
        raise Conflict("A proposal is already pending. Withdraw it to propose another.") from error
    if named is not None:
        session.add_all(
            BaselineHost(baseline_id=baseline.id or 0, host_id=host_id, configuration_id=configuration_id)
            for host_id, configuration_id in named.configurations.items()
        )
        session.flush()
    else:
        values = {"baseline": baseline.id, "path": group.path, "host": request.host_id, "known": list(KNOWN_STATES)}
        session.execute(text(_NAME_HOSTS), values)
    baseline.n_hosts = session.scalar(select(func.count()).where(BASELINE_HOST.baseline_id == baseline.id)) or 0
    if not baseline.n_hosts:
        raise BadInput("No configuration has been read yet.")
    if named is None:
        _refuse_nothing_new(session, baseline)
    session.add(baseline)
    session.flush()
    audit.record(
        session,
        actor=actor.audit_name,
        action="baseline.proposed",
        about=audit.Object("baseline", str(baseline.id), baseline.group_id),
        after=_audit_values(baseline),
        reason=baseline.reason,
    )
    return baseline


def _scope(session: Session, actor: Actor, request: BaselineProposal) -> HostGroup:
    if request.host_id is not None:
        host, group = host_in_scope(session, actor=actor, host_id=request.host_id)
        require(actor, "baseline.propose", group.path, missing="Host not found.")
        if host.state not in KNOWN_STATES:
            raise Conflict(f"the host is {host.state}; only a host of the fleet has a baseline")
        return group
    named = session.get(HostGroup, request.group_id)
    require(actor, "baseline.propose", named.path if named else "", missing="Group not found.")
    assert named is not None
    return named


def _group_above(session: Session, paths: Sequence[str]) -> HostGroup:
    """The lowest group above all of these."""
    shared: list[str] = []
    for parts in zip(*[path.strip("/").split("/") for path in paths], strict=False):
        if len(set(parts)) > 1:
            break
        shared.append(parts[0])
    return session.scalars(select(HostGroup).where(HOST_GROUP.path == "/".join(shared) + "/")).one()


def _is_ticket_required(session: Session, group: HostGroup) -> bool:
    above = ids_on(group.path)
    return bool(session.scalar(select(func.count()).where(HOST_GROUP.id.in_(above), HOST_GROUP.is_ticket_required)))


def _refuse_nothing_new(session: Session, baseline: Baseline) -> None:
    accepted = select(HOST_BASELINE.host_id).where(
        HOST_BASELINE.host_id == BASELINE_HOST.host_id, HOST_BASELINE.configuration_id == BASELINE_HOST.configuration_id
    )
    new = session.scalar(select(func.count()).where(BASELINE_HOST.baseline_id == baseline.id, ~accepted.exists()))
    if not new:
        raise Conflict("Already the accepted baseline; nothing has changed since.")


def accept(session: Session, *, actor: Actor, baseline_id: int, reason: str = "") -> Baseline:
    """Makes the proposed configurations the baselines of their hosts. Raises `NotFound`, `NotAllowed`, `Conflict`."""
    baseline, group = _deciding(session, actor, baseline_id)
    _close(session, actor, baseline, BaselineState.ACCEPTED, reason)
    path = _path_now(session, actor, baseline, group)
    if baseline.settings:
        accept_settings(session, baseline, path)
    else:
        session.execute(text(_ACCEPT), {"baseline": baseline.id, "path": path, "known": list(KNOWN_STATES)})
    # The next page read shows the comparison. Of a large group, the background worker compares the rest within seconds.
    compare_lagging(session)
    return baseline


def refuse(session: Session, *, actor: Actor, baseline_id: int, reason: str) -> Baseline:
    """Refuses a proposal, with the reason. Raises `NotFound`, `NotAllowed`, `Conflict`."""
    baseline, _ = _deciding(session, actor, baseline_id)
    _close(session, actor, baseline, BaselineState.REFUSED, reason)
    return baseline


def withdraw(session: Session, *, actor: Actor, baseline_id: int, reason: str = "") -> Baseline:
    """Withdraws a proposal before it is decided, or single settings that were accepted: the host then differs in them again.

    Raises `NotFound`, `NotAllowed`, `Conflict`.
    """
    baseline, _ = _locked(session, actor, baseline_id, "baseline.withdraw", also=may_revoke)
    if may_revoke(baseline):
        revoke_settings(session, baseline)
        compare_lagging(session)
    _close(session, actor, baseline, BaselineState.WITHDRAWN, reason)
    return baseline


def may_revoke(baseline: Baseline) -> bool:
    """Single settings that were accepted can be withdrawn again; a whole baseline is replaced by another one."""
    return baseline.state == BaselineState.ACCEPTED and bool(baseline.settings)


def _locked(
    session: Session, actor: Actor, baseline_id: int, action: str, *, also: Callable[[Baseline], bool] = lambda _: False
) -> tuple[Baseline, HostGroup]:
    baseline = session.get(Baseline, baseline_id, with_for_update=True)
    group = session.get(HostGroup, baseline.group_id) if baseline else None
    require(actor, action, group.path if group else "", missing="Baseline not found.")
    assert baseline is not None
    assert group is not None
    if baseline.state != BaselineState.PROPOSED and not also(baseline):
        raise Conflict(f"the proposal is {baseline.state} already")
    return baseline, group


def _deciding(session: Session, actor: Actor, baseline_id: int) -> tuple[Baseline, HostGroup]:
    baseline, group = _locked(session, actor, baseline_id, "baseline.decide")
    four_eyes.require_other(
        actor.person_id, baseline.proposed_by, message="You proposed this. Withdraw it instead, or ask another approver."
    )
    return baseline, group


def _path_now(session: Session, actor: Actor, baseline: Baseline, group: HostGroup) -> str:
    """Where the hosts of the proposal have to be: below its group, or for one host in the group that it is in now."""
    if baseline.host_id is None:
        return group.path
    _, its_group = host_in_scope(session, actor=actor, host_id=baseline.host_id)
    require(actor, "baseline.decide", its_group.path, missing="Host not found.")
    return its_group.path


def _close(session: Session, actor: Actor, baseline: Baseline, state: BaselineState, reason: str) -> None:
    """Ends a proposal and records `baseline.<state>`."""
    baseline.state, baseline.decided_by, baseline.decided_reason = state, actor.person_id, reason.strip()
    baseline.decided_at = now_of(session)
    session.add(baseline)
    session.flush()
    audit.record(
        session,
        actor=actor.audit_name,
        action=f"baseline.{state}",
        about=audit.Object("baseline", str(baseline.id), baseline.group_id),
        after=_audit_values(baseline),
        reason=baseline.decided_reason or baseline.reason,
    )


def _audit_values(baseline: Baseline) -> dict[str, Any]:
    return {"host": baseline.host_id, "hosts": baseline.n_hosts, "ticket": baseline.ticket}
