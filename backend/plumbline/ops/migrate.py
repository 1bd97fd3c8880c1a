"""Upgrades the database to the newest revision (alembic), and sets the passwords of the three roles. No process serves another revision."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine, text
from sqlalchemy.pool import NullPool

from plumbline.infra.database import session_scope
from plumbline.infra.errors import Conflict
from plumbline.infra.resources import MIGRATIONS

_REVISION = re.compile(r'^(revision|down_revision) = "(\w+)"$', re.MULTILINE)
_ADDITIVE = re.compile(r"^is_additive = True$", re.MULTILINE)


class OtherRevision(Conflict):
    """The database has another shape than this version of the program needs."""

    code = "other_revision"


def alembic_config(url: str) -> Config:
    """Alembic's configuration without a file: script folder, file names with the date first, the owner's URL."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.set_main_option("file_template", "%%(year)d_%%(month).2d_%%(day).2d_%%(slug)s")
    config.attributes["url"] = url
    return config


def upgrade(url: str, *, role_passwords: Mapping[str, str] | None = None) -> None:
    """Upgrades to the newest revision; safe to run twice, and again after a kill in the middle (one transaction)."""
    command.upgrade(alembic_config(url), "head")
    engine = create_engine(url, poolclass=NullPool)
    if role_passwords:
        with engine.begin() as connection:
            for role, password in role_passwords.items():
                # ALTER ROLE takes no bound parameter; format() with %L quotes the literal inside the server.
                statement = connection.execute(
                    text("SELECT format('ALTER ROLE %I PASSWORD %L', CAST(:role AS text), CAST(:password AS text))"),
                    {"role": role, "password": password},
                ).scalar_one()
                connection.execute(text(statement.replace(":", "\\:")))
    engine.dispose()


@dataclass(frozen=True, slots=True)
class Pending:
    """A migration that is still to run. `is_additive`: processes of the version before may go on while it runs and after it."""

    revision: str
    title: str
    is_additive: bool


def pending(present: str | None) -> list[Pending]:
    """The migrations after the present revision, in their order; all of them for an empty database. Reads the files and runs none: every
    process asks at its start. Raises `OtherRevision` where a newer version of the program made the database.
    """
    found: dict[str | None, Pending] = {}
    for file in MIGRATIONS.glob("versions/*.py"):
        text_of_file = file.read_text()
        names = dict(_REVISION.findall(text_of_file))
        title = text_of_file.removeprefix('"""').partition("\n")[0].removesuffix('"""')
        found[names.get("down_revision")] = Pending(names["revision"], title, bool(_ADDITIVE.search(text_of_file)))
    if present is not None and present not in {each.revision for each in found.values()}:
        raise _made_by_a_newer(present)
    steps = []
    while (step := found.get(present)) is not None:
        steps.append(step)
        present = step.revision
    return steps


def revisions() -> list[str]:
    """All revisions of this program, the newest last."""
    return [step.revision for step in pending(None)]


def present_revision() -> str | None:
    """The revision of the database; None where it holds no tables of Plumbline."""
    with session_scope() as session:
        # `to_regclass` answers NULL for a table that is not there.
        is_made = session.execute(text("SELECT to_regclass('public.alembic_version') IS NOT NULL")).scalar_one()
        return session.execute(text("SELECT version_num FROM alembic_version")).scalar_one_or_none() if is_made else None


def _made_by_a_newer(present: str) -> OtherRevision:
    return OtherRevision(
        f"the database is at revision {present}, which a newer version of Plumbline made; this one needs {revisions()[-1]}:"
        " start the newer version, or restore the backup that was made before the upgrade"
    )


def require_present_revision() -> None:
    """Raises `OtherRevision` unless the database is at the revision of this program, with what to run.

    A process that starts on another one would fail in the middle of its work, or write what the other version can't read.
    """
    present, needed = present_revision(), revisions()[-1]
    if not pending(present):
        return
    migrate = "stop all processes of Plumbline, run `plumbline migrate` with the owner's PLUMBLINE_DATABASE_URL, and start them again"
    if present is None:
        raise OtherRevision(f"the database holds no tables of Plumbline yet; this version needs revision {needed}: {migrate}")
    raise OtherRevision(f"the database is at revision {present}; this version needs revision {needed}: back up, {migrate}")
