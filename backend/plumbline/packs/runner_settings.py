"""The settings that a step may change, as this version's `runner-settings.yaml` lists them."""

from functools import cache

from plumbline.core.planning.runner_settings import RunnerSettings, parse
from plumbline.infra.resources import SCHEMA


@cache
def runner_settings() -> RunnerSettings:
    """The list, read once."""
    return parse((SCHEMA / "runner-settings.yaml").read_text("utf-8"))
