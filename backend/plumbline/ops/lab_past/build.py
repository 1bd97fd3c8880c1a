"""Writes the lab's past: `python -m plumbline.ops.lab_past.build HOME DAYS`, with the environment of `plumbline up` and the owner's URL."""

import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import structlog

from plumbline.audit.tasks import chain
from plumbline.checkin.tasks import make_partitions
from plumbline.drift.tasks import compare
from plumbline.evaluation.tasks import fold_rollups, reevaluate_lagging, reevaluate_peers
from plumbline.fleet.tasks import note_day
from plumbline.hosts.tasks import fold_counts
from plumbline.infra.database import get_engine, session_scope
from plumbline.infra.settings import get_settings
from plumbline.ops import demo
from plumbline.ops.lab_past.hosts import PastFleet
from plumbline.ops.lab_past.server import serving
from plumbline.ops.lab_past.simulated_time import SimulatedTime
from plumbline.ops.lab_past.story import BEFORE, STORY, Change
from plumbline.packs import publish
from plumbline.waivers.tasks import expire_waivers

demo.add_lab_to_path()
from lab import uptime  # noqa: E402

log = structlog.get_logger()

# Hosts are asked to check in this often, so that charts join readings that are up to three times as far apart.
_INTERVAL_SECONDS = 900
# Once a day at first, and more often towards now: counters need less than three hours between two readings.
_CADENCE = ((timedelta(days=7), timedelta(days=1)), (timedelta(days=2), timedelta(hours=2.5)), (timedelta(0), timedelta(minutes=44)))
_WITH_COUNTERS = timedelta(days=7)
# What the Performance page shows in hours (`performance.hours`).
_IN_HOURS = timedelta(hours=47)


def write(home: Path, days: int) -> None:
    """Seeds the demo `days` ago and lets it live until now."""
    end = datetime.now(UTC)
    start = end - timedelta(days=days)
    began = time.monotonic()
    with SimulatedTime(get_settings().database_url.get_secret_value(), start) as clock, serving(start) as server:
        with session_scope() as session:
            publish.install_builtin(session)
            demo.seed(session, home, interval_seconds=_INTERVAL_SECONDS)
            demo.seed_remediation(session, home)
        make_partitions()
        url = server.wait()

        def move_to(instant: datetime) -> None:
            uptime.move_ahead(max(0.0, (instant - clock.now()).total_seconds()))
            clock.move_to(instant)
            server.move_to(instant)

        move_to(clock.now())
        fleet = PastFleet(home, url, lambda minutes: move_to(clock.now() + timedelta(minutes=minutes)))
        fleet.enrol()
        for name, settings in BEFORE.items():
            fleet.change([name], settings, "as it was set up")
        # What later events build on has happened, also where it did so before a shorter past begins.
        for earlier in STORY:
            if earlier.days_ago >= days and isinstance(earlier.act, Change):
                fleet.change(earlier.act.names, earlier.act.settings, earlier.act.what)
        fleet.check_in()
        _settle()
        _say(f"first check-ins after {time.monotonic() - began:.1f} s")
        events = [(_at(end, each.days_ago, each.hour), each) for each in STORY if each.days_ago < days]
        for at in _rounds(start, end):
            while events and events[0][0] <= at:
                when, event = events.pop(0)
                move_to(when)
                event.act(fleet)
                _settle()
                _say(f"{when:%Y-%m-%d %H:%M}, {time.monotonic() - began:.1f} s")
            move_to(at)
            fleet.has_counters = end - at <= _WITH_COUNTERS
            fleet.check_in()
            if at.day != (at - timedelta(hours=3)).day or end - at > _WITH_COUNTERS:
                make_partitions()
                _settle()
            if end - at <= _IN_HOURS and at.hour // 6 != (at - _CADENCE[-1][1]).hour // 6:
                server.start_charts()
        _settle()
        server.finish_charts()
        ours = get_settings()
        fleet.leave(ours.public_url, ours.ca_pin)
        fleet.close()
        get_engine().dispose()
    _say(f"past written in {time.monotonic() - began:.1f} s")


def _say(line: str) -> None:
    """One line for the log file of this process."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _rounds(start: datetime, end: datetime) -> Iterator[datetime]:
    at = start
    for until, every in _CADENCE:
        while (at := at + every) < end - until:
            yield at
    yield end


def _at(end: datetime, days_ago: int, hour: float) -> datetime:
    if days_ago == 0:
        return end + timedelta(hours=hour)
    midnight = end.replace(hour=0, minute=0, second=0, microsecond=0)
    return midnight - timedelta(days=days_ago) + timedelta(hours=hour)


def _settle() -> None:
    """What the scheduler does all the time."""
    for task in (fold_rollups, fold_counts, reevaluate_lagging, reevaluate_peers, compare, expire_waivers, note_day, chain):
        task()


if __name__ == "__main__":
    write(Path(sys.argv[1]), int(sys.argv[2]))
