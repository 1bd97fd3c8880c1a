"""The fault runs in their short form; `python -m faults agents` runs them in full."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from faults.agents import ServedDoor, bombs_and_drips, killed_in_the_middle, malformed_bodies, served_door
from faults.samples import samples, sections_of
from plumbline.database import session_scope
from plumbline.findings.rollups import compare_rollups
from plumbline.rulesets.active import install_builtin


@pytest.fixture
def door(fresh_database: str, keys_folder: Path, token: str) -> Iterator[ServedDoor]:
    with served_door() as served:
        yield served


def test_malformed_bodies_never_cost_a_5xx_or_a_valid_one(door: ServedDoor, token: str) -> None:
    with session_scope() as session:
        install_builtin(session)
    small = {name: body for name, body in sections_of(samples("windows")[0]).items() if name in ("system", "offload", "tcp", "iscsi")}
    outcome = malformed_bodies(door, token, small, bodies=5000)
    assert outcome.notes == []
    assert outcome.valid_taken == outcome.valid_sent == 500
    assert set(outcome.statuses) <= {200, 400, 401, 409, 413, 422}
    assert outcome.statuses[401] > 1000
    assert outcome.statuses[422] > 1000
    assert outcome.restarts == 0
    assert outcome.memory_growth_bytes < 50_000_000
    with session_scope() as session:
        assert compare_rollups(session) == {}


def test_bombs_and_drips_are_cut_and_nobody_waits(door: ServedDoor, token: str) -> None:
    outcome = bombs_and_drips(door, token, drips=30)
    assert outcome.valid_taken == outcome.valid_sent
    assert set(outcome.statuses) <= {413, 422}
    assert "30 of 30 drips were cut" in outcome.notes[-1]
    assert outcome.memory_growth_bytes < 100_000_000


def test_no_receipt_without_its_stored_body(door: ServedDoor, token: str, fresh_database: str) -> None:
    outcome = killed_in_the_middle(door, token, fresh_database, kills=10, check_ins=480, hosts=8)
    assert outcome.notes == []
    assert outcome.valid_taken == outcome.valid_sent
    assert outcome.restarts >= 3
