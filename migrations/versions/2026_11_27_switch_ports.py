"""The switch port of each storage adapter, as the switches announce it.

Filled by the next configuration of each host that differs; nothing is known of switches before agents of version 1.2.0 ask for them.
"""

import sqlalchemy as sa
import sqlmodel
from alembic import op

revision = "0047"
down_revision = "0046"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "switch_port",
        sa.Column("host_id", sa.Text(), nullable=False),
        sa.Column("adapter", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("name", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("role", sqlmodel.sql.sqltypes.AutoString(), nullable=False, server_default=""),
        sa.Column("link_up", sa.Boolean(), nullable=True),
        sa.Column("mtu", sa.Integer(), nullable=True),
        sa.Column("frame_probe", sqlmodel.sql.sqltypes.AutoString(), nullable=False, server_default=""),
        sa.Column("paths_dead", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("paths_total", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("switch_id", sqlmodel.sql.sqltypes.AutoString(), nullable=False, server_default=""),
        sa.Column("switch", sqlmodel.sql.sqltypes.AutoString(), nullable=False, server_default=""),
        sa.Column("port", sqlmodel.sql.sqltypes.AutoString(), nullable=False, server_default=""),
        sa.Column("platform", sqlmodel.sql.sqltypes.AutoString(), nullable=False, server_default=""),
        sa.Column("address", sqlmodel.sql.sqltypes.AutoString(), nullable=False, server_default=""),
        sa.Column("switch_mtu", sa.Integer(), nullable=True),
        sa.Column("native_vlan", sa.Integer(), nullable=True),
        sa.Column("protocol", sqlmodel.sql.sqltypes.AutoString(), nullable=False, server_default=""),
        sa.Column("lost_at", sa.TIMESTAMP(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("host_id", "adapter"),
    )
    op.create_index("ix_switch_port_switch_id", "switch_port", ["switch_id"])
    op.execute("REVOKE ALL ON switch_port FROM plumbline_executor")


def downgrade() -> None:
    op.drop_table("switch_port")
