"""The schedule is in the program, so its schema of tables goes."""

from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("DROP SCHEMA celery_schema CASCADE")


def downgrade() -> None:
    # The program of before makes the tables itself.
    op.execute("CREATE SCHEMA celery_schema")
    op.execute("GRANT USAGE ON SCHEMA celery_schema TO plumbline_background")
    op.execute("ALTER DEFAULT PRIVILEGES IN SCHEMA celery_schema GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO plumbline_background")
    op.execute("ALTER DEFAULT PRIVILEGES IN SCHEMA celery_schema GRANT USAGE, SELECT ON SEQUENCES TO plumbline_background")
