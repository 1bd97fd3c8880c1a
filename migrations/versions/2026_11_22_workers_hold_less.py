"""What the workers hold on the tables of remediation is what they use: *desk* purges, nothing deletes a step or a slot."""

from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

WORKERS = ("plumbline_hands", "plumbline_desk")


def upgrade() -> None:
    # Pings and the memory of workers that are long gone are purged by age.
    op.execute("GRANT DELETE ON probe_run TO plumbline_desk")
    op.execute("REVOKE INSERT, UPDATE ON worker_seen FROM plumbline_desk")
    op.execute("REVOKE DELETE ON worker_seen FROM plumbline_hands")
    # Only the worker that carries a job out notes its steps; the sweeper ends jobs and frees their slots, and reads the rest.
    op.execute("REVOKE INSERT ON job_step FROM plumbline_desk")
    for role in WORKERS:
        op.execute(f"REVOKE DELETE ON job_step, domain_slot FROM {role}")


def downgrade() -> None:
    for role in WORKERS:
        op.execute(f"GRANT DELETE ON job_step, domain_slot TO {role}")
    op.execute("GRANT INSERT ON job_step TO plumbline_desk")
    op.execute("GRANT DELETE ON worker_seen TO plumbline_hands")
    op.execute("GRANT INSERT, UPDATE ON worker_seen TO plumbline_desk")
    op.execute("REVOKE DELETE ON probe_run FROM plumbline_desk")
