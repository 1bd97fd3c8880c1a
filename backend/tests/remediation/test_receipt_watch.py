"""Every wait for a host has an end: a runner that stays busy, or reports started and never goes on, needs a person, in words."""

from collections.abc import Iterator

import pytest

from plumbline.remediation.access.runner_client import RunnerAnswer
from plumbline.remediation.jobs.receipt_watch import ReceiptWatch
from plumbline.remediation.timings import JobTimings, job_timings
from tests.remediation.conftest import Stage
from tests.remediation.test_windows import TRANSMIT


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("PLUMBLINE_JOB_UNCHANGED_SECONDS", "-88.5")
    job_timings.cache_clear()
    yield
    job_timings.cache_clear()


def busy(**more: object) -> RunnerAnswer:
    return RunnerAnswer(state="started", reason="busy", **more)  # type: ignore[arg-type]


def test_a_receipt_may_stay_the_same_for_the_rollbacks_time_and_three_minutes(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("plumbline.remediation.jobs.receipt_watch.time.monotonic", lambda: now[0])
    assert JobTimings().unchanged_seconds == 180
    watch = ReceiptWatch(90)
    assert not watch.is_stuck(busy(wrote=("a",)))
    now[0] = 269.0
    assert not watch.is_stuck(busy(wrote=("a",)))
    # A set that was made is progress; that the runner lets go of the mutex in between is none.
    assert not watch.is_stuck(busy(wrote=("a", "b")))
    now[0] = 500.0
    assert not watch.is_stuck(RunnerAnswer(state="started", wrote=("a", "b")))
    now[0] = 540.0
    assert watch.is_stuck(busy(wrote=("a", "b")))
    assert not watch.is_stuck(busy(wrote=("a", "b"), restart="begun"))


def test_a_runner_that_hangs_ends_with_a_person_and_the_host_stays_locked(stage: Stage, short: None) -> None:
    host_id = stage.add_windows("ex-02")
    (job_id,) = stage.approved(stage.planned(stage.failing(host_id, rule=TRANSMIT)))
    stage.lab_host(host_id).set("fault.hang_on_set_seconds", 60, cause="test")
    stage.drive(job_id)
    job = stage.job(job_id)
    assert job.state == "NEEDS_HUMAN", stage.events(job_id)
    assert "host is at work on it, and nothing of it has changed for" in job.state_words
    assert stage.writes(host_id) == []
