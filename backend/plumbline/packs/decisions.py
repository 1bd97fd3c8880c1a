"""Deciding conflicts between packs: an operator or admin proposes, an approver decides, never his own proposal; both sides are shown with
their evidence. A decision holds for its group and all below it until a nearer group has one, or until it is withdrawn.
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
from plumbline.auth.scope import GroupNode, group_name, read_groups, visible_group
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
from plumbline.packs.conflicts import MetConflict, MetHost, contradictions_in, met_conflicts
from plumbline.packs.decision_schemas import ConflictCard, ConflictHost, ConflictList, ConflictSide, DecisionOut, DecisionProposal
from plumbline.packs.in_force import ActiveRules, read_active
from plumbline.packs.publish import mark_trends, raise_rules_epoch
from plumbline.packs.rule_text import evidence_shapes, weight

SHOWN_HOSTS = 50


def list_conflicts(session: Session, *, actor: Actor, group_id: int | None) -> ConflictList:
    """The conflicts that meet hosts of a group and all below it, undecided ones first, each with its decisions past and present."""
    group = visible_group(session, actor=actor, group_id=group_id)
    nodes = {each.id: each for each in read_groups(session).values() if can_read(actor, each.path)}
    below = [each.id for each in nodes.values() if each.path.startswith(group.path)]
    rules = read_active(session)
    met = {each.id: each for each in met_conflicts(session, below, rules)}
    decisions: dict[str, list[ConflictDecision]] = {}
    for decision in session.scalars(
        select(ConflictDecision).where(CONFLICT_DECISION.group_id.in_(list(nodes))).order_by(CONFLICT_DECISION.id.desc())
    ):
        decisions.setdefault(decision.contradiction, []).append(decision)
    # One that was decided or proposed stays in sight, even if it meets no host now.
    known = contradictions_in(rules, below)
    for identity in decisions:
        if identity in known and identity not in met:
            met[identity] = MetConflict(known[identity], ())
    people = people_of(session, _people(each for rows in decisions.values() for each in rows))
    contents = _contents(rules)
    cards = [_card(each, decisions.get(each.id, []), nodes, people, contents) for each in met.values()]
    return ConflictList(items=cards, undecided=sum(each.hosts_undecided > 0 for each in cards))


def _people(decisions: Iterable[ConflictDecision]) -> list[int | None]:
    return [each for decision in decisions for each in (decision.proposed_by, decision.decided_by, decision.ended_by)]


def _contents(rules: ActiveRules) -> dict[str, tuple[Pack, Rule]]:
    found = {}
    for each in rules.by_group.values():
        for pack in each.packs:
            found.update({rule.address: (pack, rule) for rule in pack.rules})
    return found


def _card(
    met: MetConflict,
    decisions: list[ConflictDecision],
    nodes: Mapping[int, GroupNode],
    people: Mapping[int | None, str],
    contents: Mapping[str, tuple[Pack, Rule]],
) -> ConflictCard:
    it = met.contradictions[0]
    kind, _, key = it.key.partition(".")
    in_force = {decision.group_id: decision.id for decision in decisions if decision.state == DecisionState.ACTIVE}
    groups = {host.group_id: nodes[host.group_id] for host in met.hosts if host.group_id in nodes}
    return ConflictCard(
        id=it.id,
        key=it.key,
        label=setting_label(kind, key),
        first=_side([each.first for each in met.contradictions], contents),
        second=_side([each.second for each in met.contradictions], contents),
        hosts=len(met.hosts),
        hosts_undecided=met.undecided,
        groups=[group_name(node) for node in sorted(groups.values(), key=lambda each: each.path)],
        decisions=[_decision(each, it, nodes, people) for each in decisions],
        some_hosts=[_host(each, nodes, in_force) for each in sorted(met.hosts, key=lambda each: each.is_decided)[:SHOWN_HOSTS]],
    )


def _side(sides: list[Side], contents: Mapping[str, tuple[Pack, Rule]]) -> ConflictSide:
    """One side, told by the rule that stands first; others that ask the same are named beside it, with their evidence."""
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
        weight=max(weight(each) for _, each in rules.values()),
        evidence=[shape for whose, each in rules.values() for shape in evidence_shapes(each, whose)],
    )


def _host(host: MetHost, nodes: Mapping[int, GroupNode], in_force: Mapping[int, int | None]) -> ConflictHost:
    node = nodes[host.group_id]
    nearest = next((in_force[each] for each in reversed(ids_on(node.path)) if each in in_force), None)
    return ConflictHost(host=NamedHost(id=host.host_id, name=host.name), group=group_name(node), subjects=host.subjects, decided=nearest)


def _decision(
    decision: ConflictDecision, it: Contradiction | None, nodes: Mapping[int, GroupNode], people: Mapping[int | None, str]
) -> DecisionOut:
    asks = _asks(it) if it is not None else decision.asked
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
        is_to_review=decision.state == DecisionState.ACTIVE and asks != decision.asked,
    )


def _asks(it: Contradiction) -> dict[str, str]:
    return {side.demand: side.asks for side in (it.first, it.second)}


def propose(session: Session, *, actor: Actor, asked: DecisionProposal) -> DecisionOut:
    """Proposes which side holds for a group. Raises `NotFound`, `NotAllowed`, `BadInput`, and `Conflict` where one is proposed already."""
    group = session.get(HostGroup, asked.group_id)
    require(actor, "conflict.propose", group.path if group else "", missing="no such group")
    assert group is not None
    below = [each.id for each in read_groups(session).values() if each.path.startswith(group.path)]
    known = contradictions_in(read_active(session), below).get(asked.conflict)
    if known is None:
        raise NotFound("no packs that judge this group contradict each other so")
    it = known[0]
    if asked.holds not in (it.first.demand, it.second.demand, ""):
        raise BadInput(f"{asked.holds} is no side of this conflict; the sides are {it.first.demand} and {it.second.demand}")
    query = select(ConflictDecision).where(
        CONFLICT_DECISION.contradiction == it.id,
        CONFLICT_DECISION.group_id == group.id,
        CONFLICT_DECISION.state.in_((DecisionState.PROPOSED, DecisionState.ACTIVE)),
    )
    for other in session.scalars(query):
        if other.state == DecisionState.PROPOSED:
            raise Conflict("a decision on this group is proposed already; it has to be approved, refused or withdrawn first")
        if other.holds == asked.holds:
            raise Conflict("this is what holds already")
    decision = ConflictDecision(
        contradiction=it.id,
        group_id=group.id or 0,
        holds=asked.holds,
        reason=asked.reason,
        asked=_asks(it),
        proposed_by=actor.person_id,
        proposed_at=now_of(session),
    )
    session.add(decision)
    session.flush()
    audit.record(
        session,
        actor=actor.audit_name,
        action="conflict.proposed",
        object_kind="conflict",
        object_id=str(decision.id),
        group_id=decision.group_id,
        after=_audit_values(decision),
        reason=decision.reason,
    )
    return _output(session, decision, it)


def approve(session: Session, *, actor: Actor, decision_id: int, reason: str) -> DecisionOut:
    """Puts a proposal in force; one that held before is replaced. Never one's own. The hosts are re-evaluated in the background."""
    decision = _locked(session, actor, "conflict.decide", decision_id, DecisionState.PROPOSED)
    four_eyes.require_other(actor.person_id, decision.proposed_by, message="a decision is approved by somebody else than who proposed it")
    now = now_of(session)
    query = select(ConflictDecision).where(
        CONFLICT_DECISION.contradiction == decision.contradiction,
        CONFLICT_DECISION.group_id == decision.group_id,
        CONFLICT_DECISION.state == DecisionState.ACTIVE,
    )
    for before in session.scalars(query.with_for_update()):
        before.state, before.ended_by, before.ended_at, before.end_reason = (
            DecisionState.REPLACED,
            actor.person_id,
            now,
            "another decision took its place",
        )
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
        object_kind="conflict",
        object_id=str(decision.id),
        group_id=decision.group_id,
        after=_audit_values(decision),
        reason=reason or decision.reason,
    )
    return _output(session, decision)


def refuse(session: Session, *, actor: Actor, decision_id: int, reason: str) -> DecisionOut:
    """Refuses a proposal, with a reason."""
    decision = _locked(session, actor, "conflict.decide", decision_id, DecisionState.PROPOSED)
    four_eyes.require_other(actor.person_id, decision.proposed_by, message="who proposed a decision withdraws it; somebody else refuses it")
    _need(reason)
    decision.state, decision.decided_by, decision.decided_at, decision.decided_reason = (
        DecisionState.REFUSED,
        actor.person_id,
        now_of(session),
        reason,
    )
    session.add(decision)
    session.flush()
    audit.record(
        session,
        actor=actor.audit_name,
        action="conflict.refused",
        object_kind="conflict",
        object_id=str(decision.id),
        group_id=decision.group_id,
        after=_audit_values(decision),
        reason=reason,
    )
    return _output(session, decision)


def withdraw(session: Session, *, actor: Actor, decision_id: int, reason: str) -> DecisionOut:
    """Takes back a proposal of one's own, or ends a decision: then the group follows the one above, or the conflict is undecided again."""
    decision = session.get(ConflictDecision, decision_id)
    is_own = decision is not None and decision.state == DecisionState.PROPOSED and four_eyes.is_party(actor.person_id, decision.proposed_by)
    decision = _locked(
        session,
        actor,
        "conflict.propose" if is_own else "conflict.decide",
        decision_id,
        DecisionState.PROPOSED if is_own else DecisionState.ACTIVE,
    )
    _need(reason)
    was_active = decision.state == DecisionState.ACTIVE
    decision.state, decision.ended_by, decision.ended_at, decision.end_reason = (
        DecisionState.WITHDRAWN,
        actor.person_id,
        now_of(session),
        reason,
    )
    session.add(decision)
    session.flush()
    if was_active:
        _reevaluate_later(session, decision, "decision on a conflict withdrawn")
    audit.record(
        session,
        actor=actor.audit_name,
        action="conflict.withdrawn",
        object_kind="conflict",
        object_id=str(decision.id),
        group_id=decision.group_id,
        after=_audit_values(decision),
        reason=reason,
    )
    return _output(session, decision)


def _locked(session: Session, actor: Actor, action: str, decision_id: int, state: str) -> ConflictDecision:
    decision = session.scalars(select(ConflictDecision).where(CONFLICT_DECISION.id == decision_id).with_for_update()).first()
    group = session.get(HostGroup, decision.group_id) if decision is not None else None
    require(actor, action, group.path if group else "", missing="no such decision")
    if decision is None:
        raise NotFound("no such decision")
    if decision.state != state:
        raise Conflict(f"the decision is {decision.state}, not {state}")
    return decision


def _need(reason: str) -> None:
    if len(reason.strip()) < 3:
        raise BadInput("say why; the next person has to understand it")


def _reevaluate_later(session: Session, decision: ConflictDecision, label: str) -> None:
    mark_trends(session, kind="conflict_decided", label=label, group_id=decision.group_id)
    raise_rules_epoch(session)
    enqueue(session, "evaluation.reevaluate")


def _audit_values(decision: ConflictDecision) -> dict[str, Any]:
    return {"conflict": decision.contradiction, "holds": decision.holds, "state": decision.state}


def _output(session: Session, decision: ConflictDecision, contradiction: Contradiction | None = None) -> DecisionOut:
    return _decision(decision, contradiction, read_groups(session), people_of(session, _people([decision])))
