"""Re-evaluating writes what differs and nothing else, though most texts are never read."""

import pytest
from sqlmodel import Session, text

from plumbline.evaluation.reevaluate import reevaluate_hosts
from plumbline.packs.publish import install_builtin
from tests.api.world import SAMPLES, add_host

Place = tuple[str, int, str, str]


@pytest.fixture
def host(session: Session) -> str:
    install_builtin(session)
    return add_host(session, "sql-01", group_id=1, sample=SAMPLES / "windows" / "x520-2012r2-default.checkin")


def rows(session: Session) -> dict[Place, tuple[str, str]]:
    """The place of each finding in the table, which any write changes, and its reason."""
    found = session.execute(text("SELECT host_id, rule_no, subject_kind, subject_id, ctid::text, reason FROM finding"))
    return {(host, rule, kind, subject): (at, reason) for host, rule, kind, subject, at, reason in found}


@pytest.mark.parametrize("in_full", [False, True])
def test_what_did_not_change_is_not_written(session: Session, host: str, in_full: bool) -> None:
    before = rows(session)
    assert len(before) > 50
    assert reevaluate_hosts(session, [host], in_full=in_full) == 1
    assert rows(session) == before


def test_a_finding_of_which_only_the_text_differs_is_written_again_if_texts_may_differ(session: Session, host: str) -> None:
    before = rows(session)
    place = next(iter(sorted(before)))
    session.execute(text("UPDATE finding SET reason = 'damaged' WHERE (host_id, rule_no, subject_kind, subject_id) = (:h, :r, :k, :s)"),
                    dict(zip("hrks", place, strict=True)))  # fmt: skip
    reevaluate_hosts(session, [host])
    assert rows(session)[place][1] == "damaged"
    reevaluate_hosts(session, [host], in_full=True)
    after = rows(session)
    assert after[place][1] == before[place][1]
    assert [each for each in after if after[each] != before[each]] == [place]


def test_a_finding_that_moved_is_written_without_having_been_read(session: Session, host: str) -> None:
    before = rows(session)
    session.execute(text("UPDATE finding SET outcome = 'unknown' WHERE host_id = :h AND outcome = 'fail'"), {"h": host})
    moved = {place for place, row in rows(session).items() if row != before[place]}
    assert moved
    reevaluate_hosts(session, [host])
    after = rows(session)
    assert {place: reason for place, (_, reason) in after.items()} == {place: reason for place, (_, reason) in before.items()}
    assert {place for place, row in after.items() if row != before[place]} == moved
    assert session.execute(text("SELECT count(*) FROM finding_log WHERE new = 'fail' AND old = 'unknown'")).scalar_one() == len(moved)
