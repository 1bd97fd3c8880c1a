"""What a waiver would change, worked out before anybody asks for it, by the functions that score hosts."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select, text
from sqlmodel import Session

from plumbline.auth.actor import Actor
from plumbline.configurations.read import read_documents
from plumbline.core.facts.configuration import Configuration, Subject
from plumbline.core.rules.score import score
from plumbline.core.rules.weights import traits_of
from plumbline.evaluation.explain import stored_verdicts, weights_of
from plumbline.infra.errors import NotFound
from plumbline.infra.schemas import NamedHost
from plumbline.infra.settings import get_settings
from plumbline.models.findings import FINDING, OPEN_WAIVER_STATES, WAIVER, WAIVER_HOST, CurrentFinding, Waiver
from plumbline.models.hosts import COUNTED
from plumbline.packs.library import KnownRule, Library, read_library
from plumbline.waivers.schemas import PreviewHost, WaivedRule, WaiverPreview, WaiverScopeInput
from plumbline.waivers.scope import Scope, is_ticket_required, resolve, rule_of, rules_linked_to

# Hosts that are scored anew for one preview; counts are of the whole scope all the same.
LOOKED_AT = 60

_COUNTS = f"""
SELECT count(DISTINCT h.id) FILTER (WHERE f.outcome = 'fail' AND f.waiver_id IS NULL) AS hosts,
       count(*) FILTER (WHERE f.outcome = 'fail' AND f.waiver_id IS NULL) AS findings,
       count(*) FILTER (WHERE f.outcome = 'fail' AND f.waiver_id IS NOT NULL) AS already_waived,
       count(DISTINCT h.id) FILTER (WHERE f.outcome = 'pass') AS passing_hosts
FROM finding f JOIN host h ON h.id = f.host_id AND h.{COUNTED} JOIN host_group g ON g.id = h.group_id
WHERE f.rule_no = ANY(:rules) AND (h.id = ANY(:hosts) OR :group = ANY(string_to_array(trim(both '/' from g.path), '/')::int[]))
  AND (:skind = '' OR (f.subject_kind = :skind AND f.subject_id = :sid))
"""  # noqa: S608 (a constant)
_FAILING = f"""
SELECT h.id, h.name, h.score, h.capped_by, count(*) AS findings
FROM finding f JOIN host h ON h.id = f.host_id AND h.{COUNTED} JOIN host_group g ON g.id = h.group_id
WHERE f.rule_no = ANY(:rules) AND f.outcome = 'fail' AND f.waiver_id IS NULL
  AND (h.id = ANY(:hosts) OR :group = ANY(string_to_array(trim(both '/' from g.path), '/')::int[]))
  AND (:skind = '' OR (f.subject_kind = :skind AND f.subject_id = :sid))
GROUP BY h.id ORDER BY h.score NULLS LAST, lower(h.name), h.id LIMIT :most
"""  # noqa: S608 (a constant)


@dataclass(frozen=True, slots=True)
class Asked:
    """A resolved request: the scope, the rule, and the rules that ask the same."""

    scope: Scope
    known: KnownRule
    also: list[KnownRule]

    @property
    def numbers(self) -> list[int]:
        """Every rule that would be waived."""
        return [self.known.no, *(each.no for each in self.also)]


def read_asked(session: Session, *, actor: Actor, ask: WaiverScopeInput) -> Asked:
    """Resolves a request for a person who may make it. Raises `BadInput`, `NotFound`, `NotAllowed`."""
    library = read_library(session)
    known = rule_of(library, ask)
    return Asked(resolve(session, actor=actor, ask=ask, action="waiver.request"), known, rules_linked_to(library, known))


def preview(session: Session, *, actor: Actor, ask: WaiverScopeInput) -> WaiverPreview:
    """What the waiver would change now. A fixed number of queries; scores are worked out for at most `LOOKED_AT` hosts."""
    return _told(session, read_asked(session, actor=actor, ask=ask), replaces_id=ask.replaces_id)


def preview_of(session: Session, waiver: Waiver, *, paths: tuple[str, ...]) -> WaiverPreview:
    """What a waiver that was asked for would change now: what whoever decides on it looks at. Raises `NotFound` where its rule is gone."""
    library = read_library(session)
    known = library.by_no.get(waiver.rule_no)
    if known is None:
        raise NotFound("no active pack has the rule of this waiver any more")
    ids = [waiver.host_id] if waiver.host_id is not None else []
    if waiver.is_listed:
        ids = list(session.scalars(select(WAIVER_HOST.host_id).where(WAIVER_HOST.waiver_id == waiver.id).order_by(WAIVER_HOST.host_id)))
    scope = Scope(tuple(ids), waiver.group_id, waiver.is_listed, waiver.subject_kind, waiver.subject_id, paths)
    also = [library.by_no[no] for no in waiver.also_rule_nos if no in library.by_no]
    # Of itself it says nothing: that it waits is no reason against it.
    return _told(session, Asked(scope, known, also), replaces_id=waiver.id)


def _told(session: Session, asked: Asked, *, replaces_id: int | None) -> WaiverPreview:
    library = read_library(session)
    values = {
        "rules": asked.numbers, "hosts": list(asked.scope.host_ids), "group": None if asked.scope.host_ids else asked.scope.group_id,
        "skind": asked.scope.subject_kind, "sid": asked.scope.subject_id,
    }  # fmt: skip
    counts = session.execute(text(_COUNTS), values).one()
    rows = session.execute(text(_FAILING), {**values, "most": LOOKED_AT}).all()
    items = _scores(session, library, rows, asked)
    before = [item.score for item in items if item.score is not None]
    after = [item.score_after for item in items if item.score_after is not None]
    return WaiverPreview(
        rules=[WaivedRule(pack=each.pack.id, rule=each.rule.id, title=each.rule.title) for each in (asked.known, *asked.also)],
        hosts=counts.hosts,
        findings=counts.findings,
        already_waived=counts.already_waived,
        passing_hosts=counts.passing_hosts,
        items=items,
        looked_at=LOOKED_AT,
        score_mean=round(sum(before) / len(before), 1) if before else None,
        score_mean_after=round(sum(after) / len(after), 1) if after else None,
        caps_lifted=sum(1 for item in items if item.capped_by and not item.cap_after),
        is_ticket_required=is_ticket_required(session, asked.scope.paths),
        longest_days=get_settings().waiver_longest_days,
        problem=problem_of(session, asked, findings=counts.findings, replaces_id=replaces_id),
    )


def problem_of(session: Session, asked: Asked, *, findings: int, replaces_id: int | None) -> str:
    """Why the waiver cannot be asked for as it stands; empty: it can."""
    scope = asked.scope
    same_place = (
        WAIVER.is_listed.is_(False),
        WAIVER.host_id == scope.host_id,
        WAIVER.group_id == scope.group_id,
        WAIVER.subject_kind == scope.subject_kind,
        WAIVER.subject_id == scope.subject_id,
    )
    open_still = (
        WAIVER.state.in_(OPEN_WAIVER_STATES),
        WAIVER.expires_at > text("now()"),
        WAIVER.id != (replaces_id or 0),
    )
    twin = (
        session.scalar(select(WAIVER.id).where(WAIVER.rule_no == asked.known.no, *open_still, *same_place)) if not scope.is_listed else None
    )
    if twin is not None:
        return f"waiver {twin} is about the same; renew or withdraw that one"
    if findings == 0 and scope.host_ids and replaces_id is None:
        return "nothing of this fails there now, so there is nothing to waive"
    return ""


def _scores(session: Session, library: Library, rows: Iterable[Any], asked: Asked) -> list[PreviewHost]:
    rows = list(rows)
    ids = [row.id for row in rows]
    documents = read_documents(session, ids)
    stored: dict[str, list[CurrentFinding]] = {}
    for finding in session.scalars(select(CurrentFinding).where(FINDING.host_id.in_(ids))):
        stored.setdefault(finding.host_id, []).append(finding)
    return [_score(row, stored.get(row.id, []), documents[row.id].configuration, library, asked) for row in rows if row.id in documents]


def _score(row: Any, findings: list[CurrentFinding], configuration: Configuration, library: Library, asked: Asked) -> PreviewHost:
    stored_rows = stored_verdicts(findings, library)
    numbers = set(asked.numbers)
    more = {
        (library.by_no[finding.rule_no].rule.address, Subject(finding.subject_kind, finding.subject_id))
        for finding in findings
        if finding.rule_no in numbers and finding.rule_no in library.by_no and finding.outcome == "fail" and _meets(asked.scope, finding)
    }
    after = score(
        stored_rows.verdicts,
        weights_of(stored_rows.packs),
        traits_of(configuration),
        waived=stored_rows.waived | more,
        excluded=stored_rows.excluded,
    )
    return PreviewHost(
        host=NamedHost(id=row.id, name=row.name),
        findings=row.findings,
        score=row.score,
        score_after=after.score,
        capped_by=row.capped_by,
        cap_after=after.caps[0].reason if after.caps else "",
    )


def _meets(scope: Scope, finding: CurrentFinding) -> bool:
    return not scope.subject_kind or (finding.subject_kind, finding.subject_id) == (scope.subject_kind, scope.subject_id)
