"""A host of a support bundle as one side of a comparison: read from one's own assessments, with its findings under the rules of today."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import select
from sqlmodel import Session

from plumbline.auth.actor import Actor
from plumbline.configurations.read import Labels
from plumbline.core.drift.beside import Beside
from plumbline.core.facts.bundles.hosts import collected_at
from plumbline.core.facts.bundles.kept import KeptHost, unpack
from plumbline.core.facts.configuration import Configuration, Source, Subject, Value
from plumbline.core.facts.document import Document
from plumbline.core.facts.same_host import is_mac, likely_same
from plumbline.core.rules.finding_status import status_of
from plumbline.core.rules.rule import Rule
from plumbline.core.rules.unlisted_kinds import all_unlisted
from plumbline.evaluation.evaluate import Context, evaluate_host
from plumbline.evaluation.read_findings import findings_of
from plumbline.hosts.comparison_schemas import ComparedBundle, ComparedFinding, FindingSide
from plumbline.infra.errors import NotFound
from plumbline.infra.schemas import SubjectOut
from plumbline.models.assessments import ASSESSMENT, ASSESSMENT_HOST, Assessment, AssessmentHost
from plumbline.models.hosts import Host
from plumbline.packs.in_force import NO_RULES, read_active


@dataclass(frozen=True, slots=True)
class BundleSide:
    """One host of one's own assessment. `kept` is None where it was assessed before configurations were kept."""

    row: AssessmentHost
    bundle: str
    kept: KeptHost | None

    @property
    def at(self) -> datetime | None:
        """When the bundle was collected; None where it tells no time."""
        return collected_at(self.row.captured_at)

    def beside(self, host: Host, live: Configuration) -> ComparedBundle | None:
        """The bundle as the comparison names it, and how sure it is that it is of this host."""
        if self.kept is None:
            return None
        likely = likely_same(self.kept.document.configuration, self.row.name, live, host.name)
        return ComparedBundle(
            assessment_id=self.row.assessment_id,
            assessed_id=self.row.id or 0,
            bundle=self.bundle,
            name=self.row.name,
            kind_label=self.row.kind_label,
            captured_at=self.row.captured_at,
            likeness=likely.likeness,
            identity=likely.words,
        )


def read_bundle_side(session: Session, *, actor: Actor, assessed_id: int) -> BundleSide:
    """A host of one's own assessments. One query. Raises `NotFound` for another person's too."""
    found = session.execute(
        select(AssessmentHost, ASSESSMENT.name)
        .join(Assessment, ASSESSMENT.id == ASSESSMENT_HOST.assessment_id)
        .where(ASSESSMENT_HOST.id == assessed_id, ASSESSMENT.person_id == actor.person_id)
    ).first()
    if found is None:
        raise NotFound("Host not found in your assessments.")
    row, bundle = found
    try:
        kept = unpack(row.kept) if row.kept is not None else None
    except ValueError:
        kept = None
    return BundleSide(row, bundle, kept)


def known_pairs(pairs: list[Beside], live: Configuration, kept: KeptHost) -> tuple[list[Beside], int]:
    """Without the pairs that differ only because a bundle is silent, and how many those are: an item that one side did not list, and a
    setting that one side does not offer, which in a bundle may only mean that its collector prints no such line.
    """
    sides = (live, live.unlisted), (kept.document.configuration, all_unlisted(kept.document.configuration, kept.unread))
    shown = [pair for pair in pairs if not pair.differs or _is_known(pair, *sides)]
    return shown, len(pairs) - len(shown)


_Side = tuple[Configuration, Mapping[str, str]]


def _is_known(pair: Beside, live: _Side, bundle: _Side) -> bool:
    if pair.key:
        return isinstance(pair.left_reading, Value) and isinstance(pair.right_reading, Value)
    item, (configuration, unlisted) = (pair.left, bundle) if pair.right is None else (pair.right, live)
    assert item is not None
    if item.kind in unlisted or configuration.keys(item) or (item.kind == "adapter" and not is_mac(item.id)):
        # Not listed whole; or named with nothing known of it; or a card that only the list of another class of device shows.
        return False
    return any(isinstance(reading, Value) for other in configuration.subjects(item.kind) for reading in configuration.keys(other).values())


# --- Findings -------------------------------------------------------------------------------------------------------------------------

_Sides = dict[tuple[str, Subject], FindingSide]


def compare_findings(session: Session, host: Host, live: Document, kept: KeptHost) -> tuple[list[ComparedFinding], int]:
    """Findings that fail on one side and not on the other, both under the rules in force for the host now; and how many cannot be compared
    because one side is unknown. A waiver hides no change: outcomes are compared.
    """
    in_force = read_active(session).by_group.get(host.group_id, NO_RULES)
    addresses = {number: address for address, number in in_force.numbers.items()}
    rules = {address: rule for address, rule in in_force.rules.items() if rule.kind != "attestation"}
    labels, then_labels = Labels.of(live), Labels.of(kept.document)
    now: _Sides = {}
    for row in findings_of(session, host.id):
        side = FindingSide(
            status=status_of(row.outcome, row.waiver_id, row.excluded_by, row.kind),
            outcome=row.outcome,
            observed=labels.in_words(row.observed or row.reason),
            member="",
        )
        now[addresses.get(row.rule_no, ""), Subject(row.subject_kind, row.subject_id)] = side
    then: _Sides = {}
    for new in evaluate_host(in_force, kept.document.configuration, Context(kept.unread)).findings:
        side = FindingSide(
            status=status_of(new.outcome, None, new.excluded_by, new.kind),
            outcome=new.outcome,
            observed=then_labels.in_words(new.observed or new.reason),
            member=kept.member_of(_source(new.source)),
        )
        then[addresses.get(new.rule_no, ""), Subject(new.subject_kind, new.subject_id)] = side
    unlisted = all_unlisted(kept.document.configuration, kept.unread)
    return _changed(now, then, rules, (live.configuration.unlisted, unlisted), (labels, then_labels))


def _changed(
    now: _Sides,
    then: _Sides,
    rules: Mapping[str, Rule],
    unlisted: tuple[Mapping[str, str], Mapping[str, str]],
    labels: tuple[Labels, Labels],
) -> tuple[list[ComparedFinding], int]:
    found: list[ComparedFinding] = []
    not_known = 0
    for address, subject in sorted({*now, *then}):
        rule = rules.get(address)
        left, right = now.get((address, subject)), then.get((address, subject))
        outcomes = {side.outcome if side is not None else "" for side in (left, right)}
        if rule is None or "fail" not in outcomes or len(outcomes) == 1:
            continue
        is_unlisted = (left is None and subject.kind in unlisted[0]) or (right is None and subject.kind in unlisted[1])
        if "unknown" in outcomes or is_unlisted:
            not_known += 1
            continue
        is_new = left is not None and left.outcome == "fail"
        label = (labels[0] if left is not None else labels[1]).of_subject(subject)
        found.append(
            ComparedFinding(
                pack=rule.pack,
                rule=rule.id,
                title=rule.title,
                subject=SubjectOut.of(subject, label),
                what="new" if is_new else "fixed",
                left=left,
                right=right,
            )
        )
    found.sort(key=lambda each: (each.what != "new", each.title, each.subject.label))
    return found, not_known


def _source(stored: str | None) -> Source | None:
    if stored is None:
        return None
    fields: dict[str, Any] = msgspec.json.decode(stored)
    return Source(fields["section"], fields["command"], fields["field"], fields["raw"])
