"""Whatever arrives late or twice, the log of changes is the one of the order in which the host sent."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlmodel import text

from faults.samples import samples, sections_of
from plumbline.checkin.batches import CheckInConnection
from plumbline.checkin.pending import PendingCheckIn
from plumbline.checkin.store import Store
from plumbline.infra.database import session_scope
from plumbline.infra.settings import get_settings
from plumbline.packs.publish import install_builtin
from tests.checkin.test_store import checked_in, enrolled, flip

SENT = 8


@pytest.fixture
def connection(fresh_database: str, keys_folder: Path) -> Iterator[CheckInConnection]:
    with session_scope() as session:
        install_builtin(session)
    with CheckInConnection.open(get_settings().database_url.get_secret_value().replace("+psycopg", "")) as opened:
        yield opened


def history(host_id: str) -> list[tuple[object, ...]]:
    """The log of one host's changes, without the moments at which they arrived."""
    with session_scope() as session:
        rows = session.execute(
            text("SELECT seq, subject_kind, subject_id, key, old::text, new::text FROM setting_change WHERE host_id = :h ORDER BY id"),
            {"h": host_id},
        )
        return [tuple(row) for row in rows]


def test_late_and_repeated_check_ins_end_in_the_same_history(connection: CheckInConnection, token: str) -> None:
    store = Store()
    sections = sections_of(samples("windows")[0])
    histories = []
    for seed in range(5):
        chance = random.Random(seed)
        sender = enrolled(token, f"win-{seed}", "windows", dict(sections))
        sent: list[PendingCheckIn] = []
        for number in range(SENT):
            if number % 3 == 1:
                flip(sender)
            newest = checked_in(sender)
            sent.append(newest)
            ((_, response),) = store.store(connection, [newest])
            assert response.status == 200
            # Seed 0 sends in order; the others deliver earlier ones again, once or more, in any order.
            for again in chance.choices(sent, k=chance.randrange(4)) if seed else ():
                ((_, answered),) = store.store(connection, [again])
                assert answered.status in (200, 409)
        histories.append(history(sender.host_id))
    assert len(histories[0]) >= 2
    assert all(each == histories[0] for each in histories)
