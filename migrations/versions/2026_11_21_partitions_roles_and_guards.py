"""Partitions, the three roles with their rights, and the guards of the audit trail."""

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

ROLES = ("plumbline_api", "plumbline_hands", "plumbline_desk")

# Makes the partitions of one table from this month (or day) on. SECURITY DEFINER, so that *desk* can call it without owning tables.
MAKE_PARTITIONS = """
CREATE FUNCTION make_partitions(parent text, step text, ahead int) RETURNS int LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
DECLARE
  i int; start_at timestamptz; made int := 0; name text; pattern text;
BEGIN
  IF parent NOT IN ('check_in', 'setting_change', 'finding_log', 'counter_sample') OR step NOT IN ('month', 'day') THEN
    RAISE EXCEPTION 'not a partitioned table of ours: %', parent;
  END IF;
  pattern := CASE step WHEN 'month' THEN '"y"YYYY"m"MM' ELSE '"y"YYYY"m"MM"d"DD' END;
  FOR i IN 0..ahead LOOP
    start_at := date_trunc(step, now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' + (i || ' ' || step)::interval;
    name := parent || '_' || to_char(start_at AT TIME ZONE 'UTC', pattern);
    IF to_regclass(quote_ident(name)) IS NULL THEN
      BEGIN
        EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L)', name, parent, start_at, start_at + ('1 ' || step)::interval);
        made := made + 1;
      EXCEPTION WHEN check_violation THEN
        -- Rows of that span lie in the default partition already: they stay readable there, and the next span gets its own.
        RAISE NOTICE 'rows of % lie in the default partition', name;
      END;
    END IF;
  END LOOP;
  RETURN made;
END $$;
"""

# Drops partitions whose whole span is older than the limit; answers their names for the audit entry.
DROP_PARTITIONS = """
CREATE FUNCTION drop_partitions(parent text, older_than timestamptz) RETURNS text[] LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
DECLARE
  child record; upper_bound timestamptz; dropped text[] := '{}';
BEGIN
  IF parent NOT IN ('check_in', 'setting_change', 'finding_log', 'counter_sample') THEN
    RAISE EXCEPTION 'not a partitioned table of ours: %', parent;
  END IF;
  FOR child IN SELECT c.relname AS name, pg_get_expr(c.relpartbound, c.oid) AS bound
               FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = parent::regclass LOOP
    upper_bound := (regexp_match(child.bound, 'TO \\(''([^'']+)''\\)'))[1]::timestamptz;
    IF upper_bound IS NOT NULL AND upper_bound <= older_than THEN
      EXECUTE format('DROP TABLE %I', child.name);
      dropped := dropped || child.name::text;
    END IF;
  END LOOP;
  RETURN dropped;
END $$;
"""

GUARD_AUDIT = """
CREATE FUNCTION guard_audit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'UPDATE' THEN
    RAISE EXCEPTION 'the audit trail is append-only';
  END IF;
  IF OLD.number IS NOT NULL OR NEW.number IS NULL OR NEW.hash IS NULL
     OR (to_jsonb(NEW) - 'number' - 'hash') IS DISTINCT FROM (to_jsonb(OLD) - 'number' - 'hash') THEN
    RAISE EXCEPTION 'an audit entry is never changed';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER guard_audit_row BEFORE UPDATE OR DELETE ON audit_entry FOR EACH ROW EXECUTE FUNCTION guard_audit();
CREATE TRIGGER guard_audit_table BEFORE TRUNCATE ON audit_entry FOR EACH STATEMENT EXECUTE FUNCTION guard_audit();
"""


def upgrade() -> None:
    for table in ("check_in", "setting_change", "finding_log", "counter_sample"):
        op.execute(f"CREATE TABLE {table}_default PARTITION OF {table} DEFAULT")
    op.execute(MAKE_PARTITIONS)
    op.execute(DROP_PARTITIONS)
    for table in ("check_in", "setting_change", "finding_log"):
        op.execute(f"SELECT make_partitions('{table}', 'month', 3)")
    op.execute("SELECT make_partitions('counter_sample', 'day', 7)")
    op.execute("ALTER TABLE host SET (fillfactor = 70)")
    op.execute("ALTER TABLE finding SET (fillfactor = 85)")
    op.execute("ALTER TABLE section_body ALTER COLUMN content SET STORAGE EXTERNAL")
    op.execute("ALTER TABLE host_configuration ALTER COLUMN document SET STORAGE EXTERNAL")
    op.execute(GUARD_AUDIT)
    for role in ROLES:
        op.execute(f"DO $$ BEGIN CREATE ROLE {role} LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$")
        op.execute(f"GRANT USAGE ON SCHEMA public TO {role}")
        op.execute(f"GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {role}")
        op.execute(f"GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO {role}")
        op.execute(f"ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO {role}")
        op.execute(f"ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT USAGE, SELECT ON SEQUENCES TO {role}")
        op.execute(f"REVOKE INSERT, UPDATE, DELETE ON alembic_version FROM {role}")
        op.execute(f"REVOKE UPDATE, DELETE ON audit_entry FROM {role}")
    # The schedule library keeps its tables in a schema of its own; `migrate.py` lets it make them, as the owner.
    op.execute("CREATE SCHEMA celery_schema")
    op.execute("GRANT USAGE ON SCHEMA celery_schema TO plumbline_desk")
    op.execute("ALTER DEFAULT PRIVILEGES IN SCHEMA celery_schema GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO plumbline_desk")
    op.execute("ALTER DEFAULT PRIVILEGES IN SCHEMA celery_schema GRANT USAGE, SELECT ON SEQUENCES TO plumbline_desk")
    # Only the chainer, a task of *desk*, may number entries; the trigger lets nothing else be changed.
    op.execute("GRANT UPDATE (number, hash) ON audit_entry TO plumbline_desk")
    # People, their rights and the packs are the API's business; the workers read them.
    for table in ("person", '"grant"', "web_session", "api_token", "enrolment_token", "pack_version", "rule_number", "pack_activation"):
        for role in ("plumbline_hands", "plumbline_desk"):
            op.execute(f"REVOKE INSERT, UPDATE, DELETE ON {table} FROM {role}")
    op.execute("INSERT INTO installation (id, name, judging_epoch, is_demo) VALUES (1, 'Plumbline', 1, false)")
    op.execute("INSERT INTO host_group (id, name, path, mode, is_ticket_required) VALUES (1, 'All hosts', '1/', 'observe', false)")
    op.execute("SELECT setval(pg_get_serial_sequence('host_group', 'id'), 1)")


def downgrade() -> None:
    op.execute("DROP SCHEMA celery_schema CASCADE")
    op.execute("DROP TRIGGER guard_audit_row ON audit_entry")
    op.execute("DROP TRIGGER guard_audit_table ON audit_entry")
    op.execute("DROP FUNCTION guard_audit()")
    op.execute("DROP FUNCTION make_partitions(text, text, int)")
    op.execute("DROP FUNCTION drop_partitions(text, timestamptz)")
    for table in ("check_in", "setting_change", "finding_log", "counter_sample"):
        op.execute(f"DROP TABLE {table}_default")
    for role in ROLES:
        op.execute(f"DROP OWNED BY {role}")
