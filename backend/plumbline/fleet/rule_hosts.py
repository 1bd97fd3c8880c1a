"""The subjects that one rule evaluated, a page at a time, those that somebody has to do something about first."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Select, and_, case, func, literal, or_, select, true, tuple_
from sqlmodel import Session

from plumbline.auth.actor import Actor
from plumbline.auth.scope import KNOWN_STATES, in_scope
from plumbline.configurations.read import Labels, read_labels
from plumbline.core.facts.configuration import Subject
from plumbline.core.rules import words
from plumbline.core.rules.finding_status import FINDING_STATUSES, status_of
from plumbline.core.rules.rule import WEIGHTLESS
from plumbline.evaluation.rollups import read_rollups
from plumbline.fleet.rules import known_rule
from plumbline.fleet.schemas import RuleHost, RuleHostPage
from plumbline.infra import cursor
from plumbline.infra.schemas import Standing, SubjectOut
from plumbline.models.findings import CurrentFinding
from plumbline.models.hosts import Host, HostGroup
from plumbline.packs.library import KnownRule, read_library

F: Any = CurrentFinding
H: Any = Host
G: Any = HostGroup

UNREAD = Labels()

_STANDING_SQL: dict[str, ColumnElement[bool]] = {
    "fail": and_(F.outcome == "fail", F.waiver_id.is_(None), F.excluded_by == "", F.kind.not_in(WEIGHTLESS)),
    "advice": and_(F.outcome == "fail", F.waiver_id.is_(None), F.excluded_by == "", F.kind.in_(WEIGHTLESS)),
    "waived": and_(F.outcome == "fail", F.waiver_id.is_not(None)),
    "excluded": and_(F.excluded_by != "", or_(F.outcome == "pass", and_(F.outcome == "fail", F.waiver_id.is_(None)))),
    "pass": and_(F.outcome == "pass", F.excluded_by == ""),
    "unknown": F.outcome == "unknown",
    "not_applicable": F.outcome == "not_applicable",
}
# What a person has to do something about comes first.
_FIRST: tuple[Standing, ...] = ("fail", "advice", "unknown", "excluded", "waived", "pass", "not_applicable")
_RANK = case(*[(_STANDING_SQL[word], at) for at, word in enumerate(_FIRST)], else_=len(_FIRST))


Place = list[Any]  # rank, name in lower case, host, kind and id of the subject: where the page before ended


class StatusCounts(NamedTuple):
    """Subjects by status, and how many hosts the rule evaluated."""

    subjects: Mapping[Standing, int]
    hosts: int


def list_rule_hosts(
    session: Session, *, actor: Actor, pack: str, rule: str, outcomes: Sequence[Standing], after: str | None, limit: int
) -> RuleHostPage:
    """The subjects a rule evaluated, failing first, then by host name. Three queries besides the library: counts, page, names of subjects;
    more where a status of few subjects, or the names that many have, do not fill the page.
    """
    known = known_rule(read_library(session), pack, rule)
    place: Place = _read_cursor(after) if after else [0, "", "", "", ""]
    counts = _count_statuses(session, actor, known.no)
    asked = outcomes or FINDING_STATUSES
    wanted = [word for rank, word in enumerate(_FIRST) if word in asked and word in counts.subjects and rank >= place[0]]
    rows: list[Any] = []
    while wanted and len(rows) <= limit:
        together = _together(wanted, counts, limit + 1 - len(rows))
        rows += _findings_under(session, actor, known, together, counts, place, limit + 1 - len(rows))
        wanted = wanted[len(together) :]
    labels = read_labels(session, {finding.host_id for finding, *_ in rows[:limit]})
    items = [
        RuleHost(
            host_id=finding.host_id,
            name=name,
            subject=_subject(finding, labels),
            standing=status_of(finding.outcome, finding.waiver_id, finding.excluded_by, finding.kind),
            reason=labels.get(finding.host_id, UNREAD).in_words(finding.reason),
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
    return RuleHostPage(items=items, next=following, total=sum(counts.subjects.get(word, 0) for word in set(asked)))


def _count_statuses(session: Session, actor: Actor, rule_no: int) -> StatusCounts:
    """What the rollups say of a rule's subjects; words that none stands under are left out."""
    rolled = read_rollups(session, actor.scope_roots, lowest=rule_no, highest=rule_no)
    told = {word: rolled[rule_no, word] for word in FINDING_STATUSES if (rule_no, word) in rolled}
    subjects = {word: subjects for word, (_, subjects, _) in told.items() if subjects > 0}
    return StatusCounts(subjects, sum(hosts for hosts, _, _ in told.values()))


def _hosts_passed(word: Standing, counts: StatusCounts, most: int) -> int:
    """How many hosts are passed, in the order of their names, until so many subjects stand under the word, if these are spread evenly."""
    return most * counts.hosts // counts.subjects[word]


def _are_many(word: Standing, counts: StatusCounts, most: int) -> bool:
    """It costs less to walk through hosts by name until the page is full than to sort all subjects under the word."""
    return _hosts_passed(word, counts, most) < counts.subjects[word]


def _together(wanted: Sequence[Standing], counts: StatusCounts, most: int) -> Sequence[Standing]:
    """The first of these words, with those that follow as long as the page is not full and few stand under each."""
    subjects = 0
    for number, word in enumerate(wanted):
        if number and (subjects >= most or _are_many(word, counts, most) or _are_many(wanted[0], counts, most)):
            return wanted[:number]
        subjects += counts.subjects[word]
    return wanted


def _findings_under(
    session: Session, actor: Actor, known: KnownRule, together: Sequence[Standing], counts: StatusCounts, place: Place, most: int
) -> Sequence[Any]:
    """(finding, host's name, score, rank, name in lower case) of the first subjects under these words behind a place, up to so many."""
    if _are_many(together[0], counts, most):
        # Twice as many names as it takes, so that a stretch without any does not lead through the whole fleet.
        names = 2 * _hosts_passed(together[0], counts, most) + 100
        rows = session.execute(_whole(known, _walked(actor, known, together[0], place, names, most))).all()
        if len(rows) == most:
            return rows
    return session.execute(_whole(known, _sorted(actor, known, together, place, most))).all()


def _sorted(actor: Actor, known: KnownRule, together: Sequence[Standing], place: Place, most: int) -> Select[Any]:
    """All subjects under some words, sorted. Without the texts, which are most of the bytes."""
    order = (_RANK, func.lower(H.name), F.host_id, F.subject_kind, F.subject_id)
    return (
        select(H.name, H.score, _RANK.label("rank"), func.lower(H.name).label("lower_name"), F.host_id, F.subject_kind, F.subject_id)
        .select_from(CurrentFinding)
        .join(Host, H.id == F.host_id)
        .join(HostGroup, G.id == H.group_id)
        .where(F.rule_no == known.no, H.state.in_(KNOWN_STATES), in_scope(actor), or_(*[_STANDING_SQL[word] for word in together]))
        .where(tuple_(*order) > tuple_(*place))
        .order_by(*order)
        .limit(most)
    )


def _walked(actor: Actor, known: KnownRule, word: Standing, place: Place, names: int, most: int) -> Select[Any]:
    """The subjects under one word of the next so many hosts by name."""
    rank = _FIRST.index(word)
    _, *ended = place if place[0] == rank else [rank, "", "", "", ""]
    lower_name = func.lower(H.name)
    passed = select(H.id, H.name, H.score, lower_name.label("lower_name")).join(HostGroup, G.id == H.group_id)
    passed = passed.where(H.state.in_(KNOWN_STATES), in_scope(actor), tuple_(lower_name, H.id) >= tuple_(*ended[:2]))
    platform = known.rule.applies_to.platform
    if platform and word != "not_applicable":
        # Of a host of the other platform it says nothing else, once it is evaluated by this version of the rule.
        passed = passed.where(H.platform == platform)
    host = passed.order_by(lower_name, H.id).limit(names).subquery()
    # An offset keeps it what it is, a look at each host in turn: the planner takes far fewer subjects for failing than there may be, and
    # would read all of them first.
    subject = select(F.subject_kind, F.subject_id).where(F.host_id == host.c.id, F.rule_no == known.no, _STANDING_SQL[word])
    each = subject.order_by(F.subject_kind, F.subject_id).offset(0).lateral()
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
    # Sought once, whatever the planner thinks: where the tables' figures are not known yet, it would seek them anew for every finding.
    at = places.cte().prefix_with("MATERIALIZED")
    is_it = and_(F.rule_no == known.no, F.host_id == at.c.host_id, F.subject_kind == at.c.subject_kind, F.subject_id == at.c.subject_id)
    query = select(CurrentFinding, at.c.name, at.c.score, at.c.rank, at.c.lower_name).join(at, is_it)
    return query.order_by(at.c.rank, at.c.lower_name, F.host_id, F.subject_kind, F.subject_id)


def _subject(finding: CurrentFinding, labels: Mapping[str, Labels]) -> SubjectOut:
    subject = Subject(finding.subject_kind, finding.subject_id)
    return SubjectOut.of(subject, labels.get(finding.host_id, UNREAD).of_subject(subject))


def _read_cursor(text: str) -> Place:
    place = cursor.decode(text, (int, str, str, str, str))
    if place[0] not in range(len(_FIRST) + 1):
        raise cursor.invalid_cursor()
    return place
