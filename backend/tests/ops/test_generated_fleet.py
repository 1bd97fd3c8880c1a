"""`plumbline lab generate`: an installation with a fleet of any size and a past, whose figures are as exact as those of a real one."""

import io
import json
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine
from sqlalchemy.pool import NullPool
from sqlmodel import Session, text

from plumbline.infra.errors import BadInput
from plumbline.ops import embedded_servers, up
from plumbline.ops.doctor import PROMISES, examine

HOSTS, DAYS = 120, 20
# No agent sent anything, so nothing that was sent is stored; and no broker runs here.
APART = {"receipts", "broker"}


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    """An empty home; the folders of its database, which are elsewhere for root, are removed."""
    tmp_path.chmod(0o755)
    folder = tmp_path / "fleet"
    yield folder
    cluster = embedded_servers.postgres_cluster(folder)
    shutil.rmtree(cluster.socket, ignore_errors=True)
    shutil.rmtree(cluster.data.parent, ignore_errors=True)


def test_a_fleet_of_one_host_without_a_past_is_a_fleet_too(home: Path) -> None:
    assert up.generate(up.UpOptions(home=home, out=io.StringIO()), hosts=1, days=0) == 1


def test_a_fleet_with_a_past_is_made_once_and_its_promises_hold(home: Path) -> None:
    options = up.UpOptions(home=home, out=io.StringIO())
    assert up.generate(options, hosts=HOSTS, days=DAYS) == HOSTS
    logins = json.loads((home / "demo-logins.json").read_text())
    assert {login["role"] for login in logins} == {"viewer", "operator", "approver", "admin"}
    with pytest.raises(BadInput, match="in use already"):
        up.generate(options, hosts=HOSTS, days=DAYS)
    cluster = embedded_servers.postgres_cluster(home)
    process = embedded_servers.start_postgres(cluster, home / "postgres.log")
    engine = create_engine(cluster.url("plumbline_background"), poolclass=NullPool)
    try:
        embedded_servers.wait_for_postgres(cluster)
        with Session(engine) as session:
            _check(session)
        with Session(engine) as session:
            broken = {check.name: found for check, found in examine(session) if check.name in PROMISES - APART and found}
        assert broken == {}
    finally:
        # "Fast" shutdown: it does not wait for open connections.
        process.send_signal(signal.SIGINT)
        process.wait(60)


def _check(session: Session) -> None:
    hosts, scored, groups, is_demo = session.execute(
        text("SELECT count(*), count(score), count(DISTINCT group_id), (SELECT is_demo FROM installation) FROM host")
    ).one()
    assert (hosts, scored, is_demo) == (HOSTS, HOSTS, False)
    assert groups > 1
    oldest, changes = session.execute(text("SELECT now() - min(received_at), count(*) FROM setting_change")).one()
    assert changes > 0
    assert oldest.days <= DAYS
    assert session.execute(text("SELECT count(*) FROM waiver WHERE state = 'active'")).scalar_one() > 0
    assert session.execute(text("SELECT count(DISTINCT day) FROM fleet_day")).scalar_one() == DAYS
    # Its trend leads to what it is today.
    today, mean = session.execute(
        text("SELECT score_mean, (SELECT avg(score) FROM host) FROM fleet_day WHERE group_id = 1 ORDER BY day DESC LIMIT 1")
    ).one()
    assert today == pytest.approx(float(mean), abs=1.0)
