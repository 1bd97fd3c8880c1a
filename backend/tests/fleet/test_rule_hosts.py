"""The pages of a rule's findings, put together, are the whole sorted list: for any statuses and any reader."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import combinations
from typing import Any

from sqlalchemy import event
from sqlmodel import Session

from plumbline.auth.actor import Actor, Grant
from plumbline.core.rules.finding_status import FINDING_STATUSES, status_of
from plumbline.evaluation.rollups import Deltas, FindingMark, count_findings
from plumbline.fleet.rule_hosts import list_rule_hosts
from plumbline.models.findings import CurrentFinding, RollupDelta
from plumbline.models.hosts import Host, HostGroup
from plumbline.packs.library import read_library
from plumbline.packs.publish import install_builtin
from tests.api.world import add_group
from tests.superseded import activate_superseded

PACK, RULE = "dell-bp1057-2012", "bp1057.x520.receive_buffers"
FIRST = ["fail", "advice", "unknown", "excluded", "waived", "pass", "not_applicable"]
# What a finding may be: outcome, waiver, excluded by, kind.
KINDS_OF_FINDING: dict[str, tuple[str, int | None, str, str]] = {
    "fail": ("fail", None, "", "recommended"),
    "advice": ("fail", None, "", "advisory"),
    "unknown": ("unknown", None, "", "recommended"),
    "excluded": ("pass", None, "conflict", "recommended"),
    "waived": ("fail", 1, "", "recommended"),
    "pass": ("pass", None, "", "recommended"),
    "not_applicable": ("not_applicable", None, "", "recommended"),
}
Placed = tuple[int, str, str, str, str]  # rank, name in lower case, host, kind and id of the subject


def seed(session: Session, chance: random.Random) -> dict[str, list[Placed]]:
    """A fleet evaluated by one rule, in two groups: its items by path of group. Most fail, after a stretch of names without failures."""
    install_builtin(session)
    activate_superseded(session)
    rule_no = read_library(session).by_address[f"{PACK}/{RULE}"].no
    deltas = Deltas()
    placed: dict[str, list[Placed]] = {}
    groups = [session.get_one(HostGroup, add_group(session, name)) for name in ("here", "there")]
    for number in range(200):
        group = chance.choice(groups)
        # Names that differ in case only, or not at all.
        name = chance.choice(("sql-{}", "SQL-{}", "Web-{}")).format(number // 2)
        is_windows = number % 5 > 0
        host = Host(id=f"{chance.getrandbits(128):032x}", name=name, platform="windows" if is_windows else "esxi", group_id=group.id)
        host.state = chance.choice(("active", "quarantined"))
        session.add(host)
        session.flush()
        marks: list[FindingMark] = []
        words = ["not_applicable"] if not is_windows else chance.choices(FIRST[1:] if number < 100 else FIRST, k=chance.randint(1, 3))
        if is_windows and number >= 120 and chance.random() < 0.8:
            words = ["fail"] * chance.randint(1, 3)
        for at, word in enumerate(words):
            outcome, waiver_id, excluded_by, kind = KINDS_OF_FINDING[word]
            subject = ("host", "") if word == "not_applicable" and at == 0 else ("adapter", f"{at}a")
            finding = CurrentFinding(host_id=host.id, rule_no=rule_no, subject_kind=subject[0], subject_id=subject[1], outcome=outcome)
            finding.kind, finding.waiver_id, finding.excluded_by, finding.since = kind, waiver_id, excluded_by, host.enrolled_at
            session.add(finding)
            marks.append((rule_no, *subject, outcome, waiver_id, excluded_by, kind, 0))
            placed.setdefault(group.path, []).append((FIRST.index(word), name.lower(), host.id, *subject))
        count_findings(deltas, host.group_id, marks, 1)
    for row in deltas.rows():
        session.add(RollupDelta(**dict(zip(("group_id", "rule_no", "bucket", "hosts", "subjects", "amount"), row, strict=True))))
    session.flush()
    return placed


def walk(session: Session, actor: Actor, outcomes: tuple[str, ...], limit: int) -> list[Placed]:
    """All pages, joined."""
    found: list[Placed] = []
    after = None
    while True:
        page = list_rule_hosts(session, actor=actor, pack=PACK, rule=RULE, outcomes=outcomes, after=after, limit=limit)  # type: ignore[arg-type]
        found += [(FIRST.index(it.standing), it.name.lower(), it.host_id, it.subject.kind, it.subject.id) for it in page.items]
        assert len(page.items) == limit or page.next is None
        if page.next is None:
            assert page.total == len(found)
            return found
        assert len(found) < page.total
        after = page.next


@contextmanager
def statements(session: Session) -> Iterator[list[str]]:
    seen: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        seen.append(statement)

    event.listen(session.connection(), "before_cursor_execute", note)
    yield seen
    event.remove(session.connection(), "before_cursor_execute", note)


def test_pages_join_to_the_sorted_whole_for_every_choice_of_words(session: Session) -> None:
    assert {status_of(*parts) for parts in KINDS_OF_FINDING.values()} == set(FINDING_STATUSES)
    chance = random.Random(1)
    placed = seed(session, chance)
    here = next(iter(placed))
    whole = Actor(1, "ana", grants=(Grant("viewer", 1, "1/"),))
    part = Actor(2, "bob", grants=(Grant("viewer", 2, here),))
    choices = [words for size in range(len(FIRST) + 1) for words in combinations(FIRST, size)]
    with statements(session) as seen:
        for words in choices:
            actor, paths = chance.choice(((whole, list(placed)), (part, [here])))
            subjects = sorted(each for path in paths for each in placed[path])
            expected = [each for each in subjects if not words or FIRST[each[0]] in words]
            limit = chance.choice((40, 80, 200))
            assert walk(session, actor, words, limit) == expected, (words, limit)
    # Both kinds of query were used.
    pages = [statement for statement in seen if "lower_name" in statement]
    walked = len([statement for statement in pages if "LATERAL" in statement])
    assert walked > 20
    assert len(pages) - walked > 20


def test_a_page_of_many_sorts_no_subjects(session: Session) -> None:
    seed(session, random.Random(3))
    actor = Actor(1, "ana", grants=(Grant("viewer", 1, "1/"),))
    for words, limit in ((["pass"], 2), (["not_applicable"], 5)):
        with statements(session) as seen:
            page = list_rule_hosts(session, actor=actor, pack=PACK, rule=RULE, outcomes=words, after=None, limit=limit)  # type: ignore[arg-type]
        assert len(page.items) == limit < page.total
        [statement] = [each for each in seen if "lower_name" in each]
        assert "LATERAL" in statement
