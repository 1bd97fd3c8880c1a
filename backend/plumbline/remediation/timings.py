"""How long the engine waits for what. Tests and fault runs shorten the defaults by the environment."""

from functools import cache

from pydantic_settings import BaseSettings, SettingsConfigDict


class Pace(BaseSettings):
    """Times in seconds, from `PLUMBLINE_PACE_…`."""

    model_config = SettingsConfigDict(env_prefix="PLUMBLINE_PACE_", extra="ignore")

    # How long a claim holds unless it is renewed; it is renewed three times as often.
    lease: float = 15.0
    # Between two looks at a step that the host works on, or at sessions that come back.
    poll: float = 1.0
    # The longest pause between two tries to reach a host in the middle of a step.
    back_off: float = 15.0
    # A step whose outcome nobody could learn for this long needs a person.
    unknown: float = 300.0
    # How long a host may take to be as healthy as before, where no dead-man sets the time.
    settle: float = 120.0
    # A job that could not begin tries again after this.
    retry: float = 300.0
    # Verifying: the shortest deadline (or two check-in intervals), and how long until the host's agent is started once more.
    verify: float = 900.0
    verify_again: float = 60.0
    # How often the relay and reconciler look, and how soon they ring again for the same job.
    sweep: float = 1.5
    ring_again: float = 2.0
    # Undo in one tap, and the review of a broken glass.
    undo_hours: float = 24.0
    review_hours: float = 7.0


@cache
def pace() -> Pace:
    """The times of this process."""
    return Pace()
