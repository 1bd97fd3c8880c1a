"""Reading rules: the list with hosts by outcome, one rule whole, and the subjects that it evaluated."""

from collections.abc import Mapping, Sequence
from functools import cache

from sqlmodel import Session

from plumbline.auth.actor import Actor
from plumbline.configurations.read import Labels
from plumbline.core.facts.catalogue import BY_KEY
from plumbline.core.facts.configuration import Platform
from plumbline.core.facts.sources import sources_of
from plumbline.core.rules import words
from plumbline.core.rules.finding_status import FINDING_STATUSES, FindingStatus
from plumbline.core.rules.rule import BAND_POINTS, STRENGTH_TENTHS, Condition, Has, Rule
from plumbline.evaluation.linked_counts import LinkedRules, group_linked_rules, linked_rollups, linked_rule
from plumbline.evaluation.rollups import HIGHEST, Rolled, read_rollups
from plumbline.infra import resources
from plumbline.infra.errors import NotFound
from plumbline.packs.files.coverage import read_papers
from plumbline.packs.history import as_written, versions_of
from plumbline.packs.library import KnownRule, Library, read_library
from plumbline.packs.rule_schemas import (
    AppliesClause,
    Counts,
    PackRow,
    PaperBed,
    PaperLine,
    RuleCase,
    RuleDetail,
    RuleList,
    RuleRow,
    RuleSetting,
    RuleSettingSource,
    RuleWeight,
)
from plumbline.packs.rule_text import best_evidence, effect_of, evidence_of, fix_lines, manual_lines, weight
from plumbline.packs.rule_words import IMPACT_WORDS

UNREAD = Labels()


class RuleNotFound(NotFound):
    """No active pack has this rule."""

    code = "rule_not_found"


def counts_of(rolled: Rolled, rule_no: int, part: int) -> Counts:
    """A rule's hosts (part 0) or subjects (part 1) by the word shown."""
    counts = {word: rolled.get((rule_no, word), (0, 0, 0.0))[part] for word in FINDING_STATUSES}
    return Counts(pass_=counts.pop("pass"), **counts)


def list_rules(
    session: Session, *, actor: Actor, q: str, packs: Sequence[str], kinds: Sequence[str], outcomes: Sequence[FindingStatus]
) -> RuleList:
    """Rules that match, those that fail on most hosts first; linked rules are one row. Two queries, library and rollups; a third if
    only some of several linked rules are chosen.
    """
    library = read_library(session)
    roots = actor.scope_roots
    active = {pack.id for pack, _ in library.active}
    chosen = (known for known in library.by_no.values() if known.pack.id in active and (not packs or known.pack.id in packs))
    groups = [
        linked
        for linked in group_linked_rules(chosen)
        if (not kinds or linked.first.rule.kind in kinds) and any(_mentions(known, q) for known in linked.rules)
    ]
    counts = linked_rollups(session, library, roots, read_rollups(session, roots, highest=HIGHEST if packs else 0), groups)
    items = []
    for linked in groups:
        row = _row(linked, counts)
        if outcomes and not any(getattr(row.hosts, "pass_" if word == "pass" else word) for word in outcomes):
            continue
        items.append(row)
    items.sort(key=lambda item: (-item.hosts.fail * max(item.weight, 0.5), -item.hosts.fail, item.pack, item.title))
    return RuleList(
        items=items,
        packs=[
            PackRow(
                pack=pack.id,
                version=published.version,
                title=pack.title,
                published_at=published.published_at,
                rules=len(pack.rules),
                papers=[paper.title for paper in pack.papers],
            )
            for pack, published in library.active
        ],
    )


def _mentions(known: KnownRule, q: str) -> bool:
    rule = known.rule
    return q.strip().lower() in " ".join((rule.title, rule.summary, rule.address, *rule.reads)).lower()


def _row(linked: LinkedRules, rolled: Rolled) -> RuleRow:
    known, rule = linked.shown, linked.shown.rule
    return RuleRow(
        pack=known.pack.id,
        pack_version=known.version,
        rule=rule.id,
        rule_no=known.no,
        title=rule.title,
        kind=rule.kind,
        state="retired" if rule.retired else "active",
        platforms=[rule.applies_to.platform] if rule.applies_to.platform else ["windows", "esxi"],
        weight=max(weight(member.rule) for member in linked.rules),
        effect=effect_of(rule),
        hosts=counts_of(rolled, linked.first.no, 0),
        subjects=counts_of(rolled, linked.first.no, 1),
        also=[linked_rule(other) for other in linked.also],
    )


def known_rule(library: Library, pack: str, rule: str) -> KnownRule:
    """The rule of an active pack; raises `RuleNotFound`."""
    known = library.by_address.get(f"{pack}/{rule}")
    if known is None:
        raise RuleNotFound(f"no active pack has the rule {pack}/{rule}")
    return known


def read_rule(session: Session, *, actor: Actor, pack: str, rule: str) -> RuleDetail:
    """One rule with all there is to know of it. Three queries: library, rollups, versions."""
    library = read_library(session)
    known = known_rule(library, pack, rule)
    rolled = read_rollups(session, actor.scope_roots, lowest=known.no, highest=known.no)
    row = _row(LinkedRules((known,)), rolled)
    content = known.rule
    best = best_evidence(content)
    return RuleDetail(
        **row.model_dump(by_alias=False, exclude={"weight", "hosts", "subjects", "also"}),
        hosts=row.hosts,
        subjects=row.subjects,
        summary=content.summary,
        why=content.why,
        applies_to=_applies_to(content),
        expect_words=words.expected(content.expect),
        expect=known.data.get("expect"),
        yaml=as_written(known.data),
        evidence=evidence_of(content, known.pack),
        beds=_beds(known),
        weight=RuleWeight(
            w=weight(content),
            band=best.band if best else "",
            band_points=BAND_POINTS[best.band] if best else 1.0,
            strength=best.strength if best else "",
            strength_factor=STRENGTH_TENTHS[best.strength] / 10 if best else 1.0,
            fit=1.0,
        ),
        impact=content.impact,
        impact_words=IMPACT_WORDS[content.impact],
        fix=fix_lines(content),
        manual=manual_lines(content),
        manual_because=content.fix.because,
        covers=_covers(content),
        same_as=list(content.same_as),
        settings=[_setting(key, content.applies_to.platform) for key in sorted(content.reads)],
        cases=_cases(known),
        versions=versions_of(session, known.pack.id, content.id),
    )


def _applies_to(rule: Rule) -> list[AppliesClause]:
    clauses = []
    if rule.applies_to.platform:
        platform = {"windows": "Windows Server", "esxi": "ESXi"}[rule.applies_to.platform]
        clauses.append(AppliesClause(words=f"the host runs {platform}", else_=f"{platform} only"))
    for clause in (*rule.applies_to.host, *rule.applies_to.subject):
        if isinstance(clause, Condition):
            requirement = words.condition(clause)
        elif isinstance(clause, Has):
            requirement = words.has(clause)
        else:
            requirement = words.initiator_mode(clause)
        clauses.append(AppliesClause(words=requirement, else_=clause.otherwise or f"applies only if {requirement}"))
    return clauses


def _setting(key: str, platform: Platform | None) -> RuleSetting:
    """A setting that the rule reads, and where it is read on the platforms that the rule evaluates."""
    entry = BY_KEY.get(key)
    sources = [
        RuleSettingSource(
            platform=source.platform, section=source.section, command=source.command, field=source.field, versions=source.versions
        )
        for source in sources_of(key)
        if platform in (None, source.platform)
    ]
    return RuleSetting(key=key, label=entry.label if entry else key, meaning=entry.meaning if entry else "", sources=sources)


def _cases(known: KnownRule) -> list[RuleCase]:
    """The rule's own test cases, from the names of their files; a site's packs, which are in another folder, have none here."""
    cases = []
    folder = resources.RULESETS / known.pack.id / "cases"
    for path in sorted(folder.glob(f"{known.rule.id}.*.yaml")):
        what, _, expected = path.name.removeprefix(f"{known.rule.id}.").removesuffix(".yaml").rpartition(".")
        about, holds = _case_text(path.read_text(encoding="utf-8"))
        cases.append(RuleCase(name=what.replace("_", " ").replace("-", " "), expected=expected, about=about, holds=holds))
    return cases


def _case_text(written: str) -> tuple[str, str]:
    """The comment that a case file begins with, as one line of words, and the rest of the file."""
    lines = written.strip().splitlines()
    body = next((index for index, line in enumerate(lines) if not line.startswith("#")), len(lines))
    return " ".join(line.lstrip("# ").strip() for line in lines[:body]), "\n".join(lines[body:])


def _beds(known: KnownRule) -> list[PaperBed]:
    """What the papers behind the rule were measured on, on the platforms that it evaluates."""
    named = {evidence_item.paper for evidence_item in known.rule.evidence}
    platform = known.rule.applies_to.platform
    return [
        PaperBed(paper=paper.title, edition=paper.edition, words=bed.words)
        for paper in known.pack.papers
        for bed in paper.beds
        if paper.id in named and bed.words and platform in (None, "", bed.platform)
    ]


@cache
def _paper_lines() -> Mapping[str, PaperLine]:
    """The built-in papers by id, read once."""
    papers = read_papers(resources.RULESETS)
    return {} if papers is None else {item.id: PaperLine(id=item.id, at=item.at, says=item.says) for item in papers.items.values()}


def _covers(rule: Rule) -> list[PaperLine]:
    """The recommendations that the rule covers; a site's own ids, which no built-in list has, are without text."""
    return [_paper_lines().get(cover, PaperLine(id=cover, at="", says="")) for cover in rule.covers]
