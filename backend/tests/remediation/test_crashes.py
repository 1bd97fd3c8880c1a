"""A worker that dies at each named place: the next one goes on, nothing is done twice or lost, and the host's journal is the judge."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlmodel import text

from faults import crashes
from faults.rig import running_rig
from plumbline.collection.collect import collect
from plumbline.infra.database import session_scope
from plumbline.infra.settings import get_settings
from plumbline.ops import embedded_servers
from plumbline.remediation.jobs import reconcile
from plumbline.remediation.jobs.crash_points import POINTS, RECONCILE_POINTS
from plumbline.remediation.states import JOB_FINAL
from plumbline.remediation.timings import job_timings
from tests.remediation.conftest import Stage

BACKEND = Path(__file__).resolve().parents[2]
LEASE_SECONDS = 1.5


class Workers:
    """Workers with the rights of the executor, one at a time, each a process of its own."""

    def __init__(self, url: str) -> None:
        self.fork_server = subprocess.Popen(
            [sys.executable, "-m", "tests.remediation.worker_fork_server"],
            cwd=BACKEND,
            env={**os.environ, "PLUMBLINE_DATABASE_URL": url},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(self, job_id: int, queue: str = "remediation", crash_at: str = "-") -> int:
        """Runs a job in a new worker; answers its exit code, minus nine where it was killed."""
        assert self.fork_server.stdin is not None
        assert self.fork_server.stdout is not None
        self.fork_server.stdin.write(f"{job_id} {queue} {crash_at}\n")
        self.fork_server.stdin.flush()
        answer = self.fork_server.stdout.readline()
        # What Celery prints as a log comes on standard error; a line here is an exit code or a note of ours.
        while answer and not answer.strip().lstrip("-").isdigit():
            answer = self.fork_server.stdout.readline()
        return int(answer)

    def stop(self) -> None:
        assert self.fork_server.stdin is not None
        assert self.fork_server.stdout is not None
        self.fork_server.stdin.close()
        self.fork_server.wait(20)
        self.fork_server.stdout.close()


@pytest.fixture
def workers(
    cluster: embedded_servers.PostgresCluster, fresh_database: str, monkeypatch: pytest.MonkeyPatch, stage: Stage
) -> Iterator[Workers]:
    monkeypatch.setenv("PLUMBLINE_JOB_LEASE_SECONDS", str(LEASE_SECONDS))
    name = fresh_database.partition("@/")[2].partition("?")[0]
    running = Workers(cluster.url("plumbline_executor", name))
    yield running
    running.stop()


def _reset(stage: Stage, host_id: str) -> None:
    host = stage.servers[host_id].machine.host
    for setting, value in {"initiator.login_timeout_seconds": 5, "vmnic2.flow_control": "off"}.items():
        host.set(setting, value, cause="test")
    done = collect(host_id)
    assert done is not None
    assert done.receipt, done.error


def _finish(stage: Stage, workers: Workers, job_id: int) -> None:
    end = time.monotonic() + 180
    while stage.job(job_id).state not in (*JOB_FINAL, "NEEDS_HUMAN"):
        assert time.monotonic() < end, stage.events(job_id)
        reconcile.reconcile_once()
        job = stage.job(job_id)
        assert workers.run(job_id, job.queue) == 0
        time.sleep(0.1)


@pytest.mark.timeout(600)
def test_dead_at_each_place_nothing_is_done_twice_and_nothing_is_lost(
    cluster: embedded_servers.PostgresCluster, fresh_database: str, tmp_path: Path
) -> None:
    before = dict(os.environ)
    name = fresh_database.partition("@/")[2].partition("?")[0]
    try:
        with running_rig(tmp_path, cluster, name, windows=6, groups=0) as rig:
            # The kind of step that reaches every crash point; `make faults PART=jobs` dies in each of the others as well.
            result = crashes.dead_everywhere(rig, len(POINTS), 1, names=("a path under an automatic rollback",))
    finally:
        os.environ.clear()
        os.environ.update(before)
        get_settings.cache_clear()
        job_timings.cache_clear()
    assert result.wrong == []
    assert set(POINTS) - {point for _, point in crashes.cases(rig.fleet[0])} == {"before_end", "after_pings"}
    assert result.faults["death of a worker in a path under an automatic rollback"] == len(POINTS) - 2
    assert result.faults["death of the reconciler"] == len(RECONCILE_POINTS)


def test_dead_before_an_end_is_written_the_same_end_is_found_again(stage: Stage, esxi_host: str, workers: Workers) -> None:
    _reset(stage, esxi_host)
    (job_id,) = stage.approved(stage.planned(stage.failing(esxi_host, rule="dell-esxi55/esxi55.login_timeout")))
    stage.servers[esxi_host].machine.host.set("initiator.login_timeout_seconds", 30, cause="person")
    reconcile.reconcile_once()
    assert workers.run(job_id, crash_at="before_end") == -signal.SIGKILL
    _finish(stage, workers, job_id)
    assert stage.job(job_id).state == "SKIPPED_STALE"
    assert stage.writes(esxi_host) == []


def test_requests_that_never_left_do_not_give_the_step_up(stage: Stage, esxi_host: str, workers: Workers) -> None:
    """Three attempts without effect end a step, but not those of workers that were killed before the host was asked."""
    _reset(stage, esxi_host)
    (job_id,) = stage.approved(stage.planned(stage.failing(esxi_host, rule="dell-esxi55/esxi55.login_timeout")))
    for _ in range(3):
        reconcile.reconcile_once()
        assert workers.run(job_id, stage.job(job_id).queue, crash_at="before_begin") == -signal.SIGKILL
        time.sleep(LEASE_SECONDS + 0.2)
    assert stage.writes(esxi_host) == []
    with session_scope() as session:
        assert session.execute(text("SELECT attempt FROM job_step WHERE job_id = :job"), {"job": job_id}).scalar_one() == 3
    _finish(stage, workers, job_id)
    assert stage.job(job_id).state == "SUCCEEDED", stage.events(job_id)
    assert len(stage.writes(esxi_host)) == 1


def test_a_worker_that_dies_each_time_is_set_apart_and_then_needs_a_person(stage: Stage, esxi_host: str, workers: Workers) -> None:
    _reset(stage, esxi_host)
    (job_id,) = stage.approved(stage.planned(stage.failing(esxi_host, rule="dell-esxi55/esxi55.login_timeout")))
    reconcile.reconcile_once()
    queues = []
    for _ in range(12):
        job = stage.job(job_id)
        if job.state == "NEEDS_HUMAN":
            break
        queues.append(job.queue)
        workers.run(job_id, job.queue, crash_at="after_claim")
        time.sleep(LEASE_SECONDS + 0.2)
    assert stage.job(job_id).state == "NEEDS_HUMAN"
    assert queues.count("isolated") >= 3
    assert stage.writes(esxi_host) == []
    # It keeps the host and its slots until somebody has looked.
    with session_scope() as session:
        assert session.execute(text("SELECT count(*) FROM domain_slot WHERE job_id = :job"), {"job": job_id}).scalar_one() == 3
