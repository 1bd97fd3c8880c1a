"""A host as it was at an instant: evaluated on the spot from the configuration stored then, under the packs of then or others."""

from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import select
from sqlmodel import Session

from plumbline.auth.actor import Actor
from plumbline.auth.rights import can_read
from plumbline.auth.scope import host_in_scope, read_groups
from plumbline.configurations.read import Labels
from plumbline.core.facts.configuration import Subject
from plumbline.core.rules import words
from plumbline.core.rules.finding_status import RANK, status_of
from plumbline.core.rules.headlines import headline
from plumbline.evaluation.findings import NewFinding
from plumbline.evaluation.read_findings import findings_of
from plumbline.evaluation.reevaluate import raw_connection
from plumbline.infra.database import now_of
from plumbline.infra.errors import BadInput
from plumbline.infra.schemas import NamedHost, SubjectOut
from plumbline.models.packs import PackVersion
from plumbline.packs.in_force import NO_RULES, Choice, GroupRules, pack_of, read_active
from plumbline.previews.as_of import EvaluatedAt, evaluate_at
from plumbline.previews.bundle_as_of import bundle_at
from plumbline.previews.hosts_as_of import HostAt, hosts_at
from plumbline.previews.moved_groups import moved_since
from plumbline.previews.runs import chosen_versions
from plumbline.previews.schemas import HostPast, PastFinding, PastVersion
from plumbline.previews.sums import counts_of


def read_past(session: Session, *, actor: Actor, host_id: str, as_of: datetime, version_ids: list[int]) -> HostPast:
    """The host as of the instant; `absent` is why there is nothing. Raises `HostNotFound`, `NotFound`, `BadInput`."""
    host, _ = host_in_scope(session, actor=actor, host_id=host_id)
    now = now_of(session)
    if as_of.tzinfo is None:
        raise BadInput("give the time zone, as in 2026-09-03T12:00:00Z")
    if as_of > now:
        raise BadInput("that lies in the future")
    choices = [
        Choice(each["pack"], pack_of(session.get_one(PackVersion, each["version_id"])), each["version_id"])
        for each in chosen_versions(session, version_ids)
    ]
    connection = raw_connection(session)
    [then] = hosts_at(connection, as_of, path="", ids=[host_id])
    rules = read_active(session, at=as_of, choices=choices)
    evaluated = evaluate_at(connection, [then], rules, as_of).get(host_id)
    in_force = rules.by_group.get(then.group_id, NO_RULES)
    groups = read_groups(session)
    # Where it stood in a group that this person may not read, the group has no name for them.
    group = groups[then.group_id].name if then.group_id in groups and can_read(actor, then.path) else ""
    return HostPast(
        host=NamedHost(id=host_id, name=host.name),
        group=group,
        as_of=as_of,
        absent=then.absent or ("" if evaluated is not None else "its stored configuration can no longer be read"),
        configuration_at=then.configuration_at,
        from_bundle=bundle_at(connection, then, as_of),
        versions=_versions(session, in_force, {choice.pack for choice in choices}),
        score_now=host.score,
        moved_groups=[each for each in moved_since(session, actor=actor, since=as_of) if f"/{each.id}/" in then.path],
        **_evaluated(session, then, evaluated, in_force),
    )


def _versions(session: Session, rules: GroupRules, chosen: set[str]) -> list[PastVersion]:
    V: Any = PackVersion
    names = {row.id: row.version for row in session.execute(select(V.id, V.version).where(V.id.in_(list(rules.version_ids.values()))))}
    return [
        PastVersion(pack=pack, version=names.get(each, "?"), version_id=each, is_chosen=pack in chosen, in_grace=pack in rules.grace)
        for pack, each in rules.version_ids.items()
    ]


def _evaluated(session: Session, then: HostAt, evaluated: EvaluatedAt | None, rules: GroupRules) -> dict[str, Any]:
    if evaluated is None:
        return {"score": None, "capped_by": "", "rule_coverage": None, "counts": {}, "waivers": 0, "items": []}
    now = {
        (row.rule_no, row.subject_kind, row.subject_id): status_of(row.outcome, row.waiver_id, row.excluded_by, row.kind)
        for row in findings_of(session, then.id)
    }
    labels = Labels.of(evaluated.document)
    addresses = {rules.numbers[address]: address for address in rules.rules}
    verdict, findings = evaluated.evaluation.verdict, evaluated.evaluation.findings
    items = [_finding(row, rules, addresses[row.rule_no], labels, now.get(row.identity, "")) for row in findings]
    items.sort(key=lambda item: (RANK[item.standing], item.pack, item.title, item.subject.label))
    return {
        "score": verdict.score,
        "capped_by": verdict.capped_by,
        "rule_coverage": verdict.rule_coverage,
        "counts": counts_of(verdict),
        "waivers": len({row.waiver_id for row in findings if row.waiver_id is not None}),
        "items": items,
    }


def _finding(row: NewFinding, rules: GroupRules, address: str, labels: Labels, now: str) -> PastFinding:
    rule = rules.rules[address]
    subject = Subject(row.subject_kind, row.subject_id)
    source = msgspec.json.decode(row.source) if row.source else {}
    item = labels.of_subject(subject)
    return PastFinding(
        pack=rule.pack,
        rule=rule.id,
        title=rule.title,
        headline=labels.in_words(headline(rule, subject, row.outcome, row.reason, row.observed, [item])),
        kind=row.kind,
        subject=SubjectOut.of(subject, item),
        outcome=row.outcome,
        standing=status_of(row.outcome, row.waiver_id, row.excluded_by, row.kind),
        excluded_by=row.excluded_by,
        reason=labels.in_words(row.reason),
        observed=labels.in_words(row.observed),
        expected=row.expected or words.expected(rule.expect),
        section=source.get("section", ""),
        command=source.get("command", ""),
        now=now,
    )
