"""Plans, approvals, jobs with their steps and events, failure domains, windows, freezes, the stop switch; their guards and rights."""

import sqlalchemy as sa
import sqlmodel
from alembic import op
from sqlalchemy.dialects import postgresql

import plumbline.infra.database

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

TIME = plumbline.infra.database.UtcDateTime(timezone=True)
TEXT = sqlmodel.sql.sqltypes.AutoString()
EMPTY = sa.text("'{}'::jsonb")
NOW = sa.text("clock_timestamp()")

# What has no exception is held by the database too, so that no program and no typed statement can break it.
GUARDS = """
CREATE FUNCTION guard_plan() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'UPDATE' THEN
    RAISE EXCEPTION 'a plan is never deleted';
  END IF;
  IF NEW.state IS DISTINCT FROM OLD.state AND OLD.state IN
     ('PLAN_FAILED', 'NO_CHANGE', 'REJECTED', 'WITHDRAWN', 'EXPIRED', 'STALE', 'FINISHED', 'STOPPED') THEN
    RAISE EXCEPTION 'plan % ended as %: a final state is never left', OLD.id, OLD.state;
  END IF;
  IF (NEW.document, NEW.digest, NEW.request, NEW.author_id, NEW.group_id, NEW.not_after, NEW.window_id, NEW.standing_id)
     IS DISTINCT FROM (OLD.document, OLD.digest, OLD.request, OLD.author_id, OLD.group_id, OLD.not_after, OLD.window_id, OLD.standing_id)
     AND EXISTS (SELECT 1 FROM approval WHERE plan_id = OLD.id) THEN
    RAISE EXCEPTION 'plan % is signed: it is never changed', OLD.id;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER guard_plan_row BEFORE UPDATE OR DELETE ON plan FOR EACH ROW EXECUTE FUNCTION guard_plan();

CREATE FUNCTION guard_job() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NOT EXISTS (SELECT 1 FROM approval WHERE plan_id = NEW.plan_id) THEN
      RAISE EXCEPTION 'plan % is not approved: it has no jobs', NEW.plan_id;
    END IF;
    RETURN NEW;
  END IF;
  IF TG_OP = 'DELETE' THEN
    RAISE EXCEPTION 'a job is never deleted';
  END IF;
  IF NEW.state IS DISTINCT FROM OLD.state AND OLD.state IN
     ('SUCCEEDED', 'NOT_EFFECTIVE', 'UNVERIFIED', 'CANCELLED', 'EXPIRED', 'SKIPPED_STALE', 'FAILED', 'ROLLED_BACK', 'PARTIAL', 'RESOLVED') THEN
    RAISE EXCEPTION 'job % ended as %: a final state is never left', OLD.id, OLD.state;
  END IF;
  IF (NEW.plan_id, NEW.host_id, NEW.kind, NEW.undoes_id, NEW.not_after)
     IS DISTINCT FROM (OLD.plan_id, OLD.host_id, OLD.kind, OLD.undoes_id, OLD.not_after) OR NEW.gen < OLD.gen THEN
    RAISE EXCEPTION 'what job % does, and where, is never changed', OLD.id;
  END IF;
  IF OLD.cancel_at IS NOT NULL AND NEW.cancel_at IS NULL THEN
    RAISE EXCEPTION 'the wish to cancel job % is never taken back', OLD.id;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER guard_job_row BEFORE INSERT OR UPDATE OR DELETE ON job FOR EACH ROW EXECUTE FUNCTION guard_job();

CREATE FUNCTION guard_signed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'UPDATE' THEN
    RAISE EXCEPTION 'what was signed is never deleted';
  END IF;
  IF (NEW.payload, NEW.signature, NEW.key_id) IS DISTINCT FROM (OLD.payload, OLD.signature, OLD.key_id) THEN
    RAISE EXCEPTION 'what was signed is never changed';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER guard_approval_row BEFORE UPDATE OR DELETE ON approval FOR EACH ROW EXECUTE FUNCTION guard_signed();
CREATE TRIGGER guard_standing_row BEFORE UPDATE OR DELETE ON standing_approval FOR EACH ROW EXECUTE FUNCTION guard_signed();

CREATE FUNCTION guard_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'an event is never changed';
END $$;
CREATE TRIGGER guard_plan_event_row BEFORE UPDATE ON plan_event FOR EACH ROW EXECUTE FUNCTION guard_event();
CREATE TRIGGER guard_job_event_row BEFORE UPDATE ON job_event FOR EACH ROW EXECUTE FUNCTION guard_event();
"""

# Only the API, which alone holds the signing key, makes plans, approvals and jobs; hands and desk move them on.
_MADE_BY_API = (
    "plan",
    "approval",
    "break_glass",
    "standing_approval",
    "job",
    "maintenance_window",
    "change_freeze",
    "stop_switch",
    "remediation_endpoint",
    "domain_budget",
)
_MOVED_BY_WORKERS = ("plan", "job")


def upgrade() -> None:
    op.create_table(
        "domain_budget",
        sa.Column("domain", TEXT, nullable=False),
        sa.Column("slots", sa.Integer(), nullable=False),
        sa.Column("changed_by", TEXT, nullable=False),
        sa.Column("changed_at", TIME, server_default=NOW, nullable=False),
        sa.PrimaryKeyConstraint("domain", name=op.f("pk_domain_budget")),
    )
    op.create_table(
        "stop_switch",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("is_stopped", sa.Boolean(), nullable=False),
        sa.Column("cause", TEXT, nullable=False),
        sa.Column("reason", TEXT, nullable=False),
        sa.Column("changed_by", TEXT, nullable=False),
        sa.Column("changed_at", TIME, server_default=NOW, nullable=False),
        sa.CheckConstraint("id = 1", name=op.f("ck_stop_switch_single")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_stop_switch")),
    )
    op.create_table(
        "worker_seen",
        sa.Column("worker", TEXT, nullable=False),
        sa.Column("queue", TEXT, nullable=False),
        sa.Column("heard_at", TIME, server_default=NOW, nullable=False),
        sa.PrimaryKeyConstraint("worker", "queue", name=op.f("pk_worker_seen")),
    )
    op.create_table(
        "change_freeze",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("group_id", sa.Integer(), nullable=False),
        sa.Column("reason", TEXT, nullable=False),
        sa.Column("starts_at", TIME, nullable=False),
        sa.Column("ends_at", TIME, nullable=False),
        sa.Column("created_by", TEXT, nullable=False),
        sa.Column("created_at", TIME, server_default=NOW, nullable=False),
        sa.Column("ended_at", TIME, nullable=True),
        sa.Column("ended_by", TEXT, nullable=False),
        sa.ForeignKeyConstraint(["group_id"], ["host_group.id"], name=op.f("fk_change_freeze_group_id_host_group")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_change_freeze")),
    )
    op.create_index(op.f("ix_change_freeze_group_id"), "change_freeze", ["group_id"], unique=False)
    op.create_table(
        "maintenance_window",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("group_id", sa.Integer(), nullable=False),
        sa.Column("name", TEXT, nullable=False),
        sa.Column("time_zone", TEXT, nullable=False),
        sa.Column("weekdays", sa.ARRAY(sa.Integer()), server_default="{}", nullable=False),
        sa.Column("nth", sa.ARRAY(sa.Integer()), server_default="{}", nullable=False),
        sa.Column("starts_at_time", TEXT, nullable=False),
        sa.Column("on_date", TEXT, nullable=False),
        sa.Column("lasts_minutes", sa.Integer(), nullable=False),
        sa.Column("created_by", TEXT, nullable=False),
        sa.Column("created_at", TIME, server_default=NOW, nullable=False),
        sa.Column("ended_at", TIME, nullable=True),
        sa.ForeignKeyConstraint(["group_id"], ["host_group.id"], name=op.f("fk_maintenance_window_group_id_host_group")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_maintenance_window")),
    )
    op.create_index(op.f("ix_maintenance_window_group_id"), "maintenance_window", ["group_id"], unique=False)
    op.create_table(
        "standing_approval",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", TEXT, nullable=False),
        sa.Column("group_ids", sa.ARRAY(sa.Integer()), nullable=False),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.Column("signature", sa.LargeBinary(), nullable=False),
        sa.Column("key_id", TEXT, nullable=False),
        sa.Column("signer_id", sa.Integer(), nullable=False),
        sa.Column("signer", TEXT, nullable=False),
        sa.Column("signed_at", TIME, server_default=NOW, nullable=False),
        sa.Column("expires_at", TIME, nullable=False),
        sa.Column("withdrawn_at", TIME, nullable=True),
        sa.Column("withdrawn_by", TEXT, nullable=False),
        sa.Column("withdrawn_reason", TEXT, nullable=False),
        sa.ForeignKeyConstraint(["signer_id"], ["person.id"], name=op.f("fk_standing_approval_signer_id_person")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_standing_approval")),
    )
    op.create_table(
        "plan",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("group_id", sa.Integer(), nullable=False),
        sa.Column("title", TEXT, nullable=False),
        sa.Column("reason", TEXT, nullable=False),
        sa.Column("ticket", TEXT, nullable=False),
        sa.Column("author_id", sa.Integer(), nullable=False),
        sa.Column("author", TEXT, nullable=False),
        sa.Column("created_at", TIME, server_default=NOW, nullable=False),
        sa.Column("state", TEXT, nullable=False),
        sa.Column("state_words", TEXT, nullable=False),
        sa.Column("state_at", TIME, server_default=NOW, nullable=False),
        sa.Column("request", postgresql.JSONB(), server_default=EMPTY, nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.Column("digest", TEXT, nullable=False),
        sa.Column("notes", postgresql.JSONB(), server_default=EMPTY, nullable=False),
        sa.Column("lease_until", TIME, nullable=True),
        sa.Column("deliveries", sa.Integer(), nullable=False),
        sa.Column("window_id", sa.Integer(), nullable=True),
        sa.Column("not_before", TIME, nullable=True),
        sa.Column("not_after", TIME, nullable=True),
        sa.Column("standing_id", sa.Integer(), nullable=True),
        sa.Column("wave", sa.Integer(), nullable=False),
        sa.Column("bake_until", TIME, nullable=True),
        sa.Column("accepted_failures", sa.Integer(), nullable=False),
        sa.Column("event_no", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["author_id"], ["person.id"], name=op.f("fk_plan_author_id_person")),
        sa.ForeignKeyConstraint(["group_id"], ["host_group.id"], name=op.f("fk_plan_group_id_host_group")),
        sa.ForeignKeyConstraint(["standing_id"], ["standing_approval.id"], name=op.f("fk_plan_standing_id_standing_approval")),
        sa.ForeignKeyConstraint(["window_id"], ["maintenance_window.id"], name=op.f("fk_plan_window_id_maintenance_window")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_plan")),
    )
    op.create_index("ix_plan_group_id_id", "plan", ["group_id", "id"], unique=False)
    op.create_index("ix_plan_state", "plan", ["state"], unique=False)
    op.create_table(
        "remediation_endpoint",
        sa.Column("host_id", sa.Text(), nullable=False),
        sa.Column("channel", TEXT, nullable=False),
        sa.Column("address", TEXT, nullable=False),
        sa.Column("port", sa.Integer(), nullable=False),
        sa.Column("credential_id", sa.Integer(), nullable=False),
        sa.Column("pins", sa.ARRAY(sa.Text()), server_default="{}", nullable=False),
        sa.Column("ca_certificate", TEXT, nullable=False),
        sa.Column("changed_by", TEXT, nullable=False),
        sa.Column("changed_at", TIME, server_default=NOW, nullable=False),
        sa.Column("last_ok_at", TIME, nullable=True),
        sa.Column("last_error", TEXT, nullable=False),
        sa.ForeignKeyConstraint(["credential_id"], ["vault_secret.id"], name=op.f("fk_remediation_endpoint_credential_id_vault_secret")),
        sa.ForeignKeyConstraint(["host_id"], ["host.id"], name=op.f("fk_remediation_endpoint_host_id_host")),
        sa.PrimaryKeyConstraint("host_id", name=op.f("pk_remediation_endpoint")),
    )
    op.create_table(
        "approval",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("plan_id", sa.Integer(), nullable=False),
        sa.Column("kind", TEXT, nullable=False),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.Column("signature", sa.LargeBinary(), nullable=False),
        sa.Column("key_id", TEXT, nullable=False),
        sa.Column("author_id", sa.Integer(), nullable=False),
        sa.Column("approver_id", sa.Integer(), nullable=True),
        sa.Column("approver", TEXT, nullable=False),
        sa.Column("second_id", sa.Integer(), nullable=True),
        sa.Column("standing_id", sa.Integer(), nullable=True),
        sa.Column("signed_at", TIME, server_default=NOW, nullable=False),
        sa.Column("review_by", TIME, nullable=True),
        sa.Column("reviewed_at", TIME, nullable=True),
        sa.Column("reviewed_by", TEXT, nullable=False),
        sa.Column("review_words", TEXT, nullable=False),
        sa.ForeignKeyConstraint(["approver_id"], ["person.id"], name=op.f("fk_approval_approver_id_person")),
        sa.ForeignKeyConstraint(["author_id"], ["person.id"], name=op.f("fk_approval_author_id_person")),
        sa.ForeignKeyConstraint(["plan_id"], ["plan.id"], name=op.f("fk_approval_plan_id_plan")),
        sa.ForeignKeyConstraint(["second_id"], ["person.id"], name=op.f("fk_approval_second_id_person")),
        sa.ForeignKeyConstraint(["standing_id"], ["standing_approval.id"], name=op.f("fk_approval_standing_id_standing_approval")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_approval")),
        sa.UniqueConstraint("plan_id", name=op.f("uq_approval_plan_id")),
    )
    op.create_table(
        "break_glass",
        sa.Column("plan_id", sa.Integer(), nullable=False),
        sa.Column("digest", TEXT, nullable=False),
        sa.Column("first_id", sa.Integer(), nullable=False),
        sa.Column("first", TEXT, nullable=False),
        sa.Column("reason", TEXT, nullable=False),
        sa.Column("asked_at", TIME, server_default=NOW, nullable=False),
        sa.ForeignKeyConstraint(["first_id"], ["person.id"], name=op.f("fk_break_glass_first_id_person")),
        sa.ForeignKeyConstraint(["plan_id"], ["plan.id"], name=op.f("fk_break_glass_plan_id_plan")),
        sa.PrimaryKeyConstraint("plan_id", name=op.f("pk_break_glass")),
    )
    op.create_table(
        "job",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("plan_id", sa.Integer(), nullable=False),
        sa.Column("host_id", sa.Text(), nullable=False),
        sa.Column("group_id", sa.Integer(), nullable=False),
        sa.Column("kind", TEXT, nullable=False),
        sa.Column("undoes_id", sa.Integer(), nullable=True),
        sa.Column("requested_by", TEXT, nullable=False),
        sa.Column("wave", sa.Integer(), nullable=False),
        sa.Column("state", TEXT, nullable=False),
        sa.Column("state_words", TEXT, nullable=False),
        sa.Column("state_at", TIME, server_default=NOW, nullable=False),
        sa.Column("created_at", TIME, server_default=NOW, nullable=False),
        sa.Column("not_before", TIME, nullable=True),
        sa.Column("not_after", TIME, nullable=False),
        sa.Column("domains", sa.ARRAY(sa.Text()), server_default="{}", nullable=False),
        sa.Column("queued_at", TIME, nullable=True),
        sa.Column("rung_at", TIME, nullable=True),
        sa.Column("next_try_at", TIME, nullable=True),
        sa.Column("gen", sa.BigInteger(), nullable=False),
        sa.Column("lease_until", TIME, nullable=True),
        sa.Column("worker", TEXT, nullable=False),
        sa.Column("queue", TEXT, nullable=False),
        sa.Column("deliveries", sa.Integer(), nullable=False),
        sa.Column("alone_deliveries", sa.Integer(), nullable=False),
        sa.Column("cancel_at", TIME, nullable=True),
        sa.Column("cancel_by", TEXT, nullable=False),
        sa.Column("cancel_reason", TEXT, nullable=False),
        sa.Column("started_at", TIME, nullable=True),
        sa.Column("first_intent_at", TIME, nullable=True),
        sa.Column("finished_at", TIME, nullable=True),
        sa.Column("last_op_id", TEXT, nullable=False),
        sa.Column("health_before", postgresql.JSONB(), server_default=EMPTY, nullable=False),
        sa.Column("verify_until", TIME, nullable=True),
        sa.Column("verify_from", TIME, nullable=True),
        sa.Column("effect", TEXT, nullable=False),
        sa.Column("undo_until", TIME, nullable=True),
        sa.Column("resolved_by", TEXT, nullable=False),
        sa.Column("resolution", TEXT, nullable=False),
        sa.Column("event_no", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["group_id"], ["host_group.id"], name=op.f("fk_job_group_id_host_group")),
        sa.ForeignKeyConstraint(["host_id"], ["host.id"], name=op.f("fk_job_host_id_host")),
        sa.ForeignKeyConstraint(["plan_id"], ["plan.id"], name=op.f("fk_job_plan_id_plan")),
        sa.ForeignKeyConstraint(["undoes_id"], ["job.id"], name=op.f("fk_job_undoes_id_job")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_job")),
        postgresql_with={"fillfactor": 70},
    )
    op.create_index("ix_job_host_id_id", "job", ["host_id", "id"], unique=False)
    op.create_index(
        "ix_job_one_a_host", "job", ["host_id"], unique=True, postgresql_where=sa.text("state IN ('RUNNING', 'VERIFYING', 'NEEDS_HUMAN')")
    )
    op.create_index(
        "ix_job_open",
        "job",
        ["state"],
        unique=False,
        postgresql_where=sa.text("state IN ('WAITING', 'QUEUED', 'RUNNING', 'VERIFYING', 'NEEDS_HUMAN')"),
    )
    op.create_index("ix_job_plan_id_wave", "job", ["plan_id", "wave"], unique=False)
    op.create_table(
        "plan_event",
        sa.Column("plan_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("at", TIME, server_default=NOW, nullable=False),
        sa.Column("kind", TEXT, nullable=False),
        sa.Column("state", TEXT, nullable=False),
        sa.Column("words", TEXT, nullable=False),
        sa.Column("actor", TEXT, nullable=False),
        sa.Column("data", postgresql.JSONB(), server_default=EMPTY, nullable=False),
        sa.ForeignKeyConstraint(["plan_id"], ["plan.id"], name=op.f("fk_plan_event_plan_id_plan")),
        sa.PrimaryKeyConstraint("plan_id", "number", name=op.f("pk_plan_event")),
    )
    op.create_table(
        "domain_slot",
        sa.Column("domain", TEXT, nullable=False),
        sa.Column("slot_no", sa.Integer(), nullable=False),
        sa.Column("job_id", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["job_id"], ["job.id"], name=op.f("fk_domain_slot_job_id_job")),
        sa.PrimaryKeyConstraint("domain", "slot_no", name=op.f("pk_domain_slot")),
    )
    op.create_index(
        "ix_domain_slot_domain_job", "domain_slot", ["domain", "job_id"], unique=True, postgresql_where=sa.text("job_id IS NOT NULL")
    )
    op.create_index(op.f("ix_domain_slot_job_id"), "domain_slot", ["job_id"], unique=False)
    op.create_table(
        "job_event",
        sa.Column("job_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("at", TIME, server_default=NOW, nullable=False),
        sa.Column("kind", TEXT, nullable=False),
        sa.Column("step_no", sa.Integer(), nullable=True),
        sa.Column("state", TEXT, nullable=False),
        sa.Column("words", TEXT, nullable=False),
        sa.Column("gen", sa.BigInteger(), nullable=False),
        sa.Column("data", postgresql.JSONB(), server_default=EMPTY, nullable=False),
        sa.ForeignKeyConstraint(["job_id"], ["job.id"], name=op.f("fk_job_event_job_id_job")),
        sa.PrimaryKeyConstraint("job_id", "number", name=op.f("pk_job_event")),
    )
    op.create_table(
        "job_step",
        sa.Column("job_id", sa.Integer(), nullable=False),
        sa.Column("step_no", sa.Integer(), nullable=False),
        sa.Column("state", TEXT, nullable=False),
        sa.Column("op_id", TEXT, nullable=True),
        sa.Column("gen", sa.BigInteger(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("applied_by", TEXT, nullable=False),
        sa.Column("words", TEXT, nullable=False),
        sa.Column("intent_at", TIME, nullable=True),
        sa.Column("sent_at", TIME, nullable=True),
        sa.Column("unknown_since", TIME, nullable=True),
        sa.Column("finished_at", TIME, nullable=True),
        sa.Column("before", postgresql.JSONB(), server_default=EMPTY, nullable=False),
        sa.Column("after", postgresql.JSONB(), server_default=EMPTY, nullable=False),
        sa.Column("health_before", postgresql.JSONB(), server_default=EMPTY, nullable=False),
        sa.Column("health_after", postgresql.JSONB(), server_default=EMPTY, nullable=False),
        sa.Column("boot_id", TEXT, nullable=False),
        sa.ForeignKeyConstraint(["job_id"], ["job.id"], name=op.f("fk_job_step_job_id_job")),
        sa.PrimaryKeyConstraint("job_id", "step_no", name=op.f("pk_job_step")),
        sa.UniqueConstraint("op_id", name="uq_job_step_op_id"),
    )
    op.execute("CREATE SEQUENCE job_gen AS bigint")
    op.execute("INSERT INTO stop_switch (id, is_stopped, cause, reason, changed_by) VALUES (1, false, '', '', '')")
    op.execute(GUARDS)
    for role in ("plumbline_hands", "plumbline_desk"):
        for table in _MADE_BY_API:
            op.execute(f"REVOKE INSERT, DELETE ON {table} FROM {role}")
            if table not in _MOVED_BY_WORKERS:
                op.execute(f"REVOKE UPDATE ON {table} FROM {role}")
    # Hands notes on a host's endpoint how the last session went.
    op.execute("GRANT UPDATE (last_ok_at, last_error) ON remediation_endpoint TO plumbline_hands")
    for role in ("plumbline_api", "plumbline_hands", "plumbline_desk"):
        for table in ("plan_event", "job_event"):
            op.execute(f"REVOKE UPDATE ON {table} FROM {role}")
            op.execute(f"REVOKE DELETE ON {table} FROM {role}")
        op.execute(f"GRANT USAGE, SELECT ON SEQUENCE job_gen TO {role}")


def downgrade() -> None:
    for table in ("plan", "job", "approval", "standing", "plan_event", "job_event"):
        op.execute(f"DROP TRIGGER guard_{table}_row ON {'standing_approval' if table == 'standing' else table}")
    for name in ("plan", "job", "signed", "event"):
        op.execute(f"DROP FUNCTION guard_{name}()")
    op.execute("DROP SEQUENCE job_gen")
    op.drop_table("job_step")
    op.drop_table("job_event")
    op.drop_index(op.f("ix_domain_slot_job_id"), table_name="domain_slot")
    op.drop_index("ix_domain_slot_domain_job", table_name="domain_slot", postgresql_where=sa.text("job_id IS NOT NULL"))
    op.drop_table("domain_slot")
    op.drop_table("plan_event")
    op.drop_index("ix_job_plan_id_wave", table_name="job")
    op.drop_index(
        "ix_job_open", table_name="job", postgresql_where=sa.text("state IN ('WAITING', 'QUEUED', 'RUNNING', 'VERIFYING', 'NEEDS_HUMAN')")
    )
    op.drop_index("ix_job_one_a_host", table_name="job", postgresql_where=sa.text("state IN ('RUNNING', 'VERIFYING', 'NEEDS_HUMAN')"))
    op.drop_index("ix_job_host_id_id", table_name="job")
    op.drop_table("job")
    op.drop_table("break_glass")
    op.drop_table("approval")
    op.drop_table("remediation_endpoint")
    op.drop_index("ix_plan_state", table_name="plan")
    op.drop_index("ix_plan_group_id_id", table_name="plan")
    op.drop_table("plan")
    op.drop_table("standing_approval")
    op.drop_index(op.f("ix_maintenance_window_group_id"), table_name="maintenance_window")
    op.drop_table("maintenance_window")
    op.drop_index(op.f("ix_change_freeze_group_id"), table_name="change_freeze")
    op.drop_table("change_freeze")
    op.drop_table("worker_seen")
    op.drop_table("stop_switch")
    op.drop_table("domain_budget")
