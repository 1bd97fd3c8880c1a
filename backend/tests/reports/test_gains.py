"""What a report says of measured gains is what the job's page says, with everything that is no gain counted beside it."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from plumbline.infra.database import session_scope
from plumbline.reports.formats import to_csv
from plumbline.reports.frozen.gains import gains_words
from tests.api.conftest import Ask
from tests.api.test_proofs import proof_of, runs_of
from tests.api.world import World, add_host
from tests.proofs.readings import add_finished_job, add_readings
from tests.reports.conftest import csv_rows, frozen_now


@pytest.fixture(scope="module")
def jobs(world: World) -> dict[str, int]:
    """A job that helped beside four steady hosts, one on a host that sent nothing, and one that ended just now."""
    now = datetime.now(UTC)
    started, finished = now - timedelta(minutes=70), now - timedelta(minutes=65)
    begun = started - timedelta(minutes=70)
    found = {}
    with session_scope() as session:
        for name in ("gn-0", "gn-1", "gn-2", "gn-3", "gn-treated", "gn-mute", "gn-new"):
            world.hosts[name] = add_host(session, name, group_id=world.groups["prod_b"], cluster="GN")
        for number in range(4):
            host = world.hosts[f"gn-{number}"]
            add_readings(session, host, begun, minutes=5, steps=14, percent=0.40, load=1e8)
            add_readings(session, host, started, minutes=5, steps=14, percent=0.40 + 0.01 * (number % 2), load=1e8)
        add_readings(session, world.hosts["gn-treated"], begun, minutes=5, steps=14, percent=0.38, load=1e8)
        add_readings(session, world.hosts["gn-treated"], started, minutes=5, steps=14, percent=0.01, load=1e8)
        for name in ("gn-treated", "gn-mute"):
            found[name] = add_finished_job(session, world, name, started, finished)
        found["gn-new"] = add_finished_job(session, world, "gn-new", now - timedelta(minutes=5), now)
    return found


def test_the_figures_are_those_of_the_jobs_page(ask: Ask, world: World, jobs: dict[str, int]) -> None:
    gains = frozen_now("remediation")["gains"]
    page = ask("viewer", "GET", f"/jobs/{jobs['gn-treated']}/effect").json()["windows"][0]
    shown = {each["label"]: each for each in page["counters"] if each["answer"] in ("better", "worse", "no_effect")}
    rows = {row["counter"]: row for row in gains["rows"]}
    assert set(rows) == set(shown)
    for label, counter in shown.items():
        for figure in ("before", "after", "controls_before", "controls_after"):
            assert rows[label][figure] == pytest.approx(counter[figure])
        assert rows[label][counter["answer"]] == 1
    retransmits = rows["TCP retransmits"]
    assert (retransmits["change_words"], retransmits["better"]) == ("0.38% to 0.01%", 1)
    # The host that sent nothing and the job that ended just now are counted, not left out.
    assert (retransmits["jobs"], retransmits["cannot_tell"], gains["jobs"]) == (3, 2, 3)


def test_proofs_of_the_period_are_listed_whatever_their_result(ask: Ask, world: World, jobs: dict[str, int]) -> None:
    host = world.hosts["gn-treated"]
    better = proof_of(ask, host, runs_of(ask, host, 10_000, 10_010, 9_990), runs_of(ask, host, 13_000, 13_010, 12_990))
    nothing = proof_of(ask, host, runs_of(ask, host, 10_000, 10_010, 9_990), runs_of(ask, host, 10_100, 10_110, 10_090))
    assert (better.status_code, nothing.status_code) == (201, 201), better.text
    data = frozen_now("executive")
    listed = {proof["id"]: proof["outcome_words"] for proof in data["gains"]["proofs"]}
    assert (listed[better.json()["id"]], listed[nothing.json()["id"]]) == ("Better", "No significant effect")
    words = " ".join(data["gains"]["words"])
    assert "2 comparisons of benchmark runs: 1 no significant effect, 1 better." in words
    tables = csv_rows(to_csv(data))
    assert {int(row["id"]) for row in tables["proofs"]} == set(listed)
    assert [row["what"] for row in tables["gains"]] == [row["what"] for row in data["gains"]["rows"]]
    assert frozen_now("executive", group_id=world.groups["lab"])["gains"]["proofs"] == []


def _row(**counts: int) -> dict[str, Any]:
    return {"better": 0, "worse": 0, "no_effect": 0, "cannot_tell": 0, **counts}


def test_sentences_never_leave_out_what_is_no_gain() -> None:
    assert "nothing was measured" in gains_words(0, 0, [], [])[0]
    assert gains_words(9, 9, [_row(better=5, worse=1, no_effect=2, cannot_tell=1)], []) == [
        "Counters of 9 jobs, before and after beside untreated hosts: 5 better, 1 worse, 2 unchanged; 1 unknown."
    ]
    assert gains_words(1, 1, [_row(cannot_tell=1)], [])[0].startswith("Counters cannot tell what 1 job did")
    assert gains_words(120, 40, [_row(better=1)], [])[0].startswith("Counters of the newest 40 of 120 jobs, before")
