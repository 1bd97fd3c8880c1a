"""`/healthz`: whether this process can serve."""

from importlib import metadata
from typing import Annotated, Literal

import redis
from fastapi import APIRouter, Response
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from plumbline.auth.actor import Actor
from plumbline.auth.dependencies import May
from plumbline.infra.database import get_engine
from plumbline.infra.schemas import Schema
from plumbline.infra.settings import get_settings

router = APIRouter()

VERSION = metadata.version("plumbline")
State = Literal["ok", "away"]


class Health(Schema):
    """`status` is `ok` while the database answers. Without Redis, work waits but is not lost."""

    status: State
    database: State
    redis: State
    version: str


@router.get("/healthz")
def read_health(response: Response, _: Annotated[Actor | None, May("health.read")]) -> Health:
    """503 while the database does not answer."""
    database: State = "ok"
    try:
        with get_engine().connect() as connection:
            connection.execute(text("SELECT 1"))
    except (SQLAlchemyError, RuntimeError):
        database = "away"
        response.status_code = 503
    return Health(status=database, database=database, redis=_redis(), version=VERSION)


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
