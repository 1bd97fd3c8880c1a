"""A process starts on a database of its own revision only, and says what to run otherwise."""

import ast
import os
import re
import runpy
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from alembic.script import ScriptDirectory
from sqlmodel import text

from plumbline.infra.database import session_scope
from plumbline.infra.resources import MIGRATIONS
from plumbline.ops import embedded_servers
from plumbline.ops.migrate import OtherRevision, alembic_config, pending, require_present_revision, revisions
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
    assert revisions() == [script.revision for script in reversed(list(scripts.walk_revisions()))]
    assert revisions()[-1] == scripts.get_current_head()


def test_what_is_pending_are_all_later_migrations_in_order() -> None:
    ordered = revisions()
    assert [step.revision for step in pending("0050")] == ordered[ordered.index("0050") + 1 :]
    assert pending(ordered[-1]) == []
    with pytest.raises(OtherRevision, match="9999, which a newer version"):
        pending("9999")
    assert all(step.title and not step.title.startswith('"') for step in pending(None))


@pytest.mark.parametrize(
    ("present", "says"), [("0034", "Stop all processes of the version before"), ("0050", "can keep running: install node by node")]
)
def test_a_check_says_whether_processes_may_go_on_and_changes_nothing(
    cluster: embedded_servers.PostgresCluster, database_name: str, present: str, says: str
) -> None:
    at_revision(cluster, database_name, f"UPDATE alembic_version SET version_num = '{present}'")
    environment = os.environ | {"PLUMBLINE_DATABASE_URL": cluster.url(embedded_servers.OWNER, database_name)}
    words = [sys.executable, "-m", "plumbline.cli", "migrate", "--check"]
    said = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=60, check=True).stdout
    assert says in said.splitlines()[-1]
    assert ("(stop all processes first)" in said) == (present == "0034")
    with pointed_at(cluster, database_name), session_scope() as session:
        assert session.execute(text("SELECT version_num FROM alembic_version")).scalar_one() == present


# What a migration may do beside running processes of the version before: add what they do not know, and take away nothing.
ADDS = {"create_table", "create_index", "add_column", "execute"}
STATEMENTS = (
    "GRANT",
    "REVOKE ALL ON",
    "CREATE INDEX",
    "CREATE VIEW",
    "CREATE FUNCTION",
    "CREATE TRIGGER",
    "ALTER FUNCTION",
    "INSERT INTO",
    "WITH",
)
# What a statement writes, or a function whenever a table of before changes.
WRITTEN = re.compile(r"\b(?:INSERT INTO|UPDATE(?! OF | SET )|DELETE FROM)\s+(\w+)")


@pytest.mark.parametrize("file", sorted(file for file in MIGRATIONS.glob("versions/*.py") if "is_additive = True" in file.read_text()))
def test_a_migration_that_says_it_only_adds_does_so(file: Path) -> None:
    (upgrade,) = (node for node in ast.parse(file.read_text()).body if isinstance(node, ast.FunctionDef) and node.name == "upgrade")
    called = [
        node
        for node in ast.walk(upgrade)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and ast.unparse(node.func.value) == "op"
    ]
    assert called
    constants = runpy.run_path(str(file))
    made = {ast.literal_eval(each.args[0]) for each in called if ast.unparse(each.func) == "op.create_table"}
    for each in called:
        name = ast.unparse(each.func).removeprefix("op.")
        assert name in ADDS, ast.unparse(each)
        if name == "add_column":
            # A row that the version before inserts leaves it out.
            column = ast.unparse(each.args[1])
            assert "server_default" in column or "nullable=True" in column, column
        if name == "execute":
            check_only_adds(eval(ast.unparse(each.args[0]), constants), made)


def check_only_adds(statement: str, made: set[str]) -> None:
    """Whether a statement adds only. `made` are the tables of this migration."""
    words = " ".join(statement.split())
    assert words.startswith(STATEMENTS), words
    # What a function looks at, not what it does.
    assert not words.startswith("ALTER FUNCTION") or re.fullmatch(r"ALTER FUNCTION [\w, ()]+ SET search_path = public, pg_temp", words), (
        words
    )
    # A trigger may add to the work of the version before, and not change or refuse it.
    assert not words.startswith("CREATE TRIGGER") or " AFTER " in words, words
    assert not (written := set(WRITTEN.findall(words)) - made) or words.startswith(("GRANT", "INSERT INTO", "CREATE TRIGGER")), written
    # Rights are taken from what is new alone.
    if words.startswith("REVOKE"):
        assert {table.strip() for table in words.removeprefix("REVOKE ALL ON ").partition(" FROM")[0].split(",")} <= made, words


@pytest.mark.parametrize(
    "statement",
    [
        "DROP INDEX ix_host_cluster",
        "UPDATE host SET name = ''",
        "CREATE TRIGGER t BEFORE INSERT ON host FOR EACH ROW EXECUTE FUNCTION f()",
        "CREATE FUNCTION f() RETURNS trigger AS $$ BEGIN UPDATE host SET name = ''; RETURN NULL; END $$",
        "ALTER FUNCTION make_partitions(text, text, int) OWNER TO plumbline_api",
        "WITH gone AS (DELETE FROM host RETURNING id) SELECT 1",
        "REVOKE ALL ON host FROM plumbline_background",
    ],
)
def test_what_takes_away_or_changes_is_noticed(statement: str) -> None:
    with pytest.raises(AssertionError):
        check_only_adds(statement, {"new"})


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
