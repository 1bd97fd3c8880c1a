"""A host's clock that is minutes off becomes a finding, through the real door, and goes when the clock comes back."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlmodel import text

from faults.samples import samples, sections_of
from faults.sending import Sender, enrol, sender_of
from plumbline.checkin.clock_skew import compare_clocks
from plumbline.evaluation.rollups import compare_rollups
from plumbline.infra.database import session_scope
from plumbline.packs.publish import install_builtin
from tests.checkin.conftest import Served


@pytest.fixture
def sender(served: Served, token: str) -> Sender:
    with session_scope() as session:
        install_builtin(session)
    answer = enrol(served.client, token, "windows-0", "windows")
    return sender_of(answer, "windows", sections=sections_of(samples("windows")[0]))


def check_in(served: Served, sender: Sender, ahead: timedelta = timedelta()) -> None:
    sent_at = (datetime.now(UTC) + ahead).strftime("%Y-%m-%dT%H:%M:%SZ")
    answer = sender.send(served.client, Plumbline_Sent_At=sent_at)
    assert answer.status_code == 200, answer.text


def sweep() -> int:
    with session_scope() as session:
        found = compare_clocks(session)
    with session_scope() as session:
        assert compare_rollups(session) == {}
    return found


def finding() -> tuple[str, str]:
    with session_scope() as session:
        row = session.execute(
            text("SELECT f.outcome, f.reason FROM finding f JOIN rule_number n ON n.no = f.rule_no WHERE n.rule = 'core.clock'")
        ).one()
        return str(row[0]), str(row[1])


def test_a_clock_goes_out_of_step_and_comes_back(served: Served, sender: Sender) -> None:
    check_in(served, sender)
    assert finding()[0] == "unknown"
    assert sweep() == 1
    assert finding()[0] == "pass"
    assert sweep() == 0, "nothing turned"
    # A heartbeat with another time: it judges nothing, the sweep does.
    check_in(served, sender, timedelta(minutes=11))
    assert finding()[0] == "pass"
    assert sweep() == 1
    assert finding() == ("fail", "Clock is off by more than 5 minutes; expected in sync")
    # Nearly back is not back; behind is as far off as ahead.
    check_in(served, sender, timedelta(seconds=-280))
    assert sweep() == 0
    check_in(served, sender, timedelta(seconds=2))
    assert sweep() == 1
    assert finding()[0] == "pass"


def test_a_changed_check_in_keeps_what_was_seen_of_the_clock(served: Served, sender: Sender) -> None:
    check_in(served, sender, timedelta(minutes=-11))
    assert sweep() == 1
    assert finding()[0] == "fail"
    sender.sections["offload"] = sender.sections["offload"].replace(b'"ReceiveSideScaling":"Enabled"', b'"ReceiveSideScaling":"Disabled"')
    check_in(served, sender, timedelta(minutes=-11))
    assert finding()[0] == "fail"
    assert sweep() == 0


def test_a_host_that_is_read_from_elsewhere_shows_no_clock(served: Served, sender: Sender) -> None:
    check_in(served, sender, timedelta(hours=1))
    with session_scope() as session:
        session.execute(text("UPDATE host SET source = 'collector'"))
    assert sweep() == 1
    assert finding()[0] == "not_applicable"
    assert sweep() == 0
