"""A webhook's signing secret can be rotated: the new one, and for a while the one before, lie sealed beside the address."""

import sqlalchemy as sa
from alembic import op

from plumbline.infra.database import UtcDateTime

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("notice_channel", sa.Column("secret_sealed", sa.LargeBinary(), nullable=True))
    op.add_column("notice_channel", sa.Column("secret_key_id", sa.String(), server_default="", nullable=False))
    op.add_column("notice_channel", sa.Column("secret_version", sa.Integer(), server_default="0", nullable=False))
    op.add_column("notice_channel", sa.Column("old_secret_sealed", sa.LargeBinary(), nullable=True))
    op.add_column("notice_channel", sa.Column("old_secret_key_id", sa.String(), server_default="", nullable=False))
    op.add_column("notice_channel", sa.Column("old_secret_until", UtcDateTime(timezone=True), nullable=True))


def downgrade() -> None:
    # A receiver that knows a later secret alone has to be told of a new channel: the first signs again.
    for column in ("old_secret_until", "old_secret_key_id", "old_secret_sealed", "secret_version", "secret_key_id", "secret_sealed"):
        op.drop_column("notice_channel", column)
