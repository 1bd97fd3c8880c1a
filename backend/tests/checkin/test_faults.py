"""The fault runs in their short form; `python -m faults agents` runs them in full."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from faults.agents import bombs_and_drips, killed_in_the_middle, malformed_bodies
from faults.checkin_process import ServedApi, served_api
from faults.flood import flooded
from faults.replay import replayed
from faults.samples import samples, sections_of
from plumbline.evaluation.rollups import compare_rollups
from plumbline.infra.database import session_scope
from plumbline.packs.publish import install_builtin


@pytest.fixture
def api(fresh_database: str, keys_folder: Path, token: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[ServedApi]:
    # What comes from this address is to reach the work behind the limit of bad signatures.
    monkeypatch.setenv("PLUMBLINE_BAD_SIGNATURES_BURST", "100000")
    with served_api() as served:
        yield served


def test_malformed_bodies_never_cost_a_5xx_or_a_valid_one(api: ServedApi, token: str) -> None:
    with session_scope() as session:
        install_builtin(session)
    small = {name: body for name, body in sections_of(samples("windows")[0]).items() if name in ("system", "offload", "tcp", "iscsi")}
    outcome = malformed_bodies(api, token, small, bodies=3000)
    assert outcome.notes == []
    assert outcome.valid_taken == outcome.valid_sent == 300
    assert set(outcome.statuses) <= {200, 400, 401, 409, 413, 422}
    assert outcome.statuses[401] > 800
    assert outcome.statuses[422] > 800
    assert outcome.restarts == 0
    assert outcome.memory_growth_bytes < 50_000_000
    with session_scope() as session:
        assert compare_rollups(session) == {}


def test_bombs_and_drips_are_cut_and_nobody_waits(api: ServedApi, token: str) -> None:
    outcome = bombs_and_drips(api, token, drips=30, rounds=1)
    assert outcome.notes == []
    assert outcome.valid_taken == outcome.valid_sent > 10
    # Twelve bombs; a stranger's is refused for its signature or its announced length, an enrolled host's for what it is.
    assert outcome.statuses == {401: 4, 413: 6, 422: 2}
    assert outcome.figures["cut_drips"] == 30
    assert outcome.figures["slowest_drip_s"] <= 15
    assert outcome.memory_growth_bytes < 100_000_000


def test_what_was_sent_before_or_altered_changes_nothing(api: ServedApi, token: str, fresh_database: str) -> None:
    outcome = replayed(api, token, fresh_database, check_ins=240, hosts=4)
    assert outcome.notes == []
    assert outcome.valid_taken == outcome.valid_sent == 240
    # Of each host's sixty the last 32 are remembered.
    assert outcome.statuses == {200: 4 * 32, 409: 4 * 28}
    assert sum(outcome.altered.values()) == 240


def test_a_flood_of_bad_credentials_costs_no_queries(api: ServedApi, token: str, fresh_database: str) -> None:
    outcome = flooded(api, token, fresh_database, seconds=4, per_second=500)
    assert set(outcome.statuses) == {401}
    assert outcome.figures["queries_per_100"] <= 1
    assert outcome.valid_taken == outcome.valid_sent > 0


def test_a_flood_takes_nothing_from_valid_check_ins(fresh_database: str, keys_folder: Path, token: str) -> None:
    """With the limits as they ship, and the valid ones from the same address."""
    with served_api() as api:
        outcome = flooded(api, token, fresh_database, seconds=4, per_second=1000)
    assert set(outcome.statuses) == {401, 429}
    assert outcome.valid_taken == outcome.valid_sent > 0


def test_no_receipt_without_its_stored_body(api: ServedApi, token: str, fresh_database: str) -> None:
    outcome = killed_in_the_middle(api, token, fresh_database, kills=6, check_ins=240, hosts=8)
    assert outcome.notes == []
    assert outcome.valid_taken == outcome.valid_sent
    assert outcome.restarts == 6
