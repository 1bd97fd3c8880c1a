"""The findings of one rule, a page at a time, those that need attention first."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Select, and_, case, func, literal, or_, select, true, tuple_
from sqlmodel import Session

from plumbline.auth.actor import Actor
from plumbline.auth.scope import KNOWN_STATES, in_scope
from plumbline.configurations.read import Labels, read_labels
from plumbline.core.facts.configuration import Subject
from plumbline.core.rules import words
from plumbline.core.rules.finding_status import FINDING_STATUSES, FindingStatus, status_of
from plumbline.core.rules.headlines import headline
from plumbline.core.rules.rule import WEIGHTLESS
from plumbline.evaluation.rollups import read_rollups
from plumbline.fleet.rules import known_rule
from plumbline.fleet.schemas import RuleHost, RuleHostPage
from plumbline.infra import cursor
from plumbline.infra.schemas import SubjectOut
from plumbline.models.findings import FINDING, CurrentFinding
from plumbline.models.hosts import HOST, HOST_GROUP, Host, HostGroup
from plumbline.packs.library import KnownRule, read_library

UNREAD = Labels()

_STATUS_SQL: dict[str, ColumnElement[bool]] = {
    "fail": and_(FINDING.outcome == "fail", FINDING.waiver_id.is_(None), FINDING.excluded_by == "", FINDING.kind.not_in(WEIGHTLESS)),
    "advice": and_(FINDING.outcome == "fail", FINDING.waiver_id.is_(None), FINDING.excluded_by == "", FINDING.kind.in_(WEIGHTLESS)),
    "waived": and_(FINDING.outcome == "fail", FINDING.waiver_id.is_not(None)),
    "excluded": and_(
        FINDING.excluded_by != "", or_(FINDING.outcome == "pass", and_(FINDING.outcome == "fail", FINDING.waiver_id.is_(None)))
    ),
    "pass": and_(FINDING.outcome == "pass", FINDING.excluded_by == ""),
    "unknown": FINDING.outcome == "unknown",
    "not_applicable": FINDING.outcome == "not_applicable",
}
# What a person has to do something about comes first.
_FIRST: tuple[FindingStatus, ...] = ("fail", "advice", "unknown", "excluded", "waived", "pass", "not_applicable")
_RANK = case(*[(_STATUS_SQL[word], at) for at, word in enumerate(_FIRST)], else_=len(_FIRST))


Place = list[Any]  # rank, name in lower case, host, kind and id of the subject: where the page before ended


class StatusCounts(NamedTuple):
    """Subjects by status, and how many hosts the rule evaluated."""

    subjects: Mapping[FindingStatus, int]
    hosts: int


def list_rule_hosts(
    session: Session, *, actor: Actor, pack: str, rule: str, outcomes: Sequence[FindingStatus], after: str | None, limit: int
) -> RuleHostPage:
    """The subjects a rule evaluated, failing first, then by host name. Three queries besides the library: counts, page, names of subjects;
    more where a status of few subjects, or the names that many have, do not fill the page.
    """
    known = known_rule(read_library(session), pack, rule)
    place: Place = _read_cursor(after) if after else [0, "", "", "", ""]
    counts = _count_statuses(session, actor, known.no)
    statuses = outcomes or FINDING_STATUSES
    remaining = [word for rank, word in enumerate(_FIRST) if word in statuses and word in counts.subjects and rank >= place[0]]
    rows: list[Any] = []
    while remaining and len(rows) <= limit:
        together = _together(remaining, counts, limit + 1 - len(rows))
        rows += _findings_under(session, actor, known, together, counts, place, limit + 1 - len(rows))
        remaining = remaining[len(together) :]
    labels = read_labels(session, {finding.host_id for finding, *_ in rows[:limit]})
    items = [
        RuleHost(
            host_id=finding.host_id,
            name=name,
            subject=_subject(finding, labels),
            standing=status_of(finding.outcome, finding.waiver_id, finding.excluded_by, finding.kind),
            headline=_headline(known, finding, labels.get(finding.host_id, UNREAD)),
            reason=labels.get(finding.host_id, UNREAD).in_words(finding.reason),
            reason_repeats=words.repeats_values(finding.outcome, finding.reason, finding.observed, finding.expected),
            observed=labels.get(finding.host_id, UNREAD).in_words(finding.observed),
            expected=finding.expected or words.expected(known.rule.expect),
            score=score,
        )
        for finding, name, score, *_ in rows[:limit]
    ]
    following = None
    if len(rows) > limit:
        last, _, _, rank, lower_name = rows[limit - 1]
        ended = [rank, lower_name, last.host_id, last.subject_kind, last.subject_id]
        following = cursor.encode(ended)
    return RuleHostPage(items=items, next=following, total=sum(counts.subjects.get(word, 0) for word in set(statuses)))


def _headline(known: KnownRule, finding: CurrentFinding, labels: Labels) -> str:
    subject = Subject(finding.subject_kind, finding.subject_id)
    return headline(known.rule, subject, finding.outcome, finding.reason, finding.observed, [labels.of_subject(subject)])


def _count_statuses(session: Session, actor: Actor, rule_no: int) -> StatusCounts:
    """The counts of a rule's findings by status, from the rollups; statuses without findings are left out."""
    rolled = read_rollups(session, actor.scope_roots, lowest=rule_no, highest=rule_no)
    counts = {word: rolled[rule_no, word] for word in FINDING_STATUSES if (rule_no, word) in rolled}
    subjects = {word: subjects for word, (_, subjects, _) in counts.items() if subjects > 0}
    return StatusCounts(subjects, sum(hosts for hosts, _, _ in counts.values()))


def _hosts_passed(word: FindingStatus, counts: StatusCounts, most: int) -> int:
    """How many hosts, in the order of their names, contain so many items with this status, if these are spread evenly."""
    return most * counts.hosts // counts.subjects[word]


def _are_many(word: FindingStatus, counts: StatusCounts, most: int) -> bool:
    """It costs less to walk through hosts by name until the page is full than to sort all subjects under the word."""
    return _hosts_passed(word, counts, most) < counts.subjects[word]


def _together(remaining: Sequence[FindingStatus], counts: StatusCounts, most: int) -> Sequence[FindingStatus]:
    """The first of these statuses, and those that follow it as long as the page is not full and few items have each."""
    subjects = 0
    for number, word in enumerate(remaining):
        if number and (subjects >= most or _are_many(word, counts, most) or _are_many(remaining[0], counts, most)):
            return remaining[:number]
        subjects += counts.subjects[word]
    return remaining


def _findings_under(
    session: Session, actor: Actor, known: KnownRule, together: Sequence[FindingStatus], counts: StatusCounts, place: Place, most: int
) -> Sequence[Any]:
    """(finding, host's name, score, rank, name in lower case) of the first subjects under these words behind a place, up to so many."""
    if _are_many(together[0], counts, most):
        # Twice as many names as it takes, so that a stretch without any does not lead through the whole fleet.
        names = 2 * _hosts_passed(together[0], counts, most) + 100
        rows = session.execute(_whole(known, _walked(actor, known, together[0], place, names, most))).all()
        if len(rows) == most:
            return rows
    return session.execute(_whole(known, _sorted(actor, known, together, place, most))).all()


def _sorted(actor: Actor, known: KnownRule, together: Sequence[FindingStatus], place: Place, most: int) -> Select[Any]:
    """All subjects under some words, sorted. Without the texts, which are most of the bytes."""
    order = (_RANK, func.lower(HOST.name), FINDING.host_id, FINDING.subject_kind, FINDING.subject_id)
    return (
        select(
            HOST.name,
            HOST.score,
            _RANK.label("rank"),
            func.lower(HOST.name).label("lower_name"),
            FINDING.host_id,
            FINDING.subject_kind,
            FINDING.subject_id,
        )
        .select_from(CurrentFinding)
        .join(Host, HOST.id == FINDING.host_id)
        .join(HostGroup, HOST_GROUP.id == HOST.group_id)
        .where(FINDING.rule_no == known.no, HOST.state.in_(KNOWN_STATES), in_scope(actor), or_(*[_STATUS_SQL[word] for word in together]))
        .where(tuple_(*order) > tuple_(*place))
        .order_by(*order)
        .limit(most)
    )


def _walked(actor: Actor, known: KnownRule, word: FindingStatus, place: Place, names: int, most: int) -> Select[Any]:
    """The subjects under one word of the next so many hosts by name."""
    rank = _FIRST.index(word)
    _, *ended = place if place[0] == rank else [rank, "", "", "", ""]
    lower_name = func.lower(HOST.name)
    passed = select(HOST.id, HOST.name, HOST.score, lower_name.label("lower_name")).join(HostGroup, HOST_GROUP.id == HOST.group_id)
    passed = passed.where(HOST.state.in_(KNOWN_STATES), in_scope(actor), tuple_(lower_name, HOST.id) >= tuple_(*ended[:2]))
    platform = known.rule.applies_to.platform
    if platform and word != "not_applicable":
        # Once evaluated by this version of the rule, a host of the other platform has no other finding of it.
        passed = passed.where(HOST.platform == platform)
    host = passed.order_by(lower_name, HOST.id).limit(names).subquery()
    # The offset keeps this a lookup for each host in turn: the planner underestimates the failing items and would
    # otherwise read all of them first.
    subject = select(FINDING.subject_kind, FINDING.subject_id).where(
        FINDING.host_id == host.c.id, FINDING.rule_no == known.no, _STATUS_SQL[word]
    )
    each = subject.order_by(FINDING.subject_kind, FINDING.subject_id).offset(0).lateral()
    order = (host.c.lower_name, host.c.id, each.c.subject_kind, each.c.subject_id)
    return (
        select(host.c.name, host.c.score, literal(rank).label("rank"), host.c.lower_name, host.c.id.label("host_id"), *order[2:])
        .join(each, true())
        .where(tuple_(*order) > tuple_(*ended))
        .order_by(*order)
        .limit(most)
    )


def _whole(known: KnownRule, places: Select[Any]) -> Select[Any]:
    """The findings at these places, in their order."""
    # Materialized: without statistics, the planner would repeat this subquery for every finding.
    at = places.cte().prefix_with("MATERIALIZED")
    is_same_finding = and_(
        FINDING.rule_no == known.no,
        FINDING.host_id == at.c.host_id,
        FINDING.subject_kind == at.c.subject_kind,
        FINDING.subject_id == at.c.subject_id,
    )
    query = select(CurrentFinding, at.c.name, at.c.score, at.c.rank, at.c.lower_name).join(at, is_same_finding)
    return query.order_by(at.c.rank, at.c.lower_name, FINDING.host_id, FINDING.subject_kind, FINDING.subject_id)


def _subject(finding: CurrentFinding, labels: Mapping[str, Labels]) -> SubjectOut:
    subject = Subject(finding.subject_kind, finding.subject_id)
    return SubjectOut.of(subject, labels.get(finding.host_id, UNREAD).of_subject(subject))


def _read_cursor(text: str) -> Place:
    place = cursor.decode(text, (int, str, str, str, str))
    if place[0] not in range(len(_FIRST) + 1):
        raise cursor.invalid_cursor()
    return place
