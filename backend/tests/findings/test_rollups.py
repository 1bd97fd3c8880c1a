"""Rollups by deltas equal the raw counts after any sequence of writes (no database: the arithmetic alone)."""

from datetime import UTC, datetime

from hypothesis import given, settings
from hypothesis import strategies as st

from plumbline.findings.rollups import Deltas, HostFigures, count_findings, count_host
from plumbline.findings.store import FindingRow, HostVerdict, Identity, StoredFinding, Writes, _marks, compare, set_verdict

NOW = datetime(2026, 11, 21, tzinfo=UTC)

identities = st.tuples(st.integers(1, 4), st.just("adapter"), st.sampled_from("abc"))
outcomes = st.sampled_from(["pass", "fail", "unknown", "not_applicable"])
verdicts = st.dictionaries(
    identities, st.tuples(outcomes, st.sampled_from([None, 7]), st.sampled_from(["", "grace"]), st.sampled_from("xy"))
)


def rows(verdict: dict[Identity, tuple[str, int | None, str, str]]) -> list[FindingRow]:
    return [
        FindingRow(*identity, outcome, "recommended", words, "", "", None, words, 1, waiver if outcome == "fail" else None, excluded)
        for identity, (outcome, waiver, excluded, words) in verdict.items()
    ]


def raw(hosts: dict[str, dict[Identity, StoredFinding]], figures: dict[str, HostFigures]) -> list[tuple[object, ...]]:
    deltas = Deltas()
    for host, findings in hosts.items():
        count_findings(deltas, figures[host].group_id, _marks(findings, {1, 2, 3, 4}), 1)
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
    steps: list[tuple[str, dict[Identity, tuple[str, int | None, str, str]], int | None, bool, frozenset[int], int]],
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
            new=rows(verdict),
            is_unread=lambda _, is_unread=is_unread: "failed" if is_unread else "",
            known_rules=known,
        )
        after = HostFigures(figures[host].group_id, True, score, batch / 50, batch % 3)
        set_verdict(writes, host_id=host, old=figures[host], new=after, verdict=HostVerdict(score=score), judging_epoch=1)
        figures[host] = after
        for group, rule, bucket, hosts, subjects, amount in writes.deltas.rows():
            total.add((group, rule, bucket), hosts, subjects, int(amount))
    assert total.rows() == raw(stored, figures)


def judged(outcome: str, expected_hash: str = "x") -> list[FindingRow]:
    return [FindingRow(1, "adapter", "a", outcome, "recommended", "", "", "", None, expected_hash, 1)]


def step(
    old: dict[Identity, StoredFinding], new: list[FindingRow], day: int, unread: str = "", known: frozenset[int] = frozenset({1})
) -> tuple[dict[Identity, StoredFinding], Writes]:
    writes = Writes()
    now = NOW.replace(day=day)
    stands = compare(writes, host_id="h", group_id=1, now=now, old=old, new=new, is_unread=lambda _: unread, known_rules=known)
    return stands, writes


KEY: Identity = (1, "adapter", "a")


def test_failing_since_stays_unless_another_thing_is_asked() -> None:
    stands, _ = step({}, judged("fail"), 1)
    stands, writes = step(stands, judged("fail"), 2)
    assert (stands[KEY].failing_since, writes.upserts, writes.log) == (NOW.replace(day=1), [], [])
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
