"""The short form of the faults of jobs: 40 workers killed; pauses, wiped brokers, lost answers, database crashes among them."""

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from faults import kills_and_outages
from faults.rig import running_rig
from plumbline.infra.database import get_engine
from plumbline.infra.settings import get_settings
from plumbline.ops import embedded_servers
from plumbline.ops.migrate import upgrade
from plumbline.remediation.timings import job_timings

KILLS = 40
# On a machine that is busy with other tests the run is cut here; this many kills meet every other fault at least once.
LONGEST_SECONDS = 45


@pytest.fixture
def own_cluster(tmp_path: Path) -> Iterator[embedded_servers.PostgresCluster]:
    """A PostgreSQL of this test alone, durable, because it is crashed; the environment is put back at the end."""
    home = tmp_path / "cluster"
    home.mkdir()
    home.chmod(0o755)
    before = dict(os.environ)
    place = embedded_servers.postgres_cluster(home)
    embedded_servers.prepare_postgres(place)
    postgres = embedded_servers.start_postgres(place, home / "postgres.log")
    try:
        embedded_servers.wait_for_postgres(place)
        passwords = {role: (place.secrets / f"{role}.password").read_text().strip() for role in embedded_servers.ROLES}
        upgrade(place.url(embedded_servers.OWNER, "postgres"), role_passwords=passwords)
        yield place
    finally:
        get_engine.cache_clear()
        postgres.send_signal(signal.SIGINT)
        postgres.wait(60)
        os.environ.clear()
        os.environ.update(before)
        get_settings.cache_clear()
        job_timings.cache_clear()


@pytest.mark.timeout(600)
def test_killed_paused_wiped_and_crashed_no_step_is_done_twice_and_none_is_lost(
    own_cluster: embedded_servers.PostgresCluster, tmp_path: Path
) -> None:
    with running_rig(tmp_path, own_cluster, "postgres", windows=4, esxi=["esx-b10"]) as rig:
        result = kills_and_outages.mixed(rig, kills=KILLS, until=time.monotonic() + LONGEST_SECONDS)
    assert result.wrong == []
    assert kills_and_outages.FEWEST_KILLS <= result.faults[kills_and_outages.KILL] <= KILLS
    assert len(result.faults) == 5
    assert result.states["SUCCEEDED"] > 0
    assert result.stale_refused > 0
    # The ESXi host runs the real runner; the others are the lab's model of theirs.
    assert {host.platform for host in rig.fleet if host.effects()} == {"esxi", "windows"}
