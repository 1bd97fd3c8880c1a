"""Tables, columns, the isolated queue and two roles are called what the field calls them. Renames only: no row of a large table is rewritten.

A role belongs to the whole cluster. Where another database of the cluster has renamed it already, what this database granted to the old
name is granted to the new one, and the old role goes once nothing depends on it.
"""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None

TABLES = (
    ("grant", "role_grant"),
    ("judging_run", "preview_run"),
    ("judging_run_host", "preview_run_host"),
    ("notice_told", "notice_state"),
    ("answered_request", "idempotent_response"),
    ("section_name", "section_body_alias"),
    ("worker_seen", "worker_heartbeat"),
    ("log_in", "host_login_attempt"),
    ("sign_in_try", "failed_sign_in"),
    ("sign_in_attempt", "oidc_flow"),
    ("sign_in_provider", "oidc_provider"),
    ("credential_trial", "credential_check"),
    ("host_peers", "peer_answer"),
    ("peer_change", "peer_domain_change"),
    ("peer_lag", "peer_reevaluation"),
)
COLUMNS = (
    ("host", "judging_epoch", "rules_epoch"),
    ("installation", "judging_epoch", "rules_epoch"),
    ("preview_run", "judging_epoch", "rules_epoch"),
    ("finding", "judged_by", "pack_version_id"),
    ("finding", "told_as", "linked_rule_no"),
    ("host", "accepted", "recent_seqs"),
    ("job", "rung_at", "enqueued_at"),
    ("job", "alone_deliveries", "isolated_deliveries"),
    ("host_baseline", "compared_id", "compared_configuration_id"),
)
ROLES = (("plumbline_hands", "plumbline_executor"), ("plumbline_desk", "plumbline_background"))

# Names of constraints, indexes and sequences carry the name of their table: `pk_log_in`, `fk_judging_run_host_run_id_judging_run`.
_CONSTRAINTS = """
SELECT conrelid::regclass::text, conname FROM pg_constraint
WHERE connamespace = 'public'::regnamespace AND (conrelid = CAST(:table AS regclass) OR confrelid = CAST(:table AS regclass))
"""
_INDEXES = "SELECT i.indexrelid::regclass::text FROM pg_index i WHERE i.indrelid = CAST(:table AS regclass)"
_SEQUENCES = """
SELECT s.relname FROM pg_class s JOIN pg_depend d ON d.objid = s.oid AND d.classid = 'pg_class'::regclass
WHERE s.relkind = 'S' AND d.refobjid = CAST(:table AS regclass)
"""
# Every privilege of a role in this database, as a GRANT to another one.
_PRIVILEGES = """
SELECT format('GRANT %s ON TABLE %s TO %I', a.privilege_type, c.oid::regclass, CAST(:new AS text))
FROM pg_class c CROSS JOIN LATERAL aclexplode(c.relacl) a WHERE a.grantee = CAST(:old AS regrole) AND c.relkind <> 'S'
UNION ALL
SELECT format('GRANT %s ON SEQUENCE %s TO %I', a.privilege_type, c.oid::regclass, CAST(:new AS text))
FROM pg_class c CROSS JOIN LATERAL aclexplode(c.relacl) a WHERE a.grantee = CAST(:old AS regrole) AND c.relkind = 'S'
UNION ALL
SELECT format('GRANT %s (%I) ON TABLE %s TO %I', a.privilege_type, t.attname, t.attrelid::regclass, CAST(:new AS text))
FROM pg_attribute t CROSS JOIN LATERAL aclexplode(t.attacl) a WHERE a.grantee = CAST(:old AS regrole)
UNION ALL
SELECT format('GRANT %s ON SCHEMA %I TO %I', a.privilege_type, n.nspname, CAST(:new AS text))
FROM pg_namespace n CROSS JOIN LATERAL aclexplode(n.nspacl) a WHERE a.grantee = CAST(:old AS regrole)
UNION ALL
SELECT format('GRANT %s ON FUNCTION %s TO %I', a.privilege_type, p.oid::regprocedure, CAST(:new AS text))
FROM pg_proc p CROSS JOIN LATERAL aclexplode(p.proacl) a WHERE a.grantee = CAST(:old AS regrole)
UNION ALL
SELECT format('GRANT %s ON DATABASE %I TO %I', a.privilege_type, d.datname, CAST(:new AS text))
FROM pg_database d CROSS JOIN LATERAL aclexplode(d.datacl) a WHERE a.grantee = CAST(:old AS regrole) AND d.datname = current_database()
UNION ALL
SELECT format('ALTER DEFAULT PRIVILEGES FOR ROLE %s%s GRANT %s ON %s TO %I', d.defaclrole::regrole,
              CASE WHEN d.defaclnamespace = 0 THEN '' ELSE format(' IN SCHEMA %s', d.defaclnamespace::regnamespace) END, a.privilege_type,
              CASE d.defaclobjtype WHEN 'r' THEN 'TABLES' WHEN 'S' THEN 'SEQUENCES' WHEN 'f' THEN 'FUNCTIONS' WHEN 'T' THEN 'TYPES' ELSE 'SCHEMAS' END,
              CAST(:new AS text))
FROM pg_default_acl d CROSS JOIN LATERAL aclexplode(d.defaclacl) a WHERE a.grantee = CAST(:old AS regrole)
"""


def _rename_table(old: str, new: str) -> None:
    connection = op.get_bind()
    op.rename_table(old, new)

    def renamed(name: str) -> str:
        bare = name.strip('"').rpartition(".")[2]
        return "_".join(new if part == old else part for part in _parts(bare, old))

    for table, name in connection.execute(sa.text(_CONSTRAINTS), {"table": f'"{new}"'}).all():
        if renamed(name) != name:
            op.execute(f'ALTER TABLE {table} RENAME CONSTRAINT "{name}" TO "{renamed(name)}"')
    for (name,) in connection.execute(sa.text(_INDEXES), {"table": f'"{new}"'}).all():
        if renamed(name) != name:
            op.execute(f'ALTER INDEX {name} RENAME TO "{renamed(name)}"')
    for (name,) in connection.execute(sa.text(_SEQUENCES), {"table": f'"{new}"'}).all():
        if renamed(name) != name:
            op.execute(f'ALTER SEQUENCE "{name}" RENAME TO "{renamed(name)}"')


def _parts(name: str, table: str) -> list[str]:
    """The name split at underscores, with the table's own name (which may hold underscores itself) kept as one part."""
    words, wanted, found = name.split("_"), table.split("_"), []
    at = 0
    while at < len(words):
        if words[at : at + len(wanted)] == wanted:
            found.append(table)
            at += len(wanted)
        else:
            found.append(words[at])
            at += 1
    return found


def _rename_role(old: str, new: str) -> None:
    connection = op.get_bind()
    known = set(
        connection.execute(sa.text("SELECT rolname FROM pg_roles WHERE rolname IN (:old, :new)"), {"old": old, "new": new}).scalars()
    )
    if old not in known:
        return
    if new not in known:
        op.execute(f"ALTER ROLE {old} RENAME TO {new}")
        return
    for statement in connection.execute(sa.text(_PRIVILEGES), {"old": old, "new": new}).scalars().all():
        connection.execute(sa.text(statement))
    op.execute(f"DROP OWNED BY {old}")
    # Another database of the cluster may still have to move its grants.
    op.execute(f"DO $$ BEGIN DROP ROLE {old}; EXCEPTION WHEN dependent_objects_still_exist OR object_in_use THEN NULL; END $$")


def upgrade() -> None:
    # The longer names first: the constraints of `judging_run_host` hold the name of `judging_run` too.
    for old, new in sorted(TABLES, key=lambda pair: -len(pair[0])):
        _rename_table(old, new)
    for table, old, new in COLUMNS:
        op.alter_column(table, old, new_column_name=new)
    op.execute("UPDATE job SET queue = 'isolated' WHERE queue = 'alone'")
    for old, new in ROLES:
        _rename_role(old, new)


def downgrade() -> None:
    for old, new in ROLES:
        _rename_role(new, old)
    op.execute("UPDATE job SET queue = 'alone' WHERE queue = 'isolated'")
    for table, old, new in COLUMNS:
        op.alter_column(table, new, new_column_name=old)
    for old, new in sorted(TABLES, key=lambda pair: -len(pair[1])):
        _rename_table(new, old)
