"""Resolving conflicts between packs: an operator or admin proposes which side holds, and another person, an approver, decides.

Both sides are shown with their evidence. A decision holds for its group and its subgroups until a nearer group has one, or until it is
withdrawn.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import select
from sqlmodel import Session

from plumbline import audit
from plumbline.auth import four_eyes
from plumbline.auth.actor import Actor
from plumbline.auth.people import people_of
from plumbline.auth.rights import can_read, require
from plumbline.auth.scope import GroupNode, group_name, read_groups, scope_of_group
from plumbline.configurations.read import setting_label
from plumbline.core.rules.conflicts import Contradiction, Side
from plumbline.core.rules.rule import Pack, Rule
from plumbline.infra.database import now_of
from plumbline.infra.errors import BadInput, Conflict, NotFound
from plumbline.infra.group_path import ids_on
from plumbline.infra.schemas import NamedHost
from plumbline.infra.task_queue import enqueue
from plumbline.models.hosts import HostGroup
from plumbline.models.packs import CONFLICT_DECISION, ConflictDecision, DecisionState
from plumbline.packs.conflicts import HostConflict, HostInConflict, contradictions_in, host_conflicts
from plumbline.packs.decision_schemas import ConflictCard, ConflictHost, ConflictList, ConflictSide, DecisionOut, DecisionProposal
from plumbline.packs.in_force import ActiveRules, read_active
from plumbline.packs.publish import mark_trends, raise_rules_epoch
from plumbline.packs.rule_text import evidence_of, weight

SHOWN_HOSTS = 50


def list_conflicts(session: Session, *, actor: Actor, group_id: int | None) -> ConflictList:
    """The conflicts on hosts of a group and its subgroups, undecided ones first, each with its past and present decisions."""
    scope = scope_of_group(session, actor=actor, group_id=group_id)
    nodes = {node.id: node for node in scope.nodes.values() if can_read(actor, node.path)}
    below = scope.below
    rules = read_active(session)
    conflicts = {conflict.id: conflict for conflict in host_conflicts(session, below, rules)}
    decisions: dict[str, list[ConflictDecision]] = {}
    for decision in session.scalars(
        select(ConflictDecision).where(CONFLICT_DECISION.group_id.in_(list(nodes))).order_by(CONFLICT_DECISION.id.desc())
    ):
        decisions.setdefault(decision.contradiction, []).append(decision)
    # A conflict with a decision or a proposal is listed even if it affects no host now.
    known = contradictions_in(rules, below)
    for conflict_id in decisions:
        if conflict_id in known and conflict_id not in conflicts:
            conflicts[conflict_id] = HostConflict(known[conflict_id], ())
    people = people_of(session, _people(decision for rows in decisions.values() for decision in rows))
    contents = _contents(rules)
    cards = [_card(conflict, decisions.get(conflict.id, []), nodes, people, contents) for conflict in conflicts.values()]
    return ConflictList(items=cards, undecided=sum(card.hosts_undecided > 0 for card in cards))


def _people(decisions: Iterable[ConflictDecision]) -> list[int | None]:
    return [person_id for decision in decisions for person_id in (decision.proposed_by, decision.decided_by, decision.ended_by)]


def _contents(rules: ActiveRules) -> dict[str, tuple[Pack, Rule]]:
    contents = {}
    # Most groups have the same rules.
    for group_rules in {id(each): each for each in rules.by_group.values()}.values():
        for pack in group_rules.packs:
            contents.update({rule.address: (pack, rule) for rule in pack.rules})
    return contents


def _card(
    conflict: HostConflict,
    decisions: list[ConflictDecision],
    nodes: Mapping[int, GroupNode],
    people: Mapping[int | None, str],
    contents: Mapping[str, tuple[Pack, Rule]],
) -> ConflictCard:
    first = conflict.contradictions[0]
    kind, _, key = first.key.partition(".")
    in_force = {decision.group_id: decision.id for decision in decisions if decision.state == DecisionState.ACTIVE}
    groups = {host.group_id: nodes[host.group_id] for host in conflict.hosts if host.group_id in nodes}
    return ConflictCard(
        id=first.id,
        key=first.key,
        label=setting_label(kind, key),
        first=_side([contradiction.first for contradiction in conflict.contradictions], contents),
        second=_side([contradiction.second for contradiction in conflict.contradictions], contents),
        hosts=len(conflict.hosts),
        hosts_undecided=conflict.undecided,
        groups=[group_name(node) for node in sorted(groups.values(), key=lambda node: node.path)],
        decisions=[_decision(decision, first, nodes, people) for decision in decisions],
        some_hosts=[_host(host, nodes, in_force) for host in sorted(conflict.hosts, key=lambda host: host.is_decided)[:SHOWN_HOSTS]],
    )


def _side(sides: list[Side], contents: Mapping[str, tuple[Pack, Rule]]) -> ConflictSide:
    """One side, shown by its first rule; the other rules that require the same are listed with their evidence."""
    rules = {side.rule: contents[side.rule] for side in sides}
    _, rule = rules[sides[0].rule]
    return ConflictSide(
        demand=sides[0].demand,
        pack=rule.pack,
        rule=rule.id,
        title=rule.title,
        also=[address for address in rules if address != rule.address],
        asks=sides[0].asks,
        why=rule.why,
        weight=max(weight(rule) for _, rule in rules.values()),
        evidence=[row for pack, rule in rules.values() for row in evidence_of(rule, pack)],
    )


def _host(host: HostInConflict, nodes: Mapping[int, GroupNode], in_force: Mapping[int, int | None]) -> ConflictHost:
    node = nodes[host.group_id]
    nearest = next((in_force[group_id] for group_id in reversed(ids_on(node.path)) if group_id in in_force), None)
    return ConflictHost(host=NamedHost(id=host.host_id, name=host.name), group=group_name(node), subjects=host.subjects, decided=nearest)


def _decision(
    decision: ConflictDecision, contradiction: Contradiction | None, nodes: Mapping[int, GroupNode], people: Mapping[int | None, str]
) -> DecisionOut:
    required = _required(contradiction) if contradiction is not None else decision.asked
    return DecisionOut(
        id=decision.id or 0,
        group=group_name(nodes[decision.group_id]),
        holds=decision.holds,
        state=decision.state,
        reason=decision.reason,
        proposed_by=people.get(decision.proposed_by, ""),
        proposed_by_id=decision.proposed_by,
        proposed_at=decision.proposed_at,
        decided_by=people.get(decision.decided_by, "") if decision.decided_by is not None else "",
        decided_at=decision.decided_at,
        decided_reason=decision.decided_reason,
        ended_by=people.get(decision.ended_by, "") if decision.ended_by is not None else "",
        ended_at=decision.ended_at,
        end_reason=decision.end_reason,
        is_to_review=decision.state == DecisionState.ACTIVE and required != decision.asked,
    )


def _required(contradiction: Contradiction) -> dict[str, str]:
    return {side.demand: side.asks for side in (contradiction.first, contradiction.second)}


def propose(session: Session, *, actor: Actor, request: DecisionProposal) -> DecisionOut:
    """Proposes which side holds for a group. Raises `NotFound`, `NotAllowed`, `BadInput`, and `Conflict` where one is proposed already."""
    group = session.get(HostGroup, request.group_id)
    require(actor, "conflict.propose", group.path if group else "", missing="Group not found.")
    assert group is not None
    below = [node.id for node in read_groups(session).values() if node.path.startswith(group.path)]
    known = contradictions_in(read_active(session), below).get(request.conflict)
    if known is None:
        raise NotFound("Conflict not found in this group.")
    contradiction = known[0]
    sides = (contradiction.first.demand, contradiction.second.demand)
    if request.holds not in (*sides, ""):
        raise BadInput(f"{request.holds} is not part of this conflict. Choose {sides[0]} or {sides[1]}.")
    query = select(ConflictDecision).where(
        CONFLICT_DECISION.contradiction == contradiction.id,
        CONFLICT_DECISION.group_id == group.id,
        CONFLICT_DECISION.state.in_((DecisionState.PROPOSED, DecisionState.ACTIVE)),
    )
    for other in session.scalars(query):
        if other.state == DecisionState.PROPOSED:
            raise Conflict("A resolution for this group is already pending.")
        if other.holds == request.holds:
            raise Conflict("this is what holds already")
    decision = ConflictDecision(
        contradiction=contradiction.id,
        group_id=group.id or 0,
        holds=request.holds,
        reason=request.reason,
        asked=_required(contradiction),
        proposed_by=actor.person_id,
        proposed_at=now_of(session),
    )
    session.add(decision)
    session.flush()
    audit.record(
        session,
        actor=actor.audit_name,
        action="conflict.proposed",
        about=audit.Object("conflict", str(decision.id), decision.group_id),
        after=_audit_values(decision),
        reason=decision.reason,
    )
    return _output(session, decision, contradiction)


def approve(session: Session, *, actor: Actor, decision_id: int, reason: str) -> DecisionOut:
    """Puts a proposal in force and replaces an earlier decision. Not by who proposed it. Hosts are re-evaluated in the background."""
    decision = _locked(session, actor, "conflict.decide", decision_id, DecisionState.PROPOSED)
    four_eyes.require_other(actor.person_id, decision.proposed_by, message="You proposed this. Another person must approve it.")
    now = now_of(session)
    query = select(ConflictDecision).where(
        CONFLICT_DECISION.contradiction == decision.contradiction,
        CONFLICT_DECISION.group_id == decision.group_id,
        CONFLICT_DECISION.state == DecisionState.ACTIVE,
    )
    for before in session.scalars(query.with_for_update()):
        before.state, before.ended_by, before.ended_at = DecisionState.REPLACED, actor.person_id, now
        before.end_reason = "another decision took its place"
        session.add(before)
    session.flush()
    decision.state, decision.decided_by, decision.decided_at, decision.decided_reason = DecisionState.ACTIVE, actor.person_id, now, reason
    session.add(decision)
    session.flush()
    _reevaluate_later(session, decision, f"conflict decided: {decision.holds or 'neither side'} holds")
    audit.record(
        session,
        actor=actor.audit_name,
        action="conflict.decided",
        about=audit.Object("conflict", str(decision.id), decision.group_id),
        after=_audit_values(decision),
        reason=reason or decision.reason,
    )
    return _output(session, decision)


def refuse(session: Session, *, actor: Actor, decision_id: int, reason: str) -> DecisionOut:
    """Refuses a proposal, with a reason."""
    decision = _locked(session, actor, "conflict.decide", decision_id, DecisionState.PROPOSED)
    four_eyes.require_other(actor.person_id, decision.proposed_by, message="You proposed this. Withdraw it instead of rejecting it.")
    _require_reason(reason)
    decision.state, decision.decided_reason = DecisionState.REFUSED, reason
    decision.decided_by, decision.decided_at = actor.person_id, now_of(session)
    session.add(decision)
    session.flush()
    audit.record(
        session,
        actor=actor.audit_name,
        action="conflict.refused",
        about=audit.Object("conflict", str(decision.id), decision.group_id),
        after=_audit_values(decision),
        reason=reason,
    )
    return _output(session, decision)


def withdraw(session: Session, *, actor: Actor, decision_id: int, reason: str) -> DecisionOut:
    """Withdraws one's own proposal, or ends a decision: the group then follows its parent group, or the conflict is undecided again."""
    decision = session.get(ConflictDecision, decision_id)
    is_own = decision is not None and decision.state == DecisionState.PROPOSED and four_eyes.is_party(actor.person_id, decision.proposed_by)
    action, state = ("conflict.propose", DecisionState.PROPOSED) if is_own else ("conflict.decide", DecisionState.ACTIVE)
    decision = _locked(session, actor, action, decision_id, state)
    _require_reason(reason)
    was_active = decision.state == DecisionState.ACTIVE
    decision.state, decision.end_reason = DecisionState.WITHDRAWN, reason
    decision.ended_by, decision.ended_at = actor.person_id, now_of(session)
    session.add(decision)
    session.flush()
    if was_active:
        _reevaluate_later(session, decision, "decision on a conflict withdrawn")
    audit.record(
        session,
        actor=actor.audit_name,
        action="conflict.withdrawn",
        about=audit.Object("conflict", str(decision.id), decision.group_id),
        after=_audit_values(decision),
        reason=reason,
    )
    return _output(session, decision)


def _locked(session: Session, actor: Actor, action: str, decision_id: int, state: str) -> ConflictDecision:
    decision = session.scalars(select(ConflictDecision).where(CONFLICT_DECISION.id == decision_id).with_for_update()).first()
    group = session.get(HostGroup, decision.group_id) if decision is not None else None
    require(actor, action, group.path if group else "", missing="Resolution not found.")
    if decision is None:
        raise NotFound("Resolution not found.")
    if decision.state != state:
        raise Conflict(f"the decision is {decision.state}, not {state}")
    return decision


def _require_reason(reason: str) -> None:
    if len(reason.strip()) < 3:
        raise BadInput("Enter a reason.")


def _reevaluate_later(session: Session, decision: ConflictDecision, label: str) -> None:
    mark_trends(session, kind="conflict_decided", label=label, group_id=decision.group_id)
    raise_rules_epoch(session)
    enqueue(session, "evaluation.reevaluate")


def _audit_values(decision: ConflictDecision) -> dict[str, Any]:
    return {"conflict": decision.contradiction, "holds": decision.holds, "state": decision.state}


def _output(session: Session, decision: ConflictDecision, contradiction: Contradiction | None = None) -> DecisionOut:
    return _decision(decision, contradiction, read_groups(session), people_of(session, _people([decision])))
