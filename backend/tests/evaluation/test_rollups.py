"""Rollups by deltas equal the raw counts after any sequence of writes: the arithmetic, without a database."""

from datetime import UTC, datetime

from hypothesis import given, settings
from hypothesis import strategies as st

from plumbline.evaluation.findings import (
    Evaluation,
    HostVerdict,
    Identity,
    NewFinding,
    StoredFinding,
    Writes,
    compare,
    marks_of,
    set_verdict,
)
from plumbline.evaluation.rollups import Deltas, FindingMark, HostFigures, count_findings, count_host

NOW = datetime(2026, 11, 21, tzinfo=UTC)

identities = st.tuples(st.integers(1, 4), st.just("adapter"), st.sampled_from("abc"))
outcomes = st.sampled_from(["pass", "fail", "unknown", "not_applicable"])
verdicts = st.dictionaries(
    identities,
    st.tuples(outcomes, st.sampled_from([None, 7]), st.sampled_from(["", "grace"]), st.sampled_from("xy"), st.sampled_from([0, 1, 3])),
)


Verdicts = dict[Identity, tuple[str, int | None, str, str, int]]


def rows(verdict: Verdicts) -> list[NewFinding]:
    return [
        NewFinding(*identity, outcome, "recommended", words, "", "", None, words, 1, waiver if outcome == "fail" else None, excluded, shown)
        for identity, (outcome, waiver, excluded, words, shown) in verdict.items()
    ]


def raw(hosts: dict[str, dict[Identity, StoredFinding]], figures: dict[str, HostFigures]) -> list[tuple[object, ...]]:
    deltas = Deltas()
    for host, findings in hosts.items():
        count_findings(deltas, figures[host].group_id, marks_of(findings), 1)
        count_host(deltas, figures[host], 1)
    return deltas.rows()


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["h1", "h2", "h3"]),
            verdicts,
            st.one_of(st.none(), st.integers(0, 100)),
            st.booleans(),
            st.frozensets(st.integers(1, 4)),
            st.integers(1, 50),
        ),
        max_size=12,
    )
)
def test_deltas_sum_to_the_raw_counts(
    steps: list[tuple[str, Verdicts, int | None, bool, frozenset[int], int]],
) -> None:
    total = Deltas()
    stored: dict[str, dict[Identity, StoredFinding]] = {host: {} for host in ("h1", "h2", "h3")}
    figures = {host: HostFigures(1 if host == "h1" else 2, False) for host in stored}
    for host, verdict, score, is_unread, known, batch in steps:
        writes = Writes()
        stored[host] = compare(
            writes,
            host_id=host,
            group_id=figures[host].group_id,
            now=NOW,
            old=stored[host],
            evaluation=Evaluation(rows(verdict), known_rules=known, unread_kinds={"adapter": "failed" if is_unread else ""}),
        )
        after = HostFigures(figures[host].group_id, True, score, batch / 50, batch % 3)
        set_verdict(writes, host_id=host, old=figures[host], new=after, verdict=HostVerdict(score=score), rules_epoch=1)
        figures[host] = after
        for group, rule, bucket, hosts, subjects, amount in writes.deltas.rows():
            total.add((group, rule, bucket), hosts, subjects, int(amount))
    assert total.rows() == raw(stored, figures)


def judged(outcome: str, expected_hash: str = "x") -> list[NewFinding]:
    return [NewFinding(1, "adapter", "a", outcome, "recommended", "", "", "", None, expected_hash, 1)]


def step(
    old: dict[Identity, StoredFinding], new: list[NewFinding], day: int, unread: str = "", known: frozenset[int] = frozenset({1})
) -> tuple[dict[Identity, StoredFinding], Writes]:
    writes = Writes()
    now = NOW.replace(day=day)
    evaluation = Evaluation(new, known_rules=known, unread_kinds={"adapter": unread})
    stands = compare(writes, host_id="h", group_id=1, now=now, old=old, evaluation=evaluation)
    return stands, writes


KEY: Identity = (1, "adapter", "a")


def test_failing_since_stays_unless_the_expectation_changes() -> None:
    stands, _ = step({}, judged("fail"), 1)
    stands, writes = step(stands, judged("fail"), 2)
    assert (stands[KEY].failing_since, writes.log, writes.deltas.rows()) == (NOW.replace(day=1), [], [])
    stands, writes = step(stands, judged("fail", "y"), 3)
    assert stands[KEY].failing_since == NOW.replace(day=3)
    assert [row[-1] for row in writes.log] == ["rule changed"]
    stands, _ = step(stands, judged("unknown", "y"), 4)
    stands, _ = step(stands, judged("fail", "y"), 5)
    assert stands[KEY].failing_since == NOW.replace(day=3)
    stands, _ = step(stands, judged("pass", "y"), 6)
    assert stands[KEY].failing_since is None
    stands, _ = step(stands, judged("fail", "y"), 7)
    assert stands[KEY].failing_since == NOW.replace(day=7)


def test_a_vanished_subject_is_gone_only_where_its_section_was_read() -> None:
    stands, _ = step({}, judged("fail"), 1)
    kept, writes = step(stands, [], 2, unread="section adapters failed: timeout")
    assert kept[KEY].outcome == "unknown"
    assert writes.deletes == []
    assert writes.log[0][-3:] == ("fail", "unknown", "section adapters failed: timeout")
    gone, writes = step(kept, [], 3)
    assert gone == {}
    assert writes.log[0][-2] == "subject_gone"
    _, writes = step(stands, [], 3, unread="failed", known=frozenset())
    assert writes.log[0][-2] == "rule_gone"


def test_linked_rules_are_counted_once_under_their_lowest_number() -> None:
    """Worked by hand: on adapter a one of the two is waived, on b both pass, and the second does not apply to the host."""
    marks: list[FindingMark] = [
        (5, "adapter", "a", "fail", None, "", "recommended", 5),
        (9, "adapter", "a", "fail", 7, "", "recommended", 5),
        (5, "adapter", "b", "pass", None, "", "recommended", 5),
        (9, "adapter", "b", "pass", None, "", "recommended", 5),
        (9, "host", "", "not_applicable", None, "", "recommended", 5),
        (11, "host", "", "unknown", None, "", "recommended", 0),
    ]
    deltas = Deltas()
    count_findings(deltas, 1, marks, 1)
    counted = {(rule, word): (hosts, subjects) for _, rule, word, hosts, subjects, _ in deltas.rows()}
    assert {key: counted[key] for key in counted if key[0] < 0} == {(-5, "fail"): (1, 1), (-5, "pass"): (0, 1), (-11, "unknown"): (1, 1)}
    assert counted[9, "waived"] == (1, 1)
