"""Reading the findings of one host. The number of queries does not depend on how many there are."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import func, select
from sqlalchemy.dialects.postgresql import distinct_on
from sqlalchemy.orm import aliased
from sqlmodel import Session

from plumbline.auth.actor import Actor
from plumbline.auth.scope import KNOWN_STATES, host_in_scope
from plumbline.configurations.read import Labels, read_document
from plumbline.core.facts.configuration import Subject
from plumbline.core.facts.proven import is_proven
from plumbline.core.rules import words
from plumbline.core.rules.finding_status import RANK, order_together, status_of
from plumbline.core.rules.headlines import template, with_items
from plumbline.core.rules.reading_words import stored_text
from plumbline.core.rules.rule import Rule, keys_of
from plumbline.evaluation.explain import explain
from plumbline.evaluation.read_findings import ReadFinding, findings_of
from plumbline.hosts.configuration_queries import ReadSection, read_sections
from plumbline.hosts.finding_schemas import Finding, FindingSource, HostFindings, Peers, WaiverOut, Was
from plumbline.hosts.from_bundle import Origin, read_origin
from plumbline.infra.database import sql
from plumbline.infra.schemas import SubjectOut
from plumbline.models.auth import Person
from plumbline.models.configurations import SETTING_CHANGE
from plumbline.models.findings import WAIVER, Waiver
from plumbline.models.hosts import Host
from plumbline.packs.in_force import grace_ends
from plumbline.packs.library import KnownRule, Library, read_library
from plumbline.packs.rule_text import manual_lines, weight
from plumbline.packs.rule_words import severity_of

# Peers are counted in small clusters only: a "cluster" of hundreds of hosts is a mistake of an import.
_MOST_PEERS = 128


class _Change(NamedTuple):
    """What is shown of a change, by the names of its columns."""

    subject_kind: str
    subject_id: str
    key: str
    old: Any
    received_at: datetime
    cause: str
    cause_detail: str


@dataclass(frozen=True, slots=True)
class _Context:
    """What the findings of one host are shown with."""

    library: Library
    labels: Labels
    sections: Mapping[str, ReadSection]
    changes: Mapping[tuple[str, str, str], _Change]
    peers: Mapping[int, Mapping[str, int]]
    waivers: Mapping[int, WaiverOut]
    weights: Mapping[str, float]
    # Addresses of the rules that cap the score.
    capping: frozenset[str]
    platform: str
    origin: Origin


def list_findings(session: Session, *, actor: Actor, host_id: str) -> HostFindings:
    """All findings of the host: failing first, then by weight."""
    host, group = host_in_scope(session, actor=actor, host_id=host_id)
    library = read_library(session)
    stored = read_document(session, host)
    configuration = stored.document.configuration if stored else None
    labels = Labels.of(stored.document if stored else None)
    rows = findings_of(session, host.id)
    explanation = explain(rows, library, configuration) if configuration else None
    context = _Context(
        library=library,
        labels=labels,
        sections={section.section: section for section in read_sections(session, host.id)},
        changes=_newest_changes(session, host.id),
        peers=_peers(session, host),
        waivers=_waivers(session, [row.waiver_id for row in rows if row.waiver_id is not None]),
        weights={address: line.weight.w for line in explanation.lines for address in line.rules} if explanation else {},
        capping=frozenset(cap.rule for cap in explanation.caps) if explanation else frozenset(),
        platform=host.platform,
        origin=read_origin(session, host),
    )
    grace = grace_ends(session, group.path) if any(row.excluded_by == "grace" for row in rows) else {}
    items = []
    for row in rows:
        known = library.by_no.get(row.rule_no)
        if known is not None:
            finding = _finding(row, known, context)
            items.append(finding.model_copy(update={"grace_until": grace.get(finding.pack)}) if row.excluded_by == "grace" else finding)

    def sort_key(finding: Finding) -> tuple[int, int, float, int, str, str]:
        address = f"{finding.pack}/{finding.rule}"
        heavy = context.weights.get(address, weight(library.by_address[address].rule))
        return RANK[finding.standing], address not in context.capping, -heavy, finding.rule_no, finding.subject.kind, finding.subject.label

    shown = _one_per_linked_rules(items, library.linked_groups)
    return HostFindings(as_of=host.last_seen_at, items=sorted(shown, key=sort_key))


def _one_per_linked_rules(items: list[Finding], group_of: Mapping[str, str]) -> list[Finding]:
    """One finding for each item and group of linked rules, as they count once: the one with the worst status.

    A rule that does not apply to the host as a whole is left out if a linked rule applies to an item of the host.
    """
    applying = {group_of[f"{item.pack}/{item.rule}"] for item in items if item.outcome != "not_applicable"}
    shown: dict[tuple[str, str, str], Finding] = {}
    for item in sorted(items, key=lambda finding: (order_together(finding.outcome, finding.standing), finding.rule_no)):
        group = group_of[f"{item.pack}/{item.rule}"]
        if item.outcome == "not_applicable" and item.subject.kind == "host" and group in applying:
            continue
        shown.setdefault((group, item.subject.kind, item.subject.id), item)
    return list(shown.values())


def _finding(row: ReadFinding, known: KnownRule, context: _Context) -> Finding:
    rule, shown, labels = known.rule, known.shown, context.labels
    subject = Subject(row.subject_kind, row.subject_id)
    status = status_of(row.outcome, row.waiver_id, row.excluded_by, row.kind)
    version = context.library.versions.get(row.pack_version_id)
    others = context.peers.get(row.rule_no)
    line = template(rule, subject, row.outcome, row.reason, row.observed)
    return Finding(
        pack=known.pack.id,
        pack_version=version.version if version else known.version,
        rule=rule.id,
        rule_no=row.rule_no,
        title=rule.title,
        headline=with_items(line, [labels.of_subject(subject)]),
        headline_template=line,
        kind=row.kind,
        area=shown.area,
        severity=severity_of(rule, status, has_capped=rule.address in context.capping, w=context.weights.get(rule.address)),
        subject=SubjectOut.of(subject, labels.of_subject(subject)),
        outcome=row.outcome,
        standing=status,
        reason=labels.in_words(row.reason),
        reason_repeats=words.repeats_values(row.outcome, row.reason, row.observed, row.expected),
        observed=labels.in_words(row.observed),
        expected=row.expected or shown.expected,
        why=rule.why,
        effect=shown.effect,
        evidence=list(shown.evidence),
        source=_source(row, rule, context),
        since=row.since,
        failing_since=row.failing_since,
        was=_previous_value(known, subject, context.changes) if status in ("fail", "waived") else None,
        impact=rule.impact,
        fix=list(shown.fix),
        manual=manual_lines(rule),
        manual_because=rule.fix.because,
        peers=Peers(same=others.get(row.outcome, 0), of=sum(others.values())) if others else None,
        waiver=context.waivers.get(row.waiver_id or 0),
        excluded_by=row.excluded_by,
        grace_until=None,
        same_as=list(rule.same_as),
        tested_value=shown.tested_value,
    )


def _source(row: ReadFinding, rule: Rule, context: _Context) -> FindingSource | None:
    if not row.source:
        return None
    section, command = context.sections.get(row.source.get("section", "")), row.source.get("command", "")
    return FindingSource(
        section=row.source.get("section", ""),
        command=command,
        field=row.source.get("field", ""),
        raw=row.source.get("raw", ""),
        sha256=section.sha256.hex() if section and section.sha256 else None,
        read_at=context.origin.read_at(section.changed_at if section else None),
        # The finding names the command and not the setting: one of those that the rule requires.
        is_proven=all(is_proven(context.platform, key, command) for key in keys_of(rule.expect)),
        member=context.origin.member_of(row.source.get("section", ""), command),
    )


_CHANGE = [getattr(SETTING_CHANGE, name) for name in _Change._fields]


def _newest_changes(session: Session, host_id: str) -> dict[tuple[str, str, str], _Change]:
    """The newest change of each setting. One query."""
    rows = session.execute(
        select(*_CHANGE)
        .where(SETTING_CHANGE.host_id == host_id, SETTING_CHANGE.cause != "first_seen")
        .ext(distinct_on(SETTING_CHANGE.subject_kind, SETTING_CHANGE.subject_id, SETTING_CHANGE.key))
        .order_by(
            SETTING_CHANGE.subject_kind,
            SETTING_CHANGE.subject_id,
            SETTING_CHANGE.key,
            SETTING_CHANGE.received_at.desc(),
            SETTING_CHANGE.id.desc(),
        )
    )
    return {row[:3]: row for row in map(_Change._make, rows.all())}


def _previous_value(known: KnownRule, subject: Subject, changes: Mapping[tuple[str, str, str], _Change]) -> Was | None:
    """The value before the latest change among the settings that the rule checks."""
    newest: _Change | None = None
    for full in keys_of(known.rule.expect):
        kind, key = full.split(".", 1)
        change = changes.get((kind, subject.id if kind == subject.kind else "", key))
        if change is not None and (newest is None or change.received_at > newest.received_at):
            newest = change
    if newest is None or not isinstance(newest.old, dict) or "value" not in newest.old:
        return None
    return Was(
        value=stored_text(newest.subject_kind, newest.key, newest.old),
        until=newest.received_at,
        cause=newest.cause,
        cause_detail=newest.cause_detail,
    )


def _peers(session: Session, host: Host) -> dict[int, dict[str, int]]:
    """For each rule, how many cluster peers have which worst outcome. One query, over the hosts of this cluster only."""
    if not host.cluster:
        return {}
    rows = session.execute(
        sql(
            "SELECT rule_no, worst, count(*) AS hosts FROM ("
            "  SELECT f.host_id, f.rule_no, CASE WHEN bool_or(f.outcome = 'fail') THEN 'fail' WHEN bool_or(f.outcome = 'unknown')"
            "    THEN 'unknown' WHEN bool_or(f.outcome = 'pass') THEN 'pass' ELSE 'not_applicable' END AS worst"
            "  FROM finding f WHERE f.host_id IN (SELECT id FROM host WHERE cluster = :cluster AND group_id = :group AND id <> :id"
            "    AND state = ANY(:states) ORDER BY id LIMIT :most) GROUP BY f.host_id, f.rule_no"
            ") AS of_host GROUP BY rule_no, worst"
        ),
        {"cluster": host.cluster, "group": host.group_id, "id": host.id, "states": list(KNOWN_STATES), "most": _MOST_PEERS},
    )
    found: dict[int, dict[str, int]] = {}
    for row in rows:
        found.setdefault(row.rule_no, {})[row.worst] = row.hosts
    return found


def _waivers(session: Session, ids: list[int]) -> dict[int, WaiverOut]:
    if not ids:
        return {}
    approver, owner = aliased(Person), aliased(Person)
    rows = session.execute(
        select(Waiver, approver.display_name, owner.display_name, WAIVER.expires_at <= func.now())  # type: ignore[call-overload]
        .outerjoin(approver, approver.id == WAIVER.approved_by)
        .outerjoin(owner, owner.id == WAIVER.owner_id)
        .where(WAIVER.id.in_(ids))
    )
    return {
        waiver.id: WaiverOut(
            id=waiver.id,
            reason=waiver.reason,
            approved_by=approved_by or "",
            owner=owned_by or "",
            ticket=waiver.ticket,
            expires_at=waiver.expires_at,
            is_over=is_over,
        )
        for waiver, approved_by, owned_by, is_over in rows
    }
