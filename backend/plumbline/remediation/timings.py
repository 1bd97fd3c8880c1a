"""How long jobs wait for what. Tests and fault runs shorten the defaults through the environment."""

import os
from functools import cache

from pydantic_settings import BaseSettings, SettingsConfigDict

from plumbline.infra.settings import read_retired_settings


class JobTimings(BaseSettings):
    """Times from `PLUMBLINE_JOB_…`, each with its unit in the name."""

    model_config = SettingsConfigDict(env_prefix="PLUMBLINE_JOB_", extra="ignore")

    # How long a claim holds unless it is renewed; it is renewed three times as often.
    lease_seconds: float = 15.0
    # Between two reads of a step that the host is executing, or of sessions that are coming back.
    poll_seconds: float = 1.0
    # The longest pause between two attempts to reach a host in the middle of a step.
    back_off_seconds: float = 15.0
    # A step whose outcome stays unknown for this long needs a person.
    unknown_seconds: float = 300.0
    # A runner whose receipt stays the same for this long after its automatic rollback should have acted needs a person.
    unchanged_seconds: float = 180.0
    # How long a host may take to become as healthy as before, where no dead-man sets the time.
    settle_seconds: float = 120.0
    # A job that could not begin tries again after this.
    retry_seconds: float = 300.0
    # Verifying: the shortest deadline (or two check-in intervals), and how long until the host's agent is started once more.
    verify_seconds: float = 900.0
    verify_again_seconds: float = 60.0
    # How often the reconciler runs, and how soon it enqueues the same job again.
    reconcile_seconds: float = 1.5
    enqueue_again_seconds: float = 2.0
    # How long a job can be undone, and by when a break-glass run has to be reviewed.
    undo_hours: float = 24.0
    review_hours: float = 7.0


@cache
def job_timings() -> JobTimings:
    """The times of this process."""
    read_retired_settings(os.environ)
    return JobTimings()
