"""What a waiver would change, computed before it is requested, with the functions that score hosts."""

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
from plumbline.evaluation.read_findings import ReadFinding, read_findings
from plumbline.infra.errors import NotFound
from plumbline.infra.schemas import NamedHost
from plumbline.infra.settings import get_settings
from plumbline.models.findings import OPEN_WAIVER_STATES, WAIVER, WAIVER_HOST, Waiver
from plumbline.models.hosts import COUNTED
from plumbline.packs.library import KnownRule, Library, read_library
from plumbline.waivers.schemas import PreviewHost, WaivedRule, WaiverPreview, WaiverScopeInput
from plumbline.waivers.scope import Scope, is_ticket_required, resolve, rule_of, rules_linked_to

# Hosts whose score one preview computes. The counts cover the whole scope.
MOST_SCORED = 60

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
class ResolvedRequest:
    """A request with its scope, its rule and the rules linked to it."""

    scope: Scope
    known: KnownRule
    also: list[KnownRule]

    @property
    def numbers(self) -> list[int]:
        """Every rule that would be waived."""
        return [self.known.no, *(rule.no for rule in self.also)]


def resolve_request(session: Session, *, actor: Actor, request: WaiverScopeInput) -> ResolvedRequest:
    """Resolves a request for a person who may make it. Raises `BadInput`, `NotFound`, `NotAllowed`."""
    library = read_library(session)
    known = rule_of(library, request)
    return ResolvedRequest(resolve(session, actor=actor, request=request, action="waiver.request"), known, rules_linked_to(library, known))


def preview(session: Session, *, actor: Actor, request: WaiverScopeInput) -> WaiverPreview:
    """What the waiver would change now. A fixed number of queries; at most `MOST_SCORED` hosts are scored."""
    return _preview(session, resolve_request(session, actor=actor, request=request), replaces_id=request.replaces_id)


def preview_of(session: Session, waiver: Waiver, *, paths: tuple[str, ...]) -> WaiverPreview:
    """What a requested waiver would change now, for the approver. Raises `NotFound` if no active pack has its rule any more."""
    library = read_library(session)
    known = library.by_no.get(waiver.rule_no)
    if known is None:
        raise NotFound("no active pack has the rule of this waiver any more")
    ids = [waiver.host_id] if waiver.host_id is not None else []
    if waiver.is_listed:
        ids = list(session.scalars(select(WAIVER_HOST.host_id).where(WAIVER_HOST.waiver_id == waiver.id).order_by(WAIVER_HOST.host_id)))
    scope = Scope(tuple(ids), waiver.group_id, waiver.is_listed, waiver.subject_kind, waiver.subject_id, paths)
    also = [library.by_no[no] for no in waiver.also_rule_nos if no in library.by_no]
    # The waiver itself is no reason against approving it.
    return _preview(session, ResolvedRequest(scope, known, also), replaces_id=waiver.id)


def _preview(session: Session, resolved: ResolvedRequest, *, replaces_id: int | None) -> WaiverPreview:
    library = read_library(session)
    values = {
        "rules": resolved.numbers,
        "hosts": list(resolved.scope.host_ids),
        "group": None if resolved.scope.host_ids else resolved.scope.group_id,
        "skind": resolved.scope.subject_kind,
        "sid": resolved.scope.subject_id,
    }
    counts = session.execute(text(_COUNTS), values).one()
    rows = session.execute(text(_FAILING), {**values, "most": MOST_SCORED}).all()
    items = _scores(session, library, rows, resolved)
    before = [item.score for item in items if item.score is not None]
    after = [item.score_after for item in items if item.score_after is not None]
    return WaiverPreview(
        rules=[WaivedRule(pack=known.pack.id, rule=known.rule.id, title=known.rule.title) for known in (resolved.known, *resolved.also)],
        hosts=counts.hosts,
        findings=counts.findings,
        already_waived=counts.already_waived,
        passing_hosts=counts.passing_hosts,
        items=items,
        looked_at=MOST_SCORED,
        score_mean=round(sum(before) / len(before), 1) if before else None,
        score_mean_after=round(sum(after) / len(after), 1) if after else None,
        caps_lifted=sum(1 for item in items if item.capped_by and not item.cap_after),
        is_ticket_required=is_ticket_required(session, resolved.scope.paths),
        longest_days=get_settings().waiver_longest_days,
        problem=problem_of(session, resolved, findings=counts.findings, replaces_id=replaces_id),
    )


def problem_of(session: Session, resolved: ResolvedRequest, *, findings: int, replaces_id: int | None) -> str:
    """Why this waiver cannot be requested; empty if it can."""
    scope = resolved.scope
    same_scope = (
        WAIVER.is_listed.is_(False),
        WAIVER.host_id == scope.host_id,
        WAIVER.group_id == scope.group_id,
        WAIVER.subject_kind == scope.subject_kind,
        WAIVER.subject_id == scope.subject_id,
    )
    still_open = (
        WAIVER.state.in_(OPEN_WAIVER_STATES),
        WAIVER.expires_at > text("now()"),
        WAIVER.id != (replaces_id or 0),
    )
    duplicate = (
        session.scalar(select(WAIVER.id).where(WAIVER.rule_no == resolved.known.no, *still_open, *same_scope))
        if not scope.is_listed
        else None
    )
    if duplicate is not None:
        return f"Waiver {duplicate} already covers this. Renew or withdraw it."
    if findings == 0 and scope.host_ids and replaces_id is None:
        return "Nothing in scope is failing, so there is nothing to waive."
    return ""


def _scores(session: Session, library: Library, rows: Iterable[Any], resolved: ResolvedRequest) -> list[PreviewHost]:
    rows = list(rows)
    ids = [row.id for row in rows]
    documents = read_documents(session, ids)
    stored = read_findings(session, ids)
    return [_score(row, stored.get(row.id, []), documents[row.id].configuration, library, resolved) for row in rows if row.id in documents]


def _score(row: Any, findings: list[ReadFinding], configuration: Configuration, library: Library, resolved: ResolvedRequest) -> PreviewHost:
    stored = stored_verdicts(findings, library)
    numbers = set(resolved.numbers)
    newly_waived = {
        (library.by_no[finding.rule_no].rule.address, Subject(finding.subject_kind, finding.subject_id))
        for finding in findings
        if finding.rule_no in numbers
        and finding.rule_no in library.by_no
        and finding.outcome == "fail"
        and _is_in_scope(resolved.scope, finding)
    }
    after = score(
        stored.verdicts,
        weights_of(stored.packs),
        traits_of(configuration),
        waived=stored.waived | newly_waived,
        excluded=stored.excluded,
    )
    return PreviewHost(
        host=NamedHost(id=row.id, name=row.name),
        findings=row.findings,
        score=row.score,
        score_after=after.score,
        capped_by=row.capped_by,
        cap_after=after.caps[0].reason if after.caps else "",
    )


def _is_in_scope(scope: Scope, finding: ReadFinding) -> bool:
    return not scope.subject_kind or (finding.subject_kind, finding.subject_id) == (scope.subject_kind, scope.subject_id)
