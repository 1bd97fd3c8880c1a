"""The Celery application: early acknowledgement, no results, no retries, no time limits. A message wakes a worker; the row is the work.

Queues: the executor serves `collection` and `remediation`, the isolated worker serves `isolated` with one thread, the background worker
serves `background`. Every task takes an id, opens a session scope and calls one function. A task is safe to run twice, because Redis may
deliver a message twice or lose it.
"""

import importlib
import os
import signal
import threading
import time
from typing import Any

import psycopg
import structlog
from celery import Celery, Task
from celery.signals import task_failure, worker_ready
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError

from plumbline.audit import chain
from plumbline.infra.database import direct_url, link_options
from plumbline.infra.errors import BadInput, Unavailable
from plumbline.infra.settings import get_settings
from plumbline.remediation.jobs.reconcile import reconcile_forever
from plumbline.vault import seal

log = structlog.get_logger()

QUEUES = {"executor": "remediation,collection", "isolated": "isolated", "background": "background"}
THREADS = {"executor": 16, "isolated": 1, "background": 4}
RETIRED_KINDS = {"hands": "executor", "alone": "isolated", "desk": "background"}
# Any number that no other advisory lock uses. With the lock a second scheduler waits until the first has ended.
BEAT_LOCK = 7_302_651

# name of the schedule -> (task, seconds between runs)
SCHEDULE: dict[str, tuple[str, float]] = {
    "seal the audit log": ("audit.chain", 1.0),
    "fold rollups": ("evaluation.fold_rollups", 5.0),
    "fold counts of hosts": ("hosts.fold_counts", 5.0),
    "re-evaluate what lags": ("evaluation.reevaluate", 5.0),
    "re-evaluate after changes of peers": ("evaluation.reevaluate_peers", 5.0),
    "mark silent peers": ("evaluation.mark_silent", 60.0),
    "compare with baselines": ("drift.compare_baselines", 5.0),
    "expire waivers": ("waivers.expire", 60.0),
    "remind of what ends": ("waivers.remind", 600.0),
    "store today's figures": ("fleet.store_day", 60.0),
    "prepare pages of large groups": ("fleet.prepare_pages", 20.0),
    "make queued evidence bundles": ("evidence.make_queued", 10.0),
    "make queued reports": ("reports.make_queued", 10.0),
    "make scheduled reports": ("reports.make_scheduled", 30.0),
    "mail reports": ("reports.mail", 30.0),
    "go on with previews": ("previews.advance_open", 10.0),
    "end grace periods": ("packs.end_grace", 15.0),
    "fold counters": ("performance.fold", 600.0),
    "fold hours of counters": ("performance.fold_hours", 60.0),
    "collect due hosts": ("collection.collect_due", 15.0),
    "go on with watches": ("watches.continue_open", 10.0),
    "purge watches": ("watches.purge", 86400.0),
    "record gaps between check-ins": ("checkin.record_gaps", 15.0),
    "compare clocks": ("checkin.compare_clocks", 60.0),
    "read again what was requested": ("checkin.reread_requested", 60.0),
    "make partitions": ("checkin.make_partitions", 3600.0),
    "purge": ("checkin.purge", 86400.0),
    "purge pings": ("remediation.purge", 86400.0),
    "purge kept answers and ended sessions": ("auth.purge", 86400.0),
    "notify of acts": ("notify.take_acts", 5.0),
    "notify of changes": ("notify.take_changes", 60.0),
    "notify of problems": ("notify.scan", 30.0),
    "send notices": ("notify.deliver", 10.0),
    "call heartbeats": ("notify.heartbeat", 60.0),
    "purge notices": ("notify.purge", 86400.0),
}


class DatabaseTask(Task):  # type: ignore[misc]
    """A task that may find the database away. Celery then prints no stack trace, of which a failover would bring one a second; the line
    below names the task."""

    throws = (OperationalError, InterfaceError)


@task_failure.connect  # type: ignore[untyped-decorator]
def _note_failure(sender: Task, exception: BaseException, **_: Any) -> None:
    if isinstance(exception, DBAPIError) and isinstance(exception, DatabaseTask.throws):
        log.warning("task ended without the database; its row is found again", task=sender.name, error=str(exception.orig)[:300])


def create_celery() -> Celery:
    """The application, configured from the settings; importing this module starts nothing."""
    settings = get_settings()
    celery = Celery("plumbline", broker=settings.redis_url or "memory://", task_cls=DatabaseTask)
    celery.conf.update(
        task_acks_late=False,
        task_ignore_result=True,
        task_store_errors_even_if_ignored=False,
        worker_prefetch_multiplier=1,
        task_serializer="json",
        accept_content=["json"],
        task_default_queue="background",
        task_routes={
            "collection.collect": {"queue": "collection"},
            "collection.check_now": {"queue": "collection"},
            "collection.fetch_host_key": {"queue": "collection"},
            "collection.check_credential": {"queue": "collection"},
            "collection.fetch_vcenter_certificate": {"queue": "collection"},
            "collection.read_vcenter": {"queue": "collection"},
            "watches.start": {"queue": "collection"},
            "watches.watch_job": {"queue": "collection"},
            "remediation.build": {"queue": "background"},
            "remediation.purge": {"queue": "background"},
            "remediation.*": {"queue": "remediation"},
        },
        broker_transport_options={
            "visibility_timeout": 12 * 3600,
            "socket_timeout": 10,
            "socket_connect_timeout": 5,
            "health_check_interval": 10,
            "socket_keepalive": True,
        },
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,
        worker_consumer="plumbline.ops.celery_consumer:PromptConsumer",
        worker_hijack_root_logger=False,
        worker_cancel_long_running_tasks_on_connection_loss=False,
        beat_scheduler="plumbline.ops.beat_scheduler:SteadyScheduler",
        beat_max_loop_interval=1,
        beat_schedule={name: {"task": task, "schedule": seconds} for name, (task, seconds) in SCHEDULE.items()},
        timezone="UTC",
    )
    return celery


celery = create_celery()


# Every module that declares tasks; importing one registers them.
TASK_MODULES = (
    "plumbline.audit.tasks",
    "plumbline.auth.tasks",
    "plumbline.drift.tasks",
    "plumbline.collection.tasks",
    "plumbline.checkin.tasks",
    "plumbline.evaluation.tasks",
    "plumbline.fleet.tasks",
    "plumbline.hosts.tasks",
    "plumbline.waivers.tasks",
    "plumbline.notify.tasks",
    "plumbline.packs.tasks",
    "plumbline.previews.tasks",
    "plumbline.performance.tasks",
    "plumbline.remediation.access.tasks",
    "plumbline.remediation.jobs.tasks",
    "plumbline.remediation.plans.tasks",
    "plumbline.evidence.tasks",
    "plumbline.reports.tasks",
    "plumbline.watches.tasks",
)


def load_tasks() -> None:
    """Registers every task with the application."""
    celery.set_default()
    for module in TASK_MODULES:
        importlib.import_module(module)


def kind_of(name: str) -> str:
    """The kind of worker that a name means; the names before the kinds were renamed are understood for one release. Raises `BadInput`."""
    kind = RETIRED_KINDS.get(name, name)
    if kind != name:
        log.warning("retired name of a worker kind", given=name, use=kind)
    if kind not in QUEUES:
        raise BadInput(f"no kind of worker called {name!r}: choose one of {', '.join(QUEUES)}")
    return kind


def run_worker(name: str, concurrency: int = 0) -> None:
    """Runs one worker of a kind until it is stopped."""
    kind = kind_of(name)
    load_tasks()
    # Whoever opens makes the pair. The isolated worker opens what was sealed for executors: a pair of its own would open nothing.
    if kind == "executor":
        seal.ensure_keys(get_settings().keys, seal.VAULT)
    elif kind == "background":
        seal.ensure_keys(get_settings().keys, seal.NOTICES)
        chain.signing_key()
    celery.worker_main(
        [
            "worker",
            "--loglevel=warning",
            "--pool=threads",
            f"--concurrency={concurrency or THREADS[kind]}",
            f"--queues={QUEUES[kind]}",
            f"--hostname={kind}@%h",
            "--without-gossip",
            "--without-mingle",
        ]
    )


@worker_ready.connect  # type: ignore[untyped-decorator]
def _note_ready(**_: Any) -> None:
    log.warning("worker ready")


def run_beat() -> None:
    """Runs the scheduler once this process has the advisory lock; ends (and is started again) when the lock's connection is lost."""
    url = get_settings().database_url.get_secret_value()
    # Without a time limit on a silent link, `_hold` would wait for a vanished server, and this scheduler would go on without its lock.
    options: dict[str, Any] = link_options(url)
    try:
        connection = psycopg.connect(direct_url(url), autocommit=True, application_name=f"plumbline beat {os.getpid()}", **options)
        while not connection.execute("SELECT pg_try_advisory_lock(%s)", (BEAT_LOCK,)).fetchone()[0]:  # type: ignore[index]
            time.sleep(1)
    except psycopg.OperationalError as error:
        raise Unavailable(f"the scheduler lost the database while on standby, and ends to be started again: {error}") from None
    load_tasks()
    threading.Thread(target=_hold, args=(connection,), daemon=True).start()
    # The reconciler of jobs must work without a broker, so it is a thread of the scheduler and not a task.
    threading.Thread(target=reconcile_forever, name="reconcile", daemon=True).start()
    celery.Beat(loglevel="WARNING", quiet=True, working_directory=None).run()


def _hold(connection: psycopg.Connection[Any]) -> None:
    """Checks every second whether the lock's connection works: without it another scheduler may run, so this one must end."""
    while True:
        time.sleep(1)
        try:
            connection.execute("SELECT 1")
        except psycopg.Error:
            log.error("the scheduler lost its lock and ends")
            os.kill(os.getpid(), signal.SIGTERM)
            return
