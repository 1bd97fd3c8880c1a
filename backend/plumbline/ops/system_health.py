"""The state of the installation, part by part, for admins: what works, what waits, and what needs somebody."""

import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from importlib import metadata
from typing import Any, Literal

import redis
import structlog
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session

from plumbline.core.freshness import SILENT_AFTER_INTERVALS
from plumbline.core.texts import ago, counted
from plumbline.infra.clock import utc_now
from plumbline.infra.parts import FULL_SHARE, parts_down
from plumbline.infra.settings import get_settings
from plumbline.models.hosts import REPORTS
from plumbline.ops.supervisor import restarts
from plumbline.remediation.jobs import invariants

log = structlog.get_logger()

Level = Literal["ok", "warning", "failed", "unknown"]
RANK: dict[str, int] = {"failed": 0, "warning": 1, "unknown": 2, "ok": 3}
# A worker is asked for a task every second, or takes its heartbeat task; without one for this long it is not there.
WORKER_SECONDS = 120
BACKUP_WARNING_DAYS = 7
NEARLY_FULL_SHARE = 0.8
# Work that has waited for this long is late: everything is looked for every few seconds.
LATE_SECONDS = 300


@dataclass(frozen=True, slots=True)
class Part:
    """One part of the installation. `words` is one sentence; `facts` are figures with their names, in order."""

    name: str
    level: Level
    words: str
    facts: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class SystemHealth:
    """Every part, the worst first, and the versions of agents."""

    at: datetime
    version: str
    parts: list[Part]
    agents: list[dict[str, Any]] = field(default_factory=list)

    @property
    def level(self) -> Level:
        """That of the worst part."""
        return self.parts[0].level if self.parts else "unknown"


def read_system_health(session: Session) -> SystemHealth:
    """Reads every part; one that cannot be read is unknown, and the others are shown all the same."""
    parts = [_guarded(session, name, read) for name, read in _PARTS]
    parts.sort(key=lambda part: RANK[part.level])
    return SystemHealth(utc_now(), metadata.version("plumbline"), parts, _agents(session))


def _guarded(session: Session, name: str, read: Callable[[Session, str], Part]) -> Part:
    try:
        with session.begin_nested():
            return read(session, name)
    except (SQLAlchemyError, OSError, ValueError, redis.RedisError) as error:
        log.warning("part of the installation could not be read", part=name, error=str(error)[:300])
        return Part(name, "unknown", f"It could not be read: {type(error).__name__}.")


def _database(session: Session, name: str) -> Part:
    row = session.execute(
        text(
            "SELECT current_setting('server_version') AS version, pg_database_size(current_database()) AS size,"
            " current_setting('max_connections')::int AS most, (SELECT count(*) FROM pg_stat_activity) AS used,"
            " (SELECT version_num FROM alembic_version LIMIT 1) AS revision,"
            " (SELECT coalesce(max(extract(epoch FROM clock_timestamp() - xact_start)), 0) FROM pg_stat_activity"
            "  WHERE datname = current_database() AND state <> 'idle' AND pid <> pg_backend_pid()) AS longest"
        )
    ).one()
    facts = (
        ("Version", f"PostgreSQL {row.version.split()[0]}"),
        ("Size", _size(row.size)),
        ("Connections", f"{row.used} of {row.most}"),
        ("Schema revision", row.revision),
        ("Longest transaction", f"{row.longest:.0f} s"),
    )
    if row.used >= 0.9 * row.most:
        words = f"{row.used} of {row.most} connections are used: raise max_connections, or run fewer processes."
        return Part(name, "warning", words, facts)
    return Part(name, "ok", "It answers and takes writes.", facts)


def _broker(_: Session, name: str) -> Part:
    address = get_settings().redis_url.replace("redis+socket://", "unix://")
    if not address:
        return Part(name, "failed", "No broker is set: set PLUMBLINE_REDIS_URL. Screens work; reports and collection wait.")
    client = redis.Redis.from_url(address, socket_timeout=1, socket_connect_timeout=1)
    try:
        begun = time.monotonic()
        client.ping()
        took_ms = (time.monotonic() - begun) * 1000
        info: dict[str, Any] = client.info()
        waiting = {queue: int(client.llen(queue)) for queue in ("background", "collection", "remediation", "isolated")}
    except redis.RedisError:
        return Part(name, "failed", "It does not answer. Screens work; reports and collection wait until it is back. No work is lost.")
    finally:
        client.close()
    facts = (
        ("Version", str(info.get("valkey_version") or info.get("redis_version", "?"))),
        ("Memory", _size(int(info.get("used_memory", 0)))),
        ("Answer", f"{took_ms:.1f} ms"),
        *((f"Messages in {queue}", str(count)) for queue, count in waiting.items()),
    )
    return Part(name, "ok", "It answers.", facts)


def _workers(session: Session, name: str) -> Part:
    rows = session.execute(
        text("SELECT worker, queue, extract(epoch FROM clock_timestamp() - heard_at) AS age FROM worker_heartbeat ORDER BY queue, worker")
    ).all()
    facts = tuple((f"{row.worker}, {row.queue}", ago(row.age)) for row in rows if row.age < 86400)
    deaf = list(invariants.queues_without_worker(session))
    down = parts_down(get_settings().home / "run")
    if down:
        words = f"Not running: {', '.join(down)}. `plumbline up` starts them again; look into its log if it does not."
        return Part(name, "failed", words, facts)
    if deaf:
        words = f"Work waits and no worker takes it: {deaf[0]}. Start a worker of that kind."
        return Part(name, "failed", words, facts)
    recent = {row.worker for row in rows if row.age < WORKER_SECONDS}
    if not recent:
        # A worker is noted when it takes a job, so an idle one is no sign of trouble.
        return Part(name, "ok", "No job waits, and none was run in the last 2 minutes.", facts)
    return Part(name, "ok", f"Jobs were taken in the last 2 minutes by {counted(len(recent), 'worker')}.", facts)


# What waits, and since when: each finds its own rows, whatever became of the messages.
_WAITING: tuple[tuple[str, str], ...] = (
    ("Reports", "SELECT count(*), min(requested_at) FROM report WHERE state = 'queued'"),
    ("Evidence bundles", "SELECT count(*), min(requested_at) FROM evidence_bundle WHERE state = 'queued'"),
    ("Previews", "SELECT count(*), min(requested_at) FROM preview_run WHERE state IN ('queued', 'running')"),
    ("Notifications", "SELECT count(*), min(due_at) FROM notice_delivery WHERE state = 'waiting' AND due_at <= now()"),
    ("Audit entries to chain", "SELECT count(*), min(at) FROM audit_entry WHERE number IS NULL"),
    ("Hosts to re-evaluate", "SELECT count(*), NULL::timestamptz FROM host h, installation i WHERE h.state = 'active'"
     " AND h.configuration_id IS NOT NULL AND h.rules_epoch < i.rules_epoch"),
    ("Jobs to claim", "SELECT count(*), min(queued_at) FROM job WHERE state = 'QUEUED'"),
)  # fmt: skip


def _queue(session: Session, name: str) -> Part:
    facts, late = [], []
    for label, statement in _WAITING:
        try:
            with session.begin_nested():
                count, oldest = session.execute(text(statement)).one()
        except SQLAlchemyError:
            facts.append((label, "could not be read"))
            continue
        age = (utc_now() - oldest).total_seconds() if oldest is not None else 0.0
        facts.append((label, f"{count}{f', oldest {age:.0f} s' if count and oldest is not None else ''}"))
        if count and age > LATE_SECONDS and label != "Jobs to claim":
            late.append(label.lower())
    if late:
        words = f"Waiting for more than {LATE_SECONDS // 60} min: {', '.join(late)}. Is a background worker running?"
        return Part(name, "warning", words, tuple(facts))
    return Part(name, "ok", "Nothing waits longer than it should.", tuple(facts))


def _disk(_: Session, name: str) -> Part:
    home = get_settings().home
    usage = shutil.disk_usage(home)
    share = 1 - usage.free / usage.total if usage.total else 0.0
    facts = (("Folder", str(home)), ("Free", _size(usage.free)), ("Used", f"{100 * share:.0f}%"))
    if share >= NEARLY_FULL_SHARE:
        level: Level = "failed" if share >= FULL_SHARE else "warning"
        return Part(name, level, f"The disk is {100 * share:.0f}% full: make room, or shorten how long data is kept.", facts)
    return Part(name, "ok", f"{_size(usage.free)} are free.", facts)


_HOSTS = f"""
SELECT count(*) FILTER (WHERE state = 'active') AS active, count(*) FILTER (WHERE state = 'waiting') AS waiting,
  count(*) FILTER (WHERE state = 'quarantined') AS quarantined, count(*) FILTER (WHERE alarm <> '') AS alarms,
  count(*) FILTER (WHERE state = 'active' AND {REPORTS} AND (last_seen_at IS NULL
    OR last_seen_at < clock_timestamp() - make_interval(secs => :intervals * interval_seconds))) AS silent,
  max(last_seen_at) FILTER (WHERE {REPORTS}) AS newest FROM host
"""  # noqa: S608 (a constant)


def _hosts(session: Session, name: str) -> Part:
    row = session.execute(text(_HOSTS), {"intervals": SILENT_AFTER_INTERVALS}).one()
    facts = (
        ("Active", str(row.active)),
        ("Not reporting", str(row.silent)),
        ("Waiting for approval", str(row.waiting)),
        ("Quarantined", str(row.quarantined)),
        ("With an alarm", str(row.alarms)),
        ("Newest check-in", ago((utc_now() - row.newest).total_seconds()) if row.newest else "none"),
    )
    if row.active and row.silent == row.active:
        return Part(name, "failed", "No host reports: is this server reachable from the hosts?", facts)
    if row.silent or row.alarms:
        return Part(name, "warning", f"{row.silent} of {row.active} hosts don't report, {row.alarms} have an alarm.", facts)
    return Part(name, "ok", f"{row.active} hosts report.", facts)


def _backup(session: Session, name: str) -> Part:
    row = session.execute(
        text("SELECT at, after FROM audit_entry WHERE action = 'installation.backed_up' ORDER BY id DESC LIMIT 1")
    ).one_or_none()
    if row is None:
        return Part(name, "warning", "No backup was made with `plumbline backup`. Make one, and keep the folder of keys apart from it.")
    age = utc_now() - row.at
    facts = (("Last backup", f"{row.at:%Y-%m-%d %H:%M} UTC"), ("File", str((row.after or {}).get("file", "?"))))
    if age > timedelta(days=BACKUP_WARNING_DAYS):
        return Part(name, "warning", f"The last backup is {age.days} days old.", facts)
    words = "less than an hour" if age < timedelta(hours=1) else f"{age.total_seconds() // 3600:.0f} h"
    return Part(name, "ok", f"The last backup is {words} old.", facts)


def _restarts(_: Session, name: str) -> Part:
    since = (utc_now() - timedelta(hours=24)).strftime("%Y-%m-%dT%H:%M:%SZ")
    recent = [each for each in restarts(get_settings().home / "run") if each.at >= since]
    facts = tuple((each.part, f"{each.at}: {each.how}") for each in recent[-10:])
    if recent:
        words = f"Parts of `plumbline up` ended by themselves {len(recent)} times in 24 h and were started again."
        return Part(name, "warning", words, facts)
    return Part(name, "ok", "No part ended by itself in the last 24 h.")


_PARTS: tuple[tuple[str, Callable[[Session, str], Part]], ...] = (
    ("Database", _database),
    ("Broker", _broker),
    ("Workers", _workers),
    ("Work queue", _queue),
    ("Disk", _disk),
    ("Hosts", _hosts),
    ("Backup", _backup),
    ("Processes", _restarts),
)


def _agents(session: Session) -> list[dict[str, Any]]:
    rows = session.execute(
        text(
            "SELECT platform, source, agent_version AS version, count(*) AS hosts FROM host WHERE state IN ('active', 'quarantined')"
            " GROUP BY 1, 2, 3 ORDER BY 1, 2, 3 DESC"
        )
    )
    return [dict(row._mapping) for row in rows]


def _size(count: int) -> str:
    for unit in ("B", "KB", "MB", "GB"):
        if count < 1024:
            return f"{count:.0f} {unit}"
        count = count // 1024
    return f"{count} TB"


def lines_of(health: SystemHealth) -> Iterator[str]:
    """As text, for the support file."""
    yield f"Plumbline {health.version}, {health.at:%Y-%m-%d %H:%M:%S} UTC: {health.level}"
    for part in health.parts:
        yield f"{part.level.upper():<8} {part.name}: {part.words}"
        yield from (f"           {label}: {value}" for label, value in part.facts)
