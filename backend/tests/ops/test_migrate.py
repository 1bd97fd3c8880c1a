"""A process starts on a database of its own revision only, and says what to run otherwise."""

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest
from alembic.script import ScriptDirectory
from sqlmodel import text

from plumbline.infra.database import session_scope
from plumbline.ops import embedded_servers
from plumbline.ops.migrate import OtherRevision, alembic_config, require_present_revision, revisions
from tests.conftest import own_database, pointed_at


@pytest.fixture
def database_name(cluster: embedded_servers.PostgresCluster) -> Iterator[str]:
    with own_database(cluster) as name:
        yield name


def at_revision(cluster: embedded_servers.PostgresCluster, name: str, statement: str) -> None:
    with pointed_at(cluster, name, role=embedded_servers.OWNER), session_scope() as session:
        session.execute(text(statement))


OLDER = "UPDATE alembic_version SET version_num = '0034'"
NEWER = "UPDATE alembic_version SET version_num = '9999'"
EMPTY = "DROP TABLE alembic_version"
HALF = "DELETE FROM alembic_version"


def test_the_newest_revision_is_alembics() -> None:
    scripts = ScriptDirectory.from_config(alembic_config(""))
    assert revisions() == (scripts.get_current_head(), {script.revision for script in scripts.walk_revisions()})


@pytest.mark.parametrize("role", ["plumbline_api", "plumbline_executor", "plumbline_background"])
def test_every_role_may_ask_and_the_present_one_is_served(cluster: embedded_servers.PostgresCluster, database_name: str, role: str) -> None:
    with pointed_at(cluster, database_name, role=role):
        require_present_revision()


@pytest.mark.parametrize(
    ("statement", "says"),
    [(OLDER, "at revision 0034; .*back up, .*`plumbline migrate`"), (NEWER, "9999, which a newer version .*start the newer version"),
     (EMPTY, "no tables of Plumbline yet.*`plumbline migrate`"), (HALF, "no tables of Plumbline yet.*`plumbline migrate`")],
)  # fmt: skip
def test_another_revision_is_refused_with_what_to_run(
    cluster: embedded_servers.PostgresCluster, database_name: str, statement: str, says: str
) -> None:
    at_revision(cluster, database_name, statement)
    with pointed_at(cluster, database_name), pytest.raises(OtherRevision, match=says):
        require_present_revision()


@pytest.mark.parametrize(
    ("arguments", "role"),
    [(["api", "--port", "0"], "plumbline_api"), (["worker", "executor"], "plumbline_executor"),
     (["worker", "isolated"], "plumbline_executor"),
     (["worker", "background"], "plumbline_background"), (["beat"], "plumbline_background")],
)  # fmt: skip
def test_no_process_starts_on_another_revision(
    cluster: embedded_servers.PostgresCluster, database_name: str, arguments: list[str], role: str
) -> None:
    at_revision(cluster, database_name, OLDER)
    environment = os.environ | {"PLUMBLINE_DATABASE_URL": cluster.url(role, database_name)}
    ended = subprocess.run(
        [sys.executable, "-m", "plumbline.cli", *arguments], env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert ended.returncode == 1
    assert ended.stderr.startswith("plumbline: the database is at revision 0034; this version needs revision ")
    assert "Traceback" not in ended.stderr
