"""First tables."""

import sqlalchemy as sa
import sqlmodel
from alembic import op
from sqlalchemy.dialects import postgresql

import plumbline.infra.database

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:

    op.create_table(
        "audit_entry",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("at", plumbline.infra.database.UtcDateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False),
        sa.Column("actor", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("action", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("object_kind", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("object_id", sa.Text(), nullable=False),
        sa.Column("group_id", sa.Integer(), nullable=True),
        sa.Column("before", postgresql.JSONB(astext_type=sa.Text()), nullable=True),
        sa.Column("after", postgresql.JSONB(astext_type=sa.Text()), nullable=True),
        sa.Column("reason", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("request_id", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=True),
        sa.Column("hash", sa.LargeBinary(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit_entry")),
        sa.UniqueConstraint("number", name=op.f("uq_audit_entry_number")),
    )
    op.create_index("ix_audit_entry_at", "audit_entry", ["at"], unique=False)
    op.create_index("ix_audit_entry_object", "audit_entry", ["object_kind", "object_id"], unique=False)
    op.create_index("ix_audit_entry_unchained", "audit_entry", ["id"], unique=False, postgresql_where=sa.text("number IS NULL"))
    op.create_table(
        "audit_head",
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.Column("signature", sa.LargeBinary(), nullable=False),
        sa.Column("at", plumbline.infra.database.UtcDateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_audit_head")),
    )
    op.create_table(
        "check_in",
        sa.Column("host_id", sa.Text(), nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("received_at", plumbline.infra.database.UtcDateTime(timezone=True), nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("made_at", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("is_changed", sa.Boolean(), nullable=False),
        sa.Column("size_bytes", sa.Integer(), nullable=False),
        sa.Column("rejected", sa.Integer(), nullable=False),
        sa.Column("thinned", sa.Integer(), nullable=False),
        sa.Column("runner_before", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("runner_after", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.PrimaryKeyConstraint("host_id", "epoch", "seq", "received_at", name=op.f("pk_check_in")),
        postgresql_partition_by="RANGE (received_at)",
    )
    op.create_table(
        "compression_dictionary",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("purpose", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("trained_at", plumbline.infra.database.UtcDateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_compression_dictionary")),
    )
    op.create_table(
        "counter_day",
        sa.Column("host_id", sa.Text(), nullable=False),
        sa.Column("no", sa.SmallInteger(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("chunk", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("host_id", "no", "day", name=op.f("pk_counter_day")),
    )
    op.create_table(
        "counter_sample",
        sa.Column("host_id", sa.Text(), nullable=False),
        sa.Column("at", plumbline.infra.database.UtcDateTime(timezone=True), nullable=False),
        sa.Column("uptime_seconds", sa.BigInteger(), nullable=False),
        sa.Column("values", sa.ARRAY(sa.Float(precision=53)), nullable=False),
        sa.PrimaryKeyConstraint("host_id", "at", name=op.f("pk_counter_sample")),
        postgresql_partition_by="RANGE (at)",
    )
    op.create_table(
        "counter_series",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("host_id", sa.Text(), nullable=False),
        sa.Column("no", sa.SmallInteger(), nullable=False),
        sa.Column("subject", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("name", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("kind", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_counter_series")),
    )
    op.create_index("uq_counter_series", "counter_series", ["host_id", "subject", "name"], unique=True)
    op.create_table(
        "finding",
        sa.Column("host_id", sa.Text(), nullable=False),
        sa.Column("rule_no", sa.SmallInteger(), nullable=False),
        sa.Column("subject_kind", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("subject_id", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("outcome", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("kind", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("reason", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("observed", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("expected", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("source", postgresql.JSONB(astext_type=sa.Text()), nullable=True),
        sa.Column("expected_hash", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("judged_by", sa.Integer(), nullable=False),
        sa.Column("since", plumbline.infra.database.UtcDateTime(timezone=True), nullable=False),
        sa.Column("failing_since", plumbline.infra.database.UtcDateTime(timezone=True), nullable=True),
        sa.Column("waiver_id", sa.Integer(), nullable=True),
        sa.Column("excluded_by", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.PrimaryKeyConstraint("host_id", "rule_no", "subject_kind", "subject_id", name=op.f("pk_finding")),
        postgresql_with={"fillfactor": 85},
    )
    op.create_index("ix_finding_failing", "finding", ["host_id"], unique=False, postgresql_where=sa.text("outcome = 'fail'"))
    op.create_index("ix_finding_rule_no_outcome", "finding", ["rule_no", "outcome"], unique=False)
    op.create_table(
        "finding_log",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("at", plumbline.infra.database.UtcDateTime(timezone=True), nullable=False),
        sa.Column("host_id", sa.Text(), nullable=False),
        sa.Column("rule_no", sa.SmallInteger(), nullable=False),
        sa.Column("subject_kind", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("subject_id", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("old", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("new", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("reason", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.PrimaryKeyConstraint("id", "at", name=op.f("pk_finding_log")),
        postgresql_partition_by="RANGE (at)",
    )
    op.create_index("ix_finding_log_at", "finding_log", ["at"], unique=False)
    op.create_index("ix_finding_log_host_id_at", "finding_log", ["host_id", "at"], unique=False)
    op.create_table(
        "fleet_day",
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("group_id", sa.Integer(), nullable=False),
        sa.Column("hosts", sa.Integer(), nullable=False),
        sa.Column("fresh", sa.Integer(), nullable=False),
        sa.Column("scored", sa.Integer(), nullable=False),
        sa.Column("score_mean", sa.Float(), nullable=True),
        sa.Column("score_median", sa.Float(), nullable=True),
        sa.Column("rule_coverage", sa.Float(), nullable=True),
        sa.Column("n_pass", sa.Integer(), nullable=False),
        sa.Column("n_fail", sa.Integer(), nullable=False),
        sa.Column("n_unknown", sa.Integer(), nullable=False),
        sa.Column("n_waived", sa.Integer(), nullable=False),
        sa.Column("n_not_applicable", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("day", "group_id", name=op.f("pk_fleet_day")),
    )
    op.create_table(
        "fleet_event",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", plumbline.infra.database.UtcDateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("kind", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("label", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_fleet_event")),
    )
    op.create_table(
        "host_configuration",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("host_id", sa.Text(), nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("received_at", plumbline.infra.database.UtcDateTime(timezone=True), nullable=False),
        sa.Column("document", sa.LargeBinary(), nullable=False),
        sa.Column("dictionary_id", sa.Integer(), nullable=True),
        sa.Column("sections", postgresql.JSONB(astext_type=sa.Text()), server_default="{}", nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_host_configuration")),
    )
    op.create_index("ix_host_configuration_host_id_received_at", "host_configuration", ["host_id", "received_at"], unique=False)
    op.create_table(
        "host_group",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("parent_id", sa.Integer(), nullable=True),
        sa.Column("name", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("path", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("mode", sqlmodel.sql.sqltypes.AutoString(), nullable=True),
        sa.Column("check_in_interval_seconds", sa.Integer(), nullable=True),
        sa.Column("is_ticket_required", sa.Boolean(), nullable=False),
        sa.Column("created_at", plumbline.infra.database.UtcDateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(["parent_id"], ["host_group.id"], name=op.f("fk_host_group_parent_id_host_group")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_host_group")),
        sa.UniqueConstraint("path", name=op.f("uq_host_group_path")),
    )
    op.create_index(op.f("ix_host_group_parent_id"), "host_group", ["parent_id"], unique=False)
    op.create_table(
        "host_section",
        sa.Column("host_id", sa.Text(), nullable=False),
        sa.Column("section", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("status", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("error", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("sha256", sa.LargeBinary(), nullable=True),
        sa.Column("body_id", sa.BigInteger(), nullable=True),
        sa.Column("took_ms", sa.Integer(), nullable=True),
        sa.Column("changed_at", plumbline.infra.database.UtcDateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.PrimaryKeyConstraint("host_id", "section", name=op.f("pk_host_section")),
    )
    op.create_table(
        "installation",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("judging_epoch", sa.BigInteger(), nullable=False),
        sa.Column("is_demo", sa.Boolean(), nullable=False),
        sa.Column("created_at", plumbline.infra.database.UtcDateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("setup_code_hash", sa.LargeBinary(), nullable=True),
        sa.Column("setup_done_at", plumbline.infra.database.UtcDateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_installation")),
    )
    op.create_table(
        "pack_version",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("pack", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("version", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("content_hash", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("document", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("published_at", plumbline.infra.database.UtcDateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("published_by", sa.Integer(), nullable=True),
        sa.Column("note", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_pack_version")),
        sa.UniqueConstraint("pack", "version", name=op.f("uq_pack_version_pack_version")),
    )
    op.create_table(
        "person",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("login", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("display_name", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("password_hash", sqlmodel.sql.sqltypes.AutoString(), nullable=True),
        sa.Column("oidc_issuer", sqlmodel.sql.sqltypes.AutoString(), nullable=True),
        sa.Column("oidc_subject", sqlmodel.sql.sqltypes.AutoString(), nullable=True),
        sa.Column("is_disabled", sa.Boolean(), nullable=False),
        sa.Column("time_zone", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("created_at", plumbline.infra.database.UtcDateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("last_signed_in_at", plumbline.infra.database.UtcDateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_person")),
        sa.UniqueConstraint("login", name=op.f("uq_person_login")),
    )
    op.create_table(
        "rollup",
        sa.Column("group_id", sa.Integer(), nullable=False),
        sa.Column("rule_no", sa.SmallInteger(), nullable=False),
        sa.Column("bucket", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("hosts", sa.Integer(), nullable=False),
        sa.Column("subjects", sa.Integer(), nullable=False),
        sa.Column("amount", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("group_id", "rule_no", "bucket", name=op.f("pk_rollup")),
    )
    op.create_table(
        "rollup_delta",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("group_id", sa.Integer(), nullable=False),
        sa.Column("rule_no", sa.SmallInteger(), nullable=False),
        sa.Column("bucket", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("hosts", sa.Integer(), nullable=False),
        sa.Column("subjects", sa.Integer(), nullable=False),
        sa.Column("amount", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rollup_delta")),
    )
    op.create_table(
        "rule_number",
        sa.Column("no", sa.SmallInteger(), nullable=False),
        sa.Column("pack", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("rule", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.PrimaryKeyConstraint("no", name=op.f("pk_rule_number")),
        sa.UniqueConstraint("pack", "rule", name=op.f("uq_rule_number_pack_rule")),
    )
    op.create_table(
        "saved_view",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("name", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("url", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("is_shared", sa.Boolean(), nullable=False),
        sa.Column("created_at", plumbline.infra.database.UtcDateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_saved_view")),
    )
    op.create_table(
        "section_body",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("host_id", sa.Text(), nullable=False),
        sa.Column("section", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("sha256", sa.LargeBinary(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("dictionary_id", sa.Integer(), nullable=True),
        sa.Column("size_bytes", sa.Integer(), nullable=False),
        sa.Column("stored_at", plumbline.infra.database.UtcDateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_section_body")),
        sa.UniqueConstraint("host_id", "section", "sha256", name=op.f("uq_section_body_host_id_section_sha256")),
    )
    op.create_table(
        "section_name",
        sa.Column("host_id", sa.Text(), nullable=False),
        sa.Column("section", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("sha256", sa.LargeBinary(), nullable=False),
        sa.Column("body_id", sa.BigInteger(), nullable=False),
        sa.Column("named_at", plumbline.infra.database.UtcDateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.PrimaryKeyConstraint("host_id", "section", "sha256", name=op.f("pk_section_name")),
    )
    op.create_table(
        "setting_change",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("received_at", plumbline.infra.database.UtcDateTime(timezone=True), nullable=False),
        sa.Column("host_id", sa.Text(), nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("subject_kind", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("subject_id", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("key", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("old", postgresql.JSONB(astext_type=sa.Text()), nullable=True),
        sa.Column("new", postgresql.JSONB(astext_type=sa.Text()), nullable=True),
        sa.Column("cause", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("cause_detail", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("alike", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.PrimaryKeyConstraint("id", "received_at", name=op.f("pk_setting_change")),
        postgresql_partition_by="RANGE (received_at)",
    )
    op.create_index("ix_setting_change_host_id_received_at", "setting_change", ["host_id", "received_at"], unique=False)
    op.create_index("ix_setting_change_received_at", "setting_change", ["received_at"], unique=False)
    op.create_table(
        "sign_in_try",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", plumbline.infra.database.UtcDateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("login", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("network", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sign_in_try")),
    )
    op.create_index(op.f("ix_sign_in_try_at"), "sign_in_try", ["at"], unique=False)
    op.create_index(op.f("ix_sign_in_try_login"), "sign_in_try", ["login"], unique=False)
    op.create_index(op.f("ix_sign_in_try_network"), "sign_in_try", ["network"], unique=False)
    op.create_table(
        "api_token",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("name", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("role", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("created_at", plumbline.infra.database.UtcDateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("expires_at", plumbline.infra.database.UtcDateTime(timezone=True), nullable=False),
        sa.Column("last_used_at", plumbline.infra.database.UtcDateTime(timezone=True), nullable=True),
        sa.Column("revoked_at", plumbline.infra.database.UtcDateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_api_token_person_id_person")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_api_token")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_api_token_token_hash")),
    )
    op.create_index(op.f("ix_api_token_person_id"), "api_token", ["person_id"], unique=False)
    op.create_table(
        "grant",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("oidc_group", sqlmodel.sql.sqltypes.AutoString(), nullable=True),
        sa.Column("role", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("group_id", sa.Integer(), nullable=False),
        sa.Column("granted_by", sa.Integer(), nullable=True),
        sa.Column("granted_at", plumbline.infra.database.UtcDateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(["group_id"], ["host_group.id"], name=op.f("fk_grant_group_id_host_group")),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_grant_person_id_person")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_grant")),
    )
    op.create_index(op.f("ix_grant_person_id"), "grant", ["person_id"], unique=False)
    op.create_table(
        "host",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("name_grams", sa.ARRAY(sa.Text()), server_default="{}", nullable=False),
        sa.Column("platform", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("group_id", sa.Integer(), nullable=False),
        sa.Column("state", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("source", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("is_lab", sa.Boolean(), nullable=False),
        sa.Column("enrolled_at", plumbline.infra.database.UtcDateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("approved_at", plumbline.infra.database.UtcDateTime(timezone=True), nullable=True),
        sa.Column("approved_by", sa.Integer(), nullable=True),
        sa.Column("address", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("next_generation", sa.Integer(), nullable=True),
        sa.Column("key_id", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("next_key_id", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("last_seq", sa.BigInteger(), nullable=False),
        sa.Column("accepted", sa.LargeBinary(), server_default=sa.text("''::bytea"), nullable=False),
        sa.Column("boots", sa.ARRAY(sa.Text()), server_default="{}", nullable=False),
        sa.Column("alarm", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("seq_gaps", sa.Integer(), nullable=False),
        sa.Column("state_version", sa.BigInteger(), nullable=False),
        sa.Column("judging_epoch", sa.BigInteger(), nullable=False),
        sa.Column("configuration_id", sa.BigInteger(), nullable=True),
        sa.Column("last_seen_at", plumbline.infra.database.UtcDateTime(timezone=True), nullable=True),
        sa.Column("last_changed_at", plumbline.infra.database.UtcDateTime(timezone=True), nullable=True),
        sa.Column("skew_seconds", sa.Float(), nullable=True),
        sa.Column("agent_version", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("runner_hash", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("interval_seconds", sa.Integer(), nullable=False),
        sa.Column("os_name", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("os_release", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("cluster", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("families", sa.ARRAY(sa.Text()), server_default="{}", nullable=False),
        sa.Column("initiator_modes", sa.ARRAY(sa.Text()), server_default="{}", nullable=False),
        sa.Column("paths_healthy", sa.Integer(), nullable=True),
        sa.Column("paths_total", sa.Integer(), nullable=True),
        sa.Column("is_restart_pending", sa.Boolean(), nullable=False),
        sa.Column("failed_sections", sa.ARRAY(sa.Text()), server_default="{}", nullable=False),
        sa.Column("score", sa.SmallInteger(), nullable=True),
        sa.Column("capped_by", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("rule_coverage", sa.Float(), nullable=True),
        sa.Column("n_pass", sa.Integer(), nullable=False),
        sa.Column("n_fail", sa.Integer(), nullable=False),
        sa.Column("n_unknown", sa.Integer(), nullable=False),
        sa.Column("n_not_applicable", sa.Integer(), nullable=False),
        sa.Column("n_waived", sa.Integer(), nullable=False),
        sa.Column("n_excluded", sa.Integer(), nullable=False),
        sa.Column("n_guard_rail", sa.Integer(), nullable=False),
        sa.Column("worst_rule_no", sa.Integer(), nullable=True),
        sa.Column("failing", sa.ARRAY(sa.SmallInteger()), server_default="{}", nullable=False),
        sa.Column("tags", sa.ARRAY(sa.Text()), server_default="{}", nullable=False),
        sa.Column("overrides", postgresql.JSONB(astext_type=sa.Text()), server_default="{}", nullable=False),
        sa.Column("mode", sqlmodel.sql.sqltypes.AutoString(), nullable=True),
        sa.Column("hold_by", sa.Integer(), nullable=True),
        sa.Column("hold_reason", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("hold_until", plumbline.infra.database.UtcDateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["group_id"], ["host_group.id"], name=op.f("fk_host_group_id_host_group")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_host")),
        postgresql_with={"fillfactor": 70},
    )
    op.create_index("ix_host_failing", "host", ["failing"], unique=False, postgresql_using="gin")
    op.create_index("ix_host_group_id_state", "host", ["group_id", "state"], unique=False)
    op.create_index("ix_host_name_grams", "host", ["name_grams"], unique=False, postgresql_using="gin")
    op.create_index("ix_host_score_id", "host", ["score", "id"], unique=False)
    op.create_table(
        "pack_activation",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("group_id", sa.Integer(), nullable=False),
        sa.Column("pack", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("pack_version_id", sa.Integer(), nullable=True),
        sa.Column("activated_at", plumbline.infra.database.UtcDateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("activated_by", sa.Integer(), nullable=True),
        sa.Column("grace_until", plumbline.infra.database.UtcDateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["group_id"], ["host_group.id"], name=op.f("fk_pack_activation_group_id_host_group")),
        sa.ForeignKeyConstraint(["pack_version_id"], ["pack_version.id"], name=op.f("fk_pack_activation_pack_version_id_pack_version")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_pack_activation")),
    )
    op.create_index(op.f("ix_pack_activation_group_id"), "pack_activation", ["group_id"], unique=False)
    op.create_table(
        "report",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("template", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("group_id", sa.Integer(), nullable=False),
        sa.Column("as_of", plumbline.infra.database.UtcDateTime(timezone=True), nullable=False),
        sa.Column("requested_by", sa.Integer(), nullable=False),
        sa.Column("requested_at", plumbline.infra.database.UtcDateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("state", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("error", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("data", postgresql.JSONB(astext_type=sa.Text()), nullable=True),
        sa.Column("data_sha256", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("finished_at", plumbline.infra.database.UtcDateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["group_id"], ["host_group.id"], name=op.f("fk_report_group_id_host_group")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_report")),
    )
    op.create_table(
        "web_session",
        sa.Column("id_hash", sa.LargeBinary(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("created_at", plumbline.infra.database.UtcDateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("last_used_at", plumbline.infra.database.UtcDateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("authenticated_at", plumbline.infra.database.UtcDateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("expires_at", plumbline.infra.database.UtcDateTime(timezone=True), nullable=False),
        sa.Column("ended_at", plumbline.infra.database.UtcDateTime(timezone=True), nullable=True),
        sa.Column("address", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("agent", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("oidc_groups", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_web_session_person_id_person")),
        sa.PrimaryKeyConstraint("id_hash", name=op.f("pk_web_session")),
    )
    op.create_index(op.f("ix_web_session_person_id"), "web_session", ["person_id"], unique=False)
    op.create_table(
        "enrolment_token",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("group_id", sa.Integer(), nullable=False),
        sa.Column("name_pattern", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("is_auto_approved", sa.Boolean(), nullable=False),
        sa.Column("is_lab", sa.Boolean(), nullable=False),
        sa.Column("host_id", sa.Text(), nullable=True),
        sa.Column("uses_left", sa.Integer(), nullable=False),
        sa.Column("expires_at", plumbline.infra.database.UtcDateTime(timezone=True), nullable=False),
        sa.Column("revoked_at", plumbline.infra.database.UtcDateTime(timezone=True), nullable=True),
        sa.Column("created_by", sa.Integer(), nullable=True),
        sa.Column("created_at", plumbline.infra.database.UtcDateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(["group_id"], ["host_group.id"], name=op.f("fk_enrolment_token_group_id_host_group")),
        sa.ForeignKeyConstraint(["host_id"], ["host.id"], name=op.f("fk_enrolment_token_host_id_host")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_enrolment_token")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_enrolment_token_token_hash")),
    )
    op.create_table(
        "fabric_label",
        sa.Column("host_id", sa.Text(), nullable=False),
        sa.Column("adapter_id", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("fabric", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.ForeignKeyConstraint(["host_id"], ["host.id"], name=op.f("fk_fabric_label_host_id_host")),
        sa.PrimaryKeyConstraint("host_id", "adapter_id", name=op.f("pk_fabric_label")),
    )
    op.create_table(
        "report_file",
        sa.Column("report_id", sa.Integer(), nullable=False),
        sa.Column("format", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("sha256", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("made_at", plumbline.infra.database.UtcDateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(["report_id"], ["report.id"], name=op.f("fk_report_file_report_id_report")),
        sa.PrimaryKeyConstraint("report_id", "format", name=op.f("pk_report_file")),
    )
    op.create_table(
        "waiver",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("state", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("rule_no", sa.SmallInteger(), nullable=False),
        sa.Column("host_id", sa.Text(), nullable=True),
        sa.Column("group_id", sa.Integer(), nullable=True),
        sa.Column("subject_kind", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("subject_id", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("reason", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("evidence", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("ticket", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("owner_id", sa.Integer(), nullable=False),
        sa.Column("requested_by", sa.Integer(), nullable=False),
        sa.Column("approved_by", sa.Integer(), nullable=True),
        sa.Column("requested_at", plumbline.infra.database.UtcDateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("approved_at", plumbline.infra.database.UtcDateTime(timezone=True), nullable=True),
        sa.Column("expires_at", plumbline.infra.database.UtcDateTime(timezone=True), nullable=False),
        sa.Column("ended_at", plumbline.infra.database.UtcDateTime(timezone=True), nullable=True),
        sa.Column("trip_wires", postgresql.JSONB(astext_type=sa.Text()), server_default="{}", nullable=False),
        sa.ForeignKeyConstraint(["group_id"], ["host_group.id"], name=op.f("fk_waiver_group_id_host_group")),
        sa.ForeignKeyConstraint(["host_id"], ["host.id"], name=op.f("fk_waiver_host_id_host")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_waiver")),
    )
    op.create_index(op.f("ix_waiver_host_id"), "waiver", ["host_id"], unique=False)
    op.create_table(
        "enrolment",
        sa.Column("token_id", sa.Integer(), nullable=False),
        sa.Column("nonce", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("host_id", sa.Text(), nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("enrolled_at", plumbline.infra.database.UtcDateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(["host_id"], ["host.id"], name=op.f("fk_enrolment_host_id_host")),
        sa.ForeignKeyConstraint(["token_id"], ["enrolment_token.id"], name=op.f("fk_enrolment_token_id_enrolment_token")),
        sa.PrimaryKeyConstraint("token_id", "nonce", name=op.f("pk_enrolment")),
    )


def downgrade() -> None:

    op.drop_table("enrolment")
    op.drop_index(op.f("ix_waiver_host_id"), table_name="waiver")
    op.drop_table("waiver")
    op.drop_table("report_file")
    op.drop_table("fabric_label")
    op.drop_table("enrolment_token")
    op.drop_index(op.f("ix_web_session_person_id"), table_name="web_session")
    op.drop_table("web_session")
    op.drop_table("report")
    op.drop_index(op.f("ix_pack_activation_group_id"), table_name="pack_activation")
    op.drop_table("pack_activation")
    op.drop_index("ix_host_score_id", table_name="host")
    op.drop_index("ix_host_name_grams", table_name="host", postgresql_using="gin")
    op.drop_index("ix_host_group_id_state", table_name="host")
    op.drop_index("ix_host_failing", table_name="host", postgresql_using="gin")
    op.drop_table("host")
    op.drop_index(op.f("ix_grant_person_id"), table_name="grant")
    op.drop_table("grant")
    op.drop_index(op.f("ix_api_token_person_id"), table_name="api_token")
    op.drop_table("api_token")
    op.drop_index(op.f("ix_sign_in_try_network"), table_name="sign_in_try")
    op.drop_index(op.f("ix_sign_in_try_login"), table_name="sign_in_try")
    op.drop_index(op.f("ix_sign_in_try_at"), table_name="sign_in_try")
    op.drop_table("sign_in_try")
    op.drop_index("ix_setting_change_received_at", table_name="setting_change")
    op.drop_index("ix_setting_change_host_id_received_at", table_name="setting_change")
    op.drop_table("setting_change")
    op.drop_table("section_name")
    op.drop_table("section_body")
    op.drop_table("saved_view")
    op.drop_table("rule_number")
    op.drop_table("rollup_delta")
    op.drop_table("rollup")
    op.drop_table("person")
    op.drop_table("pack_version")
    op.drop_table("installation")
    op.drop_table("host_section")
    op.drop_index(op.f("ix_host_group_parent_id"), table_name="host_group")
    op.drop_table("host_group")
    op.drop_index("ix_host_configuration_host_id_received_at", table_name="host_configuration")
    op.drop_table("host_configuration")
    op.drop_table("fleet_event")
    op.drop_table("fleet_day")
    op.drop_index("ix_finding_log_host_id_at", table_name="finding_log")
    op.drop_index("ix_finding_log_at", table_name="finding_log")
    op.drop_table("finding_log")
    op.drop_index("ix_finding_rule_no_outcome", table_name="finding")
    op.drop_index("ix_finding_failing", table_name="finding", postgresql_where=sa.text("outcome = 'fail'"))
    op.drop_table("finding")
    op.drop_index("uq_counter_series", table_name="counter_series")
    op.drop_table("counter_series")
    op.drop_table("counter_sample")
    op.drop_table("counter_day")
    op.drop_table("compression_dictionary")
    op.drop_table("check_in")
    op.drop_table("audit_head")
    op.drop_index("ix_audit_entry_unchained", table_name="audit_entry", postgresql_where=sa.text("number IS NULL"))
    op.drop_index("ix_audit_entry_object", table_name="audit_entry")
    op.drop_index("ix_audit_entry_at", table_name="audit_entry")
    op.drop_table("audit_entry")
