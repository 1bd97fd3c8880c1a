"""The engine in threads of this process, for parts in which no process has to die: a reconciler, and as many executors as are requested."""

import contextlib
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor

from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import text

from plumbline.infra.database import session_scope
from plumbline.remediation.jobs import reconcile
from plumbline.remediation.jobs.run import run

# Jobs that a worker would be rung for now, with the queue that each is in.
DUE = """
SELECT id, queue FROM job WHERE state = 'QUEUED'
  OR (state IN ('RUNNING', 'VERIFYING') AND coalesce(lease_until <= clock_timestamp(), true)
      AND coalesce(next_try_at <= clock_timestamp(), true))
ORDER BY id
"""


@contextlib.contextmanager
def at_work(threads: int) -> Iterator[None]:
    """Whatever is due is carried on as long as the block lasts, by `threads` at once; jobs in hand are ended first."""
    over = threading.Event()
    busy: dict[int, Future[None]] = {}

    def serve() -> None:
        with ThreadPoolExecutor(threads, thread_name_prefix="executor") as pool:
            while not over.wait(0.1):
                with contextlib.suppress(SQLAlchemyError):
                    reconcile.reconcile_once()
                    with session_scope() as session:
                        due = session.execute(text(DUE)).all()
                    for job_id, queue in due:
                        if job_id not in busy or busy[job_id].done():
                            busy[job_id] = pool.submit(run, job_id, worker="faults", queue=queue)

    thread = threading.Thread(target=serve, name="sweep")
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join(120)
