"""Baselines: proposals for a host or a group, the configurations they name, and how each host stands beside its own."""

import sqlalchemy as sa
import sqlmodel
from alembic import op

import plumbline.infra.database

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

TEXT = sqlmodel.sql.sqltypes.AutoString()


def upgrade() -> None:
    time = plumbline.infra.database.UtcDateTime(timezone=True)
    op.create_table(
        "baseline",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("state", TEXT, nullable=False),
        sa.Column("host_id", sa.Text(), nullable=True),
        sa.Column("group_id", sa.Integer(), nullable=False),
        sa.Column("reason", TEXT, nullable=False),
        sa.Column("ticket", TEXT, nullable=False),
        sa.Column("n_hosts", sa.Integer(), nullable=False),
        sa.Column("proposed_by", sa.Integer(), nullable=False),
        sa.Column("proposed_at", time, server_default=sa.text("clock_timestamp()"), nullable=False),
        sa.Column("decided_by", sa.Integer(), nullable=True),
        sa.Column("decided_at", time, nullable=True),
        sa.Column("decided_reason", TEXT, nullable=False),
        sa.ForeignKeyConstraint(["host_id"], ["host.id"], name=op.f("fk_baseline_host_id_host")),
        sa.ForeignKeyConstraint(["group_id"], ["host_group.id"], name=op.f("fk_baseline_group_id_host_group")),
        sa.ForeignKeyConstraint(["proposed_by"], ["person.id"], name=op.f("fk_baseline_proposed_by_person")),
        sa.ForeignKeyConstraint(["decided_by"], ["person.id"], name=op.f("fk_baseline_decided_by_person")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_baseline")),
    )
    op.create_index(op.f("ix_baseline_group_id"), "baseline", ["group_id"])
    open_host = sa.text("state = 'proposed' AND host_id IS NOT NULL")
    open_group = sa.text("state = 'proposed' AND host_id IS NULL")
    op.create_index("uq_baseline_open_host", "baseline", ["host_id"], unique=True, postgresql_where=open_host)
    op.create_index("uq_baseline_open_group", "baseline", ["group_id"], unique=True, postgresql_where=open_group)
    op.create_table(
        "baseline_host",
        sa.Column("baseline_id", sa.Integer(), nullable=False),
        sa.Column("host_id", sa.Text(), nullable=False),
        sa.Column("configuration_id", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["baseline_id"], ["baseline.id"], name=op.f("fk_baseline_host_baseline_id_baseline")),
        sa.ForeignKeyConstraint(["host_id"], ["host.id"], name=op.f("fk_baseline_host_host_id_host")),
        sa.PrimaryKeyConstraint("baseline_id", "host_id", name=op.f("pk_baseline_host")),
    )
    op.create_index(op.f("ix_baseline_host_host_id"), "baseline_host", ["host_id"])
    op.create_table(
        "host_baseline",
        sa.Column("host_id", sa.Text(), nullable=False),
        sa.Column("baseline_id", sa.Integer(), nullable=False),
        sa.Column("configuration_id", sa.BigInteger(), nullable=False),
        sa.Column("accepted_at", time, nullable=False),
        sa.Column("compared_id", sa.BigInteger(), nullable=True),
        sa.Column("differs", sa.Integer(), nullable=True),
        sa.Column("unread", sa.Integer(), nullable=False),
        sa.Column("differs_since", time, nullable=True),
        sa.ForeignKeyConstraint(["host_id"], ["host.id"], name=op.f("fk_host_baseline_host_id_host")),
        sa.ForeignKeyConstraint(["baseline_id"], ["baseline.id"], name=op.f("fk_host_baseline_baseline_id_baseline")),
        sa.PrimaryKeyConstraint("host_id", name=op.f("pk_host_baseline")),
    )
    op.create_index(op.f("ix_host_baseline_baseline_id"), "host_baseline", ["baseline_id"])
    # People propose and decide through the API; desk compares, and nobody else has anything to do with them.
    for table in ("baseline", "baseline_host", "host_baseline"):
        op.execute(f"REVOKE ALL ON {table} FROM plumbline_hands")
    op.execute("REVOKE INSERT, UPDATE, DELETE ON baseline, baseline_host FROM plumbline_desk")
    op.execute("REVOKE INSERT, DELETE ON host_baseline FROM plumbline_desk")


def downgrade() -> None:
    op.drop_table("host_baseline")
    op.drop_table("baseline_host")
    op.drop_table("baseline")
