"""`/healthz`: whether this process can serve, and whether the rest of the installation works."""

import threading
import time
from importlib import metadata
from typing import Annotated, Literal

import redis
from fastapi import APIRouter, Response
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from plumbline.audit.chain import UNCHAINED_ALARM_SECONDS
from plumbline.auth.actor import Actor
from plumbline.auth.dependencies import May
from plumbline.infra.database import get_engine, session_scope
from plumbline.infra.parts import parts_down
from plumbline.infra.schemas import Schema
from plumbline.infra.settings import get_settings
from plumbline.remediation.jobs import invariants

router = APIRouter()

VERSION = metadata.version("plumbline")
State = Literal["ok", "away"]
# How long an answer about workers is good for. Any client may ask, and an answer takes two queries.
_WORKERS_SECONDS = 5.0
_UNCHAINED = "SELECT count(*) FROM audit_entry WHERE number IS NULL AND at < clock_timestamp() - make_interval(secs => :s)"


class Health(Schema):
    """`status`: `away` where the database does not answer or takes no writes, `degraded` where Redis, a worker or another part is down,
    else `ok`. Without Redis, work waits but is not lost. `workers` is `away` where work waits that no worker takes, or a part of
    `plumbline up` is down; `down` names such parts."""

    status: Literal["ok", "degraded", "away"]
    database: State
    redis: State
    workers: State
    down: list[str]
    version: str


@router.get("/healthz", responses={503: {"model": Health, "description": "The database does not answer", "x-is-no-problem": True}})
def read_health(response: Response, _: Annotated[Actor | None, May("health.read")]) -> Health:
    """503 while the database does not answer or takes no writes. 200 with `degraded` while another part is down: this process serves."""
    database: State = "ok"
    down: list[str] = parts_down(get_settings().home / "run")
    waiting: list[str] = []
    try:
        with get_engine().connect() as connection:
            # A standby answers, and takes no check-in.
            is_read_only = connection.execute(text("SHOW transaction_read_only")).scalar_one() == "on"
        if is_read_only:
            database, response.status_code = "away", 503
        waiting = _WAITING.read()
    except (SQLAlchemyError, RuntimeError):
        database = "away"
        response.status_code = 503
    broker = _redis()
    workers: State = "away" if down or waiting else "ok"
    status: Literal["ok", "degraded", "away"] = "away" if database == "away" else "ok" if broker == workers == "ok" else "degraded"
    return Health(status=status, database=database, redis=broker, workers=workers, down=sorted({*down, *waiting}), version=VERSION)


class _Waiting:
    """Kinds of workers that do not take the work that waits for them, read at most every few seconds."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._read_at = -_WORKERS_SECONDS
        self._kinds: list[str] = []

    def read(self) -> list[str]:
        """The kinds; by the last answer where that is fresh."""
        with self._lock:
            if time.monotonic() - self._read_at >= _WORKERS_SECONDS:
                with session_scope() as session:
                    late = session.execute(text(_UNCHAINED), {"s": UNCHAINED_ALARM_SECONDS}).scalar_one()
                    self._kinds = (["background"] if late else []) + (
                        ["executor"] if any(invariants.queues_without_worker(session)) else []
                    )
                self._read_at = time.monotonic()
            return self._kinds


_WAITING = _Waiting()


def _redis() -> State:
    address = get_settings().redis_url.replace("redis+socket://", "unix://")
    if not address:
        return "away"
    try:
        client = redis.Redis.from_url(address, socket_timeout=1, socket_connect_timeout=1)
        try:
            client.ping()
        finally:
            client.close()
    except (redis.RedisError, ValueError, OSError):
        return "away"
    return "ok"
