"""What PostgreSQL lets each role do with each table is what `models/worker_rights.py` says, and nothing decides through a back door."""

import re
from collections.abc import Iterator

import pytest
from sqlalchemy.exc import ProgrammingError
from sqlmodel import Session, text

from plumbline.models import METADATA
from plumbline.models.worker_rights import API_MAY_NOT, WORKER_RIGHTS
from tests.api.world import add_host
from tests.conftest import pointed_at

RIGHTS = ("read", "insert", "update", "delete")
_SQL = {"read": "SELECT", "insert": "INSERT", "update": "UPDATE", "delete": "DELETE"}
_TABLES = """
SELECT c.relname FROM pg_class c
WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY 1
"""
_ON_TABLES = """
SELECT c.relname FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
  AND has_table_privilege(:role, c.oid, :right)
"""
_ON_COLUMNS = """
SELECT c.relname, array_agg(a.attname::text ORDER BY a.attname) FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND a.attnum > 0 AND NOT a.attisdropped
  AND has_column_privilege(:role, c.oid, a.attnum, :right) GROUP BY 1
"""

Rights = dict[str, tuple[str, ...] | None]


def declared(text_of_rights: str) -> Rights:
    """Right -> its columns; None for all."""
    found: Rights = {}
    for right, columns in re.findall(r"(\w+)(?:\(([\w,]+)\))?", text_of_rights):
        assert right in RIGHTS, right
        found[right] = tuple(sorted(columns.split(","))) if columns else None
    return found


def granted(session: Session, role: str) -> dict[str, Rights]:
    """Table -> what PostgreSQL lets the role do with it."""
    found: dict[str, Rights] = {table: {} for table in session.execute(text(_TABLES)).scalars()}
    for right in RIGHTS:
        asked = {"role": role, "right": _SQL[right]}
        whole = set(session.execute(text(_ON_TABLES), asked).scalars())
        columns = {} if right == "delete" else {table: names for table, names in session.execute(text(_ON_COLUMNS), asked)}  # noqa: C416
        for table in whole:
            found[table][right] = None
        for table, names in columns.items():
            found[table].setdefault(right, tuple(names))
    return found


def test_every_table_is_named() -> None:
    assert set(WORKER_RIGHTS) == {*METADATA.tables, "alembic_version"}


@pytest.mark.parametrize(("role", "place"), [("plumbline_executor", 0), ("plumbline_background", 1)])
def test_a_worker_may_what_is_declared_and_no_more(session: Session, role: str, place: int) -> None:
    assert granted(session, role) == {table: declared(rights[place]) for table, rights in WORKER_RIGHTS.items()}


def test_the_api_may_everything_but_what_is_declared(session: Session) -> None:
    wanted = {table: {right: None for right in RIGHTS if right not in API_MAY_NOT.get(table, "").split()} for table in WORKER_RIGHTS}
    assert granted(session, "plumbline_api") == wanted


# What somebody who took over a worker would try, by role: to be admin, to see how people sign in, to move a host into a group of their own,
# to let Plumbline change it, to take it out of judging, to make a waiver, to have a waiver approved, to become the first admin.
ATTEMPTS = [
    "INSERT INTO role_grant (person_id, role, group_id) VALUES (1, 'admin', 1)",
    "UPDATE person SET is_disabled = false",
    "UPDATE person SET oidc_groups = ARRAY['admins']",
    "SELECT password_hash FROM person",
    "SELECT * FROM person",
    "SELECT sealed FROM second_factor",
    "SELECT code_hash FROM recovery_code",
    "SELECT id_hash FROM web_session",
    "SELECT token_hash FROM api_token",
    "SELECT token_hash FROM enrolment_token",
    "SELECT client_secret FROM oidc_provider",
    "SELECT setup_code_hash FROM installation",
    "UPDATE installation SET setup_code_hash = '', setup_done_at = NULL",
    "UPDATE installation SET is_second_factor_required = false",
    "UPDATE host_group SET path = '1/'",
    "INSERT INTO host_group (name, path) VALUES ('mine', '1/99/')",
    "UPDATE host SET group_id = 1",
    "UPDATE host SET mode = 'remediate'",
    "UPDATE host SET state = 'retired'",
    "UPDATE host SET hold_by = NULL",
    "UPDATE host SET generation = 9",
    "DELETE FROM host",
    "INSERT INTO waiver (rule_no, reason, owner_id, requested_by, expires_at) VALUES (1, 'x', 1, 1, now())",
    "UPDATE waiver SET approved_by = 1",
    "UPDATE waiver SET expires_at = now() + interval '9 years'",
    "UPDATE standing_approval SET withdrawn_at = NULL",
    "UPDATE stop_switch SET is_stopped = false",
    "UPDATE collection_endpoint SET pins = '{}'",
    "UPDATE remediation_endpoint SET address = 'evil.example'",
    "UPDATE notice_channel SET sealed = ''",
    "UPDATE baseline SET state = 'active'",
    "DELETE FROM audit_entry",
    "UPDATE alembic_version SET version_num = '0001'",
]


@pytest.fixture(params=["plumbline_executor", "plumbline_background"])
def as_worker(request: pytest.FixtureRequest, cluster: object, shared_database: str) -> Iterator[None]:
    with pointed_at(cluster, shared_database, role=request.param):  # type: ignore[arg-type]
        yield


@pytest.mark.parametrize("statement", ATTEMPTS)
def test_a_worker_that_was_taken_over_gains_nothing_by(as_worker: None, statement: str) -> None:
    from plumbline.infra.database import session_scope

    with pytest.raises(ProgrammingError, match="permission denied"), session_scope() as session:
        session.execute(text(statement))


def test_functions_with_the_owners_rights_look_at_temporary_objects_last(session: Session) -> None:
    """PostgreSQL looks at them first otherwise, and everybody may make some."""
    paths = session.execute(
        text("SELECT proname, proconfig FROM pg_proc WHERE prosecdef AND pronamespace = 'public'::regnamespace ORDER BY 1")
    ).all()
    assert [name for name, _ in paths] == [
        "carry_host_counts", "count_host", "drop_partitions", "make_partitions", "note_prepared_part_change", "recount_differing",
        "summarise_host", "summarise_host_of_baseline",
    ]  # fmt: skip
    assert {name: config for name, config in paths if config != ["search_path=public, pg_temp"]} == {}


def test_a_view_of_the_same_name_is_not_taken_for_ours(session: Session) -> None:
    host_id = add_host(session, "esx-01", group_id=1)
    session.execute(text("CREATE TEMP TABLE taken (who text)"))
    session.execute(
        text(
            "CREATE FUNCTION pg_temp.note() RETURNS int LANGUAGE plpgsql AS"
            " $$ BEGIN INSERT INTO pg_temp.taken VALUES (current_user); RETURN 0; END $$"
        )
    )
    session.execute(text("CREATE TEMP VIEW host_value AS SELECT v.* FROM public.host_value v WHERE pg_temp.note() = 0"))
    session.execute(text("UPDATE host SET cluster = 'CL-09' WHERE id = :id"), {"id": host_id})
    assert session.execute(text("SELECT who FROM pg_temp.taken")).all() == []
    assert session.execute(text("SELECT cluster FROM host_summary WHERE host_id = :id"), {"id": host_id}).scalar_one() == "CL-09"
