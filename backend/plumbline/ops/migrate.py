"""Upgrades the database to the newest revision (alembic), and sets the passwords of the three roles."""

from collections.abc import Mapping

from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine, text
from sqlalchemy.pool import NullPool

from plumbline.infra.resources import MIGRATIONS


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
