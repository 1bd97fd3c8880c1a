"""Plumbline never takes a last path: on both platforms, by the host's own journal, whatever the plan saw when it was made.

The lab's Windows runner has a gate of its own, as the real one. It is turned off here, so that what holds is the service's.
"""

from collections.abc import Callable
from typing import Any

import pytest

from lab.esxi.ssh import EsxiSsh
from plumbline.collection.collect import collect
from plumbline.infra.database import session_scope
from plumbline.remediation.jobs import step_operation, undo
from plumbline.remediation.plans.schemas import FindingChoice
from plumbline.remediation.timings import job_timings
from tests.remediation.conftest import Stage
from tests.remediation.test_gates import shut
from tests.remediation.test_windows import TRANSMIT

FLOW_CONTROL = "dell-esxi55/esxi55.flow_control"
PLATFORMS = ["windows", "esxi"]


class Fixture:
    """A lab host with both SAN adapters to be changed, and the words for its parts."""

    def __init__(self, stage: Stage, esxi: Callable[..., EsxiSsh], platform: str) -> None:
        self.stage, self.platform = stage, platform
        if platform == "windows":
            self.host_id = stage.add_windows("ex-02", fault__no_path_gate=1)
            self.rule = TRANSMIT
        else:
            server = esxi("esx-b10")
            server.machine.host.set("vmnic*.flow_control", "off", cause="test")
            self.host_id = stage.add_esxi(server)
            self.rule = FLOW_CONTROL
        self.lab = stage.lab_host(self.host_id)
        self.first, self.second = (name for name, _ in self.lab.ports("san"))
        self.volume = self.lab.state["volumes"][0]

    def findings(self) -> list[FindingChoice]:
        return self.stage.failing(self.host_id, rule=self.rule)

    def set(self, name: str, value: Any) -> None:
        self.lab.set(name, value, cause="test")
        if self.platform == "esxi":
            self.stage.servers[self.host_id].machine.refresh()

    def approved(self) -> int:
        (job_id,) = self.stage.approved(self.stage.planned(self.findings()))
        return job_id

    def is_untouched(self) -> bool:
        return self.stage.writes(self.host_id) == []


@pytest.fixture(params=PLATFORMS)
def made(request: pytest.FixtureRequest, stage: Stage, esxi: Callable[..., EsxiSsh]) -> Fixture:
    return Fixture(stage, esxi, request.param)


def test_both_paths_over_the_adapter_that_stops(made: Fixture) -> None:
    """Every volume keeps its two healthy paths, and every target its two sessions: all of them over one adapter."""
    job_id = made.approved()
    made.set(f"session.{made.second}", made.first)
    words = shut(made.stage, job_id)
    assert "over the same adapters as when planned" in words, words
    assert made.is_untouched()
    made.set(f"session.{made.second}", made.second)
    made.stage.drive(job_id)
    assert made.stage.job(job_id).state == "SUCCEEDED", made.stage.events(job_id)


def test_one_volume_behind_another_module_that_shows_nothing(made: Fixture) -> None:
    job_id = made.approved()
    made.set(f"dsm.{made.volume}", "other")
    words = shut(made.stage, job_id)
    assert "can't be counted" in words or "paths" in words, words
    assert made.is_untouched()


def test_standby_paths_are_no_healthy_ones(made: Fixture) -> None:
    job_id = made.approved()
    for volume in made.lab.state["volumes"]:
        made.set(f"path.{made.second}/{volume}", "standby")
    words = shut(made.stage, job_id)
    assert "healthy path" in words, words
    assert made.is_untouched()


def test_the_other_adapter_lost_while_a_step_is_begun(made: Fixture, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other adapter goes down between the first set and the restart: what was set waits, and is not taken back over its last path."""
    # Everything that waits for the 90 s of the automatic rollback does so for a few seconds: what is shown ends before it acts.
    monkeypatch.setenv("PLUMBLINE_JOB_UNCHANGED_SECONDS", "-84")
    monkeypatch.setattr(step_operation, "_DEADMAN_MARGIN_SECONDS", 87.0)
    job_timings.cache_clear()
    job_id = made.approved()
    if made.platform == "windows":
        # The runner is killed after the set: a restart is owed, and it is the next worker's turn.
        made.set("fault.die_after_set", 1)
    made.set("fault.adapter_down_on_set", 1)
    made.stage.drive(job_id)
    assert made.lab.state["ports"][made.second]["link"] == "down"
    restarts = [row for row in made.stage.writes(made.host_id) if row["restart"]]
    assert restarts == []
    # Nothing was set on the second adapter, and no cut of the first was repeated by a taking back.
    settings = [row["setting"] for row in made.stage.writes(made.host_id)]
    assert len(settings) == 1, made.stage.events(job_id)
    job = made.stage.job(job_id)
    assert job.state == "NEEDS_HUMAN", (job.state_words, made.stage.events(job_id))
    reasons = ("would be left with no healthy path", "required before a path can be taken down")
    assert any(reason in job.state_words for reason in reasons), job.state_words


def test_an_undo_asks_the_same(made: Fixture) -> None:
    job_id = made.approved()
    made.stage.drive(job_id)
    assert made.stage.job(job_id).state == "SUCCEEDED", made.stage.events(job_id)
    before = len(made.stage.writes(made.host_id))
    made.set(f"session.{made.second}", made.first)
    with session_scope() as session:
        undone = undo.undo_job(session, actor=made.stage.operator, job_id=job_id).id or 0
    assert "as when planned" in shut(made.stage, undone)
    assert len(made.stage.writes(made.host_id)) == before


def test_a_plan_that_would_take_a_targets_last_path_names_the_target(made: Fixture) -> None:
    findings = made.findings()
    made.set(f"session.{made.second}", made.first)
    if made.platform == "windows":
        made.stage.check_in(made.host_id)
    else:
        assert collect(made.host_id) is not None
    plan = made.stage.plan(made.stage.planned(findings))
    assert "would keep no healthy path" in plan.document
    # The adapter that carries nothing may be changed.
    assert plan.state in ("PLANNED", "NO_CHANGE")
