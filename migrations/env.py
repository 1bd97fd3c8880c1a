"""Runs migrations as the owner: `plumbline migrate` passes the URL; `alembic` alone takes PLUMBLINE_DATABASE_URL."""

import os
import re
from typing import Any

from alembic import context
from sqlalchemy import create_engine, pool

from plumbline.models import METADATA

# Partitions are made by SQL, not by our models.
_NOT_OURS = re.compile(r"(_y\d{4}m\d{2}(d\d{2})?|_default)$")


def include_object(thing: Any, name: str | None, kind: str, reflected: bool, compare_to: Any) -> bool:  # noqa: ARG001
    if kind == "table":
        return not _NOT_OURS.search(name or "")
    return True


def run() -> None:
    url = context.config.attributes.get("url") or os.environ["PLUMBLINE_DATABASE_URL"]
    with create_engine(url, poolclass=pool.NullPool).connect() as connection:
        context.configure(connection=connection, target_metadata=METADATA, include_object=include_object, compare_type=True)
        with context.begin_transaction():
            context.run_migrations()


run()
