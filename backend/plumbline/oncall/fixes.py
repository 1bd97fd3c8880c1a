"""Which fixes a problem has, and which of them may run at once under a standing approval."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import text
from sqlmodel import Session, col, select

from plumbline.auth.actor import Actor
from plumbline.auth.scope import GroupNode, effective_mode
from plumbline.core.planning.plan import IMPACTS
from plumbline.core.rules.rule import Rule
from plumbline.infra.group_path import is_below
from plumbline.models.controls import RemediationEndpoint
from plumbline.models.plans import StandingApproval
from plumbline.oncall.find import heaviest_unlinked
from plumbline.oncall.problems import Problem
from plumbline.oncall.schemas import ProblemFix, StandingUse
from plumbline.packs.library import Library
from plumbline.packs.rule_words import IMPACT_WORDS
from plumbline.remediation.plans.schemas import FindingChoice


@dataclass(frozen=True, slots=True)
class UsableApproval:
    """An active standing approval under which this person may run, parsed."""

    use: StandingUse
    group_ids: frozenset[int]
    largest_impact: str
    rules: frozenset[str]
    settings: frozenset[str]

    def lists(self, rule: Rule, path: str) -> bool:
        """Whether it lists this rule's fix on a host of this group. Signing checks every step again, with its value and impact."""
        if not is_below(path, self.group_ids):
            return False
        if rule.impact in IMPACTS and IMPACTS.index(rule.impact) > IMPACTS.index(self.largest_impact):
            return False
        return rule.address in self.rules or all(each.key in self.settings for each in rule.fix.set)


def usable_approvals(session: Session, actor: Actor, now: datetime) -> list[UsableApproval]:
    """Standing approvals under which this person may run plans now: not those that they signed. One query."""
    rows = session.exec(
        select(StandingApproval)
        .where(
            col(StandingApproval.withdrawn_at).is_(None),
            col(StandingApproval.expires_at) > now,
            col(StandingApproval.signer_id) != actor.person_id,
        )
        .order_by(col(StandingApproval.id).desc())
        .limit(500)
    )
    return [_parsed(row) for row in rows]


def _parsed(row: StandingApproval) -> UsableApproval:
    payload = json.loads(row.payload)
    return UsableApproval(
        use=StandingUse(id=row.id or 0, name=row.name, signer=row.signer.partition(" ")[2], expires_at=row.expires_at),
        group_ids=frozenset(payload["group_ids"]),
        largest_impact=payload["largest_impact"],
        rules=frozenset(item["rule"] for item in payload["items"] if item.get("rule")),
        settings=frozenset(item["setting"] for item in payload["items"] if item.get("setting")),
    )


@dataclass(frozen=True, slots=True)
class FixOptions:
    """Which hosts can be changed at all, and which standing approvals this person may use."""

    approvals: Sequence[UsableApproval]
    reachable: frozenset[str]
    groups: Mapping[int, GroupNode]
    library: Library
    on_hold: Mapping[str, str] = field(default_factory=dict)

    def blocked_reason(self, host: Any) -> str:
        """Why nothing can be changed on this host now; empty where it can be. The plan checks every gate again."""
        if effective_mode(host.mode, self.groups.get(host.group_id)) != "remediate":
            return "this host is observe only"
        if host.id not in self.reachable:
            return "remediation is not set up for this host"
        return self.on_hold.get(host.id, "")

    def fixes_of(self, problem: Problem, path: str) -> list[ProblemFix]:
        """The fixes of its failing findings, those that may run at once first, then by weight."""
        numbers = heaviest_unlinked((each.rule_no for each in problem.findings), self.library)
        made = [self._fix(no, problem, path) for no in numbers if not self.library.by_no[no].rule.fix.is_manual]
        return sorted(made, key=lambda each: each.standing is None)

    def _fix(self, no: int, problem: Problem, path: str) -> ProblemFix:
        known = self.library.by_no[no]
        under = next((each.use for each in self.approvals if each.lists(known.rule, path)), None)
        return ProblemFix(
            pack=known.pack.id,
            rule=known.rule.id,
            title=known.rule.title,
            impact=known.rule.impact,
            impact_words=IMPACT_WORDS.get(known.rule.impact, known.rule.impact),
            findings=[
                FindingChoice(
                    host_id=problem.host_id,
                    pack=known.pack.id,
                    rule=known.rule.id,
                    subject_kind=each.subject_kind,
                    subject_id=each.subject_id,
                )
                for each in problem.findings
                if each.rule_no == no
            ],
            standing=under,
        )


def read_fix_options(
    session: Session, actor: Actor, hosts: Iterable[Any], groups: Mapping[int, GroupNode], library: Library, now: datetime
) -> FixOptions:
    """What decides which fixes are offered on these hosts. Two queries."""
    hosts = list(hosts)
    reachable = session.exec(select(RemediationEndpoint.host_id).where(col(RemediationEndpoint.host_id).in_([host.id for host in hosts])))
    on_hold = {
        host.id: f"host on hold: {host.hold_reason}"
        for host in hosts
        if host.hold_by is not None and (host.hold_until is None or host.hold_until > now)
    }
    return FixOptions(usable_approvals(session, actor, now), frozenset(reachable), groups, library, on_hold)


def approvers_online(session: Session, groups: Sequence[int], now: datetime) -> list[str]:
    """People who may approve in one of these groups and used Plumbline in the last 15 minutes. One query."""
    rows = session.execute(
        text(
            "SELECT DISTINCT p.login FROM person p JOIN web_session s ON s.person_id = p.id JOIN role_grant g ON g.person_id = p.id"
            " JOIN host_group mine ON mine.id = g.group_id JOIN host_group below ON starts_with(below.path, mine.path)"
            " WHERE g.role = 'approver' AND below.id = ANY(:groups) AND s.ended_at IS NULL AND s.expires_at > :now"
            " AND s.last_used_at > CAST(:now AS timestamptz) - interval '15 minutes' ORDER BY p.login LIMIT 20"
        ),
        {"groups": list(groups), "now": now},
    )
    return list(rows.scalars())
